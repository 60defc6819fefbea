/* memory_allocator.c - Allocator: where arrays get their memory, as a Python object; pools' figures; memory hooks.
 *
 * A Python function may be an allocator or a hook. The library calls it with its lock held, on a thread that may or may
 * not have the interpreter's lock. So that nobody waits for the one while holding the other, threads that have to wait
 * for the library's lock let go of the interpreter's (give_up). An exception is kept for its thread until the call that
 * failed because of it returns (tbpy_raise_kept). */
#include "memory.h"
#include "ndarray.h"

#include <structmember.h>

typedef struct Allocator {
    PyObject_HEAD
    tb_allocator *allocator; /* NULL: the default pool */
} Allocator;

static PyTypeObject *allocator_type;
static _Thread_local PyObject *kept; /* the exception that a callback raised */

/* ---- the interpreter's lock, exceptions -------------------------------------------------------------------------- */

static void *give_up(void) { return Py_IsInitialized() && PyGILState_Check() ? PyEval_SaveThread() : NULL; }

static void take_again(void *state) { PyEval_RestoreThread(state); }

tb_status tbpy_keep_exception(void)
{
    PyObject *type, *value, *trace;
    PyErr_Fetch(&type, &value, &trace);
    PyErr_NormalizeException(&type, &value, &trace);
    if (value && trace) PyException_SetTraceback(value, trace);
    Py_XDECREF(type);
    Py_XDECREF(trace);
    Py_XSETREF(kept, value);
    return TB_ERR_CALLER;
}

void tbpy_raise_kept(void)
{
    PyObject *value = kept;
    kept = NULL;
    if (!value) {
        PyErr_SetString(PyExc_SystemError, "tombac: a callback failed without an exception");
        return;
    }
    PyErr_SetObject((PyObject *)Py_TYPE(value), value);
    Py_DECREF(value);
}

/* ---- Python functions as allocators and hooks -------------------------------------------------------------------- */

/* The memory that a Python function returned, as a buffer that keeps what it returned alive. */
static int buffer_of(PyObject *pointer, tb_buffer **out)
{
    tb_buffer *b;
    int64_t offset;
    int device;
    void *p;
    if (tbpy_memory_parse(pointer, &b, &offset) < 0) return -1;
    TBPY_TRY_INT(tb_buffer_data(b, &p));
    TBPY_TRY_INT(tb_device_current(&device));
    size_t size = tb_buffer_size(b);
    size = offset > 0 && (size_t)offset > size ? 0 : size - (size_t)offset;
    TBPY_TRY_INT(tb_buffer_wrap(p ? (char *)p + offset : NULL, size, device, tbpy_drop_owner, pointer, out));
    Py_INCREF(pointer);
    return 0;
}

static tb_status call_allocator(void *function, size_t bytes, tb_buffer **out)
{
    PyGILState_STATE gil = PyGILState_Ensure();
    PyObject *pointer = PyObject_CallFunction(function, "n", (Py_ssize_t)bytes);
    tb_status st = pointer && buffer_of(pointer, out) == 0 ? TB_OK : tbpy_keep_exception();
    Py_XDECREF(pointer);
    PyGILState_Release(gil);
    return st;
}

/* Memory may be freed while an exception is on its way. */
static tb_status call_hook(void *function, const tb_memory_event *e)
{
    static const char *const names[] = {"alloc", "malloc", "free"};
    PyObject *type, *value, *trace;
    tb_status st = TB_OK;
    if (!Py_IsInitialized()) return TB_OK;
    PyGILState_STATE gil = PyGILState_Ensure();
    PyErr_Fetch(&type, &value, &trace);
    PyObject *r = PyObject_CallFunction(function, "sOinnKK", names[e->kind], e->after ? Py_True : Py_False, e->device,
                                        (Py_ssize_t)e->size, (Py_ssize_t)e->mem_size,
                                        (unsigned long long)(uintptr_t)e->ptr, (unsigned long long)e->id);
    if (!r && e->kind == TB_MEMORY_FREE) PyErr_WriteUnraisable(function);
    else if (!r) st = tbpy_keep_exception();
    Py_XDECREF(r);
    PyErr_Restore(type, value, trace);
    PyGILState_Release(gil);
    return st;
}

/* ---- Allocator --------------------------------------------------------------------------------------------------- */

