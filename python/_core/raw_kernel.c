/* raw_kernel.c - tombac.RawKernel: one kernel of a RawModule, and the functions it is on each device.
 *
 * Slots of `functions` are set once, atomically. */
#include "user_kernel.h"

#include <structmember.h>

typedef struct RawKernel {
    PyObject_HEAD
    vectorcallfunc call;
    PyObject *name;
    TbRawModule *module;
    tb_function *functions[TBPY_DEVICES];
} RawKernel;

static PyTypeObject *raw_kernel_type;

/* ---- the function on a device ------------------------------------------------------------------------------------ */

static tb_function *find_function(RawKernel *self, int device, PyObject *log)
{
    tb_module *m = tbpy_raw_module_here(self->module, log);
    const char *name = m ? tbpy_text(self->name) : NULL;
    tb_function *f = NULL, *expected = NULL;
    if (!name) return NULL;
    tb_status st = tb_module_function(m, name, &f);
    if (st != TB_OK) return (void *)tbpy_raise(st);
    if (__atomic_compare_exchange_n(&self->functions[device], &expected, f, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
        return f;
    tb_function_release(f);
    return expected;
}

/* The function (borrowed) on the current device, compiled if need be. */
static tb_function *function_here(RawKernel *self)
{
    int device;
    tb_status st = tb_device_current(&device);
    if (st != TB_OK) return (void *)tbpy_raise(st);
    tb_function *f = __atomic_load_n(&self->functions[device], __ATOMIC_ACQUIRE);
    return f ? f : find_function(self, device, NULL);
}

static PyObject *raw_kernel_call(PyObject *o, PyObject *const *args, size_t nargsf, PyObject *kwnames)
{
    static const char *const names[] = {"grid", "block", "args", "shared_mem", "stream", NULL};
    RawKernel *self = (RawKernel *)o;
    PyObject *v[5] = {NULL};
    Py_ssize_t nargs = PyVectorcall_NARGS(nargsf);
    if (nargs == 3 && !kwnames) memcpy(v, args, 3 * sizeof *v);
    else if (tbpy_parse("RawKernel.__call__", names, 3, 3, args, nargs, kwnames, v) < 0) return NULL;
    tb_function *f = function_here(self);
    return f ? tbpy_launch(f, v[0], v[1], v[2], v[3], v[4], self->module->cooperative) : NULL;
}

/* ---- construction ------------------------------------------------------------------------------------------------ */

PyObject *tbpy_raw_kernel(TbRawModule *module, PyObject *name)
{
    RawKernel *self = (RawKernel *)raw_kernel_type->tp_alloc(raw_kernel_type, 0);
    if (!self) return NULL;
    self->call = raw_kernel_call;
    self->name = Py_NewRef(name);
    self->module = (TbRawModule *)Py_NewRef((PyObject *)module);
    return (PyObject *)self;
}

static PyObject *raw_kernel_new(PyTypeObject *Py_UNUSED(type), PyObject *args, PyObject *kwargs)
{
    static char *names[] = {"code",   "name", "options", "backend", "translate_cucomplex", "enable_cooperative_groups",
                            "jitify", NULL};
    PyObject *code, *name, *options = NULL, *backend = NULL, *self = NULL;
    int translate = 0, cooperative = 0, jitify = 0;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "UU|OOp$pp:RawKernel", names, &code, &name, &options, &backend,
                                     &translate, &cooperative, &jitify))
        return NULL;
    PyObject *none = PyTuple_New(0), *nvrtc = PyUnicode_FromString("nvrtc");
    TbRawModule *module = NULL;
    if (none && nvrtc)
        module = tbpy_raw_module(code, Py_None, options ? options : none, backend ? backend : nvrtc, Py_None, translate,
                                 cooperative, jitify);
    if (module) self = tbpy_raw_kernel(module, name);
    Py_XDECREF((PyObject *)module);
    Py_XDECREF(none);
    Py_XDECREF(nvrtc);
    return self;
}

static void raw_kernel_dealloc(PyObject *o)
{
    RawKernel *self = (RawKernel *)o;
    PyTypeObject *type = Py_TYPE(o);
    for (int i = 0; i < TBPY_DEVICES; i++) tb_function_release(self->functions[i]);
    Py_XDECREF(self->name);
    Py_XDECREF((PyObject *)self->module);
    type->tp_free(o);
    Py_DECREF(type);
}

