"""Families of distributions of all numbers: a row for each."""

import math

import tombac
from tombac._core import special, where
from tombac._numpy import np
from tombacx.scipy.stats._distributions import Continuous
from tombacx.scipy.stats._families import GUMBEL_SKEWNESS, log1p_square

__all__ = [
    "crystalball", "dgamma", "dweibull", "exponnorm", "genextreme", "genlogistic", "gennorm", "genpareto", "hypsecant",
    "jf_skew_t", "johnsonsu", "kappa4", "laplace_asymmetric", "loggamma", "moyal", "pearson3", "powernorm",
    "skewcauchy", "tukeylambda",
]

INF, PI, ROOT2, ZETA3 = math.inf, math.pi, math.sqrt(2), 1.2020569031595942
HALF_LOG_2PI = math.log(2 * math.pi) / 2
exp, log, sqrt, square = tombac.exp, tombac.log, tombac.sqrt, tombac.square
expm1, log1p = tombac.expm1, tombac.log1p
xlogy, lgamma, ndtr, ndtri, log_ndtr = special.xlogy, special.gammaln, special.ndtr, special.ndtri, special.log_ndtr


def _times(factor, x):
    """Their product, which is 0 where the factor is, whatever x."""
    return where(factor == 0, 0.0, factor * x)


def _folded_out(tail):
    """The distribution function of what is symmetric, by the probability of what is above ``abs(x)``."""
    def cdf(x, *shapes):
        above = tail(abs(x), *shapes)
        return where(x > 0, 1 - above, above)

    return cdf


def symmetric(name, title, shapes, example, tail, reach, support=(-INF, INF), **functions):
    """A row of what is symmetric about 0: ``reach`` is the inverse of ``tail``, what is above numbers above 0."""
    cdf = _folded_out(tail)

    def quantile(q, *parameters):
        return tombac.copysign(reach(tombac.minimum(q, 1 - q), *parameters), q - 0.5)

    return Continuous(name, title, shapes, support, example, cdf=cdf, sf=lambda x, *p: cdf(-x, *p), ppf=quantile,
                      isf=lambda q, *p: -quantile(q, *p), mean=0.0, skew=0.0, **functions)


dgamma = symmetric(
    "dgamma", "distribution whose absolute value is a gamma variable of the shape a", "a", "cdf(0.0, 2.0)\narray(0.5)",
    lambda x, a: special.gammaincc(a, x) / 2, lambda q, a: special.gammainccinv(a, 2 * q),
    log=lambda x, a: xlogy(a - 1, abs(x)) - abs(x) - math.log(2) - lgamma(a), var=lambda a: a * (a + 1),
    kurt=lambda a: (a + 2) * (a + 3) / (a * (a + 1)) - 3)

dweibull = symmetric(
    "dweibull", "distribution whose absolute value is a Weibull variable of the shape c", "c",
    "cdf(0.0, 2.0)\narray(0.5)", lambda x, c: exp(-(x**c)) / 2, lambda q, c: (-log(2 * q)) ** (1 / c),
    log=lambda x, c: log(c / 2) + xlogy(c - 1, abs(x)) - abs(x) ** c, var=lambda c: exp(lgamma(1 + 2 / c)),
    kurt=lambda c: exp(lgamma(1 + 4 / c) - 2 * lgamma(1 + 2 / c)) - 3)

gennorm = symmetric(
    "gennorm", "generalized normal distribution of the shape beta", "beta", "cdf(0.0, 2.0)\narray(0.5)",
    lambda x, b: special.gammaincc(1 / b, x**b) / 2, lambda q, b: special.gammainccinv(1 / b, 2 * q) ** (1 / b),
    log=lambda x, b: log(b / 2) - lgamma(1 / b) - abs(x) ** b, var=lambda b: exp(lgamma(3 / b) - lgamma(1 / b)),
    kurt=lambda b: exp(lgamma(5 / b) + lgamma(1 / b) - 2 * lgamma(3 / b)) - 3)

hypsecant = symmetric(
    "hypsecant", "distribution whose density is a hyperbolic secant", "", "cdf(0.0)\narray(0.5)",
    lambda x: 2 / PI * tombac.arctan(exp(-x)), lambda q: -log(tombac.tan(PI / 2 * q)),
    log=lambda x: math.log(2 / PI) - abs(x) - log1p(exp(-2 * abs(x))), var=PI**2 / 4, kurt=2.0)


