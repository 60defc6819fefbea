"""What the library does and how: the backend, counters, and deferral of elementwise work.

>>> with tombac.config.fusion(False):
...     y = tombac.sin(x) + 1      # two kernels, run at once
"""

import contextlib

from tombac._core import backend, compile_wait, counters, is_pending, reset_counters
from tombac import _core

__all__ = ["backend", "compile_wait", "counters", "fusion", "is_pending", "reset_counters"]


class _Fusion(contextlib.ContextDecorator):
    def __init__(self, on):
        self._before = []
        self._before.append(_core.fusion_set(on))
        self._on = on

    def __enter__(self):
        # The change was made at the call, so that fusion(False) alone works as a switch.
        _core.fusion_set(self._on)
        return self

    def __exit__(self, *args):
        _core.fusion_set(self._before[0])
        return False


def fusion(on=None):
    """Whether this thread defers and fuses elementwise work.

    Without an argument: tells. With one: sets it, and as a context manager sets it back at the block's end.

    >>> tombac.config.fusion()
    True
    """
    return _core.fusion_get() if on is None else _Fusion(bool(on))
