/* tier.c - which kernels to run a plan on, and when to have its own compiled.
 *
 * A plan of several operations runs step by step, if their kernels are there, until its own is: nobody waits for that.
 * It is compiled in the background once it comes again, or at once where a run step by step loses enough; what has
 * lost most comes first. Where it comes for the first time and is small nothing is looked for, generated or kept for it
 * but a hash: programs whose expressions never repeat pay what they would without fusion. Where one run step by step
 * loses so much that a compilation costs little beside it, the plan waits for its own kernel when it is first met.
 *
 * A plan waits too where kernels of steps are missing: its own and those are compiled at the same time, as far as
 * there are threads, and it runs as soon as either way is open. So a program whose expressions never repeat comes to
 * have all steps. TOMBAC_COMPILE=sync has everything wait for its own kernel. */
#include <stdlib.h>
#include <string.h>

#include "backend/gpu/kernel.h"
#include "base/environment.h"
#include "base/error.h"
#include "base/lock.h"

static bool tiered(void)
{
    static int policy = -1; /* under the core lock */
    if (policy < 0) policy = tb__environment(TB_ENV_COMPILE, -1) != 0;
    return policy != 0;
}

bool tb__tier_hurries(void) { return tiered(); }

void tb__tier_show(tb_text *out)
{
    tb__text_addf(out, "compilation: %s\n", tiered() ? "tiered" : "when first met (TOMBAC_COMPILE=sync)");
}

/* Whether there are no steps of it. */
static bool is_single(const tb_plan *p)
{
    return p->kind == TB_PLAN_MAP ? p->ninstr <= 1 && p->nstore == 1 : p->ninstr == 0;
}

tb_status tb__tier_advance(tb_kernel *k, const tb_plan *p, tb_kernel_place place)
{
    if (tb__kernel_state(k) == TB_KERNEL_COMPILED) TB_TRY(tb__kernel_load(k));
    return tb__kernel_state(k) == TB_KERNEL_MISSING ? tb__kernel_search(k, p, place) : TB_OK;
}

tb_status tb__tier_force(tb_kernel *k, const tb_plan *p)
{
    if (tb__kernel_state(k) == TB_KERNEL_QUEUED) {
        const tb_wanted whole = {.whole = k};
        tb__compilers_raise(k, (uint64_t)TB_WORTH_WAITING);
        tb__compilers_wait_for(&whole);
    }
    if (k->failure == TB_ERR_LIBRARY) TB_TRY(tb__gpu->compiler_load());
    TB_TRY(tb__tier_advance(k, p, TB_ON_DISK));
    return tb__kernel_state(k) == TB_KERNEL_READY ? TB_OK : tb__kernel_compile(k, p);
}

/* ---- waiting ---------------------------------------------------------------------------------------------------- */

static _Thread_local tb_wanted wanted; /* by the plan that was told to wait last */

void tb__tier_wait(void)
{
    tb__count_up(&tb__count.compile_waits);
    tb__compilers_wait_for(&wanted);
}

/* Has k compiled, which is MISSING or QUEUED, for somebody who waits: it may be COMPILED by now, and is not to be once
 * more. Where there are no threads it is done here. */
static tb_status want(tb_stream *s, tb_kernel *k, const tb_plan *p, bool steps, tb_tier_choice *out)
{
    const tb_kernel_state state = tb__kernel_state(k);
    if (state == TB_KERNEL_QUEUED) tb__compilers_raise(k, (uint64_t)TB_WORTH_WAITING);
    else if (state == TB_KERNEL_MISSING && !tb__compilers_submit(k, p, (uint64_t)TB_WORTH_WAITING))
        return tb__tier_force(k, p);
    wanted.whole = k;
    wanted.steps = false;
    if (steps) tb__ready_want(s, p, &wanted);
    *out = TB_TIER_WAIT;
    return TB_OK;
}

