"""Linear algebra beyond NumPy's and SciPy's."""

import importlib

from tombac import _core
from tombac._util import check_arrays
from tombac.linalg._decompositions import cholesky
from tombacx.scipy.linalg._common import check_square
from tombacx.scipy.linalg._solving import cho_solve

__all__ = ["cho_solve", "invh"]


def invh(a):
    """The inverses of Hermitian positive definite matrices, by Cholesky factors.

    Matrices that are not positive definite raise nothing, unless ``tombacx.errstate(linalg='raise')`` or strict indices
    ask for that; their results are without meaning.

    Args:
        a: An array of any numeric dtype and shape ``(..., n, n)``, of which only the lower triangle is read; integers
            are converted to float64, float16 to float32.

    Returns:
        An array of ``a``'s shape.

    Raises:
        LinAlgError: ``a`` is no stack of square matrices, or, where errors are asked for, not positive definite.
        TypeError: ``a`` is no tombac array.

    >>> tombacx.linalg.invh(tombac.array([[2.0, 0.0], [0.0, 4.0]]))
    array([[0.5 , 0.  ],
           [0.  , 0.25]])
    """
    check_arrays("invh", a)
    check_square("invh", a)
    factor = cholesky(a)
    return _core._cho_solve(factor, _core.eye(a.shape[-1], dtype=factor.dtype), True)


def __getattr__(name):
    if name == "sparse":
        return importlib.import_module("tombacx.linalg.sparse")
    from tombac._absent import no_attribute

    raise no_attribute(__name__, name)
