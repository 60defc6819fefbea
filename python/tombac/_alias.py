"""``import cupy`` answered by tombac, ``import cupyx`` by tombacx and ``import cupy_backends`` by modules of
tombac.cuda, for programs that are run unchanged."""

import importlib
import importlib.abc
import importlib.util
import os
import sys
import types

NAMES = {"cupy": "tombac", "cupyx": "tombacx", "cupy_backends": None}

# Modules whose names are not those of the other package with another beginning. CuPy's own parts are here as far as
# programs take the array type from them; of cupy_backends those that are CUDA's interface.
_PLACES = {
    "cupy._core.core": "tombac._core", "cupy.core": "tombac._core", "cupy.core.core": "tombac._core",
    "cupy._core._routines_linalg": "tombac._core",
    "cupy_backends.cuda.api.driver": "tombac.cuda.driver", "cupy_backends.cuda.api.runtime": "tombac.cuda.runtime",
    "cupy_backends.cuda.libs.cusparse": "tombac.cuda.cusparse",
    "cupy_backends.cuda.libs.cusparselt": "tombac.cuda.cusparselt",
    "cupy_backends.cuda.libs.cutensor": "tombac.cuda.cutensor", "cupy_backends.cuda.libs.nccl": "tombac.cuda.nccl",
    "cupy_backends.cuda.libs.nvrtc": "tombac.cuda.nvrtc", "cupy_backends.cuda.libs.nvtx": "tombac.cuda.nvtx",
    "cupy_backends.cuda.libs.profiler": "tombac.cuda.profiler", "cupy_backends.cuda.stream": "tombac.cuda.stream",
}
_PACKAGES = {"cupy_backends", "cupy_backends.cuda", "cupy_backends.cuda.api", "cupy_backends.cuda.libs"}
_LIBRARIES = {"cublas", "cudnn", "curand", "cusolver"}


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


class _Package(importlib.abc.Loader):
    """A package that holds nothing but other modules."""

    def create_module(self, spec):
        return types.ModuleType(spec.name, "Stands for a package of CuPy's; its modules are those of tombac.cuda.")

    def exec_module(self, module):
        pass


def _target(name):
    """The module that answers to a name; None where there is none."""
    if name in _PLACES:
        return _PLACES[name]
    root, dot, rest = name.partition(".")
    real = NAMES.get(root) and NAMES[root] + dot + rest
    return real if real and importlib.util.find_spec(real) is not None else None


class _Finder(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] not in NAMES:
            return None
        if name in _PACKAGES:
            return importlib.util.spec_from_loader(name, _Package(), is_package=True)
        package, _, last = name.rpartition(".")
        if package == "cupy_backends.cuda.libs" and last in _LIBRARIES:
            # By the package's name: else `from package import` would say no more than that there is no such name.
            raise ModuleNotFoundError(f"No module named {name!r}: tombac has no bindings of this library", name=package)
        real = _target(name)
        return real and importlib.util.spec_from_loader(name, _Loader(real), is_package=True)


_finder = _Finder()


def install_as_cupy():
    """Makes ``import cupy``, ``import cupyx`` and ``import cupy_backends`` give tombac's modules in this process.

    Packages that are installed under these names are hidden; what was imported from them before stays as it is.
    ``python -m tombac program.py`` does this for a program as it stands. ``CUPY_TF32=1`` then counts as
    ``TOMBAC_TF32=1`` does.

    Returns:
        None.

    >>> tombac.install_as_cupy()
    >>> import cupy
    >>> cupy is tombac
    True
    >>> tombac._alias.remove()
    """
    if _finder not in sys.meta_path:
        sys.meta_path.insert(0, _finder)
    core = importlib.import_module("tombac._core")
    core.core = core  # programs that import no more than cupy name cupy._core.core.ndarray
    if os.environ.get("CUPY_TF32", "0").strip() not in ("", "0") and not os.environ.get("TOMBAC_TF32"):
        core.set_compute_type("f4", core.COMPUTE_TYPE_TF32)


def remove():
    """Undoes install_as_cupy, for modules that are not imported yet."""
    if _finder in sys.meta_path:
        sys.meta_path.remove(_finder)
    for name in [m for m in sys.modules if m.partition(".")[0] in NAMES]:
        del sys.modules[name]
