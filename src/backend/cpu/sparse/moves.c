/* moves.c - rows and columns of matrices picked, and matrices joined, with their values, on all threads. */
#include <stdlib.h>
#include <string.h>

#include "backend/cpu/sparse/sparse.h"
#include "base/error.h"

enum { TASK = 1 << 15 }; /* rows and elements, about */

#define LOOPS "backend/cpu/sparse/move_loops.h"
#include "backend/cpu/sparse/move_forms.h"

typedef void take_cols(const tb_sparse_move *m, int64_t from, int64_t to);
static take_cols *const col_loops[2][5] = {
    {take_cols_1_32, take_cols_2_32, take_cols_4_32, take_cols_8_32, take_cols_16_32},
    {take_cols_1_64, take_cols_2_64, take_cols_4_64, take_cols_8_64, take_cols_16_64},
};

typedef struct job {
    const tb_index_loops *l;
    const tb_sparse_move *move;
    const tb_sparse_sides *join;
    const tb_sparse_pattern *by; /* by whose rows work is shared out; NULL: by the number of rows */
    int64_t rows, parts;
    bool (*run)(const struct job *j, int64_t from, int64_t to);
    bool outside; /* some row or column is; any task may say so */
} job;

static bool run_part(void *arg, int64_t i)
{
    job *j = arg;
    const int64_t from = j->by ? tb__sparse_part(j->by, j->parts, i) : j->rows * i / j->parts;
    const int64_t to = j->by ? tb__sparse_part(j->by, j->parts, i + 1) : j->rows * (i + 1) / j->parts;
    if (from < to && !j->run(j, from, to)) __atomic_store_n(&j->outside, true, __ATOMIC_RELAXED);
    return true;
}

static tb_status run(job *j)
{
    j->parts = j->by ? tb__sparse_parts(j->by, TASK) : tb__max(j->rows / (TASK / 4), 1);
    TB_TRY(tb__parallel(j->parts, run_part, j));
    if (!j->outside) return TB_OK;
    return tb__fail(TB_ERR_VALUE, "indices of a sparse matrix are out of range: they have been overwritten");
}

static tb_status counted(const job *j, int64_t rows, void *start)
{
    if (j->l->sum_up(rows, start)) return TB_OK;
    return tb__fail(TB_ERR_OVERFLOW, "a sparse matrix with more than 2^31 - 1 elements needs int64 indices");
}

/* ---- rows -------------------------------------------------------------------------------------------------------- */

static bool count_rows(const job *j, int64_t from, int64_t to) { return j->l->count_rows(j->move, from, to); }

static bool fill_rows(const job *j, int64_t from, int64_t to)
{
    j->l->fill_rows(j->move, from, to);
    return true;
}

tb_status tb__cpu_sparse_take_rows(const tb_sparse_move *m)
{
    const tb_sparse_pattern made = {m->n, m->a.cols, m->a.wide, m->start, NULL};
    job j = {.l = tb__index_loops(m->a.wide), .move = m, .rows = m->n, .run = count_rows};
    if (m->index) {
        j.run = fill_rows;
        j.by = &made;
        return run(&j);
    }
    TB_TRY(run(&j));
    return counted(&j, m->n, m->start);
}

/* ---- columns: by a table of where each one is wanted ------------------------------------------------------------- */

static bool count_cols(const job *j, int64_t from, int64_t to) { return j->l->count_cols(j->move, from, to); }

static bool fill_cols(const job *j, int64_t from, int64_t to)
{
    const tb_sparse_move *m = j->move;
    int k = 0;
    while ((size_t)1 << k < m->item) k++;
    col_loops[m->a.wide][k](m, from, to);
    return true;
}

tb_status tb__cpu_sparse_take_cols(const tb_sparse_move *m)
{
    job j = {.l = tb__index_loops(m->a.wide), .move = m, .by = &m->a, .run = m->index ? fill_cols : count_cols};
    if (!m->index && !j.l->order_cols(m)) return tb__fail(TB_ERR_VALUE, "a column that is picked is out of range");
    TB_TRY(run(&j));
    return m->index ? TB_OK : counted(&j, m->a.rows, m->start);
}

/* ---- matrices side by side --------------------------------------------------------------------------------------- */

static bool begin_rows(const job *j, int64_t from, int64_t to)
{
    j->l->begin_joined(j->join, from, to);
    return true;
}

static bool join_rows(const job *j, int64_t from, int64_t to)
{
    j->l->join(j->join, from, to);
    return true;
}

tb_status tb__cpu_sparse_join(const tb_sparse_sides *q)
{
    const tb_sparse_pattern made = {q->rows, 0, q->wide, q->start, NULL};
    job j = {.l = tb__index_loops(q->wide), .join = q, .rows = q->rows + 1, .run = begin_rows};
    TB_TRY(run(&j));
    j.run = join_rows;
    j.by = &made;
    return run(&j);
}
