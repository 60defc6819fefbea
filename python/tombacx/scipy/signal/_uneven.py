"""Spectra of what happens at any times, not at regular ones."""

import math

from tombac import _core
from tombac._core import asarray
from tombac._math import angle

__all__ = ["lombscargle", "vectorstrength"]

_NORMALS = {False: "power", True: "normalize", "power": "power", "normalize": "normalize", "amplitude": "amplitude"}
_LEAST = 2.0**-53  # the least square of a sinusoid that counts, as in SciPy
_LARGEST = 1 << 22  # phases that are computed at a time: what is kept of them stays small


def _in_parts(function, x, length):
    """``function`` of parts of the vector ``x``, each element of which takes so much memory; results are joined."""
    step = max(1, _LARGEST // max(length, 1))
    if x.size <= step:
        return function(x)
    return _core.concatenate([function(x[i:i + step]) for i in range(0, x.size, step)])


def lombscargle(x, y, freqs, precenter=False, normalize=False, *, weights=None, floating_mean=False):
    """The Lomb-Scargle periodogram: at each frequency the power of the sinusoid that fits the measurements best.

    Args:
        x: The times of the measurements: a vector of real numbers.
        y: The measurements, as many.
        freqs: The angular frequencies: a vector.
        precenter: Whether the mean of ``y`` is subtracted first.
        normalize: False or 'power' for powers, which for an amplitude A come to ``A**2 * len(x) / 4``; True or
            'normalize' for their parts of the power of ``y``, from 0 to 1; 'amplitude' for complex amplitudes.
        weights: How much each measurement counts: a vector as long, of numbers that are not negative; all the same if
            None. They are looked at by the host.
        floating_mean: Whether sinusoids are fitted together with a constant, one for each frequency.

    Returns:
        An array of float64, or of complex128 for amplitudes, as long as ``freqs``.

    Raises:
        ValueError: An argument has not one dimension or no element, ``x``, ``y`` and ``weights`` have other lengths, a
            a weight is negative or all are 0, or ``normalize`` is another.

    Where SciPy gives a number for one frequency, this is a vector. Sources: J. D. Scargle, Astrophys. J. 263 (1982);
    M. Zechmeister, M. Kürster, Astron. Astrophys. 496 (2009), for weights and constants.

    >>> t = tombac.array([0.0, 1.0, 2.5, 3.0, 4.5])
    >>> tombacx.scipy.signal.lombscargle(t, tombac.sin(2 * t), [1.0, 2.0], normalize=True).round(3)
    array([0.374, 1.   ])
    """
    x, y, freqs = (asarray(v).astype(float, copy=False) for v in (x, y, freqs))
    if x.ndim != 1 or y.ndim != 1 or freqs.ndim != 1 or x.shape != y.shape or not x.size or not freqs.size:
        raise ValueError("lombscargle: x and y must be vectors of one length, and freqs a vector, none of them empty; "
                         f"the shapes are {x.shape}, {y.shape} and {freqs.shape}")
    kind = _NORMALS.get(normalize) if isinstance(normalize, (bool, int, str)) else None
    if kind is None:
        raise ValueError("lombscargle: normalize must be False, True, 'power', 'normalize' or 'amplitude', not "
                         f"{normalize!r}")
    weights = _parts_of_one(weights, x)
    if precenter:
        y = y - y.mean()
    fit = _Fit(x, y, weights, floating_mean)
    found = _in_parts(fit.amplitudes if kind == "amplitude" else fit.powers, freqs, x.size)
    return found if kind == "amplitude" else found / fit.whole if kind == "normalize" else found * (0.5 * x.size)


def _parts_of_one(weights, x):
    if weights is None:
        return _core.full(x.shape, 1 / x.size)
    weights = asarray(weights).astype(float, copy=False)
    if weights.shape != x.shape:
        raise ValueError(f"lombscargle: weights must have the shape of x, {x.shape}, not {weights.shape}")
    total = weights.sum()
    if not bool((weights >= 0).all() & (total > 0)):
        raise ValueError("lombscargle: weights must not be negative, nor all of them 0")
    return weights / total


class _Fit:
    """Sinusoids, with a constant or without, that fit measurements: sums are weighted by parts of one."""

    def __init__(self, x, y, weights, constant):
        self.x, self.y, self.weights, self.constant = x, y, weights, constant
        self.mean = (weights * y).sum()
        self.whole = (weights * y * y).sum() - (self.mean * self.mean if constant else 0)

    def _sum(self, wave):
        return (self.weights * wave).sum(1)

    def _product(self, a, b):
        """The covariance of waves, or their product where there is no constant."""
        product = self._sum(a * b)
        return product - self._sum(a) * self._sum(b) if self.constant else product

    def _waves(self, freqs):
        """[(a sinusoid's product with the measurements, its part of the best fit)] of two, and the phase by which they
        are shifted to be orthogonal at these times."""
        angles = freqs[:, None] * self.x
        cos, sin = _core.cos(angles), _core.sin(angles)
        phase = 0.5 * _core.arctan2(2 * self._product(cos, sin), self._product(cos, cos) - self._product(sin, sin))
        angles = angles - phase[:, None]
        rows = []
        for wave in (_core.cos(angles), _core.sin(angles)):
            product = self._sum(wave * self.y)
            if self.constant:
                product = product - self.mean * self._sum(wave)
            # What is as good as zero at all times is no part of the fit.
            rows.append((product, product / _core.maximum(self._product(wave, wave), _LEAST)))
        return rows, phase

    def powers(self, freqs):
        rows, _ = self._waves(freqs)
        return sum(product * part for product, part in rows)

    def amplitudes(self, freqs):
        ((_, cos), (_, sin)), phase = self._waves(freqs)
        return (cos + 1j * sin) * _core.exp(1j * phase)


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
