"""Checks what a compiler does not: line and file lengths, head comments, stray whitespace, markers of unfinished work,
that arrows point down: what a file includes is in its own layer or in one below; that Python.h is read first, which
it asks for: it chooses what the C library declares; that whatever the public header declares has a comment of its
own; and that files which tools make are what those make now.

Run without arguments from anywhere in the repository; prints one line a finding and exits with 1 if there are any.
"""

import os
import pathlib
import re
import subprocess
import sys

import header

ROOT = pathlib.Path(__file__).resolve().parent.parent
FOLDERS = ["include", "src", "python", "tests", "examples", "bench", "tools"]
SUFFIXES = {".c", ".h", ".cc", ".hpp", ".def", ".py", ".sh", ".build"}
MAX_COLUMNS = 120
MAX_LINES = 800
LONG = {"include/tombac/tombac.h"}  # one header, whatever its length
HEX_FLOAT = re.compile(r"\b0x[0-9a-fA-F.]+p")
UNFINISHED = re.compile(r"\b(TO" r"DO|FIX" r"ME|XX" r"X)\b")

# From the top down. A file belongs to the first of these that its path begins with. Layers of one line lie side by side
# and do not know each other.
LAYERS = [
    ["python/_core"],
    ["include"],
    ["src/conveniences"],
    ["src/ops"],
    ["src/runtime"],
    ["src/graph"],
    ["src/backend/cpu", "src/backend/cuda"],
    ["src/backend/gpu"],
    ["src/backend"],
    ["src/codegen"],
    ["src/plan"],
    ["src/tables"],
    ["src/base"],
    ["src/kernels"],
]
# The public header says what there is from src/conveniences down to src/base, so that any of them may read it.
PUBLIC = {f"include/tombac/{name}"
          for name in ("tombac.h", "conveniences.h", "devices.h", "functions.h", "images.h", "kernels.h", "linalg.h",
                       "points.h", "reductions.def", "runtime.h", "signals.h", "sparse.h")}
# Tools that make files which are kept, each of which says by --check whether these are as they should be.
MAKERS = ["tools/functions.py", "tools/reference.py"]
INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"')
ANY_INCLUDE = re.compile(r'^\s*#\s*include\s+["<]([^">]+)[">]')
# The extension may import itself, but nothing of the package around it: that registers what the extension uses.
IMPORT_UP = re.compile(r'\b(?:PyImport_\w+|tbpy_import)\([^;]*"(tombacx?(?!\._core\b)[\w.]*)"')


def layer_of(path):
    """(number from the top, folder) of a path in the repository, or None."""
    for number, folders in enumerate(LAYERS):
        for folder in folders:
            if path.startswith(folder + "/"):
                return number, folder
    return None


def included_path(root, path, name):
    """Where `#include "name"` leads to from the file at `path`; None for what is made by the build."""
    for folder in (str(pathlib.PurePosixPath(path).parent), "src", "include"):
        if (root / folder / name).is_file():
            return os.path.normpath(f"{folder}/{name}")
    return None


def upward(root, path, text):
    """Findings about the arrows of one file, of which `path` is relative to `root`."""
    here = layer_of(path)
    if here is None:
        return
    for number, line in enumerate(text.splitlines(), 1):
        match = INCLUDE.match(line)
        target = included_path(root, path, match[1]) if match else None
        there = layer_of(target) if target else None
        if there and target not in PUBLIC and here != there and there[0] <= here[0]:
            how = "beside it, which it must not know" if there[0] == here[0] else "above it: arrows point down only"
            yield number, f"{here[1]} includes {match[1]}; {there[1]} is {how}"
        match = IMPORT_UP.search(line)
        if match and here[1] == "python/_core":
            yield number, f"{here[1]} imports {match[1]}, which is above it: have the package register what is needed"


def reads_python(root, path, name):
    """Whether `#include` of that name in the file at `path` includes Python.h."""
    target = included_path(root, path, name)
    if name == "Python.h" or target is None:
        return name == "Python.h"
    names = map(ANY_INCLUDE.match, (root / target).read_text(encoding="utf-8").splitlines())
    return any(reads_python(root, target, match[1]) for match in names if match)


def late(root, path, text):
    """A finding if the extension's file at `path` includes something else before Python.h."""
    if not path.startswith("python/_core/"):
        return
    matches = [(number, ANY_INCLUDE.match(line)) for number, line in enumerate(text.splitlines(), 1)]
    reads = [(number, reads_python(root, path, match[1])) for number, match in matches if match]
    if any(yes for _, yes in reads) and not reads[0][1]:
        yield reads[0][0], "Python.h, or a header that begins with it, has to be included first"


def uncommented(items):
    """Names of what is declared without a comment of its own: functions and types, their members and values."""
    for item in items:
        if not item.comment:
            yield item.name
        if item.kind in ("struct", "enum"):
            yield from (f"{item.name}.{part.name}" for part in item.parts if not part.comment)


def findings(path):
    text = path.read_text(encoding="utf-8")
    lines = text.splitlines()
    if not lines:
        return
    if not text.endswith("\n"):
        yield len(lines), "no newline at the end of the file"
    if len(lines) > MAX_LINES and path.relative_to(ROOT).as_posix() not in LONG:
        yield len(lines), f"{len(lines)} lines; at most {MAX_LINES}"
    if path.suffix in {".c", ".h", ".cc", ".hpp", ".def"} and not lines[0].startswith("/* " + path.name):
        yield 1, f"the head comment should start with '/* {path.name} - '"
    yield from upward(ROOT, path.relative_to(ROOT).as_posix(), text)
    yield from late(ROOT, path.relative_to(ROOT).as_posix(), text)
    old = path.match("src/kernels/special*.h")
    for number, line in enumerate(lines, 1):
        if old and HEX_FLOAT.search(line):
            yield number, "a hexadecimal floating number: users include this in C++11, which has none"
        if len(line) > MAX_COLUMNS:
            yield number, f"{len(line)} columns; at most {MAX_COLUMNS}"
        if line != line.rstrip():
            yield number, "trailing whitespace"
        if "\t" in line:
            yield number, "tab"
        if UNFINISHED.search(line):
            yield number, "marker of unfinished work"


def main():
    count = 0
    for folder in FOLDERS:
        for path in sorted((ROOT / folder).rglob("*")):
            if path.suffix not in SUFFIXES or "__pycache__" in path.parts:
                continue
            for number, text in findings(path):
                print(f"{path.relative_to(ROOT)}:{number}: {text}")
                count += 1
    for name in uncommented(header.read()):
        print(f"include/tombac/tombac.h: {name} has no comment of its own")
        count += 1
    for tool in MAKERS:
        said = subprocess.run([sys.executable, ROOT / tool, "--check"], capture_output=True, text=True)
        print(said.stdout + said.stderr, end="")
        count += said.returncode != 0
    if count:
        sys.exit(f"\n{count} findings")


if __name__ == "__main__":
    main()
