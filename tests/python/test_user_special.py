"""Special functions in user kernels: every row of the library's table against the ufunc that it is, in each kind of
kernel."""

import numpy as np
import pytest
import scipy.special
import tombac as tb
import tombacx.scipy.special as special
from tombac import _core
from tombacx import jit

UFUNCS = {name: f for name, f in vars(_core.special).items() if isinstance(f, tb.ufunc)}
COMPLEX = {"hankel1", "hankel1e", "hankel2", "hankel2e"}  # of real arguments: kernels have the parts, jv and yv
PAIRS = sorted(name for name, f in UFUNCS.items() if f.nout == 2)
# Arguments that most functions are defined for, among them whole numbers and the ends of intervals, and others; and
# what is left out where an order may be meant.
NUMBERS = np.array([0.3, 0.75, 1.0, 2.0, 0.0, 3.5, 12.0, -0.4, -2.5, np.nan])
LARGE = np.array([41.0, 1e3, np.inf, -np.inf])
N = 200


def operands(f, dtypes):
    """An array for each input: of these dtypes, by letters."""
    rng = np.random.default_rng(f.nin)
    numbers = NUMBERS if f.nin > 1 else np.concatenate([NUMBERS, LARGE])
    columns = [rng.choice(numbers, N) * rng.choice([1, 1, 0.9], N) for _ in range(f.nin)]
    if f.__name__ == "_lambertw":
        columns[1:] = [np.zeros(N), np.full(N, 1e-8)]
    imaginary = [rng.choice([0.5, -1.25, 4.0], N) for _ in range(f.nin)]
    with np.errstate(all="ignore"):
        return [tb.asarray((np.nan_to_num(x, posinf=7, neginf=-7) + 1j * y if t in "FD" else x).astype(t))
                for x, y, t in zip(columns, imaginary, dtypes, strict=True)]


def same(f, got, want, digits):
    """Infinities and NaN where they are in `want`; a user kernel may join products with sums on a GPU."""
    tolerance = {"f": 2e-5, "F": 2e-4, "d": 1e-9, "D": 1e-9}[digits]
    got, want = np.asarray(got), np.asarray(want)
    assert got.dtype == want.dtype, f
    np.testing.assert_allclose(got, want, rtol=tolerance, atol=1e-3 * tolerance, err_msg=f)


def loops_of(letter):
    """The functions with a loop whose inputs are all of this dtype, as names; _lambertw's first alone is complex."""
    return sorted(name for name, f in UFUNCS.items() if f.nout == 1 and name not in COMPLEX
                  and any(t.startswith(letter * f.nin + "->") for t in f.types) or (letter, name) == ("D", "_lambertw"))


def in_parts(letter):
    names = loops_of(letter)
    return [(letter, *names[k:k + 12]) for k in range(0, len(names), 12)]


PARTS = [part for letter in "fdFD" for part in in_parts(letter)]


def ids(part):
    return "-".join([part[0], part[1], part[-1]])


def inputs_of(f, letter):
    return "Dqd" if f.__name__ == "_lambertw" else letter * f.nin


def c_name(f):
    return "special::" + f.__name__.lstrip("_")


@pytest.mark.parametrize("part", PARTS, ids=ids)
def test_elementwise_kernel(part):
    letter, *names = part
    functions = [UFUNCS[name] for name in names]
    given, lines, taken = [], [], []
    for k, f in enumerate(functions):
        letters = inputs_of(f, letter)
        given += operands(f, letters)
        taken += [f"{np.dtype(t).name} x{k}_{j}" for j, t in enumerate(letters)]
        lines.append(f"y{k} = {c_name(f)}({', '.join(f'x{k}_{j}' for j in range(f.nin))});")
    results = ", ".join(f"{np.dtype(letter).name} y{k}" for k in range(len(functions)))
    kernel = tb.ElementwiseKernel(", ".join(taken), results, " ".join(lines), "rows")
    got = kernel(*given)
    for f, y in zip(functions, got if len(functions) > 1 else [got], strict=True):
        same(f.__name__, y.get(), f(*given[:f.nin]).get(), letter)
        del given[:f.nin]


def test_there_is_a_case_for_every_function():
    assert {name for part in PARTS for name in part[1:]} | set(PAIRS) | COMPLEX == set(UFUNCS)
    assert PAIRS == ["_airy", "_airy_slopes", "_airye", "_airye_slopes", "shichi", "sici"]


