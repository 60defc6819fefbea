/* reduce_args.h - tables of reductions, for the functions of the module and the methods of ufuncs.
 *
 * A reduction is called with a handful of keywords that differ from function to function; the table says which ones
 * and in which order, and one function reads them all. */
#ifndef TBPY_REDUCE_ARGS_H
#define TBPY_REDUCE_ARGS_H
#include "core.h"

typedef enum tbpy_reduce_role {
    TBPY_RED_A,
    TBPY_RED_AXIS,
    TBPY_RED_DTYPE,
    TBPY_RED_OUT,
    TBPY_RED_KEEPDIMS,
    TBPY_RED_DDOF,
    TBPY_RED_INITIAL,
    TBPY_RED_WHERE,
    TBPY_RED_MEAN,
    TBPY_RED_NROLES
} tbpy_reduce_role;

/* The parameters of one family of reductions, in order; the first npos may be given by position. */
typedef struct tbpy_signature {
    const char *names[TBPY_RED_NROLES + 2]; /* NULL-terminated; two of them may have one role */
    unsigned char roles[TBPY_RED_NROLES + 1];
    int npos;
} tbpy_signature;

/* The families, by the names that tombac/reductions.def has for them. A method takes what a function does but for a. */
extern const tbpy_signature tbpy_like_SUM, tbpy_like_MAX, tbpy_like_ARG, tbpy_like_ANY, tbpy_like_MEAN, tbpy_like_VAR,
    tbpy_like_PTP, tbpy_like_COUNT;
extern const tbpy_signature tbpy_ufunc_reduce_signature; /* ufunc.reduce(array, axis, dtype, out, keepdims, ...) */

/* The same as a docstring's first line has it. */
#define TBPY_TEXT_SUM   "axis=None, dtype=None, out=None, keepdims=False, initial=None, where=None)"
#define TBPY_TEXT_MAX   "axis=None, out=None, keepdims=False, initial=None, where=None)"
#define TBPY_TEXT_ARG   "axis=None, dtype=None, out=None, keepdims=False)"
#define TBPY_TEXT_ANY   "axis=None, out=None, keepdims=False, *, where=None)"
#define TBPY_TEXT_MEAN  "axis=None, dtype=None, out=None, keepdims=False, *, where=None)"
#define TBPY_TEXT_VAR \
    "axis=None, dtype=None, out=None, ddof=0, keepdims=False, *, where=None, mean=None, correction=0)"
#define TBPY_TEXT_PTP   "axis=None, out=None, keepdims=False)"
#define TBPY_TEXT_COUNT "axis=None, *, keepdims=False)"

/* Reads the arguments by sig and runs op. default_axis is used where axis= was not given (NULL: all axes). */
PyObject *tbpy_call_reduction(const char *who, tb_reduction op, const tbpy_signature *sig, PyObject *default_axis,
                              PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames);

/* Runs op with the arguments v by role, NULL where absent; of the elements for which a mask v[TBPY_RED_WHERE] holds. */
PyObject *tbpy_reduce_by_role(const char *who, tb_reduction op, PyObject *a, PyObject *const *v);

/* Parts of the module that tbpy_add_reductions adds with its own. */
int tbpy_add_joins(PyObject *m);      /* join.c: concatenate, stack */
int tbpy_add_linalg(PyObject *m);     /* linalg.c: matmul, dot */
int tbpy_add_sort(PyObject *m);       /* sort.c */
int tbpy_add_recurrence(PyObject *m); /* recurrence.c */
int tbpy_add_windows(PyObject *m);    /* windows.c */
int tbpy_add_solvers(PyObject *m);    /* solvers.c */
int tbpy_add_finite(PyObject *m);     /* finite.c */
int tbpy_add_sparse(PyObject *m);     /* sparse.c */
int tbpy_provide_lapack(void);        /* linalg.c: SciPy's, if it is there */
int tbpy_provide_blas(void);
int tbpy_add_views(PyObject *m);   /* views.c: broadcast_to, as_strided */
int tbpy_add_objects(PyObject *m); /* objects.c */
int tbpy_add_peaks(PyObject *m);   /* peaks.c */
int tbpy_add_pieces(PyObject *m);  /* pieces.c */
int tbpy_add_tree(PyObject *m);    /* tree.c */
#endif
