"""Error state: whether linear algebra checks its results, and whether implicit synchronisation is allowed."""

import contextlib
import threading

from tombac import _core

_state = threading.local()
_DEFAULT = {"divide": None, "over": None, "under": None, "invalid": None, "linalg": "ignore"}
_LINALG = ("ignore", "raise")


def geterr():
    """The calling thread's settings as a dict.

    Returns:
        A dict: the settings by name.

    >>> tombacx.geterr()['linalg']
    'ignore'
    """
    return dict(getattr(_state, "settings", _DEFAULT))


def _apply(settings):
    _state.settings = settings
    _core.linalg_errors_set(settings["linalg"] == "raise")


def seterr(*, divide=None, over=None, under=None, invalid=None, linalg=None):
    """Sets how errors are handled, and returns the settings before.

    ``linalg`` is 'ignore' or 'raise'. The floating-point settings of NumPy can only be None: devices do not report.

    Args:
        divide, over, under, invalid: None; anything else is refused.
        linalg: 'ignore', 'raise', or None for no change.

    Returns:
        A dict: the settings before, by name.

    Raises:
        NotImplementedError: A floating-point setting other than None.
        ValueError: An unknown value of ``linalg``.

    >>> before = tombacx.seterr(linalg='raise')
    >>> tombacx.geterr()['linalg']
    'raise'
    >>> _ = tombacx.seterr(linalg=before['linalg'])
    """
    for name, value in (("divide", divide), ("over", over), ("under", under), ("invalid", invalid)):
        if value is not None:
            raise NotImplementedError(f"seterr: {name} can only be None")
    if linalg is not None and linalg not in _LINALG:
        raise ValueError(f"seterr: linalg must be one of {_LINALG}, not {linalg!r}")
    before = geterr()
    if linalg is not None:
        _apply(before | {"linalg": linalg})
    return before


class errstate(contextlib.ContextDecorator):
    """seterr for the time of a block."""

    def __init__(self, *, divide=None, over=None, under=None, invalid=None, linalg=None):
        self._settings = {"divide": divide, "over": over, "under": under, "invalid": invalid, "linalg": linalg}

    def __enter__(self):
        self._before = seterr(**self._settings)
        return self

    def __exit__(self, *args):
        _apply(self._before)
        return False


@contextlib.contextmanager
def allow_synchronize(allow):
    """Whether calls of this thread may wait for the device, for the time of a block: to find where a program waits.

    What waits is what reads elements on the host (``get``, ``item``, ``bool``, ``print``, a mask as an index, whose
    true elements are counted) and ``synchronize`` of streams, events and devices. It raises DeviceSynchronized, on the
    CPU backend too. Since work is deferred, the call that waits need not be the one that made the work.

    Args:
        allow: A bool.

    Returns:
        A context manager.

    Raises:
        DeviceSynchronized: In the block, by a call that would wait.

    >>> with tombacx.allow_synchronize(False):
    ...     total = tombac.arange(3).sum()
    ...     total.get()
    Traceback (most recent call last):
      ...
    tombacx.DeviceSynchronized: the call would wait for elements of an array, which this thread does not allow
    """
    before = _core.waits_set(allow)
    try:
        yield
    finally:
        _core.waits_set(before)
