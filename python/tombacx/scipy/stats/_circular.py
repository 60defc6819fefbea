"""Statistics of angles and of directions."""

import math
import types

import tombac
from tombac._core import where
from tombac._numpy import np
from tombac._util import check_arrays, normalize_axis_index
from tombacx.scipy.stats._sample import Sample
from tombacx.scipy.stats._sample import documented as _documented

__all__ = ["circmean", "circstd", "circvar", "directional_stats"]


def _mean_vector(sample, start, turn):
    angles = (sample.values - start) * (2 * math.pi / turn)
    return sample.mean(tombac.sin(angles)), sample.mean(tombac.cos(angles))


def _mean_length(name, samples, turn, axis, nan_policy):
    """That of the mean vector, of angles from one of them, so that it is 1 where all are the same."""
    sample = Sample(name, samples, axis, nan_policy)
    values = sample.values if sample.counted is None else where(sample.counted, sample.values, np.inf)
    start = values.min(axis=sample.axis, keepdims=True, initial=np.inf)
    return sample, tombac.minimum(tombac.hypot(*_mean_vector(sample, start, turn)), 1.0)


@_documented
def circmean(samples, high=2 * math.pi, low=0, axis=None, nan_policy="propagate", *, keepdims=False):
    """The mean of angles.

    Args:
        samples: The angles: an array of any real dtype.
        high: The number that is a whole turn from ``low``.
        low: The least angle.
        {axis}
        {nan_policy}
        {keepdims}

    Returns:
        An array without the axis, of angles from ``low`` to ``high``.

    Raises:
        {refusals}

    >>> tombacx.scipy.stats.circmean(tombac.array([10.0, 350.0, 30.0]), high=360).round(6)
    array(10.)
    """
    sample = Sample("circmean", samples, axis, nan_policy)
    angle = tombac.arctan2(*_mean_vector(sample, low, high - low))
    angle = where(angle < 0, angle + 2 * math.pi, angle)
    return sample.result(angle * ((high - low) / (2 * math.pi)) + low, keepdims)


@_documented
def circvar(samples, high=2 * math.pi, low=0, axis=None, nan_policy="propagate", *, keepdims=False):
    """The variance of angles: 1 less the length of the mean of unit vectors.

    Args:
        samples: The angles: an array of any real dtype.
        high: The number that is a whole turn from ``low``.
        low: The least angle.
        {axis}
        {nan_policy}
        {keepdims}

    Returns:
        An array without the axis, of numbers from 0 to 1.

    Raises:
        {refusals}

    >>> tombacx.scipy.stats.circvar(tombac.array([0.0, 180.0]), high=360).round(6)
    array(1.)
    """
    sample, length = _mean_length("circvar", samples, high - low, axis, nan_policy)
    return sample.result(1 - length, keepdims)


@_documented
def circstd(samples, high=2 * math.pi, low=0, axis=None, nan_policy="propagate", *, normalize=False, keepdims=False):
    """The standard deviation of angles, by the length of the mean of unit vectors.

    Args:
        samples: The angles: an array of any real dtype.
        high: The number that is a whole turn from ``low``.
        low: The least angle.
        {axis}
        {nan_policy}
        normalize: Whether the result is in radians whatever a whole turn is.
        {keepdims}

    Returns:
        An array without the axis.

    Raises:
        {refusals}

    >>> tombacx.scipy.stats.circstd(tombac.array([1.0, 1.0])).round(6)
    array(0.)
    """
    sample, length = _mean_length("circstd", samples, high - low, axis, nan_policy)
    result = tombac.sqrt(abs(2 * tombac.log(length)))
    return sample.result(result if normalize else result * ((high - low) / (2 * math.pi)), keepdims)


def directional_stats(samples, *, axis=0, normalize=True):
    """The mean of directions, and how much they agree.

    Args:
        samples: Vectors along the last axis: a real array of at least 2 dimensions.
        axis: Along which axis the samples lie.
        normalize: Whether the vectors are made as long as 1 before.

    Returns:
        An object with ``mean_direction``, an array of unit vectors, and ``mean_resultant_length``, one of the lengths
        of the means.

    Raises:
        TypeError: The samples are no tombac array, or complex.
        ValueError: They have less than 2 dimensions, or there is no such axis (AxisError).

    >>> tombacx.scipy.stats.directional_stats(tombac.array([[1.0, 0.0], [3.0, 0.0]])).mean_direction
    array([1., 0.])
    """
    check_arrays("directional_stats", samples)
    if samples.dtype.kind == "c":
        raise TypeError(f"directional_stats: samples must be real, not {samples.dtype}")
    if samples.ndim < 2:
        raise ValueError(f"directional_stats: vectors along the last axis of several are expected, not of shape "
                         f"{samples.shape}")
    samples = tombac.moveaxis(samples, normalize_axis_index(axis, samples.ndim), 0)
    samples = samples if samples.dtype.kind == "f" else samples.astype("d")
    if normalize:
        samples = samples / tombac.sqrt(tombac.square(samples).sum(axis=-1, keepdims=True))
    mean = samples.mean(axis=0)
    length = tombac.sqrt(tombac.square(mean).sum(axis=-1, keepdims=True))
    return types.SimpleNamespace(mean_direction=mean / length, mean_resultant_length=length[..., 0])
