"""The example of user kernels, and the examples in the documentation, in Python, C and C++: all run as they stand. How
to build programs with the library is tried by tests/package."""

import os
import pathlib
import re
import runpy
import shlex
import shutil
import subprocess
import sys

import pytest

import tombac

ROOT = pathlib.Path(__file__).resolve().parents[2]


def test_kernels():
    done = subprocess.run([sys.executable, ROOT / "examples" / "kernels.py"], capture_output=True, text=True,
                          env={**os.environ, "PYTHONPATH": os.pathsep.join(p for p in sys.path if p)})
    assert done.returncode == 0, done.stderr
    assert "agree with NumPy" in done.stdout


def blocks(page):
    text = (ROOT / page).read_text(encoding="utf-8")
    return re.findall(r"^```python\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


PAGES = ["README.md", *sorted(f"docs/{path.name}" for path in (ROOT / "docs").glob("*.md"))]
PYTHON_PAGES = ["README.md", "docs/kernels.md"]
NEIGHBOURS_PAGE = "docs/neighbours.md"  # each block a program of its own, of a library that may not be there
C_PAGE = "docs/c-api.md"  # C, and C++ in blocks of their own


@pytest.mark.parametrize("page", PAGES)
def test_every_block_is_run(page):
    """A block has a language, which is one that is run on that page; what is no program is indented."""
    fences = re.findall(r"^ *```(.*)$", (ROOT / page).read_text(encoding="utf-8"), re.MULTILINE)
    assert not any(fences[1::2]) and len(fences) % 2 == 0
    python = page in (*PYTHON_PAGES, NEIGHBOURS_PAGE)
    assert set(fences[::2]) <= ({"python"} if python else {"c", "cpp"} if page == C_PAGE else set())
    assert fences or page not in PYTHON_PAGES


@pytest.mark.parametrize("page", PAGES)
def test_commands(page):
    """The Makefile's targets and meson's options that a page names in what is to be typed."""
    text = (ROOT / page).read_text(encoding="utf-8")
    makefile, options = (ROOT / "Makefile").read_text(), (ROOT / "meson.options").read_text()
    for target in re.findall(r"^    make (\w[\w-]*)", text, re.MULTILINE):
        assert re.search(rf"^{target}:", makefile, re.MULTILINE), target
    for option in re.findall(r"meson setup[^`\n]* -D(\w+)=", text):
        assert f"option('{option}'" in options, option


@pytest.mark.parametrize("page", PYTHON_PAGES)
def test_page(page, tmp_path):
    """The blocks of a page are one program. It is run from a file, since kernels in Python need their source."""
    program = tmp_path / "page.py"
    program.write_text("\n".join(blocks(page)), encoding="utf-8")
    runpy.run_path(str(program))


def imported(block):
    """The modules that a block begins with, but for tombac."""
    return [name for name in re.findall(r"^(?:import|from) ([\w.]+)", block, re.MULTILINE) if name != "tombac"]


@pytest.mark.parametrize("block", blocks(NEIGHBOURS_PAGE), ids=lambda block: "-".join(imported(block)))
def test_neighbours_page(block, tmp_path):
    """In a process each: some of the libraries look at the environment when they are imported."""
    for name in imported(block):
        pytest.importorskip("mpi4py.MPI" if name == "mpi4py" else name, reason=f"{name} is not installed",
                            exc_type=ImportError)
    program = tmp_path / "block.py"
    program.write_text(block, encoding="utf-8")
    done = subprocess.run([sys.executable, "-W", "ignore", program], capture_output=True, text=True,
                          env={**os.environ, "PYTHONPATH": os.pathsep.join(p for p in sys.path if p)})
    assert done.returncode == 0, done.stderr


def c_program(text):
    """The ```c blocks of a page as one program. Those that begin with `static` or `#` stand outside of functions; the
    others are statements, one function a section. What the examples made is to be given back by the end."""
    outside, calls = "", ""
    for number, section in enumerate(re.split(r"^## ", text, flags=re.MULTILINE)):
        statements = ""
        for block in re.findall(r"^```c\n(.*?)^```$", section, re.MULTILINE | re.DOTALL):
            if block.startswith(("static", "#")):
                outside += f"{block}\n"
            else:
                statements += block
        if statements:
            outside += f"static void section_{number}(void)\n{{\n{statements}}}\n\n"
            calls += f"    section_{number}();\n"
    return f"""{outside}int main(void)
{{
    tb_pool_stats stats;
{calls}    CHECK(tb_pool_statistics(NULL, 0, &stats, sizeof stats));
    if (stats.used_bytes) fprintf(stderr, "%zu bytes are in use at the end\\n", stats.used_bytes);
    return stats.used_bytes != 0;
}}
"""


def test_c_page(tmp_path):
    """The C manual, with the library that the package has."""
    compiler = shlex.split(os.environ.get("CC", "cc"))
    library = pathlib.Path(tombac.__file__).parent
    if not shutil.which(compiler[0]) or not (library / "libtombac.so").exists():
        pytest.skip("a C compiler and libtombac.so are needed")
    text = c_program((ROOT / "docs" / "c-api.md").read_text(encoding="utf-8"))
    assert text.count("static void section_") > 8
    (tmp_path / "page.c").write_text(text, encoding="utf-8")
    made = subprocess.run([*compiler, "-std=c11", "-Wall", "-Wextra", "-Werror", tmp_path / "page.c",
                           f"-I{ROOT / 'include'}", f"-L{library}", "-ltombac", f"-Wl,-rpath,{library}", "-pthread",
                           "-o", tmp_path / "page"], capture_output=True, text=True)
    assert made.returncode == 0, made.stderr
    done = subprocess.run([tmp_path / "page"], capture_output=True, text=True, timeout=300, cwd=tmp_path,
                          env={**os.environ, "TOMBAC_FUSION": "1"})
    assert done.returncode == 0, done.stderr


def test_cpp_blocks(tmp_path):
    """The blocks in C++, each in a function of its own."""
    compiler = shlex.split(os.environ.get("CXX", "c++"))
    library = pathlib.Path(tombac.__file__).parent
    if not shutil.which(compiler[0]) or not (library / "libtombac.so").exists():
        pytest.skip("a C++ compiler and libtombac.so are needed")
    blocks = re.findall(r"^```cpp\n(.*?)^```$", (ROOT / C_PAGE).read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    assert blocks
    functions = "".join(f"static void block_{i}()\n{{\n{block}}}\n\n" for i, block in enumerate(blocks))
    calls = "".join(f"    block_{i}();\n" for i in range(len(blocks)))
    (tmp_path / "page.cc").write_text(f"#include <tombac/tombac.hpp>\n\n{functions}int main()\n{{\n{calls}}}\n")
    made = subprocess.run([*compiler, "-std=c++11", "-Wall", "-Wextra", "-Werror", "-Wno-unused-variable",
                           tmp_path / "page.cc", f"-I{ROOT / 'include'}", f"-L{library}", "-ltombac",
                           f"-Wl,-rpath,{library}", "-o", tmp_path / "page"], capture_output=True, text=True)
    assert made.returncode == 0, made.stderr
    done = subprocess.run([tmp_path / "page"], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr


def test_every_environment_variable_is_documented():
    named = set(re.findall(r"^\| `(TOMBAC_[A-Z_]+)`", (ROOT / "docs" / "environment.md").read_text(), re.MULTILINE))
    read = set()
    for folder, ending in (("src", "*.c"), ("python", "*.py"), ("python", "*.c")):
        for file in (ROOT / folder).rglob(ending):
            read |= set(re.findall(r"(?:getenv\(|environ\.get\(|\.name = )\"(TOMBAC_[A-Z_]+)\"", file.read_text()))
    assert named == read
