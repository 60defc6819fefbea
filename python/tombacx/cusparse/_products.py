"""Sums and products of sparse matrices. Operands have any numeric dtype and any order, where cuSPARSE asks for some."""

from tombac import _core
from tombacx.cusparse._operands import check_dense, check_sparse, conjugated, delivered, scaled, transposed
from tombacx.scipy.sparse._structure import at_or_zero, pair

__all__ = ["csrgeam", "csrgemm", "csrgemm2", "csrmm", "csrmm2", "spgemm", "spmm", "spmv"]


def spmv(a, x, y=None, alpha=1, beta=0, transa=False):
    """``alpha * op(a) @ x + beta * y``.

    Args:
        a: A sparse matrix in CSR, CSC or COO, of shape ``(m, n)``.
        x: An array of shape ``(n,)``, ``(m,)`` if a is transposed.
        y: An array of the result's shape, which is written to if it has the result's dtype.
        alpha: A number.
        beta: A number. If it is 0, what y holds does not matter.
        transa: False or 'N', True or 'T', or 'H': whether a is transposed, or conjugated too.

    Returns:
        An array; y if that was written to.

    Raises:
        TypeError: a is no such matrix, or x no array.
        ValueError: The shapes do not match.

    >>> a = tombacx.scipy.sparse.csr_matrix(tombac.array([[0.0, 2.0], [3.0, 0.0]]))
    >>> tombacx.cusparse.spmv(a, tombac.array([1.0, 10.0]), alpha=2)
    array([40.,  6.])
    """
    check_sparse("spmv", a)
    check_dense("spmv", x, 1)
    return _accumulated("spmv", a, x, y, alpha, beta, transa)


def spmm(a, b, c=None, alpha=1, beta=0, transa=False, transb=False):
    """``alpha * op(a) @ op(b) + beta * c``.

    Args:
        a: A sparse matrix in CSR, CSC or COO.
        b: A dense matrix of any order.
        c: An array of the result's shape, which is written to if it has the result's dtype.
        alpha: A number.
        beta: A number. If it is 0, what c holds does not matter.
        transa: False or 'N', True or 'T', or 'H': whether a is transposed, or conjugated too.
        transb: The same of b.

    Returns:
        An array in Fortran's order; c if that was written to.

    Raises:
        TypeError: a is no such matrix, or b no array.
        ValueError: The shapes do not match.

    >>> a = tombacx.scipy.sparse.csr_matrix(tombac.array([[0.0, 2.0], [3.0, 0.0]]))
    >>> tombacx.cusparse.spmm(a, tombac.eye(2), beta=1, c=tombac.ones((2, 2)))
    array([[1., 3.],
           [4., 1.]])
    """
    check_sparse("spmm", a)
    check_dense("spmm", b, 2)
    return _accumulated("spmm", a, conjugated(b, transposed("spmm", transb)), c, alpha, beta, transa)


def csrmm(a, b, c=None, alpha=1, beta=0, transa=False):
    """``alpha * op(a) @ b + beta * c``; see spmm.

    Args:
        a: A sparse matrix in CSR.
        b: A dense matrix of any order.
        c: An array of the result's shape, which is written to if it has the result's dtype.
        alpha: A number.
        beta: A number. If it is 0, what c holds does not matter.
        transa: False or 'N', True or 'T', or 'H': whether a is transposed, or conjugated too.

    Returns:
        An array in Fortran's order; c if that was written to.

    Raises:
        TypeError: a is no such matrix, or b no array.
        ValueError: The shapes do not match.

    >>> a = tombacx.scipy.sparse.csr_matrix(tombac.array([[0.0, 2.0], [3.0, 0.0]]))
    >>> tombacx.cusparse.csrmm(a, tombac.array([[1.0], [10.0]]), transa=True)
    array([[30.],
           [ 2.]])
    """
    check_sparse("csrmm", a, "csr")
    check_dense("csrmm", b, 2)
    return _accumulated("csrmm", a, b, c, alpha, beta, transa)


def csrmm2(a, b, c=None, alpha=1.0, beta=0.0, transa=False, transb=False):
    """Another name of spmm.

    >>> a = tombacx.scipy.sparse.csr_matrix(tombac.array([[0.0, 2.0], [3.0, 0.0]]))
    >>> tombacx.cusparse.csrmm2(a, tombac.array([[1.0, 10.0]]), transb=True)
    array([[20.],
           [ 3.]])
    """
    return spmm(a, b, c, alpha, beta, transa, transb)


