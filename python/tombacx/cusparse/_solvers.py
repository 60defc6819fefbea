"""Triangular systems and incomplete factors, both on the host."""

from tombac import _core
from tombac._numpy import np
from tombacx.cusparse._operands import check_dense, check_sparse, number, transposed
from tombacx.scipy._host import scipy_module

__all__ = ["csrilu02", "csrsm2", "spsm"]


def _check_square(name, a):
    if a.shape[0] != a.shape[1]:
        raise ValueError(f"{name}: a must be square, its shape is {a.shape}")


def _check_inexact(name, *arrays):
    for x in arrays:
        if x.dtype.char not in "fdFD":
            raise TypeError(f"{name}: float32, float64, complex64 or complex128 is expected, not {x.dtype}")


def _triangular_solution(name, a, b, alpha, lower, unit_diag, trans):
    """The solution in b's dtype, on the host, by SciPy's function."""
    _check_square(name, a)
    check_dense(name, b, 1, 2)
    _check_inexact(name, a, b)
    if a.shape[0] != b.shape[0]:
        raise ValueError(f"{name}: dimension mismatch: {a.shape} and {b.shape}")
    if b.size == 0:
        return np.empty(b.shape, b.dtype)
    sparse, linalg = (scipy_module(f"scipy.sparse{part}", f"{name}()") for part in ("", ".linalg"))
    triangle = (sparse.tril if lower else sparse.triu)(a.get(), format="csr")
    if trans != "N":
        triangle, lower = (triangle.T if trans == "T" else triangle.conj().T).tocsr(), not lower
    triangle.sum_duplicates()
    if not unit_diag and not triangle.diagonal().all():
        i = int(np.argmin(triangle.diagonal() != 0))
        raise np.linalg.LinAlgError(f"{name}: a is singular: its diagonal is zero in row {i}")
    x = linalg.spsolve_triangular(triangle, b.get(), lower=bool(lower), unit_diagonal=bool(unit_diag))
    return (number(alpha) * x).astype(np.result_type(a.dtype, b.dtype), copy=False)


def csrsm2(a, b, alpha=1.0, lower=True, unit_diag=False, transa=False, blocking=True, level_info=False):
    """Solves ``op(a) @ x = alpha * b`` with a triangular matrix, in place, by SciPy on the host.

    Args:
        a: A matrix in CSR or CSC of float32, float64, complex64 or complex128, of shape ``(n, n)``. Elements outside of
            the triangle do not matter.
        b: An array of a's dtype and shape ``(n,)`` or ``(n, k)``, which becomes the solution.
        alpha: A number.
        lower: Whether the lower triangle of a counts, rather than the upper one.
        unit_diag: Whether the diagonal counts as ones, whatever it holds.
        transa: False or 'N', True or 'T', or 'H': whether a is transposed, or conjugated too.
        blocking: Accepted for CuPy's sake.
        level_info: Accepted for CuPy's sake.

    Returns:
        None.

    Raises:
        TypeError: a is no such matrix, or b no array of its dtype.
        ValueError: The shapes do not match.
        LinAlgError: An element of the diagonal is zero; CuPy's result is not finite then.

    >>> a = tombacx.scipy.sparse.csr_matrix(tombac.array([[2.0, 0.0], [1.0, 1.0]]))
    >>> b = tombac.array([2.0, 3.0])
    >>> tombacx.cusparse.csrsm2(a, b)
    >>> b
    array([1., 2.])
    """
    check_sparse("csrsm2", a, "csr", "csc")
    check_dense("csrsm2", b, 1, 2)
    if a.dtype != b.dtype:
        raise TypeError(f"csrsm2: a and b must have one dtype, not {a.dtype} and {b.dtype}")
    b.set(_triangular_solution("csrsm2", a, b, alpha, lower, unit_diag, transposed("csrsm2", transa)))


def spsm(a, b, alpha=1.0, lower=True, unit_diag=False, transa=False):
    """``x`` with ``op(a) @ x == alpha * b``, where a is triangular, by SciPy on the host.

    Args:
        a: A matrix in CSR, CSC or COO of float32, float64, complex64 or complex128, of shape ``(n, n)``. Elements
            outside of the triangle do not matter.
        b: An array of such a dtype and of shape ``(n,)`` or ``(n, k)``.
        alpha: A number.
        lower: Whether the lower triangle of a counts, rather than the upper one.
        unit_diag: Whether the diagonal counts as ones, whatever it holds.
        transa: False or 'N', True or 'T', or 'H': whether a is transposed, or conjugated too.

    Returns:
        An array of b's shape, in Fortran's order.

    Raises:
        TypeError: a is no such matrix, or b no such array.
        ValueError: The shapes do not match.
        LinAlgError: An element of the diagonal is zero; CuPy's result is not finite then.

    >>> a = tombacx.scipy.sparse.csr_matrix(tombac.array([[2.0, 0.0], [1.0, 1.0]]))
    >>> tombacx.cusparse.spsm(a, tombac.array([2.0, 3.0]))
    array([1., 2.])
    """
    check_sparse("spsm", a)
    trans = transposed("spsm", transa)
    return _core.array(_triangular_solution("spsm", a, b, alpha, lower, unit_diag, trans), order="F")


def csrilu02(a, level_info=False):
    """Replaces a matrix by its factors of incomplete LU with no elements beyond its own (ILU(0)).

    Below the diagonal are then those of L, whose diagonal is of ones and not stored; the others are those of U. Rows
    are eliminated in order, on the host. Source: Y. Saad, Iterative Methods for Sparse Linear Systems, 2nd ed., 10.3.

    Args:
        a: A matrix in CSR of float32, float64, complex64 or complex128, of shape ``(n, n)``.
        level_info: Accepted for CuPy's sake.

    Returns:
        None.

    Raises:
        TypeError: a is no such matrix, or of another dtype.
        ValueError: It is not square, an element of its diagonal is not stored, or one of U's is zero. The matrix
            keeps its values then.

    >>> a = tombacx.scipy.sparse.csr_matrix(tombac.array([[2.0, 1.0], [4.0, 5.0]]))
    >>> tombacx.cusparse.csrilu02(a)
    >>> a.toarray()
    array([[2., 1.],
           [2., 3.]])
    """
    check_sparse("csrilu02", a, "csr")
    _check_square("csrilu02", a)
    _check_inexact("csrilu02", a)
    once = a._summed()
    data = once.data.get()
    _eliminate(data, once.indices.get(), once.indptr.get().tolist())
    once = once._mapped(lambda x: _core.array(data))
    a._become(once)


def _eliminate(data, index, start):
    """Incomplete factors in place of a matrix' elements; columns ascend in each row."""
    diagonal = []
    for i in range(len(start) - 1):
        columns = index[start[i] : start[i + 1]]
        d = int(np.searchsorted(columns, i))
        if d == columns.size or columns[d] != i:
            raise ValueError(f"csrilu02: a({i},{i}) is missing")
        diagonal.append(start[i] + d)
    for i, d in enumerate(diagonal):
        columns, values = index[start[i] : start[i + 1]], data[start[i] : start[i + 1]]
        for p in range(d - start[i]):
            k = columns[p]
            values[p] /= data[diagonal[k]]
            above = slice(diagonal[k] + 1, start[k + 1])
            place = np.searchsorted(columns, index[above])
            kept = place < columns.size
            kept[kept] = columns[place[kept]] == index[above][kept]
            values[place[kept]] -= values[p] * data[above][kept]
        if data[d] == 0:
            raise ValueError(f"csrilu02: u({i},{i}) is zero")
