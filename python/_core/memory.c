/* memory.c - device memory as Python objects: BaseMemory and the classes under it, and MemoryPointer.
 *
 * `a.data` makes a MemoryPointer on every access, so it is as small as it can be: a buffer and an offset. The object
 * behind `.mem` is made when asked for, unless the pointer was made from one, which it then keeps. */
#include "memory.h"
#include "ndarray.h"

typedef struct Memory {
    PyObject_HEAD
    tb_buffer *buffer;
    PyObject *stream; /* of a MemoryAsync; else NULL */
    bool given_back;  /* ahead of its end, by PooledMemory.free */
} Memory;

typedef struct Pointer {
    PyObject_HEAD
    tb_buffer *buffer;
    int64_t offset;
    PyObject *mem; /* what it was made from, or NULL */
} Pointer;

static PyTypeObject *memory_type, *unowned_type, *pooled_type, *pointer_type;

/* ---- what both have ---------------------------------------------------------------------------------------------- */

static PyObject *address(tb_buffer *b, int64_t offset)
{
    void *p;
    TBPY_TRY(tb_buffer_data(b, &p));
    return PyLong_FromVoidPtr(p ? (char *)p + offset : NULL);
}

static int device_of(tb_buffer *b, int *device)
{
    tb_array *probe;
    int64_t none = 0;
    TBPY_TRY_INT(tb_array_on_buffer(b, 0, TB_U8, 1, &none, NULL, &probe));
    *device = tb_array_device(probe);
    tb_array_release(probe);
    return 0;
}

static PyObject *device_number(tb_buffer *b)
{
    int device;
    return device_of(b, &device) < 0 ? NULL : PyLong_FromLong(device);
}

static PyObject *device_object(tb_buffer *b)
{
    int device;
    return device_of(b, &device) < 0 ? NULL : tbpy_device_object(device);
}

/* ---- Memory ------------------------------------------------------------------------------------------------------ */

static PyObject *memory_over(PyTypeObject *type, tb_buffer *b)
{
    Memory *self = (Memory *)type->tp_alloc(type, 0);
    if (self) self->buffer = b;
    else tb_buffer_release(b);
    return (PyObject *)self;
}

static int remember_stream(Memory *self, PyObject *stream)
{
    static PyObject *get_current;
    bool given = stream && stream != Py_None;
    if (!given && !tbpy_import(&get_current, "tombac._core", "get_current_stream")) return -1;
    self->stream = given ? Py_NewRef(stream) : PyObject_CallNoArgs(get_current);
    return self->stream ? 0 : -1;
}

/* A block straight from the driver. */
static PyObject *direct_new(PyTypeObject *type, PyObject *args, PyObject *kwargs, tb_memory_kind kind)
{
    static char *size_only[] = {"size", NULL}, *size_and_stream[] = {"size", "stream", NULL};
    Py_ssize_t size;
    PyObject *stream = NULL;
    tb_allocator *a;
    tb_buffer *b;
    tb_stream *s = NULL, *before = NULL;
    const bool async = kind == TB_MEMORY_ASYNC;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, async ? "n|O" : "n", async ? size_and_stream : size_only, &size,
                                     &stream))
        return NULL;
    if (size < 0) return PyErr_Format(PyExc_ValueError, "%s: size is %zd, which is negative", type->tp_name, size);
    if (tbpy_stream_arg(stream, &s) < 0) return NULL;
    TBPY_TRY(tb_allocator_direct(kind, 0, NULL, &a));
    tb_status st = s ? tb_stream_current(&before) : TB_OK;
    if (st == TB_OK && s) {
        tb_stream_retain(before);
        st = tb_stream_use(s);
    }
    if (st == TB_OK) st = tb_buffer_new_in(a, (size_t)size, &b);
    if (before) {
        tb_stream_use(before);
        tb_stream_release(before);
    }
    tb_allocator_release(a);
    TBPY_TRY(st);
    PyObject *self = memory_over(type, b);
    if (self && async && remember_stream((Memory *)self, stream) < 0) Py_CLEAR(self);
    return self;
}

