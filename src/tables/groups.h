/* groups.h - shorthand for runs of rows of elementwise.def and generate.def: one expression for many dtypes.
 *
 * Rows are of the kinds that loops.def lists (L, F, P, N, H, HF); these macros expand to rows of the kind that their
 * names begin with, in NumPy's order of types. A name may end in
 *   _TO   the output dtype is given
 *   4     four expressions: signed to 32 bits, unsigned to 32 bits, signed 64 bits, unsigned 64 bits
 *   _FN   a helper function's name, to which the dtype's suffix is added
 *   _C    a C library function's */
#ifndef TB_TABLES_GROUPS_H
#define TB_TABLES_GROUPS_H

#define L1_INTS4(op, s, u, sw, uw)                                                      \
    L1(op, i8, i8, s) L1(op, u8, u8, u) L1(op, i16, i16, s) L1(op, u16, u16, u)         \
    L1(op, i32, i32, s) L1(op, u32, u32, u) L1(op, i64, i64, sw) L1(op, u64, u64, uw)
#define L1_INTS(op, e) L1_INTS4(op, e, e, e, e)
#define L1_INTS_TO(op, o, e)                                                            \
    L1(op, i8, o, e) L1(op, u8, o, e) L1(op, i16, o, e) L1(op, u16, o, e)               \
    L1(op, i32, o, e) L1(op, u32, o, e) L1(op, i64, o, e) L1(op, u64, o, e)

#define L2_INTS4(op, s, u, sw, uw)                                                      \
    L2(op, i8, i8, i8, s) L2(op, u8, u8, u8, u) L2(op, i16, i16, i16, s) L2(op, u16, u16, u16, u) \
    L2(op, i32, i32, i32, s) L2(op, u32, u32, u32, u) L2(op, i64, i64, i64, sw) L2(op, u64, u64, u64, uw)
#define L2_INTS(op, e) L2_INTS4(op, e, e, e, e)
#define L2_INTS_TO(op, o, e)                                                            \
    L2(op, i8, i8, o, e) L2(op, u8, u8, o, e) L2(op, i16, i16, o, e) L2(op, u16, u16, o, e) \
    L2(op, i32, i32, o, e) L2(op, u32, u32, o, e) L2(op, i64, i64, o, e) L2(op, u64, u64, o, e)
