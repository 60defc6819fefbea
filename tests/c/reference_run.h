/* reference_run.h - the plainest way to run a plan, point by point, for comparison with generated kernels. C++; the
 * callables are made from the same expressions as the kernel's. */
#ifndef TB_TESTS_REFERENCE_RUN_H
#define TB_TESTS_REFERENCE_RUN_H
#include "plan/plan.h"

static inline int64_t offset_of(const tb_plan *p, const int64_t *strides, const int64_t *at)
{
    int64_t offset = 0;
    for (int d = 0; d < p->ndim; d++) offset += strides[d] * at[d];
    return offset;
}

static inline int64_t point_of(const tb_plan *p, const int64_t *at)
{
    int64_t point = 0;
    for (int d = 0; d < p->ndim; d++) point = point * p->shape[d] + at[d];
    return point;
}

/* The next coordinates in C order among the dimensions in `mask`; false after the last, when they are all 0 again. */
static inline bool next_point(const tb_plan *p, uint32_t mask, int64_t *at)
{
    for (int d = p->ndim; d-- > 0;) {
        if (!(mask >> d & 1)) continue;
        if (++at[d] < p->shape[d]) return true;
        at[d] = 0;
    }
    return false;
}

template <class F> static void reference_map(const tb_plan *p, F point)
{
    int64_t at[TB_MAXDIM] = {0};
    do point(p, at, point_of(p, at));
    while (next_point(p, ~0u, at));
}

/* Walks along the dimensions in `walked` for each point of the others. */
template <class ACC, class INIT, class VALUE, class STEP, class EACH, class LAST>
static void reference_walk(const tb_plan *p, uint32_t walked, INIT init, VALUE value, STEP step, EACH each, LAST last)
{
    int64_t at[TB_MAXDIM] = {0};
    do {
        ACC s = init();
        int64_t position = 0;
        int64_t start[TB_MAXDIM];
        memcpy(start, at, sizeof at);
        do {
            step(s, value(p, at, point_of(p, at)), position++);
            each(p, at, s);
        } while (next_point(p, walked, at));
        last(p, start, s);
    } while (next_point(p, ~walked, at));
}
#endif
