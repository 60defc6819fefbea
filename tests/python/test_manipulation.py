"""Shapes, joins, splits, arrangements, grids, indexing by arrays, differences and logic, against NumPy."""

import io

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import arrays, same, same_outcome

import tombac as tb
from tombac.lib import stride_tricks

A = np.arange(24.0).reshape(2, 3, 4)


def check(f, *arrays):
    """f(module, *arrays) gives the same arrays, or the same kind of error, on NumPy and on tombac."""
    device = [tb.array(a) for a in arrays]
    try:
        want = f(np, *arrays)
    except (ValueError, TypeError, IndexError) as e:
        kind = (ValueError, TypeError, IndexError)
        with pytest.raises(kind):
            f(tb, *device)
        assert isinstance(e, kind)
        return
    got = f(tb, *device)
    if isinstance(want, (tuple, list)):
        assert len(got) == len(want)
        for g, w in zip(got, want):
            same(g, w)
    else:
        same(got, want)


# ---- shape, axes -----------------------------------------------------------------------------------------------------

SHAPES = [
    lambda xp, a: xp.reshape(a, (4, 6)), lambda xp, a: xp.reshape(a, (6, -1)),
    lambda xp, a: xp.reshape(a, 24, order="F"),
    lambda xp, a: xp.reshape(a, (5, 5)), lambda xp, a: xp.reshape(a.T, (3, 8), copy=True), lambda xp, a: xp.ravel(a),
    lambda xp, a: xp.ravel(a, "F"), lambda xp, a: xp.transpose(a), lambda xp, a: xp.transpose(a, (1, 0, 2)),
    lambda xp, a: xp.permute_dims(a, (2, 0, 1)), lambda xp, a: xp.swapaxes(a, 0, -1),
    lambda xp, a: xp.moveaxis(a, 0, -1),
    lambda xp, a: xp.moveaxis(a, (0, 1), (-1, 0)), lambda xp, a: xp.moveaxis(a, (0, 1), (0,)),
    lambda xp, a: xp.rollaxis(a, 2),
    lambda xp, a: xp.rollaxis(a, 0, 3), lambda xp, a: xp.rollaxis(a, 1, -1), lambda xp, a: xp.rollaxis(a, 1, 5),
    lambda xp, a: xp.squeeze(a[:1]), lambda xp, a: xp.squeeze(a[:1], 0), lambda xp, a: xp.squeeze(a, 0),
    lambda xp, a: xp.expand_dims(a, 0), lambda xp, a: xp.expand_dims(a, (0, -1)), lambda xp, a: xp.expand_dims(a, 7),
    lambda xp, a: xp.broadcast_to(a, (5, 2, 3, 4)), lambda xp, a: xp.broadcast_to(a, (3, 4)),
    lambda xp, a: list(xp.broadcast_arrays(a, a[0, 0])), lambda xp, a: xp.matrix_transpose(a),
    lambda xp, a: xp.atleast_1d(a),
    lambda xp, a: xp.atleast_2d(a[0, 0]), lambda xp, a: xp.atleast_3d(a[0]), lambda xp, a: xp.atleast_3d(a[0, 0]),
    lambda xp, a: list(xp.atleast_2d(a[0, 0], a)), lambda xp, a: xp.diagonal(a, 1, 0, 2),
    lambda xp, a: xp.astype(a, "f"),
]


@pytest.mark.parametrize("i", range(len(SHAPES)))
def test_shapes_and_axes(i):
    check(SHAPES[i], A)


def test_views_are_views():
    x = tb.array(A)
    for v in (tb.reshape(x, 24), x.T, tb.moveaxis(x, 0, 1), tb.flip(x), tb.rot90(x), tb.broadcast_to(x, (2, 2, 3, 4)),
              tb.expand_dims(x, 0), tb.split(x, 2)[0], tb.diagonal(x), tb.swapaxes(x, 0, 1), tb.squeeze(x[:1])):
        assert tb.may_share_memory(x, v)
    with pytest.raises(ValueError):
        tb.reshape(x.T, 24, copy=False)


def test_questions():
    x = tb.array(A)
    assert tb.shape(x) == (2, 3, 4) and tb.ndim(x) == 3 and tb.size(x) == 24 and tb.size(x, 1) == 3
    assert tb.size(x, (0, -1)) == 8 and tb.size(x, ()) == 1 and tb.size(x.get(), (1, 2)) == 12
    with pytest.raises(ValueError, match="repeated"):
        tb.size(x, (0, -3))
    assert tb.shape([[1, 2]]) == (1, 2)
    b = tb.broadcast(x, x[0, 0], 3)
    assert b.shape == (2, 3, 4) and b.nd == 3 and b.size == 24
    with pytest.raises(ValueError):
        tb.broadcast(x, tb.ones(3))


# ---- joining and splitting -------------------------------------------------------------------------------------------

