/* tombac.h - the public C API of libtombac: NumPy-compatible arrays on GPU and CPU.
 *
 * Conventions
 *  - Every fallible function returns a tb_status. On failure it leaves its out-parameters untouched and sets the
 *    calling thread's error message (tb_error_message). Nothing aborts. Arguments that cannot be what they are, NULL
 *    among them, are TB_ERR_VALUE, and functions without a status ignore them; so a variable that a failed call was to
 *    write and that holds NULL may be passed on, and the message keeps the first failure.
 *  - Inputs are borrowed. An out-parameter is a variable for a new reference, which the caller gives back with
 *    tb_array_release; what it held is neither read nor released, and it is written last: to replace an array that a
 *    call reads, keep the old reference and release it afterwards. Functions that end in _into write to arrays of the
 *    caller's, which are borrowed like inputs, may be inputs, and are cast to by the rules of NumPy's out=.
 *  - Elementwise results are deferred: they exist as expressions until somebody needs the numbers. Shape, dtype and
 *    argument errors are reported by the call; only out-of-memory and device faults may come later.
 *  - Structures of arguments begin with their size, so that later versions may add members: initialise them with their
 *    TB_..._INIT, or with designators of which the first is the size. NULL stands for TB_..._INIT where args may be
 *    NULL. Where a function fills a structure, its size is a parameter.
 *  - Strides and offsets are in bytes, shapes and sizes in elements; all are 64-bit.
 *  - All functions may be called from any thread. The current device, stream and error are per thread.
 */
#ifndef TOMBAC_H
#define TOMBAC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What is part of the library's interface; everything else is hidden. */
#if defined(_WIN32)
#define TB_API __declspec(dllexport)
#else
#define TB_API __attribute__((visibility("default")))
#endif

/* The version of this header; tb_version() is that of the library that runs. What changes with which number is in the
 * manual, docs/c-api.md. */
#define TB_VERSION_MAJOR 0
#define TB_VERSION_MINOR 1 /* grows with what is added; before 1.0 also with what is changed */
#define TB_VERSION_PATCH 0 /* the header is the same for all of them */
#define TB_VERSION "0.1.0" /* the three, as tb_version() spells them */
/* To compare with: #if TB_VERSION_NUMBER >= TB_VERSION_MAKE(0, 2, 0). */
#define TB_VERSION_MAKE(major, minor, patch) ((major) * 1000000 + (minor) * 1000 + (patch))
#define TB_VERSION_NUMBER TB_VERSION_MAKE(TB_VERSION_MAJOR, TB_VERSION_MINOR, TB_VERSION_PATCH)
#define TB_MAXDIM 32 /* dimensions an array may have */
/* As an axis, which may be negative otherwise: all of them. What has an order is then that of the flattened array. */
#define TB_ALL_AXES (-2147483647 - 1)
#define TB_MAXARGS 5 /* operands of one elementwise function, outputs included */

/* ---- errors --------------------------------------------------------------------------------------------------- */

/* What became of a call; behind the arrow the exception that Python raises for it. tb_error_message says more. */
typedef enum tb_status {
    TB_OK = 0,       /* it did what it says; the message of an earlier failure stays */
    TB_ERR_VALUE,    /* an argument's value: shapes that do not match, a bad order   -> ValueError */
    TB_ERR_TYPE,     /* an argument's type: no loop for these dtypes, a refused cast  -> TypeError */
    TB_ERR_INDEX,    /* an index out of bounds                                        -> IndexError */
    TB_ERR_AXIS,     /* an axis out of bounds                                         -> AxisError */
    TB_ERR_OVERFLOW, /* a Python integer that the dtype cannot hold                   -> OverflowError */
    TB_ERR_MEMORY,   /* the device or the pool's limit is exhausted                   -> OutOfMemoryError */
    TB_ERR_DEVICE,   /* the driver reported a fault (tb_error_driver_code)            -> CUDARuntimeError */
    TB_ERR_LIBRARY,  /* a library is missing; the message names the package           -> ImportError */
    TB_ERR_COMPILE,  /* a kernel did not compile                                      -> CompileException */
    TB_ERR_CASTING,  /* a cast that the casting rule forbids                          -> UFuncTypeError/TypeError */
    TB_ERR_NOT_IMPLEMENTED, /* not by this backend                                    -> NotImplementedError */
    TB_ERR_INTERNAL,        /* a broken invariant: a bug in tombac */
    TB_ERR_CALLER,          /* a function of the caller's failed, which knows why                -> its own exception */
    TB_ERR_INTERRUPTED,     /* ended from outside; results are undefined                      -> KeyboardInterrupt */
    TB_ERR_WAIT,            /* the call would wait for a device: tb_waits_set     -> tombacx.DeviceSynchronized */
    TB_ERR_LINALG,          /* a matrix: not square, singular, no convergence             -> LinAlgError */
} tb_status;

/* Of the calling thread's last failure, "" before the first; never NULL. Only the next failure writes over it, so that
 * it means something after a call that failed. */
TB_API const char *tb_error_message(void);
/* CUresult of the last failure if that was TB_ERR_DEVICE, else 0. The CPU backend uses CUDA's numbers too. */
TB_API int tb_error_driver_code(void);
/* The axis and the dimensions there were: 1 if the last failure was TB_ERR_AXIS, else 0 and nothing is written. */
TB_API int tb_error_axis(int *axis, int *ndim);
/* Bytes asked for, in use by arrays, and held by the pool: 1 if the last failure was TB_ERR_MEMORY, else 0 and nothing
 * is written. All but the first are 0 where the host's memory was exhausted. */
TB_API int tb_error_memory(size_t *asked, size_t *used, size_t *held);

/* ---- dtypes --------------------------------------------------------------------------------------------------- */

