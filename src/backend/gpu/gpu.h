/* gpu.h - src/backend/gpu is what any GPU with a driver and a run-time compiler shares: plans become kernels, which are
 * found in memory, in a bundle or on disk or are compiled when that pays, and are launched. What a vendor brings is the
 * table below; its backend includes this header, and nothing here knows which vendor it is. */
#ifndef TB_BACKEND_GPU_GPU_H
#define TB_BACKEND_GPU_GPU_H
#include "backend/compile/disk.h"
#include "backend/memory/memory.h"
#include "codegen/codegen.h"
#include "plan/routine.h"

/* What of a device decides how long operations take. */
typedef struct tb_speed {
    double bytes_per_ns; /* to and from its memory */
    double cache;        /* bytes */
} tb_speed;

typedef struct tb_gpu_device {
    int arch; /* what machine code is compiled for; CUDA: compute capability as 10 * major + minor */
    tb_chip chip;
    tb_speed speed;
} tb_gpu_device;
/* Complete before the device is open, and never changed after. */
extern tb_gpu_device tb__gpu_devices[TB_DEVICE_MAX];

typedef struct tb_gpu_function {
    void *handle;
    bool early; /* may be launched before what precedes it in the stream has ended: its source begins with
                         * tb_wait() (kernels/device/wait.h), of which the driver makes use */
} tb_gpu_function;

/* How a kernel is launched; the first two are whether it is early. */
typedef enum tb_launch_mode {
    TB_LAUNCH_PLAIN,
    TB_LAUNCH_EARLY,    /* a tb_gpu_function that is early, as such */
    TB_LAUNCH_TOGETHER, /* only if all blocks fit at once, which then wait for each other */
} tb_launch_mode;

typedef struct tb_gpu {
    /* The compiler: called from any thread, without the core lock. The image ends in a zero byte that size does not
     * count. identity is what tells the compiler from others, without loading it; false: there is none. */
    tb_status (*compiler_load)(void);
    bool (*compiler_identity)(char *out, size_t cap);
    tb_status (*compile)(const char *source, int arch, bool hasty, tb_image *out);
    bool (*compiler_hurries)(void);                /* once it is loaded: whether being hasty makes a difference */
    void (*compiler_read_ahead)(const bool *stop); /* its files, so that loading it takes less time; until *stop */

    /* The driver. `enter` comes before the others: they are about the device that was entered. */
    tb_status (*enter)(int device);
    tb_status (*load)(int device, const tb_image *image, tb_gpu_function *out); /* TB_KERNEL_ENTRY of the image */
    tb_status (*enqueue)(tb_stream *s, void *function, tb_launch_mode mode, const uint32_t *grid, const uint32_t *block,
                         void *params);
    tb_status (*set)(tb_stream *s, void *to, uint32_t word, size_t width, size_t bytes); /* width 1, 2 or 4 */
    bool (*stages)(const tb_stream *s); /* whether small copies from the host return at once */
} tb_gpu;
/* The vendor's, once its backend works. */
extern const tb_gpu *tb__gpu;

/* ---- launch.c: entries of the backend's table ---- */
tb_status tb__gpu_run(tb_stream *s, const tb_plan *p); /* or TB__AGAIN */
tb_status tb__gpu_counters(tb_stream *s, size_t n, void **counters);
/* A plan that the graph knows nothing of: a part of what another entry does. TB__AGAIN where callers understand it. */
tb_status tb__gpu_run_besides(tb_stream *s, const tb_plan *p);
/* A kernel that is made of no values, the same way. params: its argument, which it declares alike. */
tb_status tb__gpu_run_routine(tb_stream *s, const tb_routine_source *source, const void *params, size_t nparam,
                              int64_t blocks, int threads);
/* Has such a kernel compiled in the background, if it is not there: what follows will need it. */
void tb__gpu_routine_ahead(tb_stream *s, const tb_routine_source *source);

