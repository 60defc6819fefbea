"""What radars do with echoes: compression, Doppler processing, detection, beam forming."""

import math
import operator

from tombac import _core, linalg
from tombac._core import asarray
from tombac._docstrings import with_rows
from tombac._statistics import cov
from tombac.fft import fftfreq
from tombacx.scipy import fft as _fft
from tombacx.scipy.signal._windowed_sums import direct
from tombacx.scipy.signal.windows import get_window

__all__ = ["ca_cfar", "cfar_alpha", "mvdr", "pulse_compression", "pulse_doppler"]

_documented = with_rows(
    x="x: The echoes: an array of numbers of shape (pulses, samples of a pulse).",
    window="""window: A window by its name, a tuple or a number, as of :func:`tombacx.scipy.signal.get_window`,
            symmetric; a vector of its values; or a function of frequencies in cycles per sample. None for no
            window.""",
)


def _pulses(name, x):
    x = asarray(x)
    if x.ndim != 2:
        raise ValueError(f"{name}: x must have two dimensions, pulses and samples, not {x.ndim}")
    return x


def _weights(name, window, n):
    if callable(window):
        return asarray(window(fftfreq(n)))
    if hasattr(window, "shape"):
        if window.shape != (n,):
            raise ValueError(f"{name}: a window of shape {window.shape}, where {n} values are needed")
        return asarray(window)
    return get_window(window, n, False)


@_documented
def pulse_compression(x, template, normalize=False, window=None, nfft=None):
    """Echoes compared with the pulse that was sent (matched filtering), by Fourier transforms.

    Args:
        {x}
        template: The pulse: a vector.
        normalize: Whether the pulse is divided by its norm.
        {window} The pulse is multiplied by it.
        nfft: How many points the transforms have; as many as a pulse has samples if None.

    Returns:
        An array of complex numbers of shape (pulses, nfft).

    Raises:
        ValueError: ``x`` has not two dimensions or ``template`` not one, or the window has another length or is
            unknown.

    >>> x = tombac.array([[0.0, 0.0, 1.0, -1.0]])
    >>> tombacx.signal.pulse_compression(x, tombac.array([1.0, -1.0])).real.round(6) + 0.0
    array([[ 0., -1.,  2., -1.]])
    """
    x, template = _pulses("pulse_compression", x), asarray(template)
    if template.ndim != 1:
        raise ValueError(f"pulse_compression: template must have one dimension, not {template.ndim}")
    nfft = x.shape[1] if nfft is None else operator.index(nfft)
    if window is not None:
        template = template * _weights("pulse_compression", window, template.size)
    if normalize:
        template = template / linalg.norm(template)
    return _fft.ifft(_fft.fft(x, nfft) * _fft.fft(template, nfft).conj())


@_documented
def pulse_doppler(x, window=None, nfft=None):
    """The Doppler spectra of echoes: transforms over the pulses, for each sample of a pulse.

    Args:
        {x}
        {window} Each column of ``x`` is multiplied by it.
        nfft: How many points the transforms have; as many as there are pulses if None.

    Returns:
        An array of complex numbers of shape (nfft, samples of a pulse).

    Raises:
        ValueError: ``x`` has not two dimensions, or the window has another length or is unknown.

    >>> tombacx.signal.pulse_doppler(tombac.array([[1.0, 1.0], [1.0, -1.0]])).real
    array([[2., 0.],
           [0., 2.]])
    """
    x = _pulses("pulse_doppler", x)
    if window is not None:
        x = x * _weights("pulse_doppler", window, x.shape[0])[:, None]
    return _fft.fft(x, x.shape[0] if nfft is None else operator.index(nfft), axis=0)


def cfar_alpha(pfa, N):
    """By what the mean of cells around a cell is multiplied, to be its threshold for a constant rate of false alarms.

    Args:
        pfa: The probability of a false alarm.
        N: Of how many cells the mean is.

    Returns:
        A float: N (pfa^(-1/N) - 1).

    Raises:
        ZeroDivisionError: ``N`` or ``pfa`` is 0.

    >>> round(tombacx.signal.cfar_alpha(0.001, 20), 3)
    8.251
    """
    return N * (pfa ** (-1.0 / N) - 1)


def _box_sums(x, widths):
    """Sums over boxes of these widths, wherever they lie within ``x``."""
    for axis, width in enumerate(widths):
        shape = [1] * x.ndim
        shape[axis] = width
        inner = [n - k + 1 for n, k in zip(x.shape, shape)]
        x = direct(x, _core.ones(shape, x.dtype), [k - 1 for k in shape], inner)
    return x


