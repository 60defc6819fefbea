"""Functions of matrices that SciPy computes on the host: decompositions and recursions of small matrices.

``by_scipy(f, *arrays, **options)`` is what ``f``, an attribute of ``of_scipy``, gives for these arguments, with its
arrays on the device. ``arrays`` are arrays, tuples of arrays and numbers, and None; TypeError for anything else.
"""

from tombac import _core
from tombacx.scipy._host import OfSciPy

__all__ = ["by_scipy", "of_scipy", "sooner_by_scipy"]

by_scipy = _core._by_lapack
of_scipy = OfSciPy("scipy.linalg")

_FEW = 32  # rows, of which calls take longer than the work


def sooner_by_scipy(name, a, *arrays, **options):
    """What SciPy gives for one matrix of the host that is not small, where it goes about it with less work than is done
    here; NotImplemented for others, and where there is no SciPy or the host may not wait."""
    if a.ndim != 2 or len(a) < _FEW or _core.backend() != "cpu" or _core.get_current_stream().is_capturing():
        return NotImplemented
    try:
        return by_scipy(getattr(of_scipy, name), a, *arrays, **options)
    except (ImportError, _core.DeviceSynchronized):
        return NotImplemented