#define DIRECT(name, kind)                                                              \
    static PyObject *name(PyTypeObject *type, PyObject *args, PyObject *kwargs)         \
    {                                                                                   \
        return direct_new(type, args, kwargs, kind);                                    \
    }
DIRECT(memory_new, TB_MEMORY_DEVICE)
DIRECT(managed_new, TB_MEMORY_MANAGED)
DIRECT(system_new, TB_MEMORY_SYSTEM)
DIRECT(async_new, TB_MEMORY_ASYNC)

static int check_reachable(const char *who, const void *ptr, size_t size)
{
    const bool host = strcmp(tb_backend_name(), "cpu") == 0;
    if (size == 0 || (ptr && (!host || tb_memory_is_mapped(ptr, size)))) return 0;
    PyErr_Format(PyExc_ValueError, "%s: there is no memory of %zu bytes at address %p", who, size, ptr);
    return -1;
}

static PyObject *unowned_new(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
    static char *names[] = {"ptr", "size", "owner", "device_id", NULL};
    PyObject *ptr_arg, *owner;
    Py_ssize_t size;
    int device = -1;
    tb_buffer *b;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "OnO|i:UnownedMemory", names, &ptr_arg, &size, &owner, &device))
        return NULL;
    void *ptr = PyLong_AsVoidPtr(ptr_arg);
    if (!ptr && PyErr_Occurred()) return NULL;
    if (size < 0) {
        PyErr_SetString(PyExc_ValueError, "UnownedMemory: size must not be negative");
        return NULL;
    }
    TBPY_TRY(tb_init());
    if (check_reachable("UnownedMemory", ptr, (size_t)size) < 0) return NULL;
    if (device < 0) TBPY_TRY(tb_device_current(&device));
    TBPY_TRY(tb_buffer_wrap(ptr, (size_t)size, device, tbpy_drop_owner, owner, &b));
    Py_INCREF(owner);
    return memory_over(type, b);
}

static void memory_dealloc(PyObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    tb_buffer_release(((Memory *)self)->buffer);
    Py_XDECREF(((Memory *)self)->stream);
    type->tp_free(self);
    Py_DECREF(type);
}

#define MEMORY ((Memory *)self)->buffer
static PyObject *memory_int(PyObject *self)
{
    return ((Memory *)self)->given_back ? PyLong_FromLong(0) : address(MEMORY, 0);
}
static PyObject *memory_ptr(PyObject *self, void *unused) { return (void)unused, memory_int(self); }
static PyObject *memory_size(PyObject *self, void *unused)
{
    return (void)unused, PyLong_FromSize_t(((Memory *)self)->given_back ? 0 : tb_buffer_size(MEMORY));
}
static PyObject *memory_device(PyObject *self, void *unused) { return (void)unused, device_object(MEMORY); }
static PyObject *memory_device_id(PyObject *self, void *unused) { return (void)unused, device_number(MEMORY); }

static PyGetSetDef memory_getset[] = {
    {"ptr", memory_ptr, NULL, "The address.", NULL},
    {"size", memory_size, NULL, "Bytes.", NULL},
    {"device", memory_device, NULL, "The device that holds the memory.", NULL},
    {"device_id", memory_device_id, NULL, "The number of that device.", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

/* A hint to the driver about managed memory, by its numbers. */
static PyObject *memory_advise(PyObject *self, PyObject *args)
{
    int advice, device;
    PyObject *number;
    if (!PyArg_ParseTuple(args, "iO:advise", &advice, &number) || tbpy_device_arg(number, &device) < 0) return NULL;
    void *p;
    TBPY_TRY(tb_buffer_data(MEMORY, &p));
    const int64_t in[] = {(int64_t)(intptr_t)p, (int64_t)tb_buffer_size(MEMORY), advice, device};
    TBPY_TRY(tb_runtime_call(TB_RT_memAdvise, in, NULL));
    Py_RETURN_NONE;
}

static PyObject *memory_prefetch(PyObject *self, PyObject *args, PyObject *kwargs)
{
    static char *names[] = {"stream", "device_id", NULL};
    PyObject *stream, *number = NULL;
    int device;
    tb_stream *s = NULL;
    void *p;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "O|O:prefetch", names, &stream, &number) ||
        tbpy_stream_arg(stream, &s) < 0)
        return NULL;
    if (number ? tbpy_device_arg(number, &device) < 0 : device_of(MEMORY, &device) < 0) return NULL;
    if (!s) TBPY_TRY(tb_stream_current(&s));
    TBPY_TRY(tb_buffer_data(MEMORY, &p));
    const int64_t in[] = {(int64_t)(intptr_t)p, (int64_t)tb_buffer_size(MEMORY), device, (int64_t)tb_stream_handle(s)};
    TBPY_TRY(tb_runtime_call(TB_RT_memPrefetchAsync, in, NULL));
    Py_RETURN_NONE;
}

