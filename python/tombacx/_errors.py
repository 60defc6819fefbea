"""Error state: whether linear algebra checks its results, and whether implicit synchronisation is allowed."""

import contextlib
import threading

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
        _state.settings = before | {"linalg": linalg}
    return before


class errstate(contextlib.ContextDecorator):
    """seterr for the time of a block."""

    def __init__(self, *, divide=None, over=None, under=None, invalid=None, linalg=None):
        self._settings = {"divide": divide, "over": over, "under": under, "invalid": invalid, "linalg": linalg}

    def __enter__(self):
        self._before = seterr(**self._settings)
        return self

    def __exit__(self, *args):
        _state.settings = self._before
        return False


@contextlib.contextmanager
def allow_synchronize(allow):
    """Accepted for CuPy's sake: waiting for the device is always allowed.

    Args:
        allow: Anything.

    Returns:
        A context manager.

    >>> with tombacx.allow_synchronize(False):
    ...     int(tombac.arange(3).sum())
    3
    """
    yield
