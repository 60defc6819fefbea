/* block.c - see block.h: where values live, and the evaluation of a box. */
#include <string.h>

#include "backend/cpu/plans/block.h"

enum {
    END = TB_PLAN_MAXINSTR, /* a use after the last instruction */
    LINE = 64,              /* bytes of a cache line */
    PARTS = 8,              /* that a box is computed in, at least, if the next one is fetched meanwhile */
    PART_POINTS = 128,      /* a part is a multiple of */
    SLICE_BYTES = 1024,     /* of a result on its way past the cache: about what waits to be written at a time */
};

bool tb__elements_are_aligned(const void *ptr, int nd, const int64_t *strides, tb_dtype t)
{
    uint64_t bits = (uint64_t)(uintptr_t)ptr;
    for (int d = 0; d < nd; d++) bits |= (uint64_t)strides[d];
    return (bits & (tb_dtype_size(tb_dtype_real(t)) - 1)) == 0;
}

/* Which numbers are read as one each by all of the first `ninstr` instructions, and by nothing else. */
static void find_single(const tb_plan *p, int ninstr, bool *single)
{
    for (int i = 0; i < p->nscalar; i++) single[i] = true;
    if (p->nscalar == 0) return;
    for (int k = 0; k < p->ninstr; k++) {
        const tb_instr *in = &p->instr[k];
        if (k < ninstr && ((tb_loop_table[in->loop].flags & TB_LOOP_INDEX) || tb__loop_of_numbers(p, in))) continue;
        for (int i = 0; i < in->nin; i++)
            if (tb__is_number(p, in->in[i])) single[in->in[i] - p->nload] = false;
    }
    for (int s = 0; s < p->nstore; s++)
        if (tb__is_number(p, p->store[s].value)) single[p->store[s].value - p->nload] = false;
    if (p->scatters && tb__is_number(p, p->where)) single[p->where - p->nload] = false;
}

void tb__block_start(tb_block *b, const tb_plan *p, int nd, const int *dim)
{
    b->plan = p;
    b->loops = tb__cpu_loops();
    b->nd = nd;
    b->ninstr = p->ninstr;
    b->past = false;
    find_single(p, p->ninstr, b->single);
    b->to = NULL;
    for (int d = 0; d < nd; d++) {
        b->dim[d] = dim[d];
        b->shape[d] = p->shape[dim[d]];
        b->ext[d] = 1;
    }
}

int64_t tb__block_fit(tb_block *b, int first, int last, int64_t points)
{
    int64_t have = 1;
    for (int d = last - 1; d >= first; d--) {
        b->ext[d] = tb__min(b->shape[d], tb__max(points / have, 1));
        have *= b->ext[d];
        if (b->ext[d] < b->shape[d]) break;
    }
    return have;
}

bool tb__box_contiguous(const tb_block *b, const int64_t *strides, int64_t item, int first, int last)
{
    bool cut = false;
    for (int d = last - 1; d >= first; d--) {
        if (b->ext[d] > 1 && (cut || strides[b->dim[d]] != item)) return false;
        item *= b->ext[d];
        if (b->ext[d] < b->shape[d]) cut = true;
    }
    return true;
}

static void find_rank(tb_block *b)
{
    const tb_plan *p = b->plan;
    int64_t rank[TB_MAXDIM], n = 1;
    for (int d = p->ndim - 1; d >= 0; d--) rank[d] = n, n *= p->shape[d];
    for (int d = 0; d < b->nd; d++) b->rank[d] = rank[b->dim[d]];
}

/* ---- where values live ---------------------------------------------------------------------------------------- */

typedef struct layout {
    tb_block *b;
    int16_t last[TB_PLAN_MAXVALUE]; /* the last instruction that reads the value; END: read after all of them */
    bool copied[TB_PLAN_MAXLOAD];   /* a store copies the load after the last instruction */
    int16_t spare[TB_PLAN_MAXINSTR];
    int nspare;
} layout;

