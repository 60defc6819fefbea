/* pattern.c - the structure of sparse matrices on all threads. Rows are shared out by how many elements they have. */
#include <stdlib.h>
#include <string.h>

#include "backend/cpu/sparse/sparse.h"
#include "base/error.h"

enum {
    TASK = 1 << 15,       /* rows and elements of a task, about */
    MOST_TABLES = 1 << 3, /* into which a grouping counts */
};

static int64_t work_until(const tb_index_loops *l, const tb_sparse_pattern *p, int64_t row)
{
    return l->at(p->start, row) - l->at(p->start, 0) + row;
}

int64_t tb__sparse_part(const tb_sparse_pattern *p, int64_t n, int64_t i)
{
    const tb_index_loops *l = tb__index_loops(p->wide);
    if (i == n) return p->rows;
    const double wanted = (double)work_until(l, p, p->rows) / (double)n * (double)i;
    int64_t low = 0, high = p->rows;
    while (low < high) {
        const int64_t mid = low + (high - low) / 2;
        if ((double)work_until(l, p, mid) < wanted) low = mid + 1;
        else high = mid;
    }
    return low;
}

int64_t tb__sparse_parts(const tb_sparse_pattern *p, int64_t work)
{
    return tb__max(work_until(tb__index_loops(p->wide), p, p->rows) / work, 1);
}

/* ---- jobs over rows ------------------------------------------------------------------------------------------- */

typedef struct job job;
struct job {
    const tb_index_loops *l;
    const tb_sparse_pattern *p;
    int64_t parts;
    bool (*run)(const job *j, int64_t from, int64_t to);
    void *out[3];
    int64_t n;
    const void *in[2];
    const tb_sparse_match *match;
    int *found; /* of each part */
};

static bool run_part(void *arg, int64_t task)
{
    const job *j = arg;
    const int64_t from = tb__sparse_part(j->p, j->parts, task), to = tb__sparse_part(j->p, j->parts, task + 1);
    return from == to || j->run(j, from, to);
}

static tb_status over_rows(job *j)
{
    j->l = tb__index_loops(j->p->wide);
    j->parts = tb__sparse_parts(j->p, TASK);
    return tb__parallel(j->parts, run_part, j);
}

/* Rows counted, then filled: the first call makes start, which is job->out[0]. */
static tb_status counted(const job *j, int64_t rows)
{
    if (j->l->sum_up(rows, j->out[0])) return TB_OK;
    return tb__fail(TB_ERR_OVERFLOW, "a sparse matrix with more than 2^31 - 1 elements needs int64 indices");
}

static bool run_rows(const job *j, int64_t from, int64_t to)
{
    j->l->rows(j->p->start, from, to, j->out[0]);
    return true;
}

static tb_status rows(const tb_sparse_pattern *p, void *row)
{
    job j = {.p = p, .run = run_rows, .out = {row}};
    return over_rows(&j);
}

static bool run_sort(const job *j, int64_t from, int64_t to)
{
    return j->l->sort(j->p, from, to, j->out[0], j->out[1]);
}

static tb_status sort(const tb_sparse_pattern *p, void *index, void *order)
{
    job j = {.p = p, .run = run_sort, .out = {index, order}};
    return over_rows(&j);
}

static bool run_unique(const job *j, int64_t from, int64_t to)
{
    j->l->unique(j->p, from, to, j->out[0], j->out[1], j->out[2]);
    return true;
}

static tb_status unique(const tb_sparse_pattern *p, void *start, void *index, void *first)
{
    job j = {.p = p, .run = run_unique, .out = {start, index, first}};
    TB_TRY(over_rows(&j));
    return index ? TB_OK : counted(&j, p->rows);
}

static bool run_match(const job *j, int64_t from, int64_t to)
{
    j->l->match(j->match, from, to);
    return true;
}

static tb_status match(const tb_sparse_pattern *a, const tb_sparse_pattern *b, bool any, void *start, void *index,
                       void *from_a, void *from_b)
{
    const tb_sparse_match m = {a, b, any, start, index, from_a, from_b};
    const tb_index_loops *l = tb__index_loops(a->wide);
    const bool larger = l->at(b->start, b->rows) > l->at(a->start, a->rows);
    job j = {.p = larger ? b : a, .run = run_match, .out = {start}, .match = &m};
    TB_TRY(over_rows(&j));
    return index ? TB_OK : counted(&j, a->rows);
}

/* ---- whether a pattern is one ---------------------------------------------------------------------------------- */

static bool run_check(void *arg, int64_t task)
{
    const job *j = arg;
    const int64_t from = j->p->rows * task / j->parts, to = j->p->rows * (task + 1) / j->parts;
    j->found[task] = j->l->check(j->p, j->n, from, to);
    return true;
}

