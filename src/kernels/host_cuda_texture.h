/* host_cuda_texture.h - texture and surface functions, for kernels that are compiled for the CPU.
 *
 * As in the chapter on fetching of CUDA's programming guide: coordinates of linear filtering are fixed-point numbers
 * with 8 bits of fraction, rounded to nearest; the sum itself is made in double and rounded once. A channel that the
 * texture lacks reads as 0. There are no levels of detail, so functions that name one read the only one. */
#ifndef TB_KERNELS_HOST_CUDA_TEXTURE_H
#define TB_KERNELS_HOST_CUDA_TEXTURE_H

/* A channel as a number, which holds every format exactly. */
TB_FN double tb_channel(const tb_host_texture *t, const char *p)
{
    switch (t->format) {
    case 0x01: return t->floats ? *(const unsigned char *)p / 255.0 : *(const unsigned char *)p;
    case 0x02: return t->floats ? *(const unsigned short *)p / 65535.0 : *(const unsigned short *)p;
    case 0x03: return *(const unsigned *)p;
    case 0x08: return t->floats ? __builtin_fmax(*(const signed char *)p / 127.0, -1) : *(const signed char *)p;
    case 0x09: return t->floats ? __builtin_fmax(*(const short *)p / 32767.0, -1) : *(const short *)p;
    case 0x0a: return *(const int *)p;
    case 0x10: return tb_float_of_half(*(const unsigned short *)p);
    default: return *(const float *)p;
    }
}
TB_FN double tb_linear_of_srgb(double v)
{
    return v <= 0.04045 ? v / 12.92 : __builtin_pow((v + 0.055) / 1.055, 2.4);
}

enum { TB_BORDER = -1 };
/* The element that index i stands for along n of them. */
TB_FN long tb_texel_index(long i, long n, int mode)
{
    if (i >= 0 && i < n) return i;
    long turn = mode == TB_HOST_MIRROR ? 2 * n : n;
    switch (mode) {
    case TB_HOST_BORDER: return TB_BORDER;
    case TB_HOST_WRAP: case TB_HOST_MIRROR:
        i %= turn;
        if (i < 0) i += turn;
        return i < n ? i : turn - 1 - i;
    default: return i < 0 ? 0 : n - 1;
    }
}

/* What a coordinate reads: two neighbours, and how much of the second. */
struct tb_texel_axis {
    long first, second;
    double part;
};
TB_FN tb_texel_axis tb_texel_nothing() { return tb_texel_axis{0, 0, 0}; }
TB_FN tb_texel_axis tb_texel_exact(long i, long n, int mode)
{
    long at = tb_texel_index(i, n, mode);
    return tb_texel_axis{at, at, 0};
}
TB_FN tb_texel_axis tb_texel_between(const tb_host_texture *t, float coordinate, unsigned long n, int mode)
{
    double x = coordinate, most = 0x1p40;
    if (t->normalized && mode == TB_HOST_WRAP) x -= __builtin_floor(x);
    if (t->normalized) x *= (double)n;
    x = x > -most ? (x < most ? x : most) : -most; /* NaN too */
    if (!t->linear) return tb_texel_exact((long)__builtin_floor(x), (long)n, mode);
    long fixed = (long)__builtin_floor((x - 0.5) * 256 + 0.5);
    return tb_texel_axis{tb_texel_index(fixed >> 8, (long)n, mode), tb_texel_index((fixed >> 8) + 1, (long)n, mode),
                         (double)(fixed & 255) / 256};
}

