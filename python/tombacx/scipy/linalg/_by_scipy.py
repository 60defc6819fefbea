"""Functions of matrices that SciPy computes on the host: decompositions and recursions of small matrices.

``by_scipy(f, *arrays, **options)`` is what ``f``, an attribute of ``of_scipy``, gives for these arguments, with its
arrays on the device. ``arrays`` are arrays, tuples of arrays and numbers, and None; TypeError for anything else.
"""

from tombac import _core
from tombacx.scipy._host import OfSciPy

__all__ = ["by_scipy", "of_scipy"]

by_scipy = _core._by_lapack
of_scipy = OfSciPy("scipy.linalg")
