/* sort_loops.h - sorting signed integers of 32 and 64 bits in place, and floats that are plain, whose comparisons take
 * less time; compiled once for each instruction set. Every other order is one of such integers (plans/sort.c).
 *
 * Plain floats are no NaN, no zero with a sign, and of normal magnitude: two of them are equal only if their bits are,
 * however the processor is set to treat small numbers. */
#ifndef TB_BACKEND_CPU_LOOPS_SORT_LOOPS_H
#define TB_BACKEND_CPU_LOOPS_SORT_LOOPS_H
#include <stdbool.h>
#include <stdint.h>

#include "backend/cpu/loops/isa.h"
#include "tombac/tombac.h"

typedef struct tb_sort_loops {
    void (*sort_32)(int32_t *x, int64_t n);
    void (*sort_64)(int64_t *x, int64_t n);
    void (*sort_f32)(float *x, int64_t n);
    void (*sort_f64)(double *x, int64_t n);
    /* Whether they are in order: of most others that is seen at once. */
    bool (*in_order_32)(const int32_t *x, int64_t n);
    bool (*in_order_64)(const int64_t *x, int64_t n);
    bool (*in_order_f32)(const float *x, int64_t n);
    bool (*in_order_f64)(const double *x, int64_t n);
    /* Brings what is less than the others to the front, and returns how many these are. *same: they are all equal, and
     * may be all there are. */
    int64_t (*split_32)(int32_t *x, int64_t n, bool *same);
    int64_t (*split_64)(int64_t *x, int64_t n, bool *same);
    int64_t (*split_f32)(float *x, int64_t n, bool *same);
    int64_t (*split_f64)(double *x, int64_t n, bool *same);
    /* Brings what is less than the pivot to the front, and returns how many these are. */
    int64_t (*part_32)(int32_t *x, int64_t n, int32_t pivot);
    int64_t (*part_64)(int64_t *x, int64_t n, int64_t pivot);
    int64_t (*part_f32)(float *x, int64_t n, float pivot);
    int64_t (*part_f64)(double *x, int64_t n, double pivot);
    /* Brings to n positions, in ascending order, what sorting puts there; what is less comes before it, what is more
     * behind it. */
    void (*select_32)(int32_t *x, int64_t n, const int64_t *kth, int64_t nkth);
    void (*select_64)(int64_t *x, int64_t n, const int64_t *kth, int64_t nkth);
    /* What is from `least` to `most`, to `to`, where a vector more may be written; returns how many these are.
     * *below: how many are less than `least`. */
    int64_t (*between_32)(const int32_t *x, int64_t n, int32_t least, int32_t most, int32_t *to, int64_t *below);
    int64_t (*between_64)(const int64_t *x, int64_t n, int64_t least, int64_t most, int64_t *to, int64_t *below);
    /* The positions of these, counted from `first`, in the same way. */
    int64_t (*places_32)(const int32_t *x, int64_t n, int32_t least, int32_t most, int64_t first, int64_t *to);
    int64_t (*places_64)(const int64_t *x, int64_t n, int64_t least, int64_t most, int64_t first, int64_t *to);
    /* How many are less than the pivot. */
    int64_t (*less_32)(const int32_t *x, int64_t n, int32_t pivot);
    int64_t (*less_64)(const int64_t *x, int64_t n, int64_t pivot);
    /* How many are each of some values, up to TB_SORT_FEW, is added to count; returns how many are any of them. */
    int64_t (*count_32)(const int32_t *x, int64_t n, const int32_t *value, int nvalue, int64_t *count);
    int64_t (*count_64)(const int64_t *x, int64_t n, const int64_t *value, int nvalue, int64_t *count);
    /* Which of them, in ascending order, each of up to 512 is. */
    void (*which_32)(const int32_t *x, int64_t n, const int32_t *value, int nvalue, uint8_t *which);
    void (*which_64)(const int64_t *x, int64_t n, const int64_t *value, int nvalue, uint8_t *which);
    /* The keys of n elements of a real dtype of up to 4 bytes, or of 8. Zeros of both signs have one key if `ties`, so
     * that equal elements have equal keys, and two if not, so that keys are elements. key may be in. */
    void (*keys_32)(tb_dtype t, const void *in, int64_t n, bool ties, int32_t *key);
    void (*keys_64)(tb_dtype t, const void *in, int64_t n, bool ties, int64_t *key);
    /* Whether all n floats are plain. */
    bool (*plain_32)(const void *in, int64_t n);
    bool (*plain_64)(const void *in, int64_t n);
    /* The elements whose keys these are (not `ties`); out may be key. */
    void (*elements_32)(tb_dtype t, const int32_t *key, int64_t n, void *out);
    void (*elements_64)(tb_dtype t, const int64_t *key, int64_t n, void *out);
} tb_sort_loops;

enum { TB_SORT_FEW = 32 };

/* Of the best instruction set that the machine has. */
const tb_sort_loops *tb__sort_loops(void);
TB_ISA_EXTERN(const tb_sort_loops, tb__sort_loops_, )
#endif
