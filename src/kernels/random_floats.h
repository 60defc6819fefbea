/* random_floats.h - draws of real numbers by rejection, each from the stream that its key selects.
 *
 * For a distribution D, tb_D_valid says whether its parameters are ones, tb_D_try makes a number of the words x and y
 * of an attempt, or NaN where the attempt fails, and tb_D_end what comes after the attempts. Without `sure` a try
 * leaves the more expensive of two tests undone, and what only that would accept fails too: vector code takes the
 * attempts of many points so, and the few that are left again. tb_step_L, where L is the name of D's loop, takes
 * attempt k of a point; it says whether *r is the point's number now (NaN for parameters that are none), or attempt
 * k + 1 is to follow. Device code takes steps of several points in one loop (device/draws.h), tb_random_D those of one.
 * What depends on the parameters alone has nothing of an attempt in it, so that compilers move it out of such loops
 * where points share them. */
#ifndef TB_KERNELS_RANDOM_FLOATS_H
#define TB_KERNELS_RANDOM_FLOATS_H

/* What Marsaglia and Tsang's method asks of an attempt's uniform number where their squeeze does not decide: of floats,
 * whose rounding, by an estimate, changes how often it holds by less than 1e-6. The logarithm of a cube is written by
 * what log1p has beside its linear term, so that nothing cancels at large shapes. */
TB_FN int tb_gamma_accepts(float u, float n2, float e)
{
    const float near = tb_log1p_curve_f32(e);
    const float bent = TB_NEAR_ONE(e) ? near : (TB_LOG_f32(1 + e) - e) * tb_reciprocal_f32(e * e);
    return TB_LOG_f32(u) <= n2 * (0.5f + bent) * (1.0f / 3) - n2 * e * (1.0f / 9);
}

/* What Best and Fisher's method asks where their squeeze does not decide, of floats, too. */
TB_FN int tb_vonmises_accepts(float c, float v) { return TB_LOG_f32(c) - TB_LOG_f32(v) + 1 - c >= 0; }

