"""unravel_index, ravel_multi_index, r_ and c_ against NumPy: dtypes, modes, orders, and what they refuse."""

import numpy as np
import pytest
import tombac as tb
from hypothesis import given
from hypothesis import strategies as st
from strategies import INTS, same, same_outcome

DIMS = st.lists(st.integers(1, 6), min_size=1, max_size=4).map(tuple)
ORDERS = st.sampled_from(["C", "F", None, "c", "f"])


@given(DIMS, ORDERS, st.sampled_from(["?", *INTS]), st.integers(0, 2**32 - 1))
def test_unravel_index(dims, order, code, seed):
    size = int(np.prod(dims))
    host = np.random.default_rng(seed).integers(0, min(size, 2 if code == "?" else 128), (3, 4)).astype(code)
    want = np.unravel_index(host, dims, order=order)
    got = tb.unravel_index(tb.array(host), dims, order=order)
    assert isinstance(got, tuple) and len(got) == len(dims)
    for g, w in zip(got, want):
        same(g, w)


@given(DIMS, ORDERS, st.sampled_from(["?", *INTS]), st.data())
def test_ravel_multi_index(dims, order, code, data):
    """Indices of few bits too, whose products with strides have many."""
    low, high = (0, 1) if code == "?" else (0, 100) if code.isupper() else (-100, 100)
    shapes = [(3, 1), (1, 4), (3, 4), ()]
    host = [np.random.default_rng(d).integers(low, high + 1, data.draw(st.sampled_from(shapes))).astype(code)
            for d in range(len(dims))]
    modes = tuple(data.draw(st.sampled_from(["wrap", "clip"])) for _ in dims)
    same(tb.ravel_multi_index([tb.array(i) for i in host], dims, mode=modes, order=order),
         np.ravel_multi_index(host, dims, mode=modes, order=order))
    same(tb.ravel_multi_index(tuple([tb.array(i) for i in host]), dims),
         np.ravel_multi_index(host, dims, mode="wrap"))
    inside = [np.abs(i.astype(int)) % n for i, n in zip(host, dims)]
    for mode in ("raise", "wrap"):
        same(tb.ravel_multi_index([tb.array(i) for i in inside], dims, mode=mode, order=order),
             np.ravel_multi_index(inside, dims, mode=mode, order=order))


def test_results_beyond_the_dtype_of_indices():
    i = tb.full(3, 100, "b")
    same(tb.ravel_multi_index((i, i), (3000, 4000)), np.full(3, 400100))
    same(tb.ravel_multi_index(tb.array([[1, 2], [3, 4]], "B"), (2**40, 2**20)), np.array([2**20 + 3, 2**21 + 4]))
    same(tb.ravel_multi_index((tb.array([5], "b"),), 6), np.array([5]))
    same(tb.ravel_multi_index((), ()), np.asarray(0))
    same(tb.ravel_multi_index((1, 2), (3, 4)), np.asarray(6))
    same(tb.unravel_index(7, (3, 4))[0], np.asarray(1))
    assert tb.unravel_index(0, ()) == ()
    for empty in (tb.unravel_index(tb.zeros(0, int), (0, 4)), tb.unravel_index(tb.zeros((2, 0), "b"), 3)):
        assert all(x.dtype == np.int64 and x.size == 0 for x in empty)


