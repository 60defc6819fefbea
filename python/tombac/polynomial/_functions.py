"""The functions of a family's module, made of the family: one function and one docstring for each name."""

from tombac import _core
from tombac._numpy import np
from tombac.polynomial import _family, _series
from tombac.polynomial.polyutils import as_series, device_array, trimcoef, trimseq

_ABOUT = {
    "C": "An array of one dimension, a sequence or a number",
    "CE": "ValueError: Coefficients are empty or have more than one dimension.\n"
          "TypeError: They are an array of NumPy's.",
    "S": "An array of one dimension",
    "X": "An array of any shape, a sequence or a number",
}


# ---- what modules export ---------------------------------------------------------------------------------------------


def _arithmetic(family):
    p, power_limit = family.prefix, None if family is _family.POWER else 16

    def sum_of(name, function, c1, c2):
        c1, c2 = as_series([c1, c2])
        n = max(c1.size, c2.size)
        c1, c2 = [c if c.size == n else _core.concatenate((c, _core.zeros(n - c.size, c.dtype))) for c in (c1, c2)]
        return trimseq(function(c1, c2))

    def line(off, scl):
        """The {title} series of a straight line, off + scl x.

        Args:
            off: The value at 0, a number.
            scl: The slope, a number.

        Returns:
            An array of one dimension: two coefficients, or one if the slope is 0.

        Raises:
            TypeError: An argument is no number.

        >>> from tombac.polynomial import {module} as family
        >>> family.{p}val(2.0, family.{p}line(3, 4))
        array(11.)
        """
        return _core.asarray(family.line(off, scl) if scl != 0 else [off])

    def add(c1, c2):
        """The sum of two {title} series.

        Args:
            c1, c2: {C}: coefficients, the lowest degree first.

        Returns:
            {S}.

        Raises:
            {CE}

        >>> from tombac.polynomial import {module} as family
        >>> family.{p}add([1, 2, 3], [3, 2])
        array([4., 4., 3.])
        """
        return sum_of("add", _core.add, c1, c2)

    def sub(c1, c2):
        """The difference of two {title} series.

        Args:
            c1, c2: {C}: coefficients, the lowest degree first.

        Returns:
            {S}.

        Raises:
            {CE}

        >>> from tombac.polynomial import {module} as family
        >>> family.{p}sub([1, 2, 3], [3, 2, 1])
        array([-2.,  0.,  2.])
        """
        return sum_of("sub", _core.subtract, c1, c2)

    def mulx(c):
        """The product of a {title} series and x.

        Args:
            c: {C}: coefficients, the lowest degree first.

        Returns:
            {S}: one coefficient more than ``c`` has.

        Raises:
            {CE}

        >>> from tombac.polynomial import {module} as family
        >>> family.{p}val(2.0, family.{p}mulx([1, 2])) - 2.0 * family.{p}val(2.0, [1, 2])
        array(0.)
        """
        (c,) = as_series([c])
        return c if c.size == 1 and not bool(c[0]) else family.mulx(c)

    def mul(c1, c2):
        """The product of two {title} series.

        Args:
            c1, c2: {C}: coefficients, the lowest degree first.

        Returns:
            {S}.

        Raises:
            {CE}

        >>> from tombac.polynomial import {module} as family
        >>> a, b = [1, 2, 3], [3, 2]
        >>> family.{p}val(0.5, family.{p}mul(a, b)) - family.{p}val(0.5, a) * family.{p}val(0.5, b)
        array(0.)
        """
        return family.multiply(*as_series([c1, c2]))

    def div(c1, c2):
        """Quotient and remainder of two {title} series.

        Args:
            c1, c2: {C}: coefficients, the lowest degree first.

        Returns:
            A tuple of two arrays of one dimension.

        Raises:
            ZeroDivisionError: ``c2`` has no coefficient but zeros.
            {CE}

        >>> from tombac.polynomial import {module} as family
        >>> quotient, rest = family.{p}div(family.{p}mul([3, 2], [1, 2, 3]), [1, 2, 3])
        >>> quotient.round(9), rest.round(9) + 0.0
        (array([3., 2.]), array([0.]))
        """
        c1, c2 = as_series([c1, c2])
        if not bool(c2[-1] != 0):
            raise ZeroDivisionError(f"{p}div: the divisor is zero")
        return family.divide(c1, c2)

    def pow(c, pow, maxpower=power_limit):
        """A power of a {title} series.

        Args:
            c: {C}: coefficients, the lowest degree first.
            pow: The exponent, a whole number that is not negative.
            maxpower: What the exponent may not exceed; None for no limit.

        Returns:
            {S}.

        Raises:
            ValueError: The exponent is negative, has a fraction or is above ``maxpower``, or coefficients are empty or
                have more than one dimension.
            TypeError: They are an array of NumPy's.

        >>> from tombac.polynomial import {module} as family
        >>> family.{p}val(0.5, family.{p}pow([1, 2], 2)) - family.{p}val(0.5, [1, 2]) ** 2
        array(0.)
        """
        return _series.power(family, c, pow, maxpower)

    return {"line": line, "add": add, "sub": sub, "mulx": mulx, "mul": mul, "div": div, "pow": pow}


