/* array_text.c - arrays as text, as NumPy's str() gives it: rows in brackets, lines of up to 75 characters, the corners
 * alone of an array of more than 1,000 elements. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/argument.h"
#include "conveniences/number.h"

enum { THRESHOLD = 1000, EDGE = 3, WIDTH = 75 };

typedef struct printer {
    int ndim;
    int64_t shape[TB_MAXDIM];  /* of what is written */
    bool shortened[TB_MAXDIM]; /* the axis had more */
    size_t size;               /* of an element */
    const char *next;          /* the element that comes next, in C order */
    tb_number_format format;
    tb_text text;
} printer;

static void add_spaces(tb_text *t, int n)
{
    while (n-- > 0) tb__text_addn(t, " ", 1);
}

/* A word of a row that begins at column `indent`; *column is where it goes. */
static void add_word(tb_text *t, const char *word, int indent, int width, int *column)
{
    const int n = (int)strlen(word);
    if (*column + n > width && *column > indent) {
        while (t->len > 0 && t->s[t->len - 1] == ' ') t->len--;
        tb__text_addn(t, "\n", 1);
        add_spaces(t, indent);
        *column = indent;
    }
    tb__text_addn(t, word, (size_t)n);
    *column += n;
}

static void add_row(printer *p, int axis)
{
    const int indent = axis + 1, width = WIDTH - axis - 1;
    char word[2 * TB_NUMBER_TEXT];
    int column = indent;
    for (int64_t i = 0; i < p->shape[axis]; i++) {
        if (p->shortened[axis] && i == EDGE) {
            add_word(&p->text, "...", indent, width, &column);
            tb__text_addn(&p->text, " ", 1);
            column++;
        }
        tb__formatted(&p->format, p->next, word);
        p->next += p->size;
        add_word(&p->text, word, indent, width, &column);
        if (i == p->shape[axis] - 1) break;
        tb__text_addn(&p->text, " ", 1);
        column++;
    }
}

static void add_axis(printer *p, int axis)
{
    tb__text_addn(&p->text, "[", 1);
    if (axis == p->ndim - 1) {
        add_row(p, axis);
    } else {
        for (int64_t i = 0; i < p->shape[axis]; i++) {
            const bool gap = p->shortened[axis] && i == EDGE;
            for (int line = 0; i > 0 && line < p->ndim - 1 - axis; line++) tb__text_addn(&p->text, "\n", 1);
            if (i > 0) add_spaces(&p->text, axis + 1);
            if (gap) {
                tb__text_add(&p->text, "...");
                for (int line = 0; line < p->ndim - 1 - axis; line++) tb__text_addn(&p->text, "\n", 1);
                add_spaces(&p->text, axis + 1);
            }
            add_axis(p, axis + 1);
        }
    }
    tb__text_addn(&p->text, "]", 1);
}

/* *a, a reference of the caller's, becomes its first and last elements along axis. */
static tb_status shorten(tb_array **a, int axis)
{
    tb_index key[TB_MAXDIM];
    tb_array *ends[2] = {NULL, NULL}, *joined = NULL;
    tb_status status;
    for (int d = 0; d < axis; d++) key[d] = tb_whole();
    for (int i = 0; i < 2; i++) {
        key[axis] = i == 0 ? tb_slice(TB_OPEN, EDGE, 1) : tb_slice(-EDGE, TB_OPEN, 1);
        TB_GOTO(tb_array_index(*a, axis + 1, key, &ends[i]));
    }
    TB_GOTO(tb_concatenate(2, ends, axis, &joined));
    tb_array_release(*a);
    *a = joined;
fail:
    tb_array_release(ends[0]);
    tb_array_release(ends[1]);
    return status;
}

/* The longest axes first: then the least is copied. */
static tb_status take_corners(tb_array **a, printer *p)
{
    for (;;) {
        const int64_t *shape = tb_array_shape(*a);
        int longest = 0;
        for (int d = 1; d < p->ndim; d++) longest = shape[d] > shape[longest] ? d : longest;
        if (shape[longest] <= 2 * EDGE) return TB_OK;
        TB_TRY(shorten(a, longest));
        p->shortened[longest] = true;
    }
}

/* What is to be written: *a, a reference of the caller's, may be replaced, and *host is to be freed. */
static tb_status fetch(tb_array **a, printer *p, void **host)
{
    const tb_dtype t = tb_array_dtype(*a);
    if (tb_array_size(*a) > THRESHOLD) TB_TRY(take_corners(a, p));
    const int64_t n = tb_array_size(*a);
    memcpy(p->shape, tb_array_shape(*a), (size_t)p->ndim * sizeof *p->shape);
    p->size = tb_dtype_size(t);
    *host = malloc((size_t)n * p->size + 1);
    if (!*host) return tb__fail(TB_ERR_MEMORY, "tb_to_string: no memory for %lld elements", (long long)n);
    TB_TRY(tb_array_get(*a, *host, NULL, NULL, true));
    p->next = *host;
    if (p->ndim > 0) p->format = tb__number_format(t, n, *host);
    return TB_OK;
}

static tb_status array_text(tb_array *a, char **text)
{
    printer p = {.ndim = tb_array_ndim(a)};
    void *host = NULL;
    tb_array *shown = tb_array_retain(a);
    tb_status status = fetch(&shown, &p, &host);
    if (status == TB_OK) {
        if (p.ndim == 0) tb__number_text(tb__number(host, tb_array_dtype(a)), &p.text);
        else if (tb_array_size(a) == 0) tb__text_add(&p.text, "[]");
        else add_axis(&p, 0);
        if (p.text.failed) status = tb__fail(TB_ERR_MEMORY, "tb_to_string: no memory for the text");
    }
    tb_array_release(shown);
    free(host);
    if (status == TB_OK) *text = p.text.s;
    else tb__text_free(&p.text);
    return status;
}

tb_status tb_to_string(tb_array *a, char **text)
{
    TB_NOT_NULL(a, text);
    TB_ARE_NUMBERS(__func__, tb_array_dtype(a));
    return array_text(a, text);
}

tb_status tb_print(tb_array *a)
{
    TB_NOT_NULL(a);
    TB_ARE_NUMBERS(__func__, tb_array_dtype(a));
    char *text;
    TB_TRY(array_text(a, &text));
    const bool written = fputs(text, stdout) >= 0 && putchar('\n') != EOF;
    free(text);
    return written ? TB_OK : tb__fail(TB_ERR_VALUE, "tb_print: the standard output cannot be written to");
}