static PyMethodDef managed_methods[] = {
    {"advise", memory_advise, METH_VARARGS,
     "advise($self, advice, device, /)\n--\n\nTells the driver how the memory will be used: a number of "
     "cudaMemoryAdvise."},
    {"prefetch", (PyCFunction)(void (*)(void))memory_prefetch, METH_VARARGS | METH_KEYWORDS,
     "prefetch($self, stream, device_id=None)\n--\n\nMoves the memory to the device, in the stream's order."},
    {NULL, NULL, 0, NULL},
};

/* ---- PooledMemory, MemoryAsync ----------------------------------------------------------------------------------- */

static PyObject *pooled_free(PyObject *self, PyObject *Py_UNUSED(ignored))
{
    tb_status st;
    TBPY_UNLOCKED(st, tb_buffer_free(MEMORY));
    TBPY_TRY(st);
    ((Memory *)self)->given_back = true;
    Py_RETURN_NONE;
}

static PyObject *pooled_identity(PyObject *self, void *Py_UNUSED(closure)) { return address(MEMORY, 0); }

static PyObject *pooled_pool(PyObject *self, void *Py_UNUSED(closure))
{
    static PyObject *find;
    if (!tbpy_package(&find, "pool_of")) return NULL;
    return PyObject_CallFunction(find, "K", (unsigned long long)(uintptr_t)tb_buffer_allocator(MEMORY));
}

static PyObject *async_stream(PyObject *self, void *Py_UNUSED(closure))
{
    return PyWeakref_NewRef(((Memory *)self)->stream, NULL);
}

static PyMethodDef pooled_methods[] = {
    {"free", pooled_free, METH_NOARGS,
     "free($self)\n--\n\nGives the memory back to the pool at once. Arrays and pointers to it must not be used any "
     "more."},
    {NULL, NULL, 0, NULL},
};

