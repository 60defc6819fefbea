/* rewrite.c - CUDA C++ to C++: kernels found and registered, shared memory given a place.
 *
 * The text keeps its lines, so that the compiler's messages fit. What changes:
 *  - a kernel becomes a static function with one more parameter in front, through which its body sees threadIdx and its
 *    kin: where the kernel is inlined into the loop over a block's threads, they are the loop's own variables;
 *  - `__shared__` variables are thread-local, since a block runs on one thread of the system; `extern` ones become
 *    pointers to the launch's dynamic shared memory;
 *  - a launch, name<<<grid, block>>>(arguments), becomes a call of tb_launch with a function that calls the kernel;
 *  - inline PTX becomes C++ where there is C++ for it (rewrite_ptx.c), else an error once it is compiled;
 *  - __noinline__, which headers of the system know as an attribute, becomes one;
 *  - a table of kernels and of __device__ and __constant__ variables follows the text.
 * A kernel may wait for other threads when its body, or anything outside of kernels that it could call, has a word of
 * a barrier or a warp collective. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backend/cpu/rewrite.h"
#include "base/error.h"

enum { MOST_KERNELS = 1024, MOST_GLOBALS = 1024, MOST_LAUNCHES = 1024, MOST_DEPTH = 256, NAME = 256 };

/* Text that replaces a token, or comes after it. */
typedef struct edit {
    const char *replace; /* NULL: the token stays */
    char *after;         /* owned; NULL: nothing */
} edit;

typedef struct kernel {
    char name[NAME];
    int first, last; /* tokens of the body; first < 0: only declared */
    int max_threads;
    bool looked_up;  /* extern "C" and no template */
    bool mangled;    /* found by its mangled name: a function of its own outside of namespaces */
    bool waits;
} kernel;

typedef struct global {
    char name[NAME];
    bool constant;
} global;

/* name<<<...>>>(...): tokens of the name's beginning, of its last word, and of the first <. */
typedef struct launch {
    int start, name, at;
} launch;

typedef struct rewriter {
    const tb_module_source *source;
    tb_tokens t;
    edit *edits;
    kernel *kernels;
    global *globals;
    launch *launches;
    int nkernel, nglobal, nlaunch;
    bool places_outside;    /* a function other than a kernel asks where it is */
    char scope[MOST_DEPTH]; /* what each open brace is: n(amespace), e(xtern "C"), o(ther) */
    int depth;
    bool failed;            /* no memory, or a limit */
} rewriter;

/* ---- small things --------------------------------------------------------------------------------------------- */

static bool is(const rewriter *r, int i, const char *word) { return tb__token_is(&r->t, i, word); }
static bool is_word(const rewriter *r, int i) { return i >= 0 && i < r->t.n && r->t.list[i].kind == TB_TOKEN_WORD; }

/* The marker that a preprocessor leaves where a file begins or goes on; *system: it is not the user's. */
static bool is_marker(const rewriter *r, int i, bool *system)
{
    const tb_token *t = &r->t.list[i];
    const char *s = r->t.text + t->at, *end = s + t->len;
    if (t->kind != TB_TOKEN_DIRECTIVE || t->len < 3 || s[1] != ' ' || !isdigit((unsigned char)s[2])) return false;
    const char *quote = memrchr(s, '"', t->len);
    *system = quote && memchr(quote, '3', (size_t)(end - quote));
    return true;
}

static void copy_name(const rewriter *r, int i, char name[NAME])
{
    size_t n = r->t.list[i].len < NAME - 1 ? r->t.list[i].len : NAME - 1;
    memcpy(name, r->t.text + r->t.list[i].at, n);
    name[n] = 0;
}

static bool in_extern_c(const rewriter *r) { return memchr(r->scope, 'e', (size_t)r->depth) != NULL; }
static bool in_function(const rewriter *r) { return memchr(r->scope, 'o', (size_t)r->depth) != NULL; }

