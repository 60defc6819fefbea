"""Polynomials in pieces in Bernstein's basis (Farin, Curves and Surfaces for CAGD)."""

import math

import tombac
from tombac._core import where
from tombac._numpy import np
from tombacx.scipy.interpolate._pieces import Rows, bernstein, interval_of, outside, periods
from tombacx.scipy.interpolate._ppoly import Pieces, PPoly

__all__ = ["BPoly"]


class BPoly(Pieces):
    """Polynomials in pieces, in Bernstein's basis over each piece.

    Args:
        c: The coefficients: an array of shape (orders, pieces, ...), real or complex; the first is the value where the
            piece begins, the last that where it ends.
        x: The breakpoints: a vector in ascending or descending order, one more than there are pieces.
        extrapolate: What is said outside: True, the polynomial of the nearest piece; False, NaN; ``"periodic"``, what
            is inside, repeated.
        axis: Where in ``c`` the axis of the orders is, with that of the pieces behind it.

    Raises:
        ValueError: The shapes do not fit, or ``x`` is in no order.

    >>> b = tombacx.scipy.interpolate.BPoly(tombac.array([[1.0], [2.0], [1.0]]), tombac.array([0.0, 1.0]))
    >>> b(tombac.array([0.0, 0.5]))
    array([1. , 1.5])
    """

    __slots__ = ()

    def __call__(self, x, nu=0, extrapolate=None):
        if nu > 0:
            mode = self.extrapolate if extrapolate is None else extrapolate
            return self.derivative(nu)(x, 0, mode)
        return super().__call__(x, nu, extrapolate)

    __call__.__doc__ = Pieces.__call__.__doc__

    def _at(self, points, nu, extrapolate):
        first, last = self.x[0], self.x[-1]
        if extrapolate == "periodic":
            points = periods(points, first, last)
        rows, interval = Rows(self.c), interval_of(self.x, points, self._rises())
        start = self.x[interval]
        result = bernstein(rows, interval, (points - start) / (self.x[interval + 1] - start))
        return result if extrapolate else where(rows.beside(outside(points, first, last)), np.nan, result)

    def _raised(self, c, orders):
        degree, more = c.shape[0] - 1, orders - c.shape[0]
        if more == 0:
            return c
        raised = []
        for order in range(orders):
            terms = [c[a] * (math.comb(degree, a) * math.comb(more, order - a))
                     for a in range(max(0, order - more), min(degree, order) + 1)]
            raised.append(sum(terms) / math.comb(degree + more, order))
        return tombac.stack(raised)

    def derivative(self, nu=1):
        """The derivative.

        Args:
            nu: Which; a negative one is an antiderivative.

        Returns:
            A new BPoly of lower degree.
        """
        if nu < 0:
            return self.antiderivative(-nu)
        c, widths = self.c, self._widths(self.c)
        for _ in range(nu):
            c = (c.shape[0] - 1) * tombac.diff(c, axis=0) / widths if c.shape[0] > 1 else 0 * c
        return self._like(c)

    def antiderivative(self, nu=1):
        """The antiderivative that is 0 at the first breakpoint and has no jumps.

        Args:
            nu: How often; a negative number is a derivative.

        Returns:
            A new BPoly of higher degree; one that was periodic is not.
        """
        if nu <= 0:
            return self.derivative(-nu)
        c, widths = self.c, self._widths(self.c)
        for _ in range(nu):
            sums = tombac.cumsum(c, axis=0) * (widths / c.shape[0])
            c = tombac.concatenate([tombac.zeros_like(c[:1]), sums])
            c = c + (tombac.cumsum(c[-1], axis=0) - c[-1])
        return self._like(c, False if self.extrapolate == "periodic" else self.extrapolate)

    @classmethod
    def from_power_basis(cls, pp, extrapolate=None):
        """The same polynomials in Bernstein's basis.

        Args:
            pp: A PPoly.
            extrapolate: As in the constructor; that of ``pp`` if None.

        Returns:
            A BPoly.

        Raises:
            TypeError: ``pp`` is no PPoly.
        """
        if not isinstance(pp, PPoly):
            raise TypeError(f"from_power_basis: a PPoly is expected, not {type(pp)}")
        degree, widths = pp.c.shape[0] - 1, pp._widths(pp.c)
        scaled = [pp.c[degree - a] * widths**a / math.comb(degree, a) for a in range(degree + 1)]
        c = [sum(math.comb(order, a) * scaled[a] for a in range(order + 1)) for order in range(degree + 1)]
        extrapolate = pp.extrapolate if extrapolate is None else extrapolate
        return cls.construct_fast(tombac.stack(c), pp.x, extrapolate, pp.axis)

    @classmethod
    def from_derivatives(cls, xi, yi, orders=None, extrapolate=None):
        """The polynomials with given derivatives at the breakpoints; found by SciPy on the host.

        Args:
            xi: The breakpoints: a vector in ascending order.
            yi: For each breakpoint the value and the derivatives: a sequence of sequences or arrays.
            orders: The degrees of the pieces, a number or one for each; as many as ``yi`` determines if None.
            extrapolate: As in the constructor.

        Returns:
            A BPoly.

        Raises:
            ImportError: SciPy is not installed.
            ValueError: The derivatives and the degrees do not fit, in SciPy's words.

        >>> b = tombacx.scipy.interpolate.BPoly.from_derivatives([0.0, 1.0], [[1.0, 0.0], [0.0, 0.0]])
        >>> b(tombac.array([0.25, 0.5]))
        array([0.84375, 0.5    ])
        """
        from tombacx.scipy._host import host, scipy_module

        scipy = scipy_module("scipy.interpolate", "BPoly")
        made = scipy.BPoly.from_derivatives(*map(host, (xi, yi, orders)), extrapolate)
        return cls.construct_fast(tombac.array(made.c), tombac.array(made.x), made.extrapolate, made.axis)
