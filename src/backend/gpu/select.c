/* select.c - long rows of which few positions are wanted: the elements there are found from the upper digits of their
 * keys down. Passes read all until those that still may be there are few, and then these; at last what is smaller goes
 * before them and what is larger behind (kernels/device/select*.h). */
#include "backend/gpu/kernel.h"
#include "base/arith.h"
#include "base/error.h"

enum { COUNT, NARROW, MOVE }; /* the kernels */
enum { DIGITS = 256, THREADS = 256, MOST_TARGETS = 8 };

bool tb__gpu_selects(const tb_sort_rows *rows) { return rows->nkth > 0 && rows->nkth <= MOST_TARGETS; }

int tb__select_sources(tb_dtype t, int64_t n, int64_t nkth, bool order, tb_routine_source *out)
{
    tb_routine_source r = {
        .dtype = (uint8_t)t, .order = order, .wide_counts = n > UINT32_MAX, .items = tb_dtype_size(t) > 8 ? 4 : 8};
    for (r.targets = 1; r.targets < nkth;) r.targets *= 2;
    for (int i = 0; i < TB_SORT_SOURCES; i++) {
        r.kind = (uint8_t)(TB_ROUTINE_SELECT_COUNT + i);
        out[i] = r;
    }
    return TB_SORT_SOURCES;
}

/* Whether the elements at the wanted positions are all that there has to be. */
static bool is_apart(const tb_sort_rows *rows) { return rows->only && !rows->order; }

typedef struct selection {
    const tb_sort_rows *rows;
    tb_routine_source source[TB_SORT_SOURCES];
    tb_sort_key key;
    uint64_t kth[MOST_TARGETS]; /* the last one again where there are fewer than targets */
    size_t counts_size;
    int64_t room; /* of a row: for elements that are kept */
    void *targets, *counts, *begins, *progress, *kept;
} selection;

static void plan_selection(const tb_sort_rows *rows, selection *x)
{
    enum { SHARE = 2 };
    *x = (selection){.rows = rows, .key = tb__sort_key(rows->dtype)};
    x->room = x->key.passes > 2 ? rows->n / SHARE : 0;
    tb__select_sources(rows->dtype, rows->n, rows->nkth, rows->order != NULL, x->source);
    for (int t = 0; t < MOST_TARGETS; t++) x->kth[t] = (uint64_t)rows->kth[t < rows->nkth ? t : rows->nkth - 1];
}

static tb_status reserve(tb_stream *s, selection *x, void **out)
{
    enum { PARTS = 5 };
    const size_t n = (size_t)x->rows->rows * x->source->targets, unit = 256;
    const size_t target = (4 * (size_t)x->key.words + 7) / 8 * 8 + 16;
    x->counts_size = n * DIGITS * (x->source->wide_counts ? 8 : 4);
    const size_t rows = (size_t)x->rows->rows, progress = 3 * sizeof(uint64_t);
    const size_t part[] = {x->counts_size, n * target, (2 * n + rows) * sizeof(uint64_t), rows * progress,
                           rows * (size_t)x->room * tb_dtype_size(x->rows->dtype)};
    void **const to[] = {&x->counts, &x->targets, &x->begins, &x->progress, &x->kept};
    size_t bytes = 0;
    for (int i = 0; i < PARTS; i++) bytes += (part[i] + unit - 1) / unit * unit;
    TB_TRY(tb__pool_alloc(s, bytes, out));
    char *at = *out;
    for (int i = 0; i < PARTS; i++) {
        *to[i] = at;
        at += (part[i] + unit - 1) / unit * unit;
    }
    return TB_OK;
}

static tb_status count(tb_stream *s, const selection *x, int pass)
{
    enum { PARTS = 16 /* blocks of a multiprocessor */ };
    const tb_sort_rows *rows = x->rows;
    const int64_t most = tb__ceil_div(PARTS * (int64_t)tb__gpu_devices[s->device].chip.sms, rows->rows);
    const int64_t pieces = tb__ceil_div(rows->n, x->source->items * THREADS), parts = pieces < most ? pieces : most;
    const struct {
        const void *in, *targets;
        void *counts, *progress, *kept;
        uint64_t n, room;
        uint32_t parts, pass, first;
    } params = {
        rows->in,          x->targets,        x->counts,       x->progress,    x->kept,
        (uint64_t)rows->n, (uint64_t)x->room, (uint32_t)parts, (uint32_t)pass, pass == x->key.passes - 1,
    };
    return tb__gpu_run_routine(s, &x->source[COUNT], &params, sizeof params, rows->rows * parts, THREADS);
}

static tb_status narrow(tb_stream *s, const selection *x, int pass)
{
    struct {
        void *targets, *counts, *out, *begins, *progress;
        uint64_t n, room;
        uint32_t pass, first;
        uint64_t kth[MOST_TARGETS];
    } params = {
        .targets = x->targets,
        .counts = x->counts,
        .out = is_apart(x->rows) ? x->rows->out : NULL,
        .begins = is_apart(x->rows) ? NULL : x->begins,
        .progress = x->progress,
        .n = (uint64_t)x->rows->n,
        .room = (uint64_t)x->room,
        .pass = (uint32_t)pass,
        .first = pass == x->key.passes - 1,
    };
    for (int t = 0; t < MOST_TARGETS; t++) params.kth[t] = x->kth[t];
    const size_t size = sizeof params - (size_t)(MOST_TARGETS - x->source->targets) * sizeof *params.kth;
    return tb__gpu_run_routine(s, &x->source[NARROW], &params, size, x->rows->rows, DIGITS);
}

static tb_status move(tb_stream *s, const selection *x)
{
    const tb_sort_rows *rows = x->rows;
    const int64_t tiles = tb__ceil_div(rows->n, x->source->items * THREADS);
    const struct {
        const void *in;
        void *out;
        const void *targets;
        void *begins;
        uint64_t n;
        uint32_t tiles;
    } params = {rows->in, tb__sort_result(rows), x->targets, x->begins, (uint64_t)rows->n, (uint32_t)tiles};
    return tb__gpu_run_routine(s, &x->source[MOVE], &params, sizeof params, rows->rows * tiles, THREADS);
}

tb_status tb__gpu_select(tb_stream *s, const tb_sort_rows *rows)
{
    selection x;
    void *memory;
    plan_selection(rows, &x);
    for (int i = NARROW; i <= (is_apart(rows) ? NARROW : MOVE); i++) tb__gpu_routine_ahead(s, &x.source[i]);
    TB_TRY(reserve(s, &x, &memory));
    tb_status status = tb__gpu->set(s, x.counts, 0, 1, x.counts_size);
    for (int pass = x.key.passes - 1; pass >= 0 && status == TB_OK; pass--) {
        status = count(s, &x, pass);
        if (status == TB_OK) status = narrow(s, &x, pass);
    }
    if (status == TB_OK && !is_apart(rows)) status = move(s, &x);
    tb__pool_free(s->device, s->handle, memory);
    return status;
}
