/* options.c - the options of NVRTC and nvcc, as users give them, in the spelling of g++ and clang++.
 *
 * What only concerns a GPU is dropped: architectures, register counts, assembler options, debug information. Fast math
 * allows contraction and reciprocals but keeps NaN and infinity, as it does in CUDA. What is not known goes to the
 * compiler as it is. */
#include <stdlib.h>
#include <string.h>

#include "backend/cpu/user/user.h"

typedef struct rule {
    const char *name;   /* without its leading dashes */
    const char *gives;  /* prefix of the value, or the whole option where there is no value; NULL: dropped */
    bool value;         /* follows "=", or is the next option */
} rule;

static const rule rules[] = {
    {"std", "-std=", true},
    {"define-macro", "-D", true},
    {"undefine-macro", "-U", true},
    {"include-path", "-I", true},
    {"use_fast_math", "fast", false},
    {"fmad", "fmad", true},
    {"disable-warnings", "-w", false},
    {"gpu-architecture", NULL, true}, {"arch", NULL, true},
    {"gpu-code", NULL, true}, {"code", NULL, true}, {"gencode", NULL, true}, {"generate-code", NULL, true},
    {"maxrregcount", NULL, true},
    {"relocatable-device-code", NULL, true}, {"rdc", NULL, true},
    {"device-c", NULL, false}, {"dc", NULL, false}, {"device-w", NULL, false}, {"dw", NULL, false},
    {"ftz", NULL, true}, {"prec-div", NULL, true}, {"prec-sqrt", NULL, true},
    {"device-debug", NULL, false}, {"G", NULL, false},
    {"generate-line-info", NULL, false}, {"lineinfo", NULL, false},
    {"device-as-default-execution-space", NULL, false}, {"default-device", NULL, false},
    {"dopt", NULL, true}, {"Ofast-compile", NULL, true},
    {"ptxas-options", NULL, true}, {"Xptxas", NULL, true},
    {"dlink-time-opt", NULL, false}, {"dlto", NULL, false},
    {"extra-device-vectorization", NULL, false}, {"extensible-whole-program", NULL, false}, {"ewp", NULL, false},
    {"restrict", NULL, false}, {"minimal", NULL, false}, {"no-cache", NULL, false},
    {"display-error-number", NULL, false}, {"err-no", NULL, false}, {"no-display-error-number", NULL, false},
    {"diag-suppress", NULL, true}, {"diag-error", NULL, true}, {"diag-warn", NULL, true},
    {"modify-stack-limit", NULL, true}, {"builtin-move-forward", NULL, true},
    {"builtin-initializer-list", NULL, true}, {"version-ident", NULL, true}, {"split-compile", NULL, true},
    {"expt-relaxed-constexpr", NULL, false}, {"expt-extended-lambda", NULL, false}, {"extended-lambda", NULL, false},
    {"cudart", NULL, true}, {"ccbin", NULL, true}, {"compiler-bindir", NULL, true},
    {"jitify", NULL, false}, {"cubin", NULL, false}, {"ptx", NULL, false}, {"fatbin", NULL, false},
    {NULL, NULL, false},
};

typedef struct builder {
    tb_host_options *o;
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

/* NAME, NAME=VALUE or NAME(ARGUMENTS)=VALUE. */
static void define(builder *b, const char *macro)
{
    size_t n = strcspn(macro, "=");
    tb__text_addf(&b->o->defines, "#define %.*s %s\n", (int)n, macro, macro[n] ? macro + n + 1 : "1");
}

static void undefine(builder *b, const char *macro) { tb__text_addf(&b->o->defines, "#undef %s\n", macro); }

static const rule *find_rule(const char *name, size_t n)
{
    for (const rule *r = rules; r->name; r++)
        if (strlen(r->name) == n && memcmp(r->name, name, n) == 0) return r;
    return NULL;
}

static void apply(builder *b, const rule *r, const char *value)
{
    if (!r->gives) return;
    if (strcmp(r->gives, "fast") == 0) {
        put(b, "-ffp-contract=fast", "");
        put(b, "-freciprocal-math", "");
    } else if (strcmp(r->gives, "fmad") == 0) {
        put(b, "-ffp-contract=", strcmp(value, "true") == 0 ? "fast" : "off");
    } else if (strcmp(r->gives, "-D") == 0) {
        define(b, value);
    } else if (strcmp(r->gives, "-U") == 0) {
        undefine(b, value);
    } else if (strcmp(r->name, "std") == 0) {
        put(b, "-std=", strcmp(value, "c++03") == 0 ? "c++11" : value);
    } else {
        put(b, r->gives, r->value ? value : "");
    }
}

/* Options of one letter, whose value may be the next option. Returns how many were taken; 0: it is none of these. */
static int take_short(builder *b, const char *const *options, int n)
{
    const char *o = options[0];
    if (o[0] != '-' || !o[1] || !strchr("DUI", o[1])) return 0;
    bool apart = !o[2];
    if (apart && n < 2) return 1;
    const char *value = apart ? options[1] : o + 2;
    if (o[1] == 'D') define(b, value);
    else if (o[1] == 'U') undefine(b, value);
    else put(b, "-I", value);
    return apart ? 2 : 1;
}

/* A file that is included first, after our headers. */
static int take_include(builder *b, const char *const *options, int n)
{
    static const char *const names[] = {"-include", "--pre-include", NULL};
    for (const char *const *name = names; *name; name++) {
        size_t len = strlen(*name);
        const char *o = options[0];
        if (strncmp(o, *name, len) != 0 || (o[len] && o[len] != '=')) continue;
        const char *file = o[len] ? o + len + 1 : n > 1 ? options[1] : "";
        tb__text_addf(&b->o->defines, "#include \"%s\"\n", file);
        return o[len] ? 1 : 2;
    }
    return 0;
}

/* Returns how many options were taken. */
static int take(builder *b, const char *const *options, int n)
{
    const char *o = options[0], *name = o + strspn(o, "-");
    size_t len = strcspn(name, "=");
    int taken = take_short(b, options, n);
    if (!taken) taken = take_include(b, options, n);
    if (taken) return taken;
    const rule *r = o == name ? NULL : find_rule(name, len);
    if (!r) return put(b, o, ""), 1;
    if (name[len] == '=') return apply(b, r, name + len + 1), 1;
    if (!r->value) return apply(b, r, ""), 1;
    if (n < 2) return 1;
    return apply(b, r, options[1]), 2;
}

tb_status tb__host_options_of(const tb_module_source *source, tb_host_options *out)
{
    size_t room = 1;
    *out = (tb_host_options){0};
    for (int i = 0; i < source->noption; i++) room += strlen(source->options[i]) + 64;
    out->room = malloc(room);
    out->argv = calloc(2 * (size_t)source->noption + 1, sizeof *out->argv);
    if (!out->room || !out->argv) {
        tb__host_options_free(out);
        return tb__fail(TB_ERR_MEMORY, "out of host memory for a compiler's options");
    }
    builder b = {out, 0};
    for (int i = 0; i < source->noption;) i += take(&b, source->options + i, source->noption - i);
    if (out->defines.failed) {
        tb__host_options_free(out);
        return tb__fail(TB_ERR_MEMORY, "out of host memory for a compiler's options");
    }
    return TB_OK;
}

void tb__host_options_free(tb_host_options *o)
{
    free(o->argv);
    free(o->room);
    tb__text_free(&o->defines);
    *o = (tb_host_options){0};
}
