/* philox.h - counter-based random numbers: Philox 4x32 with 10 rounds (Salmon, Moraes, Dror and Shaw, 2011).
 *
 * Number i of a stream depends on (seed, offset + the block that i falls into) alone, so every backend draws the same
 * bits. A block of 128 bits serves four 32-bit draws (i / 4) or two 64-bit ones (i / 2); neighbours that share a block
 * leave it to the compiler to compute the block once. */
#ifndef TB_KERNELS_PHILOX_H
#define TB_KERNELS_PHILOX_H

typedef struct tb_block { tb_u32 w0, w1, w2, w3; } tb_block;

TB_FN tb_block tb_philox(tb_u64 seed, tb_u64 counter)
{
    tb_block c;
    tb_u32 k0 = (tb_u32)seed, k1 = (tb_u32)(seed >> 32);
    c.w0 = (tb_u32)counter;
    c.w1 = (tb_u32)(counter >> 32);
    c.w2 = 0;
    c.w3 = 0;
#ifdef __CUDACC_RTC__
#pragma unroll
#elif !defined(__clang__)
#pragma GCC unroll 10
#endif
    for (int round = 0; round < 10; round++) {
        const tb_u64 p0 = (tb_u64)0xd2511f53u * c.w0, p1 = (tb_u64)0xcd9e8d57u * c.w2;
        c.w0 = (tb_u32)(p1 >> 32) ^ c.w1 ^ k0;
        c.w1 = (tb_u32)p1;
        c.w2 = (tb_u32)(p0 >> 32) ^ c.w3 ^ k1;
        c.w3 = (tb_u32)p0;
        k0 += 0x9e3779b9u;
        k1 += 0xbb67ae85u;
    }
    return c;
}

/* Raw draw number i. */
TB_FN tb_u32 tb_random_u32(tb_u64 seed, tb_u64 offset, tb_i64 i)
{
    const tb_block c = tb_philox(seed, offset + ((tb_u64)i >> 2));
    const tb_u32 low = i & 1 ? c.w1 : c.w0, high = i & 1 ? c.w3 : c.w2;
    return i & 2 ? high : low;
}

TB_FN tb_u64 tb_random_u64(tb_u64 seed, tb_u64 offset, tb_i64 i)
{
    const tb_block c = tb_philox(seed, offset + ((tb_u64)i >> 1));
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

/* Standard normal by Box and Muller: points 2k and 2k+1 are the two halves of one pair. */
TB_FN float tb_normal_f32(tb_u64 seed, tb_u64 offset, tb_i64 i)
{
    const float u = tb_uniform_f32(seed, offset, i & ~(tb_i64)1) + 0x1p-24f;
    const float angle = tb_uniform_f32(seed, offset, i | 1) * 6.283185307179586477f;
    return sqrtf(-2 * logf(u)) * (i & 1 ? sinf(angle) : cosf(angle));
}

TB_FN double tb_normal_f64(tb_u64 seed, tb_u64 offset, tb_i64 i)
{
    const double u = tb_uniform_f64(seed, offset, i & ~(tb_i64)1) + 0x1p-53;
    const double angle = tb_uniform_f64(seed, offset, i | 1) * 6.283185307179586477;
    return sqrt(-2 * log(u)) * (i & 1 ? sin(angle) : cos(angle));
}

/* Standard exponential. */
TB_FN float tb_exponential_f32(tb_u64 seed, tb_u64 offset, tb_i64 i)
{
    return -log1pf(-tb_uniform_f32(seed, offset, i));
}

TB_FN double tb_exponential_f64(tb_u64 seed, tb_u64 offset, tb_i64 i)
{
    return -log1p(-tb_uniform_f64(seed, offset, i));
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
#endif
