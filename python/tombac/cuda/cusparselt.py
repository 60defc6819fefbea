"""cuSPARSELt's own functions, by CuPy's names: products of matrices of which two in each four elements are zero.

Structures are objects, memory of the device and of the host is given by addresses; work is enqueued on the current
stream. It needs a GPU of compute capability 8.0 or later and the library (``pip install nvidia-cusparselt-cu13``), of
version 0.6 or later. ``tombacx.linalg.sparse.SemiStructured`` does all of this in one call, and without them too.

>>> handle = tombac.cuda.cusparselt.Handle()
>>> tombac.cuda.cusparselt.init(handle)  # doctest: +SKIP
"""

import ctypes
import functools

from tombac import _core
from tombac.cuda import runtime

__all__ = [
    "CUSPARSELT_INVALID_MODE", "CUSPARSELT_MATMUL_ACTIVATION_GELU", "CUSPARSELT_MATMUL_ACTIVATION_GELU_SCALING",
    "CUSPARSELT_MATMUL_ACTIVATION_RELU", "CUSPARSELT_MATMUL_ACTIVATION_RELU_THRESHOLD",
    "CUSPARSELT_MATMUL_ACTIVATION_RELU_UPPERBOUND", "CUSPARSELT_MATMUL_ALG_CONFIG_ID",
    "CUSPARSELT_MATMUL_ALG_CONFIG_MAX_ID", "CUSPARSELT_MATMUL_ALG_DEFAULT", "CUSPARSELT_MATMUL_ALPHA_VECTOR_SCALING",
    "CUSPARSELT_MATMUL_BETA_VECTOR_SCALING", "CUSPARSELT_MATMUL_BIAS_POINTER", "CUSPARSELT_MATMUL_BIAS_STRIDE",
    "CUSPARSELT_MATMUL_SEARCH_ITERATIONS", "CUSPARSELT_MATMUL_SPARSE_MAT_POINTER", "CUSPARSELT_MATMUL_SPLIT_K",
    "CUSPARSELT_MATMUL_SPLIT_K_BUFFERS", "CUSPARSELT_MATMUL_SPLIT_K_MODE", "CUSPARSELT_MAT_BATCH_STRIDE",
    "CUSPARSELT_MAT_NUM_BATCHES", "CUSPARSELT_PRUNE_SPMMA_STRIP", "CUSPARSELT_PRUNE_SPMMA_TILE",
    "CUSPARSELT_SPARSITY_50_PERCENT", "CUSPARSELT_SPLIT_K_MODE_ONE_KERNEL", "CUSPARSELT_SPLIT_K_MODE_TWO_KERNELS",
    "CUSPARSE_COMPUTE_16F", "CUSPARSE_COMPUTE_32F", "CUSPARSE_COMPUTE_32I", "CUSPARSE_COMPUTE_TF32",
    "CUSPARSE_COMPUTE_TF32_FAST", "CuSparseLtError", "Handle", "MatDescriptor", "MatmulAlgSelection",
    "MatmulDescriptor", "MatmulPlan", "denseDescriptorInit", "destroy", "getVersion", "init", "matDescGetAttribute",
    "matDescSetAttribute", "matDescriptorDestroy", "matmul", "matmulAlgGetAttribute", "matmulAlgSelectionDestroy",
    "matmulAlgSelectionInit", "matmulAlgSetAttribute", "matmulDescGetAttribute", "matmulDescSetAttribute",
    "matmulDescriptorInit", "matmulGetWorkspace", "matmulPlanDestroy", "matmulPlanInit", "matmulSearch",
    "spMMACompress", "spMMACompress2", "spMMACompressedSize", "spMMACompressedSize2", "spMMAPrune", "spMMAPrune2",
    "spMMAPruneCheck", "spMMAPruneCheck2", "structuredDescriptorInit",
]

CUSPARSELT_SPARSITY_50_PERCENT = 0

CUSPARSELT_MAT_NUM_BATCHES = 0
CUSPARSELT_MAT_BATCH_STRIDE = 1

