/* bundle.c - the kernels that came with the build: one file an architecture, made by tools/ship_kernels.c.
 *
 * A bundle is a header, entries sorted by name, and images where the entries say. It is mapped when a kernel of its
 * architecture is first looked for and stays so. Bundles lie in TOMBAC_KERNEL_PATH, or else next to this library. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "backend/gpu/kernel.h"
#include "base/hash.h"

enum { PATH_SIZE = 1024, MAX_ARCH = 256 };

typedef struct header {
    char magic[8];
    uint64_t count;
} header;

typedef struct entry {
    tb_kernel_name name;
    uint64_t offset, size, checksum;
} entry;

typedef struct bundle {
    bool opened; /* or found not to be there: then data is NULL */
    const char *data;
    uint64_t size;
} bundle;

static const char magic[8] = "TBPACK1";
static bundle bundles[MAX_ARCH]; /* under the core lock */

/* ---- reading -------------------------------------------------------------------------------------------------- */

static bool find_dir(char *dir)
{
    const char *own = getenv("TOMBAC_KERNEL_PATH");
    Dl_info info;
    if (own && *own) return (size_t)snprintf(dir, PATH_SIZE, "%s", own) < PATH_SIZE;
    if (!dladdr(bundles, &info) || !info.dli_fname) return false;
    const char *slash = strrchr(info.dli_fname, '/');
    int n = slash ? (int)(slash - info.dli_fname) : 0;
    if (n == 0) return false;
    return (size_t)snprintf(dir, PATH_SIZE, "%.*s/" TB_KERNEL_FOLDER, n, info.dli_fname) < PATH_SIZE;
}

/* How many entries there are; 0 also for what is no bundle. */
static uint64_t entry_count(const char *data, uint64_t size)
{
    header h;
    if (size < sizeof h) return 0;
    memcpy(&h, data, sizeof h);
    return memcmp(h.magic, magic, sizeof magic) == 0 && h.count <= (size - sizeof h) / sizeof(entry) ? h.count : 0;
}

static void map_file(int fd, bundle *b)
{
    struct stat st;
    if (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode) || (size_t)st.st_size < sizeof(header)) return;
    const uint64_t size = (uint64_t)st.st_size;
    char *data = mmap(NULL, size, PROT_READ, MAP_PRIVATE, fd, 0);
    if (data == MAP_FAILED) return;
    if (entry_count(data, size) > 0) *b = (bundle){.opened = true, .data = data, .size = size};
    else munmap(data, size);
}

static const bundle *open_bundle(int arch)
{
    char dir[PATH_SIZE], path[PATH_SIZE + 32];
    bundle *b = &bundles[arch];
    if (b->opened) return b;
    b->opened = true;
    if (!find_dir(dir)) return b;
    snprintf(path, sizeof path, "%s/sm_%d.tbk", dir, arch);
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0) return b;
    map_file(fd, b);
    close(fd);
    return b;
}

static int by_name(const void *a, const void *b) { return memcmp(a, b, sizeof(tb_kernel_name)); }

bool tb__bundle_find(const char *data, uint64_t size, const tb_kernel_name *name, tb_image *out)
{
    _Static_assert(offsetof(entry, name) == 0, "entries are compared by their first bytes");
    const entry *e = bsearch(name, data + sizeof(header), entry_count(data, size), sizeof *e, by_name);
    if (!e || e->offset > size || e->size == 0 || e->size > size - e->offset) return false;
    if (tb__hash_bytes(TB_HASH_START, data + e->offset, e->size) != e->checksum) return false;
    unsigned char *image = malloc(e->size);
    if (!image) return false;
    memcpy(image, data + e->offset, e->size);
    *out = (tb_image){image, e->size};
    return true;
}

/* Machine code for an older minor version of the same major runs as well. */
bool tb__bundle_read(const char *source, int arch, tb_image *out)
{
    tb_kernel_name name;
    for (int a = arch; a < MAX_ARCH && a / 10 == arch / 10; a--) {
        const bundle *b = open_bundle(a);
        if (!b->data) continue;
        tb__disk_shipped_name(source, a, &name);
        if (tb__bundle_find(b->data, b->size, &name, out)) return true;
    }
    return false;
}

void tb__bundle_show(tb_text *out)
{
    char dir[PATH_SIZE];
    if (find_dir(dir) && access(dir, R_OK) == 0) tb__text_addf(out, "shipped kernels: %s\n", dir);
}

/* ---- writing -------------------------------------------------------------------------------------------------- */

static bool write_bundle(FILE *f, size_t n, const tb_kernel_name *names, const tb_image *images, entry *entries)
{
    header h = {.count = n};
    uint64_t at = sizeof h + n * sizeof *entries;
    memcpy(h.magic, magic, sizeof magic);
    for (size_t i = 0; i < n; i++) {
        const tb_image *image = &images[i];
        entries[i] = (entry){names[i], at, image->size, tb__hash_bytes(TB_HASH_START, image->data, image->size)};
        at += image->size;
    }
    if (n > 0) qsort(entries, n, sizeof *entries, by_name);
    bool good = fwrite(&h, sizeof h, 1, f) == 1 && fwrite(entries, sizeof *entries, n, f) == n;
    for (size_t i = 0; i < n && good; i++) good = fwrite(images[i].data, 1, images[i].size, f) == images[i].size;
    return good;
}

bool tb__bundle_write(const char *path, size_t n, const tb_kernel_name *names, const tb_image *images)
{
    entry *entries = calloc(n + 1, sizeof *entries);
    FILE *f = entries ? fopen(path, "wb") : NULL;
    bool good = f && write_bundle(f, n, names, images, entries);
    if (f && fclose(f) != 0) good = false;
    free(entries);
    return good;
}
