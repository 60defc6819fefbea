/* number_loops.c - arithmetic and comparisons with one number, compiled once for each instruction set: what stays in a
 * register is not read for every point, and leaves the cache to arrays. The results are the reference's. */
#include "backend/cpu/loops/loop_forms.h"
#include "backend/cpu/loops/loops.h"
#include "kernels/types.h"
#include "kernels/real.h"
#include "tables/loops.h"

/* A loop of e over array `varies`, input i, with number `stays`, input k. */
#define LOOP(name, T, O, e, varies, i, stays, k)               \
    static void name(int64_t n, void *const *p, int64_t index) \
    {                                                          \
        const tb_##T *x = p[i], stays = *(const tb_##T *)p[k]; \
        O *o = p[0];                                           \
        (void)index;                                           \
        INDEPENDENT for (int64_t at = 0; at < n; at++) {       \
            const tb_##T varies = x[at];                       \
            o[at] = (O)(e);                                    \
        }                                                      \
    }
#define BOTH(op, T, O, e)                                \
    LOOP(op##_##T##_by_number, T, tb_##O, e, a, 1, b, 2) \
    LOOP(op##_##T##_of_number, T, tb_##O, e, b, 2, a, 1)
#define ORDER(T)                         \
    BOTH(less, T, bool, a < b)           \
    BOTH(less_equal, T, bool, a <= b)    \
    BOTH(greater, T, bool, a > b)        \
    BOTH(greater_equal, T, bool, a >= b) \
    BOTH(equal, T, bool, a == b)         \
    BOTH(not_equal, T, bool, a != b)
#define FLOATS(T)                             \
    BOTH(add, T, T, a + b)                    \
    BOTH(subtract, T, T, a - b)               \
    BOTH(multiply, T, T, a * b)               \
    BOTH(divide, T, T, a / b)                 \
    BOTH(maximum, T, T, tb_maximum_##T(a, b)) \
    BOTH(minimum, T, T, tb_minimum_##T(a, b)) \
    ORDER(T)
#define INTS(T, U)                              \
    BOTH(add, T, T, (tb_##U)a + (tb_##U)b)      \
    BOTH(subtract, T, T, (tb_##U)a - (tb_##U)b) \
    BOTH(multiply, T, T, (tb_##U)a * (tb_##U)b) \
    ORDER(T)

FLOATS(f32)
FLOATS(f64)
INTS(i32, u32)
INTS(i64, u64)

void TB_ISA_NAME(tb__numbers_, TB_ISA)(tb_cpu_loop *by_number, tb_cpu_loop *of_number)
{
#define PUT(op, t, T)                                        \
    loop = tb__loop_find(TB_OP_##op, 2, (tb_dtype[]){t, t}); \
    by_number[loop] = op##_##T##_by_number;                  \
    of_number[loop] = op##_##T##_of_number;
#define PUT_ALL(t, T)                                                                            \
    PUT(add, t, T) PUT(subtract, t, T) PUT(multiply, t, T) PUT(less, t, T) PUT(less_equal, t, T) \
    PUT(greater, t, T) PUT(greater_equal, t, T) PUT(equal, t, T) PUT(not_equal, t, T)
#define PUT_FLOATS(t, T) PUT_ALL(t, T) PUT(divide, t, T) PUT(maximum, t, T) PUT(minimum, t, T)
    uint16_t loop;
    PUT_FLOATS(TB_F32, f32)
    PUT_FLOATS(TB_F64, f64)
    PUT_ALL(TB_I32, i32)
    PUT_ALL(TB_I64, i64)
}
