"""What CuPy has of cuSOLVER by the names of its routines, by whatever routines the backend has for it."""

from tombac.linalg._decompositions import eigh, eigvalsh, svd, svdvals
from tombac.linalg._solve import adjoint
from tombac._util import check_arrays
from tombacx.lapack import check_equations
from tombacx.lapack import gels as _gels
from tombacx.lapack import gesv as _gesv

__all__ = ["check_availability", "csrlsvqr", "gels", "gesv", "gesvda", "gesvdj", "syevj"]


def check_availability(name):
    """Whether there is a routine of that name.

    Args:
        name: A str: 'gels', 'gesv', 'gesvda', 'gesvdj', 'potrfBatched', 'potrsBatched', 'syevj' or 'csrlsvqr'.

    Returns:
        A bool.

    Raises:
        ValueError: ``name`` is none of these.

    >>> tombacx.cusolver.check_availability('gesvdj')
    True
    """
    if name in __all__[1:] or name in ("potrfBatched", "potrsBatched"):
        return True
    raise ValueError(f"check_availability: there is no routine {name!r}")


def _check_dtype(name, a):
    check_arrays(name, a)
    if a.dtype.char not in "fdFD":
        raise ValueError(f"{name}: float32, float64, complex64 or complex128 is expected, not {a.dtype}")


def gesvdj(a, full_matrices=True, compute_uv=True, overwrite_a=False):
    """Singular values and vectors: ``a == u @ diag(s) @ v.conj().T``.

    Args:
        a: An array of float32, float64, complex64 or complex128 and shape ``(..., m, n)``.
        full_matrices: Whether ``u`` is ``(..., m, m)`` and ``v`` ``(..., n, n)``, rather than ``(..., m, k)`` and
            ``(..., n, k)`` with ``k = min(m, n)``.
        compute_uv: Whether vectors are computed.
        overwrite_a: Accepted; nothing is overwritten.

    Returns:
        A tuple of arrays ``(u, s, v)``; an array ``s`` if ``compute_uv`` is false.

    Raises:
        LinAlgError: ``a`` has fewer than two dimensions.
        ValueError: The dtype is another.
        TypeError: ``a`` is no tombac array.

    >>> tombacx.cusolver.gesvdj(tombac.array([[3.0, 0.0], [0.0, 4.0]]), compute_uv=False)
    array([4., 3.])
    """
    _check_dtype("gesvdj", a)
    if not compute_uv:
        return svdvals(a)
    u, s, vh = svd(a, full_matrices)
    return u, s, adjoint(vh)


def gesvda(a, compute_uv=True):
    """Singular values and vectors of tall matrices: ``a == u @ diag(s) @ v.conj().T``.

    Args:
        a: An array of float32, float64, complex64 or complex128 and shape ``(..., m, n)``, ``m`` not below ``n``.
        compute_uv: Whether vectors are computed.

    Returns:
        A tuple of arrays: ``u`` of shape ``(..., m, n)``, ``s``, ``(..., n)``, and ``v``, ``(..., n, n)``; an array
        ``s`` if ``compute_uv`` is false.

    Raises:
        LinAlgError: ``a`` has fewer than two dimensions.
        ValueError: The dtype is another, or ``m`` is below ``n``.
        TypeError: ``a`` is no tombac array.

    >>> tombacx.cusolver.gesvda(tombac.array([[3.0], [4.0]]), compute_uv=False)
    array([5.])
    """
    _check_dtype("gesvda", a)
    if a.ndim > 1 and a.shape[-2] < a.shape[-1]:
        raise ValueError(f"gesvda: matrices must have at least as many rows as columns, the shape is {a.shape}")
    return gesvdj(a, False, compute_uv)


def syevj(a, UPLO="L", with_eigen_vector=True):
    """Eigenvalues and eigenvectors of Hermitian matrices.

    Args:
        a: An array of any numeric dtype and shape ``(..., n, n)``.
        UPLO: Which triangle is read: 'L' or 'U'.
        with_eigen_vector: Whether vectors are computed.

    Returns:
        A tuple of arrays: the values, real and ascending, of shape ``(..., n)``, and the vectors as columns,
        ``(..., n, n)``, or None.

    Raises:
        LinAlgError: ``a`` is no stack of square matrices.
        ValueError: There is no such triangle.
        TypeError: ``a`` is no tombac array.

    >>> w, v = tombacx.cusolver.syevj(tombac.array([[2.0, 0.0], [0.0, 1.0]]))
    >>> w
    array([1., 2.])
    """
    check_arrays("syevj", a)
    return tuple(eigh(a, UPLO)) if with_eigen_vector else (eigvalsh(a, UPLO), None)


def gesv(a, b):
    """``x`` with ``a @ x == b``, by LU factors of ``a``'s precision.

    Args:
        a: An array of float32, float64, complex64 or complex128 and shape ``(n, n)``.
        b: An array of the same dtype and shape ``(n,)`` or ``(n, k)``.

    Returns:
        An array of ``b``'s shape.

    Raises:
        ValueError: The dtypes or the shapes do not match.
        TypeError: An argument is no tombac array.

    >>> tombacx.cusolver.gesv(tombac.array([[2.0, 0.0], [0.0, 4.0]]), tombac.array([2.0, 2.0]))
    array([1. , 0.5])
    """
    return _gesv(a, b)


def gels(a, b):
    """``x`` for which ``a @ x - b`` is shortest, by QR of ``a``'s precision.

    Args:
        a: An array of float32, float64, complex64 or complex128 and shape ``(m, n)``, ``m`` not below ``n``, of full
            rank.
        b: An array of the same dtype and shape ``(m,)`` or ``(m, k)``.

    Returns:
        An array of shape ``(n,)`` or ``(n, k)``.

    Raises:
        ValueError: The dtypes or the shapes do not match, or ``m`` is below ``n``.
        TypeError: An argument is no tombac array.

    >>> tombacx.cusolver.gels(tombac.array([[1.0], [1.0]]), tombac.array([1.0, 3.0]))
    array([2.])
    """
    check_equations("gels", a, b, square=False)
    if a.shape[0] < a.shape[1]:
        raise ValueError(f"gels: a must have at least as many rows as columns, its shape is {a.shape}")
    return _gels(a, b)


def csrlsvqr(a, b, tol=0, reorder=1):
    """``x`` with ``a @ x == b`` for a sparse matrix, by SuperLU on the host.

    Args:
        a: A sparse matrix of float32, float64, complex64 or complex128 and shape ``(n, n)``.
        b: An array of shape ``(n,)``, which is converted to ``a``'s dtype.
        tol: Accepted; a matrix that is exactly singular gives a warning, and NaNs.
        reorder: Accepted; columns are ordered to keep factors sparse.

    Returns:
        An array of shape ``(n,)``.

    Raises:
        LinAlgError: ``a`` is not square.
        ValueError: The shapes do not match.
        TypeError: An argument is no array or matrix of tombac's, or of another dtype.

    >>> a = tombacx.scipy.sparse.csr_matrix(tombac.array([[2.0, 0.0], [0.0, 4.0]]))
    >>> tombacx.cusolver.csrlsvqr(a, tombac.array([2.0, 2.0]))
    array([1. , 0.5])
    """
    from tombacx.linalg.sparse import _solve

    return _solve("csrlsvqr", a, b)


def __getattr__(name):
    from tombac._absent import no_attribute

    raise no_attribute(__name__, name)
