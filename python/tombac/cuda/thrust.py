"""Thrust: whether sorting goes through it. tombac does not use it."""

available = False


def __getattr__(name):
    from tombac._absent import no_attribute

    raise no_attribute(__name__, name)
