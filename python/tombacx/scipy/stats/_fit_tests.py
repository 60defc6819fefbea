"""Tests of whether samples come from distributions, by empirical distribution and characteristic functions.

Csorgo and Faraway, J. R. Statist. Soc. B 58, 1996 (Cramer's and von Mises's criterion); Epps and Singleton, J. Statist.
Comput. Simul. 26, 1986.
"""

import collections
import warnings

import tombac
from tombac import _core
from tombac._core import where
from tombac._numpy import np
from tombac._util import check_arrays
from tombacx.scipy._host import device, host, scipy_function, scipy_module
from tombacx.scipy.stats._families import chi2
from tombacx.scipy.stats._goodness import named_function
from tombacx.scipy.stats._over import over
from tombacx.scipy.stats._ranks import SignificanceResult
from tombacx.scipy.stats._sample import documented as _documented
from tombacx.scipy.stats._tests import TestResult, linregress

__all__ = ["anderson", "cramervonmises", "epps_singleton_2samp", "probplot"]


def _unchanged(x):
    return x


@_documented
def cramervonmises(rvs, cdf, args=(), *, axis=0, nan_policy="propagate", keepdims=False):
    """Cramer's and von Mises's test of whether samples come from a distribution.

    Args:
        rvs: The samples: an array of any real dtype.
        cdf: The distribution function: a function of an array that gives one of its shape; or a distribution's name.
        args: Further arguments of ``cdf``: a tuple.
        {axis}
        {nan_policy}
        {keepdims}

    Returns:
        A result with the attributes ``statistic`` and ``pvalue``, arrays without the axis.

    Raises:
        {refusals}

    The p-value is SciPy's, for which the function's values go to the host.

    >>> tombacx.scipy.stats.cramervonmises(tombac.array([0.25, 0.75]), "uniform").statistic.round(6)
    array(0.041667)
    """
    cdf = named_function("cramervonmises", cdf, "cdf")

    def compute(x):
        values = tombac.asarray(cdf(tombac.sort(x, axis=-1), *args), "d")
        found = scipy_function("scipy.stats", "cramervonmises")(host(values), _unchanged, axis=-1)
        return tuple(tombac.asarray(device(v), "d") for v in (found.statistic, found.pvalue))

    return SignificanceResult(*over("cramervonmises", (rvs,), axis, nan_policy, keepdims, compute, least=2,
                                    result="d"))


class AndersonResult(collections.namedtuple("AndersonResult", "statistic critical_values significance_level")):
    """A statistic, and which are critical at which levels in percent; ``fit_result``: SciPy's of the fit."""

    def __new__(cls, statistic, critical_values, significance_level, fit_result):
        self = super().__new__(cls, statistic, critical_values, significance_level)
        self.fit_result = fit_result
        return self

    def __getnewargs__(self):
        return *self, self.fit_result


def anderson(x, dist="norm", *, method=None):
    """Anderson's and Darling's test of whether a sample comes from a family of distributions; by SciPy on the host.

    Args:
        x: The sample: a vector of any real dtype.
        dist: ``"norm"``, ``"expon"``, ``"logistic"``, ``"gumbel"`` or ``"gumbel_l"`` or ``"extreme1"``, ``"gumbel_r"``,
            ``"weibull_min"``.
        method: How the p-value is found: ``"interpolate"``, or SciPy's ``MonteCarloMethod``; if None, there are
            critical values instead.

    Returns:
        A tuple with the fields ``statistic``, an array without dimensions, ``critical_values`` and
        ``significance_level``, arrays: the levels in percent; its ``fit_result`` is SciPy's. With a method a tuple with
        the fields ``statistic`` and ``pvalue``.

    Raises:
        TypeError: The sample is no tombac array.
        ImportError: SciPy is not installed.
        ValueError: There is no such family or method.

    >>> tombacx.scipy.stats.anderson(tombac.arange(9.0)).statistic.round(4)
    array(0.1368)
    """
    check_arrays("anderson", x)
    stats = scipy_module("scipy.stats", "anderson")
    if method is not None:
        return TestResult(*(tombac.asarray(device(v)) for v in stats.anderson(host(x), dist, method=method)))
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", category=FutureWarning)  # that there will be a p-value
        found = stats.anderson(host(x), dist)
    return AndersonResult(*(tombac.asarray(device(v)) for v in found[:3]), getattr(found, "fit_result", None))


