/* update_loops.c - the loops of two inputs, element by element at computed places: what scatters with a function run. A
 * row's function is of use where its output dtype is that of its first input. */
#include "backend/cpu/loops/loops.h"
#include "kernels/types.h"
#include "kernels/half.h"
#include "kernels/integer.h"
#include "kernels/real.h"
#include "kernels/complex.h"

#include <stddef.h>
#include <string.h>

/* The .def files use this word as the token of a dtype. */
#undef bool

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
#define G2(op, A, B, O, e)
#define R2(op, A, B, O, e)
#define D2(op, A, B, O, e)
#define S2(op, A, B, O, e)
#define A2(op, A, B, O, e)
#include "tables/loops.def"

#define L1(op, A, O, e) NULL,
#define L2(op, A, B, O, e) op##_##A##_##B##_##O,
#define L3(op, A, B, C, O, e) NULL,
#define G2(op, A, B, O, e) NULL,
#define R2(op, A, B, O, e) NULL,
#define D2(op, A, B, O, e) NULL,
#define S2(op, A, B, O, e) NULL,
#define A2(op, A, B, O, e) NULL,

/* Loops are numbered in the order of the rows, of which casts are the last. */
static const tb_cpu_update table[] = {
#include "tables/loops.def"
};

tb_cpu_update tb__cpu_update(uint16_t loop) { return loop < sizeof table / sizeof table[0] ? table[loop] : NULL; }
