"""Products of arrays: outer, inner, tensordot, kron, cross, trace, einsum."""

import math

import numpy as np

from tombac import _core
from tombac._core import dot, matmul
from tombac._util import as_device, check_arrays, normalize_axis_index

__all__ = ["cross", "einsum", "inner", "kron", "outer", "tensordot", "trace", "vdot", "vecdot"]


def outer(a, b, out=None):
    """The outer product of the flattened arrays: result[i, j] = a[i] * b[j]."""
    a, b = as_device("outer", a).ravel(), as_device("outer", b).ravel()
    return _core.multiply(a[:, None], b, out) if out is not None else a[:, None] * b


def vdot(a, b):
    """The dot product of the flattened arrays, the first one conjugated."""
    a, b = as_device("vdot", a).ravel(), as_device("vdot", b).ravel()
    if a.size != b.size:
        raise ValueError(f"vdot: the sizes differ: {a.size} and {b.size}")
    return dot(a.conj() if a.dtype.kind == "c" else a, b)


def vecdot(x1, x2, /, *, axis=-1):
    """The dot product along ``axis``, ``x1`` conjugated, the other axes broadcast."""
    check_arrays("vecdot", x1, x2)
    if x1.shape[axis] != x2.shape[axis]:
        raise ValueError(f"vecdot: axis {axis} has lengths {x1.shape[axis]} and {x2.shape[axis]}")
    x1, x2 = _last(x1, axis), _last(x2, axis)
    return matmul(x1.conj()[..., None, :], x2[..., :, None])[..., 0, 0]


def _last(a, axis):
    """a with axis moved to the end."""
    axis = normalize_axis_index(axis, a.ndim)
    return a.transpose([d for d in range(a.ndim) if d != axis] + [axis])


def inner(a, b):
    """The sum of products over the last axes of ``a`` and ``b``."""
    a, b = as_device("inner", a), as_device("inner", b)
    if a.ndim == 0 or b.ndim == 0:
        return a * b
    if a.shape[-1] != b.shape[-1]:
        raise ValueError(f"inner: the last axes have lengths {a.shape[-1]} and {b.shape[-1]}")
    return tensordot(a, b, (-1, -1))


def _pairs(axes, a, b):
    if np.ndim(axes) == 0:
        n = int(axes)
        if n < 0 or n > min(a.ndim, b.ndim):
            raise ValueError(f"tensordot: {n} axes of arrays with {a.ndim} and {b.ndim} dimensions")
        return list(range(a.ndim - n, a.ndim)), list(range(n))
    left, right = ([x] if np.ndim(x) == 0 else list(x) for x in axes)
    if len(left) != len(right):
        raise ValueError("tensordot: the two lists of axes differ in length")
    return [normalize_axis_index(d, a.ndim) for d in left], [normalize_axis_index(d, b.ndim) for d in right]


def tensordot(a, b, axes=2):
    """The sum of products over pairs of axes: the last ``axes`` of ``a`` with the first of ``b``, or two lists of axes.

    Raises:
        ValueError: The axes of a pair differ in length.
    """
    a, b = as_device("tensordot", a), as_device("tensordot", b)
    left, right = _pairs(axes, a, b)
    for i, j in zip(left, right):
        if a.shape[i] != b.shape[j]:
            raise ValueError(f"tensordot: axis {i} of a has length {a.shape[i]}, axis {j} of b has {b.shape[j]}")
    keep_a = [d for d in range(a.ndim) if d not in left]
    keep_b = [d for d in range(b.ndim) if d not in right]
    k = math.prod(a.shape[d] for d in left)
    shape = tuple(a.shape[d] for d in keep_a) + tuple(b.shape[d] for d in keep_b)
    rows, columns = math.prod(a.shape[d] for d in keep_a), math.prod(b.shape[d] for d in keep_b)
    product = matmul(a.transpose(keep_a + left).reshape(rows, k), b.transpose(right + keep_b).reshape(k, columns))
    return product.reshape(shape)