/* ---- the decision ----------------------------------------------------------------------------------------------- */

static tb_when when_to_compile(int device, const tb_plan *p, const tb_profile *m, uint64_t *saved)
{
    *saved = tb__cost_saved(p, &tb__gpu_devices[device].speed);
    return tb__cost_when(*saved, !m || m->before, tb__cost_compile(p));
}

static void note_steps(tb_profile *m, uint64_t saved)
{
    if (!m) return;
    m->before = true;
    m->lost += saved;
}

tb_tier_choice tb__tier_meet(tb_stream *s, const tb_plan *p, tb_ready *steps)
{
    uint64_t saved;
    if (is_single(p) || !tiered()) return TB_TIER_WHOLE;
    tb_profile *m = tb__profile_of(s->device, p);
    if (!m || m->before || when_to_compile(s->device, p, m, &saved) != TB_LATER) return TB_TIER_WHOLE;
    if (!tb__ready_steps(s, p, TB_IN_PROCESS, steps)) return TB_TIER_WHOLE;
    note_steps(m, saved);
    return TB_TIER_STEPS;
}

/* Whether k has come to where it stays: it can be launched, or a launch will say why it cannot. */
static bool has_ended(const tb_kernel *k)
{
    const tb_kernel_state state = tb__kernel_state(k);
    return state == TB_KERNEL_READY || state == TB_KERNEL_FAILED;
}

/* Has k compiled in the background. One that is new may never come again: it gets what time is left over. If it cannot
 * be done k stays as it is, and runs step by step for now. */
static void compile_soon(tb_kernel *k, const tb_plan *p, const tb_profile *m, uint64_t saved)
{
    const uint64_t worth = saved + (m ? m->lost : 0);
    const tb_kernel_state state = tb__kernel_state(k);
    if (state == TB_KERNEL_QUEUED) tb__compilers_raise(k, worth);
    else if (state == TB_KERNEL_MISSING && (!m || m->before || tb__compilers_idle() > 0))
        tb__compilers_submit(k, p, worth);
}

static tb_status choose(tb_stream *s, tb_kernel *k, const tb_plan *p, tb_ready *steps, tb_tier_choice *out)
{
    uint64_t saved;
    tb_profile *m = tb__profile_of(s->device, p);
    const tb_when when = when_to_compile(s->device, p, m, &saved);
    for (tb_kernel_place place = when == TB_NOW ? TB_ON_DISK : TB_SHIPPED; place <= TB_ON_DISK; place++) {
        TB_TRY(tb__tier_advance(k, p, place));
        if (has_ended(k)) return tb__tier_force(k, p);
        if (when == TB_NOW || !tb__ready_steps(s, p, place, steps)) continue;
        if (when == TB_SOON) compile_soon(k, p, m, saved);
        note_steps(m, saved);
        *out = TB_TIER_STEPS;
        return TB_OK;
    }
    if (m) m->before = true;
    return want(s, k, p, when != TB_NOW, out);
}

static tb_status choose_whole(tb_stream *s, tb_kernel *k, const tb_plan *p, tb_tier_choice *out)
{
    TB_TRY(tb__tier_advance(k, p, TB_ON_DISK));
    return has_ended(k) ? tb__tier_force(k, p) : want(s, k, p, false, out);
}

/* Without a compiler, steps that were shipped are the way to run; every other failure is the caller's to see. */
tb_status tb__tier_choose(tb_stream *s, tb_kernel *k, const tb_plan *p, tb_ready *steps, tb_tier_choice *out)
{
    const bool single = is_single(p);
    *out = TB_TIER_WHOLE;
    const tb_status status = single || !tiered() ? choose_whole(s, k, p, out) : choose(s, k, p, steps, out);
    if (status != TB_ERR_LIBRARY || single || !tb__ready_steps(s, p, TB_ON_DISK, steps)) return status;
    *out = TB_TIER_STEPS;
    return TB_OK;
}
