/* texture.c - arrays, copies of their parts, texture and surface objects: CUDA's run-time structures made the
 * driver's. */
#include "backend/texture.h"

#include "backend/cuda/cudart.h"
#include "base/error.h"

static void *address(int64_t v) { return (void *)(intptr_t)v; }

static tb_status array_create(const int64_t *in, int64_t *out)
{
    CUarray array = NULL;
    int format, channels;
    TB_TRY(tb__channel_format(address(in[0]), &format, &channels));
    CUDA_ARRAY3D_DESCRIPTOR d = {(size_t)in[1], (size_t)in[2],      (size_t)in[3],
                                 format,        (unsigned)channels, (unsigned)in[4]};
    TRY_CALL(cuArray3DCreate, &array, &d);
    out[0] = (int64_t)(intptr_t)array;
    return TB_OK;
}

static tb_status mipmap_create(const int64_t *in, int64_t *out)
{
    CUmipmappedArray mipmap = NULL;
    int format, channels;
    TB_TRY(tb__channel_format(address(in[0]), &format, &channels));
    CUDA_ARRAY3D_DESCRIPTOR d = {(size_t)in[1], (size_t)in[2],      (size_t)in[3],
                                 format,        (unsigned)channels, (unsigned)in[5]};
    TRY_CALL(cuMipmappedArrayCreate, &mipmap, &d, (unsigned)in[4]);
    out[0] = (int64_t)(intptr_t)mipmap;
    return TB_OK;
}

static tb_status mipmap_level(CUmipmappedArray mipmap, int64_t level, CUarray *out)
{
    CALL(cuMipmappedArrayGetLevel, out, mipmap, (unsigned)level);
}

static tb_status element_size(CUarray array, size_t *out)
{
    CUDA_ARRAY3D_DESCRIPTOR d;
    TRY_CALL(cuArray3DGetDescriptor, &d, array);
    *out = tb__format_size(d.Format) * d.NumChannels;
    return TB_OK;
}

/* Ordinary memory of the host is not known to the driver: the kind of the copy says which side it is, or else whether
 * the driver knows the address. */
static tb_status memory_type(const void *ptr, int kind, bool source, int *type)
{
    int64_t known[4] = {0};
    bool host = kind == TB_COPY_HOST_TO_HOST || kind == (source ? TB_COPY_TO_DEVICE : TB_COPY_TO_HOST);
    if (kind == TB_COPY_DEFAULT) {
        TB_TRY(tb__cuda_pointer_attributes((int64_t)(intptr_t)ptr, known));
        host = known[0] == 0;
    }
    *type = host ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_UNIFIED;
    return TB_OK;
}

static tb_status copy_of(const tb_copy_desc *d, CUDA_MEMCPY3D *out)
{
    CUDA_MEMCPY3D c = {
        .srcXInBytes = d->src.x,
        .srcY = d->src.y,
        .srcZ = d->src.z,
        .srcArray = d->src.array,
        .srcHost = d->src.ptr,
        .srcDevice = (CUdeviceptr)(uintptr_t)d->src.ptr,
        .srcPitch = d->src.pitch,
        .srcHeight = d->src.rows,
        .dstXInBytes = d->dst.x,
        .dstY = d->dst.y,
        .dstZ = d->dst.z,
        .dstArray = d->dst.array,
        .dstHost = d->dst.ptr,
        .dstDevice = (CUdeviceptr)(uintptr_t)d->dst.ptr,
        .dstPitch = d->dst.pitch,
        .dstHeight = d->dst.rows,
        .WidthInBytes = d->width,
        .Height = d->height,
        .Depth = d->depth,
        .srcMemoryType = CU_MEMORYTYPE_ARRAY,
        .dstMemoryType = CU_MEMORYTYPE_ARRAY,
    };
    size_t src = 1, dst = 1;
    if (c.srcArray) TB_TRY(element_size(c.srcArray, &src));
    else TB_TRY(memory_type(c.srcHost, d->kind, true, &c.srcMemoryType));
    if (c.dstArray) TB_TRY(element_size(c.dstArray, &dst));
    else TB_TRY(memory_type(c.dstHost, d->kind, false, &c.dstMemoryType));
    c.srcXInBytes *= src;
    c.dstXInBytes *= dst;
    c.WidthInBytes *= c.srcArray ? src : dst;
    *out = c;
    return TB_OK;
}

static tb_status copy(const tb_copy_desc *d, CUstream stream, bool async)
{
    CUDA_MEMCPY3D c;
    if (!d->width || !d->height || !d->depth) return TB_OK;
    TB_TRY(copy_of(d, &c));
    if (async) CALL(cuMemcpy3DAsync, &c, stream);
    CALL(cuMemcpy3D, &c);
}

static tb_status resource_of(const tb_resource_desc *d, CUDA_RESOURCE_DESC *out)
{
    CUDA_RESOURCE_DESC r = {.resType = d->type, .flags = d->flags};
    int format = 0, channels = 0;
    if (d->type == TB_RESOURCE_LINEAR) {
        TB_TRY(tb__channel_format(&d->of.linear.channel, &format, &channels));
        r.res.linear.devPtr = (CUdeviceptr)(uintptr_t)d->of.linear.ptr;
        r.res.linear.format = format;
        r.res.linear.numChannels = (unsigned)channels;
        r.res.linear.sizeInBytes = d->of.linear.bytes;
    } else if (d->type == TB_RESOURCE_PITCHED) {
        TB_TRY(tb__channel_format(&d->of.pitched.channel, &format, &channels));
        r.res.pitch2D.devPtr = (CUdeviceptr)(uintptr_t)d->of.pitched.ptr;
        r.res.pitch2D.format = format;
        r.res.pitch2D.numChannels = (unsigned)channels;
        r.res.pitch2D.width = d->of.pitched.width;
        r.res.pitch2D.height = d->of.pitched.height;
        r.res.pitch2D.pitchInBytes = d->of.pitched.pitch;
    } else if (d->type == TB_RESOURCE_MIPMAP) {
        r.res.mipmap.hMipmappedArray = d->of.array;
    } else {
        r.res.array.hArray = d->of.array;
    }
    *out = r;
    return TB_OK;
}

