/* text.h - a growing string, for generated sources and messages. */
#ifndef TB_BASE_TEXT_H
#define TB_BASE_TEXT_H
#include <stddef.h>

typedef struct tb_text {
    char *s; /* always terminated once something was added; NULL before; free with free() */
    size_t len, cap;
    int failed; /* out of memory: checked once, at the end */
} tb_text;

void tb__text_add(tb_text *t, const char *s);
void tb__text_addn(tb_text *t, const char *s, size_t n);
void tb__text_addf(tb_text *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* A string literal of C: quoted, with what must be escaped so. */
void tb__text_add_quoted(tb_text *t, const char *s);
void tb__text_free(tb_text *t);
#endif
