"""Tests of whether samples come from distributions, and of p-values."""

import collections

import tombac
from tombac._core import where
from tombac._numpy import np
from tombac._util import check_arrays, normalize_axis_index
from tombacx.scipy._host import device, host, scipy_function, scipy_module
from tombacx.scipy.stats import _families
from tombacx.scipy.stats._distributions import Distribution
from tombacx.scipy.stats._families import chi2, norm, t
from tombacx.scipy.stats._families_positive import kstwobign
from tombacx.scipy.stats._over import over
from tombacx.scipy.stats._ranks import SignificanceResult, tail
from tombacx.scipy.stats._relations import pearsonr
from tombacx.scipy.stats._sample import documented as _documented
from tombacx.scipy.stats._tests import TestResult, TtestResult

__all__ = ["combine_pvalues", "false_discovery_control", "ks_1samp", "ks_2samp", "kstest", "pointbiserialr",
           "ttest_ind_from_stats"]


class KstestResult(collections.namedtuple("KstestResult", "statistic pvalue")):
    """A statistic and its p-value; ``statistic_location`` and ``statistic_sign``: where it is reached, and how."""

    def __new__(cls, statistic, pvalue, location, sign):
        self = super().__new__(cls, statistic, pvalue)
        self.statistic_location, self.statistic_sign = location, sign
        return self

    def __getnewargs__(self):
        return *self, self.statistic_location, self.statistic_sign


def _distance(alternative, above, below, places, first=False):
    """The distance of two distribution functions, where it is and which is greater; of arrays over the last axis.

    Of two that are as far, that above is taken if ``first``, as SciPy does for two samples.
    """
    if alternative not in ("two-sided", "less", "greater"):
        raise ValueError(f"kstest: alternative must be 'two-sided', 'less' or 'greater', not {alternative!r}")
    i, j = above.argmax(axis=-1)[..., None], below.argmax(axis=-1)[..., None]
    up, down = (tombac.take_along_axis(v, k, -1)[..., 0] for v, k in ((above, i), (below, j)))
    at_up, at_down = (tombac.take_along_axis(places, k, -1)[..., 0] for k in (i, j))
    take = {"greater": up == up, "less": up != up}.get(alternative, up >= down if first else up > down)
    return where(take, up, down), where(take, at_up, at_down), where(take, 1, -1).astype("b")


def _kolmogorov(d, n, alternative, method):
    """The p-value of a distance; but for that of many elements by SciPy's distributions on the host."""
    if alternative == "two-sided" and method == "asymp":
        return kstwobign.sf(d * n**0.5)
    stats = scipy_module("scipy.stats", "kstest")
    d = host(d)
    if alternative != "two-sided":
        p = stats.ksone.sf(d, n)
    else:
        p = np.minimum(2 * stats.ksone.sf(d, n), 1) if method == "approx" else stats.kstwo.sf(d, n)
    return tombac.asarray(device(np.clip(p, 0, 1)), "d")


@_documented
def ks_1samp(x, cdf, args=(), alternative="two-sided", method="auto", *, axis=0, nan_policy="propagate",
             keepdims=False):
    """Kolmogorov's and Smirnov's test of whether samples come from a distribution.

    Args:
        x: The samples: an array of any real dtype.
        cdf: The distribution function: a function of an array that gives one of its shape.
        args: Further arguments of ``cdf``: a tuple.
        alternative: ``"two-sided"``, ``"less"`` or ``"greater"``: of which distances the greatest is taken.
        method: ``"exact"``, ``"approx"`` or ``"asymp"``; ``"exact"`` for ``"auto"``.
        {axis}
        {nan_policy}
        {keepdims}

    Returns:
        A tuple with the fields ``statistic`` and ``pvalue``, arrays without the axis; its ``statistic_location`` and
        ``statistic_sign`` are where the distance is reached and which function is greater there.

    Raises:
        {refusals}

    The p-value is SciPy's, on the host, but for ``"asymp"`` of two sides.

    >>> tombacx.scipy.stats.ks_1samp(tombac.array([0.25, 0.75]), tombacx.scipy.stats.uniform.cdf).statistic
    array(0.25)
    """
    if method not in ("auto", "exact", "approx", "asymp"):
        raise ValueError(f"ks_1samp: method must be 'auto', 'exact', 'approx' or 'asymp', not {method!r}")

    def compute(x):
        x, n = tombac.sort(x, axis=-1), x.shape[-1]
        values, steps = tombac.asarray(cdf(x, *args)), tombac.arange(n + 1.0) / n
        d, at, sign = _distance(alternative, steps[1:] - values, values - steps[:-1], x)
        return d, _kolmogorov(d, n, alternative, "exact" if method == "auto" else method), at, sign

    return KstestResult(*over("ks_1samp", (x,), axis, nan_policy, keepdims, compute, results=4, result=()))


