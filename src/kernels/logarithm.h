/* logarithm.h - the logarithm of float64. The host's is the C library's. The device's own takes 18 operations of
 * float64, of which CUDA's takes 31: a table has what those divide for.
 *
 * x = 2^k m, m in [0.71, 1.42), which 32 intervals share, that of 1 among them. c is about the inverse of an
 * interval's middle and has nine bits, so r = c m - 1, less than 0.0162, loses nothing worth mentioning; log(x) is
 * k log(2) - log(c) + log(1 + r). Of log(2) and -log(c) the first 42 bits behind the point are added up exactly, and r
 * to them with its error kept; what follows is less than 2^-12 of the result, or 2^-7 of r where k is 0 and c is 1. So
 * the result is wrong by at most 0.65 ULP near 1, and by 0.57 elsewhere.
 *
 * What is added up beside numbers of about 1 needs none of that: tb_log_beside_one takes 12 operations. */
#ifndef TB_KERNELS_LOGARITHM_H
#define TB_KERNELS_LOGARITHM_H

#ifdef __CUDACC_RTC__
/* For each interval c and -log(c) as high + low, of which two numbers the first word is enough. Lanes of a warp look at
 * different intervals, which takes as long as the lines of 128 bytes that they find these in are many: here one. */
alignas(128) static __device__ const tb_u32 tb_log_table[128] = {
    /* c */
    0x3ff64000, 0x3ff5d000, 0x3ff55000, 0x3ff4e000, 0x3ff48000, 0x3ff41000, 0x3ff3b000, 0x3ff35000,
    0x3ff2f000, 0x3ff2a000, 0x3ff25000, 0x3ff1f000, 0x3ff1a000, 0x3ff16000, 0x3ff11000, 0x3ff0d000,
    0x3ff08000, 0x3ff04000, 0x3ff00000, 0x3fef0000, 0x3fee2000, 0x3fed4000, 0x3fec8000, 0x3feba000,
    0x3feb0000, 0x3fea4000, 0x3fe9a000, 0x3fe90000, 0x3fe86000, 0x3fe7e000, 0x3fe74000, 0x3fe6c000,
    /* low */
    0x3d3f4bd9, 0xbd3c3e1d, 0xbd38e7bc, 0x3d34ab9e, 0x3d0d572b, 0xbd277124, 0xbd3e3186, 0x3d302a53,
    0xbcf0ba69, 0xbd3ee878, 0xbd156345, 0x3d294543, 0xbd3b20f6, 0xbd383f69, 0x3d3b8ed0, 0x3d2c1483,
    0xbd298026, 0xbcdf1e7d, 0, 0xbd3dddc8, 0x3d3c3dd8, 0x3cec1e8e, 0x3d1a8940, 0x3d039d6d,
    0xbd127024, 0x3d07f228, 0x3d3ee139, 0xbd390d05, 0xbd323299, 0x3d2a9cfa, 0x3d306c19, 0xbd0a0b2a,
    /* high, its less significant word */
    0x872e0000, 0xa5c1f000, 0x10df7000, 0xf9ae5000, 0x6d5e4000, 0x4e09c000, 0xfc882000, 0xa1436000,
    0xd9982000, 0x201e8000, 0x84674000, 0xd66cc000, 0xd6318000, 0x3f060000, 0x35990000, 0x0ec90000,
    0x0e780000, 0xb0fc0000, 0, 0x89e78000, 0xc0068000, 0x0aeac000, 0x63844000, 0x0c868000,
    0x6b544000, 0xdcf70000, 0xc6f00000, 0x6cb3c000, 0xcbad0000, 0x7cdc9000, 0xc271c000, 0xdf596000,
    /* and the other one */
    0xbfd51aad, 0xbfd3d54f, 0xbfd25960, 0xbfd1058b, 0xbfcfb918, 0xbfccf635, 0xbfca8bec, 0xbfc815c0,
    0xbfc59338, 0xbfc371fc, 0xbfc14785, 0xbfbd4313, 0xbfb8c345, 0xbfb51b07, 0xbfb07598, 0xbfa95c83,
    0xbf9f829b, 0xbf8fc0a8, 0, 0x3fa0415d, 0x3faeea31, 0x3fb700d3, 0x3fbda727, 0x3fc2d161,
    0x3fc5bf40, 0x3fc95a5a, 0x3fcc6ffb, 0x3fcf991c, 0x3fd16b5c, 0x3fd2bef0, 0x3fd4718d, 0x3fd5d5bd,
};
/* What interpolates (log(1 + r) - r) / r^2 at Chebyshev's nodes; log(2), its first bits and what follows them. */
TB_SERIES tb_log_near[7] = {-0x1.0017d40cbcap-3,   0x1.24acc2f14d11fp-3,  -0x1.5555548a970aep-3, 0x1.999998b854c1cp-3,
                           -0x1.0000000000d7ap-2, 0x1.555555555644fp-2, -0x1p-1};
