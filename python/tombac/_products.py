"""Products of arrays: outer, tensordot, kron, cross, trace; matmul, vecdot and its like with axes."""

import operator

from tombac import _core
from tombac._contraction import tensordot_plan
from tombac._core import inner, matmul, matvec, vdot, vecdot, vecmat
from tombac._dtypes import can_cast
from tombac._numpy import np
from tombac._util import (
    as_device, as_tuple, check_arrays, check_method, deliver, is_number, normalize_axis_index,
)

__all__ = [
    "cross", "inner", "kron", "matvec", "outer", "tensordot", "trace", "vdot", "vecdot", "vecmat",
]


def outer(a, b, out=None):
    """The outer product of the flattened arrays: result[i, j] = a[i] * b[j].

    Args:
        a, b: Arrays of any dtype and shape, or numbers.
        out: An array of shape ``(a.size, b.size)`` to write to.

    Returns:
        An array of what the two dtypes promote to.

    Raises:
        TypeError: An argument is neither a tombac array nor a number.

    >>> tombac.outer(tombac.arange(1, 3), tombac.arange(1, 4))
    array([[1, 2, 3],
           [2, 4, 6]])
    """
    a, b = as_device("outer", a).reshape(-1), as_device("outer", b).reshape(-1)
    return _core.multiply(a[:, None], b, out) if out is not None else a[:, None] * b


def _last(a, axis):
    """a with axis moved to the end."""
    axis = normalize_axis_index(axis, a.ndim)
    return a if axis == a.ndim - 1 else a.transpose([d for d in range(a.ndim) if d != axis] + [axis])


def _pairs(axes, a, b):
    if not isinstance(axes, (tuple, list)) and is_number(axes):
        n = int(axes)
        if n < 0 or n > min(a.ndim, b.ndim):
            raise ValueError(f"tensordot: {n} axes of arrays with {a.ndim} and {b.ndim} dimensions")
        return list(range(a.ndim - n, a.ndim)), list(range(n))
    left, right = map(as_tuple, axes)
    if len(left) != len(right):
        raise ValueError("tensordot: the two lists of axes differ in length")
    return [normalize_axis_index(d, a.ndim) for d in left], [normalize_axis_index(d, b.ndim) for d in right]


