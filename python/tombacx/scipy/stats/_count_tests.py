"""Tests by counts of what is on one side: of successes, of elements below a quantile, of elements above a median.

Wilson, J. Am. Stat. Assoc. 22, 1927; Newcombe, Statist. Med. 17, 1998 (intervals of proportions); Conover, Practical
Nonparametric Statistics, 1999; Page, J. Am. Stat. Assoc. 58, 1963.
"""

import collections
import functools
import itertools
import math
import numbers

import tombac
from tombac._core import _on_host, where
from tombac._numpy import np
from tombac._util import check_arrays
from tombacx.scipy.stats._contingency import chi2_contingency
from tombacx.scipy.stats._families import beta, binom, norm
from tombacx.scipy.stats._over import check_policy, check_real
from tombacx.scipy.stats._ranks import rankdata
from tombacx.scipy.stats._relations import ConfidenceInterval
from tombacx.scipy.stats._sample import documented as _documented

__all__ = ["binomtest", "median_test", "page_trend_test", "quantile_test"]

MedianTestResult = collections.namedtuple("MedianTestResult", "statistic pvalue median table")
PageTrendTestResult = collections.namedtuple("PageTrendTestResult", "statistic pvalue method")


def _check_alternative(name, alternative):
    if alternative not in ("two-sided", "less", "greater"):
        raise ValueError(f"{name}: alternative must be 'two-sided', 'less' or 'greater', not {alternative!r}")


def _check_level(name, level):
    if not 0 <= level <= 1:
        raise ValueError(f"{name}: confidence_level must be from 0 to 1, not {level!r}")


# ---- proportions -----------------------------------------------------------------------------------------------------


class BinomTestResult:
    """``statistic``, the part of successes; ``pvalue``, an array without dimensions; ``k``, ``n``, ``alternative``."""

    def __init__(self, k, n, alternative, pvalue):
        self.k, self.n, self.alternative, self.statistic, self.pvalue = k, n, alternative, k / n, pvalue

    @property
    def proportion_estimate(self):
        """The part of successes, under the name that it had before."""
        return self.statistic

    def __repr__(self):
        return (f"BinomTestResult(k={self.k}, n={self.n}, alternative={self.alternative!r}, "
                f"statistic={self.statistic!r}, pvalue={self.pvalue!r})")

    def proportion_ci(self, confidence_level=0.95, method="exact"):
        """Where the part is: a tuple with the fields ``low`` and ``high``, numbers; also by Wilson's formulas."""
        if method not in ("exact", "wilson", "wilsoncc"):
            raise ValueError(f"binomtest: method must be 'exact', 'wilson' or 'wilsoncc', not {method!r}")
        _check_level("binomtest", confidence_level)
        tail = (1 - confidence_level) / (2 if self.alternative == "two-sided" else 1)
        low, high = (self._exact if method == "exact" else self._wilson)(tail, method == "wilsoncc")
        return ConfidenceInterval(0.0 if self.alternative == "less" else low,
                                  1.0 if self.alternative == "greater" else high)

    def _exact(self, tail, _):
        k, n = self.k, self.n
        return (beta.ppf(tail, k, n - k + 1).item() if k else 0.0,
                beta.ppf(1 - tail, k + 1, n - k).item() if k < n else 1.0)

    def _wilson(self, tail, corrected):
        n, p, z = self.n, self.statistic, norm.isf(tail).item()
        middle, width = 2 * n * p + z * z, 2 * (n + z * z)

        def reach(sign):
            if not corrected:
                return z * math.sqrt(z * z + 4 * n * p * (1 - p))
            return 1 + z * math.sqrt(z * z - sign * 2 - 1 / n + 4 * p * (n * (1 - p) + sign))

        return (0.0 if self.k == 0 else (middle - reach(1)) / width,
                1.0 if self.k == n else (middle + reach(-1)) / width)


def _whole(name, what, value, least):
    value = _on_host(value)
    if not isinstance(value, (int, np.integer)):
        raise TypeError(f"{name}: {what} must be a whole number, not {value!r}")
    if value < least:
        raise ValueError(f"{name}: {what} must be {least} or greater, not {value!r}")
    return int(value)


def binomtest(k, n, p=0.5, alternative="two-sided"):
    """A test of whether successes have a probability.

    Args:
        k: The number of successes.
        n: The number of trials.
        p: The probability.
        alternative: Which numbers of successes the p-value is about: ``"two-sided"``, all that are not more probable;
            ``"less"`` or ``"greater"``.

    Returns:
        A result with the attributes ``statistic``, the part of successes, and ``pvalue``, an array without dimensions,
        and the method ``proportion_ci``.

    Raises:
        TypeError: A number is not whole.
        ValueError: A number is negative, there are more successes than trials, ``p`` is not from 0 to 1, or there is no
            such alternative.

    >>> tombacx.scipy.stats.binomtest(3, 10, 0.5).pvalue
    array(0.34375)
    """
    k, n = _whole("binomtest", "k", k, 0), _whole("binomtest", "n", n, 1)
    if k > n:
        raise ValueError(f"binomtest: k, {k}, must not be greater than n, {n}")
    if not 0 <= p <= 1:
        raise ValueError(f"binomtest: p must be from 0 to 1, not {p!r}")
    _check_alternative("binomtest", alternative)
    if alternative == "less":
        pvalue = binom.cdf(k, n, p)
    elif alternative == "greater":
        pvalue = binom.sf(k - 1, n, p)
    else:
        each, own = binom.pmf(tombac.arange(n + 1), n, p), binom.pmf(k, n, p)
        pvalue = where(each <= own * (1 + 1e-7), each, 0.0).sum()
    return BinomTestResult(k, n, alternative, tombac.minimum(pvalue, 1.0))


