/* two_sided.c - sums of exponentials to either side along an axis: for each pole a recursion forwards and one backwards
 * (M. Unser, Splines: a perfect fit for signal and image processing, IEEE Signal Processing Magazine 16, 1999), for
 * some lines at a time. */
#include <math.h>
#include <string.h>

#include "backend/cpu/loops/loops.h"
#include "backend/cpu/plans/plans.h"
#include "base/error.h"
#include "tables/loops.h"

enum { LANES = 8, TASK_ELEMENTS = 1 << 14, MOST_TERMS = 100, LONGEST = 1 << 13, LEAST_PARTS = 128 };

typedef struct sums_job {
    const tb_two_sided *t;
    int64_t lines, groups; /* in all; of a task */
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

/* The same from number i[l] of one line on, for each l. */
static void sum_beyond_parts(const tb_two_sided *t, double z, const int64_t *i, int step, double *sum)
{
    double power = z;
    for (int l = 0; l < LANES; l++) sum[l] = 0;
    for (int k = 1; k <= MOST_TERMS && fabs(power) > 1e-18; k++, power *= z)
        for (int l = 0; l < LANES; l++) {
            const int64_t at = i[l] + k * step;
            sum[l] += power * t->y[at >= 0 && at < t->n ? at : tb__cpu_folded(at, t->n, t->edge)];
        }
}

/* y += weight * the sums of x for a pole: of the elements up to each one, and of those behind it. Both ways at once, so
 * that neither waits for the other. before, behind: the sums of what is beyond the ends, as they count there. */
FOR_LANES void add_pole(int64_t n, int lanes, double z, double weight, const double *x, double *y, double *before,
                        double *behind)
{
    for (int64_t i = 0, k = (n - 1) * lanes; k >= 0; i += lanes, k -= lanes) {
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
    double *y = x + t->n * lanes, *line[LANES], before[LANES], behind[LANES];
    for (int l = 0; l < lanes; l++) {
        const int64_t number = first + tb__min(l, count - 1);
        line[l] = t->y + number / t->inner * t->n * t->inner + number % t->inner;
    }
    for (int64_t i = 0; i < t->n; i++)
        for (int l = 0; l < lanes; l++) x[i * lanes + l] = line[l][i * t->inner];
    memset(y, 0, (size_t)(t->n * lanes) * sizeof *y);
    for (int p = 0; p < t->poles; p++) {
        sum_beyond(t, lanes, t->pole[p], x, 0, -1, before);
        sum_beyond(t, lanes, t->pole[p], x, t->n - 1, 1, behind);
        add_pole(t->n, lanes, t->pole[p], t->weight[p], x, y, before, behind);
    }
    for (int64_t i = 0; i < t->n; i++)
        for (int64_t l = 0; l < count; l++) line[l][i * t->inner] = y[i * lanes + l];
}

/* One line, whose parts are as many lines that go on in each other: of what they share both have the same. */
static void sum_parts(const tb_two_sided *t, double *x)
{
    const int64_t m = tb__ceil_div(t->n, LANES);
    int64_t first[LANES], last[LANES];
    double *y = x + m * LANES, before[LANES], behind[LANES];
    for (int l = 0; l < LANES; l++) {
        first[l] = tb__min(l * m, t->n - m);
        last[l] = first[l] + m - 1;
    }
    for (int64_t i = 0; i < m; i++)
        for (int l = 0; l < LANES; l++) x[i * LANES + l] = t->y[first[l] + i];
    memset(y, 0, (size_t)(m * LANES) * sizeof *y);
    for (int p = 0; p < t->poles; p++) {
        sum_beyond_parts(t, t->pole[p], first, -1, before);
        sum_beyond_parts(t, t->pole[p], last, 1, behind);
        add_pole(m, LANES, t->pole[p], t->weight[p], x, y, before, behind);
    }
    for (int64_t i = 0; i < m; i++)
        for (int l = 0; l < LANES; l++) t->y[first[l] + i] = y[i * LANES + l];
}

static bool sums_task(void *arg, int64_t task)
{
    const sums_job *j = arg;
    double *room = tb__scratch(2 * (size_t)((j->t->n + 1) * LANES) * sizeof *room);
    if (!room) return false;
    if (j->lines == 1 && j->t->n >= LEAST_PARTS) {
        sum_parts(j->t, room);
        return true;
    }
    for (int64_t g = task * j->groups; g < (task + 1) * j->groups && g * LANES < j->lines; g++) {
        if (j->lines == 1) sum_group(j, 1, g, room);
        else sum_group(j, LANES, g * LANES, room);
    }
    return true;
}

tb_status tb__cpu_two_sided(const tb_two_sided *t)
{
    const int64_t n = t->outer * t->n * t->inner;
    sums_job j = {.t = t, .lines = t->outer * t->inner};
    j.groups = tb__max(TASK_ELEMENTS / (t->n * LANES), 1);
    if (t->n > LONGEST)
        return tb__fail(TB_ERR_NOT_IMPLEMENTED, "two_sided_sums: lines of %lld elements are composed of recurrences",
                        (long long)t->n);
    if (t->dtype == TB_F64) memcpy(t->y, t->x, (size_t)n * sizeof *t->y);
    else tb__cpu_loops()[tb__cast_loop(t->dtype, TB_F64)](n, (void *[]){t->y, (void *)t->x}, 0);
    return tb__parallel(tb__ceil_div(j.lines, j.groups * LANES), sums_task, &j);
}
