/* solvers.c - matrices solved and decomposed, for tombac.linalg, which checks and shapes arguments; and handing SciPy's
 * LAPACK to libtombac when it is first needed. */
#include "reduce_args.h"

/* What goes in, and what fn(in, ...) gave. */
typedef struct call {
    const char *who;
    int nin;
    tb_array *in[3];
    PyObject *like;
} call;

/* Arrays first, then nflag arguments that the caller reads. */
static int begin(call *c, const char *who, int nin, int nflag, PyObject *const *args, Py_ssize_t nargs)
{
    *c = (call){.who = who, .nin = nin, .like = nargs > 0 ? args[0] : NULL};
    bool good = nargs == nin + nflag;
    for (int i = 0; good && i < nin; i++) good = tbpy_check(args[i]);
    if (!good) {
        PyErr_Format(PyExc_TypeError, "%s: %d arrays and %d options are expected", who, nin, nflag);
        return -1;
    }
    for (int i = 0; i < nin; i++) c->in[i] = tbpy_array(args[i]);
    return tb_needs_lapack() ? tbpy_provide_lapack() : 0;
}

/* n results (NULL ones released by whoever failed) as an array or a tuple. */
static PyObject *end(const call *c, tb_status st, int n, tb_array **out)
{
    if (st != TB_OK) return tbpy_raise(st);
    if (n == 1) return tbpy_wrap_like(out[0], c->like);
    PyObject *tuple = PyTuple_New(n);
    for (int i = 0; i < n; i++) {
        PyObject *o = tbpy_wrap_like(out[i], c->like);
        if (o && tuple) PyTuple_SET_ITEM(tuple, i, o);
        else Py_CLEAR(tuple);
    }
    return tuple;
}

/* 1, 0, or -1 with an exception. */
static int flag(PyObject *o) { return PyObject_IsTrue(o); }

static int letter(const char *who, PyObject *o, char *out)
{
    const char *text = PyUnicode_AsUTF8(o);
    if (text == NULL) return -1;
    if (strlen(text) == 1) {
        *out = text[0];
        return 0;
    }
    PyErr_Format(PyExc_ValueError, "%s: %R is not a letter", who, o);
    return -1;
}

#define FUNCTION(name) static PyObject *name(PyObject *Py_UNUSED(m), PyObject *const *args, Py_ssize_t nargs)

/* ---- one array --------------------------------------------------------------------------------------------------- */

static PyObject *unary(const char *who, tb_status (*fn)(tb_array *, tb_array **), PyObject *const *args,
                       Py_ssize_t nargs)
{
    call c;
    tb_array *out = NULL;
    tb_status st;
    if (begin(&c, who, 1, 0, args, nargs) < 0) return NULL;
    TBPY_UNLOCKED(st, fn(c.in[0], &out));
    return end(&c, st, 1, &out);
}

static PyObject *pair(const char *who, tb_status (*fn)(tb_array *, tb_array **, tb_array **), PyObject *const *args,
                      Py_ssize_t nargs)
{
    call c;
    tb_array *out[2] = {NULL, NULL};
    tb_status st;
    if (begin(&c, who, 1, 0, args, nargs) < 0) return NULL;
    TBPY_UNLOCKED(st, fn(c.in[0], &out[0], &out[1]));
    return end(&c, st, 2, out);
}

/* With a truth value. */
static PyObject *chosen(const char *who, tb_status (*fn)(tb_array *, bool, tb_array **), PyObject *const *args,
                        Py_ssize_t nargs)
{
    call c;
    tb_array *out = NULL;
    tb_status st;
    int on;
    if (begin(&c, who, 1, 1, args, nargs) < 0 || (on = flag(args[1])) < 0) return NULL;
    TBPY_UNLOCKED(st, fn(c.in[0], on, &out));
    return end(&c, st, 1, &out);
}

/* A product is to be made, too. */
FUNCTION(exponential)
{
    if (tbpy_provide_blas() < 0) return NULL;
    return unary("expm", tb_expm, args, nargs);
}

FUNCTION(det) { return unary("det", tb_det, args, nargs); }
FUNCTION(inverse) { return unary("inv", tb_inverse, args, nargs); }
FUNCTION(singular_values) { return unary("svdvals", tb_singular_values, args, nargs); }
FUNCTION(eigvals) { return unary("eigvals", tb_eigvals, args, nargs); }
FUNCTION(eig) { return pair("eig", tb_eig, args, nargs); }
FUNCTION(lu_factor) { return pair("lu_factor", tb_lu_factor, args, nargs); }
FUNCTION(cholesky) { return chosen("cholesky", tb_cholesky, args, nargs); }
FUNCTION(eigvalsh) { return chosen("eigvalsh", tb_eigvalsh, args, nargs); }

FUNCTION(eigh)
{
    call c;
    tb_array *out[2] = {NULL, NULL};
    tb_status st;
    int lower;
    if (begin(&c, "eigh", 1, 1, args, nargs) < 0 || (lower = flag(args[1])) < 0) return NULL;
    TBPY_UNLOCKED(st, tb_eigh(c.in[0], lower, &out[0], &out[1]));
    return end(&c, st, 2, out);
}

