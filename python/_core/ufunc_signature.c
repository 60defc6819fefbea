/* ufunc_signature.c - signature= of ufunc calls: the loop is named by the dtypes of its inputs and outputs.
 *
 * The operands are cast to the loop's input dtypes, and then the ordinary search finds just that loop. The casts are
 * part of the deferred expression. */
#include "ufunc.h"

enum { MAX_OPERANDS = 8 };

/* dtypes of inputs, then of outputs; TB_NODTYPE: any */
typedef struct signature {
    int nin, n;
    tb_dtype dtype[MAX_OPERANDS];
} signature;

/* One of the letters in "ff->f". */
static int read_code(char code, tb_dtype *out)
{
    PyObject *s = PyUnicode_FromStringAndSize(&code, 1);
    int r = s ? tbpy_dtype_parse(s, out) : -1;
    Py_XDECREF(s);
    return r;
}

/* "ff->f" as dtypes; ValueError unless it has the right number of letters on both sides. */
static int read_string(const tb_ufunc *u, const char *text, signature *s)
{
    const char *arrow = strstr(text, "->");
    if (!arrow || arrow - text != s->nin || (int)strlen(arrow + 2) != s->n - s->nin) {
        PyErr_Format(PyExc_ValueError,
                     "%s: signature must have %d type codes before the '->' and %d behind it, not "
                     "'%s'",
                     tb_ufunc_name(u), s->nin, s->n - s->nin, text);
        return -1;
    }
    for (int i = 0; i < s->n; i++)
        if (read_code(i < s->nin ? text[i] : arrow[2 + i - s->nin], &s->dtype[i]) < 0) return -1;
    return 0;
}

static int read_tuple(const tb_ufunc *u, PyObject *o, signature *s)
{
    if (PyTuple_GET_SIZE(o) != s->n) {
        PyErr_Format(PyTuple_GET_SIZE(o) == 1 ? PyExc_TypeError : PyExc_ValueError,
                     "%s: signature must have %d dtypes (or None), not %zd; dtype= sets that of the output alone",
                     tb_ufunc_name(u), s->n, PyTuple_GET_SIZE(o));
        return -1;
    }
    for (int i = 0; i < s->n; i++) {
        s->dtype[i] = TB_NODTYPE;
        if (tbpy_optional_dtype(PyTuple_GET_ITEM(o, i), &s->dtype[i]) < 0) return -1;
    }
    return 0;
}

static int read_signature(const tb_ufunc *u, PyObject *o, signature *s)
{
    s->nin = tb_ufunc_nin(u);
    s->n = s->nin + tb_ufunc_nout(u);
    if (PyTuple_Check(o)) return read_tuple(u, o, s);
    if (!PyUnicode_Check(o)) {
        PyErr_Format(PyExc_TypeError, "%s: signature must be a string such as 'ff->f' or a tuple of dtypes, not %R",
                     tb_ufunc_name(u), Py_TYPE(o));
        return -1;
    }
    if (PyUnicode_GET_LENGTH(o) == 1) {
        PyErr_Format(PyExc_TypeError,
                     "%s: signature must name the dtypes of all inputs and outputs; dtype= sets that "
                     "of the output alone",
                     tb_ufunc_name(u));
        return -1;
    }
    const char *text = PyUnicode_AsUTF8(o);
    return text ? read_string(u, text, s) : -1;
}

/* Whether the loop of dtypes l is what s asks for; where s leaves a choice, whether the operands are cast safely. */
static bool agrees(const signature *s, const signature *l, const tb_operand *in, bool safely)
{
    for (int i = 0; i < s->n; i++) {
        if (s->dtype[i] != TB_NODTYPE) {
            if (s->dtype[i] != l->dtype[i]) return false;
            continue;
        }
        if (i >= s->nin || !safely) continue;
        tb_dtype from = in[i].array ? tb_array_dtype(in[i].array) : in[i].scalar.dtype;
        bool weak = !in[i].array && in[i].scalar.weak;
        if (weak ? tb_dtype_kind(from) > tb_dtype_kind(l->dtype[i]) : !tb_can_cast(from, l->dtype[i], TB_CAST_SAFE))
            return false;
    }
    return true;
}

static int find_loop(const tb_ufunc *u, const signature *s, const tb_operand *in, signature *loop)
{
    *loop = *s;
    bool free = true; /* where s fixes no input, the caller's casting rule decides, as for dtype= */
    for (int i = 0; i < s->nin; i++) free = free && s->dtype[i] == TB_NODTYPE;
    for (int safely = 1; safely >= !free; safely--) {
        for (int k = 0; k < tb_ufunc_ntypes(u); k++) {
            if (read_string(u, tb_ufunc_type(u, k), loop) < 0) return -1;
            if (agrees(s, loop, in, safely)) return 0;
        }
    }
    PyErr_Format(PyExc_TypeError, "No loop matching the specified signature and casting was found for ufunc %s",
                 tb_ufunc_name(u));
    return -1;
}

/* Operand i in dtype t; *held keeps it alive. */
static int cast_operand(const tb_ufunc *u, int i, tb_dtype t, tb_casting casting, tb_operand *x, PyObject **held)
{
    bool weak = !x->array && x->scalar.weak;
    tb_dtype from = x->array ? tb_array_dtype(x->array) : x->scalar.dtype;
    bool allowed =
        weak && casting != TB_CAST_UNSAFE ? tb_dtype_kind(from) <= tb_dtype_kind(t) : tb_can_cast(from, t, casting);
    if (!allowed) {
        PyErr_Format(PyExc_TypeError,
                     "Cannot cast ufunc '%s' input %d from dtype('%s') to dtype('%s'), which the "
                     "signature asks for, with this casting rule",
                     tb_ufunc_name(u), i, tb_dtype_name(from), tb_dtype_name(t));
        return -1;
    }
    if (!x->array) {
        TBPY_TRY_INT(tb_scalar_cast(x->scalar, t, &x->scalar));
        return 0;
    }
    tb_array *cast;
    if (from == t) return 0;
    if (tbpy_warn_complex(from, t) < 0) return -1;
    TBPY_TRY_INT(tb_astype(x->array, t, 'K', casting, false, &cast));
    PyObject *o = tbpy_wrap(cast);
    if (!o) return -1;
    Py_XSETREF(*held, o);
    x->array = tbpy_array(o);
    return 0;
}

int tbpy_ufunc_cast(const tb_ufunc *u, PyObject *sig, tb_casting casting, tb_operand *in, PyObject **held)
{
    signature wanted, loop;
    if (read_signature(u, sig, &wanted) < 0 || find_loop(u, &wanted, in, &loop) < 0) return -1;
    for (int i = 0; i < wanted.nin; i++)
        if (cast_operand(u, i, loop.dtype[i], casting, &in[i], &held[i]) < 0) return -1;
    return 0;
}
