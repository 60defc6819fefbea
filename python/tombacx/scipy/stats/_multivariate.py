"""Distributions of vectors: normal and t ones; matrices and directions that are drawn uniformly."""

import functools
import inspect
import math

import tombac
from tombac._core import _on_host, special, where
from tombac._numpy import np
from tombacx.scipy._host import host, scipy_function
from tombacx.scipy.stats._sampling import WithState, generator_of

__all__ = ["Multivariate", "multivariate_normal", "multivariate_t", "ortho_group", "special_ortho_group",
           "uniform_direction", "unitary_group"]

_DOC = """The {title}.

Its parameters: {names}.

Args:
    args: The parameters; what its functions take behind the points.
    seed: What ``rvs`` draws from where it is given nothing else: a seed, a Generator or a RandomState.
    kwds: The parameters, by their names.

Returns:
    An object with these parameters, whose functions take the points alone.

Raises:
    TypeError: There are too many parameters, or none is called so.

>>> tombacx.scipy.stats.{example}
"""


class Multivariate:
    """A distribution of vectors or matrices: what rows have in common."""

    def __init__(self, name, title, names, example):
        self.name = self.__name__ = name
        self._names = names
        self.__doc__ = _DOC.format(title=title, names=", ".join(f"``{n}``" for n in names), example=f"{name}.{example}")

    def __repr__(self):
        return f"<tombacx.scipy.stats.{self.name}>"

    def __reduce__(self):
        return _by_name, (self.name,)

    def __call__(self, *args, seed=None, **kwds):
        if len(args) > len(self._names):
            raise TypeError(f"{self.name}: at most {len(self._names)} parameters are expected, not {len(args)}")
        given = dict(zip(self._names, args, strict=False))
        for key, value in kwds.items():
            if key not in self._names or key in given:
                raise TypeError(f"{self.name}: no parameter is called {key!r}, or it is given twice")
            given[key] = value
        frozen = self._frozen(given)
        frozen.random_state = seed
        return frozen

    def _frozen(self, given):
        return FrozenMultivariate(self, given)


class FrozenMultivariate(WithState):
    """A distribution with parameters: its functions take the points alone."""

    def __init__(self, dist, given, **known):
        self.dist, self.given = dist, given
        self.__dict__ |= known

    def __repr__(self):
        given = ", ".join(f"{name}={value!r}" for name, value in self.given.items())
        return f"tombacx.scipy.stats.{self.dist.name}({given})"

    def __getattr__(self, name):
        if name.startswith("_") or name in ("dist", "given"):
            raise AttributeError(name)
        f = getattr(self.dist, name)
        if name == "rvs":
            f = functools.update_wrapper(functools.partial(f, random_state=self.random_state), f)
        return functools.partial(_frozen_call, f, self.dist._names, self.given)


def _frozen_call(f, names, given, *points, **options):
    """What is left of the arguments when the parameters, wherever these stand, are taken."""
    taken = list(inspect.signature(f).parameters)
    left = [name for name in taken if name not in names]
    if len(points) > len(left):
        raise TypeError(f"{f.__name__}: at most {len(left)} arguments are expected, not {len(points)}")
    parameters = {name: value for name, value in given.items() if name in taken}
    return f(**parameters, **dict(zip(left, points, strict=False)), **options)


def _by_name(name):
    from tombacx.scipy import stats

    return getattr(stats, name)


def shape_of(size):
    """Of how many are drawn: a tuple."""
    if size is None:
        return ()
    size = _on_host(size)
    return (int(size),) if isinstance(size, (int, np.integer)) else tuple(size)


def numbers(name, x):
    x = tombac.asarray(x)
    if x.dtype.kind not in "biuf":
        raise TypeError(f"{name}: real numbers are expected, not {x.dtype}")
    return x.astype("d", copy=False)


# ---- normal and t ----------------------------------------------------------------------------------------------------


