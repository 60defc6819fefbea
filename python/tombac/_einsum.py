"""Sums of products by Einstein's convention: subscripts, the order of pairwise products, and einsum itself."""

import functools
import operator

from tombac._contraction import Term, contract
from tombac._core import layouts, result_type
from tombac._dtypes import as_dtype, can_cast
from tombac._numpy import np
from tombac._util import check_arrays, deliver

__all__ = ["einsum", "einsum_path"]

_ANY = 0xE000  # the first of the labels that stand for axes of an ellipsis: letters that nobody writes
_LETTERS = 52
_OPT_EINSUM = ("auto", "auto-hq", "branch-1", "branch-2", "branch-all", "dp", "dynamic-programming", "eager",
               "opportunistic", "random-greedy", "random-greedy-128")


def einsum(*operands, out=None, dtype=None, casting="safe", order="K", optimize=True):
    """Sums of products by Einstein's convention, with NumPy's notation.

    Operands are multiplied in pairs, by matrix products where something is summed. Transposed operands are not copied:
    axes become rows, columns or stacks of matrices as they lie in memory.

    Args:
        operands: Subscripts such as 'ij,jk->ik' and the arrays, or arrays and lists of labels in turn.
        out: An array to write to.
        dtype, casting: Dtype of the computation, and what conversions to it are allowed ('safe').
        order: Memory layout of the result: 'C', 'F', 'A' (as 'F' if all operands are) or 'K' (as it comes).
        optimize: The order of pairwise products: True or 'greedy', 'optimal', or a path, as numpy.einsum_path gives or
            opt_einsum.contract_path. Other names ('dp', 'auto', 'branch-2', ...) are opt_einsum's, which has to be
            installed. A function finds the path itself, called as opt_einsum calls those that it is given: with the
            sets of labels of the operands, that of the result, a dict of lengths and a limit of memory. A name may
            come with that limit, in elements, as a tuple.

    Returns:
        An array of the dtype of the computation; a view of the operand where nothing has to be computed.

    Raises:
        ValueError: The subscripts do not fit the operands, or each other.
        TypeError: An operand is no tombac array, ``casting`` forbids a conversion, or ``optimize`` is none of these.
        KeyError: No path has this name.
        ImportError: The path is one of opt_einsum's, which is not installed.
        RuntimeError: A path leaves several operands.

    NumPy does not know opt_einsum's names, and multiplies all operands at once where ``optimize`` is false.

    >>> tombac.einsum('ij,j->i', tombac.array([[1, 2], [3, 4]]), tombac.array([1, 10]))
    array([21, 43])
    """
    if out is None is dtype and order == "K" and optimize is True:
        known = layouts(*operands)  # None: to be looked at more closely
        if known and (known[2] > 2 or len(operands) < 4):
            return _plan(operands[0], *known, optimize)(operands[1:])
    text, arrays = _call("einsum", operands)
    if order != "K":
        order = _layout(order)
    out = out[0] if isinstance(out, tuple) else out
    dtype = _einsum_dtype(arrays, out, dtype, casting)
    # A product of many in float16 may leave its range half way, and be rounded too often.
    work = np.dtype("f4") if dtype.char in "eE" and len(arrays) > 2 else dtype
    arrays = [a if a.dtype is work else a.astype(work) for a in arrays]
    plan = _plan
    if optimize is not True:
        plan, optimize = _plan.__wrapped__ if callable(optimize) else _plan, _hashable(optimize)
    shapes, strides = tuple([a.shape for a in arrays]), tuple([a.strides for a in arrays])
    result = plan(text, shapes, strides, work.itemsize, optimize)(arrays)
    if work is not dtype:
        result = result.astype(dtype)
    if out is not None:
        return deliver("einsum", result, out)
    if order == "A":
        order = "F" if all([a.flags.f_contiguous for a in arrays]) else "C"
    return result if order == "K" or result.flags[order + "_CONTIGUOUS"] else result.copy(order=order)


def einsum_path(*operands, optimize="greedy", einsum_call=False):
    """The order in which einsum would multiply its operands, and a text about it, as NumPy gives them.

    Only the shapes are looked at; nothing waits for the device.

    Args:
        operands: As einsum takes them.
        optimize: As einsum takes it.
        einsum_call: Accepted for NumPy's sake; it must be false.

    Returns:
        A tuple: the path as a list, and a str.

    Raises:
        ValueError: The subscripts do not fit the operands.
        TypeError: An operand is no tombac array.
        KeyError: No path has this name.
        ImportError: The path is one of opt_einsum's, which is not installed.

    CuPy does not have it.

    >>> tombac.einsum_path('ij,jk,kl->il', *[tombac.ones((4, 4))] * 3)[0]
    ['einsum_path', (0, 1), (0, 1)]
    """
    text, arrays = _call("einsum_path", operands)
    find = _path.__wrapped__ if callable(optimize) else _path
    path, about = find(text, tuple([a.shape for a in arrays]), _hashable(optimize))
    return [*path], about


