"""Matrices in the CSR format: rows lie together."""

from tombac import _core
from tombac._numpy import np
from tombacx.scipy.sparse._base import sparray, spmatrix
from tombacx.scipy.sparse._array_keys import ArrayKeys
from tombacx.scipy.sparse._compressed import Compressed, register

__all__ = ["csr_array", "csr_matrix", "isspmatrix_csr"]


class CSR(Compressed):
    """What csr_matrix and csr_array have in common."""

    format = "csr"

    @staticmethod
    def _swap(x):
        return x

    _names = ("row", "column")

    def tocsr(self, copy=False):
        """This, or a copy."""
        return self.copy() if copy else self._usable()

    def tocsc(self, copy=False):
        """The same in the CSC format; only of two dimensions."""
        if self.ndim == 1:
            raise ValueError("Cannot convert. CSC format must be 2D. Got 1D")
        return self._turned("csc")

    def _vectors(self):
        """Each row as an array of one dimension."""
        data, indices, indptr, found = self._same()._parts
        begin = indptr.get()
        for first, end in zip(begin.tolist(), begin[1:].tolist()):
            indptr = _core.array(np.array([0, end - first], begin.dtype))
            a = self._with(data[first:end].copy(), indices[first:end].copy(), indptr, self._shape[1:])
            a._found = found
            yield a

    def _row(self, i):
        return self._lines_between(self._index_of(i, 0), 1)

    def _col(self, j):
        return self[:, self._index_of(j, 1) : self._index_of(j, 1) + 1]


@register
class csr_matrix(spmatrix, CSR):
    """A sparse matrix whose rows lie together.

    Args:
        arg1: A dense array of one or two dimensions; a sparse matrix, of SciPy's too; a shape; ``(data, (row, col))``;
            or ``(data, indices, indptr)``, where the columns and elements of row i are
            ``indices[indptr[i]:indptr[i + 1]]`` and ``data[indptr[i]:indptr[i + 1]]``.
        shape: The matrix's, if arg1 does not say it.
        dtype: Of the elements; any of numbers or truth values, where CuPy has no integers and no float16.
        copy: Whether arrays that are given are copied. By default those on the device are not; False shares the memory
            of NumPy's and SciPy's, too, where the device is the host (see ``get``).

    Raises:
        ValueError: Parts do not fit together. Indices outside of the shape are found when they are first used.
        TypeError: arg1 is nothing to make a matrix of.

    >>> tombacx.scipy.sparse.csr_matrix(tombac.array([[0, 2], [3, 0]])).indices
    array([1, 0], dtype=int32)
    """

    def __init__(self, *args, maxprint=50, **kwargs):
        CSR.__init__(self, *args, maxprint=maxprint, **kwargs)


@register
class csr_array(sparray, ArrayKeys, CSR):
    """The same as an array of one or two dimensions, whose ``*`` is elementwise; see csr_matrix.

    Args:
        arg1: As csr_matrix has it; a vector, a shape of one number or ``(data, (indices,))`` make an array of one
            dimension, in which ``indptr`` is that of one row.
        shape: The array's, if arg1 does not say it. What has one dimension may become a row of two.
        dtype: Of the elements.
        copy: Whether arrays that are given are copied. By default those on the device are not; False shares the memory
            of NumPy's and SciPy's, too, where the device is the host (see ``get``).

    Raises:
        ValueError: Parts do not fit together. Indices outside of the shape are found when they are first used.
        TypeError: arg1 is nothing to make an array of.

    >>> a = tombacx.scipy.sparse.csr_array(tombac.array([0, 2, 0, 3]))
    >>> a[1:].toarray(), a @ tombac.arange(4)
    (array([2, 0, 3]), array(11))
    """

    _allow_nd = (1, 2)

    def __init__(self, arg1, shape=None, dtype=None, copy=None, *, maxprint=None):
        CSR.__init__(self, arg1, shape, dtype, copy, maxprint=maxprint)


def isspmatrix_csr(x):
    """Whether x is a csr_matrix.

    Args:
        x: Anything.

    Returns:
        A bool.

    >>> tombacx.scipy.sparse.isspmatrix_csr(tombacx.scipy.sparse.eye(2, format="csr"))
    True
    """
    return isinstance(x, csr_matrix)
