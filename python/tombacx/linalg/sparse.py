"""Sparse equations and structured sparsity beyond SciPy's."""

from tombac import _core
from tombac._numpy import np
from tombacx.linalg._structured import SemiStructured, matmul_2to4, prune_2to4
from tombacx.scipy.sparse.linalg._direct import device_factors, spsolve

__all__ = ["SemiStructured", "lschol", "matmul_2to4", "prune_2to4"]


def lschol(A, b):
    """``x`` with ``A @ x == b`` for a Hermitian positive definite matrix.

    It is solved by LU factors, on the host; CuPy does so by those of Cholesky, as cuDSS does here where it is found and
    ``TOMBAC_SPARSE_SOLVERS=device`` asks for it.

    Args:
        A: A sparse matrix or an array of float32, float64, complex64 or complex128 and shape (n, n).
        b: An array of shape (n,), which is converted to ``A``'s dtype.

    Returns:
        An array of shape (n,).

    Raises:
        ValueError: Shapes do not match, or ``b`` has more than one dimension.
        LinAlgError: ``A`` is not square.
        TypeError: An argument is no array or matrix of tombac's, or of another dtype.

    >>> tombacx.linalg.sparse.lschol(tombac.array([[2.0, 0.0], [0.0, 4.0]]), tombac.array([2.0, 2.0]))
    array([1. , 0.5])
    """
    return _solve("lschol", A, b, positive=True)


def _solve(name, A, b, positive=False):
    """Checks what cuSOLVER's sparse routines need, and solves."""
    if not isinstance(b, _core.ndarray):
        raise TypeError(f"{name}: a tombac.ndarray is expected for b, not {type(b)}")
    if getattr(A, "ndim", 2) != 2 or A.shape[0] != A.shape[1]:
        raise np.linalg.LinAlgError(f"{name}: a square matrix is expected, the shape is {A.shape}")
    if b.shape != (A.shape[0],):
        raise ValueError(f"{name}: b must have the shape ({A.shape[0]},), not {b.shape}")
    if A.dtype.char not in "fdFD":
        raise TypeError(f"{name}: A must be of float32, float64, complex64 or complex128, not {A.dtype}")
    b = b.astype(A.dtype, copy=False)
    factors = device_factors(A, positive=True) if positive else None
    return spsolve(A, b) if factors is None else factors.solve(b)


def __getattr__(name):
    from tombac._absent import no_attribute

    raise no_attribute(__name__, name)
