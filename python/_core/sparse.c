/* sparse.c - the structure of sparse matrices and their products, for tombacx.scipy.sparse, which checks arguments and
 * gathers values. A pattern is given as (rows, cols, start, index). */
#include "reduce_args.h"

/* ---- arguments: numbers and arrays in the order in which they come ----------------------------------------------- */

typedef struct reader {
    const char *who;
    PyObject *const *args;
    Py_ssize_t nargs, at;
    PyObject *like; /* the first array */
    bool bad;
    bool on_host; /* what one routine does there: the result is None elsewhere, where Python composes it */
} reader;

static reader begin(const char *who, Py_ssize_t expected, PyObject *const *args, Py_ssize_t nargs)
{
    reader r = {who, args, nargs, 0, NULL, nargs != expected, false};
    if (r.bad) PyErr_Format(PyExc_TypeError, "%s: %zd arguments are expected, not %zd", who, expected, nargs);
    return r;
}

static reader begin_on_host(const char *who, Py_ssize_t expected, PyObject *const *args, Py_ssize_t nargs)
{
    reader r = begin(who, expected, args, nargs);
    r.on_host = true;
    return r;
}

static tb_array *next_array(reader *r)
{
    if (r->bad) return NULL;
    PyObject *o = r->args[r->at++];
    if (tbpy_check(o)) {
        if (r->like == NULL) r->like = o;
        return tbpy_array(o);
    }
    r->bad = true;
    PyErr_Format(PyExc_TypeError, "%s: argument %zd must be an array, not %s", r->who, r->at, Py_TYPE(o)->tp_name);
    return NULL;
}

static int64_t next_number(reader *r)
{
    if (r->bad) return 0;
    const long long n = PyLong_AsLongLong(r->args[r->at++]);
    if (n == -1 && PyErr_Occurred()) r->bad = true;
    return n;
}

static bool next_flag(reader *r) { return next_number(r) != 0; }

static tb_pattern next_pattern(reader *r)
{
    tb_pattern p;
    p.rows = next_number(r);
    p.cols = next_number(r);
    p.start = next_array(r);
    p.index = next_array(r);
    return p;
}

/* ---- results -------------------------------------------------------------------------------------------------- */

static PyObject *failed(const reader *r, tb_status st)
{
    if (r->on_host && st == TB_ERR_NOT_IMPLEMENTED) Py_RETURN_NONE;
    return tbpy_raise(st);
}

/* n new arrays, stolen, as a tuple. */
static PyObject *arrays(const reader *r, tb_status st, int n, tb_array **a)
{
    if (st != TB_OK) return failed(r, st);
    PyObject *tuple = PyTuple_New(n);
    for (int i = 0; i < n; i++) {
        PyObject *o = tbpy_wrap_like(a[i], r->like);
        if (o && tuple) PyTuple_SET_ITEM(tuple, i, o);
        else Py_CLEAR(tuple);
    }
    return tuple;
}

static PyObject *array(const reader *r, tb_status st, tb_array *a)
{
    return st == TB_OK ? tbpy_wrap_like(a, r->like) : failed(r, st);
}

/* Start and index of a pattern, and a vector that goes with it. */
static PyObject *pattern(const reader *r, tb_status st, const tb_pattern *p, tb_array *with)
{
    return arrays(r, st, 3, (tb_array *[]){p->start, p->index, with});
}

#define FUNCTION(name) static PyObject *name(PyObject *Py_UNUSED(m), PyObject *const *args, Py_ssize_t nargs)

/* The greatest of their versions; 0 in a capture, where nothing can be looked at: what was before is known. */
FUNCTION(written)
{
    int64_t last = 0;
    tb_stream *s;
    if (tb_stream_current(&s) == TB_OK && tb_stream_capture_status(s) == 1) return PyLong_FromLong(0);
    for (Py_ssize_t i = 0; i < nargs; i++) {
        if (!tbpy_check(args[i])) return PyErr_Format(PyExc_TypeError, "sparse written: arguments must be arrays");
        const int64_t version = tb_array_version(tbpy_array(args[i]));
        if (version > last) last = version;
    }
    return PyLong_FromLongLong(last);
}

