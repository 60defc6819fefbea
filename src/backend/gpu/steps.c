/* steps.c - a plan taken apart into plans of at most one operation, so that it can run on ready-made kernels.
 *
 * Step i < ninstr computes instruction i. Then come copies into the stores that no instruction wrote directly, then
 * the reduction or scan itself. Temporaries are contiguous in the order of the plan's dimensions; two of them share
 * memory when one is dead before the other is made, or as it is made. Since every instruction rounds to its own dtype,
 * the numbers are those of the whole kernel, bit for bit. */
#include <string.h>

#include "backend/gpu/kernel.h"

static int first_instr(const tb_plan *p) { return p->nload + p->nscalar; }

static bool reads(const tb_instr *instr, int value)
{
    for (int k = 0; k < instr->nin; k++)
        if (instr->in[k] == value) return true;
    return false;
}

/* ---- taking apart --------------------------------------------------------------------------------------------- */

/* Whether store s may be written by the step of instruction i: nothing that runs later may read a load that is the
 * same memory. Memory that overlaps in another way does not occur in a plan. */
static bool may_write_early(const tb_plan *p, int s, int i)
{
    for (int l = 0; l < p->nload; l++) {
        if (p->load[l].ptr != p->store[s].ptr) continue;
        for (int j = i + 1; j < p->ninstr; j++)
            if (reads(&p->instr[j], l)) return false;
        for (int t = 0; t < p->nstore; t++)
            if (p->store[t].value == l) return false;
    }
    return true;
}

/* Copies run one after the other: none may overwrite what another still has to read. */
static bool copies_collide(const tb_plan *p)
{
    for (int s = 0; s < p->nstore; s++) {
        for (int t = 0; t < p->nstore; t++) {
            int value = p->store[t].value;
            if (s != t && value < p->nload && p->load[value].ptr == p->store[s].ptr) return true;
        }
    }
    return false;
}

static void assign_stores(tb_steps *out)
{
    const tb_plan *p = out->plan;
    memset(out->direct, -1, sizeof out->direct);
    for (int s = 0; s < p->nstore; s++) {
        int i = p->store[s].value - first_instr(p);
        if (i >= 0 && out->direct[i] < 0 && may_write_early(p, s, i)) out->direct[i] = (int8_t)s;
        else out->copy[out->ncopy++] = (int8_t)s;
    }
}

/* last[i]: the last instruction that reads instruction i's value; ninstr where a copy or the reduction does. */
static void find_last_readers(const tb_steps *steps, int *last)
{
    const tb_plan *p = steps->plan;
    const int first = first_instr(p);
    for (int i = 0; i < p->ninstr; i++) {
        last[i] = i;
        for (int k = 0; k < p->instr[i].nin; k++)
            if (p->instr[i].in[k] >= first) last[p->instr[i].in[k] - first] = i;
    }
    if (p->kind != TB_PLAN_MAP && p->store[0].value >= first) last[p->store[0].value - first] = p->ninstr;
    for (int c = 0; c < steps->ncopy; c++) {
        const int value = p->store[steps->copy[c]].value;
        if (value >= first) last[value - first] = p->ninstr;
    }
}

/* What is known of the temporaries while they are handed out: the instruction that reads one last, and the size of the
 * elements it holds. */
typedef struct use {
    int until;
    size_t itemsize;
} use;

/* A step may overwrite what it is the last to read, element by element: so chains stay in one block of memory, and in
 * the cache if they fit. */
static bool is_free(const use *u, int i, size_t itemsize)
{
    return u->until < i || (u->until == i && u->itemsize == itemsize);
}

/* The smallest temporary that is free and large enough for instruction i's value, or a new one. */
static int choose_slot(tb_steps *out, const use *uses, int i, size_t size, size_t itemsize)
{
    int best = -1;
    for (int s = 0; s < out->nslot; s++) {
        if (!is_free(&uses[s], i, itemsize) || out->slot_size[s] < size) continue;
        if (best < 0 || out->slot_size[s] < out->slot_size[best]) best = s;
    }
    if (best >= 0) return best;
    out->slot_size[out->nslot] = size;
    return out->nslot++;
}

static void assign_slots(tb_steps *out)
{
    const tb_plan *p = out->plan;
    use uses[TB_PLAN_MAXINSTR];
    int last[TB_PLAN_MAXINSTR];
    find_last_readers(out, last);
    for (int i = 0; i < p->ninstr; i++) {
        if (out->direct[i] >= 0) continue;
        const size_t itemsize = tb_dtype_size((tb_dtype)p->instr[i].dtype);
        const int s = choose_slot(out, uses, i, (size_t)p->size * itemsize, itemsize);
        out->slot[i] = (uint8_t)s;
        uses[s] = (use){last[i], itemsize};
    }
}

