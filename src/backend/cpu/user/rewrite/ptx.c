/* ptx.c - inline PTX to C++: instructions that compute, one for one, as calls of host_cuda/ptx.h.
 *
 * An instruction is its name, without what changes nothing here, its types, and operands; registers and predicates that
 * the text declares are variables. Nothing that waits or jumps. */
#include <ctype.h>
#include <string.h>

#include "backend/cpu/user/rewrite/rewrite.h"

enum { PART = 64 };

/* What host_cuda/ptx.h has; names of modifiers are joined by _. */
/* clang-format off */
static const char *const instructions[] = {
    "mov", "cvta", "cvta_to", "ld", "st", "cvt", "cvt_rni", "cvt_rzi", "cvt_rmi", "cvt_rpi", "selp", "add", "sub",
    "mul", "mul_lo", "mul_hi", "mul_wide", "mad", "mad_lo", "mad_hi", "mad_wide", "fma", "div", "rem", "abs", "neg",
    "min", "max", "and", "or", "xor", "not", "shl", "shr", "shf_l_wrap", "shf_r_wrap", "shf_l_clamp", "shf_r_clamp",
    "popc", "clz", "brev", "bfind", "bfe", "bfi", "prmt", "lop3", "sad", "sqrt", "rsqrt", "rcp", "sin", "cos", "ex2",
    "lg2", "tanh", "setp_eq", "setp_ne", "setp_lt", "setp_le", "setp_gt", "setp_ge", "setp_lo", "setp_ls", "setp_hi",
    "setp_hs", "membar", "membar_gl", "membar_cta", "membar_sys", "fence", "fence_acq_rel", "fence_sc", "nanosleep",
    "trap", "griddepcontrol_wait", "griddepcontrol_launch_dependents", NULL};
/* Of memory, caches, scopes, and roundings that are the only ones here. */
static const char *const without_effect[] = {"approx", "ftz", "rn", "full", "global", "nc", "ca", "cg", "cs", "cv",
                                             "lu", "wb", "wt", "volatile", "relaxed", "acquire", "release", "gpu",
                                             "sys", "cta", "u", NULL};
/* clang-format on */
static const struct {
    const char *ptx, *type;
} types[] = {{"u8", "unsigned char"}, {"s8", "signed char"},     {"b8", "unsigned char"}, {"u16", "unsigned short"},
             {"s16", "short"},        {"b16", "unsigned short"}, {"u32", "unsigned"},     {"s32", "int"},
             {"b32", "unsigned"},     {"u64", "tb_ull"},         {"s64", "long long"},    {"b64", "tb_ull"},
             {"f32", "float"},        {"f64", "double"},         {"pred", "bool"},        {NULL, NULL}};
static const struct {
    const char *ptx, *value;
} registers[] = {{"tid.x", "tb_here->thread.x"},
                 {"tid.y", "tb_here->thread.y"},
                 {"tid.z", "tb_here->thread.z"},
                 {"ntid.x", "tb_here->block_dim.x"},
                 {"ntid.y", "tb_here->block_dim.y"},
                 {"ntid.z", "tb_here->block_dim.z"},
                 {"ctaid.x", "tb_here->block.x"},
                 {"ctaid.y", "tb_here->block.y"},
                 {"ctaid.z", "tb_here->block.z"},
                 {"nctaid.x", "tb_here->grid_dim.x"},
                 {"nctaid.y", "tb_here->grid_dim.y"},
                 {"nctaid.z", "tb_here->grid_dim.z"},
                 {"laneid", "(tb_ptx::rank(tb_here) & 31u)"},
                 {"warpid", "(tb_ptx::rank(tb_here) >> 5)"},
                 {"lanemask_eq", "(1u << (tb_ptx::rank(tb_here) & 31u))"},
                 {"lanemask_lt", "((1u << (tb_ptx::rank(tb_here) & 31u)) - 1)"},
                 {"lanemask_le", "((2u << (tb_ptx::rank(tb_here) & 31u)) - 1)"},
                 {"lanemask_gt", "~((2u << (tb_ptx::rank(tb_here) & 31u)) - 1)"},
                 {"lanemask_ge", "~((1u << (tb_ptx::rank(tb_here) & 31u)) - 1)"},
                 {"WARP_SZ", "32u"},
                 {"smid", "0u"},
                 {"nsmid", "1u"},
                 {"clock", "(unsigned)clock64()"},
                 {"clock64", "(tb_ull)clock64()"},
                 {"globaltimer", "tb_nanoseconds()"},
                 {"globaltimer_lo", "(unsigned)tb_nanoseconds()"},
                 {NULL, NULL}};

static bool among(const char *const *list, const char *name)
{
    while (*list && strcmp(*list, name) != 0) list++;
    return *list != NULL;
}

static const char *type_of(const char *part)
{
    int i = 0;
    while (types[i].ptx && strcmp(types[i].ptx, part) != 0) i++;
    return types[i].type;
}

static bool word_char(char c) { return isalnum((unsigned char)c) || c == '_' || c == '$'; }

