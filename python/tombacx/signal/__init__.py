"""Signal processing that SciPy has not: radar, channelizers, cepstra, filters of finite length.

>>> round(tombacx.signal.cfar_alpha(0.001, 20), 3)
8.251
"""

from tombacx.signal._cepstrum import complex_cepstrum, inverse_complex_cepstrum, minimum_phase, real_cepstrum
from tombacx.signal._filters import channelize_poly, firfilter, firfilter2, firfilter_zi, freq_shift
from tombacx.signal._higher_order import convolve1d2o, convolve1d3o
from tombacx.signal._radar import ca_cfar, cfar_alpha, mvdr, pulse_compression, pulse_doppler

__all__ = [
    "ca_cfar", "cfar_alpha", "channelize_poly", "complex_cepstrum", "convolve1d2o", "convolve1d3o", "firfilter",
    "firfilter2", "firfilter_zi", "freq_shift", "inverse_complex_cepstrum", "minimum_phase", "mvdr",
    "pulse_compression", "pulse_doppler", "real_cepstrum",
]


def __getattr__(name):
    from tombac._absent import no_attribute

    raise no_attribute(__name__, name)
