/* random_loops.c - vector versions of the random generators, compiled once for each instruction set (TB_ISA).
 *
 * Philox blocks are computed several at a time, one to a 64-bit lane, and then turned into draws a run at a time. The
 * bits are those of kernels/philox.h; normals and exponentials use whatever log, sin and cos the table has. */
#include "backend/cpu/loops/loops.h"
#include "backend/cpu/loops/random_lanes.h"
#include "kernels/types.h"
#include "kernels/philox.h"
#include "tables/loops.h"
/* Vectors of blocks by turns, for whom there are registers; draws at a time, a multiple of 4; how many words are made
 * together, and so may be beyond the last. */
enum { TOGETHER = LANES == 8 ? 4 : LANES == 4 ? 3 : 2, RUN = 1024, SPARE = 2 * TOGETHER * LANES };

static inline void store_pairs(const tb_lanes_state *s, uint64_t *out)
{
    const lanes even = tb_lanes_even(s), odd = tb_lanes_odd(s);
    const lanes first = EVEN_PAIRS(even, odd), last = ODD_PAIRS(even, odd);
    memcpy(out, &first, sizeof first);
    memcpy(out + LANES, &last, sizeof last);
}

/* TOGETHER * LANES blocks from `counter`, as pairs of 64-bit words: of each LANES a half in the even lanes, the other
 * in the odd ones. */
static inline void blocks(uint64_t seed, lanes counter, uint64_t *out)
{
    const lanes zero = {0}, key = zero + seed;
    tb_lanes_state s[TOGETHER];
    for (int j = 0; j < TOGETHER; j++) {
        const lanes c = counter + (uint64_t)j * LANES;
        s[j] = (tb_lanes_state){c, c >> 32, zero, zero, key};
    }
    tb_lanes_encrypt(TOGETHER, s);
    for (int j = 0; j < TOGETHER; j++) store_pairs(&s[j], out + 2 * j * LANES);
}

/* The words of the blocks from `first` that n 64-bit draws need, rounded up to whole vectors. */
static void words(void *const *p, uint64_t first, int64_t n, uint64_t *out)
{
    uint64_t seed, offset;
    memcpy(&seed, p[1], sizeof seed);
    memcpy(&offset, p[2], sizeof offset);
    lanes counter;
    for (int j = 0; j < LANES; j++) counter[j] = offset + first + (uint64_t)(j / 2 + j % 2 * (LANES / 2));
    for (int64_t k = 0; k < n; k += SPARE) {
        blocks(seed, counter, out + k);
        counter += TOGETHER * LANES;
    }
}

static tb_cpu_loop log_f32, sin_f32, cos_f32, log_f64, sin_f64, cos_f64;

/* Fillers: draws number 0 ... n-1 after the words w were drawn; n is a multiple of 4 up to RUN. */
static void random_u32(void *const *p, const uint64_t *w, int64_t n, uint32_t *o)
{
    (void)p;
    memcpy(o, w, (size_t)n * sizeof *o);
}

static void random_u64(void *const *p, const uint64_t *w, int64_t n, uint64_t *o)
{
    (void)p;
    memcpy(o, w, (size_t)n * sizeof *o);
}

static void uniform_f32(void *const *p, const uint64_t *w, int64_t n, float *o)
{
    (void)p;
    uint32_t x[RUN];
    memcpy(x, w, (size_t)n * sizeof *x);
    for (int64_t k = 0; k < n; k++) o[k] = (float)(int32_t)(x[k] >> 8) * 0x1p-24f;
}

/* The upper 53 bits of a word as a number below 1. Where no instruction makes floats of integers of 64 bits, the halves
 * are the last bits of two sums with powers of two, which are then subtracted: all of it is exact. */
static inline double unit_f64(uint64_t w)
{
#ifdef __AVX512DQ__
    return (double)(int64_t)(w >> 11) * 0x1p-53;
#else
    const uint64_t bits[2] = {0x4130000000000000u | w >> 32, 0x3f30000000000000u | (w & 0xfffff800u)};
    double high, low;
    memcpy(&high, &bits[0], sizeof high);
    memcpy(&low, &bits[1], sizeof low);
    return high - (0x1p20 + 0x1p-12) + low;
#endif
}

static void uniform_f64(void *const *p, const uint64_t *w, int64_t n, double *o)
{
    (void)p;
    for (int64_t k = 0; k < n; k++) o[k] = unit_f64(w[k]);
}

