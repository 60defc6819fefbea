/* boxes.c - the box around the elements of each label, by runs of equal labels along the last axis. Each thread's piece
 * has boxes of its own, unless labels are many beside elements. */
#include <stdlib.h>
#include <string.h>

#include "backend/cpu/plans/plans.h"
#include "base/error.h"

enum { PIECE = 1 << 17, MOST_PIECES = 16 };

typedef struct boxing {
    const tb_boxes *b;
    int64_t length, lines, each;
    int64_t *table; /* for each piece the first and the last index of each label along each axis */
} boxing;

static void widen(int64_t *box, int64_t from, int64_t to)
{
    box[0] = tb__min(box[0], from);
    box[1] = tb__max(box[1], to);
}

static void add_run(const tb_boxes *b, int64_t *table, uint64_t label, const int64_t *at, int64_t from, int64_t to)
{
    if (label - 1 >= (uint64_t)b->n) return;
    int64_t *box = table + (int64_t)(label - 1) * 2 * b->ndim;
    for (int d = 0; d < b->ndim - 1; d++) widen(box + 2 * d, at[d], at[d] + 1);
    widen(box + 2 * (b->ndim - 1), from, to);
}

/* Negative labels become large ones, which are not looked for. */
#define ADD_LINE(T)                                                \
    do {                                                           \
        const T *x = (const T *)j->b->in + line * n;               \
        for (int64_t from = 0, to; from < n; from = to) {          \
            const T label = x[from];                               \
            for (to = from + 1; to < n && x[to] == label;) to++;   \
            add_run(j->b, table, (uint64_t)label, at, from, to);   \
        }                                                          \
    } while (0)

static void add_line(const boxing *j, int64_t *table, int64_t line)
{
    const int64_t n = j->length;
    int64_t at[TB_MAXDIM], rest = line;
    for (int d = j->b->ndim - 2; d >= 0; d--) {
        at[d] = rest % j->b->shape[d];
        rest /= j->b->shape[d];
    }
    switch (j->b->dtype) {
    case TB_BOOL:
    case TB_U8: ADD_LINE(uint8_t); break;
    case TB_I8: ADD_LINE(int8_t); break;
    case TB_U16: ADD_LINE(uint16_t); break;
    case TB_I16: ADD_LINE(int16_t); break;
    case TB_U32: ADD_LINE(uint32_t); break;
    case TB_I32: ADD_LINE(int32_t); break;
    default: ADD_LINE(uint64_t); break;
    }
}

static bool box_piece(void *arg, int64_t task)
{
    const boxing *j = arg;
    const int64_t n = j->b->n * j->b->ndim;
    int64_t *table = j->table + task * 2 * n;
    for (int64_t i = 0; i < n; i++) {
        table[2 * i] = INT64_MAX;
        table[2 * i + 1] = 0;
    }
    for (int64_t line = task * j->each; line < tb__min((task + 1) * j->each, j->lines); line++)
        add_line(j, table, line);
    return true;
}

tb_status tb__cpu_label_boxes(const tb_boxes *b)
{
    boxing j = {.b = b, .length = b->shape[b->ndim - 1], .lines = 1};
    for (int d = 0; d < b->ndim - 1; d++) j.lines *= b->shape[d];
    const int64_t size = j.lines * j.length, row = 2 * b->n * b->ndim;
    const int64_t most = tb__min(tb__min(MOST_PIECES, size / PIECE + 1), size / (4 * row) + 1);
    j.each = tb__ceil_div(j.lines, most);
    const int64_t pieces = tb__ceil_div(j.lines, j.each);
    j.table = malloc((size_t)(pieces * row) * sizeof *j.table);
    if (!j.table) return tb__fail_memory((size_t)(pieces * row) * sizeof *j.table, 0, 0, 0);
    const tb_status status = tb__parallel(pieces, box_piece, &j);
    for (int64_t p = 1; p < pieces && status == TB_OK; p++)
        for (int64_t i = 0; i < row; i += 2) widen(j.table + i, j.table[p * row + i], j.table[p * row + i + 1]);
    if (status == TB_OK) memcpy(b->out, j.table, (size_t)row * sizeof *j.table);
    free(j.table);
    return status;
}
