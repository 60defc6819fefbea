"""Jitify, which finds the headers of a source for NVRTC. tombac needs none of it: ``RawModule(jitify=True)`` is
accepted, and headers are found by the include paths among the options. What programs ask of CuPy's module is answered.
"""

__all__ = ["find_nvidia_header_directory", "get_build_version", "get_cuda_version", "jitify"]


def find_nvidia_header_directory(libname):
    """The folder with the headers of a library of NVIDIA's, which CuPy takes from cuda-pathfinder.

    Args:
        libname: A str such as ``"cccl"``.

    Returns:
        A str, or None: cuda-pathfinder is not installed, or knows no such folder.

    >>> from tombac.cuda import jitify
    >>> jitify.find_nvidia_header_directory("no such library") is None
    True
    """
    try:
        from cuda.pathfinder import find_nvidia_header_directory as find
    except ImportError:
        return None
    try:
        return find(libname)
    except RuntimeError:  # no library that it has heard of
        return None


def get_build_version():
    """The version of Jitify that was built against.

    Returns:
        A str.

    >>> tombac.cuda.jitify.get_build_version()
    '<unknown>'
    """
    return "<unknown>"


def get_cuda_version():
    """The version of CUDA that was built against.

    Returns:
        An int: 0, since building needs nothing of CUDA.

    >>> tombac.cuda.jitify.get_cuda_version()
    0
    """
    return 0


def jitify(code, opt, cached_sources=None):
    """Fails: no source is gone over for its headers.

    Args:
        code, opt, cached_sources: As CuPy's.

    Returns:
        Nothing.

    Raises:
        JitifyException: Always.

    >>> tombac.cuda.jitify.jitify("", ())
    Traceback (most recent call last):
      ...
    tombac.cuda.compiler.JitifyException: jitify: tombac does not use Jitify; give NVRTC the headers' folders ...
    """
    from tombac.cuda.compiler import JitifyException

    raise JitifyException("jitify: tombac does not use Jitify; give NVRTC the headers' folders by -I options")


def __getattr__(name):
    from tombac._absent import no_attribute

    raise no_attribute(__name__, name)
