/* curand.h - random numbers in kernels compiled for the CPU: the text of <curand_kernel.h>.
 *
 * XORWOW (Marsaglia, Xorshift RNGs, 2003), Philox 4x32-10 (Salmon and others, Parallel random numbers: as easy as 1, 2,
 * 3, 2011) and MRG32k3a (L'Ecuyer, Good parameters and implementations for combined multiple recursive random number
 * generators, 1999), seeded and skipped ahead as cuRAND documents it: the same integers and uniforms as on a GPU, and
 * normals that agree to the accuracy of its log, sin and cos. States have cuRAND's sizes. */
#ifndef TB_KERNELS_HOST_CUDA_CURAND_H
#define TB_KERNELS_HOST_CUDA_CURAND_H

/* The second of a pair of normal numbers, kept for the next call. */
#define TB_KEPT \
    int boxmuller_flag, boxmuller_flag_double; \
    float boxmuller_extra; \
    double boxmuller_extra_double;

template <class S> TB_FN void tb_forget(S *s)
{
    s->boxmuller_flag = s->boxmuller_flag_double = 0;
    s->boxmuller_extra = 0;
    s->boxmuller_extra_double = 0;
}

/* ---- XORWOW ------------------------------------------------------------------------------------------------------ */

struct curandStateXORWOW {
    unsigned d, v[5];
    TB_KEPT
};
typedef curandStateXORWOW curandStateXORWOW_t, curandState_t, curandState;

TB_FN void tb_xorwow_step(unsigned *v)
{
    unsigned t = v[0] ^ v[0] >> 2, last = v[4];
    v[0] = v[1], v[1] = v[2], v[2] = v[3], v[3] = last;
    v[4] = last ^ last << 4 ^ t ^ t << 1;
}
TB_FN unsigned curand(curandStateXORWOW *s)
{
    tb_xorwow_step(s->v);
    return s->v[4] + (s->d += 362437);
}

/* A step is linear over bits, so n of them are the polynomial x^n modulo the step's characteristic polynomial, of
 * degree 160, applied to it. */
struct tb_polynomial {
    unsigned w[5];
};
static __attribute__((unused)) tb_polynomial tb_polynomial_multiply(const tb_polynomial &a, const tb_polynomial &b)
{
    const unsigned characteristic[5] = {0x00060001, 0x08610030, 0x00062121, 0x0f3c0035, 0x00000f0e};
    tb_polynomial r = {{0, 0, 0, 0, 0}};
    for (int bit = 159; bit >= 0; bit--) {
        unsigned carry = 0u - (r.w[4] >> 31), add = 0u - (a.w[bit / 32] >> bit % 32 & 1);
        for (int i = 4; i >= 0; i--)
            r.w[i] = (r.w[i] << 1 | (i ? r.w[i - 1] >> 31 : 0)) ^ (carry & characteristic[i]) ^ (add & b.w[i]);
    }
    return r;
}
static __attribute__((unused)) void tb_xorwow_jump(unsigned *v, tb_polynomial base, tb_ull n)
{
    tb_polynomial power = {{1, 0, 0, 0, 0}};
    unsigned sum[5] = {0, 0, 0, 0, 0};
    for (; n; n >>= 1) {
        if (n & 1) power = tb_polynomial_multiply(power, base);
        if (n > 1) base = tb_polynomial_multiply(base, base);
    }
    for (int bit = 0; bit < 160; bit++, tb_xorwow_step(v))
        for (int i = 0; i < 5; i++) sum[i] ^= (0u - (power.w[bit / 32] >> bit % 32 & 1)) & v[i];
    for (int i = 0; i < 5; i++) v[i] = sum[i];
}
TB_FN void skipahead(tb_ull n, curandStateXORWOW *s)
{
    if (n == 0) return;
    tb_xorwow_jump(s->v, tb_polynomial{{2, 0, 0, 0, 0}}, n);
    s->d += 362437u * (unsigned)n;
}
/* A sequence has 2^67 numbers. */
TB_FN void skipahead_sequence(tb_ull n, curandStateXORWOW *s)
{
    if (n) tb_xorwow_jump(s->v, tb_polynomial{{0x26294934, 0x77bbc248, 0x1a87dad0, 0x930052d4, 0x947e6dd2}}, n);
}
TB_FN void curand_init(tb_ull seed, tb_ull sequence, tb_ull offset, curandStateXORWOW *s)
{
    unsigned low = 1099087573u * ((unsigned)seed ^ 0xaad26b49u);
    unsigned high = 2591861531u * ((unsigned)(seed >> 32) ^ 0xf7dcefddu);
    s->d = 6615241u + high + low;
    s->v[0] = 123456789u + low;
    s->v[1] = 362436069u ^ low;
    s->v[2] = 521288629u + high;
    s->v[3] = 88675123u ^ high;
    s->v[4] = 5783321u + low;
    skipahead_sequence(sequence, s);
    skipahead(offset, s);
    tb_forget(s);
}