def _calculus(family):
    def der(c, m=1, scl=1, axis=0):
        """The derivative of {title} series.

        Args:
            c: Coefficients along ``axis``, the lowest degree first: an array, a sequence or a number.
            m: How often; an int.
            scl: What each derivative is multiplied by, a number: the slope of a change of the variable.
            axis: The axis that degrees are along.

        Returns:
            An array with ``m`` coefficients less along ``axis``, but one where none is left.

        Raises:
            ValueError: ``m`` is negative, or there is no such axis.
            TypeError: ``m`` is no int, or ``c`` is an array of NumPy's.

        >>> from tombac.polynomial import {module} as family
        >>> family.{p}val(0.5, family.{p}der(family.{p}line(3, 4)))
        array(4.)
        """
        return _series.derivative(family, c, m, scl, axis)

    def int(c, m=1, k=[], lbnd=0, scl=1, axis=0):
        """The integral of {title} series.

        Args:
            c: Coefficients along ``axis``, the lowest degree first: an array, a sequence or a number.
            m: How often; an int.
            k: The constants of integration: a number, or up to ``m`` of them; those that are not given are 0.
            lbnd: Where the integral is the constant, a number.
            scl: What is integrated is multiplied by this number before.
            axis: The axis that degrees are along.

        Returns:
            An array with ``m`` coefficients more along ``axis``.

        Raises:
            ValueError: ``m`` is negative, there are more constants, ``lbnd`` or ``scl`` is no number, or there is no
                such axis.
            TypeError: ``m`` is no int, or ``c`` is an array of NumPy's.

        >>> from tombac.polynomial import {module} as family
        >>> family.{p}val(2.0, family.{p}int([3], lbnd=1)).round(9)
        array(3.)
        """
        return _series.integral(family, c, m, k, lbnd, scl, axis)

    return {"der": der, "int": int}


