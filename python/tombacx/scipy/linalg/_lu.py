"""LU factors with partial pivoting, and equations solved by them."""

from tombac import _core
from tombac._numpy import np
from tombac._select import take_along_axis
from tombac._sorting import argsort
from tombacx.scipy.linalg._common import check_matrices, check_square, trans_letter

__all__ = ["lu", "lu_factor", "lu_solve"]


def lu_factor(a, overwrite_a=False, check_finite=True):
    """The LU factors of matrices, both triangles in one array, by Gaussian elimination with partial pivoting.

    Other than SciPy's, a singular matrix is neither an error nor a warning.

    Args:
        a: An array of any numeric dtype and shape ``(..., m, n)``; integers are converted to float64, float16 to
            float32.
        overwrite_a: Accepted; nothing is overwritten.
        check_finite: Whether to wait and see that there are no infinities or NaNs.

    Returns:
        A tuple of arrays: the factors, of ``a``'s shape, the lower one without its diagonal of ones; the pivots, int32
        of shape ``(..., min(m, n))``: row ``i`` was exchanged with row ``pivots[i]``.

    Raises:
        LinAlgError: ``a`` has fewer than two dimensions.
        ValueError: ``a`` holds infinities or NaNs.
        TypeError: ``a`` is no tombac array.

    >>> factors, pivots = tombacx.scipy.linalg.lu_factor(tombac.array([[1.0, 2.0], [2.0, 2.0]]))
    >>> factors, pivots
    (array([[2. , 2. ],
           [0.5, 1. ]]), array([1, 1], dtype=int32))
    """
    check_matrices("lu_factor", check_finite, a)
    return _core._lu_factor(a)


def lu_solve(lu_and_piv, b, trans=0, overwrite_b=False, check_finite=True):
    """``x`` with ``a @ x == b``, by the factors of ``a`` that lu_factor gives.

    Args:
        lu_and_piv: The two arrays that lu_factor returns, of shapes ``(..., n, n)`` and ``(..., n)``.
        b: An array of shape ``(n,)``, one vector for all matrices, or ``(..., n, k)``; stacks broadcast.
        trans: 0 or 'N'; 1 or 'T' for ``a.T @ x == b``; 2 or 'C' for ``a.conj().T @ x == b``.
        overwrite_b: Accepted; nothing is overwritten.
        check_finite: Whether to wait and see that there are no infinities or NaNs.

    Returns:
        An array of ``b``'s shape, after broadcasting.

    Raises:
        ValueError: Shapes do not match, there is no such ``trans``, or an array holds infinities or NaNs.
        TypeError: An argument is no tombac array.

    >>> factors = tombacx.scipy.linalg.lu_factor(tombac.array([[2.0, 0.0], [0.0, 4.0]]))
    >>> tombacx.scipy.linalg.lu_solve(factors, tombac.array([2.0, 2.0]))
    array([1. , 0.5])
    """
    factors, pivots = lu_and_piv
    letter = trans_letter("lu_solve", trans)
    check_matrices("lu_solve", check_finite, factors, pivots, b)
    check_square("lu_solve", factors)
    return _core._lu_solve(factors, pivots, b, letter)


def _rows(pivots, m):
    """Which row of the matrix became row i, for exchanges one after the other.

    On a device that is not the host they are made by a solution for unit factors, for all matrices at once; as float64
    the numbers of rows are exact.
    """
    if _core.backend() == "cpu":
        return _core._pivot_rows(pivots, m)
    k = pivots.shape[-1]
    stack = pivots.shape[:-1]
    rest = _core.broadcast_to(_core.arange(k, m, dtype=pivots.dtype), (*stack, m - k))
    unit = _core.broadcast_to(_core.eye(m), (*stack, m, m))
    order = _core._lu_solve(unit, _core.concatenate((pivots, rest), -1), _core.arange(float(m)), "N")
    return order.astype(np.int32)


def lu(a, permute_l=False, overwrite_a=False, check_finite=True, p_indices=False):
    """``a == P @ L @ U`` with a permutation, a lower triangle with a diagonal of ones, and an upper one.

    Args:
        a: An array of any numeric dtype and shape ``(..., m, n)``; integers are converted to float64, float16 to
            float32.
        permute_l: Whether ``P @ L`` is returned in place of both.
        overwrite_a: Accepted; nothing is overwritten.
        check_finite: Whether to wait and see that there are no infinities or NaNs.
        p_indices: Whether ``P`` is returned as int32 indices of shape ``(..., m)``, with which ``L[P] @ U == a``.

    Returns:
        A tuple of arrays: ``P`` of shape ``(..., m, m)``, real; ``L``, ``(..., m, k)`` with ``k = min(m, n)``; ``U``,
        ``(..., k, n)``. With ``permute_l`` the last two.

    Raises:
        LinAlgError: ``a`` has fewer than two dimensions.
        ValueError: ``a`` holds infinities or NaNs.
        TypeError: ``a`` is no tombac array.

    >>> p, l, u = tombacx.scipy.linalg.lu(tombac.array([[1.0, 2.0], [2.0, 2.0]]))
    >>> l
    array([[1. , 0. ],
           [0.5, 1. ]])
    """
    check_matrices("lu", check_finite, a)
    factors, pivots = _core._lu_factor(a)
    m, n = a.shape[-2:]
    k = min(m, n)
    turned = factors.swapaxes(-1, -2)  # as it is in memory
    unit = _core.eye(k, m, dtype=factors.dtype)
    lower = _core.where(_core.tri(k, m, dtype=bool), unit, turned[..., :k, :]).swapaxes(-1, -2)
    upper = _core.where(_core.tri(n, k, dtype=bool), turned[..., :k], factors.dtype.type(0)).swapaxes(-1, -2)
    rows = _rows(pivots, m)
    if permute_l or p_indices:
        indices = argsort(rows, -1)
        if permute_l:
            return take_along_axis(lower, indices[..., None], -2), upper
        return indices.astype(np.int32), lower, upper
    places = _core.arange(m, dtype=rows.dtype)
    permutation = (places[:, None] == rows[..., None, :]).astype(factors.real.dtype)
    return permutation, lower, upper
