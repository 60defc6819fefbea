/* user_kernel.h - what elementwise and reduction kernels made from a user's code have in common: the parsed parameters,
 * the operands of a call, and the compiled variants. */
#ifndef TB_OPS_USER_KERNEL_H
#define TB_OPS_USER_KERNEL_H
#include "backend/backend.h"
#include "codegen/user.h"
#include "ops/array_ops.h"

/* One compiled source. */
typedef struct tb_user_entry {
    struct tb_user_entry *next;
    char *source;
    tb_module *module;
    tb_function *function, *second; /* second: what combines the parts of a reduction, or NULL */
    size_t acc_bytes;               /* of a reduction's accumulator */
    int device;
    size_t nkey;
    unsigned char key[];
} tb_user_entry;

/* A kernel that computes some of another's inputs itself. */
typedef struct tb_user_fused {
    struct tb_user_fused *next;
    bool met;     /* not for the first time */
    void *kernel; /* a tb_elementwise or tb_reducer; NULL: it has not been made yet */
    size_t nkey;
    uint16_t key[];
} tb_user_fused;

typedef struct tb_user_kernel {
    char *name;
    tb_user_params params;
    int noption;
    char **options;
    tb_user_entry *first; /* most recently used first */
    tb_user_entry **made; /* in the order of compilation */
    int nmade;
    bool fuses, reduces;              /* fuses: pending inputs may be part of the code */
    bool addressed[TB_USER_MAXPARAM]; /* what must lie in memory */
    tb_user_fused *fused;             /* all that have been met */
} tb_user_kernel;

/* An empty string for NULL; NULL without memory. */
char *tb__user_copy(const char *s);
tb_status tb__user_init(tb_user_kernel *k, const char *name, const char *in, const char *out, int noption,
                        const char *const *options);
void tb__user_destroy(tb_user_kernel *k);

/* The operands of a call: what the caller gave, and copies made for it. */
typedef struct tb_user_operands {
    int nout;                          /* outputs given */
    tb_array *array[TB_USER_MAXPARAM]; /* borrowed, or owned: NULL for numbers */
    bool owned[TB_USER_MAXPARAM];
    tb_scalar number[TB_USER_MAXPARAM]; /* of the parameter's dtype */
    uint8_t type[TB_USER_MAXPARAM];
    uint8_t kind[TB_USER_MAXPARAM];
    int ndim; /* of the arrays that are not raw, broadcast */
    int64_t shape[TB_MAXDIM];
    bool has_shape;
    int device;
    tb_stream *stream; /* the launch's */
} tb_user_operands;

/* Types, devices and numbers are checked and the inputs' and given outputs' shapes broadcast. with_out: outputs take
 * part in that. Nothing is owned yet. */
tb_status tb__user_resolve(const tb_user_kernel *k, const tb_operand *in, tb_array *const *out, bool with_out,
                           tb_user_operands *o);
/* Inputs that overlap an output, other than being the very same elements, are replaced by copies; everything is
 * evaluated. */
tb_status tb__user_evaluate_one(const tb_user_kernel *k, const tb_user_operands *o, int m);
tb_status tb__user_evaluate(const tb_user_kernel *k, tb_user_operands *o);
void tb__user_release(const tb_user_kernel *k, tb_user_operands *o);
/* Where operand m's first element is. */
static inline char *tb__user_ptr(const tb_user_operands *o, int m)
{
    return o->array[m]->buffer->ptr ? o->array[m]->buffer->ptr + o->array[m]->offset : NULL;
}
/* Appends raw arrays and numbers to a parameter block. Fails when they do not fit before `end`. */
tb_status tb__user_put(const tb_user_kernel *k, const tb_user_operands *o, unsigned char **to,
                       const unsigned char *end);
void tb__user_raw_kind(const tb_array *a, tb_user_raw *raw);

/* A compiled variant, moved to the front; NULL if there is none. */
tb_user_entry *tb__user_find(tb_user_kernel *k, int device, const unsigned char *key, size_t nkey);
/* Compiles; called without the core lock. Steals the text. second: another kernel of the source, or NULL. */
tb_status tb__user_compile(tb_user_kernel *k, int device, const unsigned char *key, size_t nkey, tb_text *source,
                           const char *entry, const char *second, bool is_reduction);
/* Keys begin with 4 bytes of layout, and then have 4 bytes a parameter, the first of which is its dtype. */
const char *tb__user_code_at(const tb_user_kernel *k, int i, tb_dtype *dtypes);
tb_parameter tb__user_parameter(const tb_user_kernel *k, int i);

/* ---- user_fuse.c ------------------------------------------------------------------------------------------------ */

enum { TB_USER_FUSED_NODES = 48, TB_USER_FUSED_ROOTS = 4 };

/* The expressions of a call's pending inputs. */
typedef struct tb_user_fusion {
    int device, nroot, nnode;
    uint8_t param[TB_USER_FUSED_ROOTS], root[TB_USER_FUSED_ROOTS]; /* whose value which node is */
    tb_expr *node[TB_USER_FUSED_NODES];                            /* borrowed; inputs come first */
    uint8_t in[TB_USER_FUSED_NODES][TB_MAXIN];
    size_t nkey;
    uint16_t key[TB_USER_MAXPARAM + 4 * TB_USER_FUSED_NODES + TB_USER_FUSED_ROOTS];
} tb_user_fusion;

/* Whether code may be compiled together with expressions: whether no option changes how these are rounded. */
bool tb__user_fuses(const tb_user_kernel *k);
/* Once a call: inputs that are too large to be fused, or have been once, are evaluated. */
tb_status tb__user_ask(const tb_user_kernel *k, const tb_user_operands *o);
/* Evaluates all operands but those that can be fused, which f holds then, and finds the kernel that does. NULL: the
 * call is one of the kernel itself, since nothing can be fused or is met for the first time. */
tb_status tb__user_choose(tb_user_kernel *k, tb_user_operands *o, tb_user_fusion *f, tb_user_fused **out);
/* The fused kernel's parameter lists, and the statements that its code begins with. */
void tb__user_fused_params(const tb_user_kernel *k, const tb_user_operands *o, const tb_user_fusion *f, tb_text *in,
                           tb_text *out);
void tb__user_fused_code(const tb_user_kernel *k, const tb_user_operands *o, const tb_user_fusion *f, tb_text *out);

/* A fused kernel's inputs in a call. */
typedef struct tb_user_inputs {
    int n;
    tb_operand operand[TB_USER_MAXPARAM]; /* arrays are retained */
} tb_user_inputs;

/* The operands of `fused` in a call of k with operands o, until tb__user_fused_end. */
tb_status tb__user_fused_begin(const tb_user_kernel *k, const tb_user_operands *o, const tb_user_fusion *f,
                               const tb_user_kernel *fused, tb_user_inputs *in, tb_user_operands *inner);
/* ran: the kernel has been launched, and counts. */
void tb__user_fused_end(const tb_user_kernel *fused, const tb_user_fusion *f, bool ran, tb_user_inputs *in,
                        tb_user_operands *inner);
#endif
