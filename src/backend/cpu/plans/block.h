/* block.h - a plan's values, one box of its iteration space at a time.
 *
 * The space is cut into boxes by `ext`, dimension by dimension, in an iteration order that may differ from the plan's.
 * For each box every value is evaluated into contiguous memory, in the box's own C order: scratch that stays in cache,
 * or the memory of a load or a store where that is contiguous over the box. */
#ifndef TB_BACKEND_CPU_PLANS_BLOCK_H
#define TB_BACKEND_CPU_PLANS_BLOCK_H
#include "backend/cpu/plans/plans.h"
#include "backend/cpu/loops/loops.h"

enum { TB_BLOCK_NONE = -1, TB_BLOCK_IN_LOAD = -2, TB_BLOCK_IN_STORE = -3, TB_BLOCK_BASE = -4 };

/* Memory of which the next box has a contiguous run. */
typedef struct tb_run {
    const char *ptr;
    int64_t item;
    bool written;
} tb_run;

/* Set up once for a plan, then read by every task. */
typedef struct tb_block {
    const tb_plan *plan;
    const tb_cpu_loop *loops;
    int nd;
    int dim[TB_MAXDIM];       /* iteration dimension -> the plan's */
    int64_t shape[TB_MAXDIM]; /* in iteration order */
    int64_t ext[TB_MAXDIM];   /* of a full box; boxes at the end of a dimension are cut */
    int64_t steps[TB_MAXDIM]; /* boxes along a dimension */
    int64_t points;           /* of a full box */
    int64_t rank[TB_MAXDIM];  /* the plan's C-order index, by iteration dimension (uses_index) */
    int ninstr;               /* how many of the instructions boxes evaluate: all, unless the caller takes some over */
    int want;                 /* a value that must be in contiguous memory after each box, or TB_BLOCK_NONE */
    bool stores;              /* whether the plan's stores are carried out with each box */
    bool past;                /* set by the caller: stores go past the cache where they can */
    char *to;                 /* set by the caller: where a scatter goes in place of the store's address; or NULL */
    int nslot;
    size_t slot_bytes;
    int16_t slot[TB_PLAN_MAXVALUE];     /* scratch slot, or one of the above */
    bool single[TB_PLAN_MAXSCALAR];     /* numbers of which one is read, not one a point */
    bool direct[TB_PLAN_MAXSTORE];      /* the store's memory is where the value is made */
    tb_cpu_loop loop[TB_PLAN_MAXINSTR]; /* of the instructions */
    bool streamed[TB_PLAN_MAXINSTR];    /* ... slice by slice in scratch, `stage`, from where it goes past the cache */
    int stage;
    int nrun, slices; /* what the next box is read from and written to; slices of an instruction */
    tb_run run[TB_PLAN_MAXLOAD + TB_PLAN_MAXSTORE];
} tb_block;

/* One task's view: where each value is for the box at hand. */
typedef struct tb_frame {
    char *ptr[TB_PLAN_MAXVALUE];
    const char *gathered[TB_PLAN_MAXLOAD]; /* what the load's slot holds, as first address and number of points */
    int64_t gathered_n[TB_PLAN_MAXLOAD];
    char *stage;          /* of results on their way past the cache */
    int64_t next, next_n; /* one dimension: the box to fetch into the cache meanwhile, its start and points */
} tb_frame;

/* ---- gather.c ---- */

/* Calls the loop of a gather for a box of n points: args[1] is the base's address at the box, strides the base's. */
void tb__box_gather(const tb_block *b, tb_cpu_loop fn, void **args, size_t item, const int64_t *strides,
                    const int64_t *len);
/* The store of a plan that scatters. */
void tb__box_scatter(const tb_block *b, const tb_frame *f, const int64_t *at, const int64_t *len);
/* Carries out a plan that moves whole rows: a gather that is stored as it is, or a scatter, whose offsets are the same
 * along inner dimensions. False: the plan is another one, and nothing was done. */
bool tb__cpu_move_rows(const tb_plan *p, tb_status *status);