/* Pairs of draws to -2 log(u)'s u and to angles. */
static void pairs_f32(const uint64_t *w, int64_t n, float *u, float *angle)
{
    for (int64_t k = 0; k < n; k++) {
        u[k] = (float)(uint32_t)w[k] * 0x1p-32f + 0x1p-33f;
        angle[k] = ((float)(int32_t)(w[k] >> 41) * 0x1p-23f - 0.5f) * 6.283185307179586477f;
    }
}

static void pairs_f64(const uint64_t *w, int64_t n, double *u, double *angle)
{
    for (int64_t k = 0; k < n; k++) {
        u[k] = unit_f64(w[2 * k]) + 0x1p-53;
        angle[k] = unit_f64(w[2 * k + 1]) * 6.283185307179586477;
    }
}

#define NORMAL(T, s, root)                                                                            \
    static void normal_##s(void *const *p, const uint64_t *w, int64_t n, T *o)                        \
    {                                                                                                 \
        T r[RUN / 2], angle[RUN / 2], c[RUN / 2];                                                     \
        (void)p;                                                                                      \
        pairs_##s(w, n / 2, r, angle);                                                                \
        log_##s(n / 2, (void *const[]){r, r}, 0);                                                     \
        cos_##s(n / 2, (void *const[]){c, angle}, 0);                                                 \
        sin_##s(n / 2, (void *const[]){angle, angle}, 0);                                             \
        for (int64_t k = 0; k < n / 2; k++) r[k] = root(-2 * r[k]);                                   \
        for (int64_t k = 0; k < n / 2; k++) {                                                         \
            o[2 * k] = r[k] * c[k];                                                                   \
            o[2 * k + 1] = r[k] * angle[k];                                                           \
        }                                                                                             \
    }                                                                                                 \
    static void exponential_##s(void *const *p, const uint64_t *w, int64_t n, T *o)                   \
    {                                                                                                 \
        uniform_##s(p, w, n, o);                                                                      \
        for (int64_t k = 0; k < n; k++) o[k] = 1 - o[k];                                              \
        log_##s(n, (void *const[]){o, o}, 0);                                                         \
        for (int64_t k = 0; k < n; k++) o[k] = 0 - o[k];                                              \
    }
NORMAL(float, f32, sqrtf)
NORMAL(double, f64, sqrt)

/* Products' upper words: of runs that may go on to the end of a vector. */
static void upper_words(const uint64_t *w, uint64_t range, int64_t n, uint64_t *o)
{
    for (int64_t k = 0; k < n; k += LANES) {
        lanes x;
        memcpy(&x, w + k, sizeof x);
        x = tb_lanes_product_high(x, range);
        memcpy(o + k, &x, sizeof x);
    }
}

static void integers_u32(void *const *p, const uint64_t *w, int64_t n, uint32_t *o)
{
    uint64_t upper[RUN + LANES];
    uint32_t top;
    memcpy(&top, p[3], sizeof top);
    for (int64_t k = 0; k < n; k += LANES) {
        lanes x;
        memcpy(&x, w + k, sizeof x);
        x = top < UINT32_MAX ? tb_lanes_product_high_32(x, top + 1) : x >> 32;
        memcpy(upper + k, &x, sizeof x);
    }
    for (int64_t k = 0; k < n; k++) o[k] = (uint32_t)upper[k];
}

static void integers_u64(void *const *p, const uint64_t *w, int64_t n, uint64_t *o)
{
    uint64_t upper[RUN + LANES], top;
    memcpy(&top, p[3], sizeof top);
    if (top < UINT64_MAX) upper_words(w, top + 1, n, upper);
    memcpy(o, top < UINT64_MAX ? upper : w, (size_t)n * sizeof *o);
}

/* The loop around a filler: `per` draws come from a block. Runs start at multiples of 4 and are trimmed. */
#define GENERATOR(T, name, per)                                                                       \
    static void name##_loop(int64_t n, void *const *p, int64_t index)                                 \
    {                                                                                                 \
        uint64_t w[RUN + SPARE];                                                                      \
        T draws[RUN], *o = p[0];                                                                      \
        for (int64_t done = 0, m; done < n; done += m) {                                              \
            const int64_t skip = (index + done) & 3, start = index + done - skip;                     \
            m = n - done < RUN - skip ? n - done : RUN - skip;                                        \
            const int64_t whole = (skip + m + 3) & ~(int64_t)3;                                       \
            words(p, (uint64_t)start / per, whole * 2 / per, w);                                      \
            if (m == whole) name(p, w, m, o + done);                                                  \
            else {                                                                                    \
                name(p, w, whole, draws);                                                             \
                memcpy(o + done, draws + skip, (size_t)m * sizeof(T));                                \
            }                                                                                         \
        }                                                                                             \
    }
