/* philox.h - counter-based random numbers: Philox 4x32 with 10 rounds (Salmon, Moraes, Dror and Shaw, 2011).
 *
 * Number i of a stream depends on (seed, offset + the block that i falls into) alone, so every backend draws the same
 * bits. A block of 128 bits serves four 32-bit draws (i / 4) or two 64-bit ones (i / 2); neighbours that share a block
 * leave it to the compiler to compute the block once. */
#ifndef TB_KERNELS_PHILOX_H
#define TB_KERNELS_PHILOX_H

typedef struct tb_block { tb_u32 w0, w1, w2, w3; } tb_block;

/* To the instruction that there is the compiler for the device would add the product with the upper words, zero. But of
 * assembly it does not see, in a large function, that neighbours have the same: `plain` is for these. */
TB_FN tb_u64 tb_wide_product(tb_u32 a, tb_u32 b, int plain)
{
#ifdef __CUDACC_RTC__
    if (plain) return (tb_u64)a * b;
    tb_u64 product;
    asm("mul.wide.u32 %0, %1, %2;" : "=l"(product) : "r"(a), "r"(b));
    return product;
#else
    (void)plain;
    return (tb_u64)a * b;
#endif
}

/* The counter c, encrypted. */
TB_FN tb_block tb_philox_rounds(tb_u64 key, tb_block c, int plain)
{
    tb_u32 k0 = (tb_u32)key, k1 = (tb_u32)(key >> 32);
#ifdef __CUDACC_RTC__
#pragma unroll
#elif !defined(__clang__)
#pragma GCC unroll 10
#endif
    for (int round = 0; round < 10; round++) {
        const tb_u64 p0 = tb_wide_product(0xd2511f53u, c.w0, plain), p1 = tb_wide_product(0xcd9e8d57u, c.w2, plain);
        c.w0 = (tb_u32)(p1 >> 32) ^ c.w1 ^ k0;
        c.w1 = (tb_u32)p1;
        c.w2 = (tb_u32)(p0 >> 32) ^ c.w3 ^ k1;
        c.w3 = (tb_u32)p0;
        k0 += 0x9e3779b9u;
        k1 += 0xbb67ae85u;
    }
    return c;
}

TB_FN tb_block tb_philox(tb_u64 seed, tb_u64 counter, int plain)
{
    tb_block c;
    c.w0 = (tb_u32)counter;
    c.w1 = (tb_u32)(counter >> 32);
    c.w2 = 0;
    c.w3 = 0;
    return tb_philox_rounds(seed, c, plain);
}

/* Raw draw number i. */
TB_FN tb_u32 tb_random_u32(tb_u64 seed, tb_u64 offset, tb_i64 i)
{
    const tb_block c = tb_philox(seed, offset + ((tb_u64)i >> 2), 0);
    const tb_u32 low = i & 1 ? c.w1 : c.w0, high = i & 1 ? c.w3 : c.w2;
    return i & 2 ? high : low;
}

TB_FN tb_u64 tb_random_u64(tb_u64 seed, tb_u64 offset, tb_i64 i)
{
    const tb_block c = tb_philox(seed, offset + ((tb_u64)i >> 1), 0);
    return i & 1 ? (tb_u64)c.w3 << 32 | c.w2 : (tb_u64)c.w1 << 32 | c.w0;
}

/* Uniform on [0, 1): as many random bits as the mantissa holds. */
TB_FN float tb_uniform_f32(tb_u64 seed, tb_u64 offset, tb_i64 i)
{
    return (float)(tb_i32)(tb_random_u32(seed, offset, i) >> 8) * 0x1p-24f;
}

TB_FN double tb_uniform_f64(tb_u64 seed, tb_u64 offset, tb_i64 i)
{
    return (double)(tb_i64)(tb_random_u64(seed, offset, i) >> 11) * 0x1p-53;
}

/* Standard normal by Box and Muller (1958): points 2k and 2k+1 are sqrt(-2 log u) times the cosine and the sine of a
 * part of a full turn, from a pair of draws. In single precision u has all of its draw's bits, for the tails, and the
 * turn, from -1/2 to 1/2, the upper 23. */
#ifdef __CUDACC_RTC__
/* On the device without branches, so that what neighbours share is computed once. */

/* Single precision: the device's own approximations, and -2 log u near u = 1, where lg2's error is not relative, by the
 * first term of its series. By the bounds that PTX's manual gives (2^-20.5 for sine and cosine, 2^-22 for lg2) errors
 * add up to less than 1e-5. */
