"""Samples and orders at random; bytes.

Orders of all are numbers by a random bijection, of which each depends on its place alone: nothing is sorted, and of a
sample without replacement no more is computed than it has. Rows with an order each are sorted by random keys.
"""

import operator

import tombac
from tombac import _core
from tombac._numpy import np
from tombac._util import normalize_axis_index
from tombac.random._arguments import count_of, shape_of


_MOST_PLACES = 2**32  # which leave keys of rows as many random bits


def _population(a):
    """What is drawn from: a device array, or n for range(n)."""
    if isinstance(a, _core.ndarray) and a.ndim > 0:
        return a
    if isinstance(a, (tuple, list)) or np.ndim(a) > 0:
        return _core.asarray(a)
    try:
        return operator.index(a.item() if isinstance(a, (_core.ndarray, np.ndarray)) else a)
    except TypeError:
        raise ValueError(f"choice: a must be a sequence or an integer, not {type(a)}") from None


def _probabilities(p, n):
    """p as an array of float64, which has been read: they are probabilities, one for each of n."""
    p = p if isinstance(p, _core.ndarray) else _core.asarray(p, dtype=np.float64)
    if p.ndim != 1:
        raise ValueError(f"choice: p must have one dimension, it has shape {p.shape}")
    if p.size != n:
        raise ValueError(f"choice: a and p must have same size, p has {p.size} elements, a {n}")
    p = p.astype(np.float64, copy=False)
    total = float(_core.where(p < 0, -np.inf, p).sum())  # one kernel, one wait
    if total != total:
        raise ValueError("choice: probabilities contain NaN")
    if total < 0:
        raise ValueError("choice: probabilities are not non-negative")
    if abs(total - 1) > 1.5e-8:
        raise ValueError(f"choice: probabilities do not sum to 1, but to {total}")
    return p


class Selections:
    """Draws from given elements; needs ``self._rng``."""

    def _order(self, n, count=None):
        """range(n) in a random order, or the first ``count`` of it."""
        if n < 0:
            raise ValueError(f"permutation: n must not be negative, it is {n}")
        return self._rng.draw("order", np.int64, n if count is None else count, n)

    def _with_replacement(self, n, size, p):
        if p is None:
            return self._rng.draw("integers", np.int64, size, 0, n - 1)
        edges = _core.cumsum(p)
        # Less than the last edge, as a uniform number is less than 1 by more than half of what rounding may add.
        u = self._rng.draw("uniform", np.float64, size, 0.0, 1.0) * edges[-1]
        return tombac.searchsorted(edges, u, side="right")

    def _without_replacement(self, n, size, p):
        count = count_of(size)
        if count > n:
            raise ValueError("choice: cannot take a larger sample than population when replace is False")
        if p is None:
            index = self._order(n, count)
        else:
            if int((p > 0).sum()) < count:
                raise ValueError("choice: fewer non-zero entries in p than size")
            # The least of exponential numbers over weights are a sample in order (Efraimidis and Spirakis, 2006).
            index = (self._rng.draw("exponential", np.float64, n, 1.0) / p).argsort()[:count]
        return index.reshape(() if size is None else shape_of(size))

    def _choice(self, a, size, replace, p, axis=0):
        """A sample from a or from range(a)."""
        population = _population(a)
        whole = isinstance(population, int)
        n = population if whole else population.shape[normalize_axis_index(axis, population.ndim)]
        if n <= 0 and (n < 0 or count_of(size) > 0):
            raise ValueError("choice: a must be a positive integer, or not empty, unless no samples are taken")
        if p is not None:
            p = _probabilities(p, n)
        if count_of(size) == 0:
            index = _core.zeros(shape_of(size), np.int64)
        else:
            index = (self._with_replacement if replace else self._without_replacement)(n, size, p)
        return index if whole else _core.take(population, index, axis)

    def _permutation(self, x, axis):
        if np.ndim(x) == 0:
            return self._order(operator.index(x.item() if isinstance(x, (_core.ndarray, np.ndarray)) else x))
        x = _core.asarray(x)
        return _core.take(x, self._order(x.shape[normalize_axis_index(axis, x.ndim)]), axis)

    def _shuffle(self, x, axis):
        if not isinstance(x, _core.ndarray):
            raise TypeError(f"shuffle: a tombac.ndarray is expected, not {type(x)}")
        if x.ndim == 0:
            raise TypeError("shuffle: an array of no dimension has no order")
        if x.size:
            x[...] = self._permutation(x, axis)

    def _permuted_rows(self, x, axis):
        """``x``, each row along ``axis`` in the order of its random keys."""
        keys = self._rng.draw("bits", np.uint64, x.shape)
        if x.size > _MOST_PLACES:
            return tombac.take_along_axis(x, keys.argsort(axis, kind="stable"), axis)
        # In a key's lower bits is its place, so that keys alone are moved.
        places = np.uint64((1 << (x.size - 1).bit_length()) - 1 if x.size else 0)
        keys = keys & ~places | _core.arange(x.size, dtype=np.uint64).reshape(x.shape)
        keys.sort(axis)
        return x.ravel()[(keys & places).view(np.int64)]

    def bytes(self, length):
        """Random bytes, on the host.

        Args:
            length: How many.

        Returns:
            A bytes object.

        Raises:
            TypeError: ``length`` is no int.
            ValueError: ``length`` is negative.

        >>> len(tombac.random.bytes(5))
        5
        """
        length = operator.index(length)
        if length < 0:
            raise ValueError(f"bytes: length must not be negative, it is {length}")
        return self._rng.draw("bits", np.uint64, (length + 7) // 8).tobytes()[:length]
