"""Programs that pick and set rows and columns of many live arrays, with views written through, calls that fail and
memory that runs out in between: what was pending, and what failed, must not be seen in anything else."""

import numpy as np
import pytest
import tombac as tb
from strategies import same

SHAPES = [(300, 4), (40, 50), (7, 30, 5), (2000, 3), (4, 5, 6, 7)]


def picked(rng, n, dtype):
    """Different places along an axis, from either end."""
    some = rng.permutation(n)[:max(1, n // 2)].astype(dtype)
    return some - n if rng.random() < 0.3 and some.dtype.kind == "i" else some


def step(xp, arrays, live, a, b, kind, rows, columns):
    x, y, one = arrays[a], arrays[b], arrays[a].dtype.type(1)
    if kind == 0:
        x[..., columns] = y[..., columns] * one
    elif kind == 1:
        x[rows] = y[rows]
    elif kind == 2:
        live.append(x[..., columns] + one)
    elif kind == 3:
        live.append(x[rows] * one)
    elif kind == 4:
        x[..., columns] = 3
    elif kind == 5:
        half = y[::2]
        half[...] = half[::-1] if xp is tb else half[::-1].copy()
    elif kind == 6:
        live.append(xp.take(x, columns, axis=-1))
    else:
        live += [(x != 0).any(-1), (x != 0).argmin(-1)]


def refused(array, columns):
    with pytest.raises(ValueError):
        array[..., columns] = tb.zeros((9, columns.size + 1))
    with pytest.raises(IndexError):
        tb.take(array, tb.array([array.shape[-1]]), axis=-1, mode="raise")


@pytest.mark.parametrize("fusion", [False, True, "all"])
@pytest.mark.parametrize("shape", SHAPES, ids=str)
@pytest.mark.parametrize("code", ["?", "B", "h", "f", "d", "D"])
def test_rows_and_columns_among_other_things(code, shape, fusion):
    rng = np.random.default_rng(len(shape) * 100 + shape[0])
    pool = tb.get_default_memory_pool()
    host = [np.asarray((rng.random(shape) * 9).astype(code), order="CF"[i % 2]) for i in range(4)]
    device, kept, live = [tb.array(h, order="K") for h in host], [], []
    views = [(d[::2], h[::2]) for d, h in zip(device, host)]
    with tb.config.fusion(fusion):
        for turn in range(40):
            (a, b), kind = rng.integers(0, 4, 2), int(rng.integers(0, 8))
            rows, columns = picked(rng, shape[0], "l"), picked(rng, shape[-1], rng.choice(["l", "i", "H", "h"]))
            tight = turn % 5 == 4
            if tight:
                pool.free_all_blocks()
                pool.set_limit(pool.used_bytes() + 1)
            try:
                step(tb, device, live, a, b, kind, tb.array(rows), tb.array(columns))
            except MemoryError:
                assert tight
                continue
            finally:
                pool.set_limit(0)
            step(np, host, kept, a, b, kind, rows, columns)
            if turn % 7 == 0:
                refused(device[a], tb.array(columns))
    for got, want in [*zip(device, host), *zip(live, kept), *views]:
        same(got, want)
