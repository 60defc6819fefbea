/* blas_search.c - which BLAS of those installed is taken: the first fast one by the order below. A library goes by what
 * it exports rather than by its name, since distributions give one library the name of another: libblas.so.3 may be
 * OpenBLAS, and FlexiBLAS may hand all calls to the reference implementation. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "backend/cpu/plans/blas.h"

/* Names of builds with 32-bit integers, threads first. The last two are whatever the system has chosen. */
static const char *const names[] = {
    "libopenblas.so.0",    "libopenblasp.so.0", /* Fedora: by threads, by OpenMP */
    "libopenblaso.so.0",   "libopenblas.so",    "libmkl_rt.so.3",  "libmkl_rt.so.2",
    "libmkl_rt.so.1",      "libmkl_rt.so",      "libblis-mt.so.5", "libblis-mt.so.4",
    "libblis-mt.so",       "libblis.so.5",      "libblis.so.4",    "libblis.so.3",
    "libblis.so",          "libflexiblas.so.3", "libflexiblas.so", "libnvpl_blas_lp64_gomp.so.0",
    "libarmpl_lp64_mp.so", "libtatlas.so.3",    "libsatlas.so.3",  "libblas.so.3",
    "libblas.so",
};
/* Where only LAPACK may be, too. */
static const char *const lapack_names[] = {"liblapack.so.3", "liblapack.so"};

/* A function that each of the fast ones has, itself or through a library that it needs. */
static const struct {
    const char *function, *library;
} marks[] = {
    {"openblas_get_config", "OpenBLAS"}, {"mkl_get_version", "MKL"}, {"bli_info_get_version_str", "BLIS"},
    {"nvpl_blas_get_version", "NVPL"},   {"armplversion", "Arm PL"}, {"ATL_dgemm", "ATLAS"},
    {"flexiblas_current_backend", NULL}, /* asked for what is behind it */
};

void *tb__blas_symbol(void *handle, const char *name)
{
    char symbol[16];
    snprintf(symbol, sizeof symbol, "%s_", name);
    return dlsym(handle, symbol);
}

/* Asks for the largest of three numbers, where a library of 64-bit integers sees a negative count: it answers 0. */
static bool has_short_integers(void *handle)
{
    const int64_t count = (int64_t)(UINT64_C(0xffffffff00000000) | 3), step = 1;
    const float x[3] = {1, 5, 2};
    int (*isamax)(const void *n, const float *x, const void *incx);
    void *address = dlsym(handle, "isamax_");
    if (!address) return false;
    memcpy(&isamax, &address, sizeof isamax);
    return isamax(&count, x, &step) == 2;
}

/* NULL: the reference implementation. */
static const char *behind_flexiblas(void *address, char *name, size_t cap)
{
    int (*current)(char *name, size_t cap);
    size_t n = (size_t)snprintf(name, cap, "FlexiBLAS: ");
    memcpy(&current, &address, sizeof current);
    current(name + n, cap - n);
    name[cap - 1] = 0;
    return strcmp(name + n, "NETLIB") == 0 ? NULL : name;
}

/* Whose implementation it is; NULL: that of reference, or one that nobody here knows. */
static const char *maker(void *handle, char *name, size_t cap)
{
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
        void *address = dlsym(handle, marks[i].function);
        if (address) return marks[i].library ? marks[i].library : behind_flexiblas(address, name, cap);
    }
    return NULL;
}

static void describe(tb_blas_library *l, const char *name, const char *made_by)
{
    Dl_info info;
    void *address;
    memcpy(&address, &l->routines[0].gemm, sizeof address);
    const char *path = dladdr(address, &info) && info.dli_fname ? info.dli_fname : name;
    snprintf(l->source, sizeof l->source, "%s (%s)", made_by ? made_by : "reference implementation", path);
}

/* NULL unless it is there and its integers have 32 bits. */
static void *open_named(const char *name)
{
    void *handle = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (!handle || has_short_integers(handle)) return handle;
    dlclose(handle);
    return NULL;
}

static bool offer(const char *name, bool (*take)(void *handle, const char *name))
{
    void *handle = open_named(name);
    if (!handle) return false;
    if (take(handle, name)) return true;
    dlclose(handle);
    return false;
}

void tb__blas_libraries(bool (*take)(void *handle, const char *name))
{
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (offer(names[i], take)) return;
    for (size_t i = 0; i < sizeof lapack_names / sizeof *lapack_names; i++)
        if (offer(lapack_names[i], take)) return;
}

static bool open_library(const char *name, tb_blas_library *out)
{
    char text[128];
    void *handle = open_named(name);
    if (!handle) return false;
    if (!tb__blas_collect(tb__blas_symbol, handle, out->routines)) {
        dlclose(handle);
        return false;
    }
    const char *made_by = maker(handle, text, sizeof text);
    out->tuned = made_by != NULL;
    describe(out, name, made_by);
    return true;
}

bool tb__blas_search(tb_blas_library *out)
{
    tb_blas_library slow = {.source = ""};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        tb_blas_library l;
        if (!open_library(names[i], &l)) continue;
        if (l.tuned) {
            *out = l;
            return true;
        }
        if (!*slow.source) slow = l;
    }
    *out = slow;
    return *slow.source != 0;
}
