/* options.c - the options of NVRTC and nvcc, as users give them, in the spelling of g++ and clang++.
 *
 * What these compilers do not have is refused by name, as they would: the host compiler has options that run programs
 * and write files. What only concerns a GPU is checked for its form and dropped: architectures, register counts,
 * assembler options, debug information, how the compiler goes about its work. Fast math allows contraction and
 * reciprocals but keeps NaN and infinity, as it does in CUDA. */
#include <stdlib.h>
#include <string.h>

#include "backend/compile/option_words.h"
#include "backend/cpu/user/user.h"

/* What follows the name: nothing, "=" or the next option and any value, or true or false. */
typedef enum argument { NONE, VALUE, TRUTH } argument;
typedef enum effect { DROPPED, STANDARD, FAST_MATH, FAST_COMPILE, CONTRACTION, NO_WARNINGS, INCLUDE } effect;

typedef struct rule {
    const char *name, *other; /* without leading dashes; the second spelling may be NULL */
    argument takes;
    effect does;
} rule;

static const rule nvrtc_rules[] = {
    {"std", NULL, VALUE, STANDARD},
    {"pre-include", "include", VALUE, INCLUDE},
    {"use_fast_math", NULL, NONE, FAST_MATH},
    {"fmad", NULL, TRUTH, CONTRACTION},
    {"disable-warnings", "w", NONE, NO_WARNINGS},
    {"gpu-architecture", "arch", VALUE, DROPPED},
    {"maxrregcount", NULL, VALUE, DROPPED},
    {"device-c", "dc", NONE, DROPPED},
    {"device-w", "dw", NONE, DROPPED},
    {"relocatable-device-code", "rdc", TRUTH, DROPPED},
    {"extensible-whole-program", "ewp", NONE, DROPPED},
    {"device-debug", "G", NONE, DROPPED},
    {"generate-line-info", "lineinfo", NONE, DROPPED},
    {"dopt", NULL, VALUE, DROPPED},
    {"Ofast-compile", "Ofc", VALUE, FAST_COMPILE},
    {"ptxas-options", "Xptxas", VALUE, DROPPED},
    {"ftz", NULL, TRUTH, DROPPED},
    {"prec-div", NULL, TRUTH, DROPPED},
    {"prec-sqrt", NULL, TRUTH, DROPPED},
    {"extra-device-vectorization", NULL, NONE, DROPPED},
    {"modify-stack-limit", NULL, TRUTH, DROPPED},
    {"dlink-time-opt", "dlto", NONE, DROPPED},
    {"gen-opt-lto", NULL, NONE, DROPPED},
    {"optimization-info", "opt-info", VALUE, DROPPED},
    {"device-as-default-execution-space", "default-device", NONE, DROPPED},
    {"device-int128", NULL, NONE, DROPPED},
    {"device-float128", NULL, NONE, DROPPED},
    {"device-stack-protector", NULL, TRUTH, DROPPED},
    {"jump-table-density", "jtd", VALUE, DROPPED},
    {"builtin-move-forward", NULL, TRUTH, DROPPED},
    {"builtin-initializer-list", NULL, TRUTH, DROPPED},
    {"no-source-include", NULL, NONE, DROPPED},
    {"restrict", NULL, NONE, DROPPED},
    {"uumn", NULL, NONE, DROPPED},
    {"display-error-number", "err-no", NONE, DROPPED},
    {"no-display-error-number", "no-err-no", NONE, DROPPED},
    {"diag-error", NULL, VALUE, DROPPED},
    {"diag-suppress", NULL, VALUE, DROPPED},
    {"diag-warn", NULL, VALUE, DROPPED},
    {"brief-diagnostics", "brief-diag", TRUTH, DROPPED},
    {"warning-as-error", "Werror", VALUE, DROPPED},
    {"Wreorder", NULL, NONE, DROPPED},
    {"time", NULL, VALUE, DROPPED},
    {"fdevice-time-trace", NULL, VALUE, DROPPED},
    {"version-ident", NULL, TRUTH, DROPPED},
    {"frandom-seed", NULL, VALUE, DROPPED},
    {"split-compile", NULL, VALUE, DROPPED},
    {"minimal", NULL, NONE, DROPPED},
    {"no-cache", NULL, NONE, DROPPED},
    {"pch", NULL, NONE, DROPPED},
    {"create-pch", NULL, VALUE, DROPPED},
    {"use-pch", NULL, VALUE, DROPPED},
    {"pch-dir", NULL, VALUE, DROPPED},
    {"pch-verbose", NULL, TRUTH, DROPPED},
    {"pch-messages", NULL, TRUTH, DROPPED},
    {"instantiate-templates-in-pch", NULL, TRUTH, DROPPED},
    {NULL, NULL, NONE, DROPPED},
};

