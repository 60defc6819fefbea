"""Sums of products of two arrays over labels of their axes, as views that matrix products take without a copy.

A plan is made of shapes and strides alone: everything that can be known without the elements. Axes that are summed, and
those that only one operand has, become one axis each where they follow one another in memory, in whatever order they
lie there. Where they do not, the longest part of them is a matrix's axis and the others are a stack's, so that the
elements stay where they are; unless the matrices would be too small for that to pay, or summed axes lie in two orders:
then one operand, the smaller one, is copied to the order of the other.
"""

import functools
import math
import operator

from tombac import _core

__all__ = ["Term", "contract", "tensordot_plan"]

# Rows that matrices of a stack have to have, lest a copy and one product of all rows be quicker: those of a tile of
# cuBLAS; fewer where products are bound by reading the rows.
_LEAST_ROWS, _LEAST_ROWS_OF_THIN, _THIN = 128, 32, 64


class Term:
    """An array of a plan: a label for each axis, its shape and strides in elements, and what gets it from the call's
    arrays."""

    __slots__ = ("labels", "shape", "strides", "get")

    def __init__(self, labels, shape, get, strides=None):
        self.labels, self.shape, self.get = "".join(labels), tuple(shape), get
        self.strides = _row_major(self.shape) if strides is None else tuple(strides)

    def axes(self, labels):
        """(label, length, stride) of each of these labels."""
        at = [self.labels.index(c) for c in labels]
        return [(self.labels[i], self.shape[i], self.strides[i]) for i in at]

    def without(self, gone, get):
        """The term that `get` gets: this one without the axes of these numbers, where they are views."""
        kept = [i for i in range(len(self.labels)) if i not in gone]
        return Term([self.labels[i] for i in kept], [self.shape[i] for i in kept], get, [self.strides[i] for i in kept])

    def diagonal(self):
        """With one axis for a label that is repeated: those on the diagonal."""
        term = self
        for c in dict.fromkeys(self.labels):
            while term.labels.count(c) > 1:
                i, j = [k for k, x in enumerate(term.labels) if x == c][:2]
                n, stride = term.shape[i], term.strides[i] + term.strides[j]
                rest = term.without((i, j), _then(term.get, lambda a, i=i, j=j: a.diagonal(0, i, j)))
                term = Term(rest.labels + c, (*rest.shape, n), rest.get, (*rest.strides, stride))
        return term

    def narrowed(self, sizes):
        """Without axes of length 1 that others have longer: they are as if not there."""
        gone = tuple(i for i, (c, n) in enumerate(zip(self.labels, self.shape)) if n == 1 != sizes[c])
        return self.without(gone, _then(self.get, lambda a: a.squeeze(gone))) if gone else self

    def summed(self, keep):
        """Without the labels that nobody needs."""
        gone = tuple(i for i, c in enumerate(self.labels) if c not in keep)
        if not gone:
            return self
        kept = [i for i in range(len(self.labels)) if i not in gone]
        return Term([self.labels[i] for i in kept], [self.shape[i] for i in kept],
                    _then(self.get, lambda a: a.sum(gone, dtype=a.dtype)))

    def arranged(self, order):
        """With its axes in the given order."""
        at = [self.labels.index(c) for c in order]
        if at == list(range(len(at))):
            return self
        return Term(order, [self.shape[i] for i in at], _then(self.get, lambda a: a.transpose(at)),
                    [self.strides[i] for i in at])

    def reshaped(self, shape):
        """What gets it in another shape."""
        shape = tuple(shape)
        return self.get if shape == self.shape else _then(self.get, lambda a: a.reshape(shape))


def _then(get, do):
    return lambda arrays: do(get(arrays))


def _row_major(shape):
    strides, step = [], 1
    for n in reversed(shape):
        strides.append(step)
        step *= max(n, 1)
    return strides[::-1]


def _in_memory(axes):
    """Axes, the outermost in memory first."""
    return sorted(axes, key=lambda axis: -abs(axis[2]))


def _runs(axes):
    """Axes in parts that can be one axis each: lists of axes."""
    runs, last = [], None  # the last axis that is longer than 1, the others go with any
    for axis in axes:
        if runs and (axis[1] == 1 or last is None or last[2] == axis[1] * axis[2]):
            runs[-1].append(axis)
        else:
            runs.append([axis])
        last = last if axis[1] == 1 else axis
    return runs


def _length(axes):
    return math.prod([n for _, n, _ in axes])


def _step(axes):
    """The stride of axes as one."""
    return next((stride for _, n, stride in reversed(axes) if n != 1), 1)


def _summed_order(x, y, labels):
    """(labels in the order to sum them in, whether x has to be copied for that, whether y has)."""
    def cost(order):
        split = [len(_runs(t.axes(order))) > 1 for t in (x, y)]
        return sum(math.prod(t.shape) for t, s in zip((x, y), split) if s), order, split

    orders = ["".join(c for c, _, _ in _in_memory(t.axes(labels))) for t in (x, y)]
    _, order, split = min(map(cost, orders), key=lambda choice: choice[0])
    return order, *split


def _enough(rows, columns):
    """Whether products of so many rows, with a matrix that has these columns, are worth their while."""
    return _length(rows) >= (_LEAST_ROWS_OF_THIN if _length(columns) <= _THIN else _LEAST_ROWS)


def _matrix_axes(term, free, summed, copied, across):
    """(labels that become one axis of the matrices, labels that become the stack's); `across` are the axes that the
    other operand's matrices have."""
    runs = _runs(_in_memory(term.axes(free)))
    if copied or not runs:
        return free, []
    if len(runs) == 1:
        return _labels(runs), []
    if _step(term.axes(summed)) == 1:
        chosen = max(runs, key=_length)
    else:
        chosen = next((run for run in runs if _step(run) == 1), None)
    if chosen is None or not _enough(chosen, across):
        return free, []
    return _labels([chosen]), _labels([run for run in runs if run is not chosen])


