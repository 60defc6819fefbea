"""Moments, and what is made of them. Each is a reduction into which the powers of the deviations fuse."""

import collections

from tombac import _core
from tombac._core import where
from tombac._numpy import np
from tombacx.scipy.stats._sample import Sample, is_constant
from tombacx.scipy.stats._sample import documented as _documented

__all__ = ["describe", "kstat", "kstatvar", "kurtosis", "moment", "sem", "skew", "variation"]

DescribeResult = collections.namedtuple("DescribeResult", "nobs minmax mean variance skewness kurtosis")


@_documented
def moment(a, order=1, axis=0, nan_policy="propagate", *, center=None, keepdims=False):
    """The mean power of the deviations from the mean.

    Args:
        {a}
        order: The power, a whole number of at least 0; or several, for each of which there is a result.
        {axis}
        {nan_policy}
        center: From what the deviations are taken; the mean if None.
        {keepdims}

    Returns:
        An array without the axis; of several powers, one after the other along a new first axis.

    Raises:
        {refusals}

    >>> tombacx.scipy.stats.moment(tombac.array([1.0, 2.0, 3.0, 4.0]), 2)
    array(1.25)
    """
    sample = Sample("moment", a, axis, nan_policy)
    order = _core._on_host(order)
    orders = [order] if np.ndim(order) == 0 else list(order)
    if not orders or any(k < 0 or k != int(k) for k in orders):
        raise ValueError(f"moment: order must be whole numbers that are not negative, not {order!r}")
    mean = sample.mean() if center is None else center
    results = []
    for k in orders:
        exact = k < 2 and center is None
        kept = where(_core.isnan(mean), mean, 1 - k) if exact else sample.moment(k, mean)
        results.append(sample.result(kept, keepdims))
    return results[0] if np.ndim(order) == 0 else _core.stack(results)


@_documented
def skew(a, axis=0, bias=True, nan_policy="propagate", *, keepdims=False):
    """The skewness: the third moment by the second to the power 3/2.

    Args:
        {a}
        {axis}
        bias: False corrects for the size of the sample.
        {nan_policy}
        {keepdims}

    Returns:
        An array without the axis; NaN for samples whose elements are all the same.

    Raises:
        {refusals}

    >>> tombacx.scipy.stats.skew(tombac.array([0.0, 0.0, 3.0]))
    array(0.70710678)
    """
    sample = Sample("skew", a, axis, nan_policy)
    return sample.result(_skew(sample, sample.mean(), bias), keepdims)


def _skew(sample, mean, bias):
    m2, m3 = sample.moment(2, mean), sample.moment(3, mean)
    ratio = m3 / m2**1.5
    if not bias:
        n = sample.count(m2)
        ratio = where(n > 2, ratio * _core.sqrt((n - 1) * n) / (n - 2), ratio)
    return where(is_constant(m2, mean), np.nan, ratio)


@_documented
def kurtosis(a, axis=0, fisher=True, bias=True, nan_policy="propagate", *, keepdims=False):
    """The kurtosis: the fourth moment by the square of the second.

    Args:
        {a}
        {axis}
        fisher: Whether 3 is subtracted, so that a normal distribution has 0.
        bias: False corrects for the size of the sample.
        {nan_policy}
        {keepdims}

    Returns:
        An array without the axis; NaN for samples whose elements are all the same.

    Raises:
        {refusals}

    >>> tombacx.scipy.stats.kurtosis(tombac.array([0.0, 1.0, 2.0, 3.0]))
    array(-1.36)
    """
    sample = Sample("kurtosis", a, axis, nan_policy)
    return sample.result(_kurtosis(sample, sample.mean(), fisher, bias), keepdims)


def _kurtosis(sample, mean, fisher, bias):
    m2, m4 = sample.moment(2, mean), sample.moment(4, mean)
    ratio = m4 / (m2 * m2)
    if not bias:
        n = sample.count(m2)
        corrected = ((n * n - 1) * ratio - 3 * (n - 1) * (n - 1)) / (n - 2) / (n - 3) + 3
        ratio = where(n > 3, corrected, ratio)
    return where(is_constant(m2, mean), np.nan, ratio - 3 if fisher else ratio)


@_documented
def sem(a, axis=0, ddof=1, nan_policy="propagate", *, keepdims=False):
    """The standard error of the mean: the standard deviation by the root of the number of elements.

    Args:
        {a}
        {axis}
        {ddof}
        {nan_policy}
        {keepdims}

    Returns:
        An array without the axis.

    Raises:
        {refusals}

    >>> tombacx.scipy.stats.sem(tombac.array([1.0, 2.0, 3.0]))
    array(0.57735027)
    """
    sample = Sample("sem", a, axis, nan_policy)
    variance = sample.variance(ddof)
    return sample.result(_core.sqrt(variance) / _core.sqrt(sample.count(variance)), keepdims)


