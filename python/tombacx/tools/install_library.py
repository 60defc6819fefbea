"""``python -m tombacx.tools.install_library``: which package brings a library. CuPy's downloads it; here pip does, and
what pip installed is found (tombac.show_config)."""

import argparse
import os
import sys

__all__ = ["calculate_destination", "install_lib", "library_records", "main"]

# The package of each library for a major version of CUDA.
library_records = {
    "cutensor": {major: f"cutensor-cu{major}" for major in ("11", "12", "13")},
    "nccl": {major: f"nvidia-nccl-cu{major}" for major in ("11", "12", "13")},
}


def calculate_destination(prefix, cuda, lib, lib_ver):
    """The folder into which CuPy's program installs a library.

    Args:
        prefix, cuda, lib, lib_ver: Strings.

    Returns:
        A str.

    Raises:
        TypeError: An argument is no string.

    >>> from tombacx.tools import install_library
    >>> install_library.calculate_destination("/home/me/.cupy/cuda_lib", "12.x", "cutensor", "2.0.1")
    '/home/me/.cupy/cuda_lib/12.x/cutensor/2.0.1'
    """
    return os.path.join(prefix, cuda, lib, lib_ver)


def _package(cuda, library):
    by_major = library_records.get(library)
    if by_major is None:
        raise ValueError(f"install_library: the library is one of {', '.join(library_records)}, not {library!r}")
    package = by_major.get(str(cuda).partition(".")[0])
    if package is None:
        raise ValueError(f"install_library: no package of {library} for CUDA {cuda}; there are those for "
                         f"{', '.join(by_major)}")
    return package


def install_lib(cuda, prefix, library, arch):
    """Fails with the command that installs the library.

    Args:
        cuda: The version of CUDA as a str, such as ``"12.x"``.
        prefix: Not used.
        library: ``"cutensor"`` or ``"nccl"``.
        arch: Not used.

    Returns:
        Nothing.

    Raises:
        RuntimeError: Always; it says what to type.
        ValueError: There is no such library, or none for this CUDA.

    >>> from tombacx.tools import install_library
    >>> install_library.install_lib("12.x", None, "cutensor", None)
    Traceback (most recent call last):
      ...
    RuntimeError: install_library: nothing is downloaded here; type: pip install cutensor-cu12
    """
    raise RuntimeError(f"install_library: nothing is downloaded here; type: pip install {_package(cuda, library)}")


def main(args):
    """Prints the command that installs a library.

    Args:
        args: A list of strings: ``--library``, ``--cuda`` and the other options of CuPy's program.

    Returns:
        None.

    Raises:
        ValueError: There is no such library, or none for this CUDA.
        SystemExit: Options that are not known.

    >>> from tombacx.tools import install_library
    >>> install_library.main(["--library", "nccl", "--cuda", "12.x"])
    pip install nvidia-nccl-cu12
    """
    parser = argparse.ArgumentParser(prog="tombacx.tools.install_library")
    parser.add_argument("--library", choices=list(library_records), required=True)
    parser.add_argument("--cuda", required=True)
    for option in ("--prefix", "--arch", "--action"):
        parser.add_argument(option)
    options = parser.parse_args(args)
    print(f"pip install {_package(options.cuda, options.library)}")


if __name__ == "__main__":
    main(sys.argv[1:])
