/* signals.h - a section of tombac.h, which includes it: products that slide, digital filters, peaks, Fourier
 * transforms. */
#ifndef TOMBAC_SIGNALS_H
#define TOMBAC_SIGNALS_H
#ifndef TOMBAC_H
#error "include tombac/tombac.h"
#endif

/* ---- products that slide, digital filters ------------------------------------------------------------------------ */

/* Which results of two vectors that slide past each other are asked for. */
typedef enum tb_overlap {
    TB_OVERLAP_FULL, /* all where they overlap */
    TB_OVERLAP_SAME, /* as many from their middle as the longer one has elements */
    TB_OVERLAP_VALID /* those where the shorter one lies within the longer one */
} tb_overlap;
/* The convolution of two vectors (or numbers): element i of the full one is the sum of a[j] * v[i - j]. The result has
 * the dtype that both are promoted to. TB_ERR_VALUE for more dimensions, or no elements. */
TB_API tb_status tb_convolve(tb_array *a, tb_array *v, tb_overlap mode, tb_array **out);
/* Their correlation: element i of the valid one is the sum of a[i + j] * conj(v[j]). */
TB_API tb_status tb_correlate(tb_array *a, tb_array *v, tb_overlap mode, tb_array **out);

/* A filter between two rates, along the last axis of x: up - 1 zeros are thought behind each element, these are
 * filtered by the vector of taps, and of the results `count` are taken, `down` apart from number `start` of the full
 * convolution on. x and taps have one dtype: float32, float64, complex64 or complex128. TB_ERR_NOT_IMPLEMENTED on the
 * CPU where up and down, without what divides both, have a product beyond 2^12. TB_ERR_TYPE for other dtypes;
 * TB_ERR_VALUE for no taps, another number of dimensions, rates below 1, or numbers below 0. */
TB_API tb_status tb_polyphase(tb_array *x, tb_array *taps, int64_t up, int64_t down, int64_t start, int64_t count,
                              tb_array **out);

/* A digital filter: sections that follow one another. Each makes of its input x
 * y[n] = (b[0] x[n] + ... + b[order] x[n - order] - a[1] y[n - 1] - ... - a[order] y[n - order]) / a[0]. */
typedef struct tb_filter {
    int sections;    /* at least 1 */
    int order;       /* of each section; at least 0 */
    bool is_complex; /* coefficients are pairs: a real and an imaginary part */
    const double *b; /* (sections, order + 1) coefficients, on the host */
    const double *a; /* as many; the first of a section must not be 0 */
} tb_filter;
/* x, filtered along an axis, from its first element to its last or backwards, computed in dtype t: TB_F32, TB_F64,
 * TB_C64 or TB_C128. zi: the states from which the sections begin, an array of x's shape with the order in place of the
 * axis, behind a first axis for the sections; NULL: zeros. zf: those in which they end; NULL: not wanted. The
 * form is direct form II transposed. Long rows are computed in blocks side by side where the filter's answer to what
 * came before them dies away; what of it is below 1e-30 is left out. TB_ERR_VALUE where a[0] is 0, or zi has another
 * shape. */
TB_API tb_status tb_recurrence(tb_array *x, int axis, tb_dtype t, const tb_filter *filter, bool backwards, tb_array *zi,
                               tb_array **y, tb_array **zf);

/* ---- peaks ------------------------------------------------------------------------------------------------------- */

/* Where a vector of real numbers has peaks, as int64: elements, or plateaus of equal ones, both of whose neighbours are
 * lower. middles: the middle of each, the left one of two. left, right: its first and its last element; both are NULL
 * where they are not wanted. The functions of this section take numbers as float64, and wait for them.
 * TB_ERR_NOT_IMPLEMENTED where the device is not the host. */
TB_API tb_status tb_peaks_find(tb_array *x, tb_array **middles, tb_array **left, tb_array **right);
/* Which peaks stay, as truth values, if one after the other, beginning with the last one of `by`, pushes out those
 * that are less than `distance` away. peaks: positions, in order. by: the numbers of the peaks. TB_ERR_VALUE where
 * it has another length, or a number that no peak has. */
TB_API tb_status tb_peaks_apart(tb_array *peaks, tb_array *by, int64_t distance, tb_array **out);
/* How far peaks stand out: how far one must go down from each to get to a higher element, or to an end of the vector,
 * on the side where that is less. window: how many elements around a peak are looked at; 0: all. out has room for
 * three: the prominences, of float64, and the bases to the left and to the right, of int64: the lowest elements on the
 * way, the nearest ones of equal ones. flat: whether a prominence is 0; NULL: not wanted. TB_ERR_VALUE where a peak is
 * no position of x, or the window has 1 element. */
