/* scan_loops.c - running results along lines, and down the columns of narrow rows. Both are chains of dependent steps,
 * to which wider vectors bring nothing: they are compiled for the base instruction set alone. */
#include "backend/cpu/loops/loops.h"
#include "backend/cpu/loops/reduce_rows.h"

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

/* Lines are scanned four abreast. */
#define SCAN_LINES(name, IN, LOAD, OUT, STORE, ACC)                                                                   \
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
    }

#define SCAN_NARROW(name, IN, LOAD, OUT, STORE, ACC)                                                             \
    FN void name##_scan_narrow(int64_t nrow, int64_t w, const void *v, int64_t v_stride, void *out,              \
                               int64_t out_stride, void *acc)                                                    \
    {                                                                                                            \
        ACC *restrict a = acc;                                                                                   \
        switch (w) {                                                                                             \
        NARROW_ROWS(1, name, IN, LOAD, OUT, STORE, ACC)                                                          \
        NARROW_ROWS(2, name, IN, LOAD, OUT, STORE, ACC)                                                          \
        NARROW_ROWS(3, name, IN, LOAD, OUT, STORE, ACC)                                                          \
        NARROW_ROWS(4, name, IN, LOAD, OUT, STORE, ACC)                                                          \
        NARROW_ROWS(5, name, IN, LOAD, OUT, STORE, ACC)                                                          \
        NARROW_ROWS(6, name, IN, LOAD, OUT, STORE, ACC)                                                          \
        NARROW_ROWS(7, name, IN, LOAD, OUT, STORE, ACC)                                                          \
        default: break;                                                                                          \
        }                                                                                                        \
    }

#define RED(op, in, acc_, out, init_, step_, ...)                                                                \
    STEP_FN(op##_##in, tb_reg_##in, acc_, step_)                                                                 \
    SCAN_LINES(op##_##in, tb_##in, tb_load_##in, tb_##out, tb_store_##out, acc_)                                 \
    SCAN_NARROW(op##_##in, tb_##in, tb_load_##in, tb_##out, tb_store_##out, acc_)
#define RED_SPREAD(...)
#define RED_MIN_MAX(...)
#define RED_PTP(...)
#define RED_END(...)
#define RED_TWIN(...)
#define RED_INDEX(...)
#define RED_EXPS(...)
#include "tables/reduce.def"

void tb__red_scans(tb_red_loops *table)
{
#define RED(op, in, ...)                                                                                         \
    table[AT_##op##_##in].scan_lines = op##_##in##_scan_lines;                                                   \
    table[AT_##op##_##in].scan_narrow = op##_##in##_scan_narrow;
#define RED_SPREAD(...)
#define RED_MIN_MAX(...)
#define RED_PTP(...)
#define RED_END(...)
#define RED_TWIN(...)
#define RED_INDEX(...)
#define RED_EXPS(...)
#include "tables/reduce.def"
}