/* ---- Philox 4x32-10 ---------------------------------------------------------------------------------------------- */

struct curandStatePhilox4_32_10 {
    uint4 ctr, output;
    uint2 key;
    unsigned STATE; /* how many of the output are gone */
    TB_KEPT
};
typedef curandStatePhilox4_32_10 curandStatePhilox4_32_10_t;

TB_FN uint4 curand_Philox4x32_10(uint4 c, uint2 key)
{
    for (int round = 0; round < 10; round++) {
        tb_ull x = 0xd2511f53ull * c.x, z = 0xcd9e8d57ull * c.z;
        c = make_uint4((unsigned)(z >> 32) ^ c.y ^ key.x, (unsigned)z, (unsigned)(x >> 32) ^ c.w ^ key.y, (unsigned)x);
        key.x += 0x9e3779b9u;
        key.y += 0xbb67ae85u;
    }
    return c;
}
/* The counter's low half counts fours, its high half sequences. */
TB_FN void tb_philox_move(curandStatePhilox4_32_10 *s, tb_ull fours, tb_ull sequences)
{
    tb_ull low = s->ctr.x | (tb_ull)s->ctr.y << 32, high = s->ctr.z | (tb_ull)s->ctr.w << 32;
    high += sequences + __builtin_add_overflow(low, fours, &low);
    s->ctr = make_uint4((unsigned)low, (unsigned)(low >> 32), (unsigned)high, (unsigned)(high >> 32));
    s->output = curand_Philox4x32_10(s->ctr, s->key);
}
TB_FN unsigned curand(curandStatePhilox4_32_10 *s)
{
    unsigned all[4], v;
    __builtin_memcpy(all, &s->output, 16);
    v = all[s->STATE & 3];
    if (++s->STATE == 4) {
        s->STATE = 0;
        tb_philox_move(s, 1, 0);
    }
    return v;
}
TB_FN uint4 curand4(curandStatePhilox4_32_10 *s)
{
    unsigned all[8], *from = all + (s->STATE & 3);
    __builtin_memcpy(all, &s->output, 16);
    tb_philox_move(s, 1, 0);
    __builtin_memcpy(all + 4, &s->output, 16);
    return make_uint4(from[0], from[1], from[2], from[3]);
}
TB_FN void skipahead(tb_ull n, curandStatePhilox4_32_10 *s)
{
    unsigned at = s->STATE + (unsigned)(n & 3);
    s->STATE = at & 3;
    tb_philox_move(s, n / 4 + at / 4, 0);
}
TB_FN void skipahead_sequence(tb_ull n, curandStatePhilox4_32_10 *s) { tb_philox_move(s, 0, n); }
TB_FN void curand_init(tb_ull seed, tb_ull sequence, tb_ull offset, curandStatePhilox4_32_10 *s)
{
    s->ctr = make_uint4(0, 0, 0, 0);
    s->key.x = (unsigned)seed;
    s->key.y = (unsigned)(seed >> 32);
    s->STATE = 0;
    skipahead_sequence(sequence, s);
    skipahead(offset, s);
    tb_forget(s);
}

/* ---- MRG32k3a ---------------------------------------------------------------------------------------------------- */

struct curandStateMRG32k3a {
    unsigned s1[3], s2[3];
    TB_KEPT
};
typedef curandStateMRG32k3a curandStateMRG32k3a_t;

enum : tb_ull { TB_MRG_1 = 4294967087u, TB_MRG_2 = 4294944443u };