CUSPARSE_COMPUTE_32I = 0
CUSPARSE_COMPUTE_16F = 1
CUSPARSE_COMPUTE_32F = 2
# Of versions that gave float32 a type for each way of rounding it.
CUSPARSE_COMPUTE_TF32 = CUSPARSE_COMPUTE_32F
CUSPARSE_COMPUTE_TF32_FAST = CUSPARSE_COMPUTE_32F

CUSPARSELT_MATMUL_ACTIVATION_RELU = 0
CUSPARSELT_MATMUL_ACTIVATION_RELU_UPPERBOUND = 1
CUSPARSELT_MATMUL_ACTIVATION_RELU_THRESHOLD = 2
CUSPARSELT_MATMUL_ACTIVATION_GELU = 3
CUSPARSELT_MATMUL_ACTIVATION_GELU_SCALING = 4
CUSPARSELT_MATMUL_ALPHA_VECTOR_SCALING = 5
CUSPARSELT_MATMUL_BETA_VECTOR_SCALING = 6
CUSPARSELT_MATMUL_BIAS_STRIDE = 7
CUSPARSELT_MATMUL_BIAS_POINTER = 8
CUSPARSELT_MATMUL_SPARSE_MAT_POINTER = 9

CUSPARSELT_MATMUL_ALG_DEFAULT = 0

CUSPARSELT_MATMUL_ALG_CONFIG_ID = 0
CUSPARSELT_MATMUL_ALG_CONFIG_MAX_ID = 1
CUSPARSELT_MATMUL_SEARCH_ITERATIONS = 2
CUSPARSELT_MATMUL_SPLIT_K = 3
CUSPARSELT_MATMUL_SPLIT_K_MODE = 4
CUSPARSELT_MATMUL_SPLIT_K_BUFFERS = 5

CUSPARSELT_INVALID_MODE = 0
CUSPARSELT_SPLIT_K_MODE_ONE_KERNEL = 1
CUSPARSELT_SPLIT_K_MODE_TWO_KERNELS = 2

CUSPARSELT_PRUNE_SPMMA_TILE = 0
CUSPARSELT_PRUNE_SPMMA_STRIP = 1

_STATUS = (
    "SUCCESS", "NOT_INITIALIZED", "ALLOC_FAILED", "INVALID_VALUE", "ARCH_MISMATCH", "MAPPING_ERROR",
    "EXECUTION_FAILED", "INTERNAL_ERROR", "MATRIX_TYPE_NOT_SUPPORTED", "ZERO_PIVOT", "NOT_SUPPORTED",
    "INSUFFICIENT_RESOURCES",
)


class CuSparseLtError(RuntimeError):
    """cuSPARSELt reported an error; ``status`` is its number."""

    def __init__(self, status, call=""):
        self.status, self.call = status, call
        name = _STATUS[status] if 0 <= status < len(_STATUS) else "unknown"
        super().__init__(f"{call}: CUSPARSE_STATUS_{name} ({status})" if call else f"CUSPARSE_STATUS_{name} ({status})")

    def __reduce__(self):
        return type(self), (self.status, self.call)


# ---- structures ------------------------------------------------------------------------------------------------------


class _Structure:
    """Memory for a structure of the library's, whose content is its own affair.

    Attributes:
        ptr: Its address.
    """

    _kept = ()  # structures that the library may look at again through this one
    _ROOM, _ALIGNMENT = 16384, 16  # the largest and the strictest that any version asks for

    def __init__(self):
        self._memory = ctypes.create_string_buffer(self._ROOM + self._ALIGNMENT)
        at = ctypes.addressof(self._memory)
        self.ptr = at + -at % self._ALIGNMENT
        self._as_parameter_ = ctypes.c_void_p(self.ptr)


class Handle(_Structure):
    """The library's state for the device that is current when ``init`` is called."""


class MatDescriptor(_Structure):
    """A matrix: its shape, dtype and order."""


class MatmulDescriptor(_Structure):
    """A product of described matrices."""


class MatmulAlgSelection(_Structure):
    """How a product is to be computed."""


class MatmulPlan(_Structure):
    """A product that is ready to be computed."""


# ---- calls -----------------------------------------------------------------------------------------------------------

