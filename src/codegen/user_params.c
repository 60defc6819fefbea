/* user_params.c - parameter lists of user kernels, and the dtypes that their placeholders take in a call. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "codegen/user.h"

const char *const tb__ctype[TB_NDTYPE] = {
    "bool",         "signed char",    "unsigned char",      "short",   "unsigned short", "int",
    "unsigned int", "long long",      "unsigned long long", "float16", "bfloat16",       "float",
    "double",       "complex<float>", "complex<double>",
};

/* ---- names of dtypes -------------------------------------------------------------------------------------------- */

static const struct {
    const char *name;
    tb_dtype dtype;
} aliases[] = {
    {"bool_", TB_BOOL},   {"b1", TB_BOOL},   {"byte", TB_I8},     {"i1", TB_I8},         {"ubyte", TB_U8},
    {"u1", TB_U8},        {"short", TB_I16}, {"i2", TB_I16},      {"ushort", TB_U16},    {"u2", TB_U16},
    {"intc", TB_I32},     {"i4", TB_I32},    {"uintc", TB_U32},   {"u4", TB_U32},        {"int", TB_I64},
    {"int_", TB_I64},     {"intp", TB_I64},  {"long", TB_I64},    {"longlong", TB_I64},  {"i8", TB_I64},
    {"uint", TB_U64},     {"uintp", TB_U64}, {"ulong", TB_U64},   {"ulonglong", TB_U64}, {"u8", TB_U64},
    {"half", TB_F16},     {"f2", TB_F16},    {"single", TB_F32},  {"f4", TB_F32},        {"float", TB_F64},
    {"double", TB_F64},   {"f8", TB_F64},    {"csingle", TB_C64}, {"c8", TB_C64},        {"complex", TB_C128},
    {"cdouble", TB_C128}, {"c16", TB_C128},
};

static tb_dtype dtype_named(const char *name)
{
    for (int t = 0; t < TB_NDTYPE; t++)
        if (strcmp(name, tb_dtype_name((tb_dtype)t)) == 0) return (tb_dtype)t;
    for (size_t k = 0; k < sizeof aliases / sizeof *aliases; k++)
        if (strcmp(name, aliases[k].name) == 0) return aliases[k].dtype;
    return TB_NODTYPE;
}

/* ---- parsing ---------------------------------------------------------------------------------------------------- */

/* Of ASCII, whatever the locale: letters number the bindings of a call. */
static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

static bool is_identifier(const char *s)
{
    if (!is_letter(*s) && *s != '_') return false;
    for (; *s; s++)
        if (!is_letter(*s) && *s != '_' && !(*s >= '0' && *s <= '9')) return false;
    return true;
}

static tb_status check_name(const char *who, const tb_user_params *p, const char *name)
{
    if (!is_identifier(name)) return tb__fail(TB_ERR_VALUE, "%s: '%s' cannot be a parameter's name", who, name);
    if (strcmp(name, "i") == 0)
        return tb__fail(TB_ERR_VALUE, "%s: 'i' is the loop's index and cannot be a parameter's name", who);
    if (strncmp(name, "_tb_", 4) == 0 || strcmp(name, "_ind") == 0)
        return tb__fail(TB_ERR_VALUE, "%s: the parameter name '%s' is reserved", who, name);
    for (int k = 0; k < p->n; k++)
        if (strcmp(p->param[k].name, name) == 0)
            return tb__fail(TB_ERR_VALUE, "%s: two parameters are named '%s'", who, name);
    return TB_OK;
}

static tb_status set_type(const char *who, tb_user_param *q, const char *type, const char *name)
{
    q->dtype = dtype_named(type);
    if (q->dtype != TB_NODTYPE) return TB_OK;
    if (strlen(type) != 1 || !is_letter(*type))
        return tb__fail(TB_ERR_TYPE,
                        "%s: parameter '%s' has type '%s', which is neither a dtype nor a placeholder "
                        "of one "
                        "letter",
                        who, name, type);
    q->letter = *type;
    return TB_OK;
}

/* One parameter: keywords, type, name. The text is taken apart in place. */
static tb_status parse_one(const char *who, char *text, bool is_output, tb_user_params *p)
{
    enum { MAX_WORDS = 6 };
    char *word[MAX_WORDS], *state, *given = text;
    char shown[128];
    int n = 0;
    snprintf(shown, sizeof shown, "%s", given);
    for (char *w = strtok_r(text, " \t\r\n", &state); w; w = strtok_r(NULL, " \t\r\n", &state)) {
        if (n == MAX_WORDS) return tb__fail(TB_ERR_VALUE, "%s: too many words in parameter '%s'", who, shown);
        word[n++] = w;
    }
    if (n < 2) return tb__fail(TB_ERR_VALUE, "%s: a parameter is written as 'type name', got '%s'", who, shown);
    if (p->n == TB_USER_MAXPARAM)
        return tb__fail(TB_ERR_VALUE, "%s: at most %d parameters are supported", who, TB_USER_MAXPARAM);
    tb_user_param q = {.writable = is_output};
    for (int k = 0; k < n - 2; k++) {
        if (strcmp(word[k], "raw") == 0) q.raw = true;
        else if (strcmp(word[k], "const") == 0) q.writable = false;
        else if (strcmp(word[k], "_non_const") == 0) q.writable = true;
        else return tb__fail(TB_ERR_VALUE, "%s: unknown keyword '%s' in parameter '%s'", who, word[k], shown);
    }
    if (is_output && !q.writable)
        return tb__fail(TB_ERR_VALUE, "%s: the output parameter '%s' cannot be const", who, word[n - 1]);
    TB_TRY(check_name(who, p, word[n - 1]));
    TB_TRY(set_type(who, &q, word[n - 2], word[n - 1]));
    q.name = strdup(word[n - 1]);
    if (!q.name) return tb__fail_memory(strlen(word[n - 1]), 0, 0, 0);
    p->param[p->n++] = q;
    return TB_OK;
}

