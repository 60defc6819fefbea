"""Golub and Kahan's process by one kernel that takes many steps (its text: ``_resident_text.py``).

A step is two products, with one sum after each that everybody needs, and as kernels of their own its parts take longer
to be begun than to run. So the blocks of one launch stay for many steps, as many blocks as the device holds at once,
and the host looks now and then whether it is over.
"""

import functools
import string

from tombac import _core
from tombac._numpy import np
from tombac.cuda import Device
from tombacx.scipy.sparse import issparse
from tombacx.scipy.sparse.linalg._interface import MatrixLinearOperator
from tombacx.scipy.sparse.linalg._recurrence import State, elements
from tombacx.scipy.sparse.linalg._resident_text import TEXT

__all__ = ["Resident", "suits"]

_THREADS, _MOST_BLOCKS = 640, 256
_STEPS = 256  # of a launch, after which the host may be interrupted
_EACH = 8  # elements that a thread has at least where rows are long
_FEW = 4096  # threads' worth of work that one block does sooner than several, which must meet
_WIDE = 2**31 - 2**10  # elements, from which places have 64 bits: a lane looks a few elements past the end
_DENSE = 1 << 28  # bytes of a dense matrix up to which another copy, its adjoint, is worth it
_BEYOND = ("alpha", "beta", "scale_u", "scale_v", "watched")  # numbers of the process, behind those of the method


def suits(operator, dtype):
    """Whether the kernel is the way to apply an operator and its adjoint."""
    if _core.backend() == "cpu" or not isinstance(operator, MatrixLinearOperator) or 0 in operator.shape:
        return False
    return issparse(operator.A) or operator.shape[0] * operator.shape[1] * dtype.itemsize <= _DENSE


def _lanes(each, in_memory):
    """Of a warp that share a row of so many elements. One after the other is quickest; but elements that are read from
    memory again and again are to lie side by side."""
    lanes = 1
    while lanes < 32 and (4 if in_memory else 8) * lanes < each:
        lanes *= 2
    return lanes


class _Matrix:
    """A matrix by rows, dense or sparse, in a dtype."""

    def __init__(self, operator, dtype):
        self.rows, self.cols = operator.shape
        A = operator.A
        self.dense = not issparse(A)
        if not self.dense:
            A = A.tocsr()
        self.data = _core.ascontiguousarray((A if self.dense else A.data).astype(dtype, copy=False))
        self.parts = (self.data, self.data) if self.dense else (A.indptr, A.indices)
        wide = self.data.size >= _WIDE or any(part.dtype == np.int64 for part in self.parts)
        self.places = np.dtype("i8" if wide else "i4")
        self.bytes = self.data.nbytes + (0 if self.dense else sum(part.nbytes for part in self.parts))

    def takes_from(self, other):
        """Has another's memory where it is the same matrix, as a Hermitian one's adjoint, which is kept once then."""
        if self.dense or other.dense or (self.rows, self.data.size) != (other.rows, other.data.size):
            return
        mine, others = ((*m.parts, m.data) for m in (self, other))
        if functools.reduce(_core.logical_and, [(a == b).all() for a, b in zip(mine, others, strict=True)]):
            self.parts, self.data = other.parts, other.data

    def share(self, room):
        """Has its rows shared among lanes, where there is so much shared memory."""
        self.lanes = _lanes(self.data.size / self.rows, self.bytes > room)

    def arguments(self, places):
        parts = self.parts if self.dense else [_core.ascontiguousarray(part.astype(places, copy=False))
                                               for part in self.parts]
        return *parts, self.data, self.rows


def _type(dtype):
    real = "float" if dtype.char in "fF" else "double"
    return f"pair<{real}>" if dtype.kind == "c" else real


@functools.lru_cache(maxsize=64)
def _attribute_of(device, name, default):
    return device.attributes.get(name, default)


def _attribute(name, default):
    return _attribute_of(Device(), name, default)


def _room():
    """Bytes of shared memory that a block may have."""
    return _attribute("MaxSharedMemoryPerBlockOptin", 48 << 10)


