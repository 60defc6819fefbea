"""Every function of tombac that NumPy has too, on the CPU, by turns in one process: how their times compare.

What is measured is in host_cases.py; the elementwise functions come besides, with operands as in ufuncs.py. At 1,024
elements a sample is as many calls as take a fifth of a millisecond, at 2^24 one call; the libraries take turns, the one
that begins changes, and the least sample of each counts, which is what a shared machine leaves intact. A result counts
as there when its memory is: where tombac's is pending after the call its address is asked for in every call, and what
asking costs, measured on an array that is there, or on a tuple of as many, is taken off. What looks slower than NumPy
is measured again, with four times the samples.

A ratio is tombac's time over NumPy's: below 1 tombac is faster. Prints a Markdown table, the highest first.

Options: --sizes N[,N...]  --only TEXT[,TEXT...] (parts of expressions)  --dtypes T[,T...]  --seconds S (a case)
         --rows K (of the table)  --json FILE  --absent (functions of both that no case calls; measures nothing)
"""

import argparse
import functools
import json
import os
import re
import statistics
import sys
import time
import warnings

import host_cases
import numpy as np
import report
import ufuncs

import tombac as tb

SLOWER = 1.05


class Case:
    """An expression with the operands of one size and dtype, as a loop for NumPy and one for tombac."""

    def __init__(self, expression, dtype, size, names):
        self.expression, self.dtype, self.size = expression, dtype, size
        self.names = names  # what the expression refers to, for each of the two

    def compile(self, arrays=None):
        """Evaluates the expression, which says what is asked for addresses, unless that is given (see arrays_of)."""
        for names in self.names:
            found = [arrays_of(eval(self.expression, names)) for _ in range(3)]
        self.arrays = max(found, key=abs) if arrays is None else arrays
        self.loops = [loop(self.expression, *both) for both in zip(self.names, (0, self.arrays))]

    def measure(self, seconds, least):
        """[NumPy's, tombac's] microseconds, of at least so many samples."""
        once = [timed(range(1)) for timed in self.loops]
        if max(once) < 0.1:  # a first call has something to set up
            once = [min(timed(range(1)) for _ in range(3)) for timed in self.loops]
        if max(once) > 1:  # long enough to be told apart by one call
            return [t * 1e6 for t in once]
        calls = [max(1, min(1000, int(2e-4 / max(t, 1e-7)))) for t in once]
        times = [[], []]
        begin = time.perf_counter()
        while len(times[0]) < least or time.perf_counter() - begin < seconds:
            for k in (0, 1) if len(times[0]) % 2 else (1, 0):
                times[k].append(self.loops[k](range(calls[k])) / calls[k])
            if len(times[0]) > 1 and time.perf_counter() - begin > 20 * seconds:
                break
        return [min(some) * 1e6 for some in times]


def arrays_of(result):
    """What is asked for addresses: 1, a pending array; -n, a tuple of n elements, one of them such; 0, nothing."""
    if isinstance(result, tb.ndarray):
        return int(tb.config.is_pending(result))
    several = isinstance(result, tuple | list) and any(arrays_of(r) > 0 for r in result)
    return -len(result) if several else 0


def loop(expression, names, arrays):
    """calls -> seconds."""
    if arrays > 0:
        body = f"({expression}).data"
    elif arrays:
        body = f"[r.data for r in ({expression}) if isinstance(r, ndarray)]"
    else:
        body = expression
    scope = {**names, "ndarray": tb.ndarray, "clock": time.perf_counter}
    text = f"def timed(calls):\n    start = clock()\n    for _ in calls: {body}\n    return clock() - start"
    exec(text, scope)
    return scope["timed"]


class Operands:
    """Those of one dtype and size for both libraries, made when an expression names them."""

    def __init__(self, dtype, size):
        self.dtype, self.size, self.made = dtype, size, {}

    def pair(self, name):
        if name not in self.made:
            random = np.random.default_rng(9)
            x = self.pair("x")[0] if name != "x" else host_cases.values(self.dtype, self.size, 0)
            mine = host_cases.OPERANDS[name](random, self.dtype, self.size, x)
            base = mine.base if name == "t" else mine
            self.made[name] = mine, tb.array(base)[::2] if name == "t" else tb.array(base)
        return self.made[name]

    def names(self, expression):
        found = [n for n in re.findall(r"\b[a-z]\w*", expression) if n in host_cases.OPERANDS]
        return [{"xp": xp, "side": int(self.size**0.5), **{n: self.pair(n)[k] for n in found}}
                for k, xp in enumerate((np, tb))]


