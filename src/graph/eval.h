/* eval.h - inside src/graph only: buffers' lifetime, the pending list, walks over expressions. */
#ifndef TB_GRAPH_EVAL_H
#define TB_GRAPH_EVAL_H
#include "graph/expr.h"

/* What one kernel may hold. Scalars and loads stay below the plan's tables: a reduction adds a few of its own. */
enum { TB_MAX_NODES = 100, TB_MAX_LEAVES = 24, TB_MAX_SCALARS = 48 };
/* Nodes that a walk keeps: of an expression that is about to be cut down, whose inputs are each as large as allowed. */
enum { TB_WALK_STACK = TB_MAXIN * (TB_MAXIN * TB_MAX_NODES + 1) };
/* Promised buffers that may wait before the oldest is evaluated. */
enum { TB_MAX_PENDING = 256 };
/* Bytes up to which the host runs one loop faster than it makes an expression. */
enum { TB_PROMPT = 8192 };

void tb__array_release(tb_array *a);
tb_buffer *tb__buffer_alloc(size_t size, tb_stream *stream); /* no memory yet; NULL when the host is out of it */
void tb__buffer_release(tb_buffer *b);
tb_status tb__buffer_store(tb_buffer *b); /* gives it device memory if it has none */
void tb__buffer_unstore(tb_buffer *b);    /* takes the memory away again */
void tb__buffer_undo_store(tb_buffer *b); /* the same, as if it had never had it */

/* Puts b on the pending list with expression e (steals e). b is promised or, with memory, written at `target`. */
void tb__pend(tb_buffer *b, tb_expr *e, int64_t target);
/* Takes b off the pending list and drops its expression. */
void tb__abandon(tb_buffer *b);
/* The same for a promise that has been kept: who else refers to its expression reads b's memory from now on. */
void tb__buffer_stored(tb_buffer *b);
/* Evaluates the promises that are joined to the write of b and are no part of it any more. */
tb_status tb__eval_left_behind(tb_buffer *b);
tb_buffer *tb__pending_last(void); /* the newest pending buffer, or NULL; go on by `prev` */
/* Calls visit (may be NULL) for each node below root, root included. 0 if visit returned true, which ends the walk;
 * else the mark that every node has then. */
uint32_t tb__walk(tb_expr *root, bool (*visit)(tb_expr *e, void *arg), void *arg);
bool tb__reads(tb_expr *root, tb_buffer *b);

/* Enqueues the products below root, which become leaves: before a plan is made of it. Somebody else than the buffer
 * whose content root is holds root. */
tb_status tb__settle(tb_expr *root);
/* Whether b waited for nothing but a product and what is added to it, which has been enqueued. */
tb_status tb__product_eval(tb_buffer *b, bool *done);
/* Whether root is nothing but a product and what is added to it, and what it is in words. */
bool tb__product_text(const tb_expr *root, char *text, size_t cap);
/* A product of two leaves, which it takes only on success. */
tb_status tb__expr_product(tb_expr *const *in, tb_compute compute, tb_expr **out);
/* The loop that would add two nodes of e's dtype. */
tb_loop tb__add_loop(const tb_expr *e);

uint32_t tb__epoch(void); /* a fresh mark for a walk */
/* Exact numbers of distinct nodes below e, stored into e's bounds. */
void tb__recount(tb_expr *e);
tb_expr *tb__leaf(tb_buffer *b, int64_t offset, tb_dtype t, int ndim, const int64_t *shape, const int64_t *strides,
                  tb_stream *s);
/* An alias of e with a layout of its own (steals e). */
tb_expr *tb__alias(tb_expr *e, int ndim, const int64_t *shape, const int64_t *strides);
#endif