def tensordot(a, b, axes=2):
    """The sum of products over pairs of axes: the last ``axes`` of ``a`` with the first of ``b``, or two lists of axes.

    Args:
        a, b: Arrays of any dtype and shape, or numbers.
        axes: How many axes, or a pair of sequences: axes of ``a``, and of ``b``.

    Returns:
        An array: what is left of ``a``'s axes, then of ``b``'s.

    Raises:
        ValueError: The axes of a pair differ in length.
        AxisError: There is no such axis.

    >>> tombac.tensordot(tombac.ones((2, 3, 4)), tombac.ones((3, 4, 5))).shape
    (2, 5)
    """
    a, b = as_device("tensordot", a), as_device("tensordot", b)
    left, right = _pairs(axes, a, b)
    sa, sb = a.shape, b.shape
    for i, j in zip(left, right):
        if sa[i] != sb[j]:
            raise ValueError(f"tensordot: axis {i} of a has length {sa[i]}, axis {j} of b has {sb[j]}")
    strides = tuple([tuple([n // x.itemsize for n in x.strides]) for x in (a, b)])
    return tensordot_plan((sa, sb), strides, tuple(left), tuple(right))((a, b))


def _to_end(name, a, axes, n, i):
    """a with the n axes that item i of the product's axes= names behind the others."""
    axes = _axes_item(name, axes, n, i)
    axes = [normalize_axis_index(d, a.ndim) for d in axes]
    if len(set(axes)) != n:
        raise ValueError(f"{name}: axes item {i} repeats an axis")
    return a.transpose([d for d in range(a.ndim) if d not in axes] + axes)


def _axes_item(name, axes, n, i):
    if hasattr(axes, "__index__"):
        axes = operator.index(axes)
    if n == 1 and isinstance(axes, int):
        return (axes,)
    if not isinstance(axes, (tuple, int)):
        raise TypeError(f"{name}: axes item {i} must be a tuple of {n} integers, not {type(axes)}")
    if isinstance(axes, int) or len(axes) != n:
        raise np.exceptions.AxisError(f"{name}: axes item {i} must have {n} entries, not {axes!r}")
    return axes


def _axes_list(name, axes, may_lack_last):
    """axes= as items for the two operands and the result, whose item may be missing where it has no axes to name."""
    if not isinstance(axes, list):
        raise TypeError(f"{name}: axes must be a list, not {type(axes)}")
    if may_lack_last and len(axes) == 2:
        return [*axes, ()]
    if len(axes) != 3:
        raise ValueError(f"{name}: axes must have an entry for each of the 3 inputs and outputs, it has {len(axes)}")
    return axes


def _from_end(name, a, axes, n):
    """The inverse of _to_end: the last n axes go to the positions ``axes`` of the result."""
    axes = [normalize_axis_index(d, a.ndim) for d in _axes_item(name, axes, n, 2)]
    order = list(range(a.ndim - n))
    for d, source in sorted(zip(axes, range(a.ndim - n, a.ndim))):
        order.insert(d, source)
    return a.transpose(order)


def _asked_dtype(name, dtype, signature, sig):
    """What dtype=, or signature= or its other name, asks of a product, whose loops have the same dtype everywhere."""
    if signature is not None and sig is not None:
        raise TypeError(f"{name}: cannot specify both 'sig' and 'signature'")
    signature = sig if signature is None else signature
    if signature is None:
        return None if dtype is None else np.dtype(dtype)
    if dtype is not None:
        raise TypeError(f"{name}: cannot specify both 'signature' and 'dtype'")
    if isinstance(signature, str):
        parts = signature.split("->")
        if [len(p) for p in parts] != [2, 1]:
            raise ValueError(f"{name}: signature must have the form 'ff->f', not {signature!r}")
        signature = tuple("".join(parts))
    if not isinstance(signature, tuple):
        raise TypeError(f"{name}: signature must be a string or a tuple of dtypes, not {type(signature)}")
    if len(signature) != 3:
        raise ValueError(f"{name}: signature must have 3 dtypes, not {len(signature)}")
    dtypes = {np.dtype(t) for t in signature if t is not None}
    if len(dtypes) > 1:
        raise TypeError(f"No loop matching the specified signature and casting was found for ufunc {name}")
    return dtypes.pop() if dtypes else None


def _refuse_axis(name, signature, axis, keepdims):
    """TypeError for axis= and keepdims= of a product with several core dimensions."""
    if keepdims is not None or axis is not None:
        raise TypeError(f"{name}: {'axis' if keepdims is None else 'keepdims'}= is for functions with one core "
                        f"dimension; {name}'s signature is {signature}. Use axes=.")


def matmul_along(x1, x2, out, dtype, casting, order, subok, axes, axis, keepdims, signature, sig):
    """matmul with axes= or signature=; called by tombac.matmul."""
    _refuse_axis("matmul", "(n?,k),(k,m?)->(n?,m?)", axis, keepdims)
    dtype = _asked_dtype("matmul", dtype, signature, sig)
    options = {"dtype": dtype, "casting": casting, "order": order, "subok": subok}
    if axes is None:
        return matmul(x1, x2, out, **options)
    axes = _axes_list("matmul", axes, False)
    x1, x2 = as_device("matmul", x1), as_device("matmul", x2)
    if x1.ndim == 0 or x2.ndim == 0:
        raise ValueError("matmul: an operand does not have enough dimensions (0, at least 1 is needed)")
    left, right = (_to_end("matmul", x, axes[i], min(x.ndim, 2), i) for i, x in enumerate((x1, x2)))
    core = (x1.ndim > 1) + (x2.ndim > 1)
    if out is None:
        result = matmul(left, right, **options)
        return _from_end("matmul", result, axes[2], core)
    out = out[0] if isinstance(out, tuple) else out
    check_arrays("matmul", out)
    kept = [normalize_axis_index(d, out.ndim) for d in _axes_item("matmul", axes[2], core, 2)]
    matmul(left, right, out.transpose([d for d in range(out.ndim) if d not in kept] + kept), **options)
    return out


# How many axes of either operand and of the result a product is about, and NumPy's way to say so.
_CORES = {
    "vecdot": (vecdot, (1, 1, 0), "(n),(n)->()"),
    "matvec": (matvec, (2, 1, 1), "(m,n),(n)->(m)"),
    "vecmat": (vecmat, (1, 2, 1), "(n),(n,m)->(m)"),
}


def vector_product_along(name, x1, x2, out, axis, keepdims, axes, dtype, casting, order, subok, signature, sig):
    """vecdot, matvec and vecmat with what all of NumPy's generalized ufuncs take; called by these."""
    function, cores, says = _CORES[name]
    check_arrays(name, x1, x2)
    if name != "vecdot":
        _refuse_axis(name, says, axis, keepdims)
    if axis is not None and axes is not None:
        raise TypeError(f"{name}: cannot specify both 'axis' and 'axes'")
    if order not in (None, *"CFAKcfak"):
        raise ValueError(f"{name}: order must be one of 'C', 'F', 'A', or 'K', not {order!r}")
    casting = "same_kind" if casting is None else casting
    dtype = _asked_dtype(name, dtype, signature, sig) or _core.result_type(x1, x2)
    cores = (*cores[:2], cores[2] + bool(keepdims))
    if axis is not None:
        axes = [operator.index(axis)] * (2 + bool(keepdims))
    if axes is None:
        axes = [tuple(range(-n, 0)) for n in cores]
    axes = _axes_list(name, axes, name == "vecdot" and not keepdims)
    if min(x1.ndim - cores[0], x2.ndim - cores[1]) < 0:
        raise ValueError(f"{name}: an operand does not have enough dimensions; the signature is {says}")
    operands = [_to_end(name, x.astype(dtype, casting=casting, copy=False), axes[i], cores[i], i)
                for i, x in enumerate((x1, x2))]
    result = function(*operands)
    result = _from_end(name, result[..., None] if keepdims else result, axes[2], cores[2])
    if out is not None:
        out = out[0] if isinstance(out, tuple) else out
        check_arrays(name, out)
        if not can_cast(dtype, out.dtype, casting):
            raise TypeError(f"Cannot cast ufunc {name!r} output from {dtype!r} to {out.dtype!r} with casting rule "
                            f"{casting!r}")
        return deliver(name, result, out)
    return result.copy(order="F") if order in ("F", "f") else result


def kron(a, b):
    """The Kronecker product: every element of ``a`` times ``b``, in blocks.

    Args:
        a, b: Arrays of any dtype and shape, or numbers.

    Returns:
        An array, each axis as long as both arrays' together.

    Raises:
        TypeError: An argument is neither a tombac array nor a number.

    >>> tombac.kron(tombac.array([1, 10]), tombac.array([1, 2, 3]))
    array([ 1,  2,  3, 10, 20, 30])
    """
    a, b = as_device("kron", a), as_device("kron", b)
    n = max(a.ndim, b.ndim)
    sa, sb = (1,) * (n - a.ndim) + a.shape, (1,) * (n - b.ndim) + b.shape
    left = a.reshape(tuple(m for d in sa for m in (d, 1)))
    right = b.reshape(tuple(m for d in sb for m in (1, d)))
    return (left * right).reshape(tuple(i * j for i, j in zip(sa, sb)))


def trace(a, offset=0, axis1=0, axis2=1, dtype=None, out=None):
    """The sum along a diagonal of the plane of two axes.

    Args:
        a: An array of any dtype and at least two dimensions; one of NumPy's is treated by its own method.
        offset: The diagonal: 0 is the main one, those above it have positive numbers.
        axis1, axis2: The axes of the plane.
        dtype: The dtype of the sum; integers narrower than int64 are summed in int64.
        out: An array of the result's shape to write to.

    Returns:
        An array without those axes.

    Raises:
        ValueError: ``a`` has fewer dimensions, or the axes are the same.
        AxisError: There is no such axis.

    >>> tombac.trace(tombac.array([[1, 2], [3, 4]]))
    array(5)
    """
    check_method("trace", a)
    return a.diagonal(offset, axis1, axis2).sum(-1, dtype=dtype, out=out)


def cross(a, b, axisa=-1, axisb=-1, axisc=-1, axis=None):
    """The cross product of vectors of two or three elements along the given axes.

    Args:
        a, b: Arrays of numbers, of two or three elements along their axes; the other axes broadcast.
        axisa, axisb: The axes of the vectors in ``a`` and ``b``.
        axisc: The axis of the vectors in the result.
        axis: One number for the three of them.

    Returns:
        An array of vectors of three elements; of numbers, without that axis, where both vectors have two.

    Raises:
        ValueError: A vector has another number of elements.
        AxisError: There is no such axis.

    >>> tombac.cross(tombac.array([1, 0, 0]), tombac.array([0, 1, 0]))
    array([0, 0, 1])
    """
    a, b = as_device("cross", a), as_device("cross", b)
    if axis is not None:
        axisa = axisb = axisc = axis
    a, b = _last(a, axisa), _last(b, axisb)
    if a.shape[-1] not in (2, 3) or b.shape[-1] not in (2, 3):
        raise ValueError("cross: the vectors must have two or three elements")
    x = [a[..., i] for i in range(a.shape[-1])]
    y = [b[..., i] for i in range(b.shape[-1])]
    z = x[0] * y[1] - x[1] * y[0]
    if len(x) == len(y) == 2:
        return z
    if len(x) == 2:  # products with the third element that is not there are left out: 0 times NaN is not 0
        c = [x[1] * y[2], -(x[0] * y[2]), z]
    elif len(y) == 2:
        c = [-(x[2] * y[1]), x[2] * y[0], z]
    else:
        c = [x[1] * y[2] - x[2] * y[1], x[2] * y[0] - x[0] * y[2], z]
    c = _core.stack(c, -1)
    axisc = normalize_axis_index(axisc, c.ndim)
    order = list(range(c.ndim - 1))
    order.insert(axisc, c.ndim - 1)
    return c.transpose(order)
