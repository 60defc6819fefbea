/* recur.c - digital filters on a GPU: regions of rows are gone through side by side (kernels/device/recur.h). Filters
 * with more than TB_RECUR_STATES states are several, one after the other; sections that have more by themselves are
 * computed by the host. */
#include <stdlib.h>
#include <string.h>

#include "backend/gpu/kernel.h"
#include "backend/gpu/recur.h"
#include "base/arith.h"
#include "base/error.h"

enum { CHAINS = 512, MOST_REGIONS = 1024, BLOCKS = 8 /* of a multiprocessor */, ACROSS = 32, WARP = 32 };

/* As the kernels declare it. */
typedef struct recur_params {
    const void *x, *zi;
    void *y, *zf;
    const void *c, *powers, *jumps;
    void *states, *room;
    int64_t outer, n, inner, regions, length;
    int32_t sections, order, leaps, row_bits, backwards, in_turn;
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

tb_routine_source tb__recur_source(tb_routine_kind kind, const tb_recur *r)
{
    const bool chain = kind == TB_ROUTINE_RECUR_CHAIN;
    return (tb_routine_source){.kind = (uint8_t)kind,
                               .dtype = (uint8_t)r->dtype,
                               .order = !chain && r->single,
                               .right = feeds_back(r),
                               .lanes = (uint8_t)(chain ? 1 : r->order),
                               .items = (uint8_t)(chain ? 1 : items_of(r)),
                               .warps = (uint8_t)((chain ? CHAINS : threads_of(r)) / 32)};
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

/* Regions of as many tiles as there are when the device is busy. */
static void cut(const tb_recur *r, bool small, int sms, recur_params *p)
{
    const int64_t tile = (int64_t)threads_of(r) * items_of(r) >> p->row_bits, tiles = tb__ceil_div(r->n, tile);
    const int64_t groups = tb__ceil_div(r->outer * r->inner, (int64_t)1 << p->row_bits);
    const int64_t regions = tb__max(1, tb__min(MOST_REGIONS, (int64_t)sms * BLOCKS / groups));
    p->in_turn = !small;
    p->length = small ? tile << bits_of(tb__ceil_div(tiles, regions)) : tiles * tile;
    p->regions = tb__ceil_div(r->n, p->length);
}

/* ---- tables ------------------------------------------------------------------------------------------------------ */

/* Those of `sections` of them that are on the diagonal. */
static double *copy_blocks(const tb_recur *r, const double *power, double *to)
{
    const size_t parts = parts_of(r), order = (size_t)r->order, states = (size_t)r->sections * order;
    for (size_t s = 0; s < (size_t)r->sections; s++)
        for (size_t i = s * order; i < (s + 1) * order; i++, to += order * parts)
            memcpy(to, power + (i * states + s * order) * parts, order * parts * sizeof *to);
    return to;
}

/* Coefficients, powers and jumps in the memory of the device, which the caller frees. */
static tb_status copy_tables(tb_stream *s, const tb_recur *r, const tb_recur_powers *powers, recur_params *p,
                             void **memory)
{
    const size_t coefficients = coefficients_of(r), blocks = powers->size / (size_t)r->sections;
    const int doublings = tb__max(bits_of(WARP) - p->row_bits, 0) + 1;
    const int item = bits_of(items_of(r)), leap = bits_of(p->length);
    /* The first jump is needed for what is before the row. */
    const int wanted = bits_of(p->regions - 1), there = tb__min(powers->count - leap, tb__max(wanted, 1));
    p->leaps = p->regions > 1 ? tb__min(tb__max(there, 0), wanted) : 0;
    const size_t jumps = p->regions > 1 ? powers->size * (size_t)tb__max(there, 1) : 0;
    const size_t bytes = (coefficients + blocks * (size_t)doublings + jumps) * sizeof(double);
    double *table = calloc(1, bytes), *to = table;
    if (!table) return tb__fail_memory(bytes, 0, 0, 0);
    memcpy(to, r->coefficients, coefficients * sizeof *to);
    to += coefficients;
    for (int i = 0; i < doublings; i++)
        if (item + i < powers->count) to = copy_blocks(r, powers->memory + (size_t)(item + i) * powers->size, to);
        else to += blocks;
    if (jumps && there > 0) memcpy(to, powers->memory + (size_t)leap * powers->size, jumps * sizeof *to);
    tb_status status = tb__pool_alloc(s, bytes, memory);
    if (status == TB_OK) {
        p->c = *memory;
        p->powers = (const double *)p->c + coefficients;
        p->jumps = (const double *)p->powers + blocks * (size_t)doublings;
        status = tb__backend->copy_in(s, *memory, table, bytes, true);
        if (status != TB_OK) tb__pool_free(s->device, s->handle, *memory);
    }
    free(table);
    return status;
}

/* ---- launches ---------------------------------------------------------------------------------------------------- */

static tb_status launch(tb_stream *s, tb_routine_kind kind, const tb_recur *r, const recur_params *p)
{
    const tb_routine_source source = tb__recur_source(kind, r);
    const int64_t rows = r->outer * r->inner, groups = tb__ceil_div(rows, (int64_t)1 << p->row_bits);
    const bool chain = kind == TB_ROUTINE_RECUR_CHAIN;
    const int64_t blocks = chain ? rows : groups * (p->regions - (kind == TB_ROUTINE_RECUR_ENDS));
    return tb__gpu_run_routine(s, &source, p, sizeof *p, blocks, chain ? CHAINS : threads_of(r));
}

static tb_status run_regions(tb_stream *s, const tb_recur *r, recur_params *p)
{
    const size_t wide = 8 * parts_of(r), rows = (size_t)(r->outer * r->inner);
    const size_t states = rows * (size_t)p->regions * (size_t)(r->sections * r->order) * wide;
    void *memory;
    for (int kind = TB_ROUTINE_RECUR_CHAIN; kind <= TB_ROUTINE_RECUR_APPLY; kind++) {
        const tb_routine_source source = tb__recur_source((tb_routine_kind)kind, r);
        tb__gpu_routine_ahead(s, &source);
    }
    TB_TRY(tb__pool_alloc(s, 2 * states, &memory));
    p->states = memory;
    p->room = (char *)memory + states;
    tb_status status = launch(s, TB_ROUTINE_RECUR_ENDS, r, p);
    if (status == TB_OK) status = launch(s, TB_ROUTINE_RECUR_CHAIN, r, p);
    if (p->leaps % 2 == 0) p->states = p->room;
    if (status == TB_OK) status = launch(s, TB_ROUTINE_RECUR_APPLY, r, p);
    tb__pool_free(s->device, s->handle, memory);
    return status;
}

static tb_status run_cut(tb_stream *s, const tb_recur *r, const tb_recur_powers *powers)
{
    void *tables;
    recur_params p = {.x = r->x,
                      .zi = r->zi,
                      .y = r->y,
                      .zf = r->zf,
                      .outer = r->outer,
                      .n = r->n,
                      .inner = r->inner,
                      .sections = r->sections,
                      .order = r->order,
                      .row_bits = row_bits(r),
                      .backwards = r->backwards};
    cut(r, tb__recur_stays_small(powers, r->n), tb__gpu_devices[s->device].chip.sms, &p);
    TB_TRY(copy_tables(s, r, powers, &p, &tables));
    const tb_status status = p.regions > 1 ? run_regions(s, r, &p) : launch(s, TB_ROUTINE_RECUR_APPLY, r, &p);
    tb__pool_free(s->device, s->handle, tables);
    return status;
}

static tb_status run_sections(tb_stream *s, const tb_recur *r)
{
    tb_recur_powers powers;
    tb_status status = tb__recur_powers(r, &powers);
    if (status == TB_OK) status = run_cut(s, r, &powers);
    free(powers.memory);
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
