/* function.c - tombac.cuda.Function and Module: compiled code as Python objects, and how a kernel is launched. */
#include "user_kernel.h"

#include <stdatomic.h>
#include <structmember.h>

typedef struct Function {
    PyObject_HEAD
    vectorcallfunc call;
    tb_function *function;
} Function;

typedef struct Module {
    PyObject_HEAD
    tb_module *module;     /* NULL: nothing was loaded yet */
    PyObject *expressions; /* a tuple of str, or NULL */
} Module;

static PyTypeObject *function_type, *module_type;

/* ---- launching --------------------------------------------------------------------------------------------------- */

static int one_extent(const char *kernel, const char *what, PyObject *o, uint32_t *out)
{
    int64_t v = 0;
    if (o == Py_None) {
        PyErr_Format(PyExc_TypeError, "kernel %s: %s must be an integer or a tuple of up to 3 integers, not None",
                     kernel, what);
        return -1;
    }
    if (tbpy_int_arg(o, &v) < 0) return -1;
    if (v < 0 || v > UINT32_MAX) {
        PyErr_Format(PyExc_ValueError, "kernel %s: %s has an extent of %lld", kernel, what, (long long)v);
        return -1;
    }
    *out = (uint32_t)v;
    return 0;
}

int tbpy_extents(const char *kernel, const char *what, PyObject *o, uint32_t *out)
{
    out[1] = out[2] = 1;
    if (!PyTuple_Check(o) && !PyList_Check(o)) return one_extent(kernel, what, o, out);
    PyObject *items = tbpy_items(o, what);
    if (!items) return -1;
    Py_ssize_t n = PyTuple_GET_SIZE(items);
    int r = 0;
    if (n < 1 || n > 3) {
        PyErr_Format(PyExc_ValueError, "kernel %s: %s must have 1 to 3 extents, it has %zd", kernel, what, n);
        r = -1;
    }
    for (Py_ssize_t i = 0; r == 0 && i < n; i++) r = one_extent(kernel, what, PyTuple_GET_ITEM(items, i), &out[i]);
    Py_DECREF(items);
    return r;
}

/* The CPU backend runs the kernel within the call; other threads go on meanwhile. */
tb_status tbpy_enqueue(tb_function *f, const tb_launch_shape *shape, tb_stream *s, int narg, const tb_kernel_arg *args)
{
    static atomic_int on_host = -1;
    tb_status st;
    if (on_host < 0) on_host = strcmp(tb_backend_name(), "cpu") == 0;
    if (on_host) TBPY_UNLOCKED(st, tb_function_launch(f, shape, s, narg, args));
    else st = tb_function_launch(f, shape, s, narg, args);
    return st;
}

PyObject *tbpy_launch(tb_function *f, PyObject *grid, PyObject *block, PyObject *args, PyObject *shared,
                      PyObject *stream, bool cooperative)
{
    const char *name = tb_function_name(f);
    tb_launch_shape shape = {sizeof(tb_launch_shape), .cooperative = cooperative};
    tbpy_kernel_args filled;
    tb_stream *s = NULL;
    if (!PyTuple_Check(args) && !PyList_Check(args))
        return PyErr_Format(PyExc_TypeError, "kernel %s: args must be a tuple or a list, not %.200s", name,
                            Py_TYPE(args)->tp_name);
    if (tbpy_extents(name, "grid", grid, shape.grid) < 0 || tbpy_extents(name, "block", block, shape.block) < 0)
        return NULL;
    if (shared && shared != Py_None && one_extent(name, "shared_mem", shared, &shape.shared) < 0) return NULL;
    if (stream && tbpy_stream_arg(stream, &s) < 0) return NULL;
    PyObject *items = tbpy_items(args, "args must be a tuple or a list");
    if (!items) return NULL;
    tb_status st = TB_OK;
    const int r = tbpy_kernel_args_fill(f, ((PyTupleObject *)items)->ob_item, PyTuple_GET_SIZE(items), &filled);
    if (r == 0) {
        st = tbpy_enqueue(f, &shape, s, filled.n, filled.args);
        tbpy_kernel_args_drop(&filled);
    }
    Py_DECREF(items);
    if (r < 0) return NULL;
    TBPY_TRY(st);
    Py_RETURN_NONE;
}

