"""Convolutions with filters of second and third order, which multiply two or three samples each."""

from tombac import _core
from tombac._core import asarray
from tombac._docstrings import with_rows

__all__ = ["convolve1d2o", "convolve1d3o"]

_LARGEST = 1 << 22  # elements of an intermediate product

_documented = with_rows(
    mode="""mode: 'valid' gives the places where all samples are there, 'same' as many as ``in1`` has, 'full' all
            where one sample is there; others are zeros then.""",
    method="method: 'direct', or 'auto', which is the same.",
    result="An array of one dimension, of the dtype that the arrays' dtypes are promoted to.",
    refusals="""ValueError: An array has another number of dimensions or is empty, there is no such ``mode`` or
            ``method``, or for 'valid' the filter is longer than ``in1``.""",
)


def _windows(name, in1, in2, order, mode, method):
    """For each dimension of the filter the samples that it meets at each place of the result, and the filter."""
    in1, in2 = asarray(in1), asarray(in2)
    if in1.ndim != 1 or in2.ndim != order:
        raise ValueError(f"{name}: in1 must have one dimension and in2 {order}, not {in1.ndim} and {in2.ndim}")
    if mode not in ("valid", "same", "full"):
        raise ValueError(f"{name}: mode must be 'valid', 'same' or 'full', not {mode!r}")
    if method not in ("direct", "auto"):
        raise ValueError(f"{name}: method must be 'direct' or 'auto', not {method!r}")
    longest = max(in2.shape)
    if not in2.size or not in1.size or (mode == "valid" and in1.size < longest):
        raise ValueError(f"{name}: a filter of shape {in2.shape}, but in1 has {in1.size} elements")
    dtype = _core.result_type(in1, in2)
    before = {"valid": 0, "same": longest - 1 - (longest - 1) // 2, "full": longest - 1}[mode]
    count = {"valid": in1.size - longest + 1, "same": in1.size, "full": in1.size + longest - 1}[mode]
    samples = _core.zeros(max(before + in1.size, count + longest - 1), dtype)
    samples[before:before + in1.size] = in1
    size = samples.itemsize
    windows = [_core.as_strided(samples, (count, k), (size, size))[:, ::-1] for k in in2.shape]
    return windows, in2.astype(dtype, copy=False)


def _in_parts(function, windows, kernel):
    """``function`` of some places' windows at a time, so that what is between takes little memory."""
    step = max(1, _LARGEST // max(kernel.shape[0], kernel.size // kernel.shape[0]))
    out = _core.empty(len(windows[0]), kernel.dtype)
    for i in range(0, out.size, step):
        out[i:i + step] = function(*(w[i:i + step] for w in windows))
    return out


@_documented
def convolve1d2o(in1, in2, mode="valid", method="direct"):
    """The convolution of a vector with a filter of second order.

    Args:
        in1: A vector of numbers, or a sequence.
        in2: The filter: an array of two dimensions, (W, H).
        {mode}
        {method}

    Returns:
        {result}

    Raises:
        {refusals}

    'valid' at place ``i`` is the sum of in2[j, k] in1[i + W - 1 - j] in1[i + H - 1 - k].

    >>> tombacx.signal.convolve1d2o(tombac.array([1, 2, 3]), tombac.array([[1, 0], [0, 1]]))
    array([ 5, 13])
    """
    windows, kernel = _windows("convolve1d2o", in1, in2, 2, mode, method)
    return _in_parts(lambda a, b: ((a @ kernel) * b).sum(1, dtype=kernel.dtype), windows, kernel)


@_documented
def convolve1d3o(in1, in2, mode="valid", method="direct"):
    """The convolution of a vector with a filter of third order.

    Args:
        in1: A vector of numbers, or a sequence.
        in2: The filter: an array of three dimensions, (W, H, D).
        {mode}
        {method}

    Returns:
        {result}

    Raises:
        {refusals}

    'valid' at place ``i`` is the sum of in2[j, k, l] in1[i + W - 1 - j] in1[i + H - 1 - k] in1[i + D - 1 - l].

    >>> tombacx.signal.convolve1d3o(tombac.array([1, 2, 3]), tombac.ones((1, 1, 1), int))
    array([ 1,  8, 27])
    """
    windows, kernel = _windows("convolve1d3o", in1, in2, 3, mode, method)
    w, h, d = kernel.shape
    flat = kernel.reshape(w, h * d)

    def part(a, b, c):
        planes = ((a @ flat).reshape(-1, h, d) * b[:, :, None]).sum(1, dtype=kernel.dtype)
        return (planes * c).sum(1, dtype=kernel.dtype)

    return _in_parts(part, windows, kernel)
