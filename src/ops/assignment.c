/* assignment.c - the assignment of rows to columns of least total cost, by shortest augmenting paths: each row is added
 * by the shortest path through reduced costs to a column that no row has (D. F. Crouse, On implementing 2D rectangular
 * assignment algorithms, IEEE Transactions on Aerospace and Electronic Systems 52 (2016), 1679-1696). Of columns that
 * are as near, one that no row has is taken, and else the one that is looked at first, the last column first of all. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/argument.h"
#include "base/arith.h"
#include "base/error.h"
#include "ops/array_ops.h"

/* There are no more rows than columns. */
typedef struct assignment {
    int64_t rows, columns;
    double *cost, *row_price, *column_price;
    double *nearest;     /* the length of the shortest path to each column */
    int64_t *row_before; /* on that path */
    int64_t *row_of, *column_of;
    int64_t *left, nleft; /* columns that are not on the tree of paths, and how many */
    int64_t *reached;     /* columns that are, and their number is columns - nleft */
} assignment;

/* Lengthens paths by a row that is `far` away; where in `left` the nearest column is, or -1 if none can be reached. */
static int64_t look_around(assignment *a, int64_t row, double far)
{
    const double *cost = a->cost + row * a->columns, base = far - a->row_price[row];
    double least = HUGE_VAL;
    int64_t found = -1;
    for (int64_t k = 0; k < a->nleft; k++) {
        const int64_t j = a->left[k];
        const double length = base + cost[j] - a->column_price[j];
        if (length < a->nearest[j]) {
            a->nearest[j] = length;
            a->row_before[j] = row;
        }
        if (a->nearest[j] < least || (a->nearest[j] == least && found >= 0 && a->row_of[j] < 0)) {
            least = a->nearest[j];
            found = k;
        }
    }
    return found;
}

/* Makes reduced costs along paths 0, and others no less than that. */
static void set_prices(assignment *a, int64_t row, double far)
{
    a->row_price[row] += far;
    for (int64_t k = 0; k < a->columns - a->nleft; k++) {
        const int64_t j = a->reached[k];
        const double nearer = far - a->nearest[j];
        if (a->row_of[j] >= 0) a->row_price[a->row_of[j]] += nearer;
        a->column_price[j] -= nearer;
    }
}

/* Each row of the path takes the column behind it. */
static void turn(assignment *a, int64_t row, int64_t column)
{
    for (int64_t i = -1; i != row;) {
        i = a->row_before[column];
        a->row_of[column] = i;
        const int64_t before = a->column_of[i];
        a->column_of[i] = column;
        column = before;
    }
}

/* Whether the row could be added. */
static bool add_row(assignment *a, int64_t row)
{
    double far = 0;
    int64_t column = -1;
    a->nleft = a->columns;
    for (int64_t k = 0; k < a->columns; k++) {
        a->left[k] = a->columns - 1 - k;
        a->nearest[k] = HUGE_VAL;
    }
    for (int64_t i = row; i >= 0; i = a->row_of[column]) {
        const int64_t k = look_around(a, i, far);
        if (k < 0) return false;
        column = a->left[k];
        far = a->nearest[column];
        a->reached[a->columns - a->nleft] = column;
        a->left[k] = a->left[--a->nleft];
    }
    set_prices(a, row, far);
    turn(a, row, column);
    return true;
}

static tb_status add_rows(assignment *a)
{
    for (int64_t i = 0; i < a->rows; i++) a->column_of[i] = -1;
    for (int64_t j = 0; j < a->columns; j++) a->row_of[j] = -1;
    for (int64_t i = 0; i < a->rows; i++)
        if (!add_row(a, i)) return tb__fail(TB_ERR_VALUE, "linear_sum_assignment: cost matrix is infeasible");
    return TB_OK;
}

/* ---- arrays ------------------------------------------------------------------------------------------------------ */

/* Room, with prices of 0; NULL if there is no memory. */
static void *begin(assignment *a, int64_t m, int64_t n)
{
    *a = (assignment){.rows = tb__min(m, n), .columns = tb__max(m, n)};
    const size_t r = (size_t)a->rows, c = (size_t)a->columns;
    double *at = malloc((r * c + 2 * r + 6 * c + 1) * sizeof *at);
    if (!at) return NULL;
    a->cost = at;
    a->row_price = a->cost + r * c;
    a->column_price = a->row_price + r;
    a->nearest = a->column_price + c;
    memset(a->row_price, 0, (r + c) * sizeof *at);
    int64_t *next = (int64_t *)(void *)(a->nearest + c);
    a->column_of = next;
    a->row_of = a->column_of + r;
    a->row_before = a->row_of + c;
    a->left = a->row_before + c;
    a->reached = a->left + c;
    return at;
}

/* With the lesser dimension first. */
static tb_status read_costs(assignment *a, tb_array *cost, bool maximize)
{
    tb_array *cast;
    const int64_t step = sizeof *a->cost, n = a->rows * a->columns;
    const int64_t across[] = {step, a->columns * step}, along[] = {a->columns * step, step};
    TB_TRY(tb_astype(cost, TB_F64, 'K', TB_CAST_UNSAFE, false, &cast));
    const tb_status status = tb_array_get(cast, a->cost, cost->dims[0] > cost->dims[1] ? across : along, NULL, true);
    tb_array_release(cast);
    TB_TRY(status);
    if (maximize)
        for (int64_t i = 0; i < n; i++) a->cost[i] = -a->cost[i];
    bool valid = true;
    for (int64_t i = 0; i < n; i++) valid &= a->cost[i] > -HUGE_VAL;
    return valid ? TB_OK : tb__fail(TB_ERR_VALUE, "linear_sum_assignment: matrix contains invalid numeric entries");
}

static tb_status to_device(assignment *a, bool turned, tb_array **rows, tb_array **columns)
{
    int64_t *first = a->left, *second = turned ? a->row_before : a->column_of, n = 0;
    for (int64_t i = 0; i < (turned ? a->columns : a->rows); i++) {
        if (turned && a->row_of[i] < 0) continue;
        if (turned) second[n] = a->row_of[i];
        first[n++] = i;
    }
    tb_array *made;
    TB_TRY(tb_from_host(first, TB_I64, 1, &n, NULL, 'C', &made));
    const tb_status status = tb_from_host(second, TB_I64, 1, &n, NULL, 'C', columns);
    if (status == TB_OK) *rows = made;
    else tb_array_release(made);
    return status;
}

tb_status tb_linear_sum_assignment(tb_array *cost, bool maximize, tb_array **rows, tb_array **columns)
{
    TB_NOT_NULL(cost, rows, columns);
    TB_ARE_NUMBERS("linear_sum_assignment", cost->dtype);
    if (tb_dtype_kind((tb_dtype)cost->dtype) == TB_KIND_COMPLEX)
        return tb__fail(TB_ERR_TYPE, "linear_sum_assignment: costs must be real, not %s",
                        tb_dtype_name((tb_dtype)cost->dtype));
    if (cost->ndim != 2)
        return tb__fail(TB_ERR_VALUE, "linear_sum_assignment: expected a matrix (2-D array), got a %d array",
                        cost->ndim);
    assignment a;
    void *memory = begin(&a, cost->dims[0], cost->dims[1]);
    if (!memory) return tb__fail_memory((size_t)(a.rows * a.columns) * sizeof *a.cost, 0, 0, 0);
    tb_status status = read_costs(&a, cost, maximize);
    if (status == TB_OK) status = add_rows(&a);
    if (status == TB_OK) status = to_device(&a, cost->dims[0] > cost->dims[1], rows, columns);
    free(memory);
    return status;
}
