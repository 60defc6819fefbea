"""What a triangulation of the plane has besides its triangles.

``corners`` and ``neighbors`` are arrays of int32 of shape (triangles, 3): corners counterclockwise, and neighbours
opposite to them.
"""

import tombac
from tombac._core import where
from tombac._numpy import np

__all__ = ["edges_of_hull", "find", "is_flat", "maps", "neighbors_of_points", "planes"]

_FLAT = 1000 * np.finfo("d").eps  # of the matrix of a map the reciprocal condition, below which there is no map
_STEPS = 1000


def _columns(points, corners):
    """The coordinates of all triangles' corners: three pairs of vectors."""
    x, y = points[:, 0], points[:, 1]
    return [(x[corners[:, k]], y[corners[:, k]]) for k in range(3)]


def _matrix(points, corners):
    """How far the first two corners are from the third, and twice the triangles' areas."""
    (ax, ay), (bx, by), (cx, cy) = _columns(points, corners)
    a, b, c, d = ax - cx, bx - cx, ay - cy, by - cy
    return a, b, c, d, a * d - b * c


def _flat(a, b, c, d, area):
    one = tombac.maximum(abs(a) + abs(c), abs(b) + abs(d)) * tombac.maximum(abs(d) + abs(c), abs(b) + abs(a))
    return abs(area) < _FLAT * one


def is_flat(points, corners):
    """Whether triangles are so thin that their maps are mostly rounding."""
    return _flat(*_matrix(points, corners))


def maps(points, corners):
    """The maps to barycentric coordinates, of shape (triangles, 3, 2): a matrix, and the third corner."""
    a, b, c, d, area = _matrix(points, corners)
    area = where(_flat(a, b, c, d, area), np.nan, area)
    result = tombac.empty((len(corners), 3, 2))
    for (i, j), value in {(0, 0): d, (0, 1): -b, (1, 0): -c, (1, 1): a}.items():
        result[:, i, j] = value / area
    result[:, 2] = where(tombac.isnan(area)[:, None], np.nan, points[corners[:, 2]])
    return result


def edges_of_hull(corners, neighbors):
    """The edges that have a triangle on one side only, of shape (edges, 2)."""
    triangle, k = tombac.nonzero(neighbors < 0)
    return tombac.stack([corners[triangle, (k + 1) % 3], corners[triangle, (k + 2) % 3]], axis=1)


def neighbors_of_points(n, corners):
    """Where the neighbours of each of n points begin, and their numbers in order."""
    ends = corners.astype("l")
    pairs = [ends[:, i] * n + ends[:, j] for i in range(3) for j in range(3) if i != j]
    keys = tombac.unique(tombac.concatenate(pairs))
    starts = tombac.searchsorted(keys, tombac.arange(n + 1) * n)
    return starts.astype("i"), (keys % n).astype("i")


def planes(points, corners):
    """Of each triangle on the paraboloid that Qhull takes the normal, downwards, and the offset."""
    square = (points * points).sum(axis=1)
    low, high = square.min(), square.max() * 1.1  # Qhull adds a point above all
    scale = abs(points).max() / (high - low)
    height = (square - low) * scale
    (ax, ay), (bx, by), (cx, cy) = _columns(points, corners)
    ah, bh, ch = (height[corners[:, k]] for k in range(3))
    ux, uy, uh, vx, vy, vh = bx - ax, by - ay, bh - ah, cx - ax, cy - ay, ch - ah
    nx, ny, nh = vy * uh - uy * vh, ux * vh - vx * uh, uy * vx - ux * vy
    size = tombac.sqrt(nx * nx + ny * ny + nh * nh)
    nx, ny, nh = nx / size, ny / size, nh / size
    return tombac.stack([nx, ny, nh, -(nx * ax + ny * ay + nh * ah)], axis=1)


def _step(rows, neighbors, flat, at, x, y, tol):
    """The triangles one step nearer, -1 beyond the hull, and whether that is another one."""
    row, sides = rows[at], []
    corner = [(row[:, 2 * k], row[:, 2 * k + 1]) for k in range(3)]
    for k in range(3):
        (ax, ay), (bx, by) = corner[(k + 1) % 3], corner[(k + 2) % 3]
        sides.append((bx - ax) * (y - ay) - (by - ay) * (x - ax))
    least = tombac.minimum(tombac.minimum(sides[0], sides[1]), sides[2])
    area = sides[0] + sides[1] + sides[2]
    beyond = neighbors[at, where(sides[0] == least, 0, where(sides[1] == least, 1, 2))]
    # Into what is flat only for what is far from here: maps tell little about what is in it.
    broad = where((beyond >= 0) & flat[where(beyond < 0, 0, beyond)], max(tol, np.sqrt(np.finfo("d").eps)), tol)
    moves = least < -broad * area
    return where(moves, beyond, at), moves & (beyond >= 0)


def find(rows, neighbors, flat, at, x, tol):
    """Which triangles rows of x are in, by walking towards them from the triangles ``at``; -1: outside.

    Args:
        rows: The corners' coordinates, six numbers for each triangle.

    Returns:
        A tuple of arrays (triangles, unfinished): of the latter it is not known, after many steps.
    """
    found, left = at.copy(), tombac.arange(len(x))
    for _ in range(_STEPS):
        at, moves = _step(rows, neighbors, flat, at, x[:, 0], x[:, 1], tol)
        found[left] = at
        going, = tombac.nonzero(moves)
        if len(going) == 0:
            break
        left, at, x = left[going], at[going], x[going]
    return found, left[:len(going)]
