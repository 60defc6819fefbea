"""Orders of vertices, trees and matchings. Where the device is the host, the core searches graphs and builds trees;
what it does not, and all that on a GPU, SciPy does on the host. Results are on the device."""

from tombac import _core
from tombac._sorting import argsort
from tombacx.scipy.sparse import issparse
from tombacx.scipy.sparse._loops import on_host as is_host
from tombacx.scipy.sparse.csgraph._edges import on_host_edges, tree, vertex
from tombacx.scipy.sparse.csgraph._host import checked, on_host

__all__ = [
    "breadth_first_order", "breadth_first_tree", "depth_first_order", "depth_first_tree", "maximum_bipartite_matching",
    "minimum_spanning_tree", "reverse_cuthill_mckee", "structural_rank",
]


def _order(name, graph, start, depth_first, directed, predecessors):
    start, edges = vertex(name, graph, start), on_host_edges(name, graph, directed)
    if edges is None:
        return on_host(name, graph, start, directed, predecessors)
    found = _core._sparse_search(*edges._pattern(), start, depth_first, bool(directed))
    return found if predecessors else found[0]


def _tree(name, graph, start, depth_first, directed):
    start, edges = vertex(name, graph, start), on_host_edges(name, graph, directed)
    if edges is None:
        return on_host(name, graph, start, directed)
    pattern, directed = edges._pattern(), bool(directed)
    found = _core._sparse_search(*pattern, start, depth_first, directed)
    return tree(graph, edges, _core._sparse_tree(*pattern, edges.data, found[1], directed))


def breadth_first_order(csgraph, i_start, directed=True, return_predecessors=True):
    """The vertices in the order of a breadth-first search.

    Args:
        csgraph: A sparse matrix or an array of shape (n, n), whose elements are lengths of edges; in an array zero,
            infinity and NaN are no edge.
        i_start: The vertex to begin with.
        directed: Whether edges have a direction.
        return_predecessors: Whether the vertex before each is returned as well.

    Returns:
        An int32 array of the vertices that are reached, in order; with predecessors, a tuple of that and an int32 array
        of shape (n,), -9999 where there is none.

    Raises:
        IndexError: The graph has no such vertex.
        ValueError: The graph is not square.
        TypeError: ``csgraph`` is no matrix of tombac's.

    >>> graph = tombac.array([[0, 1, 1], [0, 0, 0], [0, 0, 0]])
    >>> tombacx.scipy.sparse.csgraph.breadth_first_order(graph, 0)[0]
    array([0, 1, 2], dtype=int32)
    """
    return _order("breadth_first_order", csgraph, i_start, False, directed, return_predecessors)


def breadth_first_tree(csgraph, i_start, directed=True):
    """The tree of a breadth-first search.

    Args:
        csgraph: A sparse matrix or an array of shape (n, n), whose elements are lengths of edges; in an array zero,
            infinity and NaN are no edge.
        i_start: The vertex to begin with.
        directed: Whether edges have a direction.

    Returns:
        A sparse matrix of shape (n, n) with the edges of the tree.

    Raises:
        IndexError: The graph has no such vertex.
        ValueError: The graph is not square.
        TypeError: ``csgraph`` is no matrix of tombac's.

    >>> graph = tombac.array([[0, 1, 1], [0, 0, 0], [0, 0, 0]])
    >>> tombacx.scipy.sparse.csgraph.breadth_first_tree(graph, 0).nnz
    2
    """
    return _tree("breadth_first_tree", csgraph, i_start, False, directed)


def depth_first_order(csgraph, i_start, directed=True, return_predecessors=True):
    """The vertices in the order of a depth-first search.

    Args:
        csgraph: A sparse matrix or an array of shape (n, n), whose elements are lengths of edges; in an array zero,
            infinity and NaN are no edge.
        i_start: The vertex to begin with.
        directed: Whether edges have a direction.
        return_predecessors: Whether the vertex before each is returned as well.

    Returns:
        An int32 array of the vertices that are reached, in order; with predecessors, a tuple of that and an int32 array
        of shape (n,), -9999 where there is none.

    Raises:
        IndexError: The graph has no such vertex.
        ValueError: The graph is not square.
        TypeError: ``csgraph`` is no matrix of tombac's.

    >>> graph = tombac.array([[0, 1, 1], [0, 0, 0], [0, 0, 0]])
    >>> tombacx.scipy.sparse.csgraph.depth_first_order(graph, 0)[0]
    array([0, 1, 2], dtype=int32)
    """
    return _order("depth_first_order", csgraph, i_start, True, directed, return_predecessors)


