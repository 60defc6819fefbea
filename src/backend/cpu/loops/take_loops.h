/* take_loops.h - elements at indices that are in range, read and written, compiled once for each instruction set. */
#ifndef TB_BACKEND_CPU_LOOPS_TAKE_LOOPS_H
#define TB_BACKEND_CPU_LOOPS_TAKE_LOOPS_H
#include <stdbool.h>
#include <stdint.h>

#include "backend/cpu/loops/isa.h"

/* n elements of those that follow one another from `base` on, at any address. False: an index is not in [0, length),
 * and nothing was written. */
typedef bool tb_take_loop(int64_t n, const int64_t *index, int64_t length, const char *base, char *to);
/* The other way: n elements go there, one after the other. */
typedef bool tb_put_loop(int64_t n, const int64_t *index, int64_t length, char *base, const char *from);
/* Of each of so many rows, which are `stride` bytes apart, the n elements that are where[k] bytes behind its first one;
 * row after row. */
typedef void tb_columns_loop(int64_t rows, int64_t n, const int64_t *where, const char *base, int64_t stride, char *to);
/* The other way: to each of so many rows the n elements of a row of others, of which the next is `pitch` bytes on. */
typedef void tb_put_columns_loop(int64_t rows, int64_t n, const int64_t *where, char *base, int64_t stride,
                                 const char *from, int64_t pitch);

/* For elements of 1, 2, 4, 8 and 16 bytes, by the logarithm of that. */
enum { TB_TAKE_SIZES = 5 };
TB_ISA_EXTERN(tb_put_columns_loop *const, tb__put_columns_loops_, [TB_TAKE_SIZES])
TB_ISA_EXTERN(tb_put_loop *const, tb__put_loops_, [TB_TAKE_SIZES])
TB_ISA_EXTERN(tb_columns_loop *const, tb__columns_loops_, [TB_TAKE_SIZES])
TB_ISA_EXTERN(tb_take_loop *const, tb__take_loops_, [TB_TAKE_SIZES])
#endif
