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

extern const tb_window_loops TB_ISA_NAME(tb__window_loops_, TB_ISA);
const tb_window_loops TB_ISA_NAME(tb__window_loops_, TB_ISA) = {sum, pairs, mean};