@_documented
def variation(a, axis=0, nan_policy="propagate", ddof=0, *, keepdims=False):
    """The coefficient of variation: the standard deviation by the mean.

    Args:
        {a}
        {axis}
        {nan_policy}
        {ddof}
        {keepdims}

    Returns:
        An array without the axis.

    Raises:
        {refusals}

    >>> tombacx.scipy.stats.variation(tombac.array([1.0, 2.0, 3.0]))
    array(0.40824829)
    """
    sample = Sample("variation", a, axis, nan_policy)
    mean = sample.mean()
    return sample.result(_core.sqrt(sample.variance(ddof, mean)) / mean, keepdims)


@_documented
def describe(a, axis=0, ddof=1, bias=True, nan_policy="propagate"):
    """Number of elements, extremes, mean, variance, skewness and kurtosis of samples.

    Args:
        {a}
        {axis}
        {ddof}
        bias: False corrects skewness and kurtosis for the size of the sample.
        {nan_policy}

    Returns:
        A tuple with the fields ``nobs``, an int, or an array where NaN is left out; ``minmax``, two arrays; ``mean``,
        ``variance``, ``skewness`` and ``kurtosis``, arrays.

    Raises:
        {refusals}

    If NaN is left out of any sample, so is what is infinite in all of them, as in SciPy.

    >>> tombacx.scipy.stats.describe(tombac.array([1.0, 2.0, 3.0])).minmax
    (array(1.), array(3.))
    """
    sample = Sample("describe", a, axis, nan_policy)
    if sample.values.size == 0:
        raise ValueError("describe: the samples have no elements")
    values = sample.values if sample.counted is not None or a.ndim == 0 else a.ravel() if axis is None else a
    if sample.counted is None:
        limits = _core._min_max(values, sample.axis, False)
    else:
        sample.counted = sample.counted & (_core.isfinite(values) | sample.counted.all())
        limits = [sample.result(where(sample.n > 0, fold(where(sample.counted, values, end), axis=sample.axis,
                                                         keepdims=True), np.nan))
                  for fold, end in ((_core.min, np.inf), (_core.max, -np.inf))]
    mean = sample.mean()
    n = sample.n if sample.counted is None else sample.result(sample.n)
    return DescribeResult(
        n, tuple(limits), sample.result(mean), sample.result(sample.variance(ddof, mean)),
        sample.result(_skew(sample, mean, bias)), sample.result(_kurtosis(sample, mean, True, bias)))


def _k_statistic(sample, order):
    """Fisher's statistic, whose expectation is the cumulant; the axis kept."""
    n, mean = sample.n, sample.mean()
    n = n if isinstance(n, int) else n.astype(mean.dtype)
    if order == 1:
        return mean
    second = sample.moment(2, mean)
    n = n + 0 * second
    if order == 2:
        return second * n / (n - 1)
    if order == 3:
        return sample.moment(3, mean) * n * n / ((n - 1) * (n - 2))
    fourth = (n + 1) * sample.moment(4, mean) - 3 * (n - 1) * second * second
    return n * n * fourth / ((n - 1) * (n - 2) * (n - 3))


@_documented
def kstat(data, n=2, *, axis=None, nan_policy="propagate", keepdims=False):
    """Fisher's k-statistic: what estimates a cumulant without bias.

    Args:
        data: The samples: an array of any real dtype.
        n: Which cumulant: 1, 2, 3 or 4.
        {axis}
        {nan_policy}
        {keepdims}

    Returns:
        An array without the axis.

    Raises:
        {refusals}

    >>> tombacx.scipy.stats.kstat(tombac.array([1.0, 2.0, 3.0]))
    array(1.)
    """
    if n not in (1, 2, 3, 4):
        raise ValueError(f"kstat: n must be 1, 2, 3 or 4, not {n!r}")
    sample = Sample("kstat", data, axis, nan_policy)
    return sample.result(_k_statistic(sample, int(n)), keepdims)


@_documented
def kstatvar(data, n=2, *, axis=None, nan_policy="propagate", keepdims=False):
    """The variance of a k-statistic, estimated without bias.

    Args:
        data: The samples: an array of any real dtype.
        n: Of which: 1 or 2.
        {axis}
        {nan_policy}
        {keepdims}

    Returns:
        An array without the axis.

    Raises:
        {refusals}

    >>> tombacx.scipy.stats.kstatvar(tombac.array([1.0, 2.0, 3.0, 6.0]), 1).round(6)
    array(1.166667)
    """
    if n not in (1, 2):
        raise ValueError(f"kstatvar: n must be 1 or 2, not {n!r}")
    sample = Sample("kstatvar", data, axis, nan_policy)
    second = _k_statistic(sample, 2)
    count = (sample.n if isinstance(sample.n, int) else sample.n.astype(second.dtype)) + 0 * second
    if n == 1:
        return sample.result(second / count, keepdims)
    fourth = _k_statistic(sample, 4)
    return sample.result((2 * count * second * second + (count - 1) * fourth) / (count * (count + 1)), keepdims)
