/* kernel_object.h - what the types ElementwiseKernel and ReductionKernel share. */
#ifndef TBPY_KERNEL_OBJECT_H
#define TBPY_KERNEL_OBJECT_H
#include "core.h"

enum { TBPY_USER_ARGS = 64, TBPY_USER_OPTIONS = 64 };

/* The outputs given (NULL: none) as arrays; TypeError for anything else. */
int tbpy_kernel_outputs(PyObject *name, int nout, PyObject *const *given, tb_array **out);
/* Whether a call may take long enough to let other threads run meanwhile. */
bool tbpy_kernel_is_long(int nin, const tb_operand *in, int nout, tb_array *const *out);
/* Compiler options as a tuple, and borrowed from it as C strings. NULL stands for none. */
PyObject *tbpy_kernel_options(PyObject *options, int *n, const char **words);

typedef tb_parameter tbpy_parameter_at(const void *kernel, int i);
typedef const char *tbpy_code_at(const void *kernel, int i, tb_dtype *dtypes);
/* A tuple of ParameterInfo: inputs ('i'), outputs ('o') or all of them ('a'). */
PyObject *tbpy_kernel_params(const void *kernel, tbpy_parameter_at *at, int nin, int nout, char part);
/* {dtypes: source} of what has been compiled. */
PyObject *tbpy_kernel_codes(const void *kernel, tbpy_code_at *at, int nparam);
/* The longest source; ValueError if there is none. */
PyObject *tbpy_kernel_code(const void *kernel, tbpy_code_at *at);

#endif
