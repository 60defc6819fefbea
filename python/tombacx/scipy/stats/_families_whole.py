"""Further families of distributions of whole numbers: a row for each."""

import math

import tombac
from tombac._core import special, where
from tombacx.scipy.stats._distributions import Discrete
from tombacx.scipy.stats._trials import mixed_trials_log

__all__ = [
    "betabinom", "boltzmann", "dlaplace", "hypergeom", "logser", "nchypergeom_fisher", "nhypergeom", "planck",
    "yulesimon", "zipf", "zipfian",
]

INF = math.inf
_MOST = 1 << 24  # whole numbers that are summed over
_LITTLE = 1e-30
exp, log, log1p, expm1 = tombac.exp, tombac.log, tombac.log1p, tombac.expm1


def _whole(*numbers):
    good = numbers[0] == tombac.floor(numbers[0])
    for x in numbers[1:]:
        good = good & (x == tombac.floor(x))
    return good


def _summed(name, title, shapes, support, example, log, **functions):
    """A row whose distribution functions are sums over the support, for which its ends are looked at."""
    def part(x, parameters, upper):
        ends = support(*parameters)
        low, high = (where(tombac.isfinite(end), end, 0.0) for end in ends)
        first, last = tombac.stack([low.min(), high.max()]).tolist()
        if last - first >= _MOST:
            raise ValueError(f"{name}: {last - first:.3g} whole numbers are too many to be summed over")
        k, x = tombac.arange(first, last + 1), x[..., None]
        counted = (k >= low[..., None]) & (k <= high[..., None]) & ((k > x) if upper else (k <= x))
        total = where(counted, exp(log(k, *(p[..., None] for p in parameters))), 0.0).sum(axis=-1)
        return tombac.minimum(total, 1.0)

    return Discrete(name, title, shapes, support, example, log=log, cdf=lambda x, *p: part(x, p, False),
                    sf=lambda x, *p: part(x, p, True), **functions)


hypergeom = Discrete(
    "hypergeom", "distribution of how many of N that are drawn of M are among n", "M n N",
    lambda m, n, d: (tombac.maximum(0, d - (m - n)), tombac.minimum(n, d) + 0 * m), "mean(8, 4, 2)\narray(1.)",
    allowed=lambda m, n, d: (m > 0) & (n >= 0) & (d >= 0) & (n <= m) & (d <= m) & _whole(m, n, d),
    log=special._hypergeom_log, cdf=special._hypergeom_cdf, sf=special._hypergeom_sf,
    ppf=special._hypergeom_ppf, isf=special._hypergeom_isf,
    mean=lambda m, n, d: d * n / m, var=lambda m, n, d: d * n / m * (m - n) / m * (m - d) / tombac.maximum(m - 1, 1))


def _total(name, weight, support):
    """The logarithm of the sum of weights over the support, for which its ends are looked at."""
    def total(*parameters):
        low, high = (where(tombac.isfinite(end), end, 0.0) for end in support(*parameters))
        first, last = tombac.stack([low.min(), high.max()]).tolist()
        if last - first >= _MOST:
            raise ValueError(f"{name}: {last - first:.3g} whole numbers are too many to be summed over")
        k = tombac.arange(first, max(first, last) + 1)
        counted = (k >= low[..., None]) & (k <= high[..., None])
        logs = where(counted, weight(k, *(p[..., None] for p in parameters)), -INF)
        most = logs.max(axis=-1)
        return most + log(exp(logs - most[..., None]).sum(axis=-1))

    return total


def _weighted(name, title, shapes, support, example, weight, **functions):
    """A row whose probabilities are weights by their sum."""
    total = _total(name, weight, support)
    return _summed(name, title, shapes, support, example, lambda k, *p: weight(k, *p) - total(*p), **functions)


