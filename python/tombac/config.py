"""What the library does and how: the backend, counters, and deferral of elementwise work.

>>> x = tombac.arange(3.0)
>>> with tombac.config.fusion(False):
...     y = tombac.sin(x) + 1      # two kernels, run at once
"""

import contextlib

from tombac._core import backend, compile_wait, counters, is_pending, reset_counters
from tombac import _core

__all__ = ["backend", "compile_wait", "counters", "fusion", "is_pending", "reset_counters"]


class _Fusion(contextlib.ContextDecorator):
    def __init__(self, mode):
        self._before = []
        self._before.append(_core.fusion_set(mode))
        self._mode = mode

    def __enter__(self):
        # The change was made at the call, so that fusion(False) alone works as a switch.
        _core.fusion_set(self._mode)
        return self

    def __exit__(self, *args):
        _core.fusion_set(self._before[0])
        return False


def fusion(on=None):
    """Whether this thread defers and fuses elementwise work.

    Without an argument: tells. With one: sets it, and as a context manager sets it back at the block's end.

    Args:
        on: True defers what pays: an operation on a few KiB of host memory takes less time than the bookkeeping, and
            runs at once. ``"all"`` defers that as well. False defers nothing.

    Raises:
        ValueError: Another string.

    >>> with tombac.config.fusion(False):
    ...     tombac.config.fusion()
    False
    """
    if on is None:
        return (False, True, "all")[_core.fusion_get()]
    if isinstance(on, str) and on != "all":
        raise ValueError(f"fusion: on must be True, False or 'all', not {on!r}")
    return _Fusion(2 if isinstance(on, str) else int(bool(on)))
