/* integer.h - integer operations with NumPy's semantics: results wrap around, division by zero gives 0.
 *
 * Written for 32 and 64 bits; narrower dtypes use the 32-bit functions and truncate what comes back. Those that divide
 * have functions of 16 bits, which serve 8 too. */
#ifndef TB_KERNELS_INTEGER_H
#define TB_KERNELS_INTEGER_H

#define TB_DIVISION_FNS(S, U, s)                                                                      \
    /* Divisors of -1 are kept from the machine's division, which traps on the lowest number. */     \
    TB_FN S tb_floor_divide_##s(S a, S b)                                                             \
    {                                                                                                 \
        if (b == 0) return 0;                                                                         \
        if (b == -1) return (S)(0 - (U)a);                                                            \
        const S q = a / b;                                                                            \
        return q - (q * b != a && (a < 0) != (b < 0));                                                \
    }                                                                                                 \
    TB_FN S tb_fmod_##s(S a, S b)                                                                     \
    {                                                                                                 \
        return b == 0 || b == -1 ? 0 : a % b;                                                         \
    }

/* Vectors of the host divide floats, not integers. The quotient of two integers of at most 16 bits, or of 32 in
 * doubles, is never so close to a whole number that its rounding reaches it. */
#ifdef __CUDACC_RTC__
TB_FN tb_u32 tb_quotient_u16(tb_u32 a, tb_u32 b) { return a / b; }
#else
TB_FN tb_u32 tb_quotient_u16(tb_u32 a, tb_u32 b) { return (tb_u32)(tb_i32)((float)(tb_i32)a / (float)(tb_i32)b); }
#endif
#if defined(__SSE4_1__) && !defined(__CUDACC_RTC__)
#define TB_U32_DOUBLE(x) ((double)(tb_i32)((x) ^ 0x80000000u) + 0x1p31)
TB_FN tb_u32 tb_quotient_u32(tb_u32 a, tb_u32 b)
{
    /* Vectors convert signed numbers alone. */
    return (tb_u32)(tb_i32)(floor(TB_U32_DOUBLE(a) / TB_U32_DOUBLE(b)) - 0x1p31) ^ 0x80000000u;
}
#undef TB_U32_DOUBLE
#else
TB_FN tb_u32 tb_quotient_u32(tb_u32 a, tb_u32 b) { return a / b; }
#endif

#define TB_UNSIGNED_FNS(u)                                                                            \
    TB_FN tb_u32 tb_floor_divide_##u(tb_u32 a, tb_u32 b)                                              \
    {                                                                                                 \
        const tb_u32 q = tb_quotient_##u(a, b ? b : 1);                                               \
        return b ? q : 0;                                                                             \
    }                                                                                                 \
    TB_FN tb_u32 tb_fmod_##u(tb_u32 a, tb_u32 b)                                                      \
    {                                                                                                 \
        const tb_u32 divisor = b ? b : 1;                                                             \
        return a - tb_quotient_##u(a, divisor) * divisor;                                             \
    }
TB_UNSIGNED_FNS(u16)
TB_UNSIGNED_FNS(u32)
#undef TB_UNSIGNED_FNS

#ifdef __CUDACC_RTC__
TB_DIVISION_FNS(tb_i32, tb_u32, i16)
TB_DIVISION_FNS(tb_i32, tb_u32, i32)
#else
TB_FN tb_i32 tb_quotient_i32(tb_i32 a, tb_i32 b)
{
    return (tb_i32)((double)a / (double)b);
}

TB_FN tb_i32 tb_quotient_i16(tb_i32 a, tb_i32 b) { return (tb_i32)((float)a / (float)b); }

#define TB_SIGNED_FNS(s)                                                                              \
    TB_FN tb_i32 tb_floor_divide_##s(tb_i32 a, tb_i32 b)                                              \
    {                                                                                                 \
        const tb_i32 divisor = b == 0 || b == -1 ? 1 : b;                                             \
        const tb_i32 q = tb_quotient_##s(a, divisor), r = a - q * divisor;                            \
        const tb_i32 down = q - ((r != 0) & ((r ^ divisor) < 0));                                     \
        return b == 0 ? 0 : b == -1 ? (tb_i32)(0 - (tb_u32)a) : down;                                 \
    }                                                                                                 \
    TB_FN tb_i32 tb_fmod_##s(tb_i32 a, tb_i32 b)                                                      \
    {                                                                                                 \
        const tb_i32 divisor = b == 0 || b == -1 ? 1 : b;                                             \
        return a - tb_quotient_##s(a, divisor) * divisor;                                             \
    }
