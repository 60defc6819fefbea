"""What is asked before signals are cut up or compared: whether windows overlap well, and which lags there are."""

from tombac import _core
from tombac._docstrings import with_rows
from tombacx.scipy._host import call

__all__ = ["check_COLA", "check_NOLA", "correlation_lags"]

_documented = with_rows(
    segments="""window: A window as of SciPy's get_window, or its values: a vector of length ``nperseg``.
        nperseg: How many samples a segment has.
        noverlap: How many of them it shares with the next.
        tol: What counts as no difference.""",
    refusals="""ImportError: SciPy is not installed.
        ValueError: The window has another length, or segments overlap wholly or not at all.""",
)


@_documented
def check_COLA(window, nperseg, noverlap, tol=1e-10):
    """Whether windows that overlap add up to a constant.

    Args:
        {segments}

    Returns:
        A bool.

    Raises:
        {refusals}

    >>> tombacx.scipy.signal.check_COLA("hann", 128, 64)
    True
    """
    return bool(call("check_COLA", window, nperseg, noverlap, tol))


@_documented
def check_NOLA(window, nperseg, noverlap, tol=1e-10):
    """Whether the squares of windows that overlap add up to something everywhere, so that signals can be restored.

    Args:
        {segments}

    Returns:
        A bool.

    Raises:
        {refusals}

    >>> tombacx.scipy.signal.check_NOLA(tombac.ones(64), 64, 0)
    True
    """
    return bool(call("check_NOLA", window, nperseg, noverlap, tol))


def correlation_lags(in1_len, in2_len, mode="full"):
    """By how many samples the first signal is shifted at each place of a correlation.

    Args:
        in1_len, in2_len: The lengths of the signals.
        mode: 'full', 'same' or 'valid', as of correlate.

    Returns:
        An array of int64.

    Raises:
        ValueError: ``mode`` is none of these.

    >>> tombacx.scipy.signal.correlation_lags(3, 2)
    array([-1,  0,  1,  2])
    """
    first, last = 1 - in2_len, in1_len  # of all lags
    if mode == "same":
        first += (last - first) // 2 - in1_len // 2
        last = first + in1_len
    elif mode == "valid":
        first, last = min(in1_len - in2_len, 0), max(in1_len - in2_len, 0) + 1
    elif mode != "full":
        raise ValueError(f"mode must be 'full', 'same' or 'valid', not {mode!r}")
    return _core.arange(first, last)
