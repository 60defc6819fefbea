/* kernel.c - kernels in CUDA C++, launches from kernels, and which kernels may wait for other threads: those
 * whose body, or anything outside of kernels that it could call, has a word of a barrier or a warp collective. */
#include <stdlib.h>
#include <string.h>

#include "backend/cpu/user/rewrite/rewrite.h"

/* What a kernel's declaration loses, since it becomes a static function that is inlined. */
static bool is_storage(const tb_rewriter *r, int i)
{
    return tb__is(r, i, "static") || tb__is(r, i, "inline") || tb__is(r, i, "__forceinline__") ||
           tb__is(r, i, "__noinline__");
}

/* How the declaration that starts at `start` begins. */
typedef enum form { FUNCTION, TEMPLATE, SPECIALISED } form;

static form kernel_form(tb_rewriter *r, int start, int at, bool *extern_c)
{
    form f = FUNCTION;
    int i = start;
    while (i < at && tb__is(r, i, "template")) {
        bool open = tb__is(r, i + 1, "<");
        f = !open || tb__is(r, i + 2, ">") ? SPECIALISED : TEMPLATE;
        i = open ? tb__close_angle(r, i + 1) + 1 : i + 1;
    }
    for (; i < at; i++) {
        if (tb__is(r, i, "extern")) {
            bool c = i + 1 < at && tb__is_string(r, i + 1);
            if (c && tb__is(r, i + 1, "\"C\"")) *extern_c = true;
            tb__drop_tokens(r, i, c ? i + 1 : i);
        } else if (is_storage(r, i)) {
            tb__drop_tokens(r, i, i);
        }
    }
    return f;
}

/* The opening parenthesis of the parameters; *name is the token before them. r->t.n: this is no function. */
static int find_parameters(tb_rewriter *r, int at, int *name, int *max_threads)
{
    for (int i = at + 1; i < r->t.n; i++) {
        if (tb__is(r, i, ";") || tb__is(r, i, "{") || tb__is(r, i, "=")) break;
        if (tb__takes_argument(r, i)) {
            if (tb__is(r, i, "__launch_bounds__") && tb__is_kind(r, i + 2, TB_TOKEN_NUMBER))
                *max_threads = atoi(r->t.text + r->t.list[i + 2].at);
            i = tb__token_close(&r->t, i + 1);
        } else if (is_storage(r, i)) {
            tb__drop_tokens(r, i, i);
        } else if (tb__is(r, i, "extern") && tb__is_string(r, i + 1)) {
            tb__drop_tokens(r, i, i + 1);
        } else if (tb__is(r, i, "(")) {
            return i;
        } else if (tb__is_word(r, i)) {
            *name = i;
            if (tb__is(r, i + 1, "<")) i = tb__close_angle(r, i + 1);
        }
    }
    return r->t.n;
}

/* Whether nothing else in the source can be a function of that name, so that its address is not ambiguous. */
static bool is_unique(const tb_rewriter *r, const char *name)
{
    int n = 0;
    for (int i = 0; i + 1 < r->t.n; i++) n += tb__is(r, i, name) && tb__is(r, i + 1, "(");
    return n == 1;
}

int tb__take_kernel(tb_rewriter *r, int at)
{
    tb_found_kernel k = {.first = -1};
    bool extern_c = memchr(r->scope, 'e', (size_t)r->depth) != NULL;
    form f = kernel_form(r, tb__declaration_start(r, at), at, &extern_c);
    int name = -1, open = find_parameters(r, at, &name, &k.max_threads);
    if (open == r->t.n || name < 0) return at;
    int close = tb__token_close(&r->t, open);
    bool none = close == open + 1 || (close == open + 2 && tb__is(r, open + 1, "void"));
    if (none) tb__drop_tokens(r, open + 1, close - 1);
    tb__put_after(r, open, none ? "TB_KERNEL_PARAMETER" : "TB_KERNEL_PARAMETER, ");
    r->edits[at].replace = f == SPECIALISED ? "TB_KERNEL_SPECIALISED" : "TB_KERNEL";
    tb__copy_name(r, name, k.name);
    k.looked_up = extern_c && f == FUNCTION;
    k.mangled = !extern_c && f == FUNCTION && r->depth == 0 && is_unique(r, k.name);
    int i = close + 1;
    while (i < r->t.n && !tb__is(r, i, "{") && !tb__is(r, i, ";")) i++;
    if (tb__is(r, i, "{")) {
        k.first = i;
        k.last = tb__token_close(&r->t, i);
    }
    if (k.first < 0) return close;
    if (r->nkernel == TB_MOST_KERNELS) r->failed = true;
    else r->kernels[r->nkernel++] = k;
    return close;
}

const tb_found_kernel *tb__kernel_at(const tb_rewriter *r, int token)
{
    for (int k = 0; k < r->nkernel; k++)
        if (token >= r->kernels[k].first && token <= r->kernels[k].last) return &r->kernels[k];
    return NULL;
}

