"""SciPy's elementwise root finding and minimization: as many problems of one number as arrays have elements.

All are solved at once: each step is one evaluation of the function at arrays of points and one kernel. Elements that
are done stay as they are; whether all are is asked every few steps, so that the host seldom waits.

>>> f = lambda x, c: x**3 - c
>>> tombacx.scipy.optimize.elementwise.find_root(f, (0.0, 9.0), args=(tombac.array([1.0, 8.0, 27.0]),)).x
array([1., 2., 3.])
"""

from tombacx.scipy.optimize._brackets import bracket_minimum, bracket_root
from tombacx.scipy.optimize._chandrupatla import find_minimum, find_root

__all__ = ["bracket_minimum", "bracket_root", "find_minimum", "find_root"]


def __getattr__(name):
    from tombac._absent import no_attribute

    raise no_attribute(__name__, name)
