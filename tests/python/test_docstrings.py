"""What help() and inspect say: signatures of everything that can be called, docstrings, and their examples."""

import doctest
import importlib
import inspect
import pathlib
import pkgutil
import re
import sys
import warnings

import numpy as np
import pytest
import tombac
import tombacx
from tombac import _core

UFUNCS = sorted({getattr(_core, n).__name__ for n in dir(_core) if isinstance(getattr(_core, n), tombac.ufunc)})
SPECIAL = sorted("special." + name for name in dir(_core.special) if name[0] != "_")

POLYNOMIALS = "chebyshev hermite hermite_e laguerre legendre polynomial polyutils".split()
MODULES = (
    "tombac", "tombac.cublas", "tombac.lib.array_utils", "tombac.lib.scimath", "tombac.linalg", "tombac.polynomial",
    *("tombac.polynomial." + name for name in POLYNOMIALS), "tombac.random", "tombacx",
    "tombacx.cusolver", "tombacx.cusparse", "tombacx.lapack", "tombacx.linalg", "tombacx.linalg.sparse",
    "tombacx.scipy.linalg", "tombacx.scipy.signal", "tombacx.scipy.signal.windows",
    "tombacx.scipy.spatial.distance", "tombacx.scipy.special", "tombacx.scipy.stats",
    "tombacx.scipy.stats.contingency", "tombacx.scipy.ndimage", "tombacx.scipy.interpolate",
    "tombacx.scipy.integrate", "tombacx.scipy.optimize", "tombacx.scipy.optimize.elementwise",
    "tombacx.scipy.sparse", "tombacx.scipy.sparse.csgraph", "tombacx.scipy.sparse.linalg", "tombacx.signal",
)
RAISE_NOTHING = {
    "tombac.clear_memo", "tombac.cublas.get_batched_gesv_limit", "tombac.cublas.set_batched_gesv_limit",
    "tombac.get_array_module", "tombac.get_default_memory_pool",
    "tombac.get_default_pinned_memory_pool", "tombac.geterr",
    "tombac.is_available", "tombac.iscomplexobj", "tombac.isrealobj",
    "tombac.isscalar", "tombac.issctype", "tombac.issubclass_", "tombac.min_scalar_type", "tombac.obj2sctype",
    "tombac.install_as_cupy", "tombac.show_config", "tombac.who", "tombac.random.reset_states",
    "tombacx.get_runtime_info", "tombacx.geterr", "tombacx.scipy.spatial.distance.check_soft_dependencies",
    "tombacx.cusparse.getVersion",
} | {"tombacx.scipy.sparse.is" + name for name in (
    "sparse", "spmatrix", "spmatrix_bsr", "spmatrix_coo", "spmatrix_csc", "spmatrix_csr", "spmatrix_dia",
    "spmatrix_dok", "spmatrix_lil",
)}


def public_functions():
    """(module, name) of every function but ufuncs and NumPy's own, once for those that several modules have."""
    seen = set()
    for module in map(importlib.import_module, MODULES):
        for name in sorted(module.__all__):
            f = getattr(module, name)
            own = str(getattr(f, "__module__", None)).startswith("tombac")
            if callable(f) and own and not isinstance(f, (type, tombac.ufunc)) and id(f) not in seen:
                seen.add(id(f))
                yield module.__name__, name


FUNCTIONS = sorted(public_functions())


def sections(doc):
    """{heading: lines} of a docstring; "" is what comes before the first."""
    found, heading = {"": []}, ""
    for line in doc.splitlines():
        if re.fullmatch(r"[A-Z][a-z]+:", line):
            heading = line
        found.setdefault(heading, []).append(line)
    return found


def described(lines):
    """Names of parameters in a section: `a, b: What they are.`"""
    rows = [re.match(r"    (\w[\w, ]*):", line) for line in lines]
    return {name for row in rows if row for name in row[1].split(", ")}


