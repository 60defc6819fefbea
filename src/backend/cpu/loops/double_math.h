/* double_math.h - elementary functions of vectors of doubles, for what is made of several of them: each is wrong by
 * about one unit in the last place, and has C's special values. Needs fused multiply-add, as float_vector.h does.
 *
 * Polynomials are written for [a, b] by interpolation at Chebyshev's nodes, highest power first. */
#ifndef TB_BACKEND_CPU_LOOPS_DOUBLE_MATH_H
#define TB_BACKEND_CPU_LOOPS_DOUBLE_MATH_H
#include "backend/cpu/loops/float_vector.h"

#ifdef TB_HAVE_FLOAT_VECTOR
enum { TB_DLANES = TB_LANES / 2 };
typedef tb_i64 tb_vi64 __attribute__((vector_size(8 * TB_DLANES)));

/* tb_dless: a < b, tb_dat_least: a >= b; both false where one is NaN. tb_dselect: a where m, else b. tb_dlane: whether
 * lane i is meant. tb_dscale: x times 2^n of a whole number n, rounded once. */
#if defined(__AVX512F__) && defined(__AVX512DQ__)
typedef __mmask8 tb_dmask;
TB_FN tb_dmask tb_dless(tb_vd a, tb_vd b) { return _mm512_cmp_pd_mask(a, b, _CMP_LT_OQ); }
TB_FN tb_dmask tb_dat_least(tb_vd a, tb_vd b) { return _mm512_cmp_pd_mask(a, b, _CMP_GE_OQ); }
TB_FN tb_vd tb_dselect(tb_dmask m, tb_vd a, tb_vd b) { return _mm512_mask_blend_pd(m, b, a); }
TB_FN int tb_dany(tb_dmask m) { return m != 0; }
TB_FN tb_dmask tb_dand(tb_dmask a, tb_dmask b) { return a & b; }
TB_FN tb_dmask tb_dnot(tb_dmask m) { return (tb_dmask)~m; }
TB_FN int tb_dlane(tb_dmask m, int i) { return m >> i & 1; }
TB_FN tb_vd tb_dsqrt(tb_vd a) { return _mm512_sqrt_pd(a); }
TB_FN tb_vd tb_dscale(tb_vd x, tb_vd n) { return _mm512_scalef_pd(x, n); }
#else
#ifdef __AVX2__
typedef __m256d tb_dmask; /* by the sign of each lane */
TB_FN tb_dmask tb_dless(tb_vd a, tb_vd b) { return _mm256_cmp_pd(a, b, _CMP_LT_OQ); }
TB_FN tb_dmask tb_dat_least(tb_vd a, tb_vd b) { return _mm256_cmp_pd(a, b, _CMP_GE_OQ); }
TB_FN tb_vd tb_dselect(tb_dmask m, tb_vd a, tb_vd b) { return _mm256_blendv_pd(b, a, m); }
TB_FN int tb_dany(tb_dmask m) { return _mm256_movemask_pd(m) != 0; }
TB_FN tb_dmask tb_dand(tb_dmask a, tb_dmask b) { return _mm256_and_pd(a, b); }
TB_FN tb_dmask tb_dnot(tb_dmask m) { return (tb_dmask) ~(tb_vi64)m; }
TB_FN int tb_dlane(tb_dmask m, int i) { return _mm256_movemask_pd(m) >> i & 1; }
TB_FN tb_vd tb_dsqrt(tb_vd a) { return _mm256_sqrt_pd(a); }
#else
typedef tb_vi64 tb_dmask; /* 0 or -1 */
TB_FN tb_dmask tb_dless(tb_vd a, tb_vd b) { return a < b; }
TB_FN tb_dmask tb_dat_least(tb_vd a, tb_vd b) { return a >= b; }
TB_FN tb_vd tb_dselect(tb_dmask m, tb_vd a, tb_vd b) { return (tb_vd)(((tb_vi64)a & m) | ((tb_vi64)b & ~m)); }
TB_FN int tb_dany(tb_dmask m) { return (m[0] | m[1]) != 0; }
TB_FN tb_dmask tb_dand(tb_dmask a, tb_dmask b) { return a & b; }
TB_FN tb_dmask tb_dnot(tb_dmask m) { return ~m; }
TB_FN int tb_dlane(tb_dmask m, int i) { return m[i] != 0; }
TB_FN tb_vd tb_dsqrt(tb_vd a) { return (tb_vd){sqrt(a[0]), sqrt(a[1])}; }
#endif
/* In two steps, the second of which is the one that rounds. */
TB_FN tb_vd tb_dscale(tb_vd x, tb_vd n)
{
    const tb_vd half = n * 0.5 + 0x1.8p52, rest = n - (half - 0x1.8p52) + 0x1.8p52;
    return x * (tb_vd)(((tb_vu64)half + 1023) << 52) * (tb_vd)(((tb_vu64)rest + 1023) << 52);
}
#endif