def _values(family):
    p = family.prefix

    def joint(name, points, c):
        points = _series.same_shapes(p + name, points)
        c = _series.value(family, points[0], c)
        for x in points[1:]:
            c = _series.value(family, x, c, tensor=False)
        return c

    def on_grid(points, c):
        for x in points:
            c = _series.value(family, x, c)
        return c

    def val(x, c, tensor=True):
        """The values of {title} series: the sum of c[k] times the k-th polynomial at ``x``, by Clenshaw's recurrence.

        Args:
            x: {X}.
            c: Coefficients along the first axis, the lowest degree first; the other axes are of several series.
            tensor: Every series at every point; if false, ``x`` broadcasts to the series.

        Returns:
            An array of the shape ``c.shape[1:] + x.shape``, or ``c.shape[1:]`` if not ``tensor``.

        Raises:
            ValueError: ``x`` does not broadcast to the series, if not ``tensor``.
            TypeError: ``c`` is an array of NumPy's.

        >>> from tombac.polynomial import {module} as family
        >>> family.{p}val(tombac.array([0.0, 2.0]), family.{p}line(1, 3))
        array([1., 7.])
        """
        return _series.value(family, x, c, tensor)

    def val2d(x, y, c):
        """The values of {title} series in two variables, the sum of c[i, j] p_i(x) p_j(y), at points.

        Args:
            x, y: {X}; both have the same.
            c: Coefficients along the first two axes; the other axes are of several series.

        Returns:
            An array of the shape ``c.shape[2:] + x.shape``.

        Raises:
            ValueError: ``x`` and ``y`` have different shapes.
            TypeError: ``c`` is an array of NumPy's.

        >>> from tombac.polynomial import {module} as family
        >>> family.{p}val2d([1.0, 2.0], [3.0, 4.0], [[5.0]])
        array([5., 5.])
        """
        return joint("val2d", (x, y), c)

    def val3d(x, y, z, c):
        """The values of {title} series in three variables, the sum of c[i, j, k] p_i(x) p_j(y) p_k(z), at points.

        Args:
            x, y, z: {X}; all have the same.
            c: Coefficients along the first three axes; the other axes are of several series.

        Returns:
            An array of the shape ``c.shape[3:] + x.shape``.

        Raises:
            ValueError: ``x``, ``y`` and ``z`` have different shapes.
            TypeError: ``c`` is an array of NumPy's.

        >>> from tombac.polynomial import {module} as family
        >>> family.{p}val3d([1.0, 2.0], [3.0, 4.0], [0.0, 0.0], [[[5.0]]])
        array([5., 5.])
        """
        return joint("val3d", (x, y, z), c)

    def valnd(pts, c):
        """The values of {title} series in several variables at points.

        Args:
            pts: A sequence with the points' coordinates in each variable: {X}; all have the same.
            c: Coefficients along as many axes as there are variables; the other axes are of several series.

        Returns:
            An array of the shape ``c.shape[len(pts):] + pts[0].shape``.

        Raises:
            ValueError: Coordinates have different shapes.
            TypeError: ``c`` is an array of NumPy's.

        >>> from tombac.polynomial import {module} as family
        >>> family.{p}valnd(([1.0, 2.0], [3.0, 4.0]), [[5.0]])
        array([5., 5.])
        """
        return joint("valnd", tuple(pts), c)

    def grid2d(x, y, c):
        """The values of {title} series in two variables, at all pairs of a point of ``x`` and one of ``y``.

        Args:
            x, y: {X}.
            c: Coefficients along the first two axes; the other axes are of several series.

        Returns:
            An array of the shape ``c.shape[2:] + x.shape + y.shape``.

        Raises:
            TypeError: ``c`` is an array of NumPy's.

        >>> from tombac.polynomial import {module} as family
        >>> family.{p}grid2d([1.0, 2.0], [3.0, 4.0, 5.0], [[5.0]])
        array([[5., 5., 5.],
               [5., 5., 5.]])
        """
        return on_grid((x, y), c)

    def grid3d(x, y, z, c):
        """The values of {title} series in three variables, at all combinations of points of ``x``, ``y`` and ``z``.

        Args:
            x, y, z: {X}.
            c: Coefficients along the first three axes; the other axes are of several series.

        Returns:
            An array of the shape ``c.shape[3:] + x.shape + y.shape + z.shape``.

        Raises:
            TypeError: ``c`` is an array of NumPy's.

        >>> from tombac.polynomial import {module} as family
        >>> family.{p}grid3d([1.0, 2.0], [3.0, 4.0, 5.0], [0.0], [[[5.0]]]).shape
        (2, 3, 1)
        """
        return on_grid((x, y, z), c)

    return {"val": val, "val2d": val2d, "val3d": val3d, "valnd": valnd, "grid2d": grid2d, "grid3d": grid3d}


