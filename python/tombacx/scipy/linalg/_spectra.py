"""Eigenvalues, singular values and orthogonal factors, by the routines of tombac.linalg and with SciPy's arguments."""

import operator

from tombac import _core
from tombac._creation import triu
from tombac._docstrings import with_rows
from tombac.linalg._solve import adjoint
from tombac.linalg._solve import inv as _inv
from tombac.linalg._solve import solve as _solve
from tombacx.scipy.linalg._by_scipy import sooner_by_scipy
from tombacx.scipy.linalg._common import check_matrices, check_square
from tombacx.scipy.linalg._equations import hermitian_of

__all__ = ["eig", "eigh", "eigvals", "eigvalsh", "qr", "svd", "svdvals"]

_documented = with_rows(
    any="""a: An array of any numeric dtype and shape ``(..., m, n)``; integers are converted to float64, float16 to
            float32.""",
    square="""a: An array of any numeric dtype and shape ``(..., n, n)``; integers are converted to float64, float16 to
            float32.""",
    hermitian="a: An array of any numeric dtype and shape ``(..., n, n)``, of which one triangle is read.",
    other="b: Another such array, positive definite: then eigenvalues are those of the pair, as ``type`` says.",
    lower="lower: Whether the lower triangles are read, not the upper ones.",
    type="""type: With ``b``: 1 for ``a @ x == w * b @ x``, 2 for ``a @ b @ x == w * x``, 3 for
            ``b @ a @ x == w * x``.""",
    subset_by_index="subset_by_index: The first and the last of the eigenvalues that are wanted, by their numbers.",
    subset_by_value="""subset_by_value: Eigenvalues above the first number, up to the second, are wanted; of one matrix
            only. The host waits for how many there are.""",
    driver="driver: Accepted; the routine is what ``tombac.linalg.eigh`` uses.",
    overwrite_a="overwrite_a: Accepted; nothing is overwritten.",
    overwrite_b="overwrite_b: Accepted; nothing is overwritten.",
    check_finite="check_finite: Whether to wait and see that there are no infinities or NaNs.",
    refusals="""LinAlgError: ``a`` is no stack of square matrices, or, where errors are asked for, no convergence.
        ValueError: An array holds infinities or NaNs, or an argument is none of those above.
        TypeError: An argument is no tombac array.""",
)


@_documented
def svd(a, full_matrices=True, compute_uv=True, overwrite_a=False, check_finite=True, lapack_driver="gesdd"):
    """Singular values and vectors: ``a == U @ diag(s) @ Vh``.

    Args:
        {any}
        full_matrices: Whether ``U`` is ``(..., m, m)`` and ``Vh`` ``(..., n, n)``, rather than ``(..., m, k)`` and
            ``(..., k, n)`` with ``k = min(m, n)``.
        compute_uv: Whether vectors are computed.
        {overwrite_a}
        {check_finite}
        lapack_driver: 'gesdd' or 'gesvd', which are one here.

    Returns:
        A tuple of arrays ``(U, s, Vh)``, or ``s`` alone: real, in descending order, of shape ``(..., k)``.

    Raises:
        LinAlgError: ``a`` has fewer than two dimensions, or, where errors are asked for, no convergence.
        ValueError: ``a`` holds infinities or NaNs, or there is no such driver.
        TypeError: ``a`` is no tombac array.

    >>> tombacx.scipy.linalg.svd(tombac.array([[3.0, 0.0], [0.0, 4.0]]), compute_uv=False)
    array([4., 3.])
    """
    check_matrices("svd", check_finite, a)
    if lapack_driver not in ("gesdd", "gesvd"):
        raise ValueError(f"svd: lapack_driver must be 'gesdd' or 'gesvd', not {lapack_driver!r}")
    return _core._svd(a, full_matrices) if compute_uv else _core._svdvals(a)


@_documented
def svdvals(a, overwrite_a=False, check_finite=True):
    """The singular values of matrices, in descending order.

    Args:
        {any}
        {overwrite_a}
        {check_finite}

    Returns:
        A real array of shape ``(..., min(m, n))``.

    Raises:
        LinAlgError: ``a`` has fewer than two dimensions, or, where errors are asked for, no convergence.
        ValueError: ``a`` holds infinities or NaNs.
        TypeError: ``a`` is no tombac array.

    >>> tombacx.scipy.linalg.svdvals(tombac.array([[3.0, 0.0], [0.0, 4.0]]))
    array([4., 3.])
    """
    return svd(a, compute_uv=False, check_finite=check_finite)