nchypergeom_fisher = _summed(
    "nchypergeom_fisher",
    "Fisher's distribution of how many of N that are drawn of M are among n, whose odds are odds times those of others",
    "M n N odds",
    lambda m, n, d, odds: (tombac.maximum(0, d - (m - n)) + 0 * odds, tombac.minimum(n, d) + 0 * m * odds),
    "mean(8, 4, 2, 1.0).round(9)\narray(1.)",
    lambda k, m, n, d, odds: (
        special._hypergeom_log(k, m, n, d) + k * log(odds) - special._hypergeom_total(m, n, d, odds)),
    allowed=lambda m, n, d, odds: (m >= 0) & (n >= 0) & (d >= 0) & (n <= m) & (d <= m) & _whole(m, n, d) & (odds > 0))

zipfian = _weighted(
    "zipfian", "Zipf's distribution of the power a of the whole numbers up to n", "a n",
    lambda a, n: (1 + 0 * (a + n), n + 0 * a), "cdf(4, 1.0, 4)\narray(1.)", lambda k, a, n: -a * log(k) + 0 * n,
    allowed=lambda a, n: (a >= 0) & (n > 0) & _whole(n))


def _logser_sf(k, p):
    """By the integral of u^k / (1 - u) up to p: the incomplete beta function of k + 1 and of what is as good as 0."""
    return special.betainc(k + 1, _LITTLE, p) / (_LITTLE * -log1p(-p))


logser = Discrete(
    "logser", "logarithmic series distribution of the shape p", "p", (1, INF), "pmf(1, 0.5).round(4)\narray(0.7213)",
    allowed=lambda p: (p > 0) & (p < 1), log=lambda k, p: k * log(p) - log(k) - log(-log1p(-p)),
    cdf=lambda k, p: 1 - _logser_sf(k, p), sf=_logser_sf,
    raw=lambda k, p: -p / log1p(-p) * (1.0, 1.0, 1 + p, 1 + p * (4 + p))[k - 1] / (1 - p) ** k)

nhypergeom = _summed(
    "nhypergeom", "distribution of how many of n among M are drawn before r of the others are", "M n r",
    lambda m, n, r: (0 * (m + n + r), n + 0 * (m + r)), "mean(3, 1, 1).round(6)\narray(0.333333)",
    lambda k, m, n, r: where(r > 0, mixed_trials_log(k, n, tombac.maximum(r, 1.0), m - n - r + 1), where(
        k == 0, 0.0, -INF)),
    allowed=lambda m, n, r: (m >= 0) & (n >= 0) & (n <= m) & (r >= 0) & (r <= m - n) & _whole(m, n, r),
    mean=lambda m, n, r: r * n / (m - n + 1),
    var=lambda m, n, r: r * (m + 1) * n / ((m - n + 1) * (m - n + 2)) * (1 - r / (m - n + 1)))

betabinom = _summed(
    "betabinom", "binomial distribution of n trials, whose probability is a beta variable of the shapes a and b",
    "n a b",
    lambda n, a, b: (0 * (n + a + b), n + 0 * (a + b)), "mean(4, 1.0, 1.0)\narray(2.)",
    mixed_trials_log,
    allowed=lambda n, a, b: (n >= 0) & _whole(n) & (a > 0) & (b > 0), mean=lambda n, a, b: n * a / (a + b),
    var=lambda n, a, b: n * (a + b + n) * a * b / (tombac.square(a + b) * (a + b + 1)))

planck = Discrete(
    "planck", "discrete exponential distribution of the rate lambda_", "lambda_", (0, INF), "sf(-1, 1.0)\narray(1.)",
    log=lambda k, r: log(-expm1(-r)) - r * k, cdf=lambda k, r: -expm1(-r * (k + 1)), sf=lambda k, r: exp(-r * (k + 1)),
    near_ppf=lambda q, r: -log1p(-q) / r - 1, near_isf=lambda q, r: -log(q) / r - 1,
    logsf=lambda k, r: -r * (k + 1), mean=lambda r: 1 / expm1(r), var=lambda r: exp(-r) / tombac.square(expm1(-r)),
    skew=lambda r: 2 * tombac.cosh(r / 2), kurt=lambda r: 4 + 2 * tombac.cosh(r))

