"""NumPy's settings for floating-point errors: kept, given back, and without effect, since kernels report none.

What would need reports is refused. As in NumPy the settings belong to the context (contextvars): each thread has its
own, and so has each task of asyncio.
"""

import contextvars

__all__ = ["errstate", "geterr", "seterr"]

_ERRORS = ("divide", "over", "under", "invalid")
_ACCEPTED, _REFUSED = ("ignore", "warn"), ("raise", "call", "print", "log")
_settings = contextvars.ContextVar("tombac.floating_errors",
                                   default={"divide": "warn", "over": "warn", "under": "ignore", "invalid": "warn"})
_NOT_GIVEN = object()


def geterr():
    """How floating-point errors are to be handled, as the current context's ``seterr`` or ``errstate`` says.

    Returns:
        A dict: the settings of 'divide', 'over', 'under' and 'invalid', as NumPy has them at first.

    No setting has an effect: kernels give no warnings, and :func:`seterr` refuses what is more than a warning.

    >>> tombac.geterr()
    {'divide': 'warn', 'over': 'warn', 'under': 'ignore', 'invalid': 'warn'}
    """
    return dict(_settings.get())


def seterr(all=None, divide=None, over=None, under=None, invalid=None):
    """Takes note of how floating-point errors are to be handled, and says what was set before.

    Args:
        all: 'ignore' or 'warn' for all kinds of error, where nothing else is said of a kind; None for no change.
        divide: 'ignore', 'warn' or None: of divisions by zero.
        over: 'ignore', 'warn' or None: of results that are too large.
        under: 'ignore', 'warn' or None: of results that are too small.
        invalid: 'ignore', 'warn' or None: of results that are no numbers.

    Returns:
        A dict: the settings before.

    Raises:
        NotImplementedError: 'raise', 'call', 'print' or 'log': kernels do not report errors.
        ValueError: Another setting, which NumPy does not have either.

    Other than in NumPy, no warning is given with 'warn'.

    >>> before = tombac.seterr(divide='ignore')
    >>> tombac.geterr()['divide']
    'ignore'
    >>> _ = tombac.seterr(**before)
    """
    before = geterr()
    chosen = {name: all if value is None else value for name, value in zip(_ERRORS, (divide, over, under, invalid))}
    for name, mode in chosen.items():
        if mode in _REFUSED:
            raise NotImplementedError(f"seterr: {name}={mode!r} needs reports of floating-point errors, which kernels "
                                      "do not make; 'ignore' and 'warn' are accepted, and neither gives warnings")
        if mode is not None and mode not in _ACCEPTED:
            raise ValueError(f"invalid error mode {mode!r}")
    _settings.set(before | {name: mode for name, mode in chosen.items() if mode is not None})
    return before


class errstate:
    """``seterr`` for the time of a block, or of a function that it decorates; an object is good for one block.

    Args:
        call: None: no function is called, since kernels do not report errors.
        all, divide, over, under, invalid: 'ignore', 'warn' or None, as of ``seterr``.

    >>> with tombac.errstate(divide='ignore', invalid='ignore'):
    ...     tombac.array([1.0, 0.0]) / 0
    array([inf, nan])
    """

    def __init__(self, *, call=_NOT_GIVEN, all=None, divide=None, over=None, under=None, invalid=None):
        self._call = call
        self._modes = (all, divide, over, under, invalid)
        self._before = None

    def __enter__(self):
        if self._before is not None:
            raise TypeError("Cannot enter `tombac.errstate` twice.")
        if self._call is not _NOT_GIVEN and self._call is not None:
            raise NotImplementedError("errstate: kernels do not report floating-point errors, call can only be None")
        self._before = seterr(*self._modes)
        return self

    def __exit__(self, *exception):
        _settings.set(self._before)

    def __call__(self, function):
        import functools

        @functools.wraps(function)
        def within(*args, **kwargs):
            with type(self)(call=self._call, **dict(zip(("all", *_ERRORS), self._modes))):
                return function(*args, **kwargs)

        return within
