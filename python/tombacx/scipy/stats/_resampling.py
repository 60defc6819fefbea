"""Statistics of samples that are drawn anew: confidence intervals, tests by permutations and by simulation.

Efron and Tibshirani, An Introduction to the Bootstrap, 1993; Phipson and Smyth, Statist. Appl. Genet. Mol. Biol. 9,
2010. What is drawn anew lies along one further axis, so that a statistic that takes an axis computes all at once.
"""

import inspect
import itertools
import math
import numbers

import tombac
from tombac._core import _on_host, special
from tombac._numpy import np
from tombac._util import check_arrays, normalize_axis_index
from tombacx.scipy.stats._quantiles import quantile
from tombacx.scipy.stats._relations import ConfidenceInterval
from tombacx.scipy.stats._sampling import generator_of, uniform

__all__ = [
    "MonteCarloMethod", "PermutationMethod", "bootstrap", "monte_carlo_test", "permutation_test", "power",
    "resampled_test",
]


class _Result:
    """A result whose parts are attributes."""

    def __init__(self, **parts):
        self.__dict__ |= parts

    def __repr__(self):
        return f"{type(self).__name__}({', '.join(f'{name}={value!r}' for name, value in vars(self).items())})"


class BootstrapResult(_Result):
    """``confidence_interval``, ``bootstrap_distribution`` and ``standard_error``."""


class PermutationTestResult(_Result):
    """``statistic``, ``pvalue`` and ``null_distribution``."""


class MonteCarloTestResult(_Result):
    """``statistic``, ``pvalue`` and ``null_distribution``."""


class PowerResult(_Result):
    """``power`` and ``pvalues``."""


def _along_last(name, function, vectorized):
    """A function of samples along the last axis; one that takes no axis is called for each of them."""
    if not callable(function):
        raise TypeError(f"{name}: a function is expected, not {function!r}")
    if vectorized not in (True, False, None):
        raise ValueError(f"{name}: vectorized must be True, False or None, not {vectorized!r}")
    if vectorized is None:
        vectorized = "axis" in inspect.signature(function).parameters
    if vectorized:
        return lambda *samples: tombac.asarray(function(*samples, axis=-1))

    def each(*samples):
        batch = np.broadcast_shapes(*(x.shape[:-1] for x in samples))
        samples = [tombac.broadcast_to(x, (*batch, x.shape[-1])) for x in samples]
        found = [tombac.asarray(function(*(x[i] for x in samples))) for i in np.ndindex(batch)]
        return tombac.stack(found).reshape(batch)

    return each


def _number(name, what, value, least=1):
    value = _on_host(value)
    if value == math.inf and what == "n_resamples":
        return value
    if not isinstance(value, numbers.Real) or value != int(value) or value < least:
        raise ValueError(f"{name}: {what} must be a whole number from {least} on, not {value!r}")
    return int(value)


def _samples(name, data, axis):
    """Samples of 2 elements or more along the last axis, whose other axes are the same."""
    if not isinstance(data, (tuple, list)) or not data:
        raise ValueError(f"{name}: data must be a tuple of samples, not {type(data).__name__}")
    check_arrays(name, *data)
    axis = _on_host(axis)
    if not isinstance(axis, (int, np.integer)):
        raise ValueError(f"{name}: axis must be a whole number, not {axis!r}")
    ndim = max(x.ndim for x in data)
    place = normalize_axis_index(axis, ndim)
    lines = [tombac.moveaxis(x.reshape((1,) * (ndim - x.ndim) + x.shape), place, -1) for x in data]
    if min(x.shape[-1] for x in lines) < 2:
        raise ValueError(f"{name}: samples must have 2 elements or more along the axis")
    try:
        batch = np.broadcast_shapes(*(x.shape[:-1] for x in lines))
    except ValueError:
        raise ValueError(f"{name}: shapes of samples must agree but for the axis, not be "
                         f"{', '.join(str(x.shape) for x in data)}") from None
    return [tombac.broadcast_to(x, (*batch, x.shape[-1])) for x in lines]


