/* abi.h - types and constants of the CUDA driver API, NVRTC and cuBLAS, as far as tombac calls them.
 *
 * They are facts of a stable binary interface, declared here so that a build needs no CUDA toolkit. The prototypes are
 * in driver.def, nvrtc.def and cublas.def. Names are NVIDIA's; enumerations are passed as int. */
#ifndef TB_BACKEND_CUDA_ABI_H
#define TB_BACKEND_CUDA_ABI_H
#include <stddef.h>
#include <stdint.h>

/* ---- driver ---- */
typedef int CUresult;
typedef int CUdevice;
typedef int CUdevice_attribute;
typedef unsigned long long CUdeviceptr;
typedef struct CUctx_st *CUcontext;
typedef struct CUmod_st *CUmodule;
typedef struct CUfunc_st *CUfunction;
typedef struct CUstream_st *CUstream;
typedef struct CUevent_st *CUevent;
typedef struct CUlinkState_st *CUlinkState;
typedef int CUfunction_attribute;
typedef int CUjit_option;
typedef int CUjitInputType;
typedef int CUlaunchAttributeID;

typedef struct CUlaunchAttribute {
    CUlaunchAttributeID id;
    union {
        char pad[64];
        int programmaticStreamSerializationAllowed;
    } value __attribute__((aligned(8)));
} CUlaunchAttribute;

typedef struct CUlaunchConfig {
    unsigned int gridDimX, gridDimY, gridDimZ, blockDimX, blockDimY, blockDimZ, sharedMemBytes;
    CUstream hStream;
    CUlaunchAttribute *attrs;
    unsigned int numAttrs;
} CUlaunchConfig;

enum {
    CUDA_SUCCESS = 0,
    CUDA_ERROR_OUT_OF_MEMORY = 2,
    CUDA_ERROR_NOT_INITIALIZED = 3,
    CUDA_ERROR_NO_DEVICE = 100,
    CUDA_ERROR_INVALID_DEVICE = 101,
    CUDA_ERROR_NOT_FOUND = 500,
    CUDA_ERROR_NOT_READY = 600,
    CUDA_ERROR_ILLEGAL_ADDRESS = 700,
    CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES = 701,
    CUDA_ERROR_LAUNCH_TIMEOUT = 702,
    CUDA_ERROR_ASSERT = 710,
    CUDA_ERROR_HARDWARE_STACK_ERROR = 714,
    CUDA_ERROR_LAUNCH_FAILED = 719,
    CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE = 720,

    CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK = 8,
    CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT = 16,
    CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE = 36,       /* kHz */
    CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH = 37, /* bits */
    CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE = 38,
    CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR = 39,
    CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR = 75,
    CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR = 76,

    CU_STREAM_NON_BLOCKING = 1,
    CU_EVENT_DEFAULT = 0,
    CU_EVENT_BLOCKING_SYNC = 1,
    CU_EVENT_DISABLE_TIMING = 2,
    CU_MEMHOSTALLOC_PORTABLE = 1,

    CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION = 6,
    CU_FUNC_ATTRIBUTE_PTX_VERSION = 5,
    CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES = 8,
    CU_JIT_INFO_LOG_BUFFER = 3,
    CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES = 4,
    CU_JIT_ERROR_LOG_BUFFER = 5,
    CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES = 6,
    CU_JIT_INPUT_CUBIN = 0,
    CU_JIT_INPUT_PTX = 1,
    CU_JIT_INPUT_LIBRARY = 4,
};

/* ---- NVRTC ---- */
typedef int nvrtcResult;
typedef struct _nvrtcProgram *nvrtcProgram;

enum { NVRTC_SUCCESS = 0, NVRTC_ERROR_COMPILATION = 6 };

/* ---- cuBLAS ---- */
typedef int cublasStatus_t;
typedef int cublasOperation_t;
typedef int cublasMath_t;
typedef int cublasComputeType_t;
typedef int cublasGemmAlgo_t;
typedef int cublasFillMode_t;
typedef int cublasSideMode_t;
typedef int cublasDiagType_t;
typedef int cudaDataType;
typedef struct cublasContext *cublasHandle_t;
typedef struct CUstream_st *cudaStream_t;

