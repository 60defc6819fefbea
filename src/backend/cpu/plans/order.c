/* order.c - the positions that put rows of columns in order: by the first column, runs of what is equal in it by the
 * next, and so on; equal rows as they come.
 *
 * Keys with their positions below them in the same integer are sorted, which makes any sort a stable one: of 64-bit
 * keys as many bits as there is room for, and those that are equal in them are put in order by the others. */
#include "backend/cpu/plans/sort.h"

#include <stdlib.h>
#include <string.h>

#include "backend/cpu/loops/sort_loops.h"
#include "backend/cpu/plans/plans.h"
#include "base/error.h"

enum { FEW = 16 };

typedef struct row {
    tb_dtype dtype;
    int part; /* of complex numbers: which one keys are made of */
    const void *in;
    int64_t n, *key, *order;
    int64_t *room;  /* two of its length */
    uint8_t *start; /* whether a position differs from the one before it in what decides first */
} row;

typedef struct order_job {
    const int64_t *key;
    int64_t *order; /* positions, of which those with equal bits above `bits` are put in order */
    int64_t *packed, *positions;
    uint64_t least;
    int64_t n;
    int bits, shift, below; /* of the keys' differences from the least; where those begin that fit above positions */
} order_job;

static uint64_t bits_of(const order_job *j, int64_t position)
{
    const uint64_t mask = j->bits == 64 ? UINT64_MAX : ((uint64_t)1 << j->bits) - 1;
    return ((uint64_t)j->key[position] - j->least) & mask;
}

static bool pack(void *arg, int64_t task)
{
    const order_job *j = arg;
    const int64_t to = tb__min((task + 1) * TB_SORT_PIECE, j->n);
    for (int64_t i = task * TB_SORT_PIECE; i < to; i++)
        j->packed[i] = (int64_t)(bits_of(j, j->order[i]) >> j->shift << j->below) | i;
    return true;
}

static bool unpack(void *arg, int64_t task)
{
    const order_job *j = arg;
    const int64_t to = tb__min((task + 1) * TB_SORT_PIECE, j->n), mask = ((int64_t)1 << j->below) - 1;
    for (int64_t i = task * TB_SORT_PIECE; i < to; i++) j->positions[i] = j->order[j->packed[i] & mask];
    return true;
}

static void insert_positions(const order_job *j)
{
    for (int64_t i = 1; i < j->n; i++) {
        const int64_t position = j->order[i];
        int64_t k = i;
        for (; k > 0 && j->key[j->order[k - 1]] > j->key[position]; k--) j->order[k] = j->order[k - 1];
        j->order[k] = position;
    }
}

static int width_of(uint64_t x) { return x ? 64 - __builtin_clzll(x) : 0; }

/* The positions j->order by the lowest j->bits of their keys. packed and positions are room for as many. */
static tb_status order_positions(order_job *j)
{
    if (j->n <= FEW) {
        insert_positions(j);
        return TB_OK;
    }
    j->below = width_of((uint64_t)(j->n - 1));
    j->shift = j->bits > 63 - j->below ? j->bits - (63 - j->below) : 0;
    TB_TRY(tb__parallel(tb__sort_pieces(j->n), pack, j));
    TB_TRY(tb__sort_64(j->packed, j->n));
    TB_TRY(tb__parallel(tb__sort_pieces(j->n), unpack, j));
    memcpy(j->order, j->positions, (size_t)j->n * sizeof *j->order);
    for (int64_t i = 0, end; j->shift > 0 && i < j->n; i = end) {
        for (end = i + 1; end < j->n && (j->packed[i] ^ j->packed[end]) >> j->below == 0; end++) {}
        if (end == i + 1) continue;
        order_job run = *j;
        run.order += i;
        run.packed += i;
        run.positions += i;
        run.n = end - i;
        run.bits = j->shift;
        TB_TRY(order_positions(&run));
    }
    return TB_OK;
}

/* ---- runs of positions ------------------------------------------------------------------------------------------ */

/* Marks where in a run that has been put in order keys differ. *alone: they all do. */
static void mark_starts(const row *r, const order_job *j, uint8_t *start, bool *alone)
{
    const bool packed = j->n > FEW && j->shift == 0; /* whole keys are there in order */
    for (int64_t i = 1; i < j->n; i++) {
        start[i] = packed ? (j->packed[i - 1] ^ j->packed[i]) >> j->below != 0
                          : r->key[j->order[i - 1]] != r->key[j->order[i]];
        *alone &= start[i];
    }
}

