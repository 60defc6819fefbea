/* user_compile.c - user code to machine code, by NVRTC with the user's options.
 *
 * What a plain kernel needs is little: no header is read unless the source includes one, and language features that
 * NVRTC can leave out are left out where the source cannot be using them, which makes it quicker by milliseconds. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backend/cuda/compile.h"
#include "backend/cuda/module.h"
#include "backend/compile/listing.h"
#include "base/error.h"
#include "codegen/kernel_text.h"

/* ---- headers that a source may include without a toolkit -------------------------------------------------------- */

static bool includes_headers(const tb_module_source *s) { return strstr(s->code, "include") != NULL; }

/* The own headers as NVRTC takes them; none for a source that includes nothing. */
typedef struct header_set {
    int n;
    const char *names[TB_OWN_HEADERS], *texts[TB_OWN_HEADERS];
    tb_text storage[TB_OWN_HEADERS];
} header_set;

static tb_status gather_headers(const tb_module_source *s, header_set *set)
{
    set->n = 0;
    for (const tb_own_header *h = tb__own_headers; h->path && includes_headers(s); h++) {
        tb_text text = {0};
        tb__own_header_add(h, s, &text);
        if (text.failed) return tb__fail_memory(text.len, 0, 0, 0);
        set->names[set->n] = h->path;
        set->texts[set->n] = text.s ? text.s : "";
        set->storage[set->n++] = text;
    }
    return TB_OK;
}

static void free_headers(header_set *set)
{
    for (int i = 0; i < set->n; i++) tb__text_free(&set->storage[i]);
}

/* ---- options ---------------------------------------------------------------------------------------------------- */

static bool starts(const char *text, const char *with) { return strncmp(text, with, strlen(with)) == 0; }

static bool has_option(const tb_module_source *s, const char *const *spellings)
{
    for (int i = 0; i < s->noption; i++)
        for (const char *const *p = spellings; *p; p++)
            if (starts(s->options[i], *p)) return true;
    return false;
}

static bool is_relocatable(const tb_module_source *s)
{
    static const char *const spellings[] = {"-dc", "--device-c", "-rdc=true", "--relocatable-device-code=true", NULL};
    return has_option(s, spellings);
}

/* An architecture of the user's own replaces the device's. */
static bool names_architecture(const tb_module_source *s)
{
    static const char *const spellings[] = {"-arch", "--gpu-architecture", NULL};
    return has_option(s, spellings);
}

/* Whether the user's architecture is virtual, so that NVRTC makes PTX. */
static bool wants_ptx(const tb_module_source *s)
{
    for (int i = 0; i < s->noption; i++)
        if (strstr(s->options[i], "compute_")) return true;
    return false;
}

/* Whether a name in the code may begin so ("texture", not "constexpr"). */
static bool begins_name(const char *code, const char *with)
{
    for (const char *s = code; (s = strstr(s, with)) != NULL; s++)
        if (s == code || !isalnum((unsigned char)s[-1])) return true;
    return false;
}

/* Textures, surfaces, types of the runtime's interface and launches from kernels are what --minimal leaves out. */
static bool may_be_minimal(const tb_module_source *s)
{
    static const char *const names[] = {"include", "cuda", "tex", "surf"};
    if (!tb__nvrtc_minimal() || is_relocatable(s) || strstr(s->code, "<<<")) return false;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (begins_name(s->code, names[i])) return false;
    for (int i = 0; i < s->noption; i++)
        if (starts(s->options[i], "-include") || starts(s->options[i], "--pre-include")) return false;
    return true;
}

typedef struct option_list {
    int n;
    const char **v;
    char arch[48];
    tb_toolkit_dirs *dirs;
    char *include; /* -I options of the toolkit's folders, TB_TOOLKIT_PATH + 2 apart */
} option_list;

static void free_options(option_list *o)
{
    free(o->v);
    free(o->dirs);
    free(o->include);
}

static tb_status make_options(const tb_module_source *s, int known, bool cubin, bool minimal, option_list *o)
{
    enum { STRIDE = TB_TOOLKIT_PATH + 2 };
    *o = (option_list){.v = calloc((size_t)s->noption + TB_TOOLKIT_DIRS + 4, sizeof *o->v)};
    if (includes_headers(s)) {
        o->dirs = calloc(1, sizeof *o->dirs);
        o->include = malloc((size_t)TB_TOOLKIT_DIRS * STRIDE);
    }
    if (!o->v || (includes_headers(s) && (!o->dirs || !o->include))) {
        free_options(o);
        return tb__fail_memory(STRIDE, 0, 0, 0);
    }
    snprintf(o->arch, sizeof o->arch, "--gpu-architecture=%s_%d", cubin ? "sm" : "compute", known);
    if (!names_architecture(s)) o->v[o->n++] = o->arch;
    if (minimal) o->v[o->n++] = "--minimal";
    for (int i = 0; i < s->noption; i++) o->v[o->n++] = s->options[i];
    if (!o->dirs) return TB_OK;
    tb__toolkit_includes(o->dirs); /* behind the user's own folders */
    for (int i = 0; i < o->dirs->n; i++) {
        char *text = o->include + (size_t)i * STRIDE;
        snprintf(text, STRIDE, "-I%s", o->dirs->dir[i]);
        o->v[o->n++] = text;
    }
    return TB_OK;
}

/* ---- compiling -------------------------------------------------------------------------------------------------- */

static const char *file_name(const tb_module_source *s) { return s->name ? s->name : "kernel.cu"; }

