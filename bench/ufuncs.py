"""Every elementwise function on the CPU, tombac and NumPy by turns in one process: how their times compare.

For each function, dtype and layout of operands the libraries take turns, and the least time of each counts, which is
what a shared machine leaves intact. PyTorch and numexpr take part where they are installed and have the function, on
operands as NumPy lays them out. A ratio is tombac's time over the other's: below 1 tombac is faster. Prints a Markdown
table, the highest ratio to NumPy first, and a summary: how many are slower than NumPy, and the median ratio.

Layouts: `contiguous`; `strided`, every second element of twice as many; `broadcast`, a matrix with a row for its last
operand; `scalar`, a Python number for it.

Options: --size N  --repeats R (at most; a row stops after --seconds S)  --only NAME[,NAME...]  --dtypes T[,T...]
         --layouts L[,L...]  --peers P[,P...]  --rows K (of the table)  --json FILE
"""

import argparse
import functools
import importlib.util
import json
import os
import statistics
import sys
import time

# A thread of PyTorch's that waits in a loop would take a processor from those whose turn it is.
os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")

import numpy as np
import report

import tombac as tb

DTYPES = ("float32", "float64", "int32", "complex128")
LAYOUTS = ("contiguous", "strided", "broadcast")
ALL_LAYOUTS = (*LAYOUTS, "scalar")
ROW = 1024
# Where the results are finite; elsewhere the operands are drawn from (-8, 8).
DOMAINS = {
    **dict.fromkeys(("arcsin", "arccos", "arctanh"), (-0.99, 0.99)),
    **dict.fromkeys(("log", "log2", "log10", "log1p", "sqrt", "power", "float_power", "reciprocal"), (0.1, 8)),
    "arccosh": (1, 8),
}
SMALL_INTEGERS = ("power", "left_shift", "right_shift", "ldexp")
CHAINS = {
    "softplus": lambda xp, x: xp.maximum(0, x) + xp.log1p(xp.exp(-abs(x))),
    "x ** 2": lambda xp, x: x**2,
    "x ** 3": lambda xp, x: x**3,
    "x ** 0.5": lambda xp, x: abs(x) ** 0.5,
    "abs(x) ** 2": lambda xp, x: abs(x) ** 2,
    "where": lambda xp, x: xp.where(x == x, x, 1),
    "clip": lambda xp, x: xp.clip(x, 1, 3),
    "copy": lambda xp, x: x.copy(),
    "astype float64": lambda xp, x: x.astype("float64" if x.dtype.kind != "c" else "complex64"),
    "astype float32": lambda xp, x: x.astype("float32" if x.dtype.kind != "c" else "complex64"),
    "astype int32": lambda xp, x: x.astype("int32") if x.dtype.kind != "c" else x.real.copy(),
    "astype bool": lambda xp, x: x.astype("bool"),
}


def ufunc_names():
    """Those of both modules that are elementwise, each under its first name."""
    both = [n for n in dir(np) if isinstance(getattr(np, n), np.ufunc) and isinstance(getattr(tb, n, None), tb.ufunc)]
    return [n for n in both if getattr(np, n).__name__ == n and getattr(np, n).signature is None]


@functools.lru_cache(maxsize=4)
def operand(domain, position, dtype, layout, size):
    """One NumPy operand, and tombac's copy of it in the same layout."""
    random = np.random.default_rng(position)
    count = 2 * size if layout == "strided" else size
    kind = np.dtype(dtype).kind
    if kind in "iu":
        values = random.integers(*domain, count)
    else:
        values = random.uniform(*domain, count)
        if kind == "c":
            values = values + 1j * random.uniform(-2, 2, count)
    base = values.astype(dtype)
    step = 2 if layout == "strided" else 1
    return base[::step], tb.array(base)[::step]


def domain_of(name, position, dtype):
    if np.dtype(dtype).kind in "iu":
        return (0, 8) if position == 1 and name in SMALL_INTEGERS else (1, 100)
    return DOMAINS.get(name, (-8, 8))


