/* ndarray_number.c - the operators of ndarray: each is one call of the ufunc of the same meaning.
 *
 * Operators meet objects of other types. Numbers are operands. Objects with an __array_ufunc__ of their own are asked
 * through NumPy's ufunc of the same name, as NumPy's operators do. Objects with a higher __array_priority__, with
 * __array_ufunc__ = None, or that nothing is known of are left to their own methods (NotImplemented). Host arrays,
 * lists and tuples are refused, so that no data is moved between host and device unasked. Results take the subclass of
 * ndarray among the operands. */
#include "ndarray.h"

/* clang-format off */
enum {
    ADD, SUBTRACT, MULTIPLY, TRUE_DIVIDE, FLOOR_DIVIDE, REMAINDER, DIVMOD, POWER, LEFT_SHIFT, RIGHT_SHIFT, AND, OR, XOR,
    LESS, LESS_EQUAL, EQUAL, NOT_EQUAL, GREATER, GREATER_EQUAL, NEGATIVE, POSITIVE, ABSOLUTE, INVERT, SQUARE, SQRT,
    NOPS
};
/* clang-format on */
static const char *const op_names[NOPS] = {
    "add",        "subtract",   "multiply",    "true_divide", "floor_divide",  "remainder",   "divmod",
    "power",      "left_shift", "right_shift", "bitwise_and", "bitwise_or",    "bitwise_xor", "less",
    "less_equal", "equal",      "not_equal",   "greater",     "greater_equal", "negative",    "positive",
    "absolute",   "invert",     "square",      "sqrt",
};
static const tb_ufunc *ops[NOPS];

int tbpy_number_init(void)
{
    for (int i = 0; i < NOPS; i++) {
        ops[i] = tb_ufunc_find(op_names[i]);
        if (!ops[i] && i == TRUE_DIVIDE) ops[i] = tb_ufunc_find("divide");
        if (!ops[i]) {
            PyErr_Format(PyExc_ImportError, "libtombac has no ufunc '%s'", op_names[i]);
            return -1;
        }
    }
    return 0;
}

/* ---- operands ---------------------------------------------------------------------------------------------------- */

/* Whether a foreign type wants to handle the operation itself. A subclass of ndarray says so by None alone: Python has
 * asked its own methods first. */
static bool defers(PyObject *o)
{
    PyObject *u = PyObject_GetAttrString(o, "__array_ufunc__");
    bool none = u == Py_None;
    Py_XDECREF(u);
    PyErr_Clear();
    return none || (!tbpy_check(o) && tbpy_priority(o) > 100);
}

/* Whether o is neither an array nor a number and has an __array_ufunc__ that is to be asked. */
static bool overrides(PyObject *o)
{
    if (tbpy_check_exact(o) || PyFloat_CheckExact(o) || PyLong_CheckExact(o)) return false;
    return !tbpy_check(o) && !tbpy_is_host_array(o) && !tbpy_is_numpy_scalar(o) && tbpy_overrides_ufuncs(o);
}

/* What an override makes of NumPy's ufunc; with out, of the operation in place. NULL without an exception: there is no
 * override. */
static PyObject *ask_override(const char *name, PyObject *l, PyObject *r, PyObject *out)
{
    if (!overrides(l) && !overrides(r)) return NULL;
    PyObject *numpy = PyImport_ImportModule("numpy");
    PyObject *f = numpy ? PyObject_GetAttrString(numpy, name) : NULL;
    PyObject *result = f ? PyObject_CallFunctionObjArgs(f, l, r, out, NULL) : NULL;
    Py_XDECREF(f);
    Py_XDECREF(numpy);
    return result;
}

/* 1: the operation may go on with o; 0: NotImplemented. */
static bool takes(PyObject *o)
{
    if (tbpy_check_exact(o) || PyFloat_CheckExact(o) || PyLong_CheckExact(o)) return true;
    tb_scalar s;
    int r = tbpy_check(o) ? 0 : tbpy_scalar(o, &s);
    if (r < 0) PyErr_Clear();
    if (r != 0 || PyList_Check(o) || PyTuple_Check(o)) return true;
    if (o == Py_None || PyUnicode_Check(o) || PyBytes_Check(o) || defers(o)) return false;
    if (tbpy_check(o) || tbpy_is_host_array(o)) return true;
    int has = PyObject_HasAttrString(o, "__cuda_array_interface__");
    return has || PyObject_HasAttrString(o, "__tombac_get_ndarray__");
}

