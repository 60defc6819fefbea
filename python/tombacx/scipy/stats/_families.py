"""The families of distributions: a row for each."""

import math

import tombac
from tombac._core import special, where
from tombac._numpy import np
from tombacx.scipy.stats import _fitting as fits
from tombacx.scipy.stats._distributions import Continuous, Discrete
from tombacx.scipy.stats._sampling import uniform as uniform_numbers
from tombacx.scipy.stats._trials import failures_log, trials_log

__all__ = [
    "bernoulli", "beta", "binom", "cauchy", "chi2", "expon", "f", "gamma", "geom", "gumbel_l", "gumbel_r", "halfnorm",
    "laplace", "logistic", "lognorm", "nbinom", "norm", "pareto", "poisson", "randint", "rayleigh", "t", "uniform",
    "weibull_min",
]

INF = math.inf
HALF_LOG_2PI = math.log(2 * math.pi) / 2
GUMBEL_SKEWNESS = 12 * math.sqrt(6) * 1.2020569031595942 / math.pi**3
exp, log, sqrt = tombac.exp, tombac.log, tombac.sqrt
expm1, log1p = tombac.expm1, tombac.log1p
xlogy, xlog1py, lgamma = special.xlogy, special.xlog1py, special.gammaln


norm = Continuous(
    "norm", "normal distribution", "", (-INF, INF), "cdf(0.0)\narray(0.5)",
    log=lambda x: -x * x / 2 - HALF_LOG_2PI, cdf=special.ndtr, sf=lambda x: special.ndtr(-x),
    logcdf=special.log_ndtr, logsf=lambda x: special.log_ndtr(-x), ppf=special.ndtri,
    isf=lambda q: -special.ndtri(q), mean=0.0, var=1.0, skew=0.0, kurt=0.0,
    rvs=lambda g, size: g.standard_normal(size), fit=fits.fit_norm)

halfnorm = Continuous(
    "halfnorm", "distribution of the absolute value of what is normal", "", (0, INF), "sf(0.0)\narray(1.)",
    log=lambda x: math.log(2) - x * x / 2 - HALF_LOG_2PI, cdf=lambda x: special.erf(x / math.sqrt(2)),
    sf=lambda x: 2 * special.ndtr(-x), ppf=lambda q: math.sqrt(2) * special.erfinv(q),
    isf=lambda q: -special.ndtri(q / 2), mean=math.sqrt(2 / math.pi),
    var=1 - 2 / math.pi, skew=math.sqrt(2) * (4 - math.pi) / (math.pi - 2) ** 1.5,
    kurt=8 * (math.pi - 3) / (math.pi - 2) ** 2, rvs=lambda g, size: abs(g.standard_normal(size)),
    fit=fits.fit_halfnorm)

lognorm = Continuous(
    "lognorm", "distribution of what has a normal logarithm, whose standard deviation is s", "s", (0, INF),
    "cdf(1.0, 0.5)\narray(0.5)",
    vanishes=True, log=lambda x, s: -tombac.square(log(x) / s) / 2 - log(s) - log(x) - HALF_LOG_2PI,
    cdf=lambda x, s: special.ndtr(log(x) / s), sf=lambda x, s: special.ndtr(-log(x) / s),
    logcdf=lambda x, s: special.log_ndtr(log(x) / s), logsf=lambda x, s: special.log_ndtr(-log(x) / s),
    ppf=lambda q, s: exp(s * special.ndtri(q)), isf=lambda q, s: exp(-s * special.ndtri(q)),
    mean=lambda s: exp(s * s / 2), var=lambda s: expm1(s * s) * exp(s * s),
    skew=lambda s: sqrt(expm1(s * s)) * (2 + exp(s * s)),
    kurt=lambda s: exp(4 * s * s) + 2 * exp(3 * s * s) + 3 * exp(2 * s * s) - 6,
    rvs=lambda g, size, s: exp(s * g.standard_normal(size)), fit=fits.fit_lognorm)

uniform = Continuous(
    "uniform", "uniform distribution", "", (0, 1), "cdf(0.25)\narray(0.25)",
    log=lambda x: 0 * x, cdf=lambda x: x, ppf=lambda q: q, mean=0.5, var=1 / 12, skew=0.0, kurt=-1.2,
    fit=fits.fit_uniform)

expon = Continuous(
    "expon", "exponential distribution", "", (0, INF), "sf(0.0)\narray(1.)",
    log=lambda x: -x, cdf=lambda x: -expm1(-x), sf=lambda x: exp(-x), logsf=lambda x: -x,
    ppf=lambda q: -log1p(-q), isf=lambda q: -log(q), mean=1.0, var=1.0, skew=2.0, kurt=6.0,
    fit=fits.fit_expon)

