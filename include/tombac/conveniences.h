/* conveniences.h - the last section of tombac.h, which includes it: numbers, text, keys, joins, files and memory of
 * others in one call each. */
#ifndef TOMBAC_CONVENIENCES_H
#define TOMBAC_CONVENIENCES_H
#ifndef TOMBAC_H
#error "include tombac/tombac.h"
#endif

/* ---- conveniences --------------------------------------------------------------------------------------------- */

/* The number of an array of one element of whatever shape: as it is, or as a C type that holds it. They wait.
 * TB_ERR_VALUE for another size. */
TB_API tb_status tb_item(tb_array *a, tb_scalar *v); /* of a's dtype, not weak */
/* Integers are rounded; TB_ERR_TYPE for a complex dtype. */
TB_API tb_status tb_item_f64(tb_array *a, double *v);
/* TB_ERR_TYPE for a complex dtype, and for a float that is no integer; TB_ERR_OVERFLOW for one beyond int64. */
TB_API tb_status tb_item_i64(tb_array *a, int64_t *v);
/* Any dtype: the real part and the imaginary part. */
TB_API tb_status tb_item_c128(tb_array *a, double v[2]);

/* All elements of a in C order to host memory that has room for n of them, which is how many a has. Waits. TB_ERR_TYPE
 * unless a is of that dtype, TB_ERR_VALUE for another n. */
TB_API tb_status tb_get(tb_array *a, tb_dtype dtype, void *host, int64_t n);
/* The other way, with the same errors: n elements in C order from host memory, which may be reused at once. */
TB_API tb_status tb_set(tb_array *a, tb_dtype dtype, const void *host, int64_t n);

/* The text that NumPy's str() gives for the array: brackets around rows, floats with as few digits as tell them apart
 * and at most 8 after the point, lines of up to 75 characters, and of more than 1,000 elements the first and last 3
 * along each axis. A 0-d array is the number alone. Waits. Free with tb_free. */
TB_API tb_status tb_to_string(tb_array *a, char **text);
/* The same on the standard output, and a newline. */
TB_API tb_status tb_print(tb_array *a);

#define TB_OPEN INT64_MIN /* the bound that a slice does not have */
/* Items of a key for tb_array_index and tb_array_index_set: a[1:, None, ..., i] is
 * {tb_slice(1, TB_OPEN, 1), tb_newaxis(), tb_ellipsis(), tb_at(i)}. */
TB_API tb_index tb_at(int64_t i);                                    /* an integer, from the end if negative */
TB_API tb_index tb_slice(int64_t start, int64_t stop, int64_t step); /* start:stop:step; step is not 0 */
TB_API tb_index tb_whole(void);                                      /* the whole axis, : */
TB_API tb_index tb_newaxis(void);                                    /* an axis of length 1 that a does not have */
TB_API tb_index tb_ellipsis(void);                                   /* all axes that no other item stands for */
TB_API tb_index tb_by(tb_array *mask_or_indices);                    /* a[mask_or_indices], which is borrowed */
TB_API tb_index tb_along(tb_array *indices,
                         int axis); /* as NumPy's take_along_axis has them: TB_INDEX_ALONG; borrowed */

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

/* What an index beyond an axis of n elements is; from -n on negative ones count from the end, but where they are
 * clipped. */
typedef enum tb_bounds {
    TB_BOUNDS_RAISE, /* TB_ERR_INDEX, for which the call waits */
    TB_BOUNDS_WRAP,  /* taken modulo n */
    TB_BOUNDS_CLIP   /* the last one, or where it is negative the first */
} tb_bounds;
/* The elements of a at the indices along an axis (TB_ALL_AXES: of the flattened array): a new array with the shape of
 * indices in place of the axis. TB_ERR_TYPE unless indices are integers or truth values (0 and 1), TB_ERR_INDEX also
 * for any index into nothing. */
TB_API tb_status tb_take(tb_array *a, tb_array *indices, int axis, tb_bounds bounds, tb_array **out);
/* The elements at one index: a copy without the axis. */
TB_API tb_status tb_take_one(tb_array *a, int64_t index, int axis, tb_bounds bounds, tb_array **out);
/* Writes values, cut or repeated to as many as there are indices, to the elements of the flattened a at the indices, in
 * place and with any cast; nothing where either is empty. Errors as in tb_take. */
TB_API tb_status tb_put(tb_array *a, tb_array *indices, tb_array *values, tb_bounds bounds);
/* The same where a mask of a's size is true, with the values one after the other: for their number the call waits.
 * TB_ERR_VALUE for no values where there are true elements. */
TB_API tb_status tb_put_where(tb_array *a, tb_array *mask, tb_array *values);
/* The parts of a along an axis (TB_ALL_AXES: the elements of the flattened array) where a vector is true, which may be
 * shorter than the axis: a new array, for whose size the call waits. TB_ERR_INDEX where it is true beyond the axis. */
TB_API tb_status tb_compress(tb_array *condition, tb_array *a, int axis, tb_array **out);
/* Each part of a along an axis (TB_ALL_AXES: each element of the flattened array) n times: a new array. */
TB_API tb_status tb_repeat(tb_array *a, int64_t n, int axis, tb_array **out);
/* The same by numbers of their own: a vector of integers, one for each part, or one for all. The call waits for them;
 * TB_ERR_VALUE where one is negative. */
TB_API tb_status tb_repeat_by(tb_array *a, tb_array *counts, int axis, tb_array **out);

/* NumPy's round: to so many decimals, or where negative to tens, hundreds and so on; halves to even, complex numbers in
 * parts. TB_ERR_TYPE for truth values, unless decimals is 0. */
