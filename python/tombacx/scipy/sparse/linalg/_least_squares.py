"""Least squares by bidiagonalisation, and what lsqr and lsmr have in common.

Golub and Kahan's process (1965) gives orthonormal vectors and the two diagonals of a matrix; the vectors depend on the
diagonals alone, which are norms that stay on the device. So the process runs some steps ahead; then the host reads the
diagonals, does the recurrences of numbers for each of these steps, and finds after which of them to stop. Of matrices
on a GPU one kernel takes many steps, with the recurrences (``_resident.py``), and the host looks now and then whether
it is over. Of sparse matrices on the CPU a routine of the core takes all steps.
"""

import copy
import math
from types import SimpleNamespace

from tombac import _core
from tombac._numpy import np
from tombacx.scipy.sparse import issparse
from tombacx.scipy.sparse.linalg._interface import MatrixLinearOperator, aslinearoperator
from tombacx.scipy.sparse.linalg._recurrence import HOST
from tombacx.scipy.sparse.linalg._repeat import by_rows, product
from tombacx.scipy.sparse.linalg._resident import Resident, suits
from tombacx.scipy.sparse.linalg._system import Looks, dot, evaluate, norm, numbers, working_dtype

__all__ = ["Bidiagonalisation", "Method", "Problem", "run"]


def _square(v):
    """The square of a vector's norm."""
    return dot(v, v).real


def _over(square, length):
    """1 over the length of a vector; of one that is zero 0, so that it stays zero."""
    return _core.where(square > 0, 1 / length, 0)


class Problem:
    """What is given, checked, in one dtype."""

    def __init__(self, name, A, b, x0):
        if issparse(A) and A.dtype.kind == "b":
            A = A.astype("h")  # elements that are there twice count twice
        self.A = A = by_rows(aslinearoperator(A))
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
        self.b, self.x0 = b.reshape(-1).astype(self.dtype, copy=False), x0

    def by_routine(self, lsmr, damp, atol, btol, conlim, limit, calc_var=False):
        """((x, and variances), reason, steps, norms) by a routine of the core, which the CPU has for sparse matrices;
        None where there is none."""
        if not isinstance(self.A, MatrixLinearOperator) or not issparse(self.A.A) or _core.backend() != "cpu":
            return None
        a = self.A.A.astype(self.dtype, copy=False)
        a = a if a.format in ("csr", "csc") else a.tocsr()
        x0 = self.x0 if self.x0 is None else self.x0.astype(np.result_type(self.dtype, np.float64))
        (x, *variance), *others = _core._sparse_least_squares(
            *a._pattern(), a.data, a.format == "csc", self.b, x0, lsmr, damp, atol, btol, conlim, limit, calc_var)
        return x.astype(self.wide, copy=False), *others, *variance


class Bidiagonalisation:
    """``u``, ``v`` and the last ``alpha`` (on the device) of the process that begins with a residual."""

    def __init__(self, problem):
        A, b, x0 = problem.A, problem.b, problem.x0
        self.shape, self.dtype, self.wide, self.b = problem.shape, problem.dtype, problem.wide, b
        self.operators = A, by_rows(A.H)
        self.apply, self.apply_adjoint = map(product, self.operators)
        self.x = _core.zeros(self.shape[1], self.wide) if x0 is None else x0.astype(self.wide)
        residual = b if x0 is None else self._typed(b - self.apply(x0.astype(self.dtype)))
        beta = norm(residual)
        self.u = residual * _over(beta, beta)
        v = self._typed(self.apply_adjoint(self.u))
        self.alpha = norm(v)
        self.v = v * _over(self.alpha, self.alpha)
        self.norm_b, self.first_beta, self.first_alpha = map(np.float64, numbers(norm(b), beta, self.alpha))

    def _typed(self, x):
        return x.astype(self.dtype, copy=False)

    def begin(self):
        """Exchanges ``u``; what becomes the next ``v``, not yet of length 1, and the squares of alpha and beta."""
        u = self._typed(self.apply(self.v)) - self.alpha * self.u
        uu = _square(u)
        beta = _core.sqrt(uu)
        self.u = u * _over(uu, beta)
        v = self._typed(self.apply_adjoint(self.u)) - beta * self.v
        return v, _square(v), uu

    def steps(self, count):
        """As many (v, alpha, beta), the numbers on the host."""
        vectors, squares = [], []
        for _ in range(count):
            v, *pair = self.begin()
            self.alpha = _core.sqrt(pair[0])
            self.v = v * _over(pair[0], self.alpha)
            vectors.append(self.v)
            squares += pair
        lengths = np.sqrt(np.array(numbers(*squares), self.dtype.char.lower())).astype("d")
        return zip(vectors, lengths[::2], lengths[1::2], strict=True)


