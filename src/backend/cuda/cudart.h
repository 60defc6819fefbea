/* cudart.h - inside src/backend/cuda: what the parts of CUDA's run-time interface share.
 *
 *   cudart.c   memory, devices, other processes
 *   mempool.c  the driver's pools
 *   texture.c  arrays, copies of their parts, texture and surface objects */
#ifndef TB_BACKEND_CUDA_CUDART_H
#define TB_BACKEND_CUDA_CUDART_H
#include "backend/cuda/device.h"

tb_status tb__cuda_too_old(const char *what);
tb_status tb__cuda_device_id(int64_t device, CUdevice *out);
static inline void *tb__address(int64_t v) { return (void *)(intptr_t)v; }

/* Returns the status of a driver function that an old driver may lack; TRY_CALL returns only if it fails. */
#define CALL(function, ...)                                                      \
    do {                                                                         \
        if (!tb__cu.function) return tb__cuda_too_old(#function);                \
        return tb__cuda_check(TB_CU_RESULT(function, __VA_ARGS__), #function);   \
    } while (0)
#define TRY_CALL(function, ...)                                                  \
    do {                                                                         \
        if (!tb__cu.function) return tb__cuda_too_old(#function);                \
        TB_CU(function, __VA_ARGS__);                                            \
    } while (0)

/* Type of memory, device, the address there and on the host. */
tb_status tb__cuda_pointer_attributes(int64_t ptr, int64_t *out);
tb_status tb__cuda_mempool(tb_runtime_op op, const int64_t *in, int64_t *out);
tb_status tb__cuda_texture(tb_runtime_op op, const int64_t *in, int64_t *out);
#endif
