"""Other means, and the range of the middle half."""

import numbers

from tombac import _core
from tombac._numpy import np
from tombac._order_statistics import nanpercentile, percentile
from tombac._sorting import partition
from tombac._util import check_arrays
from tombacx.scipy.stats._over import check_real, over
from tombacx.scipy.stats._sample import Sample
from tombacx.scipy.stats._sample import documented as _documented

__all__ = ["gmean", "gstd", "hmean", "iqr", "pmean", "trim_mean"]


def _sample_of(name, a, axis, dtype, weights, nan_policy):
    """A sample that is computed with in the dtype, or if None in one that its elements and weights have a place in."""
    check_arrays(name, a)
    if dtype is None and weights is not None:
        dtype = np.result_type(a.dtype, _core.asarray(weights).dtype)
    return Sample(name, a if dtype is None else a.astype(dtype, copy=False), axis, nan_policy)


def _weighted(sample, terms, weights):
    """The mean of ``terms``, with weights of the samples' shape or of the axis's length."""
    if weights is None:
        return sample.mean(terms)
    weights = sample.weights(weights)
    return sample.total(weights * terms) / sample.total(weights)


@_documented
def gmean(a, axis=0, dtype=None, weights=None, nan_policy="propagate", *, keepdims=False):
    """The geometric mean: the n-th root of the product of n elements.

    Args:
        {a}
        {axis}
        dtype: The dtype to compute in; if None that of ``a`` and the weights, or float64 for integers.
        weights: The weights of the elements: an array of ``a``'s shape, or of the length of the axis.
        {nan_policy}
        {keepdims}

    Returns:
        An array without the axis.

    Raises:
        {refusals}

    >>> tombacx.scipy.stats.gmean(tombac.array([1.0, 4.0]))
    array(2.)
    """
    sample = _sample_of("gmean", a, axis, dtype, weights, nan_policy)
    return sample.result(_core.exp(_weighted(sample, _core.log(sample.values), weights)), keepdims)


@_documented
def pmean(a, p, *, axis=0, dtype=None, weights=None, nan_policy="propagate", keepdims=False):
    """The power mean: the root of degree p of the mean of the powers p.

    Args:
        {a}
        p: The power, a number; 0 gives the geometric mean.
        {axis}
        dtype: The dtype to compute in; if None that of ``a`` and the weights, or float64 for integers.
        weights: The weights of the elements: an array of ``a``'s shape, or of the length of the axis.
        {nan_policy}
        {keepdims}

    Returns:
        An array without the axis; NaN for samples with an element below zero.

    Raises:
        {refusals}

    >>> tombacx.scipy.stats.pmean(tombac.array([1.0, 7.0]), 2)
    array(5.)
    """
    if p == 0:
        return gmean(a, axis, dtype, weights, nan_policy, keepdims=keepdims)
    sample = _sample_of("pmean", a, axis, dtype, weights, nan_policy)
    powers = _core.where(sample.values < 0, float("nan"), sample.values ** float(p))
    return sample.result(_weighted(sample, powers, weights) ** (1 / p), keepdims)


@_documented
def gstd(a, axis=0, ddof=1, *, keepdims=False, nan_policy="propagate"):
    """The geometric standard deviation: the exponential of that of the logarithms.

    Args:
        {a}
        {axis}
        {ddof}
        {keepdims}
        {nan_policy}

    Returns:
        An array without the axis.

    Raises:
        {refusals}

    >>> tombacx.scipy.stats.gstd(tombac.array([2.0, 2.0]))
    array(1.)
    """
    check_real("gstd", a)
    sample = Sample("gstd", _core.log(a if a.dtype.kind == "f" else a.astype("d")), axis, nan_policy)
    variance = sample.spread(ddof) if nan_policy == "omit" else sample.variance(ddof)
    return sample.result(_core.exp(_core.sqrt(variance)), keepdims)


@_documented
def hmean(a, axis=0, dtype=None, *, weights=None, nan_policy="propagate", keepdims=False):
    """The harmonic mean: n by the sum of the reciprocals.

    Args:
        {a}
        {axis}
        dtype: The dtype to compute in; if None that of ``a`` and the weights, or float64 for integers.
        weights: The weights of the elements: an array of ``a``'s shape, or of the length of the axis.
        {nan_policy}
        {keepdims}

    Returns:
        An array without the axis; NaN for samples with an element below zero.

    Raises:
        {refusals}

    >>> tombacx.scipy.stats.hmean(tombac.array([1.0, 3.0]))
    array(1.5)
    """
    sample = _sample_of("hmean", a, axis, dtype, weights, nan_policy)
    reciprocals = _core.where(sample.values < 0, float("nan"), 1.0 / sample.values)
    return sample.result(1.0 / _weighted(sample, reciprocals, weights), keepdims)


@_documented
def trim_mean(a, proportiontocut, axis=0, *, nan_policy="propagate", keepdims=False):
    """The mean of what is left when the least and the greatest elements are cut off.

    Args:
        {a}
        proportiontocut: Which part of the elements is cut off at either end; rounded down to a number of elements.
        {axis}
        {nan_policy}
        {keepdims}

    Returns:
        An array without the axis; NaN for samples of which no element is left.

    Raises:
        {refusals}

    >>> tombacx.scipy.stats.trim_mean(tombac.array([0.0, 1.0, 2.0, 90.0]), 0.25)
    array(1.5)
    """
    check_real("trim_mean", a)

    def compute(x):
        n = x.shape[-1]
        low = int(proportiontocut * n)
        high = n - low
        if low > high:
            raise ValueError(f"trim_mean: of {n} elements a part of {proportiontocut} at either end leaves none")
        if low == high:
            return x[..., :0].mean(axis=-1),
        return partition(x, sorted({low, high - 1}), -1)[..., low:high].mean(axis=-1),

    return over("trim_mean", (a,), axis, nan_policy, keepdims, compute, results=1, dtype=None)[0]


@_documented
def iqr(x, axis=None, rng=(25, 75), scale=1.0, nan_policy="propagate", interpolation="linear", keepdims=False):
    """The range between two percentiles, the quartiles by default.

    Args:
        x: The samples: an array of any real dtype.
        {axis}
        rng: The two percentiles.
        scale: By what the range is divided; ``"normal"`` makes it estimate a normal distribution's standard deviation.
        {nan_policy}
        interpolation: How percentiles between elements are made, as numpy.percentile's ``method``.
        {keepdims}

    Returns:
        An array without the axis.

    Raises:
        {refusals}

    >>> tombacx.scipy.stats.iqr(tombac.array([0.0, 1.0, 2.0, 3.0, 4.0]))
    array(2.)
    """
    sample, rng, scale = Sample("iqr", x, axis, nan_policy), _core._on_host(rng), _core._on_host(scale)
    if len(rng) != 2:
        raise TypeError(f"iqr: rng must be two percentiles, not {rng!r}")
    if isinstance(scale, str):
        if scale.lower() != "normal":
            raise ValueError(f"iqr: scale must be a number or 'normal', not {scale!r}")
        scale = 1.3489795003921634  # of the standard normal distribution
    elif not isinstance(scale, numbers.Real):
        raise TypeError(f"iqr: scale must be a number or 'normal', not {scale!r}")
    if sample.values.shape[sample.axis] == 0:
        return sample.result(sample.mean(), keepdims)
    of = percentile if sample.counted is None else nanpercentile
    low, high = of(sample.values, sorted(rng), axis=sample.axis, method=interpolation, keepdims=True)
    return sample.result(((high - low) / scale).astype(sample.values.dtype, copy=False), keepdims)
