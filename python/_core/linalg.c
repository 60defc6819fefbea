/* linalg.c - matmul and dot, for the module and for the ndarray methods, and the BLAS and LAPACK that SciPy has for the
 * host. */
#include "reduce_args.h"
#include "docs_arrays.h"

#include <stdatomic.h>

/* Address behind one of the functions that a module of SciPy's exports, NULL if it is not there. */
static void *exported_function(void *capi, const char *name)
{
    PyObject *capsule = PyMapping_GetItemString(capi, name);
    void *p = capsule ? PyCapsule_GetPointer(capsule, PyCapsule_GetName(capsule)) : NULL;
    Py_XDECREF(capsule);
    return p;
}

/* A library that SciPy has and libtombac wants. Without SciPy it looks for one itself, and its message says what to
 * install; so an ImportError is no failure here. */
typedef struct host_library {
    const char *module;
    void (*provide)(void *(*find)(void *arg, const char *name), void *arg);
    atomic_bool without;
} host_library;

static int provide(host_library *l)
{
    if (l->without) return 0;
    PyObject *module = tbpy_host_module(l->module);
    if (module == NULL) {
        if (!PyErr_ExceptionMatches(PyExc_ImportError)) return -1;
        PyErr_Clear();
        l->without = true;
        return 0;
    }
    PyObject *capi = PyObject_GetAttrString(module, "__pyx_capi__");
    Py_DECREF(module);
    if (capi == NULL) return -1;
    l->provide(exported_function, capi);
    Py_DECREF(capi);
    return PyErr_Occurred() ? -1 : 0;
}

int tbpy_provide_blas(void)
{
    static host_library blas = {"scipy.linalg.cython_blas", tb_provide_blas, false};
    return tb_needs_blas() ? provide(&blas) : 0;
}

int tbpy_provide_lapack(void)
{
    static host_library lapack = {"scipy.linalg.cython_lapack", tb_provide_lapack, false};
    return provide(&lapack);
}

typedef struct product_functions {
    tb_status (*call)(tb_array *a, tb_array *b, tb_array **out);
    tb_status (*into)(tb_array *a, tb_array *b, tb_array *into);
} product_functions;

static const product_functions matmul = {tb_matmul, tb_matmul_into}, dot = {tb_dot, tb_dot_into},
                               inner = {tb_inner, NULL}, matvec = {tb_matvec, tb_matvec_into},
                               vecmat = {tb_vecmat, tb_vecmat_into};

/* a @ b or dot(a, b) as a new array in *r, or written to `into` if there is one. */
static int product(const product_functions *f, tb_array *a, tb_array *b, tb_array *into, tb_array **r)
{
    bool matrices = tb_array_ndim(a) > 1 || tb_array_ndim(b) > 1; /* other products need no BLAS */
    bool inexact = tb_dtype_kind(tb_promote(tb_array_dtype(a), tb_array_dtype(b))) > TB_KIND_INT;
    if (matrices && tb_array_ndim(a) && tb_array_ndim(b) && inexact && tbpy_provide_blas() < 0) return -1;
    tb_status st;
    TBPY_UNLOCKED_IF(tb_array_size(a) + tb_array_size(b), st, into ? f->into(a, b, into) : f->call(a, b, r));
    return st == TB_OK ? 0 : tbpy_fail(st);
}

static PyObject *out_object(PyObject *out) { return Py_NewRef(PyTuple_Check(out) ? PyTuple_GET_ITEM(out, 0) : out); }

static PyObject *call(const product_functions *f, PyObject *a, PyObject *b, PyObject *out)
{
    tb_array *target = NULL, *r = NULL;
    if (out && tbpy_out_arg(out, &target) < 0) return NULL;
    if (product(f, tbpy_array(a), tbpy_array(b), target, &r) < 0) return NULL;
    return target ? out_object(out) : tbpy_wrap_like(r, a);
}

PyObject *tbpy_matmul(PyObject *a, PyObject *b, PyObject *out) { return call(&matmul, a, b, out); }

/* Unlike other functions, dot casts nothing to what it is given. */
PyObject *tbpy_dot(PyObject *a, PyObject *b, PyObject *out)
{
    tb_array *target;
    if (out && tbpy_out_arg(out, &target) < 0) return NULL;
    const tb_dtype t = tb_promote(tb_array_dtype(tbpy_array(a)), tb_array_dtype(tbpy_array(b)));
    if (out && target && (tb_array_dtype(target) != t || !tb_array_is_c_contiguous(target)))
        return PyErr_Format(PyExc_ValueError, "dot: out must have the result's dtype, %s, and be in C order",
                            tb_dtype_name(t));
    return call(&dot, a, b, out);
}

