/* structured.h - matrices of which at most two in each four elements of a row, counted from its first, are not 0: what
 * a backend has for products of theirs that cost half as much. They are given to it once, and kept in a form of its
 * own. */
#ifndef TB_BACKEND_STRUCTURED_H
#define TB_BACKEND_STRUCTURED_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tombac/tombac.h"

/* The matrix (m, k) in C order, and its product with a dense (k, n). Addresses are multiples of
 * TB_STRUCTURED_ALIGNED. */
enum { TB_STRUCTURED_ALIGNED = 16 };
typedef struct tb_structured {
    tb_dtype dtype; /* of both factors: float16; int8, whose product is of int32 */
    int64_t m, k, n;
    bool x_by_columns; /* in memory x is (n, k) */
    const void *a;     /* the matrix, or what was made of it */
    const void *x;
    void *out; /* what is made of the matrix, or the product in C order */
} tb_structured;

typedef struct tb_structured_routines {
    /* Whether there is all this for the dtype and m, k, n on the device; if not, an error that says why. n may be 0:
     * any. */
    tb_status (*check)(int device, const tb_structured *q);
    /* These are asked about what has passed the check. */
    bool (*wants_columns)(tb_dtype t);                                      /* x has to be by columns */
    tb_status (*size)(tb_stream *s, const tb_structured *q, size_t *bytes); /* that a matrix takes in that form */
    tb_status (*compress)(tb_stream *s, const tb_structured *q);
    tb_status (*multiply)(tb_stream *s, const tb_structured *q);
} tb_structured_routines;
#endif
