/* met.c - which plans have been met before, by what a kernel of theirs would be: so that for one that never comes back
 * no kernel has to be thought of.
 *
 * A set of hashes in a table with open addressing, under the core lock. It only grows, by eight bytes a plan. */
#include <stdlib.h>

#include "backend/gpu/kernel.h"
#include "base/hash.h"

static uint64_t *table; /* 0: free */
static size_t slots, taken; /* slots is a power of two */

static uint64_t *slot_of(uint64_t hash)
{
    size_t at = (size_t)hash & (slots - 1);
    while (table[at] && table[at] != hash) at = (at + 1) & (slots - 1);
    return &table[at];
}

static bool grow(void)
{
    const size_t old_slots = slots, bigger = slots ? 2 * slots : 1024;
    uint64_t *old = table, *fresh = calloc(bigger, sizeof *fresh);
    if (!fresh) return false;
    table = fresh;
    slots = bigger;
    for (size_t i = 0; i < old_slots; i++)
        if (old[i]) *slot_of(old[i]) = old[i];
    free(old);
    return true;
}

bool tb__met_before(int device, const tb_plan *p)
{
    const uint64_t mixed = tb__hash_u64(tb__codegen_structure(p), (uint64_t)device), hash = mixed ? mixed : 1;
    if (2 * taken >= slots && !grow()) return true;
    uint64_t *slot = slot_of(hash);
    if (*slot) return true;
    *slot = hash;
    taken++;
    return false;
}
