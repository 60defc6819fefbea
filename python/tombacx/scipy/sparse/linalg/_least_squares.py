"""Least squares by bidiagonalisation, and what lsqr and lsmr have in common.

Golub and Kahan's process (1965) gives orthonormal vectors and the two diagonals of a matrix; the vectors depend on the
diagonals alone, which are norms that stay on the device. So the process runs some steps ahead; then the host reads the
diagonals, does the recurrences of numbers for each of these steps, and finds after which of them to stop.
"""

import copy
import math

from tombac import _core
from tombac._numpy import np
from tombacx.scipy.sparse.linalg._interface import MatrixLinearOperator, aslinearoperator
from tombacx.scipy.sparse.linalg._system import Looks, evaluate, norm, numbers, working_dtype

__all__ = ["Bidiagonalisation", "Method", "rotation", "run"]


def rotation(a, b):
    """(c, s, r) with ``c * a + s * b == r`` and ``c * b == s * a``."""
    r = np.hypot(a, b)
    return (a / r, b / r, r) if r else (np.float64(1), np.float64(0), r)


def _unit(v):
    """A vector divided by its norm, and the norm; zero stays zero."""
    length = norm(v)
    return v * _core.where(length > 0, 1 / length, 0), length


class Bidiagonalisation:
    """``u``, ``v`` and the last ``alpha`` (on the device) of the process that begins with a residual."""

    def __init__(self, name, A, b, x0):
        A = aslinearoperator(A)
        m, n = self.shape = A.shape
        if not isinstance(b, _core.ndarray):
            raise TypeError(f"{name}: a tombac.ndarray is expected for b, not {type(b)}")
        if b.shape not in ((m,), (m, 1)):
            raise ValueError(f"{name}: shapes of A {A.shape} and b {b.shape} are incompatible")
        if x0 is not None and (not isinstance(x0, _core.ndarray) or x0.shape != (n,)):
            raise ValueError(f"{name}: x0 must be an array of shape ({n},), not {getattr(x0, 'shape', x0)}")
        self.dtype = working_dtype(A.dtype, b.dtype, *([] if x0 is None else [x0.dtype]))
        # x is of SciPy's dtype.
        self.wide = np.result_type(self.dtype, np.float64) if x0 is None else self.dtype
        self.apply, self.apply_adjoint = A.matvec, A.rmatvec
        if isinstance(A, MatrixLinearOperator):
            self.apply, self.apply_adjoint = A.A.dot, A.H.A.dot
        self.b = b = b.reshape(-1).astype(self.dtype, copy=False)
        self.x = _core.zeros(n, self.wide) if x0 is None else x0.astype(self.wide)
        residual = b if x0 is None else self._typed(b - self.apply(x0.astype(self.dtype)))
        self.u, beta = _unit(residual)
        self.v, self.alpha = _unit(self._typed(self.apply_adjoint(self.u)))
        self.norm_b, self.first_beta, self.first_alpha = map(np.float64, numbers(norm(b), beta, self.alpha))

    def _typed(self, x):
        return x.astype(self.dtype, copy=False)

    def steps(self, count):
        """As many (v, alpha, beta) more, the numbers on the host."""
        vectors, lengths = [], []
        for _ in range(count):
            self.u, beta = _unit(self._typed(self.apply(self.v)) - self.alpha * self.u)
            self.v, self.alpha = _unit(self._typed(self.apply_adjoint(self.u)) - beta * self.v)
            vectors.append(self.v)
            lengths += [self.alpha, beta]
        lengths = list(map(np.float64, numbers(*lengths)))
        return zip(vectors, lengths[::2], lengths[1::2], strict=True)


class Method:
    """What a method knows after a step; the next step is another object. ``watched`` is a number on the device that the
    tests need."""

    def __init__(self, process, damp, atol, btol, conlim):
        self.x, self.norm_b = process.x, process.norm_b
        self.damp = np.float64(damp)
        self.atol, self.btol = atol, btol
        self.least = 1 / conlim if conlim > 0 else 0.0
        self.count = 0

    def next(self, v, alpha, beta):
        after = copy.copy(self)
        after.count += 1
        after.step(v, alpha, beta)
        return after

    def stop(self, norm_r, norm_ar, norm_a, cond_a, norm_x):
        """SciPy's number of the reason to stop, or 0."""
        scaled = norm_a * norm_x / self.norm_b
        test1 = norm_r / self.norm_b
        test2 = norm_ar / (norm_a * norm_r) if norm_a * norm_r != 0 else 0.0 if norm_ar == 0 else math.inf
        test3 = 1 / cond_a
        t1 = test1 / (1 + scaled)
        for number, small, limit in ((1, test1, self.btol + self.atol * scaled), (2, test2, self.atol),
                                     (3, test3, self.least)):
            if small <= limit:
                return number
        for number, small in ((4, t1), (5, test2), (6, test3)):
            if 1 + small <= 1:
                return number
        return 0


def run(process, method, limit):
    """The method where it stops, and why."""
    looks = Looks()
    with np.errstate(all="ignore"):
        while method.count < limit:
            ahead = []
            for v, alpha, beta in process.steps(looks.ahead(method.count, limit)):
                method = method.next(v, alpha, beta)
                ahead.append(method)
            for method, value in zip(ahead, numbers(*[each.watched for each in ahead]), strict=True):
                reason = method.test(value)
                if math.isnan(value):
                    method.count = limit
                if reason or math.isnan(value):
                    evaluate(method.x)
                    return method, reason or 7
            evaluate(method.x)
    return method, 7 if limit > 0 else 0
