"""Orders of vertices, trees and matchings, by SciPy on the host; results are on the device."""

from tombacx.scipy.sparse.csgraph._host import on_host, vertex

__all__ = [
    "breadth_first_order", "breadth_first_tree", "depth_first_order", "depth_first_tree", "maximum_bipartite_matching",
    "minimum_spanning_tree", "reverse_cuthill_mckee", "structural_rank",
]


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
    start = vertex("breadth_first_order", csgraph, i_start)
    return on_host("breadth_first_order", csgraph, start, directed, return_predecessors)


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
    return on_host("breadth_first_tree", csgraph, vertex("breadth_first_tree", csgraph, i_start), directed)


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
    start = vertex("depth_first_order", csgraph, i_start)
    return on_host("depth_first_order", csgraph, start, directed, return_predecessors)


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
    return on_host("depth_first_tree", csgraph, vertex("depth_first_tree", csgraph, i_start), directed)


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
    return on_host("minimum_spanning_tree", csgraph, False)


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
    return on_host("structural_rank", graph).item()


def maximum_bipartite_matching(graph, perm_type="row"):
    """As many pairs of a row and a column as can be made by edges.

    Args:
        graph: A sparse matrix of shape (m, n), whose elements are edges.
        perm_type: 'row': which row each column is paired with; 'column': which column each row is.

    Returns:
        An int32 array, -1 where there is no partner.

    Raises:
        ValueError: There is no such ``perm_type``.
        TypeError: ``graph`` is no matrix of tombac's.

    >>> graph = tombacx.scipy.sparse.csr_matrix(tombac.eye(2))
    >>> tombacx.scipy.sparse.csgraph.maximum_bipartite_matching(graph)
    array([0, 1], dtype=int32)
    """
    return on_host("maximum_bipartite_matching", graph, perm_type)
