"""Start-up: a fresh process, import to results. python bench/cold.py {numpy,cupy,tombac} [OUTPUT.json]

One line of JSON, in seconds, also into the file if one is named.

Whether the kernel cache is empty is up to the caller: CUPY_CACHE_DIR and TOMBAC_CACHE_DIR name it.
"""

import importlib
import json
import sys
import time

RAW = """extern "C" __global__ void f(const float* x, float* y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < 1000) y[i] = x[i] + 1;
}"""


def main():
    times = {}
    begin = last = time.perf_counter()

    def lap(name):
        nonlocal last
        now = time.perf_counter()
        times[name] = round(now - last, 4)
        last = now

    xp = importlib.import_module(sys.argv[1])
    lap("import")
    a = xp.arange(1000, dtype="float32")
    float((a + 1).sum())
    lap("first_result")
    operations = [
        lambda: xp.sin(a),
        lambda: a * a - 3,
        lambda: a.reshape(10, 100).max(axis=0),
        lambda: xp.where(a > 5, a, 0),
        lambda: a.astype("int32") % 7,
        lambda: a[::2].std(),
        lambda: a.argmin(),
        lambda: xp.cumsum(a),
        lambda: xp.linalg.norm(a),
        lambda: xp.random.random(10),
    ]
    for operation in operations:
        result = operation()
        if hasattr(result.data, "ptr"):
            result.data
        if hasattr(xp, "cuda"):
            xp.cuda.Device().synchronize()
    lap("ten_operations")
    if hasattr(xp, "ElementwiseKernel"):
        xp.ElementwiseKernel("T x, T y", "T z", "z = (x - y) * (x - y) + T(3)", "k")(a, a)
        xp.cuda.Device().synchronize()
        lap("elementwise")
        raw = xp.RawKernel(RAW, "f")
        raw((4,), (256,), (a, xp.empty_like(a)))
        xp.cuda.Device().synchronize()
        lap("raw")
    times["total"] = round(last - begin, 4)
    print(json.dumps(times))
    if len(sys.argv) > 2:
        with open(sys.argv[2], "w") as file:
            json.dump(times, file)


if __name__ == "__main__":
    main()
