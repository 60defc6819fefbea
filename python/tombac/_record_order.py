"""The order of records: by their fields, one after the other."""

import math

from tombac import _core
from tombac._miscellany import make_aligned_dtype
from tombac._numpy import np

__all__ = []


def _keys(a, names):
    """What records compare by, the most significant first; ``names`` are the fields that come before the others."""
    if a.dtype.names is not None:
        for name in [*names, *(n for n in a.dtype.names if n not in names)]:
            field, shape = a[name], a.dtype.fields[name][0].shape
            parts = field.reshape(a.shape + (math.prod(shape),))
            for i in range(parts.shape[-1]):
                yield from _keys(parts[..., i], ())
    elif a._kind in "mM":
        yield a.view(np.uint64) + np.uint64(2**63 - 1)  # which puts NaT behind all others
    elif a._kind == "V":
        parts = _core.ascontiguousarray(a).view(np.uint8).reshape(a.shape + (a.itemsize,))
        yield from (parts[..., i] for i in range(a.itemsize))
    else:
        yield a


def check_order(name, a, order):
    """The names of the fields that ``order`` gives, as a tuple."""
    if a.dtype.names is None:
        raise ValueError(f"{name}: order needs an array with fields, not one of {a.dtype}")
    names = (order,) if isinstance(order, str) else tuple(order)
    for n in names:
        if n not in a.dtype.names:
            raise ValueError(f"{name}: unknown field name: {n}")
    if len(set(names)) < len(names):
        raise ValueError(f"{name}: a field is named twice: {names}")
    return names


def argsort_records(name, a, axis, order):
    """The positions that sort an array of records, or of bytes, along an axis; None for the flattened array."""
    from tombac._sorting import lexsort

    names = () if order is None else check_order(name, a, order)
    if axis is None:
        a, axis = a.reshape(-1), 0
    keys = list(_keys(a.astype(make_aligned_dtype(a.dtype), copy=False), names))
    return lexsort(keys[::-1], axis) if keys else _core._argsort(_core.zeros(a.shape, bool), axis)
