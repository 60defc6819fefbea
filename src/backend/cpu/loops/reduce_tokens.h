/* reduce_tokens.h - what the units of reduction loops share: the words that rows of tables/reduce.def are pasted to.
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
#include "tables/reduce.def"
    ROWS_OF_ALL
};

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
#define KIND_bf16 HALF
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
#define WIDTH_bf16 OTHER
#define WIDTH_c64 OTHER
#define WIDTH_c128 OTHER
#endif
