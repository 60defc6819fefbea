/* test_tables.c - what rows of the tables say of themselves is true of their expressions, and what is looked up by
 * number is what is looked up by name. */
#include "check.h"
#include "tables/loops.h"

#include <ctype.h>
#include <string.h>

static bool is_one_of(const char *word, size_t n, const char *const *words)
{
    for (; *words; words++)
        if (strlen(*words) == n && memcmp(*words, word, n) == 0) return true;
    return false;
}

/* What the words of an expression say: whether it calls helpers, and whether it has nothing but operands, casts and
 * functions that IEEE 754 defines. */
static void read_words(const char *expr, bool *calls, bool *plain)
{
    /* tb_minus is of types.h, which is there wherever an expression is, and exact. */
    static const char *const types[] = {"float", "double", "tb_u32", "tb_u64", "tb_minus", NULL};
    static const char *const exact[] = {"a",     "b",      "c",     "sqrt",     "fabs",      "floor",
                                        "ceil",  "trunc",  "rint",  "sqrtf",    "fabsf",     "floorf",
                                        "ceilf", "truncf", "rintf", "copysign", "copysignf", NULL};
    *calls = false;
    *plain = true;
    for (const char *s = expr; *s;) {
        size_t n = 1;
        if (isalnum((unsigned char)*s) || *s == '_')
            while (isalnum((unsigned char)s[n]) || s[n] == '_' || (isdigit((unsigned char)*s) && s[n] == '.')) n++;
        if (isalpha((unsigned char)*s) && !is_one_of(s, n, types)) {
            *calls |= strncmp(s, "tb_", 3) == 0;
            *plain &= is_one_of(s, n, exact);
        }
        s += n;
    }
}

static bool has_floats(const tb_loop_info *l)
{
    bool floats = l->out >= TB_F16;
    for (int k = 0; k < l->nin; k++) floats |= l->in[k] >= TB_F16;
    return floats;
}

static bool is_complex(const tb_loop_info *l) { return l->out >= TB_C64 || l->in[0] >= TB_C64; }

#define CHECK_IS(name, what) check_at((what), __FILE__, __LINE__, name)

static void test_loop_flags(void)
{
    int counts[5] = {0};
    for (int i = 0; i < tb_nloop; i++) {
        const tb_loop_info *l = &tb_loop_table[i];
        const unsigned made = TB_LOOP_INDEX | TB_LOOP_ADDRESS;
        bool calls, plain;
        if (!l->expr || l->flags & made) continue;
        read_words(l->expr, &calls, &plain);
        const bool product = has_floats(l) && strchr(l->expr, '*');
        const bool whole = strcmp(l->expr, "a * b") == 0 || strcmp(l->expr, "a * a") == 0;
        CHECK_IS(l->name, calls == !!(l->flags & TB_LOOP_CALLS));
        CHECK_IS(l->name, (product && whole) == !!(l->flags & TB_LOOP_PRODUCT));
        /* The words do not tell what a.re is. */
        if (!is_complex(l)) CHECK_IS(l->name, (plain && (!product || whole)) == !!(l->flags & TB_LOOP_EXACT));
        CHECK_IS(l->name, (strcmp(l->expr, "1") == 0) == !!(l->flags & TB_LOOP_ALWAYS));
        CHECK_IS(l->name, (strcmp(l->expr, "0") == 0) == !!(l->flags & TB_LOOP_NEVER));
        counts[0] += calls;
        counts[1] += !!(l->flags & TB_LOOP_EXACT);
        counts[2] += !!(l->flags & TB_LOOP_PRODUCT);
        counts[3] += !!(l->flags & TB_LOOP_ALWAYS);
        counts[4] += !!(l->flags & TB_LOOP_NEVER);
    }
    for (int k = 0; k < 5; k++) CHECK(counts[k] > 0);
}

