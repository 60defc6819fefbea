/* ready.c - a plan step by step, up to the point where nothing is left but to call the driver.
 *
 * No step may run before all of them are known to: the first may overwrite what the whole kernel would read. So every
 * step is prepared once, its launch is kept, and the driver is called with it later. */
#include <stdlib.h>

#include "backend/gpu/kernel.h"

/* The launch of a step by its variant. */
static bool by_variant(int device, const tb_plan *p, const tb_outline *o, tb_kernel_place place, tb_launch *out)
{
    tb_variant v;
    tb_kernel *k;
    if (tb__codegen_variant(p, &tb__gpu_devices[device].chip, &v) != TB_OK) return false;
    if (tb__kernel_get(device, &v, &k) != TB_OK) return false;
    if (tb__kernel_state(k) != TB_KERNEL_READY && tb__tier_advance(k, p, place) != TB_OK) return false;
    if (tb__kernel_state(k) != TB_KERNEL_READY) return false;
    if (o) tb__recent_add(device, o, k, &v);
    if (!o || !tb__recent_find(device, o, p, out)) out->function = NULL;
    return true;
}

static bool prepare(int device, const tb_plan *p, tb_kernel_place place, tb_launch *out)
{
    tb_outline o;
    const bool outlined = tb__codegen_outline(p, &o);
    if (outlined && tb__recent_find(device, &o, p, out)) return true;
    return by_variant(device, p, outlined ? &o : NULL, place, out);
}

static bool prepare_all(int device, tb_kernel_place place, tb_ready *r)
{
    tb_plan step;
    for (int i = 0; i < r->steps.n; i++) {
        tb__steps_plan(&r->steps, i, r->slots, &step);
        if (!prepare(device, &step, place, &r->launch[i])) return false;
    }
    return true;
}

static void give_back(tb_stream *s, void *const *slots, int n)
{
    while (n > 0) tb__pool_free(s->device, s->handle, slots[--n]);
}

static bool take_slots(tb_stream *s, const tb_steps *steps, void **slots)
{
    for (int n = 0; n < steps->nslot; n++) {
        if (tb__pool_alloc(s, steps->slot_size[n], &slots[n]) == TB_OK) continue;
        give_back(s, slots, n);
        return false;
    }
    return true;
}

bool tb__ready_steps(tb_stream *s, const tb_plan *p, tb_kernel_place place, tb_ready *out)
{
    if (!tb__steps_of(p, &out->steps)) return false;
    out->launch = malloc((size_t)out->steps.n * sizeof *out->launch);
    if (out->launch && take_slots(s, &out->steps, out->slots)) {
        if (prepare_all(s->device, place, out)) return true;
        give_back(s, out->slots, out->steps.nslot);
    }
    free(out->launch);
    return false;
}

void tb__ready_free(tb_stream *s, tb_ready *r)
{
    give_back(s, r->slots, r->steps.nslot);
    free(r->launch);
}

/* ---- what is missing ------------------------------------------------------------------------------------------- */

/* False: there are too many. */
static bool add_wanted(tb_wanted *w, tb_kernel *k)
{
    int i = 0;
    while (i < w->nstep && w->step[i] != k) i++;
    if (i == TB_COMPILERS_MAX) return false;
    w->step[i] = k;
    w->nstep += i == w->nstep;
    return true;
}

/* False where the step will not be there by waiting. */
static bool want_step(int device, const tb_plan *p, tb_wanted *w)
{
    tb_variant v;
    tb_kernel *k;
    if (tb__codegen_variant(p, &tb__gpu_devices[device].chip, &v) != TB_OK) return false;
    if (tb__kernel_get(device, &v, &k) != TB_OK || tb__tier_advance(k, p, TB_ON_DISK) != TB_OK) return false;
    if (tb__kernel_state(k) == TB_KERNEL_MISSING &&
        (tb__compilers_idle() == 0 || !tb__compilers_submit(k, p, (uint64_t)TB_WORTH_WAITING)))
        return false;
    return tb__kernel_state(k) == TB_KERNEL_QUEUED ? add_wanted(w, k) : tb__kernel_state(k) != TB_KERNEL_FAILED;
}

/* Each of the steps is asked for, also where it is known that they will not be all: the next plan has some of them. */
void tb__ready_want(tb_stream *s, const tb_plan *p, tb_wanted *w)
{
    tb_steps steps;
    void *slots[TB_PLAN_MAXINSTR];
    tb_plan step;
    bool all = true;
    w->nstep = 0;
    w->steps = false;
    if (!tb__steps_of(p, &steps) || !take_slots(s, &steps, slots)) return;
    for (int i = 0; i < steps.n; i++) {
        tb__steps_plan(&steps, i, slots, &step);
        all &= want_step(s->device, &step, w);
    }
    give_back(s, slots, steps.nslot);
    w->steps = all;
}
