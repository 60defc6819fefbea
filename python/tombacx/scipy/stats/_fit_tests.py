"""Tests of whether samples come from distributions, by empirical distribution and characteristic functions.

Csorgo and Faraway, J. R. Statist. Soc. B 58, 1996 (Cramer's and von Mises's criterion); Epps and Singleton, J. Statist.
Comput. Simul. 26, 1986.
"""

import tombac
from tombac._core import where
from tombac._numpy import np
from tombacx.scipy._host import device, host, scipy_module
from tombacx.scipy.stats._families import chi2
from tombacx.scipy.stats._goodness import named_function
from tombacx.scipy.stats._over import over
from tombacx.scipy.stats._ranks import SignificanceResult
from tombacx.scipy.stats._sample import documented as _documented
from tombacx.scipy.stats._tests import TestResult

__all__ = ["cramervonmises", "epps_singleton_2samp"]


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
        found = scipy_module("scipy.stats", "cramervonmises").cramervonmises(host(values), _unchanged, axis=-1)
        return tuple(tombac.asarray(device(v), "d") for v in (found.statistic, found.pvalue))

    return SignificanceResult(*over("cramervonmises", (rvs,), axis, nan_policy, keepdims, compute, least=2,
                                    result="d"))


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
    points = np.asarray(t.get() if isinstance(t, tombac.ndarray) else t, "d")
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

    return TestResult(*over("epps_singleton_2samp", (x, y), axis, nan_policy, keepdims, compute, least=5))
