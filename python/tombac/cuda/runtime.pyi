# Made by tools/stubs.py of the signatures and docstrings of tombac.cuda.runtime.
import builtins
import types as _types
import typing as _typing

import numpy as _np
import numpy.typing as _npt

class CUDARuntimeError(builtins.RuntimeError):
    def __init__(self, status: _typing.Any) -> None: ...
    status: builtins.int
CUDA_C_16F: builtins.int
CUDA_C_32F: builtins.int
CUDA_C_64F: builtins.int
CUDA_C_8I: builtins.int
CUDA_C_8U: builtins.int
CUDA_R_16BF: builtins.int
CUDA_R_16F: builtins.int
CUDA_R_32F: builtins.int
CUDA_R_64F: builtins.int
CUDA_R_8I: builtins.int
CUDA_R_8U: builtins.int
CUDA_VERSION: builtins.int
class MemPoolProps:
    allocType: _typing.Any
    devId: _typing.Any
    handleType: _typing.Any
    locationType: _typing.Any
    def __init__(self, allocType: builtins.int = 1, handleType: builtins.int = 0, locationType: builtins.int = 1, devId: builtins.int = 0) -> None: ...
class PointerAttributes:
    device: _typing.Any
    devicePointer: _typing.Any
    hostPointer: _typing.Any
    type: _typing.Any
    def __init__(self, device: _typing.Any, devicePointer: _typing.Any, hostPointer: _typing.Any, type: builtins.int = -1) -> None: ...
