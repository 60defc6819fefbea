"""Steps that are taken again and again: on a GPU recorded once, and launched.

A step of an iteration is some ten small kernels, and asking for them takes longer than they do. What a step asks for is
the same each time if the operators are matrices, so it can be recorded (tombac.cuda.Graph): the arrays that go from one
step to the next keep their places, and a launch takes all of them further.
"""

import threading

from tombac import _core
from tombac.cuda import Stream
from tombac.cuda.runtime import CUDARuntimeError, streamCaptureModeRelaxed
from tombacx.scipy.sparse import issparse
from tombacx.scipy.sparse.linalg._interface import LinearOperator, MatrixLinearOperator

__all__ = ["LARGEST", "Repeated", "Square", "by_rows", "evaluate", "is_recordable", "product", "record"]

PLAIN = 8  # steps before one is recorded, in which kernels are compiled in the background
LARGEST = 1 << 24  # bytes of a vector, with which kernels take longer than asking for them


def evaluate(*arrays):
    """Enqueues what the arrays are computed from. Asking for their memory does that, and waits for nothing."""
    for a in arrays:
        a.data  # noqa: B018


def by_rows(operator):
    """An operator, of a sparse matrix in the format whose products do not wait for the host, and are the quickest."""
    if not isinstance(operator, MatrixLinearOperator) or not issparse(operator.A) or _core.backend() == "cpu":
        return operator
    return MatrixLinearOperator(operator.A.tocsr())


def product(operator):
    """The function that applies an operator to a vector."""
    return by_rows(operator).A.dot if isinstance(operator, MatrixLinearOperator) else operator.matvec


class Square(LinearOperator):
    """An operator, then its adjoint."""

    def __init__(self, A, dtype):
        super().__init__(dtype, (A.shape[1], A.shape[1]))
        self.parts = A, A.H
        self._apply, self._apply_adjoint = map(product, self.parts)

    def _matvec(self, x):
        return self._apply_adjoint(self._apply(x))


def is_recordable(*operators):
    """Whether the operators do nothing but multiply by matrices, and nobody else is there whom a recording disturbs:
    while a device records, other threads must not wait for it."""
    parts = [part for each in operators for part in (each.parts if isinstance(each, Square) else (each,))]
    return (_core.backend() != "cpu" and threading.active_count() == 1
            and all(isinstance(part, MatrixLinearOperator) for part in parts))


def record(work):
    """The work of a function as a graph that can be launched, or None where something in it cannot be recorded."""
    try:
        with Stream(non_blocking=True) as stream:
            stream.begin_capture(streamCaptureModeRelaxed)
            work()
            return stream.end_capture()
    except CUDARuntimeError:
        return None


class Repeated:
    """An object's ``step()``, which exchanges the arrays of the object and of its ``parts`` for new ones. What else
    they have must stay the same from step to step where it is ``recordable``."""

    def __init__(self, state, recordable, *parts):
        self.state = state
        self.owners = state, *parts
        self.wait = PLAIN if recordable else -1
        self.graph = None

    def advance(self, limit):
        """One step or some, at most ``limit``; how many."""
        if self.graph is not None and self.count <= limit:
            self.graph.launch()
            return self.count
        self.graph = None  # what it works on is exchanged below
        self.state.step()
        self.wait -= 1
        if self.wait == 0:
            self._record()
        return 1

    def _arrays(self):
        return {(i, name): a for i, owner in enumerate(self.owners) for name, a in vars(owner).items()
                if isinstance(a, _core.ndarray)}

    def _put(self, arrays):
        for (i, name), a in arrays.items():
            setattr(self.owners[i], name, a)

    def _record(self):
        before = self._arrays()
        largest = max(a.nbytes for a in before.values())
        if largest > LARGEST:
            return
        # What steps leave behind is to stay in the cache until it is overwritten.
        self.count = max(2, min(PLAIN, (8 << 20) // largest))
        vectors = {key: a.copy() for key, a in before.items() if a.ndim}
        packs = []  # numbers of one dtype, next to one another so that few kernels write them
        for dtype in {a.dtype for a in before.values() if not a.ndim}:
            keys = [key for key, a in before.items() if not a.ndim and a.dtype == dtype]
            packs.append((keys, _core.stack([before[key] for key in keys])))
        places = vectors | {key: pack[i] for keys, pack in packs for i, key in enumerate(keys)}
        self._put(places)
        self.graph = record(lambda: self._steps_in(places, vectors, packs))
        self._put(before if self.graph is None else places)

    def _steps_in(self, places, vectors, packs):
        """Steps after which everything is where it was before."""
        for _ in range(self.count):
            self.state.step()
        after = self._arrays()
        moved = {key for key, a in after.items() if a is not places[key]}
        kept = {id(places[key]) for key in vectors}
        new = [(key, after[key].copy() if id(after[key]) in kept else after[key]) for key in vectors if key in moved]
        evaluate(*[after[key] for key in moved if key not in vectors])
        for keys, pack in packs:
            if not moved.isdisjoint(keys):
                _core.stack([after[key] for key in keys], 0, pack)
        for key, a in new:
            vectors[key][...] = a
        evaluate(*places.values())
