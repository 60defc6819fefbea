"""Which parameters the distributions have: a table of rules, and the one check that reads it.

Numbers, and arrays and sequences of the host, are checked at every call. Arrays on a device are looked at where the
caller reads them: the rules of one call are one kernel then, and one wait. Where they are not read, and are out of
range, the result is NaN, or for whole numbers the least integer.
"""

from typing import NamedTuple

from tombac import _core
from tombac._numpy import np
from tombac.random._arguments import exact_parameter, on_host

MOST_EVENTS = 2.0**63 - 10 * 2.0**31.5  # ten standard deviations below what an int64 holds


class _Rule(NamedTuple):
    text: str
    places: tuple  # of the parameters that `broken` takes, numbers or arrays of any kind
    broken: object  # whether they are not what they should be
    error: type = ValueError


def _not_negative(name, place):
    return _Rule(f"{name} < 0", (place,), lambda p: p < 0)


def _positive(name, place):
    return _Rule(f"{name} <= 0", (place,), lambda p: p <= 0)


def _less_than_10_to_9(name, place):
    return _Rule(f"{name} must be less than 10**9", (place,), lambda p: p >= 10**9)


def _probability(place, name="p"):
    text = f"{name} < 0, {name} > 1 or {name} " + ("is NaN" if len(name) == 1 else "contains NaN")
    return _Rule(text, (place,), lambda p: ((p >= 0) & (p <= 1)) == 0)


def _probability_above_0(place):
    return _Rule("p <= 0, p > 1 or p is NaN", (place,), lambda p: ((p > 0) & (p <= 1)) == 0)


_FINITE_RANGE = _Rule("the range is not finite", (0, 1), lambda low, high: (abs(1.0 * high - low) < np.inf) == 0,
                      OverflowError)

# `== 0` is "not" of truth values, NumPy's or Python's. `1.0 *` keeps sums of small integers from wrapping.
_RULES = {
    "beta": (_positive("a", 0), _positive("b", 1)),
    "binomial": (_not_negative("n", 0), _probability(1)),
    "chisquare": (_positive("df", 0),),
    "dirichlet": (_not_negative("alpha", 0),),
    "exponential": (_not_negative("scale", 0),),
    "f": (_positive("dfnum", 0), _positive("dfden", 1)),
    "gamma": (_not_negative("shape", 0), _not_negative("scale", 1)),
    "geometric": (_probability_above_0(0),),
    "gumbel": (_not_negative("scale", 1),),
    "hypergeometric": (
        _not_negative("ngood", 0), _not_negative("nbad", 1), _not_negative("nsample", 2),
        _less_than_10_to_9("ngood", 0), _less_than_10_to_9("nbad", 1),
        _Rule("ngood + nbad < nsample", (0, 1, 2), lambda good, bad, n: 1.0 * good + bad < n)),
    "integers": (  # low, high and the ends of the dtype's range
        _Rule("low is out of bounds for the dtype", (0, 2), lambda low, least: low < least),
        _Rule("high is out of bounds for the dtype", (1, 3), lambda high, most: high > most + 1),
        _Rule("low >= high", (0, 1), lambda low, high: low >= high)),
    "integers with endpoint": (
        _Rule("low is out of bounds for the dtype", (0, 2), lambda low, least: low < least),
        _Rule("high is out of bounds for the dtype", (1, 3), lambda high, most: high > most),
        _Rule("low > high", (0, 1), lambda low, high: low > high)),
    "laplace": (_not_negative("scale", 1),),
    "logistic": (_not_negative("scale", 1),),
    "lognormal": (_not_negative("sigma", 1),),
    "logseries": (_Rule("p < 0, p >= 1 or p is NaN", (0,), lambda p: ((p >= 0) & (p < 1)) == 0),),
    "multinomial": (  # n and pvals, and the sums of all pvals but the last
        _not_negative("n", 0), _probability(1, "pvals"),
        _Rule("sum(pvals[:-1]) > 1.0", (2,), lambda total: total > 1 + 1e-12)),
    "negative_binomial": (_Rule("n <= 0 or n is NaN", (0,), lambda n: (n > 0) == 0), _probability_above_0(1)),
    "noncentral_chisquare": (_positive("df", 0), _not_negative("nonc", 1)),
    "noncentral_f": (_positive("dfnum", 0), _positive("dfden", 1), _not_negative("nonc", 2)),
    "normal": (_not_negative("scale", 1),),
    "pareto": (_positive("a", 0),),
    "poisson": (
        _Rule("lam < 0 or lam is NaN", (0,), lambda lam: (lam >= 0) == 0),
        _Rule("lam value too large", (0,), lambda lam: lam > MOST_EVENTS)),
    "power": (_positive("a", 0),),
    "rayleigh": (_not_negative("scale", 0),),
    "standard_gamma": (_not_negative("shape", 0),),
    "standard_t": (_positive("df", 0),),
    "triangular": (
        _Rule("left > mode", (0, 1), lambda left, mode: left > mode),
        _Rule("mode > right", (1, 2), lambda mode, right: mode > right),
        _Rule("left == right", (0, 2), lambda left, right: left == right)),
    "uniform": (_FINITE_RANGE,),
    "uniform by a Generator": (_FINITE_RANGE, _Rule("high < low", (0, 1), lambda low, high: high < low)),
    "vonmises": (_not_negative("kappa", 1),),
    "wald": (_positive("mean", 0), _positive("scale", 1)),
    "weibull": (_not_negative("a", 0),),
    "zipf": (_Rule("a <= 1 or a is NaN", (0,), lambda a: (a > 1) == 0),),
}


def _is_real(dtype):
    return dtype.kind in "biuf" or dtype.char == "E"


def _first_broken(rules, parameters):
    """The first of the rules that an element breaks, or None: by one kernel, and a wait."""
    values = [exact_parameter(p) for p in parameters]
    first = np.int8(len(rules))
    for k in reversed(range(len(rules))):
        first = _core.where(rules[k].broken(*(values[i] for i in rules[k].places)), np.int8(k), first)
    k = int(first.min()) if first.size else len(rules)
    return rules[k] if k < len(rules) else None


def check(name, reads, *parameters):
    """ValueError (or what its rule says) unless the parameters are those of a distribution.

    ``reads``: whether those on a device are looked at. A rule over several is one of these if any of them is there.
    """
    seen = [on_host(p) for p in parameters]
    on_device, broken = [], None
    for p, of in zip(seen, parameters):
        if type(p) not in (int, float) and not _is_real((of if p is None else p).dtype):
            raise TypeError(f"{name}: parameters must be real numbers")
    for rule in _RULES[name]:
        values = [seen[k] for k in rule.places]
        if any(p is None for p in values):
            on_device.append(rule)
            continue
        of_elements = rule.broken(*values)
        if of_elements is not False and np.any(of_elements):
            broken = rule
            break
    if broken is None and reads and on_device:
        broken = _first_broken(on_device, parameters)
    if broken:
        raise broken.error(f"{name}: {broken.text}")
