"""Families of distributions on an interval: a row for each."""

import functools
import math

import tombac
from tombac._core import special, where
from tombacx.scipy.stats._distributions import Continuous
from tombacx.scipy.stats._families_line import symmetric

__all__ = [
    "anglit", "arcsine", "argus", "bradford", "cosine", "genhalflogistic", "johnsonsb", "loguniform", "powerlaw",
    "rdist",
    "reciprocal", "semicircular", "trapezoid", "triang", "truncexpon", "truncnorm", "truncpareto", "truncweibull_min",
    "wrapcauchy",
]

INF, PI = math.inf, math.pi
exp, log, sqrt = tombac.exp, tombac.log, tombac.sqrt
expm1, log1p = tombac.expm1, tombac.log1p
xlogy, xlog1py = special.xlogy, special.xlog1py

anglit = Continuous(
    "anglit", "distribution whose density is a cosine", "", (-PI / 4, PI / 4), "cdf(0.0).round(6)\narray(0.5)",
    log=lambda x: log(tombac.cos(2 * x)), cdf=lambda x: tombac.square(tombac.sin(x + PI / 4)),
    sf=lambda x: tombac.square(tombac.cos(x + PI / 4)), ppf=lambda q: tombac.arcsin(sqrt(q)) - PI / 4,
    isf=lambda q: PI / 4 - tombac.arcsin(sqrt(q)), mean=0.0, var=PI**2 / 16 - 0.5, skew=0.0,
    kurt=-2 * (PI**4 - 96) / (PI**2 - 8) ** 2)

arcsine = Continuous(
    "arcsine", "arcsine distribution", "", (0, 1), "mean()\narray(0.5)",
    log=lambda x: -log(PI * sqrt(x * (1 - x))), cdf=lambda x: 2 / PI * tombac.arcsin(sqrt(x)),
    sf=lambda x: 2 / PI * tombac.arccos(sqrt(x)), ppf=lambda q: tombac.square(tombac.sin(PI / 2 * q)),
    isf=lambda q: tombac.square(tombac.cos(PI / 2 * q)), mean=0.5, var=0.125, skew=0.0, kurt=-1.5,
    entropy=lambda: math.log(PI / 4))


def _argus_part(x, chi):
    return special.gammainc(1.5, chi * chi * (1 - x) * (1 + x) / 2)


argus = Continuous(
    "argus", "ARGUS distribution of the shape chi", "chi", (0, 1), "sf(0.0, 1.0)\narray(1.)",
    log=lambda x, chi: 3 * log(chi) + log(x) + log1p(-x * x) / 2 - chi * chi * (1 - x * x) / 2 - math.log(
        math.sqrt(PI / 2)) - log(_argus_part(0.0, chi)),
    cdf=lambda x, chi: 1 - _argus_part(x, chi) / _argus_part(0.0, chi),
    sf=lambda x, chi: _argus_part(x, chi) / _argus_part(0.0, chi),
    isf=lambda q, chi: sqrt(1 - 2 * special.gammaincinv(1.5, q * _argus_part(0.0, chi)) / (chi * chi)))

bradford = Continuous(
    "bradford", "Bradford's distribution of the shape c", "c", (0, 1), "cdf(1.0, 2.0)\narray(1.)",
    log=lambda x, c: log(c) - log1p(c * x) - log(log1p(c)), cdf=lambda x, c: log1p(c * x) / log1p(c),
    ppf=lambda q, c: expm1(q * log1p(c)) / c)


def _arc(y):
    """y - sin(y), by a series where little is left of it."""
    square = y * y
    near = y * square / 6 * (1 - square / 20 * (1 - square / 42 * (1 - square / 72 * (1 - square / 110 * (
        1 - square / 156)))))
    return where(y < 0.5, near, y - tombac.sin(y))


# Of the root of y - sin(y) = m, by that of 6 m, as a polynomial in the latter's square.
_ARC_ROOT = (1.0000006296470487, 0.016651785255965546, 0.0007496356016309361, 1.078542805760132e-05,
             1.3080152397398444e-05, -1.6613074275936905e-06, 1.4075239534733226e-07)


def _arc_root(m):
    """The inverse of ``_arc`` up to pi: a polynomial, and a step of Halley's."""
    cube = tombac.cbrt(6 * m)
    y = cube * functools.reduce(lambda total, c: total * tombac.square(cube) + c, reversed(_ARC_ROOT))
    sine = tombac.sin(y / 2)
    step = (_arc(y) - m) / (2 * tombac.square(sine))
    return y - step / (1 - step * tombac.cos(y / 2) / (2 * sine))


