/* sort.c - rows of elements put in order on a GPU: short ones by a network among lanes, those that fit a block's shared
 * memory there, long ones digit by digit through memory (kernels/device/sort_*.h). */
#include "backend/gpu/kernel.h"
#include "base/arith.h"
#include "base/error.h"
#include "plan/routine.h"

enum { COUNT, STARTS, SWEEP }; /* the kernels that sort long rows */
enum {
    DIGITS = 256,
    THREADS = 256,
    SHORT_ITEMS = 8,
    SHORT_ITEMS_WIDE = 4,
    COUNT_ITEMS = 8,
    NARROW_COUNTS = 1 << 30, /* two bits of a word are a mark (device/sort_sweep.h) */
};

/* ---- which kernels --------------------------------------------------------------------------------------------- */

static int64_t tile_of(const tb_routine_source *r) { return 32 * (int64_t)r->warps * r->items; }

static bool is_short(const tb_sort_key *key, int64_t n)
{
    return n <= 32 * (key->words == 1 ? SHORT_ITEMS : SHORT_ITEMS_WIDE);
}

static void set_short(int64_t n, tb_routine_source *r)
{
    const int64_t all = n > 1 ? 2 * tb__floor_pow2(n - 1) : 1;
    r->kind = TB_ROUTINE_SORT_SHORT;
    r->lanes = (uint8_t)(all < 32 ? all : 32);
    r->items = (uint8_t)(all / r->lanes);
}

/* A block that has room for n elements, or is as large as one can be. */
static void set_block(const tb_sort_key *key, int64_t n, tb_routine_source *r)
{
    const int most = key->words == 1 ? 16 : key->words == 2 ? 8 : 4;
    r->kind = TB_ROUTINE_SORT_BLOCK;
    r->items = 1;
    r->warps = 8;
    while (r->items < most && tile_of(r) < n) r->items *= 2;
    if (tile_of(r) < n) r->warps = 16;
}

/* wide: what goes with a key has 64 bits, for which shared memory has less room. */
static int set_long(const tb_routine_source *block, int64_t n, bool wide, tb_routine_source *out)
{
    const tb_dtype t = (tb_dtype)block->dtype;
    const bool order = block->order, wide_counts = n >= NARROW_COUNTS;
    tb_routine_source r = *block;
    r.kind = TB_ROUTINE_SORT_SWEEP;
    r.wide_counts = wide_counts;
    r.wide_places = wide;
    if (wide) r.items = (uint8_t)tb__min(r.items, 8);
    out[SWEEP] = r;
    out[COUNT] = (tb_routine_source){.kind = TB_ROUTINE_SORT_COUNT,
                                     .dtype = (uint8_t)t,
                                     .order = order,
                                     .wide_counts = wide_counts,
                                     .items = COUNT_ITEMS};
    out[STARTS] = (tb_routine_source){.kind = TB_ROUTINE_SORT_STARTS, .wide_counts = wide_counts};
    return TB_SORT_SOURCES;
}

int tb__sort_sources(tb_dtype t, int64_t n, bool order, tb_routine_source *out)
{
    const tb_sort_key key = tb__sort_key(t);
    tb_routine_source r = {.dtype = (uint8_t)t, .order = order};
    if (is_short(&key, n)) set_short(n, &r);
    else set_block(&key, n, &r);
    out[0] = r;
    if (r.kind == TB_ROUTINE_SORT_SHORT || n <= tile_of(&r)) return 1;
    return set_long(&r, n, n > UINT32_MAX, out);
}

int tb__sort_sources_carrying(tb_dtype t, int64_t n, tb_routine_source *out)
{
    const tb_sort_key key = tb__sort_key(t);
    tb_routine_source r = {.dtype = (uint8_t)t, .order = true};
    set_block(&key, INT64_MAX, &r);
    return set_long(&r, n, true, out);
}

