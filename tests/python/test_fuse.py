"""tombac.fuse: there for programs that use it; deferral is what fuses."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal

import tombac as tb

X, Y = np.arange(10.0).reshape(2, 5), np.arange(5.0)


def test_forms_of_the_decorator():
    @tb.fuse
    def a(x):
        return x + 1

    @tb.fuse()
    def b(x):
        return x + 1

    @tb.fuse(kernel_name="plus_one")
    def c(x):
        """Adds one."""
        return x + 1

    @tb.fuse()(kernel_name="plus_one")
    def d(x):
        return x + 1
    for f in (a, b, c, d, tb.fuse(lambda x: x + 1)):
        assert_array_equal(f(tb.asarray(Y)).get(), Y + 1)
    assert (a.name, b.name, c.name, d.name) == ("a", "b", "plus_one", "plus_one")
    assert c.__doc__ == "Adds one." and c.__name__ == "c" and c.__wrapped__ is c.func
    assert "plus_one" in repr(c)
    c.clear_cache()
    with pytest.raises(TypeError):
        tb.fuse(name="x")
    with pytest.raises(TypeError):
        tb.fuse(3)


def test_one_kernel(fused):
    @tb.fuse()
    def softplus(x):
        return tb.maximum(x, 0) + tb.log1p(tb.exp(-abs(x)))
    x = tb.asarray(X)
    before = tb.config.counters()["launches"]
    y = softplus(x)
    y.get()
    assert tb.config.counters()["launches"] == before + 1


def test_reductions_inside():
    f = tb.fuse(lambda x, y: tb.sum(x * y, axis=-1))
    assert_array_equal(f(tb.asarray(X), tb.asarray(Y)).get(), (X * Y).sum(-1))
    g = tb.fuse(lambda x: (x - x.mean()) / x.std())
    np.testing.assert_allclose(g(tb.asarray(X)).get(), (X - X.mean()) / X.std())


def test_what_functions_return():
    x = tb.asarray(Y)
    assert tb.fuse(lambda v: None)(x) is None
    a, (b, c) = tb.fuse(lambda v: (v, (v + 1, 3)))(x)
    assert a is x and c == 3
    assert_array_equal(b.get(), Y + 1)


def test_updates_in_place():
    @tb.fuse()
    def update(x, y):
        x += y
        y[...] = x * 2
    x, y = tb.asarray(Y), tb.ones(5)
    assert update(x, y) is None
    assert_array_equal(x.get(), Y + 1)
    assert_array_equal(y.get(), 2 * (Y + 1))


def test_host_arrays_and_numbers():
    f = tb.fuse(lambda x, y=2: x * y)
    assert type(f(Y)) is np.ndarray and f(3) == 6 and f(3, y=4) == 12
    assert_array_equal(f(tb.asarray(Y), np.float64(3)).get(), Y * 3)
    with pytest.raises(TypeError, match="cannot be mixed"):
        f(tb.asarray(Y), Y)
    with pytest.raises(TypeError, match="cannot be mixed"):
        f(Y, y=tb.asarray(Y))


def test_methods_and_exceptions():
    class Model:
        scale = 3

        @tb.fuse()
        def run(self, x):
            return x * self.scale
    assert_array_equal(Model().run(tb.asarray(Y)).get(), Y * 3)
    with pytest.raises(ZeroDivisionError):
        tb.fuse(lambda x: 1 // 0)(Y)
