"""CUB's reductions in kernels: the threads of a warp or of a block combine a number each.

>>> import tombac as tb
>>> from tombacx import jit
>>> @jit.rawkernel()
... def row_sums(x, sums):
...     BlockReduce = jit.cub.BlockReduce[x.dtype, 128]
...     storage = jit.shared_memory(BlockReduce.TempStorage, 1)
...     total = BlockReduce(storage[0]).Sum(x[jit.blockIdx.x, jit.threadIdx.x])
...     if jit.threadIdx.x == 0:
...         sums[jit.blockIdx.x] = total
>>> x, sums = tb.ones((4, 128)), tb.empty(4)
>>> row_sums[4, 128](x, sums)
"""

import operator

from tombacx.jit._functor import Operator, functor
from tombacx.jit._types import INT32, Stored, Value, c_name, canonical, cast, same_type

__all__ = ["BlockReduce", "Max", "Min", "Sum", "WarpReduce"]

Sum = Operator("Sum", "cub", "The sum of two numbers.")
Max = Operator("Max", "cub", "The greater of two numbers.")
Min = Operator("Min", "cub", "The lesser of two numbers.")


class _Storage(Stored):
    """The type of the shared memory that a reduction works in."""

    def __init__(self, owner):
        self.owner, self.key = owner, ("storage", *owner.key)

    def c_type(self, unit):
        return f"{self.owner.c_class(unit)}::TempStorage"

    def __str__(self):
        return f"{self.owner}.TempStorage"


class _Reduction(Stored):
    """One of the classes for one dtype: WarpReduce[float32]; also the type of its instances in kernels, which are
    addresses of their storage."""

    def __init__(self, name, dtype, sizes):
        self.name, self.dtype, self.sizes = name, dtype, sizes
        self.key = (name, dtype, *sizes)
        self.TempStorage = _Storage(self)

    def c_class(self, unit):
        unit.need_header("cub")
        unit.c_type(self.dtype)
        return f"cub::{self.name}<{', '.join([c_name(self.dtype), *map(str, self.sizes)])}>"

    def c_type(self, unit):
        return f"{self.c_class(unit)}::TempStorage *"

    def __str__(self):
        return f"cub.{self.name}[{', '.join([self.dtype.name, *map(str, self.sizes)])}]"

    def __repr__(self):
        return f"<tombacx.jit.{self}>"

    def __call__(self, temp_storage):
        raise RuntimeError(f"{self!r} exists in kernels only")

    def emit(self, fc, temp_storage):
        if not isinstance(temp_storage, Value) or not same_type(temp_storage.type, self.TempStorage):
            raise TypeError(f"{self}: an element of shared memory of dtype {self.TempStorage} is expected, not "
                            f"{fc.describe(temp_storage)}")
        return Value(f"(&{temp_storage.code})", self)

    def call_method(self, fc, owner, name, args, kwargs):
        if name not in _METHODS:
            raise AttributeError(f"{self} has no method '{name}' in kernels, only {', '.join(_METHODS)}")
        return _METHODS[name](fc, owner, *args, **kwargs)


def _result(fc, owner, name, value, op, valid):
    reduction = owner.type
    args = [cast(fc.scalar(value, f"{name}: the number"), reduction.dtype, fc.mode)]
    if op is not None:
        args.append(functor(fc, f"{name}: op", op, [reduction.dtype] * 2, reduction.dtype))
    if valid is not None and getattr(valid, "obj", 0) is not None:
        args.append(cast(fc.scalar(valid, f"{name}: the number of items"), INT32, fc.mode))
    return Value(f"{reduction.c_class(fc.unit)}(*{owner.code}).{name}({', '.join(args)})", reduction.dtype)


_METHODS = {
    "Sum": lambda fc, owner, input, valid_items=None: _result(fc, owner, "Sum", input, None, valid_items),
    "Reduce": lambda fc, owner, input, reduce_op, valid_items=None:
        _result(fc, owner, "Reduce", input, reduce_op, valid_items),
}


class _Class:
    """What [dtype] or [dtype, size] makes a class of."""

    def __init__(self, name, doc, default=None):
        self.__name__, self.__doc__, self._default = name, doc, default

    def __getitem__(self, key):
        key = key if isinstance(key, tuple) else (key,)
        form = "[dtype, threads]" + ("" if self._default is None else f" or {self.__name__}[dtype]")
        if not 1 <= len(key) <= 2 or len(key) == 1 and self._default is None:
            raise TypeError(f"cub.{self.__name__} is used as {self.__name__}{form}")
        most = self._default or 1024
        threads = operator.index(key[1]) if len(key) == 2 else most
        if not 1 <= threads <= most:
            raise ValueError(f"cub.{self.__name__}: the number of threads must be 1 to {most}, not {threads}")
        return _Reduction(self.__name__, canonical(key[0]), (threads,))

    def __repr__(self):
        return f"<tombacx.jit.cub.{self.__name__}>"


WarpReduce = _Class("WarpReduce", """WarpReduce[dtype], WarpReduce[dtype, threads]: reductions by the threads of a warp.

    With fewer threads than 32, each group of that many neighbours in a warp makes a result of its own. All threads of
    the group take part.

    ``WarpReduce[dtype].TempStorage`` is a dtype for ``jit.shared_memory``; ``WarpReduce[dtype](storage[i])`` has the
    methods ``Sum(input)`` and ``Reduce(input, op)``, with ``valid_items`` behind them: of how many threads the numbers
    count. The group's first thread gets the result, the others something else. op: Sum, Max, Min or a Python function
    of two numbers, which must be associative.""", 32)
BlockReduce = _Class("BlockReduce", """BlockReduce[dtype, threads]: reductions by the threads of a block, of which there
    are as many as that.

    All threads of the block take part. Storage may be used again after ``jit.syncthreads()``. Else as WarpReduce; the
    block's first thread gets the result.""")
