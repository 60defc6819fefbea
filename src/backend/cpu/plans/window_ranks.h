/* window_ranks.h - elements of a rank in windows that move along a line in memory, however many places they have. */
#ifndef TB_BACKEND_CPU_PLANS_WINDOW_RANKS_H
#define TB_BACKEND_CPU_PLANS_WINDOW_RANKS_H
#include <stdbool.h>
#include <stddef.h>

#include "tombac/tombac.h"

/* Lengths and steps are in elements. */
typedef struct tb_window_ranks {
    tb_dtype dtype;
    const char *line;
    int64_t elements;
    int ndim;
    const int64_t *count, *step; /* of the results along each axis, and how far they are apart on the line */
    const int64_t *at;           /* where on the line each place is for the first result, in ascending order */
    int64_t nplace, rank;
    char *made; /* the results, each as far from the first one as on the line; what is between them is not stored */
} tb_window_ranks;

size_t tb__cpu_window_ranks_room(int64_t elements, int64_t nplace);
/* By `room`, of so many bytes, on a boundary of 8. */
void tb__cpu_window_ranks(const tb_window_ranks *w, char *room);
#endif
