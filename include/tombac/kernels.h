/* kernels.h - a section of tombac.h, which includes it: kernels of your own, and kernels from expressions. */
#ifndef TOMBAC_KERNELS_H
#define TOMBAC_KERNELS_H
#ifndef TOMBAC_H
#error "include tombac/tombac.h"
#endif

/* ---- user kernels --------------------------------------------------------------------------------------------- */

typedef struct tb_module tb_module;     /* CUDA C++ compiled for one device, or loaded machine code */
typedef struct tb_function tb_function; /* a kernel of a module, which it keeps alive */

/* What a module is compiled from. */
typedef struct tb_module_source {
    size_t struct_size;             /* sizeof(tb_module_source) */
    const char *code;               /* CUDA C++ */
    const char *name;               /* what compiler messages call the source; NULL: "kernel.cu" */
    int noption;                    /* how many options */
    const char *const *options;     /* the compiler's, as NVRTC takes them */
    int nexpression;                /* how many expressions */
    const char *const *expressions; /* template instantiations wanted, such as "scale<float>" */
    bool nvcc;                      /* compile with the toolkit's nvcc instead of NVRTC; the CPU has one compiler */
    bool waits;                     /* every kernel begins with griddepcontrol.wait where __CUDA_ARCH__ >= 900, so
                                          that it may be launched before what precedes it in its stream has ended */
} tb_module_source;
/* No code: set at least that. */
#define TB_MODULE_SOURCE_INIT {sizeof(tb_module_source), NULL, NULL, 0, NULL, 0, NULL, false, false}

/* Compiles for the current device. The same source with the same options is compiled once in a process, and comes from
 * the disk cache after that. *log (may be NULL) receives the compiler's messages, "" if none; tb_free it, also on
 * failure. TB_ERR_COMPILE with the messages and the numbered source. */
TB_API tb_status tb_module_compile(const tb_module_source *source, char **log, tb_module **out);
/* Machine code (CUBIN, PTX, fatbin; on the CPU a shared library that tb_module_compile made), not a path. */
TB_API tb_status tb_module_load(const void *image, size_t size, tb_module **out);
TB_API tb_module *tb_module_retain(tb_module *m); /* returns m, with one more reference */
/* NULL is allowed. Of what tb_module_compile made the library keeps references of its own, to hundreds of modules. */
TB_API void tb_module_release(tb_module *m);
TB_API int tb_module_device(const tb_module *m);       /* the device that was current when it was made */
TB_API uintptr_t tb_module_handle(const tb_module *m); /* CUmodule; on the CPU the shared library's handle */
/* What one of the expressions is called in the machine code, borrowed from the module; NULL if there is none such. */
TB_API const char *tb_module_symbol(tb_module *m, const char *expression);
/* An extern "C" kernel by its name, or one of the expressions as it was given. TB_ERR_DEVICE if there is none. */
TB_API tb_status tb_module_function(tb_module *m, const char *name, tb_function **out);
/* A __device__ or __constant__ variable, in device memory. It lives as long as the module. */
TB_API tb_status tb_module_global(tb_module *m, const char *name, void **ptr, size_t *size);

TB_API tb_function *tb_function_retain(tb_function *f);     /* returns f, with one more reference */
TB_API void tb_function_release(tb_function *f);            /* NULL is allowed; it lets go of its module */
TB_API const char *tb_function_name(const tb_function *f);  /* as tb_module_function was given it; never freed */
TB_API tb_module *tb_function_module(const tb_function *f); /* borrowed */
TB_API uintptr_t tb_function_handle(const tb_function *f);  /* CUfunction as a number */
/* The number of parameters, and in *sizes (may be NULL) their sizes in bytes; -1 and NULL where that is not known. */
TB_API int tb_function_parameters(const tb_function *f, const size_t **sizes);
/* By CUfunction_attribute numbers; TB_ERR_DEVICE for others. */
TB_API tb_status tb_function_attribute(tb_function *f, int attribute, int *value);
/* Of those that can be set, such as 8: the most dynamic shared memory, in bytes. */
TB_API tb_status tb_function_set_attribute(tb_function *f, int attribute, int value);
/* Blocks of that size and dynamic shared memory that a multiprocessor runs at once. */
TB_API tb_status tb_function_occupancy(tb_function *f, int block, size_t shared, int *nblock);

