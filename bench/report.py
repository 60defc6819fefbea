"""What a comparison says: the Markdown table of one run, what got slower, and docs/performance.md with its charts.

Run by itself it writes docs/performance.md and the charts again from bench/results:
python bench/report.py [RESULTS [DOCS]]
"""

import json
import pathlib
import sys

import chart
import targets
from peers import TITLES

# By how much a figure has to grow, beyond its spread in both runs, to count as slower.
NOISE = 0.10
UNITS = (
    "`*_s` in seconds, `first.*` and `*_ms` in milliseconds, the others in microseconds; `big.*`, `types.*`, "
    "`shapes.*` and `wide.*`: 2^26 float32 elements times the scale, or as many bytes."
)
GROUPS = {
    "host": "Calls on 1,024 elements",
    "host8": "Calls on 8 elements",
    "big": "Large arrays",
    "order": "Order and statistics, large arrays; _few: calls on 1,024 elements",
    "types": "Other dtypes, as many bytes",
    "shapes": "Awkward shapes",
    "linalg": "Linear algebra, float64; _stack: 256 matrices of 32 rows",
    "fft": "Transforms",
    "ndimage": "An image of 1,024 by 1,024",
    "special": "Special functions of 2^20 numbers",
    "signal": "Filters and spectra of 2^20 samples",
    "sparse": "Sparse matrices of 2^18 rows and 2^22 elements, and solvers for a grid of 256 by 256",
    "kernel": "User kernels, calls on 1,024 elements",
    "wide": "User kernels, large arrays",
    "runtime": "Streams, events, memory",
    "first": "First use of a new kernel, empty cache",
    "cold_empty": "A fresh process, empty kernel cache",
    "cold_warm": "A fresh process, filled kernel cache",
    "start": "Programs that have just started",
}
METHOD = """# Performance

Written by `make bench` ([bench/compare.py](../bench/compare.py)): every library that is installed, one after the other
on the same machine, in one run. The rule:

- the same inputs, made by NumPy, for every library;
- warmed up until nothing is left to compile, and synchronised;
- medians; of several rounds (`--rounds`) the least of their medians, for all alike. On a machine that others are busy
  on, least times (`--least`), again for all alike, and its heading says so;
- every result is really computed: the address of each is asked for, so that what a library defers is enqueued;
- a missed target is listed as missed, with what was tried ([bench/NOTES.md](../bench/NOTES.md)).

What `make bench` measures and how is in [bench/measure.py](../bench/measure.py) and
[bench/workloads.py](../bench/workloads.py), [bench/science.py](../bench/science.py) for what SciPy has; all figures are
in [bench/results](../bench/results). A ratio is the other library's time over tombac's: above 1 tombac is faster.
"""


STATISTICS = {"median": "Medians", "least": "Least times"}


def statistic(data):
    return data.get("statistic", "median")


def number(value):
    return value if isinstance(value, (int, float)) else None


def cell(value):
    if value is None:
        return ""
    return "not supported" if isinstance(value, str) else f"{value:,.4g}" if value < 1000 else f"{value:,.0f}"


def ratio(peer, own):
    peer, own = number(peer), number(own)
    return f"{peer / own:.2f}" if peer is not None and own else ""


def row_names(data):
    return list(dict.fromkeys(name for rows in data["figures"].values() for name in rows))


def markdown(head, rows):
    yield "| " + " | ".join(head) + " |"
    yield "| --- |" + " ---: |" * (len(head) - 1)
    for row in rows:
        yield "| " + " | ".join(row) + " |"


def machine_line(data):
    machine = ", ".join(f"{k}: {v}" for k, v in data["machine"].items() if v)
    version = ", ".join(f"{k} {v}" for k, v in data["versions"].items())
    return f"{machine}. {version}; scale {data['scale']:g}."


def table(data):
    """All figures of one run."""
    peers = list(data["figures"])
    others = [p for p in peers if p != "tombac"] if "tombac" in peers else []
    rows = []
    for name in row_names(data):
        values = {p: data["figures"][p].get(name) for p in peers}
        ratios = [ratio(values[p], values["tombac"]) for p in others]
        rows.append([name, *(cell(v) for v in values.values()), *ratios])
    head = ["workload", *peers, *(f"{p} / tombac" for p in others)]
    return "\n".join([machine_line(data), "", f"{STATISTICS[statistic(data)]}; {UNITS}", "", *markdown(head, rows), ""])


