"""packbits and unpackbits: eight bools to a byte and back, eight bytes at a time as one 64-bit number."""

import sys

from tombac import _core
from tombac._numpy import np
from tombac._util import check_arrays, normalize_axis_index

__all__ = ["packbits", "unpackbits"]

# Bytes of 0 or 1, the first of them lowest, times such a number have their bits side by side in its highest byte.
_GATHER = {"big": 0x8040201008040201, "little": 0x0102040810204080}
# A byte repeated eight times, and these bits of it: the i-th byte has its i-th bit.
_SPREAD = {"big": 0x0102040810204080, "little": 0x8040201008040201}
_EACH = 0x0101010101010101


def _order(name, bitorder):
    if bitorder not in ("big", "little"):
        raise ValueError(f"{name}: bitorder must be 'big' or 'little', not {bitorder!r}")
    # On a machine that has the highest byte first, the first byte of eight is the highest one.
    return bitorder if sys.byteorder == "little" else {"big": "little", "little": "big"}[bitorder]


def _lines(a, axis):
    """``a`` with ``axis`` last, C-contiguous."""
    if axis == a.ndim - 1:
        return a if a.flags.c_contiguous else _core.ascontiguousarray(a)
    order = [d for d in range(a.ndim) if d != axis] + [axis]
    return _core.ascontiguousarray(a.transpose(order))


def _back(lines, axis):
    return lines if axis == lines.ndim - 1 else _core.ascontiguousarray(lines.swapaxes(axis, -1)) \
        if lines.ndim == 2 else _core.ascontiguousarray(lines.transpose(
            [*range(axis), lines.ndim - 1, *range(axis, lines.ndim - 1)]))


def _words(lines):
    """Bytes in eights as 64-bit numbers."""
    try:
        return lines.view(np.uint64)
    except ValueError:  # a view, or another library's memory, that begins between two such numbers
        return lines.copy().view(np.uint64)


def packbits(a, axis=None, bitorder="big"):
    """Elements that are not zero as the bits of bytes.

    Args:
        a: An array of bools or integers.
        axis: The axis along which eight elements become a byte; by default the array is flattened.
        bitorder: 'big' has the first of eight elements in the highest bit, 'little' in the lowest.

    Returns:
        A uint8 array, n elements along the axis have become ceil(n / 8); missing ones are zero bits.

    Raises:
        TypeError: ``a`` is no tombac array, or neither of bools nor of integers.
        ValueError: ``bitorder`` is another one.

    >>> import tombac as tb
    >>> tb.packbits(tb.array([1, 0, 0, 0, 0, 0, 1, 1, 1]))
    array([131, 128], dtype=uint8)
    """
    check_arrays("packbits", a)
    factor = _GATHER[_order("packbits", bitorder)]
    if a._kind not in "biu":
        raise TypeError(f"packbits: an array of bools or integers is expected, not of {a.dtype}")
    if axis is None or a.ndim == 0:
        if axis is not None:
            normalize_axis_index(axis, 1)
        a, axis = a.reshape(-1), 0
    axis = normalize_axis_index(axis, a.ndim)
    n = a.shape[axis]
    bits = a if a._kind == "b" else a != 0
    if n % 8:
        wide = _core.zeros(a.shape[:axis] + (-(-n // 8) * 8,) + a.shape[axis + 1 :], bool)
        wide[(slice(None),) * axis + (slice(0, n),)] = bits
        bits = wide
    words = _words(_lines(bits, axis))
    return _back(((words * np.uint64(factor)) >> np.uint64(56)).astype(np.uint8), axis)


def unpackbits(a, axis=None, bitorder="big", *, count=None):
    """The bits of bytes as elements 0 and 1.

    Args:
        a: A uint8 array.
        axis: The axis along which a byte becomes eight elements; by default the array is flattened.
        bitorder: 'big' gives the highest bit first, 'little' the lowest.
        count: How many elements to give along the axis: zeros follow where there are fewer, and if it is negative so
            many are left out at the end.

    Returns:
        A uint8 array, eight times as long along the axis.

    Raises:
        TypeError: ``a`` is no tombac array, or not of uint8.
        ValueError: ``bitorder`` is another one, or ``-count`` more than there is.

    >>> import tombac as tb
    >>> tb.unpackbits(tb.array([131], 'uint8'))
    array([1, 0, 0, 0, 0, 0, 1, 1], dtype=uint8)
    """
    check_arrays("unpackbits", a)
    mask = _SPREAD[_order("unpackbits", bitorder)]
    if a.dtype != np.uint8:
        raise TypeError(f"unpackbits: an array of uint8 is expected, not of {a.dtype}")
    if axis is None or a.ndim == 0:
        if axis is not None:
            normalize_axis_index(axis, 1)
        a, axis = a.reshape(-1), 0
    axis = normalize_axis_index(axis, a.ndim)
    each, mask, carry, seven = (np.uint64(x) for x in (_EACH, mask, 0x7F * _EACH, 7))
    chosen = (_lines(a, axis).astype(np.uint64) * each) & mask  # a byte is 0 or one bit: with 0x7f added, its top says
    bits = _back((((chosen + carry) >> seven) & each).view(np.uint8), axis)
    if count is None:
        return bits
    n, before = bits.shape[axis], (slice(None),) * axis
    wanted = n + count if count < 0 else count
    if wanted < 0:
        raise ValueError(f"unpackbits: -count is {-count}, larger than the {n} elements there are")
    if wanted <= n:
        return _core.ascontiguousarray(bits[before + (slice(0, wanted),)])
    result = _core.zeros(bits.shape[:axis] + (wanted,) + bits.shape[axis + 1 :], np.uint8)
    result[before + (slice(0, n),)] = bits
    return result
