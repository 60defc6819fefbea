/* disk.c - the user's cache of compiled kernels, a file each.
 *
 * A file says its name, size and checksum again inside, and is not used unless all of them are right. It
 * is written under a temporary name and renamed, so that readers see all of it or nothing. The cache is refused when
 * anybody but the user could have written to it: its files are run. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "backend/compile/disk.h"
#include "tombac/tombac.h"
#include "base/environment.h"

enum { PATH_SIZE = 1024, NAME_SIZE = 33, WRITES_BETWEEN_SWEEPS = 64, OLD = 3600 };
#define SUFFIX ".tbk"
#define TEMPORARY ".tmp-"

typedef struct header {
    char magic[8];
    unsigned char name[16];
    uint64_t size, checksum;
} header;

static const char magic[8] = "TBKERN1";

/* ---- names ---------------------------------------------------------------------------------------------------- */

void tb__name_add(tb_name_hash *h, const void *data, size_t n)
{
    for (int i = 0; i < 2; i++) h->h[i] = tb__hash_bytes(tb__hash_u64(h->h[i], n), data, n);
}

void tb__name_add_text(tb_name_hash *h, const char *text) { tb__name_add(h, text, strlen(text)); }

void tb__name_start(tb_name_hash *h)
{
    *h = (tb_name_hash){{TB_HASH_START, ~TB_HASH_START}};
    tb__name_add_text(h, TB_VERSION);
}

void tb__name_end(const tb_name_hash *h, tb_kernel_name *out)
{
    for (int i = 0; i < 2; i++) {
        uint64_t mixed = tb__hash_u64(h->h[i], (uint64_t)i);
        memcpy(out->bytes + 8 * i, &mixed, 8);
    }
}

static bool file_path(char *path, const char *dir, const tb_kernel_name *name)
{
    char hex[NAME_SIZE];
    for (int i = 0; i < 16; i++) snprintf(hex + 2 * i, 3, "%02x", name->bytes[i]);
    return (size_t)snprintf(path, PATH_SIZE, "%s/%s" SUFFIX, dir, hex) < PATH_SIZE;
}

/* ---- directories ---------------------------------------------------------------------------------------------- */

static pthread_once_t once = PTHREAD_ONCE_INIT;
static char user_dir[PATH_SIZE]; /* "": no cache */
static char refused[PATH_SIZE + 128];
static uint64_t size_limit;
static int write_error; /* errno of the last write, 0: it went well */

static bool make_dirs(char *path)
{
    for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = 0;
        bool made = mkdir(path, 0700) == 0 || errno == EEXIST;
        *slash = '/';
        if (!made) return false;
    }
    return mkdir(path, 0700) == 0 || errno == EEXIST;
}

static bool wanted_dir(char *path)
{
    const char *own = getenv("TOMBAC_CACHE_DIR"), *xdg = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    int n;
    if (own && *own) n = snprintf(path, PATH_SIZE, "%s", own);
    else if (xdg && *xdg) n = snprintf(path, PATH_SIZE, "%s/tombac/kernels", xdg);
    else if (home && *home) n = snprintf(path, PATH_SIZE, "%s/.cache/tombac/kernels", home);
    else return false;
    return n > 0 && n < PATH_SIZE;
}

static void open_user_dir(void)
{
    char path[PATH_SIZE];
    struct stat st;
    size_limit = (uint64_t)tb__environment(TB_ENV_CACHE_SIZE, 512ll << 20);
    if (!wanted_dir(path)) {
        snprintf(refused, sizeof refused, "none of TOMBAC_CACHE_DIR, XDG_CACHE_HOME and HOME is set");
    } else if (!make_dirs(path) || stat(path, &st) != 0) {
        snprintf(refused, sizeof refused, "%s cannot be made: %s", path, strerror(errno));
    } else if (!S_ISDIR(st.st_mode) || st.st_uid != geteuid() || (st.st_mode & 022) != 0) {
        snprintf(refused, sizeof refused, "%s is not a directory that only its owner, the user, can write to", path);
    } else {
        memcpy(user_dir, path, sizeof user_dir);
    }
}

static const char *cache_dir(void)
{
    pthread_once(&once, open_user_dir);
    return user_dir[0] ? user_dir : NULL;
}

void tb__disk_show(tb_text *out)
{
    const char *dir = cache_dir();
    if (dir) tb__text_addf(out, "kernel cache: %s (up to %llu MiB)\n", dir, (unsigned long long)(size_limit >> 20));
    else tb__text_addf(out, "kernel cache: in memory only: %s\n", refused);
    int error = __atomic_load_n(&write_error, __ATOMIC_RELAXED);
    if (error) tb__text_addf(out, "kernel cache: the last kernel could not be written: %s\n", strerror(error));
}

/* ---- reading -------------------------------------------------------------------------------------------------- */

static bool read_all(int fd, void *buf, size_t n)
{
    char *p = buf;
    while (n > 0) {
        ssize_t got = read(fd, p, n);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) return false;
        p += got;
        n -= (size_t)got;
    }
    return true;
}

static bool read_image(int fd, const tb_kernel_name *name, tb_image *out)
{
    header h;
    struct stat st;
    if (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode) || !read_all(fd, &h, sizeof h)) return false;
    if (memcmp(h.magic, magic, sizeof magic) != 0 || memcmp(h.name, name->bytes, sizeof h.name) != 0) return false;
    if (h.size == 0 || h.size != (uint64_t)st.st_size - sizeof h) return false;
    unsigned char *data = malloc(h.size + 1);
    if (!data) return false;
    if (!read_all(fd, data, h.size) || tb__hash_bytes(TB_HASH_START, data, h.size) != h.checksum) {
        free(data);
        return false;
    }
    data[h.size] = 0; /* PTX is a string */
    *out = (tb_image){data, h.size};
    return true;
}

