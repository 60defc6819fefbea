"""Functions of arrays by a signature of core dimensions: each call of the function sees these, the others are loops.

The signatures are NumPy's, "(m,n),(n)->(m)" for a product of matrices and vectors; sizes may be numbers.
"""

import math
import re

import tombac
from tombac import _core
from tombac._numpy import np
from tombac._util import normalize_axis_index

_OPERANDS = re.compile(r"\(([^()]*)\)(?:,|$)")


def _operands(text, signature):
    """The core dimensions of "(m,n),(n)" as a list of tuples of names."""
    found = _OPERANDS.findall(text)
    names = [tuple(name for name in operand.split(",") if name) for operand in found]
    written = ",".join(f"({','.join(operand)})" for operand in names)
    if written != text or not all(name.isidentifier() or name.isdigit() for operand in names for name in operand):
        raise ValueError(f"GeneralizedUFunc: {signature!r} is no signature such as '(m,n),(n)->(m)'")
    return names


def _parse(signature):
    before, arrow, after = signature.replace(" ", "").partition("->")
    inputs, outputs = _operands(before, signature), _operands(after, signature)
    if not (arrow and inputs and outputs):
        raise ValueError(f"GeneralizedUFunc: {signature!r} is no signature such as '(m,n),(n)->(m)'")
    return inputs, outputs


