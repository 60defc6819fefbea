"""Several threads over arrays of their own and shared ones, each with a stream and a fusion mode, against NumPy.

Run by test_threads.py, and under ThreadSanitizer by `make tsan`.

On a GPU streams run side by side: what is made on one and used on others is synchronised in between, as CUDA has it.

    python threads_program.py [rounds]"""
import contextlib
import sys
import threading

import numpy as np

import tombac as cp

THREADS, SIZES = 4, [60, 5000, 50000]
MODES = [False, True, "all", True]
ON_GPU = cp.config.backend() == "cuda"
adding = threading.Lock()
failures = []


def check(name, got, want):
    if not np.array_equal(cp.asnumpy(got), want):
        failures.append(f"{name} differs in {threading.current_thread().name}")


@contextlib.contextmanager
def in_turn():
    """For what every thread changes."""
    with adding if ON_GPU else contextlib.nullcontext():
        yield
        if ON_GPU:
            cp.cuda.get_current_stream().synchronize()


class Shared:
    """What all threads use: arrays that nobody writes, some of them pending, and one that everybody adds to."""

    def __init__(self, n):
        self.host = np.arange(n, dtype=np.float64) % 16
        self.stored = cp.asarray(self.host)
        with cp.config.fusion("all"):
            self.pending = [self.stored * k + 1 for k in range(8)]
            self.chain = [self.stored]
            for _ in range(20):
                self.chain.append(cp.remainder(self.chain[-1] * 3 + 1, 16))
        self.shaped = cp.arange(24)
        self.list = []
        self.places = cp.arange(1 << 20).flat
        self.generator = cp.random.default_rng(n)
        self.sum = cp.zeros(n)
        self.board = cp.zeros((THREADS, n))


def own(shared, number, rounds):
    """Nobody else sees these arrays."""
    host = shared.host.copy()
    x = cp.asarray(host)
    for i in range(rounds):
        host = np.remainder(host * 3 + i + number, 16)
        x = cp.remainder(x * 3 + i + number, 16)
        host[1::2] -= 1
        view = x[1::2]
        view -= 1
        live = [x + k for k in range(12)]
        check("own sum", (x * 2).sum(), (host * 2).sum())
        check("own intermediate", live[i % 12], host + i % 12)
        order = np.argsort(host % 7, kind="stable")
        check("own gather", x[cp.asarray(order)], host[order])
        check("own mask", x[x > 7], host[host > 7])
        x[x > 9] = 2
        host[host > 9] = 2
        check("own scan", cp.cumsum(x), np.cumsum(host))
    check("own", x, host)


def common(shared, number, rounds):
    """Everybody reads the same arrays, adds to one, and writes a row of another."""
    row = shared.board[number]
    for i in range(rounds):
        with in_turn():
            shared.sum += 1
        row += i
        k = (i + number) % 8
        check("shared pending", shared.pending[k], shared.host * k + 1)
        check("shared product", (shared.stored * shared.pending[k]).sum(), (shared.host * (shared.host * k + 1)).sum())
        if i % 4 == number:
            cp.cuda.Device().synchronize()


def changing(shared, rounds):
    """Everybody changes and reads the same Python objects."""
    for i in range(rounds):
        shared.shaped.shape = [(24,), (2, 12), (4, 6), (2, 3, 4)][i % 4]
        check("sum of what is shaped", shared.shaped.sum(), 276)
        shared.list[:] = [cp.ones(3), [1.0, 1, 1]] * (i % 3 + 1)
        got = cp.asarray(shared.list)
        check("list", got, np.ones(got.shape))
        shared.list.clear()
        next(shared.places)
        drawn = shared.generator.random(100)
        check("range of what is drawn", (drawn >= 0) & (drawn < 1), np.ones(100, bool))
        outside = (cp if ON_GPU else np).from_dlpack(shared.stored[:9].copy())
        check("there and back", cp.from_dlpack(outside), shared.host[:9])


def work(shared, number, rounds, start):
    stream = cp.cuda.Stream(non_blocking=number % 2 == 0)
    cp.config.fusion(MODES[number])
    start.wait()
    try:
        with stream:
            for s in shared:
                own(s, number, rounds)
                common(s, number, rounds)
                changing(s, rounds)
            event = stream.record()
        event.synchronize()
        stream.synchronize()
    except Exception as e:
        failures.append(f"{threading.current_thread().name}: {e!r}")


def main(rounds):
    shared = [Shared(n) for n in SIZES]
    if ON_GPU:
        cp.cuda.Device().synchronize()
    start = threading.Barrier(THREADS)
    threads = [threading.Thread(target=work, args=(shared, i, rounds, start)) for i in range(THREADS)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    for s in shared:
        check("sum", s.sum, np.full(s.host.size, THREADS * rounds))
        check("board", s.board, np.full(s.board.shape, rounds * (rounds - 1) / 2))
        want = s.host
        for got in s.chain:
            check("chain", got, want)
            want = np.remainder(want * 3 + 1, 16)
    print(*sorted(set(failures)), sep="\n")
    sys.exit(bool(failures))


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 20)
