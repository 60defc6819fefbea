"""Helpers for tests that compare tombac with NumPy, under CuPy's names; numpy_tombac_... is another name for each of
numpy_cupy_... They are used with pytest or unittest."""

from tombac.testing._arrays import *  # noqa: F403
from tombac.testing._both import *  # noqa: F403
from tombac.testing._dtypes import *  # noqa: F403
from tombac.testing._helpers import *  # noqa: F403
from tombac.testing._inputs import *  # noqa: F403
from tombac.testing._parameters import *  # noqa: F403

__all__ = [name for name in dir() if not name.startswith("_")]
