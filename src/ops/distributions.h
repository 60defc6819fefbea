/* distributions.h - draws from the distributions that have a row among the elementwise operations. */
#ifndef TB_OPS_DISTRIBUTIONS_H
#define TB_OPS_DISTRIBUTIONS_H
#include "tombac/tombac.h"

enum { TB_RANDOM_PARAMETERS = 3 }; /* at most */
bool tb__random_has_row(tb_distribution d);
/* How many parameters it takes; tb_random gives two at most. */
int tb__random_parameters(tb_distribution d);
/* tb_random_of for these, lock and all. */
tb_status tb__random_points(tb_rng *rng, tb_distribution kind, tb_dtype t, int n, const tb_operand *p, int ndim,
                            const int64_t *shape, tb_array **out);
#endif