def _ball_scale(beta, m):
    return 1 / (m / beta / (m - 1) * exp(-beta * beta / 2) + math.sqrt(2 * PI) * ndtr(beta))


def _ball_tail(x, beta, m):
    """The probability of what is below x, which is below -beta."""
    return _ball_scale(beta, m) * exp(m * log(m / beta) - beta * beta / 2 - (m - 1) * log(
        tombac.maximum(m / beta - beta - x, 1e-300))) / (m - 1)


def _ball_quantile(q, beta, m):
    scale, edge = _ball_scale(beta, m), _ball_tail(-beta, beta, m)
    below = m / beta - beta - (q * (m - 1) / scale * exp(beta * beta / 2) * (m / beta) ** -m) ** (1 / (1 - m))
    return where(q < edge, below, ndtri(ndtr(-beta) + (q - edge) / (scale * math.sqrt(2 * PI))))


def _ball_upper(q, beta, m):
    normal = _ball_scale(beta, m) * math.sqrt(2 * PI)
    return where(q < normal * ndtr(beta), -ndtri(tombac.minimum(q / normal, 1.0)), _ball_quantile(1 - q, beta, m))


def _ball_raw(k, beta, m):
    """The k-th moment: the normal part by recurrence, and the tail by the terms of (B - u)^k, u from m / beta."""
    edge, far = exp(-beta * beta / 2), m / beta
    normal = [math.sqrt(2 * PI) * ndtr(beta), edge]
    for i in range(2, k + 1):
        normal.append((-beta) ** (i - 1) * edge + (i - 1) * normal[i - 2])
    there = m > k + 1
    left = where(there, m, k + 2.0)
    tail = sum(math.comb(k, i) * (far - beta) ** (k - i) * (-1) ** i * far ** (i + 1) / (left - 1 - i)
               for i in range(k + 1))
    return where(there, _ball_scale(beta, left) * (normal[k] + edge * tail), INF)


def _ball_cdf(x, beta, m):
    scale = _ball_scale(beta, m) * math.sqrt(2 * PI)
    below = _ball_tail(tombac.minimum(x, -beta), beta, m)
    return where(x > 0, 1 - scale * ndtr(-x), below + scale * (ndtr(tombac.maximum(x, -beta)) - ndtr(-beta)))


crystalball = Continuous(
    "crystalball", "normal distribution with a tail of the power m below -beta", "beta m", (-INF, INF),
    "sf(1.0, 2.0, 3.0).round(4)\narray(0.1559)", allowed=lambda beta, m: (beta > 0) & (m > 1),
    log=lambda x, beta, m: log(_ball_scale(beta, m)) + where(
        x > -beta, -x * x / 2,
        m * log(m / beta) - beta * beta / 2 - m * log(tombac.maximum(m / beta - beta - x, 1e-300))),
    cdf=_ball_cdf,
    sf=lambda x, beta, m: where(x > -beta, _ball_scale(beta, m) * math.sqrt(2 * PI) * ndtr(-x),
                                1 - _ball_tail(x, beta, m)),
    ppf=_ball_quantile, isf=_ball_upper, raw=_ball_raw)


def _exponnorm_rest(x, k):
    return 1 / (2 * k * k) - x / k + log_ndtr(x - 1 / k)


exponnorm = Continuous(
    "exponnorm", "distribution of the sum of a normal variable and K times an exponential one", "K", (-INF, INF),
    "mean(2.0)\narray(2.)", log=lambda x, k: _exponnorm_rest(x, k) - log(k),
    cdf=lambda x, k: ndtr(x) - exp(_exponnorm_rest(x, k)), sf=lambda x, k: ndtr(-x) + exp(_exponnorm_rest(x, k)),
    mean=lambda k: k, var=lambda k: 1 + k * k, skew=lambda k: 2 * k * k * k / (1 + k * k) ** 1.5,
    kurt=lambda k: 6 * square(k * k) / square(1 + k * k), rvs=lambda g, size, k: g.standard_normal(size) + k *
    g.standard_exponential(size))


def _extreme_ends(c):
    return where(c < 0, 1 / c, -INF), where(c > 0, 1 / c, INF)


