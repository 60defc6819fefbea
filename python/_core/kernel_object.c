/* kernel_object.c - arguments and attributes that ElementwiseKernel and ReductionKernel share. */
#include "kernel_object.h"

int tbpy_kernel_outputs(PyObject *name, int nout, PyObject *const *given, tb_array **out)
{
    for (int m = 0; m < nout; m++) {
        out[m] = NULL;
        if (!given) continue;
        if (!tbpy_check(given[m])) {
            PyErr_Format(PyExc_TypeError, "%S: output arguments must be tombac.ndarray, not %R", name,
                         Py_TYPE(given[m]));
            return -1;
        }
        out[m] = tbpy_array(given[m]);
    }
    return 0;
}

/* 1: o is an object with a handle, a texture or a surface, in its attribute `ptr`, as kernels take it; 0: it is not. */
static int read_handle(PyObject *o, uint64_t *handle)
{
    static const char *const memory[] = {"__cuda_array_interface__", "__dlpack__"};
    if (tbpy_check(o) || PyLong_Check(o) || PyFloat_Check(o) || PyComplex_Check(o) || tbpy_is_numpy_scalar(o)) return 0;
    PyObject *ptr = PyObject_GetAttrString(o, "ptr");
    if (!ptr) PyErr_Clear();
    bool found = ptr && PyLong_Check(ptr);
    for (int i = 0; i < 2 && found; i++) found = !PyObject_HasAttrString(o, memory[i]);
    if (found) *handle = PyLong_AsUnsignedLongLong(ptr);
    Py_XDECREF(ptr);
    return !found ? 0 : PyErr_Occurred() ? -1 : 1;
}

int tbpy_kernel_operands(int n, PyObject *const *objs, tb_operand *out, PyObject **held)
{
    PyObject *numbers[TBPY_USER_ARGS];
    uint64_t handle[TBPY_USER_ARGS];
    int at[TBPY_USER_ARGS], nhandle = 0;
    for (int i = 0; i < n; i++) {
        const int r = read_handle(objs[i], &handle[nhandle]);
        if (r < 0) return -1;
        if (r) at[nhandle++] = i;
    }
    if (nhandle == 0) return tbpy_operands(n, objs, out, held);
    memcpy(numbers, objs, (size_t)n * sizeof *numbers);
    for (int k = 0; k < nhandle; k++) numbers[at[k]] = Py_True;
    if (tbpy_operands(n, numbers, out, held) < 0) return -1;
    for (int k = 0; k < nhandle; k++) out[at[k]].scalar = (tb_scalar){.dtype = TB_U64, .v.u = handle[k]};
    return 0;
}

bool tbpy_kernel_is_long(int nin, const tb_operand *in, int nout, tb_array *const *out)
{
    enum { LONG = 16384 };
    for (int m = 0; m < nin; m++)
        if (in[m].array && tb_array_size(in[m].array) > LONG) return true;
    for (int m = 0; m < nout; m++)
        if (out[m] && tb_array_size(out[m]) > LONG) return true;
    return false;
}

PyObject *tbpy_kernel_options(PyObject *options, int *n, const char **words)
{
    *n = 0;
    if (!options || options == Py_None) return PyTuple_New(0);
    if (PyUnicode_Check(options))
        return PyErr_Format(PyExc_TypeError, "options must be a tuple of strings, not one string");
    PyObject *tuple = PySequence_Tuple(options);
    if (!tuple) return NULL;
    if (PyTuple_GET_SIZE(tuple) > TBPY_USER_OPTIONS) {
        Py_DECREF(tuple);
        return PyErr_Format(PyExc_ValueError, "at most %d options are supported", TBPY_USER_OPTIONS);
    }
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(tuple); i++) {
        words[i] = PyUnicode_Check(PyTuple_GET_ITEM(tuple, i)) ? tbpy_text(PyTuple_GET_ITEM(tuple, i)) : NULL;
        if (words[i]) continue;
        if (!PyErr_Occurred())
            PyErr_Format(PyExc_TypeError, "options must be strings, not %R", PyTuple_GET_ITEM(tuple, i));
        Py_DECREF(tuple);
        return NULL;
    }
    *n = (int)PyTuple_GET_SIZE(tuple);
    return tuple;
}

/* ---- parameters -------------------------------------------------------------------------------------------------- */

static PyTypeObject *info_type;

static int make_info_type(void)
{
    static PyStructSequence_Field fields[] = {
        {"name", "The parameter's name."},
        {"dtype", "Its dtype; None for a placeholder."},
        {"ctype", "The placeholder, or the dtype's name."},
        {"raw", "Whether the code gets the whole array."},
        {"is_const", "Whether the code may not assign to it."},
        {NULL, NULL},
    };
    static PyStructSequence_Desc desc = {"tombac.ParameterInfo", "A parameter of a user kernel.", fields, 5};
    if (!info_type) info_type = PyStructSequence_NewType(&desc);
    return info_type ? 0 : -1;
}

static PyObject *info(tb_parameter p)
{
    if (make_info_type() < 0 || tbpy_numpy_load() < 0) return NULL;
    PyObject *o = PyStructSequence_New(info_type);
    if (!o) return NULL;
    const bool fixed = p.dtype != TB_NODTYPE;
    const char letter[2] = {p.letter, 0};
    PyObject *name = PyUnicode_FromString(p.name);
    PyObject *ctype = PyUnicode_FromString(fixed ? tb_dtype_name(p.dtype) : letter);
    PyStructSequence_SetItem(o, 0, name);
    PyStructSequence_SetItem(o, 1, Py_NewRef(fixed ? tbpy_dtype_object(p.dtype) : Py_None));
    PyStructSequence_SetItem(o, 2, ctype);
    PyStructSequence_SetItem(o, 3, PyBool_FromLong(p.raw));
    PyStructSequence_SetItem(o, 4, PyBool_FromLong(!p.writable));
    if (name && ctype) return o;
    Py_DECREF(o);
    return NULL;
}

