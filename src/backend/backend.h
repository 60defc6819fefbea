/* backend.h - what a device must provide. A backend knows plans, memory and queues; it knows nothing of NumPy's rules.
 *
 * Calls come with the core lock held, but for the three _synchronize calls, run_wait mostly, and module_compile and
 * module_load, which several threads may be in at once: other threads go on while one waits. Streams and events are
 * allocated by the core with room for the backend's handle. Work given to a stream runs in order; a backend may be
 * synchronous (the CPU is, until a function of the host is in a stream). */
#ifndef TB_BACKEND_BACKEND_H
#define TB_BACKEND_BACKEND_H
#include "backend/peaks.h"
#include "backend/solver.h"
#include "backend/sparse.h"
#include "backend/structured.h"
#include "backend/tree.h"
#include "base/object.h"
#include "base/text.h"
#include "plan/plan.h"
#include "tombac/tombac.h"

struct tb_stream {
    int refs;
    int device;
    int flags;
    void *handle; /* CUstream; NULL is the null stream */
    bool foreign; /* handle belongs to somebody else */
    int priority;
    struct tb_graph *capture;  /* what its work is recorded into, or NULL */
    bool lost;                 /* a capture that began here failed, which tb_stream_capture_end has yet to say */
    uint64_t recorded, joined; /* CPU: steps recorded here, and how many of them the rest of the capture waits for */
    tb_stream *next;           /* all streams but the null ones */
};

struct tb_event {
    int refs;
    int device;
    bool timing, recorded;
    bool foreign;     /* handle belongs to somebody else */
    void *handle;     /* CUevent; CPU: tb_cpu_event */
    uint64_t capture; /* the number of the capture that it is part of; 0: none */
    tb_stream *from;  /* the stream of that; compared, never followed */
    uint64_t at;      /* the stream's steps by then */
};

/* C[m,n] = A[m,k] B[k,n] for each of `batch` products, row-major with element strides (row, col); one of each pair
 * is 1. Batch strides in elements, 0 where an operand is shared. Integers wrap around; of truth values a product is an
 * "and" and a sum an "or". */
typedef struct tb_gemm {
    tb_dtype dtype;
    int64_t m, n, k, batch;
    const void *a, *b;
    void *c;
    int64_t a_row, a_col, a_batch, b_row, b_col, b_batch, c_row, c_batch; /* c_col is 1 */
    tb_compute compute; /* how exact it has to be, at least; not looked at for integers */
    /* Added before C is written, if gemm_adds: a matrix, then a row of n elements to each row. NULL: nothing. */
    const void *plus, *row;
    int64_t plus_row;
} tb_gemm;

/* n elements, reduced to one number. */
typedef struct tb_line {
    tb_red red;
    tb_loop loop; /* makes the elements of those at in[0..nin); TB_NOLOOP: they are those at in[0] */
    int nin;
    const void *in[TB_MAXIN];
    int64_t step[TB_MAXIN]; /* bytes from one element to the next; 0: they follow one another */
    int64_t n;
    double count; /* divides means */
    void *out;
} tb_line;

/* n points of a loop, one after the other in memory: results at out, inputs of the loop's dtypes. */
typedef struct tb_points {
    tb_loop loop;
    int nin;
    const void *in[TB_MAXIN]; /* NULL: a number, which is every point's */
    const tb_scalar *number[TB_MAXIN];
    int64_t n;
    void *out;
} tb_points;

/* Slices of the middle axis of (outer, length, inner) elements in C order, each reduced: result (o, i, k) is that of
 * elements start[i] to start[i + 1] (of the last slice: length), or of the one at start[i] where these are none. */
typedef struct tb_slices {
    tb_red red;
    int64_t outer, length, inner, n; /* n slices; none of the four is 0 */
    const void *in;
    const int64_t *start; /* n numbers below length */
    void *out;
} tb_slices;

/* Rows of n elements, one after the other, put in order: NaN last, complex numbers by their real parts, then by their
 * imaginary ones. */
