"""Decorators of tests that are run with NumPy and with tombac, and whose results are compared."""

import importlib
import traceback

import numpy as np

import tombac
from tombac.testing import _arrays
from tombac.testing._signatures import skips, without

__all__ = []


def _outcome(function, args, kwargs):
    """(result, exception, skip) of a call."""
    try:
        return function(*args, **kwargs), None, None
    except skips() as e:
        return None, None, e
    except Exception as e:  # noqa: BLE001 it is compared with the other one's
        return None, e, None


def _run(function, args, kwargs, name, sp_name, scipy_name):
    """The outcomes with tombac and with NumPy."""
    outcomes = []
    for xp, scipy in ((tombac, "tombacx.scipy"), (np, "scipy")):
        given = {name: xp}
        if sp_name:
            given[sp_name] = importlib.import_module(scipy + ".sparse")
        if scipy_name:
            given[scipy_name] = importlib.import_module(scipy)
        outcomes.append(_outcome(function, args, {**kwargs, **given}))
    ours, theirs = outcomes
    if ours[2] and theirs[2]:
        raise ours[2]
    if ours[2] or theirs[2]:
        raise AssertionError(f"only {'cupy' if ours[2] else 'numpy'} skips the test") from (ours[2] or theirs[2])
    return ours[:2], theirs[:2]


def _text(e):
    return "".join(traceback.format_exception(e))


def _compare_errors(ours, theirs, accept):
    """AssertionError unless both raise what is accepted, one the other's kind; False if neither raises."""
    if ours is None and theirs is None:
        return False
    if ours is None:
        raise AssertionError("Only numpy raises error\n\n" + _text(theirs)) from theirs
    if theirs is None:
        raise AssertionError("Only cupy raises error\n\n" + _text(ours)) from ours
    accept = () if accept is False else Exception if accept is True else accept
    kin = isinstance(ours, type(theirs)) or isinstance(theirs, type(ours)) or \
        isinstance(ours, accept) and isinstance(theirs, accept) and not isinstance(accept, type)
    if not kin:
        raise AssertionError(f"Different types of errors occurred\n\ncupy\n{_text(ours)}\nnumpy\n{_text(theirs)}") \
            from ours
    if not (isinstance(ours, accept) and isinstance(theirs, accept)):
        raise AssertionError(f"Both cupy and numpy raise exceptions\n\ncupy\n{_text(ours)}\nnumpy\n{_text(theirs)}") \
            from ours
    return True


def _dense(x):
    return x.toarray(order="C") if hasattr(x, "toarray") else x


def _pairs(ours, theirs):
    """The arrays of two results, which may be lists or tuples of them."""
    several = isinstance(theirs, (list, tuple))
    if several != isinstance(ours, (list, tuple)) or several and len(ours) != len(theirs):
        raise AssertionError(f"results of different kinds: cupy {type(ours)}, numpy {type(theirs)}")
    pairs = list(zip(ours, theirs)) if several else [(ours, theirs)]
    return [tuple(_dense(x) for x in pair) for pair in pairs]


def _dtype(x):
    return x.dtype if hasattr(x, "dtype") else np.asarray(x).dtype


def _check_layout(ours, theirs):
    if not isinstance(theirs, np.ndarray) or not isinstance(ours, tombac.ndarray):
        return
    for flag in ("c_contiguous", "f_contiguous"):
        if getattr(theirs.flags, flag) and not getattr(ours.flags, flag):
            raise AssertionError(f"The state of {flag} flag is false. (cupy_result:False numpy_result:True)")


def _comparison(check, name, type_check, accept_error, sp_name, scipy_name, contiguous_check=False):
    """Decorator: ``check(ours, theirs)`` for every array that the test returns."""
    def decorator(function):
        @without((name, sp_name, scipy_name), function)
        def wrapper(*args, **kwargs):
            (ours, wrong), (theirs, error) = _run(function, args, kwargs, name, sp_name, scipy_name)
            if _compare_errors(wrong, error, accept_error):
                return
            if (ours is None) != (theirs is None):
                raise AssertionError(f"one of the results is None: cupy {ours!r}, numpy {theirs!r}")
            for x, y in _pairs(ours, theirs):
                if type_check and _dtype(x) != _dtype(y):
                    raise AssertionError("ndarrays of different dtypes are returned.\n"
                                         f"cupy: {_dtype(x)}\nnumpy: {_dtype(y)}")
                check(x, y)
                if contiguous_check:
                    _check_layout(x, y)

        return wrapper

    return decorator


def _tolerance(given, t):
    """A tolerance, of a dict from dtypes (and 'default') to numbers the one for a dtype."""
    if not isinstance(given, dict):
        return given
    for key, value in given.items():
        if key != "default" and np.dtype(key) == t:
            return value
    if "default" not in given:
        raise TypeError(f"the tolerances say nothing of {t}, and have no 'default'")
    return given["default"]


def _both_names(function):
    other = function.__name__.replace("numpy_cupy", "numpy_tombac")
    globals()[other] = function
    __all__.extend((function.__name__, other))
    return function


