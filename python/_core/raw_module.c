/* raw_module.c - tombac.RawModule: CUDA C++ source, or compiled code from a file, and what it becomes on each device.
 *
 * A module is compiled when a device first needs it. Slots of `modules` are set once, atomically; two threads that get
 * there at once receive the same module from libtombac. */
#include "user_kernel.h"

#include <structmember.h>

static PyTypeObject *raw_module_type;

/* ---- the source -------------------------------------------------------------------------------------------------- */

/* The file's content as bytes. */
static PyObject *read_file(PyObject *path)
{
    static PyObject *open_file;
    PyObject *open = tbpy_import(&open_file, "builtins", "open");
    PyObject *file = open ? PyObject_CallFunction(open, "Os", path, "rb") : NULL;
    PyObject *content = file ? PyObject_CallMethod(file, "read", NULL) : NULL;
    PyObject *closed = file ? PyObject_CallMethod(file, "close", NULL) : NULL;
    if (!closed) Py_CLEAR(content);
    Py_XDECREF(closed);
    Py_XDECREF(file);
    return content;
}

/* ELF (CUBIN, or the CPU backend's library), fatbin, or PTX, which says its version after comments. */
static bool is_image(PyObject *content)
{
    const char *p = PyBytes_AS_STRING(content), *end = p + PyBytes_GET_SIZE(content);
    if (end - p >= 4 && (memcmp(p, "\177ELF", 4) == 0 || memcmp(p, "\x50\xed\x55\xba", 4) == 0)) return true;
    for (;;) {
        while (p < end && strchr(" \t\r\n", *p) && *p) p++;
        if (end - p < 2 || p[0] != '/' || p[1] != '/') break;
        while (p < end && *p != '\n') p++;
    }
    return end - p >= 8 && memcmp(p, ".version", 8) == 0;
}

/* The UTF-8 texts of a tuple of str, borrowed; PyMem_Free the array. */
static const char **texts(PyObject *tuple, int *n)
{
    *n = tuple == Py_None ? 0 : (int)PyTuple_GET_SIZE(tuple);
    const char **v = PyMem_Malloc(((size_t)*n + 1) * sizeof *v);
    if (!v) return (void *)PyErr_NoMemory();
    for (int i = 0; i < *n; i++) {
        v[i] = tbpy_text(PyTuple_GET_ITEM(tuple, i));
        if (v[i]) continue;
        PyMem_Free(v);
        return NULL;
    }
    return v;
}

static int write_log(PyObject *file, const char *log)
{
    if (!file || file == Py_None || !log || !*log) return 0;
    PyObject *r = PyObject_CallMethod(file, "write", "s", log);
    Py_XDECREF(r);
    return r ? 0 : -1;
}

/* A CompileException knows what was to be compiled. */
static void describe_failure(TbRawModule *self, PyObject *code)
{
    PyObject *type, *value, *traceback;
    if (!PyErr_ExceptionMatches(tbpy_CompileException)) return;
    PyErr_Fetch(&type, &value, &traceback);
    PyErr_NormalizeException(&type, &value, &traceback);
    PyObject *name = self->path == Py_None ? PyUnicode_FromString("kernel.cu") : Py_NewRef(self->path);
    if (!name || PyObject_SetAttrString(value, "source", code) < 0 || PyObject_SetAttrString(value, "name", name) < 0 ||
        PyObject_SetAttrString(value, "options", self->options) < 0 ||
        PyObject_SetAttrString(value, "backend", self->backend) < 0)
        PyErr_Clear();
    Py_XDECREF(name);
    PyErr_Restore(type, value, traceback);
}

static tb_module *compile_code(TbRawModule *self, PyObject *code, PyObject *file)
{
    tb_module_source source = {sizeof(tb_module_source), .code = tbpy_text(code),
                               .nvcc = PyUnicode_CompareWithASCIIString(self->backend, "nvcc") == 0};
    tb_module *m = NULL;
    char *log = NULL;
    tb_status st = TB_OK;
    if (!source.code) return NULL;
    source.name = self->path == Py_None ? NULL : tbpy_text(self->path);
    if (PyErr_Occurred()) return NULL;
    source.options = texts(self->options, &source.noption);
    source.expressions = source.options ? texts(self->expressions, &source.nexpression) : NULL;
    if (source.expressions) {
        TBPY_UNLOCKED(st, tb_module_compile(&source, &log, &m));
        if (st != TB_OK) {
            tbpy_raise(st);
            describe_failure(self, code);
        }
    }
    PyMem_Free((void *)source.options);
    PyMem_Free((void *)source.expressions);
    if (m && write_log(file, log) < 0) {
        tb_module_release(m);
        m = NULL;
    }
    tb_free(log);
    return m;
}