def _extreme_power(x, c):
    """-log(1 - c x) / c, and x where c is 0: the logarithm of -log(cdf), with another sign."""
    return where(c == 0, x, -log1p(-c * x) / where(c == 0, 1.0, c))


def _extreme_moment(k, c):
    """Where c is not 0: of (1 - c x)."""
    return where(1 + k * c > 0, exp(lgamma(tombac.maximum(1 + k * c, 1e-9))), INF)


def _extreme_skew(c):
    g1, g2, g3 = (_extreme_moment(k, c) for k in (1, 2, 3))
    ratio = tombac.sign(c) * (-g3 + 3 * g1 * g2 - 2 * g1 * g1 * g1) / (g2 - g1 * g1) ** 1.5
    return where(abs(c) < 1e-5, GUMBEL_SKEWNESS, where(c > -1 / 3, ratio, np.nan))


def _extreme_kurt(c):
    g1, g2, g3, g4 = (_extreme_moment(k, c) for k in (1, 2, 3, 4))
    ratio = (g4 - 4 * g1 * g3 + 6 * g1 * g1 * g2 - 3 * square(g1 * g1)) / square(g2 - g1 * g1) - 3
    return where(abs(c) < 1e-5, 2.4, where(c > -0.25, ratio, np.nan))


def _extreme_log(x, c):
    power = _extreme_power(x, c)
    return where(power == -INF, -INF, _times(c - 1, power) - exp(-power))


genextreme = Continuous(
    "genextreme", "generalized extreme value distribution of the shape c", "c", _extreme_ends,
    "cdf(0.0, 0.0).round(4)\narray(0.3679)", allowed=lambda c: tombac.isfinite(c),
    log=_extreme_log,
    cdf=lambda x, c: exp(-exp(-_extreme_power(x, c))), sf=lambda x, c: -expm1(-exp(-_extreme_power(x, c))),
    logcdf=lambda x, c: -exp(-_extreme_power(x, c)),
    ppf=lambda q, c: where(c == 0, -log(-log(q)), -expm1(c * log(-log(q))) / where(c == 0, 1.0, c)),
    isf=lambda q, c: where(c == 0, -log(-log1p(-q)), -expm1(c * log(-log1p(-q))) / where(c == 0, 1.0, c)),
    mean=lambda c: where(c == 0, np.euler_gamma, where(
        c > -1, -expm1(lgamma(tombac.maximum(1 + c, 1e-9))) / where(c == 0, 1.0, c), INF)),
    var=lambda c: where(abs(c) < 1e-7, PI**2 / 6, where(
        c > -0.5, (_extreme_moment(2, c) - square(_extreme_moment(1, c))) / where(c == 0, 1.0, c * c), INF)),
    skew=_extreme_skew, kurt=_extreme_kurt)


def _log_expm1(t):
    """log(exp(t) - 1), also where exp overflows."""
    return where(t < 40, log(expm1(t)), t)


def _genlogistic_logcdf(x, c):
    return c * special.log_expit(x)


genlogistic = Continuous(
    "genlogistic", "generalized logistic distribution of the shape c", "c", (-INF, INF), "cdf(0.0, 1.0)\narray(0.5)",
    log=lambda x, c: log(c) + special.log_expit(-x) + _genlogistic_logcdf(x, c),
    cdf=lambda x, c: exp(_genlogistic_logcdf(x, c)), sf=lambda x, c: -expm1(_genlogistic_logcdf(x, c)),
    logcdf=_genlogistic_logcdf, ppf=lambda q, c: -_log_expm1(-log(q) / c),
    isf=lambda q, c: -_log_expm1(-log1p(-q) / c), mean=lambda c: np.euler_gamma + special.digamma(c),
    var=lambda c: PI**2 / 6 + special.zeta(2.0, c),
    skew=lambda c: 2 * (ZETA3 - special.zeta(3.0, c)) / (PI**2 / 6 + special.zeta(2.0, c)) ** 1.5,
    kurt=lambda c: (PI**4 / 15 + 6 * special.zeta(4.0, c)) / square(PI**2 / 6 + special.zeta(2.0, c)))


