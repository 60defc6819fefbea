/* scan.c - running sums and products along one axis, in boxes of values that block.c puts in contiguous memory:
 *
 *   lines  the axis is innermost: several lines side by side, since each is a chain of dependent steps
 *   rows   other dimensions are innermost: a row of accumulators takes one row of values after the other
 *
 * Accumulators carry over from box to box along the axis. A very long axis is cut into segments of fixed length: their
 * totals come first, then every segment is scanned from the total of those before it. */
#include <stdlib.h>
#include <string.h>

#include "backend/cpu/plans/block.h"
#include "backend/cpu/loops/reduce_loops.h"
#include "base/error.h"

enum {
    TASK_POINTS = 32768,
    BOX_POINTS = 4096,
    LINES_ABREAST = 4,
    TILE = 64,
    SHORT_AXIS = 32,
    SHORT_RUN = 8,
    LONG_AXIS = 1 << 20,
    SEGMENT_POINTS = 1 << 16,
    FEW_BOXES = 16,
};

typedef struct scan {
    tb_block block;
    const tb_plan *plan;
    const tb_red_loops *loops;
    bool lines;
    bool narrow;        /* rows, as short as the innermost dimension */
    bool in_memory;     /* values are read from a load's own memory... */
    int64_t stride;     /* ... whose lines or rows are this far apart */
    bool out_in_memory; /* results are written where they belong */
    int64_t out_stride;
    int axis, kept, nkept;         /* iteration dimensions */
    int64_t item, out_item, width; /* width: of a kept box */
    int64_t kept_boxes, axis_boxes, group;
    int64_t segments, segment; /* boxes along the axis to a segment */
    bool totals;               /* this pass only adds segments up */
    size_t acc_bytes;
    char *carry; /* segments > 1: accumulators by kept box, then segment */
} scan;

static char *carry_of(const scan *s, int64_t box, int64_t segment)
{
    return s->carry + (size_t)(box * s->segments + segment) * s->acc_bytes;
}

static const char *box_values(const scan *s, tb_frame *f, const int64_t *at, const int64_t *len, int64_t width,
                              int64_t n, int64_t *stride)
{
    const tb_block *b = &s->block;
    int value = s->plan->store[0].value;
    *stride = s->stride;
    if (s->in_memory) return tb__box_base(b, s->plan->load[value].ptr, s->plan->load[value].strides, at);
    tb__block_eval(b, f, at, len);
    *stride = (s->lines ? n : width) * s->item;
    return f->ptr[value];
}

static void total_box(const scan *s, tb_frame *f, const int64_t *at, const int64_t *len, int64_t width, int64_t n,
                      char *acc, char *spare)
{
    int64_t stride;
    const char *v = box_values(s, f, at, len, width, n, &stride);
    if (!s->lines) {
        s->loops->rows(n, width, v, stride, acc, 0);
        return;
    }
    s->loops->lines(width, n, v, stride, spare, 0);
    s->loops->merge(width, acc, spare);
}

static void scan_box(const scan *s, tb_frame *f, const int64_t *at, const int64_t *len, int64_t width, int64_t n,
                     char *acc, char *out)
{
    const tb_store *st = &s->plan->store[0];
    int64_t stride, out_stride = s->out_in_memory ? s->out_stride : (s->lines ? n : width) * s->out_item;
    const char *v = box_values(s, f, at, len, width, n, &stride);
    char *memory = (char *)(uintptr_t)tb__box_base(&s->block, st->ptr, st->strides, at);
    char *to = s->out_in_memory ? memory : out;
    if (s->lines) s->loops->scan_lines(width, n, v, stride, to, out_stride, acc);
    else if (width < TB_NARROW) s->loops->scan_narrow(n, width, v, stride, to, out_stride, acc);
    else s->loops->scan_rows(n, width, v, stride, to, out_stride, acc);
    if (!s->out_in_memory)
        tb__box_copy(&s->block, 0, s->block.nd, len, (tb_dtype)st->dtype, memory, st->strides, out, NULL, false);
}

