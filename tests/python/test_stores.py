"""Results that the CPU has no room for in its cache are stored past it: the same elements, wherever they lie."""

import os
import subprocess
import sys

import pytest

program = """
import numpy as np
import tombac as tb

SIZES = (16385, 40000, 70001)
rng = np.random.default_rng(0)


def values(dtype, shape):
    x = rng.integers(0, 100, shape)
    return (x + 1j * rng.integers(0, 100, shape)).astype(dtype) if np.dtype(dtype).kind == "c" else x.astype(dtype)


def check(name, mine, numpy):
    mine = mine.get()
    assert mine.dtype == numpy.dtype and mine.shape == numpy.shape, name
    assert mine.tobytes() == numpy.tobytes(), name


def both(name, function, *arrays):
    mine = function(tb, *(tb.array(a) for a in arrays))
    check(name, mine, function(np, *arrays))


def into(first, last, step=1):
    # Stores between elements that stay.
    def function(xp, x, y):
        x[first:x.size - last:step] = y[first:y.size - last:step] * 1
        return x
    return function


def copied(first, last):
    def function(xp, x, y):
        x[first:x.size - last] = y[:x.size - last - first]
        return x
    return function


def added(xp, x, y):
    x += y
    x[1:] += y[:-1]
    return x


def two_results(xp, x, y):
    s = x + y
    t = s * y
    return xp.concatenate((s, t, t - x))


for dtype in "? b B h H i I l L e f d F D".split():
    sums = np.logical_xor if dtype == "?" else np.add
    add = getattr(tb, sums.__name__)
    for n in SIZES:
        x, y = values(dtype, n), values(dtype, n)
        for first in (0, 1, 3, 16):
            label = f"{dtype} {n} from {first}"
            both(label, lambda xp, x, y: getattr(xp, sums.__name__)(x[first:], y[first:]), x, y)
            both(label, lambda xp, x, y: getattr(xp, sums.__name__)(x[first:], y[: n - first]), x, y)
            both(label, lambda xp, x, y: x[first:].copy(), x, y)
            both(label, into(first, 5), x, y)
            both(label, into(first, 2, 3), x, y)
            both(label, copied(first, 7), x, y)
        label = f"{dtype} {n}"
        both(label, lambda xp, x, y: x[::-1].copy(), x, y)
        both(label, lambda xp, x, y: x[::2] == y[1::2][: (n + 1) // 2] if n % 2 == 0 else x[::2] == y[::2], x, y)
        both(label, lambda xp, x, y: xp.full(n, x[7].item(), dtype=x.dtype), x, y)
        both(label, lambda xp, x, y: xp.ones(n, dtype=x.dtype), x, y)
        both(label, lambda xp, x, y: xp.where(x == y, x, y), x, y)
        both(label, lambda xp, x, y: xp.concatenate((x[1:], y)), x, y)
        if dtype != "?":
            both(label, lambda xp, x, y: x * x.dtype.type(2), x, y)
            both(label, lambda xp, x, y: (x + y) * x - y, x, y)
            both(label, added, x, y)
            both(label, two_results, x, y)
        for other in "? i f d D".split():
            if np.dtype(dtype).kind != "c" or other in "?D":
                both(f"{label} as {other}", lambda xp, x, y: x.astype(other), x, y)
    x, y = values(dtype, (301, 257)), values(dtype, 257)
    both(f"{dtype} rows", lambda xp, x, y: getattr(xp, sums.__name__)(x, y), x, y)
    both(f"{dtype} columns", lambda xp, x, y: getattr(xp, sums.__name__)(x[:, :1], y), x, y)
    both(f"{dtype} broadcast", lambda xp, x, y: xp.broadcast_to(y, (301, 257)).copy(), x, y)
    both(f"{dtype} transposed", lambda xp, x, y: x.T.copy(), x, y)
    both(f"{dtype} inner", lambda xp, x, y: getattr(xp, sums.__name__)(x[1:-1, 3:-2], y[3:-2]), x, y)
    both(f"{dtype} columns reversed", lambda xp, x, y: x[:, ::-1].copy(), x, y)
    both(f"{dtype} rows reversed", lambda xp, x, y: x[::-1].copy(), x, y)
    z = np.zeros((303, 300), dtype)
    mine = tb.array(z)
    z[1:-1, 30:-13] = x
    mine[1:-1, 30:-13] = tb.array(x)
    check(f"{dtype} into a matrix", mine, z)
big = np.arange(3_000_001, dtype="float32")
both("copies between host and device", lambda xp, x: x, big)
both("a part of them", lambda xp, x: x[1:], big)
print("done")
"""


@pytest.mark.parametrize("isa", ["base", "avx512"])
@pytest.mark.parametrize("threads", [1, 2])
def test_stored_past_the_cache(threads, isa):
    environment = dict(os.environ, TOMBAC_BACKEND="cpu", TOMBAC_NUM_THREADS=str(threads), TOMBAC_CPU_ISA=isa,
                       TOMBAC_STREAM_BYTES="0")
    done = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout == "done\n"
