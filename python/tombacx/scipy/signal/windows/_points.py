"""What every window is made by: its points, and the descriptions of its arguments."""

from tombac import _core
from tombac._core import arange
from tombac._docstrings import with_rows

documented = with_rows(
    M="M: How many points it has.",
    sym="""sym: True makes it symmetric, for the design of filters; False makes it one period of a window that is one
            point longer, for spectra.""",
    returns="An array of float64 and shape (M,), whose largest value is 1 where a point is in the middle.",
    refusals="ValueError: ``M`` is negative or no whole number.",
)


def window(name, M, sym, values):
    """``values(t, M)`` of the points t = 1-M, 3-M, ..., M-1: by those a symmetric window is exactly symmetric."""
    if int(M) != M or M < 0:
        raise ValueError(f"{name}: M must be a whole number and not negative, not {M}")
    M = int(M)
    if M < 2:
        return _core.ones(M)
    points = M if sym else M + 1
    t = arange(1 - points, points, 2, float)
    return values(t if sym else t[:M], points)
