"""Device and questions about the current one."""

from tombac._core import Device

__all__ = [
    "Device", "get_compute_capability", "get_cublas_handle", "get_cusolver_handle", "get_cusolver_sp_handle",
    "get_cusparse_handle", "get_cutensor_handle", "get_device_id",
]


def get_device_id():
    """The number of the current device."""
    return Device().id


def get_compute_capability():
    """The compute capability of the current device, such as '90'."""
    return Device().compute_capability


def get_cublas_handle():
    """Not handed out: NotImplementedError."""
    return Device().cublas_handle


def get_cusolver_handle():
    """Not handed out: NotImplementedError."""
    return Device().cusolver_handle


def get_cusolver_sp_handle():
    """Not handed out: NotImplementedError."""
    return Device().cusolver_sp_handle


def get_cusparse_handle():
    """Not handed out: NotImplementedError."""
    return Device().cusparse_handle


def get_cutensor_handle():
    """Not handed out: NotImplementedError."""
    return Device().cutensor_handle
