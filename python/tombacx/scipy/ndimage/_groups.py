"""The groups that labels make of an array's elements, and reductions over each: places of a table to which elements are
added, or with which they are compared. On the CPU labels that are few are such places; on a GPU those that are wanted,
where they are near each other: these are read from the device, so that a group's number is a difference of labels,
which is computed where elements are added. Nothing else is read.

Elements are vectors here, since a view of what is pending would have it stored: so values are computed as they are
added.
"""

import functools
import math

from tombac import _core
from tombac._core import where
from tombac._docstrings import with_rows
from tombac._numpy import np
from tombac._order_statistics import median
from tombac._sorting import argsort, sort
from tombac._sorting import searchsorted as _searchsorted
from tombac._util import check_arrays
from tombacx.scipy._host import readable

documented = with_rows(
    input="input: The array that is measured.",
    labels="""labels: The label of each element: an array that broadcasts with ``input``; all elements are of one group
            if None.""",
    index="""index: The labels that are measured: a number, or several, which may be read from the device; if None all
            that are greater than 0, as one group.""",
    value="""An array of ``index``'s shape, without dimensions for one group. Of labels that are nowhere it holds zero,
        or NaN for means and medians.""",
    refusals="""TypeError: ``input`` or ``labels`` is no tombac array.
        ValueError: ``input`` and ``labels`` do not broadcast.""",
)


# The first place of a label among those that are wanted, in order; it is where it would be if they had no gaps, or is
# looked for.
_PLACE = """
const W label = (W)x;
const unsigned long long ahead =
    (unsigned long long)(long long)label - (unsigned long long)(long long)wanted[0];
if (label < wanted[0] || label > wanted[n - 1]) {
    place = (int)n;
} else if (ahead < (unsigned long long)n && wanted[ahead] == label && (ahead == 0 || wanted[ahead - 1] != label)) {
    place = (int)ahead;
} else {
    long long from = 0, to = n;
    while (from < to) {
        const long long middle = (from + to) / 2;
        if (wanted[middle] < label) from = middle + 1;
        else to = middle;
    }
    place = (int)(from < n && wanted[from] == label ? from : n);
}
"""


@functools.cache
def _places():
    return _core.ElementwiseKernel("T x, raw W wanted, int64 n", "int32 place", _PLACE, "tombac_places")


def _numbers(labels, wanted):
    """The place of each label among those in order, or their number where it is none of them."""
    common, n = np.promote_types(labels.dtype, wanted.dtype), wanted.size
    if _core.backend() != "cpu" and common.char in "bBhHiIlLqQfd" and n < 2**31:
        return _places()(labels, wanted.astype(common, copy=False), n)
    place = _core.minimum(_searchsorted(wanted, labels), n - 1)
    return where(wanted[place] == labels, place, n)


_SPARE = 4  # as many places as there are wanted labels


