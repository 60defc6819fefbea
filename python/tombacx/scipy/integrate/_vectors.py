"""Integrals of functions whose values are arrays, by rules of Gauss and Kronrod over intervals that are halved.

Rules and estimates of the error are those of QUADPACK (Piessens, de Doncker-Kapenga, Ueberhuber and Kahaner, 1983);
so is what makes an infinite interval finite. The values of an interval are summed by one kernel, and the host waits
once for the errors of all intervals that are halved together.
"""

import heapq
import math
import types

import tombac
from tombac._numpy import np

__all__ = ["quad_vec"]

# Nodes that are not negative, with their weights in Kronrod's rule and in that of Gauss.
_KRONROD_15 = (
    (0.9914553711208126, 0.022935322010529224, 0), (0.9491079123427585, 0.06309209262997856, 0.1294849661688697),
    (0.8648644233597691, 0.10479001032225019, 0), (0.7415311855993945, 0.14065325971552592, 0.27970539148927664),
    (0.5860872354676911, 0.1690047266392679, 0), (0.4058451513773972, 0.19035057806478542, 0.3818300505051189),
    (0.20778495500789848, 0.20443294007529889, 0), (0.0, 0.20948214108472782, 0.4179591836734694))
_KRONROD_21 = (
    (0.9956571630258081, 0.011694638867371874, 0), (0.9739065285171717, 0.032558162307964725, 0.06667134430868814),
    (0.9301574913557082, 0.054755896574351995, 0), (0.8650633666889845, 0.07503967481091996, 0.1494513491505806),
    (0.7808177265864169, 0.0931254545836976, 0), (0.6794095682990244, 0.10938715880229764, 0.21908636251598204),
    (0.5627571346686047, 0.12349197626206584, 0), (0.4333953941292472, 0.13470921731147334, 0.26926671930999635),
    (0.2943928627014602, 0.14277593857706009, 0), (0.14887433898163122, 0.14773910490133849, 0.29552422471475287),
    (0.0, 0.1494455540029169, 0))
_TOGETHER = 128  # intervals at most
_EPS, _TINY = np.finfo("d").eps, np.finfo("d").tiny
_MESSAGES = {
    0: "The error is as small as asked for.", 1: "The greatest number of intervals is reached.",
    2: "The error is as small as rounding lets it be.", 3: "The function's values are not finite.",
}


