/* matching.c - as many pairs of a row and a column as the elements of a matrix make: Hopcroft and Karp, "An n^5/2
 * algorithm for maximum matchings in bipartite graphs" (1973), by shortest augmenting paths, many at a time. */
#include <stdlib.h>

#include "backend/cpu/sparse/sparse.h"
#include "base/error.h"

enum { NOT_SEEN = -1, DONE = -2 };

typedef struct matching {
    int32_t *column, *row; /* of each row, and of each column; -1: none */
    int32_t *layer, *from; /* of each row */
    int32_t *waiting;      /* rows, a row for each of its columns at most */
} matching;

#define LOOPS "backend/cpu/sparse/matching_loops.h"
#include "backend/cpu/sparse/index_widths.h"

tb_status tb__cpu_sparse_matching(const tb_sparse_pattern *p, int64_t n, int32_t *column, int32_t *row)
{
    const size_t bytes = (3 * (size_t)p->rows + (size_t)n + 1) * sizeof(int32_t);
    int32_t *room = malloc(bytes);
    if (!room) return tb__fail_memory(bytes, 0, 0, 0);
    matching m = {column, row, room, room + p->rows, room + 2 * p->rows};
    for (int64_t r = 0; r < p->rows; r++) column[r] = -1;
    for (int64_t c = 0; c < p->cols; c++) row[c] = -1;
    (p->wide ? match_64 : match_32)(p, &m);
    free(room);
    return TB_OK;
}
