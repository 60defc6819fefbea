/* vecmath.c - vector versions of the transcendental loops, compiled once for each instruction set (TB_ISA).
 *
 * Those of float are the project's own where there are fused multiply-adds (float_math.h), as is sinh of double
 * (double_math.h), and powers of double where vectors are widest (double_power.h); the others are the C library's
 * where it has them (libmvec.c). float16 and bfloat16 go through the loop of float a run at a time, magnitudes of
 * complex numbers through hypot. */
#include "backend/cpu/loops/double_math.h"
#include "backend/cpu/loops/double_power.h"
#include "backend/cpu/loops/float_math.h"
#include "backend/cpu/loops/half_run.h"
#include "backend/cpu/loops/loops.h"
#include "tables/loops.h"

/* ---- float ----------------------------------------------------------------------------------------------------- */

#ifdef TB_HAVE_FLOAT_VECTOR
/* The ufuncs, with their names in float_math.h. */
#define OWN_UNARY(V)                                                                                  \
    V(arcsin, asin) V(arccos, acos) V(arctan, atan) V(sinh, sinh) V(cosh, cosh) V(tanh, tanh)         \
    V(arcsinh, asinh) V(arccosh, acosh) V(arctanh, atanh) V(exp, exp) V(exp2, exp2) V(expm1, expm1)   \
    V(log, log) V(log2, log2) V(log10, log10) V(log1p, log1p) V(cbrt, cbrt)
#define OWN_BINARY(V)                                                                                 \
    V(arctan2, atan2) V(hypot, hypot) V(power, pow) V(logaddexp, logaddexp) V(logaddexp2, logaddexp2)
#define OWN_ANGLE(V) V(sin, sin) V(cos, cos) V(tan, tan)

/* The output may be an input. */
static inline __attribute__((always_inline)) void run1(int64_t n, float *o, const float *x, tb_vf (*fn)(tb_vf))
{
    int64_t k = 0;
    for (; k + TB_LANES <= n; k += TB_LANES) tb_vsave(o + k, fn(tb_vload(x + k, TB_LANES)), TB_LANES);
    if (k < n) tb_vsave(o + k, fn(tb_vload(x + k, n - k)), n - k);
}

static inline __attribute__((always_inline)) void run2(int64_t n, float *o, const float *x, const float *y,
                                                       tb_vf (*fn)(tb_vf, tb_vf))
{
    int64_t k = 0;
    for (; k + TB_LANES <= n; k += TB_LANES)
        tb_vsave(o + k, fn(tb_vload(x + k, TB_LANES), tb_vload(y + k, TB_LANES)), TB_LANES);
    if (k < n) tb_vsave(o + k, fn(tb_vload(x + k, n - k), tb_vload(y + k, n - k)), n - k);
}

