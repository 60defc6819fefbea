"""tombacx.scipy.sparse.csgraph against SciPy's."""

import copy
import itertools
import pickle
import warnings

import numpy as np
import pytest
import scipy.sparse
import scipy.sparse.csgraph as sg
from hypothesis import given
from hypothesis import strategies as st

import tombac as tb
import tombacx.scipy.sparse as xs
import tombacx.scipy.sparse.csgraph as xg
from tombacx.scipy.sparse.csgraph import _components

seeds = st.integers(0, 2**32 - 1)


def graph(rng, n, edges, dtype="d"):
    """Edges with whole lengths, so that ways of the same length are told apart in the same way."""
    ends = rng.integers(0, max(n, 1), (2, edges if n else 0))
    lengths = rng.integers(1, 9, ends.shape[1]).astype(dtype)
    h = scipy.sparse.coo_matrix((lengths, tuple(ends)), (n, n)).tocsr()
    h.sum_duplicates()
    return h


def both(h, dense):
    """A graph for SciPy and for tombac."""
    return (h.toarray(), tb.array(h.toarray())) if dense else (h, xs.csr_matrix(h))


def same(got, want):
    """Arrays, numbers, sparse matrices and tuples of them."""
    if isinstance(want, tuple):
        assert type(got) is tuple and len(got) == len(want)
        for g, w in zip(got, want, strict=True):
            same(g, w)
    elif scipy.sparse.issparse(want):
        assert xs.issparse(got) and got.dtype == want.dtype
        np.testing.assert_array_equal(got.toarray().get(), want.toarray())
    elif isinstance(want, np.ndarray):
        assert type(got) is tb.ndarray and got.dtype == want.dtype
        np.testing.assert_array_equal(got.get(), want)
    else:
        assert got == want


# ---- components ------------------------------------------------------------------------------------------------------


@given(seeds, st.integers(0, 30), st.integers(0, 40), st.booleans(), st.booleans(), st.sampled_from(["weak", "strong"]))
def test_connected_components(seed, n, edges, dense, directed, connection):
    theirs, ours = both(graph(np.random.default_rng(seed), n, edges), dense)
    want = sg.connected_components(theirs, directed, connection)
    same(xg.connected_components(ours, directed, connection), want)
    assert xg.connected_components(ours, directed, connection, False) == want[0]


@given(seeds, st.integers(0, 60), st.integers(0, 80), st.booleans())
def test_components_on_the_device(seed, n, edges, dense):
    h = graph(np.random.default_rng(seed), n, edges)
    same(_components.numbered(_components.lowest(both(h, dense)[1])), sg.connected_components(h, False))


@pytest.mark.parametrize("shape", ["path", "star", "ring", "pairs", "none", "all"])
def test_components_of_large_graphs(shape):
    """Numbers of vertices are no help: they are shuffled."""
    n = 3000
    places = np.random.default_rng(0).permutation(n)
    u, v = {"path": (np.arange(n - 1), np.arange(1, n)), "star": (np.zeros(n - 1, int), np.arange(1, n)),
            "ring": (np.arange(n), np.roll(np.arange(n), 1)), "pairs": (np.arange(0, n, 2), np.arange(1, n, 2)),
            "none": (np.arange(0), np.arange(0)), "all": (np.repeat(np.arange(50), 50), np.tile(np.arange(50), 50)),
            }[shape]
    h = scipy.sparse.coo_matrix((np.ones(len(u)), (places[u], places[v])), (n, n)).tocsr()
    same(_components.numbered(_components.lowest(xs.csr_matrix(h))), sg.connected_components(h, False))


def test_what_is_an_edge():
    """A zero that is stored is one; in an array NaN and infinity are none."""
    h = scipy.sparse.csr_matrix(([0.0], ([0], [1])), (3, 3))
    for d in (h, np.array([[0, np.nan, 0], [0, 0, np.inf], [0, 0, 0]]), np.array([[0, 1, 0], [0, 0, 0], [0, 0, 0]])):
        ours = xs.csr_matrix(d) if d is h else tb.array(d)
        want = sg.connected_components(d, False)
        same(_components.numbered(_components.lowest(ours)), want)
        same(xg.connected_components(ours, False), want)


