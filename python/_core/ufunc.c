/* ufunc.c - tombac.ufunc: elementwise functions as callable objects, one for each row of libtombac's table.
 *
 * A call makes a deferred result; shapes, dtypes and casts are checked at once. Operands are tombac arrays and numbers:
 * host arrays and lists are refused, so that no transfer happens unasked. */
#include "ufunc.h"

#include <math.h>
#include <structmember.h>

enum { MAX_IN = TB_MAXARGS - 1, MAX_OUT = 2 };

typedef struct call {
    const tb_ufunc *u;
    int nin, nout;
    PyObject *out[MAX_OUT]; /* borrowed objects to return; NULL where a new array is made */
    tb_array *result[MAX_OUT];
    tb_ufunc_args args;
    PyObject *where;     /* keeps args.where alive */
    PyObject *signature; /* borrowed; NULL where it was not given */
} call;

/* ---- keywords ---------------------------------------------------------------------------------------------------- */

static int set_out(call *c, int k, PyObject *o)
{
    if (o == NULL || o == Py_None) return 0;
    if (!tbpy_check(o)) {
        PyErr_Format(PyExc_TypeError, "%s: out must be a tombac.ndarray, not %R", tb_ufunc_name(c->u), Py_TYPE(o));
        return -1;
    }
    c->out[k] = o;
    return 0;
}

static int read_out(call *c, PyObject *o)
{
    if (!PyTuple_Check(o)) {
        if (c->nout == 1 || o == Py_None) return set_out(c, 0, o);
        PyErr_Format(PyExc_TypeError, "%s: out must be a tuple of %d arrays or None", tb_ufunc_name(c->u), c->nout);
        return -1;
    }
    if (PyTuple_GET_SIZE(o) != c->nout) {
        PyErr_Format(PyExc_ValueError, "%s: the out tuple must have exactly one entry per output (%d), it has %zd",
                     tb_ufunc_name(c->u), c->nout, PyTuple_GET_SIZE(o));
        return -1;
    }
    for (int k = 0; k < c->nout; k++)
        if (set_out(c, k, PyTuple_GET_ITEM(o, k)) < 0) return -1;
    return 0;
}

static int read_where(call *c, PyObject *o)
{
    if (o == NULL || o == Py_None || o == Py_True) return 0;
    c->where = tbpy_mask(o, tb_ufunc_name(c->u));
    if (c->where == NULL) return -1;
    c->args.where = tbpy_array(c->where);
    return 0;
}

/* signature= and its short name. */
static int read_signature(call *c, PyObject *signature, PyObject *sig)
{
    if (signature && sig) {
        PyErr_Format(PyExc_TypeError, "%s: cannot specify both 'sig' and 'signature'", tb_ufunc_name(c->u));
        return -1;
    }
    signature = signature ? signature : sig;
    if (!signature || signature == Py_None) return 0;
    if (c->args.dtype != TB_NODTYPE) {
        PyErr_Format(PyExc_TypeError, "%s: cannot specify both 'signature' and 'dtype'", tb_ufunc_name(c->u));
        return -1;
    }
    c->signature = signature;
    return 0;
}

static int read_keywords(call *c, PyObject *const *values, PyObject *kwnames)
{
    static const char *const names[] = {"out", "where", "dtype", "casting", "order", "subok", "signature", "sig", NULL};
    PyObject *v[8];
    if (tbpy_parse(tb_ufunc_name(c->u), names, 0, 0, values, 0, kwnames, v) < 0) return -1;
    bool subok = true;
    if (v[0] && c->out[0]) {
        PyErr_Format(PyExc_TypeError, "%s: out is given both by position and by keyword", tb_ufunc_name(c->u));
        return -1;
    }
    if (v[0] && read_out(c, v[0]) < 0) return -1;
    if (read_where(c, v[1]) < 0 || tbpy_optional_dtype(v[2], &c->args.dtype) < 0 ||
        tbpy_casting(v[3], &c->args.casting) < 0 || tbpy_order(v[4], &c->args.order) < 0 ||
        read_signature(c, v[6], v[7]) < 0)
        return -1;
    return tbpy_bool_arg(v[5], &subok);
}