def kernel_of(f):
    """Of one function; where it is called it is a constant."""
    if f.nin == 1:
        @jit.rawkernel()
        def kernel(x, y, z, w, out):
            i = jit.grid(1)
            if i < out.size:
                out[i] = f(x[i])
    elif f.nin == 2:
        @jit.rawkernel()
        def kernel(x, y, z, w, out):
            i = jit.grid(1)
            if i < out.size:
                out[i] = f(x[i], y[i])
    elif f.nin == 3:
        @jit.rawkernel()
        def kernel(x, y, z, w, out):
            i = jit.grid(1)
            if i < out.size:
                out[i] = f(x[i], y[i], z[i])
    else:
        @jit.rawkernel()
        def kernel(x, y, z, w, out):
            i = jit.grid(1)
            if i < out.size:
                out[i] = f(x[i], y[i], z[i], w[i])
    return kernel


@pytest.mark.parametrize("name", sorted(set(UFUNCS) - set(PAIRS) - COMPLEX))
def test_jit(name):
    f = UFUNCS[name]
    letter = "d" if name != "_lambertw" else "D"
    given = operands(f, inputs_of(f, letter))
    want = f(*given)
    out = tb.empty_like(want)
    kernel_of(f)((4,), (64,), (*given, *given[:1] * (4 - f.nin), out))
    same(name, out.get(), want.get(), letter)


@pytest.mark.parametrize("name, letter", [(n, t) for n in ("gamma", "boxcox", "sinc", "beta", "log1p") for t in "beifFD"
                                          if t not in "FD" or n not in ("boxcox", "beta")])
def test_jit_takes_the_loop_that_the_ufunc_takes(name, letter):
    f = UFUNCS[name]
    given = [abs(x) for x in operands(f, letter * f.nin)] if letter in "bi" else operands(f, letter * f.nin)
    want = f(*given)
    kernel, out = kernel_of(f), tb.empty_like(want)
    kernel((4,), (64,), (*given, *given[:1] * (4 - f.nin), out))
    tolerance = {"e": 1e-2, "f": 1e-5, "F": 1e-4}.get(want.dtype.char, 1e-9)
    np.testing.assert_allclose(out.get(), want.get(), rtol=tolerance, atol=tolerance / 1e3)
    text = kernel.source(*given, *given[:1] * (4 - f.nin), out)
    assert ("(double)" in text) == (want.dtype == "d" and letter != "d") and f"special::{name}(" in text


def test_pairs():
    x = operands(special.sici, "d")[0]

    @jit.rawkernel()
    def kernel(x, y, z):
        i = jit.grid(1)
        if i < x.size:
            s, c = special.sici(x[i])
            y[i], z[i] = s, special.shichi(x[i])[1]
    y, z = tb.empty_like(x), tb.empty_like(x)
    kernel((4,), (64,), (x, y, z))
    s = tb.ElementwiseKernel("T x", "T s, T h", "auto p = special::sici(x); s = p.first;"
                             " h = special::shichi(x).second", "pair")
    first, fourth = s(x)
    same("sici", y.get(), special.sici(x)[0].get(), "d")
    same("sici", first.get(), special.sici(x)[0].get(), "d")
    same("shichi", z.get(), special.shichi(x)[1].get(), "d")
    same("shichi", fourth.get(), special.shichi(x)[1].get(), "d")


def test_raw_module_with_the_header():
    x = tb.asarray(np.linspace(0.5, 20, N))
    module = tb.RawModule(code=r'''
#include <tombac/complex.cuh>
#include <tombac/special.cuh>
template <class T> __device__ T twice(T x) { return 2 * special::digamma(x); }
extern "C" __global__ void values(const double *x, double *y, complex<float> *z, float *w, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    y[i] = twice(x[i]) + special::gammainc(2, x[i]) + special::gamma(3);
    z[i] = special::loggamma(complex<float>(x[i], 1));
    w[i] = special::erfcx((float)x[i]);
    static_assert(sizeof(special::erfcx(1.0f)) == 4 && sizeof(special::erfcx(1)) == 8, "");
}''')
    y, z, w = tb.empty_like(x), tb.empty(N, "F"), tb.empty(N, "f")
    module.get_function("values")((4,), (64,), (x, y, z, w, np.int32(N)))
    same("raw", y.get(), (2 * special.digamma(x) + special.gammainc(2.0, x) + 2).get(), "d")
    same("raw", z.get(), special.loggamma(x.astype("F") + 1j).get(), "F")
    same("raw", w.get(), special.erfcx(x.astype("f")).get(), "f")


