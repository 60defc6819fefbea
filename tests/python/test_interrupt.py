"""Ctrl-C: what never ends, or takes long, ends with KeyboardInterrupt, and the library goes on as if it had not been.

Each form is a program of its own, which sends itself a signal while it is stuck, and computes afterwards."""

import functools
import os
import signal
import subprocess
import sys

import pytest

from tombac import config

pytestmark = pytest.mark.skipif(config.backend() != "cpu", reason="the kernels of a GPU cannot be ended")

LONGEST = 120  # seconds for a program, on a machine that has much else to do

BEGIN = r"""
import os, signal, threading, time
import numpy as np
import tombac as tb
from tombacx import jit

signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell that runs the tests in the background ignores it

endless = r'''
extern "C" __global__ void spin(volatile int *go) { while (*go) {} }
extern "C" __global__ void barriers(volatile int *go) { while (*go) __syncthreads(); }
extern "C" __global__ void warps(volatile int *go) { while (*go) __shfl_xor_sync(~0u, (int)threadIdx.x, 1); }
extern "C" __global__ void prints(volatile int *go) { while (*go) printf(""); }
extern "C" __global__ void math(volatile int *go, double *x) { while (*go) x[0] = pow(sin(x[0]), 1.5); }
extern "C" __global__ void one_block(volatile int *go) { while (*go && blockIdx.x == 5) {} }
extern "C" __global__ void many_blocks(volatile int *go)
{
    for (long i = 0; *go && i < 100000; i++) {}
}
extern "C" __global__ void allocates(volatile int *go)
{
    while (*go) { volatile char *p = (volatile char *)malloc(100); if (p) { p[0] = 1; free((void *)p); } }
}
'''
module = tb.RawModule(code=endless)
go, stay = tb.ones(1, "i"), tb.zeros(1, "i")

def kernel(name, *more):
    k = module.get_function(name)
    k((8,), (64,), (stay, *more))
    return k

def interrupt(after=0.3):
    def send():
        time.sleep(after)
        sent.append(time.time())
        os.kill(os.getpid(), signal.SIGINT)
    threading.Thread(target=send, daemon=True).start()

sent = []
HANGS = 10 # seconds after which nobody would believe that it ends

def check():
    x = tb.arange(100000, dtype="d")
    twice = tb.RawKernel('extern "C" __global__ void twice(double *x) { x[blockIdx.x * 100 + threadIdx.x] *= 2; }',
                         'twice')
    twice((1000,), (100,), (x,))
    np.testing.assert_array_equal(x.get(), np.arange(100000.) * 2)
    shared = tb.RawKernel('''extern "C" __global__ void turn(int *x)
    {
        __shared__ int s[64];
        s[threadIdx.x] = x[threadIdx.x];
        __syncthreads();
        x[threadIdx.x] = s[63 - threadIdx.x];
    }''', 'turn')
    y = tb.arange(64, dtype="i")
    shared((1,), (64,), (y,))
    np.testing.assert_array_equal(y.get(), np.arange(64)[::-1])
    add = tb.ElementwiseKernel("T x, T y", "T z", "z = x + y", "add")
    np.testing.assert_array_equal(add(x, x).get(), np.arange(100000.) * 4)
    total = tb.ReductionKernel("T x", "T y", "x", "a + b", "y = a", "0", "total")
    assert float(total(x)) == float(np.arange(100000.).sum() * 2)
    with tb.cuda.Stream(non_blocking=True) as s:
        z = tb.sqrt(x) + 1
        s.synchronize()
        np.testing.assert_allclose(z.get(), np.sqrt(np.arange(100000.) * 2) + 1)
    tb.cuda.Device().synchronize()

def expect(form):
    try:
        form()
    except KeyboardInterrupt:
        print("interrupted" if time.time() - sent[-1] < HANGS else "late", flush=True)
    else:
        print("went on", flush=True)
"""

END = r"""
check()
print("right", flush=True)
"""


@pytest.fixture
def run(tmp_path):
    return functools.partial(run_in, tmp_path)


def run_in(folder, program, **more):
    file = folder / "program.py"  # whose functions can be read
    file.write_text(BEGIN + program + END)
    done = subprocess.run([sys.executable, str(file)], env={**os.environ, **more}, capture_output=True, text=True,
                          timeout=LONGEST)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.split("\n")[-2] == "right", done.stdout
    return done.stdout.splitlines()[:-1]


