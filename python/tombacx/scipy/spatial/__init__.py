"""SciPy's distances on tombac's arrays. Trees and triangulations are still to come."""

from tombacx.scipy.spatial import distance
from tombacx.scipy.spatial.distance import distance_matrix

__all__ = ["distance", "distance_matrix"]


def __getattr__(name):
    from tombac._absent import no_attribute

    raise no_attribute(__name__, name)