def _pareto_rate(x, c):
    """log(1 + c x) / c, and x where c is 0."""
    return where(c == 0, x, log1p(c * x) / where(c == 0, 1.0, c))


genpareto = Continuous(
    "genpareto", "generalized Pareto distribution of the shape c", "c", lambda c: (0 * c, where(c < 0, -1 / c, INF)),
    "sf(1.0, 1.0)\narray(0.5)", allowed=lambda c: tombac.isfinite(c),
    log=lambda x, c: -_times(c + 1, _pareto_rate(x, c)), cdf=lambda x, c: -expm1(-_pareto_rate(x, c)),
    sf=lambda x, c: exp(-_pareto_rate(x, c)), logsf=lambda x, c: -_pareto_rate(x, c),
    ppf=lambda q, c: where(c == 0, -log1p(-q), expm1(-c * log1p(-q)) / where(c == 0, 1.0, c)),
    isf=lambda q, c: where(c == 0, -log(q), expm1(-c * log(q)) / where(c == 0, 1.0, c)),
    mean=lambda c: where(c < 1, 1 / (1 - c), INF), var=lambda c: where(c < 0.5, 1 / (square(1 - c) * (1 - 2 * c)), INF),
    skew=lambda c: where(c < 1 / 3, 2 * (1 + c) * sqrt(1 - 2 * c) / (1 - 3 * c), np.nan),
    kurt=lambda c: where(
        c < 0.25, 3 * (1 - 2 * c) * (2 * c * c + c + 3) / ((1 - 3 * c) * (1 - 4 * c)) - 3, np.nan))


def _skew_part(x, a, b):
    """(1 + x / sqrt(a + b + x^2)) / 2, as exact for what is far below 0."""
    root = sqrt(a + b + x * x)
    return where(x < 0, (a + b) / (2 * root * (root - x)), (1 + x / root) / 2)


def _skew_quotient(x, a, b):
    """An F variable of 2 a and 2 b degrees of freedom: of (1 + x / sqrt(a + b + x^2)) / 2 and what it is short of 1."""
    far = square(sqrt(a + b + x * x) + abs(x)) / (a + b)
    return where(x < 0, 1 / far, far) * (b / a)


def _skew_of_quotient(y, a, b):
    y = y * (a / b)
    return (y - 1) * sqrt((a + b) / y) / 2


def _skew_raw(k, a, b):
    """The k-th moment, as Jones and Faddy give it (A skew extension of the t-distribution, 2003)."""
    there = tombac.minimum(a, b) > k / 2
    p, q = (where(there, x, k / 2 + 1.0) + k / 2 for x in (a, b))
    whole = special.betaln(p - k / 2, q - k / 2)
    total = sum(math.comb(k, i) * (-1) ** i * exp(special.betaln(p - i, q - k + i) - whole) for i in range(k + 1))
    return where(there, sqrt(a + b) ** k / 2.0**k * total, np.nan)


jf_skew_t = Continuous(
    "jf_skew_t", "Jones's and Faddy's skew distribution of the shapes a and b", "a b", (-INF, INF),
    "cdf(0.0, 2.0, 2.0)\narray(0.5)",
    log=lambda x, a, b: (a + 0.5) * log(2 * _skew_part(x, a, b)) + (b + 0.5) * log(2 * _skew_part(-x, b, a)) -
    (a + b - 1) * math.log(2) - special.betaln(a, b) - log(a + b) / 2,
    cdf=lambda x, a, b: special.fdtr(2 * a, 2 * b, _skew_quotient(x, a, b)),
    sf=lambda x, a, b: special.fdtrc(2 * a, 2 * b, _skew_quotient(x, a, b)),
    ppf=lambda q, a, b: _skew_of_quotient(special.fdtri(2 * a, 2 * b, q), a, b),
    isf=lambda q, a, b: -_skew_of_quotient(special.fdtri(2 * b, 2 * a, q), b, a),
    raw=_skew_raw)