JOINS = [
    lambda xp, a, b: xp.concatenate((a, a)), lambda xp, a, b: xp.concatenate([a, a, a], 1),
    lambda xp, a, b: xp.concat((a, a), -1),
    lambda xp, a, b: xp.concatenate((a, a), None), lambda xp, a, b: xp.concatenate((a, b)),
    lambda xp, a, b: xp.concatenate(a),
    lambda xp, a, b: xp.concatenate((a, a), 3), lambda xp, a, b: xp.concatenate([]),
    lambda xp, a, b: xp.concatenate((a[0, 0, 0], a[0, 0, 0])) if xp is tb else np.concatenate((np.array(1),
    np.array(2))),
    lambda xp, a, b: xp.concatenate((a.astype("i"), a.astype("f"))), lambda xp, a, b: xp.concatenate((a, a), dtype="f"),
    lambda xp, a, b: xp.concatenate((a, a), dtype="i"),
    lambda xp, a, b: xp.concatenate((a, a), dtype="i", casting="unsafe"),
    lambda xp, a, b: xp.concatenate((a.T, a.T)), lambda xp, a, b: xp.concatenate((a[:, ::-1, ::2], a[:, :, :2])),
    lambda xp, a, b: xp.stack((a, a)), lambda xp, a, b: xp.stack((a, a), -1), lambda xp, a, b: xp.stack((a, a), 2),
    lambda xp, a, b: xp.stack((a, b)), lambda xp, a, b: xp.stack((a, a), 4), lambda xp, a, b: xp.stack([]),
    lambda xp, a, b: xp.stack((a[0], a[1].astype("i")), dtype="f"), lambda xp, a, b: xp.vstack((b, b)),
    lambda xp, a, b: xp.vstack((a, a)), lambda xp, a, b: xp.hstack((b, b)), lambda xp, a, b: xp.hstack((a, a)),
    lambda xp, a, b: xp.dstack((b, b)), lambda xp, a, b: xp.dstack((a, a)), lambda xp, a, b: xp.column_stack((b, b)),
    lambda xp, a, b: xp.column_stack((b, a[0, :, :2].reshape(3, 2).repeat(2, 0)[:4])), lambda xp, a, b: xp.append(a, b),
    lambda xp, a, b: xp.append(a, a, 1), lambda xp, a, b: xp.array_split(a, 3, 2),
    lambda xp, a, b: xp.array_split(b, 3),
    lambda xp, a, b: xp.split(a, 2), lambda xp, a, b: xp.split(a, 3), lambda xp, a, b: xp.split(a, [1, 2], 1),
    lambda xp, a, b: xp.split(b, [3, 1, 9]), lambda xp, a, b: xp.hsplit(a, 3), lambda xp, a, b: xp.hsplit(b, 2),
    lambda xp, a, b: xp.vsplit(a, 2), lambda xp, a, b: xp.vsplit(b, 2), lambda xp, a, b: xp.dsplit(a, 2),
    lambda xp, a, b: xp.array_split(b, 0), lambda xp, a, b: xp.unstack(a, axis=1),
]


@pytest.mark.parametrize("i", range(len(JOINS)))
def test_joins_and_splits(i):
    check(JOINS[i], A, np.arange(4.0))


@settings(max_examples=80, deadline=None)
@given(data=st.data())
def test_concatenate_any_layout(data):
    host, device = data.draw(arrays(min_dims=1))
    n = data.draw(st.integers(1, 3))
    axis = data.draw(st.integers(-host.ndim, host.ndim - 1))
    same(tb.concatenate([device] * n, axis), np.concatenate([host] * n, axis))
    same(tb.stack([device] * n, axis), np.stack([host] * n, axis))


def test_join_out():
    x = tb.array(A)
    out = tb.empty((4, 3, 4))
    assert tb.concatenate((x, x), 0, out) is out and tb.stack((x, x), out=out.reshape(2, 2, 3, 4)) is not out
    same(out, np.concatenate((A, A)))
    with pytest.raises(ValueError):
        tb.concatenate((x, x), 0, tb.empty((3, 3, 4)))
    with pytest.raises(TypeError):
        tb.concatenate((x, x), 0, tb.empty((4, 3, 4), "i"))
    with pytest.raises(TypeError):
        tb.concatenate((x, x), 0, out, dtype="d")
    with pytest.raises(TypeError):
        tb.concatenate((x, np.ones(3)))


# ---- arranging -------------------------------------------------------------------------------------------------------

ARRANGEMENTS = [
    lambda xp, a: xp.flip(a), lambda xp, a: xp.flip(a, 1), lambda xp, a: xp.flip(a, (0, 2)), lambda xp, a: xp.fliplr(a),
    lambda xp, a: xp.flipud(a), lambda xp, a: xp.fliplr(a[0, 0]), lambda xp, a: xp.rot90(a),
    lambda xp, a: xp.rot90(a, 2),
    lambda xp, a: xp.rot90(a, -1, (1, 2)), lambda xp, a: xp.rot90(a, 3), lambda xp, a: xp.rot90(a, 1, (1, 1)),
    lambda xp, a: xp.roll(a, 5), lambda xp, a: xp.roll(a, -2, 1), lambda xp, a: xp.roll(a, (1, 2), (0, 2)),
    lambda xp, a: xp.roll(a, 3, (0, 1)), lambda xp, a: xp.roll(a, 0), lambda xp, a: xp.roll(a, 100, 2),
    lambda xp, a: xp.roll(a, (1, 2), (1, 1)), lambda xp, a: xp.roll(a[:0], 3), lambda xp, a: xp.tile(a, 2),
    lambda xp, a: xp.tile(a, (2, 1, 3)), lambda xp, a: xp.tile(a[0, 0], (2, 2)), lambda xp, a: xp.tile(a, (2, 1, 1, 2)),
    lambda xp, a: xp.tile(a, 0), lambda xp, a: xp.repeat(a, 2), lambda xp, a: xp.repeat(a, 3, 1),
    lambda xp, a: xp.repeat(a, [1, 0, 2], 1), lambda xp, a: xp.repeat(a, [1, 2], 1), lambda xp, a: xp.repeat(a, -1),
    lambda xp, a: xp.repeat(a, 0, 0), lambda xp, a: a.repeat(2, -1), lambda xp, a: xp.resize(a, (5, 7)),
    lambda xp, a: xp.resize(a, 3), lambda xp, a: xp.resize(a, (0, 2)), lambda xp, a: xp.diag(a[0]),
    lambda xp, a: xp.diag(a[0], -1),
    lambda xp, a: xp.diag(a[0, 0], 1), lambda xp, a: xp.diag(a), lambda xp, a: xp.diagflat(a[0], -2),
    lambda xp, a: xp.tril(a),
    lambda xp, a: xp.triu(a, 1), lambda xp, a: xp.tril(a[0, 0], -1), lambda xp, a: xp.triu(a.astype("i"), -1),
    lambda xp, a: xp.vander(a[0, 0]), lambda xp, a: xp.vander(a[0, 0], 3, True), lambda xp, a: xp.copy(a),
]


@pytest.mark.parametrize("i", range(len(ARRANGEMENTS)))
def test_arrangements(i):
    check(ARRANGEMENTS[i], A)


