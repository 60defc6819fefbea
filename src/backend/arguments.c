/* arguments.c - the integers of CUDA's run-time interface, checked before a backend sees them.
 *
 * A driver follows whatever it is given, and a wrong address ends the process. A row for each operation says what its
 * integers are. */
#include <string.h>

#include "backend/handles.h"
#include "backend/texture.h"
#include "base/error.h"
#include "base/mapped.h"

enum { INVALID_VALUE = 1, INVALID_DIRECTION = 21 };

/* By position: E event, A array, M mipmap, T texture, U surface, P pool, L linker, S stream, F memory to be freed;
 * the address of c a channel descriptor, r a resource, t a texture's descriptor, k the parameters of a copy;
 * i an int, n a size, . what the backend checks. `makes` is the kind of the first result (a: an array that is a part of
 * the first integer's mipmap), `ends` says that the first integer stands for nothing afterwards. */
typedef struct row {
    const char *in;
    char makes;
    bool ends;
} row;

/* clang-format off */
static const row rows[TB_RT_COUNT] = {
    [TB_RT_malloc] = {"n", 'F', false}, [TB_RT_mallocManaged] = {"ni", 'F', false},
    [TB_RT_mallocAsync] = {"nS", 'F', false}, [TB_RT_mallocFromPoolAsync] = {"nPS", 'F', false},
    [TB_RT_hostAlloc] = {"ni", 'F', false}, [TB_RT_hostRegister] = {".ni", 0, false},
    [TB_RT_free] = {"F", 0, true}, [TB_RT_freeAsync] = {"FS", 0, true}, [TB_RT_freeHost] = {"F", 0, true},
    [TB_RT_memcpy] = {"..ni", 0, false}, [TB_RT_memcpyAsync] = {"..niS", 0, false},
    [TB_RT_memcpyPeer] = {".i.in", 0, false}, [TB_RT_memcpyPeerAsync] = {".i.inS", 0, false},
    [TB_RT_memset] = {".in", 0, false}, [TB_RT_memsetAsync] = {".inS", 0, false},
    [TB_RT_memcpy2D] = {".n.nnni", 0, false}, [TB_RT_memcpy2DAsync] = {".n.nnniS", 0, false},
    [TB_RT_memPrefetchAsync] = {".niS", 0, false}, [TB_RT_memAdvise] = {".nii", 0, false},
    [TB_RT_deviceCanAccessPeer] = {"ii", 0, false}, [TB_RT_deviceEnablePeerAccess] = {"i", 0, false},
    [TB_RT_deviceDisablePeerAccess] = {"i", 0, false}, [TB_RT_deviceGetLimit] = {"i", 0, false},
    [TB_RT_deviceSetLimit] = {"in", 0, false}, [TB_RT_deviceGetPCIBusId] = {"i.i", 0, false},
    [TB_RT_memPoolCreate] = {"iiii", 'P', false}, [TB_RT_memPoolDestroy] = {"P", 0, true},
    [TB_RT_memPoolTrimTo] = {"Pn", 0, false}, [TB_RT_memPoolGetAttribute] = {"Pi", 0, false},
    [TB_RT_memPoolSetAttribute] = {"Pi", 0, false}, [TB_RT_deviceGetDefaultMemPool] = {"i", 'P', false},
    [TB_RT_deviceGetMemPool] = {"i", 'P', false}, [TB_RT_deviceSetMemPool] = {"iP", 0, false},
    [TB_RT_ipcOpenMemHandle] = {".i", 0, false}, [TB_RT_ipcGetEventHandle] = {"E", 0, false},
    [TB_RT_ipcOpenEventHandle] = {".", 'E', false},
    [TB_RT_streamCreate] = {"ii", 'S', false},
    [TB_RT_eventCreate] = {"i", 'E', false}, [TB_RT_eventDestroy] = {"E", 0, true},
    [TB_RT_arrayCreate] = {"cnnni", 'A', false}, [TB_RT_arrayDestroy] = {"A", 0, true},
    [TB_RT_arrayElementSize] = {"A", 0, false},
    [TB_RT_mipmapCreate] = {"cnnnii", 'M', false}, [TB_RT_mipmapDestroy] = {"M", 0, true},
    [TB_RT_mipmapLevel] = {"Mi", 'a', false},
    [TB_RT_memcpy3D] = {"k", 0, false}, [TB_RT_memcpy3DAsync] = {"kS", 0, false},
    [TB_RT_textureCreate] = {"rt", 'T', false}, [TB_RT_textureDestroy] = {"T", 0, true},
    [TB_RT_surfaceCreate] = {"r", 'U', false}, [TB_RT_surfaceDestroy] = {"U", 0, true},
    [TB_RT_linkCreate] = {"", 'L', false}, [TB_RT_linkDestroy] = {"L", 0, true},
    [TB_RT_linkAddData] = {"Li", 0, false}, [TB_RT_linkAddFile] = {"Li", 0, false},
    [TB_RT_linkComplete] = {"L", 0, false},
};
/* clang-format on */

