"""Parts of sparse matrices that somebody has set, of other dtypes and from the host; copies; dictionaries."""

import copy

import numpy as np
import pytest
import scipy.sparse as ss

import tombac as tb
import tombacx.scipy.sparse as sp

DENSE = np.array([[0, 1.0, 2.0], [3.0, 0, 0], [0, 0, 4.0]])
PLACES = {"csr": ["indices", "indptr"], "csc": ["indices", "indptr"], "bsr": ["indices", "indptr"],
          "coo": ["row", "col", "coords"], "dia": ["offsets"]}
USES = {
    "dense": lambda a, x: a.toarray(), "product": lambda a, x: a @ x, "sum": lambda a, x: (a + a).toarray(),
    "itself": lambda a, x: (a @ a).toarray(), "turned": lambda a, x: a.T.toarray(),
    "max": lambda a, x: a.tocsr().max(1),
    "csr": lambda a, x: a.tocsr().toarray(), "csc": lambda a, x: a.tocsc().toarray(),
    "coo": lambda a, x: a.tocoo().toarray(), "axis": lambda a, x: a.sum(0), "copy": lambda a, x: a.copy().toarray(),
    "picked": lambda a, x: a.tocsr()[x > 0].toarray(), "places": lambda a, x: a.tocsc()[[0, 1], [1, 0]],
}


def host(x):
    x = x.toarray() if hasattr(x, "toarray") else x
    return x.get() if isinstance(x, tb.ndarray) else np.asarray(x)


@pytest.mark.parametrize("name", [(f, part) for f, parts in PLACES.items() for part in parts])
@pytest.mark.parametrize("dtype", ["b", "h", "q", "Q", "d"])
@pytest.mark.parametrize("use", USES)
def test_places_of_other_dtypes(name, dtype, use):
    (format, part), vector = name, np.array([1.0, 0, 2.0])
    if format == "dia" and dtype == "Q":  # which has no place above the diagonal
        return
    for kind in "matrix", "array":
        a = getattr(sp, f"{format}_{kind}")(getattr(ss, f"{format}_{kind}")(DENSE))
        old = getattr(a, part)
        setattr(a, part, tuple(x.astype(dtype) for x in old) if part == "coords" else old.astype(dtype))
        want = host(USES[use](ss.csr_matrix(DENSE), vector))
        np.testing.assert_array_equal(host(USES[use](a, tb.array(vector))).ravel(), want.ravel())


def test_columns_that_are_renamed():
    """As by a program that turns them about, whose numbers are of 64 bits."""
    order = np.array([2, 0, 1])
    a, h = sp.csr_matrix(ss.csr_matrix(DENSE)), ss.csr_matrix(DENSE)
    a.indices, h.indices = tb.array(order)[a.indices], order[h.indices]
    a.sort_indices()
    a[0, 0] = h[0, 0] = 5
    np.testing.assert_array_equal(a.toarray().get(), h.toarray())
    np.testing.assert_array_equal((a @ a).toarray().get(), (h @ h).toarray())
    assert a.indices.dtype == a.indptr.dtype == "int64"
    b = sp.csr_matrix(ss.csr_matrix((h.data, h.indices.astype("q"), h.indptr.astype("i"))))
    np.testing.assert_array_equal(b.tocsc().toarray().get(), h.toarray())


@pytest.mark.parametrize("made", [np.array, list])
def test_parts_of_the_host(made):
    for format, parts in {"csr": ["data", "indices", "indptr"], "csc": ["data", "indices", "indptr"],
                          "coo": ["row", "col"]}.items():
        for part in parts:
            a = getattr(sp, f"{format}_array")(DENSE)
            setattr(a, part, made(getattr(a, part).tolist()))
            np.testing.assert_array_equal((a @ a).toarray().get(), DENSE @ DENSE)


@pytest.mark.parametrize("bad", [[0.5, 1, 2, 2], [True] * 4, [1j] * 4])
def test_parts_that_are_no_places(bad):
    for format, part in ("csr", "indices"), ("csc", "indices"), ("coo", "row"), ("bsr", "indices"):
        a = getattr(sp, f"{format}_array")(DENSE)
        with pytest.raises(ValueError, match="integers"):
            setattr(a, part, tb.array(bad))
            a.tocsr().toarray().get()


FORMATS = ["csr", "csc", "coo", "bsr", "dia", "lil", "dok"]


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("kind", ["array", "matrix"])
def test_copies(format, kind):
    """copy.copy shares elements, as SciPy's, and neither kind of copy needs SciPy's classes in between."""
    a, h = (getattr(m, f"{format}_{kind}")(DENSE) for m in (sp, ss))
    for made in copy.copy, copy.deepcopy, lambda x: x.reshape(3, 3), lambda x: x.reshape((3, 3), copy=True):
        b, g = made(a), made(h)
        assert type(b).__name__ == type(g).__name__ and b.shape == (3, 3)
        for x in b, g:
            if format in ("lil", "dok"):
                x[0, 1] += 2
            else:
                x.data[0] += 2
        np.testing.assert_array_equal(a.toarray().get(), h.toarray())
        np.testing.assert_array_equal(b.toarray().get(), g.toarray())
    long = a.reshape(1, 9, copy=True)
    assert long.shape == (1, 9) and long.format == h.reshape(1, 9, copy=True).format
    if format not in ("lil", "dok"):
        long.data[:] = 0
        np.testing.assert_array_equal(a.toarray().get(), h.toarray())


@pytest.mark.parametrize("format", FORMATS)
def test_arguments_by_position(format):
    a = getattr(sp, format + "_array")(DENSE)
    if format != "dok":  # whose SciPy does not look at it
        with pytest.raises(TypeError):
            a.astype("i", "safe")
    assert a.astype("f", "same_kind").dtype == "f" and a.astype("d", "safe", False) is a
    out = tb.ones((3, 3))
    assert a.toarray(None, out) is out or (out == a.toarray()).all()
    np.testing.assert_array_equal(a.toarray(out=tb.ones((3, 3), order="F")).get(), DENSE)


@pytest.mark.parametrize("kind", ["array", "matrix"])
def test_dictionaries_are_updated(kind):
    a, h = (getattr(m, "dok_" + kind)(DENSE) for m in (sp, ss))
    for more in {(0, 0): 1, (2, 1): 2.5}, [((1, 1), 3.5)]:
        a.update(more)
        h.update(more)
    a.update({(0, 1): tb.array(7.5)})
    h.update({(0, 1): 7.5})
    a.update(type(a)(tb.eye(3)))
    h.update(type(h)(np.eye(3)))
    np.testing.assert_array_equal(a.toarray().get(), h.toarray())
    with pytest.raises(IndexError):
        a.update({(5, 5): 1})
    b, g = (type(x).fromkeys([(0, 0), (1, 2)], 5) for x in (a, h))
    assert type(b) is type(a) and b.shape == g.shape and b.dtype == g.dtype
    np.testing.assert_array_equal(b.toarray().get(), g.toarray())
