/* conveniences.h - the last section of tombac.h, which includes it: numbers, text, keys, joins, files and memory of
 * others in one call each. */
#ifndef TOMBAC_CONVENIENCES_H
#define TOMBAC_CONVENIENCES_H
#ifndef TOMBAC_H
#error "include tombac/tombac.h"
#endif

/* ---- conveniences --------------------------------------------------------------------------------------------- */

#define TB_OPEN INT64_MIN /* the bound that a slice does not have */
/* Items of a key for tb_array_index and tb_array_index_set: a[1:, None, ..., i] is
 * {tb_slice(1, TB_OPEN, 1), tb_newaxis(), tb_ellipsis(), tb_at(i)}. */
TB_API tb_index tb_at(int64_t i);                                    /* an integer, from the end if negative */
TB_API tb_index tb_slice(int64_t start, int64_t stop, int64_t step); /* start:stop:step; step is not 0 */
TB_API tb_index tb_whole(void);                                      /* the whole axis, : */
TB_API tb_index tb_newaxis(void);                                    /* an axis of length 1 that a does not have */
TB_API tb_index tb_ellipsis(void);                                   /* all axes that no other item stands for */
TB_API tb_index tb_by(tb_array *mask_or_indices);                    /* a[mask_or_indices], which is borrowed */

/* n arrays (at least one) joined along an axis that they have, negative from the end; they agree in all other lengths.
 * The dtype is their promotion. TB_ERR_VALUE for no arrays, 0-d ones, or shapes that do not match, TB_ERR_AXIS. */
TB_API tb_status tb_concatenate(int n, tb_array *const *arrays, int axis, tb_array **out);
/* With a dtype for the result (TB_NODTYPE: their promotion), to which they are cast by the rule. */
TB_API tb_status tb_concatenate_as(int n, tb_array *const *arrays, int axis, tb_dtype dtype, tb_casting casting,
                                   tb_array **out);
/* To an array of the result's shape, which may share memory with what is joined. */
TB_API tb_status tb_concatenate_into(int n, tb_array *const *arrays, int axis, tb_casting casting, tb_array *into);
/* n arrays of one shape along a new axis, which is at this position in the result. Otherwise as tb_concatenate. */
TB_API tb_status tb_stack(int n, tb_array *const *arrays, int axis, tb_array **out);
TB_API tb_status tb_stack_as(int n, tb_array *const *arrays, int axis, tb_dtype dtype, tb_casting casting,
                             tb_array **out); /* as tb_concatenate_as */
TB_API tb_status tb_stack_into(int n, tb_array *const *arrays, int axis, tb_casting casting,
                               tb_array *into); /* as tb_concatenate_into */
/* Views of the n + 1 parts that an axis of a falls into when it is cut before n positions: out[i] is
 * a[positions[i - 1]:positions[i]] by the rules of slices, the first from the start and the last to the end. On failure
 * none is made. */
TB_API tb_status tb_split(tb_array *a, int n, const int64_t *positions, int axis, tb_array **out);
#endif