def _place_and_matrix(name, place, matrix):
    """The vector in the middle, a matrix of as many rows, and whether they were numbers."""
    place = None if place is None else numbers(name, place)
    matrix = numbers(name, 1.0 if matrix is None else matrix)
    dim = place.size if place is not None else matrix.shape[0] if matrix.ndim else 1
    if place is not None and place.ndim > 1:
        raise ValueError(f"{name}: the middle must be a vector, not of shape {place.shape}")
    place = tombac.zeros(dim) if place is None else place.reshape(-1)
    if matrix.ndim == 0:
        matrix = matrix * tombac.eye(dim)
    elif matrix.ndim == 1:
        matrix = tombac.diag(matrix)
    if matrix.shape != (dim, dim):
        raise ValueError(f"{name}: a matrix of shape {(dim, dim)} is expected beside a vector of length {dim}, not "
                         f"{matrix.shape}")
    return place, matrix


class _Factored:
    """A symmetric matrix that has no negative eigenvalue, by its eigenvectors, for which the eigenvalues are looked at.
    """

    def __init__(self, name, matrix, allow_singular):
        values, self.vectors = tombac.linalg.eigh(matrix)
        seen = values.get()
        little = 1e6 * np.finfo("d").eps * abs(seen).max() if seen.size else 0.0
        if np.isnan(seen).any():
            raise ValueError(f"{name}: the matrix contains NaN or infinite elements")
        if seen.size and seen.min() < -little:
            raise ValueError(f"{name}: the matrix must be symmetric, without negative eigenvalues")
        self.kept = seen > little
        self.rank = int(self.kept.sum())
        if not allow_singular and self.rank < len(seen):
            raise np.linalg.LinAlgError(f"{name}: the matrix is singular, and allow_singular is not set")
        self.log_determinant = float(np.log(seen[self.kept]).sum())
        self.values, self.little = values, little
        good = tombac.array(self.kept)
        self.whitening = self.vectors * where(good, 1 / tombac.sqrt(where(good, values, 1.0)), 0.0)

    def distances(self, off):
        """The squared lengths of vectors by the inverse."""
        return tombac.square(off @ self.whitening).sum(axis=-1)

    def is_outside(self, off):
        """Where vectors are not of the space that the matrix spans."""
        across = off @ (self.vectors * tombac.array(~self.kept))
        return tombac.sqrt(tombac.square(across).sum(axis=-1)) > self.little

    def coloured(self, drawn):
        return (drawn * tombac.sqrt(tombac.maximum(self.values, 0.0))) @ self.vectors.T


def _off(name, x, place):
    """Points as vectors, from the middle on."""
    x = numbers(name, x)
    if x.ndim == 0 or (x.ndim == 1 and place.size == 1):
        x = x[..., None]
    try:
        return x - place
    except ValueError:
        raise ValueError(f"{name}: points of shape {x.shape} are no vectors of length {place.size}") from None


def _drawn_vectors(generator, size, dim):
    return generator.standard_normal((*shape_of(size), dim))


def _as_scipys(x):
    """Without the axes of length 1."""
    return x.squeeze()


