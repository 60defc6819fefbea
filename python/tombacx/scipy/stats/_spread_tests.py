"""Tests of one sample and of several: of spread, of means where variances differ, of normality, and of fit.

Ansari and Bradley, Ann. Math. Statist. 31, 1960; Mood, Ann. Math. Statist. 25, 1954; Alexander and Govern, J. Educ.
Statist. 19, 1994; Royston, Appl. Statist. 44, 1995; Anderson, Ann. Math. Statist. 33, 1962.
"""

import functools
import math

import tombac
from tombac._core import where
from tombac._numpy import np
from tombacx.scipy._host import device, host, scipy_function, scipy_module
from tombacx.scipy.stats._families import chi2, norm
from tombacx.scipy.stats._over import of_any, over
from tombacx.scipy.stats._ranks import SignificanceResult, _runs, rankdata, tail
from tombacx.scipy.stats._sample import documented as _documented
from tombacx.scipy.stats._sample import is_constant
from tombacx.scipy.stats._tests import TestResult
from tombacx.scipy.stats._variances import several

__all__ = ["alexandergovern", "ansari", "cramervonmises_2samp", "mood", "shapiro"]


@_documented
def mood(x, y, axis=0, alternative="two-sided", *, nan_policy="propagate", keepdims=False):
    """Mood's test of whether samples have one spread.

    Args:
        x: The samples: an array of any real dtype.
        y: The other samples, of a shape that broadcasts but for the axis.
        {axis}
        {alternative}
        {nan_policy}
        {keepdims}

    Returns:
        {test}

    Raises:
        {refusals}

    >>> tombacx.scipy.stats.mood(tombac.arange(5.0), tombac.arange(5.0)).statistic.round(6)
    array(0.)
    """
    def compute(x, y):
        m, n = x.shape[-1], y.shape[-1]
        total = m + n
        both = tombac.concatenate([x, y], axis=-1)
        order = tombac.argsort(both, axis=-1, kind="stable")
        first, last = _runs(tombac.take_along_axis(both, order, -1))
        middle = (total + 1) / 2

        def sums(places):  # of squared distances from the middle, of ranks up to places
            k = places.astype("d")
            return k * (k + 1) * (2 * k + 1) / 6 - middle * k * (k + 1) + middle * middle * k

        scores = (sums(last + 1) - sums(first)) / (last - first + 1)
        own = where(order < m, scores, 0.0).sum(axis=-1)
        expected = m * (total * total - 1) / 12
        tied = (scores - (total * total - 1) / 12)
        variance = m * n / (total * (total - 1.0)) * (tied * tied).sum(axis=-1)
        z = (own - expected) / tombac.sqrt(variance)
        return z, tail(z, norm, alternative, "mood")

    return TestResult(*over("mood", (x, y), axis, nan_policy, keepdims, compute,
                            least=lambda m, n: min(m, n) > 0 and m + n > 2))


_MOST_EXACT = 55  # elements, less than which there must be for an exact p-value


@functools.lru_cache(32)
def _ansari_bradley(m, n):
    """The probabilities that the sum of the scores of m elements, of m + n, is at least 0, 1, ..., the greatest + 1."""
    scores = np.minimum(np.arange(1, m + n + 1), np.arange(m + n, 0, -1))
    most = int(np.sort(scores)[n:].sum())
    ways = np.zeros((m + 1, most + 1))  # of so many elements, to such sums
    ways[0, 0] = 1
    for score in scores:
        ways[1:, score:] += ways[:-1, :most + 1 - score].copy()
    above = np.cumsum(ways[m][::-1])[::-1]
    return np.append(above / above[0], 0.0)


def _ansari_approximation(scores, own, m, n):
    """The p-value's normal deviate, for scores with ties too."""
    total = m + n
    middle = (total + 1) ** 2 / (4 * total) if total % 2 else (total + 2) / 4
    variance = m * n * (tombac.square(scores).sum(axis=-1) - total * middle * middle) / (total * max(total - 1, 1))
    return (m * middle - own) / tombac.sqrt(variance)


