/* folder.h - a private temporary folder, for what another program is to read or write. */
#ifndef TB_BACKEND_COMPILE_FOLDER_H
#define TB_BACKEND_COMPILE_FOLDER_H
#include "backend/compile/disk.h"
#include "tombac/tombac.h"

typedef struct tb_folder {
    char path[256];
    int fd; /* locked while the folder is in use */
} tb_folder;

tb_status tb__folder_make(tb_folder *f);
/* `name` may have folders in front, which are made. */
tb_status tb__folder_write(const tb_folder *f, const char *name, const void *data, size_t size);
/* The data end in a zero byte that size does not count. */
tb_status tb__folder_read(const tb_folder *f, const char *name, tb_image *out);
void tb__folder_remove(tb_folder *f); /* with all that is in it */
#endif
