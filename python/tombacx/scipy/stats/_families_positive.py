"""Families of distributions above 0, or below: a row for each."""

import math

import tombac
from tombac._core import special, where
from tombac._numpy import np
from tombacx.scipy.stats._distributions import Continuous
from tombacx.scipy.stats._families import gamma, log1p_square, lognorm, weibull_min
from tombacx.scipy.stats._families_line import of_least

__all__ = [
    "alpha", "betaprime", "burr", "burr12", "chi", "dpareto_lognorm", "erlang", "exponpow", "exponweib", "fatiguelife",
    "fisk", "foldcauchy", "foldnorm", "genexpon", "gengamma", "gibrat", "gompertz", "halfcauchy", "halfgennorm",
    "halflogistic", "invgamma", "invgauss", "invweibull", "kappa3", "kstwobign", "levy", "levy_l", "loglaplace",
    "lomax", "maxwell", "mielke", "nakagami", "powerlognorm", "recipinvgauss", "rel_breitwigner", "wald",
    "weibull_max",
]

INF, PI, ROOT2 = math.inf, math.pi, math.sqrt(2)
HALF_LOG_2PI = math.log(2 * math.pi) / 2
exp, log, sqrt, square = tombac.exp, tombac.log, tombac.sqrt, tombac.square
expm1, log1p = tombac.expm1, tombac.log1p
xlogy, xlog1py, lgamma = special.xlogy, special.xlog1py, special.gammaln
ndtr, ndtri, log_ndtr = special.ndtr, special.ndtri, special.log_ndtr
ENDLESS = {"mean": INF, "var": INF, "skew": math.nan, "kurt": math.nan}


def _other(row, name, title, example, **fixed):
    """A row under another name, or with its shapes known."""
    shapes = "" if fixed else " ".join(row._shapes)

    def known(f):
        return (lambda *points: f(*points, *map(tombac.array, fixed.values()))) if callable(f) and fixed else f

    functions = {key: known(f) for key, f in row._functions.items() if key != "fit"}
    if fixed:
        functions["rvs"] = lambda g, size: row._functions["rvs"](g, size, *fixed.values())
    return Continuous(name, title, shapes, row._support, example, allowed=None if fixed else row._allowed,
                      vanishes=row._vanishes, **functions)


erlang = _other(gamma, "erlang", "distribution of the sum of a exponential variables", "mean(3)\narray(3.)")
gibrat = _other(lognorm, "gibrat", "distribution of what has a standard normal logarithm", "median()\narray(1.)", s=1.0)

alpha = Continuous(
    "alpha", "alpha distribution of the shape a", "a", (0, INF), "cdf(9e99, 2.0)\narray(1.)",
    vanishes=True, log=lambda x, a: -2 * log(x) - log_ndtr(a) - HALF_LOG_2PI - square(a - 1 / x) / 2,
    cdf=lambda x, a: ndtr(a - 1 / x) / ndtr(a), ppf=lambda q, a: 1 / (a - ndtri(q * ndtr(a))), **ENDLESS)

betaprime = Continuous(
    "betaprime", "distribution of the quotient of a beta variable and what it is short of 1, of the shapes a and b",
    "a b", (0, INF), "mean(1.0, 3.0)\narray(0.5)",
    log=lambda x, a, b: xlogy(a - 1, x) - xlog1py(a + b, x) - special.betaln(a, b),
    cdf=lambda x, a, b: special.fdtr(2 * a, 2 * b, x * (b / a)),
    sf=lambda x, a, b: special.fdtrc(2 * a, 2 * b, x * (b / a)),
    ppf=lambda q, a, b: special.fdtri(2 * a, 2 * b, q) * (a / b),
    isf=lambda q, a, b: (a / b) / special.fdtri(2 * b, 2 * a, q),
    raw=lambda k, a, b: where(b > k, exp(special.betaln(a + k, tombac.maximum(b - k, 1e-9)) - special.betaln(a, b)),
    INF))


def _burr_log(x, c, d):
    far = -(c + 1) * log(x) - (d + 1) * log1p(x**-c)
    near = xlogy(c * d - 1, x) - (d + 1) * log1p(x**c)
    return log(c) + log(d) + where(x < 1, near, far)


def _burr_logcdf(x, c, d):
    return where(x < 1, c * d * log(x) - d * log1p(x**c), -d * log1p(x**-c))


