/* fft.c - Fourier transforms: arguments, and SciPy's functions as the CPU backend's library.
 *
 * SciPy is handed a NumPy array over the library's memory and the array that it returns becomes the result's memory, so
 * that nothing is copied. The function runs with the library's lock held; so the order of locks is as for Python
 * functions that are allocators (memory_allocator.c). */
#include "cuda.h"
#include "memory.h"
#include "ndarray.h"

#include <stdatomic.h>

/* scipy.fft's functions by kind, along one axis and along several, and numpy.ndarray. Set once, for good. */
static PyObject *functions[4][2], *host_array;
/* What these come down to after some microseconds of Python, by kind, where it is found. Set before `provided`. */
static PyObject *inner[4];
/* Those of cosine and sine transforms, along several axes; the inner ones are NULL where they are not found. */
static PyObject *cosines[2], *inner_cosines[2];

/* ---- SciPy ------------------------------------------------------------------------------------------------------- */

/* Bytes from the lowest element to behind the highest one; *before of them are before the first one. */
static Py_ssize_t extent(const tb_transform *t, int64_t item, Py_ssize_t *before)
{
    int64_t low = 0, high = item;
    for (int d = 0; d < t->ndim; d++) {
        const int64_t far = (t->shape[d] - 1) * t->strides[d];
        if (far < 0) low += far;
        else high += far;
    }
    *before = (Py_ssize_t)-low;
    return (Py_ssize_t)(high - low);
}

static PyObject *input_array(const tb_transform *t)
{
    static const tb_dtype dtypes[2][2] = {{TB_C64, TB_C128}, {TB_F32, TB_F64}};
    const tb_dtype dtype = dtypes[t->reals][t->wide];
    Py_ssize_t before;
    const Py_ssize_t bytes = extent(t, (int64_t)tb_dtype_size(dtype), &before);
    PyObject *memory = PyMemoryView_FromMemory((char *)t->in - before, bytes, t->spare ? PyBUF_WRITE : PyBUF_READ);
    PyObject *shape = tbpy_int_tuple(t->ndim, t->shape), *strides = tbpy_int_tuple(t->ndim, t->strides), *array = NULL;
    PyObject *offset = PyLong_FromSsize_t(before), *type = tbpy_dtype_object(dtype);
    if (memory && shape && strides && offset && type) {
        PyObject *args[] = {shape, type, memory, offset, strides};
        array = PyObject_Vectorcall(host_array, args, 5, NULL);
    }
    Py_XDECREF(memory);
    Py_XDECREF(shape);
    Py_XDECREF(strides);
    Py_XDECREF(offset);
    return array;
}

/* The number of points of what has them not from its input's shape, or None. */
static PyObject *points_argument(const tb_transform *t)
{
    if (t->kind != TB_FFT_HALF) return Py_NewRef(Py_None);
    if (t->naxis == 1) return PyLong_FromLongLong(t->points[t->axis[0]]);
    int64_t points[TB_MAXDIM];
    for (int i = 0; i < t->naxis; i++) points[i] = t->points[t->axis[i]];
    return tbpy_int_tuple(t->naxis, points);
}

static PyObject *axes_argument(const tb_transform *t)
{
    int64_t axes[TB_MAXDIM];
    for (int i = 0; i < t->naxis; i++) axes[i] = t->axis[i];
    return t->naxis == 1 ? PyLong_FromLong(t->axis[0]) : tbpy_int_tuple(t->naxis, axes);
}

/* By f, which is (array, axes, forward, norm, out, threads); c2r has the number of points behind the axes. */
static PyObject *call_inner(PyObject *f, const tb_transform *t)
{
    const bool forward = t->kind == TB_FFT_FORWARD || t->kind == TB_FFT_REAL;
    const bool in_place = t->kind <= TB_FFT_BACKWARD && !t->reals;
    const int norm = t->norm == TB_FFT_NORM_ORTHO ? 1 : forward == (t->norm == TB_FFT_NORM_FORWARD) ? 2 : 0;
    int64_t over[TB_MAXDIM];
    for (int i = 0; i < t->naxis; i++) over[i] = t->axis[i];
    PyObject *array = input_array(t), *axes = tbpy_int_tuple(t->naxis, over), *r = NULL;
    PyObject *points = PyLong_FromLongLong(t->points[t->axis[t->naxis - 1]]), *scale = PyLong_FromLong(norm);
    PyObject *threads = PyLong_FromLong(t->threads);
    if (array && axes && points && scale && threads) {
        PyObject *args[7] = {array, axes, points};
        size_t n = t->kind == TB_FFT_HALF ? 3 : 2;
        args[n++] = forward ? Py_True : Py_False;
        args[n++] = scale;
        args[n++] = t->spare && in_place ? array : Py_None;
        args[n++] = threads;
        r = PyObject_Vectorcall(f, args, n, NULL);
    }
    Py_XDECREF(array);
    Py_XDECREF(axes);
    Py_XDECREF(points);
    Py_XDECREF(scale);
    Py_XDECREF(threads);
    return r;
}