static tb_status fail_compile(const tb_module_source *s, nvrtcResult result, const char *log, const char *arch)
{
    enum { LOG_IN_MESSAGE = 3500 };
    static const char *const missing[] = {"could not open source file", "cannot open source file", NULL};
    tb_text listing = {0};
    const char *hint = "";
    for (const char *const *m = missing; *m; m++)
        if (strstr(log, *m))
            hint = "Headers of CUDA come with a toolkit (set CUDA_PATH) or with pip install nvidia-cuda-runtime"
                   " (CUDA 13) or nvidia-cuda-runtime-cu12 (CUDA 12), those of cuRAND with nvidia-curand or"
                   " nvidia-curand-cu12; folders of your own are named by -I.\n";
    tb__listing_add(&listing, s->code, log, file_name(s));
    tb_status status = tb__fail(TB_ERR_COMPILE, "NVRTC could not compile %s (error %d, %s):\n%.*s\n%sThe source:\n%s",
                                file_name(s), result, arch, LOG_IN_MESSAGE, log, hint, listing.s ? listing.s : "");
    tb__text_free(&listing);
    return status;
}

/* The lowered names and the code of a program that was compiled. */
static tb_status take_image(nvrtcProgram program, const tb_module_source *s, tb_nvrtc_form form, tb_user_image *out)
{
    tb_image code = {0};
    const char **names = calloc((size_t)s->nexpression + 1, sizeof *names);
    tb_status status = names ? tb__nvrtc_fetch(program, form, &code) : tb__fail_memory(0, 0, 0, 0);
    if (status == TB_OK && is_relocatable(s) && form != TB_NVRTC_LTO)
        status = tb__cuda_link(&code, form == TB_NVRTC_CUBIN);
    for (int i = 0; i < s->nexpression && status == TB_OK; i++)
        status = tb__nvrtc_check(tb__nvrtc.nvrtcGetLoweredName(program, s->expressions[i], &names[i]),
                                 "nvrtcGetLoweredName");
    if (status == TB_OK) status = tb__user_image_make(s->nexpression, names, &code, out);
    free(code.data);
    free(names);
    return status;
}

static tb_status compile_program(nvrtcProgram program, const tb_module_source *s, int arch, bool minimal, bool lto,
                                 char **log, tb_user_image *out)
{
    option_list o;
    int known = 0;
    TB_TRY(tb__cuda_choose_arch(arch, &known));
    bool cubin = names_architecture(s) ? !wants_ptx(s) : known == arch;
    const tb_nvrtc_form form = lto ? TB_NVRTC_LTO : cubin ? TB_NVRTC_CUBIN : TB_NVRTC_PTX;
    for (int i = 0; i < s->nexpression; i++)
        TB_TRY(tb__nvrtc_check(tb__nvrtc.nvrtcAddNameExpression(program, s->expressions[i]), "nvrtcAddNameExpression"));
    TB_TRY(make_options(s, known, cubin, minimal, &o));
    nvrtcResult result = tb__nvrtc.nvrtcCompileProgram(program, o.n, o.v);
    char *messages = tb__nvrtc_log(program);
    tb_status status = result == NVRTC_SUCCESS ? take_image(program, s, form, out)
                                               : fail_compile(s, result, messages ? messages : "", o.arch);
    if (log) {
        free(*log);
        *log = messages;
    } else {
        free(messages);
    }
    free_options(&o);
    return status;
}

static tb_status compile(const tb_module_source *s, const header_set *set, int arch, bool minimal, bool lto, char **log,
                         tb_user_image *out)
{
    nvrtcProgram program = NULL;
    TB_TRY(
        tb__nvrtc_check(tb__nvrtc.nvrtcCreateProgram(&program, s->code, file_name(s), set->n, set->texts, set->names),
                        "nvrtcCreateProgram"));
    tb_status status = compile_program(program, s, arch, minimal, lto, log, out);
    tb__nvrtc.nvrtcDestroyProgram(&program);
    return status;
}

/* What fails without the features left out is compiled with them: if they were missing it works, and if not the
 * messages are those of the full language. */
static tb_status compile_user(const tb_module_source *source, int arch, bool lto, char **log, tb_user_image *out)
{
    header_set set;
    TB_TRY(tb__library_load(&tb__library_nvrtc));
    tb_status status = gather_headers(source, &set);
    bool minimal = may_be_minimal(source);
    if (status == TB_OK) status = compile(source, &set, arch, minimal, lto, log, out);
    if (status == TB_ERR_COMPILE && minimal) status = compile(source, &set, arch, false, lto, log, out);
    free_headers(&set);
    return status;
}

tb_status tb__nvrtc_compile(const tb_module_source *source, int arch, char **log, tb_user_image *out)
{
    return compile_user(source, arch, false, log, out);
}

tb_status tb__nvrtc_compile_lto(const tb_module_source *source, int arch, tb_user_image *out)
{
    return compile_user(source, arch, true, NULL, out);
}

bool tb__nvrtc_identity(const tb_module_source *source, tb_name_hash *h)
{
    char text[TB_TOOLKIT_PATH];
    tb_toolkit_dirs dirs = {.n = 0};
    if (!tb__library_identity(&tb__library_nvrtc, text, sizeof text)) return false;
    tb__name_add_text(h, text);
    if (!includes_headers(source)) return true;
    tb_text headers = {0};
    for (const tb_own_header *own = tb__own_headers; own->path; own++) tb__own_header_add(own, NULL, &headers);
    if (headers.s) tb__name_add(h, headers.s, headers.len);
    tb__text_free(&headers);
    tb__toolkit_includes(&dirs);
    for (int i = 0; i < dirs.n; i++) tb__name_add_text(h, dirs.dir[i]);
    return true;
}
