"""tombacx.scipy.spatial's neighbours and triangulations against SciPy's."""

import math

import numpy as np
import pytest
import scipy.spatial as ss
import tombac as tb
from hypothesis import given
from hypothesis import strategies as st

import tombacx.scipy.spatial as xs

norms = st.sampled_from([1, 1.5, 2, 3.0, math.inf])
boxes = st.sampled_from([None, 1.0, [1.0, 0.0, 2.0]])


def close(got, want, dtype=True):
    want = np.asarray(want)
    assert type(got) is tb.ndarray and got.shape == want.shape
    assert not dtype or got.dtype == want.dtype
    np.testing.assert_allclose(got.get(), want, 1e-9, 1e-12)


@st.composite
def trees(draw, boxed=False):
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    data = rng.random((draw(st.integers(1, 30)), 3))
    box = draw(boxes) if boxed else None
    return xs.KDTree(tb.array(data), boxsize=box), ss.KDTree(data, boxsize=box), rng


@given(trees(boxed=True), st.sampled_from([1, 3, 40, [1, 3], [2]]), norms, st.sampled_from([0.4, math.inf]),
       st.sampled_from([(), (5,), (2, 3), (0,)]))
def test_nearest(pair, k, p, bound, shape):
    ours, theirs, rng = pair
    x = rng.uniform(-1, 2, (*shape, 3))
    want, numbers = theirs.query(x, k, p=p, distance_upper_bound=bound)
    d, i = ours.query(tb.array(x), k, p=p, distance_upper_bound=bound)
    close(d, want)
    close(i, np.asarray(numbers, "l"))


@given(trees(boxed=True), norms, st.floats(0.1, 1), st.sampled_from([(), (5,), (2, 3), (0,)]), st.booleans())
def test_balls(pair, p, r, shape, one_each):
    ours, theirs, rng = pair
    x = rng.uniform(-1, 2, (*shape, 3))
    radii = rng.random(shape) if one_each else r
    want = theirs.query_ball_point(x, radii, p, return_sorted=True)
    got = ours.query_ball_point(tb.array(x), tb.array(radii), p, return_sorted=True)
    compare_lists(got, want.tolist() if shape else want)
    lengths = theirs.query_ball_point(x, radii, p, return_length=True)
    close(ours.query_ball_point(tb.array(x), tb.array(radii), p, return_length=True), lengths)


def compare_lists(got, want):
    if isinstance(got, tb.ndarray):
        assert got.dtype == np.dtype("l") and got.tolist() == want
    else:
        assert type(got) is list and len(got) == len(want)
        for g, w in zip(got, want, strict=True):
            compare_lists(g, w)


@given(trees(), trees(), norms, st.floats(0.1, 1))
def test_two_trees(first, second, p, r):
    (a, b), (c, d) = first[:2], second[:2]
    compare_lists([tb.sort(x) for x in a.query_ball_tree(c, r, p)], [sorted(x) for x in b.query_ball_tree(d, r, p)])
    close(a.count_neighbors(c, r, p), b.count_neighbors(d, r, p))
    radii = np.array([0.1, r, 1.5])
    for cumulative in (True, False):
        close(a.count_neighbors(c, tb.array(radii), p, cumulative=cumulative),
              b.count_neighbors(d, radii, p, cumulative=cumulative))
    w, v = np.arange(b.n) + 0.5, np.arange(d.n) - 2.0
    close(a.count_neighbors(c, tb.array(radii), p, (tb.array(w), tb.array(v))), b.count_neighbors(d, radii, p, (w, v)))
    got, want = a.sparse_distance_matrix(c, r, p, "dict"), b.sparse_distance_matrix(d, r, p, "dict")
    assert got.keys() == want.keys() and all(got[key] == pytest.approx(want[key]) for key in want)


@given(trees(boxed=True), norms, st.floats(0.1, 1))
def test_pairs(pair, p, r):
    ours, theirs, _ = pair
    pairs = theirs.query_pairs(r, p)
    got = ours.query_pairs(r, p)
    assert got.shape == (len(pairs), 2) and set(map(tuple, got.tolist())) == pairs
    assert ours.query_pairs(r, p, output_type="set") == pairs