/* ---- calls ------------------------------------------------------------------------------------------------------- */

static int read_positional(call *c, PyObject *const *args, Py_ssize_t nargs)
{
    if (nargs < c->nin || nargs > c->nin + c->nout) {
        PyErr_Format(PyExc_TypeError, "%s() takes from %d to %d positional arguments but %zd were given",
                     tb_ufunc_name(c->u), c->nin, c->nin + c->nout, nargs);
        return -1;
    }
    for (Py_ssize_t i = c->nin; i < nargs; i++)
        if (set_out(c, (int)(i - c->nin), args[i]) < 0) return -1;
    return 0;
}

static PyObject *wrap_result(const call *c, int k, PyObject *const *args)
{
    return c->out[k] ? Py_NewRef(c->out[k]) : tbpy_wrap_result(c->result[k], c->nin, args);
}

static PyObject *wrap_results(const call *c, PyObject *const *args)
{
    if (c->nout == 1) return wrap_result(c, 0, args);
    PyObject *first = wrap_result(c, 0, args), *second = wrap_result(c, 1, args);
    PyObject *pair = first && second ? PyTuple_Pack(2, first, second) : NULL;
    Py_XDECREF(first);
    Py_XDECREF(second);
    return pair;
}

/* Whether complex operands give real results, as those of abs and comparisons do. */
static bool gives_real(const tb_ufunc *u)
{
    for (int i = 0; i < tb_ufunc_ntypes(u); i++) {
        const char *type = tb_ufunc_type(u, i), *arrow = strstr(type, "->");
        const char *complex = strpbrk(type, "FD");
        if (complex && complex < arrow && !strpbrk(arrow, "FD")) return true;
    }
    return false;
}

/* casting='unsafe' may drop imaginary parts: of operands, where dtype= asks for real numbers, or of results. */
static int warn_unsafe(const call *c, const tb_operand *in)
{
    const tb_dtype asked = c->args.dtype;
    tb_dtype complex = tb_dtype_kind(asked) == TB_KIND_COMPLEX ? asked : TB_NODTYPE;
    for (int i = 0; i < c->nin; i++) {
        tb_dtype t = in[i].array ? tb_array_dtype(in[i].array) : in[i].scalar.dtype;
        if (tb_dtype_kind(t) == TB_KIND_COMPLEX) complex = t;
    }
    if (complex == TB_NODTYPE || gives_real(c->u)) return 0;
    if (asked != TB_NODTYPE && tb_dtype_kind(asked) != TB_KIND_COMPLEX) return tbpy_warn_complex(complex, asked);
    for (int k = 0; k < c->nout; k++)
        if (c->out[k] && tbpy_warn_complex(complex, tb_array_dtype(tbpy_array(c->out[k]))) < 0) return -1;
    return 0;
}

static tb_status compute(call *c, const tb_operand *in, const tb_ufunc_args *args)
{
    tb_array *into[2] = {NULL, NULL};
    bool given = false;
    for (int k = 0; k < c->nout; k++) {
        into[k] = c->out[k] ? tbpy_array(c->out[k]) : NULL;
        given = given || into[k];
    }
    return given ? tb_ufunc_into(c->u, in, into, c->result, args) : tb_ufunc_call(c->u, in, c->result, args);
}

/* Which function is meant where a call leaves out the last input; NULL: it has to be given. */
static const tb_ufunc *without_last(const tb_ufunc *u)
{
    static const char *const meant[][2] = {{"special.zeta", "special._riemann_zeta"}};
    for (size_t i = 0; i < sizeof meant / sizeof *meant; i++)
        if (strcmp(meant[i][0], tb_ufunc_name(u)) == 0) return tb_ufunc_find(meant[i][1]);
    return NULL;
}

