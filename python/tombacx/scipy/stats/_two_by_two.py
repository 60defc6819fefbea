"""Exact tests of two groups, which look for the least favourable probability, and the test of two Poisson means.

Barnard, Biometrika 34, 1947; Boschloo, Statist. Neerlandica 24, 1970; Krishnamoorthy and Thomson, J. Statist. Plann.
Inference 119, 2004.
"""

import collections
import math

import tombac
from tombac._numpy import np
from tombacx.scipy._host import host
from tombacx.scipy.stats._families import poisson
from tombacx.scipy.stats._families_whole import hypergeom
from tombacx.scipy.stats._ranks import SignificanceResult
from tombacx.scipy.stats._sample import documented as _documented

__all__ = ["BarnardExactResult", "BoschlooExactResult", "barnard_exact", "boschloo_exact", "poisson_means_test"]

BarnardExactResult = collections.namedtuple("BarnardExactResult", ["statistic", "pvalue"])
BoschlooExactResult = collections.namedtuple("BoschlooExactResult", ["statistic", "pvalue"])


def _table(name, table, alternative, n):
    """The successes and the sizes of both groups, which are the columns."""
    if n <= 0:
        raise ValueError(f"{name}: n must be positive, not {n}")
    table = np.asarray(host(table))
    if table.shape != (2, 2):
        raise ValueError(f"{name}: a table of shape (2, 2) is expected, not {table.shape}")
    table = table.astype(np.int64)
    if (table < 0).any():
        raise ValueError(f"{name}: frequencies must not be negative")
    if alternative not in ("two-sided", "less", "greater"):
        raise ValueError(f"{name}: alternative must be 'two-sided', 'less' or 'greater', not {alternative!r}")
    return table[0].tolist(), table.sum(axis=0).tolist()


def _logs_of_choices(n):
    return np.array([math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1) for k in range(n + 1)])


def _greatest(extreme, sizes, n):
    """The greatest probability of what is as extreme, of all probabilities that both groups may share: on a grid, then
    on finer ones about where it is largest."""
    first, second = sizes
    both, whole = np.add.outer(np.arange(first + 1), np.arange(second + 1)), first + second
    choices = _logs_of_choices(first)[:, None] + _logs_of_choices(second)
    weights = np.bincount(both[extreme], np.exp(choices - choices.max())[extreme], whole + 1)
    k = np.flatnonzero(weights)
    if not k.size:
        return 0.0
    logs = np.log(weights[k]) + choices.max()
    low, high, found = 0.0, 1.0, 0.0
    for _ in range(6):
        p = np.linspace(low, high, 32 * max(n, 32) + 1)
        with np.errstate(divide="ignore", invalid="ignore"):
            terms = np.where(k[:, None] > 0, k[:, None] * np.log(p), 0.0) + \
                np.where(k[:, None] < whole, (whole - k[:, None]) * np.log1p(-p), 0.0)
            sums = np.exp(logs[:, None] + terms).sum(axis=0)
        at = int(sums.argmax())
        found, step = max(found, float(sums[at])), (high - low) / (p.size - 1)
        low, high = max(p[at] - 2 * step, 0.0), min(p[at] + 2 * step, 1.0)
    return min(found, 1.0)


@_documented
def barnard_exact(table, alternative="two-sided", pooled=True, n=32):
    """Barnard's exact test of whether two groups, the columns of a table, have one probability.

    Args:
        table: Frequencies: an array of shape (2, 2), or a list.
        alternative: ``"two-sided"``, ``"less"`` or ``"greater"``: what the first group's probability is.
        pooled: Whether variances are those of a common probability.
        n: How fine the first grid is on which the least favourable probability is looked for.

    Returns:
        A tuple with the fields ``statistic``, Wald's, and ``pvalue``: arrays of float64 and shape ().

    Raises:
        ValueError: The table has another shape or negative frequencies, ``n`` is not positive, or there is no such
            alternative.

    >>> tombacx.scipy.stats.barnard_exact([[7, 12], [8, 3]]).pvalue.round(4)
    array(0.0682)
    """
    successes, sizes = _table("barnard_exact", table, alternative, n)
    if 0 in sizes:
        return BarnardExactResult(tombac.full((), np.nan), tombac.ones(()))
    shares = [np.arange(size + 1) / size for size in sizes]
    apart = np.subtract.outer(*shares)
    if pooled:
        common = np.add.outer(np.arange(sizes[0] + 1), np.arange(sizes[1] + 1)) / sum(sizes)
        variance = common * (1 - common) * (1 / sizes[0] + 1 / sizes[1])
    else:
        variance = np.add.outer(*(s * (1 - s) / size for s, size in zip(shares, sizes, strict=True)))
    with np.errstate(divide="ignore", invalid="ignore"):
        values = np.where(apart == 0, 0.0, apart / np.sqrt(variance))
    own, near = values[tuple(successes)], 1e-12
    extreme = abs(values) >= abs(own) - near if alternative == "two-sided" else \
        values <= own + near if alternative == "less" else values >= own - near
    return BarnardExactResult(tombac.full((), own), tombac.full((), _greatest(extreme, sizes, n)))


