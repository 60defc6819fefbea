/* child.c - grids that kernels launch: noted while the parent runs, run when all its blocks are done.
 *
 * They run in the order of the blocks that launched them, and of the launches in a block, whatever thread ran what;
 * those for the end (tail launches) last. A grid is over when those that it launched are. */
#include <stdlib.h>
#include <string.h>

#include "backend/cpu/user/user.h"
#include "base/error.h"

enum { OUT_OF_MEMORY = 2, ALIGNMENT = 64, TOO_DEEP = 65 /* cudaErrorLaunchMaxDepthExceeded */, MOST_DEEP = 24 };

typedef struct tb_cpu_child {
    _Alignas(ALIGNMENT) tb_host_launch launch;
    tb_host_kernel kernel;
    uint64_t number; /* of the parent's launches */
    struct tb_cpu_child *next;
    _Alignas(ALIGNMENT) char arguments[];
} tb_cpu_child;

void tb__cpu_child_add(const tb_host_launch *launch)
{
    tb__cpu_stop_point();
    tb_cpu_launch *parent = tb__cpu_running->launch;
    size_t size = (sizeof(tb_cpu_child) + launch->size + ALIGNMENT - 1) & ~(size_t)(ALIGNMENT - 1);
    tb_cpu_child *c = aligned_alloc(ALIGNMENT, size);
    if (!c) {
        tb__cpu_launch_fail(parent, OUT_OF_MEMORY, "no memory for a grid that it launches");
        return;
    }
    c->launch = *launch;
    c->kernel = *launch->kernel;
    memcpy(c->arguments, launch->arguments, launch->size);
    c->number = __atomic_fetch_add(&parent->nchild, 1, __ATOMIC_RELAXED);
    c->next = __atomic_load_n(&parent->children, __ATOMIC_RELAXED);
    while (!__atomic_compare_exchange_n(&parent->children, &c->next, c, true, __ATOMIC_RELEASE, __ATOMIC_RELAXED)) {}
}

static int by_order(const void *x, const void *y)
{
    const tb_cpu_child *a = *(tb_cpu_child *const *)x, *b = *(tb_cpu_child *const *)y;
    if (a->launch.tail != b->launch.tail) return a->launch.tail - b->launch.tail;
    if (a->launch.block != b->launch.block) return a->launch.block < b->launch.block ? -1 : 1;
    return a->number < b->number ? -1 : a->number > b->number;
}

static tb_status run_child(const tb_cpu_launch *parent, tb_cpu_module *module, tb_cpu_child *c)
{
    tb_cpu_function f = {module, &c->kernel, TB_CPU_SHARED};
    const tb_host_extent *g = &c->launch.grid, *b = &c->launch.block_size;
    tb_launch_shape shape = {sizeof(tb_launch_shape), .grid = {g->x, g->y, g->z}, .block = {b->x, b->y, b->z},
                             .shared = c->launch.shared};
    const void *closure = c->arguments;
    tb_status status =
        parent->depth < MOST_DEEP
            ? tb__cpu_launch(&f, c->kernel.name, &shape, (void *[]){&closure}, parent->depth + 1)
            : tb__fail_device(TOO_DEEP, c->kernel.name, "the grids that kernels launch are nested more than 24 deep");
    if (status != TB_OK) {
        tb_text where = {0};
        tb__text_addf(&where, "launched by kernel %s", parent->name);
        if (where.s) tb__error_prefix(where.s);
        tb__text_free(&where);
    }
    return status;
}

tb_status tb__cpu_children_run(tb_cpu_launch *parent, tb_cpu_module *module, bool run)
{
    size_t n = 0;
    tb_status status = TB_OK;
    if (!parent->children) return TB_OK;
    tb_cpu_child **list = malloc(parent->nchild * sizeof *list);
    if (!list) status = tb__fail_memory(parent->nchild * sizeof *list, 0, 0, 0);
    for (tb_cpu_child *c = parent->children, *next; c; c = next) {
        next = c->next;
        if (list) list[n++] = c;
        else free(c);
    }
    if (list) qsort(list, n, sizeof *list, by_order);
    for (size_t i = 0; i < n; i++) {
        if (run && status == TB_OK) status = run_child(parent, module, list[i]);
        free(list[i]);
    }
    free(list);
    return status;
}
