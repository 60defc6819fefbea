"""The workloads: what every library is measured on, as tables of calls under NumPy's names.

  host    one call on 1,024 elements; host8: some of them on 8
  big     one call on 2**26 elements times the scale
  types   the same for float64, float16 and int32, on as many bytes as `big` has in float32
  shapes  awkward shapes: reductions over short axes in any position, thin matrices, a permuted middle. With the bytes
          that each has to move, to be held against a plain copy of as many in the same run

`arrays(group)` makes the inputs with NumPy, the same ones for every library. measure.py runs them, compare.py compares.
"""

import math
from types import SimpleNamespace

import numpy as np

CHAINS = {
    "softplus": lambda xp, x: xp.maximum(0, x) + xp.log1p(xp.exp(-abs(x))),
    "chain3": lambda xp, x: xp.tanh(xp.sin(x) + 0.1 * x),
    "gelu": lambda xp, x: 0.5 * x * (1 + xp.tanh(0.79788456 * (x + 0.044715 * x * x * x))),
}
HOST8 = ("add", "add_scalar", "iadd", "sin", "gt", "chain3", "softplus", "sum", "mean", "argmax", "std", "cumsum",
         "slice", "getitem_int", "setitem", "where", "clip", "astype", "copy", "dot", "item", "array", "random")
TYPES = ("float64", "float16", "int32")


def to_peer(peer, arrays):
    return SimpleNamespace(**{k: peer.array(v) if isinstance(v, np.ndarray) else v for k, v in arrays.items()})


def host_arrays(peer, size):
    x = np.arange(size, dtype="float32") / size + np.float32(0.5)
    y = x * 2 + 1
    d = to_peer(peer, {"x": x, "y": y, "target": x})
    d.host = np.arange(size, dtype="float32")
    return d


def host_calls(xp, d):
    x, y, target, host = d.x, d.y, d.target, d.host  # the target is written to again and again
    n = len(host)
    m = x.reshape(32, 32) if n == 1024 else x.reshape(2, n // 2)
    side = len(m)
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
        "empty": lambda: xp.empty((32, 32), dtype="float32"),
        "zeros": lambda: xp.zeros((32, 32), dtype="float32"),
        "arange": lambda: xp.arange(64),
        "linspace": lambda: xp.linspace(0, 1, 64),
        "where": lambda: xp.where(x > 1, x, y),
        "clip": lambda: xp.clip(x, 0.6, 0.9),
        "astype": lambda: x.astype("float64"),
        "copy": lambda: x.copy(),
        "concatenate": lambda: xp.concatenate((x, y)),
        "stack": lambda: xp.stack((x, y)),
        "broadcast_add": lambda: m + x[:side],
        "transpose_add": lambda: m + m.T,
        "matmul32": lambda: m @ m,
        "dot": lambda: x.dot(y),
        "item": lambda: float(x[0]),
        "array": lambda: xp.array(host),
        "random": lambda: xp.random.random(n),
    }


def black_scholes(xp, spot, strike, years=1.0, rate=0.02, volatility=0.3):
    d1 = (xp.log(spot / strike) + (rate + volatility * volatility / 2) * years) / (volatility * years**0.5)
    d2 = d1 - volatility * years**0.5

    def normal(d):
        return 1 / (1 + xp.exp(-1.702 * d))

    return spot * normal(d1) - strike * math.exp(-rate * years) * normal(d2)


def softmax(xp, rows):
    powers = xp.exp(rows - rows.max(axis=1, keepdims=True))
    return powers / powers.sum(axis=1, keepdims=True)


def big_arrays(peer, scale):
    random = np.random.default_rng(0)
    n, side = int((1 << 26) * scale), int(8192 * scale**0.5)
    x, y = random.random(n, dtype="float32"), random.random(n, dtype="float32")
    size = 4096 if scale >= 1 else 1024
    d = to_peer(peer, {
        "x": x, "y": y, "spot": x * 100 + 1, "strike": y * 100 + 1, "mask": x > 0.5,
        "weights": np.linspace(0, 1, side, dtype="float32"),
        "volume": random.random((max(int(256 * scale), 1), 512, 512)),
        "a": random.random((size, size), dtype="float32"), "d": random.random((1024, 1024)),
    })
    d.rows = d.x[: side * side].reshape(side, side)
    d.host = x
    return d


