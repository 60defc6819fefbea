"""What SciPy computes on the host."""

from tombac import _core
from tombacx.scipy.sparse import csc_array, issparse
from tombacx.scipy.sparse.linalg._arpack import first_vector
from tombacx.scipy.sparse.linalg._host import on_host
from tombacx.scipy.sparse.linalg._interface import aslinearoperator

__all__ = ["eigs", "expm", "inv", "onenormest"]


def _matrix(name, A):
    if not issparse(A) and not isinstance(A, _core.ndarray):
        raise TypeError(f"{name}: a sparse matrix or a tombac.ndarray is expected, not {type(A)}")
    return A


def eigs(A, k=6, M=None, sigma=None, which="LM", v0=None, ncv=None, maxiter=None, tol=0.0, return_eigenvectors=True,
         Minv=None, OPinv=None, OPpart=None, rng=None):
    """Some eigenvalues and eigenvectors of a square matrix, by ARPACK on the host; products are on the device.

    Args:
        A: A matrix of shape (n, n): an array, a sparse matrix or a LinearOperator.
        k: How many values; less than n - 1.
        M: The matrix on the right hand side of the generalised problem.
        sigma: A number near which values are looked for.
        which: 'LM', 'SM', 'LR', 'SR', 'LI' or 'SI': the largest or smallest magnitude, real or imaginary part.
        v0: An array of shape (n,) to begin with; by default random.
        ncv: How many vectors are kept at once.
        maxiter: The largest number of restarts.
        tol: How exact values are to be, relatively; 0 is as exact as the dtype.
        return_eigenvectors: Whether vectors are returned as well.
        Minv, OPinv: Inverses of ``M`` and of ``A - sigma * M``.
        OPpart: 'r' or 'i', which part of that is used for real matrices.
        rng: A generator of NumPy's for the random vector, where SciPy takes one.

    Returns:
        A tuple: a complex array of k values, and an array of shape (n, k); or the values alone.

    Raises:
        ArpackNoConvergence: Not all values have converged.
        ValueError: An argument is out of range.
        TypeError: ``A`` is no array or matrix of tombac's.

    >>> A = tombac.diag(tombac.arange(9.0))
    >>> abs(tombacx.scipy.sparse.linalg.eigs(A, k=1)[0]).round(4)
    array([8.])
    """
    more = {} if rng is None else {"rng": rng}
    A = A if issparse(A) else aslinearoperator(A)
    v0 = first_vector("eigs", v0, A.shape[0])
    return on_host("eigs", A, k=k, M=M, sigma=sigma, which=which, v0=v0, ncv=ncv, maxiter=maxiter, tol=tol,
                   return_eigenvectors=return_eigenvectors, Minv=Minv, OPinv=OPinv, OPpart=OPpart, **more)


def expm(A):
    """The exponential of a sparse matrix, by SciPy on the host.

    Args:
        A: A sparse matrix or an array of shape (n, n).

    Returns:
        A sparse matrix, or an array where ``A`` is one.

    Raises:
        ValueError: ``A`` is not square.
        TypeError: ``A`` is no matrix of tombac's.

    >>> tombacx.scipy.sparse.linalg.expm(tombac.zeros((2, 2)))
    array([[1., 0.],
           [0., 1.]])
    """
    return on_host("expm", _matrix("expm", A))


def inv(A):
    """The inverse of a sparse matrix, by SuperLU on the host.

    Args:
        A: A sparse matrix of shape (n, n).

    Returns:
        A sparse matrix.

    Raises:
        ValueError: ``A`` is not square.
        TypeError: ``A`` is no sparse matrix.

    >>> A = tombacx.scipy.sparse.csc_matrix(tombac.array([[2.0, 0.0], [0.0, 4.0]]))
    >>> tombacx.scipy.sparse.linalg.inv(A).toarray()
    array([[0.5 , 0.  ],
           [0.  , 0.25]])
    """
    if not issparse(A):
        raise TypeError(f"inv: a sparse matrix is expected, not {type(A)}")
    return on_host("inv", A if A.format in ("csr", "csc") else csc_array(A))


def onenormest(A, t=2, itmax=5, compute_v=False, compute_w=False):
    """A lower bound of the 1-norm of a matrix, by few products, which are on the device.

    Args:
        A: A matrix of shape (n, n): an array, a sparse matrix or a LinearOperator with its adjoint.
        t: How many vectors are tried at once.
        itmax: The largest number of iterations.
        compute_v: Whether the vector is returned that the norm was found with.
        compute_w: Whether what the matrix makes of it is returned.

    Returns:
        A float, or a tuple of that and arrays of shape (n,).

    Raises:
        ValueError: ``A`` is not square.
        TypeError: ``A`` is no matrix of tombac's.

    >>> tombacx.scipy.sparse.linalg.onenormest(tombac.array([[1.0, 2.0], [3.0, 4.0]]))
    6.0
    """
    found = on_host("onenormest", aslinearoperator(A), t, itmax, compute_v, compute_w)
    return (found[0].item(), *found[1:]) if isinstance(found, tuple) else found.item()
