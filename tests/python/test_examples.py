"""The example of user kernels, and the examples in the documentation: all of them run as they stand."""

import os
import pathlib
import re
import runpy
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]


def test_kernels():
    done = subprocess.run([sys.executable, ROOT / "examples" / "kernels.py"], capture_output=True, text=True,
                          env={**os.environ, "PYTHONPATH": os.pathsep.join(p for p in sys.path if p)})
    assert done.returncode == 0, done.stderr
    assert "agree with NumPy" in done.stdout


def blocks(page):
    text = (ROOT / page).read_text(encoding="utf-8")
    return re.findall(r"^```python\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("page", ["README.md", "docs/kernels.md"])
def test_page(page, tmp_path):
    """The blocks of a page are one program. It is run from a file, since kernels in Python need their source."""
    program = tmp_path / "page.py"
    program.write_text("\n".join(blocks(page)), encoding="utf-8")
    runpy.run_path(str(program))


def test_every_environment_variable_is_documented():
    named = set(re.findall(r"^\| `(TOMBAC_[A-Z_]+)`", (ROOT / "docs" / "environment.md").read_text(), re.MULTILINE))
    read = set()
    for folder, ending in (("src", "*.c"), ("python", "*.py"), ("python", "*.c")):
        for file in (ROOT / folder).rglob(ending):
            read |= set(re.findall(r"(?:getenv\(|environ\.get\(|\.name = )\"(TOMBAC_[A-Z_]+)\"", file.read_text()))
    assert named == read
