"""Polynomials by their coefficients, the highest power first: NumPy's poly functions.

What needs the eigenvalues of a companion matrix, and what divides step by step (roots, poly of a matrix, polydiv), is
computed by NumPy on the host, which waits for the device.
"""

import operator
import warnings

from tombac import _core, linalg
from tombac._add_remove import trim_zeros
from tombac._convolution import convolve
from tombac._creation import vander
from tombac._numpy import np
from tombac._util import check_arrays
from tombac.exceptions import RankWarning

_FEW = 16  # zeros whose polynomial is made by numbers of Python's in less time than by arrays

__all__ = ["poly", "polyadd", "polyder", "polydiv", "polyfit", "polyint", "polymul", "polysub", "polyval", "roots"]


def _is_poly(x):
    if isinstance(x, _core.ndarray):
        return False
    from tombac._poly1d import poly1d

    return isinstance(x, (poly1d, np.poly1d))


def coefficients(name, x):
    """The coefficients of a polynomial, an array, a sequence or a number, as a vector on the device."""
    if not isinstance(x, _core.ndarray):
        if _is_poly(x):
            x = x.coeffs
            return x if isinstance(x, _core.ndarray) else _core.asarray(x)
        if isinstance(x, np.ndarray):
            raise TypeError(f"{name}: a tombac.ndarray is expected, not {type(x)}")
        x = _core.asarray(x)
    if x.ndim == 1:
        return x
    if x.ndim > 1:
        raise ValueError(f"{name}: the coefficients must have one dimension, they have {x.ndim}")
    return x.reshape(1)


def _leading(name, x):
    """coefficients without zeros in front, but one where nothing else is left."""
    x = coefficients(name, x)
    kept = trim_zeros(x, "f")
    return kept if kept.size else _core.zeros(1, x.dtype)


def _wrapped(result, *operands):
    """A poly1d where an operand is one."""
    for x in operands:
        if not isinstance(x, _core.ndarray) and _is_poly(x):
            from tombac._poly1d import poly1d

            return poly1d(result)
    return result


def _sum(name, function, a1, a2):
    x, y = coefficients(name, a1), coefficients(name, a2)
    if x.size != y.size:
        n = max(x.size, y.size)
        x, y = (a if a.size == n else _core.concatenate((_core.zeros(n - a.size, a.dtype), a)) for a in (x, y))
    return _wrapped(function(x, y), a1, a2)


def polyadd(a1, a2):
    """The sum of two polynomials: coefficients (vectors, sequences or numbers) or poly1d, which the result is then too.

    Args:
        a1, a2: Vectors, sequences or numbers, the highest power first, or poly1d.

    Returns:
        An array of one dimension, or a poly1d if an operand is one.

    Raises:
        ValueError: Coefficients have more than one dimension.
        TypeError: An operand is an array of NumPy's.

    >>> import tombac as tb
    >>> tb.polyadd(tb.array([1, 2]), tb.array([9, 5, 4]))
    array([9, 6, 6])
    """
    return _sum("polyadd", _core.add, a1, a2)


def polysub(a1, a2):
    """The difference of two polynomials: coefficients or poly1d, as in polyadd.

    Args:
        a1, a2: Vectors, sequences or numbers, the highest power first, or poly1d.

    Returns:
        An array of one dimension, or a poly1d if an operand is one.

    Raises:
        ValueError: Coefficients have more than one dimension.
        TypeError: An operand is an array of NumPy's.

    >>> import tombac as tb
    >>> tb.polysub(tb.array([2, 10]), tb.array([1, 2, 3]))
    array([-1,  0,  7])
    """
    return _sum("polysub", _core.subtract, a1, a2)


def polymul(a1, a2):
    """The product of two polynomials: coefficients or poly1d, as in polyadd. The host waits for leading zeros to drop.

    Args:
        a1, a2: Vectors, sequences or numbers, the highest power first, or poly1d.

    Returns:
        An array of one dimension, or a poly1d if an operand is one.

    Raises:
        ValueError: Coefficients have more than one dimension.
        TypeError: An operand is an array of NumPy's.

    >>> import tombac as tb
    >>> tb.polymul(tb.array([1, 2]), tb.array([9, 5]))
    array([ 9, 23, 10])
    """
    return _wrapped(convolve(_leading("polymul", a1), _leading("polymul", a2)), a1, a2)