def check_status(status: _typing.Any) -> _typing.Any: ...
def createSurfaceObject(ResDesc: _typing.Any) -> _typing.Any: ...
def createTextureObject(ResDesc: _typing.Any, TexDesc: _typing.Any) -> _typing.Any: ...
cudaAddressModeBorder: builtins.int
cudaAddressModeClamp: builtins.int
cudaAddressModeMirror: builtins.int
cudaAddressModeWrap: builtins.int
cudaArrayCubemap: builtins.int
cudaArrayDefault: builtins.int
cudaArrayLayered: builtins.int
cudaArraySurfaceLoadStore: builtins.int
cudaArrayTextureGather: builtins.int
cudaChannelFormatKindFloat: builtins.int
cudaChannelFormatKindNone: builtins.int
cudaChannelFormatKindSigned: builtins.int
cudaChannelFormatKindUnsigned: builtins.int
cudaCpuDeviceId: builtins.int
cudaDevAttrAsyncEngineCount: builtins.int
cudaDevAttrCanFlushRemoteWrites: builtins.int
cudaDevAttrCanMapHostMemory: builtins.int
cudaDevAttrCanUseHostPointerForRegisteredMem: builtins.int
cudaDevAttrClockRate: builtins.int
cudaDevAttrComputeCapabilityMajor: builtins.int
cudaDevAttrComputeCapabilityMinor: builtins.int
cudaDevAttrComputeMode: builtins.int
cudaDevAttrComputePreemptionSupported: builtins.int
cudaDevAttrConcurrentKernels: builtins.int
cudaDevAttrConcurrentManagedAccess: builtins.int
cudaDevAttrCooperativeLaunch: builtins.int
cudaDevAttrCooperativeMultiDeviceLaunch: builtins.int
cudaDevAttrDirectManagedMemAccessFromHost: builtins.int
cudaDevAttrEccEnabled: builtins.int
cudaDevAttrGPUDirectRDMAFlushWritesOptions: builtins.int
cudaDevAttrGPUDirectRDMASupported: builtins.int
cudaDevAttrGPUDirectRDMAWritesOrdering: builtins.int
cudaDevAttrGlobalL1CacheSupported: builtins.int
cudaDevAttrGlobalMemoryBusWidth: builtins.int
cudaDevAttrGpuOverlap: builtins.int
cudaDevAttrHostNativeAtomicSupported: builtins.int
cudaDevAttrHostRegisterReadOnlySupported: builtins.int
cudaDevAttrHostRegisterSupported: builtins.int
cudaDevAttrIntegrated: builtins.int
cudaDevAttrIsMultiGpuBoard: builtins.int
cudaDevAttrKernelExecTimeout: builtins.int
cudaDevAttrL2CacheSize: builtins.int
cudaDevAttrLocalL1CacheSupported: builtins.int
cudaDevAttrManagedMemory: builtins.int
cudaDevAttrMaxBlockDimX: builtins.int
cudaDevAttrMaxBlockDimY: builtins.int
cudaDevAttrMaxBlockDimZ: builtins.int
cudaDevAttrMaxBlocksPerMultiprocessor: builtins.int
cudaDevAttrMaxGridDimX: builtins.int
cudaDevAttrMaxGridDimY: builtins.int
cudaDevAttrMaxGridDimZ: builtins.int
cudaDevAttrMaxPitch: builtins.int
cudaDevAttrMaxRegistersPerBlock: builtins.int
cudaDevAttrMaxRegistersPerMultiprocessor: builtins.int
cudaDevAttrMaxSharedMemoryPerBlock: builtins.int
cudaDevAttrMaxSharedMemoryPerBlockOptin: builtins.int
cudaDevAttrMaxSharedMemoryPerMultiprocessor: builtins.int
cudaDevAttrMaxSurface1DLayeredLayers: builtins.int
cudaDevAttrMaxSurface1DLayeredWidth: builtins.int
cudaDevAttrMaxSurface1DWidth: builtins.int
cudaDevAttrMaxSurface2DHeight: builtins.int
cudaDevAttrMaxSurface2DLayeredHeight: builtins.int
cudaDevAttrMaxSurface2DLayeredLayers: builtins.int
cudaDevAttrMaxSurface2DLayeredWidth: builtins.int
cudaDevAttrMaxSurface2DWidth: builtins.int
cudaDevAttrMaxSurface3DDepth: builtins.int
cudaDevAttrMaxSurface3DHeight: builtins.int
cudaDevAttrMaxSurface3DWidth: builtins.int
cudaDevAttrMaxSurfaceCubemapLayeredLayers: builtins.int
cudaDevAttrMaxSurfaceCubemapLayeredWidth: builtins.int
cudaDevAttrMaxSurfaceCubemapWidth: builtins.int
cudaDevAttrMaxTexture1DLayeredLayers: builtins.int
cudaDevAttrMaxTexture1DLayeredWidth: builtins.int
cudaDevAttrMaxTexture1DLinearWidth: builtins.int
cudaDevAttrMaxTexture1DMipmappedWidth: builtins.int
cudaDevAttrMaxTexture1DWidth: builtins.int
cudaDevAttrMaxTexture2DGatherHeight: builtins.int
cudaDevAttrMaxTexture2DGatherWidth: builtins.int
cudaDevAttrMaxTexture2DHeight: builtins.int
cudaDevAttrMaxTexture2DLayeredHeight: builtins.int
cudaDevAttrMaxTexture2DLayeredLayers: builtins.int
cudaDevAttrMaxTexture2DLayeredWidth: builtins.int
cudaDevAttrMaxTexture2DLinearHeight: builtins.int
cudaDevAttrMaxTexture2DLinearPitch: builtins.int
cudaDevAttrMaxTexture2DLinearWidth: builtins.int
cudaDevAttrMaxTexture2DMipmappedHeight: builtins.int
cudaDevAttrMaxTexture2DMipmappedWidth: builtins.int
cudaDevAttrMaxTexture2DWidth: builtins.int
cudaDevAttrMaxTexture3DDepth: builtins.int
cudaDevAttrMaxTexture3DDepthAlt: builtins.int
cudaDevAttrMaxTexture3DHeight: builtins.int
cudaDevAttrMaxTexture3DHeightAlt: builtins.int
cudaDevAttrMaxTexture3DWidth: builtins.int
cudaDevAttrMaxTexture3DWidthAlt: builtins.int
cudaDevAttrMaxTextureCubemapLayeredLayers: builtins.int
cudaDevAttrMaxTextureCubemapLayeredWidth: builtins.int
cudaDevAttrMaxTextureCubemapWidth: builtins.int
cudaDevAttrMaxThreadsPerBlock: builtins.int
cudaDevAttrMaxThreadsPerMultiProcessor: builtins.int
cudaDevAttrMaxTimelineSemaphoreInteropSupported: builtins.int
cudaDevAttrMemoryClockRate: builtins.int
cudaDevAttrMemoryPoolSupportedHandleTypes: builtins.int
cudaDevAttrMemoryPoolsSupported: builtins.int
cudaDevAttrMultiGpuBoardGroupID: builtins.int
cudaDevAttrMultiProcessorCount: builtins.int
cudaDevAttrPageableMemoryAccess: builtins.int
cudaDevAttrPageableMemoryAccessUsesHostPageTables: builtins.int
cudaDevAttrPciBusId: builtins.int
cudaDevAttrPciDeviceId: builtins.int
cudaDevAttrPciDomainId: builtins.int
cudaDevAttrReserved92: builtins.int
cudaDevAttrReserved93: builtins.int
cudaDevAttrReserved94: builtins.int
cudaDevAttrReservedSharedMemoryPerBlock: builtins.int
cudaDevAttrSingleToDoublePrecisionPerfRatio: builtins.int
cudaDevAttrSparseCudaArraySupported: builtins.int
cudaDevAttrStreamPrioritiesSupported: builtins.int
cudaDevAttrSurfaceAlignment: builtins.int
cudaDevAttrTccDriver: builtins.int
cudaDevAttrTextureAlignment: builtins.int
cudaDevAttrTexturePitchAlignment: builtins.int
cudaDevAttrTotalConstantMemory: builtins.int
cudaDevAttrUnifiedAddressing: builtins.int
cudaDevAttrWarpSize: builtins.int
cudaFilterModeLinear: builtins.int
cudaFilterModePoint: builtins.int
cudaGraphDebugDotFlagsConditionalNodeParams: builtins.int
cudaGraphDebugDotFlagsEventNodeParams: builtins.int
cudaGraphDebugDotFlagsExtSemasSignalNodeParams: builtins.int
cudaGraphDebugDotFlagsExtSemasWaitNodeParams: builtins.int
cudaGraphDebugDotFlagsHandles: builtins.int
cudaGraphDebugDotFlagsHostNodeParams: builtins.int
cudaGraphDebugDotFlagsKernelNodeAttributes: builtins.int
cudaGraphDebugDotFlagsKernelNodeParams: builtins.int
cudaGraphDebugDotFlagsMemcpyNodeParams: builtins.int
cudaGraphDebugDotFlagsMemsetNodeParams: builtins.int
cudaGraphDebugDotFlagsVerbose: builtins.int
cudaInvalidDeviceId: builtins.int
cudaIpcMemLazyEnablePeerAccess: builtins.int
cudaLimitDevRuntimePendingLaunchCount: builtins.int
cudaLimitDevRuntimeSyncDepth: builtins.int
cudaLimitMallocHeapSize: builtins.int
cudaLimitMaxL2FetchGranularity: builtins.int
cudaLimitPrintfFifoSize: builtins.int
cudaLimitStackSize: builtins.int
cudaMemAdviseSetAccessedBy: builtins.int
cudaMemAdviseSetPreferredLocation: builtins.int
cudaMemAdviseSetReadMostly: builtins.int
cudaMemAdviseUnsetAccessedBy: builtins.int
cudaMemAdviseUnsetPreferredLocation: builtins.int
cudaMemAdviseUnsetReadMostly: builtins.int
cudaMemAllocationTypePinned: builtins.int
cudaMemAttachGlobal: builtins.int
cudaMemAttachHost: builtins.int
cudaMemAttachSingle: builtins.int
cudaMemHandleTypeNone: builtins.int
cudaMemHandleTypePosixFileDescriptor: builtins.int
cudaMemLocationTypeDevice: builtins.int
cudaMemLocationTypeHost: builtins.int
cudaMemLocationTypeHostNuma: builtins.int
cudaMemLocationTypeHostNumaCurrent: builtins.int
cudaMemLocationTypeInvalid: builtins.int
cudaMemPoolAttrReleaseThreshold: builtins.int
cudaMemPoolAttrReservedMemCurrent: builtins.int
cudaMemPoolAttrReservedMemHigh: builtins.int
cudaMemPoolAttrUsedMemCurrent: builtins.int
cudaMemPoolAttrUsedMemHigh: builtins.int
cudaMemPoolReuseAllowInternalDependencies: builtins.int
cudaMemPoolReuseAllowOpportunistic: builtins.int
cudaMemPoolReuseFollowEventDependencies: builtins.int
cudaMemoryTypeDevice: builtins.int
cudaMemoryTypeHost: builtins.int
cudaReadModeElementType: builtins.int
cudaReadModeNormalizedFloat: builtins.int
cudaResourceTypeArray: builtins.int
cudaResourceTypeLinear: builtins.int
cudaResourceTypeMipmappedArray: builtins.int
cudaResourceTypePitch2D: builtins.int
def destroySurfaceObject(surfObject: _typing.Any) -> _typing.Any: ...
def destroyTextureObject(texObject: _typing.Any) -> _typing.Any: ...
deviceAttributeComputeCapabilityMajor: builtins.int
deviceAttributeComputeCapabilityMinor: builtins.int
def deviceCanAccessPeer(device: _typing.Any, peerDevice: _typing.Any) -> _typing.Any: ...
def deviceDisablePeerAccess(peerDevice: _typing.Any) -> _typing.Any: ...
def deviceEnablePeerAccess(peerDevice: _typing.Any) -> _typing.Any: ...
def deviceGetAttribute(attrib: _typing.Any, device: _typing.Any) -> _typing.Any: ...
def deviceGetByPCIBusId(pciBusId: _typing.Any) -> _typing.Any: ...
def deviceGetDefaultMemPool(device: _typing.Any) -> _typing.Any: ...
def deviceGetLimit(limit: _typing.Any) -> _typing.Any: ...
def deviceGetMemPool(device: _typing.Any) -> _typing.Any: ...
def deviceGetPCIBusId(device: _typing.Any) -> _typing.Any: ...
def deviceSetLimit(limit: _typing.Any, value: _typing.Any) -> _typing.Any: ...
def deviceSetMemPool(device: _typing.Any, pool: _typing.Any) -> _typing.Any: ...
def deviceSynchronize() -> _typing.Any: ...
def driverGetVersion() -> _typing.Any: ...
errorContextIsDestroyed: builtins.int
errorInvalidValue: builtins.int
errorMemoryAllocation: builtins.int
errorNotReady: builtins.int
errorPeerAccessAlreadyEnabled: builtins.int
errorStreamCaptureUnsupported: builtins.int
eventBlockingSync: builtins.int
def eventCreate() -> _typing.Any: ...
def eventCreateWithFlags(flags: _typing.Any) -> _typing.Any: ...
eventDefault: builtins.int
def eventDestroy(event: _typing.Any) -> _typing.Any: ...
eventDisableTiming: builtins.int
def eventElapsedTime(start: _typing.Any, end: _typing.Any) -> _typing.Any: ...
eventInterprocess: builtins.int
def eventQuery(event: _typing.Any) -> _typing.Any: ...
def eventRecord(event: _typing.Any, stream: _typing.Any) -> _typing.Any: ...
def eventSynchronize(event: _typing.Any) -> _typing.Any: ...
def free(ptr: _typing.Any) -> _typing.Any: ...
def freeArray(array: _typing.Any) -> _typing.Any: ...
def freeAsync(ptr: _typing.Any, stream: _typing.Any) -> _typing.Any: ...
def freeHost(ptr: _typing.Any) -> _typing.Any: ...
def freeMipmappedArray(mipmappedArray: _typing.Any) -> _typing.Any: ...
def getDevice() -> _typing.Any: ...
def getDeviceCount() -> _typing.Any: ...
def getDeviceProperties(device: _typing.Any) -> _typing.Any: ...
def getMipmappedArrayLevel(mipmappedArray: _typing.Any, level: _typing.Any) -> _typing.Any: ...
def graphDebugDotPrint(graph: _typing.Any, path: _typing.Any, flags: builtins.int = 0) -> _typing.Any: ...
def graphDestroy(graph: _typing.Any) -> _typing.Any: ...
def graphExecDestroy(graphExec: _typing.Any) -> _typing.Any: ...
def graphInstantiate(graph: _typing.Any) -> _typing.Any: ...
def graphLaunch(graphExec: _typing.Any, stream: _typing.Any) -> _typing.Any: ...
def graphUpload(graphExec: _typing.Any, stream: _typing.Any) -> _typing.Any: ...
def hostAlloc(size: _typing.Any, flags: builtins.int = 0) -> _typing.Any: ...
hostAllocDefault: builtins.int
hostAllocMapped: builtins.int
hostAllocPortable: builtins.int
hostAllocWriteCombined: builtins.int
def hostRegister(ptr: _typing.Any, size: _typing.Any, flags: builtins.int = 0) -> _typing.Any: ...
def hostUnregister(ptr: _typing.Any) -> _typing.Any: ...
def ipcCloseMemHandle(devPtr: _typing.Any) -> _typing.Any: ...
def ipcGetEventHandle(event: _typing.Any) -> _typing.Any: ...
def ipcGetMemHandle(devPtr: _typing.Any) -> _typing.Any: ...
def ipcOpenEventHandle(handle: _typing.Any) -> _typing.Any: ...
def ipcOpenMemHandle(handle: _typing.Any, flags: builtins.int = 1) -> _typing.Any: ...
is_hip: builtins.bool
def launchHostFunc(stream: _typing.Any, callback: _typing.Any, arg: _typing.Any) -> _typing.Any: ...
def malloc(size: _typing.Any) -> _typing.Any: ...
def malloc3DArray(desc: _typing.Any, width: _typing.Any, height: _typing.Any, depth: _typing.Any, flags: builtins.int = 0) -> _typing.Any: ...
def mallocArray(desc: _typing.Any, width: _typing.Any, height: builtins.int = 0, flags: builtins.int = 0) -> _typing.Any: ...
def mallocAsync(size: _typing.Any, stream: _typing.Any) -> _typing.Any: ...
def mallocFromPoolAsync(size: _typing.Any, pool: _typing.Any, stream: _typing.Any) -> _typing.Any: ...
def mallocManaged(size: _typing.Any, flags: builtins.int = 1) -> _typing.Any: ...
def mallocMipmappedArray(desc: _typing.Any, width: _typing.Any, height: _typing.Any, depth: _typing.Any, levels: _typing.Any, flags: builtins.int = 0) -> _typing.Any: ...
def memAdvise(devPtr: _typing.Any, count: _typing.Any, advice: _typing.Any, device: _typing.Any) -> _typing.Any: ...
memAttachGlobal: builtins.int
memAttachHost: builtins.int
memAttachSingle: builtins.int
def memGetInfo() -> _typing.Any: ...
def memPoolCreate(props: _typing.Any) -> _typing.Any: ...
def memPoolDestroy(pool: _typing.Any) -> _typing.Any: ...
def memPoolGetAttribute(pool: _typing.Any, attr: _typing.Any) -> _typing.Any: ...
def memPoolSetAttribute(pool: _typing.Any, attr: _typing.Any, value: _typing.Any) -> _typing.Any: ...
def memPoolTrimTo(pool: _typing.Any, size: _typing.Any) -> _typing.Any: ...
def memPrefetchAsync(devPtr: _typing.Any, count: _typing.Any, dstDevice: _typing.Any, stream: _typing.Any) -> _typing.Any: ...
def memcpy(dst: _typing.Any, src: _typing.Any, size: _typing.Any, kind: _typing.Any) -> _typing.Any: ...
def memcpy2D(dst: _typing.Any, dpitch: _typing.Any, src: _typing.Any, spitch: _typing.Any, width: _typing.Any, height: _typing.Any, kind: _typing.Any) -> _typing.Any: ...
def memcpy2DAsync(dst: _typing.Any, dpitch: _typing.Any, src: _typing.Any, spitch: _typing.Any, width: _typing.Any, height: _typing.Any, kind: _typing.Any, stream: _typing.Any) -> _typing.Any: ...
def memcpy2DFromArray(dst: _typing.Any, dpitch: _typing.Any, src: _typing.Any, wOffset: _typing.Any, hOffset: _typing.Any, width: _typing.Any, height: _typing.Any, kind: _typing.Any) -> _typing.Any: ...
def memcpy2DFromArrayAsync(dst: _typing.Any, dpitch: _typing.Any, src: _typing.Any, wOffset: _typing.Any, hOffset: _typing.Any, width: _typing.Any, height: _typing.Any, kind: _typing.Any, stream: _typing.Any) -> _typing.Any: ...
def memcpy2DToArray(dst: _typing.Any, wOffset: _typing.Any, hOffset: _typing.Any, src: _typing.Any, spitch: _typing.Any, width: _typing.Any, height: _typing.Any, kind: _typing.Any) -> _typing.Any: ...
def memcpy2DToArrayAsync(dst: _typing.Any, wOffset: _typing.Any, hOffset: _typing.Any, src: _typing.Any, spitch: _typing.Any, width: _typing.Any, height: _typing.Any, kind: _typing.Any, stream: _typing.Any) -> _typing.Any: ...
def memcpy3D(copy: builtins.bool | None) -> _typing.Any: ...
def memcpy3DAsync(copy: builtins.bool | None, stream: _typing.Any) -> _typing.Any: ...
def memcpyAsync(dst: _typing.Any, src: _typing.Any, size: _typing.Any, kind: _typing.Any, stream: _typing.Any) -> _typing.Any: ...
memcpyDefault: builtins.int
memcpyDeviceToDevice: builtins.int
memcpyDeviceToHost: builtins.int
memcpyHostToDevice: builtins.int
memcpyHostToHost: builtins.int
def memcpyPeer(dst: _typing.Any, dstDevice: _typing.Any, src: _typing.Any, srcDevice: _typing.Any, size: _typing.Any) -> _typing.Any: ...
def memcpyPeerAsync(dst: _typing.Any, dstDevice: _typing.Any, src: _typing.Any, srcDevice: _typing.Any, size: _typing.Any, stream: _typing.Any) -> _typing.Any: ...
memoryTypeDevice: builtins.int
memoryTypeHost: builtins.int
memoryTypeManaged: builtins.int
memoryTypeUnregistered: builtins.int
def memset(ptr: _typing.Any, value: _typing.Any, size: _typing.Any) -> _typing.Any: ...
def memsetAsync(ptr: _typing.Any, value: _typing.Any, size: _typing.Any, stream: _typing.Any) -> _typing.Any: ...
def pointerGetAttributes(ptr: _typing.Any) -> _typing.Any: ...
def pointerGetMemoryType(ptr: _typing.Any) -> _typing.Any: ...
def profilerStart() -> _typing.Any: ...
def profilerStop() -> _typing.Any: ...
def runtimeGetVersion() -> _typing.Any: ...
def setDevice(device: _typing.Any) -> _typing.Any: ...
def streamAddCallback(stream: _typing.Any, callback: _typing.Any, arg: _typing.Any, flags: builtins.int = 0) -> _typing.Any: ...
def streamBeginCapture(stream: _typing.Any, mode: _typing.Any = 2) -> _typing.Any: ...
streamCaptureModeGlobal: builtins.int
streamCaptureModeRelaxed: builtins.int
streamCaptureModeThreadLocal: builtins.int
streamCaptureStatusActive: builtins.int
streamCaptureStatusInvalidated: builtins.int
streamCaptureStatusNone: builtins.int
def streamCreate() -> _typing.Any: ...
def streamCreateWithFlags(flags: _typing.Any) -> _typing.Any: ...
def streamCreateWithPriority(flags: _typing.Any, priority: _typing.Any) -> _typing.Any: ...
streamDefault: builtins.int
def streamDestroy(stream: _typing.Any) -> _typing.Any: ...
def streamEndCapture(stream: _typing.Any) -> _typing.Any: ...
def streamGetFlags(stream: _typing.Any) -> _typing.Any: ...
def streamGetPriority(stream: _typing.Any) -> _typing.Any: ...
def streamIsCapturing(stream: _typing.Any) -> _typing.Any: ...
streamLegacy: builtins.int
streamNonBlocking: builtins.int
streamPerThread: builtins.int
def streamQuery(stream: _typing.Any) -> _typing.Any: ...
def streamSynchronize(stream: _typing.Any) -> _typing.Any: ...
def streamWaitEvent(stream: _typing.Any, event: _typing.Any, flags: builtins.int = 0) -> _typing.Any: ...
__all__ = [
    "CUDARuntimeError", "CUDA_C_16F", "CUDA_C_32F", "CUDA_C_64F", "CUDA_C_8I", "CUDA_C_8U", "CUDA_R_16BF", "CUDA_R_16F",
    "CUDA_R_32F", "CUDA_R_64F", "CUDA_R_8I", "CUDA_R_8U", "CUDA_VERSION", "MemPoolProps", "PointerAttributes",
    "check_status", "createSurfaceObject", "createTextureObject", "cudaAddressModeBorder", "cudaAddressModeClamp",
    "cudaAddressModeMirror", "cudaAddressModeWrap", "cudaArrayCubemap", "cudaArrayDefault", "cudaArrayLayered",
    "cudaArraySurfaceLoadStore", "cudaArrayTextureGather", "cudaChannelFormatKindFloat", "cudaChannelFormatKindNone",
    "cudaChannelFormatKindSigned", "cudaChannelFormatKindUnsigned", "cudaCpuDeviceId", "cudaDevAttrAsyncEngineCount",
    "cudaDevAttrCanFlushRemoteWrites", "cudaDevAttrCanMapHostMemory", "cudaDevAttrCanUseHostPointerForRegisteredMem",
    "cudaDevAttrClockRate", "cudaDevAttrComputeCapabilityMajor", "cudaDevAttrComputeCapabilityMinor",
    "cudaDevAttrComputeMode", "cudaDevAttrComputePreemptionSupported", "cudaDevAttrConcurrentKernels",
    "cudaDevAttrConcurrentManagedAccess", "cudaDevAttrCooperativeLaunch", "cudaDevAttrCooperativeMultiDeviceLaunch",
    "cudaDevAttrDirectManagedMemAccessFromHost", "cudaDevAttrEccEnabled", "cudaDevAttrGPUDirectRDMAFlushWritesOptions",
    "cudaDevAttrGPUDirectRDMASupported", "cudaDevAttrGPUDirectRDMAWritesOrdering", "cudaDevAttrGlobalL1CacheSupported",
    "cudaDevAttrGlobalMemoryBusWidth", "cudaDevAttrGpuOverlap", "cudaDevAttrHostNativeAtomicSupported",
    "cudaDevAttrHostRegisterReadOnlySupported", "cudaDevAttrHostRegisterSupported", "cudaDevAttrIntegrated",
    "cudaDevAttrIsMultiGpuBoard", "cudaDevAttrKernelExecTimeout", "cudaDevAttrL2CacheSize",
    "cudaDevAttrLocalL1CacheSupported", "cudaDevAttrManagedMemory", "cudaDevAttrMaxBlockDimX",
    "cudaDevAttrMaxBlockDimY", "cudaDevAttrMaxBlockDimZ", "cudaDevAttrMaxBlocksPerMultiprocessor",
    "cudaDevAttrMaxGridDimX", "cudaDevAttrMaxGridDimY", "cudaDevAttrMaxGridDimZ", "cudaDevAttrMaxPitch",
    "cudaDevAttrMaxRegistersPerBlock", "cudaDevAttrMaxRegistersPerMultiprocessor", "cudaDevAttrMaxSharedMemoryPerBlock",
    "cudaDevAttrMaxSharedMemoryPerBlockOptin", "cudaDevAttrMaxSharedMemoryPerMultiprocessor",
    "cudaDevAttrMaxSurface1DLayeredLayers", "cudaDevAttrMaxSurface1DLayeredWidth", "cudaDevAttrMaxSurface1DWidth",
    "cudaDevAttrMaxSurface2DHeight", "cudaDevAttrMaxSurface2DLayeredHeight", "cudaDevAttrMaxSurface2DLayeredLayers",
    "cudaDevAttrMaxSurface2DLayeredWidth", "cudaDevAttrMaxSurface2DWidth", "cudaDevAttrMaxSurface3DDepth",
    "cudaDevAttrMaxSurface3DHeight", "cudaDevAttrMaxSurface3DWidth", "cudaDevAttrMaxSurfaceCubemapLayeredLayers",
    "cudaDevAttrMaxSurfaceCubemapLayeredWidth", "cudaDevAttrMaxSurfaceCubemapWidth",
    "cudaDevAttrMaxTexture1DLayeredLayers", "cudaDevAttrMaxTexture1DLayeredWidth", "cudaDevAttrMaxTexture1DLinearWidth",
    "cudaDevAttrMaxTexture1DMipmappedWidth", "cudaDevAttrMaxTexture1DWidth", "cudaDevAttrMaxTexture2DGatherHeight",
    "cudaDevAttrMaxTexture2DGatherWidth", "cudaDevAttrMaxTexture2DHeight", "cudaDevAttrMaxTexture2DLayeredHeight",
    "cudaDevAttrMaxTexture2DLayeredLayers", "cudaDevAttrMaxTexture2DLayeredWidth",
    "cudaDevAttrMaxTexture2DLinearHeight", "cudaDevAttrMaxTexture2DLinearPitch", "cudaDevAttrMaxTexture2DLinearWidth",
    "cudaDevAttrMaxTexture2DMipmappedHeight", "cudaDevAttrMaxTexture2DMipmappedWidth", "cudaDevAttrMaxTexture2DWidth",
    "cudaDevAttrMaxTexture3DDepth", "cudaDevAttrMaxTexture3DDepthAlt", "cudaDevAttrMaxTexture3DHeight",
    "cudaDevAttrMaxTexture3DHeightAlt", "cudaDevAttrMaxTexture3DWidth", "cudaDevAttrMaxTexture3DWidthAlt",
    "cudaDevAttrMaxTextureCubemapLayeredLayers", "cudaDevAttrMaxTextureCubemapLayeredWidth",
    "cudaDevAttrMaxTextureCubemapWidth", "cudaDevAttrMaxThreadsPerBlock", "cudaDevAttrMaxThreadsPerMultiProcessor",
    "cudaDevAttrMaxTimelineSemaphoreInteropSupported", "cudaDevAttrMemoryClockRate",
    "cudaDevAttrMemoryPoolSupportedHandleTypes", "cudaDevAttrMemoryPoolsSupported", "cudaDevAttrMultiGpuBoardGroupID",
    "cudaDevAttrMultiProcessorCount", "cudaDevAttrPageableMemoryAccess",
    "cudaDevAttrPageableMemoryAccessUsesHostPageTables", "cudaDevAttrPciBusId", "cudaDevAttrPciDeviceId",
    "cudaDevAttrPciDomainId", "cudaDevAttrReserved92", "cudaDevAttrReserved93", "cudaDevAttrReserved94",
    "cudaDevAttrReservedSharedMemoryPerBlock", "cudaDevAttrSingleToDoublePrecisionPerfRatio",
    "cudaDevAttrSparseCudaArraySupported", "cudaDevAttrStreamPrioritiesSupported", "cudaDevAttrSurfaceAlignment",
    "cudaDevAttrTccDriver", "cudaDevAttrTextureAlignment", "cudaDevAttrTexturePitchAlignment",
    "cudaDevAttrTotalConstantMemory", "cudaDevAttrUnifiedAddressing", "cudaDevAttrWarpSize", "cudaFilterModeLinear",
    "cudaFilterModePoint", "cudaGraphDebugDotFlagsConditionalNodeParams", "cudaGraphDebugDotFlagsEventNodeParams",
    "cudaGraphDebugDotFlagsExtSemasSignalNodeParams", "cudaGraphDebugDotFlagsExtSemasWaitNodeParams",
    "cudaGraphDebugDotFlagsHandles", "cudaGraphDebugDotFlagsHostNodeParams",
    "cudaGraphDebugDotFlagsKernelNodeAttributes", "cudaGraphDebugDotFlagsKernelNodeParams",
    "cudaGraphDebugDotFlagsMemcpyNodeParams", "cudaGraphDebugDotFlagsMemsetNodeParams", "cudaGraphDebugDotFlagsVerbose",
    "cudaInvalidDeviceId", "cudaIpcMemLazyEnablePeerAccess", "cudaLimitDevRuntimePendingLaunchCount",
    "cudaLimitDevRuntimeSyncDepth", "cudaLimitMallocHeapSize", "cudaLimitMaxL2FetchGranularity",
    "cudaLimitPrintfFifoSize", "cudaLimitStackSize", "cudaMemAdviseSetAccessedBy", "cudaMemAdviseSetPreferredLocation",
    "cudaMemAdviseSetReadMostly", "cudaMemAdviseUnsetAccessedBy", "cudaMemAdviseUnsetPreferredLocation",
    "cudaMemAdviseUnsetReadMostly", "cudaMemAllocationTypePinned", "cudaMemAttachGlobal", "cudaMemAttachHost",
    "cudaMemAttachSingle", "cudaMemHandleTypeNone", "cudaMemHandleTypePosixFileDescriptor", "cudaMemLocationTypeDevice",
    "cudaMemLocationTypeHost", "cudaMemLocationTypeHostNuma", "cudaMemLocationTypeHostNumaCurrent",
    "cudaMemLocationTypeInvalid", "cudaMemPoolAttrReleaseThreshold", "cudaMemPoolAttrReservedMemCurrent",
    "cudaMemPoolAttrReservedMemHigh", "cudaMemPoolAttrUsedMemCurrent", "cudaMemPoolAttrUsedMemHigh",
    "cudaMemPoolReuseAllowInternalDependencies", "cudaMemPoolReuseAllowOpportunistic",
    "cudaMemPoolReuseFollowEventDependencies", "cudaMemoryTypeDevice", "cudaMemoryTypeHost", "cudaReadModeElementType",
    "cudaReadModeNormalizedFloat", "cudaResourceTypeArray", "cudaResourceTypeLinear", "cudaResourceTypeMipmappedArray",
    "cudaResourceTypePitch2D", "destroySurfaceObject", "destroyTextureObject", "deviceAttributeComputeCapabilityMajor",
    "deviceAttributeComputeCapabilityMinor", "deviceCanAccessPeer", "deviceDisablePeerAccess", "deviceEnablePeerAccess",
    "deviceGetAttribute", "deviceGetByPCIBusId", "deviceGetDefaultMemPool", "deviceGetLimit", "deviceGetMemPool",
    "deviceGetPCIBusId", "deviceSetLimit", "deviceSetMemPool", "deviceSynchronize", "driverGetVersion",
    "errorContextIsDestroyed", "errorInvalidValue", "errorMemoryAllocation", "errorNotReady",
    "errorPeerAccessAlreadyEnabled", "errorStreamCaptureUnsupported", "eventBlockingSync", "eventCreate",
    "eventCreateWithFlags", "eventDefault", "eventDestroy", "eventDisableTiming", "eventElapsedTime",
    "eventInterprocess", "eventQuery", "eventRecord", "eventSynchronize", "free", "freeArray", "freeAsync", "freeHost",
    "freeMipmappedArray", "getDevice", "getDeviceCount", "getDeviceProperties", "getMipmappedArrayLevel",
    "graphDebugDotPrint", "graphDestroy", "graphExecDestroy", "graphInstantiate", "graphLaunch", "graphUpload",
    "hostAlloc", "hostAllocDefault", "hostAllocMapped", "hostAllocPortable", "hostAllocWriteCombined", "hostRegister",
    "hostUnregister", "ipcCloseMemHandle", "ipcGetEventHandle", "ipcGetMemHandle", "ipcOpenEventHandle",
    "ipcOpenMemHandle", "is_hip", "launchHostFunc", "malloc", "malloc3DArray", "mallocArray", "mallocAsync",
    "mallocFromPoolAsync", "mallocManaged", "mallocMipmappedArray", "memAdvise", "memAttachGlobal", "memAttachHost",
    "memAttachSingle", "memGetInfo", "memPoolCreate", "memPoolDestroy", "memPoolGetAttribute", "memPoolSetAttribute",
    "memPoolTrimTo", "memPrefetchAsync", "memcpy", "memcpy2D", "memcpy2DAsync", "memcpy2DFromArray",
    "memcpy2DFromArrayAsync", "memcpy2DToArray", "memcpy2DToArrayAsync", "memcpy3D", "memcpy3DAsync", "memcpyAsync",
    "memcpyDefault", "memcpyDeviceToDevice", "memcpyDeviceToHost", "memcpyHostToDevice", "memcpyHostToHost",
    "memcpyPeer", "memcpyPeerAsync", "memoryTypeDevice", "memoryTypeHost", "memoryTypeManaged",
    "memoryTypeUnregistered", "memset", "memsetAsync", "pointerGetAttributes", "pointerGetMemoryType", "profilerStart",
    "profilerStop", "runtimeGetVersion", "setDevice", "streamAddCallback", "streamBeginCapture",
    "streamCaptureModeGlobal", "streamCaptureModeRelaxed", "streamCaptureModeThreadLocal", "streamCaptureStatusActive",
    "streamCaptureStatusInvalidated", "streamCaptureStatusNone", "streamCreate", "streamCreateWithFlags",
    "streamCreateWithPriority", "streamDefault", "streamDestroy", "streamEndCapture", "streamGetFlags",
    "streamGetPriority", "streamIsCapturing", "streamLegacy", "streamNonBlocking", "streamPerThread", "streamQuery",
    "streamSynchronize", "streamWaitEvent"
]