static tb_status check(const tb_sparse_pattern *p, int64_t n, int *found)
{
    job j = {.p = p, .l = tb__index_loops(p->wide), .n = n};
    *found = TB_SPARSE_SORTED | TB_SPARSE_UNIQUE | TB_SPARSE_VALID;
    j.parts = tb__max(tb__min((p->rows + n) / TASK, p->rows), 1);
    j.found = malloc((size_t)j.parts * sizeof *j.found);
    if (!j.found) return tb__fail_memory((size_t)j.parts * sizeof *j.found, 0, 0, 0);
    const tb_status status = tb__parallel(j.parts, run_check, &j);
    for (int64_t i = 0; status == TB_OK && i < j.parts; i++) *found &= j.found[i];
    free(j.found);
    return status;
}

/* ---- jobs over elements ----------------------------------------------------------------------------------------- */

static bool run_take(void *arg, int64_t task)
{
    const job *j = arg;
    j->l->take(j->p, j->in[0], j->n * task / j->parts, j->n * (task + 1) / j->parts, j->out[0], j->out[1], j->out[2]);
    return true;
}

static tb_status take(const tb_sparse_pattern *p, int64_t n, const void *row, void *start, void *index, void *from)
{
    job j = {.p = p, .l = tb__index_loops(p->wide), .n = n, .in = {row}, .out = {start, index, from}};
    j.parts = tb__max(n / 4096, 1);
    TB_TRY(tb__parallel(j.parts, run_take, &j));
    return index ? TB_OK : counted(&j, n);
}

static bool run_find(void *arg, int64_t task)
{
    const job *j = arg;
    j->l->find(j->p, j->in[0], j->in[1], j->n * task / j->parts, j->n * (task + 1) / j->parts, j->out[0]);
    return true;
}

static tb_status find(const tb_sparse_pattern *p, int64_t n, const void *row, const void *col, void *out)
{
    job j = {.p = p, .l = tb__index_loops(p->wide), .n = n, .in = {row, col}, .out = {out}};
    j.parts = tb__max(n / 4096, 1);
    return tb__parallel(j.parts, run_find, &j);
}

/* ---- grouping --------------------------------------------------------------------------------------------------- */

typedef struct grouping {
    const tb_index_loops *l;
    const tb_sparse_group *g;
    int64_t parts;
    char *tables;
    bool outside; /* some row is; any task may say so */
} grouping;

static char *table_of(const grouping *j, int64_t part) { return j->tables + (size_t)(part * j->g->rows) * j->l->size; }

static bool count_part(void *arg, int64_t i)
{
    grouping *j = arg;
    memset(table_of(j, i), 0, (size_t)j->g->rows * j->l->size);
    if (!j->l->count(j->g->row, j->g->rows, j->g->n * i / j->parts, j->g->n * (i + 1) / j->parts, table_of(j, i)))
        __atomic_store_n(&j->outside, true, __ATOMIC_RELAXED);
    return true;
}

static bool place_part(void *arg, int64_t i)
{
    const grouping *j = arg;
    j->l->place(j->g, j->g->n * i / j->parts, j->g->n * (i + 1) / j->parts, table_of(j, i));
    return true;
}

static tb_status group(const tb_sparse_group *g)
{
    grouping j = {.l = tb__index_loops(g->wide), .g = g};
    j.parts = tb__min(tb__min(g->n / tb__max(g->rows, TASK) + 1, tb__threads()), MOST_TABLES);
    const size_t bytes = (size_t)(j.parts * tb__max(g->rows, 1)) * j.l->size;
    j.tables = malloc(bytes);
    if (!j.tables) return tb__fail_memory(bytes, 0, 0, 0);
    tb_status status = tb__parallel(j.parts, count_part, &j);
    if (status == TB_OK && j.outside)
        status = tb__fail(TB_ERR_VALUE, "indices of a sparse matrix are out of range: they have been overwritten");
    if (status == TB_OK) {
        j.l->begin(j.parts, g->rows, j.tables, g->start);
        status = tb__parallel(j.parts, place_part, &j);
    }
    free(j.tables);
    return status;
}

const tb_sparse_routines tb__cpu_sparse = {
    .check = check,
    .rows = rows,
    .group = group,
    .sort = sort,
    .unique = unique,
    .match = match,
    .take = take,
    .multiply = tb__cpu_sparse_multiply,
    .find = find,
    .triangle = tb__cpu_sparse_triangle,
    .dense = tb__cpu_sparse_dense,
    .diagonal = tb__cpu_sparse_diagonal,
    .bands = tb__cpu_sparse_bands,
    .matmul_bands = tb__cpu_sparse_matmul_bands,
    .matmul_blocks = tb__cpu_sparse_matmul_blocks,
    .block_diagonal = tb__cpu_sparse_block_diagonal,
    .group_values = tb__cpu_sparse_group_values,
    .take_rows = tb__cpu_sparse_take_rows,
    .take_cols = tb__cpu_sparse_take_cols,
    .join = tb__cpu_sparse_join,
    .combine = tb__cpu_sparse_combine,
    .components = tb__cpu_sparse_components,
    .forest = tb__cpu_sparse_forest,
    .matching = tb__cpu_sparse_matching,
    .paths = tb__cpu_sparse_paths,
    .search = tb__cpu_sparse_search,
    .tree = tb__cpu_sparse_tree,
    .least_squares = tb__cpu_sparse_least_squares,
};
