"""What goes beyond NumPy's interface: scatter operations, host memory for transfers, profiling, error state."""

import importlib as _importlib

from tombac import __version__, _core
from tombac._core import DeviceSynchronized
from tombacx._errors import allow_synchronize, errstate, geterr, seterr
from tombacx._pinned import empty_like_pinned, empty_pinned, zeros_like_pinned, zeros_pinned
from tombacx._scatter import scatter_add, scatter_max, scatter_min

__all__ = [
    "DeviceSynchronized", "GeneralizedUFunc", "allow_synchronize", "empty_like_pinned", "empty_pinned", "errstate",
    "get_runtime_info", "geterr", "profiler", "rsqrt", "scatter_add", "scatter_max", "scatter_min", "seterr",
    "zeros_like_pinned", "zeros_pinned",
]

_MODULES = {
    "cusolver", "cusparse", "cutensor", "jit", "lapack", "linalg", "optimizing", "profiler", "scipy", "signal", "time",
    "tools",
}


def rsqrt(x, out=None):
    """One divided by the square root, element by element; fused into one kernel like any expression.

    Args:
        x: An array of any dtype and shape, or a number.
        out: An array of ``x``'s shape to write to.

    Returns:
        An array.

    Raises:
        TypeError: ``x`` is neither a tombac array nor a number.

    >>> tombacx.rsqrt(tombac.array([4.0, 16.0]))
    array([0.5 , 0.25])
    """
    root = _core.sqrt(x)
    return _core.reciprocal(root) if out is None else _core.reciprocal(root, out)


def get_runtime_info(*, full=True):
    """The text that tombac.show_config prints.

    Args:
        full: Accepted for CuPy's sake.

    Returns:
        A str.

    >>> print(tombacx.get_runtime_info())
    Python ...
    """
    import contextlib
    import io

    import tombac

    text = io.StringIO()
    with contextlib.redirect_stdout(text):
        tombac.show_config()
    return text.getvalue()


def __getattr__(name):
    if name in _MODULES:
        return _importlib.import_module("tombacx." + name)
    if name == "GeneralizedUFunc":
        from tombacx._gufunc import GeneralizedUFunc

        return GeneralizedUFunc
    from tombac._absent import no_attribute

    raise no_attribute(__name__, name)
