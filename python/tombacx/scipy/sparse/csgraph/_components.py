"""Connected components.

Zhang, Azad and Hu, "FastSV: a distributed-memory connected component algorithm with fast convergence" (2020): every
vertex points to one of its component with a lower number; edges hook trees to one another, and pointers are doubled, by
scattered minima, until nothing changes, which takes a logarithmic number of rounds. On the CPU a routine of the core
goes along the edges once.
"""

from tombac import _core
from tombac._numpy import np
from tombacx._scatter import scatter_min
from tombacx.scipy.sparse import coo_array, issparse
from tombacx.scipy.sparse.csgraph._host import checked, on_host

__all__ = ["connected_components"]

ROUNDS = 4  # between two looks of the host


def _edges(graph):
    """The ends of all edges; of an array, where it is neither zero nor infinite nor NaN."""
    if issparse(graph):
        coo = graph.tocoo()
        return coo.row, coo.col
    return ((graph != 0) & _core.isfinite(graph)).nonzero()


def lowest(graph):
    """For each vertex the lowest number of a vertex of its component."""
    n = graph.shape[0]
    u, v = _edges(graph)
    u, v = _core.concatenate((u, v)), _core.concatenate((v, u))
    parent = _core.arange(n, dtype=np.int64)
    changed = len(u) > 0
    while changed:
        before = parent.copy()
        for _ in range(ROUNDS):
            above = parent[parent]
            reached = above[v]
            hooked = _core.minimum(parent, above)
            scatter_min(hooked, parent[u], reached)
            scatter_min(hooked, u, reached)
            parent = hooked
        changed = bool((parent != before).any())
    return parent


def _components(graph, strong):
    """How many there are, and their numbers, by one routine; None on a GPU."""
    if _core.backend() != "cpu":
        return None
    if not issparse(graph):
        u, v = _edges(graph)
        graph = coo_array((_core.ones(u.shape, np.bool_), (u, v)), shape=graph.shape)
    a = graph if graph.format == "csr" or graph.format == "csc" and not strong else graph.tocsr()
    if strong and a.dtype != np.float64:
        a = a._canonical()  # as where SciPy converts it: in which order strong components are found depends on that
    return _core._sparse_components(*a._pattern(), strong)


def connected_components(csgraph, directed=True, connection="weak", return_labels=True):
    """The connected components of a graph.

    Components are found on the device, strong ones on a GPU by SciPy on the host.

    Args:
        csgraph: A sparse matrix or an array of shape (n, n), whose elements are edges.
        directed: Whether edges have a direction.
        connection: 'weak', where vertices are connected by edges of any direction, or 'strong', where there are ways
            both there and back.
        return_labels: Whether each vertex is labelled.

    Returns:
        A tuple: the number of components, and an int32 array of shape (n,) with the number of each vertex's component;
        or that number alone.

    Raises:
        ValueError: There is no such connection, or the graph is not square.
        TypeError: ``csgraph`` is no matrix of tombac's.

    >>> graph = tombac.array([[0, 1, 0], [0, 0, 0], [0, 0, 0]])
    >>> tombacx.scipy.sparse.csgraph.connected_components(graph)
    (2, array([0, 0, 1], dtype=int32))
    """
    n = checked("connected_components", csgraph).shape[0]
    if csgraph.shape[1] != n:
        raise ValueError(f"connected_components: a square matrix is expected, the shape is {csgraph.shape}")
    kind = str(connection).lower()
    if kind not in ("weak", "strong"):
        raise ValueError(f"connected_components: connection must be 'weak' or 'strong', not {connection!r}")
    strong = bool(directed) and kind == "strong"
    found = _components(csgraph, strong)
    if found is None and strong:
        found = on_host("connected_components", csgraph, directed, kind)
    if found is not None:
        return found if return_labels else found[0]
    count, labels = numbered(lowest(csgraph))
    return (count, labels) if return_labels else count


def numbered(parent):
    """How many vertices are the lowest of their components, and each vertex's place among these."""
    if parent.size == 0:
        return 0, parent.astype(np.int32)
    order = _core.cumsum(parent == _core.arange(parent.size, dtype=parent.dtype))
    return int(order[-1].item()), (order[parent] - 1).astype(np.int32)
