/* fft.c - Fourier transforms on the CPU: by the function that was provided, else by FFTW. */
#include "backend/cpu/plans/fftw.h"
#include "backend/cpu/plans/plans.h"
#include "base/error.h"
#include "base/lock.h"

/* Under the core lock. */
static tb_fft_function provided;
static void *provided_arg;

void tb_provide_fft(tb_fft_function fn, void *arg)
{
    tb__lock();
    provided = fn;
    provided_arg = arg;
    tb__unlock();
}

bool tb_needs_fft(void)
{
    tb__lock();
    const bool needs = tb__backend && tb__backend->on_host && !provided;
    tb__unlock();
    return needs;
}

const char *tb__cpu_fft_source(void) { return provided ? "provided" : tb__fftw_source(); }

bool tb__cpu_fft_reals(void) { return provided; }

/* Threads for fewer points take longer to start than to compute. */
enum { FEW_POINTS = 1 << 17 };

static bool are_few(const tb_transform *t)
{
    int64_t n = 1; /* no overflow: the memory is there */
    for (int d = 0; d < t->ndim; d++) n *= t->points[d];
    return n < FEW_POINTS;
}

tb_status tb__cpu_fft(tb_transform *t)
{
    if (t->kind > TB_FFT_HALF && !provided)
        return tb__fail(TB_ERR_NOT_IMPLEMENTED,
                        "fft: cosine and sine transforms are those of a function that is provided");
    t->threads = are_few(t) ? 1 : tb__threads();
    return provided ? provided(provided_arg, t) : tb__fftw(t);
}
