"""Measures one library in a process of its own: python bench/measure.py PEER OUTPUT.json [GROUP...]

Groups: host, host8, big, order, types, shapes (workloads.py), linalg, fft, ndimage, special, signal, sparse
(science.py; of NumPy with SciPy, CuPy and tombac). SCALE in the environment changes the sizes of the last
four of workloads.py, ONLY picks workloads by a part of their name, BUDGET is how many seconds one workload's samples
may take.

  host    host time of one call: the wall time of many calls and one synchronise, over their number. Every result's
          memory is asked for where arrays have one (`data`), so that a library that defers work has to enqueue it.
          What asking costs, measured on an array that is there, is taken off: host.address.
  big     wall time to completion of one call
  shapes  the same, of as many calls in a row as take about a millisecond; so are the groups of science.py

Everything is warmed up, and every result computed and waited for. Figures are medians (LEAST=1: least times) in
microseconds unless the name says otherwise; beside each is its spread: the distance of the quartiles over the median.
import_s is what the import costs beyond NumPy's own. What a library does not support is recorded with the error in
place of a figure.
"""

import json
import os
import statistics
import sys
import time

import numpy as np
import peers
import science
import workloads


class Bench:
    def __init__(self, peer):
        self.peer = peer
        self.only = os.environ.get("ONLY", "")
        self.scale = float(os.environ.get("SCALE", "1"))
        self.budget = float(os.environ.get("BUDGET", "0.5"))
        self.least = os.environ.get("LEAST") == "1"
        self.address = 0.0
        self.figures = {peer.name: {"import_s": round(peer.import_seconds, 4)}}
        self.spread = {peer.name: {}}
        self.bytes = {}

    def warm_up(self, function, times):
        """Calls until nothing is left to compile: kernels may be compiled in the background while a first form runs."""
        start = time.perf_counter()
        for done in range(times):
            result = self.peer.finish(function())
            self.peer.wait_for_compiler()
            if done >= 2 and time.perf_counter() - start > self.budget:
                break
        self.peer.synchronize(result)
        return result

    def sampled(self, once, least, most):
        """(median, spread) of the samples that the budget has room for."""
        samples = []
        start = time.perf_counter()
        while len(samples) < least or (len(samples) < most and time.perf_counter() - start < self.budget):
            samples.append(once())
        if self.least:
            return min(samples), 0
        quartiles = statistics.quantiles(samples, n=4)
        median = statistics.median(samples)
        return median, (quartiles[2] - quartiles[0]) / median if median else 0

    def first_results(self):
        """The first two results of the process: start-up, and kernels that are not loaded yet."""
        xp, figures = self.peer.xp, self.figures[self.peer.name]
        start = time.perf_counter()
        a = xp.arange(10, dtype="float32")
        float((a + a).sum())
        figures["first_result_s"] = time.perf_counter() - start
        start = time.perf_counter()
        a = xp.arange(12, dtype="float32").reshape(3, 4)
        self.peer.synchronize(self.peer.finish(xp.sin(a) * xp.exp(a[:, ::2].sum())))
        figures["second_result_s"] = time.perf_counter() - start

    def host_time(self, function, calls=1000):
        result = self.warm_up(function, 20)
        has_address = self.peer.has_address(result)
        start = time.perf_counter()
        self.peer.synchronize(self.peer.finish(function()))
        calls = min(calls, max(int(self.budget / 9 / (time.perf_counter() - start)), 10))

        def once():
            start = time.perf_counter()
            if has_address:
                for _ in range(calls):
                    function().data
                last = None
            else:
                for _ in range(calls):
                    last = function()
            self.peer.synchronize(last)
            return (time.perf_counter() - start) / calls * 1e6

        median, spread = self.sampled(once, 9, 9)
        return median - (self.address if has_address else 0), spread

    def address_cost(self, calls=10000):
        """What `.data` costs where nothing is left to compute: the least time of a loop that asks, less that of one
        that does not. Each has samples of its own, or else a slow moment of the second would hide the cost."""
        array = self.peer.finish(self.peer.array(np.ones(4)))
        if not self.peer.has_address(array):
            return 0.0
        asking, loop = [], []
        for _ in range(9):
            start = time.perf_counter()
            for _ in range(calls):
                array.data
            asking.append(time.perf_counter() - start)
            start = time.perf_counter()
            for _ in range(calls):
                pass
            loop.append(time.perf_counter() - start)
        return max((min(asking) - min(loop)) / calls * 1e6, 0)

    def completion_time(self, function):
        self.warm_up(function, 4)

        def once():
            start = time.perf_counter()
            result = self.peer.finish(function())
            self.peer.synchronize(result)
            taken = (time.perf_counter() - start) * 1e6
            del result
            return taken

        return self.sampled(once, 5, 21)

    def repeated_time(self, function):
        self.warm_up(function, 4)

        def run(calls):
            start = time.perf_counter()
            for _ in range(calls):
                result = self.peer.finish(function())
            self.peer.synchronize(result)
            return (time.perf_counter() - start) * 1e6

        calls = max(1, min(200, int(1000 / min(run(1) for _ in range(3)))))
        return self.sampled(lambda: run(calls) / calls, 5, 15)

    def record(self, owner, name, function, measure):
        if self.only and self.only not in name:
            return
        figures = self.figures.setdefault(owner, {})
        try:
            median, spread = measure(function)
            figures[name] = round(median, 3)
            self.spread.setdefault(owner, {})[name] = round(spread, 3)
        except Exception as error:  # one unsupported workload must not hide the others
            figures[name] = f"{type(error).__name__}: {error}"[:150]

    def run(self, group, calls, d, measure, prefix=None, among=None):
        prefix = prefix or group + "."
        instead = self.peer.instead(group, d)
        for name, function in calls.items():
            if among and name not in among:
                continue
            if self.peer.name == "numexpr" and name not in instead:
                continue
            function = instead.get(name, function)
            if function is not None:
                self.record(self.peer.name, prefix.format(name) if "{}" in prefix else prefix + name, function, measure)
        for name, function in self.peer.compiled(group, d).items():
            if name in calls:
                self.record(self.peer.compiled_name, prefix + name, function, measure)

    def host(self):
        self.address = self.figures[self.peer.name]["host.address"] = round(self.address_cost(), 4)
        d = workloads.host_arrays(self.peer, 1024)
        self.run("host", workloads.host_calls(self.peer.xp, d), d, self.host_time)

    def host8(self):
        self.address = self.address or self.address_cost()
        d = workloads.host_arrays(self.peer, 8)
        self.run("host8", workloads.host_calls(self.peer.xp, d), d, self.host_time, among=workloads.HOST8)

    def big(self):
        d = workloads.big_arrays(self.peer, self.scale)
        self.run("big", workloads.big_calls(self.peer.xp, d), d, self.completion_time)

    def order(self):
        if self.peer.name == "numexpr":
            return
        d = workloads.order_arrays(self.peer, self.scale)
        calls = workloads.order_calls(self.peer.xp, d)
        few = {name: call for name, call in calls.items() if name.endswith("_few")}
        self.address = self.address or self.address_cost()
        self.run("order", few, d, self.host_time)
        self.run("order", {name: calls[name] for name in calls if name not in few}, d, self.completion_time)

    def types(self):
        for dtype in workloads.TYPES if self.peer.name != "numexpr" else ():
            d = workloads.types_arrays(self.peer, self.scale, dtype)
            calls = workloads.types_calls(self.peer.xp, d)
            self.run("types", calls, d, self.completion_time, prefix=f"types.{{}}_{dtype}")

    def shapes(self):
        if self.peer.name == "numexpr":
            return
        for name, (function, moved) in workloads.shapes_calls(self.peer, self.scale).items():
            self.bytes[f"shapes.{name}"] = moved
            self.record(self.peer.name, f"shapes.{name}", function, self.repeated_time)

    def science(self, group):
        if self.peer.name not in peers.BESIDE:
            return
        d = science.arrays(group, self.peer)
        for name, function in science.calls(group, self.peer, d).items():
            self.record(self.peer.name, f"{group}.{name}", function, self.repeated_time)


def main():
    name, output, *groups = sys.argv[1:]
    peers.keep_jax_from_taking_all_memory()
    np.seterr(all="ignore")
    bench = Bench(peers.make(name))
    if name != "numexpr":
        bench.first_results()
    for group in groups or ("host", "host8", "big", "order", "types", "shapes", *science.GROUPS):
        if group in science.GROUPS:
            bench.science(group)
        else:
            getattr(bench, group)()
    data = {"version": bench.peer.full_version(),
            "figures": bench.figures, "spread": bench.spread, "bytes": bench.bytes}
    with open(output, "w") as file:
        json.dump(data, file, indent=1)


if __name__ == "__main__":
    main()