/* Helpers sfn and ufn, but for the widest: plain division is what they would do. */
#define F2_INTS_DIVIDE(op, sfn, ufn, plain)                                             \
    F2(op, i8, i8, i8, sfn##_i16(a, b)) F2(op, u8, u8, u8, ufn##_u16(a, b))             \
    F2(op, i16, i16, i16, sfn##_i16(a, b)) F2(op, u16, u16, u16, ufn##_u16(a, b))       \
    F2(op, i32, i32, i32, sfn##_i32(a, b)) F2(op, u32, u32, u32, ufn##_u32(a, b))       \
    F2(op, i64, i64, i64, sfn##_i64(a, b)) L2(op, u64, u64, u64, plain)
#define F2_INTS_FN(op, fn)                                                              \
    F2(op, i8, i8, i8, fn##_i32(a, b)) F2(op, u8, u8, u8, fn##_u32(a, b))               \
    F2(op, i16, i16, i16, fn##_i32(a, b)) F2(op, u16, u16, u16, fn##_u32(a, b))         \
    F2(op, i32, i32, i32, fn##_i32(a, b)) F2(op, u32, u32, u32, fn##_u32(a, b))         \
    F2(op, i64, i64, i64, fn##_i64(a, b)) F2(op, u64, u64, u64, fn##_u64(a, b))
/* Unsigned arithmetic, so that wrapping around is defined on every compiler. */
#define L2_INTS_WRAP(op, sign)                                                          \
    L2_INTS4(op, (tb_u32)a sign (tb_u32)b, (tb_u32)a sign (tb_u32)b, (tb_u64)a sign (tb_u64)b, a sign b)
#define L3_INTS(op, e)                                                                  \
    L3(op, i8, i8, i8, i8, e) L3(op, u8, u8, u8, u8, e) L3(op, i16, i16, i16, i16, e)   \
    L3(op, u16, u16, u16, u16, e) L3(op, i32, i32, i32, i32, e) L3(op, u32, u32, u32, u32, e) \
    L3(op, i64, i64, i64, i64, e) L3(op, u64, u64, u64, u64, e)

#define L1_FLOATS(op, e) L1(op, f16, f16, e) L1(op, bf16, bf16, e) L1(op, f32, f32, e) L1(op, f64, f64, e)
#define P1_FLOATS(op, e) P1(op, f16, f16, e) P1(op, bf16, bf16, e) P1(op, f32, f32, e) P1(op, f64, f64, e)
#define L1_FLOATS_TO(op, o, e) L1(op, f16, o, e) L1(op, bf16, o, e) L1(op, f32, o, e) L1(op, f64, o, e)
#define F1_FLOATS_FN(op, fn)                                                            \
    F1(op, f16, f16, fn##_f32(a)) F1(op, bf16, bf16, fn##_f32(a)) F1(op, f32, f32, fn##_f32(a)) \
    F1(op, f64, f64, fn##_f64(a))
#define L1_FLOATS_C(op, fn)                                                             \
    L1(op, f16, f16, fn##f(a)) L1(op, bf16, bf16, fn##f(a)) L1(op, f32, f32, fn##f(a)) L1(op, f64, f64, fn(a))
#define HF1_FLOATS_FN(op, fn)                                                           \
    HF1(op, f16, f16, fn##_f32(a)) HF1(op, bf16, bf16, fn##_f32(a)) HF1(op, f32, f32, fn##_f32(a)) \
    HF1(op, f64, f64, fn##_f64(a))
/* In float64 whatever the integers, bool among them: before the loops for floats, of which narrow ones would fit. */
#define HF1_FROM_INTEGERS(op, fn) HF1(op, i64, f64, fn##_f64((double)a)) HF1(op, u64, f64, fn##_f64((double)a))
#define HF1_FLOATS_C(op, fn)                                                            \
    HF1(op, f16, f16, fn##f(a)) HF1(op, bf16, bf16, fn##f(a)) HF1(op, f32, f32, fn##f(a)) \
    HF1(op, f64, f64, fn(a))
#define H1_FLOATS_C(op, fn)                                                             \
    H1(op, f16, f16, fn##f(a)) H1(op, bf16, bf16, fn##f(a)) H1(op, f32, f32, fn##f(a)) H1(op, f64, f64, fn(a))

#define L2_FLOATS(op, e)                                                                \
    L2(op, f16, f16, f16, e) L2(op, bf16, bf16, bf16, e) L2(op, f32, f32, f32, e) L2(op, f64, f64, f64, e)
#define P2_FLOATS(op, e)                                                                \
    P2(op, f16, f16, f16, e) P2(op, bf16, bf16, bf16, e) P2(op, f32, f32, f32, e) P2(op, f64, f64, f64, e)
#define L2_FLOATS_TO(op, o, e)                                                          \
    L2(op, f16, f16, o, e) L2(op, bf16, bf16, o, e) L2(op, f32, f32, o, e) L2(op, f64, f64, o, e)
#define F2_FLOATS_FN(op, fn)                                                            \
    F2(op, f16, f16, f16, fn##_f32(a, b)) F2(op, bf16, bf16, bf16, fn##_f32(a, b))      \
    F2(op, f32, f32, f32, fn##_f32(a, b)) F2(op, f64, f64, f64, fn##_f64(a, b))
#define HF2_FLOATS_FN(op, fn)                                                           \
    HF2(op, f16, f16, f16, fn##_f32(a, b)) HF2(op, bf16, bf16, bf16, fn##_f32(a, b))    \
    HF2(op, f32, f32, f32, fn##_f32(a, b)) HF2(op, f64, f64, f64, fn##_f64(a, b))
#define H2_FLOATS_C(op, fn)                                                             \
    H2(op, f16, f16, f16, fn##f(a, b)) H2(op, bf16, bf16, bf16, fn##f(a, b)) H2(op, f32, f32, f32, fn##f(a, b)) \
    H2(op, f64, f64, f64, fn(a, b))

#define F1_COMPLEX_FN(op, fn) F1(op, c64, c64, fn##_c64(a)) F1(op, c128, c128, fn##_c128(a))
#define L1_COMPLEX_TO(op, o, e) L1(op, c64, o, e) L1(op, c128, o, e)
#define L1_COMPLEX_PART(op, e) L1(op, c64, f32, e) L1(op, c128, f64, e)
#define HF1_COMPLEX_FN(op, fn) HF1(op, c64, c64, fn##_c64(a)) HF1(op, c128, c128, fn##_c128(a))
#define F2_COMPLEX_FN(op, fn) F2(op, c64, c64, c64, fn##_c64(a, b)) F2(op, c128, c128, c128, fn##_c128(a, b))
#define L2_COMPLEX_TO(op, o, e64, e128) L2(op, c64, c64, o, e64) L2(op, c128, c128, o, e128)
#define F2_COMPLEX_TO(op, o, e64, e128) F2(op, c64, c64, o, e64) F2(op, c128, c128, o, e128)

/* Runs of rows that several ufuncs share. */
#define H1_TRANSCENDENTAL(op, c_name) H1_FLOATS_C(op, c_name) HF1_COMPLEX_FN(op, tb_##op)
#define HF1_OF_ANGLES(op) HF1_FLOATS_C(op, tb_angle_##op) HF1_COMPLEX_FN(op, tb_##op)
#define L2_ORDER(op, sign, e64, e128)                                                   \
    L2(op, bool, bool, bool, a sign b) L2_INTS_TO(op, bool, a sign b)                   \
    L2(op, i64, u64, bool, a < 0 ? 0 sign 1 : (tb_u64)a sign b)                         \
    L2(op, u64, i64, bool, b < 0 ? 1 sign 0 : a sign (tb_u64)b)                         \
    L2_FLOATS_TO(op, bool, a sign b) F2_COMPLEX_TO(op, bool, e64, e128)
#define L2_EXTREME(op, sign, bits, fn)                                                  \
    L2(op, bool, bool, bool, a bits b) L2_INTS(op, a sign b ? a : b) F2_FLOATS_FN(op, fn) F2_COMPLEX_FN(op, fn)
#define L1_WHOLE(op, c_name) L1(op, bool, bool, a) L1_INTS(op, a) L1_FLOATS_C(op, c_name)
/* One truth value for numbers that are always, or never, what is asked. */
#define L1_ALWAYS(op) ALWAYS1(op, bool) TB_INTS_EACH(ALWAYS1, op)
#define L1_NEVER(op) NEVER1(op, bool) TB_INTS_EACH(NEVER1, op)
#define TB_INTS_EACH(row, op) \
    row(op, i8) row(op, u8) row(op, i16) row(op, u16) row(op, i32) row(op, u32) row(op, i64) row(op, u64)

/* Special functions: FD f32 and f64, L i64, U u64, E f16; integers and float16 give float64, and
 * bfloat16, which has no rows, float32. fn is a function of double, with _FN a helper of both; where it is the C
 * library's, the rows are H1_SPECIAL. */
#define S1_FD(op, fn) S1(special_##op, f32, f32, (float)fn(a)) S1(special_##op, f64, f64, fn(a))
#define H1_SPECIAL_FD(op, fn) H1(special_##op, f32, f32, fn##f(a)) H1(special_##op, f64, f64, fn(a))
#define H1_SPECIAL_LU(op, fn) H1(special_##op, i64, f64, fn((double)a)) H1(special_##op, u64, f64, fn((double)a))
#define H1_SPECIAL_E(op, fn) H1(special_##op, f16, f64, fn((double)a))
#define S1_FD_FN(op, fn) S1(special_##op, f32, f32, fn##_f32(a)) S1(special_##op, f64, f64, fn##_f64(a))
#define S1_L(op, fn) S1(special_##op, i64, f64, fn((double)a))
#define S1_LU(op, fn) S1_L(op, fn) S1(special_##op, u64, f64, fn((double)a))
#define S1_E(op, fn) S1(special_##op, f16, f64, fn((double)a))
#define S1_COMPLEX(op, fn)                                                              \
    S1(special_##op, c64, c64, tb_narrow(fn(tb_widen(a)))) S1(special_##op, c128, c128, fn(a))
#define S1_COMPLEX_NUMBERED(op, fn, k)                                                  \
    S1(special_##op, c64, c64, tb_narrow(fn(tb_widen(a), k))) S1(special_##op, c128, c128, fn(a, k))
#define S2_FD(op, fn) S2(special_##op, f32, f32, f32, (float)fn(a, b)) S2(special_##op, f64, f64, f64, fn(a, b))
#define S2_FD_FN(op, fn) S2(special_##op, f32, f32, f32, fn##_f32(a, b)) S2(special_##op, f64, f64, f64, fn##_f64(a, b))
/* Functions that make a complex number z of real ones: as it is, or its parts. */
#define S2_TO_COMPLEX(op, z)                                                            \
    S2(special_##op, f32, f32, c64, tb_narrow(z)) S2(special_##op, f64, f64, c128, z)
#define S1_TO_COMPLEX(op, z) S1(special_##op, f32, c64, tb_narrow(z)) S1(special_##op, f64, c128, z)
#define S1_PART(op, z, part) S1(special_##op, f32, f32, (float)z.part) S1(special_##op, f64, f64, z.part)
#define S2_LU(op, fn)                                                                   \
    S2(special_##op, i64, i64, f64, fn((double)a, (double)b)) S2(special_##op, u64, u64, f64, fn((double)a, (double)b))
#define S2_E(op, fn) S2(special_##op, f16, f16, f64, fn((double)a, (double)b))
#define S2_HALF(op, fn) S2(special_##op, f16, f16, f32, fn(a, b))
#define S2_COMPLEX(op, fn)                                                              \
    S2(special_##op, c64, c64, c64, tb_narrow(fn(tb_widen(a), tb_widen(b))))            \
    S2(special_##op, c128, c128, c128, fn(a, b))
#define S2_NUMBERED(op, fn, k)                                                          \
    S2(special_##op, f32, f32, f32, (float)fn(a, b, k)) S2(special_##op, f64, f64, f64, fn(a, b, k))
#define S3_COUNTED(op, fn)                                                              \
    S3(special_##op, f32, f32, f32, f32, (float)fn(a, b, c))                            \
    S3(special_##op, f64, i64, f64, f64, fn(a, (double)b, c))                           \
    S3(special_##op, f64, f64, f64, f64, fn(a, b, c))
#define S3_BOTH_COUNTED(op, fn)                                                         \
    S3(special_##op, i64, i64, f64, f64, fn((double)a, (double)b, c)) S3_FD(op, fn)
#define S3_FD(op, fn)                                                                   \
    S3(special_##op, f32, f32, f32, f32, (float)fn(a, b, c)) S3(special_##op, f64, f64, f64, f64, fn(a, b, c))
#define S4_FD(op, fn)                                                                   \
    S4(special_##op, f32, f32, f32, f32, f32, (float)fn(a, b, c, d))                    \
    S4(special_##op, f64, f64, f64, f64, f64, fn(a, b, c, d))

/* Every cast from a dtype; C(from, to) is the row. */
#define TB_CASTS_FROM(f)                                                                \
    C(f, bool) C(f, i8) C(f, u8) C(f, i16) C(f, u16) C(f, i32) C(f, u32) C(f, i64) C(f, u64) \
    C(f, f16) C(f, bf16) C(f, f32) C(f, f64) C(f, c64) C(f, c128)
#define TB_CASTS                                                                        \
    TB_CASTS_FROM(bool) TB_CASTS_FROM(i8) TB_CASTS_FROM(u8) TB_CASTS_FROM(i16) TB_CASTS_FROM(u16) \
    TB_CASTS_FROM(i32) TB_CASTS_FROM(u32) TB_CASTS_FROM(i64) TB_CASTS_FROM(u64) TB_CASTS_FROM(f16) \
    TB_CASTS_FROM(bf16) TB_CASTS_FROM(f32) TB_CASTS_FROM(f64) TB_CASTS_FROM(c64) TB_CASTS_FROM(c128)
#endif
