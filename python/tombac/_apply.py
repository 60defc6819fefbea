"""piecewise, apply_along_axis and apply_over_axes: functions of the user's, called with parts of arrays."""

from tombac import _core
from tombac._core import where
from tombac._numpy import np
from tombac._util import as_device, check_arrays, normalize_axis_index

__all__ = ["apply_along_axis", "apply_over_axes", "piecewise"]


def _conditions(x, condlist):
    if isinstance(condlist, (tuple, list)):
        # One condition as a list of bools is one, except for a number, of which each is a condition.
        alone = condlist and not isinstance(condlist[0], (tuple, list, _core.ndarray, np.ndarray)) and x.ndim
    else:
        alone = np.isscalar(condlist) or condlist.ndim == 0 or condlist.ndim == 1 and x.ndim
    conditions = [condlist] if alone else list(condlist)
    conditions = [c if isinstance(c, _core.ndarray) else _core.asarray(c) for c in conditions]
    return [c if c._kind == "b" else c.astype(bool) for c in conditions]


def _checked(conditions, x):
    """Conditions of x's shape, or of its first dimensions, as masks have them."""
    for c in conditions:
        if c.shape != x.shape[: c.ndim]:
            raise IndexError(f"piecewise: a condition of shape {c.shape} does not match x of shape {x.shape}")
    if len({c.ndim for c in conditions}) > 1:
        return [_core.broadcast_to(_over(c, x), x.shape) for c in conditions]
    return conditions


def _over(condition, x):
    return condition.reshape(condition.shape + (1,) * (x.ndim - condition.ndim))


def piecewise(x, condlist, funclist, *args, **kw):
    """Values chosen by conditions: each condition has a function or a number, of which the last that holds is taken.

    Args:
        args, kw: Given to each function, after its array.
        x: An array or a number.
        condlist: Conditions, bool arrays of ``x``'s shape, or of its first dimensions; a vector or a number alone may
            stand without a list.
        funclist: For each condition a number, an array of the elements that are to go where it holds, or a function;
            one more is for where no condition holds, where zero is the default. Functions are called with
            ``x[condition]``, which waits for the device, and with ``args`` and ``kw``.

    Returns:
        An array of ``x``'s shape and dtype: one kernel where there are no functions.

    Raises:
        TypeError: ``x`` is neither a tombac array nor a number.
        ValueError: There are neither as many functions as conditions, nor one more.
        IndexError: A condition has another shape.

    >>> import tombac as tb
    >>> x = tb.arange(-2.0, 3.0)
    >>> tb.piecewise(x, [x < 0, x > 1], [-1, lambda v: v * 10, 5])
    array([-1., -1.,  5.,  5., 20.])
    """
    x = as_device("piecewise", x)
    conditions = _checked(_conditions(x, condlist), x)
    functions = list(funclist) if hasattr(funclist, "__len__") else [funclist]
    n = len(conditions)
    if len(functions) not in (n, n + 1):
        raise ValueError(f"piecewise: {len(functions)} functions for {n} conditions: {n} or {n + 1} are expected")
    result = _core.zeros_like(x)
    if len(functions) == n + 1:
        otherwise = functions.pop()
        if callable(otherwise) or _value(otherwise, x).ndim:
            rest = _core.ones(conditions[0].shape if conditions else x.shape, bool)
            for c in conditions:
                rest = rest & ~c
            conditions, functions = [*conditions, rest], [*functions, otherwise]
        else:
            result = _core.full_like(x, _value(otherwise, x))
    for condition, function in zip(conditions, functions):
        if callable(function):
            part = x[condition]
            if part.size:
                result[condition] = function(part, *args, **kw)
            continue
        value = _value(function, x)
        if value.ndim:  # an element for each that the condition holds for
            result[condition] = value
        else:
            result = where(_over(condition, x), value, result)
    return result


def _value(value, x):
    """A number, or an array of one, in x's dtype."""
    if isinstance(value, _core.ndarray):
        return value.astype(x.dtype, copy=False)
    return _core.asarray(value, x.dtype)


def apply_along_axis(func1d, axis, arr, *args, **kwargs):
    """``func1d(line, *args, **kwargs)`` of every line of ``arr`` along ``axis``.

    The function is called once for each line with a view of it, and gives an array, whose axes take the place of
    ``axis``, or a number. Functions of arrays that take an axis are faster by far.

    Args:
        func1d: A function of an array of one dimension.
        axis: The axis.
        arr: An array of any dtype and at least one dimension.
        args, kwargs: Given to the function.

    Returns:
        An array of the dtype of the function's first result.

    Raises:
        TypeError: ``arr`` is no tombac array.
        ValueError: There are no lines.

    >>> import tombac as tb
    >>> tb.apply_along_axis(tb.sum, 1, tb.ones((2, 3)))
    array([3., 3.])
    """
    check_arrays("apply_along_axis", arr)
    axis = normalize_axis_index(axis, arr.ndim)
    lines = arr.transpose([d for d in range(arr.ndim) if d != axis] + [axis])
    shape = lines.shape[:-1]
    if 0 in shape:
        raise ValueError("apply_along_axis: the array has no lines along this axis")
    results = [func1d(lines[index], *args, **kwargs) for index in np.ndindex(shape)]
    results = [r if isinstance(r, _core.ndarray) else _core.asarray(r) for r in results]
    t = results[0].dtype
    joined = _core.stack([r.astype(t, copy=False) for r in results]).reshape(shape + results[0].shape)
    first, own = len(shape), results[0].ndim
    order = [*range(axis), *range(first, first + own), *range(axis, first)]
    return joined if order == sorted(order) else _core.ascontiguousarray(joined.transpose(order))


def apply_over_axes(func, a, axes):
    """``func(a, axis)`` again and again, over each of the axes.

    The function gives an array that has the axis still, with length 1, or has it no more.

    Args:
        func: A function of an array and an axis.
        a: An array of any dtype and shape.
        axes: An axis or a sequence of axes.

    Returns:
        An array of as many dimensions as ``a``.

    Raises:
        TypeError: ``a`` is no tombac array.
        ValueError: The function gives an array of other dimensions.

    >>> import tombac as tb
    >>> tb.apply_over_axes(tb.sum, tb.ones((2, 3)), (0, 1))
    array([[6.]])
    """
    check_arrays("apply_over_axes", a)
    axes = [axes] if not hasattr(axes, "__iter__") else [int(d) for d in axes]
    n = a.ndim
    for axis in axes:
        axis += n if axis < 0 else 0
        result = func(a, axis)
        if result.ndim != a.ndim:
            at = normalize_axis_index(axis, n)
            result = result.reshape(result.shape[:at] + (1,) + result.shape[at:])
            if result.ndim != a.ndim:
                raise ValueError("apply_over_axes: the function does not give an array of the right dimensions")
        a = result
    return a
