"""A memory hook that tells which lines of a program use memory."""

import os
import sys

from tombac.cuda import memory_hook

__all__ = ["LineProfileHook", "MemoryFrame", "StackFrame"]

_OWN = os.path.dirname(memory_hook.__file__)


class StackFrame:
    """A line of a program that was being run: ``filename``, ``lineno``, ``name`` of the function."""

    def __init__(self, obj):
        self.filename, self.lineno, self.name = obj

    def __eq__(self, other):
        return vars(self) == vars(other)


class MemoryFrame:
    """What a line and those it called used: ``used_bytes`` from pools, ``acquired_bytes`` from devices."""

    def __init__(self, parent, stackframe):
        self.parent, self.stackframe = parent, stackframe
        self.children = []
        self.used_bytes = self.acquired_bytes = 0
        if parent is not None:
            parent.children.append(self)

    def humanized_bytes(self):
        """Both figures as text."""
        return f"{_humanized(self.used_bytes)}, {_humanized(self.acquired_bytes)}"


def _humanized(n):
    for unit in "B", "KB", "MB", "GB", "TB":
        if n < 1024 or unit == "TB":
            return f"{n:.2f}{unit}"
        n /= 1024


class LineProfileHook(memory_hook.MemoryHook):
    """Adds up what each line of a program asks of memory pools, and what these ask of the device.

    Args:
        max_depth: How many callers a line is shown with; 0: all.

    Results of deferred work are counted where they are evaluated.

    >>> hook = tombac.cuda.memory_hooks.LineProfileHook()
    >>> with hook:
    ...     a = tombac.zeros(1000)
    >>> hook.print_report()
    _root (..., ...)...
    """

    name = "LineProfileHook"

    def __init__(self, max_depth=0):
        self._max_depth = max_depth
        self._root = MemoryFrame(None, None)

    def malloc_preprocess(self, device_id, size, mem_size):
        """Counts a block that is handed out."""
        for frame in self._frames():
            frame.used_bytes += mem_size

    def alloc_preprocess(self, device_id, mem_size):
        """Counts an allocation from the device."""
        for frame in self._frames():
            frame.acquired_bytes += mem_size

    def _stack(self):
        """The lines being run, the outermost first, without those of the hook."""
        lines = []
        frame = sys._getframe()
        while frame is not None:
            code = frame.f_code
            if not code.co_filename.startswith(_OWN):
                lines.append(StackFrame((code.co_filename, frame.f_lineno, code.co_name)))
            frame = frame.f_back
        if self._max_depth > 0:
            lines = lines[: self._max_depth]
        return lines[::-1]

    def _frames(self):
        frame = self._root
        yield frame
        for line in self._stack():
            found = next((child for child in frame.children if child.stackframe == line), None)
            frame = MemoryFrame(frame, line) if found is None else found
            yield frame

    def print_report(self, file=None):
        """Writes the tree of lines with bytes used and acquired; ``file`` defaults to the standard output."""
        file = sys.stdout if file is None else file
        file.write(f"_root ({self._root.humanized_bytes()})\n")
        for child in self._root.children:
            self._print_frame(child, 1, file)
        file.flush()

    def _print_frame(self, frame, depth, file):
        line = frame.stackframe
        file.write(f"{'  ' * depth}{line.filename}:{line.lineno}:{line.name} ({frame.humanized_bytes()})\n")
        for child in frame.children:
            self._print_frame(child, depth + 1, file)
