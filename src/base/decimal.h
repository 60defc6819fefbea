/* decimal.h - a binary floating-point number as decimal digits, exactly and in no locale. */
#ifndef TB_BASE_DECIMAL_H
#define TB_BASE_DECIMAL_H
#include "tombac/tombac.h"

enum { TB_DECIMAL_DIGITS = 24 };

/* digits[0].digits[1]digits[2]... times 10 to the exponent; digits are '0' to '9', without zeros at the end but those
 * that were asked for, and terminated. Zero has no digits. */
typedef struct tb_decimal {
    int exponent, n;
    char digits[TB_DECIMAL_DIGITS + 1];
} tb_decimal;

/* How many digits: what tells the number from its neighbours of the same dtype, but at least down to 10^least and not
 * below 10^last, counted from the first digit if `relative`. What is cut off is rounded, ties to even. */
typedef struct tb_decimal_places {
    bool relative;
    int least, last;
} tb_decimal_places;

/* |x|, which is finite and of dtype t: TB_F16, TB_BF16, TB_F32 or TB_F64. */
void tb__decimal(double x, tb_dtype t, tb_decimal_places places, tb_decimal *out);
#endif
