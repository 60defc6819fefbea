"""Functions whose results are complex where the arguments are outside of what has real ones; ``tombac.emath``.

Whether an array has such elements decides the dtype, so the host waits for the answer.
"""

from tombac import _core
from tombac._numpy import np
from tombac._util import as_device

__all__ = ["arccos", "arcsin", "arctanh", "log", "log10", "log2", "logn", "power", "sqrt"]

_SINGLE = "fbhBH"  # of these dtypes the complex results are complex64


def _complex_if(x, outside):
    """``x``, complex if it has an element for which ``outside`` is true."""
    if not x.size or not bool(outside(x).any()):
        return x
    return x.astype(np.complex64 if x.dtype.char in _SINGLE else np.complex128)


def _with_negative(name, x):
    x = as_device(name, x)
    return _complex_if(x, lambda r: r < 0) if x._kind in "if" else x


def _with_large(name, x):
    x = as_device(name, x)
    return _complex_if(x, lambda r: abs(r) > 1) if x._kind in "iuf" else x


def sqrt(x):
    """The square roots, complex if an element is negative.

    Args:
        x: An array of any numeric dtype and shape, or a number.

    Returns:
        An array of ``x``'s shape.

    Raises:
        TypeError: ``x`` is neither a tombac array nor a number.

    >>> tombac.emath.sqrt(tombac.array([1.0, -4.0]))
    array([1.+0.j, 0.+2.j])
    """
    return _core.sqrt(_with_negative("sqrt", x))


def log(x):
    """The natural logarithms, complex if an element is negative.

    Args:
        x: An array of any numeric dtype and shape, or a number.

    Returns:
        An array of ``x``'s shape.

    Raises:
        TypeError: ``x`` is neither a tombac array nor a number.

    >>> tombac.emath.log(tombac.array([1.0, -1.0]))
    array([0.+0.j        , 0.+3.14159265j])
    """
    return _core.log(_with_negative("log", x))


def log2(x):
    """The logarithms to base 2, complex if an element is negative.

    Args:
        x: An array of any numeric dtype and shape, or a number.

    Returns:
        An array of ``x``'s shape.

    Raises:
        TypeError: ``x`` is neither a tombac array nor a number.

    >>> tombac.emath.log2(tombac.array([2.0, -4.0]))
    array([1.+0.j        , 2.+4.53236014j])
    """
    return _core.log2(_with_negative("log2", x))


def log10(x):
    """The logarithms to base 10, complex if an element is negative.

    Args:
        x: An array of any numeric dtype and shape, or a number.

    Returns:
        An array of ``x``'s shape.

    Raises:
        TypeError: ``x`` is neither a tombac array nor a number.

    >>> tombac.emath.log10(tombac.array([10.0, -100.0]))
    array([1.+0.j        , 2.+1.36437635j])
    """
    return _core.log10(_with_negative("log10", x))


def logn(n, x):
    """The logarithms of ``x`` to base ``n``, complex if an element of either is negative.

    Args:
        n: An array of any numeric dtype and shape, or a number: the base.
        x: Another one, which broadcasts with it.

    Returns:
        An array of the shape that both are broadcast to.

    Raises:
        TypeError: ``n`` or ``x`` is neither a tombac array nor a number.

    >>> tombac.emath.logn(2, tombac.array([4.0, 8.0]))
    array([2., 3.])
    """
    return _core.log(_with_negative("logn", x)) / _core.log(_with_negative("logn", n))


def power(x, p):
    """``x`` to the power of ``p``: complex if an element of ``x`` is negative, and floats if one of ``p`` is.

    Args:
        x: An array of any numeric dtype and shape, or a number.
        p: Another one, which broadcasts with it.

    Returns:
        An array of the shape that both are broadcast to.

    Raises:
        TypeError: ``x`` or ``p`` is neither a tombac array nor a number.

    >>> tombac.emath.power(tombac.array([2, 4]), -2)
    array([0.25  , 0.0625])
    """
    p = as_device("power", p)
    return _core.power(_with_negative("power", x), p * 1.0 if p._kind == "i" and bool((p < 0).any()) else p)


def arccos(x):
    """The inverse cosines, complex if an element is beyond 1 or -1.

    Args:
        x: An array of any numeric dtype and shape, or a number.

    Returns:
        An array of ``x``'s shape.

    Raises:
        TypeError: ``x`` is neither a tombac array nor a number.

    >>> tombac.emath.arccos(tombac.array([1.0, 2.0]))
    array([0.-0.j       , 0.-1.3169579j])
    """
    return _core.arccos(_with_large("arccos", x))


def arcsin(x):
    """The inverse sines, complex if an element is beyond 1 or -1.

    Args:
        x: An array of any numeric dtype and shape, or a number.

    Returns:
        An array of ``x``'s shape.

    Raises:
        TypeError: ``x`` is neither a tombac array nor a number.

    >>> tombac.emath.arcsin(tombac.array([0.0, 2.0]))
    array([0.        +0.j       , 1.57079633+1.3169579j])
    """
    return _core.arcsin(_with_large("arcsin", x))


def arctanh(x):
    """The inverse hyperbolic tangents, complex if an element is beyond 1 or -1.

    Args:
        x: An array of any numeric dtype and shape, or a number.

    Returns:
        An array of ``x``'s shape.

    Raises:
        TypeError: ``x`` is neither a tombac array nor a number.

    >>> tombac.emath.arctanh(tombac.array([0.0, 2.0]))
    array([0.        +0.j        , 0.54930614+1.57079633j])
    """
    return _core.arctanh(_with_large("arctanh", x))
