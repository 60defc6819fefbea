"""Convolution and correlation of pictures, with a choice of what lies beyond their edges."""

import functools

from tombac import _core
from tombac._core import asarray
from tombac._docstrings import with_rows
from tombac._numpy import np
from tombac._padding import pad
from tombacx.scipy.signal._convolution import region, reversed_conj
from tombacx.scipy.signal._windowed_sums import direct, valid

__all__ = ["convolve2d", "correlate2d"]

_documented = with_rows(
    arguments="""in1: An array of two dimensions, or nested sequences.
        in2: Another one.
        mode: 'full' gives all places where the arrays overlap, 'same' those in the middle, as many as ``in1`` has,
            'valid' those where one array lies within the other.
        boundary: What lies beyond the edges of ``in1``: 'fill' (or 'pad') a value, 'wrap' (or 'circular') ``in1``
            again, 'symm' (or 'symmetric') its mirror image.
        fillvalue: The value for 'fill': a number.""",
    result="""An array of the dtype that the arrays' dtypes are promoted to; integers are exact.""",
    refusals="""ValueError: An array has not two dimensions, ``mode`` or ``boundary`` is none of these, for 'valid'
            neither array lies within the other, or ``fillvalue`` is not one number of the result's dtype.""",
)

_BOUNDARIES = {"fill": "constant", "pad": "constant", "wrap": "wrap", "circular": "wrap", "symm": "symmetric",
               "symmetric": "symmetric"}


def _fill(name, fillvalue, dtype):
    fillvalue = _core._on_host(fillvalue)
    if getattr(fillvalue, "size", len(fillvalue) if hasattr(fillvalue, "__len__") else 1) != 1:
        raise ValueError(f"{name}: fillvalue must be one number, not {fillvalue!r}")
    value = complex(fillvalue[0] if isinstance(fillvalue, (tuple, list)) else fillvalue)
    if dtype.kind == "c":
        return value
    if value.imag or (dtype.kind in "iu" and value.real - value.real):  # NaN and infinities are no integers
        raise ValueError(f"{name}: fillvalue {fillvalue!r} cannot be cast to {dtype}")
    return int(value.real) if dtype.kind in "iu" else value.real


def _convolve2d(name, in1, in2, mode, boundary, fillvalue, middle):
    in1, in2 = asarray(in1), asarray(in2)
    if in1.ndim != 2 or in2.ndim != 2:
        raise ValueError(f"{name}: in1 and in2 must have two dimensions, not {in1.ndim} and {in2.ndim}")
    if boundary not in _BOUNDARIES:
        raise ValueError(f"{name}: boundary must be 'fill', 'wrap' or 'symm', not {boundary!r}")
    begin, shape = region(name, mode, in1.shape, in2.shape)
    if mode == "same":
        begin = [middle(k) for k in in2.shape]
    dtype = _core.result_type(in1, in2)
    value = _fill(name, fillvalue, dtype)
    if min(shape) < 0:
        raise ValueError(f"{name}: in1 and in2 must not be empty; the shapes are {in1.shape} and {in2.shape}")
    if not in2.size or not in1.size:
        return _core.zeros(shape, dtype)
    result = _by_windows(in1, in2, begin, shape, mode, boundary, value, dtype)
    if result is not None:
        return result
    mirrored = _BOUNDARIES[boundary]
    if mode == "valid" or (mirrored == "constant" and value == 0):
        return direct(in1, in2, begin, shape)
    in1 = in1.astype(dtype, copy=False)  # which may hold the value where in1's dtype does not
    widths = [(k - 1 - b, max(b + m - n, 0)) for b, m, n, k in zip(begin, shape, in1.shape, in2.shape)]
    filled = pad(in1, widths, mirrored, **({"constant_values": value} if mirrored == "constant" else {}))
    return valid(filled[tuple(slice(m + k - 1) for m, k in zip(shape, in2.shape))], in2)


_EDGES = {"constant": 4, "wrap": 2, "symmetric": 1}  # tb_spline_edge
_MOST = 1024  # elements of in2


@functools.lru_cache(64)
def _places(first, second, height, width):
    """Where the elements of a kernel lie from an element of the result, whose own place is (first, second) of it."""
    places = np.empty((height, width, 2), "l")
    places[..., 0] = np.arange(first + 1 - height, first + 1)[:, None]
    places[..., 1] = np.arange(second + 1 - width, second + 1)
    return places.reshape(-1, 2)


_SMALL = 1 << 14  # elements over which writing twice takes less time than finding out what need not be


def _extended(x, shape, value, dtype):
    """x as a part of a larger array, from where that begins."""
    if x.size > _SMALL:
        return pad(x.astype(dtype, copy=False), [(0, n - k) for n, k in zip(shape, x.shape)], constant_values=value)
    extended = _core.zeros(shape, dtype) if value == 0 else _core.full(shape, value, dtype)
    extended[:x.shape[0], :x.shape[1]] = x
    return extended


def _by_windows(in1, in2, begin, shape, mode, boundary, value, dtype):
    """The convolution by the kernel of filters over windows, which reads in2 where it is and goes beyond edges by
    itself; None where it is none for that.
    """
    larger = any(k > n for k, n in zip(in2.shape, in1.shape))
    edge = _EDGES[_BOUNDARIES[boundary]]
    if (dtype.char not in "fdFD" or in2.size > _MOST or (mode == "valid" and larger)
            or (mode == "full" and edge != 4)):
        return None
    work = "D" if dtype.kind == "c" else "d"
    weights = in2[::-1, ::-1].astype(work).reshape(-1)
    if mode == "full":
        in1 = _extended(in1, shape, value, dtype)
    try:
        result = _core._window_filter(in1, 0, _places(*begin, *in2.shape), weights, 0, (edge, edge), value, work, dtype)
    except NotImplementedError:  # no room for such a window
        return None
    return _core.ascontiguousarray(result[:shape[0], :shape[1]]) if mode == "valid" else result


@_documented
def convolve2d(in1, in2, mode="full", boundary="fill", fillvalue=0):
    """The convolution of two pictures, by sums of products.

    Args:
        {arguments}

    Returns:
        {result}

    Raises:
        {refusals}

    >>> picture = tombac.array([[1, 2], [3, 4]])
    >>> tombacx.scipy.signal.convolve2d(picture, tombac.array([[1, 10, 100]]), "same", "symm")
    array([[112, 122],
           [334, 344]])
    """
    return _convolve2d("convolve2d", in1, in2, mode, boundary, fillvalue, lambda k: (k - 1) // 2)


@_documented
def correlate2d(in1, in2, mode="full", boundary="fill", fillvalue=0):
    """The cross-correlation of two pictures, by sums of products: the second is conjugated.

    Args:
        {arguments}

    Returns:
        {result}

    Raises:
        {refusals}

    For 'valid', where the second picture is the larger one, SciPy conjugates the first instead.

    >>> picture = tombac.array([[1, 2], [3, 4]])
    >>> tombacx.scipy.signal.correlate2d(picture, tombac.array([[1, 10, 100]]), "same", "symm")
    array([[211, 221],
           [433, 443]])
    """
    in2 = reversed_conj(asarray(in2))
    return _convolve2d("correlate2d", in1, in2, mode, boundary, fillvalue, lambda k: k // 2)