/* What the elements of an array are. Numbers of an array are stored as the C type. */
typedef enum tb_dtype {
    TB_BOOL,                    /* uint8_t, 0 or 1 */
    TB_I8,                      /* int8_t */
    TB_U8,                      /* uint8_t */
    TB_I16,                     /* int16_t */
    TB_U16,                     /* uint16_t */
    TB_I32,                     /* int32_t */
    TB_U32,                     /* uint32_t */
    TB_I64,                     /* int64_t */
    TB_U64,                     /* uint64_t */
    TB_F16,                     /* IEEE binary16, in a uint16_t */
    TB_BF16,                    /* bfloat16, the upper half of a float, in a uint16_t */
    TB_F32,                     /* float */
    TB_F64,                     /* double */
    TB_C64,                     /* two floats, real and imaginary: float _Complex */
    TB_C128,                    /* two doubles: double _Complex */
    TB_NDTYPE,                  /* dtypes with arithmetic */
    TB_NODTYPE = 255,           /* none, or whatever follows from the rest of the arguments */
    TB_LAST_RECORD = 0x7fffffff /* from 256 to here: what tb_record_new gave */
} tb_dtype;

/* Classes of dtypes, in the order in which they are raised to each other. */
typedef enum tb_kind {
    TB_KIND_BOOL,    /* TB_BOOL */
    TB_KIND_INT,     /* signed and unsigned integers */
    TB_KIND_FLOAT,   /* TB_F16 to TB_F64 */
    TB_KIND_COMPLEX, /* TB_C64, TB_C128 */
    TB_KIND_RECORD   /* what tb_record_new gave: moved, not computed with */
} tb_kind;
/* Which casts are allowed, from few to all: NumPy's rules. */
typedef enum tb_casting {
    TB_CAST_NO,        /* none */
    TB_CAST_EQUIV,     /* none either: all arrays have the host's byte order */
    TB_CAST_SAFE,      /* those that keep every value, as NumPy counts it (int64 to float64 too) */
    TB_CAST_SAME_KIND, /* to another size too, and up: bool, unsigned, signed, float, complex */
    TB_CAST_UNSAFE     /* any: floats are cut to integers, imaginary parts dropped */
} tb_casting;

TB_API size_t tb_dtype_size(tb_dtype t);      /* bytes of an element; 0 for what is no dtype */
TB_API const char *tb_dtype_name(tb_dtype t); /* "float32"; "no dtype" for what is none. Never freed */
TB_API char tb_dtype_char(tb_dtype t);        /* NumPy's type character: 'f'; 0 for what is no dtype */
TB_API tb_kind tb_dtype_kind(tb_dtype t);     /* signed and unsigned integers are both TB_KIND_INT */
TB_API bool tb_dtype_is_unsigned(tb_dtype t); /* true for TB_U8 to TB_U64 alone, not for bool */
TB_API tb_dtype tb_dtype_real(tb_dtype t);    /* the dtype of a complex number's parts; t itself if t is real */
/* The smallest dtype that both cast to safely: int64 and uint64 make float64. TB_NODTYPE if one is no dtype. */
TB_API tb_dtype tb_promote(tb_dtype a, tb_dtype b);
/* Whether the rule allows the cast; false for what is no dtype or no rule. */
TB_API bool tb_can_cast(tb_dtype from, tb_dtype to, tb_casting rule);

/* Elements that are moved and compared, but not computed with. Each such dtype is described once and has a number from
 * then on, which goes wherever a dtype goes: to tb_empty, tb_full, tb_from_host, tb_view_dtype, tb_astype. Operations
 * that compute refuse it (TB_ERR_TYPE). Elements are moved as words of up to 16 bytes; where one takes several, arrays
 * whose elements are moved have at most TB_MAXDIM - 1 dimensions. */
typedef enum tb_record_kind {
    TB_RECORD_FIELDS, /* values side by side, each with a name */
    TB_RECORD_BYTES,  /* nothing is known about them */
    TB_RECORD_TIME    /* an int64_t that counts, of which the smallest is equal to none: NumPy's times */
} tb_record_kind;
/* A part of each element, which tb_array_field looks at. */
typedef struct tb_field {
    const char *name;     /* no other field of the record has it */
    tb_dtype dtype;       /* may be a record */
    int64_t offset;       /* in bytes, from the element's begin; fields may overlap */
    int ndim;             /* 0: one value */
    const int64_t *shape; /* ndim lengths; NULL will do for none */
} tb_field;
/* What the elements are. */
typedef struct tb_record {
    size_t struct_size;     /* sizeof(tb_record) */
    const char *name;       /* what tb_dtype_name says, and what tells apart records that are alike; may be NULL */
    tb_record_kind kind;    /* which of the rest count */
    int64_t size;           /* bytes of an element; 8 for a time */
    int nfield;             /* 0 but for TB_RECORD_FIELDS, which may have none either */
    const tb_field *fields; /* in their order */
} tb_record;
/* Nothing: set at least the size. */
#define TB_RECORD_INIT {sizeof(tb_record), NULL, TB_RECORD_BYTES, 0, 0, NULL}
#define TB_RECORDS_MAX (1 << 16) /* of a dtype that tb_record_new gave, t >> 8 is below this */
/* The dtype of such elements, the same one for the same description; what it needs is copied, and never freed. */
TB_API tb_status tb_record_new(const tb_record *record, tb_dtype *out);
/* What t is: size is sizeof(tb_record). Names, fields and shapes are borrowed, for ever. TB_ERR_TYPE for a number. */
TB_API tb_status tb_record_of(tb_dtype t, tb_record *out, size_t size);

/* One number. `weak` marks a Python bool/int/float/complex, whose dtype bends to the arrays it meets (NEP 50):
 * then dtype is TB_BOOL, TB_I64 (TB_U64 above 2^63-1), TB_F64 or TB_C128. */
