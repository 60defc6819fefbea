"""Places that sparse matrices do not have: found before they are used, however they came to be there."""

import operator

import pytest

import tombac as tb
import tombacx.scipy.sparse as sp

USES = {
    "product": lambda a: a @ tb.ones(2), "products": lambda a: a @ tb.ones((2, 3)), "left": lambda a: tb.ones(2) @ a,
    "itself": lambda a: a @ a, "sum": lambda a: a + a, "multiply": lambda a: a.multiply(a), "scaled": lambda a: 2 * a,
    "axis 0": lambda a: a.sum(0), "axis 1": lambda a: a.sum(1), "max": lambda a: a.max(0),
    "argmax": lambda a: a.argmax(),
    "counts 0": lambda a: a.getnnz(0), "counts 1": lambda a: a.getnnz(1), "not zero": lambda a: a.count_nonzero(0),
    "nonzero": lambda a: a.nonzero(), "dense": lambda a: a.toarray(), "csr": lambda a: a.tocsr(),
    "csc": lambda a: a.tocsc(),
    "coo": lambda a: a.tocoo(), "dia": lambda a: a.todia(), "bsr": lambda a: a.tobsr(), "lil": lambda a: a.tolil(),
    "scipy": lambda a: a.get(), "made anew": lambda a: type(a)(a), "as format": lambda a: a.asformat(a.format),
    "copy": lambda a: a.copy(), "dtype": lambda a: a.astype("f"), "transpose": lambda a: a.T, "abs": lambda a: abs(a),
    "diagonal": lambda a: a.diagonal(), "resized": lambda a: a.resize((1, 1)), "reshaped": lambda a: a.reshape(1, 4),
    "sorted": lambda a: a.sort_indices(), "once": lambda a: a.sum_duplicates(),
    "no zeros": lambda a: a.eliminate_zeros(),
    "flags": lambda a: a.has_canonical_format, "format": lambda a: a.check_format(),
    "find": lambda a: sp.find(a), "stack": lambda a: sp.vstack([a, a]), "kron": lambda a: sp.kron(a, tb.ones((2, 2))),
    "norm": lambda a: sp.linalg.norm(a, 1), "solved": lambda a: sp.linalg.spsolve(a, tb.ones(2)),
}
KEYS = {
    "element": lambda a: a[1, 1], "row": lambda a: a[1], "column": lambda a: a[:, 1], "rows": lambda a: a[[1, 0]],
    "columns": lambda a: a[:, [1, 0]], "slice": lambda a: a[1:], "places": lambda a: a[[0, 1], [1, 1]],
    "written": lambda a: operator.setitem(a, (1, 1), 2.0), "diagonal set": lambda a: a.setdiag(1.0),
    "a row": lambda a: a.getrow(1), "a column": lambda a: a.getcol(1),
}


@pytest.mark.parametrize("name", ["csr_matrix", "csc_matrix", "bsr_matrix", "csr_array"])
@pytest.mark.parametrize("use", [*USES, *KEYS])
def test_places_that_there_are_not_are_found_before_they_are_used(name, use):
    if use in KEYS and name == "bsr_matrix" or use.split()[0] in ("a", "counts") and name == "csr_array":
        return
    ones = tb.ones((2, 1, 1) if name == "bsr_matrix" else 2)
    for indices, indptr in (([0, 5], [0, 1, 2]), ([0, -1], [0, 1, 2]), ([0, 2**30], [0, 1, 2]), ([0, 1], [0, 3, 2]),
                            ([0, 1], [0, -1, 2])):
        a = getattr(sp, name)((ones, tb.array(indices), tb.array(indptr)), shape=(2, 2))
        b = getattr(sp, name)((ones, tb.array([0, 1]), tb.array([0, 1, 2])), shape=(2, 2))
        b.indices, b.indptr = tb.array(indices, "i"), tb.array(indptr, "i")
        c = getattr(sp, name)((ones, tb.array([0, 1], "i"), tb.array([0, 1, 2], "i")), shape=(2, 2))
        c @ tb.ones(2)
        c.indices[:], c.indptr[:] = tb.array(indices), tb.array(indptr)
        for bad in (a, b, c):
            refused(bad, USES.get(use) or KEYS[use])