TB_FN tb_vd tb_dabs(tb_vd a) { return (tb_vd)((tb_vu64)a & 0x7fffffffffffffffu); }
TB_FN tb_vd tb_dcopysign(tb_vd a, tb_vd sign)
{
    return (tb_vd)(((tb_vu64)a & 0x7fffffffffffffffu) | ((tb_vu64)sign & 0x8000000000000000u));
}
/* The nearest whole number, of less than 2^51. */
TB_FN tb_vd tb_dround(tb_vd a) { return a + 0x1.8p52 - 0x1.8p52; }
TB_FN tb_vd tb_dwhen_less(tb_vd a, tb_vd b, tb_vd yes, tb_vd no) { return tb_dselect(tb_dless(a, b), yes, no); }

/* The last, partial vector of a run repeats its last point. */
TB_FN tb_vd tb_dload(const double *x, int64_t left)
{
    tb_vd v;
    if (left >= TB_DLANES) {
        memcpy(&v, x, sizeof v);
        return v;
    }
    v = tb_dset(x[left - 1]);
    memcpy(&v, x, (size_t)left * sizeof *x);
    return v;
}

TB_FN void tb_dsave(double *o, tb_vd v, int64_t left)
{
    memcpy(o, &v, left >= TB_DLANES ? sizeof v : (size_t)left * sizeof *o);
}

/* c[0] x^(n-1) + ... + c[n-1], of even and of odd powers in turn, which do not wait for one another. */
static inline __attribute__((always_inline)) tb_vd tb_dpolynomial(tb_vd x, const double *c, int n)
{
    const tb_vd square = x * x;
    tb_vd p = tb_dset(c[0]), q = tb_dset(c[1]);
    int k = 2;
#pragma GCC unroll 16
    for (; k + 1 < n; k += 2) {
        p = tb_dfma(p, square, tb_dset(c[k]));
        q = tb_dfma(q, square, tb_dset(c[k + 1]));
    }
    return k < n ? tb_dfma(q, x, tb_dfma(p, square, tb_dset(c[k]))) : tb_dfma(p, x, q);
}

/* ---- exponentials ------------------------------------------------------------------------------------------------ */

/* (exp(r) - 1 - r) / r^2 for |r| <= log(2) / 2. */
TB_TABLE tb_exp_rest[10] = {0x1.af38a9b0ec855p-26, 0x1.289185613a3d6p-22, 0x1.71de0dae63bb3p-19, 0x1.a019b90d2ae7ap-16,
                            0x1.a01a01a7c41d5p-13, 0x1.6c16c1788bd90p-10, 0x1.11111111109b3p-7,  0x1.5555555553d63p-5,
                            0x1.5555555555556p-3,  0x1.0000000000001p-1};

/* x = n log(2) + r, of r what rounding loses; x is in [-800, 800]. */
TB_FN tb_vd tb_exp_parts(tb_vd x, tb_vd *r, tb_vd *low)
{
    const tb_vd n = tb_dround(x * 1.4426950408889634074), high = tb_dfma(n, tb_dset(-0x1.62e42fefa0000p-1), x);
    *r = tb_dfma(n, tb_dset(-0x1.cf79abc9e3b39p-40), high);
    *low = tb_dfma(n, tb_dset(-0x1.cf79abc9e3b39p-40), high - *r);
    return n;
}

