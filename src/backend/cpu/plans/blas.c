/* blas.c - the BLAS in use: the one that was provided, else one that the search finds. A library counts only if it has
 * every routine of blas.h for every dtype. */
#include "backend/cpu/plans/blas.h"

#include <stdio.h>
#include <string.h>

#include "backend/backend.h"
#include "base/error.h"
#include "base/lock.h"

/* Under the core lock. */
static tb_blas_library blas;
static bool looked, warned;

bool tb__blas_collect(void *(*find)(void *arg, const char *name), void *arg, tb_blas *out)
{
    enum { NROUTINE = 3 };
    static const char *const routine[NROUTINE] = {"gemm", "gemv", "syrk"};
    _Static_assert(sizeof *out == NROUTINE * sizeof(void *), "a table of routines is their addresses in a row");
    for (int t = 0; t < TB_BLAS_TYPES; t++) {
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
    tb_blas_library found = {.tuned = true, .source = "provided"};
    if (!find || !tb__blas_collect(find, arg, found.routines)) return;
    tb__lock();
    blas = found;
    tb__unlock();
}

bool tb_needs_blas(void)
{
    tb__lock();
    bool needs = tb__backend && tb__backend->on_host && !blas.tuned;
    tb__unlock();
    return needs;
}

const char *tb__cpu_blas_source(void)
{
    if (!*blas.source && !looked) {
        looked = true;
        tb__blas_search(&blas);
    }
    return *blas.source ? blas.source : NULL;
}

bool tb__cpu_has_blas(void) { return tb__cpu_blas_source() && blas.tuned; }

static tb_status warn(void)
{
    char text[sizeof blas.source + 300];
    warned = true;
    snprintf(text, sizeof text,
             "no fast BLAS was found%s%s: products of matrices are made by loops that may take twice as long. Install"
             " OpenBLAS (Debian, Ubuntu: libopenblas0; Fedora: openblas-threads), or provide one by tb_provide_blas",
             *blas.source ? ", but the " : "", blas.source);
    return tb__warn(text);
}

tb_status tb__cpu_blas(tb_dtype t, const tb_blas **out)
{
    const bool found = tb__cpu_has_blas();
    if (!found && !warned) TB_TRY(warn());
    *out = found ? &blas.routines[t - TB_F32] : NULL;
    return TB_OK;
}