cosine = symmetric(
    "cosine", "distribution whose density is a cosine and 1", "", "cdf(0.0)\narray(0.5)",
    lambda x: _arc(PI - x) / (2 * PI), lambda q: PI - _arc_root(2 * PI * q), (-PI, PI),
    log=lambda x: log1p(tombac.cos(x)) - math.log(2 * PI), var=PI**2 / 3 - 2,
    kurt=-6 * (PI**4 - 90) / (5 * (PI**2 - 6) ** 2))


def _half_power(x, c):
    return exp(log1p(-c * x) / c)


genhalflogistic = Continuous(
    "genhalflogistic", "generalized half-logistic distribution of the shape c", "c", lambda c: (0, 1 / c),
    "sf(0.0, 0.5)\narray(1.)",
    log=lambda x, c: math.log(2) + xlog1py(1 / c - 1, -c * x) - 2 * log1p(_half_power(x, c)),
    cdf=lambda x, c: (1 - _half_power(x, c)) / (1 + _half_power(x, c)),
    sf=lambda x, c: 2 * _half_power(x, c) / (1 + _half_power(x, c)),
    ppf=lambda q, c: -expm1(c * log((1 - q) / (1 + q))) / c, isf=lambda q, c: -expm1(c * log(q / (2 - q))) / c)

johnsonsb = Continuous(
    "johnsonsb", "Johnson's bounded distribution of the shapes a and b", "a b", (0, 1),
    "cdf(0.5, 0.0, 1.0)\narray(0.5)",
    allowed=lambda a, b: (b > 0) & ~tombac.isnan(a), vanishes=True,
    log=lambda x, a, b: log(b) - log(x) - log1p(-x) - tombac.square(a + b * special.logit(x)) / 2 - math.log(
        2 * PI) / 2,
    cdf=lambda x, a, b: special.ndtr(a + b * special.logit(x)),
    sf=lambda x, a, b: special.ndtr(-a - b * special.logit(x)),
    ppf=lambda q, a, b: special.expit((special.ndtri(q) - a) / b),
    isf=lambda q, a, b: special.expit((-special.ndtri(q) - a) / b))


def _loguniform(name):
    return Continuous(
        name, "distribution of what has a logarithm that is uniform from that of a to that of b", "a b",
        lambda a, b: (a + 0 * b, b + 0 * a), "median(1.0, 4.0)\narray(2.)", allowed=lambda a, b: (a > 0) & (b > a),
        log=lambda x, a, b: -log(x) - log(log(b / a)), cdf=lambda x, a, b: log(x / a) / log(b / a),
        sf=lambda x, a, b: log(b / x) / log(b / a), ppf=lambda q, a, b: a * exp(q * log(b / a)),
        isf=lambda q, a, b: b * exp(-q * log(b / a)), raw=lambda k, a, b: (b**k - a**k) / (k * log(b / a)),
        entropy=lambda a, b: log(a * b) / 2 + log(log(b / a)))


loguniform, reciprocal = _loguniform("loguniform"), _loguniform("reciprocal")

powerlaw = Continuous(
    "powerlaw", "distribution whose density is a power, of the shape a", "a", (0, 1), "cdf(0.5, 2.0)\narray(0.25)",
    log=lambda x, a: log(a) + xlogy(a - 1, x), cdf=lambda x, a: x**a, sf=lambda x, a: -expm1(a * log(x)),
    logcdf=lambda x, a: a * log(x), ppf=lambda q, a: q ** (1 / a), isf=lambda q, a: exp(log1p(-q) / a),
    mean=lambda a: a / (a + 1),
    var=lambda a: a / ((a + 2) * tombac.square(a + 1)), skew=lambda a: -2 * (a - 1) / (a + 3) * sqrt((a + 2) / a),
    kurt=lambda a: 6 * (a * a * a - a * a - 6 * a + 2) / (a * (a + 3) * (a + 4)), entropy=lambda a: 1 - 1 / a - log(a))


def _ball_log(x, c):
    return xlog1py(c / 2 - 1, -x * x) - special.betaln(0.5 + 0 * c, c / 2)


rdist = symmetric(
    "rdist", "distribution of a coordinate on the surface of a ball, of the shape c", "c", "cdf(0.0, 3.0)\narray(0.5)",
    lambda x, c: special.betainc(c / 2, c / 2, (1 - x) / 2), lambda q, c: 1 - 2 * special.betaincinv(c / 2, c / 2, q),
    (-1, 1), log=_ball_log, var=lambda c: 1 / (c + 1), kurt=lambda c: -6 / (c + 3))

semicircular = symmetric(
    "semicircular", "distribution whose density is half a circle", "", "cdf(0.0)\narray(0.5)",
    lambda x: _arc(4 * tombac.arcsin(sqrt((1 - x) / 2))) / (2 * PI), lambda q: tombac.cos(_arc_root(2 * PI * q) / 2),
    (-1, 1), log=lambda x: log1p(-x * x) / 2 + math.log(2 / PI), var=0.25, kurt=-1.0)


