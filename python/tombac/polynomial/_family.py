"""What a family of polynomials is, and what can be done to series of them, made of that once for all families.

A family is its three-term recurrence, x p_n = (a p_(n+1) + b p_n + c p_(n-1)) / d with p_0 = 1, and what its
derivatives and integrals are series of. Multiplication by x is then a matrix of three diagonals, and everything else a
composition: values are Clenshaw's recurrence (Clenshaw 1955), and so are products of series and conversions between
families, with the matrix in the place of x; zeros are eigenvalues of the comrade matrix (Barnett 1975), made symmetric
as far as the family's weight allows (Golub and Welsch 1969). Coefficients are along the first axis, the lowest degree
first.
"""

from tombac import _core, linalg
from tombac._convolution import convolve
from tombac.polynomial.polyutils import as_series, trimseq


def numbers(n, like, start=0):
    """start, start + 1, ... along the first axis of arrays that have the dimensions of ``like``: n of them."""
    return _core.arange(start, start + n, dtype="d").reshape((n,) + (1,) * (like.ndim - 1))


def _real(dtype):
    """The dtype of factors that leave ``dtype`` what it is."""
    return {"F": "f", "D": "d"}.get(dtype.char, dtype.char)


def doubled(c):
    """A series in double precision, which NumPy's arithmetic has where a number, 0 or 1, is one of the series."""
    return c.astype(_core.result_type(c.dtype, "d"))


