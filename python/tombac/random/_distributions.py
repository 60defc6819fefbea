"""``Draws``: what Generator and RandomState share, over one random stream.

Parameters may be arrays; they are broadcast, and the result has the broadcast shape unless ``size`` is given. Results
are deferred like any elementwise expression. A draw depends on the stream's key, the position and the element's number
alone.
"""

from tombac import _core
from tombac.random._arguments import common_shape, parameter, real_parameter
from tombac.random._continuous import Continuous
from tombac.random._discrete import Discrete
from tombac.random._multivariate import Multivariate
from tombac.random._ranges import check
from tombac.random._selections import Selections


@_core._add_draws
class Draws(Continuous, Discrete, Multivariate, Selections):
    """Draws from distributions over one random stream.

    The extension gives it ``uniform``, ``normal``, ``exponential`` and the standard ones of them; what they are for
    parameters that are arrays is here.
    """

    _rng = None
    _reads = False  # whether parameters on a device are looked at, which waits for it
    _uniform_rules = "uniform"  # of _ranges

    def _check(self, name, *parameters):
        check(name, self._reads, *parameters)

    def _uniform(self, low, high, size, dtype):
        self._check(self._uniform_rules, low, high)
        low, high = parameter(low), parameter(high)
        u = self._rng.draw("uniform", dtype, common_shape(size, low, high), 0.0, 1.0)
        x = (low + u * (high - low)).astype(dtype, copy=False)
        low, high = (_core.array(p).astype(dtype) for p in (low, high))
        end = _core.nextafter(high, low)
        return _core.where(low < high, _core.minimum(x, end), _core.maximum(x, end))

    def _normal(self, loc, scale, size, dtype):
        self._check("normal", loc, scale)
        return self._normals(loc, scale, size, dtype)

    def _normals(self, loc, scale, size, dtype):
        loc, scale = parameter(loc), parameter(scale)
        if not isinstance(loc, _core.ndarray) and not isinstance(scale, _core.ndarray):
            return self._rng.draw("normal", dtype, size, loc, scale)
        z = self._rng.draw("normal", dtype, common_shape(size, loc, scale), 0.0, 1.0)
        return (loc + z * scale).astype(dtype, copy=False)

    def _exponential(self, scale, size, dtype):
        self._check("exponential", scale)
        scale = real_parameter(scale, dtype)
        return self._rng.draw("exponential", dtype, common_shape(size, scale), 1.0) * scale
