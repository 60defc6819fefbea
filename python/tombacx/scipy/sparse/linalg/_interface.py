"""Linear operators: what can be multiplied with vectors, without being stored as a matrix.

Each operation (a sum, a product, a power, an adjoint) is an operator over its operands, which multiplies when it is
applied. Subclasses of LinearOperator have a ``_matvec`` or a ``_matmat``, each of which is made from the other, and an
``_rmatvec``, ``_rmatmat`` or ``_adjoint``.
"""

import warnings

from tombac import _core
from tombac._numpy import np
from tombacx.scipy.sparse import issparse

__all__ = ["LinearOperator", "aslinearoperator"]


def _is_scalar(x):
    return isinstance(x, (int, float, complex, np.generic)) or (isinstance(x, _core.ndarray) and x.ndim == 0)


def _result_dtype(operands):
    known = [x.dtype for x in operands if getattr(x, "dtype", None) is not None]
    return np.result_type(*known) if known else None


def _check_block(name, x, rows, ndims):
    """TypeError and ValueError unless x is an array (or a sparse matrix) with so many rows."""
    if not isinstance(x, _core.ndarray) and not issparse(x):
        raise TypeError(f"{name}: a tombac.ndarray is expected, not {type(x)}")
    if x.ndim not in ndims or x.shape[0] != rows or (ndims == (1, 2) and x.shape[1:] not in ((), (1,))):
        raise ValueError(f"{name}: dimension mismatch: {rows} rows are expected, the shape is {x.shape}")


