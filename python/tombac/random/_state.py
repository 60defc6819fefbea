"""RandomState and the functions over a state for each device: NumPy's older interface."""

import operator
import os
import threading

from tombac import _core
from tombac._numpy import np
from tombac._util import other_name
from tombac.random import _seed
from tombac.random._distributions import Draws

_NAME = "Philox4x32"  # what states begin with


@_core._add_draws
class RandomState(Draws):
    """Random numbers from one seeded stream.

    Parameters that are out of range are a ValueError. Arrays on a device are read for that, by one kernel in a call,
    which waits for it; a Generator does not.

    Args:
        seed: None (fresh entropy), an integer, or a sequence of integers, which is hashed to one number.
        method: Accepted for CuPy's sake.

    >>> a = tombac.random.RandomState(3)
    >>> b = tombac.random.RandomState(3)
    >>> bool((a.rand(5) == b.rand(5)).all())
    True
    """

    _reads = True

    def __init__(self, seed=None, method=None):
        self.seed(seed)

    def seed(self, seed=None):
        """Starts the stream of ``seed`` from its beginning."""
        self._rng = _core.Rng(_seed.key(seed, "state"))

    def get_state(self, legacy=True):
        """Where the stream is, for set_state; NumPy's states are of another generator.

        Args:
            legacy: Return a tuple, else a dict.

        Returns:
            A tuple ``('Philox4x32', key, offset)``: the seed's hash, and how many numbers have been drawn; or a dict.

        Raises:
            ValueError: TOMBAC_SEED, which is read where no number was drawn yet, is no whole number.

        >>> tombac.random.RandomState(3).get_state()[0]
        'Philox4x32'
        """
        _, (key, offset) = self._rng.__reduce__()
        return (_NAME, key, offset) if legacy else {"bit_generator": _NAME, "state": {"key": key, "offset": offset}}

    def set_state(self, state):
        """Has the stream go on where get_state said this.

        Args:
            state: What get_state returned, a tuple or a dict.

        Returns:
            None.

        Raises:
            ValueError: It is the state of another generator.
            TypeError: ``state`` is neither a tuple nor a dict.

        >>> before = tombac.random.get_state()
        >>> first = tombac.random.rand(3)
        >>> tombac.random.set_state(before)
        >>> bool((tombac.random.rand(3) == first).all())
        True
        """
        if isinstance(state, dict):
            if not isinstance(state.get("state"), dict) or not {"key", "offset"} <= set(state["state"]):
                raise ValueError("set_state: the state of a Philox4x32 is expected")
            state = (state.get("bit_generator"), state["state"]["key"], state["state"]["offset"])
        elif not isinstance(state, (tuple, list)):
            raise TypeError(f"set_state: a tuple or a dict is expected, not {type(state)}")
        if len(state) != 3 or state[0] != _NAME:
            raise ValueError("set_state: the state of a Philox4x32 is expected")
        self._rng = _core.Rng(operator.index(state[1]), operator.index(state[2]))

    def tomaxint(self, size=None):
        """int64 in [0, 2**63)."""
        return self._rng.draw("integers", np.int64, size, 0, (1 << 63) - 1)

    def choice(self, a, size=None, replace=True, p=None):
        """A sample.

        Args:
            a: What it is drawn from: an array of at least one dimension, along whose first axis is drawn, a sequence,
                or an int n for range(n).
            size: The shape of the sample: an int, a tuple of them, or None for a single draw.
            replace: Whether an element may be drawn more than once.
            p: The probability of each element: an array of one dimension, or None where all are equal. It is read,
                which waits for the device.

        Returns:
            An array of ``a``'s dtype, or of int64.

        Raises:
            ValueError: There is not enough to draw from, or ``p`` are no probabilities of ``a``'s elements.

        >>> tombac.random.choice(5, size=(2, 3)).shape
        (2, 3)
        """
        return self._choice(a, size, replace, p)

    def permutation(self, a=None, *, x=None):
        """An order at random.

        Args:
            a: An array or a sequence, whose elements, along the first axis, are put in order, or an int n for range(n).
            x: NumPy's name of ``a``.

        Returns:
            A new array.

        Raises:
            TypeError: ``a`` is a number that is no int.
            ValueError: The int is negative.

        >>> sorted(tombac.random.permutation(4).tolist())
        [0, 1, 2, 3]
        """
        if x is not None or a is None:
            a = other_name("permutation", a, x)
        return self._permutation(a, 0)

    def shuffle(self, a=None, *, x=None):
        """Puts the elements of an array, along the first axis, in a random order, in place.

        Args:
            a: A tombac array of at least one dimension.
            x: NumPy's name of ``a``.

        Returns:
            None.

        Raises:
            TypeError: ``a`` is none.

        >>> a = tombac.arange(5)
        >>> tombac.random.shuffle(a)
        >>> a.sum().item()
        10
        """
        if x is not None:
            a = other_name("shuffle", a, x)
        self._shuffle(a, 0)

    def multivariate_normal(self, mean, cov, size=None, check_valid="ignore", tol=1e-08, method="cholesky",
                            dtype=float):
        """Vectors of the multivariate normal distribution.

        Args:
            mean: The mean: an array of one dimension.
            cov: The covariances: a square matrix, which is read and taken apart on the host.
            size: The shape before the axis of the vectors: an int, a tuple of them, or None for none.
            check_valid: What is done where ``cov`` is not positive-semidefinite: 'warn', 'raise' or 'ignore'; with
                'cholesky' it is an error whatever this says.
            tol: How far it may be from that.
            method: 'cholesky', 'eigh' or 'svd'.
            dtype: float16, float32 or float64.

        Returns:
            An array of shape ``(*size, len(mean))``.

        Raises:
            LinAlgError: ``cov`` is not positive-definite, with 'cholesky'.
            TypeError: ``dtype`` is none of these.
            ValueError: Shapes do not fit, an argument is none of these, or ``cov`` is not valid and ``check_valid`` is
                'raise'.

        >>> tombac.random.multivariate_normal([0, 0], [[1, 0.5], [0.5, 1]], size=4).shape
        (4, 2)
        """
        return self._normal_vectors(mean, cov, size, check_valid, tol, method, dtype)


