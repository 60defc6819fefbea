/* number.c - see number.h: numbers as text. Which notation floats get follows from their least and greatest magnitude,
 * the columns from the longest of them. */
#include "conveniences/number.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/decimal.h"
#include "base/half.h"

enum { PRECISION = 8 };

/* ---- reading ----------------------------------------------------------------------------------------------------- */

#define READ(name, T)                 \
    static T name(const void *p)      \
    {                                 \
        T x;                          \
        memcpy(&x, p, sizeof x);      \
        return x;                     \
    }
READ(read_i8, int8_t)
READ(read_u8, uint8_t)
READ(read_i16, int16_t)
READ(read_u16, uint16_t)
READ(read_i32, int32_t)
READ(read_u32, uint32_t)
READ(read_i64, int64_t)
READ(read_u64, uint64_t)
READ(read_f32, float)
READ(read_f64, double)

static double read_float(const void *p, tb_dtype t)
{
    if (tb__is_half(t)) return tb__half_value(t, read_u16(p));
    return t == TB_F32 ? read_f32(p) : read_f64(p);
}

tb_scalar tb__number(const void *p, tb_dtype t)
{
    const tb_dtype part = tb_dtype_real(t);
    tb_scalar s = {.dtype = t};
    switch (t) {
    case TB_BOOL: s.v.i = read_u8(p) != 0; break;
    case TB_I8: s.v.i = read_i8(p); break;
    case TB_U8: s.v.u = read_u8(p); break;
    case TB_I16: s.v.i = read_i16(p); break;
    case TB_U16: s.v.u = read_u16(p); break;
    case TB_I32: s.v.i = read_i32(p); break;
    case TB_U32: s.v.u = read_u32(p); break;
    case TB_I64: s.v.i = read_i64(p); break;
    case TB_U64: s.v.u = read_u64(p); break;
    case TB_C64:
    case TB_C128:
        s.v.c.re = read_float(p, part);
        s.v.c.im = read_float((const char *)p + tb_dtype_size(part), part);
        break;
    default: s.v.f = read_float(p, t); break;
    }
    return s;
}

/* ---- one float --------------------------------------------------------------------------------------------------- */

/* A finite number in parts: the sign and what stands before the point, what stands after it, the exponent. */
typedef struct parts {
    char whole[TB_NUMBER_TEXT], after[TB_DECIMAL_DIGITS + 8];
    int exponent;
} parts;

static const char *sign_of(double x, bool plus) { return signbit(x) ? "-" : plus ? "+" : ""; }

static parts exponential(double x, tb_dtype t, bool plus, int least, int most)
{
    tb_decimal d;
    parts p;
    tb__decimal(x, t, (tb_decimal_places){true, -least, -most}, &d);
    p.exponent = d.n > 0 ? d.exponent : 0;
    snprintf(p.whole, sizeof p.whole, "%s%c", sign_of(x, plus), d.n > 0 ? d.digits[0] : '0');
    snprintf(p.after, sizeof p.after, "%s", d.n > 0 ? d.digits + 1 : "");
    for (size_t n = strlen(p.after); (int)n < least; n++) memcpy(p.after + n, "0", 2);
    return p;
}

static parts positional(double x, tb_dtype t, bool plus, int most)
{
    tb_decimal d;
    parts p = {.exponent = 0};
    tb__decimal(x, t, (tb_decimal_places){false, 1000, -most}, &d);
    const int before = d.n > 0 && d.exponent >= 0 ? d.exponent + 1 : 0; /* digits */
    const int zeros = d.n > 0 && d.exponent < 0 ? -d.exponent - 1 : 0;  /* after the point */
    const int kept = before < d.n ? before : d.n;
    snprintf(p.whole, sizeof p.whole, "%s%.*s%.*s", sign_of(x, plus), before ? kept : 1, before ? d.digits : "0",
             before - kept, "00000000000000000000");
    snprintf(p.after, sizeof p.after, "%.*s%s", zeros, "00000000", d.digits + kept);
    return p;
}

