/* reduce_table.c - tb_red_table, made from reduce.def, and the search in it. Rows of one fold are found by
 * dtype. */
#include "kernels/types.h"
#include "kernels/reduce.h"
#include "kernels/argreduce.h"
#include "kernels/logarithm.h"
#include "kernels/entropy.h"
#include "tables/loops.h"

/* The .def file uses this word as the token of a dtype. */
#undef bool

/* Tokens of dtypes. */
/* clang-format off */
enum {
    DT_bool = TB_BOOL, DT_i8 = TB_I8, DT_u8 = TB_U8, DT_i16 = TB_I16, DT_u16 = TB_U16, DT_i32 = TB_I32,
    DT_u32 = TB_U32, DT_i64 = TB_I64, DT_u64 = TB_U64, DT_f16 = TB_F16, DT_bf16 = TB_BF16, DT_f32 = TB_F32,
    DT_f64 = TB_F64, DT_c64 = TB_C64, DT_c128 = TB_C128,
};
/* clang-format on */

/* Tokens of folds. */
enum {
#define RED_FOLD(NAME, op, repeats, absorbs, other, text) FOLD_##op = TB_REDUCE_##NAME,
#include "tables/reduce.def"
};

/* Each by itself: what is handed on to another macro has its own macros expanded, and these are the host's. */
#define RED(op, in, acc, out, init, step, merge, final) \
    {#op "_" #in, FOLD_##op, DT_##in, DT_##out, 0, sizeof(acc), #acc, #init, #step, #merge, #final},
#define RED_INDEX(op, in, acc, out, init, step, merge, final) \
    {#op "_" #in, FOLD_##op, DT_##in, DT_##out, 1, sizeof(acc), #acc, #init, #step, #merge, #final},
#define RED_END(of, op, in, acc, out, init, step, merge, final) \
    {#op "_" #in, FOLD_##op, DT_##in, DT_##out, 0, sizeof(acc), #acc, #init, #step, #merge, #final},
#define RED_TWIN(of, op, in, acc, out, init, step, merge, final) \
    {#op "_" #in, FOLD_##op, DT_##in, DT_##out, 0, sizeof(acc), #acc, #init, #step, #merge, #final},
const tb_red_info tb_red_table[] = {
#include "tables/reduce.def"
};

const int tb_nred = (int)(sizeof tb_red_table / sizeof tb_red_table[0]);

enum { NEVER = -1 };
#define RED_FOLD(NAME, op, repeats, absorbs, other, text) \
    [TB_REDUCE_##NAME] = {#op, TB_OP_##repeats, absorbs, TB_REDUCE_##other, text},
const tb_fold_info tb_fold_table[TB_REDUCE_COUNT] = {
#include "tables/reduce.def"
};

/* Row numbers. */
#define RED(op, in, acc, out, init, step, merge, final) ROW_##op##_##in,
enum {
#include "tables/reduce.def"
};

/* One more than the row number; 0 where there is no row. */
#define RED(op, in, acc, out, init, step, merge, final) [FOLD_##op][DT_##in] = ROW_##op##_##in + 1,
static const tb_red row_of[TB_REDUCE_COUNT][TB_NDTYPE] = {
#include "tables/reduce.def"
};

int tb__red_absorbing(const tb_red_info *info)
{
    return info->in == TB_BOOL ? tb_fold_table[info->fold].absorbs : NEVER;
}

tb_red tb__red_find(tb_red_op op, tb_dtype in)
{
    if (in >= TB_NDTYPE) return TB_NOLOOP;
    tb_red row = row_of[op][in];
    if (row == 0) row = row_of[tb_fold_table[op].other][in];
    return row ? (tb_red)(row - 1) : TB_NOLOOP;
}
