/* gather.c - elements and rows at computed offsets: read by the points of a box, or written.
 *
 * Offsets are bytes from where a base or a store is at a point. Elements move as bytes of their size, so that they may
 * lie at any address. */
#include <stddef.h>
#include <string.h>

#include "backend/cpu/plans/block.h"
#include "kernels/types.h"

/* The points of a box in runs along which an address moves by a constant step. */
typedef struct runs {
    int outer;       /* dimensions before the run's */
    int64_t n, step; /* of a run */
    int64_t i[TB_MAXDIM];
} runs;

static runs find_runs(const tb_block *b, const int64_t *strides, const int64_t *len)
{
    runs r = {.outer = b->nd, .n = 1};
    for (int d = b->nd - 1; d >= 0; d--) {
        if (len[d] > 1 && r.n > 1 && strides[b->dim[d]] != r.step * r.n) break;
        if (len[d] > 1 && r.n == 1) r.step = strides[b->dim[d]];
        r.n *= len[d];
        r.outer = d;
    }
    return r;
}

/* How far it is to the next run. */
static int64_t next_run(const tb_block *b, runs *r, const int64_t *strides, const int64_t *len)
{
    int64_t move = 0;
    for (int d = r->outer - 1; d >= 0; d--) {
        move += strides[b->dim[d]];
        if (++r->i[d] < len[d]) break;
        move -= len[d] * strides[b->dim[d]];
        r->i[d] = 0;
    }
    return move;
}

static int64_t count(const tb_block *b, const int64_t *len)
{
    int64_t n = 1;
    for (int d = 0; d < b->nd; d++) n *= len[d];
    return n;
}

void tb__box_gather(const tb_block *b, tb_cpu_loop fn, void **args, size_t item, const int64_t *strides,
                    const int64_t *len)
{
    runs r = find_runs(b, strides, len);
    char *to = args[0], *base = args[1], *offset = args[2];
    for (int64_t left = count(b, len); left > 0; left -= r.n) {
        fn(r.n, (void *[]){to, base, offset}, r.step);
        to += (size_t)r.n * item;
        offset += r.n * (int64_t)sizeof(int64_t);
        base += next_run(b, &r, strides, len);
    }
}

/* ---- scatter --------------------------------------------------------------------------------------------------- */

#define PUT(N)                                                                                       \
    static void put_##N(int64_t n, char *to, int64_t step, const int64_t *where, const char *v)      \
    {                                                                                                \
        for (int64_t k = 0; k < n; k++) memcpy(to + k * step + where[k], v + k * N, N);              \
    }
PUT(1)
PUT(2)
PUT(4)
PUT(8)
PUT(16)

static tb_cpu_update find_put(size_t item)
{
    switch (item) {
    case 1: return put_1;
    case 2: return put_2;
    case 4: return put_4;
    case 8: return put_8;
    default: return put_16;
    }
}

/* A loop that has no form of its own for this. */
static void call_run(const tb_block *b, const tb_update *u, int64_t n, char *to, int64_t step, const int64_t *where,
                     const char *v)
{
    const tb_loop_info *info = &tb_loop_table[u->combine];
    const tb_cpu_loop before = u->before != TB_NOLOOP ? b->loops[u->before] : NULL;
    const tb_cpu_loop after = u->after != TB_NOLOOP ? b->loops[u->after] : NULL;
    const size_t item = tb_dtype_size((tb_dtype)b->plan->store[0].dtype);
    const size_t value = info->nin > 1 ? tb_dtype_size((tb_dtype)info->in[1]) : 0;
    _Alignas(16) char x[2][16];
    for (int64_t k = 0; k < n; k++) {
        char *old = x[0], *new = x[1];
        memcpy(old, to + k * step + where[k], item);
        if (before) before(1, (void *[]){x[1], x[0]}, 0), old = x[1], new = x[0];
        b->loops[u->combine](1, (void *[]){new, old, (void *)(uintptr_t)(v + (size_t)k * value)}, 0);
        if (after) after(1, (void *[]){old, new}, 0), new = old;
        memcpy(to + k * step + where[k], new, item);
    }
}

