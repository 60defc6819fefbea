"""Polynomials in pieces along one axis: what those in powers and in Bernstein's basis share, and those in powers."""

import math

import tombac
from tombac import _core
from tombac._numpy import np
from tombac._util import normalize_axis_index
from tombacx.scipy.interpolate._pieces import (
    OUTSIDE,
    POWERS,
    made_by_scipy,
    on_device,
    pieces_at,
    placed,
    points_of,
    values_of,
)
from tombacx.scipy.interpolate._pieces import documented as _documented

__all__ = ["PPoly", "Pieces"]


class Pieces:
    """Coefficients ``c`` of shape (orders, pieces, ...) between the breakpoints ``x``."""

    __slots__ = ("_ascending", "axis", "c", "extrapolate", "x")

    def __init__(self, c, x, extrapolate=None, axis=0):
        name = type(self).__name__
        c, (x, shape) = values_of(c), points_of(name, x)
        if len(shape) != 1 or x.size < 2:
            raise ValueError(f"{name}: x must be a vector of at least 2 breakpoints, not of shape {shape}")
        if c.ndim < 2:
            raise ValueError(f"{name}: c must have at least 2 dimensions, not the shape {c.shape}")
        axis = normalize_axis_index(axis, c.ndim - 1)
        c = tombac.moveaxis(c, (axis, axis + 1), (0, 1))
        if c.shape[0] == 0:
            raise ValueError(f"{name}: c must have coefficients of order 0 at least, not the shape {c.shape}")
        if c.shape[1] != x.size - 1:
            raise ValueError(f"{name}: {x.size} breakpoints have {x.size - 1} pieces between them, not {c.shape[1]}")
        steps = np.diff(x.get())
        if not (np.all(steps >= 0) or np.all(steps <= 0)):
            raise ValueError(f"{name}: x must be in ascending or descending order")
        self.c, self.x, self.axis = c, x, axis
        self.extrapolate = True if extrapolate is None else _mode(extrapolate)
        self._ascending = bool(steps.sum() >= 0)

    @classmethod
    def construct_fast(cls, c, x, extrapolate=None, axis=0):
        """The function with these coefficients and breakpoints, which are not looked at.

        Args:
            c: The coefficients: an array of shape (orders, pieces, ...), of float64 or complex128.
            x: The breakpoints: an array of float64.
            extrapolate: As in the constructor.
            axis: At which place of the result the points' axes come.

        Returns:
            A new object of this class.
        """
        self = object.__new__(cls)
        self.c, self.x, self.axis = c, x, axis
        self.extrapolate = True if extrapolate is None else extrapolate
        self._ascending = None
        return self

    def _like(self, c, extrapolate=None):
        made = self.construct_fast(c, self.x, self.extrapolate if extrapolate is None else extrapolate, self.axis)
        made._ascending = self._ascending
        return made

    def _rises(self):
        if self._ascending is None:
            self._ascending = bool((self.x[-1] >= self.x[0]).item())
        return self._ascending

    def _widths(self, like):
        """The lengths of the pieces, with as many dimensions as the coefficients of one order."""
        return tombac.diff(self.x).reshape((-1,) + (1,) * (like.ndim - 2))

    @_documented
    def __call__(self, x, nu=0, extrapolate=None):
        """The function or a derivative of it at points.

        Args:
            {points}
            {nu}
            {extrapolate}

        Returns:
            {at_points}

        Raises:
            TypeError: The points are complex.
            ValueError: ``nu`` is negative.
        """
        extrapolate = self.extrapolate if extrapolate is None else _mode(extrapolate)
        points, shape = points_of(type(self).__name__, x)
        if nu < 0:
            raise ValueError(f"{type(self).__name__}: nu must not be negative, which {nu} is")
        return placed(self._at(points, nu, extrapolate), shape, self.c.shape[2:], self.axis)

    @_documented
    def integrate(self, a, b, extrapolate=None):
        """The integral between two points.

        Args:
            a, b: The limits, numbers.
            {extrapolate}

        Returns:
            An array with the coefficients' other axes.
        """
        extrapolate = self.extrapolate if extrapolate is None else _mode(extrapolate)
        a, b = float(a), float(b)
        if extrapolate != "periodic":
            return self._integrals([(a, b)], bool(extrapolate))[0]
        sign, a, b = (1, a, b) if a <= b else (-1, b, a)
        first, last = self.x[0].item(), self.x[-1].item()
        count, rest = divmod(b - a, last - first)
        a = first + (a - first) % (last - first)
        pieces = [(count, first, last), (1, a, min(a + rest, last)), (1, first, first + max(a + rest - last, 0))]
        parts = self._integrals([piece[1:] for piece in pieces], True)
        return sign * sum(piece[0] * part for piece, part in zip(pieces, parts, strict=True))

    def _integrals(self, limits, extrapolate):
        whole = self.antiderivative()
        ends = whole._like(whole.c, extrapolate)._rows_at([end for pair in limits for end in pair])
        return [ends[i + 1] - ends[i] for i in range(0, 2 * len(limits), 2)]

    def _rows_at(self, points):
        result = self(np.array(points))
        return tombac.moveaxis(result, self.axis, 0) if self.axis else result

    def _on_host(self):
        return made_by_scipy("PPoly", self.c, self.x, self.extrapolate)

    def extend(self, c, x):
        """Adds pieces before the first or behind the last breakpoint, in place.

        Args:
            c: Their coefficients: an array of shape (orders, pieces, ...).
            x: As many further breakpoints: a vector that goes on in the order of those there are.

        Raises:
            ValueError: The shapes do not fit, or the breakpoints are on neither side.
        """
        name = type(self).__name__
        c, (x, shape) = values_of(c), points_of(name, x)
        if len(shape) != 1 or c.ndim < 2 or c.shape[1] != x.size or c.shape[2:] != self.c.shape[2:]:
            raise ValueError(f"{name}: coefficients of shape {c.shape} and breakpoints of shape {shape} do not go on "
                             f"those of shape {self.c.shape}")
        if x.size == 0:
            return
        new, old = x.get(), (self.x[0].item(), self.x[-1].item())
        sign = 1 if self._rises() else -1
        if np.any(sign * np.diff(new) < 0):
            raise ValueError(f"{name}: x must be in the order of the breakpoints that there are")
        behind = sign * new[0] >= sign * old[1]
        if not behind and sign * new[-1] > sign * old[0]:
            raise ValueError(f"{name}: x must lie before the first or behind the last breakpoint")
        orders = max(c.shape[0], self.c.shape[0])
        parts = [self._raised(self.c, orders), self._raised(c, orders)]
        ends = [self.x, x]
        self.c = tombac.concatenate(parts if behind else parts[::-1], axis=1)
        self.x = tombac.concatenate(ends if behind else ends[::-1])