/* One argument of a kernel. */
typedef struct tb_kernel_arg {
    tb_array *array;   /* the address of its first element is passed, evaluated first; NULL: the bytes */
    const void *bytes; /* an argument by value, copied by the call */
    size_t size;       /* of the bytes */
} tb_kernel_arg;

/* How many threads run a kernel, and what they share. */
typedef struct tb_launch_shape {
    size_t struct_size;         /* sizeof(tb_launch_shape) */
    uint32_t grid[3], block[3]; /* blocks of the grid, threads of a block */
    uint32_t shared;            /* bytes of dynamic shared memory */
    bool cooperative;           /* all blocks run at once, so that the grid can be synchronised */
} tb_launch_shape;
/* One thread. */
#define TB_LAUNCH_SHAPE_INIT {sizeof(tb_launch_shape), {1, 1, 1}, {1, 1, 1}, 0, false}

/* Enqueues f on s (NULL: the current stream), and does not wait: faults of the kernel show where s is waited for.
 * Deferred work on the arrays is enqueued first; so is all deferred work of the stream when an argument by value has
 * room for an address. TB_ERR_VALUE, TB_ERR_TYPE: not as many arguments, or not as large, as the kernel has. */
TB_API tb_status tb_function_launch(tb_function *f, const tb_launch_shape *shape, tb_stream *s, int narg,
                                    const tb_kernel_arg *args);

/* ---- kernels from expressions ----------------------------------------------------------------------------------- */

/* What follows takes parameter lists such as "T x, raw float32 table, int32 n": a dtype by NumPy's name, or a letter
 * that stands for the dtype of the arrays given for it (outputs decide first, then inputs; numbers only where no array
 * does), and a name. `raw` gives the code the whole array, indexed as it likes, instead of one element. Code is CUDA
 * C++; on the CPU it is compiled by the system's C++ compiler. NULL strings count as empty. */

/* A parameter of a user's kernel. */
typedef struct tb_parameter {
    const char *name; /* borrowed from the kernel; NULL: there is no such parameter */
    tb_dtype dtype;   /* TB_NODTYPE: what the letter stands for */
    char letter;      /* 0 where the dtype has a name */
    bool raw;         /* the whole array, not one element */
    bool writable;    /* what the code may assign to: outputs, and inputs marked _non_const */
} tb_parameter;

typedef struct tb_elementwise tb_elementwise; /* a user's elementwise kernel, which several threads may call */

/* What an elementwise kernel is made from; everything is copied. */
typedef struct tb_elementwise_source {
    size_t struct_size;                 /* sizeof(tb_elementwise_source) */
    const char *in_params, *out_params; /* parameter lists; outputs are what the operation assigns to */
    const char *operation;              /* statements on the parameters; i is the element's number, n how many */
    const char *name;                   /* NULL: "kernel" */
    const char *preamble;               /* before the kernel, where the letters are known as types */
    const char *loop_prep, *after_loop; /* statements of a thread before and after its elements */
    bool keep_dims;                     /* neighbouring dimensions are not merged in _ind */
    int noption;                        /* how many options */
    const char *const *options;         /* the compiler's, as NVRTC takes them */
} tb_elementwise_source;
/* No code: set at least the parameters and the operation. */
#define TB_ELEMENTWISE_SOURCE_INIT \
    {sizeof(tb_elementwise_source), NULL, NULL, NULL, NULL, NULL, NULL, NULL, false, 0, NULL}

/* How an elementwise kernel is called. */
typedef struct tb_elementwise_args {
    size_t struct_size; /* sizeof(tb_elementwise_args) */
    int64_t size;       /* of the loop, where all arrays are raw; -1: it follows from the arrays */
    uint32_t block;     /* threads of a block; 0: the default */
    tb_stream *stream;  /* NULL: the current one */
} tb_elementwise_args;
/* As NULL. */
#define TB_ELEMENTWISE_ARGS_INIT {sizeof(tb_elementwise_args), -1, 0, NULL}