static PyObject *call(const tb_transform *t)
{
    static const char *const norms[] = {"backward", "ortho", "forward"};
    PyObject *array = input_array(t), *points = points_argument(t), *axes = axes_argument(t), *r = NULL;
    PyObject *norm = PyUnicode_InternFromString(norms[t->norm]), *threads = PyLong_FromLong(t->threads);
    if (array && points && axes && norm && threads) {
        PyObject *args[] = {array, points, axes, norm, t->spare ? Py_True : Py_False, threads};
        r = PyObject_Vectorcall(functions[t->kind][t->naxis > 1], args, 6, NULL);
    }
    Py_XDECREF(array);
    Py_XDECREF(points);
    Py_XDECREF(axes);
    Py_XDECREF(norm);
    Py_XDECREF(threads);
    return r;
}

/* The inner functions take (array, type, axes, norm, out, threads), SciPy's (array, type, lengths, axes, norm, whether
 * the array may be overwritten, threads). */
static PyObject *call_cosine(const tb_transform *t)
{
    static const char *const norms[] = {"backward", "ortho", "forward"};
    const bool sine = t->kind >= TB_FFT_SINE_1;
    int64_t over[TB_MAXDIM];
    for (int i = 0; i < t->naxis; i++) over[i] = t->axis[i];
    PyObject *f = tbpy_kept(&inner_cosines[sine]), *r = NULL;
    PyObject *type = PyLong_FromLong(t->kind - (sine ? TB_FFT_SINE_1 : TB_FFT_COSINE_1) + 1);
    PyObject *norm = f ? PyLong_FromLong(t->norm) : PyUnicode_InternFromString(norms[t->norm]);
    PyObject *array = input_array(t), *axes = tbpy_int_tuple(t->naxis, over), *threads = PyLong_FromLong(t->threads);
    if (array && type && axes && norm && threads) {
        PyObject *few[] = {array, type, axes, norm, t->spare ? array : Py_None, threads};
        PyObject *all[] = {array, type, Py_None, axes, norm, t->spare ? Py_True : Py_False, threads};
        r = f ? PyObject_Vectorcall(f, few, 6, NULL) : PyObject_Vectorcall(tbpy_kept(&cosines[sine]), all, 7, NULL);
    }
    Py_XDECREF(array);
    Py_XDECREF(type);
    Py_XDECREF(axes);
    Py_XDECREF(norm);
    Py_XDECREF(threads);
    return r;
}

static void release_view(void *arg)
{
    Py_buffer *view = arg;
    if (!Py_IsInitialized()) return;
    PyGILState_STATE gil = PyGILState_Ensure();
    PyBuffer_Release(view);
    PyMem_Free(view);
    PyGILState_Release(gil);
}

/* The memory of what SciPy returned. */
static int take_result(PyObject *r, tb_transform *t)
{
    Py_buffer *view = PyMem_Malloc(sizeof *view);
    if (!view) {
        PyErr_NoMemory();
        return -1;
    }
    if (PyObject_GetBuffer(r, view, PyBUF_C_CONTIGUOUS) < 0) {
        PyErr_Clear();
        if (PyObject_GetBuffer(r, view, PyBUF_STRIDES) < 0 || view->buf != t->in) {
            PyMem_Free(view);
            if (!PyErr_Occurred()) PyErr_SetString(PyExc_SystemError, "fft: SciPy's result is not in C order");
            return -1;
        }
    }
    t->out = view->buf;
    t->scaled = true;
    if (view->buf == t->in) { /* computed in place */
        PyBuffer_Release(view);
        PyMem_Free(view);
        return 0;
    }
    t->release = release_view;
    t->release_arg = view;
    return 0;
}

