/* ship_programs.h - programs, one at a time: arrays of no particular elements and operations on them, as a script has
 * them. Of a program that has failed the rest makes nothing, and done() says why. */
#ifndef TB_TOOLS_SHIP_PROGRAMS_H
#define TB_TOOLS_SHIP_PROGRAMS_H
#include "tombac/tombac.h"

enum { SIDE = 64 };

/* What was made from outside: the program's from now on. NULL where it was not made. */
tb_array *keep(tb_status status, tb_array *a);
bool failed(void);
/* Nobody has this one any more, of which more may be made. */
void forget(tb_array *a);
/* Ends a program: evaluates what it has made last. What led to it is nobody's, so that it is not stored; or it is still
 * somebody's. */
tb_status done(void);
tb_status done_and_kept(void);

/* ---- arrays ------------------------------------------------------------------------------------------------------ */

tb_array *fresh(tb_dtype t, int ndim, const int64_t *shape);
/* A view with these strides in elements. */
tb_array *view(tb_dtype t, int ndim, const int64_t *shape, const int64_t *strides);
tb_array *flat(tb_dtype t);
tb_array *many(tb_dtype t);
tb_array *one(tb_dtype t);
tb_array *apart(tb_dtype t, int64_t step); /* some elements that are so far apart */
tb_array *matrix(tb_dtype t, int64_t n, int64_t pitch);
tb_array *row(tb_dtype t, int64_t n);
tb_array *column(tb_dtype t, int64_t n);
tb_array *count(tb_dtype t); /* 0, 1, 2... */

/* ---- operations -------------------------------------------------------------------------------------------------- */

tb_operand of(tb_array *a);
tb_operand number(double x);
tb_array *call3(const char *name, tb_operand a, tb_operand b, tb_operand c);
tb_array *call2(const char *name, tb_operand a, tb_operand b);
tb_array *call1(const char *name, tb_array *a);
tb_array *both(const char *name, tb_array *a, tb_array *b);
tb_array *where(tb_array *condition, tb_operand x, tb_operand y);
tb_array *cast(tb_array *a, tb_dtype t);
tb_array *reduced(tb_reduction r, tb_array *a, int axis); /* axis -1: all of them */
tb_array *reduced_to(tb_dtype t, tb_reduction r, tb_array *a, int axis);
tb_array *scanned(tb_array *a);
tb_array *product(tb_array *x, tb_array *y);
tb_array *copied(tb_array *a);
tb_array *joined(tb_array *x, tb_array *y); /* along the last axis */
tb_array *turned(tb_array *a);              /* the last two axes */
tb_array *taken(tb_array *a, tb_array *index);
/* These write to an array, which is then what has been made last: all of it, or elements by their places. */
void store(tb_array *to, tb_operand from);
void put(tb_array *to, tb_array *index, tb_operand from);
void added(tb_array *to, tb_array *index, tb_array *from);
#endif
