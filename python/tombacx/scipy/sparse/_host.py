"""Matrices of SciPy's, and whatever else comes from the host."""

import sys

from tombac import _core
from tombac._numpy import np
from tombacx.scipy._host import host_view, scipy_module

__all__ = ["dense", "element_dtype", "index", "is_sparse", "known", "to_scipy"]


def is_sparse(x):
    """Whether x is a sparse matrix of SciPy's."""
    issparse = getattr(sys.modules.get("scipy.sparse"), "issparse", None)  # None also in the middle of the import
    return issparse is not None and issparse(x)


def element_dtype(dtype):
    """That dtype, of elements that are numbers or truth values."""
    dtype = np.dtype(dtype)
    if dtype.kind not in "biufc" and dtype.name != "bfloat16":
        raise ValueError(f"tombacx.scipy.sparse does not support dtype {dtype}, only those of numbers and truth values")
    return dtype


def known(self, x, dtype=None):
    """A first look at what a matrix is to be made of."""
    if dtype is not None:
        element_dtype(dtype)
    if x is None or isinstance(x, str) or self._is_array and np.isscalar(x):
        error = TypeError if x is None and self._is_array and 1 in self._allow_nd else ValueError
        raise error(f"{type(self).__name__} cannot be made of {type(x).__name__}")


def dense(x, copy=None):
    """x as an array on the device: NumPy's copied, unless copy is False and the device is the host."""
    if not isinstance(x, _core.ndarray):
        shared = _shared(x) if copy is False else None
        x = _core.array(x) if shared is None else shared
    if x._kind not in "biufc":
        element_dtype(x.dtype)
    return x


def _shared(x):
    """An array over the memory of one of NumPy's, if it can be had and written to from where results are."""
    if _core.backend() != "cpu" or not isinstance(x, np.ndarray) or x.dtype.kind not in "biufc":
        return None
    flags = x.flags
    if not (x.size and flags.c_contiguous and flags.aligned and flags.writeable and x.dtype.isnative):
        return None
    shared = _core.from_dlpack(x)
    return shared if shared.device == _core.empty(()).device else None


def index(x, copy=None):
    """x as an array of indices on the device: floating-point ones are taken if they are integers."""
    x = dense(x, copy)
    if x.dtype.kind in "iu":
        return x
    if x.dtype.kind in "bc" or x.dtype.kind == "f" and x.size and not bool((x == x.round()).all()):
        raise ValueError(f"indices must be integers, not {x.dtype}")
    return x.astype(np.int64)


_attributes = {}  # of an empty matrix, by SciPy's class
_PLACES = {**dict.fromkeys(("csr", "csc", "bsr"), ("indices", "indptr")), "dia": ("offsets",), "coo": ("coords",)}
_ALWAYS = {"_shape", "maxprint", "data"}


def _of_parts(cls, format, data, places, shape, once):
    """cls((data, *places), shape) of parts that fit: to look at them again takes longer than much of what is done to
    small matrices. None if SciPy would change them, or its matrices are made of other attributes. `once`: it is known
    that indices ascend, and none twice."""
    attributes = _attributes.get(cls)
    if attributes is None:
        attributes = _attributes[cls] = dict(getattr(cls((1, 1)), "__dict__", ()))
    parts = dict(zip(_PLACES[format], [tuple(places)] if format == "coo" else places))
    if attributes.keys() - {"has_canonical_format"} != {*_ALWAYS, *parts} or any(x.dtype != np.int32 for x in places):
        return None
    lengths = [places[0], range(places[1][-1])] if format in ("csr", "csc", "bsr") else places
    if any(len(x) != len(data) for x in lengths):
        return None
    h = cls.__new__(cls)
    h.__dict__.update(attributes, _shape=shape, data=data, **parts)
    if once or format == "coo":  # an empty one says so of itself
        h.has_canonical_format = once
    return h


def to_scipy(a, parts, copy):
    """SciPy's matrix of the same format, with the parts in the order in which its constructor takes them."""
    module = scipy_module("scipy.sparse", "get()")
    cls = getattr(module, f"{a.format}_{'array' if a._is_array else 'matrix'}")
    host = [x.get() if copy else host_view(x) for x in parts]
    if a.dtype == np.float16:
        host[0] = host[0].astype(np.float32)  # SciPy has no float16
    once = a.format in ("csr", "csc") and a._stores_once()
    h = _of_parts(cls, a.format, host[0], host[1:], a._shape, once)
    if h is not None:
        return h
    parts = (host[0], tuple(host[1:])) if a.format == "coo" else tuple(host)
    return cls(parts, shape=a._shape)
