"""NumPy and modules of SciPy, imported when something of them is first used: at the start that would take longer than
everything else."""

import importlib
import os
import sys
from _thread import RLock


class _NumPy:
    """Stands for the module numpy."""

    def __getattr__(self, name):
        import numpy

        value = getattr(numpy, name)
        setattr(self, name, value)
        return value


np = _NumPy()

_importing = RLock()


def _release():
    global _importing
    _importing = RLock()


os.register_at_fork(after_in_child=_release)


def host_module(name):
    """A module of SciPy's by its full name, imported by one thread at a time, and its parents before it.

    Python holds a module's lock while it imports the parents: where one thread asks for a module and another for its
    parent, which needs that module, each waits for the other, and Python raises an error in one of them.
    """
    module = sys.modules.get(name)
    if module is not None and not getattr(module.__spec__, "_initializing", False):
        return module
    with _importing:
        end = name.find(".")
        while end >= 0:
            importlib.import_module(name[:end])
            end = name.find(".", end + 1)
        return importlib.import_module(name)
