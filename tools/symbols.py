"""Compares what libtombac exports with the list of it, tests/c/symbols.txt, and with the public headers. A name that
disappears breaks programs; one that appears is a promise, or not meant for others (tb__...).

    symbols.py LIBRARY            prints one line a difference and exits with 1 if there are any
    symbols.py LIBRARY --write    makes the list anew
"""

import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
LIST = ROOT / "tests" / "c" / "symbols.txt"
SKIPPED = 77  # meson's and automake's exit status for it


def exported(library):
    lines = subprocess.run(["nm", "-D", "--defined-only", library], capture_output=True, text=True, check=True).stdout
    return {line.split()[-1].split("@")[0] for line in lines.splitlines() if line}


def declared():
    """The names that follow TB_API in the public headers."""
    names = set()
    for header in sorted((ROOT / "include").rglob("*.h")):
        text = re.sub(r"/\*.*?\*/|//[^\n]*", "", header.read_text(encoding="utf-8"), flags=re.DOTALL)
        text = re.sub(r"^\s*#.*(?:\\\n.*)*", "", text, flags=re.MULTILINE)
        names |= set(re.findall(r"\bTB_API\b[^;(]*?\b(tb_\w+)\s*[(;\[]", text))
    return names


def main(arguments):
    if not shutil.which("nm"):
        print("nm (binutils) is not there")
        return SKIPPED
    found = exported(arguments[0])
    if "--write" in arguments:
        LIST.write_text("".join(f"{name}\n" for name in sorted(found)), encoding="utf-8")
        return 0
    listed, public = set(LIST.read_text(encoding="utf-8").split()), declared()
    findings = [f"{name} is exported no more: programs that use it break" for name in sorted(listed - found)]
    findings += [f"{name} is exported, and not in {LIST.name}: if it is meant to be, add it (--write)"
                 for name in sorted(found - listed)]
    findings += [f"{name} is in no public header" for name in sorted(found - public)]
    findings += [f"{name} is declared, and not exported" for name in sorted(public - found)]
    print("\n".join(findings))
    return bool(findings)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