static const tbpy_kernel_kind *kind_of(PyObject *o) { return ((tbpy_kernel_object *)o)->kind; }

/* part: inputs ('i'), outputs ('o') or all of them ('a'). */
static PyObject *get_params(PyObject *o, void *part)
{
    const tbpy_kernel_kind *k = kind_of(o);
    const int from = *(const char *)part == 'o' ? k->nin(o) : 0;
    const int to = *(const char *)part == 'i' ? k->nin(o) : k->nin(o) + k->nout(o);
    PyObject *tuple = PyTuple_New(to - from);
    for (int m = from; tuple && m < to; m++) {
        PyObject *p = info(k->parameter(o, m));
        if (p) PyTuple_SET_ITEM(tuple, m - from, p);
        else Py_CLEAR(tuple);
    }
    return tuple;
}

static PyObject *get_count(PyObject *o, void *part)
{
    const int nin = kind_of(o)->nin(o), nout = kind_of(o)->nout(o);
    return PyLong_FromLong(*(const char *)part == 'i' ? nin : *(const char *)part == 'o' ? nout : nin + nout);
}

/* ---- sources ----------------------------------------------------------------------------------------------------- */

static PyObject *get_codes(PyObject *o, void *Py_UNUSED(closure))
{
    tb_dtype dtypes[TBPY_USER_ARGS];
    const char *code;
    const tbpy_kernel_kind *k = kind_of(o);
    const int nparam = k->nin(o) + k->nout(o);
    PyObject *dict = tbpy_numpy_load() == 0 ? PyDict_New() : NULL;
    for (int i = 0; dict && (code = k->code(o, i, dtypes)) != NULL; i++) {
        PyObject *key = PyTuple_New(nparam), *text = PyUnicode_FromString(code);
        for (int m = 0; key && m < nparam; m++) PyTuple_SET_ITEM(key, m, Py_NewRef(tbpy_dtype_object(dtypes[m])));
        if (!key || !text || PyDict_SetItem(dict, key, text) < 0) Py_CLEAR(dict);
        Py_XDECREF(key);
        Py_XDECREF(text);
    }
    return dict;
}

static PyObject *get_code(PyObject *o, void *Py_UNUSED(closure))
{
    const char *longest = NULL, *code;
    for (int i = 0; (code = kind_of(o)->code(o, i, NULL)) != NULL; i++)
        if (!longest || strlen(code) > strlen(longest)) longest = code;
    if (longest) return PyUnicode_FromString(longest);
    return PyErr_Format(PyExc_ValueError, "the kernel has not been compiled yet: call it first");
}

/* ---- copies ------------------------------------------------------------------------------------------------------ */

int tbpy_kernel_keep(tbpy_kernel_object *o, PyObject *args, PyObject *kwargs)
{
    o->args = Py_NewRef(args);
    o->kwargs = kwargs ? PyDict_Copy(kwargs) : PyDict_New();
    return o->kwargs ? 0 : -1;
}

void tbpy_kernel_drop(tbpy_kernel_object *o)
{
    Py_XDECREF(o->name);
    Py_XDECREF(o->args);
    Py_XDECREF(o->kwargs);
}

static PyObject *reduce(PyObject *o, PyObject *Py_UNUSED(ignored))
{
    static PyObject *make;
    const tbpy_kernel_object *k = (const tbpy_kernel_object *)o;
    if (!tbpy_import(&make, "copyreg", "__newobj_ex__")) return NULL;
    return Py_BuildValue("(O(OOO))", make, Py_TYPE(o), k->args, k->kwargs);
}

PyMethodDef tbpy_kernel_methods[] = {{"__reduce__", reduce, METH_NOARGS, NULL}, {NULL, NULL, 0, NULL}};

/* ---- what both types show ---------------------------------------------------------------------------------------- */

PyGetSetDef tbpy_kernel_getset[] = {
    {"in_params", get_params, NULL, "The input parameters, a tuple of ParameterInfo.", "i"},
    {"out_params", get_params, NULL, "The output parameters.", "o"},
    {"params", get_params, NULL, "Inputs, then outputs.", "a"},
    {"nin", get_count, NULL, "Number of inputs.", "i"},
    {"nout", get_count, NULL, "Number of outputs.", "o"},
    {"nargs", get_count, NULL, "Number of parameters.", "a"},
    {"cached_codes", get_codes, NULL, "The sources compiled so far: a dict, by the dtypes of the parameters.", NULL},
    {"cached_code", get_code, NULL, "The longest source compiled so far; ValueError before the first call.", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

PyObject *tbpy_kernel_repr(PyObject *o)
{
    return PyUnicode_FromFormat("<tombac.%s '%U'>", kind_of(o)->type, ((tbpy_kernel_object *)o)->name);
}

int tbpy_kernel_add(PyObject *m, PyType_Spec *spec)
{
    PyObject *type = PyType_FromSpec(spec);
    const int status = type ? PyModule_AddType(m, (PyTypeObject *)type) : -1;
    Py_XDECREF(type);
    return status;
}