/* ---- module functions -------------------------------------------------------------------------------------------- */

static PyObject *call_product(PyObject *(*f)(PyObject *, PyObject *, PyObject *), PyObject *x, PyObject *y,
                              PyObject *out)
{
    PyObject *a = tbpy_device_array(x), *b = a ? tbpy_device_array(y) : NULL;
    PyObject *r = b ? f(a, b, out) : NULL;
    Py_XDECREF(a);
    Py_XDECREF(b);
    return r;
}

/* Writes the product r (stolen) to out by a casting rule of the caller's. */
static PyObject *deliver(PyObject *r, PyObject *out, tb_casting casting)
{
    tb_array *target, *from = tbpy_array(r);
    if (tbpy_out_arg(out, &target) < 0) {
        Py_DECREF(r);
        return NULL;
    }
    int n = tb_array_ndim(target);
    bool fits = n == tb_array_ndim(from) &&
                memcmp(tb_array_shape(target), tb_array_shape(from), (size_t)n * sizeof(int64_t)) == 0;
    bool warned = casting == TB_CAST_UNSAFE && tbpy_warn_complex(tb_array_dtype(from), tb_array_dtype(target)) < 0;
    tb_status st = fits && !warned ? tb_assign(target, from, casting) : TB_OK;
    Py_DECREF(r);
    if (warned) return NULL;
    if (st != TB_OK) return tbpy_raise(st);
    return fits ? out_object(out) : PyErr_Format(PyExc_ValueError, "matmul: out does not have the product's shape");
}

/* The product of operands cast to t (TB_NODTYPE: to their common dtype): for matmul's dtype= and casting=. */
static PyObject *matmul_cast(PyObject *x, PyObject *y, PyObject *out, tb_dtype t, tb_casting casting)
{
    PyObject *in[2] = {x, y}, *cast[2] = {NULL, NULL}, *result = NULL;
    if (t == TB_NODTYPE) {
        PyObject *a = tbpy_device_array(x), *b = a ? tbpy_device_array(y) : NULL;
        if (b) t = tb_promote(tb_array_dtype(tbpy_array(a)), tb_array_dtype(tbpy_array(b)));
        Py_XDECREF(a);
        Py_XDECREF(b);
        if (!b) return NULL;
    }
    for (int i = 0; i < 2; i++) {
        PyObject *a = tbpy_device_array(in[i]);
        if (a == NULL) goto done;
        tb_array *c;
        tb_status st = tb_astype(tbpy_array(a), t, 'K', casting, false, &c);
        if (st == TB_OK && tbpy_warn_complex(tb_array_dtype(tbpy_array(a)), t) < 0) tb_array_release(c);
        else cast[i] = st == TB_OK ? tbpy_wrap_like(c, a) : tbpy_raise(st);
        Py_DECREF(a);
        if (cast[i] == NULL) goto done;
    }
    bool own_rule = out && out != Py_None && casting != TB_CAST_SAME_KIND;
    result = tbpy_matmul(cast[0], cast[1], own_rule ? NULL : out);
    if (result && own_rule) result = deliver(result, out, casting);
done:
    Py_XDECREF(cast[0]);
    Py_XDECREF(cast[1]);
    return result;
}

/* matmul with axes=, axis=, keepdims=, signature= or sig=, the last five of v: a composition. */
static PyObject *matmul_along(PyObject *const *v)
{
    static PyObject *f;
    PyObject *args[12];
    for (int i = 0; i < 12; i++) args[i] = v[i] ? v[i] : Py_None;
    if (v[9]) args[9] = Py_True; /* keepdims=False is refused too */
    return tbpy_package(&f, "matmul_along") ? PyObject_Vectorcall(f, args, 12, NULL) : NULL;
}

