"""tombacx.GeneralizedUFunc against numpy.vectorize with a signature, and NumPy's own generalized functions."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import same

import tombac as tb
from tombacx import GeneralizedUFunc

FUNCTIONS = {  # signature: function of either module's arrays
    "(n)->()": lambda x: x.sum(), "(m,n),(n)->(m)": lambda a, v: a @ v, "(n),(n)->()": lambda x, y: (x * y).sum(),
    "(n)->(n)": lambda x: x[::-1], "(),()->()": lambda x, y: x + y, "(m,n)->(n,m)": lambda a: a.T,
    "(n)->(),()": lambda x: (x.min(), x.max()), "(3),(3)->()": lambda x, y: (x * y).sum(),
}


@st.composite
def calls(draw):
    signature = draw(st.sampled_from(sorted(FUNCTIONS)))
    sizes, loop = {"m": draw(st.integers(1, 3)), "n": draw(st.integers(1, 3)), "3": 3}, draw(st.lists(
        st.integers(1, 3), max_size=2))
    rng = np.random.default_rng(draw(st.integers(0, 99)))
    inputs = []
    for operand in signature.partition("->")[0][1:-1].split("),("):
        mine = [draw(st.sampled_from([n, 1])) for n in loop][draw(st.integers(0, len(loop))):]
        shape = (*mine, *(sizes[name] for name in operand.split(",") if name))
        inputs.append(rng.integers(-5, 5, shape))
    return signature, inputs


@given(calls(), st.booleans())
def test_loops_and_core_dimensions(call, transposed):
    signature, inputs = call
    f = FUNCTIONS[signature]
    ours = GeneralizedUFunc(f, signature)(*map(tb.array, inputs))
    theirs = np.vectorize(f, signature=signature)(*inputs)
    for got, want in zip(*((x if isinstance(x, tuple) else (x,)) for x in (ours, theirs)), strict=True):
        np.testing.assert_array_equal(got.get(), want)


product = GeneralizedUFunc(lambda a, b: a @ b, "(m,n),(n,p)->(m,p)", supports_batched=True, name="product")
norm = GeneralizedUFunc(lambda x: tb.sqrt((x * x).sum(-1)), "(n)->()", supports_batched=True)
A, B = np.arange(24.0).reshape(2, 3, 4), np.arange(20.0).reshape(4, 5) - 7


@pytest.mark.parametrize("kw", [
    {}, {"axes": [(1, 2), (0, 1), (0, 1)]}, {"axes": [(-2, -1), (-2, -1), (-1, 0)]}, {"order": "F"}, {"dtype": "f4"},
    {"casting": "unsafe", "dtype": "i4"}, {"signature": "dd->d"},
])
def test_keywords_of_a_product(kw):
    same(product(tb.array(A), tb.array(B), **kw), np.matmul(A, B, **{k: v for k, v in kw.items() if k != "dtype"})
         .astype(kw.get("dtype", "f8")))


@pytest.mark.parametrize("batched", [True, False])
@pytest.mark.parametrize("kw", [{}, {"axis": 0}, {"axis": -2, "keepdims": True}, {"keepdims": True}, {"axes": [1]},
                                {"axes": [(0,)], "keepdims": True}, {"axes": [(1,), ()]}])
def test_axis_and_keepdims(kw, batched):
    f = GeneralizedUFunc(lambda x: (x * x).sum(-1), "(n)->()", supports_batched=batched)
    axis = kw.get("axis", kw["axes"][0] if "axes" in kw else -1)
    same(f(tb.array(A), **kw), (A * A).sum(axis, keepdims=kw.get("keepdims", False)))


def test_out():
    out = tb.empty((2, 3, 5))
    assert product(tb.array(A), tb.array(B), out=out) is out
    same(out, A @ B)
    narrow = tb.empty((2, 3, 5), "f4")
    assert product(tb.array(A), tb.array(B), narrow) is narrow
    same(narrow, (A @ B).astype("f4"))
    with pytest.raises(TypeError, match="cast"):
        product(tb.array(A), tb.array(B), tb.empty((2, 3, 5), "i4"))
    with pytest.raises(ValueError, match="shape"):
        product(tb.array(A), tb.array(B), tb.empty((3, 5)))
    direct = GeneralizedUFunc(tb.matmul, "(m,n),(n,p)->(m,p)", supports_batched=True, supports_out=True)
    assert direct(tb.array(A), tb.array(B), out=out) is out
    same(out, A @ B)


def test_loops_by_dtype():
    chosen = []

    def loop(name):
        return lambda x: (chosen.append(name), x.sum())[1]

    f = GeneralizedUFunc(loop("any"), "(n)->()", signatures=[("i->l", loop("int")), ("d->d", loop("double")), "D->D"])
    f(tb.ones(3, "i2")), f(tb.ones(3, "f4")), f(tb.ones(3, "D"))
    assert chosen == ["int", "double", "any"]
    assert f(tb.ones(3, "i4"), dtype="d").dtype == np.float64 and chosen[-1] == "double"
    assert f(tb.ones(3), signature="D->D").dtype == np.complex128
    with pytest.raises(TypeError, match="no loop"):
        f(tb.ones(3, "D"), dtype="l")
    with pytest.raises(ValueError, match="fit"):
        GeneralizedUFunc(tb.sum, "(n)->()", signatures=["dd->d"])


@pytest.mark.parametrize("signature", [
    "", "(n)", "(n)->", "->()", "n->()", "(n)->()->()", "(n->()", "(n,)->()", "(1a)->()", "(n)(n)->()",
])
def test_signatures_that_are_none(signature):
    with pytest.raises(ValueError, match="is no signature"):
        GeneralizedUFunc(tb.sum, signature)


@pytest.mark.parametrize("error, match, call", [
    (ValueError, "core dimension n", lambda: product(tb.array(A), tb.array(A))),
    (ValueError, "dimensions", lambda: product(tb.ones(3), tb.array(B))),
    (TypeError, "2 inputs", lambda: product(tb.array(A))), (TypeError, "arguments", lambda: norm(1, 2, 3)),
    (TypeError, "axis is for", lambda: product(tb.array(A), tb.array(B), axis=0)),
    (TypeError, "both", lambda: norm(tb.ones(3), axis=0, axes=[0])),
    (TypeError, "list", lambda: norm(tb.ones(3), axes=0)),
    (TypeError, "keepdims", lambda: product(tb.array(A), tb.array(B), keepdims=True)),
    (ValueError, "axes must name", lambda: norm(tb.ones(3), axes=[(0, 1)])),
    (IndexError, "axis", lambda: norm(tb.ones(3), axis=3)), (ValueError, "broadcast", lambda: GeneralizedUFunc(
        lambda x, y: x, "(),()->()")(tb.ones(2), tb.ones(3))),
    (ValueError, "2 results", lambda: GeneralizedUFunc(lambda x: (x, x), "()->()")(tb.ones(2))),
    (TypeError, "outputs", lambda: norm(tb.ones(3), out=np.zeros(()))),
    (ValueError, "core dimension 3", lambda: GeneralizedUFunc(tb.sum, "(3)->()")(tb.ones(2))),
])
def test_refusals(error, match, call):
    with pytest.raises(error, match=match):
        call()


def test_what_it_says_of_itself():
    assert product.__name__ == "product" and repr(product) == "<GeneralizedUFunc product (m,n),(n,p)->(m,p)>"
    assert GeneralizedUFunc(tb.sum, "(n)->()", doc="Adds.").__doc__ == "Adds."
    assert norm(tb.zeros((0, 3))).shape == (0,)