_MOST_EXACT = 10_000


@_documented
def ks_2samp(data1, data2, alternative="two-sided", method="auto", *, axis=0, nan_policy="propagate", keepdims=False):
    """Kolmogorov's and Smirnov's test of whether two samples come from one distribution.

    Args:
        data1: The samples: an array of any real dtype.
        data2: The other samples, of a shape that agrees but for the axis.
        alternative: ``"two-sided"``, ``"less"`` or ``"greater"``: of which distances the greatest is taken.
        method: ``"exact"``, ``"asymp"``, or ``"auto"``: exact for up to 10,000 elements.
        {axis}
        {nan_policy}
        {keepdims}

    Returns:
        A tuple with the fields ``statistic`` and ``pvalue``, arrays without the axis; its ``statistic_location`` and
        ``statistic_sign`` are where the distance is reached and which function is greater there.

    Raises:
        {refusals}

    Exact p-values of samples of different lengths are SciPy's, for which they go to the host.

    >>> tombacx.scipy.stats.ks_2samp(tombac.array([1.0, 2.0]), tombac.array([3.0, 4.0])).statistic
    array(1.)
    """
    if method not in ("auto", "exact", "asymp"):
        raise ValueError(f"ks_2samp: method must be 'auto', 'exact' or 'asymp', not {method!r}")

    def compute(x, y):
        m, n = x.shape[-1], y.shape[-1]
        exact = method == "exact" or (method == "auto" and max(m, n) <= _MOST_EXACT)
        if x.ndim > 1 or (exact and m != n):
            found = scipy_function("scipy.stats", "ks_2samp")(host(x), host(y), alternative, method, axis=-1)
            return tuple(tombac.asarray(device(v)) for v in (
                *found, found.statistic_location, found.statistic_sign))
        return _far_apart(tombac.sort(x), tombac.sort(y), alternative, exact)

    return KstestResult(*over("ks_2samp", (data1, data2), axis, nan_policy, keepdims, compute, results=4, result=()))