static void find_last_uses(layout *w)
{
    const tb_block *b = w->b;
    const tb_plan *p = b->plan;
    int nvalue = tb__plan_nvalue(p);
    for (int v = 0; v < nvalue; v++) w->last[v] = -1;
    for (int l = 0; l < p->nload; l++) w->copied[l] = false;
    for (int k = 0; k < p->ninstr; k++)
        for (int i = 0; i < p->instr[k].nin; i++) w->last[p->instr[k].in[i]] = (int16_t)k;
    if (b->stores && p->scatters) w->last[p->where] = w->last[p->store[0].value] = END;
    for (int s = 0; b->stores && !p->scatters && s < p->nstore; s++) {
        int v = p->store[s].value;
        if (v < p->nload) w->copied[v] = true;
        else w->last[v] = END;
    }
    if (b->want >= 0) w->last[b->want] = END;
}

/* Whether a store in its place can go past the cache: nothing reads the value or, in the plan, the memory. */
static bool can_stream(const tb_plan *p, int store)
{
    const int v = p->store[store].value;
    int k = v - p->nload - p->nscalar;
    if (tb_loop_table[p->instr[k].loop].flags & (TB_LOOP_ADDRESS | TB_LOOP_INDEX)) return false;
    for (int l = 0; l < p->nload; l++)
        if (p->load[l].ptr == p->store[store].ptr) return false;
    for (int s = 0; s < p->nstore; s++)
        if (s != store && p->store[s].value == v) return false;
    for (k++; k < p->ninstr; k++)
        for (int i = 0; i < p->instr[k].nin; i++)
            if (p->instr[k].in[i] == v) return false;
    return true;
}

/* A value is made in the store's memory if that is contiguous over a box, and no load that shares the memory is read
 * later: a store may be in place. */
static void choose_direct(layout *w)
{
    tb_block *b = w->b;
    const tb_plan *p = b->plan;
    int first = p->nload + p->nscalar;
    for (int s = 0; s < p->nstore; s++) {
        const tb_store *st = &p->store[s];
        int64_t item = (int64_t)tb_dtype_size((tb_dtype)st->dtype);
        b->direct[s] = false;
        if (st->value < first || b->slot[st->value] == TB_BLOCK_IN_STORE) continue;
        if (!tb__box_contiguous(b, st->strides, item, 0, b->nd)) continue;
        if (!tb__elements_are_aligned(st->ptr, 0, NULL, (tb_dtype)st->dtype)) continue;
        bool clear = true;
        for (int l = 0; l < p->nload; l++)
            if (p->load[l].ptr == st->ptr && (w->copied[l] || w->last[l] > st->value - first)) clear = false;
        if (!clear) continue;
        b->direct[s] = true;
        b->streamed[st->value - first] = b->past && can_stream(p, s);
        b->slot[st->value] = TB_BLOCK_IN_STORE;
    }
}

/* Whether a store writes over a load that another store copies. */
static bool is_overwritten(const tb_plan *p, int load)
{
    for (int s = 0; s < p->nstore; s++)
        if (p->store[s].value != load && p->store[s].ptr == p->load[load].ptr) return true;
    return false;
}

static void place_loads(layout *w)
{
    tb_block *b = w->b;
    const tb_plan *p = b->plan;
    for (int l = 0; l < p->nload; l++) {
        const tb_load *ld = &p->load[l];
        int64_t item = (int64_t)tb_dtype_size((tb_dtype)ld->dtype);
        bool overwritten = w->copied[l] && is_overwritten(p, l);
        if (ld->base) b->slot[l] = TB_BLOCK_BASE;
        else if (w->last[l] < 0 && !overwritten) b->slot[l] = TB_BLOCK_NONE;
        else if (!overwritten && tb__box_contiguous(b, ld->strides, item, 0, b->nd) &&
                 tb__elements_are_aligned(ld->ptr, 0, NULL, (tb_dtype)ld->dtype))
            b->slot[l] = TB_BLOCK_IN_LOAD;
        else b->slot[l] = (int16_t)b->nslot++;
    }
    for (int v = p->nload; v < p->nload + p->nscalar; v++) b->slot[v] = (int16_t)b->nslot++;
}

