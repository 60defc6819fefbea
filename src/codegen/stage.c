/* stage.c - operands through shared memory. Where short rows lie one behind another but begin at any element,
 * neighbours cannot be moved as chunks, and threads that go along rows, or down columns, are not side by side in
 * memory. What a block needs of such an operand is one piece of memory, though. The block moves it as it lies there, 16
 * bytes at a time (kernels/device/stage.h), and finds its way in shared memory. */
#include "codegen/kernel_text.h"
#include "codegen/layout.h"

/* Whether an operand's rows lie one behind another: in the order of dim[], or, of columns, with A inside B. */
static bool is_dense(const tb_plan *p, const tb_layout *l, int k)
{
    const int64_t *strides = tb__operand_strides(p, k);
    const int dims = l->na + l->nb, last = l->inner < l->na ? l->na : dims;
    int64_t expected = (int64_t)tb_dtype_size(tb__operand_dtype(p, k));
    for (int n = dims; n-- > 0;) {
        const int t = (n + last) % dims;
        if (strides[l->dim[t]] != expected) return false;
        expected *= p->shape[l->dim[t]];
    }
    return true;
}

bool tb__moves_in_chunks(const tb_plan *p, const tb_layout *l, int k)
{
    const int64_t *strides = tb__operand_strides(p, k), size = (int64_t)tb_dtype_size(tb__operand_dtype(p, k));
    uintptr_t bits = (uintptr_t)tb__operand_ptr(p, k);
    for (int t = 0; t < l->na + l->nb; t++)
        if (t != l->inner) bits |= (uintptr_t)strides[l->dim[t]];
    return strides[l->dim[l->inner]] == size && bits % (uintptr_t)(size * l->wanted < 16 ? size * l->wanted : 16) == 0;
}

/* The access of operand k if rows are staged; TB_ACCESS_STRIDED where none will do. */
static tb_access staged_access(const tb_plan *p, const tb_layout *l, int k)
{
    const int64_t stride = tb__operand_strides(p, k)[l->dim[l->inner]];
    if (l->access[k] == TB_ACCESS_SAME) return TB_ACCESS_SAME;
    if (tb__is_base(p, k)) return TB_ACCESS_STRIDED;
    if (is_dense(p, l, k)) return TB_ACCESS_STAGED;
    if (stride == 0 && k < p->nload) return TB_ACCESS_SPREAD;
    /* A vector that is the same for all rows, perhaps. */
    return tb__moves_in_chunks(p, l, k) ? TB_ACCESS_VECTOR : TB_ACCESS_STRIDED;
}

int tb__sharing_load(const tb_plan *p, const tb_layout *l)
{
    const size_t size = tb_dtype_size(tb__operand_dtype(p, p->nload));
    for (int k = 0; k < p->nload && l->form == TB_FORM_SCAN_COLUMN; k++)
        if (l->access[k] == TB_ACCESS_STAGED && tb_dtype_size(tb__operand_dtype(p, k)) == size) return k;
    return -1;
}

int64_t tb__stage_bytes(const tb_plan *p, const tb_layout *l, int64_t elements)
{
    const int sharing = tb__sharing_load(p, l);
    int64_t bytes = 0;
    for (int k = 0; k < l->noperand; k++)
        if (l->access[k] == TB_ACCESS_STAGED && k != sharing)
            bytes += elements * (int64_t)tb_dtype_size(tb__operand_dtype(p, k)) + TB_STAGE_ENDS;
    return bytes;
}

/* Threads that go along very short rows side by side share what they read already. Of long rows neighbouring lanes read
 * neighbours, which does as well for gathered chunks. */
static bool is_worth_it(const tb_plan *p, const tb_layout *l)
{
    enum { SHORT = 16, SHORT_SCAN = 4, LONG = 64 };
    if (l->along < (p->kind == TB_PLAN_REDUCE ? SHORT : SHORT_SCAN)) return false;
    return tb__layout_chunks(l) <= LONG || (p->kind == TB_PLAN_REDUCE && !tb__is_inexact(p));
}

