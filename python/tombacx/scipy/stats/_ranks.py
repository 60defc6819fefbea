"""Ranks, and what is made of them."""

import collections

import tombac
from tombac import _core
from tombac._core import where
from tombac._numpy import np
from tombac._util import check_arrays, normalize_axis_index
from tombacx.scipy.stats._families import t
from tombacx.scipy.stats._over import check_policy, check_real, over
from tombacx.scipy.stats._sample import documented as _documented

__all__ = ["median_abs_deviation", "mode", "rankdata", "spearmanr", "spearmanrho"]

ModeResult = collections.namedtuple("ModeResult", "mode count")


class SignificanceResult(collections.namedtuple("SignificanceResult", "statistic pvalue")):
    """A statistic and how probable one as extreme is."""

    @property
    def correlation(self):
        """The statistic, by the older name of those that are correlations."""
        return self.statistic


def _lines(name, a, axis):
    """The samples along the last axis."""
    check_real(name, a)
    if axis is None or a.ndim == 0:  # a number is a sample of one
        a, axis = a.ravel(), 0 if axis is None else axis
    axis = normalize_axis_index(axis, a.ndim)
    return tombac.moveaxis(a, axis, -1), axis


def _runs(ordered):
    """Of sorted samples the places at which the run of each element's equals begins and ends."""
    n = ordered.shape[-1]
    places = tombac.broadcast_to(tombac.arange(n), ordered.shape)
    new = ordered[..., 1:] != ordered[..., :-1]
    edge = tombac.ones((*ordered.shape[:-1], 1), "?")
    first = where(tombac.concatenate([edge, new], axis=-1), places, 0)
    last = where(tombac.concatenate([new, edge], axis=-1), places, n)
    first = tombac.maximum.accumulate(first, axis=-1)
    return first, tombac.flip(tombac.minimum.accumulate(tombac.flip(last, -1), axis=-1), -1)


@_documented
def rankdata(a, method="average", *, axis=None, nan_policy="propagate"):
    """The ranks of elements within their sample, from 1 on.

    Args:
        {a}
        method: Which rank equal elements have: 'average', 'min' or 'max' of those that they would have if they were not
            equal; 'dense', with no rank left out behind them; or 'ordinal', different ones, in their order.
        {axis}
        nan_policy: ``"propagate"``: samples with NaN have NaN for ranks; ``"raise"``: a ValueError if there is any;
            ``"omit"``: NaN has the rank NaN, and does not count.

    Returns:
        An array of float64, of ``a``'s shape; a vector if there is no axis. By other methods than 'average' it is of
        int64 unless there is NaN, for which floats are looked at.

    Raises:
        {refusals}

    >>> tombacx.scipy.stats.rankdata(tombac.array([30, 10, 20, 10]))
    array([4. , 1.5, 3. , 1.5])
    """
    if method not in ("average", "min", "max", "dense", "ordinal"):
        raise ValueError(f"rankdata: no method is called {method!r}")
    check_policy("rankdata", nan_policy)
    lines, axis = _lines("rankdata", a, axis)
    bad = tombac.isnan(lines)
    some = (method != "average" or nan_policy == "raise") and lines.dtype.kind == "f" and bool(bad.any())
    if nan_policy == "raise" and some:
        raise ValueError("rankdata: the samples contain NaN")
    result = tombac.empty(lines.shape, "d")
    if lines.size:
        order = tombac.argsort(lines, axis=-1, kind="stable")
        ordered = tombac.take_along_axis(lines, order, -1)
        tombac.put_along_axis(result, order, _ranks(ordered, method), -1)
    if method != "average" and not some:
        return tombac.moveaxis(result.astype("l"), -1, axis)
    result = where(bad if nan_policy == "omit" else bad.any(axis=-1, keepdims=True), np.nan, result)
    return tombac.moveaxis(result, -1, axis)


