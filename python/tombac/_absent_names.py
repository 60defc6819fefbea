"""What CuPy has and tombac does not have yet, by module; made by tools/absent_names.py."""

NAMES = {
    "tombac": (
        "fft"
    ),
    "tombac.cuda": (
        "cufft"
    ),
    "tombac.cuda.nccl": (
        "NCCL_AVG NCCL_BFLOAT16 NCCL_CHAR NCCL_DOUBLE NCCL_FLOAT NCCL_FLOAT16 NCCL_FLOAT32 NCCL_FLOAT64 NCCL_HALF "
        "NCCL_INT NCCL_INT32 NCCL_INT64 NCCL_INT8 NCCL_MAX NCCL_MIN NCCL_PROD NCCL_SUM NCCL_UINT32 NCCL_UINT64 "
        "NCCL_UINT8 NcclCommunicator NcclConfig NcclError check_status get_build_version get_unique_id get_version "
        "groupEnd groupStart"
    ),
    "tombacx": (
        "cusolver cusparse distributed lapack linalg signal"
    ),
    "tombacx.scipy": (
        "fft fftpack interpolate ndimage signal sparse spatial special stats"
    ),
    "tombacx.scipy.linalg": (
        "expm lu lu_factor lu_solve solve_triangular"
    ),
}

MODULES = (
    "tombac.cuda.cufft tombac.fft tombacx.cusolver tombacx.cusparse tombacx.distributed tombacx.distributed.array "
    "tombacx.lapack tombacx.linalg tombacx.linalg.sparse tombacx.scipy.fft tombacx.scipy.fftpack "
    "tombacx.scipy.interpolate tombacx.scipy.ndimage tombacx.scipy.signal tombacx.scipy.signal.windows "
    "tombacx.scipy.sparse tombacx.scipy.sparse.csgraph tombacx.scipy.sparse.linalg tombacx.scipy.spatial "
    "tombacx.scipy.spatial.distance tombacx.scipy.special tombacx.scipy.stats tombacx.signal"
)
