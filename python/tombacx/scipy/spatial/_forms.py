"""Whether arrays have the form of distances, and of how many points these are."""

import math
import warnings

from tombac._core import asarray

__all__ = ["is_valid_dm", "is_valid_y", "num_obs_dm", "num_obs_y", "points_of"]


def _told(fault, warning, throw):
    """Whether there is no fault; raises or warns of one if that is wanted."""
    if fault and throw:
        raise ValueError(fault)
    if fault and warning:
        warnings.warn(fault, stacklevel=3)
    return not fault


def _fault_of_matrix(D, tol, name):
    what = f"Distance matrix '{name}'" if name else "Distance matrix"
    if D.ndim != 2:
        return f"{what} must have two dimensions, not {D.ndim}"
    if D.shape[0] != D.shape[1]:
        return f"{what} must be square, not of the shape {D.shape}"
    within = f" within the tolerance {tol}" if tol else ""
    if not ((D == D.T) if tol == 0 else (abs(D - D.T) <= tol)).all():
        return f"{what} must be symmetric{within}"
    diagonal = D.diagonal()
    if not ((diagonal == 0) if tol == 0 else (abs(diagonal) <= tol)).all():
        return f"{what} must be zero on its diagonal{within}"
    return ""


def is_valid_dm(D, tol=0.0, throw=False, name="D", warning=False):
    """Whether an array is a matrix of distances: symmetric, and zero on its diagonal.

    Args:
        D: An array.
        tol: By how much elements may differ from those across the diagonal, and from 0 on it.
        throw: Whether to raise if it is none.
        name: What an error calls it.
        warning: Whether to warn if it is none.

    Returns:
        A bool, for which it waits.

    Raises:
        ValueError: It is none, with ``throw``.

    >>> tombacx.scipy.spatial.distance.is_valid_dm(tombac.array([[0.0, 1.0], [1.0, 0.0]]))
    True
    """
    D = asarray(D)
    D = D.astype("int8") if D.dtype.kind == "b" else D  # which have differences
    return _told(_fault_of_matrix(D, tol, name), warning, throw)


def points_of(pairs):
    """How many points have that many pairs, or None if none do."""
    m = (1 + math.isqrt(1 + 8 * pairs)) // 2
    return m if m * (m - 1) == 2 * pairs else None


def is_valid_y(y, warning=False, throw=False, name=None):
    """Whether an array is a vector of the distances of pairs, as pdist makes it.

    Args:
        y: An array.
        warning: Whether to warn if it is none.
        throw: Whether to raise if it is none.
        name: What an error calls it.

    Returns:
        A bool. Elements are not looked at.

    Raises:
        ValueError: It is none, with ``throw``.

    >>> tombacx.scipy.spatial.distance.is_valid_y(tombac.zeros(4))
    False
    """
    y, fault = asarray(y), ""
    what = f"Condensed distance matrix '{name}'" if name else "Condensed distance matrix"
    if y.ndim != 1:
        fault = f"{what} must have one dimension, not {y.ndim}"
    elif points_of(y.size) is None:
        fault = f"{what} of length {y.size}: that is not the number of pairs of any number of points"
    return _told(fault, warning, throw)


def num_obs_dm(d):
    """Of how many points a matrix has the distances.

    Args:
        d: A matrix of distances.

    Returns:
        An int.

    Raises:
        ValueError: It is none; see is_valid_dm, whose tolerance is without bounds here.

    >>> tombacx.scipy.spatial.distance.num_obs_dm(tombac.zeros((3, 3)))
    3
    """
    d = asarray(d)
    is_valid_dm(d, math.inf, True, "d")
    return d.shape[0]


def num_obs_y(Y):
    """Of how many points a vector has the distances of pairs.

    Args:
        Y: A vector of distances, as pdist makes it.

    Returns:
        An int.

    Raises:
        ValueError: It is none, or empty.

    >>> tombacx.scipy.spatial.distance.num_obs_y(tombac.zeros(3))
    3
    """
    Y = asarray(Y)
    is_valid_y(Y, throw=True, name="Y")
    if Y.size == 0:
        raise ValueError("num_obs_y: an empty vector does not say how many points there are")
    return points_of(Y.size)
