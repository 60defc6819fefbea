"""eigsh: some eigenvalues and eigenvectors of a Hermitian operator."""

import warnings

from tombac import _core
from tombac._numpy import np
from tombacx.scipy._host import scipy_module
from tombacx.scipy.sparse import issparse
from tombacx.scipy.sparse.linalg import _arpack
from tombacx.scipy.sparse.linalg._host import on_host
from tombacx.scipy.sparse.linalg._interface import LinearOperator, aslinearoperator
from tombacx.scipy.sparse.linalg._lanczos import Lanczos
from tombacx.scipy.sparse.linalg._repeat import is_recordable, product
from tombacx.scipy.sparse.linalg._system import working_dtype

__all__ = ["eigsh"]

# The number of a value is higher, the less it is wanted.
_ORDERS = {"LM": lambda w: np.argsort(-np.abs(w), kind="stable"), "SM": lambda w: np.argsort(np.abs(w), kind="stable"),
           "LA": lambda w: np.argsort(-w, kind="stable"), "SA": lambda w: np.argsort(w, kind="stable")}


def _wanted(theta, which):
    """The numbers of values (which ascend), those that are wanted most first."""
    if which != "BE":
        return _ORDERS[which](theta)
    high, low = np.arange(len(theta))[::-1], np.arange(len(theta))
    order = np.stack([high, low], 1).reshape(-1)  # from both ends in turn, from the high one first
    return order[: len(theta)]


def eigsh(A, k=6, M=None, sigma=None, which="LM", v0=None, ncv=None, maxiter=None, tol=0.0, return_eigenvectors=True,
          Minv=None, OPinv=None, mode="normal", rng=None):
    """Some eigenvalues and eigenvectors of a Hermitian matrix, by Lanczos' process with thick restarts.

    ARPACK does the work, through SciPy, with ``M`` or ``sigma``, and of real numbers on the CPU.

    Args:
        A: A Hermitian matrix of shape (n, n): an array, a sparse matrix or a LinearOperator of any numeric dtype.
        k: How many values; less than n.
        M: The matrix on the right hand side of the generalised problem.
        sigma: A number near which values are looked for.
        which: Which values: 'LM' or 'SM', of largest or smallest magnitude; 'LA' or 'SA', the largest or smallest;
            'BE', from both ends.
        v0: An array of shape (n,) to begin with; by default random.
        ncv: How many vectors are kept at once; by default min(n, max(2 k + 1, 40)), 20 for ARPACK.
        maxiter: The largest number of restarts; by default 10 n. 0 gives what the first cycle finds, as in CuPy.
        tol: How exact values are to be, relatively; 0 is as exact as the dtype and the largest of them allow.
        return_eigenvectors: Whether vectors are returned as well.
        Minv, OPinv: Inverses of ``M`` and of ``A - sigma * M``, for the host.
        mode: 'normal', 'buckling' or 'cayley', for the host.
        rng: A seed of the random vector.

    Returns:
        A tuple: an array of k values, of float32 or float64, in ascending order, and an array of shape (n, k), the
        vectors. Or the values alone, ordered as in SciPy: by magnitude for 'LM', falling for 'SM' and 'SA'.

    Raises:
        ValueError: The shapes do not match, or an argument is out of range.
        ArpackNoConvergence: Not all values have converged; it holds those that have.
        TypeError: ``A`` is no array or matrix of tombac's, or ``k`` is no less than n and ``A`` is not dense.

    >>> values, vectors = tombacx.scipy.sparse.linalg.eigsh(tombac.diag(tombac.arange(9.0)), k=2)
    >>> values.round(4)
    array([7., 8.])
    """
    if M is not None or sigma is not None or mode != "normal":
        v0 = _arpack.first_vector("eigsh", v0, A.shape[0])
        return on_host("eigsh", A, k=k, M=M, sigma=sigma, which=which, v0=v0, ncv=ncv, maxiter=maxiter, tol=tol,
                       return_eigenvectors=return_eigenvectors, Minv=Minv, OPinv=OPinv, mode=mode)
    operator = aslinearoperator(A)
    n = operator.shape[0]
    if operator.shape[1] != n:
        raise ValueError(f"eigsh: expected square matrix (shape={operator.shape})")
    if k <= 0:
        raise ValueError(f"eigsh: k must be greater than 0, not {k}")
    if which not in ("LM", "SM", "LA", "SA", "BE"):
        raise ValueError(f"eigsh: which must be one of LM SM LA SA BE, not {which!r}")
    v0 = _arpack.first_vector("eigsh", v0, n)
    if k >= n:
        return _all(A, k, return_eigenvectors)
    # A single vector more than is wanted is what a restart needs; without one, none is needed.
    ncv = ncv if ncv is None else min(_core._on_host(ncv), n)
    if ncv is not None and (ncv < k or (ncv == k and maxiter != 0)):
        raise ValueError(f"eigsh: ncv must be k<ncv<=n, ncv={ncv}")
    dtype = working_dtype(operator.dtype)
    if maxiter != 0 and _arpack.is_there(dtype):
        found = _arpack.eigsh(operator, dtype, k, v0, rng, which=which, ncv=ncv, maxiter=maxiter, tol=tol,
                              return_eigenvectors=return_eigenvectors)
        if found is not None:
            return found
    # ARPACK's 20 need several times as many products to separate values that are close to one another; 64 save few
    # more for a larger problem on the host in each cycle.
    ncv = min(n, max(2 * k + 1, 40)) if ncv is None else ncv
    maxiter = 10 * n if maxiter is None else maxiter
    space = Lanczos(product(operator), n, ncv, dtype, v0, rng, is_recordable(operator))
    theta, S, converged = _iterate(space, k, which, tol, maxiter)
    if not converged.all() and maxiter > 0:
        _fail(space, theta[converged], S[:, converged], return_eigenvectors)
    values = _core.array(theta.astype(np.finfo(dtype).dtype))
    if return_eigenvectors:
        return values, space.combine(S).T
    return _core.array(values.get()[_order_alone(theta, which)])