typedef struct tb_sort_rows {
    tb_dtype dtype;
    int64_t rows, n;
    const void *in;
    void *out;      /* the elements in order; or NULL */
    int64_t *order; /* in that case their positions in the row, equal ones as they come */
    /* What each element takes along; or NULL. Then `out` is given the elements, and the halves of these numbers go to
     * vectors of their own. For a device that is not the host, and one row. */
    const uint64_t *carried;
    uint32_t *upper, *lower;
    /* Positions of the row that are wanted, on the host, in ascending order: each is to hold what sorting puts there,
     * with nothing larger before it and nothing smaller behind it. 0: all. To sort is right whatever these say. */
    int64_t nkth;
    const int64_t *kth;
    bool only; /* what is at other positions does not matter */
    int bits;  /* of integers that are not negative, those that may be set; 0: any. To sort by all is right, too */
} tb_sort_rows;

/* Rows of n positions in order by several keys, of which each has a row for every row: by the first key, those that are
 * equal in it by the second, and so on; as they come where they are equal in all. */
typedef struct tb_sort_keys {
    int64_t rows, n; /* neither is 0 */
    int nkey;
    const tb_dtype *dtype;
    const void *const *key;
    int64_t *order;
} tb_sort_keys;

/* Places of n values among elements in order, NaN last: how many come before each (right: or are equal to it). */
typedef struct tb_search {
    tb_dtype dtype; /* int32, uint32, float32, complex64 or twice as wide */
    bool right;
    const void *sorted, *values;
    int64_t nsorted, n; /* nsorted is not 0 */
    int64_t *out;
} tb_search;

/* How many of n numbers are in each of a few bins between edges first, first + step, ... and last. */
typedef struct tb_bins {
    tb_dtype dtype; /* float32 or float64 */
    const void *in;
    void *edges; /* bins + 1 */
    int64_t *counts, n, bins;
    double first, last, step; /* numbers of that dtype */
} tb_bins;

/* How many of n numbers are in each of the bins between edges that do not fall; the last bin has its upper edge. */
typedef struct tb_between {
    tb_dtype dtype, edge_dtype; /* real; float32 or float64, in which numbers and edges are compared */
    const void *in, *edges;
    int64_t n, nedge; /* nedge is at least 2 */
    int64_t *counts;  /* nedge - 1 */
} tb_between;

/* The piecewise linear function through npoint points (xp, fp), xp in order, at n values x. */
typedef struct tb_lines {
    const double *xp, *fp, *x;
    int64_t npoint, n;  /* npoint is not 0 */
    double left, right; /* before the first point, behind the last one */
    double *out;
} tb_lines;

/* Which of n truth values, in bytes, are true: `out` is for their numbers (int64), or for the elements at these; NULL
 * where they are only counted. Or `out` has n elements, of which these become the values one after the other. */
typedef struct tb_mask {
    const uint8_t *flags;
    int64_t n;
    const char *elements; /* or NULL */
    const char *values;   /* or NULL */
    int64_t nvalue;       /* not 0; after the last of them comes the first again */
    int64_t item;         /* size of one: a power of two up to 16 */
    void *out;
} tb_mask;

/* n integers, counted: how often each comes up, or what its weights add up to in the order in which they come. */
typedef struct tb_tally {
    tb_dtype dtype; /* of integers, or bool */
    int64_t n;      /* not 0 */
    const void *in;
    const double *weights; /* or NULL */
    /* So many int64 or double, at least one, for the result; they are not cleared. Asked for where the largest number
     * is known before one is counted, and `table` is NULL then. */
    void *(*room)(void *owner, int64_t places);
    void *owner;
    void *table;    /* is set to as many int64, or double, which are the caller's to free; NULL: nothing was counted, */
    int64_t places; /* since a number is negative, or large beside n. The largest number and one */
} tb_tally;

/* Elements that are set and neighbours of one another are objects, which are numbered in the order of their first ones.
 */
typedef struct tb_objects {
    int ndim; /* not 0, nor is any of shape */
    const int64_t *shape;
    const uint8_t *connected; /* 3^ndim truth values: which elements of a box about one are its neighbours */
    const uint8_t *inside;    /* 0: not set */
    bool wide;                /* labels are int64 rather than int32 */
    void *labels;             /* the object's number from 1 on, or 0 */
    int64_t *count;           /* on the device: is set to how many there are */
} tb_objects;

