/* plans.h - src/backend/cpu/plans runs plans on the CPU, by the loops of src/backend/cpu/loops.
 *
 *   copy.c     strided copies
 *   nontemporal.c   stores past the cache
 *   block.c    a plan's values for one box of its iteration space: the executor that map, reduce and scan share
 *   map.c  reduce.c  scan.c  gemm.c (gemm_tiles.c)   one kind of work each
 *   blas.c     the host's BLAS
 *   fft.c fftw.c    transforms, by a library of the host
 *
 * User code (../user) and queues (../queues) are no part of it; queues keep what is declared here for later. */
#ifndef TB_BACKEND_CPU_PLANS_PLANS_H
#define TB_BACKEND_CPU_PLANS_PLANS_H
#include "backend/backend.h"
#include "base/arith.h"
#include "base/threads.h"

/* ---- copy.c ---- */

/* dst[...] = src[...] for items of 1, 2, 4, 8 or 16 bytes of any alignment; strides in bytes. `past`: long rows
 * go past the cache (nontemporal.c). */
void tb__cpu_copy(size_t item, int nd, const int64_t *shape, char *dst, const int64_t *dst_strides, const char *src,
                  const int64_t *src_strides, bool past);
/* s in its dtype's storage; of the 16 bytes at dst the rest may be anything. */
void tb__cpu_number(const tb_scalar *s, void *dst);
/* Fills n elements with it. */
void tb__cpu_fill(tb_scalar s, void *dst, int64_t n);

/* ---- nontemporal.c ---- */

/* Whether results, one of which ends at `last`, are to be stored past the cache: where `bytes`, read and written, are
 * more than one and a half times what it holds, or than the environment variable TOMBAC_STREAM_BYTES says, and the
 * memory has been used before. */
bool tb__nontemporal_pays(int64_t bytes, const char *last);
/* Whether a store is as wide as a line. */
bool tb__nontemporal_lines(void);
/* memcpy past the cache. */
void tb__nontemporal_copy(char *dst, const char *src, size_t n);
/* memcpy, at the speed of vectors wherever the places are. */
void tb__copy_bytes(char *dst, const char *src, size_t n);
/* Other threads see what this one has stored so before what it stores next. */
void tb__nontemporal_end(void);

/* ---- the kinds of plans ---- */

tb_status tb__cpu_run(tb_stream *s, const tb_plan *p);
bool tb__cpu_run_points(const tb_points *x);
/* Whether an elementwise plan is worth several threads, few points as it has. */
bool tb__cpu_is_slow(const tb_plan *p);
tb_status tb__cpu_map(const tb_plan *p);
tb_status tb__cpu_reduce(const tb_plan *p);
bool tb__cpu_reduce_line(const tb_line *l);
tb_status tb__cpu_scan(const tb_plan *p);
tb_status tb__cpu_gemm(tb_stream *s, const tb_gemm *g);
bool tb__cpu_gemm_suits(const tb_gemm *g);
tb_status tb__cpu_find_set(const tb_mask *x, int64_t *count);
tb_status tb__cpu_reduce_slices(const tb_slices *s);
tb_status tb__cpu_search(const tb_search *s);
tb_status tb__cpu_histogram(const tb_between *b, bool *done);
tb_status tb__cpu_interp(const tb_lines *l);
tb_status tb__cpu_sort(const tb_sort_rows *s);
tb_status tb__cpu_sort_keys(const tb_sort_keys *s);
tb_status tb__cpu_tally(tb_tally *t);
/* tally_wide.c: the same for n numbers of so many bytes, none as large as `places`, which are many: into a table
 * of as many. False: that does not pay. */
bool tb__cpu_tally_wide(const void *in, int64_t n, size_t size, int64_t places, int64_t *table, tb_status *status);
tb_status tb__cpu_label(const tb_objects *o);
tb_status tb__cpu_label_boxes(const tb_boxes *b);
tb_status tb__cpu_distances(const tb_distance_pass *d);
tb_status tb__cpu_splines(const tb_spline_points *p);
tb_status tb__cpu_spline_map(const tb_spline_map *m);
/* Or TB_ERR_NOT_IMPLEMENTED. */
tb_status tb__cpu_two_sided(const tb_two_sided *t);
/* Which of n elements stands for one beyond the edges; -1: none. */
int64_t tb__cpu_folded(int64_t i, int64_t n, tb_spline_edge edge);
/* Or TB_ERR_NOT_IMPLEMENTED. */
tb_status tb__cpu_windows(const tb_windows *q);
tb_status tb__cpu_pairs(const tb_pairs *p);
tb_status tb__cpu_peaks(tb_peaks *p);
tb_status tb__cpu_peak_shapes(tb_peaks *p); /* peak_shapes.c: two kinds of their work */
void tb__cpu_bandwidth(tb_dtype t, const void *a, const int64_t *shape, const int64_t *strides, int64_t *out);
tb_status tb__cpu_pieces(const tb_pieces *p);
tb_status tb__cpu_tree(const tb_tree_step *s);
tb_status tb__cpu_tree_order(const tb_tree_step *s);
tb_status tb__cpu_slide(const tb_slide *s);
tb_status tb__cpu_phases(const tb_phases *p);
tb_status tb__cpu_recur(const tb_recur *r);
/* fft.c: by the library that was provided, or by FFTW. */
tb_status tb__cpu_fft(tb_transform *t);
bool tb__cpu_fft_reals(void);
const char *tb__cpu_fft_source(void); /* for people; NULL: there is none */
/* gemm by the library's own loops, of every dtype but float16; no product's k is 0. */
tb_status tb__cpu_gemm_tiles(const tb_gemm *g);

#endif
