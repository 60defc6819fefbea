/* function.c - user kernels: functions of modules, their attributes, and what every backend's launch needs.
 *
 * A function retains its module. */
#include <stdlib.h>
#include <string.h>

#include "backend/memory/memory.h"
#include "backend/module.h"
#include "backend/retry.h"
#include "base/argument.h"
#include "base/error.h"
#include "base/lock.h"
#include "graph/expr.h"
#include "runtime/runtime.h"

enum { ARGS_ON_STACK = 64, NAME_LISTS = 64 };

/* ---- names ---------------------------------------------------------------------------------------------------- */

typedef struct kept_name {
    struct kept_name *next;
    char text[];
} kept_name;

static kept_name *names[NAME_LISTS]; /* under the core lock */

/* One copy of each name, which is never freed. NULL without memory. */
static const char *keep_name(const char *name)
{
    size_t size = strlen(name) + 1;
    kept_name **list = &names[tb__hash_bytes(TB_HASH_START, name, size) % NAME_LISTS];
    for (kept_name *k = *list; k; k = k->next)
        if (strcmp(k->text, name) == 0) return k->text;
    kept_name *k = malloc(sizeof *k + size);
    if (!k) return NULL;
    memcpy(k->text, name, size);
    k->next = *list;
    *list = k;
    return k->text;
}

/* ---- functions ------------------------------------------------------------------------------------------------ */

static void release(void *f) { tb_function_release(f); }

static tb_status module_function(tb_module *m, const char *name, tb_function **out)
{
    tb_function_info info = {.nparam = -1};
    TB_TRY(tb__backend->module_function(m->device, m->handle, name, &info));
    tb_function *f = malloc(sizeof *f);
    const char *kept = f ? keep_name(name) : NULL;
    if (!kept) {
        free(f);
        return tb__fail_memory(sizeof *f, 0, 0, 0);
    }
    m->refs++;
    *f = (tb_function){.refs = 1, .module = m, .release = release, .name = kept, .info = info};
    tb__object_made(TB_OBJECT_FUNCTION, f);
    *out = f;
    return TB_OK;
}

tb_status tb_module_function(tb_module *m, const char *name, tb_function **out)
{
    TB_NOT_NULL(m, name, out);
    tb__lock();
    tb_status status = module_function(m, name, out);
    tb__unlock();
    return status;
}

tb_function *tb_function_retain(tb_function *f)
{
    if (!f) return NULL;
    tb__lock();
    if (f->refs++ <= 0) tb__released_again("tb_function_retain", TB_OBJECT_FUNCTION, f);
    tb__unlock();
    return f;
}

void tb_function_release(tb_function *f)
{
    if (!f) return;
    if (!f) return;
    tb__lock();
    if (--f->refs == 0) {
        tb_module_release(f->module);
        tb__object_end(TB_OBJECT_FUNCTION, f, sizeof *f, f->name);
    } else if (f->refs < 0) {
        tb__released_again("tb_function_release", TB_OBJECT_FUNCTION, f);
    }
    tb__unlock();
}

const char *tb_function_name(const tb_function *f)
{
    if (TB_IS_NONE(f)) return NULL;
    return f->name;
}
tb_module *tb_function_module(const tb_function *f)
{
    if (TB_IS_NONE(f)) return NULL;
    return f->module;
}
uintptr_t tb_function_handle(const tb_function *f)
{
    if (TB_IS_NONE(f)) return 0;
    return (uintptr_t)f->info.handle;
}

int tb_function_parameters(const tb_function *f, const size_t **sizes)
{
    if (TB_IS_NONE(f)) return -1;
    if (sizes) *sizes = f->info.size;
    return f->info.nparam;
}

tb_status tb_function_attribute(tb_function *f, int attribute, int *value)
{
    TB_NOT_NULL(f, value);
    tb__lock();
    tb_status status = tb__backend->function_attribute(f->module->device, f->info.handle, attribute, value);
    tb__unlock();
    return status;
}

