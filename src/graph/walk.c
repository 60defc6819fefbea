/* walk.c - visiting the nodes of a graph, each once and without recursion, and the questions that need no more. */
#include "graph/eval.h"

uint32_t tb__epoch(void)
{
    static uint32_t epoch;
    if (++epoch == 0) epoch = 1; /* 0 is no mark */
    return epoch;
}

uint32_t tb__walk(tb_expr *root, bool (*visit)(tb_expr *e, void *arg), void *arg)
{
    uint32_t mark = tb__epoch();
    tb_expr *stack[TB_WALK_STACK];
    int n = 0;
    stack[n++] = root;
    while (n > 0) {
        tb_expr *e = stack[--n];
        if (e->mark == mark) continue;
        e->mark = mark;
        if (visit && visit(e, arg)) return 0;
        for (int i = 0; i < e->nin; i++) stack[n++] = e->u.in[i];
    }
    return mark;
}

static bool is_leaf_over(tb_expr *e, void *buffer) { return e->kind == TB_EXPR_LEAF && e->u.leaf.buffer == buffer; }

bool tb__reads(tb_expr *root, tb_buffer *b) { return tb__walk(root, is_leaf_over, b) == 0; }

typedef struct counts {
    uint16_t nodes, leaves, scalars;
} counts;

static bool count(tb_expr *e, void *arg)
{
    counts *c = arg;
    c->nodes += e->kind == TB_EXPR_OP;
    c->leaves += e->kind == TB_EXPR_LEAF;
    c->scalars += e->kind == TB_EXPR_SCALAR;
    return false;
}

void tb__recount(tb_expr *e)
{
    counts c = {0};
    tb__walk(e, count, &c);
    e->nodes = c.nodes;
    e->leaves = c.leaves;
    e->scalars = c.scalars;
}