static PyGetSetDef pooled_getset[] = {
    {"identity", pooled_identity, NULL, "The number that memory hooks are told of the block, as pmem_id.", NULL},
    {"pool", pooled_pool, NULL, "A weak reference to the pool; a dead one if the memory came from elsewhere.", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyGetSetDef async_getset[] = {
    {"stream_ref", async_stream, NULL, "A weak reference to the stream that the memory was allocated on.", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

/* ---- MemoryPointer ----------------------------------------------------------------------------------------------- */

PyObject *tbpy_memory_pointer(tb_buffer *b, int64_t offset)
{
    Pointer *self = PyObject_New(Pointer, pointer_type);
    if (!self) {
        tb_buffer_release(b);
        return NULL;
    }
    self->buffer = b;
    self->offset = offset;
    self->mem = NULL;
    return (PyObject *)self;
}

int tbpy_memory_parse(PyObject *o, tb_buffer **b, int64_t *offset)
{
    if (Py_IS_TYPE(o, pointer_type)) {
        *b = ((Pointer *)o)->buffer;
        *offset = ((Pointer *)o)->offset;
        return 0;
    }
    if (PyObject_TypeCheck(o, memory_type)) {
        *b = ((Memory *)o)->buffer;
        *offset = 0;
        return 0;
    }
    PyErr_Format(PyExc_TypeError, "a tombac.cuda.MemoryPointer is expected, not %R", Py_TYPE(o));
    return -1;
}

static PyObject *pointer_new(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
    static char *names[] = {"mem", "offset", NULL};
    PyObject *mem;
    long long offset;
    (void)type;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "OL:MemoryPointer", names, &mem, &offset)) return NULL;
    if (!PyObject_TypeCheck(mem, memory_type)) {
        PyErr_Format(PyExc_TypeError, "MemoryPointer: mem must be a Memory, not %R", Py_TYPE(mem));
        return NULL;
    }
    tb_buffer *b = ((Memory *)mem)->buffer;
    tb_buffer_retain(b);
    PyObject *self = tbpy_memory_pointer(b, offset);
    if (self) ((Pointer *)self)->mem = Py_NewRef(mem);
    return self;
}

static void pointer_dealloc(PyObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    tb_buffer_release(((Pointer *)self)->buffer);
    Py_XDECREF(((Pointer *)self)->mem);
    PyObject_Free(self);
    Py_DECREF(type);
}

#define POINTER ((Pointer *)self)
static PyObject *pointer_ptr(PyObject *self, void *unused)
{
    return (void)unused, address(POINTER->buffer, POINTER->offset);
}
static PyObject *pointer_int(PyObject *self) { return address(POINTER->buffer, POINTER->offset); }
static PyObject *pointer_size(PyObject *self, void *unused)
{
    return (void)unused, PyLong_FromLongLong((long long)tb_buffer_size(POINTER->buffer) - POINTER->offset);
}
static PyObject *pointer_device(PyObject *self, void *unused) { return (void)unused, device_object(POINTER->buffer); }
static PyObject *pointer_device_id(PyObject *self, void *unused)
{
    return (void)unused, device_number(POINTER->buffer);
}

static PyObject *pointer_mem(PyObject *self, void *unused)
{
    (void)unused;
    if (POINTER->mem) return Py_NewRef(POINTER->mem);
    tb_buffer_retain(POINTER->buffer);
    return memory_over(tb_buffer_is_wrapped(POINTER->buffer) ? unowned_type : pooled_type, POINTER->buffer);
}

static PyGetSetDef pointer_getset[] = {
    {"ptr", pointer_ptr, NULL, "The address. What is pending on the memory is evaluated.", NULL},
    {"mem", pointer_mem, NULL, "The Memory that this points into.", NULL},
    {"size", pointer_size, NULL, "Bytes from here to the end of the memory.", NULL},
    {"device", pointer_device, NULL, "The device that holds the memory.", NULL},
    {"device_id", pointer_device_id, NULL, "The number of that device.", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyObject *moved(PyObject *self, PyObject *by, int sign)
{
    int64_t n = 0;
    if (tbpy_int_arg(by, &n) < 0) return NULL;
    tb_buffer_retain(POINTER->buffer);
    PyObject *there = tbpy_memory_pointer(POINTER->buffer, POINTER->offset + sign * n);
    if (there) ((Pointer *)there)->mem = Py_XNewRef(POINTER->mem);
    return there;
}

static PyObject *pointer_add(PyObject *l, PyObject *r)
{
    return Py_IS_TYPE(l, pointer_type) ? moved(l, r, 1) : moved(r, l, 1);
}

static PyObject *pointer_subtract(PyObject *l, PyObject *r)
{
    if (!Py_IS_TYPE(l, pointer_type)) Py_RETURN_NOTIMPLEMENTED;
    return moved(l, r, -1);
}

/* ---- copies ------------------------------------------------------------------------------------------------------ */

/* `size` bytes from o, a MemoryPointer, on. */
static int bytes_at(PyObject *o, int64_t size, tb_array **out)
{
    tb_buffer *b;
    int64_t offset;
    if (tbpy_memory_parse(o, &b, &offset) < 0) return -1;
    TBPY_TRY_INT(tb_array_on_buffer(b, offset, TB_U8, 1, &size, NULL, out));
    return 0;
}

/* An address on the host: an int, or an object such as ctypes.c_void_p with a `value`. */
static int host_address(PyObject *o, void **out)
{
    PyObject *number = PyLong_Check(o) ? Py_NewRef(o) : PyObject_GetAttrString(o, "value");
    if (!number) return -1;
    *out = number == Py_None ? NULL : PyLong_AsVoidPtr(number);
    Py_DECREF(number);
    return PyErr_Occurred() ? -1 : 0;
}

static bool is_pointer(PyObject *o) { return Py_IS_TYPE(o, pointer_type) || PyObject_TypeCheck(o, memory_type); }

/* Makes s the current stream, if it is not NULL; *before is for leave_stream. */
static tb_status enter_stream(tb_stream *s, tb_stream **before)
{
    *before = NULL;
    if (!s) return TB_OK;
    tb_status st = tb_stream_current(before);
    return st == TB_OK ? tb_stream_use(s) : st;
}

static tb_status leave_stream(tb_stream *before, tb_status st)
{
    tb_status restored = before ? tb_stream_use(before) : TB_OK;
    return st == TB_OK ? restored : st;
}

/* The transfer itself, on stream s (NULL: the current one). */
static int transfer(tb_array *mine, PyObject *other, bool to_host, tb_stream *s, bool blocking)
{
    tb_status st;
    if (is_pointer(other)) {
        tb_array *from;
        tb_stream *before;
        if (bytes_at(other, tb_array_size(mine), &from) < 0) return -1;
        st = enter_stream(s, &before);
        if (st == TB_OK) st = tb_assign(mine, from, TB_CAST_NO);
        st = leave_stream(before, st);
        tb_array_release(from);
    } else {
        void *host;
        if (host_address(other, &host) < 0) return -1;
        if (!tb_memory_is_mapped(host, (size_t)tb_array_size(mine))) {
            PyErr_Format(PyExc_ValueError, "MemoryPointer: there is no memory of %lld bytes at host address %p",
                         (long long)tb_array_size(mine), host);
            return -1;
        }
        if (to_host) TBPY_UNLOCKED(st, tb_array_get(mine, host, NULL, s, blocking));
        else TBPY_UNLOCKED(st, tb_array_set(mine, host, NULL, s, blocking));
    }
    return st == TB_OK ? 0 : tbpy_fail(st);
}

/* `first` names the first argument; only what does not block takes a stream. */
static PyObject *copy(PyObject *self, PyObject *args, PyObject *kwargs, const char *first, bool to_host, bool blocking)
{
    const char *names[] = {first, "size", blocking ? NULL : "stream", NULL};
    PyObject *other, *stream = NULL;
    long long size;
    tb_stream *s = NULL;
    tb_array *mine;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, blocking ? "OL" : "OL|O", (char **)names, &other, &size, &stream) ||
        tbpy_stream_arg(stream, &s) < 0)
        return NULL;
    if (size <= 0) Py_RETURN_NONE;
    if (bytes_at(self, size, &mine) < 0) return NULL;
    int r = transfer(mine, other, to_host, s, blocking);
    tb_array_release(mine);
    if (r < 0) return NULL;
    Py_RETURN_NONE;
}

#define COPY(name, first, to_host, blocking)                                    \
    static PyObject *name(PyObject *self, PyObject *args, PyObject *kwargs)     \
    {                                                                           \
        return copy(self, args, kwargs, first, to_host, blocking);              \
    }
COPY(copy_from, "mem", false, true)
COPY(copy_from_async, "mem", false, false)
COPY(copy_from_device, "src", false, true)
COPY(copy_from_device_async, "src", false, false)
COPY(copy_to_host, "mem", true, true)
COPY(copy_to_host_async, "mem", true, false)

static PyObject *fill(PyObject *self, PyObject *args, PyObject *kwargs, bool takes_stream)
{
    const char *names[] = {"value", "size", takes_stream ? "stream" : NULL, NULL};
    int value;
    long long size;
    PyObject *stream = NULL;
    tb_stream *s = NULL, *before;
    tb_array *mine;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, takes_stream ? "iL|O" : "iL", (char **)names, &value, &size,
                                     &stream) ||
        tbpy_stream_arg(stream, &s) < 0)
        return NULL;
    if (size <= 0) Py_RETURN_NONE;
    if (bytes_at(self, size, &mine) < 0) return NULL;
    tb_status st = enter_stream(s, &before);
    if (st == TB_OK) st = tb_assign_scalar(mine, tb_scalar_int(value & 255));
    st = leave_stream(before, st);
    tb_array_release(mine);
    TBPY_TRY(st);
    Py_RETURN_NONE;
}