tb_status tb_function_set_attribute(tb_function *f, int attribute, int value)
{
    TB_NOT_NULL(f);
    tb__lock();
    tb_status status = tb__backend->function_set_attribute(f->module->device, f->info.handle, attribute, value);
    tb__unlock();
    return status;
}

tb_status tb_function_occupancy(tb_function *f, int block, size_t shared, int *nblock)
{
    TB_NOT_NULL(f, nblock);
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
        return tb__fail(TB_ERR_VALUE, "kernel %s takes %d argument%s, but %d %s given", f->name, info->nparam,
                        info->nparam == 1 ? "" : "s", narg, narg == 1 ? "was" : "were");
    for (int i = 0; info->size && i < narg; i++) {
        size_t size = args[i].array ? sizeof(void *) : args[i].size;
        if (size != info->size[i])
            return tb__fail(TB_ERR_TYPE, "kernel %s: argument %d has %zu bytes%s, but the kernel's parameter has %zu",
                            f->name, i, size, args[i].array ? " (the address of an array)" : "", info->size[i]);
    }
    return TB_OK;
}

/* The addresses of the arrays go to `address`, those of all values to `values`. An argument by value that could hold an
 * address may point to memory whose deferred work nobody else would enqueue. */
static tb_status marshal(tb_stream *s, int narg, const tb_kernel_arg *args, void **address, void **values)
{
    bool flush = false;
    for (int i = 0; i < narg; i++) {
        tb_array *a = args[i].array;
        if (a) {
            TB_TRY(tb__reach(s, a->buffer));
            TB_TRY(tb__array_address(a, &address[i]));
            values[i] = &address[i];
        } else {
            values[i] = (void *)(uintptr_t)args[i].bytes;
            flush |= args[i].size >= sizeof(void *);
        }
    }
    return flush ? tb__flush_stream(s) : TB_OK;
}

tb_status tb__function_launch_ready(tb_function *f, const tb_launch_shape *shape, tb_stream *s, void **values)
{
    if (s->device != f->module->device)
        return tb__fail(TB_ERR_VALUE, "kernel %s was compiled for device %d, and the stream belongs to device %d",
                        f->name, f->module->device, s->device);
    if (__builtin_expect(tb__foreign != 0, 0)) TB_TRY(tb__may_compute());
    tb__count.launches++;
    if (tb__backend->launch_later) return tb__backend->launch_later(s, f, shape, values);
    return tb__backend->function_launch(s, &f->info, f->name, shape, values);
}

static tb_status launch(tb_function *f, const tb_launch_shape *shape, tb_stream *s, int narg, const tb_kernel_arg *args,
                        void **room)
{
    if (!s) TB_TRY(tb__current_stream(&s));
    TB_TRY(check_args(f, narg, args));
    TB_TRY(marshal(s, narg, args, room, room + narg));
    return tb__function_launch_ready(f, shape, s, room + narg);
}

tb_status tb_function_launch(tb_function *f, const tb_launch_shape *shape, tb_stream *s, int narg,
                             const tb_kernel_arg *args)
{
    TB_NOT_NULL(f, shape);
    TB_NOT_RELEASED(s);
    TB_WHOLE_ARGS(tb_launch_shape, shape, TB_LAUNCH_SHAPE_INIT);
    TB_IS_COUNT(narg, INT_MAX);
    if (narg > 0) TB_NOT_NULL(args);
    TB_NONE_RELEASED(narg, args, args->array);
    void *on_stack[2 * ARGS_ON_STACK], **room = on_stack;
    if (narg > ARGS_ON_STACK) {
        room = malloc(2 * (size_t)narg * sizeof *room);
        if (!room) return tb__fail_memory(2 * (size_t)narg * sizeof *room, 0, 0, 0);
    }
    const tb_status status = TB__OPERATION(launch(f, shape, s, narg, args, room));
    if (room != on_stack) free(room);
    return status;
}
