"""What host_functions.py measures: expressions over `xp`, a library, and the operands of OPERANDS.

A group is expressions, and the dtypes for which they go other ways.
"""

import numpy as np

SIDE = 64
REAL = ("float32", "float64", "int32", "int64", "uint8")
FLOATS = ("float32", "float64")
EVERY = (*REAL, "float16", "complex64", "bool")

PLACES = ("x", "t", "rows, axis=0", "rows, axis=1", "cols, axis=0", "cols, axis=1")


def each(names, *arguments):
    return [f"xp.{name}({a})" for name in names.split() for a in arguments]


def listed(text):
    return [e.strip() for e in text.replace("\n", ";").split(";") if e.strip()]


GROUPS = [
    # ---- reductions and scans
    (EVERY, [*each("sum prod max min argmax argmin any all mean count_nonzero", *PLACES)]),
    ((*REAL, "float16", "complex64"), [*each("std var cumsum cumprod", *PLACES)]),
    (REAL, [*each("ptp median", *PLACES)]),
    (("float32", "float64", "complex64"), [
        *each("nansum nanprod nanmean nanvar nanstd nancumsum nancumprod", "x", "rows, axis=0", "rows, axis=1")]),
    (FLOATS, [*each("nanmax nanmin nanargmax nanargmin nanmedian", "x", "rows, axis=0", "rows, axis=1")]),
    (FLOATS, [*each("nanpercentile nanquantile", "x, 0.3", "rows, 0.3, axis=1")]),
    (("float32", "int64"), [*each("cumulative_sum cumulative_prod", "x"), *listed("""
        xp.add.reduce(x); xp.add.accumulate(x); xp.maximum.accumulate(x); xp.add.reduceat(x, starts)
        xp.add.outer(few, few); xp.maximum.reduce(rows, axis=0)
    """)]),
    # ---- order
    ((*REAL, "float16"), [*each("sort argsort", "x", "s", "f", "t", "rows, axis=0", "rows, axis=1", "cols, axis=1")]),
    (REAL, [*each("unique", "x", "s", "f"), *each("unique_counts unique_inverse unique_values", "f"), *listed("""
        xp.unique(x, return_index=True); xp.unique(x, return_counts=True); xp.unique(x, return_inverse=True)
    """)]),
    (REAL, [*each("searchsorted", "s, x", "edges, x", "edges, s", "s, few"), *each("digitize", "x, edges"),
        *each("partition argpartition", "x, len(x) // 3", "rows, 20, axis=1")]),
    ((*FLOATS, "int32"), [
        *each("percentile quantile", "x, 0.3", "x, quarters", "rows, 0.3, axis=1", "rows, 0.3, axis=0")]),
    (("int64", "float32"), [*each("lexsort", "(f, x)"), *listed("""
        xp.sort_complex(x)
    """)]),
    (("complex64",), [*each("sort argsort unique", "x")]),
    # ---- sets
    (REAL, [*each("union1d intersect1d setdiff1d setxor1d", "x[::2], x[1::2]", "f, f"),
        *each("isin", "x, few", "x, s")]),
    # ---- counts
    ((*FLOATS, "int32"), [*each("histogram", "x", "x, 100", "x, edges", "x, 100, (-1, 1)"),
        *each("histogram_bin_edges", "x, 10"), *listed("""
        xp.histogram2d(x[:len(x)//4], y[:len(x)//4], 10); xp.histogramdd(rows[:, :2], 5)
    """)]),
    (("int64", "int32", "uint8"), [*listed("""
        xp.bincount(n10); xp.bincount(n1000); xp.bincount(n10, minlength=100); xp.bincount(sparse)
        xp.bincount(n1000, weights=w)
    """)]),
    (FLOATS, [*each("interp", "x, edges, edges", "s, edges, edges"), *each("trapezoid", "x", "rows, axis=0", "x, s")]),
    # ---- creation
    (("float32", "int64", "uint8", "complex64"), [
        *[f"xp.{f}(len(x), dtype=x.dtype)" for f in ("zeros", "ones", "empty")],
        *each("zeros_like ones_like empty_like copy array asarray ascontiguousarray", "x"),
        *each("full_like", "x, 3"), *listed("""
        xp.full(len(x), 3, dtype=x.dtype); xp.copy(t); xp.ascontiguousarray(rows.T); xp.asfortranarray(rows)
        xp.array(cols.T); x.copy(); rows.flatten()
    """)]),
    (("float32", "float64", "int64"), [*listed("""
        xp.arange(len(x), dtype=x.dtype); xp.linspace(0, 1, len(x), dtype=x.dtype)
    """)]),
    (("float64",), [*each( "bartlett blackman hamming hanning", "len(x)"), *each("kaiser", "len(x), 8.6"),
        *listed("""
        xp.logspace(0, 1, len(x)); xp.geomspace(1, 2, len(x)); xp.eye(side); xp.identity(side); xp.tri(side)
        xp.vander(x[:side], 8); xp.diag(x[:side]); xp.diagflat(x[:side]); xp.meshgrid(x[:side], y[:side])
        xp.indices((side, side)); xp.mgrid[:side, :side]; xp.ogrid[:side, :side]; xp.ix_(n10[:9], n10[:9])
        xp.tril_indices(side); xp.triu_indices(side); xp.diag_indices(side); xp.tril_indices_from(square)
        xp.triu_indices_from(square); xp.mask_indices(side, xp.triu); xp.diag_indices_from(square)
        xp.fromfunction(lambda i, j: i + j, (side, side))
    """)]),
    # ---- shapes and manipulation
    (("float32",), [*each("ravel", "rows"),
        *each("atleast_1d atleast_2d atleast_3d squeeze transpose matrix_transpose permute_dims", "cols"),
        *each("ndim size shape fliplr flipud unstack", "cols"),
        *listed("""
        xp.reshape(rows, (-1, 32)); xp.swapaxes(rows, 0, 1); xp.moveaxis(rows, 0, 1); xp.rollaxis(rows, 1)
        xp.expand_dims(x, 0); xp.broadcast_to(row, rows.shape); xp.broadcast_arrays(rows, row); xp.split(x, 4)
        xp.array_split(x, 3); xp.hsplit(rows, 4); xp.vsplit(cols, 4); xp.real(x); xp.imag(x); xp.diagonal(square)
        xp.isscalar(3); xp.iscomplexobj(x); xp.isrealobj(x); xp.isfortran(rows); xp.result_type(x, y)
        xp.can_cast(x.dtype, 'float64'); xp.common_type(x, y); xp.min_scalar_type(3)
        xp.promote_types('int8', 'float32'); xp.broadcast_shapes((8, 1), (1, 8)); xp.shares_memory(x, y)
        xp.may_share_memory(x, y); xp.require(x); xp.asarray_chkfinite(x); xp.asanyarray(x); xp.real_if_close(x)
        xp.einsum('ij->i', rows); xp.einsum_path('ij->i', rows); xp.einsum('ij,ij->i', rows, rows)
        xp.apply_along_axis(xp.sum, 0, cols[:, :9])
        xp.apply_over_axes(xp.sum, cols, 0)
    """)]),
    (("float32", "int64", "uint8", "complex64"), [*listed("""
        xp.flip(x); xp.roll(x, 3); xp.ascontiguousarray(xp.flip(x)); xp.ascontiguousarray(xp.fliplr(rows))
        xp.roll(rows, 3, axis=0); xp.roll(rows, 3, axis=1); xp.roll(rows, (1, 2), (0, 1))
        xp.ascontiguousarray(xp.rot90(rows)); xp.tile(x, 2); xp.tile(row, (len(rows), 1)); xp.tile(cols, (2, 2))
        xp.repeat(x, 2); xp.repeat(rows, 2, axis=0); xp.repeat(rows, 2, axis=1); xp.repeat(few, n10[:len(few)])
        xp.resize(x, len(x) + 9); xp.pad(x, 3); xp.pad(rows, 3); xp.pad(x, 3, 'edge'); xp.pad(rows, 2, 'reflect')
        xp.pad(rows, 2, 'wrap'); xp.pad(x, (1, 2), constant_values=5); xp.trim_zeros(x); xp.append(x, y)
        xp.insert(x, 3, 7); xp.delete(x, 3); xp.delete(rows, 1, axis=0); xp.insert(rows, 1, 2, axis=1)
        xp.concatenate((x, y)); xp.concatenate((rows, rows), axis=1); xp.concatenate((few, few, few))
        xp.concat((x, y)); xp.stack((x, y)); xp.stack((x, y), axis=-1); xp.hstack((x, y)); xp.vstack((x, y))
        xp.dstack((x, y)); xp.block([[x, y]]); xp.column_stack((x, y)); xp.hstack((rows, rows)); xp.tril(square)
        xp.triu(square)
        xp.trace(square); x.ravel()
    """)]),
    # ---- indexing
    (("float32", "int64", "uint8", "complex64"), [*listed("""
        x[i]; rows[ri]; rows[:, ci]; rows[ri, ci[0]]; x[m]; x[2:9]; x[3]; rows[3]; rows[:, 3].copy()
        xp.take(x, i); xp.take(rows, ri, axis=0); xp.take(rows, ci, axis=1); xp.compress(m, x); xp.extract(m, x)
        xp.where(m, x, y); xp.where(m, x, 0); xp.choose(c, (x, y)); xp.select([m, c == 1], [x, y])
        xp.take_along_axis(rows, order, axis=1); xp.nonzero(x); xp.flatnonzero(x); xp.argwhere(m); xp.nonzero(m)
        xp.where(m); xp.piecewise(x, [m], [1, 2])
    """)]),
    (("float32", "int64", "uint8"), [*listed("""
        w1.__setitem__(i, y); w1.__setitem__(m, 3); w1.__setitem__(slice(None), y); w1.fill(3)
        w1.__setitem__(slice(2, 9), 1); xp.put(w1, i, y); xp.place(w1, m, few); xp.putmask(w1, m, y)
        xp.copyto(w1, y); xp.copyto(w1, y, where=m); xp.add.at(w1, i, y); xp.fill_diagonal(w2, 3)
        xp.put_along_axis(w3, order, 3, axis=1); w1.__iadd__(1); w1.sort()
    """)]),
    (("int64",), [*listed("""
        xp.unravel_index(i, (side, side)); xp.ravel_multi_index((n10, n10), (10, 10))
    """)]),
    (("uint8",), [*listed("""
        xp.packbits(x); xp.unpackbits(x); xp.packbits(rows, axis=1); xp.packbits(rows, axis=0)
        xp.unpackbits(rows, axis=0)
    """)]),
    (("bool",), [*listed("""
        xp.packbits(x)
    """)]),
    # ---- arithmetic of several steps
    ((*FLOATS, "int32", "complex64"), [*each("round around", "x, 1"),
        *each( "isclose allclose array_equal array_equiv", "x, x"), *each("clip", "x, 1, 3"),
        *each("nan_to_num sinc", "x"), *each("diff", "x", "rows, axis=0", "rows, axis=1", "x, 2"),
        *each("ediff1d gradient", "x"), *listed("""
        xp.gradient(rows); xp.convolve(x[:side*4], few[:31]); xp.correlate(x, few[:9]); xp.average(x)
        xp.average(rows, axis=1, weights=row); xp.negative(t); xp.isreal(x); xp.iscomplex(x); xp.real(x).copy()
        xp.angle(x); xp.imag(x)
    """)]),
    (FLOATS, [*listed("""
        xp.unwrap(x); xp.isneginf(x); xp.isposinf(x); xp.fix(x); xp.i0(x); xp.cov(thin); xp.corrcoef(thin)
        xp.cov(x, y); xp.cross(three, three); xp.modf(x); xp.frexp(x)
    """)]),
    # ---- products
    ((*FLOATS, "int32", "complex64"), [*listed("""
        xp.dot(x, y); xp.vdot(x, y); xp.inner(x, y); xp.outer(x[:side], y[:side]); xp.dot(square, square[0])
        xp.kron(few[:9], x[:side]); xp.kron(square[:8, :8], square[:8, :8]); xp.vecdot(rows, rows)
        xp.matvec(square, square[0]); xp.vecmat(square[0], square)
        xp.matmul(rows[:256], cols[:, :256]); xp.tensordot(rows[:256], cols[:, :256], 1); xp.linalg.norm(x)
        xp.linalg.norm(rows, axis=1); xp.linalg.vector_norm(x); xp.linalg.matrix_norm(square)
        xp.linalg.matrix_power(square[:64, :64], 3); xp.linalg.multi_dot((few[:9], rows[:9], cols[:, :9]))
    """)]),
    # ---- polynomials
    (("float64",), [*listed("""
        xp.polyval(few[:5], x); xp.polyadd(x, y); xp.polysub(x, y); xp.polymul(few, few); xp.polyder(few)
        xp.polyint(few); xp.polyfit(x, y, 2); xp.poly(few[:5]); xp.roots(few[:5]); xp.polydiv(few[:9], few[:3])
        xp.poly1d(few[:5])(x)
    """)]),
    # ---- methods
    (("float32", "int64", "uint8"), [*listed("""
        x.sum(); x.mean(); x.max(); x.argmax(); x.cumsum(); x.std(); x.astype('float64'); x.astype('float16')
        x.astype('bool'); x.astype('complex64'); x.astype('int32'); x.take(i); x.repeat(2); x.tobytes()
        few.tolist(); x.item(3); x.nonzero(); x.view('uint8'); x.clip(1, 3); x.round(1); rows.T.copy()
        rows.swapaxes(0, 1).copy(); x.searchsorted(few); x.dot(x); x.T; rows.mT; x.flat[3]; x.real
        x.reshape(-1, 32); rows.diagonal(); x.compress(m); x.squeeze(); x > 1; x + y; x * 2; t + t; rows + row
        x // 3; x % 7; x / 3; x ** 2; -x; abs(x); x == y; float(x[0]); bool(x[3]); rows.T + 1; rows * rows[:, :1]
    """)]),
]