/* An instruction may write over an input of the same size that dies with it; an input of another size is given back
 * only after the output has its place. Slots of loads and scalars keep their content from box to box. */
static void place_instrs(layout *w)
{
    tb_block *b = w->b;
    const tb_plan *p = b->plan;
    int first = p->nload + p->nscalar;
    for (int k = 0; k < b->ninstr; k++) {
        const tb_instr *in = &p->instr[k];
        size_t item = tb_dtype_size((tb_dtype)in->dtype);
        bool placed = b->slot[first + k] == TB_BLOCK_IN_STORE;
        for (int pass = 0; pass < 2; pass++) {
            for (int i = 0; i < in->nin; i++) {
                int v = in->in[i];
                if (v < first || b->slot[v] < 0 || w->last[v] != k) continue;
                if (pass == 0 && tb_dtype_size(tb__plan_dtype(p, v)) != item) continue;
                w->spare[w->nspare++] = b->slot[v];
                w->last[v] = END;
            }
            if (pass == 0 && !placed) b->slot[first + k] = w->nspare ? w->spare[--w->nspare] : (int16_t)b->nslot++;
        }
    }
}

static void add_run(tb_block *b, const void *ptr, int dtype, bool written)
{
    b->run[b->nrun++] = (tb_run){ptr, (int64_t)tb_dtype_size((tb_dtype)dtype), written};
}

static void find_runs(tb_block *b)
{
    const tb_plan *p = b->plan;
    b->nrun = 0;
    b->slices = b->ninstr < PARTS ? PARTS / tb__max(b->ninstr, 1) : 1;
    for (int l = 0; l < p->nload; l++)
        if (b->slot[l] == TB_BLOCK_IN_LOAD) add_run(b, p->load[l].ptr, p->load[l].dtype, false);
    for (int s = 0; s < p->nstore; s++)
        if (b->direct[s] && !b->streamed[p->store[s].value - p->nload - p->nscalar])
            add_run(b, p->store[s].ptr, p->store[s].dtype, true);
}

/* A slot of a number begins with it. */
static void choose_loops(tb_block *b)
{
    const tb_plan *p = b->plan;
    for (int k = 0; k < b->ninstr; k++) {
        const tb_instr *in = &p->instr[k];
        const tb_cpu_loop of_numbers = tb__loop_of_numbers(p, in);
        b->loop[k] = of_numbers ? of_numbers : b->loops[in->loop];
    }
}

void tb__block_finish(tb_block *b, int want, bool stores)
{
    const tb_plan *p = b->plan;
    layout w;
    b->points = 1;
    for (int d = 0; d < b->nd; d++) {
        b->steps[d] = tb__ceil_div(b->shape[d], b->ext[d]);
        b->points *= b->ext[d];
    }
    if (p->uses_index) find_rank(b);
    w.b = b;
    w.nspare = 0;
    b->want = want;
    b->stores = stores;
    b->nslot = 0;
    for (int s = 0; s < p->nstore; s++) b->direct[s] = false;
    for (int k = 0; k < p->ninstr; k++) b->streamed[k] = false;
    for (int v = p->nload + p->nscalar; v < tb__plan_nvalue(p); v++) b->slot[v] = TB_BLOCK_NONE;
    find_last_uses(&w);
    if (stores && !p->scatters) choose_direct(&w);
    place_loads(&w);
    place_instrs(&w);
    b->stage = b->past ? b->nslot++ : TB_BLOCK_NONE;
    find_runs(b);
    choose_loops(b);
    if (b->ninstr < p->ninstr) find_single(p, b->ninstr, b->single);
    size_t widest = 1;
    for (int v = 0; v < tb__plan_nvalue(p); v++) {
        size_t item = tb_dtype_size(tb__plan_dtype(p, v));
        if (b->slot[v] >= 0 && item > widest) widest = item;
    }
    /* An odd number of lines apart, so that slots do not fall on the same sets of a cache. */
    b->slot_bytes = (((size_t)b->points * widest + 63) & ~(size_t)63) | 64;
    if (b->past && b->slot_bytes < SLICE_BYTES) b->slot_bytes = SLICE_BYTES | 64;
}