def _check_alternative(name, alternative):
    if alternative not in ("two-sided", "less", "greater"):
        raise ValueError(f"{name}: alternative must be 'two-sided', 'less' or 'greater', not {alternative!r}")


def _parts(total, batch):
    """How many are computed at a time."""
    step = total if batch is None else min(batch, total)
    return [min(step, total - done) for done in range(0, total, step)] if total else []


def _generator(name, rng, random_state):
    if rng is not None and random_state is not None:
        raise TypeError(f"{name}: rng and random_state are one argument by two names")
    return generator_of(name, random_state if rng is None else rng)


# ---- bootstrap -------------------------------------------------------------------------------------------------------


def bootstrap(data, statistic, *, n_resamples=9999, batch=None, vectorized=None, paired=False, axis=0,
              confidence_level=0.95, alternative="two-sided", method="BCa", bootstrap_result=None, rng=None,
              random_state=None):
    """A confidence interval of a statistic, by samples that are drawn from the elements of the samples.

    Args:
        data: The samples: a tuple of arrays, whose shapes agree but for the axis.
        statistic: A function of as many samples; with ``axis``, along which it computes.
        n_resamples: How many samples are drawn for each.
        batch: How many of them the statistic is computed of at a time; all if None.
        vectorized: Whether the statistic takes ``axis``; if not, it is called for each sample. None: whether its
            parameters say so.
        paired: Whether elements of the samples belong together.
        axis: Along which axis samples lie.
        confidence_level: How probable it is that the interval holds the statistic.
        alternative: ``"two-sided"``, ``"less"``, for which the interval has no lower end, or ``"greater"``.
        method: ``"percentile"``, ``"basic"``, or ``"BCa"``: corrected for bias and skewness, for which the statistic
            is computed without each of the elements too.
        bootstrap_result: What an earlier call has given, whose drawn samples count too.
        rng: A seed, a Generator or a RandomState; None for the state that functions of ``tombac.random`` share.
        random_state: The same.

    Returns:
        A result with the attributes ``confidence_interval``, a tuple with the fields ``low`` and ``high``;
        ``bootstrap_distribution``, an array with the drawn samples' statistics along the last axis; and
        ``standard_error``, its standard deviation.

    Raises:
        TypeError: The samples are no tombac arrays, or the statistic is no function.
        ValueError: There are no samples, or they have less than 2 elements; or another argument is of another kind.

    >>> x = tombac.arange(9.0)
    >>> found = tombacx.scipy.stats.bootstrap((x,), tombac.mean, n_resamples=99, rng=1)
    >>> found.confidence_interval.low < 4
    array(True)
    """
    name = "bootstrap"
    samples, compute = _samples(name, data, axis), _along_last(name, statistic, vectorized)
    _check_alternative(name, alternative)
    n_resamples, generator = _number(name, "n_resamples", n_resamples, 0), _generator(name, rng, random_state)
    batch = None if batch is None else _number(name, "batch", batch)
    if method.lower() not in ("percentile", "basic", "bca"):
        raise ValueError(f"bootstrap: method must be 'percentile', 'basic' or 'BCa', not {method!r}")
    if paired not in (True, False) or (paired and len({x.shape[-1] for x in samples}) > 1):
        raise ValueError("bootstrap: paired must be a bool, and paired samples of one length")
    found = [] if bootstrap_result is None else [bootstrap_result.bootstrap_distribution]
    for count in _parts(n_resamples, batch):
        places = None
        drawn = []
        for x in samples:
            n = x.shape[-1]
            if places is None or not paired:
                places = tombac.minimum(uniform(generator, (count, n)) * n, n - 1).astype("l")
            drawn.append(x[..., places])
        found.append(compute(*drawn))
    if not found:
        raise ValueError("bootstrap: n_resamples must be positive if there is no bootstrap_result")
    distribution = tombac.concatenate(found, axis=-1) if len(found) > 1 else found[0]
    tail = 1 - float(confidence_level) if alternative != "two-sided" else (1 - float(confidence_level)) / 2
    own, ends = compute(*samples), (tail, 1 - tail)
    if method.lower() == "bca":
        ends = _corrected(ends, own, distribution, samples, compute, batch, paired)
    else:
        ends = [tombac.full((*distribution.shape[:-1], 1), end) for end in ends]
    low, high = (quantile(distribution, end, axis=-1) for end in ends)
    if method.lower() == "basic":
        low, high = 2 * own - high, 2 * own - low
    low = tombac.full_like(low, -np.inf) if alternative == "less" else low
    high = tombac.full_like(high, np.inf) if alternative == "greater" else high
    return BootstrapResult(confidence_interval=ConfidenceInterval(low, high), bootstrap_distribution=distribution,
                           standard_error=distribution.std(axis=-1, ddof=1))


