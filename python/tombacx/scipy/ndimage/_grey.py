"""Morphology of numbers: least and greatest elements of windows, one after the other and their differences."""

from tombac import _core
from tombac._numpy import np
from tombac._util import check_arrays
from tombacx.scipy.ndimage import _support
from tombacx.scipy.ndimage._ranks import extreme
from tombacx.scipy.ndimage._support import documented as _documented

__all__ = [
    "black_tophat", "grey_closing", "grey_dilation", "grey_erosion", "grey_opening", "morphological_gradient",
    "morphological_laplace", "white_tophat",
]


def _check_window(name, size, footprint, structure):
    if size is None and footprint is None and structure is None:
        raise ValueError(f"{name}: size, footprint or structure must be given")


@_documented
def grey_erosion(input, size=None, footprint=None, structure=None, output=None, mode="reflect", cval=0.0,
                 origin=0, *, axes=None):
    """The least elements of windows, less the structure.

    Args:
        {input}
        {size}
        {footprint}
        {structure}
        {output}
        {modes}
        {cval}
        {origin}
        {axes}

    Returns:
        {returns}

    Raises:
        {refusals}

    >>> x = tombac.array([2, 8, 0, 4, 1, 9, 9, 0])
    >>> tombacx.scipy.ndimage.grey_erosion(x, 3)
    array([2, 0, 0, 0, 1, 1, 0, 0])
    """
    _check_window("grey_erosion", size, footprint, structure)
    return extreme("grey_erosion", input, size, footprint, structure, output, mode, cval, origin, axes, True)


@_documented
def grey_dilation(input, size=None, footprint=None, structure=None, output=None, mode="reflect", cval=0.0,
                  origin=0, *, axes=None):
    """The greatest elements of windows from behind, with the structure added.

    Args:
        {input}
        {size}
        {footprint}
        {structure}
        {output}
        {modes}
        {cval}
        {origin}
        {axes}

    Returns:
        {returns}

    Raises:
        {refusals}

    >>> x = tombac.array([2, 8, 0, 4, 1, 9, 9, 0])
    >>> tombacx.scipy.ndimage.grey_dilation(x, 3)
    array([8, 8, 8, 4, 9, 9, 9, 9])
    """
    name = "grey_dilation"
    _check_window(name, size, footprint, structure)
    check_arrays(name, input)
    n = len(_support.chosen_axes(axes, input.ndim))
    structure = None if structure is None else np.flip(_support.host(structure))
    footprint = None if footprint is None else np.flip(_support.host(footprint))
    window = footprint if footprint is not None else structure
    sizes = window.shape if window is not None else _support.sequence(name, "size", size, n)
    if len(sizes) != n:
        raise RuntimeError(f"{name}: the window has {len(sizes)} dimensions, and {n} axes are filtered")
    origins = tuple([-o - (int(side) + 1) % 2 for o, side in zip(_support.sequence(name, "origin", origin, n), sizes)])
    return extreme(name, input, size, footprint, structure, output, mode, cval, origins, axes, False)


@_documented
def grey_opening(input, size=None, footprint=None, structure=None, output=None, mode="reflect", cval=0.0,
                 origin=0, *, axes=None):
    """Opening: a dilation of the erosion.

    Args:
        {input}
        {size}
        {footprint}
        {structure}
        {output}
        {modes}
        {cval}
        {origin}
        {axes}

    Returns:
        {returns}

    Raises:
        {refusals}

    >>> x = tombac.array([2, 8, 0, 4, 1, 9, 9, 0])
    >>> tombacx.scipy.ndimage.grey_opening(x, 3)
    array([2, 2, 0, 1, 1, 1, 1, 0])
    """
    window = {"size": size, "footprint": footprint, "structure": structure, "mode": mode, "cval": cval,
              "origin": origin, "axes": axes}
    return grey_dilation(grey_erosion(input, **window), output=output, **window)


@_documented
def grey_closing(input, size=None, footprint=None, structure=None, output=None, mode="reflect", cval=0.0,
                 origin=0, *, axes=None):
    """Closing: an erosion of the dilation.

    Args:
        {input}
        {size}
        {footprint}
        {structure}
        {output}
        {modes}
        {cval}
        {origin}
        {axes}

    Returns:
        {returns}

    Raises:
        {refusals}

    >>> x = tombac.array([2, 8, 0, 4, 1, 9, 9, 0])
    >>> tombacx.scipy.ndimage.grey_closing(x, 3)
    array([8, 8, 4, 4, 4, 9, 9, 9])
    """
    window = {"size": size, "footprint": footprint, "structure": structure, "mode": mode, "cval": cval,
              "origin": origin, "axes": axes}
    return grey_erosion(grey_dilation(input, **window), output=output, **window)


