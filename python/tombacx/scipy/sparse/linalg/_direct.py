"""Sparse systems solved directly. Matrices are factored by SuperLU on the host, through SciPy, or on the device where
that is asked for and has a solver (``TOMBAC_SPARSE_SOLVERS``); results are on the device."""

import functools
import importlib.util
import numbers

from tombac import _core
from tombac._numpy import np
from tombacx.scipy._host import Held, scipy_function, scipy_module
from tombacx.scipy.sparse import issparse
from tombacx.scipy.sparse.linalg._host import on_host, to_device
from tombacx.scipy.sparse.linalg._system import working_dtype

__all__ = ["SuperLU", "factorized", "spilu", "splu", "spsolve", "spsolve_triangular"]


def _sparse(name, A):
    """A matrix as SciPy's, by columns, as SuperLU wants it."""
    if issparse(A):
        h = A.get()
    elif isinstance(A, _core.ndarray):
        h = scipy_module("scipy.sparse", name).csc_matrix(_wide(A).get())
    else:
        raise TypeError(f"{name}: a sparse matrix or a tombac.ndarray is expected, not {type(A)}")
    return h.tocsc()


def _right_side(name, b):
    if not isinstance(b, _core.ndarray):
        raise TypeError(f"{name}: a tombac.ndarray is expected for b, not {type(b)}")
    return _wide(b).get()


def _wide(x):
    """float16, which SciPy's sparse matrices do not have, as float32."""
    return x.astype(np.float32) if x.dtype.char == "e" else x


class _Factors:
    """Factors of a matrix of the device's, by its own solver."""

    def __init__(self, A, dtype, positive=False):
        a = A.tocsr().astype(dtype, copy=False)
        if not a.has_canonical_format:
            a = a.copy()
            a.sum_duplicates()
        self.dtype = dtype
        self._held = _core._sparse_factor(*a.shape, a.indptr, a.indices, a.data, positive)
        self._n = a.shape[0]

    def solve(self, b):
        """As SuperLU.solve."""
        if not isinstance(b, _core.ndarray):
            raise TypeError(f"solve: a tombac.ndarray is expected for b, not {type(b)}")
        if b.ndim not in (1, 2) or b.shape[0] != self._n:
            raise ValueError(f"solve: rhs must have the shape ({self._n},) or ({self._n}, k), its shape is {b.shape}")
        if b.dtype.kind == "c" and self.dtype.kind != "c":
            raise TypeError(f"solve: the matrix is of {self.dtype}, the right-hand side of {b.dtype}")
        return _core._sparse_solve(self._held, b)


def device_factors(A, *others, positive=False):
    """_Factors of a sparse matrix in the dtype that it and others are worked on in; None if the host is to do it, also
    where the device cannot without replacing pivots: SuperLU says what is wrong then, or is right."""
    if not issparse(A) or A.shape[0] != A.shape[1] or A.nnz == 0 or not _core._sparse_solver_ready():
        return None
    try:
        return _Factors(A, working_dtype(A.dtype, *others), positive)
    except np.linalg.LinAlgError:
        return None


class SuperLU(Held):
    """The factors of a sparse matrix, as splu and spilu give them: ``Pr @ A @ Pc == L @ U``.

    >>> lu = tombacx.scipy.sparse.linalg.splu(tombac.array([[2.0, 0.0], [0.0, 4.0]]))
    >>> lu.solve(tombac.array([2.0, 2.0]))
    array([1. , 0.5])
    """

    __slots__ = ("_dtype",)

    def __init__(self, obj):
        if not hasattr(obj, "perm_c"):
            raise TypeError(f"SuperLU: an object of SciPy's SuperLU is expected, not {type(obj)}")
        self._held = obj
        # Nothing else says it: splu and spilu, which know it, make objects another way.
        self._dtype = np.dtype(obj.solve(np.zeros(obj.shape[0], "f")).dtype if obj.shape[0] else "d")

    shape = property(lambda self: self._held.shape, doc="The shape of the matrix.")
    nnz = property(lambda self: self._held.nnz, doc="How many numbers the factors have.")
    perm_r = property(lambda self: _core.array(self._held.perm_r), doc="Where each row went.")
    perm_c = property(lambda self: _core.array(self._held.perm_c), doc="Where each column went.")
    L = property(lambda self: to_device(self._held.L), doc="The lower factor, with ones on its diagonal.")
    U = property(lambda self: to_device(self._held.U), doc="The upper factor.")

    def solve(self, rhs, trans="N"):
        """``x`` with ``A @ x == rhs``, or with its transpose ('T') or conjugate transpose ('H').

        ``rhs`` has the shape (n,) or (n, k).
        """
        b = _right_side("solve", rhs)
        if b.ndim not in (1, 2):
            raise ValueError(f"solve: rhs must have one or two dimensions, its shape is {b.shape}")
        if b.dtype.kind in "biuf" or self._dtype.kind == "c":
            b = b.astype(self._dtype)
        return _core.array(self._held.solve(b, trans))