size_t tb__block_scratch(const tb_block *b) { return (size_t)b->nslot * b->slot_bytes; }

/* ---- evaluation ----------------------------------------------------------------------------------------------- */

void tb__frame_start(const tb_block *b, tb_frame *f, char *scratch, int64_t points)
{
    const tb_plan *p = b->plan;
    int nvalue = tb__plan_nvalue(p);
    for (int v = 0; v < nvalue; v++)
        if (b->slot[v] >= 0) f->ptr[v] = scratch + (size_t)b->slot[v] * b->slot_bytes;
    for (int l = 0; l < p->nload; l++) f->gathered[l] = NULL;
    f->next = f->next_n = 0;
    f->stage = b->past ? scratch + (size_t)b->stage * b->slot_bytes : NULL;
    for (int i = 0; i < p->nscalar; i++) tb__cpu_fill(p->scalar[i], f->ptr[p->nload + i], b->single[i] ? 1 : points);
}

static int64_t measure(const tb_block *b, int first, int last, const int64_t *at, int64_t *len)
{
    int64_t n = 1;
    for (int d = first; d < last; d++) {
        len[d] = tb__min(b->ext[d], b->shape[d] - at[d]);
        n *= len[d];
    }
    return n;
}

int64_t tb__block_boxes(const tb_block *b, int first, int last)
{
    int64_t n = 1;
    for (int d = first; d < last; d++) n *= b->steps[d];
    return n;
}

int64_t tb__block_box(const tb_block *b, int first, int last, int64_t box, int64_t *at, int64_t *len)
{
    for (int d = last - 1; d >= first; d--) {
        at[d] = box % b->steps[d] * b->ext[d];
        box /= b->steps[d];
    }
    return measure(b, first, last, at, len);
}

int64_t tb__block_next(const tb_block *b, int first, int last, int64_t *at, int64_t *len)
{
    for (int d = last - 1; d >= first; d--) {
        at[d] += b->ext[d];
        if (at[d] < b->shape[d]) break;
        at[d] = 0;
    }
    return measure(b, first, last, at, len);
}

void tb__box_copy(const tb_block *b, int first, int last, const int64_t *len, tb_dtype t, char *to,
                  const int64_t *to_strides, const char *from, const int64_t *from_strides, bool past)
{
    int64_t dense[TB_MAXDIM], ts[TB_MAXDIM], fs[TB_MAXDIM], item = (int64_t)tb_dtype_size(t), n = item;
    for (int d = last - 1; d >= first; d--) dense[d - first] = n, n *= len[d];
    for (int d = first; d < last; d++) {
        ts[d - first] = to_strides ? to_strides[b->dim[d]] : dense[d - first];
        fs[d - first] = from_strides ? from_strides[b->dim[d]] : dense[d - first];
    }
    tb__cpu_copy((size_t)item, last - first, len + first, to, ts, from, fs, past);
}

static void fetch(const tb_block *b, tb_frame *f, int l, const int64_t *at, const int64_t *len, int64_t n)
{
    const tb_load *ld = &b->plan->load[l];
    if (b->slot[l] == TB_BLOCK_NONE) return;
    const char *base = tb__box_base(b, ld->ptr, ld->strides, at);
    if (b->slot[l] == TB_BLOCK_IN_LOAD || b->slot[l] == TB_BLOCK_BASE) {
        f->ptr[l] = (char *)(uintptr_t)base;
        return;
    }
    /* Rows that are broadcast come again and again. */
    if (f->gathered[l] == base && f->gathered_n[l] == n) return;
    tb__box_copy(b, 0, b->nd, len, (tb_dtype)ld->dtype, f->ptr[l], NULL, base, ld->strides, false);
    f->gathered[l] = base;
    f->gathered_n[l] = n;
}

