/* libmvec.c - transcendental loops from glibc's vector math library, compiled once for each instruction set (TB_ISA).
 *
 * The library is looked for at run time: symbols of the x86-64 vector ABI, whose errors are at most 4 units in the last
 * place. A loop whose function is missing stays the reference. The end of a run is padded to a whole vector, so that
 * every point is computed in the same way. */
#include "backend/cpu/loops/loops.h"
#include "tables/loops.h"

#ifdef __x86_64__
#include <dlfcn.h>
#include <immintrin.h>
#include <math.h>
#include <string.h>

#if defined(__AVX512F__)
enum { NF32 = 16, NF64 = 8 };
#define SYMBOL_F32(args, name) "_ZGVeN16" #args "_" #name "f"
#define SYMBOL_F64(args, name) "_ZGVeN8" #args "_" #name
#elif defined(__AVX2__)
enum { NF32 = 8, NF64 = 4 };
#define SYMBOL_F32(args, name) "_ZGVdN8" #args "_" #name "f"
#define SYMBOL_F64(args, name) "_ZGVdN4" #args "_" #name
#else
enum { NF32 = 4, NF64 = 2 };
#define SYMBOL_F32(args, name) "_ZGVbN4" #args "_" #name "f"
#define SYMBOL_F64(args, name) "_ZGVbN2" #args "_" #name
#endif

typedef float vec_f32 __attribute__((vector_size(NF32 * sizeof(float))));
typedef double vec_f64 __attribute__((vector_size(NF64 * sizeof(double))));

/* run1_s, run2_s: a vector function over a run; the out may be an in. Padding repeats the last point. */
#define RUNS(T, s, N)                                                                                 \
    typedef vec_##s (*fn1_##s)(vec_##s);                                                              \
    typedef vec_##s (*fn2_##s)(vec_##s, vec_##s);                                                     \
    static vec_##s load_##s(const T *x, int64_t left)                                                 \
    {                                                                                                 \
        vec_##s v;                                                                                    \
        if (left >= N) {                                                                              \
            memcpy(&v, x, sizeof v);                                                                  \
            return v;                                                                                 \
        }                                                                                             \
        const T last = x[left - 1];                                                                   \
        for (int j = 0; j < N; j++) v[j] = last; /* of one point in a register, without being stored */ \
        if (left == 1) return v;                                                                      \
        for (int j = 0; j < N; j++) v[j] = j < left ? x[j] : last;                                    \
        return v;                                                                                     \
    }                                                                                                 \
    static void save_##s(T *o, vec_##s v, int64_t left)                                               \
    {                                                                                                 \
        if (left >= N) memcpy(o, &v, sizeof v);                                                       \
        else if (N == 2 || left == 1) *o = v[0];                                                      \
        else memcpy(o, &v, (size_t)left * sizeof(T));                                                 \
    }                                                                                                 \
    static void run1_##s(int64_t n, T *o, const T *x, fn1_##s fn)                                     \
    {                                                                                                 \
        int64_t k = 0;                                                                                \
        for (; k + N <= n; k += N) save_##s(o + k, fn(load_##s(x + k, N)), N);                        \
        if (k < n) save_##s(o + k, fn(load_##s(x + k, n - k)), n - k);                                \
    }                                                                                                 \
    static void run2_##s(int64_t n, T *o, const T *x, const T *y, fn2_##s fn)                         \
    {                                                                                                 \
        int64_t k = 0;                                                                                \
        for (; k + N <= n; k += N) save_##s(o + k, fn(load_##s(x + k, N), load_##s(y + k, N)), N);    \
        if (k < n) save_##s(o + k, fn(load_##s(x + k, n - k), load_##s(y + k, n - k)), n - k);        \
    }
RUNS(float, f32, NF32)
RUNS(double, f64, NF64)

/* The ufuncs, with their names in the C library. */
#define PLAIN(V)                                                                                      \
    V(sin, sin) V(cos, cos) V(tan, tan) V(arctan, atan) V(sinh, sinh) V(cosh, cosh) V(tanh, tanh)     \
    V(arcsinh, asinh) V(arccosh, acosh) V(exp, exp) V(exp2, exp2) V(expm1, expm1) V(log, log)         \
    V(log2, log2) V(log10, log10) V(log1p, log1p) V(cbrt, cbrt)
#define INSIDE(V) V(arcsin, asin) V(arccos, acos) V(arctanh, atanh)
#define UNARY(V) PLAIN(V) INSIDE(V)
#define BINARY(V) V(arctan2, atan2) V(hypot, hypot) V(power, pow)