typedef struct tb_scalar {
    tb_dtype dtype; /* which member of v holds the number */
    bool weak;      /* whether the dtype bends */
    union {
        int64_t i;  /* signed integers, bool */
        uint64_t u; /* unsigned integers */
        double f;   /* every float dtype, and the real part */
        struct {
            double re, im;
        } c; /* complex dtypes */
    } v;     /* the number, which the dtype must be able to hold */
} tb_scalar;

TB_API tb_scalar tb_scalar_int(int64_t v);  /* a weak integer: float32 + 1 is float32, int8 + 1 is int8 */
TB_API tb_scalar tb_scalar_float(double v); /* a weak float: float32 + 0.5 is float32, int8 + 0.5 is float64 */
TB_API tb_scalar tb_scalar_complex(double re, double im); /* weak: TB_C128 */
/* Converts s to dtype t, as NumPy's astype does; *out is not weak. TB_ERR_OVERFLOW if s is a weak integer that t cannot
 * hold. */
TB_API tb_status tb_scalar_cast(tb_scalar s, tb_dtype t, tb_scalar *out);
/* Result dtype of mixed arrays and scalars by NEP 50; NULL will do for none of a kind. TB_ERR_VALUE without either. */
TB_API tb_status tb_result_type(int ndtype, const tb_dtype *dtypes, int nscalar, const tb_scalar *scalars,
                                tb_dtype *out);

#include "tombac/devices.h"

/* ---- arrays --------------------------------------------------------------------------------------------------- */

TB_API tb_array *tb_array_retain(tb_array *a); /* returns a, with one more reference */
/* NULL is allowed. Memory goes with the last array over it; what nobody can see any more is not computed. */
TB_API void tb_array_release(tb_array *a);
/* Releases what *variable holds (NULL is allowed) and puts `by`, a reference of the caller's, there: the end of
 * x = x + 1, where the sum was made in a variable of its own. */
TB_API void tb_array_replace(tb_array **variable, tb_array *by);
/* Releases n arrays, which may be NULL, and leaves NULL in their places: for what a function needs in between, kept in
 * an array or a structure of nothing else. */
TB_API void tb_array_release_all(int n, tb_array **arrays);

TB_API int tb_array_ndim(const tb_array *a);               /* from 0 to TB_MAXDIM */
TB_API const int64_t *tb_array_shape(const tb_array *a);   /* ndim lengths, which live as long as a */
TB_API const int64_t *tb_array_strides(const tb_array *a); /* ndim steps in bytes, which live as long as a */
TB_API int64_t tb_array_size(const tb_array *a);           /* elements */
TB_API tb_dtype tb_array_dtype(const tb_array *a);         /* TB_NODTYPE for NULL */
TB_API int tb_array_device(const tb_array *a);             /* whose memory it is in */
TB_API bool tb_array_is_c_contiguous(const tb_array *a);   /* without gaps, the last index fastest; both may be true */
TB_API bool tb_array_is_f_contiguous(const tb_array *a);   /* without gaps, the first index fastest */
/* Whether its memory is yet to be written by deferred work: false does not say that the device has done its part. */
TB_API bool tb_array_is_pending(const tb_array *a);
TB_API tb_buffer *tb_array_buffer(const tb_array *a); /* borrowed; lives as long as a */
TB_API int64_t tb_array_offset(const tb_array *a);    /* bytes from the buffer's start to the first element */
/* Where a's elements are, if the host may read them there and nothing is left to do first; NULL otherwise, and then
 * tb_array_get is the way. For reading at once: any other call may change the answer. */
TB_API const void *tb_array_peek(const tb_array *a);
/* The number of the last write to a's memory, of all writes that there have been to any: what has been found out about
 * the elements of some arrays holds for as long as none of their numbers is greater than the greatest was. Asking
 * counts as a write where somebody has the address (tb_array_data) and writes without asking. 0 for NULL. */
TB_API int64_t tb_array_version(const tb_array *a);
/* Evaluates a and gives the address of its first element (device memory on CUDA), valid as long as its buffer. Work on
 * it may be on its way: synchronise before the host looks. From then on operations on this memory run at once. */
TB_API tb_status tb_array_data(tb_array *a, void **ptr);
/* As tb_array_data, for an address that somebody will go on reading and writing through without asking again (DLPack,
 * another library's array): until tb_array_unshare, operations on this memory run at once instead of being deferred. */
TB_API tb_status tb_array_share(tb_array *a, void **ptr);
TB_API void tb_array_unshare(tb_array *a); /* once for each tb_array_share */
/* Enqueues what a's numbers come from, and does not wait for it. What failed stays pending, and fails again. */
TB_API tb_status tb_array_eval(tb_array *a);

TB_API void tb_buffer_retain(tb_buffer *b);       /* one more reference */
TB_API void tb_buffer_release(tb_buffer *b);      /* NULL is allowed; arrays over it hold references */
TB_API size_t tb_buffer_size(const tb_buffer *b); /* bytes */
/* As tb_array_data: the address of its first byte. NULL for 0 bytes. */
TB_API tb_status tb_buffer_data(tb_buffer *b, void **ptr);
TB_API tb_status tb_buffer_new(size_t bytes, tb_buffer **out); /* on the current device, not cleared */
/* From the given allocator, whichever is current; NULL: the default pool. */
TB_API tb_status tb_buffer_new_in(tb_allocator *a, size_t bytes, tb_buffer **out);
/* No operation of the library writes to the memory from here on (TB_ERR_VALUE), through whatever array: for memory of
 * somebody who lets others read it only. Copies are arrays like any other. */
