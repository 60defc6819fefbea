/* user_kernel.h - what kernel_args.c, function.c, raw_module.c and raw_kernel.c share: modules, functions, launches. */
#ifndef TBPY_USER_KERNEL_H
#define TBPY_USER_KERNEL_H
#include "core.h"

enum { TBPY_DEVICES = 64 }; /* more than libtombac uses */

/* ---- function.c ------------------------------------------------------------------------------------------------- */

/* tombac.cuda.Function over f, tombac.cuda.Module over m; both steal. expressions: the module's, or None. */
PyObject *tbpy_function_object(tb_function *f);
PyObject *tbpy_module_object(tb_module *m, PyObject *expressions);
/* A dict of all attributes of f, by name. */
PyObject *tbpy_function_attributes(tb_function *f);
/* The attributes' names; the number of one is its CUfunction_attribute. Ends with NULL. */
extern const char *const tbpy_function_attribute_names[];

/* What is common to all ways of calling a kernel. shared, stream: NULL or None for none. */
PyObject *tbpy_launch(tb_function *f, PyObject *grid, PyObject *block, PyObject *args, PyObject *shared,
                      PyObject *stream, bool cooperative);
/* Grid or block: an integer, or a tuple or list of one to three; missing extents are 1. kernel, what: for messages. */
int tbpy_extents(const char *kernel, const char *what, PyObject *o, uint32_t *out);
/* tb_function_launch, without the GIL where the kernel runs within the call. */
tb_status tbpy_enqueue(tb_function *f, const tb_launch_shape *shape, tb_stream *s, int narg, const tb_kernel_arg *args);
/* A MemoryPointer to a variable of m, which it keeps alive. */
PyObject *tbpy_module_global(tb_module *m, const char *name);

/* ---- raw_module.c ----------------------------------------------------------------------------------------------- */

typedef struct TbRawModule {
    PyObject_HEAD
    PyObject *code;        /* str, or None if there is a path */
    PyObject *path;        /* str or None */
    PyObject *options;     /* tuple of str */
    PyObject *backend;     /* "nvrtc" or "nvcc" */
    PyObject *expressions; /* tuple of str, or None */
    bool translate, cooperative, jitify;
    tb_module *modules[TBPY_DEVICES]; /* compiled when a device first needs it */
} TbRawModule;

/* A RawModule of one source; borrows. */
TbRawModule *tbpy_raw_module(PyObject *code, PyObject *path, PyObject *options, PyObject *backend,
                             PyObject *expressions, bool translate, bool cooperative, bool jitify);
/* The module (borrowed) for the current device, compiled if need be. log: NULL, None or a file to write messages to. */
tb_module *tbpy_raw_module_here(TbRawModule *self, PyObject *log);

/* ---- raw_kernel.c ----------------------------------------------------------------------------------------------- */

/* The RawKernel called `name` of a RawModule. */
PyObject *tbpy_raw_kernel(TbRawModule *module, PyObject *name);

#endif
