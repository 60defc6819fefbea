/* elementwise_kernel.c - tombac.ElementwiseKernel: a user's elementwise code as a callable object. */
#include "kernel_object.h"

#include <structmember.h>

typedef struct TbElementwise {
    tbpy_kernel_object head;
    tb_elementwise *kernel;
    PyObject *operation, *preamble, *kwargs; /* as given */
    char reduce_dims, no_return, return_tuple;
} TbElementwise;

/* ---- calls ------------------------------------------------------------------------------------------------------- */

static int read_keywords(TbElementwise *self, PyObject *const *values, PyObject *kwnames, tb_elementwise_args *args)
{
    static const char *const names[] = {"size", "block_size", "stream", NULL};
    PyObject *v[3];
    int64_t block = 0;
    const char *who = PyUnicode_AsUTF8(self->head.name);
    if (tbpy_parse(who, names, 0, 0, values, 0, kwnames, v) < 0) return -1;
    if (tbpy_int_arg(v[0], &args->size) < 0 || tbpy_int_arg(v[1], &block) < 0 ||
        tbpy_stream_arg(v[2], &args->stream) < 0)
        return -1;
    if (v[0] && v[0] != Py_None && args->size < 0) {
        PyErr_Format(PyExc_ValueError, "%s: size must not be negative, got %lld", who, (long long)args->size);
        return -1;
    }
    if (v[1] && v[1] != Py_None && (block < 1 || block > 1024)) {
        PyErr_Format(PyExc_ValueError, "%s: block_size must be between 1 and 1024, got %lld", who, (long long)block);
        return -1;
    }
    args->block = (uint32_t)block;
    return 0;
}

static PyObject *results(TbElementwise *self, int nout, PyObject *const *given, tb_array **out)
{
    if (nout == 1 && !self->return_tuple && !self->no_return) return given ? Py_NewRef(given[0]) : tbpy_wrap(out[0]);
    PyObject *tuple = PyTuple_New(nout);
    for (int m = 0; m < nout; m++) {
        PyObject *o = given ? Py_NewRef(given[m]) : tbpy_wrap(out[m]);
        if (tuple && o) PyTuple_SET_ITEM(tuple, m, o);
        else Py_CLEAR(tuple);
    }
    if (!self->no_return) return tuple;
    Py_XDECREF(tuple);
    return tuple ? Py_NewRef(Py_None) : NULL;
}

static tb_status compute(tb_elementwise *k, const tb_operand *in, bool given, tb_array **out,
                         const tb_elementwise_args *args)
{
    return given ? tb_elementwise_into(k, in, out, args) : tb_elementwise_call(k, in, out, args);
}

static PyObject *elementwise_vectorcall(PyObject *o, PyObject *const *args, size_t nargsf, PyObject *kwnames)
{
    TbElementwise *self = (TbElementwise *)o;
    const Py_ssize_t nargs = PyVectorcall_NARGS(nargsf);
    const int nin = tb_elementwise_nin(self->kernel), nout = tb_elementwise_nout(self->kernel);
    tb_elementwise_args options = {sizeof(tb_elementwise_args), .size = -1};
    tb_operand in[TBPY_USER_ARGS];
    PyObject *held[TBPY_USER_ARGS];
    tb_array *out[TBPY_USER_ARGS];
    if (nargs != nin && nargs != nin + nout)
        return PyErr_Format(PyExc_TypeError, "%S() takes %d arguments, or %d with its outputs, but %zd were given",
                            self->head.name, nin, nin + nout, nargs);
    if (kwnames && read_keywords(self, args + nargs, kwnames, &options) < 0) return NULL;
    PyObject *const *given = nargs > nin ? args + nin : NULL;
    if (tbpy_kernel_outputs(self->head.name, nout, given, out) < 0 || tbpy_kernel_operands(nin, args, in, held) < 0)
        return NULL;
    tb_status st;
    if (!tb_elementwise_code(self->kernel, 0, NULL) || tbpy_kernel_is_long(nin, in, nout, out))
        TBPY_UNLOCKED(st, compute(self->kernel, in, given != NULL, out, &options));
    else st = compute(self->kernel, in, given != NULL, out, &options);
    tbpy_drop_operands(nin, held);
    return st == TB_OK ? results(self, nout, given, out) : tbpy_raise(st);
}