static bool scan_task(void *arg, int64_t task)
{
    const scan *s = arg;
    const tb_block *b = &s->block;
    int64_t segment = task % s->segments, box = task / s->segments * s->group;
    int64_t end = tb__min(box + s->group, s->kept_boxes), at[TB_MAXDIM], len[TB_MAXDIM];
    int64_t first = segment * s->segment, last = tb__min(first + s->segment, s->axis_boxes);
    size_t out_bytes = ((size_t)(b->points * s->out_item) + 63) & ~(size_t)63;
    tb_frame f;
    char *acc = tb__scratch(2 * s->acc_bytes + out_bytes + tb__block_scratch(b));
    if (!acc) return false;
    char *spare = acc + s->acc_bytes, *out = spare + s->acc_bytes;
    if (!s->in_memory) tb__frame_start(b, &f, out + out_bytes, b->points);
    int64_t width = tb__block_box(b, s->kept, s->kept + s->nkept, box, at, len);
    for (; box < end; box++) {
        char *total = s->segments > 1 ? carry_of(s, box, segment) : acc;
        if (s->totals || s->segments == 1) s->loops->init(width, total);
        for (int64_t i = first; i < last; i++) {
            int64_t n = tb__block_box(b, s->axis, s->axis + 1, i, at, len);
            if (s->totals) total_box(s, &f, at, len, width, n, total, spare);
            else scan_box(s, &f, at, len, width, n, total, out);
        }
        if (box + 1 < end) width = tb__block_next(b, s->kept, s->kept + s->nkept, at, len);
    }
    return true;
}

/* Totals of the segments to totals of all segments before. */
static void spread_carries(const scan *s, char *sum)
{
    for (int64_t box = 0; box < s->kept_boxes; box++) {
        s->loops->init(s->width, sum);
        for (int64_t i = 0; i < s->segments; i++) {
            char *mine = carry_of(s, box, i), *before = sum + s->acc_bytes;
            memcpy(before, sum, s->acc_bytes);
            s->loops->merge(s->width, sum, mine);
            memcpy(mine, before, s->acc_bytes);
        }
    }
}

/* ---- choices -------------------------------------------------------------------------------------------------- */

/* The dimension along which memory laid out by `strides` runs. */
static int fastest_dim(const tb_plan *p, const int64_t *strides)
{
    int best = p->ndim - 1;
    int64_t least = INT64_MAX;
    for (int d = p->ndim - 1; d >= 0; d--) {
        int64_t size = llabs(strides[d]);
        if (p->shape[d] > 1 && size != 0 && size < least) least = size, best = d;
    }
    return best;
}

static int memory_dim(const tb_plan *p)
{
    if (p->uses_index) return p->ndim - 1;
    return fastest_dim(p, p->nload > 0 ? p->load[0].strides : p->store[0].strides);
}

/* Whether short rows lie one behind another, so that they are taken as they are. */
static bool is_dense(const tb_plan *p, int fast)
{
    const int64_t *strides = p->nload > 0 ? p->load[0].strides : p->store[0].strides;
    return p->shape[fast] > 1 && strides[p->axis] == strides[fast] * p->shape[fast];
}

static void choose_order(scan *s, const tb_plan *p)
{
    int order[TB_MAXDIM], fast = memory_dim(p);
    int64_t length = p->shape[p->axis], others = p->size / length;
    if (fast == p->axis) s->lines = length >= SHORT_AXIS || others < SHORT_AXIS;
    else s->lines = p->shape[fast] < SHORT_RUN && length >= SHORT_AXIS && !is_dense(p, fast);
    s->narrow = !s->lines && fast != p->axis && p->shape[fast] < SHORT_RUN;
    s->nkept = p->ndim - 1;
    s->kept = s->lines ? 0 : 1;
    s->axis = s->lines ? s->nkept : 0;
    int n = s->kept;
    for (int d = 0; d < p->ndim; d++)
        if (d != p->axis && d != fast) order[n++] = d;
    if (fast != p->axis) order[n++] = fast;
    order[s->axis] = p->axis;
    tb__block_start(&s->block, p, p->ndim, order);
}

