"""tombac.fft.config: the plan cache, and switches of CuPy's."""

from tombac import _core
from tombac.fft._callbacks import set_cufft_callbacks
from tombac.fft._devices import chosen as _chosen

__all__ = ["FFTConfig", "PlanCache"]


class PlanCache:
    """The plans that the calling thread keeps for transforms on one device; the least recently used one goes first.

    On the CPU there are none: the library keeps what it needs.

    Args:
        device: Its number.
    """

    def __init__(self, device):
        self._device = device

    def _figures(self):
        return _core.fft_cache_read(self._device)

    def set_size(self, size):
        """Sets how many plans are kept: -1 is no limit, 0 keeps none."""
        _core.fft_cache_limit(self._device, size, self.get_memsize())

    def get_size(self):
        """How many plans are kept at most; -1: no limit."""
        return self._figures()[0]

    def set_memsize(self, memsize):
        """Sets how many bytes of work area the plans may ask for together: -1 is no limit."""
        _core.fft_cache_limit(self._device, self.get_size(), memsize)

    def get_memsize(self):
        """How many bytes of work area the plans may ask for together; -1: no limit."""
        return self._figures()[1]

    def get_curr_size(self):
        """How many plans there are."""
        return self._figures()[2]

    def get_curr_memsize(self):
        """Bytes of work area that they ask for. The pool lends a plan its work area while it runs."""
        return self._figures()[3]

    def clear(self):
        """Drops all plans, and the counts of hits and misses."""
        _core.fft_cache_clear(self._device)

    def show_info(self):
        """Prints limits, what there is, and how often a plan was there."""
        print(self)

    def __str__(self):
        plans, memory, count, used, hits, misses = self._figures()
        bound = ["no limit" if limit < 0 else limit for limit in (plans, memory)]
        return (
            f"cuFFT plan cache of device {self._device} (of this thread)\n"
            f"plans                : {count} (at most: {bound[0]})\n"
            f"bytes of work area   : {used} (at most: {bound[1]})\n"
            f"hits, misses         : {hits}, {misses}"
        )


class FFTConfig:
    """What can be set about transforms.

    The switches are CuPy's, so that programs that set them run. ``enable_nd_planning`` chooses between what is one way
    here. Where ``use_multi_gpus`` is set, :func:`fft` and :func:`ifft` share rows out among devices.
    """

    set_cufft_callbacks = set_cufft_callbacks

    def __init__(self):
        self.enable_nd_planning = True
        self.use_multi_gpus = False
        self._devices = None

    def set_cufft_gpus(self, gpus):
        """Chooses the devices among which transforms share rows out where ``use_multi_gpus`` is set.

        Args:
            gpus: How many, or a list of their numbers.

        Raises:
            TypeError: ``gpus`` is neither.
            ValueError: There are not so many, no such device, or one is named twice.
        """
        self._devices = _chosen("set_cufft_gpus", gpus)

    def get_plan_cache(self):
        """The calling thread's plans for the current device: a :class:`PlanCache`."""
        return PlanCache(_core.Device().id)

    def show_plan_cache_info(self):
        """Prints :meth:`PlanCache.show_info` of every device."""
        for device in range(_core.device_count()):
            PlanCache(device).show_info()

    def clear_plan_cache(self):
        """Drops the calling thread's plans for the current device."""
        self.get_plan_cache().clear()
