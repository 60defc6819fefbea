"""tombacx.scipy.optimize.elementwise against SciPy's."""

import numpy as np
import pytest
import scipy.optimize.elementwise as se
import tombac as tb
from hypothesis import given
from hypothesis import strategies as st

import tombacx.scipy.optimize.elementwise as xe

pytestmark = pytest.mark.filterwarnings("ignore")
seeds = st.integers(0, 2**32 - 1)
shapes = st.lists(st.integers(0, 4), max_size=3).map(tuple)


def exact(x, c):
    """Multiplications and additions, by which SciPy's steps and ours are the same."""
    return (x - c) * (x * x + 1)


def bowl(x, c):
    return (x - c) * (x - c) * (x * x + 1)


def alike(got, want, *, points=True):
    """All that results hold, but for rounding."""
    for key in ("success", "status", "nit", "nfev", *(["x", "f_x"] if points else []), "bracket", "f_bracket"):
        g, w = (value if isinstance(value, tuple) else (value,) for value in (got[key], want[key]))
        for one, other in zip(g, w, strict=True):
            other = np.asarray(other)
            assert type(one) is tb.ndarray and one.shape == other.shape, key
            assert one.dtype.kind == other.dtype.kind
            tol = 0 if other.dtype.kind in "bi" else 1e-5 if other.dtype == "f" else 1e-9
            np.testing.assert_allclose(one.get(), other, tol, tol, err_msg=key)


def parameters(seed, shape, dtype):
    c = np.random.default_rng(seed).uniform(-12, 12, shape)
    if c.size > 2:
        c.flat[0], c.flat[1] = np.nan, 0.0
    return c.astype(dtype)


@given(seeds, shapes, st.sampled_from("df"))
def test_roots(seed, shape, dtype):
    c = parameters(seed, shape, dtype)
    ends = np.array(-10, dtype), np.array(10, dtype)
    got = xe.find_root(exact, tuple(map(tb.array, ends)), args=(tb.array(c),))
    alike(got, se.find_root(exact, ends, args=(c,)))
    assert got.x.dtype == dtype


@given(seeds, st.sampled_from([{"xatol": 1e-3}, {"xrtol": 1e-2}, {"fatol": 0.5}, {"frtol": 1e-2}]),
       st.sampled_from([None, 0, 3]))
def test_tolerances_of_roots(seed, tolerances, maxiter):
    c = parameters(seed, (3, 4), "d")
    options = {"tolerances": tolerances, "maxiter": maxiter}
    got = xe.find_root(exact, (tb.full((4,), -10.0), 10), args=(tb.array(c),), **options)
    alike(got, se.find_root(exact, (np.full(4, -10.0), 10), args=(c,), **options))


@given(seeds, shapes, st.sampled_from([None, {"xatol": 1e-3}, {"xrtol": 1e-2}, {"fatol": 0.5}]),
       st.sampled_from([100, 0, 3]))
def test_least_values(seed, shape, tolerances, maxiter):
    c = parameters(seed, shape, "d")
    options = {"tolerances": tolerances, "maxiter": maxiter}
    points = (-20.0, c / 2 + 0.1, 20.0)
    got = xe.find_minimum(bowl, (-20.0, tb.array(points[1]), 20.0), args=(tb.array(c),), **options)
    want = se.find_minimum(bowl, points, args=(c,), **options)
    assert (got.status.get() == want.status).all() and (got.nit.get() == want.nit).all()
    np.testing.assert_allclose(got.x.get(), want.x, 1e-9, 1e-9)
    np.testing.assert_allclose(got.f_x.get(), want.f_x, 1e-9, 1e-9)
    assert (got.nfev.get() == want.nfev).all()


@given(seeds, shapes, st.sampled_from([None, 1.5]), st.sampled_from([(None, None), (-3, None), (None, 4.0), (-3, 4)]),
       st.sampled_from([1000, 3]))
def test_brackets_of_roots(seed, shape, factor, limits, maxiter):
    c = parameters(seed, shape, "d")
    options = {"factor": factor, "xmin": limits[0], "xmax": limits[1], "maxiter": maxiter}

    def f(x, c):
        return x - c

    got = xe.bracket_root(f, tb.array(-0.5), args=(tb.array(c),), **options)
    want = se.bracket_root(f, np.array(-0.5), args=(c,), **options)
    if maxiter == 3 or None not in limits:  # SciPy's status where one side never ends is another
        alike(got, want, points=False)
    found = got.success.get()
    left, right = (b.get()[found] for b in got.bracket)
    assert (left <= c[found]).all() and (c[found] <= right).all()


