/* special_orders.h - modified Bessel functions of real order and argument, and what plain ones (special_jy.h) and
 * Airy's (special_airy.h) are made of, too.
 *
 * v and x are made positive by reflection (DLMF 10.27). Small x have power series and Temme's; large ones, and large
 * orders, Debye's expansions; between them K of two orders next to each other, known by tables, leads to the one that
 * is wanted by recurrence upwards (DLMF 10.74(iv)). */
#ifndef TB_KERNELS_SPECIAL_ORDERS_H
#define TB_KERNELS_SPECIAL_ORDERS_H

/* ---- expansions for large arguments or orders -------------------------------------------------------------------- */

/* Debye's expansions (DLMF 10.19(ii), 10.41(ii)), whose terms U_k(p) / v^k are T_k(q) / r^k with polynomials T_k of
 * q = p^2 and r = v / p: so they hold for v = 0, too, where they are Hankel's. The sum over even k, and in `odd` that
 * over odd ones; every other term of each times `sign`. */
TB_CALLED double tb_debye(double q, double r, double sign, double *odd)
{
    const double *row = tb_debye_terms;
    const double inverse = 1 / r;
    double even = 1, other = 0, scale = 1, turned = 1, before = 1;
    for (int k = 1; k <= 16; k++) {
        row += k;
        scale *= inverse;
        const double term = scale * tb_horner(q, row, k + 1);
        if (k % 2) other += turned * term;
        else even += (turned *= sign) * term;
        if (fabs(term) + fabs(before) < 1e-17) break;
        before = term;
    }
    *odd = other;
    return even;
}

/* Whether they do, of r^2 = |x^2 - v^2| and the smaller one of x and v: sixteen terms are enough. */
TB_FN int tb_debye_holds(double r, double smaller)
{
    const double share = smaller / r;
    return r >= 29.9 * (1 + 3 * share * share);
}

/* sqrt(a^2 - b^2) for a >= b >= 0, whose squares may be too large. */
TB_FN double tb_leg(double a, double b) { return a < 1e100 ? sqrt((a - b) * (a + b)) : sqrt(a - b) * sqrt(a + b); }

/* What r, the root of a^2 + sign b^2 for a >= b >= 0, lacks of it: the squares in two parts each. */
TB_FN double tb_lost_by_root(double r, double a, double b, double sign)
{
    const double aa = a * a, bb = b * b, rr = r * r;
    const double parts = fma(a, a, -aa) + sign * fma(b, b, -bb) - fma(r, r, -rr);
    const double whole = sign < 0 && rr < bb ? (aa - bb) - rr : (aa - rr) + sign * bb;
    return r < 1e100 && r > 0 ? (whole + parts) / (2 * r) : 0;
}

/* The root of exp(r - less) (x / (v + r))^v: what Debye's exponents are the logarithm of, in powers whose arguments
 * are known to more than a double has. `lost`: what r lacks. Far out their factors are not there. */
TB_CALLED double tb_debye_power(double v, double x, double r, double lost, double less)
{
    const double most = fmax(v, r), sum = v + r, y = sum / x;
    const double rest = (fma(-y, x, sum) + (fmin(v, r) - (sum - most)) + lost) / x;
    const double left = r - less, off = (r - left) - less + lost;
    const double power = v > 0 ? tb_pow(y, -0.5 * v) : 1;
    if (!(left < 1400 && power > 1e-290)) return exp(0.5 * left - (v > 0 ? 0.5 * v * log(y) : 0));
    return exp(0.5 * left) * power * exp(0.5 * (off - v * (rest / y)));
}

/* ---- orders in [-1/2, 1/2] --------------------------------------------------------------------------------------- */

/* A table of two variables: powers of t, of each of which the coefficient is a polynomial of u. */
TB_FN double tb_horner_of_two(double t, double u, const double *c, int n)
{
    double sum = 0;
    for (int k = 0; k < n; k++) sum = fma(sum, t, tb_horner(u, c + 7 * k, 7));
    return sum;
}

/* The t and u of tables in 1 / x for x in [2, 30] and in m^2. */
TB_FN double tb_order_t(double x) { return (30 / x - 8) * (1.0 / 7); }
TB_FN double tb_order_u(double m) { return 8 * m * m - 1; }

/* (x / 2)^v, where a half may have few digits. */
TB_FN double tb_power_of_half(double x, double v)
{
    return x < 9.332636185032189e-302 ? tb_pow(x, v) * tb_pow(0.5, v) : tb_pow(x / 2, v);
}