burr = Continuous(
    "burr", "Burr's third distribution, of the shapes c and d", "c d", (0, INF), "cdf(1.0, 2.0, 1.0)\narray(0.5)",
    log=_burr_log, cdf=lambda x, c, d: exp(_burr_logcdf(x, c, d)), sf=lambda x, c, d: -expm1(_burr_logcdf(x, c, d)),
    logcdf=_burr_logcdf, ppf=lambda q, c, d: expm1(-log(q) / d) ** (-1 / c),
    isf=lambda q, c, d: expm1(-log1p(-q) / d) ** (-1 / c),
    raw=lambda k, c, d: where(c > k, d * exp(special.betaln(tombac.maximum(1 - k / c, 1e-9), d + k / c)), np.nan))

fisk = Continuous(
    "fisk", "log-logistic distribution of the shape c", "c", (0, INF), "cdf(1.0, 2.0)\narray(0.5)",
    log=lambda x, c: _burr_log(x, c, 1.0 + 0 * c), cdf=lambda x, c: special.expit(c * log(x)),
    sf=lambda x, c: special.expit(-c * log(x)), logcdf=lambda x, c: special.log_expit(c * log(x)),
    logsf=lambda x, c: special.log_expit(-c * log(x)), ppf=lambda q, c: exp(special.logit(q) / c),
    isf=lambda q, c: exp(-special.logit(q) / c),
    raw=lambda k, c: where(c > k, (k * PI / c) / tombac.sin(k * PI / c), np.nan))

burr12 = Continuous(
    "burr12", "Burr's twelfth distribution, of the shapes c and d", "c d", (0, INF), "sf(1.0, 2.0, 1.0)\narray(0.5)",
    log=lambda x, c, d: log(c) + log(d) + xlogy(c - 1, x) - (d + 1) * log1p(x**c),
    cdf=lambda x, c, d: -expm1(-d * log1p(x**c)), sf=lambda x, c, d: exp(-d * log1p(x**c)),
    logsf=lambda x, c, d: -d * log1p(x**c), ppf=lambda q, c, d: expm1(-log1p(-q) / d) ** (1 / c),
    isf=lambda q, c, d: expm1(-log(q) / d) ** (1 / c),
    raw=lambda k, c, d: where(c * d > k, d * exp(special.betaln(tombac.maximum(d - k / c, 1e-9), 1 + k / c)), np.nan))

chi = Continuous(
    "chi", "distribution of the root of a chi-squared variable of df degrees of freedom", "df", (0, INF),
    "sf(0.0, 2.0)\narray(1.)",
    log=lambda x, n: xlogy(n - 1, x) - x * x / 2 - (n / 2 - 1) * math.log(2) - lgamma(n / 2),
    cdf=lambda x, n: special.gammainc(n / 2, x * x / 2), sf=lambda x, n: special.gammaincc(n / 2, x * x / 2),
    ppf=lambda q, n: sqrt(2 * special.gammaincinv(n / 2, q)), isf=lambda q, n: sqrt(2 * special.gammainccinv(n / 2, q)),
    raw=lambda k, n: n if k == 2 else n * (n + 2) if k == 4 else exp(
        k / 2 * math.log(2) + lgamma((n + k) / 2) - lgamma(n / 2)),
    rvs=lambda g, size, n: sqrt(g.chisquare(n, size)))

exponpow = Continuous(
    "exponpow", "exponential power distribution of the shape b", "b", (0, INF), "sf(0.0, 2.0)\narray(1.)",
    log=lambda x, b: 1 + log(b) + xlogy(b - 1, x) + x**b - exp(x**b), cdf=lambda x, b: -expm1(-expm1(x**b)),
    sf=lambda x, b: exp(-expm1(x**b)), logsf=lambda x, b: -expm1(x**b), ppf=lambda q, b: log1p(-log1p(-q)) ** (1 / b),
    isf=lambda q, b: log1p(-log(q)) ** (1 / b))


def _exponweib_logcdf(x, a, c):
    return a * log(-expm1(-(x**c)))


exponweib = Continuous(
    "exponweib", "exponentiated Weibull distribution of the shapes a and c", "a c", (0, INF),
    "sf(0.0, 2.0, 1.0)\narray(1.)",
    log=lambda x, a, c: log(a) + log(c) + xlogy(a - 1, -expm1(-(x**c))) - x**c + xlogy(c - 1, x),
    cdf=lambda x, a, c: exp(_exponweib_logcdf(x, a, c)), sf=lambda x, a, c: -expm1(a * log1p(-exp(-(x**c)))),
    logcdf=_exponweib_logcdf, ppf=lambda q, a, c: (-log1p(-(q ** (1 / a)))) ** (1 / c),
    isf=lambda q, a, c: (-log(-expm1(log1p(-q) / a))) ** (1 / c))


