"""Densities of which there are samples, as sums of normal ones: Scott, Multivariate Density Estimation, 1992."""

import math

import tombac
from tombac._core import special
from tombac._numpy import np
from tombacx.scipy._host import host, scipy_function
from tombacx.scipy.stats._over import check_real
from tombacx.scipy.stats._sampling import generator_of

__all__ = ["gaussian_kde"]


class gaussian_kde:
    """A density that is estimated by a sample: the mean of normal densities around its elements.

    Args:
        dataset: The sample: a vector, or an array with a row for each dimension and a column for each element.
        bw_method: How wide the normal densities are: ``"scott"`` (also if None), ``"silverman"``, a number by which the
            sample's own width is multiplied, or a function of this object that gives one.
        weights: The weights of the elements, a vector; all alike if None.

    Raises:
        TypeError: The sample is no tombac array, or complex.
        ValueError: It has less than two elements, or weights are not as many.
        LinAlgError: The sample lies in less dimensions than it has.

    Its attributes are SciPy's: ``dataset``, ``d``, ``n``, ``neff``, ``weights``, ``factor``, ``covariance`` and
    ``inv_cov``. The densities of all elements at all points are one expression that is summed up as it is computed.

    >>> tombacx.scipy.stats.gaussian_kde(tombac.array([-1.0, 1.0]))(0.0).round(4)
    array([0.233])
    """

    def __init__(self, dataset, bw_method=None, weights=None):
        check_real("gaussian_kde", dataset)
        self.dataset = tombac.atleast_2d(dataset.astype("d", copy=False))
        if self.dataset.size < 2:
            raise ValueError(f"gaussian_kde: at least two elements are expected, not {self.dataset.size}")
        self.d, self.n = self.dataset.shape
        self._uneven = weights is not None
        if self._uneven:
            check_real("gaussian_kde", weights)
            if weights.shape != (self.n,):
                raise ValueError(f"gaussian_kde: of {self.n} elements weights have the shape {weights.shape}")
            self.weights = weights.astype("d", copy=False) / weights.sum()
            self.neff = 1 / float(tombac.square(self.weights).sum().item())
        else:
            self.weights, self.neff = tombac.full(self.n, 1 / self.n), float(self.n)
        if self.d > self.n:
            raise ValueError(f"gaussian_kde: there are more dimensions, {self.d}, than elements, {self.n}")
        self.set_bandwidth(bw_method)

    def scotts_factor(self):
        """Scott's factor of the width."""
        return self.neff ** (-1.0 / (self.d + 4))

    def silverman_factor(self):
        """Silverman's factor of the width."""
        return (self.neff * (self.d + 2.0) / 4.0) ** (-1.0 / (self.d + 4))

    def set_bandwidth(self, bw_method=None):
        """Choose how wide the normal densities are, as when the object is made."""
        if bw_method is None or bw_method == "scott":
            factor = self.scotts_factor()
        elif bw_method == "silverman":
            factor = self.silverman_factor()
        elif callable(bw_method):
            factor = bw_method(self)
        elif isinstance(bw_method, str) or np.ndim(bw_method):
            raise ValueError(f"gaussian_kde: bw_method must be 'scott', 'silverman', a number or a function, not "
                             f"{bw_method!r}")
        else:
            factor = bw_method
        self.factor = float(factor)
        middle = (self.dataset * self.weights).sum(axis=1, keepdims=True)
        off = self.dataset - middle
        data = (off * self.weights) @ off.T / (1 - 1 / self.neff)
        self.covariance = data * self.factor**2
        self._root = tombac.linalg.cholesky(self.covariance)
        self._white = tombac.linalg.solve(self._root, self.dataset)
        self._log_scale = tombac.log(tombac.diagonal(self._root)).sum() + self.d * math.log(2 * math.pi) / 2

    @property
    def inv_cov(self):
        """The inverse of ``covariance``."""
        return tombac.linalg.inv(self.covariance)

    def _points(self, points):
        points = tombac.atleast_2d(tombac.asarray(points, "d"))
        if points.shape[0] != self.d:
            if points.shape == (1, self.d):
                return points.T
            raise ValueError(f"gaussian_kde: points of {self.d} dimensions are expected, not of {points.shape[0]}")
        return points

    def _exponents(self, points):
        """Of each element's normal density at each point: an expression of shape (n, number of points)."""
        white = tombac.linalg.solve(self._root, points)
        return -0.5 * sum(tombac.square(x[:, None] - y) for x, y in zip(self._white, white, strict=True))

    def evaluate(self, points):
        """The density at points: a number for each column of an array, or each element of a vector."""
        exponents = self._exponents(self._points(points))
        return (self.weights[:, None] * tombac.exp(exponents)).sum(axis=0) * tombac.exp(-self._log_scale)

    __call__ = evaluate

    def covariance_factor(self):
        """The factor of the width that was chosen."""
        return self.factor

    def pdf(self, x):
        """The density at points, as evaluate gives it."""
        return self.evaluate(x)

    def logpdf(self, x):
        """The logarithm of the density at points."""
        exponents = self._exponents(self._points(x))
        top = exponents.max(axis=0)
        return tombac.log((self.weights[:, None] * tombac.exp(exponents - top)).sum(axis=0)) + top - self._log_scale

    def integrate_box_1d(self, low, high):
        """The probability of what is between two numbers, of one dimension: an array without dimensions."""
        if self.d != 1:
            raise ValueError(f"integrate_box_1d: one dimension is expected, not {self.d}")
        width = self._root[0, 0]
        ends = (special.ndtr((end - self.dataset[0]) / width) for end in (low, high))
        below, above = ends
        return (self.weights * (above - below)).sum()

    def integrate_box(self, low_bounds, high_bounds, maxpts=None, *, rng=None):
        """The probability of a box between two points, by SciPy on the host: an array without dimensions.

        Args:
            low_bounds: The least coordinates: a vector.
            high_bounds: The greatest: another.
            maxpts: How many points may be looked at; as many as SciPy's if None.
            rng: A seed, or a Generator of NumPy's, of which the points are drawn.
        """
        made = scipy_function("scipy.stats", "gaussian_kde")(
            self.dataset.get(), self.factor, self.weights.get())
        random = {} if rng is None else {"rng": rng}
        return tombac.asarray(made.integrate_box(host(low_bounds), host(high_bounds), maxpts, **random))

    def integrate_gaussian(self, mean, cov):
        """The integral of the product with a normal density: an array without dimensions."""
        mean = tombac.atleast_1d(tombac.asarray(mean, "d"))
        cov = tombac.atleast_2d(tombac.asarray(cov, "d"))
        if mean.shape != (self.d,) or cov.shape != (self.d, self.d):
            raise ValueError(f"integrate_gaussian: mean and covariance of {self.d} dimensions are expected, not of the "
                             f"shapes {mean.shape} and {cov.shape}")
        return _overlap(self.dataset - mean[:, None], self.covariance + cov) @ self.weights

    def integrate_kde(self, other):
        """The integral of the product with another density of the same kind: an array without dimensions."""
        if other.d != self.d:
            raise ValueError(f"integrate_kde: densities of {self.d} and {other.d} dimensions")
        off = (self.dataset[:, :, None] - other.dataset[:, None, :]).reshape(self.d, -1)
        found = _overlap(off, self.covariance + other.covariance).reshape(self.n, other.n)
        return self.weights @ found @ other.weights

    def resample(self, size=None, seed=None):
        """Random numbers of this density: an array with a column for each; as many as the sample has if None."""
        generator = generator_of("gaussian_kde", seed)
        size = round(self.neff) if size is None else int(size)
        places = tombac.searchsorted(tombac.cumsum(self.weights), tombac.asarray(
            generator.random_sample(size) if hasattr(generator, "random_sample") else generator.random(size)),
            side="right")
        chosen = self.dataset[:, tombac.minimum(places, self.n - 1)]
        return chosen + self._root @ generator.standard_normal((self.d, size))

    def marginal(self, dimensions):
        """The density of some of the dimensions: another object of this kind."""
        dimensions = np.atleast_1d(dimensions)
        different = {i % self.d for i in dimensions}
        if not all(-self.d <= i < self.d for i in dimensions) or len(different) < len(dimensions):
            raise ValueError(f"marginal: different dimensions of {self.d} are expected, not {dimensions.tolist()}")
        return gaussian_kde(self.dataset[tombac.array(dimensions)], self.factor, self.weights if self._uneven else None)


def _overlap(off, cov):
    """Normal densities of the covariance ``cov`` at the columns of ``off``."""
    root = tombac.linalg.cholesky(cov)
    white = tombac.linalg.solve(root, off)
    log_scale = tombac.log(tombac.diagonal(root)).sum() + off.shape[0] * math.log(2 * math.pi) / 2
    return tombac.exp(-0.5 * tombac.square(white).sum(axis=0) - log_scale)
