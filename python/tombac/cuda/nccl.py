"""NCCL: whether there are collective operations between GPUs. There are none yet."""

available = False