class _Normal(Multivariate):
    """pdf logpdf cdf logcdf rvs entropy fit marginal of normal vectors."""

    def logpdf(self, x, mean=None, cov=1, allow_singular=False):
        """The logarithm of the density at vectors, which lie along the last axis."""
        place, matrix = _place_and_matrix(self.name, mean, cov)
        factored = _Factored(self.name, matrix, allow_singular)
        off = _off(self.name, x, place)
        value = -(factored.rank * math.log(2 * math.pi) + factored.log_determinant + factored.distances(off)) / 2
        return _as_scipys(value if factored.rank == place.size else where(factored.is_outside(off), -np.inf, value))

    def pdf(self, x, mean=None, cov=1, allow_singular=False):
        """The density at vectors, which lie along the last axis."""
        return tombac.exp(self.logpdf(x, mean, cov, allow_singular))

    def cdf(self, x, mean=None, cov=1, allow_singular=False, maxpts=None, abseps=1e-5, releps=1e-5, *,
            lower_limit=None, rng=None):
        """The probability of vectors of which no element is greater: SciPy's, on the host."""
        place, matrix = _place_and_matrix(self.name, mean, cov)
        x = _off(self.name, x, tombac.zeros(place.size))
        found = scipy_function("scipy.stats", "multivariate_normal").cdf(
            host(x), host(place), host(matrix), allow_singular, maxpts, abseps, releps, lower_limit=host(lower_limit),
            **({} if rng is None else {"rng": rng}))
        return tombac.asarray(np.asarray(found, "d"))

    def logcdf(self, x, mean=None, cov=1, allow_singular=False, maxpts=None, abseps=1e-5, releps=1e-5, *,
               lower_limit=None, rng=None):
        """The logarithm of cdf."""
        return tombac.log(self.cdf(x, mean, cov, allow_singular, maxpts, abseps, releps, lower_limit=lower_limit,
                                   rng=rng))

    def rvs(self, mean=None, cov=1, size=1, random_state=None):
        """Random vectors: an array of the shape ``size``, and of the vectors' length behind it, but no axis of 1."""
        place, matrix = _place_and_matrix(self.name, mean, cov)
        generator = generator_of(self.name, random_state)
        drawn = _drawn_vectors(generator, size, place.size)
        return _as_scipys(place + _Factored(self.name, matrix, True).coloured(drawn))

    def entropy(self, mean=None, cov=1):
        """The differential entropy."""
        _, matrix = _place_and_matrix(self.name, mean, cov)
        factored = _Factored(self.name, matrix, True)
        return tombac.full((), (factored.rank * (math.log(2 * math.pi) + 1) + factored.log_determinant) / 2)

    def fit(self, x, fix_mean=None, fix_cov=None):
        """The most probable mean and covariance of vectors, the rows of a matrix: a tuple of arrays."""
        x = numbers(self.name, x)
        if x.ndim != 2:
            raise ValueError(f"{self.name}: vectors must be rows of a matrix, not an array of {x.ndim} dimensions")
        mean = x.mean(axis=0) if fix_mean is None else numbers(self.name, fix_mean)
        off = x - mean
        return mean, off.T @ off / len(x) if fix_cov is None else numbers(self.name, fix_cov)

    def marginal(self, dimensions, mean=None, cov=1, allow_singular=False):
        """The distribution of some of the elements, whose places are given."""
        place, matrix = _place_and_matrix(self.name, mean, cov)
        at = _dimensions(self.name, dimensions, place.size)
        return self(place[at], matrix[at[:, None], at], allow_singular)

    def _frozen(self, given):
        mean, cov = _place_and_matrix(self.name, given.get("mean"), given.get("cov", 1))
        _Factored(self.name, cov, given.get("allow_singular", False))
        return FrozenMultivariate(self, given, mean=mean, cov=cov, dim=mean.size)


def _dimensions(name, dimensions, dim):
    at = np.atleast_1d(dimensions)
    if at.dtype.kind not in "iu" or (at < -dim).any() or (at >= dim).any() or len(set((at % dim).tolist())) < at.size:
        raise ValueError(f"{name}: dimensions must be different places of {dim}, not {dimensions!r}")
    return tombac.array(at % dim)


class _Student(Multivariate):
    """pdf logpdf rvs entropy marginal of t-distributed vectors."""

    def _degrees(self, df):
        if not df > 0:
            raise ValueError(f"{self.name}: df must be positive, not {df!r}")
        return float(df)

    def logpdf(self, x, loc=None, shape=1, df=1):
        """The logarithm of the density at vectors, which lie along the last axis."""
        place, matrix = _place_and_matrix(self.name, loc, shape)
        return self._log(x, place, matrix, self._degrees(df), False)

    def _log(self, x, place, matrix, df, allow_singular):
        if df == math.inf:
            return multivariate_normal.logpdf(x, place, matrix, allow_singular)
        factored, dim = _Factored(self.name, matrix, allow_singular), place.size
        constant = math.lgamma((df + dim) / 2) - math.lgamma(df / 2) - dim / 2 * math.log(df * math.pi)
        distance = factored.distances(_off(self.name, x, place))
        return _as_scipys(constant - factored.log_determinant / 2 - (df + dim) / 2 * tombac.log1p(distance / df))

    def pdf(self, x, loc=None, shape=1, df=1, allow_singular=False):
        """The density at vectors, which lie along the last axis."""
        place, matrix = _place_and_matrix(self.name, loc, shape)
        return tombac.exp(self._log(x, place, matrix, self._degrees(df), allow_singular))

    def rvs(self, loc=None, shape=1, df=1, size=1, random_state=None):
        """Random vectors: an array of the shape ``size``, and of the vectors' length behind it, but no axis of 1."""
        place, matrix = _place_and_matrix(self.name, loc, shape)
        df, generator = self._degrees(df), generator_of(self.name, random_state)
        drawn = _Factored(self.name, matrix, True).coloured(_drawn_vectors(generator, size, place.size))
        if df < math.inf:
            drawn = drawn / tombac.sqrt(2 * generator.standard_gamma(df / 2, (*drawn.shape[:-1], 1)) / df)
        return _as_scipys(place + drawn)

    def entropy(self, loc=None, shape=1, df=1):
        """The differential entropy."""
        place, matrix = _place_and_matrix(self.name, loc, shape)
        df = self._degrees(df)
        if df == math.inf:
            return multivariate_normal.entropy(place, matrix)
        dim, half = place.size, (place.size + df) / 2
        apart = special.digamma(tombac.array([half, df / 2]))
        return (_Factored(self.name, matrix, True).log_determinant / 2 - math.lgamma(half) + math.lgamma(df / 2) +
                dim / 2 * math.log(df * math.pi) + half * (apart[0] - apart[1]))

    def marginal(self, dimensions, loc=None, shape=1, df=1, allow_singular=False):
        """The distribution of some of the elements, whose places are given."""
        place, matrix = _place_and_matrix(self.name, loc, shape)
        at = _dimensions(self.name, dimensions, place.size)
        return self(place[at], matrix[at[:, None], at], df, allow_singular)