static PyObject *lin_matmul(PyObject *Py_UNUSED(m), PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    static const char *const names[] = {"x1",   "x2",   "out",      "dtype",     "casting", "order", "subok",
                                        "axes", "axis", "keepdims", "signature", "sig",     NULL};
    PyObject *v[12];
    tb_dtype t = TB_NODTYPE;
    tb_casting casting = TB_CAST_SAME_KIND;
    char order = 'K';
    if (tbpy_parse("matmul", names, 2, 3, args, nargs, kwnames, v) < 0) return NULL;
    for (int i = 7; i < 12; i++)
        if (v[i]) return matmul_along(v);
    if (tbpy_optional_dtype(v[3], &t) < 0 || tbpy_casting(v[4], &casting) < 0 || tbpy_order(v[5], &order) < 0)
        return NULL;
    PyObject *r = t == TB_NODTYPE && casting == TB_CAST_SAME_KIND ? call_product(tbpy_matmul, v[0], v[1], v[2])
                                                                  : matmul_cast(v[0], v[1], v[2], t, casting);
    if (!r || order != 'F' || (v[2] && v[2] != Py_None)) return r;
    tb_array *turned;
    tb_status st = tb_copy(tbpy_array(r), 'F', &turned);
    PyObject *f = st == TB_OK ? tbpy_wrap_like(turned, r) : tbpy_raise(st);
    Py_DECREF(r);
    return f;
}

static PyObject *lin_dot(PyObject *Py_UNUSED(m), PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    static const char *const names[] = {"a", "b", "out", NULL};
    PyObject *v[3];
    if (tbpy_parse("dot", names, 2, 3, args, nargs, kwnames, v) < 0) return NULL;
    PyObject *host = tbpy_host_method("dot", names, v);
    if (host || PyErr_Occurred()) return host;
    return call_product(tbpy_dot, v[0], v[1], v[2]);
}

/* A product of two arrays or numbers that takes no out=. */
static PyObject *of_two(const char *name, PyObject *(*f)(PyObject *, PyObject *, PyObject *), PyObject *const *args,
                        Py_ssize_t nargs, PyObject *kwnames)
{
    static const char *const names[] = {"a", "b", NULL};
    PyObject *v[2];
    return tbpy_parse(name, names, 2, 2, args, nargs, kwnames, v) < 0 ? NULL : call_product(f, v[0], v[1], NULL);
}

static PyObject *inner_of(PyObject *a, PyObject *b, PyObject *out) { return call(&inner, a, b, out); }

static PyObject *lin_inner(PyObject *Py_UNUSED(m), PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    return of_two("inner", inner_of, args, nargs, kwnames);
}

/* Needs no BLAS. */
static PyObject *vdot_of(PyObject *a, PyObject *b, PyObject *Py_UNUSED(out))
{
    tb_status st;
    tb_array *r;
    TBPY_UNLOCKED_IF(tb_array_size(tbpy_array(a)), st, tb_vdot(tbpy_array(a), tbpy_array(b), &r));
    return st == TB_OK ? tbpy_wrap_like(r, a) : tbpy_raise(st);
}

static PyObject *lin_vdot(PyObject *Py_UNUSED(m), PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    return of_two("vdot", vdot_of, args, nargs, kwnames);
}

/* Whether both of v are arrays of tombac's. */
static bool are_arrays(const char *name, PyObject *const *v)
{
    for (int i = 0; i < 2; i++) {
        if (tbpy_check(v[i])) continue;
        PyErr_Format(PyExc_TypeError, "%s: a tombac.ndarray is expected, not %R", name, Py_TYPE(v[i]));
        return false;
    }
    return true;
}

/* What a product with vectors takes, as every generalized ufunc of NumPy's. */
enum { X1, X2, OUT, AXIS, KEEPDIMS, NVECTOR = 12 };
static const char *const vector_names[] = {"x1",      "x2",    "out",   "axis",      "keepdims", "axes", "dtype",
                                           "casting", "order", "subok", "signature", "sig",      NULL};

/* Whether any of the arguments from `first` on is given. */
static bool are_given(PyObject *const *v, int first)
{
    for (int i = first; i < NVECTOR; i++)
        if (v[i] && v[i] != Py_None) return true;
    return false;
}

static PyObject *vector_product_along(const char *name, PyObject *const *v)
{
    static PyObject *f;
    PyObject *args[1 + NVECTOR] = {PyUnicode_FromString(name)};
    for (int i = 0; i < NVECTOR; i++) args[1 + i] = v[i] ? v[i] : Py_None;
    PyObject *r =
        args[0] && tbpy_package(&f, "vector_product_along") ? PyObject_Vectorcall(f, args, 1 + NVECTOR, NULL) : NULL;
    Py_XDECREF(args[0]);
    return r;
}