@given(seeds, shapes, st.sampled_from([None, 1.5]), st.sampled_from([(None, None), (-3, None), (None, 4.0), (-3, 4)]),
       st.sampled_from([1000, 3]))
def test_brackets_of_least_values(seed, shape, factor, limits, maxiter):
    c = parameters(seed, shape, "d")
    if limits != (None, None) and factor:  # the last steps before a limit are of rounding's size
        maxiter = 3
    options = {"factor": factor, "xmin": limits[0], "xmax": limits[1], "maxiter": maxiter}

    def f(x, c):
        return (x - c) * (x - c)

    got = xe.bracket_minimum(f, tb.array(-0.5), args=(tb.array(c),), **options)
    want = se.bracket_minimum(f, np.array(-0.5), args=(c,), **options)
    for key in ("status", "nit", "nfev"):
        np.testing.assert_array_equal(got[key].get(), want[key], key)
    for ours, theirs in zip(got.bracket + got.f_bracket, want.bracket + want.f_bracket, strict=True):
        np.testing.assert_allclose(ours.get(), theirs, 1e-12, 1e-12)


def test_brackets_lead_to_roots():
    c = tb.array([0.3, 5.0, 700.0])
    found = xe.bracket_root(lambda x, c: x**3 - c, 0.0, args=(c,))
    roots = xe.find_root(lambda x, c: x**3 - c, found.bracket, args=(c,))
    np.testing.assert_allclose(roots.x.get(), np.cbrt(c.get()), 1e-14)
    found = xe.bracket_minimum(lambda x, c: (x - c) ** 2, tb.zeros(3), args=(c,))
    least = xe.find_minimum(lambda x, c: (x - c) ** 2, found.bracket, args=(c,))
    np.testing.assert_allclose(least.x.get(), c.get(), 1e-6)


def test_first_points_out_of_order():
    for options in ({"xr0": 1}, {"xr0": 5, "xmin": 4}, {"xmax": 2.0, "xr0": 4}):
        assert xe.bracket_root(lambda x: x - 9, 3.0, **options).status.item() == -5
        assert se.bracket_root(lambda x: x - 9, 3.0, **options).status == -5
    for options in ({"xr0": 1}, {"xl0": 3.5}, {"xmin": 3.2}):
        assert xe.bracket_minimum(lambda x: x - 9, 3.0, **options).status.item() == -5
    assert xe.bracket_root(lambda x: tb.log(x), -1.0, xr0=-0.5).status.item() == \
        se.bracket_root(lambda x: np.log(x), -1.0, xr0=-0.5).status


def test_callbacks():
    seen = []

    def told(found):
        seen.append(found)
        if len(seen) == 4:
            raise StopIteration

    for method, init in ((xe.find_root, (-1.0, 9.0)), (xe.find_minimum, (-1.0, 2.5, 9.0))):
        seen.clear()
        got = method(lambda x, c: (x - c) * (x * x + 1) if len(init) == 2 else (x - c) ** 2, init,
                     args=(tb.array([2.0, 3.0]),), callback=told)
        assert len(seen) == 4 and got.status.tolist() == [-4, -4] and (got.nit == 3).all()
        assert seen[0].status.tolist() == [1, 1]


def test_the_host_seldom_waits():
    waits, c = [], tb.linspace(1, 100, 10_000)

    def f(x, c):
        waits.append(1)
        return x**3 - c

    got = xe.find_root(f, (0.0, 10.0), args=(c,))
    np.testing.assert_allclose(got.x.get(), np.cbrt(c.get()), 1e-14)
    assert len(waits) <= got.nit.max().item() + 2 + 4  # a few steps more than are needed


def test_refusals():
    for wrong in (lambda: xe.find_root(3, (0.0, 1.0)), lambda: xe.find_root(abs, (0.0, 1.0), tolerances={"wrong": 1}),
                  lambda: xe.find_root(abs, (0.0, 1.0), tolerances={"xatol": -1}),
                  lambda: xe.find_root(abs, (0.0, 1.0), maxiter=-1), lambda: xe.find_root(abs, (0.0, 1j)),
                  lambda: xe.find_root(lambda x: tb.ones(3), (0.0, 1.0)),
                  lambda: xe.find_minimum(abs, (0.0, 1.0, 2.0), maxiter=1.5),
                  lambda: xe.bracket_root(abs, 0.0, factor=1), lambda: xe.bracket_root(abs, 0.0, maxiter=-1),
                  lambda: xe.bracket_minimum(abs, 0.0, factor=tb.array([2.0, 0.5])),
                  lambda: xe.bracket_minimum(abs, 0j)):
        with pytest.raises(ValueError):
            wrong()