class Method:
    """What a method knows after a step; the next step is another object. A method has ``numbers(alpha, beta)``, the
    recurrence of its np.float64 attributes, which gives the factors with which ``vectors(v, *factors)`` changes its
    vectors; and ``test(watched)``, the reason to stop. What the test needs is the square of a vector's norm: of the
    one before the step where it is ``watched_before``, else of that after it."""

    f = HOST
    watched_vector = "x"
    watched_before = False

    def __init__(self, process, damp, atol, btol, conlim):
        self.x, self.norm_b = process.x, process.norm_b
        self.damp, self.atol, self.btol = np.float64(damp), np.float64(atol), np.float64(btol)
        self.least = np.float64(1 / conlim if conlim > 0 else 0)
        self.count = self.reason = np.float64(0)
        self.sums = SimpleNamespace()  # of all steps up to the one that is tested

    def watched(self):
        vector = getattr(self, self.watched_vector)
        evaluate(vector)
        return _square(vector)

    def next(self, v, alpha, beta):
        """The method after one more step, and what it watches."""
        after = copy.copy(self)
        after.count = self.count + 1
        watched = self.watched() if self.watched_before else None
        after.vectors(v, *map(float, after.numbers(alpha, beta)))
        return after, after.watched() if watched is None else watched

    def rotation(self, a, b):
        """(c, s, r) with ``c * a + s * b == r`` and ``c * b == s * a``."""
        r = self.f.hypot(a, b)
        return self.f.where(r != 0, a / r, 1.0), self.f.where(r != 0, b / r, 0.0), r

    def stop(self, norm_r, norm_ar, norm_a, cond_a, norm_x):
        """SciPy's number of the reason to stop, or 0."""
        where = self.f.where
        scaled = norm_a * norm_x / self.norm_b
        test1 = norm_r / self.norm_b
        both = norm_a * norm_r
        test2 = where(both != 0, norm_ar / both, where(norm_ar == 0, 0.0, math.inf))
        test3 = 1 / cond_a
        t1 = test1 / (1 + scaled)
        reason = 0
        for number, holds in ((6, 1 + test3 <= 1), (5, 1 + test2 <= 1), (4, 1 + t1 <= 1), (3, test3 <= self.least),
                              (2, test2 <= self.atol), (1, test1 <= self.btol + self.atol * scaled)):
            reason = where(holds, number, reason)
        return reason


def _run_resident(process, method, limit):
    def find_reason(watched):
        reason = method.test(watched)
        method.reason = method.f.where(watched == watched, reason, 7)
        return ()

    def step(alpha, beta, watched):
        method.count = method.count + 1
        factors = method.numbers(alpha, beta)
        if method.watched_before:
            find_reason(watched)
        return factors

    Resident(process, method, step, None if method.watched_before else find_reason).run(limit)
    if method.reason == 7:
        method.count = limit
    return method, int(method.reason) or 7


def run(process, method, limit):
    """The method where it stops, and why."""
    if limit > 0 and suits(process.operators[0], process.dtype):
        return _run_resident(process, method, limit)
    looks = Looks()
    with np.errstate(all="ignore"):
        while method.count < limit:
            ahead, watched = [], []
            for v, alpha, beta in process.steps(looks.ahead(int(method.count), limit)):
                method, value = method.next(v, alpha, beta)
                ahead.append(method)
                watched.append(value)
            for method, value in zip(ahead, numbers(*watched), strict=True):
                reason = method.test(np.float64(value))
                if math.isnan(value):
                    method.count = limit
                if reason or math.isnan(value):
                    evaluate(method.x)
                    return method, reason or 7
            evaluate(method.x)
    return method, 7 if limit > 0 else 0
