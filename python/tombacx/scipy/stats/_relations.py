"""Scores against a sample, entropy, correlation, and the likelihood of a Box-Cox transformation."""

import collections
import math

import tombac
from tombac import _core
from tombac._core import where
from tombac._numpy import np
from tombac._util import check_arrays, normalize_axis_tuple
from tombacx.scipy.stats._families import norm
from tombacx.scipy.stats._over import check_real, confidence_interval, over
from tombacx.scipy.stats._sample import Sample, promoted
from tombacx.scipy.stats._sample import documented as _documented

__all__ = ["boxcox_llf", "entropy", "gzscore", "pearsonr", "zmap", "zscore"]


@_documented
def zscore(a, axis=0, ddof=0, nan_policy="propagate"):
    """How many standard deviations each element is from the mean.

    Args:
        {a}
        {axis}
        {ddof}
        {nan_policy}

    Returns:
        An array of ``a``'s shape; NaN for samples whose elements are all the same.

    Raises:
        {refusals}

    >>> tombacx.scipy.stats.zscore(tombac.array([1.0, 2.0, 3.0]), ddof=1)
    array([-1.,  0.,  1.])
    """
    return _scores("zscore", a, a, axis, ddof, nan_policy)


@_documented
def zmap(scores, compare, axis=0, ddof=0, nan_policy="propagate"):
    """How many standard deviations each score is from the mean of a sample.

    Args:
        scores: The scores, an array.
        compare: The samples: an array of any real dtype.
        {axis}
        {ddof}
        {nan_policy}

    Returns:
        An array of the shape that ``scores`` and the samples' means broadcast to.

    Raises:
        {refusals}

    >>> tombacx.scipy.stats.zmap(tombac.array([0.0, 9.0]), tombac.array([1.0, 2.0, 3.0]), ddof=1)
    array([-2.,  7.])
    """
    check_arrays("zmap", scores)
    return _scores("zmap", scores, compare, axis, ddof, nan_policy)


def _scores(name, scores, compare, axis, ddof, nan_policy):
    sample = Sample(name, compare, axis, nan_policy)
    if axis is not None:
        normalize_axis_tuple(axis, compare.ndim, "axis")  # of a number there are no scores
    if scores is compare and sample.counted is None and sample.n > max(ddof, 0) and compare.ndim:
        return _core._standardize(compare if compare.dtype.kind == "f" else compare.astype("d"), axis, ddof)
    mean, variance = sample.mean_and_variance(ddof)
    mean, deviation = (sample.result(x, axis is not None) for x in (mean, sample.known(variance, ddof)))
    deviation = _core.sqrt(deviation)
    if scores is compare:
        same = deviation <= _core.absolute(np.finfo(deviation.dtype).eps * mean)
        deviation = where(same, np.nan, deviation)
    return (scores - mean) / deviation


@_documented
def gzscore(a, *, axis=0, ddof=0, nan_policy="propagate"):
    """How many geometric standard deviations each element is from the geometric mean.

    Args:
        {a}
        {axis}
        {ddof}
        {nan_policy}

    Returns:
        An array of ``a``'s shape; NaN for samples whose elements are all the same.

    Raises:
        {refusals}

    >>> tombacx.scipy.stats.gzscore(tombac.array([1.0, 2.0, 4.0]), ddof=1).round(6)
    array([-1.,  0.,  1.])
    """
    check_real("gzscore", a)
    logs = _core.log(a if a.dtype.kind == "f" else a.astype("d"))
    return _scores("gzscore", logs, logs, axis, ddof, nan_policy)


