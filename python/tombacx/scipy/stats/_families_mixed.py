"""Families that are mixtures: noncentral ones, and differences of Poisson variables. A row for each.

Their functions are sums of those of central families, weighted by a Poisson distribution's probabilities. Nothing in
the sums is negative, so that they are exact where they are small too.
"""

import math

import tombac
from tombac._core import special, where
from tombacx.scipy.stats._distributions import Continuous, Discrete

__all__ = ["ncf", "nct", "ncx2", "rice", "skellam"]

INF, PI = math.inf, math.pi
exp, log, sqrt, square, lgamma = tombac.exp, tombac.log, tombac.sqrt, tombac.square, special.gammaln


# ---- squares of normal variables -------------------------------------------------------------------------------------


def _ncx2_draw(g, size, df, nc):
    return 2 * g.standard_gamma(df / 2 + g.poisson(nc / 2, size), size)


ncx2 = Continuous(
    "ncx2", "noncentral chi-squared distribution of df degrees of freedom and the noncentrality nc", "df nc", (0, INF),
    "mean(3.0, 2.0)\narray(5.)", allowed=lambda df, nc: (df > 0) & tombac.isfinite(df) & (nc >= 0),
    log=special._ncx2_log, cdf=special._ncx2_cdf, sf=special._ncx2_sf, ppf=special._ncx2_ppf, isf=special._ncx2_isf,
    mean=lambda df, nc: df + nc, var=lambda df, nc: 2 * (df + 2 * nc),
    skew=lambda df, nc: math.sqrt(8) * (df + 3 * nc) / (df + 2 * nc) ** 1.5,
    kurt=lambda df, nc: 12 * (df + 4 * nc) / square(df + 2 * nc), rvs=_ncx2_draw)


def _rice_mean(b):
    quarter = b * b / 4
    return math.sqrt(PI / 2) * ((1 + 2 * quarter) * special.i0e(quarter) + 2 * quarter * special.i1e(quarter))


rice = Continuous(
    "rice", "Rice's distribution, of the distance of what is normal in two dimensions from a point b away", "b",
    (0, INF), "sf(0.0, 1.0)\narray(1.)", allowed=lambda b: b >= 0,
    log=lambda x, b: log(x) - square(x - b) / 2 + log(special.i0e(x * b)),
    cdf=lambda x, b: special._ncx2_cdf(x * x, 2.0, b * b), sf=lambda x, b: special._ncx2_sf(x * x, 2.0, b * b),
    ppf=lambda q, b: sqrt(special._ncx2_ppf(q, 2.0, b * b)), isf=lambda q, b: sqrt(special._ncx2_isf(q, 2.0, b * b)),
    mean=_rice_mean, var=lambda b: 2 + b * b - square(_rice_mean(b)),
    rvs=lambda g, size, b: tombac.hypot(g.standard_normal(size) + b, g.standard_normal(size)))


# ---- quotients -------------------------------------------------------------------------------------------------------


ncf = Continuous(
    "ncf", "noncentral F distribution of dfn and dfd degrees of freedom and the noncentrality nc", "dfn dfd nc",
    (0, INF), "mean(2.0, 4.0, 2.0)\narray(4.)", allowed=lambda m, n, nc: (m > 0) & (n > 0) & (nc >= 0),
    log=special._ncf_log, cdf=special._ncf_cdf, sf=special._ncf_sf, ppf=special._ncf_ppf, isf=special._ncf_isf,
    raw=lambda k, m, n, nc: where(n > 2 * k, _ncx2_raw(k, m, nc) * (n / m) ** k * _inverse_raw(k, n), INF),
    rvs=lambda g, size, m, n, nc: _ncx2_draw(g, size, m, nc) / m / (2 * g.standard_gamma(n / 2, size) / n))


def _ncx2_raw(k, m, nc):
    """By the recurrence of moments about 0."""
    moments = [1.0]
    for n in range(1, k + 1):
        moments.append(sum(math.factorial(n - 1) / math.factorial(n - j) * 2 ** (j - 1) * (m + j * nc) * moments[n - j]
                           for j in range(1, n + 1)))
    return moments[k]