# ---- what the host does ----------------------------------------------------------------------------------------------


@given(seeds, st.integers(1, 10), st.integers(0, 30), st.booleans(), st.booleans(), st.booleans(),
       st.sampled_from(["shortest_path", "dijkstra", "bellman_ford", "johnson", "floyd_warshall"]))
def test_paths(seed, n, edges, dense, directed, unweighted, name):
    theirs, ours = both(graph(np.random.default_rng(seed), n, edges), dense)
    options = {"directed": directed, "unweighted": unweighted, "return_predecessors": True}
    same(getattr(xg, name)(ours, **options), getattr(sg, name)(theirs, **options))
    same(getattr(xg, name)(ours), getattr(sg, name)(theirs))
    if name != "floyd_warshall":
        for start in (0, [0, n - 1]):
            want = getattr(sg, name)(theirs, indices=start)
            same(getattr(xg, name)(ours, indices=start), want)
            same(getattr(xg, name)(ours, indices=tb.array(start)), want)


PLACES = (None, 0, -1, [0, -1], [[0], [0]], [], 1.5, True, 99, "a")


def found(f, *args, **kwargs):
    """The result, or of which type the error is."""
    try:
        return f(*args, **kwargs)
    except (ValueError, TypeError) as e:
        return type(e)


@given(seeds, st.integers(1, 40), st.integers(0, 200), st.booleans(), st.booleans(), st.sampled_from(PLACES),
       st.sampled_from(["csr", "csc", "wide", None]), st.sampled_from([None, 0.0, np.inf, np.nan]))
def test_distances(seed, n, edges, directed, unweighted, indices, format, length):
    """Of elements in no order, some of which are stored twice, with ways of the same length, and odd lengths."""
    rng = np.random.default_rng(seed)
    data, *places = parts_in_no_order(rng, n, edges)
    if length is not None:
        data[rng.random(edges) < 0.2] = length
    kind = {"csc": "csc_matrix", "wide": "csr_array"}.get(format, "csr_matrix")
    if format == "wide":
        places = [x.astype("l") for x in places]
    theirs = getattr(scipy.sparse, kind)((data, *places), shape=(n, n))
    ours = getattr(xs, kind)(tuple(map(tb.array, (data, *places))), shape=(n, n))
    if format is None:
        theirs = theirs.toarray()
        ours = tb.array(theirs)
    options = {"directed": directed, "unweighted": unweighted, "indices": indices}
    calls = [("dijkstra", {"limit": 6}), ("dijkstra", {"min_only": True}), ("johnson", {}), ("bellman_ford", {})]
    for name, more in [*calls, *(("shortest_path", {"method": m}) for m in ("auto", "D", "J", "BF"))]:
        want = found(getattr(sg, name), theirs, **options, **more)
        got = found(getattr(xg, name), ours, **options, **more)
        if isinstance(want, type):
            assert got is want, (name, more)
        else:
            same(got, want)
            assert got.shape == want.shape


@pytest.mark.parametrize("turned", ["a.T", "a[::-1, ::-1]", "a[::2, ::2]", "a + 0"])
@pytest.mark.parametrize("name", ["floyd_warshall", "shortest_path", "dijkstra", "bellman_ford", "johnson"])
def test_paths_of_views(name, turned):
    h = np.random.default_rng(1).integers(0, 9, (8, 8)).astype("d")
    theirs, ours = (eval(turned, {"a": a}) for a in (h, tb.array(h)))
    for options in ({}, {"directed": False}, {"return_predecessors": True}):
        same(getattr(xg, name)(ours, **options), getattr(sg, name)(np.ascontiguousarray(theirs), **options))


@pytest.mark.parametrize("limit", [-1, np.nan, None, 0, 2])
def test_limits_of_paths(limit):
    h = scipy.sparse.csr_array(np.array([[0, 1.0, 5], [0, 0, 2], [1, 0, 0]]))
    want, got = (found(f, a, limit=limit) for f, a in ((sg.dijkstra, h), (xg.dijkstra, xs.csr_array(h))))
    assert got is want if isinstance(want, type) else same(got, want) is None


