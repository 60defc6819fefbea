"""Random numbers of distributions, by tombac's generators."""

import tombac
from tombac._core import _on_host, where
from tombac._numpy import np

__all__ = ["Sampling", "WithState", "generator_of"]


def generator_of(name, random_state):
    """What numbers are drawn of: the module's own state, one of a seed, or what is given."""
    if random_state is None:
        return tombac.random.get_random_state()
    if isinstance(random_state, (tombac.random.Generator, tombac.random.RandomState)):
        return random_state
    if isinstance(random_state := _on_host(random_state), (int, np.integer)):
        return tombac.random.RandomState(int(random_state))
    raise ValueError(f"{name}: random_state must be None, a seed or a generator, not {random_state!r}")


class WithState:
    """What has a distribution, and may have a source of random numbers of its own."""

    _random_state = None

    @property
    def random_state(self):
        """The source of random numbers where ``rvs`` is given none: a seed, a Generator or a RandomState, or None."""
        return self._random_state

    @random_state.setter
    def random_state(self, value):
        self._random_state = None if value is None else generator_of(self.dist.name, value)


def uniform(generator, shape):
    """Numbers between 0 and 1, neither of which is one."""
    return where((u := generator.random_sample(shape) if hasattr(generator, "random_sample")
                  else generator.random(shape)) > 0, u, 2.0**-54)


class Sampling:
    """What distributions draw: rvs."""

    def rvs(self, *args, size=None, random_state=None, **kwds):
        """Random numbers, an array of the shape ``size``, by default the parameters' own; it may follow them all.

        ``random_state`` is a seed, a Generator or a RandomState; None for the state that functions of ``tombac.random``
        share. Parameters are looked at: where they are not allowed there is a ValueError.
        """
        if size is None and len(args) == len(self._shapes) + (3 if self.scaled else 2):
            *args, size = args
        generator = generator_of(self.name, random_state)
        shapes, loc, scale = self._parameters(args, kwds)
        if not bool((self._good(shapes, scale) & ~tombac.isnan(loc)).all()):
            raise ValueError(f"{self.name}: parameters are not allowed")
        own = np.broadcast_shapes(*(x.shape for x in (*shapes, loc, scale)))
        size = _on_host(size)
        shape = own if size is None else (size,) if isinstance(size, (int, np.integer)) else tuple(size)
        try:
            fits = np.broadcast_shapes(own, shape) == shape
        except ValueError:
            fits = False
        if not fits:
            raise ValueError(f"{self.name}: size {size!r} does not fit parameters of shape {own}")
        draw = self._functions.get("rvs")
        if draw is not None:
            x = draw(generator, shape, *shapes)
        else:
            x = self._inverted(uniform(generator, shape), shapes)
        return self._moved(x, loc, scale)
