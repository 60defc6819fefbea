/* product_types.h - the file LOOPS for each dtype and width of indices, as product_loops.h has them. Included by
 * product_loops.c and row_loops.c; BY_DTYPE(name) are the versions of a table that it makes. Signed integers are added
 * as unsigned ones. */
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
#include "backend/cpu/sparse/product_dtypes.h"
#undef INDEX
#undef FOR_WIDTH
#define INDEX int64_t
#define FOR_WIDTH(name, type) EXPAND(name, type, 64)
#include "backend/cpu/sparse/product_dtypes.h"
#undef INDEX
#undef FOR_WIDTH

#define ROW(name, type)                      \
    {                                        \
        &name##_##type##_32, &name##_##type##_64 \
    }
#define BY_DTYPE(name)                                                                                        \
    {                                                                                                         \
        [TB_BOOL] = ROW(name, truth), [TB_I8] = ROW(name, u8),    [TB_U8] = ROW(name, u8),                    \
        [TB_I16] = ROW(name, u16),    [TB_U16] = ROW(name, u16),  [TB_I32] = ROW(name, u32),                  \
        [TB_U32] = ROW(name, u32),    [TB_I64] = ROW(name, u64),  [TB_U64] = ROW(name, u64),                  \
        [TB_F32] = ROW(name, f32),    [TB_F64] = ROW(name, f64),  [TB_C64] = ROW(name, c64),                  \
        [TB_C128] = ROW(name, c128),                                                                          \
    }