_LETTERS = {
    "h": Handle, "m": MatDescriptor, "d": MatmulDescriptor, "s": MatmulAlgSelection, "p": MatmulPlan,
    "i": ctypes.c_int, "u": ctypes.c_uint32, "l": ctypes.c_int64, "z": ctypes.c_size_t, "a": ctypes.c_void_p,
}
# A letter for each parameter: h, m, d, s, p structures, i an int or an enumeration, u uint32, l int64, z size_t, a an
# address.
_PARAMETERS = {
    "Init": "h", "Destroy": "h", "GetVersion": "ha", "DenseDescriptorInit": "hmllluii",
    "StructuredDescriptorInit": "hmllluiii", "MatDescriptorDestroy": "m", "MatDescSetAttribute": "hmiaz",
    "MatDescGetAttribute": "hmiaz", "MatmulDescriptorInit": "hdiimmmmi", "MatmulDescSetAttribute": "hdiaz",
    "MatmulDescGetAttribute": "hdiaz", "MatmulAlgSelectionInit": "hsdi", "MatmulAlgSelectionDestroy": "s",
    "MatmulAlgSetAttribute": "hsiaz", "MatmulAlgGetAttribute": "hsiaz", "MatmulGetWorkspace": "hpa",
    "MatmulPlanInit": "hpds", "MatmulPlanDestroy": "p", "Matmul": "hpaaaaaaaai", "MatmulSearch": "hpaaaaaaaai",
    "SpMMAPrune": "hdaaia", "SpMMAPruneCheck": "hdaaa", "SpMMAPrune2": "hmiiaaia", "SpMMAPruneCheck2": "hmiiaaa",
    "SpMMACompressedSize": "hpaa", "SpMMACompress": "hpaaaa", "SpMMACompressedSize2": "hmaa",
    "SpMMACompress2": "hmiiaaaa",
}
_LATER = {"MatmulAlgSelectionDestroy"}  # without which, before version 0.8, there is nothing to be done


@functools.cache
def _function(name):
    library = ctypes.CDLL("libcusparseLt.so", handle=_core.library_handle("cusparselt"))
    found = getattr(library, f"cusparseLt{name}", None)
    if found is None and name in _LATER:
        return lambda *args: 0
    if found is None:
        raise ImportError(f"cuSPARSELt is too old: it lacks cusparseLt{name}")
    found.argtypes = [
        ctypes.c_void_p if issubclass(_LETTERS[c], _Structure) else _LETTERS[c] for c in _PARAMETERS[name]
    ]
    found.restype = ctypes.c_int
    return found


def _call(name, *args):
    for at, (letter, arg) in enumerate(zip(_PARAMETERS[name], args, strict=True)):
        wanted = _LETTERS[letter]
        if issubclass(wanted, _Structure) and not isinstance(arg, wanted):
            what = f"must be a {wanted.__name__}, not {type(arg).__name__}"
            raise TypeError(f"cusparseLt{name}: argument {at + 1} {what}")
    if _core.backend() == "cpu":
        raise NotImplementedError(f"cusparseLt{name}: cuSPARSELt computes on GPUs; the CPU backend has none")
    function = _function(name)
    _core.runtime_call("ctxGetCurrent")  # the library works in the calling thread's context
    try:
        status = function(*args)
    except ctypes.ArgumentError as e:
        raise TypeError(f"cusparseLt{name}: {e}") from None
    if status:
        raise CuSparseLtError(status, f"cusparseLt{name}")


def _stream():
    return _core.get_current_stream().ptr


def _sizes(name, *args):
    """The two sizes that a function gives last."""
    first, second = ctypes.c_size_t(), ctypes.c_size_t()
    _call(name, *args, ctypes.addressof(first), ctypes.addressof(second))
    return first.value, second.value


def _scratch(size):
    """Memory of the pool's, or None; free for work that is enqueued later as soon as nobody refers to it."""
    return _core.alloc(size) if size else None


# ---- the library, matrices -------------------------------------------------------------------------------------------


def init(handle):
    """Begins the library's work on the current device."""
    _call("Init", handle)


def destroy(handle):
    """Ends what ``init`` began."""
    _call("Destroy", handle)


def getVersion(handle):
    """The library's version, as 800 of 0.8.0 up to 0.9, and 1000 of 0.10.0."""
    version = ctypes.c_int()
    _call("GetVersion", handle, ctypes.addressof(version))
    return version.value


