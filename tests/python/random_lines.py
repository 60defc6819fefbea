"""The lines of random programs (random_programs.py), each made from what NumPy's world holds by then.

Numbers are kept so that every operation is exact or correctly rounded: what depends on the order of additions takes
whole numbers of up to 16 alone, and `tame` makes them of others."""
import random

import numpy as np

import tombac

DTYPES = ["bool", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64", "float16", "float32",
          "float64", "complex64", "complex128"]
COMMON = ["float64", "float32", "int32", "int64", "bool"]
SHAPES = [[(4, 6)], [(40, 60), (60,), (40, 1)], [(3, 4, 5), (4, 5), (3, 1, 5)], [(64,)], [(5000,)], [(7,), (), (1,)],
          [(3000, 2), (2,)], [(4, 6), (0, 6), (6,)], [(90, 70), (70,)]]
MOST = 20000  # elements of an array
FUSION = {"off": False, "on": True, "all": "all"}


ARITHMETIC = ["add", "subtract", "multiply", "maximum", "minimum"]
BITS = ["bitwise_and", "bitwise_or", "bitwise_xor"]
COMPARISONS = ["<", "<=", "==", "!=", ">", ">="]
UNARY = ["negative", "absolute", "square", "sqrt", "floor", "rint", "sign", "logical_not", "invert", "positive",
         "conjugate", "isfinite", "reciprocal"]


def tame(x, most=16):
    """Whether sums of some hundred of x's elements are exact in any order."""
    if x.dtype.kind not in "fc" or x.size == 0:
        return True
    if x.dtype.kind == "c":
        return tame(x.real, most) and tame(x.imag, most)
    return bool(np.isfinite(x).all() and (np.abs(x) <= most).all() and (x == np.rint(x)).all())


def castable(x, dtype):
    """Whether every machine agrees on x's elements in that dtype."""
    dtype, kind = np.dtype(dtype), x.dtype.kind
    if kind == "b" or dtype == x.dtype or x.size == 0:
        return True
    if kind == "c" and dtype.kind != "c":
        return False
    if dtype == np.float16:
        return tame(x, 2048) if kind in "fc" else bool(x.max() <= 2048 and x.min() >= -2048)
    if kind in "fc" and dtype.kind in "iu":
        return tame(x, 100) and (dtype.kind == "i" or bool((x >= 0).all()))
    return True


