/* random.c - tombac._core.Rng: the position in one Philox stream, and arrays of random numbers from it.
 *
 * Generators and random states of tombac.random are written over it. Numbers are leaves of the expression graph, so a
 * draw is deferred like any other elementwise work; the position moves at the call. */
#include "random.h"

PyTypeObject *tbpy_rng_type;

enum { MOST_PARAMETERS = 3 };

static const char *const distributions[] = {
    [TB_RAND_UNIFORM] = "uniform",     [TB_RAND_NORMAL] = "normal",
    [TB_RAND_INTEGERS] = "integers",   [TB_RAND_EXPONENTIAL] = "exponential",
    [TB_RAND_BITS] = "bits",           [TB_RAND_GAMMA] = "gamma",
    [TB_RAND_LOG_GAMMA] = "log_gamma", [TB_RAND_BETA] = "beta",
    [TB_RAND_VONMISES] = "vonmises",   [TB_RAND_POISSON] = "poisson",
    [TB_RAND_BINOMIAL] = "binomial",   [TB_RAND_HYPERGEOMETRIC] = "hypergeometric",
    [TB_RAND_GEOMETRIC] = "geometric", [TB_RAND_LOGSERIES] = "logseries",
    [TB_RAND_ZIPF] = "zipf",           [TB_RAND_ORDER] = "order",
};

static int read_u64(PyObject *o, uint64_t *out)
{
    if (o == NULL) return 0;
    *out = PyLong_AsUnsignedLongLongMask(o);
    return *out == UINT64_MAX && PyErr_Occurred() ? -1 : 0;
}

static PyObject *rng_new(PyTypeObject *type, PyObject *args, PyObject *kwds)
{
    static char *names[] = {"seed", "offset", NULL};
    PyObject *seed = NULL, *offset = NULL;
    tb_rng rng = {0, 0};
    if (!PyArg_ParseTupleAndKeywords(args, kwds, "O|O:Rng", names, &seed, &offset) || read_u64(seed, &rng.seed) < 0 ||
        read_u64(offset, &rng.offset) < 0)
        return NULL;
    TbRng *self = (TbRng *)type->tp_alloc(type, 0);
    if (self) self->rng = rng;
    return (PyObject *)self;
}

static void rng_dealloc(PyObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    type->tp_free(self);
    Py_DECREF(type);
}

static int read_distribution(PyObject *o, tb_distribution *out)
{
    for (size_t i = 0; PyUnicode_Check(o) && i < sizeof distributions / sizeof *distributions; i++)
        if (PyUnicode_CompareWithASCIIString(o, distributions[i]) == 0) {
            *out = (tb_distribution)i;
            return 0;
        }
    PyErr_Format(PyExc_ValueError, "Rng.draw: %R is not a distribution", o);
    return -1;
}

PyObject *tbpy_draw(TbRng *self, const tbpy_draw_args *d)
{
    tb_array *r = NULL;
    tb_status st;
    Py_BEGIN_CRITICAL_SECTION((PyObject *)self);
    st = tb_random(&self->rng, d->distribution, d->dtype, d->p0, d->p1, d->ndim, d->shape, &r);
    Py_END_CRITICAL_SECTION();
    return st == TB_OK ? tbpy_wrap(r) : tbpy_raise(st);
}

/* Of all parameters, numbers or arrays; without a size the shape is theirs. */
static PyObject *draw_of(TbRng *self, const tbpy_draw_args *d, bool sized, int n, PyObject *const *parameters)
{
    tb_operand p[MOST_PARAMETERS];
    PyObject *held[MOST_PARAMETERS];
    tb_array *r = NULL;
    tb_status st;
    if (tbpy_operands(n, parameters, p, held) < 0) return NULL;
    Py_BEGIN_CRITICAL_SECTION((PyObject *)self);
    st = tb_random_of(&self->rng, d->distribution, d->dtype, n, p, sized ? d->ndim : -1, d->shape, &r);
    Py_END_CRITICAL_SECTION();
    tbpy_drop_operands(n, held);
    return st == TB_OK ? tbpy_wrap(r) : tbpy_raise(st);
}

static PyObject *rng_draw(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    static const char *const names[] = {"distribution", "dtype", "size", "p0", "p1", "p2", NULL};
    PyObject *v[3 + MOST_PARAMETERS];
    tbpy_draw_args d = {.dtype = TB_F64};
    int n = 0;
    if (tbpy_parse("draw", names, 1, 3 + MOST_PARAMETERS, args, nargs, kwnames, v) < 0 ||
        read_distribution(v[0], &d.distribution) < 0 || tbpy_optional_dtype(v[1], &d.dtype) < 0)
        return NULL;
    const bool sized = v[2] && v[2] != Py_None;
    if (sized && tbpy_shape(v[2], &d.ndim, d.shape) < 0) return NULL;
    while (n < MOST_PARAMETERS && v[3 + n]) n++;
    return draw_of((TbRng *)self, &d, sized, n, v + 3);
}