static tb_status invalid(const char *who)
{
    return tb__fail_device(INVALID_VALUE, who, "cudaErrorInvalidValue: invalid argument");
}

static tb_handle_kind kind_of(char letter)
{
    switch (letter) {
    case 'F': return TB_HANDLE_MEMORY;
    case 'S': return TB_HANDLE_STREAM;
    case 'E': return TB_HANDLE_EVENT;
    case 'A': return TB_HANDLE_ARRAY;
    case 'M': return TB_HANDLE_MIPMAP;
    case 'T': return TB_HANDLE_TEXTURE;
    case 'U': return TB_HANDLE_SURFACE;
    case 'P': return TB_HANDLE_POOL;
    default: return TB_HANDLE_LINKER;
    }
}

/* ---- memory ----------------------------------------------------------------------------------------------------- */

/* Memory that the backend knows nothing of is the host's, and must be there. */
static tb_status check_memory(const char *who, const void *ptr, size_t n)
{
    enum { UNREGISTERED };
    const int64_t in = (int64_t)(intptr_t)ptr;
    int64_t known[4] = {0};
    if (n == 0) return TB_OK;
    if (!ptr) return invalid(who);
    const tb_status asked = tb__backend->cudart(TB_RT_pointerGetAttributes, &in, known);
    if (asked == TB_OK && known[0] != UNREGISTERED) return TB_OK;
    return tb__is_mapped(ptr, n) ? TB_OK : invalid(who);
}

static tb_status check_direction(const char *who, int64_t kind)
{
    if (kind >= TB_COPY_HOST_TO_HOST && kind <= TB_COPY_DEFAULT) return TB_OK;
    return tb__fail_device(INVALID_DIRECTION, who,
                           "cudaErrorInvalidMemcpyDirection: invalid copy direction for"
                           " memcpy");
}

static tb_status check_rows(const char *who, int64_t ptr, int64_t pitch, int64_t width, int64_t rows_)
{
    int64_t n;
    if (width == 0 || rows_ == 0) return TB_OK;
    if (width > pitch || __builtin_mul_overflow(pitch, rows_ - 1, &n) || __builtin_add_overflow(n, width, &n))
        return invalid(who);
    return check_memory(who, (void *)(intptr_t)ptr, (size_t)n);
}

/* A side of a copy between arrays and memory. */
static tb_status check_side(const char *who, const tb_copy_side *s, const tb_copy_desc *c)
{
    size_t n, offset;
    if (s->array) return tb__handle_check(who, TB_HANDLE_ARRAY, (int64_t)(intptr_t)s->array);
    bool huge = __builtin_mul_overflow(s->pitch, s->rows, &n) || __builtin_mul_overflow(n, s->z + c->depth - 1, &n) ||
                __builtin_mul_overflow(s->pitch, s->y + c->height, &offset) || __builtin_add_overflow(n, offset, &n);
    if (huge || s->z > SIZE_MAX - c->depth || s->y > SIZE_MAX - c->height || s->x > s->pitch) return invalid(who);
    return check_memory(who, s->ptr, c->depth > 1 || c->height > 1 ? n - s->pitch + 1 : 1);
}

static tb_status check_copy(const char *who, const tb_copy_desc *c)
{
    if (!tb__is_mapped(c, sizeof *c)) return invalid(who);
    TB_TRY(check_direction(who, c->kind));
    if (!c->width || !c->height || !c->depth) return TB_OK;
    TB_TRY(check_side(who, &c->src, c));
    return check_side(who, &c->dst, c);
}

