"""Tests of hypotheses by ranks.

Mann and Whitney, Ann. Math. Statist. 18, 1947; Wilcoxon, Biometrics Bulletin 1, 1945; Kruskal and Wallis, J. Am. Stat.
Assoc. 47, 1952; Friedman, J. Am. Stat. Assoc. 32, 1937; Brunner and Munzel, Biometrical Journal 42, 2000; Kendall,
Biometrika 30, 1938. Exact distributions are counted on the host, by the recurrences of these papers.
"""

import collections
import functools
import math

import tombac
from tombac import _core
from tombac._core import where
from tombac._numpy import np
from tombacx.scipy._host import device, host, scipy_module
from tombacx.scipy.stats._associations import as_long
from tombacx.scipy.stats._families import chi2, norm, t
from tombacx.scipy.stats._over import of_any, over
from tombacx.scipy.stats._ranks import SignificanceResult, _runs, rankdata, tail
from tombacx.scipy.stats._sample import documented as _documented
from tombacx.scipy.stats._tests import TestResult
from tombacx.scipy.stats._variances import several

__all__ = ["brunnermunzel", "friedmanchisquare", "kendalltau", "kruskal", "mannwhitneyu", "ranksums", "wilcoxon"]


def _ties(lines):
    """The sum of t**3 - t of the numbers t of elements that are equal, along the last axis."""
    first, last = _runs(tombac.sort(lines, axis=-1))
    size = (last - first + 1).astype("d")
    return (size * size - 1).sum(axis=-1)


def _check(name, alternative, method, methods):
    if alternative not in ("two-sided", "less", "greater"):
        raise ValueError(f"{name}: alternative must be 'two-sided', 'less' or 'greater', not {alternative!r}")
    if method not in methods:
        raise ValueError(f"{name}: method must be one of {', '.join(map(repr, methods))}, not {method!r}")


@functools.lru_cache(32)
def _mann_whitney(m, n):
    """The probabilities that U is at least 0, 1, ..., m n + 1."""
    counts = np.zeros(m * n + 1, object)  # whole numbers of any size
    counts[0] = 1
    for i in range(1, min(m, n) + 1):  # the Gaussian binomial coefficient, factor by factor
        top = max(m, n) + i
        if top < counts.size:
            counts[top:] -= counts[:-top].copy()
        for k in range(i):
            counts[k::i] = np.cumsum(counts[k::i])
    above = np.cumsum(counts[::-1])[::-1]
    return np.append((above / above[0]).astype("d"), 0.0)


@_documented
def mannwhitneyu(x, y, use_continuity=True, alternative="two-sided", axis=0, method="auto", *, nan_policy="propagate",
                 keepdims=False):
    """Mann's and Whitney's test of whether elements of one sample are greater than those of another.

    Args:
        x: The samples: an array of any real dtype.
        y: The other samples, of a shape that broadcasts but for the axis.
        use_continuity: Whether 1/2 is taken off before the approximation by a normal distribution.
        {alternative}
        {axis}
        {nan_policy}
        {keepdims}
        method: ``"asymptotic"``, ``"exact"``, or ``"auto"``: exact where a sample has at most 8 elements and none are
            equal; of several samples in none of which elements are, unless there is NaN.

    Returns:
        A tuple with the fields ``statistic``, that of ``x``, and ``pvalue``, arrays without the axis.

    Raises:
        {refusals}

    >>> tombacx.scipy.stats.mannwhitneyu(tombac.array([1.0, 2.0, 3.0]), tombac.array([4.0, 5.0]))
    TestResult(statistic=array(0.), pvalue=array(0.2))
    """
    _check("mannwhitneyu", alternative, method, ("auto", "asymptotic", "exact"))
    samples = x, y

    def compute(x, y):
        m, n = x.shape[-1], y.shape[-1]
        both = tombac.concatenate([x, y], axis=-1)
        ranks = rankdata(both, axis=-1)
        first = ranks[..., :m].sum(axis=-1) - m * (m + 1) / 2
        u = {"greater": first, "less": m * n - first}.get(alternative, tombac.maximum(first, m * n - first))
        factor, all_ = 2 if alternative == "two-sided" else 1, m + n
        ties = _ties(both)
        spread = tombac.sqrt(m * n / 12 * ((all_ + 1) - ties / (all_ * max(all_ - 1, 1))))
        p = norm.sf((u - m * n / 2 - (0.5 if use_continuity else 0.0)) / spread)
        if method == "exact" or (method == "auto" and min(m, n) <= 8 and m * n <= 1 << 16):
            table = tombac.array(_mann_whitney(m, n))
            known = table[tombac.clip(where(tombac.isnan(u), 0, u), 0, m * n).astype("l")]
            p = known if method == "exact" else where(of_any(ties > 0, *samples), p, known)
        return first, tombac.clip(p * factor, 0.0, 1.0)

    return TestResult(*over("mannwhitneyu", (x, y), axis, nan_policy, keepdims, compute))