def function_cases(options, size):
    for dtype in host_cases.EVERY:
        operands = Operands(dtype, size)
        for expression in host_cases.cases(dtype):
            if chosen(options, dtype, expression):
                yield Case(expression, dtype, size, operands.names(expression))


def ufunc_cases(options, size):
    for dtype in host_cases.EVERY:
        for name in sorted(ufuncs.ufunc_names(), key=lambda n: ufuncs.domain_of(n, 0, dtype)):
            nin = getattr(np, name).nin
            expression = f"xp.{name}({', '.join('uv'[:nin])})"
            if chosen(options, dtype, expression):
                both = ufuncs.operands(name, nin, dtype, "contiguous", size)
                yield Case(expression, dtype, size,
                           [{"xp": xp, **dict(zip("uv", some))} for xp, some in zip((np, tb), both)])


def chosen(options, dtype, expression):
    return (not options.dtypes or dtype in options.dtypes) and (
        not options.only or any(part in expression for part in options.only))


# ---- measuring -------------------------------------------------------------------------------------------------------


@functools.cache
def address_cost(arrays):
    """Microseconds that asking for addresses takes, of what arrays_of says."""
    if not arrays:
        return 0
    x = tb.zeros(1024)
    case = Case("x", "", 1024, [{"x": 0}, {"x": x if arrays == 1 else (x,) * -arrays}])
    case.compile(arrays)
    plain, asked = case.measure(0.05, 9)
    return asked - plain


def measure(case, options):
    case.compile()
    asking = address_cost(case.arrays)
    times = case.measure(options.seconds, 3)
    times[1] -= asking
    if times[1] > SLOWER * times[0]:
        again = case.measure(4 * options.seconds, 9)
        times = [min(times[0], again[0]), min(times[1], again[1] - asking)]
    return {"case": case.expression, "dtype": case.dtype, "size": case.size, "numpy": round(times[0], 3),
            "tombac": round(times[1], 3), "ratio": round(max(times[1], 0) / times[0], 3)}


def measurements(options):
    for size in options.sizes:
        for some in (function_cases, ufunc_cases):
            for case in some(options, size):
                try:
                    found = measure(case, options)
                except Exception as error:  # of dtypes that a function does not take
                    if options.errors:
                        print(f"{case.expression} {case.dtype}: {error!r}"[:150], file=sys.stderr)
                    continue
                print(f"{found['ratio']:.2f} {found['case']} {found['dtype']} {size}", file=sys.stderr, flush=True)
                yield found


def absent():
    """Functions of both libraries that no case calls."""
    text = " ".join(e for _, some in host_cases.GROUPS for e in some)
    named = set(re.findall(r"\w+", text)) | set(ufuncs.ufunc_names())
    both = [n for n in dir(tb) if callable(getattr(np, n, None)) and not isinstance(getattr(np, n), type)]
    return [n for n in both if n not in named and getattr(np, n).__name__ not in named]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sizes", type=lambda t: [int(s) for s in t.split(",")], default=[1024, 2**24])
    parser.add_argument("--only", type=ufuncs.listed, default=())
    parser.add_argument("--dtypes", type=ufuncs.listed, default=())
    parser.add_argument("--seconds", type=float, default=0.05)
    parser.add_argument("--rows", type=int, default=30)
    parser.add_argument("--json")
    parser.add_argument("--errors", action="store_true", help="say what could not be measured, and why")
    parser.add_argument("--absent", action="store_true")
    options = parser.parse_args()
    if options.absent:
        print(" ".join(absent()))
        return
    np.seterr(all="ignore")
    warnings.simplefilter("ignore")
    rows = sorted(measurements(options), key=lambda r: -r["ratio"])
    table = {"machine": {"cpus": os.cpu_count(), "numpy": np.__version__, "tombac": tb.__version__},
             "summary": [summary(size, [r for r in rows if r["size"] == size]) for size in options.sizes], "rows": rows}
    print("\n".join(report.host_functions({**table, "rows": rows[: options.rows]})))
    if options.json:
        with open(options.json, "w") as file:
            json.dump(table, file, indent=1)


def summary(size, rows):
    return {"size": size, "count": len(rows), "slower": sum(r["ratio"] > SLOWER for r in rows),
            "half_as_fast_again": sum(r["ratio"] <= 2 / 3 for r in rows),
            "median": round(statistics.median(r["ratio"] for r in rows), 3) if rows else 0}


if __name__ == "__main__":
    main()
