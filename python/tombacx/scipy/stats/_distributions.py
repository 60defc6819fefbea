"""Distributions, as rows: what is known of each is said once, of its standard form, and moved and scaled by all alike.

Densities and distribution functions are expressions over special functions, which fuse with what their arguments are
computed from. The formulas are those of Johnson, Kotz and Balakrishnan, Continuous Univariate Distributions, and of
Johnson, Kemp and Kotz, Univariate Discrete Distributions.
"""

import functools
import inspect

import tombac
from tombac._core import where
from tombac._numpy import np
from tombacx.scipy.stats._expectations import ContinuousExpectations, DiscreteExpectations
from tombacx.scipy.stats._fitting import Fitting
from tombacx.scipy.stats._roots import root
from tombacx.scipy.stats._sampling import Sampling, WithState

__all__ = ["Continuous", "Discrete", "Distribution", "Frozen"]

_WIDEST = 1 << 1023  # the greatest power of two among doubles
_STEPS = 64  # of a bisection: more than doubles have bits
_NEARLY, _ROUNDING = 2.0**-30, 2.0**-50  # how far off Newton's last step begins, and how far off sums are anyway

_DOC = """The {title}.

Its parameters: {shapes}``loc``, by which it is moved{scale}. They and the points broadcast; where a parameter is not
allowed, results are NaN. They are of float64.

Args:
    args: {given}; what pdf and the others take behind the points.
    kwds: The same, by their names.

Returns:
    An object with these parameters, whose functions take the points alone.

Raises:
    TypeError: A parameter is missing, or there are too many.

>>> tombacx.scipy.stats.{example}
"""