/* Loops of an operation are neighbours, in the order of operations. */
static void test_operations(void)
{
    int at = 0;
    for (int op = 0; op < TB_NOP; op++) {
        const tb_ufunc *u = &tb_op_table[op];
        CHECK(u->op == op && u->name && u->count > 0);
        CHECK(op == TB_OP_cast || tb__op_find(u->name) == (tb_op)op);
        if (u->nout == 2) {
            CHECK(u->part[0]->first == u->first && u->part[0]->count == u->part[1]->count);
            continue;
        }
        CHECK(u->first == at);
        for (; at < u->first + u->count; at++) CHECK(tb_loop_table[at].op == op && tb__op_of((tb_loop)at) == u);
    }
    CHECK(at == tb_nloop);
    CHECK(tb__op_find("no_such_operation") == TB_NOP && tb_ufunc_find("iota") == NULL);
    CHECK(tb__loop_find(TB_OP_none, 1, (tb_dtype[]){TB_F32}) == TB_NOLOOP);
    CHECK(tb__op_find("true_divide") == TB_OP_divide && tb_ufunc_find("place") == &tb_op_table[TB_OP_place]);
}

/* Special functions have a module in their names, and those that call helpers a text of these. */
static void test_special(void)
{
    int counts[2] = {0};
    CHECK(tb_ufunc_find("special.gamma") == &tb_op_table[TB_OP_special_gamma] && tb_ufunc_find("gamma") == NULL);
    CHECK(tb_ufunc_find("i0") == &tb_op_table[TB_OP_i0] && tb_ufunc_find("special.i0") != tb_ufunc_find("i0"));
    CHECK(tb_ufunc_nout(tb_ufunc_find("special.sici")) == 2);
    for (int i = 0; i < tb_nloop; i++) {
        const tb_loop_info *l = &tb_loop_table[i];
        const tb_ufunc *u = &tb_op_table[l->op];
        const bool special = u->facts & TB_FACT_SPECIAL;
        CHECK_IS(l->name, special == !strncmp(u->name, "special.", 8));
        CHECK_IS(l->name, (u->text != TB_TEXT_NONE) == special && u->text < TB_SPECIAL_TEXT_COUNT);
        counts[special]++;
    }
    CHECK(counts[0] > 0 && counts[1] > 0);
}

static void test_folds(void)
{
    for (int i = 0; i < tb_nred; i++) {
        const tb_red_info *r = &tb_red_table[i];
        CHECK(tb__red_find((tb_red_op)r->fold, (tb_dtype)r->in) == i);
        CHECK(strncmp(r->name, tb_fold_table[r->fold].name, strlen(tb_fold_table[r->fold].name)) == 0);
    }
    /* What an operation folds to repeats that operation; differences are those of a sum. */
    for (int op = 0; op < TB_NOP; op++) {
        const tb_red_op fold = (tb_red_op)tb_op_table[op].folds;
        if (fold == TB_REDUCE_NONE) continue;
        CHECK(tb_fold_table[fold].repeats == (op == TB_OP_subtract ? TB_OP_add : op));
        CHECK(tb__red_find(fold, TB_I32) != TB_NOLOOP);
    }
    CHECK(tb__red_find(TB_REDUCE_FMIN, TB_I8) == tb__red_find(TB_REDUCE_MIN, TB_I8));
    CHECK(tb__red_find(TB_REDUCE_ANY, TB_F32) == TB_NOLOOP);
    CHECK(tb__red_absorbing(&tb_red_table[tb__red_find(TB_REDUCE_ANY, TB_BOOL)]) == 1);
    CHECK(tb__red_absorbing(&tb_red_table[tb__red_find(TB_REDUCE_ALL, TB_BOOL)]) == 0);
    CHECK(tb__red_absorbing(&tb_red_table[tb__red_find(TB_REDUCE_BITXOR, TB_BOOL)]) == -1);
    CHECK(tb__red_absorbing(&tb_red_table[tb__red_find(TB_REDUCE_MAX, TB_I8)]) == -1);
}

static void test_reductions_of_ufuncs(void)
{
    CHECK(tb_ufunc_reduction(tb_ufunc_find("add")) == TB_RED_SUM);
    CHECK(tb_ufunc_reduction(tb_ufunc_find("logical_or")) == TB_RED_ANY);
    CHECK(tb_ufunc_reduction(tb_ufunc_find("fmax")) == TB_RED_NANMAX);
    CHECK(tb_ufunc_reduction(tb_ufunc_find("subtract")) == TB_RED_COUNT);
    CHECK(tb_ufunc_reduction(tb_ufunc_find("divmod")) == TB_RED_COUNT);
}

int main(void)
{
    test_loop_flags();
    test_operations();
    test_special();
    test_folds();
    test_reductions_of_ufuncs();
    return check_report();
}
