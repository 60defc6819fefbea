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

__all__ = ["ByScipy", "by_scipy", "is_small"]

_SHORT = 1 << 12  # elements that are copied sooner than they are shared

# Errors upon which the method itself computes, or says what is wrong.
_LEFT = (ImportError, IndexError, NotImplementedError, RuntimeError, TypeError, ValueError, _core.DeviceSynchronized)


class ByScipy:
    """What a format has whose matrices SciPy computes with: _scipy is one of SciPy's of the same memory, or None, the
    parts whose memory that is, and the shape."""

    _scipy = None, (), None


def is_small(a):
    """Whether a matrix has so few elements that the calls take longer than the work."""
    return a.data.size <= _SHORT


def by_scipy(name, among=None, leaves=None):
    """For a method that is SciPy's of that name on the host, and itself on a GPU, for what SciPy does not take, for
    other arguments than those of a class, and for matrices of which `leaves` is true."""
    def decorate(own):
        @functools.wraps(own)
        def method(self, *args, **kwargs):
            if among is not None and not isinstance(args[0], among) or leaves is not None and leaves(self):
                return own(self, *args, **kwargs)
            found = _computed(name, self, args, kwargs)
            return own(self, *args, **kwargs) if found is NotImplemented else found

        return method

    return decorate


def _computed(name, a, args, kwargs):
    if _core.backend() != "cpu" or _core.get_current_stream().is_capturing():
        return NotImplemented
    try:
        given = [_given(x) for x in (a, *args)]
        found = getattr(given[0], name)(*given[1:], **kwargs)
    except _LEFT:
        return NotImplemented
    return _taken(found, given)


def _given(x):
    """SciPy's matrix, or NumPy's array, of the same memory. What SciPy has not, or gives other dtypes for, is left."""
    if isinstance(x, _core.ndarray):
        if x.dtype.char == "e":
            raise TypeError(x.dtype)
        return host_view(x)
    if not isinstance(x, SparseBase):
        return x
    if x.dtype.char == "e" or 0 in x._shape or not x.data.size:
        raise TypeError(x.dtype)
    if not isinstance(x, ByScipy):
        return x.get(copy=False)
    made, of, shape = x._scipy
    parts = x._stored()
    if made is None or shape != x._shape or not all(map(operator.is_, parts, of)):
        made = x.get(copy=False)
        x._scipy = made, parts, x._shape
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


def _taken(found, given):
    """What SciPy gave, on the device: in its memory where no other matrix has that."""
    def array(x):
        return _host.dense(x, False) if x.size > _SHORT and _is_fresh(x, given) else _core.array(x)

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
    return cls(found)