def _mode(extrapolate):
    return "periodic" if isinstance(extrapolate, str) and extrapolate == "periodic" else bool(extrapolate)


class PPoly(Pieces):
    """Polynomials in pieces, in powers of the distance from the breakpoint at which each begins.

    Args:
        c: The coefficients: an array of shape (orders, pieces, ...), that of the highest power first; real or complex.
        x: The breakpoints: a vector in ascending or descending order, one more than there are pieces.
        extrapolate: What is said outside: True, the polynomial of the nearest piece; False, NaN; ``"periodic"``, what
            is inside, repeated.
        axis: Where in ``c`` the axis of the orders is, with that of the pieces behind it.

    Raises:
        ValueError: The shapes do not fit, or ``x`` is in no order.

    Evaluation at any number of points is one kernel.

    >>> p = tombacx.scipy.interpolate.PPoly(tombac.array([[1.0, 0.0], [0.0, 1.0]]), tombac.array([0.0, 1.0, 2.0]))
    >>> p(tombac.array([0.5, 1.5])), p.integrate(0, 2)
    (array([0.5, 1. ]), array(1.5))
    """

    __slots__ = ()

    def _at(self, points, nu, extrapolate):
        return pieces_at(POWERS, self.x, self.c, points, nu, extrapolate)

    def _integrals(self, limits, extrapolate):
        if _core.backend() != "cpu":
            return super()._integrals(limits, extrapolate)
        return [_core._pieces_integral(self.x, self.c, a, b, OUTSIDE[extrapolate]) for a, b in limits]

    def _raised(self, c, orders):
        return tombac.concatenate([tombac.zeros((orders - c.shape[0], *c.shape[1:]), c.dtype), c]) \
            if c.shape[0] < orders else c

    def derivative(self, nu=1):
        """The derivative, of the same class.

        Args:
            nu: Which; a negative one is an antiderivative.

        Returns:
            A new object of this class, whose polynomials are of lower degree.
        """
        if nu < 0:
            return self.antiderivative(-nu)
        kept = self.c.shape[0] - nu
        if kept <= 0:
            return self._like(tombac.zeros((1, *self.c.shape[1:]), self.c.dtype))
        factors = [math.perm(kept - 1 + nu - order, nu) for order in range(kept)]
        return self._like(self.c[:kept] * _factors(factors, self.c.ndim))

    def antiderivative(self, nu=1):
        """The antiderivative that is 0 at the first breakpoint and has no jumps.

        Args:
            nu: How often; a negative number is a derivative.

        Returns:
            A new object of this class, whose polynomials are of higher degree; one that was periodic is not.
        """
        if nu <= 0:
            return self.derivative(-nu)
        c, widths = self.c, self._widths(self.c)
        for _ in range(nu):
            c = c / _factors(range(c.shape[0], 0, -1), c.ndim)
            grown = c[0] * widths
            for order in range(1, c.shape[0]):
                grown = (grown + c[order]) * widths
            starts = tombac.cumsum(grown, axis=0) - grown
            c = tombac.concatenate([c, starts[None]])
        return self._like(c, False if self.extrapolate == "periodic" else self.extrapolate)

    def solve(self, y=0.0, discontinuity=True, extrapolate=None):
        """Where the function has a value; found by SciPy on the host.

        Args:
            y: The value, a number.
            discontinuity: Whether jumps over the value count.
            extrapolate: Whether points outside count, or ``"periodic"``; None, as the object was made with.

        Returns:
            An array of the points; of several polynomials a NumPy array of such arrays. A piece that has the value all
            over gives where it begins, and a NaN after that.

        Raises:
            ImportError: SciPy is not installed.
            ValueError: The coefficients are complex.
        """
        return on_device(self._on_host().solve(float(y), discontinuity, extrapolate))

    def roots(self, discontinuity=True, extrapolate=None):
        """Where the function is 0: solve(0)."""
        return self.solve(0, discontinuity, extrapolate)

    @classmethod
    def from_spline(cls, tck, extrapolate=None):
        """The polynomials between the knots of a spline.

        Args:
            tck: A BSpline, or a tuple (knots, coefficients, degree).
            extrapolate: As in the constructor; that of the BSpline if None.

        Returns:
            A PPoly with a piece between any two knots.

        >>> s = tombacx.scipy.interpolate.make_interp_spline(tombac.arange(4.0), tombac.arange(4.0) ** 2)
        >>> tombacx.scipy.interpolate.PPoly.from_spline(s)(tombac.array(1.5)).round(6)
        array(2.25)
        """
        from tombacx.scipy.interpolate._bspline import BSpline

        if not isinstance(tck, BSpline):
            tck = BSpline.construct_fast(*map(tombac.asarray, tck[:2]), tck[2])
        elif extrapolate is None:
            extrapolate = tck.extrapolate
        starts = tck.t[:-1]
        orders = [tck._rows_at(starts, nu) / math.factorial(nu) for nu in range(tck.k, -1, -1)]
        return cls.construct_fast(tombac.stack(orders), tck.t, extrapolate, tck.axis)

    @classmethod
    def from_bernstein_basis(cls, bp, extrapolate=None):
        """The same polynomials in powers.

        Args:
            bp: A BPoly.
            extrapolate: As in the constructor; that of ``bp`` if None.

        Returns:
            A PPoly.

        Raises:
            TypeError: ``bp`` is no BPoly.
        """
        from tombacx.scipy.interpolate._bpoly import BPoly

        if not isinstance(bp, BPoly):
            raise TypeError(f"from_bernstein_basis: a BPoly is expected, not {type(bp)}")
        degree, widths = bp.c.shape[0] - 1, bp._widths(bp.c)
        orders = []
        for power in range(degree, -1, -1):
            terms = [(-1) ** (power - a) * math.comb(power, a) * bp.c[a] for a in range(power + 1)]
            orders.append(sum(terms) * math.comb(degree, power) / widths**power)
        return cls.construct_fast(tombac.stack(orders), bp.x, bp.extrapolate if extrapolate is None else extrapolate,
                                  bp.axis)


def _factors(numbers, ndim):
    return tombac.array(list(numbers), "d").reshape((-1,) + (1,) * (ndim - 1))