def _iterate(space, k, which, tol, maxiter):
    """Values wanted, ascending, their combinations of the basis, and which of them have converged."""
    eps = np.finfo(space.dtype).eps
    tol = max(tol, eps)
    for round_ in range(maxiter + 1):
        left = space.cycle()
        if not np.isfinite(space.T).all():
            raise scipy_module("scipy.sparse.linalg", "eigsh").ArpackError(
                -9999, {-9999: "the operator gives infinities or NaNs"})
        theta, S = np.linalg.eigh(space.T)
        order = _wanted(theta, which)
        chosen = np.sort(order[:k])
        error = abs(left * S[-1])
        # Rounding of a cycle's work leaves errors of some eps * |A|, below which no cycle after it gets for sure.
        floor = 4 * space.size * eps * np.abs(theta).max()
        converged = error <= np.maximum(tol * np.maximum(eps ** (2 / 3), np.abs(theta)), floor)
        if converged[chosen].all() or round_ == maxiter:
            break
        # As many each time, so that the same work follows.
        keep = np.sort(order[: min(space.size - 1, k + max(1, 3 * (space.size - k) // 8))])
        space.restart(theta[keep], S[:, keep], left)
    return theta[chosen], S[:, chosen], converged[chosen]


def _order_alone(theta, which):
    """SciPy's order of values that come without vectors."""
    if which in ("LA", "BE"):
        return np.arange(len(theta))
    return _ORDERS[which](theta)[::-1] if which in ("LM", "SM") else np.arange(len(theta))[::-1]


def _all(A, k, return_eigenvectors):
    if issparse(A) or isinstance(A, LinearOperator):
        raise TypeError("eigsh: k must be less than n for a sparse matrix or an operator; tombac.linalg.eigh of "
                        "A.toarray() finds all values")
    warnings.warn("eigsh: k >= n: all values are found by tombac.linalg.eigh", RuntimeWarning, stacklevel=3)
    values, vectors = _core._eigh(A, "L")
    return (values, vectors) if return_eigenvectors else values


def _fail(space, theta, S, return_eigenvectors):
    values = _core.array(theta.astype(np.finfo(space.dtype).dtype))
    vectors = space.combine(S).T if return_eigenvectors and len(theta) else _core.empty((space.n, 0), space.dtype)
    error = scipy_module("scipy.sparse.linalg", "eigsh").ArpackNoConvergence
    raise error(f"eigsh: no convergence: {len(theta)} of the values have converged", values, vectors)