johnsonsu = Continuous(
    "johnsonsu", "Johnson's unbounded distribution of the shapes a and b", "a b", (-INF, INF),
    "cdf(0.0, 0.0, 1.0)\narray(0.5)", allowed=lambda a, b: (b > 0) & ~tombac.isnan(a),
    log=lambda x, a, b: log(b) - log1p_square(x) / 2 - square(a + b * tombac.arcsinh(x)) / 2 - HALF_LOG_2PI,
    cdf=lambda x, a, b: ndtr(a + b * tombac.arcsinh(x)), sf=lambda x, a, b: ndtr(-a - b * tombac.arcsinh(x)),
    ppf=lambda q, a, b: tombac.sinh((ndtri(q) - a) / b), isf=lambda q, a, b: tombac.sinh((-ndtri(q) - a) / b))

def _kappa_rate(x, k):
    """log(1 - k x) / k, and -x where k is 0."""
    return where(k == 0, -x, log1p(-k * x) / where(k == 0, 1.0, k))


def _kappa_logcdf(x, h, k):
    rate = exp(_kappa_rate(x, k))
    return where(h == 0, -rate, log1p(-h * rate) / where(h == 0, 1.0, h))


def _kappa_ends(h, k):
    some = where(k == 0, 1.0, k)
    first = where(k == 0, log(tombac.maximum(h, 1e-300)), -expm1(-k * log(tombac.maximum(h, 1e-300))) / some)
    return where(h > 0, first, where(k < 0, 1 / some, -INF)), where(k > 0, 1 / some, INF)


def _kappa_quantile(logq, h, k):
    rate = log(where(h == 0, -logq, -expm1(h * logq) / where(h == 0, 1.0, h)))
    return where(k == 0, -rate, -expm1(k * rate) / where(k == 0, 1.0, k))


kappa4 = Continuous(
    "kappa4", "Hosking's distribution of the shapes h and k", "h k", _kappa_ends, "cdf(0.5, 1.0, 1.0)\narray(0.5)",
    allowed=lambda h, k: tombac.isfinite(h + k), logcdf=_kappa_logcdf,
    log=lambda x, h, k: _times(1 - k, _kappa_rate(x, k)) + _times(1 - h, _kappa_logcdf(x, h, k)),
    cdf=lambda x, h, k: exp(_kappa_logcdf(x, h, k)), sf=lambda x, h, k: -expm1(_kappa_logcdf(x, h, k)),
    ppf=lambda q, h, k: _kappa_quantile(log(q), h, k), isf=lambda q, h, k: _kappa_quantile(log1p(-q), h, k))

laplace_asymmetric = Continuous(
    "laplace_asymmetric", "Laplace's distribution of the asymmetry kappa", "kappa", (-INF, INF),
    "cdf(0.0, 1.0)\narray(0.5)",
    log=lambda x, k: where(x > 0, -x * k, x / k) - log(k + 1 / k),
    cdf=lambda x, k: where(x > 0, 1 - exp(-x * k) / (1 + k * k), exp(x / k) * k * k / (1 + k * k)),
    sf=lambda x, k: where(x > 0, exp(-x * k) / (1 + k * k), 1 - exp(x / k) * k * k / (1 + k * k)),
    ppf=lambda q, k: where(q >= k * k / (1 + k * k), -log((1 - q) * (1 + k * k)) / k,
    log(q * (1 + k * k) / (k * k)) * k),
    isf=lambda q, k: where(q <= 1 / (1 + k * k), -log(q * (1 + k * k)) / k, log((1 - q) * (1 + k * k) / (k * k)) * k),
    mean=lambda k: 1 / k - k, var=lambda k: 1 / (k * k) + k * k, skew=lambda k: 2 * (1 - k**6) / (1 + k**4) ** 1.5,
    kurt=lambda k: 6 * (1 + k**8) / square(1 + k**4), entropy=lambda k: 1 + log(k + 1 / k))

def _loggamma_quantile(x, l, c):
    """By the gamma variable's; far below, where that is 0, by the one term that counts of its probability, exp(l)."""
    return where(x > 1e-290, log(x), (l + lgamma(c + 1)) / c)


loggamma = Continuous(
    "loggamma", "distribution of the logarithm of a gamma variable of the shape c", "c", (-INF, INF),
    "cdf(0.0, 1.0).round(4)\narray(0.6321)", log=lambda x, c: c * x - exp(x) - lgamma(c),
    cdf=lambda x, c: special.gammainc(c, exp(x)), sf=lambda x, c: special.gammaincc(c, exp(x)),
    ppf=lambda q, c: _loggamma_quantile(special.gammaincinv(c, q), log(q), c),
    isf=lambda q, c: _loggamma_quantile(special.gammainccinv(c, q), log1p(-q), c), mean=special.digamma,
    var=lambda c: special.zeta(2.0, c),
    skew=lambda c: -2 * special.zeta(3.0, c) / special.zeta(2.0, c) ** 1.5,
    kurt=lambda c: 6 * special.zeta(4.0, c) / square(special.zeta(2.0, c)),
    rvs=lambda g, size, c: log(g.standard_gamma(c, size)))

