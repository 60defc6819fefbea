/* wide.h - index arithmetic in 64 bits, for large arrays. */

typedef tb_u64 tb_idx;
typedef tb_i64 tb_off;

struct tb_divisor {
    tb_u64 n, unused;
};

TB_FN tb_idx tb_divide(tb_idx x, const tb_divisor &d)
{
    return x / d.n;
}

/* As in device/narrow.h. */
TB_FN tb_i64 tb_diagonal(tb_i64 i, tb_i64 n, tb_u64 inverse)
{
    const tb_i64 near = (tb_i64)__umul64hi((tb_u64)i, inverse), rest = i - near * n;
    return rest < n ? rest - near : rest - n - near - 1;
}
