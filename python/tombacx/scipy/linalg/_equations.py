"""Equations, inverses, determinants and norms, by the routines of tombac.linalg and with SciPy's arguments."""

import functools
import math

from tombac import _core
from tombac._docstrings import with_rows
from tombac._numpy import np
from tombac.linalg import _norm, _solve
from tombacx.scipy._host import readable
from tombacx.scipy.linalg._common import check_matrices, check_square
from tombacx.scipy.linalg._solving import solve_triangular

__all__ = ["det", "inv", "lstsq", "norm", "pinv", "solve"]

documented = with_rows(
    square="""a: An array of any numeric dtype and shape ``(..., n, n)``; integers are converted to float64, float16 to
            float32.""",
    overwrite_a="overwrite_a: Accepted; nothing is overwritten.",
    overwrite_b="overwrite_b: Accepted; nothing is overwritten.",
    check_finite="check_finite: Whether to wait and see that there are no infinities or NaNs.",
    refusals="""LinAlgError: ``a`` is no stack of square matrices, or, where errors are asked for, singular.
        ValueError: An array holds infinities or NaNs, or shapes do not match.
        TypeError: An argument is no tombac array.""",
)

_GENERAL = (None, "gen", "general", "diagonal", "tridiagonal", "banded")
_TRIANGLES = {"upper triangular": False, "lower triangular": True}


def hermitian_of(a, lower, conjugate=True):
    """The Hermitian matrices, or the symmetric ones, of which ``a`` holds a triangle."""
    triangle = _core.tri(a.shape[-1], dtype=bool)
    other = a.swapaxes(-1, -2)
    other = other.conj() if conjugate and a._kind == "c" else other
    return _core.where(triangle if lower else triangle.T, a, other)


@documented
def solve(a, b, lower=False, overwrite_a=False, overwrite_b=False, check_finite=True, assume_a=None, transposed=False):
    """``x`` with ``a @ x == b``.

    Args:
        {square}
        b: An array of shape ``(n,)``, one vector for all matrices, or ``(..., n, k)``; stacks broadcast.
        lower: Which triangle is read of what ``assume_a`` says is symmetric, Hermitian or positive definite.
        {overwrite_a}
        {overwrite_b}
        {check_finite}
        assume_a: What is known of ``a``: 'sym' or 'symmetric', 'her' or 'hermitian', 'pos' or 'positive definite',
            'upper triangular', 'lower triangular'; or one of None, 'gen', 'general', 'diagonal', 'tridiagonal',
            'banded', for which it is solved by LU decomposition.
        transposed: Whether ``a.T @ x == b`` is solved.

    Returns:
        An array of ``b``'s shape, after broadcasting.

    Raises:
        {refusals}

    Other than SciPy's, a singular matrix is no error, unless ``tombacx.errstate(linalg='raise')`` or strict indices ask
    for that, and none is told of that is nearly so.

    >>> tombacx.scipy.linalg.solve(tombac.array([[2.0, 1.0], [0.0, 4.0]]), tombac.array([4.0, 8.0]))
    array([1., 2.])
    """
    check_matrices("solve", check_finite, a, b)
    check_square("solve", a)
    if assume_a in _TRIANGLES:
        return solve_triangular(a, b, int(transposed), _TRIANGLES[assume_a])
    if assume_a in ("pos", "positive definite"):
        factor = _core._cholesky(a, not lower)
        return _core._cho_solve(factor.conj() if transposed and a._kind == "c" else factor, b, lower)
    if assume_a in ("sym", "symmetric", "her", "hermitian"):
        a = hermitian_of(a, lower, assume_a.startswith("h"))
    elif assume_a not in _GENERAL:
        raise ValueError(f"solve: assume_a={assume_a!r} is not recognized")
    return _solve.solve(a.swapaxes(-1, -2) if transposed else a, b)


