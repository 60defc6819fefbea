"""The cache of compiled kernels on disk: damaged files and folders that cannot be written never harm a program."""

import fcntl
import json
import os
import pathlib
import shutil
import socket
import subprocess
import sys
import time

import numpy as np
import pytest

from tombac import config

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


def link_to_pipe(path):
    os.mkfifo(path.with_suffix(".pipe"))
    path.symlink_to(path.with_suffix(".pipe"))


def link_to_copy(path):
    """Of an entry that is all right, but not where the cache writes."""
    path.symlink_to(path.with_suffix(".copy"))


IMPOSTORS = {
    "a folder": lambda path: path.mkdir(),
    "a full folder": lambda path: (path / "in").mkdir(parents=True),
    "a pipe": os.mkfifo,
    "a socket": lambda path: socket.socket(socket.AF_UNIX).bind(str(path)),
    "a link to nothing": lambda path: path.symlink_to("nowhere"),
    "a link to itself": lambda path: path.symlink_to(path),
    "a link to a pipe": link_to_pipe,
    "a link to a device": lambda path: path.symlink_to("/dev/zero"),
    "a link to a file": link_to_copy,
}


@pytest.mark.parametrize("impostor", IMPOSTORS)
def test_what_is_no_file_in_the_place_of_one(filled, impostor, monkeypatch):
    monkeypatch.chdir(filled)  # a socket's path is short
    for path in files(filled):
        shutil.copy(path, path.with_suffix(".copy"))
        path.unlink()
        IMPOSTORS[impostor](path.relative_to(filled))
    answer = run(filled)
    check(answer)
    assert answer["n"]["compiles"] >= 1 and answer["n"]["cache_hits_disk"] == 0
    if impostor != "a full folder":
        assert run(filled)["n"]["compiles"] == 0


def test_what_a_dead_process_left_in_the_cache_goes(tmp_path):
    old, new = tmp_path / ".tmp-1-0", tmp_path / ".tmp-1-1"
    for path in old, new:
        path.write_text("half a kernel")
    os.utime(old, (0, 0))
    check(run(tmp_path))
    assert not old.exists() and new.exists()


def test_a_full_disk(tmp_path):
    """The program computes; who asks is told."""
    program = "import resource, signal\nsignal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n" + PROGRAM.replace(
        "print(json", "x + 1; resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))\n"
        "z = tb.ElementwiseKernel('T x', 'T y', 'y = x + 5', 'five')\n"
        "try: z(x)\nexcept ImportError as e: print(e)\nprint(json")
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True,
                          env={**os.environ, "TOMBAC_CACHE_DIR": str(tmp_path), "TOMBAC_COMPILE": "sync"})
    assert done.returncode == 0, done.stderr
    check(json.loads(done.stdout.splitlines()[-1]))
    if config.backend() == "cpu":
        assert "cannot be written" in done.stdout and "File too large" in done.stdout


# ---- temporary folders: only where the host's compiler needs them ----

ON_CPU = pytest.mark.skipif(config.backend() != "cpu", reason="the CPU backend's compiler")


@ON_CPU
def test_folders_that_nobody_owns_are_cleared(tmp_path):
    temporary = tmp_path / "tmp"
    names = ["tombac-aaaaaa", "tombac-bbbbbb", "tombac-cccccc", "tombac-toolong", "other-aaaaaa"]
    for name in names:
        (temporary / name / "include").mkdir(parents=True)
        (temporary / name).chmod(0o700)
        (temporary / name / "kernel.cpp").write_text("")
    (temporary / "tombac-bbbbbb").chmod(0o755)  # not one of ours
    (temporary / "tombac-dddddd").symlink_to(tmp_path / "elsewhere")
    os.mkfifo(temporary / "tombac-eeeeee")
    (tmp_path / "elsewhere").mkdir(mode=0o700)
    held = os.open(temporary / "tombac-cccccc", os.O_RDONLY)
    fcntl.flock(held, fcntl.LOCK_EX)
    check(run(tmp_path / "cache", TMPDIR=str(temporary)))
    left = sorted(p.name for p in temporary.iterdir())
    assert left == sorted(["tombac-dddddd", "tombac-eeeeee", *names[1:]])
    assert (tmp_path / "elsewhere").exists()
    os.close(held)
    check(run(tmp_path / "cache", TMPDIR=str(temporary)))
    assert not (temporary / "tombac-cccccc").exists()