/* exp(x + more), `more` next to x a rounding. */
TB_FN tb_vd tb_exp_of_sum(tb_vd x, tb_vd more)
{
    tb_vd near, low;
    const tb_vd kept = tb_dmax(tb_dset(-800), tb_dmin(tb_dset(800), x));
    const tb_vd n = tb_exp_parts(kept, &near, &low), rest = low + more, r = near + rest, left = rest - (r - near);
    const tb_vd small = tb_dfma(r * r, tb_dpolynomial(r, tb_exp_rest, 10), left);
    return tb_dscale(1 + (r + small), n);
}

TB_FN tb_vd tb_exp_double(tb_vd x) { return tb_exp_of_sum(x, tb_dset(0)); }

TB_FN tb_vd tb_expm1_double(tb_vd x)
{
    tb_vd r, low;
    const tb_vd kept = tb_dmax(tb_dset(-50), tb_dmin(tb_dset(800), x)), n = tb_exp_parts(kept, &r, &low);
    const tb_vd small = tb_dfma(r * r, tb_dpolynomial(r, tb_exp_rest, 10), tb_dfma(low, r, low));
    /* 2^n (r + small) + (2^n - 1), and of r the part whose product is exact with it; from 2^60 on 1 is nothing. */
    const tb_vd m = tb_dmin(n, tb_dset(60)), power = tb_dscale(tb_dset(1), m), one = power - 1;
    const tb_vd sum = tb_dfma(power, r, one), lost = tb_dfma(power, r, one - sum);
    const tb_vd near = tb_dscale(sum + tb_dfma(power, small, lost), n - m);
    return tb_dwhen_less(tb_dabs(x), tb_dset(0x1p-54), x, near);
}

/* exp(s x^2), s = 1, -1 or -1/2: what the square is off by is in the sum. */
TB_FN tb_vd tb_exp_of_square(tb_vd x, double s)
{
    const tb_vd kept = tb_dmin(x, tb_dset(60)), square = kept * kept;
    return tb_exp_of_sum(s * square, s * tb_dfma(kept, kept, -square));
}

/* (cosh(r) - 1) / r^2 and (sinh(r) - r) / r^3 in r^2, for |r| <= log(2) / 2: their series. */
TB_TABLE tb_cosh_rest[6] = {1.0 / 479001600, 1.0 / 3628800, 1.0 / 40320, 1.0 / 720, 1.0 / 24, 1.0 / 2};
TB_TABLE tb_sinh_rest[6] = {1.0 / 6227020800, 1.0 / 39916800, 1.0 / 362880, 1.0 / 5040, 1.0 / 120, 1.0 / 6};

/* |x| = n log(2) + r: (2^n - 2^-n) / 2 cosh(r) + (2^n + 2^-n) / 2 sinh(r), which has no division. */
TB_FN tb_vd tb_sinh_double(tb_vd x)
{
    tb_vd r, low;
    const tb_vd n = tb_exp_parts(tb_dmin(tb_dset(800), tb_dabs(x)), &r, &low), m = tb_dmin(n, tb_dset(60));
    const tb_vd up = tb_dscale(tb_dset(0.5), m), down = tb_dscale(tb_dset(0.5), -m), even = up - down, odd = up + down;
    const tb_vd z = r * r, c = z * tb_dpolynomial(z, tb_cosh_rest, 6), s = z * tb_dpolynomial(z, tb_sinh_rest, 6);
    const tb_vd sum = tb_dfma(odd, r, even), lost = tb_dfma(odd, r, even - sum);
    const tb_vd rest = tb_dfma(even, c, tb_dfma(odd, tb_dfma(r, s, low), lost));
    return tb_dcopysign(tb_dscale(sum + rest, n - m), x);
}

/* ---- logarithms -------------------------------------------------------------------------------------------------- */