def operands(name, nin, dtype, layout, size):
    """Operands for NumPy and for tombac, or None where the layout makes no sense."""
    if nin == 1 and layout in ("broadcast", "scalar"):
        return None
    pairs = []
    for i in range(nin):
        x, y = operand(domain_of(name, i, dtype), i, dtype, layout if layout == "strided" else "contiguous", size)
        if layout == "broadcast":
            x, y = (a[:ROW] if i == nin - 1 else a.reshape(-1, ROW) for a in (x, y))
        elif layout == "scalar" and i == nin - 1:
            x = y = x[0].item()
        pairs.append((x, y))
    return [list(side) for side in zip(*pairs)]


def finished(result):
    """Evaluates what is deferred: an address is only known then."""
    for array in result if isinstance(result, tuple) else (result,):
        if isinstance(array, tb.ndarray):
            array.data
    return result


def seconds(function):
    start = time.perf_counter()
    result = finished(function())
    taken = time.perf_counter() - start
    del result
    return taken


# ---- the other libraries ---------------------------------------------------------------------------------------------

TORCH_NAMES = {"power": "pow", "equal": "eq", "left_shift": "bitwise_left_shift", "right_shift": "bitwise_right_shift",
               "conjugate": "conj_physical", "invert": "bitwise_not", "fabs": "abs", "rint": "round"}
NOT_TORCH = ("matmul", "divmod", "modf", "frexp", "spacing")  # other results, or none
NUMEXPR = {
    **{f: f + "(x0)" for f in "sin cos tan arcsin arccos arctan sinh cosh tanh arcsinh arccosh arctanh log log10 log1p "
       "exp expm1 sqrt floor ceil".split()},
    "absolute": "abs(x0)", "arctan2": "arctan2(x0, x1)", "conjugate": "conj(x0)", "negative": "-x0",
    "add": "x0 + x1", "subtract": "x0 - x1", "multiply": "x0 * x1", "divide": "x0 / x1", "power": "x0 ** x1",
    "remainder": "x0 % x1", "less": "x0 < x1", "greater": "x0 > x1", "equal": "x0 == x1", "not_equal": "x0 != x1",
    "less_equal": "x0 <= x1", "greater_equal": "x0 >= x1", "bitwise_and": "x0 & x1", "bitwise_or": "x0 | x1",
    "bitwise_xor": "x0 ^ x1", "invert": "~x0", "left_shift": "x0 << x1", "right_shift": "x0 >> x1",
    "softplus": "where(x0 > 0, x0, 0) + log1p(exp(-abs(x0)))", "x ** 2": "x0 ** 2", "x ** 3": "x0 ** 3",
    "where": "where(x0 == x0, x0, 1)", "abs(x) ** 2": "abs(x0) ** 2",
}


def torch_call(name, x):
    import torch

    function = getattr(torch, TORCH_NAMES.get(name, name), None)
    if function is None or name in NOT_TORCH or name in CHAINS:
        return None
    arguments = [torch.from_numpy(a) if isinstance(a, np.ndarray) else a for a in x]
    return lambda: function(*arguments)


def numexpr_call(name, x):
    import numexpr

    if name not in NUMEXPR:
        return None
    names = {f"x{i}": a for i, a in enumerate(x)}
    return lambda: numexpr.evaluate(NUMEXPR[name], local_dict=names, global_dict={})


PEERS = {"torch": torch_call, "numexpr": numexpr_call}


def works(call):
    try:
        call()
    except (TypeError, ValueError, RuntimeError, NotImplementedError, KeyError):
        return False
    return True


def own(a):
    """A copy laid out as `a` is: what another library has just read would be in the cache for NumPy's turn."""
    if not isinstance(a, np.ndarray):
        return a
    return a.base.copy()[::2] if a.strides[-1] > a.itemsize else a.copy()


def few(x):
    return [a[:2] if isinstance(a, np.ndarray) and a.ndim > 1 else a[:8] if isinstance(a, np.ndarray) and a.size != ROW
            else a for a in x]


# ---- measuring -------------------------------------------------------------------------------------------------------


