"""Functions of tombacx.scipy that SciPy has too, on the CPU, by turns in one process: how their times compare.

What is measured is in scipy_cases.py. As in host_functions.py the libraries take turns, the least sample of each
counts, and a result counts as there when its memory is. Of every sample there are two times: the clock's, and the
processor's, of all threads together. On a machine that others use as well the latter is what tells: two threads of the
same total take half of it, where they have two cores to themselves.

Prints a Markdown table, the highest ratio (tombac's time over SciPy's) first.

Options: --sizes N[,N...]  --only TEXT[,TEXT...] (parts of expressions)  --dtypes T[,T...]  --seconds S (a case)
         --rows K (of the table)  --json FILE  --errors
"""

import argparse
import importlib
import json
import os
import re
import statistics
import sys
import time
import warnings

import numpy as np
import report
import scipy
import scipy_cases
import ufuncs

import tombac as tb
import tombacx

MODULES = ("special", "ndimage", "signal", "interpolate", "spatial", "stats", "fft", "linalg", "sparse",
           "sparse.linalg", "sparse.csgraph", "signal.windows", "optimize", "integrate")
SLOWER = 1.05


def modules(package):
    found = {m: importlib.import_module(f"{package}.{m}") for m in MODULES}
    return {**{m: v for m, v in found.items() if "." not in m},
            "distance": importlib.import_module(f"{package}.spatial.distance")}


LIBRARIES = ({"xp": np, **modules("scipy")}, {"xp": tb, **modules("tombacx.scipy")})


class Operands:
    """Those of one dtype and size for both libraries, made when an expression names them."""

    def __init__(self, dtype, size):
        self.dtype, self.values, self.made = dtype, scipy_cases.operands(size, dtype), {}

    def names(self, expression):
        found = [n for n in re.findall(r"(?<![.\w'])[a-zA-Z]\w*(?!\w|=)", expression)
                 if n in self.values or n in scipy_cases.PREPARED]
        for name in found:
            if name not in self.made:
                self.made[name] = self.pair(name, expression)
        return [{**library, **{n: self.made[n][k] for n in found}} for k, library in enumerate(LIBRARIES)]

    def pair(self, name, expression):
        if name in scipy_cases.PREPARED:
            text = scipy_cases.PREPARED[name]
            return [eval(text, names) for names in self.names(text)]
        value = self.values[name]
        value = value() if callable(value) else value
        if scipy.sparse.issparse(value):
            return value, getattr(tombacx.scipy.sparse, f"{value.format}_matrix")(value)
        if value.dtype.kind == "f":
            value = value.astype(self.dtype)
        return value, tb.array(value)


def loop(expression, names, result):
    """calls -> (seconds, seconds of the processor). tombac's results are asked for their address."""
    if isinstance(result, tb.ndarray):
        body = f"({expression}).data"
    elif tombacx.scipy.sparse.issparse(result):
        body = f"({expression}).data.data"
    elif isinstance(result, tuple | list) and any(isinstance(r, tb.ndarray) for r in result):
        body = f"[r.data for r in ({expression}) if isinstance(r, ndarray)]"
    else:
        body = expression
    scope = {**names, "ndarray": tb.ndarray, "clock": time.perf_counter, "processor": time.process_time}
    exec(f"def timed(calls):\n    start, begin = clock(), processor()\n    for _ in calls: {body}\n"
         f"    return clock() - start, processor() - begin", scope)
    return scope["timed"]


def measure(expression, operands, seconds, least=3):
    """[[SciPy's clock, processor], [tombac's]], in microseconds."""
    loops = [loop(expression, names, eval(expression, names)) for names in operands.names(expression)]
    once = [timed(range(1)) for timed in loops]
    calls = [max(1, min(1000, int(2e-4 / max(t, 1e-7)))) for t, _ in once]
    samples = [[some] for some in once] if max(t for t, _ in once) > 0.3 else [[], []]
    begin = time.perf_counter()
    while len(samples[0]) < least or time.perf_counter() - begin < seconds:
        for k in (0, 1) if len(samples[0]) % 2 else (1, 0):
            samples[k].append([t / calls[k] for t in loops[k](range(calls[k]))])
        if time.perf_counter() - begin > 20 * seconds:
            break
    return [[min(s[i] for s in some) * 1e6 for i in (0, 1)] for some in samples]


