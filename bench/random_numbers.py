"""Random numbers on the CPU beside NumPy's: every distribution of a Generator, with the same parameters.

    python bench/random_numbers.py [--count 4194304] [--samples 7] [names ...]

NumPy computes on one thread, tombac on all that it has. Samples are taken by turns in one process, and the least of
each counts: of the time that passed, and of the processor's (tombac's on all threads, divided by their number). Where
others use the machine the latter says what the former would be without them.
"""

import argparse
import os
import time

import numpy as np

import tombac as tb

WIDE = np.eye(8) + 0.5
CASES = [
    ("random", ()), ("uniform", (-1, 3)), ("standard_normal", ()), ("normal", (1, 2)), ("standard_exponential", ()),
    ("exponential", (2,)), ("integers", (0, 2)), ("integers", (0, 100)), ("integers", (0, 2**32)),
    ("integers", (0, 10**12)), ("integers", (-2**63, 2**63 - 1)), ("standard_gamma", (0.3,)), ("standard_gamma", (1,)),
    ("standard_gamma", (3,)), ("gamma", (100, 2)), ("beta", (0.5, 0.5)), ("beta", (2, 3)), ("beta", (0.3, 4)),
    ("chisquare", (1,)), ("chisquare", (5,)), ("f", (3, 5)), ("noncentral_chisquare", (3, 1)),
    ("noncentral_chisquare", (0.5, 2)), ("standard_t", (3,)), ("vonmises", (0, 0.1)), ("vonmises", (1, 4)),
    ("vonmises", (0, 1000)), ("laplace", (0, 1)), ("logistic", (0, 1)), ("gumbel", (0, 1)), ("lognormal", (0, 1)),
    ("pareto", (3,)), ("power", (3,)), ("rayleigh", (1,)), ("weibull", (1.5,)), ("standard_cauchy", ()),
    ("triangular", (0, 1, 4)), ("wald", (1, 2)), ("poisson", (0.5,)), ("poisson", (5,)), ("poisson", (12,)),
    ("poisson", (1000,)), ("binomial", (10, 0.5)), ("binomial", (100, 0.05)), ("binomial", (1000, 0.3)),
    ("binomial", (10**9, 0.5)), ("negative_binomial", (3, 0.5)), ("negative_binomial", (50, 0.1)),
    ("geometric", (0.5,)), ("geometric", (0.01,)),
    ("hypergeometric", (10, 20, 5)), ("hypergeometric", (1000, 2000, 500)),
    ("logseries", (0.5,)), ("logseries", (0.99,)), ("zipf", (1.5,)), ("zipf", (4,)), ("dirichlet", ([1.0, 2.0, 3.0],)),
    ("dirichlet", ([0.3, 0.5, 0.2],)), ("dirichlet", ([2.0] * 32,)), ("multinomial", (20, [0.2, 0.3, 0.5])),
    ("multivariate_normal", ([0.0, 1.0], [[1, 0.5], [0.5, 1]])), ("multivariate_normal", ([0.0] * 8, WIDE)),
    ("multivariate_hypergeometric", ([30, 40, 50], 20)), ("choice", (1000,)), ("choice of p", ()),
    ("choice without", ()), ("permutation", ()), ("shuffle", ()), ("permuted", ()),
]
VECTORS = {"dirichlet": 0, "multinomial": 1, "multivariate_normal": 0, "multivariate_hypergeometric": 0}


def call(module, name, args, n):
    """A function without arguments that draws n numbers."""
    g = module.random.default_rng(7)
    if name == "choice of p":
        p = module.asarray(np.arange(1, 1001) / 500500)
        return lambda: g.choice(1000, n, p=p)
    if name == "choice without":
        return lambda: g.choice(n, n // 4, replace=False)
    if name == "permutation":
        return lambda: g.permutation(n)
    if name == "shuffle":
        x = module.arange(n)
        return lambda: (g.shuffle(x), x)[1]
    if name == "permuted":
        x = module.arange(n).reshape(-1, 64)
        return lambda: g.permuted(x, axis=1)
    if name in VECTORS:
        n //= len(args[VECTORS[name]])
    return lambda: getattr(g, name)(*args, size=n)


def finish(x):
    """Waits for a result, and takes no copy of it."""
    if isinstance(x, tb.ndarray):
        x.data.ptr
        tb.cuda.get_current_stream().synchronize()


def sample(f, threads):
    begin, used = time.perf_counter(), time.process_time()
    finish(f())
    wall = time.perf_counter() - begin
    time.sleep(0.005)  # what another thread has used is known when it has stopped
    return wall, (time.process_time() - used) / threads


def measure(name, args, n, samples, threads):
    """Nanoseconds a number: NumPy's, tombac's, and the two by the processor's time."""
    theirs, mine = call(np, name, args, n), call(tb, name, args, n)
    best = [np.inf] * 4
    finish(mine())
    for _ in range(samples):
        for k, (f, of) in enumerate(((theirs, 1), (mine, threads))):
            wall, used = sample(f, of)
            best[k], best[k + 2] = min(best[k], wall), min(best[k + 2], used)
    return [b / n * 1e9 for b in best]


def text_of(name, args):
    shown = [f"{len(a)} x {a[0]}" if isinstance(a, list) and len(a) > 8 else "8 x 8" if a is WIDE else str(a)
             for a in args]
    return f"{name}({', '.join(shown)})" if args else name


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--count", type=int, default=1 << 22)
    parser.add_argument("--samples", type=int, default=7)
    parser.add_argument("--threads", type=int, default=os.cpu_count())
    options = parser.parse_args()
    print("| draw | NumPy, ns | tombac, ns | times | by the processor's time |\n| --- | ---: | ---: | ---: | ---: |")
    for name, args in CASES:
        if options.names and name not in options.names:
            continue
        a, b, c, d = measure(name, args, options.count, options.samples, options.threads)
        print(f"| {text_of(name, args)} | {a:.2f} | {b:.2f} | {a / b:.2f} | {c / d:.2f} |", flush=True)


if __name__ == "__main__":
    main()
