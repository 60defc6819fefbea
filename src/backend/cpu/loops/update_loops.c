/* update_loops.c - the loops of two inputs, element by element at computed places: what scatters with a function run. A
 * row's function is of use where its output dtype is that of its first input. */
#include "backend/cpu/loops/loops.h"
#include "kernels/types.h"
#include "kernels/half.h"
#include "kernels/integer.h"
#include "kernels/real.h"
#include "kernels/complex.h"
#include "tables/groups.h"

#include <stddef.h>
#include <string.h>

/* The .def files use this word as the token of a dtype. */
#undef bool

#define UFUNC(op, n, text)
#define INTERNAL(op, n, text)
#define UFUNC2(op, n, x, y, text)
#define ALIAS(alias, op)
#define L1(op, A, O, e)
#define L3(op, A, B, C, O, e)
#define H1(op, A, O, e)
#define H2(op, A, B, O, e) L2(op, A, B, O, e)
#define L2(op, A, B, O, e)                                                                                  \
    static void op##_##A##_##B##_##O(int64_t n, char *to, int64_t step, const int64_t *where, const char *v) \
    {                                                                                                       \
        for (int64_t k = 0; k < n; k++) {                                                                   \
            char *at = to + k * step + where[k];                                                            \
            tb_##A x;                                                                                       \
            tb_##B y;                                                                                       \
            memcpy(&x, at, sizeof x);                                                                       \
            memcpy(&y, v + k * (int64_t)sizeof y, sizeof y);                                                \
            const tb_reg_##A a = tb_load_##A(x);                                                            \
            const tb_reg_##B b = tb_load_##B(y);                                                            \
            const tb_##O new = tb_store_##O(e);                                                             \
            memcpy(at, &new, sizeof new);                                                                   \
        }                                                                                                   \
    }
#include "tables/elementwise.def"

#undef L1
#undef L2
#undef L3
#undef H1
#undef H2
#define L1(op, A, O, e) NULL,
#define L2(op, A, B, O, e) op##_##A##_##B##_##O,
#define L3(op, A, B, C, O, e) NULL,
#define H1(op, A, O, e) NULL,
#define H2(op, A, B, O, e) L2(op, A, B, O, e)

/* Loops are numbered in the order of the rows, of which these are the first. */
static const tb_cpu_update table[] = {
#include "tables/elementwise.def"
};

tb_cpu_update tb__cpu_update(uint16_t loop) { return loop < sizeof table / sizeof table[0] ? table[loop] : NULL; }
