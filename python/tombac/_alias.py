"""``import cupy`` answered by tombac, and ``import cupyx`` by tombacx, for programs that are run unchanged."""

import importlib
import importlib.abc
import importlib.util
import sys

NAMES = {"cupy": "tombac", "cupyx": "tombacx"}


class _Loader(importlib.abc.Loader):
    """Loads nothing: the module is the one of the other name."""

    def __init__(self, target):
        self.target = target

    def create_module(self, spec):
        module = importlib.import_module(self.target)
        # The import machinery writes these for the alias; the module keeps its own.
        self.kept = {k: getattr(module, k, None) for k in ("__spec__", "__loader__", "__package__", "__path__",
            "__name__")}
        return module

    def exec_module(self, module):
        for k, v in self.kept.items():
            if v is not None:
                setattr(module, k, v)


class _Finder(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        root, dot, rest = name.partition(".")
        if root not in NAMES:
            return None
        real = NAMES[root] + dot + rest
        if importlib.util.find_spec(real) is None:
            return None
        return importlib.util.spec_from_loader(name, _Loader(real), is_package=True)


_finder = _Finder()


def install():
    """From now on cupy and cupyx name tombac and tombacx in this process; installed packages so named are hidden."""
    if _finder not in sys.meta_path:
        sys.meta_path.insert(0, _finder)


def remove():
    """Undoes install, for modules that are not imported yet."""
    if _finder in sys.meta_path:
        sys.meta_path.remove(_finder)
    for name in [m for m in sys.modules if m.partition(".")[0] in NAMES]:
        del sys.modules[name]