/* bins.c: the boxes of a scatter that adds in few places. False: it is another one, and nothing was done. */
bool tb__cpu_bins(const tb_block *b, int64_t nbox, tb_status *status);

/* reduce_truth.c: a reduction of rows of truth values that their first elements decide. False: it is none. */
bool tb__cpu_reduce_truth(const tb_plan *p);

/* take.c: carries out a plan that does nothing but read a vector at the indices of another. False: it does not. */
bool tb__cpu_take(const tb_plan *p, tb_status *status);
/* put.c: the same of a plan that stores a number, or a vector's elements, at the indices of another. */
bool tb__cpu_put(const tb_plan *p, tb_status *status);

/* ---- block.c ---- */

/* Iteration in the order `dim`, boxes of one point. The caller then sets ext. */
void tb__block_start(tb_block *b, const tb_plan *p, int nd, const int *dim);
/* Sets ext of the iteration dimensions [first, last) so that inner ones are whole and the product is at most `points`;
 * returns the product. */
int64_t tb__block_fit(tb_block *b, int first, int last, int64_t points);
/* Decides where values live. With stores, the box's stores are carried out too (MAP). */
void tb__block_finish(tb_block *b, int want, bool stores);
size_t tb__block_scratch(const tb_block *b);
/* `points`: how many the largest box to come has. */
void tb__frame_start(const tb_block *b, tb_frame *f, char *scratch, int64_t points);
/* Evaluates the box that starts at `at` and has shape `len` (iteration order). */
void tb__block_eval(const tb_block *b, tb_frame *f, const int64_t *at, const int64_t *len);
/* Boxes are counted over a range of iteration dimensions, [first, last), in C order; at and len are set for that range.
 * The number of boxes; box number `box`; the next one. The latter two return the points in the range. */
int64_t tb__block_boxes(const tb_block *b, int first, int last);
int64_t tb__block_box(const tb_block *b, int first, int last, int64_t box, int64_t *at, int64_t *len);
int64_t tb__block_next(const tb_block *b, int first, int last, int64_t *at, int64_t *len);

/* Evaluates boxes [first, end) of all dimensions one after the other, each followed by done(arg, ...) unless that is
 * NULL. False: no memory for the scratch. */
bool tb__block_walk(const tb_block *b, int64_t first, int64_t end,
                    void (*done)(void *arg, const tb_frame *f, const int64_t *at, const int64_t *len), void *arg);

static inline bool tb__is_number(const tb_plan *p, int v) { return v >= p->nload && v < p->nload + p->nscalar; }

/* The loop that takes numbers among the instruction's inputs for one each, all of them; or NULL. */
static inline tb_cpu_loop tb__loop_of_numbers(const tb_plan *p, const tb_instr *in)
{
    if (in->nin < 2) return NULL;
    if (in->nin == 2 && tb__is_number(p, in->in[0]))
        return tb__is_number(p, in->in[1]) ? NULL : tb__cpu_loop_of_number(in->loop);
    for (int i = 0; i < in->nin; i++)
        if (tb__is_number(p, in->in[i]) != (i > 0)) return NULL;
    return tb__cpu_loop_by_number(in->loop);
}

/* The first address of a box in memory laid out by strides of the plan. */
static inline const char *tb__box_base(const tb_block *b, const char *ptr, const int64_t *strides, const int64_t *at)
{
    for (int d = 0; d < b->nd; d++) ptr += at[d] * strides[b->dim[d]];
    return ptr;
}

/* Whether memory laid out by `strides` is contiguous over the iteration dimensions [first, last) of a full box. */
bool tb__box_contiguous(const tb_block *b, const int64_t *strides, int64_t item, int first, int last);
/* Whether typed loops may use it: address and strides are multiples of the item's alignment. */
bool tb__elements_are_aligned(const void *ptr, int nd, const int64_t *strides, tb_dtype t);
/* Copies the iteration dimensions [first, last) of a box; strides of the plan, or NULL for contiguous memory. */
void tb__box_copy(const tb_block *b, int first, int last, const int64_t *len, tb_dtype t, char *to,
                  const int64_t *to_strides, const char *from, const int64_t *from_strides, bool past);
#endif
