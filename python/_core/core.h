/* core.h - what the files of the extension module tombac._core share.
 *
 * The extension turns Python arguments into calls of libtombac and statuses into exceptions; it holds no numerics.
 * Conventions: functions that return PyObject * give a new reference, NULL with an exception set on failure; functions
 * that return int give 0, or -1 with an exception set, unless they say otherwise. Globals are set while the module is
 * initialised and only read afterwards, or are made when first needed, by tbpy_keep or atomically: there need be no
 * GIL. */
#ifndef TBPY_CORE_H
#define TBPY_CORE_H
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <stdbool.h>
#include <string.h>

#include "tombac/tombac.h"

#ifndef Py_BEGIN_CRITICAL_SECTION /* before Python 3.13, where the GIL is what keeps others out */
#define Py_BEGIN_CRITICAL_SECTION(o) {
#define Py_END_CRITICAL_SECTION() }
#endif

/* ---- ndarray --------------------------------------------------------------------------------------------------- */

typedef struct TbArray {
    PyObject_HEAD
    tb_array *array; /* never NULL once a Python program can see the object */
    PyObject *base;  /* the ndarray whose memory this is a view of, or NULL */
    PyObject *weakreflist;
    struct tbpy_former *former;
} TbArray;

extern PyTypeObject *tbpy_array_type; /* tombac.ndarray */

static inline bool tbpy_check_exact(PyObject *o) { return Py_IS_TYPE(o, tbpy_array_type); }
/* True for ndarray and its subclasses. */
static inline bool tbpy_check(PyObject *o)
{
    return tbpy_check_exact(o) || PyType_IsSubtype(Py_TYPE(o), tbpy_array_type);
}
/* The tb_array (borrowed) of an object for which tbpy_check holds. */
static inline tb_array *tbpy_array(PyObject *o) { return __atomic_load_n(&((TbArray *)o)->array, __ATOMIC_ACQUIRE); }

/* An ndarray that owns a; steals a, also on failure. NULL for a NULL a (an exception is then already set). */
PyObject *tbpy_wrap(tb_array *a);
/* An ndarray of owner's type over a, which views owner's memory; steals a. */
PyObject *tbpy_wrap_view(tb_array *a, PyObject *owner);
/* An ndarray of like's type over a, which has memory of its own (copies keep a subclass); steals a. */
PyObject *tbpy_wrap_like(tb_array *a, PyObject *like);
/* The result of n operands: of the subclass among them that has the highest __array_priority__, the first of those. */
PyObject *tbpy_wrap_result(tb_array *a, int n, PyObject *const *operands);
/* o.__array_priority__; 0 if it has none. */
double tbpy_priority(PyObject *o);
/* Any array-like as an ndarray: o itself if it is one, else as tombac.array(o) would make it. */
PyObject *tbpy_asarray(PyObject *o);
/* A where= argument: TypeError for arrays that are not of truth values, while numbers and lists are made such. */
PyObject *tbpy_mask(PyObject *o, const char *who);
/* As tbpy_asarray, but TypeError "Unsupported type ..." for anything that is not on the device or a scalar. */
PyObject *tbpy_device_array(PyObject *o);

/* ---- errors ---------------------------------------------------------------------------------------------------- */

extern PyObject *tbpy_OutOfMemoryError, *tbpy_CUDARuntimeError, *tbpy_CompileException;

PyObject *tbpy_new_compile_exception(void); /* the type CompileException: compile_error.c */
PyObject *tbpy_new_device_error(void);

/* Raises NumPy's AxisError, its text beginning with `who` if that is not NULL. */
void tbpy_raise_axis(int64_t axis, int ndim, const char *who);
/* Raises the exception for st, with libtombac's message; always returns NULL. */
PyObject *tbpy_raise(tb_status st) __attribute__((cold));
/* Raises what a Python function raised that the library called (an allocator, a hook). */
void tbpy_raise_kept(void);
/* For a callback to return: the current exception is raised when the call that it failed is back. */
tb_status tbpy_keep_exception(void);
static inline int tbpy_fail(tb_status st)
{
    tbpy_raise(st);
    return -1;
}

/* For functions that return PyObject *. */
#define TBPY_TRY(call)                                    \
    do {                                                  \
        tb_status tbpy_st = (call);                       \
        if (tbpy_st != TB_OK) return tbpy_raise(tbpy_st); \
    } while (0)
