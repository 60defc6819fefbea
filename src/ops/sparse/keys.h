/* keys.h - patterns from patterns wherever arrays are: the same functions as the public ones (tombac/sparse.h), by
 * sorting and searching. The number of a place in the matrix, counted in C order, is its key. Without the lock. */
#ifndef TB_OPS_SPARSE_KEYS_H
#define TB_OPS_SPARSE_KEYS_H
#include "ops/array_ops.h"

tb_status tb__keys_group(tb_array *row, tb_array *col, int64_t rows, int64_t cols, tb_pattern *out, tb_array **order);
tb_status tb__keys_transpose(const tb_pattern *p, tb_pattern *out, tb_array **order);
/* Whether such values go along with the elements, and the transpose with them. */
bool tb__keys_carry(const tb_pattern *p, const tb_array *values);
tb_status tb__keys_transpose_values(const tb_pattern *p, tb_array *values, tb_pattern *out, tb_array **moved);
tb_status tb__keys_sort(const tb_pattern *p, tb_pattern *out, tb_array **order);
tb_status tb__keys_unique(const tb_pattern *p, tb_pattern *out, tb_array **first);
tb_status tb__keys_take(const tb_pattern *p, tb_array *row, tb_pattern *out, tb_array **from);
tb_status tb__keys_find(const tb_pattern *p, tb_array *row, tb_array *col, tb_array **out);
tb_status tb__keys_multiply(const tb_pattern *a, tb_array *a_data, const tb_pattern *b, tb_array *b_data,
                            tb_pattern *out, tb_array **data);
/* The product of a's transpose with a vector or a matrix, of one dtype with data. */
tb_status tb__keys_transposed_product(const tb_pattern *a, tb_array *data, tb_array *x, tb_array **out);
#endif
