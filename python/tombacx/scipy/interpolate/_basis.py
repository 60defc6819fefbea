"""B-splines' basis at points: the k + 1 functions of degree k that are not 0 there, and their derivatives.

The recurrence of Cox and de Boor (de Boor, A Practical Guide to Splines, chapter X; The NURBS Book, A2.2), in which
what is divided by a difference of 0 counts for 0. Each function is an expression over the knots, gathered.
"""

import math

import tombac

__all__ = ["Basis", "tensor_sum"]


class Basis:
    """The basis over the knots ``t`` at points: ``functions[j]`` belongs to the coefficient ``first + j``."""

    def __init__(self, t, k, points, nu=0, interval=None):
        self.k = k
        if interval is None:
            interval = tombac.clip(tombac.searchsorted(t, points, "right") - 1, k, t.size - k - 2)
        self.interval = interval
        self.first = self.interval - k
        self._t, self._knots = t, {}
        self.functions = self._values(points, nu) if nu <= k else [tombac.zeros(points.size)] * (k + 1)

    def _knot(self, offset):
        if offset not in self._knots:
            self._knots[offset] = self._t[self.interval + offset]
        return self._knots[offset]

    def _by_span(self, value, first, last):
        """A value by the distance of two knots."""
        span = self._knot(last) - self._knot(first)
        return tombac.where(span == 0, 0.0, value / span)

    def _values(self, points, nu):
        values = [tombac.where(tombac.isnan(points), points, 1.0)]
        for degree in range(1, self.k - nu + 1):
            raised, carried = [], 0
            for j, value in enumerate(values):
                left, right = self._knot(1 + j - degree), self._knot(1 + j)
                share = self._by_span(value, 1 + j - degree, 1 + j)
                raised.append(carried + (right - points) * share)
                carried = (points - left) * share
            values = [*raised, carried]
        for degree in range(self.k - nu + 1, self.k + 1):
            slopes = [self._by_span(degree * value, 1 + j - degree, 1 + j) for j, value in enumerate(values)]
            values = [-slopes[0], *(a - b for a, b in zip(slopes, slopes[1:], strict=False)), slopes[-1]]
        return values


def tensor_sum(bases, c):
    """The sum of coefficients, an array with an axis for each of ``bases`` and others, by the products of functions."""
    dims, trailing = len(bases), c.shape[len(bases):]
    single = math.prod(trailing) == 1
    flat = c.reshape((-1,) if single else (-1, math.prod(trailing)))
    steps = [math.prod(c.shape[d + 1:dims]) for d in range(dims)]
    start = sum(basis.first * step for basis, step in zip(bases, steps, strict=True))

    def summed(d, offset):
        if d == dims:
            return flat[start + offset]
        terms = (summed(d + 1, offset + j * steps[d]) * (f if single else f[:, None])
                 for j, f in enumerate(bases[d].functions))
        total = next(terms)
        for term in terms:
            total = total + term
        return total

    return summed(0, 0)