def _ranks(ordered, method):
    n = ordered.shape[-1]
    if method == "ordinal":
        return tombac.broadcast_to(tombac.arange(1.0, n + 1), ordered.shape)
    if method == "dense":
        new = (ordered[..., 1:] != ordered[..., :-1]).astype("d")
        return 1 + tombac.concatenate([tombac.zeros((*ordered.shape[:-1], 1)), tombac.cumsum(new, axis=-1)], axis=-1)
    first, last = _runs(ordered)
    return {"min": first + 1.0, "max": last + 1.0, "average": (first + last) / 2 + 1}[method]


@_documented
def mode(a, axis=0, nan_policy="propagate", keepdims=False):
    """The most frequent elements; of equally frequent ones the least.

    Args:
        {a}
        {axis}
        {nan_policy}
        {keepdims}

    NaN that is not left out is an element like others.

    Returns:
        A tuple with the fields ``mode``, an array without the axis, and ``count``, how often it occurs; NaN and 0, in
        float64, of samples without elements.

    Raises:
        {refusals}

    >>> tombacx.scipy.stats.mode(tombac.array([3, 1, 2, 1]))
    ModeResult(mode=array(1), count=array(2))
    """
    check_real("mode", a)

    def compute(lines):
        return tuple(x[..., 0] for x in _most_frequent(lines))

    return ModeResult(*over("mode", (a,), axis, nan_policy, keepdims, compute, least=0, dtype=None, spoilt=False))


def _most_frequent(lines):
    """The least of the most frequent elements and their number, the axis kept."""
    if lines.size == 0:
        kept = (*lines.shape[:-1], 1)
        return tombac.full(kept, np.nan), tombac.zeros(kept)
    ordered = tombac.sort(lines, axis=-1)
    if lines.size == lines.shape[-1] and _core.backend() == "cpu":  # where reading how many runs there are is cheap
        vector = ordered.ravel()
        begin = tombac.nonzero(tombac.concatenate([tombac.ones(1, bool), vector[1:] != vector[:-1]]))[0]
        counts = tombac.diff(begin, append=vector.size)
        best = counts.argmax()
        value, count = (x.reshape(*lines.shape[:-1], 1) for x in (vector[begin[best]], counts[best]))
    else:
        first, last = _runs(ordered)
        counts = last - first + 1
        best = counts.argmax(axis=-1)[..., None]
        value, count = (tombac.take_along_axis(x, best, -1) for x in (ordered, counts))
    if lines.dtype.kind == "f":
        bad = tombac.isnan(lines).sum(axis=-1, keepdims=True)  # all alike, and the greatest
        value, count = where(bad > count, np.nan, value), tombac.maximum(bad, count)
    return value, count


@_documented
def spearmanr(a, b=None, axis=0, nan_policy="propagate", alternative="two-sided"):
    """Spearman's correlation: Pearson's of ranks.

    Args:
        a: The samples: a vector, or an array of 2 dimensions with a variable for each element across the axis.
        b: Further samples, as ``a``; None if there are none.
        {axis}
        {nan_policy}
        {alternative}

    Returns:
        A tuple with the fields ``statistic`` and ``pvalue``: arrays without dimensions for two variables, else of all
        pairs of variables. NaN without dimensions where samples have less than 2 elements; p-values of 2 are NaN.

    Raises:
        {refusals}

    >>> tombacx.scipy.stats.spearmanr(tombac.array([1.0, 2.0, 3.0]), tombac.array([1.0, 9.0, 4.0])).statistic
    array(0.5)
    """
    check_arrays("spearmanr", a, *(() if b is None else (b,)))
    check_policy("spearmanr", nan_policy)
    if axis is None:
        a, b, axis = a.ravel(), None if b is None else b.ravel(), 0
    parts = [x for x in (a, b) if x is not None]
    if any(x.ndim not in (1, 2) for x in parts) or (b is None and a.ndim == 1):
        raise ValueError("spearmanr: two vectors, or variables in an array of 2 dimensions are expected")
    columns = [tombac.moveaxis(x, axis, 0) for x in parts]
    columns = [x if x.ndim == 2 else x[:, None] for x in columns]
    if len({len(x) for x in columns}) > 1:
        raise ValueError(f"spearmanr: samples of {len(columns[0])} and {len(columns[1])} elements")
    if len(columns[0]) < 2:
        return SignificanceResult(tombac.full((), np.nan), tombac.full((), np.nan))
    lines = tombac.concatenate([x.astype("d") for x in columns], axis=1).T
    if nan_policy == "raise" and tombac.isnan(lines).any():
        raise ValueError("spearmanr: the samples contain NaN")
    if nan_policy == "omit":  # pair by pair
        pairs = (lines[0], lines[1]) if len(lines) == 2 else (lines[:, None], lines[None])
        return spearmanrho(*pairs, alternative=alternative, axis=-1, nan_policy="omit")
    ranks = rankdata(lines, axis=1)
    variables, n = ranks.shape
    r = tombac.clip(tombac.corrcoef(ranks), -1.0, 1.0)
    if variables == 2:
        r = r[1, 0]
    return SignificanceResult(r, _correlation_tail(r, n, alternative, "spearmanr"))


