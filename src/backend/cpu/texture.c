/* texture.c - CUDA arrays on the CPU: memory in rows without padding, and texture and surface objects as handles that
 * hold what they were made of. Device code cannot fetch from them here. */
#include <stdlib.h>
#include <string.h>

#include "backend/cpu/queue.h"
#include "base/error.h"

enum { INVALID_VALUE = 1 };

typedef struct cuda_array {
    size_t width, height, depth, element;   /* height and depth 0: not that many dimensions; element in bytes */
    char *data;
} cuda_array;

typedef struct object {
    int64_t of;     /* the array or the address that it reads */
} object;

static void *address(int64_t v) { return (void *)(intptr_t)v; }
static size_t extent(size_t n) { return n ? n : 1; }

static tb_status invalid(const char *what)
{
    return tb__fail_device(INVALID_VALUE, what, "cudaErrorInvalidValue: invalid argument");
}

/* CUarray_format's numbers. */
static size_t format_size(int64_t format)
{
    switch (format) {
    case 0x01: case 0x08: return 1;
    case 0x02: case 0x09: case 0x10: return 2;
    case 0x03: case 0x0a: case 0x20: return 4;
    default: return 0;
    }
}

static tb_status create(const int64_t *in, int64_t *out)
{
    size_t element = format_size(in[3]) * (size_t)in[4];
    if (in[0] <= 0 || in[1] < 0 || in[2] < 0 || element == 0 || (in[4] != 1 && in[4] != 2 && in[4] != 4))
        return invalid("CUDAarray");
    cuda_array *a = malloc(sizeof *a);
    if (!a) return tb__fail_memory(sizeof *a, 0, 0, 0);
    *a = (cuda_array){(size_t)in[0], (size_t)in[1], (size_t)in[2], element, NULL};
    a->data = calloc(a->width * extent(a->height) * extent(a->depth), element);
    if (!a->data) {
        size_t bytes = a->width * extent(a->height) * extent(a->depth) * element;
        free(a);
        return tb__fail_memory(bytes, 0, 0, 0);
    }
    out[0] = (int64_t)(intptr_t)a;
    return TB_OK;
}

static tb_status copy(const int64_t *in)
{
    cuda_array *a = address(in[0]);
    size_t row = (size_t)in[3], rows = (size_t)in[4], layers = (size_t)in[5];
    if (row != a->width * a->element || rows != extent(a->height) || layers != extent(a->depth))
        return invalid("CUDAarray.copy");
    char *from = in[2] ? address(in[1]) : a->data, *to = in[2] ? a->data : address(in[1]);
    tb_stream *s;
    TB_TRY(tb_stream_wrap((uintptr_t)in[6], &s));
    tb_status status = tb__backend->copy(s, to, from, row * rows * layers);
    tb_stream_release(s);
    return status;
}

static tb_status make_object(int64_t of, int64_t *out)
{
    object *o = malloc(sizeof *o);
    if (!o) return tb__fail_memory(sizeof *o, 0, 0, 0);
    o->of = of;
    out[0] = (int64_t)(intptr_t)o;
    return TB_OK;
}

tb_status tb__cpu_texture(tb_runtime_op op, const int64_t *in, int64_t *out)
{
    switch (op) {
    case TB_RT_arrayCreate: return create(in, out);
    case TB_RT_arrayDestroy: {
        cuda_array *a = address(in[0]);
        free(a->data);
        free(a);
        return TB_OK;
    }
    case TB_RT_arrayCopy: return copy(in);
    case TB_RT_textureCreate: case TB_RT_surfaceCreate: return make_object(in[0], out);
    default: free(address(in[0])); return TB_OK;
    }
}
