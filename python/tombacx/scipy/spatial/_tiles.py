"""Neighbours by comparing all pairs, block by block: what a GPU is faster at than at walking through a tree."""

import math

import tombac
from tombac._core import where

__all__ = ["Tiles"]

_BLOCK = 1 << 24  # pairs whose distances are in memory at a time


class Tiles:
    """Points among which neighbours are looked for; ``boxsize`` is None or a vector, in which 0 is no period."""

    def __init__(self, data, boxsize=None):
        self.data = data
        self.boxsize = boxsize

    def _blocks(self, x):
        step = max(1, _BLOCK // max(1, len(self.data)))
        return [(i, x[i:i + step]) for i in range(0, len(x), step)]

    def between(self, x, y, p):
        """Minkowski's distances of points along the last axis, with periods."""
        apart = abs(x - y)
        if self.boxsize is not None:
            period = where(self.boxsize > 0, self.boxsize, 1.0)
            within = apart - tombac.floor(apart / period) * period
            apart = where(self.boxsize > 0, tombac.minimum(within, period - within), apart)
        if math.isinf(p):
            return apart.max(axis=-1)
        if p == 1:
            return apart.sum(axis=-1)
        return tombac.sqrt(tombac.square(apart).sum(axis=-1)) if p == 2 else (apart**p).sum(axis=-1) ** (1 / p)

    def distances(self, x, p):
        """Those of all pairs."""
        return self.between(x[:, None, :], self.data[None, :, :], p)

    def nearest(self, x, k, p, bound):
        """Distances and numbers of the k nearest points; infinity and the number of points where there are less."""
        n = len(self.data)
        found = [self._nearest(block, min(k, n), p) for _, block in self._blocks(x)]
        if len(found) > 0 and n > 0:
            d, i = (tombac.concatenate(parts) for parts in zip(*found, strict=True))
        else:
            d, i = tombac.zeros((len(x), min(k, n))), tombac.zeros((len(x), min(k, n)), "l")
        if k > n:
            d = tombac.concatenate([d, tombac.full((len(x), k - n), math.inf)], axis=1)
            i = tombac.concatenate([i, tombac.full((len(x), k - n), n, "l")], axis=1)
        if bound < math.inf:
            d, i = where(d < bound, d, math.inf), where(d < bound, i, n)
        return d, i

    def _nearest(self, x, k, p):
        if k == 0:
            return None
        d = self.distances(x, p)
        if k == 1:
            i = d.argmin(axis=1)[:, None]
        else:
            i = tombac.argpartition(d, k - 1, axis=1)[:, :k] if k < d.shape[1] else tombac.argsort(d, axis=1)
        d = tombac.take_along_axis(d, i, 1)
        order = tombac.argsort(d, axis=1)
        return tombac.take_along_axis(d, order, 1), tombac.take_along_axis(i, order, 1).astype("l")

    def within(self, x, r, p):
        """All pairs no further apart than ``r``, a vector: how many each of x has, and the numbers of those."""
        counts, columns = [tombac.zeros(0, "l")], [tombac.zeros(0, "l")]
        for i, block in self._blocks(x):
            near = self.distances(block, p) <= r[i:i + len(block), None]
            counts.append(near.sum(axis=1))
            columns.append(tombac.nonzero(near)[1])
        return tombac.concatenate(counts), tombac.concatenate(columns)

    def count(self, x, r, p):
        """How many points are no further from each of x than ``r``, a vector."""
        parts = [(self.distances(block, p) <= r[i:i + len(block), None]).sum(axis=1) for i, block in self._blocks(x)]
        return tombac.concatenate([tombac.zeros(0, "l"), *parts])

    def weigh(self, x, radii, p, own, others):
        """For each radius the sum of products of the weights of all pairs no further apart; None is a weight of 1."""
        totals = tombac.zeros(radii.size, "l" if own is None and others is None else "d")
        for i, block in self._blocks(x):
            d = self.distances(block, p)
            weights = 1 if others is None else others[i:i + len(block), None]
            weights = weights if own is None else weights * own
            totals = totals + tombac.stack([where(d <= radius, weights, 0).sum() for radius in radii])
        return totals
