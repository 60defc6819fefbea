/* shared.c - shared memory of kernels, which is given a place, and variables of the module, which are noted. */
#include <string.h>

#include "backend/cpu/user/rewrite/rewrite.h"

/* ---- shared memory ------------------------------------------------------------------------------------------ */

static int statement_end(const tb_rewriter *r, int i)
{
    while (i < r->t.n && !tb__is(r, i, ";")) i = tb__opens(r, i) ? tb__token_past(&r->t, i) : i + 1;
    return i;
}

/* extern __shared__ T name[]...;  becomes  T (*const name)... = (T (*)...)the dynamic shared memory; */
static void take_dynamic(tb_rewriter *r, int start, int end)
{
    tb_text type = {0}, all = {0};
    const char *storage = tb__in_function(r) ? "" : "static thread_local ";
    int name = -1, i = start;
    while (i < end && !tb__is(r, i, "[")) {
        if (tb__takes_argument(r, i)) {
            i = tb__token_past(&r->t, i + 1);
            continue;
        }
        if (!tb__is(r, i, "extern") && !tb__is(r, i, "__shared__") && !tb__is(r, i, "static")) {
            if (name >= 0) tb__add_tokens(r, name, name, &type);
            name = i;
        }
        i++;
    }
    int rest = i < end ? tb__token_past(&r->t, i) : end;
    /* Of a known size, or no array: the compiler says what is wrong. */
    if (name < 0 || i >= end || rest != i + 2) {
        tb__text_free(&type);
        return;
    }
    int past = rest;
    while (tb__is(r, past, "[")) past = tb__token_past(&r->t, past);
    const char *t = type.s ? type.s : "int ";
    if (past == rest) {
        tb__text_addf(&all, "%s%s*const ", storage, t);
        tb__add_tokens(r, name, name, &all);
        tb__text_addf(&all, "= (%s*)tb_dynamic_shared()", t);
    } else {
        tb__text_addf(&all, "%s%s(*const ", storage, t);
        tb__add_tokens(r, name, name, &all);
        tb__text_add(&all, ")");
        tb__add_tokens(r, rest, past - 1, &all);
        tb__text_addf(&all, "= (%s(*)", t);
        tb__add_tokens(r, rest, past - 1, &all);
        tb__text_add(&all, ")tb_dynamic_shared()");
    }
    tb__drop_tokens(r, start, past - 1);
    if (all.failed || type.failed || !all.s) r->failed = true;
    else tb__put_after(r, past - 1, all.s);
    tb__text_free(&all);
    tb__text_free(&type);
}

void tb__take_shared(tb_rewriter *r, int at)
{
    int start = tb__declaration_start(r, at), end = statement_end(r, at);
    bool dynamic = false;
    for (int i = start; i < end && !tb__is(r, i, "["); i++) dynamic |= tb__is(r, i, "extern");
    if (dynamic) {
        take_dynamic(r, start, end);
        return;
    }
    for (int i = start; i < end; i++)
        if (tb__is(r, i, "static")) tb__drop_tokens(r, i, i);
    r->edits[at].replace = "static thread_local";
}

/* ---- variables of the module -------------------------------------------------------------------------------- */

void tb__take_global(tb_rewriter *r, int at)
{
    int start = tb__declaration_start(r, at), name = -1;
    if (tb__in_function(r) || tb__is(r, start, "template") || tb__is(r, start, "using") || tb__is(r, start, "typedef"))
        return;
    for (int i = start; i < r->t.n; i++) {
        if (tb__is(r, i, "extern") && !tb__is_string(r, i + 1)) return;
        if (tb__takes_argument(r, i)) {
            i = tb__token_close(&r->t, i + 1);
        } else if (tb__is(r, i, "(") || tb__is(r, i, "operator")) {
            return; /* a function */
        } else if (tb__is(r, i, "struct") || tb__is(r, i, "class") || tb__is(r, i, "union") || tb__is(r, i, "enum")) {
            if (tb__is(r, i + 2, "{") || tb__is(r, i + 1, "{")) return;
        } else if (tb__is(r, i, "<")) {
            i = tb__close_angle(r, i);
        } else if (tb__opens(r, i) || tb__is(r, i, ";") || tb__is(r, i, "=") || tb__is(r, i, ",")) {
            break;
        } else if (tb__is_word(r, i)) {
            name = i;
        }
    }
    if (name <= at) return;
    tb_found_global g = {.constant = tb__is(r, at, "__constant__")};
    tb__copy_name(r, name, g.name);
    for (int i = 0; i < r->nglobal; i++)
        if (strcmp(r->globals[i].name, g.name) == 0) return;
    if (memchr(r->scope, 'n', (size_t)r->depth)) return;
    if (r->nglobal == TB_MOST_GLOBALS) r->failed = true;
    else r->globals[r->nglobal++] = g;
}