/* ---- sort.c: another entry; select.c ---- */
tb_status tb__gpu_sort(tb_stream *s, const tb_sort_rows *r); /* or TB__AGAIN */
/* The kernels that sort rows of n elements, or find their order; how many. */
enum { TB_SORT_SOURCES = 3 };
int tb__sort_sources(tb_dtype t, int64_t n, bool order, tb_routine_source *out);
int tb__sort_sources_carrying(tb_dtype t, int64_t n, tb_routine_source *out); /* with a number for each element */
/* Whether long rows of which positions are wanted need not be sorted, and what is done instead. */
bool tb__gpu_selects(const tb_sort_rows *rows);
tb_status tb__gpu_select(tb_stream *s, const tb_sort_rows *rows);
/* The kernels for this. */
int tb__select_sources(tb_dtype t, int64_t n, int64_t nkth, bool order, tb_routine_source *out);
static inline void *tb__sort_result(const tb_sort_rows *r) { return r->order ? (void *)r->order : r->out; }

/* ---- search, slide, window*, pieces, pairs, splines, tree, recur, label, distances, sparse: other entries ---- */
tb_status tb__gpu_search(tb_stream *s, const tb_search *x);     /* or TB__AGAIN */
tb_status tb__gpu_histogram(tb_stream *s, const tb_bins *x);    /* or TB__AGAIN */
tb_status tb__gpu_slide(tb_stream *s, const tb_slide *l);       /* or TB__AGAIN */
tb_status tb__gpu_phases(tb_stream *s, const tb_phases *p);     /* or TB__AGAIN */
tb_status tb__gpu_softmax(tb_stream *s, const tb_soft_rows *x); /* or TB__AGAIN */
bool tb__gpu_softmax_fits(tb_dtype t, int64_t n);
tb_status tb__gpu_windows(tb_stream *s, const tb_windows *q);         /* or TB__AGAIN */
tb_status tb__gpu_two_windows(tb_stream *s, const tb_windows *q);     /* where q->w->then is set */
tb_status tb__gpu_pieces(tb_stream *s, const tb_pieces *p);           /* or TB__AGAIN */
tb_status tb__gpu_pairs(tb_stream *s, const tb_pairs *p);             /* or TB__AGAIN */
tb_status tb__gpu_spline_map(tb_stream *s, const tb_spline_map *m);   /* or TB__AGAIN */
tb_status tb__gpu_two_sided(tb_stream *s, const tb_two_sided *t);     /* or TB__AGAIN */
tb_status tb__gpu_tree(tb_stream *s, const tb_tree_step *x);          /* or TB__AGAIN */
tb_status tb__gpu_recur(tb_stream *s, const tb_recur *r);             /* or TB__AGAIN */
tb_status tb__gpu_label(tb_stream *s, const tb_objects *o);           /* or TB__AGAIN */
tb_status tb__gpu_distances(tb_stream *s, const tb_distance_pass *d); /* or TB__AGAIN */
/* dense.c: small matrices; the kernel for them. */
bool tb__gpu_solves(const tb_solve *q);
tb_status tb__gpu_solve(tb_stream *s, const tb_solve *q); /* or TB__AGAIN */
tb_routine_source tb__dense_source(const tb_solve *q);
/* The exchanges of rows q->pivots in the columns of q->b, or taken back; where the library's take longer. */
bool tb__gpu_exchanges(const tb_solve *q);
tb_status tb__gpu_exchange_rows(tb_stream *s, const tb_solve *q, bool back);
tb_routine_source tb__exchanges_source(tb_dtype t);
/* The eigenvectors q->b of real matrices whose values are q->v, from what LAPACK packs them in. */
tb_status tb__gpu_unpack_vectors(tb_stream *s, const tb_solve *q, void *packed);
tb_routine_source tb__vectors_source(tb_dtype t);
/* eigenvalues.c: of one real symmetric matrix, values alone; which sizes are faster so. The kernels for n rows. */
bool tb__gpu_has_eigenvalues(const tb_stream *s, const tb_solve *q);
tb_status tb__gpu_eigenvalues(tb_stream *s, const tb_solve *q, int32_t *info); /* or TB__AGAIN */
enum { TB_EIGEN_SOURCES = 2 };
void tb__eigenvalues_sources(tb_dtype t, int64_t n, tb_routine_source *out);
/* Where the device's library cannot solve it: operands are copied to the host and back. */
tb_status tb__gpu_solve_on_host(tb_stream *s, const tb_solve *q);
tb_routine_source tb__search_source(tb_dtype t, bool right);
tb_routine_source tb__histogram_source(tb_dtype t);
tb_routine_source tb__slide_source(tb_dtype t, int64_t m);
tb_routine_source tb__softmax_source(const tb_soft_rows *x);
tb_routine_source tb__phases_source(const tb_phases *p);
tb_routine_source tb__pieces_source(const tb_pieces *p);
tb_routine_source tb__pairs_source(const tb_pairs *p);
tb_status tb__window_source(const tb_windows *q, tb_routine_source *out);
tb_status tb__two_windows_source(const tb_windows *q, tb_routine_source *out);
tb_routine_source tb__spline_map_source(const tb_spline_map *m);
tb_routine_source tb__two_sided_source(const tb_two_sided *t);
tb_routine_source tb__tree_source(const tb_tree_step *x);
tb_routine_source tb__label_source(const tb_objects *o);
tb_routine_source tb__distances_source(const tb_distance_pass *d);
tb_status tb__gpu_sparse_product(tb_stream *s, const tb_sparse_product *p); /* or TB__AGAIN */
tb_status tb__gpu_sparse_step(tb_stream *s, const tb_sparse_step *x);       /* or TB__AGAIN */
tb_status tb__gpu_sparse_rows(tb_stream *s, const tb_sparse_rows *x);       /* or TB__AGAIN */
tb_routine_source tb__sparse_step_source(tb_sparse_step_kind kind, bool wide);
tb_routine_source tb__sparse_bound_source(bool wide);
tb_routine_source tb__sparse_rows_source(int kind, tb_dtype t, bool wide, bool fills);
/* each: elements of a row, about */
tb_routine_source tb__sparse_source(tb_dtype t, bool wide, bool transposed, int64_t width, double each);
tb_routine_source tb__recur_source(const tb_recur *r);