def _without_each(x, compute, batch):
    """The statistic of samples without one element, for each element."""
    n, done, found = x[0].shape[-1], 0, []
    left = np.arange(n - 1)
    for count in _parts(n, batch):
        places = tombac.array(left + (left >= np.arange(done, done + count)[:, None]))
        found.append(compute(*(v[..., places] for v in x)))
        done += count
    return tombac.concatenate(found, axis=-1)


def _corrected(ends, own, distribution, samples, compute, batch, paired):
    """Which probabilities to take for those of the ends."""
    less = (distribution < own[..., None]).mean(axis=-1)
    at_most = (distribution <= own[..., None]).mean(axis=-1)
    bias = special.ndtri((less + at_most) / 2)
    second = third = 0.0
    for i, x in enumerate(samples[:1] if paired else samples):
        n = x.shape[-1]
        if paired:
            without = _without_each(samples, compute, batch)
        else:
            without = _without_each([x], lambda part, i=i: compute(*(
                part if j == i else other[..., None, :] for j, other in enumerate(samples))), batch)
        off = (n - 1) * (without.mean(axis=-1, keepdims=True) - without)
        second = second + (off * off).sum(axis=-1) / n**2
        third = third + (off * off * off).sum(axis=-1) / n**3
    skewness = third / (6 * second**1.5)
    moved = [bias + special.ndtri(tombac.asarray(end)) for end in ends]
    return [special.ndtr(bias + z / (1 - skewness * z))[..., None] for z in moved]


# ---- tests -----------------------------------------------------------------------------------------------------------


_MOST = 20  # the logarithm of as many permutations as are ever tried one by one


def _pvalue(own, null, alternative, added):
    """The part of statistics along the last axis that are as far out, ``added`` of which are those of no sample."""
    n = null.shape[-1]
    little = abs(own) * (100 * np.finfo(null.dtype if null.dtype.kind == "f" else "d").eps)
    at_most = ((null <= (own + little)[..., None]).sum(axis=-1) + added) / (n + added)
    at_least = ((null >= (own - little)[..., None]).sum(axis=-1) + added) / (n + added)
    p = {"less": at_most, "greater": at_least}.get(alternative, 2 * tombac.minimum(at_most, at_least))
    return tombac.clip(p, 0.0, 1.0)


def _is_exact(name, log_ways, n_resamples):
    """Whether each permutation is taken once."""
    if n_resamples == math.inf and log_ways > _MOST:
        raise ValueError(f"{name}: n_resamples must be finite, for there are 10**{log_ways / math.log(10):.0f} "
                         "permutations")
    return log_ways < _MOST and n_resamples >= round(math.exp(log_ways))


def _all_partitions(sizes):
    """Every way to share places out among samples of these sizes: rows of places."""
    def shared(left, sizes):
        if len(sizes) == 1:
            yield left
            return
        for chosen in itertools.combinations(left, sizes[0]):
            rest = sorted(set(left) - set(chosen))
            for others in shared(tuple(rest), sizes[1:]):
                yield chosen + tuple(others)

    return np.array(list(shared(tuple(range(sum(sizes))), sizes)))


def _shuffled(generator, count, n):
    return tombac.argsort(uniform(generator, (count, n)), axis=-1)