def denseDescriptorInit(handle, matDescr, rows, cols, ld, alignment, valueType, order):
    """Describes a dense matrix; ``valueType`` is runtime.CUDA_R_..., ``order`` cusparse.CUSPARSE_ORDER_..."""
    _call("DenseDescriptorInit", handle, matDescr, rows, cols, ld, alignment, valueType, order)


def structuredDescriptorInit(handle, matDescr, rows, cols, ld, alignment, valueType, order, sparsity):
    """Describes a matrix of which half of the elements are zero."""
    _call("StructuredDescriptorInit", handle, matDescr, rows, cols, ld, alignment, valueType, order, sparsity)


def matDescriptorDestroy(matDescr):
    """Ends a matrix's description."""
    _call("MatDescriptorDestroy", matDescr)


def matDescSetAttribute(handle, matDescr, attribute, data, dataSize):
    """Sets CUSPARSELT_MAT_... of a matrix to ``dataSize`` bytes of the host's at ``data``."""
    _call("MatDescSetAttribute", handle, matDescr, attribute, data, dataSize)


def matDescGetAttribute(handle, matDescr, attribute, data, dataSize):
    """Writes CUSPARSELT_MAT_... of a matrix to ``dataSize`` bytes of the host's at ``data``."""
    _call("MatDescGetAttribute", handle, matDescr, attribute, data, dataSize)


# ---- products --------------------------------------------------------------------------------------------------------


def matmulDescriptorInit(handle, matMulDescr, opA, opB, matA, matB, matC, matD, computeType):
    """Describes D = alpha * opA(A) @ opB(B) + beta * C."""
    _call("MatmulDescriptorInit", handle, matMulDescr, opA, opB, matA, matB, matC, matD, computeType)
    matMulDescr._kept = matA, matB, matC, matD


def matmulDescSetAttribute(handle, matMulDescr, attribute, data, dataSize):
    """Sets CUSPARSELT_MATMUL_... of a product to ``dataSize`` bytes of the host's at ``data``."""
    _call("MatmulDescSetAttribute", handle, matMulDescr, attribute, data, dataSize)


def matmulDescGetAttribute(handle, matMulDescr, attribute, data, dataSize):
    """Writes CUSPARSELT_MATMUL_... of a product to ``dataSize`` bytes of the host's at ``data``."""
    _call("MatmulDescGetAttribute", handle, matMulDescr, attribute, data, dataSize)


def matmulAlgSelectionInit(handle, algSelection, matMulDescr, alg):
    """Chooses how a product is computed; ``alg`` is CUSPARSELT_MATMUL_ALG_DEFAULT."""
    _call("MatmulAlgSelectionInit", handle, algSelection, matMulDescr, alg)
    algSelection._kept = (matMulDescr,)


def matmulAlgSelectionDestroy(algSelection):
    """Ends a choice."""
    _call("MatmulAlgSelectionDestroy", algSelection)


def matmulAlgSetAttribute(handle, algSelection, attribute, data, dataSize):
    """Sets CUSPARSELT_MATMUL_ALG_..., or another of a choice's, to ``dataSize`` bytes of the host's at ``data``."""
    _call("MatmulAlgSetAttribute", handle, algSelection, attribute, data, dataSize)


def matmulAlgGetAttribute(handle, algSelection, attribute, data, dataSize):
    """Writes CUSPARSELT_MATMUL_ALG_..., or another of a choice's, to ``dataSize`` bytes of the host's at ``data``."""
    _call("MatmulAlgGetAttribute", handle, algSelection, attribute, data, dataSize)


def matmulGetWorkspace(handle, plan):
    """How many bytes of the device a product wants to work in; ``plan`` may be the MatmulAlgSelection, as it was in
    old versions of the library."""
    if isinstance(plan, MatmulAlgSelection):
        choice, plan = plan, MatmulPlan()
        matmulPlanInit(handle, plan, *choice._kept, choice)
        try:
            return matmulGetWorkspace(handle, plan)
        finally:
            matmulPlanDestroy(plan)
    size = ctypes.c_size_t()
    _call("MatmulGetWorkspace", handle, plan, ctypes.addressof(size))
    return size.value