class Family:
    """One family of polynomials.

    Args:
        prefix: What the names of its functions begin with.
        title: What its polynomials are called in text.
        letter: What they are called where a series is printed; None for powers.
        recurrence: A function of n, an int or an array of them, that gives (a, b, c, d).
        derivative: (step, inner, outer): the derivative's k-th coefficient is outer(k) times the sum of
            inner(j) c_j for j = k + 1, k + 1 + step, ...; a step of 0 means the first j alone.
        integral: Functions of n, an array: what p_(n+1), p_n and p_(n-1) are multiplied by in the integral of p_n.
        product: Multiplies two series of one dimension, where there is a shorter way than the recurrence.
        horner: Values begin with c_n + 0 x, as NumPy's of power series do: where x is infinite they are NaN.
        domain: Between what the class maps points.
    """

    def __init__(self, prefix, title, letter, recurrence, derivative, integral, product=None, horner=False,
                 domain=(-1.0, 1.0)):
        self.prefix, self.title, self.letter, self.domain = prefix, title, letter, domain
        self.recurrence, self.derivative, self.integral = recurrence, derivative, integral
        self.short_product, self.horner = product, horner

    def step(self, n):
        """(A, B, C) of p_(n+1) = (A x + B) p_n - C p_(n-1)."""
        a, b, c, d = self.recurrence(n)
        return (d // a if d % a == 0 else d / a), (-b / a if b else 0), (c // a if c % a == 0 else c / a)

    def line(self, off, scl):
        """The coefficients of off + scl x, as numbers."""
        a, b, _, d = self.recurrence(0)
        return [off + scl * b if b else off, scl * a if d == 1 else scl * a / d]

    # ---- values ------------------------------------------------------------------------------------------------------

    def value(self, x, c):
        """The sum of c[k] p_k(x); ``c`` broadcasts with ``x`` behind its first axis."""
        above, two_above, slope, scaled, drop = c[-1], None, None, None, 0
        if self.horner or len(c) == 1:
            above = above + x * 0
        for k in range(len(c) - 2, -1, -1):
            a, b, next_drop = self.step(k)
            if a != slope:
                slope, scaled = a, x if a == 1 else x * a
            new = c[k] - two_above * drop if two_above is not None and drop not in (0, 1) else \
                c[k] - two_above if drop and two_above is not None else c[k]
            new = new + above * (scaled + b if b else scaled)
            above, two_above, drop = new, above, next_drop
        return above

    def rows(self, x, n):
        """p_0(x) to p_n(x)."""
        rows = [x * 0 + 1]
        for k in range(n):
            a, b, c = self.step(k)
            factor = x if a == 1 else x * a
            row = factor + b if b else factor
            if k:
                row = rows[-1] * row
                row = row - (rows[-2] if c == 1 else rows[-2] * c) if c else row
            rows.append(row)
        return rows

    # ---- series ------------------------------------------------------------------------------------------------------

    def times_x(self, n, dtype):
        """A function that multiplies series of n coefficients by x, but for what goes beyond the n-th."""
        k = _core.arange(n, dtype="d")
        *parts, d = self.recurrence(k)
        # What the family's recurrence has none of is the number 0.
        up, same, down = [None if isinstance(part, int) and part == 0 else (part / d + k * 0).astype(_real(dtype))
                          for part in parts]

        def multiply(v):
            result = _core.zeros(n, dtype)
            result[1:] = v[:-1] * up[:-1]
            if same is not None:
                result += v * same
            if down is not None:
                result[:-1] += v[1:] * down[1:]
            return result

        return multiply

    def mulx(self, c):
        """A series times x."""
        c = _core.concatenate((c, _core.zeros(1, c.dtype)))
        return self.times_x(c.size, c.dtype)(c)

    def combine(self, c, v, target, off=None, scl=1):
        """The sum of c[k] p_k(off + scl x) times the series ``v`` of the family ``target``, as one of ``target``.

        Clenshaw's recurrence, in which ``target``'s multiplication by x is applied to series of full length.
        """
        n = c.size + v.size - 1
        v = _core.concatenate((v, _core.zeros(n - v.size, v.dtype))) if n > v.size else v
        times_x = target.times_x(n, v.dtype)
        above, two_above, drop = v * c[-1], None, 0
        for k in range(c.size - 2, -1, -1):
            a, b, next_drop = self.step(k)
            new = v * c[k] + times_x(above) * (a * scl)
            if b or off is not None:
                new = new + above * (b if off is None else a * off + b)
            if drop:
                new = new - two_above * drop
            above, two_above, drop = new, above, next_drop
        return above

    def multiply(self, c1, c2):
        """The product of two series of one dtype, trimmed."""
        if self.short_product:
            return trimseq(self.short_product(c1, c2))
        if c1.size > c2.size:  # the recurrence has as many steps as the first has coefficients
            c1, c2 = c2, c1
        if c1.size == 1:
            c1, c2 = doubled(c1), doubled(c2)
        return trimseq(self.combine(c1, c2, self))

    def divide(self, c1, c2):
        """Quotient and remainder of two series of one dtype, by p_k times the divisor for each k."""
        m, n = c2.size, c1.size
        if n < m:
            return c1[:1] * 0, c1
        if m == 1:
            return c1 / c2[-1], c1[:1] * 0
        c2 = c2 if self.short_product else doubled(c2)
        products = [_core.concatenate((c2, _core.zeros(n - m, c2.dtype)))]
        times_x = self.times_x(n, c2.dtype)
        for k in range(n - m):
            a, b, c = self.step(k)
            row = times_x(products[-1]) * a
            row = row + products[-1] * b if b else row
            products.append(row - products[-2] * c if k and c else row)
        quotient, rest = _core.empty(n - m + 1, c1.dtype), c1
        for k in range(n - m, -1, -1):
            factor = rest[k + m - 1] / products[k][k + m - 1]
            rest = rest[: k + m - 1] - products[k][: k + m - 1] * factor
            quotient[k] = factor
        return quotient, trimseq(rest)

    def derive(self, c):
        """The derivative of series of two coefficients or more."""
        step, inner, outer = self.derivative
        n = len(c)
        parts = c[1:] * inner(numbers(n - 1, c, 1))
        if step:
            sums = _core.empty_like(parts)
            for start in range(step):
                part = parts[start::step][::-1]
                sums[start::step] = part.cumsum(0)[::-1] if len(part) else part
            parts = sums * outer(numbers(n - 1, c))
        return parts.astype(c.dtype)

    def integrate(self, c):
        """An antiderivative of series: some constant is right."""
        up, same, down = self.integral
        n = len(c)
        k = numbers(n, c)
        result = _core.zeros((n + 1,) + c.shape[1:], _core.result_type(c.dtype, "d"))
        result[1:] = c * up(k)
        if same:
            result[:-1] += c * same(k)
        if down and n > 1:
            result[:-2] += c[1:] * down(k[1:])
        return result.astype(c.dtype)

    # ---- zeros -------------------------------------------------------------------------------------------------------

    def companion(self, c):
        """The matrix whose eigenvalues are the zeros of a series of two coefficients or more."""
        n = c.size - 1
        k = _core.arange(n, dtype="d")
        a, b, lower, d = [part + k * 0 for part in self.recurrence(k)]
        orthogonal = bool(self.step(1)[2])
        up = (a / d)[:-1]
        if orthogonal:
            ratio = (lower / d)[1:] / up  # of the squared norms of a polynomial and the one below
            up = _core.sign(up) * _core.sqrt(up * (lower / d)[1:])
            scale = _core.concatenate((_core.ones(1), (1 / _core.sqrt(ratio))[::-1].cumprod()))[::-1]
        result = _core.zeros((n, n), c.dtype)
        flat = result.reshape(-1)
        if n > 1:
            flat[n :: n + 1] = up
            if orthogonal:
                flat[1 :: n + 1] = up
        flat[:: n + 1] += (b / d).astype(_real(c.dtype))
        last = c[:-1] / c[-1] * (a / d)[-1]
        result[:, -1] -= (last * scale if orthogonal else last).astype(c.dtype)
        return result

    def roots(self, c):
        """The zeros of a trimmed series, in ascending order."""
        if c.size < 2:
            return _core.empty(0, c.dtype)
        if c.size == 2:
            return self.companion(c).reshape(1)
        values = linalg.eigvals(self.companion(c)[::-1, ::-1])
        if values.dtype.kind == "c" and c.dtype.kind != "c" and not bool((values.imag != 0).any()):
            values = values.real
        values = values.copy()
        values.sort()
        return values

    def from_roots(self, roots):
        """The series with these zeros, a vector, and with the leading coefficient of the product of x - r."""
        if roots.size == 0:
            return _core.ones(1)
        (roots,) = as_series([roots], trim=False)
        roots = roots.copy()
        roots.sort()
        unit = self.line(0, 1)
        factors = []
        for root in roots:
            factor = _core.asarray(unit, dtype=roots.dtype)
            factor[0] -= root
            factors.append(factor)
        while len(factors) > 1:  # pairs from both halves, so that factors of far zeros meet early
            half, odd = divmod(len(factors), 2)
            pairs = [self.multiply(factors[i], factors[i + half]) for i in range(half)]
            if odd:
                pairs[0] = self.multiply(pairs[0], factors[-1])
            factors = pairs
        return factors[0]


# ---- the families ----------------------------------------------------------------------------------------------------


def _chebyshev_product(a, b):
    """T_m T_n = (T_(m+n) + T_|m-n|) / 2: the middle of a convolution of series that are mirrored, c_-k = c_k."""
    def mirrored(c):
        return _core.concatenate((c[:0:-1] / 2, c[:1], c[1:] / 2))

    result = convolve(mirrored(a), mirrored(b))[a.size + b.size - 2 :]
    return _core.concatenate((result[:1], result[1:] * 2))


def _one(n):
    return 1.0


POWER = Family(
    "poly", "power", None, lambda n: (1, 0, 0, 1), (0, lambda j: j, _one),
    (lambda n: 1 / (n + 1), None, None), convolve, horner=True)
CHEBYSHEV = Family(
    "cheb", "Chebyshev", "T", lambda n: (1, 0, 1, 2 - (n == 0)),
    (2, lambda j: j, lambda k: 2 - (k == 0)),
    (lambda n: (1 + (n == 0)) / (2 * (n + 1)), None, lambda n: (n > 1) / (2 - 2 * n - (n == 1))), _chebyshev_product)
LEGENDRE = Family(
    "leg", "Legendre", "P", lambda n: (n + 1, 0, n, 2 * n + 1),
    (2, _one, lambda k: 2 * k + 1),
    (lambda n: 1 / (2 * n + 1), None, lambda n: -1 / (2 * n + 1)))
LAGUERRE = Family(
    "lag", "Laguerre", "L", lambda n: (-n - 1, 2 * n + 1, -n, 1),
    (1, lambda j: -1.0, _one), (lambda n: -1.0, lambda n: 1.0, None), domain=(0.0, 1.0))
HERMITE = Family(
    "herm", "Hermite", "H", lambda n: (1, 0, 2 * n, 2),
    (0, lambda j: 2 * j, _one), (lambda n: 1 / (2 * n + 2), None, None))
HERMITE_E = Family(
    "herme", "HermiteE", "He", lambda n: (1, 0, n, 1), (0, lambda j: j, _one), (lambda n: 1 / (n + 1), None, None))