static bool is_blank(const char *s)
{
    while (isspace((unsigned char)*s)) s++;
    return *s == 0;
}

static tb_status parse_list(const char *who, const char *list, bool is_output, tb_user_params *p)
{
    if (is_blank(list)) return TB_OK;
    char *copy = strdup(list), *at = copy;
    tb_status status = copy ? TB_OK : tb__fail_memory(strlen(list), 0, 0, 0);
    while (status == TB_OK && at) {
        char *comma = strchr(at, ',');
        if (comma) *comma = 0;
        status = parse_one(who, at, is_output, p);
        at = comma ? comma + 1 : NULL;
    }
    free(copy);
    return status;
}

tb_status tb__user_params_parse(const char *who, const char *in, const char *out, tb_user_params *p)
{
    p->n = 0;
    TB_TRY(parse_list(who, in, false, p));
    p->nin = p->n;
    return parse_list(who, out, true, p);
}

void tb__user_params_free(tb_user_params *p)
{
    for (int k = 0; k < p->n; k++) free(p->param[k].name);
    p->n = 0;
}

/* ---- dtypes of a call ------------------------------------------------------------------------------------------- */

/* What placeholders stand for, by letter. */
typedef struct bindings {
    uint8_t dtype[128];
} bindings;

static tb_status bind(const char *who, bindings *b, const tb_user_param *q, tb_dtype t)
{
    if (q->dtype != TB_NODTYPE) {
        if (t == q->dtype) return TB_OK;
        return tb__fail(TB_ERR_TYPE, "%s: argument '%s' has dtype %s, but the parameter's type is %s", who, q->name,
                        tb_dtype_name(t), tb_dtype_name(q->dtype));
    }
    uint8_t *bound = &b->dtype[(int)q->letter];
    if (*bound == TB_NODTYPE) *bound = (uint8_t)t;
    if (*bound == t) return TB_OK;
    return tb__fail(TB_ERR_TYPE, "%s: argument '%s' has dtype %s, but the placeholder %c already stands for %s", who,
                    q->name, tb_dtype_name(t), q->letter, tb_dtype_name((tb_dtype)*bound));
}

/* A placeholder that no array decides takes the common dtype of its numbers. */
static tb_status bind_scalars(const tb_user_params *p, const tb_operand *in, bindings *b)
{
    for (int k = 0; k < p->nin; k++) {
        const tb_user_param *q = &p->param[k];
        if (in[k].array || q->dtype != TB_NODTYPE || b->dtype[(int)q->letter] != TB_NODTYPE) continue;
        tb_scalar numbers[TB_USER_MAXPARAM];
        tb_dtype t;
        int n = 0;
        for (int m = k; m < p->nin; m++)
            if (!in[m].array && p->param[m].dtype == TB_NODTYPE && p->param[m].letter == q->letter)
                numbers[n++] = in[m].scalar;
        TB_TRY(tb_result_type(0, NULL, n, numbers, &t));
        b->dtype[(int)q->letter] = (uint8_t)t;
    }
    return TB_OK;
}

tb_status tb__user_params_types(const char *who, const tb_user_params *p, const tb_operand *in, uint8_t *types)
{
    bindings b;
    memset(b.dtype, TB_NODTYPE, sizeof b.dtype);
    for (int k = p->nin; k < p->n; k++)
        if (types[k] != TB_NODTYPE) TB_TRY(bind(who, &b, &p->param[k], (tb_dtype)types[k]));
    for (int k = 0; k < p->nin; k++)
        if (types[k] != TB_NODTYPE) TB_TRY(bind(who, &b, &p->param[k], (tb_dtype)types[k]));
    TB_TRY(bind_scalars(p, in, &b));
    for (int k = 0; k < p->n; k++) {
        const tb_user_param *q = &p->param[k];
        types[k] = q->dtype != TB_NODTYPE ? (uint8_t)q->dtype : b.dtype[(int)q->letter];
        if (types[k] == TB_NODTYPE)
            return tb__fail(TB_ERR_TYPE,
                            "%s: nothing decides the placeholder %c of parameter '%s'; pass an array "
                            "for it",
                            who, q->letter, q->name);
    }
    return TB_OK;
}
