/* recur.h - inside src/backend/gpu: what elements make of the states of a filter's sections. */
#ifndef TB_BACKEND_GPU_RECUR_H
#define TB_BACKEND_GPU_RECUR_H
#include "backend/gpu/gpu.h"

enum { TB_RECUR_STATES = 32, TB_RECUR_DOUBLINGS = 40, TB_RECUR_TIMES = 33 };

/* Matrices (sections, order, order), of complex numbers two each: what 1 << i elements make of states, for i from 0 to
 * count - 1. Those of more elements are nothing, or rows are not that long. A product of matrices has an error of the
 * square of their elements: where these are large, numbers are as long as the host has them. */
typedef struct tb_recur_powers {
    void *memory; /* double, or if `exact` long double; the owner frees it, also after a failure */
    int sections, order, parts;
    size_t size; /* numbers of the matrices of all sections */
    int count;
    bool exact;
    double largest[TB_RECUR_DOUBLINGS]; /* element; NaN where one is */
} tb_recur_powers;
tb_status tb__recur_powers(const tb_recur *r, tb_recur_powers *out);

/* Whether a state that begins as 1 is below 1e4 after the first elements of a row, and not much more before. What stays
 * small for so long either dies away, or grows so slowly that errors do not matter. */
bool tb__recur_stays_small(const tb_recur_powers *p, int64_t n);

/* What i << doubling elements make of states, i from 0 to TB_RECUR_TIMES - 1: (sections, order, order, i). */
void tb__recur_multiples(const tb_recur_powers *p, int doubling, double *out);
#endif
