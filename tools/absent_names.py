"""Writes python/tombac/_absent_names.py: what CuPy's interface (tools/cupy_api.txt) has and tombac does not have yet.

Runs with the tombac that the environment imports.
"""

import importlib
import pathlib
import textwrap

import cupy_api

TABLE = pathlib.Path(__file__).resolve().parent.parent / "python/tombac/_absent_names.py"
HEAD = '''"""What CuPy has and tombac does not have yet, by module; made by tools/absent_names.py."""

'''


def from_cupy():
    """({module: names}, modules) of CuPy, in tombac's spelling."""
    names = {module: list(table) for module, table in cupy_api.read().items() if table}
    modules = {m.rsplit(".", up)[0] for m in names for up in range(m.count(".") + 1)}  # packages may hold modules alone
    return names, sorted(modules)


def missing(names, modules):
    """Of these, the modules that cannot be imported, and the names that modules that can be do not have."""
    def imported(module):
        try:
            return importlib.import_module(module)
        except ImportError:
            return None

    here = {m: imported(m) for m in sorted(set(modules) | set(names))}
    absent = {m: sorted(n for n in names.get(m, ()) if not hasattr(here[m], n)) for m in here if here[m]}
    gone = [m for m in here if here[m] is None]
    for m in gone:  # a module that is no attribute either
        parent, _, name = m.rpartition(".")
        if here.get(parent) and name not in absent.setdefault(parent, []):
            absent[parent] = sorted(absent[parent] + [name])
    return {m: n for m, n in absent.items() if n}, gone


def text_of(name, words, indent):
    lines = textwrap.wrap(" ".join(words), 116 - indent, break_long_words=False, break_on_hyphens=False)
    pad = " " * indent
    quoted = "\n".join(f'{pad}"{line}{" " if line is not lines[-1] else ""}"' for line in lines)
    return f"{name}(\n{quoted}\n{' ' * (indent - 4)})"


def main():
    names, modules = missing(*from_cupy())
    rows = "".join("    " + text_of(f'"{m}": ', names[m], 8) + ",\n" for m in sorted(names))
    TABLE.write_text(HEAD + "NAMES = {\n" + rows + "}\n\n" + text_of("MODULES = ", modules, 4) + "\n")
    print(f"{sum(map(len, names.values()))} names in {len(names)} modules; {len(modules)} modules are not there")


if __name__ == "__main__":
    main()