/* Temme's series for x <= 2 (N. M. Temme, J. Comput. Phys. 19 and 21, 1975 and 1976): Y or K of order m, and in `next`
 * that of order m + 1. */
TB_CALLED double tb_temme_pair(double m, double x, int modified, double *next)
{
    const double l = 0.69314718055994530942 - log(x), a = m * l, w = TB_PI * m, square = m * m;
    const double part = tb_horner(square, tb_gamma_odd, 10), mean = tb_horner(square, tb_gamma_even, 10);
    const double e = tb_power_of_half(x, -m), sinc = fabs(w) < 1e-8 ? 1 : w / sin(w);
    const double sinh_part = fabs(a) < 0.3 ? l * tb_horner(a * a, tb_sinh_terms, 6) : 0.5 * (e - 1 / e) / m;
    double f = sinc * (0.5 * (e + 1 / e) * part + sinh_part * mean);
    double p = 0.5 * e / (mean - m * part), q = 0.5 / (e * (mean + m * part));
    const double half = sin(w / 2), bend = modified || m == 0 ? 0 : 2 * half * half / m;
    const double t = modified ? x * x / 4 : -x * x / 4;
    double c = 1, sum = f + bend * q, sum1 = p;
    for (int k = 1; k < 60; k++) {
        const double r = 1 / (k * k - square);
        f = (k * f + p + q) * r;
        p *= (k + m) * r;
        q *= (k - m) * r;
        c *= t / k;
        const double g = f + bend * q, term = c * g, term1 = c * (p - k * g);
        sum += term;
        sum1 += term1;
        if (fabs(term) < TB_EPS / 4 * fabs(sum) && fabs(term1) < TB_EPS / 4 * fabs(sum1)) break;
    }
    const double factor = modified ? 1 : -2 / TB_PI;
    *next = factor * sum1 * (2 / x);
    return factor * sum;
}

/* ---- modified ones ----------------------------------------------------------------------------------------------- */

/* (x / 2)^v / gamma(v + 1); v + 1 may lack a bit. */
TB_FN double tb_first_term(double v, double x)
{
    return tb_power_of_half(x, v) * (v < 1 ? tb_rgamma(v + 1) : tb_rgamma(v) / v);
}

/* exp(-x) I for v >= 0 and x > 0, or I itself. */
TB_FN double tb_iv_of_positive_apart(double v, double x, int scaled)
{
    const double r = hypot(v, x);
    if (r < 30) {
        const double t = x * x / 4;
        double term = 1, sum = 1, slope = 0;
        for (int k = 1; k < 200 && term > TB_EPS / 4 * sum; k++) {
            term *= t / fma(k, v, k * k);
            sum += term;
            slope = fma(k, term, slope);
        }
        if (t > 0) sum += slope * (fma(x, x, -4 * t) / (4 * t));
        return tb_first_term(v, x) * sum * (scaled ? exp(-x) : 1);
    }
    if (r == TB_INFINITE) return x == r ? (v == r ? TB_NONE : scaled ? 0 : x) : 0;
    const double p = v / r, lost = tb_lost_by_root(r, fmax(v, x), fmin(v, x), 1);
    const double half = tb_debye_power(v, x, r, lost, scaled ? x : 0);
    double odd, value = tb_debye(p * p, r, 1, &odd);
    value = (value + odd) * 0.39894228040143267794 / sqrt(r);
    return value * half * half;
}

TB_CALLED double tb_iv_of_positive(double v, double x, int scaled)
{
    TB_TOGETHER(const double result = tb_iv_of_positive_apart(v, x, scaled));
    return result;
}

/* exp(s x) K for v >= 0, x > 0 and s in {-1, 0, 1}. */
TB_CALLED double tb_kv_of_positive(double v, double x, int s)
{
    const double r = hypot(v, x);
    if (r >= 30) {
        if (r == TB_INFINITE) return x == r ? (v == r ? TB_NONE : 0) : r;
        const double p = v / r, lost = tb_lost_by_root(r, fmax(v, x), fmin(v, x), 1);
        const double half = tb_debye_power(v, x, r, lost, s * x);
        double odd, value = tb_debye(p * p, r, 1, &odd);
        value = (value - odd) * 1.25331413731550025121 / sqrt(r);
        return value / half / half;
    }
    const double n = rint(v), m = v - n;
    double low, high, factor = 1;
    if (x <= 2) {
        low = tb_temme_pair(m, x, 1, &high);
        if (s != 0) factor = exp(s * x);
    } else {
        const double t = tb_order_t(x), u = tb_order_u(m);
        factor = 1.25331413731550025121 / sqrt(x) * exp((s - 1) * x);
        low = tb_horner_of_two(t, u, tb_decay_k, 20);
        high = n > 0 ? fma(m / x, low, tb_horner_of_two(t, u, tb_decay_slope, 20)) : 0;
    }
    low *= factor;
    high *= factor;
    if (n == 0) return low;
    const double step = 2 / x;
    for (double k = m + 1; k < v - 0.5; k += 1) {
        const double next = fma(k * step, high, low);
        low = high;
        high = next;
    }
    return high;
}

