/* fuzz_disk.c - entries of the user's cache. A good entry is changed as the input says, or is the input itself; what
 * is read must be what was written, or nothing. */
#include <dirent.h>
#include <unistd.h>

#include "backend/compile/disk.h"
#include "fuzz.h"

static char folder[] = "/tmp/tombac-fuzz-XXXXXX", path[256];
static tb_kernel_name name;

static void remove_folder(void)
{
    unlink(path);
    rmdir(folder);
}

/* The one entry that the cache has after a write. */
static void find_path(void)
{
    DIR *dir = opendir(folder);
    FUZZ_CHECK(dir != NULL);
    for (struct dirent *d; (d = readdir(dir)) != NULL;)
        if (d->d_name[0] != '.') snprintf(path, sizeof path, "%s/%.200s", folder, d->d_name);
    closedir(dir);
    FUZZ_CHECK(path[0]);
}

static void start(void)
{
    tb_name_hash h;
    FUZZ_CHECK(mkdtemp(folder) != NULL && setenv("TOMBAC_CACHE_DIR", folder, 1) == 0);
    tb__name_start(&h);
    tb__name_add_text(&h, "fuzz");
    tb__name_end(&h, &name);
    tb__disk_write(&name, &(tb_image){(unsigned char *)"abc", 3});
    find_path();
    atexit(remove_folder);
}

static size_t load(uint8_t *to, size_t room)
{
    FILE *f = fopen(path, "rb");
    FUZZ_CHECK(f != NULL);
    const size_t n = fread(to, 1, room, f);
    fclose(f);
    return n;
}

static void store(const uint8_t *from, size_t n)
{
    FILE *f = fopen(path, "wb");
    FUZZ_CHECK(f && fwrite(from, 1, n, f) == n && fclose(f) == 0);
}

/* Frees it. */
static void check_image(tb_image *image, const uint8_t *data, size_t size)
{
    FUZZ_CHECK(image->size == size && memcmp(image->data, data, size) == 0);
    free(image->data);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    enum { ROOM = 8192, HEADER = 40 };
    static uint8_t good[ROOM], changed[ROOM];
    tb_image image = {NULL, 0};
    if (!path[0]) start();
    fuzz_input in = {data, size};
    const int changes = fuzz_below(&in, 8);
    if (in.left == 0 || in.left > ROOM / 2) return 0;
    if (changes == 7) { /* all of the entry */
        store(in.at, in.left);
        if (tb__disk_read(&name, &image)) check_image(&image, in.at + HEADER, in.left - HEADER);
        return 0;
    }
    /* Pairs of a place and a value come first, then the image. */
    const uint8_t *edit = in.at;
    const size_t skip = 3 * (size_t)changes < in.left ? 3 * (size_t)changes : 0;
    const tb_image written = {(unsigned char *)(uintptr_t)(in.at + skip), in.left - skip};
    tb__disk_write(&name, &written);
    size_t n = load(good, ROOM), kept = n;
    memcpy(changed, good, n);
    for (size_t k = 0; k < skip; k += 3) {
        const size_t at = (edit[k] | (size_t)edit[k + 1] << 8) % (n + 1);
        if (at == n || edit[k + 2] == 0xff) kept = at;
        else changed[at] = edit[k + 2];
    }
    store(changed, kept);
    const bool same = kept == n && memcmp(good, changed, n) == 0;
    FUZZ_CHECK(tb__disk_read(&name, &image) == same);
    if (same) check_image(&image, written.data, written.size);
    return 0;
}
