"""Shortest paths, by SciPy on the host; results are on the device."""

from tombacx.scipy._host import host
from tombacx.scipy.sparse.csgraph._cycles import refuse_negative_cycles
from tombacx.scipy.sparse.csgraph._host import computed, on_host, to_scipy

__all__ = ["bellman_ford", "dijkstra", "floyd_warshall", "johnson", "shortest_path"]


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
    graph, indices = to_scipy("shortest_path", csgraph), host(indices)
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
    graph, indices = to_scipy("dijkstra", csgraph), host(indices)
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
