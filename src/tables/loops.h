/* loops.h - src/tables is which operations there are: names and descriptions of every elementwise, cast, generator,
 * reduction and scan loop, a row each.
 *
 * A loop is one (operation, input dtypes) pair with one output, given by an expression in portable C over register
 * values a, b, c, d (and i, the point's number, for generators). A dtype's register type is its C type, except float16
 * and bfloat16, whose register is a float that has been rounded to them. Everything here is made from loops.def and
 * reduce.def; backends compile the same expressions. */
#ifndef TB_TABLES_LOOPS_H
#define TB_TABLES_LOOPS_H
#include "tombac/tombac.h"

typedef uint16_t tb_loop;
typedef uint16_t tb_red;
#define TB_NOLOOP 0xffff

/* The operations: TB_OP_add and so on. */
typedef enum tb_op {
#define UFUNC(op, n, text)        TB_OP_##op,
#define UFUNC2(op, n, x, y, text) TB_OP_##op,
#define SPECIAL2(op, n, x, y, both, text) TB_OP_special_##op,
#define GENERATOR(op)             TB_OP_##op,
#include "tables/loops.def"
    TB_OP_cast,
    TB_NOP,
    TB_OP_none = TB_NOP
} tb_op;

/* What is true of an operation, whatever the dtypes. */
typedef enum tb_fact {
    TB_FACT_NO_BOOL = 1,      /* bool is not the smallest of its integers: the logical operation is to be spelled out */
    TB_FACT_COMPARES = 2,     /* has an answer for integers that the other operand's dtype cannot hold */
    TB_FACT_OF_TRUTH = 4,     /* it does not matter what a number is, only whether it is 0 */
    TB_FACT_IN_FLOATS = 8,    /* integers become float64, which holds those that no integer dtype does */
    TB_FACT_DIVIDES = 16,     /* of floats: one division */
    TB_FACT_MULTIPLIES = 32,  /* of floats: the first operand by the last */
    TB_FACT_ATOMIC = 64,      /* devices do it to memory in one instruction */
    TB_FACT_BIT_BY_BIT = 128, /* no bit of the result depends on others */
    TB_FACT_MODULAR = 256,    /* of integers: the low bits of the result follow from those of the operands */
    TB_FACT_ROUNDS_ONCE = 512, /* of floats: what IEEE 754 rounds once */
    /* f(f(a, x), y) may be another number than f(f(a, y), x), rounding apart: what updates one element is in order */
    TB_FACT_ORDERED = 1024,
    TB_FACT_SPECIAL = 2048, /* of the module of special functions */
} tb_fact;

/* The texts of src/kernels that special functions call: X(NAME, file, texts that it calls itself). Later ones call
 * earlier ones. A kernel has those that its operations call. */
#define TB_SPECIAL_TEXTS(X)                                     \
    X(NONE, NULL, 0)                                            \
    X(COMMON, "special_common", 0)                              \
    X(ELEMENTARY, "special_elementary", TB_CALLS(COMMON))       \
    X(ERF, "special_erf", TB_CALLS(COMMON))                                    \
    X(GAMMA, "special_gamma", TB_CALLS(COMMON))                                \
    X(ZETA, "special_zeta", TB_CALLS(GAMMA))                    \
    X(COMPLEX, "special_complex", TB_CALLS(GAMMA) | TB_CALLS(ELEMENTARY)) \
    X(GAMMAINC, "special_gammainc", TB_CALLS(GAMMA))            \
    X(BETAINC, "special_betainc", TB_CALLS(GAMMA))              \
    X(STUDENT, "special_student", TB_CALLS(BETAINC) | TB_CALLS(ERF)) \
    X(NONCENTRAL, "special_noncentral", TB_CALLS(GAMMAINC) | TB_CALLS(STUDENT)) \
    X(COUNTS, "special_counts", TB_CALLS(GAMMAINC) | TB_CALLS(BETAINC)) \
    X(BESSEL, "special_bessel", TB_CALLS(COMMON))               \
    X(EXPINT, "special_expint", TB_CALLS(COMMON))               \
    X(ELLIPTIC, "special_elliptic", TB_CALLS(COMMON))           \
    X(SICI, "special_sici", TB_CALLS(COMPLEX) | TB_CALLS(EXPINT)) \
    X(ORTHOGONAL, "special_orthogonal", TB_CALLS(COMMON))       \
    X(LAMBERT, "special_lambert", TB_CALLS(COMPLEX)) \
    X(ORDER_TABLES, "special_order_tables", TB_CALLS(COMMON))   \
    X(ORDERS, "special_orders", TB_CALLS(COMPLEX) | TB_CALLS(ORDER_TABLES)) \
    X(AIRY, "special_airy", TB_CALLS(ORDERS))                   \
    X(JY, "special_jy", TB_CALLS(AIRY))
#define TB_CALLS(name) (1u << TB_TEXT_##name)

