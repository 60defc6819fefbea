/* object.h - the ends of what the library gives out handles of, and the use of handles that have ended.
 *
 * Every such structure begins with `int refs`, which is 0 from its last release on. A structure that has ended is not
 * given back to the C library at once, so that a second release finds that 0 instead of doing harm. How long it does
 * depends on TOMBAC_DEBUG. Without it the last few are kept, and arrays and buffers until they are used again. With it
 * none is used again: thousands are kept, filled with a pattern, and a table knows where each was made and released, so
 * that whoever uses one is told. Under AddressSanitizer those are poisoned too; without TOMBAC_DEBUG it has every
 * structure at its end, and recognises what happens to it later. */
#ifndef TB_BASE_OBJECT_H
#define TB_BASE_OBJECT_H
#include "tombac/tombac.h"

typedef enum tb_object {
    TB_OBJECT_ARRAY,
    TB_OBJECT_BUFFER,
    TB_OBJECT_STREAM,
    TB_OBJECT_EVENT,
    TB_OBJECT_ALLOCATOR,
    TB_OBJECT_MODULE,
    TB_OBJECT_FUNCTION,
    TB_OBJECT_GRAPH,
    TB_OBJECT_ELEMENTWISE,
    TB_OBJECT_REDUCER,
    TB_OBJECT_INTERNAL, /* no handle: programs never see it */
} tb_object;

enum { TB_RECYCLED = 1024, TB_PATTERN = 0xdd };

/* TOMBAC_DEBUG=1; set when the library is loaded. */
extern bool tb__debug __attribute__((visibility("hidden")));
/* How many structures of one kind may wait to be used again: TB_RECYCLED, or with TOMBAC_DEBUG none. */
extern int tb__recycle_most __attribute__((visibility("hidden")));

void tb__object_note(tb_object kind, void *p) __attribute__((cold));
/* Whoever makes a structure that is not used again says so. */
static inline void tb__object_made(tb_object kind, void *p)
{
    if (__builtin_expect(tb__debug, 0)) tb__object_note(kind, p);
}

/* Ends a structure from malloc whose last reference is gone. `text` (may be NULL) says which one it was. */
void tb__object_end(tb_object kind, void *p, size_t size, const char *text);

const char *tb__object_name(tb_object kind);
/* With TOMBAC_DEBUG only: whether p was released, and not so long ago that this is forgotten. */
bool tb__object_ended(tb_object kind, const void *p) __attribute__((cold));
/* A parameter was (base/argument.h asks): says so on the standard error stream, and fails or ends the process. */
tb_status tb__fail_ended(const char *function, const char *parameter, tb_object kind, const void *p)
    __attribute__((cold));
/* p, or there is no return. */
void *tb__stop_if_ended(const char *function, const char *parameter, tb_object kind, const void *p)
    __attribute__((cold));
/* Of n arrays, the first where `first` is and the others `step` bytes further each; NULL is none. */
tb_status tb__check_ended(const char *function, const char *parameter, int n, const void *first, size_t step)
    __attribute__((cold));
_Noreturn void tb__stop_ended(const char *function, const char *parameter, tb_object kind, const void *p)
    __attribute__((cold));
#endif
