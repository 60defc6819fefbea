/* places.h - keys that hold arrays: which elements of an array they mean. Callers hold the core lock.
 *
 * NumPy's rules: index arrays are broadcast against each other; the axes of their common shape come where the first of
 * them is, or in front if something else stands between them; an integer counts as one of them for that. A mask stands
 * for the positions of its true elements. Indices out of range wrap around, or fail where indices are strict. */
#ifndef TB_OPS_PLACES_H
#define TB_OPS_PLACES_H
#include "ops/array_ops.h"

/* What a key picks: elements of `view`, in the shape of the result. */
typedef struct tb_places {
    tb_array *view; /* the key's slices and integers done */
    int narray;
    tb_array *index[TB_MAXDIM];
    int64_t length[TB_MAXDIM], stride[TB_MAXDIM]; /* of the axis that an index array is for */
    int position, index_ndim;                     /* the dimensions of the result that belong to the index arrays */
    int ndim;
    int64_t shape[TB_MAXDIM];
    int64_t strides[TB_MAXDIM]; /* of the view, by dimensions of the result; 0 where index arrays decide */
    int64_t size;
} tb_places;

/* A key of the caller's: fails where an item is none. `function` is whose argument it is. */
tb_status tb__check_key(const char *function, int n, const tb_index *key);
bool tb__has_arrays(int n, const tb_index *key);
/* TB_ERR_INDEX for more items than a has axes, and for arrays that are no indices. */
tb_status tb__check_items(const tb_array *a, int n, const tb_index *key);
/* The mask of a key that is nothing else but a mask of the first axes; NULL for other keys. */
tb_array *tb__only_mask(const tb_array *a, int n, const tb_index *key);
/* Fails unless the mask has the extents of a's axes from `axis` on. */
tb_status tb__check_mask(const tb_array *a, int axis, const tb_array *mask);
/* Waits if there is a mask in the key, and where indices are strict. */
tb_status tb__places(tb_array *a, int n, const tb_index *key, tb_places *out);
void tb__places_free(tb_places *p);
/* Index arrays in memory, as int64 in C order: as plain loops take them. */
tb_status tb__places_settle(tb_places *p);
/* Puts the dimensions in the order of memory, where it is another one: of a matrix in Fortran's order whole columns are
 * moved by columns. axes[d] is what dimension d was; false: all stay. For one index array of one dimension, which does
 * not become the innermost one. */
bool tb__places_turn(tb_places *p, int *axes);
/* The offsets of the result's elements from where strides put them, in bytes. The result is not empty. */
tb_status tb__places_offset(const tb_places *p, tb_expr **out);

/* bounds.c: TB_ERR_INDEX where an index is none of an axis of that length: `axis` is for the message. Waits. */
tb_status tb__check_indices(tb_array *index, int axis, int64_t length);

/* Whether a kernel that moves the places' elements takes less time than an expression: they are few, and index arrays
 * and view are in memory. */
bool tb__places_are_little(const tb_places *p);
/* Starts a plan with such places' index arrays as its first loads. When it has all its loads and the caller's scalars,
 * tb__places_plan adds the offsets, and returns the value. */
void tb__places_start(const tb_places *p, tb_plan *plan);
uint16_t tb__places_plan(const tb_places *p, tb_plan *plan);
/* Adds a load: the stored array, broadcast to the plan's `ndim` dimensions from `first` on. */
void tb__plan_load(tb_plan *plan, const tb_array *a, int first, int ndim);

/* index.c: keys without arrays; an integer for the first axis, which takes it away. */
tb_status tb__index_first(tb_array *a, int64_t index, tb_array **out);
tb_status tb__index_view(tb_array *a, int n, const tb_index *key, tb_array **out);

/* ---- gather.c, scatter.c --------------------------------------------------------------------------------------- */

/* A node: the elements of the base's memory where `where` says (stolen; its shape is the result's), from where these
 * strides lead. */
tb_status tb__gather(tb_array *base, const int64_t *strides, tb_expr *where, tb_expr **out);
/* One kernel, now: values go to where strides and offsets put them; both are stolen. combine: a loop of what is there
 * and the value, or TB_NOLOOP. The caller has called tb__before_write. */
tb_status tb__scatter(tb_array *to, const int64_t *strides, tb_expr *where, tb_expr *value, tb_loop combine);

/* ---- mask.c ---------------------------------------------------------------------------------------------------- */

/* How many elements of the mask are true, after waiting for them, and for each element how many are up to it (an int64
 * array of the mask's shape). */
tb_status tb__mask_count(tb_array *mask, tb_array **order, int64_t *count);
/* An int64 array for each axis of the mask: where its true elements are. */
tb_status tb__mask_positions(tb_array *mask, tb_array **out);
/* a[mask], as a vector of what the mask's axes leave over. */
tb_status tb__mask_get(tb_array *a, tb_array *mask, tb_array **out);
/* a[mask] = value. */
tb_status tb__mask_set(tb_array *a, tb_array *mask, const tb_operand *value);
/* A view of the mask with an axis of length 1 for each of a's other axes. */
tb_status tb__mask_view(const tb_array *a, tb_array *mask, tb_array **out);
#endif