def test_the_header_in_older_and_busy_sources():
    """Macros that options define, and the oldest C++ there is."""
    kernel = tb.RawKernel('#include <tombac/special.cuh>\nextern "C" __global__ void f(double *x)'
                          "{ Type &y = x[threadIdx.x]; y = special::sici(y).first + special::lpmv(0, N, y / 8); }", "f",
                          options=("-std=c++11", "-DType=double", "-DN=2", "-DZ=0", "-DA=a", "-DTa=1"))
    x = tb.asarray(np.linspace(0.5, 7, 32))
    want = special.sici(x)[0] + special.lpmv(0.0, 2.0, x / 8)
    kernel((1,), (32,), (x,))
    same("sici", x.get(), want.get(), "d")


@pytest.mark.parametrize("form", ["option", "file", "pasted"])
def test_names_that_are_not_in_the_source(form, tmp_path):
    """What a source includes or is told in an option counts as part of it."""
    (tmp_path / "mine.h").write_text("#define MINE(x) special::rgamma(x)\n")
    include, use, options = "", "MINE(x[i])", (f"-I{tmp_path}",)
    if form == "file":
        include = '#include "mine.h"\n'
    elif form == "option":
        options = ("-DMINE=special::rgamma",)
    else:
        include, use, options = "#define JOIN(a, b) a##b\n", "special::JOIN(rga, mma)(x[i])", ()
    kernel = tb.RawKernel(include + '#include <tombac/special.cuh>\nextern "C" __global__ void f(double *x)\n'
                          "{ int i = threadIdx.x; x[i] = " + use + "; }", "f", options=options)
    x = tb.asarray(np.linspace(0.5, 5, 32))
    want = special.rgamma(x)
    kernel((1,), (32,), (x,))
    same("rgamma", x.get(), want.get(), "d")


def test_reduction_kernel():
    x = tb.asarray(np.random.default_rng(0).uniform(0.01, 0.9, (7, 50)))
    kernel = tb.ReductionKernel("T x", "T y", "special::entr(x)", "a + b", "y = special::expit(a)", "0", "entropy")
    for axis in (0, 1, None):
        same("entr", kernel(x, axis=axis).get(), special.expit(special.entr(x).sum(axis=axis)).get(), "d")


def test_vectorize_and_fuse():
    x = tb.asarray(np.linspace(0.5, 20, N))

    @tb.vectorize
    def repeated(x, n):
        total = 0.0
        while n > 0:
            total += special.j0(x) * special.psi(n)
            n -= 1
        return total

    @tb.fuse
    def fused(x):
        return special.j0(x) * special.gamma(x)
    want = special.j0(x) * sum(scipy.special.psi(n) for n in (1, 2, 3))
    same("vectorize", repeated(x, 3).get(), want.get(), "d")
    assert (fused(x) == special.j0(x) * special.gamma(x)).all()


def test_numbers_and_scipys_functions():
    x = tb.asarray(np.linspace(0.5, 20, N))

    @jit.rawkernel()
    def kernel(x, y):
        i = jit.grid(1)
        if i < x.size:
            y[i] = scipy.special.gammaln(x[i]) + special.zeta(2.0, 1) + special.beta(x[i], 2)
    y = tb.empty_like(x)
    kernel((4,), (64,), (x, y))
    same("scipy", y.get(), (special.gammaln(x) + np.pi**2 / 6 + special.beta(x, 2.0)).get(), "d")
    assert "zeta" not in kernel.cached_code and "1.6449" in kernel.cached_code


def test_dtype_is_that_of_a_loop():
    x = np.linspace(0.5, 9, N)

    @jit.rawkernel()
    def kernel(x, y, z):
        i = jit.grid(1)
        if i < x.size:
            y[i] = special.gammaln(x[i], dtype="f")
            z[i] = special.beta(x[i], 2, dtype=np.float64) + special.erf(0.5, dtype="f")
    y, z = tb.empty(N), tb.empty(N)
    kernel((4,), (64,), (tb.asarray(x), y, z))
    same("gammaln", y.get(), special.gammaln(tb.asarray(x.astype("f"))).get().astype("d"), "d")
    same("beta", z.get(), (special.beta(tb.asarray(x), 2.0) + float(special.erf(np.float32(0.5)))).get(), "d")


