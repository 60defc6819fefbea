/* special_vectors.c - the loops of special functions of vectors (special_lanes.h), compiled once for each instruction
 * set (TB_ISA), written over those of special_loops.c.
 *
 * They compute in double: other dtypes come in and go out a run at a time. Where a function is not for all arguments
 * the function of single points comes second. Without fused multiply-add the loops of single points stay. */
#include "backend/cpu/loops/half_run.h"
#include "backend/cpu/loops/loops.h"
#include "backend/cpu/loops/special_bessel_lanes.h"
#include "backend/cpu/loops/special_complex_lanes.h"
#include "backend/cpu/loops/special_lanes.h"
#include "backend/cpu/loops/special_orthogonal_lanes.h"
#include "backend/cpu/loops/special_sici_lanes.h"
#include "tables/loops.h"

#ifdef TB_HAVE_FLOAT_VECTOR
enum { RUN = 512 };

/* ---- the loops --------------------------------------------------------------------------------------------------- */

/* The functions: their operations, what computes lanes, where it does not, and what does there. */
#define UNARY(V)                                                                                        \
    V(expm1, tb_expm1_double, nowhere, expm1) V(log1p, tb_log1p_double, nowhere, log1p)                 \
    V(exprel, exprel_v, nowhere, tb_exprel_f64) V(expit, expit_v, nowhere, tb_expit_f64)                \
    V(log_expit, log_expit_v, nowhere, tb_log_expit_f64) V(logit, logit_v, nowhere, tb_logit_f64)       \
    V(entr, entr_v, nowhere, tb_entr_f64) V(erf, erf_v, nowhere, erf)                                   \
    V(erfc, erfc_v, nowhere, tb_erfc) V(ndtr, ndtr_v, nowhere, tb_ndtr)                                 \
    V(log_ndtr, log_ndtr_v, nowhere, tb_log_ndtr) V(erfinv, erfinv_v, nowhere, tb_inverse_erf)          \
    V(erfcinv, erfcinv_v, nowhere, tb_inverse_erfc) V(ndtri, ndtri_v, nowhere, tb_ndtri)                \
    V(gammaln, gammaln_v, gammaln_outside, tb_gammaln)                                                  \
    V(loggamma, gammaln_v, loggamma_outside, loggamma_alone)                                            \
    V(gammasgn, gammasgn_v, gammasgn_outside, tb_gammasgn)                                              \
    V(gamma, gamma_v, gamma_outside, tb_gamma) V(rgamma, rgamma_v, gamma_outside, tb_rgamma)            \
    V(digamma, digamma_v, digamma_outside, tb_digamma) V(cosm1, cosm1_v, angle_outside, tb_cosm1_f64)   \
    V(sindg, sindg_v, degrees_outside, tb_sindg_f64) V(cosdg, cosdg_v, degrees_outside, tb_cosdg_f64)   \
    V(tandg, tandg_v, degrees_outside, tb_tandg_f64)                                                    \
    V(cotdg, cotdg_v, degrees_outside, tb_cotdg_f64) V(cbrt, cbrt_v, extreme, cbrt)                      \
    V(ellipk, ellipk_v, ellipk_outside, tb_ellipk)                                                      \
    V(ellipkm1, ellipkm1_v, ellipkm1_outside, tb_ellipkm1) V(erfcx, erfcx_v, erfcx_outside, tb_scaled_erfc) \
    V(j0, j0_v, j_outside, tb_j0) V(j1, j1_v, j_outside, tb_j1) V(y0, y0_v, y_outside, tb_y0)           \
    V(y1, y1_v, y_outside, tb_y1)
