"""SciPy's interface on tombac's arrays; some of its families are still to come."""

import importlib as _importlib

__all__ = ["get_array_module"]

def get_array_module(*args):
    """Which of tombacx.scipy and SciPy is for these arguments.

    Args:
        args: Anything.

    Returns:
        A module: tombacx.scipy if one of them is a tombac array, or says so by ``__tombac_get_ndarray__``; else scipy.

    Raises:
        ImportError: SciPy is wanted and not installed.

    >>> tombacx.scipy.get_array_module(tombac.arange(3)).__name__
    'tombacx.scipy'
    """
    import tombac

    return _importlib.import_module(__name__ if tombac.get_array_module(*args) is tombac else "scipy")


_MODULES = {
    "fft", "fftpack", "integrate", "interpolate", "linalg", "ndimage", "optimize", "signal", "sparse", "spatial",
    "special", "stats",
}


def __getattr__(name):
    if name in _MODULES:
        return _importlib.import_module(f"{__name__}.{name}")
    from tombac._absent import no_attribute

    raise no_attribute(__name__, name)
