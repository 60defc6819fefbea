/* compiler.c - the system's C++ compiler: which one, and how it is run.
 *
 * TOMBAC_CXX or CXX name it, with arguments if need be; else c++, g++ or clang++ on the PATH. It is started without a
 * shell, in a private folder. A source whose kernels or shared memory come out of macros or the user's own headers goes
 * through the preprocessor first. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "backend/cpu/loops/loops.h"
#include "backend/cpu/user/user.h"
#include "backend/compile/listing.h"
#include "backend/compile/process.h"
#include "base/lock.h"

enum { MOST_WORDS = 16, MOST_FIXED = 72, PATH_SIZE = 1024, LOG_SIZE = 16 << 10, LOG_IN_MESSAGE = 4000 };

typedef struct compiler {
    char *words[MOST_WORDS + 1]; /* the command, split at spaces */
    int nword;
    char text[PATH_SIZE]; /* where the words are */
    char path[PATH_SIZE]; /* of the first word; "" if it is nowhere */
    char identity[2 * PATH_SIZE];
} compiler;

static pthread_once_t once = PTHREAD_ONCE_INIT;
static compiler found;

/* ---- finding it ----------------------------------------------------------------------------------------------- */

static bool is_program(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 && S_ISREG(st.st_mode) && access(path, X_OK) == 0;
}

static bool on_path(const char *name, char *path)
{
    const char *dirs = getenv("PATH");
    if (strchr(name, '/')) {
        snprintf(path, PATH_SIZE, "%s", name);
        return is_program(path);
    }
    for (const char *d = dirs ? dirs : "/usr/local/bin:/usr/bin:/bin"; *d;) {
        size_t n = strcspn(d, ":");
        if (n > 0 && (size_t)snprintf(path, PATH_SIZE, "%.*s/%s", (int)n, d, name) < PATH_SIZE && is_program(path))
            return true;
        d += n + (d[n] == ':');
    }
    return false;
}

/* A program is told from another of its name by its file's size and time. */
static void add_identity(compiler *c, const char *word)
{
    char path[PATH_SIZE];
    struct stat st;
    size_t at = strlen(c->identity);
    if (on_path(word, path) && stat(path, &st) == 0)
        snprintf(c->identity + at, sizeof c->identity - at, "%s %lld %lld %lld;", path, (long long)st.st_size,
                 (long long)st.st_mtime, (long long)st.st_ino);
    else snprintf(c->identity + at, sizeof c->identity - at, "%s;", word);
}

static bool try_command(const char *command)
{
    compiler *c = &found;
    char *save = NULL;
    snprintf(c->text, sizeof c->text, "%s", command);
    c->nword = 0;
    for (char *w = strtok_r(c->text, " \t", &save); w && c->nword < MOST_WORDS; w = strtok_r(NULL, " \t", &save))
        c->words[c->nword++] = w;
    return c->nword > 0 && on_path(c->words[0], c->path);
}

static void find_compiler(void)
{
    const char *chosen = getenv("TOMBAC_CXX");
    if (!chosen || !*chosen) chosen = getenv("CXX");
    bool good =
        chosen && *chosen ? try_command(chosen) : try_command("c++") || try_command("g++") || try_command("clang++");
    if (!good) {
        found.path[0] = 0;
        return;
    }
    for (int i = 0; i < found.nword; i++) add_identity(&found, found.words[i]);
}

static tb_status get_compiler(const compiler **out)
{
    pthread_once(&once, find_compiler);
    if (!found.path[0])
        return tb__fail(TB_ERR_LIBRARY,
                        "user kernels on the CPU need a C++ compiler, and %s: install g++ (Debian,"
                        " Ubuntu: build-essential; Fedora: gcc-c++) or clang, or set TOMBAC_CXX to one",
                        found.nword ? "the one that TOMBAC_CXX or CXX names is not there"
                                    : "none of c++, g++ and clang++ is on the PATH");
    *out = &found;
    return TB_OK;
}

