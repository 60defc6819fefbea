/* recur.c - digital filters on a GPU: rows are cut into blocks, of which each thread has one (kernels/device/recur.h).
 * Filters with more states than registers hold are several, one after the other; sections that have more by themselves
 * are computed by the host. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "backend/gpu/kernel.h"
#include "base/arith.h"
#include "base/error.h"

enum { THREADS = 128, MOST_STATES = 32, MOST_SECTIONS = 16, MOST_COEFFICIENTS = 192, CHAINS = 128, STAGED_BELOW = 16 };

/* As the kernels declare it; c has as many as the source says. */
typedef struct recur_params {
    const void *x, *zi;
    void *y, *zf, *states, *room;
    int64_t outer, n, inner, blocks, length, backwards;
    double c[MOST_COEFFICIENTS];
} recur_params;
_Static_assert(sizeof(recur_params) <= TB_ROUTINE_PARAMS, "parameters have no room");

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

tb_routine_source tb__recur_source(tb_routine_kind kind, const tb_recur *r)
{
    return (tb_routine_source){.kind = (uint8_t)kind,
                               .dtype = (uint8_t)r->dtype,
                               .order = r->inner < STAGED_BELOW,
                               .right = feeds_back(r),
                               .lanes = (uint8_t)r->order,
                               .items = (uint8_t)r->sections,
                               .warps = (kind == TB_ROUTINE_RECUR_CHAIN ? CHAINS : THREADS) / 32};
}

/* ---- blocks ------------------------------------------------------------------------------------------------------ */

/* An element of zero through all sections. */
static void step(const tb_recur *r, double *z)
{
    const size_t parts = parts_of(r), order = (size_t)r->order, each = (order + 1) * parts;
    double y[2] = {0, 0};
    for (size_t s = 0; s < (size_t)r->sections; s++, z += order * parts) {
        const double *b = r->coefficients + 2 * s * each, *a = b + each;
        const double x[2] = {y[0], y[1]};
        const double bi = parts == 2 ? b[1] : 0;
        y[0] = z[0] + x[0] * b[0] - x[1] * bi;
        y[1] = parts == 2 ? z[1] + x[0] * bi + x[1] * b[0] : 0;
        for (size_t i = 1; i <= order; i++) {
            const double br = b[i * parts], ar = a[i * parts];
            const double bj = parts == 2 ? b[2 * i + 1] : 0, aj = parts == 2 ? a[2 * i + 1] : 0;
            const double *next = z + i * parts;
            double *to = z + (i - 1) * parts;
            to[0] = (i < order ? next[0] : 0) + x[0] * br - x[1] * bj - (y[0] * ar - y[1] * aj);
            if (parts == 2) to[1] = (i < order ? next[1] : 0) + x[0] * bj + x[1] * br - (y[0] * aj + y[1] * ar);
        }
    }
}

/* Whether a state that begins as 1 is below 1e4 after the first elements of a row, and no more than swings before: the
 * sections of a sharp filter amplify what others weaken. What stays small for so long either dies away, or grows so
 * slowly that errors do not matter. */
static bool stays_small(const tb_recur *r)
{
    enum { LOOK = 4096 };
    const double MOST = 1e4, SWINGS = 1e8, NOTHING = 1e-30;
    const size_t parts = parts_of(r), states = (size_t)(r->sections * r->order);
    double z[MOST_STATES * 2];
    for (size_t first = 0; first < states; first++) {
        double largest = 1;
        memset(z, 0, sizeof z);
        z[first * parts] = 1;
        for (int64_t t = 0; t < tb__min(r->n, LOOK) && largest > NOTHING; t++) {
            step(r, z);
            largest = 0;
            for (size_t i = 0; i < states * parts; i++) {
                if (!(fabs(z[i]) <= SWINGS)) return false;
                largest = fmax(largest, fabs(z[i]));
            }
        }
        if (largest > MOST) return false;
    }
    return true;
}

/* Blocks long enough that their states are little beside them, and as many as keep the device busy. */
static int64_t block_length(const tb_recur *r, int sms)
{
    enum { LEAST = 64, EACH_STATE = 16, PIECE = 32, BUSY = 512 /* threads of a multiprocessor */ };
    const int64_t rows = r->outer * r->inner, states = (int64_t)r->sections * r->order;
    const int64_t least = tb__max(LEAST, EACH_STATE * states);
    const int64_t wanted = tb__ceil_div(r->n * rows, (int64_t)sms * BUSY);
    const int64_t length = tb__ceil_div(tb__max(least, wanted), PIECE) * PIECE;
    return 2 * length <= r->n && length < INT32_MAX && stays_small(r) ? length : r->n;
}