/* From 1 to the first modulus. */
TB_FN double curand_MRG32k3a(curandStateMRG32k3a *s)
{
    tb_ull a = (1403580ull * s->s1[1] + 810728ull * (TB_MRG_1 - s->s1[0])) % TB_MRG_1;
    tb_ull b = (527612ull * s->s2[2] + 1370589ull * (TB_MRG_2 - s->s2[0])) % TB_MRG_2;
    s->s1[0] = s->s1[1], s->s1[1] = s->s1[2], s->s1[2] = (unsigned)a;
    s->s2[0] = s->s2[1], s->s2[1] = s->s2[2], s->s2[2] = (unsigned)b;
    return (double)(a > b ? a - b : a + TB_MRG_1 - b);
}
TB_FN unsigned curand(curandStateMRG32k3a *s) { return (unsigned)(curand_MRG32k3a(s) * 1.000000048662); }

struct tb_matrix {
    tb_ull m[3][3];
};
static __attribute__((unused)) tb_matrix tb_matrix_multiply(const tb_matrix &a, const tb_matrix &b, tb_ull modulus)
{
    tb_matrix r;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            r.m[i][j] = 0;
            for (int k = 0; k < 3; k++) r.m[i][j] = (r.m[i][j] + a.m[i][k] * b.m[k][j] % modulus) % modulus;
        }
    return r;
}
/* n times 2^doublings steps. */
static __attribute__((unused)) void tb_mrg_jump(unsigned *s, tb_matrix step, tb_ull modulus, int doublings, tb_ull n)
{
    tb_matrix power = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
    unsigned before[3] = {s[0], s[1], s[2]};
    for (; doublings; doublings--) step = tb_matrix_multiply(step, step, modulus);
    for (; n; n >>= 1) {
        if (n & 1) power = tb_matrix_multiply(power, step, modulus);
        step = tb_matrix_multiply(step, step, modulus);
    }
    for (int i = 0; i < 3; i++) {
        tb_ull sum = 0;
        for (int k = 0; k < 3; k++) sum = (sum + power.m[i][k] * before[k] % modulus) % modulus;
        s[i] = (unsigned)sum;
    }
}
TB_FN void tb_mrg_skip(curandStateMRG32k3a *s, int doublings, tb_ull n)
{
    if (n == 0) return;
    tb_mrg_jump(s->s1, tb_matrix{{{0, 1, 0}, {0, 0, 1}, {TB_MRG_1 - 810728, 1403580, 0}}}, TB_MRG_1, doublings, n);
    tb_mrg_jump(s->s2, tb_matrix{{{0, 1, 0}, {0, 0, 1}, {TB_MRG_2 - 1370589, 0, 527612}}}, TB_MRG_2, doublings, n);
}
TB_FN void skipahead(tb_ull n, curandStateMRG32k3a *s) { tb_mrg_skip(s, 0, n); }
TB_FN void skipahead_subsequence(tb_ull n, curandStateMRG32k3a *s) { tb_mrg_skip(s, 76, n & ((1ull << 51) - 1)); }
TB_FN void skipahead_sequence(tb_ull n, curandStateMRG32k3a *s) { tb_mrg_skip(s, 127, n); }
TB_FN void curand_init(tb_ull seed, tb_ull subsequence, tb_ull offset, curandStateMRG32k3a *s)
{
    tb_ull low = (unsigned)seed ^ 0x55555555u, high = (unsigned)(seed >> 32) ^ 0xaaaaaaaau;
    for (int i = 0; i < 3; i++) {
        s->s1[i] = s->s2[i] = 12345;
        if (seed == 0) continue;
        s->s1[i] = (unsigned)((i == 1 ? high : low) * 12345 % TB_MRG_1);
        s->s2[i] = (unsigned)((i == 1 ? low : high) * 12345 % TB_MRG_2);
    }
    skipahead_subsequence(subsequence, s);
    skipahead(offset, s);
    tb_forget(s);
}

/* ---- uniform: more than 0, at most 1 ----------------------------------------------------------------------------- */

