/* lapack.c - the LAPACK in use: the one that was provided, else the first that is installed of those in which BLAS is
 * looked for, and the reference implementation's own. A library counts only if it has every routine for every dtype. */
#include "backend/cpu/solvers/lapack.h"

#include <stdio.h>
#include <string.h>

#include "backend/backend.h"
#include "backend/cpu/plans/blas.h"
#include "base/error.h"
#include "base/lock.h"

/* Under the core lock. */
static tb_lapack lapack[TB_LAPACK_TYPES];
static char source[320]; /* whose it is and where; "": there is none */
static bool looked;

/* What a routine for complex numbers is called where it is not what the real one is. */
static const char *complex_name(tb_solver r)
{
    switch (r) {
    case TB_SOLVER_orgqr: return "ungqr";
    case TB_SOLVER_ormqr: return "unmqr";
    case TB_SOLVER_syevd: return "heevd";
    default: return tb__solver_name(r);
    }
}

static bool collect(void *(*find)(void *arg, const char *name), void *arg, tb_lapack *out)
{
    for (int t = 0; t < TB_LAPACK_TYPES; t++)
        for (int r = 0; r < TB_NLAPACK; r++) {
            char name[16];
            const char *stem = t < 2 ? tb__solver_name((tb_solver)r) : complex_name((tb_solver)r);
            snprintf(name, sizeof name, "%c%s", "sdcz"[t], stem);
            void *address = find(arg, name);
            if (!address) return false;
            memcpy(&out[t].routine[r], &address, sizeof address);
        }
    return true;
}

void tb_provide_lapack(void *(*find)(void *arg, const char *name), void *arg)
{
    tb_lapack found[TB_LAPACK_TYPES];
    if (!find || !collect(find, arg, found)) return;
    tb__lock();
    memcpy(lapack, found, sizeof lapack);
    snprintf(source, sizeof source, "provided");
    tb__unlock();
}

bool tb_needs_lapack(void)
{
    tb__lock();
    const bool host = tb__backend && (!tb__backend->solves_alone || !tb__backend->solves_alone());
    const bool needs = host && !*source;
    tb__unlock();
    return needs;
}

static bool take(void *handle, const char *name)
{
    if (!collect(tb__blas_symbol, handle, lapack)) return false;
    snprintf(source, sizeof source, "%s", name);
    return true;
}

const char *tb__lapack_source(void)
{
    if (!*source && !looked) {
        looked = true;
        tb__blas_libraries(take);
    }
    return *source ? source : NULL;
}

tb_status tb__lapack(tb_dtype t, const tb_lapack **out)
{
    if (!tb__lapack_source())
        return tb__fail(TB_ERR_LIBRARY, "no LAPACK was found, which solves and decomposes matrices: install SciPy for"
                                        " Python, or OpenBLAS (Debian, Ubuntu: libopenblas0; Fedora:"
                                        " openblas-threads), or provide one by tb_provide_lapack");
    *out = &lapack[t - TB_F32];
    return TB_OK;
}