def refused(bad, use):
    for _ in range(2):
        with pytest.raises(ValueError, match="index|indptr"):
            result = use(bad)
            tb.asnumpy(result) if isinstance(result, tb.ndarray) else None


@pytest.mark.parametrize("name", ["coo_matrix", "coo_array"])
@pytest.mark.parametrize("use", USES)
def test_coordinates_that_there_are_not_are_found_before_they_are_used(name, use):
    if use.split()[0] == "counts" and name == "coo_array" or use in ("flags", "format", "sorted"):
        return
    for axis in (0, 1):
        for value in (2, -1, 2**30):
            a, b = (getattr(sp, name)((tb.ones(2), (tb.array([0, 1], "i"), tb.array([0, 1], "i"))), shape=(2, 2))
                    for _ in range(2))
            a @ tb.ones(2), a.tocsr(), a.sum(0)
            a.coords[axis][1] = value
            setattr(b, ("row", "col")[axis], tb.array([0, value], "i"))
            for bad in (a, b):
                refused(bad, USES[use])
            a.coords[axis][1] = 1
            assert (a @ tb.ones(2)).tolist() == [1, 1]


@pytest.mark.parametrize("shape", [(4,), (2, 3, 4)])
def test_coordinates_of_other_dimensions_that_there_are_not(shape):
    uses = [lambda a: a.toarray(), lambda a: a.reshape(1, -1), lambda a: a[0], lambda a: a + a,
            lambda a: a.copy(), lambda a: a.transpose(), lambda a: a.max(), lambda a: a.get(),
            lambda a: a.multiply(tb.ones(shape)), lambda a: a @ tb.ones(4), lambda a: a.nonzero()]
    for use in uses:
        a = sp.coo_array((tb.ones(1), [tb.array([0]) for _ in shape]), shape=shape)
        use(a)
        a.coords[-1][0] = 4
        refused(a, use)


@pytest.mark.parametrize("name", ["coo_matrix", "csr_matrix", "csc_matrix", "bsr_matrix"])
@pytest.mark.parametrize("count", [1, 3])
def test_elements_that_their_places_do_not_fit(name, count):
    """Fewer elements than places are an error; what is beyond the last place is not looked at."""
    a = getattr(sp, name)(tb.eye(2))
    a @ tb.ones(2)
    a.data = tb.ones((count, 1, 1) if name == "bsr_matrix" else count)
    for use in ("product", "dense", "csr", "csc", "coo", "sum", "transpose", "bsr"):
        if count == 1 or name == "coo_matrix":
            with pytest.raises(ValueError):
                USES[use](a)
        else:
            assert USES[use](a).shape in ((2, 2), (2,))