static void put_after(rewriter *r, int i, const char *text)
{
    edit *e = &r->edits[i];
    size_t have = e->after ? strlen(e->after) : 0, n = strlen(text);
    char *s = realloc(e->after, have + n + 1);
    if (!s) {
        r->failed = true;
        return;
    }
    memcpy(s + have, text, n + 1);
    e->after = s;
}

static void drop(rewriter *r, int from, int to)
{
    for (int i = from; i <= to; i++) r->edits[i].replace = "";
}

/* The source text of tokens [from, to], on one line. */
static void add_tokens(const rewriter *r, int from, int to, tb_text *out)
{
    for (int i = from; i <= to; i++) {
        const tb_token *t = &r->t.list[i];
        tb__text_addn(out, r->t.text + t->at, t->len);
        if (i == to || t[1].at > t->at + t->len) tb__text_add(out, " ");
    }
}

/* The first token of the declaration that token i is in. */
static int declaration_start(const rewriter *r, int i)
{
    int depth = 0;
    for (int k = i - 1; k >= 0; k--) {
        if (r->t.list[k].kind == TB_TOKEN_DIRECTIVE) return k + 1;
        if (r->t.list[k].kind != TB_TOKEN_MARK) continue;
        char c = r->t.text[r->t.list[k].at];
        if (c == ')' || c == ']') depth++;
        else if (c == '(' || c == '[') {
            if (--depth < 0) return k + 1;
        } else if (depth == 0 && strchr(";{}", c)) return k + 1;
    }
    return 0;
}

static int close_angle(const rewriter *r, int i)
{
    int depth = 0;
    for (; i < r->t.n; i++) {
        if (is(r, i, "(")) i = tb__token_close(&r->t, i);
        else if (is(r, i, "<")) depth++;
        else if (is(r, i, ">") && --depth == 0) return i;
        else if (is(r, i, ";") || is(r, i, "{")) return r->t.n;
    }
    return r->t.n;
}

static bool takes_argument(const rewriter *r, int i)
{
    static const char *const words[] = {"__launch_bounds__", "__align__", "alignas", "__attribute__", "__maxnreg__",
                                        "__cluster_dims__", "__block_size__", "decltype", NULL};
    for (const char *const *w = words; *w; w++)
        if (is(r, i, *w) && is(r, i + 1, "(")) return true;
    return false;
}

/* ---- kernels -------------------------------------------------------------------------------------------------- */

/* What a kernel's declaration loses, since it becomes a static function that is inlined. */
static bool is_storage(const rewriter *r, int i)
{
    return is(r, i, "static") || is(r, i, "inline") || is(r, i, "__forceinline__") || is(r, i, "__noinline__");
}

/* How the declaration that starts at `start` begins. */
typedef enum form { FUNCTION, TEMPLATE, SPECIALISED } form;

static form kernel_form(rewriter *r, int start, int at, bool *extern_c)
{
    form f = FUNCTION;
    int i = start;
    while (i < at && is(r, i, "template")) {
        bool open = is(r, i + 1, "<");
        f = !open || is(r, i + 2, ">") ? SPECIALISED : TEMPLATE;
        i = open ? close_angle(r, i + 1) + 1 : i + 1;
    }
    for (; i < at; i++) {
        if (is(r, i, "extern")) {
            bool c = i + 1 < at && r->t.list[i + 1].kind == TB_TOKEN_STRING;
            if (c && is(r, i + 1, "\"C\"")) *extern_c = true;
            drop(r, i, c ? i + 1 : i);
        } else if (is_storage(r, i)) {
            drop(r, i, i);
        }
    }
    return f;
}

