/* explain.c - what is pending, and the kernel it would become: as text, as a picture, as CUDA source. */
#include <stdio.h>
#include <string.h>

#include "backend/start.h"
#include "base/argument.h"
#include "base/error.h"
#include "base/lock.h"
#include "base/text.h"
#include "graph/build.h"
#include "graph/eval.h"
#include "graph/expr.h"

enum { ROW = 34, WIDTH = 300 };

static void svg_box(tb_text *out, int row, const char *fill, const char *text)
{
    tb__text_addf(out,
                  "<rect x='10' y='%d' width='%d' height='24' rx='4' fill='%s' stroke='#555'/>"
                  "<text x='20' y='%d' font-family='monospace' font-size='13'>%s</text>\n",
                  10 + row * ROW, WIDTH, fill, 26 + row * ROW, text);
}

static void svg_edge(tb_text *out, int from, int to)
{
    int x = 10 + WIDTH, y1 = 22 + from * ROW, y2 = 22 + to * ROW, bend = x + 12 + 9 * (to - from);
    tb__text_addf(out, "<path d='M%d %d C%d %d %d %d %d %d' fill='none' stroke='#888'/>\n", x, y1, bend, y1, bend, y2,
                  x, y2);
}

static void draw(const tb_plan *p, tb_text *out)
{
    int rows = tb__plan_nvalue(p) + p->nstore;
    char label[96];
    tb__text_addf(out, "<svg xmlns='http://www.w3.org/2000/svg' width='%d' height='%d'>\n", WIDTH + 60 + 9 * rows,
                  20 + rows * ROW);
    int v = 0;
    for (int i = 0; i < p->nload; i++, v++) {
        snprintf(label, sizeof label, "v%d: load %s", v, tb_dtype_name((tb_dtype)p->load[i].dtype));
        svg_box(out, v, "#cfe8ff", label);
    }
    for (int i = 0; i < p->nscalar; i++, v++) {
        snprintf(label, sizeof label, "v%d: scalar %s", v, tb_dtype_name(p->scalar[i].dtype));
        svg_box(out, v, "#eeeeee", label);
    }
    for (int i = 0; i < p->ninstr; i++, v++) {
        const tb_instr *x = &p->instr[i];
        snprintf(label, sizeof label, "v%d: %s %s", v, tb__op_of(x->loop)->name, tb_dtype_name((tb_dtype)x->dtype));
        svg_box(out, v, "#ffe8c0", label);
        for (int k = 0; k < x->nin; k++) svg_edge(out, x->in[k], v);
    }
    for (int i = 0; i < p->nstore; i++, v++) {
        snprintf(label, sizeof label, "store %s", tb_dtype_name((tb_dtype)p->store[i].dtype));
        svg_box(out, v, "#d5f0d0", label);
        svg_edge(out, p->store[i].value, v);
    }
    tb__text_add(out, "</svg>\n");
}

/* What the backend's library computes in one call. */
static tb_status describe_call(const char *call, char form, tb_text *out)
{
    if (form == 'c') return tb__fail(TB_ERR_NOT_IMPLEMENTED, "explain: %s is a call of a library, not a kernel", call);
    if (form == 't') tb__text_addf(out, "%s: one call of the backend's library\n", call);
    if (form != 's') return TB_OK;
    tb__text_addf(out, "<svg xmlns='http://www.w3.org/2000/svg' width='%d' height='%d'>\n", WIDTH + 20, 20 + ROW);
    svg_box(out, 0, "#ffe8c0", call);
    tb__text_add(out, "</svg>\n");
    return TB_OK;
}

static tb_status describe(tb_array *a, char form, tb_text *out)
{
    char call[96];
    tb_plan plan;
    tb_buffer *b = a->buffer;
    if (!b->expr) {
        tb__text_addf(out, form == 's' ? "<svg xmlns='http://www.w3.org/2000/svg' width='200' height='30'>"
                                         "<text x='10' y='20'>nothing pending</text></svg>\n"
                                       : "nothing pending: the array is in memory\n");
        return TB_OK;
    }
    if (tb__product_text(b->expr, call, sizeof call)) return describe_call(call, form, out);
    tb_builder w;
    TB_TRY(tb__build(&w, &plan, b->expr));
    tb__build_finish(&w);
    plan.nstore = 1;
    plan.store[0].ptr = b->ptr;
    plan.store[0].value = tb__build_value(&w, b->expr);
    plan.store[0].dtype = b->expr->dtype;
    memcpy(plan.store[0].strides, b->expr->dims + b->expr->ndim, (size_t)b->expr->ndim * sizeof(int64_t));
    tb__plan_finish(&plan);
    if (form == 's') {
        draw(&plan, out);
    } else if (form == 'c') {
        if (!tb__backend->source)
            return tb__fail(TB_ERR_NOT_IMPLEMENTED, "explain: the %s backend has no source form", tb__backend->name);
        TB_TRY(tb__device_ready("tb_explain", tb__device_current()));
        return tb__backend->source(&plan, out);
    } else {
        tb__plan_print(&plan, out);
    }
    return TB_OK;
}

tb_status tb_explain(tb_array *a, char form, char **text)
{
    TB_NOT_NULL(a, text);
    if (form != 't' && form != 's' && form != 'c')
        return tb__fail(TB_ERR_VALUE, "explain: form must be 't', 's' or 'c', not '%c'", form);
    tb_text out = {0};
    tb__lock();
    tb_status status = describe(a, form, &out);
    tb__unlock();
    if (status == TB_OK && out.failed) status = tb__fail_memory(out.cap, 0, 0, 0);
    if (status != TB_OK) tb__text_free(&out);
    else *text = out.s;
    return status;
}
