/* jit_launch.c - tombac._core.JitKernel: a kernel written in Python, compiled for each combination of argument types.
 *
 * The compiler is a Python function, called when a combination is first seen; a call that hits makes no Python objects.
 * What a compiled kernel takes of each argument (an address, an extent, a number) is its plan. */
#include "jit_table.h"
#include "kernel_object.h"
#include "user_kernel.h"

#include <structmember.h>

enum {
    MAX_PARAMETERS = 255,
    SHARED_UNASKED = 48 << 10, /* bytes of dynamic shared memory that every kernel may have; more must be asked for */
    MAX_DYNAMIC_SHARED = 8,    /* CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES */
};

typedef enum part { PART_DATA, PART_NUMBER, PART_SIZE, PART_SHAPE, PART_STRIDE } part;

/* One parameter of the compiled kernel. detail: the axis, or the dtype of a number; width: bytes of an extent. */
typedef struct step {
    uint8_t part, argument, detail, width;
} step;

typedef struct Variant {
    tbpy_jit_entry entry;
    tb_function *function;
    bool cooperative;
    int ndim;                /* dimensions of the grid that jit.grid() asked for; at least 1 */
    _Atomic uint32_t shared; /* bytes of dynamic shared memory that the function has been set up for */
    int nstep;
    step steps[];
} Variant;

typedef struct Kernel {
    PyObject_HEAD
    vectorcallfunc call;
    PyObject *compile; /* types -> (source, name, options, plan, cooperative, ndim) */
    PyObject *name;
    bool infer; /* called with the kernel's own arguments, rather than (grid, block, args) */
    tbpy_jit_table table;
} Kernel;

/* kernel[grid, block]: called with the kernel's arguments. */
typedef struct Configured {
    PyObject_HEAD
    vectorcallfunc call;
    Kernel *kernel;
    tb_launch_shape shape;
    PyObject *stream; /* NULL: the current one */
} Configured;

typedef union value {
    int64_t i;
    uint64_t u;
    int32_t i32;
    int16_t i16;
    int8_t i8;
    float f[2];
    double d[2];
    char bytes[16];
} value;

static PyTypeObject *kernel_type, *configured_type;

/* ---- compiling --------------------------------------------------------------------------------------------------- */

static void release_variant(tbpy_jit_entry *e)
{
    tb_function_release(((Variant *)e)->function);
    PyMem_RawFree(e);
}

static tb_status compile_source(const char *source, const char *name, int noption, const char *const *options,
                                tb_function **out)
{
    tb_module_source s = {sizeof(tb_module_source), .code = source, .noption = noption, .options = options,
                          .waits = true};
    tb_module *m;
    tb_status st = tb_module_compile(&s, NULL, &m);
    if (st != TB_OK) return st;
    st = tb_module_function(m, name, out);
    tb_module_release(m);
    return st;
}

static tb_function *function_of(PyObject *source, PyObject *name, PyObject *options)
{
    const char *text = tbpy_text(source), *symbol = tbpy_text(name), *list[TBPY_USER_OPTIONS];
    int n;
    if (!text || !symbol) return NULL;
    PyObject *words = tbpy_kernel_options(options, &n, list);
    if (!words) return NULL;
    tb_function *f = NULL;
    tb_status st;
    TBPY_UNLOCKED(st, compile_source(text, symbol, n, list, &f));
    Py_DECREF(words);
    if (st != TB_OK) tbpy_raise(st);
    return f;
}

static Variant *variant_of(PyObject *compiled)
{
    PyObject *source, *name, *options;
    const char *plan;
    Py_ssize_t size;
    int cooperative, ndim;
    if (!PyArg_ParseTuple(compiled, "UUO!y#pi:compile", &source, &name, &PyTuple_Type, &options, &plan, &size,
                          &cooperative, &ndim))
        return NULL;
    if (size / (Py_ssize_t)sizeof(step) > MAX_PARAMETERS)
        return PyErr_Format(PyExc_TypeError,
                            "%U: the kernel needs %zd parameters, at most %d are possible; use fewer "
                            "arrays",
                            name, size / (Py_ssize_t)sizeof(step), MAX_PARAMETERS),
               NULL;
    tb_function *f = function_of(source, name, options);
    if (!f) return NULL;
    Variant *v = PyMem_RawCalloc(1, sizeof *v + (size_t)size);
    if (!v) {
        tb_function_release(f);
        PyErr_NoMemory();
        return NULL;
    }
    v->function = f;
    v->cooperative = cooperative;
    v->ndim = ndim < 1 ? 1 : ndim;
    v->shared = SHARED_UNASKED;
    v->nstep = (int)(size / (Py_ssize_t)sizeof(step));
    memcpy(v->steps, plan, (size_t)size);
    return v;
}

