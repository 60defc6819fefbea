/* draws.c - the draws of tombac.random that are numbers straight from a stream: uniform, normal, exponential, integers.
 *
 * They are methods of the classes in tombac.random, whose other distributions are compositions. A method finds its
 * stream in self._rng. Parameters that are arrays are left to the composition of the same name after an underscore. */
#include "random.h"
#include "docs_random.h"

#include <math.h>

#define METHOD(name) static PyObject *name(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)

static PyObject *rng_name; /* "_rng" */

/* ---- arguments --------------------------------------------------------------------------------------------------- */

static int float_dtype(const char *who, PyObject *o, tb_dtype *t)
{
    *t = TB_F64;
    if (tbpy_optional_dtype(o, t) < 0) return -1;
    if (tb_dtype_kind(*t) == TB_KIND_FLOAT) return 0;
    PyErr_Format(PyExc_TypeError, "%s: dtype must be float16, float32 or float64, not %s", who, tb_dtype_name(*t));
    return -1;
}

static int integer_dtype(const char *who, PyObject *o, tb_dtype *t)
{
    *t = TB_I64;
    if (tbpy_optional_dtype(o, t) < 0) return -1;
    if (tb_dtype_kind(*t) <= TB_KIND_INT) return 0;
    PyErr_Format(PyExc_TypeError, "%s: dtype must be an integer dtype or bool, not %s", who, tb_dtype_name(*t));
    return -1;
}

static bool is_number(PyObject *o)
{
    return PyFloat_Check(o) || PyLong_Check(o) || tbpy_numpy_scalar_dtype(Py_TYPE(o)) != TB_NODTYPE;
}

/* 1: o is a number, or absent, which leaves *out as it is; 0: it is something else; -1: error. */
static int read_number(PyObject *o, double *out)
{
    if (!o) return 1;
    if (!is_number(o)) return 0;
    *out = PyFloat_AsDouble(o);
    return *out == -1 && PyErr_Occurred() ? -1 : 1;
}

/* The same for two; both are read. */
static int read_numbers(PyObject *a, PyObject *b, double *out)
{
    int first = read_number(a, &out[0]), second = first < 0 ? -1 : read_number(b, &out[1]);
    return second < 0 ? -1 : first && second;
}

static int check_scale(const char *who, double scale, PyObject *o)
{
    if (!(scale < 0)) return 0; /* NaN passes, as in NumPy */
    PyErr_Format(PyExc_ValueError, "%s: scale must not be negative, got %S", who, o);
    return -1;
}

static int read_size(PyObject *size, tbpy_draw_args *d)
{
    return size && size != Py_None ? tbpy_shape(size, &d->ndim, d->shape) : 0;
}

/* ---- drawing ----------------------------------------------------------------------------------------------------- */

static PyObject *draw(PyObject *self, const tbpy_draw_args *d)
{
    PyObject *rng = PyObject_GetAttr(self, rng_name), *result = NULL;
    if (!rng) return NULL;
    if (Py_IS_TYPE(rng, tbpy_rng_type)) result = tbpy_draw((TbRng *)rng, d);
    else PyErr_Format(PyExc_TypeError, "_rng must be a random stream, not %R", Py_TYPE(rng));
    Py_DECREF(rng);
    return result;
}

static PyObject *draw_floats(PyObject *self, tb_distribution distribution, tb_dtype t, const double *p, PyObject *size)
{
    tbpy_draw_args d = {.distribution = distribution, .dtype = t};
    d.p0 = tb_scalar_float(p[0]);
    d.p1 = tb_scalar_float(p[1]);
    return read_size(size, &d) < 0 ? NULL : draw(self, &d);
}

static const double unit[2] = {0, 1};    /* of uniform numbers and of normal ones */
static const double scale_1[2] = {1, 0}; /* of exponential numbers */

