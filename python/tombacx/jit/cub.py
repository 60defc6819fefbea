"""CUB's block and warp primitives in kernels: not available; the names raise NotImplementedError."""

from tombacx.jit._unsupported import Unsupported as _Unsupported

_INSTEAD = "reduce with jit.shfl_down_sync within a warp and jit.shared_memory within a block"
BlockReduce = _Unsupported("cub.BlockReduce", _INSTEAD)
WarpReduce = _Unsupported("cub.WarpReduce", _INSTEAD)
Sum = _Unsupported("cub.Sum", _INSTEAD)
Max = _Unsupported("cub.Max", _INSTEAD)
Min = _Unsupported("cub.Min", _INSTEAD)
