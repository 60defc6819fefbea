"""Filters with finite impulse responses, designed on the host."""

from tombac._docstrings import with_rows
from tombacx.scipy._host import call
from tombacx.scipy.signal import _host_designs  # noqa: F401
from tombacx.scipy.signal._kaiser import kaiser_atten, kaiser_beta, kaiserord

__all__ = [
    "firls", "firwin", "firwin2", "kaiser_atten", "kaiser_beta", "kaiserord", "minimum_phase", "remez", "savgol_coeffs",
]

_documented = with_rows(
    numtaps="numtaps: The length of the filter.",
    window="window: A window as of SciPy's get_window: a name, a tuple of a name and parameters, or a number.",
    fs="fs: The sampling frequency: half of it is the Nyquist frequency; 2 if None.",
    taps="An array of float64 and shape (numtaps,).",
    refusals="""ImportError: SciPy is not installed.
        ValueError: There is no such filter, in SciPy's words.""",
    none="ValueError: There is no such filter.",
)


@_documented
def firwin(numtaps, cutoff, width=None, window="hamming", pass_zero=True, scale=True, fs=2):
    """A filter of linear phase by the window method.

    Args:
        {numtaps}
        cutoff: The edge of the band, or the edges: a number, a sequence or a vector.
        width: The width of the transition, by which a Kaiser window is chosen in place of ``window``.
        {window}
        pass_zero: Whether the gain at frequency 0 is 1; or 'lowpass', 'highpass', 'bandpass' or 'bandstop'.
        scale: Whether the gain is exactly 1 at the middle of the first pass band.
        {fs}

    Returns:
        {taps}

    Raises:
        {none}

    >>> tombacx.scipy.signal.firwin(3, 0.5).round(3)
    array([0.046, 0.908, 0.046])
    """
    return call("firwin", numtaps, cutoff, width=width, window=window, pass_zero=pass_zero, scale=scale, fs=fs)


@_documented
def firwin2(numtaps, freq, gain, nfreqs=None, window="hamming", nyq=None, antisymmetric=False, fs=2.0):
    """A filter of linear phase whose gain is given at some frequencies.

    Args:
        {numtaps}
        freq: The frequencies from 0 to half of ``fs``, rising: a sequence or a vector.
        gain: The gains there.
        nfreqs: How many frequencies are interpolated; None is one more than a power of two that is enough.
        {window} None is no window.
        nyq: Half of the sampling frequency, in place of ``fs``.
        antisymmetric: Whether the filter is antisymmetric about its middle.
        {fs}

    Returns:
        {taps}

    Raises:
        {refusals}

    SciPy has no ``nyq`` any more.

    >>> tombacx.scipy.signal.firwin2(3, [0, 0.5, 1], [1, 1, 0]).round(3)
    array([0.017, 0.75 , 0.017])
    """
    fs = fs if nyq is None else 2 * nyq
    return call("firwin2", numtaps, freq, gain, nfreqs=nfreqs, window=window, antisymmetric=antisymmetric, fs=fs)


@_documented
def firls(numtaps, bands, desired, weight=None, fs=2):
    """A filter of linear phase by least squares.

    Args:
        {numtaps} It is odd.
        bands: Where bands begin and end, rising: a vector of even length, or an array of shape (bands, 2).
        desired: The gains there, in the same shape.
        weight: The weights of the bands: a vector; 1 if None.
        {fs}

    Returns:
        {taps}

    Raises:
        {refusals}

    >>> tombacx.scipy.signal.firls(3, [0, 0.25, 0.75, 1], [1, 1, 0, 0]).round(3)
    array([0.275, 0.5  , 0.275])
    """
    return call("firls", numtaps, bands, desired, weight=weight, fs=fs)


@_documented
def remez(numtaps, bands, desired, *, weight=None, type="bandpass", maxiter=25, grid_density=16, fs=None):
    """A filter of linear phase whose largest error is the least, by Remez' exchange.

    Args:
        {numtaps}
        bands: Where bands begin and end, rising: a vector of even length.
        desired: The gain of each band: a vector.
        weight: The weights of the bands: a vector; 1 if None.
        type: 'bandpass', 'differentiator' or 'hilbert'.
        maxiter: How many exchanges there are at most.
        grid_density: How many frequencies for each coefficient the error is looked at.
        fs: The sampling frequency; 1 if None.

    Returns:
        {taps}

    Raises:
        {refusals}

    Source: J. H. McClellan, T. W. Parks, A unified approach to the design of optimum FIR linear phase digital filters,
    IEEE Transactions on Circuit Theory 20 (1973); it is SciPy that computes it.

    >>> tombacx.scipy.signal.remez(5, [0, 0.1, 0.3, 0.5], [1, 0]).round(3)
    array([0.06 , 0.299, 0.38 , 0.299, 0.06 ])
    """
    return call("remez", numtaps, bands, desired, weight=weight, type=type, maxiter=maxiter,
                grid_density=grid_density, fs=fs)


@_documented
def minimum_phase(h, method="homomorphic", n_fft=None, half=True):
    """The filter of least delay that is made of one of linear phase.

    Args:
        h: The coefficients of a filter of linear phase: a vector.
        method: 'homomorphic', or 'hilbert' for filters of equal ripples.
        n_fft: How long the Fourier transforms are; None is a power of two that is enough.
        half: Whether the result has half the length and the square root of the gain; False, with 'homomorphic' alone,
            keeps both.

    Returns:
        An array of float64 and shape ((h.size + 1) // 2,), or that of ``h``.

    Raises:
        ImportError: SciPy is not installed.
        ValueError: There is no such filter, in SciPy's words.
        TypeError: ``half`` is False and SciPy older than 1.14.

    >>> tombacx.scipy.signal.minimum_phase(tombac.array([1.0, 2.0, 3.0, 2.0, 1.0])).shape
    (3,)
    """
    kwargs = {} if half is True else {"half": half}  # which SciPy 1.13 has not
    return call("minimum_phase", h, method, n_fft, **kwargs)


@_documented
def savgol_coeffs(window_length, polyorder, deriv=0, delta=1.0, pos=None, use="conv"):
    """The coefficients of a Savitzky-Golay filter, which fits a polynomial to each stretch of a signal.

    Args:
        window_length: How many samples a polynomial is fitted to.
        polyorder: The degree of the polynomial, less than ``window_length``.
        deriv: Which derivative is computed.
        delta: The distance of samples.
        pos: At which sample the polynomial is evaluated; in the middle if None.
        use: 'conv' for coefficients to convolve with, 'dot' for those of a dot product.

    Returns:
        An array of float64 and shape (window_length,).

    Raises:
        {none}

    >>> tombacx.scipy.signal.savgol_coeffs(5, 2).round(3)
    array([-0.086,  0.343,  0.486,  0.343, -0.086])
    """
    return call("savgol_coeffs", window_length, polyorder, deriv, delta, pos, use)
