/* folder.c - a private temporary folder. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "backend/compile/folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"

enum { PATH_SIZE = 512 };

tb_status tb__folder_make(tb_folder *f)
{
    const char *tmp = getenv("TMPDIR");
    if (!tmp || !*tmp) tmp = "/tmp";
    int n = snprintf(f->path, sizeof f->path, "%s/tombac-XXXXXX", tmp);
    if (n < 0 || n >= (int)sizeof f->path) return tb__fail(TB_ERR_VALUE, "TMPDIR is too long: %s", tmp);
    if (!mkdtemp(f->path))
        return tb__fail(TB_ERR_LIBRARY, "no temporary folder for a kernel can be made in %s (TMPDIR): %s", tmp,
                        strerror(errno));
    return TB_OK;
}

static tb_status fail_write(const char *path)
{
    return tb__fail(TB_ERR_LIBRARY, "%s cannot be written: %s", path, strerror(errno));
}

static void make_parents(char *path, size_t from)
{
    for (char *slash = strchr(path + from, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = 0;
        mkdir(path, 0700);
        *slash = '/';
    }
}

tb_status tb__folder_write(const tb_folder *f, const char *name, const void *data, size_t size)
{
    char path[PATH_SIZE];
    snprintf(path, sizeof path, "%s/%s", f->path, name);
    make_parents(path, strlen(f->path) + 1);
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0700);
    if (fd < 0) return fail_write(path);
    const char *p = data;
    while (size > 0) {
        ssize_t put = write(fd, p, size);
        if (put < 0 && errno == EINTR) continue;
        if (put <= 0) break;
        p += put;
        size -= (size_t)put;
    }
    if (close(fd) != 0 || size > 0) return fail_write(path);
    return TB_OK;
}

tb_status tb__folder_read(const tb_folder *f, const char *name, tb_image *out)
{
    char path[PATH_SIZE];
    snprintf(path, sizeof path, "%s/%s", f->path, name);
    FILE *in = fopen(path, "rb");
    long size = -1;
    if (in && fseek(in, 0, SEEK_END) == 0) size = ftell(in);
    unsigned char *data = size >= 0 ? malloc((size_t)size + 1) : NULL;
    bool good = data && fseek(in, 0, SEEK_SET) == 0 && fread(data, 1, (size_t)size, in) == (size_t)size;
    if (in) fclose(in);
    if (!good) {
        free(data);
        return tb__fail(TB_ERR_LIBRARY, "%s cannot be read", path);
    }
    data[size] = 0;
    *out = (tb_image){data, (size_t)size};
    return TB_OK;
}

static void remove_tree(int parent, const char *name)
{
    int fd = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    DIR *dir = fd >= 0 ? fdopendir(fd) : NULL;
    if (!dir) {
        if (fd >= 0) close(fd);
        return;
    }
    for (struct dirent *d; (d = readdir(dir)) != NULL;) {
        if (strcmp(d->d_name, ".") == 0 || strcmp(d->d_name, "..") == 0) continue;
        if (unlinkat(fd, d->d_name, 0) != 0) remove_tree(fd, d->d_name);
    }
    closedir(dir);
    unlinkat(parent, name, AT_REMOVEDIR);
}

void tb__folder_remove(const tb_folder *f) { remove_tree(AT_FDCWD, f->path); }
