"""Generator and default_rng: NumPy's newer interface."""

import tombac
from tombac import _core
from tombac._numpy import np
from tombac._util import normalize_axis_index
from tombac.random._arguments import check_out, float_dtype
from tombac.random._bit_generator import XORWOW, BitGenerator
from tombac.random._distributions import Draws


@_core._add_draws
class Generator(Draws):
    """Random numbers over a bit generator.

    Its methods are NumPy's; those that NumPy has without ``dtype`` take one here. Out-of-range parameters are a
    ValueError where they are numbers, sequences or NumPy arrays. Arrays on a device are not read, whatever the
    backend: there the result is NaN, or the least integer.

    >>> rng = tombac.random.default_rng(1)
    >>> rng.random(3, dtype="f").dtype
    dtype('float32')
    """

    _uniform_rules = "uniform by a Generator"

    def __init__(self, bit_generator):
        self.bit_generator = bit_generator

    @property
    def bit_generator(self):
        """Where its numbers come from; another one can be assigned, as in CuPy."""
        return self._bit_generator  # as Dask knows it

    @bit_generator.setter
    def bit_generator(self, bit_generator):
        if not isinstance(bit_generator, BitGenerator):
            raise TypeError(f"a tombac.random.BitGenerator is expected, not {type(bit_generator)}")
        self._bit_generator, self._rng = bit_generator, bit_generator._rng

    def __repr__(self):
        return f"Generator({type(self.bit_generator).__name__})"

    def spawn(self, n_children):
        """A list of ``n_children`` Generators with streams of their own, which follow from this one's seed."""
        return [type(self)(child) for child in self.bit_generator.spawn(n_children)]

    def standard_gamma(self, shape, size=None, dtype=float, out=None):
        """Numbers of the gamma distribution with scale 1; to ``out``, an array of their shape and dtype, if given."""
        if out is None:
            return self._standard_gamma(shape, size, dtype)
        check_out(out, None, float_dtype("standard_gamma", dtype))
        drawn = self._standard_gamma(shape, out.shape if size is None else size, dtype)
        check_out(out, drawn.shape, drawn.dtype)
        out[...] = drawn
        return out

    def choice(self, a, size=None, replace=True, p=None, axis=0, shuffle=True):
        """A sample of ``size`` from ``a`` along ``axis``, or from range(a).

        Args:
            a: What it is drawn from: an array, a sequence, or an int n for range(n).
            size: The shape of the sample: an int, a tuple of them, or None for a single draw.
            replace: Whether an element may be drawn more than once.
            p: The probability of each element, or None where all are equal. It is read, which waits for the device.
            axis: Along which elements are drawn.
            shuffle: Accepted; a sample without replacement is in random order in any case.

        Returns:
            An array of ``a``'s dtype, or of int64.

        Raises:
            ValueError: There is not enough to draw from, or ``p`` are no probabilities of ``a``'s elements.

        >>> tombac.random.default_rng(1).choice(5, size=(2, 2), replace=False).shape
        (2, 2)
        """
        return self._choice(a, size, replace, p, axis)

    def permutation(self, x, axis=0):
        """``x`` with the slices along ``axis`` in a random order, as a new array; of an int, range(x)."""
        return self._permutation(x, axis)

    def shuffle(self, x, axis=0):
        """Puts the slices of the array ``x`` along ``axis`` in a random order, in place."""
        self._shuffle(x, axis)

    def permuted(self, x, *, axis=None, out=None):
        """``x`` with the elements of each row along ``axis`` in an order of its own; with None, all elements.

        Args:
            x: An array or a sequence.
            axis: An int, or None for all elements together.
            out: An array of ``x``'s shape that receives the result, or None; it may be ``x``.

        Returns:
            An array of ``x``'s shape and dtype, or ``out``.

        Raises:
            AxisError: There is no such axis.
            TypeError: ``out`` is no array, or of another dtype.
            ValueError: ``out`` has another shape.

        >>> sorted(tombac.random.default_rng(1).permuted([3, 1, 2]).tolist())
        [1, 2, 3]
        """
        x = _core.asarray(x)
        if axis is None:
            result = x.ravel()[self._order(x.size)].reshape(x.shape)
        else:
            result = self._permuted_rows(x, normalize_axis_index(axis, x.ndim))
        if out is None:
            return result
        check_out(out, x.shape, x.dtype)
        out[...] = result
        return out

    def multivariate_normal(self, mean, cov, size=None, check_valid="warn", tol=1e-8, *, method="svd", dtype=float):
        """Vectors of the multivariate normal distribution.

        Args:
            mean: The mean: an array of one dimension.
            cov: The covariances: a square matrix, which is read and taken apart on the host.
            size: The shape before the axis of the vectors: an int, a tuple of them, or None for none.
            check_valid: What is done where ``cov`` is not positive-semidefinite: 'warn', 'raise' or 'ignore'; with
                'cholesky' it is an error whatever this says.
            tol: How far it may be from that.
            method: 'svd', 'eigh' or 'cholesky'.
            dtype: float16, float32 or float64.

        Returns:
            An array of shape ``(*size, len(mean))``.

        Raises:
            LinAlgError: ``cov`` is not positive-definite, with 'cholesky'.
            ValueError: Shapes do not fit, an argument is none of these, or ``cov`` is not valid and ``check_valid`` is
                'raise'.

        >>> tombac.random.default_rng(1).multivariate_normal([0, 0], [[1, 0.5], [0.5, 1]], size=4).shape
        (4, 2)
        """
        return self._normal_vectors(mean, cov, size, check_valid, tol, method, dtype)

    def multivariate_hypergeometric(self, colors, nsample, size=None, method="marginals"):
        """How many of each colour are drawn from an urn without putting any back.

        Args:
            colors: How many of each colour it holds: integers, less than 10**9 together.
            nsample: How many are drawn, at most all.
            size: The shape before the axis of the colours: an int, a tuple of them, or None for none.
            method: 'marginals' or 'count', which are the same here: a hypergeometric number for each colour.

        Returns:
            An array of int64, of shape ``(*size, len(colors))``.

        Raises:
            ValueError: A number is negative or too large, or more are drawn than there are.

        >>> tombac.random.default_rng(1).multivariate_hypergeometric([3, 4, 5], 6, size=2).sum(-1).tolist()
        [6, 6]
        """
        return self._hypergeometric_vectors(colors, nsample, size, method)


def default_rng(seed=None):
    """A Generator.

    Args:
        seed: None (fresh entropy), an integer, a sequence of integers, a SeedSequence of NumPy's, a BitGenerator, or a
            Generator, which is returned as it is.

    Returns:
        A Generator.

    Raises:
        TypeError: The seed is none of these.
        ValueError: An integer is negative.

    >>> tombac.random.default_rng(1).random(3).shape
    (3,)
    """
    if isinstance(seed, Generator):
        return seed
    return Generator(seed if isinstance(seed, BitGenerator) else XORWOW(seed))