def _accumulated(name, a, x, y, alpha, beta, transa):
    a = conjugated(a, transposed(name, transa))
    if a.shape[1] != x.shape[0]:
        raise ValueError(f"{name}: dimension mismatch: {a.shape} and {x.shape}")
    if y is not None:
        check_dense(name, y, x.ndim)
    return delivered(name, scaled(a._times_dense(x), alpha), y, beta, "F")


def spgemm(a, b, alpha=1):
    """``alpha * a @ b`` of two sparse matrices.

    Args:
        a: A matrix in CSR.
        b: A matrix in CSR.
        alpha: A number.

    Returns:
        A csr_matrix.

    Raises:
        TypeError: An operand is no such matrix.
        ValueError: The shapes do not match.

    >>> a = tombacx.scipy.sparse.csr_matrix(tombac.array([[0.0, 2.0], [3.0, 0.0]]))
    >>> tombacx.cusparse.spgemm(a, a).toarray()
    array([[6., 0.],
           [0., 6.]])
    """
    return _multiplied("spgemm", a, b, alpha)


def _multiplied(name, a, b, alpha):
    check_sparse(name, a, "csr")
    check_sparse(name, b, "csr")
    if a.shape[1] != b.shape[0]:
        raise ValueError(f"{name}: mismatched shapes: {a.shape} and {b.shape}")
    return a._times_sparse(b)._mapped(lambda x: scaled(x, alpha))


def csrgemm(a, b, transa=False, transb=False):
    """``op(a) @ op(b)`` of two sparse matrices.

    Args:
        a: A matrix in CSR.
        b: A matrix in CSR.
        transa: False or 'N', True or 'T', or 'H': whether a is transposed, or conjugated too.
        transb: The same of b.

    Returns:
        A csr_matrix.

    Raises:
        TypeError: An operand is no such matrix.
        ValueError: The shapes do not match.

    >>> a = tombacx.scipy.sparse.csr_matrix(tombac.array([[0.0, 2.0], [3.0, 0.0]]))
    >>> tombacx.cusparse.csrgemm(a, a, transb=True).toarray()
    array([[4., 0.],
           [0., 9.]])
    """
    check_sparse("csrgemm", a, "csr")
    check_sparse("csrgemm", b, "csr")
    a = conjugated(a, transposed("csrgemm", transa)).tocsr()
    return _multiplied("csrgemm", a, conjugated(b, transposed("csrgemm", transb)).tocsr(), 1)


def csrgemm2(a, b, d=None, alpha=1, beta=1):
    """``alpha * a @ b + beta * d`` of sparse matrices.

    Args:
        a: A matrix in CSR.
        b: A matrix in CSR.
        d: A matrix in CSR of the product's shape, or None.
        alpha: A number.
        beta: A number.

    Returns:
        A csr_matrix.

    Raises:
        TypeError: An operand is no such matrix.
        ValueError: The shapes do not match.

    >>> a = tombacx.scipy.sparse.csr_matrix(tombac.array([[0.0, 2.0], [3.0, 0.0]]))
    >>> tombacx.cusparse.csrgemm2(a, a, a, beta=10).toarray()
    array([[ 6., 20.],
           [30.,  6.]])
    """
    product = _multiplied("csrgemm2", a, b, alpha)
    return product if d is None else _added("csrgemm2", product, d, 1, beta)


def csrgeam(a, b, alpha=1, beta=1):
    """``alpha * a + beta * b`` of two sparse matrices. Sums that are zero are stored, as cuSPARSE does.

    Args:
        a: A matrix in CSR.
        b: A matrix in CSR of the same shape.
        alpha: A number.
        beta: A number.

    Returns:
        A csr_matrix.

    Raises:
        TypeError: An operand is no such matrix.
        ValueError: The shapes differ.

    >>> a = tombacx.scipy.sparse.csr_matrix(tombac.array([[0.0, 2.0], [3.0, 0.0]]))
    >>> tombacx.cusparse.csrgeam(a, tombacx.scipy.sparse.eye(2, format="csr"), beta=5).toarray()
    array([[5., 2.],
           [3., 5.]])
    """
    return _added("csrgeam", a, b, alpha, beta)


def _added(name, a, b, alpha, beta):
    check_sparse(name, a, "csr")
    check_sparse(name, b, "csr")
    if a.shape != b.shape:
        raise ValueError(f"{name}: inconsistent shapes: {a.shape} and {b.shape}")
    a, b = a._summed(), b._summed()
    p, q = pair(a._pattern(), b._pattern())
    start, index, from_a, from_b = _core._sparse_match(*p, *q, True)
    data = scaled(at_or_zero(a.data, from_a), alpha) + scaled(at_or_zero(b.data, from_b), beta)
    return a._with(data, index, start, canonical=True)