TB_SERIES tb_log_two[2] = {0x1.62e42fefa38p-1, 0x1.ef35793c7673p-45};

TB_FN double tb_of_words(tb_u32 less, tb_u32 more)
{
    const tb_u64 bits = (tb_u64)more << 32 | less;
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* A normal number's parts, and p(r), log(1 + r) being r + r^2 p(r). */
struct tb_log_parts {
    double k, high, low, r, p;
};

/* Of the number with these bits, times 2 to the power of a whole number. */
TB_FN tb_log_parts tb_log_parts_of(tb_u64 bits, tb_u32 power)
{
    const tb_u32 above = (tb_u32)(bits >> 32) - 0x3fe6c000u;
    const tb_u32 at = above >> 15 & 31;
    const double c = tb_of_words(0, tb_log_table[at]);
    const double m = tb_of_words((tb_u32)bits, (tb_u32)(bits >> 32) - (above & 0xfff00000u));
    const tb_u32 raised = ((tb_u32)((tb_i32)above >> 20) + power) ^ 0x80000000u;
    tb_log_parts x;
    x.low = tb_of_words(0, tb_log_table[32 + at]);
    x.high = tb_of_words(tb_log_table[64 + at], tb_log_table[96 + at]);
    x.k = tb_of_words(raised, 0x43300000u) - (0x1p52 + 0x1p31);
    x.r = fma(m, c, -1.0);
    x.p = tb_log_near[0];
#pragma unroll
    for (int j = 1; j < 7; j++) x.p = fma(x.p, x.r, tb_log_near[j]);
    return x;
}

TB_FN double tb_log_of_bits(tb_u64 bits, tb_u32 power)
{
    const tb_log_parts x = tb_log_parts_of(bits, power);
    const double whole = fma(x.k, tb_log_two[0], x.high), sum = whole + x.r;
    const double rest = whole - sum + x.r + fma(x.k, tb_log_two[1], x.low);
    return sum + fma(x.p, x.r * x.r, rest);
}

/* Of a normal number above 0, wrong by 2^-52 of itself or of 1, whatever is more. */
TB_FN double tb_log_beside_one(double y)
{
    tb_u64 bits;
    memcpy(&bits, &y, sizeof bits);
    const tb_log_parts x = tb_log_parts_of(bits, 0);
    return fma(fma(x.p, x.r, 1.0), x.r, fma(x.k, 0x1.62e42fefa39efp-1, x.high) + x.low);
}

/* Of what is no normal number above 0. */
static __device__ __noinline__ double tb_rare_log(double x)
{
    if (!(x > 0)) return tb_of_words(0, x == 0 ? 0xfff00000u : 0x7ff80000u); /* -inf or NaN */
    if (x > 0x1.fffffffffffffp1023) return x;
    const double y = x * 0x1p54;
    tb_u64 bits;
    memcpy(&bits, &y, sizeof bits);
    return tb_log_of_bits(bits, (tb_u32)-54);
}

TB_FN double tb_log_f64(double x)
{
    tb_u64 bits;
    memcpy(&bits, &x, sizeof bits);
    if ((tb_u32)(bits >> 32) - 0x00100000u >= 0x7fe00000u) return tb_rare_log(x);
    return tb_log_of_bits(bits, 0);
}
#else
TB_FN double tb_log_f64(double x) { return log(x); }
TB_FN double tb_log_beside_one(double x) { return log(x); }
#endif

#endif
