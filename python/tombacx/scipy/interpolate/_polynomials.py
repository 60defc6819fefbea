"""One polynomial through all points: in Lagrange's barycentric form, and in Newton's."""

import math
import operator
import warnings

import tombac
from tombac import _core
from tombac._core import where
from tombac._numpy import np
from tombac._util import normalize_axis_index
from tombacx.scipy.interpolate._pieces import documented as _documented
from tombacx.scipy.interpolate._pieces import placed, points_of, values_of

__all__ = ["BarycentricInterpolator", "KroghInterpolator", "barycentric_interpolate", "krogh_interpolate"]


def _vector(name, xi):
    xi, shape = points_of(name, xi)
    if len(shape) != 1:
        raise ValueError(f"{name}: xi must be a vector, not of shape {shape}")
    return xi


class _Through:
    """Values at points ``xi``: ``yi`` is (points, others), whatever their axes were."""

    def _set_values(self, yi, axis):
        name = type(self).__name__
        yi = values_of(yi)
        self._axis = normalize_axis_index(axis, yi.ndim)
        if yi.shape[self._axis] != self.xi.size:
            raise ValueError(f"{name}: {self.xi.size} points and an array of shape {yi.shape}, whose axis {axis} is "
                             "of another length")
        yi = tombac.moveaxis(yi, self._axis, 0)
        self._trailing = yi.shape[1:]
        self.yi = yi.reshape(self.xi.size, math.prod(self._trailing))

    def _delivered(self, rows, shape):
        return placed(rows, shape, self._trailing, self._axis)

    @property
    def dtype(self):
        """The dtype of the values."""
        return self._known_values().dtype

    def _known_values(self):
        if self.yi is None:
            raise ValueError(f"{type(self).__name__}: no values are set")
        return self.yi

    @_documented
    def __call__(self, x):
        """The polynomial at points.

        Args:
            {points}

        Returns:
            An array of the shape of ``x``, in the place of the axis, with the values' other axes.

        Raises:
            ValueError: No values are set.
        """
        return self.derivative(x, 0)

    @_documented
    def derivative(self, x, der=1):
        """A derivative at points.

        Args:
            {points}
            der: Which.

        Returns:
            An array of the shape of ``x``, in the place of the axis, with the values' other axes.

        Raises:
            ValueError: No values are set, or ``der`` is negative.
        """
        if der < 0:
            raise ValueError(f"{type(self).__name__}: der must not be negative, which {der} is")
        points, shape = points_of(type(self).__name__, x)
        return self._delivered(self._row(points, der), shape)

    def _row(self, points, order):
        return self._rows(points, order)[order]

    @_documented
    def derivatives(self, x, der=None):
        """The value and several derivatives at points.

        Args:
            {points}
            der: How many of them; as many as there are points if None.

        Returns:
            An array of them along a new first axis.

        Raises:
            ValueError: No values are set, or ``der`` is not positive.
        """
        points, shape = points_of(type(self).__name__, x)
        der = self.n if der is None else der
        if der < 1:
            raise ValueError(f"{type(self).__name__}: der must be positive, which {der} is not")
        rows = self._rows(points, der - 1)
        return tombac.stack([self._delivered(row, shape) for row in rows])