void tb__host_compiler_show(tb_text *out)
{
    const compiler *c;
    if (get_compiler(&c) == TB_OK) tb__text_addf(out, "C++ compiler           : %s (TOMBAC_CXX)\n", c->path);
    else tb__text_add(out, "C++ compiler           : none; user kernels need one (TOMBAC_CXX)\n");
}

/* ---- flags ------------------------------------------------------------------------------------------------------- */

/* clang-format off */
static const char *const flags[] = {
    "-x", "c++", "-std=c++17", "-O3", "-fPIC", "-shared", "-nostdlib", "-pipe", "-fwrapv", "-fno-math-errno",
    "-fno-trapping-math", "-ffp-contract=off", "-fno-exceptions", "-fno-asynchronous-unwind-tables",
    "-fno-strict-aliasing", "-fvisibility=hidden", "-fno-threadsafe-statics", "-fno-semantic-interposition",
    "-fno-stack-protector", "-fdiagnostics-color=never", "-fno-show-column", "-Ulinux", "-Uunix", NULL};
/* Kernels have the instructions that the library's own loops have, whatever else this processor may do: the choice of
 * the environment counts for both, and so does an emulator's word. Each set has those above it too. By features, since
 * compilers before gcc 11 and clang 12 do not know the levels' names. */
static const struct {
    const char *isa, *flags[10];
} instructions[] = {
#ifdef __x86_64__
    {"base", {"-march=x86-64", "-mcx16", "-msahf", "-mpopcnt", "-msse3", "-mssse3", "-msse4.1", "-msse4.2"}},
    {"avx2", {"-mavx", "-mavx2", "-mbmi", "-mbmi2", "-mf16c", "-mfma", "-mlzcnt", "-mmovbe", "-mxsave"}},
    {"avx512", {"-mavx512f", "-mavx512bw", "-mavx512cd", "-mavx512dq", "-mavx512vl"}},
#else
    {"base", {NULL}},
#endif
};
enum { MOST_INSTRUCTIONS = sizeof instructions / sizeof *instructions };
/* clang-format on */
/* What the standard headers may need, the larger one only if they do. */
static const char *const libraries[] = {"-Wl,--as-needed", "-lstdc++", "-lm", "-lc", "-lgcc", NULL};
/* Of g++ alone. */
static const char *const gnu_flags[] = {"-w", "-fno-gnu-unique", "-fno-diagnostics-show-caret", NULL};
static const char *const clang_flags[] = {"-Wno-everything", "-W#pragma-messages", "-fno-caret-diagnostics",
                                          "-Qunused-arguments", NULL};

static bool is_clang(const compiler *c)
{
    char real[PATH_MAX];
    for (int i = 0; i < c->nword; i++)
        if (strstr(c->words[i], "clang")) return true;
    return realpath(c->path, real) && strstr(real, "clang") != NULL;
}

static int add_instructions(const char **argv)
{
    int n = 0;
    for (int i = 0; i < MOST_INSTRUCTIONS; i++) {
        for (const char *const *p = instructions[i].flags; *p; p++) argv[n++] = *p;
        if (strcmp(instructions[i].isa, tb__cpu_isa()) == 0) break;
    }
    return n;
}

/* ---- names ---------------------------------------------------------------------------------------------------- */

static tb_name_hash fixed; /* what does not depend on the source */
static pthread_once_t fixed_once = PTHREAD_ONCE_INIT;

static void hash_fixed(void)
{
    const char *instruction[MOST_FIXED];
    const int ninstruction = add_instructions(instruction);
    tb__name_start(&fixed);
    tb__name_add_text(&fixed, "host compiler");
    tb__name_add_text(&fixed, found.identity);
    for (int i = 0; i < ninstruction; i++) tb__name_add_text(&fixed, instruction[i]);
    tb__host_headers_hash(&fixed);
    for (const char *const *p = is_clang(&found) ? clang_flags : gnu_flags; *p; p++) tb__name_add_text(&fixed, *p);
    for (const char *const *p = flags; *p; p++) tb__name_add_text(&fixed, *p);
}