#define BINARY(V)                                                                                       \
    V(xlogy, xlogy_v, nowhere2, tb_xlogy_f64) V(xlog1py, xlog1py_v, nowhere2, tb_xlog1py_f64)           \
    V(rel_entr, rel_entr_v, pair_outside, tb_rel_entr) V(kl_div, kl_div_v, pair_outside, tb_kl_div)     \
    V(boxcox, boxcox_v, boxcox_outside, tb_boxcox)                                                      \
    V(boxcox1p, boxcox1p_v, boxcox1p_outside, tb_boxcox1p)                                              \
    V(inv_boxcox, inv_boxcox_v, inv_boxcox_outside, tb_inv_boxcox)                                      \
    V(inv_boxcox1p, inv_boxcox1p_v, inv_boxcox_outside, tb_inv_boxcox1p)                                \
    V(beta, beta_v, beta_outside, tb_beta)                                                              \
    V(betaln, betaln_v, beta_outside, tb_betaln) V(binom, binom_v, binom_outside, tb_binom)             \
    V(poch, poch_v, poch_outside, tb_poch) V(gammainc, gammainc_v, gammainc_outside, tb_gammainc)       \
    V(gammaincc, gammaincc_v, gammaincc_outside, tb_gammaincc)                                          \
    V(chdtr, chdtr_v, chdtr_outside, tb_chdtr) V(chdtrc, chdtrc_v, chdtrc_outside, tb_chdtrc)           \
    V(pdtr, pdtr_v, pdtr_outside, tb_pdtr) V(pdtrc, pdtrc_v, pdtrc_outside, tb_pdtrc)                   \
    V(expn, expn_v, expn_outside, tb_expn) V(zeta, zeta_v, zeta_outside, tb_zeta)                       \
    V(ellipkinc, ellipkinc_v, elliptic_outside, tb_ellipkinc)                                           \
    V(ellipeinc, ellipeinc_v, elliptic_outside, tb_ellipeinc) V(yn, yn_v, yn_outside, tb_yn)           \
    V(_spherical_yn, spherical_yn_v, yn_outside, tb_spherical_yn)                                       \
    V(eval_chebyt, chebyt_v, chebyshev_outside, tb_eval_chebyt)                                        \
    V(eval_chebyu, chebyu_v, chebyshev_outside, tb_eval_chebyu)                                        \
    V(eval_hermite, hermite_v, hermite_outside, tb_eval_hermite)                                        \
    V(eval_hermitenorm, hermitenorm_v, hermite_outside, tb_eval_hermitenorm)

#define TERNARY(V) V(gdtr, gdtr_v, gdtr_outside, tb_gdtr) V(gdtrc, gdtrc_v, gdtrc_outside, tb_gdtrc)

IN_LINE double loggamma_alone(double x) { return x < 0 ? NAN : tb_gammaln(x); }
IN_LINE tb_dmask nowhere(tb_vd x) { return tb_dless(x, x); }
IN_LINE tb_dmask nowhere2(tb_vd x, tb_vd y) { return tb_dand(tb_dless(x, x), tb_dless(y, y)); }

/* The output may be an input. */
IN_LINE void run1(int64_t n, double *o, const double *x, tb_vd (*fn)(tb_vd), tb_dmask (*outside)(tb_vd),
                  double (*alone)(double))
{
    for (int64_t k = 0; k < n; k += TB_DLANES) {
        const tb_vd a = tb_dload(x + k, n - k);
        const tb_dmask out = outside(a);
        tb_vd v = fn(a);
        if (tb_dany(out))
            for (int i = 0; i < TB_DLANES; i++)
                if (tb_dlane(out, i)) v[i] = alone(a[i]);
        tb_dsave(o + k, v, n - k);
    }
}

IN_LINE void run2(int64_t n, double *o, const double *x, const double *y, tb_vd (*fn)(tb_vd, tb_vd),
                  tb_dmask (*outside)(tb_vd, tb_vd), double (*alone)(double, double))
{
    for (int64_t k = 0; k < n; k += TB_DLANES) {
        const tb_vd a = tb_dload(x + k, n - k), b = tb_dload(y + k, n - k);
        const tb_dmask out = outside(a, b);
        tb_vd v = fn(a, b);
        if (tb_dany(out))
            for (int i = 0; i < TB_DLANES; i++)
                if (tb_dlane(out, i)) v[i] = alone(a[i], b[i]);
        tb_dsave(o + k, v, n - k);
    }
}