/* SciPy makes the parts that are 0 of real numbers' transforms negative, at frequencies that are 0 or a half along each
 * axis; NumPy's and anybody's else are positive, and the angle of a negative number is not -pi. The result is in C
 * order; `at` is its element for what has been chosen of the dimensions before d. */
static void positive_zeros(const tb_transform *t, uint32_t over, int d, int64_t at)
{
    if (d == t->ndim) {
        if (t->wide) ((double *)t->out)[2 * at + 1] += 0;
        else ((float *)t->out)[2 * at + 1] += 0;
        return;
    }
    const int64_t n = t->out_shape[d];
    if (!(over >> d & 1)) {
        for (int64_t i = 0; i < n; i++) positive_zeros(t, over, d + 1, at * n + i);
        return;
    }
    positive_zeros(t, over, d + 1, at * n);
    if (n % 2 == 0) positive_zeros(t, over, d + 1, at * n + n / 2);
}

static void settle_zeros(const tb_transform *t)
{
    uint32_t over = 0;
    if (!t->reals || t->kind > TB_FFT_BACKWARD) return;
    for (int i = 0; i < t->naxis; i++) over |= UINT32_C(1) << t->axis[i];
    positive_zeros(t, over, 0, 0);
}

static tb_status transform(void *Py_UNUSED(arg), tb_transform *t)
{
    PyGILState_STATE gil = PyGILState_Ensure();
    const bool is_cosine = t->kind > TB_FFT_HALF;
    PyObject *f = is_cosine ? NULL : tbpy_kept(&inner[t->kind]);
    PyObject *r = is_cosine ? call_cosine(t) : f ? call_inner(f, t) : call(t);
    const bool done = r && take_result(r, t) == 0;
    if (done) settle_zeros(t);
    const tb_status status = done ? TB_OK : tbpy_keep_exception();
    Py_XDECREF(r);
    PyGILState_Release(gil);
    return status;
}

/* No failure: what is private may be elsewhere in another SciPy. */
static void find_inner(void)
{
    static const char *const names[4] = {"c2c", "c2c", "r2c", "c2r"};
    PyObject *module = tbpy_host_module("scipy.fft._pocketfft.pypocketfft");
    for (int i = 0; module && i < 4; i++)
        if (!tbpy_kept(&inner[i])) tbpy_keep(&inner[i], PyObject_GetAttrString(module, names[i]));
    for (int i = 0; module && i < 2; i++)
        if (!tbpy_kept(&inner_cosines[i]))
            tbpy_keep(&inner_cosines[i], PyObject_GetAttrString(module, i ? "dst" : "dct"));
    Py_XDECREF(module);
    PyErr_Clear();
}

/* Without SciPy the library looks for FFTW, and its message says what to install; so an ImportError is no failure. */
static int provide(void)
{
    static const char *const names[4][2] = {{"fft", "fftn"}, {"ifft", "ifftn"}, {"rfft", "rfftn"}, {"irfft", "irfftn"}};
    static atomic_bool without_scipy;
    if (without_scipy || !tb_needs_fft()) return 0;
    PyObject *module = tbpy_host_module("scipy.fft");
    if (!module) {
        if (!PyErr_ExceptionMatches(PyExc_ImportError)) return -1;
        PyErr_Clear();
        without_scipy = true;
        return 0;
    }
    bool found = tbpy_import(&host_array, "numpy", "ndarray") != NULL;
    for (int i = 0; found && i < 8; i++) {
        PyObject **f = &functions[i / 2][i % 2];
        found = tbpy_kept(f) || tbpy_keep(f, PyObject_GetAttrString(module, names[i / 2][i % 2]));
    }
    for (int i = 0; found && i < 2; i++)
        found = tbpy_kept(&cosines[i]) || tbpy_keep(&cosines[i], PyObject_GetAttrString(module, i ? "dstn" : "dctn"));
    Py_DECREF(module);
    if (!found) return -1;
    find_inner();
    tb_provide_fft(transform, NULL);
    return 0;
}

/* ---- arguments --------------------------------------------------------------------------------------------------- */

static int norm_arg(PyObject *o, tb_fft_norm *out)
{
    static const char *const names[] = {"backward", "ortho", "forward"};
    *out = TB_FFT_NORM_BACKWARD;
    if (o == Py_None) return 0;
    for (int i = 0; i < 3; i++)
        if (PyUnicode_Check(o) && PyUnicode_CompareWithASCIIString(o, names[i]) == 0) {
            *out = (tb_fft_norm)i;
            return 0;
        }
    PyErr_Format(PyExc_ValueError, "Invalid norm value %S; should be \"backward\", \"ortho\" or \"forward\".", o);
    return -1;
}

