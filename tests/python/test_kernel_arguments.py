"""What calls of ElementwiseKernel and ReductionKernel take: sizes, and handles of textures as numbers."""

import numpy as np
import pytest

import tombac as tb
from tombac.cuda import runtime, texture


@pytest.fixture
def line():
    """A texture over a line of floats, and the line."""
    host = np.arange(64, dtype="f") / 4
    channel = texture.ChannelFormatDescriptor(32, 0, 0, 0, runtime.cudaChannelFormatKindFloat)
    memory = texture.CUDAarray(channel, host.size)
    memory.copy_from(tb.array(host))
    resource = texture.ResourceDescriptor(runtime.cudaResourceTypeArray, cuArr=memory)
    return texture.TextureObject(resource, texture.TextureDescriptor((runtime.cudaAddressModeClamp,))), host


@pytest.mark.parametrize("parameter", ["U tex", "uint64 tex"])
def test_textures_are_numbers_of_elementwise_kernels(line, parameter):
    handle, host = line
    k = tb.ElementwiseKernel(f"T x, {parameter}", "T y", "y = tex1D<float>(tex, float(i)) + x", "with_texture")
    np.testing.assert_array_equal(k(tb.ones(64, "f"), handle).get(), host + 1)
    out = tb.empty(3, "f")
    assert k(1, handle, out) is out
    np.testing.assert_array_equal(out.get(), host[:3] + 1)


def test_textures_are_numbers_of_reduction_kernels(line):
    handle, host = line
    k = tb.ReductionKernel("T x, U tex", "T y", "tex1D<float>(tex, float(x))", "a + b", "y = a", "0", "sum_texture")
    assert float(k(tb.arange(64, dtype="f"), handle)) == host.sum()


def test_other_objects_are_no_numbers():
    class Named:
        ptr = "somewhere"

    k = tb.ElementwiseKernel("T x, U y", "T z", "z = x + y", "sum_of_two")
    for wrong in (Named(), object(), "a", [1], None, np.ones(2)):
        with pytest.raises(TypeError):
            k(tb.ones(2), wrong)


def test_sizes():
    plain = tb.ElementwiseKernel("T x", "T y", "y = x", "plain")
    raw = tb.ElementwiseKernel("raw T x", "raw T y", "y[i] = x[i]", "raw_copy")
    out = tb.empty(3)
    with pytest.raises(ValueError, match="Specified 'size' can .*plain"):
        plain(tb.ones(3), size=3)
    with pytest.raises(ValueError, match="Loop size is undecided.*raw_copy"):
        raw(tb.ones(3), out)
    assert raw(tb.ones(3), out, size=3) is out and float(out.sum()) == 3