tb_status tb__host_compiler_name(const tb_module_source *source, tb_kernel_name *out)
{
    const compiler *c;
    TB_TRY(get_compiler(&c));
    pthread_once(&fixed_once, hash_fixed);
    tb_name_hash h;
    tb__source_name(source, &h);
    tb__name_add(&h, fixed.h, sizeof fixed.h);
    tb__name_end(&h, out);
    return TB_OK;
}

/* ---- running it ----------------------------------------------------------------------------------------------- */

/* A kernel's headers are those of its source and its options, which the name in the cache covers. */
static const char *const include_variables[] = {"CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH", NULL};

/* Runs the compiler on `in`; the last arguments say what to make. */
static tb_status run_compiler(const compiler *c, const tb_host_options *o, const tb_folder *f, const char *in,
                              const char *out, bool preprocess, int *status)
{
    char include[PATH_SIZE], from[PATH_SIZE], to[PATH_SIZE], log[PATH_SIZE];
    const char **argv = calloc((size_t)c->nword + (size_t)o->n + MOST_FIXED + 16, sizeof *argv);
    int n = 0;
    if (!argv) return tb__fail(TB_ERR_MEMORY, "out of host memory starting %s", c->path);
    snprintf(include, sizeof include, "%s/include", f->path);
    snprintf(from, sizeof from, "%s/%s", f->path, in);
    snprintf(to, sizeof to, "%s/%s", f->path, out);
    snprintf(log, sizeof log, "%s/log", f->path);
    for (int i = 0; i < c->nword; i++) argv[n++] = c->words[i];
    for (const char *const *p = flags; *p; p++) argv[n++] = *p;
    n += add_instructions(&argv[n]);
    for (const char *const *p = is_clang(c) ? clang_flags : gnu_flags; *p; p++) argv[n++] = *p;
    if (is_clang(c) && tb__host_vector_math()) argv[n++] = "-fveclib=libmvec";
    for (int i = 0; i < o->n; i++) argv[n++] = o->argv[i];
    argv[n++] = "-isystem", argv[n++] = include;
    if (preprocess) argv[n++] = "-E";
    argv[n++] = from, argv[n++] = "-o", argv[n++] = to;
    for (const char *const *p = libraries; *p && !preprocess; p++) argv[n++] = *p;
    const tb_process process = {
        .path = c->path, .argv = argv, .log = log, .folder = f->path, .without = include_variables};
    tb_status result = tb__process_run(&process, status);
    free(argv);
    return result;
}

static const char *text_of(const tb_text *t) { return t->s ? t->s : ""; }

static tb_status fail_compile(const compiler *c, const tb_module_source *source, const char *messages)
{
    tb_text t = {0}, hint = {0};
    tb__listing_add(&t, source->code, messages, source->name ? source->name : "kernel.cu");
    tb__host_hint(source->code, &hint);
    tb_status status =
        tb__fail(TB_ERR_COMPILE, "%s could not compile %s:\n%s%.*s\nThe source:\n%s", c->path,
                 source->name ? source->name : "a kernel", text_of(&hint), LOG_IN_MESSAGE, messages, text_of(&t));
    tb__text_free(&t);
    tb__text_free(&hint);
    return status;
}

/* Reads what the compiler said into *log (appended), and fails if it failed. */
static tb_status check(const compiler *c, const tb_module_source *source, const tb_folder *f, int status, char **log)
{
    tb_image said = {0};
    if (tb__folder_read(f, "log", &said) != TB_OK) said = (tb_image){NULL, 0};
    const char *text = said.data ? (const char *)said.data : "";
    tb_status result = status == 0 ? TB_OK : fail_compile(c, source, text);
    if (log) {
        free(*log);
        *log = strdup(text);
    }
    free(said.data);
    return result;
}

/* ---- compiling ------------------------------------------------------------------------------------------------ */

/* What follows this line of the preprocessed source is the user's. */
static const char divider[] = "#pragma tb_user_source\n";