def test_in_place_functions():
    for shape in ((4, 4), (6, 3), (3, 5), (3, 3, 3), (11, 2), (4, 3), (5, 3)):
        for val, wrap in ((7, False), (7, True), ([1, 2, 3, 4], True), ([5], True), (np.arange(9), True)):
            h = np.zeros(shape)
            x = tb.zeros(shape)
            np.fill_diagonal(h, val, wrap)
            tb.fill_diagonal(x, val, wrap)
            same(x, h)
    h, x = np.zeros((3, 3)), tb.zeros((3, 3))
    np.fill_diagonal(h, [1, 2, 3])
    tb.fill_diagonal(x, tb.array([1, 2, 3]))
    same(x, h)
    for f in (lambda xp, a: xp.copyto(a, 5), lambda xp, a: xp.copyto(a, xp.arange(4.0)),
        lambda xp, a: xp.copyto(a, 9, where=a > 3)):
        h, x = A.copy(), tb.array(A)
        f(np, h)
        f(tb, x)
        same(x, h)
    with pytest.raises(TypeError):
        tb.copyto(tb.ones(3, "i"), tb.ones(3))


# ---- grids -----------------------------------------------------------------------------------------------------------

GRIDS = [
    lambda xp: list(xp.meshgrid(xp.arange(2), xp.arange(3.0))),
    lambda xp: list(xp.meshgrid(xp.arange(2), xp.arange(3), indexing="ij")),
    lambda xp: list(xp.meshgrid(xp.arange(2), xp.arange(3), xp.arange(4), sparse=True)), lambda xp: xp.mgrid[0:3, 1:5],
    lambda xp: xp.mgrid[0:3:0.5], lambda xp: xp.mgrid[-1:1:5j, 0:2:3j], lambda xp: list(xp.ogrid[0:3, 0:4]),
    lambda xp: xp.mgrid[5:0:-2],
    lambda xp: xp.indices((2, 3)), lambda xp: list(xp.indices((2, 3), sparse=True)),
    lambda xp: xp.indices((2, 3), dtype="f"),
    lambda xp: list(xp.ix_(xp.arange(2), xp.arange(3))), lambda xp: xp.r_[xp.arange(3), 5, xp.ones(2)],
    lambda xp: xp.r_[0:4, 9],
    lambda xp: xp.c_[xp.arange(3), xp.ones(3)], lambda xp: xp.fromfunction(lambda i, j: i * 10 + j, (2, 3)),
    lambda xp: xp.logspace(0, 2, 5), lambda xp: xp.geomspace(1, 1000, 4),
    lambda xp: xp.linspace(0, 1, 7, endpoint=False),
    lambda xp: xp.linspace(0, 10, 5, dtype=int), lambda xp: xp.linspace(xp.array([0.0, 1.0]), xp.array([1.0, 5.0]), 3),
    lambda xp: xp.linspace(xp.array([0.0, 1.0]), 2, 3, axis=1), lambda xp: xp.linspace(0, 1, 0),
    lambda xp: xp.linspace(2, 3, 1),
    lambda xp: xp.linspace(0, 1 + 1j, 3),
]


@pytest.mark.parametrize("i", range(len(GRIDS)))
def test_grids(i):
    want, got = GRIDS[i](np), GRIDS[i](tb)
    pairs = zip(got, want) if isinstance(want, list) else [(got, want)]
    for g, w in pairs:
        assert g.dtype == w.dtype and g.shape == w.shape
        np.testing.assert_allclose(g.get(), w, rtol=1e-14)


def test_index_helpers():
    assert tb.s_[1:2, ..., None] == np.s_[1:2, ..., None]
    for got, want in ((tb.tril_indices(4, 1), np.tril_indices(4, 1)),
        (tb.triu_indices(3, 0, 5), np.triu_indices(3, 0, 5)),
                      (tb.diag_indices(3), np.diag_indices(3)),
                      (tb.unravel_index(tb.array([5, 7]), (2, 4)), np.unravel_index([5, 7], (2, 4))),
                      (tb.unravel_index(tb.array([5, 7]), (2, 4), "F"), np.unravel_index([5, 7], (2, 4), "F"))):
        for g, w in zip(got, want):
            same(g, w)
    same(tb.ravel_multi_index((tb.array([1, 0]), tb.array([3, 2])), (2, 4)),
        np.ravel_multi_index(([1, 0], [3, 2]), (2, 4)))
    same(tb.ravel_multi_index((tb.array([1, 0]), tb.array([9, -2])), (2, 4), "clip"),
        np.ravel_multi_index(([1, 0], [9, -2]), (2, 4), "clip"))
    with pytest.raises(ValueError):
        tb.ravel_multi_index((tb.array([1, 0]), tb.array([9, -2])), (2, 4), "raise")


# ---- indexing by arrays ----------------------------------------------------------------------------------------------

INDEX = np.array([2, 0, -1, 1])
KEYS = [
    lambda i, m: (i % 2,), lambda i, m: (slice(None), i % 3), lambda i, m: (Ellipsis, i), lambda i, m: (i % 2, i % 3),
    lambda i, m: (i % 2, slice(None), i), lambda i, m: (0, i % 3), lambda i, m: (slice(None), 1, i), lambda i,
    m: (i % 2, 1),
    lambda i, m: (i.reshape(2, 2) % 2, i[:2] % 3), lambda i, m: (None, i % 2), lambda i,
    m: (slice(None, None, -1), i % 3, None),
    lambda i, m: (m > 11,), lambda i, m: ((m > 11)[0],) if m.shape[0] == 3 else (m[:, :, 0] > 8,), lambda i,
    m: (m[:, 0, 0] > 5,),
    lambda i, m: (slice(None), m[0, :, 0] > 2), lambda i, m: (m[:, 0, 0] > 5, i[:1] % 3), lambda i, m: (i[:0],),
    lambda i, m: (Ellipsis, -2, i), lambda i, m: (m < 0,), lambda i, m: (1, Ellipsis, i),
]


def on_device(key):
    return tuple(tb.array(k) if isinstance(k, np.ndarray) else k for k in key)


@pytest.mark.parametrize("code", "?Bhlfd" + "FDe")
@pytest.mark.parametrize("k", range(len(KEYS)))
def test_reading_by_arrays(k, code):
    a = (np.arange(24) % 23 - (0 if code in "?B" else 5)).reshape(2, 3, 4).astype(code)
    key = KEYS[k](INDEX, A)
    want = a[key]
    same(tb.array(a)[on_device(key)], want)
    same(tb.array(a)[key], want)
    same(tb.array(a.T.copy()).T[on_device(key)], want)