/* The boxes around the elements of the labels 1 to n. */
typedef struct tb_boxes {
    tb_dtype dtype; /* of integers, or bool */
    int ndim;       /* not 0, nor is any of shape */
    const int64_t *shape;
    const void *in;
    int64_t n;    /* not 0 */
    int64_t *out; /* (n, ndim, 2): the first index along an axis, and the last and 1; INT64_MAX and 0 for no elements */
} tb_boxes;

/* Along the middle axis of (outer, n, inner) elements in C order: for each the least of a line's squared distances so
 * far and the square of `step` times how far away it is. Passes over all axes, from the last one on, make distances to
 * what is zero. */
typedef struct tb_distance_pass {
    tb_dtype to;             /* float32 or float64: of what the last of these passes has */
    int64_t outer, n, inner; /* none is 0; n is at most INT32_MAX */
    double step;
    bool first, last; /* in has truth values; out has distances, infinite ones where nothing is zero */
    bool whole;       /* squares between are uint32, those of the farthest elements are less than 2^31 - 1, and step is
                       * 1; else they are float64. Not on_host */
    const void *in;
    void *out;
    int others; /* axes behind this one; -1: it is not wanted where the nearest elements are */
    /* Their indices along the axes, a plane of all elements for each: along the others before this pass, */
    const int32_t *from;
    int32_t *places; /* along this one, and along the others, after it */
} tb_distance_pass;

/* Sums of B-splines at n points, in each of `batch` images of float64, one after the other; or in one of any real dtype
 * that lies in memory in any way. */
enum { TB_SPLINE_ORDERS = 6, TB_SPLINE_AXES = 8 };
typedef struct tb_spline_points {
    int naxis, order;
    tb_spline_mode mode;
    double cval, margin; /* the image begins after so many elements */
    int64_t batch, n;
    const int64_t *shape; /* of an image; not 0 */
    const double *in;
    const int64_t *strides; /* NULL, or in bytes: those of the image at `there`, which is taken as it is */
    tb_dtype dtype;
    const char *there;
    const double *const *at; /* n coordinates for each axis */
    double *out;             /* (batch, n) */
} tb_spline_points;

/* The same at the points that a map makes of the indices of a result, which has dimensions `shape`. */
typedef struct tb_spline_map {
    int naxis, order;
    tb_spline_mode mode;
    bool diagonal;
    tb_dtype in_dtype, out_dtype; /* any real one but float16; float32 or float64 */
    double cval, margin;
    int64_t batch;
    const int64_t *sides, *shape; /* none is 0, nor is batch */
    const double *map;            /* as tb_spline_map has it */
    const int64_t *strides;       /* NULL, or, on_host: in bytes, those of one image that is taken as it is */
    const void *in;
    void *out;
} tb_spline_map;

/* Rows, each behind the other: exponentials divided by their sum, or the logarithms of these. */
typedef struct tb_soft_rows {
    tb_dtype dtype; /* of floats */
    bool log;
    const void *in;
    void *out;
    int64_t rows, n;
} tb_soft_rows;

/* A function in pieces (tb_piece_form) at n points. The first piece begins at x[first], the last one at x[last]. */
enum { TB_PIECE_DEGREE = 99 };
typedef struct tb_pieces {
    tb_piece_form form;
    tb_piece_outside outside;
    int orders, nu; /* SPLINE: orders is the degree and 1 */
    int parts;      /* of a coefficient: 2 where it is complex */
    int64_t count;  /* of x */
    int64_t first, last, pieces;
    int64_t n, each; /* points; coefficients of a piece and order, by parts */
    const double *x, *c;
    const double *points; /* SPLINE, NULL: the coefficients of its powers are wanted, (orders, n, each), n pieces */
    double *out;          /* (n, each) */
} tb_pieces;

/* Distances of m rows of n elements from k others, in C order; or of pairs of a's rows, once each: b is a then. */
typedef struct tb_pairs {
    tb_dtype dtype; /* float32 or float64 */
    tb_metric metric;
    double p;
    int64_t m, k, n; /* n may be 0 */
    bool once;
    const void *a, *b;
    void *out;
} tb_pairs;

/* Sums of exponentials along the middle axis of (outer, n, inner) elements in C order: y[i] = the sum over poles of
 * weight * sum over k of pole^|k| x[i + k]. */
