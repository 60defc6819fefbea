"""libtombac as a C programmer finds it installed (`make package`; TOMBAC_PREFIX is where): which files there are, and
programs that are built with it by pkg-config and by CMake, shared and static, from where it was moved to."""

import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
HERE = ROOT / "tests" / "package"
CC = shlex.split(os.environ.get("CC", "cc"))
VERSION = re.search(r'TB_VERSION "([\d.]+)"', (ROOT / "include/tombac/tombac.h").read_text())[1]
MAJOR = VERSION.split(".")[0]
ON_CPU = {**os.environ, "TOMBAC_BACKEND": "cpu"}


@pytest.fixture(scope="session")
def prefix():
    folder = os.environ.get("TOMBAC_PREFIX")
    if not folder:
        pytest.skip("TOMBAC_PREFIX does not say where libtombac is installed: run `make package`")
    return pathlib.Path(folder)


@pytest.fixture(scope="session")
def library(prefix):
    """The folder of libtombac.so."""
    (found,) = prefix.rglob("libtombac.so")
    return found.parent


def need(*tools):
    for tool in tools:
        if not shutil.which(tool):
            pytest.skip(f"{tool} is not installed")


def run(*command, **more):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=300, **more)
    assert done.returncode == 0, f"{command}\n{done.stdout}{done.stderr}"
    return done.stdout


def run_program(program, folder=None):
    environment = dict(ON_CPU)
    environment.pop("LD_LIBRARY_PATH", None)
    if folder:
        environment["LD_LIBRARY_PATH"] = str(folder)
    assert run(program, env=environment) == f"{VERSION} 5050\n"


def needed(program):
    need("readelf")
    return set(re.findall(r"NEEDED.*\[(.*)\]", run("readelf", "-d", program)))


def pkg_config(library, *arguments):
    need("pkg-config")
    return shlex.split(run("pkg-config", *arguments, "tombac",
                           env={**os.environ, "PKG_CONFIG_PATH": str(library / "pkgconfig")}))


def with_static(flags):
    return ["-l:libtombac.a" if flag == "-ltombac" else flag for flag in flags]


def test_files(prefix, library):
    found = {str(p.relative_to(prefix)) for p in prefix.rglob("*") if not p.is_dir()}
    lib = library.relative_to(prefix)
    assert found == {
        *(f"include/tombac/{header.name}" for header in (ROOT / "include" / "tombac").iterdir()),
        *(f"{lib}/{name}" for name in (
            "libtombac.so", f"libtombac.so.{MAJOR}", f"libtombac.so.{VERSION}", "libtombac.a", "pkgconfig/tombac.pc",
            "cmake/tombac/tombacConfig.cmake", "cmake/tombac/tombacConfigVersion.cmake")),
    }


def test_symbols(library):
    need("nm")
    run("python3", ROOT / "tools" / "symbols.py", library / "libtombac.so")


def test_it_links_little(library):
    """The C library alone; no vendor's, no Python's, none of C++."""
    assert {name.split(".")[0] for name in needed(library / "libtombac.so")} <= {
        "libc", "libm", "libdl", "libpthread", "ld-linux-x86-64", "ld-linux-aarch64"}


def test_pkg_config_shared(library, tmp_path):
    flags = pkg_config(library, "--cflags", "--libs")
    run(*CC, HERE / "program.c", "-Wall", "-Werror", *flags, "-o", tmp_path / "program")
    assert f"libtombac.so.{MAJOR}" in needed(tmp_path / "program")
    run_program(tmp_path / "program", library)


def test_cpp(library, tmp_path):
    need("c++")
    flags = pkg_config(library, "--cflags", "--libs")
    run("c++", "-std=c++11", HERE / "program.cc", "-Wall", "-Wextra", "-pedantic", "-Werror", *flags, "-o",
        tmp_path / "program")
    run_program(tmp_path / "program", library)


def test_pkg_config_static(library, tmp_path):
    flags = with_static(pkg_config(library, "--static", "--cflags", "--libs"))
    run(*CC, HERE / "program.c", *flags, "-o", tmp_path / "program")
    assert not any("tombac" in name for name in needed(tmp_path / "program"))
    run_program(tmp_path / "program")


def test_a_plug_in_with_the_static_library_stays(library, tmp_path):
    flags = with_static(pkg_config(library, "--static", "--libs"))
    at = flags.index("-l:libtombac.a")
    flags[at:at + 1] = ["-Wl,--whole-archive", flags[at], "-Wl,--no-whole-archive"]
    run(*CC, "-shared", *flags, "-o", tmp_path / "plugin.so")
    run(*CC, f"-I{ROOT}/include", f"-I{ROOT}/tests/c", ROOT / "tests/c/test_unload.c", "-o", tmp_path / "program",
        "-pthread", "-ldl")
    run(tmp_path / "program", tmp_path / "plugin.so", env=ON_CPU)


