"""Waveforms: each is one expression of the times. Sequences of bits are made on the host."""

import math

from tombac import _core
from tombac._core import asarray, cos, exp, sin, where
from tombac._polynomials import polyint, polyval
from tombacx.scipy._host import call

__all__ = ["chirp", "gausspulse", "max_len_seq", "sawtooth", "square", "sweep_poly", "unit_impulse"]


def _within_period(t, share):
    """Times within their period, and its share as an array, in float64."""
    # Not astype, which would take the real part of what has an imaginary one
    return _core.mod(asarray(t) + _core.zeros((), float), 2 * math.pi), asarray(share) + _core.zeros((), float)


def sawtooth(t, width=1.0):
    """A sawtooth, or a triangle, of period 2 pi: it rises from -1 to 1 and falls again.

    Args:
        t: The times: an array of real numbers, or a sequence.
        width: Which share of the period it rises for, from 0 to 1: a number, or an array that is broadcast with ``t``.

    Returns:
        An array of float64, NaN where ``width`` is none.

    Raises:
        TypeError: ``t`` is complex.

    >>> tombacx.scipy.signal.sawtooth(tombac.array([0.0, 1.5, 3.0]) * tombac.pi, 0.5).round(3)
    array([-1.,  0.,  1.])
    """
    t, width = _within_period(t, width)
    rising, falling = t / (math.pi * width) - 1, (math.pi * (width + 1) - t) / (math.pi * (1 - width))
    wave = where(t < width * (2 * math.pi), rising, falling)
    return where((width > 1) | (width < 0), math.nan, wave)


def square(t, duty=0.5):
    """A square wave of period 2 pi: 1, then -1.

    Args:
        t: The times: an array of real numbers, or a sequence.
        duty: Which share of the period it is 1 for, from 0 to 1: a number, or an array that is broadcast with ``t``.

    Returns:
        An array of float64, NaN where ``duty`` is none.

    Raises:
        TypeError: ``t`` is complex.

    >>> tombacx.scipy.signal.square(tombac.array([0.0, 1.0, 4.0, 6.5]))
    array([ 1.,  1., -1.,  1.])
    """
    t, duty = _within_period(t, duty)
    return where((duty > 1) | (duty < 0), math.nan, where(t < duty * (2 * math.pi), 1.0, -1.0))


def gausspulse(t, fc=1000, bw=0.5, bwr=-6, tpr=-60, retquad=False, retenv=False):
    """A sinusoid in a Gaussian envelope: exp(-a t^2) cos(2 pi fc t).

    Args:
        t: The times, an array of real numbers or a sequence; or 'cutoff'.
        fc: The frequency.
        bw: The width of the band as a fraction of ``fc``.
        bwr: At how many decibels, less than 0, the width is measured.
        tpr: At how many decibels, less than 0, the envelope counts as ended, for 'cutoff'.
        retquad: Whether the pulse in quadrature, by the sine, is wanted as well.
        retenv: Whether the envelope is wanted as well.

    Returns:
        An array of the shape of ``t``, or a tuple of it, the pulse in quadrature and the envelope, those that are
        wanted; for 'cutoff' a float, the time when the envelope has ended.

    Raises:
        ValueError: ``fc`` is negative, ``bw`` is not positive, ``bwr`` or ``tpr`` is not negative, or ``t`` is another
            str.

    >>> tombacx.scipy.signal.gausspulse(tombac.array([0.0, 0.1, 0.2]), fc=5).round(3)
    array([ 1.   , -0.8  ,  0.409])
    >>> round(tombacx.scipy.signal.gausspulse("cutoff", fc=5), 3)
    0.556
    """
    if fc < 0:
        raise ValueError(f"gausspulse: fc must not be negative, and is {fc}")
    if bw <= 0:
        raise ValueError(f"gausspulse: bw must be positive, not {bw}")
    if bwr >= 0:
        raise ValueError(f"gausspulse: bwr must be negative, not {bwr}")
    # The spectrum of exp(-a t^2) is as low as 10^(bwr / 20) at half the width of the band.
    a = -((math.pi * fc * bw) ** 2) / (4 * math.log(10 ** (bwr / 20)))
    if isinstance(t, str):
        if t != "cutoff":
            raise ValueError(f"gausspulse: t must be times or 'cutoff', not {t!r}")
        if tpr >= 0:
            raise ValueError(f"gausspulse: tpr must be negative, not {tpr}")
        return math.sqrt(-math.log(10 ** (tpr / 20)) / a)
    t = asarray(t)
    envelope, angle = exp(-a * t * t), 2 * math.pi * fc * t
    pulses = [envelope * cos(angle)]
    if retquad:
        pulses.append(envelope * sin(angle))
    if retenv:
        pulses.append(envelope)
    return tuple(pulses) if len(pulses) > 1 else pulses[0]


def _linear(t, f0, t1, f1, vertex_zero):
    return f0 * t + (0.5 * (f1 - f0) / t1) * t * t


def _quadratic(t, f0, t1, f1, vertex_zero):
    beta = (f1 - f0) / t1**2
    if vertex_zero:
        return f0 * t + (beta / 3) * t**3
    return f1 * t + (beta / 3) * ((t1 - t) ** 3 - t1**3)