/* A number that stands alone, and whether whole ones end in ".0". */
static void lone_float(double x, tb_dtype t, bool plus, bool point, tb_text *out)
{
    const double magnitude = fabs(x);
    const double most = tb__is_half(t) ? 1e3 : t == TB_F32 ? 1e6 : 1e16;
    if (isnan(x)) {
        tb__text_add(out, plus ? "+nan" : "nan");
    } else if (isinf(x)) {
        tb__text_addf(out, "%sinf", sign_of(x, plus));
    } else if (x == 0 || (magnitude >= 1e-4 && magnitude < most)) {
        const parts p = positional(x, t, plus, 1000);
        const char *after = *p.after ? p.after : "0";
        tb__text_add(out, p.whole);
        if (point || *p.after) tb__text_addf(out, ".%s", after);
    } else {
        const parts p = exponential(x, t, plus, 0, 1000);
        tb__text_addf(out, "%s%s%se%c%02d", p.whole, *p.after ? "." : "", p.after, p.exponent < 0 ? '-' : '+',
                      p.exponent < 0 ? -p.exponent : p.exponent);
    }
}

void tb__number_text(tb_scalar s, tb_text *out)
{
    const tb_dtype part = tb_dtype_real(s.dtype);
    switch (tb_dtype_kind(s.dtype)) {
    case TB_KIND_BOOL: tb__text_add(out, s.v.i ? "True" : "False"); break;
    case TB_KIND_INT:
        if (tb_dtype_is_unsigned(s.dtype)) tb__text_addf(out, "%" PRIu64, s.v.u);
        else tb__text_addf(out, "%" PRId64, s.v.i);
        break;
    case TB_KIND_FLOAT: lone_float(s.v.f, part, false, true, out); break;
    default: {
        const bool alone = s.v.c.re == 0 && !signbit(s.v.c.re);
        if (!alone) tb__text_add(out, "(");
        if (!alone) lone_float(s.v.c.re, part, false, false, out);
        lone_float(s.v.c.im, part, !alone, false, out);
        tb__text_add(out, alone ? "j" : "j)");
    }
    }
}

/* ---- floats in columns ------------------------------------------------------------------------------------------- */

/* n floats, `step` bytes apart. */
typedef struct column {
    const char *data;
    int64_t n;
    size_t step;
    tb_dtype dtype;
} column;

static double value_at(const column *c, int64_t i) { return read_float(c->data + (size_t)i * c->step, c->dtype); }

/* As the dtype holds it: comparisons and quotients are of that precision. */
static double as_held(double x, tb_dtype t)
{
    if (tb__is_half(t)) return tb__half_value(t, tb__half_of(t, x));
    return t == TB_F32 ? (double)(float)x : x;
}

static bool wants_exponents(const column *c)
{
    double least = INFINITY, greatest = 0;
    for (int64_t i = 0; i < c->n; i++) {
        const double x = fabs(value_at(c, i));
        if (!isfinite(x) || x == 0) continue;
        least = x < least ? x : least;
        greatest = x > greatest ? x : greatest;
    }
    if (greatest == 0) return false;
    const double limit = tb__is_half(c->dtype) ? 1e3 : c->dtype == TB_F32 ? 1e6 : 1e8;
    return greatest >= limit || least < as_held(0.0001, c->dtype) || as_held(greatest / least, c->dtype) > 1000;
}

static int longer(int a, size_t b) { return a > (int)b ? a : (int)b; }

