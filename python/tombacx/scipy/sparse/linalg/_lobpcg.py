"""Some extreme eigenvalues of Hermitian operators: Knyazev, "Toward the optimal preconditioned eigensolver: locally
optimal block preconditioned conjugate gradient method" (2001).

The directions P are chosen orthogonal to the new X by their coefficients alone (Hetmaniuk and Lehoucq, "Basis selection
in LOBPCG", 2006), and the small problem is solved in a basis from which directions that depend on others are left out
(Stathopoulos and Wu, "A block orthogonalization procedure with constant synchronization requirements", 2002). Small
matrices are worked on by the host, in float64.
"""

import warnings

from tombac import _core
from tombac._numpy import np
from tombacx.scipy.sparse.linalg._interface import aslinearoperator
from tombacx.scipy.sparse.linalg._system import working_dtype

__all__ = ["lobpcg"]


def _function(A):
    """The function that applies an operator, a matrix or a function to a block of vectors; None stays None."""
    if A is None or (callable(A) and not hasattr(A, "matmat") and not hasattr(A, "shape")):
        return A
    return aslinearoperator(A).matmat


def _gram(S, T):
    return S.conj().T @ T


def _ritz(gA, gB, k, largest, eps):
    """The k values wanted and their coefficients, B-orthonormal; LinAlgError where the basis has not k directions that
    are independent to the precision ``eps`` of the vectors."""
    scale = 1 / np.sqrt(np.maximum(np.diag(gB).real, np.finfo("d").tiny))
    lengths, U = np.linalg.eigh(gB * scale[:, None] * scale)
    good = lengths > 10 * eps * len(lengths) * lengths[-1]
    if good.sum() < k:
        raise np.linalg.LinAlgError("lobpcg: linearly dependent vectors")
    T = scale[:, None] * U[:, good] / np.sqrt(lengths[good])
    G = T.conj().T @ gA @ T
    values, Z = np.linalg.eigh((G + G.conj().T) / 2)
    order = slice(None, -k - 1, -1) if largest else slice(k)
    return values[order], T @ Z[:, order]


def _directions(C, k, gB, eps):
    """Coefficients of directions: those of X without their part along the old X, orthogonal to C and orthonormal."""
    D = C.copy()
    D[:k] = 0
    for _ in range(2):
        D = D - C @ (C.conj().T @ (gB @ D))
    lengths, U = np.linalg.eigh(D.conj().T @ gB @ D)
    good = lengths > 10 * eps**2 + 10 * eps * lengths[-1]
    return D @ (U[:, good] / np.sqrt(lengths[good]))


class _Block:
    """Vectors as columns, with what A and B make of them."""

    def __init__(self, problem, X, AX=None, BX=None):
        self.X = X
        self.AX = problem.A(X) if AX is None else AX
        self.BX = (problem.B(X) if problem.B is not None else X) if BX is None else BX

    def combined(self, problem, C):
        C = _core.array(np.ascontiguousarray(C, problem.dtype))
        X = self.X @ C
        return _Block(problem, X, self.AX @ C, X if problem.B is None else self.BX @ C)

    def joined(self, problem, *others):
        def join(name):
            return _core.concatenate([getattr(block, name) for block in (self, *others)], 1)

        X = join("X")
        return _Block(problem, X, join("AX"), X if problem.B is None else join("BX"))


class _Problem:
    """The operators, in one dtype, and the constraints."""

    def __init__(self, A, B, M, Y, X):
        dtypes = [getattr(operand, "dtype", None) for operand in (A, B, M, Y)]
        self.dtype = dtype = working_dtype(X.dtype, *[d for d in dtypes if d is not None])
        self.eps = np.finfo(dtype).eps
        self.A, self.B, self.M = [None if f is None else self._typed(f) for f in map(_function, (A, B, M))]
        self.Y = None
        if Y is not None and Y.shape[1]:
            Y = Y.astype(dtype, copy=False)
            self.BY = Y if self.B is None else self.B(Y)
            # On the host: few and small, and not to be of less precision than the constraints.
            gram = np.asarray(_gram(Y, self.BY).get(), np.result_type(dtype, "d"))
            self.Y = Y @ _core.array(np.linalg.inv(gram).astype(dtype))

    def _typed(self, f):
        return lambda X: f(X).astype(self.dtype, copy=False)

    def constrained(self, X):
        return X if self.Y is None else X - self.Y @ _gram(self.BY, X)

    def small(self, S):
        """The Gram matrices of a block, on the host."""
        pair = _core.stack([_gram(S.X, S.AX), _gram(S.X, S.BX)]).get()
        if not np.isfinite(pair).all():
            raise np.linalg.LinAlgError("lobpcg: vectors have infinities or NaNs")
        pair = pair.astype(np.result_type(self.dtype, "d"))
        return (pair + pair.conj().swapaxes(1, 2)) / 2


def _iterate(problem, X, tol, maxiter, largest, report):
    """The best block that was found. ``report`` is called with values and norms of residuals."""
    k = X.shape[1]
    block = _Block(problem, problem.constrained(X))
    try:
        values, C = _ritz(*problem.small(block), k, largest, problem.eps)
    except np.linalg.LinAlgError as e:
        raise ValueError("lobpcg: the initial vectors X are linearly dependent, given the constraints") from e
    block, P = block.combined(problem, C), None
    for count in range(maxiter + 1):
        R = block.AX - block.BX * _core.array(values.astype(problem.dtype.char.lower()))
        norms = _core.sqrt((abs(R) ** 2).sum(0)).get()
        report(values, norms)
        active = np.flatnonzero(~(norms <= tol))
        if not len(active) or count == maxiter:
            break
        W = R if len(active) == k else R[:, _core.array(active)]
        W = problem.constrained(W if problem.M is None else problem.M(W))
        for _ in range(2):
            W = W - block.X @ _gram(block.BX, W)
        W = W / _core.sqrt((abs(W) ** 2).sum(0))
        others = [_Block(problem, W)] + ([] if P is None else [P])
        S = block.joined(problem, *others)
        try:
            gA, gB = problem.small(S)
            values, C = _ritz(gA, gB, k, largest, problem.eps)
        except np.linalg.LinAlgError:
            break  # no new direction
        D = _directions(C, k, gB, problem.eps)
        block, P = S.combined(problem, C), S.combined(problem, D) if D.shape[1] else None
    return _Block(problem, block.X)


