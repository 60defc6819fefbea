"""The stubs are those that tools/stubs.py makes now, and are installed; what it reads from docstrings. A type checker
has its say in `make types`."""

import inspect
import pathlib
import subprocess
import sys

import pytest
import tombac
import tombacx

TOOLS = pathlib.Path(__file__).parents[2] / "tools"


@pytest.mark.skipif(sys.version_info[:2] != (3, 11), reason="made with Python 3.11")
def test_check():
    done = subprocess.run([sys.executable, TOOLS / "stubs.py", "--check"], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("package", [tombac, tombacx])
def test_installed(package):
    folder, source = pathlib.Path(package.__file__).parent, TOOLS.parent / "python" / package.__name__
    assert (folder / "py.typed").exists()
    assert {p.relative_to(folder) for p in folder.rglob("*.pyi")} == {
        p.relative_to(source) for p in source.rglob("*.pyi")}


@pytest.fixture(scope="module")
def tools():
    sys.path.insert(0, str(TOOLS))
    import stub_types
    import stubs

    yield stubs, stub_types
    sys.path.remove(str(TOOLS))


@pytest.mark.parametrize("text, kind", [
    ("An array of ``a``'s shape.", "tombac.ndarray"), ("A view of ``a``.", "tombac.ndarray"), ("None.", "None"),
    ("An array, or a tuple of two.", None), ("A tuple of arrays.", "builtins.tuple[tombac.ndarray, ...]"),
    ("A bool array of\n    one dimension.", "tombac.ndarray"), ("A bool.", "builtins.bool"), ("Whatever it is.", None),
])
def test_returned(tools, text, kind):
    assert tools[1].returned(f"Summary.\n\nReturns:\n    {text}\n\nRaises:\n    ValueError: Never.") == kind


def test_signatures(tools):
    def f(a, /, b, axis=None, *, keepdims=False, scale=1.5, **rest):
        """Summary.

        Returns:
            An array.
        """

    assert tools[0].function("f", f) == (
        "def f(a: _typing.Any, /, b: _typing.Any, axis: " + tools[1].PARAMETERS["axis"] + " = None, *, "
        "keepdims: builtins.bool = False, scale: builtins.float = 1.5, **rest: _typing.Any) -> tombac.ndarray: ...")
    assert inspect.signature(tombac.ndarray.sum).parameters.keys() >= {"self", "axis", "keepdims"}
