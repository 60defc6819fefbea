"""Parts of sparse matrices."""

from tombac import _core
from tombacx.scipy.sparse import _host
from tombacx.scipy.sparse._base import FAMILY, SparseBase
from tombacx.scipy.sparse._structure import at

__all__ = ["find", "tril", "triu"]


def as_coo(A, name):
    """A in the COO format: sparse, or anything of which a sparse matrix can be made."""
    if isinstance(A, SparseBase):
        return A.tocoo()
    if _host.is_sparse(A):
        return FAMILY["coo", hasattr(A, "mT") and not hasattr(A, "getH")](A)
    return FAMILY["coo", False](A)


def find(A):
    """The rows, the columns and the values of elements that are not zero.

    Args:
        A: A sparse matrix, or a dense array.

    Returns:
        A tuple of three vectors; elements that are stored twice are summed.

    Raises:
        TypeError: A is nothing to make a matrix of.

    >>> tombacx.scipy.sparse.find(tombacx.scipy.sparse.csr_matrix(tombac.array([[0, 2], [3, 0]])))
    (array([0, 1], dtype=int32), array([1, 0], dtype=int32), array([2, 3]))
    """
    a = as_coo(A, "find")
    parts = a if a.has_canonical_format else a._canonical().tocoo()
    found = parts.row, parts.col, parts.data
    if int(_core.count_nonzero(parts.data)) < parts.data.size:
        kept = _core.nonzero(parts.data)[0]
        return tuple(at(x, kept) for x in found)
    return tuple(x.copy() for x in found) if parts is a else found


def _part(A, inside, format):
    a = as_coo(A, "tril")
    a._two("a triangle")
    kept = _core.nonzero(inside(a.col.astype("l") - a.row))[0]
    result = a._made(a._shape, at(a.data, kept), at(a.row, kept), at(a.col, kept))
    return result.asformat(format)


def tril(A, k=0, format=None):
    """The elements on and below a diagonal.

    Args:
        A: A sparse matrix, or a dense array.
        k: The diagonal; 0 is the main one, and those above it are positive.
        format: Of the result; COO by default.

    Returns:
        A sparse matrix of A's shape.

    Raises:
        ValueError: There is no such format.

    >>> tombacx.scipy.sparse.tril(tombac.ones((2, 2))).toarray()
    array([[1., 0.],
           [1., 1.]])
    """
    return _part(A, lambda d: d <= k, format)


def triu(A, k=0, format=None):
    """The elements on and above a diagonal; see tril.

    Args:
        A: A sparse matrix, or a dense array.
        k: The diagonal.
        format: Of the result; COO by default.

    Returns:
        A sparse matrix of A's shape.

    Raises:
        ValueError: There is no such format.

    >>> tombacx.scipy.sparse.triu(tombac.ones((2, 2)), 1).toarray()
    array([[0., 1.],
           [0., 0.]])
    """
    return _part(A, lambda d: d >= k, format)
