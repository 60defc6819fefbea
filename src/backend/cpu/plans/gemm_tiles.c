/* gemm_tiles.c - products of matrices by the library's own loops: of integers and truth values, which no BLAS has, and
 * of the others where no BLAS is found but a slow one. They are cut into blocks that fit the caches, each packed and
 * multiplied tile by tile (gemm_loops.c; the scheme is that of Goto and van de Geijn, "Anatomy of high-performance
 * matrix multiplication", 2008). A block of the result is one thread's. */

#include "backend/cpu/plans/plans.h"
#include "backend/cpu/loops/gemm_loops.h"
#include "base/error.h"

/* A block: rows and columns of the result, and as many multiplications deep as are packed at a time. GRAIN:
 * multiplications that are worth a task. */
enum { BLOCK_M = 64, BLOCK_N = 128, BLOCK_K = 128, GRAIN = 1 << 18 };

static const tb_gemm_loops *loops_of(tb_dtype t)
{
    const tb_gemm_loops *all = TB_OF_ISA(tb__gemm_loops_);
    const int log2 = __builtin_ctz((unsigned)tb_dtype_size(t));
    if (t >= TB_F32) return &all[TB_GEMM_F32 + (t - TB_F32)];
    return &all[t == TB_BOOL ? TB_GEMM_BOOL : TB_GEMM_8 + log2];
}

typedef struct job {
    const tb_gemm *g;
    const tb_gemm_loops *loops;
    int64_t item, down, across, nblock, blocks_per_task;
} job;

/* Packs n lines of k elements in groups of `width` lines. */
static void pack(tb_gemm_pack lines, int64_t n, int64_t k, const char *from, int64_t step, int64_t across,
                 int64_t width, int64_t item, int64_t size, char *to)
{
    for (int64_t i = 0; i < n; i += width, to += k * width * size)
        lines(k, tb__min(width, n - i), from + i * across * item, step, across, width, to);
}

typedef struct block {
    int64_t m, n, k;
    const char *a, *b;
    char *c;
} block;

/* One step along k of a block. */
static void multiply_packed(const job *j, const block *x, const char *a, const char *b, bool add)
{
    _Alignas(64) char sums[TB_GEMM_ROWS * TB_GEMM_COLS_BYTES];
    const tb_gemm_loops *loops = j->loops;
    for (int64_t col = 0; col < x->n; col += loops->cols)
        for (int64_t row = 0; row < x->m; row += loops->rows) {
            loops->tile(x->k * loops->depth, a + row * x->k * loops->a_size, b + col * x->k * loops->b_size, sums);
            loops->store(tb__min(loops->rows, x->m - row), tb__min(loops->cols, x->n - col), sums,
                         x->c + (row * j->g->c_row + col) * j->item, j->g->c_row, add);
        }
}

static bool multiply_block(const job *j, int64_t batch, int64_t row, int64_t col)
{
    const tb_gemm *g = j->g;
    const tb_gemm_loops *loops = j->loops;
    const int64_t item = j->item, room = BLOCK_M * BLOCK_K * loops->a_size;
    char *a = tb__scratch((size_t)(room + BLOCK_N * BLOCK_K * loops->b_size));
    if (!a) return false;
    for (int64_t at = 0; at < g->k; at += BLOCK_K) {
        block x = {
            .m = tb__min(BLOCK_M, g->m - row),
            .n = tb__min(BLOCK_N, g->n - col),
            .k = tb__min(BLOCK_K, g->k - at),
            .a = (const char *)g->a + (batch * g->a_batch + row * g->a_row + at * g->a_col) * item,
            .b = (const char *)g->b + (batch * g->b_batch + at * g->b_row + col * g->b_col) * item,
            .c = (char *)g->c + (batch * g->c_batch + row * g->c_row + col) * item,
        };
        pack(loops->pack_a, x.m, x.k, x.a, g->a_col, g->a_row, loops->rows, item, loops->a_size, a);
        pack(loops->pack_b, x.n, x.k, x.b, g->b_row, g->b_col, loops->cols, item, loops->b_size, a + room);
        multiply_packed(j, &x, a, a + room, at > 0);
    }
    return true;
}

static bool multiply_blocks(void *arg, int64_t task)
{
    const job *j = arg;
    int64_t end = tb__min((task + 1) * j->blocks_per_task, j->nblock);
    for (int64_t i = task * j->blocks_per_task; i < end; i++) {
        int64_t above = i / j->across;
        if (!multiply_block(j, above / j->down, above % j->down * BLOCK_M, i % j->across * BLOCK_N)) return false;
    }
    return true;
}

tb_status tb__cpu_gemm_tiles(const tb_gemm *g)
{
    job j = {.g = g, .loops = loops_of(g->dtype), .item = (int64_t)tb_dtype_size(g->dtype)};
    j.down = tb__ceil_div(g->m, BLOCK_M);
    j.across = tb__ceil_div(g->n, BLOCK_N);
    j.nblock = g->batch * j.down * j.across;
    j.blocks_per_task = tb__max(GRAIN / (tb__min(g->m, BLOCK_M) * tb__min(g->n, BLOCK_N)) / tb__max(g->k, 1), 1);
    return tb__parallel(tb__ceil_div(j.nblock, j.blocks_per_task), multiply_blocks, &j);
}