/* The opening parenthesis of the parameters; *name is the token before them. r->t.n: this is no function. */
static int find_parameters(rewriter *r, int at, int *name, int *max_threads)
{
    for (int i = at + 1; i < r->t.n; i++) {
        if (is(r, i, ";") || is(r, i, "{") || is(r, i, "=")) break;
        if (takes_argument(r, i)) {
            if (is(r, i, "__launch_bounds__") && r->t.list[i + 2].kind == TB_TOKEN_NUMBER)
                *max_threads = atoi(r->t.text + r->t.list[i + 2].at);
            i = tb__token_close(&r->t, i + 1);
        } else if (is_storage(r, i)) {
            drop(r, i, i);
        } else if (is(r, i, "extern") && r->t.list[i + 1].kind == TB_TOKEN_STRING) {
            drop(r, i, i + 1);
        } else if (is(r, i, "(")) {
            return i;
        } else if (is_word(r, i)) {
            *name = i;
            if (is(r, i + 1, "<")) i = close_angle(r, i + 1);
        }
    }
    return r->t.n;
}

/* Whether nothing else in the source can be a function of that name, so that its address is not ambiguous. */
static bool is_unique(const rewriter *r, const char *name)
{
    int n = 0;
    for (int i = 0; i + 1 < r->t.n; i++) n += is(r, i, name) && is(r, i + 1, "(");
    return n == 1;
}

/* Returns the token at which the walk goes on. */
static int take_kernel(rewriter *r, int at)
{
    kernel k = {.first = -1};
    bool extern_c = in_extern_c(r);
    form f = kernel_form(r, declaration_start(r, at), at, &extern_c);
    int name = -1, open = find_parameters(r, at, &name, &k.max_threads);
    if (open == r->t.n || name < 0) return at;
    int close = tb__token_close(&r->t, open);
    bool none = close == open + 1 || (close == open + 2 && is(r, open + 1, "void"));
    if (none) drop(r, open + 1, close - 1);
    put_after(r, open, none ? "TB_KERNEL_PARAMETER" : "TB_KERNEL_PARAMETER, ");
    r->edits[at].replace = f == SPECIALISED ? "TB_KERNEL_SPECIALISED" : "TB_KERNEL";
    copy_name(r, name, k.name);
    k.looked_up = extern_c && f == FUNCTION;
    k.mangled = !extern_c && f == FUNCTION && r->depth == 0 && is_unique(r, k.name);
    int i = close + 1;
    while (i < r->t.n && !is(r, i, "{") && !is(r, i, ";")) i++;
    if (is(r, i, "{")) {
        k.first = i;
        k.last = tb__token_close(&r->t, i);
    }
    if (k.first < 0) return close;
    if (r->nkernel == MOST_KERNELS) r->failed = true;
    else r->kernels[r->nkernel++] = k;
    return close;
}

/* ---- shared memory -------------------------------------------------------------------------------------------- */

static int statement_end(const rewriter *r, int i)
{
    for (; i < r->t.n && !is(r, i, ";"); i++)
        if (is(r, i, "(") || is(r, i, "[") || is(r, i, "{")) i = tb__token_close(&r->t, i);
    return i;
}

/* extern __shared__ T name[]...;  becomes  T (*const name)... = (T (*)...)the dynamic shared memory; */
static void take_dynamic(rewriter *r, int start, int end)
{
    tb_text type = {0}, all = {0};
    const char *storage = in_function(r) ? "" : "static thread_local ";
    int name = -1, i = start;
    for (; i < end && !is(r, i, "["); i++) {
        if (takes_argument(r, i)) {
            i = tb__token_close(&r->t, i + 1);
        } else if (is(r, i, "extern") || is(r, i, "__shared__") || is(r, i, "static")) {
            continue;
        } else {
            if (name >= 0) add_tokens(r, name, name, &type);
            name = i;
        }
    }
    int rest = i < end ? tb__token_close(&r->t, i) + 1 : end;
    /* Of a known size, or no array: the compiler says what is wrong. */
    if (name < 0 || i >= end || rest != i + 2) return;
    int past = rest;
    while (is(r, past, "[")) past = tb__token_close(&r->t, past) + 1;
    const char *t = type.s ? type.s : "int ";
    if (past == rest) {
        tb__text_addf(&all, "%s%s*const ", storage, t);
        add_tokens(r, name, name, &all);
        tb__text_addf(&all, "= (%s*)tb_dynamic_shared()", t);
    } else {
        tb__text_addf(&all, "%s%s(*const ", storage, t);
        add_tokens(r, name, name, &all);
        tb__text_add(&all, ")");
        add_tokens(r, rest, past - 1, &all);
        tb__text_addf(&all, "= (%s(*)", t);
        add_tokens(r, rest, past - 1, &all);
        tb__text_add(&all, ")tb_dynamic_shared()");
    }
    drop(r, start, past - 1);
    if (all.failed || type.failed || !all.s) r->failed = true;
    else put_after(r, past - 1, all.s);
    tb__text_free(&all);
    tb__text_free(&type);
}

