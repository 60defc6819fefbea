"""Coordinates: meshgrid, mgrid, ogrid, indices, ix_, and the index tricks r_ and c_."""

import math

from tombac import _core
from tombac._core import arange, broadcast_to, concatenate, result_type, stack
from tombac._numpy import np
from tombac._util import as_device

__all__ = ["c_", "indices", "ix_", "meshgrid", "mgrid", "ogrid", "r_"]

_WEAK = (bool, int, float, complex)  # numbers that leave the dtype to arrays


def meshgrid(*xi, indexing="xy", sparse=False, copy=True):
    """Coordinate matrices from coordinate vectors, as a tuple.

    Args:
        xi: One-dimensional arrays.
        indexing: 'xy' exchanges the first two axes of the result, 'ij' does not.
        sparse: Give arrays that broadcast to the grid.
        copy: Give arrays of their own rather than views.

    Returns:
        A tuple of arrays, one for each argument: with n axes, or with one that is longer than 1 if ``sparse``.

    Raises:
        ValueError: ``indexing`` is neither 'xy' nor 'ij'.
        TypeError: An argument is neither a tombac array nor a number.

    >>> tombac.meshgrid(tombac.arange(3), tombac.arange(2))
    (array([[0, 1, 2],
           [0, 1, 2]]), array([[0, 0, 0],
           [1, 1, 1]]))
    """
    if indexing not in ("xy", "ij"):
        raise ValueError("meshgrid: indexing must be 'xy' or 'ij'")
    n = len(xi)
    out = [as_device("meshgrid", x).reshape((1,) * i + (-1,) + (1,) * (n - 1 - i)) for i, x in enumerate(xi)]
    if indexing == "xy" and n > 1:
        out[:2] = [a.swapaxes(0, 1) for a in out[:2]]
    if not sparse:
        shape = np.broadcast_shapes(*(a.shape for a in out)) if out else ()
        out = [broadcast_to(a, shape) for a in out]
    return tuple([a.copy(order="C") for a in out] if copy else out)


def indices(dimensions, dtype=int, sparse=False):
    """The coordinates of every point of a grid: shape (len(dimensions),) + dimensions, or a tuple of open grids.

    Args:
        dimensions: A sequence of ints.
        dtype: The dtype of the coordinates.
        sparse: Whether to give open grids: an array for each axis, that broadcast together.

    Returns:
        An array, or a tuple of arrays if ``sparse``.

    Raises:
        ValueError: A length is negative.

    >>> tombac.indices((2, 2), sparse=True)
    (array([[0],
           [1]]), array([[0, 1]]))
    """
    dimensions = tuple(dimensions)
    n = len(dimensions)
    axes = [arange(d, dtype=dtype).reshape((1,) * i + (-1,) + (1,) * (n - 1 - i)) for i, d in enumerate(dimensions)]
    if sparse:
        return tuple(axes)
    result = _core.empty((n,) + dimensions, dtype)
    for i, a in enumerate(axes):
        result[i] = a
    return result


def ix_(*args):
    """Open grids for indexing with the product of one-dimensional index arrays.

    Args:
        args: Arrays of one dimension, or sequences: integers, or masks, which stand for the indices they choose.

    Returns:
        A tuple of arrays that broadcast together.

    Raises:
        ValueError: An argument does not have one dimension.

    >>> x = tombac.arange(9).reshape(3, 3)
    >>> x[tombac.ix_([0, 2], [0, 2])]
    array([[0, 2],
           [6, 8]])
    """
    n = len(args)
    out = []
    for i, a in enumerate(args):
        a = a if isinstance(a, _core.ndarray) else _core.asarray(a)
        if a.ndim != 1:
            raise ValueError("ix_: the arguments must be one-dimensional")
        if a.dtype == bool:
            (a,) = a.nonzero()
        out.append(a.reshape((1,) * i + (-1,) + (1,) * (n - 1 - i)))
    return tuple(out)


