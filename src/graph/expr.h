/* expr.h - arrays, buffers and deferred expressions: the data model.
 *
 *   tb_array   a view: dtype, shape, strides, offset on a buffer
 *   tb_buffer  a block of device memory, or the promise of one
 *   tb_expr    an immutable node: what elements are, as a function of leaves
 *
 * A buffer is in one of three states:
 *   stored    ptr set, expr NULL: the memory is the truth
 *   promised  ptr NULL, expr set: its content will be expr, laid out with expr's strides; nothing is allocated
 *   written   ptr set, expr set: the view described by expr (offset `target`, expr's shape and strides) is to be
 *             overwritten with expr; the rest of the memory is already right
 * Buffers with an expr are on their stream's pending list in program order.
 *
 * All nodes of one expression have the root's shape, except scalars and what is below a matrix product (product.c). A
 * leaf reads a stored buffer and is on the buffer's reader list: before the memory changes, everything pending that
 * reads it is evaluated (hazard rule). Since what a node stands for never changes, `x += 1` on a promised buffer just
 * promises a new expr; older readers keep the old one. A node whose elements have been stored, and that others still
 * refer to, becomes a leaf over them: so nothing computes it again, and what it was computed from can go. */
#ifndef TB_GRAPH_EXPR_H
#define TB_GRAPH_EXPR_H
#include "backend/current.h"
#include "base/error.h"
#include "tables/loops.h"
#include "tombac/tombac.h"

typedef struct tb_expr tb_expr;

struct tb_buffer {
    int refs;
    int device;
    char *ptr;
    size_t size;
    tb_stream *stream;       /* retained; where it was allocated, or will be */
    void (*deleter)(void *); /* foreign memory */
    void *owner;             /* foreign memory; else what the allocator needs to take its memory back */
    tb_allocator *allocator; /* where the memory comes from; NULL: the default pool */
    void *hold;              /* on the pool's memory, which was given back while arrays may still look at it */
    bool foreign;
    bool read_only;  /* whoever asks to write it is refused */
    int shared;      /* how many others use the memory without asking: nothing on it is deferred */
    bool handed_out; /* counted in `shared`, for good: somebody has the address */
    void *known;     /* what the host gave it, for as long as nobody may have written there; or NULL */
    int64_t written; /* the number of the last write here, or of what may have been one */
    tb_expr *expr;
    int64_t target;         /* byte offset of the pending write (state written) */
    tb_expr *readers;       /* leaves over this memory */
    tb_buffer *prev, *next; /* pending list */
    tb_buffer *joined;      /* weak: the written buffer whose expression this promise is a part of */
    bool has_joined;        /* some promise is joined to this */
    uint32_t born;          /* the attempt in which it was made */
    bool inside;            /* scratch: the expression is part of the one being written */
};

struct tb_array {
    int refs;
    tb_dtype dtype;
    uint8_t ndim;
    bool c_contiguous, f_contiguous;
    tb_buffer *buffer;
    int64_t offset, size;
    int64_t *strides; /* dims + ndim */
    int64_t dims[];   /* shape, then strides */
};

typedef enum tb_expr_kind { TB_EXPR_LEAF, TB_EXPR_SCALAR, TB_EXPR_OP, TB_EXPR_PRODUCT } tb_expr_kind;

struct tb_expr {
    int refs;
    uint8_t kind, dtype, ndim, nin;
    tb_loop loop;
    uint16_t height, nodes, leaves, scalars; /* upper bounds over the subtree, so that limits are tested in O(1) */
    uint8_t capacity;                        /* dimensions there is room for */
    bool c_order;                            /* strides are C order */
    bool eager;                              /* reads shared memory: evaluated at once */
    bool base;                               /* LEAF: what a gather reads from: any elements that its indices name */
    bool products;                           /* there is a PRODUCT here or below, or was when the node was made */
    uint8_t compute;                         /* PRODUCT: a tb_compute */
    bool lasts;                              /* scratch: somebody reads it after the plan being built has run */
    uint16_t value;                          /* scratch: value in the plan being built */
    uint16_t uses;                           /* scratch: references from within the plan being built */
    uint32_t mark;                           /* scratch: epoch of the last walk */
    uint32_t computed;                       /* the attempt in which a kernel has computed it */
    int64_t size;
    tb_buffer *owner;  /* weak: the promised buffer whose content this is */
    tb_stream *stream; /* borrowed: the stream that was current when the node was made */
    union {
        tb_expr *in[TB_MAXIN]; /* OP, PRODUCT */
        struct {
            tb_buffer *buffer;
            int64_t offset;
            tb_expr *prev, *next;
        } leaf;
        tb_scalar scalar;
    } u;
    int64_t dims[]; /* shape, then strides in bytes (LEAF: of the view; others: of the result, K order) */
};

