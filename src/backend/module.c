/* module.c - user kernels: lifetime of modules and functions, and what every backend's launch needs.
 *
 * A module belongs to the device that was current when it was made. A function retains its module. */
#include <stdlib.h>
#include <string.h>

#include "backend/runtime.h"
#include "base/error.h"
#include "base/lock.h"
#include "graph/expr.h"

enum { ARGS_ON_STACK = 64 };

struct tb_module {
    int refs;
    int device;
    void *handle;
};

struct tb_function {
    int refs;
    tb_module *module;
    tb_function_info info;
    char name[];
};

/* ---- modules -------------------------------------------------------------------------------------------------- */

static tb_status module_over(int device, void *handle, tb_module **out)
{
    tb_module *m = malloc(sizeof *m);
    if (!m) {
        tb__backend->module_unload(device, handle);
        return tb__fail_memory(sizeof *m, 0, 0, 0);
    }
    *m = (tb_module){.refs = 1, .device = device, .handle = handle};
    *out = m;
    return TB_OK;
}

static tb_status module_compile(const tb_module_source *source, char **log, tb_module **out)
{
    int device = tb__device_current();
    void *handle;
    TB_TRY(tb__device_ready("tb_module_compile", device));
    TB_TRY(tb__backend->module_compile(device, source, log, &handle));
    return module_over(device, handle, out);
}

tb_status tb_module_compile(const tb_module_source *source, char **log, tb_module **out)
{
    if (log) *log = NULL;
    tb__lock();
    tb_status status = module_compile(source, log, out);
    tb__unlock();
    if (log && !*log) *log = strdup("");
    return status;
}

static tb_status module_load(const void *image, size_t size, tb_module **out)
{
    int device = tb__device_current();
    void *handle;
    TB_TRY(tb__device_ready("tb_module_load", device));
    TB_TRY(tb__backend->module_load(device, image, size, &handle));
    return module_over(device, handle, out);
}

tb_status tb_module_load(const void *image, size_t size, tb_module **out)
{
    tb__lock();
    tb_status status = module_load(image, size, out);
    tb__unlock();
    return status;
}

tb_module *tb_module_retain(tb_module *m)
{
    tb__lock();
    m->refs++;
    tb__unlock();
    return m;
}

void tb_module_release(tb_module *m)
{
    if (!m) return;
    tb__lock();
    if (--m->refs == 0) {
        tb__backend->module_unload(m->device, m->handle);
        free(m);
    }
    tb__unlock();
}

int tb_module_device(const tb_module *m) { return m->device; }

tb_status tb_module_global(tb_module *m, const char *name, void **ptr, size_t *size)
{
    tb__lock();
    tb_status status = tb__backend->module_global(m->device, m->handle, name, ptr, size);
    tb__unlock();
    return status;
}

/* ---- functions ------------------------------------------------------------------------------------------------ */

static tb_status module_function(tb_module *m, const char *name, tb_function **out)
{
    tb_function_info info = {.nparam = -1};
    size_t len = strlen(name);
    TB_TRY(tb__backend->module_function(m->device, m->handle, name, &info));
    tb_function *f = malloc(sizeof *f + len + 1);
    if (!f) return tb__fail_memory(sizeof *f + len + 1, 0, 0, 0);
    *f = (tb_function){.refs = 1, .module = m, .info = info};
    memcpy(f->name, name, len + 1);
    m->refs++;
    *out = f;
    return TB_OK;
}

tb_status tb_module_function(tb_module *m, const char *name, tb_function **out)
{
    tb__lock();
    tb_status status = module_function(m, name, out);
    tb__unlock();
    return status;
}

tb_function *tb_function_retain(tb_function *f)
{
    tb__lock();
    f->refs++;
    tb__unlock();
    return f;
}

void tb_function_release(tb_function *f)
{
    if (!f) return;
    tb__lock();
    if (--f->refs == 0) {
        tb_module_release(f->module);
        free(f);
    }
    tb__unlock();
}

const char *tb_function_name(const tb_function *f) { return f->name; }
tb_module *tb_function_module(const tb_function *f) { return f->module; }

tb_status tb_function_attribute(tb_function *f, int attribute, int *value)
{
    tb__lock();
    tb_status status = tb__backend->function_attribute(f->module->device, f->info.handle, attribute, value);
    tb__unlock();
    return status;
}

tb_status tb_function_set_attribute(tb_function *f, int attribute, int value)
{
    tb__lock();
    tb_status status = tb__backend->function_set_attribute(f->module->device, f->info.handle, attribute, value);
    tb__unlock();
    return status;
}

tb_status tb_function_occupancy(tb_function *f, int block, size_t shared, int *nblock)
{
    tb__lock();
    tb_status status = tb__backend->function_occupancy(f->module->device, f->info.handle, block, shared, nblock);
    tb__unlock();
    return status;
}

/* ---- launching ------------------------------------------------------------------------------------------------ */

static tb_status check_args(const tb_function *f, int narg, const tb_kernel_arg *args)
{
    const tb_function_info *info = &f->info;
    if (info->nparam >= 0 && info->nparam != narg)
        return tb__fail(TB_ERR_VALUE, "kernel %s takes %d arguments, but %d were given", f->name, info->nparam, narg);
    for (int i = 0; info->size && i < narg; i++) {
        size_t size = args[i].array ? sizeof(void *) : args[i].size;
        if (size != info->size[i])
            return tb__fail(TB_ERR_TYPE, "kernel %s: argument %d has %zu bytes, but the kernel's parameter has %zu",
                            f->name, i, size, info->size[i]);
    }
    return TB_OK;
}

/* The addresses of the arrays go to `address`, those of all values to `values`. An argument by value that could hold an
 * address may point to memory whose deferred work nobody else would enqueue. */
static tb_status marshal(tb_stream *s, int narg, const tb_kernel_arg *args, void **address, void **values)
{
    bool flush = false;
    for (int i = 0; i < narg; i++) {
        if (args[i].array) {
            TB_TRY(tb_array_data(args[i].array, &address[i]));
            values[i] = &address[i];
        } else {
            values[i] = (void *)(uintptr_t)args[i].bytes;
            flush |= args[i].size >= sizeof(void *);
        }
    }
    return flush ? tb__flush_stream(s) : TB_OK;
}

static tb_status launch(tb_function *f, const tb_launch_shape *shape, tb_stream *s, int narg, const tb_kernel_arg *args,
                        void **room)
{
    if (!s) TB_TRY(tb__current_stream(&s));
    if (s->device != f->module->device)
        return tb__fail(TB_ERR_VALUE, "kernel %s was compiled for device %d, and the stream belongs to device %d",
                        f->name, f->module->device, s->device);
    TB_TRY(check_args(f, narg, args));
    TB_TRY(marshal(s, narg, args, room, room + narg));
    tb__count.launches++;
    return tb__backend->function_launch(s, f->info.handle, f->name, shape, room + narg);
}

tb_status tb_function_launch(tb_function *f, const tb_launch_shape *shape, tb_stream *s, int narg,
                             const tb_kernel_arg *args)
{
    void *on_stack[2 * ARGS_ON_STACK], **room = on_stack;
    if (narg > ARGS_ON_STACK) {
        room = malloc(2 * (size_t)narg * sizeof *room);
        if (!room) return tb__fail_memory(2 * (size_t)narg * sizeof *room, 0, 0, 0);
    }
    tb__lock();
    tb_status status = launch(f, shape, s, narg, args, room);
    tb__unlock();
    if (room != on_stack) free(room);
    return status;
}