TB_FN float tb_radius_f32(float u)
{
    const float near = fmaf(u, -2, 2);
    float far, r;
    asm("lg2.approx.ftz.f32 %0, %1;" : "=f"(far) : "f"(u));
    asm("sqrt.approx.ftz.f32 %0, %1;" : "=f"(r) : "f"(near < 0x1p-10f ? near : far * -1.38629436f));
    return r;
}

TB_FN float tb_box_muller_f32(float u, tb_u32 turn, int odd)
{
    const float angle = fmaf(__uint_as_float(__funnelshift_r(turn, 0x7f, 9)), 6.28318531f, -9.42477796f);
    float v;
    if (odd) asm("sin.approx.ftz.f32 %0, %1;" : "=f"(v) : "f"(angle));
    else asm("cos.approx.ftz.f32 %0, %1;" : "=f"(v) : "f"(angle));
    return tb_radius_f32(u) * v;
}

/* Double precision: random_math.h's logarithm; sine and cosine as polynomials over an eighth of a turn to either side
 * of a quarter's multiple (2 ULP), which interpolate at Chebyshev's nodes. */
#define TB_POLY_F64(c, x)                                                                      \
    double p = c[sizeof c / sizeof *c - 1];                                                    \
    _Pragma("unroll") for (int k = sizeof c / sizeof *c - 2; k >= 0; k--) p = fma(p, x, c[k]);

TB_FN double tb_sin_turn_f64(double r)
{
    constexpr double c[] = {
        0x1.921fb54442d18p+2, -0x1.4abbce625be53p+5, 0x1.466bc6775aad9p+6, -0x1.32d2cce62ac22p+6,
        0x1.50783485cbd83p+5, -0x1.e3074b4ff3058p+3, 0x1.e8eed12ee00a3p+1, -0x1.6c5b875d4e739p-1};
    TB_POLY_F64(c, r * r)
    return p * r;
}

TB_FN double tb_cos_turn_f64(double r)
{
    constexpr double c[] = {
        1, -0x1.3bd3cc9be45dep+4, 0x1.03c1f081b5ac4p+6, -0x1.55d3c7e3cbfedp+6, 0x1.e1f5068919a8ap+5,
        -0x1.a6d1f29f1c7fap+4, 0x1.f9d3854812ae6p+2, -0x1.b6dd6cfa280afp+0, 0x1.1e2a69fa47a81p-2};
    TB_POLY_F64(c, r * r)
    return p;
}

/* Half `odd` of the pair of u and a part of a turn. */
TB_FN double tb_box_muller_f64(double u, double turn, int odd)
{
    const double quarter = rint(4 * turn), r = turn - quarter * 0.25;
    const double sine = tb_sin_turn_f64(r), cosine = tb_cos_turn_f64(r);
    const int q = __double2int_rn(quarter) + odd * 3;
    const double v = q & 1 ? sine : cosine;
    return sqrt(-2 * tb_log_normal_f64(u)) * ((q + 1) & 2 ? -v : v);
}
#else
TB_FN float tb_box_muller_f32(float u, tb_u32 turn, int odd)
{
    const float angle = ((float)(tb_i32)(turn >> 9) * 0x1p-23f - 0.5f) * 6.283185307179586477f;
    return sqrtf(-2 * logf(u)) * (odd ? sinf(angle) : cosf(angle));
}

TB_FN double tb_box_muller_f64(double u, double turn, int odd)
{
    const double angle = turn * 6.283185307179586477;
    return sqrt(-2 * log(u)) * (odd ? sin(angle) : cos(angle));
}
#endif

TB_FN float tb_normal_f32(tb_u64 seed, tb_u64 offset, tb_i64 i)
{
    const tb_block c = tb_philox(seed, offset + ((tb_u64)i >> 2), 0);
    const tb_u32 w = i & 2 ? c.w2 : c.w0, t = i & 2 ? c.w3 : c.w1;
    return tb_box_muller_f32(fmaf((float)w, 0x1p-32f, 0x1p-33f), t, (int)(i & 1));
}

