/* table.c - the tables of loops and ufuncs, made from loops.def, and the searches over them.
 *
 * Loop numbers are the order of the rows: elementwise.def, special.def, generate.def, then the casts, TB_NDTYPE *
 * TB_NDTYPE of them. A ufunc with two outputs has the loops of its first part. The tables are constant; the index of
 * names and the spelled-out type lists are made once, when first asked for. */
#include "base/hash.h"
#include "tables/loops.h"

#include <pthread.h>
#include <string.h>

/* The .def files use this word as the token of a dtype. */
#undef bool

#define TOKEN_bool TB_BOOL
#define TOKEN_i8 TB_I8
#define TOKEN_u8 TB_U8
#define TOKEN_i16 TB_I16
#define TOKEN_u16 TB_U16
#define TOKEN_i32 TB_I32
#define TOKEN_u32 TB_U32
#define TOKEN_i64 TB_I64
#define TOKEN_u64 TB_U64
#define TOKEN_f16 TB_F16
#define TOKEN_bf16 TB_BF16
#define TOKEN_f32 TB_F32
#define TOKEN_f64 TB_F64
#define TOKEN_c64 TB_C64
#define TOKEN_c128 TB_C128

/* ---- the loops ------------------------------------------------------------------------------------------------- */

#define ROW1(op, A, O, flags, e) {#op "_" #A "_" #O, e, TB_OP_##op, flags, 1, TOKEN_##O, {TOKEN_##A}},
#define ROW2(op, A, B, O, flags, e) \
    {#op "_" #A "_" #B "_" #O, e, TB_OP_##op, flags, 2, TOKEN_##O, {TOKEN_##A, TOKEN_##B}},
#define ROW3(op, A, B, C, O, flags, e) \
    {#op "_" #A "_" #B "_" #C "_" #O, e, TB_OP_##op, flags, 3, TOKEN_##O, {TOKEN_##A, TOKEN_##B, TOKEN_##C}},
#define ROW4(op, A, B, C, D, O, flags, e)                                                  \
    {#op "_" #A "_" #B "_" #C "_" #D "_" #O, e, TB_OP_##op, flags, 4, TOKEN_##O,           \
     {TOKEN_##A, TOKEN_##B, TOKEN_##C, TOKEN_##D}},

#define L1(op, A, O, e)        ROW1(op, A, O, TB_LOOP_EXACT, #e)
#define L2(op, A, B, O, e)     ROW2(op, A, B, O, TB_LOOP_EXACT, #e)
#define L3(op, A, B, C, O, e)  ROW3(op, A, B, C, O, TB_LOOP_EXACT, #e)
#define P1(op, A, O, e)        ROW1(op, A, O, TB_LOOP_EXACT | TB_LOOP_PRODUCT, #e)
#define P2(op, A, B, O, e)     ROW2(op, A, B, O, TB_LOOP_EXACT | TB_LOOP_PRODUCT, #e)
#define N1(op, A, O, e)        ROW1(op, A, O, 0, #e)
#define N2(op, A, B, O, e)     ROW2(op, A, B, O, 0, #e)
#define F1(op, A, O, e)        ROW1(op, A, O, TB_LOOP_CALLS, #e)
#define F2(op, A, B, O, e)     ROW2(op, A, B, O, TB_LOOP_CALLS, #e)
#define F3(op, A, B, C, O, e)  ROW3(op, A, B, C, O, TB_LOOP_CALLS, #e)
#define H1(op, A, O, e)        ROW1(op, A, O, TB_LOOP_HEAVY, #e)
#define H2(op, A, B, O, e)     ROW2(op, A, B, O, TB_LOOP_HEAVY, #e)
#define HF1(op, A, O, e)       ROW1(op, A, O, TB_LOOP_HEAVY | TB_LOOP_CALLS, #e)
#define HF2(op, A, B, O, e)    ROW2(op, A, B, O, TB_LOOP_HEAVY | TB_LOOP_CALLS, #e)
#define HF3(op, A, B, C, O, e) ROW3(op, A, B, C, O, TB_LOOP_HEAVY | TB_LOOP_CALLS, #e)
#define S4(op, A, B, C, D, O, e) ROW4(op, A, B, C, D, O, TB_LOOP_HEAVY | TB_LOOP_CALLS, #e)
#define D2(op, A, B, O, e)     ROW2(op, A, B, O, TB_LOOP_HEAVY | TB_LOOP_CALLS | TB_LOOP_RANDOM, #e)
#define D3(op, A, B, C, O, e)  ROW3(op, A, B, C, O, TB_LOOP_HEAVY | TB_LOOP_CALLS | TB_LOOP_RANDOM, #e)
#define ALWAYS1(op, A)         ROW1(op, A, bool, TB_LOOP_EXACT | TB_LOOP_ALWAYS, "1")
#define NEVER1(op, A)          ROW1(op, A, bool, TB_LOOP_EXACT | TB_LOOP_NEVER, "0")
#define G2(op, A, B, O, e)     ROW2(op, A, B, O, TB_LOOP_INDEX, #e)
#define G3(op, A, B, C, O, e)  ROW3(op, A, B, C, O, TB_LOOP_INDEX, #e)
#define GF2(op, A, B, O, e)    ROW2(op, A, B, O, TB_LOOP_INDEX | TB_LOOP_CALLS, #e)
#define M3(op, A, B, C, O, e)  ROW3(op, A, B, C, O, TB_LOOP_INDEX, #e)
#define DRAWS                  (TB_LOOP_INDEX | TB_LOOP_HEAVY | TB_LOOP_RANDOM | TB_LOOP_CALLS)
#define R2(op, A, B, O, e)     ROW2(op, A, B, O, DRAWS, #e)
#define R3(op, A, B, C, O, e)  ROW3(op, A, B, C, O, DRAWS, #e)
#define A2(op, A, B, O, e)     ROW2(op, A, B, O, TB_LOOP_ADDRESS, #e)
#define C(F, T)                {"cast_" #F "_" #T, NULL, TB_OP_cast, TB_LOOP_EXACT, 1, TOKEN_##T, {TOKEN_##F}},

const tb_loop_info tb_loop_table[] = {
#include "tables/loops.def"
    TB_CASTS};

/* ---- which loops an operation has -------------------------------------------------------------------------------- */

/* In this enumeration a header takes the number of its first loop without using the number up. */
#define UFUNC(op, n, text)    FIRST_##op, BEFORE_##op = FIRST_##op - 1,
#define GENERATOR(op)         FIRST_##op, BEFORE_##op = FIRST_##op - 1,
#define L1(op, A, O, e)       LOOP_##op##_##A,
#define L2(op, A, B, O, e)    LOOP_##op##_##A##_##B,
#define L3(op, A, B, C, O, e) LOOP_##op##_##A##_##B##_##C,
#define S4(op, A, B, C, D, O, e) LOOP_##op##_##A##_##B##_##C##_##D,
enum {
#include "tables/loops.def"
    FIRST_CAST
};

/* Here a header opens a struct that has a byte for each loop, so that its size is their number. */
#define LOOPS_OF(op) \
    }                \
    ;                \
    struct loops_of_##op {
#define UFUNC(op, n, text)    LOOPS_OF(op)
#define GENERATOR(op)         LOOPS_OF(op)
#define L1(op, A, O, e)       char loop_##A;
#define L2(op, A, B, O, e)    char loop_##A##_##B;
#define L3(op, A, B, C, O, e) char loop_##A##_##B##_##C;
#define S4(op, A, B, C, D, O, e) char loop_##A##_##B##_##C##_##D;
struct loops_before_any {
#include "tables/loops.def"
};

/* ---- the operations ---------------------------------------------------------------------------------------------- */

/* A row's fields one by one, since FACTS and FOLDS add some. */
#define SET(row, field) [TB_OP_##row].field
#define ROW(row, of) NAMED(row, of, #row)
#define NAMED(row, of, text)                                                           \
    SET(row, name) = text, SET(row, op) = TB_OP_##row, SET(row, first) = FIRST_##of, \
    SET(row, count) = sizeof(struct loops_of_##of),
#define UFUNC(op_, n, text) ROW(op_, op_) SET(op_, doc) = text, SET(op_, nin) = n, SET(op_, nout) = 1,
#define UFUNC2(op_, n, x, y, text)                                               \
    ROW(op_, x) SET(op_, doc) = text, SET(op_, nin) = n, SET(op_, nout) = 2,     \
    SET(op_, part[0]) = &tb_op_table[TB_OP_##x], SET(op_, part[1]) = &tb_op_table[TB_OP_##y],
#define SPECIAL_PART(op_, n, calls, words)                                                                      \
    NAMED(special_##op_, special_##op_, "special." #op_) SET(special_##op_, doc) = words, SET(special_##op_, nin) = n, \
    SET(special_##op_, nout) = 1, SET(special_##op_, text) = TB_TEXT_##calls,                                    \
    SET(special_##op_, facts) = TB_FACT_SPECIAL | TB_FACT_ORDERED,
#define SPECIAL2(op_, n, x, y, both_, words)                                                                      \
    NAMED(special_##op_, special_##x, "special." #op_) SET(special_##op_, doc) = words, SET(special_##op_, nin) = n, \
    SET(special_##op_, nout) = 2, SET(special_##op_, facts) = TB_FACT_SPECIAL | TB_FACT_ORDERED,                 \
    SET(special_##op_, part[0]) = &tb_op_table[TB_OP_special_##x],                                               \
    SET(special_##op_, part[1]) = &tb_op_table[TB_OP_special_##y],                                               \
    SET(special_##op_, both) = &tb_op_table[TB_OP_special_##both_],
#define GENERATOR(op_)    ROW(op_, op_)
#define FACTS(op_, what)  SET(op_, facts) = (what),
#define FOLDS(op_, fold)  SET(op_, folds) = TB_REDUCE_##fold,
const tb_ufunc tb_op_table[TB_NOP + 1] = {
#include "tables/loops.def"
    [TB_OP_cast] = {.name = "cast", .op = TB_OP_cast, .first = FIRST_CAST, .count = TB_NDTYPE * TB_NDTYPE},
};

#define UFUNC(op, n, text)        &tb_op_table[TB_OP_##op],
#define INTERNAL(op, n, text)
#define SPECIAL(op, n, calls, text)     &tb_op_table[TB_OP_special_##op],
#define SPECIAL2(op, n, x, y, both, text) &tb_op_table[TB_OP_special_##op],
#define UFUNC2(op, n, x, y, text) &tb_op_table[TB_OP_##op],
static const tb_ufunc *const listed[] = {
#include "tables/loops.def"
};

typedef struct named {
    const char *name;
    tb_op op;
} named;

#define UFUNC(op, n, text)        {#op, TB_OP_##op},
#define UFUNC2(op, n, x, y, text) {#op, TB_OP_##op},
#define SPECIAL_PART(op, n, calls, text) {"special." #op, TB_OP_special_##op},
#define SPECIAL2(op, n, x, y, both, text) {"special." #op, TB_OP_special_##op},
#define GENERATOR(op)             {#op, TB_OP_##op},
#define ALIAS(alias, op)          {#alias, TB_OP_##op},
static const named names[] = {
#include "tables/loops.def"
};

/* ---- searches ---------------------------------------------------------------------------------------------------- */

enum {
    NNAME = sizeof names / sizeof names[0],
    NLISTED = sizeof listed / sizeof listed[0],
    NSLOT = 1024,
    NSPELLED = 2400,
};
_Static_assert(NNAME * 2 <= NSLOT, "the index of names needs more slots");

static const named *slots[NSLOT];           /* open addressing by hash of the name */
static char spelled[NSPELLED][8];           /* "ff->f" */
static uint16_t spelled_first[NLISTED + 1]; /* where a listed ufunc's types start */
static pthread_once_t made = PTHREAD_ONCE_INIT;

static const named **slot_of(const char *name)
{
    uint64_t h = tb__hash_bytes(TB_HASH_START, name, strlen(name));
    h ^= h >> 32;
    while (slots[h % NSLOT] && strcmp(slots[h % NSLOT]->name, name) != 0) h++;
    return &slots[h % NSLOT];
}

static char type_char(uint8_t dtype, _Bool longlong)
{
    if (longlong && dtype == TB_I64) return 'q';
    if (longlong && dtype == TB_U64) return 'Q';
    return tb_dtype_char((tb_dtype)dtype);
}

static void spell(char *text, const tb_ufunc *u, int k, _Bool longlong)
{
    const tb_loop_info *l = &tb_loop_table[u->first + k];
    for (int i = 0; i < l->nin; i++) *text++ = type_char(l->in[i], longlong);
    *text++ = '-';
    *text++ = '>';
    *text++ = type_char(l->out, longlong);
    if (u->nout == 2) *text++ = type_char(tb_loop_table[u->part[1]->first + k].out, longlong);
    *text = 0;
}

static _Bool all_inputs(const tb_loop_info *l, tb_dtype x, tb_dtype y)
{
    for (int i = 0; i < l->nin; i++)
        if (l->in[i] != x && l->in[i] != y) return 0;
    return 1;
}

static _Bool is_same_wide(const tb_loop_info *l)
{
    return all_inputs(l, TB_I64, TB_I64) || all_inputs(l, TB_U64, TB_U64);
}

/* NumPy has two names for 64-bit integers and lists ll, LL, qq, QQ. Where there are no loops for narrower ones (true
 * division), and where the signs are mixed, only the second name is listed. */
static int spell_all(const tb_ufunc *u, int at)
{
    const tb_loop_info *l = &tb_loop_table[u->first];
    const _Bool narrow = !all_inputs(l, TB_I64, TB_U64) && !(u->facts & TB_FACT_SPECIAL);
    for (int k = 0; k < u->count; k++) {
        int run = 0;
        while (k + run < u->count && is_same_wide(&l[k + run])) run++;
        if (run && narrow) {
            for (int i = 0; i < run; i++) spell(spelled[at++], u, k + i, 0);
            for (int i = 0; i < run; i++) spell(spelled[at++], u, k + i, 1);
            k += run - 1;
        } else {
            spell(spelled[at++], u, k, all_inputs(&l[k], TB_I64, TB_U64) && !(u->facts & TB_FACT_SPECIAL));
        }
    }
    return at;
}

static void make(void)
{
    for (int i = 0; i < NNAME; i++) *slot_of(names[i].name) = &names[i];
    for (int i = 0; i < NLISTED; i++) spelled_first[i + 1] = (uint16_t)spell_all(listed[i], spelled_first[i]);
}

static int position(const tb_ufunc *u)
{
    for (int i = 0; i < NLISTED; i++)
        if (listed[i] == u) return i;
    return -1;
}

const int tb_nloop = (int)(sizeof tb_loop_table / sizeof tb_loop_table[0]);

tb_loop tb__cast_loop(tb_dtype from, tb_dtype to) { return (tb_loop)(FIRST_CAST + (int)from * TB_NDTYPE + (int)to); }

_Bool tb__loop_is_cast(tb_loop l) { return l >= FIRST_CAST && l < FIRST_CAST + TB_NDTYPE * TB_NDTYPE; }

static _Bool takes(const tb_loop_info *l, int nin, const tb_dtype *in)
{
    if (l->nin != nin) return 0;
    for (int i = 0; i < nin; i++)
        if (l->in[i] != in[i]) return 0;
    return 1;
}

tb_loop tb__loop_find(tb_op op, int nin, const tb_dtype *in)
{
    const int first = tb_op_table[op].first, end = first + tb_op_table[op].count;
    for (int k = first; k < end; k++)
        if (takes(&tb_loop_table[k], nin, in)) return (tb_loop)k;
    return TB_NOLOOP;
}

tb_op tb__op_find(const char *name)
{
    pthread_once(&made, make);
    const named *n = *slot_of(name);
    return n ? n->op : TB_NOP;
}

const tb_ufunc *tb_ufunc_find(const char *name)
{
    if (!name) return NULL;
    const tb_op op = tb__op_find(name);
    return op != TB_NOP && tb_op_table[op].doc ? &tb_op_table[op] : NULL;
}

int tb_ufunc_count(void) { return NLISTED; }

const tb_ufunc *tb_ufunc_at(int i) { return i >= 0 && i < NLISTED ? listed[i] : NULL; }

const char *tb_ufunc_name(const tb_ufunc *u)
{
    if (!u) return NULL;
    return u->name;
}

const char *tb_ufunc_doc(const tb_ufunc *u)
{
    if (!u) return NULL;
    return u->doc;
}

int tb_ufunc_nin(const tb_ufunc *u)
{
    if (!u) return 0;
    return u->nin;
}

int tb_ufunc_nout(const tb_ufunc *u)
{
    if (!u) return 0;
    return u->nout;
}

int tb_ufunc_ntypes(const tb_ufunc *u)
{
    if (!u) return 0;
    pthread_once(&made, make);
    const int at = position(u);
    return at < 0 ? 0 : spelled_first[at + 1] - spelled_first[at];
}

const char *tb_ufunc_type(const tb_ufunc *u, int i)
{
    if (!u) return NULL;
    return i >= 0 && i < tb_ufunc_ntypes(u) ? spelled[spelled_first[position(u)] + i] : NULL;
}