void tb__box_scatter(const tb_block *b, const tb_frame *f, const int64_t *at, const int64_t *len)
{
    const tb_plan *p = b->plan;
    const tb_store *st = &p->store[0];
    runs r = find_runs(b, st->strides, len);
    char *to = (char *)(uintptr_t)tb__box_base(b, b->to ? b->to : st->ptr, st->strides, at);
    const char *v = f->ptr[st->value], *where = f->ptr[p->where];
    const size_t item = tb_dtype_size(tb__plan_dtype(p, st->value));
    const tb_update u = tb__plan_update(p);
    const tb_cpu_update fn = u.combine == TB_NOLOOP ? find_put(item)
                             : tb__update_casts(&u) ? NULL
                                                    : tb__cpu_update(u.combine);
    for (int64_t left = count(b, len); left > 0; left -= r.n) {
        if (fn) fn(r.n, to, r.step, (const int64_t *)(const void *)where, v);
        else call_run(b, &u, r.n, to, r.step, (const int64_t *)(const void *)where, v);
        v += (size_t)r.n * item;
        where += r.n * (int64_t)sizeof(int64_t);
        to += next_run(b, &r, st->strides, len);
    }
}

/* ---- rows ------------------------------------------------------------------------------------------------------ */

enum { MIN_ROW_BYTES = 32, BOX_BYTES = 1 << 17, BOX_ROWS = 1024 };

typedef struct row_move {
    tb_plan offsets; /* of the rows: what is left of the plan in the dimensions before them */
    tb_block block;
    const tb_plan *plan;
    char *to;
    const char *from;
    const tb_scalar *value; /* instead of `from`: every element becomes this number */
    const int64_t *to_strides, *from_strides;
    int first;               /* dimension of the rows */
    int64_t item, row_bytes; /* row_bytes: 0 unless rows are contiguous on both sides */
    int where;
    int64_t nbox, boxes; /* in all, and of a task */
} row_move;

static bool is_linear(const row_move *m, const int64_t *strides)
{
    int64_t step = m->item;
    for (int d = m->plan->ndim - 1; d >= m->first; d--) {
        if (strides[d] != step) return false;
        step *= m->plan->shape[d];
    }
    return true;
}

static void move_row(const row_move *m, int64_t offset, char *to, const char *from)
{
    if (m->plan->scatters) to += offset;
    else from += offset;
    if (m->value) tb__cpu_fill(*m->value, to, m->row_bytes / m->item);
    else if (m->row_bytes > 0) memcpy(to, from, (size_t)m->row_bytes);
    else
        tb__cpu_copy((size_t)m->item, m->plan->ndim - m->first, m->plan->shape + m->first, to, m->to_strides + m->first,
                     from, m->from_strides + m->first, false);
}

static void move_box(void *arg, const tb_frame *f, const int64_t *at, const int64_t *len)
{
    const row_move *m = arg;
    const int64_t *offset = (const int64_t *)(const void *)f->ptr[m->where];
    int64_t i[TB_MAXDIM] = {0}, n = count(&m->block, len);
    char *to = (char *)(uintptr_t)tb__box_base(&m->block, m->to, m->to_strides, at);
    const char *from = tb__box_base(&m->block, m->from, m->from_strides, at);
    for (int64_t k = 0; k < n; k++) {
        move_row(m, offset[k], to, from);
        for (int d = m->first - 1; d >= 0; d--) {
            to += m->to_strides[d], from += m->from_strides[d];
            if (++i[d] < len[d]) break;
            to -= len[d] * m->to_strides[d], from -= len[d] * m->from_strides[d];
            i[d] = 0;
        }
    }
}

