"""Filters of finite length and states that filters begin in, on the host, in NumPy, so that SciPy is not imported for
them: the window method, Savitzky's and Golay's least squares."""

import math

from tombac._numpy import np
from tombacx.scipy._host import own
from tombacx.scipy.signal._kaiser import kaiser_atten, kaiser_beta
from tombacx.scipy.signal.windows import get_window

__all__ = []


# ---- the window method -----------------------------------------------------------------------------------------------


_COSINES = {"hamming": (0.54, 0.46), "hann": (0.5, 0.5), "blackman": (0.42, 0.5, 0.08), "boxcar": (1.0,)}


def _window(window, n):
    """A symmetric window: those that most filters are made with are computed here, others on the device."""
    name, *parameters = window if isinstance(window, tuple) else (window,)
    if isinstance(name, (int, float)) and not parameters:
        name, parameters = "kaiser", [name]
    if n < 2:
        return get_window(window, n, False).get()
    t = np.arange(1 - n, n, 2) / (n - 1)
    if name in _COSINES and not parameters:
        return sum(weight * np.cos(math.pi * k * t) for k, weight in enumerate(_COSINES[name]))
    if name == "kaiser" and len(parameters) == 1 and np.ndim(parameters[0]) == 0:
        return np.i0(parameters[0] * np.sqrt(1 - t * t)) / np.i0(parameters[0])
    return get_window(window, n, False).get()


_PASSES = {"lowpass": (True, False), "bandstop": (True, True), "highpass": (False, False), "bandpass": (False, True)}


def _passes_zero(pass_zero, edges):
    """Whether frequency 0 is in a pass band."""
    if not isinstance(pass_zero, str) and pass_zero in (True, False):
        return bool(pass_zero)
    if pass_zero not in _PASSES:
        names = ", ".join(map(repr, _PASSES))
        raise ValueError(f"pass_zero must be True, False or one of {names}, not {pass_zero!r}")
    passes, several = _PASSES[pass_zero]
    if several is not (edges.size > 1):
        raise ValueError(f"a {pass_zero} filter has {'two edges or more' if several else 'one edge'}, not {edges.size}")
    return passes


@own
def firwin(numtaps, cutoff, *, width=None, window="hamming", pass_zero=True, scale=True, fs=2):
    if np.asarray(cutoff).dtype.char in "ef":
        return NotImplemented  # newer ones of SciPy compute in the dtype of edges
    if np.size(fs) != 1:
        raise ValueError(f"fs must be one number, not {fs}")
    half = 1.0 if fs is None else float(fs) / 2
    edges = np.atleast_1d(np.asarray(cutoff, float)) / half
    if edges.ndim > 1 or not edges.size:
        raise ValueError(f"cutoff must be a number or a vector that is not empty, its shape is {edges.shape}")
    if not (edges.min() > 0 and edges.max() < 1):
        raise ValueError(f"each of cutoff must be greater than 0 and less than half of fs: {cutoff}")
    if (np.diff(edges) <= 0).any():
        raise ValueError(f"the elements of cutoff must rise: {cutoff}")
    if width is not None:
        window = "kaiser", kaiser_beta(kaiser_atten(numtaps, float(width) / half))
    first = _passes_zero(pass_zero, edges)
    last = bool(edges.size & 1) != first
    if last and numtaps % 2 == 0:
        raise ValueError("a filter of even length is 0 at half of fs, which is in a pass band here")
    bands = np.concatenate(([0.0] * first, edges, [1.0] * last)).reshape(-1, 2)
    t = np.arange(1 - numtaps, numtaps, 2) / 2
    h = sum(high * np.sinc(high * t) - low * np.sinc(low * t) for low, high in bands) * _window(window, numtaps)
    if not scale:
        return h
    low, high = bands[0]
    middle = 0.0 if low == 0 else 1.0 if high == 1 else (low + high) / 2
    return h / (h * np.cos(math.pi * middle * t)).sum()


# ---- least squares ---------------------------------------------------------------------------------------------------


@own
def savgol_coeffs(window_length, polyorder, deriv=0, delta=1.0, pos=None, use="conv"):
    if polyorder >= window_length:
        raise ValueError(f"polyorder must be less than window_length, {window_length}, and is {polyorder}")
    pos = (window_length - 1) / 2 if pos is None else pos
    if not 0 <= pos < window_length:
        raise ValueError(f"pos must be at least 0 and less than window_length, {window_length}, not {pos}")
    if use not in ("conv", "dot"):
        raise ValueError(f"use must be 'conv' or 'dot', not {use!r}")
    if deriv > polyorder:
        return np.zeros(window_length)
    unit = max(window_length / 2, 1.0)  # by which powers stay about 1, and high orders have their digits
    x = (np.arange(window_length) - pos) / unit
    wanted = np.zeros(polyorder + 1)
    wanted[deriv] = math.factorial(deriv) / (delta * unit) ** deriv
    weights = np.linalg.lstsq(np.vander(x, polyorder + 1, increasing=True).T, wanted, rcond=None)[0]
    return weights[::-1] if use == "conv" else weights


# ---- states ----------------------------------------------------------------------------------------------------------


@own
def lfilter_zi(b, a):
    b, a = np.atleast_1d(b), np.atleast_1d(a)
    if b.ndim != 1 or a.ndim != 1:
        raise ValueError(f"coefficients must be vectors, and have the shapes {b.shape} and {a.shape}")
    a = np.trim_zeros(a, "f")
    if not a.size:
        raise ValueError("one coefficient of the denominator or more must not be 0")
    n = max(a.size, b.size)
    if n < 2:
        return NotImplemented
    a, b = (np.pad(x / a[0], (0, n - x.size)) for x in (a, b))
    step = np.eye(n - 1, dtype=a.dtype)  # what is left when a state goes through the filter
    step[:, 0] += a[1:]
    step[np.arange(n - 2), np.arange(1, n - 1)] -= 1
    return np.linalg.solve(step, b[1:] - a[1:] * b[0])


@own
def sosfilt_zi(sos):
    sos = np.atleast_2d(np.asarray(sos))
    if sos.ndim != 2 or sos.shape[1] != 6 or not (sos[:, 3] == 1).all():
        return NotImplemented
    zi, gain = [], 1.0
    for row in sos.astype(np.result_type(sos, "d")):
        zi.append(gain * lfilter_zi(row[:3], row[3:]))
        gain = gain * (row[:3].sum() / row[3:].sum())
    return np.array(zi).astype(sos.dtype if sos.dtype.kind in "fc" else "d")
