"""Device and questions about the current one."""

from tombac._core import Device

__all__ = ["Device", "get_compute_capability", "get_device_id"]


def get_device_id():
    """The number of the current device."""
    return Device().id


def get_compute_capability():
    """The compute capability of the current device, such as '90'."""
    return Device().compute_capability