@pytest.mark.parametrize("code", "Blfd" + "D")
@pytest.mark.parametrize("k", range(len(KEYS)))
def test_writing_by_arrays(k, code):
    key = KEYS[k](INDEX, A)
    a = np.arange(24).reshape(2, 3, 4).astype(code)
    shape, places = a[key].shape, np.arange(24).reshape(2, 3, 4)[key].ravel()
    values = [np.array(7, code)]
    if tb.config.backend() == "cpu" or np.unique(places).size == places.size:  # of several, any may stay on a GPU
        values.append((np.arange(places.size) + 50).reshape(shape).astype(code))
    for value in values:
        for host_key in (False, True):
            want = a.copy()
            want[key] = value
            got = tb.array(a)
            got[key if host_key else on_device(key)] = tb.array(value)
            same(got, want)
    view, want = tb.array(a)[::-1, :, ::-1], a.copy()[::-1, :, ::-1]
    view[on_device(key)] = 3
    want[key] = 3
    same(view, want)


def test_special_numbers_survive_a_gather():
    a = np.array([0.0, -0.0, np.nan, np.inf, -np.inf, 5e-324, 1.0])
    i = np.array([6, 5, 4, 3, 2, 1, 0, 1])
    got = tb.array(a)[tb.array(i)].get()
    assert got.tobytes() == a[i].tobytes()


def test_one_of_several_writes_stays():
    x = tb.zeros(3)
    x[tb.array([0, 1, 0, 2, 0])] = tb.arange(5.0)
    assert x.get().tolist() in ([[4, 1, 3]] if tb.config.backend() == "cpu" else [[k, 1, 3] for k in (0, 2, 4)])


def test_indices_out_of_range_wrap():
    x = tb.arange(4)
    assert x[tb.array([4, 5, -5])].get().tolist() == [0, 1, 3]


def test_index_forms():
    x = tb.arange(6)
    same(x[[1, 2]], np.arange(6)[[1, 2]])
    same(x[tb.array(3)], np.arange(6)[np.array(3)])
    same(x[[True, False] * 3], np.arange(6)[[True, False] * 3])
    same(x[True], np.arange(6)[True])
    same(x[[]], np.arange(6)[[]])
    for bad in (tb.array([0.5]), [0.5], "a", np.array([True, False]), (tb.array([1]), tb.array([1]))):
        with pytest.raises((IndexError, TypeError)):
            x[bad]
    with pytest.raises(ValueError):
        x[x > 2] = tb.arange(7)
    with pytest.raises(ValueError):
        x[tb.array([0, 1])] = tb.arange(3)
    x[x > 2] = 0
    same(x, np.array([0, 1, 2, 0, 0, 0]))


FUNCTIONS = [
    lambda xp, a: xp.take(a, xp.array([1, 0, 1])), lambda xp, a: xp.take(a, xp.array([[1, 0]]), 1),
    lambda xp, a: xp.take(a, 2, 1),
    lambda xp, a: a.take(xp.array([0, 3]), -1), lambda xp, a: xp.take(a, xp.array([9, -9]), 1, mode="clip"),
    lambda xp, a: xp.take_along_axis(a, xp.array([[[0, 2, 1, 0]]]), 1),
    lambda xp, a: xp.take_along_axis(a, xp.arange(24).reshape(2, 3, 4) % 4, 2),
    lambda xp, a: xp.nonzero(a > 5), lambda xp, a: xp.flatnonzero(a % 5), lambda xp, a: xp.argwhere(a > 20),
    lambda xp, a: (a[0] > 3).nonzero(),
    lambda xp, a: xp.compress(xp.array([True, False, True]), a, 1), lambda xp, a: xp.extract(a > 7, a),
    lambda xp, a: xp.choose(xp.array([0, 1, 1, 0]), [a[0, 0], a[1, 1]]),
    lambda xp, a: xp.choose(xp.array([0, 3]), [a[0, 0, :2], a[0, 1, :2]], mode="wrap"),
    lambda xp, a: xp.choose(xp.array([0, 5]), [a[0, 0, :2], a[0, 1, :2]]),
    lambda xp, a: xp.select([a > 20, a > 10], [a, a * 2], -1),
    lambda xp, a: xp.select([a > 20, a > 10], [a.astype("b"), 2], 0),
    lambda xp, a: xp.select([a > 20, a > 10], [a.astype("e"), 2], 2.5), lambda xp, a: xp.select([a > 20], [True], 3),
    lambda xp, a: xp.select([a > 20, a > 10], [a.astype("B"), a.astype("b")], 1.0),
    lambda xp, a: xp.select([a > 20], [1], 2.5), lambda xp, a: xp.select([a > 20], [a.astype("f")], xp.array(1.0)),
    lambda xp, a: xp.select([a > 20], [a, a]), lambda xp, a: xp.nonzero(a[:0]), lambda xp, a: xp.where(a > 3),
]


@pytest.mark.parametrize("i", range(len(FUNCTIONS)))
def test_index_functions(i):
    check(FUNCTIONS[i], A)


WRITES = [
    lambda xp, a: xp.put(a, xp.array([0, 5, 23]), xp.array([-1.0, -2.0, -3.0])),
    lambda xp, a: xp.put(a, xp.array([1, 2, 3]), -7),
    lambda xp, a: a.put(xp.array([1, -1]), xp.array([5.0, 6.0])), lambda xp, a: xp.putmask(a, a > 4, -1),
    lambda xp, a: xp.putmask(a, a > 4, a * 2),
    lambda xp, a: xp.place(a, a > 4, xp.array([1.0, 2.0, 3.0])), lambda xp, a: xp.place(a, a > 4, xp.array([9.0])),
    lambda xp, a: xp.put_along_axis(a, xp.array([[[0, 2, 1, 0]]]).repeat(2, 0), -5.0, 1),
    lambda xp, a: xp.put(a.T, xp.array([1, 2]), 100),
]


@pytest.mark.parametrize("i", range(len(WRITES)))
def test_write_functions(i):
    h, x = A.copy(), tb.array(A)
    WRITES[i](np, h)
    WRITES[i](tb, x)
    same(x, h)


# ---- mathematics and logic -------------------------------------------------------------------------------------------

