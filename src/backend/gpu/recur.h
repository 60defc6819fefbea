/* recur.h - inside src/backend/gpu: what elements make of a filter's states. */
#ifndef TB_BACKEND_GPU_RECUR_H
#define TB_BACKEND_GPU_RECUR_H
#include "backend/gpu/gpu.h"

enum { TB_RECUR_STATES = 32, TB_RECUR_DOUBLINGS = 40 };

/* Matrices (states, states), of complex numbers two doubles each: what 1 << i elements make of states, for i from 0 to
 * count - 1. Those of more elements are nothing, or rows are not that long. */
typedef struct tb_recur_powers {
    double *memory; /* the owner frees it, also after a failure */
    size_t size;    /* doubles of a matrix */
    int count;
    double largest[TB_RECUR_DOUBLINGS]; /* element; NaN where one is */
} tb_recur_powers;
tb_status tb__recur_powers(const tb_recur *r, tb_recur_powers *out);

/* Whether a state that begins as 1 is below 1e4 after the first elements of a row, and no more than swings before: the
 * sections of a sharp filter amplify what others weaken. What stays small for so long either dies away, or grows so
 * slowly that errors do not matter. */
bool tb__recur_stays_small(const tb_recur_powers *p, int64_t n);
#endif
