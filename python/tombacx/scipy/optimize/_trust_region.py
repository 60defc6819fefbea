"""A step of least squares within a trust region and bounds, of as many numbers as there are variables: on the host.

Branch, Coleman and Li, SIAM J. Sci. Comput. 21, 1999: variables are scaled by how far the bounds are that they go to,
steps that meet a bound are reflected, and of such steps and the gradient's that one is taken that promises most.
"""

import math

from tombac._numpy import np

__all__ = ["Region"]


class Region:
    """What is known at a point: of J = Q R the triangle and the residuals' projection, and the scaled problem. Without
    bounds they are None."""

    def __init__(self, x, gradient, R, projected, scale, low, high):
        self._x, self._low, self._high, self._n = x, low, high, x.size
        self._d, self._more = scale, 0.0  # what the scaling adds to the second derivatives
        reach = gradient if low is None else self._approach(gradient, scale)
        self.optimality = float(np.abs(reach).max()) if x.size else 0.0
        self._gradient, self._R = self._d * gradient, R * self._d
        rows = self._R
        if low is not None:
            rows = np.concatenate([rows, np.diag(np.sqrt(np.maximum(self._more, 0)))])
            projected = np.concatenate([projected, np.zeros(x.size)])
        u, self._s, self._vt = np.linalg.svd(rows, full_matrices=False)
        self._u = u.T @ projected
        self._most = max(0.995, 1 - self.optimality)  # of the way to a bound

    def _approach(self, gradient, scale):
        """Scales variables by how far their bounds are; the gradient times these distances."""
        x, low, high = self._x, self._low, self._high
        v, slope = np.ones(x.size), np.zeros(x.size)
        down, up = (gradient < 0) & np.isfinite(high), (gradient > 0) & np.isfinite(low)
        v[down], slope[down] = high[down] - x[down], -1.0
        v[up], slope[up] = x[up] - low[up], 1.0
        reach, moved = gradient * v, slope != 0
        v[moved] /= scale[moved]
        self._d, self._more = np.sqrt(v) * scale, gradient * slope * scale
        return reach

    def first_radius(self, lengths):
        radius = float(np.linalg.norm(self._x * lengths / np.sqrt(self._d * lengths)))
        return radius or 1.0

    def within(self, x):
        """The point, strictly between the bounds."""
        if self._low is None:
            return x
        x = np.where(x <= self._low, np.nextafter(self._low, self._high), x)
        x = np.where(x >= self._high, np.nextafter(self._high, self._low), x)
        return np.where((x < self._low) | (x > self._high), self._x, x)

    def _promise(self, p):
        """By how much the model says that the sum decreases with a scaled step."""
        applied = self._R @ p
        return -float(self._gradient @ p + (applied @ applied + (self._more * p) @ p) / 2)

    def _newton(self, radius):
        """The scaled step of the least sum within the radius (More)."""
        s, su = self._s, self._s * self._u
        good = s > np.finfo("d").eps * max(self._R.shape) * s.max(initial=0)
        p = -self._vt.T @ np.divide(self._u, s, out=np.zeros(s.size), where=good)
        if np.linalg.norm(p) <= radius:
            return p

        def length(alpha):
            """That of the step of a damping, and its derivative."""
            divisor = s * s + alpha
            parts = su / divisor
            size = math.sqrt(parts @ parts)
            return size - radius, -float(parts @ (parts / divisor)) / size

        upper = np.linalg.norm(su) / radius
        lower = 0.0
        if good.all():
            value, slope = length(0.0)
            lower = -value / slope
        alpha = max(0.001 * upper, math.sqrt(lower * upper))
        for _ in range(20):
            if not lower <= alpha <= upper or alpha == 0:
                alpha = max(0.001 * upper, math.sqrt(lower * upper))
            if alpha == 0:
                break
            value, slope = length(alpha)
            if value < 0:
                upper = alpha
            ratio = value / slope
            lower = max(lower, alpha - ratio)
            alpha -= (value + radius) * ratio / radius
            if abs(value) < 0.01 * radius:
                break
        if alpha > 0:  # else the undamped step is hardly longer than the radius
            p = -self._vt.T @ (su / (s * s + alpha))
        size = np.linalg.norm(p)
        return p * (radius / size) if size > radius else p

    def _room(self, x, step):
        """How many such steps bounds leave room for, and which variables meet theirs."""
        if self._low is None:
            return math.inf, None
        with np.errstate(divide="ignore", invalid="ignore"):
            parts = np.where(step > 0, (self._high - x) / step, np.where(step < 0, (self._low - x) / step, np.inf))
        part = float(parts.min()) if parts.size else math.inf
        return part, parts == part

    def _along(self, direction, least, most, start=None):
        """The part of a scaled direction, between two, with which the model is least."""
        applied = self._R @ direction
        curve = (applied @ applied + (self._more * direction) @ direction) / 2
        slope = self._gradient @ direction
        if start is not None:
            slope += applied @ (self._R @ start) + (self._more * direction) @ start
        best = -slope / (2 * curve) if curve > 0 else math.inf
        parts = [least, most, *([best] if least < best < most else [])]
        return min(parts, key=lambda t: t * (slope + t * curve))

    def step(self, radius):
        """A step within the bounds, it scaled, and what it promises."""
        p = self._newton(radius)
        part, met = self._room(self._x, self._d * p)
        if part >= 1:
            return self._chosen([p])
        steps = [self._most * part * p]
        at = part * p
        mirrored = np.where(met, -p, p)
        room = self._room(self._x + self._d * at, self._d * mirrored)[0]
        inside = _to_sphere(at, mirrored, radius)
        far = min(room, inside)
        if far > 0:
            least = (1 - self._most) * part / far
            most = self._most * room if room <= inside else inside
            if least <= most:
                steps.append(at + self._along(mirrored, least, most, at) * mirrored)
        down = -self._gradient
        size = np.linalg.norm(down)
        if size:
            room = self._room(self._x, self._d * down)[0]
            most = self._most * room if room < radius / size else radius / size
            steps.append(self._along(down, 0.0, most) * down)
        return self._chosen(steps)

    def _chosen(self, steps):
        promises = [self._promise(p) for p in steps]
        most = max(promises)
        p = steps[promises.index(most)]
        return self._d * p, p, most


def _to_sphere(start, direction, radius):
    """How far it is along a direction to the end of the region."""
    a, b, c = direction @ direction, start @ direction, start @ start - radius * radius
    root = math.sqrt(max(b * b - a * c, 0.0))
    return (-b + root) / a if a else math.inf
