"""Families whose functions are integrals of densities, or have them for constants: a row for each.

Integrals are sums over fixed nodes, which with all points are one expression and one reduction: of tails by a rule of
Takahasi's and Mori's (Publ. RIMS 9, 1974) for half-lines, and by Gauss's and Legendre's of what is smooth. Owen, Ann.
Math. Statist. 27, 1956, has the function of the skew normal distribution.
"""

import functools
import math

import tombac
from tombac._core import special, where
from tombac._numpy import np
from tombacx.scipy.stats._distributions import Continuous
from tombacx.scipy.stats._sampling import uniform

__all__ = ["genhyperbolic", "geninvgauss", "norminvgauss", "skewnorm", "vonmises", "vonmises_line"]

INF, PI = math.inf, math.pi
exp, log, sqrt, square = tombac.exp, tombac.log, tombac.sqrt, tombac.square


@functools.lru_cache(1)
def _half_line():
    """Nodes above 0, and weights."""
    t = np.linspace(-3.6, 3.2, 241)
    u = np.exp(math.pi / 2 * np.sinh(t))
    return u, u * math.pi / 2 * np.cosh(t) * (t[1] - t[0])


@functools.lru_cache(2)
def _interval(count):
    """Nodes between 0 and 1, and weights."""
    x, w = np.polynomial.legendre.leggauss(count)
    return (x + 1) / 2, w / 2


def _on_device(nodes):
    return map(tombac.array, nodes)


def _tail(log_density, x, scale, parameters):
    """The integral of a density from x on, to where the sign of ``scale`` says."""
    u, weight = _on_device(_half_line())
    terms = exp(log_density(x[..., None] + scale[..., None] * u, *(p[..., None] for p in parameters)))
    return (where(tombac.isfinite(terms), terms, 0.0) * weight).sum(axis=-1) * abs(scale)


@functools.lru_cache(1)
def _whole_line():
    """Nodes on both sides of 0, and weights, that lie the wider the farther out."""
    u = np.linspace(-4.5, 4.5, 301)
    return np.sinh(u), np.cosh(u) * (u[1] - u[0])


def _bessel_log(order, z):
    """The logarithm of the modified Bessel function of the second kind, also where that is more than doubles hold."""
    order = abs(order)
    direct = log(special.kve(order, z)) - z
    past = direct == INF
    return where(past, _bessel_integral(order, z), direct) if past.any() else direct


def _bessel_integral(order, z, more=None):
    """The same, by its integral over hyperbolic cosines.

    ``more`` is a function of the integral's variable: what is added to the exponent, and another factor.
    """
    order, z = order + 0 * z, z + 0 * order
    # The exponent order t - z cosh t is greatest at most, and falls to both sides of it.
    most = tombac.arcsinh(order / z)
    width = 1 / sqrt(sqrt(square(order) + square(z)))
    t, weight = _on_device(_whole_line())
    place = most[..., None] + width[..., None] * t
    terms = order[..., None] * (place - most[..., None]) - z[..., None] * (tombac.cosh(place) - tombac.cosh(
        most)[..., None])
    if more is not None:
        exponent, factor = more(place)
        terms, weight = terms + exponent, factor * weight
    return order * most - z * tombac.cosh(most) + log((exp(terms) * weight).sum(axis=-1) * width / 2)


# ---- skew normal -----------------------------------------------------------------------------------------------------


def _owen(h, a):
    """Owen's function T for a from 0 to 1."""
    u, weight = _on_device(_interval(20))
    reach = tombac.minimum(a, 8 / tombac.maximum(h, 1.0))  # of terms that count
    u = square(reach[..., None] * u)
    terms = exp(-square(h)[..., None] * u / 2) / (1 + u)
    return (terms * weight).sum(axis=-1) * reach * exp(-square(h) / 2) / (2 * PI)


