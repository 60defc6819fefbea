/* sort_loops.c - quicksort of integers and of floats, compiled once for each instruction set (TB_ISA). */
#include "backend/cpu/loops/sort_loops.h"
#include "backend/cpu/loops/loops.h"

#include <math.h>
#include <string.h>

#ifdef __clang__
#define UNROLL _Pragma("unroll")
#else
#define UNROLL _Pragma("GCC unroll 16")
#endif

#ifdef __AVX2__
#include "backend/cpu/loops/sort_places.h"
#endif

#define KEY int32_t
#define BITS 32
#define FLOATS 0
#define NAME(x) x##_32
#include "backend/cpu/loops/sort_keys.h"

#define KEY int64_t
#define BITS 64
#define FLOATS 0
#define NAME(x) x##_64
#include "backend/cpu/loops/sort_keys.h"

#define KEY float
#define BITS 32
#define FLOATS 1
#define NAME(x) x##_f32
#include "backend/cpu/loops/sort_keys.h"

#define KEY double
#define BITS 64
#define FLOATS 1
#define NAME(x) x##_f64
#include "backend/cpu/loops/sort_keys.h"

#include "backend/cpu/loops/sort_convert.h"

extern const tb_sort_loops TB_ISA_NAME(tb__sort_loops_, TB_ISA);
const tb_sort_loops TB_ISA_NAME(tb__sort_loops_, TB_ISA) = {
    sort_32,    sort_64,    sort_f32,  sort_f64,   in_order_32, in_order_64, in_order_f32, in_order_f64, split_32,
    split_64,   split_f32,  split_f64, part_at_32, part_at_64,  part_at_f32, part_at_f64,  select_32,    select_64,
    between_32, between_64, places_32, places_64,  less_32,     less_64,     count_32,     count_64,     which_32,
    which_64,   keys_32,    keys_64,   plain_32,   plain_64,    elements_32, elements_64,
};
