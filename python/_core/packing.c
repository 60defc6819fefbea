/* packing.c - packbits and unpackbits: eight truth values to a byte and back, eight bytes at a time as one 64-bit
 * number. On a little-endian machine, which is what there is, the first byte of eight is the lowest.
 *
 * Functions of arrays here steal the array that they are given, and are handed NULL after a failure. */
#include "ndarray.h"
#include "docs_arrays.h"

enum { BIG, LITTLE };

/* Bytes of 0 or 1, the first of them lowest, times such a number have their bits side by side in its highest byte. */
static const uint64_t gather[] = {[BIG] = 0x8040201008040201u, [LITTLE] = 0x0102040810204080u};
/* These bits of a byte that is repeated eight times: the i-th byte has its i-th bit. */
static const uint64_t spread[] = {[BIG] = 0x0102040810204080u, [LITTLE] = 0x8040201008040201u};

/* What a call has made of `from`, or NULL with an exception. */
static tb_array *made(tb_status st, tb_array *from, tb_array *const *result)
{
    tb_array_release(from);
    if (st == TB_OK) return *result;
    tbpy_raise(st);
    return NULL;
}

static tb_array *computed(const char *op, tb_array *a, tb_scalar by)
{
    const tb_operand in[] = {tb_operand_array(a), tb_operand_scalar(by)};
    tb_array *r = NULL;
    return a ? made(tb_ufunc_call(tb_ufunc_find(op), in, &r, NULL), a, &r) : NULL;
}

/* Axis `from` moved to `to`, one of them the last one; in C order. */
static tb_array *moved(tb_array *a, int from, int to)
{
    if (!a || (from == to && tb_array_is_c_contiguous(a))) return a;
    int axes[TB_MAXDIM], n = 0;
    tb_array *r = NULL;
    for (int d = 0; d < tb_array_ndim(a); d++) {
        if (d == to && to < from) axes[n++] = from;
        if (d != from) axes[n++] = d;
    }
    if (to >= from) axes[n++] = from;
    if (!(a = made(tb_transpose(a, axes, &r), a, &r))) return NULL;
    return made(tb_copy(a, 'C', &r), a, &r);
}

/* a with n elements along the axis: the first ones, or zeros behind what there is. */
static tb_array *resized(tb_array *a, int axis, int64_t n)
{
    if (!a || tb_array_shape(a)[axis] == n) return a;
    const int ndim = tb_array_ndim(a);
    int64_t shape[TB_MAXDIM], there = tb_array_shape(a)[axis];
    tb_index key[TB_MAXDIM];
    tb_array *r = NULL;
    for (int d = 0; d < ndim; d++) {
        shape[d] = tb_array_shape(a)[d];
        key[d] = (tb_index){.kind = TB_INDEX_SLICE, .step = 1, .stop = n < there ? n : there, .has_stop = d == axis};
    }
    if (n < there) {
        if (!(a = made(tb_array_index(a, ndim, key, &r), a, &r))) return NULL;
        return made(tb_copy(a, 'C', &r), a, &r);
    }
    shape[axis] = n;
    const tb_operand value = tb_operand_array(a);
    tb_status st = tb_full(tb_array_dtype(a), ndim, shape, 'C', tb_scalar_int(0), &r);
    if (st == TB_OK && (st = tb_array_index_set(r, ndim, key, &value)) != TB_OK) tb_array_release(r);
    return made(st, a, &r);
}

/* Bytes in eights as 64-bit numbers; a copy of what begins between two such numbers. */
static tb_array *words(tb_array *a)
{
    tb_array *r = NULL;
    if (a && tb_view_dtype(a, TB_U64, &r) == TB_OK) return made(TB_OK, a, &r);
    if (!a || !(a = made(tb_copy(a, 'C', &r), a, &r))) return NULL;
    return made(tb_view_dtype(a, TB_U64, &r), a, &r);
}

/* ---- arguments --------------------------------------------------------------------------------------------------- */