def quad_vec(f, a, b, epsabs=1e-200, epsrel=1e-8, norm="2", cache_size=100e6, limit=10000, workers=1, points=None,
             quadrature=None, full_output=False, *, args=()):
    """The integral of a function of a number, whose values are arrays.

    Args:
        f: A function of a float that gives an array of the device, real or complex and always of one shape, or a
            number.
        a, b: The limits: numbers, which may be infinite.
        epsabs: How great the error's norm may be.
        epsrel: How great it may be by the integral's norm.
        norm: 'max' or '2': which norm arrays are measured by.
        cache_size: Taken and without effect.
        limit: How many intervals there may be.
        workers: Taken and without effect.
        points: Numbers at which the interval is cut to begin with, a sequence; none if None.
        quadrature: 'gk21', 'gk15' or 'trapezoid'; 'gk15' for infinite limits if None, else 'gk21'.
        full_output: Whether ``info`` is wanted.
        args: Further arguments of ``f``: a tuple.

    Returns:
        A tuple (integral, error), an array and a float; with ``full_output`` also ``info``, with the attributes
        ``success``, ``status``, ``message``, ``neval``, and of the intervals ``intervals``, ``integrals`` and
        ``errors``, arrays.

    Raises:
        ValueError: There is no such norm or rule, or a limit is NaN.

    >>> tombacx.scipy.integrate.quad_vec(lambda x: x ** tombac.arange(3.0), 0.0, 1.0)[0].round(6)
    array([1.      , 0.5     , 0.333333])
    """
    a, b = float(a), float(b)
    if math.isnan(a) or math.isnan(b):
        raise ValueError(f"quad_vec: limits must be numbers, not {a} and {b}")
    if norm not in _NORMS:
        raise ValueError(f"quad_vec: norm must be 'max' or '2', not {norm!r}")
    infinite = math.isinf(a) or math.isinf(b)
    rule = quadrature or ("gk15" if infinite else "gk21")
    if rule not in _RULES:
        raise ValueError(f"quad_vec: quadrature must be 'gk21', 'gk15' or 'trapezoid', not {quadrature!r}")
    values, cuts, sign = _Values(f, args), sorted(map(float, points or ())), 1.0
    if a > b:
        a, b, sign = b, a, -1.0
    cuts = [a, *(p for p in cuts if a < p < b), b]
    if infinite:
        values, cuts = _finite(values, cuts, a, b)
    search = _Search(values, _RULES[rule], _NORMS[norm])
    status = search.run(list(zip(cuts[:-1], cuts[1:], strict=True)), epsabs, epsrel, limit) if a < b else 0
    if a < b:
        integral = tombac.asarray(sign * search.total)
    else:
        integral = tombac.asarray(0.0 * values(a if math.isfinite(a) else 0.0))
    if not full_output:
        return integral, search.error + search.rounding
    kept = search.parts
    info = types.SimpleNamespace(
        success=status == 0, status=status, message=_MESSAGES[status], neval=values.count,
        intervals=tombac.array([part[1] for part in kept], "d").reshape(-1, 2),
        integrals=(tombac.stack([tombac.asarray(part[2]) for part in kept]) if kept
                   else tombac.zeros((0, *integral.shape))),
        errors=tombac.array([-part[0][0] for part in kept], "d"))
    return integral, search.error + search.rounding, info


class _Values:
    """A function whose values are arrays of float64 or complex128, or Python's floats where it gives such, and how
    often it was called."""

    def __init__(self, f, args):
        self._f, self._args, self.count = f, args, 0

    def __call__(self, x):
        self.count += 1
        value = self._f(x, *self._args)
        if type(value) is float:
            return value
        value = tombac.asarray(value)
        return value.astype("D" if value.dtype.kind == "c" else "d", copy=False)


class _Changed:
    """A function of another variable, which is finite."""

    def __init__(self, values, f):
        self._values, self._f = values, f

    @property
    def count(self):
        return self._values.count

    def __call__(self, t):
        return self._f(self._values, t)


def _finite(values, cuts, low, high):
    """A function and the ends of intervals of a finite variable t, by x = (1 - t) / t on either side of a number."""
    def half(sign, start):
        def changed(f, t):
            t = max(t, 1e-154)  # whose square is a number
            return f(start + sign * (1 - t) / t) / (t * t)
        return changed

    def whole(f, t):
        size = max(abs(t), 1e-154)
        return f(math.copysign((1 - size) / size, t)) / (size * size)

    if math.isinf(low) and math.isinf(high):
        return _Changed(values, whole), sorted({-1.0, 0.0, 1.0, *(math.copysign(1 / (1 + abs(c)), c)
                                                                  for c in cuts[1:-1])})
    sign, start = (1.0, low) if math.isinf(high) else (-1.0, high)
    return _Changed(values, half(sign, start)), sorted(1 / (1 + abs(c - start)) for c in cuts)


def _kronrod(rows):
    nodes = [(-x, k, g) for x, k, g in rows if x] + [*reversed(rows)]

    def rule(f, a, b):
        """The integral, and arrays that say how exact it is: the difference of rules, the variation, the size."""
        middle, half = a + (b - a) / 2, (b - a) / 2
        values = [f(middle + half * x) for x, _, _ in nodes]
        fine = sum(k * v for (_, k, _), v in zip(nodes, values, strict=True))
        coarse = sum(g * v for (_, _, g), v in zip(nodes, values, strict=True) if g)
        size = sum(k * abs(v) for (_, k, _), v in zip(nodes, values, strict=True))
        varied = sum(k * abs(v - fine / 2) for (_, k, _), v in zip(nodes, values, strict=True))
        return half * fine, half * (fine - coarse), half * varied, 50 * _EPS * half * size
    return rule