FUNCTION(check)
{
    reader r = begin("sparse check", 4, args, nargs);
    const tb_pattern p = next_pattern(&r);
    int found = 0;
    tb_status st;
    if (r.bad) return NULL;
    TBPY_UNLOCKED(st, tb_pattern_check(&p, &found));
    return st == TB_OK ? PyLong_FromLong(found) : tbpy_raise(st);
}

FUNCTION(rows)
{
    reader r = begin("sparse rows", 4, args, nargs);
    const tb_pattern p = next_pattern(&r);
    tb_array *row = NULL;
    tb_status st;
    if (r.bad) return NULL;
    TBPY_UNLOCKED(st, tb_pattern_rows(&p, &row));
    return array(&r, st, row);
}

FUNCTION(group)
{
    reader r = begin("sparse group", 4, args, nargs);
    tb_array *row = next_array(&r), *col = next_array(&r), *order = NULL;
    const int64_t rows = next_number(&r), cols = next_number(&r);
    tb_pattern out = {0, 0, NULL, NULL};
    tb_status st;
    if (r.bad) return NULL;
    TBPY_UNLOCKED(st, tb_pattern_group(row, col, rows, cols, &out, &order));
    return pattern(&r, st, &out, order);
}

/* A pattern and the numbers of its elements in another. */
static PyObject *derived(const char *who, tb_status (*fn)(const tb_pattern *, tb_pattern *, tb_array **),
                         PyObject *const *args, Py_ssize_t nargs)
{
    reader r = begin(who, 4, args, nargs);
    const tb_pattern p = next_pattern(&r);
    tb_pattern out = {0, 0, NULL, NULL};
    tb_array *from = NULL;
    tb_status st;
    if (r.bad) return NULL;
    TBPY_UNLOCKED(st, fn(&p, &out, &from));
    return pattern(&r, st, &out, from);
}

FUNCTION(transpose) { return derived("sparse transpose", tb_pattern_transpose, args, nargs); }
FUNCTION(transpose_values)
{
    reader r = begin("sparse transpose", 5, args, nargs);
    const tb_pattern p = next_pattern(&r);
    tb_array *values = next_array(&r), *moved = NULL;
    tb_pattern out = {0, 0, NULL, NULL};
    tb_status st;
    if (r.bad) return NULL;
    TBPY_UNLOCKED(st, tb_pattern_transpose_values(&p, values, &out, &moved));
    return pattern(&r, st, &out, moved);
}

FUNCTION(sort) { return derived("sparse sort", tb_pattern_sort, args, nargs); }
FUNCTION(unique) { return derived("sparse unique", tb_pattern_unique, args, nargs); }

FUNCTION(match)
{
    reader r = begin("sparse match", 9, args, nargs);
    const tb_pattern a = next_pattern(&r), b = next_pattern(&r);
    const bool any = next_flag(&r);
    tb_pattern out = {0, 0, NULL, NULL};
    tb_array *from_a = NULL, *from_b = NULL;
    tb_status st;
    if (r.bad) return NULL;
    TBPY_UNLOCKED(st, tb_pattern_match(&a, &b, any, &out, &from_a, &from_b));
    return arrays(&r, st, 4, (tb_array *[]){out.start, out.index, from_a, from_b});
}

FUNCTION(take)
{
    reader r = begin("sparse take", 5, args, nargs);
    const tb_pattern p = next_pattern(&r);
    tb_array *row = next_array(&r), *from = NULL;
    tb_pattern out = {0, 0, NULL, NULL};
    tb_status st;
    if (r.bad) return NULL;
    TBPY_UNLOCKED(st, tb_pattern_take(&p, row, &out, &from));
    return pattern(&r, st, &out, from);
}

FUNCTION(find)
{
    reader r = begin("sparse find", 6, args, nargs);
    const tb_pattern p = next_pattern(&r);
    tb_array *row = next_array(&r), *col = next_array(&r), *out = NULL;
    tb_status st;
    if (r.bad) return NULL;
    TBPY_UNLOCKED(st, tb_pattern_find(&p, row, col, &out));
    return array(&r, st, out);
}