bool tb__steps_of(const tb_plan *p, tb_steps *out)
{
    out->plan = p;
    out->ncopy = out->nslot = 0;
    if (p->scatters) return false;
    if (p->kind == TB_PLAN_MAP) {
        if (copies_collide(p)) return false;
        assign_stores(out);
    } else {
        memset(out->direct, -1, sizeof out->direct);
    }
    assign_slots(out);
    out->n = p->ninstr + out->ncopy + (p->kind != TB_PLAN_MAP);
    return true;
}

/* ---- one step ------------------------------------------------------------------------------------------------ */

static void start(const tb_plan *p, tb_plan *out)
{
    size_t bytes = (size_t)p->ndim * sizeof(int64_t);
    out->kind = TB_PLAN_MAP;
    out->ndim = p->ndim;
    out->nload = out->nscalar = out->ninstr = out->nstore = 0;
    out->size = p->size;
    memcpy(out->shape, p->shape, bytes);
    out->uses_index = false;
    out->red = TB_NOLOOP;
    out->reduced = 0;
    out->axis = 0;
    out->count = 1;
    out->scatters = false;
    out->where = 0;
    out->combine = TB_NOLOOP;
}

static void contiguous(const tb_plan *p, int dtype, int64_t *strides)
{
    int64_t stride = (int64_t)tb_dtype_size((tb_dtype)dtype);
    for (int d = p->ndim - 1; d >= 0; d--) {
        strides[d] = stride;
        stride *= p->shape[d];
    }
}

/* Where instruction i's value is kept: strides and address. */
static char *place(const tb_steps *steps, int i, void *const *slots, int64_t *strides)
{
    const tb_plan *p = steps->plan;
    if (steps->direct[i] >= 0) {
        const tb_store *s = &p->store[steps->direct[i]];
        memcpy(strides, s->strides, (size_t)p->ndim * sizeof(int64_t));
        return s->ptr;
    }
    contiguous(p, p->instr[i].dtype, strides);
    return slots[steps->slot[i]];
}

/* Adds the source of a value to the step, a load or a scalar. */
static void add_input(const tb_steps *steps, int value, void *const *slots, tb_plan *out)
{
    const tb_plan *p = steps->plan;
    if (value >= p->nload && value < first_instr(p)) {
        out->scalar[out->nscalar++] = p->scalar[value - p->nload];
        return;
    }
    tb_load *to = &out->load[out->nload++];
    to->base = value < p->nload && p->load[value].base;
    if (value < p->nload) {
        to->ptr = p->load[value].ptr;
        to->dtype = p->load[value].dtype;
        memcpy(to->strides, p->load[value].strides, (size_t)p->ndim * sizeof(int64_t));
    } else {
        to->ptr = place(steps, value - first_instr(p), slots, to->strides);
        to->dtype = p->instr[value - first_instr(p)].dtype;
    }
}

static bool is_scalar(const tb_plan *p, int value) { return value >= p->nload && value < first_instr(p); }

/* Loads are numbered before scalars, and a value that is read twice is loaded once. */
static void add_instr(const tb_steps *steps, int i, void *const *slots, tb_plan *out)
{
    const tb_plan *p = steps->plan;
    const tb_instr *from = &p->instr[i];
    tb_instr *to = &out->instr[out->ninstr++];
    *to = *from;
    int n = 0;
    for (int scalars = 0; scalars < 2; scalars++) {
        for (int k = 0; k < from->nin; k++) {
            if (is_scalar(p, from->in[k]) != (scalars == 1)) continue;
            int same = 0;
            while (same < k && from->in[same] != from->in[k]) same++;
            if (same == k) {
                add_input(steps, from->in[k], slots, out);
                to->in[k] = (uint16_t)n++;
            } else {
                to->in[k] = to->in[same];
            }
        }
    }
    out->uses_index = (tb_loop_table[from->loop].flags & TB_LOOP_INDEX) != 0;
}

static void add_store(const tb_plan *p, int s, int value, tb_plan *out)
{
    tb_store *to = &out->store[out->nstore++];
    to->ptr = p->store[s].ptr;
    to->dtype = p->store[s].dtype;
    to->value = (uint16_t)value;
    memcpy(to->strides, p->store[s].strides, (size_t)p->ndim * sizeof(int64_t));
}

void tb__steps_plan(const tb_steps *steps, int i, void *const *slots, tb_plan *out)
{
    const tb_plan *p = steps->plan;
    start(p, out);
    if (i < p->ninstr) {
        add_instr(steps, i, slots, out);
        tb_store *to = &out->store[out->nstore++];
        to->ptr = place(steps, i, slots, to->strides);
        to->dtype = p->instr[i].dtype;
        to->value = (uint16_t)(out->nload + out->nscalar);
    } else if (i < p->ninstr + steps->ncopy) {
        int s = steps->copy[i - p->ninstr];
        add_input(steps, p->store[s].value, slots, out);
        add_store(p, s, 0, out);
    } else {
        add_input(steps, p->store[0].value, slots, out);
        add_store(p, 0, 0, out);
        out->kind = p->kind;
        out->red = p->red;
        out->reduced = p->reduced;
        out->axis = p->axis;
        out->count = p->count;
    }
    tb__plan_finish(out);
}
