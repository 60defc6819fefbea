"""Cosine and sine transforms of types 1 to 4: the library's on the CPU, elsewhere by Fourier transforms.

Types 2 and 3 are Fourier transforms of the same length: J. Makhoul, "A fast cosine transform in one and two
dimensions", IEEE Transactions on Acoustics, Speech, and Signal Processing 28 (1980). Type 1 is one of the even or odd
continuation, type 4 a complex one of half the length, of an odd one of twice the length. Sine transforms are cosine
transforms of the input or the result in reverse, with changing signs.
"""

import math
import operator

from tombac import _core
from tombac._manipulation import moveaxis
from tombac._util import as_device, normalize_axis_index
from tombac.fft import fft, irfft, rfft
from tombacx.scipy.fft._plans import normal_axes

__all__ = ["dct", "dctn", "dst", "dstn", "idct", "idctn", "idst", "idstn"]

_INVERSE = {1: 1, 2: 3, 3: 2, 4: 4}


def _turns(n, count, like, offset=0.0):
    """exp(-pi i (k + offset) / (2 n)) for the first k, as precise as ``like``."""
    angles = (_core.arange(count) + offset) * (-0.5 * math.pi / n)
    turns = _core.empty(count, "F" if like.dtype.char in "fF" else "D")
    turns.real = _core.cos(angles)
    turns.imag = _core.sin(angles)
    return turns


def _signs(n, like):
    return (1 - 2 * (_core.arange(n) % 2)).astype(like.dtype.char.lower())


def _cosine1(x):
    n = x.shape[-1]
    if n < 2:
        raise RuntimeError("a cosine transform of type 1 needs at least two points")
    return rfft(_core.concatenate([x, x[..., -2:0:-1]], axis=-1)).real


