"""byte_bounds, shares_memory, who, memoize, aligned dtypes, NumPy 1's names, and flatiter."""

import math

import numpy as np
import pytest
import tombac as tb
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import arrays, same, same_outcome


# ---- memory ----------------------------------------------------------------------------------------------------------


@settings(max_examples=100, deadline=None)
@given(data=st.data())
def test_byte_bounds(data):
    host, device = data.draw(arrays())
    want, got = np.lib.array_utils.byte_bounds(host), tb.byte_bounds(device)
    if not host.size:
        assert got == (device.data.ptr,) * 2
    else:
        assert got[1] - got[0] == want[1] - want[0]
        assert device.data.ptr - got[0] == host.__array_interface__["data"][0] - want[0]


@settings(max_examples=150, deadline=None)
@given(data=st.data())
def test_shares_memory(data):
    host, key = np.zeros((6, 8), "i"), []
    for _ in range(2):
        part = st.tuples(st.integers(0, 3), st.integers(0, 8), st.sampled_from([1, 2, 3, -1, -2]))
        key.append(tuple(slice(*data.draw(part)) for _ in range(2)))
    device = tb.array(host)
    (a, b), (x, y) = (tuple(z[k] for k in key) for z in (host, device))
    assert tb.shares_memory(x, y) is np.shares_memory(a, b)


def test_memory_of_what_is_no_array():
    assert not tb.shares_memory(tb.ones(3), tb.ones(3))
    with pytest.raises(TypeError):
        tb.byte_bounds(np.ones(3))


def test_who(capsys):
    x = tb.ones((2, 3), "f")
    tb.who({"x": x, "a_name_of_some_length": tb.ones(5, "D"), "other": x, "n": 3, "host": np.ones(2)})
    lines = capsys.readouterr().out.splitlines()
    assert lines[3].split() == ["x", "2", "x", "3", "24", "float32"]
    assert lines[4].split() == ["a_name_of_some_length", "5", "80", "complex128"]
    assert lines[5].split() == ["other", "(x)", "2", "x", "3", "0", "float32"]
    assert lines[-1].split("=")[1].strip() == "104"
    assert len({line.index(word) for line, word in zip(lines[3:6], ("float32", "complex128", "float32"))}) == 1
    tb.who({})
    assert "Upper bound on total bytes  =       0" in capsys.readouterr().out


# ---- memoize ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("each", [False, True])
def test_memoize(each):
    calls = []

    @tb.memoize(for_each_device=each)
    def f(*args, **kwargs):
        """Of some use."""
        calls.append((args, kwargs))
        return len(calls)

    assert f.__name__ == "f" and f.__doc__ == "Of some use."
    assert [f(1), f(1), f(2), f(1, k=2), f(1, k=2), f(1, k=3), f()] == [1, 1, 2, 3, 3, 4, 5]
    with pytest.raises(TypeError):
        f([])
    tb.clear_memo()
    assert f(1) == 6 and f(1) == 6


def test_what_raises_is_not_kept():
    calls = []

    @tb.memoize()
    def f():
        calls.append(1)
        raise KeyError(3)

    for _ in range(2):
        with pytest.raises(KeyError):
            f()
    assert len(calls) == 2


# ---- types -----------------------------------------------------------------------------------------------------------


def test_aligned_dtypes():
    t = tb.make_aligned_dtype([("a", "b"), ("x", "d"), ("z", "F"), ("w", "D")])
    assert [t.fields[n][1] for n in t.names] == [0, 8, 16, 32] and t.itemsize == 48
    inner = np.dtype([("a", "b"), ("x", "f")])
    assert tb.make_aligned_dtype([("s", inner), ("b", "b")]).fields["s"][0].itemsize == 8
    assert tb.make_aligned_dtype([("s", inner), ("b", "b")], recurse=False).fields["s"][0] == inner
    assert tb.make_aligned_dtype([("b", "b"), ("s", inner, (2,))]).itemsize == 20
    wide = tb.make_aligned_dtype([("x", "f")], alignment=16)
    assert wide.itemsize == 16
    assert tb.make_aligned_dtype([("b", "b"), ("s", wide)]).fields["s"][1] == 16
    assert tb.make_aligned_dtype("f") == np.dtype("f")
    for alignment in (3, 0, 4):
        with pytest.raises(ValueError):
            tb.make_aligned_dtype([("x", "d")], alignment=alignment)
    with pytest.raises(TypeError):
        tb.make_aligned_dtype("nothing")