FUNCTION(svd)
{
    call c;
    tb_array *out[3] = {NULL, NULL, NULL};
    tb_status st;
    int full;
    if (begin(&c, "svd", 1, 1, args, nargs) < 0 || (full = flag(args[1])) < 0) return NULL;
    TBPY_UNLOCKED(st, tb_svd(c.in[0], full, &out[0], &out[1], &out[2]));
    return end(&c, st, 3, out);
}

static int read_mode(PyObject *o, int *mode)
{
    static const char *const modes[] = {"reduced", "complete", "r", "raw"};
    *mode = 0;
    while (*mode < 4 && !(PyUnicode_Check(o) && PyUnicode_CompareWithASCIIString(o, modes[*mode]) == 0)) ++*mode;
    if (*mode < 4) return 0;
    PyErr_Format(PyExc_ValueError, "qr: unrecognized mode %R", o);
    return -1;
}

FUNCTION(qr)
{
    call c;
    tb_array *out[2] = {NULL, NULL};
    tb_status st;
    int mode = 0;
    if (begin(&c, "qr", 1, 1, args, nargs) < 0 || read_mode(args[1], &mode) < 0) return NULL;
    TBPY_UNLOCKED(st, tb_qr(c.in[0], (tb_qr_mode)mode, &out[0], &out[1]));
    return mode == TB_QR_R ? end(&c, st, 1, &out[1]) : end(&c, st, 2, out);
}

/* By the host's LAPACK even where a GPU's libraries do all else. */
static int provide_for_pivots(void)
{
    static bool provided;
    if (!provided && tbpy_provide_lapack() < 0) return -1;
    provided = true;
    return 0;
}

FUNCTION(qr_pivoted)
{
    call c;
    tb_array *out[3] = {NULL, NULL, NULL};
    tb_status st;
    int mode = 0;
    if (begin(&c, "qr", 1, 1, args, nargs) < 0 || read_mode(args[1], &mode) < 0 || provide_for_pivots() < 0)
        return NULL;
    TBPY_UNLOCKED(st, tb_qr_pivoted(c.in[0], (tb_qr_mode)mode, &out[0], &out[1], &out[2]));
    return mode == TB_QR_R ? end(&c, st, 2, &out[1]) : end(&c, st, 3, out);
}

/* ---- equations --------------------------------------------------------------------------------------------------- */

FUNCTION(solve)
{
    call c;
    tb_array *out = NULL;
    tb_status st;
    if (begin(&c, "solve", 2, 0, args, nargs) < 0) return NULL;
    TBPY_UNLOCKED(st, tb_solve_linear(c.in[0], c.in[1], &out));
    return end(&c, st, 1, &out);
}

FUNCTION(lu_solve)
{
    call c;
    tb_array *out = NULL;
    tb_status st;
    char trans;
    if (begin(&c, "lu_solve", 3, 1, args, nargs) < 0 || letter(c.who, args[3], &trans) < 0) return NULL;
    TBPY_UNLOCKED(st, tb_lu_solve(c.in[0], c.in[1], c.in[2], trans, &out));
    return end(&c, st, 1, &out);
}

FUNCTION(solve_triangular)
{
    call c;
    tb_array *out = NULL;
    tb_status st;
    char trans;
    int lower, unit;
    if (begin(&c, "solve_triangular", 2, 3, args, nargs) < 0 || (lower = flag(args[2])) < 0 ||
        letter(c.who, args[3], &trans) < 0 || (unit = flag(args[4])) < 0)
        return NULL;
    TBPY_UNLOCKED(st, tb_solve_triangular(c.in[0], c.in[1], lower, trans, unit, &out));
    return end(&c, st, 1, &out);
}

FUNCTION(cholesky_solve)
{
    call c;
    tb_array *out = NULL;
    tb_status st;
    int lower;
    if (begin(&c, "cho_solve", 2, 1, args, nargs) < 0 || (lower = flag(args[2])) < 0) return NULL;
    TBPY_UNLOCKED(st, tb_cholesky_solve(c.in[0], lower, c.in[1], &out));
    return end(&c, st, 1, &out);
}

/* ---- what a matrix is like --------------------------------------------------------------------------------------- */

static PyObject *bandwidth(PyObject *Py_UNUSED(m), PyObject *o)
{
    int64_t below, above;
    if (!tbpy_check(o)) return PyErr_Format(PyExc_TypeError, "bandwidth: an array is expected, not %R", Py_TYPE(o));
    TBPY_TRY(tb_bandwidth(tbpy_array(o), &below, &above));
    return Py_BuildValue("(LL)", (long long)below, (long long)above);
}

/* The rows 0 to m - 1 after n exchanges, one after the other. */
static void exchange(int64_t m, int64_t n, const int32_t *pivots, int32_t *rows)
{
    for (int64_t i = 0; i < m; i++) rows[i] = (int32_t)i;
    for (int64_t i = 0; i < n; i++) {
        const int32_t kept = rows[i], at = pivots[i];
        if (at < 0 || at >= m) continue;
        rows[i] = rows[at];
        rows[at] = kept;
    }
}

