/* abi.h - what a user kernel compiled for the CPU and the backend that runs it agree on.
 *
 * Compiled as C into the backend and embedded as text for the host compiler (C++). A compiled module exports one
 * symbol, tb_host_module; the backend fills in `runtime` when it has loaded it. Any change here changes the text, hence
 * the names of the modules in the disk cache. */
#ifndef TB_KERNELS_HOST_CUDA_ABI_H
#define TB_KERNELS_HOST_CUDA_ABI_H

typedef struct tb_host_extent {
    unsigned x, y, z;
} tb_host_extent;

#ifdef __cplusplus
typedef uint3 tb_host_index;
typedef dim3 tb_host_size;
#else
typedef tb_host_extent tb_host_index;
typedef tb_host_extent tb_host_size;
#endif

/* What threadIdx, blockIdx, blockDim and gridDim read. */
typedef struct tb_host_here {
    tb_host_index thread, block;
    tb_host_size block_dim, grid_dim;
} tb_host_here;

/* Barriers of a block, by what they return. */
enum { TB_HOST_SYNC, TB_HOST_SYNC_COUNT, TB_HOST_SYNC_AND, TB_HOST_SYNC_OR };

/* What the lanes of a warp do together. */
enum {
    TB_HOST_WARP_SYNC, TB_HOST_BALLOT, TB_HOST_MATCH_ANY, TB_HOST_MATCH_ALL,
    TB_HOST_SHUFFLE, /* from the lane `from`, which the caller works out; its own value if `from` is not in the mask */
    TB_HOST_ADD_U32, TB_HOST_MIN_U32, TB_HOST_MAX_U32, TB_HOST_ADD_I32, TB_HOST_MIN_I32, TB_HOST_MAX_I32,
    TB_HOST_AND_U32, TB_HOST_OR_U32, TB_HOST_XOR_U32
};
/* Instead of a mask: those lanes that get there together. */
#define TB_HOST_CONVERGED 0u

/* What a texture or surface object is: its handle is the address of one of these. */
enum { TB_HOST_WRAP, TB_HOST_CLAMP, TB_HOST_MIRROR, TB_HOST_BORDER };
typedef struct tb_host_texture {
    char *data;
    unsigned long width, height, depth; /* in elements; 0: fewer dimensions */
    unsigned long pitch, layer;         /* bytes */
    int format, channels;               /* CUarray_format, how many of them */
    unsigned long size;                 /* bytes of a channel */
    int address[3];
    int linear, normalized, floats, srgb; /* floats: integers are read as [0, 1] or [-1, 1] */
    int seamless;                       /* cubemaps: filters reach across the edges of faces */
    float border[4];
    int levels, between_levels;         /* of a mipmap, whose first level this is; with a linear filter between them */
    float bias, least, most;
    const struct tb_host_texture *level; /* each of them; NULL: it is no mipmap */
} tb_host_texture;

typedef struct tb_host_kernel {
    const char *name;      /* NULL: the end of the table */
    int nparam;
    const unsigned long *size;
    /* Runs `count` blocks from block `first` on, thread after thread; NULL: the kernel may wait. */
    void (*blocks)(const tb_host_here *launch, void **args, unsigned long first, unsigned long count);
    void (*thread)(const tb_host_here *here, void **args); /* runs one thread; NULL where `blocks` is there */
    int max_threads;       /* of __launch_bounds__; 0: none */
} tb_host_kernel;

/* A grid that a kernel launches. */
enum { TB_HOST_TAIL = 3 }; /* CUDA's number of the stream for what runs when the parent is over */
typedef struct tb_host_launch {
    const tb_host_kernel *kernel; /* copied, as the arguments are */
    tb_host_size grid, block_size;
    unsigned shared;
    int tail;
    unsigned long block;          /* of the parent's grid, which one launches */
    const void *arguments;
    unsigned long size;
} tb_host_launch;

typedef struct tb_host_services {
    long here_offset; /* from the thread pointer to the address of the calling thread's tb_host_here */
    const tb_host_here **(*here)(void);                          /* the same, where there is no thread pointer */
    void *(*dynamic)(void);                                      /* the block's dynamic shared memory */
    unsigned (*dynamic_size)(void);
    int (*sync_block)(int kind, int value);
    unsigned long long (*warp)(int operation, unsigned mask, unsigned long long value, int from);
    unsigned (*converged)(const void *site);                     /* lanes that are at `site` together */
    void (*sync_grid)(void);
    int (*sync_grid_valid)(void);
    void (*fail)(int kind, const char *text);                    /* ends the kernel; does not return */
    int (*print)(const char *format, __builtin_va_list args);
    void (*launch)(const tb_host_launch *launch);
} tb_host_services;

enum { TB_HOST_FAIL_TRAP = 1, TB_HOST_FAIL_ASSERT };

typedef struct tb_host_global {
    const char *name;
    void *address;
    unsigned long size;
    int constant;
} tb_host_global;

typedef struct tb_host_exports {
    unsigned version; /* TB_HOST_VERSION */
    int prints;       /* the source mentions printf */
    const tb_host_services **services;
    const tb_host_kernel *kernels;
    const tb_host_global *globals;
    const char *others; /* names of kernels that cannot be looked up, separated by commas */
} tb_host_exports;

/* An enumerator, so that it is still there after preprocessing. */
enum { TB_HOST_VERSION = 0x54420003 };
#define TB_HOST_SYMBOL "tb_host_module"
#endif