def _fatigue_quantile(z, c):
    return square(c * z + sqrt(square(c * z) + 4)) / 4


fatiguelife = Continuous(
    "fatiguelife", "Birnbaum's and Saunders's distribution of the shape c", "c", (0, INF), "median(2.0)\narray(1.)",
    vanishes=True,
    log=lambda x, c: log1p(x) - square(x - 1) / (2 * x * c * c) - log(2 * c) - HALF_LOG_2PI - 1.5 * log(x),
    cdf=lambda x, c: ndtr((sqrt(x) - 1 / sqrt(x)) / c), sf=lambda x, c: ndtr((1 / sqrt(x) - sqrt(x)) / c),
    ppf=lambda q, c: _fatigue_quantile(ndtri(q), c), isf=lambda q, c: _fatigue_quantile(-ndtri(q), c),
    mean=lambda c: c * c / 2 + 1, var=lambda c: c * c * (1.25 * c * c + 1),
    skew=lambda c: 4 * c * (11 * c * c + 6) / (5 * c * c + 4) ** 1.5,
    kurt=lambda c: 6 * c * c * (93 * c * c + 40) / square(5 * c * c + 4))

foldcauchy = Continuous(
    "foldcauchy", "distribution of the absolute value of a Cauchy variable around c", "c", (0, INF),
    "cdf(1.0, 0.0)\narray(0.5)", allowed=lambda c: c >= 0,
    log=lambda x, c: log((1 / (1 + square(x - c)) + 1 / (1 + square(x + c))) / PI),
    cdf=lambda x, c: (tombac.arctan(x - c) + tombac.arctan(x + c)) / PI,
    sf=lambda x, c: (tombac.arctan2(1, x - c) + tombac.arctan2(1, x + c)) / PI, **ENDLESS)

foldnorm = Continuous(
    "foldnorm", "distribution of the absolute value of a normal variable around c", "c", (0, INF),
    "sf(0.0, 1.0)\narray(1.)", allowed=lambda c: c >= 0,
    log=lambda x, c: -square(x - c) / 2 + log1p(exp(-2 * c * x)) - HALF_LOG_2PI,
    cdf=lambda x, c: (special.erf((x - c) / ROOT2) + special.erf((x + c) / ROOT2)) / 2,
    sf=lambda x, c: ndtr(c - x) + ndtr(-c - x), rvs=lambda g, size, c: abs(g.standard_normal(size) + c))

def _genexpon_rate(x, a, b, c):
    """What sf is the exponential of, but for its sign."""
    return (a + b) * x + b * expm1(-c * x) / c


def _genexpon_quantile(rate, a, b, c):
    """By Newton's steps from the root of a parabola, which is below; they come from above then."""
    x = 2 * rate / (a + sqrt(a * a + 2 * b * c * rate))
    for _ in range(5):
        x = x - (_genexpon_rate(x, a, b, c) - rate) / (a - b * expm1(-c * x))
    return x


genexpon = Continuous(
    "genexpon", "generalized exponential distribution of the shapes a, b and c", "a b c", (0, INF),
    "sf(0.0, 1.0, 1.0, 1.0)\narray(1.)",
    log=lambda x, a, b, c: log(a - b * expm1(-c * x)) - _genexpon_rate(x, a, b, c),
    cdf=lambda x, *shapes: -expm1(-_genexpon_rate(x, *shapes)), sf=lambda x, *shapes: exp(-_genexpon_rate(x, *shapes)),
    logsf=lambda x, *shapes: -_genexpon_rate(x, *shapes),
    ppf=lambda q, *shapes: _genexpon_quantile(-log1p(-q), *shapes),
    isf=lambda q, *shapes: _genexpon_quantile(-log(q), *shapes))