TB_API void tb_buffer_set_read_only(tb_buffer *b);
TB_API bool tb_array_is_writable(const tb_array *a);  /* false after tb_buffer_set_read_only */
TB_API bool tb_buffer_is_wrapped(const tb_buffer *b); /* made by tb_buffer_wrap */
/* Gives the memory back ahead of the last reference; what is pending on it is done before. Arrays over it must not be
 * used any more. Nothing happens to memory that is wrapped, or was given back. */
TB_API tb_status tb_buffer_free(tb_buffer *b);
TB_API tb_allocator *tb_buffer_allocator(const tb_buffer *b); /* borrowed; NULL: the default pool */
/* Memory owned by somebody else, on `device`: operations on it run at once. deleter(owner) is called when the last
 * reference goes (may be NULL), by the thread that drops it and without the library's lock; the device may not be done
 * with the memory yet. */
TB_API tb_status tb_buffer_wrap(void *ptr, size_t bytes, int device, void (*deleter)(void *), void *owner,
                                tb_buffer **out);

/* Not cleared. order: 'C' or 'F', of which 'K' and 'A' are 'C' where there is no prototype. shape: ndim lengths, here
 * and below; NULL will do for none. TB_ERR_VALUE for a negative length, or more elements than there can be. */
TB_API tb_status tb_empty(tb_dtype t, int ndim, const int64_t *shape, char order, tb_array **out);
/* Filled with the value, cast as by tb_scalar_cast; deferred. */
TB_API tb_status tb_full(tb_dtype t, int ndim, const int64_t *shape, char order, tb_scalar value, tb_array **out);
/* Not cleared, of proto's shape. t: TB_NODTYPE for proto's; order: 'K' keeps the order of its axes, 'A' is 'F' where
 * proto is in that order alone. */
TB_API tb_status tb_empty_like(const tb_array *proto, tb_dtype t, char order, tb_array **out);
/* start + step * i for i < n, computed in t; deferred. TB_ERR_OVERFLOW for a weak start that t cannot hold. */
TB_API tb_status tb_arange(tb_dtype t, tb_scalar start, tb_scalar step, int64_t n, tb_array **out);
/* n numbers from start to stop, evenly spaced, the last one exactly `stop` if `endpoint`. Computed in double precision;
 * an integer t rounds down. Deferred. */
TB_API tb_status tb_linspace(tb_dtype t, tb_scalar start, tb_scalar stop, int64_t n, bool endpoint, tb_array **out);
/* Ones on the k-th diagonal (above the main one where k > 0), zeros elsewhere; deferred. */
TB_API tb_status tb_eye(tb_dtype t, int64_t rows, int64_t cols, int64_t k, char order, tb_array **out);
/* Ones at and below the k-th diagonal, zeros elsewhere, in C order; deferred. */
TB_API tb_status tb_tri(tb_dtype t, int64_t rows, int64_t cols, int64_t k, tb_array **out);
/* A view of b's memory; strides NULL means C order. TB_ERR_VALUE if it leaves the buffer, or elements would not be
 * aligned. */
TB_API tb_status tb_array_on_buffer(tb_buffer *b, int64_t offset, tb_dtype t, int ndim, const int64_t *shape,
                                    const int64_t *strides, tb_array **out);

/* Host memory of dtype t, with strides in bytes (NULL: C order), to a new array of that shape; the call reads it before
 * it returns. order: of the new array, 'K' and 'A' after the strides. Host memory of no elements may be NULL. */
TB_API tb_status tb_from_host(const void *host, tb_dtype t, int ndim, const int64_t *shape, const int64_t *strides,
                              char order, tb_array **out);
/* Writes host memory of a's shape and dtype, with strides in bytes (NULL: C order), to a. s: NULL is the current stream
 * of a's device. `blocking`: when it returns the host memory may be reused; else when s is synchronised. */
TB_API tb_status tb_array_set(tb_array *a, const void *host, const int64_t *strides, tb_stream *s, bool blocking);
/* Evaluates a and writes its elements to host memory, which has room for them: as tb_array_set the other way round.
 * Failures of deferred work come here. `blocking`: when it returns the numbers are there. */
TB_API tb_status tb_array_get(tb_array *a, void *host, const int64_t *strides, tb_stream *s, bool blocking);

/* Views: new arrays over the same memory, pending or not. One length may be -1: what the others leave. order: 'C', 'F'
 * or 'A', in which the elements are counted. Where no strides do it is a copy, and *copied (may be NULL) is true. */
TB_API tb_status tb_reshape(tb_array *a, int ndim, const int64_t *shape, char order, bool *copied, tb_array **out);
/* Axis d of the result is axes[d] of a, which may be negative; each has its turn. NULL: in reverse. */
TB_API tb_status tb_transpose(tb_array *a, const int *axes, tb_array **out);
/* A view that repeats what has length 1, by strides of 0; TB_ERR_VALUE where the shapes do not allow it. */
TB_API tb_status tb_broadcast_to(tb_array *a, int ndim, const int64_t *shape, tb_array **out);
/* The same bytes as another dtype. One of another size changes the last axis, which must be contiguous then. */
TB_API tb_status tb_view_dtype(tb_array *a, tb_dtype t, tb_array **out);
/* A view of a field of each element, with the field's dimensions behind those of a. TB_ERR_VALUE where there is no such
 * field, or it is a number that is not aligned: tb_astype to a record where it is will do. */
TB_API tb_status tb_array_field(tb_array *a, const char *name, tb_array **out);
/* A view of the real or imaginary parts; TB_ERR_TYPE for an array that is not complex. */
TB_API tb_status tb_real_imag(tb_array *a, bool imag, tb_array **out);
/* Any view inside a's own buffer; strides and offset (from a's first element) in bytes, checked. */
TB_API tb_status tb_as_strided(tb_array *a, int ndim, const int64_t *shape, const int64_t *strides, int64_t offset,
                               tb_array **out);

