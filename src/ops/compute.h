/* compute.h - how exactly a library may compute products: what tb_compute_set has chosen. */
#ifndef TB_OPS_COMPUTE_H
#define TB_OPS_COMPUTE_H
#include "tombac/tombac.h"

/* For products of this dtype; TB_COMPUTE_DEFAULT for those that have no choice. */
tb_compute tb__compute_of(tb_dtype t);
#endif