def _correlation_tail(r, n, alternative, name):
    statistic = r * tombac.sqrt(tombac.maximum((n - 2) / ((r + 1) * (1 - r)), 0))
    return tail(statistic, t(n - 2), alternative, name)


@_documented
def spearmanrho(x, y, /, *, alternative="two-sided", axis=0, nan_policy="propagate", keepdims=False):
    """Spearman's correlation of pairs: Pearson's of ranks.

    Args:
        x: The samples: an array of any real dtype.
        y: The other samples, of a shape that broadcasts.
        {alternative}
        {axis}
        {nan_policy}
        {keepdims}

    Returns:
        {test}

    Raises:
        {refusals}

    >>> tombacx.scipy.stats.spearmanrho(tombac.array([1.0, 2.0, 3.0]), tombac.array([1.0, 9.0, 4.0])).statistic
    array(0.5)
    """
    def compute(x, y):
        n = x.shape[-1]
        u, v = (rankdata(v, axis=-1) - (n + 1) / 2 for v in (x, y))
        r = (u * v).sum(axis=-1) / tombac.sqrt((u * u).sum(axis=-1) * (v * v).sum(axis=-1))
        r = tombac.clip(r, -1.0, 1.0)
        p = where(tombac.isnan(r), np.nan, 1.0) if n == 2 else _correlation_tail(r, n, alternative, "spearmanrho")
        return r, p

    return SignificanceResult(*over("spearmanrho", (x, y), axis, nan_policy, keepdims, compute, least=2, paired=True,
                                    refused=True))


def tail(statistic, distribution, alternative, name):
    """How probable a statistic as far out is, by a symmetric distribution."""
    if alternative == "two-sided":
        return 2 * distribution.sf(abs(statistic))
    if alternative not in ("less", "greater"):
        raise ValueError(f"{name}: alternative must be 'two-sided', 'less' or 'greater', not {alternative!r}")
    return distribution.cdf(statistic) if alternative == "less" else distribution.sf(statistic)


@_documented
def median_abs_deviation(x, axis=0, center=None, scale=1.0, nan_policy="propagate", *, keepdims=False):
    """The median of the absolute deviations from the median.

    Args:
        x: The samples: an array of any real dtype.
        {axis}
        {nan_policy}
        {keepdims}
        center: From what deviations are taken: a function of an array and its axis; the median if None.
        scale: By what the result is divided: a number, or 'normal', with which it is the standard deviation of normal
            samples.

    Returns:
        An array without the axis.

    Raises:
        {refusals}

    >>> tombacx.scipy.stats.median_abs_deviation(tombac.array([1.0, 2.0, 4.0, 9.0, 2.0]))
    array(1.)
    """
    check_real("median_abs_deviation", x)
    if isinstance(scale, str):
        if scale.lower() != "normal":
            raise ValueError(f"median_abs_deviation: scale must be a number or 'normal', not {scale!r}")
        scale = 0.6744897501960817  # the upper quartile of a normal distribution
    middle = tombac.median if center is None else center

    def compute(lines):
        deviations = abs(lines - tombac.asarray(middle(lines, axis=-1))[..., None])
        return tombac.median(deviations, axis=-1) / scale,

    return over("median_abs_deviation", (x,), axis, nan_policy, keepdims, compute, results=1, dtype=None)[0]
