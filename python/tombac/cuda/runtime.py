"""CUDA's run-time interface by CuPy's names: memory, devices, streams and events as plain numbers.

Pointers, streams, events and graphs are integers. Functions work on the current device. Whatever is deferred and may be
concerned is enqueued before memory is read or written. On the CPU backend device memory is the host's, and calls that
only make sense for a GPU raise CUDARuntimeError with the status CUDA has for "not supported" (801).

>>> p = tombac.cuda.runtime.malloc(64)
>>> tombac.cuda.runtime.memset(p, 0, 64)
>>> tombac.cuda.runtime.free(p)
"""

import ctypes as _ctypes
import struct as _struct

from tombac import _core
from tombac._core import CUDARuntimeError  # noqa: F401
from tombac.cuda._runtime_constants import *  # noqa: F403

is_hip = False
CUDA_VERSION = 0

_call = _core.runtime_call


def check_status(status):
    """Raises CUDARuntimeError for a status that is not zero.

    >>> tombac.cuda.runtime.check_status(0)
    """
    if status:
        raise CUDARuntimeError(status)


# ---- devices ----


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
    """An attribute of a device by its number in CUDA's list (the cudaDevAttr constants)."""
    return _core.device_attribute(device, attrib)


# Fields of cudaDeviceProp that are device attributes.
_PROPERTIES = {
    "sharedMemPerBlock": 8, "regsPerBlock": 12, "warpSize": 10, "memPitch": 11, "maxThreadsPerBlock": 1,
    "totalConstMem": 9, "clockRate": 13, "textureAlignment": 14, "texturePitchAlignment": 51, "deviceOverlap": 15,
    "multiProcessorCount": 16, "kernelExecTimeoutEnabled": 17, "integrated": 18, "canMapHostMemory": 19,
    "computeMode": 20, "maxTexture1D": 21, "maxSurface1D": 55, "surfaceAlignment": 30, "concurrentKernels": 31,
    "ECCEnabled": 32, "pciBusID": 33, "pciDeviceID": 34, "tccDriver": 35, "memoryClockRate": 36, "memoryBusWidth": 37,
    "l2CacheSize": 38, "maxThreadsPerMultiProcessor": 39, "asyncEngineCount": 40, "unifiedAddressing": 41,
    "pciDomainID": 50, "streamPrioritiesSupported": 78, "globalL1CacheSupported": 79, "localL1CacheSupported": 80,
    "sharedMemPerMultiprocessor": 81, "regsPerMultiprocessor": 82, "managedMemory": 83, "isMultiGpuBoard": 84,
    "multiGpuBoardGroupID": 85, "hostNativeAtomicSupported": 86, "singleToDoublePrecisionPerfRatio": 87,
    "pageableMemoryAccess": 88, "concurrentManagedAccess": 89, "computePreemptionSupported": 90,
    "canUseHostPointerForRegisteredMem": 91, "cooperativeLaunch": 95, "cooperativeMultiDeviceLaunch": 96,
    "sharedMemPerBlockOptin": 97, "pageableMemoryAccessUsesHostPageTables": 100, "directManagedMemAccessFromHost": 101,
    "maxBlocksPerMultiProcessor": 106, "persistingL2CacheMaxSize": 108, "accessPolicyMaxWindowSize": 109,
    "reservedSharedMemPerBlock": 111,
}
_TUPLES = {
    "maxThreadsDim": (2, 3, 4), "maxGridSize": (5, 6, 7), "maxTexture2D": (22, 23), "maxTexture3D": (24, 25, 26),
    "maxTexture1DLayered": (42, 43), "maxTexture2DLayered": (27, 28, 29), "maxSurface2D": (56, 57),
    "maxSurface3D": (58, 59, 60),
}


def _attribute(number, device):
    try:
        return _core.device_attribute(device, number)
    except (CUDARuntimeError, ValueError):
        return 0


def getDeviceProperties(device):
    """A dict of what is known of a device, by the names of cudaDeviceProp; the name is bytes, as in CuPy.

    What a device does not tell is 0.
    """
    d = _core.Device(device)
    p = {"name": d.name.encode(), "totalGlobalMem": d.mem_info[1]}
    p |= {name: _attribute(number, d.id) for name, number in _PROPERTIES.items()}
    p |= {name: tuple(_attribute(n, d.id) for n in numbers) for name, numbers in _TUPLES.items()}
    p["major"], p["minor"] = _attribute(75, d.id), _attribute(76, d.id)
    return p