def _matrices(family):
    p = family.prefix

    def vander(x, deg):
        """The {title} polynomials of degrees 0 to ``deg`` at ``x``, along a new last axis.

        Args:
            x: {X}.
            deg: The highest degree, an int.

        Returns:
            An array of the shape ``x.shape + (deg + 1,)``; a number has the shape (1,).

        Raises:
            ValueError: ``deg`` is negative.
            TypeError: ``deg`` is no int, or ``x`` is an array of NumPy's.

        >>> from tombac.polynomial import {module} as family
        >>> family.{p}vander([0.0, 1.0], 0)
        array([[1.],
               [1.]])
        """
        x, n = _series.inexact(p + "vander", x), _series.degree(p + "vander", deg)
        return _series.moved(_core.stack(family.rows(x, n), 0), 0, x.ndim)

    def vander2d(x, y, deg):
        """Products of {title} polynomials p_i(x) p_j(y) along a new last axis, j the faster index.

        Args:
            x, y: {X}; they broadcast.
            deg: The highest degree for each variable, a sequence of two ints.

        Returns:
            An array of the points' shape and one axis of (deg[0] + 1) (deg[1] + 1).

        Raises:
            ValueError: ``deg`` has not two degrees, or a negative one.

        >>> from tombac.polynomial import {module} as family
        >>> family.{p}vander2d([0.0, 1.0], [2.0, 3.0], [1, 2]).shape
        (2, 6)
        """
        return _series.joint_rows(family, p + "vander2d", (x, y), deg)

    def vander3d(x, y, z, deg):
        """Products of {title} polynomials p_i(x) p_j(y) p_k(z) along a new last axis, k the fastest index.

        Args:
            x, y, z: {X}; they broadcast.
            deg: The highest degree for each variable, a sequence of three ints.

        Returns:
            An array of the points' shape and one axis of (deg[0] + 1) (deg[1] + 1) (deg[2] + 1).

        Raises:
            ValueError: ``deg`` has not three degrees, or a negative one.

        >>> from tombac.polynomial import {module} as family
        >>> family.{p}vander3d([0.0], [2.0], [4.0], [1, 2, 3]).shape
        (1, 24)
        """
        return _series.joint_rows(family, p + "vander3d", (x, y, z), deg)

    def fit_points(x, y, deg, rcond=None, full=False, w=None):
        """The {title} series that has the least squared distance from points.

        Args:
            x: The points, a vector of n elements.
            y: Values at the points: a vector of n, or a matrix of n rows whose columns are fitted one by one.
            deg: The degree, or a sequence of the degrees that the series has.
            rcond: Singular values below this part of the largest one count as zero; n times the machine's epsilon.
            full: Return ``(coefficients, [residuals, rank, singular values, rcond])``.
            w: Weights of the distances (not of their squares), a vector of n elements.

        Returns:
            An array, or a tuple if ``full``: coefficients, the lowest degree first, a column for each of ``y``.

        Raises:
            TypeError: ``deg`` is no int, shapes do not match, ``x`` is empty, or an argument is an array of NumPy's.
            ValueError: A degree is negative.

        A RankWarning says that the points do not determine the series.

        >>> from tombac.polynomial import {module} as family
        >>> x = tombac.arange(5.0)
        >>> family.{p}val(2.0, family.{p}fit(x, x * 2 + 1, 1)).round(9)
        array(5.)
        """
        return _series.fit(family, x, y, deg, rcond, full, w)

    def companion(c):
        """The matrix whose eigenvalues are the zeros of a {title} series.

        Args:
            c: {C}: coefficients, the lowest degree first.

        Returns:
            An array of as many rows and columns as the degree. It is symmetric for a single polynomial of a family
            that is orthogonal.

        Raises:
            ValueError: The degree is 0, or coefficients are empty or have more than one dimension.
            TypeError: They are an array of NumPy's.

        >>> from tombac.polynomial import {module} as family
        >>> family.{p}companion(family.{p}line(-6.0, 2.0))
        array([[3.]])
        """
        (c,) = as_series([c])
        if c.size < 2:
            raise ValueError(f"{p}companion: the series must have a degree of at least one")
        return family.companion(c)

    def roots(c):
        """The zeros of a {title} series: eigenvalues of its companion matrix.

        Args:
            c: {C}: coefficients, the lowest degree first.

        Returns:
            {S}, in ascending order; it is complex if a zero is.

        Raises:
            {CE}

        >>> from tombac.polynomial import {module} as family
        >>> family.{p}roots(family.{p}fromroots([1.0, 3.0])).round(9)
        array([1., 3.])
        """
        (c,) = as_series([c])
        return family.roots(c)

    def fromroots(roots):
        """The {title} series that has given zeros: that of the product of all x - r.

        Args:
            roots: {C}: the zeros.

        Returns:
            {S}: one coefficient more than there are zeros.

        Raises:
            ValueError: ``roots`` has more than one dimension.
            TypeError: It is an array of NumPy's.

        >>> from tombac.polynomial import {module} as family
        >>> family.{p}val([1.0, 2.0, 4.0], family.{p}fromroots([1.0, 2.0])).round(9)
        array([0., 0., 6.])
        """
        return family.from_roots(device_array(p + "fromroots", roots))

    return {"vander": vander, "vander2d": vander2d, "vander3d": vander3d, "fit": fit_points, "companion": companion,
            "roots": roots, "fromroots": fromroots}


def _power_functions(family):
    def valfromroots(x, r, tensor=True):
        """The values at ``x`` of the polynomial with the zeros ``r`` along the first axis: the product of x - r.

        Args:
            x: {X}.
            r: The zeros along the first axis; the other axes are of several polynomials.
            tensor: Every polynomial at every point; if false, ``x`` broadcasts to the polynomials.

        Returns:
            An array of the shape ``r.shape[1:] + x.shape``, or ``r.shape[1:]`` if not ``tensor``.

        Raises:
            ValueError: ``x`` has not fewer dimensions than ``r``, if not ``tensor``.
            TypeError: ``r`` is an array of NumPy's.

        >>> from tombac.polynomial import {module} as family
        >>> family.polyvalfromroots(tombac.array([0.0, 3.0]), tombac.array([1.0, 2.0]))
        array([2., 2.])
        """
        r = _series.coefficients("polyvalfromroots", r)
        x = _core.asarray(x)
        if tensor:
            r = r.reshape(r.shape + (1,) * x.ndim)
        elif x.ndim >= r.ndim:
            raise ValueError("polyvalfromroots: x must have fewer dimensions than r if not tensor")
        return (x - r).prod(0)

    return {"valfromroots": valfromroots}


