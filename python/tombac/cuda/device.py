"""Device and questions about the current one."""

from tombac._core import Device
from tombac.cuda._handles import Handle

__all__ = [
    "Device", "Handle", "from_pointer", "get_compute_capability", "get_cublas_handle", "get_cusolver_handle",
    "get_cusolver_sp_handle", "get_cusparse_handle", "get_cutensor_handle", "get_device_id",
]


def get_device_id():
    """The number of the current device."""
    return Device().id


def from_pointer(ptr):
    """The Device that holds the memory at an address.

    Raises:
        ValueError: The address is in no device's memory.

    >>> x = tombac.ones(3)
    >>> tombac.cuda.device.from_pointer(x.data.ptr)
    <CUDA Device 0>
    """
    from tombac.cuda import runtime

    number = runtime.pointerGetAttributes(ptr).device
    if number < 0:
        raise ValueError(f"from_pointer: {ptr:#x} is in no device's memory")
    return Device(number)


def get_compute_capability():
    """The compute capability of the current device, such as '90'."""
    return Device().compute_capability


def get_cublas_handle():
    """The current device's handle of cuBLAS as a number, set to the current stream.

    It is the calling thread's own, and lives as long as the thread.

    Raises:
        NotImplementedError: On the CPU backend.
        ImportError: The library was not found.
    """
    return Device().cublas_handle


def get_cusolver_handle():
    """As get_cublas_handle, of cuSOLVER for dense matrices."""
    return Device().cusolver_handle


def get_cusolver_sp_handle():
    """As get_cublas_handle, of cuSOLVER for sparse matrices."""
    return Device().cusolver_sp_handle


def get_cusparse_handle():
    """As get_cublas_handle, of cuSPARSE."""
    return Device().cusparse_handle


def get_cutensor_handle():
    """As get_cublas_handle, of cuTENSOR."""
    return Device().cutensor_handle