@pytest.mark.parametrize("module, name", FUNCTIONS)
def test_function(module, name):
    """Whatever has parameters says what each is, what comes back and what may be raised, and shows how it is used."""
    f = getattr(importlib.import_module(module), name)
    doc = inspect.getdoc(f)
    if re.match(r"Another name of|RuntimeError: NumPy 2 has no", doc):
        return
    parts = sections(doc)
    assert re.search(r"[.:]$", doc.split("\n\n")[0]), "the summary is no sentence"
    assert described(parts.get("Args:", [])) == {p for p in inspect.signature(f).parameters if p[0] != "_"}
    assert "Returns:" in parts
    assert ("Raises:" in parts) is (f"{module}.{name}" not in RAISE_NOTHING)
    assert ">>> " in doc


# ---- examples --------------------------------------------------------------------------------------------------------


def run(test):
    """Runs a doctest, in which tombac, tombacx, numpy and the names of its module are known."""
    test.globs |= {"tombac": tombac, "tombacx": tombacx, "numpy": np}
    said = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # names that are deprecated say so
        doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(test, out=said.append)
    assert not said, "".join(said)


def run_examples(name, text):
    test = doctest.DocTestParser().get_doctest(text, {}, name, None, 0)
    assert test.examples
    run(test)


def python_modules():
    for package in (tombac, tombacx):
        for name in [*dir(package), "no_such_name"]:
            hasattr(package, name)  # loads what is loaded when first used
        yield package.__name__
        for module in pkgutil.walk_packages(package.__path__, package.__name__ + "."):
            if module.name not in ("tombac._core", "tombac.libtombac", "tombac.__main__"):
                yield module.name


def doctests():
    """Every docstring with an example: of Python modules, their functions and classes, and of what is in C."""
    for name in python_modules():
        for test in doctest.DocTestFinder(exclude_empty=True).find(importlib.import_module(name), name):
            if test.examples:
                yield pytest.param(test, id=test.name)
    for name, o in sorted(vars(_core).items()):
        owners = [(name, o)] + ([(f"{name}.{n}", m) for n, m in sorted(vars(o).items())] if isinstance(o, type) else [])
        for path, member in owners:
            doc = inspect.getdoc(member) if callable(member) and not isinstance(member, tombac.ufunc) else None
            if isinstance(doc, str) and ">>> " in doc:
                yield pytest.param(doctest.DocTestParser().get_doctest(doc, {}, path, None, 0), id=f"_core.{path}")
    for name in tombac.random.__all__:
        f = getattr(tombac.random, name)
        if ">>> " in (f.__doc__ or "") and not isinstance(f, type):
            test = doctest.DocTestParser().get_doctest(inspect.getdoc(f), {}, name, None, 0)
            yield pytest.param(test, id=f"random.{name}")


@pytest.mark.parametrize("test", list(doctests()))
def test_example(test):
    run(test)


@pytest.mark.parametrize("name", UFUNCS + SPECIAL)
def test_ufunc(name):
    f = getattr(_core if name in UFUNCS else _core.special, name.removeprefix("special."))
    name = f.__name__
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


def test_every_function_has_a_place_on_the_site():
    path = pathlib.Path(__file__).parents[2] / "tools"
    sys.path.insert(0, str(path))
    try:
        import website
    finally:
        sys.path.remove(str(path))
    titles = {title for title, _, _ in website.GROUPS}
    names = website.first_names(tombac)
    assert len(names) > 300 and "poly1d" in names and "add" in names
    assert not [name for name, o in names.items() if website.group_of(name, o) not in titles]


def test_dir_shows_public_names_only():
    names = dir(tombac)
    assert {"add", "ndarray", "linalg", "float32", "poly1d", "pi"} <= set(names) and names == sorted(names)
    assert not [name for name in names if name.startswith("_")]
    assert set(tombac.__all__) <= set(names) and all(hasattr(tombac, name) for name in names)