static PyObject *wrap(tb_allocator *a)
{
    Allocator *self = (Allocator *)allocator_type->tp_alloc(allocator_type, 0);
    if (self) self->allocator = a;
    else tb_allocator_release(a);
    return (PyObject *)self;
}

static void dealloc(PyObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    tb_allocator_release(((Allocator *)self)->allocator);
    type->tp_free(self);
    Py_DECREF(type);
}

/* The tb_allocator (borrowed) of an Allocator; None: NULL, the default pool. */
static int allocator_arg(PyObject *o, tb_allocator **out)
{
    *out = NULL;
    if (o == Py_None) return 0;
    if (!Py_IS_TYPE(o, allocator_type)) {
        PyErr_Format(PyExc_TypeError, "an Allocator is expected, not %R", Py_TYPE(o));
        return -1;
    }
    *out = ((Allocator *)o)->allocator;
    return 0;
}

static PyObject *allocator_address(PyObject *self) { return PyLong_FromVoidPtr(((Allocator *)self)->allocator); }

static PyObject *new_pool(PyObject *Py_UNUSED(m), PyObject *source)
{
    tb_allocator *from, *a;
    if (allocator_arg(source, &from) < 0) return NULL;
    TBPY_TRY(tb_allocator_pool(from, &a));
    return wrap(a);
}

static PyObject *new_direct(PyObject *Py_UNUSED(m), PyObject *args)
{
    enum { MOST = 64 };
    const char *name;
    PyObject *handles = NULL;
    uintptr_t pools[MOST];
    static const char *const names[] = {"device", "managed", "system", "async"};
    tb_allocator *a;
    int kind = 0;
    if (!PyArg_ParseTuple(args, "s|O!:allocator_direct", &name, &PyList_Type, &handles)) return NULL;
    while (kind < 4 && strcmp(names[kind], name) != 0) kind++;
    if (kind == 4) return PyErr_Format(PyExc_ValueError, "allocator_direct: there is no kind \"%s\" of memory", name);
    Py_ssize_t n = handles ? PyList_GET_SIZE(handles) : 0;
    if (n > MOST) return PyErr_Format(PyExc_ValueError, "allocator_direct: there are no %zd devices with pools", n);
    for (Py_ssize_t i = 0; i < n; i++) {
        pools[i] = (uintptr_t)PyLong_AsUnsignedLongLong(PyList_GET_ITEM(handles, i));
        if (PyErr_Occurred()) return NULL;
    }
    TBPY_TRY(tb_allocator_direct((tb_memory_kind)kind, (int)n, pools, &a));
    return wrap(a);
}

static PyObject *new_function(PyObject *Py_UNUSED(m), PyObject *function)
{
    tb_allocator *a;
    if (!PyCallable_Check(function))
        return PyErr_Format(PyExc_TypeError, "an allocator must be callable, %R is not", Py_TYPE(function));
    TBPY_TRY(tb_allocator_from(call_allocator, function, tbpy_drop_owner, &a));
    Py_INCREF(function);
    return wrap(a);
}

static PyObject *set(PyObject *Py_UNUSED(m), PyObject *o)
{
    tb_allocator *a;
    if (allocator_arg(o, &a) < 0) return NULL;
    tb_allocator_set(a);
    Py_RETURN_NONE;
}

static PyObject *use(PyObject *Py_UNUSED(m), PyObject *args)
{
    int on;
    PyObject *o;
    tb_allocator *a;
    if (!PyArg_ParseTuple(args, "pO:allocator_use", &on, &o) || allocator_arg(o, &a) < 0) return NULL;
    tb_allocator_use(on, a);
    Py_RETURN_NONE;
}

static int size_arg(PyObject *o, size_t *out)
{
    Py_ssize_t bytes = PyNumber_AsSsize_t(o, PyExc_OverflowError);
    if (bytes == -1 && PyErr_Occurred()) return -1;
    if (bytes < 0) {
        PyErr_Format(PyExc_ValueError, "alloc: the size must not be negative, it is %zd", bytes);
        return -1;
    }
    *out = (size_t)bytes;
    return 0;
}

static PyObject *allocate(PyObject *Py_UNUSED(m), PyObject *size)
{
    size_t bytes;
    tb_buffer *b;
    if (size_arg(size, &bytes) < 0) return NULL;
    TBPY_TRY(tb_buffer_new(bytes, &b));
    return tbpy_memory_pointer(b, 0);
}