multivariate_normal = _Normal(
    "multivariate_normal", "normal distribution of vectors", ("mean", "cov", "allow_singular"),
    "pdf(tombac.zeros(2), None, 2.0).round(4)\narray(0.0796)")
multivariate_t = _Student(
    "multivariate_t", "t distribution of vectors", ("loc", "shape", "df", "allow_singular"),
    "pdf(tombac.zeros(2), None, tombac.eye(2), 3).round(4)\narray(0.1592)")


# ---- uniform ones ----------------------------------------------------------------------------------------------------


def _dimension(name, dim, least):
    dim = _on_host(dim)
    if not isinstance(dim, (int, np.integer)) or dim < least:
        raise ValueError(f"{name}: dim must be a whole number from {least} on, not {dim!r}")
    return int(dim)


class _Matrices(Multivariate):
    """rvs of matrices whose columns are orthogonal and of length 1, by normal ones (Mezzadri, Notices AMS 54, 2007)."""

    is_complex = is_special = False

    def rvs(self, dim, size=1, random_state=None):
        """Random matrices: an array of shape (size, dim, dim), or (dim, dim) for one."""
        dim, shape = _dimension(self.name, dim, 0), () if size in (1, None) else shape_of(size)
        generator = generator_of(self.name, random_state)
        drawn = generator.standard_normal((*shape, dim, dim))
        if self.is_complex:
            drawn = (drawn + 1j * generator.standard_normal(drawn.shape)) / math.sqrt(2)
        if drawn.size == 0:
            return drawn
        q, r = tombac.linalg.qr(drawn)
        turns = tombac.diagonal(r, axis1=-2, axis2=-1)
        q = q * (turns / abs(turns))[..., None, :]
        if not self.is_special:
            return q
        first = tombac.where(tombac.arange(dim) == 0, tombac.linalg.det(q)[..., None], 1.0)
        return q * first[..., None, :]


class _Special(_Matrices):
    is_special = True


class _Unitary(_Matrices):
    is_complex = True


ortho_group = _Matrices("ortho_group", "uniform distribution of orthogonal matrices", ("dim",),
                        "rvs(3, random_state=1).shape\n(3, 3)")
special_ortho_group = _Special("special_ortho_group", "uniform distribution of rotations", ("dim",),
                               "rvs(3, random_state=1).shape\n(3, 3)")
unitary_group = _Unitary("unitary_group", "uniform distribution of unitary matrices", ("dim",),
                         "rvs(3, random_state=1).shape\n(3, 3)")


class _Directions(Multivariate):
    """rvs of vectors of length 1."""

    def rvs(self, dim, size=None, random_state=None):
        """Random vectors: an array of the shape ``size``, and of ``dim`` behind it."""
        dim = _dimension(self.name, dim, 1)
        x = _drawn_vectors(generator_of(self.name, random_state), size, dim)
        return x / tombac.sqrt(tombac.square(x).sum(axis=-1, keepdims=True))


uniform_direction = _Directions("uniform_direction", "uniform distribution of directions", ("dim",),
                                "rvs(3, random_state=1).shape\n(3,)")