static void take_shared(rewriter *r, int at)
{
    int start = declaration_start(r, at), end = statement_end(r, at);
    bool dynamic = false;
    for (int i = start; i < end && !is(r, i, "["); i++) dynamic |= is(r, i, "extern");
    if (dynamic) {
        take_dynamic(r, start, end);
        return;
    }
    for (int i = start; i < end; i++)
        if (is(r, i, "static")) drop(r, i, i);
    r->edits[at].replace = "static thread_local";
}

/* ---- variables of the module ---------------------------------------------------------------------------------- */

static void take_global(rewriter *r, int at)
{
    int start = declaration_start(r, at), name = -1;
    if (in_function(r) || is(r, start, "template") || is(r, start, "using") || is(r, start, "typedef")) return;
    for (int i = start; i < r->t.n; i++) {
        if (is(r, i, "extern") && !(r->t.list[i + 1].kind == TB_TOKEN_STRING)) return;
        if (takes_argument(r, i)) {
            i = tb__token_close(&r->t, i + 1);
        } else if (is(r, i, "(") || is(r, i, "operator")) {
            return; /* a function */
        } else if (is(r, i, "struct") || is(r, i, "class") || is(r, i, "union") || is(r, i, "enum")) {
            if (is(r, i + 2, "{") || is(r, i + 1, "{")) return;
        } else if (is(r, i, "<")) {
            i = close_angle(r, i);
        } else if (is(r, i, "[") || is(r, i, ";") || is(r, i, "=") || is(r, i, "{") || is(r, i, ",")) {
            break;
        } else if (is_word(r, i)) {
            name = i;
        }
    }
    if (name <= at) return;
    global g = {.constant = is(r, at, "__constant__")};
    copy_name(r, name, g.name);
    for (int i = 0; i < r->nglobal; i++)
        if (strcmp(r->globals[i].name, g.name) == 0) return;
    if (memchr(r->scope, 'n', (size_t)r->depth)) return;
    if (r->nglobal == MOST_GLOBALS) r->failed = true;
    else r->globals[r->nglobal++] = g;
}

/* ---- the walk ------------------------------------------------------------------------------------------------- */

static char scope_of(const rewriter *r, int brace)
{
    if (r->t.list[brace > 0 ? brace - 1 : 0].kind == TB_TOKEN_STRING && is(r, brace - 2, "extern")) return 'e';
    for (int i = brace - 1; i >= 0 && (is_word(r, i) || is(r, i, ":")); i--)
        if (is(r, i, "namespace")) return 'n';
    return 'o';
}

static const kernel *kernel_at(const rewriter *r, int token)
{
    for (int k = 0; k < r->nkernel; k++)
        if (token >= r->kernels[k].first && token <= r->kernels[k].last) return &r->kernels[k];
    return NULL;
}

static bool is_triple(const rewriter *r, int i, const char *mark)
{
    return i + 2 < r->t.n && r->t.list[i].kind == TB_TOKEN_MARK &&
           strncmp(r->t.text + r->t.list[i].at, mark, 3) == 0;
}

