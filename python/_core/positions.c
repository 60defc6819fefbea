/* positions.c - where elements with these indices are in an array in C or Fortran order: ravel_multi_index. */
#include "ndarray.h"

/* `flat`, NULL or stolen, and the places that indices, an array of integers, stand for along an axis. */
static tb_status add_places(tb_array *indices, int64_t length, int64_t step, tb_array **flat)
{
    tb_array *whole, *places = NULL, *sum = NULL;
    tb_status st = tb_astype(indices, TB_I64, 'K', TB_CAST_UNSAFE, false, &whole);
    if (st != TB_OK) return st;
    const tb_operand in[] = {tb_operand_array(whole), tb_operand_int(length), tb_operand_int(step)};
    st = tb_ufunc_call(tb_ufunc_find("place"), in, &places, NULL);
    tb_array_release(whole);
    if (st == TB_OK && *flat) {
        const tb_operand both[] = {tb_operand_array(*flat), tb_operand_array(places)};
        st = tb_ufunc_call(tb_ufunc_find("add"), both, &sum, NULL);
        tb_array_release(*flat);
        tb_array_release(places);
        places = sum;
        *flat = NULL;
    }
    if (st == TB_OK) *flat = places;
    return st;
}

/* Where every operand is plain: arrays of integers in a tuple, as many Python integers in another, which are an array's
 * lengths. Another case is the caller's to tell apart; one without elements is plain where there are no indices. */
static bool is_plain(PyObject *indices, PyObject *lengths)
{
    int64_t size = 1;
    bool empty = true;
    if (!PyTuple_Check(indices) || !PyTuple_Check(lengths)) return false;
    const Py_ssize_t n = PyTuple_GET_SIZE(indices);
    if (n == 0 || n != PyTuple_GET_SIZE(lengths)) return false;
    for (Py_ssize_t d = 0; d < n; d++) {
        PyObject *array = PyTuple_GET_ITEM(indices, d), *length = PyTuple_GET_ITEM(lengths, d);
        int overflow = 0;
        if (!tbpy_check(array) || tb_dtype_kind(tb_array_dtype(tbpy_array(array))) > TB_KIND_INT) return false;
        const int64_t k = PyLong_CheckExact(length) ? PyLong_AsLongLongAndOverflow(length, &overflow) : -1;
        if (k < 0 || overflow || __builtin_mul_overflow(size, k, &size)) return false;
        empty = empty && tb_array_size(tbpy_array(array)) == 0;
    }
    return size > 0 || empty;
}

static PyObject *flat_positions(PyObject *Py_UNUSED(m), PyObject *const *args, Py_ssize_t nargs)
{
    if (nargs != 3) return PyErr_Format(PyExc_TypeError, "_flat_positions: three arguments are expected");
    if (!is_plain(args[0], args[1])) Py_RETURN_NONE;
    const Py_ssize_t n = PyTuple_GET_SIZE(args[0]);
    const bool fortran = args[2] == Py_True;
    tb_array *flat = NULL;
    tb_status st = TB_OK;
    int64_t length = 0, step = 1;
    for (Py_ssize_t k = 0; k < n && st == TB_OK; k++, step *= length) {
        const Py_ssize_t d = fortran ? k : n - 1 - k;
        length = PyLong_AsLongLong(PyTuple_GET_ITEM(args[1], d));
        st = add_places(tbpy_array(PyTuple_GET_ITEM(args[0], d)), length, step, &flat);
    }
    if (st == TB_OK) return tbpy_wrap(flat);
    tb_array_release(flat);
    return tbpy_raise(st);
}

PyMethodDef tbpy_position_functions[] = {
    {"_flat_positions", (PyCFunction)(void (*)(void))flat_positions, METH_FASTCALL,
     "_flat_positions(indices, lengths, fortran)\n--\n\nWhere elements are in an array, indices wrapping around; None "
     "unless the indices are a tuple of arrays of integers, and the lengths one of Python's."},
    {NULL, NULL, 0, NULL},
};
