"""Random programs: the same lines in NumPy and in tombac, compared bit for bit.

Deferral must never be visible. A program is a list of lines such as `a7 = xp.where(a3 > 2, a3, a1)`, made one after the
other from what NumPy holds by then, and each is run with xp standing for NumPy and for tombac. Up to 64 arrays are
alive; they share memory through views and sub-expressions, are written through views, foreign pointers and index
arrays, and the memory limit strikes at random and is lifted again. Whatever a line gives to `seen` is compared.

    python random_programs.py --seeds 0:1000            a thousand programs
    python random_programs.py --operations 1000000      as many as that takes
    python random_programs.py --replay program.txt      the lines of a file; --shrink looks for a shorter one

The programs run in a process of their own, so that a crash is found like a difference. What fails is printed as a
script, after a search for a shorter program that fails too."""
import argparse
import contextlib
import ctypes
import os
import re
import subprocess
import sys
import tempfile
import threading
import time
import warnings

import numpy as np

import tombac
from random_lines import FUSION, WEIGHTS, Generator

OutOfMemory = tombac.cuda.memory.OutOfMemoryError


class Difference(Exception):
    pass


# ---- what both worlds know beside xp --------------------------------------------------------------------------------

def helpers(xp):
    """Functions of a program's lines that are the same in both worlds."""

    def fresh(seed, shape, dtype, order="C"):
        rng = np.random.default_rng(seed)
        low, high = (0, 2) if dtype == "bool" else (0 if dtype[0] == "u" else -9, 10)
        a = rng.integers(low, high, shape)
        if dtype[0] == "c":
            a = a + 1j * rng.integers(low, high, shape)
        return xp.asarray(np.asarray(a, dtype, order=order))

    def index(seed, n, shape):
        return xp.asarray(np.random.default_rng(seed).integers(-n, n, shape))

    def places(seed, n, count):
        """None of them twice."""
        rng = np.random.default_rng(seed)
        return xp.asarray(rng.permutation(n)[:count] - n * rng.integers(0, 2, count))

    def tame(x):
        """Whole numbers from 0 to 15, where there may have been anything."""
        if x.dtype.kind == "c":
            return (tame(x.real) + 1j * tame(x.imag)).astype(x.dtype)
        return xp.remainder(xp.rint(xp.where(xp.isfinite(x), x, xp.ones((), x.dtype))), 16)

    def pairs(a):
        """A vector's neighbours in pairs, which overlap."""
        return xp.lib.stride_tricks.as_strided(a, (a.shape[0] - 1, 2), 2 * a.strides)

    def kernel(x, y):
        """x * y + x, as a kernel of the user's."""
        x, y = xp.ascontiguousarray(x), xp.ascontiguousarray(y)
        if xp is np:
            return x * y + x
        if "kernel" not in made:
            made["kernel"] = tombac.ElementwiseKernel("T x, T y", "T z", "z = x * y + x", "random_programs_kernel")
        return made["kernel"](x, y)

    made = {}
    return {"xp": xp, "fresh": fresh, "index": index, "places": places, "tame": tame, "pairs": pairs, "kernel": kernel}


def host_world():
    def nothing(*args):
        pass

    names = helpers(np)
    names |= dict.fromkeys(["fusion", "stream", "sync", "limit", "pool"], nothing)
    names |= {"window": lambda a, how: a[...], "read": lambda *arrays: [np.array(a) for a in arrays]}
    return names


def device_world():
    streams = [tombac.cuda.Stream.null]
    pool = tombac.get_default_memory_pool()

    def window(a, how):
        """a's memory as somebody sees it who does not ask."""
        if how == "dlpack":
            return np.from_dlpack(a)
        item = a.dtype.itemsize
        reach = [(n - 1) * s for n, s in zip(a.shape, a.strides)] if a.size else []
        low, high = sum(r for r in reach if r < 0), sum(r for r in reach if r > 0) + item
        memory = (ctypes.c_char * (high - low)).from_address(a.data.ptr + low)
        memory.owner = a
        return np.ndarray(a.shape, a.dtype, memory, -low, a.strides)

    def stream(i):
        while len(streams) <= i:
            streams.append(tombac.cuda.Stream(non_blocking=i % 2 == 0))
        if tombac.config.backend() == "cuda":  # whose streams run side by side; recording evaluates what is pending
            streams[i].wait_event(tombac.cuda.get_current_stream().record())
        streams[i].use()

    def limit(n):
        """Of n bytes. What is pending stays so, since nobody looks at the figures."""
        if n:
            pool.free_all_blocks()
        pool.set_limit(size=n)

    def use_pool(on):
        """Without one each array is a block of the system's, whose bounds sanitizers know."""
        tombac.cuda.set_allocator(pool.malloc if on else None)

    names = helpers(tombac)
    names |= {"pool": use_pool}
    names |= {"fusion": tombac.config.fusion, "stream": stream, "window": window}
    names |= {"sync": lambda: tombac.cuda.Device().synchronize(), "limit": limit}
    names["read"] = lambda *arrays: [np.array(a) if isinstance(a, np.ndarray) else a.get() for a in arrays]
    return names


