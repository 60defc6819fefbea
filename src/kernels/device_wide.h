/* device_wide.h - index arithmetic in 64 bits, for large arrays. */

typedef tb_u64 tb_idx;
typedef tb_i64 tb_off;

struct tb_divisor {
    tb_u64 n, unused;
};

TB_FN tb_idx tb_divide(tb_idx x, const tb_divisor &d)
{
    return x / d.n;
}
