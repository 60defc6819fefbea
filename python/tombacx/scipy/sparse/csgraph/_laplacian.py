"""Laplacians of graphs, by SciPy on the host."""

import functools
import operator

from tombacx.scipy.sparse.csgraph._host import checked, on_host

__all__ = ["laplacian"]


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
    checked("laplacian", csgraph)
    if form not in ("array", "function", "lo"):
        raise ValueError(f"laplacian: form must be 'array', 'function' or 'lo', not {form!r}")
    if form != "array":  # which applies the weights as they are
        dtype = None
        csgraph = csgraph.astype("l") if csgraph.dtype.kind in "bu" else csgraph
    made, diagonal = on_host("laplacian", csgraph, normed, True, use_out_degree, copy=True, dtype=dtype,
                             symmetrized=symmetrized)
    if form != "array":
        from tombacx.scipy.sparse.linalg import aslinearoperator

        made = aslinearoperator(made) if form == "lo" else functools.partial(operator.matmul, made)
    return (made, diagonal) if return_diag else made
