"""Shortest paths. Where the device is the host and no edge is of negative length, which way distances are found does
not change them, and the core finds them. All else SciPy does on the host; results are on the device."""

from tombac import _core
from tombac._numpy import np
from tombacx.scipy._host import host
from tombacx.scipy.sparse.csgraph._cycles import refuse_negative_cycles
from tombacx.scipy.sparse.csgraph._edges import on_host_edges
from tombacx.scipy.sparse.csgraph._host import computed, on_host, to_scipy

__all__ = ["bellman_ford", "dijkstra", "floyd_warshall", "johnson", "shortest_path"]

_INFINITE = float("inf")


def _first(indices, n):
    """The vertices to begin with as a vector, and their shape; None for others than SciPy takes as they are."""
    if indices is None:
        return _core.arange(n), (n,)
    given = np.asarray(indices)
    if given.dtype.kind not in "iu":
        return None
    if given.ndim == 0:
        first = int(given)
        return (_core.full(1, first + n if first < 0 else first, "l"), ()) if -n <= first < n else None
    if given.size and not (given.min() >= -n and given.max() < n):
        return None
    return _core.array(np.where(given < 0, given + n, given).ravel().astype("l")), given.shape


def _distances(name, graph, directed, indices, unweighted, limit=_INFINITE, any_of=False, suits=None):
    """Distances; None where they are to be SciPy's, as for a graph that does not suit."""
    edges = on_host_edges(name, graph, directed)
    if edges is None or not limit >= 0 or suits is not None and not suits(edges):
        return None
    n = edges.shape[0]
    first = _first(indices, n)
    if first is None:
        return None
    lengths = None if unweighted else edges.data
    found = _core._sparse_distances(*edges._pattern(), lengths, first[0], bool(directed), bool(any_of), limit)
    return found if found is None or any_of else found.reshape((*first[1], n))


_SEARCHES = "auto", "D", "J", "BF"


def _is_sparse(edges):
    """Whether there are so few edges that of all distances a search is the quickest way to find them."""
    return edges.nnz < edges.shape[0]**2 / 4


def shortest_path(csgraph, method="auto", directed=True, return_predecessors=False, unweighted=False,
                  overwrite=False, indices=None):
    """Lengths of shortest paths between vertices.

    Args:
        csgraph: A sparse matrix or an array of shape (n, n), whose elements are lengths of edges; in an array zero,
            infinity and NaN are no edge.
        method: 'auto', 'FW' (floyd_warshall), 'D' (dijkstra), 'BF' (bellman_ford) or 'J' (johnson).
        directed: Whether edges have a direction; if not, the shorter of the two between a pair counts.
        return_predecessors: Whether the vertex before each is returned as well.
        unweighted: Whether every edge has the length 1.
        overwrite: Accepted; nothing is overwritten.
        indices: The vertices to begin with, an int or several; by default all.

    Returns:
        An array of distances, of shape (n, n), or (k, n) for k vertices to begin with, infinite where there is no way;
        with predecessors, a tuple of that and an int32 array of the same shape, -9999 where there is none.

    Raises:
        ValueError: The graph is not square, or an argument is out of range.
        NegativeCycleError: Some way gets shorter without end.
        TypeError: ``csgraph`` is no matrix of tombac's.

    >>> graph = tombac.array([[0.0, 1.0, 5.0], [0.0, 0.0, 2.0], [0.0, 0.0, 0.0]])
    >>> tombacx.scipy.sparse.csgraph.shortest_path(graph, indices=0)
    array([0., 1., 3.])
    """
    indices = host(indices)
    if not return_predecessors and isinstance(method, str) and method in _SEARCHES:
        found = _distances("shortest_path", csgraph, directed, indices, unweighted,
                           suits=_is_sparse if method == "auto" and indices is None else None)
        if found is not None:
            return found
    graph = to_scipy("shortest_path", csgraph)
    if isinstance(method, str) and method == "D" and not unweighted:
        refuse_negative_cycles("shortest_path", graph, directed, indices)
    return computed("shortest_path", graph, method, directed, return_predecessors, unweighted, False, indices)


def dijkstra(csgraph, directed=True, indices=None, return_predecessors=False, unweighted=False, limit=float("inf"),
             min_only=False):
    """Lengths of shortest paths by Dijkstra's algorithm, for edges that are not negative, or few of which are.

    Args:
        csgraph: A sparse matrix or an array of shape (n, n), whose elements are lengths of edges; in an array zero,
            infinity and NaN are no edge.
        directed: Whether edges have a direction; if not, the shorter of the two between a pair counts.
        indices: The vertices to begin with, an int or several; by default all.
        return_predecessors: Whether the vertex before each is returned as well.
        unweighted: Whether every edge has the length 1.
        limit: The largest distance that is looked at.
        min_only: Whether only the least distance from any of the vertices to begin with is returned.

    Returns:
        An array of distances, of shape (n, n), or (k, n) for k vertices to begin with, infinite where there is no way;
        with predecessors, a tuple of that and an int32 array of the same shape, -9999 where there is none. With
        ``min_only`` of shape (n,), and with predecessors also an array of which vertex each way begins at.

    Raises:
        ValueError: The graph is not square, or an argument is out of range.
        NegativeCycleError: Some way gets shorter without end.
        TypeError: ``csgraph`` is no matrix of tombac's.

    >>> graph = tombac.array([[0.0, 1.0, 5.0], [0.0, 0.0, 2.0], [0.0, 0.0, 0.0]])
    >>> tombacx.scipy.sparse.csgraph.dijkstra(graph, indices=0)
    array([0., 1., 3.])
    """
    indices = host(indices)
    if not return_predecessors:
        found = _distances("dijkstra", csgraph, directed, indices, unweighted, limit, min_only)
        if found is not None:
            return found
    graph = to_scipy("dijkstra", csgraph)
    if not unweighted:
        refuse_negative_cycles("dijkstra", graph, directed, indices)
    return computed("dijkstra", graph, directed, indices, return_predecessors, unweighted, limit, min_only)


