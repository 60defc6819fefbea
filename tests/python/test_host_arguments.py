"""Arguments and results of functions that the host computes, and keys by which results are kept."""

import itertools

import numpy as np
import pytest
import scipy.linalg as sl
import scipy.signal as ss
import scipy.special
import tombac as tb
from tombac import _core

import tombacx.scipy.linalg as xl
import tombacx.scipy.signal as xs
import tombacx.scipy.special as xsp
from tombacx.scipy._host import Held

DIFFERENT = [
    1, 1.0, True, "1", "", None, 0, False, 0.0, -0.0, 1j, 1.0 + 0j, -1, 2**62, (), [], {}, (1,), [1], (1, ()), ((1,),),
    ("ab", "c"), ("a", "bc"), {"a": 1}, {"b": 1}, (("a", 1),), np.float64(1), np.float32(1), np.int64(1), np.ones(1),
    np.ones(1, "f"), np.ones(1, "i"), np.ones((1, 1)), np.zeros((0, 1)), np.zeros((1, 0)), np.zeros(0), np.ones(1, "D"),
    np.ones(1, "u1"), np.ones(1, "?"), tb.zeros(1), tb.zeros(1, "f"), tb.zeros((1, 1)),
    tb.zeros((0, 1)), tb.zeros((1, 0)), tb.zeros(0), np.arange(1000.0), tb.arange(1000.0), "x" * 2000,
]


def test_keys_differ():
    keys = [_core._host_key(x) for x in DIFFERENT]
    assert all(type(k) is bytes for k in keys)
    for (i, a), (j, b) in itertools.combinations(enumerate(keys), 2):
        assert a != b, (DIFFERENT[i], DIFFERENT[j])


@pytest.mark.parametrize("module", [np, tb])
def test_keys_of_contents(module):
    a = module.arange(12.0).reshape(3, 4)
    same = [a, a.copy(), module.asfortranarray(a), module.arange(24.0)[::2].reshape(3, 4) / 2]
    assert len({_core._host_key((x, 1)) for x in same}) == 1
    b = a.copy()
    b[2, 3] += 1
    assert _core._host_key(b) != _core._host_key(a) != _core._host_key(a.T)


NO_KEY = [
    print, object(), np.ones(1, object), np.ones(1, ">i2"), np.array(["a"]), np.zeros(1, "i,f"), np.ones(5000),
    tb.ones(5000), 1 << 70, "\ud800", np.ma.ones(2), np.matrix([1.0]), [1, (2, {3: print})],
    np.array(["2000-01-01"], "M8[D]"), np.datetime64("2000-01-01"),
]


@pytest.mark.parametrize("x", NO_KEY, ids=range(len(NO_KEY)))
def test_no_key(x):
    assert _core._host_key(x) is None and _core._host_key([x]) is None


def test_no_key_of_what_holds_itself():
    x = []
    x.append(x)
    for f in _core._host_key, _core._on_host, _core._on_device:
        with pytest.raises(RecursionError):
            f(x)


def test_arguments_and_results():
    held = Held()
    held._held = np.arange(3)
    read = _core._on_host([1, (tb.arange(3), tb.array(2.0), "a", held), None])
    assert read[0] == 1 and read[2] is None and type(read[1]) is tuple and read[1][3] is held._held
    np.testing.assert_array_equal(read[1][0], np.arange(3))
    assert type(read[1][1]) is np.float64
    text, plain = np.array(["a"]), (1, [2.0, "a"], None)
    made = _core._on_device((np.arange(3), [np.float32(2), np.True_, text, np.ones(2, object)], 1.5))
    assert type(made) is tuple and made[2] == 1.5 and made[1][2] is text and made[1][3].dtype == object
    assert isinstance(made[0], tb.ndarray) and made[1][0].dtype == "f" and made[1][1].dtype == "?"
    assert _core._on_device(plain) is plain and _core._on_host(plain) is plain
    big = _core._on_device(np.arange(3, dtype=">i4"))
    assert big.dtype == np.int32 and big.tolist() == [0, 1, 2]
    with pytest.raises(ValueError, match="Unsupported dtype"):
        _core._on_device(np.ones(2, np.longdouble))


