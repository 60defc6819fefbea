"""CUDA arrays, texture and surface objects, for user kernels on both backends.

On the CPU kernels read 1-, 2- and 3-dimensional textures and surfaces, layered ones, cubemaps and mipmaps; linear
filtering has CUDA's 8 bits of fraction.

>>> from tombac.cuda import runtime, texture
>>> channel = texture.ChannelFormatDescriptor(32, 0, 0, 0, runtime.cudaChannelFormatKindFloat)
>>> a = texture.CUDAarray(channel, 8, 4)
>>> a.copy_from(tombac.ones((4, 8), "f"))
"""

import ctypes
import struct

from tombac import _core
from tombac.cuda import runtime
from tombac.cuda.runtime import CUDARuntimeError

__all__ = [
    "CUDARuntimeError", "CUDAarray", "ChannelFormatDescriptor", "MipmappedArray", "ResourceDescriptor", "SurfaceObject",
    "TextureDescriptor", "TextureObject",
]

# Kinds and bits of channels that there are.
_FORMATS = {(0, 8), (0, 16), (0, 32), (1, 8), (1, 16), (1, 32), (2, 16), (2, 32)}


class _Structure:
    """Something that is one of CUDA's structures; ``ptr`` is its address."""

    def _pack(self, *parts):
        packed = b"".join(struct.pack(*part) for part in parts)
        self._packed = ctypes.create_string_buffer(packed, len(packed))
        self.ptr = ctypes.addressof(self._packed)


class ChannelFormatDescriptor(_Structure):
    """Bits of the up to four channels of an element, and their kind (runtime.cudaChannelFormatKind...).

    Raises:
        ValueError: The channels differ in size, or there is no such format.
    """

    def __init__(self, x, y, z, w, f):
        self._channels = (x, y, z, w)
        self._kind = f
        used = [bits for bits in self._channels if bits]
        if (f, x) not in _FORMATS or set(used) != {x} or len(used) == 3 or any(self._channels[len(used) :]):
            raise ValueError(
                f"ChannelFormatDescriptor: bits are {self._channels} of kind {f}; expected 1, 2 or 4 channels of the"
                " same number of bits: 8, 16 or 32 of integers, 16 or 32 of floats"
            )
        self._count = len(used)
        self._pack(("5i", x, y, z, w, f))

    def get_channel_format(self):
        """The dict of what was given: x, y, z, w, f."""
        return dict(zip("xyzw", self._channels)) | {"f": self._kind}

    @property
    def _itemsize(self):
        return self._channels[0] // 8 * self._count


def _check_extents(who, desc, width, height, depth, flags):
    if not isinstance(desc, ChannelFormatDescriptor):
        raise TypeError(f"{who}: desc must be a ChannelFormatDescriptor, not {type(desc)}")
    layered = flags & runtime.cudaArrayLayered
    if width <= 0 or height < 0 or depth < 0 or (depth and not height and not layered):
        raise ValueError(f"{who}: width, height and depth are {width}, {height}, {depth}")


class CUDAarray:
    """Memory in the layout that textures are read from.

    Args:
        desc: ChannelFormatDescriptor of the elements.
        width, height, depth: Elements of each dimension; height and depth 0 if there are fewer dimensions.
        flags: runtime.cudaArraySurfaceLoadStore if kernels write to it, cudaArrayLayered if depth counts layers,
            cudaArrayCubemap if the array is square and depth counts its six faces (of each layer),
            cudaArrayTextureGather for tex2Dgather; else cudaArrayDefault.
    """

    ptr, _owner = 0, None

    def __init__(self, desc, width, height=0, depth=0, flags=0):
        _check_extents("CUDAarray", desc, width, height, depth, flags)
        self._set(desc, width, height, depth, flags)
        self.ptr = runtime.malloc3DArray(desc.ptr, width, height, depth, flags)

    def _set(self, desc, width, height, depth, flags):
        self.desc, self.width, self.height, self.depth, self.flags = desc, width, height, depth, flags
        self.ndim = 3 if depth else 2 if height else 1

    def __del__(self):
        if self.ptr and self._owner is None:
            runtime.freeArray(self.ptr)
            self.ptr = 0

    def _copy(self, who, array, into, stream):
        nbytes = self.desc._itemsize * self.width * max(self.height, 1) * max(self.depth, 1)
        on_device = isinstance(array, _core.ndarray)
        if array.nbytes != nbytes or not array.flags.c_contiguous:
            raise ValueError(
                f"CUDAarray.{who}: the array must be C-contiguous and of {nbytes} bytes; it has {array.nbytes} bytes"
                f" and shape {array.shape}"
            )
        s = _core.get_current_stream() if stream is None else stream
        row, rows = self.desc._itemsize * self.width, max(self.height, 1)
        ptr = array.data.ptr if on_device else array.ctypes.data
        memory, own = runtime._copy_memory(ptr, row, rows), runtime._copy_array(self.ptr)
        sides = (memory, own) if into else (own, memory)
        runtime._copy_part(*sides, (self.width, rows, max(self.depth, 1)), runtime.memcpyDefault, s.ptr)
        if stream is None and not on_device:
            s.synchronize()

    def copy_from(self, in_arr, stream=None):
        """Copies a tombac or NumPy array in: C-contiguous, of the same number of bytes.

        Raises:
            ValueError: It is not.
        """
        self._copy("copy_from", in_arr, 1, stream)

    def copy_to(self, out_arr, stream=None):
        """Copies the elements out to a tombac or NumPy array.

        Raises:
            ValueError: It is not C-contiguous or not of the same number of bytes.
        """
        self._copy("copy_to", out_arr, 0, stream)


