/* number.h - elements of host memory as numbers, and numbers as text as NumPy writes them. */
#ifndef TB_CONVENIENCES_NUMBER_H
#define TB_CONVENIENCES_NUMBER_H
#include "base/text.h"
#include "tombac/tombac.h"

/* The element of dtype t at p, which need not be aligned. */
tb_scalar tb__number(const void *p, tb_dtype t);

/* NumPy's str() of a single number. */
void tb__number_text(tb_scalar s, tb_text *out);

/* How floats of one array are written, so that they stand in columns. */
typedef struct tb_float_format {
    tb_dtype dtype;   /* real */
    bool exponential; /* 1.5e-07 rather than 0.00000015 */
    bool plus;        /* positive numbers have a sign */
    int places;       /* exponential: digits after the point */
    int left, right;  /* columns before and after the point */
    int exponent;     /* digits of the exponent */
} tb_float_format;

/* How elements of an array are written: each takes `width` columns, or what the formats of its parts say. */
typedef struct tb_number_format {
    tb_dtype dtype;
    int width;
    tb_float_format real, imag;
} tb_number_format;

/* For n elements at data, in NumPy's way: as few digits as tell floats apart, at most eight after the point. */
tb_number_format tb__number_format(tb_dtype t, int64_t n, const void *data);
/* Text of at most 63 characters. */
enum { TB_NUMBER_TEXT = 64 };
void tb__formatted(const tb_number_format *f, const void *element, char text[2 * TB_NUMBER_TEXT]);
#endif