class Distribution(Sampling):
    """A distribution: cdf sf ppf isf logcdf logsf mean var std median interval support rvs.

    Rows give functions of points in the standard form and of the parameters: the logarithm of the density (``log``),
    ``cdf``, and what else is not exact enough made of these: ``ppf`` is searched for where there is none, and of
    ``mean``, ``var``, ``skew`` and ``kurt`` those that are not given are made of the moments about 0 (``raw``), or are
    integrals. A density that ``vanishes`` at the ends of its support is 0 there, where terms of ``log`` may be infinite
    with both signs. Rows of whole numbers may give ``near_ppf`` and ``near_isf``, real numbers that need but be
    rounded up. Rows may give ``rvs``, which draws faster than by ``ppf``, and ``fit``, a formula for the most probable
    parameters.
    """

    scaled = True  # whether there is a scale

    def __init__(self, name, title, shapes, support, example, allowed=None, vanishes=False,
                 **functions):
        self.name, self._shapes = name, shapes.split()
        self._names = [*self._shapes, "loc", *(["scale"] if self.scaled else [])]
        self._support, self._allowed, self._functions = support, allowed, functions
        self._vanishes = vanishes
        listed = "".join(f"``{shape}``, " for shape in self._shapes)
        scale = " and ``scale``, by which it is stretched" if self.scaled else ""
        given = ", ".join(self._names)
        self.__doc__ = _DOC.format(title=title, shapes=listed, scale=scale, given=given, example=f"{name}.{example}")
        self.__name__ = name

    def __repr__(self):
        return f"<tombacx.scipy.stats.{self.name}>"

    def __reduce__(self):
        return _by_name, (self.name,)

    def __call__(self, *args, **kwds):
        for value in self._given(args, kwds).values():
            _real(self.name, value)
        return Frozen(self, args, kwds)

    def freeze(self, *args, **kwds):
        """The distribution with parameters: an object whose functions take the points alone."""
        return self(*args, **kwds)

    @property
    def numargs(self):
        """The number of shapes."""
        return len(self._shapes)

    @property
    def shapes(self):
        """The names of the shapes, a str; None without any."""
        return ", ".join(self._shapes) or None

    # ---- parameters --------------------------------------------------------------------------------------------------

    def _given(self, args, kwds):
        """The parameters that are given, by their names."""
        names = self._names
        if len(args) > len(names):
            raise TypeError(f"{self.name}: at most {len(names)} parameters are expected, not {len(args)}")
        values = dict(zip(names, args, strict=False))
        for name, value in kwds.items():
            if name not in names:
                raise TypeError(f"{self.name}: no parameter is called {name!r}")
            values[name] = value
        for name in self._shapes:
            if name not in values:
                raise TypeError(f"{self.name}: the parameter {name!r} is missing")
        return values

    def _parameters(self, args, kwds):
        """The shapes' arrays, the place and the scale."""
        values = self._given(args, kwds)
        shapes = [_real(self.name, values[name]) for name in self._shapes]
        return shapes, _real(self.name, values.get("loc", 0.0)), _real(self.name, values.get("scale", 1.0))

    def _good(self, shapes, scale):
        """Where all parameters are allowed."""
        good = scale > 0
        if self._allowed is not None:
            return good & self._allowed(*shapes)
        for shape in shapes:
            good = good & (shape > 0)
        return good

    def _ends(self, shapes):
        return self._support(*shapes) if callable(self._support) else self._support

    # ---- functions of points -----------------------------------------------------------------------------------------

    def _at(self, x, args, kwds, inside, below, above, before=tombac.less):
        """A function of points: ``inside`` the support, and numbers below and above it, which is what ``before`` says.
        """
        shapes, loc, scale = self._parameters(args, kwds)
        x = _real(self.name, x)
        moved = self._moves(args, kwds)
        if moved:
            x = (x - loc) / scale
        low, high = self._ends(shapes)
        under, over = _out(before, x, low, -np.inf), _out(before, x, high, np.inf)
        known = self._good(shapes, scale) & (x == x)
        if not (isinstance(high, float) and high == np.inf):  # logarithms of what is not inside take long
            numbers = isinstance(low, int | float) and isinstance(high, int | float)
            x = where(under | over, _middle(low, high) if numbers else (low + high) / 2, x)
        result = where(under, below, where(over, above, inside(x, shapes, scale if moved else None)))
        return where(known, result, np.nan)

    def _moves(self, args, kwds):
        """Whether a place or a scale is given."""
        return len(args) + len(kwds) > len(self._shapes)

    def _cdf(self, x, shapes):
        return self._functions["cdf"](x, *shapes)

    def _sf(self, x, shapes):
        sf = self._functions.get("sf")
        return 1 - self._cdf(x, shapes) if sf is None else sf(x, *shapes)

    def cdf(self, x, *args, **kwds):
        """The probability of what is not greater than points."""
        return self._at(x, args, kwds, lambda x, shapes, _: self._cdf(x, shapes), 0.0, 1.0, self._before)

    def sf(self, x, *args, **kwds):
        """The probability of what is greater than points."""
        return self._at(x, args, kwds, lambda x, shapes, _: self._sf(x, shapes), 1.0, 0.0, self._before)

    def _logarithm(self, name, of, x, args, kwds, below, above):
        own = self._functions.get(name)
        return self._at(x, args, kwds, lambda x, shapes, _: own(self._step(x), *shapes) if own
                        else tombac.log(of(x, shapes)), below, above, self._before)

    def logcdf(self, x, *args, **kwds):
        """The logarithm of cdf."""
        return self._logarithm("logcdf", self._cdf, x, args, kwds, -np.inf, 0.0)

    def logsf(self, x, *args, **kwds):
        """The logarithm of sf."""
        return self._logarithm("logsf", self._sf, x, args, kwds, 0.0, -np.inf)

    # ---- numbers -----------------------------------------------------------------------------------------------------

    def _number(self, name, args, kwds, power, shift):
        shapes, loc, scale = self._parameters(args, kwds)
        value = self._standard(name, shapes)
        return where(self._good(shapes, scale), value * scale**power + (loc if shift else 0 * loc), np.nan)

    def mean(self, *args, **kwds):
        """The mean."""
        return self._number("mean", args, kwds, 1, True)

    def var(self, *args, **kwds):
        """The variance."""
        return self._number("var", args, kwds, 2, False)

    def std(self, *args, **kwds):
        """The standard deviation."""
        return tombac.sqrt(self.var(*args, **kwds))

    def median(self, *args, **kwds):
        """The median."""
        return self.ppf(0.5, *args, **kwds)

    def interval(self, confidence, *args, **kwds):
        """The middle part that has a probability: a tuple of arrays, its ends."""
        tail = (1 - _real(self.name, confidence)) / 2
        return self.ppf(tail, *args, **kwds), self.ppf(1 - tail, *args, **kwds)

    def support(self, *args, **kwds):
        """The ends of where the density is not 0: a tuple of arrays."""
        shapes, loc, scale = self._parameters(args, kwds)
        good = self._good(shapes, scale)
        return tuple(where(good, end * scale + loc, np.nan) for end in self._ends(shapes))