def _owens_t(h, a):
    h, size = abs(h) + 0 * a, abs(a) + 0 * h
    steep = size > 1
    inner = _owen(where(steep, size * h, h), where(steep, 1 / where(steep, size, 1.0), size))
    beyond = special.ndtr(-h) / 2 + special.ndtr(-size * h) / 2 - special.ndtr(-h) * special.ndtr(-size * h) - inner
    return tombac.copysign(where(steep, beyond, inner), a)


def _owen_beyond(h, a):
    """Twice what T(h, a) is short of T(h, infinity), for h above 0 and h a above 1: the rest of Owen's integral."""
    reach = 80 / (h * (h * a + sqrt(square(h * a) + 80)))  # of terms that count
    u, weight = _on_device(_interval(32))
    outer, step = exp(-square(h) * (1 + square(a)) / 2) * reach / PI, reach[..., None] * u
    h, a = h[..., None], a[..., None]
    terms = exp(-square(h) * (2 * (a * step) + square(step)) / 2) / (1 + square(a + step))
    return (terms * weight).sum(axis=-1) * outer


def _skewnorm_cdf(x, a):
    plain = tombac.clip(special.ndtr(x) - 2 * _owens_t(x, a), 0.0, 1.0)
    far = (x < 0) & (a > 0) & (-x * a > 1)  # where the two are nearly one
    beyond = _owen_beyond(where(far, tombac.minimum(-x, 1e3), 1.0), where(far, a, 1.0))
    return where(far, beyond, plain)


def _skewnorm_slope(a):
    return a / sqrt(1 + a * a) * math.sqrt(2 / PI)


skewnorm = Continuous(
    "skewnorm", "skew normal distribution of the shape a", "a", (-INF, INF), "cdf(0.0, 0.0)\narray(0.5)",
    allowed=lambda a: tombac.isfinite(a),
    log=lambda x, a: math.log(2 / math.sqrt(2 * PI)) - x * x / 2 + special.log_ndtr(a * x), cdf=_skewnorm_cdf,
    sf=lambda x, a: _skewnorm_cdf(-x, -a), mean=_skewnorm_slope, var=lambda a: 1 - square(_skewnorm_slope(a)),
    skew=lambda a: (4 - PI) / 2 * _skewnorm_slope(a) ** 3 / (1 - square(_skewnorm_slope(a))) ** 1.5,
    kurt=lambda a: 2 * (PI - 3) * _skewnorm_slope(a) ** 4 / square(1 - square(_skewnorm_slope(a))),
    rvs=lambda g, size, a: (a * abs(g.standard_normal(size)) + g.standard_normal(size)) / sqrt(1 + a * a))


# ---- hyperbolic ones -------------------------------------------------------------------------------------------------


def _inverse_gauss_log(x, p, b):
    y = tombac.maximum(x, 1e-300)
    return special.xlogy(p - 1, y) - b * (y + 1 / y) / 2 - math.log(2) - _bessel_log(p, b)


def _inverse_gauss_log_of_log(s, p, b, constant):
    """The density of the logarithm."""
    return p * s - b * tombac.cosh(s) - constant


def _inverse_gauss_part(upper):
    def part(x, p, b):
        s = log(tombac.maximum(x, 1e-300))
        middle = tombac.arcsinh(p / b)
        width = where(s > middle, 1.0, -1.0) / sqrt(sqrt(p * p + b * b))
        constant = math.log(2) + _bessel_log(p, b)
        tail = _tail(_inverse_gauss_log_of_log, s + 0 * width, width, [v + 0 * width for v in (p, b, constant)])
        return where((s > middle) == upper, tail, 1 - tail)

    return part


geninvgauss = Continuous(
    "geninvgauss", "generalized inverse Gaussian distribution of the shapes p and b", "p b", (0, INF),
    "mean(0.5, 1.0).round(6)\narray(2.)", allowed=lambda p, b: (b > 0) & tombac.isfinite(p), vanishes=True,
    log=_inverse_gauss_log, cdf=_inverse_gauss_part(False), sf=_inverse_gauss_part(True),
    raw=lambda k, p, b: exp(_bessel_log(p + k, b) - _bessel_log(p, b)))


