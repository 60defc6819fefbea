/* folder.c - a private temporary folder.
 *
 * Its owner holds a lock on it, which the system drops however the process ends; so the next one can tell a folder that
 * is in use from one that was left behind, also where processes cannot see each other. */
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
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"

enum { PATH_SIZE = 512, SUFFIX = 6 };
#define PREFIX "tombac-"

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

/* ---- folders that nobody owns --------------------------------------------------------------------------------- */

static bool has_our_name(const char *name)
{
    size_t n = strlen(PREFIX);
    return strncmp(name, PREFIX, n) == 0 && strlen(name) == n + SUFFIX;
}

/* Removes a folder of the user's whose owner is gone: the system has dropped its lock. */
static void remove_abandoned(int parent, const char *name)
{
    struct stat st;
    int fd = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0) return;
    bool ours = fstat(fd, &st) == 0 && st.st_uid == geteuid() && (st.st_mode & 0777) == 0700;
    if (ours && flock(fd, LOCK_EX | LOCK_NB) == 0) remove_tree(parent, name);
    close(fd);
}

/* Once in a process: what a program leaves that is killed while it compiles. */
static void remove_all_abandoned(const char *tmp)
{
    static int done;
    DIR *dir = __atomic_exchange_n(&done, 1, __ATOMIC_RELAXED) ? NULL : opendir(tmp);
    if (!dir) return;
    for (struct dirent *d; (d = readdir(dir)) != NULL;)
        if (has_our_name(d->d_name)) remove_abandoned(dirfd(dir), d->d_name);
    closedir(dir);
}

/* ---- making one ----------------------------------------------------------------------------------------------- */

/* Whoever finds the folder before it is locked may take it for an abandoned one: then it is gone, and *lost says that
 * another is to be made. */
static bool own(tb_folder *f, bool *lost)
{
    struct stat mine, there;
    f->fd = open(f->path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    *lost = f->fd < 0 && errno == ENOENT;
    if (f->fd < 0) {
        int error = errno;
        rmdir(f->path);
        errno = error;
        return false;
    }
    while (flock(f->fd, LOCK_EX) != 0 && errno == EINTR) {} /* where there are no locks, the others have none either */
    if (fstat(f->fd, &mine) == 0 && lstat(f->path, &there) == 0 && mine.st_ino == there.st_ino) return true;
    close(f->fd);
    *lost = true;
    return false;
}

tb_status tb__folder_make(tb_folder *f)
{
    enum { TRIES = 100 };
    const char *tmp = getenv("TMPDIR");
    if (!tmp || !*tmp) tmp = "/tmp";
    remove_all_abandoned(tmp);
    bool lost = true;
    for (int i = 0; lost && i < TRIES; i++) {
        int n = snprintf(f->path, sizeof f->path, "%s/" PREFIX "XXXXXX", tmp);
        if (n < 0 || n >= (int)sizeof f->path) return tb__fail(TB_ERR_VALUE, "TMPDIR is too long: %s", tmp);
        if (!mkdtemp(f->path)) break;
        if (own(f, &lost)) return TB_OK;
    }
    return tb__fail(TB_ERR_LIBRARY, "no temporary folder for a kernel can be made in %s (TMPDIR): %s", tmp,
                    strerror(errno));
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
    int error = size > 0 ? errno : 0;
    if (close(fd) != 0 && !error) error = errno;
    errno = error;
    return error ? fail_write(path) : TB_OK;
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

void tb__folder_remove(tb_folder *f)
{
    remove_tree(AT_FDCWD, f->path);
    if (f->fd >= 0) close(f->fd);
    f->fd = -1;
}
