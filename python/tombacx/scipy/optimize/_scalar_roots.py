"""A root of a function of one number, by Brent's method (Algorithms for Minimization without Derivatives, 1973, 4)."""

__all__ = ["brent_root"]


def brent_root(f, a, b, xtol, rtol, most=200):
    """A zero of a function of floats between two numbers at which its signs differ, or one of them."""
    fa, fb = f(a), f(b)
    if fa == 0:
        return a
    c, fc = a, fa
    step = before = b - a
    for _ in range(most):
        if abs(fc) < abs(fb):  # b is the better end
            a, fa, b, fb, c, fc = b, fb, c, fc, b, fb
        tolerance = (xtol + rtol * abs(b)) / 2
        half = (c - b) / 2
        if fb == 0 or abs(half) <= tolerance:
            break
        new = half
        if abs(before) >= tolerance and abs(fa) > abs(fb):
            tried = _interpolated(a, fa, b, fb, c, fc)
            if 2 * abs(tried) < min(3 * abs(half) - tolerance, abs(before)) and tried * half > 0:
                new = tried
        before, step = (step, new) if new is not half else (half, half)
        a, fa = b, fb
        b += step if abs(step) > tolerance else tolerance if half > 0 else -tolerance
        fb = f(b)
        if (fb > 0) == (fc > 0):
            c, fc = a, fa
            step = before = b - a
    return b


def _interpolated(a, fa, b, fb, c, fc):
    """The step from b to the zero of the line or of the inverse parabola."""
    if a == c:
        return fb * (b - a) / (fa - fb)
    r, s, t = fb / fc, fb / fa, fa / fc
    p = s * (t * (r - t) * (c - b) - (1 - r) * (b - a))
    q = (t - 1) * (r - 1) * (s - 1)
    return p / q if q else 0.0