@functools.lru_cache(64)
def _signed_ranks(n):
    """The probabilities that the sum of positive ranks is at least 0, 1, ..., n (n + 1) / 2 + 1."""
    p = np.ones(1)
    for i in range(1, n + 1):
        longer = np.zeros(p.size + i)
        longer[:p.size] += p / 2
        longer[i:] += p / 2
        p = longer
    return np.append(np.cumsum(p[::-1])[::-1], 0.0)


def _signed_rank_test(d, zero_method, correction, alternative, method, samples):
    """The sums of the ranks of positive and of negative differences, the p-value, and how far the first is off in
    standard deviations; ``samples`` are those that ``wilcoxon`` was given."""
    length, size, zero = d.shape[-1], abs(d), d == 0
    zeros = zero.sum(axis=-1).astype("d")
    ranks = rankdata(size, axis=-1)
    if zero_method == "wilcox":
        ranks = ranks - zeros[..., None]
    plus, minus = where(d > 0, ranks, 0.0).sum(axis=-1), where(d < 0, ranks, 0.0).sum(axis=-1)
    ties, n = _ties(size), length + 0 * zeros
    if zero_method == "zsplit":
        half = where(zero, ranks, 0.0).sum(axis=-1) / 2
        plus, minus = plus + half, minus + half
    else:
        ties = ties - (zeros**3 - zeros)
    mean, spread = n * (n + 1) / 4, n * (n + 1) * (2 * n + 1)
    if zero_method == "wilcox":
        n = length - zeros
        mean, spread = n * (n + 1) / 4, n * (n + 1) * (2 * n + 1)
    elif zero_method == "pratt":
        mean, spread = mean - zeros * (zeros + 1) / 4, spread - zeros * (zeros + 1) * (2 * zeros + 1)
    spread = tombac.sqrt((spread - ties / 2) / 24)
    off = plus - mean
    if correction:
        off = off - {"greater": 0.5, "less": -0.5}.get(alternative, 0.5 * tombac.sign(off))
    z = off / spread
    p, tied = tail(z, norm, alternative, "wilcoxon"), (ties > 0) | (zeros > 0)
    if method == "exact" and zero_method == "wilcox":
        p = _exact_of_counts(n, plus, alternative)
    elif method == "exact":
        p = _exact_signed(length, plus, alternative)
    elif method == "auto" and length <= 50:
        rough = of_any(tied, *samples) if length > _FEW_SIGNS else tied
        p = where(rough, p, _exact_signed(length, plus, alternative))
    if method == "auto" and length <= _FEW_SIGNS:
        p = _with_tied_ranks(p, tied, where(zero, 0.0, ranks), d > 0, alternative)
    return plus, minus, p, z


class WilcoxonResult(collections.namedtuple("WilcoxonResult", "statistic pvalue")):
    """What the test found; ``zstatistic``, by the approximation: how far off the statistic is, in deviations."""