gengamma = Continuous(
    "gengamma", "generalized gamma distribution of the shapes a and c", "a c", (0, INF),
    "mean(3.0, 1.0).round(6)\narray(3.)",
    allowed=lambda a, c: (a > 0) & (c != 0),
    log=lambda x, a, c: where((c < 0) & (x == 0), -INF, log(abs(c)) + xlogy(c * a - 1, x) - x**c - lgamma(a)),
    cdf=lambda x, a, c: where(c > 0, special.gammainc(a, x**c), special.gammaincc(a, x**c)),
    sf=lambda x, a, c: where(c > 0, special.gammaincc(a, x**c), special.gammainc(a, x**c)),
    ppf=lambda q, a, c: where(c > 0, special.gammaincinv(a, q), special.gammainccinv(a, q)) ** (1 / c),
    isf=lambda q, a, c: where(c > 0, special.gammainccinv(a, q), special.gammaincinv(a, q)) ** (1 / c),
    raw=lambda k, a, c: where(a + k / c > 0, exp(lgamma(a + k / c) - lgamma(a)), INF),
    rvs=lambda g, size, a, c: g.standard_gamma(a, size) ** (1 / c))

gompertz = Continuous(
    "gompertz", "Gompertz's distribution of the shape c", "c", (0, INF), "sf(0.0, 2.0)\narray(1.)",
    log=lambda x, c: log(c) + x - c * expm1(x), cdf=lambda x, c: -expm1(-c * expm1(x)),
    sf=lambda x, c: exp(-c * expm1(x)), logsf=lambda x, c: -c * expm1(x), ppf=lambda q, c: log1p(-log1p(-q) / c),
    isf=lambda q, c: log1p(-log(q) / c))

halfcauchy = Continuous(
    "halfcauchy", "distribution of the absolute value of a Cauchy variable", "", (0, INF), "cdf(1.0)\narray(0.5)",
    log=lambda x: math.log(2 / PI) - log1p_square(x), cdf=lambda x: 2 / PI * tombac.arctan(x),
    sf=lambda x: 2 / PI * tombac.arctan2(1, x), ppf=lambda q: tombac.tan(PI / 2 * q),
    isf=lambda q: 1 / tombac.tan(PI / 2 * q), **ENDLESS)

halfgennorm = Continuous(
    "halfgennorm", "distribution of the absolute value of a generalized normal variable of the shape beta", "beta",
    (0, INF), "sf(0.0, 2.0)\narray(1.)", log=lambda x, b: log(b) - lgamma(1 / b) - x**b,
    cdf=lambda x, b: special.gammainc(1 / b, x**b), sf=lambda x, b: special.gammaincc(1 / b, x**b),
    ppf=lambda q, b: special.gammaincinv(1 / b, q) ** (1 / b),
    isf=lambda q, b: special.gammainccinv(1 / b, q) ** (1 / b),
    raw=lambda k, b: exp(lgamma((k + 1) / b) - lgamma(1 / b)))

halflogistic = Continuous(
    "halflogistic", "distribution of the absolute value of a logistic variable", "", (0, INF), "sf(0.0)\narray(1.)",
    log=lambda x: math.log(2) - x - 2 * log1p(exp(-x)), cdf=lambda x: tombac.tanh(x / 2),
    sf=lambda x: 2 * special.expit(-x), ppf=lambda q: 2 * tombac.arctanh(q), isf=lambda q: -special.logit(q / 2),
    raw=lambda k: (math.log(4), PI**2 / 3, 9 * 1.2020569031595942, 7 * PI**4 / 15)[k - 1])

invgamma = Continuous(
    "invgamma", "distribution of the reciprocal of a gamma variable of the shape a", "a", (0, INF),
    "mean(3.0)\narray(0.5)", vanishes=True, log=lambda x, a: -(a + 1) * log(x) - lgamma(a) - 1 / x,
    cdf=lambda x, a: special.gammaincc(a, 1 / x), sf=lambda x, a: special.gammainc(a, 1 / x),
    ppf=lambda q, a: 1 / special.gammainccinv(a, q), isf=lambda q, a: 1 / special.gammaincinv(a, q),
    mean=lambda a: where(a > 1, 1 / (a - 1), INF), var=lambda a: where(a > 2, 1 / (square(a - 1) * (a - 2)), INF),
    skew=lambda a: where(a > 3, 4 * sqrt(a - 2) / (a - 3), np.nan),
    kurt=lambda a: where(a > 4, 6 * (5 * a - 11) / ((a - 3) * (a - 4)), np.nan),
    rvs=lambda g, size, a: 1 / g.standard_gamma(a, size))


def _invgauss_log(x, mu):
    return -HALF_LOG_2PI - 1.5 * log(x) - square((x - mu) / mu) / (2 * x)