def test_more_of_paths():
    theirs, ours = both(graph(np.random.default_rng(0), 10, 30), False)
    for options in ({"limit": 5.0}, {"indices": [0, 3], "min_only": True},
                    {"indices": [0, 3], "min_only": True, "return_predecessors": True}):
        same(xg.dijkstra(ours, **options), sg.dijkstra(theirs, **options))
    for method in ("auto", "FW", "D", "BF", "J"):
        same(xg.shortest_path(ours, method), sg.shortest_path(theirs, method))
    h = scipy.sparse.csr_matrix(np.array([[0, -1.0], [-1, 0]]))
    for f in (xg.bellman_ford, xg.johnson, xg.floyd_warshall):
        with pytest.raises(xg.NegativeCycleError):
            f(xs.csr_matrix(h))
    assert xg.NegativeCycleError is sg.NegativeCycleError


@given(seeds, st.integers(1, 10), st.integers(0, 30), st.booleans())
def test_orders_and_trees(seed, n, edges, directed):
    rng = np.random.default_rng(seed)
    theirs, ours = both(graph(rng, n, edges), False)
    start = int(rng.integers(n))
    for name in ("breadth_first_order", "depth_first_order", "breadth_first_tree", "depth_first_tree"):
        same(getattr(xg, name)(ours, start, directed), getattr(sg, name)(theirs, start, directed))
    for name in ("reverse_cuthill_mckee", "structural_rank", "maximum_bipartite_matching", "laplacian"):
        same(getattr(xg, name)(ours), getattr(sg, name)(theirs))
    same(xg.maximum_bipartite_matching(ours, "column"), sg.maximum_bipartite_matching(theirs, "column"))
    for options in ({"normed": True}, {"return_diag": True}, {"use_out_degree": True}, {"symmetrized": True},
                    {"dtype": "f"}):
        same(xg.laplacian(ours, **options), sg.laplacian(theirs, **options))
    x = rng.random((n, 2))
    for options in ({}, {"normed": True, "symmetrized": True}):
        for form in ("function", "lo"):
            made, want = (g.laplacian(m, form=form, **options) for g, m in ((xg, ours), (sg, theirs)))
            call = {"function": lambda f, x: f(x), "lo": lambda f, x: f @ x}[form]
            np.testing.assert_allclose(call(made, tb.array(x)).get(), call(want, x), rtol=1e-12, atol=1e-12)
    dense, h = tb.array(theirs.toarray()), theirs.toarray()
    same(xg.laplacian(dense), sg.laplacian(h))
    np.testing.assert_array_equal(dense.get(), h)


@given(seeds, st.integers(1, 40), st.integers(0, 200), st.booleans())
def test_least_trees(seed, n, edges, dense):
    """Of edges of the same length SciPy takes any."""
    rng = np.random.default_rng(seed)
    h = graph(rng, n, edges)
    theirs, ours = both(h, dense)
    got = xg.minimum_spanning_tree(ours)
    assert got.sum() == sg.minimum_spanning_tree(theirs).sum()
    assert xg.connected_components(got)[0] == sg.connected_components(theirs)[0] == n - got.nnz
    h.data = rng.permutation(h.nnz) - 5.0
    theirs, ours = both(h, dense)
    same(xg.minimum_spanning_tree(ours), sg.minimum_spanning_tree(theirs))


def parts_in_no_order(rng, n, edges):
    """Elements of which some are stored twice and some are 0, and indptr."""
    row = np.sort(rng.integers(0, n, edges))
    parts = rng.integers(0, 5, edges).astype("d"), rng.integers(0, n, edges), np.searchsorted(row, np.arange(n + 1))
    return parts[0], parts[1].astype("i"), parts[2].astype("i")


@given(seeds, st.integers(1, 12), st.integers(0, 60), st.booleans(),
       st.sampled_from(["csr_matrix", "csr_array", "csc_matrix", "csc_array"]))