/* ---- launches --------------------------------------------------------------------------------------------------- */

static tb_status sort_short(tb_stream *s, const tb_sort_rows *rows, const tb_routine_source *source)
{
    const struct {
        const void *in;
        void *out;
        uint64_t n, rows;
    } params = {rows->in, tb__sort_result(rows), (uint64_t)rows->n, (uint64_t)rows->rows};
    return tb__gpu_run_routine(s, source, &params, sizeof params, tb__ceil_div(rows->rows, THREADS / source->lanes),
                               THREADS);
}

static tb_status sort_in_block(tb_stream *s, const tb_sort_rows *rows, const tb_routine_source *source)
{
    const struct {
        const void *in;
        void *out;
        uint64_t n;
    } params = {rows->in, tb__sort_result(rows), (uint64_t)rows->n};
    return tb__gpu_run_routine(s, source, &params, sizeof params, rows->rows, 32 * source->warps);
}

/* ---- long rows -------------------------------------------------------------------------------------------------- */

typedef struct sweep {
    const tb_sort_rows *rows;
    const tb_routine_source *source; /* TB_SORT_SOURCES of them */
    tb_sort_key key;
    int64_t tiles; /* of a row */
    int passes;    /* those of digits that may differ */
    size_t key_size, place_size;
    size_t counts_size, posts_size; /* of all of them */
    char *counts, *posts;
    char *keys[2], *places[2]; /* that a pass with an even and one with an odd number writes */
} sweep;

static void plan_sweep(const tb_sort_rows *rows, const tb_routine_source *source, sweep *w)
{
    const tb_routine_source *pass = &source[SWEEP];
    const size_t count_size = pass->wide_counts ? 8 : 4;
    *w = (sweep){.rows = rows, .source = source, .key = tb__sort_key(rows->dtype)};
    w->tiles = tb__ceil_div(rows->n, tile_of(pass));
    w->passes = rows->bits > 0 ? (int)tb__min(tb__ceil_div(rows->bits, 8), w->key.passes) : w->key.passes;
    w->key_size = 4 * (size_t)w->key.words;
    w->place_size = pass->wide_places ? 8 : 4;
    w->counts_size = (size_t)rows->rows * (size_t)w->key.passes * DIGITS * count_size;
    w->posts_size = (size_t)rows->rows * (size_t)w->tiles * DIGITS * count_size;
}

static bool moves_places(const sweep *w) { return w->rows->order || w->rows->carried; }

/* Whether what a pass in between writes may lie where the result will be: not what the last one reads. */
static bool result_serves(const sweep *w)
{
    return !moves_places(w) && w->passes % 2 == 0 && w->key_size == tb_dtype_size(w->rows->dtype);
}

/* Memory for all that is between: in one piece, which `out` is given. */
static tb_status reserve(tb_stream *s, sweep *w, void **out)
{
    const size_t all = (size_t)(w->rows->rows * w->rows->n), unit = 256;
    const bool second = w->passes > 2 && !result_serves(w);
    const size_t part[] = {
        w->counts_size,
        w->posts_size,
        w->passes > 1 ? all * w->key_size : 0,
        second ? all * w->key_size : 0,
        moves_places(w) && w->passes > 1 ? all * w->place_size : 0,
        moves_places(w) && w->passes > 2 ? all * w->place_size : 0,
    };
    char **const to[] = {&w->counts, &w->posts, &w->keys[0], &w->keys[1], &w->places[0], &w->places[1]};
    size_t bytes = 0;
    for (size_t i = 0; i < sizeof part / sizeof *part; i++) bytes += (part[i] + unit - 1) / unit * unit;
    TB_TRY(tb__pool_alloc(s, bytes, out));
    char *at = *out;
    for (size_t i = 0; i < sizeof part / sizeof *part; i++) {
        *to[i] = at;
        at += (part[i] + unit - 1) / unit * unit;
    }
    if (result_serves(w)) w->keys[1] = w->rows->out;
    return TB_OK;
}