@_documented
@_documented
def entropy(pk, qk=None, base=None, axis=0, *, nan_policy="propagate", keepdims=False):
    """The Shannon entropy of distributions, or their Kullback-Leibler divergence from others.

    Args:
        pk: The distributions: an array, which is divided by its sums along the axis.
        qk: The others, if the divergence is wanted; they are divided by their sums, too.
        base: The base of the logarithm; e if None.
        {axis}
        {nan_policy}
        {keepdims}

    Returns:
        An array without the axis.

    Raises:
        {refusals}

    >>> tombacx.scipy.stats.entropy(tombac.array([1.0, 1.0, 2.0]), base=2)
    array(1.5)
    """
    if base is not None and base <= 0:
        raise ValueError(f"entropy: base must be a positive number, not {base}")
    distributions = (pk,) if qk is None else (pk, qk)
    check_real("entropy", *distributions)
    axis = None if axis == () else axis
    if qk is None and nan_policy == "propagate" and pk.ndim > 0:
        wanted = _core.entropy(_floating(pk), axis=axis, keepdims=keepdims)
        return wanted if base is None else wanted / math.log(base)

    def compute(pk, qk=None):
        total = _core.entropy(pk, axis=-1) if qk is None else _divergence(pk, qk)
        return (total if base is None else total / math.log(base)),

    distributions = [_floating(x) for x in promoted(*distributions)]
    # NaN is in the sum that all terms are divided by.
    return over("entropy", distributions, axis, nan_policy, keepdims, compute, least=0, paired=True, results=1,
                dtype=None, spoilt=False)[0]


def _floating(x):
    return x.astype("f") if x.dtype == "e" else x


def _divergence(pk, qk):
    pk, qk = (x / x.sum(axis=-1, keepdims=True) for x in (pk, qk))
    terms = where(pk == 0, 0, pk * _core.log(pk / qk))
    return where((pk < 0) | (qk < 0), np.inf, terms).sum(axis=-1)


@_documented
def boxcox_llf(lmb, data, *, axis=0, keepdims=False, nan_policy="propagate"):
    """The logarithm of the likelihood of a Box-Cox transformation.

    Args:
        lmb: The parameter of the transformation, a number.
        data: The samples: an array of positive numbers.
        {axis}
        {keepdims}
        {nan_policy}

    Returns:
        An array without the axis; NaN where there is no element.

    Raises:
        {refusals}

    Variances of powers are taken of what is divided by the greatest, and so do not overflow.

    >>> tombacx.scipy.stats.boxcox_llf(1, tombac.array([1.0, 2.0, 4.0]))
    array(-0.66274913)
    """
    check_real("boxcox_llf", data)

    def compute(x):
        return boxcox_likelihood(lmb, x),

    return over("boxcox_llf", (data if data.dtype.kind == "f" else data.astype("d"),), axis, nan_policy, keepdims,
                compute, results=1, dtype=None)[0]


def boxcox_likelihood(lmb, x):
    """Of samples along the last axis."""
    n, logarithms = x.shape[-1], _core.log(x)
    if lmb == 0:
        spread = _core.log(logarithms.var(axis=-1))
    else:
        top = (lmb * logarithms).max(axis=-1)
        powers = _core.exp(lmb * logarithms - top[..., None])
        spread = _core.log(powers.var(axis=-1)) + 2 * top - 2 * math.log(abs(lmb))
    return (lmb - 1) * logarithms.sum(axis=-1) - n / 2 * spread


ConfidenceInterval = collections.namedtuple("ConfidenceInterval", "low high")


class PearsonRResult(tuple):
    """The correlation ``statistic`` and its ``pvalue``, which is computed when it is asked for."""

    def __new__(cls, statistic, n, alternative, pvalue=None):
        self = super().__new__(cls, ())
        self.statistic, self._n, self._alternative, self._found = statistic, n, alternative, pvalue
        return self

    def __getnewargs__(self):
        return self.statistic, self._n, self._alternative, self._found

    def __iter__(self):
        return iter((self.statistic, self.pvalue))

    def __len__(self):
        return 2

    def __getitem__(self, i):
        return (self.statistic, self.pvalue)[i] if i not in (0, -2) else self.statistic

    def __repr__(self):
        return f"PearsonRResult(statistic={self.statistic!r}, pvalue={self.pvalue!r})"

    @property
    def correlation(self):
        """The statistic, by its older name."""
        return self.statistic

    @property
    def pvalue(self):
        """How probable such a correlation is between independent normal samples."""
        from tombacx.scipy import special

        if self._found is not None:
            return self._found
        r, half = self.statistic.astype("d"), self._n / 2 - 1
        if self._n == 2:
            return self._as_given(where(_core.isnan(r), np.nan, 1.0))
        tail = {"two-sided": -_core.absolute(r), "less": r, "greater": -r}[self._alternative]
        p = special.betainc(half, half, (1 + tail) / 2)
        return self._as_given(_core.minimum(2 * p, 1) if self._alternative == "two-sided" else p)

    def _as_given(self, x):
        """In single precision where the samples were not of more."""
        return x if self.statistic.dtype == "d" else x.astype("f")

    def confidence_interval(self, confidence_level=0.95):
        """Where the correlation is, by Fisher's transformation: a tuple with the fields ``low`` and ``high``."""
        r = self.statistic.astype("d")
        if self._n < 4:
            return ConfidenceInterval(*(self._as_given(where(_core.isnan(r), np.nan, end)) for end in (-1.0, 1.0)))
        low, high = confidence_interval(_core.arctanh(r), (self._n - 3) ** -0.5, norm, self._alternative,
                                        confidence_level)
        return ConfidenceInterval(self._as_given(_core.tanh(low)), self._as_given(_core.tanh(high)))