_states = {}
_lock = threading.Lock()


def _seed_of_environment():
    text = os.environ.get("TOMBAC_SEED")
    if not text:
        return None
    if not (text.isascii() and text.isdigit()):
        raise ValueError(f"TOMBAC_SEED is {text!r}; it must be a whole number, 0 or more")
    return int(text)


def get_random_state():
    """The RandomState behind the functions of this module on the current device; TOMBAC_SEED may seed it.

    Returns:
        A RandomState.

    Raises:
        ValueError: TOMBAC_SEED is no whole number.

    >>> state = tombac.random.get_random_state()
    >>> state is tombac.random.get_random_state()
    True
    """
    device = _core.device_current()
    with _lock:
        state = _states.get(device)
        if state is None:
            state = _states[device] = RandomState(_seed_of_environment())
        return state


def set_random_state(rs):
    """Makes ``rs`` the RandomState of the current device.

    Args:
        rs: A RandomState.

    Returns:
        None.

    Raises:
        TypeError: ``rs`` is none.

    >>> before = tombac.random.get_random_state()
    >>> tombac.random.set_random_state(tombac.random.RandomState(3))
    >>> tombac.random.set_random_state(before)
    """
    if not isinstance(rs, RandomState):
        raise TypeError(f"a tombac.random.RandomState is expected, not {type(rs)}")
    with _lock:
        _states[_core.device_current()] = rs


def reset_states():
    """Forgets the states of all devices; the next call seeds a new one.

    Returns:
        None.

    >>> tombac.random.reset_states()
    """
    with _lock:
        _states.clear()


def seed(seed=None):
    """Seeds the current device's state: numbers begin again from where this seed begins.

    Args:
        seed: None (fresh entropy), an integer, or a sequence of integers, which is hashed to one number.

    Returns:
        None.

    Raises:
        TypeError: The seed is not made of integers.
        ValueError: An integer is negative.

    >>> tombac.random.seed(3)
    >>> first = tombac.random.rand(3)
    >>> tombac.random.seed(3)
    >>> bool((tombac.random.rand(3) == first).all())
    True
    """
    get_random_state().seed(seed)


FUNCTIONS = (
    "beta", "binomial", "bytes", "chisquare", "choice", "dirichlet", "exponential", "f", "gamma", "geometric",
    "get_state", "gumbel", "hypergeometric", "laplace", "logistic", "lognormal", "logseries", "multinomial",
    "multivariate_normal", "negative_binomial", "noncentral_chisquare", "noncentral_f", "normal", "pareto",
    "permutation", "poisson", "power", "rand", "randint", "randn", "random", "random_integers", "random_sample",
    "rayleigh", "set_state", "shuffle", "standard_cauchy", "standard_exponential", "standard_gamma", "standard_normal",
    "standard_t", "triangular", "uniform", "vonmises", "wald", "weibull", "zipf",
)

globals().update(
    {name: _core.StateFunction(name, getattr(RandomState, name), _states, get_random_state) for name in FUNCTIONS})
ranf = sample = random_sample  # noqa: F821
__all__ = [
    *FUNCTIONS, "RandomState", "get_random_state", "ranf", "reset_states", "sample", "seed", "set_random_state",
]
