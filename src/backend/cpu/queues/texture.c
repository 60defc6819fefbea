/* texture.c - CUDA arrays on the CPU: memory in rows without padding; and texture and surface objects, which kernels
 * read as they are (host_cuda/texture.h). */
#include <stdlib.h>
#include <string.h>

#include "backend/cpu/queues/queue.h"
#include "backend/texture.h"
#include "base/error.h"
#include "kernels/host_cuda/abi.h"

enum { INVALID_VALUE = 1 };
enum { LAYERED = 1, CUBEMAP = 4 }; /* flags of arrays */

typedef struct cuda_array {
    size_t width, height, depth; /* height and depth 0: not that many dimensions */
    int format, channels;
    size_t element; /* bytes */
    char *data;
} cuda_array;

typedef struct mipmap {
    int count;
    cuda_array *level[];
} mipmap;

static void *address(int64_t v) { return (void *)(intptr_t)v; }
static size_t extent(size_t n) { return n ? n : 1; }

static tb_status invalid(const char *who, const char *what)
{
    tb_text t = {0};
    tb__text_addf(&t, "cudaErrorInvalidValue: invalid argument: %s", what);
    tb_status status = tb__fail_device(INVALID_VALUE, who, t.s ? t.s : "cudaErrorInvalidValue: invalid argument");
    tb__text_free(&t);
    return status;
}

/* ---- arrays ----------------------------------------------------------------------------------------------------- */

/* Width, height, depth. */
static tb_status check_extents(const int64_t *n, int64_t flags)
{
    enum { FACES = 6 };
    if (n[0] <= 0 || n[1] < 0 || n[2] < 0)
        return invalid("mallocArray", "the width must be positive, the other extents not negative");
    if ((flags & LAYERED) && n[2] == 0) return invalid("mallocArray", "a layered array has layers");
    if (!(flags & CUBEMAP) || (n[0] == n[1] && (flags & LAYERED ? n[2] % FACES == 0 : n[2] == FACES))) return TB_OK;
    return invalid("mallocArray", "a cubemap is square and 6 deep, or 6 for each layer");
}

static tb_status create(const int64_t *in, int64_t *out)
{
    int format, channels;
    TB_TRY(tb__channel_format(address(in[0]), &format, &channels));
    TB_TRY(check_extents(&in[1], in[4]));
    cuda_array *a = malloc(sizeof *a);
    if (!a) return tb__fail_memory(sizeof *a, 0, 0, 0);
    size_t element = tb__format_size(format) * (size_t)channels;
    *a = (cuda_array){(size_t)in[1], (size_t)in[2], (size_t)in[3], format, channels, element, NULL};
    size_t count;
    bool fits = !__builtin_mul_overflow(a->width, extent(a->height), &count) &&
                !__builtin_mul_overflow(count, extent(a->depth), &count);
    a->data = fits ? calloc(count, element) : NULL;
    if (!a->data) {
        free(a);
        return tb__fail_memory(fits ? count * element : SIZE_MAX, 0, 0, 0);
    }
    out[0] = (int64_t)(intptr_t)a;
    return TB_OK;
}

static void destroy(cuda_array *a)
{
    if (!a) return;
    free(a->data);
    free(a);
}

/* ---- mipmaps ---------------------------------------------------------------------------------------------------- */

static void destroy_mipmap(mipmap *m)
{
    for (int i = 0; m && i < m->count; i++) destroy(m->level[i]);
    free(m);
}

/* No more levels than down to one element. */
static int level_count(const int64_t *in)
{
    int64_t most = tb__max(in[1], in[2]);
    if (!(in[5] & (LAYERED | CUBEMAP))) most = tb__max(most, in[3]);
    int n = most > 0 ? 64 - __builtin_clzll((unsigned long long)most) : 1;
    return in[4] < n ? (int)in[4] : n;
}

static tb_status create_mipmap(const int64_t *in, int64_t *out)
{
    if (in[4] < 1) return invalid("mallocMipmappedArray", "there must be at least one level");
    const int n = level_count(in);
    const int64_t flags = in[5];
    mipmap *m = calloc(1, sizeof *m + (size_t)n * sizeof *m->level);
    if (!m) return tb__fail_memory(sizeof *m, 0, 0, 0);
    m->count = n;
    for (int i = 0; i < n; i++) {
        int64_t one[5] = {in[0], in[1], in[2], in[3], flags}, made = 0;
        for (int k = 1; k <= 3; k++)
            if (one[k] && !(k == 3 && flags & (LAYERED | CUBEMAP))) one[k] = tb__max(one[k] >> i, 1);
        tb_status status = create(one, &made);
        if (status != TB_OK) {
            destroy_mipmap(m);
            return status;
        }
        m->level[i] = address(made);
    }
    out[0] = (int64_t)(intptr_t)m;
    return TB_OK;
}

