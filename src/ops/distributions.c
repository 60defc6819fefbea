/* distributions.c - arrays of draws whose parameters may be arrays: a key for each point, drawn from the stream, and
 * the row of the distribution over keys and parameters.
 *
 * Keys are draws of 64 bits, so the offset advances by a block for two points whatever a point then takes from the
 * stream that its key selects (kernels/random_points.h). */
#include "ops/distributions.h"

#include "base/error.h"
#include "base/shape.h"
#include "ops/array_ops.h"

#include <string.h>

/* Parameters as the row wants them; PAIR: the first two are one complex number. */
enum { REAL, WHOLE_AND_REAL, PAIR };

static const struct {
    const char *name;
    uint16_t op;
    uint8_t nparameter, form;
    bool counts;
} rows[] = {
    [TB_RAND_GAMMA] = {"gamma", TB_OP_random_gamma, 1, REAL, false},
    [TB_RAND_LOG_GAMMA] = {"log_gamma", TB_OP_random_log_gamma, 1, REAL, false},
    [TB_RAND_BETA] = {"beta", TB_OP_random_beta, 2, REAL, false},
    [TB_RAND_VONMISES] = {"vonmises", TB_OP_random_vonmises, 1, REAL, false},
    [TB_RAND_POISSON] = {"poisson", TB_OP_random_poisson, 1, REAL, true},
    [TB_RAND_BINOMIAL] = {"binomial", TB_OP_random_binomial, 2, WHOLE_AND_REAL, true},
    [TB_RAND_HYPERGEOMETRIC] = {"hypergeometric", TB_OP_random_hypergeometric, 3, PAIR, true},
    [TB_RAND_GEOMETRIC] = {"geometric", TB_OP_random_geometric, 1, REAL, true},
    [TB_RAND_LOGSERIES] = {"logseries", TB_OP_random_logseries, 1, REAL, true},
    [TB_RAND_ZIPF] = {"zipf", TB_OP_random_zipf, 1, REAL, true},
};

bool tb__random_has_row(tb_distribution d) { return (size_t)d < sizeof rows / sizeof *rows && rows[d].name; }

int tb__random_parameters(tb_distribution d)
{
    const int n = tb__random_has_row(d) ? rows[d].nparameter : 2;
    return n < 2 ? n : 2;
}

/* What is being drawn. */
typedef struct draw {
    tb_distribution kind;
    int ndim;
    int64_t shape[TB_MAXDIM];
} draw;

/* The parameters' shape, or the one given if they broadcast to it (ndim -1: none is). */
static tb_status find_shape(draw *d, int n, const tb_operand *p, int ndim, const int64_t *shape)
{
    int64_t size;
    if (ndim > 0) memcpy(d->shape, shape, (size_t)ndim * sizeof *shape);
    d->ndim = ndim < 0 ? 0 : ndim;
    TB_TRY(tb__shape_size("random", d->ndim, d->shape, 1, &size));
    for (int k = 0; k < n; k++)
        if (p[k].array)
            TB_TRY(tb__broadcast("random", &d->ndim, d->shape, tb_array_ndim(p[k].array), tb__shape(p[k].array)));
    if (ndim < 0 || (d->ndim == ndim && (ndim == 0 || memcmp(d->shape, shape, (size_t)ndim * sizeof *shape) == 0)))
        return TB_OK;
    return tb__fail(TB_ERR_VALUE, "random: the parameters of %s do not broadcast to size", rows[d->kind].name);
}

static void release(int n, tb_expr **in)
{
    while (n > 0) tb__expr_release(in[--n]);
}

static tb_status parameter(const draw *d, const tb_operand *p, tb_dtype t, tb_expr **out)
{
    return p->array ? tb__node_input(p->array, t, d->ndim, d->shape, out) : tb__node_scalar(p->scalar, t, out);
}

/* The key of each point. */
static tb_status keys(const draw *d, const tb_rng *rng, tb_expr **out)
{
    const tb_scalar at[2] = {{.dtype = TB_U64, .v.u = rng->seed}, {.dtype = TB_U64, .v.u = rng->offset}};
    tb_expr *in[2];
    TB_TRY(tb__node_scalar(at[0], TB_U64, &in[0]));
    tb_status status = tb__node_scalar(at[1], TB_U64, &in[1]);
    if (status == TB_OK) return tb__node(TB_OP_random_u64, 2, in, d->ndim, d->shape, 'C', out);
    tb__expr_release(in[0]);
    return status;
}