/* The next word at *p, dots included if asked for, into `word`. False also for one that has no room there. */
static bool next_word(const char **p, bool dots, char word[PART])
{
    size_t n = 0;
    while (isspace((unsigned char)**p)) (*p)++;
    for (; word_char(**p) || (dots && **p == '.'); (*p)++) {
        if (n == PART - 1) return false;
        word[n++] = **p == '$' ? '_' : **p;
    }
    word[n] = 0;
    return n > 0;
}

/* %0 to %9, %laneid and its kin, numbers, names. */
static bool add_operand(const char **p, tb_text *out)
{
    char word[PART];
    bool special = false, negative = false;
    while (isspace((unsigned char)**p)) (*p)++;
    if (**p == '-') negative = true, (*p)++;
    while (**p == '%') special = true, (*p)++;
    if (special && isdigit((unsigned char)**p)) {
        if (!next_word(p, false, word)) return false;
        tb__text_addf(out, "tb_operand_%s", word);
        return true;
    }
    if (!next_word(p, true, word)) return false;
    for (int i = 0; registers[i].ptx; i++)
        if ((special || strcmp(word, "WARP_SZ") == 0) && strcmp(registers[i].ptx, word) == 0) {
            tb__text_add(out, registers[i].value);
            return true;
        }
    if (isdigit((unsigned char)word[0]) && strchr("fFdD", word[1]) && word[1])
        tb__text_addf(out, strchr("fF", word[1]) ? "tb_bits<float>(0x%su)" : "tb_bits<double>(0x%sull)", word + 2);
    else if (isdigit((unsigned char)word[0])) tb__text_addf(out, "%s%s", negative ? "-" : "", word);
    else if (strchr(word, '.')) return false;
    else tb__text_addf(out, "tb_register_%s", word);
    return true;
}

/* [address + offset] */
static bool add_place(const char **p, tb_text *out)
{
    bool good = true;
    (*p)++;
    tb__text_add(out, "tb_ptx::place(");
    good = add_operand(p, out);
    tb__text_add(out, ", 0");
    while (good && **p && **p != ']') {
        if (**p == '+' || **p == '-') {
            tb__text_add(out, **p == '+' ? " + " : " - ");
            (*p)++;
            good = add_operand(p, out);
        } else {
            good = isspace((unsigned char)*(*p)++);
        }
    }
    tb__text_add(out, ")");
    if (**p == ']') (*p)++;
    return good;
}

/* .reg .u32 a, b; */
static bool add_registers(const char *p, tb_text *out)
{
    char word[PART];
    if (!next_word(&p, true, word) || strncmp(word, ".reg", 4) != 0) return false;
    if (strcmp(word, ".reg") == 0 && !next_word(&p, true, word)) return false;
    const char *type = type_of(strrchr(word, '.') ? strrchr(word, '.') + 1 : word);
    if (!type) return false;
    for (;;) {
        while (*p == '%' || isspace((unsigned char)*p)) p++;
        if (!next_word(&p, false, word)) return false;
        tb__text_addf(out, "%s tb_register_%s; ", type, word);
        while (isspace((unsigned char)*p)) p++;
        if (*p != ',') return !*p;
        p++;
    }
}

/* The name's parts: those with an effect joined, and the types as template arguments. */
static bool take_name(char *full, char name[PART], tb_text *arguments)
{
    char *save = NULL;
    name[0] = 0;
    for (char *part = strtok_r(full, ".", &save); part; part = strtok_r(NULL, ".", &save)) {
        const char *type = name[0] ? type_of(part) : NULL;
        if (type) {
            tb__text_addf(arguments, "%s%s", arguments->len ? ", " : "", type);
        } else if (!name[0] || !among(without_effect, part)) {
            if (strlen(name) + strlen(part) + 2 > PART) return false;
            if (name[0]) strcat(name, "_");
            strcat(name, part);
        }
    }
    return among(instructions, name);
}

static bool has_target(const char *name)
{
    static const char *const none[] = {
        "st",         "membar", "membar_gl",           "membar_cta",
        "membar_sys", "fence",  "fence_acq_rel",       "fence_sc",
        "nanosleep",  "trap",   "griddepcontrol_wait", "griddepcontrol_launch_dependents",
        NULL};
    return !among(none, name);
}