/* What an item of a key is: a[1, 2:5, None, ..., i] has five of them. */
typedef enum tb_index_kind {
    TB_INDEX_INT,      /* one position, in start; the axis goes */
    TB_INDEX_SLICE,    /* start:stop:step of an axis */
    TB_INDEX_NEWAXIS,  /* a new axis of length 1 */
    TB_INDEX_ELLIPSIS, /* all axes that the other items leave, once in a key */
    TB_INDEX_BOOL,     /* a truth value, in start */
    TB_INDEX_ARRAY,    /* integers, which wrap around when out of range, or a mask */
    TB_INDEX_ALONG     /* integers for the axis `start`, while the other axes follow the place in the index array */
} tb_index_kind;
/* An item of a key. Axes for which a key has no item are kept whole. */
typedef struct tb_index {
    tb_index_kind kind;        /* which of the members below count */
    int64_t start, stop, step; /* an integer index is in start; negative ones count from the end */
    tb_array *array;           /* of TB_INDEX_ARRAY and TB_INDEX_ALONG; borrowed */
    bool has_start, has_stop;  /* slices: absent bounds take Python's defaults; step is never 0 */
} tb_index;
/* a[key] by NumPy's rules: a view, but with arrays or truth values in the key a copy. Masks are counted, for which the
 * call waits. TB_ERR_INDEX for integers out of bounds, too many items, masks of another shape.
 *
 * TB_INDEX_ALONG is alone in its key. Its index array is for the first axes of a, as many as it has itself, and the
 * axis is counted among these: r[i, j, ...] is a[i, index[i, j], ...] along axis 1. Other lengths of these axes are
 * broadcast against each other (TB_ERR_INDEX), and the axes of a behind them are kept whole. */
TB_API tb_status tb_array_index(tb_array *a, int n, const tb_index *index, tb_array **out);
/* Whether elements of index arrays that are out of range are errors of the calling thread (TB_ERR_INDEX) rather than
 * wrap around; TOMBAC_STRICT_INDICES (0, 1) sets the start value. Each index array is looked over, and waited for. */
TB_API bool tb_strict_indices_set(bool on); /* returns what it was before */
TB_API bool tb_strict_indices_get(void);    /* what the calling thread has chosen */

/* dst[...] = src with broadcasting and `casting`; overlapping memory is handled as if src were copied first. May be
 * deferred. */
TB_API tb_status tb_assign(tb_array *dst, tb_array *src, tb_casting casting);
/* The same for n of them, none of which may write what another reads or writes: one kernel where shapes are the
 * same. */
TB_API tb_status tb_assign_all(int n, tb_array *const *dst, tb_array *const *src, tb_casting casting);
/* dst[...] = value, cast as by tb_scalar_cast. */
TB_API tb_status tb_assign_scalar(tb_array *dst, tb_scalar value);
/* An array or a number; its members are below, with the functions that take it. */
typedef struct tb_operand tb_operand;
/* a[key] = value, with broadcasting and any cast. Of several values for one element the last one stays; on a GPU, some
 * one of them. */
TB_API tb_status tb_array_index_set(tb_array *a, int n, const tb_index *index, const tb_operand *value);
/* dst[...] = value where the bool array mask, which broadcasts to dst, is true; values are cast whatever they are. */
TB_API tb_status tb_assign_where(tb_array *dst, tb_array *mask, const tb_operand *value);
/* The indices of the elements that are not zero, in C order: an int64 array for each axis, so out has room for ndim of
 * them. Waits. */
TB_API tb_status tb_nonzero(tb_array *a, tb_array **out);
/* The same as one array, with a row for each element. */
TB_API tb_status tb_argwhere(tb_array *a, tb_array **out);
/* In memory of its own, on the current device; deferred. order: as tb_empty_like. */
TB_API tb_status tb_copy(tb_array *a, char order, tb_array **out);
/* As t, by a cast that `casting` allows (TB_ERR_CASTING); deferred. With !copy *out is a itself, one more reference,
 * where dtype and order are right already. */
TB_API tb_status tb_astype(tb_array *a, tb_dtype t, char order, tb_casting casting, bool copy, tb_array **out);
/* Whether a write to one could change the other, by the bounds of their memory: true may be wrong, false is not. */
TB_API bool tb_may_share_memory(const tb_array *a, const tb_array *b);
/* Whether elements of a and b, which are broadcast, are equal: a bool array. Records are if each field of the same name
 * and place is, and all of its values; bytes if all are. TB_ERR_TYPE for others, or where the two have not as many. */
TB_API tb_status tb_record_equal(tb_array *a, tb_array *b, tb_array **out);

/* ---- elementwise functions ------------------------------------------------------------------------------------ */

/* What a function computes with: an array or one number. It says which, so that an array that could not be made is not
 * taken for a number, and one that is zeroed is an error. */
typedef enum tb_operand_kind {
    TB_OPERAND_NONE,  /* nothing, which no function takes */
    TB_OPERAND_ARRAY, /* the array, which is not NULL */
    TB_OPERAND_SCALAR /* the scalar; array is NULL */
} tb_operand_kind;
/* Made by the functions below, or written down; it borrows the array. */
struct tb_operand {
    tb_operand_kind kind; /* which of the two it is */
    tb_array *array;      /* borrowed */
    tb_scalar scalar;     /* a number, weak or of a dtype */
};

TB_API tb_operand tb_operand_array(tb_array *a);  /* a, which may be NULL: what it is given to fails then */
TB_API tb_operand tb_operand_scalar(tb_scalar s); /* s */
TB_API tb_operand tb_operand_int(int64_t v);      /* a weak integer */
TB_API tb_operand tb_operand_float(double v);     /* a weak float */

