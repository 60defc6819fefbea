"""Names that CuPy or NumPy has and tombac has not: asking for one says so, and the table of CuPy's is no longer than it
has to be."""

import importlib
import subprocess
import sys

import numpy as np
import pytest
import tombac as tb
from tombac import _absent, _absent_names

NAMES = [(module, name) for module, names in _absent_names.NAMES.items() for name in names.split()]
MODULES = _absent_names.MODULES.split()


@pytest.mark.parametrize("module", _absent_names.NAMES)
def test_what_the_table_names_is_not_there(module):
    here = importlib.import_module(module)
    come = [name for name in _absent_names.NAMES[module].split() if hasattr(here, name)]
    assert not come, "is there now: run tools/absent_names.py"


@pytest.mark.parametrize("module", MODULES)
def test_modules_of_the_table_are_not_there(module):
    with pytest.raises(ModuleNotFoundError, match=r"No module named '.*': CuPy has it, tombac does not have it yet"):
        importlib.import_module(module)


@pytest.mark.parametrize("module, name", NAMES)
def test_asking_says_so(module, name):
    here = importlib.import_module(module)
    with pytest.raises(AttributeError, match="CuPy has it, tombac does not have it yet") as caught:
        getattr(here, name)
    assert caught.value.name == name
    assert f"module {module!r} has no attribute {name!r}" in str(caught.value)
    if hasattr(here, "__path__"):
        with pytest.raises(ImportError, match=f"{name}'.*CuPy has it, tombac does not have it yet"):
            exec(f"from {module} import {name}")


@pytest.mark.parametrize("name", sorted(_absent._FROM_NUMPY))
def test_what_numpy_alone_has_is_told_with_what_to_take(name):
    with pytest.raises(AttributeError, match=f"^module 'tombac' has no attribute '{name}': NumPy has it[ ,;]"):
        getattr(tb, name)


def test_every_name_of_numpy_is_here_or_told():
    unknown = [name for name in np.__all__ if not hasattr(tb, name) and name not in _absent._FROM_NUMPY]
    assert not unknown


@pytest.mark.parametrize("module", ["tombac", "tombac.linalg", "tombac.random", "tombac.cuda", "tombac.cuda.nccl",
                                    "tombacx"])
def test_what_nobody_has_is_an_ordinary_error(module):
    here = importlib.import_module(module)
    assert not hasattr(here, "no_such_name")
    with pytest.raises(AttributeError) as caught:
        here.no_such_name
    assert str(caught.value) == f"module {module!r} has no attribute 'no_such_name'"
    with pytest.raises(ImportError, match="^cannot import name 'no_such_name' from '"):
        exec(f"from {module} import no_such_name")
    with pytest.raises(ModuleNotFoundError) as caught:
        importlib.import_module(module + ".no_such_module")
    assert caught.value.name == module + ".no_such_module"


def run(*args):
    return subprocess.run([sys.executable, *args], capture_output=True, text=True, check=True).stdout.split()


def test_the_table_is_not_loaded_before_it_is_asked():
    code = "import sys, tombac, tombac.linalg, tombac.random, tombac.cuda\n" \
           "from tombac import sum, linalg\n" \
           "print([m for m in sys.modules if '_absent' in m])"
    assert run("-c", code) == ["[]"]


def test_programs_that_import_cupy_are_told(tmp_path):
    script = tmp_path / "script.py"
    script.write_text(
        "for line in ('from cupy.cuda.nccl import groupEnd', 'import cupyx.distributed.array',\n"
        "             'from cupy.cuda.nccl import NcclError', 'import cupyx; cupyx.distributed'):\n"
        "    try:\n"
        "        exec(line)\n"
        "    except (ImportError, AttributeError) as e:\n"
        "        print('told' if 'does not have it yet' in str(e) else repr(e))\n")
    assert run("-m", "tombac", str(script)) == ["told"] * 4