REFUSED = {
    "float positions": lambda xp: xp.unravel_index(xp.ones(2), (3, 4)),
    "float position": lambda xp: xp.unravel_index(1.0, (3, 4)),
    "float lengths": lambda xp: xp.unravel_index(1, (3.0, 4)),
    "beyond the end": lambda xp: xp.unravel_index(xp.array([0, 12]), (3, 4)),
    "negative": lambda xp: xp.unravel_index(xp.array([0, -1]), (3, 4)),
    "large unsigned": lambda xp: xp.unravel_index(xp.array([2**63 + 1], "L"), (3, 4)),
    "of nothing": lambda xp: xp.unravel_index(xp.array([0]), (0, 4)),
    "of no axes": lambda xp: xp.unravel_index(xp.array([0]), ()),
    "none of no axes": lambda xp: xp.unravel_index(xp.zeros(0, int), ()),
    "too many elements": lambda xp: xp.unravel_index(1, (2**40, 2**40)),
    "bad order": lambda xp: xp.unravel_index(1, (3, 4), order="V"),
    "order of memory": lambda xp: xp.unravel_index(1, (3, 4), order="A"),
    "float coordinates": lambda xp: xp.ravel_multi_index((xp.ones(2), xp.ones(2)), (3, 4)),
    "one float coordinate": lambda xp: xp.ravel_multi_index((1, 2.0), (3, 4)),
    "float extents": lambda xp: xp.ravel_multi_index((xp.ones(2, int), xp.ones(2, int)), (3.0, 4)),
    "too few": lambda xp: xp.ravel_multi_index((1,), (3, 4)),
    "too many": lambda xp: xp.ravel_multi_index((1, 1, 1), (3, 4)),
    "too large": lambda xp: xp.ravel_multi_index((xp.ones(2, "b"), xp.ones(2, "b")), (2**62, 4)),
    "negative extent": lambda xp: xp.ravel_multi_index((1, 1), (-3, 4)),
    "bad mode": lambda xp: xp.ravel_multi_index((1, 1), (3, 4), mode="x"),
    "one bad mode": lambda xp: xp.ravel_multi_index((1, 1), (3, 4), mode=("clip", "x")),
    "few modes": lambda xp: xp.ravel_multi_index((1, 1), (3, 4), mode=("clip",)),
    "bad order of coordinates": lambda xp: xp.ravel_multi_index((1, 1), (3, 4), order="V"),
    "wrap to nothing": lambda xp: xp.ravel_multi_index((1, 1), (0, 4), mode="wrap"),
    "clip to nothing": lambda xp: xp.ravel_multi_index((1, 1), (0, 4), mode="clip"),
    "outside": lambda xp: xp.ravel_multi_index((xp.array([2, 3]), 1), (3, 4), mode="raise"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refused(name):
    with pytest.raises((TypeError, ValueError)) as theirs:
        REFUSED[name](np)
    with pytest.raises(theirs.type):
        REFUSED[name](tb)


# ---- r_, c_ ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("code", "?bBilefdFD")
def test_numbers_take_the_dtype_of_arrays(code):
    def vector(xp):
        return xp.ones(3, code)

    for key in (lambda xp: (vector(xp), 0, 1), lambda xp: (2.5, vector(xp)), lambda xp: (vector(xp), 1j, True),
                lambda xp: (vector(xp), np.int64(3)), lambda xp: (vector(xp), slice(0, 3)),
                lambda xp: (vector(xp), [1.5, 2]), lambda xp: (xp.zeros((), code), 3), lambda xp: vector(xp),
                lambda xp: (slice(0, 1, 3j), vector(xp), 5)):
        same(tb.r_[key(tb)], np.r_[key(np)])
    for key in (lambda xp: (vector(xp), vector(xp)), lambda xp: (vector(xp).reshape(1, 3), 1), lambda xp: vector(xp)):
        same(tb.c_[key(tb)], np.c_[key(np)])


def test_joined_numbers():
    same(tb.r_[0, 0.5, -1, 0.3], np.r_[0, 0.5, -1, 0.3])
    same(tb.r_[3], np.r_[3])
    same(tb.r_[-1:1:6j, [0] * 3, 5, 6], np.r_[-1:1:6j, [0] * 3, 5, 6])
    same(tb.c_[[1, 2]], np.c_[[1, 2]])
    with pytest.raises(OverflowError):
        tb.r_[tb.ones(3, "b"), 300]
    with pytest.raises(ValueError, match="at least one"):
        tb.r_[()]
    assert len(tb.r_) == 0


@pytest.mark.parametrize("name", ["tril_indices_from", "triu_indices_from"])
def test_triangles_of_a_matrix(name):
    for got, want in zip(getattr(tb, name)(tb.zeros((3, 4)), 1), getattr(np, name)(np.zeros((3, 4)), 1)):
        same(got, want)
    for wrong, error in ((4, AttributeError), ([[1]], AttributeError), (tb.zeros(3), ValueError)):
        with pytest.raises(error):
            getattr(tb, name)(wrong)


# ---- gradients and running sums into arrays --------------------------------------------------------------------------


@pytest.mark.parametrize("code", "efdFDbi")
@pytest.mark.parametrize("order", [1, 2])
def test_gradient_along_coordinates(code, order):
    """Coordinates keep their own dtype, so that steps are not rounded to that of few bits."""
    host = np.random.default_rng(5).integers(-9, 9, (20, 10)).astype(code)
    at = np.arange(20) * 1.1
    at[5:] *= 2.0
    wants = np.gradient(host, at, np.arange(10), edge_order=order)
    for got, want in zip(tb.gradient(tb.array(host), tb.array(at), tb.arange(10), edge_order=order), wants):
        same(got, want, rtol=2e-3 if code == "e" else 1e-5)


@pytest.mark.parametrize("name", ["cumulative_sum", "cumulative_prod"])
@pytest.mark.parametrize("code", "?bBifdD")
@pytest.mark.parametrize("to", "?bifdD")
@pytest.mark.filterwarnings("ignore::numpy.exceptions.ComplexWarning")
def test_running_results_into_an_array(name, code, to):
    def result(xp):
        a, out = (xp.arange(12).reshape(3, 4) % 3).astype(code), xp.zeros((3, 5), to)
        assert getattr(xp, name)(a, axis=1, out=out, include_initial=True) is out
        return out

    same(result(tb), result(np))
    x, y = tb.arange(6), np.arange(6)
    want = getattr(np, name)(y[1:].copy(), include_initial=True)
    same(getattr(tb, name)(x[1:], out=x, include_initial=True), want)


def test_unravel_index_by_numpys_name():
    for a, want in zip(np.unravel_index(tb.array([1, 5]), shape=(2, 3)), np.unravel_index([1, 5], (2, 3)), strict=True):
        same(a, want)
    for kw in ({}, {"dims": (2, 3), "shape": (2, 3)}):
        with pytest.raises(TypeError, match="unravel_index"):
            tb.unravel_index(tb.array([1]), **kw)
    a = tb.array([[3, 1, 2]])
    same(tb.take_along_axis(a, tb.argsort(a)), np.array([[1, 2, 3]]))


def test_putmask_without_values():
    """Nothing is written, as in NumPy."""
    device = tb.arange(6.0)
    tb.putmask(device, device > 2, tb.zeros(0))
    same(device, np.arange(6.0))


def test_place_and_putmask_of_the_array_itself():
    """Values that share memory with what is written are read first."""
    for values in (slice(None), slice(None, None, -1), slice(3, 9), slice(0, 1)):
        for function in ("place", "putmask"):
            host = np.arange(40.0)
            mask = host % 3 != 1
            device = tb.array(host)
            getattr(np, function)(host, mask, host[values].copy())
            getattr(tb, function)(device, tb.array(mask), device[values])
            same(device, host)


PARTS = [([1, 2], [3, 4]), ([[1, 2]], [[3, 4]]), ([1, 2], 5), (5, 6), ([[1, 2], [3, 4]], [[5, 6]]), ([1.5], [2, 3])]


@pytest.mark.parametrize("parts", PARTS)
@pytest.mark.parametrize("directive", [
    "0", "1", "-1", "2", "0,1", "0,2", "1,2", "0,2,0", "1,2,0", "0,2,-2", "0,3", "0,3,1", "2,3,0", "0,3,-1", "0,3,2",
    "0,2,5", "x", "0,x", "",
])
def test_directives_of_r_and_c(directive, parts):
    for name in ("r_", "c_"):
        def key(xp):
            return (directive, *(xp.array(p) if isinstance(p, list) else p for p in parts))

        same_outcome(lambda: getattr(tb, name)[key(tb)], lambda: getattr(np, name)[key(np)])
    same_outcome(lambda: tb.r_[directive, 0:3, 1:4], lambda: np.r_[directive, 0:3, 1:4])


def test_refused_directives():
    for bad in ((tb.ones(2), "0"), ("0,1,2,3", tb.ones(2))):
        with pytest.raises(ValueError):
            tb.r_[bad]
    for name in "rc":
        with pytest.raises(NotImplementedError):
            tb.r_[name, tb.ones(2)]


@pytest.mark.parametrize("mask", [[1, 0, 2, 0.5], [[1, 0], [1, 1]], [1, 0, 2], [[True, False]], True], ids=str)
@pytest.mark.parametrize("values", [9.0, [7.0, 8.0, 9.0], [[[5.0]]], []], ids=str)
def test_masks_of_putmask_have_as_many_elements(mask, values):
    def result(xp):
        x = xp.arange(4.0).reshape(2, 2)
        try:
            xp.putmask(x, xp.asarray(mask), xp.asarray(values))
        except ValueError as error:
            return type(error)
        return x.tolist()

    assert result(tb) == result(np)


def test_choose_refuses():
    for mode in ("bogus", "Raise", None):
        with pytest.raises(ValueError, match="mode"):
            tb.choose(tb.array([0, 1]), [1, 2], mode=mode)
    with pytest.raises(TypeError):
        tb.choose(tb.array([0, 1], dtype="uint64"), [1, 2])


# ---- columns ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("code", ["?", "h", "f", "d", "D"])
@pytest.mark.parametrize("columns", [1, 2, 7, 16, 17])
def test_columns_of_rows(code, columns):
    """The same indices in every row, which are many or few, next to each other or not, or in stacks of matrices."""
    rng = np.random.default_rng(columns)
    whole = (rng.random((9000, 5, 6)) * 100).astype(code)
    for host in (whole[:, 0], whole[::2, :, 1], whole[::-3], whole[:7], whole.transpose(1, 0, 2), whole[:0]):
        index = rng.integers(-host.shape[-1], host.shape[-1], columns)
        array = tb.array(whole)
        view = {9000: lambda: array[:, 0] if host.ndim == 2 else array, 4500: lambda: array[::2, :, 1],
                3000: lambda: array[::-3], 7: lambda: array[:7], 5: lambda: array.transpose(1, 0, 2),
                0: lambda: array[:0]}[len(host)]()
        same(tb.take(view, tb.array(index), axis=-1), np.take(host, index, axis=-1))
        same(view[..., tb.array(index)], host[..., index])
    pair = index.reshape(1, -1).repeat(2, 0)
    same(tb.take(array, tb.array(pair), axis=2), np.take(whole, pair, axis=2))
    with pytest.raises(IndexError):
        tb.take(array, tb.array([0, 6]), axis=2, mode="raise")


@pytest.mark.parametrize("code", ["?", "h", "f", "d", "D"])
@pytest.mark.parametrize("columns", [1, 2, 16, 17])
def test_columns_of_rows_are_set(code, columns):
    """Of indices that repeat the last value stays, in each row; on a GPU any of them, so that none repeats there."""
    rng = np.random.default_rng(columns)
    for host in (rng.random((9000, 6)), rng.random((7, 300, 5)), rng.random((40, 50)).T, rng.random((2, 3, 400)).T):
        host = (host * 100).astype(code)
        index = rng.integers(-host.shape[-1], host.shape[-1], columns)
        if tb.config.backend() != "cpu":
            index = rng.permutation(host.shape[-1])[:columns]
        values = (rng.random((*host.shape[:-1], index.size)) * 100).astype(code)
        for value in (7, values, values[0], values[..., :1], values[::-1], values * 2):
            array, want = tb.array(host), host.copy(order="K")
            want[..., index] = value
            array[..., tb.array(index)] = tb.array(value) if isinstance(value, np.ndarray) else value
            same(array, want)
        view, want = tb.array(host)[::2], host.copy()[::2]
        view[..., tb.array(index)] = tb.array(values[::2]) * 1
        want[..., index] = values[::2]
        same(view, want)


@pytest.mark.parametrize("code", [*INTS])
def test_index_arrays_of_runs(code):
    """Rows and columns, in C's and Fortran's order, by indices of any dtype and stride, pending ones too."""
    rng = np.random.default_rng(0)
    for host in (rng.random((60, 70)), rng.random((70, 60)).T, rng.random((50, 60, 70)).transpose(2, 0, 1)):
        many = rng.integers(0, 49, 40).astype(code)
        device = tb.array(host, order="K")
        for pick in (lambda i: i, lambda i: i[::-1], lambda i: i[::3], lambda i: i[:2], lambda i: i + 1):
            i, d = pick(many), pick(tb.array(many))
            same(device[d] + 1, host[i] + 1)
            same(device[:, d] * 2, host[:, i] * 2)
            same(device[..., d].max(-1), host[..., i].max(-1))
            changed, want = tb.array(host, order="K"), host.copy(order="K")
            changed[:, d] = changed[:, d] * 3
            want[:, i] = want[:, i] * 3
            same(changed, want)
            changed[d] = changed[0] + 1
            want[i] = want[0] + 1
            same(changed, want)
