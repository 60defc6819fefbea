"""B-splines through signals and images, and the recursive filters, once forward and once backward, that find them.

Signals go on mirrored about their ends, half an element beyond the last one for the filters. The first states are sums
over the whole signal, weighted by the filter's answer. Source: M. Unser, A. Aldroubi, M. Eden, B-spline signal
processing, IEEE Transactions on Signal Processing 41 (1993).
"""

import cmath
import functools
import math

from tombac import _core
from tombac._core import arange, asarray, where
from tombac._docstrings import with_rows
from tombac._numpy import np
from tombacx.scipy._host import host
from tombacx.scipy.signal._recurrences import recur, sections

__all__ = [
    "cspline1d", "cspline1d_eval", "cspline2d", "qspline1d", "qspline1d_eval", "qspline2d", "sepfir2d",
    "spline_filter", "symiirorder1", "symiirorder2",
]

_MOST_LOOKED_AT = 1 << 10  # of the last elements of an answer, among which it is small if anywhere
_CUBIC, _QUADRATIC = math.sqrt(3) - 2, 2 * math.sqrt(2) - 3

_documented = with_rows(
    input="input: A vector, or a matrix whose rows are filtered: numbers, of which integers are taken as float64.",
    precision="""precision: How small the filter's answer must have become at the end of the signal, whose first state
            is found by a sum over it; if not between 0 and 1, 1e-6 for numbers of single precision, else 1e-11.""",
    image_precision="""precision: How small the filter's answer must have become at the end of rows and columns; if not
            between 0 and 1, 1e-3 for numbers of single precision, else 1e-6.""",
    places="""newx: Where: an array of real numbers, or a sequence.
        dx: The distance of the signal's elements.
        x0: Where the first one is.""",
    short="ValueError: The signal is so short that the sum does not converge",
)


def _signals(name, x):
    """Rows of numbers that are not integers, and whether there was one alone."""
    x = asarray(x)
    x = x if x.dtype.char in "fdFD" else x.astype("f" if x.dtype.char == "e" else "d")
    if x.ndim not in (1, 2):
        raise ValueError(f"{name}: input must have one dimension or two, and has shape {x.shape}")
    return (x[None], True) if x.ndim == 1 else (x, False)


def _check_length(name, n, answer, precision, dtype, least):
    """Refuses so few elements that ``answer``, a function of their numbers, is small at none behind the first."""
    if not 0 < precision < 1:
        precision = 1e-6 if dtype.char in "fF" else 1e-11
    if n < least or not np.any(np.abs(answer(np.arange(n - 1, 0, -1))) <= precision):
        raise ValueError(f"{name}: the sum to find symmetric boundary conditions did not converge: {n} elements are "
                         f"too few")


def _powers(root):
    return lambda k: abs(root) ** k[:1]  # of which the last is the least


# ---- recursive filters -----------------------------------------------------------------------------------------------


def _lasting(root, n):
    """How many of n elements an answer lasts for, until nobody sees it beside its first ones."""
    return n if root == 0 else min(n, 2 + math.ceil(math.log(1e-30) / math.log(abs(root))))


def _first_order(x, c0, z1, scale=1.0):
    """c0 / ((1 - z1/z) (1 - z1 z)) of rows."""
    n = _lasting(z1, x.shape[1])
    powers = _core.power(asarray(z1).astype(np.result_type(x.dtype, np.asarray(z1).dtype.char)), arange(n))
    dtype = np.result_type(x.dtype, "F" if isinstance(z1, complex) or isinstance(c0, complex) else "f")
    before = (x[:, :n] * powers).sum(axis=1, keepdims=True).astype(dtype)
    a = np.array([1, -z1])
    up, _ = recur(x, 1, dtype, *sections(np.ones(1), a), (z1 * before)[None])
    last = c0 / (1 - z1) * up[:, -1:]
    down, _ = recur(up[:, :-1], 1, dtype, *sections(np.array([c0]), a), (z1 * last)[None], backwards=True)
    return _core.concatenate((down, last), axis=1)


