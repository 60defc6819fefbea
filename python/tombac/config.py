"""What the library does and how: the backend, counters, and deferral of elementwise work.

>>> with tombac.config.fusion(False):
...     y = tombac.sin(x) + 1      # two kernels, run at once
"""

import contextlib

from tombac._core import backend, compile_wait, counters, is_pending, reset_counters
from tombac import _core

__all__ = ["backend", "compile_wait", "counters", "fusion", "is_pending", "reset_counters", "strict_indices"]


class _Setting(contextlib.ContextDecorator):
    """What a thread has set by `choose(value)`, which gives what it was; at a block's end it is that again."""

    def __init__(self, choose, value):
        self._choose, self._value = choose, value
        self._before = choose(value)

    def __enter__(self):
        # The change was made at the call, so that fusion(False) alone works as a switch.
        self._choose(self._value)
        return self

    def __exit__(self, *args):
        self._choose(self._before)
        return False


def fusion(on=None):
    """Whether this thread defers and fuses elementwise work.

    Without an argument: tells. With one: sets it, and as a context manager sets it back at the block's end.

    Args:
        on: True defers what pays: an operation on a few KiB of host memory takes less time than the bookkeeping, and
            runs at once. ``"all"`` defers that as well. False defers nothing.

    Raises:
        ValueError: Another string.

    >>> tombac.config.fusion()
    True
    """
    if on is None:
        return (False, True, "all")[_core.fusion_get()]
    if isinstance(on, str) and on != "all":
        raise ValueError(f"fusion: on must be True, False or 'all', not {on!r}")
    return _Setting(_core.fusion_set, 2 if isinstance(on, str) else int(bool(on)))


def strict_indices(on=None):
    """Whether this thread's index arrays are checked: an index out of range is then an error, as in NumPy, at the call.

    Without an argument: tells. With one: sets it, and as a context manager sets it back at the block's end. Otherwise,
    and unless ``TOMBAC_STRICT_INDICES`` is 1, such indices wrap around, as in CuPy. It is about ``a[i]``,
    ``a[i] = v`` and ``ufunc.at``; ``take`` and its kin go by their ``mode``.

    A check is one more kernel for each index array, for which the host waits: it is meant for finding mistakes.

    Args:
        on: Whether to check.

    >>> a = tombac.arange(3)
    >>> a[tombac.array([3])]
    array([0])
    >>> with tombac.config.strict_indices(True):
    ...     a[tombac.array([3])]
    Traceback (most recent call last):
    IndexError: index 3 is out of bounds for axis 0 with size 3
    """
    return _core.strict_indices_get() if on is None else _Setting(_core.strict_indices_set, bool(on))
