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
    TBPY_RED_NROLES
} tbpy_reduce_role;

/* The parameters of one family of reductions, in order; the first npos may be given by position. */
typedef struct tbpy_signature {
    const char *names[TBPY_RED_NROLES + 2]; /* NULL-terminated; two of them may have one role */
    unsigned char roles[TBPY_RED_NROLES + 1];
    int npos;
} tbpy_signature;

extern const tbpy_signature tbpy_ufunc_reduce_signature; /* ufunc.reduce(array, axis, dtype, out, keepdims, ...) */

/* Reads the arguments by sig and runs op. default_axis is used where axis= was not given (NULL: all axes). */
PyObject *tbpy_call_reduction(const char *who, tb_reduction op, const tbpy_signature *sig, PyObject *default_axis,
                              PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames);

/* op of the elements of a for which the mask v[TBPY_RED_WHERE] holds; v: the arguments by role, NULL where absent. */
PyObject *tbpy_reduce_where(const char *who, tb_reduction op, PyObject *a, PyObject *const *v);

/* Parts of the module that tbpy_add_reductions adds with its own. */
int tbpy_add_joins(PyObject *m);  /* join.c: concatenate, stack */
int tbpy_add_linalg(PyObject *m); /* linalg.c: matmul, dot */
int tbpy_add_views(PyObject *m);  /* views.c: broadcast_to, as_strided */
#endif
