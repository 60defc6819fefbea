"""What singular values and eigenvalues say of matrices besides: polar factors, rotations, angles, symmetry."""

from tombac import _core
from tombac._docstrings import with_rows
from tombac._logic import isclose
from tombac._numpy import np
from tombac._util import check_arrays
from tombac.linalg._solve import adjoint
from tombacx.scipy.linalg._common import check_matrices, check_square
from tombacx.scipy.linalg._matrix_functions import orth

__all__ = ["ishermitian", "issymmetric", "orthogonal_procrustes", "pinvh", "polar", "subspace_angles"]

_documented = with_rows(
    check_finite="check_finite: Whether to wait and see that there are no infinities or NaNs.",
    symmetric="""a: An array of any numeric dtype and shape ``(..., n, n)``.
        atol: How far from one another elements may be, of inexact dtypes; exactly equal if this and ``rtol`` are None
            or 0.
        rtol: The same, as a part of the element's magnitude.""",
    refusals="""ValueError: ``a`` is no stack of square matrices.
        TypeError: ``a`` is no tombac array.""",
)


def polar(a, side="right"):
    """The polar factors of matrices: ``a == u @ p`` with orthonormal columns or rows in ``u`` and ``p`` Hermitian.

    Args:
        a: An array of any numeric dtype and shape ``(..., m, n)``; integers are converted to float64, float16 to
            float32.
        side: ``'right'``, or ``'left'`` for ``a == p @ u``.

    Returns:
        A tuple of arrays: ``u`` of ``a``'s shape, and ``p``, of shape ``(..., n, n)`` or on the left ``(..., m, m)``.

    Raises:
        ValueError: There is no such side, ``a`` has fewer than two dimensions, or holds infinities or NaNs.
        TypeError: ``a`` is no tombac array.

    Stacks are taken, too, as a pair of stacks.

    >>> u, p = tombacx.scipy.linalg.polar(tombac.array([[0.0, -2.0], [3.0, 0.0]]))
    >>> p.round(12)
    array([[3., 0.],
           [0., 2.]])
    """
    if side not in ("right", "left"):
        raise ValueError(f"polar: side must be 'right' or 'left', not {side!r}")
    check_matrices("polar", True, a)
    u, s, vh = _core._svd(a, False)
    s = s[..., None, :]
    p = _core.matmul(adjoint(vh) * s, vh) if side == "right" else _core.matmul(u * s, adjoint(u))
    return _core.matmul(u, vh), p


@_documented
def pinvh(a, atol=None, rtol=None, lower=True, return_rank=False, check_finite=True):
    """The pseudo-inverses of Hermitian matrices, by eigenvalues.

    Args:
        a: An array of any numeric dtype and shape ``(..., n, n)``, of which one triangle is read.
        atol: Eigenvalues not above ``atol`` plus ``rtol`` times the largest, in magnitude, count as 0; 0 if None.
        rtol: If None, machine precision times ``n``, or 0 where ``atol`` is given.
        lower: Whether the lower triangle is read, not the upper one.
        return_rank: Whether the ranks are wanted too.
        {check_finite}

    Returns:
        An array of ``a``'s shape, or a tuple of it and of the ranks.

    Raises:
        ValueError: ``a`` is no stack of square matrices, holds infinities or NaNs, or a tolerance is negative.
        TypeError: ``a`` is no tombac array.

    >>> tombacx.scipy.linalg.pinvh(tombac.array([[2.0, 0.0], [0.0, 0.0]]))
    array([[0.5, 0. ],
           [0. , 0. ]])
    """
    check_matrices("pinvh", check_finite, a)
    check_square("pinvh", a)
    w, vectors = _core._eigh(a, bool(lower))
    if rtol is None:
        rtol = 0.0 if atol else float(np.finfo(w.dtype).eps) * a.shape[-1]
    atol = 0.0 if atol is None else atol
    if atol < 0 or rtol < 0:
        raise ValueError("pinvh: atol and rtol must not be negative")
    size = abs(w)
    large = size > atol + rtol * (size.max(-1, keepdims=True) if w.shape[-1] else 0)
    inverse = _core.where(large, 1 / _core.where(large, w, 1), 0).astype(w.dtype, copy=False)
    result = _core.matmul(vectors * inverse[..., None, :], adjoint(vectors))
    return (result, _core.sum(large, -1, dtype=int)) if return_rank else result


