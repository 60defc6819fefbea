/* dl_tensor.h - DLPack's structures, those of the standard's C header, version 1.0, and what is taken from them. */
#ifndef TB_CONVENIENCES_DL_TENSOR_H
#define TB_CONVENIENCES_DL_TENSOR_H
#include "conveniences/foreign.h"

enum { DL_CPU = 1, DL_CUDA = 2, DL_CUDA_HOST = 3, DL_CUDA_MANAGED = 13 };
enum { DL_INT, DL_UINT, DL_FLOAT, DL_BFLOAT = 4, DL_COMPLEX = 5, DL_BOOL = 6 };
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

struct DLManagedTensor {
    dl_tensor tensor;
    void *context;
    void (*deleter)(struct DLManagedTensor *);
};

struct DLManagedTensorVersioned {
    struct {
        uint32_t major, minor;
    } version;
    void *context;
    void (*deleter)(struct DLManagedTensorVersioned *);
    uint64_t flags;
    dl_tensor tensor;
};

/* What a tensor describes, wherever it is; NULL, or what is wrong with it. */
const char *tb__dl_read(const dl_tensor *x, tb_foreign *out);
#endif