static PyObject *lin_vecdot(PyObject *Py_UNUSED(m), PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    PyObject *v[NVECTOR];
    int axis = -1;
    tb_status st;
    tb_array *r;
    if (tbpy_parse("vecdot", vector_names, 2, 3, args, nargs, kwnames, v) < 0 || !are_arrays("vecdot", v)) return NULL;
    if ((v[OUT] && v[OUT] != Py_None) || are_given(v, KEEPDIMS)) return vector_product_along("vecdot", v);
    if (tbpy_axis(v[AXIS], &axis) < 0) return NULL;
    tb_array *a = tbpy_array(v[0]), *b = tbpy_array(v[1]);
    TBPY_UNLOCKED_IF(tb_array_size(a) + tb_array_size(b), st, tb_vecdot(a, b, axis, &r));
    return st == TB_OK ? tbpy_wrap_like(r, v[0]) : tbpy_raise(st);
}

static PyObject *with_vector(const char *name, const product_functions *f, PyObject *const *args, Py_ssize_t nargs,
                             PyObject *kwnames)
{
    PyObject *v[NVECTOR];
    if (tbpy_parse(name, vector_names, 2, 3, args, nargs, kwnames, v) < 0 || !are_arrays(name, v)) return NULL;
    return are_given(v, AXIS) ? vector_product_along(name, v) : call(f, v[X1], v[X2], v[OUT]);
}

static PyObject *lin_matvec(PyObject *Py_UNUSED(m), PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    return with_vector("matvec", &matvec, args, nargs, kwnames);
}

static PyObject *lin_vecmat(PyObject *Py_UNUSED(m), PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    return with_vector("vecmat", &vecmat, args, nargs, kwnames);
}

/* ---- what a plan of a product depends on ------------------------------------------------------------------------- */

/* Whether they are arrays of one dtype. */
static bool are_alike(Py_ssize_t n, PyObject *const *arrays)
{
    for (Py_ssize_t i = 0; i < n; i++)
        if (!tbpy_check(arrays[i]) || tb_array_dtype(tbpy_array(arrays[i])) != tb_array_dtype(tbpy_array(arrays[0])))
            return false;
    return n > 0;
}

/* layouts(subscripts, *arrays): None unless these are a str and arrays of one dtype. */
static PyObject *lin_layouts(PyObject *Py_UNUSED(m), PyObject *const *args, Py_ssize_t nargs)
{
    const Py_ssize_t n = nargs - 1;
    if (n < 1 || !PyUnicode_Check(args[0]) || !are_alike(n, args + 1)) Py_RETURN_NONE;
    const tb_dtype t = tb_array_dtype(tbpy_array(args[1]));
    PyObject *shapes = PyTuple_New(n), *strides = PyTuple_New(n);
    for (Py_ssize_t i = 0; shapes && strides && i < n; i++) {
        const tb_array *a = tbpy_array(args[i + 1]);
        PyTuple_SET_ITEM(shapes, i, tbpy_int_tuple(tb_array_ndim(a), tb_array_shape(a)));
        PyTuple_SET_ITEM(strides, i, tbpy_int_tuple(tb_array_ndim(a), tb_array_strides(a)));
    }
    if (!PyErr_Occurred()) return Py_BuildValue("(NNn)", shapes, strides, (Py_ssize_t)tb_dtype_size(t));
    Py_XDECREF(shapes);
    Py_XDECREF(strides);
    return NULL;
}

/* ---- how exactly libraries compute ------------------------------------------------------------------------------- */

static const char *const computes[] = {"TBD", "DEFAULT", "PEDANTIC", "FP16", "FP32", "FP64", "BF16", "TF32"};
enum { NCOMPUTE = sizeof computes / sizeof *computes };

static int compute_dtype(PyObject *o, tb_dtype *t)
{
    if (tbpy_dtype_parse(o, t) < 0) return -1;
    if (*t < TB_NDTYPE) return 0;
    PyErr_Format(PyExc_TypeError, "compute type: dtype must be one of numbers, not %S", o);
    return -1;
}