/* Positions [from, from + n) of r->order by their keys; equal ones stay as they are. */
static tb_status order_run(const row *r, int64_t from, int64_t n, bool marks, bool *alone)
{
    int64_t least = INT64_MAX, most = INT64_MIN;
    for (int64_t i = from; i < from + n; i++) {
        least = tb__min(least, r->key[r->order[i]]);
        most = tb__max(most, r->key[r->order[i]]);
    }
    *alone &= least != most;
    if (least == most) return TB_OK;
    order_job j = {.key = r->key, .order = r->order + from, .packed = r->room + from, .least = (uint64_t)least, .n = n};
    j.positions = r->room + r->n + from;
    j.bits = width_of((uint64_t)most - (uint64_t)least);
    TB_TRY(order_positions(&j));
    if (marks) mark_starts(r, &j, r->start + from, alone);
    return TB_OK;
}

/* Each run by the keys, which divide it into runs themselves: these are marked, unless no other keys follow. *alone:
 * then none has several positions. */
static tb_status order_runs(const row *r, bool marks, bool *alone)
{
    *alone = true;
    for (int64_t i = 0, end; i < r->n; i = end) {
        const uint8_t *next = memchr(r->start + i + 1, 1, (size_t)(r->n - i - 1));
        end = next ? next - r->start : r->n;
        if (end - i > 1) TB_TRY(order_run(r, i, end - i, marks, alone));
    }
    return TB_OK;
}

/* ---- keys -------------------------------------------------------------------------------------------------------- */

static bool make_keys(void *arg, int64_t task)
{
    const row *r = arg;
    const int64_t to = tb__min((task + 1) * TB_SORT_PIECE, r->n);
    const int64_t size = (int64_t)tb_dtype_size(r->dtype), from = task * TB_SORT_PIECE;
    const char *in = r->in;
    enum { SOME = 256 };
    int32_t key[SOME];
    if (size == 8) {
        tb__sort_loops()->keys_64(r->dtype, in + from * size, to - from, true, r->key + from);
        return true;
    }
    for (int64_t at = from; at < to; at += SOME) {
        const int64_t n = tb__min(SOME, to - at);
        tb__sort_loops()->keys_32(r->dtype, in + at * size, n, true, key);
        for (int64_t i = 0; i < n; i++) r->key[at + i] = key[i];
    }
    return true;
}

/* Both parts of complex64 in one key, where none is NaN. */
static bool make_pair_keys(void *arg, int64_t task)
{
    const row *r = arg;
    const tb_sort_loops *loops = tb__sort_loops();
    const int64_t to = tb__min((task + 1) * TB_SORT_PIECE, r->n);
    enum { SOME = 256 };
    float part[2][SOME];
    int32_t key[2][SOME];
    for (int64_t at = task * TB_SORT_PIECE; at < to; at += SOME) {
        const int64_t n = tb__min(SOME, to - at);
        for (int64_t i = 0; i < n; i++)
            for (int k = 0; k < 2; k++) part[k][i] = ((const float *)r->in)[2 * (at + i) + k];
        for (int k = 0; k < 2; k++) loops->keys_32(TB_F32, part[k], n, true, key[k]);
        for (int64_t i = 0; i < n; i++)
            r->key[at + i] = (int64_t)((uint64_t)(uint32_t)key[0][i] << 32 | ((uint32_t)key[1][i] ^ 0x80000000u));
    }
    return true;
}

static double part_of(const row *r, int64_t i, int part)
{
    return r->dtype == TB_C64 ? (double)((const float *)r->in)[2 * i + part] : ((const double *)r->in)[2 * i + part];
}

/* Which parts are NaN: none, the imaginary one, the real one, both. False: it is the same of all. */
static bool make_class_keys(const row *r)
{
    bool differs = false;
    for (int64_t i = 0; i < r->n; i++) {
        const double re = part_of(r, i, 0), im = part_of(r, i, 1);
        r->key[i] = 2 * (re != re) + (im != im);
        differs |= r->key[i] != r->key[0];
    }
    return differs;
}

/* One part, as if it were zero where it is NaN. */
static bool make_part_keys(void *arg, int64_t task)
{
    const row *r = arg;
    const int64_t to = tb__min((task + 1) * TB_SORT_PIECE, r->n);
    double *part = (double *)(void *)r->key;
    for (int64_t i = task * TB_SORT_PIECE; i < to; i++) {
        const double x = part_of(r, i, r->part);
        part[i] = x == x ? x : 0;
    }
    tb__sort_loops()->keys_64(TB_F64, part + task * TB_SORT_PIECE, to - task * TB_SORT_PIECE, true,
                              r->key + task * TB_SORT_PIECE);
    return true;
}

