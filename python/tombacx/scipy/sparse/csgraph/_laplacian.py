"""Laplacians of graphs."""

import functools
import operator

import tombac
from tombac import _core
from tombacx.scipy.sparse import issparse
from tombacx.scipy.sparse._base import FAMILY
from tombacx.scipy.sparse.csgraph._edges import square
from tombacx.scipy.sparse.csgraph._host import on_host

__all__ = ["laplacian"]


def _scales(degrees):
    """What rows and columns are divided by, and the diagonal then; vertices without edges stay as they are."""
    alone = degrees == 0
    return _core.where(alone, 1, _core.sqrt(degrees)), (~alone).astype(degrees.dtype)


def _of_array(m, normed, axis):
    m = m.copy()
    tombac.fill_diagonal(m, 0)
    degrees = diagonal = m.sum(axis)
    if normed:
        degrees, diagonal = _scales(degrees)
        m = m / degrees / degrees[:, None]
    m = -m
    tombac.fill_diagonal(m, diagonal.astype(m.dtype, copy=False))
    return m, degrees


def _of_sparse(m, normed, axis):
    degrees = m.sum(axis).ravel() - m.diagonal()
    if m.format == "dia" and not normed:
        m = -m
        m.setdiag(degrees)
        return m, degrees
    a = m.tocoo()
    (row, col), values, diagonal = a.coords, -a.data, degrees
    off = (row != col).nonzero()[0]
    row, col, values = row[off], col[off], values[off]
    if normed:
        degrees, diagonal = _scales(degrees)
        values = values / degrees[row] / degrees[col]
    own = _core.arange(len(degrees), dtype=row.dtype)
    parts = [_core.concatenate(pair) for pair in ((values, diagonal.astype(values.dtype, copy=False)), (row, own),
                                                  (col, own))]
    return FAMILY["coo", a._is_array]._from_parts(*parts, a.shape), degrees


def laplacian(csgraph, normed=False, return_diag=False, use_out_degree=False, *, copy=True, form="array", dtype=None,
              symmetrized=False):
    """The Laplacian of a graph: degrees on the diagonal, less the weights of edges.

    Args:
        csgraph: A sparse matrix or an array of shape (n, n), whose elements are weights of edges.
        normed: Whether it is scaled to ones on the diagonal.
        return_diag: Whether the diagonal (or, normed, its square root) is returned as well.
        use_out_degree: Whether edges count where they begin.
        copy: Accepted; nothing is overwritten.
        form: 'array'; 'function', which is what multiplies with it; or 'lo', the same as a LinearOperator.
        dtype: The dtype of the matrix; by default that of the graph.
        symmetrized: Whether that of ``csgraph + csgraph.T.conj()`` is made.

    Returns:
        A sparse matrix, an array where ``csgraph`` is one, or what form says; with the diagonal, a tuple of that and an
        array of shape (n,).

    Raises:
        ValueError: The graph is not square, or another form is asked for.
        TypeError: ``csgraph`` is no matrix of tombac's.

    >>> tombacx.scipy.sparse.csgraph.laplacian(tombac.array([[0.0, 1.0], [1.0, 0.0]]))
    array([[ 1., -1.],
           [-1.,  1.]])
    """
    square("laplacian", csgraph)
    if form not in ("array", "function", "lo"):
        raise ValueError(f"laplacian: form must be 'array', 'function' or 'lo', not {form!r}")
    if form != "array":  # which applies the weights as they are
        dtype = None
    if csgraph.dtype.kind in "bu" and form != "array" or csgraph.dtype.kind == "i" and normed:
        csgraph = csgraph.astype("d" if normed else "l")
    if csgraph.dtype.kind in "bu":  # of which SciPy refuses most
        made, diagonal = on_host("laplacian", csgraph, normed, True, use_out_degree, copy=True, dtype=dtype,
                                 symmetrized=symmetrized)
    else:
        m = csgraph.tocoo() if issparse(csgraph) and csgraph.format in ("lil", "dok") else csgraph
        m = m + m.T.conj() if symmetrized else m
        made, diagonal = (_of_sparse if issparse(m) else _of_array)(m, normed, 1 if use_out_degree else 0)
        dtype = csgraph.dtype if dtype is None else dtype
        made, diagonal = made.astype(dtype, copy=False), diagonal.astype(dtype, copy=False)
    if form != "array":
        from tombacx.scipy.sparse.linalg import aslinearoperator

        made = aslinearoperator(made) if form == "lo" else functools.partial(operator.matmul, made)
    return (made, diagonal) if return_diag else made
