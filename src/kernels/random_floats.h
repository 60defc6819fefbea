/* random_floats.h - draws of real numbers by rejection, each from the stream that its key selects.
 *
 * For a distribution D, tb_D_set is what is computed of its parameters alone, and them; `valid` says whether they are
 * ones. tb_D_try makes a number of the words x and y of an attempt and of what tb_D_begin made of them, NaN where the
 * attempt fails, and tb_D_end what comes after the attempts. Where L is the name of D's loop, tb_step_L takes attempt k
 * of a point with a set that tb_set_L made; it says whether *r is the point's number now (NaN for parameters that are
 * none), or attempt k + 1 is to follow. Device code takes steps of several points in one loop (device/draws.h), the
 * host's vector code attempts of many points (distribution_loops.c), tb_random_D steps of one. Both of the former make
 * one set where points share their parameters.
 *
 * Tests that the literature has before the one that decides, to spare its logarithm, are left out: of a vector's points
 * or a warp's one would need it nearly always. */
#ifndef TB_KERNELS_RANDOM_FLOATS_H
#define TB_KERNELS_RANDOM_FLOATS_H

/* What Marsaglia and Tsang's method asks of an attempt's uniform number: of floats, whose rounding, by an estimate,
 * changes how often it holds by less than 1e-6. The logarithm of a cube is written by what log1p has beside its linear
 * term, so that nothing cancels at large shapes. */
TB_FN int tb_gamma_accepts(float u, float n2, float e)
{
    const float near = tb_log1p_curve_f32(e);
    const float bent = TB_NEAR_ONE(e) ? near : (TB_LOG_f32(1 + e) - e) * tb_reciprocal_f32(e * e);
    return TB_LOG_f32(u) <= n2 * (0.5f + bent) * (1.0f / 3) - n2 * e * (1.0f / 9);
}

/* What Best and Fisher's method asks, of floats, too. */
TB_FN int tb_vonmises_accepts(float c, float v) { return TB_LOG_f32(c) - TB_LOG_f32(v) + 1 - c >= 0; }

/* What Cheng's method asks, of floats, too: z is the attempt's uniform number times 4 u (1 - u), where u makes v, and
 * the names are those of its set below. excess + linear is m v, and linear m (exp(v) - 1). Where y is large, the other
 * shape's number, rest, tells more of log(1 + y), beside v. */
TB_FN int tb_beta_accepts(float z, float y, float excess, float linear, float rest, float nv, float whole, float log_q)
{
    const int near = y <= 3;
    const float e = near ? y : -rest, bent = e * tb_log1p_curve_f32(e);
    return TB_LOG_f32(z) <= (near ? fmaf(-linear, bent, excess) : whole * (fmaf(e, bent, e) - log_q) - nv);
}

