/* nvrtc.h - the runtime compiler for tests: many kernel bodies in one translation unit, any message is a failure. */
#ifndef TB_TESTS_NVRTC_H
#define TB_TESTS_NVRTC_H
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct nvrtc_api {
    int (*create)(void **program, const char *source, const char *name, int n, const char *const *headers,
                  const char *const *names);
    int (*compile)(void *program, int n, const char *const *options);
    int (*log_size)(void *program, size_t *n);
    int (*log)(void *program, char *text);
    int (*destroy)(void **program);
} nvrtc_api;

/* False where there is no NVRTC. */
static inline int nvrtc_open(nvrtc_api *api)
{
    static const char *const names[] = {
        "libnvrtc.so", "libnvrtc.so.13", "libnvrtc.so.12", "/usr/local/cuda/lib64/libnvrtc.so", NULL,
    };
    void *lib = NULL;
    for (int k = 0; names[k] && !lib; k++) lib = dlopen(names[k], RTLD_NOW);
    if (!lib) return 0;
    *(void **)&api->create = dlsym(lib, "nvrtcCreateProgram");
    *(void **)&api->compile = dlsym(lib, "nvrtcCompileProgram");
    *(void **)&api->log_size = dlsym(lib, "nvrtcGetProgramLogSize");
    *(void **)&api->log = dlsym(lib, "nvrtcGetProgramLog");
    *(void **)&api->destroy = dlsym(lib, "nvrtcDestroyProgram");
    return api->create && api->compile && api->log_size && api->log && api->destroy;
}

/* Compiles for the architecture ("sm_90") with the options given (NULL-terminated). What the compiler has to say goes
 * to stderr; returns 1 if that was nothing. */
static inline int nvrtc_compile(const nvrtc_api *api, const char *source, const char *arch, const char *const *options)
{
    const char *all[16];
    char gpu[64];
    void *program;
    size_t n = 0;
    int count = 1;
    snprintf(gpu, sizeof gpu, "--gpu-architecture=%s", arch);
    all[0] = gpu;
    while (*options) all[count++] = *options++;
    if (api->create(&program, source, "test.cu", 0, NULL, NULL) != 0) return 0;
    int ok = api->compile(program, count, all) == 0;
    if (api->log_size(program, &n) == 0 && n > 1) {
        char *text = malloc(n);
        if (text && api->log(program, text) == 0) fprintf(stderr, "%s: %s\n", arch, text);
        free(text);
        ok = 0;
    }
    api->destroy(&program);
    return ok;
}
#endif
