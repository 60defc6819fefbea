"""What tests need or check besides arrays: versions, devices, warnings, calls, seeds, and names that are NumPy's."""

import contextlib
import functools
import inspect
import os
import random
import unittest
import unittest.mock
import warnings

import numpy as np

import tombac

__all__ = [
    "AssertFunctionIsCalled", "NumpyAliasBasicTestBase", "NumpyAliasValuesTestBase", "assert_warns", "fix_random",
    "generate_seed", "installed", "multi_gpu", "numpy_satisfies", "slow", "with_requires",
]


# ---- versions and devices --------------------------------------------------------------------------------------------


def installed(*specifiers):
    """Whether all packages are installed in these versions: ``installed('numpy>=2', 'scipy')``."""
    from importlib.metadata import PackageNotFoundError, version

    from packaging.requirements import Requirement

    for text in specifiers:
        wanted = Requirement(text)
        try:
            if not wanted.specifier.contains(version(wanted.name), prereleases=True):
                return False
        except PackageNotFoundError:
            return False
    return True


def numpy_satisfies(version_range):
    """Whether NumPy's version is in a range: ``numpy_satisfies('>=2,<3')``."""
    return installed(f"numpy{version_range}")


def with_requires(*requirements):
    """Decorator: the test is skipped unless these packages are installed."""
    return unittest.skipUnless(installed(*requirements), f"requires: {', '.join(requirements)}")


def multi_gpu(gpu_num):
    """Decorator: the test is skipped unless there are so many devices; it has pytest's mark multi_gpu.

    The environment variable CUPY_TEST_GPU_LIMIT is how many devices may be used.
    """
    limit = int(os.environ.get("CUPY_TEST_GPU_LIMIT", "-1"))
    n = tombac.cuda.runtime.getDeviceCount()
    skip = unittest.skipIf((n if limit < 0 else min(n, limit)) < gpu_num, f"{gpu_num} devices are needed")

    def decorator(function):
        import pytest

        return pytest.mark.multi_gpu(skip(function))

    return decorator


def slow(*args, **kwargs):
    """pytest's mark slow."""
    import pytest

    return pytest.mark.slow(*args, **kwargs)


# ---- warnings and calls ----------------------------------------------------------------------------------------------


def assert_warns(expected, *args, **kwargs):
    """AssertionError unless the block, or a function that is given with its arguments, warns of this category."""
    if not args:
        return _warns(expected)
    with _warns(expected):
        return args[0](*args[1:], **kwargs)


@contextlib.contextmanager
def _warns(expected):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        yield
    if not any(issubclass(w.category, expected) for w in caught):
        raise AssertionError(f"{expected.__name__} not triggered")


@contextlib.contextmanager
def AssertFunctionIsCalled(*args, times_called=1, **kwargs):
    """AssertionError unless the block calls a function so often; the arguments are those of unittest.mock.patch."""
    with unittest.mock.patch(*args, **kwargs) as mock:
        yield mock
    if mock.call_count != times_called:
        raise AssertionError(f"the function was called {mock.call_count} times, {times_called} were expected")


# ---- seeds -----------------------------------------------------------------------------------------------------------


def _seed(seed):
    random.seed(seed)
    np.random.seed(seed)
    tombac.random.seed(seed)


def generate_seed():
    """A random seed, which is always the same in tests that fix_random decorates."""
    return np.random.randint(0x7FFFFFFF)


@contextlib.contextmanager
def _fixed():
    states = random.getstate(), np.random.get_state()
    _seed(None if os.environ.get("CUPY_TEST_RANDOM_NONDETERMINISTIC", "0") != "0" else 100)
    try:
        yield
    finally:
        random.setstate(states[0])
        np.random.set_state(states[1])


def _with_fixed(function):
    @functools.wraps(function)
    def wrapper(*args, **kwargs):
        with _fixed():
            return function(*args, **kwargs)

    return wrapper


def fix_random():
    """Decorator of a test or a class of tests: each begins with the same seeds, of Python's, NumPy's and tombac's
    generators; those of Python and NumPy are as before when it ends."""
    def decorator(decorated):
        if not isinstance(decorated, type):
            return _with_fixed(decorated)
        set_up = getattr(decorated, "setUp", None) if issubclass(decorated, unittest.TestCase) else None
        if set_up is None:
            for name in [n for n in dir(decorated) if n.startswith("test") and callable(getattr(decorated, n))]:
                setattr(decorated, name, _with_fixed(getattr(decorated, name)))
            return decorated

        def setUp(self):
            self.enterContext(_fixed())
            set_up(self)

        decorated.setUp = setUp
        return decorated

    return decorator


# ---- names that are NumPy's ------------------------------------------------------------------------------------------


class _Alias(unittest.TestCase):
    func = None

    @property
    def numpy_func(self):
        """NumPy's function of the name ``func``."""
        return getattr(np, self.func)

    @property
    def cupy_func(self):
        """tombac's."""
        return getattr(tombac, self.func)


class NumpyAliasBasicTestBase(_Alias):
    """Tests that tombac's function of the name ``func`` has NumPy's signature, and a docstring."""

    def test_argspec(self):
        if self.func is not None:
            self.assertEqual(inspect.signature(self.cupy_func), inspect.signature(self.numpy_func))

    def test_docstring(self):
        if self.func is not None:
            self.assertTrue(self.cupy_func.__doc__)


class NumpyAliasValuesTestBase(_Alias):
    """Tests that tombac's function of the name ``func`` gives what NumPy's does for ``args``."""

    args = ()

    def test_values(self):
        if self.func is not None:
            self.assertEqual(self.cupy_func(*self.args), self.numpy_func(*self.args))