/* The array, flattened where there is no axis; NULL with an exception. *axis is not negative. */
static tb_array *read_array(const char *who, PyObject *o, PyObject *axis_arg, int *axis)
{
    if (!tbpy_check(o)) {
        PyErr_Format(PyExc_TypeError, "%s: a tombac.ndarray is expected, not %R", who, Py_TYPE(o));
        return NULL;
    }
    tb_array *a = tbpy_array(o), *r = NULL;
    const bool flat = !axis_arg || axis_arg == Py_None;
    int64_t n = tb_array_size(a);
    *axis = 0;
    if (!flat && tbpy_axis(axis_arg, axis) < 0) return NULL;
    const int given = *axis, ndim = flat || tb_array_ndim(a) == 0 ? 1 : tb_array_ndim(a);
    if (*axis < 0) *axis += ndim;
    if (*axis < 0 || *axis >= ndim) {
        tbpy_raise_axis(given, ndim, who);
        return NULL;
    }
    if (tb_array_ndim(a) == 1 || (!flat && tb_array_ndim(a) > 0)) return tb_array_retain(a);
    return made(tb_reshape(a, 1, &n, 'C', NULL, &r), NULL, &r);
}

static int read_bitorder(const char *who, PyObject *o, int *out)
{
    *out = BIG;
    if (!o || (PyUnicode_Check(o) && PyUnicode_CompareWithASCIIString(o, "big") == 0)) return 0;
    *out = LITTLE;
    if (PyUnicode_Check(o) && PyUnicode_CompareWithASCIIString(o, "little") == 0) return 0;
    PyErr_Format(PyExc_ValueError, "%s: bitorder must be 'big' or 'little', not %R", who, o);
    return -1;
}

static bool is_whole(tb_dtype t) { return t == TB_BOOL || tb_dtype_kind(t) == TB_KIND_INT; }

static PyObject *packbits(PyObject *Py_UNUSED(m), PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    static const char *const names[] = {"a", "axis", "bitorder", NULL};
    PyObject *v[3];
    int axis, order;
    if (tbpy_parse("packbits", names, 1, 3, args, nargs, kwnames, v) < 0) return NULL;
    if (read_bitorder("packbits", v[2], &order) < 0) return NULL;
    tb_array *a = read_array("packbits", v[0], v[1], &axis);
    if (!a) return NULL;
    const int last = tb_array_ndim(a) - 1;
    if (!is_whole(tb_array_dtype(a))) {
        PyErr_Format(PyExc_TypeError, "packbits: an array of bools or integers is expected, not of %s",
                     tb_dtype_name(tb_array_dtype(a)));
        tb_array_release(a);
        return NULL;
    }
    if (tb_dtype_size(tb_array_dtype(a)) > 1) a = computed("not_equal", a, tb_scalar_int(0));
    if (a) a = resized(a, axis, (tb_array_shape(a)[axis] + 7) / 8 * 8);
    const tb_scalar factor = {.dtype = TB_U64, .v.u = gather[order]};
    a = moved(computed("pack_bits", words(moved(a, axis, last)), factor), last, axis);
    return a ? tbpy_wrap_like(a, v[0]) : NULL;
}

/* Eight masks, one for each bit in its order, along an axis of so many. */
static tb_array *bit_masks(int axis, int ndim, int order)
{
    int64_t shape[TB_MAXDIM];
    tb_array *number = NULL, *mask = NULL, *r = NULL;
    for (int d = 0; d < ndim; d++) shape[d] = d == axis ? 8 : 1;
    number = made(tb_arange(TB_U8, tb_scalar_int(0), tb_scalar_int(1), 8, &r), NULL, &r);
    if (!number) return NULL;
    const tb_scalar first = {.dtype = TB_U8, .v.u = order == BIG ? 128 : 1};
    const tb_operand in[] = {tb_operand_scalar(first), tb_operand_array(number)};
    mask = made(tb_ufunc_call(tb_ufunc_find(order == BIG ? "right_shift" : "left_shift"), in, &r, NULL), number, &r);
    return mask ? made(tb_reshape(mask, ndim, shape, 'C', NULL, &r), mask, &r) : NULL;
}