def big_calls(xp, d):
    x, y, spot, strike, mask, rows = d.x, d.y, d.spot, d.strike, d.mask, d.rows
    host, n = d.host, len(d.host)
    to_host = getattr(xp, "asnumpy", np.copy)
    return {
        "add": lambda: x + y,
        "copy": lambda: x.copy(),
        "sin": lambda: xp.sin(x),
        "chain3": lambda: CHAINS["chain3"](xp, x),
        "softplus": lambda: CHAINS["softplus"](xp, x),
        "black_scholes": lambda: black_scholes(xp, spot, strike),
        "gelu": lambda: CHAINS["gelu"](xp, x),
        "where": lambda: xp.where(mask, x, y),
        "masked": lambda: x[mask],
        "astype_f64": lambda: x.astype("float64"),
        "flip": lambda: xp.ascontiguousarray(x[::-1]),
        "transpose_copy": lambda: xp.ascontiguousarray(rows.T),
        "concatenate": lambda: xp.concatenate((x, y)),
        "sum": lambda: x.sum(),
        "sum_axis0": lambda: rows.sum(axis=0),
        "sum_axis1": lambda: rows.sum(axis=1),
        "mean_broadcast": lambda: (rows * d.weights).mean(axis=0),
        "abs2sum": lambda: xp.sum(xp.abs(d.volume) ** 2),
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
        "random_compare": lambda: xp.random.default_rng(0).random(n, dtype="float32") < 0.3,
        "matmul_f32": lambda: d.a @ d.a,
        "matmul_f64": lambda: d.d @ d.d,
        "host_to_device": lambda: xp.array(host),
        "device_to_host": lambda: to_host(x),
    }


