"""Statistics of what is left within limits, or when the least and greatest elements are cut off."""

import collections

import tombac
from tombac import _core
from tombac._core import where
from tombac._numpy import np
from tombac._util import check_arrays, normalize_axis_index
from tombacx.scipy.stats._sample import Sample
from tombacx.scipy.stats._sample import documented as _documented

__all__ = ["sigmaclip", "tmax", "tmean", "tmin", "trim1", "trimboth", "tsem", "tstd", "tvar"]

SigmaclipResult = collections.namedtuple("SigmaclipResult", "clipped lower upper")


def _within(name, a, limits, inclusive, axis, nan_policy, whole=False):
    """Samples of which only elements within the limits count; NaN is within."""
    sample = Sample(name, a, axis, nan_policy, whole)
    low, high = (None, None) if limits is None else limits
    out = None
    for limit, itself, less, at_most in ((low, inclusive[0], tombac.less, tombac.less_equal),
                                         (high, inclusive[1], tombac.greater, tombac.greater_equal)):
        if limit is not None:
            beyond = (less if itself else at_most)(sample.values, limit)
            out = beyond if out is None else out | beyond
    if out is not None:
        _check_some_within(name, sample, out)
        sample.counted = ~out if sample.counted is None else sample.counted & ~out
    return sample


def _check_some_within(name, sample, out):
    """As SciPy does: nothing is within the limits, or, where there is NaN, nothing of a sample that is left for one."""
    if not out.size:
        return
    kept = out if sample.counted is None else out | ~sample.counted
    none = kept.all(axis=sample.axis)
    if sample.counted is not None:
        none = none & sample.counted.any(axis=sample.axis)
    if none.any() and (out.all() or _core.isnan(sample.values).any()):
        raise ValueError(f"{name}: no elements are within the limits")


@_documented
def tmean(a, limits=None, inclusive=(True, True), axis=None, *, nan_policy="propagate", keepdims=False):
    """The mean of the elements within limits.

    Args:
        {a}
        {limits}
        {inclusive}
        {axis}
        {nan_policy}
        {keepdims}

    Returns:
        An array without the axis; NaN where no element counts, of some of the samples.

    Raises:
        {refusals}
        ValueError: No element at all is within the limits, for which they are looked at.

    >>> tombacx.scipy.stats.tmean(tombac.array([1.0, 2.0, 3.0, 99.0]), (None, 10))
    array(2.)
    """
    sample = _within("tmean", a, limits, inclusive, axis, nan_policy)
    return sample.result(sample.mean(), keepdims)


@_documented
def tvar(a, limits=None, inclusive=(True, True), axis=0, ddof=1, *, nan_policy="propagate", keepdims=False):
    """The variance of the elements within limits.

    Args:
        {a}
        {limits}
        {inclusive}
        {axis}
        {ddof}
        {nan_policy}
        {keepdims}

    Returns:
        An array without the axis; NaN where too few elements count.

    Raises:
        {refusals}
        ValueError: No element at all is within the limits, for which they are looked at.

    >>> tombacx.scipy.stats.tvar(tombac.array([1.0, 2.0, 3.0, 99.0]), (None, 10))
    array(1.)
    """
    sample = _within("tvar", a, limits, inclusive, axis, nan_policy)
    return sample.result(sample.spread(ddof), keepdims)


@_documented
def tstd(a, limits=None, inclusive=(True, True), axis=0, ddof=1, *, nan_policy="propagate", keepdims=False):
    """The standard deviation of the elements within limits.

    Args:
        {a}
        {limits}
        {inclusive}
        {axis}
        {ddof}
        {nan_policy}
        {keepdims}

    Returns:
        An array without the axis; NaN where too few elements count.

    Raises:
        {refusals}
        ValueError: No element at all is within the limits, for which they are looked at.

    >>> tombacx.scipy.stats.tstd(tombac.array([1.0, 2.0, 3.0, 99.0]), (None, 10))
    array(1.)
    """
    sample = _within("tstd", a, limits, inclusive, axis, nan_policy)
    return sample.result(tombac.sqrt(sample.spread(ddof)), keepdims)


@_documented
def tsem(a, limits=None, inclusive=(True, True), axis=0, ddof=1, *, nan_policy="propagate", keepdims=False):
    """The standard error of the mean of the elements within limits.

    Args:
        {a}
        {limits}
        {inclusive}
        {axis}
        {ddof}
        {nan_policy}
        {keepdims}

    Returns:
        An array without the axis; NaN where too few elements count.

    Raises:
        {refusals}
        ValueError: No element at all is within the limits, for which they are looked at.

    >>> tombacx.scipy.stats.tsem(tombac.array([1.0, 3.0, 99.0]), (None, 10))
    array(1.)
    """
    sample = _within("tsem", a, limits, inclusive, axis, nan_policy)
    variance = sample.spread(ddof)
    return sample.result(tombac.sqrt(variance / sample.count(variance)), keepdims)


def _last(dtype, fold):
    """What is behind all other numbers of a dtype, that a least one or a greatest one is looked for of."""
    least = fold is tombac.min
    if dtype.kind == "f":
        return np.inf if least else -np.inf
    return least if dtype.kind == "b" else getattr(np.iinfo(dtype), "max" if least else "min")


