/* product_loops.c - product_loops.h for each dtype and width of indices. */
#include <string.h>

#include "backend/cpu/sparse/sparse.h"

typedef struct pair32 {
    float re, im;
} pair32;
typedef struct pair64 {
    double re, im;
} pair64;

#define PASTE(name, type, width) name##_##type##_##width
#define EXPAND(name, type, width) PASTE(name, type, width)

#define INDEX int32_t
#define FOR_WIDTH(name, type) EXPAND(name, type, 32)
#include "backend/cpu/sparse/product_types.h"
#undef INDEX
#undef FOR_WIDTH
#define INDEX int64_t
#define FOR_WIDTH(name, type) EXPAND(name, type, 64)
#include "backend/cpu/sparse/product_types.h"

#define ROW(type)                                                  \
    {                                                              \
        &tb__product_loops_##type##_32, &tb__product_loops_##type##_64 \
    }
static const tb_product_loops *const loops[TB_NDTYPE][2] = {
    [TB_BOOL] = ROW(truth), [TB_I8] = ROW(u8),   [TB_U8] = ROW(u8),     [TB_I16] = ROW(u16), [TB_U16] = ROW(u16),
    [TB_I32] = ROW(u32),    [TB_U32] = ROW(u32), [TB_I64] = ROW(u64),   [TB_U64] = ROW(u64), [TB_F32] = ROW(f32),
    [TB_F64] = ROW(f64),    [TB_C64] = ROW(c64), [TB_C128] = ROW(c128),
};

const tb_product_loops *tb__product_loops(tb_dtype t, bool wide) { return loops[t][wide]; }