static bool fits(const scan *s, const void *ptr, const int64_t *strides, tb_dtype t, int64_t *stride)
{
    const tb_block *b = &s->block;
    int first = s->lines ? s->axis : s->kept, last = s->lines ? s->axis + 1 : s->kept + s->nkept;
    int outer = s->lines ? s->nkept - 1 : s->axis;
    if (!tb__elements_are_aligned(ptr, s->plan->ndim, strides, t)) return false;
    /* Several lines are evenly spaced only along one dimension. */
    for (int d = 0; s->lines && d < s->nkept - 1; d++)
        if (b->ext[d] > 1) return false;
    *stride = outer >= 0 ? strides[b->dim[outer]] : 0;
    return tb__box_contiguous(b, strides, (int64_t)tb_dtype_size(t), first, last);
}

static void choose_boxes(scan *s, const tb_plan *p)
{
    tb_block *b = &s->block;
    const tb_store *st = &p->store[0];
    int kept_end = s->kept + s->nkept;
    if (s->lines) {
        /* Results that lie across the lines go out in tiles. */
        bool crossed = s->nkept > 0 && fastest_dim(p, st->strides) != p->axis;
        int64_t abreast = crossed ? BOX_POINTS / TILE : s->nkept > 0 ? LINES_ABREAST : 1;
        int64_t n = tb__block_fit(b, s->axis, s->axis + 1, BOX_POINTS / abreast);
        tb__block_fit(b, s->kept, kept_end, tb__max(BOX_POINTS / n, LINES_ABREAST));
    } else {
        int64_t rows = tb__min(b->shape[s->axis], 16);
        int64_t most = s->narrow ? b->shape[kept_end - 1] : BOX_POINTS / rows;
        int64_t width = tb__block_fit(b, s->kept, kept_end, most);
        tb__block_fit(b, s->axis, s->axis + 1, tb__max(BOX_POINTS / width, 1));
    }
    if (st->value < p->nload) {
        const tb_load *l = &p->load[st->value];
        s->in_memory = fits(s, l->ptr, l->strides, (tb_dtype)l->dtype, &s->stride);
    }
    s->out_in_memory = fits(s, st->ptr, st->strides, (tb_dtype)st->dtype, &s->out_stride);
    tb__block_finish(b, st->value, false);
}

static void choose_tasks(scan *s, const tb_plan *p)
{
    const tb_block *b = &s->block;
    int64_t length = b->shape[s->axis], step = b->ext[s->axis];
    s->kept_boxes = tb__block_boxes(b, s->kept, s->kept + s->nkept);
    s->axis_boxes = tb__block_boxes(b, s->axis, s->axis + 1);
    s->width = b->points / step;
    s->group = tb__max(TASK_POINTS / (s->width * length), 1);
    s->segment = s->axis_boxes;
    if (length > LONG_AXIS && s->kept_boxes < FEW_BOXES) s->segment = tb__max(SEGMENT_POINTS / step, 1);
    s->segments = tb__ceil_div(s->axis_boxes, s->segment);
    s->acc_bytes = ((size_t)(s->width * s->loops->acc) + 63) & ~(size_t)63;
    s->item = (int64_t)tb_dtype_size(tb__plan_dtype(p, p->store[0].value));
    s->out_item = (int64_t)tb_dtype_size((tb_dtype)p->store[0].dtype);
}

static tb_status scan_segments(scan *s)
{
    size_t bytes = (size_t)(s->kept_boxes * s->segments + 2) * s->acc_bytes;
    s->carry = aligned_alloc(64, bytes);
    if (!s->carry) return tb__fail(TB_ERR_MEMORY, "out of host memory for %zu bytes of partial results", bytes);
    s->totals = true;
    tb_status status = tb__parallel(s->kept_boxes * s->segments, scan_task, s);
    spread_carries(s, carry_of(s, s->kept_boxes, 0));
    s->totals = false;
    if (status == TB_OK) status = tb__parallel(s->kept_boxes * s->segments, scan_task, s);
    free(s->carry);
    return status;
}

tb_status tb__cpu_scan(const tb_plan *p)
{
    scan s = {.plan = p, .loops = &tb__cpu_red_loops()[p->red]};
    if (!s.loops->scan_lines)
        return tb__fail(TB_ERR_INTERNAL, "the reduction %s has no running form", tb_red_table[p->red].name);
    choose_order(&s, p);
    choose_boxes(&s, p);
    choose_tasks(&s, p);
    if (s.segments > 1) return scan_segments(&s);
    return tb__parallel(tb__ceil_div(s.kept_boxes, s.group), scan_task, &s);
}