def _orthogonal_functions(family, weight_function):
    p = family.prefix

    def to_power(c):
        """A {title} series as a series of powers.

        Args:
            c: {C}: coefficients, the lowest degree first.

        Returns:
            {S}: coefficients of powers of x.

        Raises:
            {CE}

        >>> from tombac.polynomial import {module} as family
        >>> family.{p}2poly(family.{p}line(3, 4))
        array([3., 4.])
        """
        (c,) = as_series([c])
        return c if c.size == 1 else trimseq(family.combine(c, _core.ones(1, c.dtype), _family.POWER))

    def from_power(pol):
        """A series of powers as a {title} series.

        Args:
            pol: {C}: coefficients, the lowest power first.

        Returns:
            {S}: coefficients of {title} polynomials.

        Raises:
            {CE}

        >>> from tombac.polynomial import {module} as family
        >>> family.{p}val(2.0, family.poly2{p}([1, 2, 3])).round(9)
        array(17.)
        """
        c = _family.doubled(as_series([pol])[0])
        return trimseq(_family.POWER.combine(c, _core.ones(1, c.dtype), family))

    def gauss(deg):
        """The points and weights of Gauss' quadrature for the weight of {title} polynomials.

        They depend on nothing but the number of points, and NumPy computes them on the host.

        Args:
            deg: How many points: sums are exact for polynomials of a degree up to 2 ``deg`` - 1.

        Returns:
            A tuple of two arrays of ``deg`` elements: points and weights.

        Raises:
            ValueError: ``deg`` is not positive.

        >>> from tombac.polynomial import {module} as family
        >>> (x, w), (y, v) = family.{p}gauss(3), family.{p}gauss(2)
        >>> abs((x**3 * w).sum() - (y**3 * v).sum()).item() < 1e-9
        True
        """
        name = {"cheb": "chebyshev", "leg": "legendre", "lag": "laguerre", "herm": "hermite", "herme": "hermite_e"}[p]
        points_and_weights = getattr(getattr(np.polynomial, name), p + "gauss")(_core._on_host(deg))
        return tuple([_core.asarray(a) for a in points_and_weights])

    def weight(x):
        """The weight for which {title} polynomials are orthogonal: {weight}.

        Args:
            x: {X}.

        Returns:
            An array of ``x``'s shape.

        Raises:
            TypeError: ``x`` is an array of NumPy's.

        >>> from tombac.polynomial import {module} as family
        >>> family.{p}weight(tombac.array([0.0]))
        array([1.])
        """
        return weight_function(device_array(p + "weight", x))

    return {"2poly": to_power, "poly2": from_power, "gauss": gauss, "weight": weight}


def _named(functions, family, module, weight=""):
    """The functions with their names and docstrings, as functions of the module."""
    for key, f in list(functions.items()):
        name = key + family.prefix if key == "poly2" else family.prefix + key
        f.__name__ = f.__qualname__ = name
        f.__module__ = "tombac.polynomial." + module
        words = {"p": family.prefix, "title": family.title, "module": module, "weight": weight, **_ABOUT}
        for word, text in words.items():
            f.__doc__ = f.__doc__.replace("{" + word + "}", text.replace("\n", "\n" + " " * 12))
        yield name, f


def functions(family, module, weight_function=None, weight=""):
    """{name: function} of everything that a family's module has in common with the others."""
    found = _arithmetic(family) | _calculus(family) | _values(family) | _matrices(family)
    found |= _orthogonal_functions(family, weight_function) if weight_function else _power_functions(family)
    return dict(_named(found, family, module, weight)) | {family.prefix + "trim": trimcoef}


def names(family, made):
    """What a family's module exports of what was made: functions, and the constants of __getattr__."""
    return [*made, *(family.prefix + name for name in ("domain", "zero", "one", "x"))]


def constants(family, module):
    """A module's __getattr__, which makes its constant arrays on the device that is current when they are asked for."""
    values = {"domain": list(family.domain), "zero": [0], "one": [1], "x": family.line(0, 1)}
    values = {family.prefix + name: value for name, value in values.items()}

    def get(name):
        if name in values:
            return _core.asarray(values[name])
        raise AttributeError(f"module {module!r} has no attribute {name!r}", name=name)

    return get
