/* run.c - plans go to the backend, counted; what the calling thread defers. */
#include <stdlib.h>
#include <string.h>

#include "backend/memory/memory.h"
#include "backend/retry.h"
#include "base/environment.h"
#include "base/error.h"
#include "base/lock.h"
#include "base/tls.h"
#include "graph/eval.h"
#include "graph/expr.h"

/* ---- running -------------------------------------------------------------------------------------------------- */

static void count_kernel(int ninstr, bool fused)
{
    tb__count.launches++;
    if (!fused) return;
    tb__count.fused_kernels++;
    tb__count.fused_nodes += (uint64_t)ninstr;
}

/* Kernels that are being compiled are waited for here only where nobody above can do it without the lock. */
tb_status tb__run(tb_stream *s, tb_plan *p)
{
    if (tb__foreign) return tb__may_compute();
    tb__plan_finish(p);
    if (p->size == 0) return TB_OK;
    for (;;) {
        const tb_counters before = tb__count;
        count_kernel(p->ninstr, p->ninstr > 1 || (p->kind != TB_PLAN_MAP && p->ninstr > 0));
        const tb_status status = tb__backend->run(s, p);
        if (status == TB_OK) return status;
        tb__count.launches = before.launches;
        tb__count.fused_kernels = before.fused_kernels;
        tb__count.fused_nodes = before.fused_nodes;
        if (status != TB__AGAIN || tb__may_retry) return status;
        tb__backend->run_wait();
    }
}

bool tb__run_line(const tb_line *l)
{
    if (tb__foreign || !tb__backend->reduce_line(l)) return false;
    count_kernel(1, l->loop != TB_NOLOOP);
    return true;
}

static tb_status reach_operands(tb_stream *s, const tb_array *into, int n, const tb_operand *in)
{
    TB_TRY(tb__reach(s, into->buffer));
    for (int i = 0; i < n; i++)
        if (in[i].array) TB_TRY(tb__reach(s, in[i].array->buffer));
    return TB_OK;
}

/* Whether the operands are what a loop reads as it is, and it has run. */
static bool run_points(const tb_array *into, tb_loop loop, int n, const tb_operand *in)
{
    if (!tb__backend->run_points || tb__foreign || loop == TB_NOLOOP) return false;
    const tb_loop_info *l = &tb_loop_table[loop];
    tb_points x;
    if (into->dtype != (tb_dtype)l->out || !into->c_contiguous || into->size == 0) return false;
    for (int i = 0; i < n; i++) {
        const tb_array *a = in[i].array;
        x.in[i] = NULL;
        if (!a) {
            x.number[i] = &in[i].scalar;
            continue;
        }
        if (a->dtype != (tb_dtype)l->in[i] || a->size != into->size || !a->c_contiguous) return false;
        x.in[i] = a->buffer->ptr + a->offset;
    }
    x.loop = loop;
    x.nin = n;
    x.n = into->size;
    x.out = into->buffer->ptr + into->offset;
    if (!tb__backend->run_points(&x)) return false;
    count_kernel(1, false);
    return true;
}

tb_status tb__run_loop(tb_array *into, tb_loop loop, int n, const tb_operand *in)
{
    tb_plan plan;
    tb_stream *s;
    TB_TRY(tb__check_writable(into->buffer, "output array"));
    TB_TRY(tb__current_stream(&s));
    TB_TRY(reach_operands(s, into, n, in));
    if (!run_points(into, loop, n, in)) {
        tb__plan_of_loop(&plan, into, loop, n, in);
        TB_TRY(tb__run(s, &plan));
    }
    tb__wrote(into->buffer);
    return TB_OK;
}

/* ---- what is deferred ----------------------------------------------------------------------------------------- */

/* A thread that never chose follows the environment. */
enum { FOLLOW };
static TB_THREAD_LOCAL unsigned char fusion; /* FOLLOW, or what was chosen and 1 */
static tb_fusion fusion_default = TB_FUSION_ON;

__attribute__((constructor)) static void read_environment(void)
{
    static const tb_fusion modes[] = {TB_FUSION_OFF, TB_FUSION_ON, TB_FUSION_ALL};
    fusion_default = modes[tb__environment(TB_ENV_FUSION, 1)];
}

tb_fusion tb_fusion_get(void) { return fusion == FOLLOW ? fusion_default : (tb_fusion)(fusion - 1); }

bool tb__deferring(void) { return tb_fusion_get() != TB_FUSION_OFF; }

bool tb__is_prompt(int64_t bytes) { return tb__backend && tb__backend->on_host && bytes > 0 && bytes <= TB_PROMPT; }

/* A function that must not compute is told so by the promise. */
bool tb__is_little(int64_t bytes) { return tb__is_prompt(bytes) && tb_fusion_get() != TB_FUSION_ALL && !tb__foreign; }

tb_fusion tb_fusion_set(tb_fusion mode)
{
    tb_fusion before = tb_fusion_get();
    if ((unsigned)mode <= TB_FUSION_ALL) fusion = (unsigned char)(mode + 1);
    return before;
}