class Generator:
    """Makes a program's lines, from what NumPy's world holds."""

    def __init__(self, program, seed, fusion, weights):
        self.rng = random.Random(f"{seed} {fusion}")
        self.program = program
        self.count = 0
        self.live, self.windows = [], []
        self.most_live = self.rng.choice([6, 16, 64])
        self.shapes = self.rng.choice(SHAPES)
        self.step(f"fusion({FUSION[fusion]!r})")
        if self.rng.random() < 0.15:
            self.step("pool(False)")
        for _ in range(self.rng.randint(1, 4)):
            self.fresh()
        self.kinds = [k for k, weight in weights.items() for _ in range(weight)]

    # Each of these is one line or a few.

    def step(self, line):
        return self.program.step(line)

    def of(self, name):
        return self.program.host[name]

    def pick(self, suits=lambda x: True, tries=6):
        for _ in range(tries):
            name = self.rng.choice(self.live)
            if suits(self.of(name)):
                return name
        return None

    def written(self):
        return self.pick(lambda x: x.flags.writeable)

    def partner(self, p, into=False):
        """Something to combine p with: an array whose shape suits, or a number. into: the result is to fit p."""
        shape = self.of(p).shape
        for _ in range(5):
            q = self.rng.choice(self.live)
            try:
                both = np.broadcast_shapes(shape, self.of(q).shape)
            except ValueError:
                continue
            if both == shape or (not into and np.prod(both) <= MOST):
                return q
        return p if self.rng.random() < 0.3 else self.number(p)

    def number(self, p):
        kind = self.of(p).dtype.kind
        if kind == "u" or kind == "b":
            return str(self.rng.randint(0, 5))
        if kind in "fc" and self.rng.random() < 0.3:
            return self.rng.choice(["0.5", "1.5", "-0.25", "2.0"])
        return str(self.rng.randint(-4, 5))

    def name(self):
        """What the next result is called: something new, or something old, which goes."""
        if self.live and self.rng.random() < 0.3:
            return self.rng.choice(self.live)
        self.count += 1
        return f"a{self.count}"

    def make(self, expression, name=None):
        name = name or self.name()
        if not self.step(f"{name} = {expression}"):
            return None
        if name not in self.live:
            self.live.append(name)
        x = self.of(name)
        if x.size > MOST or x.ndim > 5:
            self.drop(name)
        elif self.is_wild(x):
            self.step(f"{name} = tame({name})")
        return name

    def is_wild(self, x):
        if x.dtype.kind not in "fc" or x.size == 0:
            return False
        if not np.isfinite(x).all() or np.abs(x).max() > 500:
            return True
        return self.rng.random() < 0.5 and not tame(x)

    def change(self, line, p):
        """A line that writes to p, whose numbers are then kept in bounds through p itself."""
        if self.step(line) and self.is_wild(self.of(p)):
            self.step(f"{p}[...] = tame({p})")

    def drop(self, name):
        if len(self.live) > 1:
            self.live.remove(name)
            self.step(f"del {name}")

    def seed(self):
        return self.rng.randrange(1 << 30)

    def fresh(self):
        dtype = self.rng.choice(COMMON if self.rng.random() < 0.6 else DTYPES)
        order = "" if self.rng.random() < 0.8 else ", 'F'"
        self.make(f"fresh({self.seed()}, {self.rng.choice(self.shapes)}, '{dtype}'{order})")

    def key(self, shape):
        parts = []
        for n in shape[:self.rng.randint(0, len(shape))]:
            kind = self.rng.randrange(6)
            if kind == 0 and n > 0:
                parts.append(str(self.rng.randrange(-n, n)))
            elif kind == 1:
                parts.append("::-1")
            elif kind == 2 and n > 1:
                parts.append(f"{self.rng.randrange(n // 2 + 1)}::{self.rng.choice([1, 2, 3])}")
            elif kind == 3 and n > 1:
                parts.append(f"{self.rng.randrange(n)}:{self.rng.randrange(-1, n + 1)}:{self.rng.choice([1, 1, -1])}")
            elif kind == 4:
                parts.append("None")
            else:
                parts.append(":")
        return ", ".join([*parts, "..."])

    def view(self):
        p = self.pick()
        x = self.of(p)
        kind = self.rng.randrange(10)
        if kind == 0:
            self.make(f"{p}.T")
        elif kind == 1 and x.ndim > 1:
            self.make(f"xp.moveaxis({p}, {self.rng.randrange(x.ndim)}, {self.rng.randrange(x.ndim)})")
        elif kind == 2:
            self.make(f"{p}.{self.rng.choice(['reshape(-1)', 'ravel()', 'squeeze()', 'reshape(-1, 2)'])}")
        elif kind == 3 and x.size * 3 <= MOST:
            self.make(f"xp.broadcast_to({p}, {(3, *x.shape)})")
        elif kind == 4 and x.dtype.kind == "c":
            self.make(f"{p}.{self.rng.choice(['real', 'imag'])}")
        elif kind == 5 and x.dtype.kind in "iu":
            other = ("u" if x.dtype.kind == "i" else "") + f"int{8 * x.itemsize}"
            self.make(f"{p}.view('{other}')")
        elif kind == 6 and x.ndim == 1 and 1 < x.size <= MOST // 2:
            self.make(f"pairs({p})")
        elif kind == 7 and x.ndim == 2:
            self.make(f"{p}.diagonal()")
        else:
            self.make(f"{p}[{self.key(x.shape)}]")

    def suits(self, op, *names):
        kinds = [self.of(n).dtype.kind for n in names if n in self.live]
        if "c" in kinds:
            if op in ("maximum", "minimum", "absolute", "sqrt", "sign", "reciprocal", "square", "floor"):
                return False
            if op == "multiply":
                return all(tame(self.of(n)) for n in names if n in self.live)
        if op == "reciprocal":
            return kinds == ["f"] and bool((self.of(names[0]) != 0).all())
        if op == "sqrt":
            return kinds == ["f"] and bool((self.of(names[0]) >= 0).all())
        return True

    def binary(self):
        p = self.pick()
        q, op = self.partner(p), self.rng.choice(ARITHMETIC if self.rng.random() < 0.85 else BITS)
        if self.rng.random() < 0.2:
            p, q = q, p
        if self.suits(op, p, q):
            self.make(f"xp.{op}({p}, {q})")

    def shared(self):
        """A sub-expression that several results need."""
        p = self.pick(lambda x: x.dtype.kind != "c")
        if not p:
            return
        first = self.make(f"{p} * {self.number(p)} + 1")
        for _ in range(self.rng.randint(1, 4)):
            if first in self.live:
                self.make(f"xp.maximum({first}, {self.partner(first)}) - {first}")

    def chain(self):
        """Every step of a chain stays alive."""
        p = self.pick(lambda x: x.dtype.kind in "iuf")
        for _ in range(self.rng.randint(2, 16) if p else 0):
            self.count += 1
            p = self.make(f"xp.remainder({p} * 3 + 1, 16)", f"a{self.count}")
            if p not in self.live:
                break

    def filled(self):
        """Arrays of one number, some at once."""
        p = self.pick()
        for _ in range(self.rng.choice([1, 1, 2, 30])):
            call = self.rng.choice(["zeros_like({})", "ones_like({})", f"full_like({{}}, {self.rng.randint(0, 4)})"])
            self.make("xp." + call.format(p))
            if p not in self.live:
                break

    def many(self):
        """An expression over whatever has the shape of p, from either side."""
        p = self.pick(lambda x: x.dtype.kind in "iuf")
        if not p:
            return
        names = [n for n in self.live if self.of(n).shape == self.of(p).shape and self.of(n).dtype.kind != "c"]
        total, right = p, self.rng.random() < 0.3
        for n in names:
            total = f"({n} + {total})" if right else f"({total} + {n})"
        self.make(total)

    def constant(self):
        p = self.pick()
        kind = self.of(p).dtype.kind
        if kind in "iu":
            self.make(f"{p} {self.rng.choice(['//', '%', '<<', '>>'])} {self.rng.randint(1, 5)}")
        elif kind == "f":
            self.make(f"{p} {self.rng.choice(['/', '//', '%', '*'])} {self.rng.choice(['2', '3', '0.5', '7'])}")
        elif kind == "b":
            self.make(f"{self.number(p)} + {p}")

    def unary(self):
        p, op = self.pick(), self.rng.choice(UNARY)
        if self.suits(op, p):
            self.make(f"xp.{op}({p})")

    def comparison(self):
        p = self.pick(lambda x: x.dtype.kind != "c")
        if p:
            q = self.partner(p)
            if self.suits("maximum", p, q):
                self.make(f"{p} {self.rng.choice(COMPARISONS)} {q}")

    def where(self):
        p = self.pick(lambda x: x.dtype.kind != "c")
        if p:
            self.make(f"xp.where({p} {self.rng.choice(COMPARISONS)} {self.number(p)}, {p}, {self.partner(p)})")

    def clip(self):
        p = self.pick(lambda x: x.dtype.kind in "iuf")
        if p:
            self.make(f"xp.clip({p}, 1, {self.rng.randint(2, 9)})")

    def in_place(self):
        p = self.written()
        if not p:
            return
        q, op = self.partner(p, into=True), self.rng.choice(["+", "-", "*", "+", "-", "&", "|", "^"])
        if self.suits("multiply", p, q):
            self.change(f"{p} {op}= {q}", p)

    def assign(self):
        p = self.written()
        if not p:
            return
        key = self.key(self.of(p).shape)
        kind = self.rng.randrange(4)
        if kind == 0:
            self.step(f"{p}[{key}] = {self.number(p)}")
        elif kind == 1:
            self.change(f"{p}[{key}] {self.rng.choice('+-')}= {self.number(p)}", p)
        elif kind == 2 and self.of(p).ndim and self.of(p).shape[0] > 1:
            self.step(f"{p}[1:] = {p}[:-1]" if self.rng.random() < 0.5 else f"{p}[...] = {p}[::-1]")
        else:
            q = self.partner(p, into=True)
            if q not in self.live or castable(self.of(q), self.of(p).dtype):
                self.step(f"{p}[...] = {q}")

    def out(self):
        p, r = self.pick(), self.written()
        if not r:
            return
        q, op = self.partner(p), self.rng.choice(["add", "subtract", "multiply"])
        both = self.of(p).shape if q not in self.live else np.broadcast_shapes(self.of(p).shape, self.of(q).shape)
        if both != self.of(r).shape or not self.suits(op, p, q):
            return
        mask = self.pick(lambda x: x.dtype.kind == "b" and x.shape == both, 3)
        self.change(f"xp.{op}({p}, {q}, out={r}" + (f", where={mask})" if mask else ")"), r)

    def reduction(self, how=None):
        p = self.pick()
        x = self.of(p)
        if x.dtype.kind == "c":
            op = "sum" if self.rng.random() < 0.7 else "any"
        else:
            op = self.rng.choice(["sum", "max", "min", "argmax", "argmin", "any", "all", "mean", "prod", "ptp",
                                  "count_nonzero"])
        if not (tame(x) if op != "prod" else x.dtype.kind in "iub") or (op == "ptp" and x.dtype.kind == "b"):
            return
        if x.dtype == np.float16 and 2 * np.abs(x, dtype=np.float32).sum() + x.size > 2000:
            return
        if op == "mean" and x.size and x.dtype.kind in "iu" and (x.max() > 10**6 or x.min() < -10**6):
            return
        axis = f"axis={self.rng.randrange(-x.ndim, x.ndim)}" if x.ndim and self.rng.random() < 0.6 else ""
        kept = ", keepdims=True" if axis and self.rng.random() < 0.3 else ""
        source = p
        if self.rng.random() < 0.4 and self.suits("multiply", p) and x.dtype.kind != "b":
            negative = [] if op == "mean" and x.dtype.kind == "u" else [f"(-{p})"]  # whose sum is rounded
            source = self.rng.choice([f"{p} + 1", f"{p} * 2", *negative])
        call = f"xp.{op}({source}{', ' if axis else ''}{axis}{kept})"
        if axis or self.rng.random() < 0.5:
            self.make(call)
        else:
            self.step(f"seen = {call}.item()")

    def scan(self):
        p = self.pick(tame)
        if p and self.of(p).dtype.kind != "c":
            x = self.of(p)
            axis = f", axis={self.rng.randrange(x.ndim)}" if x.ndim else ""
            op = "cumprod" if x.dtype.kind in "iu" and self.rng.random() < 0.3 else "cumsum"
            if x.dtype != np.float16 or x.size < 100:
                self.make(f"xp.{op}({p}{axis})")

    def indices(self, n):
        """Integers that name one of n elements: numbers, or an expression of some array."""
        q = self.pick(lambda x: x.dtype.kind in "iu" and x.ndim and x.size <= 3000, 2)
        if q and n < 100 and self.rng.random() < 0.4:
            return f"{q} % {n}"
        shape = self.rng.choice(["5", "(2, 3)", str(min(n, 300)), "0"])
        return f"index({self.seed()}, {n}, {shape})"

    def gather(self):
        p = self.pick(lambda x: x.ndim and x.shape[0] and x[0].size <= 100)
        if p:
            n = self.of(p).shape[0]
            key = f"{p}[{self.indices(n)}]" if self.rng.random() < 0.6 else f"xp.take({p}, {self.indices(n)}, axis=0)"
            self.make(key)

    def scatter(self):
        p = self.written()
        if not p or not self.of(p).ndim or not self.of(p).shape[0]:
            return
        n, kind = self.of(p).shape[0], self.rng.randrange(3)
        if kind == 0:
            self.step(f"{p}[{self.indices(n)}] = {self.number(p)}")
        elif kind == 1:
            # Of several elements for one place the last stays on the CPU, any of them on a GPU.
            places = "index" if tombac.config.backend() == "cpu" else "places"
            k = f"index({self.seed()}, {n}, {7 if places == 'index' else min(n, 7)})"
            i = f"{places}({self.seed()}, {n}, 7)"
            self.step(f"{p}[{i}] = {p}[{k}]")
        elif self.of(p).dtype.kind in "if":
            self.change(f"xp.add.at({p}, {self.indices(n)}, {self.number(p)})", p)

    def mask(self):
        p = self.written()
        if not p or self.of(p).dtype.kind == "c":
            return
        test = f"{p} {self.rng.choice(COMPARISONS)} {self.number(p)}"
        kind = self.rng.randrange(4)
        if kind == 0:
            self.make(f"{p}[{test}]")
        elif kind == 1:
            self.step(f"{p}[{test}] = {self.number(p)}")
        elif kind == 2:
            self.change(f"{p}[{test}] += {self.number(p)}", p)
        elif self.of(p).ndim:
            self.make(f"xp.nonzero({test})[0]")

    def cast(self):
        p, dtype = self.pick(), self.rng.choice(DTYPES)
        if castable(self.of(p), dtype):
            self.make(f"{p}.astype('{dtype}')")

    def record(self):
        """Elements moved as bytes, or seen as the only field of records."""
        p = self.written() if self.rng.random() < 0.3 else self.pick(lambda x: x.ndim and x.shape[0])
        if not p or not self.of(p).ndim or not self.of(p).shape[0]:
            return
        x, kind = self.of(p), self.rng.randrange(4)
        seen = f"{p}.view('V{x.itemsize}')"
        if kind == 0:
            self.change(f"{seen}[...] = {seen}[::-1]", p)
        elif kind == 1:
            self.make(f"{p}.view([('f', '{x.dtype}')])['f']")
        elif kind == 2:
            self.make(f"{seen}[{self.indices(x.shape[0])}].view('{x.dtype}')")
        else:
            self.make(f"{seen}.copy().view('{x.dtype}')")

    def arrange(self):
        p = self.pick(lambda x: x.ndim and x.size * 2 <= MOST)
        if not p:
            return
        x, kind = self.of(p), self.rng.randrange(6)
        axis = self.rng.randrange(x.ndim)
        if kind == 0:
            q = self.pick(lambda y: y.shape == x.shape) or p
            self.make(f"xp.{self.rng.choice(['concatenate', 'stack'])}([{p}, {q}], axis={axis})")
        elif kind == 1:
            self.make(f"xp.roll({p}, {self.rng.randint(-3, 3)}, axis={axis})")
        elif kind == 2:
            self.make(f"xp.flip({p}, axis={axis})")
        elif kind == 3:
            self.make(f"xp.repeat({p}, 2, axis={axis})")
        elif kind == 4:
            self.make(f"{p}.copy({self.rng.choice(['', repr('F')])})")
        else:
            self.make(f"xp.asfortranarray({p})")

    def product(self):
        p = self.pick(lambda x: x.ndim == 2 and x.dtype != np.float16 and max(x.shape) <= 100 and tame(x))
        if p:
            self.make(f"{p} @ {p}.T" if self.rng.random() < 0.5 else f"{p}.T @ {p}")

    def alias(self):
        self.make(self.pick())

    def read(self):
        names = self.rng.sample(self.live, self.rng.randint(1, min(4, len(self.live))))
        self.step(f"seen = read({', '.join(names)})")

    def read_all(self):
        names = self.live + self.windows
        self.rng.shuffle(names)
        self.step(f"seen = read({', '.join(names)})")

    def number_of(self):
        p = self.pick(lambda x: x.size)
        if p:
            self.step(f"seen = {p}[{', '.join(str(self.rng.randrange(n)) for n in self.of(p).shape) or '...'}].item()")

    def pointer(self, how="pointer"):
        p = self.pick(lambda x: x.flags.writeable and x.size)
        if not p or tombac.config.backend() != "cpu":
            return
        self.count += 1
        name = f"w{self.count}"
        if self.step(f"{name} = window({p}, '{how}')"):
            self.windows.append(name)

    def capsule(self):
        self.pointer("dlpack")

    def foreign_write(self):
        if not self.windows:
            return
        w = self.rng.choice(self.windows)
        if self.rng.random() < 0.2:
            self.windows.remove(w)
            self.step(f"del {w}")
        elif self.rng.random() < 0.3:
            self.step(f"seen = read({w})")
        else:
            self.step(f"{w}[{self.key(self.of(w).shape)}] = {self.number(w)}")

    def user_kernel(self):
        p = self.pick(lambda x: x.dtype == np.float64 and x.size > 1 and tame(x))
        q = p and self.pick(lambda x: x.dtype == np.float64 and x.shape == self.of(p).shape and tame(x))
        if p:
            self.make(f"kernel({p}, {q or p})")

    def memory(self):
        self.step("limit(0)" if self.program.short else f"limit({self.rng.choice([1, 1, 1, 50000, 300000])})")

    def setting(self):
        kind = self.rng.randrange(4)
        if kind == 0:
            self.step(f"fusion({self.rng.choice(list(FUSION.values()))!r})")
        elif kind == 1:
            self.step(f"stream({self.rng.randrange(3)})")
        else:
            self.step("sync()")

    def delete(self):
        self.drop(self.rng.choice(self.live))

    def run(self):
        for _ in range(self.rng.choice([50, 150, 150, 400])):
            getattr(self, self.rng.choice(self.kinds))()
            while len(self.live) > self.most_live:
                self.delete()
        if self.program.short:
            self.step("limit(0)")
        self.read_all()


WEIGHTS = {
    "fresh": 4, "view": 10, "binary": 14, "shared": 2, "chain": 1, "constant": 6, "filled": 3, "many": 3, "unary": 6,
    "comparison": 3, "where": 4, "clip": 1, "in_place": 12, "assign": 10, "out": 5, "reduction": 8, "scan": 3,
    "gather": 4, "scatter": 4, "mask": 4, "cast": 5, "record": 3, "arrange": 4, "product": 2, "alias": 1, "read": 6,
    "read_all": 2, "number_of": 4, "delete": 3, "pointer": 1, "capsule": 1, "foreign_write": 2, "user_kernel": 1,
    "memory": 5, "setting": 3,
}