FORMS = {
    "raw": "k = kernel('spin'); interrupt(); expect(lambda: k((1,), (1,), (go,)))",
    "many threads": "k = kernel('spin'); interrupt(); expect(lambda: k((1000,), (256,), (go,)))",
    "barriers": "k = kernel('barriers'); interrupt(); expect(lambda: k((1,), (256,), (go,)))",
    "barriers, many blocks": "k = kernel('barriers'); interrupt(); expect(lambda: k((100,), (64,), (go,)))",
    "warps": "k = kernel('warps'); interrupt(); expect(lambda: k((4,), (128,), (go,)))",
    "one block of many": "k = kernel('one_block'); interrupt(); expect(lambda: k((64,), (1024,), (go,)))",
    "many blocks": "k = kernel('many_blocks'); interrupt(); expect(lambda: k((1 << 20,), (1024,), (go,)))",
    "prints": "k = kernel('prints'); interrupt(); expect(lambda: k((2,), (32,), (go,)))",
    "math": "x = tb.ones(1); k = kernel('math', x); interrupt(); expect(lambda: k((2,), (32,), (go, x)))",
    "allocates": "k = kernel('allocates'); interrupt(); expect(lambda: k((2,), (32,), (go,)))",
    "elementwise": """
k = tb.ElementwiseKernel("T x", "T y", "volatile T v = x; while (v > 0) {} y = v", "stuck")
k(tb.zeros(5)); k(tb.zeros(100000))
interrupt(); expect(lambda: k(tb.ones(5)))
interrupt(); expect(lambda: k(tb.ones(100000)))
""",
    "reduction": """
k = tb.ReductionKernel("T x", "T y", "x", "stuck(a, b)", "y = a", "0", "sums", preamble=
    "template <class T> __device__ T stuck(T a, T b) { volatile T v = b; while (v > 0) {} return a + v; }")
k(tb.zeros(100000))
interrupt(); expect(lambda: k(tb.ones(100000)))
""",
    "jit": """
@jit.rawkernel()
def stuck(x):
    while x[0] > 0:
        jit.syncthreads()
stuck((1,), (64,), (stay,))
interrupt(); expect(lambda: stuck((1,), (64,), (go,)))
""",
    "cooperative": """
grid = tb.RawKernel(r'''
#include <cooperative_groups.h>
extern "C" __global__ void meet(volatile int *go, int mode) {
    auto g = cooperative_groups::this_grid();
    if (mode == 0) while (*go) g.sync();
    else if (blockIdx.x == 1) while (*go) {}
    g.sync();
}''', 'meet', enable_cooperative_groups=True)
for mode in 0, 1:
    grid((2,), (32,), (stay, np.int32(mode)))
    interrupt(); expect(lambda: grid((2,), (32,), (go, np.int32(mode))))
""",
    "graph": """
k = kernel('spin')
s = tb.cuda.Stream(non_blocking=True)
with s:
    s.begin_capture(); k((1,), (1,), (go,)); g = s.end_capture()
interrupt(); expect(lambda: g.launch(s))
go.fill(0); g.launch(s); s.synchronize()
""",
    "a thread's kernel keeps the lock": """
k = kernel('spin')
result = []
def launch():
    try: k((1,), (1,), (go,))
    except KeyboardInterrupt: result.append(1)
t = threading.Thread(target=launch); t.start(); time.sleep(0.2)
def waits():
    tb.ones(10) + tb.ones(10)
    for _ in range(100): pass
interrupt(); expect(waits)
t.join()
assert result == [1]
""",
    "a kernel of a queue, stream": """
k = kernel('spin'); s = tb.cuda.Stream(non_blocking=True); free = threading.Event()
s.launch_host_func(lambda _: free.wait(), None)
k((1,), (1,), (go,), stream=s); k((1,), (1,), (go,), stream=s)
free.set()
interrupt(); expect(s.synchronize)
s.synchronize()
""",
    "a kernel of a queue, device": """
k = kernel('spin'); s = tb.cuda.Stream(non_blocking=True); free = threading.Event()
s.launch_host_func(lambda _: free.wait(), None)
k((1,), (1,), (go,), stream=s)
free.set()
interrupt(); expect(tb.cuda.Device().synchronize)
""",
    "a kernel of a queue, event, behind another": """
k = kernel('barriers'); a, b = (tb.cuda.Stream(non_blocking=True) for _ in range(2)); free = threading.Event()
a.launch_host_func(lambda _: free.wait(), None)
k((1,), (64,), (go,), stream=a)
first, last = tb.cuda.Event(), tb.cuda.Event()
first.record(a); b.wait_event(first); last.record(b)
free.set()
interrupt(); expect(last.synchronize)
last.synchronize()
""",
    "a function of the host": """
s = tb.cuda.Stream(non_blocking=True); free = threading.Event()
s.launch_host_func(lambda _: free.wait(), None)
with s: x = tb.arange(10) * 3
interrupt(); expect(s.synchronize)
interrupt(); expect(tb.cuda.Device().synchronize)
interrupt(); expect(lambda: x.get(stream=s))
free.set(); s.synchronize()
np.testing.assert_array_equal(x.get(), np.arange(10) * 3)
""",
    "memcpy behind a function of the host": """
s = tb.cuda.Stream(); free = threading.Event()
s.launch_host_func(lambda _: free.wait(), None)
x = tb.arange(10) * 3
interrupt(); expect(lambda: x.get())
interrupt(); expect(lambda: float(x[3]))
free.set()
np.testing.assert_array_equal(x.get(), np.arange(10) * 3)
""",
}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("threads", ["1", "3"])
def test_ends(run, form, threads):
    lines = run(FORMS[form], TOMBAC_NUM_THREADS=threads)
    assert lines and set(lines) == {"interrupted"}


