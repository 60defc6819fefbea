"""Tests of whether samples have one variance: Bartlett's, Levene's, Fligner's and Killeen's; O'Brien's terms."""

import tombac
from tombac._core import where
from tombac._numpy import np
from tombacx.scipy.stats._families import chi2, f, norm
from tombacx.scipy.stats._over import check_real, over
from tombacx.scipy.stats._ranks import rankdata
from tombacx.scipy.stats._sample import documented as _documented
from tombacx.scipy.stats._tests import TestResult
from tombacx.scipy.stats._typical import trim_mean

__all__ = ["bartlett", "fligner", "levene", "obrientransform"]


def several(name, samples, least=2):
    """Refuses too few samples."""
    if len(samples) < least:
        raise ValueError(f"{name}: at least {least} samples are expected, not {len(samples)}")


def _middle(name, center, part):
    if center == "median":
        return lambda x: tombac.median(x, axis=-1)
    if center == "mean":
        return lambda x: x.mean(axis=-1)
    if center == "trimmed":
        return lambda x: trim_mean(x, part, axis=-1)
    raise ValueError(f"{name}: center must be 'median', 'mean' or 'trimmed', not {center!r}")


@_documented
def bartlett(*samples, axis=0, nan_policy="propagate", keepdims=False):
    """Bartlett's test of whether normal samples have one variance.

    Args:
        samples: Two or more arrays of any real dtype, whose shapes agree but for the axis.
        {axis}
        {nan_policy}
        {keepdims}

    Returns:
        {test}

    Raises:
        {refusals}

    >>> x = tombac.array([1.0, 2.0, 3.0])
    >>> tombacx.scipy.stats.bartlett(x, x + 1).statistic
    array(0.)
    """
    def compute(*lines):
        k, counts = len(lines), [x.shape[-1] for x in lines]
        total = sum(counts)
        variances = [x.var(axis=-1, ddof=1) for x in lines]
        pooled = sum((n - 1) * v for n, v in zip(counts, variances, strict=True)) / (total - k)
        apart = (total - k) * tombac.log(pooled) - sum((n - 1) * tombac.log(v)
                                                       for n, v in zip(counts, variances, strict=True))
        with np.errstate(all="ignore"):
            small = sum(1 / np.float64(n - 1) for n in counts) - 1 / np.float64(total - k)
            statistic = apart / float(1 + small / (3 * (k - 1)))
        statistic = where(statistic < 0, 0.0, statistic)
        return statistic, chi2.sf(statistic, k - 1)

    several("bartlett", samples)
    return TestResult(*over("bartlett", samples, axis, nan_policy, keepdims, compute))


@_documented
def levene(*samples, center="median", proportiontocut=0.05, axis=0, nan_policy="propagate", keepdims=False):
    """Levene's test of whether samples have one variance, by deviations from their middles.

    Args:
        samples: Two or more arrays of any real dtype, whose shapes agree but for the axis.
        center: Which middles: ``"median"``, ``"mean"``, or ``"trimmed"``, the mean without the ends.
        proportiontocut: Which part is cut off at either end, for ``"trimmed"``.
        {axis}
        {nan_policy}
        {keepdims}

    Returns:
        {test}

    Raises:
        {refusals}

    >>> x = tombac.array([1.0, 2.0, 3.0])
    >>> tombacx.scipy.stats.levene(x, x + 1).statistic
    array(0.)
    """
    middle = _middle("levene", center, proportiontocut)

    def compute(*lines):
        k, counts = len(lines), [x.shape[-1] for x in lines]
        total = sum(counts)
        apart = [abs(x - middle(x)[..., None]) for x in lines]
        means = [x.mean(axis=-1) for x in apart]
        whole = sum(n * m for n, m in zip(counts, means, strict=True)) / total
        between = sum(n * tombac.square(m - whole) for n, m in zip(counts, means, strict=True))
        within = sum(tombac.square(x - m[..., None]).sum(axis=-1) for x, m in zip(apart, means, strict=True))
        statistic = (total - k) * between / ((k - 1) * within)
        return statistic, f.sf(statistic, k - 1, total - k)

    several("levene", samples)
    return TestResult(*over("levene", samples, axis, nan_policy, keepdims, compute))


@_documented
def fligner(*samples, center="median", proportiontocut=0.05, axis=0, nan_policy="propagate", keepdims=False):
    """Fligner's and Killeen's test of whether samples have one variance, by ranks of deviations from their middles.

    Args:
        samples: Two or more arrays of any real dtype, whose shapes agree but for the axis.
        center: Which middles: ``"median"``, ``"mean"``, or ``"trimmed"``, the mean without the ends.
        proportiontocut: Which part is cut off at either end, for ``"trimmed"``.
        {axis}
        {nan_policy}
        {keepdims}

    Returns:
        {test}

    Raises:
        {refusals}

    >>> x = tombac.array([1.0, 2.0, 3.0])
    >>> tombacx.scipy.stats.fligner(x, x + 1).statistic
    array(0.)
    """
    middle = _middle("fligner", center, proportiontocut)

    def compute(*lines):
        counts = [x.shape[-1] for x in lines]
        total = sum(counts)
        ranks = rankdata(tombac.concatenate([abs(x - middle(x)[..., None]) for x in lines], axis=-1), axis=-1)
        scores = norm.ppf(ranks / (2 * (total + 1.0)) + 0.5)
        mean, start, between = scores.mean(axis=-1), 0, 0.0
        for n in counts:
            between = between + n * tombac.square(scores[..., start:start + n].mean(axis=-1) - mean)
            start += n
        statistic = between / scores.var(axis=-1, ddof=1)
        return statistic, chi2.sf(statistic, len(lines) - 1)

    several("fligner", samples)
    return TestResult(*over("fligner", samples, axis, nan_policy, keepdims, compute))


def obrientransform(*samples):
    """O'Brien's terms, whose mean is a sample's variance: those of samples of one variance have one mean.

    Args:
        samples: Vectors of any real dtype.

    Returns:
        A matrix of float64, float32 if the samples are, with a row for each sample; or a tuple of vectors, where
        samples are not of one length. NaN for samples with less than 3 elements.

    Raises:
        TypeError: A sample is no tombac array, or complex.
        ValueError: A sample is no vector.

    SciPy's gives an array of objects where samples are not of one length.

    >>> tombacx.scipy.stats.obrientransform(tombac.array([1.0, 2.0, 3.0])).mean()
    array(1.)
    """
    if not samples:
        return tombac.empty(0)
    check_real("obrientransform", *samples)
    found, dtype = [], "f" if np.result_type(*(x.dtype for x in samples)) == "f" else "d"
    for x in samples:
        if x.ndim != 1:
            raise ValueError(f"obrientransform: vectors are expected, not an array of {x.ndim} dimensions")
        n, x = x.size, x.astype("d")
        if n < 3:
            found.append(tombac.full(n, np.nan, dtype))
            continue
        squares = tombac.square(x - x.mean())
        found.append((((n - 1.5) * n * squares - squares.sum() / 2) / ((n - 1) * (n - 2))).astype(dtype, copy=False))
    return tombac.stack(found) if len({len(v) for v in found}) == 1 else tuple(found)
