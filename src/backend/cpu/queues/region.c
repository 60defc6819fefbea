/* region.c - the blocks of memory that the CPU backend knows: device memory (the pool's chunks too), managed and pinned
 * memory, memory of the host that was registered, and memory of other processes. So a pointer can be told from one of
 * elsewhere, and freeing something twice is an error.
 *
 * A tree by addresses; blocks do not overlap. Guarded by the core lock. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <search.h>
#include <stdlib.h>

#include "backend/cpu/queues/queue.h"
#include "base/error.h"

static void *tree;

/* Blocks that have a byte in common are equal. */
static int compare(const void *a, const void *b)
{
    const tb_region *x = a, *y = b;
    if (x->ptr + x->size <= y->ptr) return -1;
    return x->ptr >= y->ptr + y->size;
}

tb_status tb__cpu_region_add(tb_region *r)
{
    if (tsearch(r, &tree, compare)) return TB_OK;
    return tb__fail_memory(sizeof(void *), 0, 0, 0);
}

tb_status tb__cpu_region_new(void *ptr, size_t size, int type, tb_region **out)
{
    tb_region *r = malloc(sizeof *r);
    if (!r) return tb__fail_memory(sizeof *r, 0, 0, 0);
    *r = (tb_region){.ptr = ptr, .size = size ? size : 1, .type = type, .device = tb__device_current(), .file = -1};
    tb_status status = tb__cpu_region_add(r);
    if (status != TB_OK) free(r);
    else *out = r;
    return status;
}

tb_region *tb__cpu_region(const void *ptr)
{
    const tb_region key = {.ptr = (char *)(uintptr_t)ptr, .size = 1};
    tb_region *const *found = tfind(&key, &tree, compare);
    return found ? *found : NULL;
}

bool tb__cpu_region_fits(const void *ptr, size_t n, bool known)
{
    const tb_region *r = tb__cpu_region(ptr);
    return r ? n <= r->size - (size_t)((const char *)ptr - r->ptr) : !known;
}

tb_region *tb__cpu_region_take(const void *ptr)
{
    tb_region *r = tb__cpu_region(ptr);
    if (r) tdelete(r, &tree, compare);
    return r;
}

void tb__cpu_region_free(tb_region *r)
{
    tb__cpu_unshare(r);
    free(r->ptr);
    free(r);
}