def polydiv(u, v):
    """Quotient and remainder of two polynomials: coefficients or poly1d, as in polyadd. Computed on the host.

    Args:
        u, v: Vectors, sequences or numbers, the highest power first, or poly1d.

    Returns:
        A tuple of two arrays of one dimension, or of two poly1d if an operand is one.

    Raises:
        ValueError: Coefficients have more than one dimension.
        TypeError: An operand is an array of NumPy's.

    >>> import tombac as tb
    >>> tb.polydiv(tb.array([3.0, 5.0, 2.0]), tb.array([2.0, 1.0]))
    (array([1.5 , 1.75]), array([0.25]))
    """
    parts = np.polydiv(coefficients("polydiv", u).get(), coefficients("polydiv", v).get())
    return tuple([_wrapped(_core.asarray(part), u, v) for part in parts])


def polyval(p, x):
    """A polynomial's values: p[0] * x**(n-1) + ... + p[n-1], one kernel for polynomials of moderate degree.

    Args:
        p: Coefficients or a poly1d.
        x: An array of any shape or a number, or a poly1d, which is put in for the variable and gives a poly1d.

    Returns:
        An array of ``x``'s shape, or a poly1d.

    Raises:
        ValueError: Coefficients have more than one dimension.
        TypeError: ``p`` or ``x`` is an array of NumPy's.

    >>> import tombac as tb
    >>> tb.polyval(tb.array([3, 0, 1]), tb.arange(3))
    array([ 1,  4, 13])
    """
    p = coefficients("polyval", p)
    if _is_poly(x):
        result = _wrapped(_core.zeros(1, p.dtype), x)
    else:
        x = x if isinstance(x, _core.ndarray) else coefficients("polyval", x).reshape(np.shape(x))
        result = _core.zeros_like(x)
    for c in p:
        result = result * x + c
    return result


def polyder(p, m=1):
    """The ``m``-th derivative of a polynomial: coefficients or a poly1d.

    Args:
        p: A vector, a sequence or a number, the highest power first, or a poly1d.
        m: How often; an int.

    Returns:
        An array of one dimension, or a poly1d if ``p`` is one.

    Raises:
        ValueError: ``m`` is negative.

    >>> import tombac as tb
    >>> tb.polyder(tb.array([1, 1, 1, 1]))
    array([3, 2, 1])
    """
    m = operator.index(m)
    if m < 0:
        raise ValueError(f"polyder: m must not be negative, it is {m}")
    c = coefficients("polyder", p)
    for _ in range(m):
        c = c[:-1] * _core.arange(c.size - 1, 0, -1)
    return _wrapped(c, p)


def polyint(p, m=1, k=None):
    """The ``m``-th antiderivative of a polynomial, with ``k``, zero by default, as the constants of integration.

    Args:
        p: A vector, a sequence or a number, the highest power first, or a poly1d.
        m: How often; an int.
        k: A number for all, or a sequence of ``m`` of them.

    Returns:
        An array of one dimension, or a poly1d if ``p`` is one.

    Raises:
        ValueError: ``m`` is negative, or there are fewer constants than ``m``.

    >>> import tombac as tb
    >>> tb.polyint(tb.array([3.0, 2.0, 1.0]))
    array([1., 1., 1., 0.])
    """
    m = operator.index(m)
    if m < 0:
        raise ValueError(f"polyint: m must not be negative, it is {m}")
    constants = np.atleast_1d(0.0 if k is None else _core._on_host(k))
    if len(constants) == 1 and m > 1:
        constants = np.full(m, constants[0])
    if len(constants) < m:
        raise ValueError(f"polyint: {len(constants)} constants of integration for m = {m}")
    c = coefficients("polyint", p)
    for i in range(m):
        c = _core.concatenate((c / _core.arange(c.size, 0, -1), _core.asarray(constants[i : i + 1])))
    return _wrapped(c, p)


# ---- by NumPy on the host --------------------------------------------------------------------------------------------


def _host(name, x):
    if isinstance(x, np.ndarray):
        raise TypeError(f"{name}: a tombac.ndarray is expected, not {type(x)}")
    return _core._on_host(x)


def poly(seq_of_zeros):
    """The coefficients of the polynomial that has given zeros, or of a matrix' characteristic polynomial.

    Args:
        seq_of_zeros: A vector or sequence of zeros, or a square matrix.

    Returns:
        An array of one dimension.

    Raises:
        ValueError: The array is neither a vector nor a square matrix.

    >>> import tombac as tb
    >>> tb.poly(tb.array([1.0, 2.0]))
    array([ 1., -3.,  2.])
    """
    zeros = _host("poly", seq_of_zeros)
    if zeros.dtype.char not in "dlq" or zeros.ndim != 1 or not 0 < zeros.size <= _FEW:
        return _core.asarray(np.poly(zeros))
    made = [1.0]
    for zero in zeros.tolist():
        made = [1.0, *[a - b * zero for a, b in zip(made[1:], made, strict=False)], -made[-1] * zero]
    return _core.asarray(made)