/* The first token of a name, qualified or with template arguments, that ends at token i; *word: its last word. */
static int name_start(const rewriter *r, int i, int *word)
{
    if (is(r, i, ">")) {
        int angles = 0, brackets = 0;
        for (; i > 0; i--) {
            brackets += is(r, i, ")") - is(r, i, "(");
            if (brackets == 0) angles += is(r, i, ">") - is(r, i, "<");
            if (angles == 0) break;
        }
        i--;
    }
    *word = i;
    while (is(r, i - 1, ":") && is(r, i - 2, ":")) i -= is_word(r, i - 3) ? 3 : 2;
    return i;
}

static const kernel *kernel_named(const rewriter *r, const char *name, size_t n)
{
    for (int k = 0; k < r->nkernel; k++)
        if (strlen(r->kernels[k].name) == n && memcmp(r->kernels[k].name, name, n) == 0) return &r->kernels[k];
    return NULL;
}

/* A launch at token i, whose kernel may follow further down: what it is, is written into the text at the end. */
static void take_launch(rewriter *r, int i)
{
    launch l = {.at = i};
    int end = i + 3;
    l.start = name_start(r, i - 1, &l.name);
    while (end < r->t.n && !is_triple(r, end, ">>>") && !is(r, end, ";"))
        end = is(r, end, "(") || is(r, end, "[") || is(r, end, "{") ? tb__token_close(&r->t, end) + 1 : end + 1;
    if (!is_triple(r, end, ">>>")) return; /* the compiler says what is wrong */
    if (r->nlaunch == MOST_LAUNCHES) {
        r->failed = true;
        return;
    }
    r->launches[r->nlaunch++] = l;
    r->places_outside |= !kernel_at(r, i);
    drop(r, l.start, i + 2);
    drop(r, end, end + 2);
    put_after(r, end + 2, ")");
}

/* Once it is known which kernels wait. */
static void finish_launch(rewriter *r, const launch *l)
{
    tb_text t = {0};
    const tb_token *word = &r->t.list[l->name];
    const kernel *k = kernel_named(r, r->t.text + word->at, word->len);
    tb__text_addf(&t, "tb_launch(tb_here, tb_launch_name{\"%.*s\", %d, %d}, [](const tb_host_here *tb_child,"
                  " auto... tb_a) { ", (int)word->len, r->t.text + word->at, !k || k->waits, k ? k->max_threads : 0);
    add_tokens(r, l->start, l->at - 1, &t);
    tb__text_add(&t, "(tb_child, tb_a...); }, ");
    if (t.failed) r->failed = true;
    else put_after(r, l->at + 2, t.s);
    tb__text_free(&t);
}

/* ---- inline PTX ------------------------------------------------------------------------------------------------ */

/* What a string literal stands for, added to `out`. */
static void add_unquoted(const rewriter *r, int i, tb_text *out)
{
    const tb_token *t = &r->t.list[i];
    const char *s = r->t.text + t->at, *end = s + t->len - 1;
    const char *open = *s == 'R' ? memchr(s, '(', t->len) : NULL;
    if (open) {
        while (end > open && *end != ')') end--;
        tb__text_addn(out, open + 1, (size_t)(end - open - 1));
        return;
    }
    for (s++; s < end; s++) {
        bool escape = *s == '\\' && s + 1 < end;
        char c = escape ? *++s : *s;
        if (escape && (c == 'n' || c == 't' || c == 'r')) c = '\n';
        tb__text_addn(out, &c, 1);
    }
}

/* Operands in the order of their numbers: "constraint" (expression), by commas and colons. */
static void add_operands(const rewriter *r, int i, int close, tb_text *out)
{
    for (int n = 0; i < close; i++) {
        if (r->t.list[i].kind != TB_TOKEN_STRING || !is(r, i + 1, "(")) continue;
        bool written = strchr("=+", r->t.text[r->t.list[i].at + 1]) != NULL;
        int end = tb__token_close(&r->t, i + 1);
        tb__text_addf(out, "auto %stb_operand_%d = ", written ? "&" : "", n++);
        add_tokens(r, i + 1, end, out);
        tb__text_add(out, "; ");
        i = end;
    }
}