@_documented
def ansari(x, y, alternative="two-sided", *, axis=0, nan_policy="propagate", keepdims=False):
    """Ansari's and Bradley's test of whether samples have one spread.

    Args:
        x: The samples: an array of any real dtype.
        y: The other samples, of a shape that broadcasts but for the axis.
        {alternative}
        {axis}
        {nan_policy}
        {keepdims}

    Returns:
        {test}

    Raises:
        {refusals}

    The p-value is exact where both samples have less than 55 elements and none are equal, else by a normal
    distribution, as of all samples where elements of any are equal, unless there is NaN.

    >>> tombacx.scipy.stats.ansari(tombac.array([1.0, 2.0, 9.0]), tombac.array([4.0, 5.0])).pvalue
    array(0.4)
    """
    samples = x, y
    if alternative not in ("two-sided", "less", "greater"):
        raise ValueError(f"ansari: alternative must be 'two-sided', 'less' or 'greater', not {alternative!r}")

    def compute(x, y):
        m, n = x.shape[-1], y.shape[-1]
        both = tombac.concatenate([x, y], axis=-1)
        ranks = rankdata(both, axis=-1)
        scores = tombac.minimum(ranks, m + n + 1 - ranks)
        own = scores[..., :m].sum(axis=-1)
        p = tail(_ansari_approximation(scores, own, m, n), norm, alternative, "ansari")
        if max(m, n) < _MOST_EXACT:
            ordered = tombac.sort(both, axis=-1)
            tied = (ordered[..., 1:] == ordered[..., :-1]).any(axis=-1)
            table = tombac.array(_ansari_bradley(m, n))
            place = tombac.clip(where(tombac.isnan(own), 0, tombac.floor(own)), 0, table.size - 2).astype("l")
            at_least, at_most = table[place], 1 - table[place + 1]
            exact = {"less": at_least, "greater": at_most}.get(alternative, tombac.minimum(
                2 * tombac.minimum(at_least, at_most), 1.0))
            p = where(of_any(tied, *samples), p, exact)
        return own, p

    return TestResult(*over("ansari", (x, y), axis, nan_policy, keepdims, compute))


@_documented
def alexandergovern(*samples, nan_policy="propagate", axis=0, keepdims=False):
    """Alexander's and Govern's test of whether normal samples, of any variances, have one mean.

    Args:
        samples: Two or more arrays of any real dtype, whose shapes agree but for the axis.
        {nan_policy}
        {axis}
        {keepdims}

    Returns:
        {test}

    Raises:
        {refusals}

    >>> x = tombac.array([1.0, 2.0, 4.0])
    >>> tombacx.scipy.stats.alexandergovern(x, x).pvalue
    array(1.)
    """
    def compute(*lines):
        counts, means = [x.shape[-1] for x in lines], [x.mean(axis=-1) for x in lines]
        errors = [x.var(axis=-1, ddof=1) / n for x, n in zip(lines, counts, strict=True)]
        errors = [where(is_constant(e, m), np.nan, e) for e, m in zip(errors, means, strict=True)]
        total = sum(1 / e for e in errors)
        middle = sum(m / e for m, e in zip(means, errors, strict=True)) / total
        statistic = 0.0
        for m, e, n in zip(means, errors, counts, strict=True):
            v = n - 1
            a, t = v - 0.5, (m - middle) / tombac.sqrt(e)
            b, c = 48 * a * a, tombac.sqrt(a * tombac.log1p(t * t / v))
            z = c + (c**3 + 3 * c) / b - (4 * c**7 + 33 * c**5 + 240 * c**3 + 855 * c) / (
                10 * b * b + 8 * b * c**4 + 1000 * b)
            statistic = statistic + z * z
        return statistic, chi2.sf(statistic, len(lines) - 1)

    several("alexandergovern", samples)
    return TestResult(*over("alexandergovern", samples, axis, nan_policy, keepdims, compute, least=2, refused=True))


