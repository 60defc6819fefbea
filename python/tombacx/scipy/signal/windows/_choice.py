"""get_window: a window by a name, of which most have several."""

import numbers

from tombacx.scipy.signal.windows import _cosines, _shapes, _side_lobes

__all__ = ["get_window"]

# All names of a window, and how many parameters may be given with it: the least and the most.
_ROWS = [
    ("barthann brthan bth", _shapes.barthann, 0, 0),
    ("bartlett bart brt", _shapes.bartlett, 0, 0),
    ("blackman black blk", _cosines.blackman, 0, 0),
    ("blackmanharris blackharr bkh", _cosines.blackmanharris, 0, 0),
    ("bohman bman bmn", _shapes.bohman, 0, 0),
    ("boxcar box ones rect rectangular", _shapes.boxcar, 0, 0),
    ("chebwin cheb", _side_lobes.chebwin, 1, 1),
    ("cosine halfcosine", _shapes.cosine, 0, 0),
    ("dpss", _side_lobes.dpss, 1, 1),
    ("exponential poisson", _shapes.exponential, 0, 2),
    ("flattop flat flt", _cosines.flattop, 0, 0),
    ("gaussian gauss gss", _shapes.gaussian, 1, 1),
    ("general_cosine", _cosines.general_cosine, 1, 1),
    ("general_gaussian general_gauss ggs", _shapes.general_gaussian, 2, 2),
    ("general_hamming", _cosines.general_hamming, 1, 1),
    ("hamming hamm ham", _cosines.hamming, 0, 0),
    ("hann han", _cosines.hann, 0, 0),
    ("kaiser ksr", _shapes.kaiser, 1, 1),
    ("kaiser_bessel_derived kbd", _shapes.kaiser_bessel_derived, 1, 1),
    ("lanczos sinc", _shapes.lanczos, 0, 0),
    ("nuttall nutl nut", _cosines.nuttall, 0, 0),
    ("parzen parz par", _shapes.parzen, 0, 0),
    ("taylor taylorwin", _side_lobes.taylor, 0, 3),
    ("triangle triang tri", _shapes.triang, 0, 0),
    ("tukey tuk", _cosines.tukey, 0, 1),
]
_BY_NAME = {name: row for names, *row in _ROWS for name in names.split()}


def get_window(window, Nx, fftbins=True):
    """A window by its name.

    Args:
        window: The name, a tuple of the name and parameters, or a number: a Kaiser window's beta. A name may end in
            ``_symmetric`` or ``_periodic``, which goes before ``fftbins``.
        Nx: How many points it has.
        fftbins: True makes one period of a window that is one point longer, for spectra; False a symmetric window.

    Returns:
        An array of float64 and shape (Nx,).

    Raises:
        ValueError: No window has that name, or it takes more or fewer parameters; ``Nx`` is no positive integer, or
            ``fftbins`` no bool.

    >>> tombacx.scipy.signal.get_window(("tukey", 0.5), 4)
    array([0., 1., 1., 1.])
    """
    if not isinstance(Nx, numbers.Integral) or Nx <= 0:
        raise ValueError(f"get_window: Nx must be a positive integer, not {Nx!r}")
    if not isinstance(fftbins, bool):
        raise ValueError(f"get_window: fftbins must be True or False, not {fftbins!r}")
    sym = not fftbins
    if not isinstance(window, (str, tuple)):
        try:
            beta = float(window)
        except (TypeError, ValueError):
            raise ValueError(f"get_window: window must be a name, a tuple or a number, not {window!r}") from None
        return _shapes.kaiser(Nx, beta, sym)
    name, *parameters = (window,) if isinstance(window, str) else window
    if not isinstance(name, str):
        raise ValueError(f"get_window: the first of a tuple must be a name, not {name!r}")
    for ending, symmetric in (("_symmetric", True), ("_periodic", False)):
        if name.endswith(ending):
            name, sym = name.removesuffix(ending), symmetric
    if name.replace(" ", "_") not in _BY_NAME:
        raise ValueError(f"get_window: no window is called {name!r}")
    function, least, most = _BY_NAME[name.replace(" ", "_")]
    if not least <= len(parameters) <= most:
        takes = f"{least} to {most}" if least < most else most
        raise ValueError(f"get_window: {name!r} takes {takes} parameters, {len(parameters)} are given")
    return function(Nx, *parameters, sym=sym)