@functools.lru_cache(256, typed=True)
def _path(text, shapes, optimize):
    """What einsum_path returns, which depends on shapes alone."""
    stand_ins = [np.ndarray(s, "b", b" ", 0, (0,) * len(s)) for s in shapes]
    if _given(optimize) is not None or _finder(optimize):
        inputs, output = _parse(text, [len(s) for s in shapes])
        optimize = ["einsum_path", *_order(inputs, output, _sizes(inputs, shapes), optimize)]
    return np.einsum_path(text, *stand_ins, optimize=optimize)


# ---- arguments -------------------------------------------------------------------------------------------------------


def _call(name, operands):
    """(subscripts as text, arrays) of a call in either form."""
    if len(operands) < 2:
        raise ValueError(f"{name}: subscripts and at least one operand are needed")
    text, arrays = (operands[0], operands[1:]) if isinstance(operands[0], str) else _subscripts(operands)
    check_arrays(name, *arrays)
    return text, arrays


def _hashable(path):
    return tuple([_hashable(step) for step in path]) if isinstance(path, (list, tuple)) else path


def _layout(order):
    upper = order.upper() if isinstance(order, str) else order
    if upper not in ("C", "F", "A", "K"):
        raise ValueError(f"einsum: order must be one of 'C', 'F', 'A' or 'K', not {order!r}")
    return upper


def _einsum_dtype(arrays, out, dtype, casting):
    """The dtype of the computation: all operands', out's too, together, unless one is asked for."""
    types = [a.dtype for a in arrays] + ([out.dtype] if out is not None else [])
    if dtype is not None:
        dtype = as_dtype(dtype)
    else:
        dtype = types[0] if all(t is types[0] for t in types) else result_type(*types)
    for i, t in enumerate(types):  # NumPy adds to what it reads from out, so that both ways must be allowed there
        if t is not dtype and not can_cast(t, dtype, casting):
            name = f"operand {i}" if i < len(arrays) else "out"
            raise TypeError(f"einsum: {name} cannot be cast from {t} to {dtype} with casting {casting!r}")
    if out is not None and out.dtype is not dtype and not can_cast(dtype, out.dtype, casting):
        raise TypeError(f"einsum: out cannot be cast from {dtype} to {out.dtype} with casting {casting!r}")
    return dtype


def _subscripts(operands):
    """(subscripts as text, arrays) of a call with lists of labels."""
    rest = list(operands)
    last = rest.pop() if len(rest) % 2 else None
    text = ",".join(_letters(labels) for labels in rest[1::2])
    return text + ("" if last is None else "->" + _letters(last)), rest[::2]


def _letters(labels):
    """Labels as letters in the order of the numbers, by which axes of a result that is not described are sorted."""
    return "".join("..." if x is Ellipsis else _letter(x) for x in labels)


def _letter(label):
    try:
        i = operator.index(label)
    except TypeError:
        raise TypeError(f"einsum: a label must be an integer or an ellipsis, not {label!r}") from None
    if not 0 <= i < _LETTERS:
        raise ValueError(f"einsum: a label must be a number from 0 to {_LETTERS - 1}, not {i}")
    return chr(ord("A") + i if i < 26 else ord("a") + i - 26)


def _parse(text, ndims):
    """(label strings of the inputs, of the output)."""
    left, arrow, output = text.replace(" ", "").partition("->")
    inputs = left.split(",")
    if len(inputs) != len(ndims):
        raise ValueError(f"einsum: {len(inputs)} subscripts for {len(ndims)} operands")
    for labels in (*inputs, output):
        if not all(c.isalpha() for c in labels.replace("...", "", 1)):
            raise ValueError(f"einsum: bad subscripts {labels!r}")
    owns = [ndim - len(labels) + 3 if "..." in labels else 0 for labels, ndim in zip(inputs, ndims)]
    width = max(*owns, 0)
    spare = "".join([chr(_ANY + i) for i in range(width)])
    for i, (labels, ndim, own) in enumerate(zip(inputs, ndims, owns)):
        if own >= 0:
            inputs[i] = labels.replace("...", spare[width - own :])
        if own < 0 or len(inputs[i]) != ndim:
            raise ValueError(f"einsum: subscripts {labels!r} for an operand of {ndim} dimensions")
    if not arrow:
        every = "".join(inputs)
        return inputs, spare + "".join(sorted(c for c in set(every) if every.count(c) == 1 and c not in spare))
    if width and "..." not in output:
        raise ValueError(f"einsum: the output subscripts {output!r} have no ellipsis, and operands have")
    output = output.replace("...", spare)
    if len(set(output)) != len(output) or not set(output) <= set("".join(inputs)):
        raise ValueError(f"einsum: the output subscripts {output!r} repeat or are not among the inputs")
    return inputs, output


