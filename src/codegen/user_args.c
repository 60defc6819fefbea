/* user_args.c - raw arrays, scalars, typedefs and headers: what elementwise and reduction kernels have in common. */
#include <ctype.h>
#include <string.h>

#include "base/half.h"
#include "codegen/kernel_text.h"
#include "codegen/special.h"
#include "codegen/user.h"

static bool is_word_char(char c) { return isalnum((unsigned char)c) || c == '_'; }

const char *tb__find_word(const char *text, const char *word)
{
    const size_t n = strlen(word);
    for (const char *s = strstr(text, word); s; s = strstr(s + 1, word))
        if ((s == text || !is_word_char(s[-1])) && !is_word_char(s[n])) return s;
    return NULL;
}

/* ---- headers ---------------------------------------------------------------------------------------------------- */

static bool any_mentions(const char *const *text, const char *part)
{
    for (; *text; text++)
        if (strstr(*text, part)) return true;
    return false;
}

static bool any_of_type(const tb_user_params *p, const uint8_t *types, tb_dtype from, tb_dtype to)
{
    for (int k = 0; k < p->n; k++)
        if (types[k] >= from && types[k] <= to) return true;
    return false;
}

static bool any_raw(const tb_user_params *p)
{
    for (int k = 0; k < p->n; k++)
        if (p->param[k].raw) return true;
    return false;
}

/* Whether the text has `typedef ... name;` or `using name`. */
static bool declares(const char *text, const char *name)
{
    for (const char *at = tb__find_word(text, name); at; at = tb__find_word(at + 1, name)) {
        const char *after = at + strlen(name), *start = at;
        while (start > text && !strchr(";{}", start[-1])) start--;
        after += strspn(after, " \t\r\n");
        const char *word = tb__find_word(start, *after == ';' ? "typedef" : "using");
        if (word && word < at) return true;
    }
    return false;
}

/* stdint.h's names, less those that the user's text declares itself, with whatever meaning. */
static void add_types(const char *const *text, tb_text *out)
{
    static const char *const names[] = {"int8_t",  "int16_t",  "int32_t",  "int64_t",
                                        "uint8_t", "uint16_t", "uint32_t", "uint64_t"};
    bool own[8] = {false}, used = false;
    for (const char *const *t = text; *t; t++)
        for (int i = 0; i < 8; i++) {
            used |= strstr(*t, names[i]) != NULL;
            own[i] |= declares(*t, names[i]);
        }
    if (!used) return;
    for (int i = 0; i < 8; i++)
        if (own[i]) tb__text_addf(out, "#define TB_OWN_%s\n", names[i]);
    tb__kernel_text_add("user_types", out);
}

/* Not where the text has another meaning for the word, nor where it includes all of them. */
static bool uses_special(const char *const *text)
{
    return any_mentions(text, "special::") && !any_mentions(text, "namespace special") &&
           !any_mentions(text, "struct special") && !any_mentions(text, "class special") &&
           !any_mentions(text, "tombac/special.cuh");
}

/* Not where the text has another meaning for the word. */
static bool uses_bfloat(const tb_user_params *p, const uint8_t *types, const char *const *text)
{
    if (any_of_type(p, types, TB_BF16, TB_BF16)) return true;
    bool used = false;
    for (; *text; text++) {
        if (declares(*text, "bfloat16") || strstr(*text, "class bfloat16") || strstr(*text, "struct bfloat16"))
            return false;
        used |= tb__find_word(*text, "bfloat16") != NULL;
    }
    return used;
}

void tb__user_headers(const tb_user_params *p, const uint8_t *types, bool on_host, const char *const *text,
                      tb_text *out)
{
    if (!on_host) tb__text_add(out, "#pragma nv_diag_suppress 177\n#pragma nv_diag_suppress 550\n");
    add_types(text, out);
    if (any_of_type(p, types, TB_F16, TB_F16) || any_mentions(text, "float16")) tb__kernel_text_add("user_half", out);
    if (uses_bfloat(p, types, text)) tb__kernel_text_add("user_bfloat", out);
    if (any_of_type(p, types, TB_C64, TB_C128) || any_mentions(text, "complex"))
        tb__kernel_text_add("user_complex", out);
    if (uses_special(text)) tb__special_functions(text, out);
    if (any_raw(p) || any_mentions(text, "CArray") || any_mentions(text, "_ind") || any_mentions(text, "CIndexer") ||
        any_mentions(text, "CUPY_FOR"))
        tb__kernel_text_add("user_carray", out);
}

