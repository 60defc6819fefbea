"""tombacx.scipy.spatial's neighbours and triangulations against SciPy's."""

import math
from fractions import Fraction

import numpy as np
import pytest
import scipy.sparse
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
    got, want = ours.sparse_distance_matrix(ours, r, p, "dict"), theirs.sparse_distance_matrix(theirs, r, p, "dict")
    assert got.keys() == want.keys() and all(got[key] == pytest.approx(want[key]) for key in want)


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


def test_workers_and_the_reach_of_no_points():
    x, y = np.random.default_rng(0).random((2, 9, 3))
    ours, theirs = xs.KDTree(tb.array(x)), ss.KDTree(x)
    for got, want in zip(ours.query(tb.array(y), 2, workers=-1), theirs.query(y, 2, workers=-1), strict=True):
        np.testing.assert_allclose(got.get(), want)
    got = ours.query_ball_point(tb.array(y), 0.4, workers=2, return_length=True)
    assert got.get().tolist() == theirs.query_ball_point(y, 0.4, workers=2, return_length=True).tolist()
    none = xs.KDTree(tb.zeros((0, 3)))
    assert none.mins.tolist() == none.maxes.tolist() == ss.KDTree(np.zeros((0, 3))).maxes.tolist()


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
    """More than a block of a GPU makes the boxes of, or than the host looks for in any order."""
    rng = np.random.default_rng(11)
    data, x = rng.random((9000, 3)), rng.random((3000, 3))
    ours, theirs = xs.KDTree(tb.array(data)), ss.KDTree(data)
    for k, p in ((8, 2), (20, 1)):
        got, want = ours.query(tb.array(x), k, p=p), theirs.query(x, k, p=p)
        close(got[0], want[0])
        close(got[1], want[1])
    radii = rng.random(3000) * 0.2
    close(ours.query_ball_point(tb.array(x), tb.array(radii), return_length=True),
          theirs.query_ball_point(x, radii, return_length=True))
    want = theirs.query_ball_point(x, 0.05, return_sorted=True).tolist()
    compare_lists(ours.query_ball_point(tb.array(x), 0.05), want)