class GeneralizedUFunc:
    """A function of whole arrays as a universal function: it is called once for each index of the loop dimensions.

    Args:
        func: Called with the core parts of the inputs, and returns one array, or a tuple of them.
        signature: The core dimensions of inputs and outputs, as NumPy writes them: ``"(m,n),(n)->(m)"``.
        name, doc: The object's name and docstring; the function's by default.
        supports_batched: The function takes inputs with the loop dimensions before the core dimensions, all at once.
        supports_out: The function takes ``out=``.
        signatures: Pairs of dtypes as in ``"dd->d"`` and the function for these (or dtypes alone, for ``func``), in
            the order in which they are tried.
        try_fastcall_func: Accepted for CuPy's sake.

    Calls take ``axes``, ``axis``, ``keepdims``, ``casting``, ``dtype``, ``signature``, ``order`` and ``out`` as NumPy's
    generalized functions do.

    Raises:
        ValueError: ``signature`` cannot be read.

    >>> import tombacx
    >>> norm = tombacx.GeneralizedUFunc(lambda v: tombac.sqrt((v * v).sum()), "(n)->()")
    >>> norm(tombac.array([[3.0, 4.0], [6.0, 8.0]]))
    array([ 5., 10.])
    """

    def __init__(self, func, signature, *, name=None, doc=None, supports_batched=False, supports_out=False,
                 signatures=None, try_fastcall_func=None):
        self._func, self._signature = func, signature
        self._inputs, self._outputs = _parse(signature)
        self._batched, self._takes_out = supports_batched, supports_out
        self.__name__ = getattr(func, "__name__", "gufunc") if name is None else name
        self.__doc__ = getattr(func, "__doc__", None) if doc is None else doc
        self._loops = []
        for row in signatures or ():
            types, f = (row, func) if isinstance(row, str) else row
            taken, _, given = types.partition("->")
            if len(taken) != len(self._inputs) or len(given) != len(self._outputs):
                raise ValueError(f"GeneralizedUFunc: the dtypes {types!r} do not fit {signature!r}")
            self._loops.append((taken, given, f))

    def __repr__(self):
        return f"<GeneralizedUFunc {self.__name__} {self._signature}>"

    # ---- which axes are core dimensions

    def _core_axes(self, axes, axis, keepdims):
        """For each operand the axes of its core dimensions, from the end if nobody says."""
        operands = self._inputs + self._outputs
        if keepdims and (any(self._outputs) or len({len(o) for o in self._inputs}) != 1):
            raise TypeError(f"{self.__name__}: keepdims is for outputs without core dimensions, of inputs with as many")
        if axes is not None and axis is not None:
            raise TypeError(f"{self.__name__}: axes and axis cannot both be given")
        kept = [o or (self._inputs[0] if keepdims else ()) for o in operands]
        if axis is not None:
            if any(len(o) > 1 for o in operands):
                raise TypeError(f"{self.__name__}: axis is for one core dimension, see {self._signature}")
            return [(axis,) * len(o) for o in kept]
        if axes is None:
            return [tuple(range(-len(o), 0)) for o in kept]
        if not isinstance(axes, list):
            raise TypeError(f"{self.__name__}: axes must be a list of tuples, not {type(axes).__name__}")
        axes = [(a,) if isinstance(a, int) else tuple(a) for a in axes]
        if len(axes) == len(self._inputs) and not any(self._outputs):
            axes += [axes[0] if keepdims else ()] * len(self._outputs)
        if [len(a) for a in axes] != [len(o) for o in kept]:
            raise ValueError(f"{self.__name__}: axes must name the core dimensions of all operands, {self._signature}")
        return axes

    def _split(self, arrays, core_axes):
        """Inputs with their core dimensions last, and the lengths of these and of the loops."""
        moved, sizes, loops = [], {}, []
        for i, (a, names, axes) in enumerate(zip(arrays, self._inputs, core_axes)):
            if a.ndim < len(names):
                raise ValueError(f"{self.__name__}: input {i} has {a.ndim} dimensions, too few for {self._signature}")
            axes = [normalize_axis_index(axis, a.ndim) for axis in axes]
            if len(set(axes)) != len(axes):
                raise ValueError(f"{self.__name__}: an axis of input {i} is named twice")
            a = tombac.moveaxis(a, axes, range(a.ndim - len(axes), a.ndim))
            moved.append(a)
            loops.append(a.shape[: a.ndim - len(names)])
            for name, n in zip(names, a.shape[a.ndim - len(names):]):
                known = sizes.setdefault(name, int(name) if name.isdigit() else n)
                if known != n:
                    raise ValueError(f"{self.__name__}: the core dimension {name} of {self._signature} is {known} and "
                                     f"{n} (input {i})")
        return moved, sizes, np.broadcast_shapes(*loops)

    # ---- dtypes

    def _choose(self, arrays, dtype, signature, casting):
        """(function, dtypes of the inputs or None, dtypes of the outputs or None)"""
        if dtype is not None and signature is not None:
            raise TypeError(f"{self.__name__}: dtype and signature cannot both be given")
        if isinstance(signature, tuple):
            signature = "".join(np.dtype(t).char for t in signature)
            signature = signature[: len(self._inputs)] + "->" + signature[len(self._inputs):]
        asked = None if signature is None else tuple(signature.partition("->")[::2])
        if not self._loops:
            if asked:
                return self._func, asked[0], asked[1]
            return self._func, None, None if dtype is None else [dtype] * len(self._outputs)
        rule = casting if asked or dtype is not None else "safe"
        for taken, given, f in self._loops:
            if asked and (taken, given) != asked or dtype is not None and np.dtype(given[0]) != np.dtype(dtype):
                continue
            if all(np.can_cast(a.dtype, t, rule) for a, t in zip(arrays, taken)):
                return f, taken, given
        raise TypeError(f"{self.__name__}: no loop for {', '.join(str(a.dtype) for a in arrays)}")

    def _cast(self, what, a, dtype, casting):
        if not np.can_cast(a.dtype, dtype, casting):
            raise TypeError(f"{self.__name__}: cannot cast {what} from {a.dtype} to {np.dtype(dtype)} by {casting!r}")
        return a.astype(dtype, copy=False)

    # ---- calls

    def _results(self, f, arrays, **kwargs):
        results = f(*arrays, **kwargs)
        results = results if isinstance(results, (tuple, list)) else (results,)
        if len(results) != len(self._outputs):
            raise ValueError(f"{self.__name__}: the function returned {len(results)} results, not {len(self._outputs)}")
        return [_core.asarray(r) for r in results]

    def _iterate(self, f, arrays, sizes, loop):
        if not math.prod(loop):
            shapes = [loop + tuple(sizes.get(name, 0) for name in names) for names in self._outputs]
            return [_core.zeros(shape, np.result_type(*arrays)) for shape in shapes]
        arrays = [_core.broadcast_to(a, loop + a.shape[a.ndim - len(names):])
                  for a, names in zip(arrays, self._inputs)]
        if self._batched:
            return self._results(f, arrays)
        parts = [self._results(f, [a[index] for a in arrays]) for index in np.ndindex(*loop)]
        return [_core.stack(column).reshape(loop + column[0].shape) for column in zip(*parts)]

    def _place(self, results, outs, core_axes, casting, order):
        made = []
        for r, names, axes, out in zip(results, self._outputs, core_axes, outs):
            if axes:  # with keepdims there are core axes of length 1
                r = r if names else r.reshape(r.shape + (1,) * len(axes))
                places = [normalize_axis_index(a, r.ndim) for a in axes]
                r = tombac.moveaxis(r, range(r.ndim - len(axes), r.ndim), places)
            if out is None:
                made.append(r.astype(r.dtype, order=order, copy=False))
                continue
            if out.shape != r.shape:
                raise ValueError(f"{self.__name__}: out has the shape {out.shape}, the result {r.shape}")
            out[...] = self._cast("the result", r, out.dtype, casting)
            made.append(out)
        return made

    def __call__(self, *args, axes=None, axis=None, keepdims=False, casting="same_kind", dtype=None, signature=None,
                 order="K", out=None):
        nin, nout = len(self._inputs), len(self._outputs)
        if not nin <= len(args) <= nin + nout:
            raise TypeError(f"{self.__name__}: {nin} inputs are expected, or {nin + nout} arguments with the outputs; "
                            f"{len(args)} were given")
        if len(args) > nin and out is not None:
            raise TypeError(f"{self.__name__}: out is given both by position and by keyword")
        outs = args[nin:] if out is None else out if isinstance(out, tuple) else (out,)
        outs = tuple(outs) + (None,) * (nout - len(outs))
        if any(o is not None and not isinstance(o, _core.ndarray) for o in outs):
            raise TypeError(f"{self.__name__}: outputs must be tombac arrays")
        arrays = [a if isinstance(a, _core.ndarray) else _core.asarray(a) for a in args[:nin]]
        core_axes = self._core_axes(axes, axis, keepdims)
        arrays, sizes, loop = self._split(arrays, core_axes)
        f, taken, given = self._choose(arrays, dtype, signature, casting)
        if taken is not None:
            arrays = [self._cast(f"input {i}", a, t, casting) for i, (a, t) in enumerate(zip(arrays, taken))]
        plain = all(tuple(a) == tuple(range(-len(a), 0)) for a in core_axes) and not keepdims
        if self._takes_out and plain and outs[0] is not None and nout == 1 and (self._batched or not loop):
            self._results(f, arrays, out=outs[0])
            return outs[0]
        results = self._iterate(f, arrays, sizes, loop)
        if given is not None:
            results = [self._cast("the result", r, t, casting) for r, t in zip(results, given)]
        results = self._place(results, outs, core_axes[nin:], casting, order)
        return results[0] if nout == 1 else tuple(results)
