"""Norms of sparse matrices, of their elements on the device."""

from tombac import _core
from tombac._numpy import np
from tombacx._scatter import scatter_add
from tombacx.scipy.sparse import issparse

__all__ = ["norm"]


class _Elements:
    """Rows, columns and magnitudes of what a matrix stores, each place once."""

    def __init__(self, x):
        self.matrix, self.shape = x.tocsr()._canonical(), x.shape
        data = self.matrix.data
        self.data = data if data.dtype.kind == "b" else abs(data)
        wide = {"b": np.int64, "i": np.int64, "u": np.uint64}.get(data.dtype.kind)  # of sums, as in NumPy
        self.wide = self.data if wide is None else self.data.astype(wide)

    def squares(self):
        return _squares(self.data)

    def sums(self, axis, values=None):
        values = self.wide if values is None else values
        out = _core.zeros(self.shape[1 - axis], values.dtype)
        scatter_add(out, self.matrix.indices if axis == 0 else self.matrix.tocoo().row, values)
        return out

    def extremes(self, axis, f):
        """The largest or least of each line, where what is not stored is zero."""
        if self.shape[axis] == 0:
            raise ValueError("norm: zero-size array to reduction operation, which has no identity")
        out = _core.zeros((self.shape[1 - axis],), self.data.dtype)
        a = self.matrix._mapped(lambda _: self.data)
        line, values = (a if axis == 1 else a.tocsc())._line_extremes(f, False)
        if line.size:
            out[line] = values
        return out

    def powers(self, axis, p):
        """Sums of magnitudes to a power; as in SciPy, what is not stored counts for negative powers as little as for
        others."""
        return self.sums(axis, self.wide.astype(np.result_type(self.wide.dtype, "f")) ** p)


def _squares(data):
    """Of integers as float64, which holds those of all."""
    return (data.astype(np.float64) if data.dtype.kind in "biu" else data) ** 2


def _axes(axis, ndim):
    """The axes as numbers from 0 on."""
    axes = axis if isinstance(axis, tuple) else (int(axis),)
    if len(axes) > 2 or not axes:
        raise ValueError(f"norm: improper number of dimensions to norm: axis={axis}")
    if not all(-ndim <= int(a) < ndim for a in axes):
        raise ValueError(f"norm: invalid axis {axis} for a matrix")
    axes = tuple(int(a) % ndim for a in axes)
    if len(set(axes)) < len(axes):
        raise ValueError("norm: duplicate axes given")
    return axes


def _frobenius(x):
    """The root of the sum of all squares: as one product where elements are floating-point numbers. Of diagonals all
    that is stored counts, outside of the matrix too, as in SciPy.
    """
    data = (x.data if x.format == "dia" else x._values()).reshape(-1)
    if data.dtype.kind == "f" and data.dtype.itemsize > 2:
        return _core.sqrt(_core.dot(data, data))
    return _core.sqrt(_squares(abs(data) if data.dtype.kind == "c" else data).sum())


def _matrix_norm(x, ord, axes):
    rows, columns = axes
    if ord in (None, "fro", "f"):
        return _frobenius(x)
    elements = _Elements(x)
    if ord == 2:
        from tombacx.scipy.sparse.linalg._svds import svds

        if min(x.shape) < 2:
            return _core.sqrt(elements.squares().sum())
        return svds(x, k=1, return_singular_vectors=False)[0]
    if ord == -2:
        raise NotImplementedError("norm: the smallest singular value of a sparse matrix is not computed")
    if isinstance(ord, str) or ord not in (1, -1, np.inf, -np.inf):
        raise ValueError(f"norm: invalid norm order {ord!r} for matrices")
    sums = elements.sums(rows if abs(ord) == 1 else columns)
    return sums.max() if ord > 0 else sums.min()


def _vector_norm(elements, ord, axis):
    if ord in (None, 2):
        return _core.sqrt(elements.sums(axis, elements.squares()))
    if isinstance(ord, str) or not isinstance(ord, (int, float, np.number)):
        raise ValueError(f"norm: invalid norm order {ord!r} for vectors")
    if ord == np.inf:
        return elements.extremes(axis, _core.maximum)
    if ord == -np.inf:
        return elements.extremes(axis, _core.minimum)
    if ord == 0:
        return elements.sums(axis, (elements.data != 0).astype(np.int64))
    if ord == 1:
        return elements.sums(axis)
    return elements.powers(axis, ord) ** (1 / ord)


def _array_norm(x, ord, axis):
    """The norm of an array that is no matrix: of a vector any, of others that of all elements."""
    if x.ndim == 1:
        from tombac import linalg

        return linalg.norm(x.toarray(), ord, axis)
    if ord is not None or axis is not None:
        raise ValueError(f"norm: of an array of {x.ndim} dimensions there is one norm, that of all elements")
    return _core.sqrt(_squares(abs(x._canonical().data)).sum())


def norm(x, ord=None, axis=None):
    """The norm of a sparse matrix, or those of its rows or columns.

    Args:
        x: A sparse matrix or array. Of one with more than two dimensions there is the norm of all elements.
        ord: Of a matrix None or 'fro', 1, -1, inf, -inf or 2; of vectors any number, 0 counts what is not zero.
        axis: None or two axes for a matrix norm; one axis for the norms of vectors along it.

    Returns:
        An array without dimensions, or of one.

    Raises:
        ValueError: There is no such norm or axis.
        NotImplementedError: The smallest singular value is asked for.
        TypeError: ``x`` is no sparse matrix.

    >>> x = tombacx.scipy.sparse.csr_matrix(tombac.array([[3.0, 0.0], [4.0, 1.0]]))
    >>> tombacx.scipy.sparse.linalg.norm(x, 1), tombacx.scipy.sparse.linalg.norm(x, axis=0)
    (array(7.), array([5., 1.]))
    """
    if not issparse(x):
        raise TypeError(f"norm: input is not sparse, but {type(x)}; tombac.linalg.norm is for arrays")
    if x.ndim != 2:
        return _array_norm(x, ord, axis)
    axes = (0, 1) if axis is None else _axes(axis, 2)
    if len(axes) == 2:
        return _matrix_norm(x if axis is None else x.tocsr(), ord, axes)
    return _vector_norm(_Elements(x), ord, axes[0])
