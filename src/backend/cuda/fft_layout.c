/* fft_layout.c - a transform as cuFFT describes it, if it can.
 *
 * Transformed axes have to be nested, each stride a multiple of the next one, in the same order on both sides; the
 * others have to be one batch, whose transforms are equally far apart. Axes of length 1 are no hindrance. */
#include <string.h>

#include "backend/cuda/fft.h"

typedef struct axis {
    int64_t n, in_n, out_n, in, out; /* points, elements on either side, strides in elements */
} axis;

static axis axis_of(const tb_transform *t, int d)
{
    const int64_t real = t->wide ? 8 : 4;
    const int64_t from = t->kind == TB_FFT_REAL ? real : 2 * real, to = t->kind == TB_FFT_HALF ? real : 2 * real;
    return (axis){t->points[d], t->shape[d], t->out_shape[d], t->strides[d] / from, t->out_strides[d] / to};
}

/* Outermost first, by the input's strides; the `fixed` last ones stay. */
static void sort(axis *a, int n, int fixed)
{
    for (int i = 1; i < n - fixed; i++)
        for (int k = i; k > 0 && a[k].in > a[k - 1].in; k--) {
            const axis x = a[k];
            a[k] = a[k - 1];
            a[k - 1] = x;
        }
}

static bool embed(const axis *a, int rank, bool out, int64_t *to, int64_t *stride)
{
    const axis *last = &a[rank - 1];
    *stride = out ? last->out : last->in;
    if ((out ? last->out_n : last->in_n) == 1) *stride = 1; /* whatever it says */
    int64_t inner = *stride;
    if (inner < 1) return false;
    for (int i = rank - 2; i >= 0; i--) {
        const int64_t step = out ? a[i].out : a[i].in;
        if (step < 1 || step % inner != 0) return false;
        to[i + 1] = step / inner;
        if (to[i + 1] < (out ? a[i + 1].out_n : a[i + 1].in_n)) return false;
        inner = step;
    }
    to[0] = out ? a[0].out_n : a[0].in_n;
    return true;
}

/* The axes that are not transformed, as one. */
static bool join(axis *a, int n, tb_cufft_layout *l)
{
    l->batch = l->in_dist = l->out_dist = 1;
    sort(a, n, 0);
    for (int i = n - 1; i >= 0; i--) {
        if (a[i].in < 1 || a[i].out < 1) return false;
        if (i == n - 1) {
            l->in_dist = a[i].in;
            l->out_dist = a[i].out;
        } else if (a[i].in != l->in_dist * l->batch || a[i].out != l->out_dist * l->batch) {
            return false;
        }
        l->batch *= a[i].n;
    }
    return true;
}

static cufftType type_of(const tb_transform *t)
{
    switch (t->kind) {
    case TB_FFT_REAL: return t->wide ? CUFFT_D2Z : CUFFT_R2C;
    case TB_FFT_HALF: return t->wide ? CUFFT_Z2D : CUFFT_C2R;
    default: return t->wide ? CUFFT_Z2Z : CUFFT_C2C;
    }
}

bool tb__cufft_layout(const tb_transform *t, tb_cufft_layout *l)
{
    axis of[TB_MAXDIM], other[TB_MAXDIM];
    int rank = 0, nother = 0;
    uint32_t taken = 0;
    const bool real = t->kind >= TB_FFT_REAL;
    memset(l, 0, sizeof *l);
    for (int i = 0; i < t->naxis; i++) {
        const bool last = i == t->naxis - 1;
        taken |= UINT32_C(1) << t->axis[i];
        if (t->points[t->axis[i]] > 1 || (last && (real || rank == 0))) of[rank++] = axis_of(t, t->axis[i]);
    }
    for (int d = 0; d < t->ndim; d++)
        if (!(taken >> d & 1) && t->shape[d] > 1) other[nother++] = axis_of(t, d);
    if (rank > TB_CUFFT_AXES) return false;
    sort(of, rank, real);
    l->type = type_of(t);
    l->rank = rank;
    for (int i = 0; i < rank; i++) l->n[i] = of[i].n;
    return embed(of, rank, false, l->in_embed, &l->in_stride) && embed(of, rank, true, l->out_embed, &l->out_stride) &&
           join(other, nother, l);
}