struct tb_texel {
    double v[4];
};
TB_FN tb_texel tb_texel_at(const tb_host_texture *t, long x, long y, long z)
{
    tb_texel r = {{0, 0, 0, 0}};
    if (x < 0 || y < 0 || z < 0) {
        for (int c = 0; c < 4; c++) r.v[c] = t->border[c];
        return r;
    }
    const char *p = t->data + (unsigned long)z * t->layer + (unsigned long)y * t->pitch;
    p += (unsigned long)x * t->size * (unsigned long)t->channels;
    for (int c = 0; c < t->channels; c++, p += t->size) {
        r.v[c] = tb_channel(t, p);
        if (t->srgb && c < 3) r.v[c] = tb_linear_of_srgb(r.v[c]);
    }
    return r;
}
static __attribute__((unused)) tb_texel tb_texel_of(const tb_host_texture *t, tb_texel_axis x, tb_texel_axis y,
                                                    tb_texel_axis z)
{
    if (x.part == 0 && y.part == 0 && z.part == 0) return tb_texel_at(t, x.first, y.first, z.first);
    tb_texel r = {{0, 0, 0, 0}};
    for (int corner = 0; corner < 8; corner++) {
        bool i = corner & 1, j = corner & 2, k = corner & 4;
        double weight = (i ? x.part : 1 - x.part) * (j ? y.part : 1 - y.part) * (k ? z.part : 1 - z.part);
        if (weight == 0) continue;
        tb_texel one = tb_texel_at(t, i ? x.second : x.first, j ? y.second : y.first, k ? z.second : z.first);
        for (int c = 0; c < 4; c++) r.v[c] += weight * one.v[c];
    }
    return r;
}

template <class T> struct tb_texel_as {
    static T make(tb_texel t) { return (T)t.v[0]; }
};
#define TB_TEXEL(V, T) \
    template <> struct tb_texel_as<V##1> { static V##1 make(tb_texel t) { return make_##V##1((T)t.v[0]); } }; \
    template <> struct tb_texel_as<V##2> { \
        static V##2 make(tb_texel t) { return make_##V##2((T)t.v[0], (T)t.v[1]); } \
    }; \
    template <> struct tb_texel_as<V##4> { \
        static V##4 make(tb_texel t) { return make_##V##4((T)t.v[0], (T)t.v[1], (T)t.v[2], (T)t.v[3]); } \
    };
TB_TEXEL(char, signed char) TB_TEXEL(uchar, unsigned char) TB_TEXEL(short, short) TB_TEXEL(ushort, unsigned short)
TB_TEXEL(int, int) TB_TEXEL(uint, unsigned) TB_TEXEL(float, float)
#undef TB_TEXEL

#define TB_PASS(...) __VA_ARGS__
#define TB_TEXTURE ((const tb_host_texture *)object)
#define TB_ALONG(i, v, extent) tb_texel_between(TB_TEXTURE, v, TB_TEXTURE->extent, TB_TEXTURE->address[i])
#define TB_LAYER(n) tb_texel_exact(n, (long)TB_TEXTURE->depth, TB_HOST_CLAMP)
/* A function by what it takes and the three axes that it reads; and its old form, which writes through a pointer. */
#define TB_FETCH(name, takes, gives, x, y, z) \
    template <class T> TB_FN T name(cudaTextureObject_t object, TB_PASS takes) \
    { \
        return tb_texel_as<T>::make(tb_texel_of(TB_TEXTURE, x, y, z)); \
    } \
    template <class T> TB_FN void name(T *to, cudaTextureObject_t object, TB_PASS takes) \
    { \
        *to = name<T>(object, TB_PASS gives); \
    }
TB_FETCH(tex1Dfetch, (int i), (i), tb_texel_exact(i, (long)TB_TEXTURE->width, TB_HOST_BORDER), tb_texel_nothing(),
         tb_texel_nothing())
TB_FETCH(tex1D, (float x), (x), TB_ALONG(0, x, width), tb_texel_nothing(), tb_texel_nothing())
TB_FETCH(tex1DLod, (float x, float), (x, 0), TB_ALONG(0, x, width), tb_texel_nothing(), tb_texel_nothing())
TB_FETCH(tex2D, (float x, float y), (x, y), TB_ALONG(0, x, width), TB_ALONG(1, y, height), tb_texel_nothing())
TB_FETCH(tex2DLod, (float x, float y, float), (x, y, 0), TB_ALONG(0, x, width), TB_ALONG(1, y, height),
         tb_texel_nothing())
