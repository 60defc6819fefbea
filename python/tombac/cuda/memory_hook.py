"""Memory hooks: objects that are told of what memory pools do."""

import threading

from tombac import _core

__all__ = ["MemoryHook", "get_memory_hooks"]

_thread = threading.local()


def get_memory_hooks():
    """The calling thread's hooks: a dict by name."""
    hooks = getattr(_thread, "hooks", None)
    if hooks is None:
        hooks = _thread.hooks = {}
    return hooks


def _tell(what, after, device, size, mem_size, ptr, pmem_id):
    arguments = {"device_id": device, "mem_size": mem_size}
    if what == "malloc":
        arguments["size"] = size
    if after or what == "free":
        arguments["mem_ptr"] = ptr
        if what != "alloc":
            arguments["pmem_id"] = pmem_id
    name = f"{what}_{'post' if after else 'pre'}process"
    for hook in list(get_memory_hooks().values()):
        getattr(hook, name)(**arguments)


class MemoryHook:
    """Base class of memory hooks: override what is of interest, and use the object in a ``with`` block.

    The methods are called for what pools do on the thread of the block, before and after it, with keyword arguments:
    ``device_id``; ``mem_size``, bytes rounded up; ``size``, bytes asked for (malloc); ``mem_ptr``, the address (not
    before an allocation); ``pmem_id``, the same number when a block is handed out and when it comes back (malloc,
    free). They must not compute with arrays. An exception makes the allocation fail.

    >>> class Count(MemoryHook):
    ...     n = 0
    ...     def malloc_postprocess(self, **kwargs):
    ...         self.n += 1
    >>> with Count() as hook:
    ...     a = tombac.empty(10)
    """

    name = "MemoryHook"

    def __enter__(self):
        hooks = get_memory_hooks()
        if self.name in hooks:
            raise KeyError(f"memory hook {self.name} already exists")
        hooks[self.name] = self
        _core.memory_hook_set(_tell)
        return self

    def __exit__(self, *_):
        hooks = get_memory_hooks()
        del hooks[self.name]
        if not hooks:
            _core.memory_hook_set(None)

    def alloc_preprocess(self, **kwargs):
        """Before the pool asks the device for memory: device_id, mem_size."""

    def alloc_postprocess(self, **kwargs):
        """After the pool got memory from the device: device_id, mem_size, mem_ptr."""

    def malloc_preprocess(self, **kwargs):
        """Before the pool hands out a block: device_id, size, mem_size."""

    def malloc_postprocess(self, **kwargs):
        """After the pool handed out a block: device_id, size, mem_size, mem_ptr, pmem_id."""

    def free_preprocess(self, **kwargs):
        """Before a block comes back to the pool: device_id, mem_size, mem_ptr, pmem_id."""

    def free_postprocess(self, **kwargs):
        """After a block came back to the pool: device_id, mem_size, mem_ptr, pmem_id."""
