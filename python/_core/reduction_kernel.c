/* reduction_kernel.c - tombac.ReductionKernel: a user's reduction as a callable object. */
#include "kernel_object.h"

#include <structmember.h>

typedef struct TbReduction {
    tbpy_kernel_object head;
    tb_reducer *kernel;
    PyObject *map_expr, *reduce_expr, *post_map_expr, *identity, *reduce_type, *preamble, *options;
    char reduce_dims;
} TbReduction;

/* ---- calls ------------------------------------------------------------------------------------------------------- */

static int read_keywords(TbReduction *self, PyObject *const *values, PyObject *kwnames, PyObject **out,
                         tb_reducer_args *args)
{
    static const char *const names[] = {"out", "axis", "keepdims", "stream", NULL};
    PyObject *v[4];
    if (tbpy_parse(tbpy_text(self->head.name), names, 0, 0, values, 0, kwnames, v) < 0) return -1;
    if (v[0] && v[0] != Py_None && *out) {
        PyErr_Format(PyExc_ValueError, "%S(): out is given both by position and by keyword", self->head.name);
        return -1;
    }
    if (v[0] && v[0] != Py_None) *out = v[0];
    return tbpy_axes(v[1], &args->naxis, args->axis) < 0 || tbpy_bool_arg(v[2], &args->keepdims) < 0 ||
                   tbpy_stream_arg(v[3], &args->stream) < 0
               ? -1
               : 0;
}

static tb_status compute(tb_reducer *k, const tb_operand *in, bool given, tb_array **out, const tb_reducer_args *args)
{
    return given ? tb_reducer_into(k, in, *out, args) : tb_reducer_call(k, in, out, args);
}

static PyObject *reduction_vectorcall(PyObject *o, PyObject *const *args, size_t nargsf, PyObject *kwnames)
{
    TbReduction *self = (TbReduction *)o;
    const Py_ssize_t nargs = PyVectorcall_NARGS(nargsf);
    const int nin = tb_reducer_nin(self->kernel);
    tb_reducer_args options;
    tb_operand in[TBPY_USER_ARGS];
    PyObject *held[TBPY_USER_ARGS];
    tb_array *out;
    options.struct_size = sizeof options;
    options.naxis = -1;
    options.keepdims = false;
    options.stream = NULL;
    if (nargs != nin && nargs != nin + 1)
        return PyErr_Format(PyExc_TypeError, "%S() takes %d arguments, or %d with its output, but %zd were given",
                            self->head.name, nin, nin + 1, nargs);
    PyObject *given = nargs > nin ? args[nin] : NULL;
    if (kwnames && read_keywords(self, args + nargs, kwnames, &given, &options) < 0) return NULL;
    if (tbpy_kernel_outputs(self->head.name, 1, given ? &given : NULL, &out) < 0 ||
        tbpy_kernel_operands(nin, args, in, held) < 0)
        return NULL;
    tb_status st;
    if (!tb_reducer_code(self->kernel, 0, NULL) || tbpy_kernel_is_long(nin, in, 1, &out))
        TBPY_UNLOCKED(st, compute(self->kernel, in, given != NULL, &out, &options));
    else st = compute(self->kernel, in, given != NULL, &out, &options);
    tbpy_drop_operands(nin, held);
    if (st != TB_OK) return tbpy_raise(st);
    return given ? Py_NewRef(given) : tbpy_wrap(out);
}

/* ---- making and attributes --------------------------------------------------------------------------------------- */

static tb_reducer *kernel_of(PyObject *o) { return ((TbReduction *)o)->kernel; }
static int nin_of(PyObject *o) { return tb_reducer_nin(kernel_of(o)); }
static int nout_of(PyObject *Py_UNUSED(o)) { return 1; }
static tb_parameter parameter_at(PyObject *o, int i) { return tb_reducer_parameter(kernel_of(o), i); }

static const char *code_at(PyObject *o, int i, tb_dtype *dtypes) { return tb_reducer_code(kernel_of(o), i, dtypes); }

static const tbpy_kernel_kind kind = {"ReductionKernel", nin_of, nout_of, parameter_at, code_at};

/* Text of an identity given as a string or a number. */
static PyObject *identity_text(PyObject *identity)
{
    return !identity || identity == Py_None ? Py_NewRef(Py_None) : PyObject_Str(identity);
}

static int reduction_make(TbReduction *self, PyObject *args, PyObject *kwds)
{
    static char *names[] = {"in_params", "out_params",  "map_expr",    "reduce_expr", "post_map_expr", "identity",
                            "name",      "reduce_type", "reduce_dims", "preamble",    "options",       NULL};
    const char *in, *out, *map, *reduce, *post, *name = "reduce_kernel", *type = NULL, *preamble = "";
    PyObject *identity, *options = NULL;
    const char *words[TBPY_USER_OPTIONS];
    int reduce_dims = 1, noption = 0;
    if (!PyArg_ParseTupleAndKeywords(args, kwds, "sssssO|szpsO:ReductionKernel", names, &in, &out, &map, &reduce, &post,
                                     &identity, &name, &type, &reduce_dims, &preamble, &options))
        return -1;
    self->options = tbpy_kernel_options(options, &noption, words);
    self->identity = identity_text(identity);
    if (!self->options || !self->identity) return -1;
    const char *start = self->identity == Py_None ? NULL : tbpy_text(self->identity);
    if (PyErr_Occurred()) return -1;
    const tb_reducer_source source = {
        sizeof(tb_reducer_source), .in_params = in,       .out_params = out,  .map_expr = map,
        .reduce_expr = reduce,     .post_map_expr = post, .identity = start,  .name = name,
        .reduce_type = type,       .preamble = preamble,  .noption = noption, .options = words,
    };
    TBPY_TRY_INT(tb_reducer_new(&source, &self->kernel));
    self->reduce_dims = (char)reduce_dims;
    self->head.name = PyUnicode_FromString(name);
    self->map_expr = PyUnicode_FromString(map);
    self->reduce_expr = PyUnicode_FromString(reduce);
    self->post_map_expr = PyUnicode_FromString(post);
    self->preamble = PyUnicode_FromString(preamble);
    self->reduce_type = type ? PyUnicode_FromString(type) : Py_NewRef(Py_None);
    return self->head.name && self->map_expr && self->reduce_expr && self->post_map_expr && self->preamble &&
                   self->reduce_type
               ? 0
               : -1;
}

