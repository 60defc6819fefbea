"""Graphs as their edges: what is one in an array, and what routines on the host go along."""

import numbers

from tombac import _core
from tombac._numpy import np
from tombac._sorting import searchsorted
from tombacx.scipy.sparse import csr_array, csr_matrix, issparse
from tombacx.scipy.sparse._loops import on_host
from tombacx.scipy.sparse.csgraph._host import checked

__all__ = ["of_array", "on_host_edges", "square", "tree", "vertex"]


def square(name, graph):
    if checked(name, graph).shape[0] != graph.shape[1]:
        raise ValueError(f"{name}: a graph must have a square matrix, not one of the shape {graph.shape}")
    return graph


def of_array(graph, null_value=0, nan_null=True, infinity_null=True):
    """The edges of an array, as lengths of float64: what is not null, NaN or infinite."""
    lengths = (graph.real if graph.dtype.kind == "c" else graph).astype("d", copy=False)
    no_edges = [lengths == null_value] if null_value is not None else []
    if nan_null or null_value != null_value:
        no_edges.append(_core.isnan(lengths))
    if infinity_null:
        no_edges.append(_core.isinf(lengths))
    edge = _core.ones(lengths.shape, "?")
    for no in no_edges:
        edge &= ~no
    row, col = edge.nonzero()
    start = searchsorted(row, _core.arange(len(graph) + 1)).astype("i")
    return csr_array._from_parts(lengths[row, col], col.astype("i"), start, graph.shape, True)


def on_host_edges(name, graph, directed=True):
    """A graph in rows where the device is the host, whose routines go along edges; None elsewhere, and for complex
    lengths, of which SciPy warns. If edges go both ways it may be turned around."""
    square(name, graph)
    if not on_host() or graph.dtype.kind == "c":
        return None
    if not issparse(graph):
        return of_array(graph)
    return (graph if directed or graph.format != "csc" else graph.T).tocsr()


def tree(graph, edges, parts):
    """A tree of a graph of these edges."""
    start, index, lengths = parts
    made = csr_matrix if isinstance(edges, csr_matrix) and issparse(graph) else csr_array
    return made._from_parts(lengths, index, start, edges.shape, True)


def vertex(name, graph, i):
    """The number of a vertex, which is in the graph."""
    i, n = _core._on_host(i), checked(name, graph).shape[0]
    if isinstance(i, np.ndarray):
        i = i.item() if i.ndim == 0 else None
    if not isinstance(i, numbers.Real):
        raise TypeError(f"{name}: an integer is required for a vertex")
    i = int(i)
    if i < 0:
        raise OverflowError(f"{name}: vertex {i} is negative")
    if i >= n:
        raise IndexError(f"{name}: vertex {i} is out of bounds for a graph of {n}")
    return i
