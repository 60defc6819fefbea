"""Tests of hypotheses whose statistics are reductions, with p-values by distributions.

Student's, analysis of variance, Pearson's chi-squared, and tests of normality: D'Agostino, Biometrika 57, 1970;
Anscombe and Glynn, Biometrika 70, 1983; D'Agostino and Pearson, Biometrika 60, 1973; Jarque and Bera, Econ. Letters 6,
1980.
"""

import collections

import tombac
from tombac._core import where
from tombac._numpy import np
from tombac._util import check_arrays
from tombacx.scipy.stats._families import chi2, f, norm, t
from tombacx.scipy.stats._moments import kurtosis, skew
from tombacx.scipy.stats._ranks import tail
from tombacx.scipy.stats._sample import Sample
from tombacx.scipy.stats._sample import documented as _documented

__all__ = [
    "chisquare", "f_oneway", "jarque_bera", "kurtosistest", "linregress", "normaltest", "skewtest", "ttest_1samp",
    "ttest_ind", "ttest_rel",
]

TestResult = collections.namedtuple("TestResult", "statistic pvalue")
LinregressResult = collections.namedtuple("LinregressResult", "slope intercept rvalue pvalue stderr")


class TtestResult(collections.namedtuple("TtestResult", "statistic pvalue")):
    """A statistic and its p-value; ``df``: the degrees of freedom."""

    def __new__(cls, statistic, pvalue, df):
        self = super().__new__(cls, statistic, pvalue)
        self.df = df
        return self


def _student(name, difference, error, df, alternative, axis):
    statistic = (difference / error).squeeze(axis)
    df = df.squeeze(axis) if isinstance(df, tombac.ndarray) else df
    return TtestResult(statistic, tail(statistic, t(df), alternative, name), df)


@_documented
def ttest_1samp(a, popmean, axis=0, nan_policy="propagate", alternative="two-sided"):
    """Student's test of whether samples come from a distribution of a given mean.

    Args:
        {a}
        popmean: The mean: a number, or an array that broadcasts with the samples, where the axis has the length 1.
        {axis}
        {nan_policy}
        alternative: Which statistics the p-value is about: ``"two-sided"``, ``"less"`` or ``"greater"``.

    Returns:
        A tuple with the fields ``statistic`` and ``pvalue``, arrays without the axis; its ``df`` is the number of
        degrees of freedom.

    Raises:
        {refusals}

    >>> tombacx.scipy.stats.ttest_1samp(tombac.array([1.0, 2.0, 3.0]), 2.0).pvalue
    array(1.)
    """
    sample = Sample("ttest_1samp", a, axis, nan_policy)
    mean = sample.mean()
    error = tombac.sqrt(sample.variance(1, mean) / sample.n)
    return _student("ttest_1samp", mean - popmean, error, sample.n - 1, alternative, sample.axis)


@_documented
def ttest_ind(a, b, *, axis=0, equal_var=True, nan_policy="propagate", alternative="two-sided"):
    """Student's test of whether two samples come from distributions of one mean.

    Args:
        {a}
        b: The other samples, of a shape that agrees but for the axis.
        {axis}
        equal_var: Whether the variances are taken to be the same; if not, the test is Welch's.
        {nan_policy}
        alternative: Which statistics the p-value is about: ``"two-sided"``, ``"less"`` or ``"greater"``.

    Returns:
        A tuple with the fields ``statistic`` and ``pvalue``, arrays without the axis; its ``df`` is the number of
        degrees of freedom.

    Raises:
        {refusals}

    >>> tombacx.scipy.stats.ttest_ind(tombac.array([1.0, 2.0, 3.0]), tombac.array([3.0, 2.0, 1.0])).pvalue
    array(1.)
    """
    first, second = (Sample("ttest_ind", x, axis, nan_policy) for x in (a, b))
    means = first.mean(), second.mean()
    n1, n2 = first.n, second.n
    if equal_var:
        df = n1 + n2 - 2
        pooled = sum(s.total(tombac.square(s.values - m)) for s, m in zip((first, second), means, strict=True)) / df
        error = tombac.sqrt(pooled / n1 + pooled / n2)
    else:
        s1, s2 = first.variance(1, means[0]) / n1, second.variance(1, means[1]) / n2
        df = tombac.square(s1 + s2) / (s1 * s1 / (n1 - 1) + s2 * s2 / (n2 - 1))
        df = where(tombac.isnan(df), 1.0, df)  # both variances are 0, and so is the error
        error = tombac.sqrt(s1 + s2)
    return _student("ttest_ind", means[0] - means[1], error, df, alternative, first.axis)