/* ---- tier.c, compilers.c, bundle.c ---- */
void tb__tier_wait(void);            /* after TB__AGAIN */
void tb__compilers_wait(void);       /* until there is nothing more to compile */
void tb__compilers_stop(void);       /* what is under way is finished; nothing is begun any more */
void tb__compilers_read_ahead(void); /* has a thread do it */
void tb__tier_show(tb_text *out);
void tb__bundle_show(tb_text *out);

/* ---- queue.c: what is kept for a stream. Made on first use, freed with the stream ---- */
typedef struct tb_gpu_outgrown {
    void *memory;
    struct tb_gpu_outgrown *next;
} tb_gpu_outgrown;

typedef struct tb_gpu_queue {
    void *handle;              /* the driver's, or the tb_graph that the stream is captured into */
    tb_gpu_outgrown *outgrown; /* counters that a graph's kernels still use */
    void *counters;            /* zero whenever no kernel of the stream runs */
    size_t ncounter;
    void *blas_workspace;
    struct tb_gpu_queue *next;
} tb_gpu_queue;
tb_status tb__gpu_queue(tb_stream *s, tb_gpu_queue **out);
void tb__gpu_queue_free(int device, const void *handle);

/* Device memory for a backend's own use, outside the pool's figures; the pool's cache makes way for it. */
tb_status tb__gpu_alloc(int device, size_t bytes, void **ptr);
void tb__gpu_free(int device, void *ptr);
#endif