@_documented
def wilcoxon(x, y=None, zero_method="wilcox", correction=False, alternative="two-sided", method="auto", *, axis=0,
             nan_policy="propagate", keepdims=False):
    """Wilcoxon's test of whether differences are symmetric about 0.

    Args:
        x: The differences: an array of any real dtype; or the first elements of pairs.
        y: The second elements of pairs, of a shape that broadcasts; None if there are none.
        zero_method: What differences of 0 are: ``"wilcox"``: not there; ``"pratt"``: there until ranks are known;
            ``"zsplit"``: half positive, half negative.
        correction: Whether 1/2 is taken off before the approximation by a normal distribution.
        {alternative}
        method: ``"asymptotic"``, ``"exact"``, or ``"auto"``: exact for up to 50 differences none of which are 0 or of
            one size, and for up to 13 of any, for which the device is waited for. ``"exact"`` knows no equal sizes,
            and waits to see how many differences are 0 with ``"wilcox"``.
        {axis}
        {nan_policy}
        {keepdims}

    Returns:
        A tuple with the fields ``statistic``, the sum of the ranks of positive differences, or the lesser sum for
        ``"two-sided"``, and ``pvalue``, arrays without the axis. With ``"asymptotic"`` also with ``zstatistic``: how
        far the statistic is off, in standard deviations.

    Raises:
        {refusals}

    >>> tombacx.scipy.stats.wilcoxon(tombac.array([1.0, 2.0, 3.0, -4.0])).pvalue
    array(0.875)
    """
    method = "asymptotic" if method == "approx" else method  # its older name
    _check("wilcoxon", alternative, method, ("auto", "asymptotic", "exact"))
    samples = (x,) if y is None else (x, y)
    if zero_method not in ("wilcox", "pratt", "zsplit"):
        raise ValueError(f"wilcoxon: zero_method must be 'wilcox', 'pratt' or 'zsplit', not {zero_method!r}")

    def compute(x, y=None):
        plus, minus, p, z = _signed_rank_test(x if y is None else x - y, zero_method, correction, alternative, method,
                                              samples)
        if alternative == "two-sided":
            plus, z = tombac.minimum(plus, minus), -abs(z)
        return (plus, p, z) if approximate else (plus, p)

    approximate = method == "asymptotic"
    found = over("wilcoxon", samples, axis, nan_policy, keepdims, compute, paired=True, results=2 + approximate)
    result = WilcoxonResult(*found[:2])
    if approximate:
        result.zstatistic = found[2]
    return result


def _with_tied_ranks(p, tied, ranks, positive, alternative):
    """P-values, and in the place of those of lines with ties the exact ones, of all signs that ranks may have."""
    found, lines = tombac.nonzero(tied.ravel())[0], ranks.reshape(-1, ranks.shape[-1])
    positive, p, shape = positive.reshape(lines.shape), p.ravel(), p.shape
    for some in (found[i:i + _TIED_AT_ONCE] for i in range(0, found.size, _TIED_AT_ONCE)):
        halves = (2 * lines[some]).astype("l")  # a mean of ranks is a half at worst
        p[some] = _of_all_signs(halves, where(positive[some], halves, 0).sum(axis=-1), alternative)
    return p.reshape(shape)


def _of_all_signs(ranks, plus, alternative):
    """Of lines of whole numbers each of which is in the sum or is not, as likely one as the other."""
    n = ranks.shape[-1]
    sums = tombac.arange(n * (n + 1) + 1)
    chance = where(sums == 0, 1.0, 0.0) + tombac.zeros((len(ranks), 1))
    for i in range(n):
        before = sums - ranks[:, i:i + 1]
        moved = where(before < 0, 0.0, tombac.take_along_axis(chance, tombac.maximum(before, 0), 1))
        chance = (chance + moved) / 2
    above = where(sums >= plus[:, None], chance, 0.0).sum(axis=-1)
    below = where(sums <= plus[:, None], chance, 0.0).sum(axis=-1)
    return _of_either(above, below, alternative)


def _exact_of_counts(counts, plus, alternative):
    """Of lines of as many differences as ``counts`` says, which is waited for."""
    first, *others = sorted(set(counts.ravel().tolist())) or [0]
    p = _exact_signed(int(first), plus, alternative)
    for n in others:
        p = where(counts == n, _exact_signed(int(n), plus, alternative), p)
    return p


