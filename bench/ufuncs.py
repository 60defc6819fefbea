"""Every elementwise function on the CPU, tombac and NumPy by turns in one process: how their times compare.

For each function, dtype and layout of operands the two take turns, and the least time of each counts, which is what a
shared machine leaves intact. A ratio is tombac's time over NumPy's: below 1 tombac is faster. Prints a Markdown table,
the highest ratio first, and the median ratio.

Layouts: `contiguous`; `strided`, every second element of twice as many; `broadcast`, a matrix with a row for its last
operand; `scalar`, a Python number for it.

Options: --size N  --repeats R  --only NAME[,NAME...]  --dtypes T[,T...]  --layouts L[,L...]  --rows K  --json FILE
"""

import argparse
import json
import os
import platform
import statistics
import sys
import time

import numpy as np

import tombac as tb

DTYPES = ("float32", "float64", "int32", "complex128")
LAYOUTS = ("contiguous", "strided", "broadcast", "scalar")
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


def operand(name, position, dtype, size, random):
    kind = np.dtype(dtype).kind
    if kind == "i" and position == 1 and name in SMALL_INTEGERS:
        return random.integers(0, 8, size).astype(dtype)
    if kind == "i":
        return random.integers(1, 100, size).astype(dtype)
    low, high = DOMAINS.get(name, (-8, 8))
    values = random.uniform(low, high, size)
    if kind == "c":
        values = values + 1j * random.uniform(-2, 2, size)
    return values.astype(dtype)


def laid_out(name, nin, dtype, layout, size):
    """NumPy operands in a layout, or None where it makes no sense."""
    random = np.random.default_rng(1)
    if layout == "contiguous":
        return [operand(name, i, dtype, size, random) for i in range(nin)]
    if layout == "strided":
        return [operand(name, i, dtype, 2 * size, random)[::2] for i in range(nin)]
    if nin == 1:
        return None
    first = [operand(name, i, dtype, size, random) for i in range(nin - 1)]
    if layout == "broadcast":
        return [x.reshape(-1, ROW) for x in first] + [operand(name, nin - 1, dtype, ROW, random)]
    return [*first, operand(name, nin - 1, dtype, 1, random)[0].item()]


def to_tombac(x):
    if not isinstance(x, np.ndarray):
        return x
    if x.ndim == 1 and x.strides[0] == 2 * x.itemsize:
        return tb.array(x.base)[::2]
    return tb.array(x)


def finished(result):
    """Evaluates what is deferred: an address is only known then."""
    for array in result if isinstance(result, tuple) else (result,):
        if isinstance(array, tb.ndarray):
            array.data.ptr
    return result


def seconds(function):
    start = time.perf_counter()
    result = finished(function())
    taken = time.perf_counter() - start
    del result
    return taken


def compare(numpy_call, tombac_call, repeats):
    """The least times of each in milliseconds, or None where NumPy does not have it."""
    try:
        seconds(numpy_call)
    except (TypeError, ValueError):
        return None
    times = {"numpy": [], "tombac": []}
    seconds(tombac_call)
    for _ in range(repeats):
        times["numpy"].append(seconds(numpy_call))
        times["tombac"].append(seconds(tombac_call))
    return {peer: min(taken) * 1e3 for peer, taken in times.items()}


def measurements(options):
    for name in ufunc_names():
        for dtype in options.dtypes if not options.only or name in options.only else ():
            for layout in options.layouts:
                x = laid_out(name, getattr(np, name).nin, dtype, layout, options.size)
                if x is None:
                    continue
                y = [to_tombac(a) for a in x]
                call = compare(lambda: getattr(np, name)(*x), lambda: getattr(tb, name)(*y), options.repeats)
                if call:
                    yield {"function": name, "dtype": dtype, "layout": layout, **call}
    for name, chain in CHAINS.items():
        for dtype in options.dtypes if not options.only or name in options.only else ():
            for layout in set(options.layouts) & {"contiguous", "strided"}:
                (x,) = laid_out(name, 1, dtype, layout, options.size)
                y = to_tombac(x)
                call = compare(lambda: chain(np, x), lambda: chain(tb, y), options.repeats)
                if call:
                    yield {"function": name, "dtype": dtype, "layout": layout, **call}


def listed(text):
    return text.split(",")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--size", type=int, default=2**24)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--only", type=listed, default=())
    parser.add_argument("--dtypes", type=listed, default=DTYPES)
    parser.add_argument("--layouts", type=listed, default=LAYOUTS)
    parser.add_argument("--rows", type=int, default=0, help="of the table; 0: all")
    parser.add_argument("--json")
    options = parser.parse_args()
    np.seterr(all="ignore")
    rows = []
    for row in measurements(options):
        row["ratio"] = row["tombac"] / row["numpy"]
        rows.append(row)
        print(f"{len(rows)} {row['function']} {row['dtype']} {row['layout']}", file=sys.stderr)
    rows.sort(key=lambda row: -row["ratio"])
    print("| function | dtype | layout | NumPy ms | tombac ms | ratio |\n|---|---|---|---:|---:|---:|")
    for row in rows[: options.rows or None]:
        print("| {function} | {dtype} | {layout} | {numpy:.3g} | {tombac:.3g} | {ratio:.2f} |".format(**row))
    if rows:
        median = statistics.median(row["ratio"] for row in rows)
        slower = sum(row["ratio"] > 1 for row in rows)
        print(f"\n{options.size} elements, {os.cpu_count()} processors: median ratio {median:.2f}, "
              f"{slower} of {len(rows)} above 1.")
    if options.json:
        machine = {"processor": platform.processor(), "cpus": os.cpu_count(), "numpy": np.__version__,
                   "tombac": tb.__version__, "size": options.size, "repeats": options.repeats}
        with open(options.json, "w") as file:
            json.dump({"machine": machine, "rows": rows}, file, indent=1)


if __name__ == "__main__":
    main()