@documented
def inv(a, overwrite_a=False, check_finite=True, *, assume_a=None, lower=False):
    """The inverses of square matrices.

    Args:
        {square}
        {overwrite_a}
        {check_finite}
        assume_a: What is known of ``a``, as in solve.
        lower: Which triangle is read of what is symmetric, Hermitian or positive definite.

    Returns:
        An array of ``a``'s shape.

    Raises:
        {refusals}

    Other than SciPy's, a singular matrix is no error, unless ``tombacx.errstate(linalg='raise')`` or strict indices ask
    for that.

    >>> tombacx.scipy.linalg.inv(tombac.array([[2.0, 1.0], [4.0, 4.0]]))
    array([[ 1.  , -0.25],
           [-1.  ,  0.5 ]])
    """
    check_matrices("inv", check_finite, a)
    check_square("inv", a)
    if assume_a in _GENERAL:
        return _solve.inv(a)
    return solve(a, _core.eye(a.shape[-1], dtype=a.dtype), lower, check_finite=False, assume_a=assume_a)


@documented
def det(a, overwrite_a=False, check_finite=True):
    """The determinants of square matrices, by LU decomposition, in float64 or complex128.

    Args:
        {square}
        {overwrite_a}
        {check_finite}

    Returns:
        An array of shape ``a.shape[:-2]`` and dtype float64 or complex128: without dimensions for one matrix, where
        SciPy's has a number.

    Raises:
        {refusals}

    >>> tombacx.scipy.linalg.det(tombac.array([[2.0, 0.0], [1.0, 4.0]]))
    array(8.)
    """
    check_matrices("det", check_finite, a)
    if _core.backend() == "cpu":
        return _core._det(a)
    check_square("det", a)
    return _solve.det(a.astype("D" if a._kind == "c" else "d", copy=False))


@documented
def lstsq(a, b, cond=None, overwrite_a=False, overwrite_b=False, check_finite=True, lapack_driver=None):
    """``x`` for which ``a @ x - b`` is shortest, and among those the shortest, by singular values.

    Args:
        a: An array of any numeric dtype and shape ``(..., m, n)``; integers are converted to float64, float16 to
            float32.
        b: An array of shape ``(m,)`` or ``(..., m, k)``; stacks broadcast, and are solved one after the other.
        cond: Singular values not above ``cond`` times the largest count as 0; machine precision if None.
        {overwrite_a}
        {overwrite_b}
        {check_finite}
        lapack_driver: None, 'gelsd', 'gelsy' or 'gelss', which are all one here.

    Returns:
        A tuple, all of them with the stack's axes in front: ``x`` of shape ``(n,)`` or ``(n, k)``; the squared lengths
        of ``a @ x - b``, of shape ``()`` or ``(k,)``, or ``(0,)`` if ``a`` has not full rank or ``m <= n``; the rank;
        the singular values.

    Raises:
        LinAlgError: ``a`` has fewer than two dimensions, or ``b`` none.
        ValueError: ``a`` and ``b`` have different numbers of rows, an array holds infinities or NaNs, no such driver,
            or matrices of a stack have full rank and others not.
        TypeError: An argument is no tombac array.

    >>> x, *_ = tombacx.scipy.linalg.lstsq(tombac.array([[1.0], [1.0]]), tombac.array([1.0, 3.0]))
    >>> x
    array([2.])
    """
    check_matrices("lstsq", check_finite, a, b)
    if lapack_driver not in (None, "gelsd", "gelsy", "gelss"):
        raise ValueError(f"lstsq: LAPACK driver {lapack_driver!r} is not found")
    if a.ndim > 2 or (b.ndim > 2 and a.ndim == 2):
        return _stack_of_lstsq(a, b, cond)
    if a.ndim == 2 and b.ndim in (1, 2) and a.shape[0] != b.shape[0]:
        raise ValueError(f"lstsq: a has {a.shape[0]} rows, b {b.shape[0]}")
    x, residuals, rank, s = _solve.lstsq(a, b, -1 if cond is None else cond)
    return x, residuals.reshape(()) if residuals.size and b.ndim == 1 else residuals, rank, s


