"""Targets (targets.json) held against a run.

On a GPU a target is microseconds (milliseconds for first.* and *_ms, seconds for *_s), set beside what the best peer
took on the host of that day. Hosts differ: what has to hold is the ratio to that peer in one run. So a target is met if
the figure is within the target scaled by what the peer takes now; if it is only within the target as it stands, that is
said. On a CPU a target is how many times faster than a peer.
"""

import json
import pathlib

from peers import TITLES

MET, MISSED = "met", "**missed**"
FILE = pathlib.Path(__file__).resolve().with_name("targets.json")


def figure(data, peer, name):
    value = data["figures"].get(peer, {}).get(name)
    return value if isinstance(value, (int, float)) else None


def gpu_verdict(data, name, target):
    value = figure(data, "tombac", name)
    if value is None:
        return None
    peer = figure(data, target.get("peer"), name)
    bound = target["most"] * peer / target["took"] if peer else target["most"]
    met = value <= bound
    verdict = MET if met else "met as it stands, **missed** as a ratio" if value <= target["most"] else MISSED
    here = f"{bound:.4g} ({TITLES[target['peer']]} {peer:.4g})" if peer else ""
    return {"name": name, "workload": name, "target": f"{target['most']:g}", "here": here, "measured": f"{value:.4g}",
            "met": met, "verdict": verdict}


def cpu_verdict(data, name, target):
    value, peer = figure(data, "tombac", name), figure(data, target["against"], name)
    if not value or not peer:
        return None
    measured = peer / value
    met = round(measured, 2) >= target["times"]
    return {"name": f"{name} against {target['against']}", "workload": name, "target": f"{target['times']:g} times",
            "here": "", "measured": f"{measured:.2f} times", "met": met, "verdict": MET if met else MISSED}


def verdicts(data):
    """One for every target whose workload was measured: name, target, what it comes to here, measured, verdict."""
    table = json.loads(FILE.read_text())
    if data["machine"].get("gpu"):
        found = (gpu_verdict(data, name, target) for name, target in table["gpu"].items())
    else:
        found = (cpu_verdict(data, name, {"against": rule["against"], "times": rule["times"]})
                 for rule in table["cpu"] for name in rule["workloads"])
    return [verdict for verdict in found if verdict]
