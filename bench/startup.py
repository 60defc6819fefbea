"""Programs that have just started: python bench/startup.py {numpy,cupy,tombac} OUTPUT.json

Whether the kernel cache is empty is up to the caller (CUPY_CACHE_DIR, TOMBAC_CACHE_DIR), and TOMBAC_FUSION=0 turns
deferral off: compare.py measures tombac both ways.

  unique_s          a program of 150 expressions of 8 operations, no two of the same structure, each computed in turn
  unique_small_s    another 150 of them, on 1,024 elements: the median of five such programs
  first_call_ms     the first call of an expression that is then repeated
  steady_us         what it takes in the end
  steady_call       which of its calls was the first of three in a row within 1.3 times that (1: the first one)
  steady_ms         milliseconds from its first call until then
  longest_stall_ms  the longest that any of these calls kept the caller waiting: without the wait for the device, and
                    without the process's first operation, which starts the device
"""

import importlib
import json
import os
import random
import statistics
import sys
import time

import numpy as np

STEPS = (
    lambda xp, x, y: xp.sin(x),
    lambda xp, x, y: xp.exp(-x),
    lambda xp, x, y: x + y,
    lambda xp, x, y: x * y,
    lambda xp, x, y: x - 0.5,
    lambda xp, x, y: abs(x),
    lambda xp, x, y: xp.maximum(x, y),
    lambda xp, x, y: xp.tanh(x),
    lambda xp, x, y: xp.where(x > y, x, y),
    lambda xp, x, y: xp.sqrt(abs(x)),
)
EXPRESSIONS, LENGTH = 150, 8


class Program:
    def __init__(self, xp, scale):
        self.xp, self.stall = xp, 0.0
        self.device = xp.cuda.Device() if hasattr(xp, "cuda") else None
        rng = np.random.default_rng(0)
        n = int((1 << 22) * scale)
        self.x, self.y = (xp.array(rng.random(n, dtype="float32")) for _ in range(2))
        n = int((1 << 26) * scale)
        self.big = xp.array(rng.random(n, dtype="float32"))
        self.compute(lambda: self.x + 1)
        self.wait()
        self.stall = 0.0

    def wait(self):
        if self.device is not None:
            self.device.synchronize()

    def compute(self, expression):
        """Enqueues it; notes how long that kept the caller."""
        start = time.perf_counter()
        result = expression()
        if hasattr(result.data, "ptr"):
            result.data
        self.stall = max(self.stall, time.perf_counter() - start)

    def unique(self, seed, x, y):
        choices = random.Random(seed)
        programs = {tuple(choices.randrange(len(STEPS)) for _ in range(LENGTH)) for _ in range(2 * EXPRESSIONS)}

        def evaluate(steps):
            z = x
            for step in steps:
                z = STEPS[step](self.xp, z, y)
            return z

        start = time.perf_counter()
        for steps in sorted(programs)[:: len(programs) // EXPRESSIONS][:EXPRESSIONS]:
            self.compute(lambda: evaluate(steps))
        self.wait()
        return time.perf_counter() - start

    def repeated(self):
        """Seconds of every call, and when each ended."""
        xp, x = self.xp, self.big
        taken, ended = [], []
        begin = time.perf_counter()
        while len(taken) < 20 or (len(taken) < 2000 and time.perf_counter() - begin < 2):
            start = time.perf_counter()
            self.compute(lambda: xp.cos(x * 1.5) * xp.exp(-x) + xp.sqrt(x + 0.25) - x * x / (1 + x))
            self.wait()
            now = time.perf_counter()
            taken.append(now - start)
            ended.append(now - begin)
        return taken, ended


def main():
    xp = importlib.import_module(sys.argv[1])
    on_cpu = not hasattr(xp, "cuda") or getattr(getattr(xp, "config", None), "backend", lambda: "")() == "cpu"
    program = Program(xp, float(os.environ.get("SCALE", "1")))
    figures = {"unique_s": round(program.unique(1, program.x, program.y), 4)}
    small = (program.unique(seed, program.x[:1024], program.y[:1024]) for seed in range(2, 7))
    figures["unique_small_s"] = round(statistics.median(small), 6)
    taken, ended = program.repeated()
    steady = statistics.median(taken[-10:])
    fast = [t <= 1.3 * steady for t in taken]
    first = next((i for i in range(len(fast) - 2) if all(fast[i : i + 3])), len(fast) - 1)
    figures["first_call_ms"] = round(taken[0] * 1e3, 3)
    figures["steady_us"] = round(steady * 1e6, 1)
    figures["steady_call"] = first + 1
    figures["steady_ms"] = round(ended[first] * 1e3, 2)
    if not on_cpu:  # there the call computes, too
        figures["longest_stall_ms"] = round(program.stall * 1e3, 3)
    with open(sys.argv[2], "w") as file:
        json.dump(figures, file, indent=1)


if __name__ == "__main__":
    main()