class LinearOperator:
    """What can be multiplied with vectors as a matrix can.

    ``A @ x``, ``A * x`` and ``A.dot(x)`` apply it to vectors and to matrices; of operators and numbers, ``+``, ``-``,
    ``*``, ``/``, ``@`` and ``**`` make operators. It is made of functions, or by a subclass that defines ``_matvec`` or
    ``_matmat`` and calls this ``__init__`` with ``dtype`` and ``shape``.

    Args:
        shape: The numbers of rows and columns, (m, n).
        matvec: A function that gives ``A @ x`` for an array of shape (n,) or (n, 1).
        rmatvec: A function that gives ``A.conj().T @ x`` for an array of shape (m,) or (m, 1).
        matmat: A function that gives ``A @ x`` for one of shape (n, k); by default, column by column.
        dtype: The dtype of the operator; by default that of ``matvec``'s result.
        rmatmat: A function that gives ``A.conj().T @ x`` for one of shape (m, k).

    Raises:
        ValueError: ``shape`` is no pair.
        NotImplementedError: When applied: what is asked for was not given.

    >>> double = tombacx.scipy.sparse.linalg.LinearOperator((2, 2), matvec=lambda x: 2 * x)
    >>> (double @ double)(tombac.array([1.0, 3.0]))
    array([ 4., 12.])
    """

    ndim = 2
    __array_ufunc__ = None  # an array on the left leaves the operation to us

    def __new__(cls, *args, **kwargs):
        if cls is LinearOperator:
            return super().__new__(_Functions)
        self = super().__new__(cls)
        if cls._matvec is LinearOperator._matvec and cls._matmat is LinearOperator._matmat:
            warnings.warn("LinearOperator subclass should implement at least one of _matvec and _matmat.",
                          RuntimeWarning, stacklevel=2)
        return self

    def __init__(self, dtype, shape):
        shape = tuple(shape)
        if len(shape) != 2 or not all(isinstance(n, (int, np.integer)) and n >= 0 for n in shape):
            raise ValueError(f"LinearOperator: invalid shape {shape!r}, two numbers are expected")
        self.dtype = None if dtype is None else np.dtype(dtype)
        self.shape = shape

    def _find_dtype(self):
        if self.dtype is None:
            self.dtype = self.matvec(_core.zeros(self.shape[1], np.int8)).dtype

    # ---- what subclasses define, each by the others ------------------------------------------------------------------

    def _matvec(self, x):
        return self.matmat(x.reshape(-1, 1))

    def _matmat(self, X):
        return _columns(self.matvec, X, self.shape[0])

    def _rmatvec(self, x):
        if type(self)._adjoint is LinearOperator._adjoint:
            raise NotImplementedError(f"{type(self).__name__}: neither rmatvec nor an adjoint is defined")
        return self.H.matvec(x)

    def _rmatmat(self, X):
        if type(self)._adjoint is LinearOperator._adjoint:
            return _columns(self.rmatvec, X, self.shape[1])
        return self.H.matmat(X)

    def _adjoint(self):
        return _Adjoint(self)

    def _transpose(self):
        return _Transpose(self)

    # ---- applied -----------------------------------------------------------------------------------------------------

    def matvec(self, x):
        """``A @ x`` for one vector, of shape (n,) or (n, 1)."""
        _check_block("matvec", x, self.shape[1], (1, 2))
        return self._matvec(x).reshape((self.shape[0],) if x.ndim == 1 else (self.shape[0], 1))

    def rmatvec(self, x):
        """``A.conj().T @ x`` for one vector, of shape (m,) or (m, 1)."""
        _check_block("rmatvec", x, self.shape[0], (1, 2))
        return self._rmatvec(x).reshape((self.shape[1],) if x.ndim == 1 else (self.shape[1], 1))

    def matmat(self, X):
        """``A @ X`` for a matrix of n rows."""
        _check_block("matmat", X, self.shape[1], (2,))
        return self._matmat(X)

    def rmatmat(self, X):
        """``A.conj().T @ X`` for a matrix of m rows."""
        _check_block("rmatmat", X, self.shape[0], (2,))
        return self._rmatmat(X)

    def dot(self, x):
        """``A @ x`` for a vector or a matrix; for an operator or a number, the product as an operator."""
        if isinstance(x, LinearOperator):
            return _Product(self, x)
        if _is_scalar(x):
            return _Scaled(self, x)
        if x.ndim == 1 or (x.ndim == 2 and x.shape[1] == 1):
            return self.matvec(x)
        if x.ndim == 2:
            return self.matmat(x)
        raise ValueError(f"dot: an array of 1 or 2 dimensions or a matrix is expected, the shape is {x.shape}")

    def _dot_from_left(self, x):
        """``x @ A``."""
        if isinstance(x, LinearOperator):
            return _Product(x, self)
        if _is_scalar(x):
            return _Scaled(self, x)
        if x.ndim == 1:
            return self.T.matvec(x)
        if x.ndim == 2:
            return self.T.matmat(x.T).T
        raise ValueError(f"dot: an array of 1 or 2 dimensions or a matrix is expected, the shape is {x.shape}")

    def __call__(self, x):
        return self * x

    def __mul__(self, x):
        return self.dot(x)

    def __rmul__(self, x):
        return self._dot_from_left(x)

    def __matmul__(self, x):
        if _is_scalar(x):
            raise ValueError("Scalar operands are not allowed, use '*' instead")
        return self.dot(x)

    def __rmatmul__(self, x):
        if _is_scalar(x):
            raise ValueError("Scalar operands are not allowed, use '*' instead")
        return self._dot_from_left(x)

    def __truediv__(self, x):
        if not _is_scalar(x):
            raise ValueError("Can only divide a linear operator by a scalar.")
        return _Scaled(self, 1.0 / x)

    def __pow__(self, p):
        return _Power(self, p) if _is_scalar(p) else NotImplemented

    def __add__(self, x):
        return _Sum(self, x) if isinstance(x, LinearOperator) else NotImplemented

    def __sub__(self, x):
        return self + -x

    def __neg__(self):
        return _Scaled(self, -1)

    def adjoint(self):
        """The conjugate transpose, as an operator."""
        return self._adjoint()

    def transpose(self):
        """The transpose, as an operator."""
        return self._transpose()

    H = property(lambda self: self.adjoint(), doc="The conjugate transpose, as an operator.")
    T = property(lambda self: self.transpose(), doc="The transpose, as an operator.")

    def __repr__(self):
        m, n = self.shape
        dtype = "unspecified dtype" if self.dtype is None else f"dtype={self.dtype}"
        return f"<{m}x{n} {type(self).__name__} with {dtype}>"