/* ---- Function ---------------------------------------------------------------------------------------------------- */

static PyObject *function_call(PyObject *self, PyObject *const *args, size_t nargsf, PyObject *kwnames)
{
    static const char *const names[] = {"grid", "block", "args", "shared_mem", "stream", "enable_cooperative_groups",
                                        NULL};
    PyObject *v[6];
    bool cooperative = false;
    if (tbpy_parse("Function.__call__", names, 3, 6, args, PyVectorcall_NARGS(nargsf), kwnames, v) < 0 ||
        tbpy_bool_arg(v[5], &cooperative) < 0)
        return NULL;
    return tbpy_launch(((Function *)self)->function, v[0], v[1], v[2], v[3], v[4], cooperative);
}

/* CuPy's blocks: a multiple of a warp, at most block_max_size. */
static PyObject *linear_launch(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    static const char *const names[] = {
        "size", "args", "shared_mem", "block_max_size", "stream", "enable_cooperative_groups", NULL};
    PyObject *v[6];
    int64_t size = 0, most = 128;
    bool cooperative = false;
    if (tbpy_parse("linear_launch", names, 2, 6, args, nargs, kwnames, v) < 0 || tbpy_int_arg(v[0], &size) < 0 ||
        tbpy_int_arg(v[3], &most) < 0 || tbpy_bool_arg(v[5], &cooperative) < 0)
        return NULL;
    if (most < 1) return PyErr_Format(PyExc_ValueError, "linear_launch: block_max_size is %lld", (long long)most);
    if (size < 1) Py_RETURN_NONE;
    int64_t block = size < most ? (size + 31) / 32 * 32 : most;
    if (block > most) block = most;
    PyObject *grid = PyLong_FromLongLong((size + block - 1) / block), *threads = PyLong_FromLongLong(block);
    PyObject *r = grid && threads
                      ? tbpy_launch(((Function *)self)->function, grid, threads, v[1], v[2], v[4], cooperative)
                      : NULL;
    Py_XDECREF(grid);
    Py_XDECREF(threads);
    return r;
}

const char *const tbpy_function_attribute_names[] = {"max_threads_per_block",
                                                     "shared_size_bytes",
                                                     "const_size_bytes",
                                                     "local_size_bytes",
                                                     "num_regs",
                                                     "ptx_version",
                                                     "binary_version",
                                                     "cache_mode_ca",
                                                     "max_dynamic_shared_size_bytes",
                                                     "preferred_shared_memory_carveout",
                                                     NULL};

PyObject *tbpy_function_attributes(tb_function *f)
{
    PyObject *d = PyDict_New();
    for (int i = 0; d && tbpy_function_attribute_names[i]; i++) {
        int value;
        tb_status st = tb_function_attribute(f, i, &value);
        PyObject *number = st == TB_OK ? PyLong_FromLong(value) : tbpy_raise(st);
        if (!number || PyDict_SetItemString(d, tbpy_function_attribute_names[i], number) < 0) Py_CLEAR(d);
        Py_XDECREF(number);
    }
    return d;
}

static PyObject *function_ptr(PyObject *self, void *Py_UNUSED(closure))
{
    return PyLong_FromVoidPtr((void *)tb_function_handle(((Function *)self)->function));
}

static PyObject *function_name(PyObject *self, void *Py_UNUSED(closure))
{
    return PyUnicode_FromString(tb_function_name(((Function *)self)->function));
}

static PyObject *function_attributes(PyObject *self, void *Py_UNUSED(closure))
{
    return tbpy_function_attributes(((Function *)self)->function);
}

static PyObject *function_module(PyObject *self, void *Py_UNUSED(closure))
{
    return tbpy_module_object(tb_module_retain(tb_function_module(((Function *)self)->function)), Py_None);
}

static PyObject *function_repr(PyObject *self)
{
    return PyUnicode_FromFormat("<Function %s>", tb_function_name(((Function *)self)->function));
}

static void function_dealloc(PyObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    tb_function_release(((Function *)self)->function);
    type->tp_free(self);
    Py_DECREF(type);
}

PyObject *tbpy_function_object(tb_function *f)
{
    Function *self = (Function *)function_type->tp_alloc(function_type, 0);
    if (!self) {
        tb_function_release(f);
        return NULL;
    }
    self->function = f;
    self->call = function_call;
    return (PyObject *)self;
}