def values(dtype, n, seed):
    random = np.random.default_rng(seed)
    dtype = np.dtype(dtype)
    if dtype.kind == "b":
        return random.random(n) < 0.5
    if dtype.kind in "iu":
        low, high = max(np.iinfo(dtype).min, -(10**6)), min(np.iinfo(dtype).max, 10**6)
        return random.integers(low, high, n, dtype=dtype)
    if dtype.kind == "c":
        return (random.standard_normal(n) + 1j * random.standard_normal(n)).astype(dtype)
    return random.standard_normal(n).astype(dtype)


def order_of_columns(random, n):
    return np.argsort(random.random((n // SIDE, SIDE)), axis=1)


def whole_numbers(random, dtype, n, high):
    """As dtype where that is one of integers."""
    if np.dtype(dtype).kind not in "iu":
        return random.integers(0, high, n)
    return random.integers(0, min(high, int(np.iinfo(dtype).max)), n).astype(dtype)


# Each from a random generator, a dtype, a number of elements and the flat array x. Those of `t` are taken by twos.
OPERANDS = {
    "x": lambda r, t, n, x: x,
    "y": lambda r, t, n, x: values(t, n, 1),
    "s": lambda r, t, n, x: np.sort(x),
    "f": lambda r, t, n, x: r.integers(0, 2 if t == "bool" else 10, n).astype(t),
    "few": lambda r, t, n, x: values(t, min(n, 100), 2),
    "t": lambda r, t, n, x: np.repeat(x, 2)[::2],
    "rows": lambda r, t, n, x: x.reshape(-1, SIDE),
    "cols": lambda r, t, n, x: x.reshape(SIDE, -1),
    "square": lambda r, t, n, x: x.reshape(int(n**0.5), -1),
    "row": lambda r, t, n, x: values(t, SIDE, 1),
    "thin": lambda r, t, n, x: x.reshape(4, -1),
    "three": lambda r, t, n, x: x[: n // 3 * 3].reshape(-1, 3),
    "m": lambda r, t, n, x: r.random(n) < 0.5,
    "w": lambda r, t, n, x: r.random(n),
    "c": lambda r, t, n, x: r.integers(0, 2, n),
    "i": lambda r, t, n, x: r.integers(0, n, n),
    "ri": lambda r, t, n, x: r.integers(0, n // SIDE, n // SIDE),
    "ci": lambda r, t, n, x: r.integers(0, SIDE, SIDE),
    "order": lambda r, t, n, x: order_of_columns(r, n),
    "starts": lambda r, t, n, x: np.arange(0, n, 8),
    "edges": lambda r, t, n, x: np.unique(values(t, 1000, 3)),
    "quarters": lambda r, t, n, x: np.array([0.25, 0.5, 0.75]),
    "n10": lambda r, t, n, x: whole_numbers(r, t, n, 10),
    "n1000": lambda r, t, n, x: whole_numbers(r, t, n, 1000),
    "sparse": lambda r, t, n, x: whole_numbers(r, t, n, 32 * n if n < 1 << 20 else n),
    "w1": lambda r, t, n, x: x.copy(),
    "w2": lambda r, t, n, x: x.reshape(int(n**0.5), -1).copy(),
    "w3": lambda r, t, n, x: x.reshape(-1, SIDE).copy(),
}


def cases(dtype):
    """The expressions for a dtype."""
    return list(dict.fromkeys(e for dtypes, expressions in GROUPS if dtype in dtypes for e in expressions))