static PyObject *pointer_memset(PyObject *self, PyObject *args, PyObject *kwargs)
{
    return fill(self, args, kwargs, false);
}

static PyObject *pointer_memset_async(PyObject *self, PyObject *args, PyObject *kwargs)
{
    return fill(self, args, kwargs, true);
}

#define METHOD(name, function, doc)                                                                                   \
    {name, (PyCFunction)(void (*)(void))function, METH_VARARGS | METH_KEYWORDS, name doc}
static PyMethodDef pointer_methods[] = {
    METHOD("copy_from", copy_from, "($self, mem, size)\n--\n\nCopies bytes from a MemoryPointer or a host address."),
    METHOD("copy_from_async", copy_from_async,
           "($self, mem, size, stream=None)\n--\n\nAs copy_from, in the stream's order and without waiting."),
    METHOD("copy_from_device", copy_from_device, "($self, src, size)\n--\n\nCopies bytes from a MemoryPointer."),
    METHOD("copy_from_device_async", copy_from_device_async,
           "($self, src, size, stream=None)\n--\n\nAs copy_from_device, in the stream's order."),
    METHOD("copy_from_host", copy_from, "($self, mem, size)\n--\n\nCopies bytes from a host address."),
    METHOD(
        "copy_from_host_async", copy_from_async,
        "($self, mem, size, stream=None)\n--\n\nAs copy_from_host, without waiting: pinned memory must stay as it is "
        "until"
        " the stream has got there."),
    METHOD("copy_to_host", copy_to_host, "($self, mem, size)\n--\n\nCopies bytes to a host address."),
    METHOD("copy_to_host_async", copy_to_host_async,
           "($self, mem, size, stream=None)\n--\n\nAs copy_to_host, without waiting: the bytes are there when the "
           "stream is"
           " done."),
    METHOD("memset", pointer_memset, "($self, value, size)\n--\n\nSets size bytes to value, 0 to 255."),
    METHOD("memset_async", pointer_memset_async,
           "($self, value, size, stream=None)\n--\n\nAs memset, in the stream's order."),
    {NULL, NULL, 0, NULL},
};

