/* slices.c - reductions of slices of an axis, each of a length of its own, by the loops of reduce_loops.h:
 *
 *   lines  the axis is innermost: each slice is a line; those of one length that lie side by side go together
 *   rows   other dimensions are inside of it: the rows of a slice are added to an array of accumulators */
#include "backend/cpu/plans/plans.h"
#include "backend/cpu/loops/reduce_loops.h"

enum {
    TASK_POINTS = 32768,
    GROUP = 1024, /* slices of a task at most */
    STRIP = 4096, /* columns of a task at most */
};

typedef struct slices {
    const tb_slices *of;
    const tb_red_loops *loops;
    int64_t item, out_item;
    int64_t group, groups, strips; /* slices to a task; tasks along the slices and the columns */
} slices;

static int64_t length_of(const tb_slices *s, int64_t i)
{
    const int64_t end = i + 1 < s->n ? s->start[i + 1] : s->length;
    return tb__max(end - s->start[i], 1);
}

static void fold_lines(const slices *j, int64_t outer, int64_t first, int64_t end, char *acc)
{
    const tb_slices *s = j->of;
    const char *in = (const char *)s->in + outer * s->length * j->item;
    for (int64_t i = first, next; i < end; i = next) {
        const int64_t n = length_of(s, i);
        for (next = i + 1; next < end && s->start[next] == s->start[next - 1] + n && length_of(s, next) == n;) next++;
        j->loops->lines(next - i, n, in + s->start[i] * j->item, n * j->item, acc + (i - first) * j->loops->acc, 0);
    }
    j->loops->final(end - first, acc, (char *)s->out + (outer * s->n + first) * j->out_item, 1);
}

static void fold_rows(const slices *j, int64_t outer, int64_t first, int64_t end, int64_t column, char *acc)
{
    const tb_slices *s = j->of;
    const int64_t width = tb__min(STRIP, s->inner - column), stride = s->inner * j->item;
    const char *in = (const char *)s->in + outer * s->length * stride + column * j->item;
    char *out = (char *)s->out + (outer * s->n * s->inner + column) * j->out_item;
    for (int64_t i = first; i < end; i++) {
        j->loops->init(width, acc);
        j->loops->rows(length_of(s, i), width, in + s->start[i] * stride, stride, acc, 0);
        j->loops->final(width, acc, out + i * s->inner * j->out_item, 1);
    }
}

static bool fold_task(void *arg, int64_t task)
{
    const slices *j = arg;
    const int64_t strip = task % j->strips, group = task / j->strips % j->groups, outer = task / j->strips / j->groups;
    const int64_t first = group * j->group, end = tb__min(first + j->group, j->of->n);
    const bool lines = j->of->inner == 1;
    char *acc = tb__scratch((size_t)(lines ? GROUP : STRIP) * (size_t)j->loops->acc);
    if (!acc) return false;
    if (lines) fold_lines(j, outer, first, end, acc);
    else fold_rows(j, outer, first, end, strip * STRIP, acc);
    return true;
}

tb_status tb__cpu_reduce_slices(const tb_slices *s)
{
    slices j = {.of = s, .loops = &tb__cpu_red_loops()[s->red]};
    const int64_t points = tb__max(s->length / s->n * tb__min(s->inner, STRIP), 1); /* of a slice, about */
    j.item = (int64_t)tb_dtype_size((tb_dtype)tb_red_table[s->red].in);
    j.out_item = (int64_t)tb_dtype_size((tb_dtype)tb_red_table[s->red].out);
    j.group = tb__max(tb__min(TASK_POINTS / points, GROUP), 1);
    j.groups = tb__ceil_div(s->n, j.group);
    j.strips = tb__ceil_div(s->inner, STRIP);
    return tb__parallel(s->outer * j.groups * j.strips, fold_task, &j);
}
