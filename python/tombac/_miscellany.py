"""What programs ask of memory, names and functions: byte_bounds, who, memoize, aligned dtypes, capsules of DLPack."""

import functools
import math
import sys
import warnings

from tombac import _core
from tombac._numpy import np
from tombac._util import check_arrays

__all__ = ["byte_bounds", "clear_memo", "fromDlpack", "make_aligned_dtype", "memoize", "who"]


def byte_bounds(a):
    """The addresses at which an array's memory begins and ends: of its first byte, and of the one behind its last.

    >>> import tombac as tb
    >>> low, high = tb.byte_bounds(tb.ones((2, 3)))
    >>> high - low
    48
    """
    check_arrays("byte_bounds", a)
    low = high = a.data.ptr
    if not a.size:
        return low, high
    low += sum((n - 1) * s for n, s in zip(a.shape, a.strides) if s < 0)
    high += sum((n - 1) * s for n, s in zip(a.shape, a.strides) if s > 0)
    return low, high + a.itemsize


def who(vardict=None):
    """Prints name, shape, bytes and dtype of the arrays in a dict, by default in the caller's global variables.

    Another name for the same memory is listed after the first one, with no bytes.

    >>> import tombac as tb
    >>> tb.who({'x': tb.ones((2, 3), 'f')})
    Name            Shape            Bytes            Type
    ===========================================================
    <BLANKLINE>
    x               2 x 3            24               float32
    <BLANKLINE>
    Upper bound on total bytes  =       24
    """
    if vardict is None:
        vardict = sys._getframe(1).f_globals
    rows, seen, total = [], {}, 0
    for name, a in vardict.items():
        if not isinstance(a, _core.ndarray):
            continue
        first = seen.setdefault(a.data.ptr, name)
        size = a.nbytes if first == name else 0
        total += size
        rows.append((name if first == name else f"{name} ({first})", " x ".join(map(str, a.shape)), str(size),
                     str(a.dtype)))
    if rows:
        spaces = (6, 7, 7)
        widths = [max(10, *(len(row[i]) for row in rows)) + spaces[i] for i in range(3)] + [0]
        head = "".join(word.ljust(n) for word, n in zip(("Name", "Shape", "Bytes", "Type"), widths))
        print(head + "\n" + "=" * (len(head) + 5) + "\n")
        for row in rows:
            print("".join(word.ljust(n) for word, n in zip(row, widths)))
    print(f"\nUpper bound on total bytes  =       {total}")


# ---- results that are kept -------------------------------------------------------------------------------------------

_memos = []


def memoize(for_each_device=False):
    """Decorator for functions whose results are kept by arguments, and by the current device if ``for_each_device``.

    The arguments must be hashable. clear_memo() forgets all results of all functions.

    >>> import tombac as tb
    >>> @tb.memoize()
    ... def square(n):
    ...     print('computed')
    ...     return n * n
    >>> square(3), square(3)
    computed
    (9, 9)
    """
    def decorator(function):
        memo = {}
        _memos.append(memo)

        @functools.wraps(function)
        def remembered(*args, **kwargs):
            key = (_core.Device().id if for_each_device else -1, args, frozenset(kwargs.items()))
            try:
                return memo[key]
            except KeyError:
                result = memo[key] = function(*args, **kwargs)
                return result

        return remembered

    return decorator


def clear_memo():
    """Forgets the results that functions decorated with memoize have kept."""
    for memo in _memos:
        memo.clear()


# ---- dtypes ----------------------------------------------------------------------------------------------------------

_ALIGNMENT = "__cuda_alignment__"


def _alignment(t):
    """What a type is aligned to in kernels: complex numbers to their size, structures to what they were made for."""
    if t.subdtype is not None:
        return _alignment(t.base)
    if t.names is None:
        return t.itemsize if t.kind == "c" else t.alignment
    asked = (t.metadata or {}).get(_ALIGNMENT, 1)
    return max([asked, t.alignment] + [_alignment(t.fields[name][0]) for name in t.names])


def make_aligned_dtype(dtype, *, alignment=-1, recurse=True):
    """A structured dtype with every field where kernels on a GPU need it.

    Args:
        dtype: A dtype, or what NumPy takes for one.
        alignment: The alignment of the whole, a power of two; by default the largest one of a field. A larger one is
            kept in the dtype's metadata.
        recurse: Lay out structures within it as well; if false they are taken as they are.

    Returns:
        The structured dtype, whose size is a multiple of its alignment; a dtype without fields as it is.

    Raises:
        ValueError: ``alignment`` is no power of two, or smaller than a field needs.

    >>> import tombac as tb
    >>> tb.make_aligned_dtype([('a', 'b'), ('z', 'F')]).itemsize
    16
    """
    t = np.dtype(dtype)
    if alignment != -1 and (alignment < 1 or alignment & (alignment - 1)):
        raise ValueError(f"make_aligned_dtype: alignment must be a power of two, it is {alignment}")
    if t.subdtype is not None:
        return np.dtype((make_aligned_dtype(t.base, alignment=alignment, recurse=recurse), t.shape))
    if t.names is None:
        if alignment > _alignment(t):
            raise ValueError(f"make_aligned_dtype: {t} has no fields, its alignment is {_alignment(t)}")
        return t
    formats, titles, offsets, end, least = [], [], [], 0, 1
    for name in t.names:
        field, _, *title = t.fields[name]
        if recurse and field.base.names is not None:
            asked = (field.base.metadata or {}).get(_ALIGNMENT, -1)
            field = make_aligned_dtype(field, alignment=asked)
        n = _alignment(field)
        offsets.append(-(-end // n) * n)
        end, least = offsets[-1] + field.itemsize, max(least, n)
        formats.append(field)
        titles.append(title[0] if title else None)
    if alignment != -1 and alignment < least:
        raise ValueError(f"make_aligned_dtype: alignment {alignment} is smaller than {least}, which a field needs")
    whole = max(alignment, least)
    layout = {"names": t.names, "formats": formats, "offsets": offsets, "itemsize": math.ceil(end / whole) * whole}
    if any(titles):
        layout["titles"] = titles
    made = np.dtype(layout, align=True)
    return made if whole <= made.alignment else np.dtype(layout, align=True, metadata={_ALIGNMENT: whole})


# ---- DLPack ----------------------------------------------------------------------------------------------------------


def fromDlpack(dltensor):
    """The array of a DLPack capsule, without a copy; from_dlpack, which takes any object with DLPack's methods, is what
    new programs use, and a VisibleDeprecationWarning says so.

    >>> import tombac as tb
    >>> tb.fromDlpack(tb.arange(3).toDlpack())
    array([0, 1, 2])
    """
    warnings.warn("fromDlpack is deprecated; use from_dlpack", np.exceptions.VisibleDeprecationWarning, stacklevel=2)
    return _core.from_dlpack(dltensor)