static Variant *compile(Kernel *self, uint64_t hash, int n, const tbpy_jit_arg *args, int device)
{
    PyObject *types = tbpy_jit_types(n, args);
    PyObject *compiled = types ? PyObject_CallOneArg(self->compile, types) : NULL;
    Py_XDECREF(types);
    if (compiled && !PyTuple_Check(compiled)) {
        PyErr_SetString(PyExc_TypeError, "JitKernel: compile must return a tuple");
        Py_CLEAR(compiled);
    }
    Variant *v = compiled ? variant_of(compiled) : NULL;
    Py_XDECREF(compiled);
    if (v && tbpy_jit_publish(&self->table, &v->entry, hash, n, args, device) < 0) {
        release_variant(&v->entry);
        v = NULL;
    }
    return v;
}

/* Reads the arguments and finds or makes what was compiled for them. */
static Variant *specialise(Kernel *self, PyObject *const *objs, Py_ssize_t n, tbpy_jit_arg *args)
{
    int device;
    if (tbpy_jit_read(self->name, objs, n, true, args) < 0) return NULL;
    tb_status st = tb_device_current(&device);
    if (st != TB_OK) return tbpy_raise(st), NULL;
    for (Py_ssize_t i = 0; i < n; i++) {
        if (!args[i].array || tb_array_device(args[i].array) == device) continue;
        PyErr_Format(PyExc_ValueError, "%S: argument %zd is on device %d, and the current device is %d", self->name, i,
                     tb_array_device(args[i].array), device);
        return NULL;
    }
    uint64_t hash = tbpy_jit_hash((int)n, args, device);
    tbpy_jit_entry *e = tbpy_jit_find(&self->table, hash, (int)n, args, device);
    return e ? (Variant *)e : compile(self, hash, (int)n, args, device);
}

/* ---- launching --------------------------------------------------------------------------------------------------- */

/* The number s as dtype t, which has room for it: its own, or a Python number's. */
static size_t number_bytes(const tb_scalar *s, tb_dtype t, value *out)
{
    double re = s->dtype == TB_C64 || s->dtype == TB_C128 ? s->v.c.re : s->v.f;
    switch (t) {
    case TB_F16: PyFloat_Pack2(re, out->bytes, 1); break;
    case TB_F32: out->f[0] = (float)re; break;
    case TB_F64: out->d[0] = re; break;
    case TB_C64:
        out->f[0] = (float)s->v.c.re;
        out->f[1] = (float)s->v.c.im;
        break;
    case TB_C128:
        out->d[0] = s->v.c.re;
        out->d[1] = s->v.c.im;
        break;
    case TB_BOOL:
    case TB_I8:
    case TB_U8: out->i8 = (int8_t)s->v.i; break;
    case TB_I16:
    case TB_U16: out->i16 = (int16_t)s->v.i; break;
    case TB_I32:
    case TB_U32: out->i32 = (int32_t)s->v.i; break;
    default: out->i = s->v.i; break;
    }
    return tb_dtype_size(t);
}

static void fill(const step *p, const tbpy_jit_arg *a, tb_kernel_arg *arg, value *room)
{
    *arg = (tb_kernel_arg){.bytes = room, .size = p->width};
    int64_t v;
    switch ((part)p->part) {
    case PART_DATA: arg->array = a->array; return;
    case PART_NUMBER: arg->size = number_bytes(&a->scalar, (tb_dtype)p->detail, room); return;
    case PART_SIZE: v = tb_array_size(a->array); break;
    case PART_SHAPE: v = tb_array_shape(a->array)[p->detail]; break;
    default: v = tb_array_strides(a->array)[p->detail]; break;
    }
    if (p->width == 4) room->i32 = (int32_t)v;
    else room->i = v;
}

static tb_status ask_for_shared(Variant *v, uint32_t bytes)
{
    tb_status st = tb_function_set_attribute(v->function, MAX_DYNAMIC_SHARED, (int)bytes);
    if (st == TB_OK) v->shared = bytes;
    return st;
}

static PyObject *launch(Variant *v, const tbpy_jit_arg *args, tb_launch_shape *shape, PyObject *stream)
{
    tb_kernel_arg kernel_args[MAX_PARAMETERS];
    value room[MAX_PARAMETERS];
    tb_stream *s = NULL;
    if (tbpy_stream_arg(stream, &s) < 0) return NULL;
    for (int i = 0; i < v->nstep; i++) fill(&v->steps[i], &args[v->steps[i].argument], &kernel_args[i], &room[i]);
    shape->cooperative = v->cooperative;
    if (shape->shared > v->shared) TBPY_TRY(ask_for_shared(v, shape->shared));
    TBPY_TRY(tbpy_enqueue(v->function, shape, s, v->nstep, kernel_args));
    Py_RETURN_NONE;
}