/* For functions that return int. */
#define TBPY_TRY_INT(call)                               \
    do {                                                 \
        tb_status tbpy_st = (call);                      \
        if (tbpy_st != TB_OK) return tbpy_fail(tbpy_st); \
    } while (0)

/* Runs st = call without the GIL: for calls that may wait or compute for long. */
#define TBPY_UNLOCKED(st, call)            \
    do {                                   \
        PyThreadState *tbpy_ts = PyEval_SaveThread(); \
        (st) = (call);                     \
        PyEval_RestoreThread(tbpy_ts);     \
    } while (0)
/* The same where the work is proportional to `size` elements: small work keeps the GIL, which is cheaper. */
#define TBPY_UNLOCKED_IF(size, st, call)          \
    do {                                          \
        if ((size) > 16384 || tb_host_func_pending()) TBPY_UNLOCKED(st, call); \
        else (st) = (call);                       \
    } while (0)

/* ---- arguments ------------------------------------------------------------------------------------------------- */

/* Sorts METH_FASTCALL|METH_KEYWORDS arguments into out[0..n), where n = number of names (a NULL-terminated list).
 * "a|b": a parameter a, for which NumPy's name b is taken as well.
 * The first npos may be given by position, the first nreq must be given; absent ones are NULL. `who` is for messages.
 * References are borrowed. */
int tbpy_parse(const char *who, const char *const *names, int nreq, int npos, PyObject *const *args, Py_ssize_t nargs,
               PyObject *kwnames, PyObject **out);

/* `device=` arguments: a tombac.cuda.Device, its number, or None for the current one; else ValueError, as in NumPy. It
 * becomes the current device, until tbpy_back_on, which returns r. Defined beside the type Device. */
int tbpy_use_device(const char *who, PyObject *o, int *before);
PyObject *tbpy_back_on(int before, PyObject *r);
/* f(module, args, ...) with the device that a keyword `device` names as the current one. f knows the keyword too, and
 * does nothing with it. */
typedef PyObject *(*tbpy_function)(PyObject *module, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames);
PyObject *tbpy_on_device(const char *who, tbpy_function f, PyObject *module, PyObject *const *args, Py_ssize_t nargs,
                         PyObject *kwnames);
