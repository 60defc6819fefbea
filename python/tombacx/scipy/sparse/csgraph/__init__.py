"""SciPy's functions of graphs, which are matrices: an element is the edge from the vertex of its row to that of its
column."""

from tombacx.scipy.sparse.csgraph._components import connected_components
from tombacx.scipy.sparse.csgraph._flows import (
    construct_dist_matrix, csgraph_from_dense, csgraph_to_dense, maximum_flow, min_weight_full_bipartite_matching,
    reconstruct_path, yen,
)
from tombacx.scipy.sparse.csgraph._laplacian import laplacian
from tombacx.scipy.sparse.csgraph._orders import (
    breadth_first_order, breadth_first_tree, depth_first_order, depth_first_tree, maximum_bipartite_matching,
    minimum_spanning_tree, reverse_cuthill_mckee, structural_rank,
)
from tombacx.scipy.sparse.csgraph._paths import bellman_ford, dijkstra, floyd_warshall, johnson, shortest_path

__all__ = [
    "bellman_ford", "breadth_first_order", "breadth_first_tree", "connected_components", "construct_dist_matrix",
    "csgraph_from_dense", "csgraph_to_dense", "depth_first_order", "depth_first_tree", "dijkstra", "floyd_warshall",
    "johnson", "laplacian", "maximum_bipartite_matching", "maximum_flow", "min_weight_full_bipartite_matching",
    "minimum_spanning_tree", "reconstruct_path", "reverse_cuthill_mckee", "shortest_path", "structural_rank", "yen",
]


def __getattr__(name):
    from tombac._absent import no_attribute

    if name == "NegativeCycleError":  # SciPy's own, so that programs that catch it go on doing so
        from tombacx.scipy._host import scipy_module

        return scipy_module("scipy.sparse.csgraph", name).NegativeCycleError
    raise no_attribute(__name__, name)