/* Along an axis that is not the last one, without moving it: each byte against eight masks behind one another. */
static tb_array *unpacked_across(tb_array *a, int axis, int order)
{
    const int ndim = tb_array_ndim(a);
    int64_t shape[TB_MAXDIM];
    tb_array *r = NULL, *mask = NULL;
    for (int d = 0; d <= ndim; d++) shape[d] = d == axis + 1 ? 1 : tb_array_shape(a)[d > axis ? d - 1 : d];
    a = made(tb_reshape(a, ndim + 1, shape, 'C', NULL, &r), a, &r);
    if (a && !(mask = bit_masks(axis + 1, ndim + 1, order))) tb_array_release(a);
    if (!mask) return NULL;
    const tb_operand in[] = {tb_operand_array(a), tb_operand_array(mask)};
    a = made(tb_ufunc_call(tb_ufunc_find("bitwise_and"), in, &r, NULL), a, &r);
    tb_array_release(mask);
    a = computed("not_equal", a, tb_scalar_int(0));
    shape[axis] *= 8;
    for (int d = axis + 1; d < ndim; d++) shape[d] = shape[d + 1];
    if (a) a = made(tb_reshape(a, ndim, shape, 'C', NULL, &r), a, &r);
    return a ? made(tb_view_dtype(a, TB_U8, &r), a, &r) : NULL;
}

/* How many elements count= asks for, of n: negative ones are left out at the end. -1 with an exception. */
static int64_t wanted(PyObject *count, int64_t n)
{
    int64_t asked = n;
    if (count && count != Py_None && tbpy_int_arg(count, &asked) < 0) return -1;
    if (asked >= 0) return asked;
    if (n + asked >= 0) return n + asked;
    PyErr_Format(PyExc_ValueError, "unpackbits: -count is %lld, larger than the %lld elements there are",
                 (long long)-asked, (long long)n);
    return -1;
}

static PyObject *unpackbits(PyObject *Py_UNUSED(m), PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    static const char *const names[] = {"a", "axis", "bitorder", "count", NULL};
    PyObject *v[4];
    int axis, order;
    if (tbpy_parse("unpackbits", names, 1, 3, args, nargs, kwnames, v) < 0) return NULL;
    if (read_bitorder("unpackbits", v[2], &order) < 0) return NULL;
    tb_array *a = read_array("unpackbits", v[0], v[1], &axis), *r = NULL;
    if (!a) return NULL;
    const int last = tb_array_ndim(a) - 1;
    int64_t n = -1;
    if (tb_array_dtype(a) != TB_U8)
        PyErr_Format(PyExc_TypeError, "unpackbits: an array of uint8 is expected, not of %s",
                     tb_dtype_name(tb_array_dtype(a)));
    else n = wanted(v[3], 8 * tb_array_shape(a)[axis]);
    if (n < 0) {
        tb_array_release(a);
        return NULL;
    }
    const tb_scalar mask = {.dtype = TB_U64, .v.u = spread[order]};
    if (axis != last && last + 2 <= TB_MAXDIM) a = unpacked_across(a, axis, order);
    else if ((a = computed("unpack_bits", moved(a, axis, last), mask)))
        a = moved(made(tb_view_dtype(a, TB_U8, &r), a, &r), last, axis);
    a = resized(a, axis, n);
    return a ? tbpy_wrap_like(a, v[0]) : NULL;
}

#define FAST(f) (PyCFunction)(void (*)(void)) f, METH_FASTCALL | METH_KEYWORDS

PyMethodDef tbpy_packing_functions[] = {
    {"packbits", FAST(packbits), "packbits(a, axis=None, bitorder='big')\n--\n\n" TBPY_DOC_packbits},
    {"unpackbits", FAST(unpackbits),
     "unpackbits(a, axis=None, bitorder='big', *, count=None)\n--\n\n" TBPY_DOC_unpackbits},
    {NULL, NULL, 0, NULL},
};