@st.composite
def scattered(draw):
    """Points that are hard to put in order, and some to ask for: among them, near to them, far away."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    n, dims = draw(st.integers(1, 400)), draw(st.sampled_from([1, 2, 3, 4, 5, 40]))
    kind = draw(st.sampled_from(["uniform", "grid", "equal", "outlier", "line", "wide"]))
    data = rng.standard_normal((n, dims))
    if kind == "grid":
        data = np.round(data)
    elif kind == "equal":
        data[:] = data[0]
    elif kind == "outlier":
        data[rng.integers(n)] = 1e30
    elif kind == "line":
        data[:, 1:] = 0
    elif kind == "wide":
        data *= 10.0 ** rng.integers(-100, 100, (n, 1))
    x = np.concatenate([data[rng.integers(n, size=5)], rng.standard_normal((5, dims)), np.full((1, dims), -1e9)])
    return data, x


@given(scattered(), st.sampled_from([1, 2, 4, 5, 16, 17, 50]), norms)
def test_any_points(pair, k, p):
    """Distances are SciPy's, and the numbers those of points that far away, each once."""
    data, x = pair
    tree = xs.KDTree(tb.array(data))
    d, i = (a.get().reshape(len(x), k) for a in tree.query(tb.array(x), k, p=p))
    want = ss.KDTree(data).query(x, k, p=p)[0].reshape(len(x), k)
    np.testing.assert_allclose(d, want, 1e-9, 1e-300)
    assert (d[:, 1:] >= d[:, :-1]).all()
    for row, numbers, at in zip(d, i, x, strict=True):
        there = np.isfinite(row)
        assert (numbers[~there] == len(data)).all() and len(set(numbers[there].tolist())) == there.sum()
        apart = [np.linalg.norm(data[n] - at, p) for n in numbers[there]]
        np.testing.assert_allclose(row[there], apart, 1e-9, 1e-300)


@given(scattered(), norms)
def test_any_balls(pair, p):
    data, x = pair
    ours, theirs = xs.KDTree(tb.array(data)), ss.KDTree(data)
    radii = theirs.query(x, 3, p=p)[0][:, -1] * 1.001
    radii[~np.isfinite(radii)] = 1e20
    compare_lists(ours.query_ball_point(tb.array(x), tb.array(radii), p),
                  theirs.query_ball_point(x, radii, p, return_sorted=True).tolist())


def test_radii():
    """What is as far away as the radius is within it; nothing is within less than nothing."""
    tree = xs.KDTree(tb.array([[0.0, 0.0], [3.0, 4.0], [3.0, 4.5]]))
    zero = tb.zeros(2)
    for r, want in ((5.0, [0, 1]), (np.nextafter(5.0, 0), [0]), (0.0, [0]), (-1.0, []), (math.nan, []),
                    (math.inf, [0, 1, 2])):
        assert tb.sort(tree.query_ball_point(zero, r)).tolist() == want
    assert tree.query(zero, 3, distance_upper_bound=5.0)[1].tolist() == [0, 3, 3]
    assert tree.query(zero, 2, distance_upper_bound=-1.0)[0].tolist() == [math.inf, math.inf]


def test_layouts_and_no_points():
    data = np.random.default_rng(3).random((6, 40)).astype("f")
    got = xs.KDTree(tb.array(data)[::-1, ::2].T).query(tb.array(data)[::-1, 1::2].T, 2)
    want = ss.KDTree(data[::-1, ::2].T).query(data[::-1, 1::2].T, 2)
    close(got[0], want[0])
    close(got[1], want[1])
    nothing = xs.KDTree(tb.zeros((0, 2)))
    assert [a.tolist() for a in nothing.query(tb.zeros((1, 2)), 2)] == [[[math.inf, math.inf]], [[0, 0]]]
    assert [a.tolist() for a in nothing.query_ball_point(tb.zeros((2, 2)), 1)] == [[], []]
    assert nothing.query_pairs(1).shape == (0, 2)


def test_many_points():
    """More than a block of a GPU makes the boxes of."""
    rng = np.random.default_rng(11)
    data, x = rng.random((9000, 3)), rng.random((300, 3))
    got, want = xs.KDTree(tb.array(data)).query(tb.array(x), 8), ss.KDTree(data).query(x, 8)
    close(got[0], want[0])
    close(got[1], want[1])


def test_weights_in_blocks(monkeypatch):
    from tombacx.scipy.spatial import _tiles

    monkeypatch.setattr(_tiles, "_BLOCK", 70)
    rng = np.random.default_rng(5)
    a, b, w, v = rng.random((20, 2)), rng.random((13, 2)), rng.random(20), rng.random(13)
    got = xs.KDTree(tb.array(a)).count_neighbors(xs.KDTree(tb.array(b)), 0.3, weights=(tb.array(w), tb.array(v)))
    close(got, ss.KDTree(a).count_neighbors(ss.KDTree(b), 0.3, weights=(w, v)))


