"""tombacx.allow_synchronize: calls that would wait for the device are errors of the thread that forbids it."""

import ctypes
import threading

import numpy as np
import pytest

import tombac as tb
import tombacx



def to_host(a):
    number = ctypes.c_double()
    a.data.copy_to_host(ctypes.c_void_p(ctypes.addressof(number)), 8)


WAITS = {
    "get": lambda a: a.get(), "asnumpy": tb.asnumpy, "item": lambda a: a[0].item(), "float": lambda a: float(a[1]),
    "bool": lambda a: bool(a[0] == 0), "int": lambda a: int(a.sum()), "tolist": lambda a: a.tolist(), "repr": repr,
    "index": lambda a: [1, 2, 3][a.astype("i8")[0]], "iteration": lambda a: [float(x) for x in a],
    "mask": lambda a: a[a > 1], "nonzero": lambda a: tb.nonzero(a), "unique": tb.unique, "save": lambda a: a.dumps(),
    "stream": lambda a: tb.cuda.get_current_stream().synchronize(), "device": lambda a: tb.cuda.Device().synchronize(),
    "runtime": lambda a: tb.cuda.runtime.deviceSynchronize(), "pending": lambda a: (a * 2 + 1).get(),
    "event": lambda a: tb.cuda.Event().synchronize(), "copy_to_host": to_host,
    "allclose": lambda a: bool(tb.allclose(a, a)), "in": lambda a: 3 in a, "view": lambda a: a[::-2].get(),
    "bincount": lambda a: tb.bincount(a.astype(int)), "digitize": lambda a: tb.digitize(a, tb.arange(3.0)),
    "histogram": tb.histogram, "nanmedian": tb.nanmedian, "trim_zeros": tb.trim_zeros,
    "polymul": lambda a: tb.polymul(a, a),
    "take": lambda a: tb.take(a, a.astype(int), mode="raise"), "choose": lambda a: tb.choose(a.astype(int) % 2, [a, a]),
    "repeat": lambda a: tb.repeat(a, a.astype(int)), "insert": lambda a: tb.insert(a, a.astype(int), 5),
    "delete": lambda a: tb.delete(a, a > 1), "percentile": lambda a: tb.percentile(a, a),
}
DOES_NOT = {
    "sum": lambda a: a.sum(), "view": lambda a: a[::2], "take": lambda a: a[tb.array([0, 2])],
    "where": lambda a: tb.where(a > 1, a, 0), "sort": tb.sort, "in place": lambda a: a.__iadd__(1),
    "product": lambda a: a @ a, "assigned mask": lambda a: a.__setitem__(a > 1, 0),
    "upload": lambda a: tb.array([1, 2]),
    "set": lambda a: a.set(np.zeros(4)), "record": lambda a: tb.cuda.Event().record(), "nothing": lambda a: a[:0].get(),
    "argsort": tb.argsort, "lexsort": lambda a: tb.lexsort((a, a)), "partition": lambda a: tb.partition(a, 2),
    "median": tb.median, "quantile": lambda a: tb.quantile(a, 0.3), "searchsorted": lambda a: tb.searchsorted(a, a),
    "interp": lambda a: tb.interp(a, a, a), "convolve": lambda a: tb.convolve(a, a), "pad": lambda a: tb.pad(a, 2),
    "packbits": lambda a: tb.packbits(a > 1), "bins": lambda a: tb.histogram(a, 3, (0, 5)),
    "bincount of nothing": lambda a: tb.bincount(a[:0].astype(int)),
}


@pytest.mark.parametrize("fusion", [True, False])
@pytest.mark.parametrize("name", WAITS)
def test_waits_are_found(name, fusion):
    with tb.config.fusion(fusion):
        a = tb.arange(4.0) + 0
        with tombacx.allow_synchronize(False), pytest.raises(tombacx.DeviceSynchronized, match="would wait for"):
            WAITS[name](a)
        WAITS[name](a)
        assert a.tolist() == [0, 1, 2, 3]


@pytest.mark.parametrize("fusion", [True, False])
@pytest.mark.parametrize("name", DOES_NOT)
def test_what_does_not_wait_goes_on(name, fusion):
    with tb.config.fusion(fusion):
        a = tb.arange(4.0) + 0
        with tombacx.allow_synchronize(False):
            DOES_NOT[name](a)


def test_blocks_nest_and_end():
    a = tb.arange(3)
    with tombacx.allow_synchronize(False):
        with tombacx.allow_synchronize(True):
            a.get()
        with pytest.raises(tombacx.DeviceSynchronized):
            a.get()
    with pytest.raises(ZeroDivisionError), tombacx.allow_synchronize(False):
        1 / 0
    a.get()
    assert issubclass(tombacx.DeviceSynchronized, RuntimeError)


def test_threads_choose_for_themselves():
    seen = []
    with tombacx.allow_synchronize(False):
        thread = threading.Thread(target=lambda: seen.append(tb.arange(3).tolist()))
        thread.start()
        thread.join()
    assert seen == [[0, 1, 2]]