@_documented
def qr(a, overwrite_a=False, lwork=None, mode="full", pivoting=False, check_finite=True):
    """Matrices as products of one with orthonormal columns and an upper triangle, by Householder reflections.

    Args:
        {any}
        {overwrite_a}
        lwork: Accepted; how much memory is needed is found out.
        mode: 'full': ``Q`` is ``(..., m, m)`` and ``R`` ``(..., m, n)``; 'economic': ``(..., m, k)`` and
            ``(..., k, n)`` with ``k = min(m, n)``; 'r': ``R`` alone; 'raw': LAPACK's reflectors and their factors in
            place of ``Q``.
        pivoting: Whether columns are exchanged so that the diagonal of ``R`` falls, which shows the rank: ``a[:, P] ==
            Q @ R``. By LAPACK's geqp3, on a GPU on the host.
        {check_finite}

    Returns:
        A tuple of arrays ``(Q, R)``, ``(R,)`` or ``((qr, tau), R)``; with ``pivoting`` its last one is ``P``, int32 of
        shape ``(..., n)``. Of a stack ``R`` alone is an array, as SciPy's.

    Raises:
        LinAlgError: ``a`` has fewer than two dimensions.
        ValueError: There is no such mode, or ``a`` holds infinities or NaNs.
        TypeError: ``a`` is no tombac array.

    >>> q, r = tombacx.scipy.linalg.qr(tombac.array([[3.0, 1.0], [4.0, 2.0], [0.0, 0.0]]), mode="economic")
    >>> q.shape, r.shape
    ((3, 2), (2, 2))
    """
    if mode not in ("full", "qr", "r", "economic", "raw"):
        raise ValueError(f"qr: mode must be one of 'full', 'r', 'economic', 'raw', not {mode!r}")
    check_matrices("qr", check_finite, a)
    decompose = _core._qr_pivoted if pivoting else _core._qr
    if mode not in ("raw", "r"):
        return decompose(a, "reduced" if mode == "economic" else "complete")
    reflectors, tau, *order = decompose(a, "raw")
    packed = reflectors.swapaxes(-1, -2)
    if mode == "r":
        return triu(packed) if a.ndim > 2 and not pivoting else (triu(packed), *order)
    return (packed, tau), triu(packed[..., : min(a.shape[-2:]), :]), *order


# ---- eigenvalues -----------------------------------------------------------------------------------------------------


def _check_pair(name, check_finite, a, b):
    check_matrices(name, check_finite, a, *(() if b is None else (b,)))
    check_square(name, a)
    if b is not None and b.shape != a.shape:
        raise ValueError(f"{name}: a and b must have one shape, not {a.shape} and {b.shape}")


@_documented
def eig(a, b=None, left=False, right=True, overwrite_a=False, overwrite_b=False, check_finite=True,
        homogeneous_eigvals=False):
    """Eigenvalues and eigenvectors of square matrices.

    Other than SciPy's, values and vectors are complex whatever ``a`` holds; left vectors are made of the inverse of the
    right ones, so that there are none of matrices with fewer vectors than rows. With ``b`` they are those of ``a``
    divided by ``b``, which must not be singular.

    Args:
        {square}
        b: Another such array: then ``a @ x == w * b @ x``.
        left: Whether left eigenvectors are wanted: ``a.conj().T @ x == w.conj() * x``.
        right: Whether right eigenvectors are wanted.
        {overwrite_a}
        {overwrite_b}
        {check_finite}
        homogeneous_eigvals: Must be False.

    Returns:
        A tuple of arrays: the values in no order, of shape ``(..., n)``, the left and the right vectors as columns of
        length 1, as far as they are wanted; the values alone if none are.

    Raises:
        {refusals}
        NotImplementedError: ``homogeneous_eigvals`` is asked for, or left vectors of a pair.

    >>> w, v = tombacx.scipy.linalg.eig(tombac.array([[0.0, -1.0], [1.0, 0.0]]))
    >>> w
    array([0.+1.j, 0.-1.j])
    """
    if homogeneous_eigvals:
        raise NotImplementedError("eig: homogeneous_eigvals is not supported")
    if left and b is not None:
        raise NotImplementedError("eig: left eigenvectors of a pair are not supported")
    _check_pair("eig", check_finite, a, b)
    a = a if b is None else _solve(b, a)
    if not left and not right:
        return _core._eigvals(a)
    w, vectors = _core._eig(a)
    found = (w,)
    if left:
        turned = adjoint(_inv(vectors))
        lengths = _core.sqrt((turned.real**2 + turned.imag**2).sum(-2, keepdims=True))
        found += (turned / lengths,)
    return (*found, vectors) if right else found