def test_distances_as_a_sparse_matrix():
    sparse = pytest.importorskip("tombacx.scipy.sparse")
    data = np.random.default_rng(1).random((9, 2))
    ours, theirs = xs.KDTree(tb.array(data)), ss.KDTree(data)
    got, want = ours.sparse_distance_matrix(ours, 0.5), theirs.sparse_distance_matrix(theirs, 0.5)
    assert isinstance(got, sparse.coo_matrix)
    close(got.toarray(), want.toarray())


def test_trees_refuse():
    tree = xs.KDTree(tb.zeros((3, 2)))
    for wrong in (lambda: xs.KDTree(tb.zeros(3)), lambda: xs.KDTree(tb.zeros((3, 2)), leafsize=0),
                  lambda: xs.KDTree(tb.full((3, 2), np.nan)), lambda: xs.KDTree(tb.full((3, 2), 2.0), boxsize=1.0),
                  lambda: tree.query(tb.zeros(3)), lambda: tree.query(tb.zeros(2), None),
                  lambda: tree.query(tb.zeros(2), 0), lambda: tree.query(tb.zeros(2), [0, 1]),
                  lambda: tree.query(tb.zeros(2), p=0.5), lambda: tree.query(tb.full(2, np.inf)),
                  lambda: tree.query_ball_point(tb.zeros((4, 2)), tb.ones(3)),
                  lambda: tree.query_pairs(1, output_type="list"),
                  lambda: tree.query_ball_tree(xs.KDTree(tb.zeros((3, 3))), 1)):
        with pytest.raises(ValueError):
            wrong()
    with pytest.raises(TypeError, match="complex"):
        xs.KDTree(tb.zeros((3, 2), "D"))


def test_what_a_tree_knows():
    data = np.random.default_rng(0).random((7, 3)).astype("f")
    tree = xs.KDTree(tb.array(data), leafsize=5, copy_data=True)
    assert (tree.n, tree.m, tree.leafsize) == (7, 3, 5)
    close(tree.mins, data.min(0).astype("d"))
    close(tree.maxes, data.max(0).astype("d"))


# ---- triangulations --------------------------------------------------------------------------------------------------

PARTS = ["simplices", "neighbors", "equations", "coplanar", "vertex_to_simplex", "convex_hull", "transform",
         "min_bound", "max_bound"]


@pytest.mark.parametrize("d", [2, 3, 4])
def test_triangulations(d):
    rng = np.random.default_rng(d)
    points = rng.random((30, d))
    ours, theirs = xs.Delaunay(tb.array(points)), ss.Delaunay(points)
    for name in PARTS:
        close(getattr(ours, name), getattr(theirs, name))
    assert (ours.ndim, ours.npoints, ours.nsimplex) == (theirs.ndim, theirs.npoints, theirs.nsimplex)
    for got, want in zip(ours.vertex_neighbor_vertices(), theirs.vertex_neighbor_vertices, strict=True):
        close(got, want)
    for shape in ((), (40,), (0,), (5, 6)):
        x = rng.uniform(-0.2, 1.2, (*shape, d))
        want = theirs.find_simplex(x)
        close(ours.find_simplex(tb.array(x)), want)
        close(ours._compared(tb.array(x).reshape(-1, d), None).reshape(shape), want)


def test_points_are_added():
    points = np.random.default_rng(2).random((20, 2))
    ours, theirs = xs.Delaunay(tb.array(points[:10]), incremental=True), ss.Delaunay(points[:10], incremental=True)
    assert ours.simplices.shape == theirs.simplices.shape
    ours.add_points(tb.array(points[10:]))
    theirs.add_points(points[10:])
    close(ours.simplices, theirs.simplices)
    close(ours.points, points)
    ours.close()


def test_triangulations_refuse():
    with pytest.raises(ValueError):
        xs.Delaunay(tb.zeros(3))
    with pytest.raises(ValueError):
        xs.Delaunay(tb.full((5, 2), np.nan))
    with pytest.raises(ss.QhullError):
        xs.Delaunay(tb.zeros((5, 2)))
    with pytest.raises(TypeError, match="complex"):
        xs.Delaunay(tb.zeros((5, 2), "D"))
    with pytest.raises(ValueError, match="2 dimensions"):
        xs.Delaunay(tb.random.rand(5, 2)).find_simplex(tb.zeros(3))