moyal = Continuous(
    "moyal", "Moyal's distribution", "", (-INF, INF), "ppf(0.5).round(4)\narray(0.7876)",
    log=lambda x: -(x + exp(-x)) / 2 - HALF_LOG_2PI, cdf=lambda x: special.erfc(exp(-x / 2) / ROOT2),
    sf=lambda x: special.erf(exp(-x / 2) / ROOT2), ppf=lambda q: -log(2 * square(special.erfcinv(q))),
    isf=lambda q: -log(2 * square(special.erfinv(q))), mean=np.euler_gamma + math.log(2), var=PI**2 / 2,
    skew=28 * ROOT2 * ZETA3 / PI**3, kurt=4.0)

_LITTLE = 1.6e-5  # skewness that is taken for none


def _pearson_parts(x, s):
    """The shape of the gamma variable, and where x is of it."""
    s = where(abs(s) < _LITTLE, 1.0, s)
    return 4 / (s * s), 2 / s * (x + 2 / s)


def _pearson_cdf(x, s):
    a, y = _pearson_parts(x, s)
    y = tombac.maximum(y, 0.0)
    return where(abs(s) < _LITTLE, ndtr(x), where(s > 0, special.gammainc(a, y), special.gammaincc(a, y)))


def _pearson_quantile(q, s):
    a, _ = _pearson_parts(q, s)
    # Of the ends, which are what the other side takes, inverses take no time.
    lower, upper = where(s >= _LITTLE, q, 0.0), where(s <= -_LITTLE, q, 1.0)
    y = where(s > 0, special.gammaincinv(a, lower), special.gammainccinv(a, upper))
    return where(abs(s) < _LITTLE, ndtri(q), y * s / 2 - 2 / where(s == 0, 1.0, s))


def _pearson_log(x, s):
    a, y = _pearson_parts(x, s)
    return where(abs(s) < _LITTLE, -x * x / 2 - HALF_LOG_2PI,
                 where(y < 0, -INF, log(2 / abs(where(s == 0, 1.0, s))) + xlogy(a - 1, y) - y - lgamma(a)))


pearson3 = Continuous(
    "pearson3", "Pearson's third distribution, of the skewness skew", "skew", (-INF, INF), "cdf(0.0, 0.0)\narray(0.5)",
    allowed=lambda s: tombac.isfinite(s), log=_pearson_log, cdf=_pearson_cdf, sf=lambda x, s: _pearson_cdf(-x, -s),
    ppf=_pearson_quantile, isf=lambda q, s: -_pearson_quantile(q, -s), mean=0.0, var=1.0, skew=lambda s: s,
    kurt=lambda s: 1.5 * s * s)

def of_least(log_above, c):
    """The normal variable above which the least of c is with the probability whose logarithm that is."""
    each = log_above / c
    return where(each < -0.7, -ndtri(exp(each)), ndtri(-expm1(each)))


powernorm = Continuous(
    "powernorm", "distribution of the least of c normal variables", "c", (-INF, INF), "sf(0.0, 2.0)\narray(0.25)",
    log=lambda x, c: log(c) - x * x / 2 - HALF_LOG_2PI + (c - 1) * log_ndtr(-x),
    cdf=lambda x, c: -expm1(c * log_ndtr(-x)), sf=lambda x, c: exp(c * log_ndtr(-x)),
    logsf=lambda x, c: c * log_ndtr(-x), ppf=lambda q, c: of_least(log1p(-q), c),
    isf=lambda q, c: of_least(log(q), c))


def _side(x, a):
    return 1 + a * tombac.sign(x)


def _skewcauchy_cdf(x, a):
    below = (1 - a) * tombac.arctan2(1, -x / (1 - a)) / PI
    return where(x < 0, below, 1 - (1 + a) * tombac.arctan2(1, x / (1 + a)) / PI)