def _dense(problem, X, largest):
    """All values by a dense solver, and of these as many as there are columns."""
    n, k = X.shape
    eye = _core.eye(n, dtype=problem.dtype)
    gA, gB = problem.small(_Block(problem, eye))
    try:
        values, C = _ritz(gA, gB, k, largest, problem.eps)
    except np.linalg.LinAlgError as e:
        raise ValueError("lobpcg: B is not positive definite") from e
    return _core.array(values.astype(problem.dtype.char.lower())), _core.array(C.astype(problem.dtype))


def _check(X, Y):
    for name, block in (("X", X), ("Y", Y)):
        if block is not None and not isinstance(block, _core.ndarray):
            raise TypeError(f"lobpcg: a tombac.ndarray is expected for {name}, not {type(block)}")
        if block is not None and block.ndim != 2:
            raise ValueError(f"lobpcg: {name} must have two dimensions, its shape is {block.shape}")
    if Y is not None and Y.shape[0] != X.shape[0]:
        raise ValueError(f"lobpcg: X has {X.shape[0]} rows, Y {Y.shape[0]}")


def lobpcg(A, X, B=None, M=None, Y=None, tol=None, maxiter=None, largest=True, verbosityLevel=0,
           retLambdaHistory=False, retResidualNormsHistory=False, restartControl=20):
    """Some extreme eigenvalues and eigenvectors of ``A x = lambda B x`` by preconditioned conjugate gradients.

    Args:
        A: A Hermitian matrix of shape (n, n): an array, a sparse matrix, a LinearOperator or a function of a block. The
            dtype of the result is that of all arguments together.
        X: An array of shape (n, k), of floating-point numbers, to begin with: as many linearly independent vectors as
            are looked for.
        B: The Hermitian positive definite matrix on the right hand side; by default ones on the diagonal.
        M: An operator near the inverse of ``A``, positive definite.
        Y: An array of shape (n, c): vectors to which those found are to be B-orthogonal.
        tol: How large norms of residuals may be; by default n times the square root of the dtype's precision.
        maxiter: The largest number of iterations; by default 20.
        largest: Whether the largest values are looked for, not the smallest.
        verbosityLevel: Whether (and at 10, what) is printed on the way.
        retLambdaHistory, retResidualNormsHistory: Whether the values and the norms of residuals of all iterations are
            returned, with those before the first and after the last one.
        restartControl: Accepted; directions that have become dependent are left out.

    Returns:
        A tuple: an array of shape (k,), falling or, for the smallest, rising; an array of shape (n, k), the vectors,
        B-orthonormal; and the lists that were asked for.

    Raises:
        ValueError: Shapes do not match, or ``X`` is linearly dependent.
        TypeError: An argument is no array or matrix of tombac's.

    >>> X = tombac.eye(20, 2) + 0.1
    >>> values, vectors = tombacx.scipy.sparse.linalg.lobpcg(tombac.diag(tombac.arange(20.0)), X, largest=False)
    >>> abs(values - tombac.array([0.0, 1.0])).max() < 1e-6
    array(True)
    """
    _check(X, Y)
    n, k = X.shape
    count_y = 0 if Y is None else Y.shape[1]
    problem = _Problem(A, B, M, Y, X)
    if n - count_y < 5 * k:
        if count_y:
            raise NotImplementedError("lobpcg: so small a problem is solved densely, without constraints")
        warnings.warn(f"lobpcg: n = {n} is small for {k} vectors; a dense solver is used, and there is no history",
                      UserWarning, stacklevel=2)
        return _dense(problem, X, largest)
    tol = _core._on_host(tol)
    tol = np.sqrt(np.finfo(problem.dtype).eps) * n if tol is None or tol <= 0 else tol
    histories = [], []

    def report(values, norms):
        histories[0].append(_core.array(values.astype(problem.dtype.char.lower())))
        histories[1].append(_core.array(norms))
        if verbosityLevel:
            print(f"lobpcg: iteration {len(histories[0]) - 1}: largest residual {norms.max(initial=0):.4g}"
                  + (f", values {values}" if verbosityLevel > 1 else ""))

    block = _iterate(problem, X.astype(problem.dtype, copy=False), tol, 20 if maxiter is None else maxiter, largest,
                     report)
    values, C = _ritz(*problem.small(block), k, largest, problem.eps)
    block = block.combined(problem, C)
    norms = _core.sqrt((abs(block.AX - block.BX * _core.array(values.astype(problem.dtype.char.lower()))) ** 2).sum(0))
    report(values, norms.get())
    if not (histories[1][-1] <= tol).all():
        warnings.warn(f"lobpcg: not all residuals are within {tol:.3g}; the largest is {norms.max().item():.3g}",
                      UserWarning, stacklevel=2)
    lists = [h for h, asked in zip(histories, (retLambdaHistory, retResidualNormsHistory), strict=True) if asked]
    return histories[0][-1], block.X, *lists