def _independent(samples, n_resamples):
    sizes = [x.shape[-1] for x in samples]
    log_ways = math.lgamma(sum(sizes) + 1) - sum(math.lgamma(n + 1) for n in sizes)
    exact, pool = _is_exact("permutation_test", log_ways, n_resamples), tombac.concatenate(samples, axis=-1)
    rows = _all_partitions(sizes) if exact else None

    def resampled(done, count, generator):
        places = tombac.array(rows[done:done + count]) if exact else _shuffled(generator, count, sum(sizes))
        return tombac.split(pool[..., places], np.cumsum(sizes)[:-1].tolist(), axis=-1)

    return len(rows) if exact else n_resamples, exact, resampled


def _choices(ways, length):
    """All rows of ``length`` numbers below ``ways``."""
    return np.stack(np.unravel_index(np.arange(ways**length), (ways,) * length), axis=-1)


def _pairings(samples, n_resamples):
    n = samples[0].shape[-1]
    exact = _is_exact("permutation_test", math.lgamma(n + 1) * len(samples), n_resamples)
    if exact:
        orders = np.array(list(itertools.permutations(range(n))))
        rows = orders[_choices(len(orders), len(samples))]

    def resampled(done, count, generator):
        return [x[..., tombac.array(rows[done:done + count, i]) if exact else _shuffled(generator, count, n)]
                for i, x in enumerate(samples)]

    return len(rows) if exact else n_resamples, exact, resampled


def _exchanged(samples, n_resamples):
    """Of one sample the signs are changed."""
    single = len(samples) == 1
    both = tombac.stack([samples[0], -samples[0]] if single else samples, axis=-1)
    many, n = both.shape[-1], samples[0].shape[-1]
    exact = _is_exact("permutation_test", math.lgamma(many + 1) * n, n_resamples)
    if exact:
        orders = np.array(list(itertools.permutations(range(many))))
        rows = orders[_choices(len(orders), n)]  # of each element, which sample it goes to

    def resampled(done, count, generator):
        if exact:
            order = tombac.array(rows[done:done + count])
        else:
            order = tombac.argsort(uniform(generator, (count, n, many)), axis=-1)
        place = tombac.arange(n)
        moved = [both[..., place, order[..., i]] for i in range(many)]
        return moved[:1] if single else moved

    return len(rows) if exact else n_resamples, exact, resampled


_PERMUTATIONS = {"independent": _independent, "pairings": _pairings, "samples": _exchanged}


def permutation_test(data, statistic, *, permutation_type="independent", vectorized=None, n_resamples=9999, batch=None,
                     alternative="two-sided", axis=0, rng=None, random_state=None):
    """A test of a statistic by its values where elements are permuted.

    Args:
        data: The samples: a tuple of arrays, whose shapes agree but for the axis.
        statistic: A function of as many samples; with ``axis``, along which it computes.
        permutation_type: ``"independent"``: elements are shared out among the samples anew; ``"samples"``: elements of
            a place are exchanged between samples, or change their sign where there is one sample; ``"pairings"``:
            elements are permuted within each sample.
        vectorized: Whether the statistic takes ``axis``; if not, it is called for each permutation. None: whether its
            parameters say so.
        n_resamples: How many permutations are drawn; each is taken once if there are no more of them.
        batch: How many of them the statistic is computed of at a time; all if None.
        alternative: Which statistics the p-value is about: ``"two-sided"``, ``"less"`` or ``"greater"``.
        axis: Along which axis samples lie.
        rng: A seed, a Generator or a RandomState; None for the state that functions of ``tombac.random`` share.
        random_state: The same.

    Returns:
        A result with the attributes ``statistic``, ``pvalue`` and ``null_distribution``, an array with the
        permutations' statistics along the first axis.

    Raises:
        TypeError: The samples are no tombac arrays, or the statistic is no function.
        ValueError: Samples have less than 2 elements, or not as many as each other where they are not independent; or
            another argument is of another kind.

    >>> def apart(x, y, axis):
    ...     return x.mean(axis=axis) - y.mean(axis=axis)
    >>> x = tombac.arange(4.0)
    >>> tombacx.scipy.stats.permutation_test((x, x + 9), apart).pvalue
    array(0.02857143)
    """
    name = "permutation_test"
    if permutation_type not in _PERMUTATIONS:
        raise ValueError(f"permutation_test: permutation_type must be one of {', '.join(map(repr, _PERMUTATIONS))}, "
                         f"not {permutation_type!r}")
    samples, compute = _samples(name, data, axis), _along_last(name, statistic, vectorized)
    _check_alternative(name, alternative)
    n_resamples, generator = _number(name, "n_resamples", n_resamples), _generator(name, rng, random_state)
    batch = None if batch is None else _number(name, "batch", batch)
    if permutation_type == "independent":
        if len(samples) < 2:
            raise ValueError("permutation_test: two samples or more must be independent")
    elif len({x.shape[-1] for x in samples}) > 1:
        raise ValueError("permutation_test: samples that are not independent must be of one length, not of "
                         f"{', '.join(str(x.shape[-1]) for x in samples)}")
    total, exact, resampled = _PERMUTATIONS[permutation_type](samples, n_resamples)
    done, found = 0, []
    for count in _parts(total, batch):
        found.append(compute(*resampled(done, count, generator)))
        done += count
    null, own = tombac.concatenate(found, axis=-1), compute(*samples)
    return PermutationTestResult(statistic=own, pvalue=_pvalue(own, null, alternative, 0 if exact else 1),
                                 null_distribution=tombac.moveaxis(null, -1, 0))


