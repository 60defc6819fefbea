"""Graphs in other forms; flows, matchings by weight and the like, by SciPy on the host. Results are on the device."""

import operator

from tombac import _core
from tombac._numpy import np
from tombacx._scatter import scatter_min
from tombacx.scipy._host import host, scipy_function
from tombacx.scipy.sparse import issparse
from tombacx.scipy.sparse._by_scipy import taken
from tombacx.scipy.sparse.csgraph._edges import of_array, on_host_edges, square, tree
from tombacx.scipy.sparse.csgraph._host import checked, computed, on_host, to_scipy

__all__ = [
    "construct_dist_matrix", "csgraph_from_dense", "csgraph_to_dense", "maximum_flow",
    "min_weight_full_bipartite_matching", "reconstruct_path", "yen",
]


class MaximumFlowResult:
    """What ``maximum_flow`` finds: the int ``flow_value`` and the sparse matrix ``flow``."""

    __slots__ = ("flow", "flow_value")

    def __init__(self, flow_value, flow):
        self.flow_value, self.flow = flow_value, flow

    def __repr__(self):
        return f"MaximumFlowResult with value of {self.flow_value}"


def maximum_flow(csgraph, source, sink, *, method="dinic"):
    """The most that can flow from one vertex to another, by SciPy on the host.

    Args:
        csgraph: A sparse matrix of shape (n, n) in the CSR format, whose int32 elements are capacities of edges.
        source, sink: The two vertices.
        method: 'dinic' or 'edmonds_karp'.

    Returns:
        An object with ``flow_value``, an int, and ``flow``, a sparse matrix of shape (n, n) of what flows along edges,
        negative against their direction.

    Raises:
        ValueError: A vertex is not in the graph, both are the same, or the capacities are no int32.
        TypeError: ``csgraph`` is no matrix of tombac's, or not in the CSR format, or a vertex is no integer.

    >>> graph = tombacx.scipy.sparse.csr_matrix(tombac.array([[0, 5], [0, 0]], "int32"))
    >>> tombacx.scipy.sparse.csgraph.maximum_flow(graph, 0, 1).flow_value
    5
    """
    f = scipy_function("scipy.sparse.csgraph", "maximum_flow")
    source, sink = (operator.index(host(i)) for i in (source, sink))  # without which SciPy's runs on for ever
    result = f(to_scipy("maximum_flow", csgraph), source, sink, method=method)
    return MaximumFlowResult(int(result.flow_value), taken(result.flow))


def min_weight_full_bipartite_matching(biadjacency, maximize=False):
    """Pairs of rows and columns, one for each of the fewer, whose edges have the least weight, by SciPy on the host.

    Args:
        biadjacency: A sparse matrix of shape (m, n), whose elements are weights of edges.
        maximize: Whether the weight is to be the largest instead.

    Returns:
        A tuple of two arrays of integers: the rows, and the column that each is paired with.

    Raises:
        ValueError: There are no such pairs.
        TypeError: ``biadjacency`` is no matrix of tombac's.

    >>> graph = tombacx.scipy.sparse.csr_matrix(tombac.array([[1, 3], [2, 9]]))
    >>> tombacx.scipy.sparse.csgraph.min_weight_full_bipartite_matching(graph)[1]
    array([1, 0], dtype=int32)
    """
    return on_host("min_weight_full_bipartite_matching", biadjacency, maximize)


def yen(csgraph, source, sink, K, *, directed=True, return_predecessors=False, unweighted=False):
    """Lengths of the K shortest ways from one vertex to another without loops, by SciPy (1.14 or later) on the host.

    Args:
        csgraph: A sparse matrix or an array of shape (n, n), whose elements are lengths of edges.
        source, sink: The two vertices.
        K: How many ways are looked for.
        directed: Whether edges have a direction.
        return_predecessors: Whether the vertex before each is returned as well.
        unweighted: Whether every edge has the length 1.

    Returns:
        An array of at most K lengths, in order; with predecessors, a tuple of that and an int32 array with a row of n
        for each way, -9999 where there is none.

    Raises:
        ValueError: The graph is not square, or a vertex is not in it.
        TypeError: ``csgraph`` is no matrix of tombac's.

    >>> graph = tombac.array([[0.0, 1.0, 5.0], [0.0, 0.0, 2.0], [0.0, 0.0, 0.0]])
    >>> tombacx.scipy.sparse.csgraph.yen(graph, 0, 2, 2)
    array([3., 5.])
    """
    return on_host("yen", csgraph, source, sink, K, directed=directed, return_predecessors=return_predecessors,
                   unweighted=unweighted)


def reconstruct_path(csgraph, predecessors, directed=True):
    """The tree that the vertices before each make, with the lengths of a graph's edges.

    Args:
        csgraph: A sparse matrix or an array of shape (n, n), whose elements are lengths of edges.
        predecessors: An int32 array of shape (n,) of the vertex before each, negative where there is none.
        directed: Whether edges have a direction; if not, the shorter of the two between a pair counts.

    Returns:
        A sparse matrix of shape (n, n) with the edges of the tree.

    Raises:
        ValueError: The graph is not square.
        TypeError: ``csgraph`` is no matrix of tombac's.

    >>> graph = tombac.array([[0, 1, 1], [0, 0, 0], [0, 0, 0]])
    >>> before = tombac.array([-9999, 0, 0], "int32")
    >>> tombacx.scipy.sparse.csgraph.reconstruct_path(graph, before).nnz
    2
    """
    predecessors, n = _core.asarray(predecessors), checked("reconstruct_path", csgraph).shape[0]
    if predecessors.shape != (n,):
        raise ValueError(f"reconstruct_path: of {n} vertices there must be as many before them")
    edges = on_host_edges("reconstruct_path", csgraph, directed)
    if edges is None:
        return on_host("reconstruct_path", csgraph, predecessors, directed)
    return tree(csgraph, edges, _core._sparse_tree(*edges._pattern(), edges.data, predecessors, bool(directed)))


