/* reduce_loops.c - the loops of reduce_loops.h, made from tables/reduce.def. Compiled once per instruction set
 * (TB_ISA).
 *
 * Nothing here depends on the width of vectors: lanes are counted in bytes of accumulators, so every instruction set
 * gives the same bits. */
#if defined(__GNUC__) && !defined(__clang__)
/* Otherwise choices that feed choices become branches, and their loops stay scalar. */
#pragma GCC optimize("no-tree-pre")
#endif
#include "backend/cpu/loops/reduce_loops.h"
#include "backend/cpu/loops/half_run.h"
#include <limits.h>
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

enum { LANE_BYTES = 256, GROUP = 128, STRIP = 128, STRIP_ROWS = 64, ARG_LEAF = 4096, PAGE = 4096 };
enum { COUNT_LANES = 64, COUNT_STEPS = 255, LINE = 64, AHEAD = 4096, TRUTH_FIRST = 64, TRUTH_PIECE = 4096 };

/* A row of a strip, as wide as a register of the dtype. */
typedef int8_t place_bool, place_i8, place_u8;
typedef int16_t place_i16, place_u16;
typedef int32_t place_i32, place_u32, place_f16, place_f32;
typedef int64_t place_i64, place_u64, place_f64, place_c64, place_c128;

#define FN static __attribute__((unused))
/* Lanes for short lines, at least 32 bytes of them. */
#define FEW_LANES(ACC) (sizeof(ACC) < 4 ? 32 / sizeof(ACC) : 8)

/* Asks for what is read AHEAD bytes later: hardware prefetchers stop where a page ends. */
FN void ask_ahead(const void *p, int64_t bytes)
{
    for (int64_t at = 0; at < bytes; at += LINE) __builtin_prefetch((const char *)p + AHEAD + at);
}

/* N lanes to one, in halves. Widths are constants, or else vectors end where the narrow steps begin, in memory. */
#define HALVES(STEP, ...)                                                                                        \
    STEP(128, __VA_ARGS__) STEP(64, __VA_ARGS__) STEP(32, __VA_ARGS__) STEP(16, __VA_ARGS__)                     \
    STEP(8, __VA_ARGS__) STEP(4, __VA_ARGS__) STEP(2, __VA_ARGS__) STEP(1, __VA_ARGS__)
#define MERGE_HALF(w, ACC, MERGE)                                                                                \
    for (int j = 0; j < (N > w ? w : 0); j++) {                                                                  \
        const ACC s = lane[j], t = lane[j + w];                                                                  \
        lane[j] = MERGE;                                                                                         \
    }
#define BEST_HALF(w, wins)                                                                                       \
    for (int j = 0; j < (N > w ? w : 0); j++) {                                                                  \
        best[j] = best[j + w] wins best[j] ? best[j + w] : best[j];                                              \
        sum[j] += sum[j + w];                                                                                    \
    }

/* What a fold takes: the elements of one line, or the products of two lines' elements. */
#define TAKE_ONE(LOAD, p, q, j) LOAD(p[j])
#define ASK_ONE(p, q, bytes) ask_ahead(p, bytes)
#define TAKE_PRODUCT(TIMES, p, q, j) TIMES(p[j], q[j])
#define ASK_PRODUCT(p, q, bytes) ask_ahead(p, bytes), ask_ahead(q, bytes)
#define TIMES_f32(a, b) ((a) * (b))
#define TIMES_f64(a, b) ((a) * (b))
#define TIMES_c64 tb_times_c64
#define TIMES_c128 tb_times_c128

/* One fold of n > 0 elements in `count` independent lanes, joined by a tree. */
#define LANES(fn, count, WHAT, IN, REG, LOAD, ACC, INIT, STEP, MERGE)                                            \
    FN ACC fn(int64_t n, const IN *p, const IN *q)                                                               \
    {                                                                                                            \
        enum { N = count };                                                                                      \
        const tb_i64 i = 0;                                                                                      \
        const REG first = TAKE_##WHAT(LOAD, p, q, 0);                                                            \
        ACC lane[N];                                                                                             \
        (void)i, (void)first;                                                                                    \
        for (int j = 0; j < N; j++) lane[j] = INIT;                                                              \
        for (; n >= N; n -= N, p += N, q += N) {                                                                 \
            if (sizeof lane == LANE_BYTES) ASK_##WHAT(p, q, N * sizeof(IN));                                     \
            for (int j = 0; j < N; j++) {                                                                        \
                const ACC s = lane[j];                                                                           \
                const REG v = TAKE_##WHAT(LOAD, p, q, j);                                                        \
                lane[j] = STEP;                                                                                  \
            }                                                                                                    \
        }                                                                                                        \
        for (int j = 0; j < (int)n; j++) {                                                                       \
            const ACC s = lane[j];                                                                               \
            const REG v = TAKE_##WHAT(LOAD, p, q, j);                                                            \
            lane[j] = STEP;                                                                                      \
        }                                                                                                        \
        HALVES(MERGE_HALF, ACC, MERGE)                                                                           \
        return lane[0];                                                                                          \
    }

