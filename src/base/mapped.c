/* mapped.c - whether memory of the process is there, for addresses that come as numbers. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "base/mapped.h"

#include <errno.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <unistd.h>

/* The system copies a byte for us and says where it could not. A sandbox that forbids the call says nothing. */
static bool is_readable(const char *p)
{
    char byte;
    struct iovec to = {&byte, 1}, from = {(void *)(uintptr_t)p, 1};
    return process_vm_readv(getpid(), &to, 1, &from, 1, 0) == 1 || errno != EFAULT;
}

/* msync with MS_ASYNC does nothing but walk the mappings, and fails where there is a hole. */
bool tb__is_mapped(const void *ptr, size_t n)
{
    const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), first = (uintptr_t)ptr;
    uintptr_t end;
    if (n == 0) return true;
    if (!ptr || __builtin_add_overflow(first, n, &end)) return false;
    const uintptr_t start = first & ~(page - 1);
    if (msync((void *)start, end - start, MS_ASYNC) != 0 && errno == ENOMEM) return false;
    return is_readable((const char *)ptr) && is_readable((const char *)end - 1);
}