/* (log((1 + s) / (1 - s)) - 2 s) / s^3 in s^2, for |s| <= 0.1716. */
TB_TABLE tb_log_rest[7] = {0x1.2b5a8aca255fdp-3, 0x1.39fe31c77715cp-3, 0x1.7462b61242bb4p-3, 0x1.c71c62e0922bcp-3,
                           0x1.2492492df5266p-2, 0x1.99999999952bfp-2, 0x1.5555555555558p-1};

/* x = 2^k m, m in [sqrt(1/2), sqrt(2)), of a normal positive number. No k is -0, which adds nothing to -0. */
TB_FN tb_vd tb_log_parts(tb_vd x, tb_vd *k)
{
    const tb_vu64 bits = (tb_vu64)x, raised = bits - 0x3fe6a09e667f3bcdu + 0x4000000000000000u;
    *k = -((0x1p52 + 1024) - (tb_vd)(0x4330000000000000u | raised >> 52));
    return (tb_vd)(bits - (raised & 0xfff0000000000000u) + 0x4000000000000000u);
}

/* f - log(1 + f), by f = 2 s / (1 - s). */
TB_FN tb_vd tb_log_tail(tb_vd f)
{
    const tb_vd s = f / (2 + f), z = s * s, half = 0.5 * f * f;
    return half - s * tb_dfma(z, tb_dpolynomial(z, tb_log_rest, 7), half);
}

/* k log(2) + log(1 + f) + more, where the tail is that of f: summed from the smallest terms up. */
TB_FN tb_vd tb_log_sum(tb_vd k, tb_vd f, tb_vd tail, tb_vd more)
{
    const tb_vd rest = tb_dfma(k, tb_dset(0x1.ef35793c76730p-45), more);
    return tb_dfma(k, tb_dset(0x1.62e42fefa3800p-1), f - (tail - rest));
}

/* `value`, or what the logarithm of u is where that is of no use. */
TB_FN tb_vd tb_dlog_ends(tb_vd u, tb_vd value)
{
    const tb_vd finite = tb_dwhen_less(u, tb_dset(INFINITY), value, u);
    const tb_vd below = tb_dselect(tb_dat_least(u, tb_dset(0)), tb_dset(-INFINITY), tb_dset(NAN));
    return tb_dwhen_less(tb_dset(0), u, finite, below);
}

TB_FN tb_vd tb_log_double(tb_vd x)
{
    const tb_dmask tiny = tb_dless(x, tb_dset(0x1p-1022));
    tb_vd k;
    const tb_vd m = tb_log_parts(tb_dselect(tiny, x * 0x1p54, x), &k), down = tb_dselect(tiny, tb_dset(54), tb_dset(0));
    return tb_dlog_ends(x, tb_log_sum(k - down, m - 1, tb_log_tail(m - 1), tb_dset(0)));
}

/* log(u + more) of a normal number u next to which `more` is a rounding; near 1 the sum less 1 is `off`. */
TB_FN tb_vd tb_log_of_sum(tb_vd u, tb_vd more, tb_vd off)
{
    tb_vd k;
    const tb_vd m = tb_log_parts(u, &k), g = m - 1;
    const tb_dmask apart = tb_dless(tb_dset(0), tb_dabs(k));
    /* more / u, of which a few bits are enough: 1 / (1 + g) by its series. */
    const tb_vd lost = tb_dscale(more, -k) * tb_dfma(g, tb_dfma(g, 1 - g, tb_dset(-1)), tb_dset(1));
    const tb_vd f = tb_dselect(apart, g, off), rest = tb_dselect(apart, lost, tb_dset(0));
    return tb_dlog_ends(u, tb_log_sum(k, f, tb_log_tail(f), rest));
}

TB_FN tb_vd tb_log1p_double(tb_vd x)
{
    const tb_vd u = 1 + x, one = u - x, lost = (1 - one) + (x - (u - one));
    return tb_log_of_sum(u, tb_dwhen_less(tb_dabs(x), tb_dset(0x1p100), lost, tb_dset(0)), x);
}
#endif
#endif
