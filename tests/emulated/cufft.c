/* cufft.c - the Fourier transforms of the emulated GPU: sums, axis by axis, in double precision, by the layouts of
 * cufftMakePlanMany64. As cuFFT's, its backward transforms to real numbers spoil their input, callbacks are C++
 * functions that are looked for by name and types when a plan is made, and what their transforms compute lies in the
 * output until they store it.
 *
 * EMULATED_CUFFT_LINKS=0: no nvJitLink is there. */
#include <complex.h>
#include <dlfcn.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backend/cpu/user/user.h"
#include "backend/cuda/abi.h"

#define EXPORT __attribute__((visibility("default")))

enum { PLANS = 4096, AXES = 3 };

typedef double _Complex number;

typedef struct side {
    int64_t embed[AXES], stride, dist, n[AXES]; /* n: elements along each axis */
} side;

typedef struct plan {
    bool used, made, manual;
    int rank, type;
    int64_t n[AXES], batch, total;
    side in, out;
    size_t work_size;
    void *work_area;
    struct { /* name, image and infos are the caller's, until the plan is made */
        const char *name;
        const void *image;
        size_t size;
        int type;
        void **infos, *info, *module, *function;
    } callback;
} plan;

static plan plans[PLANS];

static plan *find(cufftHandle handle)
{
    return handle > 0 && handle < PLANS && plans[handle].used ? &plans[handle] : NULL;
}

EXPORT cufftResult cufftCreate(cufftHandle *handle)
{
    for (int i = 1; i < PLANS; i++) {
        if (plans[i].used) continue;
        plans[i] = (plan){.used = true};
        *handle = i;
        return CUFFT_SUCCESS;
    }
    return CUFFT_ALLOC_FAILED;
}

EXPORT cufftResult cufftDestroy(cufftHandle handle)
{
    plan *p = find(handle);
    if (!p) return CUFFT_INVALID_PLAN;
    if (p->callback.module) tb__cpu_module_unload(0, p->callback.module);
    p->used = false;
    return CUFFT_SUCCESS;
}

EXPORT cufftResult cufftGetVersion(int *version)
{
    *version = 12000;
    return CUFFT_SUCCESS;
}

EXPORT cufftResult cufftSetAutoAllocation(cufftHandle handle, int automatic)
{
    plan *p = find(handle);
    if (!p) return CUFFT_INVALID_PLAN;
    p->manual = !automatic;
    return CUFFT_SUCCESS;
}

EXPORT cufftResult cufftSetStream(cufftHandle handle, cudaStream_t stream)
{
    (void)stream;
    return find(handle) ? CUFFT_SUCCESS : CUFFT_INVALID_PLAN;
}

EXPORT cufftResult cufftSetWorkArea(cufftHandle handle, void *area)
{
    plan *p = find(handle);
    if (!p) return CUFFT_INVALID_PLAN;
    p->work_area = area;
    return CUFFT_SUCCESS;
}

enum { CB_REAL = 2, CB_STORES = CUFFT_CB_ST_COMPLEX };

EXPORT cufftResult cufftXtSetJITCallback(cufftHandle handle, const char *name, const void *image, size_t size, int type,
                                         void **info)
{
    plan *p = find(handle);
    if (!p || p->made) return CUFFT_INVALID_PLAN;
    p->callback.name = name;
    p->callback.image = image;
    p->callback.size = size;
    p->callback.type = type;
    p->callback.infos = info;
    return CUFFT_SUCCESS;
}

/* What cuFFT's kernels would be linked with. */
static cufftResult link_callback(plan *p)
{
    static const char *const elements[] = {"6float2", "7double2", "f", "d"};
    const char *links = getenv("EMULATED_CUFFT_LINKS"), *element = elements[p->callback.type % CB_STORES];
    char symbol[128];
    if (links && links[0] == '0') return CUFFT_INTERNAL_ERROR;
    for (int i = 0; i < p->rank; i++)
        for (int64_t n = p->n[i], by = 2; n > 1; by++) {
            while (n % by == 0) n /= by;
            if (by > 127 && n > 1) return CUFFT_NOT_SUPPORTED;
        }
    p->callback.info = p->callback.infos ? p->callback.infos[0] : NULL;
    const bool real = p->callback.type & CB_REAL, stores = p->callback.type & CB_STORES;
    if (real != (stores ? p->type == CUFFT_C2R || p->type == CUFFT_Z2D : p->type == CUFFT_R2C || p->type == CUFFT_D2Z))
        return CUFFT_INVALID_TYPE;
    if (tb__cpu_module_load(0, p->callback.image, p->callback.size, &p->callback.module) != TB_OK)
        return CUFFT_INTERNAL_ERROR;
    snprintf(symbol, sizeof symbol, "_Z%zu%sPvy%sS_S_", strlen(p->callback.name), p->callback.name,
             stores ? element : "");
    p->callback.function = dlsym((void *)tb__cpu_module_handle(p->callback.module), symbol);
    return p->callback.function ? CUFFT_SUCCESS : CUFFT_INTERNAL_ERROR;
}

