/* narrow.h - index arithmetic in 32 bits: fewer than 2^31 points, offsets below 2^31 bytes. */

typedef tb_u32 tb_idx;
typedef tb_i32 tb_off;

/* Division by n as a multiplication: exact for dividends below 2^31. */
struct tb_divisor {
    tb_u32 n, factor, shift, unused;
};

TB_FN tb_idx tb_divide(tb_idx x, const tb_divisor &d)
{
    return (__umulhi(x, d.factor) + x) >> d.shift;
}

/* Which diagonal of a matrix with n columns element i is on: its column less its row. inverse: (2^64 - 1) / n, rounded
 * down, whose upper half's product with the number is its row or one less. */
TB_FN tb_i64 tb_diagonal(tb_i64 i, tb_i64 n, tb_u64 inverse)
{
    const tb_i32 near = (tb_i32)__umulhi((tb_u32)i, (tb_u32)(inverse >> 32)), rest = (tb_i32)i - near * (tb_i32)n;
    return rest < (tb_i32)n ? rest - near : rest - (tb_i32)n - near - 1;
}
