"""How one variable depends on another: correlations that are not of lines, and lines by medians of slopes.

Chatterjee, J. Am. Stat. Assoc. 116, 2021; Theil, Indagationes Math. 12, 1950; Siegel, Biometrika 69, 1982; Somers, Am.
Sociol. Rev. 27, 1962; Vigna, WWW 2015.
"""

import collections

import tombac
from tombac._core import where
from tombac._numpy import np
from tombac._util import check_arrays
from tombacx.scipy._host import device, host, scipy_function
from tombacx.scipy.stats._families import norm
from tombacx.scipy.stats._over import over
from tombacx.scipy.stats._ranks import SignificanceResult, _runs
from tombacx.scipy.stats._sample import documented as _documented

__all__ = ["as_long", "chatterjeexi", "siegelslopes", "theilslopes", "weightedtau"]

TheilslopesResult = collections.namedtuple("TheilslopesResult", "slope intercept low_slope high_slope")
SiegelslopesResult = collections.namedtuple("SiegelslopesResult", "slope intercept")


@_documented
def chatterjeexi(x, y, *, axis=0, y_continuous=False, method="asymptotic", nan_policy="propagate", keepdims=False):
    """Chatterjee's correlation: how far one variable is a function of another.

    Args:
        x: The samples of the variable that the other may be a function of: an array of any real dtype.
        y: Those of the other, of a shape that broadcasts.
        {axis}
        y_continuous: Whether it is known that elements of ``y`` are never equal, which is less to compute.
        method: How p-values are computed: ``"asymptotic"``.
        {nan_policy}
        {keepdims}

    Returns:
        {test}

    Raises:
        {refusals}

    Elements of ``x`` that are equal are taken in their order. Which p-values are of permutations,
    ``permutation_test`` computes.

    >>> x = tombac.arange(9.0)
    >>> tombacx.scipy.stats.chatterjeexi(x, x * x).statistic
    array(0.7)
    """
    if not isinstance(y_continuous, bool):
        raise ValueError(f"chatterjeexi: y_continuous must be a bool, not {y_continuous!r}")
    if method != "asymptotic":
        raise ValueError(f"chatterjeexi: method must be 'asymptotic', not {method!r}")

    def compute(x, y):
        n = x.shape[-1]
        y = tombac.take_along_axis(y, tombac.argsort(x, axis=-1, kind="stable"), -1)
        order = tombac.argsort(y, axis=-1, kind="stable")
        first, last = _runs(tombac.take_along_axis(y, order, -1))
        up_to, ranks = (last + 1).astype("d"), tombac.empty(y.shape)
        tombac.put_along_axis(ranks, order, up_to, -1)
        apart = abs(ranks[..., 1:] - ranks[..., :-1]).sum(axis=-1)
        if y_continuous:
            xi = 1 - 3 * apart / (n * n - 1)
            return xi, norm.sf(n**0.5 * xi / 0.4**0.5)
        at_least = n - first.astype("d")
        spread = (at_least * (n - at_least)).sum(axis=-1)
        xi = 1 - n * apart / (2 * spread)
        return xi, norm.sf(n**0.5 * xi / tombac.sqrt(_variance(up_to, spread, n)))

    return SignificanceResult(*over("chatterjeexi", (x, y), axis, nan_policy, keepdims, compute, least=2, paired=True))


def _variance(u, spread, n):
    """Of the correlation times the root of n where variables are independent; of ranks that are sorted."""
    i = tombac.arange(1.0, n + 1)
    pairs = 2 * n - 2 * i + 1
    a = (pairs * u * u).sum(axis=-1) / n**4
    b = tombac.square(tombac.cumsum(u, axis=-1) + (n - i) * u).sum(axis=-1) / n**5
    c = (pairs * u).sum(axis=-1) / n**3
    return (a - 2 * b + c * c) / tombac.square(spread / n**3)


def _pairs(x, y):
    """Differences of all elements of each sample from all: of the rows' from the columns'."""
    return x[..., None, :] - x[..., :, None], y[..., None, :] - y[..., :, None]


def _tied(lines):
    """The sum of t (t - 1) (2 t + 5) of the numbers t of elements that are equal."""
    first, last = _runs(tombac.sort(lines, axis=-1))
    size = (last - first + 1).astype("d")
    return ((size - 1) * (2 * size + 5)).sum(axis=-1)


def _places(line):
    return tombac.broadcast_to(tombac.arange(float(line.shape[-1])), line.shape)


def as_long(name, axis, *samples):
    """The samples; where those of one vector are fewer than two, as many of the other: they are not repeated."""
    check_arrays(name, *samples)
    n = min(x.size for x in samples)
    if n > 1 or (axis is not None and any(x.ndim != 1 for x in samples)):
        return samples
    return tuple(x.ravel()[:n].reshape((1,) * (x.ndim - 1) + (n,)) for x in samples)


