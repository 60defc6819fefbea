"""Side by side: every installed peer (numpy, cupy, tombac), one after the other on the same machine, in one run.

Writes bench/results/<machine>.json, figures and the machine they were taken on, and prints them as a Markdown table,
which is also written beside the JSON. Options: --peers a,b  --scale S  --only PART  --output FOLDER  --machine NAME.
On a CPU the scale defaults to 1/16.
"""

import argparse
import importlib.util
import json
import os
import pathlib
import platform
import re
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent


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


def versions(peers):
    code = "import sys, importlib; print(importlib.import_module(sys.argv[1]).__version__)"
    found = {"python": platform.python_version()}
    for peer in peers:
        answer = subprocess.run([sys.executable, "-c", code, peer], capture_output=True, text=True)
        found[peer] = answer.stdout.strip() or "?"
    return found


def run_workloads(script, peer, folder, environment):
    output = folder / f"{peer}.json"
    command = [sys.executable, str(HERE / script), peer, str(output)]
    answer = subprocess.run(command, env=environment, capture_output=True, text=True)
    if answer.returncode:
        print(f"{peer} failed:\n{answer.stderr[-2000:]}", file=sys.stderr)
        return {}
    return json.loads(output.read_text())


def run_cold(peer, folder, environment):
    """Start-up on an empty kernel cache, then on the one that the first run left."""
    cache = folder / f"cache-{peer}"
    environment = dict(environment, CUPY_CACHE_DIR=str(cache), TOMBAC_CACHE_DIR=str(cache))
    figures = {}
    for state in ("empty", "warm"):
        command = [sys.executable, str(HERE / "cold.py"), peer]
        answer = subprocess.run(command, env=environment, capture_output=True, text=True)
        if answer.returncode == 0:
            times = json.loads(answer.stdout.splitlines()[-1])
            figures.update({f"cold_{state}.{name}_s": value for name, value in times.items()})
        else:
            print(f"cold.py {peer} failed:\n{answer.stderr[-1000:]}", file=sys.stderr)
    return figures


def cell(value):
    if value is None:
        return ""
    return "not supported" if isinstance(value, str) else f"{value:,.4g}" if value < 1000 else f"{value:,.0f}"


def ratio(peer, own):
    numbers = all(isinstance(v, (int, float)) for v in (peer, own)) and own
    return f"{peer / own:.2f}" if numbers else ""


def table(data):
    peers = list(data["figures"])
    others = [p for p in peers if p != "tombac"] if "tombac" in peers else []
    names = list(dict.fromkeys(name for peer in peers for name in data["figures"][peer]))
    head = ["workload", *peers, *(f"{p} / tombac" for p in others)]
    lines = ["| " + " | ".join(head) + " |", "| --- |" + " ---: |" * (len(head) - 1)]
    for name in names:
        values = {p: data["figures"][p].get(name) for p in peers}
        ratios = [ratio(values[p], values["tombac"]) for p in others]
        lines.append("| " + " | ".join([name, *(cell(v) for v in values.values()), *ratios]) + " |")
    machine = ", ".join(f"{k}: {v}" for k, v in data["machine"].items() if v)
    version = ", ".join(f"{k} {v}" for k, v in data["versions"].items())
    note = (
        "Medians; `*_s` in seconds, `first.*` in milliseconds, the others in microseconds; `big.*` and `wide.*`: 2^26 "
        "elements times the scale."
    )
    return "\n".join([machine, "", f"{version}; scale {data['scale']:g}. {note}", "", *lines, ""])


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    gpu = gpu_name()
    parser.add_argument("--peers", default="numpy,cupy,tombac")
    parser.add_argument("--scale", type=float, default=1.0 if gpu else 1 / 16)
    parser.add_argument("--only", default="")
    parser.add_argument("--output", type=pathlib.Path, default=HERE / "results")
    parser.add_argument("--machine", default=None)
    options = parser.parse_args()

    peers = [p for p in options.peers.split(",") if importlib.util.find_spec(p)]
    machine = {"gpu": gpu, "cpu": cpu_name(), "cores": os.cpu_count(), "system": platform.system()}
    name = options.machine or re.sub(r"[^a-z0-9]+", "-", (gpu or machine["cpu"]).split(",")[0].lower()).strip("-")
    environment = dict(os.environ, SCALE=str(options.scale), ONLY=options.only)
    figures = {}
    with tempfile.TemporaryDirectory() as scratch:
        for peer in peers:
            figures[peer] = run_workloads("workloads.py", peer, pathlib.Path(scratch), environment)
            if peer != "numpy" and options.only in ("", "kernels"):
                own = dict(environment, CUPY_CACHE_DIR=f"{scratch}/{peer}", TOMBAC_CACHE_DIR=f"{scratch}/{peer}")
                figures[peer] |= run_workloads("kernels.py", peer, pathlib.Path(scratch), own)
            if not options.only:
                figures[peer] |= run_cold(peer, pathlib.Path(scratch), environment)
    data = {"machine": machine, "versions": versions(peers), "scale": options.scale, "figures": figures}
    options.output.mkdir(parents=True, exist_ok=True)
    (options.output / f"{name}.json").write_text(json.dumps(data, indent=1) + "\n")
    text = table(data)
    (options.output / f"{name}.md").write_text(text)
    print(text)


if __name__ == "__main__":
    main()