/* A generator is called for every stretch of the box in which the index rises by one. */
static void generate(const tb_block *b, tb_cpu_loop fn, void **args, size_t item, const int64_t *at, const int64_t *len,
                     int64_t n)
{
    int64_t run = 1, index = 0, i[TB_MAXDIM] = {0};
    int d = b->nd - 1;
    for (; d >= 0 && (len[d] == 1 || b->rank[d] == run); d--) run *= len[d];
    for (int k = 0; k < b->nd; k++) index += at[k] * b->rank[k];
    char *out = args[0];
    for (int64_t done = 0; done < n; done += run, out += (size_t)run * item) {
        args[0] = out;
        fn(run, args, index);
        for (int k = d; k >= 0; k--) {
            index += b->rank[k];
            if (++i[k] < len[k]) break;
            index -= len[k] * b->rank[k];
            i[k] = 0;
        }
    }
}

static void put(const tb_block *b, const tb_frame *f, int s, const int64_t *at, const int64_t *len)
{
    const tb_store *st = &b->plan->store[s];
    char *to = (char *)(uintptr_t)tb__box_base(b, st->ptr, st->strides, at);
    int v = st->value;
    if (b->slot[v] != TB_BLOCK_NONE) {
        tb__box_copy(b, 0, b->nd, len, (tb_dtype)st->dtype, to, st->strides, f->ptr[v], NULL, b->past);
        return;
    }
    const tb_load *ld = &b->plan->load[v];
    tb__box_copy(b, 0, b->nd, len, (tb_dtype)st->dtype, to, st->strides, tb__box_base(b, ld->ptr, ld->strides, at),
                 ld->strides, b->past);
}

/* Asks for n points of the next box, from `first` on. */
static void prefetch_next(const tb_block *b, const tb_frame *f, int64_t first, int64_t n)
{
    n = tb__min(n, f->next_n - first);
    for (int r = 0; r < b->nrun; r++) {
        const tb_run *run = &b->run[r];
        const char *from = run->ptr + (f->next + first) * run->item, *end = from + n * run->item;
        for (; from < end; from += LINE) {
            if (run->written) __builtin_prefetch(from, 1, 2);
            else __builtin_prefetch(from, 0, 3);
        }
    }
}

/* How far apart a value's points are. */
static int64_t step_of(const tb_block *b, int v)
{
    const tb_plan *p = b->plan;
    if (tb__is_number(p, v) && b->single[v - p->nload]) return 0;
    return (int64_t)tb_dtype_size(tb__plan_dtype(p, v));
}

/* Instruction k. A box of many operations is too long for the hardware to look past: the memory of the next one is
 * asked for in parts, since the processor has room for a few lines on their way and waits for more. */
static void run_slices(const tb_block *b, const tb_frame *f, int k, void *const *args, int64_t n)
{
    const tb_plan *p = b->plan;
    const tb_instr *in = &p->instr[k];
    const int64_t parts = b->slices * b->ninstr, part = tb__ceil_div(f->next_n, parts * PART_POINTS) * PART_POINTS;
    const int64_t slice = b->slices > 1 ? tb__ceil_div(n, b->slices * PART_POINTS) * PART_POINTS : n;
    int64_t item[TB_MAXARGS] = {(int64_t)tb_dtype_size((tb_dtype)in->dtype)}, at = 0;
    for (int i = 0; i < in->nin; i++) item[i + 1] = step_of(b, in->in[i]);
    for (int s = 0; s < b->slices; s++, at += slice) {
        void *ptr[TB_MAXARGS];
        prefetch_next(b, f, (k * b->slices + s) * part, part);
        if (at >= n) continue;
        for (int i = 0; i <= in->nin; i++) ptr[i] = (char *)args[i] + at * item[i];
        b->loop[k](tb__min(slice, n - at), ptr, 0);
    }
}

