/* memory.h - what memory.c, memory_allocator.c and memory_pinned.c share. */
#ifndef TBPY_MEMORY_H
#define TBPY_MEMORY_H
#include "cuda.h"

int tbpy_add_allocators(PyObject *m);    /* memory_allocator.c: Allocator, pools, hooks */
int tbpy_add_pinned_memory(PyObject *m); /* memory_pinned.c: PinnedMemory, PinnedMemoryPointer */
#endif
