/* fftw.c - Fourier transforms by FFTW, for programs that have not Python's libraries.
 *
 * FFTW has a library for each precision. Its guru interface takes any axes and any strides, in 64 bits. Plans are made
 * by estimate, which touches no elements and takes little time, and are not kept: FFTW itself remembers what it has
 * found out about a size. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "backend/cpu/plans/fftw.h"

#include <dlfcn.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backend/cpu/plans/plans.h"
#include "base/error.h"
#include "base/shape.h"

/* fftw3.h */
typedef struct fftw_iodim64 {
    ptrdiff_t n, is, os;
} fftw_iodim64;
enum { FFTW_FORWARD = -1, FFTW_BACKWARD = 1, FFTW_ESTIMATE = 1 << 6 };

typedef struct fftw_library {
    void *(*dft)(int rank, const fftw_iodim64 *dims, int many_rank, const fftw_iodim64 *many, void *in, void *out,
                 int sign, unsigned flags);
    void *(*real)(int rank, const fftw_iodim64 *dims, int many_rank, const fftw_iodim64 *many, void *in, void *out,
                  unsigned flags);
    void *(*half)(int rank, const fftw_iodim64 *dims, int many_rank, const fftw_iodim64 *many, void *in, void *out,
                  unsigned flags);
    void (*execute)(void *plan);
    void (*destroy)(void *plan);
} fftw_library;

static const struct {
    const char *library, *prefix, *function[5];
} names = {"libfftw3%s.so.3",
           "fftw%s_%s",
           {"plan_guru64_dft", "plan_guru64_dft_r2c", "plan_guru64_dft_c2r", "execute", "destroy_plan"}};

/* By precision; under the core lock. */
static fftw_library libraries[2];
static bool looked[2], found[2];

static bool load(bool wide, fftw_library *out)
{
    enum { NFUNCTION = sizeof names.function / sizeof *names.function };
    _Static_assert(sizeof *out == NFUNCTION * sizeof(void *), "a library is the addresses of its functions in a row");
    char name[64];
    void *address[NFUNCTION];
    snprintf(name, sizeof name, names.library, wide ? "" : "f");
    void *handle = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (!handle) return false;
    for (int i = 0; i < NFUNCTION; i++) {
        snprintf(name, sizeof name, names.prefix, wide ? "" : "f", names.function[i]);
        address[i] = dlsym(handle, name);
        if (address[i]) continue;
        dlclose(handle);
        return false;
    }
    memcpy(out, address, sizeof address);
    return true;
}

static const fftw_library *library(bool wide)
{
    if (!looked[wide]) found[wide] = load(wide, &libraries[wide]);
    looked[wide] = true;
    return found[wide] ? &libraries[wide] : NULL;
}

const char *tb__fftw_source(void)
{
    const bool single = library(false) != NULL, twice = library(true) != NULL;
    return single && twice ? "FFTW" : single ? "FFTW (float32)" : twice ? "FFTW (float64)" : NULL;
}

/* What is transformed, and over what that is repeated. */
typedef struct loops {
    int rank, many_rank;
    fftw_iodim64 dims[TB_MAXDIM], many[TB_MAXDIM];
} loops;

static void describe(const tb_transform *t, const int64_t *strides, loops *l)
{
    const int64_t real = t->wide ? 8 : 4;
    const int64_t from = t->kind == TB_FFT_REAL ? real : 2 * real, to = t->kind == TB_FFT_HALF ? real : 2 * real;
    uint32_t taken = 0;
    l->rank = t->naxis;
    l->many_rank = 0;
    for (int i = 0; i < t->naxis; i++) {
        const int d = t->axis[i];
        taken |= UINT32_C(1) << d;
        l->dims[i] = (fftw_iodim64){t->points[d], strides[d] / from, t->out_strides[d] / to};
    }
    for (int d = 0; d < t->ndim; d++)
        if (!(taken >> d & 1))
            l->many[l->many_rank++] = (fftw_iodim64){t->points[d], strides[d] / from, t->out_strides[d] / to};
}

static void *make_plan(const fftw_library *f, const tb_transform *t, const loops *l, void *in, void *out)
{
    switch (t->kind) {
    case TB_FFT_REAL: return f->real(l->rank, l->dims, l->many_rank, l->many, in, out, FFTW_ESTIMATE);
    case TB_FFT_HALF: return f->half(l->rank, l->dims, l->many_rank, l->many, in, out, FFTW_ESTIMATE);
    default:
        return f->dft(l->rank, l->dims, l->many_rank, l->many, in, out,
                      t->kind == TB_FFT_FORWARD ? FFTW_FORWARD : FFTW_BACKWARD, FFTW_ESTIMATE);
    }
}

static tb_status transform(const fftw_library *f, tb_transform *t, void *in, const int64_t *strides)
{
    loops l;
    describe(t, strides, &l);
    void *out = t->room(t);
    if (!out) return TB_ERR_MEMORY;
    void *plan = make_plan(f, t, &l, in, out);
    if (!plan) return tb__fail(TB_ERR_INTERNAL, "fft: FFTW made no plan");
    f->execute(plan);
    f->destroy(plan);
    t->out = out;
    return TB_OK;
}

tb_status tb__fftw(tb_transform *t)
{
    int64_t strides[TB_MAXDIM];
    const fftw_library *f = library(t->wide);
    const size_t item = t->wide ? 16 : 8;
    if (!f)
        return tb__fail(TB_ERR_LIBRARY,
                        "fft: no library for Fourier transforms of %s was found: install SciPy (from Python), or FFTW"
                        " (Debian, Ubuntu: libfftw3-%s3; Fedora: fftw-libs-%s), or provide one by tb_provide_fft",
                        t->wide ? "float64" : "float32", t->wide ? "double" : "single", t->wide ? "double" : "single");
    if (t->kind != TB_FFT_HALF || t->spare) return transform(f, t, t->in, t->strides);
    /* This kind overwrites its input. */
    const size_t bytes = (size_t)tb__product(t->ndim, t->shape) * item;
    char *copy = malloc(bytes);
    if (!copy) return tb__fail_memory(bytes, 0, 0, 0);
    tb__strides_c(t->ndim, t->shape, (int64_t)item, strides);
    tb__cpu_copy(item, t->ndim, t->shape, copy, strides, t->in, t->strides, false);
    const tb_status status = transform(f, t, copy, strides);
    free(copy);
    return status;
}