def _skewcauchy_quantile(q, a):
    return where(q < (1 - a) / 2, -(1 - a) / tombac.tan(PI * q / (1 - a)),
                 (1 + a) / tombac.tan(PI * (1 - q) / (1 + a)))


skewcauchy = Continuous(
    "skewcauchy", "Cauchy's distribution of the skewness a", "a", (-INF, INF), "cdf(0.0, 0.5)\narray(0.25)",
    allowed=lambda a: abs(a) < 1, log=lambda x, a: -math.log(PI) - log1p_square(x / _side(x, a)), cdf=_skewcauchy_cdf,
    sf=lambda x, a: _skewcauchy_cdf(-x, -a),
    ppf=_skewcauchy_quantile, isf=lambda q, a: -_skewcauchy_quantile(q, -a),
    mean=math.nan, var=math.nan, skew=math.nan, kurt=math.nan, entropy=lambda a: math.log(4 * PI) + 0 * a)


def _tukey_reach(p, l):
    """How far from 0 what is p short of 1 is."""
    above = log1p(-p)
    odds = above - log(p)
    return where(l == 0, odds, exp(l * above) * -expm1(-l * odds) / where(l == 0, 1.0, l))


def _tukey_tail(x, l):
    """The probability of what is above x, which is not negative: by steps of Halley's in its logarithm."""
    inside = (l * x < 1) & (x < INF)
    x = where(inside, x, 0.0)
    # One of the two powers alone is near where the other does not count.
    near = where(l > 1.5, -expm1(log(x * l) / l), exp(where(l == 0, -x, log1p(-l * x) / where(l == 0, 1.0, l))))
    p = tombac.clip(near / (1 + near), 1e-300, 0.5)
    for _ in range(_TUKEY_STEPS):
        above, below = exp(l * log1p(-p)) * p / (1 - p), exp(l * log(p))
        step = (_tukey_reach(p, l) - x) / (above + below)
        step = step / (1 + step / 2 * (1 + (l - 1) * (below - above * p / (1 - p)) / (above + below)))
        p = tombac.minimum(p * exp(step), 0.5)
        if ((abs(step) < _TUKEY_LAST) | ~inside)[None].all():
            break
    return where(inside, p, 0.0)


_TUKEY_STEPS, _TUKEY_LAST = 64, 1e-6  # as many as great shapes take, and the length of one behind which all is exact


def _tukey_log(x, l):
    p = _tukey_tail(abs(x), l)
    return -log(exp((l - 1) * log(p)) + exp((l - 1) * log1p(-p)))


def _tukey_variance(l):
    """-2 / (l^2 (1 + 2 l)) times what the quotient of gamma functions differs from 1, by a series where that is little.
    """
    safe = tombac.maximum(l, -0.4999999)
    power = 2 * lgamma(1 + safe) - lgamma(1 + 2 * safe)
    near = -PI**2 / 6 + l * (2 * ZETA3 - l * (3.5 * PI**4 / 90 - l * 6 * 1.03692775514337))
    part = where(abs(l) < 1e-3, near * (1 + near * l * l / 2), expm1(power) / where(l == 0, 1.0, l * l))
    return where(l > -0.5, -2 / (1 + 2 * safe) * part, INF)


tukeylambda = Continuous(
    "tukeylambda", "Tukey's distribution of the shape lam", "lam",
    lambda l: (where(l > 0, -1 / l, -INF), where(l > 0, 1 / l, INF)), "ppf(0.5, 0.3)\narray(0.)",
    allowed=lambda l: tombac.isfinite(l), log=_tukey_log, cdf=_folded_out(_tukey_tail),
    sf=lambda x, l: _folded_out(_tukey_tail)(-x, l),
    ppf=lambda q, l: where(q < 0.5, -_tukey_reach(q, l), _tukey_reach(1 - q, l)),
    isf=lambda q, l: where(q < 0.5, _tukey_reach(q, l), -_tukey_reach(1 - q, l)), mean=0.0, var=_tukey_variance,
    skew=0.0, kurt=lambda l: where(l > -0.25, tukeylambda.expect(lambda x: square(x * x), l) / square(
        _tukey_variance(l)) - 3, math.nan))
