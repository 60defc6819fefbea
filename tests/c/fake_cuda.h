/* fake_cuda.h - what tests look at and change of the driver of fake_cuda.c, and how they open it. */
#ifndef TB_TESTS_FAKE_CUDA_H
#define TB_TESTS_FAKE_CUDA_H
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

typedef struct fake_cuda {
    int launches, early, loads, allocs, frees, streams, events, records, waits, queries, synchronisations;
    int pinned_copies;
    int pools; /* of the driver's own, not destroyed yet */
    uint64_t pool_used;
    size_t capacity, used;
    char last_kernel[128];
    int errors; /* calls with wrong arguments */
    int aborts; /* at the first of them */
    int devices, arch;
    void *captured; /* a stream that somebody else captures */
    int broken;     /* events cannot be recorded */
    int late;       /* copies from pinned memory happen when they are waited for */
    int lag;        /* 1: what streams write shows only after a synchronisation; 2: they do not take such orders */
} fake_cuda;
extern fake_cuda fake_cuda_state; /* the driver's own; tests have it from fake_cuda_open */

/* Opens libcuda.so.1 of a folder, where the library is to find it too. NULL: it is not there. */
static inline fake_cuda *fake_cuda_open(const char *folder)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/libcuda.so.1", folder);
    void *driver = dlopen(path, RTLD_NOW);
    setenv("TOMBAC_BACKEND", "cuda", 1);
    setenv("TOMBAC_LIBRARY_PATH", folder, 1);
    return driver ? dlsym(driver, "fake_cuda_state") : NULL;
}

/* Runs this program again, with the folder and a mode as its arguments; its exit status, or -1. */
static inline int fake_cuda_spawn(const char *self, const char *folder, const char *mode)
{
    const pid_t child = fork();
    if (child == 0) {
        execl(self, self, folder, mode, (char *)NULL);
        _exit(127);
    }
    int status = -1;
    return waitpid(child, &status, 0) == child && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}
#endif