/* The source with its headers' text in it, and with CUDA's words still words. */
static tb_status preprocess(const compiler *c, const tb_host_options *o, const tb_module_source *source,
                            const tb_folder *f, char **log, tb_image *out)
{
    tb_text in = {0}, prelude = {0};
    int status;
    tb_status result = TB_OK;
    tb__text_addf(&in, "#include <tb_prelude.h>\n%s", divider);
    tb__text_add(&in, text_of(&o->defines));
    tb__text_add(&in, "#line 1 ");
    tb__text_add_quoted(&in, source->name ? source->name : "kernel.cu");
    tb__text_addf(&in, "\n%s\n", source->code);
    tb__host_prelude(source->code, text_of(&o->defines), &prelude);
    if (in.failed || prelude.failed) result = tb__fail(TB_ERR_MEMORY, "out of host memory compiling a kernel");
    if (result == TB_OK) result = tb__folder_write(f, "include/tb_prelude.h", prelude.s, prelude.len);
    if (result == TB_OK) result = tb__folder_write(f, "in.cpp", in.s, in.len);
    if (result == TB_OK) result = run_compiler(c, o, f, "in.cpp", "in.ii", true, &status);
    if (result == TB_OK) result = check(c, source, f, status, log);
    if (result == TB_OK) result = tb__folder_read(f, "in.ii", out);
    tb__text_free(&in);
    tb__text_free(&prelude);
    return result;
}

static tb_status add_expanded(const compiler *c, const tb_host_options *o, const tb_module_source *source,
                              const tb_folder *f, char **log, tb_text *out)
{
    tb_image expanded;
    TB_TRY(preprocess(c, o, source, f, log, &expanded));
    const char *text = (const char *)expanded.data, *users = strstr(text, divider);
    tb_status status = TB_OK;
    if (users) {
        tb__text_addn(out, text, (size_t)(users - text));
        tb__host_words(out);
        status = tb__rewrite(source, users + sizeof divider - 1, true, out, NULL);
    } else {
        status = tb__fail(TB_ERR_COMPILE, "%s lost a pragma when it preprocessed a kernel", c->path);
    }
    free(expanded.data);
    return status;
}

/* What the compiler is given. */
static tb_status make_source(const compiler *c, const tb_host_options *o, const tb_module_source *source,
                             const tb_folder *f, char **log, tb_text *out)
{
    bool macros = false;
    tb_text body = {0};
    tb_status status = tb__rewrite(source, source->code, false, &body, &macros);
    if (status == TB_OK && macros) {
        status = add_expanded(c, o, source, f, log, out);
    } else if (status == TB_OK) {
        tb__host_prelude(source->code, text_of(&o->defines), out);
        tb__host_words(out);
        tb__text_add(out, text_of(&o->defines));
        tb__text_addn(out, body.s, body.len);
    }
    if (status == TB_OK && out->failed) status = tb__fail(TB_ERR_MEMORY, "out of host memory compiling a kernel");
    tb__text_free(&body);
    return status;
}

static tb_status compile_in(const compiler *c, const tb_host_options *o, const tb_module_source *source,
                            const tb_folder *f, char **log, tb_image *out)
{
    tb_text text = {0};
    int status;
    TB_TRY(tb__host_write_headers(f, source));
    tb_status result = make_source(c, o, source, f, log, &text);
    if (result == TB_OK) result = tb__folder_write(f, "kernel.cpp", text.s, text.len);
    tb__text_free(&text);
    TB_TRY(result);
    TB_TRY(run_compiler(c, o, f, "kernel.cpp", "kernel.so", false, &status));
    TB_TRY(check(c, source, f, status, log));
    return tb__folder_read(f, "kernel.so", out);
}

tb_status tb__host_compile(const tb_module_source *source, char **log, tb_image *out)
{
    const compiler *c;
    tb_host_options options;
    tb_folder folder;
    TB_TRY(get_compiler(&c));
    TB_TRY(tb__host_options_of(source, &options));
    tb_status status = tb__folder_make(&folder);
    if (status == TB_OK) {
        status = compile_in(c, &options, source, &folder, log, out);
        tb__folder_remove(&folder);
    }
    tb__host_options_free(&options);
    tb__lock();
    tb__count.compiles += status == TB_OK;
    tb__unlock();
    return status;
}