PyObject *tbpy_ufunc_call(const tb_ufunc *u, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    call c = {.u = u, .nin = tb_ufunc_nin(u), .nout = tb_ufunc_nout(u)};
    if (nargs == c.nin - 1 && nargs > 0) {
        const tb_ufunc *other = without_last(u);
        if (other) return tbpy_ufunc_call(other, args, nargs, kwnames);
    }
    c.args = (tb_ufunc_args){sizeof(tb_ufunc_args), .dtype = TB_NODTYPE, .casting = TB_CAST_SAME_KIND, .order = 'K'};
    if (read_positional(&c, args, nargs) < 0) return NULL;
    bool plain = kwnames == NULL || PyTuple_GET_SIZE(kwnames) == 0;
    if (plain && nargs == c.nin) {
        PyObject *own = tbpy_ask_operands(tb_ufunc_name(u), args, nargs);
        if (own || PyErr_Occurred()) return own;
    }
    if (!plain && read_keywords(&c, args + nargs, kwnames) < 0) {
        Py_XDECREF(c.where);
        return NULL;
    }
    tb_operand in[MAX_IN];
    PyObject *held[MAX_IN];
    if (tbpy_ufunc_operands(u, args, in, held) < 0) {
        Py_XDECREF(c.where);
        return NULL;
    }
    if ((c.signature && tbpy_ufunc_cast(u, c.signature, c.args.casting, in, held) < 0) ||
        (c.args.casting == TB_CAST_UNSAFE && warn_unsafe(&c, in) < 0)) {
        tbpy_drop_operands(c.nin, held);
        Py_XDECREF(c.where);
        return NULL;
    }
    const tb_status st = compute(&c, in, plain ? NULL : &c.args);
    tbpy_drop_operands(c.nin, held);
    Py_XDECREF(c.where);
    return st == TB_OK ? wrap_results(&c, args) : tbpy_raise(st);
}

static inline bool quick_operands(int n, PyObject *const *args, tb_operand *in)
{
    for (int i = 0; i < n; i++)
        if (!tbpy_quick_operand(args[i], &in[i])) return false;
    return true;
}

static PyObject *ufunc_vectorcall(PyObject *self, PyObject *const *args, size_t nargsf, PyObject *kwnames)
{
    const TbUfunc *f = (TbUfunc *)self;
    tb_operand in[MAX_IN];
    if (f->nout != 1 || kwnames || PyVectorcall_NARGS(nargsf) != f->nin || !quick_operands(f->nin, args, in))
        return tbpy_ufunc_call(f->ufunc, args, PyVectorcall_NARGS(nargsf), kwnames);
    tb_array *result = NULL;
    TBPY_TRY(tb_ufunc_call(f->ufunc, in, &result, NULL));
    return tbpy_wrap(result);
}

/* ---- the type ---------------------------------------------------------------------------------------------------- */

static const tb_ufunc *ufunc_of(PyObject *self) { return ((TbUfunc *)self)->ufunc; }

static const char *prefix_of(const tb_ufunc *u)
{
    return tbpy_ufunc_is_special(u) ? "tombacx_scipy_special_" : "tombac_";
}

static PyObject *ufunc_repr(PyObject *self)
{
    return PyUnicode_FromFormat("<ufunc '%s%s'>", prefix_of(ufunc_of(self)), tbpy_ufunc_plain_name(ufunc_of(self)));
}

static PyObject *get_plain_name(PyObject *self, void *Py_UNUSED(closure))
{
    return PyUnicode_FromString(tbpy_ufunc_plain_name(ufunc_of(self)));
}

static PyObject *get_name(PyObject *self, void *Py_UNUSED(closure))
{
    return PyUnicode_FromFormat("%s%s", prefix_of(ufunc_of(self)), tbpy_ufunc_plain_name(ufunc_of(self)));
}

