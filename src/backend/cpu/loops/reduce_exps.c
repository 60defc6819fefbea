/* reduce_exps.c - the loops of sums of exponentials: their exponentials are those of the elementwise loops, many at a
 * time. Compiled once per instruction set (TB_ISA).
 *
 * Of a leaf of a line the greatest element is looked for first; across rows there is one exponential for each element,
 * of what is less than the greatest so far, or of that. */
#include "backend/cpu/loops/loops.h"
#include "backend/cpu/loops/reduce_rows.h"

enum { RUN = 1024, WIDE = 512, EXPS_LANES = 32 };

/* In place. */
static void call(tb_op op, tb_dtype t, int64_t n, void *x)
{
    void *const p[] = {x, x};
    tb__cpu_loops()[tb__loop_find(op, 1, &t)](n, p, 0);
}

#define LANES_TO_ONE(T, N, EXPRESSION)                                                                           \
    for (int half = N / 2; half > 0; half /= 2)                                                                  \
        for (int j = 0; j < half; j++) {                                                                         \
            const T s = lane[j], t = lane[j + half];                                                             \
            lane[j] = EXPRESSION;                                                                                \
        }

/* greatest_f: of n > 0 numbers, -inf of none that is not NaN. less_f: by how much they are less than `most`.
 * others_f: of the exponentials of those, the sum of all but one that is 1. */
#define LINE_PARTS(T, f, minus_inf)                                                                              \
    FN T greatest_##f(int64_t n, const T *p)                                                                     \
    {                                                                                                            \
        T lane[EXPS_LANES];                                                                                      \
        for (int j = 0; j < EXPS_LANES; j++) lane[j] = minus_inf;                                                \
        for (; n >= EXPS_LANES; n -= EXPS_LANES, p += EXPS_LANES)                                                \
            for (int j = 0; j < EXPS_LANES; j++) lane[j] = p[j] > lane[j] ? p[j] : lane[j];                      \
        for (int j = 0; j < (int)n; j++) lane[j] = p[j] > lane[j] ? p[j] : lane[j];                              \
        LANES_TO_ONE(T, EXPS_LANES, t > s ? t : s)                                                               \
        return lane[0];                                                                                          \
    }                                                                                                            \
    FN void less_##f(int64_t n, const T *p, T most, T *out)                                                      \
    {                                                                                                            \
        for (int64_t k = 0; k < n; k++) out[k] = p[k] == most ? 0 : p[k] - most;                                 \
    }                                                                                                            \
    FN T others_##f(int64_t n, const T *p)                                                                       \
    {                                                                                                            \
        T lane[2 * EXPS_LANES] = {0}, *const ones = lane + EXPS_LANES;                                           \
        for (; n >= EXPS_LANES; n -= EXPS_LANES, p += EXPS_LANES)                                                \
            for (int j = 0; j < EXPS_LANES; j++) {                                                               \
                lane[j] += p[j] == 1 ? 0 : p[j];                                                                 \
                ones[j] += p[j] == 1 ? 1 : 0;                                                                    \
            }                                                                                                    \
        for (int j = 0; j < (int)n; j++) {                                                                       \
            lane[j] += p[j] == 1 ? 0 : p[j];                                                                     \
            ones[j] += p[j] == 1 ? 1 : 0;                                                                        \
        }                                                                                                        \
        T count = -1;                                                                                            \
        for (int j = 0; j < EXPS_LANES; j++) count += ones[j];                                                   \
        LANES_TO_ONE(T, EXPS_LANES, s + t)                                                                       \
        return lane[0] + (count < 0 ? 0 : count);                                                                \
    }
LINE_PARTS(float, f32, -tb_inf_f32())
LINE_PARTS(double, f64, -tb_inf_f64())

/* n <= RUN elements as numbers, in `to` or where they are. */
#define AS_NUMBERS(f, T)                                                                                         \
    FN const T *numbers_##f(int64_t n, const T *p, T *to)                                                        \
    {                                                                                                            \
        (void)n, (void)to;                                                                                       \
        return p;                                                                                                \
    }
AS_NUMBERS(f32, float)
AS_NUMBERS(f64, double)
/* A call, or gcc 12 takes what it writes for not initialised. */
#define WIDENED(f)                                                                                               \
    __attribute__((noinline)) FN const float *numbers_##f(int64_t n, const tb_##f *p, float *to)                 \
    {                                                                                                            \
        tb_f32_run_of_##f(to, p, n);                                                                             \
        return to;                                                                                               \
    }
WIDENED(f16)
WIDENED(bf16)

