"""Systems of linear equations, inverses, and the numbers that say how well they can be solved."""

import math
import operator
from typing import Any, NamedTuple

from tombac import _core
from tombac._numpy import np
from tombac._products import tensordot
from tombac._util import check_arrays, other_name
from tombac.linalg._norm import sum_of_squares

__all__ = [
    "SlogdetResult", "cond", "det", "inv", "lstsq", "matrix_rank", "pinv", "slogdet", "solve", "tensorinv",
    "tensorsolve",
]


class SlogdetResult(NamedTuple):
    """What slogdet returns."""

    sign: Any
    logabsdet: Any


def adjoint(a):
    return a.swapaxes(-1, -2).conj()


def _worked_on(a):
    """The dtype that LAPACK has for a."""
    return np.float64 if a._kind not in "fc" else np.float32 if a.itemsize == 2 else a.dtype


def solve(a, b):
    """``x`` with ``a @ x == b``, by LU factors with partial pivoting.

    Args:
        a: An array of any numeric dtype and shape ``(..., n, n)``; integers are converted to float64, float16 to
            float32.
        b: An array of shape ``(n,)``, one vector for all matrices, or ``(..., n, k)``; stacks broadcast.

    Returns:
        An array of ``b``'s shape, after broadcasting.

    Raises:
        LinAlgError: ``a`` is no stack of square matrices, or, where errors are asked for, singular.
        ValueError: The shapes do not match.
        TypeError: An argument is no tombac array.

    >>> tombac.linalg.solve(tombac.array([[2.0, 0.0], [0.0, 4.0]]), tombac.array([2.0, 2.0]))
    array([1. , 0.5])
    """
    check_arrays("solve", a, b)
    return _core._solve(a, b)


def inv(a):
    """The inverses of square matrices, by LU factors with partial pivoting.

    Args:
        a: An array of any numeric dtype and shape ``(..., n, n)``; integers are converted to float64, float16 to
            float32.

    Returns:
        An array of ``a``'s shape.

    Raises:
        LinAlgError: ``a`` is no stack of square matrices, or, where errors are asked for, singular.
        TypeError: ``a`` is no tombac array.

    >>> tombac.linalg.inv(tombac.array([[2.0, 1.0], [1.0, 1.0]]))
    array([[ 1., -1.],
           [-1.,  2.]])
    """
    check_arrays("inv", a)
    return _core._inv(a)


# ---- by singular values ----------------------------------------------------------------------------------------------


def _reciprocals(s, rcond):
    """1 / s, and 0 where s is not above rcond times the largest."""
    if s.shape[-1] == 0:
        return s, s > 0
    large = s > rcond * _core.max(s, -1, None, True)
    return _core.where(large, 1 / _core.where(large, s, s.dtype.type(1)), s.dtype.type(0)), large


_NOT_GIVEN = object()


def pinv(a, rcond=None, hermitian=False, *, rtol=_NOT_GIVEN):
    """The pseudo-inverses (Moore-Penrose) of matrices, by their singular values.

    Args:
        a: An array of any numeric dtype and shape ``(..., m, n)``; integers are converted to float64, float16 to
            float32.
        rcond: Singular values not above ``rcond`` times the largest count as 0; a number or an array of shape
            ``(...)``, and 1e-15 if neither this nor ``rtol`` is given.
        hermitian: Whether ``a`` is known to be Hermitian.
        rtol: The same as ``rcond``, by the standard's name; None is machine precision times ``max(m, n)``.

    Returns:
        An array of shape ``(..., n, m)``.

    Raises:
        LinAlgError: ``a`` has fewer than two dimensions.
        ValueError: Both ``rcond`` and ``rtol`` are given.
        TypeError: ``a`` is no tombac array.

    >>> tombac.linalg.pinv(tombac.array([[2.0, 0.0]]))
    array([[0.5],
           [0. ]])
    """
    from tombac.linalg._decompositions import svd

    check_arrays("pinv", a)
    if rcond is not None and rtol is not _NOT_GIVEN:
        raise ValueError("pinv: rcond and rtol cannot both be given")
    cutoff = rcond if rcond is not None else 1e-15 if rtol is _NOT_GIVEN else rtol
    u, s, vh = svd(a, False, hermitian=hermitian)
    if a.size == 0:
        return _core.empty((*a.shape[:-2], a.shape[-1], a.shape[-2]), u.dtype)
    if cutoff is None:
        cutoff = max(a.shape[-2:]) * float(np.finfo(s.dtype).eps)
    elif isinstance(cutoff, _core.ndarray) or np.ndim(cutoff):
        cutoff = _core.asarray(cutoff)[..., None]
    inverse, _ = _reciprocals(s, cutoff)
    return _core.matmul(adjoint(vh), inverse[..., None] * adjoint(u))


