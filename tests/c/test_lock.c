/* test_lock.c - the core lock: recursion, exclusion between threads, deferred calls, fork. */
#include "base/lock.h"
#include "check.h"
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

static int shared_count, calls;

static void *count_up(void *unused)
{
    for (int i = 0; i < 20000; i++) {
        tb__lock();
        tb__lock();
        shared_count++;
        tb__unlock();
        tb__unlock();
    }
    return unused;
}

static void test_exclusion(void)
{
    pthread_t threads[4];
    for (int i = 0; i < 4; i++) CHECK(pthread_create(&threads[i], NULL, count_up, NULL) == 0);
    for (int i = 0; i < 4; i++) pthread_join(threads[i], NULL);
    CHECK(shared_count == 80000);
}

static void *take_and_leave(void *unused)
{
    tb__lock();
    tb__unlock();
    return unused;
}

/* Runs outside the lock: another thread can take it meanwhile, and so can this one. */
static void call_back(void *expected)
{
    pthread_t other;
    CHECK(*(int *)expected == calls);
    calls++;
    CHECK(pthread_create(&other, NULL, take_and_leave, NULL) == 0);
    pthread_join(other, NULL);
    take_and_leave(NULL);
}

static void test_deferred(void)
{
    int order[] = {0, 1, 2};
    tb__lock();
    tb__lock();
    tb__defer(call_back, &order[0]);
    tb__defer(call_back, &order[1]);
    tb__unlock();
    CHECK(calls == 0);
    tb__unlock();
    CHECK(calls == 2);
    tb__defer(call_back, &order[2]);
    CHECK(calls == 3);
}

static void test_fork(void)
{
    int status = -1;
    pthread_t busy;
    CHECK(pthread_create(&busy, NULL, count_up, NULL) == 0);
    for (int i = 0; i < 20; i++) {
        pid_t child = fork();
        if (child == 0) {
            take_and_leave(NULL);
            _exit(0);
        }
        CHECK(waitpid(child, &status, 0) == child && status == 0);
    }
    pthread_join(busy, NULL);
}

int main(void)
{
    test_exclusion();
    test_deferred();
    test_fork();
    return check_report();
}
