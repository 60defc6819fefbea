"""Updates at indices that may repeat, in place."""

from tombac import _core


def scatter_add(a, slices, value):
    """a[slices] += value in place, where an index that is repeated counts every time.

    Args:
        a: An array of any dtype of numbers and any shape, to write to.
        slices: An index, as in ``a[slices]``.
        value: An array that broadcasts to the shape of ``a[slices]``, or a number.

    Returns:
        None.

    Raises:
        IndexError: An index is out of bounds, where the host knows it.
        TypeError: ``a`` is no tombac array.

    >>> x = tombac.zeros(3)
    >>> tombacx.scatter_add(x, tombac.array([0, 0, 2]), 1.5)
    >>> x
    array([3. , 0. , 1.5])
    """
    _core.add.at(a, slices, value)


def scatter_max(a, slices, value):
    """a[slices] = maximum(a[slices], value) in place, where an index that is repeated counts every time.

    Args:
        a: An array of any dtype of numbers and any shape, to write to.
        slices: An index, as in ``a[slices]``.
        value: An array that broadcasts to the shape of ``a[slices]``, or a number.

    Returns:
        None.

    Raises:
        IndexError: An index is out of bounds, where the host knows it.
        TypeError: ``a`` is no tombac array.

    >>> x = tombac.zeros(3)
    >>> tombacx.scatter_max(x, tombac.array([0, 0, 2]), tombac.array([4.0, 7.0, -1.0]))
    >>> x
    array([7., 0., 0.])
    """
    _core.maximum.at(a, slices, value)


def scatter_min(a, slices, value):
    """a[slices] = minimum(a[slices], value) in place, where an index that is repeated counts every time.

    Args:
        a: An array of any dtype of numbers and any shape, to write to.
        slices: An index, as in ``a[slices]``.
        value: An array that broadcasts to the shape of ``a[slices]``, or a number.

    Returns:
        None.

    Raises:
        IndexError: An index is out of bounds, where the host knows it.
        TypeError: ``a`` is no tombac array.

    >>> x = tombac.zeros(3)
    >>> tombacx.scatter_min(x, tombac.array([0, 0, 2]), tombac.array([-4.0, -7.0, 1.0]))
    >>> x
    array([-7.,  0.,  0.])
    """
    _core.minimum.at(a, slices, value)
