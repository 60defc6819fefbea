"""Tells libraries that know arrays by the module they come from about tombac's, when both are imported.

The library is told right after it has been imported, or at once if that was before tombac. What is told is in
_neighbour_tables, which is not imported for anything else: to a program that uses none of these libraries this costs a
look into a dict per import.
"""

import importlib
import sys

# The module that keeps the table, and the function of _neighbour_tables that writes to it.
_TABLES = {
    "autoray.autoray": "autoray",
    "dask.array.backends": "dask_arrays",
    "dask.sizeof": "dask_sizes",
    "einops._backends": "einops",
    "opt_einsum.backends.dispatch": "opt_einsum",
}


def _tell(module):
    """The tables are private to most libraries: one that has changed is to be imported all the same."""
    tables = importlib.import_module("tombac._neighbour_tables")
    try:
        getattr(tables, _TABLES[module.__name__])(module)
    except Exception as e:
        import warnings

        warnings.warn(f"{module.__name__} does not take tombac's arrays: {type(e).__name__}: {e}", ImportWarning,
                      stacklevel=2)


class _Loader:
    """The module's own loader, and then _tell."""

    def __init__(self, own):
        self._own = own

    def __getattr__(self, name):
        return getattr(self._own, name)

    def create_module(self, spec):
        return self._own.create_module(spec)

    def exec_module(self, module):
        module.__spec__.loader = module.__loader__ = self._own
        self._own.exec_module(module)
        _tell(module)


class _Finder:
    """The first of the import system's finders: leaves finding to the others."""

    @staticmethod
    def find_spec(name, path=None, target=None):
        if name not in _TABLES:
            return None
        for finder in sys.meta_path:
            find = None if finder is _Finder else getattr(finder, "find_spec", None)
            spec = find and find(name, path, target)
            if spec is not None:
                if hasattr(spec.loader, "exec_module"):
                    spec.loader = _Loader(spec.loader)
                return spec
        return None


def install():
    """Tells those that are imported, and has the others told when they are."""
    for name in _TABLES:
        if name in sys.modules:
            _tell(sys.modules[name])
    sys.meta_path.insert(0, _Finder)