def _exact_signed(n, plus, alternative):
    """Of sums of n ranks none of which are equal. A sum that is no whole number, of others, is not more unlikely than
    those next to it."""
    table, most = tombac.array(_signed_ranks(n)), n * (n + 1) // 2

    def at_least(v):
        return table[tombac.clip(where(tombac.isnan(v), 0, v), 0, most + 1).astype("l")]

    return _of_either(at_least(tombac.floor(plus)), 1 - at_least(tombac.ceil(plus) + 1), alternative)


def _of_either(above, below, alternative):
    if alternative != "two-sided":
        return above if alternative == "greater" else below
    return tombac.minimum(2 * tombac.minimum(above, below), 1.0)


@_documented
def ranksums(x, y, alternative="two-sided", *, axis=0, nan_policy="propagate", keepdims=False):
    """Wilcoxon's test of whether elements of one sample are greater than those of another, by the sum of their ranks.

    Args:
        x: The samples: an array of any real dtype.
        y: The other samples, of a shape that broadcasts but for the axis.
        {alternative}
        {axis}
        {nan_policy}
        {keepdims}

    Returns:
        {test}

    Raises:
        {refusals}

    >>> tombacx.scipy.stats.ranksums(tombac.array([1.0, 4.0]), tombac.array([2.0, 3.0])).statistic
    array(0.)
    """
    def compute(x, y):
        m, n = x.shape[-1], y.shape[-1]
        total = rankdata(tombac.concatenate([x, y], axis=-1), axis=-1)[..., :m].sum(axis=-1)
        z = (total - m * (m + n + 1) / 2) / (m * n * (m + n + 1) / 12) ** 0.5
        return z, tail(z, norm, alternative, "ranksums")

    return TestResult(*over("ranksums", (x, y), axis, nan_policy, keepdims, compute, result="d"))


@_documented
def kruskal(*samples, axis=0, nan_policy="propagate", keepdims=False):
    """Kruskal's and Wallis's test of whether samples come from one distribution.

    Args:
        samples: Two or more arrays of any real dtype, whose shapes agree but for the axis.
        {axis}
        {nan_policy}
        {keepdims}

    Returns:
        {test}

    Raises:
        {refusals}

    >>> tombacx.scipy.stats.kruskal(tombac.array([1.0, 2.0]), tombac.array([3.0, 4.0])).statistic
    array(2.4)
    """
    def compute(*lines):
        both, start, total = tombac.concatenate(lines, axis=-1), 0, 0.0
        ranks, n = rankdata(both, axis=-1), both.shape[-1]
        for x in lines:
            total = total + tombac.square(ranks[..., start:start + x.shape[-1]].sum(axis=-1)) / x.shape[-1]
            start += x.shape[-1]
        statistic = (12 / (n * (n + 1)) * total - 3 * (n + 1)) / (1 - _ties(both) / (n**3 - n))
        return statistic, chi2.sf(statistic, len(lines) - 1)

    several("kruskal", samples)
    return TestResult(*over("kruskal", samples, axis, nan_policy, keepdims, compute))


@_documented
def friedmanchisquare(*samples, axis=0, nan_policy="propagate", keepdims=False):
    """Friedman's test of whether repeated samples of the same individuals come from one distribution.

    Args:
        samples: Three or more arrays of any real dtype and one shape.
        {axis}
        {nan_policy}
        {keepdims}

    Returns:
        {test}

    Raises:
        {refusals}

    >>> x = tombac.array([1.0, 2.0])
    >>> tombacx.scipy.stats.friedmanchisquare(x, x + 1, x + 2).statistic
    array(4.)
    """
    def compute(*lines):
        rows, k, n = tombac.stack(lines, axis=-1), len(lines), lines[0].shape[-1]
        total = tombac.square(rankdata(rows, axis=-1).sum(axis=-2)).sum(axis=-1)
        right = 1 - _ties(rows).sum(axis=-1) / (k * (k * k - 1) * n)
        statistic = (12 / (k * n * (k + 1)) * total - 3 * n * (k + 1)) / right
        return statistic, chi2.sf(statistic, k - 1)

    several("friedmanchisquare", samples, 3)
    return TestResult(*over("friedmanchisquare", samples, axis, nan_policy, keepdims, compute, paired=True))