static bool set_side(side *s, const plan *p, const long long *embed, int64_t stride, int64_t dist, bool halved)
{
    int64_t each = 1;
    for (int i = 0; i < p->rank; i++) {
        s->n[i] = halved && i == p->rank - 1 ? p->n[i] / 2 + 1 : p->n[i];
        s->embed[i] = embed ? embed[i] : s->n[i];
        if (i > 0 && s->embed[i] < s->n[i]) return false;
        each *= s->n[i];
    }
    s->stride = embed ? stride : 1;
    s->dist = embed ? dist : each;
    return s->stride > 0 && s->dist > 0;
}

EXPORT cufftResult cufftMakePlanMany64(cufftHandle handle, int rank, long long int *n, long long int *inembed,
                                       long long int istride, long long int idist, long long int *onembed,
                                       long long int ostride, long long int odist, cufftType type, long long int batch,
                                       size_t *work_size)
{
    plan *p = find(handle);
    if (!p || p->made) return CUFFT_INVALID_PLAN;
    if (rank < 1 || rank > AXES || batch < 1) return CUFFT_INVALID_SIZE;
    p->rank = rank;
    p->type = type;
    p->batch = batch;
    p->total = 1;
    for (int i = 0; i < rank; i++) {
        if (n[i] < 1) return CUFFT_INVALID_SIZE;
        p->n[i] = n[i];
        p->total *= n[i];
    }
    if (!set_side(&p->in, p, inembed, istride, idist, type == CUFFT_C2R || type == CUFFT_Z2D) ||
        !set_side(&p->out, p, onembed, ostride, odist, type == CUFFT_R2C || type == CUFFT_D2Z))
        return CUFFT_INVALID_VALUE;
    if (p->callback.name) {
        const cufftResult result = link_callback(p);
        if (result != CUFFT_SUCCESS) return result;
    }
    p->work_size = *work_size = (size_t)(p->total * 16);
    p->made = true;
    return CUFFT_SUCCESS;
}

/* ---- running ----------------------------------------------------------------------------------------------------- */

static int64_t place(const plan *p, const side *s, int64_t b, const int64_t *x)
{
    int64_t at = x[0];
    for (int i = 1; i < p->rank; i++) at = at * s->embed[i] + x[i];
    return b * s->dist + at * s->stride;
}

/* The place in C order among all points, as its coordinates. */
static void coordinates(const plan *p, int64_t at, int64_t *x)
{
    for (int i = p->rank - 1; i >= 0; i--) {
        x[i] = at % p->n[i];
        at /= p->n[i];
    }
}

static void along(number *values, int64_t n, int64_t step, int direction, number *room)
{
    for (int64_t k = 0; k < n; k++) {
        room[k] = 0;
        for (int64_t j = 0; j < n; j++) {
            const double angle = direction * 2 * M_PI * (double)(j * k % n) / (double)n;
            const double c = cos(angle), s = sin(angle), re = creal(values[j * step]), im = cimag(values[j * step]);
            room[k] += re * c - im * s + (re * s + im * c) * I;
        }
    }
    for (int64_t k = 0; k < n; k++) values[k * step] = room[k];
}

static void transform(const plan *p, number *values, int direction, number *room)
{
    for (int i = 0; i < p->rank; i++) {
        int64_t inner = 1;
        for (int k = i + 1; k < p->rank; k++) inner *= p->n[k];
        for (int64_t at = 0; at < p->total; at++)
            if (at / inner % p->n[i] == 0) along(values + at, p->n[i], inner, direction, room);
    }
}

static number read(const void *p, int64_t at, bool real, bool wide)
{
    if (real) return wide ? ((const double *)p)[at] : (double)((const float *)p)[at];
    return wide ? ((const number *)p)[at] : (number)((const float _Complex *)p)[at];
}

static void write(void *p, int64_t at, bool real, bool wide, number v)
{
    if (real && wide) ((double *)p)[at] = creal(v);
    else if (real) ((float *)p)[at] = (float)creal(v);
    else if (wide) ((number *)p)[at] = v;
    else ((float _Complex *)p)[at] = (float _Complex)v;
}

/* By the callback. Types of two numbers are returned and passed as these are. */
static number load(const plan *p, void *data, int64_t at)
{
    typedef float _Complex single;
    void *f = p->callback.function, *info = p->callback.info;
    const unsigned long long i = (unsigned long long)at;
    if (!f || p->callback.type & CB_STORES) {
        const bool real = p->type == CUFFT_R2C || p->type == CUFFT_D2Z;
        return read(data, at, real, p->type >= CUFFT_Z2Z);
    }
    switch (p->callback.type) {
    case 0: return ((single (*)(void *, unsigned long long, void *, void *))f)(data, i, info, NULL);
    case 1: return ((number (*)(void *, unsigned long long, void *, void *))f)(data, i, info, NULL);
    case 2: return (number)((float (*)(void *, unsigned long long, void *, void *))f)(data, i, info, NULL);
    default: return ((double (*)(void *, unsigned long long, void *, void *))f)(data, i, info, NULL);
    }
}