enum {
    CUBLAS_STATUS_SUCCESS = 0,
    CUBLAS_STATUS_NOT_INITIALIZED = 1,
    CUBLAS_STATUS_ALLOC_FAILED = 3,
    CUBLAS_OP_N = 0,
    CUBLAS_OP_T = 1,
    CUBLAS_DEFAULT_MATH = 0,
    CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION = 16,
    CUBLAS_COMPUTE_16F = 64,
    CUBLAS_COMPUTE_32F = 68,
    CUBLAS_COMPUTE_32F_PEDANTIC = 69,
    CUBLAS_COMPUTE_64F = 70,
    CUBLAS_COMPUTE_64F_PEDANTIC = 71,
    CUBLAS_COMPUTE_32F_FAST_16F = 74,
    CUBLAS_COMPUTE_32F_FAST_16BF = 75,
    CUBLAS_COMPUTE_32F_FAST_TF32 = 77,
    CUBLAS_GEMM_DEFAULT = -1,
    CUBLAS_OP_C = 2,
    CUBLAS_FILL_MODE_LOWER = 0,
    CUBLAS_FILL_MODE_UPPER = 1,
    CUBLAS_SIDE_LEFT = 0,
    CUBLAS_DIAG_NON_UNIT = 0,
    CUBLAS_DIAG_UNIT = 1,
    CUDA_R_32F = 0,
    CUDA_R_64F = 1,
    CUDA_R_16F = 2,
    CUDA_C_32F = 4,
    CUDA_C_64F = 5,
    CUDA_R_16BF = 14,
};

/* ---- cuSOLVER ---- */
typedef int cusolverStatus_t;
typedef int cusolverEigMode_t;
typedef struct cusolverDnContext *cusolverDnHandle_t;
typedef struct cusolverDnParams *cusolverDnParams_t;
typedef struct gesvdjInfo *gesvdjInfo_t;

enum {
    CUSOLVER_STATUS_SUCCESS = 0,
    CUSOLVER_STATUS_NOT_INITIALIZED = 1,
    CUSOLVER_STATUS_ALLOC_FAILED = 2,
    CUSOLVER_EIG_MODE_NOVECTOR = 0,
    CUSOLVER_EIG_MODE_VECTOR = 1,
};

/* ---- cuFFT ---- */
typedef int cufftResult;
typedef int cufftHandle;
typedef int cufftType;

enum {
    CUFFT_SUCCESS = 0,
    CUFFT_INVALID_PLAN = 1,
    CUFFT_ALLOC_FAILED = 2,
    CUFFT_INVALID_TYPE = 3,
    CUFFT_INVALID_VALUE = 4,
    CUFFT_INTERNAL_ERROR = 5,
    CUFFT_EXEC_FAILED = 6,
    CUFFT_SETUP_FAILED = 7,
    CUFFT_INVALID_SIZE = 8,
    CUFFT_NOT_SUPPORTED = 16,
    CUFFT_FORWARD = -1,
    CUFFT_INVERSE = 1,
    CUFFT_C2C = 0x29,
    CUFFT_R2C = 0x2a,
    CUFFT_C2R = 0x2c,
    CUFFT_Z2Z = 0x69,
    CUFFT_D2Z = 0x6a,
    CUFFT_Z2D = 0x6c,
    /* Callbacks: the first of each four; single and double precision, complex numbers before real ones. */
    CUFFT_CB_LD_COMPLEX = 0,
    CUFFT_CB_ST_COMPLEX = 4,
};

/* ---- cuBLASLt ---- */
typedef struct cublasLtMatmulDescOpaque_t *cublasLtMatmulDesc_t;
typedef struct cublasLtMatrixLayoutOpaque_t *cublasLtMatrixLayout_t;
typedef struct cublasLtMatmulPreferenceOpaque_t *cublasLtMatmulPreference_t;
typedef int cublasLtMatmulDescAttributes_t;
typedef int cublasLtMatmulPreferenceAttributes_t;
typedef struct cublasLtMatmulAlgo_t {
    uint64_t data[8];
} cublasLtMatmulAlgo_t;
typedef struct cublasLtMatmulHeuristicResult_t {
    cublasLtMatmulAlgo_t algo;
    size_t workspaceSize;
    cublasStatus_t state;
    float wavesCount;
    int reserved[4];
} cublasLtMatmulHeuristicResult_t;