/* Instruction k past the cache. Slices end where lines of the destination do. */
static void run_streamed(const tb_block *b, const tb_frame *f, int k, void *const *args, int64_t n)
{
    const tb_plan *p = b->plan;
    const tb_instr *in = &p->instr[k];
    int64_t item[TB_MAXARGS] = {(int64_t)tb_dtype_size((tb_dtype)in->dtype)};
    for (int i = 0; i < in->nin; i++) item[i + 1] = step_of(b, in->in[i]);
    const int64_t slices = tb__ceil_div(n * item[0], SLICE_BYTES), whole = tb__ceil_div(f->next_n, b->ninstr);
    const int64_t part = tb__ceil_div(whole, slices);
    int64_t next = k * whole;
    for (int64_t at = 0, m; at < n; at += m, next += part) {
        char *to = (char *)args[0] + at * item[0];
        m = tb__min((SLICE_BYTES - (int64_t)((uintptr_t)to & (LINE - 1))) / item[0], n - at);
        void *ptr[TB_MAXARGS] = {f->stage};
        for (int i = 1; i <= in->nin; i++) ptr[i] = (char *)args[i] + at * item[i];
        if (f->next_n > 0) prefetch_next(b, f, next, part);
        b->loop[k](m, ptr, 0);
        tb__nontemporal_copy(to, f->stage, (size_t)(m * item[0]));
    }
}

void tb__block_eval(const tb_block *b, tb_frame *f, const int64_t *at, const int64_t *len)
{
    const tb_plan *p = b->plan;
    int64_t n = 1;
    for (int d = 0; d < b->nd; d++) n *= len[d];
    for (int l = 0; l < p->nload; l++) fetch(b, f, l, at, len, n);
    for (int s = 0; s < p->nstore; s++) {
        const tb_store *st = &p->store[s];
        if (b->direct[s]) f->ptr[st->value] = (char *)(uintptr_t)tb__box_base(b, st->ptr, st->strides, at);
    }
    char **out = f->ptr + p->nload + p->nscalar;
    for (int k = 0; k < b->ninstr; k++) {
        const tb_instr *in = &p->instr[k];
        void *args[TB_MAXARGS] = {out[k]};
        for (int i = 0; i < in->nin; i++) args[i + 1] = f->ptr[in->in[i]];
        const unsigned flags = tb_loop_table[in->loop].flags;
        if (flags & TB_LOOP_ADDRESS)
            tb__box_gather(b, b->loop[k], args, tb_dtype_size((tb_dtype)in->dtype), p->load[in->in[0]].strides, len);
        else if (flags & TB_LOOP_INDEX) generate(b, b->loop[k], args, tb_dtype_size((tb_dtype)in->dtype), at, len, n);
        else if (b->streamed[k]) run_streamed(b, f, k, args, n);
        else if (f->next_n > 0) run_slices(b, f, k, args, n);
        else b->loop[k](n, args, 0);
    }
    if (b->stores && p->scatters) {
        tb__box_scatter(b, f, at, len);
        return;
    }
    for (int s = 0; b->stores && s < p->nstore; s++)
        if (!b->direct[s]) put(b, f, s, at, len);
}

bool tb__block_walk(const tb_block *b, int64_t first, int64_t end,
                    void (*done)(void *arg, const tb_frame *f, const int64_t *at, const int64_t *len), void *arg)
{
    int64_t at[TB_MAXDIM], len[TB_MAXDIM];
    tb_frame f;
    char *scratch = tb__scratch(tb__block_scratch(b));
    if (!scratch) return false;
    tb__frame_start(b, &f, scratch, b->points);
    tb__block_box(b, 0, b->nd, first, at, len);
    const bool ahead = !done && b->nd == 1 && b->plan->ninstr > (b->past ? 0 : 1);
    for (int64_t i = first; i < end; i++) {
        if (ahead) {
            f.next = at[0] + b->ext[0];
            f.next_n = i + 1 < end ? tb__min(b->ext[0], b->shape[0] - f.next) : 0;
        }
        tb__block_eval(b, &f, at, len);
        if (done) done(arg, &f, at, len);
        if (i + 1 < end) tb__block_next(b, 0, b->nd, at, len);
    }
    if (b->past) tb__nontemporal_end();
    return true;
}
