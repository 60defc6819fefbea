"""What SciPy computes of graphs on the host: graphs go there, arrays and sparse matrices come back."""

import numbers

from tombac import _core
from tombacx.scipy._host import host, scipy_function
from tombacx.scipy.sparse import issparse
from tombacx.scipy.sparse.linalg._host import to_device

__all__ = ["checked", "computed", "on_host", "vertex"]


def checked(name, graph):
    if not issparse(graph) and not isinstance(graph, _core.ndarray):
        raise TypeError(f"{name}: a sparse matrix or a tombac.ndarray is expected, not {type(graph)}")
    if graph.ndim != 2:
        raise ValueError(f"{name}: a graph has two dimensions, not the shape {graph.shape}")
    return graph


def on_host(name, graph, *args, **kwargs):
    """What ``scipy.sparse.csgraph.name`` gives for a graph and these arguments, on the device."""
    return computed(name, checked(name, graph).get(), *args, **kwargs)


def computed(name, graph, *args, **kwargs):
    """The same for a graph that is on the host already."""
    f = scipy_function("scipy.sparse.csgraph", name)
    return to_device(f(graph, *map(host, args), **{key: host(value) for key, value in kwargs.items()}))


def vertex(name, graph, i):
    """The number of a vertex to begin with, for functions of SciPy's that print an error, and go on, of one beyond."""
    i, n = host(i), checked(name, graph).shape[0]
    if isinstance(i, numbers.Real) and i >= n:
        raise IndexError(f"{name}: vertex {i} is out of bounds for a graph of {n}")
    return i
