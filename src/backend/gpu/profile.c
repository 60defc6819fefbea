/* profile.c - which plans have been seen before, by what a kernel of theirs would be, and what they have cost: so that
 * for one that never comes back no kernel has to be thought of.
 *
 * A set of hashes in a table with open addressing, under the core lock. It only grows, by 24 bytes a plan. */
#include <stdlib.h>

#include "backend/gpu/kernel.h"
#include "base/hash.h"

static tb_profile *table;
static size_t slots, taken; /* slots is a power of two */

static tb_profile *slot_of(uint64_t hash)
{
    size_t at = (size_t)hash & (slots - 1);
    while (table[at].hash && table[at].hash != hash) at = (at + 1) & (slots - 1);
    return &table[at];
}

static bool grow(void)
{
    const size_t old_slots = slots, bigger = slots ? 2 * slots : 1024;
    tb_profile *old = table, *fresh = calloc(bigger, sizeof *fresh);
    if (!fresh) return false;
    table = fresh;
    slots = bigger;
    for (size_t i = 0; i < old_slots; i++)
        if (old[i].hash) *slot_of(old[i].hash) = old[i];
    free(old);
    return true;
}

tb_profile *tb__profile_of(int device, const tb_plan *p)
{
    const uint64_t mixed = tb__hash_u64(tb__codegen_structure(p), (uint64_t)device), hash = mixed ? mixed : 1;
    if (2 * taken >= slots && !grow()) return NULL;
    tb_profile *m = slot_of(hash);
    taken += m->hash == 0;
    m->hash = hash;
    return m;
}
