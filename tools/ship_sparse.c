/* ship_sparse.c - what common operations on sparse matrices run, by programs of them: transposes, order, products, two
 * matrices matched. Indices are int32. */
#include "base/error.h"
#include "ship.h"

enum { ROWS = 1000, ELEMENTS = 8000 };

static void release(tb_pattern *p)
{
    tb_array_release(p->start);
    tb_array_release(p->index);
}

static tb_status make(tb_pattern *out)
{
    *out = (tb_pattern){.rows = ROWS, .cols = ROWS};
    TB_TRY(tb_empty(TB_I32, 1, (const int64_t[]){ROWS + 1}, 'C', &out->start));
    return tb_empty(TB_I32, 1, (const int64_t[]){ELEMENTS}, 'C', &out->index);
}

/* What a function makes of a pattern: evaluated, and dropped. */
static tb_status drop(tb_pattern *made, tb_array *from)
{
    tb_status status = tb_array_eval(from);
    if (status == TB_OK) status = tb_array_eval(made->start);
    if (status == TB_OK) status = tb_array_eval(made->index);
    release(made);
    tb_array_release(from);
    return status;
}

typedef tb_status (*order_function)(const tb_pattern *p, tb_pattern *out, tb_array **order);

static tb_status note_orders(const tb_pattern *p)
{
    static const order_function functions[] = {tb_pattern_transpose, tb_pattern_sort, tb_pattern_unique};
    for (int i = 0; i < 3; i++) {
        tb_pattern made = {0};
        tb_array *order = NULL;
        TB_TRY(functions[i](p, &made, &order));
        TB_TRY(drop(&made, order));
    }
    return TB_OK;
}

static tb_status note_matches(const tb_pattern *p)
{
    tb_pattern other;
    TB_TRY(make(&other));
    for (int any = 0; any < 2; any++) {
        tb_pattern made = {0};
        tb_array *from[2] = {NULL, NULL};
        TB_TRY(tb_pattern_match(p, &other, any, &made, &from[0], &from[1]));
        TB_TRY(tb_array_eval(from[1]));
        tb_array_release(from[1]);
        TB_TRY(drop(&made, from[0]));
    }
    release(&other);
    return TB_OK;
}

tb_status ship_sparse(void)
{
    int found;
    tb_pattern p;
    tb_array *rows = NULL;
    TB_TRY(make(&p));
    tb_status status = tb_pattern_check(&p, &found);
    if (status == TB_OK) status = tb_pattern_rows(&p, &rows);
    if (status == TB_OK) status = tb_array_eval(rows);
    if (status == TB_OK) status = note_orders(&p);
    if (status == TB_OK) status = note_matches(&p);
    tb_array_release(rows);
    release(&p);
    return status;
}