def _factored(factor, h, *args):
    """The SuperLU object of a function's factors."""
    if h.dtype.char not in "fdFD":
        return SuperLU(factor(h, *args))
    result = object.__new__(SuperLU)
    result._held, result._dtype = factor(h, *args), h.dtype
    return result


_PANELS = 2**27  # elements, of 16 bytes at most, whose bytes SuperLU still counts in its integers


def _check_panels(name, h, size):
    """Raises ValueError for a number of columns that SuperLU does not look at, and runs on for ever, or ends, with."""
    if isinstance(size, numbers.Integral) and not 0 < size <= max(_PANELS // (max(h.shape) + 1024), 64):
        raise ValueError(f"{name}: panel_size {size} is out of range for a matrix of shape {h.shape}")


def splu(A, permc_spec=None, diag_pivot_thresh=None, relax=None, panel_size=None, options=None):
    """The LU factors of a sparse matrix.

    Args:
        A: A sparse matrix or an array of shape (n, n); integers are converted to float64.
        permc_spec: How columns are ordered: 'NATURAL', 'MMD_ATA', 'MMD_AT_PLUS_A' or 'COLAMD', the default.
        diag_pivot_thresh: How large a diagonal element is to be, relatively, to be the pivot.
        relax, panel_size: SuperLU's own parameters.
        options: A dict of SuperLU's options.

    Returns:
        A SuperLU object.

    Raises:
        RuntimeError: The matrix is exactly singular.
        ValueError: It is not square, or panel_size is out of range.
        TypeError: ``A`` is no matrix of tombac's.

    >>> tombacx.scipy.sparse.linalg.splu(tombac.eye(2)).solve(tombac.array([1.0, 2.0]))
    array([1., 2.])
    """
    f, h, options = scipy_function("scipy.sparse.linalg", "splu"), _sparse("splu", A), options or {}
    _check_panels("splu", h, options.get("PanelSize", panel_size))
    return _factored(f, h, permc_spec, diag_pivot_thresh, relax, panel_size, options)


def spilu(A, drop_tol=None, fill_factor=None, drop_rule=None, permc_spec=None, diag_pivot_thresh=None, relax=None,
          panel_size=None, options=None):
    """Incomplete LU factors of a sparse matrix, for a preconditioner.

    Args:
        A: A sparse matrix or an array of shape (n, n); integers are converted to float64.
        drop_tol: Below which size, relatively, elements are left out; by default 1e-4.
        fill_factor: How many times as many elements as ``A`` the factors may have; by default 10.
        drop_rule: SuperLU's rules, separated by commas; by default 'basic,area'.
        permc_spec: How columns are ordered: 'NATURAL', 'MMD_ATA', 'MMD_AT_PLUS_A' or 'COLAMD', the default.
        diag_pivot_thresh: How large a diagonal element is to be, relatively, to be the pivot.
        relax, panel_size: SuperLU's own parameters.
        options: A dict of SuperLU's options.

    Returns:
        A SuperLU object, whose ``solve`` is the preconditioner.

    Raises:
        RuntimeError: A factor is exactly singular.
        ValueError: The matrix is not square, or fill_factor or panel_size is out of range.
        TypeError: ``A`` is no matrix of tombac's.

    >>> tombacx.scipy.sparse.linalg.spilu(tombac.eye(2)).solve(tombac.array([1.0, 2.0]))
    array([1., 2.])
    """
    f, h, options = scipy_function("scipy.sparse.linalg", "spilu"), _sparse("spilu", A), options or {}
    _check_panels("spilu", h, options.get("PanelSize", panel_size))
    factor = options.get("ILU_FillFactor", fill_factor)
    if isinstance(factor, numbers.Real) and not (factor >= 1 or factor * h.nnz >= 2):  # less does not grow by half
        raise ValueError(f"spilu: fill_factor {factor} leaves no place for {h.nnz} elements")
    return _factored(f, h, drop_tol, fill_factor, drop_rule, permc_spec, diag_pivot_thresh, relax, panel_size, options)


def factorized(A):
    """A function that solves equations with one matrix, which is factored once.

    Args:
        A: A sparse matrix or an array of shape (n, n).

    Returns:
        A function that gives ``x`` with ``A @ x == b`` for an array ``b`` of shape (n,) or (n, k).

    Raises:
        RuntimeError: The matrix is exactly singular.
        ValueError: It is not square.
        TypeError: ``A`` is no matrix of tombac's.

    >>> solve = tombacx.scipy.sparse.linalg.factorized(tombac.array([[2.0, 0.0], [0.0, 4.0]]))
    >>> solve(tombac.array([2.0, 2.0]))
    array([1. , 0.5])
    """
    factors = device_factors(A)
    return splu(A).solve if factors is None else factors.solve


@functools.cache
def _superlu():
    """SuperLU's function that solves equations, below SciPy's, which takes longer to look at small matrices than they
    take to solve; None where there is none, or UMFPACK is to be asked."""
    try:
        scipy_module("scipy.sparse.linalg", "spsolve")
        umfpack = importlib.util.find_spec("scikits") and importlib.util.find_spec("scikits.umfpack")
        return None if umfpack else importlib.import_module("scipy.sparse.linalg._dsolve._superlu").gssv
    except (ImportError, AttributeError):
        return None


_FEW = 4096  # elements of a matrix, below which it takes longer to look for the better order than to do without


def _order(n, data, indices, indptr):
    """Of columns, by SuperLU's name. Where the pattern is symmetric and nothing in a row is greater than the diagonal,
    pivots stay there, and A^T + A's order leaves fewer elements to be computed; else COLAMD's, which bounds them
    whatever the pivots."""
    if data.size < _FEW or (indptr[1:] == indptr[:-1]).any():
        return "COLAMD"
    rows = scipy_function("scipy.sparse", "csr_matrix")((abs(data), indices, indptr), shape=(n, n))
    columns = rows.tocsc()
    same = (columns.indptr == indptr).all() and (columns.indices == indices).all()
    dominant = same and (rows.diagonal() >= np.maximum.reduceat(rows.data, indptr[:-1])).all()
    return "MMD_AT_PLUS_A" if dominant else "COLAMD"


def _solved_at_once(A, b):
    """The solution for a vector, or None where SciPy has something to convert, or to say."""
    gssv, n = _superlu(), A._shape[0]
    if gssv is None or A.format not in ("csr", "csc") or b.shape != (n,) or A._shape != (n, n):
        return None
    a = A if A._stores_once() else A._canonical_here()
    data, indices, indptr = (x.get() for x in a._parts[:3])
    b = b.get()
    if data.dtype != b.dtype or b.dtype.char not in "fdFD" or not data.size or indices.dtype != np.int32:
        return None
    order = {"ColPerm": _order(n, data, indices, indptr)}
    try:
        x, info = gssv(n, data.size, data, indices, indptr, b, int(a.format == "csc"), options=order)
    except TypeError:  # another SciPy's takes other arguments
        return None
    return None if info else _core.array(x)


def spsolve(A, b, permc_spec=None, use_umfpack=True):
    """``x`` with ``A @ x == b``, by LU factors.

    They are SuperLU's, on the host, in COLAMD's order, or that of A^T + A for matrices with a symmetric pattern and a
    diagonal that nothing in its row is greater than. With ``TOMBAC_SPARSE_SOLVERS=device`` they are cuDSS' where that
    is found, if no order is given and neither ``A`` is dense nor ``b`` sparse. A matrix that is exactly singular gives
    SciPy's MatrixRankWarning, and NaNs.

    Args:
        A: A sparse matrix or an array of shape (n, n).
        b: An array of shape (n,) or (n, k), or a sparse matrix.
        permc_spec: How columns are ordered: 'NATURAL', 'MMD_ATA', 'MMD_AT_PLUS_A' or 'COLAMD'.
        use_umfpack: Whether UMFPACK is used where SciPy finds it.

    Returns:
        For an array ``b`` an array of shape (n,), or (n, k) for more than one column; for a sparse one a sparse matrix.

    Raises:
        ValueError: Shapes do not match.
        TypeError: An argument is no array or matrix of tombac's.

    >>> tombacx.scipy.sparse.linalg.spsolve(tombac.array([[2.0, 0.0], [0.0, 4.0]]), tombac.array([2.0, 2.0]))
    array([1. , 0.5])
    """
    if isinstance(b, _core.ndarray) and issparse(A) and permc_spec is None:
        fits = b.size > 0 and b.ndim in (1, 2) and b.shape[0] == A.shape[0]
        factors = device_factors(A, b.dtype) if fits else None
        if factors is not None:
            x = factors.solve(b)
            return x.ravel() if x.ndim == 2 and x.shape[1] == 1 else x
        x = _solved_at_once(A, b)
        if x is not None:
            return x
    if not issparse(b):
        b = _right_side("spsolve", b)
    h = A.get() if issparse(A) and A.format == "csr" else _sparse("spsolve", A)  # SciPy's takes rows as well
    return on_host("spsolve", h, b, permc_spec, use_umfpack)


def spsolve_triangular(A, b, lower=True, overwrite_A=False, overwrite_b=False, unit_diagonal=False):
    """``x`` with ``A @ x == b``, where ``A`` is a sparse triangle; on a GPU by SciPy, on the host.

    Args:
        A: A sparse matrix of shape (n, n), of which only one triangle is read.
        b: An array of shape (n,) or (n, k).
        lower: Whether the lower triangle is read.
        overwrite_A, overwrite_b: Accepted; nothing is overwritten.
        unit_diagonal: Whether the diagonal counts as ones.

    Returns:
        An array of ``b``'s shape.

    Raises:
        LinAlgError: The diagonal has a zero.
        ValueError: Shapes do not match.
        TypeError: ``A`` is no sparse matrix, or ``b`` no tombac array.

    >>> A = tombacx.scipy.sparse.csr_matrix(tombac.array([[2.0, 0.0], [2.0, 4.0]]))
    >>> tombacx.scipy.sparse.linalg.spsolve_triangular(A, tombac.array([2.0, 6.0]))
    array([1., 1.])
    """
    if not issparse(A):
        raise TypeError(f"spsolve_triangular: a sparse matrix is expected, not {type(A)}")
    if not isinstance(b, _core.ndarray):
        raise TypeError(f"spsolve_triangular: a tombac.ndarray is expected for b, not {type(b)}")
    n = A.shape[0]
    if A.shape[1] != n:
        raise ValueError(f"spsolve_triangular: A must be a square matrix, its shape is {A.shape}")
    if b.ndim not in (1, 2) or b.shape[0] != n:
        raise ValueError(f"spsolve_triangular: b must have the shape ({n},) or ({n}, k), not {b.shape}")
    A = A.astype(working_dtype(A.dtype), copy=False).tocsr()
    try:
        return _core._sparse_triangle(*A._pattern(), A.data, bool(lower), bool(unit_diagonal), b)
    except NotImplementedError:  # on a GPU
        f = scipy_function("scipy.sparse.linalg", "spsolve_triangular")
        h = _triangle(A.get(), lower)
        return _core.array(f(h, _wide(b).get(), lower=bool(lower), unit_diagonal=bool(unit_diagonal)))


def _triangle(h, lower):
    """The triangle of a matrix of SciPy's; the matrix itself, which that takes a while to find, where it is one."""
    rows = np.repeat(np.arange(h.shape[0], dtype=h.indices.dtype), np.diff(h.indptr))
    if (h.indices <= rows if lower else h.indices >= rows).all():
        return h
    extract = scipy_module("scipy.sparse", "tril")
    return (extract.tril if lower else extract.triu)(h, format="csr")