#define TB_RANDOM_FLOATS(T, s, f)                                                                     \
    /* Gamma of shape a: Marsaglia and Tsang, "A simple method for generating gamma variables" (2000), with their d and \
     * c = 1 / sqrt(9 d). */                                                                          \
    TB_FN int tb_gamma_valid_##s(T a)                                                                 \
    {                                                                                                 \
        return a >= 0;                                                                                \
    }                                                                                                 \
    TB_FN T tb_gamma_d_##s(T a)                                                                       \
    {                                                                                                 \
        return (a < 1 ? a + 1 : a) - (T)(1.0 / 3);                                                    \
    }                                                                                                 \
    TB_FN T tb_gamma_c_##s(T a)                                                                       \
    {                                                                                                 \
        return 1 / sqrt##f(9 * tb_gamma_d_##s(a));                                                    \
    }                                                                                                 \
    TB_FN T tb_gamma_try_##s(tb_u64 x, tb_u64 y, T d, T c, int sure)                                  \
    {                                                                                                 \
        const T n = tb_attempt_normal_##s(x, y), n2 = n * n;                                          \
        const T e = n * c, t = 1 + e, u = tb_third_##s(x, y);                                         \
        int ok = u < 1 - (T)0.0331 * n2 * n2;                                                         \
        if (sure) ok |= tb_gamma_accepts((float)u, (float)n2, (float)(t > 0 ? e : 0));                \
        return (t > 0) & ok ? d * (t * t * t) : (T)TB_NAN;                                            \
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
    TB_FN int tb_gamma_attempt_##s(tb_u32 k, tb_u64 key, T a, T *r)                                   \
    {                                                                                                 \
        tb_u64 y;                                                                                     \
        const tb_u64 x = tb_point_draws(key, k, 0, &y);                                               \
        *r = tb_gamma_try_##s(x, y, tb_gamma_d_##s(a), tb_gamma_c_##s(a), 1);                         \
        return (*r == *r) | !tb_gamma_valid_##s(a) | (k >= TB_ATTEMPTS - 1);                          \
    }                                                                                                 \
    TB_FN int tb_step_random_gamma_u64_##s##_##s(tb_u32 k, tb_u64 key, T a, T *r)                     \
    {                                                                                                 \
        tb_u64 y;                                                                                     \
        const int done = tb_gamma_attempt_##s(k, key, a, r);                                          \
        if (a < 1 && done) *r = tb_gamma_end_##s(tb_point_draws(key, 0, 1, &y), a, *r);               \
        return done;                                                                                  \
    }                                                                                                 \
    TB_FN int tb_step_random_log_gamma_u64_##s##_##s(tb_u32 k, tb_u64 key, T a, T *r)                 \
    {                                                                                                 \
        tb_u64 y;                                                                                     \
        const int done = tb_gamma_attempt_##s(k, key, a, r);                                          \
        if (done) *r = tb_log_gamma_end_##s(a < 1 ? tb_point_draws(key, 0, 1, &y) : 0, a, *r);        \
        return done;                                                                                  \
    }                                                                                                 \
    TB_STEPS(tb_random_gamma_##s, T, T, tb_step_random_gamma_u64_##s##_##s)                           \
    TB_STEPS(tb_random_log_gamma_##s, T, T, tb_step_random_log_gamma_u64_##s##_##s)                   \
    /* The tangent of half an angle of von Mises' distribution around 0 with concentration a: Best and Fisher, \
     * "Efficient simulation of the von Mises distribution" (1979). With q = 1 / 2a the parameter of their wrapped \
     * Cauchy distribution is r = q + sqrt(1 + q^2). The half's tangent keeps small angles, at large a, from \
     * cancelling. */                                                                                 \
    TB_FN int tb_vonmises_valid_##s(T a)                                                              \
    {                                                                                                 \
        return a >= 0;                                                                                \
    }                                                                                                 \
    TB_FN T tb_vonmises_try_##s(tb_u64 x, tb_u64 y, T a, int sure)                                    \
    {                                                                                                 \
        const T kappa = a < TB_LEAST_KAPPA_##s ? TB_LEAST_KAPPA_##s : a > TB_MOST_KAPPA_##s ? TB_MOST_KAPPA_##s : a; \
        const T q = (T)0.5 / kappa, h = sqrt##f(1 + q * q), less = q + q * q / (1 + h), more = q + h + 1; \
        const T u = tb_first_##s(x, y), v = 1 - tb_second_##s(x, y);                                  \
        const T sine = tb_sin_quarters_##s(u), cosine = tb_sin_quarters_##s(1 - u);                   \
        const T c = kappa * less * more / (q + h + (cosine * cosine - sine * sine));                  \
        int ok = c * (2 - c) > v;                                                                     \
        if (sure) ok |= tb_vonmises_accepts((float)c, (float)v);                                      \
        return ok ? tb_coin_##s(x, y) * sqrt##f(less / more) * (sine / cosine) : (T)TB_NAN;           \
    }                                                                                                 \
    TB_FN int tb_step_random_vonmises_u64_##s##_##s(tb_u32 k, tb_u64 key, T a, T *r)                  \
    {                                                                                                 \
        tb_u64 y;                                                                                     \
        const tb_u64 x = tb_point_draws(key, k, 0, &y);                                               \
        *r = tb_vonmises_valid_##s(a) ? tb_vonmises_try_##s(x, y, a, 1) : (T)TB_NAN;                  \
        return (*r == *r) | !tb_vonmises_valid_##s(a) | (k >= TB_ATTEMPTS - 1);                       \
    }                                                                                                 \
    TB_STEPS(tb_random_vonmises_##s, T, T, tb_step_random_vonmises_u64_##s##_##s)

/* Concentrations past these make no difference, or none that the precision can hold. */
#define TB_LEAST_KAPPA_f32 1e-6f
#define TB_MOST_KAPPA_f32 1e30f
#define TB_LEAST_KAPPA_f64 1e-8
#define TB_MOST_KAPPA_f64 1e300
#define TB_LOG_OF_0 tb_f32_of_bits(0xff800000u)
#define TB_NAN tb_f32_of_bits(0x7fc00000u)
TB_RANDOM_FLOATS(float, f32, f)
TB_RANDOM_FLOATS(double, f64, )
#undef TB_NAN
#undef TB_LOG_OF_0
#undef TB_RANDOM_FLOATS
#endif