@_both_names
def numpy_cupy_allclose(rtol=1e-7, atol=0, err_msg="", verbose=True, name="xp", type_check=True, accept_error=False,
                        sp_name=None, scipy_name=None, contiguous_check=True, *, _check_sparse_format=True):
    """Decorator: the results of the test with NumPy and with tombac, given in the argument ``name``, are close.

    Args:
        rtol: As in assert_allclose; a number, or a dict from dtypes to numbers.
        atol: Likewise.
        type_check: The dtypes are the same.
        accept_error: Exceptions, or True for any, that both may raise instead.
        sp_name: The name of an argument for scipy.sparse.
        scipy_name: The name of an argument for scipy.
        contiguous_check: What is contiguous in NumPy's result is so in tombac's.
    """
    def check(x, y):
        t = _dtype(y)
        _arrays.assert_allclose(x, y, _tolerance(rtol, t), _tolerance(atol, t), err_msg=err_msg, verbose=verbose)

    return _comparison(check, name, type_check, accept_error, sp_name, scipy_name, contiguous_check)


@_both_names
def numpy_cupy_array_almost_equal(decimal=6, err_msg="", verbose=True, name="xp", type_check=True, accept_error=False,
                                  sp_name=None, scipy_name=None):
    """As numpy_cupy_allclose, by assert_array_almost_equal."""
    return _comparison(lambda x, y: _arrays.assert_array_almost_equal(x, y, decimal, err_msg, verbose), name,
                       type_check, accept_error, sp_name, scipy_name)


@_both_names
def numpy_cupy_array_almost_equal_nulp(nulp=1, name="xp", type_check=True, accept_error=False, sp_name=None,
                                       scipy_name=None):
    """As numpy_cupy_allclose, by assert_array_almost_equal_nulp."""
    return _comparison(lambda x, y: _arrays.assert_array_almost_equal_nulp(x, y, nulp), name, type_check, accept_error,
                       sp_name, scipy_name)


@_both_names
def numpy_cupy_array_max_ulp(maxulp=1, dtype=None, name="xp", type_check=True, accept_error=False, sp_name=None,
                             scipy_name=None):
    """As numpy_cupy_allclose, by assert_array_max_ulp."""
    return _comparison(lambda x, y: _arrays.assert_array_max_ulp(x, y, maxulp, dtype), name, type_check, accept_error,
                       sp_name, scipy_name)


@_both_names
def numpy_cupy_array_equal(err_msg="", verbose=True, name="xp", type_check=True, accept_error=False, sp_name=None,
                           scipy_name=None, strides_check=False):
    """As numpy_cupy_allclose, by assert_array_equal."""
    return _comparison(lambda x, y: _arrays.assert_array_equal(x, y, err_msg, verbose, strides_check=strides_check),
                       name, type_check, accept_error, sp_name, scipy_name)


@_both_names
def numpy_cupy_array_less(err_msg="", verbose=True, name="xp", type_check=True, accept_error=False, sp_name=None,
                          scipy_name=None):
    """As numpy_cupy_allclose: tombac's result is less than NumPy's everywhere."""
    return _comparison(lambda x, y: _arrays.assert_array_less(x, y, err_msg, verbose), name, type_check, accept_error,
                       sp_name, scipy_name)


@_both_names
def numpy_cupy_array_list_equal(err_msg="", verbose=True, name="xp", sp_name=None, scipy_name=None):
    """As numpy_cupy_array_equal, for lists of arrays of any dtypes."""
    def decorator(function):
        @without((name, sp_name, scipy_name), function)
        def wrapper(*args, **kwargs):
            (ours, wrong), (theirs, error) = _run(function, args, kwargs, name, sp_name, scipy_name)
            _compare_errors(wrong, error, False)
            _arrays.assert_array_list_equal(ours, theirs, err_msg, verbose)

        return wrapper

    return decorator


@_both_names
def numpy_cupy_equal(name="xp", sp_name=None, scipy_name=None):
    """Decorator: the results, which are no arrays, are equal."""
    def decorator(function):
        @without((name, sp_name, scipy_name), function)
        def wrapper(*args, **kwargs):
            (ours, wrong), (theirs, error) = _run(function, args, kwargs, name, sp_name, scipy_name)
            _compare_errors(wrong, error, False)
            if not ours == theirs:
                raise AssertionError(f"Results are not equal:\ncupy: {ours!r}\nnumpy: {theirs!r}")

        return wrapper

    return decorator


@_both_names
def numpy_cupy_raises(name="xp", sp_name=None, scipy_name=None, accept_error=Exception):
    """Decorator: the test raises an exception with both, one of them of the other's kind."""
    def decorator(function):
        @without((name, sp_name, scipy_name), function)
        def wrapper(*args, **kwargs):
            (_, wrong), (_, error) = _run(function, args, kwargs, name, sp_name, scipy_name)
            if not _compare_errors(wrong, error, accept_error):
                raise AssertionError("Both cupy and numpy are expected to raise an error, but neither does")

        return wrapper

    return decorator