#define TB_RANDOM_FLOATS(T, s, f)                                                                     \
    /* Gamma of shape a: Marsaglia and Tsang, "A simple method for generating gamma variables" (2000), with their d \
     * and c = 1 / sqrt(9 d). Of shape 1 the numbers are exponential ones: of the key, without attempts. */   \
    typedef struct tb_gamma_set_##s {                                                                 \
        T a, d, c;                                                                                    \
        int valid;                                                                                    \
    } tb_gamma_set_##s;                                                                               \
    TB_FN tb_gamma_set_##s tb_make_gamma_##s(T a)                                                     \
    {                                                                                                 \
        const T d = (a < 1 ? a + 1 : a) - (T)(1.0 / 3);                                               \
        const tb_gamma_set_##s set = {a, a >= 0 ? d : (T)TB_NAN, 1 / sqrt##f(9 * d), a >= 0};         \
        return set;                                                                                   \
    }                                                                                                 \
    TB_FN T tb_gamma_begin_##s(tb_u64 x, tb_u64 y, tb_gamma_set_##s set)                              \
    {                                                                                                 \
        (void)set;                                                                                    \
        return tb_attempt_normal_##s(x, y);                                                           \
    }                                                                                                 \
    TB_FN T tb_gamma_try_##s(T n, tb_u64 x, tb_u64 y, tb_gamma_set_##s set)                           \
    {                                                                                                 \
        const T e = n * set.c, t = 1 + e;                                                             \
        const int ok = tb_gamma_accepts((float)tb_third_##s(x, y), (float)(n * n), (float)e); \
        return ((t > 0) & ok) ? set.d * (t * t * t) : (T)TB_NAN;                                      \
    }                                                                                                 \
    /* Shapes below 1 by way of a + 1, and a power of a uniform number: the logarithm of that. */     \
    TB_FN T tb_gamma_boost_##s(tb_u64 x, T a)                                                         \
    {                                                                                                 \
        const T l = tb_log_normal_##s(tb_first_##s(x, x));                                            \
        return a >= 1 ? 0 : a > 0 ? l / a : (T)TB_LOG_OF_0;                                           \
    }                                                                                                 \
    TB_FN T tb_gamma_end_##s(tb_u64 x, T a, T r)                                                      \
    {                                                                                                 \
        return a < 1 ? r * tb_exp_below_##s(tb_gamma_boost_##s(x, a)) : r;                            \
    }                                                                                                 \
    TB_FN T tb_log_gamma_end_##s(tb_u64 x, T a, T r)                                                  \
    {                                                                                                 \
        return TB_LOG_##s(r) + tb_gamma_boost_##s(x, a);                                              \
    }                                                                                                 \
    TB_FN T tb_gamma_of_1_##s(tb_u64 key) { return 0 - tb_log_normal_##s(tb_first_##s(key, key)); }   \
    TB_FN int tb_gamma_attempt_##s(tb_u32 k, tb_u64 key, tb_gamma_set_##s set, T *r)                  \
    {                                                                                                 \
        tb_u64 y;                                                                                     \
        if (set.a == 1) {                                                                             \
            *r = tb_gamma_of_1_##s(key);                                                              \
            return 1;                                                                                 \
        }                                                                                             \
        const tb_u64 x = tb_point_draws(key, k, 0, &y);                                               \
        *r = tb_gamma_try_##s(tb_gamma_begin_##s(x, y, set), x, y, set);                              \
        return (*r == *r) | !set.valid | (k >= TB_ATTEMPTS - 1);                                      \
    }                                                                                                 \
    TB_FN tb_gamma_set_##s tb_set_random_gamma_u64_##s##_##s(T a)                                     \
    {                                                                                                 \
        return tb_make_gamma_##s(a);                                                                  \
    }                                                                                                 \
    TB_FN int tb_step_random_gamma_u64_##s##_##s(tb_u32 k, tb_u64 key, tb_gamma_set_##s set, T *r)    \
    {                                                                                                 \
        tb_u64 y;                                                                                     \
        const int done = tb_gamma_attempt_##s(k, key, set, r);                                        \
        if (set.a < 1 && done) *r = tb_gamma_end_##s(tb_point_draws(key, 0, 1, &y), set.a, *r);       \
        return done;                                                                                  \
    }                                                                                                 \
    TB_FN tb_gamma_set_##s tb_set_random_log_gamma_u64_##s##_##s(T a)                                 \
    {                                                                                                 \
        return tb_make_gamma_##s(a);                                                                  \
    }                                                                                                 \
    TB_FN int tb_step_random_log_gamma_u64_##s##_##s(tb_u32 k, tb_u64 key, tb_gamma_set_##s set, T *r) \
    {                                                                                                 \
        tb_u64 y;                                                                                     \
        const int done = tb_gamma_attempt_##s(k, key, set, r);                                        \
        if (done) *r = tb_log_gamma_end_##s(set.a < 1 ? tb_point_draws(key, 0, 1, &y) : 0, set.a, *r); \
        return done;                                                                                  \
    }                                                                                                 \
    TB_STEPS(tb_random_gamma_##s, random_gamma_u64_##s##_##s, T, T)                                   \
    TB_STEPS(tb_random_log_gamma_##s, random_log_gamma_u64_##s##_##s, T, T)                           \
    /* The tangent of half an angle of von Mises' distribution around 0 with concentration a: Best and Fisher, \
     * "Efficient simulation of the von Mises distribution" (1979). With q = 1 / 2a the parameter of their wrapped \
     * Cauchy distribution is r = q + sqrt(1 + q^2). The half's tangent keeps small angles, at large a, from \
     * cancelling. */                                                                                 \
    typedef struct tb_vonmises_set_##s {                                                              \
        T scale, shift, tangent; /* kappa (r - 1) (r + 1), r, the tangent of half the angle at 1 */   \
        int valid;                                                                                    \
    } tb_vonmises_set_##s;                                                                            \
    TB_FN tb_vonmises_set_##s tb_set_random_vonmises_u64_##s##_##s(T a)                               \
    {                                                                                                 \
        const T kappa = a < TB_LEAST_KAPPA_##s ? TB_LEAST_KAPPA_##s : a > TB_MOST_KAPPA_##s ? TB_MOST_KAPPA_##s : a; \
        const T q = (T)0.5 / kappa, h = sqrt##f(1 + q * q), less = q + q * q / (1 + h), more = q + h + 1; \
        const T tangent = a >= 0 ? sqrt##f(less / more) : (T)TB_NAN;                                  \
        const tb_vonmises_set_##s set = {kappa * less * more, q + h, tangent, a >= 0};                \
        return set;                                                                                   \
    }                                                                                                 \
    TB_FN T tb_vonmises_begin_##s(tb_u64 x, tb_u64 y, tb_vonmises_set_##s set)                        \
    {                                                                                                 \
        (void)set;                                                                                    \
        return tb_sin_quarters_##s(tb_first_##s(x, y));                                               \
    }                                                                                                 \
    TB_FN T tb_vonmises_try_##s(T sine, tb_u64 x, tb_u64 y, tb_vonmises_set_##s set)                  \
    {                                                                                                 \
        const T v = 1 - tb_second_##s(x, y), cosine = tb_sin_quarters_##s(1 - tb_first_##s(x, y));    \
        const T c = set.scale / (set.shift + (cosine * cosine - sine * sine));                        \
        const int ok = tb_vonmises_accepts((float)c, (float)v);                                       \
        return ok ? tb_coin_##s(x, y) * set.tangent * (sine / cosine) : (T)TB_NAN;                    \
    }                                                                                                 \
    TB_FN int tb_step_random_vonmises_u64_##s##_##s(tb_u32 k, tb_u64 key, tb_vonmises_set_##s set, T *r) \
    {                                                                                                 \
        tb_u64 y;                                                                                     \
        const tb_u64 x = tb_point_draws(key, k, 0, &y);                                               \
        *r = tb_vonmises_try_##s(tb_vonmises_begin_##s(x, y, set), x, y, set);                        \
        return (*r == *r) | !set.valid | (k >= TB_ATTEMPTS - 1);                                      \
    }                                                                                                 \
    TB_STEPS(tb_random_vonmises_##s, random_vonmises_u64_##s##_##s, T, T)                             \
    /* Beta of shapes a and b: Cheng, "Generating beta variates with nonintegral shape parameters" (1978), BA, of \
     * which BB and BC are forms with tests to spare the one that decides. Odds of the lesser shape's share are exp(v) \
     * times what they are in the mean; v is logistic to either side of 0. Downwards it has Cheng's rate, which is \
     * that shape up to 1. Upwards, where the density falls faster, it has that with which their curvatures at 0 are \
     * one, but at most the other shape (tests/python/test_distributions.py). With shapes m and n, q = m / (m + n) \
     * and y = q (exp(v) - 1) the density's logarithm is m v - (m + n) log(1 + y), of which linear terms go exactly \
     * unless y is large. */                                                                          \
    typedef struct tb_beta_set_##s {                                                                  \
        T upward, downward, up;   /* 1 / the rates, and how often the former is taken */              \
        T least, more, q, rest;   /* m, n, and their shares in the mean */                            \
        T growing, steady, limit; /* over 1 + y a number is growing * exp(v) + steady, and at last the limit */ \
        float whole, log_q;                                                                           \
        int valid;                                                                                    \
    } tb_beta_set_##s;                                                                                \
    TB_FN int tb_beta_valid_##s(T a, T b)                                                             \
    {                                                                                                 \
        const T infinity = (T)TB_INFINITY;                                                            \
        return (a >= 0) & (b >= 0) & (a < infinity) & (b < infinity);                                 \
    }                                                                                                 \
    TB_FN tb_beta_set_##s tb_set_random_beta_u64_##s##_##s##_##s(T a, T b)                            \
    {                                                                                                 \
        const T less = a < b ? a : b, low = less < TB_LEAST_SHAPE_##s ? TB_LEAST_SHAPE_##s : less;    \
        const T more = a < b ? b : a, n = more < low ? low : more;                                    \
        const T m = low > TB_MOST_SHAPE_##s ? TB_MOST_SHAPE_##s : low;                                \
        const T q = 1 / (1 + n / low), bent = sqrt##f(2 * m * (1 - q));                               \
        const T cheng = m > 1 ? sqrt##f(1 + 2 * (m - 1) * ((n - 1) / (m - 1 + (n - 1)))) : m;         \
        tb_beta_set_##s set;                                                                          \
        set.valid = tb_beta_valid_##s(a, b);                                                          \
        set.upward = 1 / (n < bent ? n : bent);                                                       \
        set.downward = set.valid ? -1 / cheng : (T)TB_NAN;                                            \
        set.up = set.upward / (set.upward - set.downward);                                            \
        set.least = m;                                                                                \
        set.more = n;                                                                                 \
        set.q = q;                                                                                    \
        set.rest = 1 - q;                                                                             \
        set.growing = a < b ? q : 0;                                                                  \
        set.steady = a < b ? 0 : 1 - q;                                                               \
        set.limit = a < b;                                                                            \
        set.whole = (float)(m + n);                                                                   \
        set.log_q = (float)TB_LOG_##s(q);                                                             \
        return set;                                                                                   \
    }                                                                                                 \
    TB_FN T tb_beta_begin_##s(tb_u64 x, tb_u64 y, tb_beta_set_##s set)                                \
    {                                                                                                 \
        const T u = tb_first_##s(x, y), scale = tb_third_##s(x, y) <= set.up ? set.upward : set.downward; \
        return scale * tb_log_normal_##s((2 - u) / u);                                                \
    }                                                                                                 \
    TB_FN T tb_beta_try_##s(T v, tb_u64 x, tb_u64 y, tb_beta_set_##s set)                             \
    {                                                                                                 \
        const T u = tb_first_##s(x, y), z = u * (2 - u) * (1 - tb_second_##s(x, y));                  \
        T scale, part = tb_exp_parts_##s(v, &scale);                                                  \
        const T grown = fma##f(part, scale, scale - 1), y1 = set.q * grown, below = 1 / (1 + y1);     \
        const T linear = set.least * grown, excess = fma##f(set.least, v, -linear);                   \
        const int ok = tb_beta_accepts((float)z, (float)y1, (float)excess, (float)linear,             \
                                       (float)(set.rest * below), (float)(set.more * v), set.whole, set.log_q); \
        const T r = fma##f(set.growing, fma##f(part, scale, scale), set.steady) * below;              \
        return ok ? (v > TB_MOST_POWER_##s ? set.limit : r) : (T)TB_NAN;                              \
    }                                                                                                 \
    TB_FN int tb_step_random_beta_u64_##s##_##s##_##s(tb_u32 k, tb_u64 key, tb_beta_set_##s set, T *r) \
    {                                                                                                 \
        tb_u64 y;                                                                                     \
        const tb_u64 x = tb_point_draws(key, k, 0, &y);                                               \
        *r = tb_beta_try_##s(tb_beta_begin_##s(x, y, set), x, y, set);                                \
        return (*r == *r) | !set.valid | (k >= TB_ATTEMPTS - 1);                                      \
    }                                                                                                 \
    TB_CALLED T tb_random_beta_##s(tb_u64 key, T a, T b)                                              \
    {                                                                                                 \
        const tb_beta_set_##s set = tb_set_random_beta_u64_##s##_##s##_##s(a, b);                     \
        T r;                                                                                          \
        tb_u32 k = 0;                                                                                 \
        while (!tb_step_random_beta_u64_##s##_##s##_##s(k, key, set, &r)) k++;                        \
        return r;                                                                                     \
    }

/* Concentrations past these make no difference, or none that the precision can hold. */
#define TB_LEAST_KAPPA_f32 1e-6f
#define TB_MOST_KAPPA_f32 1e30f
#define TB_LEAST_KAPPA_f64 1e-8
#define TB_MOST_KAPPA_f64 1e300
/* Of larger shapes numbers are their mean, to rounding; where the exponential function is cut off. */
#define TB_LEAST_SHAPE_f32 1e-36f
#define TB_MOST_SHAPE_f32 1e14f
#define TB_MOST_POWER_f32 88
#define TB_LEAST_SHAPE_f64 1e-300
#define TB_MOST_SHAPE_f64 1e32
#define TB_MOST_POWER_f64 709
#define TB_INFINITY tb_f32_of_bits(0x7f800000u)
#define TB_LOG_OF_0 tb_f32_of_bits(0xff800000u)
#define TB_NAN tb_f32_of_bits(0x7fc00000u)
TB_RANDOM_FLOATS(float, f32, f)
TB_RANDOM_FLOATS(double, f64, )
#undef TB_NAN
#undef TB_LOG_OF_0
#undef TB_INFINITY
#undef TB_RANDOM_FLOATS
#endif
