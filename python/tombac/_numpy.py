"""NumPy, imported when something of it is first used: at the start it would take longer than everything else."""


class _NumPy:
    """Stands for the module numpy."""

    def __getattr__(self, name):
        import numpy

        value = getattr(numpy, name)
        setattr(self, name, value)
        return value


np = _NumPy()
