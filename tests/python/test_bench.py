"""What the benchmarks say of figures: what got slower, which targets are met, the chart. Nothing is timed here."""

import json
import pathlib
import sys
import xml.etree.ElementTree as ElementTree

import pytest

BENCH = pathlib.Path(__file__).resolve().parents[2] / "bench"
sys.path.insert(0, str(BENCH))

chart = pytest.importorskip("chart", reason="the benchmarks are not there: an installed package is tested by itself")
compare, report, targets = (__import__(name) for name in ("compare", "report", "targets"))


def run(figures, gpu="NVIDIA H200, 580", spread=None, scale=1.0):
    return {"machine": {"gpu": gpu, "cpu": "a processor", "cores": 2}, "versions": {"tombac": "0.1"}, "scale": scale,
            "figures": figures, "spread": spread or {}, "bytes": {}}


def test_slower_says_what_grew_beyond_noise_and_spread():
    before = run({"tombac": {"host.add": 1.0, "host.sin": 1.0, "host.sum": 1.0, "big.add": 100.0, "big.any": 5.0}})
    figures = {"host.add": 1.05, "host.sin": 1.3, "host.sum": 1.3, "big.add": 300.0, "big.any": "TypeError"}
    now = run({"tombac": figures}, spread={"tombac": {"host.sum": 0.4}})
    first, *lines = report.slower(now, before)
    assert "3 of 5" in first
    assert [line.split(":")[0].strip() for line in lines] == ["big.any", "big.add", "host.sin"]
    assert "3.00 times" in lines[1]
    assert report.slower(before, before) == ["slower than the recorded run of this machine: 0 of 5"]
    assert "no recorded run" in report.slower(now, None)[0]


def test_slower_compares_only_small_arrays_across_scales():
    before, now = (run({"tombac": {"host.add": 1.0, "big.add": b}}, scale=s) for b, s in ((100.0, 1.0), (900.0, 2.0)))
    assert not any("big.add" in line for line in report.slower(now, before))


def test_a_target_is_held_to_the_ratio_to_its_peer():
    table = json.loads(targets.FILE.read_text())["gpu"]["big.add"]
    most, took = table["most"], table["took"]

    def verdict(own, peer):
        figures = {"tombac": {"big.add": own}} | ({"torch": {"big.add": peer}} if peer else {})
        (found,) = [v for v in targets.verdicts(run(figures)) if v["name"] == "big.add"]
        return found

    assert verdict(most, None)["met"] and verdict(most, took)["met"] and verdict(1.9 * most, 2 * took)["met"]
    halfway = verdict(0.9 * most, 0.8 * took)
    assert not halfway["met"] and "met as it stands" in halfway["verdict"]
    assert verdict(1.2 * most, took)["verdict"] == targets.MISSED


def test_shapes_are_held_to_the_rate_of_a_copy():
    data = run({"tombac": {"shapes.copy": 80.0, "shapes.sum_3_last": 59.0}, "torch": {"shapes.copy": 100.0}})
    data["bytes"] = {"shapes.copy": 800, "shapes.sum_3_last": 400}
    (found,) = [v for v in targets.verdicts(data) if v["name"] == "shapes.sum_3_last"]
    assert found["met"] and targets.limit(data, "shapes.sum_3_last") == 40
    data["figures"]["tombac"]["shapes.sum_3_last"] = 61.0
    assert [v["met"] for v in targets.verdicts(data) if v["name"] == "shapes.sum_3_last"] == [False]


def test_targets_on_a_cpu_are_ratios():
    data = run({"numpy": {"big.sum": 3.0, "host.add": 0.9}, "tombac": {"big.sum": 2.0, "host.add": 1.0}}, gpu=None)
    assert {v["name"]: v["met"] for v in targets.verdicts(data)} == {"big.sum": True, "host.add": False}


def test_every_target_names_a_workload_that_is_measured():
    tables = json.loads(targets.FILE.read_text())
    sources = ("workloads.py", "science.py", "kernels.py", "cold.py", "startup.py", "measure.py")
    text = "".join((BENCH / f).read_text() for f in sources)
    names = {*tables["gpu"], *tables["cpu"], *(n for rule in tables["cpu_ratios"] for n in rule["workloads"])}
    for name in names:
        group, _, workload = name.partition(".")
        if group == "types":
            workload = workload.rsplit("_", 1)[0]
        if group != "shapes" and group != "import_s":
            assert workload.removesuffix("_s") in text, name