#define V(op, name)                                                                                   \
    static void op##_f32(int64_t n, void *const *p, int64_t index)                                    \
    {                                                                                                 \
        (void)index;                                                                                  \
        run1(n, p[0], p[1], tb_##name##_float);                                                       \
    }
OWN_UNARY(V)
#undef V
#define V(op, name)                                                                                   \
    static void op##_f32(int64_t n, void *const *p, int64_t index)                                    \
    {                                                                                                 \
        (void)index;                                                                                  \
        run2(n, p[0], p[1], p[2], tb_##name##_float);                                                 \
    }
OWN_BINARY(V)
#undef V

/* Angles past what the reduction is good for are the C library's, point by point. */
static void replace_large_angles(int64_t n, float *o, const float *x, float (*fn)(float))
{
    for (int64_t k = 0; k < n; k++)
        if (fabsf(x[k]) > TB_LARGEST_ANGLE) o[k] = fn(x[k]);
}

static bool has_large_angles(int64_t n, const float *x)
{
    tb_i32 count = 0;
    for (int64_t k = 0; k < n; k++) count += fabsf(x[k]) > TB_LARGEST_ANGLE;
    return count != 0;
}

#define V(op, name)                                                                                   \
    static void op##_f32(int64_t n, void *const *p, int64_t index)                                    \
    {                                                                                                 \
        (void)index;                                                                                  \
        float kept[TB_HALF_RUN];                                                                      \
        for (int64_t at = 0, m; at < n; at += m) {                                                    \
            float *o = (float *)p[0] + at;                                                            \
            const float *x = (const float *)p[1] + at;                                                \
            m = n - at < TB_HALF_RUN ? n - at : TB_HALF_RUN;                                          \
            const bool large = has_large_angles(m, x);                                                \
            if (large) memcpy(kept, x, (size_t)m * sizeof *x);                                        \
            run1(m, o, x, tb_##name##_float);                                                         \
            if (large) replace_large_angles(m, o, kept, name##f);                                     \
        }                                                                                             \
    }
OWN_ANGLE(V)
#undef V
#endif

#ifdef TB_HAVE_FLOAT_VECTOR
static void sinh_f64(int64_t n, void *const *p, int64_t index)
{
    double *o = p[0];
    const double *x = p[1];
    (void)index;
    for (int64_t k = 0; k < n; k += TB_DLANES) tb_dsave(o + k, tb_sinh_double(tb_dload(x + k, n - k)), n - k);
}
#endif

#ifdef TB_HAVE_DOUBLE_POWER
static void power_f64(int64_t n, void *const *p, int64_t index)
{
    (void)index;
    tb_power_run(n, p[0], p[1], p[2]);
}
#endif

/* ---- 16 bits and complex ---------------------------------------------------------------------------------------- */

/* What the table has for float, and loops of float16 and bfloat16 on top of it. */
#define HALF_UNARY(V)                                                                                 \
    V(sin) V(cos) V(tan) V(arcsin) V(arccos) V(arctan) V(sinh) V(cosh) V(tanh) V(arcsinh) V(arccosh)  \
    V(arctanh) V(exp) V(exp2) V(expm1) V(log) V(log2) V(log10) V(log1p) V(cbrt)
#define HALF_BINARY(V) V(arctan2) V(hypot) V(logaddexp) V(logaddexp2) V(power)

#define RUN_HALF(s)                                                                                   \
    static void run_##s(int64_t n, void *const *p, int nin, tb_cpu_loop loop)                         \
    {                                                                                                 \
        float x[2][TB_HALF_RUN];                                                                      \
        for (int64_t at = 0, m; at < n; at += m) {                                                    \
            m = n - at < TB_HALF_RUN ? n - at : TB_HALF_RUN;                                          \
            for (int i = 0; i < nin; i++) tb_f32_run_of_##s(x[i], (const tb_##s *)p[i + 1] + at, m);  \
            loop(m, (void *const[]){x[0], x[0], x[1]}, 0);                                            \
            tb_##s##_run_of_f32((tb_##s *)p[0] + at, x[0], m);                                        \
        }                                                                                             \
    }
RUN_HALF(f16)
RUN_HALF(bf16)

#define HALF(op, nin)                                                                                 \
    static tb_cpu_loop op##_of_f32;                                                                   \
    static void op##_f16(int64_t n, void *const *p, int64_t index)                                    \
    {                                                                                                 \
        (void)index;                                                                                  \
        run_f16(n, p, nin, op##_of_f32);                                                              \
    }                                                                                                 \
    static void op##_bf16(int64_t n, void *const *p, int64_t index)                                   \
    {                                                                                                 \
        (void)index;                                                                                  \
        run_bf16(n, p, nin, op##_of_f32);                                                             \
    }
#define V(op) HALF(op, 1)
HALF_UNARY(V)
#undef V
#define V(op) HALF(op, 2)
HALF_BINARY(V)
#undef V

static tb_cpu_loop hypot_of_f64;

/* The parts are taken apart a run at a time. */
#define MAGNITUDE(T, z, s)                                                                            \
    static void absolute_##z(int64_t n, void *const *p, int64_t index)                                \
    {                                                                                                 \
        (void)index;                                                                                  \
        T x[TB_HALF_RUN], y[TB_HALF_RUN];                                                             \
        for (int64_t at = 0, m; at < n; at += m) {                                                    \
            const tb_##z *in = (const tb_##z *)p[1] + at;                                             \
            m = n - at < TB_HALF_RUN ? n - at : TB_HALF_RUN;                                          \
            for (int64_t k = 0; k < m; k++) {                                                         \
                x[k] = in[k].re;                                                                      \
                y[k] = in[k].im;                                                                      \
            }                                                                                         \
            hypot_of_##s(m, (void *const[]){(T *)p[0] + at, x, y}, 0);                                \
        }                                                                                             \
    }
MAGNITUDE(float, c64, f32)
MAGNITUDE(double, c128, f64)

/* ---- sin(pi x) / (pi x) ----------------------------------------------------------------------------------------- */

#define SINC(T, s)                                                                                    \
    static tb_cpu_loop sin_of_##s;                                                                    \
    static void sinc_##s(int64_t n, void *const *p, int64_t index)                                    \
    {                                                                                                 \
        (void)index;                                                                                  \
        T x[TB_HALF_RUN], sine[TB_HALF_RUN];                                                          \
        for (int64_t at = 0, m; at < n; at += m) {                                                    \
            T *o = (T *)p[0] + at;                                                                    \
            const T *a = (const T *)p[1] + at;                                                        \
            m = n - at < TB_HALF_RUN ? n - at : TB_HALF_RUN;                                          \
            for (int64_t k = 0; k < m; k++) x[k] = (T)3.141592653589793238462643383279502884 * a[k];  \
            sin_of_##s(m, (void *const[]){sine, x}, 0);                                               \
            for (int64_t k = 0; k < m; k++) o[k] = x[k] == 0 ? 1 : sine[k] / x[k];                    \
        }                                                                                             \
    }
SINC(float, f32)
SINC(double, f64)

/* ---- the table ------------------------------------------------------------------------------------------------- */

static tb_cpu_loop *slot(tb_cpu_loop *table, tb_op op, int nin, tb_dtype t)
{
    const tb_dtype in[2] = {t, t};
    return &table[tb__loop_find(op, nin, in)];
}

void TB_ISA_NAME(tb__vecmath_, TB_ISA)(tb_cpu_loop *table)
{
    TB_ISA_NAME(tb__libmvec_, TB_ISA)(table);
#ifdef TB_HAVE_FLOAT_VECTOR
#define V(op, name) *slot(table, TB_OP_##op, 1, TB_F32) = op##_f32;
    OWN_UNARY(V)
    OWN_ANGLE(V)
#undef V
#define V(op, name) *slot(table, TB_OP_##op, 2, TB_F32) = op##_f32;
    OWN_BINARY(V)
#undef V
    *slot(table, TB_OP_sinh, 1, TB_F64) = sinh_f64;
#endif
#ifdef TB_HAVE_DOUBLE_POWER
    *slot(table, TB_OP_power, 2, TB_F64) = power_f64;
    *slot(table, TB_OP_float_power, 2, TB_F64) = power_f64;
#endif
#define V(op)                                  \
    op##_of_f32 = *slot(table, TB_OP_##op, 1, TB_F32); \
    *slot(table, TB_OP_##op, 1, TB_F16) = op##_f16;  \
    *slot(table, TB_OP_##op, 1, TB_BF16) = op##_bf16;
    HALF_UNARY(V)
#undef V
#define V(op)                                  \
    op##_of_f32 = *slot(table, TB_OP_##op, 2, TB_F32); \
    *slot(table, TB_OP_##op, 2, TB_F16) = op##_f16;  \
    *slot(table, TB_OP_##op, 2, TB_BF16) = op##_bf16;
    HALF_BINARY(V)
#undef V
    sin_of_f32 = *slot(table, TB_OP_sin, 1, TB_F32);
    sin_of_f64 = *slot(table, TB_OP_sin, 1, TB_F64);
    *slot(table, TB_OP_sinc, 1, TB_F32) = *slot(table, TB_OP_special_sinc, 1, TB_F32) = sinc_f32;
    *slot(table, TB_OP_sinc, 1, TB_F64) = *slot(table, TB_OP_special_sinc, 1, TB_F64) = sinc_f64;
    hypot_of_f64 = *slot(table, TB_OP_hypot, 2, TB_F64);
    *slot(table, TB_OP_absolute, 1, TB_C64) = absolute_c64;
    *slot(table, TB_OP_absolute, 1, TB_C128) = absolute_c128;
}