@_documented
def symiirorder1(input, c0, z1, precision=-1.0):
    """A filter of first order forward and backward: c0 / ((1 - z1/z) (1 - z1 z)), the signal mirrored at its ends.

    Args:
        {input}
        c0: The gain.
        z1: The pole, less than 1 in absolute value.
        {precision}

    Returns:
        An array of ``input``'s shape.

    Raises:
        {short}, or the pole is not within the unit circle, or ``input`` has more than two dimensions.

    >>> x = tombac.zeros(51)
    >>> x[25] = 1
    >>> tombacx.scipy.signal.symiirorder1(x, 3.0, 0.5)[22:28]
    array([0.5, 1. , 2. , 4. , 2. , 1. ])
    """
    x, alone = _signals("symiirorder1", input)
    c0, z1 = host(c0), host(z1)
    if abs(z1) >= 1:
        raise ValueError("symiirorder1: |z1| must be less than 1.0")
    _check_length("symiirorder1", x.shape[1], _powers(z1), precision, x.dtype, 1)
    result = _first_order(x, c0, z1)
    return result[0] if alone else result


def _causal_answer(k, gain, r, omega, sin=_core.sin):
    """The answer of gain / (1 - 2 r cos(omega)/z + r^2/z^2), from its element 0 on."""
    turns = k + 1 if omega == 0 else sin(omega * (k + 1)) / math.sin(omega)
    return gain * r**k * turns


def _both_ways_answer(k, gain, r, omega):
    """The answer of that filter and the same backward."""
    square = r * r
    scale = gain * gain * (1 + square) / ((1 - square) * (1 - 2 * square * math.cos(2 * omega) + square * square))
    slope = (1 - square) / (1 + square)
    k = _core.absolute(k)
    turns = 1 + slope * k if omega == 0 else _core.cos(omega * k) + slope / math.tan(omega) * _core.sin(omega * k)
    return scale * r**k * turns


def _gain(r, omega):
    return 1 - 2 * r * math.cos(omega) + r * r


def _second_order(x, r, omega):
    gain = _gain(r, omega)
    a = np.array([1, -2 * r * math.cos(omega), r * r])
    matrices = sections(np.array([gain]), a)
    n = _lasting(r, x.shape[1]) if r > 0 else x.shape[1]
    k = arange(n, dtype=x.dtype.char.lower())

    def total(weights, of):
        return (weights.astype(x.dtype) * of).sum(axis=1, keepdims=True)

    def state(newest, other):
        """Of the filter, of which these are the last outputs."""
        return _core.concatenate((-a[1] * newest - a[2] * other, -a[2] * newest), axis=1)[None]

    # Elements -1 and -2 are the mirrored signal's: sums over it, begun one element later for the other.
    newest, other = (total(_causal_answer(k + d, gain, r, omega), x[:, :n]) for d in (0, -1))
    up, _ = recur(x, 1, x.dtype, *matrices, state(newest, other))
    turned = x[:, :-n - 1:-1]
    pairs = [_both_ways_answer(k - d, gain, r, omega) + _both_ways_answer(k + d + 1, gain, r, omega) for d in (0, 1)]
    last, behind = (total(pair, turned) for pair in pairs)
    down, _ = recur(up[:, :-2], 1, x.dtype, *matrices, state(behind, last), backwards=True)
    return _core.concatenate((down, behind, last), axis=1)


@_documented
def symiirorder2(input, r, omega, precision=-1.0):
    """A filter of second order forward and backward, with poles r exp(+-i omega); the signal mirrored at its ends.

    Args:
        input: A vector, or a matrix whose rows are filtered: real numbers, of which integers are taken as float64.
        r: The poles' absolute value, less than 1.
        omega: Their angle.
        {precision}

    Returns:
        An array of ``input``'s shape.

    Raises:
        {short}, or the poles are not within the unit circle, or ``input`` has more than two dimensions.
        TypeError: ``input`` is complex.

    SciPy ends the sums for the first states where a term is small, which may be in the middle of an oscillation; here
    all elements are summed.

    >>> tombacx.scipy.signal.symiirorder2(tombac.ones(80), 0.5, 0.8)[:3].round(6)
    array([1., 1., 1.])
    """
    x, alone = _signals("symiirorder2", input)
    if x.dtype.kind == "c":
        raise TypeError("symiirorder2: input must be real")
    r, omega = host(r), host(omega)
    if r >= 1:
        raise ValueError("symiirorder2: r must be less than 1.0")

    def answer(k):
        return _causal_answer(k[:_MOST_LOOKED_AT], _gain(r, omega), float(r), omega, np.sin)

    _check_length("symiirorder2", x.shape[1], answer, precision, x.dtype, 2)
    result = _second_order(x, r, omega)
    return result[0] if alone else result


