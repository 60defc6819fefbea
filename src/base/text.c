/* text.c - a growing string. Running out of memory sets `failed`; what was there before stays valid. */
#include "base/text.h"
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Makes room for n more bytes and the terminator; returns where they go. */
static char *reserve(tb_text *t, size_t n)
{
    if (n >= t->cap - t->len) {
        size_t cap = t->cap ? t->cap : 256;
        while (cap - t->len <= n && cap <= SIZE_MAX / 2) cap *= 2;
        char *s = cap - t->len > n ? realloc(t->s, cap) : NULL;
        if (!s) {
            t->failed = 1;
            return NULL;
        }
        t->s = s;
        t->cap = cap;
    }
    return t->s + t->len;
}

void tb__text_addn(tb_text *t, const char *s, size_t n)
{
    char *to = reserve(t, n);
    if (!to) return;
    memcpy(to, s, n);
    to[n] = 0;
    t->len += n;
}

void tb__text_add(tb_text *t, const char *s) { tb__text_addn(t, s, strlen(s)); }

void tb__text_addf(tb_text *t, const char *format, ...)
{
    va_list ap, again;
    va_start(ap, format);
    va_copy(again, ap);
    int n = vsnprintf(NULL, 0, format, ap);
    va_end(ap);
    char *to = n < 0 ? NULL : reserve(t, (size_t)n);
    if (to) {
        vsnprintf(to, (size_t)n + 1, format, again);
        t->len += (size_t)n;
    } else {
        t->failed = 1;
    }
    va_end(again);
}

void tb__text_add_quoted(tb_text *t, const char *s)
{
    tb__text_add(t, "\"");
    for (; *s; s++) {
        if (*s == '"' || *s == '\\') tb__text_add(t, "\\");
        tb__text_addn(t, s, 1);
    }
    tb__text_add(t, "\"");
}

void tb__text_free(tb_text *t)
{
    free(t->s);
    *t = (tb_text){0};
}