enum { TB_TWO_SIDED_POLES = 2 };
typedef struct tb_two_sided {
    tb_dtype dtype;          /* of x: any real one but float16 */
    tb_spline_edge edge;     /* MIRROR, REFLECT or WRAP */
    int64_t outer, n, inner; /* none is 0; n is not 1 */
    int poles;
    double pole[TB_TWO_SIDED_POLES], weight[TB_TWO_SIDED_POLES];
    const void *x;
    double *y;
} tb_two_sided;

/* Sums of products of a vector's windows with another: out[i] = sum over j < k of a[i + j - before] * w[j], where what
 * is beyond a's n elements is left out. Integers wrap around. */
typedef struct tb_slide {
    tb_dtype dtype;          /* int32, int64, float32, float64, complex64 or complex128 */
    int64_t n, k, m, before; /* m results; n >= k > 0 */
    const void *a, *w;
    void *out;
} tb_slide;

/* A filter between two rates: result m of a row is the sum over j of h[j] * X[start + m * down - j], where X is the row
 * with up - 1 zeros behind each element; what is beyond it is left out. */
typedef struct tb_phases {
    tb_dtype dtype;         /* float32, float64, complex64 or complex128 */
    int64_t rows, n, count; /* of x; results of a row; none is 0 */
    int64_t taps, up, down; /* none is 0 */
    int64_t start;          /* at least 0 */
    const void *x, *h;
    void *out;
} tb_phases;

/* A filter over windows: what w makes of the elements of x at these distances from each point. */
typedef struct tb_windows {
    const tb_window *w;
    tb_dtype from, work, to;
    tb_scalar fill;      /* of dtype work: beyond constant edges */
    const void *weights; /* w's on the device; NULL: they are on the host, or there are none */
    int ndim;
    const int64_t *shape, *x_strides, *y_strides; /* bytes; no dimension is 0 */
    const void *x;
    void *y; /* apart from x */
} tb_windows;

/* Sections of a digital filter, one after the other, along the middle axis of (outer, n, inner) elements in C order:
 * y[n] = b[0] x[n] + z[0], z[i] = z[i + 1] + b[i + 1] x[n] - a[i + 1] y[n], of which the last z has no z[i + 1]. */
typedef struct tb_recur {
    tb_dtype dtype;          /* float32, float64; complex64, complex128 where coefficients are complex */
    int sections, order;     /* neither is 0 */
    int64_t outer, n, inner; /* none is 0 */
    bool backwards;          /* from the last element to the first */
    bool single;             /* x has float32, though dtype is float64: not where memory is the host's */
    const double
        *coefficients;  /* on the host: of each section b[0..order], then a[0..order], of which a[0] is 1; a real
                                 * and an imaginary part each where dtype is complex */
    const void *x, *zi; /* zi: states (sections, outer, order, inner) before the first element; NULL: zeros */
    void *y, *zf;       /* zf: the same after the last one, which may be where zi is; NULL: not wanted */
} tb_recur;

enum { TB_FFT_PLANS = 16 }; /* kept unless another limit is set */
typedef enum tb_fft_cache_op { TB_FFT_CACHE_READ, TB_FFT_CACHE_LIMIT, TB_FFT_CACHE_CLEAR } tb_fft_cache_op;

/* What a backend tells about a kernel when it is looked up. */
typedef struct tb_function_info {
    void *handle;
    int nparam;         /* -1: not known */
    const size_t *size; /* of each parameter, as long-lived as the module; NULL: not known */
    bool early;         /* CUDA: may be launched before what precedes it has ended */
} tb_function_info;

/* Not a failure: what was asked for has not been begun, and there is no message. Callers of the library never see
 * it. */
#define TB__AGAIN ((tb_status)-1)

