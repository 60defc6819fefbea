"""NumPy's assertions on arrays, for arrays of tombac and of NumPy alike."""

from numpy import testing as _testing

from tombac import asnumpy as _asnumpy
from tombac import ndarray as _ndarray

# What has nothing to do with where arrays are.
from numpy.testing import (  # noqa: I001
    assert_, assert_no_gc_cycles, assert_no_warnings, assert_raises, assert_raises_regex, assert_string_equal,
)

__all__ = [
    "assert_", "assert_allclose", "assert_almost_equal", "assert_approx_equal", "assert_array_almost_equal",
    "assert_array_almost_equal_nulp", "assert_array_compare", "assert_array_equal", "assert_array_less",
    "assert_array_list_equal", "assert_array_max_ulp", "assert_equal", "assert_no_gc_cycles", "assert_no_warnings",
    "assert_raises", "assert_raises_regex", "assert_string_equal",
]


def _on_host(x):
    """``x`` with NumPy's arrays where it has tombac's, in lists, tuples and dicts too."""
    if isinstance(x, _ndarray):
        return x.get()
    if type(x) in (list, tuple):
        return type(x)([_on_host(part) for part in x])
    return {key: _on_host(part) for key, part in x.items()} if type(x) is dict else x


def assert_equal(actual, desired, err_msg="", verbose=True, *, strict=False):
    """AssertionError unless two objects are equal: arrays, numbers, text, or lists, tuples and dicts of such."""
    _testing.assert_equal(_on_host(actual), _on_host(desired), err_msg, verbose, strict=strict)


def assert_almost_equal(actual, desired, decimal=7, err_msg="", verbose=True):
    """AssertionError unless numbers or arrays are equal to so many decimal places."""
    _testing.assert_almost_equal(_on_host(actual), _on_host(desired), decimal, err_msg, verbose)


def assert_approx_equal(actual, desired, significant=7, err_msg="", verbose=True):
    """AssertionError unless two numbers are equal to so many significant digits."""
    _testing.assert_approx_equal(_on_host(actual), _on_host(desired), significant, err_msg, verbose)


def assert_array_compare(comparison, x, y, err_msg="", verbose=True, header="", precision=6, equal_nan=True,
                         equal_inf=True, *, strict=False, names=("ACTUAL", "DESIRED")):
    """AssertionError unless a comparison, a function of two arrays of NumPy's, is true of all elements."""
    _testing.assert_array_compare(comparison, _on_host(x), _on_host(y), err_msg, verbose, header, precision, equal_nan,
                                  equal_inf, strict=strict, names=names)


def assert_allclose(actual, desired, rtol=1e-7, atol=0, equal_nan=True, err_msg="", verbose=True, *, strict=False):
    """AssertionError unless |actual - desired| <= atol + rtol * |desired| everywhere."""
    _testing.assert_allclose(_asnumpy(actual), _asnumpy(desired), rtol=rtol, atol=atol, equal_nan=equal_nan,
                             err_msg=err_msg, verbose=verbose, strict=strict)


def assert_array_almost_equal(actual, desired, decimal=6, err_msg="", verbose=True):
    """AssertionError unless the elements are equal to so many decimal places."""
    _testing.assert_array_almost_equal(_asnumpy(actual), _asnumpy(desired), decimal, err_msg, verbose)


def assert_array_almost_equal_nulp(x, y, nulp=1):
    """AssertionError unless the elements are so few units in the last place from each other."""
    _testing.assert_array_almost_equal_nulp(_asnumpy(x), _asnumpy(y), nulp)


def assert_array_max_ulp(a, b, maxulp=1, dtype=None):
    """As assert_array_almost_equal_nulp, after a cast to ``dtype``."""
    _testing.assert_array_max_ulp(_asnumpy(a), _asnumpy(b), maxulp, dtype)


def assert_array_equal(actual, desired, err_msg="", verbose=True, *, strict=False, strides_check=False):
    """AssertionError unless the elements are equal (NaN to NaN), and the strides too if ``strides_check``."""
    _testing.assert_array_equal(_asnumpy(actual), _asnumpy(desired), err_msg, verbose, strict=strict)
    if strides_check and actual.strides != desired.strides:
        raise AssertionError(f"{err_msg}\nstrides differ: {actual.strides} and {desired.strides}".lstrip())


def assert_array_list_equal(xlist, ylist, err_msg="", verbose=True):
    """AssertionError unless two lists or tuples have equal arrays."""
    if not isinstance(xlist, (list, tuple)) or type(xlist) is not type(ylist):
        raise AssertionError(f"two lists or two tuples are expected, not {type(xlist)} and {type(ylist)}")
    if len(xlist) != len(ylist):
        raise AssertionError(f"lists of different lengths: {len(xlist)} and {len(ylist)}")
    for x, y in zip(xlist, ylist):
        assert_array_equal(x, y, err_msg, verbose)


def assert_array_less(x, y, err_msg="", verbose=True, *, strict=False):
    """AssertionError unless x < y everywhere."""
    _testing.assert_array_less(_asnumpy(x), _asnumpy(y), err_msg, verbose, strict=strict)
