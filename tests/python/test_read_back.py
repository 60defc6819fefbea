"""What the host gave an array is read without waiting for a device, but only until somebody may have written there."""

import numpy as np
import pytest
import tombac as tb

import tombacx

HOST = np.array([3.0, -1.0, 2.0, 0.0, 7.0, 5.0, -4.0, 6.0])


def by_elementwise(x):
    tb.ElementwiseKernel("float64 a", "float64 y", "y = a + 1", "read_back_one_more")(x, x)


def by_raw(x):
    code = 'extern "C" __global__ void twice(double *x) { x[threadIdx.x] *= 2; }'
    tb.RawKernel(code, "twice")((1,), (8,), (x,))


def by_raw_view(x):
    code = 'extern "C" __global__ void negate(double *x) { x[threadIdx.x] = -x[threadIdx.x]; }'
    tb.RawKernel(code, "negate")((1,), (4,), (x[4:],))


def by_memcpy(x):
    other = tb.arange(8.0)
    x.data.copy_from(other.data, x.nbytes)


def by_reduction_out(x):
    tb.sum(tb.ones((3, 8)), 0, out=x)


def by_from_dlpack(x):
    y = tb.from_dlpack(x)
    y += 3


def by_wrapped_pointer(x):
    memory = tb.cuda.MemoryPointer(tb.cuda.UnownedMemory(x.data.ptr, x.nbytes, x), 0)
    y = tb.ndarray(8, "d", memory)
    y[:] = 9


WRITERS = {
    "add": lambda x: x.__iadd__(1),
    "item": lambda x: x.__setitem__(3, 8.5),
    "slice": lambda x: x.__setitem__(slice(2, 5), 1),
    "view": lambda x: x[::-2].__imul__(3),
    "fill": lambda x: x.fill(4),
    "set": lambda x: x.set(HOST * 2),
    "out": lambda x: tb.add(x, 1, out=x),
    "out_view": lambda x: tb.negative(tb.arange(4.0), out=x[2:6]),
    "at": lambda x: tb.add.at(x, tb.array([0, 0, 3]), 2.0),
    "mask": lambda x: x.__setitem__(x > 2, 0),
    "mask_values": lambda x: x.__setitem__(x > 2, tb.arange(4.0)),
    "places": lambda x: x.__setitem__(tb.array([1, 6]), 9),
    "sort": lambda x: x.sort(),
    "partition": lambda x: x.partition(3),
    "put": lambda x: x.put([1, 2], [50, 60]),
    "copyto": lambda x: tb.copyto(x, tb.ones(8)),
    "where": lambda x: tb.copyto(x, 1.5, where=x > 0),
    "shuffle": lambda x: tb.random.default_rng(3).shuffle(x),
    "random": lambda x: tb.random.default_rng(3).random(out=x),
    "cumsum": lambda x: tb.cumsum(x, out=x),
    "sum": by_reduction_out,
    "matmul": lambda x: tb.matmul(tb.eye(8), x + 1, out=x),
    "take": lambda x: tb.take(x, tb.array([7, 6, 5, 4, 3, 2, 1, 0]), out=x),
    "real": lambda x: setattr(x, "real", 3),
    "scatter": lambda x: tombacx.scatter_add(x, tb.array([2, 2]), 5.0),
    "elementwise": by_elementwise,
    "raw": by_raw,
    "raw_view": by_raw_view,
    "memcpy": by_memcpy,
    "dlpack": by_from_dlpack,
    "pointer": by_wrapped_pointer,
    "diagonal": lambda x: tb.fill_diagonal(x.reshape(2, 4), 77),
    "clip": lambda x: tb.clip(x, 0, 3, out=x),
    "bytes": lambda x: x.view("u1").__setitem__(slice(8), 0),
    "place": lambda x: tb.place(x, x > 4, [1, 2]),
    "complex": lambda x: x.view("D").__imul__(2j),
    "nan": lambda x: tb.nan_to_num(x, copy=False, nan=1),
}


def made(kind):
    x = tb.asarray(HOST.copy()) if kind == "asarray" else tb.array(HOST.tolist())
    assert x.get().tolist() == HOST.tolist()
    return x


@pytest.mark.parametrize("writer", WRITERS.values(), ids=WRITERS)
def test_what_is_written_is_read(writer):
    """Read at once, and through a copy that a device makes: both are what memory has."""
    for kind in ("asarray", "list"):
        x = made(kind)
        part = x[1:]
        writer(x)
        on_device = (x + 0).get()
        np.testing.assert_array_equal(x.get(), on_device)
        np.testing.assert_array_equal(part.get(), on_device[1:])
        assert [float(v) for v in x[:3]] == on_device[:3].tolist()
        x += 1
        np.testing.assert_array_equal(x.get(), on_device + 1)


def test_views_that_are_read():
    x = tb.asarray(HOST.reshape(2, 4))
    for view, want in ((x.T, HOST.reshape(2, 4).T), (x[::-1, 1::2], HOST.reshape(2, 4)[::-1, 1::2]),
                       (x[1:1], HOST.reshape(2, 4)[1:1]), (x.view("i8"), HOST.view("i8").reshape(2, 4)),
                       (tb.broadcast_to(x[0], (3, 4)), np.broadcast_to(HOST[:4], (3, 4)))):
        got = view.get()
        assert got.dtype == want.dtype and got.flags.owndata or got.base is not None
        np.testing.assert_array_equal(got, want)
        np.testing.assert_array_equal(view.get(order="F"), want)
    got = x.get()
    got[0, 0] = 1000  # it is the caller's own
    assert x.get()[0, 0] == HOST[0]


def test_the_array_it_was_made_of_may_change():
    host = HOST.copy()
    x = tb.asarray(host) if tb.config.backend() != "cpu" else tb.array(host)
    host[:] = 0
    assert x.get().tolist() == HOST.tolist()


def test_memory_that_an_allocator_gives_twice():
    memory = tb.cuda.alloc(512)
    with tb.cuda.using_allocator(lambda size: memory):
        x, y = tb.asarray(HOST), tb.asarray(HOST + 100)
    assert x.get().tolist() == (x + 0).get().tolist() == y.get().tolist()