bool tb__disk_read(const tb_kernel_name *name, tb_image *out)
{
    char path[PATH_SIZE];
    const char *dir = cache_dir();
    if (!dir || !file_path(path, dir, name)) return false;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW); /* whatever is there */
    if (fd < 0) return false;
    bool good = read_image(fd, name, out);
    close(fd);
    return good;
}

/* ---- writing -------------------------------------------------------------------------------------------------- */

static bool write_all(int fd, const void *buf, size_t n)
{
    const char *p = buf;
    while (n > 0) {
        ssize_t put = write(fd, p, n);
        if (put < 0 && errno == EINTR) continue;
        if (put <= 0) return false;
        p += put;
        n -= (size_t)put;
    }
    return true;
}

/* Kernels run without a cache: what went wrong is only told to those who ask (tb_show_config). */
static void note_failure(int error) { __atomic_store_n(&write_error, error, __ATOMIC_RELAXED); }

static bool write_to(const char *dir, const tb_kernel_name *name, const tb_image *image)
{
    static unsigned count;
    char path[PATH_SIZE], temporary[PATH_SIZE];
    header h = {.size = image->size, .checksum = tb__hash_bytes(TB_HASH_START, image->data, image->size)};
    memcpy(h.magic, magic, sizeof magic);
    memcpy(h.name, name->bytes, sizeof h.name);
    unsigned serial = __atomic_fetch_add(&count, 1, __ATOMIC_RELAXED);
    int n = snprintf(temporary, sizeof temporary, "%s/" TEMPORARY "%ld-%u", dir, (long)getpid(), serial);
    if (n < 0 || n >= PATH_SIZE || !file_path(path, dir, name)) return false;
    int fd = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (fd < 0) return note_failure(errno), false;
    bool good = write_all(fd, &h, sizeof h) && write_all(fd, image->data, image->size);
    int error = good ? 0 : errno;
    if (close(fd) != 0 && !error) error = errno;
    if (!error && rename(temporary, path) != 0) error = errno;
    if (error == EISDIR && rmdir(path) == 0) error = rename(temporary, path) == 0 ? 0 : errno;
    if (error) unlink(temporary);
    note_failure(error);
    return !error;
}

/* ---- keeping the cache small ---------------------------------------------------------------------------------- */

typedef struct entry {
    char name[64];
    uint64_t size;
    int64_t time;
} entry;

static int by_age(const void *a, const void *b)
{
    int64_t x = ((const entry *)a)->time, y = ((const entry *)b)->time;
    return (x > y) - (x < y);
}

static bool is_temporary(const char *name) { return strncmp(name, TEMPORARY, strlen(TEMPORARY)) == 0; }

static bool is_ours(const char *name)
{
    size_t n = strlen(name);
    if (n >= sizeof((entry *)0)->name) return false;
    return is_temporary(name) || (n == 36 && strcmp(name + 32, SUFFIX) == 0);
}

static size_t list_entries(DIR *dir, entry **out, uint64_t *total)
{
    entry *list = NULL;
    size_t n = 0, cap = 0;
    struct stat st;
    for (struct dirent *d; (d = readdir(dir)) != NULL;) {
        if (!is_ours(d->d_name) || fstatat(dirfd(dir), d->d_name, &st, AT_SYMLINK_NOFOLLOW) != 0) continue;
        if (n == cap) {
            cap = cap ? 2 * cap : 256;
            entry *bigger = realloc(list, cap * sizeof *list);
            if (!bigger) break;
            list = bigger;
        }
        entry *e = &list[n++];
        *e = (entry){.size = (uint64_t)st.st_size, .time = (int64_t)st.st_mtime};
        memcpy(e->name, d->d_name, strlen(d->d_name) + 1);
        *total += e->size;
    }
    *out = list;
    return n;
}

/* What a process left that was ended while it wrote goes after an hour; the oldest goes first, until a tenth below the
 * limit, so that the next sweeps have nothing to do. */
static void sweep(const char *path)
{
    DIR *dir = opendir(path);
    entry *list = NULL;
    uint64_t total = 0;
    if (!dir) return;
    size_t n = list_entries(dir, &list, &total);
    const int64_t old = (int64_t)time(NULL) - OLD;
    for (size_t i = 0; i < n; i++)
        if (is_temporary(list[i].name) && list[i].time < old) unlinkat(dirfd(dir), list[i].name, 0);
    if (total > size_limit) {
        qsort(list, n, sizeof *list, by_age);
        for (size_t i = 0; i < n && total > size_limit - size_limit / 10; i++)
            if (unlinkat(dirfd(dir), list[i].name, 0) == 0) total -= list[i].size;
    }
    free(list);
    closedir(dir);
}

void tb__disk_write(const tb_kernel_name *name, const tb_image *image)
{
    static unsigned writes;
    const char *dir = cache_dir();
    if (!dir || !write_to(dir, name, image)) return;
    if (__atomic_fetch_add(&writes, 1, __ATOMIC_RELAXED) % WRITES_BETWEEN_SWEEPS == 0) sweep(dir);
}

void tb__disk_remove(const tb_kernel_name *name)
{
    char path[PATH_SIZE];
    const char *dir = cache_dir();
    if (dir && file_path(path, dir, name)) unlink(path);
}
