"""Side by side: every installed peer on the same machine, in one run.

Measures NumPy, numexpr, PyTorch, JAX, CuPy and tombac, those that are installed, prints what got slower than the last
recorded run of this machine, and writes bench/results/<machine>.json (figures, spreads, versions, the machine),
bench/results/<machine>.md (the same as a table) and docs/performance.md with its charts.

Options: --peers a,b      --only PART[,PART...]  --match TEXT (a part of the workloads' names)  --scale S  --rounds N
         --quick          --device auto|cpu      --machine NAME       --output FOLDER (then no docs are written)
         --least (least times in place of medians, for all alike: on a machine that others are busy on)
Parts: host, host8, big, order, types, shapes (workloads.py), linalg, fft, ndimage, special, signal, sparse
(science.py), kernels (kernels.py), cold (cold.py), start (startup.py), and on the CPU ufuncs (ufuncs.py) and functions
(host_functions.py).
With --only or --match, what was measured replaces its rows in the recorded run. On a CPU the scale defaults to 1/4.
With several rounds a figure is the least of the rounds' medians, which is what other users of a shared machine leave
intact, for every peer alike.
"""

import argparse
import json
import os
import pathlib
import platform
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

import peers as known
import report
import science

HERE = pathlib.Path(__file__).resolve().parent
WORKLOADS = ("host", "host8", "big", "order", "types", "shapes", *science.GROUPS)
ON_CPU = ("ufuncs", "functions")
PARTS = (*WORKLOADS, "kernels", "cold", "start", *ON_CPU)
# Parts whose rows do not begin with the part's name.
PREFIXES = {"kernels": ("kernel.", "runtime.", "first.", "wide."), "cold": ("cold_",)}
CUPY_LIKE = ("cupy", "tombac")
WORST = 30  # rows of all functions that the page has


def gpu_name():
    if not shutil.which("nvidia-smi"):
        return None
    query = ["nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader"]
    answer = subprocess.run(query, capture_output=True, text=True)
    return answer.stdout.splitlines()[0].strip() if answer.returncode == 0 and answer.stdout else None