def _range(key):
    """One slice of mgrid as a vector: a complex step is a number of points, the end included."""
    start, step = key.start or 0, 1 if key.step is None else key.step
    if isinstance(step, complex):
        from tombac._core import linspace

        return linspace(start, key.stop, int(abs(step)))
    n = max(0, math.ceil((key.stop - start) / step))
    if any(isinstance(v, float) for v in (start, step, key.stop)):
        return arange(n, dtype=float) * step + start
    return arange(start, start + n * step, step)


class _Grid:
    """``mgrid`` and ``ogrid``: grids by slices. >>> tombac.mgrid[0:2, 0:3].shape gives (2, 2, 3)."""

    def __init__(self, sparse):
        self.sparse = sparse

    def __getitem__(self, key):
        if isinstance(key, slice):
            return _range(key)
        vectors = [_range(k) for k in key]
        t = result_type(*(v.dtype for v in vectors))
        n = len(vectors)
        axes = [v.astype(t).reshape((1,) * i + (-1,) + (1,) * (n - 1 - i)) for i, v in enumerate(vectors)]
        if self.sparse:
            return tuple(axes)
        shape = tuple(v.shape[0] for v in vectors)
        return stack([broadcast_to(a, shape) for a in axes])


mgrid = _Grid(sparse=False)
ogrid = _Grid(sparse=True)


class _Join:
    """``r_`` and ``c_``: arrays, lists, numbers and ranges joined by indexing. Python's numbers take what dtype the
    rest has, as in operations. >>> tombac.r_[1, 2, tombac.ones(2)]

    A string in front says how, as in NumPy: 'axis', 'axis,ndim' or 'axis,ndim,first', for the axis to join along, the
    least number of dimensions, and where an array's own axes begin if it has fewer (-1: they are the last).

    >>> tombac.r_["0,2", [1, 2], [3, 4]]
    array([[1, 2],
           [3, 4]])
    """

    def __init__(self, axis, ndim, first):
        self.axis, self.ndim, self.first = axis, ndim, first

    def _directive(self, text):
        """(axis, ndim, first) of a string."""
        if text in ("r", "c"):
            raise NotImplementedError("r_ and c_ make no matrices; use '0,2' or '1,2,0'")
        words = text.split(",")
        try:
            numbers = [int(word) for word in words]
        except ValueError:
            raise ValueError(f"unknown directive {text!r}") from None
        if len(numbers) > 3:
            raise ValueError(f"unknown directive {text!r}")
        return tuple(numbers) + (self.axis, self.ndim, self.first)[len(numbers):]

    @staticmethod
    def _placed(item, ndim, first):
        """``item`` with axes of length one, so that it has ``ndim`` of them."""
        more = ndim - item.ndim
        if more <= 0:
            return item
        first = first if first >= 0 else more + 1 + first
        if not 0 <= first <= more:
            raise ValueError(f"the axes of an array of {item.ndim} dimensions cannot begin there in {ndim}")
        return item.reshape((1,) * first + item.shape + (1,) * (more - first))

    def __getitem__(self, key):
        axis, ndim, first = self.axis, self.ndim, self.first
        parts = []
        for i, item in enumerate(key if isinstance(key, tuple) else (key,)):
            if isinstance(item, str):
                if i:
                    raise ValueError("special directives must be the first entry")
                axis, ndim, first = self._directive(item)
                continue
            item = _range(item) if isinstance(item, slice) else item
            parts.append(item if type(item) in _WEAK or isinstance(item, _core.ndarray) else _core.asarray(item))
        t = result_type(*parts) if parts else None
        return concatenate([self._placed(_core.asarray(p, t), ndim, -1) if type(p) in _WEAK else
                            self._placed(p, ndim, first) for p in parts], axis)

    def __len__(self):
        return 0


r_ = _Join(0, 1, -1)
c_ = _Join(-1, 2, 0)