static tb_module *compile_text(TbRawModule *self, PyObject *code, PyObject *file)
{
    static PyObject *translator;
    if (!self->translate) return compile_code(self, code, file);
    PyObject *translate = tbpy_package(&translator, "translate");
    PyObject *translated = translate ? PyObject_CallOneArg(translate, code) : NULL;
    tb_module *m = translated ? compile_code(self, translated, file) : NULL;
    Py_XDECREF(translated);
    return m;
}

static tb_module *load_image(PyObject *content)
{
    tb_module *m = NULL;
    tb_status st;
    TBPY_UNLOCKED(st, tb_module_load(PyBytes_AS_STRING(content), (size_t)PyBytes_GET_SIZE(content), &m));
    if (st != TB_OK) tbpy_raise(st);
    return m;
}

static tb_module *make(TbRawModule *self, PyObject *file)
{
    if (self->path == Py_None) return compile_text(self, self->code, file);
    PyObject *content = read_file(self->path), *code = NULL;
    tb_module *m = NULL;
    if (content && is_image(content)) m = load_image(content);
    else if (content) code = PyUnicode_FromEncodedObject(content, "utf-8", NULL);
    if (code) m = compile_text(self, code, file);
    Py_XDECREF(code);
    Py_XDECREF(content);
    return m;
}

tb_module *tbpy_raw_module_here(TbRawModule *self, PyObject *log)
{
    int device;
    tb_status st = tb_device_current(&device);
    if (st != TB_OK) return (void *)tbpy_raise(st);
    tb_module *m = __atomic_load_n(&self->modules[device], __ATOMIC_ACQUIRE);
    if (m) return m;
    tb_module *expected = NULL;
    m = make(self, log);
    if (!m) return NULL;
    if (__atomic_compare_exchange_n(&self->modules[device], &expected, m, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
        return m;
    tb_module_release(m);
    return expected;
}

/* ---- construction ------------------------------------------------------------------------------------------------ */

/* A tuple of str from a tuple or list. */
static PyObject *tuple_of_str(const char *what, PyObject *o)
{
    if (!PyTuple_Check(o) && !PyList_Check(o))
        return PyErr_Format(PyExc_TypeError, "%s must be a tuple of str, not %.200s", what, Py_TYPE(o)->tp_name);
    PyObject *t = PySequence_Tuple(o);
    for (Py_ssize_t i = 0; t && i < PyTuple_GET_SIZE(t); i++) {
        PyObject *item = PyTuple_GET_ITEM(t, i);
        if (PyUnicode_Check(item)) continue;
        PyErr_Format(PyExc_TypeError, "%s must be a tuple of str, item %zd is of type %.200s", what, i,
                     Py_TYPE(item)->tp_name);
        Py_CLEAR(t);
    }
    return t;
}

static int check_backend(PyObject *backend, PyObject *expressions)
{
    bool nvcc = PyUnicode_Check(backend) && PyUnicode_CompareWithASCIIString(backend, "nvcc") == 0;
    if (!nvcc && !(PyUnicode_Check(backend) && PyUnicode_CompareWithASCIIString(backend, "nvrtc") == 0)) {
        PyErr_Format(PyExc_ValueError, "backend must be 'nvrtc' or 'nvcc', not %R", backend);
        return -1;
    }
    if (nvcc && expressions != Py_None) {
        PyErr_SetString(PyExc_ValueError, "name_expressions need backend='nvrtc': nvcc does not tell mangled names");
        return -1;
    }
    return 0;
}

TbRawModule *tbpy_raw_module(PyObject *code, PyObject *path, PyObject *options, PyObject *backend,
                             PyObject *expressions, bool translate, bool cooperative, bool jitify)
{
    if (!PyUnicode_Check(code) && code != Py_None)
        return (void *)PyErr_Format(PyExc_TypeError, "code must be a str, not %.200s", Py_TYPE(code)->tp_name);
    if (check_backend(backend, expressions) < 0) return NULL;
    TbRawModule *self = (TbRawModule *)raw_module_type->tp_alloc(raw_module_type, 0);
    if (!self) return NULL;
    self->code = Py_NewRef(code);
    self->path = path == Py_None ? Py_NewRef(path) : PyOS_FSPath(path);
    self->backend = Py_NewRef(backend);
    self->options = self->path ? tuple_of_str("options", options) : NULL;
    self->expressions = expressions == Py_None ? Py_NewRef(Py_None) : tuple_of_str("name_expressions", expressions);
    self->translate = translate;
    self->cooperative = cooperative;
    self->jitify = jitify;
    if (self->path && self->options && self->expressions) return self;
    Py_DECREF(self);
    return NULL;
}

static PyObject *raw_module_new(PyTypeObject *Py_UNUSED(type), PyObject *args, PyObject *kwargs)
{
    static char *names[] = {
        "code",   "path", "options", "backend", "translate_cucomplex", "enable_cooperative_groups", "name_expressions",
        "jitify", NULL};
    PyObject *code = Py_None, *path = Py_None, *options = NULL, *backend = NULL, *expressions = Py_None;
    int translate = 0, cooperative = 0, jitify = 0;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "|$OOOOppOp:RawModule", names, &code, &path, &options, &backend,
                                     &translate, &cooperative, &expressions, &jitify))
        return NULL;
    if ((code == Py_None) == (path == Py_None))
        return PyErr_Format(PyExc_TypeError, "RawModule: exactly one of code and path must be given");
    PyObject *none = PyTuple_New(0), *nvrtc = PyUnicode_FromString("nvrtc");
    PyObject *self = NULL;
    if (none && nvrtc)
        self = (PyObject *)tbpy_raw_module(code, path, options ? options : none, backend ? backend : nvrtc, expressions,
                                           translate, cooperative, jitify);
    Py_XDECREF(none);
    Py_XDECREF(nvrtc);
    return self;
}