@functools.lru_cache(32)
def _royston_weights(n):
    """Those of the sorted elements, by the approximation of Royston's."""
    norm_ppf = scipy_module("scipy.special", "shapiro").ndtri
    if n == 3:
        return np.array([-0.5**0.5, 0.0, 0.5**0.5])
    m = norm_ppf((np.arange(1, n + 1) - 0.375) / (n + 0.25))
    size, u = m @ m, n**-0.5
    a = m.copy() / size**0.5
    last = np.polyval([-2.706056, 4.434685, -2.071190, -0.147981, 0.221157, 0.0], u) + m[-1] / size**0.5
    if n > 5:
        next_ = np.polyval([-3.582633, 5.682633, -1.752461, -0.293762, 0.042981, 0.0], u) + m[-2] / size**0.5
        scale = (size - 2 * m[-1] ** 2 - 2 * m[-2] ** 2) / (1 - 2 * last**2 - 2 * next_**2)
        a = m / scale**0.5
        a[-2], a[1] = next_, -next_
    else:
        a = m / ((size - 2 * m[-1] ** 2) / (1 - 2 * last**2)) ** 0.5
    a[-1], a[0] = last, -last
    return a


def _royston_tail(short, n):
    """The p-value of what W is short of 1."""
    if n == 3:
        return tombac.clip(6 / np.pi * (tombac.arcsin(tombac.sqrt(1 - short)) - np.arcsin(0.75**0.5)), 0.0, 1.0)
    logs = tombac.log(short)
    if n <= 11:
        gamma = -2.273 + 0.459 * n
        z, beyond = -tombac.log(gamma - logs), logs >= gamma
        mean = np.polyval([-6.714e-4, 0.025054, -0.39978, 0.5440], n)
        spread = np.exp(np.polyval([-0.0020322, 0.062767, -0.77857, 1.3822], n))
        return where(beyond, 1e-99, norm.sf((z - mean) / spread))
    x = np.log(n)
    mean = np.polyval([0.0038915, -0.083751, -0.31082, -1.5861], x)
    spread = np.exp(np.polyval([0.0030302, -0.082676, -0.4803], x))
    return norm.sf((logs - mean) / spread)


@_documented
def shapiro(x, *, axis=None, nan_policy="propagate", keepdims=False):
    """Shapiro's and Wilk's test of whether samples come from a normal distribution, as approximated by Royston.

    Args:
        x: The samples: an array of any real dtype.
        {axis}
        {nan_policy}
        {keepdims}

    Returns:
        {test}

    Raises:
        {refusals}

    >>> tombacx.scipy.stats.shapiro(tombac.arange(9.0)).statistic.round(3)
    array(0.972)
    """
    def compute(x):
        n = x.shape[-1]
        ordered = tombac.sort(x, axis=-1)
        width = ordered[..., -1:] - ordered[..., :1]
        u = (ordered - tombac.median(ordered, axis=-1, keepdims=True)) / where(width == 0, 1.0, width)
        u = u - u.mean(axis=-1, keepdims=True)
        a = tombac.array(_royston_weights(n))
        size, spread, product = (a * a).sum(), (u * u).sum(axis=-1), (a * u).sum(axis=-1)
        root = tombac.sqrt(size * spread)  # of what W is short of 1, by a product that does not cancel
        short = tombac.maximum((root - product) * (root + product) / (size * spread), 0.0)
        same = width[..., 0] < 1e-19
        return where(same, 1.0, 1 - short), where(same | (short == 0), 1.0, _royston_tail(short, n))

    return TestResult(*over("shapiro", (x,), axis, nan_policy, keepdims, compute, least=3, result="d"))