def lstsq(a, b, rcond=None):
    """``x`` for which ``a @ x - b`` is shortest, and among those the shortest, by singular values.

    The singular values of a tall matrix are the square roots of ``a.conj().T @ a``'s eigenvalues. If they show that all
    of them lie close together, little is lost by that, and the normal equations are solved by Cholesky's factor.
    Otherwise a matrix that is not wide is first made a triangle (QR), whose singular values are its own; if all of them
    count the triangle is solved. The host waits for the singular values.

    Args:
        a: An array of any numeric dtype and shape ``(m, n)``; integers are converted to float64, float16 to float32.
        b: An array of shape ``(m,)`` or ``(m, k)``.
        rcond: Singular values not above ``rcond`` times the largest count as 0; None: machine precision times
            ``max(m, n)``, a negative number: machine precision.

    Returns:
        A tuple: ``x`` of shape ``(n,)`` or ``(n, k)``; the squared lengths of ``a @ x - b``, of shape ``(1,)`` or
        ``(k,)``, or ``(0,)`` if ``a`` has not full rank or ``m <= n``; the rank, a 0-dimensional array; the singular
        values.

    Raises:
        LinAlgError: ``a`` does not have two dimensions, ``b`` not one or two, or they have different numbers of rows.
        TypeError: An argument is no tombac array.

    >>> x, *_ = tombac.linalg.lstsq(tombac.array([[1.0], [1.0]]), tombac.array([1.0, 3.0]))
    >>> x
    array([2.])
    """
    check_arrays("lstsq", a, b)
    if a.ndim != 2:
        raise np.linalg.LinAlgError(f"lstsq: {a.ndim}-dimensional array given: a must have two dimensions")
    if b.ndim not in (1, 2):
        raise np.linalg.LinAlgError(f"lstsq: {b.ndim}-dimensional array given: b must have one or two dimensions")
    (m, n), vector = a.shape, b.ndim == 1
    if b.shape[0] != m:
        raise np.linalg.LinAlgError(f"lstsq: a has {m} rows, b {b.shape[0]}")
    right = b[:, None] if vector else b
    x, right, s, rank = _least_squares(a, right, rcond)
    if m <= n or int(rank) < n:
        residuals = _core.empty(0, s.dtype)
    else:
        residuals = sum_of_squares(right - _core.matmul(a, x), 0)
    return (x[:, 0] if vector else x), residuals, rank, s


def _least_squares(a, b, rcond):
    """x, b in x's dtype, the singular values, and how many count."""
    m, n = a.shape
    dtype = _core.result_type(_worked_on(a), _worked_on(b))
    a, b = a.astype(dtype, copy=False), b.astype(dtype, copy=False)
    if not m or not n:
        real = np.dtype(dtype.char.lower())
        return _core.zeros((n, b.shape[1]), dtype), b, _core.zeros(0, real), _core.zeros((), int)
    eps = float(np.finfo(dtype).eps)
    limit = eps * max(m, n) if rcond is None else eps if rcond < 0 else rcond
    if m >= 2 * n >= 2 * _LEAST_TALL:
        found = _by_normal_equations(a, b, limit)
        if found:
            return found
    turned = b
    if m >= n:
        q, a = _core._qr(a, "reduced")
        turned = _core.matmul(adjoint(q), b)
        s = _core._svdvals(a)
        rank = _core.sum(s > limit * s[0], dtype=int)
        if int(rank) == n:
            return _core._solve_triangular(a, turned, False, "N", False), b, s, rank
    u, s, vh = _core._svd(a, False)
    inverse, large = _reciprocals(s, limit)
    x = _core.matmul(adjoint(vh), inverse[:, None] * _core.matmul(adjoint(u), turned))
    return x, b, s, _core.sum(large, dtype=int)


_LEAST_TALL = 64  # columns, from which the matrix of the normal equations costs little beside singular values
_CLOSE = 8.0  # singular values this many times apart lose three bits by being squared, and a solution six


