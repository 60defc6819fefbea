/* device_narrow.h - index arithmetic in 32 bits: fewer than 2^31 points, offsets below 2^31 bytes. */

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