def _hypotenuse(a, b):
    return sqrt((a - b) * (a + b))


def _mixed_log(x, p, a, b):
    """The logarithm of the probability of what is below x: of a normal variable whose variance w is a generalized
    inverse Gaussian one, and its mean b w.

    By an integral over the logarithm of w. Its terms are greatest where w is likely; but far below where w of those x
    is likely: there the normal density is part of the exponent, and what is left of the probability is added.
    """
    x, p, a, b = tombac.broadcast_arrays(tombac.clip(x, -1e100, 1e100), p, a, b)
    gamma, root = _hypotenuse(a, b), tombac.hypot(1.0, x)
    far = x * gamma < b
    scale = where(far, root / a, 1 / gamma)
    x_, b_, far_, scale_ = (v[..., None] for v in (x, b, far, scale))

    def below(place):
        deviation = sqrt(scale_ * exp(place))
        g = x_ / deviation - b_ * deviation
        tail = special.erfcx(abs(g) * math.sqrt(0.5)) / 2
        return (where(far_, square(tombac.maximum(g, 0.0)), -square(tombac.minimum(g, 0.0))) / 2,
                where(g < 0, tail, 1 - exp(-square(g) / 2) * tail))

    part = _bessel_integral(p, where(far, a * root, gamma), below) - _bessel_log(p, gamma)
    return tombac.minimum(part + where(far, p * log(gamma * scale) + b * x, 0.0), 0.0)


# The functions of probabilities of mixtures.
_MIXED = {
    "cdf": lambda x, *shapes: exp(_mixed_log(x, *shapes)), "logcdf": _mixed_log,
    "sf": lambda x, p, a, b: exp(_mixed_log(-x, p, a, -b)), "logsf": lambda x, p, a, b: _mixed_log(-x, p, a, -b)}


def _with_order(order, function):
    return lambda x, a, b: function(x, order + 0 * a, a, b)


def _mixed_draw(g, size, p, a, b):
    gamma = _hypotenuse(a, b) + 0 * p
    variance = geninvgauss.ppf(uniform(g, size), p, gamma) / gamma
    return b * variance + sqrt(variance) * g.standard_normal(size)


def _norminvgauss_log(x, a, b):
    root = tombac.hypot(1.0, x)
    gamma = _hypotenuse(a, b)
    return log(a / PI) + gamma + b * x - a * root + log(special.k1e(a * root)) - log(root)


norminvgauss = Continuous(
    "norminvgauss", "normal inverse Gaussian distribution of the shapes a and b", "a b", (-INF, INF),
    "cdf(0.0, 1.0, 0.0).round(9)\narray(0.5)", allowed=lambda a, b: (a > 0) & (abs(b) < a), log=_norminvgauss_log,
    **{name: _with_order(-0.5, function) for name, function in _MIXED.items()},
    mean=lambda a, b: b / _hypotenuse(a, b), var=lambda a, b: a * a / _hypotenuse(a, b) ** 3,
    skew=lambda a, b: 3 * b / (a * sqrt(_hypotenuse(a, b))),
    kurt=lambda a, b: 3 * (1 + 4 * square(b / a)) / _hypotenuse(a, b),
    rvs=lambda g, size, a, b: _mixed_draw(g, size, -0.5 + 0 * a, a, b))


def _genhyperbolic_log(x, p, a, b):
    root, gamma = tombac.hypot(1.0, x), _hypotenuse(a, b)
    return p * log(gamma) - (p - 0.5) * log(a) - _bessel_log(p, gamma) - math.log(2 * PI) / 2 + _bessel_log(
        p - 0.5, a * root) + (p - 0.5) * log(root) + b * x


