"""NCCL: whether there are collective operations between GPUs. There are none yet."""

available = False


def __getattr__(name):
    from tombac._absent import no_attribute

    raise no_attribute(__name__, name)
