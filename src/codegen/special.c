/* special.c - the texts of special functions, and their functions for user kernels.
 *
 * Helpers and loops are in a namespace of their own, in which no function of C's has another's name; the functions that
 * users call are in `special`, from where no loop is called by a name of C's. */
#include "codegen/special.h"

#include <ctype.h>
#include <string.h>

#include "codegen/kernel_text.h"
#include "codegen/layout.h"
#include "codegen/user.h"

/* ---- texts ------------------------------------------------------------------------------------------------------ */

unsigned tb__special_calls(unsigned texts)
{
    static const unsigned calls[] = {
#define X(name, file, calls) calls,
        TB_SPECIAL_TEXTS(X)
#undef X
    };
    for (unsigned k = TB_SPECIAL_TEXT_COUNT - 1; k > TB_TEXT_NONE; k--)
        if (texts >> k & 1) texts |= calls[k];
    return texts;
}

void tb__special_texts(unsigned texts, tb_text *out)
{
    static const char *const files[] = {
#define X(name, file, calls) file,
        TB_SPECIAL_TEXTS(X)
#undef X
    };
    for (int k = TB_TEXT_NONE + 1; k < TB_SPECIAL_TEXT_COUNT; k++)
        if (texts >> k & 1) tb__kernel_text_add(files[k], out);
}

/* ---- functions of user kernels ---------------------------------------------------------------------------------- */

static bool is_complex(int dtype) { return dtype == TB_C64 || dtype == TB_C128; }

/* What users call it. */
static const char *name_of(const tb_ufunc *u)
{
    const char *name = strchr(u->name, '.') + 1;
    return name + (*name == '_');
}

static bool is_mentioned(const tb_ufunc *u, const char *const *code)
{
    if (!(u->facts & TB_FACT_SPECIAL)) return false;
    for (; code && *code; code++)
        if (tb__find_word(*code, name_of(u))) return true;
    return !code;
}

/* Parts of what has two results are asked for with it. */
static bool is_asked_for(const tb_ufunc *u, const char *const *code)
{
    if (is_mentioned(u, code)) return true;
    for (const tb_ufunc *v = u; v < tb_op_table + TB_NOP && v->facts & TB_FACT_SPECIAL; v++)
        if (v->nout == 2 && (v->part[0] == u || v->part[1] == u) && is_mentioned(v, code)) return true;
    return false;
}

/* The kinds of loop that functions are made of: all inputs are float, all are double, or some are complex. */
typedef enum form { OTHER, FLOATS, DOUBLES, COMPLEX } form;

static form form_of(const tb_loop_info *l)
{
    bool floats = !is_complex(l->out), doubles = floats; /* what makes both results is for none of its own */
    for (int k = 0; k < l->nin; k++) {
        if (is_complex(l->in[k])) return COMPLEX;
        floats = floats && l->in[k] == TB_F32;
        doubles = doubles && l->in[k] == TB_F64;
    }
    return floats ? FLOATS : doubles ? DOUBLES : OTHER;
}

/* A loop for floats is an overload; that for doubles a template, which whatever else is a number comes to. */
static void real_function(const char *name, const tb_loop_info *l, bool floats, tb_text *out)
{
    if (!floats) {
        tb__text_add(out, "template <");
        for (int k = 0; k < l->nin; k++) tb__text_addf(out, "%sclass tb_T%c", k ? ", " : "", 'a' + k);
        tb__text_add(out, "> ");
    }
    tb__text_addf(out, "TB_FN %s %s(", floats ? "float" : "double", name);
    for (int k = 0; k < l->nin; k++) {
        if (floats) tb__text_addf(out, "%sfloat %c", k ? ", " : "", 'a' + k);
        else tb__text_addf(out, "%stb_T%c %c", k ? ", " : "", 'a' + k, 'a' + k);
    }
    tb__text_addf(out, ") { return tb_special::op_%s(", l->name);
    for (int k = 0; k < l->nin; k++) tb__text_addf(out, "%s%s%c", k ? ", " : "", floats ? "" : "(double)", 'a' + k);
    tb__text_add(out, "); }\n");
}

