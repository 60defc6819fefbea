/* random.h - what random.c and draws.c share: a position in a stream, and a draw from there. */
#ifndef TBPY_RANDOM_H
#define TBPY_RANDOM_H
#include "core.h"

typedef struct TbRng {
    PyObject_HEAD
    tb_rng rng;
} TbRng;

extern PyTypeObject *tbpy_rng_type; /* tombac._core.Rng */

/* What tb_random is asked for. */
typedef struct tbpy_draw_args {
    tb_distribution distribution;
    tb_dtype dtype;
    tb_scalar p0, p1;
    int ndim;
    int64_t shape[TB_MAXDIM];
} tbpy_draw_args;

/* Moves the position past what is drawn. */
PyObject *tbpy_draw(TbRng *self, const tbpy_draw_args *d);
#endif
