/* compute.c - how exactly a library may compute products: a choice for each width of numbers, of all threads. */
#include "ops/compute.h"

#include <stdatomic.h>

#include "base/argument.h"
#include "base/environment.h"
#include "base/error.h"

enum { HALVES, SINGLES, DOUBLES, NWIDTH, NONE = NWIDTH };
static atomic_int chosen[NWIDTH]; /* a tb_compute */
static bool tf32_default;

__attribute__((constructor)) static void read_environment(void) { tf32_default = tb__environment(TB_ENV_TF32, 0) == 1; }

static int width_of(tb_dtype t)
{
    switch (t) {
    case TB_F16:
    case TB_BF16: return HALVES;
    case TB_F32:
    case TB_C64: return SINGLES;
    case TB_F64:
    case TB_C128: return DOUBLES;
    default: return NONE;
    }
}

tb_compute tb__compute_of(tb_dtype t)
{
    const int width = width_of(t);
    const int how = width == NONE ? TB_COMPUTE_DEFAULT : atomic_load_explicit(&chosen[width], memory_order_relaxed);
    if (how != TB_COMPUTE_UNSET) return (tb_compute)how;
    return width == SINGLES && tf32_default ? TB_COMPUTE_TF32 : TB_COMPUTE_DEFAULT;
}

static tb_status check(tb_dtype t)
{
    if (width_of(t) != NONE) return TB_OK;
    return tb__fail(TB_ERR_TYPE, "compute type: dtype must be one of floating-point or complex numbers, not %s",
                    tb_dtype_name(t));
}

tb_status tb_compute_set(tb_dtype t, tb_compute how)
{
    TB_IS_DTYPE(t);
    TB_IS_CHOICE(how, TB_COMPUTE_TF32 + 1);
    TB_TRY(check(t));
    atomic_store_explicit(&chosen[width_of(t)], (int)how, memory_order_relaxed);
    return TB_OK;
}

tb_status tb_compute_get(tb_dtype t, tb_compute *how)
{
    TB_NOT_NULL(how);
    TB_IS_DTYPE(t);
    TB_TRY(check(t));
    *how = tb__compute_of(t);
    return TB_OK;
}