@_documented
def morphological_gradient(input, size=None, footprint=None, structure=None, output=None, mode="reflect", cval=0.0,
                           origin=0, *, axes=None):
    """The dilation less the erosion.

    Args:
        {input}
        {size}
        {footprint}
        {structure}
        {output}
        {modes}
        {cval}
        {origin}
        {axes}

    Returns:
        {returns}

    Raises:
        {refusals}

    >>> x = tombac.array([2, 8, 0, 4, 1, 9, 9, 0])
    >>> tombacx.scipy.ndimage.morphological_gradient(x, 3)
    array([6, 8, 8, 4, 8, 8, 9, 9])
    """
    window = {"size": size, "footprint": footprint, "structure": structure, "mode": mode, "cval": cval,
              "origin": origin, "axes": axes}
    output = _array_to_write("morphological_gradient", input, output)
    dilated, eroded = grey_dilation(input, **window), grey_erosion(input, output=output, **window)
    return _core.subtract(dilated, eroded, out=eroded)


@_documented
def morphological_laplace(input, size=None, footprint=None, structure=None, output=None, mode="reflect", cval=0.0,
                          origin=0, *, axes=None):
    """The dilation and the erosion, less twice the array.

    Args:
        {input}
        {size}
        {footprint}
        {structure}
        {output}
        {modes}
        {cval}
        {origin}
        {axes}

    Returns:
        {returns}

    Raises:
        {refusals}

    >>> x = tombac.array([2, 8, 0, 4, 1, 9, 9, 0])
    >>> tombacx.scipy.ndimage.morphological_laplace(x, 3)
    array([ 6, -8,  8, -4,  8, -8, -9,  9])
    """
    window = {"size": size, "footprint": footprint, "structure": structure, "mode": mode, "cval": cval,
              "origin": origin, "axes": axes}
    output = _array_to_write("morphological_laplace", input, output)
    source = input if output is None else input.copy()
    dilated, total = grey_dilation(input, **window), grey_erosion(input, output=output, **window)
    _core.add(dilated, total, out=total)
    _core.subtract(total, source, out=total)
    return _core.subtract(total, source, out=total)


@_documented
def white_tophat(input, size=None, footprint=None, structure=None, output=None, mode="reflect", cval=0.0,
                 origin=0, *, axes=None):
    """The array less its opening: what is lighter than its surroundings and smaller than the window.

    Args:
        {input}
        {size}
        {footprint}
        {structure}
        {output}
        {modes}
        {cval}
        {origin}
        {axes}

    Returns:
        {returns}

    Raises:
        {refusals}

    >>> x = tombac.array([2, 8, 0, 4, 1, 9, 9, 0])
    >>> tombacx.scipy.ndimage.white_tophat(x, 3)
    array([0, 6, 0, 3, 0, 8, 8, 0])
    """
    window = {"size": size, "footprint": footprint, "structure": structure, "mode": mode, "cval": cval,
              "origin": origin, "axes": axes}
    check_arrays("white_tophat", input)
    source = input.copy() if isinstance(output, _core.ndarray) else input
    opened = grey_opening(input, output=output, **window)
    return _difference(source, opened, opened)


@_documented
def black_tophat(input, size=None, footprint=None, structure=None, output=None, mode="reflect", cval=0.0,
                 origin=0, *, axes=None):
    """The closing less the array: what is darker than its surroundings and smaller than the window.

    Args:
        {input}
        {size}
        {footprint}
        {structure}
        {output}
        {modes}
        {cval}
        {origin}
        {axes}

    Returns:
        {returns}

    Raises:
        {refusals}

    >>> x = tombac.array([2, 8, 0, 4, 1, 9, 9, 0])
    >>> tombacx.scipy.ndimage.black_tophat(x, 3)
    array([6, 0, 4, 0, 3, 0, 0, 9])
    """
    window = {"size": size, "footprint": footprint, "structure": structure, "mode": mode, "cval": cval,
              "origin": origin, "axes": axes}
    check_arrays("black_tophat", input)
    source = input.copy() if isinstance(output, _core.ndarray) else input
    closed = grey_closing(input, output=output, **window)
    return _difference(closed, source, closed)


def _difference(a, b, out):
    """``a - b`` in ``out``, whose dtype the filters before have had too, as in SciPy."""
    return (_core.bitwise_xor if a.dtype == b.dtype == bool else _core.subtract)(a, b, out=out)


def _array_to_write(name, input, output):
    """An array that is given, or None: differences of filters have ``input``'s dtype, whatever other is asked for."""
    check_arrays(name, input)
    if not isinstance(output, _core.ndarray):
        return None
    _support.check_output(name, input, output)
    return output
