"""Decorators that call a test with dtypes, orders and axes, one after the other."""

import itertools
import os
import random

import numpy as np

from tombac.testing._signatures import repeated

__all__ = [
    "for_CF_orders", "for_all_dtypes", "for_all_dtypes_combination", "for_complex_dtypes", "for_contiguous_axes",
    "for_dtypes", "for_dtypes_combination", "for_float_dtypes", "for_int_dtypes", "for_int_dtypes_combination",
    "for_orders", "for_signed_dtypes", "for_signed_dtypes_combination", "for_unsigned_dtypes",
    "for_unsigned_dtypes_combination",
]

_SIGNED, _UNSIGNED, _COMPLEX = tuple("bhilq"), tuple("BHILQ"), tuple("FD")


def _floats(no_float16):
    return ("d", "f") if no_float16 else ("d", "f", "e")


def _ints(no_bool):
    return _SIGNED + _UNSIGNED + (() if no_bool else ("?",))


def _all(no_float16, no_bool, no_complex):
    return _floats(no_float16) + _ints(no_bool) + (() if no_complex else _COMPLEX)


def for_dtypes(dtypes, name="dtype"):
    """Decorator: the test is called with each of the dtypes, as a scalar type, in the argument ``name``."""
    return repeated((name,), [(np.dtype(t).type,) for t in dtypes])


def for_all_dtypes(name="dtype", no_float16=False, no_bool=False, no_complex=False):
    """for_dtypes with floating, integer, bool and complex dtypes."""
    return for_dtypes(_all(no_float16, no_bool, no_complex), name)


def for_float_dtypes(name="dtype", no_float16=False):
    """for_dtypes with the floating dtypes."""
    return for_dtypes(_floats(no_float16), name)


def for_signed_dtypes(name="dtype"):
    """for_dtypes with the signed integers."""
    return for_dtypes(_SIGNED, name)


def for_unsigned_dtypes(name="dtype"):
    """for_dtypes with the unsigned integers."""
    return for_dtypes(_UNSIGNED, name)


def for_int_dtypes(name="dtype", no_bool=False):
    """for_dtypes with the integers and bool."""
    return for_dtypes(_ints(no_bool), name)


def for_complex_dtypes(name="dtype"):
    """for_dtypes with the complex dtypes."""
    return for_dtypes(_COMPLEX, name)


def for_dtypes_combination(types, names=("dtype",), full=None):
    """Decorator: the test is called with several dtypes, in the arguments ``names``.

    Args:
        full: All combinations; if false, so many of them by chance that every argument has every dtype once. By default
            true if the environment variable CUPY_TEST_FULL_COMBINATION is 1.
    """
    types = [np.dtype(t).type for t in types]
    if full is None:
        full = os.environ.get("CUPY_TEST_FULL_COMBINATION", "0") != "0"

    def chosen(args):
        if full:
            return itertools.product(types, repeat=len(names))
        return zip(*(random.sample(types, len(types)) for _ in names))

    return repeated(tuple(names), chosen)


def for_all_dtypes_combination(names=("dtyes",), no_float16=False, no_bool=False, full=None, no_complex=False):
    """for_dtypes_combination with floating, integer, bool and complex dtypes."""
    return for_dtypes_combination(_all(no_float16, no_bool, no_complex), names, full)


def for_signed_dtypes_combination(names=("dtype",), full=None):
    """for_dtypes_combination with the signed integers."""
    return for_dtypes_combination(_SIGNED, names, full)


def for_unsigned_dtypes_combination(names=("dtype",), full=None):
    """for_dtypes_combination with the unsigned integers."""
    return for_dtypes_combination(_UNSIGNED, names, full)


def for_int_dtypes_combination(names=("dtype",), no_bool=False, full=None):
    """for_dtypes_combination with the integers and bool."""
    return for_dtypes_combination(_ints(no_bool), names, full)


def for_orders(orders, name="order"):
    """Decorator: the test is called with each of the orders, in the argument ``name``."""
    return repeated((name,), [(order,) for order in orders])


def for_CF_orders(name="order"):
    """for_orders with C and F."""
    return for_orders((None, "C", "F", "c", "f"), name)


def for_contiguous_axes(name="axis"):
    """Decorator for methods: the test is called with the tuples of axes that are contiguous in an array of
    ``self.shape`` and ``self.order``, in the argument ``name``."""
    def axes(args):
        ndim, order = len(args[0].shape), args[0].order
        if order not in ("C", "c", "F", "f"):
            raise ValueError(f"for_contiguous_axes: self.order must be 'C' or 'F', it is {order!r}")
        last = order in ("C", "c")
        return [(tuple(range(i, ndim)) if last else tuple(range(i + 1)),) for i in range(ndim)]

    return repeated((name,), axes)
