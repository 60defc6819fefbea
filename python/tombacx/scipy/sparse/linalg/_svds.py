"""svds: some singular values and vectors of an operator, by the eigenvectors of its product with its adjoint."""

from tombac import _core
from tombac._numpy import np
from tombacx.scipy.sparse.linalg import _arpack
from tombacx.scipy.sparse.linalg._eigsh import eigsh
from tombacx.scipy.sparse.linalg._interface import aslinearoperator
from tombacx.scipy.sparse.linalg._repeat import Square
from tombacx.scipy.sparse.linalg._system import working_dtype

__all__ = ["svds"]


def _check(operator, k, ncv, which, v0, maxiter, vectors, solver):
    m, n = operator.shape
    small = min(m, n)
    if small < 1:
        raise ValueError(f"svds: A must not be empty, its shape is {operator.shape}")
    most = small + 1 if solver == "lobpcg" else small
    if int(k) != k or not 0 < k < most:  # TypeError where it is no number
        raise ValueError(f"svds: k must be an integer above 0 and below {most}, not {k!r}")
    if ncv is not None and not k < ncv <= small:
        raise ValueError(f"svds: ncv must be above k and at most {small}, not {ncv!r}")
    if which not in ("LM", "SM"):
        raise ValueError(f"svds: which must be 'LM' or 'SM', not {which!r}")
    if v0 is not None and v0.shape != (small,):
        raise ValueError(f"svds: v0 must have shape ({small},), not {v0.shape}")
    if maxiter is not None and maxiter <= 0:
        raise ValueError(f"svds: maxiter must be a positive integer, not {maxiter!r}")
    if vectors not in (True, False, "u", "vh"):
        raise ValueError(f"svds: return_singular_vectors must be True, False, 'u' or 'vh', not {vectors!r}")
    if solver not in ("arpack", "lobpcg", "propack"):
        raise ValueError(f"svds: solver must be 'arpack', 'lobpcg' or 'propack', not {solver!r}")


def svds(A, k=6, ncv=None, tol=0.0, which="LM", v0=None, maxiter=None, return_singular_vectors=True, solver="arpack",
         rng=None, options=None, *, random_state=None):
    """Some singular values and vectors of a matrix, by eigsh of its product with its adjoint; by ARPACK on the CPU.

    Args:
        A: An array, a sparse matrix or a LinearOperator of any numeric dtype and shape (m, n).
        k: How many values; less than m and n.
        ncv: How many vectors are kept at once; by default max(2 k + 1, 40) at most.
        tol: How exact values are to be, relatively; 0 is as exact as the dtype.
        which: 'LM' for the largest values, 'SM' for the smallest.
        v0: An array of min(m, n) elements to begin with; by default random.
        maxiter: The largest number of restarts; by default 10 min(m, n).
        return_singular_vectors: True, False, or 'u' or 'vh' for the one or the other.
        solver: One of SciPy's three names; the method is the same one.
        rng, random_state: A seed of the random vector.
        options: Accepted for SciPy's sake.

    Returns:
        A tuple: an array of shape (m, k), the k values in ascending order, and an array of shape (k, n), with None for
        vectors that are not wanted; or the values alone.

    Raises:
        ValueError: An argument is out of range.
        ArpackNoConvergence: Not all values have converged.
        TypeError: ``A`` is no array or matrix of tombac's, or ``k`` no number.

    >>> u, s, vh = tombacx.scipy.sparse.linalg.svds(tombac.diag(tombac.arange(1.0, 9.0)), k=2)
    >>> s.round(4)
    array([7., 8.])
    """
    operator = aslinearoperator(A)
    k, ncv = _core._on_host((k, ncv))
    _check(operator, k, ncv, which, v0, maxiter, return_singular_vectors, solver)
    k = int(k)
    seed = rng if rng is not None else random_state
    dtype, small = working_dtype(operator.dtype), min(operator.shape)
    if k < small and _arpack.is_there(dtype):
        found = _arpack.svds(operator, dtype, k, v0, seed, ncv=ncv, tol=tol, which=which, maxiter=maxiter)
        if found is not None:
            return _parts(*found, return_singular_vectors)
    tall = operator.shape[0] >= operator.shape[1]
    X = operator if tall else operator.H
    V = _eigenvectors(Square(X, dtype), k, which, v0, ncv, maxiter, tol, seed)
    u, s, wh = _core._svd(X.matmat(V).astype(dtype, copy=False), False)
    order = slice(None, None, -1)
    u, s, vh = u[:, order], s[order], (wh @ V.conj().T)[order]
    u, vh = (u, vh) if tall else (vh.conj().T, u.conj().T)
    return _parts(u, s, vh, return_singular_vectors)


def _parts(u, s, vh, wanted):
    if wanted is False:
        return s
    return (None if wanted == "vh" else u), s, (None if wanted == "u" else vh)


def _eigenvectors(square, k, which, v0, ncv, maxiter, tol, rng):
    n = square.shape[0]
    if k == n:
        return _core.eye(n, dtype=square.dtype)
    # The square of a value is exact to twice what the value is to be.
    return eigsh(square, k, which=which, v0=v0, ncv=ncv, maxiter=maxiter, tol=tol**2, rng=rng)[1]
