/* add_product.h - a sum and a product of numbers, for sums of products of windows (slide.h, polyphase.h). */

template <class T> TB_FN T tb_add_product(T s, T x, T y) { return s + x * y; }
TB_FN tb_c64 tb_add_product(tb_c64 s, tb_c64 x, tb_c64 y)
{
    return tb_make_c64(s.re + (x.re * y.re - x.im * y.im), s.im + (x.re * y.im + x.im * y.re));
}
TB_FN tb_c128 tb_add_product(tb_c128 s, tb_c128 x, tb_c128 y)
{
    return tb_make_c128(s.re + (x.re * y.re - x.im * y.im), s.im + (x.re * y.im + x.im * y.re));
}