class Continuous(ContinuousExpectations, Fitting, Distribution):
    """A distribution with a density."""

    _before = staticmethod(tombac.less_equal)  # nothing has the probability of an end

    @staticmethod
    def _step(x):
        return x

    def _inverted(self, q, shapes):
        own = self._functions.get("ppf")
        return own(q, *shapes) if own else self._solved(q, shapes, self._cdf, 1)

    def _inverted_above(self, q, shapes):
        own = self._functions.get("isf")
        if own:
            return own(q, *shapes)
        if "ppf" in self._functions:
            return self._functions["ppf"](1 - q, *shapes)
        return self._solved(q, shapes, self._sf, -1)

    def _solved(self, q, shapes, part, direction):
        """The least points within the support at which cdf is not less than ``q``, or sf not greater.

        By Newton's steps of the part's log-odds, which are nearly straight lines in most tails.
        """
        low, high = (tombac.asarray(end, "d") for end in self._ends(shapes))

        def towards(x):
            p = part(x, shapes)
            off = (p - q) / (q * (1 - p))
            density = tombac.exp(self._functions["log"](x, *shapes))
            better = x - direction * tombac.log1p(off) * p * (1 - p) / density
            exact = (abs(p - q) <= q * tombac.maximum(_NEARLY * (1 - p), _ROUNDING)) & (density > 0)
            return direction * (p - q), better, exact

        return root(towards, _middle(low, high, where), low, high, ~self._good(shapes, tombac.array(1.0)))

    @staticmethod
    def _moved(x, loc, scale):
        return x * scale + loc

    def _logdensity(self, x, shapes, scale):
        value = self._functions["log"](x, *shapes)
        if scale is not None:
            value = value - tombac.log(scale)
        if self._vanishes:
            low, high = self._ends(shapes)
            value = where((low < x) & (x < high), value, -np.inf)
        return value

    def pdf(self, x, *args, **kwds):
        """The density at points."""
        return self._at(x, args, kwds, lambda *given: tombac.exp(self._logdensity(*given)), 0.0, 0.0)

    def logpdf(self, x, *args, **kwds):
        """The logarithm of the density at points."""
        return self._at(x, args, kwds, self._logdensity, -np.inf, -np.inf)

    def _quantile(self, q, args, kwds, inside, at_0, at_1):
        """Where probabilities are reached; ``at_0`` and ``at_1`` say which ends of the support belong to 0 and to 1."""
        shapes, loc, scale = self._parameters(args, kwds)
        q = _real(self.name, q)
        ends = self._ends(shapes)
        inner = where((q > 0) & (q < 1), q, 0.5)
        result = where(q == 0, ends[at_0], where(q == 1, ends[at_1], inside(inner, shapes)))
        good = self._good(shapes, scale) & (q >= 0) & (q <= 1)
        return where(good, result * scale + loc if self._moves(args, kwds) else result, np.nan)

    def ppf(self, q, *args, **kwds):
        """The points at which cdf has values: quantiles."""
        return self._quantile(q, args, kwds, self._inverted, 0, 1)

    def isf(self, q, *args, **kwds):
        """The points at which sf has values."""
        return self._quantile(q, args, kwds, self._inverted_above, 1, 0)


class Discrete(DiscreteExpectations, Distribution):
    """A distribution of whole numbers, whose density is the probability of each."""

    scaled = False
    _before, _step = staticmethod(tombac.less), staticmethod(tombac.floor)

    def _inverted(self, u, shapes):
        return self.ppf(u, *shapes)

    @staticmethod
    def _moved(x, loc, scale):
        return (x + loc).astype("l")

    def _logdensity(self, x, shapes, scale):
        return where(x == tombac.floor(x), self._functions["log"](x, *shapes), -np.inf)

    def _cdf(self, x, shapes):
        return self._functions["cdf"](tombac.floor(x), *shapes)

    def _sf(self, x, shapes):
        sf = self._functions.get("sf")
        return 1 - self._cdf(x, shapes) if sf is None else sf(tombac.floor(x), *shapes)

    def pmf(self, k, *args, **kwds):
        """The probability of whole numbers; 0 of others."""
        return self._at(k, args, kwds, lambda *given: tombac.exp(self._logdensity(*given)), 0.0, 0.0)

    def logpmf(self, k, *args, **kwds):
        """The logarithm of pmf."""
        return self._at(k, args, kwds, self._logdensity, -np.inf, -np.inf)

    def cdf(self, k, *args, **kwds):
        """The probability of what is not greater than points."""
        return super().cdf(k, *args, **kwds)

    def sf(self, k, *args, **kwds):
        """The probability of what is greater than points."""
        return super().sf(k, *args, **kwds)

    def logcdf(self, k, *args, **kwds):
        """The logarithm of cdf."""
        return super().logcdf(k, *args, **kwds)

    def logsf(self, k, *args, **kwds):
        """The logarithm of sf."""
        return super().logsf(k, *args, **kwds)

    def _quantile(self, q, args, kwds, inside, at_0, at_1):
        shapes, loc, scale = self._parameters(args, kwds)
        q = _real(self.name, q)
        low, high = self._ends(shapes)
        ends = low - 1, high
        inner = where((q > 0) & (q < 1), q, 0.5)
        good = self._good(shapes, scale) & (q >= 0) & (q <= 1)
        result = where(q == 0, ends[at_0], where(q == 1, ends[at_1], inside(inner, shapes)))
        return where(good, result + loc if self._moves(args, kwds) else result, np.nan)

    def ppf(self, q, *args, **kwds):
        """The least whole numbers at which cdf is not less than values."""
        return self._quantile(q, args, kwds, lambda q, shapes: self._found(
            "ppf", q, shapes, lambda k: self._functions["cdf"](k, *shapes) >= q), 0, 1)

    def isf(self, q, *args, **kwds):
        """The least whole numbers at which sf is not greater than values."""
        return self._quantile(q, args, kwds, lambda q, shapes: self._found(
            "isf", q, shapes, lambda k: self._sf(k, shapes) <= q), 1, 0)

    def _found(self, name, q, shapes, reached):
        """What is the row's, or the least number that is ``reached``: beside the row's ``near``, or of all."""
        own, near = self._functions.get(name), self._functions.get("near_" + name)
        if own:
            return own(q, *shapes)
        if not near:
            return self._least(shapes, reached)
        start, end = self._ends(shapes)
        k = tombac.clip(tombac.ceil(near(q, *shapes)), start, end)
        less = tombac.maximum(k - 1, start)
        return where(reached(less), less, where(reached(k), k, tombac.minimum(k + 1, end)))  # but for rounding

    def _least(self, shapes, reached):
        """By bisection, between distances from the support's low end one of which is twice the other.

        Of so many steps that no function of doubles tells what is left apart.
        """
        start, end = self._ends(shapes)
        bad, nothing = self._bad(shapes), 0 * sum(shapes)
        low, high, width = start - 1 + nothing, tombac.minimum(start + 1, end) + nothing, 1
        while True:
            done = reached(high) | (high >= end) | bad
            if width == _WIDEST or done.all():
                break
            width *= 2
            low, high = where(done, low, high), where(done, high, tombac.minimum(start + width, end))
        for _ in range(min(width.bit_length() + 1, _STEPS)):
            middle = tombac.floor(low / 2 + high / 2)
            yes = reached(middle) & (middle >= start)
            low, high = where(yes, low, middle), where(yes, middle, high)
        return high

    def _bad(self, shapes):
        return ~self._good(shapes, tombac.array(1.0))


