/* two_sided.c - sums of exponentials to either side along an axis: for each pole a recursion forwards and one backwards
 * (M. Unser, Splines: a perfect fit for signal and image processing, IEEE Signal Processing Magazine 16, 1999), for
 * some lines at a time. */
#include <math.h>
#include <string.h>

#include "backend/cpu/loops/loops.h"
#include "backend/cpu/plans/plans.h"
#include "base/error.h"
#include "tables/loops.h"

enum { LANES = 8, TASK_ELEMENTS = 1 << 14, MOST_TERMS = 100, LONGEST = 1 << 13 };

typedef struct sums_job {
    const tb_two_sided *t;
    int64_t lines, groups; /* in all; of a task */
    int lanes;
} sums_job;

#define FOR_LANES static inline __attribute__((always_inline))

/* The sum of z^k times the element k steps from number i on, k > 0, which is beyond the edges: until no rounding sees a
 * term. */
FOR_LANES void sum_beyond(const tb_two_sided *t, int lanes, double z, const double *x, int64_t i, int step, double *sum)
{
    double power = z;
    for (int l = 0; l < lanes; l++) sum[l] = 0;
    for (int k = 0; k < MOST_TERMS && fabs(power) > 1e-18; k++, power *= z) {
        i += step;
        const double *from = x + tb__cpu_folded(i, t->n, t->edge) * lanes;
        for (int l = 0; l < lanes; l++) sum[l] += power * from[l];
    }
}

/* y += weight * the sums of x for a pole: of the elements up to each one, and of those behind it. Both ways at once, so
 * that neither waits for the other. */
FOR_LANES void add_pole(const tb_two_sided *t, int lanes, double z, double weight, const double *x, double *y)
{
    double before[LANES], behind[LANES]; /* of what comes before an element, or behind it, as it counts there */
    sum_beyond(t, lanes, z, x, 0, -1, before);
    sum_beyond(t, lanes, z, x, t->n - 1, 1, behind);
    for (int64_t i = 0, k = (t->n - 1) * lanes; k >= 0; i += lanes, k -= lanes) {
        for (int l = 0; l < lanes; l++) {
            const double all = x[i + l] + before[l];
            y[i + l] += weight * all;
            before[l] = z * all;
        }
        for (int l = 0; l < lanes; l++) {
            y[k + l] += weight * behind[l];
            behind[l] = z * (x[k + l] + behind[l]);
        }
    }
}

/* So many lines from one on, or as many as are left; what stands for others is not stored. */
FOR_LANES void sum_group(const sums_job *j, int lanes, int64_t first, double *x)
{
    const tb_two_sided *t = j->t;
    const int64_t count = tb__min(lanes, j->lines - first);
    double *y = x + t->n * lanes, *line[LANES];
    for (int l = 0; l < lanes; l++) {
        const int64_t number = first + tb__min(l, count - 1);
        line[l] = t->y + number / t->inner * t->n * t->inner + number % t->inner;
    }
    for (int64_t i = 0; i < t->n; i++)
        for (int l = 0; l < lanes; l++) x[i * lanes + l] = line[l][i * t->inner];
    memset(y, 0, (size_t)(t->n * lanes) * sizeof *y);
    for (int p = 0; p < t->poles; p++) add_pole(t, lanes, t->pole[p], t->weight[p], x, y);
    for (int64_t i = 0; i < t->n; i++)
        for (int64_t l = 0; l < count; l++) line[l][i * t->inner] = y[i * lanes + l];
}

static bool sums_task(void *arg, int64_t task)
{
    const sums_job *j = arg;
    double *room = tb__scratch(2 * (size_t)(j->t->n * j->lanes) * sizeof *room);
    if (!room) return false;
    for (int64_t g = task * j->groups; g < (task + 1) * j->groups && g * j->lanes < j->lines; g++) {
        if (j->lanes == 1) sum_group(j, 1, g, room);
        else sum_group(j, LANES, g * LANES, room);
    }
    return true;
}

tb_status tb__cpu_two_sided(const tb_two_sided *t)
{
    const int64_t n = t->outer * t->n * t->inner;
    sums_job j = {.t = t, .lines = t->outer * t->inner};
    j.lanes = j.lines == 1 ? 1 : LANES;
    j.groups = tb__max(TASK_ELEMENTS / (t->n * j.lanes), 1);
    if (t->n > LONGEST)
        return tb__fail(TB_ERR_NOT_IMPLEMENTED, "two_sided_sums: lines of %lld elements are composed of recurrences",
                        (long long)t->n);
    if (t->dtype == TB_F64) memcpy(t->y, t->x, (size_t)n * sizeof *t->y);
    else tb__cpu_loops()[tb__cast_loop(t->dtype, TB_F64)](n, (void *[]){t->y, (void *)t->x}, 0);
    return tb__parallel(tb__ceil_div(j.lines, j.groups * j.lanes), sums_task, &j);
}
