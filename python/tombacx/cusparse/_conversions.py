"""Sparse matrices in other formats and other orders."""

from tombac import _core
from tombac._numpy import np
from tombacx.cusparse._operands import check_dense, check_sparse
from tombacx.scipy.sparse._base import FAMILY

__all__ = [
    "coo2csc", "coo2csr", "coosort", "csc2coo", "csc2csr", "csc2dense", "cscsort", "csr2coo", "csr2csc",
    "csr2csr_compress", "csr2dense", "csrsort", "dense2csc", "dense2csr", "denseToSparse", "sparseToDense",
]


# ---- order


def csrsort(x):
    """Puts the columns of each row in order, in place.

    Args:
        x: A matrix in CSR.

    Returns:
        None.

    Raises:
        TypeError: x is no such matrix.

    >>> a = tombacx.scipy.sparse.csr_matrix((tombac.array([1, 2]), tombac.array([1, 0]), tombac.array([0, 2])))
    >>> tombacx.cusparse.csrsort(a)
    >>> a.data
    array([2, 1])
    """
    check_sparse("csrsort", x, "csr")
    x.sort_indices()


def cscsort(x):
    """Puts the rows of each column in order, in place.

    Args:
        x: A matrix in CSC.

    Returns:
        None.

    Raises:
        TypeError: x is no such matrix.

    >>> a = tombacx.scipy.sparse.csc_matrix((tombac.array([1, 2]), tombac.array([1, 0]), tombac.array([0, 2])))
    >>> tombacx.cusparse.cscsort(a)
    >>> a.data
    array([2, 1])
    """
    check_sparse("cscsort", x, "csc")
    x.sort_indices()


def coosort(x, sort_by="r"):
    """Puts the elements in order, in place; those that are stored twice stay so.

    Args:
        x: A matrix in COO.
        sort_by: 'r' for the order of rows and of columns in each, 'c' for that of columns and of rows in each.

    Returns:
        None.

    Raises:
        TypeError: x is no such matrix.
        ValueError: There is no such order.

    >>> a = tombacx.scipy.sparse.coo_matrix((tombac.array([1, 2]), (tombac.array([1, 0]), tombac.array([0, 1]))))
    >>> tombacx.cusparse.coosort(a)
    >>> a.data
    array([2, 1])
    """
    check_sparse("coosort", x, "coo")
    if sort_by not in ("r", "c"):
        raise ValueError(f"coosort: sort_by must be 'r' or 'c', not {sort_by!r}")
    a = x._lines("csr" if sort_by == "r" else "csc").tocoo()
    x.data, x.row, x.col = a.data, a.row, a.col


# ---- between sparse formats


def coo2csr(x):
    """The matrix in CSR; elements that are stored twice stay so, where ``x.tocsr()`` sums them.

    Args:
        x: A matrix in COO.

    Returns:
        A csr_matrix.

    Raises:
        TypeError: x is no such matrix.

    >>> a = tombacx.scipy.sparse.coo_matrix((tombac.array([1, 2]), (tombac.array([1, 0]), tombac.array([0, 1]))))
    >>> tombacx.cusparse.coo2csr(a).data
    array([2, 1])
    """
    check_sparse("coo2csr", x, "coo")
    return x._lines("csr")


def coo2csc(x):
    """The matrix in CSC; elements that are stored twice stay so, where ``x.tocsc()`` sums them.

    Args:
        x: A matrix in COO.

    Returns:
        A csc_matrix.

    Raises:
        TypeError: x is no such matrix.

    >>> a = tombacx.scipy.sparse.coo_matrix((tombac.array([1, 2]), (tombac.array([0, 1]), tombac.array([1, 0]))))
    >>> tombacx.cusparse.coo2csc(a).data
    array([2, 1])
    """
    check_sparse("coo2csc", x, "coo")
    return x._lines("csc")


def _spread(x, data, indices):
    a = x._of("coo")._made(x.shape, data, *x._swap((x._line_numbers(), indices)))
    a.has_canonical_format = False
    return a


def csr2coo(x, data, indices):
    """The matrix in COO, of arrays that are given.

    Args:
        x: A matrix in CSR, of which the row of each element is taken.
        data: An array of the values: ``x.data``, or others.
        indices: An array of the columns: ``x.indices``, or others.

    Returns:
        A coo_matrix.

    Raises:
        TypeError: x is no such matrix.
        ValueError: There are not as many values or columns as elements.

    >>> a = tombacx.scipy.sparse.csr_matrix(tombac.array([[0, 2], [3, 0]]))
    >>> tombacx.cusparse.csr2coo(a, a.data, a.indices).row
    array([0, 1], dtype=int32)
    """
    check_sparse("csr2coo", x, "csr")
    if not x.data.shape == data.shape == indices.shape:
        raise ValueError(f"csr2coo: {x.nnz} elements, and arrays of shapes {data.shape} and {indices.shape}")
    return _spread(x, data, indices)


def csc2coo(x, data, indices):
    """The matrix in COO, of arrays that are given.

    Args:
        x: A matrix in CSC, of which the column of each element is taken.
        data: An array of the values: ``x.data``, or others.
        indices: An array of the rows: ``x.indices``, or others.

    Returns:
        A coo_matrix.

    Raises:
        TypeError: x is no such matrix.
        ValueError: There are not as many values or rows as elements.

    >>> a = tombacx.scipy.sparse.csc_matrix(tombac.array([[0, 2], [3, 0]]))
    >>> tombacx.cusparse.csc2coo(a, a.data, a.indices).col
    array([0, 1], dtype=int32)
    """
    check_sparse("csc2coo", x, "csc")
    if not x.data.shape == data.shape == indices.shape:
        raise ValueError(f"csc2coo: {x.nnz} elements, and arrays of shapes {data.shape} and {indices.shape}")
    return _spread(x, data, indices)