@pytest.mark.skipif(tb._core.backend() != "cpu", reason="the host's order of points")
@pytest.mark.parametrize("n", [1, 8, 9, 100, 5000])
def test_boxes_do_not_overlap(n):
    """But for their faces, and rounding, along the axis that they were split along."""
    points, order, boxes = (a.get() for a in xs.KDTree(tb.array(np.random.default_rng(n).normal(50, 1, (n, 3))))._tree)
    assert sorted(order.tolist()) == list(range(n)) and len(points) == n
    inner = np.arange(1, len(boxes) // 2)
    left, right = boxes[2 * inner], boxes[2 * inner + 1]
    assert (left[:, 1] <= right[:, 0] + 1e-8).any(axis=1).all()


@pytest.mark.parametrize("box", [None, 1.0])
def test_many_pairs(box):
    """Of nodes that are found by several threads."""
    rng = np.random.default_rng(12)
    data, x = rng.random((5000, 2)), rng.random((3000, 2)) * (1 if box else 2)
    ours, theirs = xs.KDTree(tb.array(data), boxsize=box), ss.KDTree(data, boxsize=box)
    got, want = ours.query_pairs(0.03).get(), theirs.query_pairs(0.03, output_type="ndarray")
    np.testing.assert_array_equal(got[np.lexsort(got.T)], want[np.lexsort(want.T)])
    assert ours.query_pairs(-1).shape == (0, 2)
    first, second = xs.KDTree(tb.array(x - 1 if box else x)), ss.KDTree(x, boxsize=box)
    rows, columns, apart = first.sparse_distance_matrix(ours, 0.02, output_type="ndarray")
    want = second.sparse_distance_matrix(theirs, 0.02, output_type="coo_matrix").tocsr()
    got = scipy.sparse.csr_matrix((apart.get(), (rows.get(), columns.get())), want.shape)
    assert got.nnz == len(apart) == want.nnz
    np.testing.assert_allclose(got.toarray(), want.toarray(), 1e-9, 1e-12)


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


@pytest.mark.parametrize("d", [3, 4])
def test_triangulations_by_qhull(d):
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


def rolled(corners):
    """Rows that begin with their least number."""
    return [tuple(np.roll(row, -np.argmin(row)).tolist()) for row in np.asarray(corners)]


@given(st.integers(0, 2**32 - 1), st.sampled_from([3, 4, 7, 60, 500]), st.sampled_from(["d", "f", "e", "l"]),
       st.sampled_from([1.0, 1e-150, 1e100]), st.booleans())
def test_triangulations_of_the_plane(seed, n, dtype, size, strided):
    """Of points of which no four are on a circle there is one triangulation."""
    rng = np.random.default_rng(seed)
    points = rng.standard_normal((n, 2)) * size if dtype == "d" else (rng.standard_normal((n, 2)) * 100).astype(dtype)
    given = np.repeat(points, 2, 0)[::-2] if strided else points
    on_device = tb.array(np.repeat(points, 2, 0))[::-2] if strided else tb.array(points)
    exact = [[Fraction(float(c)) for c in p] for p in given]
    ours = xs.Delaunay(on_device)
    check_triangulation(ours, exact)
    if dtype in "fd" and size == 1.0 and n > 4:
        compare_with_scipys(ours, ss.Delaunay(given.astype("d")), rng)


def compare_with_scipys(ours, theirs, rng):
    want = rolled(theirs.simplices)
    assert [getattr(ours, name).dtype for name in PARTS] == [getattr(theirs, name).dtype for name in PARTS]
    if sorted(map(sorted, rolled(ours.simplices.get()))) != sorted(map(sorted, want)):
        return  # SciPy's leaves out triangles that are thinner than its rounding
    number = {frozenset(row): i for i, row in enumerate(want)}
    theirs_of = np.array([number[frozenset(row)] for row in ours.simplices.tolist()])
    np.testing.assert_allclose(ours.equations.get(), theirs.equations[theirs_of], 1e-6, 1e-9)
    close(ours.min_bound, theirs.min_bound)
    close(ours.max_bound, theirs.max_bound)
    assert {frozenset(row) for row in ours.convex_hull.tolist()} == set(map(frozenset, theirs.convex_hull.tolist()))
    (starts, numbers), (begins, around) = ours.vertex_neighbor_vertices(), theirs.vertex_neighbor_vertices
    close(starts, begins)
    for a, b in zip(starts.tolist()[:-1], starts.tolist()[1:], strict=True):
        assert numbers[a:b].tolist() == sorted(around[a:b].tolist())
    for shape in ((), (40,), (0,), (5, 6)):
        x = rng.standard_normal((*shape, 2)) * np.ptp(theirs.points)
        want = theirs.find_simplex(x)
        got = ours.find_simplex(tb.array(x))
        assert got.dtype == want.dtype and got.shape == want.shape
        np.testing.assert_array_equal(np.where(got.get() < 0, -1, theirs_of[got.get()]), want)
        assert (ours.find_simplex(tb.array(x), bruteforce=True) == got).all()
        wide = theirs.find_simplex(x, bruteforce=True, tol=0.3) < 0
        np.testing.assert_array_equal(ours.find_simplex(tb.array(x), bruteforce=True, tol=0.3).get() < 0, wide)


def turn(a, b, c):
    return (a[0] - c[0]) * (b[1] - c[1]) - (a[1] - c[1]) * (b[0] - c[0])


def in_circle(a, b, c, d):
    a, b, c = ([p[0] - d[0], p[1] - d[1]] for p in (a, b, c))
    return sum((p[0] ** 2 + p[1] ** 2) * (q[0] * r[1] - q[1] * r[0]) for p, q, r in ((a, b, c), (b, c, a), (c, a, b)))


def check_triangulation(ours, points):
    """By exact arithmetic: triangles that turn left, whose neighbours' corners are not in their circles (so that no
    point is), which cover the hull, and of which every point or its equal is a corner."""
    corners, neighbors = ours.simplices.tolist(), ours.neighbors.tolist()
    hull, area = set(), 0
    for number, (row, others) in enumerate(zip(corners, neighbors, strict=True)):
        a, b, c = (points[n] for n in row)
        assert turn(a, b, c) > 0
        area += turn(a, b, c)
        for k, other in enumerate(others):
            i, j = row[(k + 1) % 3], row[(k + 2) % 3]
            if other < 0:
                hull.add((i, j))
                continue
            across, = set(corners[other]) - {i, j}
            assert neighbors[other][corners[other].index(across)] == number
            assert in_circle(a, b, c, points[across]) <= 0
    assert set(map(tuple, ours.convex_hull.tolist())) == hull
    follows = dict(hull)
    at, around = min(follows), [min(follows)]
    while follows[at] != around[0]:
        at = follows[at]
        around.append(at)
    assert len(around) == len(hull)
    steps = list(zip(around, around[1:] + around[:1], around[2:] + around[:2], strict=True))
    assert all(turn(points[i], points[j], points[k]) >= 0 for i, j, k in steps)
    assert area == sum(points[i][0] * points[j][1] - points[i][1] * points[j][0] for i, j, _ in steps)
    first = {tuple(p): n for n, p in reversed(list(enumerate(points)))}
    assert {n for row in corners for n in row} == set(first.values())
    of_point = ours.vertex_to_simplex.tolist()
    assert all(n in corners[of_point[n]] for n in first.values())
    twins = [[n, of_point[first[tuple(p)]], first[tuple(p)]] for n, p in enumerate(points) if first[tuple(p)] != n]
    assert ours.coplanar.tolist() == twins and ours.coplanar.shape == (len(twins), 3)
    assert all(of_point[n] == -1 for n, _, _ in twins)


@st.composite
def degenerate(draw):
    """Points of which many are on lines and circles, or equal, or nearly so."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    n = draw(st.integers(3, 120))
    kind = draw(st.sampled_from(["grid", "uneven", "turned", "circle", "equal", "lines", "scales", "thin"]))
    a, b = np.divmod(np.arange(n), max(2, int(n ** 0.5)))
    points = np.stack([a, b], axis=1).astype("d")
    if kind == "uneven":
        points = points * 0.1 + 1 / 3
    elif kind == "turned":
        points = points @ np.array([[math.cos(1), math.sin(1)], [-math.sin(1), math.cos(1)]])
    elif kind == "circle":
        t = rng.integers(0, 4, n) * math.pi / 2 + rng.choice([0, math.atan2(3, 4), 0.3], n)
        points = np.stack([np.cos(t), np.sin(t)], axis=1) * 5
        points = np.concatenate([points.round(), points])
    elif kind == "equal":
        points = rng.integers(0, 4, (n, 2)) / 3
    elif kind == "lines":
        points[:, 0], points[:, 1] = rng.integers(0, 2, n), rng.random(n)
    elif kind == "scales":
        points = rng.standard_normal((n, 2)) * 10.0 ** rng.integers(-60, 1, (n, 1))
    elif kind == "thin":
        points = np.stack([rng.random(n), rng.integers(-2, 3, n) * 1e-17], axis=1)
    return rng.permutation(points)


@given(degenerate())
def test_triangulations_of_degenerate_points(points):
    exact = [[Fraction(float(c)) for c in p] for p in points]
    first = exact[0]
    other = next((p for p in exact if p != first), first)
    if all(turn(first, other, p) == 0 for p in exact):
        with pytest.raises(ss.QhullError, match="one line"):
            xs.Delaunay(tb.array(points))
        return
    ours = xs.Delaunay(tb.array(points))
    check_triangulation(ours, exact)
    check_finding(ours, points)


def check_finding(ours, points):
    """Corners and middles are in a triangle that holds them but for rounding; what is far away is in none."""
    corners = points[ours.simplices.get()]
    x = np.concatenate([points, corners.mean(axis=1), (corners[:, 0] + corners[:, 1]) / 2])
    got = ours.find_simplex(tb.array(x)).get()
    width = abs(points).max()
    for at, number in zip(x, got, strict=True):
        if number < 0:  # outside of all that is no mere line, by rounding
            continue
        a, b, c = corners[number]
        assert all(turn(at, p, q) >= -1e-7 * width * np.linalg.norm(p - q) for p, q in ((a, b), (b, c), (c, a)))
    area = abs(turn(*corners.transpose(1, 2, 0).reshape(3, 2, -1)))
    fat = got[len(points):len(points) + len(area)][area > 1e-9 * width**2]
    assert (fat == np.flatnonzero(area > 1e-9 * width**2)).all()
    far = np.array([[3 * width, 0], [math.nan, 0], [0, -math.inf]]) + points[0]
    assert ours.find_simplex(tb.array(far)).tolist() == [-1, -1, -1]
    assert ours.find_simplex(tb.array(points[0])).shape == ()


def test_flat_triangles():
    """They have no map; what is on their edges is in the triangles beside them."""
    points = np.array([[0, 0], [1, 0], [0.5, 1e-17], [0.5, 1.0]])
    ours = xs.Delaunay(tb.array(points))
    assert ours.nsimplex == 3
    flat = np.isnan(ours.transform.get()).all(axis=(1, 2))
    assert flat.sum() == 1 and np.isfinite(ours.transform.get()[~flat]).all()
    found = ours.find_simplex(tb.array([[0.0, 0.0], [0.25, 0.0], [0.5, 0.0], [0.6, 0.1], [0.7, -1e-6]])).get()
    assert not flat[found[found >= 0]].any() and (found[:4] >= 0).all() and found[4] == -1
    want = ss.Delaunay(points[[0, 1, 3]]).transform
    ours = xs.Delaunay(tb.array(points[[0, 1, 3]]))
    shift = points[[0, 1, 3]][ours.simplices.get()[0, 2]]
    close(ours.transform[0, 2], shift)
    np.testing.assert_allclose(abs(np.linalg.det(ours.transform.get()[0, :2])), abs(np.linalg.det(want[0, :2])))


def test_many_points_of_the_plane():
    """More than one round, and walks that take as long as they may."""
    from tombacx.scipy.spatial import _plane

    rng = np.random.default_rng(7)
    points = rng.random((3000, 2))
    ours, theirs = xs.Delaunay(tb.array(points)), ss.Delaunay(points)
    assert sorted(map(sorted, ours.simplices.tolist())) == sorted(map(sorted, theirs.simplices.tolist()))
    x = tb.array(rng.random((50, 2)))
    flat, rows = tb.zeros(ours.nsimplex, "?"), ours.points[ours.simplices].reshape(-1, 6)
    at = tb.zeros(50, "i")
    found, left = _plane.find(rows, ours.neighbors, flat, at, x, 1e-14)
    assert left.size == 0 and (found == ours.find_simplex(x)).all()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(_plane, "_STEPS", 2)
        _, left = _plane.find(rows, ours.neighbors, flat, at, x, 1e-14)
        assert left.size > 0
        assert (ours.find_simplex(x) == found).all()


@pytest.mark.parametrize("asked", [3, 20_000])
def test_many_points_are_found(asked):
    """By a grid where many are asked for, else from the nearest of some triangles."""
    rng = np.random.default_rng(8)
    points = np.concatenate([rng.random((4000, 2)), rng.standard_normal((500, 2)) * 1e-3])
    ours, theirs = xs.Delaunay(tb.array(points)), ss.Delaunay(points)
    x = np.concatenate([rng.uniform(-0.1, 1.1, (asked, 2)), [[1e300, -1e300], [math.nan, 0.5], [0.5, math.inf]]])
    got, want = ours.find_simplex(tb.array(x)).get(), theirs.find_simplex(x)
    np.testing.assert_array_equal(got < 0, want < 0)
    there = got >= 0
    corners = ours.simplices.get()[got[there]]
    np.testing.assert_array_equal(np.sort(corners, 1), np.sort(theirs.simplices[want[there]], 1))


@pytest.mark.parametrize("d", [2, 3])
def test_search(d):
    rng = np.random.default_rng(d)
    points, x = rng.random((30, d)), rng.uniform(-0.2, 1.2, (4, 5, d))
    ours = xs.Delaunay(tb.array(points))
    got = xs.tsearch(ours, tb.array(x))
    assert got.dtype == "i" and got.shape == (4, 5)
    np.testing.assert_array_equal(got.get() < 0, ss.tsearch(ss.Delaunay(points), x) < 0)
    np.testing.assert_array_equal(got.get(), ours.find_simplex(tb.array(x)).get())
    with pytest.raises(ValueError):
        xs.tsearch(ours, tb.array(x[..., :1]))


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
    for incremental in (False, True):
        held = xs.Delaunay(tb.random.rand(5, 2), incremental=incremental)
        held.close()
        with pytest.raises(RuntimeError, match="incremental"):
            held.add_points(tb.zeros((1, 2)))
    with pytest.raises(ValueError, match="2 dimensions"):
        xs.Delaunay(tb.random.rand(5, 2)).find_simplex(tb.zeros(3))
