"""The cache of compiled kernels on disk: damaged files and folders that cannot be written never harm a program."""

import json
import os
import pathlib
import subprocess
import sys

import numpy as np
import pytest

PROGRAM = r"""
import json, sys
import numpy as np
import tombac as tb
from tombac import config

source = 'extern "C" __global__ void twice(float *x) { x[threadIdx.x] *= 2.5f; }'
x = tb.arange(64, dtype="f")
tb.RawKernel(source, "twice")((1,), (64,), (x,))
y = tb.where(x > 7, tb.sin(x) * 3 - x, x ** 2 + 0.25) + tb.hypot(x, 1)
print(json.dumps({"x": x.get().tolist(), "y": y.get().tolist(), "n": config.counters()}))
"""


def run(folder, **more):
    environment = {**os.environ, "TOMBAC_CACHE_DIR": str(folder), "TOMBAC_COMPILE": "sync", **more}
    done = subprocess.run([sys.executable, "-c", PROGRAM], env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


def check(answer):
    x = np.arange(64, dtype="f") * np.float32(2.5)
    y = np.where(x > 7, np.sin(x) * 3 - x, x**2 + np.float32(0.25)) + np.hypot(x, np.float32(1))
    np.testing.assert_allclose(answer["x"], x, rtol=1e-6)
    np.testing.assert_allclose(answer["y"], y, rtol=2e-6, atol=2e-5)


def files(folder):
    return sorted(p for p in pathlib.Path(folder).rglob("*") if p.is_file())


@pytest.fixture
def filled(tmp_path):
    """A cache with what the program compiles."""
    check(run(tmp_path))
    assert files(tmp_path)
    return tmp_path


def test_a_second_process_compiles_nothing(filled):
    answer = run(filled)
    check(answer)
    assert answer["n"]["compiles"] == 0 and answer["n"]["cache_hits_disk"] >= 1


def flip(data):
    return data[: len(data) // 2] + bytes([data[len(data) // 2] ^ 0x40]) + data[len(data) // 2 + 1 :]


DAMAGE = {
    "one bit in the middle": flip,
    "cut short": lambda data: data[: len(data) * 2 // 3],
    "empty": lambda data: b"",
    "noise": lambda data: np.random.default_rng(0).bytes(len(data)),
    "longer": lambda data: data + b"more",
    "the last byte": lambda data: data[:-1] + bytes([data[-1] ^ 1]),
}


@pytest.mark.parametrize("damage", DAMAGE)
def test_a_damaged_file_is_compiled_again(filled, damage):
    for path in files(filled):
        path.write_bytes(DAMAGE[damage](path.read_bytes()))
    answer = run(filled)
    check(answer)
    assert answer["n"]["compiles"] >= 1 and answer["n"]["cache_hits_disk"] == 0
    check(run(filled))


def test_a_folder_in_the_place_of_a_file(filled):
    for path in files(filled):
        path.unlink()
        path.mkdir()
    check(run(filled))


def test_a_cache_that_cannot_be_made(tmp_path):
    (tmp_path / "file").write_text("in the way")
    answer = run(tmp_path / "file" / "cache")
    check(answer)
    assert (tmp_path / "file").read_text() == "in the way"


@pytest.mark.skipif(os.geteuid() == 0, reason="the superuser may write anywhere")
def test_a_cache_that_may_not_be_written(tmp_path):
    tmp_path.chmod(0o500)
    try:
        check(run(tmp_path))
        assert not files(tmp_path)
    finally:
        tmp_path.chmod(0o700)


def test_files_are_for_the_user_alone(filled):
    for path in files(filled):
        assert path.stat().st_mode & 0o022 == 0
        assert path.parent.stat().st_mode & 0o022 == 0