@pytest.mark.parametrize("index", "il")
@pytest.mark.parametrize("n", [2, 5000])
def test_elements_are_not_put_in_order_where_there_is_no_place_for_them(index, n):
    place = tb.arange(n, dtype=index)
    for value in (n, -1, 2**31 - 1):
        bad = place.copy()
        bad[n // 2] = value
        for row, col, what in ((bad, place, "row"), (place, bad, "column"), (bad, place[::-1], "row")):
            with pytest.raises(ValueError, match=what):
                tb._core._sparse_group(row, col, n, n)


def test_writes_are_counted():
    written = tb._core._sparse_written
    a, b = tb.zeros(4, "i"), tb.ones(4, "i")
    before = written(a, b)
    tb.asnumpy(a + b), a.sum(), a[:2].tolist()
    assert written(a, b) == before
    writes = [lambda: a.fill(1), lambda: operator.setitem(a, 0, 2), lambda: operator.setitem(a[1:], slice(2), 3),
              lambda: operator.setitem(a, b, 1), lambda: operator.setitem(a, b > 0, 1), lambda: operator.iadd(a, b),
              lambda: tb.add(a, b, out=a), lambda: a.sort(), lambda: tb.add.at(a, 0, 1), lambda: a.view("u4").fill(2),
              lambda: tb.copyto(a, b), lambda: operator.setitem(a.flat, 0, 1), lambda: a.put(0, 3),
              lambda: tb.cumsum(b, out=a),
              lambda: tb.ElementwiseKernel("int32 x", "int32 y", "y = x", "copied")(b, a)]
    for write in writes:
        write()
        assert written(a, b) > before
        before = written(a, b)
        assert written(b) < before == written(a) == written(b, a)
    a.data.ptr  # noqa: B018 - from now on somebody may write
    assert written(a) < written(a)


@pytest.mark.skipif(tb.config.backend() == "cpu", reason="the CPU's products run at the call, which no capture records")
@pytest.mark.parametrize("name", ["csr_matrix", "csc_array", "bsr_matrix"])
def test_a_capture_does_not_look(name):
    """At what was looked at before; indices that nobody has looked at cannot be used there."""
    a, x = getattr(sp, name)(sp.csr_matrix(tb.array([[1.0, 0, 2], [0, 0, 3]]))), tb.ones(3)
    assert (a @ x).tolist() == [3, 3]
    a.indices.data.ptr  # noqa: B018 - from now on somebody may write
    assert (a @ x).tolist() == [3, 3]
    stream = tb.cuda.Stream(non_blocking=True)
    with stream:
        stream.begin_capture()
        y = a @ x
        graph = stream.end_capture()
        graph.launch()
        x.fill(2)
        graph.launch()
        stream.synchronize()
        assert y.tolist() == [6, 6]


@pytest.mark.parametrize("name", ["csr_matrix", "csc_matrix", "csr_array"])
def test_a_line_is_looked_at_alone(name):
    parts = tb.ones(3), tb.array([0, 1, 7]), tb.array([0, 1, 2, 3])
    a = getattr(sp, name)(parts, shape=(3, 3))
    lines = (lambda i: a[:, i]) if name == "csc_matrix" else lambda i: a[i]
    assert lines(0).sum() == lines(1).sum() == lines(slice(2)).sum() / 2 == 1
    for bad in (lambda: lines(2), lambda: lines(slice(1, 3)), lambda: a.sum(0)):
        with pytest.raises(ValueError, match="index 7 exceeds"):
            bad()
    a.indices[2] = 1
    assert lines(slice(1, 3)).sum() == 2 and a.has_canonical_format


@pytest.mark.parametrize("far", [2**31 - 1, -(2**31), 7])
def test_diagonals_far_away(far):
    """Are nowhere in the matrix; SciPy's loops count beyond their integers there."""
    a = sp.dia_array((tb.ones((2, 3)), tb.array([0, 1], "i")), shape=(3, 3))
    a.offsets[1] = far
    assert ((a @ a).toarray() == tb.eye(3)).all() and ((a + a).toarray() == 2 * tb.eye(3)).all()
    assert (a @ tb.ones(3)).tolist() == a.sum(0).tolist() == a.sum(1).tolist() == [1, 1, 1]
    assert (a.tocsr().toarray() == tb.eye(3)).all()


BANDS = [lambda a: a @ a, lambda a: a + a, lambda a: a.sum(0), lambda a: a @ tb.ones(3), lambda a: a.T,
         lambda a: a.tocsr(), lambda a: a.tocoo(), lambda a: a.copy(), lambda a: a.get()]


@pytest.mark.parametrize("use", BANDS)
def test_diagonals_that_do_not_fit(use):
    for name, value in (("offsets", tb.array([0, 1, 2])), ("offsets", tb.array([1, 1])), ("data", tb.ones((3, 3)))):
        a = sp.dia_matrix((tb.ones((2, 3)), tb.array([0, 1])), shape=(3, 3))
        use(a)
        setattr(a, name, value)
        with pytest.raises(ValueError):
            use(a)