static PyObject *slow_binary(const tb_ufunc *u, PyObject *l, PyObject *r, tb_array *out)
{
    PyObject *asked = ask_override(tb_ufunc_name(u), l, r, out ? l : NULL);
    if (asked || PyErr_Occurred()) return asked;
    if (!takes(l) || !takes(r)) Py_RETURN_NOTIMPLEMENTED;
    PyObject *objs[2] = {l, r}, *held[2];
    tb_operand in[2];
    if (tbpy_ufunc_operands(u, objs, in, held) < 0) return NULL;
    tb_array *result = NULL;
    tb_status st = out ? tb_ufunc_into(u, in, &out, NULL, NULL) : tb_ufunc_call(u, in, &result, NULL);
    tbpy_drop_operands(2, held);
    if (st != TB_OK) return tbpy_raise(st);
    return out ? Py_NewRef(l) : tbpy_wrap_result(result, 2, objs);
}

static inline PyObject *binary(const tb_ufunc *u, PyObject *l, PyObject *r)
{
    tb_operand in[2];
    if (!tbpy_quick_operand(l, &in[0]) || !tbpy_quick_operand(r, &in[1])) return slow_binary(u, l, r, NULL);
    tb_array *result = NULL;
    TBPY_TRY(tb_ufunc_call(u, in, &result, NULL));
    return tbpy_wrap(result);
}

static inline PyObject *in_place(const tb_ufunc *u, PyObject *l, PyObject *r)
{
    tb_operand in[2];
    if (!tbpy_quick_operand(l, &in[0]) || !tbpy_quick_operand(r, &in[1])) return slow_binary(u, l, r, tbpy_array(l));
    TBPY_TRY(tb_ufunc_into(u, in, (tb_array *[]){tbpy_array(l)}, NULL, NULL));
    return Py_NewRef(l);
}

static inline PyObject *unary(const tb_ufunc *u, PyObject *o)
{
    tb_operand in = {TB_OPERAND_ARRAY, .array = tbpy_array(o)};
    tb_array *result = NULL;
    TBPY_TRY(tb_ufunc_call(u, &in, &result, NULL));
    return tbpy_wrap_like(result, o);
}

#define BINARY(name, OP) \
    static PyObject *name(PyObject *l, PyObject *r) { return binary(ops[OP], l, r); } \
    static PyObject *inplace_##name(PyObject *l, PyObject *r) { return in_place(ops[OP], l, r); }
BINARY(add, ADD)
BINARY(subtract, SUBTRACT)
BINARY(multiply, MULTIPLY)
BINARY(true_divide, TRUE_DIVIDE)
BINARY(floor_divide, FLOOR_DIVIDE)
BINARY(modulus, REMAINDER)
BINARY(left_shift, LEFT_SHIFT)
BINARY(right_shift, RIGHT_SHIFT)
BINARY(bit_and, AND)
BINARY(bit_or, OR)
BINARY(bit_xor, XOR)

static PyObject *negative(PyObject *o) { return unary(ops[NEGATIVE], o); }
static PyObject *positive(PyObject *o) { return unary(ops[POSITIVE], o); }
static PyObject *absolute(PyObject *o) { return unary(ops[ABSOLUTE], o); }
static PyObject *invert(PyObject *o) { return unary(ops[INVERT], o); }

static PyObject *ndarray_divmod(PyObject *l, PyObject *r)
{
    PyObject *asked = ask_override("divmod", l, r, NULL);
    if (asked || PyErr_Occurred()) return asked;
    if (!takes(l) || !takes(r)) Py_RETURN_NOTIMPLEMENTED;
    PyObject *objs[2] = {l, r}, *held[2];
    tb_operand in[2];
    if (tbpy_ufunc_operands(ops[DIVMOD], objs, in, held) < 0) return NULL;
    tb_array *result[2] = {NULL, NULL};
    tb_status st = tb_ufunc_call(ops[DIVMOD], in, result, NULL);
    tbpy_drop_operands(2, held);
    if (st != TB_OK) return tbpy_raise(st);
    PyObject *q = tbpy_wrap_result(result[0], 2, objs), *m = tbpy_wrap_result(result[1], 2, objs);
    PyObject *pair = q && m ? PyTuple_Pack(2, q, m) : NULL;
    Py_XDECREF(q);
    Py_XDECREF(m);
    return pair;
}

/* x**2 and x**0.5 as square and sqrt, which NumPy's operator takes too; NULL for everything else. */
static const tb_ufunc *special_power(PyObject *l, PyObject *r)
{
    if (!tbpy_check(l)) return NULL;
    if (PyLong_CheckExact(r)) {
        int overflow;
        return PyLong_AsLongLongAndOverflow(r, &overflow) == 2 ? ops[SQUARE] : NULL;
    }
    if (!PyFloat_CheckExact(r)) return NULL;
    double e = PyFloat_AS_DOUBLE(r);
    return e == 2 ? ops[SQUARE] : e == 0.5 ? ops[SQRT] : NULL;
}

