"""Least squares by bidiagonalisation, and what lsqr and lsmr have in common.

Golub and Kahan's process (1965) gives orthonormal vectors and the two diagonals of a matrix; the vectors depend on the
diagonals alone, which are norms that stay on the device. So the process runs some steps ahead; then the host reads the
diagonals, does the recurrences of numbers for each of these steps, and finds after which of them to stop. Where steps
can be recorded the device does the recurrences as well, and the host looks now and then whether it is over.
"""

import copy
import math
from types import SimpleNamespace

from tombac import _core
from tombac._numpy import np
from tombacx.scipy.sparse.linalg._interface import aslinearoperator
from tombacx.scipy.sparse.linalg._repeat import LARGEST, Repeated, is_recordable, product
from tombacx.scipy.sparse.linalg._system import Looks, evaluate, norm, numbers, working_dtype

__all__ = ["Bidiagonalisation", "Method", "run"]

# Functions of single numbers, on the host and on the device. weak: as a factor that leaves a vector's dtype alone.
HOST = SimpleNamespace(where=lambda condition, a, b: a if condition else b, hypot=np.hypot, sqrt=np.sqrt, sign=np.sign,
                       maximum=max, minimum=min, weak=lambda a, dtype: float(a))
DEVICE = SimpleNamespace(where=_core.where, hypot=_core.hypot, sqrt=_core.sqrt, sign=_core.sign, maximum=_core.maximum,
                         minimum=_core.minimum, weak=lambda a, dtype: a.astype(np.finfo(dtype).dtype, copy=False))


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
        self.apply, self.apply_adjoint = product(A), product(A.H)
        self.recordable = is_recordable(A) and max(m, n) * self.dtype.itemsize <= LARGEST
        self.b = b = b.reshape(-1).astype(self.dtype, copy=False)
        self.x = _core.zeros(n, self.wide) if x0 is None else x0.astype(self.wide)
        residual = b if x0 is None else self._typed(b - self.apply(x0.astype(self.dtype)))
        self.u, beta = _unit(residual)
        self.v, self.alpha = _unit(self._typed(self.apply_adjoint(self.u)))
        self.norm_b, self.first_beta, self.first_alpha = map(np.float64, numbers(norm(b), beta, self.alpha))

    def _typed(self, x):
        return x.astype(self.dtype, copy=False)

    def one(self):
        """(v, alpha, beta), all on the device."""
        self.u, beta = _unit(self._typed(self.apply(self.v)) - self.alpha * self.u)
        self.v, self.alpha = _unit(self._typed(self.apply_adjoint(self.u)) - beta * self.v)
        return self.v, self.alpha, beta

    def steps(self, count):
        """As many (v, alpha, beta) more, the numbers on the host."""
        vectors, lengths = [], []
        for _ in range(count):
            v, *pair = self.one()
            vectors.append(v)
            lengths += pair
        lengths = list(map(np.float64, numbers(*lengths)))
        return zip(vectors, lengths[::2], lengths[1::2], strict=True)


class Method:
    """What a method knows after a step; the next step is another object. ``watched`` is a number on the device that the
    tests need. Attributes that are np.float64, those of ``results`` among them, are on the device where ``f`` is
    DEVICE."""

    f = HOST
    results = ()  # beside x

    def __init__(self, process, damp, atol, btol, conlim):
        self.x, self.norm_b = process.x, float(process.norm_b)
        self.damp = float(damp)
        self.atol, self.btol = atol, btol
        self.least = 1 / conlim if conlim > 0 else 0.0
        self.count = self.reason = 0
        self.sums = SimpleNamespace()  # of all steps up to the one that is tested

    def next(self, v, alpha, beta):
        after = copy.copy(self)
        after.count = self.count + 1
        after.step(v, alpha, beta)
        return after

    def rotation(self, a, b):
        """(c, s, r) with ``c * a + s * b == r`` and ``c * b == s * a``."""
        r = self.f.hypot(a, b)
        return self.f.where(r != 0, a / r, 1.0), self.f.where(r != 0, b / r, 0.0), r

    def factor(self, a):
        return self.f.weak(a, self.x.dtype)

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

    def to_device(self):
        self.f = DEVICE
        for owner in self, self.sums:
            for name, value in vars(owner).items():
                if isinstance(value, np.float64):
                    setattr(owner, name, _core.array(value))
        self.count, self.reason = _core.zeros((), np.int64), _core.zeros((), np.int64)

    def to_host(self):
        self.f = HOST
        names = [name for name, value in vars(self).items() if isinstance(value, _core.ndarray) and value.ndim == 0]
        for name, value in zip(names, numbers(*[getattr(self, name).astype("d") for name in names]), strict=True):
            setattr(self, name, np.float64(value))
        self.count, self.reason = int(self.count), int(self.reason)


class _OnDevice:
    """A process and a method that go on without the host. Results stay as they are from where there is a reason."""

    def __init__(self, process, method):
        self.process, self.method = process, method
        method.to_device()

    def step(self):
        method = self.method
        going = method.reason == 0
        v, alpha, beta = self.process.one()
        after = method.next(v, alpha.astype("d", copy=False), beta.astype("d", copy=False))
        reason = after.test(after.watched)
        after.reason = _core.where(after.watched == after.watched, reason, 7)
        for name in ("x", "count", "reason", *method.results):
            setattr(after, name, _core.where(going, getattr(after, name), getattr(method, name)))
        vars(method).update(vars(after))


def _run_on_device(process, method, limit):
    steps = Repeated(_OnDevice(process, method), True, process, method, method.sums)
    done, reason = 0, 0
    while done < limit and not reason:
        stop = min(limit, done + 1 + min(done // 8, 64))
        while done < stop:
            done += steps.advance(limit - done)
        evaluate(method.x)
        reason = method.reason.item()
    method.to_host()
    if reason == 7:
        method.count = limit
    return method, reason or 7


def run(process, method, limit):
    """The method where it stops, and why."""
    if process.recordable and limit > 0:
        return _run_on_device(process, method, limit)
    looks = Looks()
    with np.errstate(all="ignore"):
        while method.count < limit:
            ahead = []
            for v, alpha, beta in process.steps(looks.ahead(method.count, limit)):
                method = method.next(v, alpha, beta)
                ahead.append(method)
            for method, value in zip(ahead, numbers(*[each.watched for each in ahead]), strict=True):
                reason = method.test(np.float64(value))
                if math.isnan(value):
                    method.count = limit
                if reason or math.isnan(value):
                    evaluate(method.x)
                    return method, reason or 7
            evaluate(method.x)
    return method, 7 if limit > 0 else 0
