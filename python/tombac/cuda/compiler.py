"""What goes wrong when a kernel is compiled."""

from tombac._core import CompileException

__all__ = ["CompileException"]