static PyObject *rng_set(PyObject *self, PyObject *const *args, Py_ssize_t nargs)
{
    tb_rng rng;
    if (nargs != 2) return PyErr_Format(PyExc_TypeError, "set() takes 2 arguments (%zd given)", nargs);
    if (read_u64(args[0], &rng.seed) < 0 || read_u64(args[1], &rng.offset) < 0) return NULL;
    Py_BEGIN_CRITICAL_SECTION(self);
    ((TbRng *)self)->rng = rng;
    Py_END_CRITICAL_SECTION();
    Py_RETURN_NONE;
}

static PyObject *get_seed(PyObject *self, void *Py_UNUSED(closure))
{
    return PyLong_FromUnsignedLongLong(((TbRng *)self)->rng.seed);
}

static PyObject *get_offset(PyObject *self, void *Py_UNUSED(closure))
{
    return PyLong_FromUnsignedLongLong(((TbRng *)self)->rng.offset);
}

static PyObject *rng_reduce(PyObject *self, PyObject *Py_UNUSED(ignored))
{
    tb_rng rng = ((TbRng *)self)->rng;
    return Py_BuildValue("O(KK)", Py_TYPE(self), (unsigned long long)rng.seed, (unsigned long long)rng.offset);
}

static PyMethodDef methods[] = {
    {"draw", (PyCFunction)(void (*)(void))rng_draw, METH_FASTCALL | METH_KEYWORDS,
     "draw($self, distribution, dtype=float64, size=None, *parameters)\n--\n\nAn array of random "
     "numbers; moves the position past them.\n\nDistributions: 'uniform' in [p0, p1), 'normal' of mean p0 and "
     "deviation p1, 'integers' with p0 <= x <= p1, 'exponential' of scale p0, 'bits'; and, of parameters that may be "
     "arrays, whose shape is the result's if there is no size, those that have an elementwise row."},
    {"set", (PyCFunction)(void (*)(void))rng_set, METH_FASTCALL,
     "set($self, seed, offset)\n--\n\nGoes to a position of any stream."},
    {"__reduce__", rng_reduce, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL}};

static PyGetSetDef getset[] = {{"seed", get_seed, NULL, "The stream's 64-bit key.", NULL},
                               {"offset", get_offset, NULL, "The position, in blocks of 128 bits.", NULL},
                               {NULL, NULL, NULL, NULL, NULL}};

/* A bijective scramble of 64 bits: the finalizer of splitmix64 (Steele, Lea and Flood, 2014). */
static uint64_t mix(uint64_t x)
{
    x += 0x9E3779B97F4A7C15u;
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9u;
    x = (x ^ x >> 27) * 0x94D049BB133111EBu;
    return x ^ x >> 31;
}

static PyObject *hash_words(PyObject *Py_UNUSED(m), PyObject *const *args, Py_ssize_t nargs)
{
    uint64_t h = 0, word = 0;
    for (Py_ssize_t k = 0; k < nargs; k++) {
        if (read_u64(args[k], &word) < 0) return NULL;
        h = k ? mix(h ^ mix(word)) : mix(word);
    }
    return PyLong_FromUnsignedLongLong(h);
}

static PyMethodDef functions[] = {{"hash_words", (PyCFunction)(void (*)(void))hash_words, METH_FASTCALL,
                                   "hash_words(*words)\n--\n\nA hash of 64-bit words, in 64 bits."},
                                  {NULL, NULL, 0, NULL}};

static const char rng_doc[] =
    "Rng(seed, offset=0)\n--\n\nA position in the Philox 4x32-10 stream that a 64-bit key selects.\n\nEqual keys and "
    "positions "
    "give equal numbers on every backend. Draws from several threads take disjoint parts of the stream.";

static PyType_Slot slots[] = {{Py_tp_doc, (void *)rng_doc}, {Py_tp_new, rng_new},   {Py_tp_dealloc, rng_dealloc},
                              {Py_tp_methods, methods},     {Py_tp_getset, getset}, {0, NULL}};

static PyType_Spec spec = {.name = "tombac._core.Rng",
                           .basicsize = sizeof(TbRng),
                           .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_IMMUTABLETYPE,
                           .slots = slots};

int tbpy_add_random(PyObject *m)
{
    tbpy_rng_type = (PyTypeObject *)PyType_FromSpec(&spec);
    if (!tbpy_rng_type || PyModule_AddType(m, tbpy_rng_type) < 0) return -1;
    return PyModule_AddFunctions(m, functions);
}