/* One instruction, without its semicolon. */
static bool add_instruction(const char *p, tb_text *out)
{
    char word[PART], name[PART];
    tb_text arguments = {0}, operand = {0};
    if (*p == '@') {
        bool negated = *++p == '!';
        p += negated;
        tb__text_add(out, negated ? "if (!" : "if (");
        if (!add_operand(&p, out)) return false;
        tb__text_add(out, ") ");
    }
    bool good = next_word(&p, true, word) && take_name(word, name, &arguments), target = good && has_target(name);
    const char *comma = "";
    for (int i = 0; good; i++) {
        while (isspace((unsigned char)*p)) p++;
        if (!*p) break;
        operand.len = 0;
        good = *p == '[' ? add_place(&p, &operand) : add_operand(&p, &operand);
        if (target && i == 0) tb__text_addf(out, "tb_ptx::set(%s, ", operand.s);
        if (i == (target ? 1 : 0)) tb__text_addf(out, "tb_ptx::%s_<%s>(", name, arguments.s ? arguments.s : "unsigned");
        if (!target || i > 0) tb__text_addf(out, "%s%s", comma, operand.s), comma = ", ";
        while (isspace((unsigned char)*p)) p++;
        if (*p == ',') p++;
        else if (*p) good = false;
    }
    if (good && !*comma) {
        good = !target;
        tb__text_addf(out, "tb_ptx::%s_<unsigned>(", name);
    }
    tb__text_add(out, target ? ")); " : "); ");
    tb__text_free(&arguments);
    tb__text_free(&operand);
    return good && !out->failed;
}

static bool add_statement(const char *s, size_t n, tb_text *out, char *what, size_t room)
{
    char line[512];
    while (n && isspace((unsigned char)*s)) s++, n--;
    while (n && isspace((unsigned char)s[n - 1])) n--;
    size_t kept = n < room - 1 ? n : room - 1;
    memcpy(what, s, kept);
    what[kept] = 0;
    if (n == 0) return true;
    if (n >= sizeof line) return false;
    memcpy(line, s, n);
    line[n] = 0;
    return line[0] == '.' ? add_registers(line, out) : add_instruction(line, out);
}

/* The C++ statements that inline PTX stands for, on operands tb_operand_0 and so on. False: `what` is the statement
 * that there is none for. */
static bool translate(const char *text, tb_text *out, char *what, size_t room)
{
    const char *start = text, *p = text;
    for (;; p++) {
        if (p[0] == '/' && p[1] == '/') return false; /* comments are rare, and end where the string may not show */
        if (*p && !strchr(";{}\n", *p)) continue;
        if (*p == '\n') continue;
        if (!add_statement(start, (size_t)(p - start), out, what, room)) return false;
        if (!*p) return true;
        if (*p != ';') tb__text_addn(out, p, 1);
        start = p + 1;
    }
}

/* ---- the statement ------------------------------------------------------------------------------------------ */

/* What a string literal stands for, added to `out`. */
static void add_unquoted(const tb_rewriter *r, int i, tb_text *out)
{
    const tb_token *t = &r->t.list[i];
    const char *s = r->t.text + t->at, *end = s + t->len - 1, *quote = memchr(s, '"', t->len);
    if (!quote) return;
    if (quote > s && quote[-1] == 'R') {
        const char *open = memchr(quote, '(', (size_t)(end - quote));
        while (open && end > open && *end != ')') end--;
        if (open && end > open) tb__text_addn(out, open + 1, (size_t)(end - open - 1));
        return;
    }
    for (s = quote + 1; s < end; s++) {
        bool escape = *s == '\\' && s + 1 < end;
        char c = escape ? *++s : *s;
        if (escape && (c == 'n' || c == 't' || c == 'r')) c = '\n';
        tb__text_addn(out, &c, 1);
    }
}

/* Operands in the order of their numbers: "constraint" (expression), by commas and colons. */
static void add_operands(const tb_rewriter *r, int i, int close, tb_text *out)
{
    for (int n = 0; i < close; i++) {
        if (!tb__is_string(r, i) || !tb__is(r, i + 1, "(")) continue;
        bool written = strchr("=+", r->t.text[r->t.list[i].at + 1]) != NULL;
        int end = tb__token_close(&r->t, i + 1);
        tb__text_addf(out, "auto %stb_operand_%d = ", written ? "&" : "", n++);
        tb__add_tokens(r, i + 1, end, out);
        tb__text_add(out, "; ");
        i = end;
    }
}

int tb__take_asm(tb_rewriter *r, int at)
{
    int open = at + 1;
    while (tb__is(r, open, "volatile") || tb__is(r, open, "__volatile__")) open++;
    if (!tb__is(r, open, "(")) return at;
    int close = tb__token_close(&r->t, open), i = open + 1;
    tb_text text = {0}, all = {0};
    char what[80] = "";
    for (; i < close && tb__is_string(r, i); i++) add_unquoted(r, i, &text);
    if (close < r->t.n && text.s && text.s[strspn(text.s, " \n")]) { /* else only the compiler is held back */
        tb__text_add(&all, "([&] { ");
        add_operands(r, i, close, &all);
        if (translate(text.s, &all, what, sizeof what)) {
            tb__text_add(&all, "}())");
        } else {
            for (char *c = what; *c; c++)
                if (strchr("\"\\\n", *c)) *c = ' ';
            all.len = 0;
            tb__text_addf(&all, "static_assert(0, \"inline PTX has no version for the CPU: %s\")", what);
        }
        tb__drop_tokens(r, at, close);
        r->places_outside |= !tb__kernel_at(r, at);
        if (all.failed || text.failed) r->failed = true;
        else tb__put_after(r, close, all.s);
    }
    tb__text_free(&text);
    tb__text_free(&all);
    return close < r->t.n ? close : at;
}