def slower(data, last):
    """Lines that say which of tombac's figures grew since the last recorded run, the worst first."""
    if not last:
        return ["no recorded run of this machine to compare with"]
    if last["scale"] != data["scale"]:
        return [f"the recorded run had scale {last['scale']:g}: only calls on small arrays are compared"] + slower(
            {**data, "figures": {"tombac": small(data)}}, {**last, "scale": data["scale"]})
    now, before = (d["figures"].get("tombac", {}) for d in (data, last))
    spreads = [d.get("spread", {}).get("tombac", {}) for d in (data, last)]
    found = []
    for name in now.keys() & before.keys():
        new, old = number(now[name]), number(before[name])
        if new is None or not old or old <= 0:
            if old and new is None:
                found.append((float("inf"), f"  {name}: {cell(before[name])} -> {now[name]}"))
            continue
        growth = new / old
        if growth > 1 + NOISE + sum(s.get(name, 0) for s in spreads):
            found.append((growth, f"  {name}: {cell(old)} -> {cell(new)} ({growth:.2f} times)"))
    lines = [line for _, line in sorted(found, reverse=True)]
    return [f"slower than the recorded run of this machine: {len(lines)} of {len(now.keys() & before.keys())}", *lines]


def small(data):
    return {k: v for k, v in data["figures"].get("tombac", {}).items() if k.startswith(("host", "kernel", "runtime"))}


def grouped(data):
    """Names by group, in the order of GROUPS."""
    names = row_names(data)
    for group in GROUPS:
        chosen = [n for n in names if n.split(".")[0] == group and n != "host.address"]
        if chosen:
            yield group, chosen


def ratio_table(data, names):
    """tombac's figures, and every peer's as a ratio to it."""
    own = data["figures"]["tombac"]
    peers = [p for p in data["figures"] if p != "tombac" and any(number(data["figures"][p].get(n)) for n in names)]
    rows = [[n, cell(own.get(n)), *(ratio(data["figures"][p].get(n), own.get(n)) for p in peers)] for n in names]
    return markdown(["workload", "tombac", *(TITLES[p] for p in peers)], rows)


def shapes_table(data, names):
    """Times over the memory limit: 1 is the rate of a plain copy."""
    peers = [p for p in data["figures"] if any(number(data["figures"][p].get(n)) for n in names)]
    peers.sort(key=lambda p: p != "tombac")
    rows = []
    for name in names:
        if name in data["bytes"]:
            values = [number(data["figures"][p].get(name)) for p in peers]
            least = targets.limit(data, name)
            rows.append([name, f"{least:,.4g}", *(f"{v / least:.2f}" if v else "" for v in values)])
    return markdown(["time over the limit", "limit, µs", *(TITLES[p] for p in peers)], rows)


def targets_section(data, tried):
    rows = targets.verdicts(data)
    if not rows:
        return
    met = sum(r["met"] for r in rows)
    yield f"### Targets: {met} of {len(rows)} met"
    yield ""
    if data["machine"].get("gpu"):
        yield ("A target was set beside the best peer's figure on another host. It is held to the same ratio to that "
               "peer in this run (`for this run`: what the target comes to), and as it stands where the peer was not "
               "measured.")
    else:
        yield "Targets on the CPU are mostly ratios to a peer in the same run."
    yield ""
    yield from markdown(
        ["workload", "target", "for this run", "measured", "verdict"],
        [[r["name"], r["target"], r["here"], r["measured"], r["verdict"]] for r in rows],
    )
    missed = [r["workload"] for r in rows if not r["met"]]
    backend = "cuda" if data["machine"].get("gpu") else "cpu"
    notes = [(name, tried[backend, name]) for name in dict.fromkeys(missed) if (backend, name) in tried]
    if notes:
        yield from ("", "What was tried for those that are missed:", "")
        yield from (f"- `{name}`: " + "; ".join(lines) for name, lines in notes)
    yield ""


def machine_section(name, data, tried, chart_name):
    gpu, cpu = (data["machine"].get(k) for k in ("gpu", "cpu"))
    title = gpu.split(",")[0] if gpu else f"{cpu}, {data['machine']['cores']} cores"
    yield from (f"## {title}", "", machine_line(data) + f" {STATISTICS[statistic(data)]}.", "")
    yield from (f"![Ratios to each peer; right of the line tombac is faster]({chart_name})", "")
    yield from targets_section(data, tried)
    table = data.get("ufuncs")
    if table:
        yield from ("### Elementwise functions against NumPy", "", *ufunc_summary(name, table), "")
    functions = data.get("functions")
    if functions:
        yield from ("### All functions against NumPy: the slowest", "", *host_functions(functions), "",
                    f"All cases: [the table](../bench/results/{name}-functions.md).", "")
    for group, names in grouped(data):
        yield from (f"### {GROUPS[group]}", "")
        if group == "shapes":
            yield ("Time over what the workload's bytes take at the rate of a plain copy by the fastest peer: 1 is the "
                   "memory limit.")
            yield from ("", *shapes_table(data, names), "")
        else:
            yield from (*ratio_table(data, names), "")