GENERATOR(uint32_t, random_u32, 4)
GENERATOR(uint64_t, random_u64, 2)
GENERATOR(float, uniform_f32, 4)
GENERATOR(double, uniform_f64, 2)
GENERATOR(float, normal_f32, 4)
GENERATOR(double, normal_f64, 2)
GENERATOR(float, exponential_f32, 4)
GENERATOR(double, exponential_f64, 2)
GENERATOR(uint32_t, integers_u32, 2)
GENERATOR(uint64_t, integers_u64, 2)

/* Runs of the cipher over all that are not yet among the numbers. */
static void order_loop(int64_t n, void *const *p, int64_t index)
{
    uint32_t l[RUN], h[RUN], bits;
    int32_t at[RUN];
    uint64_t key, top;
    int64_t *o = p[0];
    memcpy(&key, p[1], sizeof key);
    memcpy(&top, p[2], sizeof top);
    memcpy(&bits, p[3], sizeof bits);
    const uint32_t low = bits / 2, high = bits - low, mask = 0xffffffffu >> (32 - low);
    for (int64_t done = 0, left; done < n; done += RUN) {
        left = n - done < RUN ? n - done : RUN;
        for (int32_t k = 0; k < left; k++) {
            const uint64_t x = tb_order_start(key, top, (uint64_t)(index + done + k));
            at[k] = k;
            l[k] = (uint32_t)x & mask;
            h[k] = (uint32_t)(x >> low);
        }
        while (left > 0) {
            int64_t more = 0;
            for (int64_t k = 0; k < left; k++) tb_order_cipher(key, low, high, &l[k], &h[k]);
            for (int64_t k = 0; k < left; k++) {
                const uint64_t x = (uint64_t)h[k] << low | l[k];
                o[done + at[k]] = (int64_t)x;
                at[more] = at[k];
                l[more] = l[k];
                h[more] = h[k];
                more += x > top;
            }
            left = more;
        }
    }
}

static tb_cpu_loop unary(const tb_cpu_loop *table, tb_op op, tb_dtype t) { return table[tb__loop_find(op, 1, &t)]; }

static void put(tb_cpu_loop *table, tb_op op, int nin, tb_dtype third, tb_cpu_loop loop)
{
    const tb_dtype in[3] = {TB_U64, TB_U64, third};
    table[tb__loop_find(op, nin, in)] = loop;
}

void TB_ISA_NAME(tb__random_, TB_ISA)(tb_cpu_loop *table)
{
    log_f32 = unary(table, TB_OP_log, TB_F32);
    sin_f32 = unary(table, TB_OP_sin, TB_F32);
    cos_f32 = unary(table, TB_OP_cos, TB_F32);
    log_f64 = unary(table, TB_OP_log, TB_F64);
    sin_f64 = unary(table, TB_OP_sin, TB_F64);
    cos_f64 = unary(table, TB_OP_cos, TB_F64);
    put(table, TB_OP_random_u32, 2, TB_BOOL, random_u32_loop);
    put(table, TB_OP_random_u64, 2, TB_BOOL, random_u64_loop);
    put(table, TB_OP_uniform_f32, 2, TB_BOOL, uniform_f32_loop);
    put(table, TB_OP_uniform_f64, 2, TB_BOOL, uniform_f64_loop);
    put(table, TB_OP_normal_f32, 2, TB_BOOL, normal_f32_loop);
    put(table, TB_OP_normal_f64, 2, TB_BOOL, normal_f64_loop);
    put(table, TB_OP_exponential_f32, 2, TB_BOOL, exponential_f32_loop);
    put(table, TB_OP_exponential_f64, 2, TB_BOOL, exponential_f64_loop);
    put(table, TB_OP_integers_u32, 3, TB_U32, integers_u32_loop);
    put(table, TB_OP_integers_u64, 3, TB_U64, integers_u64_loop);
    put(table, TB_OP_order, 3, TB_U32, order_loop);
}
