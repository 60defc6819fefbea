"""Functions of functions: vectorize compiles a Python function of numbers, fuse is there for programs that call it."""

import functools

from tombac import _core
from tombac._numpy import np

__all__ = ["fuse", "vectorize"]


class vectorize(_core.Vectorize):
    """A Python function of numbers as a function of arrays, compiled to one elementwise kernel.

    The function is translated by the compiler of tombacx.jit, with NumPy's types for numbers: see
    tombacx.jit.rawkernel for the language. It is compiled for each combination of argument dtypes, and called with
    arrays and numbers, which broadcast.

    Args:
        pyfunc: The function. It returns a number, or a tuple of them.
        otypes: Dtypes of the results: a string of type characters or a list of dtypes. By default they follow from
            the function.
        doc: The docstring; by default that of the function.
        excluded: Not supported: make a function of the other arguments with a closure.
        cache: Without effect: the function is never called to find out the result's type.
        signature: Not supported.

    Raises:
        NotImplementedError: excluded or signature is given; or, when called, the function uses what the compiler does
            not know. The message shows the line.
        TypeError: When called, for NumPy arrays, or with a function whose types do not fit.

    >>> import tombac as tb
    >>> @tb.vectorize
    ... def collatz(n):
    ...     steps = 0
    ...     while n > 1:
    ...         n = n // 2 if n % 2 == 0 else 3 * n + 1
    ...         steps += 1
    ...     return steps
    >>> collatz(tb.arange(1, 8))
    array([ 0,  1,  7,  2,  5,  8, 16])
    """

    def __new__(cls, pyfunc, otypes=None, doc=None, excluded=None, cache=False, signature=None):
        if not callable(pyfunc):
            raise TypeError(f"vectorize: pyfunc must be a function, not {type(pyfunc)}")
        if excluded:
            raise NotImplementedError("vectorize: excluded is not supported; bind these arguments in a closure")
        if signature is not None:
            raise NotImplementedError("vectorize: signature is not supported; use tombacx.jit.kernel")
        types = None if otypes is None else tuple(map(np.dtype, otypes))
        name = getattr(pyfunc, "__name__", "vectorize")
        self = super().__new__(cls, functools.partial(_kernel, pyfunc, types), name)
        self.pyfunc, self.otypes, self.excluded, self.cache, self.signature = pyfunc, otypes, None, cache, None
        self.__doc__ = pyfunc.__doc__ if doc is None else doc
        self.__name__ = name
        return self

    def jit_device_function(self):
        """The Python function, by which kernels in Python call it."""
        return self.pyfunc

    def __repr__(self):
        return f"<vectorize {self.__name__}>"


def _dtype(spec):
    from tombacx.jit._types import DTYPES

    if spec is None:
        raise TypeError("vectorize: None is no argument for an elementwise function")
    return DTYPES[spec[0]]


def _kernel(func, otypes, specs):
    """The ElementwiseKernel of func for arguments of these types."""
    from tombac import ElementwiseKernel
    from tombacx.jit._interface import elementwise

    name, inputs, outputs, operation, preamble = elementwise(func, [_dtype(s) for s in specs], otypes)
    return ElementwiseKernel(inputs, outputs, operation, name, preamble=preamble, return_tuple=outputs.count(",") > 0)


def fuse(*args, **kwargs):
    """Decorator for functions of arrays. It compiles nothing, because nothing more is needed: elementwise operations
    are deferred and fused into one kernel wherever they occur, in decorated functions or not, together with the
    reductions that follow them. See tombac.explain.

    It is there for programs that were written with it: ``@fuse`` and ``@fuse(kernel_name='...')`` make an object that
    calls the function, with tombac arrays, NumPy arrays or numbers alike; it refuses a mixture of NumPy and tombac
    arrays, and has ``name`` and ``clear_cache()``. The function runs as written: it may return tuples or None, branch
    on values, call anything, and update its arguments in place.

    Args:
        args: The function, where ``fuse`` is used without parentheses.
        kwargs: ``kernel_name``, the name of the object; by default that of the function.

    Returns:
        A decorator, or, of a function, an object that calls it.

    Raises:
        TypeError: When called with both NumPy and tombac arrays.

    >>> import tombac as tb
    >>> @tb.fuse()
    ... def squared_difference(x, y):
    ...     return (x - y) * (x - y)
    >>> squared_difference(tb.arange(3.0), 1.0)
    array([1., 0., 1.])
    """
    def decorator(func=None, kernel_name=kwargs.pop("kernel_name", None)):
        if func is None:
            return functools.partial(decorator, kernel_name=kernel_name)
        name = kernel_name if kernel_name is not None else getattr(func, "__name__", "fused")
        return functools.update_wrapper(_core.Fusion(func, name), func)
    if kwargs or len(args) > 1:
        raise TypeError(f"fuse: only a function and kernel_name= are expected, not {', '.join(kwargs) or args[1:]}")
    return decorator(*args) if args else decorator
