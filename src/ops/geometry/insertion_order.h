/* insertion_order.h - the order in which points are inserted into a triangulation. */
#ifndef TB_OPS_GEOMETRY_INSERTION_ORDER_H
#define TB_OPS_GEOMETRY_INSERTION_ORDER_H
#include <stdint.h>

#include "ops/geometry/predicates.h"
#include "tombac/tombac.h"

/* order: the numbers from 0 to n - 1, n < 2^31. Rounds of points picked at random, each about three times as many as
 * were before, in which points that are near follow one another (N. Amenta, S. Choi, G. Rote, Incremental constructions
 * con BRIO, 2003). The same for the same points. */
tb_status tb__insertion_order(int64_t n, const tb_point *at, int32_t *order);
#endif
