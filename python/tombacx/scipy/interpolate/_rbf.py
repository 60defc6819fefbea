"""Radial basis functions: sums of functions of the distance, and of monomials (Fasshauer, Meshfree Approximation
Methods with MATLAB, chapters 6 to 8)."""

import functools
import itertools
import operator

import tombac
from tombac._core import where
from tombacx.scipy.interpolate._pieces import values_of

__all__ = ["RBFInterpolator"]


def _thin_plate(r):
    return r * r * tombac.log(tombac.maximum(r, 1e-200))  # whose square is 0


# name: (function of the scaled distance, least degree of the monomials that makes the equations solvable)
_KERNELS = {
    "linear": (lambda r: -r, 0),
    "thin_plate_spline": (_thin_plate, 1),
    "cubic": (lambda r: r * r * r, 1),
    "quintic": (lambda r: -(r * r * r * r * r), 2),
    "multiquadric": (lambda r: -tombac.sqrt(r * r + 1), 0),
    "inverse_multiquadric": (lambda r: 1 / tombac.sqrt(r * r + 1), -1),
    "inverse_quadratic": (lambda r: 1 / (r * r + 1), -1),
    "gaussian": (lambda r: tombac.exp(-r * r), -1),
}
_WITHOUT_SCALE = {"linear", "thin_plate_spline", "cubic", "quintic"}
_BLOCK = 1 << 24  # elements of the largest matrix of distances that is in memory at a time