def cpu_name():
    try:
        with open("/proc/cpuinfo") as file:
            return next(line.split(":", 1)[1].strip() for line in file if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.machine()


class Run:
    """What has been measured so far. Of a figure that is measured again, the lesser one stays."""

    def __init__(self, environment, scratch):
        self.environment, self.scratch = environment, scratch
        self.figures, self.spread, self.bytes, self.versions = {}, {}, {}, {}

    def script(self, script, *arguments, label=None, **environment):
        """Runs a script of this folder; the path of its output file is its last argument. None if it failed."""
        label = label or f"{script} {arguments[0]}"
        output = self.scratch / "output.json"
        output.unlink(missing_ok=True)
        begin = time.monotonic()
        command = [sys.executable, str(HERE / script), *map(str, arguments)]
        command[3:3] = [str(output)]
        answer = subprocess.run(command, env={**self.environment, **environment}, capture_output=True, text=True)
        print(f"{label}: {time.monotonic() - begin:.0f} s", file=sys.stderr, flush=True)
        if answer.returncode:
            print(f"{label} failed:\n{answer.stderr[-2000:]}", file=sys.stderr)
            return None
        return json.loads(output.read_text())

    def add(self, peer, figures, spread=None):
        known_figures, known_spread = self.figures.setdefault(peer, {}), self.spread.setdefault(peer, {})
        for name, value in figures.items():
            before = known_figures.get(name)
            if isinstance(before, (int, float)) and isinstance(value, (int, float)):
                gap = abs(value - before) / max(min(value, before), 1e-9)
                known_figures[name] = min(before, value)
                known_spread[name] = round(max(known_spread.get(name, 0), (spread or {}).get(name, 0), gap), 3)
            else:
                known_figures[name] = value if before is None or not isinstance(value, str) else before
                if spread and name in spread:
                    known_spread[name] = spread[name]

    def workloads(self, peer, parts):
        data = self.script("measure.py", peer, *parts)
        if data:
            self.versions[peer] = data["version"]
            self.bytes |= data["bytes"]
            for owner, figures in data["figures"].items():
                self.add(owner, figures, data["spread"].get(owner))

    def kernels(self, peer):
        cache = str(self.scratch / f"kernels-{peer}")
        self.add(peer, self.script("kernels.py", peer, CUPY_CACHE_DIR=cache, TOMBAC_CACHE_DIR=cache) or {})

    def cold(self, peer):
        """Start-up on an empty kernel cache, then on the one that the first run left: there the median of three."""
        cache = str(self.scratch / f"cold-{peer}")
        for state, times in (("empty", 1), ("warm", 3)):
            runs = [self.script("cold.py", peer, label=f"cold.py {peer} ({state})", CUPY_CACHE_DIR=cache,
                                TOMBAC_CACHE_DIR=cache) or {} for _ in range(times)]
            self.add(peer, {f"cold_{state}.{name}_s": statistics.median(run[name] for run in runs if name in run)
                            for name in runs[0]})
        shutil.rmtree(cache, ignore_errors=True)

    def start(self, peer):
        """Medians of three processes, those with and without fusion in turn, all on an empty kernel cache."""
        cache = self.scratch / f"start-{peer}"
        modes = {"1": "start.", "0": "start.unfused_"} if peer == "tombac" else {"1": "start."}
        found = {}
        for _ in range(3):
            for fusion, prefix in modes.items():
                run = self.script("startup.py", peer, label=f"startup.py {peer} (fusion {fusion})",
                                  TOMBAC_FUSION=fusion, CUPY_CACHE_DIR=str(cache), TOMBAC_CACHE_DIR=str(cache))
                shutil.rmtree(cache, ignore_errors=True)
                for name, value in (run or {}).items():
                    found.setdefault(prefix + name, []).append(value)
        self.add(peer, {name: statistics.median(values) for name, values in found.items()})


def measure(options, peers, parts, run):
    for turn in range(options.rounds):
        for peer in peers:
            chosen = [p for p in parts if p in WORKLOADS]
            if peer == "numpy" and not options.device_is_cpu:
                chosen = [p for p in chosen if p.startswith("host")]  # the rest takes minutes, and says nothing new
            if chosen:
                run.workloads(peer, chosen)
            if "kernels" in parts and peer in CUPY_LIKE:
                run.kernels(peer)
            if turn == 0 and "cold" in parts and peer in ("numpy", *CUPY_LIKE):
                run.cold(peer)
            if turn == 0 and "start" in parts and peer in ("numpy", *CUPY_LIKE):
                run.start(peer)


def ufuncs(options, run):
    """Every elementwise function against NumPy."""
    size = ["--size", str(1 << 16 if options.quick else 1 << 24), "--seconds", "0" if options.quick else "0.15"]
    only = ["--only", options.match] if options.match else []
    return run.script("ufuncs.py", "--json", *size, *only, label="ufuncs.py")


def functions(options, run):
    """Every function against NumPy, on few elements and on many."""
    size = ["--sizes", "1024" if options.quick else f"1024,{1 << 24}", "--seconds", "0" if options.quick else "0.05"]
    only = ["--only", options.match] if options.match else []
    return run.script("host_functions.py", "--json", *size, *only, label="host_functions.py")


def merged(data, last, parts, match):
    """The last run with the rows of these parts replaced."""
    prefixes = tuple(p for part in parts for p in PREFIXES.get(part, (part + ".",)))

    def keep(name):
        return not (name.startswith(prefixes) and (not match or match in name))

    for key in ("figures", "spread"):
        for peer, rows in last.get(key, {}).items():
            kept = {name: value for name, value in rows.items() if keep(name)}
            data[key][peer] = kept | data[key].get(peer, {})
    for key in ("versions", "bytes"):
        data[key] = last.get(key, {}) | data[key]
    for key in ON_CPU:
        if key in last:
            data.setdefault(key, last[key])
    return data


def listed(text):
    return [part for part in text.split(",") if part]


def parse():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--peers", type=listed, default=list(known.LIBRARIES))
    parser.add_argument("--only", type=listed, default=[], help="of " + ", ".join(PARTS))
    parser.add_argument("--match", default="", help="a part of the workloads' names")
    parser.add_argument("--scale", type=float)
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--quick", action="store_true", help="small sizes, few samples: does it run?")
    parser.add_argument("--least", action="store_true", help="least times in place of medians")
    parser.add_argument("--device", choices=("auto", "cpu"), default="auto")
    parser.add_argument("--machine")
    parser.add_argument("--output", type=pathlib.Path)
    options = parser.parse_args()
    for part in options.only:
        if part not in PARTS:
            parser.error(f"--only: {part} is none of {', '.join(PARTS)}")
    return options


def main():
    options = parse()
    gpu = gpu_name() if options.device == "auto" else None
    options.device_is_cpu = gpu is None
    machine = {"gpu": gpu, "cpu": cpu_name(), "cores": os.cpu_count(), "system": platform.system()}
    name = (gpu or f"{machine['cpu']} {machine['cores']} cores").split(",")[0].lower()
    name = options.machine or re.sub(r"[^a-z0-9]+", "-", name).strip("-")
    scale = options.scale or ((1 / 64 if options.quick else 1 / 4) if gpu is None else 1 / 16 if options.quick else 1)
    parts = options.only or [p for p in PARTS if gpu is None or p not in ON_CPU]
    peers = known.installed(options.peers)
    environment = dict(os.environ, SCALE=str(scale), ONLY=options.match, BUDGET="0.05" if options.quick else "0.4",
                       XLA_PYTHON_CLIENT_PREALLOCATE="false", LEAST=str(int(options.least)))
    if options.device == "cpu":
        environment |= {"CUDA_VISIBLE_DEVICES": "", "TOMBAC_BACKEND": "cpu", "JAX_PLATFORMS": "cpu"}
    begin = time.monotonic()
    with tempfile.TemporaryDirectory() as scratch:
        run = Run(environment, pathlib.Path(scratch))
        measure(options, peers, parts, run)
        table = ufuncs(options, run) if "ufuncs" in parts else None
        all_functions = functions(options, run) if "functions" in parts else None
    data = {"machine": machine, "taken": time.strftime("%Y-%m-%d"), "scale": scale, "rounds": options.rounds,
            "statistic": "least" if options.least else "median",
            "seconds": round(time.monotonic() - begin),
            "versions": {"python": platform.python_version(), **run.versions},
            "figures": run.figures, "spread": run.spread, "bytes": run.bytes}
    if table:
        rows = table.pop("rows")
        data["ufuncs"] = {**table, "slower": [r for r in rows if r["ratio"] > 1.05]}
    if all_functions:
        data["functions"] = {**all_functions, "rows": all_functions["rows"][:WORST]}
    order = list(known.TITLES)
    data["figures"] = {peer: data["figures"][peer] for peer in sorted(data["figures"], key=order.index)}

    folder = options.output or HERE / "results"
    recorded = HERE / "results" / f"{name}.json"
    last = json.loads(recorded.read_text()) if recorded.exists() else None
    print("\n".join(report.slower(data, last)), file=sys.stderr)
    if last and (options.only or options.match) and last["scale"] == scale and not options.output:
        data = merged(data, last, parts, options.match)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{name}.json").write_text(json.dumps(data, indent=1) + "\n")
    if table:
        (folder / f"{name}-ufuncs.md").write_text("\n".join(report.ufunc_rows(rows)) + "\n")
    if all_functions:
        (folder / f"{name}-functions.md").write_text("\n".join(report.host_functions(all_functions)) + "\n")
    text = report.table(data)
    (folder / f"{name}.md").write_text(text)
    if not options.output and not options.quick:
        report.write(HERE / "results", HERE.parent / "docs")
    print(text)
    print("\n".join(report.slower(data, last)))


if __name__ == "__main__":
    main()
