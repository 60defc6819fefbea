"""Runs a program written for CuPy: ``python -m tombac script.py args`` or ``python -m tombac -m module args``.

The program's ``import cupy`` and ``import cupyx`` get tombac and tombacx. ``python -m tombac --version`` tells the
version.
"""

import os
import runpy
import sys

from tombac import __version__, _alias

USAGE = "usage: python -m tombac [--version | -m module | script.py] [arguments]"


def main():
    arguments = sys.argv[1:]
    if not arguments or arguments[0] in ("-h", "--help"):
        print(__doc__.strip() + "\n\n" + USAGE)
        return 0 if arguments else 2
    if arguments[0] in ("-V", "--version"):
        print(f"tombac {__version__}")
        return 0
    _alias.install_as_cupy()
    if arguments[0] == "-m":
        if len(arguments) < 2:
            print(USAGE, file=sys.stderr)
            return 2
        sys.argv = arguments[1:]
        sys.path[0] = os.getcwd()
        runpy.run_module(arguments[1], run_name="__main__", alter_sys=True)
    else:
        sys.argv = arguments
        sys.path[0] = os.path.dirname(os.path.abspath(arguments[0]))
        runpy.run_path(arguments[0], run_name="__main__")
    return 0


if __name__ == "__main__":
    sys.exit(main())