static PyObject *get_nin(PyObject *self, void *Py_UNUSED(closure))
{
    return PyLong_FromLong(tb_ufunc_nin(ufunc_of(self)));
}

static PyObject *get_nout(PyObject *self, void *Py_UNUSED(closure))
{
    return PyLong_FromLong(tb_ufunc_nout(ufunc_of(self)));
}

static PyObject *get_nargs(PyObject *self, void *Py_UNUSED(closure))
{
    return PyLong_FromLong(tb_ufunc_nin(ufunc_of(self)) + tb_ufunc_nout(ufunc_of(self)));
}

static PyObject *get_ntypes(PyObject *self, void *Py_UNUSED(closure))
{
    return PyLong_FromLong(tb_ufunc_ntypes(ufunc_of(self)));
}

static PyObject *get_types(PyObject *self, void *Py_UNUSED(closure))
{
    int n = tb_ufunc_ntypes(ufunc_of(self));
    PyObject *list = PyList_New(n);
    for (int i = 0; list && i < n; i++) {
        PyObject *s = PyUnicode_FromString(tb_ufunc_type(ufunc_of(self), i));
        if (s) PyList_SET_ITEM(list, i, s);
        else Py_CLEAR(list);
    }
    return list;
}

/* The parameters as Python writes them. */
static PyObject *parameters(const tb_ufunc *u)
{
    static const char *const operands[] = {"", "x", "x1, x2", "x1, x2, x3"};
    return PyUnicode_FromFormat(
        "%s, %s, where=True, dtype=None, casting='same_kind', order='K', subok=True, signature=None",
        operands[tb_ufunc_nin(u)],
        tb_ufunc_nout(u) == 1 ? "/, out=None, *" : "out1=None, out2=None, /, *, out=(None, None)");
}

static PyObject *get_signature(PyObject *self, void *Py_UNUSED(closure))
{
    static PyObject *signature_of;
    PyObject *make = tbpy_package(&signature_of, "signature_of"), *text = make ? parameters(ufunc_of(self)) : NULL;
    PyObject *signature = text ? PyObject_CallOneArg(make, text) : NULL;
    Py_XDECREF(text);
    return signature;
}

static PyObject *types_text(PyObject *self)
{
    PyObject *types = get_types(self, NULL), *comma = PyUnicode_FromString(", ");
    PyObject *joined = types && comma ? PyUnicode_Join(comma, types) : NULL;
    Py_XDECREF(types);
    Py_XDECREF(comma);
    return joined;
}

/* The function's example as the end of its docstring; "" if it has none. */
static const char *example_of(const tb_ufunc *u)
{
    static const struct {
        const char *name, *text;
    } examples[] = {
#define EXAMPLE(name, args, result) {#name, "\n\n>>> tombac." #name "(" args ")\n" result},
#include "ufunc_examples.def"
#undef EXAMPLE
#define EXAMPLE(name, args, result) {"special." #name, "\n\n>>> tombacx.scipy.special." #name "(" args ")\n" result},
#include "special_examples.def"
#undef EXAMPLE
    };
    for (size_t i = 0; i < sizeof examples / sizeof *examples; i++)
        if (!strcmp(examples[i].name, tb_ufunc_name(u))) return examples[i].text;
    return "";
}