/* By NumPy's order the class comes first, then the real part, then the imaginary one. */
static tb_status order_by_complex(row *r, bool last, bool *alone)
{
    const int64_t pieces = tb__sort_pieces(r->n);
    const bool classes = make_class_keys(r);
    if (!classes && r->key[0] == 0 && r->dtype == TB_C64) {
        TB_TRY(tb__parallel(pieces, make_pair_keys, r));
        return order_runs(r, !last, alone);
    }
    if (classes) TB_TRY(order_runs(r, true, alone));
    for (r->part = 0; r->part < 2 && !*alone; r->part++) {
        TB_TRY(tb__parallel(pieces, make_part_keys, r));
        TB_TRY(order_runs(r, !last || r->part == 0, alone));
    }
    return TB_OK;
}

/* The runs that earlier columns have left by this one. */
static tb_status order_by_column(row *r, bool last, bool *alone)
{
    if (tb_dtype_kind(r->dtype) == TB_KIND_COMPLEX) return order_by_complex(r, last, alone);
    TB_TRY(tb__parallel(tb__sort_pieces(r->n), make_keys, r));
    return order_runs(r, !last, alone);
}

/* ---- what is in order already ------------------------------------------------------------------------------------ */

typedef struct sorted_job {
    tb_dtype dtype;
    const char *in;
    int64_t n;
    int64_t *order;
    _Atomic bool sorted;
} sorted_job;

/* The piece, and the element before it. */
static bool check_piece(void *arg, int64_t task)
{
    sorted_job *j = arg;
    enum { SOME = 256 };
    int64_t key[SOME];
    const int64_t to = tb__min((task + 1) * TB_SORT_PIECE, j->n), size = (int64_t)tb_dtype_size(j->dtype);
    for (int64_t at = tb__max(task * TB_SORT_PIECE - 1, 0); j->sorted && at + 1 < to; at += SOME - 1) {
        const int64_t n = tb__min(SOME, to - at);
        bool in_order = true;
        if (size == 8) {
            tb__sort_loops()->keys_64(j->dtype, j->in + at * size, n, true, key);
            for (int64_t i = 1; i < n; i++) in_order &= key[i - 1] <= key[i];
        } else {
            int32_t *narrow = (int32_t *)key;
            tb__sort_loops()->keys_32(j->dtype, j->in + at * size, n, true, narrow);
            for (int64_t i = 1; i < n; i++) in_order &= narrow[i - 1] <= narrow[i];
        }
        if (!in_order) j->sorted = false;
    }
    return true;
}

static bool number_piece(void *arg, int64_t task)
{
    const sorted_job *j = arg;
    const int64_t to = tb__min((task + 1) * TB_SORT_PIECE, j->n);
    for (int64_t i = task * TB_SORT_PIECE; i < to; i++) j->order[i] = i;
    return true;
}

/* *done: the elements are in order, and so are their positions then. */
static tb_status order_sorted(tb_dtype t, const void *in, int64_t n, int64_t *order, bool *done)
{
    sorted_job j = {t, in, n, order, .sorted = tb_dtype_kind(t) != TB_KIND_COMPLEX};
    if (j.sorted) TB_TRY(tb__parallel(tb__sort_pieces(n), check_piece, &j));
    *done = j.sorted;
    return *done ? tb__parallel(tb__sort_pieces(n), number_piece, &j) : TB_OK;
}

tb_status tb__order(int ncolumn, const tb_dtype *dtype, const void *const *column, int64_t n, int64_t *order)
{
    bool done = false;
    if (ncolumn == 1) TB_TRY(order_sorted(dtype[0], column[0], n, order, &done));
    if (ncolumn == 1 && !done) TB_TRY(tb__sort_few(dtype[0], column[0], n, NULL, order, &done));
    if (done) return TB_OK;
    const size_t words = 3 * (size_t)n;
    char *room = malloc(words * sizeof(int64_t) + (size_t)n);
    if (!room) return tb__fail_memory(words * sizeof(int64_t) + (size_t)n, 0, 0, 0);
    row r = {
        .n = n, .key = (int64_t *)(void *)room, .order = order, .start = (uint8_t *)room + words * sizeof(int64_t)};
    r.room = r.key + n;
    memset(r.start, 0, (size_t)n);
    for (int64_t i = 0; i < n; i++) order[i] = i;
    tb_status status = TB_OK;
    bool alone = n <= 1;
    for (int i = 0; status == TB_OK && i < ncolumn && !alone; i++) {
        r.dtype = dtype[i];
        r.in = column[i];
        status = order_by_column(&r, i == ncolumn - 1, &alone);
    }
    free(room);
    return status;
}