# ---- coefficients of splines -----------------------------------------------------------------------------------------


def _smoothing(lamb):
    """(r, omega) of the poles of 1 / (B + lamb D), of the B-spline's samples and its second derivative's square.

    Both are polynomials of u = z + 1/z: B = (u + 4) / 6 and D = (u - 2)^2.
    """
    if lamb <= 1 / 144:
        raise ValueError("smoothing needs a lamb of more than 1/144")
    linear = 1 / 6 - 4 * lamb
    u = (-linear + cmath.sqrt(linear * linear - 4 * lamb * (4 * lamb + 2 / 3))) / (2 * lamb)
    root = cmath.sqrt(u * u - 4)
    pole = min((u + root) / 2, (u - root) / 2, key=abs)
    return abs(pole), abs(cmath.phase(pole))


def _vector(name, x):
    x = asarray(x)
    if x.ndim != 1 or x.size == 0:
        raise ValueError(f"{name}: signal must be a vector that is not empty, and has shape {x.shape}")
    return _signals(name, x.astype("D" if x.dtype.kind == "c" else "d", copy=False))[0]


def _interpolating(x, pole, scale):
    if x.shape[1] == 1:
        return x.copy()  # mirrored, it is constant
    return scale * _first_order(x, -pole, pole)


@_documented
def cspline1d(signal, lamb=0.0):
    """The coefficients of the cubic spline through a signal, or of one that smooths it.

    Args:
        signal: A vector of numbers, or a sequence.
        lamb: How much it is smoothed: 0, or more than 1/144.

    Returns:
        An array of the same shape: of float64 or complex128.

    Raises:
        ValueError: ``signal`` is no vector or empty, or ``lamb`` is between 0 and 1/144.

    >>> tombacx.scipy.signal.cspline1d(tombac.ones(30))[:4].round(6)
    array([1., 1., 1., 1.])
    """
    x = _vector("cspline1d", signal)
    if lamb == 0:
        return _interpolating(x, _CUBIC, 6.0)[0]
    poles = _smoothing(lamb)
    return (_second_order(x, *poles) if x.shape[1] > 1 else x.copy())[0]


@_documented
def qspline1d(signal, lamb=0.0):
    """The coefficients of the quadratic spline through a signal.

    Args:
        signal: A vector of numbers, or a sequence.
        lamb: 0: there is no smoothing.

    Returns:
        An array of the same shape: of float64 or complex128.

    Raises:
        ValueError: ``signal`` is no vector or empty, or ``lamb`` is not 0.

    >>> tombacx.scipy.signal.qspline1d(tombac.ones(30))[:4].round(6)
    array([1., 1., 1., 1.])
    """
    if lamb != 0:
        raise ValueError("qspline1d: smoothing quadratic splines are not supported")
    return _interpolating(_vector("qspline1d", signal), _QUADRATIC, 8.0)[0]


def _along_both(name, image, precision, root, filtered):
    x = asarray(image)
    x, alone = _signals(name, x)
    if not 0 < precision < 1:
        precision = 1e-3 if x.dtype.char in "fF" else 1e-6
    for _ in range(1 if alone else 2):
        _check_length(name, x.shape[1], _powers(root), precision, x.dtype, 2)
        x = filtered(x).T
    return x.T[0] if alone else x


