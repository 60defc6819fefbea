/* sparse_number.h - what products of sparse matrices are made of. Of truth values a product is an "and" and a sum an
 * "or". */

template <class T> TB_FN T tb_add_product(T s, T x, T y)
{
    if constexpr (TB_TRUTH) return (T)(s | (x & y));
    else return (T)(s + x * y);
}
TB_FN tb_c64 tb_add_product(tb_c64 s, tb_c64 x, tb_c64 y)
{
    return tb_make_c64(s.re + (x.re * y.re - x.im * y.im), s.im + (x.re * y.im + x.im * y.re));
}
TB_FN tb_c128 tb_add_product(tb_c128 s, tb_c128 x, tb_c128 y)
{
    return tb_make_c128(s.re + (x.re * y.re - x.im * y.im), s.im + (x.re * y.im + x.im * y.re));
}
template <class T> TB_FN T tb_add(T s, T x)
{
    if constexpr (TB_TRUTH) return (T)(s | x);
    else return (T)(s + x);
}
TB_FN tb_c64 tb_add(tb_c64 s, tb_c64 x) { return tb_make_c64(s.re + x.re, s.im + x.im); }
TB_FN tb_c128 tb_add(tb_c128 s, tb_c128 x) { return tb_make_c128(s.re + x.re, s.im + x.im); }
