"""What help() and inspect say: signatures of everything that can be called, docstrings, and their examples."""

import doctest
import importlib
import inspect

import pytest
import tombac
from tombac import _core

UFUNCS = sorted({getattr(_core, n).__name__ for n in dir(_core) if isinstance(getattr(_core, n), tombac.ufunc)})


def run_examples(name, text):
    """The examples of a docstring, in which tombac, tombacx and numpy are known."""
    names = {"tombac": tombac, "tombacx": importlib.import_module("tombacx"), "numpy": importlib.import_module("numpy")}
    test = doctest.DocTestParser().get_doctest(text, names, name, None, 0)
    assert test.examples
    said = []
    doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(test, out=said.append)
    assert not said, "".join(said)


@pytest.mark.parametrize("name", UFUNCS)
def test_ufunc(name):
    f = getattr(_core, name)
    signature = inspect.signature(f)
    assert list(signature.parameters)[:f.nin] == (["x"] if f.nin == 1 else ["x1", "x2", "x3"][:f.nin])
    assert f.__doc__.startswith(f"{name}{signature}\n\n")
    assert f.__doc__.count("\n\n>>> ") == 1  # its row in python/_core/ufunc_examples.def
    run_examples(name, f.__doc__)


def test_signatures_of_ufuncs_are_those_of_calls():
    x = tombac.array([1.0, 4.0])
    for f, args in ((tombac.sqrt, (x,)), (tombac.add, (x, 1)), (tombac.modf, (x,))):
        bound = inspect.signature(f).bind(*args)
        bound.apply_defaults()
        got, want = f(*bound.args, **bound.kwargs), f(*args)
        assert repr(got) == repr(want)
    assert inspect.signature(tombac.frexp).parameters["out"].default == (None, None)


def test_dir_shows_public_names_only():
    names = dir(tombac)
    assert {"add", "ndarray", "linalg", "float32", "poly1d", "pi"} <= set(names) and names == sorted(names)
    assert not [name for name in names if name.startswith("_")]
    assert set(tombac.__all__) <= set(names) and all(hasattr(tombac, name) for name in names)
