"""A memory hook that prints what happens."""

import sys

from tombac.cuda import memory_hook

__all__ = ["DebugPrintHook"]


class DebugPrintHook(memory_hook.MemoryHook):
    """Prints a line of JSON for each allocation from the device, and each block handed out or given back.

    Args:
        file: Where to write; the standard output.
        flush: Whether to flush after each line.

    >>> with tombac.cuda.memory_hooks.DebugPrintHook():
    ...     a = tombac.empty(10)
    {"hook":...,"device_id":0,...}
    """

    name = "DebugPrintHook"

    def __init__(self, file=None, flush=True):
        self.file, self.flush = sys.stdout if file is None else file, flush

    def _print(self, hook, device_id, mem_size, mem_ptr, size=None, pmem_id=None):
        fields = [f'"hook":"{hook}"', f'"device_id":{device_id}']
        if size is not None:
            fields.append(f'"size":{size}')
        fields += [f'"mem_size":{mem_size}', f'"mem_ptr":{mem_ptr}']
        if pmem_id is not None:
            fields.append(f'"pmem_id":"{pmem_id:#x}"')
        self.file.write("{" + ",".join(fields) + "}\n")
        if self.flush:
            self.file.flush()

    def alloc_postprocess(self, **kwargs):
        """Prints an allocation from the device."""
        self._print("alloc", **kwargs)

    def malloc_postprocess(self, **kwargs):
        """Prints a block that is handed out."""
        self._print("malloc", **kwargs)

    def free_postprocess(self, **kwargs):
        """Prints a block that comes back."""
        self._print("free", **kwargs)