boltzmann = Discrete(
    "boltzmann", "discrete exponential distribution of the rate lambda_ below N", "lambda_ N",
    lambda r, n: (0 * (r + n), n - 1 + 0 * r), "cdf(3, 1.0, 4)\narray(1.)",
    allowed=lambda r, n: (r > 0) & (n > 0) & _whole(n), log=lambda k, r, n: log(expm1(-r) / expm1(-r * n)) - r * k,
    cdf=lambda k, r, n: expm1(-r * (k + 1)) / expm1(-r * n),
    sf=lambda k, r, n: exp(-r * (k + 1)) * expm1(-r * (n - 1 - k)) / expm1(-r * n),
    near_ppf=lambda q, r, n: -log1p(q * expm1(-r * n)) / r - 1,
    near_isf=lambda q, r, n: -log(q + (1 - q) * exp(-r * n)) / r - 1)

def _dlaplace_cdf(k, a):
    return where(k >= 0, 1 - exp(-a * (k + 1)) / (1 + exp(-a)), exp(a * k) / (1 + exp(-a)))


def _dlaplace_quantile(q, a):
    least = tombac.ceil(where(q < 1 / (1 + exp(-a)), log(q * (1 + exp(-a))) / a, -log((1 - q) * (1 + exp(-a))) / a - 1))
    return where(_dlaplace_cdf(least - 1, a) >= q, least - 1, least)  # but for rounding


def _dlaplace_upper(q, a):
    mirrored = _dlaplace_quantile(q, a)
    return where(_dlaplace_cdf(mirrored, a) <= q, -mirrored - 1, -mirrored)


dlaplace = Discrete(
    "dlaplace", "discrete Laplace distribution of the rate a", "a", (-INF, INF), "mean(1.0)\narray(0.)",
    log=lambda k, a: log(tombac.tanh(a / 2)) - a * abs(k),
    cdf=_dlaplace_cdf, sf=lambda k, a: _dlaplace_cdf(-k - 1, a), ppf=_dlaplace_quantile, isf=_dlaplace_upper,
    mean=lambda a: 0 * a, var=lambda a: 2 * exp(-a) / tombac.square(expm1(-a)), skew=lambda a: 0 * a,
    kurt=lambda a: 2 + tombac.cosh(a))

yulesimon = Discrete(
    "yulesimon", "Yule's and Simon's distribution of the shape alpha", "alpha", (1, INF), "mean(3.0)\narray(1.5)",
    log=lambda k, a: log(a) + special.betaln(k, a + 1), cdf=lambda k, a: 1 - k * exp(special.betaln(k, a + 1)),
    sf=lambda k, a: k * exp(special.betaln(k, a + 1)), mean=lambda a: where(a > 1, a / (a - 1), INF),
    var=lambda a: where(a > 2, a * a / ((a - 2) * tombac.square(a - 1)), where(a > 1, INF, math.nan)),
    skew=lambda a: where(a > 3, tombac.sqrt(a - 2) * tombac.square(a + 1) / (a * (a - 3)), math.nan),
    kurt=lambda a: where(
        a > 4, a + 3 + (11 * a * a * a - 49 * a - 22) / (a * (a - 4) * (a - 3)), math.nan))


def _zipf_moment(k, a):
    return where(a > k + 1, special.zeta(tombac.maximum(a - k, 1.000001), 1.0) / special.zeta(a, 1.0), INF)


zipf = Discrete(
    "zipf", "Zipf's distribution of the power a", "a", (1, INF), "pmf(1, 2.0).round(4)\narray(0.6079)",
    allowed=lambda a: a > 1, log=lambda k, a: -a * log(k) - log(special.zeta(a, 1.0)),
    cdf=lambda k, a: 1 - special.zeta(a, k + 1) / special.zeta(a, 1.0),
    sf=lambda k, a: special.zeta(a, k + 1) / special.zeta(a, 1.0), raw=_zipf_moment)