static PyObject *specialise_and_launch(Kernel *self, PyObject *const *objs, Py_ssize_t n, tb_launch_shape *shape,
                                       PyObject *stream)
{
    tbpy_jit_arg args[JIT_MAXARG];
    Variant *v = specialise(self, objs, n, args);
    return v ? launch(v, args, shape, stream) : NULL;
}

/* ---- the inferred launch ----------------------------------------------------------------------------------------- */

static int shared_bytes(Kernel *self, int64_t bytes, tb_launch_shape *shape)
{
    if (bytes < 0 || bytes > UINT32_MAX) {
        PyErr_Format(PyExc_ValueError, "%S: shared_mem is %lld bytes", self->name, (long long)bytes);
        return -1;
    }
    shape->shared = (uint32_t)bytes;
    return 0;
}

static const tb_array *largest(Py_ssize_t n, const tbpy_jit_arg *args)
{
    const tb_array *found = NULL;
    for (Py_ssize_t i = 0; i < n; i++)
        if (args[i].array && (!found || tb_array_size(args[i].array) > tb_array_size(found))) found = args[i].array;
    return found;
}

/* The threads wanted along each axis: those of `size`, or of the largest array. */
static int wanted(Kernel *self, PyObject *size, Py_ssize_t n, const tbpy_jit_arg *args, int ndim, int64_t *out)
{
    int64_t given[TB_MAXDIM];
    const int64_t *shape = given;
    int have = 0;
    if (size && size != Py_None) {
        if (tbpy_shape(size, &have, given) < 0) return -1;
    } else {
        const tb_array *a = largest(n, args);
        if (!a) {
            PyErr_Format(PyExc_TypeError,
                         "%S: no array among the arguments to infer the launch from; use "
                         "kernel[grid, block](...) or size=",
                         self->name);
            return -1;
        }
        have = tb_array_ndim(a);
        shape = tb_array_shape(a);
        if (ndim == 1) {
            out[0] = tb_array_size(a);
            return 0;
        }
    }
    if (have != ndim) {
        PyErr_Format(PyExc_ValueError,
                     "%S: the kernel uses jit.grid(%d), and the %s has %d dimensions; use "
                     "kernel[grid, block](...) or size=",
                     self->name, ndim, size && size != Py_None ? "given size" : "largest array", have);
        return -1;
    }
    for (int i = 0; i < ndim; i++) out[i] = shape[i];
    return 0;
}

/* 0: a shape; 1: there is nothing to do; -1: an exception. */
static int infer(Kernel *self, int ndim, const int64_t *threads, PyObject *block, tb_launch_shape *shape)
{
    static const uint32_t usual[3][3] = {{256, 1, 1}, {16, 16, 1}, {8, 8, 4}};
    memcpy(shape->block, usual[ndim - 1], sizeof shape->block);
    const char *name = tbpy_text(self->name);
    if (!name || (block && block != Py_None && tbpy_extents(name, "block", block, shape->block) < 0)) return -1;
    for (int i = 0; i < 3; i++) {
        int64_t n = i < ndim ? threads[i] : 1, b = shape->block[i] ? shape->block[i] : 1;
        if (n <= 0) return 1;
        int64_t blocks = (n + b - 1) / b, most = i == 0 ? INT32_MAX : 65535;
        if (blocks > most) {
            PyErr_Format(PyExc_ValueError,
                         "%S: %lld threads along axis %d need %lld blocks, and a grid has at most "
                         "%lld there; use kernel[grid, block](...) and a loop",
                         self->name, (long long)n, i, (long long)blocks, (long long)most);
            return -1;
        }
        shape->grid[i] = (uint32_t)blocks;
    }
    return 0;
}

static PyObject *call_inferred(PyObject *o, PyObject *const *objs, Py_ssize_t n, PyObject *kwnames)
{
    static const char *const names[] = {"size", "block", "shared_mem", "stream", NULL};
    Kernel *self = (Kernel *)o;
    PyObject *kw[4] = {NULL};
    tbpy_jit_arg args[JIT_MAXARG];
    tb_launch_shape shape = {.struct_size = sizeof shape};
    int64_t threads[3], shared = 0;
    if (kwnames && tbpy_parse("jit.kernel", names, 0, 0, objs + n, 0, kwnames, kw) < 0) return NULL;
    if (tbpy_int_arg(kw[2], &shared) < 0 || shared_bytes(self, shared, &shape) < 0) return NULL;
    Variant *v = specialise(self, objs, n, args);
    if (!v || wanted(self, kw[0], n, args, v->ndim, threads) < 0) return NULL;
    int r = infer(self, v->ndim, threads, kw[1], &shape);
    if (r) return r < 0 ? NULL : Py_NewRef(Py_None);
    return launch(v, args, &shape, kw[3]);
}