def test_what_a_handler_raises_ends_a_kernel_and_one_that_returns_does_not(run):
    program = """
seen = []
def returns(number, frame):
    seen.append(number)
    try: seen.append(float((tb.arange(3) + 1).sum()))
    except ValueError as e: seen.append(str(e))
def raises(number, frame): raise TimeoutError("too long")
k = kernel('barriers')
signal.signal(signal.SIGINT, returns); signal.signal(signal.SIGALRM, raises)
signal.setitimer(signal.ITIMER_REAL, 1.2); interrupt()
try: k((2,), (64,), (go,))
except TimeoutError as e: print(e)
assert len(seen) == 2 and seen[0] == signal.SIGINT and "signal handler" in seen[1], seen
"""
    assert run(program) == ["too long"]


def test_results_of_other_threads(run):
    program = """
k = kernel('spin')
wrong = []
def work():
    for i in range(300):
        x = tb.arange(1000) * i
        if not np.array_equal(x.get(), np.arange(1000) * i): wrong.append(i)
threads = [threading.Thread(target=work) for _ in range(2)]
for t in threads: t.start()
for _ in range(3):
    interrupt(); expect(lambda: k((4,), (32,), (go,)))
for t in threads: t.join()
assert not wrong
"""
    assert run(program) == ["interrupted"] * 3


def test_the_child_of_a_fork(run):
    program = """
k = kernel('barriers')
interrupt(); expect(lambda: k((4,), (32,), (go,)))
child = os.fork()
if child == 0:
    interrupt(); expect(lambda: k((4,), (32,), (go,)))
    check()
    os._exit(7)
assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7
interrupt(); expect(lambda: k((4,), (32,), (go,)))
"""
    assert run(program) == ["interrupted"] * 3


@pytest.mark.parametrize("daemon", ["True", "False"])
def test_a_program_ends_though_a_thread_does_not(daemon):
    """Nobody waits for the thread but the interpreter, at the program's end."""
    program = f"""
k = kernel('spin')
threading.Thread(target=lambda: k((4,), (32,), (go,)), daemon={daemon}).start()
interrupt(); time.sleep(20)
"""
    done = subprocess.run([sys.executable, "-c", BEGIN + program], capture_output=True, text=True, timeout=LONGEST)
    assert done.returncode in (130, -signal.SIGINT), done.stderr
    assert "KeyboardInterrupt" in done.stderr


def test_a_handler_of_the_programs_own_is_called_as_well(run):
    program = """
seen = []
signal.signal(signal.SIGURG, lambda *_: seen.append(1))
k = kernel('spin')
interrupt(); expect(lambda: k((4,), (32,), (go,)))
before = len(seen)
os.kill(os.getpid(), signal.SIGURG)
assert len(seen) == before + 1
"""
    assert run(program) == ["interrupted"]


def is_gone(pid):
    try:
        with open(f"/proc/{pid}/stat") as f:
            return f.read().rpartition(")")[2].split()[0] == "Z"
    except FileNotFoundError:
        return True


@pytest.mark.parametrize("receiver", ["os.kill(os.getpid(), ", "os.killpg(0, "])
def test_a_compiler(tmp_path, receiver):
    """The terminal sends its signal to all of a program's group."""
    compiler = tmp_path / "slow"
    compiler.write_text("#!/bin/sh\necho $$ > $PIDS/shell\nsleep 1000 &\necho $! > $PIDS/child\nwait\n")
    compiler.chmod(0o755)
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    begin = BEGIN.replace("module = tb.RawModule(code=endless)", "").replace("os.kill(os.getpid(), ", receiver)
    program = begin + """
k = tb.RawKernel('extern "C" __global__ void f() {}', 'f')
interrupt(0.5); expect(lambda: k((1,), (1,), ()))
def compile():
    try: k((1,), (1,), ())
    except tb.cuda.compiler.CompileException: print("killed")
t = threading.Thread(target=compile); t.start(); time.sleep(0.3)
interrupt(0.5); expect(lambda: k((1,), (1,), ()))
os.kill(int(open(os.environ["PIDS"] + "/shell").read()), signal.SIGKILL)
t.join()
print((tb.arange(5) + 1).tolist())
"""
    environment = {"TOMBAC_CXX": str(compiler), "PIDS": str(tmp_path), "TMPDIR": str(temporary),
                   "TOMBAC_CACHE_DIR": str(tmp_path / "cache")}
    done = subprocess.run([sys.executable, "-c", program], env={**os.environ, **environment}, capture_output=True,
                          text=True, timeout=LONGEST, start_new_session=True)
    assert done.stdout.splitlines() == ["interrupted", "interrupted", "killed", "[1, 2, 3, 4, 5]"], done.stderr
    assert list(temporary.iterdir()) == []
    assert is_gone(int((tmp_path / "shell").read_text()))
    os.kill(int((tmp_path / "child").read_text()), signal.SIGKILL)