@_documented
def cramervonmises_2samp(x, y, method="auto", *, axis=0, nan_policy="propagate", keepdims=False):
    """Cramer's and von Mises's test of whether two samples come from one distribution.

    Args:
        x: The samples: an array of any real dtype.
        y: The other samples, of a shape that broadcasts but for the axis.
        method: ``"exact"``, ``"asymptotic"``, or ``"auto"``: exact for up to 20 elements.
        {axis}
        {nan_policy}
        {keepdims}

    Returns:
        A result with the attributes ``statistic`` and ``pvalue``, arrays without the axis.

    Raises:
        {refusals}

    Exact p-values are SciPy's, for which ranks go to the host.

    >>> tombacx.scipy.stats.cramervonmises_2samp(tombac.array([1.0, 2.0]), tombac.array([3.0, 4.0])).statistic
    array(0.375)
    """
    if method not in ("auto", "exact", "asymptotic"):
        raise ValueError(f"cramervonmises_2samp: method must be 'auto', 'exact' or 'asymptotic', not {method!r}")

    def compute(x, y):
        m, n = x.shape[-1], y.shape[-1]
        if method == "exact" or (method == "auto" and max(m, n) <= _CRITERION_EXACT):
            ranks = rankdata(tombac.concatenate([x, y], axis=-1), axis=-1)
            found = scipy_function("scipy.stats", "cramervonmises_2samp")(
                host(ranks[..., :m]), host(ranks[..., m:]), method, axis=-1)
            return tuple(tombac.asarray(device(v), "d") for v in (found.statistic, found.pvalue))
        x, y = tombac.sort(x, axis=-1), tombac.sort(y, axis=-1)
        if x.ndim == 1:
            first, second = _twice_ranks(x, y), _twice_ranks(y, x)
        else:
            ranks = 2 * rankdata(tombac.concatenate([x, y], axis=-1), axis=-1)
            first, second = ranks[..., :m], ranks[..., m:]
        u = m * _off_place(first) + n * _off_place(second)
        statistic = u / (float(m * n) * (m + n)) - (4 * m * n - 1) / (6 * (m + n))
        return statistic, _criterion_tail(statistic, m, n)

    return SignificanceResult(*over("cramervonmises_2samp", (x, y), axis, nan_policy, keepdims, compute, least=2,
                                    refused=True))


_CRITERION_EXACT = 20  # elements of either sample


def _twice_ranks(x, y):
    """Twice the ranks of elements of ``x`` among those of both, which are sorted; of equal ones their mean."""
    return sum(tombac.searchsorted(v, x, side=side) for v in (x, y) for side in ("left", "right")) + 1


def _off_place(twice):
    """The sum of squares of how far ranks are from those in the sample alone."""
    return tombac.square(twice - tombac.arange(2.0, 2 * twice.shape[-1] + 1, 2)).sum(axis=-1) / 4


def _criterion_tail(statistic, m, n):
    """The p-value of Cramer's and von Mises's criterion of two samples, brought to the mean and variance of its limit
    (Anderson, Ann. Math. Stat. 33, 1962)."""
    k, total = float(m * n), m + n
    mean = (1 + 1 / total) / 6
    variance = (total + 1) * (4 * k * total - 3 * (m * m + n * n) - 2 * k) / (45 * total**2 * 4 * k)
    x = 1 / 6 + (statistic - mean) / math.sqrt(45 * variance)
    return where(x < _LEAST, 1.0, tombac.maximum(1 - _limit(tombac.clip(x, _LEAST, _MOST)), 0.0))


_LEAST, _MOST = 0.003, 8.0  # between which the limit's distribution function differs from 0 and 1
_STEP = 0.2  # of the sum that K is found by


@functools.cache
def _limit_table():
    """Of the series' terms the exponents' factors, and weights: a row for each term, for what K is the integral of a
    column."""
    k, at = np.arange(14.0), _STEP * np.arange(47)
    order = 4 * k + 1
    half = np.cumprod(np.concatenate([[1.0], (k[1:] - 0.5) / k[1:]])) / np.pi  # (k - 1/2 over k) / pi
    weights = (half * np.sqrt(order))[:, None] * np.cosh(at / 4) * _STEP
    weights[:, 0] /= 2
    return (order**2 / 16)[:, None] * (1 + np.cosh(at)), weights


def _limit(x):
    """The limit's distribution function (Anderson and Darling, Ann. Math. Stat. 23, 1952): a series of Bessel functions
    K of order 1/4, each the integral of exp(-q cosh t) cosh(t / 4), which trapezoids give to all digits."""
    factors, weights = map(tombac.array, _limit_table())
    x = x[..., None, None]
    return (tombac.exp(-factors / x) * weights / tombac.sqrt(x)).sum(axis=(-2, -1))
