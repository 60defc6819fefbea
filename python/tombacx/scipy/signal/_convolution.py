"""Convolution and correlation of signals in any number of dimensions: by sums of products or by Fourier transforms."""

import math
import operator

from tombac import _core
from tombac._core import asarray
from tombac._docstrings import with_rows
from tombacx.scipy.signal._transformed_products import at_best, by_pieces, by_windows
from tombacx.scipy.signal._windowed_sums import direct

__all__ = ["choose_conv_method", "convolve", "correlate", "fftconvolve", "oaconvolve"]

_documented = with_rows(
    in1="in1: An array of numbers, or a sequence.",
    in2="in2: Another one, of as many dimensions.",
    mode="""mode: 'full' gives all places where the arrays overlap, 'same' those in the middle, as many as ``in1`` has,
            'valid' those where one array lies within the other.""",
    axes="""axes: Along which axes: an int or a sequence; all if None. Along the others the arrays are broadcast.""",
    transformed="""An array of float32 where both arrays are float32 or float16, else of float64; complex64 or
        complex128 where one is complex.""",
    refusals="""ValueError: The arrays have different numbers of dimensions, ``mode`` is none of these, or for 'valid'
            neither lies within the other.""",
    axes_refusals="""ValueError: The arrays have different numbers of dimensions, or cannot be broadcast; ``mode`` is
            none of these, for 'valid' neither lies within the other, or there are no such axes.""",
)

# What is estimated, in products of a sum: what a transform's element costs for each halving of its length, and what the
# adding up of a row's sums costs for each place of the result.
_TRANSFORM, _ROW = 20, 14