FUNCTION(matmul)
{
    reader r = begin("sparse matmul", 7, args, nargs);
    const tb_pattern p = next_pattern(&r);
    tb_array *data = next_array(&r), *x = next_array(&r), *out = NULL;
    const bool transposed = next_flag(&r);
    tb_status st;
    if (r.bad) return NULL;
    TBPY_UNLOCKED(st, tb_sparse_matmul(&p, data, transposed, x, &out));
    return array(&r, st, out);
}

FUNCTION(multiply)
{
    reader r = begin("sparse multiply", 10, args, nargs);
    const tb_pattern a = next_pattern(&r);
    tb_array *a_data = next_array(&r), *data = NULL;
    const tb_pattern b = next_pattern(&r);
    tb_array *b_data = next_array(&r);
    tb_pattern out = {0, 0, NULL, NULL};
    tb_status st;
    if (r.bad) return NULL;
    TBPY_UNLOCKED(st, tb_sparse_multiply(&a, a_data, &b, b_data, &out, &data));
    return pattern(&r, st, &out, data);
}

/* ---- what one routine does on the host --------------------------------------------------------------------------- */

FUNCTION(to_dense)
{
    reader r = begin_on_host("sparse dense", 7, args, nargs);
    const tb_pattern p = next_pattern(&r);
    tb_array *data = next_array(&r), *out = NULL;
    const bool transposed = next_flag(&r), fortran = next_flag(&r);
    tb_status st;
    if (r.bad) return NULL;
    TBPY_UNLOCKED(st, tb_sparse_to_dense(&p, data, transposed, fortran ? 'F' : 'C', &out));
    return array(&r, st, out);
}

FUNCTION(diagonal)
{
    reader r = begin_on_host("sparse diagonal", 6, args, nargs);
    const tb_pattern p = next_pattern(&r);
    tb_array *data = next_array(&r), *out = NULL;
    const int64_t k = next_number(&r);
    tb_status st;
    if (r.bad) return NULL;
    TBPY_UNLOCKED(st, tb_sparse_get_diagonal(&p, data, k, &out));
    return array(&r, st, out);
}

FUNCTION(bands)
{
    reader r = begin_on_host("sparse bands", 4, args, nargs);
    const int64_t rows = next_number(&r), cols = next_number(&r);
    tb_array *offsets = next_array(&r), *data = next_array(&r), *values = NULL;
    tb_pattern out = {0, 0, NULL, NULL};
    tb_status st;
    if (r.bad) return NULL;
    TBPY_UNLOCKED(st, tb_sparse_from_bands(rows, cols, offsets, data, &out, &values));
    return pattern(&r, st, &out, values);
}

FUNCTION(matmul_bands)
{
    reader r = begin_on_host("sparse matmul bands", 5, args, nargs);
    const int64_t rows = next_number(&r), cols = next_number(&r);
    tb_array *offsets = next_array(&r), *data = next_array(&r), *x = next_array(&r), *out = NULL;
    tb_status st;
    if (r.bad) return NULL;
    TBPY_UNLOCKED(st, tb_sparse_matmul_bands(rows, cols, offsets, data, x, &out));
    return array(&r, st, out);
}

FUNCTION(matmul_blocks)
{
    reader r = begin_on_host("sparse matmul blocks", 6, args, nargs);
    const tb_pattern p = next_pattern(&r);
    tb_array *blocks = next_array(&r), *x = next_array(&r), *out = NULL;
    tb_status st;
    if (r.bad) return NULL;
    TBPY_UNLOCKED(st, tb_sparse_matmul_blocks(&p, blocks, x, &out));
    return array(&r, st, out);
}

FUNCTION(block_diagonal)
{
    reader r = begin_on_host("sparse block diagonal", 6, args, nargs);
    const tb_pattern p = next_pattern(&r);
    tb_array *blocks = next_array(&r), *out = NULL;
    const int64_t k = next_number(&r);
    tb_status st;
    if (r.bad) return NULL;
    TBPY_UNLOCKED(st, tb_sparse_get_block_diagonal(&p, blocks, k, &out));
    return array(&r, st, out);
}

