"""SciPy's signal processing on tombac's arrays: windows, waveforms, the design of filters, filtering, peaks, spectra
and linear systems.

What is designed is computed by SciPy on the host, in float64, and given as arrays of the device.

>>> b, a = tombacx.scipy.signal.butter(2, 0.25)
>>> b.round(3)
array([0.098, 0.195, 0.098])
"""

from tombacx.scipy.signal import windows
from tombacx.scipy.signal._bsplines import *  # noqa: F403
from tombacx.scipy.signal._convolution import *  # noqa: F403
from tombacx.scipy.signal._convolution2d import *  # noqa: F403
from tombacx.scipy.signal._czt import *  # noqa: F403
from tombacx.scipy.signal._envelope import *  # noqa: F403
from tombacx.scipy.signal._fir_design import *  # noqa: F403
from tombacx.scipy.signal._forms import *  # noqa: F403
from tombacx.scipy.signal._iir_design import *  # noqa: F403
from tombacx.scipy.signal._iir_orders import *  # noqa: F403
from tombacx.scipy.signal._lti import *  # noqa: F403
from tombacx.scipy.signal._partial_fractions import *  # noqa: F403
from tombacx.scipy.signal._peak_shapes import *  # noqa: F403
from tombacx.scipy.signal._peaks import *  # noqa: F403
from tombacx.scipy.signal._recurrences import *  # noqa: F403
from tombacx.scipy.signal._resampling import *  # noqa: F403
from tombacx.scipy.signal._responses import *  # noqa: F403
from tombacx.scipy.signal._segments import *  # noqa: F403
from tombacx.scipy.signal._short_time import *  # noqa: F403
from tombacx.scipy.signal._smoothing import *  # noqa: F403
from tombacx.scipy.signal._spectral import *  # noqa: F403
from tombacx.scipy.signal._states import *  # noqa: F403
from tombacx.scipy.signal._stft import *  # noqa: F403
from tombacx.scipy.signal._systems import *  # noqa: F403
from tombacx.scipy.signal._transformations import *  # noqa: F403
from tombacx.scipy.signal._uneven import *  # noqa: F403
from tombacx.scipy.signal._waveforms import *  # noqa: F403
from tombacx.scipy.signal._wavelets import *  # noqa: F403
from tombacx.scipy.signal.windows import get_window

__all__ = [
    "abcd_normalize", "argrelextrema", "argrelmax", "argrelmin", "band_stop_obj", "bessel", "besselap", "bilinear",
    "bilinear_zpk", "bode", "buttap", "butter", "buttord", "cheb1ap", "cheb1ord", "cheb2ap", "cheb2ord", "cheby1",
    "cheby2", "check_COLA", "check_NOLA", "chirp", "choose_conv_method", "closest_STFT_dual_window", "coherence",
    "cont2discrete", "convolve", "convolve2d", "correlate", "correlate2d", "correlation_lags", "csd", "cspline1d",
    "cspline1d_eval", "cspline2d", "cwt", "CZT", "czt", "czt_points", "dbode", "decimate", "deconvolve", "detrend",
    "dfreqresp", "dimpulse", "dlsim", "dlti", "dstep", "ellip", "ellipap", "ellipord", "envelope", "fftconvolve",
    "filtfilt", "find_peaks", "findfreqs", "firls", "firwin", "firwin2", "freqresp", "freqs", "freqs_zpk", "freqz",
    "freqz_sos", "freqz_zpk", "gammatone", "gauss_spline", "gausspulse", "get_window", "group_delay", "hilbert",
    "hilbert2", "iircomb", "iirdesign", "iirfilter", "iirnotch", "iirpeak", "impulse", "invres", "invresz", "istft",
    "kaiser_atten", "kaiser_beta", "kaiserord", "lfilter", "lfilter_zi", "lfiltic", "lombscargle", "lp2bp", "lp2bp_zpk",
    "lp2bs", "lp2bs_zpk", "lp2hp", "lp2hp_zpk", "lp2lp", "lp2lp_zpk", "lsim", "lti", "max_len_seq", "medfilt",
    "medfilt2d", "minimum_phase", "morlet", "morlet2", "normalize", "oaconvolve", "order_filter", "peak_prominences",
    "peak_widths", "periodogram", "place_poles", "qmf", "qspline1d", "qspline1d_eval", "qspline2d", "remez", "resample",
    "resample_poly", "residue", "residuez", "ricker", "savgol_coeffs", "savgol_filter", "sawtooth", "sepfir2d",
    "ShortTimeFFT", "sos2tf", "sos2zpk", "sosfilt", "sosfilt_zi", "sosfiltfilt", "sosfreqz", "spectrogram",
    "spline_filter", "square", "ss2tf", "ss2zpk", "StateSpace", "step", "stft", "sweep_poly", "symiirorder1",
    "symiirorder2", "tf2sos", "tf2ss", "tf2zpk", "TransferFunction", "unique_roots", "unit_impulse", "upfirdn",
    "vectorstrength", "welch", "wiener", "windows", "ZerosPolesGain", "zoom_fft", "ZoomFFT", "zpk2sos", "zpk2ss",
    "zpk2tf",
]


def __getattr__(name):
    from tombac._absent import no_attribute

    if name == "BadCoefficients":  # a warning of SciPy's, whose functions give it
        from tombacx.scipy._host import scipy_module

        return scipy_module("scipy.signal", name).BadCoefficients
    raise no_attribute(__name__, name)
