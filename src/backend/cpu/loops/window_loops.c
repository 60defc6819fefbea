/* window_loops.c - see window_loops.h. Neighbours among the results are lanes, so that each is summed up in the same
 * order with any instruction set. */
#include "backend/cpu/loops/window_loops.h"
#include "backend/cpu/loops/loops.h"

#if defined(__AVX512F__)
#define BYTES 64
#elif defined(__AVX__)
#define BYTES 32
#else
#define BYTES 16
#endif

#ifdef __clang__
#define UNROLL _Pragma("unroll")
#else
#define UNROLL _Pragma("GCC unroll 8")
#endif

enum { WIDTH = 6, LANES = BYTES / sizeof(double), TILE = WIDTH * LANES };

typedef double vec __attribute__((vector_size(BYTES)));
typedef double any __attribute__((vector_size(BYTES), aligned(sizeof(double)), may_alias));

static inline vec load(const double *x) { return *(const any *)(const void *)x; }
static inline void save(double *x, vec v) { *(any *)(void *)x = v; }

/* Where the tile after one begins: the last of n results' goes back over some that are there already, and makes the
 * same. */
static inline int64_t next_tile(int64_t i, int64_t n) { return i + TILE < n && i + 2 * TILE > n ? n - TILE : i + TILE; }

static void sum(const double *x, int64_t count, const int64_t *at, const double *w, int64_t n, double *out)
{
    int64_t i = 0;
    for (; i + TILE <= n; i = next_tile(i, n)) {
        vec total[WIDTH];
        UNROLL for (int v = 0; v < WIDTH; v++) total[v] = load(x + at[0] + i + v * LANES) * w[0];
        for (int64_t k = 1; k < count; k++)
            UNROLL for (int v = 0; v < WIDTH; v++) total[v] += load(x + at[k] + i + v * LANES) * w[k];
        UNROLL for (int v = 0; v < WIDTH; v++) save(out + i + v * LANES, total[v]);
    }
    for (; i + LANES <= n; i += LANES) {
        vec total = load(x + at[0] + i) * w[0];
        for (int64_t k = 1; k < count; k++) total += load(x + at[k] + i) * w[k];
        save(out + i, total);
    }
    for (; i < n; i++) {
        double total = x[at[0] + i] * w[0];
        for (int64_t k = 1; k < count; k++) total += x[at[k] + i] * w[k];
        out[i] = total;
    }
}

static void pairs(const double *x, int64_t count, const int64_t *at, const double *w, double sign, int64_t n,
                  double *out)
{
    const int64_t middle = count / 2;
    int64_t i = 0;
    for (; i + TILE <= n; i = next_tile(i, n)) {
        vec total[WIDTH];
        UNROLL for (int v = 0; v < WIDTH; v++) total[v] = load(x + at[middle] + i + v * LANES) * w[middle];
        for (int64_t k = 0; k < middle; k++) {
            const double *near = x + at[k] + i, *far = x + at[count - 1 - k] + i;
            UNROLL for (int v = 0; v < WIDTH; v++) total[v] +=
                (load(near + v * LANES) + sign * load(far + v * LANES)) * w[k];
        }
        UNROLL for (int v = 0; v < WIDTH; v++) save(out + i + v * LANES, total[v]);
    }
    for (; i + LANES <= n; i += LANES) {
        vec total = load(x + at[middle] + i) * w[middle];
        for (int64_t k = 0; k < middle; k++)
            total += (load(x + at[k] + i) + sign * load(x + at[count - 1 - k] + i)) * w[k];
        save(out + i, total);
    }
    for (; i < n; i++) {
        double total = x[at[middle] + i] * w[middle];
        for (int64_t k = 0; k < middle; k++) total += (x[at[k] + i] + sign * x[at[count - 1 - k] + i]) * w[k];
        out[i] = total;
    }
}

static void mean(const double *x, int64_t count, const int64_t *at, double divisor, int64_t n, double *out)
{
    int64_t i = 0;
    for (; i + TILE <= n; i = next_tile(i, n)) {
        vec total[WIDTH];
        UNROLL for (int v = 0; v < WIDTH; v++) total[v] = load(x + at[0] + i + v * LANES);
        for (int64_t k = 1; k < count; k++)
            UNROLL for (int v = 0; v < WIDTH; v++) total[v] += load(x + at[k] + i + v * LANES);
        UNROLL for (int v = 0; v < WIDTH; v++) save(out + i + v * LANES, total[v] / divisor);
    }
    for (; i + LANES <= n; i += LANES) {
        vec total = load(x + at[0] + i);
        for (int64_t k = 1; k < count; k++) total += load(x + at[k] + i);
        save(out + i, total / divisor);
    }
    for (; i < n; i++) {
        double total = x[at[0] + i];
        for (int64_t k = 1; k < count; k++) total += x[at[k] + i];
        out[i] = total / divisor;
    }
}

/* The bit that is set k bits after the first one from p on; there is one. */
static int64_t bit_from(const uint64_t *bits, int64_t p, int64_t k)
{
    int64_t i = p / 64, n;
    uint64_t word = bits[i] & UINT64_MAX << (p & 63);
    for (; k >= (n = __builtin_popcountll(word)); k -= n) word = bits[++i];
    for (; k > 0; k--) word &= word - 1;
    return i * 64 + __builtin_ctzll(word);
}

/* The same before p and back from there. */
static int64_t bit_before(const uint64_t *bits, int64_t p, int64_t k)
{
    int64_t i = p / 64, n;
    uint64_t word = bits[i] & (((uint64_t)1 << (p & 63)) - 1);
    for (; k >= (n = __builtin_popcountll(word)); k -= n) word = bits[--i];
    for (; k > 0; k--) word ^= (uint64_t)1 << (63 - __builtin_clzll(word));
    return i * 64 + 63 - __builtin_clzll(word);
}

static void ranked(const int32_t *number, int64_t nrun, const tb_window_run *run, int64_t step, int64_t rank,
                   uint64_t *bits, int64_t n, int32_t *out)
{
    for (int64_t r = 0; r < nrun; r++)
        for (int64_t k = 0; k < run[r].n; k++) {
            const int32_t x = number[run[r].at + k * step];
            bits[x / 64] |= (uint64_t)1 << (x & 63);
        }
    int64_t p = bit_from(bits, 0, rank);
    *out++ = (int32_t)p;
    for (int64_t i = 1; i < n; i++, number += step) {
        int64_t less = rank;
        for (int64_t r = 0; r < nrun; r++) {
            const int32_t gone = number[run[r].at], come = number[run[r].at + run[r].n * step];
            bits[gone / 64] ^= (uint64_t)1 << (gone & 63);
            bits[come / 64] ^= (uint64_t)1 << (come & 63);
            less += (come < p) - (gone < p);
        }
        p = less > rank ? bit_before(bits, p, less - rank - 1) : bit_from(bits, p, rank - less);
        *out++ = (int32_t)p;
    }
}

extern const tb_window_loops TB_ISA_NAME(tb__window_loops_, TB_ISA);
const tb_window_loops TB_ISA_NAME(tb__window_loops_, TB_ISA) = {sum, pairs, mean, ranked};