def _invgauss_logs(x, mu):
    root = 1 / sqrt(x)
    return root * (x / mu - 1), 2 / mu + log_ndtr(-root * (x / mu + 1))


def _invgauss_cdf(x, mu):
    z, other = _invgauss_logs(x, mu)
    return ndtr(z) + exp(other)


def _invgauss_logcdf(x, mu):
    z, other = _invgauss_logs(x, mu)
    return tombac.logaddexp(log_ndtr(z), other)


def _invgauss_sf(x, mu):
    z, other = _invgauss_logs(x, mu)
    first = log_ndtr(-z)
    return exp(first) * -expm1(other - first)


def _invgauss_logsf(x, mu):
    z, other = _invgauss_logs(x, mu)
    first = log_ndtr(-z)
    return first + log1p(-exp(other - first))


invgauss = Continuous(
    "invgauss", "inverse Gaussian distribution of the mean mu", "mu", (0, INF), "mean(2.0)\narray(2.)",
    vanishes=True,
    log=_invgauss_log, cdf=_invgauss_cdf, sf=_invgauss_sf, logcdf=_invgauss_logcdf, logsf=_invgauss_logsf,
    mean=lambda mu: mu, var=lambda mu: mu * mu * mu,
    skew=lambda mu: 3 * sqrt(mu), kurt=lambda mu: 15 * mu)

wald = Continuous(
    "wald", "inverse Gaussian distribution of the mean 1", "", (0, INF), "mean()\narray(1.)",
    vanishes=True,
    log=lambda x: _invgauss_log(x, 1.0), cdf=lambda x: _invgauss_cdf(x, 1.0), sf=lambda x: _invgauss_sf(x, 1.0),
    logcdf=lambda x: _invgauss_logcdf(x, 1.0), logsf=lambda x: _invgauss_logsf(x, 1.0),
    mean=1.0, var=1.0, skew=3.0, kurt=15.0)

recipinvgauss = Continuous(
    "recipinvgauss", "distribution of the reciprocal of an inverse Gaussian variable of the mean mu", "mu", (0, INF),
    "sf(0.0, 2.0)\narray(1.)",
    vanishes=True, log=lambda x, mu: -HALF_LOG_2PI - log(x) / 2 - square((1 - mu * x) / mu) / (2 * x),
    cdf=lambda x, mu: _invgauss_sf(1 / x, mu), sf=lambda x, mu: _invgauss_cdf(1 / x, mu), mean=lambda mu: 1 / mu + 1,
    var=lambda mu: 1 / mu + 2)

invweibull = Continuous(
    "invweibull", "distribution of the reciprocal of a Weibull variable of the shape c", "c", (0, INF),
    "cdf(1.0, 2.0).round(4)\narray(0.3679)", vanishes=True, log=lambda x, c: log(c) - (c + 1) * log(x) - x**-c,
    cdf=lambda x, c: exp(-(x**-c)), sf=lambda x, c: -expm1(-(x**-c)), logcdf=lambda x, c: -(x**-c),
    ppf=lambda q, c: (-log(q)) ** (-1 / c), isf=lambda q, c: (-log1p(-q)) ** (-1 / c),
    raw=lambda k, c: where(c > k, exp(lgamma(1 - k / c)), INF))

levy = Continuous(
    "levy", "Levy's distribution", "", (0, INF), "sf(0.0)\narray(1.)",
    vanishes=True, log=lambda x: -HALF_LOG_2PI - 1.5 * log(x) - 1 / (2 * x),
    cdf=lambda x: special.erfc(1 / sqrt(2 * x)),
    sf=lambda x: special.erf(1 / sqrt(2 * x)), ppf=lambda q: 1 / square(ndtri(q / 2)),
    isf=lambda q: 1 / (2 * square(special.erfinv(q))), **ENDLESS)

levy_l = Continuous(
    "levy_l", "Levy's distribution of what is negative", "", (-INF, 0), "cdf(0.0)\narray(1.)",
    vanishes=True, log=lambda x: -HALF_LOG_2PI - 1.5 * log(abs(x)) - 1 / (2 * abs(x)),
    cdf=lambda x: special.erf(1 / sqrt(-2 * x)),
    sf=lambda x: special.erfc(1 / sqrt(-2 * x)), ppf=lambda q: -1 / (2 * square(special.erfinv(q))),
    isf=lambda q: -1 / square(ndtri(q / 2)), **ENDLESS)