/* What the run-time library sees to and the driver does not: integers are not interpolated, and a line of elements has
 * no neighbours in other dimensions, whatever lies beyond a border there. */
static tb_status check_texture(const CUDA_RESOURCE_DESC *r, const tb_texture_desc *d, CUDA_TEXTURE_DESC *t)
{
    enum { LINE_FILTER = 1, CLAMP = 1, FLOATS = 0x10, INVALID_VALUE = 1 };
    int format = r->resType == TB_RESOURCE_PITCHED ? r->res.pitch2D.format : FLOATS;
    if (r->resType == TB_RESOURCE_ARRAY || r->resType == TB_RESOURCE_MIPMAP) {
        CUDA_ARRAY3D_DESCRIPTOR a;
        CUarray array = r->res.array.hArray;
        if (r->resType == TB_RESOURCE_MIPMAP) TB_TRY(mipmap_level(r->res.mipmap.hMipmappedArray, 0, &array));
        TRY_CALL(cuArray3DGetDescriptor, &a, array);
        format = a.Format;
        if (a.Height == 0) t->addressMode[1] = t->addressMode[2] = CLAMP;
    }
    const bool as_floats = format >= FLOATS || (d->read == 1 && tb__format_size(format) < 4);
    if (d->filter != LINE_FILTER || as_floats) return TB_OK;
    return tb__fail_device(INVALID_VALUE, "createTextureObject",
                           "cudaErrorInvalidValue: invalid argument: linear filtering is of floats: of float elements, "
                           "or of 8 or 16 bits with cudaReadModeNormalizedFloat");
}

static tb_status texture_create(const tb_resource_desc *resource, const tb_texture_desc *d, int64_t *out)
{
    CUDA_RESOURCE_DESC r;
    CUDA_TEXTURE_DESC t = {.filterMode = d->filter,
                           .maxAnisotropy = d->anisotropy,
                           .mipmapFilterMode = d->mipmap_filter,
                           .mipmapLevelBias = d->mipmap_bias,
                           .minMipmapLevelClamp = d->mipmap_least,
                           .maxMipmapLevelClamp = d->mipmap_most};
    unsigned long long object = 0;
    TB_TRY(resource_of(resource, &r));
    for (int i = 0; i < 3; i++) t.addressMode[i] = d->address[i];
    for (int i = 0; i < 4; i++) t.borderColor[i] = d->border[i];
    if (d->read == 0) t.flags |= CU_TRSF_READ_AS_INTEGER;
    if (d->normalized) t.flags |= CU_TRSF_NORMALIZED_COORDINATES;
    if (d->srgb) t.flags |= CU_TRSF_SRGB;
    if (d->no_trilinear) t.flags |= CU_TRSF_DISABLE_TRILINEAR_OPTIMIZATION;
    if (d->seamless) t.flags |= CU_TRSF_SEAMLESS_CUBEMAP;
    TB_TRY(check_texture(&r, d, &t));
    TRY_CALL(cuTexObjectCreate, &object, &r, &t, NULL);
    out[0] = (int64_t)object;
    return TB_OK;
}

static tb_status surface_create(const tb_resource_desc *resource, int64_t *out)
{
    CUDA_RESOURCE_DESC r;
    unsigned long long object = 0;
    TB_TRY(resource_of(resource, &r));
    TRY_CALL(cuSurfObjectCreate, &object, &r);
    out[0] = (int64_t)object;
    return TB_OK;
}

tb_status tb__cuda_texture(tb_runtime_op op, const int64_t *in, int64_t *out)
{
    size_t size = 0;
    CUarray array = NULL;
    switch (op) {
    case TB_RT_mipmapCreate: return mipmap_create(in, out);
    case TB_RT_mipmapDestroy:
        if (!in[0]) return TB_OK;
        CALL(cuMipmappedArrayDestroy, address(in[0]));
    case TB_RT_mipmapLevel:
        TB_TRY(mipmap_level(address(in[0]), in[1], &array));
        out[0] = (int64_t)(intptr_t)array;
        return TB_OK;
    case TB_RT_arrayCreate: return array_create(in, out);
    case TB_RT_arrayDestroy:
        if (!in[0]) return TB_OK;
        CALL(cuArrayDestroy, address(in[0]));
    case TB_RT_arrayElementSize:
        TB_TRY(element_size(address(in[0]), &size));
        out[0] = (int64_t)size;
        return TB_OK;
    case TB_RT_memcpy3D: return copy(address(in[0]), NULL, false);
    case TB_RT_memcpy3DAsync: return copy(address(in[0]), address(in[1]), true);
    case TB_RT_textureCreate: return texture_create(address(in[0]), address(in[1]), out);
    case TB_RT_textureDestroy: CALL(cuTexObjectDestroy, (unsigned long long)in[0]);
    case TB_RT_surfaceCreate: return surface_create(address(in[0]), out);
    default: CALL(cuSurfObjectDestroy, (unsigned long long)in[0]);
    }
}