/* Standard numbers of a float dtype, delivered to `out` if that is an array. */
static PyObject *draw_standard(const char *who, PyObject *self, tb_distribution distribution, PyObject *dtype,
                               PyObject *size, PyObject *out)
{
    tb_dtype t;
    const double *p = distribution == TB_RAND_EXPONENTIAL ? scale_1 : unit;
    if (float_dtype(who, dtype, &t) < 0) return NULL;
    if (!out || out == Py_None) return draw_floats(self, distribution, t, p, size);
    if (!tbpy_check(out)) return PyErr_Format(PyExc_TypeError, "out must be a tombac.ndarray, not %R", Py_TYPE(out));
    const tb_array *a = tbpy_array(out);
    if (tb_array_dtype(a) != t)
        return PyErr_Format(PyExc_TypeError, "out has the wrong dtype: %s is expected, not %s", tb_dtype_name(t),
                            tb_dtype_name(tb_array_dtype(a)));
    tbpy_draw_args d = {.distribution = distribution, .dtype = t, .ndim = tb_array_ndim(a)};
    memcpy(d.shape, tb_array_shape(a), (size_t)d.ndim * sizeof *d.shape);
    d.p0 = tb_scalar_float(p[0]);
    d.p1 = tb_scalar_float(p[1]);
    if (read_size(size, &d) < 0) return NULL;
    bool fits = tb_array_ndim(a) == d.ndim && memcmp(d.shape, tb_array_shape(a), (size_t)d.ndim * sizeof *d.shape) == 0;
    if (!fits) {
        PyObject *shape = tbpy_int_tuple(d.ndim, d.shape);
        if (shape) PyErr_Format(PyExc_ValueError, "out must have shape %R", shape);
        Py_XDECREF(shape);
        return NULL;
    }
    PyObject *drawn = draw(self, &d);
    int r = drawn ? tbpy_assign(out, drawn) : -1;
    Py_XDECREF(drawn);
    return r < 0 ? NULL : Py_NewRef(out);
}

/* self.method(a, b, size, dtype): a and b as they were given, or the numbers that they default to. */
static PyObject *compose(PyObject *self, const char *method, PyObject *a, PyObject *b, const double *defaults,
                         PyObject *size, tb_dtype t)
{
    PyObject *x = a ? Py_NewRef(a) : PyFloat_FromDouble(defaults[0]);
    PyObject *y = b ? Py_NewRef(b) : PyFloat_FromDouble(defaults[1]);
    PyObject *result = NULL;
    if (x && y) result = PyObject_CallMethod(self, method, "OOOO", x, y, size ? size : Py_None, tbpy_dtype_object(t));
    Py_XDECREF(x);
    Py_XDECREF(y);
    return result;
}

/* ---- floats ------------------------------------------------------------------------------------------------------ */

static PyObject *constant(double value, tb_dtype t, PyObject *size)
{
    tbpy_draw_args d = {.dtype = t};
    tb_array *r;
    if (read_size(size, &d) < 0) return NULL;
    TBPY_TRY(tb_full(t, d.ndim, d.shape, 'C', tb_scalar_float(value), &r));
    return tbpy_wrap(r);
}

/* `ordered`: whether `high` must not be below `low`. */
static PyObject *uniform_numbers(PyObject *self, bool ordered, PyObject *const *args, Py_ssize_t nargs,
                                 PyObject *kwnames)
{
    static const char *const names[] = {"low", "high", "size", "dtype", NULL};
    PyObject *v[4];
    double p[2] = {0, 1};
    tb_dtype t;
    if (tbpy_parse("uniform", names, 0, 4, args, nargs, kwnames, v) < 0 || float_dtype("uniform", v[3], &t) < 0)
        return NULL;
    int r = read_numbers(v[0], v[1], p);
    if (r <= 0) return r < 0 ? NULL : compose(self, "_uniform", v[0], v[1], p, v[2], t);
    if (!isfinite(p[1] - p[0])) {
        PyErr_SetString(PyExc_OverflowError, "uniform: the range is not finite");
        return NULL;
    }
    if (ordered && p[1] < p[0]) {
        PyErr_SetString(PyExc_ValueError, "uniform: high < low");
        return NULL;
    }
    return p[0] == p[1] ? constant(p[0], t, v[2]) : draw_floats(self, TB_RAND_UNIFORM, t, p, v[2]);
}

METHOD(uniform) { return uniform_numbers(self, false, args, nargs, kwnames); }
METHOD(generator_uniform) { return uniform_numbers(self, true, args, nargs, kwnames); }

METHOD(normal)
{
    static const char *const names[] = {"loc", "scale", "size", "dtype", NULL};
    PyObject *v[4];
    double p[2] = {0, 1};
    tb_dtype t;
    if (tbpy_parse("normal", names, 0, 4, args, nargs, kwnames, v) < 0 || float_dtype("normal", v[3], &t) < 0)
        return NULL;
    int r = read_numbers(v[0], v[1], p);
    if (r < 0 || check_scale("normal", p[1], v[1]) < 0) return NULL;
    return r ? draw_floats(self, TB_RAND_NORMAL, t, p, v[2]) : compose(self, "_normal", v[0], v[1], p, v[2], t);
}

