"""Matrices of SciPy's, and whatever else comes from the host."""

import sys

from tombac import _core
from tombac._numpy import np
from tombacx.scipy._host import scipy_module

__all__ = ["dense", "index", "is_sparse", "known", "part", "to_scipy"]


def is_sparse(x):
    """Whether x is a sparse matrix of SciPy's."""
    module = sys.modules.get("scipy.sparse")
    return module is not None and module.issparse(x)


def known(self, x):
    """A first look at what a matrix is to be made of."""
    if x is None or isinstance(x, str):
        raise TypeError(f"{type(self).__name__} cannot be made of {type(x).__name__}")


def dense(x):
    """x as an array on the device."""
    if isinstance(x, _core.ndarray):
        return x
    x = _core.array(x)
    if x.dtype.kind not in "biufc":
        raise ValueError(f"elements of dtype {x.dtype} are not supported")
    return x


def index(x):
    """x as an array of indices on the device: floating-point ones are taken if they are integers."""
    x = dense(x)
    if x.dtype.kind in "iu":
        return x
    if x.dtype.kind in "bc" or x.dtype.kind == "f" and x.size and not bool((x == x.round()).all()):
        raise ValueError(f"indices must be integers, not {x.dtype}")
    return x.astype(np.int64)


def part(x, copy):
    """A part of SciPy's matrix on the device."""
    return _core.array(x)


def to_scipy(a, parts):
    """SciPy's matrix of the same format, with the parts in the order in which its constructor takes them."""
    module = scipy_module("scipy.sparse", "get()")
    cls = getattr(module, f"{a.format}_{'array' if a._is_array else 'matrix'}")
    host = [x.get() for x in parts]
    if a.dtype == np.float16:
        host[0] = host[0].astype(np.float32)  # SciPy has no float16
    if a.format == "coo":
        return cls((host[0], tuple(host[1:])), shape=a._shape)
    return cls(tuple(host), shape=a._shape)
