/* logarithm.h - the logarithm of float64. The host's is the C library's. The device's own takes half of the time that
 * CUDA's does, of whose 31 operations of float64 one goes to each bit that a table has for nothing.
 *
 * x = 2^k m, m in [0.71, 1.42), which 32 intervals share, that of 1 among them. c is about the inverse of an
 * interval's middle and has nine bits, so r = c m - 1, less than 0.0162, loses nothing worth mentioning; log(x) is
 * k log(2) - log(c) + log(1 + r). Of log(2) and -log(c) the first 42 bits behind the point are added up exactly, and r
 * to them with its error kept; what follows is less than 2^-12 of the result, or 2^-7 of r where k is 0 and c is 1. So
 * the result is wrong by at most 0.65 ULP near 1, and by 0.54 elsewhere. */
#ifndef TB_KERNELS_LOGARITHM_H
#define TB_KERNELS_LOGARITHM_H

#ifdef __CUDACC_RTC__
struct alignas(32) tb_log_interval {
    double c, high, low; /* high + low: -log(c) */
};
static __device__ const tb_log_interval tb_log_intervals[32] = {
    {0x1.64p+0, -0x1.51aad872ep-2, 0x1.f4bd8db0a7cc1p-44}, {0x1.5dp+0, -0x1.3d54fa5c1fp-2, -0x1.c3e1cd9a395e3p-44},
    {0x1.55p+0, -0x1.2596010df7p-2, -0x1.8e7bc224ea3e3p-44}, {0x1.4ep+0, -0x1.1058bf9ae5p-2, 0x1.4ab9d817d52cdp-44},
    {0x1.48p+0, -0x1.fb9186d5e4p-3, 0x1.d572aab993c87p-47}, {0x1.41p+0, -0x1.cf6354e09cp-3, -0x1.771239a07d55bp-45},
    {0x1.3bp+0, -0x1.a8becfc882p-3, -0x1.e3185cf21b9cfp-44}, {0x1.35p+0, -0x1.815c0a1436p-3, 0x1.02a52f9201ce8p-44},
    {0x1.2fp+0, -0x1.59338d9982p-3, -0x1.0ba68b7555d4ap-48}, {0x1.2ap+0, -0x1.371fc201e8p-3, -0x1.ee8779b2d8abcp-44},
    {0x1.25p+0, -0x1.1478584674p-3, -0x1.563451027c75p-46}, {0x1.1fp+0, -0x1.d4313d66ccp-4, 0x1.9454379135713p-45},
    {0x1.1ap+0, -0x1.8c345d6318p-4, -0x1.b20f5acb42a66p-44}, {0x1.16p+0, -0x1.51b073f06p-4, -0x1.83f69278e686ap-44},
    {0x1.11p+0, -0x1.075983599p-4, 0x1.b8ecfe4b59987p-44}, {0x1.0dp+0, -0x1.95c830ec9p-5, 0x1.c148297c5feb8p-45},
    {0x1.08p+0, -0x1.f829b0e78p-6, -0x1.980267c7e09e4p-45}, {0x1.04p+0, -0x1.fc0a8b0fcp-7, -0x1.f1e7cf6d3a69cp-50},
    {0x1p+0, 0, 0}, {0x1.fp-1, 0x1.0415d89e78p-5, -0x1.dddc7f461c516p-44},
    {0x1.e2p-1, 0x1.eea31c0068p-5, 0x1.c3dd83606d891p-44}, {0x1.d4p-1, 0x1.700d30aeacp-4, 0x1.c1e8da99ded32p-49},
    {0x1.c8p-1, 0x1.da72763844p-4, 0x1.a89401fa71733p-46}, {0x1.bap-1, 0x1.2d1610c868p-3, 0x1.39d6ccb81b4a1p-47},
    {0x1.bp-1, 0x1.5bf406b544p-3, -0x1.27023eb68981cp-46}, {0x1.a4p-1, 0x1.95a5adcf7p-3, 0x1.7f22858a0ff6fp-47},
    {0x1.9ap-1, 0x1.c6ffbc6fp-3, 0x1.ee138d3a69d43p-44}, {0x1.9p-1, 0x1.f991c6cb3cp-3, -0x1.90d04cd7cc834p-44},
    {0x1.86p-1, 0x1.16b5ccbadp-2, -0x1.23299042d74bfp-44}, {0x1.7ep-1, 0x1.2bef07cdc9p-2, 0x1.a9cfa4a5004f4p-45},
    {0x1.74p-1, 0x1.4718dc271cp-2, 0x1.06c18fb4c14c5p-44}, {0x1.6cp-1, 0x1.5d5bddf596p-2, -0x1.a0b2a08a465dcp-47},
};
/* What interpolates (log(1 + r) - r) / r^2 at Chebyshev's nodes; log(2), its first bits and what follows them. */
TB_TERMS tb_log_near[7] = {-0x1.0017d40cbcap-3,   0x1.24acc2f14d11fp-3,  -0x1.5555548a970aep-3, 0x1.999998b854c1cp-3,
                           -0x1.0000000000d7ap-2, 0x1.555555555644fp-2, -0x1p-1};
TB_TERMS tb_log_two[2] = {0x1.62e42fefa38p-1, 0x1.ef35793c7673p-45};

/* Of the normal number with these bits, times 2 to the power of a whole number. */
TB_FN double tb_log_of_bits(tb_u64 bits, tb_u32 power)
{
    const tb_u32 above = (tb_u32)(bits >> 32) - 0x3fe6c000u;
    const tb_log_interval at = tb_log_intervals[above >> 15 & 31];
    const tb_u32 m_words[2] = {(tb_u32)bits, (tb_u32)(bits >> 32) - (above & 0xfff00000u)};
    const tb_u32 k_words[2] = {((tb_u32)((tb_i32)above >> 20) + power) ^ 0x80000000u, 0x43300000u};
    double m, k;
    memcpy(&m, m_words, sizeof m);
    memcpy(&k, k_words, sizeof k);
    k -= 0x1.0000080000000p52;
    const double r = fma(m, at.c, -1.0), rr = r * r;
    const double whole = fma(k, tb_log_two[0], at.high), sum = whole + r;
    const double rest = whole - sum + r + fma(k, tb_log_two[1], at.low);
    double p = tb_log_near[0];
#pragma unroll
    for (int j = 1; j < 7; j++) p = fma(p, r, tb_log_near[j]);
    return sum + fma(p, rr, rest);
}

/* Of what is no normal number above 0. */
static __device__ __noinline__ double tb_rare_log(double x)
{
    if (!(x > 0)) return log(x);
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
#endif

#endif