TB_FN float tb_uniform(unsigned x) { return (float)x * 0x1p-32f + 0x1p-33f; }
TB_FN double tb_uniform_double(unsigned x, unsigned y)
{
    return (double)(x ^ (tb_ull)y << 21) * 0x1p-53 + 0x1p-54;
}
TB_FN float curand_uniform(curandStateXORWOW *s) { return tb_uniform(curand(s)); }
TB_FN float curand_uniform(curandStatePhilox4_32_10 *s) { return tb_uniform(curand(s)); }
TB_FN float curand_uniform(curandStateMRG32k3a *s) { return (float)(curand_MRG32k3a(s) * 2.3283065498378288e-10); }
TB_FN double curand_uniform_double(curandStateXORWOW *s)
{
    unsigned x = curand(s), y = curand(s);
    return tb_uniform_double(x, y);
}
TB_FN double curand_uniform_double(curandStatePhilox4_32_10 *s) { return curand(s) * 0x1p-32 + 0x1p-32; }
TB_FN double curand_uniform_double(curandStateMRG32k3a *s) { return curand_MRG32k3a(s) * 2.3283065498378288e-10; }
TB_FN float4 curand_uniform4(curandStatePhilox4_32_10 *s)
{
    uint4 x = curand4(s);
    return make_float4(tb_uniform(x.x), tb_uniform(x.y), tb_uniform(x.z), tb_uniform(x.w));
}
TB_FN double2 curand_uniform2_double(curandStatePhilox4_32_10 *s)
{
    uint4 x = curand4(s);
    return make_double2(tb_uniform_double(x.x, x.y), tb_uniform_double(x.z, x.w));
}
TB_FN double4 curand_uniform4_double(curandStatePhilox4_32_10 *s)
{
    double2 a = curand_uniform2_double(s), b = curand_uniform2_double(s);
    return make_double4(a.x, a.y, b.x, b.y);
}

/* ---- normal: by Box and Muller, in pairs ------------------------------------------------------------------------- */

TB_FN float2 tb_box_muller(float u, float angle)
{
    float r = __builtin_sqrtf(-2 * __builtin_logf(u));
    return make_float2(r * __builtin_sinf(angle), r * __builtin_cosf(angle));
}
/* The angle in half turns. */
TB_FN double2 tb_box_muller_double(double u, double angle)
{
    double r = __builtin_sqrt(-2 * __builtin_log(u));
    return make_double2(r * sinpi(angle), r * cospi(angle));
}
TB_FN float2 tb_normal_of(unsigned x, unsigned y)
{
    const float turn = 0x1p-32f * 6.2831855f;
    return tb_box_muller(tb_uniform(x), (float)y * turn + turn / 2);
}
TB_FN double2 tb_normal_of(uint4 x)
{
    return tb_box_muller_double(tb_uniform_double(x.x, x.y), 2 * tb_uniform_double(x.z, x.w));
}
template <class S> TB_FN float2 curand_normal2(S *s)
{
    unsigned x = curand(s), y = curand(s);
    return tb_normal_of(x, y);
}
TB_FN float2 curand_normal2(curandStateMRG32k3a *s)
{
    float u = curand_uniform(s), v = curand_uniform(s);
    return tb_box_muller(u, v * 6.2831855f);
}
TB_FN double2 curand_normal2_double(curandStateXORWOW *s)
{
    uint4 x;
    x.x = curand(s), x.y = curand(s), x.z = curand(s), x.w = curand(s);
    return tb_normal_of(x);
}
TB_FN double2 curand_normal2_double(curandStatePhilox4_32_10 *s) { return tb_normal_of(curand4(s)); }
TB_FN double2 curand_normal2_double(curandStateMRG32k3a *s)
{
    double u = curand_uniform_double(s), v = curand_uniform_double(s);
    return tb_box_muller_double(u, 2 * v);
}
TB_FN float4 curand_normal4(curandStatePhilox4_32_10 *s)
{
    uint4 x = curand4(s);
    float2 a = tb_normal_of(x.x, x.y), b = tb_normal_of(x.z, x.w);
    return make_float4(a.x, a.y, b.x, b.y);
}
TB_FN double4 curand_normal4_double(curandStatePhilox4_32_10 *s)
{
    double2 a = curand_normal2_double(s), b = curand_normal2_double(s);
    return make_double4(a.x, a.y, b.x, b.y);
}

