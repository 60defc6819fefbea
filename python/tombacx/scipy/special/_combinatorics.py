"""Counts: combinations, permutations and factorials, as numbers of floating point or exactly."""

import math

import tombac as tb
from tombac import _core
from tombac._core import special as _ufuncs

__all__ = ["comb", "factorial", "factorial2", "perm"]


def _counts(x):
    x = tb.asarray(x)
    return x if x.dtype.char in "fd" else x.astype("f" if x.dtype.char == "e" else "d")


def _whole(name, x):
    if type(x) is int:
        return x
    if x != int(x):
        raise ValueError(f"{name}: with exact=True there must be whole numbers, not {x}")
    return int(x)


def _chosen(total, chosen, count):
    """0 where so many of a total cannot be chosen."""
    possible = (chosen <= total) & (total >= 0) & (chosen >= 0)
    return _core.where(possible, count, count.dtype.type(0))


_FEW = 8  # things, of which the ways to choose them are a product


def _are_few(total, k):
    """Whether it is a few that are chosen of whole numbers of things."""
    return type(k) is int and 0 <= k <= _FEW and isinstance(total, _core.ndarray) and total.dtype.kind in "iu"


def _few_chosen(total, k, orders):
    """By one expression; ways that differ in the order alone, of which there are so many, are one."""
    total = total.astype("d")
    count = _core.ones_like(total) if k == 0 else total - (k - 1)
    for i in range(k - 2, -1, -1):
        count = count * (total - i)
    return _core.where(total >= k, count / orders, 0.0)


def comb(N, k, *, exact=False, repetition=False):
    """How many ways there are to choose k of N things, whose order does not count.

    Args:
        N: An array of numbers, or one: how many things there are.
        k: An array of numbers, or one: how many are chosen.
        exact: Whether the result is a whole number of any size; ``N`` and ``k`` are whole numbers then.
        repetition: Whether a thing may be chosen several times.

    Returns:
        An array of float64, or of float32; with ``exact`` an int.

    Raises:
        ValueError: With ``exact`` a number is not whole.

    Where ``k`` is not one of 0, ..., ``N`` it is 0, unless things repeat.

    >>> tombacx.scipy.special.comb(tombac.array([4, 5, 6]), 2)
    array([ 6., 10., 15.])
    """
    if exact:
        N, k = _whole("comb", N), _whole("comb", k)
        N = N + k - 1 if repetition and (N or k) else N
        return math.comb(N, k) if N >= 0 <= k else 0
    if not repetition and _are_few(N, k):
        return _few_chosen(N, k, math.factorial(k))
    N, k = _counts(N), _counts(k)
    if not repetition:
        return _chosen(N, k, _ufuncs.binom(N, k))
    count = _ufuncs.binom(N + k - 1, k)
    return _core.where((N == 0) & (k == 0), count.dtype.type(1), count)


def perm(N, k, exact=False):
    """How many ways there are to choose k of N things one after the other.

    Args:
        N: An array of numbers, or one: how many things there are.
        k: An array of numbers, or one: how many are chosen.
        exact: Whether the result is a whole number of any size; ``N`` and ``k`` are whole numbers then.

    Returns:
        An array of float64, or of float32; with ``exact`` an int.

    Raises:
        ValueError: With ``exact`` a number is not whole.

    Where ``k`` is not one of 0, ..., ``N`` it is 0.

    >>> tombacx.scipy.special.perm(tombac.array([4, 5, 6]), 2)
    array([12., 20., 30.])
    """
    if exact:
        N, k = _whole("perm", N), _whole("perm", k)
        return math.perm(N, k) if N >= 0 <= k else 0
    if _are_few(N, k):
        return _few_chosen(N, k, 1)
    N, k = _counts(N), _counts(k)
    return _chosen(N, k, _ufuncs.poch(N - k + 1, k))


# ---- factorials ------------------------------------------------------------------------------------------------------


def _double(n):
    return math.prod(range(n, 0, -2))


_EXACT = {"factorial": math.factorial, "factorial2": _double}
_LARGEST = {"factorial": 20, "factorial2": 33}  # of those that int64 holds


def _exactly(name, n):
    """Of a number, or of an array by a table; 0 of negative ones."""
    if not isinstance(n, _core.ndarray):
        return _EXACT[name](n) if n >= 0 else 0
    most = _LARGEST[name]
    if (n > most).any():
        raise OverflowError(f"{name}: with exact=True results are of int64, which has none of more than {most}")
    table = tb.array([_EXACT[name](i) for i in range(most + 1)], "l")
    return _core.where(n < 0, 0, table[_core.clip(n, 0, most)])


def _argument(name, n, kinds, extend):
    """``n`` as an array of numbers of these kinds, or as an int that it is."""
    if extend != "zero":
        raise ValueError(f"{name}: extend must be 'zero', not {extend!r}")
    if isinstance(n, int) and not isinstance(n, bool):
        return n
    array = tb.asarray(n)
    if array.dtype.kind not in kinds:
        raise ValueError(f"{name}: there is none of numbers of {array.dtype} here")
    return array


def factorial(n, exact=False, extend="zero"):
    """The factorial, the product of 1, ..., n; of real numbers gamma(n + 1).

    Args:
        n: An array of real numbers, or one.
        exact: Whether the results are whole numbers, of which ``n`` is then as well.
        extend: 'zero': 0 comes of negative numbers.

    Returns:
        An array of float64; with ``exact`` one of int64, or an int of any size for a number.

    Raises:
        ValueError: ``n`` is complex, of truth values, or not of whole numbers with ``exact``; ``extend`` is another.
        OverflowError: With ``exact`` an element is above 20, of which SciPy makes an array of Python's numbers.

    >>> tombacx.scipy.special.factorial(tombac.array([0, 3, 5]))
    array([  1.,   6., 120.])
    """
    n = _argument("factorial", n, "iu" if exact else "iuf", extend)
    if exact:
        return _exactly("factorial", n)
    n = tb.asarray(n).astype("d")
    return _core.where(n < 0, 0.0, _ufuncs.gamma(n + 1))


def factorial2(n, exact=False, extend="zero"):
    """The double factorial, the product of n, n - 2, ... down to 2 or 1.

    Args:
        n: An array of whole numbers, or one.
        exact: Whether the results are whole numbers.
        extend: 'zero': 0 comes of negative numbers.

    Returns:
        An array of float64; with ``exact`` one of int64, or an int of any size for a number.

    Raises:
        ValueError: ``n`` is not of whole numbers, or ``extend`` is another.
        OverflowError: With ``exact`` an element is above 33, of which SciPy makes an array of Python's numbers.

    >>> tombacx.scipy.special.factorial2(tombac.array([0, 5, 6]))
    array([ 1., 15., 48.])
    """
    n = _argument("factorial2", n, "iu", extend)
    if exact:
        return _exactly("factorial2", n)
    n = tb.asarray(n).astype("d")
    odd = n % 2
    product = 2.0 ** ((n + odd) / 2) * _ufuncs.gamma(n / 2 + 1) * _core.where(odd == 1, 1 / math.sqrt(math.pi), 1.0)
    return _core.where(n < 0, 0.0, product)