/* TB_ERR_VALUE or TB_ERR_TYPE, naming the parameter, for lists that cannot be read. Nothing is compiled yet. */
TB_API tb_status tb_elementwise_new(const tb_elementwise_source *source, tb_elementwise **out);
TB_API void tb_elementwise_release(tb_elementwise *k);   /* NULL is allowed; there is one reference, the maker's */
TB_API int tb_elementwise_nin(const tb_elementwise *k);  /* input parameters */
TB_API int tb_elementwise_nout(const tb_elementwise *k); /* output parameters */
/* in: one operand a parameter; out: a new array a parameter. args may be NULL. Enqueued at the call; inputs that are
 * pending may become part of the kernel. A combination of dtypes and layouts that is met first is compiled:
 * TB_ERR_COMPILE. TB_ERR_TYPE: a dtype is not the parameter's; TB_ERR_VALUE: shapes do not broadcast. */
TB_API tb_status tb_elementwise_call(tb_elementwise *k, const tb_operand *in, tb_array **out,
                                     const tb_elementwise_args *args);
/* The same to arrays of the caller's, all of them, of the result's shape and the parameters' dtypes: these are not cast
 * to. They take part in deciding what letters stand for. */
TB_API tb_status tb_elementwise_into(tb_elementwise *k, const tb_operand *in, tb_array *const *into,
                                     const tb_elementwise_args *args);
/* The i-th source compiled so far, oldest first, and (unless NULL) the dtypes of its parameters; NULL if there are no
 * more. */
TB_API const char *tb_elementwise_code(const tb_elementwise *k, int i, tb_dtype *dtypes);
/* The i-th parameter, inputs first; nothing but zeros if there is none. */
TB_API tb_parameter tb_elementwise_parameter(const tb_elementwise *k, int i);

typedef struct tb_reducer tb_reducer; /* a user's reduction, which several threads may call */

/* What a reduction of the caller's is made from; everything is copied. */
typedef struct tb_reducer_source {
    size_t struct_size;                 /* sizeof(tb_reducer_source) */
    const char *in_params, *out_params; /* one output, which is not raw */
    const char *map_expr;               /* of the inputs: what is reduced. _J is the element's position */
    const char *reduce_expr;            /* of a and b; taken to be associative and commutative */
    const char *post_map_expr;          /* a statement that assigns to the output, from a */
    const char *identity;               /* NULL: there is none, and nothing cannot be reduced */
    const char *name;                   /* NULL: "reduce_kernel" */
    const char *reduce_type;            /* of a and b; NULL: the output's */
    const char *preamble;               /* before the kernel, where the letters are known as types */
    int noption;                        /* how many options */
    const char *const *options;         /* the compiler's, as NVRTC takes them */
} tb_reducer_source;
/* No code: set at least the parameters, and how elements are mapped, reduced and post-mapped. */
#define TB_REDUCER_SOURCE_INIT \
    {sizeof(tb_reducer_source), NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL}

/* What a reduction of the caller's reduces. */
typedef struct tb_reducer_args {
    size_t struct_size;  /* sizeof(tb_reducer_args) */
    int naxis;           /* -1: all axes */
    int axis[TB_MAXDIM]; /* may be negative */
    bool keepdims;       /* reduced axes stay, with length 1 */
    tb_stream *stream;   /* NULL: the current one */
} tb_reducer_args;
/* Everything, to one number. */
#define TB_REDUCER_ARGS_INIT {sizeof(tb_reducer_args), -1, {0}, false, NULL}

/* TB_ERR_VALUE or TB_ERR_TYPE, naming the parameter, for lists that cannot be read. Nothing is compiled yet. */
TB_API tb_status tb_reducer_new(const tb_reducer_source *source, tb_reducer **out);
TB_API void tb_reducer_release(tb_reducer *k);  /* NULL is allowed; there is one reference, the maker's */
TB_API int tb_reducer_nin(const tb_reducer *k); /* input parameters; there is one output */
/* As tb_elementwise_call. args may be NULL. The order in which elements are combined is fixed by shape and layout:
 * equal calls give equal results. TB_ERR_VALUE: no array that is not raw, or nothing to reduce and no identity. */
TB_API tb_status tb_reducer_call(tb_reducer *k, const tb_operand *in, tb_array **out, const tb_reducer_args *args);
/* The same to an array of the result's shape and the parameter's dtype, which is not cast to. */
TB_API tb_status tb_reducer_into(tb_reducer *k, const tb_operand *in, tb_array *into, const tb_reducer_args *args);
/* As tb_elementwise_code. */
TB_API const char *tb_reducer_code(const tb_reducer *k, int i, tb_dtype *dtypes);
/* As tb_elementwise_parameter. */
TB_API tb_parameter tb_reducer_parameter(const tb_reducer *k, int i);
#endif