IN_LINE void run3(int64_t n, double *o, const double *x, const double *y, const double *z,
                  tb_vd (*fn)(tb_vd, tb_vd, tb_vd), tb_dmask (*outside)(tb_vd, tb_vd, tb_vd),
                  double (*alone)(double, double, double))
{
    for (int64_t k = 0; k < n; k += TB_DLANES) {
        const tb_vd a = tb_dload(x + k, n - k), b = tb_dload(y + k, n - k), c = tb_dload(z + k, n - k);
        const tb_dmask out = outside(a, b, c);
        tb_vd v = fn(a, b, c);
        if (tb_dany(out))
            for (int i = 0; i < TB_DLANES; i++)
                if (tb_dlane(out, i)) v[i] = alone(a[i], b[i], c[i]);
        tb_dsave(o + k, v, n - k);
    }
}

/* Elements of other dtypes, a run at a time. */
#define IN_DOUBLE(s)                                                                                    \
    static __attribute__((noinline)) void double_of_##s(double *o, const tb_##s *x, int64_t n)          \
    {                                                                                                   \
        for (int64_t k = 0; k < n; k++) o[k] = (double)x[k];                                            \
    }
IN_DOUBLE(f32)
IN_DOUBLE(i64)
IN_DOUBLE(u64)
static __attribute__((noinline)) void double_of_f16(double *o, const tb_f16 *x, int64_t n)
{
    float run[TB_HALF_RUN];
    for (int64_t at = 0, m; at < n; at += m) {
        m = n - at < TB_HALF_RUN ? n - at : TB_HALF_RUN;
        tb_f32_run_of_f16(run, x + at, m);
        double_of_f32(o + at, run, m);
    }
}

static __attribute__((noinline)) void float_of_double(float *o, const double *x, int64_t n)
{
    for (int64_t k = 0; k < n; k++) o[k] = (float)x[k];
}

/* `loop` is of doubles; the results stay that, or become floats. */
IN_LINE void run_converted(int64_t n, void *const *p, int nin, tb_dtype in, bool widens, tb_cpu_loop loop)
{
    double x[3][RUN];
    for (int64_t at = 0, m; at < n; at += m) {
        m = n - at < RUN ? n - at : RUN;
        for (int i = 0; i < nin; i++) {
            if (in == TB_F32) double_of_f32(x[i], (const float *)p[i + 1] + at, m);
            else if (in == TB_F16) double_of_f16(x[i], (const tb_f16 *)p[i + 1] + at, m);
            else if (in == TB_I64) double_of_i64(x[i], (const int64_t *)p[i + 1] + at, m);
            else double_of_u64(x[i], (const uint64_t *)p[i + 1] + at, m);
        }
        loop(m, (void *const[]){widens ? (double *)p[0] + at : x[0], x[0], x[1], x[2]}, 0);
        if (!widens) float_of_double((float *)p[0] + at, x[0], m);
    }
}