def _stack_of_lstsq(a, b, cond):
    core = min(b.ndim, 2)
    stack = np.broadcast_shapes(a.shape[:-2], b.shape[: b.ndim - core])
    count = math.prod(stack)
    if not core or not count:
        raise ValueError("lstsq: b must have a dimension, and a stack a matrix")
    left = _core.broadcast_to(a, (*stack, *a.shape[-2:])).reshape(count, *a.shape[-2:])
    right = _core.broadcast_to(b, (*stack, *b.shape[b.ndim - core :])).reshape(count, *b.shape[b.ndim - core :])
    found = [lstsq(left[i], right[i], cond, check_finite=False) for i in range(count)]
    results = [_core.stack(parts) for parts in zip(*found, strict=True)]
    return tuple([r.reshape(*stack, *r.shape[1:]) for r in results])


def pinv(a, *, atol=None, rtol=None, return_rank=False, check_finite=True):
    """The pseudo-inverses of matrices, by singular values.

    Args:
        a: An array of any numeric dtype and shape ``(..., m, n)``; integers are converted to float64, float16 to
            float32.
        atol: Singular values not above ``atol`` plus ``rtol`` times the largest count as 0; 0 if None.
        rtol: If None, machine precision times ``max(m, n)``, or 0 where ``atol`` is given.
        return_rank: Whether the ranks are wanted too.
        check_finite: Whether to wait and see that there are no infinities or NaNs.

    Returns:
        An array of shape ``(..., n, m)``, or a tuple of it and of the ranks.

    Raises:
        LinAlgError: ``a`` has fewer than two dimensions.
        ValueError: ``a`` holds infinities or NaNs, or a tolerance is negative.
        TypeError: ``a`` is no tombac array.

    >>> tombacx.scipy.linalg.pinv(tombac.array([[2.0, 0.0], [0.0, 0.0]]))
    array([[0.5, 0. ],
           [0. , 0. ]])
    """
    check_matrices("pinv", check_finite, a)
    u, s, vh = _core._svd(a, False)
    if rtol is None:
        rtol = 0.0 if atol else float(np.finfo(s.dtype).eps) * max(a.shape[-2:])
    atol = 0.0 if atol is None else atol
    if atol < 0 or rtol < 0:
        raise ValueError("pinv: atol and rtol must not be negative")
    large = s > atol + rtol * (s[..., :1] if s.shape[-1] else 0)
    inverse = _core.where(large, 1 / _core.where(large, s, 1), 0).astype(s.dtype, copy=False)
    result = _core.matmul(_solve.adjoint(vh), inverse[..., None] * _solve.adjoint(u))
    return (result, _core.sum(large, -1, dtype=int)) if return_rank else result


def norm(a, ord=None, axis=None, keepdims=False, check_finite=True):
    """Norms of vectors and matrices, as tombac.linalg.norm.

    Args:
        a: An array of any numeric dtype.
        ord: Which norm: None (the root of the sum of squares), a number, inf or -inf, 'fro', 'nuc'.
        axis: The axis of vectors, or the two axes of matrices; all if None.
        keepdims: Whether these axes stay, with length 1.
        check_finite: Whether to wait and see that there are no infinities or NaNs.

    Returns:
        An array of the other dimensions.

    Raises:
        ValueError: There is no such norm, or ``a`` holds infinities or NaNs.
        TypeError: ``a`` is no tombac array.

    >>> tombacx.scipy.linalg.norm(tombac.array([3.0, 4.0]))
    array(5.)
    """
    if ord is None and axis is None and isinstance(a, _core.ndarray) and a.size and not keepdims:
        return _euclidean(a, check_finite)
    check_matrices("norm", check_finite, a)
    return _norm.norm(a, ord, axis, keepdims)


@functools.cache
def _least_root(dtype):
    """Above it the square of a number has all its digits."""
    limits = np.finfo(dtype)
    return float((limits.smallest_normal / limits.eps) ** 0.5)


def _euclidean(a, check_finite):
    """The root of the sum of squares: where that is a number so are all elements. Vectors whose squares are out of
    range are divided by their largest element first. The host waits, if it may."""
    result = _norm.norm(a)
    size = readable(result)
    size = None if size is None else float(size)
    if size is None or not size < math.inf:
        check_matrices("norm", check_finite, a)
    if size is None or a.ndim > 1 or a.itemsize == 2 or _least_root(result.dtype) < size < math.inf:
        return result
    largest = _core.absolute(a).max()
    return _norm.norm(a / largest) * largest if 0 < largest.item() < np.inf else result