def _are_equal(name, a, other, atol, rtol):
    check_arrays(name, a)
    if a.ndim < 2 or a.shape[-1] != a.shape[-2]:
        raise ValueError(f"{name}: the last two dimensions must be square, the shape is {a.shape}")
    other = other(a)
    if (atol or rtol) and a._kind in "fc":
        equal = isclose(a, other, rtol or 0, atol or 0)
    else:
        equal = a == other
        if a._kind != "c":  # a NaN on the diagonal is where it is in the transpose
            equal |= _core.eye(a.shape[-1], dtype=bool)
    equal = equal.all((-2, -1))
    return bool(equal) if a.ndim == 2 else equal


@_documented
def issymmetric(a, atol=None, rtol=None):
    """Whether matrices are their own transposes; the host waits for the answer about one.

    Args:
        {symmetric}

    Returns:
        A bool, or for a stack an array of them.

    Raises:
        {refusals}

    >>> tombacx.scipy.linalg.issymmetric(tombac.array([[1, 2], [2, 1]]))
    True
    """
    return _are_equal("issymmetric", a, lambda x: x.swapaxes(-1, -2), atol, rtol)


@_documented
def ishermitian(a, atol=None, rtol=None):
    """Whether matrices are their own conjugate transposes; the host waits for the answer about one.

    Args:
        {symmetric}

    Returns:
        A bool, or for a stack an array of them.

    Raises:
        {refusals}

    >>> tombacx.scipy.linalg.ishermitian(tombac.array([[1, 2j], [-2j, 1]]))
    True
    """
    return _are_equal("ishermitian", a, adjoint, atol, rtol)


@_documented
def orthogonal_procrustes(A, B, check_finite=True):
    """The orthogonal matrix ``R`` for which ``A @ R`` is nearest to ``B``.

    Args:
        A: An array of any numeric dtype and shape ``(m, n)``.
        B: Another one.
        {check_finite}

    Returns:
        A tuple of arrays: ``R`` of shape ``(n, n)``; the sum of the singular values of ``A.T @ B``, without dimensions.

    Raises:
        ValueError: ``A`` and ``B`` are no matrices of one shape, or hold infinities or NaNs.
        TypeError: ``A`` or ``B`` is no tombac array.

    P. H. Schonemann, A generalized solution of the orthogonal Procrustes problem, Psychometrika 31 (1966).

    >>> a = tombac.array([[1.0, 0.0], [0.0, 2.0]])
    >>> r, scale = tombacx.scipy.linalg.orthogonal_procrustes(a, a[:, ::-1])
    >>> scale
    array(5.)
    """
    check_matrices("orthogonal_procrustes", check_finite, A, B)
    if A.ndim != 2 or B.ndim != 2:
        raise ValueError(f"orthogonal_procrustes: A and B must have 2 dimensions, not {A.ndim} and {B.ndim}")
    if A.shape != B.shape:
        raise ValueError(f"orthogonal_procrustes: A and B must have one shape, not {A.shape} and {B.shape}")
    u, s, vh = _core._svd(_core.matmul(adjoint(A), B), False)
    return _core.matmul(u, vh), s.sum()


def subspace_angles(A, B):
    """The angles between what the columns of two matrices span, the largest first.

    Args:
        A: An array of any numeric dtype and shape ``(m, n)``.
        B: An array of shape ``(m, k)``.

    Returns:
        An array of real numbers: as many as the lesser of the two ranks.

    Raises:
        ValueError: ``A`` and ``B`` are no matrices with as many rows, or hold infinities or NaNs.
        TypeError: ``A`` or ``B`` is no tombac array.

    Small angles by their sines, others by their cosines: A. V. Knyazev and M. E. Argentati, Principal angles between
    subspaces in an A-based scalar product, SIAM J. Sci. Comput. 23 (2002).

    >>> tombacx.scipy.linalg.subspace_angles(tombac.array([[1.0], [0.0]]), tombac.array([[1.0], [1.0]]))
    array([0.78539816])
    """
    check_matrices("subspace_angles", True, A, B)
    if A.ndim != 2 or B.ndim != 2 or A.shape[0] != B.shape[0]:
        raise ValueError("subspace_angles: A and B must be matrices with as many rows, their shapes are "
                         f"{A.shape} and {B.shape}")
    a, b = orth(A), orth(B)
    if a.shape[1] < b.shape[1]:
        a, b = b, a
    common = _core.matmul(adjoint(a), b)
    cosines = _core.minimum(_core._svdvals(common)[::-1], 1)
    sines = _core.minimum(_core._svdvals(b - _core.matmul(a, common)), 1)
    return _core.where(cosines * cosines >= 0.5, _core.arcsin(sines), _core.arccos(cosines))
