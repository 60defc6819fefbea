"""Companion matrices of polynomials, and the like: a few lines of a matrix of zeros are written."""

from tombac import _core
from tombac._core import arange
from tombac._numpy import np
from tombacx.scipy.linalg._special_matrices import vector

__all__ = ["companion", "fiedler", "fiedler_companion", "leslie"]


def companion(a):
    """Companion matrices, whose eigenvalues are a polynomial's roots.

    Args:
        a: The coefficients (..., n), the highest power's first; that must not be zero.

    Returns:
        An array of shape (..., n - 1, n - 1) and a floating or complex dtype.

    Raises:
        ValueError: There are fewer than two coefficients.

    Unlike SciPy's this reads nothing from the device: a leading zero is no error, and makes infinities or NaN.

    >>> tombacx.scipy.linalg.companion(tombac.array([1, -10, 31, -30]))
    array([[ 10., -31.,  30.],
           [  1.,   0.,   0.],
           [  0.,   1.,   0.]])
    """
    a = vector(a)
    n = a.shape[-1]
    if n < 2:
        raise ValueError(f"companion: at least two coefficients are expected, not {n}")
    first = -a[..., 1:] / (1.0 * a[..., :1])
    if _core.backend() == "cpu":
        result = _core.zeros((*a.shape[:-1], n - 1, n - 1), first.dtype)
        result[..., 0, :] = first
        result.reshape(*a.shape[:-1], (n - 1) ** 2)[..., n - 1 :: n] = 1
        return result
    i = arange(n - 1)
    below = (i[:, None] == i + 1).astype(first.dtype)
    return _core.where(i[:, None] == 0, first[..., None, :], below)


def leslie(f, s):
    """Leslie matrices, of a population's growth by age: fecundities in the first row, survivals under the diagonal.

    Args:
        f: The fecundities, of shape (..., n).
        s: The survival coefficients, of shape (..., n - 1).

    Returns:
        An array of shape (..., n, n) and the dtype that theirs are promoted to.

    Raises:
        ValueError: ``s`` has not one element less than ``f``, or none.

    >>> tombacx.scipy.linalg.leslie(tombac.array([0.1, 2.0]), tombac.array([0.2]))
    array([[0.1, 2. ],
           [0.2, 0. ]])
    """
    f, s = vector(f), vector(s)
    n = f.shape[-1]
    if n != s.shape[-1] + 1:
        raise ValueError(f"leslie: s must have one element less than f, not {s.shape[-1]} for {n}")
    if n == 1:
        raise ValueError("leslie: s must have an element")
    batch = np.broadcast_shapes(f.shape[:-1], s.shape[:-1])
    a = _core.zeros(batch + (n, n), np.result_type(f.dtype, s.dtype))
    a[..., 0, :] = f
    a[..., arange(1, n), arange(n - 1)] = s
    return a


def fiedler(a):
    """Fiedler matrices: the absolute differences of a vector's elements.

    Args:
        a: A vector of n elements, or several (..., n).

    Returns:
        An array of shape (..., n, n); for no element one of shape (0,), for a single one a zero of float64.

    Raises:
        TypeError: ``a`` is of truth values.

    >>> tombacx.scipy.linalg.fiedler(tombac.array([1, 4, 9]))
    array([[0, 3, 8],
           [3, 0, 5],
           [8, 5, 0]])
    """
    a = vector(a)
    if a.size < 2:
        return _core.zeros((a.size,) * (1 + a.size))
    return _core.absolute(a[..., :, None] - a[..., None, :])


def fiedler_companion(a):
    """Fiedler's companion matrix of a polynomial: of five diagonals, with its roots as eigenvalues.

    Args:
        a: The coefficients (..., n), the highest power's first; that must not be zero.

    Returns:
        An array of shape (..., n - 1, n - 1); of no elements for a single coefficient.

    Raises:
        TypeError: ``a`` is of a dtype that arrays cannot have.

    Unlike SciPy's this reads nothing from the device: a leading zero is no error, and makes infinities or NaN.
    Source: M. Fiedler, A note on companion matrices, Linear Algebra and its Applications 372 (2003).

    >>> tombacx.scipy.linalg.fiedler_companion(tombac.array([1.0, -10.0, 31.0, -30.0]))
    array([[ 10., -31.,   1.],
           [  1.,   0.,   0.],
           [  0.,  30.,   0.]])
    """
    a = vector(a)
    if a.shape[-1] < 2:
        return _core.zeros(a.shape[:-1] + (0,), a.dtype)
    a = a / a[..., :1]
    n = a.shape[-1] - 1
    c = _core.zeros(a.shape[:-1] + (n, n), a.dtype)
    c[..., 0, 0] = -a[..., 1]
    if n == 1:
        return c
    c[..., 1, 0] = 1
    _set(c, range(0, n - 1, 2), range(1, n, 2), -a[..., 2::2])
    _set(c, range(2, n, 2), range(1, n - 1, 2), -a[..., 3::2])
    _set(c, range(0, n - 2, 2), range(2, n, 2), 1)
    _set(c, range(3, n, 2), range(1, n - 2, 2), 1)
    return c


def _set(matrices, rows, columns, values):
    if len(rows):
        matrices[..., _along(rows), _along(columns)] = values


def _along(r):
    return arange(r.start, r.stop, r.step)