gamma = Continuous(
    "gamma", "gamma distribution of the shape a", "a", (0, INF), "mean(3.0)\narray(3.)",
    log=lambda x, a: xlogy(a - 1, x) - x - lgamma(a), cdf=lambda x, a: special.gammainc(a, x),
    sf=lambda x, a: special.gammaincc(a, x), ppf=lambda q, a: special.gammaincinv(a, q),
    isf=lambda q, a: special.gammainccinv(a, q), mean=lambda a: a, var=lambda a: a, skew=lambda a: 2 / sqrt(a),
    kurt=lambda a: 6 / a, rvs=lambda g, size, a: g.standard_gamma(a, size))

chi2 = Continuous(
    "chi2", "chi-squared distribution of df degrees of freedom", "df", (0, INF), "mean(3.0)\narray(3.)",
    log=lambda x, n: xlogy(n / 2 - 1, x) - x / 2 - lgamma(n / 2) - n * (math.log(2) / 2),
    cdf=lambda x, n: special.gammainc(n / 2, x / 2), sf=lambda x, n: special.gammaincc(n / 2, x / 2),
    ppf=lambda q, n: 2 * special.gammaincinv(n / 2, q), isf=lambda q, n: 2 * special.gammainccinv(n / 2, q),
    mean=lambda n: n, var=lambda n: 2 * n, skew=lambda n: 2 * sqrt(2 / n), kurt=lambda n: 12 / n,
    rvs=lambda g, size, n: g.chisquare(n, size))


def _beta_log(x, a, b):
    inside = (x > 0) & (x < 1)
    y = where(inside, x, 0.5)
    end = xlogy(a - 1, x) + xlog1py(b - 1, -x) - special.betaln(a, b)
    return where(inside, trials_log(a, b, y, 1 - y) + log(a * (b / (a + b))) - log(y) - log1p(-y), end)


beta = Continuous(
    "beta", "beta distribution of the shapes a and b", "a b", (0, 1), "mean(1.0, 3.0)\narray(0.25)",
    log=_beta_log, cdf=lambda x, a, b: special.betainc(a, b, x), sf=lambda x, a, b: special.betaincc(a, b, x),
    ppf=lambda q, a, b: special.betaincinv(a, b, q), isf=lambda q, a, b: special.betainccinv(a, b, q),
    mean=lambda a, b: a / (a + b), var=lambda a, b: a * b / (tombac.square(a + b) * (a + b + 1)),
    skew=lambda a, b: 2 * (b - a) * sqrt(a + b + 1) / ((a + b + 2) * sqrt(a * b)),
    kurt=lambda a, b: 6 * (tombac.square(a - b) * (a + b + 1) - a * b * (a + b + 2)) / (
        a * b * (a + b + 2) * (a + b + 3)),
    entropy=lambda a, b: special.betaln(a, b) - (a - 1) * special.digamma(a) - (b - 1) * special.digamma(b) + (
        a + b - 2) * special.digamma(a + b),
    rvs=lambda g, size, a, b: g.beta(a, b, size))


def _f_log(x, m, n):
    """By the density of a beta variable."""
    y = where(x > 0, x, 1.0)
    whole = m * y + n
    inside = trials_log(m / 2, n / 2, m * y / whole, n / whole) + log(m * (n / (m + n)) / 2) - log(y)
    return where(x > 0, inside, xlogy(m / 2 - 1, x))


f = Continuous(
    "f", "F distribution of dfn and dfd degrees of freedom", "dfn dfd", (0, INF), "mean(3.0, 4.0)\narray(2.)",
    log=_f_log, cdf=lambda x, m, n: special.fdtr(m, n, x), sf=lambda x, m, n: special.fdtrc(m, n, x),
    ppf=lambda q, m, n: special.fdtri(m, n, q), isf=lambda q, m, n: 1 / special.fdtri(n, m, q),
    mean=lambda m, n: where(n > 2, n / (n - 2), INF) + 0 * m,
    var=lambda m, n: where(n > 4, 2 * n * n * (m + n - 2) / (m * tombac.square(n - 2) * (n - 4)), INF),
    skew=lambda m, n: where(n > 6, (2 * m + n - 2) * sqrt(8 * (n - 4) / (m * (m + n - 2))) / (n - 6), np.nan),
    kurt=lambda m, n: where(
        n > 8, 12 * (m * (5 * n - 22) * (m + n - 2) + (n - 4) * tombac.square(n - 2)) / (
            m * (n - 6) * (n - 8) * (m + n - 2)), np.nan),
    rvs=lambda g, size, m, n: g.f(m, n, size))