/* ---- methods and attributes -------------------------------------------------------------------------------------- */

static PyObject *raw_kernel_compile(PyObject *o, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    static const char *const names[] = {"log_stream", NULL};
    RawKernel *self = (RawKernel *)o;
    PyObject *log;
    int device;
    if (tbpy_parse("compile", names, 0, 1, args, nargs, kwnames, &log) < 0) return NULL;
    TBPY_TRY(tb_device_current(&device));
    if (!self->functions[device] && !find_function(self, device, log)) return NULL;
    Py_RETURN_NONE;
}

static PyObject *raw_kernel_reduce(PyObject *o, PyObject *Py_UNUSED(ignored))
{
    static PyObject *rebuild;
    RawKernel *self = (RawKernel *)o;
    if (!tbpy_import(&rebuild, "tombac._core", "_rebuild_raw_kernel")) return NULL;
    return Py_BuildValue("O(OO)", rebuild, self->module, self->name);
}

static PyObject *rebuild_raw_kernel(PyObject *Py_UNUSED(m), PyObject *args)
{
    PyObject *module, *name;
    if (!PyArg_ParseTuple(args, "OU", &module, &name)) return NULL;
    return tbpy_raw_kernel((TbRawModule *)module, name);
}

static PyObject *get_kernel(PyObject *self, void *Py_UNUSED(closure))
{
    tb_function *f = function_here((RawKernel *)self);
    return f ? tbpy_function_object(tb_function_retain(f)) : NULL;
}

static PyObject *get_attributes(PyObject *self, void *Py_UNUSED(closure))
{
    tb_function *f = function_here((RawKernel *)self);
    return f ? tbpy_function_attributes(f) : NULL;
}

static int attribute_number(const char *name)
{
    int i = 0;
    while (strcmp(tbpy_function_attribute_names[i], name) != 0) i++;
    return i;
}

static PyObject *get_attribute(PyObject *self, void *name)
{
    tb_function *f = function_here((RawKernel *)self);
    int value;
    if (!f) return NULL;
    TBPY_TRY(tb_function_attribute(f, attribute_number(name), &value));
    return PyLong_FromLong(value);
}

static int set_attribute(PyObject *self, PyObject *value, void *name)
{
    int64_t v = 0;
    if (!value) {
        PyErr_Format(PyExc_AttributeError, "%s cannot be deleted", (const char *)name);
        return -1;
    }
    if (tbpy_int_arg(value, &v) < 0) return -1;
    if (v < INT32_MIN || v > INT32_MAX) {
        PyErr_Format(PyExc_ValueError, "%s is %lld", (const char *)name, (long long)v);
        return -1;
    }
    tb_function *f = function_here((RawKernel *)self);
    if (!f) return -1;
    TBPY_TRY_INT(tb_function_set_attribute(f, attribute_number(name), (int)v));
    return 0;
}

/* What the kernel has of its module; the closure is the name. */
static PyObject *get_of_module(PyObject *self, void *name)
{
    return PyObject_GetAttrString((PyObject *)((RawKernel *)self)->module, name);
}

static PyObject *raw_kernel_repr(PyObject *self)
{
    return PyUnicode_FromFormat("<RawKernel %U>", ((RawKernel *)self)->name);
}

/* ---- registration ------------------------------------------------------------------------------------------------ */

#define OF_MODULE(name, doc) {name, get_of_module, NULL, doc, name}
#define ATTRIBUTE(name, doc) {name, get_attribute, NULL, doc, name}
static PyGetSetDef getset[] = {
    OF_MODULE("code", "The source, or None if it is in a file."),
    OF_MODULE("file_path", "The file, or None."),
    OF_MODULE("options", "The compiler's options."),
    OF_MODULE("backend", "'nvrtc' or 'nvcc'."),
    OF_MODULE("enable_cooperative_groups", "Whether the grid can be synchronised."),
    {"kernel", get_kernel, NULL, "The kernel on the current device, a tombac.cuda.Function.", NULL},
    {"attributes", get_attributes, NULL, "A dict of the attributes below, on the current device.", NULL},
    ATTRIBUTE("max_threads_per_block", "Threads that a block may have."),
    ATTRIBUTE("shared_size_bytes", "Bytes of static shared memory of a block."),
    ATTRIBUTE("const_size_bytes", "Bytes of constant memory."),
    ATTRIBUTE("local_size_bytes", "Bytes of local memory of a thread."),
    ATTRIBUTE("num_regs", "Registers of a thread."),
    ATTRIBUTE("ptx_version", "PTX version that the kernel was compiled for, as 10 * major + minor."),
    ATTRIBUTE("binary_version", "Architecture that the kernel was compiled for, as 10 * major + minor."),
    ATTRIBUTE("cache_mode_ca", "Whether global loads are cached in L1 by option."),
    {"max_dynamic_shared_size_bytes", get_attribute, set_attribute,
     "Bytes of dynamic shared memory that a launch may ask for; set it to go past 48 KiB.",
     "max_dynamic_shared_size_bytes"},
    {"preferred_shared_memory_carveout", get_attribute, set_attribute,
     "Percentage of the L1 cache to use as shared memory; -1: the driver's choice.",
     "preferred_shared_memory_carveout"},
    {NULL, NULL, NULL, NULL, NULL}};

