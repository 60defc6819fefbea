"""The least and the largest elements of sparse matrices and arrays, and where they are. What is not stored is zero."""

import math

from tombac import _core
from tombac._core import where
from tombac._math import diff
from tombac._numpy import np
from tombacx.scipy.sparse._coords import coord_dtype, coords_at, grouped, numbers_of
from tombacx.scipy.sparse._shapes import as_axes
from tombacx.scipy.sparse._structure import at

__all__ = ["Extremes"]


class Extremes:
    """Reductions that are no sums: of lines that lie together, or of elements that are put in such lines."""

    def _extreme(self, axis, out, f, reduction, explicit):
        if out is not None:
            raise ValueError("Sparse arrays do not support an 'out' parameter.")
        axes = as_axes(axis, self.ndim)
        if 0 in (self._shape if axes is None else [self._shape[i] for i in axes]):
            raise ValueError("zero-size array to reduction operation")
        if axes is None:
            return self._extreme_of_all(f, reduction, explicit)
        a, kept = self._reduced_lines(axes)
        line, values = a._line_extremes(f, explicit)
        found = _core.nonzero(values)[0] if values.size else line
        line, values = at(line, found), at(values, found)
        shape = tuple(self._shape[i] for i in kept)
        coords = coords_at(line, shape, coord_dtype(shape))
        if not self._is_array:
            zeros = _core.zeros(line.shape, coords[0].dtype)
            shape, coords = ((*shape, 1), (*coords, zeros)) if axes == (1,) else ((1, *shape), (zeros, *coords))
        return self._of("coo")._from_parts(values, *coords, shape, has_canonical_format=True)

    def _reduced_lines(self, axes):
        """A matrix whose lines are what a reduction along these axes is of, and the axes that it keeps."""
        kept = [i for i in range(self.ndim) if i not in axes]
        if self.ndim == 2 and len(kept) == 1:
            return (self.tocsr() if axes == (1,) else self.tocsc())._summed(), kept
        return grouped(self.tocoo(), kept, axes).tocsr(), kept

    def _extreme_of_all(self, f, reduction, explicit):
        a = self._distinct()
        zero = self.dtype.type(0)
        if a.data.size == 0:
            return _core.array(zero)
        value = reduction(a.data)
        return value if explicit or a.data.size == math.prod(self._shape) else f(value, zero)

    def _line_extremes(self, f, explicit):
        """The lines that have elements, and the extreme of each."""
        counts = diff(self.indptr)
        line = _core.nonzero(counts)[0]
        if line.size == 0:
            return line, _core.empty((0,), self.dtype)
        values = f.reduceat(self.data, self.indptr[line], dtype=self.dtype)
        if not explicit:
            full = counts[line] == self._swap(self._table)[1]
            values = where(full, values, f(values, self.dtype.type(0)))
        return line, values

    def max(self, axis=None, out=None, *, explicit=False):
        """The largest element, or those along an axis: a sparse matrix, or an array without the axis. NaN if one is.

        Args:
            axis: An axis, several of an array with more than two dimensions, or None for all.
            out: Must be None.
            explicit: Whether only stored elements count.
        """
        return self._extreme(axis, out, _core.maximum, lambda x: x.max(), explicit)

    def min(self, axis=None, out=None, *, explicit=False):
        """The least element; see max."""
        return self._extreme(axis, out, _core.minimum, lambda x: x.min(), explicit)

    def nanmax(self, axis=None, out=None, *, explicit=False):
        """The largest element that is not NaN; see max."""
        return self._extreme(axis, out, _core.fmax, lambda x: _core.fmax.reduce(x), explicit)

    def nanmin(self, axis=None, out=None, *, explicit=False):
        """The least element that is not NaN; see max."""
        return self._extreme(axis, out, _core.fmin, lambda x: _core.fmin.reduce(x), explicit)

    def argmax(self, axis=None, out=None, *, explicit=False):
        """Where the largest element is, counted in C order; or in each line along an axis.

        Args:
            axis: 0, 1, or None for all.
            out: Must be None.
            explicit: Whether only stored elements count; only for matrices that store one in each line.
        """
        return self._place(axis, out, _core.maximum, explicit)

    def argmin(self, axis=None, out=None, *, explicit=False):
        """Where the least element is; see argmax."""
        return self._place(axis, out, _core.minimum, explicit)

    def _place(self, axis, out, f, explicit):
        if out is not None:
            raise ValueError("Sparse arrays do not support an 'out' parameter.")
        axes = as_axes(axis, self.ndim)
        if 0 in (self._shape if axes is None else [self._shape[i] for i in axes]):
            raise ValueError("Cannot apply the operation to an empty matrix.")
        if axes is None:
            return self._place_of_all(f, explicit)
        if len(axes) != 1:
            raise ValueError("the place of an extreme is along one axis, or among all elements")
        a, kept = self._reduced_lines(axes)
        result = a._line_places(f, explicit)
        if self._is_array:
            return result.reshape([self._shape[i] for i in kept])
        return result[:, None] if axes == (1,) else result[None, :]

    def _place_of_all(self, f, explicit):
        """Where the extreme of all elements is, counted in C order: the first of those that are equal."""
        a = self._distinct()
        data = a.data
        if data.size == 0:
            if explicit:
                name = "argmax" if f is _core.maximum else "argmin"
                raise ValueError(f"Cannot apply {name} to zero matrix when explicit=True.")
            return _core.zeros((), np.intp)
        first = int(data.argmax() if f is _core.maximum else data.argmin())
        value = data[first].get()[()]
        is_nan, coords = bool(value != value), a.tocoo()._coords
        parts = value.real, value.imag
        is_beyond = is_nan or (parts > (0, 0) if f is _core.maximum else parts < (0, 0))
        if explicit or is_beyond or data.size == math.prod(self._shape):
            return self._first_of_places(coords, data, first, value)
        gap = _first_gap(coords, self._shape)
        return _core.minimum(self._first_of_places(coords, data, first, value), gap) if value == 0 else gap

    def _first_of_places(self, coords, data, first, value):
        """The least place of those with this value, the first of which has the number `first`."""
        rest = data[first + 1 :]
        same = rest == value if value == value else rest != rest
        if rest.size and int(_core.count_nonzero(same)):
            same = _core.nonzero(data == value if value == value else data != data)[0]
            return numbers_of([x[same] for x in coords], self._shape, same.size).min().astype(np.intp, copy=False)
        place = 0
        for x, n in zip(coords, self._shape):
            place = place * n + int(x[first])
        return _core.full((), place, np.intp)

    def _line_places(self, f, explicit):
        """Where the extreme of each line is: the first of those that are equal, NaN before all."""
        lines, length = self._swap(self._table)
        result = _core.zeros((lines,), np.intp)
        counts = diff(self.indptr)
        line = _core.nonzero(counts)[0]
        if line.size == 0:
            return result
        first = self.indptr[line]
        best = f.reduceat(self.data, first, dtype=self.dtype)
        full = counts[line] == length
        if not explicit:
            best = where(full, best, f(best, self.dtype.type(0)))
        own = _core._sparse_rows(*self._pattern())
        number = _core.zeros((lines,), np.intp)
        number[line] = _core.arange(line.size)
        of_line = best[number[own]]
        same = (self.data == of_line) | (self.data != self.data) & (of_line != of_line)
        index = self.indices.astype(np.intp)
        stored = _core.minimum.reduceat(where(same, index, length), first)
        # The first column that is not stored: the first whose stored successor is further than it should be.
        place = _core.arange(self.data.size) - self.indptr[own]
        gap = _core.minimum.reduceat(where(index != place, place, length), first)
        gap = where(full, length, _core.minimum(gap, counts[line]))
        zero = (best == 0) & ~full & (not explicit)
        result[line] = where(zero, _core.minimum(stored, gap), stored)
        return result


def _first_gap(coords, shape):
    """The least place, counted in C order, where no element is. No two are in one place."""
    count = coords[0].size
    near = _core.nonzero(coords[0] <= count // max(math.prod(shape[1:]), 1))[0]
    numbers = numbers_of([at(x, near) for x in coords], shape, near.size)
    taken = _core.zeros((count + 1,), np.bool_)
    taken[numbers[numbers < count]] = True
    return taken.argmin()
