/* sort.h - orders of elements as orders of signed integers, their keys: NaN is the largest. */
#ifndef TB_BACKEND_CPU_PLANS_SORT_H
#define TB_BACKEND_CPU_PLANS_SORT_H
#include "backend/backend.h"
#include "base/arith.h"

/* Elements that are worth a task. */
enum { TB_SORT_PIECE = 1 << 15 };
static inline int64_t tb__sort_pieces(int64_t n) { return tb__ceil_div(n, TB_SORT_PIECE); }

/* ---- sort_parallel.c ---- */

tb_status tb__sort_64(int64_t *key, int64_t n);
/* Makes n keys, those from `at` on; false: there are no such keys. */
typedef bool tb_make_keys(const void *arg, int64_t at, int64_t n, void *key);
/* Keys of dtype t, signed integers or plain floats (loops/sort_loops.h), in order. apart: what they are made of is not
 * at `key`; else each is where it is made of. *done: false where there are none. */
tb_status tb__sort_made(tb_dtype t, tb_make_keys *make, const void *arg, bool apart, void *key, int64_t n, bool *done);

/* ---- sort_short.c ---- */

/* Whether rows are short enough to be sorted by tb__sort_short, which takes some of them. */
bool tb__is_short(const tb_sort_rows *s);
tb_status tb__sort_short(const tb_sort_rows *s, int64_t from, int64_t rows);
/* The positions that put n bytes of a dtype in order, equal ones as they come; from TB_COUNTED on that takes less time
 * than to sort them. n is at most TB_SORT_PIECE. */
enum { TB_COUNTED = 256 };
void tb__order_bytes(tb_dtype t, const uint8_t *in, int64_t n, int64_t *order);

/* ---- sort_few.c ---- */

/* n elements to out, or the positions that put them in order, equal ones as they come, to order, where they are many
 * of few values. *done: false where they are not. out may be in. */
tb_status tb__sort_few(tb_dtype t, const void *in, int64_t n, void *out, int64_t *order, bool *done);

/* ---- select.c ---- */

/* One row of s, of which some positions are wanted, to out or order. *done: false where the row has to be sorted. */
tb_status tb__select(const tb_sort_rows *s, const void *in, void *out, int64_t *order, bool *done);

/* ---- order.c ---- */

/* The positions that put n rows in order by their elements in columns, the first one first; equal rows as they come. */
tb_status tb__order(int ncolumn, const tb_dtype *dtype, const void *const *column, int64_t n, int64_t *order);
#endif
