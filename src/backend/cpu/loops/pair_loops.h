/* pair_loops.h - distances of rows from those of a tile, compiled once for each instruction set. */
#ifndef TB_BACKEND_CPU_LOOPS_PAIR_LOOPS_H
#define TB_BACKEND_CPU_LOOPS_PAIR_LOOPS_H
#include <stdint.h>

#include "backend/cpu/loops/isa.h"
#include "tombac/tombac.h"

/* Rows of a tile: enough for vectors; not so few that a compiler writes a tile out, which it then makes none of. */
enum { TB_PAIRS_TILE = 64 };

/* Distances of `rows` rows of n elements, one after the other, from the first `count` of a tile, whose element e is at
 * [e * TB_PAIRS_TILE + l] for row l, which is the row first + l of the whole. They are a matrix, or where `once` is
 * set what is above its diagonal, by rows. Each is summed up in the order of the elements. */
typedef struct tb_pair_task {
    const void *a, *tile;
    void *out;
    int64_t n, rows, first, count;
    int64_t columns;      /* of the whole matrix */
    int64_t down, across; /* from a distance to that of the next row, of the next one of the tile; not for `once` */
    int once;
    double p;
} tb_pair_task;
typedef void tb_pair_loop(const tb_pair_task *t);
/* The distance of two rows, of which nothing but n and p is looked at in *t: as TB_PAIRS_LANES sums, of elements that
 * are so far apart, which are put together in the end. */
enum { TB_PAIRS_LANES = 32 };
typedef double tb_pair_line(const tb_pair_task *t, const void *a, const void *b);

typedef struct tb_pair_loops {
    struct {
        tb_pair_loop *tile[2]; /* of float32 and of float64 */
        tb_pair_line *line[2];
    } of[TB_METRIC_COSINE + 1];
} tb_pair_loops;
TB_ISA_EXTERN(const tb_pair_loops, tb__pair_loops_, )
#endif