/* ---- arrays ---- */
tb_array *tb__array_new(tb_buffer *b, int64_t offset, tb_dtype t, int ndim, const int64_t *shape,
                        const int64_t *strides);
tb_status tb__empty(tb_dtype t, int ndim, const int64_t *shape, char order, tb_array **out);
/* The same with strides, or NULL for C order, of a shape that is known to have `size` elements. */
tb_status tb__empty_sized(tb_dtype t, int ndim, const int64_t *shape, const int64_t *strides, int64_t size,
                          tb_array **out);
/* A new array in C order of memory that somebody else made for it, and that nobody else will touch: deleter(owner) is
 * called when it is not needed any more, but not if this fails. */
tb_status tb__array_adopt(void *ptr, tb_dtype t, int ndim, const int64_t *shape, void (*deleter)(void *), void *owner,
                          tb_array **out);
/* The address of a's first element, for work that is enqueued now: whatever is pending on the memory comes before. */
tb_status tb__array_address(tb_array *a, void **ptr);
/* Whether no two elements share memory; where that takes more than a look at the strides it may say no. */
bool tb__array_is_distinct(const tb_array *a);
static inline const int64_t *tb__shape(const tb_array *a) { return a->dims; }

/* ---- expressions ---- */
/* A node that stands for a's elements broadcast to shape. May evaluate what cannot be part of a larger expression. */
tb_status tb__expr_input(tb_array *a, int ndim, const int64_t *shape, tb_expr **out);
/* A node that stands for the addresses that gathers with this buffer as their base read from, before what the indices
 * add. Evaluates the buffer. */
tb_status tb__expr_base(tb_buffer *b, int64_t offset, tb_dtype t, int ndim, const int64_t *shape,
                        const int64_t *strides, tb_expr **out);
tb_expr *tb__expr_scalar(tb_scalar s);
/* Steals the references in `in`, also on failure. order: 'K', 'C', 'F' for the result's strides. With loop TB_NOLOOP
 * and one input the node is an alias: the input's elements in a shape and layout of its own (a scalar input fills
 * it). */
tb_status tb__expr_op(tb_loop loop, int nin, tb_expr **in, int ndim, const int64_t *shape, char order, tb_expr **out);
tb_status tb__expr_cast(tb_expr *e, tb_dtype t, tb_expr **out); /* steals e */
/* A new array promised to be the product of two matrices of one dtype, leaves over what a gemm takes whose elements lie
 * behind one another along rows or columns (steals both, also on failure). */
tb_status tb__promise_product(tb_expr *a, tb_expr *b, tb_compute compute, tb_array **out);
void tb__expr_release(tb_expr *e);
/* Turns an operation into a leaf over b's memory, where its elements are now. */
void tb__expr_to_leaf(tb_expr *e, tb_buffer *b);
/* A new array promised to be e (steals e); evaluated at once when fusion is off. */
tb_status tb__promise(tb_expr *e, tb_array **out);
/* view[...] = e, with e of view's shape and dtype (steals e); overlap and hazards are handled. No two elements of the
 * view share memory, unless e is one number: for other views there is tb__store. */
tb_status tb__write(tb_array *view, tb_expr *e);
/* The one question before every write; `what` begins the message: "output array is read-only". */
tb_status tb__refuse_write(const char *what) __attribute__((cold));
static inline tb_status tb__check_writable(const tb_buffer *b, const char *what)
{
    return __builtin_expect(b->read_only, 0) ? tb__refuse_write(what) : TB_OK;
}

/* Same elements, exactly: view == the whole of its promised buffer, or the target of its written one. */
bool tb__is_pending_view(const tb_array *view);
/* Evaluates *e into memory of its own if it reads view's buffer: for writes that are not deferred. On failure *e is
 * gone. */
tb_status tb__apart_from(const tb_array *view, tb_expr **e);

