"""CuPy's interface: every name of tools/cupy_api.txt is here or known to be absent, signatures take what CuPy's take,
and docs/api-parity.md says so. And what the comparison of signatures finds."""

import inspect
import pathlib
import subprocess
import sys

import pytest
from tombac import _core

TOOLS = pathlib.Path(__file__).parents[2] / "tools"


@pytest.mark.skipif(sys.version_info[:2] != (3, 11), reason="made with Python 3.11")
def test_check():
    done = subprocess.run([sys.executable, TOOLS / "parity.py", "--check"], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.fixture(scope="module")
def tools():
    sys.path.insert(0, str(TOOLS))
    import parity
    import signatures

    yield parity, signatures
    sys.path.remove(str(TOOLS))


@pytest.mark.parametrize("theirs, own, differences, more", [
    ("(a, axis=None)", "a, axis=None, *, where=None", [], ["where"]),
    ("(a, dtype=float)", "a, dtype='float64'", [], []),
    ("(*args, **kwargs)", "x, y=1", [], []),
    ("(a, b)", "a", ["no `b`"], []),
    ("(a, b)", "a, c", ["`b` is named `c`"], []),
    ("(a, b=1)", "a, b=2", ["`b=2`, not `1`"], []),
    ("(a, b=1)", "a, b", ["`b` is required"], []),
    ("(a)", "a, /", ["`a` by position only"], []),
    ("(a)", "a, b", ["`b` is required besides"], []),
    ("(a, *, out=None)", "a", ["no `out`"], []),
    ("(a, b=None)", "a, *, b=None", ["`b` by keyword only"], []),
    ("(self, a)", "self, a", [], []),
])
def test_signatures(tools, theirs, own, differences, more):
    assert tools[1].compare(theirs, inspect.signature(eval(f"lambda {own}: None"))) == (differences, more)


def test_findings(tools, monkeypatch):
    """What --check is for: names that vanish, signatures that come to differ, reasons that outlive their cause."""
    parity = tools[0]

    def said(table):
        return "\n".join(parity.findings([parity.Module("tombac.lib.stride_tricks", table)]))

    monkeypatch.setattr(parity, "DIFFERENT", {})
    monkeypatch.setattr(parity, "ABSENT_MEMBERS", {})
    assert said({"as_strided": ("function", "(x, shape=None, strides=None)", {})}) == ""
    assert "no_such_name is neither here" in said({"no_such_name": ("function", None, {})})
    assert "as_strided: no `order`: mend it" in said({"as_strided": ("function", "(x, *, order='K')", {})})
    assert "tombac.nowhere is neither" in "\n".join(
        parity.findings([parity.Module("tombac.nowhere", {"x": ("data", None, {})})]))
    monkeypatch.setattr(parity, "DIFFERENT", {"tombac.lib.stride_tricks.as_strided": "a reason"})
    assert "differs no longer" in said({"as_strided": ("function", "(x)", {})})


def test_members(tools):
    parity = tools[0]
    assert parity.has_member(_core.ndarray, "sum") and not parity.has_member(_core.ndarray, "no_such_name")
    module = parity.Module("tombac", {"ndarray": ("class", None, {"sum": ("function", "(self, axes=None)"),
                                                                  "nothing": ("data", None)})})
    assert module.lacking == {"ndarray": ["nothing"]} and "ndarray.sum" in module.different


def test_one_argument_by_name():
    import tombac as tb

    x = tb.array([0.0, 2.0])
    assert tb.nonzero(a=x)[0].tolist() == [1] and tb.argwhere(a=x).tolist() == [[1]]
    x.fill(value=3)
    assert x.tolist() == [3, 3]
    event, stream = tb.cuda.Event(), tb.cuda.Stream()
    event.record()
    stream.wait_event(event=event)
    for call in (x.fill, lambda: tb.nonzero(x, x), lambda: tb.argwhere(b=x), lambda: stream.wait_event(stream=event)):
        with pytest.raises(TypeError, match=r"\(\)"):
            call()