def _last_rows(term, free, summed, copied, across):
    """The same for rows whose order the result keeps: they can only be the last ones."""
    runs = _runs(term.axes(free))
    if copied or len(runs) < 2 or not _enough(runs[-1], across):
        return free, []
    if _step(runs[-1]) != 1 != _step(term.axes(summed)):
        return free, []
    return _labels(runs[-1:]), _labels(runs[:-1])


def _labels(runs):
    return [c for run in runs for c, _, _ in run]


def contract(x, y, keep, output=""):
    """The term of the sum of x times y over the labels that are not in `keep`, in the order of `output` where it can be
    stored so."""
    x, y = x.summed(keep | set(y.labels)), y.summed(keep | set(x.labels))
    last = next((c for c in reversed(output) if (c in x.labels) != (c in y.labels)), "")
    if last and last in x.labels:
        x, y = y, x
    summed, batch, rows, columns = _roles(x, y, keep)
    if not summed:
        return _outer(x, y, batch, rows, columns)
    summed, x_copied, y_copied = _summed_order(x, y, summed)
    across, down = y.axes(columns), x.axes(rows)
    rows, columns = _matrix_axes(x, rows, summed, x_copied, across), _matrix_axes(y, columns, summed, y_copied, down)
    return _product(x, y, summed, batch, rows, columns, output)


def _roles(x, y, keep):
    """Labels that are summed, that both keep, that x alone has, that y alone has."""
    shared = [c for c in x.labels if c in y.labels]
    return ([c for c in shared if c not in keep], [c for c in shared if c in keep],
            [c for c in x.labels if c not in y.labels], [c for c in y.labels if c not in x.labels])


def _product(x, y, summed, batch, rows, columns, output):
    """The term of matrix products, with rows and columns as _matrix_axes gives them."""
    (rows, above), (columns, beside) = rows, columns
    x, y = x.arranged([*batch, *above, *rows, *summed]), y.arranged([*batch, *beside, *summed, *columns])
    if x.labels == y.labels and len(summed) == 1:
        return Term(batch, x.shape[:-1], lambda arrays: _dot_products(x.get(arrays), y.get(arrays)))
    nb, nx, ny = len(batch), len(batch) + len(above), len(batch) + len(beside)
    stack, x_stack, y_stack = x.shape[:nb], x.shape[nb:nx], y.shape[nb:ny]
    x_rows, y_columns = x.shape[nx : nx + len(rows)], y.shape[ny + len(summed) :]
    m, n, k = math.prod(x_rows), math.prod(y_columns), _length(x.axes(summed))
    a = x.reshaped((*stack, *x_stack, *[1] * len(y_stack), m, k))
    b = y.reshaped((*stack, *[1] * len(x_stack), *y_stack, k, n))
    matrices, labels = (*stack, *x_stack, *y_stack, m, n), [*batch, *above, *beside, *rows, *columns]
    shape = (*matrices[:-2], *x_rows, *y_columns)
    order = _storage(labels, shape, rows, columns, output)
    if order is None:
        product = Term("", matrices, lambda arrays: _core.matmul(a(arrays), b(arrays)))
        return Term(labels, shape, product.reshaped(shape))
    stored = [shape[labels.index(c)] for c in output]
    return Term(output, stored, lambda arrays: _matmul_stored(a(arrays), b(arrays), stored, order, matrices))


def _dot_products(a, b):
    return _core.vecdot(a.conj() if a._kind == "c" else a, b)


def _storage(labels, shape, rows, columns, output):
    """The axes of an array in the order of `output` that are the product's, if a product can be stored there and
    is not in that order anyway."""
    if set(labels) != set(output) or labels == list(output):
        return None
    target = Term(output, [shape[labels.index(c)] for c in output], None)
    sides = [target.axes(side) for side in (rows, columns) if side]
    if any(len(_runs(side)) > 1 for side in sides) or (len(sides) == 2 and 1 not in map(_step, sides)):
        return None
    return [output.index(c) for c in labels]


def _matmul_stored(a, b, shape, order, matrices):
    out = _core.empty(shape, a.dtype)
    view = out.transpose(order)
    view.shape = matrices  # never a copy
    _core.matmul(a, b, out=view)
    return out


def _outer(x, y, batch, rows, columns):
    """The term of products of which none are summed."""
    x, y, nb = x.arranged(batch + rows), y.arranged(batch + columns), len(batch)
    a = x.reshaped(x.shape + (1,) * len(columns))
    b = y.reshaped(y.shape[:nb] + (1,) * len(rows) + y.shape[nb:])
    return Term(batch + rows + columns, x.shape + y.shape[nb:], lambda arrays: a(arrays) * b(arrays))


@functools.lru_cache(512)
def tensordot_plan(shapes, strides, left, right):
    """What computes tensordot of a pair of arrays of these shapes and strides over pairs of axes, in C order."""
    names = [chr(ord("a") + i) for i in range(len(shapes[0]) + len(shapes[1]))]
    labels = names[: len(shapes[0])], names[len(shapes[0]) :]
    for i, j in zip(left, right):
        labels[1][j] = labels[0][i]
    x, y = [Term(c, shape, operator.itemgetter(i), step)
            for i, (c, shape, step) in enumerate(zip(labels, shapes, strides))]
    summed, _, rows, columns = _roles(x, y, ())
    summed, x_copied, y_copied = _summed_order(x, y, summed)
    split = _last_rows(x, rows, summed, x_copied, y.axes(columns))
    product = _product(x, y, summed, [], split, (columns, []), rows + columns)
    return product.arranged(rows + columns).get
