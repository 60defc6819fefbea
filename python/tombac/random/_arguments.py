"""What the distributions ask of their arguments.

Parameters are numbers or arrays, of the host or of a device. Which of them a distribution has is in _ranges.py.
"""

import math
import operator

from tombac import _core
from tombac._dtypes import as_dtype
from tombac._numpy import np


def float_dtype(name, dtype):
    """The dtype of a result: float16, bfloat16, float32 or float64."""
    if dtype is float or dtype is None:
        return np.dtype(np.float64)
    dtype = as_dtype(dtype)
    if dtype.char not in "eEfd":
        raise TypeError(f"{name}: dtype must be float16, bfloat16, float32 or float64, not {dtype}")
    return dtype


def count_dtype(name, dtype):
    """The dtype of a result of whole numbers: anything real."""
    dtype = as_dtype(np.int64 if dtype is int or dtype is None else dtype)
    if dtype.char != "E" and dtype.kind not in "biuf":
        raise TypeError(f"{name}: dtype must be real, not {dtype}")
    return dtype


def working(dtype):
    """What is computed in for a result of ``dtype``."""
    return np.dtype(np.float32 if dtype.char in "eEf" else np.float64)


def is_number(x):
    """Whether x is one number."""
    return isinstance(x, (bool, int, float, np.number, np.bool_))


def exact_parameter(x):
    """A parameter as a Python number or a device array."""
    if isinstance(x, _core.ndarray) or type(x) in (int, float):
        return x
    if isinstance(x, bool):
        return int(x)
    return x.item() if is_number(x) else _core.asarray(x)


def parameter(x):
    """The same, where integers beyond 64 bits are floats, as in NumPy: no array has such elements."""
    x = exact_parameter(x)
    return float(x) if type(x) is int and not -2**63 <= x < 2**63 else x


def real_parameter(x, dtype):
    """A parameter as a Python float or a device array of ``dtype``, so that a result of that dtype keeps it."""
    x = parameter(x)
    return x.astype(dtype, copy=False) if isinstance(x, _core.ndarray) else float(x)


def whole_parameter(x):
    """A parameter as an integer, towards zero, or a device array of whole numbers."""
    x = parameter(x)
    if isinstance(x, _core.ndarray):
        return _core.trunc(x) if x.dtype.kind == "f" else x
    return int(x)


def truncated(x):
    """A parameter that is to be a whole number, as it is checked: a number towards zero, anything else as it is."""
    return int(x) if is_number(x) else x


def on_host(x):
    """A parameter that may be looked at, and more than once, as a Python number or a NumPy array; None for others."""
    if isinstance(x, _core.ndarray):
        return None
    return x if type(x) in (int, float) else np.asarray(_core._on_host(x))


def divides(work, *shapes):
    """Whether gamma numbers of these shapes may be divided by their sum: they are known, and none is so small that its
    numbers may be below the normal ones of ``work``, as a uniform number's power of 1 / shape may be."""
    least = 0.06 if work == np.float64 else 0.35
    return all(not isinstance(a, _core.ndarray) and a >= least for a in shapes)


def shape_of(size):
    """``size`` as a tuple."""
    size = _core._on_host(size)
    size = (operator.index(size),) if np.ndim(size) == 0 else tuple(operator.index(n) for n in size)
    if any(n < 0 for n in size):
        raise ValueError("size: negative dimensions are not allowed")
    return size


def common_shape(size, *parameters):
    """The result's shape: ``size``, or that of the parameters broadcast; None for numbers without a size."""
    shapes = [p.shape for p in parameters if isinstance(p, _core.ndarray)]
    own = np.broadcast_shapes(*shapes) if shapes else None
    if size is None:
        return own
    size = shape_of(size)
    if own is not None and np.broadcast_shapes(own, size) != size:
        raise ValueError(f"size {size} does not fit parameters of shape {own}")
    return size


def count_of(size):
    """The number of elements of a result."""
    return 1 if size is None else math.prod(shape_of(size))


def check_out(out, shape, dtype):
    """Fails unless ``out`` can take a result of ``dtype``, and of ``shape`` unless that is None."""
    if not isinstance(out, _core.ndarray):
        raise TypeError(f"out must be a tombac.ndarray, not {type(out)}")
    if out.dtype != dtype:
        raise TypeError(f"out has the wrong dtype: {dtype} is expected, not {out.dtype}")
    if shape is not None and out.shape != shape:
        raise ValueError(f"out has shape {out.shape}, the result {shape}")
