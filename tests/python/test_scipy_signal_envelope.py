"""tombacx.scipy.signal.envelope against SciPy's."""

import numpy as np
import pytest
import scipy.signal as ss
import tombac as tb
from hypothesis import given
from hypothesis import strategies as st
from test_scipy_signal_filters import close, random

import tombacx.scipy.signal as xs

pytestmark = pytest.mark.skipif(not hasattr(ss, "envelope"), reason="SciPy has it from 1.16 on")


@st.composite
def bands(draw, n):
    """Neither begins nor ends at frequency 0, where SciPy's residual is another one."""
    ends = st.integers(-(n // 2), (n + 1) // 2).filter(bool)
    first, last = sorted(draw(st.lists(ends, min_size=2, max_size=2, unique=True)))
    return draw(st.sampled_from([first, None])), draw(st.sampled_from([last, None])) if last else None


@given(st.data(), st.sampled_from("lfdFD"), st.integers(2, 17), st.sampled_from([None, 1, 3, 8, 21]), st.booleans(),
       st.sampled_from(["lowpass", "all", None]))
def test_envelope(data, code, n, n_out, squared, residual):
    x, band = (4 * random(n, "D" if code in "FD" else "d", n)).astype(code), data.draw(bands(n))
    options = {"n_out": n_out, "squared": squared, "residual": residual}
    got, want = xs.envelope(tb.array(x), band, **options).get(), ss.envelope(x, band, **options)
    assert (got.dtype, got.shape) == (want.dtype, want.shape)
    tolerance = 1e-9 if want.dtype == "d" else 3e-4  # of what is left of a sum that is as large as x
    np.testing.assert_allclose(got, want, tolerance, tolerance * abs(x).max())


@pytest.mark.parametrize("axis", [0, 1, -1])
@pytest.mark.parametrize("residual", ["all", None])
def test_envelopes_along_axes(axis, residual):
    x = random((6, 7, 4))
    for n_out in (None, 5):
        close(xs.envelope(tb.array(x), (1, 2), n_out=n_out, residual=residual, axis=axis),
              ss.envelope(x, (1, 2), n_out=n_out, residual=residual, axis=axis))


def test_residuals_of_bands_at_0():
    x = random(9)
    whole = np.fft.rfft(x)
    for band, kept in (((0, 2), slice(2, None)), ((-2, 0), slice(0, None))):
        want = np.zeros_like(whole)
        want[kept] = whole[kept]
        close(xs.envelope(tb.array(x), band, residual="all")[1], np.fft.irfft(want, 9))


@pytest.mark.parametrize("arguments, keywords", [
    (((2, 1),), {}), (((-6, 1),), {}), (((0, 6),), {}), (((0.5, 1),), {}), (([0, 1],), {}), ((), {"n_out": 0}),
    ((), {"n_out": 2.5}), ((), {"residual": "some"}), ((), {"axis": 1}),
])
def test_envelope_refuses(arguments, keywords):
    with pytest.raises(ValueError):
        xs.envelope(tb.ones(9), *arguments, **keywords)
    with pytest.raises(ValueError):
        xs.envelope(tb.ones((3, 0)))
