/* mapped.h - whether memory of the process is there. */
#ifndef TB_BASE_MAPPED_H
#define TB_BASE_MAPPED_H
#include <stdbool.h>
#include <stddef.h>

/* Whether the n bytes from ptr on can be read. It costs a few calls of the system. */
bool tb__is_mapped(const void *ptr, size_t n);
#endif
