/* dtype.c - what there is to know about a dtype, and how two of them combine. The tables are NumPy 2's, with ml_dtypes'
 * bfloat16. */
#include "base/error.h"
#include "base/record.h"

/* name, size, NumPy's character, kind, rank among kinds for same-kind casts (bool, unsigned, signed, float, complex),
 * dtype of the parts */
#define DTYPES(row)                                 \
    row(BOOL, "bool", 1, '?', BOOL, 0, BOOL)        \
    row(I8, "int8", 1, 'b', INT, 2, I8)             \
    row(U8, "uint8", 1, 'B', INT, 1, U8)            \
    row(I16, "int16", 2, 'h', INT, 2, I16)          \
    row(U16, "uint16", 2, 'H', INT, 1, U16)         \
    row(I32, "int32", 4, 'i', INT, 2, I32)          \
    row(U32, "uint32", 4, 'I', INT, 1, U32)         \
    row(I64, "int64", 8, 'l', INT, 2, I64)          \
    row(U64, "uint64", 8, 'L', INT, 1, U64)         \
    row(F16, "float16", 2, 'e', FLOAT, 3, F16)      \
    row(BF16, "bfloat16", 2, 'E', FLOAT, 3, BF16)   \
    row(F32, "float32", 4, 'f', FLOAT, 3, F32)      \
    row(F64, "float64", 8, 'd', FLOAT, 3, F64)      \
    row(C64, "complex64", 8, 'F', COMPLEX, 4, F32)  \
    row(C128, "complex128", 16, 'D', COMPLEX, 4, F64)

typedef struct dtype_info {
    const char *name;
    uint8_t size, kind, rank, real;
    char character;
} dtype_info;

#define ROW(id, name, size, character, kind, rank, real) \
    [TB_##id] = {name, size, TB_KIND_##kind, rank, TB_##real, character},
/* Whatever a number is that comes as a dtype, it has a row: zeros, where there is no such dtype. Records share one. */
static const dtype_info table[256] = {DTYPES(ROW)[TB_RECORD_MARK] = {"record", 0, TB_KIND_RECORD, UINT8_MAX, 0, 'V'}};
#undef ROW

/* clang-format off */
/* The smallest dtype that both convert to safely; int64 and uint64 meet in float64. */
static const uint8_t promoted[TB_NDTYPE][TB_NDTYPE] = {
#define ROW(id, b, i8, u8, i16, u16, i32, u32, i64, u64, f16, bf16, f32, f64, c64, c128)                         \
    [TB_##id] = {TB_##b,   TB_##i8,   TB_##u8,  TB_##i16, TB_##u16, TB_##i32, TB_##u32, TB_##i64, TB_##u64,      \
                 TB_##f16, TB_##bf16, TB_##f32, TB_##f64, TB_##c64, TB_##c128},
    ROW(BOOL, BOOL, I8,   U8,   I16,  U16,  I32,  U32,  I64,  U64,  F16,  BF16, F32,  F64,  C64,  C128)
    ROW(I8,   I8,   I8,   I16,  I16,  I32,  I32,  I64,  I64,  F64,  F16,  BF16, F32,  F64,  C64,  C128)
    ROW(U8,   U8,   I16,  U8,   I16,  U16,  I32,  U32,  I64,  U64,  F16,  BF16, F32,  F64,  C64,  C128)
    ROW(I16,  I16,  I16,  I16,  I16,  I32,  I32,  I64,  I64,  F64,  F32,  F32,  F32,  F64,  C64,  C128)
    ROW(U16,  U16,  I32,  U16,  I32,  U16,  I32,  U32,  I64,  U64,  F32,  F32,  F32,  F64,  C64,  C128)
    ROW(I32,  I32,  I32,  I32,  I32,  I32,  I32,  I64,  I64,  F64,  F64,  F64,  F64,  F64,  C128, C128)
    ROW(U32,  U32,  I64,  U32,  I64,  U32,  I64,  U32,  I64,  U64,  F64,  F64,  F64,  F64,  C128, C128)
    ROW(I64,  I64,  I64,  I64,  I64,  I64,  I64,  I64,  I64,  F64,  F64,  F64,  F64,  F64,  C128, C128)
    ROW(U64,  U64,  F64,  U64,  F64,  U64,  F64,  U64,  F64,  U64,  F64,  F64,  F64,  F64,  C128, C128)
    ROW(F16,  F16,  F16,  F16,  F32,  F32,  F64,  F64,  F64,  F64,  F16,  F32,  F32,  F64,  C64,  C128)
    ROW(BF16, BF16, BF16, BF16, F32,  F32,  F64,  F64,  F64,  F64,  F32,  BF16, F32,  F64,  C64,  C128)
    ROW(F32,  F32,  F32,  F32,  F32,  F32,  F64,  F64,  F64,  F64,  F32,  F32,  F32,  F64,  C64,  C128)
    ROW(F64,  F64,  F64,  F64,  F64,  F64,  F64,  F64,  F64,  F64,  F64,  F64,  F64,  F64,  C128, C128)
    ROW(C64,  C64,  C64,  C64,  C64,  C64,  C128, C128, C128, C128, C64,  C64,  C64,  C128, C64,  C128)
    ROW(C128, C128, C128, C128, C128, C128, C128, C128, C128, C128, C128, C128, C128, C128, C128, C128)
#undef ROW
};
/* clang-format on */

static const tb_record nothing = {.name = "no dtype"};

static const tb_record *record_of(tb_dtype t)
{
    const tb_record *r = tb__record_known(t);
    return r ? r : &nothing;
}

size_t tb_dtype_size(tb_dtype t)
{
    return __builtin_expect(tb__is_record(t), 0) ? (size_t)record_of(t)->size : table[(uint8_t)t].size;
}

const char *tb_dtype_name(tb_dtype t) { return (unsigned)t < TB_NDTYPE ? table[(uint8_t)t].name : record_of(t)->name; }

char tb_dtype_char(tb_dtype t) { return table[(uint8_t)t].character; }

tb_kind tb_dtype_kind(tb_dtype t) { return (tb_kind)table[(uint8_t)t].kind; }

bool tb_dtype_is_unsigned(tb_dtype t) { return table[(uint8_t)t].rank == 1; }

tb_dtype tb_dtype_real(tb_dtype t) { return tb__is_record(t) ? t : (tb_dtype)table[(uint8_t)t].real; }

tb_dtype tb_promote(tb_dtype a, tb_dtype b)
{
    if ((unsigned)a >= TB_NDTYPE || (unsigned)b >= TB_NDTYPE) return a == b && tb__record_known(a) ? a : TB_NODTYPE;
    return (tb_dtype)promoted[a][b];
}

static bool is_dtype(tb_dtype t) { return (unsigned)t < TB_NDTYPE; }

bool tb_can_cast(tb_dtype from, tb_dtype to, tb_casting rule)
{
    if (__builtin_expect(!is_dtype(from) || !is_dtype(to), 0)) return tb__record_can_cast(from, to, rule);
    switch (rule) {
    case TB_CAST_NO:
    case TB_CAST_EQUIV: return from == to;
    case TB_CAST_SAFE: return promoted[from][to] == to;
    case TB_CAST_SAME_KIND: return table[(uint8_t)from].rank <= table[(uint8_t)to].rank;
    case TB_CAST_UNSAFE: return true;
    }
    return false;
}