def roots(p):
    """The zeros of a polynomial: coefficients or a poly1d.

    Args:
        p: A vector, a sequence or a number, the highest power first, or a poly1d.

    Returns:
        An array of one dimension, complex if a zero is. It is computed on the host.

    Raises:
        ValueError: The coefficients have more than one dimension.

    >>> import tombac as tb
    >>> tb.roots(tb.array([1.0, -3.0, 2.0]))
    array([2., 1.])
    """
    p = coefficients("roots", p).get()
    n = p.size - 1
    if n < 2 or p.dtype.char not in "dD" or not (p[0] and p[-1]):
        zeros = np.roots(p)
    else:
        companion = np.zeros((n, n), p.dtype)
        companion.ravel()[n :: n + 1] = 1
        companion[0] = p[1:] / -p[0]
        zeros = np.linalg.eigvals(companion)
    # NumPy's are always complex from 2.5 on.
    return _core.asarray(zeros.real if zeros.dtype.kind == "c" != p.dtype.kind and not zeros.imag.any() else zeros)


def _checked_points(x, y, deg, w):
    """The number of coefficients, and points, values and weights as inexact arrays."""
    order = operator.index(deg) + 1
    check_arrays("polyfit", x, y, *([] if w is None else [w]))
    if order < 1:
        raise ValueError("polyfit: deg must not be negative")
    if x.ndim != 1 or x.size == 0:
        raise TypeError(f"polyfit: x must be a vector that is not empty, not of the shape {x.shape}")
    if y.ndim not in (1, 2) or y.shape[0] != x.size:
        raise TypeError(f"polyfit: y must be a vector or a matrix of {x.size} rows, not of the shape {y.shape}")
    if w is not None and w.shape != x.shape:
        raise TypeError(f"polyfit: w must be a vector of {x.size} elements, not of the shape {w.shape}")
    return order, x + 0.0, y + 0.0, None if w is None else w + 0.0


def _covariance(scaled, size, residuals, n, ndim, cov):
    """What NumPy's cov= gives for the least-squares solution of columns that were divided by their sizes."""
    base = linalg.inv(_core.matmul(scaled.T, scaled)) / (size[:, None] * size)
    order = size.size
    if not (isinstance(cov, str) and cov == "unscaled"):
        if n <= order:
            raise ValueError("polyfit: the number of points must exceed that of coefficients for a covariance")
        base = base * (residuals / (n - order)) if ndim == 1 else base[:, :, None] * (residuals / (n - order))
        return base
    return base if ndim == 1 else base[:, :, None]


def polyfit(x, y, deg, rcond=None, full=False, w=None, cov=False):
    """The polynomial that has the least squared distance from points.

    Args:
        x: The points, a vector of n elements.
        y: Values at the points: a vector of n, or a matrix of n rows whose columns are fitted one by one.
        deg: The degree.
        rcond: Singular values below this part of the largest one count as zero; n times the machine's epsilon.
        full: Return ``(coefficients, residuals, rank, singular values, rcond)``.
        w: Weights of the distances (not of their squares), a vector of n elements.
        cov: Return ``(coefficients, their covariance)``; 'unscaled' if the weights are the inverse deviations.

    Returns:
        The deg + 1 coefficients, the highest power first, a column for each column of ``y``.

    Raises:
        TypeError: The arrays are not tombac's, are empty, or differ in length.
        ValueError: ``deg`` is negative, or there are too few points for ``cov``.

    A RankWarning says that the points do not determine the polynomial.

    >>> import tombac as tb
    >>> x = tb.arange(5.0)
    >>> tb.polyfit(x, x * 2 + 1, 1).round(9)
    array([2., 1.])
    """
    order, x, y, w = _checked_points(x, y, deg, w)
    rcond = x.size * float(np.finfo(_core.result_type(x.dtype, np.float32)).eps) if rcond is None else rcond
    left, right = vander(x, order), y
    if w is not None:  # in the points' and the values' own dtypes, as NumPy does
        left, right = left * w[:, None].astype(x.dtype), y * (w if y.ndim == 1 else w[:, None]).astype(y.dtype)
    size = _core.sqrt(_core.sum(left * left.conj(), 0).real)
    c, residuals, rank, values = linalg.lstsq(left / size, right, rcond)
    c = (c.T / size).T
    if full:
        return c, residuals, rank, values, rcond
    if int(rank) != order:
        warnings.warn("polyfit: the points may not determine the polynomial", RankWarning, stacklevel=2)
    return (c, _covariance(left / size, size, residuals, x.size, y.ndim, cov)) if cov else c
