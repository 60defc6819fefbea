"""What CuPy has and tombac does not have yet, by module; made by tools/absent_names.py."""

NAMES = {
    "tombac.cuda.nccl": (
        "NCCL_AVG NCCL_BFLOAT16 NCCL_CHAR NCCL_DOUBLE NCCL_FLOAT NCCL_FLOAT16 NCCL_FLOAT32 NCCL_FLOAT64 NCCL_HALF "
        "NCCL_INT NCCL_INT32 NCCL_INT64 NCCL_INT8 NCCL_MAX NCCL_MIN NCCL_PROD NCCL_SUM NCCL_UINT32 NCCL_UINT64 "
        "NCCL_UINT8 NcclCommunicator NcclConfig NcclError check_status get_build_version get_unique_id get_version "
        "groupEnd groupStart"
    ),
    "tombacx": (
        "distributed"
    ),
}

MODULES = (
    "tombacx.distributed tombacx.distributed.array"
)
