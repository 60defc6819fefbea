/* memory_pinned.c - PinnedMemory and PinnedMemoryPointer: host memory that stays where it is, so that the device reads
 * and writes it directly. Transfers from and to it run while the host goes on. */
#include "memory.h"

#include <structmember.h>

/* Subclasses that bring their memory along say where it is; what is given back is what was taken here. */
typedef struct Pinned {
    PyObject_HEAD
    char *ptr, *own;
    Py_ssize_t size;
    PyObject *weakreflist;
} Pinned;

typedef struct PinnedPointer {
    PyObject_HEAD
    PyObject *mem;   /* what is kept alive: it has `ptr` and `size` */
    char *ptr;       /* from here */
    Py_ssize_t size; /* to the end of mem */
} PinnedPointer;

static PyTypeObject *pinned_type, *pinned_pointer_type;

#define PINNED ((Pinned *)self)

/* ---- PinnedMemory ------------------------------------------------------------------------------------------------ */

/* Nobody is there to hear of an error, which would be that of earlier work. */
static void give_back(int64_t ptr)
{
    if (!ptr) return;
    tb_memory_claim((void *)(intptr_t)ptr, false);
    tb_runtime_call(TB_RT_freeHost, &ptr, NULL);
}

static int pinned_init(PyObject *self, PyObject *args, PyObject *kwargs)
{
    static char *names[] = {"size", "flags", NULL};
    Py_ssize_t size;
    int flags = 0;
    int64_t ptr = 0;
    tb_status st = TB_OK;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "n|i:PinnedMemory", names, &size, &flags)) return -1;
    if (size < 0) {
        PyErr_Format(PyExc_ValueError, "PinnedMemory: size must be 0 or more, it is %zd", size);
        return -1;
    }
    const int64_t in[] = {size, flags};
    if (size > 0) TBPY_UNLOCKED(st, tb_runtime_call(TB_RT_hostAlloc, in, &ptr));
    if (st == TB_OK && ptr) {
        st = tb_memory_claim((void *)(intptr_t)ptr, true);
        if (st != TB_OK) tb_runtime_call(TB_RT_freeHost, &ptr, NULL);
    }
    TBPY_TRY_INT(st);
    give_back((int64_t)(intptr_t)PINNED->own);
    PINNED->own = PINNED->ptr = (char *)(intptr_t)ptr;
    PINNED->size = size;
    return 0;
}

static void pinned_dealloc(PyObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    if (PINNED->weakreflist) PyObject_ClearWeakRefs(self);
    give_back((int64_t)(intptr_t)PINNED->own);
    type->tp_free(self);
    Py_DECREF(type);
}

static PyObject *pinned_ptr(PyObject *self, void *unused) { return (void)unused, PyLong_FromVoidPtr(PINNED->ptr); }

static int set_pinned_ptr(PyObject *self, PyObject *value, void *Py_UNUSED(closure))
{
    if (!value || !PyLong_Check(value)) {
        PyErr_SetString(PyExc_TypeError, "PinnedMemory.ptr must be an integer");
        return -1;
    }
    char *ptr = PyLong_AsVoidPtr(value);
    if (!ptr && PyErr_Occurred()) return -1;
    PINNED->ptr = ptr;
    return 0;
}

static PyObject *pinned_int(PyObject *self) { return pinned_ptr(self, NULL); }

static PyGetSetDef pinned_getset[] = {{"ptr", pinned_ptr, set_pinned_ptr, "The address.", NULL},
                                      {NULL, NULL, NULL, NULL, NULL}};
static PyMemberDef pinned_members[] = {
    {"size", T_PYSSIZET, offsetof(Pinned, size), 0, "Bytes."},
    {"__weaklistoffset__", T_PYSSIZET, offsetof(Pinned, weakreflist), READONLY, NULL},
    {NULL, 0, 0, 0, NULL}};

/* ---- PinnedMemoryPointer ----------------------------------------------------------------------------------------- */

static PyObject *pointer_at(PyObject *mem, char *ptr, Py_ssize_t size)
{
    PinnedPointer *self = (PinnedPointer *)pinned_pointer_type->tp_alloc(pinned_pointer_type, 0);
    if (!self) return NULL;
    self->mem = Py_NewRef(mem);
    self->ptr = ptr;
    self->size = size;
    return (PyObject *)self;
}

/* `ptr` and `size` of what a pointer is made from. */
static int extent_of(PyObject *mem, char **ptr, Py_ssize_t *size)
{
    PyObject *ptr_number = PyObject_GetAttrString(mem, "ptr");
    PyObject *size_number = ptr_number ? PyObject_GetAttrString(mem, "size") : NULL;
    *ptr = size_number ? PyLong_AsVoidPtr(ptr_number) : NULL;
    *size = size_number ? PyNumber_AsSsize_t(size_number, PyExc_OverflowError) : 0;
    Py_XDECREF(ptr_number);
    Py_XDECREF(size_number);
    return PyErr_Occurred() ? -1 : 0;
}

static PyObject *pointer_new(PyTypeObject *Py_UNUSED(type), PyObject *args, PyObject *kwargs)
{
    static char *names[] = {"mem", "offset", NULL};
    PyObject *mem;
    Py_ssize_t offset, size;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "On:PinnedMemoryPointer", names, &mem, &offset)) return NULL;
    char *ptr;
    if (extent_of(mem, &ptr, &size) < 0) return NULL;
    if (offset < 0 || offset > size)
        return PyErr_Format(PyExc_ValueError, "PinnedMemoryPointer: offset must be within %zd bytes, it is %zd", size,
                            offset);
    return pointer_at(mem, ptr + offset, size - offset);
}

