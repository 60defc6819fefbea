/* combine_types.h - combine_loops.h for each dtype and function. Included by combine.c for each width of indices. */
#define IS_ZERO(x) ((x) == 0)
#define VALUE double
#define MASKED(x, mask) masked_f64(x, mask)
#define TYPE f64
#include "backend/cpu/sparse/combine_ordered.h"
#undef VALUE
#undef MASKED
#undef TYPE
#define VALUE float
#define MASKED(x, mask) masked_f32(x, mask)
#define TYPE f32
#include "backend/cpu/sparse/combine_ordered.h"
#undef VALUE
#undef MASKED
#undef TYPE
#define WRAPS
#define VALUE int32_t
#define MASKED(x, mask) ((x) & (int32_t)(mask))
#define TYPE i32
#include "backend/cpu/sparse/combine_ordered.h"
#undef VALUE
#undef MASKED
#undef TYPE
#define VALUE int64_t
#define MASKED(x, mask) ((x) & (int64_t)(mask))
#define TYPE i64
#include "backend/cpu/sparse/combine_ordered.h"
#undef VALUE
#undef MASKED
#undef TYPE
#undef WRAPS
#undef IS_ZERO

#define IS_ZERO(x) ((x).re == 0 && (x).im == 0)
#define VALUE pair64
#define MASKED(x, mask) ((pair64){masked_f64((x).re, mask), masked_f64((x).im, mask)})
#define TYPE c128
#define RESULT VALUE
#define NAME add
#define FUNCTION(x, y) plus_c128(x, y)
#include "backend/cpu/sparse/combine_loops.h"
#undef NAME
#undef FUNCTION
#define NAME subtract
#define FUNCTION(x, y) minus_c128(x, y)
#include "backend/cpu/sparse/combine_loops.h"
#undef NAME
#undef FUNCTION
#undef VALUE
#undef MASKED
#undef TYPE
#undef RESULT
#undef IS_ZERO