static void raw_module_dealloc(PyObject *o)
{
    TbRawModule *self = (TbRawModule *)o;
    PyTypeObject *type = Py_TYPE(o);
    for (int i = 0; i < TBPY_DEVICES; i++) tb_module_release(self->modules[i]);
    Py_XDECREF(self->code);
    Py_XDECREF(self->path);
    Py_XDECREF(self->options);
    Py_XDECREF(self->backend);
    Py_XDECREF(self->expressions);
    type->tp_free(o);
    Py_DECREF(type);
}

/* ---- methods ----------------------------------------------------------------------------------------------------- */

static PyObject *raw_module_compile(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    static const char *const names[] = {"log_stream", NULL};
    PyObject *log;
    if (tbpy_parse("compile", names, 0, 1, args, nargs, kwnames, &log) < 0) return NULL;
    if (!tbpy_raw_module_here((TbRawModule *)self, log)) return NULL;
    Py_RETURN_NONE;
}

static PyObject *raw_module_get_function(PyObject *self, PyObject *name)
{
    if (!PyUnicode_Check(name))
        return PyErr_Format(PyExc_TypeError, "get_function: the name must be a str, not %.200s",
                            Py_TYPE(name)->tp_name);
    return tbpy_raw_kernel((TbRawModule *)self, name);
}

TBPY_ONE(raw_module_get_function, "get_function", "name")

static PyObject *raw_module_get_global(PyObject *self, PyObject *name)
{
    const char *text = tbpy_text(name);
    tb_module *m = text ? tbpy_raw_module_here((TbRawModule *)self, NULL) : NULL;
    return m ? tbpy_module_global(m, text) : NULL;
}

TBPY_ONE(raw_module_get_global, "get_global", "name")

static PyObject *raw_module_module(PyObject *self, void *Py_UNUSED(closure))
{
    tb_module *m = tbpy_raw_module_here((TbRawModule *)self, NULL);
    return m ? tbpy_module_object(tb_module_retain(m), ((TbRawModule *)self)->expressions) : NULL;
}

static PyObject *raw_module_reduce(PyObject *o, PyObject *Py_UNUSED(ignored))
{
    static PyObject *rebuild;
    TbRawModule *self = (TbRawModule *)o;
    if (!tbpy_import(&rebuild, "tombac._core", "_rebuild_raw_module")) return NULL;
    return Py_BuildValue("O(OOOOOiii)", rebuild, self->code, self->path, self->options, self->backend,
                         self->expressions, self->translate, self->cooperative, self->jitify);
}

static PyObject *rebuild_raw_module(PyObject *Py_UNUSED(m), PyObject *args)
{
    PyObject *code, *path, *options, *backend, *expressions;
    int translate, cooperative, jitify;
    if (!PyArg_ParseTuple(args, "OOOOOiii", &code, &path, &options, &backend, &expressions, &translate, &cooperative,
                          &jitify))
        return NULL;
    return (PyObject *)tbpy_raw_module(code, path, options, backend, expressions, translate, cooperative, jitify);
}