METHOD(exponential)
{
    static const char *const names[] = {"scale", "size", "dtype", NULL};
    PyObject *v[3];
    double p[2] = {1, 0};
    tb_dtype t;
    if (tbpy_parse("exponential", names, 0, 3, args, nargs, kwnames, v) < 0 || float_dtype("exponential", v[2], &t) < 0)
        return NULL;
    int r = read_number(v[0], &p[0]);
    if (r == 0)
        return PyObject_CallMethod(self, "_exponential", "OOO", v[0], v[1] ? v[1] : Py_None, tbpy_dtype_object(t));
    if (r < 0 || check_scale("exponential", p[0], v[0]) < 0) return NULL;
    return draw_floats(self, TB_RAND_EXPONENTIAL, t, p, v[1]);
}

static PyObject *sized_standard(const char *who, PyObject *self, tb_distribution distribution, PyObject *const *args,
                                Py_ssize_t nargs, PyObject *kwnames)
{
    static const char *const names[] = {"size", "dtype", NULL};
    PyObject *v[2];
    if (tbpy_parse(who, names, 0, 2, args, nargs, kwnames, v) < 0) return NULL;
    return draw_standard(who, self, distribution, v[1], v[0], NULL);
}

METHOD(random_sample) { return sized_standard("random_sample", self, TB_RAND_UNIFORM, args, nargs, kwnames); }
METHOD(standard_normal) { return sized_standard("standard_normal", self, TB_RAND_NORMAL, args, nargs, kwnames); }
METHOD(standard_exponential)
{
    return sized_standard("standard_exponential", self, TB_RAND_EXPONENTIAL, args, nargs, kwnames);
}

static PyObject *standard_out(const char *who, PyObject *self, tb_distribution distribution, PyObject *const *args,
                              Py_ssize_t nargs, PyObject *kwnames)
{
    static const char *const names[] = {"size", "dtype", "out", NULL};
    PyObject *v[3];
    if (tbpy_parse(who, names, 0, 3, args, nargs, kwnames, v) < 0) return NULL;
    return draw_standard(who, self, distribution, v[1], v[0], v[2]);
}

METHOD(generator_random) { return standard_out("random", self, TB_RAND_UNIFORM, args, nargs, kwnames); }
METHOD(generator_normal) { return standard_out("standard_normal", self, TB_RAND_NORMAL, args, nargs, kwnames); }
METHOD(generator_exponential)
{
    static const char *const names[] = {"size", "dtype", "method", "out", NULL};
    PyObject *v[4];
    if (tbpy_parse("standard_exponential", names, 0, 4, args, nargs, kwnames, v) < 0) return NULL;
    return draw_standard("standard_exponential", self, TB_RAND_EXPONENTIAL, v[1], v[0], v[3]);
}

/* rand(2, 3): lengths as arguments of their own. */
static PyObject *by_lengths(const char *who, PyObject *self, tb_distribution distribution, PyObject *const *args,
                            Py_ssize_t nargs, PyObject *kwnames)
{
    static const char *const names[] = {"dtype", NULL};
    PyObject *dtype, *size, *result = NULL;
    if (tbpy_parse(who, names, 0, 0, args + nargs, 0, kwnames, &dtype) < 0 || !(size = PyTuple_New(nargs))) return NULL;
    for (Py_ssize_t i = 0; i < nargs; i++) PyTuple_SET_ITEM(size, i, Py_NewRef(args[i]));
    result = draw_standard(who, self, distribution, dtype, size, NULL);
    Py_DECREF(size);
    return result;
}

METHOD(rand_lengths) { return by_lengths("rand", self, TB_RAND_UNIFORM, args, nargs, kwnames); }
METHOD(randn_lengths) { return by_lengths("randn", self, TB_RAND_NORMAL, args, nargs, kwnames); }

/* ---- integers ---------------------------------------------------------------------------------------------------- */

typedef __int128 wide; /* holds every integer of 64 bits, and what lies next to them */

/* 2^64 itself is the end of the range of all uint64: so it is one less that is read. What is further away is far. */
static int beyond_int64(PyObject *i, int sign, wide *out)
{
    PyObject *less = PyNumber_Subtract(i, Py_True);
    if (!less) return -1;
    const unsigned long long u = sign > 0 ? PyLong_AsUnsignedLongLong(less) : 0;
    *out = sign < 0 || PyErr_Occurred() ? (wide)sign * ((wide)1 << 100) : (wide)u + 1;
    PyErr_Clear();
    Py_DECREF(less);
    return 0;
}