static PyObject *lin_set_compute_type(PyObject *Py_UNUSED(m), PyObject *args)
{
    PyObject *o;
    int how;
    tb_dtype t;
    if (!PyArg_ParseTuple(args, "Oi:set_compute_type", &o, &how) || compute_dtype(o, &t) < 0) return NULL;
    if (how < 0 || how >= NCOMPUTE)
        return PyErr_Format(PyExc_ValueError, "set_compute_type: Unknown compute type: %d", how);
    TBPY_TRY(tb_compute_set(t, (tb_compute)how));
    Py_RETURN_NONE;
}

static PyObject *lin_get_compute_type(PyObject *Py_UNUSED(m), PyObject *o)
{
    tb_dtype t;
    tb_compute how;
    if (compute_dtype(o, &t) < 0) return NULL;
    TBPY_TRY(tb_compute_get(t, &how));
    return PyLong_FromLong(how);
}

static PyObject *lin_compute_type_to_str(PyObject *Py_UNUSED(m), PyObject *o)
{
    const long how = PyLong_AsLong(o);
    if (how == -1 && PyErr_Occurred()) return NULL;
    if (how < 0 || how >= NCOMPUTE)
        return PyErr_Format(PyExc_ValueError, "compute_type_to_str: Unknown compute type: %ld", how);
    return PyUnicode_FromFormat("COMPUTE_TYPE_%s", computes[how]);
}

/* Programs know these as names of a module of CuPy's, _core._routines_linalg. */
static int add_compute_types(PyObject *m)
{
    char name[32];
    for (int i = 0; i < NCOMPUTE; i++) {
        snprintf(name, sizeof name, "COMPUTE_TYPE_%s", computes[i]);
        if (PyModule_AddIntConstant(m, name, i) < 0) return -1;
    }
    return PyModule_AddObjectRef(m, "_routines_linalg", m);
}

#define VECTOR_OPTIONS "dtype=None, casting='same_kind', order='K', subok=True, signature=None)\n--\n\n"
#define FAST(f) (PyCFunction)(void (*)(void))(f), METH_FASTCALL | METH_KEYWORDS
static PyMethodDef methods[] = {
    {"matmul", FAST(lin_matmul),
     "matmul(x1, x2, /, out=None, *, dtype=None, casting='same_kind', order='K', subok=True, axes=None, "
     "signature=None)\n--\n\n" TBPY_DOC_matmul},
    {"dot", FAST(lin_dot), "dot(a, b, out=None)\n--\n\n" TBPY_DOC_dot},
    {"inner", FAST(lin_inner), "inner(a, b)\n--\n\n" TBPY_DOC_inner},
    {"layouts", (PyCFunction)(void (*)(void))lin_layouts, METH_FASTCALL,
     "layouts(subscripts, *arrays)\n--\n\nShapes, strides in bytes, and bytes an element, of arrays of one dtype; None "
     "for other arguments."},
    {"vdot", FAST(lin_vdot), "vdot(a, b)\n--\n\n" TBPY_DOC_vdot},
    {"vecdot", FAST(lin_vecdot),
     "vecdot(x1, x2, /, out=None, *, axis=-1, keepdims=False, axes=None, " VECTOR_OPTIONS TBPY_DOC_vecdot},
    {"matvec", FAST(lin_matvec), "matvec(x1, x2, /, out=None, *, axes=None, " VECTOR_OPTIONS TBPY_DOC_matvec},
    {"vecmat", FAST(lin_vecmat), "vecmat(x1, x2, /, out=None, *, axes=None, " VECTOR_OPTIONS TBPY_DOC_vecmat},
    {"set_compute_type", lin_set_compute_type, METH_VARARGS,
     "set_compute_type(dtype, compute_type)\n--\n\nHow exactly a GPU's library may compute products of this dtype: one "
     "of COMPUTE_TYPE_..., for all threads. tombac.config.compute_type does it by name."},
    {"get_compute_type", lin_get_compute_type, METH_O,
     "get_compute_type(dtype, /)\n--\n\nWhat set_compute_type has chosen, or the default."},
    {"compute_type_to_str", lin_compute_type_to_str, METH_O,
     "compute_type_to_str(compute_type, /)\n--\n\nThe name of one of COMPUTE_TYPE_...."},
    {NULL, NULL, 0, NULL}};

int tbpy_add_linalg(PyObject *m) { return PyModule_AddFunctions(m, methods) < 0 || add_compute_types(m) < 0 ? -1 : 0; }