@_documented
def brunnermunzel(x, y, alternative="two-sided", distribution="t", nan_policy="propagate", *, axis=0, keepdims=False):
    """Brunner's and Munzel's test of whether elements of one sample are greater, where variances differ.

    Args:
        x: The samples: an array of any real dtype.
        y: The other samples, of a shape that broadcasts but for the axis.
        {alternative}
        distribution: Of which the p-value is: ``"t"`` or ``"normal"``.
        {nan_policy}
        {axis}
        {keepdims}

    Returns:
        {test}

    Raises:
        {refusals}

    >>> tombacx.scipy.stats.brunnermunzel(tombac.array([1.0, 4.0, 2.5]), tombac.array([2.0, 3.0, 2.5])).statistic
    array(0.)
    """
    if distribution not in ("t", "normal"):
        raise ValueError(f"brunnermunzel: distribution must be 't' or 'normal', not {distribution!r}")

    def compute(x, y):
        m, n = x.shape[-1], y.shape[-1]
        ranks = rankdata(tombac.concatenate([x, y], axis=-1), axis=-1)
        parts = []
        for own, all_ in ((x, ranks[..., :m]), (y, ranks[..., m:])):
            off = all_ - rankdata(own, axis=-1)
            parts.append((all_.mean(axis=-1), off.var(axis=-1, ddof=1) * own.shape[-1]))
        (mean_x, spread_x), (mean_y, spread_y) = parts
        both = spread_x + spread_y
        statistic = m * n * (mean_y - mean_x) / ((m + n) * tombac.sqrt(both))
        df = tombac.square(both) / (tombac.square(spread_x) / (m - 1) + tombac.square(spread_y) / (n - 1))
        at = t(df) if distribution == "t" else norm
        return statistic, tail(-statistic, at, alternative, "brunnermunzel")

    return TestResult(*over("brunnermunzel", (x, y), axis, nan_policy, keepdims, compute, least=2, result="d"))


_FEW = 33  # of which the distribution of Kendall's correlation is counted
_FEW_SIGNS = 13  # differences, of which all signs are gone through where there are ties
_TIED_AT_ONCE = 1 << 14  # lines


@_documented
def kendalltau(x, y, *, nan_policy="propagate", method="auto", variant="b", alternative="two-sided", axis=None,
               keepdims=False):
    """Kendall's correlation: by how many pairs are in the same order in both samples.

    Args:
        x: The samples: an array of any real dtype.
        y: The other samples, of a shape that broadcasts.
        {nan_policy}
        method: ``"asymptotic"``, ``"exact"``, or ``"auto"``: exact for up to 33 elements none of which are equal.
        variant: ``"b"`` or ``"c"``: how equal elements are accounted for.
        {alternative}
        {axis}
        {keepdims}

    Returns:
        {test}

    Raises:
        {refusals}

    Pairs in different order are counted by merging, on a GPU bit by bit of the ranks, each by a sort and a running sum,
    so that the work is little more than that of sorting. Of few elements, and for ``"exact"``, SciPy's function on the
    host is used.

    >>> tombacx.scipy.stats.kendalltau(tombac.arange(50.0), -tombac.arange(50.0)).statistic
    array(-1.)
    """
    _check("kendalltau", alternative, method, ("auto", "asymptotic", "exact"))
    if variant not in ("b", "c"):
        raise ValueError(f"kendalltau: variant must be 'b' or 'c', not {variant!r}")

    def compute(x, y):
        n = x.shape[-1]
        if method == "exact" or n <= _FEW:
            stats = scipy_module("scipy.stats", "kendalltau")
            found = stats.kendalltau(host(x), host(y), method=method, variant=variant, alternative=alternative, axis=-1)
            return tuple(tombac.asarray(device(v), "d") for v in found)
        if x.ndim == 1:
            return _kendall(x, y, variant, alternative, method)
        lines = zip(x.reshape(-1, n), y.reshape(-1, n), strict=True)
        rows = [_kendall(*pair, variant, alternative, method) for pair in lines]
        return tuple(tombac.stack(v).reshape(x.shape[:-1]) for v in zip(*rows, strict=True))

    x, y = as_long("kendalltau", axis, x, y)
    return SignificanceResult(*over("kendalltau", (x, y), axis, nan_policy, keepdims, compute, least=2, paired=True,
                                    result="d"))