/* A block has one tile of all columns. */
static int64_t strip_bytes(const tb_plan *p, const tb_layout *l)
{
    return tb__stage_bytes(p, l, TB_LARGEST_BLOCK * tb__narrow_unroll(p));
}

/* Results, and until then the values that are scanned, and of the loads what there is room for. */
static void stage_columns(const tb_plan *p, tb_layout *l)
{
    enum { MOST = 42 << 10 }; /* bytes; the kernel has some of its own */
    const int out = p->nload;
    if (l->nb > 1 || !is_dense(p, l, out)) return;
    if (tb_dtype_size(tb__operand_dtype(p, out)) < tb_dtype_size((tb_dtype)tb_red_table[p->red].in)) return;
    l->access[out] = TB_ACCESS_STAGED;
    l->staged = true;
    for (int k = 0; k < p->nload; k++) {
        tb_layout staged = *l;
        if (l->access[k] == TB_ACCESS_SAME || tb__is_base(p, k) || !is_dense(p, l, k)) continue;
        staged.access[k] = TB_ACCESS_STAGED;
        if (strip_bytes(p, &staged) <= MOST) *l = staged;
    }
}

static void stage_rows(const tb_plan *p, const tb_chip *chip, tb_layout *l)
{
    tb_layout staged = *l;
    const int n = p->kind == TB_PLAN_REDUCE ? p->nload : l->noperand;
    for (int k = 0; k < n; k++) {
        staged.access[k] = (uint8_t)staged_access(p, l, k);
        if (staged.access[k] == TB_ACCESS_STRIDED) return;
        staged.staged |= staged.access[k] == TB_ACCESS_STAGED;
    }
    staged.vec = l->wanted;
    staged.gather = false;
    if (!staged.staged || !is_worth_it(p, &staged) || !tb__rows_fit_warps(chip, &staged)) return;
    const int64_t rows = TB_SMALLEST_BLOCK / tb__warp_lanes(p, chip, &staged);
    if (tb__stage_bytes(p, &staged, rows * l->along) <= TB_STAGE) *l = staged;
}

void tb__stage(const tb_plan *p, const tb_chip *chip, tb_layout *l)
{
    if (p->size < (int64_t)chip->sms * chip->threads_per_sm) return;
    if (tb__has_narrow_rows(p, l)) stage_columns(p, l);
    else if (l->inner >= l->na && (l->vec < l->wanted || l->gather)) stage_rows(p, chip, l);
}

/* Which bytes of operand k a block has. */
static void add_extent(const tb_plan *p, const tb_layout *l, int k, tb_text *out)
{
    tb__text_addf(out, "        const tb_i64 from = (tb_i64)at.o%d, bytes = count * %d;\n", l->group[k],
                  (int)tb_dtype_size(tb__operand_dtype(p, k)));
}

static void add_address(const tb_plan *p, int k, tb_text *out)
{
    tb__text_addf(out, "p.%c%d + from", k < p->nload ? 'x' : 'y', k < p->nload ? k : k - p->nload);
}

static void add_fetch(const tb_plan *p, int k, bool shares, tb_text *out)
{
    const size_t size = tb_dtype_size(tb__operand_dtype(p, k));
    if (shares) {
        tb__text_add(out, "        if (((size_t)to - (size_t)(");
        add_address(p, k, out);
        tb__text_addf(out, ")) %% 16)\n            tb_stage_shift<tb_u%d>(", size < 4 ? (int)size * 8 : 32);
        add_address(p, k, out);
        tb__text_add(out, ", (char *)tb_stage + to, (unsigned)bytes);\n        else\n    ");
    }
    tb__text_addf(out, "        tb_stage_fetch(p.x%d + from, (char *)tb_stage + to, (unsigned)bytes);\n", k);
}