/* ---- making and attributes --------------------------------------------------------------------------------------- */

static tb_elementwise *kernel_of(PyObject *o) { return ((TbElementwise *)o)->kernel; }
static int nin_of(PyObject *o) { return tb_elementwise_nin(kernel_of(o)); }
static int nout_of(PyObject *o) { return tb_elementwise_nout(kernel_of(o)); }
static tb_parameter parameter_at(PyObject *o, int i) { return tb_elementwise_parameter(kernel_of(o), i); }

static const char *code_at(PyObject *o, int i, tb_dtype *dtypes)
{
    return tb_elementwise_code(kernel_of(o), i, dtypes);
}

static const tbpy_kernel_kind kind = {"ElementwiseKernel", nin_of, nout_of, parameter_at, code_at};

static int elementwise_make(TbElementwise *self, PyObject *args, PyObject *kwds)
{
    static char *names[] = {"in_params", "out_params",   "operation", "name",       "reduce_dims", "preamble",
                            "no_return", "return_tuple", "loop_prep", "after_loop", "options",     NULL};
    const char *in, *out, *operation, *name = "kernel", *preamble = "", *prep = "", *after = "";
    PyObject *options = NULL;
    const char *words[TBPY_USER_OPTIONS];
    int reduce_dims = 1, no_return = 0, return_tuple = 0, noption = 0;
    if (!PyArg_ParseTupleAndKeywords(args, kwds, "sss|spsppssO:ElementwiseKernel", names, &in, &out, &operation, &name,
                                     &reduce_dims, &preamble, &no_return, &return_tuple, &prep, &after, &options))
        return -1;
    PyObject *tuple = tbpy_kernel_options(options, &noption, words);
    if (!tuple) return -1;
    const tb_elementwise_source source = {
        sizeof(tb_elementwise_source),
        .in_params = in,
        .out_params = out,
        .operation = operation,
        .name = name,
        .preamble = preamble,
        .loop_prep = prep,
        .after_loop = after,
        .keep_dims = !reduce_dims,
        .noption = noption,
        .options = words,
    };
    const tb_status st = tb_elementwise_new(&source, &self->kernel);
    if (st != TB_OK) {
        Py_DECREF(tuple);
        return tbpy_fail(st);
    }
    self->reduce_dims = (char)reduce_dims;
    self->no_return = (char)no_return;
    self->return_tuple = (char)return_tuple;
    self->head.name = PyUnicode_FromString(name);
    self->operation = PyUnicode_FromString(operation);
    self->preamble = PyUnicode_FromString(preamble);
    self->kwargs = Py_BuildValue("{s:s,s:s,s:N}", "loop_prep", prep, "after_loop", after, "options", tuple);
    return self->head.name && self->operation && self->preamble && self->kwargs ? 0 : -1;
}

static PyObject *elementwise_new(PyTypeObject *type, PyObject *args, PyObject *kwds)
{
    TbElementwise *self = (TbElementwise *)type->tp_alloc(type, 0);
    if (!self) return NULL;
    self->head.vectorcall = elementwise_vectorcall;
    self->head.kind = &kind;
    if (elementwise_make(self, args, kwds) == 0 && tbpy_kernel_keep(&self->head, args, kwds) == 0)
        return (PyObject *)self;
    Py_DECREF(self);
    return NULL;
}

static void elementwise_dealloc(PyObject *o)
{
    TbElementwise *self = (TbElementwise *)o;
    PyTypeObject *type = Py_TYPE(o);
    tb_elementwise_release(self->kernel);
    tbpy_kernel_drop(&self->head);
    Py_XDECREF(self->operation);
    Py_XDECREF(self->preamble);
    Py_XDECREF(self->kwargs);
    type->tp_free(o);
    Py_DECREF(type);
}

