/* quick.h - divisions without branches, right for all operands but rare ones, which tb_rare_* tell. Kernels of several
 * divisions are made of them (device_twice.h).
 *
 * The steps are Markstein's ("Computation of elementary functions on the IBM RISC System/6000 processor", 1990): an
 * approximate reciprocal, made exact to the last bit by fused multiply-adds, and a quotient corrected by its exact
 * remainder. The device's compiler makes divisions of the same steps, between a check and a branch. Results are the
 * correctly rounded ones as long as nothing on the way overflows or loses bits; here that is made sure of by magnitudes
 * from 2^-62 to 2^63. A numerator of zero has a quotient of the right sign. */
#ifndef TB_KERNELS_QUICK_H
#define TB_KERNELS_QUICK_H

/* Whether |x| is outside [2^-62, 2^63): twice the bits are without the sign. */
TB_FN int tb_far_from_1(float x)
{
    tb_u32 bits;
    memcpy(&bits, &x, sizeof bits);
    return 2 * bits - ((127u - 62) << 24) >= 125u << 24;
}

TB_FN int tb_rare_reciprocal(float b) { return tb_far_from_1(b); }
TB_FN int tb_rare_divide(float a, float b) { return (tb_far_from_1(a) & (a != 0)) | tb_far_from_1(b); }

/* To 1 unit in the last place. The host, where this is tested, says what it is there. */
TB_FN float tb_reciprocal_near(float b)
{
#ifdef __CUDACC_RTC__
    float r;
    asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(r) : "f"(b));
    return r;
#else
    return TB_RECIPROCAL_NEAR(b);
#endif
}

TB_FN float tb_quick_reciprocal(float b)
{
    const float r = tb_reciprocal_near(b);
    return fmaf(r, fmaf(-b, r, 1), r);
}

TB_FN float tb_quick_divide(float a, float b)
{
    const float r = tb_quick_reciprocal(b), q = a * r;
    return copysignf(fmaf(r, fmaf(-b, q, a), q), q);
}
#endif