static void store(const plan *p, void *data, int64_t at, number v)
{
    typedef float _Complex single;
    void *f = p->callback.function, *info = p->callback.info;
    const unsigned long long i = (unsigned long long)at;
    switch (p->callback.type) {
    case 4: ((void (*)(void *, unsigned long long, single, void *, void *))f)(data, i, (single)v, info, NULL); break;
    case 5: ((void (*)(void *, unsigned long long, number, void *, void *))f)(data, i, v, info, NULL); break;
    case 6:
        ((void (*)(void *, unsigned long long, float, void *, void *))f)(data, i, (float)creal(v), info, NULL);
        break;
    default: ((void (*)(void *, unsigned long long, double, void *, void *))f)(data, i, creal(v), info, NULL); break;
    }
}

/* Every element of the result, which lies in the output, and is gone before the next is stored. */
static void store_all(const plan *p, void *out, bool real, bool wide)
{
    for (int64_t b = 0; b < p->batch; b++)
        for (int64_t i = 0; i < p->total; i++) {
            int64_t x[AXES] = {0};
            coordinates(p, i, x);
            if (x[p->rank - 1] >= p->out.n[p->rank - 1]) continue;
            const int64_t at = place(p, &p->out, b, x);
            const number v = read(out, at, real, wide);
            write(out, at, real, wide, NAN);
            store(p, out, at, v);
        }
}

/* Backward to real numbers, those of the other half are conjugates. */
static void mirror(const plan *p, const int64_t *x, int64_t *from, bool *conjugate)
{
    *conjugate = x[p->rank - 1] > p->n[p->rank - 1] / 2;
    for (int i = 0; i < p->rank; i++) from[i] = *conjugate ? (p->n[i] - x[i]) % p->n[i] : x[i];
}

static cufftResult run(cufftHandle handle, void *in, void *out, int direction, int type)
{
    plan *p = find(handle);
    if (!p || !p->made) return CUFFT_INVALID_PLAN;
    if (p->type != type) return CUFFT_INVALID_TYPE;
    if (p->manual && !p->work_area) return CUFFT_EXEC_FAILED;
    const bool wide = type == CUFFT_Z2Z || type == CUFFT_D2Z || type == CUFFT_Z2D;
    const bool half = type == CUFFT_C2R || type == CUFFT_Z2D;
    number *values = malloc((size_t)p->total * 2 * sizeof *values);
    if (!values) return CUFFT_ALLOC_FAILED;
    for (int64_t b = 0; b < p->batch; b++) {
        int64_t x[AXES], from[AXES];
        for (int64_t i = 0; i < p->total; i++) {
            bool conjugate = false;
            coordinates(p, i, x);
            memcpy(from, x, sizeof from);
            if (half) mirror(p, x, from, &conjugate);
            values[i] = load(p, in, place(p, &p->in, b, from));
            if (conjugate) values[i] = conj(values[i]);
        }
        transform(p, values, direction, values + p->total);
        for (int64_t i = 0; i < p->total; i++) {
            coordinates(p, i, x);
            if (x[p->rank - 1] < p->out.n[p->rank - 1]) write(out, place(p, &p->out, b, x), half, wide, values[i]);
        }
        if (half && in != out) write(in, b * p->in.dist, false, wide, NAN);
    }
    if (p->callback.function && p->callback.type & CB_STORES) store_all(p, out, half, wide);
    free(values);
    if (p->work_area) memset(p->work_area, 0xff, p->work_size);
    return CUFFT_SUCCESS;
}

EXPORT cufftResult cufftExecC2C(cufftHandle h, void *in, void *out, int direction)
{
    return run(h, in, out, direction, CUFFT_C2C);
}
EXPORT cufftResult cufftExecZ2Z(cufftHandle h, void *in, void *out, int direction)
{
    return run(h, in, out, direction, CUFFT_Z2Z);
}
EXPORT cufftResult cufftExecR2C(cufftHandle h, void *in, void *out)
{
    return run(h, in, out, CUFFT_FORWARD, CUFFT_R2C);
}
EXPORT cufftResult cufftExecD2Z(cufftHandle h, void *in, void *out)
{
    return run(h, in, out, CUFFT_FORWARD, CUFFT_D2Z);
}
EXPORT cufftResult cufftExecC2R(cufftHandle h, void *in, void *out)
{
    return run(h, in, out, CUFFT_INVERSE, CUFFT_C2R);
}
EXPORT cufftResult cufftExecZ2D(cufftHandle h, void *in, void *out)
{
    return run(h, in, out, CUFFT_INVERSE, CUFFT_Z2D);
}