FUNCTION(group_values)
{
    reader r = begin_on_host("sparse group", 5, args, nargs);
    tb_array *row = next_array(&r), *col = next_array(&r), *values = next_array(&r), *moved = NULL;
    const int64_t rows = next_number(&r), cols = next_number(&r);
    tb_pattern out = {0, 0, NULL, NULL};
    tb_status st;
    if (r.bad) return NULL;
    TBPY_UNLOCKED(st, tb_sparse_from_elements(row, col, values, rows, cols, &out, &moved));
    return pattern(&r, st, &out, moved);
}

FUNCTION(pick)
{
    reader r = begin_on_host("sparse pick", 7, args, nargs);
    const tb_pattern p = next_pattern(&r);
    tb_array *values = next_array(&r), *moved = NULL;
    const bool columns = next_flag(&r);
    tb_array *picked = next_array(&r);
    tb_pattern out = {0, 0, NULL, NULL};
    tb_status st;
    if (r.bad) return NULL;
    TBPY_UNLOCKED(st, tb_sparse_pick(&p, values, columns, picked, &out, &moved));
    return pattern(&r, st, &out, moved);
}

FUNCTION(element)
{
    reader r = begin_on_host("sparse element", 7, args, nargs);
    const tb_pattern p = next_pattern(&r);
    tb_array *values = next_array(&r), *out = NULL;
    const int64_t row = next_number(&r), col = next_number(&r);
    tb_status st;
    if (r.bad) return NULL;
    TBPY_UNLOCKED(st, tb_sparse_get_element(&p, values, row, col, &out));
    return array(&r, st, out);
}

/* Any number of matrices, each a pattern and its values. */
FUNCTION(join)
{
    reader r = begin_on_host("sparse join", nargs > 0 && nargs % 5 == 0 ? nargs : 5, args, nargs);
    const size_t n = (size_t)nargs / 5;
    tb_pattern *p = r.bad ? NULL : PyMem_Calloc(n, sizeof *p), out = {0, 0, NULL, NULL};
    tb_array **values = r.bad ? NULL : PyMem_Calloc(n, sizeof(tb_array *)), *moved = NULL;
    if (!r.bad && (!p || !values)) PyErr_NoMemory();
    r.bad = r.bad || !p || !values;
    for (size_t i = 0; !r.bad && i < n; i++) {
        p[i] = next_pattern(&r);
        values[i] = next_array(&r);
    }
    tb_status st = TB_OK;
    if (!r.bad) TBPY_UNLOCKED(st, tb_sparse_join((int)n, p, values, &out, &moved));
    PyMem_Free(p);
    PyMem_Free(values);
    if (r.bad) return NULL;
    return pattern(&r, st, &out, moved);
}

/* Start, index and values. */
FUNCTION(combine)
{
    reader r = begin_on_host("sparse combine", 11, args, nargs);
    const tb_pattern a = next_pattern(&r);
    tb_array *a_values = next_array(&r), *values = NULL;
    const tb_pattern b = next_pattern(&r);
    tb_array *b_values = next_array(&r);
    const char *name = r.bad ? NULL : PyUnicode_AsUTF8(args[r.at++]);
    const tb_ufunc *u = name ? tb_ufunc_find(name) : NULL;
    tb_pattern out = {0, 0, NULL, NULL};
    tb_status st;
    if (r.bad || !name) return NULL;
    TBPY_UNLOCKED(st, tb_sparse_combine(&a, a_values, &b, b_values, u, &out, &values));
    return pattern(&r, st, &out, values);
}

FUNCTION(components)
{
    reader r = begin_on_host("graph components", 5, args, nargs);
    const tb_pattern p = next_pattern(&r);
    const bool strong = next_flag(&r);
    tb_array *label = NULL;
    int64_t count = 0;
    tb_status st;
    if (r.bad) return NULL;
    TBPY_UNLOCKED(st, tb_graph_components(&p, strong, &count, &label));
    PyObject *labels = array(&r, st, label);
    return st == TB_OK && labels ? Py_BuildValue("LN", (long long)count, labels) : labels;
}

