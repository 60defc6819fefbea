"""What NumPy 2 has no more, or keeps elsewhere, and CuPy still has: names of scalar types, and functions of which CuPy
too says that they are gone."""

from tombac import _core
from tombac._numpy import np

__all__ = [
    "DataSource", "disp", "find_common_type", "format_parser", "get_array_wrap", "issctype", "issubclass_",
    "issubsctype", "obj2sctype", "safe_eval", "sctype2char", "set_string_function",
]


def __getattr__(name):
    if name == "DataSource":
        value = np.lib.npyio.DataSource
    elif name == "format_parser":
        value = np.rec.format_parser
    else:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}", name=name)
    globals()[name] = value
    return value


def issubclass_(arg1, arg2):
    """issubclass, but false where ``arg1`` is no class.

    Args:
        arg1: A class, or an object of any kind.
        arg2: A class or a tuple of them.

    Returns:
        A bool.

    >>> import tombac as tb
    >>> tb.issubclass_(tb.int32, int), tb.issubclass_(1, int)
    (False, False)
    """
    try:
        return issubclass(arg1, arg2)
    except TypeError:
        return False


def obj2sctype(rep, default=None):
    """The scalar type of a dtype, an array, or what NumPy takes for a dtype; ``default`` for anything else.

    Args:
        rep: An object of any kind.
        default: What is returned for one that has no scalar type.

    Returns:
        A type, or ``default``.

    >>> import tombac as tb
    >>> tb.obj2sctype(tb.arange(2.0))
    <class 'numpy.float64'>
    """
    if issubclass_(rep, np.generic):
        return rep
    if isinstance(rep, (_core.ndarray, np.ndarray)):
        return rep.dtype.type
    try:
        return np.dtype(rep).type
    except Exception:  # noqa: BLE001 what a dtype is made of may raise anything
        return default


def issctype(rep):
    """Whether ``rep`` is a scalar type or a dtype, other than of objects.

    Args:
        rep: An object of any kind.

    Returns:
        A bool.

    >>> import tombac as tb
    >>> tb.issctype(tb.int32), tb.issctype(list), tb.issctype(1.1)
    (True, False, False)
    """
    return isinstance(rep, (type, np.dtype)) and obj2sctype(rep) not in (None, np.object_)


def issubsctype(arg1, arg2):
    """Whether the scalar type of the first argument is a subclass of the second's.

    Args:
        arg1, arg2: Scalar types, dtypes, arrays, or what NumPy takes for a dtype.

    Returns:
        A bool.

    Raises:
        TypeError: An argument has no scalar type.

    >>> import tombac as tb
    >>> tb.issubsctype('int8', tb.integer)
    True
    """
    return issubclass(obj2sctype(arg1), obj2sctype(arg2))


def sctype2char(sctype):
    """The character of a scalar type, or of what has one.

    Args:
        sctype: A scalar type, a dtype, an array, or what NumPy takes for a dtype.

    Returns:
        A str of one character.

    Raises:
        ValueError: ``sctype`` has no scalar type.

    >>> import tombac as tb
    >>> tb.sctype2char(tb.float32)
    'f'
    """
    t = obj2sctype(sctype)
    if t is None:
        raise ValueError(f"sctype2char: {sctype!r} has no scalar type")
    return np.dtype(t).char


def _gone(name, instead):
    def function(*args, **kwds):
        raise RuntimeError(f"{name} was removed from NumPy 2; {instead}")

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"RuntimeError: NumPy 2 has no {name}; {instead}."
    return function


find_common_type = _gone("find_common_type", "use promote_types or result_type")
set_string_function = _gone("set_string_function", "use set_printoptions")
get_array_wrap = _gone("get_array_wrap", "there is nothing in its place")
disp = _gone("disp", "use print")
safe_eval = _gone("safe_eval", "use ast.literal_eval")