/* What nvcc has beside them. The host compiler that it would use is not the one that is used here. */
/* clang-format off */
static const rule nvcc_rules[] = {
    {"gpu-code", "code", VALUE, DROPPED}, {"generate-code", "gencode", VALUE, DROPPED},
    {"expt-relaxed-constexpr", NULL, NONE, DROPPED},
    {"expt-extended-lambda", NULL, NONE, DROPPED}, {"extended-lambda", NULL, NONE, DROPPED},
    {"compiler-bindir", "ccbin", VALUE, DROPPED}, {"cudart", NULL, VALUE, DROPPED},
    {"allow-unsupported-compiler", NULL, NONE, DROPPED}, {"Wno-deprecated-gpu-targets", NULL, NONE, DROPPED},
    {"debug", "g", NONE, DROPPED}, {"machine", "m", VALUE, DROPPED}, {"m64", NULL, NONE, DROPPED},
    {"O0", NULL, NONE, DROPPED}, {"O1", NULL, NONE, DROPPED}, {"O2", NULL, NONE, DROPPED}, {"O3", NULL, NONE, DROPPED},
    {"cubin", NULL, NONE, DROPPED}, {"ptx", NULL, NONE, DROPPED}, {"fatbin", NULL, NONE, DROPPED},
    {NULL, NULL, NONE, DROPPED},
};
/* clang-format on */

typedef struct builder {
    tb_host_options *o;
    const tb_module_source *source;
    size_t used; /* bytes of room */
} builder;

static void put(builder *b, const char *prefix, const char *text)
{
    size_t n = strlen(prefix), m = strlen(text) + 1;
    char *at = b->o->room + b->used;
    memcpy(at, prefix, n);
    memcpy(at + n, text, m);
    b->used += n + m;
    b->o->argv[b->o->n++] = at;
}

static tb_status refuse(const builder *b, const char *what, const char *option)
{
    return tb__fail(TB_ERR_COMPILE, "%s was not compiled: %s %s; the options are those of %s, also on the CPU",
                    b->source->name ? b->source->name : "kernel.cu", what, option, b->source->nvcc ? "nvcc" : "NVRTC");
}

/* NAME, NAME=VALUE or NAME(ARGUMENTS)=VALUE. */
static void define(builder *b, const char *macro)
{
    size_t n = strcspn(macro, "=");
    tb__text_addf(&b->o->defines, "#define %.*s %s\n", (int)n, macro, macro[n] ? macro + n + 1 : "1");
}

static bool is_one_of(const char *const *names, const char *name)
{
    while (*names && strcmp(*names, name) != 0) names++;
    return *names != NULL;
}

static const rule *find_rule(const rule *r, const char *name, size_t n)
{
    for (; r->name; r++) {
        if (strlen(r->name) == n && memcmp(r->name, name, n) == 0) return r;
        if (r->other && strlen(r->other) == n && memcmp(r->other, name, n) == 0) return r;
    }
    return NULL;
}

