/* shape.h - arithmetic on shapes and byte strides: sizes with overflow checks, contiguity, broadcasting, extents. */
#ifndef TB_BASE_SHAPE_H
#define TB_BASE_SHAPE_H
#include "tombac/tombac.h"

/* Product of the dimensions; fails for a negative dimension, more than TB_MAXDIM of them, or bytes past 2^62. */
tb_status tb__shape_size(const char *who, int ndim, const int64_t *shape, size_t itemsize, int64_t *size);
int64_t tb__product(int ndim, const int64_t *shape);
void tb__strides_c(int ndim, const int64_t *shape, int64_t itemsize, int64_t *strides);
void tb__strides_f(int ndim, const int64_t *shape, int64_t itemsize, int64_t *strides);
bool tb__is_c_contiguous(int ndim, const int64_t *shape, const int64_t *strides, int64_t itemsize);
bool tb__is_f_contiguous(int ndim, const int64_t *shape, const int64_t *strides, int64_t itemsize);
/* Broadcasts `shape` into the running result (NumPy's rule); fails where the elements are too many to count. `who`
 * names the function in the message. */
tb_status tb__broadcast(const char *who, int *ndim, int64_t *result, int ndim2, const int64_t *shape2);
/* Strides that read (shape, strides) as if it had the broadcast shape. The shapes are known to be compatible. */
void tb__broadcast_strides(int ndim, const int64_t *shape, const int64_t *strides, int to_ndim, const int64_t *to_shape,
                           int64_t *out);
/* NumPy's 'K': the axes from innermost to outermost, sorted by their strides in n operands of one shape. */
void tb__axis_order(int n, const int64_t *const *strides, int ndim, const int64_t *shape, int *order);
/* Strides of a new array in that order. */
void tb__strides_k(int n, const int64_t *const *operands, int ndim, const int64_t *shape, int64_t itemsize,
                   int64_t *strides);
/* Whether no two elements share a byte. May say no where it takes more than a look at the strides to tell. */
bool tb__is_distinct(int ndim, const int64_t *shape, const int64_t *strides, int64_t itemsize);
/* Lowest and one-past-highest byte that a view touches, relative to its first element; empty views: lo = hi = 0. */
void tb__extent(int ndim, const int64_t *shape, const int64_t *strides, int64_t itemsize, int64_t *lo, int64_t *hi);
/* Normalises a possibly negative axis. */
tb_status tb__axis(int axis, int ndim, int *out);
/* Copies host memory between two strided layouts of the same shape and itemsize. */
void tb__host_copy(int ndim, const int64_t *shape, size_t itemsize, char *dst, const int64_t *dst_strides,
                   const char *src, const int64_t *src_strides);
#endif
