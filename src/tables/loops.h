/* loops.h - src/tables is which operations there are: names and descriptions of every elementwise, cast, generator,
 * reduction and scan loop, a row each.
 *
 * A loop is one (operation, input dtypes) pair with one output, given by an expression in portable C over register
 * values a, b, c (and i, the point's number, for generators). A dtype's register type is its C type, except float16,
 * whose register is a float that has been rounded to float16. Everything here is made from elementwise.def,
 * generate.def and reduce.def; backends compile the same expressions. */
#ifndef TB_TABLES_LOOPS_H
#define TB_TABLES_LOOPS_H
#include "tombac/tombac.h"

typedef uint16_t tb_loop;
typedef uint16_t tb_red;
#define TB_NOLOOP 0xffff

enum {
    TB_LOOP_INDEX = 1,   /* the expression uses i; its inputs are scalars */
    TB_LOOP_HEAVY = 2,   /* a transcendental: tens of instructions or more */
    TB_LOOP_ADDRESS = 4, /* a is not a number but the address of one, b bytes away */
};

typedef struct tb_loop_info {
    const char *op;   /* "add" */
    const char *name; /* "add_f32_f32", unique, a C identifier */
    uint8_t nin, out; /* out: dtype */
    uint8_t in[3];
    uint8_t flags;
    const char *expr; /* "a + b"; TB_NULL for casts, which backends spell themselves */
} tb_loop_info;

extern const tb_loop_info tb_loop_table[];
extern const int tb_nloop;
/* The loop that converts from one dtype to another (from != to). Complex to real drops the imaginary part. */
tb_loop tb__cast_loop(tb_dtype from, tb_dtype to);
bool tb__loop_is_cast(tb_loop l);
/* The loop of ufunc `op` ("add") whose inputs are exactly these, or TB_NOLOOP. */
tb_loop tb__loop_find(const char *op, int nin, const tb_dtype *in);

/* A ufunc: a range of loops in search order. nout 2 is two single-output ufuncs side by side (divmod, modf, frexp). */
struct tb_ufunc {
    const char *name, *doc;
    uint8_t nin, nout;
    tb_loop first, count;
    const tb_ufunc *part[2]; /* nout 2: what makes each output; their loops correspond one to one */
    bool ordered;            /* as `at`, an element's numbers come one after the other: see elementwise.def */
};

/* Reduction and scan loops. `acc` expressions work on an accumulator struct or number; see reduce.def. */
typedef struct tb_red_info {
    const char *op, *name;                         /* "sum", "sum_f32" */
    uint8_t in, out;                               /* dtypes */
    uint8_t has_index;                             /* argmin, argmax: the accumulator carries the position */
    uint8_t acc_bytes;                             /* of an accumulator */
    const char *acc, *init, *step, *merge, *final; /* source text, for code generators */
} tb_red_info;

extern const tb_red_info tb_red_table[];
extern const int tb_nred;
/* The operations of reduce.def. */
/* clang-format off */
typedef enum tb_red_op {
    TB_REDUCE_SUM, TB_REDUCE_PROD, TB_REDUCE_MEAN, TB_REDUCE_VAR, TB_REDUCE_STD, TB_REDUCE_MIN, TB_REDUCE_MAX,
    TB_REDUCE_FMIN, TB_REDUCE_FMAX, TB_REDUCE_ARGMIN, TB_REDUCE_ARGMAX, TB_REDUCE_ANY, TB_REDUCE_ALL, TB_REDUCE_BITAND,
    TB_REDUCE_BITOR, TB_REDUCE_BITXOR, TB_REDUCE_COUNT,
} tb_red_op;
/* clang-format on */
extern const char *const tb_red_op_name[TB_REDUCE_COUNT]; /* "sum" */
/* Input dtype exactly `in`; TB_NOLOOP if there is none. Scans have those that are functions of two elements. */
tb_red tb__red_find(tb_red_op op, tb_dtype in);
/* The truth value after which a fold over bool does not change; -1 if there is none. */
int tb__red_absorbing(const tb_red_info *info);
#endif