def deviceGetPCIBusId(device):
    """The bus address of a device, such as '0000:1B:00.0'."""
    text = _ctypes.create_string_buffer(32)
    _call("deviceGetPCIBusId", device, _ctypes.addressof(text), len(text))
    return text.value.decode()


def deviceGetByPCIBusId(pciBusId):
    """The number of the device at a bus address."""
    text = _ctypes.create_string_buffer(pciBusId.encode())
    return _call("deviceGetByPCIBusId", _ctypes.addressof(text))


def deviceCanAccessPeer(device, peerDevice):
    """1 if a device can read another one's memory directly, else 0."""
    return _call("deviceCanAccessPeer", device, peerDevice)


def deviceEnablePeerAccess(peerDevice):
    """Lets the current device read another one's memory. CUDARuntimeError (704) if it can already."""
    _call("deviceEnablePeerAccess", peerDevice)


def deviceDisablePeerAccess(peerDevice):
    """Takes deviceEnablePeerAccess back."""
    _call("deviceDisablePeerAccess", peerDevice)


def deviceGetLimit(limit):
    """One of the device's limits, cudaLimit..., in bytes or as a number."""
    return _call("deviceGetLimit", limit)


def deviceSetLimit(limit, value):
    """Sets one of the device's limits, cudaLimit...."""
    _call("deviceSetLimit", limit, value)


def driverGetVersion():
    """The newest CUDA version that the driver supports, such as 12040; 0 on the CPU backend."""
    return _call("driverGetVersion")


def runtimeGetVersion():
    """The CUDA version of the run-time compiler in use, such as 12040; 0 on the CPU backend."""
    return _call("runtimeGetVersion")


# ---- memory ----


def malloc(size):
    """A pointer to ``size`` bytes of device memory, outside all pools; 0 for no bytes."""
    return _call("malloc", size)


def mallocManaged(size, flags=1):
    """A pointer to memory that the host and the devices share."""
    return _call("mallocManaged", size, flags)


def mallocAsync(size, stream):
    """A pointer to memory of the driver's pool, allocated in stream order."""
    return _call("mallocAsync", size, stream)


def mallocFromPoolAsync(size, pool, stream):
    """As mallocAsync, from the given pool of the driver."""
    return _call("mallocFromPoolAsync", size, pool, stream)


def free(ptr):
    """Gives memory of malloc or mallocManaged back."""
    _call("free", ptr)


def freeAsync(ptr, stream):
    """Gives memory of mallocAsync back, in stream order."""
    _call("freeAsync", ptr, stream)


def hostAlloc(size, flags=0):
    """A pointer to pinned memory of the host."""
    return _call("hostAlloc", size, flags)


def freeHost(ptr):
    """Gives memory of hostAlloc back."""
    _call("freeHost", ptr)


def hostRegister(ptr, size, flags=0):
    """Pins memory of the host."""
    _call("hostRegister", ptr, size, flags)


def hostUnregister(ptr):
    """Takes hostRegister back."""
    _call("hostUnregister", ptr)


def memcpy(dst, src, size, kind):
    """Copies ``size`` bytes and waits. ``kind``: memcpyHostToDevice and so on."""
    _call("memcpy", dst, src, size, kind)


def memcpyAsync(dst, src, size, kind, stream):
    """Copies ``size`` bytes in stream order."""
    _call("memcpyAsync", dst, src, size, kind, stream)


def memcpyPeer(dst, dstDevice, src, srcDevice, size):
    """Copies between devices and waits."""
    _call("memcpyPeer", dst, dstDevice, src, srcDevice, size)


def memcpyPeerAsync(dst, dstDevice, src, srcDevice, size, stream):
    """Copies between devices in stream order."""
    _call("memcpyPeerAsync", dst, dstDevice, src, srcDevice, size, stream)


def memcpy2D(dst, dpitch, src, spitch, width, height, kind):
    """Copies ``height`` rows of ``width`` bytes that start ``pitch`` bytes apart, and waits."""
    _call("memcpy2D", dst, dpitch, src, spitch, width, height, kind)


def memcpy2DAsync(dst, dpitch, src, spitch, width, height, kind, stream):
    """As memcpy2D, in stream order."""
    _call("memcpy2DAsync", dst, dpitch, src, spitch, width, height, kind, stream)


def memset(ptr, value, size):
    """Sets ``size`` bytes to ``value``."""
    _call("memset", ptr, value, size)


def memsetAsync(ptr, value, size, stream):
    """As memset, in stream order."""
    _call("memsetAsync", ptr, value, size, stream)


def memPrefetchAsync(devPtr, count, dstDevice, stream):
    """Moves managed memory to a device (cudaCpuDeviceId: to the host) ahead of its use."""
    _call("memPrefetchAsync", devPtr, count, dstDevice, stream)


