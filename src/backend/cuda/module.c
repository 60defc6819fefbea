/* module.c - user code on a device: loading it, its functions and variables, launching them.
 *
 * Functions are looked up and launched under the core lock; compiling and loading happen without it. A module's list of
 * parameter sizes only grows, and goes with the module. */
#include "backend/cuda/module.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/lock.h"

enum { MOST_PARAMETERS = 4096, LOG_SIZE = 4096 };

typedef struct param_sizes {
    struct param_sizes *next;
    size_t size[];
} param_sizes;

typedef struct cuda_module {
    CUmodule handle;
    int nname;
    char **expressions, **names; /* as given, and as they are called in the code; one block each */
    param_sizes *sizes;
    bool waits; /* as its source said */
} cuda_module;

/* ---- loading ---------------------------------------------------------------------------------------------------- */

/* PTX that the driver cannot compile gives a log. */
static tb_status load_code(int device, const void *code, CUmodule *out)
{
    char log[LOG_SIZE] = "", text[1024];
    CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
    void *values[] = {log, (void *)(uintptr_t)sizeof log};
    CUmodule handle = NULL;
    TB_TRY(tb__cuda_enter(device));
    CUresult result = TB_CU_RESULT(cuModuleLoadDataEx, &handle, code, 2, options, values);
    if (result == CUDA_ERROR_OUT_OF_MEMORY) {
        tb__lock();
        tb__pool_free_all(device);
        tb__unlock();
        values[1] = (void *)(uintptr_t)sizeof log;
        result = TB_CU_RESULT(cuModuleLoadDataEx, &handle, code, 2, options, values);
    }
    if (result != CUDA_SUCCESS) {
        log[sizeof log - 1] = 0;
        tb__cuda_error_text(result, text, sizeof text);
        size_t len = strlen(text);
        if (log[0]) snprintf(text + len, sizeof text - len, ": %s", log);
        return tb__fail_device(result, "cuModuleLoadDataEx", text);
    }
    *out = handle;
    return TB_OK;
}

static char **copy_texts(int n, const char *const *texts)
{
    size_t size = (size_t)n * sizeof(char *);
    for (int i = 0; i < n; i++) size += strlen(texts[i]) + 1;
    char **copies = malloc(size + 1), *at = copies ? (char *)(copies + n) : NULL;
    for (int i = 0; at && i < n; i++) {
        size_t len = strlen(texts[i]) + 1;
        copies[i] = memcpy(at, texts[i], len);
        at += len;
    }
    return copies;
}

static void free_module(cuda_module *m)
{
    while (m->sizes) {
        param_sizes *next = m->sizes->next;
        free(m->sizes);
        m->sizes = next;
    }
    free(m->expressions);
    free(m->names);
    free(m);
}

/* expressions, names: n of each; copied. */
static tb_status load(int device, const void *code, int n, const char *const *expressions, const char *const *names,
                      void **out)
{
    cuda_module *m = calloc(1, sizeof *m);
    if (!m) return tb__fail_memory(sizeof *m, 0, 0, 0);
    m->nname = n;
    m->expressions = copy_texts(n, expressions);
    m->names = copy_texts(n, names);
    tb_status status = m->expressions && m->names ? load_code(device, code, &m->handle) : tb__fail_memory(0, 0, 0, 0);
    if (status != TB_OK) {
        free_module(m);
        return status;
    }
    *out = m;
    return TB_OK;
}

static tb_status load_user_image(int device, const tb_module_source *source, const tb_user_image *image, void **out)
{
    const char **names = calloc((size_t)image->nname + 1, sizeof *names), *at = image->names;
    if (!names) return tb__fail_memory(sizeof *names, 0, 0, 0);
    for (int i = 0; i < image->nname; i++) {
        names[i] = at;
        at += strlen(at) + 1;
    }
    tb_status status = load(device, image->code, image->nname, source->expressions, names, out);
    if (status == TB_OK) ((cuda_module *)*out)->waits = source->waits;
    free(names);
    return status;
}

/* The driver is not told how long an image is: PTX ends with a zero byte, the other kinds know their size. */
tb_status tb__cuda_module_load(int device, const void *image, size_t size, void **module)
{
    char *copy = malloc(size + 1);
    if (!copy) return tb__fail_memory(size, 0, 0, 0);
    if (size) memcpy(copy, image, size);
    copy[size] = 0;
    tb_status status =
        size ? load(device, copy, 0, NULL, NULL, module) : tb__fail(TB_ERR_VALUE, "tb_module_load: the image is empty");
    free(copy);
    return status;
}

/* A failure here is that of earlier work, or the process is ending: there is nobody to tell. */
void tb__cuda_module_unload(int device, void *module)
{
    cuda_module *m = module;
    if (!tb__cuda_forked() && tb__cuda_enter(device) == TB_OK) (void)TB_CU_RESULT(cuModuleUnload, m->handle);
    free_module(m);
}

