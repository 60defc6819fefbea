/* link.c - the linker of the emulated GPU: one object, which is whole already, is what it makes. */
#include "fake_handles.h"

#include <stdlib.h>
#include <string.h>

enum { NO_BINARY = 209 };

EXPORT CUresult cuLinkCreate_v2(unsigned int noption, CUjit_option *options, void **values, CUlinkState *state)
{
    (void)noption, (void)options, (void)values;
    *state = (CUlinkState)fake_handle_new('l');
    return CUDA_SUCCESS;
}

EXPORT CUresult cuLinkAddData_v2(CUlinkState state, CUjitInputType type, void *data, size_t size, const char *name,
                                 unsigned int noption, CUjit_option *options, void **values)
{
    (void)type, (void)name, (void)noption, (void)options, (void)values;
    handle *h = fake_handle_find(state, 'l');
    if (!h) return fake_wrong("cuLinkAddData");
    if (h->ptr || !(h->ptr = malloc(size))) return NO_BINARY;
    memcpy(h->ptr, data, size);
    h->size = size;
    return CUDA_SUCCESS;
}

EXPORT CUresult cuLinkAddFile_v2(CUlinkState state, CUjitInputType type, const char *path, unsigned int noption,
                                 CUjit_option *options, void **values)
{
    (void)type, (void)path, (void)noption, (void)options, (void)values;
    return fake_handle_find(state, 'l') ? CUDA_SUCCESS : fake_wrong("cuLinkAddFile");
}

EXPORT CUresult cuLinkComplete(CUlinkState state, void **cubin, size_t *size)
{
    const handle *h = fake_handle_find(state, 'l');
    if (!h) return fake_wrong("cuLinkComplete");
    if (!h->ptr) return NO_BINARY;
    *cubin = h->ptr;
    *size = h->size;
    return CUDA_SUCCESS;
}

EXPORT CUresult cuLinkDestroy(CUlinkState state)
{
    handle *h = fake_handle_find(state, 'l');
    if (!h) return fake_wrong("cuLinkDestroy");
    free(h->ptr);
    fake_handle_free(h);
    return CUDA_SUCCESS;
}
