/* handles.h - what is known of the numbers by which programs hold what the library made for them: streams, events,
 * arrays, textures, blocks of memory. A number that has come to its end must not reach a driver, which follows it. */
#ifndef TB_BACKEND_HANDLES_H
#define TB_BACKEND_HANDLES_H
#include "backend/backend.h"

typedef enum tb_handle_kind {
    TB_HANDLE_MEMORY,
    TB_HANDLE_STREAM,
    TB_HANDLE_EVENT,
    TB_HANDLE_ARRAY,
    TB_HANDLE_MIPMAP,
    TB_HANDLE_TEXTURE,
    TB_HANDLE_SURFACE,
    TB_HANDLE_POOL,
    TB_HANDLE_LINKER
} tb_handle_kind;

typedef enum tb_handle_state {
    TB_HANDLE_UNKNOWN, /* made by somebody else, or by nobody */
    TB_HANDLE_GIVEN,   /* to the program, which ends it */
    TB_HANDLE_OWNED,   /* by an object of the library's, which ends it */
    TB_HANDLE_ENDED
} tb_handle_state;

/* All with the core lock held. */
tb_handle_state tb__handle_state(tb_handle_kind kind, int64_t value);
tb_status tb__handle_set(tb_handle_kind kind, int64_t value, tb_handle_state state);
/* For what goes when `parent` does: the levels of a mipmap. */
tb_status tb__handle_set_part(tb_handle_kind kind, int64_t value, int64_t parent);
/* Nothing if the number is not known. */
void tb__handle_end(tb_handle_kind kind, int64_t value);
void tb__handle_end_parts(int64_t parent);
/* Whether a driver may be given the number: it is alive, or may be somebody else's (not on the CPU). 0 is not. */
tb_status tb__handle_check(const char *who, tb_handle_kind kind, int64_t value);
/* The same for the end of it, which must be the program's to bring about. */
tb_status tb__handle_check_end(const char *who, tb_handle_kind kind, int64_t value);

/* ---- arguments.c ---- */

/* Checks the integers of an operation before the backend sees them: handles, the addresses of structures and of host
 * memory, ranges of small numbers. */
tb_status tb__arguments_check(tb_runtime_op op, const char *name, const int64_t *in);
/* After it has succeeded: notes what it made and what it ended. */
tb_status tb__arguments_done(tb_runtime_op op, const int64_t *in, const int64_t *out);
#endif