def kron(a, b):
    """The Kronecker product: every element of ``a`` times ``b``, in blocks."""
    a, b = as_device("kron", a), as_device("kron", b)
    n = max(a.ndim, b.ndim)
    sa, sb = (1,) * (n - a.ndim) + a.shape, (1,) * (n - b.ndim) + b.shape
    left = a.reshape(tuple(m for d in sa for m in (d, 1)))
    right = b.reshape(tuple(m for d in sb for m in (1, d)))
    return (left * right).reshape(tuple(i * j for i, j in zip(sa, sb)))


def trace(a, offset=0, axis1=0, axis2=1, dtype=None, out=None):
    """The sum along a diagonal of the plane of two axes."""
    check_arrays("trace", a)
    return a.diagonal(offset, axis1, axis2).sum(-1, dtype=dtype, out=out)


def cross(a, b, axisa=-1, axisb=-1, axisc=-1, axis=None):
    """The cross product of vectors of two or three elements along the given axes."""
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
    x += [_core.zeros_like(x[0])] * (3 - len(x))
    y += [_core.zeros_like(y[0])] * (3 - len(y))
    c = _core.stack([x[1] * y[2] - x[2] * y[1], x[2] * y[0] - x[0] * y[2], z], -1)
    axisc = normalize_axis_index(axisc, c.ndim)
    order = list(range(c.ndim - 1))
    order.insert(axisc, c.ndim - 1)
    return c.transpose(order)


# ---- einsum ----------------------------------------------------------------------------------------------------------


def einsum(*operands, **kwargs):
    """Sums of products by Einstein's convention, with NumPy's notation.

    Args:
        operands: Subscripts such as 'ij,jk->ik' and the arrays, or arrays and lists of labels in turn.
        out: An array to write to.
        dtype: Dtype of the computation.
        optimize: The order of pairwise products, as numpy.einsum_path understands it; True by default.

    Pairs of operands become matrix products where they can. Raises ValueError for labels that do not fit.
    """
    out, dtype = kwargs.pop("out", None), kwargs.pop("dtype", None)
    optimize = kwargs.pop("optimize", True)
    kwargs.pop("casting", None), kwargs.pop("order", None)
    if kwargs:
        raise TypeError(f"einsum: unexpected keyword {next(iter(kwargs))!r}")
    inputs, output, arrays = _parse(operands)
    if dtype is not None:
        arrays = [a.astype(dtype) for a in arrays]
    sizes = _sizes(inputs, arrays)
    terms = [_collapse(labels, a) for labels, a in zip(inputs, arrays)]
    for pair in _order(inputs, output, arrays, sizes, optimize):
        chosen = [terms[i] for i in pair]
        terms = [t for i, t in enumerate(terms) if i not in pair]
        terms.append(_contract(chosen, set(output).union(*(t[0] for t in terms)), sizes))
    (labels, result), = terms
    result = _finish(labels, result, output, sizes)
    if out is None:
        return result
    out[...] = result
    return out


def _parse(operands):
    """(label strings of the inputs, of the output, arrays); an ellipsis becomes capital letters of its own."""
    if isinstance(operands[0], str):
        text, arrays = operands[0].replace(" ", ""), list(operands[1:])
    else:
        rest = list(operands)
        last = rest.pop() if len(rest) % 2 else None
        arrays = rest[::2]
        text = ",".join(_letters(labels) for labels in rest[1::2])
        text += "" if last is None else "->" + _letters(last)
    check_arrays("einsum", *arrays)
    left, arrow, output = text.partition("->")
    inputs = left.split(",")
    if len(inputs) != len(arrays):
        raise ValueError(f"einsum: {len(inputs)} subscripts for {len(arrays)} operands")
    width = 0
    for i, (labels, a) in enumerate(zip(inputs, arrays)):
        if "..." in labels:
            width = max(width, a.ndim - len(labels) + 3)
    spare = [chr(c) for c in range(0x3B1, 0x3B1 + width)]
    for i, (labels, a) in enumerate(zip(inputs, arrays)):
        if "..." in labels:
            own = a.ndim - len(labels) + 3
            inputs[i] = labels.replace("...", "".join(spare[width - own :]) if own else "")
        if len(inputs[i]) != a.ndim:
            raise ValueError(f"einsum: subscripts {labels!r} for an operand of {a.ndim} dimensions")
        if not all(c.isalpha() for c in inputs[i]):
            raise ValueError(f"einsum: bad subscripts {labels!r}")
    if arrow:
        output = output.replace("...", "".join(spare))
    else:
        every = "".join(inputs)
        output = "".join(spare) + "".join(sorted(c for c in set(every) if every.count(c) == 1 and c not in spare))
    if len(set(output)) != len(output) or not set(output) <= set("".join(inputs)):
        raise ValueError(f"einsum: the output subscripts {output!r} repeat or are not among the inputs")
    return inputs, output, arrays


