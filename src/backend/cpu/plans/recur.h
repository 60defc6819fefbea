/* recur.h - what recur.c and recur_blocks.c have in common: digital filters over rows that are cut into blocks. */
#ifndef TB_BACKEND_CPU_PLANS_RECUR_H
#define TB_BACKEND_CPU_PLANS_RECUR_H
#include "backend/backend.h"
#include "backend/cpu/loops/recur_loops.h"

enum { TB_RECUR_STATES = 64 /* of a filter whose rows may be cut into blocks */ };

/* A filter's coefficients as loops take them. */
typedef struct tb_recur_filter {
    const tb_recur_loops *loops;
    int sections, order, states; /* states: of all sections */
    size_t item;                 /* bytes of an element */
    char *c;                     /* of all sections */
    bool *whole;                 /* of each section: outputs come back */
} tb_recur_filter;
tb_status tb__recur_filter(const tb_recur *r, tb_dtype t, tb_recur_filter *out);
void tb__recur_filter_free(tb_recur_filter *f);
/* The first n lanes of a tile through all sections. states: f->states lines. */
void tb__recur_tile(const tb_recur_filter *f, void *tile, int64_t count, int n, void *states);

/* How a row is cut. */
typedef struct tb_recur_cut {
    int64_t blocks, length; /* blocks of so many elements; what is left of the row comes behind */
    /* What is so far before a block that it is as nothing in it. Where that is more than a block, `power` is what
     * becomes of states over a block: complex, of `states` columns; NULL where it is not. */
    int64_t reach;
    double *power;
} tb_recur_cut;
tb_status tb__recur_cut(const tb_recur *r, tb_recur_cut *out);
/* to += power * from, states of dtype t */
void tb__recur_advance(const tb_recur_cut *cut, int states, tb_dtype t, const void *from, void *to);
#endif
