/* replay.c - goes over inputs without a fuzzer: the arguments are files, and folders of files. */
#include <dirent.h>
#include <sys/stat.h>

#include "fuzz.h"

static int replayed;

static bool replay_file(const char *path)
{
    FILE *f = fopen(path, "rb");
    if (!f || fseek(f, 0, SEEK_END) != 0) return false;
    const long size = ftell(f);
    /* Of exactly that size, so that a sanitizer sees what is read past the end. */
    uint8_t *data = size >= 0 ? malloc((size_t)size + !size) : NULL;
    rewind(f);
    const bool read = data && fread(data, 1, (size_t)size, f) == (size_t)size;
    fclose(f);
    if (read) {
        fprintf(stderr, "%s\n", path);
        LLVMFuzzerTestOneInput(data, (size_t)size);
        replayed++;
    }
    free(data);
    return read;
}

static bool replay_folder(const char *path)
{
    DIR *dir = opendir(path);
    char file[4096];
    bool good = dir != NULL;
    for (struct dirent *d; good && (d = readdir(dir)) != NULL;) {
        if (d->d_name[0] == '.') continue;
        good = (size_t)snprintf(file, sizeof file, "%s/%s", path, d->d_name) < sizeof file && replay_file(file);
    }
    if (dir) closedir(dir);
    return good;
}

int main(int argc, char **argv)
{
    struct stat st;
    for (int i = 1; i < argc; i++) {
        if (stat(argv[i], &st) == 0 && (S_ISDIR(st.st_mode) ? replay_folder : replay_file)(argv[i])) continue;
        fprintf(stderr, "%s cannot be read\n", argv[i]);
        return 1;
    }
    fprintf(stderr, "%d inputs\n", replayed);
    return replayed == 0;
}