typedef struct tb_backend {
    const char *name;
    bool on_host; /* device pointers may be dereferenced by the host */
    tb_status (*device_count)(int *n);
    tb_status (*device_open)(int device); /* once, before the device's first use */
    tb_status (*device_synchronize)(int device);
    tb_status (*device_info)(int device, char *name, size_t cap, int *major, int *minor);
    tb_status (*device_attribute)(int device, int attribute, int *value);
    tb_status (*mem_info)(int device, size_t *free_bytes, size_t *total_bytes);

    tb_status (*mem_alloc)(int device, size_t bytes, void **ptr); /* raw: the pool is above */
    void (*mem_free)(int device, void *ptr);
    /* Host to device, device to host, device to device, in stream order. blocking: done when it returns. */
    tb_status (*copy_in)(tb_stream *s, void *dst, const void *host, size_t n, bool blocking);
    tb_status (*copy_out)(tb_stream *s, void *host, const void *src, size_t n, bool blocking);
    tb_status (*copy)(tb_stream *s, void *dst, const void *src, size_t n);
    /* Optional: memory of the host to which the stream's kernels write a few numbers, for whoever waits for them at
     * once; NULL: not now. What was given to the stream before `ask` is done after `wait`, which has to follow. */
    void *(*answer)(tb_stream *s);
    void (*answer_ask)(tb_stream *s);
    tb_status (*answer_wait)(tb_stream *s);

    /* TB__AGAIN: nothing was done, since kernels are being compiled; to be called again after run_wait. */
    tb_status (*run)(tb_stream *s, const tb_plan *p);
    void (*run_wait)(void); /* until that makes sense; for a backend that may say so */
    /* Optional: at once what a plan for it would do. False: nothing was done, a plan has to. */
    bool (*reduce_line)(const tb_line *l);
    bool (*run_points)(const tb_points *x);
    tb_status (*gemm)(tb_stream *s, const tb_gemm *g); /* or TB__AGAIN: c is to be computed anew after run_wait */
    /* Optional, on_host: how many of a mask's are true; at once. */
    tb_status (*find_set)(tb_stream *s, const tb_mask *x, int64_t *count);
    tb_status (*reduce_slices)(const tb_slices *l);              /* optional, on_host: at once */
    tb_status (*sort)(tb_stream *s, const tb_sort_rows *r);      /* or TB__AGAIN; on_host: at once */
    tb_status (*sort_keys)(tb_stream *s, const tb_sort_keys *k); /* optional, on_host: at once */
    tb_status (*search)(tb_stream *s, const tb_search *r);       /* or TB__AGAIN; on_host: at once */
    tb_status (*histogram)(tb_stream *s, const tb_bins *x);      /* optional, not on_host; or TB__AGAIN */
    /* Optional, on_host: at once. *done: false where the edges do not suit it. */
    tb_status (*histogram_between)(tb_stream *s, const tb_between *b, bool *done);
    tb_status (*interp)(tb_stream *s, const tb_lines *l);            /* optional, on_host: at once */
    tb_status (*tally)(tb_stream *s, tb_tally *t);                   /* optional, on_host: at once */
    tb_status (*label)(tb_stream *s, const tb_objects *o);           /* or TB__AGAIN; on_host: at once */
    tb_status (*label_boxes)(tb_stream *s, const tb_boxes *b);       /* optional, on_host: at once */
    tb_status (*distances)(tb_stream *s, const tb_distance_pass *d); /* or TB__AGAIN; on_host: at once */
    tb_status (*splines)(tb_stream *s, const tb_spline_points *p);   /* optional, on_host: at once */
    tb_status (*spline_map)(tb_stream *s, const tb_spline_map *m);   /* optional; or TB__AGAIN */
    tb_status (*two_sided)(tb_stream *s, const tb_two_sided *t);     /* optional; or TB__AGAIN */
    tb_status (*slide)(tb_stream *s, const tb_slide *l);       /* or TB__AGAIN; on_host: at once. Best for k <= m */
    tb_status (*phases)(tb_stream *s, const tb_phases *p);     /* optional; or TB__AGAIN; on_host: at once */
    tb_status (*softmax)(tb_stream *s, const tb_soft_rows *x); /* optional, not on_host; or TB__AGAIN */
    bool (*softmax_fits)(tb_dtype t, int64_t n);               /* whether it takes rows of n elements */
    tb_status (*pieces)(tb_stream *s, const tb_pieces *p);     /* or TB__AGAIN; on_host: at once */
    tb_status (*pairs)(tb_stream *s, const tb_pairs *p);       /* or TB__AGAIN; on_host: at once */
    tb_status (*peaks)(tb_stream *s, tb_peaks *p);             /* optional, on_host: at once */
    tb_status (*tree)(tb_stream *s, const tb_tree_step *x);    /* or TB__AGAIN; on_host: at once */
    const tb_sparse_routines *sparse;                          /* optional, on_host */
    /* Optional; or TB__AGAIN, or TB_ERR_NOT_IMPLEMENTED for windows that have no room. */
    tb_status (*windows)(tb_stream *s, const tb_windows *q);
    tb_status (*sparse_step)(tb_stream *s, const tb_sparse_step *x); /* or TB__AGAIN; where there is no `sparse` */
    tb_status (*sparse_rows)(tb_stream *s, const tb_sparse_rows *x); /* the same */
    tb_status (*sparse_product)(tb_stream *s, const tb_sparse_product *p); /* or TB__AGAIN; on_host: at once */
    const tb_structured_routines *structured;                              /* NULL: there are none */
    const tb_sparse_solver *sparse_solver;                                 /* NULL: there is none */
    tb_status (*recur)(tb_stream *s, const tb_recur *r);                   /* or TB__AGAIN; on_host: at once */
    tb_status (*solve)(tb_stream *s, const tb_solve *q);                   /* on_host: at once */
    /* Optional, on_host: how far below and above its diagonal a matrix has elements that are not zero. */
    void (*bandwidth)(tb_dtype t, const void *a, const int64_t *shape, const int64_t *strides, int64_t *out);
    bool (*solves_alone)(void);                      /* whether that needs no LAPACK of the host's; NULL: it does */
    tb_status (*fft)(tb_stream *s, tb_transform *t); /* on_host: at once */
    /* Optional: the same with a callback, between C orders. t->out stays NULL where there
     * is no plan and none is to be made. */
    tb_status (*fft_called)(tb_stream *s, tb_transform *t, const tb_fft_callback *c);
    /* Optional: whether fft takes this layout. If not, axes that are transformed are put last, in C order. */
    bool (*fft_suits)(const tb_transform *t);
    int fft_axes;            /* the most that fft transforms at once */
    bool (*fft_reals)(void); /* optional: whether complex kinds take real elements, for which half the work will do */
    bool fft_cosines;        /* fft has the kinds behind TB_FFT_HALF, which it scales itself */
    bool fft_spoils;         /* TB_FFT_HALF overwrites its input: `spare` has to be set */
    tb_status (*fft_cache)(int device, tb_fft_cache_op op, tb_fft_cache *c); /* of the calling thread's plans */
    /* Whether gemm is how to do this product, of which dtype and sizes are set. If not it is a reduction of products,
     * which rounds each of them: so float16 always suits. */
    bool (*gemm_suits)(const tb_gemm *g);
    /* Optional: whether such a product is worth waiting for what is added to it. gemm is then asked for the sum, whose
     * elements are rounded as they would be in two steps, and may say TB_ERR_NOT_IMPLEMENTED. */
    bool (*gemm_adds)(const tb_gemm *g);

    tb_status (*stream_new)(tb_stream *s, int priority); /* fills handle */
    tb_status (*stream_wrap)(tb_stream *s);              /* checks a handle from elsewhere; fills flags, priority */
    void (*stream_free)(tb_stream *s);
    tb_status (*stream_synchronize)(tb_stream *s);
    tb_status (*stream_query)(tb_stream *s, bool *done);
    tb_status (*stream_wait)(tb_stream *s, tb_event *e);
    tb_status (*event_new)(tb_event *e, unsigned flags); /* TB_EVENT_... */
    void (*event_free)(tb_event *e);
    tb_status (*event_record)(tb_event *e, tb_stream *s);
    tb_status (*event_synchronize)(tb_event *e);
    tb_status (*event_query)(tb_event *e, bool *done);
    tb_status (*event_elapsed)(tb_event *start, tb_event *stop, float *ms);

    /* User kernels. `module` and the function's handle are the backend's own; a module outlives its functions. *log is
     * set or left alone. The image of a module that was compiled may be asked for, to be kept on disk. */
    tb_status (*module_compile)(int device, const tb_module_source *source, char **log, void **module);
    tb_status (*module_load)(int device, const void *image, size_t size, void **module);
    void (*module_unload)(int device, void *module);
    tb_status (*module_function)(int device, void *module, const char *name, tb_function_info *out);
    tb_status (*module_global)(int device, void *module, const char *name, void **ptr, size_t *size);
    uintptr_t (*module_handle)(void *module);
    const char *(*module_symbol)(void *module, const char *expression); /* or NULL */
    tb_status (*function_attribute)(int device, void *function, int attribute, int *value);
    tb_status (*function_set_attribute)(int device, void *function, int attribute, int value);
    tb_status (*function_occupancy)(int device, void *function, int block, size_t shared, int *nblock);
    /* args[i] is the address of argument i's value, as cuLaunchKernel takes them. */
    tb_status (*function_launch)(tb_stream *s, const tb_function_info *f, const char *name,
                                 const tb_launch_shape *shape, void **args);

    /* Calls fn(arg) once the stream's work is done, on a thread of the backend's. */
    tb_status (*host_func)(tb_stream *s, void (*fn)(void *), void *arg);
    /* Until capture_end, which makes g->handle and g->exec, work on s is recorded and not run. */
    tb_status (*capture_begin)(tb_stream *s, tb_graph *g);
    tb_status (*capture_end)(tb_stream *s, tb_graph *g);
    bool (*capture_lost)(tb_stream *s); /* whether the driver goes on recording no more; NULL: it always does */
    tb_status (*graph_launch)(tb_graph *g, tb_stream *s);
    tb_status (*graph_upload)(tb_graph *g, tb_stream *s);
    tb_status (*graph_dot)(tb_graph *g, unsigned flags, const char *path);
    void (*graph_free)(tb_graph *g);
    tb_status (*cudart)(tb_runtime_op op, const int64_t *in, int64_t *out); /* of the current device */
    /* Optional: in place of function_launch while work is outstanding or recorded. */
    tb_status (*launch_later)(tb_stream *s, tb_function *f, const tb_launch_shape *shape, void **values);
    const struct tb_backend *busy; /* the table for that time; NULL: the same */

    /* n 32-bit counters of the stream's, which kernels leave zero as they find them. Not on_host. */
    tb_status (*counters)(tb_stream *s, size_t n, void **counters);

    void (*compile_wait)(void);                          /* optional */
    void (*compile_stop)(void);                          /* optional */
    tb_status (*source)(const tb_plan *p, tb_text *out); /* the CUDA source of a plan; optional */
    void (*show_config)(tb_text *out);
} tb_backend;