def _columns(apply, X, rows):
    """The matrix of what each column becomes."""
    if X.shape[1] == 0:
        return _core.zeros((rows, 0), X.dtype)
    return _core.concatenate([apply(X[:, k]).reshape(-1, 1) for k in range(X.shape[1])], 1)


class _Functions(LinearOperator):
    """An operator made of functions."""

    def __init__(self, shape, matvec, rmatvec=None, matmat=None, dtype=None, rmatmat=None):
        super().__init__(dtype, shape)
        self.args = ()
        self._functions = matvec, rmatvec, matmat, rmatmat
        self._find_dtype()

    def _matvec(self, x):
        return self._functions[0](x)

    def _rmatvec(self, x):
        if self._functions[1] is None:
            raise NotImplementedError("rmatvec is not defined")
        return self._functions[1](x)

    def _matmat(self, X):
        f = self._functions[2]
        return super()._matmat(X) if f is None else f(X)

    def _rmatmat(self, X):
        f = self._functions[3]
        return _columns(self.rmatvec, X, self.shape[1]) if f is None else f(X)

    def _adjoint(self):
        matvec, rmatvec, matmat, rmatmat = self._functions
        m, n = self.shape
        if rmatvec is None:
            return _Adjoint(self)
        return _Functions((n, m), rmatvec, matvec, rmatmat, self.dtype, matmat)


class _Over(LinearOperator):
    """An operator over others, which are its ``args``."""

    def __init__(self, shape, *args):
        super().__init__(_result_dtype(args), shape)
        self.args = args


class _Adjoint(_Over):
    def __init__(self, A):
        super().__init__(A.shape[::-1], A)

    def _matvec(self, x):
        return self.args[0]._rmatvec(x)

    def _rmatvec(self, x):
        return self.args[0]._matvec(x)

    def _matmat(self, X):
        return self.args[0]._rmatmat(X)

    def _rmatmat(self, X):
        return self.args[0]._matmat(X)

    def _adjoint(self):
        return self.args[0]


class _Transpose(_Over):
    """The adjoint between two conjugations."""

    def __init__(self, A):
        super().__init__(A.shape[::-1], A)

    def _matvec(self, x):
        return self.args[0]._rmatvec(x.conj()).conj()

    def _rmatvec(self, x):
        return self.args[0]._matvec(x.conj()).conj()

    def _matmat(self, X):
        return self.args[0]._rmatmat(X.conj()).conj()

    def _rmatmat(self, X):
        return self.args[0]._matmat(X.conj()).conj()

    def _transpose(self):
        return self.args[0]


class _Sum(_Over):
    def __init__(self, A, B):
        if A.shape != B.shape:
            raise ValueError(f"cannot add {A!r} and {B!r}: shape mismatch")
        super().__init__(A.shape, A, B)

    def _matvec(self, x):
        return self.args[0].matvec(x) + self.args[1].matvec(x)

    def _rmatvec(self, x):
        return self.args[0].rmatvec(x) + self.args[1].rmatvec(x)

    def _matmat(self, X):
        return self.args[0].matmat(X) + self.args[1].matmat(X)

    def _rmatmat(self, X):
        return self.args[0].rmatmat(X) + self.args[1].rmatmat(X)

    def _adjoint(self):
        return self.args[0].H + self.args[1].H


class _Product(_Over):
    def __init__(self, A, B):
        if A.shape[1] != B.shape[0]:
            raise ValueError(f"cannot multiply {A!r} and {B!r}: shape mismatch")
        super().__init__((A.shape[0], B.shape[1]), A, B)

    def _matvec(self, x):
        return self.args[0].matvec(self.args[1].matvec(x))

    def _rmatvec(self, x):
        return self.args[1].rmatvec(self.args[0].rmatvec(x))

    def _matmat(self, X):
        return self.args[0].matmat(self.args[1].matmat(X))

    def _rmatmat(self, X):
        return self.args[1].rmatmat(self.args[0].rmatmat(X))

    def _adjoint(self):
        return self.args[1].H @ self.args[0].H


