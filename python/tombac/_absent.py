"""Says of a name that CuPy has and tombac does not have yet that this is so, rather than that there is no such name."""

from tombac._absent_names import MODULES, NAMES

_names = {module: frozenset(names.split()) for module, names in NAMES.items()}
_modules = frozenset(MODULES.split())
_WHY = "CuPy has it, tombac does not have it yet"


def no_attribute(module, name):
    """The AttributeError for a name that a module does not have."""
    text = f"module {module!r} has no attribute {name!r}"
    return AttributeError(f"{text}: {_WHY}" if name in _names.get(module, ()) else text, name=name)


def refuse_import(path):
    """ImportError where the module, or what ``from`` would take from a package, is not there yet."""
    package, _, name = path.rpartition(".")
    # By the package's name: the import system passes over what is not found by the name it looked for.
    if path in _modules:
        raise ModuleNotFoundError(f"No module named {path!r}: {_WHY}", name=package)
    if name in _names.get(package, ()):
        raise ImportError(f"cannot import name {name!r} from {package!r}: {_WHY}")
