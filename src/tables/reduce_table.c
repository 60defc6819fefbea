/* reduce_table.c - tb_red_table, made from reduce.def, and the search in it. Rows of one operation are found by
 * dtype. */
#include "kernels/types.h"
#include "kernels/reduce.h"
#include "kernels/argreduce.h"
#include "tables/loops.h"

#include <string.h>

/* Dtype tokens. `bool` may be a macro, but not next to ##. */
/* clang-format off */
enum {
    DT_bool = TB_BOOL, DT_i8 = TB_I8, DT_u8 = TB_U8, DT_i16 = TB_I16, DT_u16 = TB_U16, DT_i32 = TB_I32,
    DT_u32 = TB_U32, DT_i64 = TB_I64, DT_u64 = TB_U64, DT_f16 = TB_F16, DT_f32 = TB_F32, DT_f64 = TB_F64,
    DT_c64 = TB_C64, DT_c128 = TB_C128,
};
/* clang-format on */

#define RED(op, in, acc, out, init, step, merge, final) \
    {#op, #op "_" #in, DT_##in, DT_##out, 0, sizeof(acc), #acc, #init, #step, #merge, #final},
#define RED_INDEX(op, in, acc, out, init, step, merge, final) \
    {#op, #op "_" #in, DT_##in, DT_##out, 1, sizeof(acc), #acc, #init, #step, #merge, #final},
const tb_red_info tb_red_table[] = {
#include "tables/reduce.def"
};
#undef RED
#undef RED_INDEX

const int tb_nred = (int)(sizeof tb_red_table / sizeof tb_red_table[0]);

/* Tokens of operations. */
/* clang-format off */
enum {
    OP_sum = TB_REDUCE_SUM, OP_prod = TB_REDUCE_PROD, OP_mean = TB_REDUCE_MEAN, OP_var = TB_REDUCE_VAR,
    OP_std = TB_REDUCE_STD, OP_min = TB_REDUCE_MIN, OP_max = TB_REDUCE_MAX, OP_fmin = TB_REDUCE_FMIN,
    OP_fmax = TB_REDUCE_FMAX, OP_argmin = TB_REDUCE_ARGMIN, OP_argmax = TB_REDUCE_ARGMAX, OP_any = TB_REDUCE_ANY,
    OP_all = TB_REDUCE_ALL, OP_bitand = TB_REDUCE_BITAND, OP_bitor = TB_REDUCE_BITOR, OP_bitxor = TB_REDUCE_BITXOR,
};
/* clang-format on */

const char *const tb_red_op_name[TB_REDUCE_COUNT] = {
    "sum",  "prod",   "mean",   "var", "std", "min",    "max",   "fmin",
    "fmax", "argmin", "argmax", "any", "all", "bitand", "bitor", "bitxor",
};

/* Row numbers. */
#define RED(op, in, acc, out, init, step, merge, final) ROW_##op##_##in,
#define RED_INDEX(op, in, acc, out, init, step, merge, final) ROW_##op##_##in,
enum {
#include "tables/reduce.def"
};
#undef RED
#undef RED_INDEX

/* One more than the row number; 0 where there is no row. */
#define RED(op, in, acc, out, init, step, merge, final) [OP_##op][DT_##in] = ROW_##op##_##in + 1,
#define RED_INDEX(op, in, acc, out, init, step, merge, final) [OP_##op][DT_##in] = ROW_##op##_##in + 1,
static const tb_red row_of[TB_REDUCE_COUNT][TB_NDTYPE] = {
#include "tables/reduce.def"
};
#undef RED
#undef RED_INDEX

int tb__red_absorbing(const tb_red_info *info)
{
    static const char *const to_true[] = {"any", "max", "argmax", "bitor"};
    static const char *const to_false[] = {"all", "min", "argmin", "bitand"};
    for (int i = 0; info->in == TB_BOOL && i < 4; i++) {
        if (strcmp(info->op, to_true[i]) == 0) return 1;
        if (strcmp(info->op, to_false[i]) == 0) return 0;
    }
    return -1;
}

tb_red tb__red_find(tb_red_op op, tb_dtype in)
{
    if (in >= TB_NDTYPE) return TB_NOLOOP;
    tb_red row = row_of[op][in];
    /* What has no NaN has one kind of minimum. */
    if (row == 0 && op == TB_REDUCE_FMIN) row = row_of[TB_REDUCE_MIN][in];
    if (row == 0 && op == TB_REDUCE_FMAX) row = row_of[TB_REDUCE_MAX][in];
    return row ? (tb_red)(row - 1) : TB_NOLOOP;
}
