/* rows.h - the rows of a plan one after the other: all of its dimensions but the last, and where each of up to three
 * operands is at a row's first point. */
#ifndef TB_BACKEND_CPU_PLANS_ROWS_H
#define TB_BACKEND_CPU_PLANS_ROWS_H
#include <stdint.h>

#include "plan/plan.h"

typedef struct tb_rows {
    const tb_plan *plan;
    int n; /* operands */
    char *at[3];
    const int64_t *strides[3];
    int64_t place[TB_MAXDIM];
} tb_rows;

/* One operand more; what is read is not written, though it is kept in the same way. */
static inline void tb__rows_add(tb_rows *r, const char *at, const int64_t *strides)
{
    r->at[r->n] = (char *)(uintptr_t)at;
    r->strides[r->n++] = strides;
}

static inline void tb__rows_move(tb_rows *r, int d, int64_t steps)
{
    for (int k = 0; k < r->n; k++) r->at[k] += steps * r->strides[k][d];
}

/* From the first row, where `at` is. */
static inline void tb__rows_find(tb_rows *r, int64_t row)
{
    for (int d = r->plan->ndim - 2; d >= 0; d--) {
        r->place[d] = row % r->plan->shape[d];
        row /= r->plan->shape[d];
        tb__rows_move(r, d, r->place[d]);
    }
}

static inline void tb__rows_next(tb_rows *r)
{
    for (int d = r->plan->ndim - 2; d >= 0; d--) {
        tb__rows_move(r, d, 1);
        if (++r->place[d] < r->plan->shape[d]) return;
        tb__rows_move(r, d, -r->place[d]);
        r->place[d] = 0;
    }
}

/* How many rows there are from here on along the last but one dimension, and on to the one after n of them. */
static inline int64_t tb__rows_left(const tb_rows *r)
{
    const int d = r->plan->ndim - 2;
    return r->plan->shape[d] - r->place[d];
}

static inline void tb__rows_skip(tb_rows *r, int64_t n)
{
    const int d = r->plan->ndim - 2;
    tb__rows_move(r, d, n - 1);
    r->place[d] += n - 1;
    tb__rows_next(r);
}
#endif