t = Continuous(
    "t", "Student's distribution of df degrees of freedom", "df", (-INF, INF), "cdf(0.0, 3.0)\narray(0.5)",
    log=lambda x, n: where(
        tombac.isinf(n), -x * x / 2 - HALF_LOG_2PI,
        -special.betaln(n / 2, 0.5 + 0 * n) - log(n) / 2 - (n + 1) / 2 * log1p(x * x / n)),
    cdf=lambda x, n: special._stdtr(n, x), sf=lambda x, n: special._stdtr(n, -x),
    ppf=lambda q, n: special._stdtrit(n, q), isf=lambda q, n: -special._stdtrit(n, q),
    mean=lambda n: where(n > 1, 0.0, INF),
    var=lambda n: where(n > 2, where(tombac.isinf(n), 1.0, n / (n - 2)), where(n > 1, INF, np.nan)),
    skew=lambda n: where(n > 3, 0.0, np.nan),
    kurt=lambda n: where(n > 4, 6 / (n - 4), where(n > 2, INF, np.nan)))


def _laplace_cdf(x):
    tail = exp(-abs(x)) / 2
    return where(x > 0, 1 - tail, tail)


laplace = Continuous(
    "laplace", "Laplace's distribution", "", (-INF, INF), "cdf(0.0)\narray(0.5)",
    log=lambda x: -abs(x) - math.log(2), cdf=_laplace_cdf, sf=lambda x: _laplace_cdf(-x),
    ppf=lambda q: where(q > 0.5, -log(2 * (1 - q)), log(2 * q)),
    isf=lambda q: where(q > 0.5, log(2 * (1 - q)), -log(2 * q)), mean=0.0, var=2.0, skew=0.0, kurt=3.0,
    fit=fits.fit_laplace)

logistic = Continuous(
    "logistic", "logistic distribution", "", (-INF, INF), "cdf(0.0)\narray(0.5)",
    log=lambda x: -abs(x) - 2 * log1p(exp(-abs(x))), cdf=special.expit, sf=lambda x: special.expit(-x),
    logcdf=special.log_expit, logsf=lambda x: special.log_expit(-x), ppf=special.logit,
    isf=lambda q: -special.logit(q), mean=0.0, var=math.pi**2 / 3, skew=0.0, kurt=1.2)


def log1p_square(x):
    """log(1 + x^2), also where the square overflows."""
    far = abs(x) > 1e150
    return log1p(where(far, abs(x), x * x)) * where(far, 2.0, 1.0)


def _cauchy_quantile(q):
    middle = tombac.tan(math.pi * (q - 0.5))
    return where(q < 0.25, -1 / tombac.tan(math.pi * q), where(q > 0.75, 1 / tombac.tan(math.pi * (1 - q)), middle))


cauchy = Continuous(
    "cauchy", "Cauchy's distribution", "", (-INF, INF), "cdf(0.0)\narray(0.5)",
    log=lambda x: -math.log(math.pi) - log1p_square(x), cdf=lambda x: tombac.arctan2(1, -x) / math.pi,
    sf=lambda x: tombac.arctan2(1, x) / math.pi, ppf=_cauchy_quantile, isf=lambda q: -_cauchy_quantile(q),
    mean=math.nan, var=math.nan, skew=math.nan, kurt=math.nan)

rayleigh = Continuous(
    "rayleigh", "Rayleigh's distribution", "", (0, INF), "sf(0.0)\narray(1.)",
    log=lambda x: log(x) - x * x / 2, cdf=lambda x: -expm1(-x * x / 2), sf=lambda x: exp(-x * x / 2),
    logsf=lambda x: -x * x / 2, ppf=lambda q: sqrt(-2 * log1p(-q)), isf=lambda q: sqrt(-2 * log(q)),
    mean=math.sqrt(math.pi / 2), var=2 - math.pi / 2,
    skew=2 * math.sqrt(math.pi) * (math.pi - 3) / (4 - math.pi) ** 1.5,
    kurt=-(6 * math.pi**2 - 24 * math.pi + 16) / (4 - math.pi) ** 2, fit=fits.fit_rayleigh)


def _weibull_moment(c, k):
    return exp(lgamma(1 + k / c))