static PyObject *allocate_from(PyObject *Py_UNUSED(m), PyObject *args)
{
    PyObject *o, *size;
    tb_allocator *a;
    size_t bytes;
    tb_buffer *b;
    tb_status st;
    if (!PyArg_ParseTuple(args, "OO:alloc_from", &o, &size) || allocator_arg(o, &a) < 0 || size_arg(size, &bytes) < 0)
        return NULL;
    TBPY_UNLOCKED(st, tb_buffer_new_in(a, bytes, &b));
    TBPY_TRY(st);
    return tbpy_memory_pointer(b, 0);
}

/* ---- pools ------------------------------------------------------------------------------------------------------- */

/* What the classes of pools have in common: asking for a figure is one call. */
typedef struct Pool {
    PyObject_HEAD
    PyObject *allocator; /* an Allocator; None or NULL: the default pool */
} Pool;

static int figures(PyObject *self, tb_pool_stats *out)
{
    PyObject *pool = ((Pool *)self)->allocator;
    tb_allocator *a = NULL;
    int d;
    tb_status st;
    if (pool && allocator_arg(pool, &a) < 0) return -1;
    TBPY_TRY_INT(tb_device_current(&d));
    if (tb_work_pending() || tb_host_func_pending()) TBPY_UNLOCKED(st, tb_pool_statistics(a, d, out, sizeof *out));
    else st = tb_pool_statistics(a, d, out, sizeof *out);
    return st == TB_OK ? 0 : tbpy_fail(st);
}

#define FIGURE(name)                                                              \
    static PyObject *pool_##name(PyObject *self, PyObject *Py_UNUSED(ignored))    \
    {                                                                             \
        tb_pool_stats s;                                                          \
        return figures(self, &s) < 0 ? NULL : PyLong_FromSize_t(s.name);          \
    }
FIGURE(used_bytes)
FIGURE(free_bytes)
FIGURE(total_bytes)
FIGURE(n_free_blocks)
FIGURE(limit)

static int pool_traverse(PyObject *self, visitproc visit, void *arg)
{
    Py_VISIT(Py_TYPE(self));
    Py_VISIT(((Pool *)self)->allocator);
    return 0;
}

static int pool_clear(PyObject *self)
{
    Py_CLEAR(((Pool *)self)->allocator);
    return 0;
}

static void pool_dealloc(PyObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    PyObject_GC_UnTrack(self);
    pool_clear(self);
    type->tp_free(self);
    Py_DECREF(type);
}

static PyMethodDef pool_methods[] = {
    {"used_bytes", pool_used_bytes, METH_NOARGS,
     "used_bytes($self)\n--\n\nBytes in use by arrays and memory pointers."},
    {"free_bytes", pool_free_bytes, METH_NOARGS, "free_bytes($self)\n--\n\nBytes held and not in use."},
    {"total_bytes", pool_total_bytes, METH_NOARGS, "total_bytes($self)\n--\n\nBytes held."},
    {"n_free_blocks", pool_n_free_blocks, METH_NOARGS,
     "n_free_blocks($self)\n--\n\nNumber of blocks held and not in use."},
    {"get_limit", pool_limit, METH_NOARGS, "get_limit($self)\n--\n\nThe limit in bytes; 0 if there is none."},
    {NULL, NULL, 0, NULL}};

static PyMemberDef pool_members[] = {{"_allocator", T_OBJECT, offsetof(Pool, allocator), 0, NULL},
                                     {NULL, 0, 0, 0, NULL}};

static int add_pool(PyObject *m)
{
    PyType_Slot slots[] = {
        {Py_tp_dealloc, pool_dealloc},
        {Py_tp_traverse, pool_traverse},
        {Py_tp_clear, pool_clear},
        {Py_tp_methods, pool_methods},
        {Py_tp_members, pool_members},
        {Py_tp_doc, "Figures of the pool in `_allocator`, on the current device. Pending work is enqueued first."},
        {0, NULL}};
    PyType_Spec spec = {"tombac._core.Pool", sizeof(Pool), 0,
                        Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC, slots};
    PyObject *type = PyType_FromModuleAndSpec(m, &spec, NULL);
    if (!type) return -1;
    int r = PyModule_AddObjectRef(m, "Pool", type);
    Py_DECREF(type);
    return r;
}

