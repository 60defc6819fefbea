"""What iterative solvers have in common: the checked system, and when the host looks at what the device has computed.

Iterations run ahead of the host. Numbers such as step lengths stay on the device as arrays without dimensions, so that
vectors are updated by expressions that are fused; every few steps the host reads a norm. A step after convergence must
therefore change nothing: its step lengths are zero.
"""

import math

from tombac import _core
from tombac._numpy import np
from tombacx.scipy.sparse.linalg._interface import MatrixLinearOperator, aslinearoperator
from tombacx.scipy.sparse.linalg._repeat import evaluate, is_recordable, product

__all__ = ["Looks", "System", "arithmetic", "dot", "evaluate", "norm", "numbers", "tolerance", "working_dtype"]

STEPS = 8  # that the device runs ahead of the host


def dot(a, b):
    """The product of two vectors, the first one conjugated; it stays on the device."""
    return _core.dot(a.conj() if a._kind == "c" else a, b)


def norm(a):
    """The Euclidean norm of a vector, real, on the device."""
    return _core.sqrt(dot(a, a).real if a._kind == "c" else dot(a, a))


def numbers(*scalars):
    """Arrays without dimensions as Python's numbers: one transfer, for which the host waits."""
    return _core.stack(scalars).tolist() if len(scalars) > 1 else [scalars[0].item()]


class _OnDevice:
    """Arithmetic with a solver's numbers as arrays without dimensions, for which the host does not wait."""

    dot, norm, where, both = staticmethod(dot), staticmethod(norm), _core.where, _core.logical_and
    sqrt, magnitude = _core.sqrt, _core.absolute

    @staticmethod
    def number(x, dtype):
        return _core.full((), x, dtype)

    @staticmethod
    def ratio(a, b):
        return a / b

    @staticmethod
    def quotient(going, a, b, dtype=None):
        """a / b, or 0 where it is not going on."""
        found = _core.where(going, a / b, 0)
        return found if dtype is None else found.astype(dtype)

    @staticmethod
    def read(*numbers_):
        return numbers(*[x.astype(numbers_[0].dtype, copy=False) for x in numbers_])


class _OnHost:
    """The same with Python's numbers, where the device is the host: they take less time, and so do vectors times them.
    What is divided by zero is NaN."""

    @staticmethod
    def dot(a, b):
        return dot(a, b).item()

    @staticmethod
    def norm(a):
        return norm(a).item()

    @staticmethod
    def where(condition, a, b):
        return a if condition else b

    @staticmethod
    def both(a, b):
        return a and b

    @staticmethod
    def sqrt(x):
        return math.sqrt(x) if x >= 0 else math.nan

    @staticmethod
    def magnitude(x):
        return math.hypot(x.real, x.imag)  # abs() of complex numbers raises OverflowError

    @staticmethod
    def number(x, dtype):
        return x

    @staticmethod
    def ratio(a, b):
        return a / b if b else math.nan

    @staticmethod
    def quotient(going, a, b, dtype=None):
        return (a / b if b else math.nan) if going else 0.0

    @staticmethod
    def read(*numbers):
        return numbers


def arithmetic():
    """How solvers compute with numbers."""
    return _OnHost if _core.backend() == "cpu" else _OnDevice


def working_dtype(*dtypes):
    """float32, float64, complex64 or complex128, whichever holds all of these; integers are worked on as float64."""
    dtype = np.result_type(*[np.float64 if np.dtype(d).kind in "biu" else d for d in dtypes])
    if dtype.char in "fdFD":
        return dtype
    if dtype.char == "e":
        return np.dtype("f")
    raise TypeError(f"matrices of dtype {dtype} are not supported")


class Looks:
    """After which steps the host looks: each of them on the CPU, where it costs nothing, or for a callback; else the
    first few, and then every eighth."""

    def __init__(self, callback=None):
        self.every = callback is not None or _core.backend() == "cpu"

    def due(self, step):
        return self.every or step % STEPS == 0 or (step < STEPS and step & (step - 1) == 0)

    def ahead(self, done, limit):
        """How many steps may be taken before the next look."""
        return min(1 if self.every or done == 0 else STEPS, limit - done)


def _identity(x):
    return x


class System:
    """``A x = b`` with a preconditioner, checked, in one dtype; ``apply`` and ``precondition`` are functions."""

    def __init__(self, name, A, b, x0, M):
        self.A = A = aslinearoperator(A)
        if A.shape[0] != A.shape[1]:
            raise ValueError(f"{name}: a square matrix is expected, the shape of A is {A.shape}")
        n = A.shape[0]
        b = _vector(name, "b", b, n, A.shape)
        self.n = n
        self.dtype = dtype = working_dtype(A.dtype, b.dtype)
        self.apply = product(A)
        self.precondition = self._preconditioner(name, M)
        self.preconditioned = self.precondition is not _identity
        self.b = b.astype(dtype, copy=False)
        if x0 is None:
            self.x = None
        elif isinstance(x0, str) and x0 == "Mb":
            self.x = self.precondition(self.b)
        else:
            self.x = _vector(name, "x0", x0, n, A.shape).astype(dtype, copy=True)

    def recordable(self):
        """Whether steps may be recorded that apply the matrix and the preconditioner."""
        return is_recordable(self.A, *([self.M] if self.preconditioned else []))

    def adjoint(self):
        """Functions that apply the adjoints of the matrix and of the preconditioner."""
        if not self.preconditioned:
            return self.A.rmatvec, _identity
        if self.M is None:
            return self.A.rmatvec, self._in_dtype(self.A.rpsolve)
        return self.A.rmatvec, self._in_dtype(self.M.rmatvec)

    def _preconditioner(self, name, M):
        if M is not None:
            M = aslinearoperator(M)
            if M.shape != self.A.shape:
                raise ValueError(f"{name}: A has the shape {self.A.shape}, the preconditioner {M.shape}")
            self.M = M
            return self._in_dtype(product(M))
        self.M = None
        args = self.A.args[0] if isinstance(self.A, MatrixLinearOperator) else self.A
        return self._in_dtype(args.psolve) if hasattr(args, "psolve") else _identity

    def _in_dtype(self, apply):
        """A preconditioner of more precision does not change the dtype of the vectors."""
        return lambda x: apply(x).astype(self.dtype, copy=False)

    def start(self):
        """The first ``x``, a new array, and its residual."""
        if self.x is None:
            return _core.zeros(self.n, self.dtype), self.b
        return self.x, self.residual(self.x)

    def residual(self, x):
        return (self.b - self.apply(x)).astype(self.dtype, copy=False)


def _vector(name, what, v, n, shape):
    if not isinstance(v, _core.ndarray):
        raise TypeError(f"{name}: a tombac.ndarray is expected for {what}, not {type(v)}")
    if v.shape not in ((n,), (n, 1)):
        raise ValueError(f"{name}: shapes of A {shape} and {what} {v.shape} are incompatible")
    return v.reshape(-1)


def tolerance(norm_b, rtol, atol):
    """The norm below which a residual is small enough."""
    return max(float(atol or 0), float(rtol) * norm_b)