/* How an elementwise function is called. */
typedef struct tb_ufunc_args {
    size_t struct_size; /* sizeof(tb_ufunc_args) */
    tb_dtype dtype;     /* loop dtype; TB_NODTYPE: the operands decide */
    tb_casting casting; /* what operands and results may be cast by */
    char order;         /* 'K', 'C', 'F', 'A': of new arrays */
    tb_array *where;    /* bool mask; NULL: everywhere. New arrays hold anything where it is false */
} tb_ufunc_args;
/* What NULL stands for, as of the other TB_..._INIT below. */
#define TB_UFUNC_ARGS_INIT {sizeof(tb_ufunc_args), TB_NODTYPE, TB_CAST_SAME_KIND, 'K', NULL}

TB_API const tb_ufunc *tb_ufunc_find(const char *name); /* by NumPy's name, aliases too; NULL if there is none */
TB_API int tb_ufunc_count(void);                        /* how many there are, aliases aside */
TB_API const tb_ufunc *tb_ufunc_at(int i);              /* one of them; NULL if i is out of range */
TB_API const char *tb_ufunc_name(const tb_ufunc *u);    /* constant */
TB_API const char *tb_ufunc_doc(const tb_ufunc *u);     /* what it does, in a sentence or two; constant */
TB_API int tb_ufunc_nin(const tb_ufunc *u);             /* operands: 1 to 3 */
TB_API int tb_ufunc_nout(const tb_ufunc *u);            /* results: 1 or 2 */
TB_API int tb_ufunc_ntypes(const tb_ufunc *u);          /* loops as NumPy counts them */
/* "ff->f": the dtypes of a loop by tb_dtype_char, in the order of the search; NULL if i is out of range. */
TB_API const char *tb_ufunc_type(const tb_ufunc *u, int i);
/* in: tb_ufunc_nin operands; out: tb_ufunc_nout new arrays, deferred, on the current device. args may be NULL.
 * TB_ERR_TYPE: no loop takes the dtypes; TB_ERR_VALUE: shapes do not broadcast; TB_ERR_OVERFLOW: a weak integer does
 * not fit; TB_ERR_CASTING: args->casting forbids a cast. */
TB_API tb_status tb_ufunc_call(const tb_ufunc *u, const tb_operand *in, tb_array **out, const tb_ufunc_args *args);
/* Result k goes to into[k], or where that is NULL to a new array in rest[k]; rest may be NULL if none is. */
TB_API tb_status tb_ufunc_into(const tb_ufunc *u, const tb_operand *in, tb_array *const *into, tb_array **rest,
                               const tb_ufunc_args *args);
/* a[key] = u(a[key], value) in place, where an element that the key names twice is updated twice. u has one input, and
 * value is NULL, or two. The loop is that for both dtypes, where weak numbers are int64, float64 or complex128, and its
 * results are cast to a's dtype whatever they are, as by NumPy's ufunc.at. */
TB_API tb_status tb_ufunc_update(const tb_ufunc *u, tb_array *a, int n, const tb_index *index, const tb_operand *value);
/* x where the condition is not zero and y elsewhere, broadcast; dtype by promotion of x and y. Deferred. */
TB_API tb_status tb_where(const tb_operand *cond, const tb_operand *x, const tb_operand *y, tb_array **out);

/* ---- reductions, scans ---------------------------------------------------------------------------------------- */

/* TB_RED_SUM and so on: the rows of tombac/reductions.def. */
typedef enum tb_reduction {
#define TB_REDUCTION(NAME, ...) TB_RED_##NAME,
#include "tombac/reductions.def"
    TB_RED_COUNT /* how many there are */
} tb_reduction;

/* What of an array is reduced, and how. */
typedef struct tb_reduce_args {
    size_t struct_size;  /* sizeof(tb_reduce_args) */
    int naxis;           /* how many axes are reduced; -1: all of them */
    int axis[TB_MAXDIM]; /* which, counted from the end where negative */
    bool keepdims;       /* reduced axes stay, with length 1 */
    tb_dtype dtype;      /* of the result; TB_NODTYPE: NumPy's default */
    double ddof;         /* var and std: what is subtracted from the count */
    bool has_initial;    /* whether there is a number to begin with */
    tb_scalar initial;   /* that number */
} tb_reduce_args;
/* Everything, to one number. */
#define TB_REDUCE_ARGS_INIT {sizeof(tb_reduce_args), -1, {0}, false, TB_NODTYPE, 0, false, {TB_BOOL, false, {0}}}

/* The reduction that u.reduce is; TB_RED_COUNT: there is none. */
TB_API tb_reduction tb_ufunc_reduction(const tb_ufunc *u);
/* NULL as args: everything, to one number of NumPy's default dtype (narrow integers are summed in 64 bits). Enqueued at
 * the call, with what is pending on a as part of its kernel. TB_ERR_VALUE for no elements where that has no result,
 * TB_ERR_AXIS, TB_ERR_TYPE for an initial value or several axes where there can be none. */
TB_API tb_status tb_reduce(tb_reduction op, tb_array *a, const tb_reduce_args *args, tb_array **out);
/* The same to an array of the result's shape, cast to its dtype. */
TB_API tb_status tb_reduce_into(tb_reduction op, tb_array *a, const tb_reduce_args *args, tb_array *into);
/* The mean and the variance of what tb_reduce would reduce, which a GPU finds in one reading of real numbers. Both may
 * be views of one array. TB_ERR_VALUE for an initial value or another dtype. */
TB_API tb_status tb_mean_var(tb_array *a, const tb_reduce_args *args, tb_array **mean, tb_array **var);
/* Standard scores, of a's shape: elements less the mean of their sample, divided by its standard deviation (`ddof`);
 * NaN where that is what rounding leaves of equal ones. TB_ERR_TYPE for complex numbers, TB_ERR_VALUE as above. */