typedef enum tb_special_text {
#define X(name, file, calls) TB_TEXT_##name,
    TB_SPECIAL_TEXTS(X)
#undef X
        TB_SPECIAL_TEXT_COUNT
} tb_special_text;

/* What is true of a loop. */
enum {
    TB_LOOP_INDEX = 1,    /* the expression uses i; its inputs are scalars */
    TB_LOOP_HEAVY = 2,    /* a transcendental: tens of instructions or more */
    TB_LOOP_ADDRESS = 4,  /* a is not a number but the address of one, b bytes away */
    TB_LOOP_RANDOM = 8,   /* draws */
    TB_LOOP_CALLS = 16,   /* the expression calls helper functions of src/kernels */
    TB_LOOP_EXACT = 32,   /* plain C that gives the same bits wherever it is compiled */
    TB_LOOP_PRODUCT = 64, /* the first operand by the last, in floats */
    TB_LOOP_ALWAYS = 128, /* the value is 1 */
    TB_LOOP_NEVER = 256,  /* the value is 0 */
};

enum { TB_MAXIN = TB_MAXARGS - 1 }; /* inputs of a loop */

typedef struct tb_loop_info {
    const char *name; /* "add_f32_f32", unique, a C identifier */
    const char *expr; /* "a + b"; NULL for casts, which backends spell themselves */
    uint16_t op;      /* tb_op */
    uint16_t flags;
    uint8_t nin, out; /* out: dtype */
    uint8_t in[TB_MAXIN];
} tb_loop_info;

extern const tb_loop_info tb_loop_table[];
extern const int tb_nloop;
/* The loop that converts from one dtype to another (from != to). Complex to real drops the imaginary part. */
tb_loop tb__cast_loop(tb_dtype from, tb_dtype to);
bool tb__loop_is_cast(tb_loop l);
/* The loop of an operation whose inputs are exactly these, or TB_NOLOOP. */
tb_loop tb__loop_find(tb_op op, int nin, const tb_dtype *in);

/* An operation: a range of loops in search order. nout 2 is two single-output ufuncs side by side (divmod, modf,
 * frexp); a generator has no doc. */
struct tb_ufunc {
    const char *name, *doc;
    uint8_t nin, nout;
    uint16_t facts;
    uint16_t folds; /* tb_red_op: many calls, each with another second argument, are one with the fold of these */
    uint16_t op;    /* tb_op */
    uint8_t text;   /* tb_special_text: what its expressions call */
    tb_loop first, count;
    const tb_ufunc *part[2]; /* nout 2: what makes each output; their loops correspond one to one */
    const tb_ufunc *both;    /* whose loops make both outputs of the first ones' inputs, as a complex number; or NULL */
};

extern const tb_ufunc tb_op_table[TB_NOP + 1]; /* the last has no loops: TB_OP_none */
/* TB_NOP if there is none of that name. */
tb_op tb__op_find(const char *name);

/* The operation that a loop is of. */
static inline const tb_ufunc *tb__op_of(tb_loop l) { return &tb_op_table[tb_loop_table[l].op]; }

/* Folds: what reductions, scans and scatters do with elements. */
typedef enum tb_red_op {
    TB_REDUCE_NONE,
#define RED_FOLD(NAME, op, repeats, absorbs, other, text) TB_REDUCE_##NAME,
#include "tables/reduce.def"
    TB_REDUCE_COUNT
} tb_red_op;

typedef struct tb_fold_info {
    const char *name; /* "sum" */
    uint16_t repeats; /* the tb_op that it repeats, or TB_OP_none */
    int8_t absorbs;   /* the truth value after which it does not change over bool; -1 if there is none */
    uint8_t other;    /* the fold for dtypes of which it has no row, or TB_REDUCE_NONE */
    const char *text; /* the kernels' text that takes several elements in one step, or NULL */
} tb_fold_info;

extern const tb_fold_info tb_fold_table[TB_REDUCE_COUNT];

/* The loops of a fold. `acc` expressions work on an accumulator struct or number; see reduce.def. */
typedef struct tb_red_info {
    const char *name;                              /* "sum_f32" */
    uint8_t fold;                                  /* tb_red_op */
    uint8_t in, out;                               /* dtypes */
    uint8_t has_index;                             /* argmin, argmax: the accumulator carries the position */
    uint8_t acc_bytes;                             /* of an accumulator */
    const char *acc, *init, *step, *merge, *final; /* source text, for code generators */
} tb_red_info;

extern const tb_red_info tb_red_table[];
extern const int tb_nred;
/* Input dtype exactly `in`; TB_NOLOOP if there is none. Scans have those that repeat an operation of two elements. */
tb_red tb__red_find(tb_red_op op, tb_dtype in);
/* The truth value after which a fold over bool does not change; -1 if there is none. */
int tb__red_absorbing(const tb_red_info *info);
#endif