static tb_status level_of(const mipmap *m, int64_t i, int64_t *out)
{
    if (i < 0 || i >= m->count) return invalid("getMipmappedArrayLevel", "there is no such level");
    out[0] = (int64_t)(intptr_t)m->level[i];
    return TB_OK;
}

/* ---- copies ----------------------------------------------------------------------------------------------------- */

static bool is_part(size_t from, size_t n, size_t whole) { return n <= whole && from <= whole - n; }

/* One side of a copy as addresses: what is copied begins at *ptr, and rows and layers are that many bytes apart. */
static tb_status side_of(const tb_copy_side *s, const tb_copy_desc *c, size_t width, char **ptr, size_t *pitch,
                         size_t *layer)
{
    const cuda_array *a = s->array;
    size_t x = s->x;
    if (a) {
        if (!is_part(s->x, c->width, a->width) || !is_part(s->y, c->height, extent(a->height)) ||
            !is_part(s->z, c->depth, extent(a->depth)))
            return invalid("memcpy3D", "the array has no such part");
        x *= a->element;
        *ptr = a->data;
        *pitch = a->width * a->element;
        *layer = *pitch * extent(a->height);
    } else {
        if (!s->ptr || s->pitch < width + (c->height > 1 ? x : 0))
            return invalid("memcpy3D", "a null pointer, or a pitch below a row's bytes");
        *ptr = s->ptr;
        *pitch = s->pitch;
        *layer = s->pitch * s->rows;
        if (!tb__cpu_region_fits(s->ptr, x + (s->y + c->height - 1) * *pitch + (s->z + c->depth - 1) * *layer + width,
                                 false))
            return invalid("memcpy3D", "it reaches past the end of its memory");
    }
    *ptr += x + s->y * *pitch + s->z * *layer;
    return TB_OK;
}

static tb_status copy(const tb_copy_desc *c, int64_t stream, bool blocking)
{
    const cuda_array *a = c->src.array ? c->src.array : c->dst.array, *b = c->dst.array;
    if (a && b && a->element != b->element) return invalid("memcpy3D", "the arrays' elements differ in size");
    size_t width;
    if (__builtin_mul_overflow(c->width, a ? a->element : 1, &width)) return invalid("memcpy3D", "it is too wide");
    tb_row_copy r = {.width = width, .rows = c->height, .layers = c->depth};
    char *from;
    if (!width || !c->height || !c->depth) return TB_OK;
    TB_TRY(side_of(&c->src, c, width, &from, &r.src_pitch, &r.src_layer));
    TB_TRY(side_of(&c->dst, c, width, &r.dst, &r.dst_pitch, &r.dst_layer));
    r.src = from;
    return tb__cpu_submit_to(stream, tb__command_copy_rows(&r), blocking);
}

/* ---- objects ---------------------------------------------------------------------------------------------------- */

static void set_array(tb_host_texture *t, const cuda_array *a)
{
    t->data = a->data;
    t->width = a->width;
    t->height = a->height;
    t->depth = a->depth;
    t->pitch = a->width * a->element;
    t->layer = t->pitch * extent(a->height);
    t->format = a->format;
    t->channels = a->channels;
    t->size = tb__format_size(a->format);
}

/* Of a mipmap: its first level. */
static tb_status resource_of(const tb_resource_desc *d, tb_host_texture *out)
{
    const tb_channel_desc *channel = d->type == TB_RESOURCE_LINEAR ? &d->of.linear.channel : &d->of.pitched.channel;
    if ((d->type == TB_RESOURCE_ARRAY || d->type == TB_RESOURCE_MIPMAP) && d->of.array) {
        *out = (tb_host_texture){0};
        set_array(out, d->type == TB_RESOURCE_ARRAY ? d->of.array : ((mipmap *)d->of.array)->level[0]);
        return TB_OK;
    }
    if ((d->type != TB_RESOURCE_LINEAR && d->type != TB_RESOURCE_PITCHED) || !d->of.linear.ptr)
        return invalid("a texture's resource", "an array, linear or pitched memory is expected");
    *out = (tb_host_texture){.data = d->of.linear.ptr};
    TB_TRY(tb__channel_format(channel, &out->format, &out->channels));
    size_t element = tb__format_size(out->format) * (size_t)out->channels;
    if (d->type == TB_RESOURCE_LINEAR) {
        out->width = d->of.linear.bytes / element;
    } else {
        out->width = d->of.pitched.width;
        out->height = d->of.pitched.height;
        out->pitch = d->of.pitched.pitch;
        if (out->pitch < out->width * element || !out->height)
            return invalid("a texture's resource", "pitchInBytes must hold a row, and height must be positive");
    }
    out->size = tb__format_size(out->format);
    size_t bytes = d->type == TB_RESOURCE_LINEAR ? out->width * element : out->pitch * out->height;
    if (d->type == TB_RESOURCE_PITCHED) bytes -= out->pitch - out->width * element;
    if (!tb__cpu_region_fits(out->data, bytes, false))
        return invalid("a texture's resource", "it reaches past the end of its memory");
    return out->width ? TB_OK : invalid("a texture's resource", "it has no elements");
}

