"""CUB: whether reductions and scans go through it. They are tombac's own on both backends, so it is not there."""

available = False


def __getattr__(name):
    from tombac._absent import no_attribute

    raise no_attribute(__name__, name)