loglaplace = Continuous(
    "loglaplace", "distribution of what has a Laplacian logarithm, of the shape c", "c", (0, INF),
    "cdf(1.0, 2.0)\narray(0.5)", log=lambda x, c: log(c / 2) + where(x < 1, xlogy(c - 1, x), -(c + 1) * log(x)),
    cdf=lambda x, c: where(x < 1, x**c / 2, 1 - x**-c / 2), sf=lambda x, c: where(x < 1, 1 - x**c / 2, x**-c / 2),
    ppf=lambda q, c: where(q < 0.5, (2 * q) ** (1 / c), (2 * (1 - q)) ** (-1 / c)),
    isf=lambda q, c: where(q > 0.5, (2 * (1 - q)) ** (1 / c), (2 * q) ** (-1 / c)),
    raw=lambda k, c: where(c > k, c * c / (c * c - k * k), INF))

lomax = Continuous(
    "lomax", "Pareto's second distribution, of the shape c", "c", (0, INF), "sf(1.0, 1.0)\narray(0.5)",
    log=lambda x, c: log(c) - (c + 1) * log1p(x), cdf=lambda x, c: -expm1(-c * log1p(x)),
    sf=lambda x, c: exp(-c * log1p(x)), logsf=lambda x, c: -c * log1p(x), ppf=lambda q, c: expm1(-log1p(-q) / c),
    isf=lambda q, c: expm1(-log(q) / c), mean=lambda c: where(c > 1, 1 / (c - 1), INF),
    var=lambda c: where(c > 2, c / (square(c - 1) * (c - 2)), INF),
    skew=lambda c: where(c > 3, 2 * (c + 1) * sqrt(1 - 2 / c) / (c - 3), np.nan),
    kurt=lambda c: where(c > 4, 6 * (c * c * c + c * c - 6 * c - 2) / (c * (c - 3) * (c - 4)), np.nan))

maxwell = Continuous(
    "maxwell", "Maxwell's distribution of speeds", "", (0, INF), "sf(0.0)\narray(1.)",
    log=lambda x: 2 * log(x) - x * x / 2 + math.log(2 / PI) / 2, cdf=lambda x: special.gammainc(1.5, x * x / 2),
    sf=lambda x: special.gammaincc(1.5, x * x / 2), ppf=lambda q: sqrt(2 * special.gammaincinv(1.5, q)),
    isf=lambda q: sqrt(2 * special.gammainccinv(1.5, q)), mean=2 * math.sqrt(2 / PI), var=3 - 8 / PI,
    skew=ROOT2 * (32 - 10 * PI) / (3 * PI - 8) ** 1.5, kurt=(-12 * PI**2 + 160 * PI - 384) / (3 * PI - 8) ** 2,
    rvs=lambda g, size: sqrt(g.chisquare(3, size)))


def _mielke_logcdf(x, k, s):
    return where(x < 1, k * log(x) - k / s * log1p(x**s), -k / s * log1p(x**-s))


mielke = Continuous(
    "mielke", "Mielke's distribution of the shapes k and s", "k s", (0, INF), "cdf(1.0, 2.0, 2.0)\narray(0.5)",
    log=lambda x, k, s: log(k) + where(x < 1, xlogy(k - 1, x) - (1 + k / s) * log1p(x**s),
                                       -(s + 1) * log(x) - (1 + k / s) * log1p(x**-s)),
    cdf=lambda x, k, s: exp(_mielke_logcdf(x, k, s)), sf=lambda x, k, s: -expm1(_mielke_logcdf(x, k, s)),
    logcdf=_mielke_logcdf, ppf=lambda q, k, s: expm1(-s / k * log(q)) ** (-1 / s),
    isf=lambda q, k, s: expm1(-s / k * log1p(-q)) ** (-1 / s),
    raw=lambda n, k, s: where(s > n, exp(lgamma((k + n) / s) + lgamma(1 - n / s) - lgamma(k / s)), INF))

nakagami = Continuous(
    "nakagami", "Nakagami's distribution of the shape nu", "nu", (0, INF), "sf(0.0, 2.0)\narray(1.)",
    log=lambda x, n: math.log(2) + n * log(n) - lgamma(n) + xlogy(2 * n - 1, x) - n * x * x,
    cdf=lambda x, n: special.gammainc(n, n * x * x), sf=lambda x, n: special.gammaincc(n, n * x * x),
    ppf=lambda q, n: sqrt(special.gammaincinv(n, q) / n), isf=lambda q, n: sqrt(special.gammainccinv(n, q) / n),
    raw=lambda k, n: 1.0 + 0 * n if k == 2 else exp(lgamma(n + k / 2) - lgamma(n)) / n ** (k / 2),
    rvs=lambda g, size, n: sqrt(g.standard_gamma(n, size) / n))

