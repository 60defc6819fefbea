/* nvcc.c - user code to machine code by the toolkit's nvcc, which knows the host's headers as well. It runs in a
 * private folder, without a shell. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backend/cuda/module.h"
#include "backend/compile/folder.h"
#include "backend/compile/listing.h"
#include "backend/compile/process.h"
#include "base/error.h"

enum { FIXED = 12, PATH_SIZE = 512, LOG_IN_MESSAGE = 3500 };

static bool has_arch(const tb_module_source *s)
{
    for (int i = 0; i < s->noption; i++)
        if (strncmp(s->options[i], "-arch", 5) == 0 || strncmp(s->options[i], "--gpu-arch", 10) == 0 ||
            strncmp(s->options[i], "-gencode", 8) == 0)
            return true;
    return false;
}

/* -dc says where nvcc stops, which -cubin does already: what it means beyond that is -rdc=true. */
static tb_status run(const char *nvcc, const tb_module_source *s, int arch, const tb_folder *folder, int *status)
{
    char arch_option[32], in[PATH_SIZE], out[PATH_SIZE], log[PATH_SIZE];
    const char **argv = calloc((size_t)s->noption + FIXED, sizeof *argv);
    int n = 0;
    if (!argv) return tb__fail_memory(FIXED * sizeof *argv, 0, 0, 0);
    snprintf(arch_option, sizeof arch_option, "-arch=sm_%d", arch);
    snprintf(in, sizeof in, "%s/kernel.cu", folder->path);
    snprintf(out, sizeof out, "%s/kernel.cubin", folder->path);
    snprintf(log, sizeof log, "%s/log", folder->path);
    argv[n++] = nvcc;
    argv[n++] = "-cubin";
    if (!has_arch(s)) argv[n++] = arch_option;
    for (int i = 0; i < s->noption; i++)
        if (strcmp(s->options[i], "-dc") != 0 && strcmp(s->options[i], "--device-c") != 0) argv[n++] = s->options[i];
        else argv[n++] = "-rdc=true";
    argv[n++] = in;
    argv[n++] = "-o";
    argv[n++] = out;
    const tb_process process = {.path = nvcc, .argv = argv, .log = log, .folder = folder->path};
    tb_status result = tb__process_run(&process, status);
    free(argv);
    return result;
}

static bool is_relocatable(const tb_module_source *s)
{
    for (int i = 0; i < s->noption; i++)
        if (strcmp(s->options[i], "-dc") == 0 || strcmp(s->options[i], "--device-c") == 0 ||
            strcmp(s->options[i], "-rdc=true") == 0 || strcmp(s->options[i], "--relocatable-device-code=true") == 0)
            return true;
    return false;
}

static tb_status fail_compile(const char *nvcc, const tb_module_source *s, const char *log)
{
    tb_text listing = {0};
    tb__listing_add(&listing, s->code, log, s->name ? s->name : "kernel.cu");
    tb_status status = tb__fail(TB_ERR_COMPILE, "%s could not compile %s:\n%.*s\nThe source:\n%s", nvcc,
                                s->name ? s->name : "kernel.cu", LOG_IN_MESSAGE, log, listing.s ? listing.s : "");
    tb__text_free(&listing);
    return status;
}

static tb_status compile_in(const char *nvcc, const tb_module_source *s, int arch, const tb_folder *folder, char **log,
                            tb_image *code)
{
    tb_text text = {0};
    tb_image said = {0};
    int status = 0;
    tb__text_add(&text, "#line 1 ");
    tb__text_add_quoted(&text, s->name ? s->name : "kernel.cu");
    tb__text_addf(&text, "\n%s\n", s->code);
    tb_status result =
        text.failed ? tb__fail_memory(text.len, 0, 0, 0) : tb__folder_write(folder, "kernel.cu", text.s, text.len);
    tb__text_free(&text);
    TB_TRY(result);
    TB_TRY(run(nvcc, s, arch, folder, &status));
    if (tb__folder_read(folder, "log", &said) != TB_OK) said = (tb_image){NULL, 0};
    const char *messages = said.data ? (const char *)said.data : "";
    result = status == 0 ? tb__folder_read(folder, "kernel.cubin", code) : fail_compile(nvcc, s, messages);
    if (log) *log = strdup(messages);
    free(said.data);
    return result;
}

/* What would write somewhere else, run what was compiled, or read more options. */
static tb_status check_options(const tb_module_source *s)
{
    /* clang-format off */
    static const char *const refused[] = {
        "o", "output-file", "odir", "output-directory", "optf", "options-file", "run", "run-args", "save-temps", "keep",
        "keep-dir", "objdir-as-tempdir", "dryrun", "clean-targets", "M", "MM", "MD", "MMD", "MF",
        "generate-dependencies", "generate-dependencies-with-compile", "dependency-output", "link", "lib", "time",
        "fdevice-time-trace"};
    /* clang-format on */
    for (int i = 0; i < s->noption; i++) {
        const char *name = s->options[i] + strspn(s->options[i], "-");
        size_t n = strcspn(name, "=");
        for (size_t k = 0; k < sizeof refused / sizeof *refused; k++)
            if (name > s->options[i] && strlen(refused[k]) == n && strncmp(name, refused[k], n) == 0)
                return tb__fail(TB_ERR_COMPILE, "%s was not compiled: the option %s has no place in a module's",
                                s->name ? s->name : "kernel.cu", s->options[i]);
    }
    return TB_OK;
}

tb_status tb__nvcc_compile(const tb_module_source *source, int arch, char **log, tb_user_image *out)
{
    char nvcc[TB_TOOLKIT_PATH];
    tb_folder folder;
    tb_image code = {0};
    if (source->nexpression)
        return tb__fail(TB_ERR_VALUE, "name expressions need NVRTC: nvcc does not tell mangled names");
    TB_TRY(check_options(source));
    if (!tb__toolkit_program("nvcc", nvcc))
        return tb__fail(TB_ERR_LIBRARY, "nvcc was not found on the PATH, in CUDA_PATH or in /usr/local/cuda: install"
                                        " the CUDA toolkit, or compile with NVRTC (backend='nvrtc')");
    TB_TRY(tb__folder_make(&folder));
    tb_status status = compile_in(nvcc, source, arch, &folder, log, &code);
    tb__folder_remove(&folder);
    if (status == TB_OK && is_relocatable(source)) status = tb__cuda_link(&code, true);
    if (status == TB_OK) status = tb__user_image_make(0, NULL, &code, out);
    free(code.data);
    return status;
}