@_documented
def cspline2d(signal, lamb=0.0, precision=-1.0):
    """The coefficients of the cubic spline through an image, or of one that smooths it.

    Args:
        signal: A matrix of numbers.
        lamb: How much it is smoothed; it is not, up to 1/144.
        {image_precision}

    Returns:
        An array of the same shape: of float32, complex64, complex128, or else of float64.

    Raises:
        {short}, or it has more than two dimensions.
        TypeError: It is complex, and is to be smoothed.

    >>> tombacx.scipy.signal.cspline2d(tombac.ones((12, 12)))[:2, :2].round(6)
    array([[1., 1.],
           [1., 1.]])
    """
    if lamb <= 1 / 144:
        return _along_both("cspline2d", signal, precision, _CUBIC, lambda x: _interpolating(x, _CUBIC, 6.0))
    r, omega = _smoothing(lamb)
    if asarray(signal).dtype.kind == "c":
        raise TypeError("cspline2d: a complex signal cannot be smoothed")
    return _along_both("cspline2d", signal, precision, r, lambda x: _second_order(x, r, omega))


@_documented
def qspline2d(signal, lamb=0.0, precision=-1.0):
    """The coefficients of the quadratic spline through an image.

    Args:
        signal: A matrix of numbers.
        lamb: 0: there is no smoothing.
        {image_precision}

    Returns:
        An array of the same shape: of float32, complex64, complex128, or else of float64.

    Raises:
        {short}, or it has more than two dimensions, or ``lamb`` is positive.

    >>> tombacx.scipy.signal.qspline2d(tombac.ones((12, 12)))[:2, :2].round(6)
    array([[1., 1.],
           [1., 1.]])
    """
    if lamb > 0:
        raise ValueError("qspline2d: lambda must be negative or zero")
    return _along_both("qspline2d", signal, precision, _QUADRATIC, lambda x: _interpolating(x, _QUADRATIC, 8.0))


@functools.lru_cache(64)
def _separable(*weights):
    """The filter along rows and then along columns, by the bytes of their weights of float64, as a function of an
    image; it gives None where there is no kernel for that."""
    from tombacx.scipy.ndimage import _windows
    from tombacx.scipy.ndimage._linear import weighted_window

    rows = ({"axis": axis, "mode": "reflect"} for axis in (1, 0))
    planned = _windows.plan_of_two(2, *(weighted_window(row, np.frombuffer(h)[::-1]) for row, h in zip(rows, weights)))

    def filtered(x):
        return _windows.promptly(x, None, *planned) if planned and _windows.is_for_two(x) else None

    return filtered


def _weights_of(h):
    return np.asarray(_core._on_host(h))


def _bytes_of(h):
    return h.tobytes() if h.dtype == "d" else h.astype("d").tobytes()


def sepfir2d(input, hrow, hcol):
    """An image, filtered along its rows and then along its columns; it goes on mirrored at its edges.

    Args:
        input: A matrix of numbers.
        hrow: The weights along rows: a vector of odd length, or a sequence.
        hcol: The same along columns.

    Returns:
        An array of the same shape: of float32, complex64, complex128, or else of float64.

    Raises:
        ValueError: ``input`` is no matrix, or the weights are no vectors of odd length.

    >>> tombacx.scipy.signal.sepfir2d(tombac.eye(3), [1.0, 1.0, 1.0], [1.0])
    array([[2., 1., 0.],
           [1., 1., 1.],
           [0., 1., 2.]])
    """
    x = asarray(input)
    if x.ndim != 2:
        raise ValueError(f"sepfir2d: input must be a matrix, and has shape {x.shape}")
    x = x if x.dtype.char in "fdFD" else x.astype("d")
    row = hrow
    hrow = _weights_of(row)
    hcol = hrow if hcol is row else _weights_of(hcol)
    if not hrow.ndim == hcol.ndim == 1 or 0 in (hrow.size % 2, hcol.size % 2):
        raise ValueError("sepfir2d: hrow and hcol must be vectors of odd length")
    if "c" not in (hrow.dtype.kind, hcol.dtype.kind):
        row = _bytes_of(hrow)
        result = _separable(row, row if hcol is hrow else _bytes_of(hcol))(x)
        if result is not None:
            return result
    from tombacx.scipy.ndimage import convolve1d

    for axis, h in ((1, hrow), (0, hcol)):
        x = convolve1d(x, h, axis, output=np.result_type(x.dtype, "F") if h.dtype.kind == "c" else None)
    return x


