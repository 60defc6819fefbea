/* array_ops.h - what the array operations of src/ops offer one another. Callers hold the core lock.
 *
 * The functions here are the bodies of the public functions of the same name, or building blocks of several of them. */
#ifndef TB_OPS_ARRAY_OPS_H
#define TB_OPS_ARRAY_OPS_H
#include "base/record.h"
#include "graph/eval.h"
#include "graph/expr.h"
#include "plan/plan.h"
#include "runtime/runtime.h"
#include "tombac/tombac.h"

/* ---- nodes.c: expression nodes by name ------------------------------------------------------------------------- */

/* s as a node of dtype t. Fails with TB_ERR_OVERFLOW as tb_scalar_cast does. */
tb_status tb__node_scalar(tb_scalar s, tb_dtype t, tb_expr **out);
/* s, cast to t, everywhere. */
tb_status tb__node_fill(tb_scalar s, tb_dtype t, int ndim, const int64_t *shape, char order, tb_expr **out);
/* a's elements broadcast to shape, cast to t. */
tb_status tb__node_input(tb_array *a, tb_dtype t, int ndim, const int64_t *shape, tb_expr **out);
/* Does what taking the arrays as nodes would evaluate, before any node of a write is made: what is pending on the
 * memory comes first. NULL stands for no array. */
tb_status tb__ready(int n, tb_array *const *a);
/* Evaluates a if it is pending and its expression has more operations or more distinct arrays than given, or was asked
 * for before. For kernels that compute their input on the fly: what is long, or wanted twice, is better written. */
tb_status tb__fit_prologue(tb_array *a, int max_nodes, int max_leaves);
/* The loop of `op` for exactly the dtypes of `in`. Steals the references in `in`, also on failure. */
tb_status tb__node(tb_op op, int nin, tb_expr **in, int ndim, const int64_t *shape, char order, tb_expr **out);

/* ---- ufunc_call.c ---------------------------------------------------------------------------------------------- */

/* tb_ufunc_call and tb_ufunc_into, lock and all, for callers who have checked the arguments; args is not NULL. */
tb_status tb__ufunc_call(const tb_ufunc *u, const tb_operand *in, tb_array **out, const tb_ufunc_args *args);
tb_status tb__ufunc_into(const tb_ufunc *u, const tb_operand *in, tb_array *const *into, tb_array **rest,
                         const tb_ufunc_args *args);

/* ---- creation.c ------------------------------------------------------------------------------------------------ */

/* A new array of a's dtype and shape, but for n elements along an axis; its elements are not set. Takes the lock. */
tb_status tb__with_axis(const tb_array *a, int axis, int64_t n, tb_array **out);

/* Contiguous strides in the axis order of `like`, the strides of an array of the same shape (NumPy's 'K'). */
void tb__strides_like(int ndim, const int64_t *shape, const int64_t *like, int64_t itemsize, int64_t *strides);
tb_status tb__empty_strided(tb_dtype t, int ndim, const int64_t *shape, const int64_t *strides, tb_array **out);
/* A new array that is written at once: tb__run_loop into it. */
tb_status tb__loop_array(tb_loop loop, int n, const tb_operand *in, tb_dtype t, int ndim, const int64_t *shape,
                         char order, tb_array **out);
tb_status tb__full(tb_dtype t, int ndim, const int64_t *shape, char order, tb_scalar value, tb_array **out);
/* Fails with TB_ERR_VALUE unless `order` is one of the letters in `allowed`. */
tb_status tb__check_order(const char *who, char order, const char *allowed);
/* A view must stay within its buffer and keep elements of dtype t aligned; offset is from the buffer's start. */
tb_status tb__check_view(const char *who, const tb_buffer *b, int64_t offset, tb_dtype t, int ndim,
                         const int64_t *shape, const int64_t *strides);

/* ---- view.c ---------------------------------------------------------------------------------------------------- */

/* Unchecked: offset is from the buffer's start. */
tb_status tb__view(const tb_array *a, int64_t offset, tb_dtype t, int ndim, const int64_t *shape,
                   const int64_t *strides, tb_array **out);
/* The same of a shape that is known to be an array's, or what is left of one without an axis. */
tb_status tb__view_sized(const tb_array *a, int64_t offset, tb_dtype t, int ndim, const int64_t *shape,
                         const int64_t *strides, tb_array **out);
