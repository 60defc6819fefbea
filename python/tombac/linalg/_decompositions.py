"""Matrices as products of simpler ones, and their eigenvalues."""

from typing import Any, NamedTuple

from tombac import _core
from tombac._select import take_along_axis
from tombac._sorting import argsort, sort
from tombac._util import check_arrays

__all__ = [
    "EigResult", "EighResult", "QRResult", "SVDResult", "cholesky", "eig", "eigh", "eigvals", "eigvalsh", "qr", "svd",
    "svdvals",
]


class EigResult(NamedTuple):
    """What eig returns."""

    eigenvalues: Any
    eigenvectors: Any


class EighResult(NamedTuple):
    """What eigh returns."""

    eigenvalues: Any
    eigenvectors: Any


class QRResult(NamedTuple):
    """What qr returns."""

    Q: Any
    R: Any


class SVDResult(NamedTuple):
    """What svd returns."""

    U: Any
    S: Any
    Vh: Any


def cholesky(a, *, upper=False):
    """The triangle ``L`` with ``L @ L.conj().T == a`` of Hermitian positive definite matrices, by LAPACK's potrf.

    Only one triangle of ``a`` is read. Matrices that are not positive definite raise nothing, unless
    ``tombacx.errstate(linalg='raise')`` or strict indices ask for that.

    Args:
        a: An array of any numeric dtype and shape ``(..., n, n)``; integers are converted to float64, float16 to
            float32.
        upper: Whether the upper triangle ``U`` with ``U.conj().T @ U == a`` is returned.

    Returns:
        An array of ``a``'s shape; the other triangle is zero.

    Raises:
        LinAlgError: ``a`` is no stack of square matrices, or, where errors are asked for, not positive definite.
        TypeError: ``a`` is no tombac array.

    >>> tombac.linalg.cholesky(tombac.array([[4.0, 2.0], [2.0, 5.0]]))
    array([[2., 0.],
           [1., 2.]])
    """
    check_arrays("cholesky", a)
    return _core._cholesky(a, upper)


def qr(a, mode="reduced"):
    """Matrices as products of one with orthonormal columns and an upper triangle, by Householder reflections (LAPACK's
    geqrf and orgqr).

    Args:
        a: An array of any numeric dtype and shape ``(..., m, n)``; integers are converted to float64, float16 to
            float32.
        mode: 'reduced': ``Q`` is ``(..., m, k)`` and ``R`` ``(..., k, n)``, with ``k = min(m, n)``; 'complete': ``Q``
            is ``(..., m, m)``, ``R`` ``(..., m, n)``; 'r': ``R`` alone; 'raw': LAPACK's reflectors, transposed, and
            their factors.

    Returns:
        A named tuple ``(Q, R)``; an array if ``mode`` is 'r'; a tuple of arrays if it is 'raw'.

    Raises:
        LinAlgError: ``a`` has fewer than two dimensions.
        ValueError: There is no such mode.
        TypeError: ``a`` is no tombac array.

    >>> q, r = tombac.linalg.qr(tombac.array([[3.0, 1.0], [4.0, 2.0]]))
    >>> tombac.allclose(q @ r, tombac.array([[3.0, 1.0], [4.0, 2.0]]))
    array(True)
    """
    check_arrays("qr", a)
    result = _core._qr(a, mode)
    return result if mode in ("r", "raw") else QRResult(*result)


def svd(a, full_matrices=True, compute_uv=True, hermitian=False):
    """Singular values and vectors: ``a == U @ diag(S) @ Vh``, by LAPACK's gesdd on the CPU.

    Args:
        a: An array of any numeric dtype and shape ``(..., m, n)``; integers are converted to float64, float16 to
            float32.
        full_matrices: Whether ``U`` is ``(..., m, m)`` and ``Vh`` ``(..., n, n)``, rather than ``(..., m, k)`` and
            ``(..., k, n)`` with ``k = min(m, n)``.
        compute_uv: Whether vectors are computed.
        hermitian: Whether ``a`` is known to be Hermitian, which its eigenvalues then serve for.

    Returns:
        A named tuple ``(U, S, Vh)``, or ``S`` alone: real, in descending order, of shape ``(..., k)``.

    Raises:
        LinAlgError: ``a`` has fewer than two dimensions, or, where errors are asked for, no convergence.
        TypeError: ``a`` is no tombac array.

    >>> tombac.linalg.svd(tombac.array([[3.0, 0.0], [0.0, 4.0]]), compute_uv=False)
    array([4., 3.])
    """
    check_arrays("svd", a)
    if hermitian:
        return _hermitian_svd(a, compute_uv)
    return SVDResult(*_core._svd(a, full_matrices)) if compute_uv else _core._svdvals(a)