/* The same of a stack, whose pivots are in the first n of each m places. */
static tb_status pivot_rows(tb_array *pivots, int64_t m, tb_array **out)
{
    const int last = tb_array_ndim(pivots) - 1;
    const int64_t n = tb_array_shape(pivots)[last];
    int64_t shape[TB_MAXDIM], stack = 1;
    for (int i = 0; i < last; i++) stack *= tb_array_shape(pivots)[i];
    int32_t *given = PyMem_RawMalloc((size_t)(stack * (n + m) + 1) * sizeof *given), *rows = given + stack * n;
    if (!given) return TB_ERR_MEMORY;
    memcpy(shape, tb_array_shape(pivots), (size_t)(last + 1) * sizeof *shape);
    shape[last] = m;
    tb_status st = tb_array_get(pivots, given, NULL, NULL, true);
    for (int64_t i = 0; st == TB_OK && i < stack; i++) exchange(m, n, given + i * n, rows + i * m);
    if (st == TB_OK) st = tb_empty(TB_I32, last + 1, shape, 'C', out);
    if (st == TB_OK) {
        st = tb_array_set(*out, rows, NULL, NULL, true);
        if (st != TB_OK) tb_array_release(*out);
    }
    PyMem_RawFree(given);
    return st;
}

FUNCTION(rows_of_pivots)
{
    call c;
    tb_array *out = NULL;
    if (begin(&c, "lu", 1, 1, args, nargs) < 0) return NULL;
    const int64_t m = PyLong_AsLongLong(args[1]);
    if (m == -1 && PyErr_Occurred()) return NULL;
    const tb_status st = pivot_rows(c.in[0], m, &out);
    return end(&c, st, 1, &out);
}

/* ---- errors ------------------------------------------------------------------------------------------------------ */

static PyObject *errors_set(PyObject *Py_UNUSED(m), PyObject *o)
{
    const int on = PyObject_IsTrue(o);
    return on < 0 ? NULL : PyBool_FromLong(tb_linalg_errors_set(on));
}

#define FAST(f) (PyCFunction)(void (*)(void))(f), METH_FASTCALL
static PyMethodDef methods[] = {
    {"_solve", FAST(solve), "_solve(a, b)\n--\n\nx with a x = b."},
    {"_inv", FAST(inverse), "_inv(a)\n--\n\nInverses."},
    {"_solve_triangular", FAST(solve_triangular),
     "_solve_triangular(a, b, lower, trans, unit_diagonal)\n--\n\nThe same for triangles."},
    {"_cholesky", FAST(cholesky), "_cholesky(a, upper)\n--\n\nTriangles that are square roots."},
    {"_cho_solve", FAST(cholesky_solve), "_cho_solve(c, b, lower)\n--\n\nx with a x = b by them."},
    {"_lu_factor", FAST(lu_factor), "_lu_factor(a)\n--\n\nBoth triangles in one array, and the pivots."},
    {"_pivot_rows", FAST(rows_of_pivots), "_pivot_rows(pivots, m)\n--\n\nThe order of m rows after exchanges."},
    {"_lu_solve", FAST(lu_solve), "_lu_solve(lu, pivots, b, trans)\n--\n\nx with a x = b by them."},
    {"_qr", FAST(qr), "_qr(a, mode)\n--\n\nOrthonormal columns and a triangle."},
    {"_qr_pivoted", FAST(qr_pivoted), "_qr_pivoted(a, mode)\n--\n\nThe same with the order of the columns."},
    {"_det", FAST(det), "_det(a)\n--\n\nDeterminants, float64 or complex128."},
    {"_expm", FAST(exponential), "_expm(a)\n--\n\nExponentials."},
    {"_bandwidth", bandwidth, METH_O, "_bandwidth(a)\n--\n\nWidths below and above the diagonal; on the host alone."},
    {"_svd", FAST(svd), "_svd(a, full_matrices)\n--\n\nSingular vectors and values."},
    {"_svdvals", FAST(singular_values), "_svdvals(a)\n--\n\nSingular values."},
    {"_eigh", FAST(eigh), "_eigh(a, lower)\n--\n\nEigenvalues and vectors of Hermitian matrices."},
    {"_eigvalsh", FAST(eigvalsh), "_eigvalsh(a, lower)\n--\n\nTheir eigenvalues."},
    {"_eig", FAST(eig), "_eig(a)\n--\n\nEigenvalues and vectors, complex."},
    {"_eigvals", FAST(eigvals), "_eigvals(a)\n--\n\nEigenvalues, complex."},
    {"linalg_errors_set", errors_set, METH_O,
     "linalg_errors_set(on, /)\n--\n\nWhether this thread's matrices are checked. Returns whether they were."},
    {NULL, NULL, 0, NULL}};

int tbpy_add_solvers(PyObject *m) { return PyModule_AddFunctions(m, methods); }