/* NULL with an error set when the backend cannot work here (no driver, no device). */
const tb_backend *tb__backend_cpu(void);
const tb_backend *tb__backend_cuda(void);

/* The chosen backend; NULL before tb_init. */
extern const tb_backend *tb__backend;
/* Runs a plan over memory of the host with the CPU's loops, whichever backend is chosen: s may be NULL. */
extern tb_status (*tb__host_run)(tb_stream *s, const tb_plan *p);
/* The same of a digital filter; none is NULL. */
extern tb_status (*tb__host_recur)(tb_stream *none, const tb_recur *r);
/* Enqueues what is pending on a stream before it ends: the graph's, which is above. NULL: nothing ever was. */
extern void (*tb__stream_flush)(tb_stream *s);

/* Directories separated by colons in which to look for CUDA's libraries: library directories, or directories into
 * which NVIDIA's wheels were installed (site-packages). Call before the first use of a device. */
void tb__library_path(const char *dirs);

/* Tells the application of what is slower than it has to be (tb_warning_function_set); the operation fails if it says
 * so. With the core lock. */
tb_status tb__warn(const char *message);
/* `function` was given an object with no reference left. Warns, once in a process, and mends the count; with
 * TOMBAC_DEBUG it ends the process. With the core lock. */
void tb__released_again(const char *function, tb_object kind, void *p) __attribute__((cold));

/* ---- peer.c ---- */

/* Work on `device` is about to use memory of device `owner`: access is enabled when first needed, and the application
 * is warned, since it is slow. TB_ERR_VALUE if the devices cannot reach each other's memory. */
tb_status tb__peer_ready(int device, int owner);
/* Before copies, which without access go through the host: nobody is warned. */
void tb__peer_reach(int device, int owner);
/* Access has been disabled. */
void tb__peer_forget(int device, int owner);

/* Counters: plain increments under the core lock. */
extern tb_counters tb__count;
/* For the counters that threads move on without the core lock. */
static inline void tb__count_up(uint64_t *counter) { __atomic_fetch_add(counter, 1, __ATOMIC_RELAXED); }

#endif
