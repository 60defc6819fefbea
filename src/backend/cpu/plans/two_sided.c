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

typedef double lanes[LANES];

typedef struct sums_job {
    const tb_two_sided *t;
    int64_t lines, groups; /* in all; of LANES lines in a task */
} sums_job;

/* The sum of z^k times the element k steps from number i on, k > 0, which is beyond the edges: until no rounding sees a
 * term. */
static void sum_beyond(const tb_two_sided *t, double z, const lanes *x, int64_t i, int step, double *sum)
{
    double power = z;
    for (int l = 0; l < LANES; l++) sum[l] = 0;
    for (int k = 0; k < MOST_TERMS && fabs(power) > 1e-18; k++, power *= z) {
        i += step;
        const double *from = x[tb__cpu_folded(i, t->n, t->edge)];
        for (int l = 0; l < LANES; l++) sum[l] += power * from[l];
    }
}

/* y += weight * the sums of x for a pole: of the elements up to each one, and of those behind it. */
static void add_pole(const tb_two_sided *t, double z, double weight, const lanes *x, lanes *y)
{
    lanes sum; /* of what comes before an element, as it counts there */
    sum_beyond(t, z, x, 0, -1, sum);
    for (int64_t i = 0; i < t->n; i++)
        for (int l = 0; l < LANES; l++) {
            const double all = x[i][l] + sum[l];
            y[i][l] += weight * all;
            sum[l] = z * all;
        }
    sum_beyond(t, z, x, t->n - 1, 1, sum);
    for (int64_t i = t->n; i-- > 0;)
        for (int l = 0; l < LANES; l++) {
            y[i][l] += weight * sum[l];
            sum[l] = z * (x[i][l] + sum[l]);
        }
}

/* LANES lines, or as many as are left; what stands for others is not stored. */
static bool sums_task(void *arg, int64_t task)
{
    const sums_job *j = arg;
    const tb_two_sided *t = j->t;
    lanes *x = tb__scratch(2 * (size_t)t->n * sizeof *x), *y = x + t->n;
    if (!x) return false;
    for (int64_t g = task * j->groups; g < (task + 1) * j->groups && g * LANES < j->lines; g++) {
        const int64_t count = tb__min(LANES, j->lines - g * LANES);
        double *line[LANES];
        for (int64_t l = 0; l < LANES; l++) {
            const int64_t number = g * LANES + tb__min(l, count - 1);
            line[l] = t->y + number / t->inner * t->n * t->inner + number % t->inner;
        }
        for (int64_t i = 0; i < t->n; i++)
            for (int l = 0; l < LANES; l++) x[i][l] = line[l][i * t->inner];
        memset(y, 0, (size_t)t->n * sizeof *y);
        for (int p = 0; p < t->poles; p++) add_pole(t, t->pole[p], t->weight[p], (const lanes *)x, y);
        for (int64_t i = 0; i < t->n; i++)
            for (int64_t l = 0; l < count; l++) line[l][i * t->inner] = y[i][l];
    }
    return true;
}

tb_status tb__cpu_two_sided(const tb_two_sided *t)
{
    const int64_t n = t->outer * t->n * t->inner;
    sums_job j = {.t = t, .lines = t->outer * t->inner, .groups = tb__max(TASK_ELEMENTS / (t->n * LANES), 1)};
    if (t->n > LONGEST)
        return tb__fail(TB_ERR_NOT_IMPLEMENTED, "two_sided_sums: lines of %lld elements are composed of recurrences",
                        (long long)t->n);
    if (t->dtype == TB_F64) memcpy(t->y, t->x, (size_t)n * sizeof *t->y);
    else tb__cpu_loops()[tb__cast_loop(t->dtype, TB_F64)](n, (void *[]){t->y, (void *)t->x}, 0);
    return tb__parallel(tb__ceil_div(j.lines, j.groups * LANES), sums_task, &j);
}