def test_functions_of_the_host():
    got = _core._by_host(lambda a, *, b: (a + b, type(b)), tb.arange(3), b=tb.array(2))
    assert isinstance(got[0], tb.ndarray) and got[0].tolist() == [2, 3, 4] and got[1] is np.int64
    with pytest.raises(ZeroDivisionError):
        _core._by_host(lambda: 1 / 0)
    for wrong in (lambda: _core._by_host(), lambda: _core._by_host(print, *range(99)), lambda: _core._hold(3)):
        with pytest.raises(TypeError):
            wrong()


def test_functions_of_matrices():
    def f(*arrays, **options):
        return arrays, options

    half, whole = tb.ones(2, "e"), tb.arange(2)
    read, options = _core._by_lapack(f, half, None, (whole, (half, 1)), check_finite=True, k=3)
    assert read[0].dtype == np.float32 and read[1] is None and read[2][1][1] == 1 and read[2][1][0].dtype == np.float32
    assert read[2][0].dtype == whole.dtype
    looked = tb.config.backend() == "cpu"  # what comes from a GPU the function looks at itself
    assert options == {"check_finite": not looked, "k": 3}
    assert _core._by_lapack(f, half, check_finite=1)[1] == {"check_finite": 1}
    bad = tb.array([1, np.inf])
    assert np.isinf(_core._by_lapack(f, bad, check_finite=False)[0][0][1])
    for wrong in (bad, (1, (bad,))) if looked else ():
        with pytest.raises(ValueError, match="f: array must not contain"):
            _core._by_lapack(f, wrong, check_finite=True)
    for wrong in (np.ones(2), [half], 3.0, "a"):
        with pytest.raises(TypeError, match="f: a tombac.ndarray is expected"):
            _core._by_lapack(f, half, wrong)
    for wrong in (lambda: _core._by_lapack(), lambda: _core._by_lapack(f, *[half] * 40)):
        with pytest.raises(TypeError):
            wrong()
    nested = ()
    for _ in range(100000):
        nested = (nested,)
    with pytest.raises(RecursionError):
        _core._by_lapack(f, nested, check_finite=True)


@pytest.mark.skipif(tb.config.backend() != "cpu", reason="with arrays on a GPU numbers stay lists")
def test_lists_of_numbers_are_vectors():
    x = np.array([1.0, 2.0])
    h = _core.HostValues(lambda y: [y[1], -y[0], 3.0], ())
    first = h(x)
    assert type(first) is np.ndarray and first.dtype == "d" and first.tolist() == [2, -1, 3]
    second = h(2 * x)
    assert first.tolist() == [2, -1, 3] and second.tolist() == [4, -2, 3]  # whoever keeps one, keeps it
    others = [[], [1], [[1.0, 2.0], [3.0, 4.0]], [tb.array(1.0, "f"), 2.0], [tb.array(1), 2.0], [1.0] * 65, [1j, 2.0],
              (1.0, tb.array(2.0))]
    for value in others:
        got = _core.HostValues(lambda y, value=value: value, ())(x)
        assert type(got) is type(value)
        np.testing.assert_array_equal(got, _core._on_host(value))
    assert _core.HostValues(lambda y: [1.0, "a"], ())(x) == [1.0, "a"]
    assert _core.HostValues(lambda y: (y[1], -y[0]), (), False)(x) == (2.0, -1.0)
    vector = _core.HostValues(lambda y: (y[1], -y[0]), (), True)(x)
    assert type(vector) is np.ndarray and vector.tolist() == [2.0, -1.0]
    assert _core.HostValues(lambda y: (y[1], "a"), (), True)(x) == (2.0, "a")
    for wrong in ((), (print, 3), (print, (), True, 1), (print, None, True)):
        with pytest.raises(TypeError):
            _core.HostValues(*wrong)
    numbers = _core.HostValues(lambda y: [y, tb.array(2.0)])(1.0)
    assert numbers == [1.0, 2.0] and type(numbers) is list


def test_numbers_of_designs_are_kept():
    for _ in range(2):
        order, edge = xs.buttord(0.2, 0.4, 1, 40)
        assert type(order) is int and edge.item() == ss.buttord(0.2, 0.4, 1, 40)[1]
        assert [type(x) for x in xs.buttap(3)] == [tb.ndarray, tb.ndarray, float]