/* asm volatile("text" : outputs : inputs : what it changes). Returns its last token. */
static int take_asm(rewriter *r, int at)
{
    int open = at + 1;
    while (is(r, open, "volatile") || is(r, open, "__volatile__")) open++;
    if (!is(r, open, "(")) return at;
    int close = tb__token_close(&r->t, open), i = open + 1;
    tb_text text = {0}, all = {0};
    char what[80] = "";
    for (; i < close && r->t.list[i].kind == TB_TOKEN_STRING; i++) add_unquoted(r, i, &text);
    if (close < r->t.n && text.s && text.s[strspn(text.s, " \n")]) { /* else only the compiler is held back */
        tb__text_add(&all, "([&] { ");
        add_operands(r, i, close, &all);
        if (tb__ptx_translate(text.s, &all, what, sizeof what)) {
            tb__text_add(&all, "}())");
        } else {
            for (char *c = what; *c; c++)
                if (strchr("\"\\\n", *c)) *c = ' ';
            all.len = 0;
            tb__text_addf(&all, "static_assert(0, \"inline PTX has no version for the CPU: %s\")", what);
        }
        drop(r, at, close);
        r->places_outside |= !kernel_at(r, at);
        if (all.failed || text.failed) r->failed = true;
        else put_after(r, close, all.s);
    }
    tb__text_free(&text);
    tb__text_free(&all);
    return close < r->t.n ? close : at;
}

static void take_word(rewriter *r, int i)
{
    bool call = is(r, i + 1, "(") && !is(r, i - 1, ":") && !is(r, i - 1, ".") && !is(r, i - 1, ">");
    if (call && is(r, i, "printf")) r->edits[i].replace = "tb_printf";
    if (call && is(r, i, "clock") && is(r, i + 2, ")")) r->edits[i].replace = "tb_clock";
    if (is(r, i, "__noinline__") && !is(r, i - 1, "(")) r->edits[i].replace = "__attribute__((noinline))";
}

static tb_status walk(rewriter *r)
{
    bool system = false;
    for (int i = 0; i < r->t.n && !r->failed; i++) {
        if (is_marker(r, i, &system) || system) continue;
        if (is_triple(r, i, "<<<") && (is_word(r, i - 1) || is(r, i - 1, ">"))) take_launch(r, i);
        take_word(r, i);
        if (is(r, i, "asm") || is(r, i, "__asm__") || is(r, i, "__asm")) i = take_asm(r, i);
        if (is(r, i, "__global__")) i = take_kernel(r, i);
        else if (is(r, i, "__shared__")) take_shared(r, i);
        else if (is(r, i, "__constant__") || is(r, i, "__device__") || is(r, i, "__managed__")) take_global(r, i);
        else if (is(r, i, "{") && r->depth < MOST_DEPTH) r->scope[r->depth] = scope_of(r, i), r->depth++;
        else if (is(r, i, "}") && r->depth > 0) r->depth--;
    }
    return r->failed ? tb__fail(TB_ERR_MEMORY, "out of host memory rewriting a kernel's source") : TB_OK;
}

/* ---- which kernels may wait ----------------------------------------------------------------------------------- */

/* Occurrences in directives count, so these are searched as text. */
static const char *const waiting[] = {
    "__syncthreads", "__syncwarp", "__shfl", "__ballot", "__any", "__all", "__activemask", "__match_", "__reduce_",
    "__barrier", "cooperative_groups", "this_thread_block", "this_grid", "tiled_partition", "coalesced_threads",
    "BlockReduce", "WarpReduce", "##", "cuda::barrier", NULL};

static bool mentions(const char *s, size_t n, const char *const *words)
{
    for (const char *const *w = words; *w; w++)
        if (memmem(s, n, *w, strlen(*w))) return true;
    return false;
}

static bool token_mentions(const rewriter *r, int i, const char *const *words)
{
    const tb_token *t = &r->t.list[i];
    return (t->kind == TB_TOKEN_WORD || t->kind == TB_TOKEN_DIRECTIVE) && mentions(r->t.text + t->at, t->len, words);
}