/* ---- registration ------------------------------------------------------------------------------------------------ */

static int add_type(PyObject *m, const char *name, PyTypeObject **slot, PyType_Spec *spec, PyTypeObject *base)
{
    *slot = (PyTypeObject *)PyType_FromModuleAndSpec(m, spec, (PyObject *)base);
    return *slot ? PyModule_AddObjectRef(m, name, (PyObject *)*slot) : -1;
}

/* A class under BaseMemory. */
static int add_kind(PyObject *m, const char *name, PyTypeObject **slot, newfunc make, PyMethodDef *more,
                    PyGetSetDef *members, const char *doc)
{
    char qualified[64];
    PyTypeObject *type;
    PyType_Slot slots[] = {
        {Py_tp_dealloc, memory_dealloc}, {Py_tp_doc, (void *)doc}, {0, NULL}, {0, NULL}, {0, NULL}, {0, NULL}};
    PyType_Slot *next = &slots[2];
    if (make) *next++ = (PyType_Slot){Py_tp_new, make};
    if (more) *next++ = (PyType_Slot){Py_tp_methods, more};
    if (members) *next++ = (PyType_Slot){Py_tp_getset, members};
    snprintf(qualified, sizeof qualified, "tombac.cuda.memory.%s", name);
    PyType_Spec spec = {qualified, sizeof(Memory), 0, Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE, slots};
    if (!make) spec.flags |= Py_TPFLAGS_DISALLOW_INSTANTIATION;
    return add_type(m, name, slot ? slot : &type, &spec, memory_type);
}