/* Numbers of good and bad ones as one operand. */
static tb_status pair(const draw *d, const tb_operand *p, tb_expr **out)
{
    tb_expr *in[2];
    TB_TRY(parameter(d, &p[0], TB_F64, &in[0]));
    tb_status status = parameter(d, &p[1], TB_F64, &in[1]);
    if (status == TB_OK) return tb__node(TB_OP_make_complex, 2, in, d->ndim, d->shape, 'C', out);
    tb__expr_release(in[0]);
    return status;
}

/* The operands of the row after the key. */
static tb_status parameters(const draw *d, const tb_operand *p, tb_dtype real, int *n, tb_expr **in)
{
    const int form = rows[d->kind].form, first = form == PAIR ? 2 : 0;
    if (form == PAIR) {
        TB_TRY(pair(d, p, &in[*n]));
        ++*n;
    }
    for (int k = first; k < rows[d->kind].nparameter; k++) {
        TB_TRY(parameter(d, &p[k], form == WHOLE_AND_REAL && k == 0 ? TB_I64 : real, &in[*n]));
        ++*n;
    }
    return TB_OK;
}

/* The angle of which e, stolen, is the tangent of the half. */
static tb_status whole_angle(tb_expr *e, tb_expr **out)
{
    tb_expr *in[2];
    const int ndim = e->ndim;
    int64_t shape[TB_MAXDIM];
    memcpy(shape, e->dims, (size_t)ndim * sizeof *shape);
    TB_TRY(tb__node(TB_OP_arctan, 1, &e, ndim, shape, 'C', &in[0]));
    tb_status status = tb__node_scalar(tb_scalar_float(2), (tb_dtype)in[0]->dtype, &in[1]);
    if (status == TB_OK) return tb__node(TB_OP_multiply, 2, in, ndim, shape, 'C', out);
    tb__expr_release(in[0]);
    return status;
}

static tb_status check(tb_distribution kind, tb_dtype t, int n)
{
    if (n != rows[kind].nparameter)
        return tb__fail(TB_ERR_VALUE, "random: %s has %d parameters, not %d", rows[kind].name, rows[kind].nparameter,
                        n);
    const tb_kind of = tb_dtype_kind(t);
    const bool has = rows[kind].counts ? of <= TB_KIND_FLOAT : of == TB_KIND_FLOAT;
    return has ? TB_OK : tb__fail(TB_ERR_TYPE, "random: %s has no dtype %s", rows[kind].name, tb_dtype_name(t));
}

tb_status tb__random_points(tb_rng *rng, tb_distribution kind, tb_dtype t, int n, const tb_operand *p, int ndim,
                            const int64_t *shape, tb_array **out)
{
    draw d = {.kind = kind};
    tb_array *arrays[TB_RANDOM_PARAMETERS];
    tb_expr *in[3], *e;
    int64_t size;
    int nin = 0;
    TB_TRY(check(kind, t, n));
    TB_TRY(find_shape(&d, n, p, ndim, shape));
    TB_TRY(tb__shape_size("random", d.ndim, d.shape, tb_dtype_size(t), &size));
    for (int k = 0; k < n; k++) arrays[k] = p[k].array;
    TB_TRY(tb__ready(n, arrays));
    TB_TRY(keys(&d, rng, &in[nin++]));
    tb_status status = parameters(&d, p, rows[kind].counts || t == TB_F64 ? TB_F64 : TB_F32, &nin, in);
    if (status != TB_OK) {
        release(nin, in);
        return status;
    }
    TB_TRY(tb__node((tb_op)rows[kind].op, nin, in, d.ndim, d.shape, 'C', &e));
    if (kind == TB_RAND_VONMISES) TB_TRY(whole_angle(e, &e));
    TB_TRY(tb__expr_cast(e, t, &e));
    TB_TRY(tb__promise(e, out));
    rng->offset += (uint64_t)(size + 1) / 2;
    return TB_OK;
}