static PyMethodDef methods[] = {
    {"compile", (PyCFunction)(void (*)(void))raw_kernel_compile, METH_FASTCALL | METH_KEYWORDS,
     "compile($self, log_stream=None)\n--\n\nCompiles for the current device now, rather than at the first "
     "call.\n\nThe "
     "compiler's messages are written to log_stream; there are none if the code comes from a cache."},
    {"__reduce__", raw_kernel_reduce, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL}};

static PyMemberDef members[] = {{"name", T_OBJECT, offsetof(RawKernel, name), READONLY, "The kernel's name."},
                                {"__name__", T_OBJECT, offsetof(RawKernel, name), READONLY, "The kernel's name."},
                                {"__vectorcalloffset__", T_PYSSIZET, offsetof(RawKernel, call), READONLY, NULL},
                                {NULL, 0, 0, 0, NULL}};

static PyMethodDef functions[] = {{"_rebuild_raw_kernel", rebuild_raw_kernel, METH_VARARGS, NULL},
                                  {NULL, NULL, 0, NULL}};

static const char doc[] =
    "RawKernel(code, name, options=(), backend='nvrtc', translate_cucomplex=False, *, "
    "enable_cooperative_groups=False, jitify=False)\n--\n\n"
    "A kernel written in CUDA C++, for GPU and CPU; compiled at its first call on each device.\n\n"
    "Args:\n"
    "    code: The source, in which the kernel is extern \"C\" __global__.\n"
    "    name: The kernel's name.\n"
    "    Others: as those of RawModule.\n\n"
    "Called as kernel(grid, block, args, *, shared_mem=0, stream=None): grid and block are integers or tuples of up to "
    "three, args a tuple of arrays (their address is passed), Python and NumPy numbers, structured values, None and "
    "other objects with an address. Python numbers take the size of the parameter.\n\n"
    "Raises:\n"
    "    CompileException: The source does not compile; the message holds it with line numbers.\n"
    "    ValueError: A wrong number of arguments, or a grid or block that is none.\n"
    "    TypeError: An argument that cannot be passed, or whose size is not the parameter's.\n"
    "    CUDARuntimeError: The device refuses the launch.\n\n"
    ">>> k = tombac.RawKernel('extern \"C\" __global__ void twice(float* x) { x[threadIdx.x] *= 2; }', 'twice')\n"
    ">>> x = tombac.ones(4, 'f')\n"
    ">>> k((1,), (4,), (x,))";

int tbpy_add_raw_kernel(PyObject *m)
{
    PyType_Slot slots[] = {{Py_tp_new, raw_kernel_new},
                           {Py_tp_dealloc, raw_kernel_dealloc},
                           {Py_tp_repr, raw_kernel_repr},
                           {Py_tp_call, PyVectorcall_Call},
                           {Py_tp_methods, methods},
                           {Py_tp_getset, getset},
                           {Py_tp_members, members},
                           {Py_tp_doc, (void *)doc},
                           {0, NULL}};
    PyType_Spec spec = {"tombac.RawKernel", sizeof(RawKernel), 0, Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_VECTORCALL,
                        slots};
    raw_kernel_type = (PyTypeObject *)PyType_FromModuleAndSpec(m, &spec, NULL);
    if (!raw_kernel_type || PyModule_AddType(m, raw_kernel_type) < 0) return -1;
    return PyModule_AddFunctions(m, functions);
}