def test_part_of_a_run_replaces_its_rows_only():
    last = run({"tombac": {"host.add": 1.0, "big.add": 5.0, "kernel.raw": 2.0}, "numpy": {"host.add": 3.0}})
    part = run({"tombac": {"host.add": 2.0}})
    merged = compare.merged(part, last, ["host"], "")
    assert merged["figures"] == {"tombac": {"host.add": 2.0, "big.add": 5.0, "kernel.raw": 2.0}, "numpy": {}}


def test_chart_and_page(tmp_path):
    data = run({"tombac": {"host.add": 1.0, "big.add": 2.0}, "cupy": {"host.add": 0.5, "big.add": "TypeError: <no>"},
                "torch": {"host.add": 30.0}})
    root = ElementTree.fromstring(chart.svg(data))
    tips = [e.text for e in root.iter("{http://www.w3.org/2000/svg}title")]
    assert "add: PyTorch takes 30.00 times as long" in tips and "add: CuPy takes 0.50 times as long" in tips
    results, docs = tmp_path / "bench" / "results", tmp_path / "docs"
    results.mkdir(parents=True)
    docs.mkdir()
    (results / "here.json").write_text(json.dumps(data))
    (results.parent / "NOTES.md").write_text("## CUDA\n\n| host.add | a shorter path | 1 | 2 | dropped |\n")
    report.write(results, docs)
    page = (docs / "performance.md").read_text()
    assert "performance-here.svg" in page and (docs / "performance-here.svg").exists()
    assert "| host.add | 1 | 0.50 | 30.00 |" in page


@pytest.mark.parametrize("group", ["linalg", "fft", "ndimage", "special", "signal", "sparse"])
def test_workloads_of_science_are_calls_that_both_libraries_know(monkeypatch, group):
    science, peers = __import__("science"), __import__("peers")
    assert group in science.GROUPS and group in compare.PARTS and group in report.GROUPS
    small = {"SIDES": (8,), "STACK": (3, 4), "IMAGES": (2, 8, 8), "IMAGE": 48, "MANY": 1 << 10, "ROWS": 64, "EACH": 4,
             "GRID": 6}
    for name, value in small.items():
        monkeypatch.setattr(science, name, value)
    shapes = []
    for library in ("numpy", "tombac"):
        peer = peers.make(library)
        calls = science.calls(group, peer, science.arrays(group, peer))
        results = {name: call() for name, call in calls.items()}
        shapes.append({name: getattr(result, "shape", None) for name, result in results.items()})
    assert shapes[0] == shapes[1]


# ---- every function beside NumPy's -----------------------------------------------------------------------------------

# What reads and writes text and files, and what takes microseconds of Python in both libraries.
NOT_TIMED = set("""
amax amin array2string array_repr array_str base_repr binary_repr dsplit format_float_positional iterable load loadtxt
format_float_scientific from_dlpack frombuffer fromfile fromiter fromregex fromstring genfromtxt get_printoptions
geterr isdtype issubdtype mintypecode printoptions row_stack save savetxt savez savez_compressed set_printoptions
seterr show_config typename unique_all
""".split())


def test_every_function_that_numpy_has_is_timed():
    host_functions = __import__("host_functions")
    assert set(host_functions.absent()) <= NOT_TIMED


def test_cases_are_calls_that_both_libraries_know():
    host_functions, host_cases = __import__("host_functions"), __import__("host_cases")
    assert "xp.sort(x)" in host_cases.cases("float32") and not host_cases.cases("float128")
    operands = host_functions.Operands("float32", 1024)
    case = host_functions.Case("xp.sort(rows, axis=1)", "float32", 1024, operands.names("xp.sort(rows, axis=1)"))
    case.compile()
    assert [timed(range(2)) > 0 for timed in case.loops] == [True, True]


def test_the_table_of_functions_has_counts_and_rows():
    row = {"case": "xp.sort(x)", "dtype": "float32", "size": 1024, "numpy": 2.0, "tombac": 1.0, "ratio": 0.5}
    summary = {"size": 1024, "count": 7, "slower": 3, "half_as_fast_again": 2, "median": 0.4}
    text = "\n".join(report.host_functions({"summary": [summary], "rows": [row]}))
    assert "| 1,024 | 7 | 0.40 | 3 | 2 |" in text
    assert "| `xp.sort(x)` | float32 | 1,024 | 2 | 1 | 0.50 |" in text
