"""Laplacians of graphs, by SciPy on the host."""

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
        form: 'array'; SciPy's 'function' and 'lo' are not supported.
        dtype: The dtype of the result; by default that of the graph.
        symmetrized: Whether that of ``csgraph + csgraph.T.conj()`` is made.

    Returns:
        A sparse matrix, or an array where ``csgraph`` is one; with the diagonal, a tuple of that and an array of shape
        (n,).

    Raises:
        ValueError: The graph is not square.
        NotImplementedError: Another form is asked for.
        TypeError: ``csgraph`` is no matrix of tombac's.

    >>> tombacx.scipy.sparse.csgraph.laplacian(tombac.array([[0.0, 1.0], [1.0, 0.0]]))
    array([[ 1., -1.],
           [-1.,  1.]])
    """
    checked("laplacian", csgraph)
    if form != "array":
        raise NotImplementedError(f"laplacian: form must be 'array', not {form!r}")
    return on_host("laplacian", csgraph, normed, return_diag, use_out_degree, copy=True, form=form, dtype=dtype,
                   symmetrized=symmetrized)