TB_FETCH(tex3D, (float x, float y, float z), (x, y, z), TB_ALONG(0, x, width), TB_ALONG(1, y, height),
         TB_ALONG(2, z, depth))
TB_FETCH(tex3DLod, (float x, float y, float z, float), (x, y, z, 0), TB_ALONG(0, x, width), TB_ALONG(1, y, height),
         TB_ALONG(2, z, depth))
TB_FETCH(tex1DLayered, (float x, int layer), (x, layer), TB_ALONG(0, x, width), tb_texel_nothing(), TB_LAYER(layer))
TB_FETCH(tex2DLayered, (float x, float y, int layer), (x, y, layer), TB_ALONG(0, x, width), TB_ALONG(1, y, height),
         TB_LAYER(layer))
#undef TB_FETCH
#undef TB_ALONG
#undef TB_LAYER

/* ---- surfaces: x is in bytes ------------------------------------------------------------------------------------- */

enum cudaSurfaceBoundaryMode { cudaBoundaryModeZero, cudaBoundaryModeClamp, cudaBoundaryModeTrap };

/* NULL: nothing is there to read or write. */
TB_FN char *tb_surface_at(const tb_host_texture *t, unsigned long size, int bytes, int y, int z,
                          cudaSurfaceBoundaryMode mode)
{
    unsigned long at[3] = {(unsigned long)(long)bytes, (unsigned long)(long)y, (unsigned long)(long)z};
    const unsigned long n[3] = {t->pitch - size + 1, t->height ? t->height : 1, t->depth ? t->depth : 1};
    for (int i = 0; i < 3; i++) {
        if (at[i] < n[i]) continue;
        if (mode == cudaBoundaryModeZero) return 0;
        if (mode == cudaBoundaryModeTrap) tb_runtime->fail(0, "a surface is read or written outside of its array");
        at[i] = (long)at[i] < 0 ? 0 : n[i] - 1;
    }
    return t->data + at[2] * t->layer + at[1] * t->pitch + at[0];
}
template <class T>
TB_FN T tb_surface_read(cudaSurfaceObject_t object, int x, int y, int z, cudaSurfaceBoundaryMode mode)
{
    const char *p = tb_surface_at(TB_TEXTURE, sizeof(T), x, y, z, mode);
    char none[sizeof(T)] = {0};
    return tb_argument<T>(p ? p : none);
}
template <class T>
TB_FN void tb_surface_write(T v, cudaSurfaceObject_t object, int x, int y, int z, cudaSurfaceBoundaryMode mode)
{
    char *p = tb_surface_at(TB_TEXTURE, sizeof(T), x, y, z, mode);
    if (p) __builtin_memcpy(p, (const void *)&v, sizeof(T));
}
#define TB_SURFACE(name, takes, y, z) \
    template <class T> \
    TB_FN T name##read(cudaSurfaceObject_t object, TB_PASS takes, cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) \
    { \
        return tb_surface_read<T>(object, x, y, z, mode); \
    } \
    template <class T> \
    TB_FN void name##read(T *to, cudaSurfaceObject_t object, TB_PASS takes, \
                          cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) \
    { \
        *to = tb_surface_read<T>(object, x, y, z, mode); \
    } \
    template <class T> \
    TB_FN void name##write(T v, cudaSurfaceObject_t object, TB_PASS takes, \
                           cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) \
    { \
        tb_surface_write(v, object, x, y, z, mode); \
    }
TB_SURFACE(surf1D, (int x), 0, 0)
TB_SURFACE(surf2D, (int x, int y), y, 0)
TB_SURFACE(surf3D, (int x, int y, int z), y, z)
TB_SURFACE(surf1DLayered, (int x, int layer), 0, layer)
TB_SURFACE(surf2DLayered, (int x, int y, int layer), y, layer)
#undef TB_SURFACE
#undef TB_TEXTURE
#undef TB_PASS
#endif
