/* backend.c - src/backend/cpu is the CPU as a device: synchronous but for functions of the host, its memory the host's.
 *
 *   loops/   the host's loops, compiled once for each instruction set from the tables
 *   plans/   running plans by these loops, and matrix products
 *   user/    user kernels, which are CUDA C++
 *   queues/  streams, memory and CUDA's run-time interface; work kept for later calls plans and user
 *
 * TOMBAC_CPU_DEVICES makes several devices of it, which share nothing but the threads, so that programs for many run
 * anywhere. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backend/cpu/loops/loops.h"
#include "backend/cpu/loops/reduce_loops.h"
#include "backend/cpu/plans/blas.h"
#include "backend/cpu/queues/queue.h"
#include "backend/cpu/solvers/lapack.h"
#include "backend/cpu/sparse/sparse.h"
#include "backend/cpu/user/user.h"
#include "base/error.h"

static tb_status device_open(int device)
{
    int n;
    TB_TRY(tb__cpu_device_count(&n));
    if (device < 0 || device >= n)
        return tb__fail(TB_ERR_VALUE, "there is no device %d: the CPU backend has %d (TOMBAC_CPU_DEVICES)", device, n);
    tb__cpu_null_queue(device);
    return TB_OK;
}

static tb_status device_info(int device, char *name, size_t cap, int *major, int *minor)
{
    (void)device;
    snprintf(name, cap, "CPU");
    *major = *minor = 0;
    return TB_OK;
}

/* Those of CUDA's attributes that mean something here, by CUDA's numbers. */
static tb_status device_attribute(int device, int attribute, int *value)
{
    (void)device;
    switch (attribute) {
    case 1: *value = 1024; return TB_OK; /* threads of a block */
    case 2:
    case 3:
    case 4: *value = 1024; return TB_OK; /* a block's extents */
    case 5:
    case 6:
    case 7: *value = 0x7fffffff; return TB_OK;     /* a grid's extents */
    case 8: *value = 49152; return TB_OK;          /* shared memory of a block */
    case 10: *value = 32; return TB_OK;            /* threads of a warp */
    case 16: *value = tb__threads(); return TB_OK; /* multiprocessors */
    case 18: *value = 1; return TB_OK;             /* integrated */
    case 19:
    case 41:
    case 83: *value = 1; return TB_OK; /* maps host memory, unified addressing, managed memory */
    case 75:
    case 76: *value = 0; return TB_OK; /* compute capability */
    default: return tb__fail(TB_ERR_VALUE, "the CPU backend has no device attribute %d", attribute);
    }
}

/* ---- copies --------------------------------------------------------------------------------------------------- */

enum { COPY_PIECE = 1 << 20 };

typedef struct copy_job {
    char *dst;
    const char *src;
    size_t n;
    bool past;
} copy_job;

static bool copy_piece(void *arg, int64_t task)
{
    const copy_job *j = arg;
    size_t at = (size_t)task * COPY_PIECE, n = j->n - at;
    if (n > COPY_PIECE) n = COPY_PIECE;
    if (j->past) {
        tb__nontemporal_copy(j->dst + at, j->src + at, n);
        tb__nontemporal_end();
    } else {
        tb__copy_bytes(j->dst + at, j->src + at, n);
    }
    return true;
}

static tb_status copy(tb_stream *s, void *dst, const void *src, size_t n)
{
    (void)s;
    if (n > COPY_PIECE) {
        copy_job j = {dst, src, n, tb__nontemporal_pays(2 * (int64_t)n, (char *)dst + n - 1)};
        return tb__parallel(tb__ceil_div((int64_t)n, COPY_PIECE), copy_piece, &j);
    }
    if (n > 0) memcpy(dst, src, n);
    return TB_OK;
}

static tb_status copy_blocking(tb_stream *s, void *dst, const void *src, size_t n, bool blocking)
{
    (void)blocking;
    return copy(s, dst, src, n);
}

static void show_config(tb_text *out)
{
    const char *source = tb__cpu_blas_source(), *fft_source = tb__cpu_fft_source();
    int ndevice = 0;
    tb__cpu_device_count(&ndevice);
    tb__text_addf(out, "CPU threads            : %d (TOMBAC_NUM_THREADS)\n", tb__threads());
    tb__text_addf(out, "CPU devices            : %d (TOMBAC_CPU_DEVICES)\n", ndevice);
    tb__text_addf(out, "CPU instruction set    : %s (TOMBAC_CPU_ISA)\n", tb__cpu_isa());
    tb__text_addf(out, "BLAS                   : %s%s\n", source ? source : "none found",
                  tb__cpu_has_blas() ? "" : ": the library's own loops serve until one is provided");
    source = tb__lapack_source();
    tb__text_addf(out, "LAPACK                 : %s\n", source ? source : "none found");
    tb__text_addf(out, "FFT                    : %s\n", fft_source ? fft_source : "none found");
    tb__host_compiler_show(out);
}

