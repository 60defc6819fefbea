"""The peak of a fused chain is its inputs and outputs: what the pool hands out is counted by a hook, block by block.

Inputs are there before counting starts, so a peak is what an expression needed beyond them. `test_without_fusion` runs
the same expressions with fusion off, where temporaries show: the count would see them.
"""

import gc

import numpy as np
import pytest

import tombac as xp
from tombac import config
from tombac.cuda.memory_hook import MemoryHook

pytestmark = pytest.mark.usefixtures("fused")

SHAPE = (512, 1024)
SIZE = 4 * SHAPE[0] * SHAPE[1]
# What kernels may need beside arrays: the partial results of a reduction.
SCRATCH = SIZE // 4


class Peak(MemoryHook):
    """The most bytes that were handed out at a time since the block began."""

    name = "Peak"

    def __init__(self):
        self.used = self.most = self.blocks = 0

    def malloc_postprocess(self, *, mem_size, **kwargs):
        self.used += mem_size
        self.blocks += 1
        self.most = max(self.most, self.used)

    def free_postprocess(self, *, mem_size, **kwargs):
        self.used -= mem_size


def inputs(count):
    rng = np.random.default_rng(0)
    arrays = [xp.array(rng.uniform(0.5, 1.5, SHAPE).astype("float32")) for _ in range(count)]
    for a in arrays:
        a.data  # noqa: B018 (evaluates)
    return arrays


def evaluated(results):
    for r in results if isinstance(results, tuple) else (results,):
        r.data  # noqa: B018 (evaluates)
    xp.cuda.Device().synchronize()
    return results


def peak(function, *arrays):
    """Bytes beyond the inputs. Evaluated before as well, so that kernels are there and pieces are not what is run."""
    for _ in range(3):
        evaluated(function(*arrays))
        config.compile_wait()
    gc.collect()
    with Peak() as hook:
        results = evaluated(function(*arrays))
        most = hook.most
    assert hook.blocks
    del results
    return most


def softplus(x):
    return xp.maximum(0, x) + xp.log1p(xp.exp(-abs(x)))


def gelu(x):
    return 0.5 * x * (1 + xp.tanh(0.79788456 * (x + 0.044715 * x * x * x)))


def black_scholes(spot, strike):
    d1 = (xp.log(spot / strike) + 0.065) / 0.3
    d2 = d1 - 0.3
    return spot / (1 + xp.exp(-1.702 * d1)) - strike * 0.98 / (1 + xp.exp(-1.702 * d2))


def where_chain(x, y):
    return xp.where(x > y, xp.sqrt(x) * y, (x - y) ** 2).astype("float32") + 1


CHAINS = {softplus: 1, gelu: 1, black_scholes: 2, where_chain: 2}


@pytest.mark.parametrize("chain", CHAINS, ids=lambda f: f.__name__)
def test_one_output(chain):
    assert peak(chain, *inputs(CHAINS[chain])) == SIZE


@pytest.mark.parametrize("chain", CHAINS, ids=lambda f: f.__name__)
def test_without_fusion(chain):
    arrays = inputs(CHAINS[chain])
    with config.fusion(False):
        assert peak(chain, *arrays) >= 2 * SIZE


def test_several_outputs():
    def function(x):
        a = xp.exp(-x) * 2
        b = xp.tanh(a + x) - 1
        return a, b, xp.sqrt(abs(b) + a * 3)

    assert peak(function, *inputs(1)) == 3 * SIZE


def test_outputs_of_several_dtypes():
    def function(x):
        a = xp.sin(x) * 2
        return (a > 0.5), (a * 3).astype("float64"), (a + 1).astype("float16")

    assert peak(function, *inputs(1)) == SIZE // 4 + 2 * SIZE + SIZE // 2


@pytest.mark.parametrize("axis", [None, 0, 1])
@pytest.mark.parametrize("name", ["sum", "max", "mean", "argmax", "any"])
def test_reduction_of_a_chain(name, axis):
    def function(x, y):
        return getattr(xp, name)(abs(x - y) ** 2 * xp.exp(-x), axis=axis)

    arrays = inputs(2)
    assert peak(function, *arrays) <= SCRATCH
    with config.fusion(False):
        assert peak(function, *arrays) >= 2 * SIZE


def test_scan_of_a_chain():
    assert peak(lambda x: xp.cumsum(xp.exp(-x) * 2 - x, axis=1), *inputs(1)) <= SIZE + SCRATCH


@pytest.mark.parametrize(
    "function, needed",
    [
        (lambda x: x * 2, 0),
        (softplus, 0),
        (gelu, 0),
        (lambda x: x + x[::-1], SIZE),  # reads elements that others write
        (lambda x: x.T + x.T * 2, 0),
    ],
    ids=["once", "softplus", "gelu", "reversed", "transposed"],
)
def test_donated_input(function, needed):
    """The last reference to an input goes before the result is computed: the result takes its memory if it can."""

    def run():
        (x,) = inputs(1)
        want = function(x).get()
        gc.collect()
        with Peak() as hook:
            y = function(x)
            del x
            evaluated(y)
            most = hook.most
        np.testing.assert_array_equal(y.get(), want)
        return most

    run()
    config.compile_wait()
    assert run() == needed


def test_in_place():
    x, y = inputs(2)

    def run():
        nonlocal x
        with Peak() as hook:
            x += xp.exp(-y) * 0.5
            x *= y
            x -= xp.tanh(x)
            evaluated(x)
            most = hook.most
        return most

    run()
    config.compile_wait()
    assert run() == 0


def test_dropped_chain():
    (x,) = inputs(1)
    with Peak() as hook:
        y = softplus(x) * 2
        del y
        xp.cuda.Device().synchronize()
    assert hook.blocks == 0


def test_statistics_of_the_pool():
    """The same from the pool's own figures: what it took from the device for a chain is the output."""
    pool = xp.cuda.MemoryPool()
    (x,) = inputs(1)
    evaluated(softplus(x))
    with xp.cuda.using_allocator(pool.malloc):
        y = evaluated(softplus(x))
        assert pool.used_bytes() == SIZE and pool.total_bytes() == SIZE
    del y
    assert pool.used_bytes() == 0