FUNCTION(search)
{
    reader r = begin_on_host("graph search", 7, args, nargs);
    const tb_pattern p = next_pattern(&r);
    const int64_t first = next_number(&r);
    const bool depth_first = next_flag(&r), directed = next_flag(&r);
    tb_array *found[2] = {NULL, NULL};
    tb_status st;
    if (r.bad) return NULL;
    TBPY_UNLOCKED(st, tb_graph_search(&p, first, depth_first, directed, &found[0], &found[1]));
    return arrays(&r, st, 2, found);
}

FUNCTION(tree)
{
    reader r = begin_on_host("graph tree", 7, args, nargs);
    const tb_pattern p = next_pattern(&r);
    tb_array *data = next_array(&r), *from = next_array(&r), *values = NULL;
    const bool directed = next_flag(&r);
    tb_pattern out = {0, 0, NULL, NULL};
    tb_status st;
    if (r.bad) return NULL;
    TBPY_UNLOCKED(st, tb_graph_tree(&p, data, from, directed, &out, &values));
    return pattern(&r, st, &out, values);
}

FUNCTION(forest)
{
    reader r = begin_on_host("graph forest", 5, args, nargs);
    const tb_pattern p = next_pattern(&r);
    tb_array *order = next_array(&r), *kept = NULL;
    tb_status st;
    if (r.bad) return NULL;
    TBPY_UNLOCKED(st, tb_graph_forest(&p, order, &kept));
    return array(&r, st, kept);
}

FUNCTION(matching)
{
    reader r = begin_on_host("graph matching", 4, args, nargs);
    const tb_pattern p = next_pattern(&r);
    tb_array *found[2] = {NULL, NULL};
    tb_status st;
    if (r.bad) return NULL;
    TBPY_UNLOCKED(st, tb_graph_matching(&p, &found[0], &found[1]));
    return arrays(&r, st, 2, found);
}

static double next_double(reader *r)
{
    if (r->bad) return 0;
    const double x = PyFloat_AsDouble(r->args[r->at++]);
    if (x == -1 && PyErr_Occurred()) r->bad = true;
    return x;
}

FUNCTION(distances)
{
    reader r = begin_on_host("graph distances", 9, args, nargs);
    const tb_pattern p = next_pattern(&r);
    tb_array *data = !r.bad && args[r.at] == Py_None ? (r.at++, NULL) : next_array(&r), *first = next_array(&r);
    const bool directed = next_flag(&r), any = next_flag(&r);
    const double limit = next_double(&r);
    tb_array *out = NULL;
    tb_status st;
    if (r.bad) return NULL;
    TBPY_UNLOCKED(st, tb_graph_distances(&p, data, first, directed, any, limit, &out));
    return array(&r, st, out);
}

FUNCTION(least_squares)
{
    reader r = begin_on_host("sparse least_squares", 15, args, nargs);
    const tb_pattern p = next_pattern(&r);
    tb_array *data = next_array(&r), *x = NULL, *variance = NULL;
    const bool transposed = next_flag(&r);
    tb_array *b = next_array(&r), *x0 = NULL;
    if (!r.bad && r.args[r.at] == Py_None) r.at++;
    else x0 = next_array(&r);
    tb_least_squares o = {.lsmr = next_flag(&r)};
    o.damp = next_double(&r);
    o.atol = next_double(&r);
    o.btol = next_double(&r);
    o.conlim = next_double(&r);
    o.limit = next_number(&r);
    const bool varies = next_flag(&r);
    tb_status st;
    if (r.bad) return NULL;
    TBPY_UNLOCKED(st, tb_sparse_solve_least_squares(&p, data, transposed, b, x0, &o, &x, varies ? &variance : NULL));
    PyObject *made = arrays(&r, st, varies ? 2 : 1, (tb_array *[]){x, variance});
    if (st != TB_OK || !made) return made;
    return Py_BuildValue("(NiL(dddddd))", made, o.reason, (long long)o.steps, o.norm[0], o.norm[1], o.norm[2],
                         o.norm[3], o.norm[4], o.norm[5]);
}

/* ---- equations: factors are capsules ----------------------------------------------------------------------------- */

static const char factors_name[] = "tombac.sparse_factors";

