/* build.h - inside src/graph only: expressions as plans.
 *
 * A builder walks one or more expressions of one shape, visits each distinct node once, and gives it a value of the
 * plan. What it visited stays listed until the plan has run: which nodes are outputs, and whose memory becomes free,
 * follows from it. */
#ifndef TB_GRAPH_BUILD_H
#define TB_GRAPH_BUILD_H
#include "graph/expr.h"

enum { TB_BUILDER_MAXVISIT = TB_PLAN_MAXVALUE + 64 };

typedef struct tb_builder {
    tb_plan *plan;
    uint32_t mark;                       /* of the nodes that were visited */
    int nvisit, nowned, nfit;            /* nfit: of `visit`, those up to the last of `owned` */
    tb_expr *visit[TB_BUILDER_MAXVISIT]; /* inputs before what is computed from them */
    tb_expr *owned[TB_PLAN_MAXSTORE];    /* in that order: those that are the content of a live promise */
    tb_expr *load_leaf[TB_PLAN_MAXLOAD]; /* the first leaf of each load */
    bool overflow;                       /* the plan has no room for all of it */
    bool more_owned;                     /* there are more than `owned` has room for */
} tb_builder;

/* Starts p with the nodes below root. Where it has no room for all, some are evaluated before. */
tb_status tb__build(tb_builder *w, tb_plan *p, tb_expr *root);
/* Of more promises below root than a plan stores: what to evaluate before it. */
tb_expr *tb__build_first(const tb_builder *w);
/* Adds what is below root, of the same shape, if they have an operation in common and the plan has room for it beside
 * `nstore` stores. Looks at no more than *budget nodes, and takes off those it looked at. */
bool tb__build_more(tb_builder *w, tb_expr *root, int nstore, int *budget);
/* Gives values their numbers in the plan, in its instructions too. Nothing can be added any more. */
void tb__build_finish(tb_builder *w);
/* After tb__build_finish: e's number. */
uint16_t tb__build_value(const tb_builder *w, const tb_expr *e);
/* Counts what the plan computes that another plan has computed before. */
void tb__build_count(const tb_builder *w);
#endif
