"""Writes python/tombac/_absent_names.py: what CuPy's interface has and tombac does not have yet.

    python tools/absent_names.py API.json     from CuPy's public names: {module: {name: {"kind", "type", ...}}}
    python tools/absent_names.py              drops what has come since from the table that is there

Runs with the tombac that the environment imports.
"""

import importlib
import json
import pathlib
import sys
import textwrap

TABLE = pathlib.Path(__file__).resolve().parent.parent / "python/tombac/_absent_names.py"
HEAD = '''"""What CuPy has and tombac does not have yet, by module; made by tools/absent_names.py."""

'''


def ours(module):
    root, dot, rest = module.partition(".")
    return {"cupy": "tombac", "cupyx": "tombacx"}[root] + dot + rest


def is_interface(name, what):
    return not name.startswith("_") and isinstance(what, dict) and what["kind"] != "module" and \
        what.get("type") != "_Feature"  # from __future__ import annotations


def from_cupy(path):
    """({module: names}, modules) of CuPy, in tombac's spelling."""
    api = json.loads(pathlib.Path(path).read_text())
    names = {ours(m): [n for n, what in table.items() if is_interface(n, what)] for m, table in api.items()}
    names = {m: n for m, n in names.items() if n}
    modules = {m.rsplit(".", up)[0] for m in names for up in range(m.count(".") + 1)}  # packages may hold modules alone
    return names, sorted(modules)


def from_table():
    table = {}
    exec(TABLE.read_text(), table)
    return {m: n.split() for m, n in table["NAMES"].items()}, table["MODULES"].split()


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
    names, modules = missing(*(from_cupy(sys.argv[1]) if len(sys.argv) > 1 else from_table()))
    rows = "".join("    " + text_of(f'"{m}": ', names[m], 8) + ",\n" for m in sorted(names))
    TABLE.write_text(HEAD + "NAMES = {\n" + rows + "}\n\n" + text_of("MODULES = ", modules, 4) + "\n")
    print(f"{sum(map(len, names.values()))} names in {len(names)} modules; {len(modules)} modules are not there")


if __name__ == "__main__":
    main()