/* A number as an integer: floats go up, or else towards zero. */
static int read_bound(PyObject *o, bool up, wide *out)
{
    tb_dtype t = tbpy_numpy_scalar_dtype(Py_TYPE(o));
    bool is_float = PyFloat_Check(o) || (t != TB_NODTYPE && tb_dtype_kind(t) == TB_KIND_FLOAT);
    double x = is_float ? PyFloat_AsDouble(o) : 0;
    PyObject *i = is_float ? PyLong_FromDouble(up ? ceil(x) : x) : PyNumber_Long(o);
    if (!i) return -1;
    int overflow;
    *out = PyLong_AsLongLongAndOverflow(i, &overflow);
    const int result = overflow ? beyond_int64(i, overflow, out) : 0;
    Py_DECREF(i);
    return result;
}

static int check_range(const char *who, tb_dtype t, wide low, wide top, bool inclusive)
{
    const int bits = 8 * (int)tb_dtype_size(t);
    wide least = 0, most = 1;
    if (t != TB_BOOL) {
        least = tb_dtype_is_unsigned(t) ? 0 : -((wide)1 << (bits - 1));
        most = least + ((wide)1 << bits) - 1;
    }
    if (low < least || top > most)
        PyErr_Format(PyExc_ValueError, "%s: %s is out of bounds for %s", who, low < least ? "low" : "high",
                     tb_dtype_name(t));
    else if (low > top) PyErr_Format(PyExc_ValueError, inclusive ? "%s: low > high" : "%s: low >= high", who);
    else return 0;
    return -1;
}

typedef struct integer_args {
    const char *who;
    PyObject *low, *high, *size, *dtype;
    bool inclusive;
} integer_args;

static PyObject *integers_by_arrays(PyObject *self, const integer_args *a, tb_dtype t)
{
    return PyObject_CallMethod(self, "_integers", "OOOOO", a->low, a->high, a->size ? a->size : Py_None,
                               tbpy_dtype_object(t), a->inclusive ? Py_True : Py_False);
}

static PyObject *draw_integers(PyObject *self, const integer_args *a)
{
    tbpy_draw_args d = {.distribution = TB_RAND_INTEGERS};
    wide low, top;
    if (integer_dtype(a->who, a->dtype, &d.dtype) < 0) return NULL;
    if (!is_number(a->low) || !is_number(a->high)) return integers_by_arrays(self, a, d.dtype);
    if (read_bound(a->low, true, &low) < 0 || read_bound(a->high, !a->inclusive, &top) < 0) return NULL;
    if (!a->inclusive) top--;
    if (check_range(a->who, d.dtype, low, top, a->inclusive) < 0 || read_size(a->size, &d) < 0) return NULL;
    const tb_dtype held = tb_dtype_is_unsigned(d.dtype) ? TB_U64 : TB_I64;
    d.p0 = (tb_scalar){.dtype = held, .v.i = (int64_t)low};
    d.p1 = (tb_scalar){.dtype = held, .v.i = (int64_t)top};
    return draw(self, &d);
}

/* low and high as they were given: with one of them, the range begins at `from`. */
static PyObject *from_default(PyObject *self, integer_args *a, long from)
{
    if (a->high && a->high != Py_None) return draw_integers(self, a);
    PyObject *low = PyLong_FromLong(from);
    if (!low) return NULL;
    a->high = a->low;
    a->low = low;
    PyObject *result = draw_integers(self, a);
    Py_DECREF(low);
    return result;
}

METHOD(integers)
{
    static const char *const names[] = {"low", "high", "size", "dtype", "endpoint", NULL};
    PyObject *v[5];
    bool endpoint = false;
    if (tbpy_parse("integers", names, 1, 5, args, nargs, kwnames, v) < 0 || tbpy_bool_arg(v[4], &endpoint) < 0)
        return NULL;
    return from_default(self, &(integer_args){"integers", v[0], v[1], v[2], v[3], endpoint}, 0);
}

METHOD(randint)
{
    static const char *const names[] = {"low", "high", "size", "dtype", NULL};
    PyObject *v[4];
    if (tbpy_parse("randint", names, 1, 4, args, nargs, kwnames, v) < 0) return NULL;
    return from_default(self, &(integer_args){"randint", v[0], v[1], v[2], v[3], false}, 0);
}

METHOD(random_integers)
{
    static const char *const names[] = {"low", "high", "size", NULL};
    PyObject *v[3];
    if (tbpy_parse("random_integers", names, 1, 3, args, nargs, kwnames, v) < 0) return NULL;
    return from_default(self, &(integer_args){"random_integers", v[0], v[1], v[2], NULL, true}, 1);
}

