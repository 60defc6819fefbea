"""Where increasing functions pass 0: Newton's steps, kept between points on both sides of the root.

Steps that leave these, or lead nowhere, are replaced by bisection: first of numbers, from near on to what is far, and
then of doubles in their order, which reaches any. All elements are one expression a step, and end at the step at which
the last of them is exact.
"""

import tombac
from tombac._core import where

_MOST = 128  # steps; bisection alone takes at most 64
_NEAR = 8  # steps among numbers of the size of those before


def place_of(x):
    """The place of doubles in their order, from that of 0 on: a whole number."""
    place = abs(x).view("l")
    return where(x < 0, -place, place)


def at_place(place):
    """Its inverse."""
    return tombac.copysign(abs(place).view("d"), place)


def root(towards, start, low, high, given=False):
    """The roots between ``low`` and ``high``, from ``start`` on.

    ``towards(x)`` gives the function's value, a point that is nearer to the root if the function is smooth, and
    whether that is the root but for rounding. A value of NaN counts as above 0 of what is above 0, and as not below.
    ``given`` is where there is nothing to be found.
    """
    x, low, high = start, place_of(low), place_of(high)
    for step in range(_MOST):
        value, better, exact = towards(x)
        place = place_of(x)
        reached = where(x > 0, ~(value < 0), value >= 0)
        low, high = where(reached, low, place), where(reached, place, high)
        if step < _NEAR:
            span = (abs(x) + 1) * 4.0**step
            middle = place_of((tombac.maximum(at_place(low), -span) + tombac.minimum(at_place(high), span)) / 2)
        else:
            middle = (low >> 1) + (high >> 1) + (low & high & 1)
        there = place_of(better)
        there = where(there == place, place + where(reached, -1, 1), there)  # the neighbour shows whether it is x
        within = (low < there) & (there < high)
        if step % 4 == 3:
            within &= exact | (abs(better - x) <= abs(x) / 4)
        ended = high - low <= 1
        x = at_place(where(ended, high, where(within, there, where(exact, place, middle))))
        if (ended | exact | given)[None].all():
            break
    return x
