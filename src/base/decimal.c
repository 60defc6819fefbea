/* decimal.c - see decimal.h: the algorithm of Steele and White, in integers of any length. The number is a fraction,
 * value / scale; with it go the distances to the numbers half way to its neighbours. Each step moves one digit out of
 * the fraction, until what is left is less than these distances. */
#include "base/decimal.h"

#include <math.h>
#include <string.h>

enum { WORDS = 40 }; /* 1,280 bits: the smallest double times 10 to the 325, and the largest one, take less */

typedef struct number {
    int n; /* words that count, the highest of which is not 0 */
    uint32_t w[WORDS];
} number;

static void multiply(number *x, uint32_t by)
{
    uint64_t carry = 0;
    for (int i = 0; i < x->n; i++) {
        carry += (uint64_t)x->w[i] * by;
        x->w[i] = (uint32_t)carry;
        carry >>= 32;
    }
    if (carry) x->w[x->n++] = (uint32_t)carry;
}

static void multiply_by_power_of_ten(number *x, int power)
{
    for (; power >= 9; power -= 9) multiply(x, 1000000000);
    for (; power > 0; power--) multiply(x, 10);
}

/* m times 2^shift. */
static number shifted(uint64_t m, int shift)
{
    number x = {.n = shift / 32};
    memset(x.w, 0, sizeof x.w);
    const unsigned __int128 wide = (unsigned __int128)m << shift % 32;
    for (int i = 0; i < 3; i++)
        if (wide >> (32 * i)) x.w[x.n++] = (uint32_t)(wide >> (32 * i));
    return x;
}

static int compare(const number *x, const number *y)
{
    if (x->n != y->n) return x->n < y->n ? -1 : 1;
    for (int i = x->n - 1; i >= 0; i--)
        if (x->w[i] != y->w[i]) return x->w[i] < y->w[i] ? -1 : 1;
    return 0;
}

/* y is no more than x. */
static void subtract(number *x, const number *y)
{
    int64_t borrow = 0;
    for (int i = 0; i < x->n; i++) {
        const int64_t d = (int64_t)x->w[i] - (i < y->n ? y->w[i] : 0) + borrow;
        x->w[i] = (uint32_t)d;
        borrow = d < 0 ? -1 : 0;
    }
    while (x->n > 0 && x->w[x->n - 1] == 0) x->n--;
}

static number sum(const number *x, const number *y)
{
    number r = {.n = x->n > y->n ? x->n : y->n};
    uint64_t carry = 0;
    for (int i = 0; i < r.n; i++) {
        carry += (uint64_t)(i < x->n ? x->w[i] : 0) + (i < y->n ? y->w[i] : 0);
        r.w[i] = (uint32_t)carry;
        carry >>= 32;
    }
    if (carry) r.w[r.n++] = (uint32_t)carry;
    return r;
}

typedef struct fraction {
    number value, scale, below, above; /* the last two: to half way to the neighbours */
    bool even;                         /* numbers half way are read as this one */
} fraction;

/* x = m * 2^e, where m has as many bits as dtype t has; fewer below its least normal number. */
static fraction fraction_of(double x, tb_dtype t, int *log2)
{
    const int bits = t == TB_F16 ? 11 : t == TB_BF16 ? 8 : t == TB_F32 ? 24 : 53;
    const int least = t == TB_F16 ? -24 : t == TB_BF16 ? -133 : t == TB_F32 ? -149 : -1074;
    int e;
    frexp(x, &e);
    *log2 = e - 1;
    e = e - bits < least ? least : e - bits;
    const uint64_t m = (uint64_t)ldexp(x, -e);
    /* Below a power of two neighbours are half as far as above. */
    const bool uneven = m == 1ull << (bits - 1) && e > least;
    const int up = e > 0 ? e : 0, down = e < 0 ? -e : 0;
    return (fraction){.value = shifted(m, up + 1 + uneven),
                      .scale = shifted(1, down + 1 + uneven),
                      .below = shifted(1, up),
                      .above = shifted(1, up + uneven),
                      .even = (m & 1) == 0};
}

/* Scales f to less than ten, and one or more; returns the power of ten that was taken out. */
static int normalise(fraction *f, int log2)
{
    int exponent = (int)floor(log2 * 0.30102999566398119521); /* that of the number, or one less */
    if (exponent > 0) multiply_by_power_of_ten(&f->scale, exponent);
    number *const rest[] = {&f->value, &f->below, &f->above};
    for (int i = 0; i < 3; i++) multiply_by_power_of_ten(rest[i], -exponent);
    number ten = f->scale;
    multiply(&ten, 10);
    if (compare(&f->value, &ten) < 0) return exponent;
    f->scale = ten;
    return exponent + 1;
}

static int take_digit(fraction *f)
{
    int digit = 0;
    for (; compare(&f->value, &f->scale) >= 0; digit++) subtract(&f->value, &f->scale);
    return digit;
}

/* Whether what is left is less than half of the last digit, or nothing of the number's own. */
static bool rounds_down(const fraction *f, bool low, bool high, int digit)
{
    if (low != high) return low;
    const number twice = sum(&f->value, &f->value);
    const int c = compare(&twice, &f->scale);
    return c != 0 ? c < 0 : (digit & 1) == 0;
}

static void round_up(tb_decimal *out)
{
    int i = out->n - 1;
    for (; i >= 0 && out->digits[i] == '9'; i--) out->digits[i] = '0';
    if (i >= 0) {
        out->digits[i]++;
    } else {
        out->digits[0] = '1'; /* the others are zeros now */
        out->exponent++;
    }
}

void tb__decimal(double x, tb_dtype t, tb_decimal_places places, tb_decimal *out)
{
    int log2;
    *out = (tb_decimal){0};
    if (x == 0) return;
    fraction f = fraction_of(fabs(x), t, &log2);
    out->exponent = normalise(&f, log2);
    const int base = places.relative ? out->exponent : 0, least = base + places.least, last = base + places.last;
    for (int at = out->exponent;; at--) {
        const int digit = take_digit(&f);
        const number high_end = sum(&f.value, &f.above);
        const bool low = compare(&f.value, &f.below)<f.even, high = compare(&high_end, &f.scale)> - f.even;
        out->digits[out->n++] = (char)('0' + digit);
        if (((low || high) && at <= least) || at <= last || out->n == TB_DECIMAL_DIGITS) {
            if (!rounds_down(&f, low, high, digit)) round_up(out);
            break;
        }
        number *const rest[] = {&f.value, &f.below, &f.above};
        for (int i = 0; i < 3; i++) multiply(rest[i], 10);
    }
    const int kept = places.relative ? 1 - places.least : out->exponent - least + 1;
    while (out->n > 0 && out->n > kept && out->digits[out->n - 1] == '0') out->n--;
    out->digits[out->n] = 0;
}