def _drawn_by(name, rvs, many, what):
    """The functions that draw samples, of which there is one or a tuple."""
    functions = tuple(rvs) if isinstance(rvs, (tuple, list)) else (rvs,)
    if not all(map(callable, functions)):
        raise TypeError(f"{name}: rvs must be a function or a tuple of them, not {rvs!r}")
    if isinstance(rvs, (tuple, list)) and len(functions) != many:
        raise ValueError(f"{name}: {len(functions)} functions draw samples, and {what} has {many}")
    return functions


def monte_carlo_test(data, rvs, statistic, *, vectorized=None, n_resamples=9999, batch=None, alternative="two-sided",
                     axis=0):
    """A test of a statistic by its values of samples that are drawn by functions.

    Args:
        data: The sample: an array; or a tuple of them, whose shapes agree but for the axis.
        rvs: What draws samples: a function of ``size``, a tuple, that gives an array of that shape; or a tuple of
            such functions, one for each sample.
        statistic: A function of as many samples; with ``axis``, along which it computes.
        vectorized: Whether the statistic takes ``axis``; if not, it is called for each sample. None: whether its
            parameters say so.
        n_resamples: How many samples are drawn for each.
        batch: How many of them the statistic is computed of at a time; all if None.
        alternative: Which statistics the p-value is about: ``"two-sided"``, ``"less"`` or ``"greater"``.
        axis: Along which axis samples lie.

    Returns:
        A result with the attributes ``statistic``, ``pvalue`` and ``null_distribution``, an array with the drawn
        samples' statistics along the first axis, and axes of length 1 for those of ``statistic``.

    Raises:
        TypeError: The samples are no tombac arrays, or the statistic or what draws is no function.
        ValueError: There are not as many functions as samples, or another argument is of another kind.

    >>> def draw(size):
    ...     return tombac.random.RandomState(1).standard_normal(size)
    >>> found = tombacx.scipy.stats.monte_carlo_test(tombac.arange(9.0), draw, tombac.mean, n_resamples=99)
    >>> found.pvalue
    array(0.02)
    """
    name = "monte_carlo_test"
    data = data if isinstance(rvs, (tuple, list)) else (data,)
    functions = _drawn_by(name, rvs, len(data), "data")
    samples, compute = _samples(name, data, axis), _along_last(name, statistic, vectorized)
    _check_alternative(name, alternative)
    n_resamples = _number(name, "n_resamples", n_resamples)
    batch = None if batch is None else _number(name, "batch", batch)
    own = compute(*samples)
    null = tombac.concatenate([
        compute(*(tombac.asarray(draw(size=(count, x.shape[-1]))) for draw, x in zip(functions, samples, strict=True)))
        for count in _parts(n_resamples, batch)], axis=-1)
    return MonteCarloTestResult(statistic=own, pvalue=_pvalue(own, null, alternative, 1),
                                null_distribution=null.reshape((-1,) + (1,) * own.ndim))