def memAdvise(devPtr, count, advice, device):
    """Tells how managed memory will be used: cudaMemAdvise...."""
    _call("memAdvise", devPtr, count, advice, device)


# ---- arrays, textures, surfaces: structures of CUDA are given by their addresses ----


def mallocArray(desc, width, height=0, flags=0):
    """An array of one or two dimensions for textures; ``desc`` is the address of a cudaChannelFormatDesc.

    Such as the ``ptr`` of a texture.ChannelFormatDescriptor.
    """
    return _call("arrayCreate", desc, width, height, 0, flags)


def malloc3DArray(desc, width, height, depth, flags=0):
    """As mallocArray, of up to three dimensions; those that are 0 are none."""
    return _call("arrayCreate", desc, width, height, depth, flags)


def freeArray(array):
    """Gives an array of mallocArray or malloc3DArray back."""
    _call("arrayDestroy", array)


def mallocMipmappedArray(desc, width, height, depth, levels, flags=0):
    """A mipmapped array: each level has half the extents of the one before, but at least 1.

    There are no more levels than down to one element.
    """
    return _call("mipmapCreate", desc, width, height, depth, levels, flags)


def getMipmappedArrayLevel(mipmappedArray, level):
    """A level as an array, which goes with the mipmapped array."""
    return _call("mipmapLevel", mipmappedArray, level)


def freeMipmappedArray(mipmappedArray):
    """Gives an array of mallocMipmappedArray back."""
    _call("mipmapDestroy", mipmappedArray)


def memcpy3D(copy):
    """Copies a part of an array or of memory; ``copy`` is the address of a cudaMemcpy3DParms."""
    _call("memcpy3D", copy)


def memcpy3DAsync(copy, stream):
    """As memcpy3D, in stream order."""
    _call("memcpy3DAsync", copy, stream)


# The sides of a cudaMemcpy3DParms: array, position, and memory by rows.


def _copy_array(array, x=0, y=0):
    return (array, x, y, 0, 0, 0, 0, 0)


def _copy_memory(ptr, pitch, rows):
    return (0, 0, 0, 0, ptr, pitch, pitch, rows)


def _copy_part(src, dst, extent, kind, stream=None):
    packed = _struct.pack("8Q8Q3Qi4x", *src, *dst, *extent, kind)
    copy = _ctypes.create_string_buffer(packed, len(packed))
    if stream is None:
        memcpy3D(_ctypes.addressof(copy))
    else:
        memcpy3DAsync(_ctypes.addressof(copy), stream)


def _in_elements(array, offset, width):
    size = _call("arrayElementSize", array)
    if offset % size or width % size:
        raise CUDARuntimeError(errorInvalidValue)  # noqa: F405
    return offset // size, width // size


def memcpy2DToArray(dst, wOffset, hOffset, src, spitch, width, height, kind):
    """Copies ``height`` rows of ``width`` bytes to an array, from byte ``wOffset`` of row ``hOffset`` on, and waits."""
    memcpy2DToArrayAsync(dst, wOffset, hOffset, src, spitch, width, height, kind, None)


def memcpy2DToArrayAsync(dst, wOffset, hOffset, src, spitch, width, height, kind, stream):
    """As memcpy2DToArray, in stream order."""
    x, n = _in_elements(dst, wOffset, width)
    _copy_part(_copy_memory(src, spitch, height), _copy_array(dst, x, hOffset), (n, height, 1), kind, stream)


def memcpy2DFromArray(dst, dpitch, src, wOffset, hOffset, width, height, kind):
    """Copies ``height`` rows of ``width`` bytes of an array, from byte ``wOffset`` of row ``hOffset`` on, and waits."""
    memcpy2DFromArrayAsync(dst, dpitch, src, wOffset, hOffset, width, height, kind, None)


def memcpy2DFromArrayAsync(dst, dpitch, src, wOffset, hOffset, width, height, kind, stream):
    """As memcpy2DFromArray, in stream order."""
    x, n = _in_elements(src, wOffset, width)
    _copy_part(_copy_array(src, x, hOffset), _copy_memory(dst, dpitch, height), (n, height, 1), kind, stream)


def createTextureObject(ResDesc, TexDesc):
    """A texture object; the addresses of a cudaResourceDesc and a cudaTextureDesc."""
    return _call("textureCreate", ResDesc, TexDesc)


def destroyTextureObject(texObject):
    """Destroys a texture object."""
    _call("textureDestroy", texObject)


def createSurfaceObject(ResDesc):
    """A surface object; the address of a cudaResourceDesc of an array."""
    return _call("surfaceCreate", ResDesc)