class QuantileTestResult:
    """``statistic``, a number of elements, of which of two ``statistic_type`` says, and ``pvalue``."""

    def __init__(self, statistic, statistic_type, pvalue, alternative, ordered, p):
        self.statistic, self.statistic_type, self.pvalue = statistic, statistic_type, pvalue
        self._about = alternative, ordered, p

    def __repr__(self):
        return (f"QuantileTestResult(statistic={self.statistic}, statistic_type={self.statistic_type}, "
                f"pvalue={self.pvalue!r})")

    def confidence_interval(self, confidence_level=0.95):
        """Where the quantile is: a tuple with the fields ``low`` and ``high``, arrays without dimensions."""
        _check_level("quantile_test", confidence_level)
        alternative, ordered, p = self._about
        n, tail = ordered.size, (1 - confidence_level) / (2 if alternative == "two-sided" else 1)
        least, most = (int(v) for v in tombac.stack([binom.ppf(tail, n, p), binom.isf(tail, n, p)]).tolist())

        def element(i):
            return ordered[i] if 0 <= i < n else tombac.full((), np.nan)

        return ConfidenceInterval(tombac.full((), -np.inf) if alternative == "less" else element(least - 1),
                                  tombac.full((), np.inf) if alternative == "greater" else element(most))


def quantile_test(x, *, q=0, p=0.5, alternative="two-sided"):
    """A test of whether a number is a quantile of what a sample comes from.

    Args:
        x: The sample: a vector of any real dtype.
        q: The number.
        p: The probability of what is not above the quantile.
        alternative: Which quantiles the p-value is about: ``"two-sided"``, ``"less"`` or ``"greater"`` than ``q``.

    Returns:
        A result with the attributes ``statistic``, a number of elements, ``statistic_type`` and ``pvalue``, an array
        without dimensions, and the method ``confidence_interval``. The statistic of the type 1 is how many elements
        are not above ``q``, that of the type 2 how many are below.

    Raises:
        TypeError: The sample is no tombac array, or complex.
        ValueError: It is no vector, ``q`` is no number, ``p`` is not between 0 and 1, or there is no such alternative.

    >>> tombacx.scipy.stats.quantile_test(tombac.arange(10.0), q=4.5).statistic
    5
    """
    check_real("quantile_test", x)
    if x.ndim != 1:
        raise ValueError(f"quantile_test: a vector is expected, not an array of {x.ndim} dimensions")
    q, p = _on_host((q, p))
    if not isinstance(q, numbers.Real):
        raise ValueError(f"quantile_test: q must be a number, not {q!r}")
    if not isinstance(p, numbers.Real) or not 0 < p < 1:
        raise ValueError(f"quantile_test: p must be between 0 and 1, not {p!r}")
    _check_alternative("quantile_test", alternative)
    up_to, below = tombac.stack([(x <= q).sum(), (x < q).sum()]).tolist()
    less, greater = binom.sf(below - 1, x.size, p), binom.cdf(up_to, x.size, p)
    kind, pvalue = {"less": (2, less), "greater": (1, greater)}.get(alternative, (None, None))
    if kind is None:
        kind = 1 if greater.item() <= less.item() else 2
        pvalue = tombac.minimum(2 * tombac.minimum(less, greater), 1.0)
    return QuantileTestResult(up_to if kind == 1 else below, kind, pvalue, alternative, tombac.sort(x), p)


# ---- medians and trends ----------------------------------------------------------------------------------------------

_TIES = ("below", "above", "ignore")