def probplot(x, sparams=(), dist="norm", fit=True, plot=None, rvalue=False):
    """The quantiles of a sample beside those of a distribution, and the line that they are near.

    Args:
        x: The sample: a vector of any real dtype.
        sparams: The distribution's parameters of shape, location and scale: a tuple, or a number.
        dist: The distribution: its name, or what has a function ``ppf``.
        fit: Whether the line is wanted.
        plot: What draws: an object with the functions ``plot``, ``text``, and either ``set_title`` and the like or
            ``title`` and the like, such as ``matplotlib.pyplot``.
        rvalue: Whether the correlation is drawn, too.

    Returns:
        A tuple (theoretical quantiles, sorted elements), vectors; with ``fit`` a tuple of that and of (slope,
        intercept, correlation), arrays without dimensions.

    Raises:
        TypeError: The sample is no tombac array.
        ValueError: There is no such distribution.

    Theoretical quantiles are those of the medians of sorted uniform numbers (Filliben, Technometrics 17, 1975).

    >>> (_, ordered), (slope, intercept, r) = tombacx.scipy.stats.probplot(tombac.array([3.0, 1.0, 2.0]))
    >>> ordered, intercept
    (array([1., 2., 3.]), array(2.))
    """
    check_arrays("probplot", x)
    n, quantile = x.size, named_function("probplot", dist, "ppf")
    if n == 0:
        return ((x, x), (np.nan, np.nan, 0.0)) if fit else (x, x)
    quantile = getattr(quantile, "ppf", quantile)
    if not callable(quantile):
        raise ValueError(f"probplot: dist must be a distribution or its name, not {dist!r}")
    medians = (np.arange(1.0, n + 1) - 0.3175) / (n + 0.365)
    medians[-1] = 0.5 ** (1 / n)
    medians[0] = 1 - medians[-1]
    sparams = () if sparams is None else sparams if isinstance(sparams, (tuple, list)) else (sparams,)
    expected, ordered = quantile(tombac.array(medians), *sparams), tombac.sort(x)
    line = linregress(expected, ordered)[:3] if fit else None
    if plot is not None:
        _draw(plot, expected.get(), ordered.get(), line and [v.item() for v in line], rvalue)
    return ((expected, ordered), tuple(line)) if fit else (expected, ordered)


def _draw(plot, expected, ordered, line, rvalue):
    plot.plot(expected, ordered, "bo")
    if line:
        plot.plot(expected, line[0] * expected + line[1], "r-")
    texts = {"title": "Probability Plot", "xlabel": "Theoretical quantiles", "ylabel": "Ordered Values"}
    for name, text in texts.items():
        getattr(plot, f"set_{name}" if hasattr(plot, "set_title") else name)(text)
    if line and rvalue:
        at = expected.min() + 0.7 * np.ptp(expected), ordered.min() + 0.01 * np.ptp(ordered)
        plot.text(*at, f"$R^2={line[2] ** 2:1.4f}$")


_FEW = 25  # elements of either sample, with less than which statistics are corrected


def _characteristic(x, t):
    """Cosines and sines of samples at points, along the axis before the last."""
    terms = x[..., None, :] * t[..., None]
    return tombac.concatenate([tombac.cos(terms), tombac.sin(terms)], axis=-2)


def _covariance(g, mean):
    off = g - mean[..., None]
    return off @ tombac.swapaxes(off, -1, -2) / g.shape[-1]


@_documented
def epps_singleton_2samp(x, y, t=(0.4, 0.8), *, axis=0, nan_policy="propagate", keepdims=False):
    """Epps's and Singleton's test of whether two samples come from one distribution, which need not be continuous.

    Args:
        x: The samples: an array of any real dtype.
        y: The other samples, of a shape that broadcasts but for the axis.
        t: Where characteristic functions are compared: positive numbers that differ.
        {axis}
        {nan_policy}
        {keepdims}

    Returns:
        {test}

    Raises:
        {refusals}

    Samples need 5 elements; those with infinite ones have NaN for a result, and so have those half of whose elements
    are the same.

    >>> x = tombac.arange(6.0)
    >>> tombacx.scipy.stats.epps_singleton_2samp(x, x).pvalue
    array(1.)
    """
    points = np.asarray(_core._on_host(t), "d")
    if points.ndim != 1 or not (points > 0).all():
        raise ValueError(f"epps_singleton_2samp: t must be a vector of positive numbers, not {t!r}")

    def compute(x, y):
        m, n = x.shape[-1], y.shape[-1]
        both = tombac.concatenate([x, y], axis=-1)
        low, high = tombac.percentile(both, [25, 75], axis=-1)
        fine = tombac.isfinite(both).all(axis=-1) & (high > low)
        scaled = tombac.array(points) / where(fine, (high - low) / 2, 1.0)[..., None]
        g, h = (_characteristic(where(fine[..., None], v, 0.0), scaled) for v in (x, y))
        first, second = g.mean(axis=-1), h.mean(axis=-1)
        spread = (m + n) / m * _covariance(g, first) + (m + n) / n * _covariance(h, second)
        inverse, rank = tombac.linalg.pinv(spread), tombac.linalg.matrix_rank(spread)
        off = (first - second)[..., None]
        statistic = (m + n) * (off * (inverse @ off)).sum(axis=(-2, -1))
        if max(m, n) < _FEW:
            statistic = statistic / (1 + (m + n) ** -0.45 + 10.1 * (m**-1.7 + n**-1.7))
        statistic = where(fine, statistic, np.nan)
        return statistic, chi2.sf(statistic, rank)

    return TestResult(*over("epps_singleton_2samp", (x, y), axis, nan_policy, keepdims, compute, least=5, refused=True))
