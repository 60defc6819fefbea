/* types.h - src/kernels/host_cuda is CUDA for kernels that a C++ compiler compiles for the CPU. Here vector types and
 * dim3. C++ only.
 *
 * The files of this folder are embedded as text and come before a kernel's source, in the order of
 * src/backend/cpu/user/headers.c. They include nothing, so that a kernel compiles in little time; names that are theirs
 * alone begin with tb_. */
#ifndef TB_KERNELS_HOST_CUDA_TYPES_H
#define TB_KERNELS_HOST_CUDA_TYPES_H

typedef __SIZE_TYPE__ tb_size, size_t; /* NVRTC has size_t and ptrdiff_t without an include */
typedef __PTRDIFF_TYPE__ ptrdiff_t;
extern "C" { /* and these */
void *memcpy(void *, const void *, size_t) noexcept(true);
void *memset(void *, int, size_t) noexcept(true);
void *malloc(size_t) noexcept(true);
void free(void *) noexcept(true);
}
typedef unsigned long long tb_ull;
#define TB_FN static inline __attribute__((always_inline, unused))

#define TB_VECTOR1(V, T) \
    struct V { T x; }; \
    TB_FN V make_##V(T x) { V v; v.x = x; return v; }
#define TB_VECTOR2(V, T, A) \
    struct alignas(A) V { T x, y; }; \
    TB_FN V make_##V(T x, T y) { V v; v.x = x; v.y = y; return v; }
#define TB_VECTOR3(V, T) \
    struct V { T x, y, z; }; \
    TB_FN V make_##V(T x, T y, T z) { V v; v.x = x; v.y = y; v.z = z; return v; }
#define TB_VECTOR4(V, T, A) \
    struct alignas(A) V { T x, y, z, w; }; \
    TB_FN V make_##V(T x, T y, T z, T w) { V v; v.x = x; v.y = y; v.z = z; v.w = w; return v; }
#define TB_VECTORS(N, T, A2, A4) \
    TB_VECTOR1(N##1, T) TB_VECTOR2(N##2, T, A2) TB_VECTOR3(N##3, T) TB_VECTOR4(N##4, T, A4)

TB_VECTORS(char, signed char, 2, 4)
TB_VECTORS(uchar, unsigned char, 2, 4)
TB_VECTORS(short, short, 4, 8)
TB_VECTORS(ushort, unsigned short, 4, 8)
TB_VECTORS(int, int, 8, 16)
TB_VECTORS(uint, unsigned int, 8, 16)
TB_VECTORS(long, long, 16, 16)
TB_VECTORS(ulong, unsigned long, 16, 16)
TB_VECTORS(longlong, long long, 16, 16)
TB_VECTORS(ulonglong, unsigned long long, 16, 16)
TB_VECTORS(float, float, 8, 16)
TB_VECTORS(double, double, 16, 16)

struct dim3 {
    unsigned x, y, z;
    constexpr dim3(unsigned vx = 1, unsigned vy = 1, unsigned vz = 1) : x(vx), y(vy), z(vz) {}
    constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
    constexpr operator uint3() const { return uint3{x, y, z}; }
};

typedef int cudaError_t;
typedef struct tb_host_stream *cudaStream_t;
typedef unsigned long long cudaTextureObject_t, cudaSurfaceObject_t;
enum { cudaSuccess = 0 };
#endif
