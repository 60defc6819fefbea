/* grid.c - cooperative launches: every block has a thread of the system, since all must be there to meet at the
 * grid's barrier. They are started for the launch and end with it.
 *
 * A block comes to the grid's barrier as one: its threads meet before and after, and one of them waits for the other
 * blocks. A block that ends, or fails, while others wait can never be waited for: that ends the launch. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <pthread.h>
#include <stdlib.h>

#include "backend/cpu/user/grid.h"
#include "base/error.h"
#include "base/interrupt.h"

enum { LAUNCH_FAILED = 719 };

typedef struct tb_cpu_grid {
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    int nblock, arrived, ended;
    unsigned long passed;
} tb_cpu_grid;

typedef struct grid_block {
    tb_cpu_launch *launch;
    uint64_t block;
    pthread_t id;
} grid_block;

int tb__grid_valid(void) { return tb__cpu_running && tb__cpu_running->launch && tb__cpu_running->launch->grid; }

/* Waits a little, with the grid's mutex, for other blocks. The launch may be told to stop meanwhile. */
static void wait_for_others(tb_cpu_grid *g)
{
    if (tb__cond_wait_for(&g->changed, &g->mutex, TB_ASK_EVERY)) return;
    pthread_mutex_unlock(&g->mutex);
    tb__cpu_look();
    pthread_mutex_lock(&g->mutex);
}

static bool has_failed(const tb_cpu_launch *l) { return __atomic_load_n(&l->failed, __ATOMIC_ACQUIRE) != 0; }

/* False: some block will never come. */
static bool meet(tb_cpu_launch *l, tb_cpu_grid *g)
{
    pthread_mutex_lock(&g->mutex);
    unsigned long passed = g->passed;
    if (++g->arrived == g->nblock) {
        g->arrived = 0;
        g->passed++;
        pthread_cond_broadcast(&g->changed);
    }
    while (g->passed == passed && g->ended == 0 && !has_failed(l)) wait_for_others(g);
    bool good = g->passed != passed;
    pthread_mutex_unlock(&g->mutex);
    if (!good)
        tb__cpu_launch_fail(l, LAUNCH_FAILED,
                            "a grid-wide barrier that is not reached by all blocks: a block has ended");
    return good;
}

void tb__grid_sync(void)
{
    tb_cpu_launch *l = tb__cpu_running->launch;
    if (!l->grid) tb__host_services()->fail(0, "grid.sync() in a kernel that was not launched as cooperative");
    tb__block_sync(TB_HOST_SYNC, 0);
    const tb_host_here *h = tb__host_here;
    bool first = h->thread.x == 0 && h->thread.y == 0 && h->thread.z == 0;
    if (first && !meet(l, l->grid)) tb__block_leave();
    tb__block_sync(TB_HOST_SYNC, 0);
}

static void *run_block(void *arg)
{
    grid_block *b = arg;
    tb_cpu_grid *g = b->launch->grid;
    tb__cpu_run_blocks(b->launch, b->block, 1);
    pthread_mutex_lock(&g->mutex);
    g->ended++;
    pthread_cond_broadcast(&g->changed);
    pthread_mutex_unlock(&g->mutex);
    return NULL;
}

tb_status tb__grid_run(tb_cpu_launch *l, int nblock)
{
    tb_cpu_grid g = {.mutex = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER, .nblock = nblock};
    grid_block *blocks = calloc((size_t)nblock, sizeof *blocks);
    if (!blocks) return tb__fail_memory((size_t)nblock * sizeof *blocks, 0, 0, 0);
    l->grid = &g;
    int started = 1;
    for (int i = 0; i < nblock; i++) blocks[i] = (grid_block){.launch = l, .block = (uint64_t)i};
    while (started < nblock && pthread_create(&blocks[started].id, NULL, run_block, &blocks[started]) == 0) started++;
    if (started < nblock) {
        tb__cpu_launch_fail(l, LAUNCH_FAILED, "no thread could be started for block %d of a cooperative launch",
                            started);
        pthread_mutex_lock(&g.mutex);
        g.ended++;
        pthread_cond_broadcast(&g.changed);
        pthread_mutex_unlock(&g.mutex);
    }
    run_block(&blocks[0]);
    pthread_mutex_lock(&g.mutex);
    while (g.ended < started + (started < nblock)) wait_for_others(&g);
    pthread_mutex_unlock(&g.mutex);
    for (int i = 1; i < started; i++) pthread_join(blocks[i].id, NULL);
    pthread_mutex_destroy(&g.mutex);
    pthread_cond_destroy(&g.changed);
    free(blocks);
    return TB_OK;
}