def _around(x, guards, references):
    """Sums over the cells around each cell whose surroundings lie within ``x``.

    They are sums of boxes that do not overlap: a difference would lose what is small beside an echo.
    """
    outer = [g + r for g, r in zip(guards, references)]
    shape = [n - 2 * o for n, o in zip(x.shape, outer)]
    total = _core.zeros(shape, x.dtype)
    for axis, reference in enumerate(references):
        if not reference:
            continue
        widths = [2 * g + 1 for g in guards[:axis]] + [reference] + [2 * o + 1 for o in outer[axis + 1:]]
        sums = _box_sums(x, widths)
        starts = [*references[:axis], 0, *[0] * (x.ndim - axis - 1)]
        for starts[axis] in (0, outer[axis] + guards[axis] + 1):
            total += sums[tuple(slice(i, i + n) for i, n in zip(starts, shape))]
    return total


def ca_cfar(array, guard_cells, reference_cells, pfa=1e-3):
    """Detection by thresholds that are means of the cells around (CA-CFAR).

    Args:
        array: The powers: an array of one or two dimensions.
        guard_cells: How many cells on each side are left out of the mean: an int, or for two dimensions one for each.
        reference_cells: How many cells on each side, beyond these, are in it: an int, or one for each dimension.
        pfa: The probability of a false alarm.

    Returns:
        A tuple of arrays (thresholds, detections), floats and bools, of the shape of ``array``.

    Raises:
        TypeError: ``array`` has another number of dimensions.
        ValueError: It is too small for so many cells.

    Where cells around would lie beyond the edges the threshold is 0.

    >>> powers = tombac.array([1.0, 1.0, 1.0, 50.0, 1.0, 1.0, 1.0])
    >>> thresholds, found = tombacx.signal.ca_cfar(powers, 1, 2, pfa=0.1)
    >>> found[3]
    array(True)
    """
    array = asarray(array)
    if array.ndim not in (1, 2):
        raise TypeError(f"ca_cfar: array must have one dimension or two, not {array.ndim}")
    guards, references = (tuple(map(operator.index, c)) if hasattr(c, "__iter__") else (operator.index(c),) * array.ndim
                          for c in _core._on_host((guard_cells, reference_cells)))
    if len(guards) != array.ndim or len(references) != array.ndim or min(guards + references) < 0:
        raise ValueError("ca_cfar: guard_cells and reference_cells must be one number for each of the "
                         f"{array.ndim} dimensions, not {guard_cells!r} and {reference_cells!r}")
    outer = [g + r for g, r in zip(guards, references)]
    if any(n <= 2 * r for n, r in zip(array.shape, outer)):
        raise ValueError(f"ca_cfar: the shape {array.shape} is too small for {outer} cells on each side")
    x = array.astype(_core.result_type(array, "f"), copy=False)
    inside = tuple(slice(r, n - r) for n, r in zip(array.shape, outer))
    count = math.prod(2 * o + 1 for o in outer) - math.prod(2 * g + 1 for g in guards)
    if not count:
        raise ValueError("ca_cfar: there must be reference cells")
    threshold = _core.zeros(array.shape, x.dtype)
    threshold[inside] = _around(x, guards, references) * (cfar_alpha(pfa, count) / count)
    return threshold, array > threshold


def mvdr(x, sv, calc_cov=True):
    """Weights of the beam former that has the least variance without distorting one direction (Capon's).

    Args:
        x: What the sensors measured, an array of shape (sensors, samples); or its covariances, (sensors, sensors).
        sv: The steering vector, of shape (sensors,), or several, (sensors, vectors).
        calc_cov: Whether ``x`` is measurements.

    Returns:
        An array of the shape of ``sv``: R^-1 sv / (sv^H R^-1 sv), where R are the covariances.

    Raises:
        ValueError: ``x`` has not two dimensions, there are fewer samples than sensors, or the numbers of sensors
            differ.

    J. Capon, Proc. IEEE 57 (1969).

    >>> tombacx.signal.mvdr(tombac.eye(2), tombac.ones(2), calc_cov=False)
    array([0.5, 0.5])
    """
    x, sv = asarray(x), asarray(sv)
    if x.ndim != 2 or sv.ndim not in (1, 2):
        raise ValueError(f"mvdr: x must have two dimensions and sv one or two, not {x.ndim} and {sv.ndim}")
    if x.shape[0] > x.shape[1]:
        raise ValueError(f"mvdr: fewer samples than sensors; the shape {x.shape} should be (sensors, samples)")
    if x.shape[0] != sv.shape[0]:
        raise ValueError(f"mvdr: x has {x.shape[0]} sensors, and sv {sv.shape[0]}")
    weights = linalg.solve(cov(x) if calc_cov else x, sv)
    return weights / (sv.conj() * weights).sum(0)