static PyObject *reduction_new(PyTypeObject *type, PyObject *args, PyObject *kwds)
{
    TbReduction *self = (TbReduction *)type->tp_alloc(type, 0);
    if (!self) return NULL;
    self->head.vectorcall = reduction_vectorcall;
    self->head.kind = &kind;
    if (reduction_make(self, args, kwds) == 0 && tbpy_kernel_keep(&self->head, args, kwds) == 0)
        return (PyObject *)self;
    Py_DECREF(self);
    return NULL;
}

static void reduction_dealloc(PyObject *o)
{
    TbReduction *self = (TbReduction *)o;
    PyTypeObject *type = Py_TYPE(o);
    PyObject *const fields[] = {self->map_expr,    self->reduce_expr, self->post_map_expr, self->identity,
                                self->reduce_type, self->preamble,    self->options};
    tb_reducer_release(self->kernel);
    tbpy_kernel_drop(&self->head);
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) Py_XDECREF(fields[i]);
    type->tp_free(o);
    Py_DECREF(type);
}

#define MEMBER(name, field, type, doc) {name, type, offsetof(TbReduction, field), READONLY, doc}
static PyMemberDef members[] = {
    MEMBER("name", head.name, T_OBJECT_EX, "The kernel's name."),
    MEMBER("__name__", head.name, T_OBJECT_EX, NULL),
    MEMBER("map_expr", map_expr, T_OBJECT_EX, "What is reduced."),
    MEMBER("reduce_expr", reduce_expr, T_OBJECT_EX, "How two are combined."),
    MEMBER("post_map_expr", post_map_expr, T_OBJECT_EX, "What assigns to the output."),
    MEMBER("identity", identity, T_OBJECT_EX, "What reduces to itself, or None."),
    MEMBER("reduce_type", reduce_type, T_OBJECT_EX, "The type of what is combined, or None."),
    MEMBER("preamble", preamble, T_OBJECT_EX, "Code before the kernel."),
    MEMBER("options", options, T_OBJECT_EX, "The compiler's options."),
    MEMBER("reduce_dims", reduce_dims, T_BOOL, "Whether neighbouring dimensions are merged."),
    {"__vectorcalloffset__", T_PYSSIZET, offsetof(TbReduction, head.vectorcall), READONLY, NULL},
    {NULL, 0, 0, 0, NULL},
};

static const char doc[] =
    "ReductionKernel(in_params, out_params, map_expr, reduce_expr, post_map_expr, identity, name='reduce_kernel', "
    "reduce_type=None, reduce_dims=True, preamble='', options=())\n--\n\n"
    "A reduction written in CUDA C++; on the CPU the same code is compiled by the system's C++ compiler.\n\n"
    "Args:\n"
    "    in_params, out_params: Parameters as ElementwiseKernel takes them; one output, which is not raw.\n"
    "    map_expr: An expression of the inputs: what is reduced. `_J` is the element's position among those that make\n"
    "        one result, `_i` the result's number.\n"
    "    reduce_expr: An expression of `a` and `b`, taken to be associative and commutative.\n"
    "    post_map_expr: A statement that assigns to the output, from `a`.\n"
    "    identity: What reduces to itself; None if there is nothing.\n"
    "    reduce_type: The type of `a` and `b`; None: the output's.\n"
    "    preamble: Code before the kernel.\n"
    "    options: Options of the compiler.\n\n"
    "A call takes the inputs (arrays and numbers, broadcast together), then the output or nothing, and the keywords\n"
    "`out`, `axis` (an integer, a tuple, or None for all), `keepdims` and `stream`. It returns the output. The "
    "order in\n"
    "which elements are combined is fixed: equal calls give equal results.\n\n"
    "Raises:\n"
    "    ValueError, TypeError: A parameter list that cannot be read; in a call, shapes or dtypes that do not fit, or\n"
    "        nothing to reduce where there is no identity.\n"
    "    CompileException: The code does not compile, at the first call for these dtypes.\n\n"
    ">>> l2norm = tombac.ReductionKernel('T x', 'T y', 'x * x', 'a + b', 'y = sqrt(a)', '0', 'l2norm')\n"
    ">>> l2norm(tombac.arange(10, dtype='f').reshape(2, 5), axis=1)\narray([ 5.477226 , 15.9687195], dtype=float32)";

static PyType_Slot slots[] = {
    {Py_tp_new, reduction_new},           {Py_tp_dealloc, reduction_dealloc}, {Py_tp_repr, tbpy_kernel_repr},
    {Py_tp_call, PyVectorcall_Call},      {Py_tp_getset, tbpy_kernel_getset}, {Py_tp_members, members},
    {Py_tp_methods, tbpy_kernel_methods}, {Py_tp_doc, (void *)doc},           {0, NULL},
};

static PyType_Spec spec = {
    .name = "tombac.ReductionKernel",
    .basicsize = sizeof(TbReduction),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_VECTORCALL | Py_TPFLAGS_IMMUTABLETYPE,
    .slots = slots,
};

int tbpy_add_reduction_kernel(PyObject *m) { return tbpy_kernel_add(m, &spec); }