def destroySurfaceObject(surfObject):
    """Destroys a surface object."""
    _call("surfaceDestroy", surfObject)


class PointerAttributes:
    """What is known of a pointer: ``device`` (number), ``devicePointer``, ``hostPointer``, ``type`` (memoryType...)."""

    def __init__(self, device, devicePointer, hostPointer, type=-1):
        self.device, self.devicePointer, self.hostPointer, self.type = device, devicePointer, hostPointer, type

    def __repr__(self):
        return (
            f"PointerAttributes(device={self.device}, devicePointer={self.devicePointer}, "
            f"hostPointer={self.hostPointer}, type={self.type})"
        )


def pointerGetAttributes(ptr):
    """PointerAttributes of an address; of ordinary host memory the type is memoryTypeUnregistered."""
    kind, device, on_device, on_host = _call("pointerGetAttributes", ptr)
    return PointerAttributes(device, on_device, on_host, kind)


def pointerGetMemoryType(ptr):
    """The type of memory an address is in: memoryType...."""
    return _call("pointerGetAttributes", ptr)[0]


# ---- the driver's memory pools ----


class MemPoolProps:
    """Properties of a pool for memPoolCreate: cudaMemAllocationType, cudaMemHandleType, cudaMemLocationType, device."""

    def __init__(self, allocType=1, handleType=0, locationType=1, devId=0):
        self.allocType, self.handleType, self.locationType, self.devId = allocType, handleType, locationType, devId


def memPoolCreate(props):
    """A stream-ordered pool with the given MemPoolProps."""
    return _call("memPoolCreate", props.allocType, props.handleType, props.locationType, props.devId, 0)


def memPoolDestroy(pool):
    """Destroys a pool. Memory that was taken from it stays valid until it is freed."""
    _call("memPoolDestroy", pool)


def memPoolTrimTo(pool, size):
    """Gives memory back to the device until the pool holds ``size`` bytes."""
    _call("memPoolTrimTo", pool, size)


def memPoolGetAttribute(pool, attr):
    """One of a pool's attributes, cudaMemPoolAttr... or cudaMemPoolReuse...."""
    return _call("memPoolGetAttribute", pool, attr) % 2**64


def memPoolSetAttribute(pool, attr, value):
    """Sets one of a pool's attributes: reuse by stream order, the release threshold in bytes; high watermarks to 0."""
    _call("memPoolSetAttribute", pool, attr, int(value))


def deviceGetDefaultMemPool(device):
    """The pool that a device starts with."""
    return _call("deviceGetDefaultMemPool", device)


def deviceGetMemPool(device):
    """The pool that a device uses."""
    return _call("deviceGetMemPool", device)


def deviceSetMemPool(device, pool):
    """Sets the pool that a device uses."""
    _call("deviceSetMemPool", device, pool)


# ---- other processes ----


def ipcGetMemHandle(devPtr):
    """64 bytes by which another process can open the whole block of device memory that an address is in.

    Arrays' blocks are parts of the pool's, whose start is what the other process gets. On the CPU backend no other
    thread may write to the memory during the call, and the other process must be the same user's.

    Raises:
        CUDARuntimeError: It is not device memory, or comes from mallocAsync.
    """
    handle = _ctypes.create_string_buffer(64)
    _call("ipcGetMemHandle", devPtr, _ctypes.addressof(handle))
    return handle.raw


def ipcOpenMemHandle(handle, flags=1):
    """A pointer to the start of the memory that another process gave a handle of.

    Raises:
        CUDARuntimeError: The handle is this process's own, or nothing is behind it any more.
    """
    buffer = _ctypes.create_string_buffer(bytes(handle), 64)
    return _call("ipcOpenMemHandle", _ctypes.addressof(buffer), flags)


def ipcCloseMemHandle(devPtr):
    """Closes what ipcOpenMemHandle opened, as often as it did."""
    _call("ipcCloseMemHandle", devPtr)


def ipcGetEventHandle(event):
    """Bytes by which another process can open an interprocess event."""
    handle = _ctypes.create_string_buffer(64)
    _call("ipcGetEventHandle", event, _ctypes.addressof(handle))
    return handle.raw


def ipcOpenEventHandle(handle):
    """The event that another process gave a handle of."""
    buffer = _ctypes.create_string_buffer(bytes(handle), 64)
    return _call("ipcOpenEventHandle", _ctypes.addressof(buffer))


# ---- streams ----


def _stream(ptr):
    return _core.ExternalStream(ptr) if ptr else _core.Stream.null


def streamCreate():
    """A new stream."""
    return _call("streamCreate", 0, 0)