def matmulPlanInit(handle, plan, matMulDescr, algSelection, workspaceSize=0):
    """Makes a plan; ``workspaceSize`` is of old versions of the library and is accepted."""
    _call("MatmulPlanInit", handle, plan, matMulDescr, algSelection)
    plan._kept = matMulDescr, algSelection


def matmulPlanDestroy(plan):
    """Ends a plan."""
    _call("MatmulPlanDestroy", plan)


def _multiply(name, handle, plan, *addresses):
    stream = ctypes.c_void_p(_stream())
    _call(name, handle, plan, *addresses, ctypes.addressof(stream), 1)


def matmul(handle, plan, alpha, d_A, d_B, beta, d_C, d_D, workspace):
    """Computes a product. ``alpha`` and ``beta`` are addresses of float32 on the host, the others of the device's."""
    _multiply("Matmul", handle, plan, alpha, d_A, d_B, beta, d_C, d_D, workspace)


def matmulSearch(handle, plan, alpha, d_A, d_B, beta, d_C, d_D, workspace):
    """Computes a product in every way there is, and has the plan take the fastest; parameters are ``matmul``'s."""
    _multiply("MatmulSearch", handle, plan, alpha, d_A, d_B, beta, d_C, d_D, workspace)


# ---- pruning and compressing -----------------------------------------------------------------------------------------


def spMMAPrune(handle, matMulDescr, d_in, d_out, pruneAlg):
    """Writes the product's structured matrix with two of each four elements set to zero."""
    _call("SpMMAPrune", handle, matMulDescr, d_in, d_out, pruneAlg, _stream())


def _look_over(name, *args, d_valid):
    """The library writes its finding to memory of the device; callers may want it on the host, and wait for it then."""
    if runtime.pointerGetMemoryType(d_valid) != runtime.memoryTypeUnregistered:
        return _call(name, *args, d_valid, _stream())
    found = _core.alloc(4)
    _call(name, *args, found.ptr, _stream())
    _core.get_current_stream().synchronize()
    runtime.memcpy(d_valid, found.ptr, 4, runtime.memcpyDeviceToHost)


def spMMAPruneCheck(handle, matMulDescr, d_in, d_valid):
    """Writes an int, 0 if the matrix is pruned as it has to be, to ``d_valid``, of the device or of the host."""
    _look_over("SpMMAPruneCheck", handle, matMulDescr, d_in, d_valid=d_valid)


def spMMAPrune2(handle, sparseMatDescr, isSparseA, op, d_in, d_out, pruneAlg):
    """The same as ``spMMAPrune`` of a matrix of which no product is described yet."""
    _call("SpMMAPrune2", handle, sparseMatDescr, isSparseA, op, d_in, d_out, pruneAlg, _stream())


def spMMAPruneCheck2(handle, sparseMatDescr, isSparseA, op, d_in, d_valid):
    """The same as ``spMMAPruneCheck`` of a matrix of which no product is described yet."""
    _look_over("SpMMAPruneCheck2", handle, sparseMatDescr, isSparseA, op, d_in, d_valid=d_valid)


def spMMACompressedSize(handle, plan):
    """How many bytes the plan's structured matrix has, compressed."""
    return _sizes("SpMMACompressedSize", handle, plan)[0]


def spMMACompress(handle, plan, d_dense, d_compressed):
    """Compresses the plan's structured matrix, which is pruned."""
    scratch = _scratch(_sizes("SpMMACompressedSize", handle, plan)[1])
    _call("SpMMACompress", handle, plan, d_dense, d_compressed, scratch and scratch.ptr, _stream())


def spMMACompressedSize2(handle, sparseMatDescr):
    """How many bytes a structured matrix has, compressed."""
    return _sizes("SpMMACompressedSize2", handle, sparseMatDescr)[0]


def spMMACompress2(handle, sparseMatDescr, isSparseA, op, d_dense, d_compressed):
    """Compresses a structured matrix, which is pruned."""
    scratch = _scratch(_sizes("SpMMACompressedSize2", handle, sparseMatDescr)[1])
    _call("SpMMACompress2", handle, sparseMatDescr, isSparseA, op, d_dense, d_compressed, scratch and scratch.ptr,
          _stream())