def test_searches_of_edges_in_no_order(seed, n, edges, directed, kind):
    rng = np.random.default_rng(seed)
    parts = parts_in_no_order(rng, n, edges)
    theirs = getattr(scipy.sparse, kind)(parts, shape=(n, n))
    ours = getattr(xs, kind)(tuple(map(tb.array, parts)), shape=(n, n))
    start = int(rng.integers(n))
    for name in ("breadth_first_order", "depth_first_order"):
        same(getattr(xg, name)(ours, start, directed), getattr(sg, name)(theirs, start, directed))
        tree = name.replace("order", "tree")
        got, want = getattr(xg, tree)(ours, start, directed), getattr(sg, tree)(theirs, start, directed)
        same(got, want)
        assert type(got).__name__ == type(want).__name__ and got.nnz == want.nnz
    for null in (0, np.nan, np.inf, -3):
        same(xg.csgraph_to_dense(ours, null), sg.csgraph_to_dense(theirs, null))
    there = scipy.sparse.coo_array(theirs).coords
    once = scipy.sparse.coo_array((np.ones(len(there[0]), "?"), there), shape=(n, n)).tocsr()
    assert xg.structural_rank(ours) == sg.structural_rank(once)


@given(seeds, st.integers(1, 40), st.integers(1, 40), st.floats(0, 1))
def test_pairs_of_rows_and_columns(seed, rows, cols, density):
    h = scipy.sparse.csr_array(np.random.default_rng(seed).random((rows, cols)) < density**3)
    for format in ("csr", "csc", "coo"):
        ours, theirs = xs.csr_array(h).asformat(format), h.asformat(format)
        for kind in ("row", "column"):
            same(xg.maximum_bipartite_matching(ours, kind), sg.maximum_bipartite_matching(theirs, kind))
        assert xg.structural_rank(ours) == sg.structural_rank(theirs)


def test_what_has_no_pairs():
    for h in (np.ones(3), np.eye(3)):
        for f in (xg.structural_rank, xg.maximum_bipartite_matching):
            with pytest.raises((TypeError, ValueError), match="sparse|two dimensions"):
                f(tb.array(h))
    with pytest.raises(TypeError, match="CSR, CSC or COO"):
        xg.maximum_bipartite_matching(xs.lil_array((2, 2)))
    for shape in ((0, 3), (3, 0), (2, 3)):
        assert xg.maximum_bipartite_matching(xs.csr_array(shape)).tolist() == [-1] * shape[1]
        assert xg.structural_rank(xs.csr_array(shape)) == 0


@pytest.mark.filterwarnings("ignore::numpy.exceptions.ComplexWarning")
@pytest.mark.parametrize("dtype", ["?", "b", "B", "i", "I", "l", "f", "d", "F", "D"])
@pytest.mark.parametrize("format", ["csr", "csc", "coo", "lil", "dok", "dia", "bsr", None])
def test_laplacians(format, dtype):
    rng = np.random.default_rng(1)
    h = (rng.integers(0, 4, (7, 7)) * (rng.random((7, 7)) < 0.5) * (1 if dtype in "?bBiIl" else 1.5)).astype(dtype)
    theirs = h if format is None else scipy.sparse.csr_array(h).asformat(format)
    ours = tb.array(h) if format is None else xs.csr_array(scipy.sparse.csr_array(h)).asformat(format)
    for normed, out, symmetrized, wanted in itertools.product((False, True), (False, True), (False, True), (None, "f")):
        options = {"normed": normed, "use_out_degree": out, "symmetrized": symmetrized, "dtype": wanted}
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                want, degrees = sg.laplacian(theirs, return_diag=True, **options)
        except (TypeError, OverflowError) as e:
            with pytest.raises(type(e)):
                xg.laplacian(ours, **options)
            continue
        got, found = xg.laplacian(ours, return_diag=True, **options)
        assert got.dtype == want.dtype and found.dtype == degrees.dtype
        np.testing.assert_allclose(found.get(), degrees, rtol=1e-6)
        if format is not None:
            assert got.format == want.format and type(got).__name__ == type(want).__name__
            assert got.format == "dia" or got.nnz == want.nnz
            got, want = got.toarray(), want.toarray()
        np.testing.assert_allclose(got.get(), want, rtol=1e-6)


