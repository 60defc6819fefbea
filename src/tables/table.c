/* table.c - the tables of loops and ufuncs, made from elementwise.def and generate.def, and the searches over them.
 *
 * Loop numbers are the order of the rows: elementwise.def, generate.def, then the casts, TB_NDTYPE * TB_NDTYPE of them.
 * A ufunc with two outputs has the loops of its first part. The tables are constant; the index of names and the
 * spelled-out type lists are made once, when first asked for. */
#include "base/hash.h"
#include "tables/groups.h"
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
#define TOKEN_f32 TB_F32
#define TOKEN_f64 TB_F64
#define TOKEN_c64 TB_C64
#define TOKEN_c128 TB_C128

/* ---- the loops ------------------------------------------------------------------------------------------------- */

#define ROW1(op, A, O, flags, e) {#op, #op "_" #A "_" #O, 1, TOKEN_##O, {TOKEN_##A}, flags, e},
#define ROW2(op, A, B, O, flags, e) {#op, #op "_" #A "_" #B "_" #O, 2, TOKEN_##O, {TOKEN_##A, TOKEN_##B}, flags, e},
#define ROW3(op, A, B, C, O, flags, e) \
    {#op, #op "_" #A "_" #B "_" #C "_" #O, 3, TOKEN_##O, {TOKEN_##A, TOKEN_##B, TOKEN_##C}, flags, e},

#define UFUNC(op, n, text)
#define INTERNAL(op, n, text)
#define UFUNC2(op, n, x, y, text)
#define ALIAS(alias, op)
#define L1(op, A, O, e) ROW1(op, A, O, 0, #e)
#define L2(op, A, B, O, e) ROW2(op, A, B, O, 0, #e)
#define L3(op, A, B, C, O, e) ROW3(op, A, B, C, O, 0, #e)
#define H1(op, A, O, e) ROW1(op, A, O, TB_LOOP_HEAVY, #e)
#define H2(op, A, B, O, e) ROW2(op, A, B, O, TB_LOOP_HEAVY, #e)
#define G2(op, A, B, O, e) ROW2(op, A, B, O, TB_LOOP_INDEX, #e)
#define G3(op, A, B, C, O, e) ROW3(op, A, B, C, O, TB_LOOP_INDEX, #e)
#define M3(op, A, B, C, O, e) ROW3(op, A, B, C, O, TB_LOOP_INDEX, #e)
#define R2(op, A, B, O, e) ROW2(op, A, B, O, TB_LOOP_INDEX | TB_LOOP_HEAVY, #e)
#define R3(op, A, B, C, O, e) ROW3(op, A, B, C, O, TB_LOOP_INDEX | TB_LOOP_HEAVY, #e)
#define A2(op, A, B, O, e) ROW2(op, A, B, O, TB_LOOP_ADDRESS, #e)
#define C(F, T) {"cast", "cast_" #F "_" #T, 1, TOKEN_##T, {TOKEN_##F}, 0, NULL},

const tb_loop_info tb_loop_table[] = {
#include "tables/elementwise.def"
#include "tables/generate.def"
    TB_CASTS};

#undef UFUNC
#undef INTERNAL
#undef UFUNC2
#undef L1
#undef L2
#undef L3
#undef H1
#undef H2
#undef G2
#undef G3
#undef M3
#undef R2
#undef R3
#undef A2

/* ---- which loops a ufunc has ------------------------------------------------------------------------------------- */

/* In this enumeration a header takes the number of its first loop without using the number up. */
#define UFUNC(op, n, text) FIRST_##op, BEFORE_##op = FIRST_##op - 1,
#define INTERNAL(op, n, text) UFUNC(op, n, text)
#define UFUNC2(op, n, x, y, text)
#define L1(op, A, O, e) LOOP_##op##_##A,
#define L2(op, A, B, O, e) LOOP_##op##_##A##_##B,
#define L3(op, A, B, C, O, e) LOOP_##op##_##A##_##B##_##C,
#define H1(op, A, O, e) L1(op, A, O, e)
#define H2(op, A, B, O, e) L2(op, A, B, O, e)
#define G2(op, A, B, O, e) L2(op, A, B, O, e)
#define G3(op, A, B, C, O, e) L3(op, A, B, C, O, e)
#define M3(op, A, B, C, O, e) L3(op, A, B, C, O, e)
#define R2(op, A, B, O, e) L2(op, A, B, O, e)
#define R3(op, A, B, C, O, e) L3(op, A, B, C, O, e)
#define A2(op, A, B, O, e) L2(op, A, B, O, e)

enum {
#include "tables/elementwise.def"
    FIRST_GENERATOR,
    BEFORE_GENERATOR = FIRST_GENERATOR - 1,
#include "tables/generate.def"
    FIRST_CAST
};

#undef UFUNC
#undef INTERNAL
#undef L1
#undef L2
#undef L3

/* Here a header opens a struct that has a byte for each loop, so that its size is their number. */
#define UFUNC(op, n, text) }; struct loops_of_##op {
#define INTERNAL(op, n, text) UFUNC(op, n, text)
#define L1(op, A, O, e) char loop_##A;
#define L2(op, A, B, O, e) char loop_##A##_##B;
#define L3(op, A, B, C, O, e) char loop_##A##_##B##_##C;

struct loops_before_any {
#include "tables/elementwise.def"
};

#undef UFUNC
#undef INTERNAL
#undef UFUNC2
#undef ALIAS
#undef L1
#undef L2
#undef L3

/* ---- the ufuncs -------------------------------------------------------------------------------------------------- */

#define ONE_OUTPUT(op, n, text, ordered)                                                            \
    static const tb_ufunc ufunc_##op = {#op,  text,        n,      1, FIRST_##op, sizeof(struct loops_of_##op), \
                                        {NULL, NULL}, ordered};