def _sizes(inputs, shapes):
    """The length of each label; operands where it is 1 are broadcast."""
    sizes = {}
    for i, (labels, shape) in enumerate(zip(inputs, shapes)):
        own = {}
        for c, n in zip(labels, shape):
            if own.setdefault(c, n) != n:
                raise ValueError(f"einsum: label {c!r} has lengths {own[c]} and {n} in operand {i}")
            if sizes.get(c, 1) == 1:
                sizes[c] = n
            elif n not in (1, sizes[c]):
                raise ValueError(f"einsum: label {c!r} has lengths {sizes[c]} and {n}")
    return sizes


# ---- paths -----------------------------------------------------------------------------------------------------------


def _finder(optimize):
    """The function that finds the path, and its limit of memory, where that is not NumPy's to do; else None."""
    name, limit = optimize, None
    if isinstance(optimize, tuple) and len(optimize) == 2 and isinstance(optimize[0], str) and \
            isinstance(optimize[1], (int, float)):
        name, limit = optimize
    if callable(name):
        return name, limit
    if not isinstance(name, str) or name in ("greedy", "optimal", "einsum_path"):
        return None
    try:
        from opt_einsum.paths import get_path_fn
    except ImportError:
        if name not in _OPT_EINSUM:
            raise KeyError(f"einsum: there is no path {name!r}") from None
        raise ImportError(f"einsum: the path {name!r} is one of opt_einsum's; install opt_einsum") from None
    return get_path_fn(name), limit


def _given(optimize):
    """The path that is spelled out; None where it is to be found."""
    if not isinstance(optimize, (tuple, list)) or not optimize:
        return None
    steps = optimize[1:] if optimize[0] == "einsum_path" else optimize
    return steps if all([isinstance(step, (tuple, list)) for step in steps]) else None


def _order(inputs, output, sizes, optimize):
    """Which operands to combine, step by step."""
    steps, n = _given(optimize), len(inputs)
    if steps is not None:
        return _checked(steps, n)
    finder = _finder(optimize)
    if n <= 2 and (finder or optimize is None or isinstance(optimize, (bool, str))):
        return [tuple(range(n))]  # functions of opt_einsum are for more
    if finder:
        find, limit = finder
        return _checked(find([frozenset(x) for x in inputs], frozenset(output), sizes, limit), n)
    if len(sizes) > _LETTERS:
        return [(0, 1)] * (n - 1)
    names = {c: chr(ord("a") + i) if i < 26 else chr(ord("A") + i - 26) for i, c in enumerate(sizes)}
    text = ",".join("".join(names[c] for c in labels) for labels in inputs) + "->" + "".join(names[c] for c in output)
    stand_ins = [np.broadcast_to(0, [sizes[c] for c in labels]) for labels in inputs]
    return _checked(np.einsum_path(text, *stand_ins, optimize=optimize if optimize else "greedy")[0][1:], n)


def _checked(steps, n):
    """Steps of n operands, each of which exists and is used once, that leave one."""
    steps = [tuple([operator.index(i) for i in step]) for step in steps]
    for step in steps:
        if not step or len(set(step)) != len(step) or not all([0 <= i < n for i in step]):
            raise ValueError(f"einsum: a step of the path combines {step}, of {n} operands")
        n -= len(step) - 1
    if n != 1:
        raise RuntimeError(f"einsum: the path leaves {n} operands")
    return steps


# ---- plans -----------------------------------------------------------------------------------------------------------


@functools.lru_cache(256)
def _plan(text, shapes, strides, item, optimize):
    """What computes the result from arrays of these shapes and strides: all that is known without their elements."""
    inputs, output = _parse(text, [len(shape) for shape in shapes])
    sizes = _sizes(inputs, shapes)
    terms = [Term(labels, shape, operator.itemgetter(i), [n // item for n in step]).diagonal().narrowed(sizes)
             for i, (labels, shape, step) in enumerate(zip(inputs, shapes, strides))]
    for step in _order(inputs, output, sizes, optimize):
        chosen = [terms[i] for i in step]
        terms = [t for i, t in enumerate(terms) if i not in step]
        while len(chosen) > 1:
            keep = set(output).union(*(t.labels for t in terms + chosen[2:]))
            chosen[:2] = [contract(*chosen[:2], keep, output)]
        terms += chosen
    (term,) = terms
    return term.summed(set(output)).arranged(output).get