/* ---- evaluation ---- */
tb_status tb__buffer_eval(tb_buffer *b); /* after it, b is stored */
/* Evaluates an operation's node, which makes it a leaf. */
tb_status tb__compute(tb_expr *e);
/* The same for a part of an operation that is too large for a plan: by its largest inputs down to one that is not. */
tb_status tb__compute_part(tb_expr *e);
/* The same for a caller that is not in the middle of something: where memory has run out, whatever else is pending is
 * evaluated if it can be, since it may hold on to memory that nothing else needs. */
tb_status tb__buffer_demand(tb_buffer *b);
/* Small memory that the host has just filled, and that it will read again, as it does coefficients: it need not wait
 * for a device then. Whoever writes, or has an address and may, has it forgotten, and is counted. */
void tb__remember(tb_buffer *b, const void *bytes);
void tb__forget_known(tb_buffer *b);
extern int64_t tb__writes; /* to any memory, so that the number of one is no other's */
static inline void tb__forget(tb_buffer *b)
{
    b->written = ++tb__writes;
    if (__builtin_expect(b->known != NULL, 0)) tb__forget_known(b);
}

/* b may be written, is stored, and nothing pending reads it. */
tb_status tb__before_write(tb_buffer *b);
/* It has been, or will be: an operation that wrote what others can see is not begun anew (backend/retry.h). */
void tb__wrote(tb_buffer *b);
tb_status tb__after_readers(tb_buffer *b); /* the same for who has asked already, or only might write */
tb_status tb__flush_stream(tb_stream *s);  /* everything pending on s, in program order */
tb_status tb__flush_device(int device);
/* Whether a kernel of an earlier operation has computed it. */
bool tb__is_computed(const tb_expr *e);
/* Starts a plan whose values are e's nodes; *value is e's number. Used by reductions and scans for their prologue. */
tb_status tb__plan_from_expr(tb_plan *p, tb_expr *e, uint16_t *value);
/* The same for several, of which the first has the plan's shape. */
tb_status tb__plan_from_exprs(tb_plan *p, int n, tb_expr *const *e, uint16_t *value);
/* The same for stored arrays of one shape: `loop` of their elements, or with TB_NOLOOP those of the only one. */
void tb__plan_from_arrays(tb_plan *p, tb_loop loop, int n, tb_array *const *a, uint16_t *value);
/* Work on s is about to use b: if b is another device's, access to its memory is enabled, and the two devices' streams
 * wait for one another, now and when the operation is over. TB_ERR_VALUE where the devices cannot. */
tb_status tb__reach_slowly(tb_stream *s, tb_buffer *b);
static inline tb_status tb__reach(tb_stream *s, tb_buffer *b)
{
    return __builtin_expect(b->device == s->device, 1) ? TB_OK : tb__reach_slowly(s, b);
}
/* b is written and in the current stream's reach: for what hands its address to the backend. */
static inline tb_status tb__buffer_here(tb_buffer *b)
{
    tb_stream *s;
    TB_TRY(tb__buffer_eval(b));
    TB_TRY(tb__current_stream(&s));
    return tb__reach(s, b);
}
/* `later` waits for what has been given to `earlier`. Streams that are recorded are ordered by whoever records them. */
tb_status tb__stream_follow(tb_stream *later, tb_stream *earlier);
/* Whether so few bytes are written sooner than they are promised. */
bool tb__is_prompt(int64_t bytes);
/* Whether an operation on stored memory that gives so few bytes should run at once. */
bool tb__is_little(int64_t bytes);
/* Starts and finishes a plan that writes the stored array `into`: as tb__run_loop. */
void tb__plan_of_loop(tb_plan *p, const tb_array *into, tb_loop loop, int n, const tb_operand *in);
/* Writes the stored array `into` at once: `loop` of n numbers of the dtypes that it takes and stored arrays, which are
 * cast, as its result is, or with TB_NOLOOP the only one of them. Arrays have into's shape, or one element. */
tb_status tb__run_loop(tb_array *into, tb_loop loop, int n, const tb_operand *in);
tb_status tb__run(tb_stream *s, tb_plan *p); /* finish, count, execute */
bool tb__run_line(const tb_line *l);         /* execute, count; for a backend that has reduce_line */

bool tb__deferring(void); /* whether this thread defers (tb_fusion_set, TOMBAC_FUSION) */
#endif