@given(seeds, st.integers(2, 10), st.integers(0, 40), st.sampled_from(["dinic", "edmonds_karp"]))
def test_maximum_flow(seed, n, edges, method):
    theirs, ours = both(graph(np.random.default_rng(seed), n, edges, "i"), False)
    got, want = xg.maximum_flow(ours, 0, n - 1, method=method), sg.maximum_flow(theirs, 0, n - 1, method=method)
    assert type(got.flow_value) is int and repr(got) == repr(want)
    same(got.flow_value, want.flow_value)
    same(got.flow, want.flow)


@given(seeds, st.integers(1, 8), st.integers(1, 8), st.booleans())
def test_matchings_by_weight(seed, rows, cols, maximize):
    h = scipy.sparse.csr_matrix(np.random.default_rng(seed).integers(1, 99, (rows, cols)))
    same(xg.min_weight_full_bipartite_matching(xs.csr_matrix(h), maximize),
         sg.min_weight_full_bipartite_matching(h, maximize))


def test_no_full_matching():
    with pytest.raises(ValueError, match="matching"):
        xg.min_weight_full_bipartite_matching(xs.csr_matrix(tb.array([[1, 0], [1, 0]])))


@given(seeds, st.integers(2, 8), st.integers(0, 30), st.booleans(), st.booleans())
def test_ways_from_predecessors(seed, n, edges, dense, directed):
    theirs, ours = both(graph(np.random.default_rng(seed), n, edges), dense)
    before = sg.shortest_path(theirs, directed=directed, return_predecessors=True)[1]
    for null in (np.inf, 0.0):
        same(xg.construct_dist_matrix(ours, tb.array(before), directed, null),
             sg.construct_dist_matrix(theirs, before, directed, null))
    same(xg.reconstruct_path(ours, tb.array(before[0]), directed), sg.reconstruct_path(theirs, before[0], directed))
    for options in ({}, {"unweighted": True}, {"return_predecessors": True}):
        same(xg.yen(ours, 0, n - 1, 4, directed=directed, **options),
             sg.yen(theirs, 0, n - 1, 4, directed=directed, **options))


@pytest.mark.parametrize("options", [{}, {"null_value": 3}, {"null_value": np.nan}, {"nan_null": False},
                                     {"infinity_null": False}, {"null_value": None, "nan_null": False}])
def test_graphs_of_arrays(options):
    h = np.array([[0, 1, np.nan], [3, 0, np.inf], [2, 5, 3]])
    theirs, ours = sg.csgraph_from_dense(h, **options), xg.csgraph_from_dense(tb.array(h), **options)
    same(ours, theirs)
    assert ours.nnz == theirs.nnz
    for null in (0, np.inf, -1):
        same(xg.csgraph_to_dense(ours, null), sg.csgraph_to_dense(theirs, null))
    with pytest.raises(TypeError, match="an array is expected"):
        xg.csgraph_from_dense(ours)


_MORE = {"maximum_flow": (0, 1), "yen": (0, 1, 1), "reconstruct_path": ([-1, -1],),
         "construct_dist_matrix": ([[-1, -1], [-1, -1]],)}
_OF_ANY_SHAPE = ("structural_rank", "maximum_bipartite_matching", "reverse_cuthill_mckee",
                 "min_weight_full_bipartite_matching", "csgraph_from_dense")


@pytest.mark.parametrize("name", xg.__all__)
def test_bad_graphs(name):
    f = getattr(xg, name)
    more = _MORE.get(name, (0,) if "first" in name else ())
    for bad in (np.eye(3), scipy.sparse.csr_matrix(np.eye(3)), [[1.0]], None):
        with pytest.raises(TypeError, match=f"{name}: a sparse matrix or a tombac.ndarray"):
            f(bad, *more)
    with pytest.raises(ValueError, match="two dimensions"):
        f(tb.ones(3), *more)
    if name not in _OF_ANY_SHAPE:
        with pytest.raises(ValueError):
            f(xs.csr_matrix(scipy.sparse.csr_matrix(np.ones((2, 3)))), *more)


