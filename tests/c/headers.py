"""Compiles the public headers by themselves, as every standard that compilers know, with all warnings as errors:

    headers.py COMPILER...    C: tombac.h; C++ (a name that ends in ++): tombac.hpp too. Those of the machine are added

A standard that a compiler does not know is left out; at least one must be known to each."""
import pathlib
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
WARNINGS = ["-Wall", "-Wextra", "-Wshadow", "-Wconversion", "-Werror", "-pedantic"]
C, CPP = ["c99", "c11", "c17", "c2x", "c23"], ["c++11", "c++14", "c++17", "c++20", "c++23"]
# Twice each: nothing is declared again.
C_TEXT = "#include <tombac/tombac.h>\n#include <tombac/tombac.h>\nint main(void) { return TB_OK; }\n"
CPP_TEXT = "#include <tombac/tombac.hpp>\n#include <tombac/tombac.hpp>\nint main() { return TB_OK; }\n"


def compiled(compiler, standard, language, text):
    command = [compiler, f"-std={standard}", *WARNINGS, f"-I{ROOT / 'include'}", "-fsyntax-only", "-x", language, "-"]
    return subprocess.run(command, input=text, capture_output=True, text=True, timeout=300)


def failures(compiler):
    cpp = compiler.endswith("++")
    language = "c++" if cpp else "c"
    known = 0
    for standard in CPP if cpp else C:
        if compiled(compiler, standard, language, "int x;\n").returncode:
            continue
        known += 1
        for text in [C_TEXT, CPP_TEXT] if cpp else [C_TEXT]:
            done = compiled(compiler, standard, language, text)
            if done.returncode:
                yield f"{compiler} -std={standard}: {done.stderr}"
    if not known:
        yield f"{compiler} knows none of the standards"


def main(compilers):
    others = ["gcc", "clang", "g++", "clang++"]
    found = []
    for compiler in dict.fromkeys([*compilers, *filter(shutil.which, others)]):
        found += failures(compiler)
    print("\n".join(found))
    return bool(found)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