static void complex_function(const char *name, const tb_loop_info *l, tb_text *out)
{
    const char *part = l->out == TB_C64 ? "float" : "double";
    tb__text_add(out, "template <template <class> class tb_Z");
    for (int k = 0; k < l->nin; k++)
        if (!is_complex(l->in[k])) tb__text_addf(out, ", class tb_T%c", 'a' + k);
    tb__text_addf(out, "> TB_FN tb_Z<%s> %s(", part, name);
    for (int k = 0; k < l->nin; k++) {
        if (is_complex(l->in[k])) tb__text_addf(out, "%sconst tb_Z<%s> &%c", k ? ", " : "", part, 'a' + k);
        else tb__text_addf(out, "%stb_T%c %c", k ? ", " : "", 'a' + k, 'a' + k);
    }
    tb__text_addf(out, ")\n{\n    const tb_special::tb_%s r = tb_special::op_%s(", tb__token[l->out], l->name);
    for (int k = 0; k < l->nin; k++) {
        const char *t = tb__token[l->in[k]], c = (char)('a' + k);
        if (is_complex(l->in[k]))
            tb__text_addf(out, "%stb_special::tb_make_%s(%c.real(), %c.imag())", k ? ", " : "", t, c, c);
        else tb__text_addf(out, "%s(tb_special::tb_%s)%c", k ? ", " : "", t, c);
    }
    tb__text_addf(out, ");\n    return tb_Z<%s>(r.re, r.im);\n}\n", part);
}

/* What has two results gives a pair of them. */
static void pair_function(const tb_ufunc *u, tb_text *out)
{
    const char *first = name_of(u->part[0]), *second = name_of(u->part[1]);
    tb__text_addf(out,
                  "template <class tb_T> TB_FN pair<decltype(%s(tb_T()))> %s(const tb_T &a)\n{\n"
                  "    return {%s(a), %s(a)};\n}\n",
                  first, name_of(u), first, second);
}

/* Each loop of the functions asked for: itself, or the function around it. */
static void each_loop(const char *const *code, bool functions, tb_text *out)
{
    for (int op = 0; op < TB_NOP; op++) {
        const tb_ufunc *u = &tb_op_table[op];
        if (!is_asked_for(u, code)) continue;
        if (u->nout == 2 && functions) pair_function(u, out);
        for (int k = 0; k < u->count && u->nout == 1; k++) {
            const tb_loop_info *l = &tb_loop_table[u->first + k];
            const form f = form_of(l);
            if (f == OTHER) continue;
            if (!functions) tb__source_loop((tb_loop)(u->first + k), 1, out);
            else if (f == COMPLEX) complex_function(name_of(u), l, out);
            else real_function(name_of(u), l, f == FLOATS, out);
        }
    }
}

static bool has_complex_loop(const tb_ufunc *u)
{
    bool found = false;
    for (int k = 0; k < u->count; k++) found = found || form_of(&tb_loop_table[u->first + k]) == COMPLEX;
    return found;
}

void tb__special_functions(const char *const *code, tb_text *out)
{
    unsigned texts = 0;
    bool complex = false;
    for (int op = 0; op < TB_NOP; op++) {
        if (!is_asked_for(&tb_op_table[op], code)) continue;
        texts |= TB_CALLS(NONE) << tb_op_table[op].text;
        complex = complex || has_complex_loop(&tb_op_table[op]);
    }
    texts = tb__special_calls(texts);
    tb__text_add(out, "#ifndef TB_SPECIAL_FUNCTIONS\n#define TB_SPECIAL_FUNCTIONS\n"
                      "#pragma nv_diag_suppress 177\nnamespace tb_special {\n");
    tb__kernel_text_add("types real", out);
    if (complex || texts & TB_CALLS(COMPLEX)) tb__kernel_text_add("complex", out);
    tb__special_texts(texts, out);
    each_loop(code, false, out);
    tb__text_add(out, "}\nnamespace special {\n"
                      "template <class tb_T> struct pair {\n    tb_T first, second;\n};\n");
    each_loop(code, true, out);
    tb__text_add(out, "}\n#endif\n");
}