static void factors_gone(PyObject *capsule) { tb_sparse_factors_release(PyCapsule_GetPointer(capsule, factors_name)); }

/* Whether the device has a solver; why not, nobody asks who has another. */
static PyObject *solver_ready(PyObject *Py_UNUSED(m), PyObject *Py_UNUSED(none))
{
    tb_status st;
    TBPY_UNLOCKED(st, tb_sparse_solver_check());
    return PyBool_FromLong(st == TB_OK);
}

FUNCTION(factor)
{
    reader r = begin("sparse factor", 6, args, nargs);
    const tb_pattern p = next_pattern(&r);
    tb_array *data = next_array(&r);
    const bool positive = next_flag(&r);
    tb_sparse_factors *factors = NULL;
    tb_status st;
    if (r.bad) return NULL;
    TBPY_UNLOCKED(st, tb_sparse_factor(&p, data, positive, &factors));
    TBPY_TRY(st);
    PyObject *capsule = PyCapsule_New(factors, factors_name, factors_gone);
    if (!capsule) tb_sparse_factors_release(factors);
    return capsule;
}

FUNCTION(solve)
{
    if (nargs != 2) return PyErr_Format(PyExc_TypeError, "sparse solve: 2 arguments are expected, not %zd", nargs);
    tb_sparse_factors *factors = PyCapsule_GetPointer(args[0], factors_name);
    reader r = begin("sparse solve", 1, args + 1, 1);
    tb_array *b = next_array(&r), *x = NULL;
    tb_status st;
    if (!factors || r.bad) return NULL;
    TBPY_UNLOCKED(st, tb_sparse_solve(factors, b, &x));
    return array(&r, st, x);
}

FUNCTION(triangle)
{
    reader r = begin("sparse triangle", 8, args, nargs);
    const tb_pattern p = next_pattern(&r);
    tb_array *data = next_array(&r);
    const bool lower = next_flag(&r), unit = next_flag(&r);
    tb_array *b = next_array(&r), *x = NULL;
    tb_status st;
    if (r.bad) return NULL;
    TBPY_UNLOCKED(st, tb_sparse_solve_triangle(&p, data, lower, unit, b, &x));
    return array(&r, st, x);
}

/* Whether there are products of a structured matrix; why not, nobody asks who has others. */
FUNCTION(structured_suits)
{
    tb_dtype t;
    int64_t shape[3];
    tb_status st;
    if (nargs != 4) return PyErr_Format(PyExc_TypeError, "structured_suits: 4 arguments are expected, not %zd", nargs);
    if (tbpy_dtype_parse(args[0], &t) < 0) return NULL;
    for (int i = 0; i < 3; i++) {
        shape[i] = PyLong_AsLongLong(args[i + 1]);
        if (shape[i] == -1 && PyErr_Occurred()) return NULL;
    }
    TBPY_UNLOCKED(st, tb_structured_check(t, shape[0], shape[1], shape[2]));
    return PyBool_FromLong(st == TB_OK);
}

FUNCTION(structured_compress)
{
    reader r = begin("structured compress", 1, args, nargs);
    tb_array *a = next_array(&r), *out = NULL;
    tb_status st;
    if (r.bad) return NULL;
    TBPY_UNLOCKED(st, tb_structured_compress(a, &out));
    return array(&r, st, out);
}

FUNCTION(structured_matmul)
{
    reader r = begin("structured matmul", 3, args, nargs);
    tb_array *compressed = next_array(&r), *out = NULL;
    const int64_t rows = next_number(&r);
    tb_array *x = next_array(&r);
    tb_status st;
    if (r.bad) return NULL;
    TBPY_UNLOCKED(st, tb_structured_matmul(compressed, rows, x, &out));
    return array(&r, st, out);
}

#define METHOD(name, signature, text)                                                            \
    {                                                                                            \
        "_sparse_" #name, (PyCFunction)(void (*)(void))name, METH_FASTCALL,                      \
            "_sparse_" #name "(" signature ")\n--\n\n" text                                       \
    }

#define PATTERN "rows, cols, start, index"

