/* plan.c - bringing a plan's iteration space into its simplest form, and printing plans. */
#include "plan/plan.h"

#include <string.h>

#include "base/shape.h"
#include "base/text.h"

/* Every operand's strides, those first that decide the order of dimensions: a reduction reads much, writes little. */
static int operands(tb_plan *p, int64_t *strides[TB_PLAN_MAXLOAD + TB_PLAN_MAXSTORE])
{
    int n = 0;
    bool loads_first = p->kind == TB_PLAN_REDUCE;
    for (int i = 0; i < p->nload && loads_first; i++) strides[n++] = p->load[i].strides;
    for (int i = 0; i < p->nstore; i++) strides[n++] = p->store[i].strides;
    for (int i = 0; i < p->nload && !loads_first; i++) strides[n++] = p->load[i].strides;
    return n;
}

static void move_dim(tb_plan *p, int n, int64_t **strides, int to, int from)
{
    p->shape[to] = p->shape[from];
    for (int i = 0; i < n; i++) strides[i][to] = strides[i][from];
    uint32_t bit = p->reduced >> from & 1;
    p->reduced = (p->reduced & ~(1u << to)) | bit << to;
    if (p->kind == TB_PLAN_SCAN && p->axis == from) p->axis = to;
}

static void drop_ones(tb_plan *p, int n, int64_t **strides)
{
    int ndim = 0;
    for (int d = 0; d < p->ndim; d++) {
        if (p->shape[d] == 1 && !(p->kind == TB_PLAN_SCAN && d == p->axis)) continue;
        if (ndim != d) move_dim(p, n, strides, ndim, d);
        ndim++;
    }
    p->ndim = ndim;
    p->reduced &= ndim < 32 ? (1u << ndim) - 1 : ~0u;
}

static int64_t magnitude(int64_t v) { return v < 0 ? -v : v; }

/* Outer dimensions first: by the strides of the first operand that tells them apart. */
static bool belongs_outside(int n, int64_t **strides, int inner, int outer)
{
    for (int i = 0; i < n; i++) {
        int64_t a = magnitude(strides[i][inner]), b = magnitude(strides[i][outer]);
        if (a == 0 || b == 0 || a == b) continue;
        return a > b;
    }
    return false;
}

static void swap_dims(tb_plan *p, int n, int64_t **strides, int a, int b)
{
    int64_t t = p->shape[a];
    p->shape[a] = p->shape[b];
    p->shape[b] = t;
    for (int i = 0; i < n; i++) {
        t = strides[i][a];
        strides[i][a] = strides[i][b];
        strides[i][b] = t;
    }
    uint32_t differ = (p->reduced >> a ^ p->reduced >> b) & 1;
    p->reduced ^= differ << a | differ << b;
}

static void permute(tb_plan *p, int n, int64_t **strides)
{
    for (int d = 1; d < p->ndim; d++)
        for (int k = d; k > 0 && belongs_outside(n, strides, k, k - 1); k--) swap_dims(p, n, strides, k, k - 1);
}

static bool mergeable(const tb_plan *p, int n, int64_t **strides, int outer, int inner)
{
    if (p->kind == TB_PLAN_SCAN && (outer == p->axis || inner == p->axis)) return false;
    if ((p->reduced >> outer & 1) != (p->reduced >> inner & 1)) return false;
    for (int i = 0; i < n; i++)
        if (strides[i][outer] != strides[i][inner] * p->shape[inner]) return false;
    return true;
}

static void merge(tb_plan *p, int n, int64_t **strides)
{
    int at = 0;
    for (int d = 1; d < p->ndim; d++) {
        if (mergeable(p, n, strides, at, d)) {
            int64_t both = p->shape[at] * p->shape[d];
            move_dim(p, n, strides, at, d);
            p->shape[at] = both;
        } else {
            at++;
            if (at != d) move_dim(p, n, strides, at, d);
        }
    }
    p->ndim = at + 1;
    p->reduced &= p->ndim < 32 ? (1u << p->ndim) - 1 : ~0u;
}

/* isnan of integers and the like are one truth value everywhere: nothing is read for it. */
static void drop_operands(tb_plan *p)
{
    const uint16_t flags = p->ninstr == 1 && !p->scatters ? tb_loop_table[p->instr[0].loop].flags : 0;
    if (!(flags & (TB_LOOP_ALWAYS | TB_LOOP_NEVER))) return;
    if (p->nstore != 1 || p->store[0].value != p->nload + p->nscalar) return;
    p->scalar[0] = (tb_scalar){.dtype = TB_BOOL, .v.i = flags & TB_LOOP_ALWAYS ? 1 : 0};
    p->nscalar = 1;
    p->nload = p->ninstr = 0;
    p->store[0].value = 0;
}

