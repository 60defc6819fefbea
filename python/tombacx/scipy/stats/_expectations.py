"""Expectations of functions by distributions: moments, entropies.

Of continuous ones they are integrals over probabilities by the rule of Takahasi and Mori, Publ. RIMS 9, 1974, whose
nodes are so dense at both ends that what tends to infinity there is integrated too. All nodes and all parameters are
one expression, and one reduction.
"""

import functools
import math

import tombac
from tombac._core import where
from tombac._numpy import np

__all__ = ["ContinuousExpectations", "DiscreteExpectations", "probabilities"]

_NODES, _REACH = 401, 6.0  # how many nodes, and how far out
_MOST = 1 << 24  # whole numbers that are summed over
_ORDERS = "mvsk"


@functools.lru_cache(1)
def _nodes():
    """Probabilities up to 1/2 with their weights; those above are what they are short of 1."""
    t = np.linspace(-_REACH, _REACH / 2, _NODES)  # beyond which probabilities are 1/2
    inner = np.exp(-math.pi * np.sinh(t))
    q = 0.5 / (1 + inner)
    return q, math.pi * np.cosh(t) * q * inner / (1 + inner) * (t[1] - t[0])


def probabilities():
    """Nodes from 0 to 1/2, and weights, of integrals from 0 to 1: as many lie as far below 1."""
    return map(tombac.array, _nodes())


class Expectations:
    """What distributions give of their parameters alone: stats moment entropy expect."""

    def _shape_numbers(self, args, kwds):
        """Mean and variance of the standard form, its skewness and kurtosis, and where parameters are allowed."""
        shapes, loc, scale = self._parameters(args, kwds)
        good = self._good(shapes, scale)
        nothing = tombac.zeros(np.broadcast_shapes((), *(x.shape for x in shapes)))

        return lambda name: self._standard(name, shapes) + nothing, loc, scale, good

    def _standard(self, name, shapes):
        """Mean, variance, skewness or kurtosis of the standard form: the row's, or made of moments, or integrals."""
        value = self._functions.get(name)
        if value is not None:
            return value(*shapes) if callable(value) else value
        order, raw = 1 + ("mean", "var", "skew", "kurt").index(name), self._functions.get("raw")
        if order == 1:
            return raw(1, *shapes) if raw else self.expect(None, *shapes)
        mean = self._standard("mean", shapes)
        if raw is None:
            central = self._central(order, mean, shapes)
        elif order == 2:
            second = raw(2, *shapes)
            central = where(tombac.isinf(second), second, second - mean * mean)
        elif order == 3:
            central = raw(3, *shapes) - 3 * mean * raw(2, *shapes) + 2 * mean * mean * mean
        else:
            central = raw(4, *shapes) - 4 * mean * raw(3, *shapes) + 6 * mean * mean * raw(2, *shapes) - \
                3 * tombac.square(mean * mean)
        if order == 2:
            return central
        var = self._standard("var", shapes)
        return central / var**1.5 if order == 3 else central / (var * var) - 3

    def _central(self, order, mean, shapes):
        middle = tombac.asarray(mean)[..., None]
        return self.expect(lambda x: (x - middle) ** order, *shapes)

    def stats(self, *args, moments="mv", **kwds):
        """Mean ('m'), variance ('v'), skewness ('s') and kurtosis ('k'): a tuple of arrays, or one array for one.

        ``moments`` may follow the parameters.
        """
        if args and isinstance(args[-1], str):
            *args, moments = args
        if not moments or any(m not in _ORDERS for m in moments):
            raise ValueError(f"{self.name}: moments must be letters of 'mvsk', not {moments!r}")
        known, loc, scale, good = self._shape_numbers(args, kwds)
        found = []
        for m in _ORDERS:
            if m not in moments:
                continue
            value = known({"m": "mean", "v": "var", "s": "skew", "k": "kurt"}[m])
            value = value * scale if m == "m" else value * scale * scale if m == "v" else value + 0 * scale
            value = value + (loc if m == "m" else 0 * loc)
            found.append(where(good, value, np.nan))
        return found[0] if len(found) == 1 else tuple(found)

    def moment(self, order, *args, **kwds):
        """The mean power of a whole order: an array."""
        if order != int(order) or order < 0:
            raise ValueError(f"{self.name}: order must be a whole number that is not negative, not {order!r}")
        if order > 4:
            return self.expect(lambda x: x ** int(order), *args, **kwds)
        if order == 0:
            _, loc, scale, good = self._shape_numbers(args, kwds)
            return where(good, 1.0 + 0 * (loc + scale), np.nan)
        if "raw" in self._functions:
            return self._raw_moment(int(order), args, kwds)
        mean, var, skew, kurt = self.stats(*args, moments="mvsk", **kwds)
        if order == 1:
            return mean
        if order == 2:
            return var + mean * mean
        third = where(var > 0, skew * var**1.5, 0.0)
        if order == 3:
            return third + 3 * mean * var + mean * mean * mean
        fourth = where(var > 0, (kurt + 3) * var * var, 0.0)
        return fourth + 4 * mean * third + 6 * mean * mean * var + tombac.square(mean * mean)

    def _raw_moment(self, order, args, kwds):
        """A moment of what is moved and stretched, by those of the standard form, which may be infinite."""
        shapes, loc, scale = self._parameters(args, kwds)
        raw = self._functions["raw"]
        total = loc**order
        for k in range(1, order + 1):
            factor = math.comb(order, k) * loc ** (order - k) * scale**k
            total = total + where(factor == 0, 0.0, factor * raw(k, *shapes))
        return where(self._good(shapes, scale), total, np.nan)

    def entropy(self, *args, **kwds):
        """The differential entropy, or that of whole numbers: an array."""
        density = self.logpdf if self.scaled else self.logpmf
        shapes, loc, scale = self._parameters(args, kwds)
        column, own = [shape[..., None] for shape in shapes], self._functions.get("entropy")

        def term(x):
            value = density(x, *column)
            return where(tombac.isinf(value), 0.0, -value)

        # Of the standard form: where a density is infinite, places that are moved are not exact enough.
        standard = own(*shapes) if own else self.expect(term, *shapes)
        standard = standard + (tombac.log(scale) if self.scaled else 0.0) + 0 * loc
        return where(self._good(shapes, scale), standard, np.nan)

    def expect(self, func=None, args=(), *more, lb=None, ub=None, conditional=False, **kwds):
        """The expectation of a function of arrays, elementwise, of the identity if None: an array.

        ``lb`` and ``ub`` are the limits between which it is taken, all if None; with ``conditional`` it is divided by
        the probability of what is between them. ``args`` is a tuple of the distribution's shapes, as SciPy's, behind
        which ``loc``, ``scale``, ``lb``, ``ub`` and ``conditional`` may follow; or the parameters follow, as everywhere
        here.
        """
        if isinstance(args, tuple) and more:
            names = ["loc", *(["scale"] if self.scaled else []), "lb", "ub", "conditional"]
            limits = ("lb", lb), ("ub", ub), ("conditional", conditional or None)
            kwds |= {key: v for key, v in limits if v is not None}
            return self.expect(func, args, **dict(zip(names, more, strict=False)), **kwds)
        args = args if isinstance(args, tuple) else (args, *more)
        func = func or (lambda x: x)
        column = [tombac.asarray(a)[..., None] for a in args]
        named = {key: tombac.asarray(value)[..., None] for key, value in kwds.items()}
        limits = [None if limit is None else tombac.asarray(limit, "d")[..., None] for limit in (lb, ub)]
        terms, part = self._terms(func, limits, column, named)
        return terms.sum(axis=-1) / (part if conditional else 1.0)

    def _allowed_columns(self, column, named):
        shapes, loc, scale = self._parameters(column, named)
        return self._good(shapes, scale) & ~tombac.isnan(loc + scale)