@_documented
def boschloo_exact(table, alternative="two-sided", n=32):
    """Boschloo's exact test of whether two groups, the columns of a table, have one probability, by Fisher's p-value.

    Args:
        table: Frequencies: an array of shape (2, 2), or a list.
        alternative: ``"two-sided"``, ``"less"`` or ``"greater"``: what the first group's probability is.
        n: How fine the first grid is on which the least favourable probability is looked for.

    Returns:
        A tuple with the fields ``statistic`` and ``pvalue``: arrays of float64 and shape ().

    Raises:
        ValueError: The table has another shape or negative frequencies, ``n`` is not positive, or there is no such
            alternative.

    >>> tombacx.scipy.stats.boschloo_exact([[74, 31], [43, 32]], alternative="greater").pvalue.round(4)
    array(0.0356)
    """
    successes, sizes = _table("boschloo_exact", table, alternative, n)
    if 0 in sizes:
        return BoschlooExactResult(tombac.full((), np.nan), tombac.full((), np.nan))
    if alternative == "two-sided":
        less, greater = (boschloo_exact(table, which, n) for which in ("less", "greater"))
        one = less if bool(less.pvalue < greater.pvalue) else greater
        return BoschlooExactResult(one.statistic, tombac.minimum(2 * one.pvalue, 1.0))
    first, second = np.meshgrid(*(np.arange(size + 1) for size in sizes), indexing="ij")
    of, size = (first, sizes[0]) if alternative == "less" else (second, sizes[1])
    values = hypergeom.cdf(tombac.array(of), sum(sizes), tombac.array(first + second), size).get()
    own = values[tuple(successes)]
    return BoschlooExactResult(tombac.full((), own), tombac.full((), _greatest(values <= own * (1 + 1e-13), sizes, n)))


@_documented
def poisson_means_test(k1, n1, k2, n2, *, diff=0, alternative="two-sided"):
    """The test of whether the means of two Poisson distributions differ by a given number.

    Args:
        k1: How often something was counted in the first sample: an integer.
        n1: The size of that sample.
        k2: How often in the second.
        n2: The size of that.
        diff: By how much the means differ if the hypothesis is true.
        alternative: ``"two-sided"``, ``"less"`` or ``"greater"``: how the means differ else.

    Returns:
        A result with ``statistic`` and ``pvalue``: arrays of float64 and shape ().

    Raises:
        TypeError: ``k1`` or ``k2`` is no integer.
        ValueError: A count, ``n1``, ``n2`` or ``diff`` is out of its range, or there is no such alternative.

    >>> tombacx.scipy.stats.poisson_means_test(0, 100, 3, 100).pvalue.round(4)
    array(0.0884)
    """
    if k1 != int(k1) or k2 != int(k2):
        raise TypeError(f"poisson_means_test: k1 and k2 must be integers, not {k1} and {k2}")
    if k1 < 0 or k2 < 0 or n1 <= 0 or n2 <= 0 or diff < 0:
        raise ValueError("poisson_means_test: counts and diff must not be negative, and sizes positive")
    if alternative not in ("two-sided", "less", "greater"):
        raise ValueError("poisson_means_test: alternative must be 'two-sided', 'less' or 'greater', not "
                         f"{alternative!r}")
    mean = (k1 + k2) / (n1 + n2) - diff * n1 / (n1 + n2)
    if mean <= 0:
        return SignificanceResult(tombac.zeros(()), tombac.ones(()))

    def scores(a, b):  # NaN of no counts at all, which are not extreme
        return (a / n1 - b / n2 - diff) / tombac.sqrt(a / n1**2 + b / n2**2)

    own = scores(tombac.full((), float(k1)), tombac.full((), float(k2)))
    means = n1 * (mean + diff), n2 * mean
    counts = [tombac.arange(max(0.0, m - 12 * math.sqrt(m) - 40), m + 12 * math.sqrt(m) + 40) // 1 for m in means]
    first, second = counts[0][:, None], counts[1]
    values = scores(first, second)
    near = 1e-12 * abs(own)
    extreme = abs(values) >= abs(own) - near if alternative == "two-sided" else \
        values <= own + near if alternative == "less" else values >= own - near
    chances = poisson.pmf(first, means[0]) * poisson.pmf(second, means[1])
    return SignificanceResult(own, tombac.where(extreme, chances, 0.0).sum())