class RBFInterpolator:
    """A function through scattered points, or near them, by radial basis functions.

    Args:
        y: The points: a real array of shape (points, dimensions).
        d: The values there: an array, real or complex, of as many elements along the first axis.
        neighbors: Of how many nearest points each result is made; all if None.
        smoothing: By how much the function may miss the values: a number, or one for each point.
        kernel: 'linear', 'thin_plate_spline', 'cubic', 'quintic', 'multiquadric', 'inverse_multiquadric',
            'inverse_quadratic' or 'gaussian'.
        epsilon: By what distances are multiplied; 1 if None, which the last four kernels do not allow.
        degree: The degree of the monomials that are added, -1 for none; the least that makes the equations solvable,
            or 0, if None.

    Raises:
        ValueError: The shapes do not fit, or there is no such kernel, or there are too few points.
        LinAlgError: The equations are singular, as where a point occurs twice.

    Equations are solved on the device; with ``neighbors``, those of all points in one batch.

    >>> y = tombac.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])
    >>> f = tombacx.scipy.interpolate.RBFInterpolator(y, y.sum(axis=1))
    >>> f(tombac.array([[0.5, 0.25]])).round(6)
    array([0.75])
    """

    def __init__(self, y, d, neighbors=None, smoothing=0.0, kernel="thin_plate_spline", epsilon=None, degree=None):
        self.y = tombac.asarray(y).astype("d", copy=False)
        self.d = values_of(d)
        if self.y.ndim != 2:
            raise ValueError(f"RBFInterpolator: y must have 2 dimensions, not the shape {self.y.shape}")
        n, dims = self.y.shape
        if self.d.ndim == 0 or self.d.shape[0] != n:
            raise ValueError(f"RBFInterpolator: {n} points, and values of shape {self.d.shape}")
        self._trailing = self.d.shape[1:]
        self._values = self.d.reshape(n, -1)
        self._exact = isinstance(smoothing, (int, float)) and smoothing == 0
        smoothing = tombac.asarray(smoothing).astype("d", copy=False)
        if smoothing.ndim and smoothing.shape != (n,):
            raise ValueError(f"RBFInterpolator: smoothing must be a number or of shape ({n},), not {smoothing.shape}")
        self.smoothing = tombac.broadcast_to(smoothing, (n,))
        self._set_kernel(kernel, epsilon, degree)
        self.neighbors = None if neighbors is None else int(min(neighbors, n))
        self.powers = [p for total in range(self.degree + 1) for p in _powers(dims, total)]
        least = n if self.neighbors is None else self.neighbors
        if len(self.powers) > least:
            raise ValueError(f"RBFInterpolator: {len(self.powers)} points at least are needed for the degree "
                             f"{self.degree} in {dims} dimensions, not {least}")
        if self.neighbors is None:
            self._solved = self._solve(self.y[None], self._values[None], self.smoothing[None])
        else:
            from tombacx.scipy.spatial import KDTree

            self._tree = KDTree(self.y)

    def _set_kernel(self, kernel, epsilon, degree):
        self.kernel = str(kernel).lower()
        if self.kernel not in _KERNELS:
            raise ValueError(f"RBFInterpolator: no kernel is called {kernel!r}")
        self._function, least = _KERNELS[self.kernel]
        if epsilon is None and self.kernel not in _WITHOUT_SCALE:
            raise ValueError(f"RBFInterpolator: the kernel {self.kernel} needs an epsilon")
        self.epsilon = 1.0 if epsilon is None else float(epsilon)
        self.degree = max(least, 0) if degree is None else int(degree)
        if self.degree < -1:
            raise ValueError(f"RBFInterpolator: degree must be at least -1, not {degree}")
        if -1 < self.degree < least:
            import warnings

            warnings.warn(f"RBFInterpolator: the equations may have no solution with a degree below {least}, which the "
                          f"kernel {self.kernel} needs", UserWarning, stacklevel=3)

    def _kernel_matrix(self, x, y):
        """The kernel between the points of two sets, in batches: (..., m, dims) and (..., n, dims)."""
        if len(x) == 1 and x.ndim == 3:
            from tombacx.scipy.spatial.distance import cdist  # whose kernel is shipped

            r = cdist(x[0], y[0])[None]
        else:
            r = tombac.sqrt(tombac.square(x[..., :, None, :] - y[..., None, :, :]).sum(axis=-1))
        return self._function(r if self.epsilon == 1 else self.epsilon * r)

    def _monomials(self, x, shift, scale):
        x = (x - shift) / scale
        columns = [_product(x, p) for p in self.powers]
        return tombac.stack(columns, axis=-1)

    def _solve(self, y, d, smoothing):
        """What the kernels and the monomials are multiplied by, for a batch of points and values."""
        low, high = y.min(axis=-2, keepdims=True), y.max(axis=-2, keepdims=True)
        shift, scale = (low + high) / 2, (high - low) / 2
        scale = where(scale == 0, 1.0, scale)
        batch, n, r = d.shape[0], d.shape[-2], len(self.powers)
        matrix = tombac.zeros((batch, n + r, n + r))
        matrix[:, :n, :n] = self._kernel_matrix(y, y)
        if not self._exact:
            matrix[:, :n, :n] += smoothing[..., :, None] * tombac.eye(n)
        if r:
            monomials = self._monomials(y, shift, scale)
            matrix[:, :n, n:] = monomials
            matrix[:, n:, :n] = monomials.swapaxes(-1, -2)
        right = tombac.concatenate([d, tombac.zeros((batch, r, d.shape[-1]), d.dtype)], axis=1)
        return tombac.linalg.solve(matrix.astype(d.dtype, copy=False), right), shift, scale

    def _sum(self, x, y, solved, shift, scale):
        """The function at a batch of points, of the shape (batch, points, dims)."""
        vectors = self._kernel_matrix(x, y)
        if self.powers:
            vectors = tombac.concatenate([vectors, self._monomials(x, shift, scale)], axis=-1)
        return vectors.astype(solved.dtype, copy=False) @ solved

    def __call__(self, x):
        """The function at points.

        Args:
            x: The points: a real array of shape (points, dimensions).

        Returns:
            An array of one row for each point, with the values' other axes.

        Raises:
            ValueError: The points have another number of dimensions.
        """
        x = tombac.asarray(x).astype("d", copy=False)
        n, dims = self.y.shape
        if x.ndim != 2 or x.shape[1] != dims:
            raise ValueError(f"RBFInterpolator: points of shape (n, {dims}) are expected, not {x.shape}")
        width = n if self.neighbors is None else self.neighbors**2
        step = max(1, _BLOCK // max(1, width))
        blocks = [self._block(x[i:i + step]) for i in range(0, len(x), step)] or [self._values[:0]]
        return tombac.concatenate(blocks).reshape(x.shape[:1] + self._trailing)

    def _block(self, x):
        if self.neighbors is None:
            return self._sum(x[None], self.y[None], *self._solved)[0]
        _, near = self._tree.query(x, self.neighbors)
        near = tombac.sort(near.reshape(len(x), self.neighbors), axis=1)
        y = self.y[near]
        solved = self._solve(y, self._values[near], self.smoothing[near])
        return self._sum(x[:, None], y, *solved)[:, 0]


def _powers(dims, total):
    """The exponents of all monomials of a degree."""
    for chosen in itertools.combinations_with_replacement(range(dims), total):
        yield tuple(chosen.count(d) for d in range(dims))


def _product(x, powers):
    factors = [x[..., d] for d, power in enumerate(powers) for _ in range(power)]
    return functools.reduce(operator.mul, factors) if factors else tombac.ones(x.shape[:-1])