def same(want, got):
    if isinstance(want, list):
        return len(want) == len(got) and all(map(same, want, got))
    if isinstance(want, np.ndarray):
        return (want.dtype == got.dtype and want.shape == got.shape and
                (want.tobytes() == got.tobytes() or np.array_equal(want, got, equal_nan=want.dtype.kind in "fc")))
    return want == got or (want != want and got != got)


# ---- running ---------------------------------------------------------------------------------------------------------

NAME = re.compile(r"[aw]\d+")
LAYOUT = re.compile(r"(a\d+)\.(?:reshape|ravel)\(|asfortranarray\((a\d+)")
TARGET = re.compile(r"([aw]\d+|seen) = ")


@contextlib.contextmanager
def strict():
    """NumPy is quiet, but for casts of numbers that the dtype does not have: machines disagree on these."""
    with np.errstate(all="ignore", invalid="warn"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        warnings.filterwarnings("error", "invalid value encountered in cast", RuntimeWarning)
        yield


class Program:
    """Lines, and what they have made so far in both worlds."""

    def __init__(self, trace=None):
        self.trace = open(trace, "w") if trace else None
        self.host, self.device = host_world(), device_world()
        self.lines, self.operations, self.short, self.failures = [], 0, False, 0

    def close(self):
        if not self.device:
            return
        self.device["limit"](0)
        self.device["stream"](0)
        self.device["pool"](True)
        self.host.clear()
        self.device.clear()

    def arrays(self):
        return [n for n in self.host if NAME.fullmatch(n)]

    def step(self, line):
        """Runs a line in both worlds. False: NumPy refuses it, and nothing has happened."""
        if not self.same_layout(line):
            return False
        code = compile(line, "<program>", "exec")
        before = {n: self.host[n].copy() for n in self.arrays()} if self.short else {}
        try:
            exec(code, self.host)
        except (TypeError, ValueError, IndexError, OverflowError, NameError):
            return False
        except RuntimeWarning as e:
            raise Difference(f"{line}\n  is no line for a program: {e}") from e
        self.lines.append(line)
        if self.trace:
            print(line, file=self.trace, flush=True)
        target = TARGET.match(line)
        if target and isinstance(self.host[target[1]], np.generic) and target[1] != "seen":
            self.host[target[1]] = np.asarray(self.host[target[1]])
        try:
            exec(code, self.device)
        except OutOfMemory:
            self.after_failure(code, before, bool(target))
        except Exception as e:
            raise Difference(f"{line}\n  tombac raises {type(e).__name__}: {e}") from e
        if line.startswith("limit("):
            self.short = line != "limit(0)"
        elif line.startswith("seen = "):
            self.compare(line)
        else:
            self.operations += 1
        return True

    def same_layout(self, line):
        """Whether what is a view or a copy, as memory lies, is the same in both worlds: results of operations on arrays
        in different orders lie as each library likes."""
        match = LAYOUT.search(line)
        name = match and (match[1] or match[2])
        if name not in self.host or name not in self.device:
            return True
        x, y = self.host[name], self.device[name]
        return all(n == 1 or s == t for n, s, t in zip(x.shape, x.strides, y.strides))

    def compare(self, line):
        want, got = self.host["seen"], self.device["seen"]
        if same(want, got):
            return
        if not isinstance(want, list):
            raise Difference(f"{line}\n  NumPy: {want!r}\n  tombac: {got!r}")
        for name, w, g in zip(NAME.findall(line), want, got):
            if not same(w, g):
                raise Difference(f"{line}: {name}, {tell(w, g)}")

    def after_failure(self, code, before, is_new):
        """Memory ran out in a line. What can be read is right meanwhile, and once there is memory again everything is:
        as before the line, which is then run again, or as after it."""
        self.failures += 1
        after = {n: self.host[n] for n in before if n in self.host}
        names = [n for n in after if n in self.device]
        for name in names[::max(1, len(names) // 8)]:
            try:
                got = self.device["read"](self.device[name])[0]
            except OutOfMemory:
                continue
            if not same(before[name], got) and not same(after[name], got):
                raise Difference(f"{self.lines[-1]} ran out of memory; {name} is then {got!r},\n"
                                 f"  neither {before[name]!r}\n  nor {after[name]!r}")
        self.device["limit"](0)
        self.short = False
        if is_new:
            exec(code, self.device)
            return
        got = {n: self.device["read"](self.device[n])[0] for n in names}
        if all(same(after[n], got[n]) for n in names):
            return
        torn = [n for n in names if not same(before[n], got[n])]
        if torn:
            raise Difference(f"{self.lines[-1]} ran out of memory; once there is memory {torn[0]}, "
                             f"{tell(before[torn[0]], got[torn[0]])}")
        exec(code, self.device)


def tell(want, got):
    if want.shape != got.shape or want.dtype != got.dtype:
        return f"NumPy: {want.dtype} {want.shape}, tombac: {got.dtype} {got.shape}"
    at = np.argwhere(want != got)
    where = tuple(at[0].tolist()) if at.size else "NaN"
    return (f"{len(at)} of {want.size} elements of {want.dtype} {want.shape}: at {where} NumPy has "
            f"{want[where] if at.size else want!r}, tombac {got[where] if at.size else got!r}")


# ---- programs that are there already ---------------------------------------------------------------------------------

def replay(text):
    """Runs the lines of a program; what NumPy refuses is left out. Raises Difference."""
    program = Program()
    try:
        with strict():
            for line in filter(None, map(str.strip, text.splitlines())):
                program.step(line)
            program.device["limit"](0)
            program.short = False
            if program.arrays():
                program.step(f"seen = read({', '.join(program.arrays())})")
    finally:
        program.close()


def fails(lines):
    """Whether the program fails in a process of its own, where it may crash."""
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as f:
        f.write("\n".join(lines))
        f.flush()
        done = subprocess.run([sys.executable, __file__, "--replay", f.name], capture_output=True, timeout=300)
    return done.returncode != 0


def shrink(lines, seconds=120):
    """A shorter program that fails too: stretches of lines are left out, shorter ones by and by."""
    end, size = time.monotonic() + seconds, len(lines) // 2
    while size and time.monotonic() < end:
        at = len(lines) - size
        while at > -size and time.monotonic() < end:
            rest = lines[:max(at, 0)] + lines[at + size:]
            if fails(rest):
                lines = rest
            at -= size
        size = size // 2
    return lines


def script(lines):
    return "\n".join(["import random_programs  # tests/python", 'random_programs.replay("""', *lines, '""")'])


# ---- the command -----------------------------------------------------------------------------------------------------

def work(o):
    """Runs programs in this process. The seed is told before each, the difference after the last."""
    first, end = (int(n or 0) for n in o.seeds.split(":"))
    seed, operations, failures, start = first, 0, 0, time.monotonic()
    pool = tombac.get_default_memory_pool()
    weights = {k: 0 if k in o.without.split(",") else w for k, w in WEIGHTS.items()}
    while operations < o.operations if o.operations else seed < end:
        print(f"seed {seed}", flush=True)
        used = pool.used_bytes()
        program = Program(o.trace)
        fusion = list(FUSION)[seed % 3] if o.fusion == "each" else o.fusion
        try:
            with strict():
                Generator(program, seed, fusion, weights).run()
        except Difference as e:
            sys.exit(f"DIFFERENCE: {e}")
        finally:
            program.close()
        if pool.used_bytes() != used:
            sys.exit(f"{pool.used_bytes() - used} bytes of the pool are still in use once a program is over")
        seed, operations, failures = seed + 1, operations + program.operations, failures + program.failures
    print(f"{seed - first} programs, {operations} operations, {failures} of them out of memory, "
          f"{time.monotonic() - start:.0f} s", flush=True)


def spawn(arguments, environment):
    return subprocess.Popen([sys.executable, "-u", __file__, "--worker", *arguments], text=True,
                            env={**os.environ, **environment}, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)


def watch(arguments, seconds=150, **environment):
    """Has a process of its own run programs, each for so long at most. None, or what went wrong, with a program that
    shows it."""
    worker, seed, said = spawn(arguments, environment), None, []
    killer = None
    for text in worker.stdout:
        if killer:
            killer.cancel()
        if text.startswith("seed "):
            seed, said = int(text.split()[1]), []
        else:
            said.append(text.rstrip())
        killer = threading.Timer(seconds, worker.kill)
        killer.start()
    if killer:
        killer.cancel()
    if worker.wait() == 0:
        print(*said, sep="\n")
        return None
    report = [f"seed {seed}, exit code {worker.returncode}", *said[-20:]]
    with tempfile.NamedTemporaryFile("r", suffix=".txt") as f:
        again = [*arguments, "--seeds", f"{seed}:{seed + 1}", "--operations", "0", "--trace", f.name]
        spawn(again, environment).communicate()
        lines = f.read().splitlines()
    return "\n".join([*report, script(shrink(lines) if fails(lines) else lines)])


def main():
    parser = argparse.ArgumentParser(description="Random programs in NumPy and tombac.")
    parser.add_argument("--seeds", default="0:100", help="first:end, or first: with --operations")
    parser.add_argument("--operations", type=int, help="from the first seed on, until so many are done")
    parser.add_argument("--fusion", choices=["off", "on", "all", "each"], default="each", help="each: one by one")
    parser.add_argument("--without", default="user_kernel", help="kinds of lines that are left out (WEIGHTS)")
    parser.add_argument("--replay", metavar="FILE", help="run the lines of a file")
    parser.add_argument("--shrink", metavar="FILE", help="look for a shorter program that fails like that file's")
    parser.add_argument("--trace", metavar="FILE", help="write each line there before it is run")
    parser.add_argument("--worker", action="store_true", help="run the programs in this very process")
    o = parser.parse_args()
    warnings.simplefilter("ignore")
    if o.replay:
        replay(open(o.replay).read())
    elif o.shrink:
        print(script(shrink(open(o.shrink).read().splitlines(), 3600)))
    elif o.worker:
        work(o)
    else:
        sys.exit(watch(sys.argv[1:]))


if __name__ == "__main__":
    main()