/* In the user's text, other than in the bodies of kernels. */
static bool mentioned_outside(const rewriter *r, const char *const *words)
{
    bool system = false;
    for (int i = 0; i < r->t.n; i++) {
        const tb_token *t = &r->t.list[i];
        if (is_marker(r, i, &system) || system) continue;
        if (token_mentions(r, i, words) && (t->kind == TB_TOKEN_DIRECTIVE || !kernel_at(r, i))) return true;
    }
    return false;
}

static void find_waiting(rewriter *r)
{
    bool outside = mentioned_outside(r, waiting);
    for (int k = 0; k < r->nkernel; k++) {
        r->kernels[k].waits = outside;
        for (int i = r->kernels[k].first; i <= r->kernels[k].last && i < r->t.n; i++)
            r->kernels[k].waits |= token_mentions(r, i, waiting);
    }
}

/* ---- the result ----------------------------------------------------------------------------------------------- */

static void add_text(const rewriter *r, tb_text *out)
{
    uint32_t at = 0;
    for (int i = 0; i < r->t.n; i++) {
        const tb_token *t = &r->t.list[i];
        const edit *e = &r->edits[i];
        tb__text_addn(out, r->t.text + at, t->at - at);
        if (e->replace) tb__text_add(out, e->replace);
        else tb__text_addn(out, r->t.text + t->at, t->len);
        if (e->replace && t->kind == TB_TOKEN_STRING) {
            for (uint32_t k = 0; k < t->len; k++)
                if (r->t.text[t->at + k] == '\n') tb__text_add(out, "\n");
        }
        if (e->after) tb__text_add(out, e->after);
        at = t->at + t->len;
    }
    tb__text_add(out, r->t.text + at);
    tb__text_add(out, "\n");
}

static void add_quoted(const char *s, tb_text *out)
{
    tb__text_add(out, "\"");
    for (; *s; s++) {
        if (*s == '"' || *s == '\\') tb__text_add(out, "\\");
        if (*s == '\n') tb__text_add(out, "\\n");
        else tb__text_addn(out, s, 1);
    }
    tb__text_add(out, "\"");
}

static const char *skip_address(const char *expression)
{
    while (*expression == ' ' || *expression == '&') expression++;
    return expression;
}

/* The kernel that an expression instantiates, by its last name before <. */
static const kernel *kernel_of(const rewriter *r, const char *expression)
{
    const char *s = skip_address(expression), *end = s + strcspn(s, "<");
    while (end > s && isspace((unsigned char)end[-1])) end--;
    const char *name = end;
    while (name > s && (isalnum((unsigned char)name[-1]) || name[-1] == '_')) name--;
    return kernel_named(r, name, (size_t)(end - name));
}

static void add_kernel(const char *name, const char *expression, const kernel *k, tb_text *out)
{
    tb__text_addf(out, "%s(", k->waits ? "TB_KERNEL_WAITS" : "TB_KERNEL_LOOPS");
    add_quoted(name, out);
    tb__text_addf(out, ", %d, %s),\n", k->max_threads, expression);
}