MATHS = [
    lambda xp, a: xp.diff(a), lambda xp, a: xp.diff(a, 2, 1), lambda xp, a: xp.diff(a, axis=0, prepend=0, append=a[:1]),
    lambda xp, a: xp.diff(a > 5), lambda xp, a: xp.diff(a, -1), lambda xp, a: xp.diff(a, 5),
    lambda xp, a: xp.ediff1d(a, 9, xp.array([7.0, 8.0])),
    lambda xp, a: xp.trapezoid(a), lambda xp, a: xp.trapezoid(a, dx=0.5, axis=1),
    lambda xp, a: xp.trapezoid(a, xp.array([0.0, 1.0, 4.0, 9.0])),
    lambda xp, a: xp.gradient(a[0, 0]), lambda xp, a: list(xp.gradient(a)), lambda xp, a: xp.gradient(a, 2.0, axis=2),
    lambda xp, a: list(xp.gradient(a[0], xp.array([0.0, 1.0, 4.0]), 0.5)),
    lambda xp, a: xp.gradient(a[0] ** 2, axis=1, edge_order=2),
    lambda xp, a: xp.gradient(a[0, 0] ** 2, xp.array([0.0, 1.0, 3.0, 4.0]), edge_order=2), lambda xp, a: xp.unwrap(a),
    lambda xp, a: xp.unwrap(a * 2 % 7, axis=1), lambda xp, a: xp.around(a / 7, 2),
    lambda xp, a: xp.round(a.astype("i"), -1),
    lambda xp, a: xp.nan_to_num(xp.where(a > 3, xp.nan, a)),
    lambda xp, a: xp.nan_to_num(xp.where(a > 3, xp.inf, -xp.inf), posinf=1, neginf=2),
    lambda xp, a: xp.nan_to_num(xp.where(a > 3, xp.nan, -xp.inf), nan=xp.inf, posinf=1, neginf=xp.inf),
    lambda xp, a: xp.nan_to_num(xp.where(a > 3, xp.inf, 1j * xp.nan), nan=-xp.inf, posinf=-xp.inf, neginf=xp.nan),
    lambda xp, a: xp.angle(a + 1j), lambda xp, a: xp.angle(a - 5), lambda xp, a: xp.angle(a - 1j, deg=True),
    lambda xp, a: xp.real(a + 1j),
    lambda xp, a: xp.imag(a + 1j), lambda xp, a: xp.imag(a), lambda xp, a: xp.real_if_close(a + 0j),
    lambda xp, a: xp.real_if_close(a + 1j),
    lambda xp, a: xp.isclose(a, a + 1e-9), lambda xp, a: xp.isclose(a, xp.array(xp.nan), equal_nan=True),
    lambda xp, a: xp.isclose(xp.array([xp.inf, -xp.inf, xp.nan]), xp.array([xp.inf, xp.inf, xp.nan])),
    lambda xp, a: xp.isin(a, xp.array([3.0, 9.0])),
    lambda xp, a: xp.isin(a, xp.array([3.0, 9.0]), invert=True), lambda xp, a: xp.iscomplex(a + 1j),
    lambda xp, a: xp.isreal(a + 0j),
    lambda xp, a: xp.isposinf(a / 0), lambda xp, a: xp.isneginf(-a / 0),
]


@pytest.mark.parametrize("i", range(len(MATHS)))
def test_mathematics(i):
    with np.errstate(all="ignore"):
        try:
            want = MATHS[i](np, A)
        except ValueError:
            with pytest.raises(ValueError):
                MATHS[i](tb, tb.array(A))
            return
    got = MATHS[i](tb, tb.array(A))
    for g, w in zip(got, want) if isinstance(want, list) else [(got, want)]:
        assert type(g) is tb.ndarray and g.dtype == w.dtype and g.shape == w.shape
        np.testing.assert_allclose(g.get(), w, rtol=1e-12, atol=1e-12)


def test_comparisons_of_arrays():
    x = tb.array(A)
    assert tb.allclose(x, x + 1e-10) and not tb.allclose(x, x + 1) and type(tb.allclose(x, x)) is tb.ndarray
    assert tb.array_equal(x, x.copy()) and not tb.array_equal(x, x[0]) and not tb.array_equal(x, x + 1)
    nan = tb.array([np.nan])
    assert not tb.array_equal(nan, nan) and tb.array_equal(nan, nan, equal_nan=True)
    assert tb.array_equiv(x, tb.broadcast_to(x, (2, 2, 3, 4))) and not tb.array_equiv(x, tb.ones(5))
    assert tb.isscalar(3) and not tb.isscalar(x) and tb.isrealobj(x) and tb.iscomplexobj(x + 1j)
    assert tb.isfortran(x.T) and not tb.isfortran(x)


# ---- strides, files, dtypes ------------------------------------------------------------------------------------------


def test_stride_tricks():
    x = tb.arange(10.0)
    same(stride_tricks.as_strided(x, (4, 3), (16, 8)), np.lib.stride_tricks.as_strided(np.arange(10.0), (4, 3),
        (16, 8)))
    for window, axis in ((3, None), ((2,), 0)):
        same(stride_tricks.sliding_window_view(x, window, axis),
            np.lib.stride_tricks.sliding_window_view(np.arange(10.0), window, axis))
    same(stride_tricks.sliding_window_view(tb.array(A), (2, 2), (1, 2)),
        np.lib.stride_tricks.sliding_window_view(A, (2, 2), (1, 2)))
    for bad in (lambda: stride_tricks.as_strided(x, (100,), (8,)), lambda: stride_tricks.as_strided(x, (2,), (-8,)),
                lambda: stride_tricks.as_strided(x, (2, 2)), lambda: stride_tricks.as_strided(x, (2, 2), (8,)),
                lambda: stride_tricks.sliding_window_view(x, 11)):
        with pytest.raises(ValueError):
            bad()