def cmake(prefix, folder, target, wanted=VERSION):
    need("cmake")
    generator = ["-G", "Ninja"] if shutil.which("ninja") else []
    run("cmake", "-S", HERE, "-B", folder, *generator, f"-DCMAKE_PREFIX_PATH={prefix}", f"-DWANTED={wanted}",
        f"-DTARGET={target}", f"-DCMAKE_C_COMPILER={shutil.which(CC[-1])}")
    run("cmake", "--build", folder)
    return folder / "program"


@pytest.fixture(scope="session")
def moved(prefix, tmp_path_factory):
    folder = tmp_path_factory.mktemp("elsewhere") / "moved"
    shutil.copytree(prefix, folder, symlinks=True)
    return folder


def test_cmake_shared(moved, tmp_path):
    program = cmake(moved, tmp_path, "tombac::tombac")
    assert f"libtombac.so.{MAJOR}" in needed(program)
    run_program(program)


def test_cmake_static(moved, tmp_path):
    program = cmake(moved, tmp_path, "tombac::static")
    assert not any("tombac" in name for name in needed(program))
    run_program(program)


@pytest.mark.parametrize("wanted", [MAJOR, ".".join(VERSION.split(".")[:2]), ""])
def test_cmake_takes_versions_that_it_serves(prefix, tmp_path, wanted):
    need("cmake")
    cmake(prefix, tmp_path, "tombac::tombac", wanted)


@pytest.mark.parametrize("wanted", ["9.0", f"{MAJOR}.999", f"{VERSION}.1"])
def test_cmake_refuses_versions_that_it_does_not_serve(prefix, tmp_path, wanted):
    need("cmake")
    with pytest.raises(AssertionError, match="[Cc]ompatible|requested version"):
        cmake(prefix, tmp_path, "tombac::tombac", wanted)


# ---- what the documentation tells to type ----------------------------------------------------------------------------


def documented(beginning):
    """Indented lines of the pages that begin so."""
    pages = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
    lines = [line for page in pages for line in page.read_text(encoding="utf-8").splitlines()]
    found = sorted({line.strip().split("  #")[0] for line in lines if line.startswith("    " + beginning)})
    assert found, beginning
    return found


@pytest.mark.parametrize("command", documented("cc program.c"))
def test_documented_commands(library, tmp_path, command):
    need("pkg-config", "sh")
    shutil.copy(HERE / "program.c", tmp_path)
    words = command.replace("cc ", shlex.join(CC) + " ", 1) + " -o program"
    run("sh", "-c", words, cwd=tmp_path, env={**os.environ, "PKG_CONFIG_PATH": str(library / "pkgconfig")})
    run_program(tmp_path / "program", None if "--static" in command else library)


@pytest.mark.parametrize("found", documented("find_package"))
@pytest.mark.parametrize("linked", documented("target_link_libraries"))
def test_documented_cmake(prefix, tmp_path, found, linked):
    need("cmake")
    shutil.copy(HERE / "program.c", tmp_path)
    (tmp_path / "CMakeLists.txt").write_text("cmake_minimum_required(VERSION 3.13)\nproject(program C)\n"
                                             f"{found}\nadd_executable(program program.c)\n{linked}\n")
    generator = ["-G", "Ninja"] if shutil.which("ninja") else []
    run("cmake", "-S", tmp_path, "-B", tmp_path / "build", *generator, f"-DCMAKE_PREFIX_PATH={prefix}")
    run("cmake", "--build", tmp_path / "build")
    run_program(tmp_path / "build" / "program")


LENGTH = "the length of (2, 3, 6) is 7"


def test_the_example_in_ctypes(library):
    said = run(sys.executable, ROOT / "examples/ctypes_arrays.py", library / "libtombac.so", env=ON_CPU)
    assert said == LENGTH + ".0\n"


def test_the_example_in_rust(library, tmp_path):
    need("rustc")
    run("rustc", "-O", "-D", "warnings", ROOT / "examples/rust/arrays.rs", *pkg_config(library, "--libs-only-L"),
        "-o", tmp_path / "arrays")
    assert run(tmp_path / "arrays", env={**ON_CPU, "LD_LIBRARY_PATH": str(library)}) == LENGTH + "\n"