class MipmappedArray:
    """Arrays of which each has half the extents of the one before, for textures that are read at a level of detail.

    Args:
        desc, width, height, depth, flags: As of CUDAarray; layers and faces are not halved.
        levels: How many; there are no more than down to one element.

    >>> from tombac.cuda import runtime, texture
    >>> channel = texture.ChannelFormatDescriptor(32, 0, 0, 0, runtime.cudaChannelFormatKindFloat)
    >>> m = texture.MipmappedArray(channel, 8, 4, levels=3)
    >>> m.level(1).copy_from(tombac.ones((2, 4), "f"))
    """

    ptr = 0

    def __init__(self, desc, width, height=0, depth=0, levels=1, flags=0):
        _check_extents("MipmappedArray", desc, width, height, depth, flags)
        if levels < 1:
            raise ValueError(f"MipmappedArray: there must be at least one level, not {levels}")
        fixed = flags & (runtime.cudaArrayLayered | runtime.cudaArrayCubemap)
        self.desc, self.width, self.height, self.depth, self.flags = desc, width, height, depth, flags
        self.levels = min(levels, max(width, height, 0 if fixed else depth).bit_length())
        self._halved = not fixed
        self.ptr = runtime.mallocMipmappedArray(desc.ptr, width, height, depth, self.levels, flags)

    def __del__(self):
        if self.ptr:
            runtime.freeMipmappedArray(self.ptr)
            self.ptr = 0

    def level(self, i):
        """The CUDAarray of level ``i``; it keeps all of them alive.

        Raises:
            IndexError: There is no such level.
        """
        if not 0 <= i < self.levels:
            raise IndexError(f"MipmappedArray.level: {i} of {self.levels} levels")
        halved = [n and max(n >> i, 1) for n in (self.width, self.height)]
        a = CUDAarray.__new__(CUDAarray)
        a._owner = self
        a._set(self.desc, *halved, self.depth and max(self.depth >> i, 1) if self._halved else self.depth, self.flags)
        a.ptr = runtime.getMipmappedArrayLevel(self.ptr, i)
        return a


class ResourceDescriptor(_Structure):
    """What a texture reads: a CUDAarray or MipmappedArray, or an ndarray as linear or pitched memory.

    Args:
        restype: runtime.cudaResourceTypeArray, ...MipmappedArray, ...Linear or ...Pitch2D.
        cuArr: The CUDAarray or MipmappedArray.
        arr: The ndarray, with ``chDesc`` its ChannelFormatDescriptor.
        sizeInBytes: Of linear memory.
        width, height, pitchInBytes: Of pitched memory, in elements and bytes.
    """

    def __init__(self, restype, cuArr=None, arr=None, chDesc=None, sizeInBytes=0, width=0, height=0, pitchInBytes=0):
        self.cuArr, self.arr, self.chDesc, self._type = cuArr, arr, chDesc, restype
        kinds = {runtime.cudaResourceTypeArray: CUDAarray, runtime.cudaResourceTypeMipmappedArray: MipmappedArray}
        if restype in kinds:
            if not isinstance(cuArr, kinds[restype]):
                raise TypeError(f"ResourceDescriptor: cuArr must be a {kinds[restype].__name__}, not {type(cuArr)}")
            body = struct.pack("Q", cuArr.ptr)
        elif restype in (runtime.cudaResourceTypeLinear, runtime.cudaResourceTypePitch2D):
            if not isinstance(arr, _core.ndarray) or not isinstance(chDesc, ChannelFormatDescriptor):
                raise TypeError("ResourceDescriptor: arr must be an ndarray and chDesc a ChannelFormatDescriptor")
            body = struct.pack("Q5i4x", arr.data.ptr, *chDesc._channels, chDesc._kind)
            if restype == runtime.cudaResourceTypeLinear:
                body += struct.pack("Q", sizeInBytes)
            else:
                body += struct.pack("QQQ", width, height, pitchInBytes)
        else:
            raise ValueError(f"ResourceDescriptor: restype is {restype}; expected one of runtime.cudaResourceType")
        self._given = {"sizeInBytes": sizeInBytes, "width": width, "height": height, "pitchInBytes": pitchInBytes}
        self._pack(("i4x128s8x", restype, body))

    def get_resource_desc(self):
        """The dict of what was given."""
        return {"type": self._type, "array": self.cuArr, "arr": self.arr, "chDesc": self.chDesc} | self._given