def _by_normal_equations(a, b, limit):
    """The same as _least_squares; None where that would lose digits, or not all singular values may count."""
    n, real = a.shape[1], np.finfo(a.dtype)
    gram = _core.matmul(adjoint(a), a)
    squares = _core._eigvalsh(gram, True)
    least, most = squares[:: max(n - 1, 1)].tolist()[:2]
    if not (most * max(1 / _CLOSE, 2 * limit) ** 2 <= least and float(real.tiny / real.eps**2) < least < math.inf):
        return None
    factor = _core._cholesky(gram, True)
    half = _core._solve_triangular(factor, _core.matmul(adjoint(a), b), False, "C", False)
    x = _core._solve_triangular(factor, half, False, "N", False)
    return x, b, _core.sqrt(squares)[::-1], _core.full((), n, int)


def matrix_rank(M=None, tol=None, hermitian=False, *, rtol=None, A=None):
    """How many singular values of each matrix count.

    Args:
        M: An array of any numeric dtype and shape ``(..., m, n)``, or a vector, whose rank is 0 or 1.
        tol: Singular values not above it count as 0: a number or an array of shape ``(...)``.
        hermitian: Whether ``M`` is known to be Hermitian.
        rtol: The same as a part of the largest singular value; by default machine precision times ``max(m, n)``.
        A: NumPy's name of ``M``.

    Returns:
        An array of ints of shape ``(...)``.

    Raises:
        ValueError: Both ``tol`` and ``rtol`` are given.
        TypeError: ``M`` is no tombac array.

    >>> tombac.linalg.matrix_rank(tombac.ones((3, 3)))
    array(1)
    """
    if A is not None:
        M = other_name("matrix_rank", M, A)
    from tombac.linalg._decompositions import svd

    check_arrays("matrix_rank", M)
    if tol is not None and rtol is not None:
        raise ValueError("matrix_rank: tol and rtol cannot both be given")
    if M.ndim < 2:
        return (M != 0).any().astype(int)
    s = svd(M, compute_uv=False, hermitian=hermitian)
    if s.shape[-1] == 0:
        return _core.zeros(s.shape[:-1], int)
    if tol is None:
        part = max(M.shape[-2:]) * float(np.finfo(s.dtype).eps) if rtol is None else _core.asarray(rtol)[..., None]
        tol = _core.max(s, -1, None, True) * part
    else:
        tol = _core.asarray(tol)[..., None]
    return _core.sum(s > tol, -1, int)


def cond(x, p=None):
    """The condition number: the norm of ``x`` times that of its inverse.

    Args:
        x: An array of any numeric dtype and shape ``(..., m, n)``; square unless ``p`` is None, 2 or -2.
        p: The order of the norm: None, 2 (the ratio of the largest singular value and the smallest), -2, 'fro', 1, -1,
            inf or -inf.

    Returns:
        A real array of shape ``(...)``; infinite for singular matrices.

    Raises:
        LinAlgError: ``x`` is no stack of matrices, they are empty, or not square where they must be.
        TypeError: ``x`` is no tombac array.

    >>> tombac.linalg.cond(tombac.array([[2.0, 0.0], [0.0, 4.0]]))
    array(2.)
    """
    from tombac.linalg._norm import norm

    check_arrays("cond", x)
    if x.ndim < 2:
        raise np.linalg.LinAlgError(f"cond: {x.ndim}-dimensional array given: it must be at least two-dimensional")
    if 0 in x.shape[-2:]:
        raise np.linalg.LinAlgError("cond: empty matrices have no condition number")
    if p is None or p in (2, -2):
        s = _core._svdvals(x)
        r = s[..., -1] / s[..., 0] if p == -2 else s[..., 0] / s[..., -1]
    else:
        r = norm(x, p, (-2, -1)) * norm(inv(x), p, (-2, -1))
    invented = _core.isnan(r) & ~_core.isnan(x).any((-2, -1))
    return _core.where(invented, r.dtype.type(np.inf), r)


# ---- determinants ----------------------------------------------------------------------------------------------------


def _diagonal(name, a):
    """The diagonal of U, and where its sign counts as the other one, since a row was exchanged."""
    check_arrays(name, a)
    if a.ndim < 2 or a.shape[-1] != a.shape[-2]:
        raise np.linalg.LinAlgError(f"{name}: the last two dimensions of the array must be square")
    lu, pivots = _core._lu_factor(a)
    return lu.diagonal(0, -2, -1), pivots != _core.arange(a.shape[-1], dtype=pivots.dtype)


