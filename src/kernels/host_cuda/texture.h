/* texture.h - texture and surface functions, for kernels that are compiled for the CPU.
 *
 * As in the chapter on fetching of CUDA's programming guide: coordinates of linear filtering are fixed-point numbers
 * with 8 bits of fraction, rounded to nearest; the sum itself is made in double and rounded once. A channel that the
 * texture lacks reads as 0. Functions without a level of detail read the first. */
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
/* x: in elements. */
TB_FN tb_texel_axis tb_texel_along(const tb_host_texture *t, double x, unsigned long n, int mode)
{
    const double most = 0x1p40;
    x = x > -most ? (x < most ? x : most) : -most; /* NaN too */
    if (!t->linear) return tb_texel_exact((long)__builtin_floor(x), (long)n, mode);
    long fixed = (long)__builtin_floor((x - 0.5) * 256 + 0.5);
    return tb_texel_axis{tb_texel_index(fixed >> 8, (long)n, mode), tb_texel_index((fixed >> 8) + 1, (long)n, mode),
                         (double)(fixed & 255) / 256};
}
TB_FN tb_texel_axis tb_texel_between(const tb_host_texture *t, float coordinate, unsigned long n, int mode)
{
    double x = coordinate;
    if (t->normalized && mode == TB_HOST_WRAP) x -= __builtin_floor(x);
    return tb_texel_along(t, t->normalized ? x * (double)n : x, n, mode);
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

/* ---- cubemaps ---------------------------------------------------------------------------------------------------- */

/* Where a direction meets the cube: the face, and the place on it, from -1 to 1. */
struct tb_cube_place {
    int face;
    double s, t;
};
TB_FN tb_cube_place tb_cube_place_of(double x, double y, double z)
{
    double ax = __builtin_fabs(x), ay = __builtin_fabs(y), az = __builtin_fabs(z);
    if (ax >= ay && ax >= az) return x >= 0 ? tb_cube_place{0, -z / ax, -y / ax} : tb_cube_place{1, z / ax, -y / ax};
    if (ay >= az) return y >= 0 ? tb_cube_place{2, x / ay, z / ay} : tb_cube_place{3, x / ay, -z / ay};
    return z >= 0 ? tb_cube_place{4, x / az, -y / az} : tb_cube_place{5, -x / az, -y / az};
}
/* The place again for one that may be beyond its face's edges. */
TB_FN tb_cube_place tb_cube_place_around(const tb_cube_place p)
{
    switch (p.face) {
    case 0: return tb_cube_place_of(1, -p.t, -p.s);
    case 1: return tb_cube_place_of(-1, -p.t, p.s);
    case 2: return tb_cube_place_of(p.s, 1, p.t);
    case 3: return tb_cube_place_of(p.s, -1, -p.t);
    case 4: return tb_cube_place_of(p.s, -p.t, 1);
    default: return tb_cube_place_of(-p.s, -p.t, -1);
    }
}
/* The element at i, j of a face, which may be one beyond its edges, on a neighbour. */
static __attribute__((unused)) tb_texel tb_cube_texel(const tb_host_texture *t, int face, long i, long j, long layer)
{
    const long n = (long)t->width;
    const bool inside = i >= 0 && j >= 0 && i < n && j < n;
    tb_cube_place p = {face, (2 * (double)i + 1) / (double)n - 1, (2 * (double)j + 1) / (double)n - 1};
    if (!inside) p = tb_cube_place_around(p);
    const long x = inside ? i : (long)__builtin_floor((p.s + 1) / 2 * (double)n);
    const long y = inside ? j : (long)__builtin_floor((p.t + 1) / 2 * (double)n);
    return tb_texel_at(t, tb_texel_index(x, n, TB_HOST_CLAMP), tb_texel_index(y, n, TB_HOST_CLAMP), 6 * layer + p.face);
}
/* A filter across edges. Three faces meet at a corner of the cube: what the fourth element would be is their mean. */
static __attribute__((unused)) tb_texel tb_cube_between(const tb_host_texture *t, int face, tb_texel_axis x,
                                                        tb_texel_axis y, long layer)
{
    const long n = (long)t->width;
    double weight[4], missing = 0;
    int count = 0;
    for (int k = 0; k < 4; k++) {
        const long i = k & 1 ? x.second : x.first, j = k & 2 ? y.second : y.first;
        weight[k] = (k & 1 ? x.part : 1 - x.part) * (k & 2 ? y.part : 1 - y.part);
        if ((i >= 0 && i < n) || (j >= 0 && j < n)) {
            count++;
        } else {
            missing += weight[k];
            weight[k] = -1;
        }
    }
    tb_texel r = {{0, 0, 0, 0}};
    for (int k = 0; k < 4; k++) {
        if (weight[k] < 0) continue;
        tb_texel one = tb_cube_texel(t, face, k & 1 ? x.second : x.first, k & 2 ? y.second : y.first, layer);
        for (int c = 0; c < 4; c++) r.v[c] += (weight[k] + missing / count) * one.v[c];
    }
    return r;
}
static __attribute__((unused)) tb_texel tb_cube_of(const tb_host_texture *t, float x, float y, float z, int layer)
{
    const tb_cube_place p = tb_cube_place_of(x, y, z);
    const double n = (double)t->width, u = (p.s + 1) / 2 * n, v = (p.t + 1) / 2 * n;
    const tb_texel_axis which = tb_texel_exact(layer, (long)t->depth / 6, TB_HOST_CLAMP);
    if (t->linear && t->seamless) {
        const long i = (long)__builtin_floor((u - 0.5) * 256 + 0.5), j = (long)__builtin_floor((v - 0.5) * 256 + 0.5);
        return tb_cube_between(t, p.face, tb_texel_axis{i >> 8, (i >> 8) + 1, (double)(i & 255) / 256},
                               tb_texel_axis{j >> 8, (j >> 8) + 1, (double)(j & 255) / 256}, which.first);
    }
    const long at = 6 * which.first + p.face;
    return tb_texel_of(t, tb_texel_along(t, u, t->width, TB_HOST_CLAMP), tb_texel_along(t, v, t->height, TB_HOST_CLAMP),
                       tb_texel_axis{at, at, 0});
}

/* ---- functions --------------------------------------------------------------------------------------------------- */

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

/* What `texel` gives of the level, or of the two next to it. */
template <class F> TB_FN tb_texel tb_texel_level(const tb_host_texture *t, double lod, F texel)
{
    if (!t->levels) return texel(t);
    const double most = __builtin_fmin(t->most, t->levels - 1), least = __builtin_fmax(t->least, 0);
    lod = __builtin_fmax(__builtin_fmin(lod + t->bias, most), __builtin_fmin(least, t->levels - 1));
    if (!t->between_levels) return texel(&t->level[(long)__builtin_floor(lod + 0.5)]);
    const long fixed = (long)__builtin_floor(lod * 256 + 0.5);
    const double part = (double)(fixed & 255) / 256;
    tb_texel r = texel(&t->level[fixed >> 8]);
    if (part == 0) return r;
    const tb_texel next = texel(&t->level[(fixed >> 8) + 1]);
    for (int c = 0; c < 4; c++) r.v[c] += part * (next.v[c] - r.v[c]);
    return r;
}
/* The level of which neighbours on the screen read neighbours: by what the coordinates change from one to the next. On
 * a cube the distance from its middle is taken not to change. */
TB_FN double tb_lod_of(double xx, double xy, double xz, double yx, double yy, double yz)
{
    const double x = xx * xx + xy * xy + xz * xz, y = yx * yx + yy * yy + yz * yz;
    return 0.5 * __builtin_log2(x > y ? x : y);
}
TB_FN double tb_lod(const tb_host_texture *t, float x, float y)
{
    return tb_lod_of(x * (double)t->width, 0, 0, y * (double)t->width, 0, 0);
}
TB_FN double tb_lod(const tb_host_texture *t, float2 x, float2 y)
{
    const double w = (double)t->width, h = (double)t->height;
    return tb_lod_of(x.x * w, x.y * h, 0, y.x * w, y.y * h, 0);
}
TB_FN double tb_lod(const tb_host_texture *t, float4 x, float4 y)
{
    const double w = (double)t->width, h = (double)t->height, d = (double)t->depth;
    return tb_lod_of(x.x * w, x.y * h, x.z * d, y.x * w, y.y * h, y.z * d);
}
TB_FN double tb_cube_lod(const tb_host_texture *t, float x, float y, float z, float4 dx, float4 dy)
{
    const double m = __builtin_fmax(__builtin_fmax(__builtin_fabs(x), __builtin_fabs(y)), __builtin_fabs(z));
    const double k = (double)t->width / (2 * m);
    return tb_lod_of(dx.x * k, dx.y * k, dx.z * k, dy.x * k, dy.y * k, dy.z * k);
}

#define TB_PASS(...) __VA_ARGS__
#define TB_TEXTURE ((const tb_host_texture *)object)
/* A function by what it takes and what it reads of the texture t; and its old form, which writes through a pointer. */
#define TB_FETCH(name, takes, gives, ...) \
    template <class T> TB_FN T name(cudaTextureObject_t object, TB_PASS takes) \
    { \
        const tb_host_texture *t = TB_TEXTURE; \
        return tb_texel_as<T>::make(__VA_ARGS__); \
    } \
    template <class T> TB_FN void name(T *to, cudaTextureObject_t object, TB_PASS takes) \
    { \
        *to = name<T>(object, TB_PASS gives); \
    }
/* With it, those of a level of detail and of gradients along the screen. */
#define TB_FETCHES(name, takes, gives, gradient, lod_of_gradients, texel) \
    TB_FETCH(name, takes, gives, texel) \
    TB_FETCH(name##Lod, (TB_PASS takes, float lod), (TB_PASS gives, lod), \
             tb_texel_level(t, lod, [&](const tb_host_texture *t) { return texel; })) \
    TB_FETCH(name##Grad, (TB_PASS takes, gradient dx, gradient dy), (TB_PASS gives, dx, dy), \
             tb_texel_level(t, lod_of_gradients, [&](const tb_host_texture *t) { return texel; }))
#define TB_ALONG(i, v, extent) tb_texel_between(t, v, t->extent, t->address[i])
#define TB_LAYER(n) tb_texel_exact(n, (long)t->depth, TB_HOST_CLAMP)
#define TB_NONE tb_texel_nothing()
#define TB_LOD tb_lod(t, dx, dy)
#define TB_CUBE_LOD tb_cube_lod(t, x, y, z, dx, dy)
TB_FETCH(tex1Dfetch, (int i), (i),
         tb_texel_of(t, tb_texel_exact(i, (long)t->width, TB_HOST_BORDER), TB_NONE, TB_NONE))
TB_FETCHES(tex1D, (float x), (x), float, TB_LOD, tb_texel_of(t, TB_ALONG(0, x, width), TB_NONE, TB_NONE))
TB_FETCHES(tex2D, (float x, float y), (x, y), float2, TB_LOD,
           tb_texel_of(t, TB_ALONG(0, x, width), TB_ALONG(1, y, height), TB_NONE))
TB_FETCHES(tex3D, (float x, float y, float z), (x, y, z), float4, TB_LOD,
           tb_texel_of(t, TB_ALONG(0, x, width), TB_ALONG(1, y, height), TB_ALONG(2, z, depth)))
TB_FETCHES(tex1DLayered, (float x, int layer), (x, layer), float, TB_LOD,
           tb_texel_of(t, TB_ALONG(0, x, width), TB_NONE, TB_LAYER(layer)))
TB_FETCHES(tex2DLayered, (float x, float y, int layer), (x, y, layer), float2, TB_LOD,
           tb_texel_of(t, TB_ALONG(0, x, width), TB_ALONG(1, y, height), TB_LAYER(layer)))
TB_FETCHES(texCubemap, (float x, float y, float z), (x, y, z), float4, TB_CUBE_LOD, tb_cube_of(t, x, y, z, 0))
TB_FETCHES(texCubemapLayered, (float x, float y, float z, int layer), (x, y, z, layer), float4, TB_CUBE_LOD,
           tb_cube_of(t, x, y, z, layer))
#undef TB_FETCHES
#undef TB_FETCH
#undef TB_ALONG
#undef TB_LAYER
#undef TB_NONE
#undef TB_LOD
#undef TB_CUBE_LOD

/* One channel of the four elements that a linear filter would read, counter-clockwise from the lower left. */
static __attribute__((unused)) tb_texel tb_texel_gather(const tb_host_texture *texture, float x, float y, int channel)
{
    tb_host_texture t = *texture;
    t.linear = 1;
    const tb_texel_axis u = tb_texel_between(&t, x, t.width, t.address[0]);
    const tb_texel_axis v = tb_texel_between(&t, y, t.height, t.address[1]);
    return tb_texel{{tb_texel_at(&t, u.first, v.second, 0).v[channel & 3],
                     tb_texel_at(&t, u.second, v.second, 0).v[channel & 3],
                     tb_texel_at(&t, u.second, v.first, 0).v[channel & 3],
                     tb_texel_at(&t, u.first, v.first, 0).v[channel & 3]}};
}
template <class T> TB_FN T tex2Dgather(cudaTextureObject_t object, float x, float y, int channel = 0)
{
    return tb_texel_as<T>::make(tb_texel_gather(TB_TEXTURE, x, y, channel));
}
template <class T> TB_FN void tex2Dgather(T *to, cudaTextureObject_t object, float x, float y, int channel = 0)
{
    *to = tex2Dgather<T>(object, x, y, channel);
}

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
        if (mode == cudaBoundaryModeTrap) tb_services->fail(0, "a surface is read or written outside of its array");
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
TB_SURFACE(surfCubemap, (int x, int y, int face), y, face)
TB_SURFACE(surfCubemapLayered, (int x, int y, int face), y, face)
#undef TB_SURFACE
#undef TB_TEXTURE
#undef TB_PASS
#endif
