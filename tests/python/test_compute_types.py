"""How exactly products may be computed: what was chosen is told, whoever chose it; numbers of the CPU stay the same."""

import os
import subprocess
import sys
import threading

import numpy as np
import pytest

import tombac as tb
from tombac import _core, config

KINDS = ["default", "pedantic", "fp16", "fp32", "fp64", "bf16", "tf32"]


@pytest.fixture(autouse=True)
def unset():
    yield
    for code in "efd":
        _core.set_compute_type(code, _core.COMPUTE_TYPE_TBD)


@pytest.mark.parametrize("code", "efdFD")
def test_each_kind(code):
    for number, kind in enumerate(KINDS, 1):
        before = config.compute_type(code)
        with config.compute_type(code, kind):
            assert config.compute_type(code) == kind
            assert _core.get_compute_type(np.dtype(code)) == number
            name = f"COMPUTE_TYPE_{kind.upper()}"
            assert getattr(_core._routines_linalg, name) == number and _core.compute_type_to_str(number) == name
        assert config.compute_type(code) == before
        config.compute_type(code, kind)
        assert config.compute_type(code) == kind


@pytest.mark.parametrize("one, same, other", [("f", "F", "d"), ("D", "d", "F"), ("e", "e", "f")])
def test_dtypes_of_one_width_share_a_choice(one, same, other):
    _core.set_compute_type(one, _core.COMPUTE_TYPE_PEDANTIC)
    assert config.compute_type(same) == "pedantic" and config.compute_type(other) == "default"


def test_threads_share_a_choice():
    seen = []
    config.compute_type("f", "bf16")
    thread = threading.Thread(target=lambda: seen.append(config.compute_type("f")))
    thread.start()
    thread.join()
    assert seen == ["bf16"]


@pytest.mark.parametrize("code", "efdFD")
@pytest.mark.parametrize("shape", [(70, 80, 90), (3, 40, 50, 60)], ids=str)
@pytest.mark.parametrize("kind", KINDS)
def test_products_of_numbers_that_every_kind_holds(code, shape, kind):
    rng = np.random.default_rng(0)
    *batch, m, k, n = shape
    x, y = (rng.integers(-1, 2, s).astype(code) for s in ((*batch, m, k), (*batch, k, n)))
    with config.compute_type(code, kind):
        np.testing.assert_array_equal((tb.array(x) @ tb.array(y)).get(), x @ y)


@pytest.mark.skipif(config.backend() != "cpu", reason="a GPU's library may round")
def test_numbers_of_the_cpu_stay_the_same():
    x = tb.sin(tb.arange(90 * 90, dtype="f")).reshape(90, 90)
    want = (x @ x).get()
    for kind in KINDS:
        with config.compute_type("f", kind):
            assert (x @ x).get().tobytes() == want.tobytes()


@pytest.mark.skipif("emulated" not in os.environ.get("TOMBAC_LIBRARY_PATH", ""), reason="a library may keep all bits")
@pytest.mark.parametrize("shape", [(100, 100), (2, 100, 100), (30, 1 << 16)], ids=str)
def test_what_was_chosen_reaches_cublas(shape):
    """The emulated one drops bits when it is asked for TF32."""
    x = tb.full(shape, 1 + 2.0**-12, "f")
    y = x.swapaxes(-1, -2)
    exact, kept = shape[-1] * (1 + 2.0**-12) ** 2, shape[-1]
    np.testing.assert_allclose((x @ y).get(), exact, 1e-6)
    with config.compute_type("f", "tf32"):
        np.testing.assert_allclose((x @ y).get(), kept, 1e-6)
    np.testing.assert_allclose((x @ y).get(), exact, 1e-6)


@pytest.mark.parametrize("call, error, says", [
    (lambda: _core.set_compute_type("f", 8), ValueError, "8"),
    (lambda: _core.set_compute_type("f", -1), ValueError, "-1"),
    (lambda: _core.set_compute_type("i", 1), TypeError, "int32"),
    (lambda: _core.set_compute_type("V8", 1), TypeError, "V8"),
    (lambda: _core.set_compute_type("f"), TypeError, "argument"),
    (lambda: _core.get_compute_type("?"), TypeError, "bool"),
    (lambda: _core.compute_type_to_str(99), ValueError, "99"),
    (lambda: config.compute_type("l"), TypeError, "int64"),
    (lambda: config.compute_type("f", "tf33"), ValueError, "tf33"),
    (lambda: config.compute_type("f", 3), ValueError, "3"),
    (lambda: config.compute_type("i", "tf32"), TypeError, "int32"),
], ids=range(11))
def test_bad_choices(call, error, says):
    with pytest.raises(error, match=says):
        call()
    assert config.compute_type("f") == "default"


ENVIRONMENT = """
import tombac as tb
print(tb.config.compute_type("f"), tb.config.compute_type("F"), tb.config.compute_type("d"))
tb.install_as_cupy()
print(tb.config.compute_type("f"))
tb.config.compute_type("f", "default")
print(tb.config.compute_type("f"))
"""


@pytest.mark.parametrize("variables, said", [
    ({}, "default default default\ndefault\ndefault\n"),
    ({"TOMBAC_TF32": "1"}, "tf32 tf32 default\ntf32\ndefault\n"),
    ({"TOMBAC_TF32": "0", "CUPY_TF32": "1"}, "default default default\ndefault\ndefault\n"),
    ({"CUPY_TF32": "1"}, "default default default\ntf32\ndefault\n"),
    ({"CUPY_TF32": "0"}, "default default default\ndefault\ndefault\n"),
], ids=range(5))
def test_the_environment_says_what_holds_at_first(variables, said):
    kept = {k: v for k, v in os.environ.items() if not k.endswith("_TF32")}
    run = subprocess.run([sys.executable, "-c", ENVIRONMENT], env=kept | variables, capture_output=True, text=True)
    assert run.stdout == said, run.stderr