class BarycentricInterpolator(_Through):
    """The polynomial through points, in the barycentric form (Berrut and Trefethen, SIAM Review 46, 2004).

    Args:
        xi: The first coordinates: a real vector, in which no element occurs twice.
        yi: The values at these: an array, real or complex, as long as ``xi`` along ``axis``; None to set them later.
        axis: Along which axis of the values the points lie.
        wi: The weights of the points: a vector; computed if None.
        rng: Taken and without effect, as ``random_state``: the order of products is always the same.
        random_state: Taken and without effect.

    Raises:
        ValueError: The shapes do not fit, or a point occurs twice.

    Evaluation is one reduction over points and ``xi``, whatever their numbers.

    >>> p = tombacx.scipy.interpolate.BarycentricInterpolator([0.0, 1.0, 2.0], [0.0, 1.0, 4.0])
    >>> p(tombac.array([0.5, 3.0]))
    array([0.25, 9.  ])
    """

    def __init__(self, xi, yi=None, axis=0, *, wi=None, rng=None, random_state=None):
        self._set_points(_vector("BarycentricInterpolator", xi), wi)
        self._axis, self.yi = axis, None
        if yi is not None:
            self.set_yi(yi, axis)

    def _set_points(self, xi, wi=None):
        known = np.sort(xi.get())
        if known.size == 0 or not np.all(np.diff(known) > 0):
            raise ValueError("BarycentricInterpolator: xi must have elements, none of them twice")
        self.xi, self.n, self._by_points = xi, xi.size, None
        if wi is not None:
            self.wi = values_of(wi)
            if self.wi.shape != xi.shape:
                raise ValueError(f"BarycentricInterpolator: {xi.size} points and weights of shape {self.wi.shape}")
            return
        # A quarter of the range is the capacity of an interval: products of distances by it do not overflow.
        scale = 4.0 / (known[-1] - known[0]) if xi.size > 1 else 1.0
        distances = (xi[:, None] - xi) * float(scale)
        itself = tombac.arange(xi.size)
        self.wi = 1 / where(itself[:, None] == itself, 1.0, distances).prod(axis=1)

    def set_yi(self, yi, axis=None):
        """Sets the values at the points.

        Args:
            yi: The values: an array as long as ``xi`` along ``axis``.
            axis: Along which axis the points lie; as before if None.

        Raises:
            ValueError: The array has another length.
        """
        if yi is None:
            self.yi = None
        else:
            self._set_values(yi, self._axis if axis is None else axis)

    def add_xi(self, xi, yi=None):
        """Adds points.

        Args:
            xi: Their first coordinates: a vector.
            yi: The values there: an array as that of the constructor, which must be given if there are values already.

        Raises:
            ValueError: A point occurs twice, or values are missing.
        """
        if (self.yi is None) is not (yi is None):
            raise ValueError("BarycentricInterpolator: values must be added where there are values, and only there")
        xi, old = _vector("BarycentricInterpolator", xi), self.yi
        added = tombac.moveaxis(values_of(yi), self._axis, 0).reshape(xi.size, -1) if yi is not None else None
        self._set_points(tombac.concatenate([self.xi, xi]))
        if added is not None:
            self.yi = tombac.concatenate([old, added])

    def _at(self, points, values):
        """The polynomial through other values."""
        distances = points[:, None] - self.xi
        there = distances == 0
        terms = self.wi / where(there, 1.0, distances)
        terms = where(there.any(axis=1, keepdims=True), there.astype("d"), terms)
        if _core.backend() == "cpu" and bool(tombac.isfinite(values).all()):
            return terms @ values / terms.sum(axis=1)[:, None]
        parts = where(terms[:, :, None] == 0, 0.0, terms[:, :, None] * values)  # values may be NaN elsewhere
        return parts.sum(axis=1) / terms.sum(axis=1)[:, None]

    def _differentiated(self, values):
        """The derivative at the points: a matrix whose rows sum to 0 by the values (Berrut and Trefethen, 9.4, 9.5)."""
        if self._by_points is None:
            itself = tombac.arange(self.n)
            itself = itself[:, None] == itself
            matrix = where(itself, 0.0, self.wi / (where(itself, 1.0, self.xi[:, None] - self.xi) * self.wi[:, None]))
            self._by_points = where(itself, -matrix.sum(axis=1)[:, None], matrix)
        return self._by_points @ values

    def _row(self, points, order):
        values = self._known_values()
        if order >= self.n:
            return tombac.zeros((points.size, values.shape[1]), values.dtype)
        for _ in range(order):
            values = self._differentiated(values)
        return self._at(points, values)

    def _rows(self, points, order):
        return [self._row(points, i) for i in range(order + 1)]


_SURE = 30  # points