def _by_name(name):
    from tombacx.scipy import stats

    return getattr(stats, name)


class Frozen(WithState):
    """A distribution with parameters: its functions take the points alone."""

    def __init__(self, dist, args, kwds):
        self.dist, self.args, self.kwds = dist, args, kwds

    def __repr__(self):
        given = [*map(repr, self.args), *(f"{name}={value!r}" for name, value in self.kwds.items())]
        return f"tombacx.scipy.stats.{self.dist.name}({', '.join(given)})"

    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(name)
        f = getattr(self.dist, name)
        return functools.partial(_frozen_call, f, self.args, self.kwds) if callable(f) else f

    def rvs(self, size=None, random_state=None):
        """Random numbers, an array of the shape ``size``: the distribution's ``rvs``."""
        random_state = self.random_state if random_state is None else random_state
        return self.dist.rvs(*self.args, size=size, random_state=random_state, **self.kwds)

    def stats(self, moments="mv"):
        """Mean, variance, skewness and kurtosis: the distribution's ``stats``."""
        return self.dist.stats(*self.args, moments=moments, **self.kwds)

    def expect(self, func=None, lb=None, ub=None, conditional=False):
        """The expectation of a function: the distribution's ``expect``."""
        return self.dist.expect(func, *self.args, lb=lb, ub=ub, conditional=conditional, **self.kwds)


def _frozen_call(f, args, kwds, *points, **options):
    """The parameters stand behind the points, whichever way these are given."""
    if options and not points:
        names = next(iter(inspect.signature(f).parameters)), "x"  # SciPy's name for k too, of some functions
        points = tuple(options.pop(name) for name in names[:1 + (names[0] != "x")] if name in options)
    return f(*points, *args, **kwds, **options)


def _out(before, x, end, infinity):
    """Where x is ``infinity``, or past the end of the support on that side: as ``before`` says for the end itself."""
    past = before(x, end) if infinity < 0 else before(end, x)
    if before is tombac.less_equal or isinstance(end, int | float) and abs(end) < np.inf:
        return past
    return (x == infinity) | past


def _middle(low, high, choose=lambda condition, a, b: a if condition else b):
    """Between the ends of a support, near the one that is finite, or 0; of arrays by ``where``."""
    first = choose(low > -np.inf, low, choose(high < np.inf, high - 2, -1.0))
    return (first + choose(high < np.inf, high, first + 2)) / 2


def _real(name, x):
    if type(x) in (int, float):
        return tombac.asarray(x, "d")
    x = tombac.asarray(x)
    if x.dtype.kind not in "biuf":
        raise TypeError(f"{name}: real numbers are expected, not {x.dtype}")
    return x.astype("d", copy=False)