def _extreme(sample, fold, keepdims):
    values, counted = sample.values, sample.counted
    if values.shape[sample.axis] == 0:
        return sample.result(sample.mean(), keepdims)
    if counted is not None:
        values = where(counted, values, _core.full((), _last(values.dtype, fold), values.dtype))
    found = fold(values, axis=sample.axis, keepdims=True)
    if counted is not None:
        there = counted.any(axis=sample.axis, keepdims=True)
        if values.dtype.kind == "f" or not there.all():
            found = where(there, found, np.nan)
    return sample.result(found, keepdims)


@_documented
def tmin(a, lowerlimit=None, axis=0, inclusive=True, nan_policy="propagate", *, keepdims=False):
    """The least of the elements that are not below a limit.

    Args:
        {a}
        lowerlimit: The limit; all elements count if None.
        {axis}
        inclusive: Whether the limit itself counts.
        {nan_policy}
        {keepdims}

    Returns:
        An array of ``a``'s dtype without the axis; of a floating one, with NaN, where of some of the samples no
        element counts.

    Raises:
        {refusals}
        ValueError: No element at all is within the limits, for which they are looked at.

    >>> tombacx.scipy.stats.tmin(tombac.array([1.0, 2.0, 3.0]), 1.5)
    array(2.)
    """
    sample = _within("tmin", a, (lowerlimit, None), (inclusive, True), axis, nan_policy, True)
    return _extreme(sample, tombac.min, keepdims)


@_documented
def tmax(a, upperlimit=None, axis=0, inclusive=True, nan_policy="propagate", *, keepdims=False):
    """The greatest of the elements that are not above a limit.

    Args:
        {a}
        upperlimit: The limit; all elements count if None.
        {axis}
        inclusive: Whether the limit itself counts.
        {nan_policy}
        {keepdims}

    Returns:
        An array of ``a``'s dtype without the axis; of a floating one, with NaN, where of some of the samples no
        element counts.

    Raises:
        {refusals}
        ValueError: No element at all is within the limits, for which they are looked at.

    >>> tombacx.scipy.stats.tmax(tombac.array([1.0, 2.0, 3.0]), 2.5)
    array(2.)
    """
    sample = _within("tmax", a, (None, upperlimit), (True, inclusive), axis, nan_policy, True)
    return _extreme(sample, tombac.max, keepdims)


def _cut(name, a, proportion, axis, both, tail="right"):
    check_arrays(name, a)
    if axis is None or a.ndim == 0:
        a, axis = a.ravel(), 0
    axis = normalize_axis_index(axis, a.ndim)
    n = a.shape[axis]
    gone = int(proportion * n)
    low, high = (gone, n - gone) if both else (0, n - gone) if tail == "right" else (gone, n)
    if low >= high and n:
        if not both:
            return a[(slice(None),) * axis + (slice(0, 0),)]
        raise ValueError(f"{name}: of {n} elements a part of {proportion} at either end leaves none")
    parted = _core._partition(a, (low, high - 1), axis) if n else a
    return parted[low:high] if axis == 0 else parted[(slice(None),) * axis + (slice(low, high),)]


@_documented
def trimboth(a, proportiontocut, axis=0):
    """The elements that are left when a part of the least and of the greatest is cut off.

    Args:
        {a}
        proportiontocut: Which part is cut off at either end; rounded down to a number of elements.
        {axis}

    Returns:
        An array of ``a``'s dtype, shorter along the axis, in no particular order.

    Raises:
        {refusals}

    >>> tombac.sort(tombacx.scipy.stats.trimboth(tombac.array([9, 1, 2, 0]), 0.25))
    array([1, 2])
    """
    return _cut("trimboth", a, proportiontocut, axis, True)


@_documented
def trim1(a, proportiontocut, tail="right", axis=0):
    """The elements that are left when a part of the greatest, or of the least, is cut off.

    Args:
        {a}
        proportiontocut: Which part is cut off; rounded down to a number of elements.
        tail: ``"right"``: the greatest; ``"left"``: the least.
        {axis}

    Returns:
        An array of ``a``'s dtype, shorter along the axis, in no particular order.

    Raises:
        {refusals}

    >>> tombac.sort(tombacx.scipy.stats.trim1(tombac.array([9, 1, 2, 0]), 0.25))
    array([0, 1, 2])
    """
    if tail not in ("left", "right"):
        raise ValueError(f"trim1: tail must be 'left' or 'right', not {tail!r}")
    return _cut("trim1", a, proportiontocut, axis, False, tail)


@_documented
def sigmaclip(a, low=4.0, high=4.0):
    """The elements that are left when those far from the mean are cut off, until none is.

    Args:
        a: The samples: an array of any real dtype, all elements for one.
        low: How many standard deviations elements may be below the mean.
        high: How many they may be above it.

    Returns:
        A tuple with the fields ``clipped``, ``lower`` and ``upper``, arrays: a vector of what is left, and the last
        limits.

    Raises:
        {refusals}

    The host waits for one number in each round.

    >>> tombacx.scipy.stats.sigmaclip(tombac.array([1.0, 2.0, 1.0, 2.0, 50.0]), 1.5, 1.5).clipped
    array([1., 2., 1., 2.])
    """
    values = Sample("sigmaclip", a, None).values
    kept, count = tombac.ones(values.shape, "?"), values.size
    while True:
        mean = where(kept, values, 0.0).sum() / count
        deviation = tombac.sqrt(where(kept, tombac.square(values - mean), 0.0).sum() / count)
        lower, upper = mean - low * deviation, mean + high * deviation
        kept = kept & (values >= lower) & (values <= upper)
        left = int(kept.sum())
        if left == count:
            return SigmaclipResult(a.ravel()[kept], lower, upper)
        count = left