def _weibull_variance(c):
    return _weibull_moment(c, 2) - tombac.square(_weibull_moment(c, 1))


def _weibull_skewness(c):
    m, v = _weibull_moment(c, 1), _weibull_variance(c)
    return (_weibull_moment(c, 3) - 3 * m * v - m * m * m) / v**1.5


def _weibull_kurtosis(c):
    m, v, third = _weibull_moment(c, 1), _weibull_variance(c), _weibull_skewness(c) * _weibull_variance(c) ** 1.5
    return (_weibull_moment(c, 4) - 4 * third * m - 6 * m * m * v - tombac.square(m * m)) / (v * v) - 3


weibull_min = Continuous(
    "weibull_min", "Weibull's distribution of the shape c", "c", (0, INF), "sf(0.0, 2.0)\narray(1.)",
    log=lambda x, c: log(c) + xlogy(c - 1, x) - x**c, cdf=lambda x, c: -expm1(-(x**c)), sf=lambda x, c: exp(-(x**c)),
    logsf=lambda x, c: -(x**c), ppf=lambda q, c: (-log1p(-q)) ** (1 / c), isf=lambda q, c: (-log(q)) ** (1 / c),
    mean=lambda c: _weibull_moment(c, 1), var=_weibull_variance, skew=_weibull_skewness, kurt=_weibull_kurtosis)

pareto = Continuous(
    "pareto", "Pareto's distribution of the shape b", "b", (1, INF), "sf(2.0, 1.0)\narray(0.5)",
    log=lambda x, b: log(b) - (b + 1) * log(x), cdf=lambda x, b: -expm1(-b * log(x)), sf=lambda x, b: x**-b,
    ppf=lambda q, b: exp(-log1p(-q) / b), isf=lambda q, b: q ** (-1 / b), mean=lambda b: where(b > 1, b / (b - 1), INF),
    var=lambda b: where(b > 2, b / (tombac.square(b - 1) * (b - 2)), INF),
    skew=lambda b: where(b > 3, 2 * (b + 1) * sqrt(1 - 2 / b) / (b - 3), np.nan),
    kurt=lambda b: where(b > 4, 6 * (b * b * b + b * b - 6 * b - 2) / (b * (b - 3) * (b - 4)), np.nan),
    fit=fits.fit_pareto)

gumbel_r = Continuous(
    "gumbel_r", "Gumbel's distribution of greatest elements", "", (-INF, INF), "ppf(0.5).round(4)\narray(0.3665)",
    log=lambda x: -x - exp(-x), cdf=lambda x: exp(-exp(-x)), sf=lambda x: -expm1(-exp(-x)), logcdf=lambda x: -exp(-x),
    ppf=lambda q: -log(-log(q)), isf=lambda q: -log(-log1p(-q)), mean=np.euler_gamma, var=math.pi**2 / 6,
    skew=GUMBEL_SKEWNESS, kurt=2.4)

gumbel_l = Continuous(
    "gumbel_l", "Gumbel's distribution of least elements", "", (-INF, INF), "ppf(0.5).round(4)\narray(-0.3665)",
    log=lambda x: x - exp(x), cdf=lambda x: -expm1(-exp(x)), sf=lambda x: exp(-exp(x)), logsf=lambda x: -exp(x),
    ppf=lambda q: log(-log1p(-q)), isf=lambda q: log(-log(q)), mean=-np.euler_gamma, var=math.pi**2 / 6,
    skew=-GUMBEL_SKEWNESS, kurt=2.4)


# ---- whole numbers ---------------------------------------------------------------------------------------------------


def _binom_log(k, n, p):
    """Where some trials succeed and others do not; else by a power."""
    none, all_ = xlog1py(n, -p), xlogy(n, p)
    some = trials_log(tombac.maximum(k, 0.5), tombac.maximum(n - k, 0.5), p, 1 - p)
    return where(k == 0, none, where(k == n, all_, some))


def _part(p):
    return (p >= 0) & (p <= 1)


binom = Discrete(
    "binom", "binomial distribution of n trials, each of the probability p", "n p", lambda n, p: (0, n + 0 * p),
    "mean(4, 0.5)\narray(2.)", allowed=lambda n, p: (n >= 0) & (n == tombac.floor(n)) & _part(p), log=_binom_log,
    cdf=special.bdtr, sf=special.bdtrc, ppf=special._binom_ppf, isf=special._binom_isf,
    mean=lambda n, p: n * p, var=lambda n, p: n * p * (1 - p),
    skew=lambda n, p: (1 - 2 * p) / sqrt(n * p * (1 - p)), kurt=lambda n, p: (1 - 6 * p * (1 - p)) / (n * p * (1 - p)),
    rvs=lambda g, size, n, p: g.binomial(n.astype("l"), p, size))

