"""The libraries that are compared, each behind the same small interface, so that there is one table of workloads.

A peer has `xp`, a namespace with NumPy's names; `array`, which brings a NumPy array to it; `finish`, which makes it
enqueue a result that it may have deferred; and `synchronize`, which waits for it. Where a library has another idiom
for a workload, or none, `instead` names what to run (None: the workload is left out). `compiled` gives the workloads
that the library's compiler is measured on, under a name of its own (torch.compile, jax.jit).

Libraries are imported when a peer is made; `installed` says which can be.
"""

import importlib
import importlib.util
import os
import sys
import time

import numpy as np

# Who is measured, in the order of the tables; torch_compile and jax_jit come out of their library's process.
LIBRARIES = {"numpy": "numpy", "numexpr": "numexpr", "torch": "torch", "jax": "jax", "cupy": "cupy", "tombac": "tombac"}
# The packages that stand beside a library as SciPy beside NumPy.
BESIDE = {"numpy": "scipy", "cupy": "cupyx.scipy", "tombac": "tombacx.scipy"}
TITLES = {"numpy": "NumPy", "numexpr": "numexpr", "torch": "PyTorch", "torch_compile": "torch.compile", "jax": "JAX",
          "jax_jit": "jax.jit", "cupy": "CuPy", "tombac": "tombac"}


def installed(names):
    return [name for name in names if name in LIBRARIES and importlib.util.find_spec(LIBRARIES[name])]


def make(name):
    return {"numexpr": NumExpr, "torch": Torch, "jax": Jax}.get(name, NumPyLike)(name)


class NumPyLike:
    """NumPy, CuPy and tombac: the workloads as they stand."""

    compiled_name = None
    has_views = True

    def __init__(self, name):
        self.name = name
        start = time.perf_counter()
        self.xp = importlib.import_module(LIBRARIES[name])
        self.import_seconds = time.perf_counter() - start
        self.version = self.xp.__version__
        self.start()

    def start(self):
        """What is left to set up after the import."""
        self.device = self.xp.cuda.Device() if hasattr(self.xp, "cuda") else None
        self.wait_for_compiler = getattr(getattr(self.xp, "config", None), "compile_wait", lambda: None)

    def full_version(self):
        scipy = sys.modules.get("scipy") if self.name == "numpy" else None
        return f"{self.version} with SciPy {scipy.__version__}" if scipy else self.version

    def beside(self, module):
        """SciPy's module of that name, or what the library has in its place."""
        return importlib.import_module(f"{BESIDE[self.name]}.{module}")

    def array(self, host):
        return self.xp.array(host)

    def copied(self, x):
        return x.copy()

    def contiguous(self, x):
        return self.xp.ascontiguousarray(x)

    def permuted(self, x, axes):
        return x.transpose(axes)

    def has_address(self, result):
        return hasattr(getattr(result, "data", None), "ptr")

    def finish(self, result):
        for array in result if isinstance(result, tuple) else (result,):
            if self.has_address(array):
                array.data
        return result

    def synchronize(self, result=None):
        if self.device is not None:
            self.device.synchronize()

    def wait_for_compiler(self):
        """Until nothing is being compiled in the background."""

    def instead(self, group, d):
        return {}

    def compiled(self, group, d):
        return {}


class Namespace:
    """A module, with some of its names replaced; a name is looked up once."""

    def __init__(self, module, **replaced):
        self.__dict__.update(replaced)
        self._module = module

    def __getattr__(self, name):
        value = getattr(self._module, name)
        setattr(self, name, value)
        return value


class Torch(NumPyLike):
    """PyTorch, eager, on the GPU if there is one."""

    compiled_name = "torch_compile"

    def start(self):
        import functools

        torch = self.torch = self.xp
        self.cuda = torch.cuda.is_available()
        self.place = "cuda" if self.cuda else "cpu"
        types = {"float32": torch.float32, "float64": torch.float64}

        def made(function):
            return lambda shape, dtype="float32": function(shape, dtype=types[dtype], device=self.place)

        def arange(n, dtype=None):
            return torch.arange(n, dtype=types.get(dtype), device=self.place)

        self.xp = Namespace(
            torch,
            empty=made(torch.empty),
            zeros=made(torch.zeros),
            ones=made(torch.ones),
            arange=arange,
            linspace=functools.partial(torch.linspace, device=self.place),
            array=functools.partial(torch.tensor, device=self.place),
        )

    def array(self, host):
        return self.torch.from_numpy(np.ascontiguousarray(host).copy()).to(self.place)

    def copied(self, x):
        return x.clone()

    def contiguous(self, x):
        return x.contiguous()

    def permuted(self, x, axes):
        return x.permute(axes)

    def has_address(self, result):
        return False

    def synchronize(self, result=None):
        if self.cuda:
            self.torch.cuda.synchronize()

    def softplus(self, x):
        torch = self.torch
        return torch.clamp(x, min=0) + torch.log1p(torch.exp(-abs(x)))

    def chain3(self, x):
        return self.torch.tanh(self.torch.sin(x) + 0.1 * x)

    def gelu(self, x):
        return 0.5 * x * (1 + self.torch.tanh(0.79788456 * (x + 0.044715 * x * x * x)))

    def instead(self, group, d):
        torch, place = self.torch, self.place
        if group.startswith("host"):
            size = len(d.x)
            return {
                "softplus": lambda: self.softplus(d.x),
                "std": lambda: d.x.std(correction=0),
                "cumsum": lambda: torch.cumsum(d.x, 0),
                "astype": lambda: d.x.to(torch.float64),
                "copy": lambda: d.x.clone(),
                "array": lambda: torch.tensor(d.host, device=place),
                "random": lambda: torch.rand(size, dtype=torch.float64, device=place),
            }
        if group == "big":
            n = len(d.x)
            return {
                "softplus": lambda: self.softplus(d.x),
                "copy": lambda: d.x.clone(),
                "astype_f64": lambda: d.x.to(torch.float64),
                "flip": lambda: torch.flip(d.x, (0,)),
                "transpose_copy": lambda: d.rows.T.contiguous(),
                "var": lambda: d.x.var(correction=0),
                "softmax": lambda: torch.softmax(d.rows, 1),
                "cumsum": lambda: torch.cumsum(d.x, 0),
                "random_uniform": lambda: torch.rand(n, dtype=torch.float64, device=place),
                "random_normal": lambda: torch.randn(n, dtype=torch.float64, device=place),
                "random_compare": lambda: torch.rand(n, device=place) < 0.3,
                "rng_uniform_f32": lambda: torch.rand(n, device=place),
                "rng_normal_f32": lambda: torch.randn(n, device=place),
                "host_to_device": lambda: torch.tensor(d.host, device=place),
                "device_to_host": lambda: d.x.cpu() if self.cuda else d.x.clone(),
            }
        if group == "types":
            return {
                "copy": lambda: d.x.clone(),
                "flip": lambda: torch.flip(d.x, (0,)),
                "transpose_copy": lambda: d.rows.T.contiguous(),
                "cumsum": lambda: torch.cumsum(d.x, 0),
            }
        return {}

    def compiled(self, group, d):
        chains = {"softplus": self.softplus, "chain3": self.chain3, "gelu": self.gelu}
        if group not in ("host", "big"):
            return {}
        calls = {name: self.torch.compile(function, dynamic=False) for name, function in chains.items()}
        return {name: lambda call=call: call(d.x) for name, call in calls.items()}


