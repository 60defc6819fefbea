/* test_lock.c - the core lock: recursion, exclusion between threads, its bias, deferred calls, questions of those who
 * wait, fork. */
#include "base/bias.h"
#include "base/interrupt.h"
#include "base/lock.h"
#include "check.h"
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

/* ThreadSanitizer does not follow threads into a child. */
#ifdef __SANITIZE_THREAD__
enum { FORKS = false };
#else
enum { FORKS = true };
#endif

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

/* One thread after the other revokes a bias that its owner is using. Where there is none, this is test_exclusion. */
static void test_bias(void)
{
    pthread_t threads[2];
    for (int round = 1; round <= 50; round++) {
        shared_count = 0;
        tb__bias_start();
        count_up(NULL);
        CHECK(tb__bias_mine == tb__bias_stands());
        for (int i = 0; i < 2; i++) CHECK(pthread_create(&threads[i], NULL, count_up, NULL) == 0);
        count_up(NULL);
        for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
        CHECK(shared_count == 80000 && !tb__bias_stands());
    }
}

static atomic_int inside;

static void *enter(void *unused)
{
    tb__lock();
    CHECK(atomic_load(&inside) == 2);
    tb__unlock();
    return unused;
}

/* Whoever revokes the bias waits until its owner is out of the lock; a child that is forked meanwhile is not waited
 * for, nor does it wait. */
static void test_revoking(void)
{
    pthread_t other, third;
    int status = -1;
    tb__bias_start();
    tb__lock();
    atomic_store(&inside, 1);
    CHECK(pthread_create(&other, NULL, enter, NULL) == 0);
    CHECK(pthread_create(&third, NULL, enter, NULL) == 0);
    usleep(20000);
    pid_t child = FORKS ? fork() : -1;
    if (child == 0) {
        pthread_t mine;
        atomic_store(&inside, 2);
        tb__unlock();
        bool ok = pthread_create(&mine, NULL, enter, NULL) == 0 && pthread_join(mine, NULL) == 0;
        tb__lock();
        tb__unlock();
        _exit(!ok || check_failures);
    }
    CHECK(!FORKS || (waitpid(child, &status, 0) == child && status == 0));
    atomic_store(&inside, 2);
    tb__unlock();
    pthread_join(other, NULL);
    pthread_join(third, NULL);
    tb__lock();
    tb__unlock();
    CHECK(!tb__bias_stands() && !tb__bias_mine);
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

/* A thread that waits for the lock asks its caller meanwhile: it leaves alone what belongs to the lock's owner. */
static atomic_int questions;

static tb_status ask(void)
{
    atomic_fetch_add(&questions, 1);
    return TB_OK;
}

static void test_asking(void)
{
    pthread_t other;
    tb_interrupt_functions(ask, NULL);
    tb__lock();
    CHECK(pthread_create(&other, NULL, take_and_leave, NULL) == 0);
    while (atomic_load(&questions) < 2) {
        tb__foreign++;
        usleep(100);
        tb__foreign--;
    }
    tb__unlock();
    pthread_join(other, NULL);
    tb_interrupt_functions(NULL, NULL);
    CHECK(tb__foreign == 0);
}

int main(void)
{
    test_exclusion();
    test_bias();
    test_revoking();
    test_deferred();
    test_asking();
    if (FORKS) test_fork();
    return check_report();
}
