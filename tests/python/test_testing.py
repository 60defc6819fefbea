"""tombac.testing: what its assertions and decorators let pass, and what not."""

import inspect
import unittest

import numpy as np
import pytest
import tombac as tb
from strategies import same
from tombac import testing

X = np.array([1.0, 2.0, np.nan])


@pytest.mark.parametrize("name, good, bad", [
    ("assert_allclose", (X, X + 1e-9), (X, X + 1e-3)),
    ("assert_array_almost_equal", (X, X + 1e-8), (X, X + 1e-3)),
    ("assert_array_almost_equal_nulp", (X[:2], X[:2]), (X[:2], X[:2] + 1e-9)),
    ("assert_array_max_ulp", (X[:2], X[:2]), (X[:2], X[:2] + 1e-9)),
    ("assert_array_equal", (X, X), (X, X[:2])),
    ("assert_array_less", (X[:2], X[:2] + 1), (X[:2], X[:2])),
    ("assert_equal", (X, X), (X, X[:2])),
    ("assert_almost_equal", (X, X + 1e-9), (X, X + 1e-3)),
    ("assert_approx_equal", (X[0], X[0] + 1e-9), (X[0], X[0] + 1e-3)),
])
def test_assertions(name, good, bad):
    check = getattr(testing, name)
    for a, b in ((tb.array, np.array), (np.array, tb.array), (tb.array, tb.array)):
        check(a(good[0]), b(good[1]))
        with pytest.raises(AssertionError):
            check(a(bad[0]), b(bad[1]))


def test_every_assertion_of_numpy_is_there():
    names = [name for name in np.testing.__all__ if name.startswith("assert_")]
    assert not [name for name in names if name not in testing.__all__]
    for name in names:
        theirs, ours = (inspect.signature(getattr(m, name)).parameters for m in (np.testing, testing))
        assert [*theirs][:2] == [*ours][:2] or name == "assert_warns"
        assert set(theirs) <= set(ours) or name == "assert_warns"


def test_assertions_look_into_containers():
    x = tb.arange(3)
    testing.assert_equal({"a": [x, (x, 1)]}, {"a": [np.arange(3), (np.arange(3), 1)]})
    testing.assert_equal("text", "text")
    for other in ({"a": [x, (x, 2)]}, {"b": [x]}):
        with pytest.raises(AssertionError):
            testing.assert_equal({"a": [x, (x, 1)]}, other)
    testing.assert_array_compare(np.less, x, x + 1)
    with pytest.raises(AssertionError):
        testing.assert_array_compare(np.less, x, x)
    testing.assert_raises(ValueError, lambda: x.reshape(2))
    assert testing.assert_warns(UserWarning, lambda a: __import__("warnings").warn("so") or a, 3) == 3


def test_more_assertions():
    x = tb.arange(4)
    testing.assert_array_list_equal([x, x], [np.arange(4), x])
    for other in ([x], (x, x), [x, x + 1]):
        with pytest.raises(AssertionError):
            testing.assert_array_list_equal([x, x], other)
    with pytest.raises(AssertionError):
        testing.assert_array_equal(x[::2], np.array([0, 2]), strides_check=True)
    with testing.assert_warns(RuntimeWarning):
        import warnings

        warnings.warn("so", RuntimeWarning)
    with pytest.raises(AssertionError):
        with testing.assert_warns(UserWarning):
            pass
    with testing.AssertFunctionIsCalled("os.getcwd", times_called=1):
        import os

        os.getcwd()
    with pytest.raises(AssertionError):
        with testing.AssertFunctionIsCalled("os.getcwd"):
            pass


# ---- loops -----------------------------------------------------------------------------------------------------------

LOOPS = {
    "for_all_dtypes": "dfebhilqBHILQ?FD", "for_float_dtypes": "dfe", "for_signed_dtypes": "bhilq",
    "for_unsigned_dtypes": "BHILQ", "for_int_dtypes": "bhilqBHILQ?", "for_complex_dtypes": "FD",
}


@pytest.mark.parametrize("name", LOOPS)
def test_loops(name):
    seen = []

    @getattr(testing, name)(name="t")
    def f(other, t):
        """Of some use."""
        seen.append(t)

    f(3)
    assert set(seen) == {np.dtype(c).type for c in LOOPS[name]}
    assert list(inspect.signature(f).parameters) == ["other"] and f.__doc__ == "Of some use."


@pytest.mark.parametrize("full, n", [(True, 25), (False, 5)])
def test_combinations(full, n):
    seen = []

    @testing.for_signed_dtypes_combination(("a", "b"), full=full)
    def f(a, b):
        seen.append((a, b))

    f()
    assert len(seen) == n
    for i in range(2):
        assert {pair[i] for pair in seen} == {np.dtype(c).type for c in "bhilq"}


