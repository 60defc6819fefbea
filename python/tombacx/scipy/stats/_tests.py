"""Tests of hypotheses whose statistics are reductions, with p-values by distributions.

Student's, analysis of variance, and tests of normality: D'Agostino, Biometrika 57, 1970;
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
from tombacx.scipy.stats._over import confidence_interval, over
from tombacx.scipy.stats._ranks import tail
from tombacx.scipy.stats._relations import ConfidenceInterval
from tombacx.scipy.stats._sample import Sample, promoted
from tombacx.scipy.stats._sample import documented as _documented

__all__ = [
    "f_oneway", "jarque_bera", "kurtosistest", "linregress", "normaltest", "skewtest", "ttest_1samp",
    "ttest_ind", "ttest_rel",
]

TestResult = collections.namedtuple("TestResult", "statistic pvalue")


class LinregressResult(collections.namedtuple("LinregressResult", "slope intercept rvalue pvalue stderr")):
    """A line; ``intercept_stderr``: the standard error of the intercept."""

    def __new__(cls, slope, intercept, rvalue, pvalue, stderr, intercept_stderr):
        self = super().__new__(cls, slope, intercept, rvalue, pvalue, stderr)
        self.intercept_stderr = intercept_stderr
        return self

    def __getnewargs__(self):
        return *self, self.intercept_stderr


class TtestResult(collections.namedtuple("TtestResult", "statistic pvalue")):
    """A statistic and its p-value; ``df``: the degrees of freedom."""

    def __new__(cls, statistic, pvalue, df, estimate, error, alternative):
        self = super().__new__(cls, statistic, pvalue)
        self.df, self._about = df, (estimate, error, t(df), alternative)
        return self

    def __getnewargs__(self):
        estimate, error, _, alternative = self._about
        return *self, self.df, estimate, error, alternative

    def confidence_interval(self, confidence_level=0.95):
        """Where the mean is, or the difference of means: a tuple with the fields ``low`` and ``high``."""
        ends = confidence_interval(*self._about, confidence_level)
        return ConfidenceInterval(*(end.astype(self.statistic.dtype, copy=False) for end in ends))


def _student(name, sample, estimate, error, df, alternative, keepdims, expected=0.0):
    statistic, estimate, error = (sample.result(x, keepdims) for x in ((estimate - expected) / error, estimate, error))
    df = sample.result(df, keepdims) if isinstance(df, tombac.ndarray) else df
    pvalue = tail(statistic, t(df), alternative, name)
    if statistic.dtype != "d":  # distributions compute in double precision, tests have their samples'
        pvalue = pvalue.astype("f")
    return TtestResult(statistic, pvalue, df, estimate, error, alternative)


def _check(name, alternative):
    if alternative not in ("two-sided", "less", "greater"):
        raise ValueError(f"{name}: alternative must be 'two-sided', 'less' or 'greater', not {alternative!r}")


@_documented
def ttest_1samp(a, popmean, axis=0, nan_policy="propagate", alternative="two-sided", *, keepdims=False):
    """Student's test of whether samples come from a distribution of a given mean.

    Args:
        {a}
        popmean: The mean: a number, or an array that broadcasts with the samples, where the axis has the length 1.
        {axis}
        {nan_policy}
        {keepdims}
        {alternative}

    Returns:
        A tuple with the fields ``statistic`` and ``pvalue``, arrays without the axis; its ``df`` is the number of
        degrees of freedom.

    Raises:
        {refusals}

    >>> tombacx.scipy.stats.ttest_1samp(tombac.array([1.0, 2.0, 3.0]), 2.0).pvalue
    array(1.)
    """
    _check("ttest_1samp", alternative)
    sample = Sample("ttest_1samp", a, axis, nan_policy)
    mean = sample.mean()
    error = tombac.sqrt(sample.variance(1, mean) / sample.n)
    return _student("ttest_1samp", sample, mean, error, sample.n - 1, alternative, keepdims, popmean)


@_documented
def ttest_ind(a, b, *, axis=0, equal_var=True, nan_policy="propagate", alternative="two-sided", trim=0, method=None,
              keepdims=False):
    """Student's test of whether two samples come from distributions of one mean.

    Args:
        {a}
        b: The other samples, of a shape that agrees but for the axis.
        {axis}
        equal_var: Whether the variances are taken to be the same; if not, the test is Welch's.
        {nan_policy}
        {alternative}
        trim: Which part of the elements is cut off at either end, from 0 to less than 1/2: the test is Yuen's.
        method: How the p-value is found: a PermutationMethod, or a MonteCarloMethod; by Student's distribution if None.
        {keepdims}

    Returns:
        A tuple with the fields ``statistic`` and ``pvalue``, arrays without the axis; its ``df`` is the number of
        degrees of freedom.

    Raises:
        {refusals}

    >>> tombacx.scipy.stats.ttest_ind(tombac.array([1.0, 2.0, 3.0]), tombac.array([3.0, 2.0, 1.0])).pvalue
    array(1.)
    """
    _check("ttest_ind", alternative)
    check_arrays("ttest_ind", a, b)
    if not 0 <= trim < 0.5:
        raise ValueError(f"ttest_ind: trim must be from 0 to less than 0.5, not {trim!r}")
    if trim or method is not None:
        return _of_lines(a, b, axis, equal_var, nan_policy, alternative, trim, method, keepdims)
    first, second = (Sample("ttest_ind", x, axis, nan_policy) for x in promoted(a, b))
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
    return _student("ttest_ind", first, means[0] - means[1], error, df, alternative, keepdims)


def _of_lines(a, b, axis, equal_var, nan_policy, alternative, trim, method, keepdims):
    """ttest_ind of samples that are trimmed (Yuen, Biometrika 61, 1974), or by samples that are drawn anew."""
    from tombacx.scipy.stats._resampling import resampled_test

    def compute(x, y):
        estimate, error, df = _yuen(x, y, trim, equal_var)
        statistic = estimate / error
        if method is None:
            pvalue = tail(statistic, t(df), alternative, "ttest_ind")
        else:
            _, pvalue = resampled_test("ttest_ind", method, (x, y), ratio, alternative, "independent")
        return statistic, pvalue, tombac.broadcast_to(tombac.asarray(df, "d"), statistic.shape), estimate, error

    def ratio(x, y):
        estimate, error, _ = _yuen(x, y, trim, equal_var)
        return estimate / error

    found = over("ttest_ind", (a, b), axis, nan_policy, keepdims, compute, results=5)
    return TtestResult(*found, alternative)


def _yuen(x, y, trim, equal_var):
    """The difference of trimmed means, its standard error, and the degrees of freedom."""
    (m1, square1, n1), (m2, square2, n2) = (_trimmed(v, trim) for v in (x, y))
    if equal_var:
        df = n1 + n2 - 2
        return m1 - m2, tombac.sqrt((square1 + square2) / df * (1 / n1 + 1 / n2)), df
    s1, s2 = square1 / tombac.maximum(n1 - 1, 0.0) / n1, square2 / tombac.maximum(n2 - 1, 0.0) / n2
    df = tombac.square(s1 + s2) / (s1 * s1 / (n1 - 1) + s2 * s2 / (n2 - 1))
    return m1 - m2, tombac.sqrt(s1 + s2), where(tombac.isnan(df), 1.0, df)


def _trimmed(x, trim):
    """The mean of what is left; the sum of squares about the mean, the rest being as its nearest element; and how many
    are left."""
    n = x.shape[-1]
    gone = int(n * trim)
    if gone:
        x = tombac.sort(x, axis=-1)
        kept = x[..., gone:n - gone]
        x = tombac.clip(x, kept[..., :1], kept[..., -1:])
    else:
        kept = x
    left = tombac.full((), float(n - 2 * gone))  # an array, divisions by which are no errors
    middle = x.mean(axis=-1, keepdims=True) if n - 2 * gone > 1 else kept  # rounding makes no spread of one element
    return kept.mean(axis=-1), tombac.square(x - middle).sum(axis=-1), left


@_documented
def ttest_rel(a, b, axis=0, nan_policy="propagate", alternative="two-sided", *, keepdims=False):
    """Student's test of whether pairs come from distributions of one mean.

    Args:
        {a}
        b: The other elements of the pairs: an array of the same shape.
        {axis}
        {nan_policy}
        {keepdims}
        {alternative}

    Returns:
        A tuple with the fields ``statistic`` and ``pvalue``, arrays without the axis; its ``df`` is the number of
        degrees of freedom.

    Raises:
        {refusals}

    >>> tombacx.scipy.stats.ttest_rel(tombac.array([1.0, 2.0, 3.0]), tombac.array([2.0, 1.0, 3.0])).pvalue
    array(1.)
    """
    check_arrays("ttest_rel", a, b)
    try:
        np.broadcast_shapes(a.shape, b.shape)
    except ValueError:
        raise ValueError(f"ttest_rel: pairs are of the shapes {a.shape} and {b.shape}") from None
    a, b = promoted(a, b)
    return ttest_1samp(a - b, 0.0, axis, nan_policy, alternative, keepdims=keepdims)


@_documented
def f_oneway(*samples, axis=0, equal_var=True, nan_policy="propagate", keepdims=False):
    """The analysis of variance: a test of whether samples come from distributions of one mean.

    Args:
        samples: Two samples or more: arrays of any real dtype, whose shapes agree but for the axis.
        {axis}
        equal_var: Whether the variances are taken to be the same; if not, the test is Welch's.
        {nan_policy}
        {keepdims}

    Returns:
        {test}

    Raises:
        {refusals}

    >>> x = tombac.array([1.0, 2.0, 3.0])
    >>> tombacx.scipy.stats.f_oneway(x, x).pvalue
    array(1.)
    """
    def compute(*lines):
        k, counts = len(lines), [x.shape[-1] for x in lines]
        means, n = [x.mean(axis=-1) for x in lines], sum(counts)
        if not equal_var:
            return _welch(lines, means)
        overall = sum(m * count for m, count in zip(means, counts, strict=True)) / n
        between = sum(tombac.square(m - overall) * count for m, count in zip(means, counts, strict=True))
        within = sum(tombac.square(x - m[..., None]).sum(axis=-1) for x, m in zip(lines, means, strict=True))
        same = tombac.stack([(x == x[..., :1]).all(axis=-1) for x in lines]).all(axis=0)  # each, but for rounding
        within = where(same, 0.0, within)
        equal = same & tombac.stack([x[..., 0] == lines[0][..., 0] for x in lines]).all(axis=0)
        statistic = (where(equal, 0.0, between) / (k - 1)) / (within / (n - k))
        return statistic, f.sf(statistic, k - 1, n - k)

    if len(samples) < 2:
        raise ValueError(f"f_oneway: at least 2 samples are expected, not {len(samples)}")
    return TestResult(*over("f_oneway", samples, axis, nan_policy, keepdims, compute,
                            least=lambda *sizes: min(sizes) > 0 and max(sizes) > 1))


def _welch(lines, means):
    """Where variances differ: Welch, Biometrika 38, 1951."""
    k = len(lines)
    weights = [x.shape[-1] / x.var(axis=-1, ddof=1) for x in lines]
    total = sum(weights)
    middle = sum(w * m for w, m in zip(weights, means, strict=True)) / total
    between = sum(w * tombac.square(m - middle) for w, m in zip(weights, means, strict=True)) / (k - 1)
    left = sum(tombac.square(1 - w / total) / (x.shape[-1] - 1) for w, x in zip(weights, lines, strict=True))
    statistic = between / (1 + 2 * (k - 2) * left / (k * k - 1))
    return statistic, f.sf(statistic, k - 1, (k * k - 1) / (3 * left))


def _skewness(a):
    n = float(a.shape[-1])
    y = skew(a, -1) * (((n + 1) * (n + 3)) / (6 * (n - 2))) ** 0.5
    beta2 = 3 * (n * n + 27 * n - 70) * (n + 1) * (n + 3) / ((n - 2) * (n + 5) * (n + 7) * (n + 9))
    w2 = (2 * (beta2 - 1)) ** 0.5 - 1
    return tombac.arcsinh(where(y == 0, 1.0, y) / (2 / (w2 - 1)) ** 0.5) / (np.log(w2) / 2) ** 0.5


def _peakedness(a):
    n = float(a.shape[-1])
    expected = 3 * (n - 1) / (n + 1)
    variance = 24 * n * (n - 2) * (n - 3) / ((n + 1) ** 2 * (n + 3) * (n + 5))
    x = (kurtosis(a, -1, fisher=False) - expected) / variance**0.5
    beta1 = 6 * (n * n - 5 * n + 2) / ((n + 7) * (n + 9)) * (6 * (n + 3) * (n + 5) / (n * (n - 2) * (n - 3))) ** 0.5
    degree = 6 + 8 / beta1 * (2 / beta1 + (1 + 4 / beta1**2) ** 0.5)
    below = 1 + x * (2 / (degree - 4)) ** 0.5
    root = tombac.copysign(tombac.cbrt((1 - 2 / degree) / abs(below)), below)
    return (1 - 2 / (9 * degree) - root) / (2 / (9 * degree)) ** 0.5


@_documented
def skewtest(a, axis=0, nan_policy="propagate", alternative="two-sided", *, keepdims=False):
    """D'Agostino's test of whether the skewness is that of a normal distribution.

    Args:
        {a}
        {axis}
        {nan_policy}
        {alternative}
        {keepdims}

    Returns:
        {test}

    Raises:
        {refusals}

    >>> tombacx.scipy.stats.skewtest(tombac.arange(9.0) ** 2).statistic.round(4)
    array(1.1584)
    """
    def compute(x):
        z = _skewness(x)
        return z, tail(z, norm, alternative, "skewtest")

    return TestResult(*over("skewtest", (a,), axis, nan_policy, keepdims, compute, least=8))


@_documented
def kurtosistest(a, axis=0, nan_policy="propagate", alternative="two-sided", *, keepdims=False):
    """Anscombe's and Glynn's test of whether the kurtosis is that of a normal distribution.

    Args:
        {a}
        {axis}
        {nan_policy}
        {alternative}
        {keepdims}

    Returns:
        {test}

    Raises:
        {refusals}

    >>> tombacx.scipy.stats.kurtosistest(tombac.arange(20.0)).statistic.round(4)
    array(-1.7058)
    """
    def compute(x):
        z = _peakedness(x)
        return z, tail(z, norm, alternative, "kurtosistest")

    return TestResult(*over("kurtosistest", (a,), axis, nan_policy, keepdims, compute, least=5))


@_documented
def normaltest(a, axis=0, nan_policy="propagate", *, keepdims=False):
    """D'Agostino's and Pearson's test of whether samples come from a normal distribution.

    Args:
        {a}
        {axis}
        {nan_policy}
        {keepdims}

    Returns:
        {test}

    Raises:
        {refusals}

    >>> tombacx.scipy.stats.normaltest(tombac.arange(20.0)).statistic.round(4)
    array(3.9921)
    """
    def compute(x):
        k2 = tombac.square(_skewness(x)) + tombac.square(_peakedness(x))
        return k2, chi2.sf(k2, 2)

    return TestResult(*over("normaltest", (a,), axis, nan_policy, keepdims, compute, least=8))


@_documented
def jarque_bera(x, *, axis=None, nan_policy="propagate", keepdims=False):
    """Jarque's and Bera's test of whether samples have the skewness and kurtosis of a normal distribution.

    Args:
        x: The samples: an array of any real dtype.
        {axis}
        {nan_policy}
        {keepdims}

    Returns:
        {test}

    Raises:
        {refusals}

    >>> tombacx.scipy.stats.jarque_bera(tombac.arange(20.0)).statistic.round(4)
    array(1.2121)
    """
    def compute(x):
        n, x = x.shape[-1], x - x.mean(axis=-1, keepdims=True)  # so that few are taken for constant
        statistic = n / 6 * (tombac.square(skew(x, -1)) + tombac.square(kurtosis(x, -1)) / 4)
        return statistic, chi2.sf(statistic, 2)

    return TestResult(*over("jarque_bera", (x,), axis, nan_policy, keepdims, compute))


@_documented
def linregress(x, y, alternative="two-sided", *, axis=0, nan_policy="propagate", keepdims=False):
    """The straight line through points with the least sum of squared distances.

    Args:
        x, y: The points' coordinates: arrays whose shapes broadcast.
        alternative: Which slopes the p-value is about: ``"two-sided"``, ``"less"`` or ``"greater"``.
        {axis}
        {nan_policy}
        {keepdims}

    Returns:
        A tuple with the fields ``slope``, ``intercept``, ``rvalue``, ``pvalue`` and ``stderr``, arrays without
        the axis: the line, the correlation, how probable such a slope is without any, and its standard error. Its
        ``intercept_stderr`` is that of the intercept.

    Raises:
        TypeError: The coordinates are no tombac arrays, or complex with another alternative than ``"two-sided"``.
        ValueError: Their shapes do not broadcast, or all of x are the same, for which x is looked at, or there is no
            such alternative.

    Of fewer than two points all is NaN. Of complex coordinates the covariance is that of x and conjugate y, as SciPy's
    is.

    >>> tombacx.scipy.stats.linregress(tombac.arange(3.0), tombac.array([1.0, 3.0, 5.0])).slope
    array(2.)
    """
    _check("linregress", alternative)
    check_arrays("linregress", x, y)
    kind = "D" if "c" in (x.dtype.kind, y.dtype.kind) else "d"
    if kind == "D":
        if alternative != "two-sided":
            raise TypeError("linregress: of complex coordinates the alternative can only be 'two-sided'")
        x, y = x.astype("D", copy=False), y.astype("D", copy=False)

    def compute(x, y):
        if (x == x[..., :1]).all(axis=-1).any():
            raise ValueError("linregress: all elements of x are the same, so that there is no line")
        return _line(x, y, alternative)

    *five, intercept_stderr = over("linregress", (x, y), axis, nan_policy, keepdims, compute, least=2, paired=True,
                                   results=6, dtype=None if kind == "D" else "d", result=())
    return LinregressResult(*five, intercept_stderr)


def _line(x, y, alternative):
    """Slope, intercept, correlation, p-value and standard errors of lines through points."""
    n, middles = x.shape[-1], (x.mean(axis=-1), y.mean(axis=-1))
    u, v = x - middles[0][..., None], y - middles[1][..., None]
    xx, yy, xy = (p.mean(axis=-1) for p in ((u * u.conj()).real, (v * v.conj()).real, u * v.conj()))
    slope, r = xy / xx, xy / tombac.sqrt(xx * yy)
    r = where(yy == 0, np.nan, r if x.dtype == "D" else tombac.clip(r, -1.0, 1.0))
    if n == 2:
        pvalue, error = where(y[..., 0] == y[..., 1], 1.0, 0.0), 0 * slope
    else:
        statistic = r * tombac.sqrt((n - 2) / ((1 - r + 1e-20) * (1 + r + 1e-20)))
        pvalue = tail(statistic, t(n - 2), alternative, "linregress")
        error = tombac.sqrt((1 - r * r) * yy / xx / (n - 2))
    return (slope, middles[1] - slope * middles[0], r, pvalue, error,
            error * tombac.sqrt(xx + tombac.square(abs(middles[0]))))