class _Scaled(_Over):
    def __init__(self, A, alpha):
        super().__init__(A.shape, A)
        self.args = (A, alpha)
        self.dtype = np.result_type(A.dtype, alpha.dtype if isinstance(alpha, _core.ndarray) else type(alpha))

    def _matvec(self, x):
        return self.args[1] * self.args[0].matvec(x)

    def _rmatvec(self, x):
        return np.conj(self.args[1]) * self.args[0].rmatvec(x)

    def _matmat(self, X):
        return self.args[1] * self.args[0].matmat(X)

    def _rmatmat(self, X):
        return np.conj(self.args[1]) * self.args[0].rmatmat(X)

    def _adjoint(self):
        return self.args[0].H * np.conj(self.args[1])


class _Power(_Over):
    def __init__(self, A, p):
        if A.shape[0] != A.shape[1]:
            raise ValueError(f"square operator expected, got {A!r}")
        if not isinstance(p, (int, np.integer)) or p < 0:
            raise ValueError(f"integer exponent from 0 on expected, not {p!r}")
        super().__init__(A.shape, A)
        self.args = (A, p)

    def _repeated(self, apply, x):
        for _ in range(self.args[1]):
            x = apply(x)
        return x

    def _matvec(self, x):
        return self._repeated(self.args[0].matvec, x)

    def _rmatvec(self, x):
        return self._repeated(self.args[0].rmatvec, x)

    def _matmat(self, X):
        return self._repeated(self.args[0].matmat, X)

    def _rmatmat(self, X):
        return self._repeated(self.args[0].rmatmat, X)

    def _adjoint(self):
        return self.args[0].H ** self.args[1]


class MatrixLinearOperator(LinearOperator):
    """An operator over a matrix, dense or sparse, which is its ``A``."""

    def __init__(self, A):
        super().__init__(A.dtype, A.shape)
        self.A = A
        self.args = (A,)
        self._conjugate = None

    def _matvec(self, x):
        return self.A.dot(x)

    def _matmat(self, X):
        return self.A.dot(X)

    def _adjoint(self):
        if self._conjugate is None:  # it is asked for in every iteration of solvers that multiply by both
            self._conjugate = MatrixLinearOperator(self.A.T.conj() if self.dtype.kind == "c" else self.A.T)
        return self._conjugate


def aslinearoperator(A):
    """A matrix as a LinearOperator.

    Args:
        A: An array of two dimensions, a sparse matrix, a LinearOperator, or an object with ``shape`` and ``matvec``,
            and perhaps ``rmatvec``, ``rmatmat`` and ``dtype``.

    Returns:
        A LinearOperator; ``A`` itself if it is one.

    Raises:
        TypeError: ``A`` is none of these.
        ValueError: The array has more than two dimensions.

    >>> tombacx.scipy.sparse.linalg.aslinearoperator(tombac.eye(2)) @ tombac.array([1.0, 2.0])
    array([1., 2.])
    """
    if isinstance(A, LinearOperator):
        return A
    if isinstance(A, _core.ndarray):
        if A.ndim > 2:
            raise ValueError(f"aslinearoperator: array must have ndim <= 2, the shape is {A.shape}")
        return MatrixLinearOperator(A.reshape(1, -1) if A.ndim < 2 else A)
    if issparse(A):
        return MatrixLinearOperator(A)
    if hasattr(A, "shape") and hasattr(A, "matvec"):
        parts = [getattr(A, name, None) for name in ("rmatvec", "rmatmat", "dtype")]
        return LinearOperator(A.shape, A.matvec, parts[0], rmatmat=parts[1], dtype=parts[2])
    raise TypeError(f"aslinearoperator: type not understood: {type(A)}")