@_documented
def ttest_rel(a, b, axis=0, nan_policy="propagate", alternative="two-sided"):
    """Student's test of whether pairs come from distributions of one mean.

    Args:
        {a}
        b: The other elements of the pairs: an array of the same shape.
        {axis}
        {nan_policy}
        alternative: Which statistics the p-value is about: ``"two-sided"``, ``"less"`` or ``"greater"``.

    Returns:
        A tuple with the fields ``statistic`` and ``pvalue``, arrays without the axis; its ``df`` is the number of
        degrees of freedom.

    Raises:
        {refusals}

    >>> tombacx.scipy.stats.ttest_rel(tombac.array([1.0, 2.0, 3.0]), tombac.array([2.0, 1.0, 3.0])).pvalue
    array(1.)
    """
    check_arrays("ttest_rel", a, b)
    if a.shape != b.shape:
        raise ValueError(f"ttest_rel: pairs are of the shapes {a.shape} and {b.shape}")
    return ttest_1samp(a.astype("d") - b if a.dtype.kind in "biu" else a - b, 0.0, axis, nan_policy, alternative)


@_documented
def f_oneway(*samples, axis=0):
    """The analysis of variance: a test of whether samples come from distributions of one mean.

    Args:
        samples: Two samples or more: arrays of any real dtype, whose shapes agree but for the axis.
        {axis}

    Returns:
        A tuple with the fields ``statistic`` and ``pvalue``, arrays without the axis.

    Raises:
        {refusals}

    >>> x = tombac.array([1.0, 2.0, 3.0])
    >>> tombacx.scipy.stats.f_oneway(x, x).pvalue
    array(1.)
    """
    if len(samples) < 2:
        raise ValueError(f"f_oneway: at least 2 samples are expected, not {len(samples)}")
    groups = [Sample("f_oneway", x, axis) for x in samples]
    means = [g.mean() for g in groups]
    n, k = sum(g.n for g in groups), len(groups)
    overall = sum(m * g.n for m, g in zip(means, groups, strict=True)) / n
    between = sum(tombac.square(m - overall) * g.n for m, g in zip(means, groups, strict=True))
    within = sum(g.total(tombac.square(g.values - m)) for m, g in zip(means, groups, strict=True))
    statistic = ((between / (k - 1)) / (within / (n - k))).squeeze(groups[0].axis)
    return TestResult(statistic, f.sf(statistic, k - 1, n - k))


def chisquare(f_obs, f_exp=None, ddof=0, axis=0, *, sum_check=True):
    """Pearson's test of whether frequencies are as expected.

    Args:
        f_obs: The frequencies that were observed: an array.
        f_exp: Those that were expected, of a shape that broadcasts; all alike if None.
        ddof: By how much the degrees of freedom are less than the number of frequencies less 1.
        axis: Along which axis the frequencies lie; None takes all for one sample.
        sum_check: Whether the sums must be the same but for rounding, for which they are looked at.

    Returns:
        A tuple with the fields ``statistic`` and ``pvalue``, arrays without the axis.

    Raises:
        TypeError: The frequencies are no tombac array.
        ValueError: The sums differ.

    >>> tombacx.scipy.stats.chisquare(tombac.array([10, 20, 30])).statistic
    array(10.)
    """
    check_arrays("chisquare", f_obs, *(() if f_exp is None else (f_exp,)))
    observed = f_obs.astype("d", copy=False)
    if axis is None or observed.ndim == 0:
        observed, axis = observed.ravel(), 0
        f_exp = None if f_exp is None else f_exp.ravel()
    if f_exp is None:
        expected = observed.mean(axis=axis, keepdims=True)
    else:
        expected = f_exp.astype("d", copy=False)
        sums = observed.sum(axis=axis), expected.sum(axis=axis)
        apart = abs(sums[0] - sums[1]) / tombac.minimum(*sums)
        if sum_check and (apart > np.sqrt(np.finfo("d").eps)).any():
            raise ValueError("chisquare: the sums of frequencies that were observed and expected differ")
    terms = tombac.square(observed - expected) / expected
    statistic = terms.sum(axis=axis)
    return TestResult(statistic, chi2.sf(statistic, terms.shape[axis] - 1 - ddof))