def _hermitian_svd(a, compute_uv):
    if not compute_uv:
        return sort(_core.absolute(_core._eigvalsh(a, True)), -1)[..., ::-1]
    values, vectors = _core._eigh(a, True)
    sign = _core.where(values < 0, values.dtype.type(-1), values.dtype.type(1))
    order = argsort(_core.absolute(values), -1)[..., ::-1]
    values, sign = (take_along_axis(x, order, -1) for x in (_core.absolute(values), sign))
    u = take_along_axis(vectors, order[..., None, :], -1)
    return SVDResult(u, values, (u * sign[..., None, :]).swapaxes(-1, -2).conj())


def svdvals(x, /):
    """The singular values of matrices, in descending order.

    Args:
        x: An array of any numeric dtype and shape ``(..., m, n)``.

    Returns:
        A real array of shape ``(..., min(m, n))``.

    Raises:
        LinAlgError: ``x`` has fewer than two dimensions.
        TypeError: ``x`` is no tombac array.

    >>> tombac.linalg.svdvals(tombac.array([[3.0, 0.0], [0.0, 4.0]]))
    array([4., 3.])
    """
    check_arrays("svdvals", x)
    return _core._svdvals(x)


def _is_lower(name, triangle):
    letter = triangle.upper() if isinstance(triangle, str) else triangle
    if letter not in ("L", "U"):
        raise ValueError(f"{name}: UPLO must be 'L' or 'U', not {triangle!r}")
    return letter == "L"


def eigh(a, UPLO="L"):
    """Eigenvalues and eigenvectors of Hermitian (or real symmetric) matrices, by divide and conquer (LAPACK's syevd).

    Args:
        a: An array of any numeric dtype and shape ``(..., n, n)``; integers are converted to float64, float16 to
            float32.
        UPLO: Which triangle is read: 'L' or 'U'.

    Returns:
        A named tuple: the values, real and ascending, of shape ``(..., n)``; the vectors as columns, ``(..., n, n)``.

    Raises:
        LinAlgError: ``a`` is no stack of square matrices, or, where errors are asked for, no convergence.
        ValueError: There is no such triangle.
        TypeError: ``a`` is no tombac array.

    >>> tombac.linalg.eigh(tombac.array([[2.0, 0.0], [0.0, 1.0]])).eigenvalues
    array([1., 2.])
    """
    check_arrays("eigh", a)
    return EighResult(*_core._eigh(a, _is_lower("eigh", UPLO)))


def eigvalsh(a, UPLO="L"):
    """The eigenvalues of Hermitian (or real symmetric) matrices.

    Args:
        a: An array of any numeric dtype and shape ``(..., n, n)``.
        UPLO: Which triangle is read: 'L' or 'U'.

    Returns:
        A real array of shape ``(..., n)``, ascending.

    Raises:
        LinAlgError: ``a`` is no stack of square matrices, or, where errors are asked for, no convergence.
        ValueError: There is no such triangle.
        TypeError: ``a`` is no tombac array.

    >>> tombac.linalg.eigvalsh(tombac.array([[2.0, 0.0], [0.0, 1.0]]))
    array([1., 2.])
    """
    check_arrays("eigvalsh", a)
    return _core._eigvalsh(a, _is_lower("eigvalsh", UPLO))


def eig(a):
    """Eigenvalues and right eigenvectors of square matrices, by the QR algorithm (LAPACK's geev).

    Both are complex whatever ``a`` holds, other than NumPy's, whose dtype depends on the values.

    Args:
        a: An array of any numeric dtype and shape ``(..., n, n)``; integers are converted to float64, float16 to
            float32.

    Returns:
        A named tuple: the values in no order, of shape ``(..., n)``; the vectors as columns of length 1,
        ``(..., n, n)``.

    Raises:
        LinAlgError: ``a`` is no stack of square matrices, or, where errors are asked for, no convergence.
        TypeError: ``a`` is no tombac array.

    >>> tombac.linalg.eig(tombac.array([[0.0, -1.0], [1.0, 0.0]])).eigenvalues
    array([0.+1.j, 0.-1.j])
    """
    check_arrays("eig", a)
    return EigResult(*_core._eig(a))


def eigvals(a):
    """The eigenvalues of square matrices, complex whatever ``a`` holds.

    Args:
        a: An array of any numeric dtype and shape ``(..., n, n)``.

    Returns:
        A complex array of shape ``(..., n)``, in no order.

    Raises:
        LinAlgError: ``a`` is no stack of square matrices, or, where errors are asked for, no convergence.
        TypeError: ``a`` is no tombac array.

    >>> tombac.linalg.eigvals(tombac.array([[0.0, -1.0], [1.0, 0.0]]))
    array([0.+1.j, 0.-1.j])
    """
    check_arrays("eigvals", a)
    return _core._eigvals(a)