typedef struct arguments {
    int64_t kind;
    tb_fft_norm norm;
    int naxis, axis[TB_MAXDIM];
    bool has_length;
    int64_t length[TB_MAXDIM];
    tb_array *out;
} arguments;

/* The axes and how many points along each: an integer each, or a tuple each; None for as many as there are. */
static int axes_arg(PyObject *axes, PyObject *lengths, arguments *a)
{
    int n = -1;
    if (tbpy_axes(axes, &a->naxis, a->axis) < 0) return -1;
    a->has_length = lengths != Py_None;
    if (a->has_length && PyIndex_Check(lengths)) {
        n = 1;
        if (tbpy_int_arg(lengths, &a->length[0]) < 0) return -1;
        if (a->length[0] < 0) { /* where the library would take -1 for "as many as there are" */
            PyErr_Format(PyExc_ValueError, "Invalid number of FFT data points (%lld) specified.",
                         (long long)a->length[0]);
            return -1;
        }
    } else if (a->has_length && tbpy_shape(lengths, &n, a->length) < 0) {
        return -1;
    }
    if (!a->has_length || n == a->naxis) return 0;
    PyErr_SetString(PyExc_ValueError, "Shape and axes have different lengths.");
    return -1;
}

/* What this thread calls in place of transforms, or NULL. */
static _Thread_local PyObject *instead;

static PyObject *call_instead(PyObject *const *args, Py_ssize_t nargs)
{
    PyObject *f = instead;
    instead = NULL; /* so that it can transform */
    PyObject *r = PyObject_Vectorcall(f, args, nargs, NULL);
    Py_XSETREF(instead, f);
    return r;
}

static PyObject *divert(PyObject *Py_UNUSED(m), PyObject *f)
{
    PyObject *before = instead;
    instead = f == Py_None ? NULL : Py_NewRef(f);
    return before ? before : Py_NewRef(Py_None);
}

/* (array, kind, norm, axes, lengths, out) */
static PyObject *fft(PyObject *Py_UNUSED(m), PyObject *const *args, Py_ssize_t nargs)
{
    arguments a;
    tb_array *r = NULL;
    tb_status st;
    a.out = NULL;
    if (instead) return call_instead(args, nargs);
    if (nargs != 6 || !tbpy_check(args[0]))
        return PyErr_Format(PyExc_TypeError, "fft: an array and its arguments are expected");
    if (tbpy_int_arg(args[1], &a.kind) < 0 || norm_arg(args[2], &a.norm) < 0 || axes_arg(args[3], args[4], &a) < 0 ||
        tbpy_out_arg(args[5], &a.out) < 0 || provide() < 0)
        return NULL;
    tb_array *x = tbpy_array(args[0]);
    const tb_fft_kind kind = (tb_fft_kind)a.kind;
    const int64_t *length = a.has_length ? a.length : NULL;
    TBPY_UNLOCKED_IF(tb_array_size(x), st,
                     a.out ? tb_fft_into(x, kind, a.norm, a.naxis, a.axis, length, a.out)
                           : tb_fft(x, kind, a.norm, a.naxis, a.axis, length, &r));
    if (st != TB_OK) return tbpy_raise(st);
    if (!a.out) return tbpy_wrap_like(r, args[0]);
    return Py_NewRef(PyTuple_Check(args[5]) ? PyTuple_GET_ITEM(args[5], 0) : args[5]);
}

/* The text of a callback: (code, function, options, whether it stores). */
static int callback_arg(PyObject *o, tb_module_source *source, tb_fft_callback *c)
{
    PyObject *code, *function, *options;
    int stores;
    if (!PyTuple_Check(o)) {
        PyErr_Format(PyExc_TypeError, "fft: a callback is a tuple, not %.200s", Py_TYPE(o)->tp_name);
        return -1;
    }
    if (!PyArg_ParseTuple(o, "UUO!p:_fft_called", &code, &function, &PyTuple_Type, &options, &stores)) return -1;
    c->source = source;
    c->stores = stores;
    c->function = tbpy_text(function);
    source->code = tbpy_text(code);
    source->noption = (int)PyTuple_GET_SIZE(options);
    const char **v = c->function && source->code ? PyMem_Calloc((size_t)source->noption + 1, sizeof *v) : NULL;
    if (!v) {
        if (!PyErr_Occurred()) PyErr_NoMemory();
        return -1;
    }
    source->options = v;
    for (int i = 0; i < source->noption; i++) {
        v[i] = tbpy_text(PyTuple_GET_ITEM(options, i));
        if (!v[i]) return -1;
    }
    return 0;
}

