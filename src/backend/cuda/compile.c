/* compile.c - source to machine code, by NVRTC. No state but what NVRTC supports, which is asked for once. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backend/cuda/compile.h"
#include "backend/compile/listing.h"
#include "base/error.h"

enum { MAX_ARCHS = 128, MAX_OPTIONS = 32 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int archs[MAX_ARCHS], narch;
static bool minimal; /* NVRTC can leave out language features that no kernel uses, which saves it a few milliseconds */
static bool hurries; /* and optimisations, which saves it about half its time */

tb_status tb__nvrtc_check(nvrtcResult result, const char *call)
{
    if (result == NVRTC_SUCCESS) return TB_OK;
    return tb__fail(TB_ERR_COMPILE, "%s failed with NVRTC's error %d (%s)", call, result, tb__library_nvrtc.path);
}
#define TB_NVRTC(function, ...) tb__nvrtc_check(tb__nvrtc.function(__VA_ARGS__), #function)

static tb_status read_archs(void)
{
    int n = 0, major, minor, all[MAX_ARCHS];
    TB_TRY(TB_NVRTC(nvrtcVersion, &major, &minor));
    TB_TRY(TB_NVRTC(nvrtcGetNumSupportedArchs, &n));
    if (n <= 0 || n > MAX_ARCHS) return tb__fail(TB_ERR_COMPILE, "NVRTC says that it supports %d architectures", n);
    TB_TRY(TB_NVRTC(nvrtcGetSupportedArchs, all));
    memcpy(archs, all, sizeof archs);
    minimal = major > 12 || (major == 12 && minor >= 4);
    hurries = major >= 13;
    narch = n;
    return TB_OK;
}

/* The newest architecture that NVRTC knows and the chip runs: the chip's own one, or its PTX is what to compile to. */
tb_status tb__cuda_choose_arch(int arch, int *chosen)
{
    pthread_mutex_lock(&mutex);
    tb_status status = narch ? TB_OK : read_archs();
    pthread_mutex_unlock(&mutex);
    if (status != TB_OK) return status;
    int best = 0, oldest = archs[0];
    for (int i = 0; i < narch; i++) {
        if (archs[i] <= arch && archs[i] > best) best = archs[i];
        if (archs[i] < oldest) oldest = archs[i];
    }
    if (!best)
        return tb__fail(TB_ERR_COMPILE,
                        "the NVRTC at %s supports compute capability %d.%d and newer, and the device"
                        " has %d.%d: install an older NVRTC, such as nvidia-cuda-nvrtc-cu12",
                        tb__library_nvrtc.path, oldest / 10, oldest % 10, arch / 10, arch % 10);
    *chosen = best;
    return TB_OK;
}

/* What read_archs finds out besides. */
static bool knows(const bool *feature)
{
    pthread_mutex_lock(&mutex);
    if (!narch && read_archs() != TB_OK) narch = 0;
    const bool known = *feature;
    pthread_mutex_unlock(&mutex);
    return known;
}

bool tb__nvrtc_minimal(void) { return knows(&minimal); }
bool tb__nvrtc_hurries(void) { return knows(&hurries); }

char *tb__nvrtc_log(nvrtcProgram program)
{
    size_t size = 0;
    char *log = NULL;
    if (tb__nvrtc.nvrtcGetProgramLogSize(program, &size) == NVRTC_SUCCESS && size > 0) log = calloc(1, size + 1);
    if (log && tb__nvrtc.nvrtcGetProgramLog(program, log) != NVRTC_SUCCESS) log[0] = 0;
    return log;
}

static tb_status fail_compile(nvrtcProgram program, nvrtcResult result, const char *source, const char *arch)
{
    tb_text t = {0};
    char *log = tb__nvrtc_log(program);
    tb__listing_add(&t, source, log, "tombac.cu");
    tb_status status = tb__fail(TB_ERR_COMPILE, "NVRTC could not compile a kernel (error %d, %s):\n%s\nThe source:\n%s",
                                result, arch, log ? log : "", t.s ? t.s : "");
    free(log);
    tb__text_free(&t);
    return status;
}

tb_status tb__nvrtc_fetch(nvrtcProgram program, tb_nvrtc_form form, tb_image *out)
{
    static const char *const names[] = {"nvrtcGetPTX", "nvrtcGetCUBIN", "nvrtcGetLTOIR"};
    const tb_nvrtc_table *f = &tb__nvrtc;
    nvrtcResult (*const sizes[])(nvrtcProgram, size_t *) = {f->nvrtcGetPTXSize, f->nvrtcGetCUBINSize,
                                                            f->nvrtcGetLTOIRSize};
    nvrtcResult (*const codes[])(nvrtcProgram, char *) = {f->nvrtcGetPTX, f->nvrtcGetCUBIN, f->nvrtcGetLTOIR};
    size_t size = 0;
    if (!sizes[form] || !codes[form]) return tb__fail(TB_ERR_NOT_IMPLEMENTED, "this NVRTC has no %s", names[form]);
    TB_TRY(tb__nvrtc_check(sizes[form](program, &size), names[form]));
    char *data = calloc(1, size + 1);
    if (!data) return tb__fail_memory(size, 0, 0, 0);
    tb_status status = tb__nvrtc_check(codes[form](program, data), names[form]);
    if (status != TB_OK) {
        free(data);
        return status;
    }
    *out = (tb_image){(unsigned char *)data, size};
    return TB_OK;
}

static tb_status compile(nvrtcProgram program, const char *source, int arch, bool hasty, tb_image *out)
{
    char arch_option[48];
    const char *options[MAX_OPTIONS];
    int n = 0, known = 0;
    TB_TRY(tb__cuda_choose_arch(arch, &known));
    bool cubin = known == arch;
    snprintf(arch_option, sizeof arch_option, "--gpu-architecture=%s_%d", cubin ? "sm" : "compute", known);
    options[n++] = arch_option;
    if (minimal) options[n++] = "--minimal";
    if (hasty && hurries) options[n++] = "--Ofast-compile=mid";
    for (const char *const *o = tb__codegen_options; *o && n < MAX_OPTIONS; o++) options[n++] = *o;
    nvrtcResult result = tb__nvrtc.nvrtcCompileProgram(program, n, options);
    if (result != NVRTC_SUCCESS) return fail_compile(program, result, source, arch_option);
    return tb__nvrtc_fetch(program, cubin ? TB_NVRTC_CUBIN : TB_NVRTC_PTX, out);
}

tb_status tb__cuda_compile(const char *source, int arch, bool hasty, tb_image *out)
{
    nvrtcProgram program = NULL;
    TB_TRY(tb__library_load(&tb__library_nvrtc));
    TB_TRY(TB_NVRTC(nvrtcCreateProgram, &program, source, "tombac.cu", 0, NULL, NULL));
    tb_status status = compile(program, source, arch, hasty, out);
    tb__nvrtc.nvrtcDestroyProgram(&program);
    return status;
}
