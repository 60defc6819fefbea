/* blas.c - the search for a BLAS. A library counts only if it has every routine of blas.h for every dtype. */
#include "backend/cpu/plans/blas.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include "backend/backend.h"
#include "base/error.h"
#include "base/lock.h"

enum { NROUTINE = 3, NTYPE = 4 };

static struct {
    tb_blas routines[NTYPE];
    bool looked;
    bool tuned; /* more than the reference implementation: nobody need provide another */
    const char *source;
} blas;

static bool collect(void *(*find)(void *arg, const char *name), void *arg, tb_blas *out)
{
    static const char *const routine[NROUTINE] = {"gemm", "gemv", "syrk"};
    _Static_assert(sizeof *out == NROUTINE * sizeof(void *), "a table of routines is their addresses in a row");
    for (int t = 0; t < NTYPE; t++) {
        void *address[NROUTINE];
        for (int k = 0; k < NROUTINE; k++) {
            char name[8];
            snprintf(name, sizeof name, "%c%s", "sdcz"[t], routine[k]);
            address[k] = find(arg, name);
            if (!address[k]) return false;
        }
        memcpy(&out[t], address, sizeof address);
    }
    return true;
}

void tb_provide_blas(void *(*find)(void *arg, const char *name), void *arg)
{
    tb_blas found[NTYPE];
    if (!collect(find, arg, found)) return;
    tb__lock();
    memcpy(blas.routines, found, sizeof found);
    blas.tuned = true;
    blas.source = "provided";
    tb__unlock();
}

bool tb_needs_blas(void)
{
    tb__lock();
    bool needs = tb__backend && tb__backend->on_host && !blas.tuned;
    tb__unlock();
    return needs;
}

static void *find_symbol(void *handle, const char *name)
{
    char symbol[16];
    snprintf(symbol, sizeof symbol, "%s_", name);
    return dlsym(handle, symbol);
}

static void look_for_library(void)
{
    static const char *const library[] = {
        "libopenblas.so.0", "libopenblas.so", "libopenblasp.so.0", "libmkl_rt.so.2",
        "libmkl_rt.so",     "libblis.so.4",   "libblas.so.3",      "libblas.so",
    };
    enum { NTUNED = 6 };
    for (size_t i = 0; i < sizeof library / sizeof library[0]; i++) {
        void *handle = dlopen(library[i], RTLD_NOW | RTLD_LOCAL);
        if (!handle) continue;
        if (collect(find_symbol, handle, blas.routines)) {
            blas.source = library[i];
            blas.tuned = i < NTUNED;
            return;
        }
        dlclose(handle);
    }
}

const char *tb__cpu_blas_source(void)
{
    if (!blas.source && !blas.looked) {
        blas.looked = true;
        look_for_library();
    }
    return blas.source;
}

tb_status tb__cpu_blas(tb_dtype t, const tb_blas **out)
{
    if (!tb__cpu_blas_source())
        return tb__fail(TB_ERR_LIBRARY,
                        "matrix products on the CPU need a BLAS: install scipy (`pip install scipy`) or "
                        "OpenBLAS (libopenblas)");
    *out = &blas.routines[t - TB_F32];
    return TB_OK;
}
