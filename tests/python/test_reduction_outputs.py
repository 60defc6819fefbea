"""What the array that reductions write to says of their dtype."""

import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tombac as tb


@pytest.mark.parametrize("name", ["max", "min", "nanmax", "nanmin", "sum", "prod", "mean", "var", "std"])
@given(st.data())
def test_what_is_asked_for_by_out(name, data):
    """The dtype of out is that of the reduction; numbers are such that every one of them is exact."""
    dtype, code = (data.draw(st.sampled_from(list("?bBhHiIlLfdFD"))) for _ in range(2))
    host = np.array(data.draw(st.lists(st.integers(0, 3), min_size=2, max_size=8))).astype(dtype)
    given = data.draw(st.sampled_from([{}, {"initial": 5}])) if name in ("max", "min", "sum", "prod") else {}
    want, got = np.zeros((), code), tb.zeros((), code)
    try:
        with np.errstate(all="ignore"), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            getattr(np, name)(host, out=want, **given)
    except TypeError:
        return
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        getattr(tb, name)(tb.array(host), out=got, **given)
    if name in ("mean", "var", "std") and (code in "?bBhHiIlL" or dtype in "?bBhHiIlL"):
        return  # NumPy's are of whole numbers where out is
    np.testing.assert_allclose(got.get(), want, 1e-6, 1e-7)


def test_initial_values_are_of_outs_dtype():
    x = tb.array([3, 5], "u1")
    assert tb.max(x, initial=-1, out=tb.zeros((), "f")).item() == 5
    assert tb.min(x, initial=-1, out=tb.zeros((), "l")).item() == -1
    wide = tb.zeros(())
    tb.var(tb.array([1e8, 1, -1e8, 3], "f"), out=wide)
    assert wide.item() == pytest.approx(np.var(np.array([1e8, 1, -1e8, 3])), rel=1e-15)
    with pytest.raises(OverflowError):
        tb.max(x, initial=-1)
    assert tb.add.accumulate(x, axis=None).tolist() == [3, 8]
    with pytest.raises(ValueError, match="one axis"):
        tb.add.accumulate(x.reshape(1, 2), axis=None)