/* Before the body of a function of a module: it runs on the device that `device=` names. */
#define TBPY_ON_DEVICE(name)                                                                                    \
    static PyObject *name##_here(PyObject *module, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames); \
    static PyObject *name(PyObject *module, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)         \
    {                                                                                                           \
        if (!kwnames) return name##_here(module, args, nargs, kwnames);                                         \
        return tbpy_on_device(#name, name##_here, module, args, nargs, kwnames);                                \
    }                                                                                                           \
    static PyObject *name##_here(PyObject *module, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)

/* In place of METH_O, where the one argument may be given by its name too: rows of method tables, whose function is
 * `f` of the object and the argument. TBPY_ONE defines what TBPY_ONE_ROW refers to. */
#define TBPY_ONE(f, who, name)                                                                                  \
    static PyObject *f##_one(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)        \
    {                                                                                                           \
        static const char *const names[] = {name, NULL};                                                        \
        PyObject *v[1];                                                                                         \
        return tbpy_parse(who, names, 1, 1, args, nargs, kwnames, v) < 0 ? NULL : f(self, v[0]);                \
    }
#define TBPY_ONE_ROW(f) (PyCFunction)(void (*)(void))f##_one, METH_FASTCALL | METH_KEYWORDS

/* A function that is a method of its first argument serves NumPy's arrays by calling theirs: given[0].name(...) with
 * what else was given, by its name; as CuPy's functions do. NULL without an exception: given[0] is not an array of
 * NumPy's, or has no such method. */
PyObject *tbpy_host_method(const char *name, const char *const *names, PyObject *const *given);
/* The same also for what is asked by tbpy_ask_operands: functions of arrays that it has itself. */
PyObject *tbpy_own_method(const char *name, const char *const *names, PyObject *const *given);
/* What __tombac_ufunc__ of the first of n operands to have one gives for the ufunc of that name, which takes them all.
 * NULL without an exception: there is none, or only NotImplemented. */
PyObject *tbpy_ask_operands(const char *ufunc, PyObject *const *operands, Py_ssize_t n);

/* The items of a list or of anything else that can be iterated, as a tuple: a list could change while the items are
 * used, by what they call or by another thread. `message` is that of the TypeError for what has no items. */
PyObject *tbpy_items(PyObject *o, const char *message);

/* In all of these a NULL or None argument leaves *out as it is. */
int tbpy_bool_arg(PyObject *o, bool *out);
int tbpy_order(PyObject *o, char *out);  /* "C", "F", "A", "K", either case */
int tbpy_c_or_f(PyObject *o, char *out); /* the first two */
int tbpy_casting(PyObject *o, tb_casting *out);
int tbpy_optional_dtype(PyObject *o, tb_dtype *out);
int tbpy_int_arg(PyObject *o, int64_t *out);       /* anything with __index__ */
int tbpy_axis(PyObject *o, int *out);              /* not checked against ndim */
int tbpy_stream_arg(PyObject *o, tb_stream **out); /* a tombac.cuda.Stream; borrowed; defined beside that type */
/* None: *naxis = -1. An integer or a tuple/list of integers: *naxis of them, not checked against ndim. */
int tbpy_axes(PyObject *o, int *naxis, int *axes);
/* An integer or a sequence of integers; at most TB_MAXDIM. */
int tbpy_shape(PyObject *o, int *ndim, int64_t *shape);
/* The UTF-8 text of a str, borrowed. ValueError for one with a null character in it, which would end a text of C's. */
const char *tbpy_text(PyObject *o);
/* Warns that a cast from complex to real drops the imaginary part, if it does. */
int tbpy_warn_complex(tb_dtype from, tb_dtype to);
/* A tuple of Python ints. */
PyObject *tbpy_int_tuple(int n, const int64_t *v);
/* `out=` arguments: NULL/None give *out = NULL, an ndarray (or a 1-tuple of one) its tb_array (borrowed). */
int tbpy_out_arg(PyObject *o, tb_array **out);

/* ---- dtypes ---------------------------------------------------------------------------------------------------- */

/* numpy.dtype of t; borrowed. NULL and an exception if NumPy cannot be imported. */
PyObject *tbpy_dtype_object(tb_dtype t);
/* NumPy's letter for its kind: 'b', 'i', 'u', 'f' or 'c'. */
int tbpy_dtype_kind(tb_dtype t);
static inline bool tbpy_is_record(tb_dtype t) { return (unsigned)t > UINT8_MAX; }
/* record.c: structured, void and time dtypes. A numpy.dtype that is one, in the machine's byte order, as the library's;
 * ValueError "Unsupported dtype" for others. */
int tbpy_record_parse(PyObject *dtype, tb_dtype *out);
PyObject *tbpy_record_object(tb_dtype t); /* tbpy_dtype_object of those */
/* The dtype that n arrays have in common where one has records, as NumPy has it. */
int tbpy_record_common(int n, tb_array *const *arrays, tb_dtype *out);
/* a[name], and a[[name, ...]]: views. */
PyObject *tbpy_record_field(PyObject *a, PyObject *key);
int tbpy_record_assign_field(PyObject *a, PyObject *name, PyObject *value);
/* Whether key is such a one. */
bool tbpy_record_key(PyObject *a, PyObject *key);
/* One element as Python's: a tuple, bytes, a datetime. */
PyObject *tbpy_record_element(tb_array *a);
/* l == r or l != r, one of which is an ndarray of records. NULL with an exception, or a new reference. */
PyObject *tbpy_record_compare(PyObject *l, PyObject *r, bool equal);
static inline bool tbpy_has_records(PyObject *o)
{
    return tbpy_check(o) && tbpy_is_record(tb_array_dtype(tbpy_array(o)));
}

/* Whatever numpy.dtype() accepts (None: float64). TypeError that names the dtype if arrays cannot have it. */
int tbpy_dtype_parse(PyObject *o, tb_dtype *out);

/* ---- NumPy's types, known once somebody has imported NumPy ------------------------------------------------------ */

typedef struct tbpy_numpy_types {
    PyObject *dtype, *dtypes[TB_NDTYPE];  /* the class, and its objects; NULL for bfloat16, which is ml_dtypes' */
    PyTypeObject *scalars[TB_NDTYPE + 2]; /* the last two are longlong and ulonglong, where int64 is C's long */
    PyTypeObject *array, *generic;
    PyGetSetDef *array_dtype; /* the attribute's; NULL where it is of another kind */
} tbpy_numpy_types;
extern tbpy_numpy_types tbpy_numpy; /* for use after one of: */
/* Imports NumPy if nobody has. */
int tbpy_numpy_load(void);
/* Whether anybody has imported NumPy: before that, no object is of one of its types. */
bool tbpy_numpy_is_loaded(void);

/* Whether o is ml_dtypes.bfloat16 or its dtype object. Nobody's is before ml_dtypes has been imported. */
bool tbpy_is_bfloat(PyObject *o);
/* The bits of a number that bfloat16 has. */
uint16_t tbpy_bfloat_bits(double x);

/* True for numpy.ndarray and its subclasses. */
bool tbpy_is_host_array(PyObject *o);
/* A host array's or a scalar's dtype object: looking the attribute up takes longer than the rest of a small copy. */
PyObject *tbpy_host_dtype(PyObject *o);
bool tbpy_is_numpy_scalar(PyObject *o);
/* The dtype of NumPy's scalar type; TB_NODTYPE for any other type. */
tb_dtype tbpy_numpy_scalar_dtype(const PyTypeObject *type);
/* True for an instance of one of the NumPy integer types (bool excluded). */
bool tbpy_is_numpy_integer(PyObject *o);

/* ---- scalars and operands -------------------------------------------------------------------------------------- */

/* Python numbers give weak scalars, NumPy scalars strong ones. 1: o is a number; 0: it is not (no exception); -1: an
 * exception, such as OverflowError for an integer beyond 64 bits. */
int tbpy_scalar(PyObject *o, tb_scalar *out);
/* As tbpy_scalar, for a number that will be an element of dtype t (TB_NODTYPE: not known): floating dtypes take
 * integers beyond 64 bits, as the nearest float. */
int tbpy_element(PyObject *o, tb_dtype t, tb_scalar *out);
/* One number at host address p as a Python bool, int, float or complex. */
PyObject *tbpy_number(const void *p, tb_dtype t);

/* An operand of an elementwise function. *held receives NULL, or a new reference that keeps the operand alive and that
 * the caller drops after the call. TypeError "Unsupported type <class ...>" for host arrays, lists and the rest. */
int tbpy_operand(PyObject *o, tb_operand *out, PyObject **held);

/* The common operands without any look-up: arrays, floats, and integers of 64 bits. False: it is none of these. */
static inline bool tbpy_quick_operand(PyObject *o, tb_operand *out)
{
    if (tbpy_check_exact(o)) {
        out->kind = TB_OPERAND_ARRAY;
        out->array = tbpy_array(o);
        return true;
    }
    out->kind = TB_OPERAND_SCALAR;
    out->array = NULL;
    out->scalar.weak = true; /* by members: a whole structure that has just been written in parts is slow to copy */
    if (PyFloat_CheckExact(o)) {
        out->scalar.dtype = TB_F64;
        out->scalar.v.f = PyFloat_AS_DOUBLE(o);
        return true;
    }
    if (!PyLong_CheckExact(o)) return false;
    int overflow;
    out->scalar.dtype = TB_I64;
    out->scalar.v.i = PyLong_AsLongLongAndOverflow(o, &overflow);
    return !overflow;
}

/* n operands at once. On top of n calls of tbpy_operand, Python integers beyond 64 bits are taken as floats where they
 * meet a float or complex operand (NumPy's rule). On failure nothing is held. */
int tbpy_operands(int n, PyObject *const *objs, tb_operand *out, PyObject **held);
/* As tbpy_operands, for the inputs of u. Where u computes in floats whatever its inputs are (division), or compares,
 * such integers need no float beside them. */
int tbpy_ufunc_operands(const tb_ufunc *u, PyObject *const *objs, tb_operand *out, PyObject **held);

static inline void tbpy_drop_operands(int n, PyObject **held)
{
    for (int i = 0; i < n; i++) Py_XDECREF(held[i]);
}

/* ---- operations shared by methods and module functions --------------------------------------------------------- */

/* a.sum(axis, dtype, out, keepdims, ddof, initial) and its kind. Arguments that do not apply are NULL. */
PyObject *tbpy_reduce(tb_reduction op, PyObject *a, PyObject *axis, PyObject *dtype, PyObject *out, PyObject *keepdims,
                      PyObject *ddof, PyObject *initial);
/* r (stolen) as an object, or, where there is one, the out= argument that it is. */
PyObject *tbpy_result_or_out(tb_array *r, PyObject *out, PyObject *like);
/* a.cumsum(axis, dtype, out). */
PyObject *tbpy_scan(tb_reduction op, PyObject *a, PyObject *axis, PyObject *dtype, PyObject *out);
/* a @ b of two ndarrays; out is NULL, None or an ndarray. Finds a BLAS for the CPU backend when first needed. */
PyObject *tbpy_matmul(PyObject *a, PyObject *b, PyObject *out);
/* NumPy's dot of two ndarrays. */
PyObject *tbpy_dot(PyObject *a, PyObject *b, PyObject *out);
/* The numbers as a new numpy.ndarray. order: 'C', 'F' or 'A'. */
PyObject *tbpy_get(PyObject *a, char order);
/* dst[...] = value for any array-like or number, with NumPy's unsafe assignment casting. */
int tbpy_assign(PyObject *dst, PyObject *value);

/* ---- memory ---------------------------------------------------------------------------------------------------- */

/* A tombac.cuda.MemoryPointer into b at `offset` bytes; steals b. */
PyObject *tbpy_memory_pointer(tb_buffer *b, int64_t offset);
/* The buffer (borrowed) and offset of a MemoryPointer. TypeError for another object. */
int tbpy_memory_parse(PyObject *o, tb_buffer **b, int64_t *offset);

/* ---- arguments of user kernels ---------------------------------------------------------------------------------- */

enum { TBPY_KERNEL_ARGS = 32 }; /* as many need no allocation */

typedef union tbpy_value {
    int64_t i;
    double d[2];
    float f[2];
    void *p;
    char bytes[16];
} tbpy_value;

typedef struct tbpy_kernel_args {
    int n;
    tb_kernel_arg *args; /* for tb_function_launch */
    PyObject *held;      /* what they refer to beyond the objects themselves, or NULL */
    void *room;
    tb_kernel_arg small_args[TBPY_KERNEL_ARGS];
    tbpy_value small_values[TBPY_KERNEL_ARGS];
} tbpy_kernel_args;

/* n objects as arguments of f. The objects are borrowed and must live until the launch; then drop what was filled. On
 * failure there is nothing to drop. */
int tbpy_kernel_args_fill(const tb_function *f, PyObject *const *objs, Py_ssize_t n, tbpy_kernel_args *out);
void tbpy_kernel_args_drop(tbpy_kernel_args *args);

/* ---- Python code that the extension calls ---------------------------------------------------------------------- */

/* What *cache keeps from its first use on, NULL before that; borrowed. */
static inline PyObject *tbpy_kept(PyObject **cache) { return __atomic_load_n(cache, __ATOMIC_ACQUIRE); }
/* Has *cache keep `made`, which it steals, unless another thread was there first. What is kept, borrowed; NULL, with
 * its exception, for a NULL. */
PyObject *tbpy_keep(PyObject **cache, PyObject *made);
/* Attribute `name` of module `module`, imported when first asked for; `*cache` keeps it. Borrowed. */
PyObject *tbpy_import(PyObject **cache, const char *module, const char *name);
/* The same for what the package around the extension has registered by that name: package.c. */
PyObject *tbpy_package(PyObject **cache, const char *name);
/* A module of SciPy's by its full name: new reference. */
PyObject *tbpy_host_module(const char *name);
/* Before many elements are put in order: host_sort.c. */
void tbpy_provide_sort(void);

/* ---- registration: each adds its names to the module --------------------------------------------------------- */

int tbpy_add_package(PyObject *m);
int tbpy_add_errors(PyObject *m);
int tbpy_add_dtypes(PyObject *m);
int tbpy_add_ndarray(PyObject *m); /* after errors, dtypes */
int tbpy_add_flags(PyObject *m);
int tbpy_add_flatiter(PyObject *m);
int tbpy_add_memory(PyObject *m);
int tbpy_add_creation(PyObject *m);
int tbpy_add_interop(PyObject *m);
int tbpy_add_ufuncs(PyObject *m);
int tbpy_add_reductions(PyObject *m);
int tbpy_add_random(PyObject *m);
int tbpy_add_draws(PyObject *m);
int tbpy_add_state_function(PyObject *m);
int tbpy_add_host_values(PyObject *m);
int tbpy_add_integrand(PyObject *m);
int tbpy_add_fft(PyObject *m);
int tbpy_add_cuda(PyObject *m);
int tbpy_add_functions(PyObject *m);
int tbpy_add_raw_module(PyObject *m);
int tbpy_add_raw_kernel(PyObject *m);
int tbpy_add_elementwise_kernel(PyObject *m);
int tbpy_add_reduction_kernel(PyObject *m);
int tbpy_add_interrupt(PyObject *m);
int tbpy_add_jit(PyObject *m);
int tbpy_add_vectorize(PyObject *m);

#endif