tb_status tb__reshape(tb_array *a, int ndim, const int64_t *shape, char order, bool *copied, tb_array **out);
tb_status tb__real_imag(tb_array *a, bool imag, tb_array **out);
/* The first element of an array that is in memory. */
static inline void *tb__vector_at(const tb_array *a) { return a->buffer->ptr + a->offset; }

/* ---- store.c --------------------------------------------------------------------------------------------------- */

/* view[...] = e (stolen; of view's shape and dtype) where the mask, which broadcasts to view, is true (NULL:
 * everywhere). Where elements of the view share memory the last one stays: in C order, or with order 'K' as NumPy goes
 * through an elementwise function's operands `in` and its result, or with none through the view's memory. */
tb_status tb__store(tb_array *view, tb_array *mask, tb_expr *e, char order, int nin, const tb_operand *in);

/* ---- join.c ---------------------------------------------------------------------------------------------------- */

tb_status tb__assign_all(int n, tb_array *const *dst, tb_array *const *src, tb_casting casting);

/* ---- assign.c, convert.c --------------------------------------------------------------------------------------- */

tb_status tb__check_cast(tb_dtype from, tb_dtype to, tb_casting rule);
tb_status tb__assign(tb_array *dst, tb_array *src, tb_casting casting);
tb_status tb__assign_where(tb_array *dst, tb_array *mask, const tb_operand *value);
tb_status tb__copy(tb_array *a, char order, tb_array **out);
/* transfer.c: a new contiguous array on the current device with the elements of one that is elsewhere. */
tb_status tb__bring(tb_array *a, char order, tb_array **out);
tb_status tb__astype(tb_array *a, tb_dtype t, char order, tb_casting casting, bool copy, tb_array **out);
/* A new array: a as dtype t, in C order and in memory. */
tb_status tb__stored(tb_array *a, tb_dtype t, tb_array **out);
/* splines.c: whether splines at n points read so few elements of an image that these are read one by one, on the host,
 * in less time than all of it is made float64 in C order. */
bool tb__few_points(const tb_array *image, int naxis, int order, int64_t n);

/* ---- words.c, records.c: arrays of records ---------------------------------------------------------------------- */

/* Whatever moves elements of records moves words, in arrays that have an axis of them behind their own: nothing below
 * the functions here knows of records. */

/* Whether one of two elements is a record. */
static inline bool tb__are_records(tb_dtype a, tb_dtype b) { return tb__is_record(a | b); }
/* `size` bytes of each element, from `offset` on, of n arrays seen as words, the largest that all of them are aligned
 * for; with an axis of them, the last, if it takes several. Words are integers, but those of 16 bytes, which are there
 * to be moved, complex128. They have at most so many bytes: 8 or 16. */
tb_status tb__words_at(int64_t offset, int64_t size, int64_t most, int n, tb_array *const *a, tb_array **out,
                       bool *axis);
/* The same of whole elements, which have one size. */
static inline tb_status tb__words(int n, tb_array *const *a, tb_array **out, bool *axis)
{
    return tb__words_at(0, (int64_t)tb_dtype_size(a[0]->dtype), 16, n, a, out, axis);
}
/* A view with n more axes of length 1, behind the others. */
tb_status tb__with_axes(tb_array *a, int n, tb_array **out);
/* dst[...] = src where the mask (NULL: everywhere) is true, of one dtype, aligned or not; shapes have been checked.
 * What belongs to no field stays as it is. */
tb_status tb__move(tb_array *dst, tb_array *mask, tb_array *src);
/* The same with all bytes, to a new array. */
tb_status tb__move_all(tb_array *dst, tb_array *src);
tb_status tb__record_index(tb_array *a, int n, const tb_index *key, tb_array **out);
tb_status tb__record_index_set(tb_array *a, int n, const tb_index *key, const tb_operand *value);
tb_status tb__record_where(const tb_operand *cond, tb_array *x, tb_array *y, tb_array **out);
/* Any cast, which has been checked, as have shapes. */
tb_status tb__record_assign(tb_array *dst, tb_array *mask, tb_array *src);
tb_status tb__record_assign_scalar(tb_array *dst, tb_array *mask, tb_scalar value);
tb_status tb__record_copy(tb_array *a, tb_dtype t, char order, tb_array **out);
tb_status tb__record_full(tb_dtype t, int ndim, const int64_t *shape, char order, tb_scalar value, tb_array **out);
/* A view of a field, which may not be aligned. */
tb_status tb__field(tb_array *a, const tb_field *f, tb_array **out);
bool tb__is_aligned(const tb_array *a);
/* a, or if that is not aligned a copy: a new reference. */
tb_status tb__aligned(tb_array *a, tb_array **out);

