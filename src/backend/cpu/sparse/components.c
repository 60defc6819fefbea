/* components.c - connected components of graphs, and forests that connect them. */
#include <stdlib.h>

#include "backend/cpu/sparse/sparse.h"
#include "base/error.h"

typedef struct tb_search {
    int32_t *path, *waiting, *order, *low; /* of as many numbers as there are vertices */
    void *left;                            /* how far each vertex' edges, the last ones first, have been gone along */
} tb_search;

static inline int32_t root_of(int32_t *above, int32_t v)
{
    while (above[v] != v) v = above[v] = above[above[v]];
    return v;
}

#define LOOPS "backend/cpu/sparse/component_loops.h"
#include "backend/cpu/sparse/index_widths.h"

/* Trees of lower numbers become the numbers of their roots. */
static int64_t numbered(int64_t n, int32_t *label)
{
    int64_t count = 0;
    for (int64_t v = 0; v < n; v++) label[v] = label[v] == v ? (int32_t)count++ : label[label[v]];
    return count;
}

static tb_status search(const tb_sparse_pattern *p, int32_t *label, int64_t *count)
{
    const size_t n = (size_t)p->rows, bytes = n * (4 * sizeof(int32_t) + tb__index_loops(p->wide)->size);
    char *room = malloc(bytes + 1);
    if (!room) return tb__fail_memory(bytes, 0, 0, 0);
    int32_t *numbers = (int32_t *)(room + n * tb__index_loops(p->wide)->size);
    const tb_search s = {numbers, numbers + n, numbers + 2 * n, numbers + 3 * n, room};
    for (size_t v = 0; v < n; v++) label[v] = -1;
    *count = (p->wide ? search_64 : search_32)(p, &s, label);
    free(room);
    return TB_OK;
}

tb_status tb__cpu_sparse_components(const tb_sparse_pattern *p, bool strong, int32_t *label, int64_t *count)
{
    if (strong) return search(p, label, count);
    for (int64_t v = 0; v < p->rows; v++) label[v] = (int32_t)v;
    (p->wide ? unite_64 : unite_32)(p, label);
    *count = numbered(p->rows, label);
    return TB_OK;
}

tb_status tb__cpu_sparse_forest(const tb_sparse_pattern *p, const int64_t *order, bool *kept)
{
    const size_t bytes = (size_t)p->rows * sizeof(int32_t);
    int32_t *above = malloc(bytes + 1);
    if (!above) return tb__fail_memory(bytes, 0, 0, 0);
    for (int64_t v = 0; v < p->rows; v++) above[v] = (int32_t)v;
    const tb_status status = (p->wide ? connect_64 : connect_32)(p, above, order, kept);
    free(above);
    return status;
}
