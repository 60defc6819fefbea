/* rewrite.c - CUDA C++ to C++: kernels found and registered, shared memory given a place.
 *
 * The text keeps its lines, so that the compiler's messages fit. What changes:
 *  - a kernel becomes a static function with one more parameter in front, through which its body sees threadIdx and its
 *    kin: where the kernel is inlined into the loop over a block's threads, they are the loop's own variables;
 *  - `__shared__` variables are thread-local, since a block runs on one thread of the system; `extern` ones become
 *    pointers to the launch's dynamic shared memory;
 *  - a launch, name<<<grid, block>>>(arguments), becomes a call of tb_launch with a function that calls the kernel;
 *  - inline PTX becomes C++ where there is C++ for it (ptx.c), else an error once it is compiled;
 *  - __noinline__, which headers of the system know as an attribute, becomes one;
 *  - a table of kernels and of __device__ and __constant__ variables follows the text. */
#include <stdlib.h>
#include <string.h>

#include "backend/cpu/user/rewrite/rewrite.h"
#include "base/error.h"

/* ---- the walk ----------------------------------------------------------------------------------------------- */

static char scope_of(const tb_rewriter *r, int brace)
{
    if (tb__is_string(r, brace - 1) && tb__is(r, brace - 2, "extern")) return 'e';
    for (int i = brace - 1; i >= 0 && (tb__is_word(r, i) || tb__is(r, i, ":")); i--)
        if (tb__is(r, i, "namespace")) return 'n';
    return 'o';
}

static void take_word(tb_rewriter *r, int i)
{
    bool call = tb__is(r, i + 1, "(") && !tb__is(r, i - 1, ":") && !tb__is(r, i - 1, ".") && !tb__is(r, i - 1, ">");
    if (call && tb__is(r, i, "printf")) r->edits[i].replace = "tb_printf";
    if (call && tb__is(r, i, "clock") && tb__is(r, i + 2, ")")) r->edits[i].replace = "tb_clock";
    if (tb__is(r, i, "__noinline__") && !tb__is(r, i - 1, "(")) r->edits[i].replace = "__attribute__((noinline))";
}

static bool is_variable(const tb_rewriter *r, int i)
{
    return tb__is(r, i, "__constant__") || tb__is(r, i, "__device__") || tb__is(r, i, "__managed__");
}

static tb_status walk(tb_rewriter *r)
{
    bool system = false;
    for (int i = 0; i < r->t.n && !r->failed; i++) {
        if (tb__is_marker(r, i, &system) || system) continue;
        tb__take_launch(r, i);
        take_word(r, i);
        if (tb__is(r, i, "asm") || tb__is(r, i, "__asm__") || tb__is(r, i, "__asm")) i = tb__take_asm(r, i);
        if (tb__is(r, i, "__global__")) i = tb__take_kernel(r, i);
        else if (tb__is(r, i, "__shared__")) tb__take_shared(r, i);
        else if (is_variable(r, i)) tb__take_global(r, i);
        else if (tb__is(r, i, "{") && r->depth < TB_MOST_DEPTH) r->scope[r->depth] = scope_of(r, i), r->depth++;
        else if (tb__is(r, i, "}") && r->depth > 0) r->depth--;
    }
    return r->failed ? tb__fail(TB_ERR_MEMORY, "out of host memory rewriting a kernel's source") : TB_OK;
}

/* ---- the result --------------------------------------------------------------------------------------------- */

static void add_text(const tb_rewriter *r, tb_text *out)
{
    uint32_t at = 0;
    for (int i = 0; i < r->t.n; i++) {
        const tb_token *t = &r->t.list[i];
        const tb_edit *e = &r->edits[i];
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

/* Macros that hold what has to be found, and files of the user's, show only after preprocessing. */
static bool needs_preprocessing(const tb_rewriter *r)
{
    static const char *const words[] = {"__global__", "__shared__", "__constant__", "__noinline__", "<<<", "asm", NULL};
    for (int i = 0; i < r->t.n; i++) {
        const tb_token *t = &r->t.list[i];
        const char *s = r->t.text + t->at;
        if (t->kind != TB_TOKEN_DIRECTIVE) continue;
        size_t skip = 1 + strspn(s + 1, " \t");
        if (strncmp(s + skip, "define", 6) == 0 && tb__mentions(s, t->len, words)) return true;
        if (strncmp(s + skip, "include", 7) == 0 && !tb__host_has_header(s + skip + 7, t->len - skip - 7)) return true;
    }
    return false;
}

static tb_status rewrite(tb_rewriter *r, tb_text *out)
{
    static const char *const places[] = {"threadIdx", "blockIdx", "blockDim", "gridDim", "cooperative_groups", NULL};
    TB_TRY(walk(r));
    tb__find_waiting(r);
    for (int i = 0; i < r->nlaunch; i++) tb__finish_launch(r, &r->launches[i]);
    tb__text_addf(out, "#define TB_PLACES_OUTSIDE %d\n", r->places_outside || tb__mentioned_outside(r, places));
    tb__text_add(out, "#line 1 ");
    tb__text_add_quoted(out, r->source->name ? r->source->name : "kernel.cu");
    tb__text_add(out, "\n");
    add_text(r, out);
    tb__add_tables(r, out);
    return out->failed || r->failed ? tb__fail(TB_ERR_MEMORY, "out of host memory rewriting a kernel's source") : TB_OK;
}

tb_status tb__rewrite(const tb_module_source *source, const char *code, bool preprocessed, tb_text *out, bool *macros)
{
    tb_rewriter r = {.source = source};
    tb_status status;
    tb__tokens_of(code, &r.t);
    r.edits = calloc((size_t)r.t.n + 1, sizeof *r.edits);
    r.kernels = calloc(TB_MOST_KERNELS, sizeof *r.kernels);
    r.globals = calloc(TB_MOST_GLOBALS, sizeof *r.globals);
    r.launches = calloc(TB_MOST_LAUNCHES, sizeof *r.launches);
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