/* ---- compiling -------------------------------------------------------------------------------------------------- */

static bool load_cached(int device, const tb_module_source *source, const tb_kernel_name *name, void **module)
{
    tb_image block;
    tb_user_image image;
    if (!tb__disk_read(name, &block) || !tb__user_image_open(&block, source->nexpression, &image)) return false;
    bool good = load_user_image(device, source, &image, module) == TB_OK;
    free(image.data);
    return good;
}

static bool name_of(const tb_module_source *source, int arch, tb_kernel_name *name)
{
    tb_name_hash h;
    tb__source_name(source, &h);
    tb__name_add(&h, &arch, sizeof arch);
    if (!tb__nvrtc_identity(source, &h)) return false;
    tb__name_end(&h, name);
    return true;
}

tb_status tb__cuda_module_compile(int device, const tb_module_source *source, char **log, void **module)
{
    const int arch = tb__gpu_devices[device].arch;
    tb_kernel_name name;
    tb_user_image image;
    bool named = name_of(source, arch, &name);
    TB_TRY(tb__cuda_enter(device));
    if (named && load_cached(device, source, &name, module)) {
        tb__count_up(&tb__count.cache_hits_disk);
        return TB_OK;
    }
    TB_TRY((source->nvcc ? tb__nvcc_compile : tb__nvrtc_compile)(source, arch, log, &image));
    tb__count_up(&tb__count.compiles);
    if (named) tb__disk_write(&name, &(tb_image){image.data, image.size});
    tb_status status = load_user_image(device, source, &image, module);
    free(image.data);
    return status;
}

/* ---- functions and variables ------------------------------------------------------------------------------------ */

static tb_status fail_lookup(CUresult result, const cuda_module *m, const char *what, const char *name)
{
    char text[1024];
    tb__cuda_error_text(result, text, sizeof text);
    size_t len = strlen(text);
    if (result == CUDA_ERROR_NOT_FOUND)
        len += (size_t)snprintf(text + len, sizeof text - len,
                                "; the module has no kernel or variable of that name: declare it extern \"C\","
                                " or give it as a name expression");
    for (int i = 0; result == CUDA_ERROR_NOT_FOUND && i < m->nname && len < sizeof text; i++)
        len += (size_t)snprintf(text + len, sizeof text - len, "%s%s", i ? ", " : " (those given: ", m->expressions[i]);
    if (result == CUDA_ERROR_NOT_FOUND && m->nname && len < sizeof text - 1) strcat(text, ")");
    char call[256];
    snprintf(call, sizeof call, "%s of \"%.180s\"", what, name);
    return tb__fail_device(result, call, text);
}

static const char *name_in_code(const cuda_module *m, const char *name)
{
    for (int i = 0; i < m->nname; i++)
        if (tb__same_expression(m->expressions[i], name)) return m->names[i];
    return name;
}

/* Drivers older than CUDA 12.4 do not tell: the arguments are then taken as they come. */
static tb_status read_parameters(cuda_module *m, CUfunction function, tb_function_info *info)
{
    size_t offset, size, n = 0;
    if (!tb__cu.cuFuncGetParamInfo) return TB_OK;
    while (n < MOST_PARAMETERS && tb__cu.cuFuncGetParamInfo(function, n, &offset, &size) == CUDA_SUCCESS) n++;
    param_sizes *p = malloc(sizeof *p + n * sizeof p->size[0]);
    if (!p) return tb__fail_memory(sizeof *p, 0, 0, 0);
    for (size_t i = 0; i < n; i++) tb__cu.cuFuncGetParamInfo(function, i, &offset, &p->size[i]);
    p->next = m->sizes;
    m->sizes = p;
    info->nparam = (int)n;
    info->size = p->size;
    return TB_OK;
}

uintptr_t tb__cuda_module_handle(void *module) { return (uintptr_t)((cuda_module *)module)->handle; }

const char *tb__cuda_module_symbol(void *module, const char *expression)
{
    const cuda_module *m = module;
    const char *name = name_in_code(m, expression);
    return name == expression ? NULL : name;
}

tb_status tb__cuda_module_function(int device, void *module, const char *name, tb_function_info *out)
{
    cuda_module *m = module;
    CUfunction function = NULL;
    tb_function_info info = {.nparam = -1};
    TB_TRY(tb__cuda_enter(device));
    CUresult result = TB_CU_RESULT(cuModuleGetFunction, &function, m->handle, name_in_code(m, name));
    if (result != CUDA_SUCCESS) return fail_lookup(result, m, "cuModuleGetFunction", name);
    TB_TRY(read_parameters(m, function, &info));
    info.handle = function;
    info.early = m->waits && tb__cuda_launches_early(function);
    *out = info;
    return TB_OK;
}