class KroghInterpolator(_Through):
    """The polynomial with given values, and derivatives, at points (Krogh, Mathematics of Computation 24, 1970).

    Args:
        xi: The first coordinates: a real vector; where one is repeated, the values are the derivatives there.
        yi: The values at these: an array, real or complex, as long as ``xi`` along ``axis``.
        axis: Along which axis of the values the points lie.

    Raises:
        ValueError: The shapes do not fit, or a point that occurs again does not do so at once.

    The coefficients are those of Newton's form, by divided differences.

    >>> p = tombacx.scipy.interpolate.KroghInterpolator([0.0, 0.0, 1.0], [1.0, 0.0, 2.0])
    >>> p(tombac.array([0.5, 2.0])), p.derivative(2.0)
    (array([1.25, 5.  ]), array(4.))
    """

    def __init__(self, xi, yi, axis=0):
        self.xi = _vector("KroghInterpolator", xi)
        if self.xi.size == 0:
            raise ValueError("KroghInterpolator: at least one point is expected")
        self._set_values(yi, axis)
        self.n = self.xi.size
        if self.n > _SURE:
            warnings.warn(f"KroghInterpolator: polynomials through more than {_SURE} points lose digits, here {self.n}",
                          stacklevel=2)
        self.c = tombac.array(_divided_differences(self.xi.get(), self.yi.get()))

    def _rows(self, points, order):
        """Derivatives of the orders 0 to ``order``: Horner's rule in Newton's form, differentiated."""
        x = points[:, None]
        zero = tombac.zeros((points.size, self.c.shape[1]), self.c.dtype)
        values = [zero + self.c[self.n - 1]]
        for i in range(self.n - 2, -1, -1):
            step = x - self.xi[i]
            highest = len(values) - 1
            if highest < order:
                values.append(values[highest])
            for j in range(highest, 0, -1):
                values[j] = values[j] * step + values[j - 1]
            values[0] = values[0] * step + self.c[i]
        values += [zero] * (order + 1 - len(values))
        return [value * math.factorial(j) for j, value in enumerate(values)]


def _divided_differences(x, y):
    """Newton's coefficients on the host: a row for each point. Equal points follow each other."""
    n = len(x)
    starts = [i if i == 0 or x[i] != x[i - 1] else None for i in range(n)]
    if n - starts.count(None) > np.unique(x, equal_nan=False).size:
        raise ValueError("KroghInterpolator: equal elements of xi must follow each other")
    for i in range(1, n):
        starts[i] = starts[i - 1] if starts[i] is None else i
    table = np.array([y[s] for s in starts]) if n else np.zeros_like(y)
    c = table[:1].copy()
    for order in range(1, n):
        below = table
        table = np.empty((n - order, y.shape[1]), y.dtype)
        for i in range(n - order):
            span = x[i + order] - x[i]
            if span == 0:
                table[i] = y[starts[i] + order] / math.factorial(order)
            else:
                table[i] = (below[i + 1] - below[i]) / span
        c = np.concatenate([c, table[:1]])
    return c


@_documented
def barycentric_interpolate(xi, yi, x, axis=0, *, der=0, rng=None, random_state=None):
    """The polynomial through points, at others.

    Args:
        xi: The first coordinates: a real vector, in which no element occurs twice.
        yi: The values at these: an array as long as ``xi`` along ``axis``.
        {points}
        {axis}
        der: Which derivative, or a sequence of several.
        rng: Taken and without effect.
        random_state: Taken and without effect.

    Returns:
        An array of the shape of ``x``, in the place of the axis, with the values' other axes; several derivatives are
        along a new first axis.

    Raises:
        ValueError: The shapes do not fit, or a point occurs twice.

    >>> tombacx.scipy.interpolate.barycentric_interpolate([0.0, 1.0, 2.0], [0.0, 1.0, 4.0], tombac.array([3.0]))
    array([9.])
    """
    return _derived(BarycentricInterpolator(xi, yi, axis), x, der)


@_documented
def krogh_interpolate(xi, yi, x, der=0, axis=0):
    """The polynomial with given values and derivatives at points, at others.

    Args:
        xi: The first coordinates: a real vector; where one is repeated, the values are the derivatives there.
        yi: The values at these: an array as long as ``xi`` along ``axis``.
        {points}
        der: Which derivative, or a sequence of several.
        {axis}

    Returns:
        An array of the shape of ``x``, in the place of the axis, with the values' other axes; several derivatives are
        along a new first axis.

    Raises:
        ValueError: The shapes do not fit.

    >>> tombacx.scipy.interpolate.krogh_interpolate([0.0, 1.0, 2.0], [0.0, 1.0, 4.0], tombac.array([3.0]), der=1)
    array([6.])
    """
    return _derived(KroghInterpolator(xi, yi, axis), x, der)


def _derived(p, x, der):
    if np.ndim(der) == 0:
        return p.derivative(x, operator.index(der))
    return tombac.stack([p.derivative(x, operator.index(n)) for n in der])