def test_scalar_types():
    assert tb.obj2sctype("f") is np.float32 and tb.obj2sctype(tb.ones(2, "i")) is np.int32
    assert tb.obj2sctype(np.ones(1)) is np.float64 and tb.obj2sctype(np.integer) is np.integer
    assert tb.obj2sctype("none of them") is None and tb.obj2sctype("none of them", list) is list
    assert tb.issctype(np.int8) and tb.issctype(np.dtype("f")) and tb.issctype(int)
    assert not tb.issctype(list) and not tb.issctype(3) and not tb.issctype("f")
    assert tb.issubsctype("i", np.integer) and not tb.issubsctype("f", np.integer)
    assert tb.issubsctype(tb.ones(2), np.floating)
    assert tb.issubclass_(np.int8, np.integer) and not tb.issubclass_(3, np.integer)
    assert tb.sctype2char("int16") == "h" and tb.sctype2char(tb.ones(2)) == "d"
    with pytest.raises(ValueError):
        tb.sctype2char("none of them")


@pytest.mark.parametrize("name", ["find_common_type", "set_string_function", "get_array_wrap", "disp", "safe_eval"])
def test_what_is_gone_says_so(name):
    with pytest.raises(RuntimeError, match=f"{name} was removed from NumPy 2"):
        getattr(tb, name)([], key=1)


def test_what_is_numpys():
    assert tb.DataSource is np.lib.npyio.DataSource and tb.format_parser is np.rec.format_parser
    assert tb.disable_experimental_feature_warning is False


def test_capsules():
    x = tb.arange(3)
    with pytest.warns(np.exceptions.VisibleDeprecationWarning):
        y = tb.fromDlpack(x.toDlpack())
    y[0] = 7
    same(x, np.array([7, 1, 2]))


@pytest.mark.parametrize("f", ["tril", "triu"])
@pytest.mark.parametrize("k", [-1, 0, 2])
def test_mask_indices(f, k):
    for got, want in zip(tb.mask_indices(4, getattr(tb, f), k), np.mask_indices(4, getattr(np, f), k)):
        same(got, want)


# ---- flatiter --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("shape", [(), (4,), (2, 3), (3, 1, 2), (0, 3), (2, 0)])
def test_places_and_comparisons_of_flatiter(shape):
    host = np.arange(math.prod(shape)).reshape(shape)
    for host, x in ((host, tb.array(host)), (host.T, tb.array(host).T)):
        theirs, ours = host.flat, x.flat
        for _ in range(max(host.size, 1)):
            assert (ours.index, ours.coords) == (theirs.index, theirs.coords)
            next(ours, None), next(theirs, None)
        for f in (lambda a: a.flat == 2, lambda a: a.flat != a.flat, lambda a: a.flat < a.ravel()[::-1],
                  lambda a: 1 <= a.flat):
            want, got = f(host), f(x)
            assert got.dtype == want.dtype and got.tolist() == want.tolist()


def test_flatiter():
    x = tb.arange(6).reshape(2, 3)
    it = tb.flatiter(x)
    assert type(it) is type(x.flat) is tb.flatiter and it.base is x and len(it) == 6
    assert [int(v) for v in it] == list(range(6))
    with pytest.raises(TypeError):
        tb.flatiter(np.ones(3))
    for key in (None, True, (0,)):
        with pytest.raises(IndexError):
            x.flat[key]
        with pytest.raises(IndexError):
            x.flat[key] = 1


@settings(max_examples=150, deadline=None)
@given(data=st.data())
def test_assigned_values_repeat(data):
    host, device = data.draw(arrays("i d".split(), max_dims=3))
    end = st.one_of(st.none(), st.integers(-9, 9))
    key = data.draw(st.one_of(st.builds(slice, end, end, st.sampled_from([None, 1, 2, -1, -3])), st.just(Ellipsis)))
    values, put = data.draw(arrays("i d".split(), max_dims=2, max_side=3))
    if values.size == 0:
        return

    def write(a, v):
        a = a.copy()
        a.flat[key] = v
        return a

    same_outcome(lambda: write(device, put), lambda: write(host, values))
    same_outcome(lambda: write(device, values.tolist()), lambda: write(host, values.tolist()))
