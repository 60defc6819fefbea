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
from tombacx.scipy.sparse._loops import SHORT, on_device, on_host

__all__ = ["ByScipy", "by_scipy", "given", "is_small", "taken"]

_FEW = 1 << 12  # elements


class ByScipy:
    """What a format has whose matrices SciPy computes with. _stored() are the parts, indices behind the elements;
    _scipy is one of SciPy's of the same memory, or None, the parts whose memory that is, the shape, and the number of
    the last write to indices before, of which SciPy's keeps what it has found out."""

    _scipy = None, (), None, -1


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
        all_given = [given(x) for x in (a, *args)]
    except (ImportError, _core.DeviceSynchronized):  # there is no SciPy, or the host may not wait for the elements
        return NotImplemented
    return taken(getattr(all_given[0], name)(*all_given[1:], **kwargs), all_given)


def _is_left(x):
    """Whether SciPy has no such dtype, gives another one where there are no elements, or goes astray."""
    if isinstance(x, SparseBase):
        return x.dtype.char == "e" or 0 in x._shape or not x._has_any() or not x._suits_loops()
    return isinstance(x, _core.ndarray) and x.dtype.char == "e"


def given(x):
    """SciPy's matrix, or NumPy's array, of the same memory."""
    if isinstance(x, _core.ndarray):
        return host_view(x)
    if not isinstance(x, SparseBase):
        return x
    if not isinstance(x, ByScipy) or x.dtype.char == "e":  # which is no dtype of SciPy's, so that elements are copied
        return _in_scipy(x)
    made, of, shape, written = x._scipy
    parts = x._stored()
    places = parts[1:]
    if (made is None or shape != x._shape or False in map(operator.is_, parts, of)
            or _core._sparse_written(*places) > written):
        made = _in_scipy(x)
        x._scipy = made, parts, x._shape, _core._sparse_written(*places)
    return made


def _in_scipy(x):
    made = x.get(copy=False)
    x._still_known()
    return made


def _is_fresh(x, among):
    """Whether nothing of what SciPy was given has the memory of an array."""
    base = x
    while type(base) is np.ndarray:
        base = base.base
    if base is None:
        return True
    arrays = [y for a in among for y in ((a,) if isinstance(a, np.ndarray) else getattr(a, "__dict__", {}).values())]
    return not any(isinstance(y, np.ndarray) and np.may_share_memory(x, y) for y in arrays)


def _array(x, among):
    return _core.array(x) if x.size <= SHORT or not _is_fresh(x, among) else on_device(x)


def taken(found, among=()):
    """What SciPy gave for that, on the device: in its memory where no other matrix has that, if it is much."""
    if type(found) is np.ndarray:
        return _core.array(found) if found.size <= SHORT else _array(found, among)
    if isinstance(found, tuple):
        return tuple([taken(x, among) for x in found])
    return _sparse(found, among) if _host.is_sparse(found) else found


def _sparse(found, among):
    def array(x):
        return _array(x, among)

    format = found.format
    cls = FAMILY[format, not hasattr(found, "getH")]
    if format == "dia":
        return cls._from_parts(array(found.data), array(found.offsets), found.shape)
    if format in ("csr", "csc", "bsr"):
        return cls._from_parts(array(found.data), array(found.indices), array(found.indptr), found.shape)
    if format == "coo" and hasattr(found, "coords"):
        return cls._from_parts(array(found.data), *map(array, found.coords), found.shape)
    return cls(found)