def _trapezoid_cdf(x, c, d):
    top = 2 / (d - c + 1)
    return where(x < c, top * x * x / (2 * c), where(
        x <= d, top * (x - c / 2), 1 - top * tombac.square(1 - x) / (2 * (1 - d))))


def _trapezoid_sf(x, c, d):
    top = 2 / (d - c + 1)
    return where(x < c, 1 - top * x * x / (2 * c), where(
        x <= d, 1 - top * (x - c / 2), top * tombac.square(1 - x) / (2 * (1 - d))))


def _trapezoid_quantile(p, c, d):
    top = 2 / (d - c + 1)
    return where(p < top * c / 2, sqrt(2 * c * p / top), where(
        p <= 1 - top * (1 - d) / 2, p / top + c / 2, 1 - sqrt(2 * (1 - d) * (1 - p) / top)))


def _trapezoid_upper(p, c, d):
    return 1 - _trapezoid_quantile(p, 1 - d, 1 - c)


trapezoid = Continuous(
    "trapezoid", "trapezoidal distribution, flat from c to d", "c d", (0, 1), "cdf(0.5, 0.25, 0.75)\narray(0.5)",
    allowed=lambda c, d: (c >= 0) & (d >= c) & (d <= 1),
    log=lambda x, c, d: log(2 / (d - c + 1)) + where(x < c, log(x / c), where(x <= d, 0.0, log((1 - x) / (1 - d)))),
    cdf=_trapezoid_cdf, sf=_trapezoid_sf, ppf=_trapezoid_quantile, isf=_trapezoid_upper,
    entropy=lambda c, d: (1 - d + c) / (2 * (1 + d - c)) + log((1 + d - c) / 2))

triang = Continuous(
    "triang", "triangular distribution, highest at c", "c", (0, 1), "cdf(0.25, 0.25)\narray(0.25)",
    allowed=lambda c: (c >= 0) & (c <= 1),
    log=lambda x, c: math.log(2) + where(x < c, log(x / c), where(x == c, 0.0, log((1 - x) / (1 - c)))),
    cdf=lambda x, c: where((x <= c) & (c > 0), x * x / c, 1 - tombac.square(1 - x) / (1 - c)),
    sf=lambda x, c: where((x <= c) & (c > 0), 1 - x * x / c, tombac.square(1 - x) / (1 - c)),
    ppf=lambda q, c: where(q < c, sqrt(c * q), 1 - sqrt((1 - c) * (1 - q))),
    isf=lambda q, c: where(q < 1 - c, 1 - sqrt((1 - c) * q), sqrt(c * (1 - q))),
    mean=lambda c: (c + 1) / 3, var=lambda c: (1 - c + c * c) / 18,
    skew=lambda c: sqrt(2 + 0 * c) * (2 * c - 1) * (c + 1) * (c - 2) / (5 * (1 - c + c * c) ** 1.5),
    kurt=lambda c: 0 * c - 0.6, entropy=lambda c: 0 * c + 0.5 - math.log(2))

truncexpon = Continuous(
    "truncexpon", "exponential distribution from 0 to b", "b", lambda b: (0, b), "cdf(2.0, 2.0)\narray(1.)",
    log=lambda x, b: -x - log(-expm1(-b)), cdf=lambda x, b: expm1(-x) / expm1(-b),
    sf=lambda x, b: exp(-x) * expm1(x - b) / expm1(-b), ppf=lambda q, b: -log1p(q * expm1(-b)))


def _normal_part(a, b):
    """The logarithm of a normal distribution's probability from a to b, of that side on which it is less."""
    a, b = where(a > 0, -b, a), where(a > 0, -a, b)
    low, high = special.log_ndtr(a), special.log_ndtr(b)
    return where(b <= 0, high + log1p(-exp(low - high)), log1p(-special.ndtr(a) - special.ndtr(-b)))


def _truncated_part(low, high, a, b):
    return _normal_part(low, high) - _normal_part(a, b)


def _normal_scaled(x, end):
    """The normal distribution function, by the density at ``end`` where that is below 0, as x is then."""
    return where(end < 0, special.erfcx(x / -math.sqrt(2)) / 2 * exp((end - x) * (end + x) / 2), special.ndtr(x))


def _truncnorm_cdf(x, a, b):
    """On that side of a where the differences are of what is less."""
    right = a > 0
    low, high = where(right, -b, a), where(right, -a, b)
    at_x, at_low, at_high = (_normal_scaled(v, high) for v in (where(right, -x, x), low, high))
    return where(right, at_high - at_x, at_x - at_low) / (at_high - at_low)