def test_bad_arguments():
    h = xs.csr_matrix(scipy.sparse.csr_matrix(np.eye(3)))
    with pytest.raises(ValueError, match="'weak' or 'strong'"):
        xg.connected_components(h, connection="some")
    with pytest.raises(ValueError, match="form"):
        xg.laplacian(h, form="other")
    for start, error in ((-1, OverflowError), (3, IndexError), ("a", TypeError), (None, TypeError), (1j, TypeError)):
        with pytest.raises(error, match="depth_first_order"):
            xg.depth_first_order(h, start)
    with pytest.raises(IndexError):
        xg.reconstruct_path(h, tb.array([0, 3, 0]))
    with pytest.raises(ValueError):
        xg.reconstruct_path(h, tb.array([0, 1]))
    for bad in (h.tocoo(), tb.eye(3)):
        with pytest.raises(ValueError, match="CSR, CSC or LIL"):
            xg.csgraph_to_dense(bad)
    with pytest.raises(AttributeError, match="no_such_name"):
        xg.no_such_name


@pytest.mark.parametrize("form", ["function", "lo"])
@pytest.mark.parametrize("dtype", ["?", "u1", "u4", "i2", "d"])
@pytest.mark.parametrize("wanted", [None, "i4"])
def test_laplacians_are_applied_as_the_graph_is(form, dtype, wanted):
    h = np.array([[0, 1, 0], [1, 0, 3.7], [0, 3.7, 0]]).astype(dtype)
    made, want = (g.laplacian(m, form=form, dtype=wanted) for g, m in ((xg, tb.array(h)), (sg, h.astype("d"))))
    x = np.random.default_rng(1).random((3, 2))
    got = made(tb.array(x)) if form == "function" else made @ tb.array(x)
    np.testing.assert_allclose(got.get(), want(x) if form == "function" else want @ x, 1e-12)


# ---- what SciPy's do not come back from ------------------------------------------------------------------------------


@given(seeds, st.integers(1, 9), st.integers(0, 20), st.booleans(), st.booleans(), st.booleans())
@pytest.mark.filterwarnings("ignore:Graph has negative weights")
def test_dijkstra_of_negative_lengths(seed, n, edges, dense, directed, few):
    rng = np.random.default_rng(seed)
    h = graph(rng, n, edges)
    h.data -= rng.choice([0, 0, 4], h.nnz)
    h.eliminate_zeros()
    theirs, ours = both(h, dense)
    starts = rng.integers(-n, n, 2) if few else None
    try:
        want = sg.bellman_ford(theirs, directed, starts)
    except sg.NegativeCycleError:
        for f in (lambda: xg.dijkstra(ours, directed, starts),
                  lambda: xg.dijkstra(ours, directed, starts, min_only=True),
                  lambda: xg.shortest_path(ours, "D", directed, indices=starts)):
            with pytest.raises(xg.NegativeCycleError):
                f()
    else:
        same(xg.dijkstra(ours, directed, starts), want)
        same(xg.shortest_path(ours, "D", directed, indices=starts), want)
    same(xg.dijkstra(ours, directed, starts, unweighted=True), sg.dijkstra(theirs, directed, starts, unweighted=True))


@pytest.mark.parametrize("name", ["breadth_first_order", "depth_first_order", "breadth_first_tree", "depth_first_tree"])
def test_a_vertex_beyond_the_last_one(name):
    for i in (3, 99, tb.array(3)):
        with pytest.raises(IndexError, match="vertex"):
            getattr(xg, name)(tb.eye(3), i)


def test_flow_from_half_a_vertex():
    with pytest.raises(TypeError):
        xg.maximum_flow(xs.csr_matrix(tb.eye(3, dtype="i4")), 1.5, 1)


@pytest.mark.parametrize("row", [[1, 2, 1], [-9999, 1, 0], [-1, 0, 0], [9, 0, 0]])
def test_vertices_before_others_that_lead_nowhere(row):
    with pytest.raises(ValueError, match="vertices before others"):
        xg.construct_dist_matrix(tb.eye(3), tb.array([row, [-9999] * 3, [-9999] * 3], "i4"))