/* ---- Kernel ------------------------------------------------------------------------------------------------------ */

static int shape_of(Kernel *self, PyObject *grid, PyObject *block, PyObject *shared, tb_launch_shape *shape)
{
    const char *name = tbpy_text(self->name);
    int64_t bytes = 0;
    if (!name || tbpy_extents(name, "grid", grid, shape->grid) < 0 ||
        tbpy_extents(name, "block", block, shape->block) < 0 || tbpy_int_arg(shared, &bytes) < 0)
        return -1;
    return shared_bytes(self, bytes, shape);
}

static PyObject *kernel_call(PyObject *o, PyObject *const *args, size_t nargsf, PyObject *kwnames)
{
    static const char *const names[] = {"grid", "block", "args", "shared_mem", "stream", NULL};
    Kernel *self = (Kernel *)o;
    Py_ssize_t nargs = PyVectorcall_NARGS(nargsf);
    PyObject *v[5];
    tb_launch_shape shape = {.struct_size = sizeof shape};
    if (self->infer) return call_inferred(o, args, nargs, kwnames);
    if (tbpy_parse("jit.rawkernel", names, 3, 5, args, nargs, kwnames, v) < 0 ||
        shape_of(self, v[0], v[1], v[3], &shape) < 0)
        return NULL;
    if (!PyTuple_Check(v[2]) && !PyList_Check(v[2]))
        return PyErr_Format(PyExc_TypeError, "%S: args must be a tuple of the kernel's arguments, not %R", self->name,
                            Py_TYPE(v[2]));
    PyObject *items = tbpy_items(v[2], "args must be a tuple or a list");
    if (!items) return NULL;
    PyObject *r = specialise_and_launch(self, ((PyTupleObject *)items)->ob_item, PyTuple_GET_SIZE(items), &shape, v[4]);
    Py_DECREF(items);
    return r;
}

static PyObject *configured_call(PyObject *o, PyObject *const *args, size_t nargsf, PyObject *kwnames)
{
    Configured *self = (Configured *)o;
    tb_launch_shape shape = self->shape;
    if (kwnames && PyTuple_GET_SIZE(kwnames))
        return PyErr_Format(PyExc_TypeError, "%S takes no keyword arguments", self->kernel->name);
    return specialise_and_launch(self->kernel, args, PyVectorcall_NARGS(nargsf), &shape, self->stream);
}

static PyObject *kernel_subscript(PyObject *o, PyObject *key)
{
    if (!PyTuple_Check(key) || PyTuple_GET_SIZE(key) < 2 || PyTuple_GET_SIZE(key) > 4)
        return PyErr_Format(PyExc_TypeError,
                            "%S: write kernel[grid, block], kernel[grid, block, stream] or "
                            "kernel[grid, block, stream, shared_mem], not kernel[%R]",
                            ((Kernel *)o)->name, key);
    Py_ssize_t n = PyTuple_GET_SIZE(key);
    PyObject *stream = n > 2 ? PyTuple_GET_ITEM(key, 2) : NULL;
    tb_launch_shape shape = {.struct_size = sizeof shape};
    if (shape_of((Kernel *)o, PyTuple_GET_ITEM(key, 0), PyTuple_GET_ITEM(key, 1),
                 n > 3 ? PyTuple_GET_ITEM(key, 3) : NULL, &shape) < 0)
        return NULL;
    Configured *c = (Configured *)configured_type->tp_alloc(configured_type, 0);
    if (!c) return NULL;
    c->call = configured_call;
    c->kernel = (Kernel *)Py_NewRef(o);
    c->shape = shape;
    c->stream = Py_XNewRef(stream);
    return (PyObject *)c;
}

static PyObject *kernel_new(PyTypeObject *type, PyObject *args, PyObject *kwds)
{
    static char *names[] = {"compile", "name", "infer", NULL};
    PyObject *compiler, *name;
    int inferred = 0;
    if (!PyArg_ParseTupleAndKeywords(args, kwds, "OU|p:JitKernel", names, &compiler, &name, &inferred)) return NULL;
    Kernel *self = (Kernel *)type->tp_alloc(type, 0);
    if (!self) return NULL;
    self->call = kernel_call;
    self->compile = Py_NewRef(compiler);
    self->name = Py_NewRef(name);
    self->infer = inferred;
    return (PyObject *)self;
}