static tb_status count_digits(tb_stream *s, const sweep *w)
{
    enum { PIECE = COUNT_ITEMS * THREADS, PARTS = 16 /* blocks of a multiprocessor */ };
    const tb_sort_rows *rows = w->rows;
    const int64_t most = tb__ceil_div(PARTS * (int64_t)tb__gpu_devices[s->device].chip.sms, rows->rows);
    const int64_t pieces = tb__ceil_div(rows->n, PIECE), parts = pieces < most ? pieces : most;
    const struct {
        const void *in;
        void *counts;
        uint64_t n;
        uint32_t parts;
    } params = {rows->in, w->counts, (uint64_t)rows->n, (uint32_t)parts};
    TB_TRY(tb__gpu->set(s, w->counts, 0, 1, w->counts_size));
    TB_TRY(tb__gpu_run_routine(s, &w->source[COUNT], &params, sizeof params, rows->rows * parts, THREADS));
    return tb__gpu_run_routine(s, &w->source[STARTS], &w->counts, sizeof w->counts, rows->rows * w->key.passes, DIGITS);
}

static tb_status run_pass(tb_stream *s, const sweep *w, int pass)
{
    const bool first = pass == 0, last = pass == w->passes - 1;
    const int to = pass % 2, from = 1 - to;
    const struct {
        const void *keys, *order;
        void *keys_out, *order_out, *lower_out;
        const void *counts;
        void *posts;
        uint64_t n;
        uint32_t tiles, pass, first, last;
    } params = {
        .keys = first ? w->rows->in : w->keys[from],
        .order = first ? (const void *)w->rows->carried : w->places[from],
        .keys_out = last ? w->rows->out : w->keys[to],
        .order_out = !last              ? w->places[to]
                     : w->rows->carried ? (void *)w->rows->upper
                                        : (void *)w->rows->order,
        .lower_out = last ? w->rows->lower : NULL,
        .counts = w->counts,
        .posts = w->posts,
        .n = (uint64_t)w->rows->n,
        .tiles = (uint32_t)w->tiles,
        .pass = (uint32_t)pass,
        .first = first,
        .last = last,
    };
    const tb_routine_source *source = &w->source[SWEEP];
    TB_TRY(tb__gpu->set(s, w->posts, 0, 1, w->posts_size));
    return tb__gpu_run_routine(s, source, &params, sizeof params, w->rows->rows * w->tiles, 32 * source->warps);
}

static tb_status sort_long(tb_stream *s, const tb_sort_rows *rows, const tb_routine_source *source)
{
    sweep w;
    void *memory;
    plan_sweep(rows, source, &w);
    for (int i = STARTS; i <= SWEEP; i++) tb__gpu_routine_ahead(s, &source[i]);
    TB_TRY(reserve(s, &w, &memory));
    tb_status status = count_digits(s, &w);
    for (int pass = 0; pass < w.passes && status == TB_OK; pass++) status = run_pass(s, &w, pass);
    tb__pool_free(s->device, s->handle, memory);
    return status;
}

/* ---- the entry -------------------------------------------------------------------------------------------------- */

tb_status tb__gpu_sort(tb_stream *s, const tb_sort_rows *rows)
{
    tb_routine_source source[TB_SORT_SOURCES];
    const int n = rows->carried ? tb__sort_sources_carrying(rows->dtype, rows->n, source)
                                : tb__sort_sources(rows->dtype, rows->n, rows->order != NULL, source);
    TB_TRY(tb__gpu->enter(s->device));
    if (rows->carried) return sort_long(s, rows, source);
    if (n > 1) return tb__gpu_selects(rows) ? tb__gpu_select(s, rows) : sort_long(s, rows, source);
    return (source->kind == TB_ROUTINE_SORT_SHORT ? sort_short : sort_in_block)(s, rows, source);
}