/* ---- structures ------------------------------------------------------------------------------------------------- */

static tb_status check_resource(const char *who, const tb_resource_desc *r)
{
    if (!tb__is_mapped(r, sizeof *r)) return invalid(who);
    const int64_t array = (int64_t)(intptr_t)r->of.array;
    size_t n = 0;
    switch (r->type) {
    case TB_RESOURCE_ARRAY: return tb__handle_check(who, TB_HANDLE_ARRAY, array);
    case TB_RESOURCE_MIPMAP: return tb__handle_check(who, TB_HANDLE_MIPMAP, array);
    case TB_RESOURCE_LINEAR: return check_memory(who, r->of.linear.ptr, r->of.linear.bytes);
    case TB_RESOURCE_PITCHED:
        if (__builtin_mul_overflow(r->of.pitched.pitch, r->of.pitched.height, &n)) return invalid(who);
        return check_memory(who, r->of.pitched.ptr, n);
    default: return invalid(who);
    }
}

/* 0, 1 and 2 are names of streams. Ends of 0, which frees nothing, are the backend's affair. */
static tb_status check_handle(const char *who, char letter, bool ends, int64_t v)
{
    const bool nothing = v == 0 && strchr("FAMTU", letter) && ends;
    if (nothing || (letter == 'S' && v >= 0 && v <= 2)) return TB_OK;
    return (ends ? tb__handle_check_end : tb__handle_check)(who, kind_of(letter), v);
}

static tb_status check_one(const char *who, char letter, bool ends, int64_t v)
{
    const void *p = (void *)(intptr_t)v;
    switch (letter) {
    case '.': return TB_OK;
    case 'n': return v >= 0 ? TB_OK : invalid(who);
    case 'i': return v == (int)v || v == (int64_t)(unsigned)v ? TB_OK : invalid(who);
    case 'c': return tb__is_mapped(p, sizeof(tb_channel_desc)) ? TB_OK : invalid(who);
    case 't': return tb__is_mapped(p, sizeof(tb_texture_desc)) ? TB_OK : invalid(who);
    case 'r': return check_resource(who, p);
    case 'k': return check_copy(who, p);
    default: return check_handle(who, letter, ends, v);
    }
}

static tb_status check_copied(tb_runtime_op op, const char *who, const int64_t *in)
{
    switch (op) {
    case TB_RT_memcpy:
    case TB_RT_memcpyAsync:
        TB_TRY(check_direction(who, in[3]));
        TB_TRY(check_memory(who, (void *)(intptr_t)in[0], (size_t)in[2]));
        return check_memory(who, (void *)(intptr_t)in[1], (size_t)in[2]);
    case TB_RT_memcpyPeer:
    case TB_RT_memcpyPeerAsync:
        TB_TRY(check_memory(who, (void *)(intptr_t)in[0], (size_t)in[4]));
        return check_memory(who, (void *)(intptr_t)in[2], (size_t)in[4]);
    case TB_RT_memcpy2D:
    case TB_RT_memcpy2DAsync:
        TB_TRY(check_direction(who, in[6]));
        TB_TRY(check_rows(who, in[0], in[1], in[4], in[5]));
        return check_rows(who, in[2], in[3], in[4], in[5]);
    default: return TB_OK;
    }
}

tb_status tb__arguments_check(tb_runtime_op op, const char *name, const int64_t *in)
{
    const row *r = &rows[op];
    for (int i = 0; r->in && r->in[i]; i++) TB_TRY(check_one(name, r->in[i], r->ends && i == 0, in[i]));
    return check_copied(op, name, in);
}

tb_status tb__arguments_done(tb_runtime_op op, const int64_t *in, const int64_t *out)
{
    const row *r = &rows[op];
    if (r->ends) {
        tb__handle_end(kind_of(r->in[0]), in[0]);
        if (r->in[0] == 'M') tb__handle_end_parts(in[0]);
        return TB_OK;
    }
    if (!r->makes || out[0] == 0) return TB_OK;
    if (r->makes == 'a') return tb__handle_set_part(TB_HANDLE_ARRAY, out[0], in[0]);
    return tb__handle_set(kind_of(r->makes), out[0], TB_HANDLE_GIVEN);
}
