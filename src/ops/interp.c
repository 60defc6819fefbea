/* interp.c - lines between points: the host's loops, or on another device a kernel that looks for a place a thread. */
#include "backend/retry.h"
#include "base/argument.h"
#include "base/lock.h"
#include "ops/array_ops.h"

/* All stored, of float64. */
typedef struct lines {
    tb_array *x, *xp, *fp;
    const double *left, *right;
} lines;

static const double *numbers(const tb_array *a) { return (const double *)(const void *)(a->buffer->ptr + a->offset); }

static tb_status interp_here(const lines *l, tb_array **out)
{
    tb_stream *s;
    tb_array *result;
    TB_TRY(tb__current_stream(&s));
    TB_TRY(tb__empty(TB_F64, l->x->ndim, l->x->dims, 'C', &result));
    tb_status status = tb__before_write(result->buffer);
    if (status == TB_OK) {
        const double *fp = numbers(l->fp);
        const tb_lines job = {.xp = numbers(l->xp),
                              .fp = fp,
                              .x = numbers(l->x),
                              .npoint = l->xp->size,
                              .n = l->x->size,
                              .left = l->left ? *l->left : fp[0],
                              .right = l->right ? *l->right : fp[l->xp->size - 1],
                              .out = (double *)(void *)result->buffer->ptr};
        status = tb__backend->interp(s, &job);
    }
    if (status == TB_OK) *out = result;
    else tb_array_release(result);
    return status;
}

/* ---- by a kernel ------------------------------------------------------------------------------------------------ */

static const char LINES[] = "const double before = has_left ? left : fp[0];\n"
                            "const double behind = has_right ? right : fp[count - 1];\n"
                            "long long from = 0, left_over = count;\n"
                            "while (left_over > 0) {\n"
                            "    const long long half = left_over / 2;\n"
                            "    if (x < xp[from + half]) {\n"
                            "        left_over = half;\n"
                            "    } else {\n"
                            "        from += half + 1;\n"
                            "        left_over -= half + 1;\n"
                            "    }\n"
                            "}\n"
                            "if (count == 1) {\n"
                            "    y = x < xp[0] ? before : x > xp[0] ? behind : fp[0];\n"
                            "} else {\n"
                            "    const long long at = from > count - 1 ? count - 2 : from > 0 ? from - 1 : 0;\n"
                            "    const double x0 = xp[at], x1 = xp[at + 1], f0 = fp[at], f1 = fp[at + 1];\n"
                            "    const double slope = (f1 - f0) / (x1 - x0);\n"
                            "    const double near = slope * (x - x0), far = slope * (x - x1);\n"
                            "    double v = near + f0;\n"
                            "    v = v == v ? v : far + f1;\n"
                            "    v = v == v || f0 != f1 ? v : f0;\n"
                            "    v = x == x1 ? f1 : x == x0 ? f0 : v;\n"
                            "    v = x < xp[0] ? before : x > xp[count - 1] ? behind : v;\n"
                            "    y = x == x ? v : x;\n"
                            "}";

/* One for all calls, which keeps what it has compiled. */
static tb_status lines_kernel(tb_elementwise **out)
{
    static tb_elementwise *kernel;
    tb_elementwise_source source = TB_ELEMENTWISE_SOURCE_INIT;
    source.in_params = "float64 x, raw float64 xp, raw float64 fp, int64 count, bool has_left, float64 left, "
                       "bool has_right, float64 right";
    source.out_params = "float64 y";
    source.operation = LINES;
    source.name = "tombac_interp";
    if (!kernel) TB_TRY(tb_elementwise_new(&source, &kernel));
    *out = kernel;
    return TB_OK;
}

static tb_status interp_by_kernel(const lines *l, tb_array **out)
{
    tb_elementwise *kernel;
    const tb_operand in[] = {
        tb_operand_array(l->x),           tb_operand_array(l->xp),
        tb_operand_array(l->fp),          tb_operand_int(l->xp->size),
        tb_operand_int(l->left != NULL),  tb_operand_float(l->left ? *l->left : 0),
        tb_operand_int(l->right != NULL), tb_operand_float(l->right ? *l->right : 0),
    };
    TB_TRY(lines_kernel(&kernel));
    return tb_elementwise_call(kernel, in, out, NULL);
}

/* ---- either way -------------------------------------------------------------------------------------------------- */

static tb_status check_points(const tb_array *xp, const tb_array *fp)
{
    if (xp->ndim != 1 || fp->ndim != 1) return tb__fail(TB_ERR_VALUE, "interp: xp and fp must be one-dimensional");
    if (xp->size != fp->size)
        return tb__fail(TB_ERR_VALUE, "interp: xp has %lld elements, fp has %lld", (long long)xp->size,
                        (long long)fp->size);
    if (xp->size == 0) return tb__fail(TB_ERR_VALUE, "interp: at least one point is needed");
    return TB_OK;
}

static tb_status check_real(const char *name, const tb_array *a)
{
    if (tb_dtype_kind((tb_dtype)a->dtype) != TB_KIND_COMPLEX) return TB_OK;
    return tb__fail(TB_ERR_TYPE, "interp: %s must be real, not %s", name, tb_dtype_name((tb_dtype)a->dtype));
}

static tb_status interp(lines l, tb_array **out)
{
    TB_TRY(check_points(l.xp, l.fp));
    TB_TRY(check_real("x", l.x));
    TB_TRY(check_real("xp", l.xp));
    TB_TRY(check_real("fp", l.fp));
    if (l.x->size == 0) return tb__empty(TB_F64, l.x->ndim, l.x->dims, 'C', out);
    tb_array **part[] = {&l.x, &l.xp, &l.fp};
    tb_status status = TB_OK;
    int ready = 0;
    for (; ready < 3; ready++) {
        status = tb__stored(*part[ready], TB_F64, part[ready]);
        if (status != TB_OK) break;
    }
    if (status == TB_OK) status = (tb__backend->interp ? interp_here : interp_by_kernel)(&l, out);
    while (ready-- > 0) tb_array_release(*part[ready]);
    return status;
}

tb_status tb_interp(tb_array *x, tb_array *xp, tb_array *fp, const double *left, const double *right, tb_array **out)
{
    TB_NOT_NULL(x, xp, fp, out);
    if (tb_host_func_pending()) TB_TRY(tb__wait_unlocked(NULL, true));
    return TB__OPERATION(interp((lines){x, xp, fp, left, right}, out));
}