void tb__user_typedefs(const tb_user_params *p, const uint8_t *types, tb_text *out)
{
    bool done[128] = {false};
    for (int k = 0; k < p->n; k++) {
        const tb_user_param *q = &p->param[k];
        if (q->dtype != TB_NODTYPE || done[(int)q->letter]) continue;
        done[(int)q->letter] = true;
        tb__text_addf(out, "typedef %s %c;\n", tb__ctype[types[k]], q->letter);
    }
}

/* ---- raw arrays and scalars ------------------------------------------------------------------------------------- */

static void carray(const tb_user_raw *r, tb_dtype t, tb_text *out)
{
    tb__text_addf(out, "CArray<%s, %d, %s, %s>", tb__ctype[t], r->ndim, r->contiguous ? "true" : "false",
                  r->narrow ? "true" : "false");
}

void tb__user_fields(const tb_user_params *p, const uint8_t *types, const bool *is_element, const tb_user_raw *raw,
                     tb_text *out)
{
    for (int k = 0; k < p->n; k++) {
        if (is_element[k]) continue;
        if (p->param[k].raw && raw[k].ndim != TB_NODTYPE) {
            tb__text_add(out, "    ");
            carray(&raw[k], (tb_dtype)types[k], out);
            tb__text_addf(out, " a%d;\n", k);
        } else {
            tb__text_addf(out, "    alignas(8) %s a%d;\n", tb__ctype[types[k]], k);
        }
    }
}

/* Outputs are objects of their own, since what can be written through them is not const. */
void tb__user_locals(const tb_user_params *p, const uint8_t *types, const bool *is_element, const tb_user_raw *raw,
                     const char *from, tb_text *out)
{
    for (int k = 0; k < p->n; k++) {
        const tb_user_param *q = &p->param[k];
        if (is_element[k]) continue;
        tb__text_add(out, q->writable ? "    " : "    const ");
        if (q->raw && raw[k].ndim != TB_NODTYPE) carray(&raw[k], (tb_dtype)types[k], out);
        else tb__text_add(out, tb__ctype[types[k]]);
        tb__text_addf(out, " %s%s = %s.a%d;\n", q->writable || !q->raw ? "" : "&", q->name, from, k);
    }
}

unsigned char *tb__user_put_word(unsigned char *to, int64_t x)
{
    memcpy(to, &x, 8);
    return to + 8;
}

static unsigned char *put_parts(unsigned char *to, tb_dtype t, double re, double im)
{
    const float f[2] = {(float)re, (float)im};
    const double d[2] = {re, im};
    if (t == TB_C64) memcpy(to, f, sizeof f);
    else memcpy(to, d, sizeof d);
    return to + (t == TB_C64 ? sizeof f : sizeof d);
}

unsigned char *tb__user_put_scalar(unsigned char *to, const tb_scalar *s)
{
    int64_t word = 0;
    float f;
    uint16_t h;
    switch (s->dtype) {
    case TB_C64:
    case TB_C128: return put_parts(to, s->dtype, s->v.c.re, s->v.c.im);
    case TB_F64: memcpy(&word, &s->v.f, 8); break;
    case TB_F32:
        f = (float)s->v.f;
        memcpy(&word, &f, sizeof f);
        break;
    case TB_F16:
    case TB_BF16:
        h = tb__half_of(s->dtype, s->v.f);
        memcpy(&word, &h, sizeof h);
        break;
    default: word = s->v.i; /* little-endian: the low bytes come first */
    }
    return tb__user_put_word(to, word);
}