/* ---- launches ---------------------------------------------------------------------------------------------------- */

static tb_status launch(tb_stream *s, tb_routine_kind kind, const tb_recur *r, const recur_params *p)
{
    const tb_routine_source source = tb__recur_source(kind, r);
    const size_t size = offsetof(recur_params, c) + coefficients_of(r) * sizeof *p->c;
    const int64_t rows = r->outer * r->inner;
    const bool chain = kind == TB_ROUTINE_RECUR_CHAIN;
    return tb__gpu_run_routine(s, &source, p, size, chain ? rows : tb__ceil_div(rows * p->blocks, THREADS),
                               chain ? CHAINS : THREADS);
}

static tb_status run_blocks(tb_stream *s, const tb_recur *r, recur_params *p)
{
    const size_t wide = 8 * parts_of(r), rows = (size_t)(r->outer * r->inner);
    const size_t set = (size_t)(r->sections * r->order) * wide, states = rows * (size_t)p->blocks * set;
    void *memory;
    TB_TRY(tb__pool_alloc(s, states + rows * 2 * CHAINS * set, &memory));
    p->states = memory;
    p->room = (char *)memory + states;
    tb_status status = launch(s, TB_ROUTINE_RECUR_ENDS, r, p);
    if (status == TB_OK) status = launch(s, TB_ROUTINE_RECUR_CHAIN, r, p);
    if (status == TB_OK) status = launch(s, TB_ROUTINE_RECUR_APPLY, r, p);
    tb__pool_free(s->device, s->handle, memory);
    return status;
}

static tb_status run_sections(tb_stream *s, const tb_recur *r)
{
    recur_params p = {.x = r->x,
                      .zi = r->zi,
                      .y = r->y,
                      .zf = r->zf,
                      .outer = r->outer,
                      .n = r->n,
                      .inner = r->inner,
                      .backwards = r->backwards};
    memcpy(p.c, r->coefficients, coefficients_of(r) * sizeof *p.c);
    p.length = block_length(r, tb__gpu_devices[s->device].chip.sms);
    p.blocks = tb__ceil_div(r->n, p.length);
    return p.blocks > 1 ? run_blocks(s, r, &p) : launch(s, TB_ROUTINE_RECUR_APPLY, r, &p);
}

/* ---- by the host ------------------------------------------------------------------------------------------------- */

typedef struct operand {
    const void *device;
    char *host;
    size_t bytes;
} operand;

static tb_status run_on_host(tb_stream *s, const tb_recur *r)
{
    const size_t item = tb_dtype_size(r->dtype), rows = (size_t)(r->outer * r->inner);
    const size_t states = rows * (size_t)r->sections * (size_t)r->order * item, all = rows * (size_t)r->n * item;
    char *memory = malloc(2 * (all + states));
    if (!memory) return tb__fail_memory(2 * (all + states), 0, 0, 0);
    tb_recur here = *r;
    here.x = memory;
    here.y = memory + all;
    here.zi = r->zi ? memory + 2 * all : NULL;
    here.zf = r->zf ? memory + 2 * all + states : NULL;
    tb_status status = tb__backend->copy_out(s, memory, r->x, all, true);
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
    if (r->order > MOST_STATES) return run_on_host(s, r);
    const int most = tb__min(MOST_SECTIONS, MOST_STATES / r->order);
    const size_t state = tb_dtype_size(r->dtype) * (size_t)(r->outer * r->order * r->inner);
    TB_TRY(tb__gpu->enter(s->device));
    for (int first = 0; first < r->sections; first += most) {
        tb_recur part = *r;
        part.sections = tb__min(most, r->sections - first);
        part.coefficients += (size_t)first * 2 * ((size_t)r->order + 1) * parts_of(r);
        if (first > 0) part.x = r->y;
        if (r->zi) part.zi = (const char *)r->zi + (size_t)first * state;
        if (r->zf) part.zf = (char *)r->zf + (size_t)first * state;
        TB_TRY(run_sections(s, &part));
    }
    return TB_OK;
}
