"""convolve and correlate: sums of products of a vector's windows with another vector."""

from tombac import _core
from tombac._util import as_device

__all__ = ["convolve", "correlate"]

_MODES = {"full": 0, "same": 1, "valid": 2}


def _mode(name, mode):
    try:
        return _MODES[mode]
    except (KeyError, TypeError):
        raise ValueError(f"{name}: mode must be 'full', 'same' or 'valid', not {mode!r}") from None


def convolve(a, v, mode="full"):
    """The convolution of two vectors: result[k] is the sum of a[i] * v[k - i].

    Args:
        a: A vector or a number.
        v: Another one.
        mode: 'full' gives all max(n) + min(n) - 1 places where the vectors overlap, 'same' max(n) of them from the
            middle, 'valid' the max(n) - min(n) + 1 where the shorter one lies within the longer one.

    Returns:
        A vector of the dtype that the vectors' dtypes are promoted to; integers are exact.

    Raises:
        TypeError: A vector is neither a tombac array nor a number.
        ValueError: A vector has more dimensions or no element, or the mode is another one.

    The work grows with the product of the lengths.

    >>> import tombac as tb
    >>> tb.convolve(tb.array([1, 2, 3]), tb.array([0, 1]))
    array([0, 1, 2, 3])
    """
    return _core._convolve(as_device("convolve", a), as_device("convolve", v), _mode("convolve", mode))


def correlate(a, v, mode="valid"):
    """The cross-correlation of two vectors: result[k] is the sum of a[i + k] * conj(v[i]).

    Args:
        a: A vector.
        v: Another one.
        mode: 'valid' gives the places where the shorter vector lies within the longer one, 'same' as many as the
            longer one has elements, 'full' all where they overlap.

    Returns:
        A vector of the dtype that the vectors' dtypes are promoted to; integers are exact.

    Raises:
        TypeError: A vector is no tombac array.
        ValueError: A vector has not one dimension or no element, or the mode is another one.

    >>> import tombac as tb
    >>> tb.correlate(tb.array([1, 2, 3]), tb.array([0, 1]))
    array([2, 3])
    """
    return _core._correlate(as_device("correlate", a), as_device("correlate", v), _mode("correlate", mode))