/* In as many lanes as the processor has use for, of short lines in a few. */
#define FOLD(name, WHAT, IN, REG, LOAD, ACC, INIT, STEP, MERGE)                                                  \
    LANES(name##_many, (LANE_BYTES / sizeof(ACC)), WHAT, IN, REG, LOAD, ACC, INIT, STEP, MERGE)                  \
    LANES(name##_few, FEW_LANES(ACC), WHAT, IN, REG, LOAD, ACC, INIT, STEP, MERGE)                               \
    FN ACC name(int64_t n, const IN *p, const IN *q)                                                             \
    {                                                                                                            \
        return n < TB_LEAF_BYTES / (int64_t)sizeof(ACC) / 4 ? name##_few(n, p, q) : name##_many(n, p, q);        \
    }

/* A tree of leaves. */
#define TREE(name, fold, IN, ACC, MERGE)                                                                         \
    FN ACC name(int64_t n, const IN *p, const IN *q)                                                             \
    {                                                                                                            \
        const int64_t leaf = TB_LEAF_BYTES / sizeof(ACC);                                                        \
        if (n <= leaf) return fold(n, p, q);                                                                     \
        int64_t head = leaf;                                                                                     \
        while (2 * head < n) head *= 2;                                                                          \
        const ACC s = name(head, p, q), t = name(n - head, p + head, q + head);                                  \
        return MERGE;                                                                                            \
    }

/* What a dtype is to its folds over lines. */
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
#define JOINED(a, b) a##b
#define JOIN(a, b) JOINED(a, b)

/* name_fold: of one line. float16 is converted a run at a time. */
#define FOLD_OTHER(name, IN, REG, LOAD, ACC, INIT, STEP, MERGE)                                                  \
    FOLD(name##_one, ONE, IN, REG, LOAD, ACC, INIT, STEP, MERGE)                                                 \
    FN ACC name##_fold(int64_t n, const IN *p) { return name##_one(n, p, p); }
#define FOLD_REAL FOLD_OTHER
#define FOLD_COMPLEX FOLD_OTHER
/* Truth values a piece at a time, the first a short one, until none changes the result. */
#define FOLD_TRUTH(name, IN, REG, LOAD, ACC, INIT, STEP, MERGE)                                                  \
    FOLD(name##_one, ONE, IN, REG, LOAD, ACC, INIT, STEP, MERGE)                                                 \
    FN int name##_changes(const ACC s, const REG v) { return (ACC)(STEP) != s; }                                 \
    FN ACC name##_fold(int64_t n, const IN *p)                                                                   \
    {                                                                                                            \
        int64_t k = n < TRUTH_FIRST ? n : TRUTH_FIRST, m;                                                        \
        ACC s = name##_one(k, p, p);                                                                             \
        for (; k < n && (name##_changes(s, 0) || name##_changes(s, 1)); k += m) {                                \
            m = n - k < TRUTH_PIECE ? n - k : TRUTH_PIECE;                                                       \
            const ACC t = name##_one(m, p + k, p + k);                                                           \
            s = MERGE;                                                                                           \
        }                                                                                                        \
        return s;                                                                                                \
    }
#define FOLD_HALF(name, IN, REG, LOAD, ACC, INIT, STEP, MERGE)                                                   \
    FOLD_OTHER(name##_floats, float, float, , ACC, INIT, STEP, MERGE)                                            \
    FN ACC name##_run(int64_t n, const IN *p)                                                                    \
    {                                                                                                            \
        float run[TB_HALF_RUN];                                                                                  \
        if (n == TB_HALF_RUN) ask_ahead(p, sizeof run / 2);                                                      \
        tb_f32_run_of_f16(run, p, n);                                                                            \
        return name##_floats_fold(n, run);                                                                       \
    }                                                                                                            \
    FN ACC name##_fold(int64_t n, const IN *p)                                                                   \
    {                                                                                                            \
        int64_t k = n < TB_HALF_RUN ? n : TB_HALF_RUN;                                                           \
        ACC s = name##_run(k, p);                                                                                \
        for (; k < n; k += TB_HALF_RUN) {                                                                        \
            const ACC t = name##_run(n - k < TB_HALF_RUN ? n - k : TB_HALF_RUN, p + k);                          \
            s = MERGE;                                                                                           \
        }                                                                                                        \
        return s;                                                                                                \
    }

/* name_leaf: the fold of a leaf, or of elements whose order does not matter. */
#define LEAF_OTHER(name, wins, KIND, IN, REG, LOAD, ACC, INIT, STEP, MERGE)                                      \
    JOIN(FOLD_, KIND)(name, IN, REG, LOAD, ACC, INIT, STEP, MERGE)                                               \
    FN ACC name##_leaf(int64_t n, const IN *p) { return name##_fold(n, p); }
#define LEAF_TRUTH LEAF_OTHER
#define LEAF_HALF LEAF_OTHER
#define LEAF_COMPLEX LEAF_OTHER
/* Extremes first take the plain one, which is one instruction, and a sum, which tells of NaNs (and of opposite
 * infinities): only then do comparisons have to look out for them. */
#define PLAIN(fn, wins, count, careful, T)                                                                       \
    FN T fn(int64_t n, const T *p)                                                                               \
    {                                                                                                            \
        enum { N = count };                                                                                      \
        T best[N], sum[N], total;                                                                                \
        int64_t k = 0;                                                                                           \
        for (int j = 0; j < N; j++) best[j] = p[0], sum[j] = 0;                                                  \
        for (; k + N <= n; k += N) {                                                                             \
            if (sizeof best == LANE_BYTES) ask_ahead(p + k, sizeof best);                                        \
            for (int j = 0; j < N; j++) {                                                                        \
                best[j] = p[k + j] wins best[j] ? p[k + j] : best[j];                                            \
                sum[j] += p[k + j];                                                                              \
            }                                                                                                    \
        }                                                                                                        \
        for (int j = 0; j < (int)(n - k); j++) {                                                                 \
            best[j] = p[k + j] wins best[j] ? p[k + j] : best[j];                                                \
            sum[j] += p[k + j];                                                                                  \
        }                                                                                                        \
        HALVES(BEST_HALF, wins)                                                                                  \
        total = sum[0];                                                                                          \
        return total == total ? best[0] : careful(n, p);                                                         \
    }
#define LEAF_REAL(name, wins, KIND, IN, REG, LOAD, ACC, INIT, STEP, MERGE)                                       \
    FOLD_REAL(name, IN, REG, LOAD, ACC, INIT, STEP, MERGE)                                                       \
    PLAIN(name##_plain_many, wins, (LANE_BYTES / sizeof(REG)), name##_fold, IN)                                  \
    PLAIN(name##_plain_few, wins, FEW_LANES(REG), name##_fold, IN)                                               \
    FN REG name##_leaf(int64_t n, const IN *p)                                                                   \
    {                                                                                                            \
        return n < TB_LEAF_BYTES / (int64_t)sizeof(REG) / 4 ? name##_plain_few(n, p) : name##_plain_many(n, p);  \
    }
#define LINE_BY_LINE(name, fn, IN, ACC)                                                                          \
    FN void name##_lines(int64_t nline, int64_t n, const void *v, int64_t stride, void *acc, int64_t i)          \
    {                                                                                                            \
        ACC *a = acc;                                                                                            \
        (void)i;                                                                                                 \
        for (int64_t r = 0; r < nline; r++) a[r] = fn(n, (const IN *)((const char *)v + r * stride));            \
    }

/* Lines whose order does not matter: LINES_EXACT of anything, LINES_LEAST and LINES_MOST of extremes. */
#define LINES_EXACT(name, KIND, IN, REG, LOAD, ACC, INIT, STEP, MERGE)                                           \
    LEAF_OTHER(name, , KIND, IN, REG, LOAD, ACC, INIT, STEP, MERGE)                                              \
    LINE_BY_LINE(name, name##_leaf, IN, ACC)
#define LINES_LEAST(name, KIND, IN, REG, LOAD, ACC, INIT, STEP, MERGE)                                           \
    JOIN(LEAF_, KIND)(name, <, KIND, IN, REG, LOAD, ACC, INIT, STEP, MERGE)                                      \
    LINE_BY_LINE(name, name##_leaf, IN, ACC)
#define LINES_MOST(name, KIND, IN, REG, LOAD, ACC, INIT, STEP, MERGE)                                            \
    JOIN(LEAF_, KIND)(name, >, KIND, IN, REG, LOAD, ACC, INIT, STEP, MERGE)                                      \
    LINE_BY_LINE(name, name##_leaf, IN, ACC)

/* Lines that are folded in a tree of leaves. */
#define LINES_PAIRWISE(name, KIND, IN, REG, LOAD, ACC, INIT, STEP, MERGE)                                        \
    LEAF_OTHER(name, , KIND, IN, REG, LOAD, ACC, INIT, STEP, MERGE)                                              \
    FN ACC name##_leaf_one(int64_t n, const IN *p, const IN *q) { return (void)q, name##_leaf(n, p); }         \
    TREE(name##_tree, name##_leaf_one, IN, ACC, MERGE)                                                         \
    FN ACC name##_line(int64_t n, const IN *p) { return name##_tree(n, p, p); }                                  \
    LINE_BY_LINE(name, name##_line, IN, ACC)
/* The same of products, for dtypes whose products are one rounding of each part. */
#define PRODUCTS(name, TIMES, IN, REG, ACC, INIT, STEP, MERGE)                                                   \
    FOLD(name##_product, PRODUCT, IN, REG, TIMES, ACC, INIT, STEP, MERGE)                                        \
    TREE(name##_product_line, name##_product, IN, ACC, MERGE)                                                    \
    FN void name##_products(int64_t nline, int64_t n, const void *x, const void *y, void *acc)                   \
    {                                                                                                            \
        ACC *a = acc;                                                                                            \
        for (int64_t r = 0; r < nline; r++)                                                                      \
            a[r] = name##_product_line(n, (const IN *)x + r * n, (const IN *)y + r * n);                         \
    }
/* Zeros and ones are counted in bytes, as many steps as these have room for. */
#define COUNT_LINES(name, IN, ACC)                                                                               \
    FN ACC name##_line(int64_t n, const IN *p)                                                                   \
    {                                                                                                            \
        ACC total = 0;                                                                                           \
        while (n > 0) {                                                                                          \
            tb_u8 lane[COUNT_LANES] = {0};                                                                       \
            tb_u32 sum = 0;                                                                                      \
            int64_t steps = n / COUNT_LANES < COUNT_STEPS ? n / COUNT_LANES : COUNT_STEPS;                       \
            n -= steps * COUNT_LANES;                                                                            \
            for (; steps > 0; steps--, p += COUNT_LANES) {                                                       \
                ask_ahead(p, COUNT_LANES);                                                                       \
                for (int j = 0; j < COUNT_LANES; j++) lane[j] += p[j];                                           \
            }                                                                                                    \
            for (int j = 0; j < COUNT_LANES; j++) sum += lane[j];                                                \
            total += sum;                                                                                        \
            if (n >= COUNT_LANES) continue;                                                                      \
            for (int j = 0; j < (int)n; j++) total += p[j];                                                      \
            n = 0;                                                                                               \
        }                                                                                                        \
        return total;                                                                                            \
    }                                                                                                            \
    LINE_BY_LINE(name, name##_line, IN, ACC)

/* pick_T: a if it comes first, else b. Whether v is as good as the best of its line, and whether that is to be asked of
 * NaNs: a line with one has it as its best, and then no number is as good. */
#define SAME_REAL(T)                                                                                             \
    FN int is_nan_##T(tb_reg_##T v) { return v != v; }                                                           \
    FN tb_reg_##T pick_##T(int first, tb_reg_##T a, tb_reg_##T b) { return first ? a : b; }                      \
    FN int same_argmin_##T(tb_reg_##T best, tb_reg_##T v) { return v == best; }                                  \
    FN int same_argmax_##T(tb_reg_##T best, tb_reg_##T v) { return v == best; }
#define SAME_COMPLEX(T)                                                                                          \
    FN int is_nan_##T(tb_reg_##T v) { return tb_has_nan_##T(v); }                                                \
    FN tb_##T pick_##T(int first, tb_##T a, tb_##T b)                                                            \
    {                                                                                                            \
        return tb_make_##T(first ? a.re : b.re, first ? a.im : b.im);                                            \
    }                                                                                                            \
    FN int same_argmin_##T(tb_reg_##T best, tb_reg_##T v) { return !tb_before_argmin_##T(best, v); }             \
    FN int same_argmax_##T(tb_reg_##T best, tb_reg_##T v) { return !tb_before_argmax_##T(best, v); }
/* Whether there are no values but 0 and 1. */
enum {
    TRUTH_bool = 1, TRUTH_i8 = 0, TRUTH_u8 = 0, TRUTH_i16 = 0, TRUTH_u16 = 0, TRUTH_i32 = 0, TRUTH_u32 = 0,
    TRUTH_i64 = 0, TRUTH_u64 = 0, TRUTH_f16 = 0, TRUTH_f32 = 0, TRUTH_f64 = 0, TRUTH_c64 = 0, TRUTH_c128 = 0,
};
SAME_REAL(bool)
SAME_REAL(i8)
SAME_REAL(u8)
SAME_REAL(i16)
SAME_REAL(u16)
SAME_REAL(i32)
SAME_REAL(u32)
SAME_REAL(i64)
SAME_REAL(u64)
SAME_REAL(f16)
SAME_REAL(f32)
SAME_REAL(f64)
SAME_COMPLEX(c64)
SAME_COMPLEX(c128)

/* The first of n elements that TEST holds for; n if there is none. A truth value of all bits, as wide as an element, is
 * what comparing vectors gives. No branches: where the first one is, is often random. */
#define FIND(fn, IN, REG, LOAD, PLACE, TEST)                                                                     \
    FN int fn##_first(int n, const IN *p, REG best)                                                              \
    {                                                                                                            \
        int at = n;                                                                                              \
        (void)best;                                                                                              \
        for (int j = 0; j < n; j++) {                                                                            \
            const REG v = LOAD(p[j]);                                                                            \
            const int here = j | (((TEST) - 1) & INT_MAX);                                                       \
            at = here < at ? here : at;                                                                          \
        }                                                                                                        \
        return at;                                                                                               \
    }                                                                                                            \
    FN int64_t fn(int64_t n, const IN *p, REG best)                                                              \
    {                                                                                                            \
        int64_t k = 0;                                                                                           \
        for (; k + GROUP <= n; k += GROUP) {                                                                     \
            PLACE found = 0;                                                                                     \
            for (int j = 0; j < GROUP; j++) {                                                                    \
                const REG v = LOAD(p[k + j]);                                                                    \
                found |= (PLACE)-(TEST);                                                                         \
            }                                                                                                    \
            if (found) return k + fn##_first(GROUP, p + k, best);                                                \
        }                                                                                                        \
        return k + fn##_first((int)(n - k), p + k, best);                                                        \
    }

/* Best values are found without positions, leaf by leaf; only in the leaf of the best one is it looked for, and there
 * only in the first group that has it. Of truth values what is better than the first is the best. */
#define ARG_LINES(name, TRUTH, BEST, IN, REG, LOAD, ACC, PLACE, ARG_OF, BEFORE, SAME, IS_NAN)                          \
    FIND(name##_find, IN, REG, LOAD, PLACE, SAME(best, v))                                                       \
    FIND(name##_find_nan, IN, REG, LOAD, PLACE, IS_NAN(v))                                                       \
    FIND(name##_find_better, IN, REG, LOAD, PLACE, BEFORE(v, best))                                              \
    FN ACC name##_line(int64_t n, const IN *p, int64_t i)                                                        \
    {                                                                                                            \
        const int64_t leaf = ARG_LEAF;                                                                           \
        REG best = LOAD(p[0]);                                                                                   \
        int64_t at = 0;                                                                                          \
        if (TRUTH) {                                                                                             \
            at = *(const tb_u8 *)p == BEST ? n : name##_find_better(n, p, best);                                 \
            return at < n ? ARG_OF(LOAD(p[at]), i + at) : ARG_OF(best, i);                                       \
        }                                                                                                        \
        for (int64_t k = 0; k < n; k += leaf) {                                                                  \
            const int64_t m = n - k < leaf ? n - k : leaf;                                                       \
            const REG v = name##_leaf(m, p + k);                                                                 \
            if (BEFORE(v, best)) best = v, at = k;                                                               \
        }                                                                                                        \
        const int64_t k = IS_NAN(best) ? name##_find_nan(n - at, p + at, best) : name##_find(n - at, p + at, best);\
        return ARG_OF(best, i + at + k);                                                                        \
    }                                                                                                            \
    FN void name##_lines(int64_t nline, int64_t n, const void *v, int64_t stride, void *acc, int64_t i)          \
    {                                                                                                            \
        ACC *a = acc;                                                                                            \
        for (int64_t r = 0; r < nline; r++) a[r] = name##_line(n, (const IN *)((const char *)v + r * stride), i); \
    }

/* Four rows at a time, so that accumulators are loaded and stored once for four elements; but rows that share pages one
 * at a time, since prefetchers follow one stream through a page. */
#define ROWS(name, IN, LOAD, ACC)                                                                                \
    FN void name##_rows(int64_t nrow, int64_t w, const void *rows, int64_t stride, void *acc, int64_t i0)        \
    {                                                                                                            \
        ACC *restrict a = acc;                                                                                   \
        const char *p = rows;                                                                                    \
        tb_i64 i = i0;                                                                                           \
        for (; nrow >= 4 && stride >= PAGE; nrow -= 4, i += 4, p += 4 * stride) {                                \
            const IN *restrict p0 = (const IN *)p, *restrict p1 = (const IN *)(p + stride);                      \
            const IN *restrict p2 = (const IN *)(p + 2 * stride), *restrict p3 = (const IN *)(p + 3 * stride);   \
            for (int64_t j = 0; j < w; j++) {                                                                    \
                const ACC before = a[j];                                                                         \
                const ACC s0 = name##_step(before, LOAD(p0[j]), i), s1 = name##_step(s0, LOAD(p1[j]), i + 1);    \
                const ACC s2 = name##_step(s1, LOAD(p2[j]), i + 2);                                              \
                a[j] = name##_step(s2, LOAD(p3[j]), i + 3);                                                      \
            }                                                                                                    \
        }                                                                                                        \
        for (; nrow >= 2 && stride >= PAGE; nrow -= 2, i += 2, p += 2 * stride) {                                \
            const IN *restrict p0 = (const IN *)p, *restrict p1 = (const IN *)(p + stride);                      \
            for (int64_t j = 0; j < w; j++)                                                                      \
                a[j] = name##_step(name##_step(a[j], LOAD(p0[j]), i), LOAD(p1[j]), i + 1);                       \
        }                                                                                                        \
        for (; nrow > 0; nrow--, i++, p += stride) {                                                             \
            const IN *restrict p0 = (const IN *)p;                                                               \
            for (int64_t j = 0; j < w; j++) a[j] = name##_step(a[j], LOAD(p0[j]), i);                            \
        }                                                                                                        \
    }

/* The best of a strip of columns and its row, in arrays of one item size so that vectors of both match; the
 * accumulators are looked at only then. */
/* Results of columns of few rows, all rows at once: no accumulators in memory, and each row is a stream of its own that
 * prefetchers follow while the others are read. */
#define FEW_ROWS_FN(name, IN, LOAD, ACC, INIT, OUT, STORE, FINAL)                                                \
    static inline __attribute__((always_inline)) void name##_few_of(const int nrow, int64_t w, const char *p,    \
                                                                    int64_t stride, OUT *restrict o, tb_i64 i,   \
                                                                    double n)                                    \
    {                                                                                                            \
        (void)n;                                                                                                 \
        for (int64_t j = 0; j < w; j++) {                                                                        \
            ACC s = INIT;                                                                                        \
            _Pragma("GCC unroll 8") for (int k = 0; k < nrow; k++)                                               \
                s = name##_step(s, LOAD(((const IN *)(p + k * stride))[j]), i + k);                              \
            o[j] = STORE(FINAL);                                                                                 \
        }                                                                                                        \
    }                                                                                                            \
    FN void name##_few_rows(int64_t nrow, int64_t w, const void *rows, int64_t stride, void *out, int64_t i,     \
                            double n)                                                                            \
    {                                                                                                            \
        switch (nrow) {                                                                                          \
        case 2: name##_few_of(2, w, rows, stride, out, i, n); break;                                             \
        case 3: name##_few_of(3, w, rows, stride, out, i, n); break;                                             \
        case 4: name##_few_of(4, w, rows, stride, out, i, n); break;                                             \
        case 5: name##_few_of(5, w, rows, stride, out, i, n); break;                                             \
        case 6: name##_few_of(6, w, rows, stride, out, i, n); break;                                             \
        case 7: name##_few_of(7, w, rows, stride, out, i, n); break;                                             \
        default: name##_few_of(8, w, rows, stride, out, i, n); break;                                            \
        }                                                                                                        \
    }

/* For the dtypes that most programs have: the loops are many. */
#define FEW_WORDS FEW_ROWS_FN
#define FEW_OTHER(...)
#define FEW_NAME_WORDS(name) name##_few_rows
#define FEW_NAME_OTHER(name) 0
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

#define ARG_ROWS(name, IN, REG, LOAD, ACC, PLACE, ARG_OF, BEFORE, PICK)                                          \
    FN void name##_strip(int nrow, int w, const char *p, int64_t stride, ACC *a, int64_t i)                      \
    {                                                                                                            \
        REG best[STRIP];                                                                                         \
        PLACE place[STRIP];                                                                                      \
        for (int j = 0; j < w; j++) best[j] = LOAD(((const IN *)p)[j]), place[j] = 0;                            \
        for (int r = 1; r < nrow; r++) {                                                                         \
            const IN *row = (const IN *)(p + r * stride);                                                        \
            for (int j = 0; j < w; j++) {                                                                        \
                const REG v = LOAD(row[j]), s = best[j];                                                         \
                const int better = BEFORE(v, s);                                                                 \
                best[j] = PICK(better, v, s);                                                                    \
                place[j] = better ? (PLACE)r : place[j];                                                         \
            }                                                                                                    \
        }                                                                                                        \
        for (int j = 0; j < w; j++)                                                                              \
            if (a[j].i < 0 || BEFORE(best[j], a[j].v)) a[j] = ARG_OF(best[j], i + place[j]);                     \
    }                                                                                                            \
    FN void name##_rows(int64_t nrow, int64_t w, const void *rows, int64_t stride, void *acc, int64_t i)         \
    {                                                                                                            \
        const char *p = rows;                                                                                    \
        for (int64_t n; nrow > 0; nrow -= n, i += n, p += n * stride) {                                          \
            n = nrow < STRIP_ROWS ? nrow : STRIP_ROWS;                                                           \
            for (int64_t j = 0; j < w; j += STRIP)                                                               \
                name##_strip((int)n, (int)(w - j < STRIP ? w - j : STRIP), p + j * (int64_t)sizeof(IN), stride,  \
                             (ACC *)acc + j, i);                                                                 \
        }                                                                                                        \
    }

#define INIT_AND_MERGE(name, ACC, INIT, MERGE)                                                                   \
    FN void name##_init(int64_t n, void *acc)                                                                    \
    {                                                                                                            \
        ACC *a = acc;                                                                                            \
        for (int64_t j = 0; j < n; j++) a[j] = INIT;                                                             \
    }                                                                                                            \
    FN void name##_merge(int64_t n, void *acc, const void *other)                                                \
    {                                                                                                            \
        ACC *restrict a = acc;                                                                                   \
        const ACC *restrict b = other;                                                                           \
        for (int64_t j = 0; j < n; j++) {                                                                        \
            const ACC s = a[j], t = b[j];                                                                        \
            a[j] = MERGE;                                                                                        \
        }                                                                                                        \
    }

#define STEP_FN(name, REG, ACC, STEP)                                                               \
    static inline __attribute__((always_inline)) ACC name##_step(const ACC s, const REG v, const tb_i64 i) \
    {                                                                                               \
        (void)i;                                                                                    \
        return STEP;                                                                                \
    }

#define FINAL_FN(name, OUT, STORE, ACC, FINAL)                                                      \
    FN void name##_final(int64_t m, const void *acc, void *out, double n)                           \
    {                                                                                               \
        const ACC *restrict a = acc;                                                                \
        OUT *restrict o = out;                                                                      \
        (void)n;                                                                                    \
        for (int64_t j = 0; j < m; j++) {                                                           \
            const ACC s = a[j];                                                                     \
            o[j] = STORE(FINAL);                                                                    \
        }                                                                                           \
    }

/* Rows of a width that is known: accumulators stay in registers. */
#define NARROW_ROWS(W, name, IN, LOAD, OUT, STORE, ACC)                                                          \
    case W: {                                                                                                    \
        ACC s[W];                                                                                                \
        for (int j = 0; j < W; j++) s[j] = a[j];                                                                 \
        for (int64_t r = 0; r < nrow; r++) {                                                                     \
            const IN *p = (const IN *)((const char *)v + r * v_stride);                                          \
            OUT *o = (OUT *)((char *)out + r * out_stride);                                                      \
            for (int j = 0; j < W; j++) {                                                                        \
                s[j] = name##_step(s[j], LOAD(p[j]), 0);                                                         \
                o[j] = STORE(s[j]);                                                                              \
            }                                                                                                    \
        }                                                                                                        \
        for (int j = 0; j < W; j++) a[j] = s[j];                                                                 \
        return;                                                                                                  \
    }

/* Lines are scanned four abreast: each is a chain of dependent steps. */
#define SCANS(name, IN, LOAD, OUT, STORE, ACC)                                                                   \
    FN void name##_scan_lines(int64_t nline, int64_t n, const void *v, int64_t v_stride, void *out,              \
                              int64_t out_stride, void *acc)                                                     \
    {                                                                                                            \
        ACC *a = acc;                                                                                            \
        const char *p = v;                                                                                       \
        char *o = out;                                                                                           \
        for (; nline >= 4; nline -= 4, a += 4, p += 4 * v_stride, o += 4 * out_stride) {                         \
            const IN *p0 = (const IN *)p, *p1 = (const IN *)(p + v_stride), *p2 = (const IN *)(p + 2 * v_stride); \
            const IN *p3 = (const IN *)(p + 3 * v_stride);                                                       \
            OUT *o0 = (OUT *)o, *o1 = (OUT *)(o + out_stride), *o2 = (OUT *)(o + 2 * out_stride);                \
            OUT *o3 = (OUT *)(o + 3 * out_stride);                                                               \
            ACC s0 = a[0], s1 = a[1], s2 = a[2], s3 = a[3];                                                      \
            for (int64_t k = 0; k < n; k++) {                                                                    \
                s0 = name##_step(s0, LOAD(p0[k]), 0);                                                            \
                s1 = name##_step(s1, LOAD(p1[k]), 0);                                                            \
                s2 = name##_step(s2, LOAD(p2[k]), 0);                                                            \
                s3 = name##_step(s3, LOAD(p3[k]), 0);                                                            \
                o0[k] = STORE(s0);                                                                               \
                o1[k] = STORE(s1);                                                                               \
                o2[k] = STORE(s2);                                                                               \
                o3[k] = STORE(s3);                                                                               \
            }                                                                                                    \
            a[0] = s0;                                                                                           \
            a[1] = s1;                                                                                           \
            a[2] = s2;                                                                                           \
            a[3] = s3;                                                                                           \
        }                                                                                                        \
        for (; nline > 0; nline--, a++, p += v_stride, o += out_stride) {                                        \
            const IN *p0 = (const IN *)p;                                                                        \
            OUT *o0 = (OUT *)o;                                                                                  \
            ACC s = a[0];                                                                                        \
            for (int64_t k = 0; k < n; k++) {                                                                    \
                s = name##_step(s, LOAD(p0[k]), 0);                                                              \
                o0[k] = STORE(s);                                                                                \
            }                                                                                                    \
            a[0] = s;                                                                                            \
        }                                                                                                        \
    }                                                                                                            \
    FN void name##_scan_rows(int64_t nrow, int64_t w, const void *v, int64_t v_stride, void *out,                \
                             int64_t out_stride, void *acc)                                                      \
    {                                                                                                            \
        ACC *restrict a = acc;                                                                                   \
        switch (w) {                                                                                             \
        NARROW_ROWS(2, name, IN, LOAD, OUT, STORE, ACC)                                                          \
        NARROW_ROWS(3, name, IN, LOAD, OUT, STORE, ACC)                                                          \
        NARROW_ROWS(4, name, IN, LOAD, OUT, STORE, ACC)                                                          \
        NARROW_ROWS(5, name, IN, LOAD, OUT, STORE, ACC)                                                          \
        NARROW_ROWS(6, name, IN, LOAD, OUT, STORE, ACC)                                                          \
        NARROW_ROWS(7, name, IN, LOAD, OUT, STORE, ACC)                                                          \
        default: break;                                                                                          \
        }                                                                                                        \
        for (int64_t r = 0; r < nrow; r++) {                                                                     \
            const IN *p = (const IN *)((const char *)v + r * v_stride);                                          \
            OUT *o = (OUT *)((char *)out + r * out_stride);                                                      \
            INDEPENDENT                                                                                          \
            for (int64_t j = 0; j < w; j++) {                                                                    \
                a[j] = name##_step(a[j], LOAD(p[j]), 0);                                                         \
                o[j] = STORE(a[j]);                                                                              \
            }                                                                                                    \
        }                                                                                                        \
    }

#define RED(op, in, acc_, out, init_, step_, merge_, final_)                                                     \
    STEP_FN(op##_##in, tb_reg_##in, acc_, step_)                                                                 \
    LINES_##op(op##_##in, KIND_##in, tb_##in, tb_reg_##in, tb_load_##in, acc_, (init_), (step_), (merge_))       \
    ROWS(op##_##in, tb_##in, tb_load_##in, acc_)                                                                 \
    JOIN(FEW_, WIDTH_##in)(op##_##in, tb_##in, tb_load_##in, acc_, (init_), tb_##out, tb_store_##out, (final_))  \
    INIT_AND_MERGE(op##_##in, acc_, (init_), (merge_))                                                           \
    FINAL_FN(op##_##in, tb_##out, tb_store_##out, acc_, (final_))                                                \
    JOIN(SCANS_, FAMILY_##op)(op##_##in, tb_##in, tb_load_##in, tb_##out, tb_store_##out, acc_)                  \
    JOIN(PRODUCTS_, FAMILY_##op)(op##_##in, KIND_##in, TIMES_##in, tb_##in, tb_reg_##in, acc_, (init_), (step_), \
                                 (merge_))

#define RED_COUNT(op, in, acc_, out, init_, step_, merge_, final_)                                               \
    STEP_FN(op##_##in, tb_reg_##in, acc_, step_)                                                                 \
    COUNT_LINES(op##_##in, tb_##in, acc_)                                                                        \
    ROWS(op##_##in, tb_##in, tb_load_##in, acc_)                                                                 \
    JOIN(FEW_, WIDTH_##in)(op##_##in, tb_##in, tb_load_##in, acc_, (init_), tb_##out, tb_store_##out, (final_))  \
    INIT_AND_MERGE(op##_##in, acc_, (init_), (merge_))                                                           \
    FINAL_FN(op##_##in, tb_##out, tb_store_##out, acc_, (final_))                                                \
    JOIN(SCANS_, FAMILY_##op)(op##_##in, tb_##in, tb_load_##in, tb_##out, tb_store_##out, acc_)

#define RED_INDEX(op, in, acc_, out, init_, step_, merge_, final_)                                               \
    JOIN(LEAF_, KIND_##in)(op##_##in, WINS_##op, KIND_##in, tb_##in, tb_reg_##in, tb_load_##in, tb_reg_##in,     \
                           first, tb_best_##op##_##in(v, s), tb_best_##op##_##in(t, s))                           \
    ARG_LINES(op##_##in, TRUTH_##in, BEST_##op, tb_##in, tb_reg_##in, tb_load_##in, acc_, place_##in, tb_arg_of_##in, \
              tb_before_##op##_##in, same_##op##_##in, is_nan_##in)                                              \
    ARG_ROWS(op##_##in, tb_##in, tb_reg_##in, tb_load_##in, acc_, place_##in, tb_arg_of_##in,                    \
             tb_before_##op##_##in, pick_##in)                                                                   \
    INIT_AND_MERGE(op##_##in, acc_, (init_), (merge_))                                                           \
    FINAL_FN(op##_##in, tb_##out, tb_store_##out, acc_, (final_))

#define WINS_argmin <
#define WINS_argmax >
/* Of truth values. */
#define BEST_argmin 0
#define BEST_argmax 1

#define LINES_sum LINES_PAIRWISE
#define LINES_prod LINES_PAIRWISE
#define LINES_mean LINES_PAIRWISE
#define LINES_var LINES_PAIRWISE
#define LINES_std LINES_PAIRWISE
#define LINES_min LINES_LEAST
#define LINES_max LINES_MOST
#define LINES_fmin LINES_LEAST
#define LINES_fmax LINES_MOST
#define LINES_any LINES_EXACT
#define LINES_all LINES_EXACT
#define LINES_bitand LINES_EXACT
#define LINES_bitor LINES_EXACT
#define LINES_bitxor LINES_EXACT

/* What there is besides folds: running results, folds of products. */
#define FAMILY_sum SUM
#define FAMILY_prod RUNNING
#define FAMILY_mean MEAN
#define FAMILY_var PLAIN
#define FAMILY_std PLAIN
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

#define SCANS_SUM SCANS
#define SCANS_RUNNING SCANS
#define SCANS_MEAN(...)
#define SCANS_PLAIN(...)
#define PRODUCTS_SUM(name, KIND, ...) JOIN(PRODUCTS_OF_, KIND)(name, __VA_ARGS__)
#define PRODUCTS_RUNNING(...)
#define PRODUCTS_MEAN PRODUCTS_SUM
#define PRODUCTS_PLAIN(...)
#define PRODUCTS_OF_REAL PRODUCTS
#define PRODUCTS_OF_COMPLEX PRODUCTS
#define PRODUCTS_OF_HALF(...)
#define PRODUCTS_OF_OTHER(...)
#define PRODUCTS_OF_TRUTH(...)
#include "tables/reduce.def"
#undef RED
#undef RED_INDEX

#define SCAN_NAMES_SUM(name) name##_scan_lines, name##_scan_rows
#define SCAN_NAMES_RUNNING SCAN_NAMES_SUM
#define SCAN_NAMES_MEAN(name) 0, 0
#define SCAN_NAMES_PLAIN SCAN_NAMES_MEAN
#define PRODUCTS_NAME_SUM(name, KIND) JOIN(PRODUCTS_NAME_OF_, KIND)(name)
#define PRODUCTS_NAME_RUNNING(...) 0
#define PRODUCTS_NAME_MEAN PRODUCTS_NAME_SUM
#define PRODUCTS_NAME_PLAIN PRODUCTS_NAME_RUNNING
#define PRODUCTS_NAME_OF_REAL(name) name##_products
#define PRODUCTS_NAME_OF_COMPLEX PRODUCTS_NAME_OF_REAL
#define PRODUCTS_NAME_OF_HALF(name) 0
#define PRODUCTS_NAME_OF_OTHER PRODUCTS_NAME_OF_HALF
#define PRODUCTS_NAME_OF_TRUTH PRODUCTS_NAME_OF_HALF

#define ENTRY(name, FAMILY, KIND, acc, FEW)                                                                \
    {sizeof(acc), name##_init, name##_lines, JOIN(PRODUCTS_NAME_, FAMILY)(name, KIND), name##_rows, FEW,   \
     name##_merge, name##_final, JOIN(SCAN_NAMES_, FAMILY)(name)},
#define RED(op, in, acc, out, init, step, merge, final) \
    ENTRY(op##_##in, FAMILY_##op, KIND_##in, acc, JOIN(FEW_NAME_, WIDTH_##in)(op##_##in))
#define RED_INDEX(op, in, acc, out, init, step, merge, final) ENTRY(op##_##in, FAMILY_##op, KIND_##in, acc, 0)
#define TABLE(isa) JOIN(tb__cpu_red_loops_, isa)
extern const tb_red_loops TABLE(TB_ISA)[];
const tb_red_loops TABLE(TB_ISA)[] = {
#include "tables/reduce.def"
};
