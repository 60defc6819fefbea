/* kernel_object.h - what the types ElementwiseKernel and ReductionKernel share. */
#ifndef TBPY_KERNEL_OBJECT_H
#define TBPY_KERNEL_OBJECT_H
#include "core.h"

enum { TBPY_USER_ARGS = 64, TBPY_USER_OPTIONS = 64 };

/* The outputs given (NULL: none) as arrays; TypeError for anything else. */
int tbpy_kernel_outputs(PyObject *name, int nout, PyObject *const *given, tb_array **out);
/* As tbpy_operands; objects with a handle in `ptr` (textures, surfaces) are numbers of uint64. */
int tbpy_kernel_operands(int n, PyObject *const *objs, tb_operand *out, PyObject **held);
/* Whether a call may take long enough to let other threads run meanwhile. */
bool tbpy_kernel_is_long(int nin, const tb_operand *in, int nout, tb_array *const *out);
/* Compiler options as a tuple, and borrowed from it as C strings. NULL stands for none. */
PyObject *tbpy_kernel_options(PyObject *options, int *n, const char **words);

/* What the attributes need of a type. */
typedef struct tbpy_kernel_kind {
    const char *type;
    int (*nin)(PyObject *kernel);
    int (*nout)(PyObject *kernel);
    tb_parameter (*parameter)(PyObject *kernel, int i);
    const char *(*code)(PyObject *kernel, int i, tb_dtype *dtypes);
} tbpy_kernel_kind;

/* How objects of both types begin. */
typedef struct tbpy_kernel_object {
    PyObject_HEAD
    vectorcallfunc vectorcall;
    const tbpy_kernel_kind *kind;
    PyObject *name;
    PyObject *args, *kwargs; /* it was made of these; kwargs is a dict */
} tbpy_kernel_object;

/* Keeps what an object is made of, for copies and pickles. */
int tbpy_kernel_keep(tbpy_kernel_object *o, PyObject *args, PyObject *kwargs);
/* What both types have, at the end of an object. */
void tbpy_kernel_drop(tbpy_kernel_object *o);

/* Attributes of both: parameters, their numbers, and the sources compiled so far. */
extern PyGetSetDef tbpy_kernel_getset[];
extern PyMethodDef tbpy_kernel_methods[];
PyObject *tbpy_kernel_repr(PyObject *o);
/* The module gets a type, which it alone refers to. */
int tbpy_kernel_add(PyObject *m, PyType_Spec *spec);

#endif
