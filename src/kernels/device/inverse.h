/* inverse.h - quotients by a number that all of a thread's elements have in common: by its inverse, which is computed
 * once, a product and two fused operations take what a division takes ten for. Device only.
 *
 * With y the inverse of b, rounded, and q = a y, rounded, q + (a - q b) y, each operation fused, is a / b as a division
 * rounds it, as long as nothing over- or underflows. Let b be in (1, 2), the precision p, and u the distance of
 * neighbours about a / b, which is at least u 2^-p / b away from the middle m of two neighbours. y is wrong by less
 * than 2^(-p-1), so what is rounded last is wrong by less than |a / b - q| b 2^(-p-1). Where that might matter a / b is
 * so close to m that a y, wrong by less than u, was rounded to one of the two neighbours. So |a / b - q| is u / 2, and
 * what is rounded last wrong by less than u b 2^(-p-2), which for b < 2 is less than the distance to m. (For precisions
 * of 4 to 12 bits all quotients were tried.) */

static __device__ __noinline__ float tb_whole_division(float a, float b) { return a / b; }
static __device__ __noinline__ double tb_whole_division(double a, double b) { return a / b; }

/* With such divisors quotients that are usual have no operand or step that over- or underflows. */
TB_FN bool tb_can_invert(float b) { return fabsf(b) >= 0x1p-40f && fabsf(b) <= 0x1p40f; }
TB_FN bool tb_can_invert(double b) { return fabs(b) >= 0x1p-500 && fabs(b) <= 0x1p500; }

/* Whether 2^-40 <= |q| < 2^40, or 2^-400 <= |q| < 2^400: not so of NaN. By the bits, as comparisons of float64 are
 * operations of float64, which are few. */
TB_FN bool tb_is_usual(float q)
{
    tb_u32 bits;
    memcpy(&bits, &q, sizeof bits);
    return (bits & 0x7fffffff) - (87u << 23) < 80u << 23;
}

TB_FN bool tb_is_usual(double q)
{
    tb_u32 words[2];
    memcpy(words, &q, sizeof words);
    return (words[1] & 0x7fffffff) - (623u << 20) < 800u << 20;
}

TB_FN float tb_fused(float a, float b, float c) { return fmaf(a, b, c); }
TB_FN double tb_fused(double a, double b, double c) { return fma(a, b, c); }

/* NaN where the inverse is of no use. */
template <class T> TB_FN T tb_inverse(T b)
{
    const bool can = tb_can_invert(b);
    return (T)can / (can ? b : (T)0);
}

/* a / b, y being tb_inverse(b). Zeros are common enough to be spared the call. */
template <class T> TB_FN T tb_quotient_by(T a, T b, T y)
{
    const T q = a * y;
    if (tb_is_usual(q)) return tb_fused(tb_fused(-q, b, a), y, q);
    return a == 0 && y == y ? q : tb_whole_division(a, b);
}