def order_arrays(peer, scale):
    random = np.random.default_rng(0)
    n, side = int((1 << 26) * scale), int(8192 * scale**0.5)
    d = to_peer(peer, {
        "x": random.standard_normal(n, dtype="float32"), "i": random.integers(-(2**31), 2**31, n, dtype="int32"),
        "edges": np.sort(random.standard_normal(8192, dtype="float32")),
        "bins": random.integers(0, 1000, n // 4, dtype="int64"),
        "signal": random.standard_normal(n // 64, dtype="float32"),
        "kernel": random.standard_normal(101, dtype="float32"), "few": random.standard_normal(1024, dtype="float32"),
    })
    d.rows = d.x[: side * side].reshape(side, side)
    d.short = d.x[: n // 64 * 64].reshape(n // 64, 64)
    return d


def order_calls(xp, d):
    """On many elements; those that end in _few on 1,024."""
    x, i, few, positive = d.x, d.i, d.few, d.few > 0
    return {
        "sort": lambda: xp.sort(x),
        "sort_int32": lambda: xp.sort(i),
        "argsort": lambda: xp.argsort(x),
        "sort_axis1": lambda: xp.sort(d.rows, axis=1),
        "sort_axis0": lambda: xp.sort(d.rows, axis=0),
        "sort_rows_of_64": lambda: xp.sort(d.short, axis=1),
        "unique": lambda: xp.unique(i),
        "searchsorted": lambda: xp.searchsorted(d.edges, x),
        "histogram": lambda: xp.histogram(x, 100)[0],
        "bincount": lambda: xp.bincount(d.bins),
        "percentile": lambda: xp.percentile(x, 30),
        "partition": lambda: xp.partition(x, len(x) // 3),
        "median": lambda: xp.median(x),
        "pad": lambda: xp.pad(d.rows, 3),
        "convolve": lambda: xp.convolve(d.signal, d.kernel),
        "sort_few": lambda: xp.sort(few),
        "unique_few": lambda: xp.unique(few),
        "masked_few": lambda: few[positive],
        "histogram_few": lambda: xp.histogram(few, 10)[0],
        "percentile_few": lambda: xp.percentile(few, 30),
    }


def types_arrays(peer, scale, dtype):
    random = np.random.default_rng(0)
    side = int(8192 * scale**0.5)
    columns = 4 * side // np.dtype(dtype).itemsize
    n = side * columns
    if np.dtype(dtype).kind == "i":
        x, y = (random.integers(0, 100, n, dtype=dtype) for _ in range(2))
    else:
        x, y = (random.random(n, dtype="float32").astype(dtype) for _ in range(2))
    d = to_peer(peer, {"x": x, "y": y, "mask": x > y})
    d.rows = d.x.reshape(side, columns)
    return d


def types_calls(xp, d):
    x, y, mask, rows = d.x, d.y, d.mask, d.rows
    return {
        "add": lambda: x + y,
        "copy": lambda: x.copy(),
        "where": lambda: xp.where(mask, x, y),
        "flip": lambda: xp.ascontiguousarray(x[::-1]),
        "transpose_copy": lambda: xp.ascontiguousarray(rows.T),
        "sum": lambda: x.sum(),
        "sum_axis0": lambda: rows.sum(axis=0),
        "sum_axis1": lambda: rows.sum(axis=1),
        "max": lambda: x.max(),
        "cumsum": lambda: xp.cumsum(x),
    }


def shapes_calls(peer, scale):
    """Name: (call, bytes it has to move). `copy*` are the limits: a plain copy of the largest, of the small inputs."""
    n = int((1 << 26) * scale)
    flat = peer.array(np.random.default_rng(0).random(n, dtype="float32"))
    xp, calls = peer.xp, {}

    def add(name, x, axis, out):
        moved = 4 * (math.prod(x.shape) + out)
        calls[f"sum_{name}"] = lambda: x.sum(axis=axis), moved
        calls[f"max_{name}"] = lambda: (xp.amax if hasattr(xp, "amax") else xp.max)(x, axis=axis), moved

    small = peer.array(np.ones(3_000_000, "float32"))
    calls["copy"] = lambda: peer.copied(flat), 8 * n
    calls["copy_small"] = lambda: peer.copied(small), 8 * 3_000_000
    for length in (3, 7, 100):
        rest = n // length
        side = math.isqrt(rest)
        for shape, axis in (((length, rest), 0), ((side, length, side), 1), ((rest, length), 1)):
            x = flat[: math.prod(shape)].reshape(shape)
            place = "first" if axis == 0 else "middle" if len(shape) == 3 else "last"
            add(f"{length}_{place}", x, axis, math.prod(shape) // length)
    for length in (17, 100):
        add(f"{length}_columns", flat[: n // length * length].reshape(n // length, length), 0, length)
    odd = flat[: n // 31 * 31].reshape(n // 31, 31)
    calls["cumsum_31_last"] = lambda: xp.cumsum(odd, axis=1), 8 * (n // 31 * 31)
    points, planes = (flat[: n // 3 * 3].reshape(shape) for shape in ((n // 3, 3), (3, n // 3)))
    moved = 8 * (n // 3 * 3)
    calls["cumsum_3_columns"] = lambda: xp.cumsum(points, axis=0), moved
    calls["stack_3_last"] = lambda: xp.stack([planes[0], planes[1], planes[2]], -1), moved
    turn = peer.array(np.random.default_rng(0).random((3, 3), dtype="float32"))
    matrices = flat[: n // 16 * 16].reshape(n // 16, 4, 4)
    calls["matmul_3_columns"] = lambda: points @ turn, moved
    calls["matmul_4x4_each"] = lambda: matrices @ matrices, 8 * n
    for shape in ((1_000_000, 3), (3, 1_000_000)):
        for axis in (0, 1):
            add(f"{shape[0]}x{shape[1]}_axis{axis}", small.reshape(shape), axis, shape[1 - axis])
    if not peer.has_views:
        return calls
    shape = (16, 12, 20, 24, n // (16 * 12 * 20 * 24))
    size = math.prod(shape)
    five = flat[:size].reshape(shape)
    permuted, mixed, last = (peer.permuted(five, axes) for axes in ((0, 2, 1, 3, 4), (0, 3, 2, 1, 4), (0, 2, 4, 1, 3)))
    calls["transpose_3_columns"] = lambda: peer.contiguous(points.T), moved
    calls["transpose_3_rows"] = lambda: peer.contiguous(planes.T), moved
    calls["5d_middle_copy"] = lambda: permuted + 1.0, 8 * size
    calls["5d_reversed_copy"] = lambda: mixed + 1.0, 8 * size
    calls["5d_last_copy"] = lambda: last + 1.0, 8 * size
    for axis in (1, 2, 4):
        add(f"5d_axis{axis}", permuted, axis, size // permuted.shape[axis])
    add("5d_axes123", permuted, (1, 2, 3), shape[0] * shape[4])
    return calls