def streamCreateWithFlags(flags):
    """A new stream; ``flags``: streamDefault or streamNonBlocking."""
    return _call("streamCreate", flags, 0)


def streamCreateWithPriority(flags, priority):
    """A new stream with a priority; lower runs first."""
    return _call("streamCreate", flags, priority)


def streamDestroy(stream):
    """Destroys a stream of streamCreate; work that was given to it is still done."""
    _call("streamDestroy", stream)


def streamGetFlags(stream):
    """streamNonBlocking or streamDefault."""
    return int(_stream(stream).is_non_blocking)


def streamGetPriority(stream):
    """The stream's priority."""
    return _stream(stream).priority


def streamSynchronize(stream):
    """Waits for the stream with the given handle (0 is the null stream), what is deferred on it included."""
    _stream(stream).synchronize()


def streamQuery(stream):
    """0 if the stream's work is done, else 600 (not ready)."""
    return 0 if _stream(stream).done else errorNotReady  # noqa: F405


def streamWaitEvent(stream, event, flags=0):
    """Later work of the stream waits for the event."""
    _stream(stream).wait_event(_core.event_from_handle(event))


def launchHostFunc(stream, callback, arg):
    """Calls callback(arg) when the stream's work is done, on another thread."""
    _stream(stream).launch_host_func(callback, arg)


def streamAddCallback(stream, callback, arg, flags=0):
    """Calls callback(stream, status, arg) when the stream's work is done, on another thread."""
    if not callable(callback):
        raise TypeError(f"streamAddCallback: the callback must be callable, not {type(callback)}")
    _stream(stream).launch_host_func(lambda a: callback(stream, 0, a), arg)


def streamBeginCapture(stream, mode=2):
    """Begins recording the stream's work; ``mode``: streamCaptureMode...."""
    _stream(stream).begin_capture(mode)


def streamEndCapture(stream):
    """Ends the recording. Gives a number for graphInstantiate and graphDestroy."""
    graph = _stream(stream).end_capture()
    _graphs[graph.graph] = graph
    return graph.graph


def streamIsCapturing(stream):
    """Whether the stream's work is being recorded."""
    return _stream(stream).is_capturing()


# ---- events ----


def eventCreate():
    """A new event."""
    return _call("eventCreate", 0)


def eventCreateWithFlags(flags):
    """A new event; ``flags``: eventBlockingSync, eventDisableTiming, eventInterprocess."""
    return _call("eventCreate", flags)


def eventDestroy(event):
    """Destroys an event."""
    _call("eventDestroy", event)


def eventRecord(event, stream):
    """Records an event in a stream."""
    _core.event_from_handle(event).record(_stream(stream))


def eventSynchronize(event):
    """Waits for an event."""
    _core.event_from_handle(event).synchronize()


def eventQuery(event):
    """0 if the event has been reached, else 600 (not ready)."""
    return 0 if _core.event_from_handle(event).done else errorNotReady  # noqa: F405


def eventElapsedTime(start, end):
    """Milliseconds between two events."""
    return _core.get_elapsed_time(_core.event_from_handle(start), _core.event_from_handle(end))


# ---- graphs: numbers for Graph objects, which the library keeps by the number of the graph ----

_graphs = {}
_executables = {}


def _known(table, number):
    if number not in table:
        raise CUDARuntimeError(errorInvalidValue)  # noqa: F405
    return table[number]


def graphInstantiate(graph):
    """What graphLaunch takes, of a graph."""
    found = _known(_graphs, graph)
    _executables[found.graphExec] = found
    return found.graphExec


def graphLaunch(graphExec, stream):
    """Launches a graph in a stream."""
    _known(_executables, graphExec).launch(_stream(stream))


def graphUpload(graphExec, stream):
    """Brings a graph to the device."""
    _known(_executables, graphExec).upload(_stream(stream))


def graphDestroy(graph):
    """Lets go of a graph."""
    _known(_graphs, graph)
    del _graphs[graph]


def graphExecDestroy(graphExec):
    """Lets go of what graphInstantiate gave."""
    _known(_executables, graphExec)
    del _executables[graphExec]


def graphDebugDotPrint(graph, path, flags=0):
    """Writes a graph's drawing for Graphviz to a file."""
    _known(_graphs, graph)._dot(path, flags)


# ---- profiling ----


def profilerStart():
    """Lets a profiler that is attached collect from here on."""
    _call("profilerStart")


def profilerStop():
    """Lets a profiler that is attached stop collecting."""
    _call("profilerStop")


__all__ = [name for name in globals() if not name.startswith("_")]