static bool move_task(void *arg, int64_t task)
{
    row_move *m = arg;
    const int64_t first = task * m->boxes;
    return tb__block_walk(&m->block, first, tb__min(first + m->boxes, m->nbox), move_box, m);
}

/* What is moved where, if the plan does nothing but move; `moved`: its load, or -1 if it stores a number. */
static bool find_move(row_move *m, const tb_plan *p, int *moved)
{
    const tb_store *st = &p->store[0];
    const int value = st->value - p->nload - p->nscalar;
    if (p->nstore != 1 || p->uses_index) return false;
    m->offsets.ninstr = p->ninstr;
    if (p->scatters) {
        if (p->combine != TB_NOLOOP || value >= 0) return false;
        *moved = st->value < p->nload ? st->value : -1;
        if (*moved < 0) m->value = &p->scalar[st->value - p->nload];
        m->where = p->where;
    } else {
        if (value < 0 || value != p->ninstr - 1) return false;
        if (!(tb_loop_table[p->instr[value].loop].flags & TB_LOOP_ADDRESS)) return false;
        *moved = p->instr[value].in[0];
        m->where = p->instr[value].in[1];
    }
    m->to = st->ptr;
    m->to_strides = st->strides;
    m->from = m->value ? m->to : p->load[*moved].ptr;
    m->from_strides = m->value ? m->to_strides : p->load[*moved].strides;
    m->item = (int64_t)tb_dtype_size((tb_dtype)st->dtype);
    return true;
}

/* The first of the inner dimensions along which no offset changes. */
static int first_of_rows(const tb_plan *p, int moved)
{
    int d = p->ndim;
    for (; d > 0; d--)
        for (int l = 0; l < p->nload; l++)
            if (l != moved && p->load[l].strides[d - 1] != 0) return d;
    return d;
}

/* What the plan uses of its room. */
static void copy_plan(tb_plan *to, const tb_plan *p)
{
    memcpy(to, p, offsetof(tb_plan, load));
    memcpy(to->load, p->load, (size_t)p->nload * sizeof *p->load);
    memcpy(to->scalar, p->scalar, (size_t)p->nscalar * sizeof *p->scalar);
    memcpy(to->instr, p->instr, (size_t)p->ninstr * sizeof *p->instr);
    memcpy(to->store, p->store, (size_t)p->nstore * sizeof *p->store);
}

bool tb__cpu_move_rows(const tb_plan *p, tb_status *status)
{
    row_move m; /* large: most plans are other ones */
    int order[TB_MAXDIM], moved;
    int64_t row = 1;
    m.value = NULL;
    if (!find_move(&m, p, &moved)) return false;
    m.plan = p;
    m.first = first_of_rows(p, moved);
    for (int d = m.first; d < p->ndim; d++) row *= p->shape[d];
    row *= m.item;
    if (row < MIN_ROW_BYTES) return false;
    copy_plan(&m.offsets, p);
    m.offsets.ninstr -= !p->scatters;
    m.offsets.nstore = 0;
    m.offsets.scatters = false;
    m.offsets.ndim = m.first;
    m.offsets.size /= row / m.item;
    m.row_bytes = is_linear(&m, m.to_strides) && is_linear(&m, m.from_strides) ? row : 0;
    if (m.value && m.row_bytes == 0) return false;
    for (int d = 0; d < m.first; d++) order[d] = d;
    tb__block_start(&m.block, &m.offsets, m.first, order);
    tb__block_fit(&m.block, 0, m.first, tb__max(1, tb__min(BOX_ROWS, BOX_BYTES / row)));
    tb__block_finish(&m.block, m.where, false);
    m.nbox = tb__block_boxes(&m.block, 0, m.first);
    m.boxes = p->scatters ? m.nbox : 1;
    *status = tb__parallel(tb__ceil_div(m.nbox, m.boxes), move_task, &m);
    return true;
}