def test_files(tmp_path):
    x = tb.array(A)
    tb.save(tmp_path / "a.npy", x)
    same(tb.load(tmp_path / "a.npy"), A)
    for save in (tb.savez, tb.savez_compressed):
        save(tmp_path / "b.npz", x, name=x[0])
        with tb.load(tmp_path / "b.npz") as f:
            assert sorted(f) == ["arr_0", "name"] and "name" in f and len(f) == 2
            same(f["name"], A[0])
    tb.savetxt(tmp_path / "c.txt", x[0])
    same(tb.loadtxt(tmp_path / "c.txt"), A[0])
    same(tb.genfromtxt(tmp_path / "c.txt"), A[0])
    x.tofile(tmp_path / "d.bin")
    same(tb.fromfile(tmp_path / "d.bin"), A.ravel())
    same(tb.frombuffer(A.tobytes()), A.ravel())
    same(tb.fromiter(range(4), "f"), np.arange(4, dtype="f"))
    same(tb.fromstring("1 2 3", sep=" "), np.array([1.0, 2, 3]))
    text = io.StringIO("1,2\n3,4")
    same(tb.loadtxt(text, delimiter=","), np.array([[1.0, 2], [3, 4]]))


def test_text():
    x = tb.array(A[0])
    assert tb.array_repr(x) == np.array_repr(A[0]) and tb.array_str(x, precision=1) == np.array_str(A[0], precision=1)
    assert tb.array2string(x, separator=",") == np.array2string(A[0], separator=",")
    with tb.printoptions(precision=2):
        assert repr(tb.array([1 / 3])) == "array([0.33])"
    assert tb.format_float_positional(tb.array(1.5)) == "1.5"


def test_dtypes():
    x = tb.ones(3, "f")
    assert tb.result_type(x, "d") == np.float64 and tb.result_type(x, 3) == np.float32 and tb.result_type(x,
        3j) == np.complex64
    assert tb.can_cast(x, "d") and not tb.can_cast(x, "i") and tb.promote_types("i4", "f4") == np.float64
    assert tb.common_type(x, tb.ones(2,
        "i")) is np.float64 and tb.min_scalar_type(x) == np.float32
    for number in (0, 3, 255, 256, 2**16, 2**32 - 1, 2**32, 2**64 - 1, 2**64, -1, -129, True, np.uint8(9), 1.5):
        assert tb.min_scalar_type(number) == tb.min_scalar_type(number) == np.min_scalar_type(number)
    assert tb.finfo("f").eps == np.finfo("f").eps and tb.iinfo("h").max == 32767 and tb.issubdtype(tb.float32,
        tb.floating)
    assert (
        tb.float32 is np.float32
        and tb.bool_ is np.bool_
        and tb.pi == np.pi
        and tb.newaxis is None
        and tb.isdtype(np.dtype("f"), "real floating")
    )


def test_namespace():
    assert tb.get_array_module(np.ones(3)) is np and tb.get_array_module(1, tb.ones(3)) is tb
    assert "random" in dir(tb) and "add" in dir(tb)
    with pytest.raises(AttributeError):
        tb.no_such_name
    assert tb.AxisError is np.exceptions.AxisError and tb.exceptions.OutOfMemoryError is tb.cuda.OutOfMemoryError


def test_requirements():
    x = tb.array(A)
    assert tb.require(x.T, requirements="C").flags.c_contiguous and tb.require(x, "f", ["F"]).flags.f_contiguous
    assert tb.require(x[::2], requirements=["O"]).base is None
    with pytest.raises(ValueError):
        tb.require(x, requirements=["C", "F"])
    with pytest.raises(ValueError):
        tb.asarray_chkfinite(tb.array([np.inf]))
    assert tb.asfarray(tb.arange(3)).dtype == np.float64


@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_masks_of_any_layout(data):
    host, device = data.draw(arrays(min_dims=1, max_dims=3))
    mask = np.random.default_rng(0).random(host.shape) < 0.5
    same(device[tb.array(mask)], host[mask])
    same_outcome(lambda: tb.where(tb.array(mask), device, device.dtype.type(1)),
        lambda: np.where(mask, host, host.dtype.type(1)))


@settings(deadline=None)
@given(arrays(max_dims=3), st.data())
def test_ravel_in_memory_order(pair, draw):
    a, x = pair
    wide = draw.draw(st.lists(st.booleans(), min_size=a.ndim, max_size=a.ndim))
    shape = tuple(3 if n == 1 and w else n for n, w in zip(a.shape, wide))
    a, x = np.broadcast_to(a, shape), tb.broadcast_to(x, shape)
    order = draw.draw(st.permutations(range(a.ndim)))
    a, x = a.transpose(order), x.transpose(order)
    same(x.ravel("K"), a.ravel("K"))
    same(x.flatten("K"), a.flatten("K"))


@pytest.mark.parametrize("dtype", ["?", "i1", "u1", "i2", "u2", "f2", "i4", "f4", "f8", "F", "D"])
@pytest.mark.parametrize("shape", [(64, 64), (130, 260), (257, 129), (8, 1000), (3, 128, 96), (2, 66, 40), (514, 34)])
def test_transposes_larger_than_a_tile(dtype, shape):
    rng = np.random.default_rng(1)
    a = (rng.random(shape) * 100).astype(dtype)
    x = tb.array(a)
    turn = lambda m: m.swapaxes(-1, -2)
    same(turn(x).copy(), np.ascontiguousarray(turn(a)))
    same(turn(x)[..., 1:].copy(), np.ascontiguousarray(turn(a)[..., 1:]))  # not aligned
    same(turn(x)[..., ::-1, :].copy(), np.ascontiguousarray(turn(a)[..., ::-1, :]))
    square = tuple(shape[:-2]) + (min(shape[-2:]),) * 2
    b, y = (m[..., : square[-2], : square[-1]].copy() for m in (a, x))
    same(tb.maximum(y, turn(y)), np.maximum(b, turn(b)))
    same(y + turn(y) * turn(y), b + turn(b) * turn(b))
    same(tb.where(turn(y) > 50, y, turn(y)[..., :1]), np.where(turn(b) > 50, b, turn(b)[..., :1]))
    y[...] = turn(y)
    same(y, turn(b))