def test_orders_and_axes():
    seen = []
    testing.for_orders("CK")(lambda order: seen.append(order))()
    assert seen == ["C", "K"]

    class Shaped:
        shape = (2, 3, 4)

        def __init__(self, order):
            self.order, self.seen = order, []

        @testing.for_contiguous_axes()
        def test(self, axis):
            self.seen.append(axis)

    for order, want in (("C", {(0, 1, 2), (1, 2), (2,)}), ("F", {(0,), (0, 1), (0, 1, 2)})):
        shaped = Shaped(order)
        shaped.test()
        assert set(shaped.seen) == want


def test_failures_and_skips():
    @testing.for_dtypes("if")
    def fails(dtype):
        assert dtype is np.int32

    with pytest.raises(AssertionError) as caught:
        fails()
    assert any("float32" in note for note in caught.value.__notes__)

    @testing.for_dtypes("if")
    def some(dtype):
        if dtype is np.int32:
            pytest.skip()

    some()
    with pytest.raises(unittest.SkipTest):
        testing.for_dtypes("if")(_skip)()


def _skip(dtype):
    raise unittest.SkipTest


# ---- both libraries --------------------------------------------------------------------------------------------------


def passes(decorator, function):
    try:
        decorator(function)()
    except AssertionError:
        return False
    return True


def of(ours, theirs):
    """A test whose results differ between the libraries; exceptions are raised."""
    def test(xp):
        result = theirs if xp is np else ours
        if isinstance(result, type) and issubclass(result, Exception):
            raise result
        return result

    return test


def test_results_are_compared():
    x, y = tb.arange(3.0), np.arange(3.0)
    close, equal = testing.numpy_cupy_allclose, testing.numpy_cupy_array_equal
    assert passes(close(), lambda xp: xp.arange(3.0)) and passes(equal(), lambda xp: [xp.arange(3), xp.ones(2)])
    assert passes(close(), of(x * (1 + 1e-12), y)) and not passes(equal(), of(x * (1 + 1e-12), y))
    assert not passes(close(), of(x + 1, y)) and passes(close(atol=1), of(x + 1, y))
    assert passes(close(rtol={"d": 2, "default": 0}), of(x * 2, y))
    assert not passes(close(rtol={"f": 2, "default": 0}), of(x * 2, y))
    assert not passes(equal(), of(x.astype("f"), y)) and passes(equal(type_check=False), of(x.astype("f"), y))
    apart = of(tb.array([0.0, 9.0, 1.0, 9.0, 2.0])[::2], y)
    assert not passes(close(), apart) and passes(close(contiguous_check=False), apart)
    assert not passes(equal(), of([x], [y, y])) and not passes(equal(), of(None, y)) and not passes(equal(), of(x, [y]))
    assert passes(testing.numpy_cupy_array_less(), of(x - 1, y)) and not passes(testing.numpy_cupy_array_less(),
                                                                                of(x, y))
    for name in ("almost_equal", "almost_equal_nulp", "max_ulp", "list_equal"):
        decorator = getattr(testing, "numpy_cupy_array_" + name)
        wrap = (lambda a: [a]) if name == "list_equal" else (lambda a: a)
        assert passes(decorator(), of(wrap(x), wrap(y))) and not passes(decorator(), of(wrap(x + 1), wrap(y)))
        assert getattr(testing, "numpy_tombac_array_" + name) is decorator
    assert passes(testing.numpy_cupy_equal(), of((1, "a"), (1, "a")))
    assert not passes(testing.numpy_cupy_equal(), of(1, 2))
    assert testing.numpy_tombac_allclose is close


def test_exceptions_are_compared():
    equal, raises = testing.numpy_cupy_array_equal, testing.numpy_cupy_raises
    assert not passes(equal(), of(ValueError, ValueError)) and passes(equal(accept_error=True),
                                                                      of(ValueError, ValueError))
    assert not passes(equal(accept_error=True), of(ValueError, TypeError))
    assert not passes(equal(accept_error=TypeError), of(ValueError, ValueError))
    assert not passes(equal(accept_error=True), of(ValueError, np.ones(2)))
    assert not passes(equal(accept_error=True), of(tb.ones(2), ValueError))
    assert passes(raises(), of(ValueError, ValueError)) and not passes(raises(), of(1, 1))
    with pytest.raises(unittest.SkipTest):
        equal()(of(unittest.SkipTest, unittest.SkipTest))()
    assert not passes(equal(), of(unittest.SkipTest, np.ones(2)))


