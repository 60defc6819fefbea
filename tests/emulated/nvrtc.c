/* nvrtc.c - a libnvrtc without CUDA: kernels are compiled for the host, by what compiles user kernels on the CPU. The
 * machine code is a shared library, which is an ELF file as a CUBIN is. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backend/cpu/user/user.h"
#include "backend/cuda/abi.h"

#define EXPORT __attribute__((visibility("default")))

enum { MOST_OPTIONS = 128, MOST_EXPRESSIONS = 256, INVALID_INPUT = 3, NO_LOWERED_NAME = 11 };

struct _nvrtcProgram {
    char *source, *name, *log;
    char *expressions[MOST_EXPRESSIONS];
    int nexpression;
    bool lto;
    tb_image image;
};

EXPORT nvrtcResult nvrtcVersion(int *major, int *minor)
{
    *major = 13, *minor = 0;
    return NVRTC_SUCCESS;
}

static const int archs[] = {75, 80, 86, 89, 90, 100};
enum { ARCHS = sizeof archs / sizeof *archs };

EXPORT nvrtcResult nvrtcGetNumSupportedArchs(int *n)
{
    *n = ARCHS;
    return NVRTC_SUCCESS;
}

EXPORT nvrtcResult nvrtcGetSupportedArchs(int *out)
{
    memcpy(out, archs, sizeof archs);
    return NVRTC_SUCCESS;
}

/* The headers are those that come with kernels on the CPU. */
EXPORT nvrtcResult nvrtcCreateProgram(nvrtcProgram *program, const char *source, const char *name, int nheader,
                                      const char *const *headers, const char *const *names)
{
    (void)nheader, (void)headers, (void)names;
    nvrtcProgram p = calloc(1, sizeof *p);
    if (!p) return 1;
    p->source = strdup(source);
    p->name = strdup(name ? name : "default_program");
    *program = p;
    return NVRTC_SUCCESS;
}

EXPORT nvrtcResult nvrtcDestroyProgram(nvrtcProgram *program)
{
    nvrtcProgram p = *program;
    for (int i = 0; i < p->nexpression; i++) free(p->expressions[i]);
    free(p->source);
    free(p->name);
    free(p->log);
    free(p->image.data);
    free(p);
    *program = NULL;
    return NVRTC_SUCCESS;
}

EXPORT nvrtcResult nvrtcAddNameExpression(nvrtcProgram p, const char *expression)
{
    if (p->nexpression == MOST_EXPRESSIONS) return INVALID_INPUT;
    p->expressions[p->nexpression++] = strdup(expression);
    return NVRTC_SUCCESS;
}

/* Kernels of the CPU go by the expressions themselves. */
EXPORT nvrtcResult nvrtcGetLoweredName(nvrtcProgram p, const char *expression, const char **name)
{
    for (int i = 0; i < p->nexpression; i++) {
        if (strcmp(p->expressions[i], expression) != 0) continue;
        *name = p->expressions[i];
        return NVRTC_SUCCESS;
    }
    return NO_LOWERED_NAME;
}

/* Code that is linked later: its functions can be found by their names. */
static char *with_symbols(const char *source)
{
    static const char before[] = "#pragma GCC visibility push(default)\n#line 1\n";
    char *text = malloc(sizeof before + strlen(source));
    if (text) strcpy(stpcpy(text, before), source);
    return text;
}

EXPORT nvrtcResult nvrtcCompileProgram(nvrtcProgram p, int noption, const char *const *options)
{
    const char *all[MOST_OPTIONS + 2];
    char *messages = NULL;
    if (noption > MOST_OPTIONS) return INVALID_INPUT;
    for (int i = 0; i < noption; i++) {
        all[i] = options[i];
        if (strcmp(options[i], "-dlto") == 0) p->lto = true;
    }
    char *text = p->lto ? with_symbols(p->source) : strdup(p->source);
    all[noption] = "--Ofast-compile=max";
    all[noption + 1] = "-D__CUDACC_RTC__";
    const tb_module_source source = {sizeof(tb_module_source),
                                     .code = text,
                                     .name = p->name,
                                     .noption = noption + 2,
                                     .options = all,
                                     .nexpression = p->nexpression,
                                     .expressions = (const char *const *)p->expressions};
    const tb_status status = tb__host_compile(&source, &messages, &p->image);
    free(text);
    free(p->log);
    p->log = status == TB_OK ? messages : strdup(tb_error_message());
    if (status != TB_OK) free(messages);
    return status == TB_OK ? NVRTC_SUCCESS : NVRTC_ERROR_COMPILATION;
}

static nvrtcResult get_size(nvrtcProgram p, bool lto, size_t *size)
{
    *size = p->image.size;
    return p->image.data && p->lto == lto ? NVRTC_SUCCESS : INVALID_INPUT;
}

static nvrtcResult get(nvrtcProgram p, bool lto, char *out)
{
    if (!p->image.data || p->lto != lto) return INVALID_INPUT;
    memcpy(out, p->image.data, p->image.size);
    return NVRTC_SUCCESS;
}

EXPORT nvrtcResult nvrtcGetCUBINSize(nvrtcProgram p, size_t *size) { return get_size(p, false, size); }
EXPORT nvrtcResult nvrtcGetCUBIN(nvrtcProgram p, char *out) { return get(p, false, out); }
EXPORT nvrtcResult nvrtcGetLTOIRSize(nvrtcProgram p, size_t *size) { return get_size(p, true, size); }
EXPORT nvrtcResult nvrtcGetLTOIR(nvrtcProgram p, char *out) { return get(p, true, out); }

/* The driver takes either. */
EXPORT nvrtcResult nvrtcGetPTXSize(nvrtcProgram p, size_t *size) { return nvrtcGetCUBINSize(p, size); }
EXPORT nvrtcResult nvrtcGetPTX(nvrtcProgram p, char *out) { return nvrtcGetCUBIN(p, out); }

EXPORT nvrtcResult nvrtcGetProgramLogSize(nvrtcProgram p, size_t *size)
{
    *size = p->log ? strlen(p->log) + 1 : 1;
    return NVRTC_SUCCESS;
}

EXPORT nvrtcResult nvrtcGetProgramLog(nvrtcProgram p, char *out)
{
    strcpy(out, p->log ? p->log : "");
    return NVRTC_SUCCESS;
}