/* ---- Module ------------------------------------------------------------------------------------------------------ */

static PyObject *module_new(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
    static char *names[] = {NULL};
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, ":Module", names)) return NULL;
    return type->tp_alloc(type, 0);
}

static void module_dealloc(PyObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    tb_module_release(((Module *)self)->module);
    Py_XDECREF(((Module *)self)->expressions);
    type->tp_free(self);
    Py_DECREF(type);
}

PyObject *tbpy_module_object(tb_module *m, PyObject *expressions)
{
    Module *self = (Module *)module_type->tp_alloc(module_type, 0);
    if (self) {
        self->module = m;
        self->expressions = expressions == Py_None ? NULL : Py_NewRef(expressions);
    } else {
        tb_module_release(m);
    }
    return (PyObject *)self;
}

static tb_module *loaded(PyObject *self)
{
    tb_module *m = ((Module *)self)->module;
    if (!m) PyErr_SetString(PyExc_RuntimeError, "Module: nothing has been loaded; call load or load_file first");
    return m;
}

static PyObject *module_load(PyObject *self, PyObject *image)
{
    Py_buffer view;
    tb_module *m;
    if (PyObject_GetBuffer(image, &view, PyBUF_SIMPLE) < 0) return NULL;
    tb_status st;
    TBPY_UNLOCKED(st, tb_module_load(view.buf, (size_t)view.len, &m));
    PyBuffer_Release(&view);
    TBPY_TRY(st);
    tb_module_release(((Module *)self)->module);
    ((Module *)self)->module = m;
    Py_RETURN_NONE;
}

static PyObject *module_load_file(PyObject *self, PyObject *path)
{
    static PyObject *open_file;
    PyObject *open = tbpy_import(&open_file, "builtins", "open");
    PyObject *file = open ? PyObject_CallFunction(open, "Os", path, "rb") : NULL;
    PyObject *image = file ? PyObject_CallMethod(file, "read", NULL) : NULL;
    PyObject *closed = file ? PyObject_CallMethod(file, "close", NULL) : NULL;
    PyObject *r = image && closed ? module_load(self, image) : NULL;
    Py_XDECREF(closed);
    Py_XDECREF(image);
    Py_XDECREF(file);
    return r;
}

static PyObject *module_function(PyObject *self, PyObject *name)
{
    tb_module *m = loaded(self);
    const char *text = m ? tbpy_text(name) : NULL;
    tb_function *f;
    if (!text) return NULL;
    TBPY_TRY(tb_module_function(m, text, &f));
    return tbpy_function_object(f);
}

TBPY_ONE(module_function, "get_function", "name")

static void drop_module(void *m) { tb_module_release(m); }

PyObject *tbpy_module_global(tb_module *m, const char *name)
{
    void *ptr;
    size_t size;
    tb_buffer *b;
    TBPY_TRY(tb_module_global(m, name, &ptr, &size));
    TBPY_TRY(tb_buffer_wrap(ptr, size, tb_module_device(m), drop_module, m, &b));
    tb_module_retain(m);
    return tbpy_memory_pointer(b, 0);
}

static PyObject *module_global(PyObject *self, PyObject *name)
{
    tb_module *m = loaded(self);
    const char *text = m ? tbpy_text(name) : NULL;
    return text ? tbpy_module_global(m, text) : NULL;
}

TBPY_ONE(module_global, "get_global_var", "name")

static PyObject *module_ptr(PyObject *self, void *Py_UNUSED(closure))
{
    const tb_module *m = ((Module *)self)->module;
    return PyLong_FromUnsignedLongLong(m ? tb_module_handle(m) : 0);
}

static PyObject *module_mapping(PyObject *o, void *Py_UNUSED(closure))
{
    const Module *self = (Module *)o;
    if (!self->expressions) Py_RETURN_NONE;
    PyObject *d = PyDict_New();
    for (Py_ssize_t i = 0; d && i < PyTuple_GET_SIZE(self->expressions); i++) {
        PyObject *expression = PyTuple_GET_ITEM(self->expressions, i);
        const char *symbol = tb_module_symbol(self->module, tbpy_text(expression));
        PyObject *name = symbol ? PyUnicode_FromString(symbol) : Py_NewRef(Py_None);
        if (!name || PyDict_SetItem(d, expression, name) < 0) Py_CLEAR(d);
        Py_XDECREF(name);
    }
    return d;
}

