"""User kernels and what a program needs around them, under one CuPy-like module:
python bench/kernels.py {cupy,tombac} OUTPUT.json

  kernel.*   host time of one call on 1,024 elements, in microseconds
  runtime.*  the same for streams, events, memory and views
  first.*    milliseconds from a new kernel's source to its first result, with nothing about it in any cache; of five
             kernels that differ in a number
  wide.*     microseconds to completion of one call on 2**26 elements (SCALE in the environment changes that)

Medians. What the module under test does not support is recorded with the error in place of a figure.
"""

import importlib
import json
import os
import random
import statistics
import sys
import time

import numpy as np

RAW = """extern "C" __global__ void axpy(const float *x, const float *y, float *z, float a, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) z[i] = a * x[i] + y[i];
}"""


def per_call(function, synchronize, calls, compiled):
    for _ in range(20):
        function()
        compiled()
    synchronize()
    samples = []
    for _ in range(7):
        start = time.perf_counter()
        for _ in range(calls):
            function()
        synchronize()
        samples.append((time.perf_counter() - start) / calls * 1e6)
    return statistics.median(samples)


def once(function, synchronize, unit):
    start = time.perf_counter()
    result = function()
    synchronize()
    del result
    return (time.perf_counter() - start) * unit


def median_of_first(function, synchronize, compiled):
    compiled()
    return statistics.median(once(function, synchronize, 1e3) for _ in range(5))


def completion(function, synchronize, compiled):
    for _ in range(3):
        once(function, synchronize, 1e6)
        compiled()
    return statistics.median(once(function, synchronize, 1e6) for _ in range(9))


def kernels(xp):
    return {
        "elementwise": xp.ElementwiseKernel("T x, T y", "T z", "z = (x - y) * (x - y)", "squared_difference"),
        "reduction": xp.ReductionKernel("T x", "T y", "x * x", "a + b", "y = sqrt(a)", "0", "l2norm"),
        "raw": xp.RawKernel(RAW, "axpy"),
        "fuse": xp.fuse(squared_difference),
    }


def squared_difference(a, b):
    return (a - b) * (a - b)


def copy_kernel(jit):
    @jit.rawkernel()
    def copy(x, y, n):
        i = jit.blockIdx.x * jit.blockDim.x + jit.threadIdx.x
        if i < n:
            y[i] = x[i]

    return copy


def kernel_calls(xp, jit):
    x, y, out = xp.arange(1024, dtype="f"), xp.ones(1024, "f"), xp.empty(1024, "f")
    m, k, copy = x.reshape(32, 32), kernels(xp), copy_kernel(jit)
    arguments = (x, y, out, np.float32(2), np.int32(1024))

    def multiply_add(a, b):
        return a * b + 1

    vectorized = xp.vectorize(multiply_add)
    return {
        "elementwise": lambda: k["elementwise"](x, y),
        "elementwise_out": lambda: k["elementwise"](x, y, out),
        "reduction": lambda: k["reduction"](x),
        "reduction_axis": lambda: k["reduction"](m, axis=1),
        "raw": lambda: k["raw"]((4,), (256,), arguments),
        "fuse": lambda: k["fuse"](x, y).data.ptr,
        "jit": lambda: copy((4,), (256,), (x, out, np.int32(1024))),
        "vectorize": lambda: vectorized(x, y),
    }


def runtime_calls(xp):
    x, event, stream, device = xp.ones(1024, "f"), xp.cuda.Event(), xp.cuda.Stream(), xp.cuda.Device(0)
    pool, host = xp.get_default_memory_pool(), np.ones(1024, "f")

    def enter(context):
        with context:
            pass

    return {
        "empty": lambda: xp.empty(1024, "f"),
        "empty_64MB": lambda: xp.empty(1 << 24, "f"),
        "event_record": lambda: event.record(),
        "event_new": lambda: xp.cuda.Event(),
        "stream_context": lambda: enter(stream),
        "stream_new": lambda: xp.cuda.Stream(),
        "device_context": lambda: enter(device),
        "current_stream": lambda: xp.cuda.get_current_stream(),
        "fill": lambda: x.fill(0),
        "get": lambda: x.get(),
        "set": lambda: x.set(host),
        "from_dlpack": lambda: xp.from_dlpack(x),
        "cuda_array_interface": lambda: getattr(x, "__cuda_array_interface__", None),
        "used_bytes": lambda: pool.used_bytes(),
    }


def first_uses(xp):
    """Functions that make a new kernel at every call: each has a number of its own."""
    x, number = xp.arange(1024, dtype="f"), random.random

    def raw():
        code = f'extern "C" __global__ void f(float *x) {{ x[0] = {number()}f; }}'
        return xp.RawKernel(code, "f")((1,), (1,), (x,))

    def reduction():
        return xp.ReductionKernel("T x", "T y", f"x * T({number()})", "a + b", "y = a", "0", "first_reduction")(x)

    def affine():
        salt = number()

        def function(a):
            return a * salt + 1

        return function

    return {
        "elementwise": lambda: xp.ElementwiseKernel("T x", "T y", f"y = x * T({number()})", "first_elementwise")(x),
        "reduction": reduction,
        "raw": raw,
        "fuse": lambda: xp.fuse(affine())(x).data.ptr,
        "vectorize": lambda: xp.vectorize(affine())(x),
    }


def wide_calls(xp, scale):
    n, side = int((1 << 26) * scale), int(8192 * scale**0.5)
    x, y = xp.random.random(n).astype("f"), xp.random.random(n).astype("f")
    rows, k = x[: side * side].reshape(side, side), kernels(xp)
    return {
        "elementwise": lambda: k["elementwise"](x, y),
        "reduction": lambda: k["reduction"](x),
        "reduction_axis1": lambda: k["reduction"](rows, axis=1),
        "reduction_axis0": lambda: k["reduction"](rows, axis=0),
        "fuse": lambda: k["fuse"](x, y).data.ptr,
    }


def main():
    name, output = sys.argv[1], sys.argv[2]
    xp, jit = importlib.import_module(name), importlib.import_module(name + "x.jit")
    device = xp.cuda.Device()
    device.synchronize()
    scale = float(os.environ.get("SCALE", "1"))
    compiled = getattr(getattr(xp, "config", None), "compile_wait", lambda: None)
    count = lambda k: 300 if k in ("stream_new", "get", "set") else 1000
    groups = [
        ("kernel", kernel_calls(xp, jit), lambda _, f: per_call(f, device.synchronize, 1000, compiled)),
        ("runtime", runtime_calls(xp), lambda k, f: per_call(f, device.synchronize, count(k), compiled)),
        ("wide", wide_calls(xp, scale), lambda _, f: completion(f, device.synchronize, compiled)),
        ("first", first_uses(xp), lambda _, f: median_of_first(f, device.synchronize, compiled)),
    ]
    results = {}
    for group, calls, measure in groups:
        for key, function in calls.items():
            try:
                results[f"{group}.{key}"] = round(measure(key, function), 3)
            except Exception as error:  # one unsupported call must not hide the others
                results[f"{group}.{key}"] = f"{type(error).__name__}: {error}"[:150]
    with open(output, "w") as file:
        json.dump(results, file, indent=1)


if __name__ == "__main__":
    main()