#define POINTER ((PinnedPointer *)self)
static void pointer_dealloc(PyObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    Py_XDECREF(POINTER->mem);
    type->tp_free(self);
    Py_DECREF(type);
}

static PyObject *pointer_ptr(PyObject *self, void *unused) { return (void)unused, PyLong_FromVoidPtr(POINTER->ptr); }

static PyObject *pointer_int(PyObject *self) { return PyLong_FromVoidPtr(POINTER->ptr); }
static PyObject *pointer_mem(PyObject *self, void *unused) { return (void)unused, Py_NewRef(POINTER->mem); }

static PyObject *pointer_size(PyObject *self, PyObject *Py_UNUSED(ignored))
{
    return PyLong_FromSsize_t(POINTER->size);
}

static PyObject *moved(PyObject *self, PyObject *by, int sign)
{
    Py_ssize_t n = PyNumber_AsSsize_t(by, PyExc_OverflowError);
    Py_ssize_t size;
    if (n == -1 && PyErr_Occurred()) return NULL;
    n *= sign;
    if (__builtin_sub_overflow(POINTER->size, n, &size))
        return PyErr_Format(PyExc_OverflowError, "PinnedMemoryPointer: it cannot be moved by %zd bytes", n);
    return pointer_at(POINTER->mem, (char *)((uintptr_t)POINTER->ptr + (uintptr_t)n), size);
}

static PyObject *pointer_add(PyObject *l, PyObject *r)
{
    return Py_IS_TYPE(l, pinned_pointer_type) ? moved(l, r, 1) : moved(r, l, 1);
}

static PyObject *pointer_subtract(PyObject *l, PyObject *r)
{
    if (!Py_IS_TYPE(l, pinned_pointer_type)) Py_RETURN_NOTIMPLEMENTED;
    return moved(l, r, -1);
}

/* Whether all of it is within its memory, which is 0 bytes at 0 when it has been given back. */
static int is_inside(const PinnedPointer *p)
{
    char *ptr;
    Py_ssize_t size;
    if (extent_of(p->mem, &ptr, &size) < 0) return -1;
    return p->size >= 0 && p->ptr >= ptr && p->ptr - ptr <= size - p->size;
}

static int pointer_buffer(PyObject *self, Py_buffer *view, int flags)
{
    const int inside = is_inside(POINTER);
    if (inside < 0) return -1;
    if (!inside || !tb_memory_is_mapped(POINTER->ptr, (size_t)POINTER->size)) {
        PyErr_SetString(PyExc_BufferError, "PinnedMemoryPointer: it points outside of its memory, or that was freed");
        return -1;
    }
    return PyBuffer_FillInfo(view, self, POINTER->ptr, POINTER->size, 0, flags);
}

static PyGetSetDef pointer_getset[] = {{"ptr", pointer_ptr, NULL, "The address.", NULL},
                                       {"mem", pointer_mem, NULL, "The memory that this points into.", NULL},
                                       {NULL, NULL, NULL, NULL, NULL}};
static PyMethodDef pointer_methods[] = {
    {"size", pointer_size, METH_NOARGS, "size($self)\n--\n\nBytes from here to the end of the memory."},
    {NULL, NULL, 0, NULL}};

int tbpy_add_pinned_memory(PyObject *m)
{
    PyType_Slot pinned_slots[] = {
        {Py_tp_init, pinned_init},
        {Py_tp_dealloc, pinned_dealloc},
        {Py_tp_getset, pinned_getset},
        {Py_tp_members, pinned_members},
        {Py_nb_int, pinned_int},
        {Py_tp_doc, "PinnedMemory(size, flags=0)\n--\n\n"
                    "`size` bytes of page-locked host memory, which the device copies from and to without waiting.\n\n"
                    "Args:\n    size: Bytes.\n    flags: As for runtime.hostAlloc.\n\n"
                    "alloc_pinned_memory takes it from a pool; tombacx.empty_pinned makes NumPy arrays of it."},
        {0, NULL}};
    PyType_Slot pointer_slots[] = {
        {Py_tp_new, pointer_new},
        {Py_tp_dealloc, pointer_dealloc},
        {Py_tp_getset, pointer_getset},
        {Py_tp_methods, pointer_methods},
        {Py_nb_int, pointer_int},
        {Py_nb_add, pointer_add},
        {Py_nb_subtract, pointer_subtract},
        {Py_bf_getbuffer, pointer_buffer},
        {Py_tp_doc, "PinnedMemoryPointer(mem, offset)\n--\n\n"
                    "A place in a block of pinned memory, offset bytes from its start. It has the buffer protocol."},
        {0, NULL}};
    PyType_Spec pinned = {"tombac.cuda.PinnedMemory", sizeof(Pinned), 0, Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE,
                          pinned_slots};
    PyType_Spec pointer = {"tombac.cuda.PinnedMemoryPointer", sizeof(PinnedPointer), 0, Py_TPFLAGS_DEFAULT,
                           pointer_slots};
    pinned_type = (PyTypeObject *)PyType_FromModuleAndSpec(m, &pinned, NULL);
    if (!pinned_type || PyModule_AddObjectRef(m, "PinnedMemory", (PyObject *)pinned_type) < 0) return -1;
    pinned_pointer_type = (PyTypeObject *)PyType_FromModuleAndSpec(m, &pointer, NULL);
    return pinned_pointer_type ? PyModule_AddObjectRef(m, "PinnedMemoryPointer", (PyObject *)pinned_pointer_type) : -1;
}