def _moments(name, a, axis, least):
    """Samples, their axis and how many elements they have: as many NaN as are needed, where there are less."""
    sample = Sample(name, a, axis)
    if sample.n < least:
        shape = list(sample.values.shape)
        shape[sample.axis] = least
        return tombac.full(shape, np.nan, sample.values.dtype), sample.axis, float(least)
    return sample.values, sample.axis, float(sample.n)


def _skewness(a, axis, n):
    y = skew(a, axis) * (((n + 1) * (n + 3)) / (6 * (n - 2))) ** 0.5
    beta2 = 3 * (n * n + 27 * n - 70) * (n + 1) * (n + 3) / ((n - 2) * (n + 5) * (n + 7) * (n + 9))
    w2 = (2 * (beta2 - 1)) ** 0.5 - 1
    return tombac.arcsinh(where(y == 0, 1.0, y) / (2 / (w2 - 1)) ** 0.5) / (np.log(w2) / 2) ** 0.5


def _peakedness(a, axis, n):
    expected = 3 * (n - 1) / (n + 1)
    variance = 24 * n * (n - 2) * (n - 3) / ((n + 1) ** 2 * (n + 3) * (n + 5))
    x = (kurtosis(a, axis, fisher=False) - expected) / variance**0.5
    beta1 = 6 * (n * n - 5 * n + 2) / ((n + 7) * (n + 9)) * (6 * (n + 3) * (n + 5) / (n * (n - 2) * (n - 3))) ** 0.5
    degree = 6 + 8 / beta1 * (2 / beta1 + (1 + 4 / beta1**2) ** 0.5)
    below = 1 + x * (2 / (degree - 4)) ** 0.5
    root = tombac.copysign(tombac.cbrt((1 - 2 / degree) / abs(below)), below)
    return (1 - 2 / (9 * degree) - root) / (2 / (9 * degree)) ** 0.5


@_documented
def skewtest(a, axis=0, *, alternative="two-sided"):
    """D'Agostino's test of whether the skewness is that of a normal distribution.

    Args:
        {a}
        {axis}
        alternative: Which statistics the p-value is about: ``"two-sided"``, ``"less"`` or ``"greater"``.

    Returns:
        A tuple with the fields ``statistic`` and ``pvalue``, arrays without the axis.

    Raises:
        {refusals}

    >>> tombacx.scipy.stats.skewtest(tombac.arange(9.0) ** 2).statistic.round(4)
    array(1.1584)
    """
    z = _skewness(*_moments("skewtest", a, axis, 8))
    return TestResult(z, tail(z, norm, alternative, "skewtest"))


@_documented
def kurtosistest(a, axis=0, *, alternative="two-sided"):
    """Anscombe's and Glynn's test of whether the kurtosis is that of a normal distribution.

    Args:
        {a}
        {axis}
        alternative: Which statistics the p-value is about: ``"two-sided"``, ``"less"`` or ``"greater"``.

    Returns:
        A tuple with the fields ``statistic`` and ``pvalue``, arrays without the axis.

    Raises:
        {refusals}

    >>> tombacx.scipy.stats.kurtosistest(tombac.arange(20.0)).statistic.round(4)
    array(-1.7058)
    """
    z = _peakedness(*_moments("kurtosistest", a, axis, 5))
    return TestResult(z, tail(z, norm, alternative, "kurtosistest"))


