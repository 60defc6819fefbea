"""Which module an array belongs to, what the library found, and the default memory pools."""

from tombac import _core
from tombac._numpy import np

__all__ = [
    "get_array_module", "get_default_memory_pool", "get_default_pinned_memory_pool", "is_available", "shares_memory",
    "show_config",
]


def get_array_module(*args):
    """tombac if one of the arguments is a tombac array (or a sparse matrix of tombacx), else numpy.

    Args:
        args: Objects of any kind.

    Returns:
        A module: tombac or numpy.

    >>> xp = tombac.get_array_module(tombac.arange(3))
    >>> xp.__name__
    'tombac'
    """
    for a in args:
        if isinstance(a, _core.ndarray) or type(a).__module__.partition(".")[0] == "tombacx":
            import tombac

            return tombac
    import numpy

    return numpy


def is_available():
    """Whether there is a device to compute on; true on the CPU backend as well.

    Returns:
        A bool.

    >>> tombac.is_available()
    True
    """
    from tombac import cuda

    return cuda.is_available()


def get_default_memory_pool():
    """The memory pool of the current device.

    Returns:
        A tombac.cuda.MemoryPool.

    >>> pool = tombac.get_default_memory_pool()
    >>> pool.free_all_blocks()
    """
    from tombac.cuda import memory

    return memory.default_pool


def get_default_pinned_memory_pool():
    """The pool of host memory for transfers.

    Returns:
        A tombac.cuda.PinnedMemoryPool.

    >>> tombac.get_default_pinned_memory_pool().free_all_blocks()
    """
    from tombac.cuda import pinned_memory

    return pinned_memory.default_pool


class _Layout:
    """An array's place and strides as NumPy sees them: it compares addresses, and reads none."""

    def __init__(self, a):
        self.__array_interface__ = {"version": 3, "typestr": f"|V{a.itemsize}", "shape": a.shape,
                                    "strides": a.strides, "data": (a.data.ptr, False)}


def shares_memory(a, b, max_work=None):
    """Whether two arrays have a byte of memory in common; unlike may_share_memory, which compares where the arrays
    begin and end, this tells interleaved arrays apart.

    Args:
        a, b: Arrays of any dtype and shape.
        max_work: How hard to try, as in numpy.shares_memory; by default until the answer is known.

    Returns:
        A bool.

    Raises:
        numpy.exceptions.TooHardError: ``max_work`` does not suffice.

    >>> import tombac as tb
    >>> x = tb.arange(6)
    >>> tb.shares_memory(x[::2], x[1::2]), tb.may_share_memory(x[::2], x[1::2])
    (False, True)
    """
    if not _core.may_share_memory(a, b):
        return False
    return np.shares_memory(*(np.asarray(_Layout(x)) for x in (a, b)), max_work=max_work)


def show_config(*, _full=False):
    """Prints the versions in use, the backend, and which driver and libraries were found where.

    Returns:
        None.

    >>> tombac.show_config()
    Python ...
    """
    import platform
    import sys

    rows = [("Python", platform.python_version()), ("NumPy", np.__version__)]
    scipy = sys.modules.get("scipy")
    if scipy is None:
        from importlib.metadata import PackageNotFoundError, version

        try:
            rows.append(("SciPy", version("scipy")))
        except PackageNotFoundError:
            rows.append(("SciPy", "not installed"))
    else:
        rows.append(("SciPy", scipy.__version__))
    rows.append(("Platform", platform.platform()))
    for name, value in rows:
        print(f"{name:<28}: {value}")
    print(_core.config_text().rstrip())