static tb_status apply(builder *b, const rule *r, const char *option, const char *value)
{
    static const char *const standards[] = {"c++03", "c++11", "c++14", "c++17", "c++20", "c++23", NULL};
    static const char *const fast[] = {"0", "min", "mid", "max", NULL};
    static const char *const truths[] = {"true", "false", NULL};
    if (r->takes == TRUTH && !is_one_of(truths, value))
        return refuse(b, "true or false is expected as the value of", option);
    switch (r->does) {
    case STANDARD:
        if (!is_one_of(standards, value))
            return refuse(b, "c++03, 11, 14, 17, 20 or 23 is expected as the value of", option);
        /* With GNU's additions: before C++17 our headers' hexadecimal numbers are among them. */
        put(b, "-std=gnu++", strcmp(value, "c++03") == 0 ? "11" : value + 3);
        break;
    case FAST_MATH:
        put(b, "-ffp-contract=fast", "");
        put(b, "-freciprocal-math", "");
        break;
    case FAST_COMPILE:
        if (!is_one_of(fast, value)) return refuse(b, "0, min, mid or max is expected as the value of", option);
        if (strcmp(value, "mid") == 0) put(b, "-O2", "");
        if (strcmp(value, "max") == 0) put(b, "-O1", "");
        break;
    case CONTRACTION: put(b, "-ffp-contract=", strcmp(value, "true") == 0 ? "fast" : "off"); break;
    case NO_WARNINGS: put(b, "-w", ""); break;
    case INCLUDE: /* first, but after our headers */
        if (strchr(value, '"')) return refuse(b, "the file's name cannot contain quotes in", option);
        tb__text_addf(&b->o->defines, "#include \"%s\"\n", value);
        break;
    case DROPPED: break;
    }
    return TB_OK;
}

/* *taken: how many words; 0: it is none of these. */
static tb_status take_letter(builder *b, const char *const *words, int n, int *taken)
{
    static const struct {
        const char *name;
        char letter;
    } known[] = {{"define-macro", 'D'}, {"undefine-macro", 'U'}, {"include-path", 'I'}};
    const char *value = NULL;
    size_t k = 0;
    while (k < 3 && (*taken = tb__option_letter(words, n, known[k].name, known[k].letter, &value)) == 0) k++;
    if (k == 3) return TB_OK;
    if (!value || !*value) return refuse(b, "an argument is expected of", words[0]);
    if (k == 0) define(b, value);
    else if (k == 1) tb__text_addf(&b->o->defines, "#undef %s\n", value);
    else put(b, "-I", value);
    return TB_OK;
}

static tb_status take(builder *b, const char *const *words, int n, int *taken)
{
    const char *o = words[0], *name = o + strspn(o, "-");
    size_t len = strcspn(name, "=");
    TB_TRY(take_letter(b, words, n, taken));
    if (*taken) return TB_OK;
    const rule *r = name - o == 1 || name - o == 2 ? find_rule(nvrtc_rules, name, len) : NULL;
    if (!r && b->source->nvcc && name > o) r = find_rule(nvcc_rules, name, len);
    if (!r) return refuse(b, "unrecognized option", o);
    *taken = 1;
    if (name[len] == '=') return r->takes ? apply(b, r, o, name + len + 1) : refuse(b, "no argument is expected of", o);
    if (r->takes == NONE) return apply(b, r, o, "");
    if (n < 2) return refuse(b, "an argument is expected of", o);
    *taken = 2;
    return apply(b, r, o, words[1]);
}

tb_status tb__host_options_of(const tb_module_source *source, tb_host_options *out)
{
    size_t room = 1;
    *out = (tb_host_options){0};
    for (int i = 0; i < source->noption; i++) room += strlen(source->options[i]) + 64;
    out->room = malloc(room);
    out->argv = calloc(2 * (size_t)source->noption + 1, sizeof *out->argv);
    tb_status status = TB_OK;
    if (!out->room || !out->argv) status = tb__fail(TB_ERR_MEMORY, "out of host memory for a compiler's options");
    builder b = {out, source, 0};
    for (int i = 0, taken = 0; i < source->noption && status == TB_OK; i += taken)
        status = take(&b, source->options + i, source->noption - i, &taken);
    if (status == TB_OK && out->defines.failed)
        status = tb__fail(TB_ERR_MEMORY, "out of host memory for a compiler's options");
    if (status != TB_OK) tb__host_options_free(out);
    return status;
}

void tb__host_options_free(tb_host_options *o)
{
    free(o->argv);
    free(o->room);
    tb__text_free(&o->defines);
    *o = (tb_host_options){0};
}
