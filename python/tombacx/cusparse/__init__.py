"""What CuPy has of cuSPARSE by the names of its routines, by tombac's own on either backend: cuSPARSE is not needed.

Matrices are those of ``tombacx.scipy.sparse``, of any dtype that these have.
"""

from tombacx.cusparse._conversions import (
    coo2csc, coo2csr, coosort, csc2coo, csc2csr, csc2dense, cscsort, csr2coo, csr2csc, csr2csr_compress, csr2dense,
    csrsort, dense2csc, dense2csr, denseToSparse, sparseToDense,
)
from tombacx.cusparse._descriptors import (
    BaseDescriptor, DnMatDescriptor, DnVecDescriptor, MatDescriptor, SpMatDescriptor, SpVecDescriptor,
)
from tombacx.cusparse._products import csrgeam, csrgemm, csrgemm2, csrmm, csrmm2, spgemm, spmm, spmv
from tombacx.cusparse._solvers import csrilu02, csrsm2, spsm

__all__ = [
    "BaseDescriptor", "DnMatDescriptor", "DnVecDescriptor", "MatDescriptor", "SpMatDescriptor", "SpVecDescriptor",
    "check_availability", "coo2csc", "coo2csr", "coosort", "csc2coo", "csc2csr", "csc2csrEx2", "csc2dense", "cscsort",
    "csr2coo", "csr2csc", "csr2cscEx2", "csr2csr_compress", "csr2dense", "csrgeam", "csrgeam2", "csrgemm", "csrgemm2",
    "csrilu02", "csrmm", "csrmm2", "csrmv", "csrsm2", "csrsort", "dense2csc", "dense2csr", "denseToSparse",
    "getVersion", "sparseToDense", "spgeam", "spgemm", "spmm", "spmv", "spsm",
]

csc2csrEx2 = csc2csr
csr2cscEx2 = csr2csc
csrgeam2 = csrgeam
spgeam = csrgeam
csrmv = spmv


def check_availability(name):
    """Whether there is a routine of that name. All are that this module has, whichever cuSPARSE is there, if any.

    Args:
        name: A str, such as 'spmv'.

    Returns:
        A bool.

    Raises:
        ValueError: CuPy has no routine of that name.

    >>> tombacx.cusparse.check_availability("csrmv")
    True
    """
    if name not in __all__ or "Descriptor" in name or name in ("check_availability", "getVersion"):
        raise ValueError(f"check_availability: there is no routine {name!r}")
    return True


def getVersion():
    """The version of cuSPARSE, if one is found. Nothing here needs it.

    Returns:
        An int, such as 12500; 0 if there is none.

    >>> tombacx.cusparse.getVersion() >= 0
    True
    """
    import ctypes

    from tombac.cuda._handles import _library

    try:
        library = _library("cusparse")
    except (ImportError, OSError, RuntimeError):
        return 0
    parts, value = [], ctypes.c_int()
    for which in range(3):
        if library.cusparseGetProperty(which, ctypes.byref(value)):
            return 0
        parts.append(value.value)
    return parts[0] * 1000 + parts[1] * 100 + parts[2]


def __getattr__(name):
    from tombac._absent import no_attribute

    raise no_attribute(__name__, name)