def _normal_quantile(y):
    """Where the logarithm of the normal distribution function is y, which is not above -0.6."""
    far = tombac.minimum(y, -5.0)
    x = -sqrt(-2 * far - log(-4 * PI * far))
    for _ in range(3):
        there = special.log_ndtr(x)
        x = x - (there - far) * exp(there + x * x / 2 + math.log(2 * PI) / 2)
    return where(y < -5, x, special.ndtri(exp(y)))


def _truncnorm_quantile(q, rest, a, b):
    """By what is below and what is above, of which the less is exact; ``rest`` is what q is short of 1."""
    q, rest = log(q), log(rest)
    below = tombac.logaddexp(rest + special.log_ndtr(a), q + special.log_ndtr(b))
    above = tombac.logaddexp(rest + special.log_ndtr(-a), q + special.log_ndtr(-b))
    x = _normal_quantile(tombac.minimum(below, above))
    return tombac.clip(where(below < above, x, -x), a, b)


truncnorm = Continuous(
    "truncnorm", "normal distribution from a to b", "a b", lambda a, b: (a, b),
    "cdf(0.0, -1.0, 1.0).round(6)\narray(0.5)", allowed=lambda a, b: b > a,
    log=lambda x, a, b: -x * x / 2 - math.log(2 * PI) / 2 - _normal_part(a, b),
    cdf=_truncnorm_cdf, sf=lambda x, a, b: _truncnorm_cdf(-x, -b, -a),
    logcdf=lambda x, a, b: _truncated_part(a, x, a, b), logsf=lambda x, a, b: _truncated_part(x, b, a, b),
    ppf=lambda q, a, b: _truncnorm_quantile(q, 1 - q, a, b), isf=lambda q, a, b: _truncnorm_quantile(1 - q, q, a, b))

truncpareto = Continuous(
    "truncpareto", "Pareto's distribution of the shape b from 1 to c", "b c", lambda b, c: (1 + 0 * b, c + 0 * b),
    "cdf(2.0, 1.0, 2.0)\narray(1.)", allowed=lambda b, c: (b != 0) & (c > 1),
    log=lambda x, b, c: log(b / -expm1(-b * log(c))) - (b + 1) * log(x),
    cdf=lambda x, b, c: expm1(-b * log(x)) / expm1(-b * log(c)),
    sf=lambda x, b, c: x**-b * expm1(b * log(x / c)) / expm1(-b * log(c)),
    ppf=lambda q, b, c: exp(-log1p(q * expm1(-b * log(c))) / b))


def _weibull_mass(low, high, c):
    return -expm1(low**c - high**c)


truncweibull_min = Continuous(
    "truncweibull_min", "Weibull's distribution of the shape c from a to b", "c a b",
    lambda c, a, b: (a + 0 * (b + c), b + 0 * (a + c)), "cdf(2.0, 1.0, 0.0, 2.0)\narray(1.)",
    allowed=lambda c, a, b: (c > 0) & (a >= 0) & (b > a),
    log=lambda x, c, a, b: log(c) + xlogy(c - 1, x) + a**c - x**c - log(_weibull_mass(a, b, c)),
    cdf=lambda x, c, a, b: _weibull_mass(a, x, c) / _weibull_mass(a, b, c),
    sf=lambda x, c, a, b: exp(a**c - x**c) * _weibull_mass(x, b, c) / _weibull_mass(a, b, c),
    ppf=lambda q, c, a, b: (a**c - log1p(-q * _weibull_mass(a, b, c))) ** (1 / c))


def _wrapped_half(x, c):
    """The probability up to x, not past pi."""
    return tombac.arctan((1 + c) / (1 - c) * tombac.tan(tombac.minimum(x, PI) / 2)) / PI


wrapcauchy = Continuous(
    "wrapcauchy", "Cauchy's distribution around a circle, of the shape c", "c", (0, 2 * PI),
    "cdf(0.0, 0.5)\narray(0.)", allowed=lambda c: (c > 0) & (c < 1),
    log=lambda x, c: log((1 - c * c) / (2 * PI * (1 + c * c - 2 * c * tombac.cos(x)))),
    cdf=lambda x, c: where(x < PI, _wrapped_half(x, c), 1 - _wrapped_half(2 * PI - x, c)),
    sf=lambda x, c: where(x < PI, 1 - _wrapped_half(x, c), _wrapped_half(2 * PI - x, c)),
    ppf=lambda q, c: where(q < 0.5, 2 * tombac.arctan((1 - c) / (1 + c) * tombac.tan(PI * q)),
                           2 * PI - 2 * tombac.arctan((1 - c) / (1 + c) * tombac.tan(PI * (1 - q)))))
