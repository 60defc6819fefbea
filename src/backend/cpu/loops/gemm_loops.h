/* gemm_loops.h - the innermost loops of products of matrices, compiled once for each instruction set.
 *
 * A tile of `rows` by `cols` sums is kept in registers. It is computed in lanes of at least 16 bits, whose lower bits
 * are the result's whether or not they overflow; bool keeps bytes, with "and" and "or". Operands are packed before: k
 * groups of `rows` elements of A, or of `cols` elements of B, one after the other and zero where there are none. */
#ifndef TB_BACKEND_CPU_LOOPS_GEMM_LOOPS_H
#define TB_BACKEND_CPU_LOOPS_GEMM_LOOPS_H
#include <stdbool.h>
#include <stdint.h>

#include "backend/cpu/loops/isa.h"

/* Packs from[l * step + i * across] for i < n <= width and l < k; steps in elements. */
typedef void (*tb_gemm_pack)(int64_t k, int64_t n, const void *from, int64_t step, int64_t across, int64_t width,
                             void *to);

typedef struct tb_gemm_loops {
    int a_size, b_size; /* bytes of a packed element of each operand */
    int depth;          /* steps of the tile for each along k */
    int rows, cols;     /* of a tile, in elements */
    tb_gemm_pack pack_a, pack_b;
    /* The tile of products of packed operands, row by row. Everything is 64-byte aligned. */
    void (*tile)(int64_t k, const void *a, const void *b, void *sums);
    /* c = the first m by n of the sums, or c += them. */
    void (*store)(int64_t m, int64_t n, const void *sums, void *c, int64_t c_row, bool add);
} tb_gemm_loops;

/* clang-format off */
enum {
    TB_GEMM_BOOL, TB_GEMM_8, TB_GEMM_16, TB_GEMM_32, TB_GEMM_64,
    TB_GEMM_F32, TB_GEMM_F64, TB_GEMM_C64, TB_GEMM_C128,
    TB_GEMM_KINDS
};
/* clang-format on */
enum { TB_GEMM_ROWS = 4, TB_GEMM_COLS_BYTES = 128 }; /* the most that a tile of any instruction set is wide */
TB_ISA_EXTERN(const tb_gemm_loops, tb__gemm_loops_, [])
#endif