#define CONVERTED(op, nin, s, in, widens)                                                               \
    static void op##_##s(int64_t n, void *const *p, int64_t index)                                      \
    {                                                                                                   \
        (void)index;                                                                                    \
        run_converted(n, p, nin, in, widens, op##_f64);                                                 \
    }
#define ALL_CONVERTED(op, nin)                                                                          \
    CONVERTED(op, nin, f32, TB_F32, false) CONVERTED(op, nin, f16, TB_F16, true)                        \
    CONVERTED(op, nin, i64, TB_I64, true) CONVERTED(op, nin, u64, TB_U64, true)
#define V(op, fn, outside, alone)                                                                       \
    static void op##_f64(int64_t n, void *const *p, int64_t index)                                      \
    {                                                                                                   \
        (void)index;                                                                                    \
        run1(n, p[0], p[1], fn, outside, alone);                                                        \
    }                                                                                                   \
    ALL_CONVERTED(op, 1)
UNARY(V)
#undef V
#define V(op, fn, outside, alone)                                                                       \
    static void op##_f64(int64_t n, void *const *p, int64_t index)                                      \
    {                                                                                                   \
        (void)index;                                                                                    \
        run2(n, p[0], p[1], p[2], fn, outside, alone);                                                  \
    }                                                                                                   \
    ALL_CONVERTED(op, 2)
BINARY(V)
#undef V
#define V(op, fn, outside, alone)                                                                       \
    static void op##_f64(int64_t n, void *const *p, int64_t index)                                      \
    {                                                                                                   \
        (void)index;                                                                                    \
        run3(n, p[0], p[1], p[2], p[3], fn, outside, alone);                                            \
    }                                                                                                   \
    ALL_CONVERTED(op, 3)
TERNARY(V)
#undef V

/* Orders of 32 bits, which go with doubles. */
static void yn_i32(int64_t n, void *const *p, int64_t index)
{
    double order[RUN];
    for (int64_t at = 0, m; at < n; at += m) {
        m = n - at < RUN ? n - at : RUN;
        for (int64_t k = 0; k < m; k++) order[k] = ((const int32_t *)p[1])[at + k];
        yn_f64(m, (void *const[]){(double *)p[0] + at, order, (double *)p[2] + at}, index);
    }
}

/* Si and Ci, as complex numbers. The output has nothing in common with the input. */
static void sici_both_f64(int64_t n, void *const *p, int64_t index)
{
    double *o = p[0], *const x = p[1];
    (void)index;
    for (int64_t k = 0; k < n; k += TB_DLANES) {
        const tb_vd a = tb_dload(x + k, n - k);
        const tb_dmask out = sici_outside(a);
        const int64_t m = n - k < TB_DLANES ? n - k : TB_DLANES;
        tb_vd s, c;
        sici_v(a, &s, &c);
        for (int64_t i = 0; i < m; i++) o[2 * (k + i)] = s[i], o[2 * (k + i) + 1] = c[i];
        if (!tb_dany(out)) continue;
        for (int64_t i = 0; i < m; i++)
            if (tb_dlane(out, (int)i)) o[2 * (k + i)] = tb_si(a[i]), o[2 * (k + i) + 1] = tb_ci(a[i]);
    }
}

static void sici_both_f32(int64_t n, void *const *p, int64_t index)
{
    double x[RUN], both[2 * RUN];
    for (int64_t at = 0, m; at < n; at += m) {
        m = n - at < RUN ? n - at : RUN;
        double_of_f32(x, (const float *)p[1] + at, m);
        sici_both_f64(m, (void *const[]){both, x}, index);
        float_of_double((float *)p[0] + 2 * at, both, 2 * m);
    }
}

/* ---- complex numbers --------------------------------------------------------------------------------------------- */

#define COMPLEX(V)                                                                                      \
    V(gamma, gamma_z_v, gamma_z_outside, tb_gamma_complex)                                              \
    V(rgamma, rgamma_z_v, gamma_z_outside, tb_rgamma_complex)                                           \
    V(loggamma, loggamma_z_v, loggamma_z_outside, tb_loggamma_complex)

/* The last, partial vector of a run repeats its last point. */
IN_LINE tb_vz load_complex(const double *x, int64_t left)
{
    tb_vz z;
    for (int i = 0; i < TB_DLANES; i++) {
        const int64_t at = i < left ? i : left - 1;
        z.re[i] = x[2 * at];
        z.im[i] = x[2 * at + 1];
    }
    return z;
}

IN_LINE void save_complex(double *o, tb_vz z, int64_t left)
{
    for (int i = 0; i < TB_DLANES && i < left; i++) o[2 * i] = z.re[i], o[2 * i + 1] = z.im[i];
}

/* Points that are done alone stand in `fn` for one of few steps. */
IN_LINE void run_complex(int64_t n, double *o, const double *x, tb_vz (*fn)(tb_vz), tb_dmask (*outside)(tb_vz),
                         tb_c128 (*alone)(tb_c128))
{
    for (int64_t k = 0; k < n; k += TB_DLANES) {
        const tb_vz a = load_complex(x + 2 * k, n - k);
        const tb_dmask out = outside(a);
        const tb_vz within = tb_zselect(out, tb_zmake(tb_dset(3), tb_dset(1)), a);
        tb_vz v = tb_dany(tb_dnot(out)) ? fn(within) : a;
        if (tb_dany(out))
            for (int i = 0; i < TB_DLANES; i++)
                if (tb_dlane(out, i)) {
                    const tb_c128 r = alone(tb_make_c128(a.re[i], a.im[i]));
                    v.re[i] = r.re;
                    v.im[i] = r.im;
                }
        save_complex(o + 2 * k, v, n - k);
    }
}

IN_LINE void run_single_complex(int64_t n, void *const *p, tb_cpu_loop loop)
{
    double x[2 * RUN];
    for (int64_t at = 0, m; at < n; at += m) {
        m = n - at < RUN ? n - at : RUN;
        double_of_f32(x, (const float *)p[1] + 2 * at, 2 * m);
        loop(m, (void *const[]){x, x}, 0);
        float_of_double((float *)p[0] + 2 * at, x, 2 * m);
    }
}

#define V(op, fn, outside, alone)                                                                       \
    static void op##_c128(int64_t n, void *const *p, int64_t index)                                     \
    {                                                                                                   \
        (void)index;                                                                                    \
        run_complex(n, p[0], p[1], fn, outside, alone);                                                 \
    }                                                                                                   \
    static void op##_c64(int64_t n, void *const *p, int64_t index)                                      \
    {                                                                                                   \
        (void)index;                                                                                    \
        run_single_complex(n, p, op##_c128);                                                            \
    }
COMPLEX(V)
#undef V

static void lambertw_c128(int64_t n, void *const *p, int64_t index)
{
    const int64_t *branch = p[2];
    (void)index;
    for (int64_t at = 0; at < n; at += TB_DLANES) {
        const tb_vz z = load_complex((const double *)p[1] + 2 * at, n - at);
        const tb_vd tolerance = tb_dload((const double *)p[3] + at, n - at);
        tb_vd k;
        for (int i = 0; i < TB_DLANES; i++) k[i] = (double)branch[at + i < n ? at + i : n - 1];
        tb_dmask out = lambertw_outside(z, k);
        tb_vz w = z;
        if (tb_dany(tb_dnot(out))) {
            tb_dmask left;
            w = lambertw_v(z, k, tolerance, out, &left);
            out = either_v(out, left);
        }
        if (tb_dany(out))
            for (int i = 0; i < TB_DLANES; i++)
                if (tb_dlane(out, i)) {
                    const tb_c128 r = tb_lambertw(tb_make_c128(z.re[i], z.im[i]), k[i], tolerance[i]);
                    w.re[i] = r.re;
                    w.im[i] = r.im;
                }
        save_complex((double *)p[0] + 2 * at, w, n - at);
    }
}

/* ---- Wright's Bessel function ------------------------------------------------------------------------------------ */

/* Whether all lanes have the first one's a and b, which t has the terms of. */
IN_LINE bool have_terms(wright_terms *t, tb_vd a, tb_vd b)
{
    for (int i = 1; i < TB_DLANES; i++)
        if (a[i] != a[0] || b[i] != b[0]) return false;
    if (!(a[0] > 0 && a[0] < 1e15 && b[0] >= 0)) return false;
    if (a[0] != t->a || b[0] != t->b) *t = (wright_terms){.a = a[0], .b = b[0]};
    return true;
}

static void wright_bessel_f64(int64_t n, void *const *p, int64_t index)
{
    wright_terms t = {.known = 0};
    (void)index;
    for (int64_t k = 0; k < n; k += TB_DLANES) {
        const tb_vd a = tb_dload((const double *)p[1] + k, n - k), b = tb_dload((const double *)p[2] + k, n - k),
                    x = tb_dload((const double *)p[3] + k, n - k);
        tb_dmask out = tb_dat_least(tb_dset(0), tb_dset(0));
        tb_vd v = x;
        if (have_terms(&t, a, b)) v = wright_bessel_v(&t, x, &out);
        if (tb_dany(out))
            for (int i = 0; i < TB_DLANES; i++)
                if (tb_dlane(out, i)) v[i] = tb_wright_bessel(a[i], b[i], x[i]);
        tb_dsave((double *)p[0] + k, v, n - k);
    }
}
CONVERTED(wright_bessel, 3, f32, TB_F32, false)

/* ---- the table --------------------------------------------------------------------------------------------------- */

/* Over the loops that the operation has: of float16 some give float32. */
static void put(tb_cpu_loop *table, tb_op op, int nin, tb_dtype t, tb_cpu_loop loop)
{
    const tb_dtype in[3] = {t, t, t};
    const tb_loop l = tb__loop_find(op, nin, in);
    if (l != TB_NOLOOP && tb_loop_table[l].out == (t == TB_F32 ? TB_F32 : TB_F64)) table[l] = loop;
}

static void put_complex(tb_cpu_loop *table, tb_op op, tb_dtype t, tb_cpu_loop loop)
{
    const tb_loop l = tb__loop_find(op, 1, &t);
    if (l != TB_NOLOOP) table[l] = loop;
}

void TB_ISA_NAME(tb__special_vectors_, TB_ISA)(tb_cpu_loop *table)
{
#define PUT(op, nin)                                                                                    \
    put(table, TB_OP_special_##op, nin, TB_F64, op##_f64);                                              \
    put(table, TB_OP_special_##op, nin, TB_F32, op##_f32);                                              \
    put(table, TB_OP_special_##op, nin, TB_F16, op##_f16);                                              \
    put(table, TB_OP_special_##op, nin, TB_I64, op##_i64);                                              \
    put(table, TB_OP_special_##op, nin, TB_U64, op##_u64);
#define V(op, fn, outside, alone) PUT(op, 1)
    UNARY(V)
#undef V
#define V(op, fn, outside, alone) PUT(op, 2)
    BINARY(V)
#undef V
#define V(op, fn, outside, alone) PUT(op, 3)
    TERNARY(V)
#undef V
#define V(op, fn, outside, alone)                                                                       \
    put_complex(table, TB_OP_special_##op, TB_C128, op##_c128);                                         \
    put_complex(table, TB_OP_special_##op, TB_C64, op##_c64);
    COMPLEX(V)
#undef V
    put(table, TB_OP_special_wright_bessel, 3, TB_F64, wright_bessel_f64);
    put(table, TB_OP_special_wright_bessel, 3, TB_F32, wright_bessel_f32);
    const tb_loop lambert = tb__loop_find(TB_OP_special__lambertw, 3, (const tb_dtype[]){TB_C128, TB_I64, TB_F64});
    if (lambert != TB_NOLOOP) table[lambert] = lambertw_c128;
    const tb_loop orders = tb__loop_find(TB_OP_special_yn, 2, (const tb_dtype[]){TB_I32, TB_F64});
    if (orders != TB_NOLOOP) table[orders] = yn_i32;
    const tb_loop pairs = tb__loop_find(TB_OP_special_sici_both, 1, (const tb_dtype[]){TB_F64});
    const tb_loop narrow = tb__loop_find(TB_OP_special_sici_both, 1, (const tb_dtype[]){TB_F32});
    if (pairs != TB_NOLOOP) table[pairs] = sici_both_f64;
    if (narrow != TB_NOLOOP) table[narrow] = sici_both_f32;
}
#else
void TB_ISA_NAME(tb__special_vectors_, TB_ISA)(tb_cpu_loop *table) { (void)table; }
#endif
