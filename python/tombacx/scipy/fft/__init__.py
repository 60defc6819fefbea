"""Fourier transforms with SciPy's names, and cosine, sine and Hankel transforms made of them.

The module is a backend for ``scipy.fft.set_backend``: then SciPy's functions take tombac's arrays.

>>> import tombac, tombacx.scipy.fft
>>> tombacx.scipy.fft.dct(tombac.array([1.0, 2.0, 4.0])).round(6)
array([14.      , -5.196152,  1.      ])
"""

from tombac.fft import fftfreq, fftshift, ifftshift, rfftfreq
from tombacx.scipy.fft._hankel import fht, ifht
from tombacx.scipy.fft._lengths import next_fast_len
from tombacx.scipy.fft._plans import get_fft_plan
from tombacx.scipy.fft._real import dct, dctn, dst, dstn, idct, idctn, idst, idstn
from tombacx.scipy.fft._transforms import (
    fft, fft2, fftn, hfft, hfft2, hfftn, ifft, ifft2, ifftn, ihfft, ihfft2, ihfftn, irfft, irfft2, irfftn, rfft, rfft2,
    rfftn,
)

__all__ = [
    "dct", "dctn", "dst", "dstn", "fft", "fft2", "fftfreq", "fftn", "fftshift", "fht", "get_fft_plan", "hfft", "hfft2",
    "hfftn", "idct", "idctn", "idst", "idstn", "ifft", "ifft2", "ifftn", "ifftshift", "ifht", "ihfft", "ihfft2",
    "ihfftn", "irfft", "irfft2", "irfftn", "next_fast_len", "rfft", "rfft2", "rfftfreq", "rfftn",
]

__ua_domain__ = "numpy.scipy.fft"


def __ua_function__(method, args, kwargs):
    """What scipy.fft's functions call where this module is their backend: NotImplemented for other arrays."""
    import sys

    from tombac import ndarray

    given = args[0] if args else kwargs.get("x", kwargs.get("a"))
    function = globals().get(method.__name__) if method.__name__ in __all__ else None
    if function is None or not isinstance(given, ndarray):
        import numpy
        import scipy.fft

        if not isinstance(given, numpy.ndarray):
            return NotImplemented
        with scipy.fft.skip_backend(sys.modules[__name__]):
            return method(*args, **kwargs)
    kwargs = {name: value for name, value in kwargs.items() if name != "workers"}
    return function(*args, **kwargs)