def test_compositions():
    x = np.linspace(0.5, 9, N)

    @jit.rawkernel()
    def kernel(x, y, w):
        i = jit.grid(1)
        if i < x.size:
            sn, cn, dn, ph = special.ellipj(x[i], 0.3)
            y[0, i], y[1, i], y[2, i], y[3, i] = sn, cn, dn, ph
            y[4, i] = special.btdtr(2.0, 3.0, x[i] / 10)
            y[5, i] = special.btdtri(2.0, 3.0, x[i] / 10)
            y[6, i] = special.spherical_yn(2, x[i])
            w[0, i] = special.lambertw(x[i])
            w[1, i] = scipy.special.lambertw(x[i], k=-1, tol=1e-9)
            w[2, i] = special.lambertw(1.0)
    a = tb.asarray(x)
    y, w = tb.empty((7, N)), tb.empty((3, N), "D")
    kernel((4,), (64,), (a, y, w))
    want = [*special.ellipj(a, 0.3), special.btdtr(2.0, 3.0, a / 10), special.btdtri(2.0, 3.0, a / 10),
        special.spherical_yn(2, a)]
    for name, got, one in zip(["sn", "cn", "dn", "ph", "btdtr", "btdtri", "spherical_yn"], y.get(), want, strict=True):
        same(name, got, one.get(), "d")
    branches = [special.lambertw(a), special.lambertw(a, -1), special.lambertw(a * 0 + 1)]
    for got, one in zip(w.get(), branches, strict=True):
        same("lambertw", got, one.get(), "D")


@pytest.mark.parametrize("expression, names", [("special.gammainc(x[0])", "gammainc takes 2 arguments"),
                                               ("special.gammainc(x, 2.0)", "gammainc: a scalar is expected"),
                                               ("special.gammainc(x[0] + 1j, 2.0)", "gammainc is not defined for"),
                                               ("special.gamma(x[0], dtype='q')", "gamma has no loop that gives int64"),
                                               ("special.gammaln(x[0] + 1j, dtype='f')", "cannot become float32"),
                                               ("special.lambertw(x[0], branch=1)", "lambertw in kernels: .*branch"),
                                               ("special.ellipj(x[0])", "ellipj in kernels: .*'m'")])
def test_what_is_refused(expression, names, tmp_path):
    path = tmp_path / "kernels.py"
    path.write_text("import tombacx.scipy.special as special\ndef f(x):\n    x[0] = " + expression + "\n")
    scope = {}
    exec(compile(path.read_text(), str(path), "exec"), scope)
    with pytest.raises(TypeError, match=names):
        jit.rawkernel()(scope["f"])((1,), (1,), (tb.ones(3),))


@pytest.mark.parametrize("expression, names", [("special.gammaln(x[0], where=True)", "gammaln with keyword arguments"),
                                               ("special.spherical_yn(1, x[0], True)", "spherical_yn: derivatives")])
def test_what_is_not_there(expression, names, tmp_path):
    scope = {}
    path = tmp_path / "kernels.py"
    path.write_text("import tombacx.scipy.special as special\ndef f(x):\n    x[0] = " + expression + "\n")
    exec(compile(path.read_text(), str(path), "exec"), scope)
    with pytest.raises(NotImplementedError, match=names):
        jit.rawkernel()(scope["f"])((1,), (1,), (tb.ones(3),))


def test_a_kernel_that_uses_none_has_none():
    """And a word of the user's own is left alone."""
    kernel = tb.ElementwiseKernel("T x", "T y", "y = special::twice(x)", "own",
                                  preamble="namespace special { __device__ double twice(double x) { return 2 * x; } }")
    x = tb.ones(3)
    assert (kernel(x) == 2).all()
    with pytest.raises(tb.cuda.compiler.CompileException, match="no_such_function"):
        tb.ElementwiseKernel("T x", "T y", "y = special::no_such_function(x)", "none")(x)

    @jit.rawkernel()
    def plain(x):
        x[0] = x[1] * 2
    assert "special" not in plain.source(x)
