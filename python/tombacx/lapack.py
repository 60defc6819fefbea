"""Equations solved by LAPACK's routines, by their names: float32, float64, complex64 and complex128."""

from tombac import _core
from tombac._numpy import np
from tombac._util import check_arrays
from tombac.linalg._decompositions import cholesky
from tombac.linalg._solve import adjoint

__all__ = ["gels", "gesv", "posv", "potrs"]


def check_equations(name, a, b, square=True):
    """One dtype that LAPACK has, two dimensions, and as many rows."""
    check_arrays(name, a, b)
    if a.dtype != b.dtype:
        raise ValueError(f"{name}: a and b must be of one dtype, not {a.dtype} and {b.dtype}")
    if a.dtype.char not in "fdFD":
        raise ValueError(f"{name}: float32, float64, complex64 or complex128 is expected, not {a.dtype}")
    if a.ndim != 2 or b.ndim not in (1, 2):
        raise ValueError(f"{name}: a must have two dimensions and b one or two, not {a.ndim} and {b.ndim}")
    if square and a.shape[0] != a.shape[1]:
        raise ValueError(f"{name}: a must be square, its shape is {a.shape}")
    if a.shape[0] != b.shape[0]:
        raise ValueError(f"{name}: a has {a.shape[0]} rows, b {b.shape[0]}")


def gesv(a, b):
    """``x`` with ``a @ x == b``, by LU factors.

    Args:
        a: An array of float32, float64, complex64 or complex128 and shape ``(n, n)``; unlike CuPy's it stays what it
            is.
        b: An array of the same dtype and shape ``(n,)`` or ``(n, k)``.

    Returns:
        An array of ``b``'s shape.

    Raises:
        ValueError: The dtypes or the shapes do not match.
        TypeError: An argument is no tombac array.

    >>> tombacx.lapack.gesv(tombac.array([[2.0, 0.0], [0.0, 4.0]]), tombac.array([2.0, 2.0]))
    array([1. , 0.5])
    """
    check_equations("gesv", a, b)
    return _core._solve(a, b)


def gels(a, b):
    """``x`` for which ``a @ x - b`` is shortest or, where there are several, the shortest of them, by QR.

    Args:
        a: An array of float32, float64, complex64 or complex128 and shape ``(m, n)``, of full rank.
        b: An array of the same dtype and shape ``(m,)`` or ``(m, k)``.

    Returns:
        An array of shape ``(n,)`` or ``(n, k)``.

    Raises:
        ValueError: The dtypes or the shapes do not match.
        TypeError: An argument is no tombac array.

    >>> tombacx.lapack.gels(tombac.array([[1.0], [1.0]]), tombac.array([1.0, 3.0]))
    array([2.])
    """
    check_equations("gels", a, b, square=False)
    m, n = a.shape
    if m >= n:
        q, r = _core._qr(a, "reduced")
        return _core._solve_triangular(r, _core.matmul(adjoint(q), b), False, "N", False)
    q, r = _core._qr(adjoint(a), "reduced")
    return _core.matmul(q, _core._solve_triangular(r, b, False, "C", False))


def potrs(L, b, lower):
    """``x`` with ``a @ x == b``, by the Cholesky factor of ``a``.

    Args:
        L: A triangle of float32, float64, complex64 or complex128 and shape ``(..., n, n)``.
        b: An array of the same dtype and shape ``(..., n)`` or ``(..., n, k)``.
        lower: Whether ``L`` is the lower triangle, not the upper one.

    Returns:
        An array of ``b``'s shape.

    Raises:
        ValueError: The dtypes or the shapes do not match.
        TypeError: An argument is no tombac array.

    >>> tombacx.lapack.potrs(tombac.array([[2.0, 0.0], [1.0, 2.0]]), tombac.array([8.0, 12.0]), True)
    array([1., 2.])
    """
    check_arrays("potrs", L, b)
    if L.dtype != b.dtype:
        raise ValueError(f"potrs: L and b must be of one dtype, not {L.dtype} and {b.dtype}")
    if L.dtype.char not in "fdFD":
        raise ValueError(f"potrs: float32, float64, complex64 or complex128 is expected, not {L.dtype}")
    if L.ndim < 2 or L.shape[-1] != L.shape[-2]:
        raise np.linalg.LinAlgError(f"potrs: the last two dimensions of L must be square, its shape is {L.shape}")
    return _stacks("potrs", L, b, lambda right: _core._cho_solve(L, right, lower))


def _stacks(name, a, b, solution):
    """solution(b), with a b of the shape a.shape[:-1] as the vectors that it is."""
    if b.shape == a.shape[:-1]:
        return solution(b[..., None])[..., 0]
    if b.ndim != a.ndim or b.shape[:-1] != a.shape[:-1]:
        raise ValueError(f"{name}: shapes {a.shape} and {b.shape} do not match")
    return solution(b)


def posv(a, b):
    """``x`` with ``a @ x == b``, where ``a`` is Hermitian and positive definite, by Cholesky factors.

    Args:
        a: An array of any numeric dtype and shape ``(..., n, n)``, of which only the lower triangle is read.
        b: An array of shape ``(..., n)`` or ``(..., n, k)``.

    Returns:
        An array of ``b``'s shape.

    Raises:
        LinAlgError: ``a`` is no stack of square matrices, or, where errors are asked for, not positive definite.
        ValueError: The shapes do not match.
        TypeError: An argument is no tombac array.

    >>> tombacx.lapack.posv(tombac.array([[4.0, 2.0], [2.0, 5.0]]), tombac.array([8.0, 12.0]))
    array([1., 2.])
    """
    check_arrays("posv", a, b)
    factor = cholesky(a)
    return _stacks("posv", a, b, lambda right: _core._cho_solve(factor, right, True))


def __getattr__(name):
    from tombac._absent import no_attribute

    raise no_attribute(__name__, name)