TB_FN double tb_reflected_iv(double v, double x, int scaled)
{
    const double value = tb_iv_of_positive(-v, x, scaled), s = tb_sin_pi(-v);
    if (s == 0) return value;
    return value + 2 / TB_PI * s * tb_kv_of_positive(-v, x, scaled ? -1 : 0);
}

/* What (x / 2)^v / gamma(v + 1) is at 0. */
TB_FN double tb_power_at_0(double v)
{
    if (v == 0) return 1;
    return v > 0 || tb_is_whole(v) ? 0 : tb_sin_pi(-v) > 0 ? TB_INFINITE : -TB_INFINITE;
}

TB_FN double tb_iv_of(double v, double a, int scaled)
{
    const double x = fabs(a);
    if (v != v || x != x || (a < 0 && !tb_is_whole(v))) return TB_NONE;
    if (x == 0) return tb_power_at_0(v);
    const double value = v < 0 ? tb_reflected_iv(v, x, scaled) : tb_iv_of_positive(v, x, scaled);
    return a < 0 && tb_is_odd(fabs(v)) ? -value : value;
}

TB_FN double tb_kv_of(double v, double x, int scaled)
{
    if (v != v || !(x >= 0)) return TB_NONE;
    return x == 0 ? TB_INFINITE : tb_kv_of_positive(fabs(v), x, scaled);
}

TB_FN double tb_iv(double v, double x) { return tb_iv_of(v, x, 0); }
TB_FN double tb_ive(double v, double x) { return tb_iv_of(v, x, 1); }
TB_FN double tb_kv(double v, double x) { return tb_kv_of(v, x, 0); }
TB_FN double tb_kve(double v, double x) { return tb_kv_of(v, x, 1); }
TB_FN double tb_kn(double n, double x) { return tb_kv_of(trunc(n), x, 0); }

/* ---- plain ones of large arguments ------------------------------------------------------------------------------- */

/* The sine and the cosine of x - (v / 2 + 1/4) pi + more; multiples of quarter turns are taken off x and v first. */
TB_CALLED double tb_wave_angle(double x, double v, double more, double *cosine)
{
    const double whole = rint(v), rest = more - (v - whole) * (TB_PI / 2) - TB_PI / 4;
    double quarters = -whole, s, c;
    if (x < 1e5) {
        const double n = rint(x * 0.63661977236758134308);
        tb_sin_and_cos(fma(-n, 6.123233995736766e-17, fma(-n, TB_PI / 2, x)) + rest, &s, &c);
        quarters += n;
    } else {
        double s1, c1, s2, c2;
        tb_sin_and_cos(x, &s1, &c1);
        tb_sin_and_cos(rest, &s2, &c2);
        s = s1 * c2 + c1 * s2;
        c = c1 * c2 - s1 * s2;
    }
    const int quarter = (int)(quarters - 4 * floor(quarters / 4));
    const double along = quarter & 1 ? c : s, across = quarter & 1 ? -s : c;
    *cosine = quarter & 2 ? -across : across;
    return quarter & 2 ? -along : along;
}

/* J and Y of order v where v < x and the expansions hold (DLMF 10.19.6). Their angle is r - v atan(r / v) - pi / 4, or
 * x less quarter turns of v and what v's square makes of it; `more`: what x lacks. */
TB_CALLED tb_c128 tb_jy_far(double v, double x, double more)
{
    const double r = tb_leg(x, fabs(v)), p = v / r, slope = r / v, square = slope * slope;
    double s, c, odd;
    if (v > 0 && slope < 1) {
        tb_sin_and_cos(r * (square * tb_horner(2 * square - 1, tb_angle_curve, 22)) - TB_PI / 4 + more, &s, &c);
    } else {
        s = tb_wave_angle(x, v, v * asin(v / x) - v * (v / (x + r)) + more, &c);
    }
    const double even = tb_debye(-p * p, r, -1, &odd), size = 0.79788456080286535588 / sqrt(r);
    return tb_make_c128(size * (even * c + odd * s), size * (even * s - odd * c));
}
#endif
