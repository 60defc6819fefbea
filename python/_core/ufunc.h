/* ufunc.h - the Python object for a universal function; ufunc.c holds calls, ufunc_signature.c their signature=,
 * ufunc_methods.c reduce, outer and the rest. */
#ifndef TBPY_UFUNC_H
#define TBPY_UFUNC_H
#include "core.h"

typedef struct TbUfunc {
    PyObject_HEAD
    vectorcallfunc vectorcall;
    const tb_ufunc *ufunc; /* lives as long as the library */
    int nin, nout;
} TbUfunc;

/* The name without the module that begins it: "gamma" of "special.gamma". */
static inline const char *tbpy_ufunc_plain_name(const tb_ufunc *u)
{
    const char *name = tb_ufunc_name(u), *dot = strchr(name, '.');
    return dot ? dot + 1 : name;
}

static inline bool tbpy_ufunc_is_special(const tb_ufunc *u) { return tbpy_ufunc_plain_name(u) != tb_ufunc_name(u); }

extern PyMethodDef tbpy_ufunc_methods[];

/* A call as vectorcall has it: the values of the keywords kwnames, or NULL, follow args[nargs]. */
PyObject *tbpy_ufunc_call(const tb_ufunc *u, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames);

/* Casts the operands of u to the inputs of the loop that sig names: a string such as "ff->f", or a tuple of dtypes and
 * None. held[i] keeps operand i alive, as tbpy_operands leaves it. TypeError without such a loop, or where casting
 * forbids a cast; ValueError for a signature of the wrong length. */
int tbpy_ufunc_cast(const tb_ufunc *u, PyObject *sig, tb_casting casting, tb_operand *in, PyObject **held);
#endif