class Jax(NumPyLike):
    """JAX, operation by operation; without writes and views, so that some workloads have no counterpart."""

    compiled_name = "jax_jit"
    has_views = False

    def start(self):
        import jax

        self.jax = jax
        jax.config.update("jax_enable_x64", True)
        jax.config.update("jax_default_matmul_precision", "highest")  # float32, as the others, not TF32
        self.key = jax.random.key(0)
        numpy = importlib.import_module("jax.numpy")
        self.xp = Namespace(numpy, ascontiguousarray=lambda x: x)

    def has_address(self, result):
        return False

    def synchronize(self, result=None):
        if result is not None:
            self.jax.block_until_ready(result)

    def instead(self, group, d):
        random, key, jnp = self.jax.random, self.key, self.xp
        if group.startswith("host"):
            size = len(d.x)
            return {
                "iadd": None,
                "setitem": lambda: d.x.at[0:10].set(1.0),
                "random": lambda: random.uniform(key, (size,), "float64"),
            }
        if group == "big":
            n = len(d.x)
            return {
                "random_uniform": lambda: random.uniform(key, (n,), "float64"),
                "random_normal": lambda: random.normal(key, (n,), "float64"),
                "random_compare": lambda: random.uniform(key, (n,), "float32") < 0.3,
                "rng_uniform_f32": lambda: random.uniform(key, (n,), "float32"),
                "rng_normal_f32": lambda: random.normal(key, (n,), "float32"),
                "device_to_host": None,  # kept by the array after the first time
            }
        return {}

    def compiled(self, group, d):
        from workloads import CHAINS

        if group not in ("host", "big"):
            return {}
        calls = {name: self.jax.jit(lambda x, f=f: f(self.xp, x)) for name, f in CHAINS.items()}
        return {name: lambda call=call: call(d.x) for name, call in calls.items()}


class NumExpr(NumPyLike):
    """numexpr: elementwise expressions as text; nothing else. Constants are float32, so that it computes in it."""

    CONSTANTS = {"tenth": 0.1, "half": 0.5, "root": 0.79788456, "cubic": 0.044715, "zero": 0, "one": 1, "steep": 1.702,
                 "drift": 0.065, "volatility": 0.3, "discount": 0.98019867}
    D1 = "((log(spot / strike) + drift) / volatility)"
    CHAINS = {
        "add": "x + y",
        "add_scalar": "x + one",
        "sin": "sin(x)",
        "chain3": "tanh(sin(x) + tenth * x)",
        "softplus": "where(x > zero, x, zero) + log1p(exp(-abs(x)))",
        "gelu": "half * x * (one + tanh(root * (x + cubic * x * x * x)))",
        "where": "where(mask, x, y)",
        "black_scholes": f"spot * (one / (one + exp(-steep * {D1}))) - strike * discount * "
        f"(one / (one + exp(-steep * ({D1} - volatility))))",
        "abs2sum": "sum(abs(volume) ** 2)",
    }

    def start(self):
        self.evaluate = self.xp.evaluate
        self.xp = Namespace(np)
        self.device = None
        self.numbers = {name: np.float32(value) for name, value in self.CONSTANTS.items()}

    def instead(self, group, d):
        if group not in ("host", "host8", "big"):
            return {}
        names = {**vars(d), **self.numbers}
        return {
            name: lambda text=text: self.evaluate(text, local_dict=names, global_dict={})
            for name, text in self.CHAINS.items()
            if group == "big" or name in ("add", "add_scalar", "sin", "chain3", "softplus")
        }


def keep_jax_from_taking_all_memory():
    os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")