static void add_stage_in(const tb_plan *p, const tb_layout *l, tb_text *out)
{
    const int sharing = tb__sharing_load(p, l);
    tb__text_add(out, "TB_FN tb_staged tb_stage_in(const tb_params &p, const tb_at &at, tb_i64 count)\n{\n"
                      "    tb_staged staged;\n    tb_i64 used = 0, to = 0;\n");
    for (int n = 0; n < l->noperand; n++) {
        /* Results before loads: what shares their places has them at hand. */
        const int k = (n + p->nload) % l->noperand;
        if (l->access[k] != TB_ACCESS_STAGED) continue;
        tb__text_add(out, "    {\n");
        add_extent(p, l, k, out);
        if (k != sharing) {
            tb__text_add(out, "        to = used + (tb_i64)((size_t)(");
            add_address(p, k, out);
            tb__text_add(out, ") % 16);\n        used = (to + bytes + 15) & ~15ll;\n");
        }
        if (k < p->nload) add_fetch(p, k, k == sharing, out);
        tb__text_addf(out, "        staged.d%d = (tb_off)(to - from);\n    }\n", k);
    }
    tb__text_add(out, "    tb_stage_fetched();\n    return staged;\n}\n");
}

static void add_stage_at(const tb_layout *l, tb_text *out)
{
    tb__text_add(out, "TB_FN void tb_stage_at(const tb_staged &staged, tb_at &at)\n{\n");
    for (int k = 0; k < l->noperand; k++)
        if (l->access[k] == TB_ACCESS_STAGED) tb__text_addf(out, "    at.o%d += staged.d%d;\n", l->group[k], k);
    tb__text_add(out, "}\n");
}

static void add_stage_out(const tb_plan *p, const tb_layout *l, tb_text *out)
{
    tb__text_add(out, "TB_FN void tb_stage_out(const tb_params &p, const tb_staged &staged, const tb_at &at,"
                      " tb_i64 count)\n{\n    __syncthreads();\n");
    for (int k = p->nload; k < l->noperand; k++) {
        if (l->access[k] != TB_ACCESS_STAGED) continue;
        tb__text_add(out, "    {\n");
        add_extent(p, l, k, out);
        tb__text_addf(out, "        tb_stage_move((const char *)tb_stage + (from + staged.d%d), ", k);
        add_address(p, k, out);
        tb__text_add(out, ", (unsigned)bytes);\n    }\n");
    }
    tb__text_add(out, "}\n");
}

void tb__source_stage(const tb_plan *p, const tb_layout *l, tb_text *out)
{
    if (!l->staged)
        tb__text_add(out, "struct tb_staged {};\n"
                          "TB_FN tb_staged tb_stage_in(const tb_params &, const tb_at &, tb_i64) { return {}; }\n"
                          "TB_FN void tb_stage_at(const tb_staged &, tb_at &) {}\n");
    if (!l->staged || p->kind == TB_PLAN_REDUCE)
        tb__text_add(out, "struct tb_staged;\n"
                          "TB_FN void tb_stage_out(const tb_params &, const tb_staged &, const tb_at &, tb_i64) {}\n");
    if (!l->staged) return;
    tb__kernel_text_add("device_stage", out);
    tb__text_addf(out, "__shared__ tb_vec<tb_u32, 4> tb_stage[%d];\nstruct tb_staged {\n",
                  (int)tb__ceil_div(l->form == TB_FORM_SCAN_COLUMN ? strip_bytes(p, l) : TB_STAGE, 16));
    for (int k = 0; k < l->noperand; k++)
        if (l->access[k] == TB_ACCESS_STAGED) tb__text_addf(out, "    tb_off d%d;\n", k);
    tb__text_add(out, "};\n");
    add_stage_in(p, l, out);
    add_stage_at(l, out);
    if (p->kind != TB_PLAN_REDUCE) add_stage_out(p, l, out);
}
