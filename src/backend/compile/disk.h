/* disk.h - compiled kernels of every backend, kept between processes.
 *
 * src/backend/compile is what compiling code has in common wherever it runs:
 *   disk.c         what was compiled, on disk; module_name.c: what a user's source is called there
 *   folder.c       private temporary folders
 *   process.c      running a compiler; option_words.c: its options as users spell them
 *   listing.c      the source with line numbers, for messages */
#ifndef TB_BACKEND_COMPILE_DISK_H
#define TB_BACKEND_COMPILE_DISK_H
#include <stdbool.h>
#include <stddef.h>

#include "base/hash.h"
#include "base/text.h"

struct tb_module_source;

typedef struct tb_image {
    unsigned char *data; /* free() it */
    size_t size;
} tb_image;

/* What names an entry: a hash of everything that decides its content (source, target, options, tombac's version, the
 * compiler). Start with tb__name_start, add each part, end with tb__name_end. */
typedef struct tb_kernel_name {
    unsigned char bytes[16];
} tb_kernel_name;

typedef struct tb_name_hash {
    uint64_t h[2]; /* two hashes of 64 bits with different starts */
} tb_name_hash;

void tb__name_start(tb_name_hash *h); /* tombac's version is part of every name */
void tb__name_add(tb_name_hash *h, const void *data, size_t n);
void tb__name_add_text(tb_name_hash *h, const char *text);
void tb__name_end(const tb_name_hash *h, tb_kernel_name *out);
/* Starts a name with all that a user's source is made of, the files that it includes from folders of its own included
 * (module_name.c). The compiler, its target and its own headers are to be added. */
void tb__source_name(const struct tb_module_source *source, tb_name_hash *out);

/* Whether two name expressions are the same but for blanks (module_name.c). */
bool tb__same_expression(const char *a, const char *b);

bool tb__disk_read(const tb_kernel_name *name, tb_image *out); /* data ends in a zero byte that size does not count */
/* Failures are silent: a cache that cannot be written is only slower. */
void tb__disk_write(const tb_kernel_name *name, const tb_image *image);
void tb__disk_remove(const tb_kernel_name *name);
void tb__disk_show(tb_text *out);
#endif