static void add_tables(const rewriter *r, tb_text *out)
{
    tb__text_add(out, "#line 1 \"name_expressions\"\nstatic const tb_host_kernel tb_kernels[] = {\n");
    for (int k = 0; k < r->nkernel; k++)
        if (r->kernels[k].looked_up) add_kernel(r->kernels[k].name, r->kernels[k].name, &r->kernels[k], out);
    for (int k = 0; k < r->nkernel; k++) {
        if (!r->kernels[k].mangled) continue;
        char name[NAME + 32];
        snprintf(name, sizeof name, "_Z%zu%s", strlen(r->kernels[k].name), r->kernels[k].name);
        add_kernel(name, r->kernels[k].name, &r->kernels[k], out);
    }
    for (int i = 0; i < r->source->nexpression; i++) {
        const char *e = r->source->expressions[i];
        const kernel *k = kernel_of(r, e);
        if (k && !k->looked_up) add_kernel(e, skip_address(e), k, out);
    }
    tb__text_add(out, "{0, 0, 0, 0, 0, 0}};\nstatic const tb_host_global tb_globals[] = {\n");
    for (int i = 0; i < r->nglobal; i++)
        tb__text_addf(out, "TB_GLOBAL(\"%s\", %d, ::%s),\n", r->globals[i].name, r->globals[i].constant,
                      r->globals[i].name);
    for (int i = 0; i < r->source->nexpression; i++) {
        const char *e = r->source->expressions[i];
        if (kernel_of(r, e)) continue;
        tb__text_add(out, "TB_GLOBAL(");
        add_quoted(e, out);
        tb__text_addf(out, ", 0, %s),\n", skip_address(e));
    }
    tb__text_addf(out, "{0, 0, 0, 0}};\nTB_MODULE(%d, \"", mentions(r->t.text, strlen(r->t.text),
                                                                   (const char *const[]){"printf", NULL}));
    for (int k = 0, n = 0; k < r->nkernel; k++)
        if (!r->kernels[k].looked_up) tb__text_addf(out, "%s%s", n++ ? ", " : "", r->kernels[k].name);
    tb__text_add(out, "\");\n");
}

/* Macros that hold what has to be found, and files of the user's, show only after preprocessing. */
static bool needs_preprocessing(const rewriter *r)
{
    static const char *const words[] = {"__global__", "__shared__", "__constant__", "__noinline__", "<<<", "asm", NULL};
    for (int i = 0; i < r->t.n; i++) {
        const tb_token *t = &r->t.list[i];
        const char *s = r->t.text + t->at;
        if (t->kind != TB_TOKEN_DIRECTIVE) continue;
        size_t skip = 1 + strspn(s + 1, " \t");
        if (strncmp(s + skip, "define", 6) == 0 && mentions(s, t->len, words)) return true;
        if (strncmp(s + skip, "include", 7) == 0 && !tb__host_has_header(s + skip + 7, t->len - skip - 7)) return true;
    }
    return false;
}

static tb_status rewrite(rewriter *r, tb_text *out)
{
    static const char *const places[] = {"threadIdx", "blockIdx", "blockDim", "gridDim", "cooperative_groups", NULL};
    TB_TRY(walk(r));
    find_waiting(r);
    for (int i = 0; i < r->nlaunch; i++) finish_launch(r, &r->launches[i]);
    tb__text_addf(out, "#define TB_PLACES_OUTSIDE %d\n", r->places_outside || mentioned_outside(r, places));
    tb__text_addf(out, "#line 1 \"%s\"\n", r->source->name ? r->source->name : "kernel.cu");
    add_text(r, out);
    add_tables(r, out);
    return out->failed || r->failed ? tb__fail(TB_ERR_MEMORY, "out of host memory rewriting a kernel's source") : TB_OK;
}

tb_status tb__rewrite(const tb_module_source *source, const char *code, bool preprocessed, tb_text *out, bool *macros)
{
    rewriter r = {.source = source};
    tb_status status;
    tb__tokens_of(code, &r.t);
    r.edits = calloc((size_t)r.t.n + 1, sizeof *r.edits);
    r.kernels = calloc(MOST_KERNELS, sizeof *r.kernels);
    r.globals = calloc(MOST_GLOBALS, sizeof *r.globals);
    r.launches = calloc(MOST_LAUNCHES, sizeof *r.launches);
    if (r.t.failed || !r.edits || !r.kernels || !r.globals || !r.launches) {
        status = tb__fail(TB_ERR_MEMORY, "out of host memory rewriting a kernel's source");
    } else if (!preprocessed && needs_preprocessing(&r)) {
        *macros = true;
        status = TB_OK;
    } else {
        status = rewrite(&r, out);
    }
    for (int i = 0; r.edits && i < r.t.n; i++) free(r.edits[i].after);
    free(r.edits);
    free(r.kernels);
    free(r.globals);
    free(r.launches);
    tb__tokens_free(&r.t);
    return status;
}