def _kendall(x, y, variant, alternative, method):
    n = x.size
    (a, size_a), (b, size_b) = map(_places, (x, y))
    both = a * n + b
    order = tombac.argsort(both, kind="stable")
    swapped = _inversions(b[order])
    pairs = n * (n - 1) / 2
    tied_x, tied_y, tied_both = ((size - 1).sum() / 2 for size in (size_a, size_b, _sizes(both[order])))
    net = pairs - tied_x - tied_y + tied_both - 2 * swapped
    if variant == "b":
        r = net / tombac.sqrt(pairs - tied_x) / tombac.sqrt(pairs - tied_y)
    else:
        least = tombac.minimum(*(tombac.rint((1 / size).sum()) for size in (size_a, size_b)))
        r = 2 * net / (n * n * (least - 1) / least)
    p = tail(net / tombac.sqrt(_kendall_variance(n, size_a, size_b)), norm, alternative, "kendalltau")
    if method == "auto":
        exact = (tied_x + tied_y == 0) & (_fewest(pairs, swapped) <= 1)
        p = where(exact, _of_one_order(n, pairs, swapped, alternative), p)
    return tombac.clip(r, -1.0, 1.0), p


def _places(v):
    """Where each element is in order, the first place of equal ones, and of how many, in order."""
    order = tombac.argsort(v, kind="stable")
    first, last = _runs(v[order])
    place = tombac.empty(v.size, "l")
    place[order] = first
    return place, (last - first + 1).astype("d")


def _fewest(pairs, swapped):
    return tombac.minimum(swapped, pairs - swapped)


def _of_one_order(n, pairs, swapped, alternative):
    """The p-value where at most one pair is in another order than all others: 1 of n! orders has none, n - 1 have one.
    """
    both = where(_fewest(pairs, swapped) == 0, 2 * math.exp(-math.lgamma(n + 1)), 2 * math.exp(-math.lgamma(n)))
    if alternative == "two-sided":
        return both
    return where((swapped < pairs / 2) == (alternative == "greater"), both / 2, 1 - both / 2)


def _sizes(ordered):
    """Of each element how many equal it."""
    first, last = _runs(ordered)
    return (last - first + 1).astype("d")


def _kendall_variance(n, size_a, size_b):
    """That of the number of pairs in order less the others, where elements may be equal."""
    (x0, x1, v_x), (y0, y1, v_y) = (((s - 1).sum(), ((s - 1) * (s - 2)).sum(), ((s - 1) * (2 * s + 5)).sum())
                                    for s in (size_a, size_b))
    m = n * (n - 1.0)
    return (m * (2 * n + 5) - v_x - v_y) / 18 + x0 * y0 / (2 * m) + x1 * y1 / (9 * m * (n - 2))


def _inversions(values):
    """How many pairs of whole numbers are out of order: on a GPU, of a permutation of 0, 1, ..., n - 1.

    Of two elements the highest bit that differs says which is greater: for each bit elements are grouped by the bits
    above it, in their order, and those with a 1 are counted before those with a 0.
    """
    if _core.backend() == "cpu":
        return tombac.array(float(_core._inversions(values)))
    rank = tombac.argsort(tombac.argsort(values, kind="stable"), kind="stable")
    total = tombac.zeros((), "d")
    for bit in range(max(rank.size - 1, 1).bit_length()):
        group = rank >> (bit + 1)
        order = tombac.argsort(group, kind="stable")
        ones = (rank[order] >> bit) & 1
        before = tombac.cumsum(ones) - ones
        start = group[order] << (bit + 1)  # elements of lower groups are as many
        total = total + where(ones == 0, before - before[start], 0).sum()
    return total
