"""What the library does and how: the backend, counters, and deferral of elementwise work.

>>> x = tombac.arange(3.0)
>>> with tombac.config.fusion(False):
...     y = tombac.sin(x) + 1      # two kernels, run at once
"""

import contextlib

from tombac._core import backend, compile_wait, counters, is_pending, reset_counters
from tombac import _core

__all__ = [
    "backend", "compile_wait", "compute_type", "counters", "fusion", "is_pending", "reset_counters", "strict_indices",
]


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

    >>> with tombac.config.fusion(False):
    ...     tombac.config.fusion()
    False
    """
    if on is None:
        return (False, True, "all")[_core.fusion_get()]
    if isinstance(on, str) and on != "all":
        raise ValueError(f"fusion: on must be True, False or 'all', not {on!r}")
    return _Setting(_core.fusion_set, 2 if isinstance(on, str) else int(bool(on)))


def strict_indices(on=None):
    """Whether this thread's index arrays are checked: an index out of range is then an error, as in NumPy, at the call.

    Without an argument: tells. With one: sets it, and as a context manager sets it back at the block's end. Otherwise,
    and unless ``TOMBAC_STRICT_INDICES`` is 1, such indices wrap around, as in CuPy. It is about all
    that indexes by arrays, ``a[i]``, ``a[i] = v``, ``take_along_axis`` and ``ufunc.at``, and about ``take`` and ``put``
    where no ``mode`` is given: it is 'raise' then. ``ravel_multi_index`` goes by its ``mode``, 'wrap' by default.

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


_COMPUTE_TYPES = ("default", "pedantic", "fp16", "fp32", "fp64", "bf16", "tf32")


def compute_type(dtype, kind=None):
    """How exactly cuBLAS may compute matrix products of a dtype: by default in float32 at least, and with all its bits.

    With one argument: tells, by its name. With two: sets it, for all threads, and as a context manager sets it back at
    the block's end. ``TOMBAC_TF32=1`` makes "tf32" the default of float32. float32 and complex64 share a choice, as
    float64 and complex128 and float16 and bfloat16 do. Small products, which are kernels of the library's own, and
    those of the CPU backend keep the precision of their numbers whatever is chosen.

    Args:
        dtype: float16, bfloat16, float32, float64, complex64 or complex128.
        kind: ``"tf32"``, ``"bf16"`` and ``"fp16"`` let float32 lose bits before it is multiplied; sums stay float32.
            With ``"fp16"`` float16 is summed in float16. With ``"fp32"`` what is added to a product of float16 or
            bfloat16 may be added before that is rounded. ``"pedantic"`` forbids quicker algorithms. What cuBLAS has not
            got for a dtype is as ``"default"``.

    Raises:
        ValueError: Another kind.
        TypeError: Another dtype.

    >>> with tombac.config.compute_type("float32", "tf32"):
    ...     tombac.config.compute_type("float32")
    'tf32'
    """
    if kind is None:
        return _COMPUTE_TYPES[_core.get_compute_type(dtype) - 1]
    if kind not in _COMPUTE_TYPES:
        raise ValueError(f"compute_type: kind must be one of {', '.join(_COMPUTE_TYPES)}, not {kind!r}")

    def choose(value):
        before = _core.get_compute_type(dtype)
        _core.set_compute_type(dtype, value)
        return before

    return _Setting(choose, _COMPUTE_TYPES.index(kind) + 1)