class ContinuousExpectations(Expectations):
    """Expectations by integrals."""

    def _terms(self, func, limits, column, named):
        q, weight = probabilities()
        low, high = limits
        good = self._allowed_columns(column, named)
        if low is None and high is None:
            below, above = self.ppf(q, *column, **named), self.isf(q, *column, **named)
            terms = weight * (_finite(func, below) + _finite(func, above))
            return where(good, terms, np.nan), 1.0
        low, high = (end if limit is None else limit for end, limit in zip((-np.inf, np.inf), limits, strict=True))
        (c0, s0), (c1, s1) = ((self.cdf(x, *column, **named), self.sf(x, *column, **named)) for x in (low, high))
        part = where(c0 > 0.5, s0 - s1, c1 - c0)
        below = where(s0 < 0.5, self.isf(s0 - part * q, *column, **named), self.ppf(c0 + part * q, *column, **named))
        above = where(c1 < 0.5, self.ppf(c1 - part * q, *column, **named), self.isf(s1 + part * q, *column, **named))
        terms = part * weight * (_finite(func, below) + _finite(func, above))
        return where(good, terms, np.nan), part[..., 0] if part.ndim else part


def _finite(func, x):
    """A function's values where points are finite: the outermost ones may not be."""
    inside = tombac.isfinite(x)
    return where(inside, func(where(inside, x, 0.0)), 0.0)


class DiscreteExpectations(Expectations):
    """Expectations by sums."""

    def _terms(self, func, limits, column, named):
        low, high = self.ppf(1e-17, *column, **named), self.isf(1e-17, *column, **named)
        good = self._allowed_columns(column, named)
        ends = tombac.stack([where(good, low, np.inf).min(), where(good, high, -np.inf).max()])
        first, last = ends.tolist()
        if limits[0] is not None:
            first = max(first, math.ceil(float(limits[0].min().item())))
        if limits[1] is not None:
            last = min(last, math.floor(float(limits[1].max().item())))
        if last - first >= _MOST:
            raise ValueError(f"{self.name}: {last - first:.3g} whole numbers are too many to be summed over")
        k = tombac.arange(first, last + 1) if last >= first else tombac.zeros(0)
        weight = self.pmf(k, *column, **named)
        for limit, beyond in ((limits[0], tombac.less), (limits[1], tombac.greater)):
            if limit is not None:
                weight = where(beyond(k, limit), 0.0, weight)
        terms = where(weight > 0, func(k) * weight, 0.0)
        return where(good, terms, np.nan) if k.size else terms + 0 * low, weight.sum(axis=-1)