#define EXPS_LOOPS(in, f, T, DTYPE)                                                                              \
    INIT_AND_MERGE(of_##in, tb_exps_##f, tb_exps_of_##f(-tb_inf_##f(), 0), tb_exps_join_##f(s, t))               \
    /* Lines of up to a leaf, as many as fit a run. */                                                          \
    FN void in##_group(int64_t nline, int64_t n, const char *v, int64_t stride, tb_exps_##f *a)                  \
    {                                                                                                            \
        T x[RUN];                                                                                                \
        for (int64_t r = 0; r < nline; r++) {                                                                    \
            const T *p = numbers_##in(n, (const tb_##in *)(const void *)(v + r * stride), x + r * n);            \
            a[r].most = greatest_##f(n, p);                                                                      \
            less_##f(n, p, a[r].most, x + r * n);                                                                \
        }                                                                                                        \
        call(TB_OP_exp, DTYPE, nline * n, x);                                                                    \
        for (int64_t r = 0; r < nline; r++) a[r].rest = others_##f(n, x + r * n);                                \
    }                                                                                                            \
    FN tb_exps_##f in##_tree(int64_t n, const tb_##in *p)                                                        \
    {                                                                                                            \
        tb_exps_##f whole;                                                                                       \
        const int64_t leaf = TB_LEAF_BYTES / sizeof whole;                                                       \
        if (n <= leaf) {                                                                                         \
            in##_group(1, n, (const char *)p, 0, &whole);                                                        \
            return whole;                                                                                        \
        }                                                                                                        \
        int64_t head = leaf;                                                                                     \
        while (2 * head < n) head *= 2;                                                                          \
        const tb_exps_##f s = in##_tree(head, p), t = in##_tree(n - head, p + head);                             \
        return tb_exps_join_##f(s, t);                                                                           \
    }                                                                                                            \
    FN void in##_lines(int64_t nline, int64_t n, const void *v, int64_t stride, void *acc, int64_t i)            \
    {                                                                                                            \
        tb_exps_##f *a = acc;                                                                                    \
        const char *p = v;                                                                                       \
        const int64_t group = n > RUN / 2 ? 1 : RUN / n;                                                         \
        (void)i;                                                                                                 \
        for (int64_t k; nline > 0; nline -= k, a += k, p += k * stride) {                                        \
            k = nline < group ? nline : group;                                                                   \
            if (n > TB_LEAF_BYTES / (int64_t)sizeof *a) *a = in##_tree(n, (const tb_##in *)(const void *)p), k = 1; \
            else in##_group(k, n, p, stride, a);                                                                 \
        }                                                                                                        \
    }                                                                                                            \
    FN void in##_rows(int64_t nrow, int64_t w, const void *rows, int64_t stride, void *acc, int64_t i)           \
    {                                                                                                            \
        T x[WIDE], given[WIDE], most[WIDE], rest[WIDE];                                                          \
        (void)i;                                                                                                 \
        for (int64_t at = 0, m; at < w; at += m) {                                                               \
            tb_exps_##f *a = (tb_exps_##f *)acc + at;                                                            \
            m = w - at < WIDE ? w - at : WIDE;                                                                   \
            for (int64_t j = 0; j < m; j++) most[j] = a[j].most, rest[j] = a[j].rest;                            \
            for (int64_t r = 0; r < nrow; r++) {                                                                 \
                const char *row = (const char *)rows + r * stride;                                               \
                const T *p = numbers_##in(m, (const tb_##in *)(const void *)row + at, given);                    \
                for (int64_t j = 0; j < m; j++) {                                                                \
                    const T d = p[j] > most[j] ? most[j] - p[j] : p[j] - most[j];                                \
                    x[j] = p[j] == most[j] ? 0 : d;                                                              \
                }                                                                                                \
                call(TB_OP_exp, DTYPE, m, x);                                                                    \
                for (int64_t j = 0; j < m; j++) {                                                                \
                    const int more = p[j] > most[j];                                                             \
                    const T scaled = 1 + (more ? rest[j] : 0), kept = more ? 0 : rest[j];                        \
                    rest[j] = kept + TB_ROUNDED(scaled * x[j]);                                                  \
                    most[j] = more ? p[j] : most[j];                                                             \
                }                                                                                                \
            }                                                                                                    \
            for (int64_t j = 0; j < m; j++) a[j] = tb_exps_of_##f(most[j], rest[j]);                             \
        }                                                                                                        \
    }                                                                                                            \
    FN void in##_final(int64_t m, const void *acc, void *out, double n)                                          \
    {                                                                                                            \
        const tb_exps_##f *a = acc;                                                                              \
        tb_##in *o = out;                                                                                        \
        T x[RUN];                                                                                                \
        (void)n;                                                                                                 \
        for (int64_t at = 0, k; at < m; at += k) {                                                               \
            k = m - at < RUN ? m - at : RUN;                                                                     \
            for (int64_t j = 0; j < k; j++) x[j] = a[at + j].rest;                                               \
            call(TB_OP_log1p, DTYPE, k, x);                                                                      \
            for (int64_t j = 0; j < k; j++) o[at + j] = tb_store_##in(a[at + j].most + x[j]);                    \
        }                                                                                                        \
    }
EXPS_LOOPS(f16, f32, float, TB_F32)
EXPS_LOOPS(bf16, f32, float, TB_F32)
EXPS_LOOPS(f32, f32, float, TB_F32)
EXPS_LOOPS(f64, f64, double, TB_F64)

#define RED_EXPS(op, in, acc_, ...)                                                                              \
    table[AT_##op##_##in] = (tb_red_loops){.acc = sizeof(acc_), .init = of_##in##_init, .lines = in##_lines,     \
                                           .rows = in##_rows, .merge = of_##in##_merge, .final = in##_final};

void TB_ISA_NAME(tb__red_exps_, TB_ISA)(tb_red_loops *table)
{
#include "tables/reduce.def"
}