TB_FN double tb_normal_f64(tb_u64 seed, tb_u64 offset, tb_i64 i)
{
    const tb_block c = tb_philox(seed, offset + ((tb_u64)i >> 1), 1);
    const double u = (double)(tb_i64)(((tb_u64)c.w1 << 32 | c.w0) >> 11) * 0x1p-53 + 0x1p-53;
    const double turn = (double)(tb_i64)(((tb_u64)c.w3 << 32 | c.w2) >> 11) * 0x1p-53;
    return tb_box_muller_f64(u, turn, (int)(i & 1));
}

/* Standard exponential. One minus a uniform number is exact, so that nothing is lost by the plain logarithm; 0 comes
 * out positive. */
TB_FN float tb_exponential_f32(tb_u64 seed, tb_u64 offset, tb_i64 i)
{
    return 0.0f - logf(1.0f - tb_uniform_f32(seed, offset, i));
}

TB_FN double tb_exponential_f64(tb_u64 seed, tb_u64 offset, tb_i64 i)
{
    return 0.0 - log(1.0 - tb_uniform_f64(seed, offset, i));
}

/* Uniform on 0 ... top, both included, by the high word of a product with a 64-bit draw. No draw is rejected: a value's
 * probability is off by less than 2^-32 of itself for a 32-bit top. */
TB_FN tb_u32 tb_integers_u32(tb_u64 seed, tb_u64 offset, tb_u32 top, tb_i64 i)
{
    const tb_u64 x = tb_random_u64(seed, offset, i), range = (tb_u64)top + 1;
    return (tb_u32)(((x >> 32) * range + ((x & 0xffffffffu) * range >> 32)) >> 32);
}

TB_FN tb_u64 tb_integers_u64(tb_u64 seed, tb_u64 offset, tb_u64 top, tb_i64 i)
{
    const tb_u64 x = tb_random_u64(seed, offset, i);
    if (top + 1 == 0) return x;
#ifdef __CUDACC_RTC__
    return __umul64hi(x, top + 1);
#else
    return (tb_u64)((unsigned __int128)x * (top + 1) >> 64);
#endif
}

/* ---- random order ------------------------------------------------------------------------------------------------ */

/* A word from which a round of the cipher below takes the upper bits. The factors are those of MurmurHash3. */
TB_FN tb_u32 tb_order_round(tb_u32 x, tb_u32 key)
{
    const tb_u32 product = (x ^ key) * 0x85ebca6bu;
    return (product ^ product >> 15) * 0xc2b2ae35u;
}

/* A permutation of the words of 8 to 64 bits: a Feistel network of 12 rounds over halves of `low` and `high` bits, with
 * Philox's schedule of keys. */
TB_FN void tb_order_cipher(tb_u64 key, tb_u32 low, tb_u32 high, tb_u32 *l, tb_u32 *h)
{
    tb_u32 k0 = (tb_u32)key, k1 = (tb_u32)(key >> 32), a = *l, b = *h;
#ifdef __CUDACC_RTC__
#pragma unroll
#elif !defined(__clang__)
#pragma GCC unroll 6
#endif
    for (int round = 0; round < 6; round++) {
        a ^= tb_order_round(b, k0) >> (32 - low);
        b ^= tb_order_round(a, k1) >> (32 - high);
        k0 += 0x9e3779b9u;
        k1 += 0xbb67ae85u;
    }
    *l = a;
    *h = b;
}

/* Such networks are even permutations; half of the keys exchange the first two numbers: so odd ones come as often. */
TB_FN tb_u64 tb_order_start(tb_u64 key, tb_u64 top, tb_u64 i) { return i ^ ((i < 2) & (top > 0) & key >> 63); }

/* Number i of 0 ... top in the random order of a key: the cipher of `bits` bits, applied until it gives one of them
 * (Black and Rogaway, "Ciphers with arbitrary finite domains", 2002), as Mitchell et al., "Bandwidth-optimal random
 * shuffling for GPUs" (2021), have it. Threads past the end have an i above top, from which no number may be reached:
 * they take 0. */
TB_FN tb_i64 tb_order(tb_u64 key, tb_u64 top, tb_u32 bits, tb_i64 i)
{
    const tb_u32 low = bits / 2;
    tb_u64 x = tb_order_start(key, top, (tb_u64)i > top ? 0 : (tb_u64)i);
    do {
        tb_u32 l = (tb_u32)x & 0xffffffffu >> (32 - low), h = (tb_u32)(x >> low);
        tb_order_cipher(key, low, bits - low, &l, &h);
        x = (tb_u64)h << low | l;
    } while (x > top);
    return (tb_i64)x;
}
#endif