def take_turns(calls, repeats, limit):
    """The least time of each in milliseconds."""
    times = {peer: [] for peer in calls}
    begin = time.perf_counter()
    for turn in range(repeats):
        for peer, call in calls.items():
            times[peer].append(seconds(call))
        if turn and time.perf_counter() - begin > limit:
            break
    return {peer: min(taken) * 1e3 for peer, taken in times.items()}


def row(name, dtype, layout, options):
    ufunc = name not in CHAINS
    pair = operands(name, getattr(np, name).nin if ufunc else 1, dtype, layout, options.size)
    if pair is None:
        return None
    x, y = pair

    def call(xp, arguments):
        return lambda: getattr(xp, name)(*arguments) if ufunc else CHAINS[name](xp, *arguments)

    if not works(call(np, few(x))):
        return None
    calls = {"numpy": call(np, x), "tombac": call(tb, y)}
    for peer in options.peers:
        tried = PEERS[peer](name, few(x))
        if tried and works(tried):
            calls[peer] = PEERS[peer](name, [own(a) for a in x])
    finished(calls["tombac"]())
    found = take_turns(calls, options.repeats, options.seconds)
    return {"function": name, "dtype": dtype, "layout": layout, **found, "ratio": found["tombac"] / found["numpy"]}


def measurements(options):
    names = [n for n in (*ufunc_names(), *CHAINS) if not options.only or n in options.only]
    for dtype in options.dtypes:
        for layout in options.layouts:
            # Those with the same operands one after the other: making them takes longer than using them.
            for name in sorted(names, key=lambda n: (domain_of(n, 0, dtype), domain_of(n, 1, dtype))):
                found = row(name, dtype, layout, options)
                if found:
                    yield found


def summary(rows):
    for dtype in dict.fromkeys((*DTYPES, *(r["dtype"] for r in rows))):
        for layout in ALL_LAYOUTS:
            some = [r for r in rows if (r["dtype"], r["layout"]) == (dtype, layout)]
            if some:
                worst = sorted(some, key=lambda r: -r["ratio"])[:3]
                yield {
                    "dtype": dtype, "layout": layout, "count": len(some),
                    "median": statistics.median(r["ratio"] for r in some),
                    "slower": sum(r["ratio"] > 1.05 for r in some),
                    "worst": ", ".join(f"{r['function']} {r['ratio']:.2f}" for r in worst),
                    **{f"slower_than_{p}": f"{sum(r['tombac'] > 1.05 * r[p] for r in some if p in r)} of "
                       f"{sum(p in r for r in some)}" for p in PEERS},
                }


def listed(text):
    return text.split(",")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--size", type=int, default=2**24)
    parser.add_argument("--repeats", type=int, default=7)
    parser.add_argument("--seconds", type=float, default=0.3)
    parser.add_argument("--only", type=listed, default=())
    parser.add_argument("--dtypes", type=listed, default=DTYPES)
    parser.add_argument("--layouts", type=listed, default=LAYOUTS, help="of " + ", ".join(ALL_LAYOUTS))
    parser.add_argument("--peers", type=listed, default=list(PEERS))
    parser.add_argument("--rows", type=int, default=0, help="of the table; 0: all")
    parser.add_argument("--json")
    options = parser.parse_args()
    options.peers = [p for p in options.peers if importlib.util.find_spec(p)]
    np.seterr(all="ignore")
    rows = []
    for found in measurements(options):
        rows.append(found)
        print(f"{len(rows)} {found['function']} {found['dtype']} {found['layout']}", file=sys.stderr)
    rows.sort(key=lambda r: -r["ratio"])
    print("\n".join(report.ufunc_rows(rows[: options.rows or None])))
    if rows:
        median = statistics.median(r["ratio"] for r in rows)
        slower = sum(r["ratio"] > 1.05 for r in rows)
        print(f"\n{options.size} elements, {os.cpu_count()} processors: median ratio {median:.2f}, "
              f"{slower} of {len(rows)} above 1.05.")
    if options.json:
        about = {"size": options.size, "cpus": os.cpu_count(), "numpy": np.__version__, "tombac": tb.__version__}
        with open(options.json, "w") as file:
            json.dump({"machine": about, "summary": list(summary(rows)), "rows": rows}, file, indent=1)


if __name__ == "__main__":
    main()
