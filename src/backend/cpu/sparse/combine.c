/* combine.c - elementwise functions of two matrices in one pass over both, on all threads. */
#include <string.h>

#include "backend/cpu/sparse/sparse.h"
#include "base/error.h"

enum { TASK = 1 << 14 }; /* rows and elements of the larger one, about */

typedef struct pair64 {
    double re, im;
} pair64;

static inline double masked_f64(double x, int64_t mask)
{
    int64_t bits;
    memcpy(&bits, &x, sizeof bits);
    bits &= mask;
    memcpy(&x, &bits, sizeof bits);
    return x;
}

static inline float masked_f32(float x, int64_t mask)
{
    int32_t bits;
    memcpy(&bits, &x, sizeof bits);
    bits &= (int32_t)mask;
    memcpy(&x, &bits, sizeof bits);
    return x;
}

static inline pair64 plus_c128(pair64 x, pair64 y) { return (pair64){x.re + y.re, x.im + y.im}; }
static inline pair64 minus_c128(pair64 x, pair64 y) { return (pair64){x.re - y.re, x.im - y.im}; }

/* NaN if either is, by a comparison that machines have an instruction for: it gives the second for NaN. */
#define EXTREME(x, y, is_beyond)                         \
    ({                                                   \
        const VALUE x_ = (x), y_ = (y);                  \
        const VALUE beyond_ = x_ is_beyond y_ ? x_ : y_; \
        x_ != x_ ? x_ : beyond_;                         \
    })

#define PASTE(name, function, type, width) name##_##function##_##type##_##width
#define EXPAND(name, function, type, width) PASTE(name, function, type, width)
#define LOOP(name) EXPAND(name, NAME, TYPE, WIDTH)
#define INDEX int32_t
#define WIDTH 32
#include "backend/cpu/sparse/combine_types.h"
#undef INDEX
#undef WIDTH
#define INDEX int64_t
#define WIDTH 64
#include "backend/cpu/sparse/combine_types.h"

typedef void combine_rows(const tb_sparse_combination *c, int64_t from, int64_t to);

#define SUMS(type, width) \
    [TB_SPARSE_ADD] = combine_add_##type##_##width, [TB_SPARSE_SUBTRACT] = combine_subtract_##type##_##width
#define ALL(type, width) \
    SUMS(type, width), [TB_SPARSE_MULTIPLY] = combine_multiply_##type##_##width, \
    [TB_SPARSE_MAXIMUM] = combine_maximum_##type##_##width, [TB_SPARSE_MINIMUM] = combine_minimum_##type##_##width, \
    [TB_SPARSE_NOT_EQUAL] = combine_not_equal_##type##_##width, [TB_SPARSE_LESS] = combine_less_##type##_##width, \
    [TB_SPARSE_GREATER] = combine_greater_##type##_##width
static combine_rows *const loops[TB_NDTYPE][2][TB_SPARSE_FUNCTIONS] = {
    [TB_F64] = {{ALL(f64, 32)}, {ALL(f64, 64)}},      [TB_F32] = {{ALL(f32, 32)}, {ALL(f32, 64)}},
    [TB_I32] = {{ALL(i32, 32)}, {ALL(i32, 64)}},      [TB_I64] = {{ALL(i64, 32)}, {ALL(i64, 64)}},
    [TB_C128] = {{SUMS(c128, 32)}, {SUMS(c128, 64)}},
};

typedef struct job {
    combine_rows *loop;
    const tb_sparse_combination *c;
    const tb_index_loops *l;
    const tb_sparse_pattern *shared_by; /* the one with more elements says how rows are shared out */
    int64_t parts;
} job;

static bool combine_part(void *arg, int64_t i)
{
    const job *j = arg;
    j->loop(j->c, tb__sparse_part(j->shared_by, j->parts, i), tb__sparse_part(j->shared_by, j->parts, i + 1));
    return true;
}

static void move_rows(const job *j, int64_t from, int64_t to)
{
    const tb_sparse_combination *c = j->c;
    const size_t in_room = (size_t)(j->l->at(c->a.start, from) + j->l->at(c->b.start, from));
    const size_t first = (size_t)j->l->at(c->start, from), n = (size_t)j->l->at(c->start, to) - first;
    if (!n) return;
    memcpy((char *)c->made.index + first * j->l->size, (char *)c->room.index + in_room * j->l->size, n * j->l->size);
    memcpy((char *)c->made.data + first * c->size, (char *)c->room.data + in_room * c->size, n * c->size);
}

static bool move_part(void *arg, int64_t i)
{
    const job *j = arg;
    const int64_t from = tb__sparse_part(j->shared_by, j->parts, i),
                  to = tb__sparse_part(j->shared_by, j->parts, i + 1);
    move_rows(j, from, from + (to - from) / 2);
    move_rows(j, from + (to - from) / 2, to);
    return true;
}

tb_status tb__cpu_sparse_combine(const tb_sparse_combination *c)
{
    job j = {.loop = loops[c->dtype][c->a.wide][c->function], .c = c, .l = tb__index_loops(c->a.wide)};
    if (!j.loop) return tb__fail(TB_ERR_NOT_IMPLEMENTED, "there is no loop for elements of two matrices of this dtype");
    if (!c->start) return TB_OK;
    j.shared_by = j.l->at(c->b.start, c->b.rows) > j.l->at(c->a.start, c->a.rows) ? &c->b : &c->a;
    j.parts = tb__sparse_parts(j.shared_by, TASK);
    if (c->made.index) return tb__parallel(j.parts, move_part, &j);
    TB_TRY(tb__parallel(j.parts, combine_part, &j));
    if (j.l->sum_up(c->a.rows, c->start)) return TB_OK;
    return tb__fail(TB_ERR_OVERFLOW, "a sparse matrix with more than 2^31 - 1 elements needs int64 indices");
}
