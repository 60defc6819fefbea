"""CuPy's tuning of reduction kernels by Optuna. tombac sizes its launches to the device and has nothing to be tuned."""

import contextlib

__all__ = ["optimize"]

_SETTINGS = ("max_trials", "timeout", "expected_total_time_per_trial", "max_total_time_per_trial")


@contextlib.contextmanager
def optimize(*, key=None, path=None, readonly=False, **config_dict):
    """A block whose kernels CuPy tunes. Here they run as ever, and no file is read or written.

    Args:
        key, path, readonly: Accepted for CuPy's sake.
        config_dict: ``max_trials timeout expected_total_time_per_trial max_total_time_per_trial``.

    Returns:
        A context manager.

    Raises:
        ImportError: Optuna is not installed, which a program that tunes is to learn.
        TypeError: An unknown setting.

    >>> with tombacx.optimizing.optimize(trials=3):
    ...     tombac.arange(3).sum()
    Traceback (most recent call last):
      ...
    TypeError: optimize: unknown settings: trials
    """
    unknown = sorted(set(config_dict) - set(_SETTINGS))
    if unknown:
        raise TypeError(f"optimize: unknown settings: {', '.join(unknown)}")
    try:
        import optuna  # noqa: F401
    except ImportError:
        raise ImportError("optimize: Optuna is not installed (pip install optuna); tombac itself needs no tuning",
                          name="optuna") from None
    yield


def __getattr__(name):
    from tombac._absent import no_attribute

    raise no_attribute(__name__, name)