#define MEMBER(name, field, type, doc) {name, type, offsetof(TbElementwise, field), READONLY, doc}
static PyMemberDef members[] = {
    MEMBER("name", head.name, T_OBJECT_EX, "The kernel's name."),
    MEMBER("__name__", head.name, T_OBJECT_EX, NULL),
    MEMBER("operation", operation, T_OBJECT_EX, "The code of one element."),
    MEMBER("preamble", preamble, T_OBJECT_EX, "Code before the kernel."),
    MEMBER("kwargs", kwargs, T_OBJECT_EX, "Further options as a dict: loop_prep, after_loop, options."),
    MEMBER("reduce_dims", reduce_dims, T_BOOL, "Whether neighbouring dimensions are merged."),
    MEMBER("no_return", no_return, T_BOOL, "Whether calls give None."),
    MEMBER("return_tuple", return_tuple, T_BOOL, "Whether calls give a tuple even of a single output."),
    {"__vectorcalloffset__", T_PYSSIZET, offsetof(TbElementwise, head.vectorcall), READONLY, NULL},
    {NULL, 0, 0, 0, NULL},
};

static const char doc[] =
    "ElementwiseKernel(in_params, out_params, operation, name='kernel', reduce_dims=True, preamble='', "
    "no_return=False, "
    "return_tuple=False, *, loop_prep='', after_loop='', options=())\n--\n\n"
    "An elementwise function written in CUDA C++; on the CPU the same code is compiled by the system's C++ "
    "compiler.\n\n"
    "Args:\n"
    "    in_params, out_params: Parameters, as in 'T x, raw float32 table, int32 n': a dtype by its name, or a letter\n"
    "        that stands for the dtype of the arrays given for it, and a name. `raw` gives the code the whole array.\n"
    "    operation: Statements that compute one element of the outputs. `i` is its number, `n` how many there are,\n"
    "        `_ind.get()` its index along the dimensions; raw arrays take x[i] and x[_ind.get()], and have x.size(),\n"
    "        x.shape(), x.strides(), x.ndim.\n"
    "    reduce_dims: Neighbouring dimensions are merged where that changes no element's address.\n"
    "    preamble: Code before the kernel; the letters are types there.\n"
    "    loop_prep, after_loop: Statements of a thread before and after its elements.\n"
    "    no_return, return_tuple: The call gives None; a tuple even of a single output.\n"
    "    options: Options of the compiler.\n\n"
    "A call takes the inputs (arrays and numbers, broadcast together), then all outputs or none, and the keywords\n"
    "`size` (of the loop, if all arrays are raw), `block_size` and `stream`. It returns the outputs.\n\n"
    "Raises:\n"
    "    ValueError, TypeError: A parameter list that cannot be read; in a call, shapes or dtypes that do not fit.\n"
    "    CompileException: The code does not compile, at the first call for these dtypes.\n\n"
    ">>> squared_diff = tombac.ElementwiseKernel('T x, T y', 'T z', 'z = (x - y) * (x - y)', 'squared_diff')\n"
    ">>> squared_diff(tombac.arange(3.0), 1)\narray([1., 0., 1.])";

static PyType_Slot slots[] = {
    {Py_tp_new, elementwise_new},
    {Py_tp_dealloc, elementwise_dealloc},
    {Py_tp_repr, tbpy_kernel_repr},
    {Py_tp_call, PyVectorcall_Call},
    {Py_tp_getset, tbpy_kernel_getset},
    {Py_tp_members, members},
    {Py_tp_methods, tbpy_kernel_methods},
    {Py_tp_doc, (void *)doc},
    {0, NULL},
};

static PyType_Spec spec = {
    .name = "tombac.ElementwiseKernel",
    .basicsize = sizeof(TbElementwise),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_VECTORCALL | Py_TPFLAGS_IMMUTABLETYPE,
    .slots = slots,
};

int tbpy_add_elementwise_kernel(PyObject *m) { return tbpy_kernel_add(m, &spec); }
