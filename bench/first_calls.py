"""First calls: what a program waits for when a function is called for the first time, with no kernel in any cache of
the user's. python bench/first_calls.py [--peers cupy,tombac] [--only ndimage,signal.find_peaks] [--jobs N]

Each call has a process of its own, with an empty cache (CUPY_CACHE_DIR, TOMBAC_CACHE_DIR). Its arrays are on the device
before the clock runs, so that the device has been started; what is measured is from the call to the result. For tombac
it also says how many kernels were compiled, and how many came with the build. SCALE in the environment changes sizes.
"""

import argparse
import concurrent.futures
import json
import os
import subprocess
import sys
import tempfile
import time

import numpy as np

import peers

SCALE = float(os.environ.get("SCALE", "1"))


def sized(n, dimensions=1):
    return max(64 if dimensions == 1 else 32, int(n * SCALE ** (1 / dimensions)))


def uniform(*shape, dtype="float32"):
    return np.random.default_rng(0).random(shape).astype(dtype)


def normal(*shape, dtype="float32"):
    return np.random.default_rng(0).standard_normal(shape).astype(dtype)


# ---- the inputs, by what they are ------------------------------------------------------------------------------------


def image():
    return (uniform(sized(2048, 2), sized(2048, 2)),)


def volume():
    return (uniform(sized(128, 3), sized(128, 3), sized(128, 3)),)


def samples():
    return (normal(sized(1 << 22)),)


def numbers():
    return (uniform(sized(1 << 20), dtype="float64") * 10 + 0.1,)


def table():
    return (uniform(sized(1 << 14), 64, dtype="float64") * 10 + 0.1,)


def curve():
    x = np.linspace(0, 11, 1000)
    return x, np.sin(x), numbers()[0]


def rows():
    return uniform(sized(4096), 64), uniform(sized(4096), 64)


def points():
    return uniform(sized(1 << 17), 3, dtype="float64"), uniform(sized(1 << 15), 3, dtype="float64")


def grid():
    return uniform(64, 64, 64), uniform(sized(1 << 20), 3, dtype="float64") * 63


def scattered():
    return uniform(200, 2, dtype="float64"), uniform(sized(4096), 2, dtype="float64")


def matrix():
    n = sized(1 << 18)
    random = np.random.default_rng(0)
    return (random.random(16 * n, "f"), random.integers(0, n, 16 * n).astype("i"), np.arange(0, 16 * n + 1, 16, "i"),
            random.random(n, "f"))


def count():
    return (np.empty(sized(1 << 22)),)


def square():
    n = sized(512, 2)
    return uniform(n, n, dtype="float64") + n * np.eye(n), uniform(n, 4, dtype="float64")


def stack():
    n = sized(1024)
    return uniform(n, 32, 32) + 32 * np.eye(32, dtype="float32"), uniform(n, 32, 4)


def signals():
    return (uniform(64, sized(1 << 14)).astype("complex64"),)


# ---- the calls: xp, SciPy's module, inputs ---------------------------------------------------------------------------


def turned(xp):
    return xp.asarray([[0.9, 0.1], [-0.1, 0.9]], dtype="float64")


def filter_of(xp):
    return xp.asarray([0.1, 0.2, 0.1]), xp.asarray([1.0, -0.5, 0.2])


def csr(module, data, index, start):
    return module.csr_matrix((data, index, start), shape=(len(start) - 1, len(start) - 1))


DRAWS = {
    "random": (), "standard_normal": (), "exponential": (1,), "gamma": (2.5, 1), "beta": (2, 3), "poisson": (4,),
    "binomial": (100, 0.3), "integers": (0, 1000), "geometric": (0.2,), "chisquare": (3,), "standard_t": (3,),
    "vonmises": (0, 2), "zipf": (2.5,), "hypergeometric": (30, 20, 10), "laplace": (0, 1), "wald": (1, 2),
}  # fmt: skip


def drawn(name, *parameters):
    return lambda xp, m, x: getattr(xp.random.default_rng(0), name)(*parameters, x.size)


