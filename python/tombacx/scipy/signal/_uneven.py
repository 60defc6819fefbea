"""Spectra of what happens at any times, not at regular ones."""

import math

from tombac import _core
from tombac._core import asarray
from tombac._math import angle

__all__ = ["lombscargle", "vectorstrength"]

_LARGEST = 1 << 22  # phases that are computed at a time: what is kept of them stays small


def _in_parts(function, x, length):
    """``function`` of parts of the vector ``x``, each element of which takes so much memory; results are joined."""
    step = max(1, _LARGEST // max(length, 1))
    if x.size <= step:
        return function(x)
    return _core.concatenate([function(x[i:i + step]) for i in range(0, x.size, step)])


def lombscargle(x, y, freqs, precenter=False, normalize=False):
    """The Lomb-Scargle periodogram: at each frequency the power of the sinusoid that fits the measurements best.

    Args:
        x: The times of the measurements: a vector of real numbers.
        y: The measurements, as many.
        freqs: The angular frequencies: a vector.
        precenter: Whether the mean of ``y`` is subtracted first.
        normalize: Whether powers are divided by that of ``y``: then they are from 0 to 1.

    Returns:
        An array of float64, as long as ``freqs``.

    Raises:
        ValueError: An argument has not one dimension or no element, or ``x`` and ``y`` have different lengths.

    It has not SciPy's ``weights`` and ``floating_mean``. J. D. Scargle, Astrophys. J. 263 (1982).

    >>> t = tombac.array([0.0, 1.0, 2.5, 3.0, 4.5])
    >>> tombacx.scipy.signal.lombscargle(t, tombac.sin(2 * t), [1.0, 2.0], normalize=True).round(3)
    array([0.374, 1.   ])
    """
    x, y, freqs = (asarray(v).astype(float, copy=False) for v in (x, y, freqs))
    if x.ndim != 1 or y.ndim != 1 or freqs.ndim != 1 or x.shape != y.shape or not x.size or not freqs.size:
        raise ValueError("lombscargle: x and y must be vectors of one length, and freqs a vector, none of them empty; "
                         f"the shapes are {x.shape}, {y.shape} and {freqs.shape}")
    if not isinstance(normalize, (bool, int)):
        raise ValueError(f"lombscargle: normalize must be True or False, not {normalize!r}")
    if precenter:
        y = y - y.mean()
    power = _in_parts(lambda w: _sinusoids(x, y, w), freqs, x.size)
    return power / (y * y).sum() if normalize else 0.5 * power


def _sinusoids(x, y, freqs):
    """Twice the power of the sinusoids that fit best."""
    angles = freqs[:, None] * x
    # Shifted by this phase sine and cosine are orthogonal at these times.
    phase = 0.5 * _core.arctan2(_core.sin(2 * angles).sum(1), _core.cos(2 * angles).sum(1))
    angles = angles - phase[:, None]
    return _fitted(y, _core.cos(angles)) + _fitted(y, _core.sin(angles))


def _fitted(y, wave):
    """What of the power of ``y`` is that of the waves; of those that are zero at all times nothing is."""
    least = 1e-15 * y.size
    squares = (wave * wave).sum(1)
    return (y * wave).sum(1) ** 2 / _core.where(squares > least, squares, math.inf)


def vectorstrength(events, period):
    """How well events keep to a period: the mean of their phases as vectors.

    Args:
        events: The times of the events: a vector of real numbers, or a number.
        period: The period, or a vector of them.

    Returns:
        A tuple of arrays (strength, phase), of the shape of ``period``: strengths are from 0 to 1.

    Raises:
        ValueError: ``events`` or ``period`` has more than one dimension, or a period is not positive.

    J. L. van Hemmen et al., Biol. Cybern. 105 (2011).

    >>> strength, phase = tombacx.scipy.signal.vectorstrength(tombac.array([0.0, 1.0, 2.0]), 1.0)
    >>> strength
    array(1.)
    """
    events, period = asarray(events), asarray(period)
    if events.ndim > 1 or period.ndim > 1:
        raise ValueError("vectorstrength: events and period must have no more than one dimension, not "
                         f"{events.ndim} and {period.ndim}")
    if bool((period <= 0).any()):
        raise ValueError("vectorstrength: periods must be positive")
    events = events.reshape(-1)
    mean = _in_parts(lambda p: _mean_vector(events, p), period.reshape(-1), events.size).reshape(period.shape)
    return abs(mean), angle(mean)


def _mean_vector(events, period):
    phases = events * (2 * math.pi / period)[:, None]
    return _core.cos(phases).mean(1) + 1j * _core.sin(phases).mean(1)