def _mixing_raw(k, p, a, b):
    """Moments of the variance that is mixed."""
    gamma = _hypotenuse(a, b)
    return exp(_bessel_log(p + k, gamma) - _bessel_log(p, gamma)) * gamma**-k


def _genhyperbolic_raw(k, p, a, b):
    """By those of a normal variable of the mean b w and the variance w."""
    rows = {1: ((1, 1, 1),), 2: ((1, 0, 1), (1, 2, 2)), 3: ((3, 1, 2), (1, 3, 3)), 4: ((3, 0, 2), (6, 2, 3), (1, 4, 4))}
    return sum(factor * b**power * _mixing_raw(order, p, a, b) for factor, power, order in rows[k])


genhyperbolic = Continuous(
    "genhyperbolic", "generalized hyperbolic distribution of the shapes p, a and b", "p a b", (-INF, INF),
    "cdf(0.0, 1.0, 1.0, 0.0).round(9)\narray(0.5)",
    allowed=lambda p, a, b: (a > 0) & (abs(b) < a) & tombac.isfinite(p), log=_genhyperbolic_log, **_MIXED,
    raw=_genhyperbolic_raw, rvs=_mixed_draw)


# ---- angles ----------------------------------------------------------------------------------------------------------


def _vonmises_tail(x, kappa):
    """The probability of angles from -pi to x, which is not above 0."""
    u, weight = _on_device(_interval(32))
    part = square(tombac.sin(x / 2))
    low = -2 * tombac.arcsin(sqrt(tombac.minimum(part + 19 / tombac.maximum(kappa, 1e-9), 1.0)))
    width = x - low  # of terms that count
    at = low[..., None] + width[..., None] * u
    terms = exp(-2 * kappa[..., None] * square(tombac.sin(at / 2)))
    return (terms * weight).sum(axis=-1) * width / (2 * PI * special.i0e(kappa))


def _vonmises_line_cdf(x, kappa):
    x, kappa = x + 0 * kappa, kappa + 0 * x
    tail = _vonmises_tail(-abs(tombac.clip(x, -PI, PI)), kappa)
    return where(x > 0, 1 - tail, tail)


def _vonmises_cdf(x, kappa):
    turns = tombac.rint(x / (2 * PI))
    return turns + _vonmises_line_cdf(x - 2 * PI * turns, kappa)


def _vonmises_log(x, kappa):
    return -2 * kappa * square(tombac.sin(x / 2)) - log(2 * PI * special.i0e(kappa))


def _vonmises_entropy(kappa):
    return kappa * (1 - special.i1e(kappa) / special.i0e(kappa)) + log(2 * PI * special.i0e(kappa))


vonmises_line = Continuous(
    "vonmises_line", "von Mises's distribution of angles from -pi to pi, of the concentration kappa", "kappa",
    (-PI, PI), "cdf(0.0, 2.0)\narray(0.5)", allowed=lambda kappa: kappa >= 0, log=_vonmises_log, cdf=_vonmises_line_cdf,
    sf=lambda x, kappa: _vonmises_line_cdf(-x, kappa), mean=0.0, skew=0.0, entropy=_vonmises_entropy)

vonmises = Continuous(
    "vonmises", "von Mises's distribution of angles, any turn of which counts, of the concentration kappa", "kappa",
    (-INF, INF), "cdf(0.0, 2.0)\narray(0.5)", allowed=lambda kappa: kappa >= 0, log=_vonmises_log, cdf=_vonmises_cdf,
    sf=lambda x, kappa: 1 - _vonmises_cdf(x, kappa), ppf=lambda q, kappa: vonmises_line.ppf(q, kappa),
    isf=lambda q, kappa: vonmises_line.isf(q, kappa), mean=0.0, skew=0.0, entropy=_vonmises_entropy,
    rvs=lambda g, size, kappa: g.vonmises(0.0, kappa, size))