def depth_first_tree(csgraph, i_start, directed=True):
    """The tree of a depth-first search.

    Args:
        csgraph: A sparse matrix or an array of shape (n, n), whose elements are lengths of edges; in an array zero,
            infinity and NaN are no edge.
        i_start: The vertex to begin with.
        directed: Whether edges have a direction.

    Returns:
        A sparse matrix of shape (n, n) with the edges of the tree.

    Raises:
        IndexError: The graph has no such vertex.
        ValueError: The graph is not square.
        TypeError: ``csgraph`` is no matrix of tombac's.

    >>> graph = tombac.array([[0, 1, 1], [0, 0, 0], [0, 0, 0]])
    >>> tombacx.scipy.sparse.csgraph.depth_first_tree(graph, 0).nnz
    2
    """
    return _tree("depth_first_tree", csgraph, i_start, True, directed)


def minimum_spanning_tree(csgraph, overwrite=False):
    """A tree, or for a graph in parts a forest, that connects the vertices by edges of least total length.

    Args:
        csgraph: A sparse matrix or an array of shape (n, n), whose elements are lengths of edges; in an array zero,
            infinity and NaN are no edge.
        overwrite: Accepted; nothing is overwritten.

    Returns:
        A sparse matrix of shape (n, n) with the edges of the tree.

    Raises:
        ValueError: The graph is not square, or an argument is out of range.
        TypeError: ``csgraph`` is no matrix of tombac's.

    >>> graph = tombac.array([[0, 1, 1], [0, 0, 0], [0, 0, 0]])
    >>> tombacx.scipy.sparse.csgraph.minimum_spanning_tree(graph).nnz
    2
    """
    edges = on_host_edges("minimum_spanning_tree", csgraph)
    if edges is None:
        return on_host("minimum_spanning_tree", csgraph, False)
    lengths = edges.data.astype("d", copy=False)
    kept = _core._sparse_forest(*edges._pattern(), argsort(lengths, kind="stable")) & (lengths != 0)
    found = edges._with(lengths, edges.indices, edges.indptr)._picked(kept.nonzero()[0])
    return tree(csgraph, edges, (found.indptr, found.indices, found.data))


def reverse_cuthill_mckee(graph, symmetric_mode=False):
    """The order of vertices that brings the elements of a matrix near its diagonal, by Cuthill and McKee.

    Args:
        graph: A sparse matrix of shape (n, n), whose elements are edges.
        symmetric_mode: Whether the matrix is known to be symmetric.

    Returns:
        An int32 array of shape (n,).

    Raises:
        ValueError: The graph is not square.
        TypeError: ``graph`` is no matrix of tombac's.

    >>> graph = tombacx.scipy.sparse.csr_matrix(tombac.eye(2))
    >>> tombacx.scipy.sparse.csgraph.reverse_cuthill_mckee(graph, True)
    array([1, 0], dtype=int32)
    """
    return on_host("reverse_cuthill_mckee", graph, symmetric_mode)


def _stored_once(graph):
    """The same graph without elements that are stored twice, for which SciPy's matching has no room."""
    once = graph.tocsr()._canonical()
    return graph if once.nnz == graph.nnz else once


def structural_rank(graph):
    """The largest rank that a matrix with elements in these places can have.

    Args:
        graph: A sparse matrix of shape (m, n), whose elements are edges.

    Returns:
        An int.

    Raises:
        ValueError: The graph has not two dimensions.
        TypeError: ``graph`` is no matrix of tombac's.

    >>> tombacx.scipy.sparse.csgraph.structural_rank(tombacx.scipy.sparse.csr_matrix(tombac.eye(2)))
    2
    """
    if not issparse(checked("structural_rank", graph)):
        raise TypeError("structural_rank: the graph must be sparse")
    if not is_host():
        return on_host("structural_rank", _stored_once(graph)).item()
    return int((_core._sparse_matching(*graph.tocsr()._pattern())[0] >= 0).sum())


def maximum_bipartite_matching(graph, perm_type="row"):
    """As many pairs of a row and a column as can be made by edges.

    Args:
        graph: A sparse matrix of shape (m, n), whose elements are edges.
        perm_type: 'column': which column each row is paired with; anything else: which row each column is.

    Returns:
        An int32 array, -1 where there is no partner.

    Raises:
        ValueError: The graph has not two dimensions.
        TypeError: ``graph`` is no matrix of tombac's, or in none of the formats CSR, CSC and COO.

    >>> graph = tombacx.scipy.sparse.csr_matrix(tombac.eye(2))
    >>> tombacx.scipy.sparse.csgraph.maximum_bipartite_matching(graph)
    array([0, 1], dtype=int32)
    """
    if not issparse(checked("maximum_bipartite_matching", graph)) or graph.format not in ("csr", "csc", "coo"):
        raise TypeError("maximum_bipartite_matching: the graph must be sparse, in the CSR, CSC or COO format")
    if not is_host():
        return on_host("maximum_bipartite_matching", _stored_once(graph), perm_type)
    columns, rows = _core._sparse_matching(*graph.tocsr()._pattern())
    return columns if perm_type == "column" else rows