def spline_filter(Iin, lmbda=5.0):
    """An image, smoothed by a cubic spline.

    Args:
        Iin: A matrix of float32, float64, complex64 or complex128.
        lmbda: How much it is smoothed.

    Returns:
        An array of the same shape and dtype.

    Raises:
        TypeError: ``Iin`` is of another dtype; or complex, and ``lmbda`` more than 1/144.
        ValueError: ``Iin`` is no matrix, or too small for the sums from which the filter starts.

    >>> tombacx.scipy.signal.spline_filter(tombac.ones((60, 60)))[:2, :2].round(6)
    array([[1., 1.],
           [1., 1.]])
    """
    image = asarray(Iin)
    if image.dtype.char not in "fdFD":
        raise TypeError(f"spline_filter: Iin must not be of {image.dtype}")
    weights = np.array([1.0, 4.0, 1.0]) / 6
    return sepfir2d(cspline2d(image, lmbda), weights, weights).astype(image.dtype, copy=False)


# ---- splines at points -----------------------------------------------------------------------------------------------


def _coefficients(cj):
    cj = asarray(cj)
    if cj.size == 0:
        raise ValueError("spline coefficients 'cj' must not be empty")
    return cj


def _folded(x, n):
    """Coordinates mirrored about the first and the last of ``n`` elements."""
    if n == 1:
        return x * 0
    around = _core.absolute(x) % (2 * (n - 1))
    return where(around > n - 1, 2 * (n - 1) - around, around)


def _at(cj, x, order):
    """The spline at coordinates that count elements."""
    x = _folded(x, cj.size)
    first = (_core.floor(x) - 1) if order == 3 else _core.floor(x - 0.5)
    total = 0
    for i in range(order + 1):
        place = first + i
        distance = _core.absolute(x - place)
        if order == 3:
            near, far = 2 / 3 + distance * distance * (distance / 2 - 1), (2 - distance) ** 3 / 6
            weight = where(distance < 1, near, where(distance < 2, far, 0))
        else:
            far = (1.5 - distance) ** 2 / 2
            weight = where(distance < 0.5, 0.75 - distance * distance, where(distance < 1.5, far, 0))
        total = total + _core.take(cj, _core.clip(place, 0, cj.size - 1).astype(int)) * weight
    return total


@_documented
def cspline1d_eval(cj, newx, dx=1.0, x0=0):
    """The cubic spline of coefficients at points; mirrored beyond its ends.

    Args:
        cj: The coefficients, as cspline1d gives them: a vector.
        {places}

    Returns:
        An array of ``newx``'s shape and ``cj``'s dtype.

    Raises:
        ValueError: There are no coefficients.

    >>> cj = tombacx.scipy.signal.cspline1d(tombac.arange(30.0) ** 2)
    >>> tombacx.scipy.signal.cspline1d_eval(cj, tombac.array([1.0, 2.0, 3.0])).round(6)
    array([1., 4., 9.])
    """
    cj, x = _coefficients(cj), (asarray(newx) - x0) / float(dx)
    return _at(cj, x, 3).astype(cj.dtype)


@_documented
def qspline1d_eval(cj, newx, dx=1.0, x0=0):
    """The quadratic spline of coefficients at points; mirrored beyond its ends.

    Args:
        cj: The coefficients, as qspline1d gives them: a vector.
        {places}

    Returns:
        An array of ``newx``'s shape: real or complex as ``cj``, in the precision of ``newx``.

    Raises:
        ValueError: There are no coefficients.

    >>> cj = tombacx.scipy.signal.qspline1d(tombac.arange(30.0) ** 2)
    >>> tombacx.scipy.signal.qspline1d_eval(cj, tombac.array([1.0, 2.0, 3.0])).round(6)
    array([1., 4., 9.])
    """
    cj, x = _coefficients(cj), (asarray(newx) - x0) / dx
    return _at(cj, x, 2).astype(np.result_type(x.dtype, "F") if cj.dtype.kind == "c" else x.dtype)
