"""What a process meets first: versions, the command line, and the environment's variables."""

import importlib.metadata
import os
import subprocess
import sys

import pytest

import tombac as tb
import tombacx


def run(*arguments, **environment):
    clean = {k: v for k, v in os.environ.items() if not k.startswith("TOMBAC_")} | {"TOMBAC_BACKEND": "cpu"}
    paths = {"PYTHONPATH": os.pathsep.join(p for p in sys.path if p)}
    return subprocess.run([sys.executable, *arguments], env=clean | paths | environment, capture_output=True, text=True)


@pytest.mark.parametrize("option", ["--version", "-V"])
def test_version(option):
    done = run("-m", "tombac", option)
    assert (done.returncode, done.stdout) == (0, f"tombac {tb.__version__}\n")
    assert tombacx.__version__ == tb.__version__
    try:
        assert importlib.metadata.version("tombac") == tb.__version__
    except importlib.metadata.PackageNotFoundError:
        pass  # imported from where it was built


@pytest.mark.parametrize("name, value", [
    ("TOMBAC_BACKEND", "gpu"), ("TOMBAC_FUSION", "yes"), ("TOMBAC_COMPILE", "async"), ("TOMBAC_NUM_THREADS", "all"),
    ("TOMBAC_NUM_THREADS", "0"), ("TOMBAC_NUM_THREADS", "2.5"), ("TOMBAC_CPU_DEVICES", "100"),
    ("TOMBAC_CPU_ISA", "sse9"), ("TOMBAC_STREAM_BYTES", "-1"), ("TOMBAC_CACHE_SIZE", "big"),
    ("TOMBAC_BARRIER", "turing"), ("TOMBAC_GPU_MEMORY_LIMIT", "half"), ("TOMBAC_SEED", "-1"), ("TOMBAC_SEED", "x"),
])
def test_a_bad_value_is_an_error_that_names_the_variable(name, value):
    done = run("-c", "import tombac as tb; tb.random.rand(3)", **{name: value})
    assert done.returncode == 1
    last = done.stderr.strip().splitlines()[-1]
    assert last.startswith("ValueError") and name in last and value in last


def test_an_empty_value_counts_as_none():
    names = ("FUSION", "COMPILE", "NUM_THREADS", "CPU_DEVICES", "CPU_ISA", "STREAM_BYTES", "CACHE_SIZE", "BARRIER",
             "GPU_MEMORY_LIMIT", "SEED")
    done = run("-c", "import tombac as tb; tb.random.rand(3)", **{"TOMBAC_" + name: "" for name in names})
    assert done.returncode == 0, done.stderr


def test_nvrtc_is_searched_for_where_the_core_searches(tmp_path):
    code = "from tombac.cuda import nvrtc\ntry: nvrtc.getVersion()\nexcept ImportError as e: print(e)"
    done = run("-c", code, TOMBAC_LIBRARY_PATH=str(tmp_path))
    assert done.returncode == 0, done.stderr
    assert not done.stdout or f"{tmp_path}" in done.stdout and "nvidia-cuda-nvrtc" in done.stdout
