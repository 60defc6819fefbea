/* steps.h - patterns by kernels of a device whose memory the host does not see: the public functions (tombac/sparse.h)
 * that sorts, searches and scans would take too long for. Without the lock. */
#ifndef TB_OPS_SPARSE_STEPS_H
#define TB_OPS_SPARSE_STEPS_H
#include "ops/array_ops.h"

tb_status tb__steps_rows(const tb_pattern *p, tb_array **row);
/* uint64: each element's row, and 32 bits of its own from `bits`, or if that is NULL its number. */
tb_status tb__steps_packed(const tb_pattern *p, tb_array *bits, tb_array **words);
/* Where each of so many lines begins among elements in order, of which these are the lines; of their dtype. */
tb_status tb__steps_starts(tb_array *sorted, int64_t lines, tb_array **start);
tb_status tb__steps_check(const tb_pattern *p, int *found);
/* The same of elements by row and column. */
tb_status tb__steps_order(tb_array *row, tb_array *col, int64_t rows, int64_t cols, int *found);
tb_status tb__steps_match(const tb_pattern *a, const tb_pattern *b, bool any, tb_pattern *out, tb_array **from_a,
                          tb_array **from_b);
/* Of one dtype, which the product has. *data NULL: there are no kernels, or rows are too long for them. */
tb_status tb__rows_multiply(const tb_pattern *a, tb_array *a_data, const tb_pattern *b, tb_array *b_data,
                            tb_pattern *out, tb_array **data);
#endif
