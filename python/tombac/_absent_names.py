"""What CuPy has and tombac does not have yet, by module; made by tools/absent_names.py."""

NAMES = {
    "tombac": (
        "cublas fft"
    ),
    "tombac.cuda": (
        "cufft jitify"
    ),
    "tombac.cuda.compiler": (
        "compile_using_hipcc"
    ),
    "tombac.cuda.cub": (
        "CUB_sum_support_dtype CUB_sum_support_dtype_with_half CUB_sum_support_dtype_without_half CUB_support_dtype "
        "CUB_support_dtype_with_half CUB_support_dtype_without_half CUPY_CUB_ARGMAX CUPY_CUB_ARGMIN CUPY_CUB_CUMPROD "
        "CUPY_CUB_CUMSUM CUPY_CUB_MAX CUPY_CUB_MIN CUPY_CUB_PROD CUPY_CUB_SUM cub_histogram cub_reduction cub_scan "
        "cupy_cub_op device_histogram device_reduce device_scan device_segmented_reduce get_build_version"
    ),
    "tombac.cuda.nccl": (
        "NCCL_AVG NCCL_BFLOAT16 NCCL_CHAR NCCL_DOUBLE NCCL_FLOAT NCCL_FLOAT16 NCCL_FLOAT32 NCCL_FLOAT64 NCCL_HALF "
        "NCCL_INT NCCL_INT32 NCCL_INT64 NCCL_INT8 NCCL_MAX NCCL_MIN NCCL_PROD NCCL_SUM NCCL_UINT32 NCCL_UINT64 "
        "NCCL_UINT8 NcclCommunicator NcclConfig NcclError check_status get_build_version get_unique_id get_version "
        "groupEnd groupStart"
    ),
    "tombac.cuda.thrust": (
        "argsort get_build_version lexsort sort"
    ),
    "tombac.linalg": (
        "cholesky cond det eig eigh eigvals eigvalsh inv lstsq matrix_rank pinv qr slogdet solve svd tensorinv "
        "tensorsolve"
    ),
    "tombac.random": (
        "beta binomial chisquare dirichlet f gamma hypergeometric logseries multinomial multivariate_normal "
        "negative_binomial noncentral_chisquare noncentral_f permutation poisson shuffle standard_gamma standard_t "
        "vonmises zipf"
    ),
    "tombacx": (
        "GeneralizedUFunc cusolver cusparse distributed lapack linalg optimizing scipy signal tools"
    ),
}

MODULES = (
    "tombac.cublas tombac.cuda.cufft tombac.cuda.jitify tombac.fft tombacx.cusolver tombacx.cusparse "
    "tombacx.distributed tombacx.distributed.array tombacx.lapack tombacx.linalg tombacx.linalg.sparse "
    "tombacx.optimizing tombacx.scipy tombacx.scipy.fft tombacx.scipy.fftpack tombacx.scipy.interpolate "
    "tombacx.scipy.linalg tombacx.scipy.ndimage tombacx.scipy.signal tombacx.scipy.signal.windows "
    "tombacx.scipy.sparse tombacx.scipy.sparse.csgraph tombacx.scipy.sparse.linalg tombacx.scipy.spatial "
    "tombacx.scipy.spatial.distance tombacx.scipy.special tombacx.scipy.stats tombacx.signal tombacx.tools "
    "tombacx.tools.install_library"
)
