"""Random programs over sparse matrices, each line compared with SciPy's result.

    python tests/python/random_sparse.py [--lines 100000] [--seed 0]

A program keeps some matrices and vectors alive, makes new ones of them, changes them in place, and reads them. What
differs from SciPy is printed with the lines that led there, and the script ends with 1.
"""

import argparse
import sys
import warnings

import numpy as np
import scipy.sparse as ss

import tombac as tb
import tombacx.scipy.sparse as sp

CODES = "?bBhiqfdFD"
FORMATS = ("csr", "csc", "coo", "dia", "bsr", "lil", "dok")


def dense(x):
    x = x.toarray() if hasattr(x, "toarray") else x
    return np.asarray(x.get() if isinstance(x, tb.ndarray) else x)


def same(got, want):
    got, want = dense(got), dense(want)
    if got.shape != want.shape or got.dtype != want.dtype:
        return f"{got.dtype}{got.shape} in place of {want.dtype}{want.shape}"
    if want.dtype.kind == "c" and not np.isfinite(want).all():  # infinities times zero
        return None
    eps = np.finfo(want.dtype).eps if want.dtype.kind in "fc" else 0
    if not np.allclose(got, want, rtol=200 * eps, atol=200 * eps * (np.abs(want).max() if want.size else 0),
                       equal_nan=True):
        return f"{got!r}\nin place of\n{want!r}"
    return None