/* Whether l is of integers, whose powers are float64 where the exponent is a float. */
static bool is_widened(PyObject *l, PyObject *r)
{
    return PyFloat_CheckExact(r) && tb_dtype_kind(tb_array_dtype(tbpy_array(l))) < TB_KIND_FLOAT;
}

static PyObject *power(PyObject *l, PyObject *r, PyObject *modulo)
{
    static const tb_ufunc_args widened = {sizeof(tb_ufunc_args), .dtype = TB_F64, .casting = TB_CAST_SAME_KIND,
                                          .order = 'K'};
    if (modulo != Py_None) Py_RETURN_NOTIMPLEMENTED;
    const tb_ufunc *u = special_power(l, r);
    if (!u) return binary(ops[POWER], l, r);
    if (!is_widened(l, r)) return unary(u, l);
    tb_operand in = {TB_OPERAND_ARRAY, .array = tbpy_array(l)};
    tb_array *result = NULL;
    TBPY_TRY(tb_ufunc_call(u, &in, &result, &widened));
    return tbpy_wrap_like(result, l);
}

static PyObject *inplace_power(PyObject *l, PyObject *r, PyObject *modulo)
{
    if (modulo != Py_None) Py_RETURN_NOTIMPLEMENTED;
    const tb_ufunc *u = special_power(l, r);
    if (!u || is_widened(l, r)) return in_place(ops[POWER], l, r);
    tb_operand in = {TB_OPERAND_ARRAY, .array = tbpy_array(l)};
    TBPY_TRY(tb_ufunc_into(u, &in, (tb_array *[]){tbpy_array(l)}, NULL, NULL));
    return Py_NewRef(l);
}

static PyObject *matmul_with(PyObject *l, PyObject *r, PyObject *out)
{
    if (tbpy_check(l) && tbpy_check(r)) return tbpy_matmul(l, r, out);
    PyObject *asked = ask_override("matmul", l, r, out);
    if (asked || PyErr_Occurred()) return asked;
    if (!takes(l) || !takes(r)) Py_RETURN_NOTIMPLEMENTED;
    PyObject *a = tbpy_device_array(l), *b = a ? tbpy_device_array(r) : NULL;
    PyObject *result = b ? tbpy_matmul(a, b, out) : NULL;
    Py_XDECREF(a);
    Py_XDECREF(b);
    return result;
}

static PyObject *matmul(PyObject *l, PyObject *r) { return matmul_with(l, r, NULL); }
static PyObject *inplace_matmul(PyObject *l, PyObject *r) { return matmul_with(l, r, l); }

static PyObject *richcompare(PyObject *l, PyObject *r, int op)
{
    static const int ufunc_of[] = {[Py_LT] = LESS,      [Py_LE] = LESS_EQUAL, [Py_EQ] = EQUAL,
                                   [Py_NE] = NOT_EQUAL, [Py_GT] = GREATER,    [Py_GE] = GREATER_EQUAL};
    if ((op == Py_EQ || op == Py_NE) && (tbpy_has_records(l) || tbpy_has_records(r)))
        return tbpy_record_compare(l, r, op == Py_EQ);
    return binary(ops[ufunc_of[op]], l, r);
}

PyType_Slot tbpy_number_slots[] = {
    {Py_nb_add, add},
    {Py_nb_subtract, subtract},
    {Py_nb_multiply, multiply},
    {Py_nb_true_divide, true_divide},
    {Py_nb_floor_divide, floor_divide},
    {Py_nb_remainder, modulus},
    {Py_nb_divmod, ndarray_divmod},
    {Py_nb_power, power},
    {Py_nb_lshift, left_shift},
    {Py_nb_rshift, right_shift},
    {Py_nb_and, bit_and},
    {Py_nb_or, bit_or},
    {Py_nb_xor, bit_xor},
    {Py_nb_negative, negative},
    {Py_nb_positive, positive},
    {Py_nb_absolute, absolute},
    {Py_nb_invert, invert},
    {Py_nb_matrix_multiply, matmul},
    {Py_nb_inplace_add, inplace_add},
    {Py_nb_inplace_subtract, inplace_subtract},
    {Py_nb_inplace_multiply, inplace_multiply},
    {Py_nb_inplace_true_divide, inplace_true_divide},
    {Py_nb_inplace_floor_divide, inplace_floor_divide},
    {Py_nb_inplace_remainder, inplace_modulus},
    {Py_nb_inplace_power, inplace_power},
    {Py_nb_inplace_lshift, inplace_left_shift},
    {Py_nb_inplace_rshift, inplace_right_shift},
    {Py_nb_inplace_and, inplace_bit_and},
    {Py_nb_inplace_or, inplace_bit_or},
    {Py_nb_inplace_xor, inplace_bit_xor},
    {Py_nb_inplace_matrix_multiply, inplace_matmul},
    {Py_tp_richcompare, richcompare},
    {0, NULL},
};
