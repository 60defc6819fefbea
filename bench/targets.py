"""Targets (targets.json) held against a run.

`most` is in microseconds (milliseconds for first.* and *_ms, seconds for *_s), set beside what the best peer took on
the host of that day. Hosts differ: what has to hold is the ratio to that peer in one run. So a target is met if the
figure is within the target scaled by what the peer takes now; if it is only within the target as it stands, that is
said. Other targets are relative: `like` is the target of another workload, `than` another figure of the run, `limit`
the time of a plain copy of as many bytes, or of the smallest call (limit below). Those of `cpu_ratios` are how many
times faster than a peer.
"""

import json
import pathlib

from peers import TITLES

MET, MISSED = "met", "**missed**"
FILE = pathlib.Path(__file__).resolve().with_name("targets.json")


def figure(data, peer, name):
    value = data["figures"].get(peer, {}).get(name)
    return value if isinstance(value, (int, float)) else None


def limit(data, name):
    """Microseconds that the bytes of a workload take at the rate of a plain copy by the fastest peer of the run; not
    less than a sum of 1,024 elements takes."""
    copies = [n for n in ("shapes.copy", "shapes.copy_small") if n in data["bytes"]]
    copy = min(copies, key=lambda n: abs(data["bytes"][n] / 2 - data["bytes"][name]))
    times = [figure(data, peer, copy) for peer in data["figures"]]
    calls = [figure(data, peer, "host.sum") for peer in data["figures"]]
    moving = min(t for t in times if t) * data["bytes"][name] / data["bytes"][copy]
    return max(moving, min((t for t in calls if t), default=0))


def bounds(data, table, name):
    """What a target allows as it stands (None: it is relative), what it comes to in this run, and by what."""
    target = table[name]
    if "limit" in target:
        return None, target["limit"] * limit(data, name), f"{target['limit']:g} times the memory's limit"
    if "than" in target:
        return None, target["within"] * (figure(data, "tombac", target["than"]) or 0), target["than"]
    if "like" in target:
        most, here, by = bounds(data, table, target["like"])
        return most * target["within"], here * target["within"], by
    peer = figure(data, target.get("peer"), name)
    if not peer:
        return target["most"], target["most"], ""
    return target["most"], target["most"] * peer / target["took"], f"{TITLES[target['peer']]} {peer:.4g}"


def verdict(data, table, name):
    value = figure(data, "tombac", name)
    if value is None or ("limit" in table[name] and name not in data["bytes"]):
        return None
    most, here, by = bounds(data, table, name)
    met = value <= here
    text = MET if met else MISSED if most is None or value > most else "met as it stands, **missed** as a ratio"
    return {"name": name, "workload": name, "target": "" if most is None else f"{most:.4g}",
            "here": f"{here:.4g} ({by})" if by else "", "measured": f"{value:.4g}", "met": met, "verdict": text}


def ratio_verdict(data, name, rule):
    value, peer = figure(data, "tombac", name), figure(data, rule["against"], name)
    if not value or not peer:
        return None
    met = round(peer / value, 2) >= rule["times"]
    against = TITLES[rule["against"]]
    return {"name": name, "workload": name, "target": "", "here": f"{rule['times']:g} times faster than {against}",
            "measured": f"{peer / value:.2f} times", "met": met, "verdict": MET if met else MISSED}


def verdicts(data):
    """One for every target whose workload was measured: name, target, what it comes to here, measured, verdict."""
    tables = json.loads(FILE.read_text())
    if data["machine"].get("gpu"):
        found = [verdict(data, tables["gpu"], name) for name in tables["gpu"]]
    else:
        found = [ratio_verdict(data, name, rule) for rule in tables["cpu_ratios"] for name in rule["workloads"]]
        found += [verdict(data, tables["cpu"], name) for name in tables["cpu"]]
    return [v for v in found if v]
