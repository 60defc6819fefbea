/* arith.h - arithmetic of sizes. */
#ifndef TB_BASE_ARITH_H
#define TB_BASE_ARITH_H
#include <stdint.h>

static inline int64_t tb__min(int64_t a, int64_t b) { return a < b ? a : b; }
static inline int64_t tb__max(int64_t a, int64_t b) { return a > b ? a : b; }
static inline int64_t tb__ceil_div(int64_t a, int64_t b) { return (a + b - 1) / b; }
/* The largest power of two that is not above x; x >= 1. */
static inline int64_t tb__floor_pow2(int64_t x) { return (int64_t)1 << (63 - __builtin_clzll((unsigned long long)x)); }
#endif