@pytest.mark.parametrize("loss", [5.0, 15, 30.0, 60, True])
def test_kaiser(loss):
    want = ss.kaiser_beta(loss)
    assert type(xs.kaiser_beta(loss)) is float and xs.kaiser_beta(loss) == pytest.approx(want, rel=1e-15)
    for x in (tb.array(loss), np.float64(loss), np.array(loss)):
        got = xs.kaiser_beta(x)
        assert isinstance(got, tb.ndarray if want else (tb.ndarray, float)) and float(got) == pytest.approx(want)
    assert xs.kaiser_atten(loss, 0.1) == pytest.approx(ss.kaiser_atten(loss, 0.1))
    assert isinstance(xs.kaiser_atten(tb.array(loss) * 1, 0.1), tb.ndarray)
    if loss > 8:
        got, want = xs.kaiserord(loss, 0.1), ss.kaiserord(loss, 0.1)
        assert got == pytest.approx(want) and [type(x) for x in got] == [int, float]
        got = xs.kaiserord(tb.array(loss), tb.array(0.1))
        assert type(got[0]) is int and got[0] == want[0] and isinstance(got[1], tb.ndarray) == (want[1] > 0)
    else:
        with pytest.raises(ValueError, match="8 dB"):
            xs.kaiserord(loss, 0.1)


@pytest.mark.parametrize("mode", ["full", "same", "valid"])
def test_lags(mode):
    for n, m in itertools.product(range(1, 8), repeat=2):
        got, want = xs.correlation_lags(n, m, mode), ss.correlation_lags(n, m, mode)
        assert got.dtype == want.dtype
        np.testing.assert_array_equal(got.get(), want)
    with pytest.raises(ValueError):
        xs.correlation_lags(3, 3, "half")


@pytest.mark.parametrize("n, k", [(20, 3), (3, 20), (-3, 2), (3, -2), (0, 0), (True, 1), (np.int64(9), 4), (7.0, 2)])
def test_exact_combinations(n, k):
    got = xsp.comb(n, k, exact=True)
    assert type(got) is int and got == scipy.special.comb(n, k, exact=True)


@pytest.mark.parametrize("dtype", "efdD")
def test_matrices_that_are_not_finite(dtype):
    a = np.random.default_rng(3).standard_normal((9, 9)).astype(dtype)
    for view in (lambda x: x, lambda x: x.T, lambda x: x[::2, ::2], lambda x: x[::-1]):
        for value in (np.nan, np.inf):
            broken = a.copy()
            broken[4, 4] = value
            with pytest.raises(ValueError, match="infs or NaNs"):
                xl.rq(view(tb.array(broken)))
        got, want = xl.rq(view(tb.array(a))), sl.rq(view(a.astype("f") if dtype == "e" else a))
        for x, y in zip(got, want):
            assert x.dtype == y.dtype
            np.testing.assert_allclose(x.get(), y, rtol=1e-4, atol=1e-4)
    broken[0, 0] = np.nan
    assert xl.hessenberg(tb.array(broken), check_finite=False).shape == (9, 9)


def test_values_that_are_held_are_not_written_to():
    h = _core.HostValues(lambda x: x * 2, ())
    held, rows = h(np.arange(3.0)), [h(np.arange(3.0) + i)[1:] for i in range(3)]
    pair = _core.HostValues(lambda x: (x, x + 1), ())(np.arange(3.0))
    np.testing.assert_array_equal(held, [0, 2, 4])
    np.testing.assert_array_equal(rows, [[2, 4], [4, 6], [6, 8]])
    np.testing.assert_array_equal(pair, [[0, 1, 2], [1, 2, 3]])


@pytest.mark.parametrize("made", [
    np.arange(3.0), np.arange(4.0), np.arange(4, dtype="f"), np.arange(4), np.ones((2, 2)), np.ones((4, 1)),
    np.arange(6.0).reshape(2, 3).T, np.arange(6.0).reshape(3, 2), np.zeros(0), np.zeros((0, 2)), np.arange(9.0)[::-2],
], ids=str)
def test_values_of_another_kind(made):
    h = _core.HostValues(lambda x: x, ())
    for x in (np.arange(4.0), made, np.arange(4.0), made + 1, made):  # nothing holds what was given before
        got = h(x)
        assert got.dtype == x.dtype and got.flags.f_contiguous == np.array(x).flags.f_contiguous
        np.testing.assert_array_equal(got, x)
        del got


def test_values_within_values():
    def f(x):
        return x * (h(x.get() - 1).sum() if x[0] > 0 else 1)

    h = _core.HostValues(f, ())
    for _ in range(2):
        np.testing.assert_array_equal(h(np.array([2.0, 4.0])), [16, 32])
