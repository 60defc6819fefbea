"""The part of CUDA's runtime interface that programs use directly, by CuPy's names."""

from tombac import _core
from tombac._core import CUDARuntimeError  # noqa: F401

is_hip = False
CUDA_VERSION = 0

# Values of CUDA's own enumerations.
memcpyHostToHost, memcpyHostToDevice, memcpyDeviceToHost, memcpyDeviceToDevice, memcpyDefault = range(5)
hostAllocDefault, hostAllocPortable, hostAllocMapped, hostAllocWriteCombined = 0, 1, 2, 4
streamDefault, streamNonBlocking, streamLegacy, streamPerThread = 0, 1, 1, 2
eventDefault, eventBlockingSync, eventDisableTiming, eventInterprocess = 0, 1, 2, 4
memoryTypeUnregistered, memoryTypeHost, memoryTypeDevice, memoryTypeManaged = range(4)
memAttachGlobal, memAttachHost, memAttachSingle = 1, 2, 4
errorInvalidValue, errorMemoryAllocation, errorNotReady, errorPeerAccessAlreadyEnabled = 1, 2, 600, 704
deviceAttributeComputeCapabilityMajor, deviceAttributeComputeCapabilityMinor = 75, 76


def getDeviceCount():
    """Number of devices."""
    return _core.device_count()


def getDevice():
    """Number of the current device."""
    return _core.Device().id


def setDevice(device):
    """Makes a device the calling thread's current one."""
    _core.Device(device).use()


def deviceSynchronize():
    """Waits for everything on the current device, what is deferred included."""
    _core.Device().synchronize()


def memGetInfo():
    """(free, total) bytes of the current device."""
    return _core.Device().mem_info


def deviceGetAttribute(attrib, device):
    """An attribute of a device by its number in CUDA's list."""
    return _core.device_attribute(device, attrib)


def getDeviceProperties(device):
    """A dict of what is known of a device, by the names of cudaDeviceProp; the name is bytes, as in CuPy."""
    d = _core.Device(device)
    a = d.attributes
    major, minor = a.get("ComputeCapabilityMajor", 0), a.get("ComputeCapabilityMinor", 0)
    names = {
        "sharedMemPerBlock": "MaxSharedMemoryPerBlock", "regsPerBlock": "MaxRegistersPerBlock", "warpSize": "WarpSize",
        "memPitch": "MaxPitch", "maxThreadsPerBlock": "MaxThreadsPerBlock", "totalConstMem": "TotalConstantMemory",
        "clockRate": "ClockRate", "textureAlignment": "TextureAlignment", "multiProcessorCount": "MultiProcessorCount",
        "integrated": "Integrated", "canMapHostMemory": "CanMapHostMemory", "computeMode": "ComputeMode",
        "concurrentKernels": "ConcurrentKernels", "ECCEnabled": "EccEnabled", "pciBusID": "PciBusId",
        "pciDeviceID": "PciDeviceId", "pciDomainID": "PciDomainId", "memoryClockRate": "MemoryClockRate",
        "memoryBusWidth": "GlobalMemoryBusWidth", "l2CacheSize": "L2CacheSize", "asyncEngineCount": "AsyncEngineCount",
        "maxThreadsPerMultiProcessor": "MaxThreadsPerMultiProcessor", "unifiedAddressing": "UnifiedAddressing",
        "sharedMemPerMultiprocessor": "MaxSharedMemoryPerMultiprocessor",
        "regsPerMultiprocessor": "MaxRegistersPerMultiprocessor", "managedMemory": "ManagedMemory",
        "cooperativeLaunch": "CooperativeLaunch", "sharedMemPerBlockOptin": "MaxSharedMemoryPerBlockOptin",
    }
    p = {name: a.get(attribute, 0) for name, attribute in names.items()}
    p |= {"name": d.name.encode(), "totalGlobalMem": d.mem_info[1], "major": major, "minor": minor}
    p["maxThreadsDim"] = tuple(a.get(f"MaxBlockDim{c}", 0) for c in "XYZ")
    p["maxGridSize"] = tuple(a.get(f"MaxGridDim{c}", 0) for c in "XYZ")
    return p


def streamSynchronize(stream):
    """Waits for the stream with the given handle (0 is the null stream), what is deferred on it included."""
    _core.ExternalStream(stream).synchronize() if stream else _core.Stream.null.synchronize()


def driverGetVersion():
    """The newest CUDA version that the driver supports, such as 12040; 0 on the CPU backend."""
    return _version(r"for CUDA (\d+)\.(\d+)")


def runtimeGetVersion():
    """The CUDA version of the run-time compiler in use, such as 12040; 0 on the CPU backend."""
    return _version(r"NVRTC version: (\d+)\.(\d+)")


def _version(pattern):
    """A version out of the text of show_config, as CUDA writes versions in numbers."""
    import re

    found = re.search(pattern, _core.config_text()) if _core.backend() == "cuda" else None
    return int(found[1]) * 1000 + int(found[2]) * 10 if found else 0


__all__ = [name for name in globals() if not name.startswith("_")]
