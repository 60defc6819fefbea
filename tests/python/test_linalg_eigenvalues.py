"""Eigenvalues alone of symmetric matrices of middle size, which a GPU finds by kernels of the library's own: of either
triangle, of any size of numbers, of matrices that fall into parts, and of several streams at once."""

import os

import numpy as np
import pytest

import tombac as tb
from tombac import config

EMULATED = "emulated" in os.environ.get("TOMBAC_LIBRARY_PATH", "")
FEW = EMULATED or config.backend() == "cpu"  # whose are LAPACK's
SIZES = [33, 40] if FEW else [33, 64, 100, 129, 257, 500, 512, 513, 1024]


def symmetric(kind, n):
    a = np.random.default_rng(n).standard_normal((n, n))
    a = a + a.T
    if kind == "product":
        return a @ a
    if kind == "diagonal":
        return np.diag(np.round(a[0]))
    if kind == "parts":
        a[n // 2 :, : n // 2] = a[: n // 2, n // 2 :] = 0
    return np.round(a) if kind == "whole" else a * 0 if kind == "zero" else a


def check(a, code, scale=1.0):
    """Both triangles, the other one having other numbers."""
    n, exact = len(a), np.linalg.eigvalsh(a.astype(code).astype("d"))
    tolerance = 2 * n * np.finfo(code).eps * max(abs(exact).max(), 1e-300)
    for triangle, part, other in (("L", np.tril, np.triu), ("U", np.triu, np.tril)):
        given = (part(a) + other(np.full_like(a, 3.0), 1 if triangle == "L" else -1)).astype(code)
        found = tb.linalg.eigvalsh(tb.array(given * np.dtype(code).type(scale)), triangle)
        assert found.dtype == code and (np.diff(found.get()) >= 0).all()
        assert abs(found.get().astype("d") / scale - exact).max() <= tolerance


@pytest.mark.parametrize("n", SIZES)
@pytest.mark.parametrize("code", "fd")
def test_of_any_matrix(code, n):
    for kind in ("any", "product", "diagonal", "parts", "whole", "zero"):
        check(symmetric(kind, n), code)


@pytest.mark.parametrize("code, scales", [("f", (2.0**100, 2.0**-90)), ("d", (2.0**900, 2.0**-900))])
def test_of_numbers_whose_squares_no_float_has(code, scales):
    for scale in scales:
        check(symmetric("any", SIZES[1]), code, scale)


@pytest.mark.parametrize("code", "fd")
def test_of_views(code):
    a = symmetric("any", 80).astype(code)
    found = tb.linalg.eigvalsh(tb.array(a)[::2, ::2])
    assert abs(found.get() - np.linalg.eigvalsh(a[::2, ::2])).max() <= 100 * np.finfo(code).eps * abs(a).sum(0).max()


def test_of_several_streams():
    a = symmetric("any", 40 if FEW else 500)
    x, exact = tb.array(a), np.linalg.eigvalsh(a)
    tb.cuda.Device().synchronize()
    streams, found = [tb.cuda.Stream(non_blocking=True) for _ in range(8)], []
    for _ in range(2):
        for stream in streams:
            with stream:
                found.append(tb.linalg.eigvalsh(x))
    tb.cuda.Device().synchronize()
    for values in found:
        assert abs(values.get() - exact).max() <= len(a) * 1e-15 * abs(exact).max()


@pytest.mark.skipif(config.backend() == "cpu", reason="LAPACK may raise LinAlgError of NaN")
@pytest.mark.parametrize("wrong", [np.nan, np.inf])
def test_of_what_is_no_number(wrong):
    a = symmetric("any", SIZES[0])
    a[3, 5] = a[5, 3] = wrong
    assert np.isnan(tb.linalg.eigvalsh(tb.array(a)).get()).all()
