"""Matrices in the CSC format: columns lie together."""

from tombacx.scipy.sparse._base import sparray, spmatrix
from tombacx.scipy.sparse._array_keys import ArrayKeys
from tombacx.scipy.sparse._compressed import Compressed, register

__all__ = ["csc_array", "csc_matrix", "isspmatrix_csc"]


class CSC(Compressed):
    """What csc_matrix and csc_array have in common."""

    format = "csc"

    @staticmethod
    def _swap(x):
        return x[1], x[0]

    _names = ("column", "row")

    def tocsc(self, copy=None):
        """This, or a copy."""
        return self.copy() if copy else self._usable()

    def tocsr(self, copy=False):
        """The same in the CSR format."""
        return self._turned("csr")

    def _row(self, i):
        return self[self._index_of(i, 0) : self._index_of(i, 0) + 1, :]

    def _col(self, j):
        return self._lines_between(self._index_of(j, 1), 1)


@register
class csc_matrix(spmatrix, CSC):
    """A sparse matrix whose columns lie together.

    Args:
        arg1: As csr_matrix has it, but for ``(data, indices, indptr)``, where the rows and elements of column i are
            ``indices[indptr[i]:indptr[i + 1]]`` and ``data[indptr[i]:indptr[i + 1]]``.
        shape: The matrix's, if arg1 does not say it.
        dtype: Of the elements.
        copy: Whether arrays that are given are copied. By default those on the device are not; False shares the memory
            of NumPy's and SciPy's, too, where the device is the host (see ``get``).

    Raises:
        ValueError: Parts do not fit together. Indices outside of the shape are found when they are first used.
        TypeError: arg1 is nothing to make a matrix of.

    >>> tombacx.scipy.sparse.csc_matrix(tombac.array([[0, 2], [3, 0]])).data
    array([3, 2])
    """

    def __init__(self, *args, maxprint=50, **kwargs):
        CSC.__init__(self, *args, maxprint=maxprint, **kwargs)


@register
class csc_array(sparray, ArrayKeys, CSC):
    """The same as an array, whose ``*`` is elementwise; see csc_matrix."""

    def __init__(self, arg1, shape=None, dtype=None, copy=None, *, maxprint=None):
        CSC.__init__(self, arg1, shape, dtype, copy, maxprint=maxprint)


def isspmatrix_csc(x):
    """Whether x is a csc_matrix.

    Args:
        x: Anything.

    Returns:
        A bool.

    >>> tombacx.scipy.sparse.isspmatrix_csc(tombacx.scipy.sparse.eye(2, format="csr"))
    False
    """
    return isinstance(x, csc_matrix)