@testing.for_float_dtypes(no_float16=True)
@testing.numpy_cupy_allclose(rtol={np.float32: 1e-6, "default": 1e-14})
def test_as_it_is_used(xp, dtype):
    return xp.linspace(0, 1, 9, dtype=dtype)


# ---- inputs ----------------------------------------------------------------------------------------------------------


def test_inputs():
    same(testing.shaped_arange((2, 2)), np.array([[1, 2], [3, 4]], "f"))
    same(testing.shaped_arange((3,), dtype="D"), np.array([1 + 1j, 2 + 2j, 3 + 3j]))
    same(testing.shaped_arange((3,), dtype="?"), np.array([False, True, False]))
    assert testing.shaped_arange((2, 2), order="F").flags.f_contiguous
    same(testing.shaped_reverse_arange((3,)), np.array([3, 2, 1], "f"))
    same(testing.shaped_linspace(0, 1, (3,)), np.array([0, 0.5, 1], "f"))
    for code in "?bBlefdFD":
        host = testing.shaped_random((2, 3), np, code)
        assert type(host) is np.ndarray and host.dtype == code
        same(testing.shaped_random((2, 3), dtype=code), host)
        assert (host.real <= 10).all() and (host.real >= 0).all()
    s = np.array([3.0, 2.0])
    for code in "dD":
        a = testing.generate_matrix((4, 3, 2), dtype=code, singular_values=s)
        assert a.shape == (4, 3, 2) and a.dtype == code
        np.testing.assert_allclose(np.linalg.svd(a.get(), compute_uv=False), [s] * 4)
    for args in (((2,),), ((2, 0),), ((2, 2), np, "i")):
        with pytest.raises(ValueError):
            testing.generate_matrix(*args)
    with pytest.raises(ValueError):
        testing.generate_matrix((2, 2), singular_values=[1, -1])


# ---- classes ---------------------------------------------------------------------------------------------------------


@testing.parameterize(*testing.product({"x": [1, 2], "f": [abs, lambda v: v]}))
class TestParameters:
    def test(self):
        assert self.f(self.x) in (1, 2) and type(self).__name__.startswith("TestParameters_param_")


def test_classes_of_parameters():
    made = [name for name in globals() if name.startswith("TestParameters_param_")]
    assert len(made) == 4 and not hasattr(TestParameters, "test")
    assert testing.product([[{"a": 1}, {"a": 2}], [{"b": 3}]]) == [{"a": 1, "b": 3}, {"a": 2, "b": 3}]
    assert testing.product_dict([{"a": 1}], [{"b": 2}, {"b": 3}]) == [{"a": 1, "b": 2}, {"a": 1, "b": 3}]
    with pytest.raises(TypeError):
        testing.product(3)


@testing.fix_random()
class TestSeeds(unittest.TestCase):
    seen = set()

    def test_one(self):
        self.seen.add((testing.generate_seed(), float(tb.random.rand())))
        assert len(self.seen) == 1

    test_two = test_one


def test_seeds_of_functions():
    draw = testing.fix_random()(testing.generate_seed)
    np.random.seed(3)
    want = np.random.rand(2)[1]
    np.random.seed(3)
    np.random.rand()
    assert draw() == draw() and np.random.rand() == want


def test_requirements(pytestconfig):
    for mark in ("slow", "multi_gpu"):
        pytestconfig.addinivalue_line("markers", mark)
    assert testing.installed("numpy", "numpy>=1") and not testing.installed("numpy<1")
    assert not testing.installed("no-such-package-here") and testing.numpy_satisfies(">=1.20")
    with pytest.raises(unittest.SkipTest):
        testing.with_requires("numpy<1")(lambda: None)()
    assert testing.with_requires("numpy>=1")(lambda: 3)() == 3
    marked = testing.slow(testing.multi_gpu(1)(_skip))
    assert marked is _skip and {mark.name for mark in marked.pytestmark} == {"slow", "multi_gpu"}
    with pytest.raises(unittest.SkipTest):
        testing.multi_gpu(1000)(needs_many)()


def needs_many():
    raise AssertionError("it is not called")


class TestAlias(testing.NumpyAliasBasicTestBase):
    func = "broadcast_shapes"


class TestAliasValues(testing.NumpyAliasValuesTestBase):
    func, args = "binary_repr", (5,)


def test_an_alias_that_is_none_fails():
    class Other(testing.NumpyAliasBasicTestBase):
        func = "put"

    class Values(testing.NumpyAliasValuesTestBase):
        func, args = "size", (3,)

    assert not Other("test_argspec").run().wasSuccessful() and Values("test_values").run().wasSuccessful()
