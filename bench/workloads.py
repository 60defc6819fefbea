"""The workloads, run under one NumPy-like module: python bench/workloads.py {numpy,cupy,tombac} OUTPUT.json

Figures are medians over repeats, in microseconds unless the name says otherwise.

  host.*  host time of one call on 1,024 elements: the wall time of many calls and one synchronise, over their number.
          Every result's address is asked for where arrays have one (`data.ptr`), so that a library that defers work has
          to enqueue it. What asking costs, measured on an array that is there, is taken off: host.address.
  big.*   wall time to completion of one call on 2**26 elements (SCALE in the environment changes that).

import_s is what the import costs beyond NumPy's own. ONLY in the environment picks workloads: "host", "big", or a part
of a name. A workload that the module under test does not support is recorded with the error in place of a figure.
"""

import importlib
import json
import os
import statistics
import sys
import time

import numpy as np


class Bench:
    def __init__(self, name):
        start = time.perf_counter()
        self.xp = importlib.import_module(name)
        self.results = {"import_s": time.perf_counter() - start}
        self.only = os.environ.get("ONLY", "")
        self.scale = float(os.environ.get("SCALE", "1"))
        self.address = 0.0

    def synchronize(self):
        if hasattr(self.xp, "cuda"):
            self.xp.cuda.Device().synchronize()

    def warm_up(self, function, times):
        """Calls until nothing is left to compile: kernels may be compiled in the background while a first form runs."""
        wait = getattr(getattr(self.xp, "config", None), "compile_wait", lambda: None)
        for _ in range(times):
            result = touch(function())
            wait()
        self.synchronize()
        return result

    def wanted(self, group, name):
        return not self.only or self.only == group or self.only in name

    def first_results(self):
        """The first two results of the process: start-up, and kernels that are not loaded yet."""
        xp = self.xp
        start = time.perf_counter()
        a = xp.arange(10, dtype="float32")
        float((a + a).sum())
        self.results["first_result_s"] = time.perf_counter() - start
        start = time.perf_counter()
        a = xp.arange(12, dtype="float32").reshape(3, 4)
        xp.sin(a) * xp.exp(a[:, ::2].sum())
        self.synchronize()
        self.results["second_result_s"] = time.perf_counter() - start

    def host_time(self, function, calls):
        result = self.warm_up(function, 20)
        has_address = hasattr(getattr(result, "data", None), "ptr")
        samples = []
        for _ in range(9):
            start = time.perf_counter()
            if has_address:
                for _ in range(calls):
                    function().data.ptr
            else:
                for _ in range(calls):
                    function()
            self.synchronize()
            samples.append((time.perf_counter() - start) / calls * 1e6)
        return statistics.median(samples) - (self.address if has_address else 0)

    def address_cost(self, calls):
        """What `.data.ptr` costs where nothing is left to compute."""
        array = touch(self.xp.ones(4))
        if not hasattr(getattr(array, "data", None), "ptr"):
            return 0.0
        samples = []
        for _ in range(9):
            start = time.perf_counter()
            for _ in range(calls):
                array.data.ptr
            with_address = time.perf_counter() - start
            start = time.perf_counter()
            for _ in range(calls):
                pass
            samples.append((with_address - (time.perf_counter() - start)) / calls * 1e6)
        return statistics.median(samples)

    def completion_time(self, function, repeats):
        self.warm_up(function, 4)
        samples = []
        for _ in range(repeats):
            start = time.perf_counter()
            result = touch(function())
            self.synchronize()
            samples.append((time.perf_counter() - start) * 1e6)
            del result
        return statistics.median(samples)

    def run(self, group, table, measure):
        for name, function in table.items():
            if not self.wanted(group, name):
                continue
            try:
                self.results[f"{group}.{name}"] = round(measure(function), 3)
            except Exception as error:  # one unsupported workload must not hide the others
                self.results[f"{group}.{name}"] = f"{type(error).__name__}: {error}"[:150]


def touch(result):
    """Makes a deferring library enqueue the result."""
    for array in result if isinstance(result, tuple) else (result,):
        if hasattr(getattr(array, "data", None), "ptr"):
            array.data.ptr
    return result