void tb__plan_finish(tb_plan *p)
{
    int64_t *strides[TB_PLAN_MAXLOAD + TB_PLAN_MAXSTORE];
    p->size = tb__product(p->ndim, p->shape);
    drop_operands(p);
    if (p->size == 0 || (p->ndim == 1 && p->size > 1)) return;
    int n = operands(p, strides);
    drop_ones(p, n, strides);
    if (p->ndim < 2) return;
    bool ordered = p->uses_index || p->kind == TB_PLAN_SCAN || p->scatters ||
                   (p->kind == TB_PLAN_REDUCE && tb_red_table[p->red].has_index);
    if (!ordered) permute(p, n, strides);
    merge(p, n, strides);
}

void tb__plan_start(tb_plan *p, int ndim, const int64_t *shape)
{
    p->kind = TB_PLAN_MAP;
    p->ndim = ndim;
    p->nload = p->nscalar = p->ninstr = p->nstore = 0;
    p->uses_index = false;
    p->red = TB_NOLOOP;
    p->reduced = 0;
    p->axis = 0;
    p->count = 1;
    p->scatters = false;
    p->where = 0;
    p->combine = TB_NOLOOP;
    memcpy(p->shape, shape, (size_t)ndim * sizeof(int64_t));
}

/* ---- printing ------------------------------------------------------------------------------------------------- */

static void print_shape(const tb_plan *p, tb_text *out)
{
    tb__text_addf(out, "(");
    for (int d = 0; d < p->ndim; d++)
        tb__text_addf(out, "%s%lld%s", d ? ", " : "", (long long)p->shape[d], p->reduced >> d & 1 ? " reduced" : "");
    tb__text_addf(out, ")");
}

static void print_scalar(const tb_scalar *s, tb_text *out)
{
    if (s->dtype >= TB_C64) tb__text_addf(out, "%.9g%+.9gj", s->v.c.re, s->v.c.im);
    else if (s->dtype >= TB_F16) tb__text_addf(out, "%.9g", s->v.f);
    else if (tb_dtype_is_unsigned(s->dtype)) tb__text_addf(out, "%llu", (unsigned long long)s->v.u);
    else tb__text_addf(out, "%lld", (long long)s->v.i);
}

tb_update tb__plan_update(const tb_plan *p)
{
    tb_update u = {TB_NOLOOP, p->scatters ? p->combine : TB_NOLOOP, TB_NOLOOP};
    if (u.combine == TB_NOLOOP) return u;
    const tb_loop_info *info = &tb_loop_table[u.combine];
    const tb_dtype t = (tb_dtype)p->store[0].dtype;
    if (info->in[0] != t) u.before = tb__cast_loop(t, (tb_dtype)info->in[0]);
    if (info->out != t) u.after = tb__cast_loop((tb_dtype)info->out, t);
    return u;
}

void tb__plan_print(const tb_plan *p, tb_text *out)
{
    static const char *const kind[] = {"elementwise", "reduction", "scan"};
    tb__text_addf(out, "%s kernel over ", kind[p->kind]);
    print_shape(p, out);
    tb__text_addf(out, "\n");
    int v = 0;
    for (int i = 0; i < p->nload; i++, v++)
        tb__text_addf(out, "  v%d = %s %s\n", v, p->load[i].base ? "base" : "load", tb_dtype_name(p->load[i].dtype));
    for (int i = 0; i < p->nscalar; i++, v++) {
        tb__text_addf(out, "  v%d = %s ", v, tb_dtype_name(p->scalar[i].dtype));
        print_scalar(&p->scalar[i], out);
        tb__text_addf(out, "\n");
    }
    for (int i = 0; i < p->ninstr; i++, v++) {
        const tb_instr *x = &p->instr[i];
        tb__text_addf(out, "  v%d = %s %s(", v, tb_dtype_name(x->dtype), tb__op_of(x->loop)->name);
        for (int k = 0; k < x->nin; k++) tb__text_addf(out, "%sv%d", k ? ", " : "", x->in[k]);
        tb__text_addf(out, ")\n");
    }
    if (p->kind != TB_PLAN_MAP) tb__text_addf(out, "  %s\n", tb_red_table[p->red].name);
    for (int i = 0; i < p->nstore; i++)
        tb__text_addf(out, "  store %s v%d%s", tb_dtype_name(p->store[i].dtype), p->store[i].value,
                      p->scatters ? "" : "\n");
    if (!p->scatters) return;
    tb__text_addf(out, " at v%d", p->where);
    if (p->combine != TB_NOLOOP) tb__text_addf(out, ", %s", tb__op_of(p->combine)->name);
    tb__text_addf(out, "\n");
}
