"""User kernels on the CPU backend beside numexpr and NumPy: user_kernels.py [log2 of the number of elements].

Interleaved rounds; the smallest time of each row in milliseconds.
"""

import os
import sys
import time

os.environ.setdefault("TOMBAC_BACKEND", "cpu")

import numexpr
import numpy as np

import tombac as xp

ROUNDS = 8
# As numexpr takes them; the kernel's C++ is the same text.
EXPRESSIONS = ["(x-y)*(x-y)", "sqrt(x)*exp(-y)", "sin(x)*cos(y)", "log(x+1)-log1p(y)", "tanh(x*y)", "arctan2(x, y)",
               "where(x > y, x, y)", "x*x*x + 2*x*y - y/(x+1)"]


def rows(n):
    rng = np.random.default_rng(0)
    a, b = rng.random(n, dtype="f"), rng.random(n, dtype="f")
    host = np.empty_like(a)
    x, y, out = xp.asarray(a), xp.asarray(b), xp.empty(n, "f")
    norm = xp.ReductionKernel("T x", "T y", "x * x", "a + b", "y = sqrt(a)", "0", "l2norm")
    m, hm = x.reshape(-1, 4096), a.reshape(-1, 4096)
    wait = xp.cuda.Device().synchronize
    for text in EXPRESSIONS:
        code = text.replace("where(", "pick(").replace("arctan2", "atan2")
        k = xp.ElementwiseKernel("T x, T y", "T z", f"z = {code}", "expression",
                                 preamble="template <class C, class T> __device__ T pick(C c, T x, T y)"
                                          "{ return c ? x : y; }" if "where" in text else "")
        yield f"{text} tombac", lambda k=k: (k(x, y, out), wait())
        yield f"{text} numexpr", lambda text=text: numexpr.evaluate(text, {"x": a, "y": b}, out=host)
    yield "l2norm        tombac", lambda: (norm(x), wait())
    yield "l2norm        numpy", lambda: np.sqrt(np.dot(a, a))
    yield "l2norm axis 1 tombac", lambda: (norm(m, axis=1), wait())
    yield "l2norm axis 1 numpy", lambda: np.sqrt(np.einsum("ij,ij->i", hm, hm))
    yield "l2norm axis 0 tombac", lambda: (norm(m, axis=0), wait())
    yield "l2norm axis 0 numpy", lambda: np.sqrt(np.einsum("ij,ij->j", hm, hm))


def main():
    table = list(rows(1 << int(sys.argv[1] if len(sys.argv) > 1 else 24)))
    best = dict.fromkeys((name for name, _ in table), float("inf"))
    for _ in range(ROUNDS):
        for name, f in table:
            start = time.perf_counter()
            f()
            best[name] = min(best[name], time.perf_counter() - start)
    for name, seconds in best.items():
        print(f"{name:32s} {seconds * 1e3:8.2f}")


if __name__ == "__main__":
    main()
