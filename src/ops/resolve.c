/* resolve.c - choosing a ufunc's loop. The result for one or two operands depends only on their dtypes and on which
 * are weak, so it is remembered in a small table per ufunc. */
#include "ops/resolve.h"

#include <stdlib.h>
#include <string.h>

#include "base/argument.h"
#include "base/error.h"
#include "graph/expr.h"

enum { NCODE = TB_NDTYPE + 4 }; /* dtypes, then the four weak kinds */

const char *tb__casting_name(tb_casting rule)
{
    static const char *const names[] = {"no", "equiv", "safe", "same_kind", "unsafe"};
    return names[rule];
}

static tb_dtype operand_dtype(const tb_operand *o) { return o->array ? (tb_dtype)o->array->dtype : o->scalar.dtype; }

static bool is_weak(const tb_operand *o) { return !o->array && o->scalar.weak; }

tb_status tb__operand_dtypes(int nin, const tb_operand *in, tb_dtype *out)
{
    tb_dtype strong = TB_NODTYPE;
    for (int i = 0; i < nin; i++) {
        if (is_weak(&in[i])) continue;
        tb_dtype t = operand_dtype(&in[i]);
        strong = strong == TB_NODTYPE ? t : tb_promote(strong, t);
    }
    for (int i = 0; i < nin; i++) {
        out[i] = operand_dtype(&in[i]);
        if (!is_weak(&in[i]) || strong == TB_NODTYPE) continue;
        TB_TRY(tb_result_type(1, &strong, 1, &in[i].scalar, &out[i]));
    }
    return TB_OK;
}

static const tb_ufunc *typed_part(const tb_ufunc *u) { return u->nout == 2 ? u->part[0] : u; }

/* The first loop that all inputs can be cast to safely and that gives dtype, if there is one asked for. */
static tb_loop search(const tb_ufunc *u, const tb_dtype *types, tb_dtype dtype)
{
    u = typed_part(u);
    for (int k = 0; k < u->count; k++) {
        const tb_loop_info *l = &tb_loop_table[u->first + k];
        bool fits = dtype == TB_NODTYPE || l->out == dtype;
        for (int i = 0; fits && i < u->nin; i++) fits = tb_can_cast(types[i], (tb_dtype)l->in[i], TB_CAST_SAFE);
        if (fits) return (tb_loop)(u->first + k);
    }
    return TB_NOLOOP;
}

/* The first loop that gives dtype, of inputs that all have it if whole. */
static tb_loop search_output(const tb_ufunc *u, tb_dtype dtype, bool whole)
{
    u = typed_part(u);
    for (int k = 0; k < u->count; k++) {
        const tb_loop_info *l = &tb_loop_table[u->first + k];
        bool fits = l->out == dtype;
        for (int i = 0; fits && whole && i < u->nin; i++) fits = l->in[i] == dtype;
        if (fits) return (tb_loop)(u->first + k);
    }
    return TB_NOLOOP;
}

/* Where no input fits safely, the caller's casting rule decides about the loop that gives dtype: rather of dtype itself
 * than of a narrower one, in which complex numbers would lose more than their imaginary parts. */
static tb_loop search_dtype(const tb_ufunc *u, const tb_dtype *types, tb_dtype dtype)
{
    tb_loop found = search(u, types, dtype);
    if (found == TB_NOLOOP) found = search_output(u, dtype, true);
    return found == TB_NOLOOP ? search_output(u, dtype, false) : found;
}

/* Where a bool is not the smallest integer, NumPy wants the logical operation to be spelled out. */
static bool refuses_bool(const tb_ufunc *u, const tb_dtype *types)
{
    for (int i = 0; i < u->nin; i++)
        if (types[i] != TB_BOOL) return false;
    return u->facts & TB_FACT_NO_BOOL;
}

