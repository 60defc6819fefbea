/* ufunc.h - the Python object for a universal function; ufunc.c holds calls, ufunc_methods.c reduce, outer and the
 * rest. */
#ifndef TBPY_UFUNC_H
#define TBPY_UFUNC_H
#include "core.h"

typedef struct TbUfunc {
    PyObject_HEAD vectorcallfunc vectorcall;
    const tb_ufunc *ufunc; /* lives as long as the library */
} TbUfunc;

extern PyMethodDef tbpy_ufunc_methods[];
#endif
