/* half.h - float16 and bfloat16 to and from float and double, correctly rounded (to nearest, ties to even), NaN kept
 * quiet.
 *
 * The device has instructions for float16. Otherwise the bits are moved without a branch, so that the host's compilers
 * can vectorise loops over these functions; TB_HOST_CUDA says that it is the host where CUDA's words are there too. */
#ifndef TB_KERNELS_HALF_H
#define TB_KERNELS_HALF_H
#define TB_HAS_HALF 1

/* By rounding to odd, so that a second rounding, to fewer digits, still knows on which side of a tie the number was. */
TB_FN float tb_odd_float_of(double d)
{
    const float f = (float)d;
    const tb_u32 away = fabs((double)f) > fabs(d), inexact = (double)f != d;
    return tb_f32_of_bits((tb_bits_of_f32(f) - away) | inexact);
}

#if defined __CUDACC_RTC__ && !defined TB_HOST_CUDA

TB_FN float tb_f32_of_f16(tb_f16 h)
{
    float f;
    asm("cvt.f32.f16 %0, %1;" : "=f"(f) : "h"(h.bits));
    return f;
}

TB_FN tb_f16 tb_f16_of_f32(float f)
{
    tb_f16 h;
    asm("cvt.rn.f16.f32 %0, %1;" : "=h"(h.bits) : "f"(f));
    return h;
}

TB_FN tb_f16 tb_f16_of_f64(double d)
{
    tb_f16 h;
    asm("cvt.rn.f16.f64 %0, %1;" : "=h"(h.bits) : "d"(d));
    return h;
}

#else

TB_FN float tb_f32_of_f16(tb_f16 h)
{
    /* The exponent is rebased by a multiplication, which also normalises denormals. */
    const tb_u32 sign = (tb_u32)(h.bits & 0x8000) << 16, rest = (tb_u32)(h.bits & 0x7fff) << 13;
    const tb_u32 scaled = tb_bits_of_f32(tb_f32_of_bits(rest) * 0x1p112f);
    const tb_u32 special = rest | 0x7f800000u;
    return tb_f32_of_bits(sign | (rest >= 0x0f800000u ? special : scaled));
}

TB_FN tb_f16 tb_f16_of_f32(float f)
{
    const tb_u32 bits = tb_bits_of_f32(f), mag = bits & 0x7fffffffu;
    /* Normal results: add just under half a unit of the last place kept (exactly half where that bit is odd). */
    const tb_u32 normal = (mag - 0x38000000u + 0xfffu + ((mag >> 13) & 1)) >> 13;
    /* Denormal results: 0.5's last bit weighs 2^-24, so that the addition rounds there. */
    const tb_u32 denormal = tb_bits_of_f32(tb_f32_of_bits(mag) + 0.5f) - 0x3f000000u;
    tb_u32 r = mag < 0x38800000u ? denormal : normal;
    r = mag >= 0x47800000u ? 0x7c00u : r;
    r = mag > 0x7f800000u ? 0x7e00u | ((mag >> 13) & 0x3ffu) : r;
    tb_f16 h;
    h.bits = (tb_u16)(r | (bits >> 16 & 0x8000u));
    return h;
}

TB_FN tb_f16 tb_f16_of_f64(double d) { return tb_f16_of_f32(tb_odd_float_of(d)); }

#endif

/* A bfloat16 is the upper half of a float. */
TB_FN float tb_f32_of_bf16(tb_bf16 h) { return tb_f32_of_bits((tb_u32)h.bits << 16); }

TB_FN tb_bf16 tb_bf16_of_f32(float f)
{
    const tb_u32 bits = tb_bits_of_f32(f), nan = (bits & 0x7fffffffu) > 0x7f800000u;
    /* Just under half a unit of the last place kept, and exactly half where that bit is odd. */
    const tb_u32 up = bits + 0x7fffu + (bits >> 16 & 1);
    tb_bf16 h;
    h.bits = (tb_u16)((nan ? bits | 0x400000u : up) >> 16);
    return h;
}

TB_FN tb_bf16 tb_bf16_of_f64(double d) { return tb_bf16_of_f32(tb_odd_float_of(d)); }

/* From a, a float16 value, to the next one upwards. That of a negative one is nearer to 0, as the float before it. */
TB_FN float tb_spacing_f16(float a)
{
    const tb_u32 bits = tb_bits_of_f32(a + 0.0f);
    const float unit = tb_f32_of_bits((bits - (bits >> 31)) & 0x7f800000u) * 0x1p-10f;
    const float next = unit < 0x1p-24f ? 0x1p-24f : unit;
    return a - a == 0 ? (a == 65504 ? tb_f32_of_bits(0x7f800000u) : next) : a - a;
}

/* From a, a bfloat16 value, to the next one away from zero. */
TB_FN float tb_spacing_bf16(float a) { return tb_f32_of_bits(tb_bits_of_f32(a) + 0x10000u) - a; }

/* The float16 next to a in b's direction; both are float16 values in float registers. */
TB_FN float tb_nextafter_f16(float a, float b)
{
    tb_f16 h = tb_f16_of_f32(a);
    if (a != a || b != b) return a + b;
    if (a == b) return b;
    if (a == 0)
        h.bits = b > 0 ? 0x0001 : 0x8001;
    else
        h.bits = (tb_u16)(h.bits + ((a < b) == (a > 0) ? 1 : -1));
    return tb_f32_of_f16(h);
}

/* The bfloat16 next to a in b's direction; both are bfloat16 values in float registers. */
TB_FN float tb_nextafter_bf16(float a, float b)
{
    tb_bf16 h = tb_bf16_of_f32(a);
    if (a != a || b != b) return a + b;
    if (a == b) return b;
    if (a == 0)
        h.bits = b > 0 ? 0x0001 : 0x8001;
    else
        h.bits = (tb_u16)(h.bits + ((a < b) == (a > 0) ? 1 : -1));
    return tb_f32_of_bf16(h);
}
#endif
