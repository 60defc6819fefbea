"""Methods that SciPy computes where the device is the host, whose memory is SciPy's too: nothing is copied.

What a format computes by expressions, which a GPU needs, takes passes over memory that SciPy's own loops do without.
"""

import functools
import operator

from tombac import _core
from tombac._numpy import np
from tombacx.scipy._host import host_view
from tombacx.scipy.sparse import _host
from tombacx.scipy.sparse._base import FAMILY, SparseBase
from tombacx.scipy.sparse._loops import on_device, on_host

__all__ = ["ByScipy", "by_scipy", "is_small", "taken"]

_FEW = 1 << 12  # elements


class ByScipy:
    """What a format has whose matrices SciPy computes with: _scipy is one of SciPy's of the same memory, or None, the
    parts whose memory that is, and the shape."""

    _scipy = None, (), None


def is_small(a):
    """Whether a matrix has so few elements that the calls take longer than the work."""
    return a.data.size <= _FEW


def by_scipy(name, among=None, leaves=None, fails=()):
    """For a method that is SciPy's of that name on the host, and itself on a GPU, for dtypes that SciPy has not, for
    other arguments than those of a class, for matrices of which `leaves` is true, and where SciPy `fails`, by an error
    that is none of the arguments'. SciPy's other errors are the user's."""
    def decorate(own):
        @functools.wraps(own)
        def method(self, *args, **kwargs):
            if among is not None and not isinstance(args[0], among) or leaves is not None and leaves(self):
                return own(self, *args, **kwargs)
            try:
                found = _computed(name, self, args, kwargs)
            except fails:
                found = NotImplemented
            return own(self, *args, **kwargs) if found is NotImplemented else found

        return method

    return decorate


def _computed(name, a, args, kwargs):
    if not on_host() or any(map(_is_left, (a, *args))):
        return NotImplemented
    try:
        given = [_given(x) for x in (a, *args)]
    except (ImportError, _core.DeviceSynchronized):  # there is no SciPy, or the host may not wait for the elements
        return NotImplemented
    return taken(getattr(given[0], name)(*given[1:], **kwargs), given)


def _is_left(x):
    """Whether SciPy has no such dtype, gives another one where there are no elements, or goes astray."""
    if isinstance(x, SparseBase):
        return x.dtype.char == "e" or 0 in x._shape or not x._has_any() or not x._suits_loops()
    return isinstance(x, _core.ndarray) and x.dtype.char == "e"


def _given(x):
    """SciPy's matrix, or NumPy's array, of the same memory."""
    if isinstance(x, _core.ndarray):
        return host_view(x)
    if not isinstance(x, SparseBase):
        return x
    if not isinstance(x, ByScipy):
        return _in_scipy(x)
    made, of, shape = x._scipy
    parts = x._stored()
    if made is None or shape != x._shape or not all(map(operator.is_, parts, of)):
        made = _in_scipy(x)
        x._scipy = made, parts, x._shape
    return made


def _in_scipy(x):
    made = x.get(copy=False)
    x._still_known()
    return made


def _is_fresh(x, given):
    """Whether nothing of what SciPy was given has the memory of an array."""
    base = x
    while type(base) is np.ndarray:
        base = base.base
    if base is None:
        return True
    arrays = [y for a in given for y in ((a,) if isinstance(a, np.ndarray) else getattr(a, "__dict__", {}).values())]
    return not any(isinstance(y, np.ndarray) and np.may_share_memory(x, y) for y in arrays)


def taken(found, given=()):
    """What SciPy gave for that, on the device: in its memory where no other matrix has that."""
    def array(x):
        return on_device(x) if _is_fresh(x, given) else _core.array(x)

    if isinstance(found, tuple):
        return tuple(taken(x, given) for x in found)
    if isinstance(found, np.ndarray):
        return array(found)
    if not _host.is_sparse(found):
        return found
    format = found.format
    cls = FAMILY[format, not hasattr(found, "getH")]
    if format == "dia":
        return cls._from_parts(array(found.data), array(found.offsets), found.shape)
    if format in ("csr", "csc", "bsr"):
        return cls._from_parts(array(found.data), array(found.indices), array(found.indptr), found.shape)
    if format == "coo" and hasattr(found, "coords"):
        return cls._from_parts(array(found.data), *map(array, found.coords), found.shape)
    return cls(found)