def _paths_outside(h, n, two_sided):
    """How probable it is that the distribution functions of two samples of n elements are h / n apart somewhere: by
    reflections (Gnedenko and Korolyuk, Dokl. Akad. Nauk SSSR 80, 1951)."""
    if h == 0:
        return 1.0
    i = np.arange(n // h * h if two_sided else h)
    terms = np.cumprod(np.multiply.reduceat((n - i) / (n + i + 1.0), i[::h]))  # of paths that h, 2 h, ... are ahead
    return float(min(2 * (terms[::2].sum() - terms[1::2].sum()), 1.0) if two_sided else terms[0])


def _far_apart(x, y, alternative, exact):
    """Of two samples that are sorted: of one length, or with the p-value of many."""
    m, n, both = x.size, y.size, tombac.concatenate([x, y])
    apart = tombac.searchsorted(x, both, side="right") / m - tombac.searchsorted(y, both, side="right") / n
    d, at, sign = _distance(alternative, apart, -apart, both, True)
    if exact:
        return d, tombac.array(_paths_outside(round(d.item() * n), n, alternative == "two-sided")), at, sign
    big, small = float(max(m, n)), float(min(m, n))
    together = big * small / (big + small)
    if alternative == "two-sided":
        return d, _kolmogorov(d, round(together), alternative, "exact"), at, sign
    z = together**0.5 * d
    slope = 2 * z * (big + 2 * small) / (big * small * (big + small)) ** 0.5 / 3
    return d, tombac.exp(-2 * z * z - slope), at, sign


def named_function(name, x, function):
    """A function of the distribution of that name; what is no name as it is."""
    if not isinstance(x, str):
        return x
    from tombacx.scipy import stats

    row = getattr(stats, x) if x in stats.__all__ else None
    if not isinstance(row, Distribution):
        raise ValueError(f"{name}: no distribution is called {x!r}")
    return getattr(row, function)


@_documented
def kstest(rvs, cdf, args=(), N=20, alternative="two-sided", method="auto", *, axis=0, nan_policy="propagate",
           keepdims=False):
    """Kolmogorov's and Smirnov's test of samples against a distribution or other samples.

    Args:
        rvs: The samples: an array of any real dtype; or what gives ``size`` of them: a function, or a distribution's
            name.
        cdf: The distribution function, or a distribution's name; or other samples, an array.
        args: Further arguments of ``cdf``, and of ``rvs``: a tuple.
        N: How many samples ``rvs`` gives.
        alternative: ``"two-sided"``, ``"less"`` or ``"greater"``: of which distances the greatest is taken.
        method: As that of ks_1samp or ks_2samp.
        {axis}
        {nan_policy}
        {keepdims}

    Returns:
        {test}

    Raises:
        {refusals}

    >>> tombacx.scipy.stats.kstest(tombac.array([0.25, 0.75]), "uniform").statistic
    array(0.25)
    """
    if isinstance(rvs, str) and not isinstance(cdf, tombac.ndarray):
        cdf = rvs if cdf == rvs else cdf
    rvs, cdf = named_function("kstest", rvs, "rvs"), named_function("kstest", cdf, "cdf")
    rvs = rvs(*args, size=N) if callable(rvs) else rvs
    options = {"axis": axis, "nan_policy": nan_policy, "keepdims": keepdims}
    if callable(cdf):
        return ks_1samp(rvs, cdf, args, alternative, method, **options)
    return ks_2samp(rvs, cdf, alternative, method, **options)


@_documented
def ttest_ind_from_stats(mean1, std1, nobs1, mean2, std2, nobs2, equal_var=True, alternative="two-sided"):
    """Student's test of whether two samples come from distributions of one mean, by what is known of the samples.

    Args:
        mean1, std1, nobs1: The first sample's mean, standard deviation and size: numbers or arrays.
        mean2, std2, nobs2: The other's.
        equal_var: Whether the variances are taken to be the same; if not, the test is Welch's.
        {alternative}

    Returns:
        A tuple with the fields ``statistic`` and ``pvalue``, arrays of the shape that all broadcast to.

    Raises:
        ValueError: There is no such alternative, or shapes do not broadcast.

    >>> tombacx.scipy.stats.ttest_ind_from_stats(1.0, 2.0, 8, 3.0, 2.0, 8).statistic
    array(-2.)
    """
    m1, s1, n1, m2, s2, n2 = (tombac.asarray(v, "d") for v in (mean1, std1, nobs1, mean2, std2, nobs2))
    v1, v2 = s1 * s1, s2 * s2
    if equal_var:
        df = n1 + n2 - 2
        error = tombac.sqrt(((n1 - 1) * v1 + (n2 - 1) * v2) / df * (1 / n1 + 1 / n2))
    else:
        a, b = v1 / n1, v2 / n2
        df = tombac.square(a + b) / (a * a / (n1 - 1) + b * b / (n2 - 1))
        df, error = where(tombac.isnan(df), 1.0, df), tombac.sqrt(a + b)
    statistic = (m1 - m2) / error
    return TtestResult(statistic, tail(statistic, t(df), alternative, "ttest_ind_from_stats"), df, m1 - m2, error,
                       alternative)


@_documented
def pointbiserialr(x, y, *, axis=0, nan_policy="propagate", keepdims=False):
    """The correlation of truth values with numbers: Pearson's.

    Args:
        x: The truth values: an array.
        y: The numbers: an array whose shape broadcasts.
        {axis}
        {nan_policy}
        {keepdims}

    Returns:
        {test}

    Raises:
        {refusals}

    >>> tombacx.scipy.stats.pointbiserialr(tombac.array([False, True, True]), tombac.array([1.0, 3.0, 3.0])).statistic
    array(1.)
    """
    def compute(x, y):
        found = pearsonr(x, y, axis=-1)
        return found.statistic, found.pvalue

    return SignificanceResult(*over("pointbiserialr", (x, y), axis, nan_policy, keepdims, compute, least=2,
                                    paired=True))


_COMBINATIONS = ("fisher", "pearson", "tippett", "stouffer", "mudholkar_george")


@_documented
def combine_pvalues(pvalues, method="fisher", weights=None, *, axis=0, nan_policy="propagate", keepdims=False):
    """One p-value for several independent tests of one hypothesis.

    Args:
        pvalues: The p-values: an array of any real dtype.
        method: ``"fisher"``, ``"pearson"``, ``"tippett"``, ``"stouffer"`` or ``"mudholkar_george"``.
        weights: Those of ``"stouffer"``: an array that broadcasts with the p-values; alike if None.
        {axis}
        {nan_policy}
        {keepdims}

    Returns:
        {test}

    Raises:
        {refusals}

    >>> tombacx.scipy.stats.combine_pvalues(tombac.array([0.5, 0.5]), "tippett").pvalue
    array(0.75)
    """
    if method not in _COMBINATIONS:
        raise ValueError(f"combine_pvalues: method must be one of {', '.join(_COMBINATIONS)}, not {method!r}")
    samples = (pvalues,)
    if method == "stouffer" and weights is not None:
        weights = tombac.asarray(weights, "f" if pvalues.dtype == "f" else "d")
        if weights.ndim == 1 and axis is not None and pvalues.ndim > 1:
            weights = weights.reshape((-1,) + (1,) * (pvalues.ndim - 1 - normalize_axis_index(axis, pvalues.ndim)))
        samples = (pvalues, weights)

    def compute(p, weights=None):
        return _combined(p, method, weights)

    return SignificanceResult(*over("combine_pvalues", samples, axis, nan_policy, keepdims, compute, paired=True))


def _combined(p, method, weights):
    n = p.shape[-1]
    if method == "fisher":
        statistic = -2 * tombac.log(p).sum(axis=-1)
        return statistic, chi2.sf(statistic, 2 * n)
    if method == "pearson":
        statistic = 2 * tombac.log1p(-p).sum(axis=-1)
        return statistic, chi2.cdf(-statistic, 2 * n)
    if method == "tippett":
        statistic = p.min(axis=-1)
        return statistic, _families.beta.cdf(statistic, 1.0, float(n))
    if method == "mudholkar_george":
        scale = (3 / n) ** 0.5 / np.pi
        statistic = (tombac.log1p(-p) - tombac.log(p)).sum(axis=-1)
        df = 5 * n + 4
        return statistic, t.sf(statistic * scale * (df / (df - 2)) ** 0.5, df)
    weights = tombac.ones(n) if weights is None else weights
    statistic = (weights * norm.isf(p)).sum(axis=-1) / tombac.sqrt((weights * weights).sum(axis=-1))
    return statistic, norm.sf(statistic)


def false_discovery_control(ps, *, axis=0, method="bh"):
    """P-values by which the part of false ones among those that are small is known.

    Args:
        ps: The p-values: an array of any real dtype.
        axis: Along which axis they are of one family; None takes all for one.
        method: ``"bh"``: Benjamini's and Hochberg's (J. R. Statist. Soc. B 57, 1995); ``"by"``: Benjamini's and
            Yekutieli's, also where tests depend on each other (Ann. Statist. 29, 2001).

    Returns:
        An array of float64 and ``ps``'s shape; a vector if there is no axis.

    Raises:
        TypeError: The p-values are no tombac array.
        ValueError: One is not from 0 to 1, for which they are looked at, or there is no such axis or method.

    >>> tombacx.scipy.stats.false_discovery_control(tombac.array([0.01, 0.04, 0.5]))
    array([0.03, 0.06, 0.5 ])
    """
    check_arrays("false_discovery_control", ps)
    if method not in ("bh", "by"):
        raise ValueError(f"false_discovery_control: method must be 'bh' or 'by', not {method!r}")
    if not bool(((ps >= 0) & (ps <= 1)).all()):
        raise ValueError("false_discovery_control: p-values must be from 0 to 1")
    p, axis = (ps.ravel(), 0) if axis is None or ps.ndim == 0 else (ps, normalize_axis_index(axis, ps.ndim))
    p = tombac.moveaxis(p.astype("d", copy=False), axis, -1)
    n = p.shape[-1]
    order = tombac.argsort(p, axis=-1)
    steps = tombac.arange(1.0, n + 1)
    scaled = tombac.take_along_axis(p, order, -1) * (n / steps)
    if method == "by":
        scaled = scaled * (1 / steps).sum()
    least = tombac.flip(tombac.minimum.accumulate(tombac.flip(scaled, -1), axis=-1), -1)
    result = tombac.empty(p.shape)
    tombac.put_along_axis(result, order, tombac.minimum(least, 1.0), -1)
    return tombac.moveaxis(result, -1, axis)
