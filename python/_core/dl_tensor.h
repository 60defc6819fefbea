/* dl_tensor.h - DLPack's structures, those of the standard's C header, version 1.0, and what is taken from them.
 * Nothing of Python, so that tests can reach it. */
#ifndef TBPY_DL_TENSOR_H
#define TBPY_DL_TENSOR_H
#include "tombac/tombac.h"

enum { DL_CPU = 1, DL_CUDA = 2, DL_CUDA_HOST = 3, DL_CUDA_MANAGED = 13 };
enum { DL_INT, DL_UINT, DL_FLOAT, DL_COMPLEX = 5, DL_BOOL = 6 };
enum { DL_READ_ONLY = 1, DL_COPIED = 2 };

typedef struct dl_tensor {
    void *data;
    struct {
        int32_t type, id;
    } device;
    int32_t ndim;
    struct {
        uint8_t code, bits;
        uint16_t lanes;
    } dtype;
    int64_t *shape, *strides; /* in elements; strides NULL: C order */
    uint64_t byte_offset;
} dl_tensor;

typedef struct dl_managed {
    dl_tensor tensor;
    void *context;
    void (*deleter)(struct dl_managed *);
} dl_managed;

typedef struct dl_versioned {
    struct {
        uint32_t major, minor;
    } version;
    void *context;
    void (*deleter)(struct dl_versioned *);
    uint64_t flags;
    dl_tensor tensor;
} dl_versioned;

/* Foreign memory seen as an array: bytes [first + lo, first + hi) hold its elements. */
typedef struct tbpy_memory {
    char *first;
    bool read_only;
    tb_dtype dtype;
    int ndim;
    int64_t shape[TB_MAXDIM], strides[TB_MAXDIM], lo, hi; /* strides in bytes */
} tbpy_memory;

/* C order. False where the shape is larger than memory can be. */
bool tbpy_memory_fill_strides(tbpy_memory *m);
/* Sets lo and hi from the rest. False where there is no such memory: a null pointer with a size, or one that would
 * reach around the end of all addresses. */
bool tbpy_memory_extent(tbpy_memory *m);

/* What a tensor describes, wherever it is; NULL, or what is wrong with it. */
const char *tbpy_dl_read(const dl_tensor *x, tbpy_memory *out);
#endif
