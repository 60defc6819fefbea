"""explain: what is pending on an array, and the kernel it would become."""

from html import escape

from tombac import _core


class Explanation:
    """Text as repr and str, a picture in a notebook, and the kernel's source as ``source``."""

    def __init__(self, array):
        self.text = _core.explain(array, "t")
        self._svg = _core.explain(array, "s")
        self._array = array

    @property
    def source(self):
        """The CUDA source of the kernel; NotImplementedError on the CPU backend, which needs none."""
        return _core.explain(self._array, "c")

    @property
    def svg(self):
        """The graph as an SVG document."""
        return self._svg

    def __repr__(self):
        return self.text

    def _repr_svg_(self):
        return self._svg

    def _repr_html_(self):
        return f"<div>{self._svg}<pre>{escape(self.text)}</pre></div>"


def explain(x):
    """What is pending on ``x`` and what would become one kernel. Does not evaluate ``x``.

    Args:
        x: An array of any dtype and shape.

    Returns:
        An Explanation: text, a picture in a notebook, and ``source``, the kernel's.

    Raises:
        TypeError: ``x`` is no tombac array.

    >>> with tombac.config.fusion('all'):
    ...     print(tombac.explain(tombac.exp(tombac.arange(3.0)) + 1))
    elementwise kernel over (3)
    ...
    """
    if not isinstance(x, _core.ndarray):
        raise TypeError(f"explain: a tombac.ndarray is expected, not {type(x)}")
    return Explanation(x)