static PyObject *get_doc(PyObject *self, void *Py_UNUSED(closure))
{
    static const char *const inputs[] = {"", "x: An array or a number", "x1, x2: Arrays or numbers",
                                         "x1, x2, x3: Arrays or numbers"};
    const tb_ufunc *u = ufunc_of(self);
    const int nin = tb_ufunc_nin(u), nout = tb_ufunc_nout(u);
    PyObject *text = parameters(u), *types = text ? types_text(self) : NULL, *doc = NULL;
    if (types)
        doc = PyUnicode_FromFormat(
            "%s(%U)\n\n%s\n\n"
            "The result is deferred until it is needed. Lists and NumPy's arrays are refused: nothing is copied to "
            "the\ndevice unasked.\n\n"
            "Args:\n    %s of any of the dtypes below%s.\n    out: %s\n"
            "    where: A boolean array; elements where it is false are left as they are.\n"
            "    dtype: The dtype of the result.\n    casting: Which casts are allowed, as for can_cast.\n"
            "    order: The layout of a new array: 'C', 'F', 'A' or 'K'.\n"
            "    subok: Whether a subclass of ndarray among the operands makes results of its kind.\n"
            "    signature: The loop to use, as one of the types below or a tuple of dtypes; sig for short.\n\n"
            "Returns:\n    %s of the operands' common shape, with the dtype that the types below say; out if it was "
            "given.\n\n"
            "Raises:\n    TypeError: No loop for these dtypes, a cast that casting forbids, or a host array.\n"
            "    ValueError: Shapes that do not broadcast.\n\nTypes: %U%s",
            tbpy_ufunc_plain_name(u), text, tb_ufunc_doc(u), inputs[nin], nin > 1 ? ", broadcast together" : "",
            nout == 1
                ? "An array to write to."
                : "A tuple of an array or None for each output, to write to; out1 and out2 are the same by position.",
            nout == 1 ? "An array" : "Two arrays", types, example_of(u));
    Py_XDECREF(types);
    Py_XDECREF(text);
    return doc;
}

enum { EMPTY_FAILS, EMPTY_ZERO, EMPTY_ONE, EMPTY_ALL_BITS, EMPTY_NAN, EMPTY_MINUS_INF };

/* What leaves the other operand as it is, of operations that have no reductions here. */
static PyObject *identity_without_reduce(const tb_ufunc *u)
{
    if (u == tb_ufunc_find("gcd") || u == tb_ufunc_find("hypot")) return PyLong_FromLong(0);
    if (u == tb_ufunc_find("logical_xor")) Py_RETURN_FALSE;
    if (u == tb_ufunc_find("logaddexp") || u == tb_ufunc_find("logaddexp2")) return PyFloat_FromDouble(-INFINITY);
    Py_RETURN_NONE;
}

