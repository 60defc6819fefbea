/* dl_tensor.c - DLPack tensors, checked: whoever made them may have made a mistake. */
#include "conveniences/dl_tensor.h"

static tb_dtype dtype_of(const dl_tensor *x)
{
    static const struct {
        uint8_t code, bits;
        tb_dtype t;
    } table[] = {
        {DL_BOOL, 8, TB_BOOL},    {DL_INT, 8, TB_I8},         {DL_INT, 16, TB_I16},     {DL_INT, 32, TB_I32},
        {DL_INT, 64, TB_I64},     {DL_UINT, 8, TB_U8},        {DL_UINT, 16, TB_U16},    {DL_UINT, 32, TB_U32},
        {DL_UINT, 64, TB_U64},    {DL_FLOAT, 16, TB_F16},     {DL_FLOAT, 32, TB_F32},   {DL_FLOAT, 64, TB_F64},
        {DL_COMPLEX, 64, TB_C64}, {DL_COMPLEX, 128, TB_C128}, {DL_BFLOAT, 16, TB_BF16},
    };
    for (size_t i = 0; x->dtype.lanes == 1 && i < sizeof table / sizeof *table; i++)
        if (table[i].code == x->dtype.code && table[i].bits == x->dtype.bits) return table[i].t;
    return TB_NODTYPE;
}

const char *tb__dl_read(const dl_tensor *x, tb_foreign *out)
{
    const uintptr_t at = (uintptr_t)x->data + (uintptr_t)x->byte_offset;
    out->dtype = dtype_of(x);
    out->ndim = x->ndim;
    if (out->dtype == TB_NODTYPE) return "its elements are of a type that is not supported";
    if (x->ndim < 0 || x->ndim > TB_MAXDIM) return "it has more dimensions than are supported";
    if (x->ndim > 0 && !x->shape) return "it has no shape";
    if (at < (uintptr_t)x->data) return "its offset reaches past all addresses";
    out->first = x->data ? (char *)at : NULL;
    for (int d = 0; d < x->ndim; d++) {
        out->shape[d] = x->shape[d];
        if (out->shape[d] < 0) return "one of its dimensions is negative";
        if (x->strides && __builtin_mul_overflow(x->strides[d], (int64_t)tb_dtype_size(out->dtype), &out->strides[d]))
            return "its strides reach past all addresses";
    }
    if (!x->strides && !tb__foreign_fill_strides(out)) return "its shape is larger than memory can be";
    if (!tb__foreign_extent(out)) return "it has no memory, or more than there can be";
    return NULL;
}
