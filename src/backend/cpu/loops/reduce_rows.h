/* reduce_rows.h - folds and running results across rows, and what is made of accumulators, one function a row of
 * reduce.def. */
#ifndef TB_BACKEND_CPU_LOOPS_REDUCE_ROWS_H
#define TB_BACKEND_CPU_LOOPS_REDUCE_ROWS_H
#include "backend/cpu/loops/reduce_tokens.h"

enum { PAGE = 4096, PAIRS = 1024 }; /* bytes; columns */

#define STEP_FN(name, REG, ACC, STEP)                                                               \
    static inline __attribute__((always_inline)) ACC name##_step(const ACC s, const REG v, const tb_i64 i) \
    {                                                                                               \
        (void)i;                                                                                    \
        return STEP;                                                                                \
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

/* Four rows at a time, so that accumulators are loaded and stored once for four elements; but rows that share pages one
 * at a time, since prefetchers follow one stream through a page. */
#define ROWS_OTHER(name, IN, LOAD, ACC)                                                                                \
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
#define ROWS_TRUTH ROWS_OTHER
#define ROWS_REAL ROWS_OTHER
#define ROWS_COMPLEX ROWS_OTHER
/* float16 is converted a run at a time, of several rows where these lie one behind the other. */
#define ROWS_HALF(name, IN, LOAD, ACC)                                                                           \
    FN void name##_rows(int64_t nrow, int64_t w, const void *rows, int64_t stride, void *acc, int64_t i)         \
    {                                                                                                            \
        ACC *restrict a = acc;                                                                                   \
        const char *p = rows;                                                                                    \
        float run[TB_HALF_RUN];                                                                                  \
        const int whole = w > 0 && w < TB_HALF_RUN && stride == w * (int64_t)sizeof(IN);                        \
        const int64_t most = whole ? TB_HALF_RUN / w : 1;                                                        \
        for (int64_t k; nrow > 0; nrow -= k, i += k, p += k * stride) {                                          \
            k = nrow < most ? nrow : most;                                                                       \
            for (int64_t at = 0, m; at < w; at += m) {                                                           \
                m = w - at < TB_HALF_RUN ? w - at : TB_HALF_RUN;                                                 \
                TB_FLOATS_OF_RUN(run, (const IN *)p + at, k * m);                                              \
                for (int64_t r = 0; r < k; r++)                                                                  \
                    for (int64_t j = 0; j < m; j++) a[at + j] = name##_step(a[at + j], run[r * m + j], i + r);   \
            }                                                                                                    \
        }                                                                                                        \
    }

/* Both extremes down a strip of columns, whose accumulators are two arrays meanwhile: pairs of narrow numbers
 * take shuffles. */
#define MIN_MAX_ROWS_OTHER(in, IN, LOAD, ACC)                                                                    \
    FN void min_max_##in##_rows(int64_t nrow, int64_t w, const void *rows, int64_t stride, void *acc, int64_t i) \
    {                                                                                                            \
        ACC *a = acc;                                                                                            \
        (void)i;                                                                                                 \
        for (int64_t at = 0; at < w; at += PAIRS) {                                                              \
            const int m = (int)(w - at < PAIRS ? w - at : PAIRS);                                                \
            ACC s;                                                                                               \
            __typeof__(s.least) least[PAIRS], most[PAIRS];                                                       \
            for (int j = 0; j < m; j++) least[j] = a[at + j].least, most[j] = a[at + j].most;                    \
            for (int64_t r = 0; r < nrow; r++) {                                                                 \
                const IN *p = (const IN *)((const char *)rows + r * stride) + at;                                \
                for (int j = 0; j < m; j++) {                                                                    \
                    s = min_max_##in##_step(tb_min_max_of_##in(least[j], most[j]), LOAD(p[j]), 0);               \
                    least[j] = s.least;                                                                          \
                    most[j] = s.most;                                                                            \
                }                                                                                                \
            }                                                                                                    \
            for (int j = 0; j < m; j++) a[at + j] = tb_min_max_of_##in(least[j], most[j]);                       \
        }                                                                                                        \
    }
#define MIN_MAX_ROWS_WORDS(in, IN, LOAD, ACC) ROWS_OTHER(min_max_##in, IN, LOAD, ACC)

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

/* Running results down the columns of rows that are not narrow (scan_loops.c has those). */
#define SCAN_ROWS_OTHER(name, IN, LOAD, OUT, STORE, ACC)                                                         \
    FN void name##_scan_rows(int64_t nrow, int64_t w, const void *v, int64_t v_stride, void *out,                \
                             int64_t out_stride, void *acc)                                                      \
    {                                                                                                            \
        ACC *restrict a = acc;                                                                                   \
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
#define SCAN_ROWS_TRUTH SCAN_ROWS_OTHER
#define SCAN_ROWS_REAL SCAN_ROWS_OTHER
#define SCAN_ROWS_COMPLEX SCAN_ROWS_OTHER
#define SCAN_ROWS_HALF(name, IN, LOAD, OUT, STORE, ACC)                                                          \
    FN void name##_scan_rows(int64_t nrow, int64_t w, const void *v, int64_t v_stride, void *out,                \
                             int64_t out_stride, void *acc)                                                      \
    {                                                                                                            \
        ACC *restrict a = acc;                                                                                   \
        float run[TB_HALF_RUN];                                                                                  \
        for (int64_t r = 0; r < nrow; r++) {                                                                     \
            for (int64_t at = 0, m; at < w; at += m) {                                                           \
                m = w - at < TB_HALF_RUN ? w - at : TB_HALF_RUN;                                                 \
                TB_FLOATS_OF_RUN(run, (const IN *)((const char *)v + r * v_stride) + at, m);                   \
                for (int64_t j = 0; j < m; j++) run[j] = a[at + j] = name##_step(a[at + j], run[j], 0);          \
                TB_RUN_OF_FLOATS((OUT *)((char *)out + r * out_stride) + at, run, m);                            \
            }                                                                                                    \
        }                                                                                                        \
    }
#endif