#define UFUNC(op, n, text) ONE_OUTPUT(op, n, text, false)
#define ORDERED(op, n, text) ONE_OUTPUT(op, n, text, true)
#define INTERNAL(op, n, text) UFUNC(op, n, text)
#define UFUNC2(op, n, x, y, text)                                                                \
    static const tb_ufunc ufunc_##op = {#op, text, n, 2, FIRST_##x, sizeof(struct loops_of_##x), \
                                        {&ufunc_##x, &ufunc_##y}, false};
#define ALIAS(alias, op)
#define L1(op, A, O, e)
#define L2(op, A, B, O, e)
#define L3(op, A, B, C, O, e)
#include "tables/elementwise.def"
#undef UFUNC
#undef INTERNAL
#undef UFUNC2
#undef ALIAS

#define UFUNC(op, n, text) &ufunc_##op,
#define INTERNAL(op, n, text)
#define UFUNC2(op, n, x, y, text) UFUNC(op, n, text)
#define ALIAS(alias, op)
static const tb_ufunc *const listed[] = {
#include "tables/elementwise.def"
};
#undef UFUNC
#undef INTERNAL
#undef UFUNC2
#undef ALIAS

typedef struct named {
    const char *name;
    const tb_ufunc *ufunc;
    uint16_t first, end; /* without a ufunc: the loops of a generator */
} named;

#define UFUNC(op, n, text) {.name = #op, .ufunc = &ufunc_##op},
#define INTERNAL(op, n, text) UFUNC(op, n, text)
#define UFUNC2(op, n, x, y, text) UFUNC(op, n, text)
#define ALIAS(alias, op) {.name = #alias, .ufunc = &ufunc_##op},
static const named names[] = {
#include "tables/elementwise.def"
};

/* ---- searches ---------------------------------------------------------------------------------------------------- */

enum {
    NNAME = sizeof names / sizeof names[0],
    NLISTED = sizeof listed / sizeof listed[0],
    NSLOT = 512,
    NSPELLED = 1600,
};
_Static_assert(NNAME * 2 <= NSLOT, "the index of names needs more slots");

static named generators[FIRST_CAST - FIRST_GENERATOR];
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
    const _Bool narrow = !all_inputs(l, TB_I64, TB_U64);
    for (int k = 0; k < u->count; k++) {
        int run = 0;
        while (k + run < u->count && is_same_wide(&l[k + run])) run++;
        if (run && narrow) {
            for (int i = 0; i < run; i++) spell(spelled[at++], u, k + i, 0);
            for (int i = 0; i < run; i++) spell(spelled[at++], u, k + i, 1);
            k += run - 1;
        } else {
            spell(spelled[at++], u, k, all_inputs(&l[k], TB_I64, TB_U64));
        }
    }
    return at;
}

/* Loops of one generator are neighbours. */
static void index_generators(void)
{
    for (int k = FIRST_GENERATOR, n = 0; k < FIRST_CAST; k++) {
        const char *op = tb_loop_table[k].op;
        if (k == FIRST_GENERATOR || strcmp(op, generators[n - 1].name) != 0) {
            generators[n++] = (named){.name = op, .first = (uint16_t)k};
            if (!*slot_of(op)) *slot_of(op) = &generators[n - 1];
        }
        generators[n - 1].end = (uint16_t)(k + 1);
    }
}

static void make(void)
{
    for (int i = 0; i < NNAME; i++) *slot_of(names[i].name) = &names[i];
    index_generators();
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

tb_loop tb__loop_find(const char *op, int nin, const tb_dtype *in)
{
    pthread_once(&made, make);
    const named *n = *slot_of(op);
    if (!n) return TB_NOLOOP;
    const int first = n->ufunc ? n->ufunc->first : n->first, end = n->ufunc ? first + n->ufunc->count : n->end;
    for (int k = first; k < end; k++)
        if (takes(&tb_loop_table[k], nin, in)) return (tb_loop)k;
    return TB_NOLOOP;
}

const tb_ufunc *tb_ufunc_find(const char *name)
{
    pthread_once(&made, make);
    const named *n = *slot_of(name);
    return n ? n->ufunc : NULL;
}

int tb_ufunc_count(void) { return NLISTED; }

const tb_ufunc *tb_ufunc_at(int i) { return i >= 0 && i < NLISTED ? listed[i] : NULL; }

const char *tb_ufunc_name(const tb_ufunc *u) { return u->name; }

const char *tb_ufunc_doc(const tb_ufunc *u) { return u->doc; }

int tb_ufunc_nin(const tb_ufunc *u) { return u->nin; }

int tb_ufunc_nout(const tb_ufunc *u) { return u->nout; }

int tb_ufunc_ntypes(const tb_ufunc *u)
{
    pthread_once(&made, make);
    const int at = position(u);
    return at < 0 ? 0 : spelled_first[at + 1] - spelled_first[at];
}

const char *tb_ufunc_type(const tb_ufunc *u, int i)
{
    return i >= 0 && i < tb_ufunc_ntypes(u) ? spelled[spelled_first[position(u)] + i] : NULL;
}
