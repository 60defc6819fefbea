"""Functions of sparse matrices and operators: powers, and the exponential applied to vectors.

expm_multiply: Al-Mohy and Higham, "Computing the action of the matrix exponential, with an application to exponential
integrators" (2011), with the 1-norm of the matrix as the bound that decides into how many steps it is cut.
"""

import math
import operator

from tombac import _core
from tombac._numpy import np
from tombacx.scipy.sparse import issparse
from tombacx.scipy.sparse.linalg._host import on_host
from tombacx.scipy.sparse.linalg._interface import LinearOperator, aslinearoperator
from tombacx.scipy.sparse.linalg._norm import norm as _sparse_norm
from tombacx.scipy.sparse.linalg._system import evaluate, working_dtype

__all__ = ["expm_multiply", "matrix_power"]


def matrix_power(A, power):
    """A square matrix multiplied by itself so many times.

    Args:
        A: A sparse matrix or an array of shape (n, n).
        power: An integer, 0 or above.

    Returns:
        A sparse matrix, or an array where ``A`` is one.

    Raises:
        TypeError: ``A`` is not square.
        ValueError: ``power`` is no integer, or negative.

    >>> tombacx.scipy.sparse.linalg.matrix_power(tombac.array([[1.0, 1.0], [0.0, 1.0]]), 3)
    array([[1., 3.],
           [0., 1.]])
    """
    if A.ndim != 2 or A.shape[0] != A.shape[1]:
        raise TypeError(f"matrix_power: a square matrix is expected, the shape is {A.shape}")
    try:
        power = operator.index(power)
    except TypeError:
        raise ValueError(f"matrix_power: exponent must be an integer, not {power!r}") from None
    if power < 0:
        raise ValueError(f"matrix_power: exponent must be >= 0, not {power}")
    if power == 0:
        return _identity(A)
    result = None
    while True:
        if power & 1:
            result = A if result is None else result @ A
        power >>= 1
        if power == 0:
            return result.copy() if result is A else result
        A = A @ A


def _identity(A):
    if not issparse(A):
        return _core.eye(A.shape[0], dtype=A.dtype)
    from tombacx.scipy.sparse import eye_array

    return eye_array(A.shape[0], dtype=A.dtype)  # SciPy's, of matrices too


# How large the 1-norm of a step may be for a Taylor polynomial of the degree to be exact to float64: the paper's theta.
_THETA = {5: 0.13, 10: 1.0, 15: 2.2, 20: 3.6, 25: 4.9, 30: 6.3, 35: 7.7, 40: 9.1, 45: 11.0, 50: 12.0, 55: 13.0}


class _Exponential:
    """``exp(t A)`` applied to vectors, for a matrix whose trace is taken off first, which makes its norm less."""

    def __init__(self, A, dtype, trace):
        n = A.shape[0]
        if trace is None:
            trace = (A.diagonal() if issparse(A) else _core.array(A).diagonal()).sum().item() if n else 0
        self.shift = trace / n if n else 0
        self.apply = A.dot
        self.dtype = dtype
        one = _sparse_norm(A, 1) if issparse(A) else abs(A).sum(0).max() if n else _core.zeros(())
        self.size = float(one.item()) + abs(self.shift)

    def __call__(self, t, X):
        size = abs(t) * self.size
        if not math.isfinite(size):
            raise ValueError("expm_multiply: A or a time is not finite")
        if size == 0:
            return X * self._factor(t)
        degree, steps = min(((m, max(1, math.ceil(size / theta))) for m, theta in _THETA.items()),
                            key=lambda pair: pair[0] * pair[1])
        h = t / steps
        for _ in range(steps):
            term = X
            for k in range(1, degree + 1):
                term = ((self.apply(term) - self.shift * term) * (h / k)).astype(self.dtype, copy=False)
                X = X + term
            X = X * self._factor(h)
            evaluate(X)
        return X

    def _factor(self, t):
        return np.exp(t * self.shift).item()


def expm_multiply(A, B, start=None, stop=None, num=None, endpoint=None, traceA=None):
    """``expm(t * A) @ B``, without the exponential itself, for ``t = 1`` or evenly spaced times.

    Args:
        A: A matrix of shape (n, n): an array, a sparse matrix or (through SciPy, on the host) a LinearOperator.
        B: An array of shape (n,) or (n, k).
        start, stop: The first and the last time.
        num: The number of times; by default 50.
        endpoint: Whether ``stop`` is one of the times; by default it is.
        traceA: The trace of ``A``, if it is known.

    Returns:
        An array of ``B``'s shape, or one of these for each time.

    Raises:
        ValueError: Shapes do not match, or a matrix is not finite.
        TypeError: An argument is no array or matrix of tombac's.

    >>> A = tombac.array([[0.0, 1.0], [0.0, 0.0]])
    >>> tombacx.scipy.sparse.linalg.expm_multiply(A, tombac.array([1.0, 2.0]))
    array([3., 2.])
    """
    if not isinstance(B, _core.ndarray):
        raise TypeError(f"expm_multiply: a tombac.ndarray is expected for B, not {type(B)}")
    if aslinearoperator(A).shape != 2 * B.shape[:1] or B.ndim > 2:
        raise ValueError(f"expm_multiply: shapes of A {A.shape} and B {B.shape} are incompatible")
    if isinstance(A, LinearOperator):
        return on_host("expm_multiply", A, B, start, stop, num, endpoint, traceA)
    once = all(x is None for x in (start, stop, num, endpoint))
    dtype = working_dtype(A.dtype, B.dtype)
    if not once or traceA is not None:  # as in SciPy, where times and that number have 64 bits
        dtype = np.result_type(dtype, np.float64)
    exponential, X = _Exponential(A, dtype, traceA), B.astype(dtype)
    if once:
        return exponential(1.0, X)
    times, step = np.linspace(0 if start is None else start, 1 if stop is None else stop,
                              **({} if num is None else {"num": num}),
                              **({} if endpoint is None else {"endpoint": endpoint}), retstep=True)
    X = exponential(float(times[0]), X)
    found = [X]
    for _ in times[1:]:
        X = exponential(float(step), X)
        found.append(X)
    return _core.stack(found)