class Groups:
    """Elements and the number of the group of each: ``n`` is that of those which no group has. Where one group is
    wanted and reading is cheap, there are its elements alone, but for ``whole``."""

    def __init__(self, name, input, labels, index, whole=False):
        check_arrays(name, input, *(() if labels is None else (labels,)))
        self.name, self.shape = name, ()
        self._order = self.chosen = None  # which elements are of the one group that is wanted
        self.n = 1
        self.dims = input.shape if labels is None else np.broadcast_shapes(input.shape, labels.shape)
        self.values, self.number = _core.broadcast_to(input, self.dims).ravel(), None
        if labels is None:
            return
        labels = _core.broadcast_to(labels, self.dims).ravel()
        if index is None or np.isscalar(index):
            self.chosen = labels > 0 if index is None else labels == index
            if whole or _core.backend() != "cpu":
                self.number = where(self.chosen, 0, 1)
            else:
                self.values = self.values[self.chosen]
        elif not (self._take_labels(labels, index) if _core.backend() == "cpu" else self._take_range(labels, index)):
            index = _core.asarray(index)
            self.shape, self.n = index.shape, index.size
            wanted = sort(index.ravel())
            self._order = _searchsorted(wanted, index.ravel())
            self.number = _numbers(labels, wanted) if self.n else _core.zeros(labels.shape, int)

    def _take_labels(self, labels, index):
        """On the CPU, where reading is cheap: whether labels are few enough to be the numbers of their groups."""
        index = _core.asarray(index)
        if labels.dtype.kind not in "biu" or index.dtype.kind not in "biuf" or not labels.size:
            return False
        least, most = map(int, _core._extremes(labels).tolist())
        if least < 0 or most > labels.size:
            return False
        index, self.shape, self.n = index.ravel(), index.shape, most + 1
        known = (index >= 0) & (index <= most)
        if index.dtype.kind == "f":
            known &= index == _core.floor(index)
        self._order = where(known, index.astype("l"), self.n)
        self.number = labels.astype("B") if labels.dtype.kind == "b" else labels  # bools would be a mask
        return True

    def _take_range(self, labels, index):
        """On a GPU: whether wanted labels are so near each other that groups are numbered from the least one on."""
        if labels.dtype.char not in "?bBhHiIlq" or not labels.size:
            return False
        wanted = readable(index)
        if wanted is None or wanted.dtype.char not in "bBhHiIlq" or not wanted.size:
            return False
        least, most = int(wanted.min()), int(wanted.max())
        n = most - least + 1
        if n > _SPARE * wanted.size:
            return False
        narrow = labels.dtype.char in "?bBhHi" and -2**31 <= least and most < 2**31  # what wraps around is in no group
        place = labels.astype("i" if narrow else "l", copy=False) - least
        self.shape, self.n = wanted.shape, n
        self.number = where((place >= 0) & (place < n), place, n)
        order = wanted.ravel().astype("l") - least
        self._order = slice(n) if np.array_equal(order, np.arange(n)) else _core.array(order)
        return True

    def filled(self):
        """These groups, of which there are extremes: no array of zero size, nor one group without elements, which is
        read unless the device is not to be waited for."""
        alone = self._order is None and self.number is not None
        found = readable((self.number == 0).any()) if alone and self.values.size else None
        if not self.values.size or (found is not None and not found):
            raise ValueError(f"{self.name}: of no elements there is no least or greatest one")
        return self

    def each(self, table):
        """What of a table, with a row for each group and perhaps one more, belongs to the elements of ``index``."""
        if self._order is not None:
            table = table[self._order]
            return table.reshape(self.shape + table.shape[1:])
        return table[0]

    def of_elements(self, table):
        """The group's row of a table for each element."""
        return table[0] if self.number is None else table[self.number]

    def collected(self, operation, values, start):
        """A table of ``operation`` over the values of each group, beginning with ``start``; of one group alone where
        there are no labels."""
        if self.number is None and values.size:
            return operation.reduce(values, keepdims=True)
        table = _core.full(self.n + 1, start, values.dtype)
        if values.size:
            if operation is _core.add and values.dtype.char == "d" and _core.backend() == "cpu":
                return _core._bincount(self.number, values, self.n + 1)
            operation.at(table, self.number, values)
        return table

    def of_wanted(self):
        """The values, and the numbers of their groups as int64: where reading is cheap of the wanted ones alone."""
        if self.number is None:
            return self.values, 0
        if self._order is None or _core.backend() != "cpu":
            return self.values, self.number.astype(int, copy=False)
        wanted = _core.zeros(self.n + 1, bool)
        wanted[self._order] = True
        wanted[self.n] = False
        kept = wanted[self.number]
        return self.values[kept], self.number[kept].astype(int, copy=False)

    def counts(self):
        if self.number is None:
            return _core.full(2, self.values.size, "d")
        if _core.backend() == "cpu":
            return _core._bincount(self.number, None, self.n + 1)
        table = _core.zeros(self.n + 1)
        _core.add.at(table, self.number, 1.0)
        return table

    def sums(self, values=None):
        values = self.values if values is None else values
        values = values.astype("D" if values.dtype.kind == "c" else "d", copy=False)
        return self.collected(_core.add, values, 0)

    def extremes(self, least):
        """The least or the greatest value of each group; 0 of groups without elements."""
        dtype = self.values.dtype
        if dtype.kind == "b":
            start = least
        elif dtype.kind == "f":
            start = np.inf if least else -np.inf
        elif dtype.kind == "c":
            start = complex(np.inf, np.inf) if least else complex(-np.inf, -np.inf)
        else:
            start = getattr(np.iinfo(dtype), "max" if least else "min")
        table = self.collected(_core.minimum if least else _core.maximum, self.values, start)
        if self.number is None:
            return table
        return where(self.counts() > 0, table, 0).astype(dtype, copy=False)

    def places(self, extremes):
        """Where, in the order of elements, each group first has its extreme; 0 where it is nowhere."""
        size = math.prod(self.dims)
        picked = self.chosen is not None and self.number is None
        index = _core.nonzero(self.chosen)[0] if picked else _core.arange(size)
        table = self.collected(_core.minimum, where(self.values == self.of_elements(extremes), index, size), size)
        return where(table == size, 0, table)

    def medians(self):
        """The median of each group, in float64 for integers."""
        values = self.values
        values = values if values.dtype.kind in "fc" else values.astype("d")
        if not values.size:
            return _core.full(self.n + 1, np.nan, values.dtype)
        if self.number is None and values.dtype.kind == "f":
            return median(values, keepdims=True)
        order = argsort(values, kind="stable")
        counts, begin = self.counts().astype(int), _core.zeros(2, int)
        if self.number is not None:
            order = order[argsort(self.number[order], kind="stable")]
            begin = counts.cumsum() - counts
        low = values[order[_core.minimum(begin + _core.maximum(counts - 1, 0) // 2, values.size - 1)]]
        high = values[order[_core.minimum(begin + counts // 2, values.size - 1)]]
        found = where(counts > 0, (low + high) / 2, np.nan)
        if self.chosen is None or values.dtype.kind != "f":
            return found
        return where((self.chosen & _core.isnan(values)).any(), np.nan, found)  # one group's as of all elements
