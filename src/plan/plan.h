/* plan.h - what a backend executes: one kernel's worth of work, free of graph and NumPy concerns.
 *
 * A plan visits an iteration space of `ndim` dimensions. Values are numbered: loads first, then scalars, then
 * instructions, each instruction making exactly one value. Instruction inputs are earlier values. Every instruction
 * rounds to its loop's output dtype, so results do not depend on what is fused with what.
 *
 *   TB_PLAN_MAP     store[k] writes its value at every point. With `scatters` there is one store, and each of its
 *                   values goes as many bytes further as the value `where` says.
 *   TB_PLAN_REDUCE  value `store[0].value` is reduced over the dimensions in `reduced` with reduction loop `red`;
 *                   store[0] receives the result and has stride 0 along reduced dimensions. One store.
 *   TB_PLAN_SCAN    running combination of store[0].value along dimension `axis` with scan loop `red`. One store. With
 *                   `scatters` (GPU, one dimension) values are picked: it is the truth value `where` that is
 *                   combined, and store[0].value goes to as many elements further as it has been true before, where
 *                   it is true.
 *   TB_PLAN_ROUTINE (GPU) `routine` says which kernel, which is made of no values, and has all that it takes.
 *
 * Dimensions are in C order of the logical index unless no instruction or reduction depends on it (then they may have
 * been permuted to suit memory). Neighbours that could be merged have been merged; a plan with ndim 0 has one point.
 * size > 0 always: empty work never reaches a backend. No dimension is 1; one point alone has ndim 0.
 * Outputs may be the very memory of a load with identical strides (in-place, donation); any other overlap has been
 * resolved before. */
#ifndef TB_PLAN_PLAN_H
#define TB_PLAN_PLAN_H
#include "tables/loops.h"
#include "tombac/tombac.h"

enum { TB_PLAN_MAXLOAD = 32, TB_PLAN_MAXSCALAR = 64, TB_PLAN_MAXINSTR = 128, TB_PLAN_MAXSTORE = 8 };
enum { TB_PLAN_MAXVALUE = TB_PLAN_MAXLOAD + TB_PLAN_MAXSCALAR + TB_PLAN_MAXINSTR };

typedef enum tb_plan_kind { TB_PLAN_MAP, TB_PLAN_REDUCE, TB_PLAN_SCAN, TB_PLAN_ROUTINE } tb_plan_kind;

typedef struct tb_load {
    const char *ptr;
    uint8_t dtype;
    bool base; /* the value is the address, where an instruction with TB_LOOP_ADDRESS, its only reader, reads from */
    int64_t strides[TB_MAXDIM]; /* bytes; 0 where broadcast */
} tb_load;

typedef struct tb_store {
    char *ptr;
    uint16_t value;
    uint8_t dtype; /* scatters: of the memory; else MAP: of the value. REDUCE, SCAN: the loop's output */
    int64_t strides[TB_MAXDIM];
} tb_store;

typedef struct tb_instr {
    tb_loop loop;
    uint8_t nin, dtype; /* dtype of the value made */
    uint16_t in[TB_MAXIN];
} tb_instr;

typedef struct tb_plan {
    tb_plan_kind kind;
    int ndim;
    int nload, nscalar, ninstr, nstore;
    int64_t size; /* points in the iteration space */
    int64_t shape[TB_MAXDIM];
    bool uses_index;  /* an instruction has TB_LOOP_INDEX: point number in C order matters */
    tb_red red;       /* REDUCE, SCAN */
    uint32_t reduced; /* REDUCE: bit d set when dimension d is reduced */
    int axis;         /* SCAN */
    double count;     /* REDUCE: elements per result (for mean). With `scatters`, SCAN: elements stored at most; MAP:
                       * elements that values may go to, which follow the store's address; 0: not known */
    bool scatters;    /* where values go to one place, the host lets them take turns in C order */
    uint16_t where;
    const struct tb_routine *routine; /* ROUTINE: the caller's, for as long as the call takes */
    tb_loop combine; /* scatters: of what is there and the value; TB_NOLOOP: the value takes its place. What is there
                      * is cast to the loop's first input, its result to what is there (tb__plan_update) */
    tb_load load[TB_PLAN_MAXLOAD];
    tb_scalar scalar[TB_PLAN_MAXSCALAR]; /* already of the dtype that its reader wants */
    tb_instr instr[TB_PLAN_MAXINSTR];
    tb_store store[TB_PLAN_MAXSTORE];
} tb_plan;

static inline int tb__plan_nvalue(const tb_plan *p) { return p->nload + p->nscalar + p->ninstr; }

static inline tb_dtype tb__plan_dtype(const tb_plan *p, int value)
{
    if (value < p->nload) return (tb_dtype)p->load[value].dtype;
    value -= p->nload;
    if (value < p->nscalar) return p->scalar[value].dtype;
    return (tb_dtype)p->instr[value - p->nscalar].dtype;
}

/* An elementwise plan over shape that holds nothing yet. */
void tb__plan_start(tb_plan *p, int ndim, const int64_t *shape);
/* Drops dimensions of 1, permutes (where allowed) and merges dimensions; sets size. */
void tb__plan_finish(tb_plan *p);

/* What a scatter that combines does to an element: loops, or TB_NOLOOP for those that it takes none of. */
typedef struct tb_update {
    tb_loop before, combine, after; /* a cast, p->combine, a cast */
} tb_update;
tb_update tb__plan_update(const tb_plan *p);
static inline bool tb__update_casts(const tb_update *u) { return u->before != TB_NOLOOP || u->after != TB_NOLOOP; }
/* A reader's listing of the plan, one line a value. */
struct tb_text;
void tb__plan_print(const tb_plan *p, struct tb_text *out);
#endif