@_documented
def median_test(*samples, ties="below", correction=True, lambda_=1, nan_policy="propagate"):
    """Mood's test of whether samples come from distributions of one median.

    Args:
        samples: Two vectors or more, of any real dtype.
        ties: Where elements count that equal the median of all: ``"below"``, ``"above"``, or nowhere: ``"ignore"``.
        correction: Whether Yates's correction is made for two samples.
        lambda_: Which statistic, as that of power_divergence.
        {nan_policy}

    Returns:
        A tuple with the fields ``statistic`` and ``pvalue``, arrays without dimensions, ``median``, that of all, and
        ``table``, an array of how many elements of each sample are above it, and below; None where there is NaN.

    Raises:
        {refusals}

    Samples and the table are looked at.

    >>> x = tombac.arange(9.0)
    >>> tombacx.scipy.stats.median_test(x, x + 4).table
    array([[2, 6],
           [7, 3]])
    """
    check_policy("median_test", nan_policy)
    if len(samples) < 2:
        raise ValueError("median_test: two samples or more are expected")
    if ties not in _TIES:
        raise ValueError(f"median_test: ties must be one of {', '.join(map(repr, _TIES))}, not {ties!r}")
    check_real("median_test", *samples)
    for x in samples:
        if x.ndim != 1 or x.size == 0:
            raise ValueError(f"median_test: samples must be vectors with elements, not of shape {x.shape}")
    bad = [tombac.isnan(x) for x in samples]
    if bool(tombac.concatenate(bad).any()):
        if nan_policy == "raise":
            raise ValueError("median_test: the samples contain NaN")
        if nan_policy == "propagate":
            return MedianTestResult(*(tombac.full((), np.nan) for _ in range(3)), None)
        samples = [x[~b] for x, b in zip(samples, bad, strict=True)]
    middle = tombac.median(tombac.concatenate(samples))
    above = tombac.stack([(x > middle).sum() for x in samples])
    below = tombac.stack([(x < middle).sum() for x in samples])
    equal = tombac.array([x.size for x in samples]) - above - below
    if ties == "below":
        below = below + equal
    elif ties == "above":
        above = above + equal
    table = tombac.stack([above, below])
    rows, columns = table.sum(axis=1).tolist(), table.sum(axis=0).tolist()
    if 0 in rows:
        raise ValueError(f"median_test: all elements count as {('below', 'above')[rows.index(0)]} the median")
    if 0 in columns:
        raise ValueError(f"median_test: all elements of sample {columns.index(0) + 1} equal the median, and do not "
                         "count")
    found = chi2_contingency(table, correction, lambda_)
    return MedianTestResult(found.statistic, found.pvalue, middle, table)


@functools.lru_cache(32)
def _page_distribution(m, n):
    """The least sum of products of m rows, and the probabilities that it is at least that, at least one more, ..."""
    places = np.arange(1, n + 1)
    sums = np.array(list(itertools.permutations(range(1, n + 1)))) @ places
    least = int(sums.min())
    row = np.bincount(sums - least) / len(sums)
    p = np.ones(1)
    for _ in range(m):
        p = np.convolve(p, row)
    return m * least, np.append(np.cumsum(p[::-1])[::-1], 0.0)


def page_trend_test(data, ranked=False, predicted_ranks=None, method="auto"):
    """Page's test of whether treatments have effects in a predicted order.

    Args:
        data: The observations: a matrix with a row for each subject and a column for each treatment.
        ranked: Whether they are ranks within rows already.
        predicted_ranks: The order of the columns: their ranks; as they are if None.
        method: ``"asymptotic"``, ``"exact"``, or ``"auto"``: exact for up to 8 columns and 12 rows, or 3 columns and 20
            rows.

    Returns:
        A tuple with the fields ``statistic`` and ``pvalue``, arrays without dimensions, and ``method``.

    Raises:
        TypeError: The observations are no tombac array, or complex.
        ValueError: There are less than two rows or three columns, ranks that are none, for which they are looked at, or
            no such method.

    >>> x = tombac.array([[1.0, 2.0, 3.0], [1.0, 3.0, 2.0]])
    >>> tombacx.scipy.stats.page_trend_test(x).statistic
    array(27.)
    """
    check_arrays("page_trend_test", data)
    check_real("page_trend_test", data)
    if method not in ("auto", "asymptotic", "exact"):
        raise ValueError(f"page_trend_test: method must be 'auto', 'asymptotic' or 'exact', not {method!r}")
    if data.ndim != 2 or data.shape[0] < 2 or data.shape[1] < 3:
        raise ValueError("page_trend_test: a matrix with two rows and three columns or more is expected, not an array "
                         f"of shape {data.shape}")
    m, n = data.shape
    ranks = rankdata(data, axis=1)
    if ranked and bool((ranks != data).any()):
        raise ValueError("page_trend_test: data are no ranks within rows")
    if predicted_ranks is None:
        predicted = tombac.arange(1.0, n + 1)
    else:
        predicted = tombac.asarray(predicted_ranks, "d")
        if predicted.shape != (n,) or sorted(predicted.tolist()) != list(range(1, n + 1)):
            raise ValueError(f"page_trend_test: predicted_ranks must be the whole numbers from 1 to {n} in some order")
    if method == "auto":
        method = "asymptotic" if n > 8 or (m > 12 and n > 3) or m > 20 else "exact"
    statistic = (ranks * predicted).sum()
    if method == "asymptotic":
        mean, variance = m * n * (n + 1) ** 2 / 4, m * n * n * (n + 1) * (n * n - 1) / 144
        return PageTrendTestResult(statistic, norm.sf((statistic - mean) / math.sqrt(variance)), method)
    least, table = _page_distribution(m, n)
    place = tombac.floor(where(tombac.isnan(statistic), least, statistic)) - least
    at_least = tombac.array(table)[tombac.clip(place, 0, len(table) - 1).astype("l")]
    return PageTrendTestResult(statistic, where(tombac.isnan(statistic), np.nan, at_least), method)
