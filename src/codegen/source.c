/* source.c - puts a plan's CUDA source together: the kernel texts it needs, then what is particular to its variant. */
#include "base/error.h"
#include "base/half.h"
#include "codegen/kernel_text.h"
#include "codegen/layout.h"
#include "codegen/special.h"
#include <string.h>

const char *const tb__codegen_options[] = {"--std=c++17", "--fmad=false", NULL};

enum {
    USES_INTEGER = 1,
    USES_REAL = 2,
    USES_COMPLEX = 4,
    USES_PHILOX = 8,
    USES_HALF = 16,
    USES_FLOATS = 32,
    USES_COUNTS = 64,
    SPECIAL_AT = 7, /* the bit of a special function's text, after which those of others follow */
};

static unsigned helpers_of(tb_dtype t)
{
    switch (t) {
    case TB_F16:
    case TB_BF16:
    case TB_F32:
    case TB_F64: return USES_REAL;
    case TB_C64:
    case TB_C128: return USES_REAL | USES_COMPLEX;
    default: return USES_INTEGER;
    }
}

/* A text, and those that it calls. */
static unsigned special_helpers(unsigned text)
{
    const unsigned uses = tb__special_calls(TB_CALLS(NONE) << text);
    return uses << SPECIAL_AT | USES_REAL | USES_COMPLEX * (uses >> TB_TEXT_COMPLEX & 1);
}

/* Expressions that are plain C need no helpers. */
static unsigned loop_helpers(const tb_loop_info *info)
{
    if (!(info->flags & TB_LOOP_CALLS)) return 0;
    unsigned uses = helpers_of((tb_dtype)info->out);
    for (int k = 0; k < info->nin; k++) uses |= helpers_of((tb_dtype)info->in[k]);
    const unsigned text = tb_op_table[info->op].text;
    if (text != TB_TEXT_NONE) uses |= special_helpers(text);
    if (!(info->flags & TB_LOOP_RANDOM)) return uses;
    if (info->flags & TB_LOOP_INDEX) return uses | USES_REAL | USES_PHILOX;
    return uses | USES_PHILOX | (tb_dtype_kind((tb_dtype)info->out) == TB_KIND_INT ? USES_COUNTS : USES_FLOATS);
}

static unsigned helpers(const tb_plan *p)
{
    unsigned uses = 0;
    for (int k = 0; k < tb__plan_nvalue(p); k++)
        if (tb__is_half(tb__plan_dtype(p, k))) uses |= USES_HALF;
    if (tb__is_half((tb_dtype)p->store[0].dtype)) uses |= USES_HALF;
    if (p->scatters && p->combine != TB_NOLOOP) uses |= loop_helpers(&tb_loop_table[p->combine]);
    for (int k = 0; k < p->ninstr; k++) uses |= loop_helpers(&tb_loop_table[p->instr[k].loop]);
    return uses;
}

/* Which functions of device/base.h's list stand where, form by form. */
static void add_kernel(const tb_plan *p, const tb_layout *l, tb_text *out)
{
    static const char *const kernel[] = {
        [TB_FORM_MAP] = "device_chunks device_map",
        [TB_FORM_BINS] = "device_chunks device_bins",
        [TB_FORM_TILE] = "device_tile",
        [TB_FORM_PANEL] = "device_panel",
        [TB_FORM_ROW_WARP] = "device_combine device_strip device_row_warp device_rows",
        [TB_FORM_ROW_BLOCK] = "device_combine device_strip device_row_block",
        [TB_FORM_COLUMN] = "device_combine device_column",
        [TB_FORM_SCAN_WARP] = "device_scan_warp device_rows",
        [TB_FORM_SCAN_BLOCK] = "device_scan_tile device_scan_block",
        [TB_FORM_SCAN_COLUMN] = "device_scan_column",
    };
    static const char *const shared[] = {
        [TB_FORM_SCAN_BLOCK] = "device_chain device_scan_tile device_scan_row",
        [TB_FORM_SCAN_COLUMN] = "device_scan_strip",
    };
    if (l->form == TB_FORM_SCAN_WARP || l->form == TB_FORM_SCAN_BLOCK) {
        tb__kernel_text_add("device_combine device_strip device_scan", out);
        tb__kernel_text_add(tb__scan_packs(p) ? "device_scan_packed" : "device_scan_running", out);
    }
    if (l->form == TB_FORM_SCAN_COLUMN && l->split) {
        tb__kernel_text_add("device_combine device_chain", out);
        tb__kernel_text_add(l->staged ? "device_scan_places" : "device_scan_cells", out);
    }
    tb__kernel_text_add(l->split ? shared[l->form] : kernel[l->form], out);
}

