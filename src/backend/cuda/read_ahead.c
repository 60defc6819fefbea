/* read_ahead.c - NVRTC's files into the system's cache, before a kernel has to be compiled.
 *
 * The first process of a machine that loads NVRTC waits for 150 MB to be read, page by page as they are touched. Read
 * from one end to the other, while the program is still busy with other things, they are there much sooner. The library
 * is not loaded for that: most processes find all kernels in a cache. */
#define _GNU_SOURCE
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "backend/cuda/compile.h"

enum { STEP = 1 << 20 };

/* Whether most of the file's pages are in memory: then reading it would only take time. */
static bool is_there(int fd, size_t size)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE), n = (size + page - 1) / page;
    unsigned char *there = malloc(n);
    void *map = mmap(NULL, size, PROT_READ, MAP_SHARED, fd, 0);
    size_t found = 0;
    if (there && map != MAP_FAILED && mincore(map, size, there) == 0)
        for (size_t i = 0; i < n; i++) found += there[i] & 1;
    if (map != MAP_FAILED) munmap(map, size);
    free(there);
    return found > n - n / 8;
}

static void read_file(const char *path, char *buffer, const bool *stop)
{
    struct stat st;
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) return;
    if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_size > 0 && !is_there(fd, (size_t)st.st_size)) {
        posix_fadvise(fd, 0, 0, POSIX_FADV_SEQUENTIAL);
        while (!__atomic_load_n(stop, __ATOMIC_RELAXED) && read(fd, buffer, STEP) > 0) continue;
    }
    close(fd);
}

/* The library, and what it opens beside itself. */
static bool is_part(const char *name)
{
    return (strncmp(name, "libnvrtc.so", 11) == 0 || strncmp(name, "libnvrtc-builtins.so", 20) == 0);
}

static void read_folder(char *folder, const bool *stop)
{
    char path[2048];
    char *buffer = malloc(STEP);
    DIR *dir = buffer ? opendir(folder) : NULL;
    for (struct dirent *d; dir && (d = readdir(dir)) != NULL;)
        if (is_part(d->d_name) && snprintf(path, sizeof path, "%s/%s", folder, d->d_name) > 0)
            read_file(path, buffer, stop);
    if (dir) closedir(dir);
    free(buffer);
}

void tb__nvrtc_read_ahead(const bool *stop)
{
    char folder[1024];
    if (!tb__library_file(&tb__library_nvrtc, folder, sizeof folder)) return;
    char *slash = strrchr(folder, '/');
    if (!slash) return;
    *slash = 0;
    read_folder(folder, stop);
}
