"""Compiled code on a device: Module and Function. RawModule and RawKernel make them."""

from tombac._core import Function, Module

__all__ = ["Function", "Module"]