def csr2csc(x):
    """The matrix in CSC.

    Args:
        x: A matrix in CSR.

    Returns:
        A csc_matrix.

    Raises:
        TypeError: x is no such matrix.

    >>> tombacx.cusparse.csr2csc(tombacx.scipy.sparse.csr_matrix(tombac.array([[0, 2], [3, 0]]))).data
    array([3, 2])
    """
    check_sparse("csr2csc", x, "csr")
    return x.tocsc()


def csc2csr(x):
    """The matrix in CSR.

    Args:
        x: A matrix in CSC.

    Returns:
        A csr_matrix.

    Raises:
        TypeError: x is no such matrix.

    >>> tombacx.cusparse.csc2csr(tombacx.scipy.sparse.csc_matrix(tombac.array([[0, 2], [3, 0]]))).data
    array([2, 3])
    """
    check_sparse("csc2csr", x, "csc")
    return x.tocsr()


def csr2csr_compress(x, tol):
    """The matrix without elements whose absolute values are not above a number.

    Args:
        x: A matrix in CSR.
        tol: The number, not negative.

    Returns:
        A csr_matrix.

    Raises:
        TypeError: x is no such matrix.
        ValueError: tol is negative.

    >>> a = tombacx.scipy.sparse.csr_matrix(tombac.array([[0.5, 2.0], [3.0, 0.0]]))
    >>> tombacx.cusparse.csr2csr_compress(a, 1).data
    array([2., 3.])
    """
    check_sparse("csr2csr_compress", x, "csr")
    if tol < 0:
        raise ValueError(f"csr2csr_compress: tol must not be negative, it is {tol}")
    above = _core.absolute(x.data) > tol
    return x._picked(_core.nonzero(above)[0] if x.nnz else _core.empty((0,), np.int64))


# ---- from and to dense


def sparseToDense(x, out=None):
    """A dense array; of elements that are stored twice the sum.

    Args:
        x: A matrix in CSR, CSC or COO.
        out: An array of its shape and dtype to write to.

    Returns:
        An array in Fortran's order; out if that is given.

    Raises:
        TypeError: x is no such matrix.
        ValueError: out has another shape or dtype.

    >>> tombacx.cusparse.sparseToDense(tombacx.scipy.sparse.eye(2, format="coo"))
    array([[1., 0.],
           [0., 1.]])
    """
    check_sparse("sparseToDense", x)
    return x.toarray("F" if out is None else None, out)


def csr2dense(x, out=None):
    """A dense array; see sparseToDense.

    Args:
        x: A matrix in CSR.
        out: An array of its shape and dtype to write to.

    Returns:
        An array in Fortran's order; out if that is given.

    Raises:
        TypeError: x is no such matrix.
        ValueError: out has another shape or dtype.

    >>> tombacx.cusparse.csr2dense(tombacx.scipy.sparse.eye(2, format="csr"))
    array([[1., 0.],
           [0., 1.]])
    """
    check_sparse("csr2dense", x, "csr")
    return sparseToDense(x, out)


def csc2dense(x, out=None):
    """A dense array; see sparseToDense.

    Args:
        x: A matrix in CSC.
        out: An array of its shape and dtype to write to.

    Returns:
        An array in Fortran's order; out if that is given.

    Raises:
        TypeError: x is no such matrix.
        ValueError: out has another shape or dtype.

    >>> tombacx.cusparse.csc2dense(tombacx.scipy.sparse.eye(2, format="csc"))
    array([[1., 0.],
           [0., 1.]])
    """
    check_sparse("csc2dense", x, "csc")
    return sparseToDense(x, out)


def denseToSparse(x, format="csr"):
    """A sparse matrix of the elements that are not zero.

    Args:
        x: A dense matrix of any order.
        format: 'csr', 'csc' or 'coo'.

    Returns:
        A sparse matrix.

    Raises:
        TypeError: x is no array, or the format is another.
        ValueError: x has not two dimensions.

    >>> tombacx.cusparse.denseToSparse(tombac.array([[0, 2], [3, 0]]), "csc").data
    array([3, 2])
    """
    check_dense("denseToSparse", x, 2)
    if format not in ("csr", "csc", "coo"):
        raise TypeError(f"denseToSparse: format must be 'csr', 'csc' or 'coo', not {format!r}")
    return FAMILY[format, False](x)


def dense2csr(x):
    """A matrix in CSR of the elements that are not zero.

    Args:
        x: A dense matrix of any order.

    Returns:
        A csr_matrix.

    Raises:
        TypeError: x is no array.
        ValueError: x has not two dimensions.

    >>> tombacx.cusparse.dense2csr(tombac.array([[0, 2], [3, 0]])).indices
    array([1, 0], dtype=int32)
    """
    return denseToSparse(x, "csr")


def dense2csc(x):
    """A matrix in CSC of the elements that are not zero.

    Args:
        x: A dense matrix of any order.

    Returns:
        A csc_matrix.

    Raises:
        TypeError: x is no array.
        ValueError: x has not two dimensions.

    >>> tombacx.cusparse.dense2csc(tombac.array([[0, 2], [3, 0]])).data
    array([3, 2])
    """
    return denseToSparse(x, "csc")