/* Helpers that a kernel does not call are no cause for a warning. */
static void add_helpers(unsigned uses, bool reduces, bool index, tb_text *out)
{
    tb__text_add(out, "#pragma nv_diag_suppress 177\n");
    tb__kernel_text_add("types", out);
    if (uses & USES_HALF) tb__kernel_text_add("half", out);
    if (uses & USES_INTEGER) tb__kernel_text_add("integer", out);
    if (uses & USES_REAL) tb__kernel_text_add("real logarithm", out);
    if (uses & USES_COMPLEX) tb__kernel_text_add("complex", out);
    if (uses & USES_PHILOX) tb__kernel_text_add("random_math philox", out);
    if (uses & (USES_FLOATS | USES_COUNTS)) tb__kernel_text_add("random_points", out);
    if (uses & USES_FLOATS) tb__kernel_text_add("random_floats", out);
    if (uses & USES_COUNTS) tb__kernel_text_add("random_counts", out);
    tb__special_texts(uses >> SPECIAL_AT, out);
    if (reduces) tb__kernel_text_add("reduce", out);
    if (index) tb__kernel_text_add("argreduce", out);
}

void tb__source_helpers(tb_text *out)
{
    add_helpers(~0u, true, true, out);
    for (int k = 0; k < TB_REDUCE_COUNT; k++)
        if (tb_fold_table[k].text) tb__kernel_text_add(tb_fold_table[k].text, out);
}

/* What takes several elements of a plan in one step, or NULL. */
static const char *steps_text(const tb_plan *p)
{
    return p->kind == TB_PLAN_REDUCE ? tb_fold_table[tb_red_table[p->red].fold].text : NULL;
}

void tb__source_body(const tb_plan *p, const tb_layout *l, tb_text *out)
{
    tb__kernel_text_add("device_wait device_base", out);
    tb__kernel_text_add(l->wide ? "device_wide" : "device_narrow", out);
    tb__text_addf(out, "enum { TB_V = %d, TB_U = %d, TB_PLAIN = %d, TB_STAGED = %d, TB_PICKS = %d };\n", l->vec,
                  l->unroll, l->plain, l->staged, tb__picks(p));
    if (p->kind == TB_PLAN_SCAN)
        tb__text_addf(out, "enum { TB_FAN_IN = %d, TB_NARROW = %d };\n", l->fan_in, tb__has_narrow_rows(p, l));
    tb__params_declare(p, l, out);
    if (p->scatters && p->combine != TB_NOLOOP) {
        tb__kernel_text_add("device_update", out);
        const tb_update u = tb__plan_update(p);
        tb__source_loop(u.combine, 1, out);
        if (u.before != TB_NOLOOP) tb__source_loop(u.before, 1, out);
        if (u.after != TB_NOLOOP) tb__source_loop(u.after, 1, out);
    }
    if (p->kind != TB_PLAN_MAP)
        tb__text_addf(out, "typedef %s tb_acc;\nenum { TB_ACC_BYTES = %zu };\n", tb__acc_type(p), tb__acc_bytes(p));
    tb__source_access(p, l, out);
    if (tb__has_quotients(p)) tb__kernel_text_add("device_quotient", out);
    if (tb__has_inverses(p, l)) tb__kernel_text_add("device_inverse", out);
    if (tb__draws_together(p, l)) tb__kernel_text_add("device_draws", out);
    tb__source_values(p, l, out);
    const char *steps = steps_text(p);
    if (steps) tb__text_addf(out, "#define TB_SEVERAL tb_%s_steps\n", steps);
    add_kernel(p, l, out);
    if (steps) tb__text_add(out, "#undef TB_SEVERAL\n");
}

tb_status tb__codegen_source(const tb_plan *p, const tb_chip *chip, tb_text *out)
{
    tb_layout l;
    tb_geometry g;
    if (p->kind == TB_PLAN_ROUTINE) return tb__routine_source(&p->routine->source, out);
    tb__layout(p, chip, &l);
    tb__geometry(p, chip, &l, &g);
    unsigned uses = helpers(p);
    const bool reduces = p->kind != TB_PLAN_MAP, index = reduces && tb_red_table[p->red].has_index;
    const bool bins = l.form == TB_FORM_BINS;
    /* The helpers of argmin and argmax cover all dtypes. */
    if (index) uses |= USES_HALF;
    if (steps_text(p)) uses |= USES_REAL;
    if (bins) uses |= helpers_of((tb_dtype)tb_red_table[tb__bin_red(p)].out);
    if (index && !l.wide) tb__text_add(out, "#define TB_POSITION tb_i32\n");
    add_helpers(uses, reduces || bins, index, out);
    if (steps_text(p)) tb__kernel_text_add(steps_text(p), out);
    tb__source_body(p, &l, out);
    return out->failed ? tb__fail(TB_ERR_MEMORY, "out of host memory while writing a kernel's source") : TB_OK;
}