def det(a):
    """The determinants of square matrices, by LU factors.

    Args:
        a: An array of any numeric dtype and shape ``(..., n, n)``; integers are converted to float64, float16 to
            float32.

    Returns:
        An array of shape ``(...)``.

    Raises:
        LinAlgError: ``a`` is no stack of square matrices.
        TypeError: ``a`` is no tombac array.

    >>> tombac.linalg.det(tombac.array([[2.0, 0.0], [0.0, 4.0]]))
    array(8.)
    """
    if _core.backend() == "cpu":
        check_arrays("det", a)
        return _core._det(a).astype(_worked_on(a), copy=False)
    diagonal, exchanged = _diagonal("det", a)
    product = _core.where(exchanged, -diagonal, diagonal).prod(-1)
    limits = np.finfo(product.dtype)
    # Products on the way may be out of range where the last one is not: then by logarithms, which lose digits.
    size = _core.absolute(product)
    plain = (size >= limits.smallest_normal) & (size <= limits.max)
    sign, log = _sign_and_log(diagonal.astype("D" if diagonal._kind == "c" else "d", copy=False), exchanged)
    return _core.where(plain, product, (sign * _core.exp(log)).astype(product.dtype, copy=False))


def slogdet(a):
    """The signs and the logarithms of the absolute values of determinants, which may be too large themselves.

    Args:
        a: An array of any numeric dtype and shape ``(..., n, n)``; integers are converted to float64, float16 to
            float32.

    Returns:
        A named tuple: the signs, for complex matrices numbers of length 1, or 0; the logarithms, real, or -inf.

    Raises:
        LinAlgError: ``a`` is no stack of square matrices.
        TypeError: ``a`` is no tombac array.

    >>> tombac.linalg.slogdet(tombac.array([[2.0, 0.0], [0.0, -4.0]])).sign
    array(-1.)
    """
    return SlogdetResult(*_sign_and_log(*_diagonal("slogdet", a)))


def _sign_and_log(diagonal, exchanged):
    size = _core.absolute(diagonal)
    if diagonal._kind == "c":
        unit = diagonal / _core.where(size == 0, size.dtype.type(1), size)
    else:
        unit = _core.sign(diagonal)
    return _core.where(exchanged, -unit, unit).prod(-1), _core.sum(_core.log(size), -1)


# ---- tensors ---------------------------------------------------------------------------------------------------------


def tensorsolve(a, b, axes=None):
    """``x`` with ``tensordot(a, x, x.ndim) == b``.

    Args:
        a: An array of shape ``b.shape + Q`` where ``Q``'s product is that of ``b.shape``.
        b: An array.
        axes: Axes of ``a`` that are moved to the end first.

    Returns:
        An array of shape ``Q``.

    Raises:
        LinAlgError: The matrix that ``a`` is is not square.
        TypeError: An argument is no tombac array.

    >>> tombac.linalg.tensorsolve(tombac.eye(4).reshape(2, 2, 4), tombac.ones((2, 2)))
    array([1., 1., 1., 1.])
    """
    check_arrays("tensorsolve", a, b)
    if axes is not None:
        order = list(range(a.ndim))
        for axis in axes:
            order.remove(axis)
            order.append(axis)
        a = a.transpose(order)
    rest = a.shape[b.ndim:]
    if a.size != b.size ** 2 or int(np.prod(rest)) != b.size:
        raise np.linalg.LinAlgError("tensorsolve: a must satisfy prod(a.shape[b.ndim:]) == prod(a.shape[:b.ndim])")
    return solve(a.reshape(b.size, b.size), b.ravel()).reshape(rest)


def tensorinv(a, ind=2):
    """The inverse for ``tensordot(_, _, ind)``.

    Args:
        a: An array whose first ``ind`` lengths have the same product as the others.
        ind: How many axes count as rows.

    Returns:
        An array of shape ``a.shape[ind:] + a.shape[:ind]``.

    Raises:
        ValueError: ``ind`` is not positive.
        LinAlgError: The matrix that ``a`` is is not square.
        TypeError: ``a`` is no tombac array.

    >>> tombac.linalg.tensorinv(tombac.eye(4).reshape(2, 2, 4)).shape
    (4, 2, 2)
    """
    check_arrays("tensorinv", a)
    ind = operator.index(ind)
    if ind <= 0:
        raise ValueError("tensorinv: ind must be a positive integer")
    rows = int(np.prod(a.shape[:ind]))
    return inv(a.reshape(rows, a.size // rows if rows else 0)).reshape(a.shape[ind:] + a.shape[:ind])
