/* pool_used.c - the pool's table of used blocks, by address, and the descriptors of blocks.
 *
 * Descriptors are never given back to the system: a pool that had many blocks will have many again. */
#include <stdlib.h>

#include "backend/memory/pool.h"

enum { DESCRIPTORS = 128 }; /* allocated at a time */

static tb_pool_block *spare;

tb_pool_block *tb__pool_block_new(void)
{
    if (!spare) {
        tb_pool_block *batch = malloc(DESCRIPTORS * sizeof *batch);
        if (!batch) return NULL;
        for (int i = 0; i < DESCRIPTORS; i++) {
            batch[i].next = spare;
            spare = &batch[i];
        }
    }
    tb_pool_block *b = spare;
    spare = b->next;
    return b;
}

void tb__pool_block_drop(tb_pool_block *b)
{
    b->next = spare;
    spare = b;
}

tb_pool_used tb__pool_used;

bool tb__pool_used_grow(void)
{
    size_t old_slots = tb__pool_used.n, slots = old_slots ? 2 * old_slots : 1024;
    tb_pool_block **old = tb__pool_used.slot, **bigger = calloc(slots, sizeof *bigger);
    if (!bigger) return false;
    tb__pool_used.slot = bigger;
    tb__pool_used.n = slots;
    tb__pool_used.taken = 0;
    for (size_t i = 0; i < old_slots; i++)
        if (old[i]) tb__pool_used_put(old[i]);
    free(old);
    return true;
}

void tb__pool_used_remove(size_t i)
{
    size_t mask = tb__pool_used.n - 1;
    tb__pool_used.taken--;
    /* Close the gap: whatever follows and may not be found past an empty slot moves up. */
    for (size_t gap = i, k = (i + 1) & mask;; k = (k + 1) & mask) {
        if (!tb__pool_used.slot[k]) {
            tb__pool_used.slot[gap] = NULL;
            return;
        }
        size_t home = tb__pool_used_home(tb__pool_used.slot[k]->ptr);
        if (((k - home) & mask) < ((k - gap) & mask)) continue;
        tb__pool_used.slot[gap] = tb__pool_used.slot[k];
        gap = k;
    }
}