static PyMethodDef methods[] = {
    METHOD(written, "array, ...", "The number of the last write to any of them, of all writes."),
    METHOD(check, PATTERN, "What is to be said of a pattern: 1 sorted, 2 unique, 4 valid."),
    METHOD(rows, PATTERN, "The row of each element."),
    METHOD(group, "row, col, rows, cols", "Start, index and order of elements (row, col)."),
    METHOD(transpose, PATTERN, "Start, index and order of the transpose."),
    METHOD(transpose_values, PATTERN ", data", "Start, index and values of the transpose."),
    METHOD(sort, PATTERN, "Start, index and order of sorted rows."),
    METHOD(unique, PATTERN, "Start, index, and numbers of elements, each once."),
    METHOD(match, PATTERN ", rows_b, cols_b, start_b, index_b, any",
           "Start, index, and numbers in a and in b, of elements of either or both."),
    METHOD(take, PATTERN ", row", "Start, index, and numbers, of some rows."),
    METHOD(find, PATTERN ", row, col", "Numbers of elements (row, col), or -1."),
    METHOD(matmul, PATTERN ", data, x, transposed", "A product with a dense array."),
    METHOD(multiply, PATTERN ", data, rows_b, cols_b, start_b, index_b, data_b",
           "Start, index and values of a product."),
    METHOD(to_dense, PATTERN ", data, transposed, fortran", "A dense array, or None where there is no routine for it."),
    METHOD(diagonal, PATTERN ", data, k", "A diagonal, or None where there is no routine for it."),
    METHOD(bands, "rows, cols, offsets, data", "Start, index and values of diagonals, or None."),
    METHOD(matmul_bands, "rows, cols, offsets, data, x", "A product of diagonals with a dense array, or None."),
    METHOD(matmul_blocks, PATTERN ", blocks, x", "A product of blocks with a dense array, or None."),
    METHOD(block_diagonal, PATTERN ", blocks, k", "A diagonal of blocks, or None."),
    METHOD(group_values, "row, col, data, rows, cols", "Start, index and values of elements (row, col), or None."),
    METHOD(pick, PATTERN ", data, columns, picked", "Start, index and values of some rows or columns, or None."),
    METHOD(element, PATTERN ", data, row, col", "An element, or None where there is no routine for it."),
    METHOD(join, PATTERN ", data, ...", "Start, index and values of matrices side by side, or None."),
    METHOD(combine, PATTERN ", data, rows_b, cols_b, start_b, index_b, data_b, function",
           "Start, index and values of a function of two, and how many are zero; or None."),
    METHOD(components, PATTERN ", strong", "How many components, and which one each vertex is in, or None."),
    METHOD(search, PATTERN ", first, depth_first, directed", "Vertices in order, and those before each, or None."),
    METHOD(tree, PATTERN ", data, from, directed", "Start, index and values of the edges from vertices before others."),
    METHOD(forest, PATTERN ", order", "Which edges connect what those before them do not, or None."),
    METHOD(distances, PATTERN ", data, first, directed, any, limit", "Lengths of shortest paths, or None."),
    METHOD(matching, PATTERN, "The column of each row, and the row of each column, or None."),
    METHOD(least_squares, PATTERN ", data, transposed, b, x0, lsmr, damp, atol, btol, conlim, limit, variance",
           "x and variances, the reason, the steps and norms, or None."),
    {"_sparse_solver_ready", solver_ready, METH_NOARGS,
     "_sparse_solver_ready()\n--\n\nWhether the device solves equations, and is to."},
    METHOD(factor, PATTERN ", data, positive", "Factors of a square matrix in order."),
    METHOD(solve, "factors, b", "The solution, for a vector or columns."),
    METHOD(triangle, PATTERN ", data, lower, unit, b", "The solution with one triangle of a matrix in rows."),
    METHOD(structured_suits, "dtype, rows, cols, width", "Whether a library multiplies such matrices."),
    METHOD(structured_compress, "a", "A pruned matrix as that library has it."),
    METHOD(structured_matmul, "compressed, rows, x", "The product of such a matrix with another."),
    {NULL, NULL, 0, NULL},
};

int tbpy_add_sparse(PyObject *m) { return PyModule_AddFunctions(m, methods); }