def _taken(function, kwargs):
    """Which of the arguments a function takes."""
    parameters = inspect.signature(function).parameters.values()
    if any(p.kind is p.VAR_KEYWORD for p in parameters):
        return set(kwargs)
    return {p.name for p in parameters} & set(kwargs)


def power(test, rvs, n_observations, *, significance=0.01, vectorized=None, n_resamples=10000, batch=None,
          kwargs=None):
    """How often a test finds what is so, by samples that are drawn by functions.

    Args:
        test: A function of samples that gives the p-value, or a result with the attribute ``pvalue``; with ``axis``,
            along which it computes.
        rvs: What draws samples: a function of ``size``, a tuple, that gives an array of that shape; or a tuple of
            such functions, one for each sample.
        n_observations: The sizes of the samples: a tuple of whole numbers, or of arrays of them, each of which is
            tried.
        significance: Below which p-values something is found: a number or an array.
        vectorized: Whether the test takes ``axis``; if not, it is called for each sample. None: whether its parameters
            say so.
        n_resamples: How many samples are drawn for each.
        batch: How many of them are tested at a time; all if None.
        kwargs: Further arguments of the test and of what draws, by their names: a dict of numbers or of arrays, each
            element of which is tried.

    Returns:
        A result with the attributes ``power``, an array with the axes of ``significance``, then those of sizes and
        arguments; and ``pvalues``, with the drawn samples along the last axis.

    Raises:
        TypeError: The test or what draws is no function, or ``kwargs`` is no dict.
        ValueError: There are not as many functions as sizes, or another argument is of another kind.

    >>> def draw(size):
    ...     return tombac.random.RandomState(1).standard_normal(size) + 1
    >>> found = tombacx.scipy.stats.power(tombacx.scipy.stats.ttest_1samp, draw, 20, n_resamples=50, significance=0.05,
    ...                                   kwargs={"popmean": 0.0})
    >>> found.power > 0.9
    array(True)
    """
    name, kwargs = "power", {} if kwargs is None else kwargs
    several = isinstance(n_observations, (tuple, list))
    functions = _drawn_by(name, rvs, len(n_observations) if several else 1, "n_observations")
    if not isinstance(kwargs, dict):
        raise TypeError(f"power: kwargs must be a dict, not {kwargs!r}")
    levels = np.asarray(_on_host(significance), "d")
    if not ((levels >= 0) & (levels <= 1)).all():
        raise ValueError(f"power: significance must be from 0 to 1, not {significance!r}")
    n_resamples = _number(name, "n_resamples", n_resamples)
    batch = None if batch is None else _number(name, "batch", batch)
    if not callable(test):
        raise TypeError(f"power: test must be a function, not {test!r}")
    sizes = [np.asarray(_on_host(n)) for n in (n_observations if several else (n_observations,))]
    tried = np.broadcast_arrays(*sizes, *(np.asarray(_on_host(v)) for v in kwargs.values()))
    found = []
    for i in np.ndindex(tried[0].shape):
        values = [v[i].item() for v in tried]
        found.append(_pvalues(test, functions, list(map(int, values[:len(sizes)])),
                              dict(zip(kwargs, values[len(sizes):], strict=True)), vectorized,
                              _parts(n_resamples, batch)))
    pvalues = tombac.stack(found) if found else tombac.empty((0, n_resamples))
    pvalues = pvalues.reshape(*tried[0].shape, *pvalues.shape[1:])
    limits = tombac.array(levels).reshape(levels.shape + (1,) * pvalues.ndim)
    return PowerResult(power=(pvalues < limits).mean(axis=-1), pvalues=pvalues)



