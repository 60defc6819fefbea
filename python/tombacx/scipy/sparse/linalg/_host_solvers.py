"""Iterative solvers that run on the host, by SciPy; products with matrices are the device's."""

from tombac import _core
from tombacx.scipy.sparse.linalg._host import on_host
from tombacx.scipy.sparse.linalg._interface import LinearOperator, aslinearoperator

__all__ = ["gcrotmk", "lgmres", "qmr"]


def _solved(name, A, b, x0, operators, callback, **options):
    """What SciPy's solver of that name gives; ``callback`` has arrays of the device."""
    if not isinstance(b, _core.ndarray):
        raise TypeError(f"{name}: a tombac.ndarray is expected for b, not {type(b)}")
    operators = {key: None if M is None else aslinearoperator(M) for key, M in operators.items()}
    if callback is not None:
        options["callback"] = lambda x: callback(_core.array(x))
    return on_host(name, aslinearoperator(A), b, x0, **operators, **options)


def _identity_like(M):
    def same(x):
        return x

    return LinearOperator(M.shape, same, same, dtype=M.dtype)


def qmr(A, b, x0=None, *, rtol=1e-05, atol=0.0, maxiter=None, M1=None, M2=None, callback=None):
    """``x`` with ``A @ x == b`` by quasi-minimal residuals, by SciPy on the host; products are on the device.

    Args:
        A: A matrix of shape (n, n): an array, a sparse matrix or a LinearOperator, with its adjoint.
        b: An array of shape (n,) or (n, 1).
        x0: The array to begin with; by default zeros.
        rtol, atol: How small the residual is to be, relative to ``b`` and absolute.
        maxiter: The largest number of steps; by default 10 n.
        M1, M2: Operators whose product is near the inverse of ``A``, with their adjoints, applied from the left and
            from the right. One of them may be None, for which SciPy has an error.
        callback: A function that is called with ``x`` after each step.

    Returns:
        A tuple: an array of shape (n,), and an int: 0 where it has converged, the number of steps where it has not,
        negative where the method has broken down.

    Raises:
        ValueError: The shapes do not match.
        TypeError: An argument is no array or matrix of tombac's.

    >>> A = tombac.array([[4.0, 1.0], [1.0, 3.0]])
    >>> x, info = tombacx.scipy.sparse.linalg.qmr(A, tombac.array([1.0, 2.0]))
    >>> x.round(4), info
    (array([0.0909, 0.6364]), 0)
    """
    if (M1 is None) != (M2 is None):  # which SciPy takes for two
        M1, M2 = (_identity_like(M2), M2) if M1 is None else (M1, _identity_like(M1))
    return _solved("qmr", A, b, x0, {"M1": M1, "M2": M2}, callback, rtol=rtol, atol=atol, maxiter=maxiter)


def lgmres(A, b, x0=None, *, rtol=1e-05, atol=0.0, maxiter=1000, M=None, callback=None, inner_m=30, outer_k=3):
    """``x`` with ``A @ x == b`` by residuals minimised in spaces that keep some directions of the cycles before, by
    SciPy on the host; products are on the device.

    SciPy's vectors to carry over between calls (``outer_v`` and what goes with it) are no arguments.

    Args:
        A: A matrix of shape (n, n): an array, a sparse matrix or a LinearOperator.
        b: An array of shape (n,) or (n, 1).
        x0: The array to begin with; by default zeros.
        rtol, atol: How small the residual is to be, relative to ``b`` and absolute.
        maxiter: The largest number of cycles.
        M: An operator near the inverse of ``A``: an array, a sparse matrix or a LinearOperator.
        callback: A function that is called with ``x`` after each cycle.
        inner_m: How many steps a cycle has.
        outer_k: How many directions are kept.

    Returns:
        A tuple: an array of shape (n,), and an int: 0 where it has converged, ``maxiter`` where it has not.

    Raises:
        ValueError: The shapes do not match.
        TypeError: An argument is no array or matrix of tombac's.

    >>> A = tombac.array([[4.0, 1.0], [1.0, 3.0]])
    >>> x, info = tombacx.scipy.sparse.linalg.lgmres(A, tombac.array([1.0, 2.0]))
    >>> x.round(4), info
    (array([0.0909, 0.6364]), 0)
    """
    return _solved("lgmres", A, b, x0, {"M": M}, callback, rtol=rtol, atol=atol, maxiter=maxiter, inner_m=inner_m,
                   outer_k=outer_k)


def gcrotmk(A, b, x0=None, *, rtol=1e-05, atol=0.0, maxiter=1000, M=None, callback=None, m=20, k=None,
            truncate="oldest"):
    """``x`` with ``A @ x == b`` by GCROT(m, k), by SciPy on the host; products are on the device.

    SciPy's vectors to carry over between calls (``CU`` and ``discard_C``) are no arguments.

    Args:
        A: A matrix of shape (n, n): an array, a sparse matrix or a LinearOperator.
        b: An array of shape (n,) or (n, 1).
        x0: The array to begin with; by default zeros.
        rtol, atol: How small the residual is to be, relative to ``b`` and absolute.
        maxiter: The largest number of cycles.
        M: An operator near the inverse of ``A``: an array, a sparse matrix or a LinearOperator.
        callback: A function that is called with ``x`` after each cycle.
        m: How many steps a cycle has.
        k: How many directions are kept; by default ``m``.
        truncate: 'oldest' or 'smallest', which of them is given up.

    Returns:
        A tuple: an array of shape (n,), and an int: 0 where it has converged, ``maxiter`` where it has not.

    Raises:
        ValueError: The shapes do not match, or there is no such ``truncate``.
        TypeError: An argument is no array or matrix of tombac's.

    >>> A = tombac.array([[4.0, 1.0], [1.0, 3.0]])
    >>> x, info = tombacx.scipy.sparse.linalg.gcrotmk(A, tombac.array([1.0, 2.0]))
    >>> x.round(4), info
    (array([0.0909, 0.6364]), 0)
    """
    return _solved("gcrotmk", A, b, x0, {"M": M}, callback, rtol=rtol, atol=atol, maxiter=maxiter, m=m, k=k,
                   truncate=truncate)