bernoulli = Discrete(
    "bernoulli", "distribution of one trial of the probability p", "p", (0, 1), "pmf(1, 0.25)\narray(0.25)",
    allowed=_part, log=lambda k, p: where(k >= 1, log(p), log1p(-p)), cdf=lambda k, p: where(k >= 1, 1.0, 1 - p),
    sf=lambda k, p: where(k >= 1, 0.0, p), mean=lambda p: p, var=lambda p: p * (1 - p),
    skew=lambda p: (1 - 2 * p) / sqrt(p * (1 - p)), kurt=lambda p: (1 - 6 * p * (1 - p)) / (p * (1 - p)),
    rvs=lambda g, size, p: g.binomial(1, p, size))

poisson = Discrete(
    "poisson", "Poisson distribution of the mean mu", "mu", (0, INF), "pmf(0, 0.0)\narray(1.)",
    allowed=lambda mu: mu >= 0, log=lambda k, mu: xlogy(k, mu) - lgamma(k + 1) - mu,
    cdf=lambda k, mu: special.gammaincc(k + 1, mu), sf=lambda k, mu: special.gammainc(k + 1, mu),
    ppf=special._poisson_ppf, isf=special._poisson_isf,
    mean=lambda mu: mu, var=lambda mu: mu, skew=lambda mu: 1 / sqrt(mu), kurt=lambda mu: 1 / mu,
    rvs=lambda g, size, mu: g.poisson(mu, size))

geom = Discrete(
    "geom", "distribution of the number of trials of the probability p until one succeeds", "p", (1, INF),
    "pmf(2, 0.5)\narray(0.25)", allowed=lambda p: (p > 0) & (p <= 1), log=lambda k, p: xlog1py(k - 1, -p) + log(p),
    cdf=lambda k, p: -expm1(xlog1py(k, -p)), sf=lambda k, p: exp(xlog1py(k, -p)), logsf=lambda k, p: xlog1py(k, -p),
    near_ppf=lambda q, p: log1p(-q) / log1p(-p), near_isf=lambda q, p: log(q) / log1p(-p),
    mean=lambda p: 1 / p, var=lambda p: (1 - p) / (p * p), skew=lambda p: (2 - p) / sqrt(1 - p),
    kurt=lambda p: (p * p - 6 * p + 6) / (1 - p), rvs=lambda g, size, p: g.geometric(p, size))

nbinom = Discrete(
    "nbinom", "distribution of the number of failures before n successes, each of the probability p", "n p", (0, INF),
    "mean(2, 0.5)\narray(2.)", allowed=lambda n, p: (n > 0) & (p > 0) & (p <= 1),
    log=failures_log, cdf=lambda k, n, p: special.betainc(n, k + 1, p),
    sf=lambda k, n, p: special.betaincc(n, k + 1, p), ppf=special._nbinom_ppf, isf=special._nbinom_isf,
    mean=lambda n, p: n * (1 - p) / p, var=lambda n, p: n * (1 - p) / (p * p),
    skew=lambda n, p: (2 - p) / sqrt(n * (1 - p)), kurt=lambda n, p: 6 / n + p * p / (n * (1 - p)),
    rvs=lambda g, size, n, p: g.negative_binomial(n, p, size))

randint = Discrete(
    "randint", "uniform distribution of the whole numbers from low to high - 1", "low high",
    lambda low, high: (low + 0 * high, high - 1 + 0 * low), "mean(0, 5)\narray(2.)",
    allowed=lambda low, high: (high > low) & (low == tombac.floor(low)) & (high == tombac.floor(high)),
    log=lambda k, low, high: -log(high - low) + 0 * k, cdf=lambda k, low, high: (k - low + 1) / (high - low),
    near_ppf=lambda q, low, high: q * (high - low) + low - 1, near_isf=lambda q, low, high: high - 1 - q * (high - low),
    mean=lambda low, high: (high + low - 1) / 2, var=lambda low, high: (tombac.square(high - low) - 1) / 12,
    skew=lambda low, high: 0 * (low + high),
    kurt=lambda low, high: -1.2 * (tombac.square(high - low) + 1) / (tombac.square(high - low) - 1),
    rvs=lambda g, size, low, high: low + tombac.floor(uniform_numbers(g, size) * (high - low)))