powerlognorm = Continuous(
    "powerlognorm", "distribution of the least of c lognormal variables of the shape s", "c s", (0, INF),
    "sf(1.0, 2.0, 1.0)\narray(0.25)",
    vanishes=True,
    log=lambda x, c, s: log(c / s) - log(x) - square(log(x) / s) / 2 - HALF_LOG_2PI + (c - 1) * log_ndtr(-log(x) / s),
    cdf=lambda x, c, s: -expm1(c * log_ndtr(-log(x) / s)), sf=lambda x, c, s: exp(c * log_ndtr(-log(x) / s)),
    logsf=lambda x, c, s: c * log_ndtr(-log(x) / s), ppf=lambda q, c, s: exp(s * of_least(log1p(-q), c)),
    isf=lambda q, c, s: exp(s * of_least(log(q), c)))

_MIRRORED = weibull_min._functions
weibull_max = Continuous(
    "weibull_max", "distribution of what has a Weibull variable of the shape c as its negative", "c", (-INF, 0),
    "cdf(0.0, 2.0)\narray(1.)", log=lambda x, c: _MIRRORED["log"](-x, c), cdf=lambda x, c: _MIRRORED["sf"](-x, c),
    sf=lambda x, c: _MIRRORED["cdf"](-x, c), logcdf=lambda x, c: _MIRRORED["logsf"](-x, c),
    ppf=lambda q, c: -_MIRRORED["isf"](q, c), isf=lambda q, c: -_MIRRORED["ppf"](q, c),
    mean=lambda c: -_MIRRORED["mean"](c), var=_MIRRORED["var"], skew=lambda c: -_MIRRORED["skew"](c),
    kurt=_MIRRORED["kurt"])


def _double_parts(x, u, s, a, b):
    """Where the logarithm is, and the logarithms of the parts that exponential variables add to both sides."""
    z = (log(tombac.maximum(x, 0.0)) - u) / s
    return z, a * s * (a * s / 2 - z) + log_ndtr(z - a * s), b * s * (b * s / 2 + z) + log_ndtr(-z - b * s)


def _double_log(x, u, s, a, b):
    _, left, right = _double_parts(x, u, s, a, b)
    return log(a * b / (a + b)) - log(x) + tombac.logaddexp(left, right)


def _double_cdf(x, u, s, a, b):
    z, left, right = _double_parts(x, u, s, a, b)
    return ndtr(z) - (b * exp(left) - a * exp(right)) / (a + b)


def _double_sf(x, u, s, a, b):
    z, left, right = _double_parts(x, u, s, a, b)
    return ndtr(-z) + (b * exp(left) - a * exp(right)) / (a + b)


dpareto_lognorm = Continuous(
    "dpareto_lognorm", "double Pareto lognormal distribution of the shapes u, s, a and b", "u s a b", (0, INF),
    "cdf(1.0, 0.0, 1.0, 2.0, 2.0)\narray(0.5)",
    allowed=lambda u, s, a, b: (s > 0) & (a > 0) & (b > 0) & tombac.isfinite(u),
    vanishes=True, log=_double_log, cdf=_double_cdf,
    sf=_double_sf,
    raw=lambda k, u, s, a, b: where(a > k, exp(k * u + k * k * s * s / 2) * a * b / (
        where(a > k, a - k, 1.0) * (b + k)), INF),
    rvs=lambda g, size, u, s, a, b: exp(u + s * g.standard_normal(size) + g.standard_exponential(size) / a -
                                        g.standard_exponential(size) / b))

kappa3 = Continuous(
    "kappa3", "Mielke's and Johnson's distribution of the shape a", "a", (0, INF), "cdf(1.0, 1.0)\narray(0.5)",
    log=lambda x, a: log(a) - (1 + 1 / a) * log(a + x**a), cdf=lambda x, a: exp(-log1p(a * x**-a) / a),
    sf=lambda x, a: -expm1(-log1p(a * x**-a) / a), logcdf=lambda x, a: -log1p(a * x**-a) / a,
    ppf=lambda q, a: (a / expm1(-a * log(q))) ** (1 / a), isf=lambda q, a: (a / expm1(-a * log1p(-q))) ** (1 / a),
    raw=lambda k, a: where(a > k, exp((k / a - 1) * log(a) + special.betaln((k + 1) / a, tombac.maximum(
        1 - k / a, 1e-9))), INF))


