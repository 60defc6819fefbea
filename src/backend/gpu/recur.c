/* recur.c - digital filters on a GPU: tiles of rows are gone through side by side (kernels/device/recur.h). Filters
 * with more than TB_RECUR_STATES states are several, one after the other; sections that have more by themselves are
 * computed by the host. */
#include <stdlib.h>
#include <string.h>

#include "backend/gpu/kernel.h"
#include "backend/gpu/recur.h"
#include "base/arith.h"
#include "base/error.h"

enum { BLOCKS = 4 /* of a multiprocessor, which keep it busy */, ACROSS = 32, FAN_IN = 32 /* as in recur.h */ };

/* As the kernels declare it. */
typedef struct recur_params {
    const void *x, *zi;
    void *y, *zf;
    const void *c, *powers;
    void *posts;
    int64_t outer, n, inner, tiles;
    int32_t sections, row_bits, backwards, in_turn;
} recur_params;

static size_t parts_of(const tb_recur *r) { return tb_dtype_kind(r->dtype) == TB_KIND_COMPLEX ? 2 : 1; }
static size_t coefficients_of(const tb_recur *r)
{
    return (size_t)r->sections * 2 * ((size_t)r->order + 1) * parts_of(r);
}

/* Whether outputs of any section come back. */
static bool feeds_back(const tb_recur *r)
{
    const size_t parts = parts_of(r), each = ((size_t)r->order + 1) * parts;
    for (size_t s = 0; s < (size_t)r->sections; s++)
        for (size_t i = parts; i < each; i++)
            if (r->coefficients[(2 * s + 1) * each + i] != 0) return true;
    return false;
}

/* Elements of a thread, and threads: what a block keeps of both has room in shared memory. */
static int items_of(const tb_recur *r) { return (int)(128 / tb__max(tb_dtype_size(r->dtype), 4)); }
static int threads_of(const tb_recur *r) { return r->order * (int)parts_of(r) > 12 ? 64 : 128; }

/* On an H200, with NVRTC 13.0, kernels without feedback of three states and more did not store the last states. The
 * hasty compilation of the same source was right, so that the full one is suspected, but it was not shown. Where states
 * are asked for, the kernel is that of filters with feedback, in which they were right at every order. */
static bool by_feedback(const tb_recur *r) { return feeds_back(r) || (r->zf && r->order > 2); }

tb_routine_source tb__recur_source(const tb_recur *r)
{
    return (tb_routine_source){.kind = TB_ROUTINE_RECUR,
                               .dtype = (uint8_t)r->dtype,
                               .order = r->single,
                               .right = by_feedback(r),
                               .lanes = (uint8_t)r->order,
                               .items = (uint8_t)items_of(r),
                               .warps = (uint8_t)(threads_of(r) / 32)};
}

/* ---- what goes where --------------------------------------------------------------------------------------------- */

static int bits_of(int64_t x)
{
    int bits = 0;
    while ((int64_t)1 << bits < x) bits++;
    return bits;
}

/* How many rows a tile has: as long ones as it takes, but neighbours where elements of a row are far apart. */
static int row_bits(const tb_recur *r)
{
    const int threads = bits_of(threads_of(r)), states = r->sections * r->order;
    const int chunks = tb__min(threads, bits_of(tb__ceil_div(r->n, items_of(r))));
    const int wanted = tb__max(threads - chunks, r->inner > 1 ? bits_of(ACROSS) : 0);
    const int most = bits_of(TB_RECUR_CARRIED / tb__max(states, 1) + 1) - 1;
    return tb__min(tb__min(wanted, most), bits_of(r->outer * r->inner));
}

/* Blocks have a tile each where rows do not keep the device busy. */
static void cut(const tb_recur *r, bool small, int sms, recur_params *p)
{
    const int64_t across = (int64_t)threads_of(r) * items_of(r) >> p->row_bits;
    const int64_t lines = tb__ceil_div(r->outer * r->inner, (int64_t)1 << p->row_bits);
    p->in_turn = !small;
    p->tiles = small && lines < (int64_t)sms * BLOCKS ? tb__ceil_div(r->n, across) : 1;
}

/* ---- memory ------------------------------------------------------------------------------------------------------ */

static int64_t lines_of(const recur_params *p) { return tb__ceil_div(p->outer * p->inner, (int64_t)1 << p->row_bits); }

/* What tiles, groups of them and stretches of groups post, in bytes. */
static size_t posts_size(const tb_recur *r, const recur_params *p)
{
    const int64_t groups = tb__ceil_div(p->tiles, FAN_IN), all = p->tiles + groups + tb__ceil_div(groups, FAN_IN);
    const size_t words = (size_t)(r->sections * r->order) * 2 * parts_of(r);
    return p->tiles > 1 ? (size_t)(lines_of(p) * all << p->row_bits) * words * sizeof(uint64_t) : 0;
}

/* Coefficients, and what elements of a thread, a tile and a group make of states. */
static tb_status make_tables(const tb_recur *r, const tb_recur_powers *powers, const recur_params *p, double **out,
                             size_t *bytes)
{
    const size_t coefficients = coefficients_of(r), level = powers->size * TB_RECUR_TIMES;
    const int thread = bits_of(items_of(r)), tile = bits_of((int64_t)threads_of(r) * items_of(r)) - p->row_bits;
    *bytes = (coefficients + (p->tiles > 1 ? 3 : 1) * level) * sizeof(double);
    double *table = *out = malloc(*bytes);
    if (!table) return tb__fail_memory(*bytes, 0, 0, 0);
    memcpy(table, r->coefficients, coefficients * sizeof *table);
    tb__recur_multiples(powers, thread, table + coefficients);
    if (p->tiles > 1) tb__recur_multiples(powers, tile, table + coefficients + level);
    if (p->tiles > 1) tb__recur_multiples(powers, tile + bits_of(FAN_IN), table + coefficients + 2 * level);
    return TB_OK;
}

