"""The checks of includes: tools/lint.py refuses what points up, on a tree made for it and on this one, and what comes
before Python.h. And that of the public header, which has a comment for whatever it declares."""

import importlib.util
import pathlib
import sys

import pytest

ROOT = pathlib.Path(__file__).parents[2]


@pytest.fixture(scope="module")
def lint():
    sys.path.insert(0, str(ROOT / "tools"))
    spec = importlib.util.spec_from_file_location("lint", ROOT / "tools" / "lint.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    yield module
    sys.path.remove(str(ROOT / "tools"))


HEADERS = ("src/base/error.h", "src/plan/plan.h", "src/graph/expr.h", "src/ops/array_ops.h", "src/runtime/runtime.h",
           "src/backend/backend.h", "src/backend/cpu/plans/block.h", "src/backend/gpu/gpu.h",
           "src/backend/cuda/device.h", "include/tombac/tombac.h")


@pytest.mark.parametrize("path, line, wanted", [
    ("src/ops/view.c", '#include "graph/expr.h"', None),
    ("src/ops/view.c", '#include "array_ops.h"', None),
    ("src/graph/eval.c", '#include "backend/backend.h"', None),
    ("src/backend/cuda/launch.c", '#include "backend/gpu/gpu.h"', None),
    ("src/base/shape.c", '#include "tombac/tombac.h"', None),
    ("python/_core/ufunc.c", '#include "tombac/tombac.h"', None),
    ("python/_core/memory.c", 'tbpy_import(&f, "tombac._core", "clip")', None),
    ("tests/c/test_array.c", '#include "graph/expr.h"', None),
    ("src/graph/eval.c", '#include "ops/array_ops.h"', "src/ops is above it"),
    ("src/graph/eval.c", '#  include "../runtime/runtime.h"', "src/runtime is above it"),
    ("src/backend/pool.c", '#include "graph/expr.h"', "src/graph is above it"),
    ("src/backend/gpu/tier.c", '#include "backend/cuda/device.h"', "src/backend/cuda is above it"),
    ("src/backend/cuda/fill.c", '#include "backend/cpu/plans/block.h"', "src/backend/cpu is beside it"),
    ("src/backend/cpu/gemm.c", '#include "backend/cuda/device.h"', "src/backend/cuda is beside it"),
    ("src/plan/plan.c", '#include "backend/backend.h"', "src/backend is above it"),
    ("python/_core/take.c", 'PyImport_ImportModule("tombac")', "imports tombac,"),
    ("python/_core/take.c", 'if (!tbpy_import(&f, "tombac._indexing", "take"))', "imports tombac._indexing"),
])
def test_arrows_point_down(lint, tmp_path, path, line, wanted):
    for header in HEADERS:
        (tmp_path / header).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / header).write_text("")
    found = list(lint.upward(tmp_path, path, f"/* a file */\n{line}\n"))
    if wanted is None:
        assert found == []
    else:
        [(number, text)] = found
        assert number == 2 and wanted in text


def test_every_source_has_a_layer(lint):
    sources = [path.relative_to(ROOT).as_posix() for path in (ROOT / "src").rglob("*.[ch]")]
    assert len(sources) > 100
    assert [path for path in sources if lint.layer_of(path) is None] == []


@pytest.mark.parametrize("text, line", [
    ('#include "core.h"\n#include <math.h>', None),
    ('#include <Python.h>\n#include <math.h>', None),
    ('#include "plain.h"\n#include <math.h>', None),
    ('#include <math.h>\n#include "core.h"', 1),
    ('\n#include "plain.h"\n#include "core.h"', 2),
])
def test_python_is_included_first(lint, tmp_path, text, line):
    folder = tmp_path / "python" / "_core"
    folder.mkdir(parents=True)
    (folder / "core.h").write_text("#include <Python.h>\n")
    (folder / "plain.h").write_text("#include <stdint.h>\n")
    assert [number for number, _ in lint.late(tmp_path, "python/_core/take.c", text)] == ([line] if line else [])
    assert list(lint.late(tmp_path, "src/ops/take.c", text)) == []


HEADER = """#include <stdint.h>
#define TB_ONE 1 /* a number */
#define TB_TWO 2
typedef struct tb_thing tb_thing; /* a handle */

/* Kinds of things. */
typedef enum tb_sort {
    TB_SORT_A, /* the first */
    TB_SORT_B,
    TB_NSORT /* how many */
} tb_sort;

/* What is asked. */
typedef struct tb_args {
    int n;           /* how many */
    double low, high; /* bounds */
    tb_thing *thing;
} tb_args;
/* Both of these, a reader may think. */
TB_API int tb_first(int a);
TB_API int tb_second(int a);
TB_API int tb_third(int a, /* a parameter's */
                    int b); /* Its own. */
"""


def test_every_declaration_has_a_comment(lint, tmp_path):
    path = tmp_path / "a.h"
    path.write_text(HEADER)
    assert list(lint.uncommented(lint.header.read(path))) == ["TB_TWO", "tb_sort.TB_SORT_B", "tb_args.thing",
                                                              "tb_second"]


def test_this_header_is_commented(lint):
    items = lint.header.read()
    assert sum(item.kind == "function" for item in items) > 200
    assert list(lint.uncommented(items)) == []