TB_API tb_status tb_standardize(tb_array *a, const tb_reduce_args *args, tb_array **out);
/* The least and the greatest element, TB_RED_MIN's and TB_RED_MAX's. Of real numbers they are found in one reading,
 * and are views of one array, in which the greatest is behind the least. TB_ERR_VALUE for an initial value or another
 * dtype, and of no elements. */
TB_API tb_status tb_min_max(tb_array *a, const tb_reduce_args *args, tb_array **least, tb_array **most);
/* How many elements of x are in each of so many bins of equal width between its extremes, for which the host waits, and
 * the edges of the bins, of x's dtype. TB_ERR_NOT_IMPLEMENTED where the device has no kernel for it: on the CPU, for
 * many elements or bins, for dtypes other than float32 and float64, and where the range is not finite or next to
 * nothing. */
TB_API tb_status tb_histogram(tb_array *x, int64_t bins, tb_array **counts, tb_array **edges);
/* How many elements of x are in each of the bins between edges, an array of one dimension and at least two elements
 * that do not fall; the last bin has its upper edge. TB_ERR_NOT_IMPLEMENTED where there is no loop for it: on a GPU,
 * for complex numbers and integers of 64 bits, and for edges that are not finite, or lie too close together here and
 * too far apart there. */
TB_API tb_status tb_histogram_between(tb_array *x, tb_array *edges, tb_array **counts);
/* Exponentials of a's elements divided by their sums along the last axis, or the logarithms of that, by a kernel that
 * reads each row once. TB_ERR_NOT_IMPLEMENTED where the device has none: on the CPU, for long rows, and for dtypes that
 * are not of floats; then they are reductions, and functions of elements. */
TB_API tb_status tb_softmax(tb_array *a, bool log, tb_array **out);
/* Running results along axis of a reduction that is a function of two elements (sums, products, extremes, any, all,
 * bits); TB_ALL_AXES: of the flattened array. TB_ERR_VALUE for the others. */
TB_API tb_status tb_scan(tb_reduction op, tb_array *a, int axis, tb_dtype dtype, tb_array **out);
/* The same to an array of the result's shape, cast to its dtype. */
TB_API tb_status tb_scan_into(tb_reduction op, tb_array *a, int axis, tb_dtype dtype, tb_array *into);
/* The same reductions of slices of an axis: element i of the result is that of a[starts[i]:starts[i + 1]] (of the last
 * slice: to the end), or a[starts[i]] where this slice is empty. starts: a vector of integers; TB_ERR_INDEX where one
 * is no position. TB_ERR_NOT_IMPLEMENTED where the device is not the host. */
TB_API tb_status tb_reduceat(tb_reduction op, tb_array *a, tb_array *starts, int axis, tb_dtype dtype, tb_array **out);
/* The same to an array of the result's shape, cast to its dtype. */
TB_API tb_status tb_reduceat_into(tb_reduction op, tb_array *a, tb_array *starts, int axis, tb_dtype dtype,
                                  tb_array *into);

/* ---- order ---------------------------------------------------------------------------------------------------- */

/* a's elements in order along an axis (TB_ALL_AXES: of the flattened array), smallest first: NaN last, complex numbers
 * by their real parts, then by their imaginary ones. TB_ERR_AXIS for an array without dimensions. */
TB_API tb_status tb_sort(tb_array *a, int axis, tb_array **out);
/* The same in the array `into` of a's shape and dtype, which may be a. */
TB_API tb_status tb_sort_into(tb_array *a, int axis, tb_array *into);
/* Sorts n elements of 64 bits in place and returns 0; arg is NULL. NumPy's PyArray_SortFunc. */
typedef int (*tb_sort_function)(void *elements, intptr_t n, void *arg);
/* Sorts of int64, and of float64 without NaN, for the CPU backend on processors with AVX2 and not AVX-512, which has
 * better ones. The first that are provided stay. The extension hands over NumPy's. */
TB_API void tb_provide_sort(tb_sort_function i64, tb_sort_function f64);
TB_API bool tb_needs_sort(void); /* CPU backend in use on such a processor, and no functions provided */
/* The positions along the axis that put the elements in order, as int64; equal elements stay in theirs. */
TB_API tb_status tb_argsort(tb_array *a, int axis, tb_array **out);

/* The positions along an axis that put elements in order by n keys of one shape: by the last key, where that is equal
 * by the one before it, and so on; where all are, they stay. As int64. TB_ERR_NOT_IMPLEMENTED where the device is not
 * the host. */
TB_API tb_status tb_lexsort(int n, tb_array *const *keys, int axis, tb_array **out);
/* How many pairs of elements of a vector of integers are out of order: the one in front is greater. Waits for it.
 * TB_ERR_NOT_IMPLEMENTED where the device is not the host. */
TB_API tb_status tb_inversions(tb_array *a, int64_t *count);

/* a's elements along an axis, of which those at the n positions of kth are where tb_sort would put them; before such
 * a position there is nothing larger, behind it nothing smaller. Negative positions count from the end; TB_ERR_VALUE
 * for one that the axis does not have. */
TB_API tb_status tb_partition(tb_array *a, int n, const int64_t *kth, int axis, tb_array **out);
/* The same in the array `into` of a's shape and dtype, which may be a. */
TB_API tb_status tb_partition_into(tb_array *a, int n, const int64_t *kth, int axis, tb_array *into);
/* The positions along the axis that partition a, as int64. */
TB_API tb_status tb_argpartition(tb_array *a, int n, const int64_t *kth, int axis, tb_array **out);
/* The elements alone that tb_sort would put at the n positions of kth along an axis, in the order in which kth names
 * them: the axis has the length n in the result. */
TB_API tb_status tb_order_statistics(tb_array *a, int n, const int64_t *kth, int axis, tb_array **out);

