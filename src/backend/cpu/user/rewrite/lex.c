/* lex.c - C++ text to tokens: as much of its lexical rules as keeps strings, comments and directives apart. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "backend/cpu/user/rewrite/rewrite.h"

typedef struct lexer {
    const char *s;
    size_t at;
    int line;
    bool line_start; /* only space so far on this line */
} lexer;

static bool word_char(char c) { return isalnum((unsigned char)c) || c == '_' || (unsigned char)c >= 0x80; }

static void step(lexer *x)
{
    if (x->s[x->at] == '\n') {
        x->line++;
        x->line_start = true;
    }
    x->at++;
}

static bool continues(const lexer *x)
{
    const char *p = x->s + x->at;
    return p[0] == '\\' && (p[1] == '\n' || (p[1] == '\r' && p[2] == '\n'));
}

static void skip_comment(lexer *x)
{
    if (x->s[x->at + 1] == '/') {
        while (x->s[x->at] && x->s[x->at] != '\n') {
            if (continues(x))
                while (x->s[x->at] != '\n') step(x);
            step(x);
        }
        return;
    }
    step(x), step(x);
    while (x->s[x->at] && !(x->s[x->at] == '*' && x->s[x->at + 1] == '/')) step(x);
    if (x->s[x->at]) step(x), step(x);
}

static bool at_comment(const lexer *x)
{
    return x->s[x->at] == '/' && (x->s[x->at + 1] == '/' || x->s[x->at + 1] == '*');
}

static void skip_directive(lexer *x)
{
    while (x->s[x->at] && x->s[x->at] != '\n') {
        if (at_comment(x)) {
            skip_comment(x);
            continue;
        }
        if (continues(x)) {
            while (x->s[x->at] != '\n') step(x);
        }
        step(x);
    }
}

static void skip_quoted(lexer *x, char quote)
{
    step(x);
    while (x->s[x->at] && x->s[x->at] != quote && x->s[x->at] != '\n') {
        if (x->s[x->at] == '\\' && x->s[x->at + 1]) step(x);
        step(x);
    }
    if (x->s[x->at] == quote) step(x);
}

/* R"tag( ... )tag" */
static void skip_raw(lexer *x)
{
    const char *tag = x->s + x->at + 1, *open = strchr(tag, '(');
    size_t n = open ? (size_t)(open - tag) : 0;
    if (!open || n > 16) {
        skip_quoted(x, '"');
        return;
    }
    while (x->s[x->at] && !(x->s[x->at] == ')' && strncmp(x->s + x->at + 1, tag, n) == 0 && x->s[x->at + 1 + n] == '"'))
        step(x);
    for (size_t i = 0; i < n + 2 && x->s[x->at]; i++) step(x);
}

static void add(tb_tokens *t, tb_token token)
{
    if (t->n == t->cap) {
        int cap = t->cap ? 2 * t->cap : 512;
        tb_token *list = realloc(t->list, (size_t)cap * sizeof *list);
        if (!list) {
            t->failed = true;
            return;
        }
        t->list = list;
        t->cap = cap;
    }
    t->list[t->n++] = token;
}

static bool is_string_prefix(const char *s, size_t n)
{
    return (n == 1 && strchr("LuUR", *s)) || (n == 2 && (memcmp(s, "u8", 2) == 0 || s[1] == 'R')) ||
           (n == 3 && memcmp(s, "u8R", 3) == 0);
}

/* A word, or the string that it begins. */
static tb_token_kind skip_word(lexer *x)
{
    size_t start = x->at;
    while (word_char(x->s[x->at])) step(x);
    char quote = x->s[x->at];
    if ((quote != '"' && quote != '\'') || !is_string_prefix(x->s + start, x->at - start)) return TB_TOKEN_WORD;
    if (quote == '"' && x->s[x->at - 1] == 'R') skip_raw(x);
    else skip_quoted(x, quote);
    return TB_TOKEN_STRING;
}

/* Digits may be apart ('), and an exponent has a sign. */
static tb_token_kind skip_number(lexer *x)
{
    for (;;) {
        char c = x->s[x->at], last = x->at ? x->s[x->at - 1] : 0;
        bool sign = (c == '+' || c == '-') && strchr("eEpP", last) && last;
        if (!(word_char(c) || c == '.' || sign || (c == '\'' && word_char(x->s[x->at + 1])))) return TB_TOKEN_NUMBER;
        step(x);
    }
}

static tb_token_kind skip_token(lexer *x)
{
    char c = x->s[x->at];
    if (c == '#' && x->line_start) return skip_directive(x), TB_TOKEN_DIRECTIVE;
    if (isdigit((unsigned char)c) || (c == '.' && isdigit((unsigned char)x->s[x->at + 1]))) return skip_number(x);
    if (word_char(c)) return skip_word(x);
    if (c == '"' || c == '\'') return skip_quoted(x, c), TB_TOKEN_STRING;
    return step(x), TB_TOKEN_MARK;
}

void tb__tokens_of(const char *text, tb_tokens *out)
{
    lexer x = {text, 0, 1, true};
    *out = (tb_tokens){.text = text};
    while (text[x.at] && !out->failed) {
        if (isspace((unsigned char)text[x.at])) {
            step(&x);
        } else if (at_comment(&x)) {
            skip_comment(&x);
        } else {
            tb_token token = {.at = (uint32_t)x.at, .line = x.line};
            token.kind = skip_token(&x);
            token.len = (uint32_t)(x.at - token.at);
            if (text[x.at] != '\n' || x.at > token.at) x.line_start = x.at > 0 && text[x.at - 1] == '\n';
            add(out, token);
        }
    }
}

void tb__tokens_free(tb_tokens *t)
{
    free(t->list);
    *t = (tb_tokens){0};
}

int tb__token_close(const tb_tokens *t, int i)
{
    int depth = 0;
    for (; i < t->n; i++) {
        if (t->list[i].kind != TB_TOKEN_MARK) continue;
        char c = t->text[t->list[i].at];
        if (strchr("([{", c)) depth++;
        else if (strchr(")]}", c) && --depth == 0) return i;
    }
    return t->n;
}

int tb__token_past(const tb_tokens *t, int i)
{
    const int close = tb__token_close(t, i);
    return close < t->n ? close + 1 : close;
}
