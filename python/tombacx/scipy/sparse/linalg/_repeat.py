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

__all__ = ["LARGEST", "Repeated", "Square", "is_recordable", "product", "record"]

PLAIN = 8  # steps before one is recorded, in which kernels are compiled in the background
LARGEST = 1 << 24  # bytes of a vector, with which kernels take longer than asking for them


def product(operator):
    """The function that applies an operator to a vector. A sparse matrix is taken in the format whose products do not
    wait for the host, and are the quickest."""
    if not isinstance(operator, MatrixLinearOperator):
        return operator.matvec
    A = operator.A
    return (A.tocsr() if issparse(A) and _core.backend() != "cpu" else A).dot


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
    """An object's ``step()``, which exchanges the object's arrays for new ones. What else it has must stay the same
    from step to step where it is ``recordable``."""

    def __init__(self, state, recordable):
        self.state = state
        self.wait = PLAIN if recordable else -1
        self.graph = None

    def step(self):
        if self.graph is not None:
            self.graph.launch()
            return
        self.state.step()
        self.wait -= 1
        if self.wait == 0:
            self._record()

    def _record(self):
        attributes = vars(self.state)
        before = {name: a for name, a in attributes.items() if isinstance(a, _core.ndarray)}
        if max(a.nbytes for a in before.values()) > LARGEST:
            return
        places = {name: a.copy() for name, a in before.items()}
        attributes.update(places)

        def work():
            self.state.step()
            moved = {name: attributes[name] for name, place in places.items() if attributes[name] is not place}
            kept = set(map(id, places.values()))
            for name, a in moved.items():
                if id(a) in kept:  # what another place holds until it is written
                    moved[name] = a.copy()
            for name, a in moved.items():
                places[name][...] = a
            for place in places.values():
                place.data  # noqa: B018 - enqueues what is to be written there

        self.graph = record(work)
        attributes.update(before if self.graph is None else places)
