/* slide.c - convolutions: a vector's windows times another vector, tile by tile of results (loops/slide_loops.h), on
 * all threads. Windows that reach beyond the vector are copied with zeros in place of what is missing, unless a weight
 * is infinite or NaN, which makes NaN of zeros: then their products are added up one by one. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "backend/cpu/loops/slide_loops.h"
#include "backend/cpu/plans/plans.h"
#include "base/error.h"

enum { TASK_PRODUCTS = 1 << 19 };

typedef struct slide_job {
    const tb_slide *s;
    tb_slide_loop *loop;
    int64_t tile, item, tiles; /* results of a tile, bytes of one, tiles of a task */
    bool finite;
} slide_job;

/* ---- one product after the other ------------------------------------------------------------------------------ */

#define SUM(T, C)                                                         \
    do {                                                                  \
        const T *a = s->a, *w = s->w;                                     \
        T re = 0, im = 0;                                                 \
        for (int64_t j = from; j < to; j++) {                             \
            const T *x = a + C * (i - s->before + j), *y = w + C * j;     \
            if (C == 1) {                                                 \
                re += x[0] * y[0];                                        \
            } else {                                                      \
                re += x[0] * y[0] - x[C - 1] * y[C - 1];                  \
                im += x[0] * y[C - 1] + x[C - 1] * y[0];                  \
            }                                                             \
        }                                                                 \
        T *result = (T *)s->out + C * i;                                  \
        result[0] = re;                                                   \
        if (C == 2) result[C - 1] = im;                                   \
    } while (0)

static void slide_one(const tb_slide *s, int64_t i)
{
    const int64_t from = tb__max(s->before - i, 0), to = tb__min(s->n + s->before - i, s->k);
    switch (s->dtype) {
    case TB_F32: SUM(float, 1); break;
    case TB_F64: SUM(double, 1); break;
    case TB_C64: SUM(float, 2); break;
    default: SUM(double, 2); break;
    }
}

static bool is_finite(const tb_slide *s)
{
    const int64_t n = tb_dtype_kind(s->dtype) == TB_KIND_COMPLEX ? 2 * s->k : s->k;
    double sum = 0;
    if (tb_dtype_kind(s->dtype) == TB_KIND_INT) return true;
    if (s->dtype == TB_F32 || s->dtype == TB_C64)
        for (int64_t i = 0; i < n; i++) sum += ((const float *)s->w)[i] * 0.0;
    else
        for (int64_t i = 0; i < n; i++) sum += ((const double *)s->w)[i] * 0.0;
    return sum == 0;
}

/* ---- tiles ---------------------------------------------------------------------------------------------------- */

/* The window of the results from i on that lies partly outside: its first element that counts is number `from`, one
 * past the last `to`. */
static const char *pad(const slide_job *j, int64_t i, int64_t from, int64_t to, char *room)
{
    const tb_slide *s = j->s;
    const int64_t n = j->tile + to - from, at = i - s->before + from; /* of the window, and where it begins in a */
    const int64_t first = tb__max(-at, 0), last = tb__max(tb__min(s->n - at, n), first);
    memset(room, 0, (size_t)(first * j->item));
    memcpy(room + first * j->item, (const char *)s->a + (at + first) * j->item, (size_t)((last - first) * j->item));
    memset(room + last * j->item, 0, (size_t)((n - last) * j->item));
    return room;
}

static void slide_tile(const slide_job *j, int64_t i, char *room)
{
    const tb_slide *s = j->s;
    const int64_t rest = tb__min(j->tile, s->m - i);
    const bool inside = i >= s->before && i - s->before + j->tile + s->k <= s->n;
    _Alignas(64) char sums[TB_SLIDE_MOST * 4];
    char *out = (char *)s->out + i * j->item;
    if (!inside && !j->finite) {
        for (int64_t l = i; l < i + rest; l++) slide_one(s, l);
        return;
    }
    /* Weights that no result of the tile has an element for are left out. */
    const int64_t from = inside ? 0 : tb__max(s->before - (i + j->tile - 1), 0);
    const int64_t to = inside ? s->k : tb__max(tb__min(s->n + s->before - i, s->k), from);
    const char *a = inside ? (const char *)s->a + (i - s->before) * j->item : pad(j, i, from, to, room);
    j->loop(a, (const char *)s->w + from * j->item, to - from, rest == j->tile ? (void *)out : sums);
    if (rest < j->tile) memcpy(out, sums, (size_t)(rest * j->item));
}

static bool slide_task(void *arg, int64_t task)
{
    const slide_job *j = arg;
    char *room = tb__scratch((size_t)((j->tile + j->s->k) * j->item));
    if (!room) return false;
    const int64_t first = task * j->tiles * j->tile, last = tb__min(first + j->tiles * j->tile, j->s->m);
    for (int64_t i = first; i < last; i += j->tile) slide_tile(j, i, room);
    return true;
}

tb_status tb__cpu_slide(const tb_slide *s)
{
    const tb_slide_loops *l = TB_OF_ISA(&tb__slide_loops_);
    slide_job j = {s, l->loop[s->dtype], l->tile[s->dtype], (int64_t)tb_dtype_size(s->dtype), .finite = is_finite(s)};
    j.tiles = tb__max(TASK_PRODUCTS / (s->k * j.tile), 1);
    return tb__parallel(tb__ceil_div(s->m, j.tiles * j.tile), slide_task, &j);
}
