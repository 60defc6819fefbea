"""get_fft_plan, and what the transforms do with plans: they check that these fit."""

import operator

from tombac import _core
from tombac._util import as_device
from tombac.cuda import cufft

__all__ = ["check_plan", "get_fft_plan", "normal_axes"]

_KINDS = ("C2C", "C2C", "R2C", "C2R")


def normal_axes(a, s, axes):
    """(axes, lengths or None) by SciPy's rules: axes are not negative, and different."""
    if s is not None:
        s = (operator.index(s),) if hasattr(s, "__index__") else tuple(s)
    if axes is None:
        axes = range(a.ndim) if s is None else range(a.ndim - len(s), a.ndim)
    axes = (operator.index(axes),) if hasattr(axes, "__index__") else tuple(axes)
    if s is not None and len(s) != len(axes):
        raise ValueError("when given, axes and shape arguments have to be of the same length")
    for axis in axes:
        if not -a.ndim <= axis < a.ndim:
            raise ValueError(f"axis {axis} is out of bounds: there are {a.ndim} dimensions")
    axes = tuple(operator.index(axis) % a.ndim for axis in axes)
    if len(set(axes)) != len(axes):
        raise ValueError("all axes must be unique")
    return axes, s


def _lengths(a, s, axes, value_type):
    lengths = [a.shape[axis] if s is None or s[i] == -1 else s[i] for i, axis in enumerate(axes)]
    if s is None and value_type == "C2R":
        lengths[-1] = 2 * (lengths[-1] - 1)
    for n in lengths:
        if n < 1:
            raise ValueError(f"invalid number of data points ({n}) specified")
    return tuple(lengths)


def get_fft_plan(a, shape=None, axes=None, value_type="C2C"):
    """A plan for transforms of arrays like ``a``.

    Args:
        a: An array, of NumPy's too: only its shape and dtype matter.
        shape: Number of points, or a tuple of them for several axes; None: as many as there are.
        axes: An axis, or a tuple of several; None: the last len(shape) ones, or all.
        value_type: 'C2C', 'R2C' for transforms of real numbers, 'C2R' to real numbers.

    Returns:
        A plan, for the argument ``plan`` of transforms or ``with plan:`` around them: a
        :class:`tombac.cuda.cufft.Plan1d`, or for several axes a :class:`tombac.cuda.cufft.PlanNd`.

    Raises:
        TypeError: ``a`` is no array, or complex where real numbers are transformed.
        ValueError: Axes and shape do not fit each other or ``a``, or there is no such type.

    >>> import tombac, tombacx
    >>> from tombacx.scipy.fft import fft, get_fft_plan
    >>> x = tombac.arange(4, dtype='complex64')
    >>> with get_fft_plan(x):
    ...     y = fft(x)
    >>> y
    array([ 6.+0.j, -2.+2.j, -2.+0.j, -2.-2.j], dtype=complex64)
    """
    if not hasattr(a, "dtype") or not hasattr(a, "shape"):
        raise TypeError(f"get_fft_plan: Unsupported type {type(a)}")
    if value_type not in _KINDS:
        raise ValueError(f"get_fft_plan: value_type must be 'C2C', 'R2C' or 'C2R', not {value_type!r}")
    if value_type == "R2C" and a.dtype.kind == "c":
        raise TypeError("get_fft_plan: complex numbers are no input of R2C")
    axes, s = normal_axes(a, shape, axes)
    if not axes:
        raise ValueError("get_fft_plan: at least one axis must be transformed")
    return cufft._make(a, _lengths(a, s, axes, value_type), axes, value_type, len(axes) > 1)


def check_plan(a, kind, s, axes, plan, several):
    """Raises unless the plan that is given, or in force, is for this transform; axes are not negative."""
    current = cufft.get_current_plan()
    if plan is None and current is None:
        return
    if plan is not None and current is not None:
        raise RuntimeError("Use the cuFFT plan either as a context manager or as an argument.")
    value_type = _KINDS[kind]
    lengths = _lengths(a, s, axes, value_type)
    several = several and (len(axes) > 1 or isinstance(plan or current, cufft.PlanNd))
    cufft._check(plan or current, cufft._make(a, lengths, axes, value_type, several))


def transform(name, x, kind, s, axes, norm, plan, several):
    """One of SciPy's transforms."""
    x = x if type(x) is _core.ndarray else as_device(name, x)
    if plan is None and cufft.get_current_plan() is None and not several:
        return _core._fft(x, kind, norm, operator.index(axes), s, None)
    if not several:
        axes = operator.index(axes)
    whole = s is None
    axes, s = normal_axes(x, s, axes)
    if whole and axes and _KINDS[kind] == "C2R" and x.shape[axes[-1]] == 1:
        s = [*(x.shape[d] for d in axes[:-1]), 1]  # one number is its own transform, not that of no points
    check_plan(x, kind, s, axes, plan, several)
    return _core._fft(x, kind, norm, axes, s, None)