TB_API tb_status tb_round(tb_array *a, int64_t decimals, tb_array **out);
TB_API tb_status tb_round_into(tb_array *a, int64_t decimals, tb_array *into); /* to an array of a's shape */
/* NumPy's dot: matmul up to two dimensions of b, a product with a number, and otherwise sums over the last axis of a
 * and the last but one of b, shaped a.shape[:-1] + b.shape[:-2] + b.shape[-1:]. TB_ERR_VALUE where these lengths
 * differ. */
TB_API tb_status tb_dot(tb_array *a, tb_array *b, tb_array **out);
TB_API tb_status tb_dot_into(tb_array *a, tb_array *b, tb_array *into); /* to an array of the result's shape */
/* NumPy's inner: sums of products over the last axes, shaped a.shape[:-1] + b.shape[:-1]. TB_ERR_VALUE where their
 * lengths differ. */
TB_API tb_status tb_inner(tb_array *a, tb_array *b, tb_array **out);
/* Sums along an axis (of each, negative ones counted from its end) of the conjugates of a times b, the other axes
 * broadcast: a new array without that axis. What is pending is computed on the way. TB_ERR_VALUE where the lengths
 * differ or there is no axis at all. */
TB_API tb_status tb_vecdot(tb_array *a, tb_array *b, int axis, tb_array **out);
/* The same of the flattened arrays, which have as many elements: an array without dimensions. */
TB_API tb_status tb_vdot(tb_array *a, tb_array *b, tb_array **out);
/* Matrices, a's last two axes, times vectors, b's last, the other axes broadcast. */
TB_API tb_status tb_matvec(tb_array *a, tb_array *b, tb_array **out);
TB_API tb_status tb_matvec_into(tb_array *a, tb_array *b, tb_array *into); /* to an array of the result's shape */
/* Vectors, a's last axis, conjugated, times matrices, b's last two, the other axes broadcast. */
TB_API tb_status tb_vecmat(tb_array *a, tb_array *b, tb_array **out);
TB_API tb_status tb_vecmat_into(tb_array *a, tb_array *b, tb_array *into); /* to an array of the result's shape */
/* u of every element of a with every element of b: the result has a's shape, followed by b's. u has two inputs; out:
 * tb_ufunc_nout(u) new arrays. */
TB_API tb_status tb_ufunc_outer(const tb_ufunc *u, tb_array *a, tb_array *b, tb_array **out);

/* a in a file of NumPy's .npy format, C order or, where its layout is that, Fortran order. TB_ERR_VALUE, naming the
 * path, where it cannot be written; what is there then is not whole. */
TB_API tb_status tb_save_npy(tb_array *a, const char *path);
/* The array of a .npy file, of version 1, 2 or 3, either order and either byte order. TB_ERR_VALUE, naming the path,
 * where it cannot be read, ends early or is no such file; TB_ERR_TYPE for a dtype that arrays here cannot have. */
TB_API tb_status tb_load_npy(const char *path, tb_array **out);

/* An array over somebody else's memory on `device`: `first` is its first element, strides are in bytes (NULL: C order),
 * nothing here writes to it if read_only. deleter(owner) runs when the memory is used no more, but not on failure; it
 * may be NULL. TB_ERR_VALUE where no memory can be like that. */
TB_API tb_status tb_from_memory(void *first, tb_dtype t, int ndim, const int64_t *shape, const int64_t *strides,
                                int device, bool read_only, void (*deleter)(void *), void *owner, tb_array **out);

/* DLPack, by which libraries share arrays without a copy. The structures are those of its own header, dlpack.h, which
 * who looks into them includes. */
struct DLManagedTensor;
struct DLManagedTensorVersioned;
/* An array over the tensor's memory. It has the tensor from then on, and calls its deleter when the memory is used no
 * more; a tensor that tb_to_dlpack made is its array again, and deleted at once. On failure the tensor remains the
 * caller's: TB_ERR_VALUE where the memory is out of this backend's reach, or described in a way that makes no sense,
 * or the dtype is none that arrays here can have. read_only: nothing here writes to it, which only the versioned form
 * can say itself. The producer's work on the memory must be done, or be ahead in the current stream. */
TB_API tb_status tb_from_dlpack(struct DLManagedTensor *managed, bool read_only, tb_array **out);
/* The same for the form that says itself whether it may be written to; its version is 1.x. */
TB_API tb_status tb_from_dlpack_versioned(struct DLManagedTensorVersioned *managed, tb_array **out);
/* A tensor over a's memory, evaluated, which keeps a until its deleter is called, by whoever took it (see
 * tb_array_share for what that means for later operations). TB_ERR_VALUE where strides are no multiples of the item's
 * size, or a is read-only and the form cannot say so. */
TB_API tb_status tb_to_dlpack(tb_array *a, struct DLManagedTensor **managed);
/* The same in version 1.0 of the newer form. copied: it says of itself that it is a copy, made for its consumer. */
TB_API tb_status tb_to_dlpack_versioned(tb_array *a, bool copied, struct DLManagedTensorVersioned **managed);
/* Calls the tensor's deleter, if it has one; NULL is allowed. For a tensor that nobody took. */
TB_API void tb_dlpack_delete(struct DLManagedTensor *managed);
TB_API void tb_dlpack_delete_versioned(struct DLManagedTensorVersioned *managed); /* the same for the newer form */
/* How deleters of tensors are called from here on: call(fn, arg) has to call fn(arg) once. For a language whose objects
 * they release, under a lock of its own. NULL: directly. */
TB_API void tb_dlpack_deleter_function(void (*call)(void (*fn)(void *), void *arg));
#endif