/* What reduce gives for no elements. */
static PyObject *get_identity(PyObject *self, void *Py_UNUSED(closure))
{
    static const struct {
        char empty;
        bool truth;
    } rows[] = {
#define TB_REDUCTION(NAME, name, says, of, initial, running, fold, result, nan, empty, place, like, doc) \
    [TB_RED_##NAME] = {EMPTY_##empty, !strcmp(#result, "BOOL")},
#include <tombac/reductions.def>
    };
    const tb_reduction op = tb_ufunc_reduction(ufunc_of(self));
    if ((size_t)op >= sizeof rows / sizeof *rows) return identity_without_reduce(ufunc_of(self));
    if (rows[op].empty == EMPTY_FAILS) Py_RETURN_NONE;
    if (rows[op].truth) return PyBool_FromLong(rows[op].empty == EMPTY_ONE);
    return PyLong_FromLong(rows[op].empty == EMPTY_ALL_BITS ? -1 : rows[op].empty == EMPTY_ONE);
}

static PyObject *get_core_signature(PyObject *Py_UNUSED(self), void *Py_UNUSED(closure)) { Py_RETURN_NONE; }

static PyGetSetDef getset[] = {{"name", get_name, NULL, "'tombac_' and the function's name.", NULL},
                               {"__name__", get_plain_name, NULL, "The function's name.", NULL},
                               {"__qualname__", get_plain_name, NULL, "The function's name.", NULL},
                               {"__doc__", get_doc, NULL, NULL, NULL},
                               {"__signature__", get_signature, NULL, "The parameters, as inspect shows them.", NULL},
                               {"nin", get_nin, NULL, "Number of inputs.", NULL},
                               {"nout", get_nout, NULL, "Number of outputs.", NULL},
                               {"nargs", get_nargs, NULL, "Number of inputs and outputs.", NULL},
                               {"ntypes", get_ntypes, NULL, "Number of type signatures.", NULL},
                               {"types", get_types, NULL, "Type signatures in search order, such as 'ff->f'.", NULL},
                               {"identity", get_identity, NULL, "What reduce gives for no elements, or None.", NULL},
                               {"signature", get_core_signature, NULL, "None: functions of single elements.", NULL},
                               {NULL, NULL, NULL, NULL, NULL}};

static PyMemberDef members[] = {{"__vectorcalloffset__", T_PYSSIZET, offsetof(TbUfunc, vectorcall), READONLY, NULL},
                                {NULL, 0, 0, 0, NULL}};

static void ufunc_dealloc(PyObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    type->tp_free(self);
    Py_DECREF(type);
}

static PyType_Slot slots[] = {{Py_tp_dealloc, ufunc_dealloc},
                              {Py_tp_repr, ufunc_repr},
                              {Py_tp_call, PyVectorcall_Call},
                              {Py_tp_getset, getset},
                              {Py_tp_members, members},
                              {Py_tp_methods, tbpy_ufunc_methods},
                              {0, NULL}};

static PyType_Spec spec = {
    .name = "tombac.ufunc",
    .basicsize = sizeof(TbUfunc),
    .flags =
        Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_VECTORCALL | Py_TPFLAGS_DISALLOW_INSTANTIATION | Py_TPFLAGS_IMMUTABLETYPE,
    .slots = slots,
};

/* Second names that NumPy gives to one function. */
static const char *const aliases[][2] = {
    {"abs", "absolute"},
    {"acos", "arccos"},
    {"acosh", "arccosh"},
    {"asin", "arcsin"},
    {"asinh", "arcsinh"},
    {"atan", "arctan"},
    {"atan2", "arctan2"},
    {"atanh", "arctanh"},
    {"bitwise_invert", "invert"},
    {"bitwise_not", "invert"},
    {"bitwise_left_shift", "left_shift"},
    {"bitwise_right_shift", "right_shift"},
    {"conj", "conjugate"},
    {"true_divide", "divide"},
    {"mod", "remainder"},
    {"pow", "power"},
};

static int add_ufunc(PyObject *m, PyTypeObject *type, const tb_ufunc *u)
{
    TbUfunc *o = PyObject_New(TbUfunc, type);
    if (o == NULL) return -1;
    o->vectorcall = ufunc_vectorcall;
    o->ufunc = u;
    o->nin = tb_ufunc_nin(u);
    o->nout = tb_ufunc_nout(u);
    int status = PyModule_AddObjectRef(m, tbpy_ufunc_plain_name(u), (PyObject *)o);
    Py_DECREF(o);
    return status;
}

static int add_alias(PyObject *m, const char *alias, const char *name)
{
    PyObject *o = PyObject_GetAttrString(m, name);
    if (o == NULL) return -1;
    int status = PyModule_AddObjectRef(m, alias, o);
    Py_DECREF(o);
    return status;
}

int tbpy_add_ufuncs(PyObject *m)
{
    PyTypeObject *type = (PyTypeObject *)PyType_FromSpec(&spec);
    if (type == NULL) return -1;
    int status = PyModule_AddType(m, type);
    PyObject *special = status == 0 ? PyModule_New("tombac._core.special") : NULL;
    if (special == NULL || PyModule_AddObjectRef(m, "special", special) < 0) status = -1;
    for (int i = 0; status == 0 && i < tb_ufunc_count(); i++)
        status = add_ufunc(tbpy_ufunc_is_special(tb_ufunc_at(i)) ? special : m, type, tb_ufunc_at(i));
    for (size_t i = 0; status == 0 && i < sizeof aliases / sizeof *aliases; i++)
        if (!PyObject_HasAttrString(m, aliases[i][0])) status = add_alias(m, aliases[i][0], aliases[i][1]);
    Py_XDECREF(special);
    Py_DECREF(type);
    return status;
}
