/* memory.c - how many devices the CPU is, and their memory, which is the host's. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "backend/cpu/queues/queue.h"
#include "base/environment.h"
#include "base/error.h"

enum { TYPE_DEVICE = 2, HUGE_PAGE = 2 << 20 };

static int ndevice(void) { return (int)tb__environment(TB_ENV_CPU_DEVICES, 1); }

tb_status tb__cpu_device_count(int *n)
{
    *n = ndevice();
    return TB_OK;
}

/* A number of bytes from a one-number file, or from the line of /proc/meminfo that starts with `key`. */
static size_t read_bytes(const char *path, const char *key)
{
    char line[256];
    unsigned long long n = 0;
    FILE *f = fopen(path, "r");
    if (!f) return 0;
    while (fgets(line, sizeof line, f)) {
        size_t skip = key ? strlen(key) : 0;
        if (key && strncmp(line, key, skip) != 0) continue;
        if (sscanf(line + skip, "%llu", &n) != 1) n = 0;
        break;
    }
    fclose(f);
    return (size_t)n * (key ? 1024 : 1);
}

/* What this process may have: the machine's memory, or less in a container. */
static void memory(size_t *available, size_t *total)
{
    size_t physical = (size_t)sysconf(_SC_PHYS_PAGES) * (size_t)sysconf(_SC_PAGESIZE);
    size_t unused = read_bytes("/proc/meminfo", "MemAvailable:");
    size_t limit = read_bytes("/sys/fs/cgroup/memory.max", NULL), used = 0;
    if (limit > 0 && limit < physical) {
        used = read_bytes("/sys/fs/cgroup/memory.current", NULL);
        physical = limit;
    }
    if (limit > 0 && used < limit && (unused == 0 || limit - used < unused)) unused = limit - used;
    *total = physical;
    *available = unused < physical ? unused : physical;
}

tb_status tb__cpu_mem_info(int device, size_t *available, size_t *total)
{
    (void)device;
    memory(available, total);
    return TB_OK;
}

/* Whole pages, which another process can be given (ipc.c). */
tb_status tb__cpu_mem_alloc(int device, size_t bytes, void **ptr)
{
    static size_t total;
    tb_region *r;
    (void)device;
    if (total == 0) {
        size_t available;
        memory(&available, &total);
    }
    if (bytes > total) return tb__fail_memory(bytes, 0, 0, total);
    size_t alignment = bytes >= 2 * HUGE_PAGE ? HUGE_PAGE : (size_t)sysconf(_SC_PAGESIZE);
    size_t size = (bytes + alignment - 1) & ~(alignment - 1);
    void *p = aligned_alloc(alignment, size ? size : alignment);
    if (!p) return tb__fail_memory(bytes, 0, 0, total);
    tb_status status = tb__cpu_region_new(p, bytes, TYPE_DEVICE, &r);
    if (status != TB_OK) {
        free(p);
        return status;
    }
#ifdef MADV_HUGEPAGE
    if (alignment == HUGE_PAGE) madvise(p, size, MADV_HUGEPAGE);
#endif
    *ptr = p;
    return TB_OK;
}

void tb__cpu_mem_free(int device, void *ptr)
{
    (void)device;
    tb_region *r = tb__cpu_region_take(ptr);
    if (r) tb__cpu_region_free(r);
}
