/* half.h - IEEE binary16 and bfloat16 on the host, for scalars: conversion from and to double with one rounding, to
 * nearest even. */
#ifndef TB_BASE_HALF_H
#define TB_BASE_HALF_H
#include <stdint.h>
#include <string.h>

#include "tombac/tombac.h"

static inline uint16_t tb__half_from_double(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    uint16_t sign = (uint16_t)(bits >> 48 & 0x8000);
    uint64_t mantissa = bits & 0xfffffffffffffull;
    int exponent = (int)(bits >> 52 & 0x7ff);
    if (exponent == 0x7ff) return sign | 0x7c00 | (mantissa ? 0x200 | (uint16_t)(mantissa >> 42) : 0);
    exponent += 15 - 1023;
    if (exponent >= 31) return sign | 0x7c00;
    if (exponent < -10) return sign; /* below half of the smallest subnormal */
    mantissa |= 1ull << 52;
    int shift = exponent > 0 ? 42 : 43 - exponent;
    uint64_t kept = mantissa >> shift, rest = mantissa & ((1ull << shift) - 1), tie = 1ull << (shift - 1);
    kept += rest > tie || (rest == tie && (kept & 1));
    /* A carry out of the mantissa moves into the exponent, which is what rounding up to the next binade, from the
     * largest subnormal to the smallest normal, or to infinity means. */
    return sign | (uint16_t)(exponent > 0 ? kept + ((uint64_t)(exponent - 1) << 10) : kept);
}

static inline double tb__half_to_double(uint16_t h)
{
    uint64_t sign = (uint64_t)(h & 0x8000) << 48, mantissa = h & 0x3ff;
    int exponent = h >> 10 & 31;
    uint64_t bits;
    double x;
    if (exponent == 0) {
        x = (double)mantissa * 0x1p-24;
        return sign ? -x : x;
    }
    bits = sign | (uint64_t)(exponent == 31 ? 0x7ff : exponent - 15 + 1023) << 52 | mantissa << 42;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static inline uint16_t tb__bfloat_from_double(double x)
{
    /* To float by rounding to odd, which keeps on which side of a tie the number was. */
    float f = (float)x;
    uint32_t bits;
    memcpy(&bits, &f, sizeof bits);
    if (x != x) return (uint16_t)(bits >> 16 | 0x40);
    if ((double)f != x) bits = (bits - ((f < 0 ? -(double)f : (double)f) > (x < 0 ? -x : x))) | 1;
    return (uint16_t)((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

static inline double tb__bfloat_to_double(uint16_t h)
{
    const uint32_t bits = (uint32_t)h << 16;
    float f;
    memcpy(&f, &bits, sizeof f);
    return f;
}

/* Whether elements are of 16 bits and expressions compute them as floats. */
static inline bool tb__is_half(tb_dtype t) { return t == TB_F16 || t == TB_BF16; }

/* Of a dtype that is. */
static inline uint16_t tb__half_of(tb_dtype t, double x)
{
    return t == TB_F16 ? tb__half_from_double(x) : tb__bfloat_from_double(x);
}

static inline double tb__half_value(tb_dtype t, uint16_t bits)
{
    return t == TB_F16 ? tb__half_to_double(bits) : tb__bfloat_to_double(bits);
}
#endif
