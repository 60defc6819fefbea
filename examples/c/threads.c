/* threads.c - eight threads work with one array. Arrays may be shared as they are; each thread has its own error. */
#include <pthread.h>
#include <stdio.h>
#include <tombac/tombac.h>

enum { THREADS = 8, N = 1000000 };

typedef struct work {
    tb_array *x; /* borrowed: main outlives the threads */
    int power;
    double sum;
} work;

static void *run(void *arg)
{
    work *w = arg;
    tb_array *t[2] = {NULL};
    tb_power_s(w->x, tb_scalar_int(w->power), &t[0]);
    tb_sum(t[0], TB_ALL_AXES, &t[1]);
    if (tb_item_f64(t[1], &w->sum) != TB_OK) fprintf(stderr, "thread %d: %s\n", w->power, tb_error_message());
    tb_array_release_all(2, t);
    return NULL;
}

int main(void)
{
    pthread_t thread[THREADS];
    work w[THREADS];
    tb_array *x = NULL;
    tb_linspace(TB_F64, tb_scalar_int(0), tb_scalar_int(1), N, false, &x);
    for (int i = 0; i < THREADS; i++) {
        w[i] = (work){x, i, 0};
        if (pthread_create(&thread[i], NULL, run, &w[i])) return 1;
    }
    for (int i = 0; i < THREADS; i++) {
        pthread_join(thread[i], NULL);
        printf("the mean of x**%d is %.4f\n", i, w[i].sum / N);
    }
    tb_array_release(x);
    return 0;
}