TB_SIGNED_FNS(i16)
TB_SIGNED_FNS(i32)
#undef TB_SIGNED_FNS
#endif
TB_DIVISION_FNS(tb_i64, tb_u64, i64)
#undef TB_DIVISION_FNS

#define TB_INTEGER_FNS(S, U, s, u)                                                                    \
    TB_FN S tb_remainder_##s(S a, S b)                                                                \
    {                                                                                                 \
        const S r = tb_fmod_##s(a, b);                                                                \
        return r != 0 && (r < 0) != (b < 0) ? r + b : r;                                              \
    }                                                                                                 \
    TB_FN U tb_power_##u(U a, U b)                                                                    \
    {                                                                                                 \
        U r = 1;                                                                                      \
        for (; b; b >>= 1, a *= a)                                                                    \
            if (b & 1) r *= a;                                                                        \
        return r;                                                                                     \
    }                                                                                                 \
    /* A negative power is the true result truncated: 0, unless a is 1 or -1. */                      \
    TB_FN S tb_power_##s(S a, S b)                                                                    \
    {                                                                                                 \
        if (b >= 0) return (S)tb_power_##u((U)a, (U)b);                                               \
        return a == 1 ? 1 : a == -1 ? (b & 1 ? -1 : 1) : 0;                                           \
    }                                                                                                 \
    TB_FN U tb_magnitude_##s(S a)                                                                     \
    {                                                                                                 \
        return a < 0 ? 0 - (U)a : (U)a;                                                               \
    }                                                                                                 \
    TB_FN U tb_gcd_##u(U a, U b)                                                                      \
    {                                                                                                 \
        while (b) {                                                                                   \
            const U r = a % b;                                                                        \
            a = b;                                                                                    \
            b = r;                                                                                    \
        }                                                                                             \
        return a;                                                                                     \
    }                                                                                                 \
    TB_FN U tb_lcm_##u(U a, U b)                                                                      \
    {                                                                                                 \
        const U g = tb_gcd_##u(a, b);                                                                 \
        return g ? a / g * b : 0;                                                                     \
    }                                                                                                 \
    TB_FN S tb_gcd_##s(S a, S b)                                                                      \
    {                                                                                                 \
        return (S)tb_gcd_##u(tb_magnitude_##s(a), tb_magnitude_##s(b));                               \
    }                                                                                                 \
    TB_FN S tb_lcm_##s(S a, S b)                                                                      \
    {                                                                                                 \
        return (S)tb_lcm_##u(tb_magnitude_##s(a), tb_magnitude_##s(b));                               \
    }

TB_INTEGER_FNS(tb_i32, tb_u32, i32, u32)
TB_INTEGER_FNS(tb_i64, tb_u64, i64, u64)
#undef TB_INTEGER_FNS
TB_FN tb_i32 tb_remainder_i16(tb_i32 a, tb_i32 b)
{
    const tb_i32 r = tb_fmod_i16(a, b);
    return r != 0 && (r < 0) != (b < 0) ? r + b : r;
}

/* By sums of neighbouring fields, which vectorises where counting instructions do not. */
TB_FN tb_u8 tb_popcount_u8(tb_u8 x)
{
    x = (tb_u8)(x - (x >> 1 & 0x55));
    x = (tb_u8)((x & 0x33) + (x >> 2 & 0x33));
    return (tb_u8)((x + (x >> 4)) & 0x0f);
}

#ifdef __CUDACC_RTC__
#define tb_popcount_u32(x) __popc(x)
#define tb_popcount_u64(x) __popcll(x)
#else
#define tb_popcount_u32(x) __builtin_popcount(x)
#define tb_popcount_u64(x) __builtin_popcountll(x)
#endif
#endif