static PyGetSetDef module_getset[] = {
    {"ptr", module_ptr, NULL, "The driver's CUmodule as a number; 0 if nothing is loaded.", NULL},
    {"mapping", module_mapping, NULL,
     "A dict of what the name expressions are called in the machine code; None if there were none.", NULL},
    {NULL, NULL, NULL, NULL, NULL}};

/* ---- registration ------------------------------------------------------------------------------------------------ */

static PyMethodDef function_methods[] = {
    {"linear_launch", (PyCFunction)(void (*)(void))linear_launch, METH_FASTCALL | METH_KEYWORDS,
     "linear_launch($self, size, args, shared_mem=0, block_max_size=128, stream=None, "
     "enable_cooperative_groups=False)\n--\n\n"
     "Launches at least size threads, in blocks of one dimension."},
    {NULL, NULL, 0, NULL}};

static PyGetSetDef function_getset[] = {
    {"ptr", function_ptr, NULL, "The driver's CUfunction as a number.", NULL},
    {"name", function_name, NULL, "The kernel's name.", NULL},
    {"module", function_module, NULL, "The Module that the kernel is part of.", NULL},
    {"attributes", function_attributes, NULL, "A dict of the kernel's attributes.", NULL},
    {NULL, NULL, NULL, NULL, NULL}};

static PyMemberDef function_members[] = {{"__vectorcalloffset__", T_PYSSIZET, offsetof(Function, call), READONLY, NULL},
                                         {NULL, 0, 0, 0, NULL}};

static PyMethodDef module_methods[] = {
    {"load", module_load, METH_O,
     "load($self, image, /)\n--\n\nLoads machine code (CUBIN, PTX, fatbin) for the current device."},
    {"load_file", module_load_file, METH_O, "load_file($self, path, /)\n--\n\nLoads a file of machine code."},
    {"get_function", TBPY_ONE_ROW(module_function),
     "get_function($self, name)\n--\n\nThe kernel of that name, a Function."},
    {"get_global_var", TBPY_ONE_ROW(module_global),
     "get_global_var($self, name)\n--\n\nA MemoryPointer to a variable of the module, which it keeps alive."},
    {NULL, NULL, 0, NULL}};

static const char function_doc[] =
    "A kernel of a Module, compiled for one device.\n\n"
    "Called as function(grid, block, args, shared_mem=0, stream=None, enable_cooperative_groups=False); grid and block "
    "are integers or tuples of up to three, args a tuple. Errors are those of RawKernel.";

int tbpy_add_functions(PyObject *m)
{
    PyType_Slot function_slots[] = {{Py_tp_dealloc, function_dealloc}, {Py_tp_repr, function_repr},
                                    {Py_tp_methods, function_methods}, {Py_tp_getset, function_getset},
                                    {Py_tp_members, function_members}, {Py_tp_call, PyVectorcall_Call},
                                    {Py_tp_doc, (void *)function_doc}, {0, NULL}};
    PyType_Slot module_slots[] = {{Py_tp_new, module_new},
                                  {Py_tp_dealloc, module_dealloc},
                                  {Py_tp_methods, module_methods},
                                  {Py_tp_getset, module_getset},
                                  {Py_tp_doc, "Module()\n--\n\nMachine code loaded on a device."},
                                  {0, NULL}};
    PyType_Spec function = {"tombac.cuda.Function", sizeof(Function), 0,
                            Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_VECTORCALL | Py_TPFLAGS_DISALLOW_INSTANTIATION,
                            function_slots};
    PyType_Spec module = {"tombac.cuda.Module", sizeof(Module), 0, Py_TPFLAGS_DEFAULT, module_slots};
    function_type = (PyTypeObject *)PyType_FromModuleAndSpec(m, &function, NULL);
    module_type = (PyTypeObject *)PyType_FromModuleAndSpec(m, &module, NULL);
    if (!function_type || PyModule_AddType(m, function_type) < 0) return -1;
    return module_type ? PyModule_AddType(m, module_type) : -1;
}