TB_API tb_status tb_peak_prominences(tb_array *x, tb_array *peaks, int64_t window, tb_array **out, bool *flat);
/* How wide peaks are where the signal has come down by a part of their prominence. The prominences and bases may be
 * given, all three, and are found if they are NULL. out has room for four vectors of float64: the widths, the heights
 * at which they are taken, and the positions, between elements, where the signal has these on the left and on the
 * right. flat: whether a width is 0; NULL: not wanted. TB_ERR_VALUE as above, for a negative part, and where bases are
 * not around their peaks. */
TB_API tb_status tb_peak_widths(tb_array *x, tb_array *peaks, double rel_height, int64_t window, tb_array *prominences,
                                tb_array *left_bases, tb_array *right_bases, tb_array **out, bool *flat);

/* ---- Fourier transforms ---------------------------------------------------------------------------------------- */

/* What is transformed to what. */
typedef enum tb_fft_kind {
    TB_FFT_FORWARD,  /* complex numbers: element k is the sum of a[j] exp(-2 pi i j k / n) */
    TB_FFT_BACKWARD, /* the same with exp(2 pi i j k / n) */
    TB_FFT_REAL,     /* forward, of real numbers: along the last of the axes the first n / 2 + 1 elements */
    TB_FFT_HALF,     /* backward, to n real numbers, of these n / 2 + 1 */
    TB_FFT_COSINE_1, /* n real numbers to as many: the cosine transform of type 1 */
    TB_FFT_COSINE_2, /* of type 2: element k is twice the sum of a[j] cos(pi k (2 j + 1) / (2 n)) */
    TB_FFT_COSINE_3, /* of type 3, the inverse of that */
    TB_FFT_COSINE_4, /* of type 4 */
    TB_FFT_SINE_1,   /* the sine transform of type 1 */
    TB_FFT_SINE_2,   /* of type 2 */
    TB_FFT_SINE_3,   /* of type 3 */
    TB_FFT_SINE_4    /* of type 4 */
} tb_fft_kind;

/* Which of two transforms that undo each other divides by the number of points. */
typedef enum tb_fft_norm {
    TB_FFT_NORM_BACKWARD, /* the backward one */
    TB_FFT_NORM_ORTHO,    /* both, by its square root */
    TB_FFT_NORM_FORWARD   /* the forward one */
} tb_fft_norm;

/* The discrete Fourier transform of a along naxis axes, the last of them first; one that is named twice is gone through
 * twice. length has the number of points along each, -1 for as many as there are: a is cut off there, or continued by
 * zeros. NULL: as many as there are, and 2 (m - 1) of m along the last axis of TB_FFT_HALF. float16, float32 and
 * complex64 are computed in float32, all else in float64. Cosine and sine transforms are unscaled with the backward
 * norm, with the forward one divided by 2 n, of type 1 by 2 (n - 1) and 2 (n + 1), and orthonormal with the third. Only
 * the CPU has them, where a function is provided: else TB_ERR_NOT_IMPLEMENTED. Enqueued at the call. TB_ERR_AXIS;
 * TB_ERR_VALUE for fewer than one point, or no axis for a kind that needs one; TB_ERR_TYPE for complex numbers as input
 * of TB_FFT_REAL and of the kinds behind TB_FFT_HALF. */
TB_API tb_status tb_fft(tb_array *a, tb_fft_kind kind, tb_fft_norm norm, int naxis, const int *axis,
                        const int64_t *length, tb_array **out);
/* The same to an array of the result's shape; TB_ERR_CASTING if its dtype is of a lesser kind. */
TB_API tb_status tb_fft_into(tb_array *a, tb_fft_kind kind, tb_fft_norm norm, int naxis, const int *axis,
                             const int64_t *length, tb_array *into);

/* A function in CUDA C++ that cuFFT calls, from its own kernels, for each element that a transform loads or stores. It
 * takes (void *data, size_t offset, void *info, void *shared) and returns the element; to store it (void *data, size_t
 * offset, T element, void *info, void *shared). Offsets count in C order, and may be unsigned long long; shared is
 * NULL. T is cufftComplex, cufftReal or one of double precision, of `#include <tombac/cufft.cuh>`. */
