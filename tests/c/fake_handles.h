/* fake_handles.h - what the files of the driver without a GPU share: its handles, and checks of what it is given.
 *
 * fake_cuda.c is devices, memory, streams, events and graphs; fake_kernels.c kernels that do nothing, and in its place
 * tests/emulated/kernels.c kernels that run on the host. */
#ifndef TB_TESTS_FAKE_HANDLES_H
#define TB_TESTS_FAKE_HANDLES_H
#include <stddef.h>

#include "backend/cuda/abi_cudart.h"
#include "fake_cuda.h"

#define EXPORT __attribute__((visibility("default")))

enum { INVALID_VALUE = 1, INVALID_IMAGE = 200, INVALID_HANDLE = 400, ILLEGAL_ADDRESS = 700, NOT_SUPPORTED = 801 };

typedef struct handle {
    char kind; /* 's', 'e', 'm', 'f', 'd': device memory, 'h': host memory, others; 0: free */
    void *ptr; /* memory; of an event its stream, of what is emulated what it is there */
    size_t size;
    char name[128];
    int capture; /* of a stream: 1 it is recorded, 2 that has failed */
    unsigned flags;
    struct handle *next; /* free, or the next of the memory */
} handle;

handle *fake_handle_new(char kind);
/* Of memory, which goes by its address. */
handle *fake_memory_new(char kind, void *ptr, size_t size);
/* NULL: p is no handle of the kind that is alive. */
handle *fake_handle_find(const void *p, char kind);
void fake_handle_free(handle *h);
/* The handles of a kind, one after the other; NULL first and last. */
handle *fake_handle_next(handle *h, char kind);
/* Whether [p, p + n) lies within one allocation of the kind. */
int fake_within(const void *p, size_t n, char kind);

/* Counts a call that no program should make. */
CUresult fake_wrong(const char *what);
int fake_is_stream(CUstream s);
/* Work is put into a stream. */
CUresult fake_enqueue(CUstream s);
int fake_has_context(void);
/* Whether work may be recorded: kernels that compute do so at once, or not at all. */
extern const int fake_records;

#define TRY(call) do { CUresult tried = (call); if (tried != CUDA_SUCCESS) return tried; } while (0)
#endif
