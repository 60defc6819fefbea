/* user_layout.c - how the arrays of an elementwise user kernel are walked: dimensions merged, accesses chosen, index
 * width, vector width. Runs at every call. */
#include <string.h>

#include "codegen/user.h"

static bool is_mergeable(const tb_user_walk *w, int outer, int inner)
{
    for (int m = 0; m < w->n; m++)
        if (w->strides[m][outer] != w->strides[m][inner] * w->shape[inner]) return false;
    return true;
}

static void move_dim(tb_user_walk *w, int to, int from)
{
    w->shape[to] = w->shape[from];
    for (int m = 0; m < w->n; m++) w->strides[m][to] = w->strides[m][from];
}

void tb__user_walk_merge(tb_user_walk *w)
{
    int n = 0;
    for (int d = 0; d < w->ndim; d++) {
        if (w->shape[d] == 1) continue;
        if (n > 0 && is_mergeable(w, n - 1, d)) {
            const int64_t both = w->shape[n - 1] * w->shape[d];
            move_dim(w, n - 1, d);
            w->shape[n - 1] = both;
        } else {
            move_dim(w, n++, d);
        }
    }
    w->ndim = n;
}

static bool is_same(const tb_user_walk *w, int m)
{
    for (int d = 0; d < w->ndim; d++)
        if (w->strides[m][d] != 0 && w->shape[d] != 1) return false;
    return true;
}

static bool is_linear(const tb_user_walk *w, int m)
{
    int64_t expected = w->itemsize[m];
    for (int d = w->ndim; d-- > 0; expected *= w->shape[d])
        if (w->shape[d] != 1 && w->strides[m][d] != expected) return false;
    return true;
}

static uint8_t inner_access(const tb_user_walk *w, int m)
{
    const int64_t stride = w->strides[m][w->ndim - 1];
    return stride == w->itemsize[m] ? TB_USER_UNIT : stride == 0 ? TB_USER_SPREAD : TB_USER_STRIDED;
}

static bool is_far(const tb_user_walk *w, int m)
{
    int64_t extent = 0;
    for (int d = 0; d < w->ndim; d++) {
        const int64_t s = w->strides[m][d];
        extent += (s < 0 ? -s : s) * (w->shape[d] - 1);
    }
    return extent >= INT32_MAX - 64;
}

void tb__user_walk_access(const tb_user_walk *w, bool *flat, bool *wide, uint8_t *access)
{
    *flat = true;
    *wide = w->size >= INT32_MAX - (1 << 20);
    for (int m = 0; m < w->n; m++) {
        access[m] = is_same(w, m) ? TB_USER_SAME : is_linear(w, m) ? TB_USER_LINEAR : inner_access(w, m);
        if (access[m] < TB_USER_UNIT) continue;
        *flat = false;
        *wide |= is_far(w, m);
    }
}

/* 16 bytes of the widest array's elements at a time, and several vectors at once where one is too little. */
void tb__user_walk_vector(const tb_user_walk *w, const uint8_t *access, const bool *writable, unsigned work,
                          uint8_t *vector, uint8_t *unroll)
{
    int64_t widest = 1, narrowest = 16, bytes = 0;
    for (int m = 0; m < w->n; m++) {
        if (access[m] == TB_USER_SAME) continue;
        if (w->itemsize[m] > widest) widest = w->itemsize[m];
        if (w->itemsize[m] < narrowest) narrowest = w->itemsize[m];
    }
    int64_t v = 16 / widest;
    if (v * narrowest < 4) v = 4 / narrowest;
    if (v > 8) v = 8;
    *vector = 0;
    *unroll = 1;
    for (int m = 0; m < w->n; m++) {
        if (access[m] == TB_USER_SAME) {
            if (writable[m]) return;
            continue;
        }
        const int64_t step = v * w->itemsize[m];
        if ((uintptr_t)w->ptr[m] % (uintptr_t)(step < 16 ? step : 16)) return;
        if (!writable[m]) bytes += step;
    }
    *vector = (uint8_t)v;
    *unroll = work > 0 || bytes >= 8 ? 1 : 4;
}
