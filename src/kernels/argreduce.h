/* argreduce.h - argmin and argmax, for host and device: a value with its position. The first of equal values wins; NaN
 * wins over numbers. A position of -1 marks an accumulator that has seen nothing. Needs types.h and reduce.h; `bool`
 * must not be a macro. */
#ifndef TB_KERNELS_ARGREDUCE_H
#define TB_KERNELS_ARGREDUCE_H

/* The type of positions: a source for fewer than 2^31 elements makes it a narrower one. */
#ifndef TB_POSITION
#define TB_POSITION tb_i64
#endif

/* tb_before_argmin_T(a, b): whether a is strictly the better minimum. tb_best_argmin_T(a, b): b, or a if it is that. */
#define TB_BEFORE_INTEGER(T)                                                                                 \
    TB_FN int tb_before_argmin_##T(tb_reg_##T a, tb_reg_##T b) { return a < b; }                             \
    TB_FN int tb_before_argmax_##T(tb_reg_##T a, tb_reg_##T b) { return a > b; }                             \
    TB_FN tb_reg_##T tb_best_argmin_##T(tb_reg_##T a, tb_reg_##T b) { return a < b ? a : b; }                \
    TB_FN tb_reg_##T tb_best_argmax_##T(tb_reg_##T a, tb_reg_##T b) { return a > b ? a : b; }
#define TB_BEFORE_FLOAT(T)                                                                                   \
    TB_FN int tb_before_argmin_##T(tb_reg_##T a, tb_reg_##T b) { return (!(a >= b)) & (b == b); }            \
    TB_FN int tb_before_argmax_##T(tb_reg_##T a, tb_reg_##T b) { return (!(a <= b)) & (b == b); }            \
    TB_FN tb_reg_##T tb_best_argmin_##T(tb_reg_##T a, tb_reg_##T b) { return ((a < b) | (a != a)) ? a : b; } \
    TB_FN tb_reg_##T tb_best_argmax_##T(tb_reg_##T a, tb_reg_##T b) { return ((a > b) | (a != a)) ? a : b; }
#define TB_BEFORE_COMPLEX(T)                                                  \
    TB_FN int tb_before_argmin_##T(tb_reg_##T a, tb_reg_##T b)                \
    {                                                                         \
        return (!tb_has_nan_##T(b)) & (tb_has_nan_##T(a) | tb_less_##T(a, b)); \
    }                                                                         \
    TB_FN int tb_before_argmax_##T(tb_reg_##T a, tb_reg_##T b)                \
    {                                                                         \
        return (!tb_has_nan_##T(b)) & (tb_has_nan_##T(a) | tb_less_##T(b, a)); \
    }                                                                         \
    TB_FN tb_##T tb_best_argmin_##T(tb_##T a, tb_##T b) { return tb_pick_min_##T(b, a); } \
    TB_FN tb_##T tb_best_argmax_##T(tb_##T a, tb_##T b) { return tb_pick_max_##T(b, a); }

#define TB_ARG_OP(op, T)                                                                          \
    TB_FN tb_arg_##T tb_##op##_step_##T(tb_arg_##T s, tb_reg_##T v, tb_i64 i)                     \
    {                                                                                             \
        const int better = (s.i < 0) | tb_before_##op##_##T(v, s.v);                              \
        s.v = better ? v : s.v;                                                                   \
        s.i = better ? (TB_POSITION)i : s.i;                                                      \
        return s;                                                                                 \
    }                                                                                             \
    TB_FN tb_arg_##T tb_##op##_##T(tb_arg_##T s, tb_arg_##T t)                                    \
    {                                                                                             \
        const int worse = tb_before_##op##_##T(t.v, s.v), better = tb_before_##op##_##T(s.v, t.v); \
        const int other = (t.i >= 0) & ((s.i < 0) | worse | (!better & (t.i < s.i)));             \
        s.v = other ? t.v : s.v;                                                                  \
        s.i = other ? t.i : s.i;                                                                  \
        return s;                                                                                 \
    }

/* The accumulator tb_arg_T, its empty value, and for both operations a step over one element and a merge. */
#define TB_ARG(kind, T)                          \
    typedef struct tb_arg_##T {                  \
        tb_reg_##T v;                            \
        TB_POSITION i;                           \
    } tb_arg_##T;                                \
    TB_FN tb_arg_##T tb_arg_of_##T(tb_reg_##T v, tb_i64 i) \
    {                                            \
        tb_arg_##T s;                            \
        s.v = v;                                 \
        s.i = (TB_POSITION)i;                    \
        return s;                                \
    }                                            \
    TB_BEFORE_##kind(T)                          \
    TB_ARG_OP(argmin, T)                         \
    TB_ARG_OP(argmax, T)

TB_ARG(INTEGER, bool)
TB_ARG(INTEGER, i8)
TB_ARG(INTEGER, u8)
TB_ARG(INTEGER, i16)
TB_ARG(INTEGER, u16)
TB_ARG(INTEGER, i32)
TB_ARG(INTEGER, u32)
TB_ARG(INTEGER, i64)
TB_ARG(INTEGER, u64)
TB_ARG(FLOAT, f16)
TB_ARG(FLOAT, bf16)
TB_ARG(FLOAT, f32)
TB_ARG(FLOAT, f64)
TB_ARG(COMPLEX, c64)
TB_ARG(COMPLEX, c128)
#endif
