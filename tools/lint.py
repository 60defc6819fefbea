"""Checks what a compiler does not: line and file lengths, head comments, stray whitespace, markers of unfinished work.

Run without arguments from anywhere in the repository; prints one line a finding and exits with 1 if there are any.
"""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
FOLDERS = ["include", "src", "python", "tests", "examples", "bench", "tools"]
SUFFIXES = {".c", ".h", ".def", ".py", ".sh", ".build"}
MAX_COLUMNS = 120
MAX_LINES = 800
UNFINISHED = re.compile(r"\b(TO" r"DO|FIX" r"ME|XX" r"X)\b")


def findings(path):
    text = path.read_text(encoding="utf-8")
    lines = text.splitlines()
    if not lines:
        return
    if not text.endswith("\n"):
        yield len(lines), "no newline at the end of the file"
    if len(lines) > MAX_LINES:
        yield len(lines), f"{len(lines)} lines; at most {MAX_LINES}"
    if path.suffix in {".c", ".h", ".def"} and not lines[0].startswith("/* " + path.name):
        yield 1, f"the head comment should start with '/* {path.name} - '"
    for number, line in enumerate(lines, 1):
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
    if count:
        sys.exit(f"\n{count} findings")


if __name__ == "__main__":
    main()
