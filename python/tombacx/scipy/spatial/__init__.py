"""SciPy's distances, neighbours and triangulations on tombac's arrays."""

from tombacx.scipy.spatial import distance
from tombacx.scipy.spatial._delaunay import Delaunay, tsearch
from tombacx.scipy.spatial._kdtree import KDTree
from tombacx.scipy.spatial.distance import distance_matrix

__all__ = ["Delaunay", "KDTree", "distance", "distance_matrix", "tsearch"]


def __getattr__(name):
    from tombac._absent import no_attribute

    raise no_attribute(__name__, name)
