"""Functions of SciPy that run on the host: small arithmetic in float64, whose arguments and results are on the device.

SciPy is imported when the first of them is called, never before.
"""

import functools

from tombac import _core
from tombac._numpy import host_module, np

__all__ = ["Held", "call", "computed", "device", "host", "host_view", "own", "readable", "scipy_function",
           "scipy_module"]


class Held:
    """An object of SciPy's behind one of ours."""

    __slots__ = ("_held",)


def host(x):
    """``x`` as SciPy takes it: arrays of the device as NumPy's, also within tuples and lists; all else as it is."""
    if isinstance(x, Held):
        return x._held
    if type(x) in (tuple, list):
        return type(x)(map(host, x))
    return _core._on_host(x)


def device(x):
    """``x`` with NumPy's arrays and scalars on the device, also within tuples and lists; Python's numbers stay."""
    kind = type(x)
    if kind is tuple or kind is list:
        return kind([device(y) for y in x])
    if (kind is np.ndarray or isinstance(x, (np.ndarray, np.generic))) and x.dtype.kind in "biufc":
        return _core.array(x)
    return x


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


_own = {}


def own(function):
    """Registers what computes, on NumPy's arrays, the same as SciPy's function of its name: importing ``scipy.signal``
    takes longer than most programs' filtering. What it gives NotImplemented for is left to SciPy."""
    _own[function.__name__] = function
    return function


_KEPT, _LARGEST = 128, 4096  # results, and elements of arguments and results of each
_kept = {}


_EXACT = {str, bool, int, type(None)}  # whose equality tells them apart, within a type


def _key(x):
    """What tells apart arguments of which results are kept; a TypeError for all others."""
    kind = type(x)
    if kind in _EXACT:
        return kind, x
    if kind is float or kind is complex:
        return kind, repr(x)  # zeros have signs
    if isinstance(x, (tuple, list)):
        return kind, tuple(map(_key, x))
    if hasattr(x, "tobytes") and x.dtype.kind in "biufc" and x.size <= _LARGEST:
        return x.dtype.str, x.shape, x.tobytes()
    raise TypeError


def _is_small(result):
    return sum(getattr(x, "size", _LARGEST + 1) for x in (result if type(result) is tuple else (result,))) <= _LARGEST


def computed(name, *args, **kwargs):
    """What ``scipy.signal.name`` gives for these arguments, on the host, by a function of our own if there is one
    (:func:`own`); not to be written to.

    Programs ask for the same few filters again and again, and the designs of some take longer than the filtering: small
    results are kept.
    """
    args, kwargs = tuple(map(host, args)), {key: host(value) for key, value in kwargs.items()}
    try:
        key = name, _key(args), *((word, _key(value)) for word, value in kwargs.items())
    except TypeError:
        key = None
    result = _kept.get(key)
    if result is None:
        result = _own[name](*args, **kwargs) if name in _own else NotImplemented
        if result is NotImplemented:
            result = scipy_function("scipy.signal", name)(*args, **kwargs)
        if key and _is_small(result):
            if len(_kept) >= _KEPT:
                _kept.clear()
            _kept[key] = result
    return result


def call(name, *args, **kwargs):
    """What ``scipy.signal.name`` gives for these arguments, on the device."""
    return device(computed(name, *args, **kwargs))
