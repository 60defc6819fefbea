/* pool_bins.c - the pool's free blocks: bins by size, and a bitmap of those that have any. A block is cut when it is
 * handed out, and joined with its free neighbours when it comes back. */
#include "backend/memory/pool.h"

static int bin_of(size_t size)
{
    size_t units = size / POOL_UNIT;
    if (units <= POOL_EXACT) return (int)units - 1;
    int log = 63 - __builtin_clzll(units);
    return POOL_EXACT + POOL_STEPS * (log - 6) + (int)(units >> (log - 3) & (POOL_STEPS - 1));
}

static tb_pool_bins *bins_of(tb_pool_arena *a, const tb_pool_chunk *c) { return c->small ? &a->small : &a->large; }

void tb__pool_bin_put(tb_pool_arena *a, tb_pool_block *b)
{
    tb_pool_bins *set = bins_of(a, b->chunk);
    int i = bin_of(b->size);
    b->free = true;
    b->prev = NULL;
    b->next = set->head[i];
    if (b->next) b->next->prev = b;
    set->head[i] = b;
    set->occupied[i / 64] |= 1ull << i % 64;
    a->pool->n_free++;
}

void tb__pool_bin_take(tb_pool_arena *a, tb_pool_block *b)
{
    tb_pool_bins *set = bins_of(a, b->chunk);
    int i = bin_of(b->size);
    if (b->prev) b->prev->next = b->next;
    else set->head[i] = b->next;
    if (b->next) b->next->prev = b->prev;
    if (!set->head[i]) set->occupied[i / 64] &= ~(1ull << i % 64);
    b->free = false;
    a->pool->n_free--;
}

static int next_occupied(const tb_pool_bins *set, int from)
{
    for (int word = from / 64; word < POOL_BIN_WORDS; word++) {
        uint64_t bits = set->occupied[word];
        if (word == from / 64) bits &= ~0ull << from % 64;
        if (bits) return word * 64 + __builtin_ctzll(bits);
    }
    return -1;
}

tb_pool_block *tb__pool_best_fit(const tb_pool_bins *set, size_t size)
{
    for (int i = next_occupied(set, bin_of(size)); i >= 0; i = i + 1 < POOL_BINS ? next_occupied(set, i + 1) : -1) {
        if (i < POOL_EXACT) return set->head[i];
        tb_pool_block *best = NULL;
        for (tb_pool_block *b = set->head[i]; b; b = b->next)
            if (b->size >= size && (!best || b->size < best->size)) best = b;
        if (best) return best;
    }
    return NULL;
}

/* What is behind the first bytes of b as a block of its own, in no bin; NULL: there is no memory for its descriptor. */
static tb_pool_block *cut_rest(tb_pool_block *b, size_t size)
{
    tb_pool_block *rest = tb__pool_block_new();
    if (!rest) return NULL;
    *rest =
        (tb_pool_block){.ptr = b->ptr + size, .size = b->size - size, .left = b, .right = b->right, .chunk = b->chunk};
    if (b->right) b->right->left = rest;
    else b->chunk->last = rest;
    b->right = rest;
    b->size = size;
    return rest;
}

void tb__pool_cut(tb_pool_arena *a, tb_pool_block *b, size_t size)
{
    tb__pool_bin_take(a, b);
    tb_pool_block *rest = b->size == size ? NULL : cut_rest(b, size);
    if (rest) tb__pool_bin_put(a, rest);
}

/* Joins b with its right neighbour, which is in no bin. */
static void absorb(tb_pool_block *b, tb_pool_block *right)
{
    b->size += right->size;
    b->right = right->right;
    if (right->right) right->right->left = b;
    else b->chunk->last = b;
    tb__pool_block_drop(right);
}

void tb__pool_cut_used(tb_pool_block *b, size_t size)
{
    tb_pool_arena *a = b->chunk->arena;
    tb_pool_block *rest = size < b->size ? cut_rest(b, size) : NULL;
    if (!rest) return;
    a->pool->used -= rest->size;
    if (rest->right && rest->right->free) {
        tb__pool_bin_take(a, rest->right);
        absorb(rest, rest->right);
    }
    tb__pool_bin_put(a, rest);
}

void tb__pool_put_back(tb_pool_block *b)
{
    tb_pool_chunk *c = b->chunk;
    tb_pool_arena *a = c->arena;
    c->used--;
    a->pool->used -= b->size;
    if (b->right && b->right->free) {
        tb__pool_bin_take(a, b->right);
        absorb(b, b->right);
    }
    if (b->left && b->left->free) {
        tb__pool_bin_take(a, b->left);
        b = b->left;
        absorb(b, b->right);
    }
    tb__pool_bin_put(a, b);
}

void tb__pool_consolidate(tb_pool_arena *a)
{
    for (uint64_t sizes = a->quick_sizes; sizes; sizes &= sizes - 1) {
        int i = __builtin_ctzll(sizes);
        tb_pool_block *b = a->quick[i];
        a->quick[i] = NULL;
        while (b) {
            tb_pool_block *next = b->next;
            tb__pool_used_remove(tb__pool_used_find(b->ptr));
            tb__pool_put_back(b);
            b = next;
        }
    }
    a->quick_sizes = 0;
}