/* What a reduction or scan computes on the fly rather than from memory; half of it where the input is read twice. It
 * fits a plan beside any other expression. */
enum { TB_PROLOGUE_NODES = TB_PLAN_MAXINSTR - TB_MAX_NODES, TB_PROLOGUE_LEAVES = TB_PLAN_MAXLOAD - TB_MAX_LEAVES };

/* ---- sort.c ---------------------------------------------------------------------------------------------------- */

/* a with two axes changed for one another: a view. */
tb_status tb__swap_axes(tb_array *a, int i, int k, tb_array **out);
/* A new array: a, with this axis in the place of the last one, in C order and in memory. */
tb_status tb__rows_of(tb_array *a, int axis, tb_array **out);
/* tb_argsort of a vector of integers of which none is negative, and all are less than `end`. Without the lock. */
tb_status tb__argsort_below(tb_array *a, int64_t end, tb_array **out);
/* Such a vector in order, and the halves of uint64 numbers that its elements take along, as uint32; for a device that
 * is not the host. */
tb_status tb__sort_carrying(tb_array *keys, int64_t end, tb_array *carried, tb_array **sorted, tb_array **upper,
                            tb_array **lower);

/* ---- reduce.c, reduce_kernel.c --------------------------------------------------------------------------------- */

/* Which axes of an input go, and the shape that stays. */
typedef struct tb_reduce_axes {
    int ndim; /* of the input */
    int64_t shape[TB_MAXDIM];
    uint32_t reduced; /* bit d set when axis d goes */
    bool keepdims;
    int64_t count; /* elements per result */
    int out_ndim;
    int64_t out_shape[TB_MAXDIM];
    int64_t out_size;
} tb_reduce_axes;

/* naxis -1: all axes. */
tb_status tb__reduce_axes(int ndim, const int64_t *shape, int naxis, const int *axis, bool keepdims,
                          tb_reduce_axes *out);
/* The dtype in which sums and products of t are made: the one asked for (or TB_NODTYPE), else one that out (or NULL)
 * agrees with, else t, where narrow integers widen to 64 bits. */
tb_dtype tb__sum_dtype(tb_dtype t, tb_dtype asked, const tb_array *out);
/* The loop that reduces (or scans) elements of dtype `from` to `to`, and the dtype elements must be cast to before it;
 * its output may still need a cast to `to`. Fails with TB_ERR_TYPE when there is none. */
tb_status tb__reduce_loop(tb_red_op op, tb_dtype from, tb_dtype to, tb_red *loop);
/* One kernel: e (stolen) reduced by `loop`, whose input dtype it has; neither e nor the result is empty. With `into`,
 * an array of the result's shape and dtype that shares no memory with e's leaves, the result is stored there. `count`
 * divides means. */
tb_status tb__reduce_kernel(tb_red loop, tb_expr *e, const tb_reduce_axes *r, double count, tb_array *into,
                            tb_array **out);
/* The same for `of` (a loop, or TB_NOLOOP) over n stored arrays of one shape and of the dtypes that it takes: they need
 * no expression. */
tb_status tb__reduce_stored(tb_red loop, tb_loop of, int n, tb_array *const *a, const tb_reduce_axes *r, double count,
                            tb_array *into, tb_array **out);
/* The sum along an axis of op, multiply or multiply_conjugate, of a and b, which have one shape, in dtype t: a new
 * array, or written to `into` as tb__reduce_kernel does. */
tb_status tb__sum_of_products(tb_op op, tb_dtype t, tb_array *a, tb_array *b, int axis, tb_array *into, tb_array **out);
/* into: an array to write to, or NULL. */
tb_status tb__reduce(tb_reduction op, tb_array *a, const tb_reduce_args *args, tb_array *into, tb_array **out);
/* Fails unless `out` has this shape and a result of dtype t may be cast to it. */
tb_status tb__check_out(const char *who, const tb_array *out, tb_dtype t, tb_casting casting, int ndim,
                        const int64_t *shape);
/* Ends an operation: `result` (stolen) becomes *out, or goes to `into` if there is one: then out is left alone. */
tb_status tb__deliver(tb_array *result, tb_array *into, tb_array **out);

/* mask.c: the values where the mask is true, as tb_put_where has it, if the host can write them straight there. *done:
 * whether it did. */
tb_status tb__put_where(tb_array *a, tb_array *mask, tb_array *values, bool *done);
#endif
