"""A program with types, for tools/check_types.py: what a type checker is to know of tombac's functions."""

from typing import Any, assert_type

import numpy as np
import tombac as tb
import tombacx
from tombac import cuda, linalg, random


def elementwise(x: tb.ndarray) -> tb.ndarray:
    assert_type(tb.exp(x), tb.ndarray)
    assert_type(tb.add(x, 1, out=None), tb.ndarray)
    assert_type(tb.modf(x), tuple[tb.ndarray, tb.ndarray])
    assert_type(tb.add.reduce(x, axis=0), tb.ndarray)
    assert_type(tb.add.nin, int)
    assert_type(tb.maximum(x, 0) + 2 * x, tb.ndarray)
    return -abs(x) ** 2 @ x


def shapes(x: tb.ndarray) -> None:
    assert_type(x.shape, tuple[int, ...])
    assert_type(x.reshape(2, -1).T[0], tb.ndarray)
    assert_type(tb.reshape(x, (2, -1), order="F"), tb.ndarray)
    assert_type(tb.concatenate([x, x], axis=0), tb.ndarray)
    assert_type(tb.split(x, 2), list[tb.ndarray])
    assert_type(tb.shape(x), tuple[int, ...])
    x.fill(1.0)
    x.shape = 6,


def to_and_from_host(host: np.ndarray[Any, Any]) -> None:
    x = tb.asarray(host, dtype="float32")
    assert_type(x, tb.ndarray)
    assert_type(tb.zeros((2, 3), tb.float32), tb.ndarray)
    assert_type(x.device, cuda.Device)
    print(x.get().sum(), tb.asnumpy(x).sum(), float(x.sum()), x.tolist())


def modules(x: tb.ndarray) -> None:
    assert_type(linalg.norm(x), tb.ndarray)
    assert_type(random.normal(size=3, dtype="f"), tb.ndarray)
    assert_type(random.default_rng(1), random.Generator)
    assert_type(tombacx.rsqrt(x), tb.ndarray)
    with cuda.Stream(non_blocking=True) as stream:
        stream.synchronize()
    tb.no_such_function(x)  # type: ignore[attr-defined]
    tb.sum(x, keepdims="yes")  # type: ignore[arg-type]
    tb.sum(x, axes=0)  # type: ignore[call-arg]