static tb_float_format float_format(column c, bool plus)
{
    tb_float_format f = {.dtype = c.dtype, .plus = plus, .exponential = wants_exponents(&c)};
    bool finite = true, below = plus;
    for (int64_t i = 0; i < c.n; i++) {
        const double x = value_at(&c, i);
        if (!isfinite(x)) {
            finite = false;
            below |= isinf(x) && x < 0;
            continue;
        }
        const parts p =
            f.exponential ? exponential(x, c.dtype, plus, 0, PRECISION) : positional(x, c.dtype, plus, PRECISION);
        f.left = longer(f.left, strlen(p.whole));
        f.right = longer(f.right, strlen(p.after));
        f.exponent = p.exponent >= 100 || p.exponent <= -100 ? 3 : longer(f.exponent, 2);
    }
    if (f.exponential) {
        f.places = f.right;
        f.right += f.exponent + 2; /* the letter and its sign */
    }
    if (!finite) {
        f.left = f.left > 2 - f.right ? f.left : 2 - f.right;
        f.left = f.left > 2 + below - f.right ? f.left : 2 + below - f.right;
    }
    return f;
}

static int format_float(const tb_float_format *f, double x, char *text)
{
    if (!isfinite(x)) {
        char word[8];
        snprintf(word, sizeof word, "%s%s", isnan(x) ? f->plus ? "+" : "" : sign_of(x, f->plus),
                 isnan(x) ? "nan" : "inf");
        return snprintf(text, TB_NUMBER_TEXT, "%*s", f->left + f->right + 1, word);
    }
    if (f->exponential) {
        const parts p = exponential(x, f->dtype, f->plus, f->places, f->places);
        return snprintf(text, TB_NUMBER_TEXT, "%*s.%se%c%0*d", f->left, p.whole, p.after, p.exponent < 0 ? '-' : '+',
                        f->exponent, p.exponent < 0 ? -p.exponent : p.exponent);
    }
    const parts p = positional(x, f->dtype, f->plus, PRECISION);
    return snprintf(text, TB_NUMBER_TEXT, "%*s.%-*s", f->left, p.whole, f->right, p.after);
}

/* ---- elements ---------------------------------------------------------------------------------------------------- */

static int integer_text(const void *p, tb_dtype t, int width, char *text)
{
    const tb_scalar s = tb__number(p, t);
    if (tb_dtype_is_unsigned(t)) return snprintf(text, TB_NUMBER_TEXT, "%*" PRIu64, width, s.v.u);
    return snprintf(text, TB_NUMBER_TEXT, "%*" PRId64, width, s.v.i);
}

tb_number_format tb__number_format(tb_dtype t, int64_t n, const void *data)
{
    const tb_dtype part = tb_dtype_real(t);
    const size_t size = tb_dtype_size(t);
    tb_number_format f = {.dtype = t};
    char text[2 * TB_NUMBER_TEXT];
    switch (tb_dtype_kind(t)) {
    case TB_KIND_BOOL: f.width = 5; break;
    case TB_KIND_INT:
        for (int64_t i = 0; i < n; i++)
            f.width = longer(f.width, (size_t)integer_text((const char *)data + (size_t)i * size, t, 0, text));
        break;
    case TB_KIND_COMPLEX:
        f.imag = float_format((column){(const char *)data + size / 2, n, size, part}, true); /* fallthrough */
    default: f.real = float_format((column){data, n, size, part}, false); break;
    }
    return f;
}

void tb__formatted(const tb_number_format *f, const void *element, char text[2 * TB_NUMBER_TEXT])
{
    const tb_scalar s = tb__number(element, f->dtype);
    switch (tb_dtype_kind(f->dtype)) {
    case TB_KIND_BOOL: snprintf(text, TB_NUMBER_TEXT, "%*s", f->width, s.v.i ? "True" : "False"); break;
    case TB_KIND_INT: integer_text(element, f->dtype, f->width, text); break;
    case TB_KIND_FLOAT: format_float(&f->real, s.v.f, text); break;
    default: {
        const int n = format_float(&f->real, s.v.c.re, text);
        char *imag = text + n;
        const int end = format_float(&f->imag, s.v.c.im, imag);
        int at = end;
        while (at > 0 && imag[at - 1] == ' ') at--;
        memmove(imag + at + 1, imag + at, (size_t)(end - at) + 1);
        imag[at] = 'j';
    }
    }
}
