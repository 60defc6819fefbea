/* reduce_fold.h - the folds of lines, for reductions that need no positions: lanes, trees of leaves, products, counts.
 *
 * In the macros p and q are the elements, s and t accumulators, v an element as a register value, as in reduce.def. */
#ifndef TB_BACKEND_CPU_LOOPS_REDUCE_FOLD_H
#define TB_BACKEND_CPU_LOOPS_REDUCE_FOLD_H
#include "backend/cpu/loops/reduce_tokens.h"

enum { LANE_BYTES = 256, COUNT_LANES = 64, COUNT_STEPS = 255, LINE = 64, AHEAD = 4096 };
enum { CACHED = 1 << 14 }; /* bytes */
enum { TRUTH_FIRST = 64, TRUTH_PIECE = 4096 };

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
#define CONJUGATE_TIMES_c64(a, b) tb_times_c64(tb_make_c64((a).re, -(a).im), b)
#define CONJUGATE_TIMES_c128(a, b) tb_times_c128(tb_make_c128((a).re, -(a).im), b)

/* One fold of n > 0 elements in `count` independent lanes, joined by a tree. */
#define LANES(fn, count, WHAT, IN, REG, LOAD, ACC, INIT, STEP, MERGE)                                            \
    FN ACC fn(int64_t n, const IN *p, const IN *q)                                                               \
    {                                                                                                            \
        enum { N = count };                                                                                      \
        const tb_i64 i = 0;                                                                                      \
        const REG first = TAKE_##WHAT(LOAD, p, q, 0);                                                            \
        ACC lane[N];                                                                                             \
        (void)i, (void)first, (void)q;                                                                           \
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
        TB_FLOATS_OF_RUN(run, p, n);                                                                           \
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
/* Lanes change the order, by which one NaN wins over others: so it is looked for. */
#define LEAF_COMPLEX(name, wins, KIND, IN, REG, LOAD, ACC, INIT, STEP, MERGE)                                    \
    FOLD_COMPLEX(name, IN, REG, LOAD, ACC, INIT, STEP, MERGE)                                                    \
    FN ACC name##_leaf(int64_t n, const IN *p)                                                                   \
    {                                                                                                            \
        const ACC s = name##_fold(n, p);                                                                         \
        if (s.re == s.re && s.im == s.im) return s;                                                              \
        while (p->re == p->re && p->im == p->im) p++;                                                            \
        return *p;                                                                                               \
    }
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

/* Both extremes of lines, a piece at a time: the second fold of it finds it in the cache. */
#define MIN_MAX_LINES(in, IN, ACC, INIT, MERGE)                                                                  \
    FN ACC min_max_##in##_line(int64_t n, const IN *p)                                                           \
    {                                                                                                            \
        const int64_t piece = CACHED / sizeof(IN);                                                               \
        ACC s = INIT;                                                                                            \
        for (int64_t m; n > 0; n -= m, p += m) {                                                                 \
            m = n < piece ? n : piece;                                                                           \
            const ACC t = tb_min_max_of_##in(min_##in##_leaf(m, p), max_##in##_leaf(m, p));                      \
            s = MERGE;                                                                                           \
        }                                                                                                        \
        return s;                                                                                                \
    }                                                                                                            \
    LINE_BY_LINE(min_max_##in, min_max_##in##_line, IN, ACC)

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
/* Zeros and others are told apart and counted in bytes, as many steps as these have room for. */
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
                for (int j = 0; j < COUNT_LANES; j++) lane[j] += p[j] != 0;                                      \
            }                                                                                                    \
            for (int j = 0; j < COUNT_LANES; j++) sum += lane[j];                                                \
            total += sum;                                                                                        \
            if (n >= COUNT_LANES) continue;                                                                      \
            for (int j = 0; j < (int)n; j++) total += p[j] != 0;                                                 \
            n = 0;                                                                                               \
        }                                                                                                        \
        return total;                                                                                            \
    }                                                                                                            \
    LINE_BY_LINE(name, name##_line, IN, ACC)
#endif