def _letters(labels):
    return "".join("..." if x is Ellipsis else chr(ord("a") + x if x < 26 else ord("A") + x - 26) for x in labels)


def _sizes(inputs, arrays):
    sizes = {}
    for labels, a in zip(inputs, arrays):
        for c, n in zip(labels, a.shape):
            if sizes.get(c, 1) != 1 and n not in (1, sizes[c]):
                raise ValueError(f"einsum: label {c!r} has lengths {sizes[c]} and {n}")
            sizes[c] = max(sizes.get(c, 1), n) if n else n
    return sizes


def _collapse(labels, a):
    """Repeated labels of one operand become its diagonal."""
    for c in dict.fromkeys(labels):
        while labels.count(c) > 1:
            i, j = [k for k, x in enumerate(labels) if x == c][:2]
            a = a.diagonal(0, i, j)
            labels = "".join(x for k, x in enumerate(labels) if k not in (i, j)) + c
    return labels, a


def _order(inputs, output, arrays, sizes, optimize):
    """Which operands to combine, step by step."""
    if len(arrays) <= 2:
        return [tuple(range(len(arrays)))]
    names = {c: chr(ord("a") + i) if i < 26 else chr(ord("A") + i - 26) for i, c in enumerate(sizes)}
    text = ",".join("".join(names[c] for c in labels) for labels in inputs) + "->" + "".join(names[c] for c in output)
    shapes = [np.broadcast_to(0, a.shape) for a in arrays]
    return np.einsum_path(text, *shapes, optimize=optimize if optimize else "greedy")[0][1:]


def _sum_out(term, keep):
    """Sums the labels that nobody needs."""
    labels, a = term
    gone = tuple(i for i, c in enumerate(labels) if c not in keep)
    if not gone:
        return term
    return "".join(c for c in labels if c in keep), a.sum(gone, dtype=a.dtype)


def _contract(terms, keep, sizes):
    while len(terms) > 2:
        terms = [_contract(terms[:2], keep.union(*(t[0] for t in terms[2:])), sizes)] + terms[2:]
    if len(terms) == 1:
        return _sum_out(terms[0], keep)
    x = _sum_out(terms[0], keep | set(terms[1][0]))
    y = _sum_out(terms[1], keep | set(x[0]))
    shared = [c for c in x[0] if c in y[0]]
    summed = [c for c in shared if c not in keep]
    batch = [c for c in shared if c in keep]
    rows = [c for c in x[0] if c not in y[0]]
    columns = [c for c in y[0] if c not in x[0]]
    a, b = _arrange(x, batch + rows + summed, sizes, shared), _arrange(y, batch + summed + columns, sizes, shared)
    if not summed:
        a = a.reshape(a.shape + (1,) * len(columns))
        b = b.reshape(b.shape[: len(batch)] + (1,) * len(rows) + b.shape[len(batch) :])
        return "".join(batch + rows + columns), a * b
    dims = [tuple(sizes[c] for c in group) for group in (batch, rows, summed, columns)]
    m, k, n = (math.prod(d) for d in dims[1:])
    product = matmul(a.reshape(dims[0] + (m, k)), b.reshape(dims[0] + (k, n)))
    return "".join(batch + rows + columns), product.reshape(dims[0] + dims[1] + dims[3])


def _arrange(term, order, sizes, shared):
    """The operand with its axes in the given order; shared axes of length 1 are broadcast."""
    labels, a = term
    a = a.transpose([labels.index(c) for c in order])
    shape = tuple(sizes[c] if c in shared else n for c, n in zip(order, a.shape))
    return a if a.shape == shape else _core.broadcast_to(a, shape)


def _finish(labels, a, output, sizes):
    labels, a = _sum_out((labels, a), set(output))
    return a.transpose([labels.index(c) for c in output]) if labels else a