class Program:
    """Pairs (ours, SciPy's) by name, and the lines so far."""

    def __init__(self, seed):
        self.r = np.random.default_rng(seed)
        self.kind = str(self.r.choice(["matrix", "array"]))
        self.pairs, self.lines = [], []
        for _ in range(3):
            self.make()

    def make(self):
        m, n = self.r.integers(0, 9, 2)
        k = int(self.r.integers(0, 20)) if m * n else 0
        row, col = self.r.integers(0, max(m, 1), k), self.r.integers(0, max(n, 1), k)
        code = CODES[self.r.integers(len(CODES))]
        data = self.r.integers(0, 5, k).astype(code)
        if code in "FD":
            data = (data * (1 + 2j)).astype(code)
        host = getattr(ss, "coo_" + self.kind)((data, (row, col)), shape=(m, n)).asformat(self.r.choice(FORMATS))
        name = f"{host.format}_{self.kind}"
        self.keep(f"{name}({data!r}, {row!r}, {col!r}, {m, n})", getattr(sp, name)(host.copy()), host)

    def keep_alike(self, line, ours, theirs):
        """The same of what has to be of SciPy's class."""
        if type(ours).__name__ != type(theirs).__name__:
            raise AssertionError("\n".join([*self.lines, line, f"{type(ours)} in place of {type(theirs)}"]))
        self.keep(line, ours, theirs)

    def keep(self, line, ours, theirs):
        ours, theirs = ours.copy(), theirs.copy()  # what shares elements with what else is not the same in SciPy
        self.lines.append(f"x{len(self.pairs)} = {line}")
        self.pairs.append((ours, theirs))
        problem = same(ours, theirs)
        if problem is None and ours.nnz < np.count_nonzero(dense(theirs)):
            problem = "fewer elements than are not zero"
        if problem:
            raise AssertionError("\n".join([*self.lines, problem]))

    def read(self, line, ours, theirs):
        problem = same(ours, np.asarray(theirs))
        if problem:
            raise AssertionError("\n".join([*self.lines, line, problem]))

    def pick(self):
        i = int(self.r.integers(len(self.pairs)))
        return i, *self.pairs[i]

    def partner(self, fits, alike=False):
        found = [i for i, (a, b) in enumerate(self.pairs) if fits(b.shape) and (not alike or a.format == b.format)]
        return found[int(self.r.integers(len(found)))] if found else None

    def slice(self, n):
        start, stop = (int(x) for x in self.r.integers(-n - 1, n + 2, 2))
        return slice(start, stop, int(self.r.choice([-2, -1, 1, 1, 2])))

    def step(self):
        """SciPy may sum up what is stored twice in the matrix itself, on the way to DIA and for sums: it has copies."""
        i, a, h = self.pick()
        m, n = h.shape
        kind = int(self.r.integers(24))
        if kind >= 15 and a.format != h.format:
            return
        if kind == 0 or len(self.pairs) > 12:
            del self.pairs[: max(len(self.pairs) - 4, 0)]
            self.lines.append("# older ones are gone")
            self.make()
        elif kind < 4:
            j = self.partner(lambda s: s == h.shape)
            f = ("add", "subtract", "multiply")[kind - 1]
            if j is None or (f == "subtract" and a.dtype.kind == self.pairs[j][0].dtype.kind == "b"):
                return
            b, g = self.pairs[j]
            call = {"add": lambda x, y: x + y, "subtract": lambda x, y: x - y,
                    "multiply": lambda x, y: x.multiply(y)}[f]
            # SciPy sums what is stored twice when it converts.
            self.keep(f"{f}(x{i}, x{j})", call(a, b), call(h.tocoo().tocsr(), g.tocoo().tocsr()).asformat("csr"))
        elif kind == 4:
            j = self.partner(lambda s: s[0] == n)
            if j is not None:
                b, g = self.pairs[j]
                self.keep(f"x{i} @ x{j}", a @ b, h.tocsr() @ g.tocsr())
        elif kind == 5:
            self.keep(f"x{i}.T", a.T, h.T)
        elif kind == 6:
            format = str(self.r.choice(FORMATS))
            self.keep_alike(f"x{i}.asformat({format!r})", a.asformat(format), h.copy().asformat(format))
        elif kind == 7:
            key = (self.slice(m), self.slice(n))
            self.keep(f"x{i}.tocsr()[{key}]", a.tocsr()[key], h.tocsr()[key])
        elif kind == 8 and m and n:
            rows = self.r.integers(-m, m, int(self.r.integers(1, 6)))
            self.keep(f"x{i}.tocsc()[{rows!r}]", a.tocsc()[rows], h.tocsc()[rows])
        elif kind == 9 and m and n:
            cols = self.r.integers(-n, n, int(self.r.integers(1, 6)))
            self.keep(f"x{i}.tocsr()[:, {cols!r}]", a.tocsr()[:, cols], h.tocsr()[:, cols])
        elif kind == 10 and m and n and {a.format, h.format} <= {"csr", "csc"}:
            row, col, k = self.r.integers(0, m, 4), self.r.integers(0, n, 4), int(self.r.integers(2))
            self.lines.append(f"x{i}[{row!r}, {col!r}] = {k}")
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                a[row, col] = k
                h[row, col] = k
            self.read(f"x{i}", a.toarray(), h.toarray())
        elif kind == 11:
            for axis in (0, 1, None):
                self.read(f"x{i}.sum({axis})", a.sum(axis), h.copy().tocoo().sum(axis))
        elif kind == 12:
            code = CODES[self.r.integers(len(CODES))]
            x = self.r.integers(0, 3, n).astype(code)
            self.read(f"x{i} @ {x!r}", a @ tb.array(x), (h @ x).reshape(m))  # of COO of one row SciPy's is a number
            x = self.r.integers(0, 3, (m, 3)).astype(code)
            self.read(f"x{i}.T @ {x!r}", a.T @ tb.array(x), h.T @ x)
        elif kind == 13 and h.dtype.kind != "c" and m and n:
            for axis in (0, 1):
                self.read(f"x{i}.max({axis})", a.tocsr().max(axis).toarray(), h.tocsr().max(axis).toarray())
                want = h.toarray().argmin(axis, keepdims=self.kind == "matrix")
                self.read(f"x{i}.argmin({axis})", a.tocsr().argmin(axis), want)
        elif kind == 14:
            self.keep(f"vstack(x{i}, x{i})", sp.vstack([a, a]), ss.vstack([h, h]))
        elif kind == 15 and m * n:
            self.keep_alike(f"x{i}.reshape(1, -1)", a.reshape(1, m * n), h.reshape(1, m * n))
        elif kind == 16:
            number = float(self.r.integers(1, 4))
            self.keep_alike(f"x{i} * {number}", a * number, h * number)
            self.keep_alike(f"x{i}.power(2)", a.power(2), h.copy().power(2))
        elif kind == 17 and a.dtype.kind != "c":
            number = int(self.r.integers(0, 3))
            self.keep_alike(f"x{i}.minimum({number})", a.minimum(number), h.copy().minimum(number))
        elif kind == 18 and m and n and h.format != "bsr":  # whose setdiag is an error in SciPy
            k, number = int(self.r.integers(1 - m, n)), int(self.r.integers(0, 3))
            self.lines.append(f"x{i}.setdiag({number}, {k})")
            a.setdiag(number, k)
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                h.setdiag(number, k)
            self.read(f"x{i}", a.toarray(), h.toarray())
        elif kind == 19 and h.format != "bsr":
            shape = tuple(int(x) for x in self.r.integers(1, 9, 2))
            self.lines.append(f"x{i}.resize({shape})")
            a.resize(shape)
            h.resize(shape)
            self.read(f"x{i}", a.toarray(), h.toarray())
        elif kind == 20 and m * n < 20:
            j = self.partner(lambda s: s[0] * s[1] < 20, True)
            if j is not None and dense(h).any() and dense(self.pairs[j][1]).any():  # of nothing SciPy's is of float64
                b, g = self.pairs[j]
                self.keep_alike(f"kron(x{i}, x{j})", sp.kron(a, b), ss.kron(h, g))
        elif kind == 21:
            j = self.partner(lambda s: s[0] == m, True)
            b, g = self.pairs[j]
            self.keep_alike(f"bmat([[x{i}, x{j}]])", sp.bmat([[a, b]]), ss.bmat([[h, g]]))
            self.keep_alike(f"block_diag([x{i}, x{j}])", sp.block_diag([a, b]), ss.block_diag([h, g]))
        elif kind == 22 and m and n:
            self.read(f"x{i}.diagonal(1 - {m})", a.diagonal(1 - m), h.copy().diagonal(1 - m))
            self.read(f"x{i}.count_nonzero()", tb.array(a.count_nonzero()), h.copy().count_nonzero())
        elif kind == 23:
            j = self.partner(lambda s: s == h.shape)
            b, g = self.pairs[j]
            self.keep(f"x{i} != x{j}", a != b, h.tocoo().tocsr() != g.tocoo().tocsr())


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--lines", type=int, default=100000)
    p.add_argument("--seed", type=int, default=0)
    o = p.parse_args()
    done, seed = 0, o.seed
    while done < o.lines:
        program = Program(seed)
        try:
            for _ in range(100):
                program.step()
        except Exception as e:
            print(f"seed {seed}:", *([] if isinstance(e, AssertionError) else program.lines), sep="\n")
            if not isinstance(e, AssertionError):
                raise
            print(e)
            return 1
        done, seed = done + 100, seed + 1
    print(f"{done} lines, no difference")
    return 0


if __name__ == "__main__":
    sys.exit(main())
