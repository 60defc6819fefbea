"""ARPACK for eigsh and svds, by SciPy: where arrays are in the host's memory nothing has to go there and back, and its
loops take a tenth of the time that ours take over short vectors."""

from tombac import _core
from tombac.random import default_rng
from tombacx.scipy._host import device, host_view, scipy_module
from tombacx.scipy.sparse import issparse
from tombacx.scipy.sparse._host import dense
from tombacx.scipy.sparse.linalg._host import host_operator
from tombacx.scipy.sparse.linalg._interface import MatrixLinearOperator

__all__ = ["eigsh", "first_vector", "is_there", "svds"]


def first_vector(name, v0, n):
    """What an iteration begins with, as a vector of n elements; ARPACK takes n from its memory, however many it has."""
    if v0 is None:
        return None
    v0 = _core.asarray(v0)
    if v0.size != n:
        raise ValueError(f"{name}: v0 must have the shape ({n},), not {v0.shape}")
    return v0.ravel()


def is_there(dtype):
    """Whether arrays are in the host's memory, and SciPy is installed. It does not serve for complex numbers: to SciPy
    a Hermitian matrix of these is a general one, whose values come in no order."""
    if _core.backend() != "cpu" or dtype.kind == "c":
        return False
    try:
        return scipy_module("scipy.sparse.linalg", "eigsh") is not None
    except ImportError:
        return False


def _on_host(operator, dtype):
    """What SciPy multiplies by, of ARPACK's dtypes: vectors by our products, without its looking at each, which takes
    several times as long as the product with a small matrix.
    """
    made = host_operator(operator, dtype)
    if isinstance(operator, MatrixLinearOperator):
        a = operator.A.astype(dtype, copy=False)
        made.matvec, made.rmatvec = _product(a), _product(a.T)  # no complex numbers come here
    return made


def _product(a):
    times = a.tocsr()._times_dense if issparse(a) else a.dot
    return lambda x: host_view(times(dense(x, copy=False)))


def _found(name, operator, dtype, k, v0, rng, options):
    """What SciPy finds, on the device; None where ARPACK gives up, as of a matrix of zeros and of NaN. The error that
    values have not converged has those that have there, too."""
    scipy = scipy_module("scipy.sparse.linalg", name)
    v0 = default_rng(1 if rng is None else rng).standard_normal(min(operator.shape)) if v0 is None else v0
    try:
        return device(getattr(scipy, name)(_on_host(operator, dtype), k, v0=v0.astype(dtype).get(), **options))
    except scipy.ArpackNoConvergence as e:
        message = f"{name}: no convergence: {len(e.eigenvalues)} of the values have converged"
        raise scipy.ArpackNoConvergence(message, device(e.eigenvalues), device(e.eigenvectors)) from None
    except scipy.ArpackError:
        return None


def eigsh(operator, dtype, k, v0, rng, **options):
    """Values, ascending, and vectors, or the values alone, as tombacx.scipy.sparse.linalg.eigsh gives them; or None."""
    found = _found("eigsh", operator, dtype, k, v0, rng, options)
    values = found[0] if isinstance(found, tuple) else found
    return found if values is not None and _core.isfinite(values).all() else None


def svds(operator, dtype, k, v0, rng, **options):
    """Left vectors, values and right ones; or None."""
    return _found("svds", operator, dtype, k, v0, rng, options)
