"""Lines, nearest values and splines on a grid: by the library's loop on the CPU, and lines and nearest values by one
kernel of a GPU, which finds a point's cell in the grid's lines along each variable, and takes the values around it. Its
text depends on the number of variables; lengths are arguments.
"""

import functools
import math

from tombac import _core

__all__ = ["at_points", "spline_at", "suits", "suits_spline"]

_MOST_VARIABLES = 5  # of a kernel: a point has 2**n values around it
_MOST_OF_LOOP, _MOST_DEGREE = 8, 9
_NEAREST, _LINES, _SPLINE = range(3)

_PREAMBLE = """
// Where the cell of x begins among n lines, and how far across it x is. Lines are mostly equally far apart.
template <class P> __device__ __forceinline__ P tombac_cell(const double *line, P n, double x, double &share) {
    if (n == 1) {
        share = 0 * x;
        return 0;
    }
    const double guess = (x - line[0]) / (line[n - 1] - line[0]) * (double)(n - 1);
    P lower = guess > 0 ? guess < (double)(n - 2) ? (P)guess : n - 2 : 0;
    if (!(line[lower] <= x && x < line[lower + 1])) {
        P from = 0, to = n - 1;
        while (to - from > 1) {
            const P middle = from + (to - from) / 2;
            if (line[middle] <= x) from = middle;
            else to = middle;
        }
        lower = from;
    }
    share = (x - line[lower]) / (line[lower + 1] - line[lower]);
    return lower;
}
template <class T> __device__ __forceinline__ T tombac_between(T first, T second, double share) {
    return first * T(1 - share) + second * T(share);
}
"""

_CELL = """
const double x{d} = at[{d}];
double share{d};
const place cell{d} = tombac_cell<place>(line, n{d}, x{d}, share{d});
if (!(x{d} >= line[0] && x{d} <= line[n{d} - 1])) beyond = true, outside[{d}] = 1;
bad = bad || x{d} != x{d};
line += n{d};
"""


def by_loop():
    """Whether arrays are where the library's loop computes."""
    return _core.backend() == "cpu"


def suits(dims):
    """Whether there is a kernel or a loop for that many variables where arrays are."""
    return 0 < dims <= (_MOST_OF_LOOP if by_loop() else _MOST_VARIABLES)


def suits_spline(degrees):
    """Whether there is a loop for splines of that many variables, of these degrees."""
    return by_loop() and 0 < len(degrees) <= _MOST_OF_LOOP and max(degrees) <= _MOST_DEGREE


def _at(lines, values, form, degrees, orders, points, fill):
    found, beyond = _core._grid_at(lines, values, form, degrees, orders, points, fill)
    return found, [beyond >> d & 1 for d in range(len(degrees))]


def spline_at(knots, c, degrees, orders, points, fill):
    """As ``at_points``, of a tensor product of splines, or a derivative; ``knots`` one after the other."""
    return _at(knots, c, _SPLINE, degrees, orders, points, fill)


def _sum(dims, d, offset):
    """The expression of what lies between the values at ``offset``, along the variables from ``d`` on."""
    if d == dims:
        return f"W(from[{' + '.join(offset)}])"
    first, second = _sum(dims, d + 1, (*offset, f"low{d}")), _sum(dims, d + 1, (*offset, f"high{d}"))
    return f"tombac_between<W>({first}, {second}, share{d})"


@functools.cache
def _kernel(dims, linear, narrow, single, filled):
    lines = [f"typedef {'int' if narrow else 'long long'} place;",
             "const place point = (place)i;" if single else "const place point = (place)i / width;",
             f"const double *at = &points[0] + (long long)point * {dims}, *line = &grid[0];",
             "const V *from = &values[0]" + (";" if single else " + ((place)i - point * width);"),
             "bool beyond = false, bad = false;", *(_CELL.format(d=d) for d in range(dims))]
    lines.append(f"place step{dims - 1} = width;")
    lines += [f"place step{d} = step{d + 1} * n{d + 1};" for d in range(dims - 2, -1, -1)]
    if linear:
        lines += [f"const place low{d} = cell{d} * step{d}, high{d} = low{d} + (n{d} > 1 ? step{d} : 0);"
                  for d in range(dims)]
        value = _sum(dims, 0, ())
    else:
        lines += [f"const place low{d} = (cell{d} + (n{d} > 1 && !(share{d} <= 0.5) ? 1 : 0)) * step{d};"
                  for d in range(dims)]
        value = f"W(from[{' + '.join(f'low{d}' for d in range(dims))}])"
    lines.append(f"y = {value};")
    if filled:
        lines.append("if (beyond) y = fill;")
    lines.append("if (bad) y = W(nan(\"\"));")
    kind = "int32" if narrow else "int64"
    given = ["raw V values", "raw float64 grid", "raw float64 points", f"{kind} width",
             *(f"{kind} n{d}" for d in range(dims)), "W fill"]
    return _core.ElementwiseKernel(", ".join(given), "W y, raw int32 outside", "\n".join(lines),
                                   f"tombac_grid_{'linear' if linear else 'nearest'}_{dims}", preamble=_PREAMBLE)


def at_points(lines, values, points, linear, dtype, fill):
    """Values at the rows of ``points``, and for each variable whether a point is outside of it. ``lines``: the grid's
    along each variable, one after the other. ``fill`` is what points outside have, or None for what they have by their
    cell.
    """
    dims = points.shape[1]
    if by_loop():
        found, beyond = _at(lines, values, _LINES if linear else _NEAREST, (0,) * dims, (0,) * dims, points, fill)
        return found.astype(dtype, copy=False), beyond
    width = math.prod(values.shape[dims:])
    out = _core.empty((len(points), width), dtype)
    outside = _core.zeros(dims, "i")
    if out.size:
        narrow = max(values.size, out.size) < 2**31
        kernel = _kernel(dims, linear, narrow, width == 1, fill is not None)
        kernel(_core.ascontiguousarray(values), lines, points, width, *values.shape[:dims],
               out.dtype.type(0 if fill is None else fill), out, outside)
    return out, outside.get()
