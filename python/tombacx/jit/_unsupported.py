"""Names of CuPy's vocabulary that kernels do not have here, with what to use instead."""


class Unsupported:
    """Raises NotImplementedError, in kernels as elsewhere, as soon as it is used; its docstring is the message."""

    def __init__(self, name, instead):
        self._message = self.__doc__ = f"tombacx.jit.{name} is not available: {instead}"

    def __call__(self, *args, **kwargs):
        raise NotImplementedError(self._message)

    def __getitem__(self, key):
        raise NotImplementedError(self._message)

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        raise NotImplementedError(self._message)
