/* jit_table.c - argument types of kernels that are written in Python, and the tables of what was compiled for them. */
#include "jit_table.h"

/* A key word: the kind in the low bits, then dtype, then what else code depends on. */
enum { IS_ARRAY = 1, IS_NUMBER = 2, IS_NONE = 3, DTYPE_AT = 8, NDIM_AT = 16 };
#define CONTIGUOUS ((uint64_t)1 << 32)
#define WIDE ((uint64_t)1 << 33)
#define WEAK ((uint64_t)1 << 34)
#define FITS ((uint64_t)1 << 35)

/* Whether offsets in a need 64 bits: of elements if it is contiguous, else of bytes. */
static bool is_wide(const tb_array *a, bool contiguous)
{
    int64_t size = tb_array_size(a);
    if (contiguous || size == 0) return size > INT32_MAX;
    const int64_t *shape = tb_array_shape(a), *stride = tb_array_strides(a);
    int64_t span = 0;
    for (int i = 0; i < tb_array_ndim(a); i++) {
        int64_t s = stride[i] < 0 ? -stride[i] : stride[i];
        if (s > INT32_MAX || shape[i] > INT32_MAX) return true;
        span += (shape[i] - 1) * s;
        if (span > INT32_MAX) return true;
    }
    return false;
}

static int refuse_elements(PyObject *who, Py_ssize_t i, tb_dtype t)
{
    PyErr_Format(PyExc_TypeError, "%S: argument %zd has elements of %s; kernels written in Python take numbers%s", who,
                 i, tb_dtype_name(t), t == TB_BF16 ? " of other dtypes: cast it to float32" : "");
    return -1;
}

static uint64_t array_key(const tb_array *a, bool layout)
{
    uint64_t key = IS_ARRAY | (uint64_t)tb_array_dtype(a) << DTYPE_AT;
    if (!layout) return key;
    bool contiguous = tb_array_is_c_contiguous(a);
    key |= (uint64_t)tb_array_ndim(a) << NDIM_AT;
    if (contiguous) key |= CONTIGUOUS;
    if (is_wide(a, contiguous)) key |= WIDE;
    return key;
}

static uint64_t number_key(const tb_scalar *s)
{
    uint64_t key = IS_NUMBER | (uint64_t)s->dtype << DTYPE_AT;
    if (!s->weak) return key;
    bool fits = s->dtype == TB_I64 && s->v.i >= INT32_MIN && s->v.i <= INT32_MAX;
    return key | WEAK | (fits ? FITS : 0);
}

static int refuse(PyObject *who, Py_ssize_t i, PyObject *o)
{
    PyErr_Format(PyExc_TypeError, "%S: argument %zd has type %R; arguments are tombac arrays, numbers and None", who, i,
                 Py_TYPE(o));
    return -1;
}

int tbpy_jit_read(PyObject *who, PyObject *const *objs, Py_ssize_t n, bool layout, tbpy_jit_arg *out)
{
    if (n > JIT_MAXARG) {
        PyErr_Format(PyExc_TypeError, "%S: %zd arguments; kernels written in Python take at most %d", who, n,
                     JIT_MAXARG);
        return -1;
    }
    for (Py_ssize_t i = 0; i < n; i++) {
        out[i].array = NULL;
        if (tbpy_check(objs[i])) {
            const tb_dtype t = tb_array_dtype(tbpy_array(objs[i]));
            if (tbpy_is_record(t) || t == TB_BF16) return refuse_elements(who, i, t);
            out[i].array = tbpy_array(objs[i]);
            out[i].key = array_key(out[i].array, layout);
        } else if (objs[i] == Py_None) {
            out[i].key = IS_NONE;
        } else {
            int r = tbpy_scalar(objs[i], &out[i].scalar);
            if (r < 0) return -1;
            if (r == 0) return refuse(who, i, objs[i]);
            if (out[i].scalar.dtype == TB_BF16) return refuse_elements(who, i, TB_BF16);
            out[i].key = number_key(&out[i].scalar);
        }
    }
    return 0;
}

uint64_t tbpy_jit_hash(int n, const tbpy_jit_arg *args, int device)
{
    uint64_t h = 0x9e3779b97f4a7c15u ^ (uint64_t)device;
    for (int i = 0; i < n; i++) {
        h = (h ^ args[i].key) * 0xff51afd7ed558ccdu;
        h ^= h >> 32;
    }
    return h;
}

tbpy_jit_entry *tbpy_jit_find(tbpy_jit_table *t, uint64_t hash, int n, const tbpy_jit_arg *args, int device)
{
    tbpy_jit_entry *e = atomic_load_explicit(&t->bucket[hash % JIT_NBUCKET], memory_order_acquire);
    for (; e; e = e->next) {
        if (e->hash != hash || e->narg != n || e->device != device) continue;
        int i = 0;
        while (i < n && e->key[i] == args[i].key) i++;
        if (i == n) return e;
    }
    return NULL;
}

int tbpy_jit_publish(tbpy_jit_table *t, tbpy_jit_entry *e, uint64_t hash, int n, const tbpy_jit_arg *args, int device)
{
    e->key = PyMem_RawMalloc((size_t)(n ? n : 1) * sizeof *e->key);
    if (!e->key) {
        PyErr_NoMemory();
        return -1;
    }
    for (int i = 0; i < n; i++) e->key[i] = args[i].key;
    e->hash = hash;
    e->narg = n;
    e->device = device;
    _Atomic(tbpy_jit_entry *) *head = &t->bucket[hash % JIT_NBUCKET];
    e->next = atomic_load(head);
    while (!atomic_compare_exchange_weak(head, &e->next, e)) {}
    return 0;
}

void tbpy_jit_clear(tbpy_jit_table *t, void (*release)(tbpy_jit_entry *e))
{
    for (int i = 0; i < JIT_NBUCKET; i++) {
        tbpy_jit_entry *next, *e = atomic_exchange(&t->bucket[i], NULL);
        for (; e; e = next) {
            next = e->next;
            PyMem_RawFree(e->key);
            release(e);
        }
    }
}

static PyObject *type_of(uint64_t key)
{
    int dtype = key >> DTYPE_AT & 255;
    switch (key & 255) {
    case IS_ARRAY:
        return Py_BuildValue("(iiii)", dtype, (int)(key >> NDIM_AT & 255), !!(key & CONTIGUOUS), !!(key & WIDE));
    case IS_NUMBER: return Py_BuildValue("(iii)", dtype, !!(key & WEAK), !!(key & FITS));
    default: return Py_NewRef(Py_None);
    }
}

PyObject *tbpy_jit_types(int n, const tbpy_jit_arg *args)
{
    PyObject *types = PyTuple_New(n);
    for (int i = 0; types && i < n; i++) {
        PyObject *t = type_of(args[i].key);
        if (!t) Py_CLEAR(types);
        else PyTuple_SET_ITEM(types, i, t);
    }
    return types;
}