CALLS = {
    "ndimage": (image, {
        "gaussian": lambda xp, m, x: m.gaussian_filter(x, 3),
        "uniform": lambda xp, m, x: m.uniform_filter(x, 9),
        "median": lambda xp, m, x: m.median_filter(x, 5),
        "maximum": lambda xp, m, x: m.maximum_filter(x, 9),
        "sobel": lambda xp, m, x: m.sobel(x),
        "convolve": lambda xp, m, x: m.convolve(x, x[:7, :7]),
        "affine": lambda xp, m, x: m.affine_transform(x, turned(xp), order=1),
        "rotate": lambda xp, m, x: m.rotate(x, 30, order=1),
        "grey_opening": lambda xp, m, x: m.grey_opening(x, size=(5, 5)),
        "binary_erosion": lambda xp, m, x: m.binary_erosion(x > 0.2, iterations=3),
        "label": lambda xp, m, x: m.label(x > 0.6)[0],
        "edt": lambda xp, m, x: m.distance_transform_edt(x > 0.01),
        "sum_labels": lambda xp, m, x: m.sum_labels(x, (x * 1000).astype("int32"), xp.arange(1000)),
    }),
    "ndimage.": (volume, {"zoom3": lambda xp, m, x: m.zoom(x, 1.5, order=3)}),
    "signal": (samples, {
        "fftconvolve": lambda xp, m, x: m.fftconvolve(x, x[:4001], "same"),
        "convolve_direct": lambda xp, m, x: m.convolve(x, x[:65], "same", method="direct"),
        "lfilter": lambda xp, m, x: m.lfilter(*filter_of(xp), x),
        "sosfilt": lambda xp, m, x: m.sosfilt(m.butter(6, 0.2, output="sos"), x),
        "filtfilt": lambda xp, m, x: m.filtfilt(*m.butter(4, 0.2), x),
        "resample_poly": lambda xp, m, x: m.resample_poly(x, 3, 2),
        "decimate": lambda xp, m, x: m.decimate(x, 4),
        "upfirdn": lambda xp, m, x: m.upfirdn(x[:65], x, 2, 3),
        "stft": lambda xp, m, x: m.stft(x, nperseg=1024)[2],
        "welch": lambda xp, m, x: m.welch(x, nperseg=1024)[1],
        "hilbert": lambda xp, m, x: m.hilbert(x),
        "find_peaks": lambda xp, m, x: m.find_peaks(x, height=2)[0],
        "medfilt": lambda xp, m, x: m.medfilt(x, 7),
        "savgol": lambda xp, m, x: m.savgol_filter(x, 11, 3),
        "detrend": lambda xp, m, x: m.detrend(x),
        "convolve2d": lambda xp, m, x: m.convolve2d(x[: len(x) // 256 * 256].reshape(-1, 256), x[:49].reshape(7, 7)),
    }),
    "special": (table, {
        "gammaln": lambda xp, m, x: m.gammaln(x),
        "betainc": lambda xp, m, x: m.betainc(2.0, 3.0, x / 11),
        "logsumexp": lambda xp, m, x: m.logsumexp(x, axis=1),
        "softmax": lambda xp, m, x: m.softmax(x, axis=1),
    }),
    "interpolate": (curve, {
        "cubicspline": lambda xp, m, a, b, x: m.CubicSpline(a, b)(x),
        "interp1d": lambda xp, m, a, b, x: m.interp1d(a, b)(x),
        "pchip": lambda xp, m, a, b, x: m.PchipInterpolator(a, b)(x),
        "bspline": lambda xp, m, a, b, x: m.make_interp_spline(a, b, 3)(x),
    }),
    "interpolate.": (grid, {
        "regular_grid": lambda xp, m, v, p: m.RegularGridInterpolator((xp.arange(64.0),) * 3, v)(p),
    }),
    "interpolate..": (scattered, {"rbf": lambda xp, m, a, b: m.RBFInterpolator(a, a[:, 0])(b)}),
    "spatial": (points, {"kdtree": lambda xp, m, a, q: m.KDTree(a).query(q, k=8)[0]}),
    "spatial.distance": (rows, {
        "euclidean": lambda xp, m, a, b: m.cdist(a, b, "euclidean"),
        "cityblock": lambda xp, m, a, b: m.cdist(a, b, "cityblock"),
        "cosine": lambda xp, m, a, b: m.cdist(a, b, "cosine"),
        "hamming": lambda xp, m, a, b: m.cdist(a, b, "hamming"),
        "canberra": lambda xp, m, a, b: m.cdist(a, b, "canberra"),
    }),
    "stats": (numbers, {
        "zscore": lambda xp, m, x: m.zscore(x),
        "entropy": lambda xp, m, x: m.entropy(x),
        "trim_mean": lambda xp, m, x: m.trim_mean(x, 0.1),
    }),
    "sparse": (matrix, {
        "spmv": lambda xp, m, d, i, s, x: csr(m, d, i, s) @ x,
        "add": lambda xp, m, d, i, s, x: (csr(m, d, i, s) + csr(m, d, i, s).T.tocsr()).data,
        "sum_axis0": lambda xp, m, d, i, s, x: csr(m, d, i, s).sum(axis=0),
    }),
    "random": (count, {
        **{name: drawn(name, *parameters) for name, parameters in DRAWS.items()},
        "permutation": lambda xp, m, x: xp.random.permutation(x.size),
        "shuffle": lambda xp, m, x: xp.random.shuffle(x),
        "choice": lambda xp, m, x: xp.random.choice(1000, x.size),
        "choice_p": lambda xp, m, x: xp.random.choice(1000, x.size, p=xp.full(1000, 1e-3)),
        "multivariate_normal": lambda xp, m, x: xp.random.multivariate_normal(xp.zeros(8), xp.eye(8), x.size // 8),
    }),
    "linalg": (square, {
        "solve": lambda xp, m, a, b: xp.linalg.solve(a, b),
        "inv": lambda xp, m, a, b: xp.linalg.inv(a),
        "det": lambda xp, m, a, b: xp.linalg.det(a),
        "slogdet": lambda xp, m, a, b: xp.linalg.slogdet(a)[1],
        "cholesky": lambda xp, m, a, b: xp.linalg.cholesky(a + a.T),
        "qr": lambda xp, m, a, b: xp.linalg.qr(a)[0],
        "svd": lambda xp, m, a, b: xp.linalg.svd(a)[1],
        "eigh": lambda xp, m, a, b: xp.linalg.eigh(a + a.T)[0],
        "eig": lambda xp, m, a, b: xp.linalg.eig(a[:64, :64])[0],
        "lstsq": lambda xp, m, a, b: xp.linalg.lstsq(a[:, :64], b, rcond=None)[0],
        "pinv": lambda xp, m, a, b: xp.linalg.pinv(a),
        "matrix_rank": lambda xp, m, a, b: xp.linalg.matrix_rank(a),
        "norm": lambda xp, m, a, b: xp.linalg.norm(a, 2),
    }),
    "linalg.": (stack, {
        "solve_stack": lambda xp, m, a, b: xp.linalg.solve(a, b),
        "inv_stack": lambda xp, m, a, b: xp.linalg.inv(a),
        "qr_stack": lambda xp, m, a, b: xp.linalg.qr(a)[0],
        "svd_stack": lambda xp, m, a, b: xp.linalg.svd(a)[1],
        "eigh_stack": lambda xp, m, a, b: xp.linalg.eigh(a + a.mT)[0],
    }),
    "scipy.linalg": (square, {
        "lu": lambda xp, m, a, b: m.lu(a)[2],
        "lu_factor": lambda xp, m, a, b: m.lu_factor(a)[0],
        "solve_triangular": lambda xp, m, a, b: m.solve_triangular(a, b),
        "expm": lambda xp, m, a, b: m.expm(a / 512),
        "toeplitz": lambda xp, m, a, b: m.toeplitz(a[0]),
    }),
    "fft": (signals, {
        "fft": lambda xp, m, x: xp.fft.fft(x),
        "fft2": lambda xp, m, x: xp.fft.fft2(x.reshape(64, 128, -1)),
        "fft_axis0": lambda xp, m, x: xp.fft.fft(x, axis=0),
        "rfft": lambda xp, m, x: xp.fft.rfft(x.real),
        "filter": lambda xp, m, x: xp.fft.ifft(xp.fft.fft(x) * 0.5).real,
        "fftshift": lambda xp, m, x: xp.fft.fftshift(x),
    }),
    "scipy.fft": (signals, {
        "dct": lambda xp, m, x: m.dct(x.real),
        "dctn": lambda xp, m, x: m.dctn(x.real.reshape(64, 128, -1), axes=(1, 2)),
    }),
}


def all_names():
    return [f"{module.rstrip('.')}.{name}" for module, (_, calls) in CALLS.items() for name in calls]


def find(wanted):
    for module, (arrays, calls) in CALLS.items():
        for name, call in calls.items():
            if f"{module.rstrip('.')}.{name}" == wanted:
                return module.rstrip("."), arrays, call
    raise SystemExit(f"there is no call {wanted}: {', '.join(all_names())}")


# ---- one call, in this process ---------------------------------------------------------------------------------------


def counters(xp):
    count = getattr(getattr(xp, "config", None), "counters", None)
    return count() if count else {}


def measure(peer, name):
    module, arrays, call = find(name)
    beside = None if module in ("random", "linalg", "fft") else peer.beside(module.removeprefix("scipy."))
    inputs = [peer.array(host) for host in arrays()]
    peer.synchronize()
    before, start = counters(peer.xp), time.perf_counter()
    result = call(peer.xp, beside, *inputs)
    peer.finish(result)
    peer.synchronize(result)
    seconds, after = time.perf_counter() - start, counters(peer.xp)
    kernels = {key: after[key] - before[key] for key in ("compiles", "cache_hits_shipped") if key in after}
    return {"first_ms": seconds * 1e3, **kernels}


def one(library, name):
    try:
        print(json.dumps(measure(peers.make(library), name)))
    except Exception as error:  # a peer that lacks the function has a line that says so
        print(json.dumps({"error": repr(error)[:120]}))


# ---- all of them -----------------------------------------------------------------------------------------------------


def run(library, name):
    with tempfile.TemporaryDirectory() as cache:
        environment = os.environ | {"CUPY_CACHE_DIR": cache, "TOMBAC_CACHE_DIR": cache}
        command = [sys.executable, __file__, "--one", library, name]
        done = subprocess.run(command, env=environment, capture_output=True, text=True)
    lines = done.stdout.strip().splitlines()
    return json.loads(lines[-1]) if lines else {"error": done.stderr.strip()[-120:]}


def cell(figures):
    if "error" in figures:
        return figures["error"][:44]
    if "compiles" not in figures:
        return f"{figures['first_ms']:.0f}"
    return f"{figures['first_ms']:.0f} ({figures['compiles']} compiled, {figures['cache_hits_shipped']} shipped)"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--peers", default="cupy,tombac")
    parser.add_argument("--only", default="", help="names, or what they begin with")
    parser.add_argument("--jobs", type=int, default=1, help="processes side by side, which disturb one another")
    parser.add_argument("--one", nargs=2, metavar=("PEER", "NAME"), help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.one:
        return one(*options.one)
    libraries = peers.installed(options.peers.split(","))
    names = [name for name in all_names() if name.startswith(tuple(options.only.split(",")))]
    print(f"{'first call, ms':30}", *(f"{library:>44}" for library in libraries))
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        figures = pool.map(lambda name: (name, [run(library, name) for library in libraries]), names)
        for name, found in figures:
            print(f"{name:30}", *(f"{cell(each):>44}" for each in found), flush=True)


if __name__ == "__main__":
    main()