static int kernel_traverse(PyObject *o, visitproc visit, void *arg)
{
    Py_VISIT(Py_TYPE(o));
    Py_VISIT(((Kernel *)o)->compile);
    return 0;
}

static int kernel_clear(PyObject *o)
{
    Py_CLEAR(((Kernel *)o)->compile);
    return 0;
}

static void kernel_dealloc(PyObject *o)
{
    PyTypeObject *type = Py_TYPE(o);
    PyObject_GC_UnTrack(o);
    tbpy_jit_clear(&((Kernel *)o)->table, release_variant);
    Py_XDECREF(((Kernel *)o)->compile);
    Py_XDECREF(((Kernel *)o)->name);
    type->tp_free(o);
    Py_DECREF(type);
}

static void configured_dealloc(PyObject *o)
{
    PyTypeObject *type = Py_TYPE(o);
    Py_XDECREF((PyObject *)((Configured *)o)->kernel);
    Py_XDECREF(((Configured *)o)->stream);
    type->tp_free(o);
    Py_DECREF(type);
}

/* jit_types(args): what a call with these arguments would be compiled for. */
static PyObject *jit_types(PyObject *Py_UNUSED(m), PyObject *objs)
{
    tbpy_jit_arg args[JIT_MAXARG];
    if (!PyTuple_Check(objs))
        return PyErr_Format(PyExc_TypeError, "jit_types: a tuple is expected, not %R", Py_TYPE(objs));
    PyObject *who = PyUnicode_FromString("jit_types");
    int r = who ? tbpy_jit_read(who, ((PyTupleObject *)objs)->ob_item, PyTuple_GET_SIZE(objs), true, args) : -1;
    Py_XDECREF(who);
    if (r < 0) return NULL;
    return tbpy_jit_types((int)PyTuple_GET_SIZE(objs), args);
}

/* ---- registration ------------------------------------------------------------------------------------------------ */

static PyMemberDef kernel_members[] = {{"__vectorcalloffset__", T_PYSSIZET, offsetof(Kernel, call), READONLY, NULL},
                                       {"name", T_OBJECT, offsetof(Kernel, name), READONLY, "The function's name."},
                                       {NULL, 0, 0, 0, NULL}};
static PyMemberDef configured_members[] = {
    {"__vectorcalloffset__", T_PYSSIZET, offsetof(Configured, call), READONLY, NULL}, {NULL, 0, 0, 0, NULL}};

static PyMethodDef functions[] = {
    {"jit_types", jit_types, METH_O,
     "jit_types(args)\n--\n\nThe types that a JitKernel would be compiled for, given these arguments."},
    {NULL, NULL, 0, NULL}};

static const char kernel_doc[] =
    "JitKernel(compile, name, infer=False)\n--\n\nA kernel that `compile` makes for each combination of argument "
    "types: see tombacx.jit.";

int tbpy_add_jit(PyObject *m)
{
    PyType_Slot kernel_slots[] = {{Py_tp_new, kernel_new},
                                  {Py_tp_dealloc, kernel_dealloc},
                                  {Py_tp_traverse, kernel_traverse},
                                  {Py_tp_clear, kernel_clear},
                                  {Py_tp_members, kernel_members},
                                  {Py_tp_call, PyVectorcall_Call},
                                  {Py_mp_subscript, kernel_subscript},
                                  {Py_tp_doc, (void *)kernel_doc},
                                  {0, NULL}};
    PyType_Slot configured_slots[] = {{Py_tp_dealloc, configured_dealloc},
                                      {Py_tp_members, configured_members},
                                      {Py_tp_call, PyVectorcall_Call},
                                      {Py_tp_doc, "A kernel with its grid and block: call it with the arguments."},
                                      {0, NULL}};
    PyType_Spec kernel = {"tombac._core.JitKernel", sizeof(Kernel), 0,
                          Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_HAVE_VECTORCALL,
                          kernel_slots};
    PyType_Spec configured = {"tombac._core.ConfiguredJitKernel", sizeof(Configured), 0,
                              Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_VECTORCALL | Py_TPFLAGS_DISALLOW_INSTANTIATION,
                              configured_slots};
    kernel_type = (PyTypeObject *)PyType_FromModuleAndSpec(m, &kernel, NULL);
    configured_type = (PyTypeObject *)PyType_FromModuleAndSpec(m, &configured, NULL);
    if (!kernel_type || !configured_type || PyModule_AddType(m, kernel_type) < 0) return -1;
    return PyModule_AddFunctions(m, functions);
}
