"""SciPy's signal processing on tombac's arrays: windows. The rest is still to come."""

from tombacx.scipy.signal import windows
from tombacx.scipy.signal.windows import get_window

__all__ = ["get_window", "windows"]


def __getattr__(name):
    from tombac._absent import no_attribute

    raise no_attribute(__name__, name)