@_documented
def normaltest(a, axis=0):
    """D'Agostino's and Pearson's test of whether samples come from a normal distribution.

    Args:
        {a}
        {axis}

    Returns:
        A tuple with the fields ``statistic`` and ``pvalue``, arrays without the axis.

    Raises:
        {refusals}

    >>> tombacx.scipy.stats.normaltest(tombac.arange(20.0)).statistic.round(4)
    array(3.9921)
    """
    sample = _moments("normaltest", a, axis, 8)
    k2 = tombac.square(_skewness(*sample)) + tombac.square(_peakedness(*sample))
    return TestResult(k2, chi2.sf(k2, 2))


@_documented
def jarque_bera(x, *, axis=None):
    """Jarque's and Bera's test of whether samples have the skewness and kurtosis of a normal distribution.

    Args:
        x: The samples: an array of any real dtype.
        {axis}

    Returns:
        A tuple with the fields ``statistic`` and ``pvalue``, arrays without the axis.

    Raises:
        {refusals}

    >>> tombacx.scipy.stats.jarque_bera(tombac.arange(20.0)).statistic.round(4)
    array(1.2121)
    """
    values, axis, n = _moments("jarque_bera", x, axis, 1)
    statistic = n / 6 * (tombac.square(skew(values, axis)) + tombac.square(kurtosis(values, axis)) / 4)
    return TestResult(statistic, chi2.sf(statistic, 2))


def linregress(x, y, alternative="two-sided"):
    """The straight line through points with the least sum of squared distances.

    Args:
        x, y: The points' coordinates: vectors.
        alternative: Which slopes the p-value is about: ``"two-sided"``, ``"less"`` or ``"greater"``.

    Returns:
        A tuple with the fields ``slope``, ``intercept``, ``rvalue``, ``pvalue`` and ``stderr``, arrays without
        dimensions: the line, the correlation, how probable such a slope is without any, and its standard error.

    Raises:
        TypeError: The coordinates are no tombac arrays, or complex with another alternative than ``"two-sided"``.
        ValueError: They are not of one length, or all of x are the same, for which x is looked at, or there is no such
            alternative.

    Of fewer than two points all is NaN. Of complex coordinates the covariance is that of x and conjugate y, as SciPy's
    is.

    >>> tombacx.scipy.stats.linregress(tombac.arange(3.0), tombac.array([1.0, 3.0, 5.0])).slope
    array(2.)
    """
    check_arrays("linregress", x, y)
    if x.ndim > 1 or x.shape != y.shape:
        raise ValueError(f"linregress: two vectors of one length are expected, not of the shapes {x.shape} and "
                         f"{y.shape}")
    n = x.size
    if n < 2:
        return LinregressResult(*(tombac.full((), np.nan) for _ in LinregressResult._fields))
    if (x == x[0]).all():
        raise ValueError("linregress: all elements of x are the same, so that there is no line")
    kind = "D" if "c" in (x.dtype.kind, y.dtype.kind) else "d"
    x, y = x.astype(kind, copy=False), y.astype(kind, copy=False)
    u, v = x - x.mean(), y - y.mean()
    xx, yy, xy = (u * u.conj()).real.mean(), (v * v.conj()).real.mean(), (u * v.conj()).mean()
    slope, r = xy / xx, xy / tombac.sqrt(xx * yy)
    r = where((xx == 0) | (yy == 0), 0.0, r if kind == "D" else tombac.clip(r, -1.0, 1.0))
    if n == 2:
        pvalue, error = where(y[0] == y[1], 1.0, 0.0), 0 * slope
    else:
        statistic = r * tombac.sqrt((n - 2) / ((1 - r + 1e-20) * (1 + r + 1e-20)))
        pvalue = tail(statistic, t(n - 2), alternative, "linregress")
        error = tombac.sqrt((1 - r * r) * yy / xx / (n - 2))
    return LinregressResult(slope, y.mean() - slope * x.mean(), r, pvalue, error)