def region(name, mode, n, k):
    """Where in the full convolution of arrays of shapes ``n`` and ``k`` the mode's part begins, and its shape."""
    if mode == "full":
        return [0] * len(n), [a + b - 1 for a, b in zip(n, k)]
    if mode == "same":
        return [(b - 1) // 2 for b in k], list(n)
    if mode != "valid":
        raise ValueError(f"{name}: mode must be 'full', 'same' or 'valid', not {mode!r}")
    if not (all(a >= b for a, b in zip(n, k)) or all(a <= b for a, b in zip(n, k))):
        raise ValueError(f"{name}: for mode 'valid' one array must be at least as large as the other along every axis; "
                         f"the shapes are {tuple(n)} and {tuple(k)}")
    return [min(a, b) - 1 for a, b in zip(n, k)], [abs(a - b) + 1 for a, b in zip(n, k)]


def _checked(name, in1, in2):
    in1, in2 = asarray(in1), asarray(in2)
    if in1.ndim != in2.ndim:
        raise ValueError(f"{name}: in1 and in2 must have the same number of dimensions, not {in1.ndim} and {in2.ndim}")
    return in1, in2


def _fits_transforms(in1, in2):
    """Whether float64 holds every sum of products exactly, where they are integers. Waits for the largest of each."""
    bound = min(in1.size, in2.size)
    for x in (in1, in2):
        if x.dtype.kind in "ui":
            bound *= max(int(x.max()), -int(x.min()))
    return bound < 2**53


def _choice(in1, in2, mode):
    kinds = in1.dtype.kind, in2.dtype.kind
    n, k = in1.shape, in2.shape
    if kinds == ("b", "b"):
        return "direct"
    out, full = math.prod(region("choose_conv_method", mode, n, k)[1]), math.prod(a + b - 1 for a, b in zip(n, k))
    smaller = min(in1.size, in2.size)
    row = max(map(min, n, k))
    added = _ROW * smaller // row if in1.ndim > 1 else 0
    if out * (smaller + added) <= _TRANSFORM * full * math.log2(full + 1):
        return "direct"
    return "fft" if "f" in kinds or "c" in kinds or _fits_transforms(in1, in2) else "direct"


@_documented
def choose_conv_method(in1, in2, mode="full"):
    """Which method of convolve and correlate is the faster one, and exact for integers.

    Args:
        {in1}
        {in2}
        {mode}

    Returns:
        A str, 'direct' or 'fft'.

    Raises:
        {refusals}

    It is estimated, not measured: there is no ``measure``. For integers that need more than float64's 53 bits, and for
    bools, it is 'direct'.

    >>> tombacx.scipy.signal.choose_conv_method(tombac.ones(1000), tombac.ones(3))
    'direct'
    """
    in1, in2 = _checked("choose_conv_method", in1, in2)
    region("choose_conv_method", mode, in1.shape, in2.shape)
    return _choice(in1, in2, mode) if in1.size and in2.size else "direct"


@_documented
def convolve(in1, in2, mode="full", method="auto"):
    """The convolution: each place of the result is the sum of products of ``in1`` with ``in2`` reversed and shifted.

    Args:
        {in1}
        {in2}
        {mode}
        method: 'direct' takes the sums, 'fft' multiplies Fourier transforms, 'auto' chooses.

    Returns:
        An array of the dtype that the arrays' dtypes are promoted to.

    Raises:
        {refusals}
        ValueError: ``method`` is none of these, or an array is empty.

    'direct' is exact for integers; 'fft' rounds to them. With 'fft' a NaN or an infinity makes NaN of everything, or of
    pieces as in :func:`fftconvolve`, without SciPy's warning.

    >>> tombacx.scipy.signal.convolve(tombac.array([1, 2, 3]), tombac.array([0, 1]))
    array([0, 1, 2, 3])
    """
    return _convolve("convolve", *_checked("convolve", in1, in2), mode, method)


@_documented
def correlate(in1, in2, mode="full", method="auto"):
    """The cross-correlation: each place of the result is the sum of products of ``in1`` with ``in2`` shifted,
    conjugated.

    Args:
        {in1}
        {in2}
        {mode}
        method: 'direct' takes the sums, 'fft' multiplies Fourier transforms, 'auto' chooses.

    Returns:
        An array of the dtype that the arrays' dtypes are promoted to.

    Raises:
        {refusals}
        ValueError: ``method`` is none of these, or an array is empty.

    How far ``in2`` is shifted at each place is what :func:`correlation_lags` gives.

    >>> tombacx.scipy.signal.correlate(tombac.array([1, 2, 3]), tombac.array([0, 1]), "valid")
    array([2, 3])
    """
    in1, in2 = _checked("correlate", in1, in2)
    return _convolve("correlate", in1, reversed_conj(in2), mode, method)


def reversed_conj(x):
    """``x`` from behind along every axis, conjugated: convolving with it correlates with ``x``."""
    x = x[(slice(None, None, -1),) * x.ndim]
    return x.conj() if x.dtype.kind == "c" else x


def _convolve(name, in1, in2, mode, method):
    if in1.ndim == 0:
        return in1 * in2
    begin, shape = region(name, mode, in1.shape, in2.shape)
    if method not in ("auto", "direct", "fft"):
        raise ValueError(f"{name}: method must be 'auto', 'direct' or 'fft', not {method!r}")
    dtype = _core.result_type(in1, in2)
    if not in1.size or not in2.size:
        if mode == "same" and not in1.size:
            return _core.zeros(in1.shape, dtype)
        raise ValueError(f"{name}: in1 and in2 must not be empty; the shapes are {in1.shape} and {in2.shape}")
    if method == "auto":
        method = _choice(in1, in2, mode)
    if method == "direct":
        return direct(in1, in2, begin, tuple(shape))
    axes = tuple(range(in1.ndim))
    product = by_windows(in1, in2, axes, begin, shape)
    if product is None:
        product = _cropped(at_best(in1, in2, axes), begin, shape)
    if dtype.kind in "biu":
        product = _core.rint(product)
    return product.astype(dtype, copy=False)


def _cropped(product, begin, shape):
    return _core.ascontiguousarray(product[tuple(slice(b, b + n) for b, n in zip(begin, shape))])


def _axes(name, axes, ndim):
    """Axes as SciPy names them: any that are wrong are a ValueError."""
    if axes is None:
        return tuple(range(ndim))
    try:
        given = [operator.index(d) for d in (axes if hasattr(axes, "__iter__") else (axes,))]
    except TypeError:
        raise ValueError(f"{name}: axes must be an integer or a sequence of them, not {axes!r}") from None
    if not given:
        raise ValueError(f"{name}: axes must not be empty")
    if any(not -ndim <= d < ndim for d in given):
        raise ValueError(f"{name}: axes must be from {-ndim} to {ndim - 1}, not {axes!r}")
    given = [d % ndim for d in given]
    if len(set(given)) < len(given):
        raise ValueError(f"{name}: axes must be different ones, not {axes!r}")
    return tuple(sorted(given))


def _transformed(name, in1, in2, mode, axes, multiply):
    in1, in2 = _checked(name, in1, in2)
    if in1.ndim == 0:
        return in1 * in2
    if not in1.size or not in2.size:
        return _core.zeros(0)
    axes = _axes(name, axes, in1.ndim)
    n, k = in1.shape, in2.shape
    if any(a != b and a != 1 and b != 1 for d, (a, b) in enumerate(zip(n, k)) if d not in axes):
        raise ValueError(f"{name}: the shapes {n} and {k} cannot be broadcast along the axes other than {axes}")
    # A vector of one element is multiplied with: broadcasting does it.
    long = [d for d in axes if n[d] != 1 and k[d] != 1]
    begin, shape = region(name, mode, [n[d] for d in long], [k[d] for d in long])
    product = by_windows(in1, in2, long, begin, shape)
    if product is not None:
        begin = [0]
    else:
        product = multiply(in1, in2, long) if long else in1 * in2
    if mode == "same":
        return _cropped(product, [(a - b) // 2 for a, b in zip(product.shape, n)], n)
    cuts = dict(zip(long, zip(begin, shape)))
    where = [cuts.get(d, (0, m)) for d, m in enumerate(product.shape)]
    return _cropped(product, *zip(*where))


@_documented
def fftconvolve(in1, in2, mode="full", axes=None):
    """The convolution by multiplying Fourier transforms: the faster way where both arrays are large.

    Args:
        {in1}
        {in2}
        {mode}
        {axes}

    Returns:
        {transformed}

    Raises:
        {axes_refusals}

    A long array is cut into pieces, if that is less work: on the CPU, and on a GPU where it has half a million elements
    and the other one 16,384 at most. NaN and infinity then reach the pieces that they are in; otherwise they reach
    every element, as in SciPy.

    >>> tombacx.scipy.signal.fftconvolve(tombac.array([1.0, 2.0, 3.0]), tombac.array([0.0, 1.0])).round(9)
    array([0., 1., 2., 3.])
    """
    return _transformed("fftconvolve", in1, in2, mode, axes, at_best)


@_documented
def oaconvolve(in1, in2, mode="full", axes=None):
    """The convolution by multiplying Fourier transforms of pieces: the faster way where one array is much longer.

    Args:
        {in1}
        {in2}
        {mode}
        {axes}

    Returns:
        {transformed}

    Raises:
        {axes_refusals}

    The pieces' results overlap and are added.

    >>> tombacx.scipy.signal.oaconvolve(tombac.array([1.0, 2.0, 3.0]), tombac.array([0.0, 1.0])).round(9)
    array([0., 1., 2., 3.])
    """
    return _transformed("oaconvolve", in1, in2, mode, axes, by_pieces)