/* The levels lie behind the texture, which each of them is like but for its elements. */
static tb_status keep(const tb_host_texture *t, const mipmap *m, int64_t *out)
{
    tb_host_texture *o = malloc(sizeof *o * (size_t)(m ? 1 + m->count : 1));
    if (!o) return tb__fail_memory(sizeof *o, 0, 0, 0);
    for (int i = 0; m && i < m->count; i++) {
        o[1 + i] = *t;
        set_array(&o[1 + i], m->level[i]);
    }
    *o = *t;
    if (m) {
        o->levels = m->count;
        o->level = o + 1;
    }
    out[0] = (int64_t)(intptr_t)o;
    return TB_OK;
}

static tb_status create_texture(const tb_resource_desc *r, const tb_texture_desc *d, int64_t *out)
{
    enum { FLOATS = 0x10 };
    tb_host_texture t;
    TB_TRY(resource_of(r, &t));
    bool integers = !(t.format & ~(FLOATS - 1)), small = tb__format_size(t.format) < 4;
    t.floats = integers && small && d->read == 1;
    t.linear = d->filter == 1 && r->type != TB_RESOURCE_LINEAR;
    if (t.linear && integers && !t.floats)
        return invalid("createTextureObject", "linear filtering is of floats: of float elements, or of 8 or 16 bits"
                                              " with cudaReadModeNormalizedFloat");
    t.normalized = d->normalized != 0;
    t.seamless = d->seamless != 0;
    t.srgb = d->srgb && t.floats && tb__format_size(t.format) == 1;
    for (int i = 0; i < 3; i++) {
        bool periodic = d->address[i] == TB_HOST_WRAP || d->address[i] == TB_HOST_MIRROR;
        t.address[i] = periodic && !t.normalized ? TB_HOST_CLAMP : d->address[i];
    }
    if (r->type != TB_RESOURCE_LINEAR) memcpy(t.border, d->border, sizeof t.border);
    if (r->type != TB_RESOURCE_MIPMAP) return keep(&t, NULL, out);
    if (!t.normalized) return invalid("createTextureObject", "coordinates of a mipmap are normalized");
    t.between_levels = d->mipmap_filter == 1;
    t.bias = d->mipmap_bias;
    t.least = d->mipmap_least;
    t.most = d->mipmap_most;
    return keep(&t, r->of.array, out);
}

static tb_status create_surface(const tb_resource_desc *r, int64_t *out)
{
    tb_host_texture t;
    if (r->type != TB_RESOURCE_ARRAY) return invalid("createSurfaceObject", "the resource must be an array");
    TB_TRY(resource_of(r, &t));
    return keep(&t, NULL, out);
}

tb_status tb__cpu_texture(tb_runtime_op op, const int64_t *in, int64_t *out)
{
    cuda_array *a = address(in[0]);
    switch (op) {
    case TB_RT_arrayCreate: return create(in, out);
    case TB_RT_arrayElementSize: out[0] = (int64_t)a->element; return TB_OK;
    case TB_RT_arrayDestroy: destroy(a); return TB_OK;
    case TB_RT_mipmapCreate: return create_mipmap(in, out);
    case TB_RT_mipmapLevel: return level_of(address(in[0]), in[1], out);
    case TB_RT_mipmapDestroy: destroy_mipmap(address(in[0])); return TB_OK;
    case TB_RT_memcpy3D: return copy(address(in[0]), 0, true);
    case TB_RT_memcpy3DAsync: return copy(address(in[0]), in[1], false);
    case TB_RT_textureCreate: return create_texture(address(in[0]), address(in[1]), out);
    case TB_RT_surfaceCreate: return create_surface(address(in[0]), out);
    default: free(address(in[0])); return TB_OK;
    }
}