/* For each of the values how many elements of the vector `sorted` come before it, or with `right` come before it or are
 * equal to it, as int64 in the values' shape: where it belongs. Both are compared as their common dtype, in tb_sort's
 * order. `sorted` is not looked over: if it is not in order the results are some numbers from 0 to its size. */
TB_API tb_status tb_searchsorted(tb_array *sorted, tb_array *values, bool right, tb_array **out);

/* The piecewise linear function through the points (xp, fp), vectors of one length with xp in order, at each of x,
 * all real: float64 in x's shape. *left and *right are the results before the first point and behind the last one;
 * NULL: the value there. It is NaN where x is, unless there is one point only. */
TB_API tb_status tb_interp(tb_array *x, tb_array *xp, tb_array *fp, const double *left, const double *right,
                           tb_array **out);

/* How often each number from 0 on is among x, a vector of integers, as int64; or with weights (or NULL), a real vector
 * as long as x, what those of each number add up to, as float64. The result has minlength elements, or as many as the
 * largest number asks for. Waits for it. TB_ERR_VALUE for negative numbers. */
TB_API tb_status tb_bincount(tb_array *x, tb_array *weights, int64_t minlength, tb_array **out);

/* ---- linear algebra, random numbers --------------------------------------------------------------------------- */

/* NumPy's matmul: 1-d and stacked operands included, dtype by tb_promote. Operands are evaluated, and the product is
 * enqueued at the call. */
TB_API tb_status tb_matmul(tb_array *a, tb_array *b, tb_array **out);
/* The same to an array of the result's shape; TB_ERR_CASTING if its dtype is of a lesser kind. */
TB_API tb_status tb_matmul_into(tb_array *a, tb_array *b, tb_array *into);
/* BLAS for the CPU backend: find(arg, "sgemm") gives the address of that routine, with the Fortran interface and 32-bit
 * integers, or NULL. Nothing is taken unless all are there: gemm, gemv and syrk of s, d, c and z. The extension hands
 * over SciPy's; without it OpenBLAS, MKL, BLIS and others are looked for by their libraries' names, and tb_show_config
 * says which was taken. */
TB_API void tb_provide_blas(void *(*find)(void *arg, const char *name), void *arg);
TB_API bool tb_needs_blas(void); /* CPU backend in use and no tuned BLAS known yet */

/* Philox 4x32-10 streams: number i of a stream depends on (seed, offset + i) alone, so both backends agree. */
typedef enum tb_distribution {
    TB_RAND_UNIFORM,        /* [p0, p1) */
    TB_RAND_NORMAL,         /* mean p0, standard deviation p1 */
    TB_RAND_INTEGERS,       /* p0 <= x <= p1 (inclusive), any integer dtype or bool */
    TB_RAND_EXPONENTIAL,    /* scale p0 */
    TB_RAND_BITS,           /* raw 32 or 64 random bits */
    TB_RAND_GAMMA,          /* standard gamma of shape p0 */
    TB_RAND_LOG_GAMMA,      /* the logarithm of that, which shapes near 0 do not take out of range */
    TB_RAND_BETA,           /* beta of shapes p0 and p1 */
    TB_RAND_VONMISES,       /* angle around 0 with concentration p0 */
    TB_RAND_POISSON,        /* mean p0; like the others from here, of any dtype but complex ones */
    TB_RAND_BINOMIAL,       /* successes in p0 trials of probability p1 */
    TB_RAND_HYPERGEOMETRIC, /* good ones among p2 drawn from p0 good and p1 bad ones, none of them above 2^53 */
    TB_RAND_GEOMETRIC,      /* trials until the first success, of probability p0 */
    TB_RAND_LOGSERIES,      /* logarithmic series with p0 */
    TB_RAND_ZIPF,           /* exponent p0, above 1 */
    TB_RAND_ORDER,          /* the first of 0 ... p0 - 1 in random order, p0 a number; any integer dtype */
} tb_distribution;
/* Where a stream is; {seed, 0} is its beginning. */
typedef struct tb_rng {
    uint64_t seed;   /* which stream */
    uint64_t offset; /* where in it, in 128-bit Philox blocks; calls advance it */
} tb_rng;
/* An array of numbers, in C order of the stream; deferred. *rng is the caller's, who sees to it that one thread uses it
 * at a time. TB_ERR_TYPE for a dtype that the distribution does not have, TB_ERR_VALUE for a negative scale and for
 * bounds that the dtype cannot hold. p0 and p1 count where the distribution says so. */
TB_API tb_status tb_random(tb_rng *rng, tb_distribution d, tb_dtype t, tb_scalar p0, tb_scalar p1, int ndim,
                           const int64_t *shape, tb_array **out);
/* The same of all n parameters that the distribution has, which may be arrays from TB_RAND_GAMMA on. They broadcast to
 * the shape; with ndim -1 it is theirs. Parameters are not looked at: out of their range a point is NaN, or the least
 * int64 as dtype t has it. A count that exceeds an int64 is the largest. */
TB_API tb_status tb_random_of(tb_rng *rng, tb_distribution d, tb_dtype t, int n, const tb_operand *p, int ndim,
                              const int64_t *shape, tb_array **out);

/* ---- looking inside ------------------------------------------------------------------------------------------- */

/* What is pending on a, and the kernel it would become: text ('t'), SVG ('s') or the CUDA source ('c'). tb_free it.
 * Nothing is evaluated. TB_ERR_NOT_IMPLEMENTED for 'c' on the CPU, which has no source. */
TB_API tb_status tb_explain(tb_array *a, char form, char **text);

#include "tombac/kernels.h"
#include "tombac/runtime.h"
#include "tombac/images.h"
#include "tombac/points.h"
#include "tombac/signals.h"
#include "tombac/conveniences.h"
#include "tombac/linalg.h"
#include "tombac/sparse.h"
#include "tombac/functions.h"

#ifdef __cplusplus
}
#endif
#endif
