/* toolkit.c - where a toolkit's headers, libraries and programs are: beside the NVRTC that is in use, in the other
 * packages of NVIDIA's wheels, in CUDA_PATH, CUDA_HOME or /usr/local/cuda. Nothing of it is needed by sources that
 * include no header of CUDA's. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "backend/cuda/module.h"

/* Adds root/suffix if it is there and new. */
static void add(tb_toolkit_dirs *dirs, const char *root, const char *suffix)
{
    char path[TB_TOOLKIT_PATH], real[4096];
    if ((size_t)snprintf(path, sizeof path, "%s%s", root, suffix) >= sizeof path) return;
    if (!realpath(path, real) || strlen(real) >= sizeof path || dirs->n == TB_TOOLKIT_DIRS) return;
    for (int i = 0; i < dirs->n; i++)
        if (strcmp(dirs->dir[i], real) == 0) return;
    memcpy(dirs->dir[dirs->n++], real, strlen(real) + 1);
}

/* Each of `suffixes` (ends with NULL) under the folder that NVRTC's library is in, and under every toolkit. */
static void add_all(tb_toolkit_dirs *dirs, const char *const *beside, const char *const *suffixes)
{
    char lib[4096];
    if (tb__library_nvrtc.path[0] && realpath(tb__library_nvrtc.path, lib)) {
        *strrchr(lib, '/') = 0;
        for (; *beside; beside++) add(dirs, lib, *beside);
    }
    const char *roots[] = {getenv("CUDA_PATH"), getenv("CUDA_HOME"), "/usr/local/cuda"};
    for (size_t r = 0; r < sizeof roots / sizeof *roots; r++)
        for (const char *const *s = suffixes; *s && roots[r] && *roots[r]; s++) add(dirs, roots[r], *s);
}

void tb__toolkit_includes(tb_toolkit_dirs *out)
{
    static const char *const beside[] = {"/../include",
                                         "/../include/cccl",
                                         "/../../cuda_runtime/include",
                                         "/../../cuda_cccl/include",
                                         "/../../curand/include",
                                         NULL};
    static const char *const suffixes[] = {"/include", "/include/cccl", NULL};
    out->n = 0;
    add_all(out, beside, suffixes);
}

static bool find_in(const tb_toolkit_dirs *dirs, const char *name, int mode, char path[TB_TOOLKIT_PATH])
{
    for (int i = 0; i < dirs->n; i++)
        if ((size_t)snprintf(path, TB_TOOLKIT_PATH, "%s/%s", dirs->dir[i], name) < TB_TOOLKIT_PATH &&
            access(path, mode) == 0)
            return true;
    return false;
}

bool tb__toolkit_library(const char *name, char path[TB_TOOLKIT_PATH])
{
    static const char *const beside[] = {"", "/../../cuda_runtime/lib", "/../../cuda_cudadevrt/lib", NULL};
    static const char *const suffixes[] = {"/lib64", "/lib", "/targets/x86_64-linux/lib", "/targets/sbsa-linux/lib",
                                           NULL};
    tb_toolkit_dirs dirs = {.n = 0};
    add_all(&dirs, beside, suffixes);
    return find_in(&dirs, name, R_OK, path);
}

bool tb__toolkit_program(const char *name, char path[TB_TOOLKIT_PATH])
{
    static const char *const beside[] = {"/../bin", "/../../../bin", "/../../cuda_nvcc/bin", NULL};
    static const char *const suffixes[] = {"/bin", NULL};
    tb_toolkit_dirs dirs = {.n = 0};
    char place[TB_TOOLKIT_PATH];
    for (const char *p = getenv("PATH"); p && *p;) {
        size_t n = strcspn(p, ":");
        if (n > 0 && n < sizeof place) {
            memcpy(place, p, n);
            place[n] = 0;
            snprintf(path, TB_TOOLKIT_PATH, "%.900s/%s", place, name);
            if (access(path, X_OK) == 0) return true;
        }
        p += n + (p[n] == ':');
    }
    add_all(&dirs, beside, suffixes);
    return find_in(&dirs, name, X_OK, path);
}