@pytest.mark.parametrize("narrow", [2, 3, 4, 5, 8, 17, 33, 50, 129])
@pytest.mark.parametrize("dtype", ["u1", "f2", "f4", "f8", "F", "D"])
def test_narrow_transposes(dtype, narrow):
    """Enough elements for a GPU to take them through shared memory; images' channels among them."""
    rng = np.random.default_rng(narrow)
    n = 1 + 560_000 // narrow
    a = (rng.random((n, narrow)) * 9).astype(dtype)
    weight, bias = (rng.random(narrow) * 4).astype(dtype), (rng.random(n) * 4).astype(dtype)
    x, w, b = tb.array(a), tb.array(weight), tb.array(bias)
    same(x.T.copy(), np.ascontiguousarray(a.T))
    same(tb.array(np.asfortranarray(a)).copy(order="C"), a)
    same(x[1:].T * w[:, None] + b[1:], a[1:].T * weight[:, None] + bias[1:])
    fortran = tb.array(np.asfortranarray(a))
    same(x + fortran, a + a)
    same(x.real.T.astype("f4") / 2, a.real.T.astype("f4") / np.float32(2))
    stack, y = a[: n // 2 * 2].reshape(2, n // 2, narrow), x[: n // 2 * 2].reshape(2, n // 2, narrow)
    same(y.transpose(0, 2, 1).copy(), np.ascontiguousarray(stack.transpose(0, 2, 1)))
    out = tb.zeros((narrow, n + 3), dtype)
    out[:, 2:-1] = x.T
    same(out[:, 2:-1], a.T)
    assert not out[:, :2].any() and not out[:, -1:].any()


def test_ravel_of_repeated_rows():
    a = np.broadcast_to(np.arange(3), (2, 3))
    same(tb.broadcast_to(tb.arange(3), (2, 3)).ravel("K"), a.ravel("K"))


CASES = [lambda xp: xp.angle(xp.array([True])), lambda xp: xp.diff(xp.array(3), 0),
         lambda xp: xp.cumulative_sum(xp.array(3)), lambda xp: xp.unwrap(xp.array([0, 4, 8.0], "e")),
         lambda xp: xp.unwrap(xp.array([0, 4, 8], "b"), period=3), lambda xp: xp.isneginf(xp.array([1j])),
         lambda xp: xp.ediff1d(xp.array([True, False])), lambda xp: xp.gradient(xp.array([True, False])),
         lambda xp: xp.array([True]).round(1), lambda xp: xp.repeat(xp.array(3), 2, axis=0),
         lambda xp: xp.take(xp.array(3), xp.array([0]), axis=0), lambda xp: xp.compress([True, False], xp.array(3), 0),
         lambda xp: xp.compress([1, 0, 1], xp.ones((2, 2)), 1), lambda xp: xp.tril_indices_from(xp.ones(3)),
         lambda xp: xp.ravel_multi_index((xp.array([5, -1]), xp.array([9, 1])), (3, 4), mode=("clip", "wrap")),
         lambda xp: xp.copyto(xp.zeros(2, bool), 3), lambda xp: xp.copyto(xp.zeros(2, int), 1.5),
         lambda xp: xp.copyto(xp.zeros(2), 1j), lambda xp: xp.tril(xp.array(3)),
         lambda xp: xp.vecdot(xp.array(3.0), xp.array(3.0)),
         lambda xp: xp.einsum("i,i", xp.array([1j]), xp.array([1j]), dtype=float),
         lambda xp: xp.average(xp.ones((2, 3)), -1)]


@pytest.mark.parametrize("f", CASES)
def test_corner_cases(f):
    try:
        want = f(np)
    except Exception as e:
        with pytest.raises(next(t for t in (IndexError, TypeError, ValueError) if isinstance(e, t))):
            f(tb)
        return
    got = f(tb)
    if want is not None:
        same(got, want)


def test_copyto_of_numbers():
    for code, value, casting in (("f", 3, "same_kind"), ("L", 3, "same_kind"), ("i", 1.5, "unsafe"),
                                 ("D", 1.5, "safe")):
        x, a = tb.zeros(2, code), np.zeros(2, code)
        tb.copyto(x, value, casting=casting)
        np.copyto(a, value, casting=casting)
        same(x, a)


def test_put_and_place_of_nothing():
    x = tb.zeros(0)
    tb.put_along_axis(x, tb.zeros(0, int), tb.zeros(0), 0)
    tb.place(x, tb.zeros(0, bool), tb.zeros(0))
    with pytest.raises(ValueError):
        tb.place(tb.zeros(2), tb.array([True, False]), tb.zeros(0))


@pytest.mark.parametrize("code", "?bhildefdFD")
@pytest.mark.parametrize("n", [1, 2, 3, 4, 5, 8, 9, 17])
def test_many_of_one_shape(n, code):
    """Joined by kernels that write several at once, where elements may take turns in memory."""
    rng = np.random.default_rng(n)
    for shape in [(1,), (7,), (3000,), (3001,), (37, 41), (5, 40, 3)]:
        hosts = [rng.integers(0, 100, shape).astype(code) for _ in range(n)]
        ours = [tb.array(h) for h in hosts]
        for axis in range(-1, len(shape) + 1):
            same(tb.stack(ours, axis), np.stack(hosts, axis))
        for axis in range(len(shape)):
            same(tb.concatenate(ours, axis), np.concatenate(hosts, axis))
        same(tb.stack([x[::-1] for x in ours], -1), np.stack([h[::-1] for h in hosts], -1))
        same(tb.dstack(ours), np.dstack(hosts))


def test_joining_what_is_pending_and_what_is_twice():
    h = np.arange(5000, dtype="f")
    x = tb.array(h)
    y = x * 2 + 1
    same(tb.stack([y, y, x, y], -1), np.stack([h * 2 + 1, h * 2 + 1, h, h * 2 + 1], -1))
    same(y, h * 2 + 1)
    same(tb.stack([tb.full(5000, 3.0), tb.arange(5000.0)], -1), np.stack([np.full(5000, 3.0), np.arange(5000.0)], -1))
    x[:] = 7  # after the join was called
    joined = tb.concatenate([x, y])
    x[:] = 9
    same(joined, np.concatenate([np.full(5000, 7, "f"), h * 2 + 1]))


def test_joins_that_overlap_with_out():
    """One input after the other, as in NumPy: what was written is what later ones read."""
    h = np.arange(6000.0).reshape(3000, 2)
    x = tb.array(h)
    for xp, a in ((np, h), (tb, x)):
        xp.stack([a[:, 1], a[:, 0]], -1, out=a)
        xp.concatenate([a[1500:], a[:1500]], out=a)
    same(x, h)


def test_compress_by_a_mask_looks_at_the_axis():
    with pytest.raises(np.exceptions.AxisError):
        tb.compress(tb.array([True, False, True]), tb.arange(3), 5)
    same(tb.compress(tb.array([True, False, True]), tb.arange(3), -1), np.array([0, 2]))


@pytest.mark.parametrize("axis", [None, 0, 1])
def test_repeat_by_counts_of_the_device(axis):
    a = np.random.default_rng(0).random((30, 20))
    counts = np.random.default_rng(1).integers(0, 4, a.size if axis is None else a.shape[axis])
    for dtype in ("i8", "u1", "?"):
        want = np.repeat(a, counts.astype(dtype), axis)
        np.testing.assert_array_equal(tb.repeat(tb.array(a), tb.array(counts.astype(dtype)), axis).get(), want)
    assert tb.repeat(tb.arange(3), tb.array([0, 0, 0])).shape == (0,)
    with pytest.raises(ValueError, match="negative"):
        tb.repeat(tb.arange(3), tb.array([1, -1, 2]))
    with pytest.raises(TypeError):
        tb.repeat(tb.arange(3), tb.array([1.0, 1.0, 2.0]))


@pytest.mark.parametrize("shape", [(0, None), (1, 1), (5, None), (3, 7), (40, 2)])
@pytest.mark.parametrize("k", [-3, 0, 2, 50])
def test_indices_of_triangles(shape, k):
    n, m = shape
    for name in ("tril_indices", "triu_indices"):
        for got, want in zip(getattr(tb, name)(n, k, m), getattr(np, name)(n, k, m)):
            assert got.dtype == want.dtype
            np.testing.assert_array_equal(got.get(), want)


def test_an_array_equals_itself():
    x = tb.array([1.0, np.nan])
    assert not tb.array_equal(x, x) and tb.array_equal(x, x, equal_nan=True)
    i = tb.arange(3)
    assert tb.array_equal(i, i) and isinstance(tb.array_equal(i, i), tb.ndarray)


@pytest.mark.parametrize("condition", [[1, 0, 1], [True, True], [False, False, True, False]])
def test_compress_along_each_axis(condition):
    for shape in ((3,), (3, 4), (4, 3), (2, 3, 4), (0, 3), (3, 0)):
        h = np.arange(np.prod(shape, dtype=int), dtype="f").reshape(shape)
        for axis in (None, *range(-len(shape), len(shape))):
            length = h.size if axis is None else shape[axis]
            if np.flatnonzero(condition)[-1:] < length:
                c = tb.array(condition)
                same(tb.compress(c, tb.array(h), axis), np.compress(condition, h, axis))
                same(tb.compress(c, tb.array(h.T).T, axis), np.compress(condition, h, axis))


# Each names its axes in every way there is: a number, a tuple, a list, NumPy's integers, an array.
AXES = [0, -1, np.int64(1), (0,), [1, -1], (0, -2), np.array([0, 1]), range(2), 2, -3, (0, 0), (0, 5), 1.0, (0, 1.0)]


@pytest.mark.parametrize("axis", AXES, ids=repr)
def test_axes_as_numpy_takes_them(axis):
    for f in (lambda xp, a: xp.flip(a, axis), lambda xp, a: xp.expand_dims(a, axis),
              lambda xp, a: xp.roll(a, 1, axis), lambda xp, a: xp.moveaxis(a, axis, axis)):
        a = np.arange(6.0).reshape(2, 3)
        try:
            want = f(np, a)
        except (TypeError, ValueError) as e:  # AxisError is a ValueError
            with pytest.raises(type(e)):
                f(tb, tb.array(a))
        else:
            same(f(tb, tb.array(a)), want)


def test_rollaxis_to_every_position():
    h = np.arange(24).reshape(2, 3, 4)
    for axis in range(-3, 3):
        for start in range(-3, 4):
            same(tb.rollaxis(tb.array(h), axis, start), np.rollaxis(h, axis, start))
    for axis, start in ((3, 0), (0, 4), (0, -4)):
        with pytest.raises(np.exceptions.AxisError):
            tb.rollaxis(tb.array(h), axis, start)


@pytest.mark.parametrize("shape", [7, (7,), (2, 3), [3, 5], (15,), (31,), (4, 0), (), np.int64(9)], ids=repr)
def test_resize_to_less_and_more(shape):
    h = np.arange(15, dtype="i").reshape(3, 5)
    x = tb.array(h)
    for a, b in ((x, h), (x.T, h.T), (x[::2, 1], h[::2, 1]), (x[:0], h[:0]), (x[0, 0], h[0, 0])):
        result = tb.resize(a, shape)
        same(result, np.resize(b, shape))
        assert not tb.may_share_memory(result, x)
    with pytest.raises(ValueError, match="resize"):
        tb.resize(x, (2, -1))


def test_repeats_that_are_numbers():
    h = np.arange(6).reshape(2, 3)
    for repeats in (0, 2, True, np.int8(3), [2], (1, 2), np.array([0, 3])):
        same(tb.repeat(tb.array(h), repeats, 0), np.repeat(h, repeats, 0))
    for code in "?bhilBHIL":
        counts = np.array([1, 0, 1]).astype(code)
        same(tb.repeat(tb.array(h), tb.array(counts), 1), np.repeat(h, counts.astype(int), 1))
    for line in (np.arange(5.0), np.arange(10)[::-2], np.arange(0)):
        for repeats in (0, 1, 3):
            for axis in (None, 0, -1):
                same(tb.repeat(tb.array(line), repeats, axis), np.repeat(line, repeats, axis))
                same(tb.array(np.repeat(line, 2))[::2].repeat(repeats, axis), line.repeat(repeats, axis))
    for wrong in (tb.array([1, -1, 3]), [-1, 5, 1]):
        with pytest.raises(ValueError, match="negative"):
            tb.repeat(tb.array(h), wrong, 1)


def test_splits_by_every_kind_of_sections():
    h = np.arange(12).reshape(6, 2)
    for sections in (2, np.int64(3), [1, 4], (2,), [], np.array([3, 3]), [9]):
        for g, w in zip(tb.split(tb.array(h), sections), np.split(h, sections), strict=True):
            same(g, w)
    for sections in (4, 0, -1):
        with pytest.raises((ValueError, ZeroDivisionError)):
            tb.split(tb.array(h), sections)
    with pytest.raises(TypeError):
        tb.split(tb.array(h), 2.0)
