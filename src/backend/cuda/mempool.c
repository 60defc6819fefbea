/* mempool.c - the driver's memory pools.
 *
 * A pool that is destroyed while some of its memory is out goes at the first call about pools after that is back. The
 * driver offers as much, but after it (seen with 580.159) other pools end the process with a fault in it, some calls
 * later. */
#include <pthread.h>
#include <stdlib.h>

#include "backend/cuda/cudart.h"
#include "base/error.h"

enum { RELEASE_THRESHOLD = 4, USED_MEM_CURRENT = 7 };

/* Pools that their users have destroyed, and we have not. The mutex is not held during calls of the driver, which may
 * wait for whoever waits for it. */
typedef struct departed {
    struct departed *next;
    CUmemoryPool pool;
} departed;

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static departed *leaving;

/* Attributes up to 3 are ints, later ones 64-bit. */
static tb_status attribute(const int64_t *in, int64_t *out)
{
    uint64_t wide = 0;
    int narrow = 0;
    TRY_CALL(cuMemPoolGetAttribute, tb__address(in[0]), (int)in[1], in[1] <= 3 ? (void *)&narrow : (void *)&wide);
    out[0] = in[1] <= 3 ? narrow : (int64_t)wide;
    return TB_OK;
}

static tb_status set_attribute(const int64_t *in)
{
    uint64_t wide = (uint64_t)in[2];
    int narrow = (int)in[2];
    CALL(cuMemPoolSetAttribute, tb__address(in[0]), (int)in[1], in[1] <= 3 ? (void *)&narrow : (void *)&wide);
}

static bool in_use(CUmemoryPool pool)
{
    uint64_t used = 0;
    return tb__cu.cuMemPoolGetAttribute &&
           TB_CU_RESULT(cuMemPoolGetAttribute, pool, USED_MEM_CURRENT, &used) == CUDA_SUCCESS && used > 0;
}

static void push(departed *d)
{
    pthread_mutex_lock(&mutex);
    d->next = leaving;
    leaving = d;
    pthread_mutex_unlock(&mutex);
}

static bool is_leaving(CUmemoryPool pool)
{
    pthread_mutex_lock(&mutex);
    const departed *d = leaving;
    while (d && d->pool != pool) d = d->next;
    pthread_mutex_unlock(&mutex);
    return d != NULL;
}

static void destroy_unused(void)
{
    pthread_mutex_lock(&mutex);
    departed *next, *d = leaving;
    leaving = NULL;
    pthread_mutex_unlock(&mutex);
    for (; d; d = next) {
        next = d->next;
        if (in_use(d->pool)) {
            push(d);
            continue;
        }
        (void)TB_CU_RESULT(cuMemPoolDestroy, d->pool);
        free(d);
    }
}

/* Has devices whose current pool this is take their own again. False if it is one of these, which stay. */
static bool leave_devices(CUmemoryPool pool)
{
    CUmemoryPool own, now;
    CUdevice id;
    int n = 0;
    if (tb__cuda_device_count(&n) != TB_OK) n = 0;
    for (int d = 0; d < n; d++) {
        if (TB_CU_RESULT(cuDeviceGet, &id, d) != CUDA_SUCCESS) continue;
        if (TB_CU_RESULT(cuDeviceGetDefaultMemPool, &own, id) != CUDA_SUCCESS) continue;
        if (own == pool) return false;
        if (TB_CU_RESULT(cuDeviceGetMemPool, &now, id) == CUDA_SUCCESS && now == pool)
            (void)TB_CU_RESULT(cuDeviceSetMemPool, id, own);
    }
    return true;
}

static tb_status destroy(CUmemoryPool pool)
{
    uint64_t none = 0;
    departed *d;
    if (is_leaving(pool)) return tb__fail_device(1, "memPoolDestroy", "cudaErrorInvalidValue: it is destroyed already");
    if (!in_use(pool) || !leave_devices(pool) || !(d = malloc(sizeof *d))) CALL(cuMemPoolDestroy, pool);
    d->pool = pool;
    push(d);
    CALL(cuMemPoolSetAttribute, pool, RELEASE_THRESHOLD, &none);
}

static tb_status create(const int64_t *in, CUmemoryPool *pool)
{
    const CUmemPoolProps p = {
        .allocType = (int)in[0], .handleTypes = (int)in[1], .location = {.type = (int)in[2], .id = (int)in[3]}};
    TRY_CALL(cuMemPoolCreate, pool, &p);
    return TB_OK;
}

tb_status tb__cuda_mempool(tb_runtime_op op, const int64_t *in, int64_t *out)
{
    CUmemoryPool pool = NULL;
    CUdevice id;
    destroy_unused();
    switch (op) {
    case TB_RT_memPoolDestroy: return destroy(tb__address(in[0]));
    case TB_RT_memPoolTrimTo: CALL(cuMemPoolTrimTo, tb__address(in[0]), (size_t)in[1]);
    case TB_RT_memPoolGetAttribute: return attribute(in, out);
    case TB_RT_memPoolSetAttribute: return set_attribute(in);
    case TB_RT_deviceSetMemPool:
        TB_TRY(tb__cuda_device_id(in[0], &id));
        CALL(cuDeviceSetMemPool, id, tb__address(in[1]));
    case TB_RT_memPoolCreate: TB_TRY(create(in, &pool)); break;
    case TB_RT_deviceGetDefaultMemPool:
        TB_TRY(tb__cuda_device_id(in[0], &id));
        TRY_CALL(cuDeviceGetDefaultMemPool, &pool, id);
        break;
    default: TB_TRY(tb__cuda_device_id(in[0], &id)); TRY_CALL(cuDeviceGetMemPool, &pool, id);
    }
    out[0] = (int64_t)(intptr_t)pool;
    return TB_OK;
}