#define FUNCTIONS(op)                                                                                 \
    static fn1_f32 op##_vec_f32;                                                                      \
    static fn1_f64 op##_vec_f64;                                                                      \
    static void op##_f32(int64_t n, void *const *p, int64_t index)                                    \
    {                                                                                                 \
        (void)index;                                                                                  \
        run1_f32(n, p[0], p[1], op##_vec_f32);                                                        \
    }
#define LOOP_F64(op, fn)                                                                              \
    static void op##_f64(int64_t n, void *const *p, int64_t index)                                    \
    {                                                                                                 \
        (void)index;                                                                                  \
        run1_f64(n, p[0], p[1], fn);                                                                  \
    }
#define V(op, name) FUNCTIONS(op) LOOP_F64(op, op##_vec_f64)
PLAIN(V)
#undef V

/* Of numbers from 1 on, and NaN, the library asks the scalar function, element by element; of whole numbers these are
 * most. fn is called of those inside (-1, 1) and of 0 for the others. */
typedef int64_t vec_i64 __attribute__((vector_size(NF64 * sizeof(double))));
#if defined(__AVX512F__) && defined(__AVX512DQ__)
static inline unsigned lanes_of(vec_i64 m) { return _mm512_movepi64_mask((__m512i)m); }
#elif defined(__AVX2__)
static inline unsigned lanes_of(vec_i64 m) { return (unsigned)_mm256_movemask_pd((__m256d)m); }
#else
static inline unsigned lanes_of(vec_i64 m) { return (unsigned)_mm_movemask_pd((__m128d)m); }
#endif
static inline vec_f64 inside(vec_f64 x, fn1_f64 fn, double at_minus_1, double at_1)
{
    const vec_i64 in = (x > -1) & (x < 1), low = x == -1, high = x == 1;
    const vec_f64 none = (vec_f64){0}, minus = none + at_minus_1, plus = none + at_1, nan = none / none;
    if (lanes_of(in) == (1u << NF64) - 1) return fn(x);
    const vec_f64 y = lanes_of(in) ? fn((vec_f64)((vec_i64)x & in)) : none;
    return (vec_f64)(((vec_i64)y & in) | ((vec_i64)minus & low) | ((vec_i64)plus & high) |
                     ((vec_i64)nan & ~(in | low | high)));
}
#define EDGES(op, at_minus_1, at_1)                                                                   \
    FUNCTIONS(op)                                                                                     \
    static vec_f64 op##_inside(vec_f64 x) { return inside(x, op##_vec_f64, at_minus_1, at_1); }       \
    LOOP_F64(op, op##_inside)
EDGES(arcsin, -0x1.921fb54442d18p0, 0x1.921fb54442d18p0)
EDGES(arccos, 0x1.921fb54442d18p1, 0.0)
EDGES(arctanh, -HUGE_VAL, HUGE_VAL)
#define V(op, name)                                                                                   \
    static fn2_f32 op##_vec_f32;                                                                      \
    static fn2_f64 op##_vec_f64;                                                                      \
    static void op##_f32(int64_t n, void *const *p, int64_t index)                                    \
    {                                                                                                 \
        (void)index;                                                                                  \
        run2_f32(n, p[0], p[1], p[2], op##_vec_f32);                                                  \
    }                                                                                                 \
    static void op##_f64(int64_t n, void *const *p, int64_t index)                                    \
    {                                                                                                 \
        (void)index;                                                                                  \
        run2_f64(n, p[0], p[1], p[2], op##_vec_f64);                                                  \
    }
BINARY(V)
#undef V

typedef struct entry {
    tb_op op;
    int nin;
    const char *symbol_f32, *symbol_f64;
    void *fn_f32, *fn_f64; /* where the functions' addresses go */
    tb_cpu_loop f32, f64;
} entry;

static const entry entries[] = {
#define V(op, name) \
    {TB_OP_##op, 1, SYMBOL_F32(v, name), SYMBOL_F64(v, name), &op##_vec_f32, &op##_vec_f64, op##_f32, op##_f64},
    UNARY(V)
#undef V
#define V(op, name) \
    {TB_OP_##op, 2, SYMBOL_F32(vv, name), SYMBOL_F64(vv, name), &op##_vec_f32, &op##_vec_f64, op##_f32, op##_f64},
        BINARY(V)
#undef V
};

static void put(tb_cpu_loop *table, tb_op op, int nin, tb_dtype t, tb_cpu_loop loop)
{
    const tb_dtype in[2] = {t, t};
    const tb_loop l = tb__loop_find(op, nin, in);
    if (l != TB_NOLOOP) table[l] = loop;
}

void TB_ISA_NAME(tb__libmvec_, TB_ISA)(tb_cpu_loop *table)
{
    void *library = dlopen("libmvec.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!library) return;
    for (size_t i = 0; i < sizeof entries / sizeof entries[0]; i++) {
        const entry *e = &entries[i];
        void *f32 = dlsym(library, e->symbol_f32), *f64 = dlsym(library, e->symbol_f64);
        memcpy(e->fn_f32, &f32, sizeof f32);
        memcpy(e->fn_f64, &f64, sizeof f64);
        if (f32) put(table, e->op, e->nin, TB_F32, e->f32);
        if (f64) put(table, e->op, e->nin, TB_F64, e->f64);
    }
    if (power_vec_f64) put(table, TB_OP_float_power, 2, TB_F64, power_f64);
}

#else

void TB_ISA_NAME(tb__libmvec_, TB_ISA)(tb_cpu_loop *table) { (void)table; }
#endif