class TextureDescriptor(_Structure):
    """How a texture is read.

    Args:
        addressModes: Up to three of runtime.cudaAddressMode..., by dimension.
        filterMode: runtime.cudaFilterModePoint or ...Linear.
        readMode: runtime.cudaReadModeElementType or ...NormalizedFloat.
        sRGB, normalizedCoords: Booleans.
        borderColors: Up to four numbers.
        maxAnisotropy: Number.
        mipmapFilterMode: As filterMode, between levels of detail.
        mipmapLevelBias: What is added to a level of detail.
        minMipmapLevelClamp, maxMipmapLevelClamp: Between which it is kept then.
        seamlessCubemap: Whether filters reach across the edges of a cube.
    """

    def __init__(self, addressModes=None, filterMode=0, readMode=0, sRGB=None, borderColors=None, normalizedCoords=None,
                 maxAnisotropy=None, *, mipmapFilterMode=0, mipmapLevelBias=0, minMipmapLevelClamp=0,
                 maxMipmapLevelClamp=0, seamlessCubemap=False):
        modes, colors = tuple(addressModes or ()), tuple(borderColors or ())
        if len(modes) > 3 or len(colors) > 4:
            raise ValueError("TextureDescriptor: at most 3 address modes and 4 border colours")
        self._given = {
            "addressMode": modes, "filterMode": filterMode, "readMode": readMode, "sRGB": sRGB, "borderColor": colors,
            "normalizedCoords": normalizedCoords, "maxAnisotropy": maxAnisotropy,
        }
        modes += (0,) * (3 - len(modes))
        colors += (0.0,) * (4 - len(colors))
        self._pack(
            ("6i", *modes, filterMode, readMode, bool(sRGB)),
            ("4f", *colors),
            ("iIi", bool(normalizedCoords), maxAnisotropy or 0, mipmapFilterMode),
            ("3f2i", mipmapLevelBias, minMipmapLevelClamp, maxMipmapLevelClamp, 0, bool(seamlessCubemap)),
        )

    def get_texture_desc(self):
        """The dict of what was given."""
        return dict(self._given)


class TextureObject:
    """A texture, by which kernels read memory: pass it as an argument of type cudaTextureObject_t.

    It keeps what it reads alive.

    Args:
        ResDesc: ResourceDescriptor of what it reads.
        TexDesc: TextureDescriptor.

    Raises:
        TypeError: The arguments are something else.
    """

    ptr = 0

    def __init__(self, ResDesc, TexDesc):
        if not isinstance(ResDesc, ResourceDescriptor) or not isinstance(TexDesc, TextureDescriptor):
            raise TypeError("TextureObject: a ResourceDescriptor and a TextureDescriptor are expected")
        self.ResDesc, self.TexDesc = ResDesc, TexDesc
        self.ptr = runtime.createTextureObject(ResDesc.ptr, TexDesc.ptr)

    def __del__(self):
        if self.ptr:
            runtime.destroyTextureObject(self.ptr)
            self.ptr = 0

    def __index__(self):
        return self.ptr


class SurfaceObject:
    """A surface, by which kernels read and write a CUDAarray made with cudaArraySurfaceLoadStore.

    Pass it as an argument of type cudaSurfaceObject_t. It keeps the array alive.

    Args:
        ResDesc: ResourceDescriptor of the CUDAarray.
    """

    ptr = 0

    def __init__(self, ResDesc):
        if not isinstance(ResDesc, ResourceDescriptor) or not isinstance(ResDesc.cuArr, CUDAarray):
            raise TypeError("SurfaceObject: a ResourceDescriptor of a CUDAarray is expected")
        self.ResDesc = ResDesc
        self.ptr = runtime.createSurfaceObject(ResDesc.ptr)

    def __del__(self):
        if self.ptr:
            runtime.destroySurfaceObject(self.ptr)
            self.ptr = 0

    def __index__(self):
        return self.ptr