typedef struct tb_fft_callback {
    size_t struct_size;             /* sizeof(tb_fft_callback) */
    const tb_module_source *source; /* code and options; expressions and nvcc are not for it */
    const char *function;           /* what the function is called there */
    bool stores;                    /* it is called for elements of the result */
    bool link;                      /* make a plan, if there is none, which takes 20 to 800 ms */
    void *info;                     /* in device memory, or NULL */
} tb_fft_callback;
/* No function: set at least source and function. */
#define TB_FFT_CALLBACK_INIT {sizeof(tb_fft_callback), NULL, NULL, false, true, NULL}

/* As tb_fft, unscaled, with elements that a function loads or stores; axes must be the last ones, in order. Plans are
 * kept among the others. *out is NULL where the thread keeps no plan for it on this stream, and none is to be made.
 * TB_ERR_NOT_IMPLEMENTED where cuFFT cannot do it: without nvJitLink, before 11.3, for primes above 127, while a graph
 * is captured, where limits keep no such plan, on the CPU. A tb_module does the same before or behind tb_fft, often
 * faster: docs/architecture.md has when. */
TB_API tb_status tb_fft_called(tb_array *a, tb_fft_kind kind, int naxis, const int *axis, const int64_t *length,
                               const tb_fft_callback *callback, tb_array **out);

/* What the plans come to that the calling thread keeps for transforms on a device, the least recently used going first.
 * The CPU's library keeps its own, which do not count. */
typedef struct tb_fft_cache {
    int64_t most_plans, most_bytes; /* limits; -1: none */
    int64_t plans, bytes;           /* kept; bytes of work area that they ask for while they run */
    uint64_t hits, misses;          /* plans that were there, and that were made */
} tb_fft_cache;
/* The figures of `device`. */
TB_API tb_status tb_fft_cache_read(int device, tb_fft_cache *out);
/* Sets the limits of `device`; plans beyond them are dropped. TB_ERR_VALUE for numbers below -1. */
TB_API tb_status tb_fft_cache_limit(int device, int64_t most_plans, int64_t most_bytes);
/* Drops all plans of the calling thread for `device`, and its counts. */
TB_API tb_status tb_fft_cache_clear(int device);

/* One transform, as a library of the CPU backend is asked for it. Strides are in bytes. */
typedef struct tb_transform {
    tb_fft_kind kind;               /* what is transformed to what */
    tb_fft_norm norm;               /* and which direction is scaled */
    double scale;                   /* by what, if this is the one */
    bool wide;                      /* of float64 and complex128, else of float32 and complex64 */
    bool reals;                     /* the input's elements are real: of kinds that take such, and of complex ones */
    int ndim;                       /* dimensions of input and result, at least one, none of length 0 */
    int naxis;                      /* axes that are transformed, at least one */
    int axis[TB_MAXDIM];            /* each once; of real kinds the last is the one that is halved */
    int64_t points[TB_MAXDIM];      /* along each dimension: the larger of input and result */
    int64_t shape[TB_MAXDIM];       /* of the input */
    int64_t strides[TB_MAXDIM];     /* of the input, which may be negative or 0 */
    int64_t out_shape[TB_MAXDIM];   /* of the result */
    int64_t out_strides[TB_MAXDIM]; /* of room() */
    void *in;                       /* the input */
    bool spare;                     /* the input may be overwritten */
    int threads;                    /* how many are to be used at most */
    void *(*room)(
        struct tb_transform *t); /* memory for the result by out_strides; NULL: there is none, and why is set */
    void *owner;                 /* room's */
    /* Set by the library: where the result is. Memory of room(); or `in`, where that has the result's dtype, shape and
     * strides; or the library's own, in C order, which release(release_arg) gives back. */
    void *out;
    void (*release)(void *arg); /* NULL: it is not the library's */
    void *release_arg;          /* what release is called with */
    bool scaled;                /* the result has been multiplied by scale */
} tb_transform;

/* Makes a transform. */
typedef tb_status (*tb_fft_function)(void *arg, tb_transform *t);
/* Transforms for the CPU backend: fn(arg, t) makes them, with the library's lock held. The extension hands over
 * SciPy's; without it FFTW is looked for. NULL takes it back. */
TB_API void tb_provide_fft(tb_fft_function fn, void *arg);
TB_API bool tb_needs_fft(void); /* CPU backend in use and no function provided */
#endif