static tb_status find_set(tb_stream *s, const tb_mask *x, int64_t *count)
{
    TB_TRY(tb__cpu_stream_synchronize(s));
    return tb__cpu_find_set(x, count);
}

static tb_status sort(tb_stream *s, const tb_sort_rows *r)
{
    if (s) TB_TRY(tb__cpu_stream_synchronize(s));
    return tb__cpu_sort(r);
}

static tb_status sort_keys(tb_stream *s, const tb_sort_keys *k)
{
    TB_TRY(tb__cpu_stream_synchronize(s));
    return tb__cpu_sort_keys(k);
}

static tb_status search(tb_stream *s, const tb_search *r)
{
    TB_TRY(tb__cpu_stream_synchronize(s));
    return tb__cpu_search(r);
}

static tb_status histogram_between(tb_stream *s, const tb_between *b, bool *done)
{
    TB_TRY(tb__cpu_stream_synchronize(s));
    return tb__cpu_histogram(b, done);
}

static tb_status interp(tb_stream *s, const tb_lines *r)
{
    TB_TRY(tb__cpu_stream_synchronize(s));
    return tb__cpu_interp(r);
}

static tb_status tally(tb_stream *s, tb_tally *t)
{
    TB_TRY(tb__cpu_stream_synchronize(s));
    return tb__cpu_tally(t);
}

static tb_status label(tb_stream *s, const tb_objects *o)
{
    TB_TRY(tb__cpu_stream_synchronize(s));
    return tb__cpu_label(o);
}

static tb_status label_boxes(tb_stream *s, const tb_boxes *b)
{
    TB_TRY(tb__cpu_stream_synchronize(s));
    return tb__cpu_label_boxes(b);
}

static tb_status distances(tb_stream *s, const tb_distance_pass *d)
{
    TB_TRY(tb__cpu_stream_synchronize(s));
    return tb__cpu_distances(d);
}

static tb_status splines(tb_stream *s, const tb_spline_points *p)
{
    TB_TRY(tb__cpu_stream_synchronize(s));
    return tb__cpu_splines(p);
}

static tb_status spline_map(tb_stream *s, const tb_spline_map *m)
{
    TB_TRY(tb__cpu_stream_synchronize(s));
    return tb__cpu_spline_map(m);
}

static tb_status two_sided(tb_stream *s, const tb_two_sided *t)
{
    TB_TRY(tb__cpu_stream_synchronize(s));
    return tb__cpu_two_sided(t);
}

static tb_status windows(tb_stream *s, const tb_windows *q)
{
    TB_TRY(tb__cpu_stream_synchronize(s));
    return tb__cpu_windows(q);
}

static tb_status pairs(tb_stream *s, const tb_pairs *p)
{
    TB_TRY(tb__cpu_stream_synchronize(s));
    return tb__cpu_pairs(p);
}

static tb_status peaks(tb_stream *s, tb_peaks *p)
{
    TB_TRY(tb__cpu_stream_synchronize(s));
    return tb__cpu_peaks(p);
}

static tb_status pieces(tb_stream *s, const tb_pieces *p)
{
    TB_TRY(tb__cpu_stream_synchronize(s));
    return tb__cpu_pieces(p);
}

static tb_status slide(tb_stream *s, const tb_slide *l)
{
    TB_TRY(tb__cpu_stream_synchronize(s));
    return tb__cpu_slide(l);
}

static tb_status phases(tb_stream *s, const tb_phases *p)
{
    TB_TRY(tb__cpu_stream_synchronize(s));
    return tb__cpu_phases(p);
}

static tb_status tree(tb_stream *s, const tb_tree_step *x)
{
    TB_TRY(tb__cpu_stream_synchronize(s));
    return tb__cpu_tree(x);
}

static tb_status sparse_product(tb_stream *s, const tb_sparse_product *p)
{
    TB_TRY(tb__cpu_stream_synchronize(s));
    return tb__cpu_sparse_product(p);
}

static tb_status recur(tb_stream *s, const tb_recur *r)
{
    if (s) TB_TRY(tb__cpu_stream_synchronize(s)); /* else for another backend */
    return tb__cpu_recur(r);
}

static tb_status solve(tb_stream *s, const tb_solve *q)
{
    if (s) TB_TRY(tb__cpu_stream_synchronize(s)); /* else for another backend */
    return tb__cpu_solve(q);
}

static tb_status fft(tb_stream *s, tb_transform *t)
{
    TB_TRY(tb__cpu_stream_synchronize(s));
    return tb__cpu_fft(t);
}