/* Tables and posts in the memory of the device, which the caller frees. */
static tb_status make_room(tb_stream *s, const tb_recur *r, const tb_recur_powers *powers, recur_params *p,
                           void **memory)
{
    double *table;
    size_t bytes;
    const size_t posts = posts_size(r, p);
    TB_TRY(make_tables(r, powers, p, &table, &bytes));
    tb_status status = tb__pool_alloc(s, bytes + posts, memory);
    if (status == TB_OK) {
        p->c = *memory;
        p->powers = (const double *)p->c + coefficients_of(r);
        p->posts = (char *)*memory + bytes;
        status = tb__backend->copy_in(s, *memory, table, bytes, true);
        if (status == TB_OK && posts) status = tb__gpu->set(s, p->posts, 0, 4, posts);
        if (status != TB_OK) tb__pool_free(s->device, s->handle, *memory);
    }
    free(table);
    return status;
}

/* ---- launches ---------------------------------------------------------------------------------------------------- */

static tb_status run_cut(tb_stream *s, const tb_recur *r, const tb_recur_powers *powers, bool small)
{
    void *memory;
    const tb_routine_source source = tb__recur_source(r);
    recur_params p = {.x = r->x,
                      .zi = r->zi,
                      .y = r->y,
                      .zf = r->zf,
                      .outer = r->outer,
                      .n = r->n,
                      .inner = r->inner,
                      .sections = r->sections,
                      .row_bits = row_bits(r),
                      .backwards = r->backwards};
    cut(r, small, tb__gpu_devices[s->device].chip.sms, &p);
    TB_TRY(make_room(s, r, powers, &p, &memory));
    const tb_status status = tb__gpu_run_routine(s, &source, &p, sizeof p, lines_of(&p) * p.tiles, threads_of(r));
    tb__pool_free(s->device, s->handle, memory);
    return status;
}

/* ---- by the host ------------------------------------------------------------------------------------------------- */

typedef struct operand {
    const void *device;
    char *host;
    size_t bytes;
} operand;

/* n numbers of float32 to float64, in place. */
static void widen(void *memory, size_t n)
{
    char *at = memory;
    for (size_t i = n; i-- > 0;) {
        float x;
        memcpy(&x, at + i * sizeof x, sizeof x);
        const double wide = x;
        memcpy(at + i * sizeof wide, &wide, sizeof wide);
    }
}

static tb_status run_on_host(tb_stream *s, const tb_recur *r)
{
    const size_t item = tb_dtype_size(r->dtype), rows = (size_t)(r->outer * r->inner);
    const size_t states = rows * (size_t)r->sections * (size_t)r->order * item, all = rows * (size_t)r->n * item;
    char *memory = malloc(2 * (all + states));
    if (!memory) return tb__fail_memory(2 * (all + states), 0, 0, 0);
    tb_recur here = *r;
    here.single = false;
    here.x = memory;
    here.y = memory + all;
    here.zi = r->zi ? memory + 2 * all : NULL;
    here.zf = r->zf ? memory + 2 * all + states : NULL;
    tb_status status = tb__backend->copy_out(s, memory, r->x, r->single ? all / 2 : all, true);
    if (r->single) widen(memory, rows * (size_t)r->n);
    if (status == TB_OK && r->zi) status = tb__backend->copy_out(s, memory + 2 * all, r->zi, states, true);
    if (status == TB_OK) status = tb__host_recur(NULL, &here);
    if (status == TB_OK) status = tb__backend->copy_in(s, r->y, here.y, all, true);
    if (status == TB_OK && r->zf) status = tb__backend->copy_in(s, r->zf, here.zf, states, true);
    free(memory);
    return status;
}

/* ---- all sections ------------------------------------------------------------------------------------------------ */

/* Whether a thread after the other takes longer than the host, of which there is none while work is recorded. */
static bool host_is_faster(const tb_stream *s, const tb_recur *r)
{
    enum { FEW = 8, LONG = 1 << 14 };
    return !s->capture && r->outer * r->inner <= FEW && r->n >= LONG;
}

static tb_status run_sections(tb_stream *s, const tb_recur *r)
{
    tb_recur_powers powers;
    tb_status status = tb__recur_powers(r, &powers);
    const bool small = status == TB_OK && tb__recur_stays_small(&powers, r->n);
    if (status == TB_OK) status = small || !host_is_faster(s, r) ? run_cut(s, r, &powers, small) : run_on_host(s, r);
    free(powers.memory);
    return status;
}

tb_status tb__gpu_recur(tb_stream *s, const tb_recur *r)
{
    if (r->order > TB_RECUR_STATES) return run_on_host(s, r);
    const int most = TB_RECUR_STATES / r->order;
    const size_t state = tb_dtype_size(r->dtype) * (size_t)(r->outer * r->order * r->inner);
    TB_TRY(tb__gpu->enter(s->device));
    for (int first = 0; first < r->sections; first += most) {
        tb_recur part = *r;
        part.sections = tb__min(most, r->sections - first);
        part.coefficients += (size_t)first * 2 * ((size_t)r->order + 1) * parts_of(r);
        if (first > 0) part.x = r->y;
        part.single = r->single && first == 0;
        if (r->zi) part.zi = (const char *)r->zi + (size_t)first * state;
        if (r->zf) part.zf = (char *)r->zf + (size_t)first * state;
        TB_TRY(run_sections(s, &part));
    }
    return TB_OK;
}