/* ---- registration ------------------------------------------------------------------------------------------------ */

static PyMethodDef methods[] = {
    {"compile", (PyCFunction)(void (*)(void))raw_module_compile, METH_FASTCALL | METH_KEYWORDS,
     "compile($self, log_stream=None)\n--\n\nCompiles for the current device now, rather than at the first use.\n\nThe "
     "compiler's messages are written to log_stream; there are none if the code comes from a cache."},
    {"get_function", TBPY_ONE_ROW(raw_module_get_function),
     "get_function($self, name)\n--\n\nThe kernel of that name, a RawKernel: an extern \"C\" function, or one of "
     "name_expressions as it was given."},
    {"get_global", TBPY_ONE_ROW(raw_module_get_global),
     "get_global($self, name)\n--\n\nA MemoryPointer to a __device__ or __constant__ variable on the current "
     "device."},
    {"__reduce__", raw_module_reduce, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL}};

static PyGetSetDef getset[] = {
    {"module", raw_module_module, NULL, "The compiled code on the current device, a tombac.cuda.Module.", NULL},
    {NULL, NULL, NULL, NULL, NULL}};

static PyMemberDef members[] = {
    {"code", T_OBJECT, offsetof(TbRawModule, code), READONLY, "The source, or None if it is in a file."},
    {"file_path", T_OBJECT, offsetof(TbRawModule, path), READONLY, "The file, or None."},
    {"options", T_OBJECT, offsetof(TbRawModule, options), READONLY, "The compiler's options."},
    {"backend", T_OBJECT, offsetof(TbRawModule, backend), READONLY, "'nvrtc' or 'nvcc'."},
    {"name_expressions", T_OBJECT, offsetof(TbRawModule, expressions), READONLY, "Template instantiations, or None."},
    {"enable_cooperative_groups", T_BOOL, offsetof(TbRawModule, cooperative), READONLY,
     "Whether kernels are launched so that the whole grid can be synchronised."},
    {NULL, 0, 0, 0, NULL}};

static PyMethodDef functions[] = {{"_rebuild_raw_module", rebuild_raw_module, METH_VARARGS, NULL},
                                  {NULL, NULL, 0, NULL}};

static const char doc[] =
    "RawModule(*, code=None, path=None, options=(), backend='nvrtc', translate_cucomplex=False, "
    "enable_cooperative_groups=False, name_expressions=None, jitify=False)\n--\n\n"
    "CUDA C++ with any number of kernels and variables, for GPU and CPU.\n\n"
    "Args:\n"
    "    code: The source.\n"
    "    path: A file instead: a source, or machine code (CUBIN, PTX, fatbin).\n"
    "    options: The compiler's options, a tuple of str.\n"
    "    backend: 'nvrtc', or 'nvcc' where a toolkit is installed.\n"
    "    translate_cucomplex: Use complex<float> and complex<double> for cuComplex and cuDoubleComplex.\n"
    "    enable_cooperative_groups: Launch so that cooperative_groups::this_grid().sync() works.\n"
    "    name_expressions: Template instantiations that get_function is to find, such as 'scale<float>'.\n"
    "    jitify: Accepted; a toolkit's headers are found without it.\n\n"
    "Raises:\n"
    "    CompileException: When first used, with the compiler's messages.\n\n"
    ">>> m = tombac.RawModule(code='template<class T> __global__ void twice(T* x) { x[threadIdx.x] *= 2; }',\n"
    "...                      name_expressions=['twice<float>'])\n"
    ">>> x = tombac.ones(4, 'f')\n"
    ">>> m.get_function('twice<float>')((1,), (4,), (x,))";

int tbpy_add_raw_module(PyObject *m)
{
    PyType_Slot slots[] = {{Py_tp_new, raw_module_new},
                           {Py_tp_dealloc, raw_module_dealloc},
                           {Py_tp_methods, methods},
                           {Py_tp_getset, getset},
                           {Py_tp_members, members},
                           {Py_tp_doc, (void *)doc},
                           {0, NULL}};
    PyType_Spec spec = {"tombac.RawModule", sizeof(TbRawModule), 0, Py_TPFLAGS_DEFAULT, slots};
    raw_module_type = (PyTypeObject *)PyType_FromModuleAndSpec(m, &spec, NULL);
    if (!raw_module_type || PyModule_AddType(m, raw_module_type) < 0) return -1;
    return PyModule_AddFunctions(m, functions);
}
