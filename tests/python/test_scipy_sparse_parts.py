"""Parts of sparse matrices that somebody has set: of other dtypes, from the host."""

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
