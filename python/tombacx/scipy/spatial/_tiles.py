"""Distances of all pairs of points, block by block."""

import math

import tombac
from tombac._core import where

__all__ = ["Tiles"]

_BLOCK = 1 << 24  # pairs whose distances are in memory at a time


class Tiles:
    """Points; ``boxsize`` is None or a vector, in which 0 is no period."""

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

    def weigh(self, x, radii, p, own, others):
        """For each radius the sum of products of the weights of all pairs no further apart; None is a weight of 1."""
        totals = tombac.zeros(radii.size, "l" if own is None and others is None else "d")
        for i, block in self._blocks(x):
            d = self.distances(block, p)
            weights = 1 if others is None else others[i:i + len(block), None]
            weights = weights if own is None else weights * own
            totals = totals + tombac.stack([where(d <= radius, weights, 0).sum() for radius in radii])
        return totals
