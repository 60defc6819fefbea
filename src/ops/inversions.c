/* inversions.c - how many pairs of elements are out of order: of two sorted runs, when they are merged, each element of
 * the second one counts what is left of the first (D. Knuth, The Art of Computer Programming 3, 5.2.4). */
#include <stdlib.h>
#include <string.h>

#include "base/argument.h"
#include "base/arith.h"
#include "base/threads.h"
#include "ops/sparse/calc.h"

enum { LEVELS = 14, PIECE = 1 << LEVELS }; /* of an even number of merges, after which a piece is where it was */

/* Runs of `width` elements that are sorted, in `from`. */
typedef struct merges {
    int64_t n, width, *from, *to;
    int64_t *counts; /* for each task */
} merges;

/* The first `left` elements with those behind them. */
static int64_t merge(const int64_t *from, int64_t left, int64_t n, int64_t *to)
{
    int64_t i = 0, j = left, count = 0;
    while (i < left && j < n) {
        const bool second = from[j] < from[i];
        *to++ = second ? from[j] : from[i];
        count += second ? left - i : 0;
        j += second;
        i += !second;
    }
    memcpy(to, from + i, (size_t)(left - i) * sizeof *to);
    memcpy(to + left - i, from + j, (size_t)(n - j) * sizeof *to);
    return count;
}

static bool sort_piece(void *arg, int64_t task)
{
    const merges *m = arg;
    const int64_t begin = task * PIECE, n = tb__min(PIECE, m->n - begin);
    int64_t *from = m->from + begin, *to = m->to + begin, count = 0;
    for (int64_t width = 1; width < PIECE; width *= 2) {
        for (int64_t at = 0; at < n; at += 2 * width)
            count += merge(from + at, tb__min(width, n - at), tb__min(2 * width, n - at), to + at);
        int64_t *other = from;
        from = to;
        to = other;
    }
    m->counts[task] += count;
    return true;
}

static bool merge_pair(void *arg, int64_t task)
{
    const merges *m = arg;
    const int64_t at = task * 2 * m->width, n = m->n - at;
    m->counts[task] += merge(m->from + at, tb__min(m->width, n), tb__min(2 * m->width, n), m->to + at);
    return true;
}

static tb_status count_all(merges *m)
{
    TB_TRY(tb__parallel(tb__ceil_div(m->n, PIECE), sort_piece, m));
    for (m->width = PIECE; m->width < m->n; m->width *= 2) {
        TB_TRY(tb__parallel(tb__ceil_div(m->n, 2 * m->width), merge_pair, m));
        int64_t *other = m->from;
        m->from = m->to;
        m->to = other;
    }
    return TB_OK;
}

static tb_status count(tb_array *a, int64_t *out)
{
    const int64_t n = a->dims[0], pieces = tb__ceil_div(n, PIECE), room = 2 * n + pieces;
    int64_t *memory = calloc((size_t)room + 1, sizeof *memory), total = 0;
    tb_array *cast = NULL;
    if (!memory) return tb__fail_memory((size_t)room * sizeof *memory, 0, 0, 0);
    merges m = {.n = n, .from = memory, .to = memory + n, .counts = memory + 2 * n};
    tb_status status = tb_astype(a, TB_I64, 'C', TB_CAST_UNSAFE, false, &cast);
    if (status == TB_OK) {
        status = tb_array_get(cast, memory, NULL, NULL, true);
        tb_array_release(cast);
    }
    if (status == TB_OK) status = count_all(&m);
    for (int64_t i = 0; i < pieces; i++) total += m.counts[i];
    free(memory);
    if (status == TB_OK) *out = total;
    return status;
}

tb_status tb_inversions(tb_array *a, int64_t *out)
{
    TB_NOT_NULL(a);
    if (!out) return tb__fail_null(__func__, "count");
    if (!tb__backend->on_host) return tb__fail(TB_ERR_NOT_IMPLEMENTED, "inversions: the device is not the host");
    TB_ARE_NUMBERS("inversions", a->dtype);
    if (a->ndim != 1) return tb__fail(TB_ERR_VALUE, "inversions: a must have one dimension, it has %d", a->ndim);
    if (!tb_can_cast((tb_dtype)a->dtype, TB_I64, TB_CAST_SAFE))
        return tb__fail(TB_ERR_TYPE, "inversions: a must have integers, not %s", tb_dtype_name((tb_dtype)a->dtype));
    return count(a, out);
}