static int add_kinds(PyObject *m)
{
    if (add_kind(m, "Memory", NULL, memory_new, NULL, NULL,
                 "Memory(size)\n--\n\n`size` bytes of device memory, straight from the driver.\n\n"
                 "Raises:\n    OutOfMemoryError: The device has not that much left.") < 0 ||
        add_kind(m, "PooledMemory", &pooled_type, NULL, pooled_methods, pooled_getset,
                 "Memory that belongs to an array or came from a pool.") < 0 ||
        add_kind(m, "ManagedMemory", NULL, managed_new, managed_methods, NULL,
                 "ManagedMemory(size)\n--\n\n"
                 "`size` bytes that the host and the device both reach at one address.") < 0 ||
        add_kind(m, "SystemMemory", NULL, system_new, managed_methods, NULL,
                 "SystemMemory(size)\n--\n\nThe host's memory, for devices that can reach all of it.") < 0)
        return -1;
    if (add_kind(m, "MemoryAsync", NULL, async_new, NULL, async_getset,
                 "MemoryAsync(size, stream=None)\n--\n\n"
                 "`size` bytes from the driver's stream-ordered allocator, for work on the stream.") < 0)
        return -1;
    return add_kind(m, "UnownedMemory", &unowned_type, unowned_new, NULL, NULL,
                    "UnownedMemory(ptr, size, owner, device_id=-1)\n--\n\n"
                    "Memory that somebody else allocated; owner is kept alive as long as it is in use.\n\n"
                    "Args:\n    ptr: The address.\n    size: Bytes.\n    owner: Any object.\n"
                    "    device_id: The device that holds it; -1: found out from the address.\n\n"
                    ">>> a = tombac.arange(4.0)\n"
                    ">>> memory = tombac.cuda.UnownedMemory(a.data.ptr, a.nbytes, a)\n"
                    ">>> tombac.ndarray((2,), 'd', tombac.cuda.MemoryPointer(memory, 16))\narray([2., 3.])");
}

int tbpy_add_memory(PyObject *m)
{
    PyType_Slot memory_slots[] = {
        {Py_tp_dealloc, memory_dealloc},
        {Py_tp_getset, memory_getset},
        {Py_nb_int, memory_int},
        {Py_nb_index, memory_int},
        {Py_tp_doc, "A block of memory: what all kinds of it have in common. int(memory) is the address."},
        {0, NULL}};
    PyType_Slot pointer_slots[] = {
        {Py_tp_new, pointer_new},
        {Py_tp_dealloc, pointer_dealloc},
        {Py_tp_getset, pointer_getset},
        {Py_tp_methods, pointer_methods},
        {Py_nb_int, pointer_int},
        {Py_nb_index, pointer_int},
        {Py_nb_add, pointer_add},
        {Py_nb_subtract, pointer_subtract},
        {Py_tp_doc,
         "MemoryPointer(mem, offset)\n--\n\nA place in a block of memory, offset bytes from its start.\n\n"
         "Adding and subtracting integers moves it by bytes; int(pointer) is the address. It keeps the memory "
         "alive.\n\n"
         ">>> p = tombac.cuda.alloc(32) + 16\n>>> p.memset(0, 16)\n>>> tombac.ndarray((2,), 'd', p)\narray([0., 0.])"},
        {0, NULL}};
    PyType_Spec memory = {"tombac.cuda.memory.BaseMemory", sizeof(Memory), 0,
                          Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_DISALLOW_INSTANTIATION, memory_slots};
    PyType_Spec pointer = {"tombac.cuda.MemoryPointer", sizeof(Pointer), 0, Py_TPFLAGS_DEFAULT, pointer_slots};
    if (add_type(m, "BaseMemory", &memory_type, &memory, NULL) < 0 || add_kinds(m) < 0) return -1;
    if (add_type(m, "MemoryPointer", &pointer_type, &pointer, NULL) < 0) return -1;
    return tbpy_add_allocators(m) < 0 ? -1 : tbpy_add_pinned_memory(m);
}