def row(expression, dtype, size, operands, options):
    theirs, ours = measure(expression, operands, options.seconds)
    if ours[0] > SLOWER * theirs[0]:
        again = measure(expression, operands, 4 * options.seconds, 6)
        theirs, ours = ([min(pair) for pair in zip(a, b)] for a, b in zip((theirs, ours), again))
    return {"case": expression, "dtype": dtype, "size": size, "scipy": round(theirs[0], 3), "tombac": round(ours[0], 3),
            "ratio": round(ours[0] / theirs[0], 3), "processor": round(ours[1] / max(theirs[1], 1e-3), 3)}


def rows(options):
    for size in options.sizes:
        for dtype in scipy_cases.FLOATS:
            operands = Operands(dtype, size)
            for expression in (e for dtypes, some in scipy_cases.GROUPS if dtype in dtypes for e in some):
                if (options.only and not any(o in expression for o in options.only)) or (
                        options.dtypes and dtype not in options.dtypes):
                    continue
                try:
                    found = row(expression, dtype, size, operands, options)
                except Exception as error:  # what one of the two does not take
                    if options.errors:
                        print(f"{expression} {dtype}: {error!r}"[:200], file=sys.stderr)
                    continue
                print("{ratio:.2f} {processor:.2f} {case} {dtype} {size} {scipy:.0f}".format(**found), file=sys.stderr,
                      flush=True)
                yield found


def summary(name, size, some):
    return {"family": name, "size": size, "count": len(some), "slower": sum(r["ratio"] > SLOWER for r in some),
            "median": statistics.median(r["ratio"] for r in some),
            "processor": statistics.median(r["processor"] for r in some)}


def family(expression):
    word = re.search(r"[a-z]+", expression)[0]
    named = {"tree": "spatial", "delaunay": "spatial", "distance": "spatial", "cubic": "interpolate",
             "pchip": "interpolate", "bspline": "interpolate"}
    return named.get(word, word if word in MODULES else "sparse")


def markdown(table, count):
    yield from report.markdown(
        ["functions of", "elements", "cases", "median ratio", "of processor time", "slower"],
        [[s["family"], f"{s['size']:,}", str(s["count"]), f"{s['median']:.2f}", f"{s['processor']:.2f}",
          str(s["slower"])] for s in table["summary"]])
    yield ""
    yield from report.markdown(
        ["case", "dtype", "elements", "SciPy, µs", "tombac, µs", "ratio", "of processor time"],
        [[f"`{r['case']}`", r["dtype"], f"{r['size']:,}", report.cell(r["scipy"]), report.cell(r["tombac"]),
          f"{r['ratio']:.2f}", f"{r['processor']:.2f}"] for r in table["rows"][:count]])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sizes", type=lambda t: [int(s) for s in t.split(",")], default=[1024, 2**20])
    parser.add_argument("--only", type=ufuncs.listed, default=())
    parser.add_argument("--dtypes", type=ufuncs.listed, default=())
    parser.add_argument("--seconds", type=float, default=0.05)
    parser.add_argument("--rows", type=int, default=30)
    parser.add_argument("--json")
    parser.add_argument("--errors", action="store_true", help="say what could not be measured, and why")
    options = parser.parse_args()
    np.seterr(all="ignore")
    warnings.simplefilter("ignore")
    found = sorted(rows(options), key=lambda r: -r["ratio"])
    groups = sorted({(family(r["case"]), r["size"]) for r in found})
    table = {"machine": {"cpus": os.cpu_count(), "scipy": scipy.__version__, "tombac": tb.__version__},
             "summary": [summary(*g, [r for r in found if (family(r["case"]), r["size"]) == g]) for g in groups],
             "rows": found}
    print("\n".join(markdown(table, options.rows)))
    if options.json:
        with open(options.json, "w") as file:
            json.dump(table, file, indent=1)


if __name__ == "__main__":
    main()