/* (array, kind, axes, lengths, callback, address of its info, whether to make a plan) */
static PyObject *fft_called(PyObject *Py_UNUSED(m), PyObject *const *args, Py_ssize_t nargs)
{
    arguments a;
    tb_module_source source = TB_MODULE_SOURCE_INIT;
    tb_fft_callback c = TB_FFT_CALLBACK_INIT;
    tb_array *r = NULL;
    tb_status st = TB_OK;
    if (nargs != 7 || !tbpy_check(args[0]))
        return PyErr_Format(PyExc_TypeError, "fft: an array and its arguments are expected");
    if (tbpy_int_arg(args[1], &a.kind) < 0 || axes_arg(args[2], args[3], &a) < 0) return NULL;
    c.info = PyLong_AsVoidPtr(args[5]);
    c.link = PyObject_IsTrue(args[6]) > 0;
    if (!PyErr_Occurred() && callback_arg(args[4], &source, &c) == 0)
        TBPY_UNLOCKED(st, tb_fft_called(tbpy_array(args[0]), (tb_fft_kind)a.kind, a.naxis, a.axis,
                                        a.has_length ? a.length : NULL, &c, &r));
    PyMem_Free((void *)source.options);
    if (PyErr_Occurred()) return NULL;
    if (st != TB_OK) return tbpy_raise(st);
    return r ? tbpy_wrap_like(r, args[0]) : Py_NewRef(Py_None);
}

static PyObject *cache_read(PyObject *Py_UNUSED(m), PyObject *device)
{
    tb_fft_cache c;
    int d;
    if (tbpy_device_arg(device, &d) < 0) return NULL;
    TBPY_TRY(tb_fft_cache_read(d, &c));
    return Py_BuildValue("LLLLKK", (long long)c.most_plans, (long long)c.most_bytes, (long long)c.plans,
                         (long long)c.bytes, (unsigned long long)c.hits, (unsigned long long)c.misses);
}

static PyObject *cache_limit(PyObject *Py_UNUSED(m), PyObject *args)
{
    PyObject *device;
    long long plans, bytes;
    int d;
    if (!PyArg_ParseTuple(args, "OLL:fft_cache_limit", &device, &plans, &bytes) || tbpy_device_arg(device, &d) < 0)
        return NULL;
    TBPY_TRY(tb_fft_cache_limit(d, plans, bytes));
    Py_RETURN_NONE;
}

static PyObject *cache_clear(PyObject *Py_UNUSED(m), PyObject *device)
{
    int d;
    if (tbpy_device_arg(device, &d) < 0) return NULL;
    TBPY_TRY(tb_fft_cache_clear(d));
    Py_RETURN_NONE;
}

static PyMethodDef methods[] = {
    {"_fft", (PyCFunction)(void (*)(void))fft, METH_FASTCALL,
     "_fft(a, kind, norm, axes, lengths, out, /)\n--\n\nThe Fourier transform: complex, backward, of real numbers, to "
     "real numbers."},
    {"_fft_called", (PyCFunction)(void (*)(void))fft_called, METH_FASTCALL,
     "_fft_called(a, kind, axes, lengths, callback, info, link, /)\n--\n\nThe transform, unscaled, within which cuFFT "
     "calls a function. None: there is no plan, and none is to be made."},
    {"_fft_divert", divert, METH_O,
     "_fft_divert(function, /)\n--\n\nHas the calling thread call a function for each _fft, with its arguments; "
     "None: no longer. Returns what it called before."},
    {"fft_cache_read", cache_read, METH_O,
     "fft_cache_read(device, /)\n--\n\nA tuple of integers: limits of plans and bytes, plans, bytes, hits, misses."},
    {"fft_cache_limit", cache_limit, METH_VARARGS,
     "fft_cache_limit(device, plans, bytes, /)\n--\n\nSets the limits; -1: none."},
    {"fft_cache_clear", cache_clear, METH_O, "fft_cache_clear(device, /)\n--\n\nDrops the plans of this thread."},
    {NULL, NULL, 0, NULL}};

int tbpy_add_fft(PyObject *m) { return PyModule_AddFunctions(m, methods); }