enum {
    CUBLASLT_MATMUL_DESC_TRANSA = 3,
    CUBLASLT_MATMUL_DESC_TRANSB = 4,
    CUBLASLT_MATMUL_DESC_EPILOGUE = 7,
    CUBLASLT_MATMUL_DESC_BIAS_POINTER = 8,
    CUBLASLT_EPILOGUE_BIAS = 4,
    CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES = 1,
    CUBLASLT_MATMUL_PREF_REDUCTION_SCHEME_MASK = 3,
    CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES = 5, /* and of B, C, D behind it */
    CUBLASLT_REDUCTION_SCHEME_COMPUTE_TYPE = 2,
};

/* ---- cuSPARSELt ---- */
typedef int cusparseStatus_t;
typedef int cusparseOperation_t;
typedef int cusparseOrder_t;
typedef int cusparseComputeType;
typedef int cusparseLtSparsity_t;
typedef int cusparseLtMatmulAlg_t;

/* Structures that the caller has the memory of. Their size is each version's own (13,072 bytes in 0.6, 512 in 0.10):
 * this is room for any. */
typedef struct cusparseLtRoom {
    _Alignas(16) unsigned char data[16384];
} cusparseLtRoom;
typedef cusparseLtRoom cusparseLtHandle_t, cusparseLtMatDescriptor_t, cusparseLtMatmulDescriptor_t,
    cusparseLtMatmulAlgSelection_t, cusparseLtMatmulPlan_t;

enum {
    CUSPARSE_STATUS_SUCCESS = 0,
    CUSPARSE_STATUS_NOT_INITIALIZED = 1,
    CUSPARSE_STATUS_ALLOC_FAILED = 2,
    CUSPARSE_STATUS_INVALID_VALUE = 3,
    CUSPARSE_STATUS_NOT_SUPPORTED = 10,
    CUSPARSE_OPERATION_NON_TRANSPOSE = 0,
    CUSPARSE_OPERATION_TRANSPOSE = 1,
    CUSPARSE_ORDER_ROW = 2,
    CUSPARSE_COMPUTE_32I = 0,
    CUSPARSE_COMPUTE_32F = 2,
    CUSPARSELT_SPARSITY_50_PERCENT = 0,
    CUSPARSELT_MATMUL_ALG_DEFAULT = 0,
    CUDA_R_8I = 3,
    CUDA_R_32I = 10,
};

/* ---- cuDSS ---- */
typedef int cudssStatus_t;
typedef int cudssDataParam_t;
typedef int cudssLayout_t;
typedef int cudssMatrixType_t;
typedef int cudssMatrixViewType_t;
typedef int cudssIndexBase_t;
typedef int cudaDataType_t;
typedef struct cudssContext *cudssHandle_t;
typedef struct cudssConfig *cudssConfig_t;
typedef struct cudssData *cudssData_t;
typedef struct cudssMatrix *cudssMatrix_t;

enum {
    CUDSS_STATUS_SUCCESS = 0,
    CUDSS_STATUS_ALLOC_FAILED = 2,
    CUDSS_STATUS_INVALID_VALUE = 3,
    CUDSS_STATUS_NOT_SUPPORTED = 4,
    CUDSS_DATA_INFO = 0,
    CUDSS_DATA_NPIVOTS = 2,
    CUDSS_PHASE_ANALYSIS = 3,
    CUDSS_PHASE_FACTORIZATION = 4,
    CUDSS_PHASE_SOLVE = 0x3f0,
    CUDSS_MTYPE_GENERAL = 0,
    CUDSS_MTYPE_SPD = 3,
    CUDSS_MTYPE_HPD = 4,
    CUDSS_MVIEW_FULL = 0,
    CUDSS_MVIEW_LOWER = 1,
    CUDSS_BASE_ZERO = 0,
    CUDSS_LAYOUT_COL_MAJOR = 0,
    CUDA_R_64I = 24,
};
#endif
