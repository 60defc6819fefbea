/* module.h - inside src/backend/cuda: user code, from source to what can be launched.
 *
 *   module.c       the entries of the backend's table: loading, functions, launching
 *   user_image.c   compiled user code with the names of its template instantiations, as it is kept on disk
 *   user_compile.c source to machine code by NVRTC, with the user's options
 *   link.c         relocatable code to machine code, by the driver's linker
 *   nvcc.c         source to machine code by the toolkit's nvcc
 *   toolkit.c      where a toolkit's headers, libraries and programs are */
#ifndef TB_BACKEND_CUDA_MODULE_H
#define TB_BACKEND_CUDA_MODULE_H
#include "backend/cuda/device.h"

/* ---- user_image.c ---- */

/* One block of memory: a header, the lowered names in the order of the expressions, and the code. */
typedef struct tb_user_image {
    unsigned char *data; /* free() it */
    size_t size;
    const char *names; /* zero-terminated, one after the other */
    int nname;
    const void *code; /* CUBIN, LTO-IR, or PTX that ends in a zero byte; to the end of the block */
} tb_user_image;

tb_status tb__user_image_make(int nname, const char *const *names, const tb_image *code, tb_user_image *out);
/* Takes over the block of a file; false (and the block freed) if it is not such an image. */
bool tb__user_image_open(tb_image *block, int nname, tb_user_image *out);

/* ---- user_compile.c, nvcc.c ---- */
/* Compiles for compute capability `arch`. *log as for tb_module_compile. Callable from any thread, with a context of
 * the device entered if the code needs linking. */
tb_status tb__nvrtc_compile(const tb_module_source *source, int arch, char **log, tb_user_image *out);
/* To LTO-IR, by options that say so. */
tb_status tb__nvrtc_compile_lto(const tb_module_source *source, int arch, tb_user_image *out);
tb_status tb__nvcc_compile(const tb_module_source *source, int arch, char **log, tb_user_image *out);
/* What identifies the compiler and the headers that it would use. False when there is none. */
bool tb__nvrtc_identity(const tb_module_source *source, tb_name_hash *h);

/* ---- link.c ---- */
/* Relocatable code, CUBIN or PTX, with the device's runtime library. Frees and replaces *image. */
tb_status tb__cuda_link(tb_image *image, bool cubin);
/* Operations of the run-time interface on a linker of the caller's. */
tb_status tb__cuda_linker(tb_runtime_op op, const int64_t *in, int64_t *out);

/* ---- toolkit.c ---- */
enum { TB_TOOLKIT_DIRS = 16, TB_TOOLKIT_PATH = 1024 };
typedef struct tb_toolkit_dirs {
    char dir[TB_TOOLKIT_DIRS][TB_TOOLKIT_PATH];
    int n;
} tb_toolkit_dirs;
/* Folders with the headers of CUDA, those that belong to the NVRTC in use first. NVRTC must have been found. */
void tb__toolkit_includes(tb_toolkit_dirs *out);
/* The path of a library ("libcudadevrt.a") or program ("nvcc"). */
bool tb__toolkit_library(const char *name, char path[TB_TOOLKIT_PATH]);
bool tb__toolkit_program(const char *name, char path[TB_TOOLKIT_PATH]);

/* ---- the entries of the backend's table: module.c ---- */
tb_status tb__cuda_module_compile(int device, const tb_module_source *source, char **log, void **module);
tb_status tb__cuda_module_load(int device, const void *image, size_t size, void **module);
void tb__cuda_module_unload(int device, void *module);
tb_status tb__cuda_module_function(int device, void *module, const char *name, tb_function_info *out);
tb_status tb__cuda_module_global(int device, void *module, const char *name, void **ptr, size_t *size);
uintptr_t tb__cuda_module_handle(void *module);
const char *tb__cuda_module_symbol(void *module, const char *expression);
tb_status tb__cuda_function_attribute(int device, void *function, int attribute, int *value);
tb_status tb__cuda_function_set_attribute(int device, void *function, int attribute, int value);
tb_status tb__cuda_function_occupancy(int device, void *function, int block, size_t shared, int *nblock);
tb_status tb__cuda_function_launch(tb_stream *s, const tb_function_info *f, const char *name,
                                   const tb_launch_shape *shape, void **args);
#endif
