"""What SciPy computes of graphs on the host: graphs go there, arrays and sparse matrices come back."""

from tombac import _core
from tombacx.scipy._host import host, scipy_function
from tombacx.scipy.sparse import issparse
from tombacx.scipy.sparse._by_scipy import given, taken
from tombacx.scipy.sparse._loops import on_host as is_host

__all__ = ["checked", "computed", "on_host", "to_scipy"]


def checked(name, graph):
    if not issparse(graph) and not isinstance(graph, _core.ndarray):
        raise TypeError(f"{name}: a sparse matrix or a tombac.ndarray is expected, not {type(graph)}")
    if graph.ndim != 2:
        raise ValueError(f"{name}: a graph has two dimensions, not the shape {graph.shape}")
    return graph


def to_scipy(name, graph):
    """A graph as SciPy takes it: where the device is the host in its own memory, which SciPy only reads."""
    graph = checked(name, graph)
    if isinstance(graph, _core.ndarray):  # in C order: of others SciPy's floyd_warshall prints an error and goes on
        graph = _core.ascontiguousarray(graph)
    return given(graph) if is_host() else graph.get()


def on_host(name, graph, *args, **kwargs):
    """What ``scipy.sparse.csgraph.name`` gives for a graph and these arguments, on the device."""
    return computed(name, to_scipy(name, graph), *args, **kwargs)


def computed(name, graph, *args, **kwargs):
    """The same for a graph that is on the host already."""
    kwargs = {key: host(value) for key, value in kwargs.items()} if kwargs else {}
    return taken(scipy_function("scipy.sparse.csgraph", name)(graph, *_core._on_host(args), **kwargs), (graph,))
