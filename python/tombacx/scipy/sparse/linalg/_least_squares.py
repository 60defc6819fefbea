"""Least squares by bidiagonalisation, and what lsqr and lsmr have in common.

Golub and Kahan's process (1965) gives orthonormal vectors and the two diagonals of a matrix; the vectors depend on the
diagonals alone, which are norms that stay on the device. So the process runs some steps ahead; then the host reads the
diagonals, does the recurrences of numbers for each of these steps, and finds after which of them to stop. Where steps
can be recorded the device does the recurrences as well, as a kernel or two (``_recurrence.py``), and the host looks now
and then whether it is over.
"""

import copy
import math
from types import SimpleNamespace

from tombac import _core
from tombac._numpy import np
from tombacx.scipy.sparse.linalg._interface import aslinearoperator
from tombacx.scipy.sparse.linalg._recurrence import HOST, Recurrence, State
from tombacx.scipy.sparse.linalg._repeat import LARGEST, Repeated, is_recordable, product
from tombacx.scipy.sparse.linalg._system import Looks, dot, evaluate, norm, numbers, working_dtype

__all__ = ["Bidiagonalisation", "Method", "run"]


def _square(v):
    """The square of a vector's norm."""
    return dot(v, v).real


def _over(square, length):
    """1 over the length of a vector; of one that is zero 0, so that it stays zero."""
    return _core.where(square > 0, 1 / length, 0)


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
        self.apply, self.apply_adjoint = product(A), product(A.H)
        self.recordable = is_recordable(A) and max(m, n) * self.dtype.itemsize <= LARGEST
        self.b = b = b.reshape(-1).astype(self.dtype, copy=False)
        self.x = _core.zeros(n, self.wide) if x0 is None else x0.astype(self.wide)
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
    vectors; and ``test(watched)``, the reason to stop. ``watched()`` is a number on the device that the test needs: of
    the vectors before the step where it is ``watched_before``, else of those after it."""

    f = HOST
    results = ()  # numbers that are told
    told = ("x",)  # and vectors
    watched_before = False

    def __init__(self, process, damp, atol, btol, conlim):
        self.x, self.norm_b = process.x, process.norm_b
        self.damp, self.atol, self.btol = np.float64(damp), np.float64(atol), np.float64(btol)
        self.least = np.float64(1 / conlim if conlim > 0 else 0)
        self.count = self.reason = np.float64(0)
        self.sums = SimpleNamespace()  # of all steps up to the one that is tested

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


class _OnDevice:
    """A process and a method that go on without the host. Results stay as they are from where there is a reason."""

    def __init__(self, process, method):
        self.process, self.method = process, method
        self.state = State(method, method.sums)
        if method.watched_before:
            self.recurrences = [Recurrence(self.state, self._step, "sqrt(x0)", "sqrt(x1)", "x2")]
        else:
            self.recurrences = [Recurrence(self.state, self._step, "sqrt(x0)", "sqrt(x1)"),
                                Recurrence(self.state, self._test, "x0")]

    def _held(self, change):
        method = self.method
        names = "count", "reason", *method.results
        before = [getattr(method, name) for name in names]
        going = method.reason == 0
        change()
        for name, value in zip(names, before, strict=True):
            setattr(method, name, method.f.where(going, getattr(method, name), value))
        return going

    def _step(self, alpha, beta, *watched):
        method = self.method
        factors = []

        def change():
            method.count = method.count + 1
            factors.extend(method.numbers(alpha, beta))
            if watched:
                self._find_reason(*watched)

        going = self._held(change)
        return *factors, alpha, method.f.where(alpha > 0, 1 / alpha, 0.0), going

    def _test(self, watched):
        self._held(lambda: self._find_reason(watched))
        return ()

    def _find_reason(self, watched):
        reason = self.method.test(watched)
        self.method.reason = self.method.f.where(watched == watched, reason, 7)

    def step(self):
        process, method = self.process, self.method
        v, *given = process.begin()
        if method.watched_before:
            given.append(method.watched())
        *factors, alpha, over, going = self.recurrences[0](*given)
        process.alpha, process.v = _real(alpha, process.dtype), v * _real(over, process.dtype)
        before = [getattr(method, name) for name in method.told]
        method.vectors(process.v, *[_real(factor, method.x.dtype) for factor in factors])
        for name, value in zip(method.told, before, strict=True):
            setattr(method, name, _core.where(going, getattr(method, name), value))
        evaluate(*[a for a in vars(method).values() if isinstance(a, _core.ndarray)])
        if not method.watched_before:
            self.recurrences[1](method.watched())


def _real(number, dtype):
    """A number on the device as a factor that leaves a vector's dtype alone."""
    return number.astype(np.finfo(dtype).dtype, copy=False)


def _run_on_device(process, method, limit):
    going = _OnDevice(process, method)
    steps = Repeated(going, True, going.state, process, method)
    done, reason = 0, 0
    while done < limit and not reason:
        stop = min(limit, done + 1 + min(done // 8, 64))
        while done < stop:
            done += steps.advance(limit - done)
        evaluate(method.x)
        reason = going.state.number("reason").item()
    going.state.fetch()
    if reason == 7:
        method.count = limit
    return method, int(reason) or 7


def run(process, method, limit):
    """The method where it stops, and why."""
    if process.recordable and limit > 0:
        return _run_on_device(process, method, limit)
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
