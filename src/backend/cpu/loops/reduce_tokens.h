/* reduce_tokens.h - what the units of reduction loops share: the words that rows of tables/reduce.def are pasted to,
 * and which rows have the loops of another.
 *
 * A unit is compiled once per instruction set (TB_ISA). Nothing in it depends on the width of vectors: lanes are
 * counted in bytes of accumulators, so every instruction set gives the same bits. */
#ifndef TB_BACKEND_CPU_LOOPS_REDUCE_TOKENS_H
#define TB_BACKEND_CPU_LOOPS_REDUCE_TOKENS_H
#if defined(__GNUC__) && !defined(__clang__)
/* Otherwise choices that feed choices become branches, and their loops stay scalar. */
#pragma GCC optimize("no-tree-pre")
#endif
#include "backend/cpu/loops/reduce_loops.h"
#include "backend/cpu/loops/half_run.h"
/* A dtype token below. */
#undef bool
/* In this order. */
#include "kernels/types.h"
#include "kernels/half.h"
#include "kernels/reduce.h"
#include "kernels/argreduce.h"

#ifdef __clang__
#pragma clang diagnostic ignored "-Wpass-failed"
#define INDEPENDENT _Pragma("clang loop vectorize(assume_safety)")
#else
#define INDEPENDENT _Pragma("GCC ivdep")
#endif

#define FN static __attribute__((unused))
#define JOINED(a, b) a##b
#define JOIN(a, b) JOINED(a, b)

/* A row's place in the table. */
enum {
#define RED(op, in, ...) AT_##op##_##in,
#define RED_INDEX RED
#include "tables/reduce.def"
#undef RED
#undef RED_INDEX
    ROWS_OF_ALL
};

/* ---- of dtypes ------------------------------------------------------------------------------------------------ */

/* What a dtype is to its folds. */
#define KIND_bool TRUTH
#define KIND_i8 OTHER
#define KIND_u8 OTHER
#define KIND_i16 OTHER
#define KIND_u16 OTHER
#define KIND_i32 OTHER
#define KIND_u32 OTHER
#define KIND_i64 OTHER
#define KIND_u64 OTHER
#define KIND_f16 HALF
#define KIND_f32 REAL
#define KIND_f64 REAL
#define KIND_c64 COMPLEX
#define KIND_c128 COMPLEX

/* Which have loops of their own for few rows: those that most programs have. */
#define WIDTH_f32 WORDS
#define WIDTH_f64 WORDS
#define WIDTH_i32 WORDS
#define WIDTH_i64 WORDS
#define WIDTH_bool OTHER
#define WIDTH_i8 OTHER
#define WIDTH_u8 OTHER
#define WIDTH_i16 OTHER
#define WIDTH_u16 OTHER
#define WIDTH_u32 OTHER
#define WIDTH_u64 OTHER
#define WIDTH_f16 OTHER
#define WIDTH_c64 OTHER
#define WIDTH_c128 OTHER

/* ---- of operations -------------------------------------------------------------------------------------------- */

#define LINES_sum LINES_PAIRWISE
#define LINES_prod LINES_PAIRWISE
#define LINES_var LINES_PAIRWISE
#define LINES_min LINES_LEAST
#define LINES_max LINES_MOST
#define LINES_fmin LINES_LEAST
#define LINES_fmax LINES_MOST
#define LINES_bitand LINES_EXACT
#define LINES_bitor LINES_EXACT
#define LINES_bitxor LINES_EXACT

/* What there is besides folds: running results, folds of products; or SAME: all but the end is another operation's. */
#define FAMILY_sum SUM
#define FAMILY_prod RUNNING
#define FAMILY_mean SAME
#define FAMILY_var PLAIN
#define FAMILY_std SAME
#define FAMILY_min RUNNING
#define FAMILY_max RUNNING
#define FAMILY_fmin RUNNING
#define FAMILY_fmax RUNNING
#define FAMILY_any RUNNING
#define FAMILY_all RUNNING
#define FAMILY_bitand RUNNING
#define FAMILY_bitor RUNNING
#define FAMILY_bitxor RUNNING
#define FAMILY_argmin PLAIN
#define FAMILY_argmax PLAIN
/* Which unit makes them. */
#define UNIT_sum SUMS
#define UNIT_prod SUMS
#define UNIT_mean SUMS
#define UNIT_var SUMS
#define UNIT_std SUMS
#define UNIT_min EXTREMES
#define UNIT_max EXTREMES
#define UNIT_fmin EXTREMES
#define UNIT_fmax EXTREMES
#define UNIT_any EXTREMES
#define UNIT_all EXTREMES
#define UNIT_bitand EXTREMES
#define UNIT_bitor EXTREMES
#define UNIT_bitxor EXTREMES
#define UNIT_argmin PLACES
#define UNIT_argmax PLACES

/* Whose, where it is another's. */
#define FOLDS_OF_mean sum
#define FOLDS_OF_std var

/* Rows whose loops are those of another: bits do not tell signed integers from unsigned ones when they wrap around, and
 * several operations on truth values are one. */
#define TWIN_sum_i8 , sum_u8
#define TWIN_sum_i16 , sum_u16
#define TWIN_sum_i32 , sum_u32
#define TWIN_sum_i64 , sum_u64
#define TWIN_prod_i8 , prod_u8
#define TWIN_prod_i16 , prod_u16
#define TWIN_prod_i32 , prod_u32
#define TWIN_prod_i64 , prod_u64
#define TWIN_bitand_i8 , bitand_u8
#define TWIN_bitand_i16 , bitand_u16
#define TWIN_bitand_i32 , bitand_u32
#define TWIN_bitand_i64 , bitand_u64
#define TWIN_bitor_i8 , bitor_u8
#define TWIN_bitor_i16 , bitor_u16
#define TWIN_bitor_i32 , bitor_u32
#define TWIN_bitor_i64 , bitor_u64
#define TWIN_bitxor_i8 , bitxor_u8
#define TWIN_bitxor_i16 , bitxor_u16
#define TWIN_bitxor_i32 , bitxor_u32
#define TWIN_bitxor_i64 , bitxor_u64
#define TWIN_any_bool , max_bool
#define TWIN_bitor_bool , max_bool
#define TWIN_all_bool , min_bool
#define TWIN_bitand_bool , min_bool
/* Whether a row's loops are made, MADE, or another's, TWIN; and whose. A twin's macro brings a comma, which moves on
 * what stands behind it. */
#define IS_MADE(row) THIRD(TWIN_##row, TWIN, MADE, 0)
#define TWIN_OF(row) SECOND(TWIN_##row, 0, 0)
#define SECOND(...) SECOND_OF(__VA_ARGS__)
#define SECOND_OF(a, b, ...) b
#define THIRD(...) THIRD_OF(__VA_ARGS__)
#define THIRD_OF(a, b, c, ...) c
#endif