const tb_found_kernel *tb__kernel_named(const tb_rewriter *r, const char *name, size_t n)
{
    for (int k = 0; k < r->nkernel; k++)
        if (strlen(r->kernels[k].name) == n && memcmp(r->kernels[k].name, name, n) == 0) return &r->kernels[k];
    return NULL;
}

/* ---- launches ----------------------------------------------------------------------------------------------- */

static bool is_triple(const tb_rewriter *r, int i, const char *mark)
{
    return i + 2 < r->t.n && tb__is_kind(r, i, TB_TOKEN_MARK) && strncmp(r->t.text + r->t.list[i].at, mark, 3) == 0;
}

/* The first token of a name, qualified or with template arguments, that ends at token i; *word: its last word, or what
 * stands in its place, -1 at the beginning of the text. */
static int name_start(const tb_rewriter *r, int i, int *word)
{
    if (tb__is(r, i, ">")) {
        int angles = 0, brackets = 0;
        for (; i > 0; i--) {
            brackets += tb__is(r, i, ")") - tb__is(r, i, "(");
            if (brackets == 0) angles += tb__is(r, i, ">") - tb__is(r, i, "<");
            if (angles == 0) break;
        }
        i--;
    }
    *word = i;
    while (tb__is(r, i - 1, ":") && tb__is(r, i - 2, ":")) i -= tb__is_word(r, i - 3) ? 3 : 2;
    return i;
}

void tb__take_launch(tb_rewriter *r, int i)
{
    if (!is_triple(r, i, "<<<") || !(tb__is_word(r, i - 1) || tb__is(r, i - 1, ">"))) return;
    tb_found_launch l = {.at = i};
    int end = i + 3;
    l.start = name_start(r, i - 1, &l.name);
    if (!tb__is_word(r, l.name)) return;
    while (end < r->t.n && !is_triple(r, end, ">>>") && !tb__is(r, end, ";"))
        end = tb__opens(r, end) ? tb__token_past(&r->t, end) : end + 1;
    if (!is_triple(r, end, ">>>")) return; /* the compiler says what is wrong */
    if (r->nlaunch == TB_MOST_LAUNCHES) {
        r->failed = true;
        return;
    }
    r->launches[r->nlaunch++] = l;
    r->places_outside |= !tb__kernel_at(r, i);
    tb__drop_tokens(r, l.start, i + 2);
    tb__drop_tokens(r, end, end + 2);
    tb__put_after(r, end + 2, ")");
}

void tb__finish_launch(tb_rewriter *r, const tb_found_launch *l)
{
    tb_text t = {0};
    const tb_token *word = &r->t.list[l->name];
    const tb_found_kernel *k = tb__kernel_named(r, r->t.text + word->at, word->len);
    tb__text_addf(&t,
                  "tb_launch(tb_here, tb_launch_name{\"%.*s\", %d, %d}, [](const tb_host_here *tb_child,"
                  " auto... tb_a) { ",
                  (int)word->len, r->t.text + word->at, !k || k->waits, k ? k->max_threads : 0);
    tb__add_tokens(r, l->start, l->at - 1, &t);
    tb__text_add(&t, "(tb_child, tb_a...); }, ");
    if (t.failed) r->failed = true;
    else tb__put_after(r, l->at + 2, t.s);
    tb__text_free(&t);
}

/* ---- which kernels may wait --------------------------------------------------------------------------------- */

/* Occurrences in directives count, so these are searched as text. */
static const char *const waiting[] = {"__syncthreads",
                                      "__syncwarp",
                                      "__shfl",
                                      "__ballot",
                                      "__any",
                                      "__all",
                                      "__activemask",
                                      "__match_",
                                      "__reduce_",
                                      "__barrier",
                                      "cooperative_groups",
                                      "this_thread_block",
                                      "this_grid",
                                      "tiled_partition",
                                      "coalesced_threads",
                                      "BlockReduce",
                                      "WarpReduce",
                                      "##",
                                      "cuda::barrier",
                                      NULL};

static bool token_mentions(const tb_rewriter *r, int i, const char *const *words)
{
    const tb_token *t = &r->t.list[i];
    return (t->kind == TB_TOKEN_WORD || t->kind == TB_TOKEN_DIRECTIVE) &&
           tb__mentions(r->t.text + t->at, t->len, words);
}

bool tb__mentioned_outside(const tb_rewriter *r, const char *const *words)
{
    bool system = false;
    for (int i = 0; i < r->t.n; i++) {
        const tb_token *t = &r->t.list[i];
        if (tb__is_marker(r, i, &system) || system) continue;
        if (token_mentions(r, i, words) && (t->kind == TB_TOKEN_DIRECTIVE || !tb__kernel_at(r, i))) return true;
    }
    return false;
}

void tb__find_waiting(tb_rewriter *r)
{
    bool outside = tb__mentioned_outside(r, waiting);
    for (int k = 0; k < r->nkernel; k++) {
        r->kernels[k].waits = outside;
        for (int i = r->kernels[k].first; i <= r->kernels[k].last && i < r->t.n; i++)
            r->kernels[k].waits |= token_mentions(r, i, waiting);
    }
}