def ufunc_rows(rows):
    """The lines of ufuncs.py's table."""
    peers = [p for p in ("torch", "numexpr") if any(p in r for r in rows)]
    head = ["function", "dtype", "layout", "NumPy, ms", "tombac, ms", "ratio", *(f"{TITLES[p]}, ms" for p in peers)]
    times = ("numpy", "tombac", "ratio", *peers)
    lines = [[r["function"], r["dtype"], r["layout"], *(f"{r[t]:.3g}" if t in r else "" for t in times)] for r in rows]
    return markdown(head, lines)


def ufunc_summary(name, table):
    machine = table["machine"]
    yield (f"{machine['size']} elements, every elementwise function, NumPy and tombac by turns in one process, the "
           "least time of each. A ratio is tombac's time over NumPy's: below 1 tombac is faster. Slower: by more than "
           "5%, and of how many that the library has. "
           f"All rows: [the table](../bench/results/{name}-ufuncs.md).")
    yield ""
    yield from markdown(
        ["dtype, layout", "functions", "median ratio", "slower than NumPy", "than PyTorch", "than numexpr", "slowest"],
        [[f"{s['dtype']}, {s['layout']}", str(s["count"]), f"{s['median']:.2f}", str(s["slower"]),
          s["slower_than_torch"], s["slower_than_numexpr"], s["worst"]] for s in table["summary"]],
    )


def host_functions(table):
    """The lines of host_functions.py's table: counts by size, then the rows that it has."""
    yield ("Every function that NumPy has too, by turns in one process, the least time of each. A ratio is tombac's "
           "time over NumPy's: below 1 tombac is faster. Slower: by more than 5%.")
    yield ""
    yield from markdown(
        ["elements", "cases", "median ratio", "slower than NumPy", "1.5 times faster"],
        [[f"{s['size']:,}", str(s["count"]), f"{s['median']:.2f}", str(s["slower"]), str(s["half_as_fast_again"])]
         for s in table["summary"]],
    )
    yield ""
    yield from markdown(
        ["case", "dtype", "elements", "NumPy, µs", "tombac, µs", "ratio"],
        [[f"`{r['case']}`", r["dtype"], f"{r['size']:,}", cell(r["numpy"]), cell(r["tombac"]), f"{r['ratio']:.2f}"]
         for r in table["rows"]],
    )


def what_was_tried(path):
    """(backend, workload): what bench/NOTES.md says was tried, under `## CUDA` and `## CPU`."""
    tried, backend = {}, ""
    for line in path.read_text().splitlines() if path.exists() else ():
        if line.startswith("## "):
            backend = line.split()[1].lower()
        cells = [c.strip() for c in line.strip().strip("|").split(" | ")]
        if line.startswith("|") and len(cells) == 5 and not set(cells[0]) <= set("- "):
            for workload in cells[0].replace("`", "").split(", "):
                tried.setdefault((backend, workload), []).append(f"{cells[1]} ({cells[4]})")
    return tried


def write(results, docs):
    """docs/performance.md and a chart for every machine in results."""
    tried = what_was_tried(results.parent / "NOTES.md")
    lines = [METHOD]
    runs = {path.stem: json.loads(path.read_text()) for path in sorted(results.glob("*.json"))}
    for name, data in sorted(runs.items(), key=lambda item: not item[1]["machine"].get("gpu")):
        if "tombac" in data.get("figures", {}):
            data.setdefault("bytes", {})
            picture = f"performance-{name}.svg"
            (docs / picture).write_text(chart.svg(data))
            lines += machine_section(name, data, tried, picture)
    (docs / "performance.md").write_text("\n".join(lines).rstrip() + "\n")


if __name__ == "__main__":
    here = pathlib.Path(__file__).resolve().parent
    folders = [pathlib.Path(a) for a in sys.argv[1:]]
    write(folders[0] if folders else here / "results", folders[1] if folders[1:] else here.parent / "docs")