def construct_dist_matrix(graph, predecessors, directed=True, null_value=float("inf")):
    """Lengths of the ways that the vertices before each make, by SciPy on the host.

    Args:
        graph: A sparse matrix or an array of shape (n, n), whose elements are lengths of edges.
        predecessors: An int32 array of shape (n, n): in row i the vertices before each on the ways from vertex i.
        directed: Whether edges have a direction; if not, the shorter of the two between a pair counts.
        null_value: What stands where there is no way.

    Returns:
        An array of shape (n, n) of float64.

    Raises:
        ValueError: Shapes do not match, or following the vertices before each ends nowhere.
        TypeError: ``graph`` is no matrix of tombac's.

    >>> graph = tombac.array([[0.0, 1.0], [0.0, 0.0]])
    >>> before = tombac.array([[-9999, 0], [-9999, -9999]], "int32")
    >>> tombacx.scipy.sparse.csgraph.construct_dist_matrix(graph, before)
    array([[ 0.,  1.],
           [inf,  0.]])
    """
    host_graph, before = to_scipy("construct_dist_matrix", graph), host(predecessors)
    if np.shape(before) == (graph.shape[0],) * 2:  # what else there is SciPy has an error for
        _check_ends(np.asarray(before))
    return computed("construct_dist_matrix", host_graph, before, directed, null_value)


_NO_VERTEX = -9999


def _check_ends(before):
    """Raises ValueError where the vertices before some vertex never come to the row's own one, or to none."""
    n = len(before)
    place = np.where(before == _NO_VERTEX, n, before)
    if n and not (0 <= place.min() and place.max() <= n) or (before == n).any():
        raise ValueError(f"construct_dist_matrix: vertices before others must be below {n}, or {_NO_VERTEX}")
    ends = np.concatenate((place, np.full((n, 1), n, place.dtype)), 1).astype(np.intp)
    own = np.arange(n)
    ends[own, own] = own
    for _ in range(n.bit_length()):  # each time twice as many steps
        ends = np.take_along_axis(ends, ends, 1)
    if not ((ends == n) | (ends == own[:, None])).all():
        raise ValueError("construct_dist_matrix: there is a cycle among the vertices before others")


def csgraph_from_dense(graph, null_value=0, nan_null=True, infinity_null=True):
    """A sparse graph of an array.

    Args:
        graph: An array of shape (n, n), whose elements are lengths of edges.
        null_value: What is no edge; may be NaN, infinity, or None.
        nan_null, infinity_null: Whether NaN and infinity are no edge either.

    Returns:
        A sparse matrix of shape (n, n) of float64.

    Raises:
        ValueError: The graph is not square.
        TypeError: ``graph`` is no array of tombac's.

    >>> tombacx.scipy.sparse.csgraph.csgraph_from_dense(tombac.array([[0.0, 1.0], [tombac.inf, 0.0]])).nnz
    1
    """
    if issparse(graph):
        raise TypeError(f"csgraph_from_dense: an array is expected, not {type(graph)}")
    return of_array(square("csgraph_from_dense", graph), null_value, nan_null, infinity_null)


def csgraph_to_dense(csgraph, null_value=0):
    """The array of a sparse graph; zeros that are stored are edges of it, and NaN an infinite one.

    Args:
        csgraph: A sparse matrix of shape (n, n), whose elements are lengths of edges; of those that are stored twice
            the least one counts.
        null_value: What stands where there is no edge.

    Returns:
        An array of shape (n, n) of float64.

    Raises:
        ValueError: The graph is not square, or dense.
        TypeError: ``csgraph`` is no matrix of tombac's.

    >>> graph = tombacx.scipy.sparse.csr_matrix(tombac.array([[0.0, 1.0], [0.0, 0.0]]))
    >>> tombacx.scipy.sparse.csgraph.csgraph_to_dense(graph, tombac.inf)
    array([[inf,  1.],
           [inf, inf]])
    """
    if not issparse(checked("csgraph_to_dense", csgraph)) or csgraph.format not in ("csr", "csc", "lil"):
        raise ValueError("csgraph_to_dense: csgraph must be sparse, in the CSR, CSC or LIL format")
    graph, null_value = square("csgraph_to_dense", csgraph).tocsr(), float(null_value)
    lengths = _core.fmin(graph.data.real.astype("d", copy=False), np.inf)
    if graph.has_canonical_format:
        every = graph._with(lengths, graph.indices, graph.indptr)
        there = graph._with(_core.ones(lengths.shape, "?"), graph.indices, graph.indptr)
        return _core.where(there.toarray(), every.toarray(), null_value) if null_value else every.toarray()
    row, col = graph.tocoo().coords
    least = _core.full(graph.shape, np.inf)
    scatter_min(least, (row, col), lengths)
    there = _core.zeros(graph.shape, "?")
    there[row, col] = True
    return _core.where(there, least, null_value)