@functools.lru_cache(maxsize=64)
def _kernel(text, device):
    kernel = _core.RawModule(code=text, enable_cooperative_groups=True).get_function("tombac_resident")
    room = _room() - kernel.shared_size_bytes
    kernel.max_dynamic_shared_size_bytes = room
    return kernel, room


class Resident:
    """A process and a method of which the kernel takes the steps. ``step(alpha, beta, watched)`` is a function of
    numbers that gives the factors for ``method.vectors``, ``test`` one of what is watched where that is tested after
    the vectors have changed, else None."""

    def __init__(self, process, method, step, test):
        self.method = method
        self.state = State(method, method.sums)
        A, H = (_Matrix(operator, process.dtype) for operator in process.operators)
        H.takes_from(A)
        blocks = min(_attribute("MultiProcessorCount", 1), _MOST_BLOCKS)
        for matrix in (A, H):
            matrix.share(blocks * _room() // 2)
        first = dict.fromkeys(_BEYOND, 1.0) | {"alpha": process.first_alpha}
        self.numbers = _core.array([*self.state.get(), *first.values()])
        work = max(max(matrix.rows * matrix.lanes, matrix.data.size // _EACH) for matrix in (A, H))
        self.blocks = 1 if work <= _FEW else min(blocks, -(-work // _THREADS))
        self.threads = min(_THREADS, 32 + -(-work // 32) * 32)
        self.posts = _core.empty(6 * self.blocks, "i8")
        places = np.result_type(A.places, H.places)
        given = A.arguments(places)
        self.given = (*given, *(given if H.data is A.data else H.arguments(places)), process.u.copy(),
                      process.v.copy(), self.numbers, self.posts)
        self.names, text = self._text(process, A, H, places, step, test)
        self.vectors = [getattr(method, name).copy() for name in self.names]
        self.kernel, self.room = _kernel(text, Device().id)

    def _text(self, process, A, H, places, step, test):
        method, state = self.method, self.state
        advance = state.written(step, "alpha", "beta", "watched")
        look = "" if test is None else state.written(test, "watched")
        factors = [f"factors[{i}]" for i in range(advance.count("made["))]
        names, change = elements(method, method.vectors, "v", *factors)
        typed = [(f"{_type(getattr(method, name).dtype)} *", name) for name in names]
        defines = {"COMPLEX": int(process.dtype.kind == "c"), "DENSE": int(A.dense), "A_LANES": A.lanes,
                   "H_LANES": H.lanes, "STATE": len(state), "NUMBERS": len(state) + len(_BEYOND),
                   "MOST_BLOCKS": _MOST_BLOCKS, "REASON": state.place("reason"), "WATCHED_AFTER": int(test is not None)}
        defines |= {name.upper(): i for i, name in enumerate(_BEYOND)}
        real = "float" if process.dtype.char in "fF" else "double"
        return names, "\n".join([
            *(f"#define {name} {value}" for name, value in defines.items()),
            "template <class T> struct pair;",
            f"typedef {real} real;\ntypedef {_type(process.dtype)} number;\ntypedef {_type(process.wide)} wide;",
            f"typedef {'int' if places.itemsize == 4 else 'long long'} column;",
            string.Template(TEXT).substitute(
                advance=advance, look=look, change=change, watched=method.watched_vector, threads=_THREADS,
                names=", ".join(names), pointers=", ".join(each + name for each, name in typed),
                parameters=", ".join(f"{each}all_{name}" for each, name in typed),
                keep="\n".join(f"    {each}{name} = room.keep(all_{name} + cols.first, (long long)cols.n);"
                               for each, name in typed),
                put_back="\n".join(f"    put_back({name}, all_{name} + here.first, (long long)here.n);"
                                   for name in names))])

    def run(self, limit):
        """At most so many steps; the method has what they led to, and ``reason``."""
        done = reason = 0
        while done < limit and not reason:
            count = min(limit - done, _STEPS)
            self.posts.fill(-1)
            self.kernel((self.blocks,), (self.threads,),
                        (*self.given, np.int32(count), np.int32(self.room), *self.vectors), shared_mem=self.room)
            numbers = self.numbers.get()
            reason = numbers[self.state.place("reason")]
            done += count
        self.state.set(numbers[:len(self.state)])
        for name, vector in zip(self.names, self.vectors):
            setattr(self.method, name, vector)