def _cosine2(x):
    n = x.shape[-1]
    v = _core.concatenate([x[..., ::2], x[..., 1::2][..., ::-1]], axis=-1)
    w = rfft(v) * _turns(n, n // 2 + 1, x)
    return _core.concatenate([w.real, -w.imag[..., 1:(n + 1) // 2][..., ::-1]], axis=-1) * 2


def _cosine3(x):
    n = x.shape[-1]
    half = n // 2 + 1
    behind = _core.zeros_like(x[..., :half])
    behind[..., 1:] = x[..., :n - half:-1]
    v = irfft((x[..., :half] - 1j * behind) / _turns(n, half, x), n, norm="forward")
    result = _core.empty_like(v)
    result[..., ::2] = v[..., :(n + 1) // 2]
    result[..., 1::2] = v[..., (n + 1) // 2:][..., ::-1]
    return result


def _cosine4(x):
    """An even number of elements by twos, one from the front and one from behind: with j for the pairs and k for those
    of the result, (4 j + 1) (4 k + 1) = 16 j k + (4 j + 1/2) + (4 k + 1/2) is a transform between two turns."""
    n = x.shape[-1]
    if n % 2:
        w = fft(x * _turns(n, n, x), 2 * n)[..., :n]
        return (w * _turns(n, n, x, 0.5)).real * 2
    turns = _turns(n // 2, n // 2, x, 0.125)
    pairs = _core.empty((*x.shape[:-1], n // 2), turns.dtype)
    pairs.real, pairs.imag = x[..., ::2], x[..., ::-2]
    w = fft(pairs * turns) * turns
    result = _core.empty_like(x)
    result[..., ::2] = w.real * 2
    result[..., ::-2] = w.imag * -2
    return result


def _sine1(x):
    zero = _core.zeros_like(x[..., :1])
    return -rfft(_core.concatenate([zero, x, zero, -x[..., ::-1]], axis=-1)).imag[..., 1:-1]


def _sine2(x):
    return _cosine2(x * _signs(x.shape[-1], x))[..., ::-1]


def _sine3(x):
    return _cosine3(x[..., ::-1]) * _signs(x.shape[-1], x)


def _sine4(x):
    return _cosine4(x[..., ::-1]) * _signs(x.shape[-1], x)


_COSINES = {1: _cosine1, 2: _cosine2, 3: _cosine3, 4: _cosine4}
_SINES = {1: _sine1, 2: _sine2, 3: _sine3, 4: _sine4}


def _fit(x, n):
    """x with n elements along its last axis: cut off, or continued by zeros."""
    if n < 1:
        raise ValueError(f"invalid number of data points ({n}) specified")
    if n <= x.shape[-1]:
        return x[..., :n]
    whole = _core.zeros((*x.shape[:-1], n), x.dtype)
    whole[..., :x.shape[-1]] = x
    return whole


def _weighted(x, places, by):
    weights = _core.ones(x.shape[-1], x.dtype.char.lower())
    for place in places:
        weights[place] = by
    return x * weights


def _ends(sine, kind):
    """Which elements of an orthonormal transform's input and result are of another size."""
    end = -1 if sine else 0
    both = [0, -1]
    return {1: ([], []) if sine else (both, both), 2: ([], [end]), 3: ([end], []), 4: ([], [])}[kind]


def _along(x, sine, kind, n, axis, norm, inverse, ends):
    """One axis of a real array."""
    if x.dtype.kind == "c":
        return _along(x.real, sine, kind, n, axis, norm, inverse, ends) + \
            1j * _along(x.imag, sine, kind, n, axis, norm, inverse, ends)
    x = _fit(moveaxis(x, axis, -1), x.shape[axis] if n is None else n)
    n = x.shape[-1]
    length = {1: 2 * (n + 1 if sine else n - 1)}.get(kind, 2 * n)  # of the Fourier transform that it amounts to
    before, behind = _ends(sine, kind) if ends else ([], [])
    x = _weighted(x, before, math.sqrt(2)) if before else x
    result = (_SINES if sine else _COSINES)[kind](x)
    result = _weighted(result, behind, math.sqrt(0.5)) if behind else result
    if norm == "ortho":
        result = result * (1 / math.sqrt(length))
    elif inverse == (norm != "forward"):
        result = result * (1 / length)
    return moveaxis(result, -1, axis)


def _by_library(x, sine, kind, lengths, axes, scaled):
    """By the CPU's library; None where there is none."""
    if x.dtype.kind == "c":
        parts = [_by_library(part, sine, kind, lengths, axes, scaled) for part in (x.real, x.imag)]
        return None if parts[0] is None else parts[0] + 1j * parts[1]
    counts = lengths or [x.shape[axis] for axis in axes]
    if min(counts) < (2 if kind == 1 and not sine else 1):
        return None  # which the other way refuses
    try:
        return _core._fft(x, (7 if sine else 3) + kind, scaled, tuple(axes), tuple(counts), None)
    except NotImplementedError:  # without SciPy
        return None


def _transform(name, x, sine, kind, lengths, axes, norm, inverse, ends):
    x, kind, usual = as_device(name, x), _core._on_host(kind), norm == "ortho"
    ends = usual if ends is None else bool(ends)
    if norm not in (None, "backward", "ortho", "forward"):
        raise ValueError(f'Invalid norm value {norm!r}, should be "backward", "ortho" or "forward"')
    if kind not in _INVERSE:
        wrong = TypeError if isinstance(kind, str) or kind % 1 else ValueError
        raise wrong(f"{name}: type must be 1, 2, 3 or 4, not {kind!r}")
    if x.dtype.char not in "fdFD":
        x = x.astype("f" if x.dtype.char == "e" else "d")
    kind = _INVERSE[kind] if inverse else kind
    if axes and ends == usual and _core.backend() == "cpu":
        scaled = norm if norm == "ortho" else "forward" if inverse == (norm != "forward") else "backward"
        result = _by_library(x, sine, kind, lengths, axes, scaled)
        if result is not None:
            return result
    for i, axis in enumerate(axes):
        x = _along(x, sine, kind, None if lengths is None else lengths[i], axis, norm, inverse, ends)
    return x.copy() if not axes else x


def _one(name, x, sine, kind, n, axis, norm, inverse, ends):
    x = as_device(name, x)
    axes = [normalize_axis_index(operator.index(axis), x.ndim)]
    return _transform(name, x, sine, kind, None if n is None else [operator.index(n)], axes, norm, inverse, ends)


def _several(name, x, sine, kind, s, axes, norm, inverse, ends):
    axes, s = normal_axes(as_device(name, x), s, axes)
    return _transform(name, x, sine, kind, s, axes, norm, inverse, ends)


def dct(x, type=2, n=None, axis=-1, norm=None, overwrite_x=False, workers=None, orthogonalize=None):
    """The discrete cosine transform along an axis.

    Args:
        x: An array; of complex numbers both parts are transformed.
        type: 1, 2, 3 or 4, as SciPy numbers them.
        n: Number of points: x is cut off there, or continued by zeros.
        axis: Along which.
        norm: 'backward' (or None), 'ortho' or 'forward': which direction is scaled. 'ortho' makes it orthonormal.
        overwrite_x: Whether x's elements may be lost; they never are.
        workers: Accepted for SciPy's sake: how many threads there are is decided here.
        orthogonalize: Whether elements at the ends are scaled as an orthonormal transform asks for; by default if that
            is the norm.

    Returns:
        An array of float32 or float64, or complex.

    Raises:
        TypeError: ``x`` is no tombac array.
        ValueError: There is no such type, norm or axis (AxisError), or too few points; type 1 of a single one is a
            RuntimeError.

    CuPy has types 2 and 3 only.

    >>> import tombac, tombacx.scipy.fft
    >>> tombacx.scipy.fft.dct(tombac.ones(2)).round(6)
    array([4., 0.])
    """
    return _one("dct", x, False, type, n, axis, norm, False, orthogonalize)


def dst(x, type=2, n=None, axis=-1, norm=None, overwrite_x=False, workers=None, orthogonalize=None):
    """The discrete sine transform along an axis.

    Args:
        x: An array; of complex numbers both parts are transformed.
        type: 1, 2, 3 or 4, as SciPy numbers them.
        n: Number of points: x is cut off there, or continued by zeros.
        axis: Along which.
        norm: 'backward' (or None), 'ortho' or 'forward': which direction is scaled. 'ortho' makes it orthonormal.
        overwrite_x: Whether x's elements may be lost; they never are.
        workers: Accepted for SciPy's sake: how many threads there are is decided here.
        orthogonalize: Whether elements at the ends are scaled as an orthonormal transform asks for; by default if that
            is the norm.

    Returns:
        An array of float32 or float64, or complex.

    Raises:
        TypeError: ``x`` is no tombac array.
        ValueError: There is no such type, norm or axis (AxisError), or too few points; type 1 of a single one is a
            RuntimeError.

    CuPy has types 2 and 3 only.

    >>> import tombac, tombacx.scipy.fft
    >>> tombacx.scipy.fft.dst(tombac.ones(2)).round(6)
    array([2.828427, 0.      ])
    """
    return _one("dst", x, True, type, n, axis, norm, False, orthogonalize)


def idct(x, type=2, n=None, axis=-1, norm=None, overwrite_x=False, workers=None, orthogonalize=None):
    """The inverse of :func:`dct`.

    Args:
        x: An array; of complex numbers both parts are transformed.
        type: 1, 2, 3 or 4, as SciPy numbers them.
        n: Number of points: x is cut off there, or continued by zeros.
        axis: Along which.
        norm: 'backward' (or None), 'ortho' or 'forward': which direction is scaled. 'ortho' makes it orthonormal.
        overwrite_x: Whether x's elements may be lost; they never are.
        workers: Accepted for SciPy's sake: how many threads there are is decided here.
        orthogonalize: Whether elements at the ends are scaled as an orthonormal transform asks for; by default if that
            is the norm.

    Returns:
        An array of float32 or float64, or complex.

    Raises:
        TypeError: ``x`` is no tombac array.
        ValueError: There is no such type, norm or axis (AxisError), or too few points; type 1 of a single one is a
            RuntimeError.

    CuPy has types 2 and 3 only.

    >>> import tombac, tombacx.scipy.fft
    >>> tombacx.scipy.fft.idct(tombac.ones(2)).round(6)
    array([ 0.603553, -0.103553])
    """
    return _one("idct", x, False, type, n, axis, norm, True, orthogonalize)


def idst(x, type=2, n=None, axis=-1, norm=None, overwrite_x=False, workers=None, orthogonalize=None):
    """The inverse of :func:`dst`.

    Args:
        x: An array; of complex numbers both parts are transformed.
        type: 1, 2, 3 or 4, as SciPy numbers them.
        n: Number of points: x is cut off there, or continued by zeros.
        axis: Along which.
        norm: 'backward' (or None), 'ortho' or 'forward': which direction is scaled. 'ortho' makes it orthonormal.
        overwrite_x: Whether x's elements may be lost; they never are.
        workers: Accepted for SciPy's sake: how many threads there are is decided here.
        orthogonalize: Whether elements at the ends are scaled as an orthonormal transform asks for; by default if that
            is the norm.

    Returns:
        An array of float32 or float64, or complex.

    Raises:
        TypeError: ``x`` is no tombac array.
        ValueError: There is no such type, norm or axis (AxisError), or too few points; type 1 of a single one is a
            RuntimeError.

    CuPy has types 2 and 3 only.

    >>> import tombac, tombacx.scipy.fft
    >>> tombacx.scipy.fft.idst(tombac.ones(2)).round(6)
    array([0.603553, 0.103553])
    """
    return _one("idst", x, True, type, n, axis, norm, True, orthogonalize)


def dctn(x, type=2, s=None, axes=None, norm=None, overwrite_x=False, workers=None, orthogonalize=None):
    """The discrete cosine transform over several axes.

    Args:
        x: An array; of complex numbers both parts are transformed.
        type: 1, 2, 3 or 4, as SciPy numbers them.
        s: Number of points along each of the axes; None: as many as there are.
        axes: Along which; None: the last len(s) ones, or all.
        norm: 'backward' (or None), 'ortho' or 'forward': which direction is scaled. 'ortho' makes it orthonormal.
        overwrite_x: Whether x's elements may be lost; they never are.
        workers: Accepted for SciPy's sake: how many threads there are is decided here.
        orthogonalize: Whether elements at the ends are scaled as an orthonormal transform asks for; by default if that
            is the norm.

    Returns:
        An array of float32 or float64, or complex.

    Raises:
        TypeError: ``x`` is no tombac array.
        ValueError: There is no such type, norm or axis (AxisError), or too few points; type 1 of a single one is a
            RuntimeError.

    CuPy has types 2 and 3 only.

    >>> import tombac, tombacx.scipy.fft
    >>> tombacx.scipy.fft.dctn(tombac.ones((1, 2))).round(6)
    array([[8., 0.]])
    """
    return _several("dctn", x, False, type, s, axes, norm, False, orthogonalize)


def dstn(x, type=2, s=None, axes=None, norm=None, overwrite_x=False, workers=None, orthogonalize=None):
    """The discrete sine transform over several axes.

    Args:
        x: An array; of complex numbers both parts are transformed.
        type: 1, 2, 3 or 4, as SciPy numbers them.
        s: Number of points along each of the axes; None: as many as there are.
        axes: Along which; None: the last len(s) ones, or all.
        norm: 'backward' (or None), 'ortho' or 'forward': which direction is scaled. 'ortho' makes it orthonormal.
        overwrite_x: Whether x's elements may be lost; they never are.
        workers: Accepted for SciPy's sake: how many threads there are is decided here.
        orthogonalize: Whether elements at the ends are scaled as an orthonormal transform asks for; by default if that
            is the norm.

    Returns:
        An array of float32 or float64, or complex.

    Raises:
        TypeError: ``x`` is no tombac array.
        ValueError: There is no such type, norm or axis (AxisError), or too few points; type 1 of a single one is a
            RuntimeError.

    CuPy has types 2 and 3 only.

    >>> import tombac, tombacx.scipy.fft
    >>> tombacx.scipy.fft.dstn(tombac.ones((1, 2))).round(6)
    array([[5.656854, 0.      ]])
    """
    return _several("dstn", x, True, type, s, axes, norm, False, orthogonalize)


def idctn(x, type=2, s=None, axes=None, norm=None, overwrite_x=False, workers=None, orthogonalize=None):
    """The inverse of :func:`dctn`.

    Args:
        x: An array; of complex numbers both parts are transformed.
        type: 1, 2, 3 or 4, as SciPy numbers them.
        s: Number of points along each of the axes; None: as many as there are.
        axes: Along which; None: the last len(s) ones, or all.
        norm: 'backward' (or None), 'ortho' or 'forward': which direction is scaled. 'ortho' makes it orthonormal.
        overwrite_x: Whether x's elements may be lost; they never are.
        workers: Accepted for SciPy's sake: how many threads there are is decided here.
        orthogonalize: Whether elements at the ends are scaled as an orthonormal transform asks for; by default if that
            is the norm.

    Returns:
        An array of float32 or float64, or complex.

    Raises:
        TypeError: ``x`` is no tombac array.
        ValueError: There is no such type, norm or axis (AxisError), or too few points; type 1 of a single one is a
            RuntimeError.

    CuPy has types 2 and 3 only.

    >>> import tombac, tombacx.scipy.fft
    >>> tombacx.scipy.fft.idctn(tombac.ones((1, 2))).round(6)
    array([[ 0.301777, -0.051777]])
    """
    return _several("idctn", x, False, type, s, axes, norm, True, orthogonalize)


def idstn(x, type=2, s=None, axes=None, norm=None, overwrite_x=False, workers=None, orthogonalize=None):
    """The inverse of :func:`dstn`.

    Args:
        x: An array; of complex numbers both parts are transformed.
        type: 1, 2, 3 or 4, as SciPy numbers them.
        s: Number of points along each of the axes; None: as many as there are.
        axes: Along which; None: the last len(s) ones, or all.
        norm: 'backward' (or None), 'ortho' or 'forward': which direction is scaled. 'ortho' makes it orthonormal.
        overwrite_x: Whether x's elements may be lost; they never are.
        workers: Accepted for SciPy's sake: how many threads there are is decided here.
        orthogonalize: Whether elements at the ends are scaled as an orthonormal transform asks for; by default if that
            is the norm.

    Returns:
        An array of float32 or float64, or complex.

    Raises:
        TypeError: ``x`` is no tombac array.
        ValueError: There is no such type, norm or axis (AxisError), or too few points; type 1 of a single one is a
            RuntimeError.

    CuPy has types 2 and 3 only.

    >>> import tombac, tombacx.scipy.fft
    >>> tombacx.scipy.fft.idstn(tombac.ones((1, 2))).round(6)
    array([[0.301777, 0.051777]])
    """
    return _several("idstn", x, True, type, s, axes, norm, True, orthogonalize)