def _brownian_near(x):
    """Of the greatest distance of a Brownian bridge: cdf by the series that is short below 1, and by it the density."""
    x = tombac.maximum(x, 1e-100)
    rate = PI**2 / 8 / square(x)
    first, eighth = exp(-rate), exp(-8 * rate)
    third = square(eighth) * eighth
    inner = (2 * rate - 1) + eighth * (18 * rate - 1) + third * (50 * rate - 1)
    return math.sqrt(2 * PI) / x * first * (1 + eighth + third), log(math.sqrt(2 * PI) * inner) - 2 * log(x) - rate


def _brownian_far(x):
    """The same above 1: sf and the logarithm of the density."""
    first = exp(-2 * x * x)
    third, fifth = square(first) * first, square(square(first)) * first
    seventh = square(third) * first
    inner = 1 - third * (4 - fifth * (9 - 16 * seventh))
    return 2 * first * (1 - third * (1 - fifth * (1 - seventh))), log(8 * x * inner) - 2 * x * x


def _brownian_log(x):
    return where(x < 1, _brownian_near(x)[1], _brownian_far(x)[1])


def _brownian_cdf(x):
    return where(x < 1, _brownian_near(x)[0], 1 - _brownian_far(x)[0])


def _brownian_sf(x):
    return where(x < 1, 1 - _brownian_near(x)[0], _brownian_far(x)[0])


def _brownian_quantile(q, rest):
    """By Newton's steps in the logarithm of what is less, from one term of its series."""
    below = q < rest
    least = log(where(below, q, rest))
    rate = math.log(2 * PI) / 2 - least
    x = 0.6
    for _ in range(3):
        x = PI / sqrt(8 * (rate - log(x)))
    x = where(below, tombac.minimum(x, 0.83), sqrt((math.log(2) - tombac.minimum(least, math.log(0.5))) / 2))
    for _ in range(_BROWNIAN_STEPS):
        part = where(below, _brownian_cdf(x), _brownian_sf(x))
        step = (least - log(part)) * part / exp(_brownian_log(x))
        x = x + where(below, step, -step)
    return x


_BROWNIAN_STEPS = 3  # leave nothing but rounding


kstwobign = Continuous(
    "kstwobign", "distribution of Kolmogorov's statistic of many elements, by their number's root", "", (0, INF),
    "sf(1.0).round(4)\narray(0.27)", vanishes=True, log=_brownian_log, cdf=_brownian_cdf, sf=_brownian_sf,
    ppf=lambda q: _brownian_quantile(q, 1 - q), isf=lambda q: _brownian_quantile(1 - q, q),
    mean=math.sqrt(PI / 2) * math.log(2),
    var=PI**2 / 12 - PI / 2 * math.log(2) ** 2)


def _resonance(rho):
    """The root of rho^2 + i rho, of which the density's constant is made, and that constant."""
    w = sqrt(rho * rho + 1j * rho)
    return w, 2 * rho / (PI * (1 / w).real)


def _resonance_part(x, rho, upper):
    w, constant = _resonance(rho)
    x = tombac.maximum(x, 1e-300)
    return constant / rho * ((tombac.arctanh(w / x) if upper else -tombac.arctanh(x / w)) / w).imag


def _resonance_mean(rho):
    return _resonance(rho)[1] / (2 * rho) * (PI / 2 + tombac.arctan(rho))


rel_breitwigner = Continuous(
    "rel_breitwigner", "relativistic Breit-Wigner distribution of the shape rho", "rho", (0, INF),
    "sf(0.0, 2.0)\narray(1.)",
    log=lambda x, rho: log(_resonance(rho)[1]) - log(square((x - rho) * (x + rho)) + rho * rho),
    cdf=lambda x, rho: _resonance_part(x, rho, False), sf=lambda x, rho: _resonance_part(x, rho, True),
    raw=lambda k, rho: _resonance_mean(rho) if k == 1 else rho * sqrt(rho * rho + 1) if k == 2 else INF + 0 * rho,
    skew=math.nan, kurt=math.nan)