/* ---- tables ------------------------------------------------------------------------------------------------------ */

#define ENTRY(name, function, arguments, text) \
    {name, (PyCFunction)(void (*)(void))function, METH_FASTCALL | METH_KEYWORDS, \
     name "($self, " arguments ")\n--\n\n" text}

static PyMethodDef shared[] = {
    ENTRY("uniform", uniform, "low=0.0, high=1.0, size=None, dtype='float64'", TBPY_DOC_uniform),
    ENTRY("normal", normal, "loc=0.0, scale=1.0, size=None, dtype='float64'", TBPY_DOC_normal),
    ENTRY("standard_normal", standard_normal, "size=None, dtype='float64'", TBPY_DOC_standard_normal),
    ENTRY("exponential", exponential, "scale=1.0, size=None, dtype='float64'", TBPY_DOC_exponential),
    ENTRY("standard_exponential", standard_exponential, "size=None, dtype='float64'", TBPY_DOC_standard_exponential),
    {NULL, NULL, 0, NULL},
};

static PyMethodDef of_generator[] = {
    ENTRY("integers", integers, "low, high=None, size=None, dtype='int64', endpoint=False",
          "Integers from ``low`` up to ``high``, which is left out unless ``endpoint``; [0, low) if ``high`` is "
          "None.\n\nRaises:\n    ValueError: The range is empty or exceeds the dtype."),
    ENTRY("uniform", generator_uniform, "low=0.0, high=1.0, size=None, dtype='float64'",
          "Uniform in [low, high).\n\nRaises:\n    ValueError: ``high`` is below ``low``.\n"
          "    OverflowError: Their distance is not finite."),
    ENTRY("random", generator_random, "size=None, dtype='float64', out=None", "Uniform in [0, 1)."),
    ENTRY("standard_normal", generator_normal, "size=None, dtype='float64', out=None",
          "Normal with mean 0 and standard deviation 1."),
    ENTRY("standard_exponential", generator_exponential, "size=None, dtype='float64', method='inv', out=None",
          "Exponential with mean 1; ``method`` is accepted and always the inverse."),
    {NULL, NULL, 0, NULL},
};

static PyMethodDef of_random_state[] = {
    ENTRY("rand", rand_lengths, "*size, dtype='float64'", TBPY_DOC_rand),
    ENTRY("randn", randn_lengths, "*size, dtype='float64'", TBPY_DOC_randn),
    ENTRY("random_sample", random_sample, "size=None, dtype='float64'", TBPY_DOC_random_sample),
    ENTRY("random", random_sample, "size=None, dtype='float64'", TBPY_DOC_random_sample),
    ENTRY("randint", randint, "low, high=None, size=None, dtype='int64'", TBPY_DOC_randint),
    ENTRY("random_integers", random_integers, "low, high=None, size=None", TBPY_DOC_random_integers),
    {NULL, NULL, 0, NULL},
};

static const struct {
    const char *type;
    PyMethodDef *methods;
} tables[] = {{"Draws", shared}, {"Generator", of_generator}, {"RandomState", of_random_state}};

static int add_methods(PyTypeObject *type, PyMethodDef *methods)
{
    for (PyMethodDef *m = methods; m->ml_name; m++) {
        PyObject *method = PyDescr_NewMethod(type, m);
        int r = method ? PyObject_SetAttrString((PyObject *)type, m->ml_name, method) : -1;
        Py_XDECREF(method);
        if (r < 0) return -1;
    }
    return 0;
}

static PyObject *add_draws(PyObject *module, PyObject *type)
{
    (void)module;
    for (size_t i = 0; PyType_Check(type) && i < sizeof tables / sizeof *tables; i++) {
        if (strcmp(((PyTypeObject *)type)->tp_name, tables[i].type) != 0) continue;
        if (add_methods((PyTypeObject *)type, tables[i].methods) < 0) return NULL;
        return Py_NewRef(type);
    }
    return PyErr_Format(PyExc_TypeError, "_add_draws: there are no methods for %R", type);
}

static PyMethodDef functions[] = {
    {"_add_draws", add_draws, METH_O,
     "_add_draws(type)\n--\n\nGives a class of tombac.random its methods in C; a decorator."},
    {NULL, NULL, 0, NULL},
};

int tbpy_add_draws(PyObject *m)
{
    rng_name = PyUnicode_InternFromString("_rng");
    return rng_name ? PyModule_AddFunctions(m, functions) : -1;
}