# ---- the graph's own memory, which SciPy reads where the device is the host ------------------------------------------

CALLS = {
    "dijkstra": {}, "shortest_path": {}, "bellman_ford": {}, "johnson": {}, "floyd_warshall": {},
    "breadth_first_order": {"i_start": 1}, "breadth_first_tree": {"i_start": 1}, "depth_first_order": {"i_start": 1},
    "depth_first_tree": {"i_start": 1}, "minimum_spanning_tree": {}, "laplacian": {}, "reverse_cuthill_mckee": {},
    "structural_rank": {}, "maximum_bipartite_matching": {}, "csgraph_to_dense": {},
    "min_weight_full_bipartite_matching": {}, "yen": {"source": 0, "sink": 3, "K": 3},
}


def of_parts(sparse, array, format, dtype):
    """Rows whose elements are in no order; one is stored twice, and one is 0."""
    data, indices, indptr = [3, 1, 2, 4, 5, 0, 1, 2, 6], [2, 0, 1, 1, 3, 2, 0, 0, 3], [0, 3, 5, 7, 9]
    make = getattr(sparse, f"{format}_matrix")
    return make((array(data).astype(dtype), array(indices, "i"), array(indptr, "i")), shape=(4, 4))


def outcome(module, name, a):
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)  # of weights of 0
            return getattr(module, name)(a, **CALLS[name])
    except (ValueError, TypeError) as e:
        return type(e)


@pytest.mark.parametrize("name", CALLS)
@pytest.mark.parametrize("format", ["csr", "csc"])
@pytest.mark.parametrize("dtype", ["d", "i", "f"])
def test_graphs_are_only_read(name, format, dtype):
    ours, theirs = of_parts(xs, tb.array, format, dtype), of_parts(scipy.sparse, np.array, format, dtype)
    parts = [x.get().tolist() for x in (ours.data, ours.indices, ours.indptr)]
    for _ in range(2):
        got, want = outcome(xg, name, ours), outcome(sg, name, theirs.copy())
        if isinstance(want, type):
            assert got is want
        else:
            same(got, want)
        assert [x.get().tolist() for x in (ours.data, ours.indices, ours.indptr)] == parts
    for x in got if isinstance(got, tuple) else (got,):
        x = x if isinstance(x, tb.ndarray) else getattr(x, "data", None)
        if isinstance(x, tb.ndarray):
            x += 7  # the result's memory is its own
    assert [x.get().tolist() for x in (ours.data, ours.indices, ours.indptr)] == parts


@pytest.mark.parametrize("write", [
    "a.data *= 2", "a.data[3] = 9", "a.indices[...] = xp.array([0, 1, 2, 1, 3, 0, 2, 0, 3], 'i')",
    "a.data = a.data + 1", "a.indptr = xp.array([0, 1, 4, 7, 9], 'i')", "a[3, 1] = 8", "a.sort_indices()",
    "a.sum_duplicates()", "a.eliminate_zeros()", "a.resize((3, 3))", "a.data[:] = a.data[::-1].copy()",
])
def test_what_is_written_to_a_graph_is_seen(write):
    ours, theirs = of_parts(xs, tb.array, "csr", "d"), of_parts(scipy.sparse, np.array, "csr", "d")
    calls = ["dijkstra", "breadth_first_order", "minimum_spanning_tree", "csgraph_to_dense"]
    for name in calls:
        same(outcome(xg, name, ours), outcome(sg, name, theirs.copy()))
    exec(write, {"a": ours, "xp": tb})
    exec(write, {"a": theirs, "xp": np})
    for name in calls:
        same(outcome(xg, name, ours), outcome(sg, name, theirs.copy()))
    same(pickle.loads(pickle.dumps(ours)), theirs)
    same(copy.deepcopy(ours), theirs)


def test_half_precision_is_read_anew():
    a = xs.csr_matrix(tb.array([[0, 1, 4], [0, 0, 1], [0, 0, 0]], "e"))
    assert xg.dijkstra(a, indices=0).tolist() == [0, 1, 2]
    a.data *= 3
    assert xg.dijkstra(a, indices=0).tolist() == [0, 3, 6]