def _inverse_raw(k, n):
    product = 1.0
    for i in range(1, k + 1):
        product = product * tombac.maximum(n - 2 * i, 1e-9)
    return 1 / product


def _nct_raw(k, df, nc):
    square_ = nc * nc
    polynomial = (nc, 1 + square_, nc * (3 + square_), 3 + square_ * (6 + square_))[k - 1]
    ratio = exp(lgamma(tombac.maximum(df - k, 1e-9) / 2) - lgamma(df / 2))
    return where(df > k, (df / 2) ** (k / 2) * ratio * polynomial, INF if k == 2 else math.nan)


nct = Continuous(
    "nct", "noncentral t distribution of df degrees of freedom and the noncentrality nc", "df nc", (-INF, INF),
    "cdf(0.0, 3.0, 0.0)\narray(0.5)", allowed=lambda df, nc: (df > 0) & tombac.isfinite(nc), log=special._nct_log,
    cdf=lambda x, df, nc: special._nct_cdf(df, nc, x), sf=lambda x, df, nc: special._nct_cdf(df, -nc, -x),
    ppf=special._nct_ppf, isf=lambda q, df, nc: -special._nct_ppf(q, df, -nc), raw=_nct_raw,
    rvs=lambda g, size, df, nc: (g.standard_normal(size) + nc) / sqrt(2 * g.standard_gamma(df / 2, size) / df))


# ---- differences -----------------------------------------------------------------------------------------------------


def _skellam_log(k, m, n):
    """By the noncentral chi-squared density: both are the modified Bessel function of the order |k|."""
    more, less = where(k >= 0, m, n), where(k >= 0, n, m)
    return special._ncx2_log(2 * more, 2 * (abs(k) + 1), 2 * less) + math.log(2)


def _skellam_cdf(k, m, n):
    """By the noncentral chi-squared distribution (N. L. Johnson, "On an extension of the connexion between Poisson and
    chi-squared distributions", 1959)."""
    right = k >= 0  # of 0, which the other side takes, tails take no time
    return where(right, special._ncx2_sf(where(right, 2 * m, 0.0), 2 * tombac.maximum(k + 1, 1.0), 2 * n),
                 special._ncx2_cdf(where(right, 0.0, 2 * n), 2 * tombac.maximum(-k, 1.0), 2 * m))


def _skellam_least(m, n, reached):
    """The least number that is reached, by bisection between numbers that are as good as impossible."""
    middle, reach = m - n, 40 * sqrt(m + n) + 800
    reach = where(reach < INF, reach, 800.0)
    low, high = tombac.floor(middle - reach), tombac.ceil(middle + reach)
    for _ in range(math.ceil(math.log2(2 * float(reach.max().item()) + 2)) + 1):
        half = tombac.floor((low + high) / 2)
        yes = reached(half)
        low, high = where(yes, low, half), where(yes, half, high)
    return high


skellam = Discrete(
    "skellam", "distribution of the difference of two Poisson variables of the means mu1 and mu2", "mu1 mu2",
    (-INF, INF), "mean(3.0, 1.0)\narray(2.)", log=_skellam_log, cdf=_skellam_cdf,
    sf=lambda k, m, n: _skellam_cdf(-k - 1, n, m),
    ppf=lambda q, m, n: _skellam_least(m, n, lambda k: _skellam_cdf(k, m, n) >= q),
    isf=lambda q, m, n: _skellam_least(m, n, lambda k: _skellam_cdf(-k - 1, n, m) <= q),
    mean=lambda m, n: m - n, var=lambda m, n: m + n, skew=lambda m, n: (m - n) / (m + n) ** 1.5,
    kurt=lambda m, n: 1 / (m + n), rvs=lambda g, size, m, n: g.poisson(m, size) - g.poisson(n, size))