def bellman_ford(csgraph, directed=True, indices=None, return_predecessors=False, unweighted=False):
    """Lengths of shortest paths by Bellman and Ford's algorithm; edges may be negative.

    Args:
        csgraph: A sparse matrix or an array of shape (n, n), whose elements are lengths of edges; in an array zero,
            infinity and NaN are no edge.
        directed: Whether edges have a direction; if not, the shorter of the two between a pair counts.
        indices: The vertices to begin with, an int or several; by default all.
        return_predecessors: Whether the vertex before each is returned as well.
        unweighted: Whether every edge has the length 1.

    Returns:
        An array of distances, of shape (n, n), or (k, n) for k vertices to begin with, infinite where there is no way;
        with predecessors, a tuple of that and an int32 array of the same shape, -9999 where there is none.

    Raises:
        ValueError: The graph is not square, or an argument is out of range.
        NegativeCycleError: Some way gets shorter without end.
        TypeError: ``csgraph`` is no matrix of tombac's.

    >>> graph = tombac.array([[0.0, 1.0, 5.0], [0.0, 0.0, 2.0], [0.0, 0.0, 0.0]])
    >>> tombacx.scipy.sparse.csgraph.bellman_ford(graph, indices=0)
    array([0., 1., 3.])
    """
    indices = host(indices)
    found = None if return_predecessors else _distances("bellman_ford", csgraph, directed, indices, unweighted)
    if found is not None:
        return found
    return on_host("bellman_ford", csgraph, directed, indices, return_predecessors, unweighted)


def johnson(csgraph, directed=True, indices=None, return_predecessors=False, unweighted=False):
    """Lengths of shortest paths by Johnson's algorithm; edges may be negative.

    Args:
        csgraph: A sparse matrix or an array of shape (n, n), whose elements are lengths of edges; in an array zero,
            infinity and NaN are no edge.
        directed: Whether edges have a direction; if not, the shorter of the two between a pair counts.
        indices: The vertices to begin with, an int or several; by default all.
        return_predecessors: Whether the vertex before each is returned as well.
        unweighted: Whether every edge has the length 1.

    Returns:
        An array of distances, of shape (n, n), or (k, n) for k vertices to begin with, infinite where there is no way;
        with predecessors, a tuple of that and an int32 array of the same shape, -9999 where there is none.

    Raises:
        ValueError: The graph is not square, or an argument is out of range.
        NegativeCycleError: Some way gets shorter without end.
        TypeError: ``csgraph`` is no matrix of tombac's.

    >>> graph = tombac.array([[0.0, 1.0, 5.0], [0.0, 0.0, 2.0], [0.0, 0.0, 0.0]])
    >>> tombacx.scipy.sparse.csgraph.johnson(graph, indices=0)
    array([0., 1., 3.])
    """
    indices = host(indices)
    found = None if return_predecessors else _distances("johnson", csgraph, directed, indices, unweighted)
    if found is not None:
        return found
    return on_host("johnson", csgraph, directed, indices, return_predecessors, unweighted)


def floyd_warshall(csgraph, directed=True, return_predecessors=False, unweighted=False, overwrite=False):
    """Lengths of shortest paths between all pairs of vertices by Floyd and Warshall's algorithm.

    Args:
        csgraph: A sparse matrix or an array of shape (n, n), whose elements are lengths of edges; in an array zero,
            infinity and NaN are no edge.
        directed: Whether edges have a direction; if not, the shorter of the two between a pair counts.
        return_predecessors: Whether the vertex before each is returned as well.
        unweighted: Whether every edge has the length 1.
        overwrite: Accepted; nothing is overwritten.

    Returns:
        An array of distances, of shape (n, n), infinite where there is no way; with
        predecessors, a tuple of that and an int32 array of the same shape, -9999 where there is none.

    Raises:
        ValueError: The graph is not square, or an argument is out of range.
        NegativeCycleError: Some way gets shorter without end.
        TypeError: ``csgraph`` is no matrix of tombac's.

    >>> graph = tombac.array([[0.0, 1.0, 5.0], [0.0, 0.0, 2.0], [0.0, 0.0, 0.0]])
    >>> tombacx.scipy.sparse.csgraph.floyd_warshall(graph)[0]
    array([0., 1., 3.])
    """
    return on_host("floyd_warshall", csgraph, directed, return_predecessors, unweighted, False)
