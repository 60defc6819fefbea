"""What tests of raw kernels have in common."""
import pytest

from tombac.cuda.compiler import CompileException


def compiled(kernel):
    """The kernel, compiled; the test is skipped where what it needs of a toolkit is not installed."""
    try:
        kernel.compile()
    except ImportError as e:
        pytest.skip(str(e))
    except CompileException as e:
        if "pip install nvidia-cuda-runtime" in str(e):
            pytest.skip("CUDA's headers are not installed")
        raise
    return kernel