static tb_status no_loop(const tb_ufunc *u, const tb_dtype *types, tb_dtype dtype)
{
    if (dtype != TB_NODTYPE)
        return tb__fail(TB_ERR_TYPE,
                        "No loop matching the specified signature and casting was found for ufunc %s "
                        "(dtype=%s)",
                        u->name, tb_dtype_name(dtype));
    char list[128] = "";
    for (int i = 0; i < u->nin; i++) {
        if (i) strcat(list, ", ");
        strcat(list, tb_dtype_name(types[i]));
    }
    return tb__fail(TB_ERR_TYPE,
                    "ufunc '%s' not supported for the input types (%s), and the inputs could not be safely "
                    "coerced to any supported types according to the casting rule 'safe'",
                    u->name, list);
}

/* A weak integer where the loops have floats, beside a number for which they have integers (ldexp): what that one is
 * says nothing about it, and it is of the first loop's dtype that the other fits. */
static void narrow_weak(const tb_ufunc *u, const tb_operand *in, tb_dtype *types)
{
    if (u->nin != 2 || !is_weak(&in[0]) || is_weak(&in[1])) return;
    const tb_loop_info *l = &tb_loop_table[typed_part(u)->first];
    const bool mixed =
        tb_dtype_kind((tb_dtype)l->in[0]) == TB_KIND_FLOAT && tb_dtype_kind((tb_dtype)l->in[1]) == TB_KIND_INT;
    if (mixed && tb_dtype_kind(in[0].scalar.dtype) < TB_KIND_FLOAT) types[0] = TB_I8;
}

static int code_of(const tb_operand *o)
{
    if (!is_weak(o)) return (int)operand_dtype(o);
    return TB_NDTYPE + (int)tb_dtype_kind(o->scalar.dtype) + 0;
}

static uint16_t *remembered(const tb_ufunc *u, const tb_operand *in)
{
    static uint16_t (*table)[NCODE][NCODE];
    if (u->nin > 2) return NULL;
    if (!table) table = calloc((size_t)tb_nloop, sizeof *table);
    if (!table) return NULL;
    const int first = code_of(&in[0]), second = u->nin == 2 ? code_of(&in[1]) : 0;
    if (__builtin_expect((first | second) > UINT8_MAX, 0)) return NULL; /* a record */
    /* A Python integer that needs 64 unsigned bits promotes differently: rare, so not remembered. */
    for (int i = 0; i < u->nin; i++)
        if (is_weak(&in[i]) && in[i].scalar.dtype == TB_U64) return NULL;
    return &table[typed_part(u)->first][first][second]; /* a ufunc's first loop is its alone */
}

tb_status tb__ufunc_resolve(const tb_ufunc *u, const tb_operand *in, tb_dtype dtype, tb_loop *loop)
{
    uint16_t *known = dtype == TB_NODTYPE ? remembered(u, in) : NULL;
    if (known && *known) {
        *loop = (tb_loop)(*known - 1);
        return TB_OK;
    }
    tb_dtype types[TB_MAXARGS];
    for (int i = 0; i < u->nin; i++) TB_ARE_NUMBERS(u->name, operand_dtype(&in[i]));
    TB_TRY(tb__operand_dtypes(u->nin, in, types));
    narrow_weak(u, in, types);
    tb_loop found = dtype != TB_NODTYPE      ? search_dtype(u, types, dtype)
                    : refuses_bool(u, types) ? TB_NOLOOP
                                             : search(u, types, TB_NODTYPE);
    if (found == TB_NOLOOP && !refuses_bool(u, types)) {
        /* A weak operand may be too wide where its neighbour's dtype says nothing about it (ldexp of uint64). */
        tb_dtype own[TB_MAXARGS];
        for (int i = 0; i < u->nin; i++) own[i] = is_weak(&in[i]) ? in[i].scalar.dtype : types[i];
        found = search(u, own, dtype);
    }
    if (found == TB_NOLOOP) return no_loop(u, types, dtype);
    if (known) *known = (uint16_t)(found + 1);
    *loop = found;
    return TB_OK;
}