tb_status tb__cuda_module_global(int device, void *module, const char *name, void **ptr, size_t *size)
{
    cuda_module *m = module;
    CUdeviceptr address = 0;
    size_t bytes = 0;
    TB_TRY(tb__cuda_enter(device));
    CUresult result = TB_CU_RESULT(cuModuleGetGlobal, &address, &bytes, m->handle, name_in_code(m, name));
    if (result != CUDA_SUCCESS) return fail_lookup(result, m, "cuModuleGetGlobal", name);
    *ptr = (void *)(uintptr_t)address;
    *size = bytes;
    return TB_OK;
}

tb_status tb__cuda_function_attribute(int device, void *function, int attribute, int *value)
{
    int v;
    TB_TRY(tb__cuda_enter(device));
    TB_CU(cuFuncGetAttribute, &v, attribute, function);
    *value = v;
    return TB_OK;
}

tb_status tb__cuda_function_set_attribute(int device, void *function, int attribute, int value)
{
    TB_TRY(tb__cuda_enter(device));
    TB_CU(cuFuncSetAttribute, function, attribute, value);
    return TB_OK;
}

tb_status tb__cuda_function_occupancy(int device, void *function, int block, size_t shared, int *nblock)
{
    int n;
    TB_TRY(tb__cuda_enter(device));
    TB_CU(cuOccupancyMaxActiveBlocksPerMultiprocessor, &n, function, block, shared);
    *nblock = n;
    return TB_OK;
}

/* ---- launching -------------------------------------------------------------------------------------------------- */

static CUresult enqueue(tb_stream *s, const tb_function_info *f, const tb_launch_shape *l, void **args)
{
    if (l->cooperative)
        return TB_CU_RESULT(cuLaunchCooperativeKernel, f->handle, l->grid[0], l->grid[1], l->grid[2], l->block[0],
                            l->block[1], l->block[2], l->shared, s->handle, args);
    return tb__cuda_enqueue(s, f->handle, f->early, l->grid, l->block, l->shared, args);
}

/* What the kernel would have taken, where the launch asked for more. */
static void add_limits(CUfunction f, const tb_launch_shape *l, char *text, size_t cap)
{
    enum { MAX_THREADS_PER_BLOCK = 0, NUM_REGS = 4 };
    uint64_t threads = (uint64_t)l->block[0] * l->block[1] * l->block[2];
    int most = 0, registers = 0, dynamic = 0;
    size_t len = strlen(text);
    if (tb__cu.cuFuncGetAttribute(&most, MAX_THREADS_PER_BLOCK, f) == CUDA_SUCCESS && threads > (uint64_t)most &&
        tb__cu.cuFuncGetAttribute(&registers, NUM_REGS, f) == CUDA_SUCCESS)
        len += (size_t)snprintf(text + len, cap - len,
                                "; with %d registers a thread, a block of this kernel may"
                                " have %d threads at most",
                                registers, most);
    if (len < cap &&
        tb__cu.cuFuncGetAttribute(&dynamic, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, f) == CUDA_SUCCESS &&
        l->shared > (uint32_t)dynamic)
        len += (size_t)snprintf(text + len, cap - len,
                                "; the kernel may have %d bytes of dynamic shared memory: set"
                                " its max_dynamic_shared_size_bytes first",
                                dynamic);
    if (len < cap && l->cooperative)
        snprintf(text + len, cap - len, "; all blocks of a cooperative launch must fit the device at once");
}

static tb_status fail_launch(CUresult result, CUfunction f, const char *name, const tb_launch_shape *l)
{
    char call[320], text[1024];
    snprintf(call, sizeof call,
             "launching kernel %.100s with grid (%u, %u, %u), block (%u, %u, %u) and %u bytes of"
             " dynamic shared memory",
             name, l->grid[0], l->grid[1], l->grid[2], l->block[0], l->block[1], l->block[2], l->shared);
    tb__cuda_error_text(result, text, sizeof text);
    add_limits(f, l, text, sizeof text);
    return tb__fail_device(result, call, text);
}

tb_status tb__cuda_function_launch(tb_stream *s, const tb_function_info *f, const char *name,
                                   const tb_launch_shape *shape, void **args)
{
    TB_TRY(tb__cuda_enter(s->device));
    CUresult result = enqueue(s, f, shape, args);
    if (__builtin_expect(result == CUDA_ERROR_OUT_OF_MEMORY, 0)) {
        tb__pool_free_all(s->device); /* the driver loads code at the first launch */
        result = enqueue(s, f, shape, args);
    }
    if (__builtin_expect(result != CUDA_SUCCESS, 0)) return fail_launch(result, f->handle, name, shape);
    tb__cuda_note(s, name);
    return TB_OK;
}
