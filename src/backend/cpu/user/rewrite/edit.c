/* edit.c - edits of the text's tokens, and what declarations are made of. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "backend/cpu/user/rewrite/rewrite.h"

bool tb__is_marker(const tb_rewriter *r, int i, bool *system)
{
    const tb_token *t = &r->t.list[i];
    const char *s = r->t.text + t->at, *end = s + t->len;
    if (t->kind != TB_TOKEN_DIRECTIVE || t->len < 3 || s[1] != ' ' || !isdigit((unsigned char)s[2])) return false;
    const char *quote = memrchr(s, '"', t->len);
    *system = quote && memchr(quote, '3', (size_t)(end - quote));
    return true;
}

void tb__copy_name(const tb_rewriter *r, int i, char name[TB_FOUND_NAME])
{
    size_t n = r->t.list[i].len < TB_FOUND_NAME - 1 ? r->t.list[i].len : TB_FOUND_NAME - 1;
    memcpy(name, r->t.text + r->t.list[i].at, n);
    name[n] = 0;
}

void tb__put_after(tb_rewriter *r, int i, const char *text)
{
    tb_edit *e = &r->edits[i];
    size_t have = e->after ? strlen(e->after) : 0, n = strlen(text);
    char *s = realloc(e->after, have + n + 1);
    if (!s) {
        r->failed = true;
        return;
    }
    memcpy(s + have, text, n + 1);
    e->after = s;
}

void tb__drop_tokens(tb_rewriter *r, int from, int to)
{
    for (int i = from; i <= to; i++) r->edits[i].replace = "";
}

void tb__add_tokens(const tb_rewriter *r, int from, int to, tb_text *out)
{
    for (int i = from; i <= to; i++) {
        const tb_token *t = &r->t.list[i];
        tb__text_addn(out, r->t.text + t->at, t->len);
        if (i == to || t[1].at > t->at + t->len) tb__text_add(out, " ");
    }
}

int tb__declaration_start(const tb_rewriter *r, int i)
{
    int depth = 0;
    for (int k = i - 1; k >= 0; k--) {
        if (r->t.list[k].kind == TB_TOKEN_DIRECTIVE) return k + 1;
        if (r->t.list[k].kind != TB_TOKEN_MARK) continue;
        char c = r->t.text[r->t.list[k].at];
        if (c == ')' || c == ']') depth++;
        else if (c == '(' || c == '[') {
            if (--depth < 0) return k + 1;
        } else if (depth == 0 && strchr(";{}", c)) return k + 1;
    }
    return 0;
}

int tb__close_angle(const tb_rewriter *r, int i)
{
    int depth = 0;
    for (; i < r->t.n; i++) {
        if (tb__is(r, i, "(")) i = tb__token_close(&r->t, i);
        else if (tb__is(r, i, "<")) depth++;
        else if (tb__is(r, i, ">") && --depth == 0) return i;
        else if (tb__is(r, i, ";") || tb__is(r, i, "{")) return r->t.n;
    }
    return r->t.n;
}

bool tb__takes_argument(const tb_rewriter *r, int i)
{
    static const char *const words[] = {"__launch_bounds__", "__align__",   "alignas",
                                        "__attribute__",     "__maxnreg__", "__cluster_dims__",
                                        "__block_size__",    "decltype",    NULL};
    for (const char *const *w = words; *w; w++)
        if (tb__is(r, i, *w) && tb__is(r, i + 1, "(")) return true;
    return false;
}

bool tb__mentions(const char *s, size_t n, const char *const *words)
{
    for (const char *const *w = words; *w; w++)
        if (memmem(s, n, *w, strlen(*w))) return true;
    return false;
}
