"""Cycles of negative length, on the host: looked for before Dijkstra's algorithm, which in SciPy takes all memory when
it comes upon one.

They are within strongly connected components that have a negative edge inside, which most graphs have none of. In these
distances fall along edges, of all at once, by Bellman's and Ford's algorithm, until none does, or until the edges that
they fell along last make a cycle: then that is a negative one (Cherkassky and Goldberg, "Negative-cycle detection
algorithms", 1999).
"""

from tombac._numpy import np
from tombacx.scipy._host import scipy_module

__all__ = ["refuse_negative_cycles"]


def refuse_negative_cycles(name, graph, directed, indices):
    """Raises NegativeCycleError for a graph of SciPy's or NumPy's in which one can be come upon from these vertices."""
    lengths = graph.tocsr().data if hasattr(graph, "tocsr") else graph
    if lengths.dtype.kind not in "if" or graph.shape[0] != graph.shape[1]:
        return
    if np.fmin.reduce(lengths, None, initial=0) >= 0:
        return
    module = scipy_module("scipy.sparse.csgraph", name)
    rows = graph.tocsr() if hasattr(graph, "tocsr") else module.csgraph_from_dense(graph)
    edges = rows.tocoo()
    source, target, length = edges.row, edges.col, edges.data.astype(np.float64)
    if not directed:
        source, target, length = (np.concatenate(x) for x in ((source, target), (target, source), (length, length)))
    part = module.connected_components(rows, directed, "strong")[1]
    inside = part[source] == part[target]
    doubtful = np.zeros(len(part), bool)
    doubtful[part[source[inside & (length < 0)]]] = True
    if not doubtful.any():
        return
    doubtful = doubtful[part] & _reached(module, rows, directed, indices)
    kept = np.flatnonzero(inside & doubtful[source])
    if _has_negative_cycle(len(part), source[kept], target[kept], length[kept]):
        raise module.NegativeCycleError(f"{name}: a cycle of negative length was found")


def _reached(module, rows, directed, indices):
    """Which vertices there is a way to; none, where SciPy has an error for what vertices to begin with."""
    n = rows.shape[0]
    try:
        starts = np.arange(n) if indices is None else np.atleast_1d(np.asarray(indices)).astype(np.intp).ravel()
        starts = np.where(starts < 0, starts + n, starts)
        known = np.zeros(n, bool)
        known[starts] = True
    except (TypeError, ValueError, IndexError):
        return np.zeros(n, bool)
    if known.all():
        return known
    scipy = scipy_module("scipy.sparse", "csr_matrix")
    starts = np.flatnonzero(known)
    indptr = np.append(rows.indptr, rows.indptr[-1] + len(starts))  # one more vertex, before all that are begun with
    indices = np.append(rows.indices, starts.astype(rows.indices.dtype))
    joined = scipy.csr_matrix((np.ones(len(indices)), indices, indptr), shape=(n + 1, n + 1))
    found = np.zeros(n + 1, bool)
    found[module.breadth_first_order(joined, n, directed, False)] = True
    return found[:n]


def _has_negative_cycle(n, source, target, length):
    distance, before = np.zeros(n), np.full(n, n)
    for step in range(1, n + 1):
        there = distance[source] + length
        falls = np.flatnonzero(there < distance[target])
        if not len(falls):
            return False
        falls = falls[np.argsort(-there[falls], kind="stable")]  # of several to one vertex the least is stored last
        distance[target[falls]], before[target[falls]] = there[falls], source[falls]
        if step & (step - 1) == 0 and _goes_round(before):
            return True
    return True


def _goes_round(before):
    """Whether going back from some vertex never ends at n."""
    back = np.append(before, len(before))
    for _ in range(len(before).bit_length()):  # each time twice as many steps
        back = back[back]
    return bool((back < len(before)).any())