static PyObject *pool_free_all(PyObject *Py_UNUSED(m), PyObject *args)
{
    PyObject *pool, *device, *stream;
    tb_allocator *a;
    int d;
    tb_stream *s = NULL;
    tb_status st;
    if (!PyArg_ParseTuple(args, "OOO:pool_free_all", &pool, &device, &stream) || allocator_arg(pool, &a) < 0 ||
        tbpy_device_arg(device, &d) < 0 || tbpy_stream_arg(stream, &s) < 0)
        return NULL;
    TBPY_UNLOCKED(st, tb_pool_free_all(a, d, s));
    TBPY_TRY(st);
    Py_RETURN_NONE;
}

static PyObject *pool_set_limit(PyObject *Py_UNUSED(m), PyObject *args)
{
    PyObject *pool, *device;
    tb_allocator *a;
    Py_ssize_t bytes;
    int d;
    if (!PyArg_ParseTuple(args, "OOn:pool_set_limit", &pool, &device, &bytes) || allocator_arg(pool, &a) < 0 ||
        tbpy_device_arg(device, &d) < 0)
        return NULL;
    if (bytes < 0) return PyErr_Format(PyExc_ValueError, "set_limit: the limit must not be negative, it is %zd", bytes);
    TBPY_TRY(tb_pool_set_limit(a, d, (size_t)bytes));
    Py_RETURN_NONE;
}

/* ---- hooks ------------------------------------------------------------------------------------------------------- */

/* The Python side keeps the function alive as long as it is set. */
static PyObject *hook_set(PyObject *Py_UNUSED(m), PyObject *function)
{
    if (function == Py_None) tb_memory_hook_set(NULL, NULL);
    else tb_memory_hook_set(call_hook, function);
    Py_RETURN_NONE;
}

static PyMethodDef methods[] = {
    {"allocator_pool", new_pool, METH_O,
     "allocator_pool(source, /)\n--\n\nA new pool, fed by an Allocator or (None) by the device."},
    {"allocator_direct", new_direct, METH_VARARGS,
     "allocator_direct(kind, driver_pools=[], /)\n--\n\nEvery request goes to the driver: 'device', "
     "'managed', 'system', or 'async' from the pool of each device; the current one where there is none."},
    {"allocator_function", new_function, METH_O,
     "allocator_function(function, /)\n--\n\nfunction(size) returns a MemoryPointer."},
    {"allocator_set", set, METH_O, "allocator_set(allocator, /)\n--\n\nFor all threads; None: the default pool."},
    {"allocator_use", use, METH_VARARGS,
     "allocator_use(on, allocator, /)\n--\n\nFor this thread; on=False: it has none of its own any more."},
    {"alloc", allocate, METH_O, "alloc(size, /)\n--\n\nA MemoryPointer to `size` bytes from the current allocator."},
    {"alloc_from", allocate_from, METH_VARARGS,
     "alloc_from(allocator, size, /)\n--\n\nA MemoryPointer to `size` bytes; None: from the default pool."},
    {"pool_free_all", pool_free_all, METH_VARARGS,
     "pool_free_all(pool, device, stream, /)\n--\n\nGives a pool's free memory back, of one stream or (None) of all."},
    {"pool_set_limit", pool_set_limit, METH_VARARGS,
     "pool_set_limit(pool, device, bytes, /)\n--\n\nLimits the memory a pool may hold; 0 is no limit."},
    {"memory_hook_set", hook_set, METH_O,
     "memory_hook_set(function, /)\n--\n\nfunction(what, after, device, size, mem_size, ptr, id) is told of what pools "
     "do for this thread; None: nobody is. It is not kept alive."},
    {NULL, NULL, 0, NULL}};

int tbpy_add_allocators(PyObject *m)
{
    PyType_Slot slots[] = {{Py_tp_dealloc, dealloc},
                           {Py_nb_index, allocator_address},
                           {Py_tp_doc, "Where arrays get their memory: a pool, the driver, or a function."},
                           {0, NULL}};
    PyType_Spec spec = {"tombac._core.Allocator", sizeof(Allocator), 0,
                        Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, slots};
    allocator_type = (PyTypeObject *)PyType_FromModuleAndSpec(m, &spec, NULL);
    if (!allocator_type || PyModule_AddObjectRef(m, "Allocator", (PyObject *)allocator_type) < 0) return -1;
    tb_lock_wait_functions(give_up, take_again);
    return add_pool(m) < 0 ? -1 : PyModule_AddFunctions(m, methods);
}