@_documented
def theilslopes(y, x=None, alpha=0.95, method="separate", *, axis=None, nan_policy="propagate", keepdims=False):
    """Theil's and Sen's line: the median of the slopes between all pairs of points.

    Args:
        y: The samples of the variable that depends on the other: an array of any real dtype.
        x: Those of the other, of a shape that broadcasts; places from 0 on if None.
        alpha: How probable it is that the slope is between the two that are given: 0.9, or 0.1, which is the same.
        method: How the intercept is found: by the medians of both variables, ``"separate"``; or as the median of what
            is left of ``y``, ``"joint"``.
        {axis}
        {nan_policy}
        {keepdims}

    Returns:
        A tuple with the fields ``slope``, ``intercept``, ``low_slope`` and ``high_slope``, arrays without the axis.

    Raises:
        {refusals}

    All slopes are sorted, of which there are half as many as elements by elements.

    >>> tombacx.scipy.stats.theilslopes(tombac.array([1.0, 3.0, 5.0, 90.0])).slope
    array(15.83333333)
    """
    if method not in ("separate", "joint"):
        raise ValueError(f"theilslopes: method must be 'separate' or 'joint', not {method!r}")

    def compute(y, x=None):
        x, n = _places(y) if x is None else x, y.shape[-1]
        dx, dy = _pairs(x, y)
        slopes = tombac.sort(where(dx > 0, dy / dx, np.nan).reshape(*y.shape[:-1], n * n), axis=-1)
        count = (dx > 0).sum(axis=(-2, -1)).astype("d")[..., None]

        def at(places):
            return tombac.take_along_axis(slopes, tombac.clip(places, 0, n * n - 1).astype("l"), -1)[..., 0]

        slope = (at((count - 1) // 2) + at(count // 2)) / 2
        if method == "joint":
            intercept = tombac.median(y - slope[..., None] * x, axis=-1)
        else:
            intercept = tombac.median(y, axis=-1) - slope * tombac.median(x, axis=-1)
        variance = (n * (n - 1) * (2 * n + 5) - _tied(x) - _tied(y)) / 18
        reach = -norm.ppf(min(alpha, 1 - alpha) / 2) * tombac.sqrt(variance)[..., None]
        low, high = tombac.rint((count - reach) / 2) - 1, tombac.minimum(tombac.rint((count + reach) / 2), count - 1)
        return tuple(where(count[..., 0] > 0, v, np.nan) for v in (slope, intercept, at(low), at(high)))

    samples = (y,) if x is None else as_long("theilslopes", axis, y, x)
    return TheilslopesResult(*over("theilslopes", samples, axis, nan_policy, keepdims, compute, least=2, paired=True,
                                   results=4, result="d"))


@_documented
def siegelslopes(y, x=None, method="hierarchical", *, axis=None, nan_policy="propagate", keepdims=False):
    """Siegel's line: the median of each point's median slope to others.

    Args:
        y: The samples of the variable that depends on the other: an array of any real dtype.
        x: Those of the other, of a shape that broadcasts; places from 0 on if None.
        method: How the intercept is found: as the median of what is left of ``y``, ``"hierarchical"``; or as the median
            of each point's median intercept of lines to others, ``"separate"``.
        {axis}
        {nan_policy}
        {keepdims}

    Returns:
        A tuple with the fields ``slope`` and ``intercept``, arrays without the axis.

    Raises:
        {refusals}

    Slopes of all pairs of elements are sorted.

    >>> tombacx.scipy.stats.siegelslopes(tombac.array([1.0, 3.0, 5.0, 90.0]))
    SiegelslopesResult(slope=array(2.), intercept=array(1.))
    """
    if method not in ("hierarchical", "separate"):
        raise ValueError(f"siegelslopes: method must be 'hierarchical' or 'separate', not {method!r}")

    def compute(y, x=None):
        x = _places(y) if x is None else x
        dx, dy = _pairs(x, y)

        def middle(values):
            return tombac.median(tombac.nanmedian(where(dx != 0, values, np.nan), axis=-1), axis=-1)

        slope = middle(dy / dx)
        if method == "separate":
            crossed = y[..., :, None] * x[..., None, :] - y[..., None, :] * x[..., :, None]
            return slope, middle(crossed / dx)
        return slope, tombac.median(y - slope[..., None] * x, axis=-1)

    samples = (y,) if x is None else as_long("siegelslopes", axis, y, x)
    return SiegelslopesResult(*over("siegelslopes", samples, axis, nan_policy, keepdims, compute, least=2,
                                    paired=True, result="d"))


@_documented
def weightedtau(x, y, rank=True, weigher=None, additive=True, *, axis=None, nan_policy="propagate", keepdims=False):
    """Kendall's correlation of ranks by weights, so that what is at the top counts for more; by SciPy on the host.

    Args:
        x: The samples: an array of any real dtype, NaN the least of all.
        y: The other samples, of a shape that broadcasts.
        rank: The rank of each element from 0 on, that weights depend on: an array of integers; False, its place; True,
            the mean of what its places from the greatest down by x and by y make.
        weigher: A function of a rank that gives the weight; hyperbolic if None: 1 / (rank + 1).
        additive: Whether the weight of a pair is the sum of two weights; if not, their product.
        {axis}
        {nan_policy}
        {keepdims}

    Returns:
        A tuple with the fields ``statistic`` and ``pvalue``, which is NaN: arrays without the axis.

    Raises:
        ImportError: SciPy is not installed.
        {refusals}

    >>> x = tombac.array([12, 2, 1, 12, 2])
    >>> tombacx.scipy.stats.weightedtau(x, tombac.array([1, 4, 7, 1, 0])).statistic.round(4)
    array(-0.5669)
    """
    check_arrays("weightedtau", x, y)
    options = {"axis": axis, "nan_policy": nan_policy, "keepdims": keepdims}
    if (axis, nan_policy, keepdims) == (None, "propagate", False):
        options = {}  # SciPy has them from 1.16 on
    of_scipy = scipy_function("scipy.stats", "weightedtau")
    found = of_scipy(*map(host, (x, y, rank)), weigher, additive, **options)
    return SignificanceResult(*(tombac.asarray(device(np.asarray(v))) for v in found))