def host_workloads(xp):
    x = xp.arange(1024, dtype="float32") / 1024 + 0.5
    y = x * 2 + 1
    m = x.reshape(32, 32)
    target = x.copy()  # written to again and again: the other workloads' numbers stay as they are
    host = np.arange(1024, dtype="float32")
    return {
        "add": lambda: x + y,
        "add_scalar": lambda: x + 2.0,
        "iadd": lambda: target.__iadd__(y),
        "sin": lambda: xp.sin(x),
        "gt": lambda: x > y,
        "chain3": lambda: xp.tanh(xp.sin(x) + 0.1 * x),
        "softplus": lambda: xp.maximum(0, x) + xp.log1p(xp.exp(-abs(x))),
        "sum": lambda: x.sum(),
        "sum_axis": lambda: m.sum(axis=1),
        "mean": lambda: x.mean(),
        "argmax": lambda: x.argmax(),
        "std": lambda: x.std(),
        "cumsum": lambda: xp.cumsum(x),
        "slice": lambda: x[1:-1:2],
        "getitem_int": lambda: x[3],
        "setitem": lambda: target.__setitem__(slice(0, 10), 1.0),
        "reshape": lambda: x.reshape(32, 32),
        "T": lambda: m.T,
        "empty": lambda: xp.empty((32, 32), "float32"),
        "zeros": lambda: xp.zeros((32, 32), "float32"),
        "arange": lambda: xp.arange(64),
        "linspace": lambda: xp.linspace(0, 1, 64),
        "where": lambda: xp.where(x > 1, x, y),
        "clip": lambda: xp.clip(x, 0.6, 0.9),
        "astype": lambda: x.astype("float64"),
        "copy": lambda: x.copy(),
        "concatenate": lambda: xp.concatenate((x, y)),
        "stack": lambda: xp.stack((x, y)),
        "broadcast_add": lambda: m + x[:32],
        "transpose_add": lambda: m + m.T,
        "matmul32": lambda: m @ m,
        "dot": lambda: x.dot(y),
        "item": lambda: float(x[0]),
        "array": lambda: xp.array(host),
        "random": lambda: xp.random.random(1024),
    }


def black_scholes(xp, spot, strike, years=1.0, rate=0.02, volatility=0.3):
    d1 = (xp.log(spot / strike) + (rate + volatility * volatility / 2) * years) / (volatility * years**0.5)
    d2 = d1 - volatility * years**0.5

    def normal(d):
        return 1 / (1 + xp.exp(-1.702 * d))

    return spot * normal(d1) - strike * np.float32(np.exp(-rate * years)) * normal(d2)


def softmax(xp, rows):
    powers = xp.exp(rows - rows.max(axis=1, keepdims=True))
    return powers / powers.sum(axis=1, keepdims=True)


def big_workloads(xp, scale):
    n = int((1 << 26) * scale)
    side = int(8192 * scale**0.5)
    x = xp.random.random(n).astype("float32")
    y = xp.random.random(n).astype("float32")
    spot, strike = x * 100 + 1, y * 100 + 1
    mask = x > 0.5
    rows = x[: side * side].reshape(side, side)
    weights = xp.linspace(0, 1, side, dtype="float32")
    volume = xp.random.random((max(int(256 * scale), 1), 512, 512))
    size = 4096 if scale >= 1 else 1024
    a = xp.random.random((size, size)).astype("float32")
    d = xp.random.random((1024, 1024))
    host = np.random.default_rng(0).random(n, dtype="float32")
    to_host = getattr(xp, "asnumpy", np.copy)
    return {
        "add": lambda: x + y,
        "copy": lambda: x.copy(),
        "sin": lambda: xp.sin(x),
        "chain3": lambda: xp.tanh(xp.sin(x) + 0.1 * x),
        "softplus": lambda: xp.maximum(0, x) + xp.log1p(xp.exp(-abs(x))),
        "black_scholes": lambda: black_scholes(xp, spot, strike),
        "gelu": lambda: 0.5 * x * (1 + xp.tanh(0.79788456 * (x + 0.044715 * x * x * x))),
        "where": lambda: xp.where(mask, x, y),
        "astype_f64": lambda: x.astype("float64"),
        "flip": lambda: xp.ascontiguousarray(x[::-1]),
        "transpose_copy": lambda: xp.ascontiguousarray(rows.T),
        "concatenate": lambda: xp.concatenate((x, y)),
        "sum": lambda: x.sum(),
        "sum_axis0": lambda: rows.sum(axis=0),
        "sum_axis1": lambda: rows.sum(axis=1),
        "mean_broadcast": lambda: (rows * weights).mean(axis=0),
        "abs2sum": lambda: xp.sum(xp.abs(volume) ** 2),
        "var": lambda: x.var(),
        "max": lambda: x.max(),
        "argmax": lambda: x.argmax(),
        "any": lambda: mask.any(),
        "dot": lambda: x.dot(y),
        "softmax": lambda: softmax(xp, rows),
        "cumsum": lambda: xp.cumsum(x),
        "cumsum_axis1": lambda: xp.cumsum(rows, axis=1),
        "random_uniform": lambda: xp.random.random(n),
        "random_normal": lambda: xp.random.standard_normal(n),
        "rng_uniform_f32": lambda: xp.random.default_rng(0).random(n, dtype="float32"),
        "rng_normal_f32": lambda: xp.random.default_rng(0).standard_normal(n, dtype="float32"),
        "matmul_f32": lambda: a @ a,
        "matmul_f64": lambda: d @ d,
        "host_to_device": lambda: xp.array(host),
        "device_to_host": lambda: to_host(x),
    }


def main():
    name, output = sys.argv[1], sys.argv[2]
    bench = Bench(name)
    bench.first_results()
    bench.address = bench.results["host.address"] = bench.address_cost(10000)
    bench.run("host", host_workloads(bench.xp), lambda f: bench.host_time(f, 1000))
    if bench.only != "host":
        bench.run("big", big_workloads(bench.xp, bench.scale), lambda f: bench.completion_time(f, 7))
    with open(output, "w") as file:
        json.dump(bench.results, file, indent=1)


if __name__ == "__main__":
    main()
