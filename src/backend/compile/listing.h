/* listing.h - a source with line numbers, for messages about it. */
#ifndef TB_BACKEND_COMPILE_LISTING_H
#define TB_BACKEND_COMPILE_LISTING_H
#include "base/text.h"

/* Adds the numbered lines of `source`. Of a long source only those around the lines that the compiler's messages speak
 * of, as "name(12)" or "name:12"; without any, its first lines. log may be NULL. */
void tb__listing_add(tb_text *t, const char *source, const char *log, const char *name);
#endif