@ON_CPU
def test_a_kill_in_the_middle_of_a_compilation(tmp_path):
    """What is being compiled elsewhere at that time goes on."""
    temporary, compiler = tmp_path / "tmp", tmp_path / "slow"
    temporary.mkdir()
    compiler.write_text('#!/bin/sh\ntouch "$0.started.$$"\nwhile [ ! -e "$0.go" ]; do sleep 0.1; done\nexec c++ "$@"\n')
    compiler.chmod(0o700)
    environment = {**os.environ, "TOMBAC_CACHE_DIR": str(tmp_path / "cache"), "TMPDIR": str(temporary),
                   "TOMBAC_CXX": str(compiler)}

    def start():
        return subprocess.Popen([sys.executable, "-c", PROGRAM], env=environment, stdout=subprocess.PIPE, text=True)

    def folders(n):
        while len(list(tmp_path.glob("slow.started.*"))) < n:
            time.sleep(0.05)
        return {p for p in temporary.iterdir() if p.is_dir()}

    first = start()
    theirs = folders(1)
    second = start()
    others = folders(2) - theirs
    assert len(theirs) == 1 and len(others) == 1
    first.kill()
    first.wait()
    check(run(tmp_path / "cache", TMPDIR=str(temporary)))
    assert others == {p for p in temporary.iterdir() if p.is_dir()}
    (tmp_path / "slow.go").touch()
    check(json.loads(second.communicate()[0].splitlines()[-1]))
    assert not list(temporary.glob("tombac-*"))


@ON_CPU
@pytest.mark.parametrize("folder", ["missing", "file", "long" * 100])
def test_temporary_folders_that_cannot_be_made(tmp_path, folder):
    (tmp_path / "file").write_text("")
    program = """
import tombac as tb
k = tb.RawKernel('extern "C" __global__ void f() {}', "f")
try: k((1,), (1,), ())
except (ImportError, ValueError) as e: print(e)
print(int((tb.arange(4) + 1).sum()))
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True,
                          env={**os.environ, "TMPDIR": str(tmp_path / folder),
                               "TOMBAC_CACHE_DIR": str(tmp_path / "cache")})
    message, total = done.stdout.splitlines()
    assert "TMPDIR" in message and str(tmp_path / folder) in message and total == "10"


@ON_CPU
def test_a_temporary_folder_with_a_strange_name(tmp_path):
    folder = tmp_path / "it's a \"folder\" $(touch x) @x\n-o"
    folder.mkdir()
    check(run(tmp_path / "cache", TMPDIR=str(folder)))
    assert not list(folder.iterdir())


@ON_CPU
def test_the_compiler_s_environment(tmp_path):
    """Nothing that the cache's names do not cover gets into a kernel, and no file is written that nobody asked for."""
    (tmp_path / "include").mkdir()
    (tmp_path / "include" / "mine.h").write_text("#define N 7")
    program = """
import tombac as tb
source = '#include "mine.h"\\nextern "C" __global__ void f(int *x) { *x = N; }'
try: tb.RawModule(code=source).get_function("f")((1,), (1,), (tb.zeros(1, "i"),))
except tb.cuda.compiler.CompileException: print("not found")
x = tb.zeros(1, "i")
tb.RawModule(code=source, options=("-I%s",)).get_function("f")((1,), (1,), (x,))
print(int(x[0]))
""" % (tmp_path / "include")
    environment = {"CPATH": str(tmp_path / "include"), "CPLUS_INCLUDE_PATH": str(tmp_path / "include"),
                   "DEPENDENCIES_OUTPUT": str(tmp_path / "one"), "SUNPRO_DEPENDENCIES": str(tmp_path / "two"),
                   "CCC_OVERRIDE_OPTIONS": "+-o" + str(tmp_path / "three"), "TOMBAC_CACHE_DIR": str(tmp_path / "cache")}
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True,
                          env={**os.environ, **environment})
    assert done.stdout.split("\n")[:2] == ["not found", "7"], done.stderr
    assert sorted(p.name for p in tmp_path.iterdir()) == ["cache", "include"]


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
