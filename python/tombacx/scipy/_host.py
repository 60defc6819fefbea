"""Functions of SciPy that run on the host: small arithmetic in float64, whose arguments and results are on the device.

SciPy is imported when the first of them is called, never before.
"""

import functools

from tombac import _core
from tombac._numpy import host_module, np

__all__ = ["Held", "OfSciPy", "by_host", "call", "computed", "device", "host", "host_view", "own", "readable",
           "scipy_function", "scipy_module"]


host = _core._on_host  # an argument as SciPy takes it
device = _core._on_device  # a result with arrays of the device
by_host = _core._by_host  # (f, *args, **kwargs): a function of the host's, with both


@_core._hold
class Held:
    """An object of SciPy's behind one of ours."""

    __slots__ = ("_held",)


def host_view(x):
    """An array for SciPy to read: on the CPU the memory itself, on a GPU a copy of it."""
    return np.from_dlpack(x) if _core.backend() == "cpu" and x.size else x.get()


_MOST_READ = 1 << 16  # elements


def readable(x):
    """The elements of a short array on the host; None where there are many, or where the host must not wait for them:
    in a capture, and where :func:`tombacx.allow_synchronize` forbids it."""
    if not isinstance(x, _core.ndarray):
        return np.asarray(x)
    if x.size > _MOST_READ or _core.get_current_stream().is_capturing():
        return None
    try:
        return x.get()
    except _core.DeviceSynchronized:
        return None


def scipy_module(module, name):
    """A module of SciPy, for the function of that name."""
    try:
        return host_module(module)
    except ImportError as e:
        raise ImportError(f"{name} is computed by SciPy, which cannot be imported: pip install scipy") from e


@functools.cache
def scipy_function(module, name):
    """A function or a class of SciPy's, which is looked for once."""
    return getattr(scipy_module(module, name), name)


class OfSciPy:
    """A module of SciPy, whose functions and classes are attributes: each is looked for when it is first asked for, and
    is no farther away than a name from then on."""

    def __init__(self, module):
        self._module = module

    def __getattr__(self, name):
        found = getattr(scipy_module(self._module, name), name)
        setattr(self, name, found)
        return found


_own = {}


def own(function):
    """Registers what computes, on NumPy's arrays, the same as SciPy's function of its name: importing ``scipy.signal``
    takes longer than most programs' filtering. What it gives NotImplemented for is left to SciPy."""
    _own[function.__name__] = function
    return function


_KEPT, _LARGEST = 128, 4096  # results, and elements of each
_kept = {}
_host_key = _core._host_key  # what tells apart arguments of which results are kept; None for all others


def _size(x):
    return 1 if isinstance(x, (int, float, complex)) else getattr(x, "size", _LARGEST + 1)


def _is_small(result):
    return sum(map(_size, result if type(result) is tuple else (result,))) <= _LARGEST


def _found(key, name, args, kwargs):
    args, kwargs = host(args), {word: host(value) for word, value in kwargs.items()}
    result = _own[name](*args, **kwargs) if name in _own else NotImplemented
    if result is NotImplemented:
        result = scipy_function("scipy.signal", name)(*args, **kwargs)
    if key and _is_small(result):
        if len(_kept) >= _KEPT:
            _kept.clear()
        _kept[key] = result
    return result


def computed(name, *args, **kwargs):
    """What ``scipy.signal.name`` gives for these arguments, on the host, by a function of our own if there is one
    (:func:`own`); not to be written to.

    Programs ask for the same few filters again and again, and the designs of some take longer than the filtering: small
    results are kept.
    """
    key = _host_key((name, args, kwargs))
    result = _kept.get(key)
    return _found(key, name, args, kwargs) if result is None else result


def call(name, *args, **kwargs):
    """What ``scipy.signal.name`` gives for these arguments, on the device."""
    key = _host_key((name, args, kwargs))
    result = _kept.get(key)
    return device(_found(key, name, args, kwargs) if result is None else result)