def _logarithmic(t, f0, t1, f1, vertex_zero):
    if f0 * f1 <= 0:
        raise ValueError(f"chirp: f0 and f1 must be of one sign and not zero for 'logarithmic', not {f0} and {f1}")
    if f0 == f1:
        return f0 * t
    beta = t1 / math.log(f1 / f0)
    return (beta * f0) * ((f1 / f0) ** (t / t1) - 1)


def _hyperbolic(t, f0, t1, f1, vertex_zero):
    if f0 == 0 or f1 == 0:
        raise ValueError(f"chirp: f0 and f1 must not be zero for 'hyperbolic', and are {f0} and {f1}")
    if f0 == f1:
        return f0 * t
    singular = -f1 * t1 / (f0 - f1)  # when the frequency would be infinite
    return (-singular * f0) * _core.log(abs(1 - t / singular))


# How many periods there have been until each time.
_CHIRPS = {name: f for names, f in (
    ("linear lin li", _linear), ("quadratic quad q", _quadratic), ("logarithmic log lo", _logarithmic),
    ("hyperbolic hyp", _hyperbolic),
) for name in names.split()}


def chirp(t, f0, t1, f1, method="linear", phi=0, vertex_zero=True, *, complex=False):
    """A cosine whose frequency goes from one to another.

    Args:
        t: The times: an array of real numbers, or a sequence.
        f0: The frequency at time 0.
        t1: When the frequency is ``f1``.
        f1: The frequency at ``t1``.
        method: How the frequency goes: 'linear', 'quadratic', 'logarithmic' or 'hyperbolic'.
        phi: The phase at time 0, in degrees.
        vertex_zero: Whether the vertex of the parabola for 'quadratic' is at time 0 rather than at ``t1``.
        complex: Whether the result is the analytic signal, with the sine as imaginary part.

    Returns:
        An array of the shape of ``t``: of its dtype if that is a float, else of float64; complex if that is asked for.

    Raises:
        ValueError: ``method`` is no such name, or 'logarithmic' or 'hyperbolic' and the frequencies are such that it
            would not go from one to the other.

    >>> tombacx.scipy.signal.chirp(tombac.array([0.0, 0.5, 1.0]), 1, 1, 2).round(3)
    array([ 1.   , -0.707, -1.   ])
    """
    if method not in _CHIRPS:
        raise ValueError("chirp: method must be 'linear', 'quadratic', 'logarithmic' or 'hyperbolic', "
                         f"not {method!r}")
    periods = _CHIRPS[method](asarray(t), float(f0), float(t1), float(f1), vertex_zero)
    phase = 2 * math.pi * periods + math.radians(phi)
    return cos(phase) + 1j * sin(phase) if complex else cos(phase)


def sweep_poly(t, poly, phi=0):
    """A cosine whose frequency is a polynomial of time.

    Args:
        t: The times: an array of real numbers, or a sequence.
        poly: The polynomial: a poly1d, or its coefficients, the highest power first.
        phi: The phase at time 0, in degrees.

    Returns:
        An array of the shape of ``t``.

    Raises:
        ValueError: ``poly`` has more than one dimension.

    >>> tombacx.scipy.signal.sweep_poly(tombac.array([0.0, 0.5, 1.0]), [1.0, 1.0]).round(3)
    array([ 1.   , -0.707, -1.   ])
    """
    coefficients = getattr(poly, "coeffs", poly)  # of a poly1d, NumPy's too
    periods = polyval(polyint(asarray(coefficients)), asarray(t))
    return cos(2 * math.pi * periods + math.radians(phi))


def unit_impulse(shape, idx=None, dtype=float):
    """An array of zeros with one 1.

    Args:
        shape: Its shape: an int, or a tuple.
        idx: Where the 1 is: an int, the same along all axes, or a tuple; 'mid' is the middle, None the beginning.
        dtype: Its dtype.

    Returns:
        An array of that shape and dtype.

    Raises:
        IndexError: There is no such place.

    >>> tombacx.scipy.signal.unit_impulse(5, "mid")
    array([0., 0., 1., 0., 0.])
    """
    impulse = _core.zeros(shape, dtype)
    if idx is None:
        idx = 0
    elif isinstance(idx, str) and idx == "mid":
        idx = tuple(n // 2 for n in impulse.shape)
    idx = _core._on_host(idx)
    impulse[tuple(idx) if hasattr(idx, "__iter__") else (idx,) * impulse.ndim] = 1
    return impulse


def max_len_seq(nbits, state=None, length=None, taps=None):
    """A sequence of bits of maximum length, by a shift register with feedback.

    Args:
        nbits: How many bits the register has.
        state: Its bits at first: a vector of that length; ones if None.
        length: How many bits are made; a whole period, 2^nbits - 1, if None.
        taps: Which bits are fed back: a sequence or a vector; SciPy's choice, for 2 to 32 bits, if None.

    Returns:
        A tuple of arrays (bits, state) of int8, 0 and 1: the sequence, and the register afterwards.

    Raises:
        ImportError: SciPy is not installed.
        ValueError: There is no such register, in SciPy's words.

    Made on the host.

    >>> tombacx.scipy.signal.max_len_seq(3)
    (array([1, 1, 1, 0, 1, 0, 0], dtype=int8), array([1, 1, 1], dtype=int8))
    """
    return call("max_len_seq", nbits, state, length, taps)