@_documented
def pearsonr(x, y, *, alternative="two-sided", method=None, axis=0):
    """Pearson's correlation of samples.

    Args:
        x: The samples: an array of any real dtype.
        y: The other samples, of a shape that broadcasts.
        {alternative}
        method: How the p-value is found: a PermutationMethod, by permutations of ``y``, or a MonteCarloMethod, by
            samples that are drawn; if None, by the distribution of correlations of normal samples.
        {axis}

    Returns:
        A tuple with the fields ``statistic``, an array without the axis, and ``pvalue``, one that is computed when it
        is asked for.

    Raises:
        {refusals}

    ``pvalue`` needs ``tombacx.scipy.special.betainc``.

    >>> tombacx.scipy.stats.pearsonr(tombac.array([1.0, 2.0, 3.0]), tombac.array([1.0, 3.0, 2.0])).statistic
    array(0.5)
    """
    check_arrays("pearsonr", x, y)
    if alternative not in ("two-sided", "less", "greater"):
        raise ValueError(f"pearsonr: alternative must be 'two-sided', 'less' or 'greater', not {alternative!r}")
    x, y = (v.ravel() if axis is None else v for v in promoted(x, y))
    shape = np.broadcast_shapes(x.shape, y.shape)
    axes = normalize_axis_tuple(0 if axis is None else axis, max(len(shape), 1))
    if len({tuple(((1,) * len(shape) + v.shape)[v.ndim + d] for d in axes) for v in (x, y) if shape}) > 1:
        raise ValueError("pearsonr: samples of different lengths")
    first = Sample("pearsonr", _core.broadcast_to(x, shape), axis)
    second = Sample("pearsonr", _core.broadcast_to(y, shape), axis)
    n = first.n
    if method is not None and n > 1:
        return _resampled_correlation(method, first, second, alternative)
    if n < 2:
        raise ValueError(f"pearsonr: samples of at least 2 elements are expected, not {n}")
    u, v = (_deviations(sample) for sample in (first, second))
    # Divided by their sizes first, so that no square overflows.
    u, v = u / _size(u, first.axis), v / _size(v, first.axis)
    r = _core.clip((u * v).sum(axis=first.axis), -1.0, 1.0)
    return PearsonRResult(_core.rint(r) if n == 2 else r, n, alternative)


def _resampled_correlation(method, first, second, alternative):
    from tombacx.scipy.stats._resampling import resampled_test

    def statistic(x, y):
        return pearsonr(x, y, axis=-1).statistic

    lines = [tombac.moveaxis(s.values, s.axis, -1) for s in (first, second)]
    r, pvalue = resampled_test("pearsonr", method, lines, statistic, alternative, "pairings")
    return PearsonRResult(r, first.n, alternative, pvalue)


def _deviations(sample):
    """From the mean; exactly 0 where all elements are the same, of whom the correlation then is NaN."""
    apart = sample.values - sample.values[(slice(None),) * sample.axis + (slice(1),)]
    return apart - apart.mean(axis=sample.axis, keepdims=True)


def _size(x, axis):
    top = _core.absolute(x).max(axis=axis, keepdims=True)
    return top * _core.sqrt(_core.square(x / top).sum(axis=axis, keepdims=True))