def _pvalues(test, functions, sizes, kwargs, vectorized, parts):
    given = {key: kwargs[key] for key in _taken(test, kwargs)}

    def tested(*samples, **axis):
        found = test(*samples, **axis, **given)
        return getattr(found, "pvalue", found)

    if vectorized is None:
        vectorized = "axis" in inspect.signature(test).parameters
    compute = _along_last("power", tested, vectorized)
    own = [{key: kwargs[key] for key in _taken(draw, kwargs)} for draw in functions]
    return tombac.concatenate([
        compute(*(tombac.asarray(draw(size=(count, n), **more)) for draw, n, more in
                  zip(functions, sizes, own, strict=True))) for count in parts], axis=-1)


# ---- methods of tests ------------------------------------------------------------------------------------------------


class _Method:
    """How a test's p-value is found."""

    def __repr__(self):
        return f"{type(self).__name__}({', '.join(f'{name}={value!r}' for name, value in vars(self).items())})"


class PermutationMethod(_Method):
    """That a test's p-value is found by permutations of elements.

    Args:
        n_resamples: How many permutations are drawn; all of them if that is as many.
        batch: How many of them are computed with at a time; all if None.
        random_state: A seed, a Generator or a RandomState; None for the state that functions of ``tombac.random``
            share.
        rng: The same.

    >>> x = tombac.array([1.0, 2.0, 4.0, 3.0])
    >>> tombacx.scipy.stats.pearsonr(x, x, method=tombacx.scipy.stats.PermutationMethod()).pvalue.round(6)
    array(0.083333)
    """

    def __init__(self, n_resamples=9999, batch=None, random_state=None, *, rng=None):
        self.n_resamples, self.batch, self.random_state, self.rng = n_resamples, batch, random_state, rng


class MonteCarloMethod(_Method):
    """That a test's p-value is found by samples that are drawn.

    Args:
        n_resamples: How many samples are drawn.
        batch: How many of them are computed with at a time; all if None.
        rvs: What draws them: a tuple of a function of ``size`` for each sample; None for normal ones.
        rng: A seed, a Generator or a RandomState of which normal samples are drawn; None for the state that functions
            of ``tombac.random`` share.

    Raises:
        ValueError: Both ``rvs`` and ``rng`` are given.

    >>> tombacx.scipy.stats.MonteCarloMethod(n_resamples=99)
    MonteCarloMethod(n_resamples=99, batch=None, rvs=None, rng=None)
    """

    def __init__(self, n_resamples=9999, batch=None, rvs=None, rng=None):
        if rvs is not None and rng is not None:
            raise ValueError("MonteCarloMethod: rvs and rng cannot both be given")
        self.n_resamples, self.batch, self.rvs, self.rng = n_resamples, batch, rvs, rng


def resampled_test(name, method, samples, statistic, alternative, kind):
    """The statistic and the p-value of two samples along the last axis by a method, which may be SciPy's.

    Permutations of the ``kind`` "pairings" are those of the second sample.
    """
    options = {"vectorized": True, "batch": getattr(method, "batch", None), "alternative": alternative, "axis": -1}
    if type(method).__name__ == "PermutationMethod":
        x, y = samples
        options |= {"n_resamples": method.n_resamples, "permutation_type": kind,
                    "rng": method.random_state if method.rng is None else method.rng}
        if kind == "pairings":
            found = permutation_test((y,), lambda y, axis: statistic(x[..., None, :] if y.ndim > x.ndim else x, y),
                                     **options)
        else:
            found = permutation_test(samples, lambda x, y, axis: statistic(x, y), **options)
    elif type(method).__name__ == "MonteCarloMethod":
        rvs = (_generator(name, method.rng, None).normal,) * 2 if method.rvs is None else method.rvs
        draw = [lambda size, f=f: tombac.asarray(f(size=size)) for f in rvs]
        found = monte_carlo_test(tuple(samples), tuple(draw), lambda x, y, axis: statistic(x, y),
                                 n_resamples=method.n_resamples, **options)
    else:
        raise ValueError(f"{name}: method must be a PermutationMethod, a MonteCarloMethod or None, not {method!r}")
    return found.statistic, found.pvalue