/* The libraries keep plans themselves. The limits are remembered, for programs that look at what they have set. */
static tb_status fft_cache(int device, tb_fft_cache_op op, tb_fft_cache *c)
{
    static struct {
        bool set;
        int64_t plans, bytes;
    } limits[TB_DEVICE_MAX];
    if (op == TB_FFT_CACHE_LIMIT) {
        limits[device].set = true;
        limits[device].plans = c->most_plans;
        limits[device].bytes = c->most_bytes;
    } else if (op == TB_FFT_CACHE_READ) {
        const bool set = limits[device].set;
        *c = (tb_fft_cache){.most_plans = set ? limits[device].plans : TB_FFT_PLANS,
                            .most_bytes = set ? limits[device].bytes : -1};
    }
    return TB_OK;
}

/* What both tables have in common. */
#define SHARED                                                                                                     \
    .name = "cpu", .on_host = true, .device_count = tb__cpu_device_count, .device_open = device_open,              \
    .device_synchronize = tb__cpu_device_synchronize, .device_info = device_info,                                  \
    .device_attribute = device_attribute, .mem_info = tb__cpu_mem_info, .mem_alloc = tb__cpu_mem_alloc,            \
    .stream_new = tb__cpu_stream_new, .stream_wrap = tb__cpu_stream_wrap, .stream_free = tb__cpu_stream_free,      \
    .stream_synchronize = tb__cpu_stream_synchronize, .stream_query = tb__cpu_stream_query,                        \
    .stream_wait = tb__cpu_stream_wait, .event_new = tb__cpu_event_new, .event_free = tb__cpu_event_free,          \
    .event_record = tb__cpu_event_record, .event_synchronize = tb__cpu_event_synchronize,                          \
    .event_query = tb__cpu_event_query, .event_elapsed = tb__cpu_event_elapsed, .host_func = tb__cpu_host_func,    \
    .capture_begin = tb__cpu_capture_begin, .capture_end = tb__cpu_capture_end,                                    \
    .graph_launch = tb__cpu_graph_launch, .graph_upload = tb__cpu_graph_upload, .graph_dot = tb__cpu_graph_dot,    \
    .module_compile = tb__cpu_module_compile, .module_load = tb__cpu_module_load,                                  \
    .module_unload = tb__cpu_module_unload, .module_function = tb__cpu_module_function,                            \
    .module_global = tb__cpu_module_global, .module_handle = tb__cpu_module_handle,                                \
    .module_symbol = tb__cpu_module_symbol, .function_attribute = tb__cpu_function_attribute,                      \
    .function_set_attribute = tb__cpu_function_set_attribute, .function_occupancy = tb__cpu_function_occupancy,    \
    .function_launch = tb__cpu_function_launch, .find_set = find_set,                                              \
    .reduce_slices = tb__cpu_reduce_slices, .search = search, .interp = interp, .sort = sort,                      \
    .histogram_between = histogram_between, .phases = phases,                                                      \
    .sort_keys = sort_keys, .tally = tally, .slide = slide, .recur = recur, .solve = solve, .label = label,        \
    .label_boxes = label_boxes, .distances = distances, .splines = splines, .pieces = pieces, .tree = tree,        \
    .pairs = pairs, .peaks = peaks, .bandwidth = tb__cpu_bandwidth,                                                \
    .sparse = &tb__cpu_sparse, .sparse_product = sparse_product,                                                   \
    .fft = fft, .fft_axes = TB_MAXDIM, .fft_reals = tb__cpu_fft_reals, .fft_cosines = true,                      \
    .fft_cache = fft_cache,                                                                                        \
    .graph_free = tb__cpu_graph_free, .cudart = tb__cpu_cudart, .busy = &busy, .show_config = show_config

/* While work is outstanding on some stream, or recorded. */
static const tb_backend busy = {
    SHARED,
    .mem_free = tb__cpu_busy_mem_free,
    .copy_in = tb__cpu_busy_copy_in,
    .copy_out = tb__cpu_busy_copy_out,
    .copy = tb__cpu_busy_copy,
    .run = tb__cpu_busy_run,
    .gemm = tb__cpu_busy_gemm,
    .gemm_suits = tb__cpu_gemm_suits,
    .launch_later = tb__cpu_busy_launch,
};

static const tb_backend backend = {
    SHARED,
    .mem_free = tb__cpu_mem_free,
    .copy_in = copy_blocking,
    .copy_out = copy_blocking,
    .copy = copy,
    .run = tb__cpu_run,
    .reduce_line = tb__cpu_reduce_line,
    .run_points = tb__cpu_run_points,
    .gemm = tb__cpu_gemm,
    .gemm_suits = tb__cpu_gemm_suits,
    /* While work is outstanding, these are made of operations that join it. */
    .windows = windows,
    .spline_map = spline_map,
    .two_sided = two_sided,
};

const tb_backend *tb__backend_cpu(void) { return &backend; }
