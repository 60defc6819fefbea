"""CuPy's public interface as tools/cupy_api.txt keeps it: modules, names, signatures and members of classes.

    python tools/cupy_api.py API.json     makes the file: {module: {name: {"kind", "type", "sig", "members", ...}}}

A line is a module in brackets; a name with its signature, or with what it is where that is not known; or, indented, a
member of the class above. Annotations are left out. A class that several modules have has its members once.
"""

import ast
import json
import pathlib
import re
import sys

FILE = pathlib.Path(__file__).with_name("cupy_api.txt")
KINDS = {"class", "data", "function", "ufunc"}


def ours(module):
    """A module's name in tombac's spelling."""
    root, dot, rest = module.partition(".")
    return {"cupy": "tombac", "cupyx": "tombacx"}[root] + dot + rest


def is_interface(name, what):
    return not name.startswith("_") and isinstance(what, dict) and what["kind"] != "module" and \
        what.get("type") != "_Feature"  # from __future__ import annotations


# ---- making the file -------------------------------------------------------------------------------------------------


def plain_signature(text):
    """A signature with words instead of objects' representations, and without annotations; None if it is none."""
    if not text or text.endswith("'NoReturn'"):  # which stands for no signature
        return None
    text = re.sub(r"<(?:class|function|module|ufunc) '?([\w.]+)'?[^<>]*>", r"\1", text)
    text = re.sub(r"<[^<>]*>", "...", text)
    try:
        f = ast.parse(f"def f{text}: pass").body[0]
    except SyntaxError:
        return None
    f.returns = None
    for a in ast.walk(f.args):
        if isinstance(a, ast.arg):
            a.annotation = None
    return f"({ast.unparse(f.args)})"


def kind_of(what):
    if what["kind"] == "class":
        return "class"
    if what.get("type") == "ufunc":
        return "ufunc"
    return "data" if what["kind"] == "data" else "function"


def member_lines(what):
    if str(what.get("module")).partition(".")[0] not in ("cupy", "cupyx"):
        return  # NumPy's classes, and exceptions of Python's
    for name, sig in sorted(what.get("members", {}).items()):
        if not name.startswith("_"):
            yield f"    {name}{plain_signature(sig) or (' data' if sig == 'attr' else ' function')}"


def lines_of(api):
    with_members = set()
    for module, table in sorted(api.items()):
        yield f"[{module}]"
        for name, what in sorted(table.items()):
            if not is_interface(name, what):
                continue
            kind, sig = kind_of(what), plain_signature(what.get("sig"))
            yield f"{name}{sig}" if sig and kind == "function" else f"{name} {kind}"
            if kind == "class" and (what.get("module"), name) not in with_members:
                with_members.add((what.get("module"), name))
                yield from member_lines(what)


# ---- reading it ------------------------------------------------------------------------------------------------------


def entry(line):
    """(name, kind, signature or None) of a line."""
    name, sig = re.fullmatch(r"(\w+)(.*)", line).groups()
    return (name, "function", sig) if sig.startswith("(") else (name, sig.strip(), None)


def read():
    """{module: {name: (kind, signature, {member: (kind, signature)})}}, modules in tombac's spelling."""
    api = {}
    for line in FILE.read_text(encoding="utf-8").splitlines():
        if line.startswith("["):
            names = api.setdefault(ours(line.strip("[]")), {})
        elif line.startswith(" "):
            member, kind, sig = entry(line.strip())
            members[member] = (kind, sig)
        else:
            name, kind, sig = entry(line)
            members = {}
            names[name] = (kind, sig, members)
    return api


if __name__ == "__main__":
    FILE.write_text("\n".join(lines_of(json.loads(pathlib.Path(sys.argv[1]).read_text()))) + "\n", encoding="utf-8")