template <class S> TB_FN float2 curand_log_normal2(S *s, float mean, float deviation)
{
    float2 v = curand_normal2(s);
    return make_float2(__builtin_expf(mean + deviation * v.x), __builtin_expf(mean + deviation * v.y));
}
template <class S> TB_FN double2 curand_log_normal2_double(S *s, double mean, double deviation)
{
    double2 v = curand_normal2_double(s);
    return make_double2(__builtin_exp(mean + deviation * v.x), __builtin_exp(mean + deviation * v.y));
}
TB_FN float4 curand_log_normal4(curandStatePhilox4_32_10 *s, float mean, float deviation)
{
    float4 v = curand_normal4(s);
    return make_float4(__builtin_expf(mean + deviation * v.x), __builtin_expf(mean + deviation * v.y),
                       __builtin_expf(mean + deviation * v.z), __builtin_expf(mean + deviation * v.w));
}
TB_FN double4 curand_log_normal4_double(curandStatePhilox4_32_10 *s, double mean, double deviation)
{
    double2 a = curand_log_normal2_double(s, mean, deviation), b = curand_log_normal2_double(s, mean, deviation);
    return make_double4(a.x, a.y, b.x, b.y);
}

/* Poisson numbers, not those of cuRAND: small ones by multiplying uniform numbers, large ones by transformed rejection
 * (W. Hoermann, The transformed rejection method for generating Poisson random variables, 1993: PTRS). */
template <class S> TB_FN unsigned curand_poisson(S *s, double mean)
{
    if (!(mean >= 10)) {
        const double least = __builtin_exp(-mean);
        unsigned k = 0;
        for (double p = curand_uniform_double(s); p > least; p *= curand_uniform_double(s)) k++;
        return k;
    }
    const double root = __builtin_sqrt(mean), b = 0.931 + 2.53 * root, a = -0.059 + 0.02483 * b;
    const double scale = 1.1239 + 1.1328 / (b - 3.4), inner = 0.9277 - 3.6224 / (b - 2);
    for (;;) {
        const double u = curand_uniform_double(s) - 0.5, v = curand_uniform_double(s);
        const double edge = 0.5 - __builtin_fabs(u), k = __builtin_floor((2 * a / edge + b) * u + mean + 0.43);
        if (edge >= 0.07 && v <= inner) return (unsigned)k;
        if (k < 0 || (edge < 0.013 && v > edge)) continue;
        if (__builtin_log(v * scale / (a / (edge * edge) + b)) <=
            k * __builtin_log(mean) - mean - __builtin_lgamma(k + 1))
            return (unsigned)k;
    }
}
TB_FN uint4 curand_poisson4(curandStatePhilox4_32_10 *s, double mean)
{
    uint4 v;
    v.x = curand_poisson(s, mean);
    v.y = curand_poisson(s, mean);
    v.z = curand_poisson(s, mean);
    v.w = curand_poisson(s, mean);
    return v;
}

/* One of a pair; the other is kept for the next call of the same kind (1 normal, 2 log-normal). */
#define TB_ONE_OF_TWO(name, T, flag, extra, kind, takes, ...) \
    template <class S> TB_FN T name takes \
    { \
        if (s->flag == kind) { \
            s->flag = 0; \
            return s->extra; \
        } \
        T##2 v = __VA_ARGS__; \
        s->flag = kind; \
        s->extra = v.y; \
        return v.x; \
    }
TB_ONE_OF_TWO(curand_normal, float, boxmuller_flag, boxmuller_extra, 1, (S *s), curand_normal2(s))
TB_ONE_OF_TWO(curand_normal_double, double, boxmuller_flag_double, boxmuller_extra_double, 1, (S *s),
              curand_normal2_double(s))
TB_ONE_OF_TWO(curand_log_normal, float, boxmuller_flag, boxmuller_extra, 2, (S *s, float mean, float deviation),
              curand_log_normal2(s, mean, deviation))
TB_ONE_OF_TWO(curand_log_normal_double, double, boxmuller_flag_double, boxmuller_extra_double, 2,
              (S *s, double mean, double deviation), curand_log_normal2_double(s, mean, deviation))
#undef TB_ONE_OF_TWO
#undef TB_KEPT
#endif