def _trapezoid(f, a, b):
    first, middle, last = f(a), f(a + (b - a) / 2), f(b)
    fine, h = (first + 2 * middle + last) / 4, b - a
    size = (abs(first) + 2 * abs(middle) + abs(last)) / 4
    return h * fine, h / 3 * (fine - (first + last) / 2), 0.0 * size, 2 * _EPS * h * size


_RULES = {"gk15": _kronrod(_KRONROD_15), "gk21": _kronrod(_KRONROD_21), "trapezoid": _trapezoid}
_NORMS = {"2": lambda x: tombac.sqrt(tombac.square(abs(x)).sum()),
          "max": lambda x: abs(x).max() if x.size else tombac.zeros(())}


def _numbers(found):
    """Floats, and arrays without dimensions, as floats; the host waits for all arrays together."""
    if set(map(type, found)) == {float}:
        return found
    return tombac.stack([tombac.asarray(x) for x in found]).tolist()


class _Search:
    """Intervals with their integrals, the least exact of them first: ((-error, number), ends, integral, rounding)."""

    def __init__(self, f, rule, norm):
        self._f, self._rule, self._norm = f, rule, norm
        self.parts, self.total, self._made = [], None, 0
        self.size = self.error = self.rounding = 0.0

    def _size(self, x):
        return abs(x) if type(x) is float else self._norm(x)

    def _measured(self, intervals, replaced=None):
        found = [self._rule(self._f, a, b) for a, b in intervals]
        integrals = [f[0] for f in found]
        total = sum(integrals)
        if replaced is not None:
            total = self.total + (total - sum(part[2] for part in replaced))
        *norms, self.size = _numbers([*(self._size(x) for f in found for x in f[1:]), self._size(total)])
        self.total, parts = total, []
        for i, ends in enumerate(intervals):
            error, varied, rounding = norms[3 * i:3 * i + 3]
            if varied and error:
                error = varied * min(1.0, (200 * error / varied) ** 1.5)
            if rounding > _TINY:
                error = max(error, rounding)
            self._made += 1
            parts.append(((-error, self._made), ends, integrals[i], rounding))
        return parts

    def run(self, intervals, epsabs, epsrel, limit):
        self.parts = self._measured(intervals)
        heapq.heapify(self.parts)
        self._sums()
        while True:
            tolerance = max(epsabs, epsrel * self.size)
            if not (math.isfinite(self.error) and math.isfinite(self.rounding)):
                return 3
            if self.error < tolerance / 8:
                return 0
            if self.error <= self.rounding:
                return 2
            if len(self.parts) >= limit:
                return 1
            self._halve(self.error - tolerance / 8, min(_TOGETHER, limit - len(self.parts)))

    def _halve(self, excess, most):
        """Halves the intervals that have most of the error."""
        taken, covered = [], 0.0
        while self.parts and len(taken) < most and (not taken or covered <= excess):
            taken.append(heapq.heappop(self.parts))
            covered -= taken[-1][0][0]
        ends = [half for _, (a, b), _, _ in taken for half in ((a, a + (b - a) / 2), (a + (b - a) / 2, b))]
        for part in self._measured(ends, taken):
            heapq.heappush(self.parts, part)
        self._sums()

    def _sums(self):
        known = all(math.isfinite(part[0][0]) and math.isfinite(part[3]) for part in self.parts)
        self.error = math.fsum(-part[0][0] for part in self.parts) if known else math.nan
        self.rounding = math.fsum(part[3] for part in self.parts) if known else math.nan