@_documented
def eigvals(a, b=None, overwrite_a=False, check_finite=True, homogeneous_eigvals=False):
    """The eigenvalues of square matrices, complex whatever ``a`` holds.

    Args:
        {square}
        b: Another such array, not singular: then ``a @ x == w * b @ x``.
        {overwrite_a}
        {check_finite}
        homogeneous_eigvals: Must be False.

    Returns:
        A complex array of shape ``(..., n)``, in no order.

    Raises:
        {refusals}
        NotImplementedError: ``homogeneous_eigvals`` is asked for.

    >>> tombacx.scipy.linalg.eigvals(tombac.array([[0.0, -1.0], [1.0, 0.0]]))
    array([0.+1.j, 0.-1.j])
    """
    return eig(a, b, False, False, check_finite=check_finite, homogeneous_eigvals=homogeneous_eigvals)


def _of_one(a, factor, kind):
    """Of a pair the matrix that has its eigenvalues."""
    if kind == 1:
        half = _core._solve_triangular(factor, a, True, "N", False)
        return _core._solve_triangular(factor, adjoint(half), True, "N", False)
    return _core.matmul(adjoint(factor), _core.matmul(a, factor))


def _chosen(name, w, vectors, by_index, by_value):
    if by_index is not None:
        first, last = (operator.index(i) for i in by_index)
        if not 0 <= first <= last < w.shape[-1]:
            raise ValueError(f"{name}: there are no eigenvalues {first} to {last} of {w.shape[-1]}")
        return w[..., first : last + 1], vectors if vectors is None else vectors[..., first : last + 1]
    if by_value is not None:
        low, high = by_value
        if not low < high:
            raise ValueError(f"{name}: subset_by_value must rise, it is {low} and {high}")
        if w.ndim != 1:
            raise ValueError(f"{name}: subset_by_value is for one matrix")
        inside = (w > low) & (w <= high)
        return w[inside], vectors if vectors is None else vectors[:, inside]
    return w, vectors


@_documented
def eigh(a, b=None, *, lower=True, eigvals_only=False, overwrite_a=False, overwrite_b=False, type=1, check_finite=True,
         subset_by_index=None, subset_by_value=None, driver=None):
    """Eigenvalues and eigenvectors of Hermitian (or real symmetric) matrices.

    With ``b`` by its Cholesky factor, as LAPACK's sygvd.

    Args:
        {hermitian}
        {other}
        {lower}
        eigvals_only: Whether eigenvalues alone are wanted.
        {overwrite_a}
        {overwrite_b}
        {type}
        {check_finite}
        {subset_by_index}
        {subset_by_value}
        {driver}

    Returns:
        A tuple of arrays: the values, real and ascending, of shape ``(..., n)``; the vectors as columns,
        ``(..., n, n)``. Or the values alone.

    Raises:
        {refusals}

    >>> w, v = tombacx.scipy.linalg.eigh(tombac.array([[2.0, 0.0], [0.0, 1.0]]))
    >>> w
    array([1., 2.])
    """
    _check_pair("eigh", check_finite, a, b)
    if subset_by_index is not None and subset_by_value is not None:
        raise ValueError("eigh: either index or value subsets can be asked for")
    if type not in (1, 2, 3):
        raise ValueError(f"eigh: type must be 1, 2 or 3, not {type!r}")
    lower, factor = bool(lower), None
    if subset_by_index is not None or subset_by_value is not None:
        found = sooner_by_scipy("eigh", a, b, lower=lower, eigvals_only=eigvals_only, type=type, check_finite=False,
                                subset_by_index=subset_by_index, subset_by_value=subset_by_value)
        if found is not NotImplemented:
            return found
    if b is not None:
        factor = _core._cholesky(b, not lower)
        factor = factor if lower else adjoint(factor)
        a, lower = _of_one(hermitian_of(a, lower), factor, type), True
    if eigvals_only:
        return _chosen("eigh", _core._eigvalsh(a, lower), None, subset_by_index, subset_by_value)[0]
    w, vectors = _core._eigh(a, lower)
    if factor is not None:
        vectors = _core.matmul(factor, vectors) if type == 3 else \
            _core._solve_triangular(factor, vectors, True, "C", False)
    return _chosen("eigh", w, vectors, subset_by_index, subset_by_value)


@_documented
def eigvalsh(a, b=None, *, lower=True, overwrite_a=False, overwrite_b=False, type=1, check_finite=True,
             subset_by_index=None, subset_by_value=None, driver=None):
    """The eigenvalues of Hermitian (or real symmetric) matrices.

    Args:
        {hermitian}
        {other}
        {lower}
        {overwrite_a}
        {overwrite_b}
        {type}
        {check_finite}
        {subset_by_index}
        {subset_by_value}
        {driver}

    Returns:
        A real array of shape ``(..., n)``, ascending.

    Raises:
        {refusals}

    >>> tombacx.scipy.linalg.eigvalsh(tombac.array([[2.0, 0.0], [0.0, 1.0]]))
    array([1., 2.])
    """
    return eigh(a, b, lower=lower, eigvals_only=True, type=type, check_finite=check_finite,
                subset_by_index=subset_by_index, subset_by_value=subset_by_value)
